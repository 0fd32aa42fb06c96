// SPDX-License-Identifier: Apache-2.0
/// \file
/// Height fields: bilinear or bicubic heights with analytic slope and curvature, and signed
/// distance.
///
/// **Distance.** With f = p_z - z(p_x, p_y) the sign is that of f, which is exact, the ground being
/// single-valued. Its size is the distance to the closest point of the ground (heights_closest.c).
/// On the surface it is 0 to the last bit.
///
/// Test: tests/terrain/test_heights.c.
#include "terrain/heights.h"

#include <math.h>

#include "base/functions.h"
#include "base/processor.h"
#include "terrain/raster.h"

#define RI_INLINE static inline __attribute__((always_inline))

#define HEIGHT_MOST 1e9f ///< [m]

enum { AT_ONCE = 32 };

/// Bicubic heights of many points (heights_kernel.c).
typedef void (*BatchKernel)(const RiHeights *h, bool bends, int count, const double *x, const double *y, RiHeight *out);

// --- heights -------------------------------------------------------------------------------------

/// Ground of cell (i, j); flags of cells that are paged.
RI_INLINE int patch(const RiHeights *h, bool bicubic, int i, int j, double s, double t, RiPatch *out)
{
    float around[16];
    const float *v = around + 5;
    ptrdiff_t row = 4;
    int flags = 0;
    if (h->pages)
        flags = h->pages->cell(h, i, j, around);
    else {
        v = h->v + j * h->row + i;
        row = h->row;
    }
    if (bicubic)
        ri_patch_bicubic(v, row, s, t, out);
    else
        ri_patch_bilinear(v, row, s, t, out);
    return flags;
}

RI_INLINE double clamp(double x, double low, double high)
{
    return x > low ? (x < high ? x : high) : low; // NAN: low
}

/// Where a point lies: its cell, the place in it, and whether it is on the map.
typedef struct Place {
    int i, j;
    double s, t;
    bool in_x, in_y, nan;
} Place;

RI_INLINE Place place_of(const RiHeights *h, double x, double y)
{
    const double a = (x - h->x0) * h->per_dx, b = (y - h->y0) * h->per_dy;
    const double u = clamp(a, 0.0, (double)(h->nx - 1)), v = clamp(b, 0.0, (double)(h->ny - 1));
    Place p = {.i = (int)u, .j = (int)v};
    p.i = p.i < h->nx - 2 ? p.i : h->nx - 2;
    p.j = p.j < h->ny - 2 ? p.j : h->ny - 2;
    p.s = u - p.i;
    p.t = v - p.j;
    p.in_x = x >= h->x0 && x <= h->x1;
    p.in_y = y >= h->y0 && y <= h->y1;
    p.nan = isnan(a + b);
    return p;
}

RI_INLINE void height_at(const RiHeights *h, bool bicubic, const Place *at, RiHeight *out)
{
    RiPatch p;
    const int hole = patch(h, bicubic, at->i, at->j, at->s, at->t, &p);
    // Beyond the border nothing changes across it.
    const double kx = at->in_x ? h->per_dx : 0.0, ky = at->in_y ? h->per_dy : 0.0;
    *out = (RiHeight){.z = at->nan ? NAN : p.z,
                      .zx = p.zs * kx,
                      .zy = p.zt * ky,
                      .zxx = p.zss * kx * kx,
                      .zxy = p.zst * kx * ky,
                      .zyy = p.ztt * ky * ky,
                      .flags = hole | ri_heights_flags(h, at->i, at->j, !(at->in_x && at->in_y))};
}

bool ri_heights_height(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    const RiHeights *h = (const RiHeights *)t;
    const Place at = place_of(h, x, y);
    if (h->bicubic)
        height_at(h, true, &at, out);
    else
        height_at(h, false, &at, out);
    return out->z <= from;
}

static BatchKernel batch_kernel(void)
{
#if defined(__x86_64__)
    static const BatchKernel kernels[RI_ISA_COUNT] = {ri_heights_bicubic_generic, ri_heights_bicubic_avx2,
                                                      ri_heights_bicubic_avx512};
    return kernels[ri_isa_best()];
#else
    return ri_heights_bicubic_generic;
#endif
}

static void ask_many(const RiTerrain *t, bool bends, int count, const double *x, const double *y, RiHeight *out,
                     bool *out_found)
{
    const RiHeights *h = (const RiHeights *)t;
    if (h->bicubic && !h->pages)
        batch_kernel()(h, bends, count, x, y, out);
    else
        for (int k = 0; k < count; k++)
            (void)ri_heights_height(t, x[k], y[k], INFINITY, &out[k]);
    for (int k = 0; out_found && k < count; k++)
        out_found[k] = out[k].z <= INFINITY;
}

