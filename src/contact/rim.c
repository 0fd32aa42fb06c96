// SPDX-License-Identifier: Apache-2.0
/// \file
/// A circle may touch in several places: a wheel stands on the ground and against a step.
///
/// Points around the circle are compared with the plane of the first touch. Where the ground is nearer than that plane says, another surface is
/// near; the point of the circle nearest to it is looked for by two moves of which the better one counts: to where the circle would touch if the surface
/// were plane, and along the circle to the side where the distance falls (an edge). Each touch of a feature keeps its stick deflection in a place of its
/// own; places are found again by the direction of their normals.
///
/// Over a height field, whose distance is a search, all touches of an upright wheel are found from heights. Where the ground is less curved than the circle
/// it touches once, and Newton's method goes there from the last normal. Elsewhere: where along the rim the ground below is nearest, and from there by the
/// distance downhill. Tests: tests/contact/test_rim.c, tests/contact/test_contact.c.
#include <math.h>

#include "contact/contacts.h"
#include "terrain/terrain.h"

enum { PROBES = 6, MOVES = 9 };
/// First turn along the circle in search of the nearest ground [rad]; it ends at 0.3^k of it.
static const double FIRST_TURN = 0.2;
/// Directions of two touches of one circle are further apart than this: cosine of 12 degrees.
static const double SAME = 0.978;
/// Part of the circle's radius by which the ground must be nearer than the plane of the first touch.
static const double NEARER = 0.02;

/// Where a circle is, and its point at an angle from the direction `u`.
typedef struct Rim {
    RiVec3 centre, axis, u, v;
    double radius;
} Rim;

static RiVec3 rim_point(const Rim *r, double angle)
{
    const RiVec3 along = ri_add(ri_scale(cos(angle), r->u), ri_scale(sin(angle), r->v));
    return ri_add(r->centre, ri_scale(r->radius, along));
}

/// The point of the circle an angle away from p, on the side where the distance falls.
static RiVec3 slide_along(const Rim *r, RiVec3 p, const RiSurface *s, double angle)
{
    const RiVec3 arm = ri_scale(1.0 / r->radius, ri_sub(p, r->centre)), tangent = ri_cross(r->axis, arm);
    const double turn = ri_dot(s->normal, tangent) > 0.0 ? -angle : angle;
    const RiVec3 along = ri_add(ri_scale(cos(turn), arm), ri_scale(sin(turn), tangent));
    return ri_add(r->centre, ri_scale(r->radius, along));
}

/// Moves p along the circle to where the ground is nearest, or where it is deepest in it.
static void go_down(const RiTerrain *t, const Rim *r, RiVec3 *p, RiSurface *s)
{
    double angle = FIRST_TURN;
    for (int k = 0; k < MOVES; k++) {
        const RiVec3 tries[2] = {ri_circle_lowest(r->centre, r->axis, r->radius, s->normal),
                                 slide_along(r, *p, s, angle)};
        RiSurface found[2];
        ri_terrain_query_many(t, 2, tries, found);
        const int better = found[1].distance < found[0].distance;
        if (found[better].distance < s->distance) {
            *p = tries[better];
            *s = found[better];
        } else {
            angle *= 0.3;
        }
    }
}

/// Whether a touch stands in the direction of p already.
static bool is_known(const Rim *r, const RiTouch *touches, int count, RiVec3 p)
{
    for (int i = 0; i < count; i++) {
        const RiVec3 a = ri_sub(touches[i].point, r->centre), b = ri_sub(p, r->centre);
        if (ri_dot(a, b) > SAME * ri_norm(a) * ri_norm(b))
            return true;
    }
    return false;
}

// --- over height fields -----------------------------------------------------------------------------------------------

enum { ALONG = 11, REFINES = 6 };
/// Sines of the angles from straight down at which the heights under a circle are looked at.
static const double look_sine[ALONG] = {-1.0, -0.9, -0.7, -0.47, -0.24, 0.0, 0.24, 0.47, 0.7, 0.9, 1.0};
static const double look_cosine[ALONG] = {0.0,    0.4359, 0.7141, 0.8827, 0.9708, 1.0,
                                          0.9708, 0.8827, 0.7141, 0.4359, 0.0};
/// Part of the radius by which a look may take the ground for farther than it is.
static const double MISSED = 0.08;
/// Angle from straight down up to which a touch may be at the outermost look [rad].
static const double ASIDE = 1.5707963267948966 + 0.3;
/// Sine of the angle by which a touch may miss the nearest ground: its depth is then wrong by 3e-6 of the radius.
static const double SHARP = 2.5e-3;
/// Wheels whose axis leans more than this (sine) are no longer looked at from above.
static const double UPRIGHT = 0.8;

