// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plugins: kinds of terrain, laws of contact and laws of soil from shared objects. Devices
/// (device.h) and image filters (filter.h) are other kinds of plugin with ABIs of their own.
///
///     x.so --(rille_terrain)--> RiTerrainPlugin + numbers --> RiTerrain, like every other kind
///          --(rille_contact)--> RiContactPlugin + numbers --> the law of a contact pair (RI_LAW_PLUGIN)
///          --(rille_soil)-----> RiSoilPlugin + numbers ----> pressure and strength of a soil
///
/// A shared object exports one or more of
///
///     const RiTerrainPlugin *rille_terrain(int index);   // NULL after the last
///     const RiContactPlugin *rille_contact(int index);
///     const RiSoilPlugin *rille_soil(int index);
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

/// Kinds of terrain of earlier versions are accepted too: version 2 added laws of contact and soil.
#define RI_PLUGIN_ABI 2
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

/// A normal force and its slopes.
typedef struct RiContactPress {
    double force;       ///< [N]; not above 0: the ground does not press
    double per_depth;   ///< d force / d depth [N/m], not below 0
    double per_closing; ///< d force / d closing [N s/m], not below 0
} RiContactPress;

/// A law of contact: what a touch carries. All but name and doc may be NULL: the pair's own numbers
/// then hold (`stiffness` and `damping`, `friction` and `viscous`; no anisotropy). Sticking is that
/// of all laws: `stick_stiffness` and `stick_damping` of the pair.
typedef struct RiContactPlugin {
    int abi; ///< RI_PLUGIN_ABI
    const char *name, *doc;
    const RiPluginOption *options;
    int option_count; ///< at most RI_PLUGIN_OPTIONS
    /// NULL, or what is wrong with options that contradict each other. May be NULL itself.
    const char *(*check)(const double *options);
    /// Normal force of a point so deep in the other surface (> 0) [m], which goes deeper at a speed
    /// [m/s]. Methods that solve contact exactly (`moreau`) take the pair's `restitution` instead.
    void (*press)(const double *options, double depth, double closing, RiContactPress *out);
    /// Energy that such a point can give back [J]: d energy / d depth = force at no speed. Belongs to
    /// `press`.
    double (*energy)(const double *options, double depth);
    /// Friction coefficient of a point that presses with a force [N] and slides at a speed [m/s].
    double (*friction)(const double *options, double pressing, double speed);
    /// Factor on friction across a screw's thread that presses with a force [N] and slides across it
    /// [m/s, negative: dragged backwards]; at least 1. 1 for all that has no thread.
    double (*anisotropy)(const double *options, double pressing, double across);
} RiContactPlugin;

/// What a law of soil is asked about.
typedef struct RiSoilPlate {
    double width;   ///< of the wheel or plate [m]
    double gravity; ///< [m/s^2]
    double slip;    ///< of travel of a wheel, -1 to 1; 0 for a plate
    double angle;   ///< slip angle of a wheel, 0 to pi/2 [rad]; 0 for a plate
} RiSoilPlate;

/// A law of soil under wheels and plates, in place of pressure-sinkage (Bekker, Reece) and strength
/// (Mohr, Coulomb). All else is that of every soil: shear over its lengths kx, ky, unloading,
/// memory of passes, ruts, bulldozing.
typedef struct RiSoilPlugin {
    int abi; ///< RI_PLUGIN_ABI
    const char *name, *doc;
    const RiPluginOption *options;
    int option_count; ///< at most RI_PLUGIN_OPTIONS
    /// NULL, or what is wrong with options that contradict each other. May be NULL itself.
    const char *(*check)(const double *options);
    /// Pressures [Pa] at depths (> 0) [m], and their slopes [Pa/m]: for the first time, not unloaded.
    void (*press)(const double *options, const RiSoilPlate *plate, int count, const double *depth, double *out_pressure,
                  double *out_slope);
    /// Shear strength [Pa] at a depth under a pressure. NULL: cohesion + pressure tan(friction) of the
    /// soil.
    double (*strength)(const double *options, const RiSoilPlate *plate, double depth, double pressure);
} RiSoilPlugin;

/// A terrain of a plugin's kind. `options` has one number for each, in their order. `close` (may be
/// NULL) is called with `user` when the terrain is destroyed, also if its creation fails.
/// RI_ERR_UNSUPPORTED for another ABI, RI_ERR_ARGUMENT names the option and what is allowed.
RI_MUST_CHECK RiStatus ri_terrain_create_plugin(RiContext *ctx, const RiTerrainPlugin *kind, const double *options,
                                                const char *material, void (*close)(void *user), void *user,
                                                RiTerrain **out_terrain);
/// Whether a kind can be used at all: ABI, names, functions, defaults within limits.
RI_MUST_CHECK RiStatus ri_terrain_plugin_check(RiContext *ctx, const RiTerrainPlugin *kind);

/// Whether laws can be used at all, and with numbers (NULL: their defaults): the ABI, names, limits;
/// forces, slopes, energies, pressures and strengths are tried over a range and must be finite, not
/// negative, and agree with each other to a hundredth.
RI_MUST_CHECK RiStatus ri_contact_plugin_check(RiContext *ctx, const RiContactPlugin *law, const double *options);
/// The same for a law of soil.
RI_MUST_CHECK RiStatus ri_soil_plugin_check(RiContext *ctx, const RiSoilPlugin *law, const double *options);

#ifdef __cplusplus
}
#endif
#endif
