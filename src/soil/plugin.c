// SPDX-License-Identifier: Apache-2.0
/// \file
/// Laws of soil from shared objects: what a law must keep to is tried before it is used.
///
///     p(z) > 0,   p' = dp/dz,   strength(z, p) >= 0,   for plates and wheels of several widths and slips
#include <math.h>

#include <rille/plugin.h>

#include "terrain/plugin.h"

static const double CLOSE = 0.01; ///< of the larger slope

static RiStatus try_plate(RiContext *ctx, const RiSoilPlugin *k, const double *x, const RiSoilPlate *plate,
                          double depth)
{
    const double d = 1e-4 * depth, z[3] = {depth - d, depth, depth + d};
    double p[3] = {NAN, NAN, NAN}, slope[3] = {NAN, NAN, NAN};
    k->press(x, plate, 3, z, p, slope);
    if (!isfinite(p[1]) || !(p[1] > 0.0) || !isfinite(slope[1]))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "soil law '%s': at a depth of %g m under a plate %g m wide the pressure is %g Pa, its slope %g "
                        "Pa/m; both must be finite and the pressure above 0",
                        k->name, depth, plate->width, p[1], slope[1]);
    const double seen = (p[2] - p[0]) / (2.0 * d);
    if (!(fabs(seen - slope[1]) <= CLOSE * fmax(fabs(seen), fabs(slope[1])) + 1e-9 * p[1] / d))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "soil law '%s': at a depth of %g m the slope of the pressure is given as %g Pa/m and is %g",
                        k->name, depth, slope[1], seen);
    const double strength = k->strength ? k->strength(x, plate, depth, p[1]) : 0.0;
    if (!(strength >= 0.0) || !isfinite(strength))
        return ri_error(ctx, RI_ERR_ARGUMENT, "soil law '%s': its strength is %g Pa at a depth of %g m under %g Pa",
                        k->name, strength, depth, p[1]);
    return RI_OK;
}

RiStatus ri_soil_plugin_check(RiContext *ctx, const RiSoilPlugin *k, const double *options)
{
    static const double depths[] = {1e-5, 3e-4, 1e-2, 0.1}, slips[] = {-0.9, 0.0, 0.9}, widths[] = {0.01, 0.3};
    double initial[RI_PLUGIN_OPTIONS] = {0.0};
    RI_TRY(ri_plugin_check_abi(ctx, k->abi, 2));
    const RiPluginHead head = {"soil law", k->name, k->doc, k->options, k->option_count, k->check};
    RI_TRY(ri_plugin_check_head(ctx, &head, "the function press", k->press != NULL));
    for (int i = 0; i < k->option_count; i++)
        initial[i] = k->options[i].initial;
    const double *x = options ? options : initial;
    RI_TRY(ri_plugin_check_numbers(ctx, &head, x));
    for (int w = 0; w < 2; w++)
        for (int s = 0; s < 3; s++)
            for (int i = 0; i < 4; i++) {
                const RiSoilPlate plate = {widths[w], 3.71, slips[s], 0.0};
                RI_TRY(try_plate(ctx, k, x, &plate, depths[i]));
            }
    return RI_OK;
}
