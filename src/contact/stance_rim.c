// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a wheel's surface comes nearest to the ground below it.
///
/// The surface, with a the axle's direction, e1 the direction across it that points most downwards,
/// e2 = a x e1:
///
///     S(u, v) = c + rho(v) (cos u e1 + sin u e2) + v a,    |v| <= width / 2,    rho(v) = r - (R - sqrt(R^2 - v^2)) with a crown R, else r
///
/// and the vertical gap g(u, v) = S_z - h(S_x, S_y). Where g is least inside the rim, its
/// derivatives vanish: N = (-h_x, -h_y, 1) is then normal to S_u and S_v, so the wheel's normal and
/// the ground's match, which is the paper's cross product. A least value on the rim's edge is a
/// touch of the edge. Newton's method needs the ground's curvature H:  g_uu = N . S_uu - S_u . H
/// S_u, and so on.  [jain2003]
#include <math.h>

#include "contact/stance.h"
#include "math/sincos.h"

enum { AROUND = 11, ACROSS = 3, MOVES = 12 };
static const double REACH = 1.3; ///< how far around the wheel the ground is looked for, from straight down [rad]
static const double NEVER_WORTH = 1e-10; ///< gain below which a place across the rim is not preferred [m]

/// A wheel as it stands, and a point of its surface.
typedef struct Rim {
    const RiStanceRim *w;
    RiVec3 e1, e2, a;
} Rim;

typedef struct Spot {
    double u, v;
    RiVec3 S, down, side; // the point; across the axle: outwards and forwards
    double rho, slope, bend;
    RiHeight ground;
    double gap;
} Spot;

static Rim rim_of(const RiStanceRim *w)
{
    Rim r = {.w = w, .a = w->axle_W};
    const RiVec3 down = ri_vec3(r.a.z * r.a.x, r.a.z * r.a.y, r.a.z * r.a.z - 1.0);
    const double size = ri_norm(down);
    r.e1 = size > 1e-9 ? ri_scale(1.0 / size, down) : ri_vec3(1.0, 0.0, 0.0); // lying flat: any direction
    r.e2 = ri_cross(r.a, r.e1);
    return r;
}

static Spot spot_at(const Rim *r, double u, double v)
{
    const RiStanceRim *w = r->w;
    Spot x = {.u = u, .v = v, .rho = w->radius};
    double sin_u, cos_u;
    ri_sincos(u, &sin_u, &cos_u);
    if (w->crown > 0.0) {
        const double root = sqrt(fmax(w->crown * w->crown - v * v, 1e-12 * w->crown * w->crown));
        x.rho -= w->crown - root;
        x.slope = -v / root;
        x.bend = -w->crown * w->crown / (root * root * root);
    }
    x.down = ri_add(ri_scale(cos_u, r->e1), ri_scale(sin_u, r->e2));
    x.side = ri_sub(ri_scale(cos_u, r->e2), ri_scale(sin_u, r->e1));
    x.S = ri_add(ri_add(w->hub_W, ri_scale(x.rho, x.down)), ri_scale(v, r->a));
    return x;
}

static bool measure(const RiTerrain *t, Spot *x)
{
    const bool found = ri_terrain_height(t, x->S.x, x->S.y, &x->ground);
    x->gap = found ? x->S.z - x->ground.z : INFINITY;
    return found;
}

/// v . H w of the ground's curvature.
static double curve(const RiHeight *g, RiVec3 v, RiVec3 w)
{
    return v.x * (g->zxx * w.x + g->zxy * w.y) + v.y * (g->zxy * w.x + g->zyy * w.y);
}

/// Newton's step (du, dv) towards the least gap; across a flat rim on flat ground: to the edge that
/// lies lower.
static void step_from(const Rim *r, const Spot *x, double *du, double *dv)
{
    const RiHeight *g = &x->ground;
    const RiVec3 N = ri_vec3(-g->zx, -g->zy, 1.0);
    const RiVec3 Su = ri_scale(x->rho, x->side), Sv = ri_add(ri_scale(x->slope, x->down), r->a);
    const double half = 0.5 * r->w->width;
    const double gu = ri_dot(N, Su), gv = ri_dot(N, Sv);
    const double guu = -x->rho * ri_dot(N, x->down) - curve(g, Su, Su);
    const double guv = x->slope * ri_dot(N, x->side) - curve(g, Su, Sv);
    const double gvv = x->bend * ri_dot(N, x->down) - curve(g, Sv, Sv);
    const double det = guu * gvv - guv * guv;
    const bool edge = half <= 0.0 || (x->v <= -half && gv > 0.0) || (x->v >= half && gv < 0.0);
    if (!edge && guu > 0.0 && det > 1e-12 * guu * guu) {
        *du = (guv * gv - gvv * gu) / det;
        *dv = (guv * gu - guu * gv) / det;
    } else {
        *du = guu > 0.0 ? -gu / guu : gu > 0.0 ? -0.1 : 0.1;
        *dv = edge || fabs(gv) * half < NEVER_WORTH ? 0.0 : gv > 0.0 ? -half - x->v : half - x->v;
    }
    *du = fmax(-0.3, fmin(0.3, *du));
    *dv = fmax(-half, fmin(half, x->v + *dv)) - x->v;
}

/// Down to a least gap from x.
static void descend(const RiTerrain *t, const Rim *r, Spot *x)
{
    for (int k = 0; k < MOVES; k++) {
        double du, dv;
        step_from(r, x, &du, &dv);
        if (fabs(du) < 1e-7 && fabs(dv) < 1e-7 * r->w->radius)
            return;
        Spot next = spot_at(r, x->u + du, x->v + dv);
        for (int half = 0; half < 8 && !(measure(t, &next) && next.gap < x->gap); half++) {
            du *= 0.5;
            dv *= 0.5;
            next = spot_at(r, x->u + du, x->v + dv);
        }
        if (!measure(t, &next) || !(next.gap < x->gap))
            return;
        *x = next;
    }
}

/// The lowest of some places all around the lower half of the wheel.
static Spot look_around(const RiTerrain *t, const Rim *r)
{
    Spot best = spot_at(r, 0.0, 0.0);
    (void)measure(t, &best);
    const double half = 0.5 * r->w->width;
    for (int j = 0; j < (half > 0.0 ? ACROSS : 1); j++)
        for (int i = 0; i < AROUND; i++) {
            Spot x = spot_at(r, REACH * (2.0 * i / (AROUND - 1) - 1.0), (j == 2 ? -j / 2 : j) * half);
            if (measure(t, &x) && x.gap < best.gap - NEVER_WORTH)
                best = x;
        }
    return best;
}

static void put(RiStanceRim *w, const Spot *x)
{
    w->around = x->u;
    w->across = x->v;
    w->point = w->moves = x->S;
    w->ground = x->ground;
    w->gap = x->gap;
    w->known = isfinite(x->gap);
}

void ri_stance_seek(RiStance *s, RiStanceRim *w)
{
    const Rim r = rim_of(w);
    Spot x;
    if (w->known) {
        x = spot_at(&r, w->around, w->across);
        (void)measure(s->terrain, &x);
    } else
        x = look_around(s->terrain, &r);
    if (isfinite(x.gap))
        descend(s->terrain, &r, &x);
    put(w, &x);
}

bool ri_stance_seek_lower(RiStance *s, RiStanceRim *w, double by)
{
    const Rim r = rim_of(w);
    const double gap = w->gap;
    Spot x = look_around(s->terrain, &r);
    if (isfinite(x.gap))
        descend(s->terrain, &r, &x);
    if (!(x.gap < gap - by))
        return false;
    put(w, &x);
    return true;
}
