// SPDX-License-Identifier: Apache-2.0
/// \file
/// A kind of terrain outside the tree: waves along x. Compile it by
///
///     cc -shared -fPIC -o waves.so waves.c -lm
///
/// and name it in a terrain: {kind: plugin, library: waves.so, name: waves, set: {height: 5 cm,
/// length: 2 m}}.
#include <math.h>
#include <stddef.h>

#include <rille/plugin.h>

enum { HEIGHT, LENGTH, OPTIONS };
static const RiPluginOption options[OPTIONS] = {
    [HEIGHT] = {"height", "m", "from the mean to the crest", 0.05, 0.0, 10.0},
    [LENGTH] = {"length", "m", "of a wave", 2.0, 0.01, 1000.0},
};

static const double two_pi = 6.283185307179586;

static const char *check(const double *o)
{
    return o[HEIGHT] * two_pi > o[LENGTH] ? "waves steeper than 45 deg" : NULL;
}

static bool height(const double *o, double x, double y, RiHeight *out)
{
    const double k = two_pi / o[LENGTH];
    (void)y;
    out->z = o[HEIGHT] * sin(k * x);
    out->zx = o[HEIGHT] * k * cos(k * x);
    out->zxx = -o[HEIGHT] * k * k * sin(k * x);
    return true;
}

static const RiTerrainPlugin waves = {.abi = RI_PLUGIN_ABI,
                                      .name = "waves",
                                      .doc = "Waves along x.",
                                      .options = options,
                                      .option_count = OPTIONS,
                                      .check = check,
                                      .height = height};

const RiTerrainPlugin *rille_terrain(int index);
const RiTerrainPlugin *rille_terrain(int index)
{
    return index == 0 ? &waves : NULL;
}
