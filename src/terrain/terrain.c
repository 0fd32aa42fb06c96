// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one interface to every terrain: dispatch, materials, marching.
#include "terrain/terrain.h"

#include <string.h>

RiStatus ri_terrain_alloc(RiContext *ctx, const RiTerrainClass *kind, size_t size, RiTerrain **out)
{
    RiArena arena;
    ri_arena_init(&arena, ctx);
    RiTerrain *t = ri_arena_alloc(&arena, 1, size);
    if (!t) {
        ri_arena_free(&arena);
        return ri_error_memory(ctx);
    }
    t->kind = kind;
    t->ctx = ctx;
    t->arena = arena;
    *out = t;
    return RI_OK;
}

RiStatus ri_terrain_add_material(RiTerrain *t, const char *name, int *out_material)
{
    name = name ? name : "ground";
    for (int i = 0; i < t->material_count; i++)
        if (strcmp(t->materials[i], name) == 0) {
            *out_material = i;
            return RI_OK;
        }
    const char **grown = ri_arena_alloc(&t->arena, (size_t)t->material_count + 1, sizeof *grown);
    const char *copy = ri_arena_string(&t->arena, name);
    if (!grown || !copy)
        return ri_error_memory(t->ctx);
    if (t->material_count)
        memcpy(grown, t->materials, (size_t)t->material_count * sizeof *grown);
    grown[t->material_count] = copy;
    t->materials = grown;
    *out_material = t->material_count++;
    return RI_OK;
}

void ri_terrain_destroy(RiTerrain *t)
{
    if (!t)
        return;
    if (t->kind->destroy)
        t->kind->destroy(t);
    RiArena arena = t->arena; // holds t itself
    ri_arena_free(&arena);
}

RiTerrainInfo ri_terrain_info(const RiTerrain *t)
{
    RiTerrainInfo info = {.kind = t->kind->kind};
    t->kind->info(t, &info);
    return info;
}

int ri_terrain_material_count(const RiTerrain *t)
{
    return t->material_count;
}

const char *ri_terrain_material_name(const RiTerrain *t, int material)
{
    return material >= 0 && material < t->material_count ? t->materials[material] : "";
}

void ri_terrain_query(const RiTerrain *t, RiVec3 point, RiSurface *out)
{
    t->kind->query_many(t, 1, &point, out);
}

void ri_terrain_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    t->kind->query_many(t, count, points, out);
}

bool ri_terrain_height(const RiTerrain *t, double x, double y, RiHeight *out)
{
    return t->kind->height(t, x, y, INFINITY, out);
}

bool ri_terrain_height_below(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    return t->kind->height(t, x, y, from, out);
}
