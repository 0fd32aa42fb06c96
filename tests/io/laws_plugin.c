// SPDX-License-Identifier: Apache-2.0
/// \file
/// Laws of contact and soil of test_plugin_laws.c: doubles of built-in ones, and bad ones (BAD).
#include <math.h>
#include <stddef.h>

#include <rille/plugin.h>

#ifndef BAD
#define BAD 0
#endif

// a spring and a damper, as `coulomb` has them without `soft`
enum { K, C, MU };
static const RiPluginOption linear_options[] = {{"k", "N/m", "spring", 1e5, 0.0, 1e9},
                                                {"c", "N*s/m", "damper", 1e3, 0.0, 1e9},
                                                {"mu", "", "friction", 0.5, 0.0, 10.0}};

static void linear_press(const double *o, double depth, double closing, RiContactPress *out)
{
    out->force = o[K] * depth + o[C] * closing;
    out->per_depth = BAD == 1 ? 2.0 * o[K] : o[K];
    out->per_closing = BAD == 2 ? -1.0 : o[C];
}

static double linear_energy(const double *o, double depth)
{
    return (BAD == 3 ? 0.6 : 0.5) * o[K] * depth * depth;
}

static double linear_friction(const double *o, double pressing, double speed)
{
    (void)pressing;
    (void)speed;
    return BAD == 4 ? (double)NAN : o[MU];
}

static double screw_anisotropy(const double *o, double pressing, double across)
{
    (void)across;
    (void)o;
    const double E = (BAD == 5 ? 0.5 : 2.0) + 0.01 * pressing;
    return E < 100.0 ? E : 100.0;
}

static const RiContactPlugin laws[] = {{.abi = BAD == 6 ? 1 : RI_PLUGIN_ABI,
                                        .name = "linear",
                                        .doc = "A spring and a damper.",
                                        .options = linear_options,
                                        .option_count = 3,
                                        .press = linear_press,
                                        .energy = BAD == 7 ? NULL : linear_energy,
                                        .friction = linear_friction},
                                       {.abi = RI_PLUGIN_ABI,
                                        .name = "threads",
                                        .doc = "The anisotropy of law screw with e0 2, e1 0.01/N.",
                                        .anisotropy = screw_anisotropy}};

const RiContactPlugin *rille_contact(int index);
const RiContactPlugin *rille_contact(int index)
{
    return index < 2 ? &laws[index] : NULL;
}

// Bekker's power law
static const RiPluginOption power_options[] = {{"kc", "", "[N/m^(n+1)]", 990.0, -1e9, 1e9},
                                               {"kphi", "", "[N/m^(n+2)]", 1.5e6, 0.0, 1e12},
                                               {"power", "", "n", 1.1, 0.1, 3.0}};

static void power_press(const double *o, const RiSoilPlate *plate, int count, const double *depth, double *out_pressure,
                        double *out_slope)
{
    for (int i = 0; i < count; i++) {
        out_pressure[i] = (BAD == 8 ? -1.0 : 1.0) * (o[0] / plate->width + o[1]) * pow(depth[i], o[2]);
        out_slope[i] = (BAD == 9 ? 3.0 : 1.0) * o[2] * out_pressure[i] / depth[i];
    }
}

static const RiSoilPlugin soils[] = {{.abi = BAD == 10 ? 3 : RI_PLUGIN_ABI,
                                      .name = "power",
                                      .doc = "Bekker's.",
                                      .options = power_options,
                                      .option_count = 3,
                                      .press = power_press}};

const RiSoilPlugin *rille_soil(int index);
const RiSoilPlugin *rille_soil(int index)
{
    return index == 0 ? soils : NULL;
}