bool ri_rim_by_heights(const RiContacts *c, int feature, RiVec3 axis)
{
    return c->by_heights && c->features[feature].tube > 0.0 && fabs(axis.z) < UPRIGHT;
}

const RiVec3 *ri_rim_held(const RiContacts *c, int feature, RiVec3 axis, const RiVec3 *held)
{
    if (!ri_rim_by_heights(c, feature, axis))
        return NULL;
    for (int k = c->state_first[feature]; k < c->state_first[feature + 1]; k++)
        if (held[k].z != 0.0)
            return &held[k];
    return NULL;
}

/// Height of the ground a little beside a look.
static double beside(const RiHeight *g, double x, double y)
{
    return g->z + (g->zx + 0.5 * (g->zxx * x + g->zxy * y)) * x + (g->zy + 0.5 * (g->zxy * x + g->zyy * y)) * y;
}

/// Distances of the circle's rounded rim to the ground below it, of first order: the least of the circle itself and of both sides of it, where the
/// rounding has turned by 60 degrees.
static void look_down(const RiTerrain *t, const Rim *r, double tube, double out[ALONG])
{
    const double R = r->radius + tube, aside = 0.866 * tube;
    double x[ALONG], y[ALONG], z[ALONG];
    RiHeight ground[ALONG];
    for (int k = 0; k < ALONG; k++) {
        const RiVec3 arm = ri_add(ri_scale(look_cosine[k], r->u), ri_scale(look_sine[k], r->v));
        x[k] = r->centre.x + R * arm.x, y[k] = r->centre.y + R * arm.y, z[k] = r->centre.z + R * arm.z;
    }
    ri_terrain_height_many(t, ALONG, x, y, ground, NULL);
    for (int k = 0; k < ALONG; k++) {
        const RiHeight *g = &ground[k];
        const RiVec3 arm = ri_add(ri_scale(look_cosine[k], r->u), ri_scale(look_sine[k], r->v));
        const RiVec3 in = ri_scale(-0.5 * tube, arm), out_by = ri_scale(aside, r->axis);
        const RiVec3 left = ri_add(in, out_by), right = ri_sub(in, out_by);
        const double clear = fmin(
            z[k] - g->z, fmin(z[k] + left.z - beside(g, left.x, left.y), z[k] + right.z - beside(g, right.x, right.y)));
        out[k] = clear / sqrt(1.0 + g->zx * g->zx + g->zy * g->zy);
    }
}

/// The ground at a point, exactly where the cheap answer is rough. Looks were taken at the ground below, so nothing else is searched for.
static void ask(const RiTerrain *t, RiVec3 p, RiSurface *s)
{
    ri_terrain_query_near_many(t, 1, &p, s);
    if (s->flags & RI_SURFACE_ROUGH)
        t->kind->downhill_many(t, 1, &p, s);
}

/// From an angle to where the ground is nearest between two others: there its normal n has no part along the circle, g = n . tangent = 0. By the angle at
/// which a plane of that normal would be touched, then by secants, within bounds that g closes in.
static void refine(const RiTerrain *t, const Rim *r, double angle, double low, double high, RiVec3 *p, RiSurface *s)
{
    double before = 0.0, g_before = 0.0;
    for (int k = 0; k < REFINES; k++) {
        const double ca = cos(angle), sa = sin(angle);
        const RiVec3 arm = ri_add(ri_scale(ca, r->u), ri_scale(sa, r->v));
        const RiVec3 tangent = ri_sub(ri_scale(ca, r->v), ri_scale(sa, r->u));
        *p = ri_add(r->centre, ri_scale(r->radius, arm));
        ask(t, *p, s);
        const double g = ri_dot(s->normal, tangent);
        if (fabs(g) < SHARP)
            return;
        *(g > 0.0 ? &high : &low) = angle;
        const double plane = angle + atan2(-g, -ri_dot(s->normal, arm));
        double next = k == 0 ? plane : angle - g * (angle - before) / (g - g_before);
        if (!(next > low && next < high))
            next = plane > low && plane < high ? plane : 0.5 * (low + high);
        before = angle, g_before = g;
        angle = next;
    }
}

/// Newton's method for the one place where a circle touches: turns of its arm above this [rad], and steps on the ground above this part of the radius, are
/// followed by another look.
static const double SMALL = 0.01;
enum { LOOKS = 5 };
/// Share of the curvature beyond which a circle might touch twice that is made use of.
static const double ALONE = 0.8;

