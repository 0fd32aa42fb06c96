// SPDX-License-Identifier: Apache-2.0
/// \file
/// Borders of soft ground: a wheel in soil beside rock touches the rock's edge. Test:
/// tests/sim/test_border.c.
#include <math.h>
#include <string.h>

#include "sim/force/soil_wheel.h"
#include "sim/force/touches.h"

/// The first hard ground from p on along e within a length: its border to rounding. False: none.
static bool find_border(const RiSim *s, RiVec3 p, RiVec3 e, double length, double *out_way)
{
    enum { LOOKS = 16, HALVINGS = 48 };
    for (int k = 1; k <= LOOKS; k++) {
        double hi = length * k / LOOKS, lo = length * (k - 1) / LOOKS;
        if (!ri_soil_is_hard(s, ri_add(p, ri_scale(hi, e))))
            continue;
        for (int i = 0; i < HALVINGS; i++) {
            const double middle = 0.5 * (lo + hi);
            *(ri_soil_is_hard(s, ri_add(p, ri_scale(middle, e))) ? &hi : &lo) = middle;
        }
        *out_way = hi;
        return true;
    }
    return false;
}

/// The edge of hard ground on one side of a circle (centre c, axis a, radius r) whose lowest point
/// is over soft ground at `foot`: as a surface under the point of the circle that is nearest to the
/// edge.
static bool find_edge(const RiSim *s, RiVec3 foot, RiVec3 e, RiVec3 c, RiVec3 a, double r, double length,
                      RiSurface *out_edge, RiVec3 *out_point)
{
    double way;
    RiHeight h;
    if (!find_border(s, foot, e, length, &way))
        return false;
    RiVec3 edge = ri_add(foot, ri_scale(way, e));
    if (!ri_terrain_height(s->terrain, edge.x, edge.y, &h))
        return false;
    edge.z = h.z;
    const RiVec3 from = ri_sub(c, edge), arm = ri_sub(from, ri_scale(ri_dot(from, a), a));
    const double size = ri_norm(arm);
    if (!(size > 0.1 * r))
        return false;
    *out_edge = (RiSurface){.distance = size - r,
                            .normal = ri_scale(1.0 / size, arm),
                            .material = ri_soil_map_region_at(s->soil->map, edge.x, edge.y)};
    *out_point = ri_sub(c, ri_scale(r / size, arm));
    return true;
}

// The rim is above hard ground wherever it does not touch its edge, so the soil's law finds nothing
// to carry there.
bool ri_soil_border_touch(RiSim *s, double margin, RiTouch *t)
{
    const RiFeature *f = &s->contacts->features[t->feature];
    if (!s->soil->mixed || f->kind != RI_FEATURE_CIRCLE || s->soil->wheel_of[f->link] < 0)
        return false;
    // of a crowned wheel: where its tread is lowest
    const RiVec3 a = s->touches->work.axes[t->feature];
    const RiVec3 hub = s->touches->work.centres[t->feature];
    const double lean = -ri_dot(t->normal, a), v = fmax(f->low, fmin(f->high, f->crown * lean));
    const RiVec3 c = ri_add(hub, ri_scale(v, a));
    const double deep = fmin(fmax(0.0, t->depth) + margin, f->radius);
    const double length = sqrt(deep * (2.0 * f->radius - deep)), far = 1.01 * length + 1e-6;
    const RiVec3 along = ri_cross(a, t->normal), foot = ri_add(t->point, ri_scale(t->depth, t->normal));
    const double size = ri_norm(along);
    RiSurface best = {.distance = margin}, edge;
    RiVec3 at = t->point, point;
    bool found = false;
    for (int side = -1; side <= 1 && size > 0.0; side += 2) {
        if (!find_edge(s, foot, ri_scale(side / size, along), c, a, f->radius, far, &edge, &point) ||
            edge.distance >= best.distance)
            continue;
        best = edge, at = point, found = true;
    }
    if (!found)
        return false;
    const int place = t->place;
    const bool fresh = t->fresh;
    ri_touch_fill(s->contacts, t->feature, t->slot, &s->touches->work, at, &best, t);
    t->place = place;
    t->fresh = fresh;
    return true;
}
