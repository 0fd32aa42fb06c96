// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrains of kinds that shared objects bring: `kind: plugin`, the library, the name of the kind,
/// its numbers. Laws of soils likewise.
#include <dlfcn.h>
#include <string.h>

#include <rille/plugin.h>

#include "io/file/plugin_open.h"
#include "io/terrain/terrain_yaml.h"

static void close_library(void *handle)
{
    dlclose(handle);
}

RiStatus ri_terrain_read_plugin(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out)
{
    const char *path, *name = NULL, *material = NULL;
    const void *kind = NULL;
    double options[RI_PLUGIN_OPTIONS] = {0};
    RiTerrain *t = NULL;
    void *handle = NULL;
    RI_TRY(ri_terrain_need(map, "name"));
    RI_TRY(ri_terrain_text(f, map, "name", &name));
    RI_TRY(ri_terrain_text(f, map, "material", &material));
    RI_TRY(ri_terrain_need(map, "library"));
    RI_TRY(ri_terrain_find_file(f, map, "library", &path));
    RI_TRY(ri_terrain_wrap(f, ri_yaml_get(map, "library"),
                           ri_plugin_open(f->ctx, path, &ri_plugin_terrain, name, &handle, &kind)));
    const RiTerrainPlugin *k = kind;
    RiStatus status = ri_plugin_numbers(&f->t, ri_yaml_get(map, "set"), k->options, k->option_count, options);
    if (status != RI_OK) {
        dlclose(handle);
        return status;
    }
    f->content = 0; // what the code computes cannot be known from outside
    status = ri_terrain_create_plugin(f->ctx, k, options, material, close_library, handle, &t);
    RI_TRY(ri_terrain_wrap(f, map, status));
    RI_TRY(ri_terrain_own(f, t));
    *out = t;
    return RI_OK;
}

/// `law: {library: x.so, type: NAME, set: {...}}` of a soil.
RiStatus ri_terrain_read_law(RiTerrainFile *f, const RiYamlNode *map, RiSoil *soil)
{
    static const char *const keys[] = {"library", "type", "set", "doc"};
    const char *path, *type = NULL;
    const void *kind = NULL;
    double options[RI_PLUGIN_OPTIONS] = {0};
    void *handle = NULL;
    RI_TRY(ri_yaml_check_keys(map, keys, 4));
    RI_TRY(ri_terrain_need(map, "type"));
    RI_TRY(ri_terrain_text(f, map, "type", &type));
    RI_TRY(ri_terrain_find_file(f, map, "library", &path));
    if (f->library_count == RI_TERRAIN_LIBRARIES)
        return ri_yaml_error(map, RI_ERR_LIMIT, "more than %d soils have laws of plugins", RI_TERRAIN_LIBRARIES);
    RI_TRY(ri_terrain_wrap(f, ri_yaml_get(map, "library"),
                           ri_plugin_open(f->ctx, path, &ri_plugin_soil, type, &handle, &kind)));
    f->libraries[f->library_count++] = handle;
    const RiSoilPlugin *k = kind;
    RI_TRY(ri_plugin_numbers(&f->t, ri_yaml_get(map, "set"), k->options, k->option_count, options));
    RI_TRY(ri_terrain_wrap(f, map, ri_soil_plugin_check(f->ctx, k, options)));
    double *kept = ri_arena_alloc(&f->t.arena, RI_PLUGIN_OPTIONS, sizeof *kept);
    if (!kept)
        return ri_error_memory(f->ctx);
    memcpy(kept, options, sizeof options);
    soil->law = k;
    soil->law_numbers = kept;
    return RI_OK;
}

void ri_terrain_close_libraries(RiTerrainFile *f)
{
    for (int i = 0; i < f->library_count; i++)
        dlclose(f->libraries[i]);
    f->library_count = 0;
}
