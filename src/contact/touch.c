// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which features touch: points against the terrain's distance.
///
///     centres --(distance, normal)--> point of each sphere or circle nearest to the ground --(normal there)--> corrected --(distance)--> touches
///
/// The point of a circle (centre c, axis a, radius R) nearest to ground of normal n is c - R (n -
/// (n.a) a) / |n - (n.a) a|. On curved ground the normal at that point differs from the one at the
/// centre; the point is moved as long as it does. This converges like (R K)^k on ground of
/// curvature K. The ground is asked for what it is close by (ri_terrain_query_near_many): the exact
/// distance far from a height field is a search, and only a normal is wanted there.
///
/// A circle with a tube is the circle of radius R - tube swept by a ball: in its plane the same
/// disc, but distances are asked for away from the ground, where the normals of an edge go round
/// it.
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "contact/rim.h"
#include "terrain/terrain.h"

/// A circle flat on the ground touches everywhere: below this sine of its tilt its point moves in
/// towards the centre.
static const double FLAT = 0.01;
/// Share of the lowest feature's distance that others are not asked about.
static const double ENOUGH = 0.7;
/// Windows around a link and around a feature in which the ground is looked at [m].
static const double WIDE = 0.4, NARROW = 0.1;
/// Least height above all ground around for which it is worth to be remembered [m].
static const double LITTLE = 5e-3;
/// A link near the ground is measured again when it has moved by this [m].
static const double NEARLY = 5e-3;
/// Cosine between normals beyond which a circle's point is found again, and how often at most.
static const double TURNED = 0.9995;
enum { CORRECTIONS = 3 };

RiStatus ri_touch_work_create(RiArena *arena, const RiContacts *c, RiTouchWork *out)
{
    const size_t n = (size_t)c->feature_count + 1;
    const size_t places = (size_t)c->state_count + 1;
    out->same = RI_RIM_SAME;
    out->touches = ri_arena_alloc(arena, places, sizeof *out->touches);
    out->all = ri_arena_alloc(arena, places, sizeof *out->all);
    out->points = ri_arena_alloc(arena, n, sizeof *out->points);
    out->surfaces = ri_arena_alloc(arena, n, sizeof *out->surfaces);
    out->centres = ri_arena_alloc(arena, n, sizeof *out->centres);
    out->axes = ri_arena_alloc(arena, n, sizeof *out->axes);
    out->rounds = ri_arena_alloc(arena, n, sizeof *out->rounds);
    out->motion = ri_arena_alloc(arena, (size_t)c->slot_count + 1, sizeof *out->motion);
    out->skipped = ri_arena_alloc(arena, n, sizeof *out->skipped);
    out->reach = ri_arena_alloc(arena, (size_t)c->slot_count + 1, sizeof *out->reach);
    if (!out->skipped || !out->reach)
        return ri_error_memory(c->ctx);
    memset(out->skipped, 0, n * sizeof *out->skipped);
    for (int l = 0; l < c->slot_count; l++)
        out->reach[l] = (RiReach){.clear = -1.0};
    const bool all = out->motion && out->all && out->touches && out->points && out->surfaces && out->centres &&
                     out->axes && out->rounds;
    return all ? ri_pair_work_create(arena, c, &out->pairs) : ri_error_memory(c->ctx);
}

static RiVec3 at3(const double *x)
{
    return ri_vec3(x[0], x[1], x[2]);
}

static void place_features(const RiContacts *c, int slot, RiTouchWork *w)
{
    const RiContactLink *x = &c->links[slot];
    const RiBodyMotion *m = &w->motion[slot];
    const RiVec3 from = ri_add(m->p, m->origin);
    for (int i = x->first; i < x->first + x->count; i++) {
        w->centres[i] = ri_add(from, ri_rotate(&m->R, c->places[i].centre));
        w->axes[i] = ri_rotate(&m->R, c->places[i].axis);
    }
}

// --- broad phase ---------------------------------------------------------------------------------

/// A point whose distance to the ground is known: whatever is within that distance of it is free.
typedef struct Known {
    RiVec3 at;
    double distance;
} Known;

/// A lower bound of the distance of a point, from those of others.
static double bound_of(const Known *known, int count, RiVec3 p)
{
    double best = 0.0;
    for (int k = 0; k < count; k++)
        best = fmax(best, known[k].distance - ri_norm(ri_sub(p, known[k].at)));
    return best;
}

