// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rays and heights on a distance grid: steps as long as the distance allows, then the sign change
/// is halved to the last bit that matters.
#include "terrain/grid.h"

enum { HALVINGS = 48 };

static RiSurface look(const RiTerrain *t, RiVec3 p)
{
    RiSurface s;
    ri_grid_query(t, 1, &p, &s);
    return s;
}

static RiVec3 at(RiVec3 origin, RiVec3 direction, double s)
{
    return ri_add(origin, ri_scale(s, direction));
}

/// Between a free and a solid place on the ray.
static double halve(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double free, double solid)
{
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (free + solid);
        if (look(t, at(origin, direction, middle)).distance > 0.0)
            free = middle;
        else
            solid = middle;
    }
    return free;
}

/// From begin to end (along a direction of length 1) to the first change from free to solid; false
/// if there is none. Starting in the ground it is left first.
static bool descend(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double begin, double end, double *out_s)
{
    const double least = 0.25 * ((const RiGrid *)t)->view.head.cell;
    bool was_free = false;
    for (double s = begin, before = begin;;) {
        const double d = look(t, at(origin, direction, s)).distance;
        if (was_free && d <= 0.0) {
            *out_s = halve(t, origin, direction, before, s);
            return true;
        }
        if (s >= end || !(d == d))
            return false;
        was_free = d > 0.0;
        before = s;
        s = fmin(s + fmax(fabs(d), least), end);
    }
}

/// Part of the ray within the grid's box; walls count as part of it.
static bool clip(const RiGridHead *h, RiVec3 origin, RiVec3 direction, double range, double *begin, double *end)
{
    const double o[3] = {origin.x, origin.y, origin.z}, d[3] = {direction.x, direction.y, direction.z};
    *begin = 0.0;
    *end = range;
    for (int axis = 0; axis < 3; axis++) {
        const double low = h->low[axis], high = low + h->cells[axis] * h->cell;
        if (d[axis] == 0.0) {
            if (!(o[axis] >= low && o[axis] <= high))
                return false;
            continue;
        }
        const double a = (low - o[axis]) / d[axis], b = (high - o[axis]) / d[axis];
        *begin = fmax(*begin, fmin(a, b));
        *end = fmin(*end, fmax(a, b));
    }
    return *begin <= *end && isfinite(*end);
}

bool ri_grid_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out)
{
    const double length = ri_norm(direction);
    double begin, end, s;
    if (!(length > 0.0) || !isfinite(length) || !(range >= 0.0))
        return false;
    const RiVec3 along = ri_scale(1.0 / length, direction);
    if (!clip(&((const RiGrid *)t)->view.head, origin, along, range * length, &begin, &end))
        return false;
    if (look(t, at(origin, along, begin)).distance <= 0.0)
        s = begin; // starts in the ground
    else if (!descend(t, origin, along, begin, end, &s))
        return false;
    const RiSurface hit = look(t, at(origin, along, s));
    *out = (RiTerrainHit){
        .range = s / length, .point = at(origin, along, s), .normal = hit.normal, .material = hit.material};
    return true;
}

static void slopes(const RiTerrain *t, RiVec3 p, double *zx, double *zy)
{
    const RiVec3 n = look(t, p).normal;
    *zx = -n.x / n.z;
    *zy = -n.y / n.z;
}

bool ri_grid_height(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    const RiGridHead *h = &((const RiGrid *)t)->view.head;
    const double top = h->low[2] + h->cells[2] * h->cell, start = fmin(from, top);
    const RiVec3 origin = ri_vec3(x, y, start), down = ri_vec3(0.0, 0.0, -1.0);
    double s;
    if (!isfinite(x) || !isfinite(y) || !(start > h->low[2]) || !descend(t, origin, down, 0.0, start - h->low[2], &s))
        return false;
    const RiVec3 p = at(origin, down, s);
    const RiSurface hit = look(t, p);
    *out = (RiHeight){.z = p.z, .material = hit.material, .flags = hit.flags};
    out->zx = -hit.normal.x / hit.normal.z;
    out->zy = -hit.normal.y / hit.normal.z;
    // Curvature: slopes half a cell to each side, on the tangent plane.
    const double e = 0.5 * h->cell;
    double a, b, c, d;
    slopes(t, ri_vec3(x + e, y, p.z + e * out->zx), &a, &b);
    slopes(t, ri_vec3(x - e, y, p.z - e * out->zx), &c, &d);
    out->zxx = (a - c) / (2.0 * e);
    const double xy = (b - d) / (2.0 * e);
    slopes(t, ri_vec3(x, y + e, p.z + e * out->zy), &a, &b);
    slopes(t, ri_vec3(x, y - e, p.z - e * out->zy), &c, &d);
    out->zyy = (b - d) / (2.0 * e);
    out->zxy = 0.5 * (xy + (a - c) / (2.0 * e));
    return true;
}
