// SPDX-License-Identifier: Apache-2.0
/// \file
/// Large maps: a height field whose values are paged in (pages.h), and a finer patch that goes over
/// into it.
///
/// Heights, distances and rays are those of heights.c; only the values come from elsewhere.
///
/// **Patch.** Inside the patch's bounds z = m + w (p - m), with m the map, p the patch and w = a(x)
/// b(y), where a and b rise from 0 on the bounds to 1 at the depth `blend` as 6 u^5 - 15 u^4 + 10
/// u^3: slope and curvature are continuous, and are differentiated exactly. Where w = 1 distances
/// and rays are the patch's own, outside the map's; in the ring between distances are right to
/// first order.
#include "base/functions.h"
#include "terrain/heights.h"
#include "terrain/pages.h"

#include <math.h>

typedef struct Tiles {
    RiHeights heights; ///< first: functions of heights.c take it
    RiPages *pages;
    int stop_flags; ///< on top where a hole was filled
    const RiTerrain *patch;
    int *patch_material; ///< ours of each of the patch's
    double blend, patch_cell;
    double low[2], high[2]; ///< bounds of the patch
} Tiles;

// --- the map -------------------------------------------------------------------------------------

static int tiles_cell(const RiHeights *h, int i, int j, float out_values[16])
{
    const Tiles *t = (const Tiles *)h;
    const int flags = ri_pages_cell(t->pages, i, j, out_values);
    return flags ? flags | t->stop_flags : 0;
}

static void tiles_range(const RiHeights *h, int level, int a, int b, float out[2])
{
    ri_pages_range(((const Tiles *)h)->pages, level, a, b, out);
}

static float tiles_curvature(const RiHeights *h, int a, int b)
{
    return ri_pages_curvature(((const Tiles *)h)->pages, a, b);
}

static const RiHeightsPages paged = {tiles_cell, tiles_range, tiles_curvature};

// --- the patch -----------------------------------------------------------------------------------

/// A weight along one axis with its derivatives.
typedef struct Weight {
    double w, d, dd;
} Weight;

/// Rises from 0 at u = 0 to 1 at u = 1, with no slope and curvature at both.
static Weight rise(double u, double width)
{
    if (!(u > 0.0))
        return (Weight){0.0, 0.0, 0.0};
    if (u >= width)
        return (Weight){1.0, 0.0, 0.0};
    const double s = u / width, k = 1.0 / width;
    return (Weight){s * s * s * (10.0 + s * (6.0 * s - 15.0)), 30.0 * s * s * (1.0 - s) * (1.0 - s) * k,
                    60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) * k * k};
}

/// Product of the rises from both ends.
static Weight weight_along(double x, double low, double high, double width)
{
    const Weight a = rise(x - low, width), b = rise(high - x, width);
    return (Weight){a.w * b.w, a.d * b.w - a.w * b.d, a.dd * b.w - 2.0 * a.d * b.d + a.w * b.dd};
}

static bool in_patch(const Tiles *t, double x, double y)
{
    return t->patch && x > t->low[0] && x < t->high[0] && y > t->low[1] && y < t->high[1];
}

/// Whether the patch alone counts.
static bool in_core(const Tiles *t, double x, double y)
{
    const double b = t->blend;
    return t->patch && x >= t->low[0] + b && x <= t->high[0] - b && y >= t->low[1] + b && y <= t->high[1] - b;
}