/// How far a link is above all ground around: in a wide window around all of it, or else in small
/// ones around each of its features.
static void look_over(const RiContacts *c, int slot, double lowest, double margin, RiTouchWork *w)
{
    const RiContactLink *x = &c->links[slot];
    RiReach *r = &w->reach[slot];
    r->window = WIDE - margin;
    r->above = lowest - ri_terrain_top(c->terrain, r->centre.x, r->centre.y, x->radius + WIDE);
    if (!(r->above > margin + LITTLE)) {
        r->window = NARROW - margin;
        r->above = INFINITY;
        for (int i = x->first; i < x->first + x->count && r->above > margin + LITTLE; i++) {
            const RiVec3 p = w->centres[i];
            const double radius = c->features[i].radius;
            r->above = fmin(r->above, p.z - radius - ri_terrain_top(c->terrain, p.x, p.y, radius + NARROW));
        }
    }
    r->above = r->above > margin + LITTLE ? r->above - margin : 0.0;
}

/// A lower bound of how far the features of a link are from the ground, and where that was. Exact
/// distances are asked for from the lowest feature on, and only where those known leave less than
/// most of the first one.
static void measure(const RiContacts *c, int slot, RiVec3 centre, double margin, RiTouchWork *w)
{
    enum { MOST = 48 };
    const RiContactLink *x = &c->links[slot];
    Known known[MOST];
    int count = 0, lowest = x->first;
    double least = INFINITY, enough = 0.0;
    place_features(c, slot, w);
    for (int i = x->first; i < x->first + x->count; i++)
        if (w->centres[i].z - c->features[i].radius < w->centres[lowest].z - c->features[lowest].radius)
            lowest = i;
    RiReach *r = &w->reach[slot];
    *r = (RiReach){.centre = centre, .R = w->motion[slot].R};
    look_over(c, slot, w->centres[lowest].z - c->features[lowest].radius, margin, w);
    if (r->above > 0.0)
        return;
    for (int k = -1; k < x->count && least > 0.0; k++) {
        const int i = k < 0 ? lowest : x->first + k;
        const double radius = c->features[i].radius;
        double distance = bound_of(known, count, w->centres[i]);
        if (distance - radius < enough || k < 0) {
            RiSurface surface;
            ri_terrain_query(c->terrain, w->centres[i], &surface);
            distance = surface.distance / c->lipschitz;
            known[count < MOST ? count++ : MOST - 1] = (Known){w->centres[i], distance};
        }
        least = fmin(least, distance - radius);
        if (k < 0)
            enough = ENOUGH * least;
    }
    r->clear = fmax(0.0, least);
}

/// An upper bound of how far any point of a link's ball has been turned since its distance was
/// measured: |R - R0| times the radius.
static double turned(const RiContactLink *x, const RiReach *r, const RiMat3 *R)
{
    double squares = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double d = R->m[i][k] - r->R.m[i][k];
            squares += d * d;
        }
    return x->radius * sqrt(squares);
}

/// Whether no feature of a link can be nearer to the ground than the margin. Distances are measured
/// again where the link has come near, but not for every small way.
static bool is_far(const RiContacts *c, int slot, double margin, RiTouchWork *w)
{
    const RiContactLink *x = &c->links[slot];
    const RiBodyMotion *m = &w->motion[slot];
    const RiVec3 centre = ri_add(ri_add(m->p, m->origin), ri_rotate(&m->R, x->centre));
    RiReach *r = &w->reach[slot];
    const RiVec3 way = ri_sub(centre, r->centre);
    const double turn = turned(x, r, &m->R);
    if (r->above > 0.0 && r->above > turn - way.z && fabs(way.x) + turn <= r->window && fabs(way.y) + turn <= r->window)
        return true;
    if (r->clear >= 0.0 && r->above <= 0.0) {
        const double moved = ri_norm(way) + turn;
        if (r->clear > margin + moved)
            return true;
        if (moved < NEARLY)
            return false;
    }
    measure(c, slot, centre, margin, w);
    return r->above > 0.0 || r->clear > margin;
}

