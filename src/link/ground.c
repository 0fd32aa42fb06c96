// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain as a pyramid of tiles: level k has 2^k x 2^k tiles of 129 x 129 heights, down to the
/// terrain's own resolution or 1025 heights on a side; around the robot's start further levels,
/// down to its own resolution. Neighbours share their border heights. Far levels of paged maps come
/// from their overviews. Ground with overhangs is shown as a mesh of what lies around the robot at
/// the start.
#include "link/ground.h"

#include <math.h>
#include <string.h>

#include "link/surface.h"

enum { SIDE = 129, LEVELS = 4, NONE = 65535 };

static const double around = 50.0; ///< shown of ground without bounds, on each side of the base [m]

/// The part of the ground that is shown.
typedef struct Area {
    const RiTerrain *terrain;
    RiTerrainInfo info;
    double x0, y0, x1, y1;
    double cell; ///< finest that is worth sending [m]
} Area;

static Area area_of(const RiSim *sim)
{
    Area a = {.terrain = ri_sim_terrain(sim)};
    if (!a.terrain)
        return a;
    a.info = ri_terrain_info(a.terrain);
    const double low[2] = {a.info.low.x, a.info.low.y}, high[2] = {a.info.high.x, a.info.high.y};
    double from[2], to[2];
    for (int i = 0; i < 2; i++) {
        from[i] = isfinite(low[i]) ? low[i] : isfinite(high[i]) ? high[i] - 2.0 * around : -around;
        to[i] = isfinite(high[i]) ? high[i] : from[i] + 2.0 * around;
    }
    a.x0 = from[0];
    a.y0 = from[1];
    a.x1 = to[0];
    a.y1 = to[1];
    a.cell = a.info.cell > 0.0 ? a.info.cell : 0.05;
    return a;
}

/// Whether there is ground a whole side beyond the part that is shown, in all four directions; of
/// ground with overhangs: whether it has no bounds.
static bool goes_on(const Area *a)
{
    if (!a->info.single_valued)
        return isinf(a->info.low.x) && isinf(a->info.high.x) && isinf(a->info.low.y) && isinf(a->info.high.y);
    const double x = 0.5 * (a->x0 + a->x1), y = 0.5 * (a->y0 + a->y1);
    const double at[4][2] = {
        {2.0 * a->x0 - a->x1, y}, {2.0 * a->x1 - a->x0, y}, {x, 2.0 * a->y0 - a->y1}, {x, 2.0 * a->y1 - a->y0}};
    for (int i = 0; i < 4; i++) {
        RiHeight h;
        if (!ri_terrain_height(a->terrain, at[i][0], at[i][1], &h) || !isfinite(h.z))
            return false;
    }
    return true;
}

/// Names of the materials and, where a soil map has them, of the soils on top.
static void put_materials(RiText *out, const RiTerrain *terrain, const RiSoilMap *map)
{
    for (int i = 0; i < ri_terrain_material_count(terrain) && i < 256; i++) {
        ri_text_add(out, i ? ",{\"name\":" : "{\"name\":");
        ri_text_string(out, ri_terrain_material_name(terrain, i));
        ri_text_add(out, ",\"soil\":");
        if (map && i < ri_soil_map_region_count(map) && ri_soil_map_region(map, i)->layer_count > 0)
            ri_text_string(out, ri_soils_get(ri_soil_map_soils(map), ri_soil_map_region(map, i)->layers[0].soil)->name);
        else
            ri_text_add(out, "null");
        ri_text_add(out, "}");
    }
}

void ri_ground_member(RiText *out, const RiSim *sim, const RiTerrainFile *file)
{
    const Area a = area_of(sim);
    if (!a.terrain) {
        ri_text_add(out, "null");
        return;
    }
    ri_text_add(out, "{\"kind\":");
    ri_text_string(out, a.info.kind);
    const char *const names[4] = {"x0", "y0", "x1", "y1"};
    const double values[4] = {a.x0, a.y0, a.x1, a.y1};
    for (int i = 0; i < 4; i++) {
        ri_text_format(out, ",\"%s\":", names[i]);
        ri_text_number(out, values[i], 12);
    }
    ri_text_format(out, ",\"extends\":%s,\"colour\":null,\"materials\":[", goes_on(&a) ? "true" : "false");
    put_materials(out, a.terrain, file ? ri_terrain_file_soil_map(file) : NULL);
    ri_text_add(out, "]}");
}

