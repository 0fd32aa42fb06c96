// SPDX-License-Identifier: Apache-2.0
/// \file
/// Laws of contact from shared objects: what a law must keep to is tried before it is used.
///
///     F(d, 0) >= 0,   dF/dd, dF/dd' >= 0 and as differences of F say,   dU/dd = F(d, 0),   mu >= 0,   E >= 1
#include <math.h>

#include "contact/contacts.h"
#include "terrain/plugin.h"

static const double CLOSE = 0.01; ///< of the size of what is compared

static RiStatus wrong(RiContext *ctx, const RiContactPlugin *k, const char *what, double depth, double speed)
{
    return ri_error(ctx, RI_ERR_ARGUMENT, "contact law '%s': %s at a depth of %g m and a speed of %g m/s", k->name,
                    what, depth, speed);
}

static double force_at(const RiContactPlugin *k, const double *x, double depth, double closing)
{
    RiContactPress p = {0.0, 0.0, 0.0};
    k->press(x, depth, closing, &p);
    return p.force;
}

/// Whether a slope is what two forces say that are `step` apart.
static bool is_slope(double slope, double low, double high, double step)
{
    const double seen = (high - low) / step;
    return fabs(slope - seen) <= CLOSE * fmax(fabs(slope), fabs(seen)) + 1e-9 * (fabs(low) + fabs(high)) / step;
}

static RiStatus try_press(RiContext *ctx, const RiContactPlugin *k, const double *x, double depth, double closing)
{
    RiContactPress p = {0.0, 0.0, 0.0};
    k->press(x, depth, closing, &p);
    if (!isfinite(p.force) || !isfinite(p.per_depth) || !isfinite(p.per_closing))
        return wrong(ctx, k, "its force or a slope is not finite", depth, closing);
    if (!(p.force > 0.0))
        return closing < 0.0 ? RI_OK : wrong(ctx, k, "it does not press", depth, closing);
    if (!(p.per_depth >= 0.0) || !(p.per_closing >= 0.0))
        return wrong(ctx, k, "a slope is below 0", depth, closing);
    const double d = 1e-4 * depth, v = 1e-4 * fmax(fabs(closing), 1e-3);
    if (!is_slope(p.per_depth, force_at(k, x, depth - d, closing), force_at(k, x, depth + d, closing), 2.0 * d))
        return wrong(ctx, k, "per_depth is not the slope of its force", depth, closing);
    if (!is_slope(p.per_closing, force_at(k, x, depth, closing - v), force_at(k, x, depth, closing + v), 2.0 * v))
        return wrong(ctx, k, "per_closing is not the slope of its force", depth, closing);
    return RI_OK;
}

static RiStatus try_energy(RiContext *ctx, const RiContactPlugin *k, const double *x, double depth)
{
    const double d = 1e-4 * depth, low = k->energy(x, depth - d), high = k->energy(x, depth + d);
    if (!isfinite(low) || !isfinite(high) || !(low >= 0.0))
        return wrong(ctx, k, "its energy is not finite or below 0", depth, 0.0);
    return is_slope(force_at(k, x, depth, 0.0), low, high, 2.0 * d)
               ? RI_OK
               : wrong(ctx, k, "its force at rest is not the slope of its energy", depth, 0.0);
}

static RiStatus try_friction(RiContext *ctx, const RiContactPlugin *k, const double *x, double pressing, double speed)
{
    const double mu = k->friction ? k->friction(x, pressing, fabs(speed)) : 0.0;
    const double E = k->anisotropy ? k->anisotropy(x, pressing, speed) : 1.0;
    if (!(mu >= 0.0) || !isfinite(mu))
        return ri_error(ctx, RI_ERR_ARGUMENT, "contact law '%s': its friction is %g at %g N and %g m/s; at least 0",
                        k->name, mu, pressing, speed);
    if (!(E >= 1.0) || !isfinite(E))
        return ri_error(ctx, RI_ERR_ARGUMENT, "contact law '%s': its anisotropy is %g at %g N and %g m/s; at least 1",
                        k->name, E, pressing, speed);
    return RI_OK;
}

RiStatus ri_contact_plugin_check(RiContext *ctx, const RiContactPlugin *k, const double *options)
{
    static const double depths[] = {1e-6, 3e-5, 1e-3, 3e-2}, speeds[] = {-0.1, 0.0, 1e-3, 0.03, 1.0};
    static const double forces[] = {0.0, 1.0, 1e3};
    enum { DEPTHS = sizeof depths / sizeof *depths, SPEEDS = sizeof speeds / sizeof *speeds, FORCES = 3 };
    double initial[RI_PLUGIN_OPTIONS] = {0.0};
    RI_TRY(ri_plugin_check_abi(ctx, k->abi, 2));
    const RiPluginHead head = {"contact law", k->name, k->doc, k->options, k->option_count, k->check};
    RI_TRY(ri_plugin_check_head(ctx, &head, "energy beside press, one function at least",
                                (k->press || k->friction || k->anisotropy) && !k->press == !k->energy));
    for (int i = 0; i < k->option_count; i++)
        initial[i] = k->options[i].initial;
    const double *x = options ? options : initial;
    RI_TRY(ri_plugin_check_numbers(ctx, &head, x));
    for (int i = 0; i < DEPTHS && k->press; i++) {
        for (int j = 0; j < SPEEDS; j++)
            RI_TRY(try_press(ctx, k, x, depths[i], speeds[j]));
        RI_TRY(try_energy(ctx, k, x, depths[i]));
    }
    for (int i = 0; i < FORCES; i++)
        for (int j = 0; j < SPEEDS; j++)
            RI_TRY(try_friction(ctx, k, x, forces[i], speeds[j]));
    return RI_OK;
}