/// World centres and axes of all features that may touch.
static void place(const RiContacts *c, const RiDyn *d, double margin, RiTouchWork *w)
{
    for (int l = 0; l < c->slot_count; l++) {
        const RiContactLink *x = &c->links[l];
        const double *P = d->pose + 16 * (x->body + 1), *V = d->vel + 8 * (x->body + 1);
        RiBodyMotion *m = &w->motion[l];
        m->R = ri_mat3_from_cols(at3(P), at3(P + 4), at3(P + 8));
        m->p = at3(P + 12);
        m->origin = ri_region_origin(d, x->body);
        m->w = at3(V);
        m->v = at3(V + 4);
        w->reach[l].far = x->shaped && is_far(c, l, margin, w);
        if (!w->reach[l].far)
            place_features(c, l, w);
    }
}

/// The next feature after `i` that may touch: beyond all features of links that are far.
static int next_near(const RiContacts *c, const RiTouchWork *w, int i, int *slot)
{
    i++;
    while (*slot < c->link_count && (w->reach[*slot].far || i >= c->links[*slot].first + c->links[*slot].count)) {
        i = c->links[*slot].first + c->links[*slot].count > i ? c->links[*slot].first + c->links[*slot].count : i;
        ++*slot;
    }
    return i;
}

RiVec3 ri_circle_lowest(RiVec3 centre, RiVec3 axis, double radius, RiVec3 n)
{
    const RiVec3 m = ri_sub(n, ri_scale(ri_dot(n, axis), axis));
    const double size = ri_norm(m);
    return ri_sub(centre, ri_scale(radius / (size > FLAT ? size : FLAT), m));
}

/// Where the centre is beyond the band in which normals are known: the deepest of points around the
/// circle.
static RiVec3 lowest_by_trial(const RiTerrain *t, RiVec3 centre, RiVec3 axis, double radius)
{
    enum { TRIALS = 12 };
    const RiVec3 side = fabs(axis.z) < 0.9 ? ri_vec3(0.0, 0.0, 1.0) : ri_vec3(1.0, 0.0, 0.0);
    const RiVec3 across = ri_cross(axis, side), u = ri_scale(1.0 / ri_norm(across), across), w = ri_cross(axis, u);
    RiVec3 points[TRIALS], best;
    RiSurface s[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
        const double angle = 6.283185307179586 * i / TRIALS;
        points[i] = ri_add(centre, ri_add(ri_scale(radius * ri_cos(angle), u), ri_scale(radius * ri_sin(angle), w)));
    }
    ri_terrain_query_many(t, TRIALS, points, s);
    int deepest = 0;
    for (int i = 1; i < TRIALS; i++)
        if (s[i].distance < s[deepest].distance)
            deepest = i;
    best = points[deepest];
    return s[deepest].flags & RI_SURFACE_FAR ? best : ri_circle_lowest(centre, axis, radius, s[deepest].normal);
}

/// From the surface at a feature's centre to the point that would touch. False: too far away.
static bool aim(const RiContacts *c, int i, double margin, const RiTouchWork *w, const RiSurface *s, RiVec3 *out_point)
{
    const RiFeature *f = &c->features[i];
    if (s->distance > 2.0 * (f->radius + margin)) // twice: it is of first order
        return false;
    if (f->kind == RI_FEATURE_POINT)
        *out_point = w->centres[i];
    else if (f->kind == RI_FEATURE_SPHERE)
        *out_point = ri_sub(w->centres[i], ri_scale(f->radius, s->normal));
    else if (s->flags & RI_SURFACE_FAR)
        *out_point = lowest_by_trial(c->terrain, w->rounds[i].centre, w->axes[i], w->rounds[i].radius);
    else
        *out_point = ri_circle_lowest(w->rounds[i].centre, w->axes[i], w->rounds[i].radius, s->normal);
    return true;
}

/// Unit vector across the thread in the ground's plane. The thread runs along cos(L) (axis x r) +
/// sin(L) axis; across it is its normal on the cylinder.
static RiVec3 thread_at(const RiFeature *f, RiVec3 axis, RiVec3 arm, RiVec3 normal)
{
    const RiVec3 zero = {0.0, 0.0, 0.0};
    if (f->lead_tan == 0.0)
        return zero;
    const RiVec3 r = ri_sub(arm, ri_scale(ri_dot(arm, axis), axis)), around = ri_cross(axis, r);
    const double size = ri_norm(around);
    if (size == 0.0)
        return zero;
    RiVec3 e = ri_sub(axis, ri_scale(f->lead_tan / size, around));
    e = ri_sub(e, ri_scale(ri_dot(e, normal), normal));
    const double left = ri_norm(e);
    return left > 1e-9 ? ri_scale(1.0 / left, e) : zero;
}

