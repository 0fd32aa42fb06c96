// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plugins: kinds of terrain from shared objects. Devices (device.h) and image filters (filter.h)
/// are other kinds of plugin with ABIs of their own.
///
///     ground.so --(rille_terrain, RI_PLUGIN_ABI)--> RiTerrainPlugin + numbers --> RiTerrain, like every other kind
///
/// A shared object exports
///
///     const RiTerrainPlugin *rille_terrain(int index);   // NULL after the last
///
/// It may use this header alone; see examples/plugin. RI_PLUGIN_ABI is checked before anything else
/// is read.
///
/// Threads and ownership: classes are constant. Functions are pure: they may be called by several
/// threads at once, may not allocate, lock, print or read a clock, and keep no pointers. Equal
/// arguments give equal bits.
#ifndef RILLE_PLUGIN_H
#define RILLE_PLUGIN_H

#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RI_PLUGIN_ABI 1
enum { RI_PLUGIN_OPTIONS = 16 };

typedef struct RiPluginOption {
    const char *name, *unit, *doc; ///< unit: SI
    double initial, low, high;
} RiPluginOption;

/// A kind of terrain: a surface and the distance to it.
typedef struct RiTerrainPlugin {
    int abi; ///< RI_PLUGIN_ABI
    const char *name, *doc;
    const RiPluginOption *options;
    int option_count; ///< at most RI_PLUGIN_OPTIONS
    /// NULL, or what is wrong with options that contradict each other. May be NULL itself.
    const char *(*check)(const double *options);
    /// Height of the ground at (x, y) with its slopes and curvature; `material` is not looked at.
    /// False: there is no ground.
    bool (*height)(const double *options, double x, double y, RiHeight *out);
    /// Signed distance to the ground and its gradient, as RiSurface says. NULL: of the tangent
    /// plane below a point, right to first order.
    void (*query)(const double *options, RiVec3 point, RiSurface *out);
} RiTerrainPlugin;

/// A terrain of a plugin's kind. `options` has one number for each, in their order. `close` (may be
/// NULL) is called with `user` when the terrain is destroyed, also if its creation fails.
/// RI_ERR_UNSUPPORTED for another ABI, RI_ERR_ARGUMENT names the option and what is allowed.
RI_MUST_CHECK RiStatus ri_terrain_create_plugin(RiContext *ctx, const RiTerrainPlugin *kind, const double *options,
                                                const char *material, void (*close)(void *user), void *user,
                                                RiTerrain **out_terrain);
/// Whether a kind can be used at all: ABI, names, functions, defaults within limits.
RI_MUST_CHECK RiStatus ri_terrain_plugin_check(RiContext *ctx, const RiTerrainPlugin *kind);

#ifdef __cplusplus
}
#endif
#endif
