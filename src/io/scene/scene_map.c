// SPDX-License-Identifier: Apache-2.0
/// \file
/// Maps of devices and plans: a folder that `rille map --headings --out` has written.
///
///     cost_000.tif, cost_045.tif ... cost_315.tif --> RiDeviceMap.cost; cells without a value must not be entered
///     slip.tif, energy.tif, risk.tif, where they are there --> for drawing
///     slip_000.tif ... slip_315.tif, likewise energy and valid --> drives of plans
///
/// Tests: tests/io/test_scene_map.c, tests/study/test_plan_map.c.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <rille/terrain_io.h>

#include "io/scene/scene.h"
#include "io/scene/scene_map.h"

enum { HEADINGS = 8 };

static bool is_there(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0;
}

/// Reads a file of the folder. The first one sets the size; the others must have it.
static RiStatus load(RiContext *ctx, const char *path, RiDeviceMap *map, bool first, RiRaster **out)
{
    RiRasterOptions o = ri_raster_options_default();
    o.missing = RI_MISSING_KEEP;
    RI_TRY(ri_raster_load(ctx, path, &o, out));
    const RiRaster *r = *out;
    if (first) {
        *map = (RiDeviceMap){.nx = r->nx, .ny = r->ny, .headings = HEADINGS, .x0 = r->x0, .y0 = r->y0, .cell = r->dx};
    }
    const bool same = r->nx == map->nx && r->ny == map->ny && fabs(r->x0 - map->x0) < 1e-6 * r->dx &&
                      fabs(r->y0 - map->y0) < 1e-6 * r->dx && fabs(r->dx - map->cell) < 1e-9 * r->dx;
    if (same && fabs(r->dx - r->dy) < 1e-9 * r->dx && r->nx <= 4096 && r->ny <= 4096)
        return RI_OK;
    const RiStatus status = ri_error(
        ctx, RI_ERR_FORMAT,
        "%s: %d x %d cells of %g x %g m from (%g, %g); all files of a map must be alike, with square cells, at "
        "most 4096 on a side, and cost_000.tif has %d x %d of %g m from (%g, %g)",
        path, r->nx, r->ny, r->dx, r->dy, r->x0, r->y0, map->nx, map->ny, map->cell, map->x0, map->y0);
    ri_raster_destroy(*out);
    *out = NULL;
    return status;
}

/// One file per heading into one array; cells without a value get `none`.
static RiStatus load_headings(RiContext *ctx, RiArena *arena, const char *folder, const char *layer, float none,
                              bool first, RiDeviceMap *map, const float **out)
{
    float *values = NULL;
    for (int h = 0; h < HEADINGS; h++) {
        char path[RI_SCENE_PATH + 32];
        RiRaster *r;
        snprintf(path, sizeof path, "%s/%s_%03d.tif", folder, layer, 45 * h);
        RI_TRY(load(ctx, path, map, first && h == 0, &r));
        const size_t cells = (size_t)map->nx * (size_t)map->ny;
        if (h == 0)
            values = ri_arena_alloc(arena, HEADINGS * cells, sizeof *values);
        for (size_t i = 0; values && i < cells; i++)
            values[(size_t)h * cells + i] = isnan(r->values[i]) ? none : r->values[i];
        ri_raster_destroy(r);
        if (!values)
            return ri_error_memory(ctx);
    }
    *out = values;
    return RI_OK;
}

/// A layer that is only drawn; it may be missing.
static RiStatus load_layer(RiContext *ctx, RiArena *arena, const char *folder, const char *name, RiDeviceMap *map,
                           const float **out)
{
    char path[RI_SCENE_PATH + 32];
    RiRaster *r;
    snprintf(path, sizeof path, "%s/%s.tif", folder, name);
    if (!is_there(path))
        return RI_OK;
    RI_TRY(load(ctx, path, map, false, &r));
    const size_t cells = (size_t)map->nx * (size_t)map->ny;
    float *values = ri_arena_alloc(arena, cells, sizeof *values);
    if (values)
        memcpy(values, r->values, cells * sizeof *values);
    ri_raster_destroy(r);
    *out = values;
    return values ? RI_OK : ri_error_memory(ctx);
}

RiStatus ri_map_load(RiContext *ctx, RiArena *arena, const char *folder, RiDeviceMap **out_map)
{
    RiDeviceMap *map = ri_arena_alloc(arena, 1, sizeof *map);
    if (!map)
        return ri_error_memory(ctx);
    const float *cost = NULL;
    RI_TRY(load_headings(ctx, arena, folder, "cost", INFINITY, true, map, &cost));
    map->cost = cost;
    RI_TRY(load_layer(ctx, arena, folder, "slip", map, &map->slip));
    RI_TRY(load_layer(ctx, arena, folder, "energy", map, &map->energy));
    RI_TRY(load_layer(ctx, arena, folder, "risk", map, &map->risk));
    *out_map = map;
    return RI_OK;
}

RiStatus ri_map_load_headings(RiContext *ctx, RiArena *arena, const char *folder, const char *layer,
                              const RiDeviceMap *map, const float **out)
{
    RiDeviceMap like = *map;
    return load_headings(ctx, arena, folder, layer, NAN, false, &like, out);
}

RiStatus ri_scene_load_map(RiScene *sc, const char *folder, const RiDeviceMap **out_map)
{
    RiDeviceMap *map = NULL;
    RI_TRY(ri_map_load(sc->ctx, &sc->t.arena, folder, &map));
    *out_map = map;
    return RI_OK;
}