/// A point of the circle and one of the ground that go towards each other.
typedef struct Meeting {
    RiVec3 arm, tangent; ///< of the circle, unit
    double x, y;         ///< on the ground
    RiHeight ground;     ///< there
} Meeting;

static void turn_to(const Rim *r, RiVec3 towards, Meeting *m)
{
    const RiVec3 in = ri_sub(towards, ri_scale(ri_dot(towards, r->axis), r->axis));
    m->arm = ri_scale(1.0 / ri_norm(in), in);
    m->tangent = ri_cross(r->axis, m->arm);
}

/// A step of Newton's method. With N = (-grad z, 1), the circle's point p = c + R e and its tangent t, the nearest points fulfil
///
///     t . N = 0,    (p - g)_xy + grad z (p - g)_z = 0
///
/// which stay regular where p and g meet. Eliminating the step on the ground (A its matrix) leaves one equation for the turn. False: that is the way to a
/// largest distance.
static bool step_together(const Rim *r, const Meeting *m, double *turn, double *sx, double *sy)
{
    const RiHeight *g = &m->ground;
    const RiVec3 e = m->arm, t = m->tangent, p = ri_add(r->centre, ri_scale(r->radius, e));
    const double w = p.z - g->z, fx = p.x - m->x + g->zx * w, fy = p.y - m->y + g->zy * w;
    const double xx = 1.0 + g->zx * g->zx - g->zxx * w, xy = g->zx * g->zy - g->zxy * w,
                 yy = 1.0 + g->zy * g->zy - g->zyy * w, per = 1.0 / (xx * yy - xy * xy);
    const double cx = r->radius * (t.x + g->zx * t.z), cy = r->radius * (t.y + g->zy * t.z);
    const double bx = t.x * g->zxx + t.y * g->zxy, by = t.x * g->zxy + t.y * g->zyy;
    const double ax = per * (yy * fx - xy * fy), ay = per * (xx * fy - xy * fx); // A^-1 f
    const double dx = per * (yy * cx - xy * cy), dy = per * (xx * cy - xy * cx); // A^-1 c
    const double along = t.z - g->zx * t.x - g->zy * t.y, out = g->zx * e.x + g->zy * e.y - e.z;
    const double rise = out - bx * dx - by * dy;
    *turn = (bx * ax + by * ay - along) / rise;
    *sx = ax + dx * *turn;
    *sy = ay + dy * *turn;
    return xx > 0.0 && per > 0.0 && rise > 0.0;
}

/// The surface at the end of a small step, by the paraboloid that the ground is.
static void arrive(const Rim *r, const Meeting *m, double sx, double sy, RiVec3 *p, RiSurface *s)
{
    const RiHeight *g = &m->ground;
    const double cx = g->zxx * sx + g->zxy * sy, cy = g->zxy * sx + g->zyy * sy;
    const double z = g->z + (g->zx + 0.5 * cx) * sx + (g->zy + 0.5 * cy) * sy, zx = g->zx + cx, zy = g->zy + cy;
    *p = ri_add(r->centre, ri_scale(r->radius, m->arm));
    *s = (RiSurface){.normal = ri_scale(1.0 / sqrt(1.0 + zx * zx + zy * zy), ri_vec3(-zx, -zy, 1.0)),
                     .material = g->material,
                     .flags = g->flags};
    s->distance = ri_dot(s->normal, ri_sub(*p, ri_vec3(m->x + sx, m->y + sy, z)));
}

/// From a point of the circle and one of the ground to where both are nearest to each other. False: Newton's method does not get there.
static bool meet(const RiTerrain *t, const Rim *r, Meeting *m, RiVec3 *p, RiSurface *s)
{
    for (int k = 0; k < LOOKS; k++) {
        double turn, sx, sy;
        (void)t->kind->height(t, m->x, m->y, INFINITY, &m->ground);
        if (!step_together(r, m, &turn, &sx, &sy) || !(fabs(turn) < 1.0))
            return false;
        turn_to(r, ri_add(m->arm, ri_scale(turn, m->tangent)), m);
        if (fabs(turn) < SMALL && sx * sx + sy * sy < SMALL * SMALL * r->radius * r->radius) {
            arrive(r, m, sx, sy, p, s);
            return ri_dot(s->normal, m->arm) < 0.0;
        }
        m->x += sx;
        m->y += sy;
    }
    return false;
}

/// Where the circle touches ground of a normal, more or less.
static Meeting meeting_of(const Rim *r, double tube, RiVec3 normal)
{
    Meeting m;
    turn_to(r, ri_scale(-1.0, normal), &m);
    m.x = r->centre.x + r->radius * m.arm.x - tube * normal.x;
    m.y = r->centre.y + r->radius * m.arm.y - tube * normal.y;
    return m;
}

