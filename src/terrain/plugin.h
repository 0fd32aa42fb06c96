// SPDX-License-Identifier: Apache-2.0
/// \file
/// What all kinds of plugin (rille/plugin.h) have in common: a head that is checked in one way.
#ifndef RI_TERRAIN_PLUGIN_H
#define RI_TERRAIN_PLUGIN_H

#include <rille/plugin.h>

/// The first fields of a class.
typedef struct RiPluginHead {
    const char *what; ///< "terrain", "contact law", "soil law"
    const char *name, *doc;
    const RiPluginOption *options;
    int option_count;
    const char *(*check)(const double *options);
} RiPluginHead;

/// Before anything else is read: classes of versions `first` to RI_PLUGIN_ABI are understood.
RI_MUST_CHECK RiStatus ri_plugin_check_abi(RiContext *ctx, int abi, int first);
/// `wants`: functions that it must have, and whether it has them.
RI_MUST_CHECK RiStatus ri_plugin_check_head(RiContext *ctx, const RiPluginHead *head, const char *wants, bool whole);
RI_MUST_CHECK RiStatus ri_plugin_check_numbers(RiContext *ctx, const RiPluginHead *head, const double *numbers);

#endif
