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

/// Further touches of the circle that `touches[0]` belongs to. Returns how many there are in all.
static int look_around(const RiContacts *c, double margin, const RiTouchWork *w, int most, RiTouch *touches)
{
    static const double angles[PROBES] = {0.78, -0.78, 1.4, -1.4, 2.0, -2.0};
    const RiTouch first = touches[0];
    const RiFeature *f = &c->features[first.feature];
    const RiVec3 core = ri_add(first.point, ri_scale(f->tube, first.normal)); // on the circle without its tube
    const RiVec3 arm = ri_sub(core, w->centres[first.feature]);
    const double size = ri_norm(arm);
    Rim r = {.centre = w->centres[first.feature], .axis = w->axes[first.feature], .radius = f->radius - f->tube};
    if (size < 0.5 * r.radius)
        return 1; // lying flat
    r.u = ri_scale(1.0 / size, arm);
    r.v = ri_cross(r.axis, r.u);
    RiVec3 points[PROBES];
    RiSurface s[PROBES];
    int count = 1;
    for (int k = 0; k < PROBES; k++)
        points[k] = rim_point(&r, angles[k]);
    ri_terrain_query_many(c->terrain, PROBES, points, s);
    for (int k = 0; k < PROBES && count < most; k++) {
        const double plane = ri_dot(ri_sub(points[k], core), first.normal) + f->tube - first.depth;
        if (s[k].distance > 0.9 * plane - NEARER * r.radius || (s[k].flags & RI_SURFACE_FAR))
            continue;
        go_down(c->terrain, &r, &points[k], &s[k]);
        ri_touch_tube(f, &points[k], &s[k]);
        if (s[k].distance < margin && !is_known(&r, touches, count, points[k]))
            ri_touch_fill(c, first.feature, first.slot, w, points[k], &s[k], &touches[count++]);
    }
    return count;
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
