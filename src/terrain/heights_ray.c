// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rays on height fields.
///
/// A ray visits cells in order. Squares of 8, 16, 32, ... cells know the highest ground in them; a
/// ray that stays above it crosses the square in one step. Within a cell F(s) = o_z + s d_z - z(o_x
/// + s d_x, o_y + s d_y) is a polynomial of degree 2 (bilinear) or 6 (bicubic); its first root from
/// above is bracketed by F and F' at a few points and refined by Newton's method within the
/// bracket.
#include <math.h>

#include "terrain/heights.h"

enum { PIECES = 4, ROOT_STEPS = 60 };

// --- one cell ------------------------------------------------------------------------------------

typedef struct Ray {
    const RiHeights *h;
    RiVec3 o, d;
    int i, j; ///< the cell it is in
} Ray;

typedef struct Sample {
    double s, f, df; ///< height of the ray above the ground and its rate
} Sample;

static Sample sample(const Ray *r, double s)
{
    RiPatch p;
    ri_heights_cell(r->h, r->i, r->j, r->o.x + s * r->d.x, r->o.y + s * r->d.y, &p);
    return (Sample){s, (r->o.z + s * r->d.z) - p.z, r->d.z - p.zs * r->d.x - p.zt * r->d.y};
}

/// Root of f between a (above) and b (not above): Newton from the nearer end, bisection where that
/// leaves the bracket.
static double refine_root(const Ray *r, Sample a, Sample b)
{
    Sample at = fabs(a.f) < fabs(b.f) ? a : b;
    for (int k = 0; k < ROOT_STEPS && b.s > a.s; k++) {
        double s = at.s - at.f / at.df;
        if (!(s > a.s && s < b.s))
            s = 0.5 * (a.s + b.s);
        if (s == at.s)
            break;
        at = sample(r, s);
        if (at.f > 0.0)
            a = at;
        else
            b = at;
        if (at.f == 0.0 || b.s - a.s <= 1e-15 * b.s)
            break;
    }
    return at.f == 0.0 ? at.s : b.s - a.s <= 1e-12 * (1.0 + b.s) ? b.s : at.s;
}

/// Where f is least between a (falling) and b (rising); stops as soon as it is not above.
static Sample lowest(const Ray *r, Sample a, Sample b)
{
    Sample at = a.f < b.f ? a : b;
    for (int k = 0; k < ROOT_STEPS && at.f > 0.0; k++) {
        const double s = a.s + (b.s - a.s) * (a.df / (a.df - b.df));
        const double width = b.s - a.s, mid = s > a.s + 0.1 * width && s < b.s - 0.1 * width ? s : 0.5 * (a.s + b.s);
        at = sample(r, mid);
        if (at.df < 0.0)
            a = at;
        else
            b = at;
        // What is left cannot take it down to the ground.
        if (at.f > fabs(at.df) * (b.s - a.s) + 1e-3 * (fabs(a.df) + fabs(b.df)) * (b.s - a.s))
            break;
    }
    return at;
}

/// Whether the ray passes above all of its cell.
static bool is_above_cell(const Ray *r, double s0, double s1)
{
    const RiHeights *h = r->h;
    const int i = r->i < 0           ? 0
                  : r->i > h->nx - 2 ? h->nx - 2
                                     : r->i,
              j = r->j < 0           ? 0
                  : r->j > h->ny - 2 ? h->ny - 2
                                     : r->j;
    double range[2];
    ri_heights_cell_range(h, i, j, range);
    return fmin(r->o.z + s0 * r->d.z, r->o.z + s1 * r->d.z) > range[1];
}

/// First hit within the ray's cell.
static bool hit_cell(const Ray *r, double s0, double s1, double *out_s)
{
    if (is_above_cell(r, s0, s1))
        return false;
    const int pieces = r->h->bicubic ? PIECES : 1;
    Sample a = sample(r, s0);
    if (a.f <= 0.0) {
        *out_s = s0;
        return true;
    }
    for (int k = 1; k <= pieces; k++) {
        const Sample b = sample(r, k == pieces ? s1 : s0 + (s1 - s0) * ((double)k / pieces));
        Sample end = b;
        if (b.f > 0.0 && a.df < 0.0 && b.df > 0.0)
            end = lowest(r, a, b);
        if (end.f <= 0.0) {
            *out_s = refine_root(r, a, end);
            return true;
        }
        a = b;
    }
    return false;
}