void ri_heights_height_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                            bool *out_found)
{
    ask_many(t, true, count, x, y, out, out_found);
}

void ri_heights_slope_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                           bool *out_found)
{
    ask_many(t, false, count, x, y, out, out_found);
}

void ri_heights_cell(const RiHeights *h, int i, int j, double x, double y, RiPatch *out)
{
    const int ci = i < 0 ? 0 : i < h->nx - 2 ? i : h->nx - 2, cj = j < 0 ? 0 : j < h->ny - 2 ? j : h->ny - 2;
    const double s = clamp((x - h->x0) * h->per_dx - ci, 0.0, 1.0), t = clamp((y - h->y0) * h->per_dy - cj, 0.0, 1.0);
    (void)patch(h, h->bicubic, ci, cj, s, t, out);
    const double kx = ci == i ? h->per_dx : 0.0, ky = cj == j ? h->per_dy : 0.0;
    out->zs *= kx;
    out->zt *= ky;
    out->zss *= kx * kx;
    out->zst *= kx * ky;
    out->ztt *= ky * ky;
}

// --- queries -------------------------------------------------------------------------------------

static RiVec3 upward(double zx, double zy)
{
    return ri_scale(1.0 / sqrt(1.0 + zx * zx + zy * zy), ri_vec3(-zx, -zy, 1.0));
}

/// The wall on the border, its solid side outside; the nearer of the two surfaces answers.
static void meet_wall(const RiHeights *h, RiVec3 p, RiSurface *out)
{
    const double d[4] = {p.x - h->x0, h->x1 - p.x, p.y - h->y0, h->y1 - p.y};
    static const RiVec3 inward[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    const double ox = fmax(fmax(-d[0], -d[1]), 0.0), oy = fmax(fmax(-d[2], -d[3]), 0.0), out_by = ri_hypot(ox, oy);
    if (ox > 0.0 && oy > 0.0 && -out_by < out->distance) { // behind a corner
        out->distance = -out_by;
        out->normal = ri_vec3((d[0] < 0.0 ? ox : -ox) / out_by, (d[2] < 0.0 ? oy : -oy) / out_by, 0.0);
        return;
    }
    for (int k = 0; k < 4; k++)
        if (d[k] < out->distance) {
            out->distance = d[k];
            out->normal = inward[k];
        }
}

static void query_one(const RiHeights *h, RiVec3 p, bool nearby, RiSurface *out)
{
    RiHeight ground;
    (void)ri_heights_height(&h->terrain, p.x, p.y, INFINITY, &ground);
    *out = (RiSurface){.normal = upward(ground.zx, ground.zy), .flags = ground.flags};
    const double above = p.z - ground.z;
    if (!isfinite(above)) {
        out->distance = above;
        return;
    }
    if (above != 0.0) {
        RiHeight foot;
        const RiVec3 to = ri_sub(p, ri_heights_closest(h, p, &ground, nearby, &foot));
        const double d = ri_norm(to);
        out->distance = copysign(d, above);
        // Close to the surface the direction from foot to point drowns in rounding.
        out->normal = d > 1e-6 * h->dx ? ri_scale(1.0 / out->distance, to) : upward(foot.zx, foot.zy);
    }
    if (h->edge == RI_EDGE_WALL)
        meet_wall(h, p, out);
}

void ri_heights_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    for (int k = 0; k < count; k++)
        query_one((const RiHeights *)t, points[k], false, &out[k]);
}

void ri_heights_downhill_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    for (int k = 0; k < count; k++)
        query_one((const RiHeights *)t, points[k], true, &out[k]);
}

/// Part of a radius of curvature within which ri_heights_near_many is of second order.
static const double CLOSE = 0.05;

