// SPDX-License-Identifier: Apache-2.0
/// \file
/// Height fields: bilinear or bicubic heights with analytic slope and curvature, and signed distance.
///
/// **Distance.** With f = p_z - z(p_x, p_y) the sign is that of f, which is exact, the ground being single-valued. The closest point in the
/// neighbourhood is a root of the gradient of |p - q|^2 / 2 for q = (x, y, z(x, y)):
///
///     g = (x - p_x, y - p_y) + (z - p_z) grad z
///     H = 1 + grad z grad z^T + (z - p_z) Hess z
///
/// Newton's method with H, or without its last term where H is not positive definite (Gauss-Newton, always downhill), started below p on the
/// tangent plane. It runs within one cell at a time, in a box, and crosses a border when the slope beyond says so: a bilinear surface has
/// creases there, and its closest point often lies on one. On the surface the distance is 0 to the last bit; within the surface's radius of
/// curvature it is Euclidean to rounding; farther away it is the distance to a point of the ground that is a local minimum, never too small.
///
/// Test: tests/terrain/test_heights.c.
#include "terrain/heights.h"

#include <math.h>

#include "terrain/raster.h"

#define RI_INLINE static inline __attribute__((always_inline))

#define HEIGHT_MOST 1e9f ///< [m]

enum { GLIDES = 8, STEPS = 40, HALVINGS = 12 };

// --- heights ------------------------------------------------------------------------------------------------------------

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

RI_INLINE int flags_at(const RiHeights *h, int i, int j, bool outside)
{
    int flags = outside && h->edge == RI_EDGE_STOP ? RI_SURFACE_OUTSIDE : 0;
    if (h->filled) {
        const size_t cell = (size_t)j * (size_t)(h->nx - 1) + (size_t)i;
        flags |= h->filled[cell / 32] >> (cell % 32) & 1 ? RI_SURFACE_HOLE : 0;
    }
    return flags;
}

RI_INLINE double clamp(double x, double low, double high)
{
    return x > low ? (x < high ? x : high) : low; // NAN: low
}

RI_INLINE void height_at(const RiHeights *h, bool bicubic, double x, double y, RiHeight *out)
{
    const double a = (x - h->x0) * h->per_dx, b = (y - h->y0) * h->per_dy;
    const double u = clamp(a, 0.0, (double)(h->nx - 1)), v = clamp(b, 0.0, (double)(h->ny - 1));
    int i = (int)u, j = (int)v;
    i = i < h->nx - 2 ? i : h->nx - 2;
    j = j < h->ny - 2 ? j : h->ny - 2;
    RiPatch p;
    const int hole = patch(h, bicubic, i, j, u - i, v - j, &p);
    // Beyond the border nothing changes across it.
    const bool in_x = x >= h->x0 && x <= h->x1, in_y = y >= h->y0 && y <= h->y1;
    const double kx = in_x ? h->per_dx : 0.0, ky = in_y ? h->per_dy : 0.0;
    *out = (RiHeight){.z = p.z,
                      .zx = p.zs * kx,
                      .zy = p.zt * ky,
                      .zxx = p.zss * kx * kx,
                      .zxy = p.zst * kx * ky,
                      .zyy = p.ztt * ky * ky,
                      .flags = hole | flags_at(h, i, j, !(in_x && in_y))};
    if (isnan(a + b))
        out->z = NAN;
}

bool ri_heights_height(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    const RiHeights *h = (const RiHeights *)t;
    height_at(h, h->bicubic, x, y, out);
    return out->z <= from;
}

RI_INLINE void batch(const RiHeights *h, bool bicubic, int count, const double *x, const double *y, RiHeight *out)
{
    for (int k = 0; k < count; k++)
        height_at(h, bicubic, x[k], y[k], &out[k]);
}