/// The map's ground at (x, y), given in `out`, goes over into the patch's.
static void blend_in(const Tiles *t, double x, double y, RiHeight *out)
{
    RiHeight p;
    if (!ri_terrain_height(t->patch, x, y, &p))
        return;
    const Weight a = weight_along(x, t->low[0], t->high[0], t->blend),
                 b = weight_along(y, t->low[1], t->high[1], t->blend);
    const double w = a.w * b.w, wx = a.d * b.w, wy = a.w * b.d;
    const double z = p.z - out->z, zx = p.zx - out->zx, zy = p.zy - out->zy;
    if (w == 1.0) { // to the last bit
        const int material = t->patch_material[p.material];
        *out = p;
        out->material = material;
        return;
    }
    out->zxx += a.dd * b.w * z + 2.0 * wx * zx + w * (p.zxx - out->zxx);
    out->zyy += a.w * b.dd * z + 2.0 * wy * zy + w * (p.zyy - out->zyy);
    out->zxy += a.d * b.d * z + wx * zy + wy * zx + w * (p.zxy - out->zxy);
    out->zx += wx * z + w * zx;
    out->zy += wy * z + w * zy;
    out->z += w * z;
    out->flags |= p.flags;
    if (w >= 0.5)
        out->material = t->patch_material[p.material];
}

// --- questions -----------------------------------------------------------------------------------

static bool tiles_height(const RiTerrain *terrain, double x, double y, double from, RiHeight *out)
{
    const Tiles *t = (const Tiles *)terrain;
    ri_heights_height(terrain, x, y, INFINITY, out);
    if (in_patch(t, x, y))
        blend_in(t, x, y, out);
    return out->z <= from;
}

static void tiles_height_many(const RiTerrain *terrain, int count, const double *x, const double *y, RiHeight *out,
                              bool *out_found)
{
    const Tiles *t = (const Tiles *)terrain;
    ri_heights_height_many(terrain, count, x, y, out, out_found);
    for (int k = 0; t->patch && k < count; k++)
        if (in_patch(t, x[k], y[k]))
            blend_in(t, x[k], y[k], &out[k]);
}

/// In the ring: height over the ground, across its slope.
static void query_ring(const Tiles *t, RiVec3 p, RiSurface *out)
{
    RiHeight h;
    tiles_height(&t->heights.terrain, p.x, p.y, INFINITY, &h);
    const double steep = 1.0 / sqrt(1.0 + h.zx * h.zx + h.zy * h.zy);
    *out = (RiSurface){.distance = (p.z - h.z) * steep,
                       .normal = ri_vec3(-h.zx * steep, -h.zy * steep, steep),
                       .material = h.material,
                       .flags = h.flags};
}

static void tiles_query_many(const RiTerrain *terrain, int count, const RiVec3 *points, RiSurface *out)
{
    const Tiles *t = (const Tiles *)terrain;
    for (int k = 0; k < count; k++) {
        const RiVec3 p = points[k];
        if (in_core(t, p.x, p.y)) {
            ri_terrain_query(t->patch, p, &out[k]);
            out[k].material = t->patch_material[out[k].material];
        } else if (in_patch(t, p.x, p.y))
            query_ring(t, p, &out[k]);
        else
            ri_heights_query_many(terrain, 1, &p, &out[k]);
    }
}

// --- rays ----------------------------------------------------------------------------------------

typedef struct Ray {
    const Tiles *t;
    RiVec3 origin, direction;
} Ray;

static RiVec3 point_at(const Ray *r, double s)
{
    return ri_add(r->origin, ri_scale(s, r->direction));
}

/// Part [s0, s1] of a ray within a box in x and y; false if there is none.
static bool clip(const Ray *r, double inset, double *s0, double *s1)
{
    const double o[2] = {r->origin.x, r->origin.y}, d[2] = {r->direction.x, r->direction.y};
    for (int k = 0; k < 2; k++) {
        const double low = r->t->low[k] + inset, high = r->t->high[k] - inset;
        if (d[k] == 0.0) {
            if (!(o[k] > low && o[k] < high))
                return false;
            continue;
        }
        const double a = (low - o[k]) / d[k], b = (high - o[k]) / d[k];
        *s0 = fmax(*s0, fmin(a, b));
        *s1 = fmin(*s1, fmax(a, b));
    }
    return *s0 < *s1;
}