// --- the way -------------------------------------------------------------------------------------

typedef struct Exit {
    double s;
    bool along_x;
} Exit;

/// Grid line k of n; those beyond the border are infinitely far.
static double line(double x0, double dx, int k, int n)
{
    return k < 0 ? -INFINITY : k >= n ? INFINITY : x0 + k * dx;
}

/// Where the ray leaves the cells [i0, i1) x [j0, j1).
static Exit leave(const Ray *r, int i0, int i1, int j0, int j1)
{
    const RiHeights *h = r->h;
    const double sx = r->d.x == 0.0 ? INFINITY : (line(h->x0, h->dx, r->d.x > 0.0 ? i1 : i0, h->nx) - r->o.x) / r->d.x;
    const double sy = r->d.y == 0.0 ? INFINITY : (line(h->y0, h->dy, r->d.y > 0.0 ? j1 : j0, h->ny) - r->o.y) / r->d.y;
    return (Exit){fmin(sx, sy), sx <= sy};
}

static int limit(int i, int low, int high)
{
    return i < low ? low : i > high ? high : i;
}

/// Goes on to the cell behind a square of cells. False: there is none.
static bool cross(Ray *r, Exit e, int i0, int i1, int j0, int j1)
{
    const RiHeights *h = r->h;
    if (e.along_x) {
        r->i = r->d.x > 0.0 ? i1 : i0 - 1;
        r->j = limit(ri_heights_index((r->o.y + e.s * r->d.y - h->y0) * h->per_dy, h->ny), j0, j1 - 1);
    } else {
        r->j = r->d.y > 0.0 ? j1 : j0 - 1;
        r->i = limit(ri_heights_index((r->o.x + e.s * r->d.x - h->x0) * h->per_dx, h->nx), i0, i1 - 1);
    }
    return r->i >= -1 && r->i < h->nx && r->j >= -1 && r->j < h->ny;
}

static bool inside(const RiHeights *h, int i, int j)
{
    return i >= 0 && i < h->nx - 1 && j >= 0 && j < h->ny - 1;
}

/// Highest ground of the square of a level the ray is in.
static double square_high(const Ray *r, int level, int shift)
{
    float range[2];
    ri_heights_square(r->h, level, r->i >> shift, r->j >> shift, range);
    return (double)range[1];
}

static bool hit_wall(const Ray *r, Exit e, RiTerrainHit *out)
{
    out->range = e.s;
    out->point = ri_add(r->o, ri_scale(e.s, r->d));
    out->normal = e.along_x ? ri_vec3(r->d.x > 0.0 ? -1.0 : 1.0, 0, 0) : ri_vec3(0, r->d.y > 0.0 ? -1.0 : 1.0, 0);
    return true;
}

static bool hit_ground(const Ray *r, double s, RiTerrainHit *out)
{
    out->range = s;
    out->point = ri_add(r->o, ri_scale(s, r->d));
    RiPatch p;
    ri_heights_cell(r->h, r->i, r->j, out->point.x, out->point.y, &p);
    out->normal = ri_scale(1.0 / sqrt(1.0 + p.zs * p.zs + p.zt * p.zt), ri_vec3(-p.zs, -p.zt, 1.0));
    return true;
}

