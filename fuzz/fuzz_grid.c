// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: any bytes as the block of a distance grid. It must be refused with a message or
/// answer every question. The bytes are also laid over true blocks whose checksum is then put
/// right, else nothing behind the checksum would ever be reached.
#include <stdlib.h>
#include <string.h>

#include <rille/terrain.h>

#include "terrain/grid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const RiTerrain *t)
{
    RiSurface s[11];
    RiVec3 p[11];
    RiHeight h;
    RiTerrainInfo info = ri_terrain_info(t);
    for (int i = 0; i < 11; i++)
        p[i] = ri_add(info.low, ri_scale(0.13 * i - 0.1, ri_sub(info.high, info.low)));
    ri_terrain_query_many(t, 11, p, s);
    for (int i = 0; i < 11; i++)
        if (!(ri_norm(s[i].normal) < 1.001) || s[i].material >= ri_terrain_material_count(t))
            abort();
    if (info.high.z - info.low.z < 1000.0 * info.cell)
        (void)ri_terrain_height(t, p[4].x, p[4].y, &h);
}

static void try_block(RiContext *ctx, const void *block, size_t size)
{
    RiTerrain *t;
    const RiStatus status = ri_terrain_grid_load(ctx, block, size, &t);
    if (status == RI_OK)
        ask(t);
    else if (t || ri_context_message(ctx)[0] == '\0')
        abort();
    ri_terrain_destroy(t);
}

/// Triples of place (two bytes) and byte over a true block.
static void patch(RiContext *ctx, int mode, const uint8_t *data, size_t size)
{
    const RiPlaneDef plane = {.slope = 0.2};
    RiBakeDef def = ri_bake_def_default();
    RiTerrain *source, *grid;
    def.cell = 0.25;
    def.kind = (RiGridKind)(mode & 1);
    def.lookup = (RiGridLookup)(mode >> 1 & 1);
    def.low = ri_vec3(-1.0, -1.0, -1.0);
    def.high = ri_vec3(1.0, 1.5, 1.0);
    def.threads = 1;
    if (ri_terrain_create_plane(ctx, &plane, &source) != RI_OK || ri_terrain_bake(ctx, source, &def, &grid) != RI_OK)
        abort();
    const size_t n = ri_terrain_grid_size(grid);
    uint8_t *block = malloc(n);
    if (!block)
        abort();
    ri_terrain_grid_save(grid, block);
    for (size_t i = 0; i + 3 <= size; i += 3)
        block[(data[i] + 256U * data[i + 1]) % n] = data[i + 2];
    ri_grid_seal(block, n);
    try_block(ctx, block, n);
    free(block);
    ri_terrain_destroy(grid);
    ri_terrain_destroy(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    if (size == 0 || ri_context_create(NULL, &ctx) != RI_OK)
        return 0;
    try_block(ctx, data, size);
    patch(ctx, data[0] & 3, data + 1, size - 1);
    ri_context_destroy(ctx);
    return 0;
}