/// The map's or the patch's own answer on a part of the ray.
static bool part_ray(const Ray *r, const RiTerrain *patch, double s0, double s1, RiTerrainHit *out)
{
    const RiVec3 from = point_at(r, s0);
    if (!(s1 > s0))
        return false;
    const bool found = patch ? ri_terrain_ray(patch, from, r->direction, s1 - s0, out)
                             : ri_heights_ray(&r->t->heights.terrain, from, r->direction, s1 - s0, out);
    if (found) {
        out->range += s0;
        out->material = patch ? r->t->patch_material[out->material] : out->material;
    }
    return found;
}

static double above_ground(const Ray *r, double s)
{
    RiHeight h;
    const RiVec3 p = point_at(r, s);
    tiles_height(&r->t->heights.terrain, p.x, p.y, INFINITY, &h);
    return p.z - h.z;
}

/// In the ring: steps of half a cell of the patch, then bisection.
static bool ring_ray(const Ray *r, double s0, double s1, RiTerrainHit *out)
{
    if (!(s1 > s0))
        return false;
    const double length = ri_norm(r->direction) * (s1 - s0),
                 steps = ceil(fmin(fmax(2.0 * length / r->t->patch_cell, 1.0), 1e6));
    double free = s0, solid = s0;
    bool found = above_ground(r, s0) <= 0.0;
    for (double k = 1.0; !found && k <= steps; k++) {
        solid = k == steps ? s1 : s0 + (s1 - s0) * (k / steps);
        found = above_ground(r, solid) <= 0.0;
        free = found ? free : solid;
    }
    if (!found)
        return false;
    for (int k = 0; k < 60 && solid - free > 1e-15 * solid; k++) {
        const double mid = 0.5 * (free + solid);
        *(above_ground(r, mid) > 0.0 ? &free : &solid) = mid;
    }
    RiSurface at;
    *out = (RiTerrainHit){.range = solid, .point = point_at(r, solid)};
    query_ring(r->t, out->point, &at);
    out->normal = at.normal;
    out->material = at.material;
    return true;
}

static bool tiles_ray(const RiTerrain *terrain, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out)
{
    const Ray r = {(const Tiles *)terrain, origin, direction};
    double b0 = 0.0, b1 = range, c0 = 0.0, c1 = range;
    if (!r.t->patch || !clip(&r, 0.0, &b0, &b1))
        return ri_heights_ray(terrain, origin, direction, range, out);
    if (!clip(&r, r.t->blend, &c0, &c1))
        c0 = c1 = b1; // only through the ring
    return part_ray(&r, NULL, 0.0, b0, out) || ring_ray(&r, b0, c0, out) || part_ray(&r, r.t->patch, c0, c1, out) ||
           ring_ray(&r, c1, b1, out) || part_ray(&r, NULL, b1, range, out);
}

// --- overview ------------------------------------------------------------------------------------

/// Finest level whose values are no closer than the raster's.
static int level_for(const Tiles *t, const RiRaster *r)
{
    const double ratio = fmin(r->dx / t->heights.dx, r->dy / t->heights.dy);
    const int level = ratio >= 2.0 ? (int)floor(ri_log2(ratio)) : 0;
    return level < t->pages->source.levels ? level : t->pages->source.levels - 1;
}

/// Place of coordinate x among n values of a level, and the window that `count` of them from x0
/// need.
typedef struct Span {
    double first, step; ///< in values of the level
    int from, count;
} Span;

static Span span_of(double x0, double dx, int count, double map_x0, double map_dx, int map_n, int level)
{
    const double size = ldexp(1.0, level);
    const int n = (int)ceil(map_n / size);
    Span s = {.first = ((x0 - map_x0) / map_dx + 0.5) / size - 0.5, .step = dx / (map_dx * size)};
    const double last = s.first + (count - 1) * s.step;
    s.from = (int)fmin(fmax(floor(s.first), 0.0), n - 1.0);
    s.count = (int)fmin(fmax(floor(last) + 1.0, s.from), n - 1.0) - s.from + 1;
    return s;
}