// --- tiles ---------------------------------------------------------------------------------------

static void put_number(RiText *t, uint64_t x, int bytes)
{
    unsigned char data[8];
    for (int i = 0; i < bytes; i++)
        data[i] = (unsigned char)(x >> (8 * i));
    ri_text_put(t, data, (size_t)bytes);
}

static void put_f32(RiText *t, double x)
{
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put_number(t, bits, 4);
}

/// Heights and materials of a tile.
typedef struct Tile {
    float z[SIDE * SIDE]; ///< NAN: none
    unsigned char material[SIDE * SIDE];
    double x0, y0, dx, dy, low, high;
} Tile;

/// Heights of a tile of a paged map from its overview: no page is read for a look from afar.
/// Materials stay 0.
static RiStatus sample_overview(RiContext *ctx, const Area *a, Tile *t)
{
    RiRaster *r;
    RI_TRY(ri_terrain_overview(ctx, a->terrain, t->x0, t->y0, t->x0 + (SIDE - 1) * t->dx, t->y0 + (SIDE - 1) * t->dy,
                               SIDE, &r));
    for (int k = 0; k < SIDE * SIDE; k++) {
        const double u = (double)(k % SIDE) / (SIDE - 1) * (r->nx - 1),
                     v = (double)(k / SIDE) / (SIDE - 1) * (r->ny - 1);
        const int i = (int)fmin(u, r->nx - 2), j = (int)fmin(v, r->ny - 2);
        const float *z = r->values + (size_t)j * (size_t)r->nx + i;
        const double f = u - i, g = v - j;
        t->z[k] = (float)((1.0 - g) * ((1.0 - f) * (double)z[0] + f * (double)z[1]) +
                          g * ((1.0 - f) * (double)z[r->nx] + f * (double)z[r->nx + 1]));
        t->material[k] = 0;
    }
    ri_raster_destroy(r);
    return RI_OK;
}

static void sample_heights(const Area *a, Tile *t)
{
    for (int k = 0; k < SIDE * SIDE; k++) {
        RiHeight h;
        const bool there =
            ri_terrain_height(a->terrain, t->x0 + k % SIDE * t->dx, t->y0 + k / SIDE * t->dy, &h) && isfinite(h.z);
        t->z[k] = there ? (float)h.z : NAN;
        t->material[k] = there && h.material >= 0 && h.material < 256 ? (unsigned char)h.material : 0;
    }
}

static RiStatus sample_tile(RiContext *ctx, const Area *a, int level, int i, int j, Tile *t)
{
    const double tiles = ldexp(1.0, level), coarse = 4.0; // cells apart, from which a paged map is seen from afar
    t->dx = (a->x1 - a->x0) / tiles / (SIDE - 1);
    t->dy = (a->y1 - a->y0) / tiles / (SIDE - 1);
    t->x0 = a->x0 + i * (SIDE - 1) * t->dx;
    t->y0 = a->y0 + j * (SIDE - 1) * t->dy;
    t->low = INFINITY;
    t->high = -INFINITY;
    if (strcmp(a->info.kind, "tiles") == 0 && fmax(t->dx, t->dy) > coarse * a->cell)
        RI_TRY(sample_overview(ctx, a, t));
    else
        sample_heights(a, t);
    for (int k = 0; k < SIDE * SIDE; k++)
        if (!isnan(t->z[k])) {
            t->low = fmin(t->low, (double)t->z[k]);
            t->high = fmax(t->high, (double)t->z[k]);
        }
    return RI_OK;
}

