// SPDX-License-Identifier: Apache-2.0
/// \file
/// User devices from a shared object.
///
///     "brake.so" --(load, check)--> classes
///
/// Threads and ownership: a plugin belongs to the thread of its context. Its classes live in the
/// shared object: they are valid until ri_plugin_destroy(), so a plugin must outlive every
/// simulation that uses one of them.
#ifndef RI_DEVICE_PLUGIN_H
#define RI_DEVICE_PLUGIN_H

#include <rille/device.h>

typedef struct RiPlugin RiPlugin;

/// Loads a shared object and checks all classes it exports by `rille_device`. The code of a plugin
/// runs with all rights of the program; the checks guard against mistakes, not against malice.
///
/// RI_ERR_IO: no such file. RI_ERR_FORMAT: not a shared object, no symbol, no class, or a malformed
/// one. RI_ERR_UNSUPPORTED: compiled for another RI_DEVICE_ABI. Every message begins with the path.
RI_MUST_CHECK RiStatus ri_plugin_load(RiContext *ctx, const char *path, RiPlugin **out_plugin);
void ri_plugin_destroy(RiPlugin *plugin);

int ri_plugin_count(const RiPlugin *plugin);
const RiDeviceClass *ri_plugin_class(const RiPlugin *plugin, int index); ///< NULL after the last
const RiDeviceClass *ri_plugin_find(const RiPlugin *plugin, const char *name);

#endif
