// SPDX-License-Identifier: Apache-2.0
/// \file
/// A law of contact outside the tree: round on flat after Hertz, damped after Hunt and Crossley,
/// with friction that falls with the load as it does for elastic spheres. Compile it by
///
///     cc -shared -fPIC -o hertz.so hertz.c -lm
///
/// and name it in a contact pair: {robot: ball, law: plugin, library: hertz.so, type: hertz,
/// set: {hertz: 1e8}}.
///
///     F_n = k d^(3/2) (1 + a d'),   U = 2/5 k d^(5/2),   mu = mu_0 (F_n / F_0)^(-m)
#include <math.h>
#include <stddef.h>

#include <rille/plugin.h>

enum { STIFFNESS, DAMPING, FRICTION, FALL, LOAD, OPTIONS };
static const RiPluginOption options[OPTIONS] = {
    [STIFFNESS] = {"hertz", "", "k: force per depth to the power of 3/2 [N/m^1.5]", 1e7, 1.0, 1e14},
    [DAMPING] = {"damped", "s/m", "a: share of the force that damping adds per closing speed", 0.0, 0.0, 10.0},
    [FRICTION] = {"mu", "", "mu_0: friction coefficient at the load F_0", 0.5, 0.0, 10.0},
    [FALL] = {"fall", "", "m: power by which it falls with the load; 1/3 for elastic spheres", 0.0, 0.0, 1.0},
    [LOAD] = {"load", "N", "F_0", 1.0, 1e-6, 1e9},
};

static void press(const double *o, double depth, double closing, RiContactPress *out)
{
    const double root = sqrt(depth), spring = o[STIFFNESS] * depth * root, more = 1.0 + o[DAMPING] * closing;
    out->force = spring * more;
    out->per_depth = 1.5 * o[STIFFNESS] * root * more;
    out->per_closing = spring * o[DAMPING];
}

static double energy(const double *o, double depth)
{
    return 0.4 * o[STIFFNESS] * depth * depth * sqrt(depth);
}

static double friction(const double *o, double pressing, double speed)
{
    (void)speed;
    return o[FALL] > 0.0 && pressing > 0.0 ? o[FRICTION] * pow(pressing / o[LOAD], -o[FALL]) : o[FRICTION];
}

static const RiContactPlugin hertz = {.abi = RI_PLUGIN_ABI,
                                      .name = "hertz",
                                      .doc = "Round on flat after Hertz.",
                                      .options = options,
                                      .option_count = OPTIONS,
                                      .press = press,
                                      .energy = energy,
                                      .friction = friction};

const RiContactPlugin *rille_contact(int index);
const RiContactPlugin *rille_contact(int index)
{
    return index == 0 ? &hertz : NULL;
}