static void write_tile(RiText *out, const Tile *t, int run, int level, int i, int j)
{
    const bool any = t->low <= t->high;
    const double base = any ? t->low : 0.0, step = any ? fmax((t->high - t->low) / (NONE - 1), 1e-9) : 1.0;
    put_number(out, 2u | (unsigned)run << 8, 4);
    put_number(out, (uint64_t)level, 4);
    put_number(out, (uint64_t)i, 4);
    put_number(out, (uint64_t)j, 4);
    put_number(out, SIDE, 2);
    put_number(out, SIDE, 2);
    const double numbers[6] = {t->x0, t->y0, t->dx, t->dy, base, step};
    for (int k = 0; k < 6; k++)
        put_f32(out, numbers[k]);
    for (int k = 0; k < SIDE * SIDE; k++) {
        const double height = ((double)t->z[k] - base) / step;
        put_number(out, isnan(height) ? NONE : (uint64_t)fmax(0.0, fmin(NONE - 1, height + 0.5)), 2);
    }
    ri_text_put(out, t->material, sizeof t->material);
}

static RiStatus send_tile(RiContext *ctx, const Area *a, int run, int level, int i, int j, Tile *t, RiText *out,
                          RiGroundFn take, void *user)
{
    RI_TRY(sample_tile(ctx, a, level, i, j, t));
    out->size = 0;
    write_tile(out, t, run, level, i, j);
    if (out->failed)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    return take(user, (uint64_t)level << 32 | (uint64_t)j << 16 | (uint64_t)i, out->at, out->size);
}