/// Velocity of a body's material at a point given from the region's origin.
static RiVec3 velocity_at(const RiBodyMotion *m, RiVec3 arm)
{
    return ri_add(m->v, ri_cross(m->w, arm));
}

/// slip_transition at a place: lognormal of mean 1, its spread growing with the inclination.
static double transition_at(const RiContacts *c, const RiPairDef *p, RiVec3 point, RiVec3 normal)
{
    const double rise = ri_dot(normal, c->up);
    const double tan2 = rise > 0.0 ? fmax(0.0, 1.0 - rise * rise) / (rise * rise) : 0.0;
    const double sigma = fmin(p->sigma_max, p->sigma_slope * tan2);
    if (sigma == 0.0)
        return p->slip_transition;
    return p->slip_transition *
           ri_exp(sigma * ri_patch_normal(c->slip_key, p->patch, point.x, point.y) - 0.5 * sigma * sigma);
}

/// How a wheel rolls on soil.
static RiRolling roll_on(const RiContacts *c, int i, const RiBodyMotion *m, const RiTouchWork *w, const RiTouch *t)
{
    RiRolling r = {.soil = NULL};
    if (!ri_laws[t->pair->law].rolls)
        return r;
    r.soil = &c->soils[(t->pair - c->pairs) * c->ground_count + t->ground];
    r.radius = c->features[i].radius;
    r.width = c->features[i].width;
    r.hub = w->centres[i];
    r.arm = ri_sub(r.hub, m->origin);
    r.v = velocity_at(m, r.arm);
    r.rate = ri_cross(m->w, r.v);
    const RiVec3 ahead = ri_cross(w->axes[i], t->normal);
    const double size = ri_norm(ahead);
    r.ahead = size > 0.0 ? ri_scale(1.0 / size, ahead) : ri_vec3(0.0, 0.0, 0.0);
    r.speed = -ri_dot(ri_sub(t->v, r.v), r.ahead);
    const RiVec3 along = ri_sub(r.v, ri_scale(ri_dot(r.v, t->normal), t->normal));
    r.renewed = fmax(fabs(r.speed), ri_norm(along));
    r.transition = transition_at(c, t->pair, t->point, t->normal);
    return r;
}

void ri_touch_fill(const RiContacts *c, int i, int slot, const RiTouchWork *w, RiVec3 point, const RiSurface *s,
                   RiTouch *t)
{
    const RiFeature *f = &c->features[i];
    const RiBodyMotion *m = &w->motion[slot];
    const bool fixed = f->kind == RI_FEATURE_POINT;
    t->feature = i;
    t->slot = slot;
    t->other = t->solid = t->other_solid = -1;
    t->fresh = false;
    t->pair = ri_contacts_pair(c, i, s->material);
    t->use = ri_contacts_use(c, c->uses, (int)(t->pair - c->pairs));
    t->ground = s->material;
    t->point = point;
    t->arm = ri_sub(point, m->origin);
    t->normal = s->normal;
    t->depth = t->edge = -s->distance;
    t->height = f->height;
    t->recede = 0.0;
    t->v = velocity_at(m, t->arm);
    // a rolling point stays where it is: only its centre is carried round
    t->rate = ri_cross(m->w, fixed ? t->v : velocity_at(m, ri_sub(w->centres[i], m->origin)));
    const RiVec3 hub = fixed ? ri_add(ri_add(m->p, m->origin), ri_rotate(&m->R, c->places[i].hub)) : w->centres[i];
    t->thread = thread_at(f, w->axes[i], ri_sub(point, hub), s->normal);
    t->roll = roll_on(c, i, m, w, t);
}

