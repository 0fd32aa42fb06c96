// SPDX-License-Identifier: Apache-2.0
/// \file
/// A law of soil outside the tree: ground that crumbles. Its pressure rises to a plateau at which
/// its structure gives in, as that of fluffy regolith and foam does, and its strength is capped.
/// Compile it by
///
///     cc -shared -fPIC -o crumble.so crumble.c -lm
///
/// and name it in a soil of a terrain: law: {library: crumble.so, type: crumble, set: {plateau: 20 kPa}}.
///
///     p = p_0 (1 - exp(-z / L)),   s = min(c + p tan(phi), cap)
#include <math.h>
#include <stddef.h>

#include <rille/plugin.h>

enum { PLATEAU, LENGTH, COHESION, ANGLE, CAP, OPTIONS };
static const RiPluginOption options[OPTIONS] = {
    [PLATEAU] = {"plateau", "Pa", "p_0: pressure at which the ground gives in", 2e4, 1.0, 1e9},
    [LENGTH] = {"length", "m", "L: depth at which 63 % of it are reached", 0.02, 1e-4, 10.0},
    [COHESION] = {"bond", "Pa", "c: cohesion", 500.0, 0.0, 1e9},
    [ANGLE] = {"angle", "rad", "phi: friction angle", 0.5, 0.0, 1.5},
    [CAP] = {"cap", "Pa", "largest shear strength", 1e9, 0.0, 1e12},
};

static const char *check(const double *o)
{
    return o[COHESION] > o[CAP] ? "bond is above cap" : NULL;
}

static void press(const double *o, const RiSoilPlate *plate, int count, const double *depth, double *out_pressure,
                  double *out_slope)
{
    (void)plate;
    for (int i = 0; i < count; i++) {
        out_pressure[i] = -o[PLATEAU] * expm1(-depth[i] / o[LENGTH]);
        out_slope[i] = o[PLATEAU] / o[LENGTH] * exp(-depth[i] / o[LENGTH]);
    }
}

static double strength(const double *o, const RiSoilPlate *plate, double depth, double pressure)
{
    (void)plate;
    (void)depth;
    return fmin(o[COHESION] + pressure * tan(o[ANGLE]), o[CAP]);
}

static const RiSoilPlugin crumble = {.abi = RI_PLUGIN_ABI,
                                     .name = "crumble",
                                     .doc = "Pressure with a plateau, strength with a cap.",
                                     .options = options,
                                     .option_count = OPTIONS,
                                     .check = check,
                                     .press = press,
                                     .strength = strength};

const RiSoilPlugin *rille_soil(int index);
const RiSoilPlugin *rille_soil(int index)
{
    return index == 0 ? &crumble : NULL;
}
