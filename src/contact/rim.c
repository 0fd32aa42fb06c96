// SPDX-License-Identifier: Apache-2.0
/// \file
/// A circle may touch in several places: a wheel stands on the ground and against a step.
///
/// Points around the circle are compared with the plane of the first touch. Where the ground is
/// nearer than that plane says, another surface is near; the point of the circle nearest to it is
/// looked for by two moves of which the better one counts: to where the circle would touch if the
/// surface were plane, and along the circle to the side where the distance falls (an edge). Each
/// touch of a feature keeps its stick deflection in a place of its own; places are found again by
/// the direction of their normals.
///
/// Over a height field, whose distance is a search, all touches of an upright wheel are found from
/// heights (rim_heights.c). Tests: tests/contact/test_rim.c, tests/contact/test_contact.c.
#include <math.h>

#include "base/functions.h"
#include "contact/rim.h"
#include "terrain/terrain.h"

enum { MOVES = 9 };
/// The bits of ri_cos and ri_sin. Test: probes_have_the_bits_of_sine_and_cosine (test_rim.c).
const RiRimAngle ri_rim_probes[RI_RIM_PROBES] = {
    {0.78, 0x1.6bfcdbf817bfap-1, 0x1.68143d72d4ce4p-1}, {-0.78, 0x1.6bfcdbf817bfap-1, -0x1.68143d72d4ce4p-1},
    {1.4, 0x1.5c17bbc13570bp-3, 0x1.f88cddf44e102p-1},  {-1.4, 0x1.5c17bbc13570bp-3, -0x1.f88cddf44e102p-1},
    {2.0, -0x1.aa22657537205p-2, 0x1.d18f6ead1b446p-1}, {-2.0, -0x1.aa22657537205p-2, -0x1.d18f6ead1b446p-1},
};
/// First turn along the circle in search of the nearest ground [rad]; it ends at 0.3^k of it.
static const double FIRST_TURN = 0.2;
/// Part of the circle's radius by which the ground must be nearer than the plane of the first
/// touch.
static const double NEARER = 0.02;

/// The circle's point at an angle from the direction `u`.
static RiVec3 rim_point(const RiRim *r, RiRimAngle a)
{
    const RiVec3 along = ri_add(ri_scale(a.cosine, r->u), ri_scale(a.sine, r->v));
    return ri_add(r->centre, ri_scale(r->radius, along));
}

/// The point of the circle an angle away from p, on the side where the distance falls.
static RiVec3 slide_along(const RiRim *r, RiVec3 p, const RiSurface *s, double angle)
{
    const RiVec3 arm = ri_scale(1.0 / r->radius, ri_sub(p, r->centre)), tangent = ri_cross(r->axis, arm);
    const double turn = ri_dot(s->normal, tangent) > 0.0 ? -angle : angle;
    const RiVec3 along = ri_add(ri_scale(ri_cos(turn), arm), ri_scale(ri_sin(turn), tangent));
    return ri_add(r->centre, ri_scale(r->radius, along));
}

/// Moves p along the circle to where the ground is nearest, or where it is deepest in it.
static void go_down(const RiTerrain *t, const RiRim *r, RiVec3 *p, RiSurface *s)
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

bool ri_rim_is_same(const RiRim *r, RiVec3 p, RiVec3 q, double same)
{
    const RiVec3 a = ri_sub(p, r->centre), b = ri_sub(q, r->centre);
    return ri_dot(a, b) > same * ri_norm(a) * ri_norm(b);
}

/// Whether a touch is in the direction of p already.
static bool is_known(const RiRim *r, const RiTouch *touches, int count, RiVec3 p)
{
    for (int i = 0; i < count; i++)
        if (ri_rim_is_same(r, touches[i].point, p, RI_RIM_SAME))
            return true;
    return false;
}

// --- over other ground ---------------------------------------------------------------------------

/// Whether the ground bends so little near a circle that touches it with this normal that it
/// touches nowhere else (see touch_once in rim_heights.c).
static bool bends_less(const RiTerrain *t, const RiRim *r, RiVec3 normal)
{
    const double lean = ri_dot(normal, r->axis);
    const double most = ri_terrain_bend(t, r->centre.x, r->centre.y, r->radius);
    return most * r->radius < RI_RIM_ALONE * sqrt(fmax(0.0, 1.0 - lean * lean));
}

/// The circle that a touch belongs to, u towards the touch. False: it lies flat.
static bool rim_of(const RiFeature *f, const RiTouchWork *w, const RiTouch *t, RiRim *out)
{
    const RiVec3 core = ri_add(t->point, ri_scale(f->tube, t->normal)); // on the circle without its tube
    const RiRound *round = &w->rounds[t->feature];
    const RiVec3 arm = ri_sub(core, round->centre);
    const double size = ri_norm(arm);
    *out = (RiRim){.centre = round->centre, .axis = w->axes[t->feature], .radius = round->radius, .feature = f};
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
    RiRim rim;
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
    const RiTouch first = x->touches[0];
    const double tube = x->c->features[first.feature].tube;
    const RiVec3 core = ri_add(first.point, ri_scale(tube, first.normal));
    RiVec3 points[RI_RIM_PROBES];
    RiSurface s[RI_RIM_PROBES];
    for (int k = 0; k < RI_RIM_PROBES; k++)
        points[k] = rim_point(&x->rim, ri_rim_probes[k]);
    ri_terrain_query_many(x->c->terrain, RI_RIM_PROBES, points, s);
    for (int k = 0; k < RI_RIM_PROBES && x->count < x->most; k++) {
        const double plane = ri_dot(ri_sub(points[k], core), first.normal) + tube - first.depth;
        if (s[k].distance <= 0.9 * plane - NEARER * x->rim.radius && !(s[k].flags & RI_SURFACE_FAR))
            try_from(x, points[k], s[k]);
    }
}

/// Further touches of the circle that `touches[0]` belongs to, unless the ground near by is known
/// to bend less than the circle. Returns how many there are in all.
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
        touches[i].place = first + best;
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
            n = ri_rim_touch_heights(c, feature, slot, w->touches[i].normal, margin, held, w, to);
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
