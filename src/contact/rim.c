// SPDX-License-Identifier: Apache-2.0
/// \file
/// A circle may touch in several places: a wheel stands on the ground and against a step.
///
/// Points around the circle are compared with the plane of the first touch. Where the ground is nearer than that plane says, another surface is
/// near; the point of the circle nearest to it is looked for by two moves of which the better one counts: to where the circle would touch if the surface
/// were plane, and along the circle to the side where the distance falls (an edge). Each touch of a feature keeps its stick deflection in a place of its
/// own; places are found again by the direction of their normals.
///
/// Over a height field, whose distance is a search, all touches of an upright wheel are found from heights: where along the rim the ground below is nearest, and
/// from there by the distance downhill. Tests: tests/contact/test_rim.c, tests/contact/test_contact.c.
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
/// Sine of the angle by which a touch may miss the nearest ground: its depth is then wrong by 3e-6 of the radius.
static const double SHARP = 2.5e-3;
/// Wheels whose axis leans more than this (sine) are no longer looked at from above.
static const double UPRIGHT = 0.8;

/// Whether the ground near a circle bends so little that the circle can touch it only once. Over the way along its plane the lower half of an upright
/// circle rises with z'' >= 1 / radius; where the ground has |h''| < 1 / radius the gap z - h is convex, and a convex gap has one least value. A
/// plane that leans by tau takes the circle sideways: z'' falls to (cos tau - slope sin tau) / radius, with slopes up to 40 degrees here.
static bool touches_once(const RiTerrain *t, RiVec3 centre, RiVec3 axis, double radius)
{
    static const double STEEPEST = 0.84;
    const double lean = fabs(axis.z), upright = sqrt(1.0 - fmin(1.0, lean * lean)) - STEEPEST * lean;
    return ri_terrain_bend(t, centre.x, centre.y, radius) * radius < upright;
}

RiRimWay ri_rim_way(const RiContacts *c, int feature, const RiTouchWork *w)
{
    const RiFeature *f = &c->features[feature];
    if (c->state_first[feature + 1] - c->state_first[feature] <= 1)
        return RI_RIM_ONCE;
    if (c->by_heights && touches_once(c->terrain, w->centres[feature], w->axes[feature], f->radius))
        return RI_RIM_ONCE;
    return c->by_heights && f->tube > 0.0 && fabs(w->axes[feature].z) < UPRIGHT ? RI_RIM_HEIGHTS : RI_RIM_AROUND;
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

static bool is_least(const double d[ALONG], int i)
{
    return (i == 0 || d[i] <= d[i - 1]) && (i == ALONG - 1 || d[i] < d[i + 1]);
}

/// All touches of an upright circle over a height field. Returns how many.
static int touch_heights(const RiContacts *c, int feature, int slot, double margin, const RiTouchWork *w, int most,
                         RiTouch *touches)
{
    const RiFeature *f = &c->features[feature];
    Rim r = {.centre = w->centres[feature], .axis = w->axes[feature], .radius = f->radius - f->tube};
    const RiVec3 down = ri_vec3(r.axis.z * r.axis.x, r.axis.z * r.axis.y, r.axis.z * r.axis.z - 1.0);
    r.u = ri_scale(1.0 / ri_norm(down), down);
    r.v = ri_cross(r.axis, r.u);
    double d[ALONG];
    int count = 0;
    look_down(c->terrain, &r, f->tube, d);
    for (int i = 0; i < ALONG && count < most; i++) {
        if (!is_least(d, i) || d[i] > margin + MISSED * f->radius)
            continue;
        const double low = asin(look_sine[i > 0 ? i - 1 : 0]),
                     high = asin(look_sine[i < ALONG - 1 ? i + 1 : ALONG - 1]);
        RiVec3 p;
        RiSurface s;
        refine(c->terrain, &r, asin(look_sine[i]), i > 0 ? low : low - 0.3, i < ALONG - 1 ? high : high + 0.3, &p, &s);
        ri_touch_tube(f, &p, &s);
        if (s.distance < margin && !is_known(&r, touches, count, p))
            ri_touch_fill(c, feature, slot, w, p, &s, &touches[count++]);
    }
    return count;
}

// --- over other ground ------------------------------------------------------------------------------------------------

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

/// Further touches of the circle that `touches[0]` belongs to. Returns how many there are in all.
static int look_around(const RiContacts *c, double margin, const RiTouchWork *w, int most, RiTouch *touches)
{
    Search x = {.c = c, .w = w, .margin = margin, .most = most, .count = 1, .touches = touches};
    if (!rim_of(&c->features[touches[0].feature], w, &touches[0], &x.rim))
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
        to[0] = w->touches[i];
        const RiRimWay way = ri_rim_way(c, feature, w);
        if (way == RI_RIM_HEIGHTS)
            n = touch_heights(c, feature, slot, margin, w, most, to);
        else if (way == RI_RIM_AROUND)
            n = look_around(c, margin, w, most, to);
        if (n > 0)
            give_places(c, held, n, to);
        out += n;
    }
    RiTouch *swap = w->touches;
    w->touches = w->all;
    w->all = swap;
    return out;
}