static bool walk(Ray *r, double s, double end, RiTerrainHit *out)
{
    const RiHeights *h = r->h;
    for (int level = h->levels - 1;;) {
        const bool on_map = inside(h, r->i, r->j);
        level = on_map ? level : -1;
        const int shift = level < 0 ? 0 : 3 + level, below = (1 << shift) - 1;
        const int i0 = r->i & ~below, j0 = r->j & ~below;
        int i1 = i0 + (1 << shift), j1 = j0 + (1 << shift);
        i1 = on_map && i1 > h->nx - 1 ? h->nx - 1 : i1;
        j1 = on_map && j1 > h->ny - 1 ? h->ny - 1 : j1;
        Exit e = leave(r, i0, i1, j0, j1);
        e.s = e.s > s ? e.s : s;
        const double to = e.s < end ? e.s : end;
        const bool above = level >= 0 && fmin(r->o.z + s * r->d.z, r->o.z + to * r->d.z) > square_high(r, level, shift);
        if (level >= 0 && !above) {
            level--;
            continue;
        }
        double at;
        if (!above && hit_cell(r, s, to, &at))
            return hit_ground(r, at, out);
        const int i = r->i, j = r->j;
        if (e.s >= end || !cross(r, e, i0, i1, j0, j1))
            return false;
        if (h->edge == RI_EDGE_WALL && !inside(h, r->i, r->j))
            return hit_wall(r, e, out);
        if (above)
            level = level + 1 < h->levels ? level + 1 : level;
        else
            level = r->i >> 3 != i >> 3 || r->j >> 3 != j >> 3 ? 0 : -1;
        s = e.s;
    }
}

/// How far the ray needs to be followed: it leaves the heights between low and high, or everything
/// beyond is level.
static double last_range(const Ray *r, double range)
{
    const RiHeights *h = r->h;
    if (r->d.z < 0.0)
        return fmin(range, fmax((h->low - 1.0 - r->o.z) / r->d.z, 0.0));
    if (r->d.z > 0.0)
        return fmin(range, (h->high - r->o.z) / r->d.z);
    double end = 0.0;
    if (r->d.x != 0.0)
        end = fmax(end, ((r->d.x > 0.0 ? h->x1 + h->dx : h->x0 - h->dx) - r->o.x) / r->d.x);
    if (r->d.y != 0.0)
        end = fmax(end, ((r->d.y > 0.0 ? h->y1 + h->dy : h->y0 - h->dy) - r->o.y) / r->d.y);
    return fmin(range, end);
}

/// A wall is higher than everything: the ray ends where it leaves the map.
static double last_before_wall(const Ray *r, double range)
{
    if (r->d.x == 0.0 && r->d.y == 0.0)
        return last_range(r, range);
    return fmin(range, 2.0 * leave(r, 0, r->h->nx - 1, 0, r->h->ny - 1).s + 1.0 / ri_norm(r->d));
}

bool ri_heights_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out)
{
    const RiHeights *h = (const RiHeights *)t;
    Ray r = {.h = h, .o = origin, .d = direction};
    if (!isfinite(ri_dot(origin, origin)) || !isfinite(ri_dot(direction, direction)) || !(range >= 0.0))
        return false;
    *out = (RiTerrainHit){0};
    r.i = ri_heights_index((origin.x - h->x0) * h->per_dx, h->nx);
    r.j = ri_heights_index((origin.y - h->y0) * h->per_dy, h->ny);
    const bool wall = h->edge == RI_EDGE_WALL;
    if (sample(&r, 0.0).f <= 0.0)
        return hit_ground(&r, 0.0, out);
    if (wall && !inside(h, r.i, r.j)) {
        RiSurface surface;
        ri_terrain_query(t, origin, &surface);
        *out = (RiTerrainHit){.point = origin, .normal = surface.normal};
        return true;
    }
    const double end = wall ? last_before_wall(&r, range) : last_range(&r, range);
    // High above everything: start where the ray comes down to the highest ground, unless a wall is
    // in between.
    double start = origin.z > h->high && direction.z < 0.0 ? (h->high - origin.z) / direction.z : 0.0;
    const Exit border = leave(&r, 0, h->nx - 1, 0, h->ny - 1);
    if (wall && border.s <= start)
        return border.s <= end && hit_wall(&r, border, out);
    if (!(start <= end))
        return false;
    if (start > 0.0) {
        r.i = ri_heights_index((origin.x + start * direction.x - h->x0) * h->per_dx, h->nx);
        r.j = ri_heights_index((origin.y + start * direction.y - h->y0) * h->per_dy, h->ny);
    }
    return walk(&r, start, end, out);
}