/// From the ground below p to the nearest: one of Newton's steps (heights_closest.c) on the
/// paraboloid that the ground is there. With e = z - p_z,
///
///     s = -(1 + grad z grad z^T + e Hess z)^-1 e grad z,    foot z + grad z . s + s . Hess z s / 2,    slope grad z + Hess z s
///
/// The distance is then wrong by the order of e^3. Farther away than CLOSE: the tangent plane.
static void near_one(const RiHeights *h, RiVec3 p, const RiHeight *g, RiSurface *out)
{
    const double e = g->z - p.z, bend = fabs(e) * (fabs(g->zxx) + 2.0 * fabs(g->zxy) + fabs(g->zyy));
    double sx = 0.0, sy = 0.0, zx = g->zx, zy = g->zy, z = g->z;
    const bool close = h->bicubic && bend < CLOSE;
    if (close) {
        const double xx = 1.0 + zx * zx + e * g->zxx, xy = zx * zy + e * g->zxy, yy = 1.0 + zy * zy + e * g->zyy;
        const double det = xx * yy - xy * xy;
        sx = e * (xy * zy - yy * zx) / det;
        sy = e * (xy * zx - xx * zy) / det;
        const double cx = g->zxx * sx + g->zxy * sy, cy = g->zxy * sx + g->zyy * sy;
        z += (zx + 0.5 * cx) * sx + (zy + 0.5 * cy) * sy;
        zx += cx;
        zy += cy;
    }
    const RiVec3 normal = upward(zx, zy);
    out->normal = normal;
    out->distance = -normal.x * sx - normal.y * sy + normal.z * (p.z - z);
    out->material = 0;
    out->flags = g->flags | (close ? 0 : RI_SURFACE_ROUGH);
    if (h->edge == RI_EDGE_WALL)
        meet_wall(h, p, out);
}

void ri_heights_near_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    for (int first = 0; first < count; first += AT_ONCE) {
        const int n = count - first < AT_ONCE ? count - first : AT_ONCE;
        double x[AT_ONCE], y[AT_ONCE];
        RiHeight ground[AT_ONCE];
        for (int k = 0; k < n; k++) {
            x[k] = points[first + k].x;
            y[k] = points[first + k].y;
        }
        ri_heights_height_many(t, n, x, y, ground, NULL);
        for (int k = 0; k < n; k++)
            near_one((const RiHeights *)t, points[first + k], &ground[k], &out[first + k]);
    }
}

static void heights_info(const RiTerrain *t, RiTerrainInfo *out)
{
    const RiHeights *h = (const RiHeights *)t;
    out->low = ri_vec3(h->x0, h->y0, h->low);
    out->high = ri_vec3(h->x1, h->y1, h->high);
    out->single_valued = true;
    out->exact = h->edge != RI_EDGE_WALL; // behind the wall and below the ground at once: the usual lower bound
    out->walls = h->edge == RI_EDGE_WALL;
    out->cell = fmin(h->dx, h->dy);
    out->cells = (long long)(h->nx - 1) * (h->ny - 1);
    out->bytes = sizeof *h + h->bytes;
}

static const RiHeights *heights_map(const RiTerrain *t)
{
    return (const RiHeights *)t;
}

static const RiTerrainClass heights_class = {.kind = "heights",
                                             .map = heights_map,
                                             .info = heights_info,
                                             .query_many = ri_heights_query_many,
                                             .near_many = ri_heights_near_many,
                                             .downhill_many = ri_heights_downhill_many,
                                             .bend = ri_heights_bend,
                                             .top = ri_heights_top,
                                             .height = ri_heights_height,
                                             .height_many = ri_heights_height_many,
                                             .slope_many = ri_heights_slope_many,
                                             .ray = ri_heights_ray};

// --- building ------------------------------------------------------------------------------------

/// Counts values that are missing or infinite and says where the first one is.
static RiStatus check_values(RiContext *ctx, const RiHeightsDef *def, long long *out_missing)
{
    const RiRaster *r = def->raster;
    long long missing = 0, infinite = 0, first = -1, first_infinite = -1;
    for (long long k = 0; k < (long long)r->nx * r->ny; k++) {
        if (fabsf(r->values[k]) <= HEIGHT_MOST)
            continue;
        const bool nan = isnan(r->values[k]);
        missing += nan;
        infinite += !nan;
        first = nan && first < 0 ? k : first;
        first_infinite = !nan && first_infinite < 0 ? k : first_infinite;
    }
    *out_missing = missing;
    if (infinite)
        return ri_error(ctx, RI_ERR_FORMAT,
                        "heights: %lld of %d x %d are infinite or beyond %g m, the first at column %lld, row %lld",
                        infinite, r->nx, r->ny, (double)HEIGHT_MOST, first_infinite % r->nx, first_infinite / r->nx);
    if (missing && def->holes == RI_HOLES_REFUSE)
        return ri_error(
            ctx, RI_ERR_FORMAT,
            "heights: %lld of %d x %d are missing, the first at column %lld, row %lld; allowed if holes are "
            "to be filled",
            missing, r->nx, r->ny, first % r->nx, first / r->nx);
    return RI_OK;
}

static void add_ghosts(float *v, ptrdiff_t row, int nx, int ny)
{
    for (int j = 0; j < ny; j++) {
        ri_heights_extrapolate(v + j * row, 1, nx);
        ri_heights_extrapolate(v + j * row + nx - 1, -1, nx);
    }
    for (int i = -1; i <= nx; i++) {
        ri_heights_extrapolate(v + i, row, ny);
        ri_heights_extrapolate(v + (ny - 1) * row + i, -row, ny);
    }
}