void ri_heights_height_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                            bool *out_found)
{
    const RiHeights *h = (const RiHeights *)t;
    if (h->bicubic)
        batch(h, true, count, x, y, out);
    else
        batch(h, false, count, x, y, out);
    for (int k = 0; out_found && k < count; k++)
        out_found[k] = out[k].z <= INFINITY;
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

// --- closest point ------------------------------------------------------------------------------------------------------

/// A point of the ground seen as part of cell (i, j), and the gradient of half the squared distance to p there.
typedef struct Foot {
    int i, j;
    double x, y;
    RiPatch at; ///< derivatives by x and y
    double gx, gy, cost;
} Foot;

static void look(const RiHeights *h, RiVec3 p, Foot *f)
{
    ri_heights_cell(h, f->i, f->j, f->x, f->y, &f->at);
    const double ex = f->x - p.x, ey = f->y - p.y, ez = f->at.z - p.z;
    f->gx = ex + ez * f->at.zs;
    f->gy = ey + ez * f->at.zt;
    f->cost = ex * ex + ey * ey + ez * ez;
}

static Foot foot_at(const RiHeights *h, RiVec3 p, double x, double y)
{
    Foot f = {.i = ri_heights_index((x - h->x0) * h->per_dx, h->nx),
              .j = ri_heights_index((y - h->y0) * h->per_dy, h->ny),
              .x = x,
              .y = y};
    look(h, p, &f);
    return f;
}

/// Where cell i begins; the outermost cells never end.
RI_INLINE double border(double x0, double dx, int i, int n)
{
    return i < 0 ? -INFINITY : i >= n ? INFINITY : x0 + i * dx;
}

/// Steps along the tangent plane over any number of cells, as long as it gets nearer.
static Foot glide(const RiHeights *h, RiVec3 p, Foot f)
{
    for (int k = 0; k < GLIDES; k++) {
        const double scale = (f.at.z - p.z) / (1.0 + f.at.zs * f.at.zs + f.at.zt * f.at.zt);
        const double ex = p.x - f.x, ey = p.y - f.y; // tangent step of the remaining offset
        const double along = (ex * f.at.zs + ey * f.at.zt) / (1.0 + f.at.zs * f.at.zs + f.at.zt * f.at.zt);
        const double sx = ex - (scale + along) * f.at.zs, sy = ey - (scale + along) * f.at.zt;
        if (fabs(sx) <= h->dx && fabs(sy) <= h->dy)
            break;
        const Foot next = foot_at(h, p, f.x + sx, f.y + sy);
        if (!(next.cost < f.cost))
            break;
        f = next;
    }
    return f;
}

/// Whether a coordinate that wants to go out of its cell (by sign of g) may not, because the neighbour's slope sends it back.
static bool blocked(const RiHeights *h, RiVec3 p, Foot *f, bool along_x)
{
    const double g = along_x ? f->gx : f->gy, at = along_x ? f->x : f->y;
    const int n = along_x ? h->nx : h->ny, i = along_x ? f->i : f->j;
    const double origin = along_x ? h->x0 : h->y0, step = along_x ? h->dx : h->dy;
    const bool back = g > 0.0 && at <= border(origin, step, i, n);
    const bool on = g < 0.0 && at >= border(origin, step, i + 1, n);
    if (!back && !on)
        return false;
    Foot beyond = *f;
    *(along_x ? &beyond.i : &beyond.j) += back ? -1 : 1;
    look(h, p, &beyond);
    if ((along_x ? beyond.gx : beyond.gy) * g <= 0.0)
        return true;
    *f = beyond;
    return false;
}

/// Newton's step in the coordinates that are free.
static void newton(const Foot *f, double ez, bool hold_x, bool hold_y, double *sx, double *sy)
{
    const RiPatch *a = &f->at;
    double xx = 1.0 + a->zs * a->zs, xy = a->zs * a->zt, yy = 1.0 + a->zt * a->zt;
    const double nxx = xx + ez * a->zss, nxy = xy + ez * a->zst, nyy = yy + ez * a->ztt;
    const bool definite = hold_x   ? nyy > 0.1 * yy
                          : hold_y ? nxx > 0.1 * xx
                                   : nxx > 0.0 && nxx * nyy - nxy * nxy > 0.01 * (xx * yy - xy * xy);
    if (definite) {
        xx = nxx;
        xy = nxy;
        yy = nyy;
    }
    const double det = xx * yy - xy * xy;
    *sx = hold_x ? 0.0 : hold_y ? -f->gx / xx : (xy * f->gy - yy * f->gx) / det;
    *sy = hold_y ? 0.0 : hold_x ? -f->gy / yy : (xy * f->gx - xx * f->gy) / det;
}

/// One step within the cell's box, shortened until it gets nearer. False when it is as near as it gets.
static bool step_in_cell(const RiHeights *h, RiVec3 p, Foot *f, double sx, double sy)
{
    const double west = border(h->x0, h->dx, f->i, h->nx), east = border(h->x0, h->dx, f->i + 1, h->nx);
    const double south = border(h->y0, h->dy, f->j, h->ny), north = border(h->y0, h->dy, f->j + 1, h->ny);
    for (int k = 0; k < HALVINGS; k++, sx *= 0.5, sy *= 0.5) {
        Foot next = *f;
        next.x = clamp(f->x + sx, west, east);
        next.y = clamp(f->y + sy, south, north);
        look(h, p, &next);
        if (next.cost < f->cost) {
            const bool small = fabs(next.x - f->x) <= 1e-9 * h->dx && fabs(next.y - f->y) <= 1e-9 * h->dy;
            *f = next;
            return !small;
        }
    }
    return false;
}

static Foot closest(const RiHeights *h, RiVec3 p, Foot f)
{
    for (int k = 0; k < STEPS; k++) {
        const bool hold_x = blocked(h, p, &f, true), hold_y = blocked(h, p, &f, false);
        if (hold_x && hold_y)
            break;
        double sx, sy;
        newton(&f, f.at.z - p.z, hold_x, hold_y, &sx, &sy);
        if (!step_in_cell(h, p, &f, sx, sy))
            break;
    }
    return f;
}

// --- queries ------------------------------------------------------------------------------------------------------------

static RiVec3 upward(double zx, double zy)
{
    return ri_scale(1.0 / sqrt(1.0 + zx * zx + zy * zy), ri_vec3(-zx, -zy, 1.0));
}

/// The wall on the border, its solid side outside; the nearer of the two surfaces answers.
static void meet_wall(const RiHeights *h, RiVec3 p, RiSurface *out)
{
    const double d[4] = {p.x - h->x0, h->x1 - p.x, p.y - h->y0, h->y1 - p.y};
    static const RiVec3 inward[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    const double ox = fmax(fmax(-d[0], -d[1]), 0.0), oy = fmax(fmax(-d[2], -d[3]), 0.0), out_by = hypot(ox, oy);
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

static void query_one(const RiHeights *h, RiVec3 p, RiSurface *out)
{
    RiHeight ground;
    height_at(h, h->bicubic, p.x, p.y, &ground);
    *out = (RiSurface){.normal = upward(ground.zx, ground.zy), .flags = ground.flags};
    const double above = p.z - ground.z;
    if (!isfinite(above)) {
        out->distance = above;
        return;
    }
    if (above != 0.0) {
        const Foot f = closest(h, p, glide(h, p, foot_at(h, p, p.x, p.y)));
        const RiVec3 to = ri_sub(p, ri_vec3(f.x, f.y, f.at.z));
        const double d = ri_norm(to);
        out->distance = copysign(d, above);
        // Close to the surface the direction from foot to point drowns in rounding.
        out->normal = d > 1e-6 * h->dx ? ri_scale(1.0 / out->distance, to) : upward(f.at.zs, f.at.zt);
    }
    if (h->edge == RI_EDGE_WALL)
        meet_wall(h, p, out);
}

void ri_heights_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    for (int k = 0; k < count; k++)
        query_one((const RiHeights *)t, points[k], &out[k]);
}

static void heights_info(const RiTerrain *t, RiTerrainInfo *out)
{
    const RiHeights *h = (const RiHeights *)t;
    out->low = ri_vec3(h->x0, h->y0, h->low);
    out->high = ri_vec3(h->x1, h->y1, h->high);
    out->single_valued = true;
    out->cell = fmin(h->dx, h->dy);
    out->cells = (long long)(h->nx - 1) * (h->ny - 1);
    out->bytes = sizeof *h + h->bytes;
}

static const RiTerrainClass heights_class = {.kind = "heights",
                                             .info = heights_info,
                                             .query_many = ri_heights_query_many,
                                             .height = ri_heights_height,
                                             .height_many = ri_heights_height_many,
                                             .ray = ri_heights_ray};

// --- building -----------------------------------------------------------------------------------------------------------

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