/// From all features to those that may touch: where they would, for those that rim.c does not look
/// after (points, side by side). Returns how many.
static int aim_all(const RiContacts *c, double margin, const RiVec3 *held, RiTouchWork *w)
{
    int near = 0, asked = 0, aimed = 0, slot = 0;
    RiVec3 point;
    for (int i = next_near(c, w, -1, &slot); i < c->feature_count; i = next_near(c, w, i, &slot))
        if (!w->skipped[i] && !ri_rim_held(c, i, w->axes[i], held))
            w->points[asked++] = w->centres[i];
    ri_terrain_query_near_many(c->terrain, asked, w->points, w->surfaces);
    const RiSurface *s = w->surfaces;
    slot = 0;
    for (int i = next_near(c, w, -1, &slot); i < c->feature_count; i = next_near(c, w, i, &slot)) {
        if (w->skipped[i])
            continue;
        const RiVec3 *normal = ri_rim_held(c, i, w->axes[i], held);
        if (!normal) {
            normal = &s->normal;
            ri_wheel_round(c, i, w->centres[i], w->axes[i], normal, &w->rounds[i]);
            if (!aim(c, i, margin, w, s++, &point))
                continue;
            if (!ri_rim_by_heights(c, i, w->axes[i]))
                w->points[aimed++] = point;
        } else {
            ri_wheel_round(c, i, w->centres[i], w->axes[i], NULL, &w->rounds[i]);
        }
        w->touches[near].feature = i;
        w->touches[near++].normal = *normal;
    }
    ri_terrain_query_near_many(c->terrain, aimed, w->points, w->surfaces);
    return near;
}

/// Moves the point of a rounded feature as long as the normal there differs from the one it was
/// found with.
static void correct(const RiContacts *c, const RiTouchWork *w, int i, RiVec3 normal, RiVec3 *point, RiSurface *s)
{
    const RiFeature *f = &c->features[i];
    if (f->kind == RI_FEATURE_POINT)
        return;
    const RiRound *round = &w->rounds[i];
    for (int k = 0; k < CORRECTIONS && ri_dot(s->normal, normal) < TURNED && !(s->flags & RI_SURFACE_FAR); k++) {
        normal = s->normal;
        *point = f->kind == RI_FEATURE_SPHERE ? ri_sub(w->centres[i], ri_scale(f->radius, normal))
                                              : ri_circle_lowest(round->centre, w->axes[i], round->radius, normal);
        ri_terrain_query_near_many(c->terrain, 1, point, s);
    }
}

void ri_touch_tube(const RiFeature *f, RiVec3 *point, RiSurface *s)
{
    *point = ri_sub(*point, ri_scale(f->tube, s->normal));
    s->distance -= f->tube;
}

/// Corrects the point of a feature whose surface is known roughly. Whether it is within the margin.
static bool settle(const RiContacts *c, double margin, const RiTouchWork *w, int i, RiVec3 normal, RiVec3 *point,
                   RiSurface *s)
{
    const double tube = c->features[i].tube;
    correct(c, w, i, normal, point, s);
    if (s->flags & RI_SURFACE_ROUGH && s->distance < 2.0 * (margin + tube)) // it may be too large
        ri_terrain_query(c->terrain, *point, s);
    return s->distance <= margin + tube;
}

/// Fills in the touches of the first `near` features in work, but for those that rim.c looks after.
/// Returns how many features are left.
static int settle_all(const RiContacts *c, double margin, int near, RiTouchWork *w)
{
    int kept = 0, aimed = 0;
    for (int k = 0, slot = 0; k < near; k++) {
        const int i = w->touches[k].feature;
        const RiVec3 normal = w->touches[k].normal;
        RiTouch *to = &w->touches[kept];
        while (i >= c->links[slot].first + c->links[slot].count)
            slot++;
        if (ri_rim_by_heights(c, i, w->axes[i])) {
            to->feature = i, to->slot = slot, to->normal = normal;
            kept++;
            continue;
        }
        RiVec3 *point = &w->points[aimed];
        RiSurface *s = &w->surfaces[aimed++];
        if (!settle(c, margin, w, i, normal, point, s))
            continue;
        ri_touch_tube(&c->features[i], point, s);
        ri_touch_fill(c, i, slot, w, *point, s, to);
        kept++;
    }
    return kept;
}

int ri_contacts_find(const RiContacts *c, const RiDyn *d, double margin, const RiVec3 *held, RiTouchWork *w)
{
    RI_ASSERT(d->stage >= RI_DYN_MOVING && margin >= 0.0);
    place(c, d, margin, w);
    if (c->feature_count == 0)
        return 0;
    const int count = settle_all(c, margin, aim_all(c, margin, held, w), w);
    return ri_rim_touches(c, margin, held, w, count);
}