static double pick(const float *v, const Span *x, const Span *y, int i, int j)
{
    const double u = fmin(fmax(x->first + i * x->step - x->from, 0.0), x->count - 1.0);
    const double w = fmin(fmax(y->first + j * y->step - y->from, 0.0), y->count - 1.0);
    const int a = (int)u, b = (int)w, a1 = a + 1 < x->count ? a + 1 : a, b1 = b + 1 < y->count ? b + 1 : b;
    const float *south = v + (size_t)b * (size_t)x->count, *north = v + (size_t)b1 * (size_t)x->count;
    return (1.0 - (w - b)) * ((1.0 - (u - a)) * (double)south[a] + (u - a) * (double)south[a1]) +
           (w - b) * ((1.0 - (u - a)) * (double)north[a] + (u - a) * (double)north[a1]);
}

/// Rows of the raster from j on, `count` of them, out of one window of the level.
static RiStatus draw_rows(const Tiles *t, RiRaster *r, int level, int j, int count)
{
    const RiHeights *h = &t->heights;
    const Span x = span_of(r->x0, r->dx, r->nx, h->x0, h->dx, h->nx, level);
    const Span y = span_of(r->y0 + j * r->dy, r->dy, count, h->y0, h->dy, h->ny, level);
    float *v = ri_alloc(r->ctx, ri_pages_room(x.count, y.count), sizeof *v);
    if (!v)
        return ri_error_memory(r->ctx);
    const bool read = ri_pages_read(t->pages, level, x.from, y.from, x.count, y.count, v);
    for (int b = 0; b < count; b++)
        for (int a = 0; a < r->nx; a++)
            r->values[(size_t)(j + b) * (size_t)r->nx + (size_t)a] = read ? (float)pick(v, &x, &y, a, b) : NAN;
    ri_release(r->ctx, v);
    return RI_OK;
}

static RiStatus tiles_overview(const RiTerrain *terrain, RiRaster *r)
{
    const Tiles *t = (const Tiles *)terrain;
    const int level = level_for(t, r), rows = 1 + (1 << 20) / r->nx;
    for (int j = 0; level > 0 && j < r->ny; j += rows)
        RI_TRY(draw_rows(t, r, level, j, r->ny - j < rows ? r->ny - j : rows));
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            const double x = r->x0 + i * r->dx, y = r->y0 + j * r->dy;
            RiHeight at;
            if ((level == 0 || in_patch(t, x, y)) && tiles_height(terrain, x, y, INFINITY, &at))
                r->values[(size_t)j * (size_t)r->nx + (size_t)i] = (float)at.z;
        }
    return RI_OK;
}

// --- life ----------------------------------------------------------------------------------------

static void tiles_info(const RiTerrain *terrain, RiTerrainInfo *out)
{
    const Tiles *t = (const Tiles *)terrain;
    const RiHeights *h = &t->heights;
    double low, high;
    ri_pages_bounds(t->pages, &low, &high, &out->ambiguous);
    out->single_valued = true;
    out->cell = fmin(h->dx, h->dy);
    out->cells = (long long)(h->nx - 1) * (h->ny - 1);
    out->bytes = sizeof *t + t->pages->bytes;
    if (t->patch) {
        const RiTerrainInfo patch = ri_terrain_info(t->patch);
        low = fmin(low, patch.low.z);
        high = fmax(high, patch.high.z);
        out->cell = patch.cell > 0.0 ? fmin(out->cell, patch.cell) : out->cell;
    }
    out->low = ri_vec3(h->x0, h->y0, low);
    out->high = ri_vec3(h->x1, h->y1, high);
}

static void tiles_destroy(RiTerrain *terrain)
{
    Tiles *t = (Tiles *)terrain;
    if (t->pages)
        ri_pages_destroy(t->pages);
}

static const RiTerrainClass tiles_class = {.kind = "tiles",
                                           .destroy = tiles_destroy,
                                           .info = tiles_info,
                                           .query_many = tiles_query_many,
                                           .height = tiles_height,
                                           .height_many = tiles_height_many,
                                           .overview = tiles_overview,
                                           .ray = tiles_ray};