/// The middle of the robot's frames, and how far they lie from it.
static RiVec3 middle_of(RiSim *sim, double *out_reach)
{
    RiDyn *d = ri_sim_dyn(sim);
    RiVec3 low = ri_dyn_frame_pose(d, 0).p, high = low;
    for (int i = 1; i < ri_model_link_count(ri_sim_model(sim)); i++) {
        const RiVec3 p = ri_dyn_frame_pose(d, i).p;
        low = ri_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = ri_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    *out_reach = 0.5 * ri_norm(ri_sub(high, low));
    return ri_scale(0.5, ri_add(low, high));
}

/// The protocol's terrain mesh.
static RiStatus send_mesh(RiContext *ctx, const Area *a, RiSim *sim, int run, RiGroundFn take, void *user)
{
    const RiAllocator memory = ri_plain_memory();
    const uint64_t key = (uint64_t)1 << 40; // apart from those of tiles
    RiSurfaceMesh mesh;
    RiText out;
    double reach;
    const RiVec3 centre = middle_of(sim, &reach);
    RI_TRY(ri_surface_around(ctx, &memory, a->terrain, centre, reach, &mesh));
    ri_text_init(&out, &memory);
    put_number(&out, 3u | (unsigned)run << 8, 4);
    put_number(&out, (uint64_t)mesh.point_count, 4);
    put_number(&out, (uint64_t)mesh.triangle_count, 4);
    for (int i = 0; i < 3 * mesh.point_count; i++)
        put_f32(&out, (double)mesh.points[i]);
    for (int i = 0; i < 3 * mesh.triangle_count; i++)
        put_number(&out, mesh.triangles[i], 4);
    const RiStatus status =
        out.failed ? ri_error(ctx, RI_ERR_MEMORY, "out of memory") : take(user, key, out.at, out.size);
    ri_text_free(&out);
    ri_surface_free(&memory, &mesh);
    return status;
}

/// Whether a level shows more than the one before.
static bool is_finer(const Area *a, int level)
{
    const double side = fmax(a->x1 - a->x0, a->y1 - a->y0);
    return level == 0 ||
           (ldexp(side / (SIDE - 1), 1 - level) > a->cell * (1.0 + 1e-9) && strcmp(a->info.kind, "plane") != 0);
}

/// Sends tiles one after another, as long as nothing fails.
typedef struct Sender {
    RiContext *ctx;
    const Area *area;
    int run;
    Tile *tile;
    RiText out;
    RiGroundFn take;
    void *user;
} Sender;

static RiStatus send(Sender *s, int level, int i, int j)
{
    return send_tile(s->ctx, s->area, s->run, level, i, j, s->tile, &s->out, s->take, s->user);
}

/// The whole ground down to level LEVELS - 1, then what lies within a tile of the robot, down to
/// the ground's own resolution.
static RiStatus send_levels(Sender *s, RiVec3 robot)
{
    enum { FINEST = 14 };
    const Area *a = s->area;
    for (int level = 0; level < LEVELS && is_finer(a, level); level++)
        for (int k = 0; k < 1 << (2 * level); k++)
            RI_TRY(send(s, level, k % (1 << level), k >> level));
    for (int level = LEVELS; level < FINEST && is_finer(a, level); level++) {
        const int last = (1 << level) - 1;
        const double u = (robot.x - a->x0) / (a->x1 - a->x0) * (last + 1),
                     v = (robot.y - a->y0) / (a->y1 - a->y0) * (last + 1);
        const int i0 = (int)fmax(0.0, fmin(last, floor(u))), j0 = (int)fmax(0.0, fmin(last, floor(v)));
        for (int j = j0 > 0 ? j0 - 1 : 0; j <= j0 + 1 && j <= last; j++)
            for (int i = i0 > 0 ? i0 - 1 : 0; i <= i0 + 1 && i <= last; i++)
                RI_TRY(send(s, level, i, j));
    }
    return RI_OK;
}

RiStatus ri_ground_tiles(RiContext *ctx, RiSim *sim, int run, RiGroundFn take, void *user)
{
    const Area a = area_of(sim);
    if (!a.terrain)
        return RI_OK;
    if (!a.info.single_valued)
        return send_mesh(ctx, &a, sim, run, take, user);
    const RiAllocator memory = ri_plain_memory();
    Sender s = {.ctx = ctx, .area = &a, .run = run, .take = take, .user = user};
    s.tile = memory.resize(memory.user, NULL, sizeof *s.tile);
    if (!s.tile)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    ri_text_init(&s.out, &memory);
    double reach;
    const RiStatus status = send_levels(&s, middle_of(sim, &reach));
    ri_text_free(&s.out);
    memory.release(memory.user, s.tile);
    return status;
}

// --- ruts ----------------------------------------------------------------------------------------

unsigned char ri_ground_slip(const RiRut *rut)
{
    const bool pressed = rut->passes > 0 || rut->compacted > 0.0F;
    return pressed ? (unsigned char)(128 + lrint(127.0 / RI_RUT_SLIP * rut->slip)) : 0;
}

void ri_ground_depths(RiText *out, double cell, int i, int j, const float *depth, const unsigned char *slip, int run)
{
    put_number(out, 4u | (unsigned)run << 8, 4);
    put_number(out, (uint32_t)i, 4);
    put_number(out, (uint32_t)j, 4);
    put_f32(out, cell);
    put_number(out, RI_RUT_TILE, 2);
    put_number(out, RI_RUT_TILE, 2);
    for (int k = 0; k < RI_RUT_TILE * RI_RUT_TILE; k++) {
        const double most = 32767.0, x = depth ? fmax(-most, fmin(most, 1e4 * (double)depth[k])) : 0.0;
        put_number(out, (uint64_t)(uint16_t)(int16_t)lrint(x), 2);
    }
    for (int k = 0; k < RI_RUT_TILE * RI_RUT_TILE; k++)
        put_number(out, slip ? slip[k] : 0, 1);
}

void ri_ground_rut_tile(RiText *out, const RiRuts *ruts, int tile, int run)
{
    float depth[RI_RUT_TILE * RI_RUT_TILE];
    unsigned char slip[RI_RUT_TILE * RI_RUT_TILE];
    int i, j;
    const RiRut *cells = ri_ruts_tile(ruts, tile, &i, &j);
    for (int k = 0; k < RI_RUT_TILE * RI_RUT_TILE; k++)
        depth[k] = cells[k].depth, slip[k] = ri_ground_slip(&cells[k]);
    ri_ground_depths(out, ri_ruts_cell(ruts), i, j, depth, slip, run);
}
