// SPDX-License-Identifier: Apache-2.0
/// \file
/// Classes of plugins (rille/plugin.h) by name: a shared object, the function that lists them, a
/// check for each.
///
/// Their numbers are a mapping of a description: `set: {height: 5 cm}`.
#ifndef RI_IO_PLUGIN_OPEN_H
#define RI_IO_PLUGIN_OPEN_H

#include <rille/plugin.h>

#include "io/robot/template.h"

/// A sort of class: the function that a shared object exports, and what is asked of a class.
typedef struct RiPluginSort {
    const char *what;     ///< "kind of terrain", "contact law", "soil law"
    const char *function; ///< "rille_terrain"
    const char *type;     ///< that it returns: "RiTerrainPlugin"
    /// Checks a class with its defaults; then *out_name, *out_options and *out_count are its own.
    RiStatus (*check)(RiContext *ctx, const void *kind, const char **out_name, const RiPluginOption **out_options,
                      int *out_count);
} RiPluginSort;
extern const RiPluginSort ri_plugin_terrain, ri_plugin_contact, ri_plugin_soil;

/// Opens a shared object and finds a class in it. RI_ERR_FORMAT, the message begins with the path;
/// the handle (for dlclose) is NULL then.
RI_MUST_CHECK RiStatus ri_plugin_open(RiContext *ctx, const char *path, const RiPluginSort *sort, const char *name,
                                      void **out_handle, const void **out_kind);
/// Numbers of the mapping `set` (may be NULL) for options, defaults where they are not given:
/// [option_count]. Limits are not looked at.
RI_MUST_CHECK RiStatus ri_plugin_numbers(RiTemplate *t, const RiYamlNode *set, const RiPluginOption *options, int count,
                                         double *out_numbers);

#endif