/// Whether the circle touches in one place at most, which is then found.
///
/// Along the circle the distance has its extremes where the normal has no part along it. There its second derivative is c / R - k, with c the cosine between the
/// normal and the circle's plane and k the curvature of the surface at the distance d from the ground, no more than K / (1 - |d| K) for ground of
/// curvature up to K. Where K (R / c + |d|) < 1 all extremes are least distances, and two of them would have a largest one between.
static bool touch_once(const RiTerrain *t, const Rim *r, double tube, double margin, RiVec3 normal, RiVec3 *p,
                       RiSurface *s)
{
    const double most = ri_terrain_bend(t, r->centre.x, r->centre.y, r->radius + tube + margin);
    Meeting m = meeting_of(r, tube, normal);
    if (!(most * (r->radius + tube) < ALONE) || !meet(t, r, &m, p, s))
        return false;
    const double lean = ri_dot(s->normal, r->axis), c2 = 1.0 - lean * lean;
    return most * (r->radius + fabs(s->distance) * sqrt(c2)) < ALONE * sqrt(c2);
}

/// From look i to where the ground is nearest between the looks beside it: by Newton's method, or where that leaves them by the way of `refine`.
static void settle_look(const RiTerrain *t, const Rim *r, double tube, int i, RiVec3 *p, RiSurface *s)
{
    const RiVec3 arm = ri_add(ri_scale(look_cosine[i], r->u), ri_scale(look_sine[i], r->v));
    Meeting m = {.arm = arm, .tangent = ri_cross(r->axis, arm)};
    m.x = r->centre.x + (r->radius + tube) * arm.x;
    m.y = r->centre.y + (r->radius + tube) * arm.y;
    const double low = i > 0 ? look_sine[i - 1] : -1.0, high = i < ALONG - 1 ? look_sine[i + 1] : 1.0;
    if (meet(t, r, &m, p, s) && fabs(s->distance) < 2.0 * tube) {
        const double sine = ri_dot(m.arm, r->v);
        if (sine >= low && sine <= high && ri_dot(m.arm, r->u) > 0.0)
            return;
    }
    refine(t, r, asin(look_sine[i]), i > 0 ? asin(low) : -ASIDE, i < ALONG - 1 ? asin(high) : ASIDE, p, s);
}

static bool is_least(const double d[ALONG], int i)
{
    return (i == 0 || d[i] <= d[i - 1]) && (i == ALONG - 1 || d[i] < d[i + 1]);
}

/// All touches of an upright circle over a height field; a normal to start from. Returns how many.
static int touch_heights(const RiContacts *c, int feature, int slot, RiVec3 normal, double margin, const RiTouchWork *w,
                         int most, RiTouch *touches)
{
    const RiFeature *f = &c->features[feature];
    Rim r = {.centre = w->centres[feature], .axis = w->axes[feature], .radius = f->radius - f->tube};
    const RiVec3 down = ri_vec3(r.axis.z * r.axis.x, r.axis.z * r.axis.y, r.axis.z * r.axis.z - 1.0);
    r.u = ri_scale(1.0 / ri_norm(down), down);
    r.v = ri_cross(r.axis, r.u);
    double d[ALONG];
    RiVec3 p;
    RiSurface s;
    int count = 0;
    if (touch_once(c->terrain, &r, f->tube, margin, normal, &p, &s)) {
        ri_touch_tube(f, &p, &s);
        if (s.distance < margin)
            ri_touch_fill(c, feature, slot, w, p, &s, &touches[count++]);
        return count;
    }
    look_down(c->terrain, &r, f->tube, d);
    for (int i = 0; i < ALONG && count < most; i++) {
        if (!is_least(d, i) || d[i] > margin + MISSED * f->radius)
            continue;
        settle_look(c->terrain, &r, f->tube, i, &p, &s);
        ri_touch_tube(f, &p, &s);
        if (s.distance < margin && !is_known(&r, touches, count, p))
            ri_touch_fill(c, feature, slot, w, p, &s, &touches[count++]);
    }
    return count;
}

// --- over other ground ------------------------------------------------------------------------------------------------

/// Whether the ground bends so little near a circle that touches it with this normal that it touches nowhere else (see touch_once).
static bool bends_less(const RiTerrain *t, const Rim *r, RiVec3 normal)
{
    const double lean = ri_dot(normal, r->axis);
    const double most = ri_terrain_bend(t, r->centre.x, r->centre.y, r->radius);
    return most * r->radius < ALONE * sqrt(fmax(0.0, 1.0 - lean * lean));
}