static RiStatus add_patch(Tiles *t, const RiTilesDef *def)
{
    const RiTerrainInfo info = ri_terrain_info(def->patch);
    const double wide = info.high.x - info.low.x, deep = info.high.y - info.low.y;
    if (!info.single_valued || !isfinite(wide) || !isfinite(deep) || !(wide > 0.0 && deep > 0.0))
        return ri_error(t->heights.terrain.ctx, RI_ERR_ARGUMENT,
                        "tiles: a patch must have bounds and one height for each place; this one is '%s'", info.kind);
    if (!(def->blend >= 0.0 && 2.0 * def->blend <= fmin(wide, deep)))
        return ri_error(t->heights.terrain.ctx, RI_ERR_ARGUMENT,
                        "tiles: blend is %g m, allowed are 0 to half of the patch's side, %g m", def->blend,
                        0.5 * fmin(wide, deep));
    const int count = ri_terrain_material_count(def->patch);
    t->patch_material = ri_arena_alloc(&t->heights.terrain.arena, (size_t)count + 1, sizeof *t->patch_material);
    if (!t->patch_material)
        return ri_error_memory(t->heights.terrain.ctx);
    for (int k = 0; k < count; k++)
        RI_TRY(ri_terrain_add_material(&t->heights.terrain, ri_terrain_material_name(def->patch, k),
                                       &t->patch_material[k]));
    t->low[0] = info.low.x;
    t->low[1] = info.low.y;
    t->high[0] = info.high.x;
    t->high[1] = info.high.y;
    t->blend = def->blend;
    t->patch_cell = info.cell > 0.0 ? info.cell : fmin(t->heights.dx, t->heights.dy);
    t->patch = def->patch;
    return RI_OK;
}

static void place(RiHeights *h, const RiTilesDef *def)
{
    const RiTileSource *s = &def->source;
    h->pages = &paged;
    h->nx = s->nx;
    h->ny = s->ny;
    h->x0 = s->x0;
    h->y0 = s->y0;
    h->dx = s->dx;
    h->dy = s->dy;
    h->per_dx = 1.0 / s->dx;
    h->per_dy = 1.0 / s->dy;
    h->x1 = s->x0 + (s->nx - 1) * s->dx;
    h->y1 = s->y0 + (s->ny - 1) * s->dy;
    h->bicubic = def->interpolation == RI_BICUBIC;
    h->edge = def->edge;
    h->levels = RI_PAGE_LEVELS;
    h->low = -1e9; // nothing is known before it is read
    h->high = 1e9;
}

RiTilesDef ri_tiles_def_default(void)
{
    return (RiTilesDef){
        .memory = (size_t)128 << 20, .interpolation = RI_BICUBIC, .edge = RI_EDGE_EXTEND, .holes = RI_HOLES_REFUSE};
}

static RiStatus build(Tiles *t, const RiTilesDef *def)
{
    RiTerrain *terrain = &t->heights.terrain;
    const size_t memory = def->memory ? def->memory : (size_t)128 << 20;
    place(&t->heights, def);
    t->stop_flags = def->holes == RI_HOLES_FILL ? 0 : RI_SURFACE_OUTSIDE;
    int material;
    RI_TRY(ri_terrain_add_material(terrain, def->material, &material));
    RI_TRY(ri_pages_create(&terrain->arena, &def->source, memory, t->heights.bicubic, &t->pages));
    return def->patch ? add_patch(t, def) : RI_OK;
}

RiStatus ri_terrain_create_tiles(RiContext *ctx, const RiTilesDef *def, RiTerrain **out_terrain)
{
    *out_terrain = NULL;
    RiTerrain *t;
    RiStatus status = ri_terrain_alloc(ctx, &tiles_class, sizeof(Tiles), &t);
    if (status == RI_OK) {
        status = build((Tiles *)t, def);
        const bool taken = ((Tiles *)t)->pages != NULL;
        if (status == RI_OK) {
            *out_terrain = t;
            return RI_OK;
        }
        ri_terrain_destroy(t);
        if (taken)
            return status;
    }
    if (def->source.close)
        def->source.close(def->source.user);
    return status;
}
