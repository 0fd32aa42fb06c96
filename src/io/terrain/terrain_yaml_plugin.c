// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrains of kinds that shared objects bring: `kind: plugin`, the library, the name of the kind,
/// its numbers.
#include <dlfcn.h>
#include <string.h>

#include <rille/plugin.h>

#include "base/hash.h"
#include "device/plugin.h"
#include "io/terrain/terrain_yaml.h"

typedef const RiTerrainPlugin *(*Entry)(int index);
enum { KINDS = 256 };

static void close_library(void *handle)
{
    dlclose(handle);
}

/// The kind of a name in an open library; NULL after an error.
static const RiTerrainPlugin *find_kind(RiTerrainFile *f, const char *path, void *handle, const char *name)
{
    Entry entry = NULL;
    const RiTerrainPlugin *kind = NULL;
    void *symbol = dlsym(handle, "rille_terrain");
    if (symbol)
        memcpy(&entry, &symbol, sizeof entry);
    for (int i = 0; entry && i < KINDS && (kind = entry(i)); i++) {
        if (ri_terrain_plugin_check(f->ctx, kind) != RI_OK) {
            char why[512];
            strncpy(why, ri_context_message(f->ctx), sizeof why - 1);
            why[sizeof why - 1] = '\0';
            (void)ri_error(f->ctx, RI_ERR_FORMAT, "%s: kind %d: %s", path, i, why);
            return NULL;
        }
        if (strcmp(kind->name, name) == 0)
            return kind;
    }
    (void)ri_error(f->ctx, RI_ERR_FORMAT,
                   entry ? "%s: has no kind of terrain '%.60s'"
                         : "%s: exports no 'const RiTerrainPlugin *rille_terrain(int index)', for '%.60s'; see "
                           "examples/plugin",
                   path, name);
    return NULL;
}

static RiStatus open_kind(RiTerrainFile *f, const char *path, const char *name, void **out_handle,
                          const RiTerrainPlugin **out_kind)
{
    RI_TRY(ri_plugin_check_file(f->ctx, path));
    *out_handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*out_handle) {
        const char *why = dlerror();
        return ri_error(f->ctx, RI_ERR_FORMAT, "%s: cannot be loaded: %s", path, why ? why : "?");
    }
    *out_kind = find_kind(f, path, *out_handle, name);
    if (*out_kind)
        return RI_OK;
    dlclose(*out_handle);
    return RI_ERR_FORMAT;
}

/// Numbers of the mapping `set`, each within its limits.
static RiStatus read_options(RiTerrainFile *f, const RiYamlNode *map, const RiTerrainPlugin *kind, double *options)
{
    const RiYamlNode *set = ri_yaml_get(map, "set");
    const char *names[RI_PLUGIN_OPTIONS];
    for (int i = 0; i < kind->option_count; i++) {
        names[i] = kind->options[i].name;
        options[i] = kind->options[i].initial;
    }
    if (!set)
        return RI_OK;
    RI_TRY(ri_yaml_check_keys(set, names, kind->option_count));
    for (int i = 0; i < kind->option_count; i++)
        RI_TRY(ri_terrain_number(f, set, names[i], kind->options[i].unit, kind->options[i].low, kind->options[i].high,
                                 &options[i]));
    return RI_OK;
}

RiStatus ri_terrain_read_plugin(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out)
{
    const char *path, *name = NULL, *material = NULL;
    const RiTerrainPlugin *kind = NULL;
    double options[RI_PLUGIN_OPTIONS] = {0};
    RiTerrain *t = NULL;
    void *handle = NULL;
    RI_TRY(ri_terrain_need(map, "name"));
    RI_TRY(ri_terrain_text(f, map, "name", &name));
    RI_TRY(ri_terrain_text(f, map, "material", &material));
    RI_TRY(ri_terrain_need(map, "library"));
    RI_TRY(ri_terrain_find_file(f, map, "library", &path));
    RI_TRY(ri_terrain_wrap(f, ri_yaml_get(map, "library"), open_kind(f, path, name, &handle, &kind)));
    RiStatus status = read_options(f, map, kind, options);
    if (status != RI_OK) {
        dlclose(handle);
        return status;
    }
    f->content = 0; // what the code computes cannot be known from outside
    status = ri_terrain_create_plugin(f->ctx, kind, options, material, close_library, handle, &t);
    RI_TRY(ri_terrain_wrap(f, map, status));
    RI_TRY(ri_terrain_own(f, t));
    *out = t;
    return RI_OK;
}
