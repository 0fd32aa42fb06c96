// SPDX-License-Identifier: Apache-2.0
/// \file
/// Classes of plugins by name.
#include "io/file/plugin_open.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/opened.h"
#include "base/shared_object.h"

enum { KINDS = 256 };
typedef const void *(*Entry)(int index);

#define SORT(which, Type, what_text, check_kind)                                                                       \
    static RiStatus check_##which(RiContext *ctx, const void *kind, const char **out_name,                             \
                                  const RiPluginOption **out_options, int *out_count)                                  \
    {                                                                                                                  \
        const Type *k = kind;                                                                                          \
        RI_TRY(check_kind);                                                                                            \
        *out_name = k->name;                                                                                           \
        *out_options = k->options;                                                                                     \
        *out_count = k->option_count;                                                                                  \
        return RI_OK;                                                                                                  \
    }                                                                                                                  \
    const RiPluginSort ri_plugin_##which = {what_text, "rille_" #which, #Type, check_##which}
SORT(terrain, RiTerrainPlugin, "kind of terrain", ri_terrain_plugin_check(ctx, k));
SORT(contact, RiContactPlugin, "contact law", ri_contact_plugin_check(ctx, k, NULL));
SORT(soil, RiSoilPlugin, "soil law", ri_soil_plugin_check(ctx, k, NULL));

/// The class of a name; NULL after an error.
static const void *find_kind(RiContext *ctx, const char *path, void *handle, const RiPluginSort *sort, const char *name)
{
    Entry entry = NULL;
    const void *kind = NULL;
    void *symbol = dlsym(handle, sort->function);
    char known[400] = "";
    if (symbol) // POSIX guarantees the bits; ISO C has no cast for it
        memcpy(&entry, &symbol, sizeof entry);
    for (int i = 0; entry && i < KINDS && (kind = entry(i)); i++) {
        const char *own;
        const RiPluginOption *options;
        int count;
        if (sort->check(ctx, kind, &own, &options, &count) != RI_OK) {
            char why[512];
            snprintf(why, sizeof why, "%s", ri_context_message(ctx));
            (void)ri_error(ctx, RI_ERR_FORMAT, "%s: %s %d: %s", path, sort->what, i, why);
            return NULL;
        }
        if (strcmp(own, name) == 0)
            return kind;
        const size_t n = strlen(known);
        snprintf(known + n, sizeof known - n, "%s%.60s", n ? ", " : "", own);
    }
    if (entry)
        (void)ri_error(ctx, RI_ERR_FORMAT, "%s: has no %s '%.60s'; it has: %s", path, sort->what, name, known);
    else
        (void)ri_error(ctx, RI_ERR_FORMAT, "%s: exports no 'const %s *%s(int index)', for '%.60s'; see examples/plugin",
                       path, sort->type, sort->function, name);
    return NULL;
}

RiStatus ri_plugin_open(RiContext *ctx, const char *path, const RiPluginSort *sort, const char *name, void **out_handle,
                        const void **out_kind)
{
    ri_context_opened(ctx, path);
    RI_TRY(ri_shared_object_open(ctx, path, out_handle));
    *out_kind = find_kind(ctx, path, *out_handle, sort, name);
    if (*out_kind)
        return RI_OK;
    dlclose(*out_handle);
    *out_handle = NULL;
    return RI_ERR_FORMAT;
}

RiStatus ri_plugin_numbers(RiTemplate *t, const RiYamlNode *set, const RiPluginOption *options, int count,
                           double *out_numbers)
{
    const char *names[RI_PLUGIN_OPTIONS];
    for (int i = 0; i < count; i++) {
        names[i] = options[i].name;
        out_numbers[i] = options[i].initial;
    }
    if (!set)
        return RI_OK;
    RI_TRY(ri_yaml_check_keys(set, names, count));
    for (int i = 0; i < count; i++) {
        const RiYamlNode *value = ri_yaml_get(set, names[i]);
        if (value)
            RI_TRY(ri_template_number(t, (RiTemplateValue){value, NULL}, options[i].unit, &out_numbers[i]));
    }
    return RI_OK;
}