static RiStatus mark_filled(RiHeights *h, const RiRaster *r)
{
    const size_t cells = (size_t)(h->nx - 1) * (size_t)(h->ny - 1), words = cells / 32 + 1;
    h->filled = ri_arena_alloc(&h->terrain.arena, words, sizeof *h->filled);
    if (!h->filled)
        return ri_error_memory(h->terrain.ctx);
    h->bytes += words * sizeof *h->filled;
    for (int j = 0; j < h->ny - 1; j++)
        for (int i = 0; i < h->nx - 1; i++) {
            const float *v = r->values + (size_t)j * (size_t)r->nx + i;
            const size_t cell = (size_t)j * (size_t)(h->nx - 1) + (size_t)i;
            if (isnan(v[0]) || isnan(v[1]) || isnan(v[r->nx]) || isnan(v[r->nx + 1]))
                h->filled[cell / 32] |= 1u << (cell % 32);
        }
    return RI_OK;
}

/// The values with holes filled, row by row in memory of their own.
static RiStatus fill_copy(RiHeights *h, const RiRaster *r, float *v)
{
    RiContext *ctx = h->terrain.ctx;
    const size_t n = (size_t)r->nx * (size_t)r->ny;
    float *copy = ri_alloc(ctx, n, sizeof *copy);
    if (!copy)
        return ri_error_memory(ctx);
    memcpy(copy, r->values, n * sizeof *copy);
    const RiStatus status = ri_raster_fill(ctx, r->nx, r->ny, copy, NULL);
    for (int j = 0; j < r->ny; j++)
        memcpy(v + j * h->row, copy + (size_t)j * (size_t)r->nx, (size_t)r->nx * sizeof *copy);
    ri_release(ctx, copy);
    return status;
}

static RiStatus build(RiHeights *h, const RiHeightsDef *def, long long missing)
{
    const RiRaster *r = def->raster;
    const size_t row = (size_t)r->nx + 2, count = row * ((size_t)r->ny + 2);
    float *store = ri_arena_alloc(&h->terrain.arena, count, sizeof *store);
    if (!store)
        return ri_error_memory(h->terrain.ctx);
    h->bytes += count * sizeof *store;
    h->row = (ptrdiff_t)row;
    float *v = store + row + 1;
    h->v = v;
    if (missing) {
        RI_TRY(fill_copy(h, r, v));
        RI_TRY(mark_filled(h, r));
    } else
        for (int j = 0; j < r->ny; j++)
            memcpy(v + j * h->row, r->values + (size_t)j * (size_t)r->nx, (size_t)r->nx * sizeof *v);
    for (int j = 0; j < r->ny; j++)
        ri_heights_settle(v + j * h->row, (size_t)r->nx);
    add_ghosts(v, h->row, r->nx, r->ny);
    int material;
    RI_TRY(ri_terrain_add_material(&h->terrain, def->material, &material));
    return ri_heights_build_levels(h);
}

RiHeightsDef ri_heights_def_default(void)
{
    return (RiHeightsDef){.interpolation = RI_BICUBIC, .edge = RI_EDGE_EXTEND, .holes = RI_HOLES_REFUSE};
}

RiStatus ri_terrain_create_heights(RiContext *ctx, const RiHeightsDef *def, RiTerrain **out_terrain)
{
    *out_terrain = NULL;
    const RiRaster *r = def->raster;
    RI_TRY(ri_raster_check_size(ctx, r->nx, r->ny, r->dx, r->dy));
    if (!isfinite(r->x0) || !isfinite(r->y0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "heights: origin (%g, %g) must be finite", r->x0, r->y0);
    long long missing;
    RI_TRY(check_values(ctx, def, &missing));
    RiTerrain *t;
    RI_TRY(ri_terrain_alloc(ctx, &heights_class, sizeof(RiHeights), &t));
    RiHeights *h = (RiHeights *)t;
    h->nx = r->nx;
    h->ny = r->ny;
    h->x0 = r->x0;
    h->y0 = r->y0;
    h->dx = r->dx;
    h->dy = r->dy;
    h->per_dx = 1.0 / r->dx;
    h->per_dy = 1.0 / r->dy;
    h->x1 = r->x0 + (r->nx - 1) * r->dx;
    h->y1 = r->y0 + (r->ny - 1) * r->dy;
    h->bicubic = def->interpolation == RI_BICUBIC;
    h->edge = def->edge;
    const RiStatus status = build(h, def, missing);
    if (status != RI_OK)
        ri_terrain_destroy(t);
    else
        *out_terrain = t;
    return status;
}