/// The circle that a touch belongs to, u towards the touch. False: it lies flat.
static bool rim_of(const RiFeature *f, const RiTouchWork *w, const RiTouch *t, Rim *out)
{
    const RiVec3 core = ri_add(t->point, ri_scale(f->tube, t->normal)); // on the circle without its tube
    const RiVec3 arm = ri_sub(core, w->centres[t->feature]);
    const double size = ri_norm(arm);
    *out = (Rim){.centre = w->centres[t->feature], .axis = w->axes[t->feature], .radius = f->radius - f->tube};
    if (size < 0.5 * out->radius)
        return false;
    out->u = ri_scale(1.0 / size, arm);
    out->v = ri_cross(out->axis, out->u);
    return true;
}

/// A search for further touches of one circle.
typedef struct Search {
    const RiContacts *c;
    const RiTouchWork *w;
    Rim rim;
    double margin;
    int most, count;
    RiTouch *touches; ///< the first one is given
} Search;

/// From a point of the circle down to where it touches, if it does and that is new.
static void try_from(Search *x, RiVec3 p, RiSurface s)
{
    const RiTouch *first = &x->touches[0];
    const RiFeature *f = &x->c->features[first->feature];
    go_down(x->c->terrain, &x->rim, &p, &s);
    ri_touch_tube(f, &p, &s);
    if (s.distance < x->margin && !is_known(&x->rim, x->touches, x->count, p))
        ri_touch_fill(x->c, first->feature, first->slot, x->w, p, &s, &x->touches[x->count++]);
}

/// Where ground is nearer than the plane of the first touch says, another surface is near.
static void probe(Search *x)
{
    static const double angles[PROBES] = {0.78, -0.78, 1.4, -1.4, 2.0, -2.0};
    const RiTouch first = x->touches[0];
    const double tube = x->c->features[first.feature].tube;
    const RiVec3 core = ri_add(first.point, ri_scale(tube, first.normal));
    RiVec3 points[PROBES];
    RiSurface s[PROBES];
    for (int k = 0; k < PROBES; k++)
        points[k] = rim_point(&x->rim, angles[k]);
    ri_terrain_query_many(x->c->terrain, PROBES, points, s);
    for (int k = 0; k < PROBES && x->count < x->most; k++) {
        const double plane = ri_dot(ri_sub(points[k], core), first.normal) + tube - first.depth;
        if (s[k].distance <= 0.9 * plane - NEARER * x->rim.radius && !(s[k].flags & RI_SURFACE_FAR))
            try_from(x, points[k], s[k]);
    }
}

/// Further touches of the circle that `touches[0]` belongs to, unless the ground near by is known to bend less than the circle. Returns how many there are in all.
static int look_around(const RiContacts *c, double margin, const RiTouchWork *w, int most, RiTouch *touches)
{
    Search x = {.c = c, .w = w, .margin = margin, .most = most, .count = 1, .touches = touches};
    if (!rim_of(&c->features[touches[0].feature], w, &touches[0], &x.rim) ||
        bends_less(c->terrain, &x.rim, touches[0].normal))
        return 1;
    probe(&x);
    return x.count;
}

/// Gives each touch of a feature the place whose last normal is nearest to its own.
static void give_places(const RiContacts *c, const RiVec3 *held, int count, RiTouch *touches)
{
    const int first = c->state_first[touches[0].feature], places = c->state_first[touches[0].feature + 1] - first;
    bool taken[RI_RIM_TOUCHES] = {false};
    for (int i = 0; i < count; i++) {
        int best = -1;
        for (int k = 0; k < places; k++)
            if (!taken[k] && (best < 0 || ri_dot(touches[i].normal, held[first + k]) >
                                              ri_dot(touches[i].normal, held[first + best])))
                best = k;
        taken[best] = true;
        touches[i].state = first + best;
    }
}

int ri_rim_touches(const RiContacts *c, double margin, const RiVec3 *held, RiTouchWork *w, int count)
{
    int out = 0;
    for (int i = 0; i < count; i++) {
        RiTouch *to = &w->all[out];
        const int feature = w->touches[i].feature, most = c->state_first[feature + 1] - c->state_first[feature];
        const int slot = w->touches[i].slot;
        int n = 1;
        if (ri_rim_by_heights(c, feature, w->axes[feature]))
            n = touch_heights(c, feature, slot, w->touches[i].normal, margin, w, most, to);
        else {
            to[0] = w->touches[i];
            n = most > 1 ? look_around(c, margin, w, most, to) : 1;
        }
        if (n > 0)
            give_places(c, held, n, to);
        out += n;
    }
    RiTouch *swap = w->touches;
    w->touches = w->all;
    w->all = swap;
    return out;
}
