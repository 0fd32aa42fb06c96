// SPDX-License-Identifier: Apache-2.0
/// \file
/// Distance grids on disk. A file is a grid's block as it is in memory (terrain/grid.h), so
/// opening one is mapping it and checking its hash. It is written beside its place and renamed:
/// readers see all of it or nothing.
#include "io/terrain/terrain_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rille/version.h>

#include "base/hash.h"
#include "base/memory.h"
#include "io/file/beside.h"
#include "terrain/grid.h"

uint64_t ri_ground_mesh_hash(const RiGroundMeshDef *def)
{
    uint64_t h = ri_hash(0, def->points, (size_t)def->point_count * sizeof *def->points);
    h = ri_hash(h, def->triangles, (size_t)def->triangle_count * sizeof *def->triangles);
    h = ri_hash_mix(h, def->flip);
    return ri_hash_text(h, def->material);
}

// --- names ---------------------------------------------------------------------------------------

static bool default_folder(char *out, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (cache && cache[0] == '/')
        n = snprintf(out, size, "%s/rille", cache);
    else if (home && home[0])
        n = snprintf(out, size, "%s/.cache/rille", home);
    return n >= 0 && (size_t)n < size;
}

/// Everything that changes the block: not the number of threads, nor who watches.
static uint64_t key_of(uint64_t content, const RiBakeDef *def)
{
    const double numbers[] = {def->cell,  def->band,   def->low.x,  def->low.y,
                              def->low.z, def->high.x, def->high.y, def->high.z};
    uint64_t h = ri_hash_mix(content, (uint64_t)def->kind | (uint64_t)def->lookup << 8 | (uint64_t)def->edge << 16);
    return ri_hash_text(ri_hash(h, numbers, sizeof numbers), ri_version());
}

bool ri_terrain_cache_path(uint64_t content_hash, const RiBakeDef *def, const char *folder, char *out, size_t size)
{
    char own[4096];
    if (!folder && !default_folder(own, sizeof own))
        return false;
    const int n = snprintf(out, size, "%s/%016llx%016llx.sdf", folder ? folder : own,
                           (unsigned long long)key_of(content_hash, def), (unsigned long long)content_hash);
    return n >= 0 && (size_t)n < size;
}

/// Creates the folders on the way to a file, as far as they can be.
static void make_folders(const char *path)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(folder, 0755);
        *slash = '/';
    }
}

// --- reading -------------------------------------------------------------------------------------

static void release_map(RiContext *ctx, void *block, size_t size)
{
    (void)ctx;
    (void)munmap(block, size);
}

/// A private map: if the file is replaced, this one keeps the old.
static void *map_file(const char *path, size_t *out_size)
{
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat info;
    if (file < 0)
        return NULL;
    void *block = MAP_FAILED;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        *out_size = (size_t)info.st_size;
        block = mmap(NULL, *out_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    }
    close(file);
    return block == MAP_FAILED ? NULL : block;
}

static bool read_cache(RiContext *ctx, const char *path, RiTerrain **out)
{
    size_t size;
    void *block = map_file(path, &size);
    if (!block)
        return false;
    if (ri_grid_adopt(ctx, block, size, release_map, out) == RI_OK)
        return true;
    (void)munmap(block, size);
    ri_context_clear(ctx);
    return false;
}

// --- writing -------------------------------------------------------------------------------------

/// Whatever goes wrong, no part of a file stays.
static void write_cache(const RiTerrain *t, const char *path)
{
    const RiGrid *g = (const RiGrid *)t;
    RiBeside beside;
    make_folders(path);
    if (ri_beside_open(&beside, path) != 0)
        return;
    const int code = ri_beside_write(&beside, g->block, g->size);
    (void)ri_beside_close(&beside, code == 0);
}

RiStatus ri_terrain_bake_cached(RiContext *ctx, const RiTerrain *source, uint64_t content_hash, const RiBakeDef *def,
                                const char *folder, bool *out_hit, RiTerrain **out_terrain)
{
    *out_terrain = NULL;
    char path[4096];
    const bool named = ri_terrain_cache_path(content_hash, def, folder, path, sizeof path);
    const bool hit = named && read_cache(ctx, path, out_terrain);
    if (out_hit)
        *out_hit = hit;
    if (hit)
        return RI_OK;
    if (!source)
        return ri_error(ctx, RI_ERR_NOT_FOUND, "%s: not in the cache", named ? path : "distance grid");
    RI_TRY(ri_terrain_bake(ctx, source, def, out_terrain));
    if (named)
        write_cache(*out_terrain, path);
    return RI_OK;
}
