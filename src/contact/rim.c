// SPDX-License-Identifier: Apache-2.0
/// \file
/// A circle may touch in several places: a wheel stands on the ground and against a step.
///
/// Points around the circle are compared with the plane of the first touch. Where the ground is nearer than that plane says, another surface is
/// near; the point of the circle nearest to it is looked for by two moves of which the better one counts: to where the circle would touch if the surface
/// were plane, and along the circle to the side where the distance falls (an edge). Each touch of a feature keeps its stick deflection in a place of its
/// own; places are found again by the direction of their normals.
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

static bool is_known(const Rim *r, const RiTouch *touches, int count, RiVec3 p)
{
    for (int i = 0; i < count; i++) {
        const RiVec3 a = ri_sub(touches[i].point, r->centre), b = ri_sub(p, r->centre);
        if (ri_dot(a, b) > SAME * ri_norm(a) * ri_norm(b))
            return true;
    }
    return false;
}

enum { LINES = 3, ALONG = 11, LOOKS = LINES * ALONG };
/// Sines of the angles at which the heights under a circle are looked at.
static const double look_sine[ALONG] = {-1.0, -0.9, -0.7, -0.47, -0.24, 0.0, 0.24, 0.47, 0.7, 0.9, 1.0};
/// Part of the radius by which a height may miss the ground's distance.
static const double MISSED = 0.05;

/// Distances of the circle's rounded rim to the ground below it, of first order: on the circle and on both sides of it.
static void look_down(const RiTerrain *t, const Rim *r, double tube, double out[LOOKS])
{
    double x[LOOKS], y[LOOKS], z[LOOKS];
    RiHeight ground[LOOKS];
    for (int k = 0; k < LOOKS; k++) {
        const int side = k / ALONG - 1; // to the sides the rounding has turned by 60 degrees
        const double a = look_sine[k % ALONG], b = sqrt(1.0 - a * a), R = r->radius + (side ? 0.5 : 1.0) * tube;
        RiVec3 p = ri_add(r->centre, ri_add(ri_scale(R * b, r->u), ri_scale(R * a, r->v)));
        p = ri_add(p, ri_scale(0.866 * tube * side, r->axis));
        x[k] = p.x, y[k] = p.y, z[k] = p.z;
    }
    ri_terrain_height_many(t, LOOKS, x, y, ground, NULL);
    for (int k = 0; k < LOOKS; k++)
        out[k] = (z[k] - ground[k].z) / sqrt(1.0 + ground[k].zx * ground[k].zx + ground[k].zy * ground[k].zy);
}

/// Of a height field: where along the circle the ground is nearest and near enough to be touched, apart from the first touch. Sines of the angles into
/// `out`; returns how many.
static int look_for_ground(const RiTerrain *t, const Rim *r, double tube, double margin, double out[LOOKS])
{
    double distance[LOOKS];
    const double most = margin + MISSED * (r->radius + tube);
    int count = 0;
    look_down(t, r, tube, distance);
    for (int k = 0; k < LOOKS; k++) {
        const int i = k % ALONG;
        const bool least =
            (i == 0 || distance[k] <= distance[k - 1]) && (i == ALONG - 1 || distance[k] < distance[k + 1]);
        if (least && distance[k] < most && look_sine[i] != 0.0)
            out[count++] = look_sine[i];
    }
    return count;
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

/// The same over a height field, which is asked for heights until something is near enough to be touched.
static void probe_heights(Search *x)
{
    double sines[LOOKS];
    const double tube = x->c->features[x->touches[0].feature].tube;
    const int n = look_for_ground(x->c->terrain, &x->rim, tube, x->margin, sines);
    for (int k = 0; k < n && x->count < x->most; k++) {
        const RiVec3 p = rim_point(&x->rim, asin(sines[k]));
        RiSurface s;
        ri_terrain_query(x->c->terrain, p, &s);
        if (s.distance < 2.0 * tube + x->margin)
            try_from(x, p, s);
    }
}

/// Whether the ground near a circle bends so little that the circle can touch it only once. Over the way along its plane the lower half of an upright
/// circle rises with z'' >= 1 / radius; where the ground has |h''| < 1 / radius the gap z - h is convex, and a convex gap has one least value. A
/// plane that leans by tau takes the circle sideways: z'' falls to (cos tau - slope sin tau) / radius, with slopes up to 40 degrees here.
static bool touches_once(const RiTerrain *t, const Rim *r, double tube)
{
    static const double STEEPEST = 0.84;
    const double lean = fabs(r->axis.z), upright = sqrt(1.0 - fmin(1.0, lean * lean)) - STEEPEST * lean;
    const double radius = r->radius + tube;
    return ri_terrain_bend(t, r->centre.x, r->centre.y, radius) * radius < upright;
}

/// Further touches of the circle that `touches[0]` belongs to. Returns how many there are in all.
static int look_around(const RiContacts *c, double margin, const RiTouchWork *w, int most, RiTouch *touches)
{
    Search x = {.c = c, .w = w, .margin = margin, .most = most, .count = 1, .touches = touches};
    if (!rim_of(&c->features[touches[0].feature], w, &touches[0], &x.rim))
        return 1;
    if (c->by_heights && touches_once(c->terrain, &x.rim, c->features[touches[0].feature].tube))
        return 1;
    (c->by_heights ? probe_heights : probe)(&x);
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
        to[0] = w->touches[i];
        const int n = most > 1 ? look_around(c, margin, w, most, to) : 1;
        give_places(c, held, n, to);
        out += n;
    }
    RiTouch *swap = w->touches;
    w->touches = w->all;
    w->all = swap;
    return out;
}
