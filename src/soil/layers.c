// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soft layers on top of each other, and crusts that break.
///
/// **Layers.** All layers under a plate carry the same pressure p and add what they give way by. A
/// soil that lay there alone would give way by z_i(p) = u_i (p / k_i)^(1/n_i), the share w_i of it
/// within the depths of layer i; and no layer gives way by more than its thickness t_i:
///
///     z(p) = sum_i t_i (1 - exp(-w_i z_i(p) / t_i)),    w_i = I(bottom_i) - I(top_i),    I(d) = integral of the stress below a plate, to depth d
///
/// I is that of Boussinesq's stress on the axis of a disc of the wheel's width. With one layer on
/// rigid ground and n = 1 this is p = p_0 (-ln(1 - z / t)), the law measured on snow over ice
/// [wong2008]. z grows with p and p is found from it by Newton's method in logarithms, within
/// bounds.
///
/// **Crust.** Bends by strength / unload, then breaks: its part of the pressure falls to nothing
/// over twice that way. What a cell has been pressed to (rut, `compacted`) is all that must be
/// remembered: soil pressed to d has a crust of what is left at d, whatever the load does then.
///
/// A law of a plugin has its own pressure and strength, and no other soft layer above or below it.
///
/// Derivation: docs/theory/wheel-soil.md. Tests: tests/soil/test_layers.c.
#include <math.h>

#include <rille/plugin.h>

#include "base/functions.h"
#include "soil/wheel.h"

enum { ROUNDS = 60 };
static const double CLOSE = 1e-12; ///< of the sinkage that is asked for, relative
static const double FALL = 2.0;    ///< way over which a crust gives in, in ways that it bends before

/// Share of what a soil gives way by, under a disc of radius a, that comes about above the depth d:
/// the integral of 1 - (1 + (a/d)^2)^(-3/2).
static double influence(double d, double a)
{
    const double far = ri_hypot(d, a);
    return isinf(d) ? 1.0 : 0.5 * (2.0 + d / a - far / a - a / far);
}

/// Sinkages at pressures: z, and p dz/dp.
static void sinkages(const RiNodeKernels *k, const RiSoilLaw *soil, const RiSliding *x, int count, const double *p,
                     double *out_z, double *out_rate)
{
    double own[RI_NODE_MAX / 2], way[RI_NODE_MAX / 2], used[RI_NODE_MAX / 2];
    for (int i = 0; i < count; i++)
        out_z[i] = out_rate[i] = 0.0;
    for (const RiSoilLaw *s = soil; s; s = s->below) {
        const double n = ri_soil_exponent(s, x), least = 1.0 / n;
        k->power(count, p, s->k, least, s->share * s->unit, own);
        for (int i = 0; i < count; i++)
            way[i] = s->below ? own[i] / s->thickness : 0.0;
        if (s->below)
            k->mobilise(count, way, used);
        for (int i = 0; i < count; i++) {
            out_z[i] += s->below ? s->thickness * used[i] : own[i];
            out_rate[i] += least * own[i] * (s->below ? 1.0 - used[i] : 1.0);
        }
    }
}

/// Bounds of the pressure at a depth: no more than the last layer alone needs for it, no less than
/// the weakest would take if it went down for ever.
static void bounds(const RiSoilLaw *soil, const RiSliding *x, double depth, double *out_low, double *out_high)
{
    *out_low = *out_high = INFINITY;
    for (const RiSoilLaw *s = soil; s; s = s->below) {
        const double n = ri_soil_exponent(s, x),
                     way = s->below ? -s->thickness * ri_log1p(-depth / s->thickness) : depth;
        *out_low = fmin(*out_low, s->k * ri_pow(depth / s->unit, n));
        if (!s->below || depth < s->thickness)
            *out_high = fmin(*out_high, s->k * ri_pow(way / (s->share * s->unit), n));
    }
}

/// Pressures of the layers at depths, and their slopes.
static void press_layers(const RiNodeKernels *k, const RiSoilLaw *soil, const RiSliding *x, int count,
                         const double *depth, double *p, double *out_slope)
{
    double low[RI_NODE_MAX / 2], high[RI_NODE_MAX / 2], z[RI_NODE_MAX / 2], rate[RI_NODE_MAX / 2];
    for (int i = 0; i < count; i++) {
        low[i] = high[i] = p[i] = 1.0;
        if (depth[i] > 0.0)
            bounds(soil, x, depth[i], &low[i], &high[i]);
        p[i] = depth[i] > 0.0 ? sqrt(low[i]) * sqrt(high[i]) : 1.0;
    }
    double worst = INFINITY;
    for (int round = 0; round < ROUNDS && worst > CLOSE; round++) {
        worst = 0.0;
        sinkages(k, soil, x, count, p, z, rate);
        for (int i = 0; i < count; i++) {
            if (!(depth[i] > 0.0))
                continue;
            const double off = ri_log(z[i] / depth[i]), next = p[i] * ri_exp(-off * z[i] / rate[i]);
            *(off > 0.0 ? &high[i] : &low[i]) = p[i];
            worst = fmax(worst, fabs(off));
            if (fabs(off) > CLOSE)
                p[i] = next > low[i] && next < high[i] ? next : sqrt(low[i]) * sqrt(high[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        out_slope[i] = depth[i] > 0.0 ? p[i] / rate[i] : 0.0;
        p[i] = depth[i] > 0.0 ? p[i] : 0.0;
    }
}

/// What a crust adds to the pressure at a depth, and its slope.
static double crust_at(const RiSoilLaw *s, double depth, double *out_slope)
{
    const double d = depth - s->top, bend = s->crust_bend, gone = (1.0 + FALL) * bend;
    *out_slope = 0.0;
    if (!(s->crust > 0.0) || d <= 0.0 || d >= gone)
        return 0.0;
    *out_slope = d < bend ? s->crust / bend : -s->crust / (FALL * bend);
    return d < bend ? *out_slope * d : -*out_slope * (gone - d);
}

/// Adds crusts in soil that has been pressed to `packed`: up to there what is left of them comes
/// back in proportion.
static void press_crusts(const RiSoilLaw *soil, double packed, int count, const double *depth, double *p, double *slope)
{
    for (const RiSoilLaw *s = soil; s; s = s->below) {
        double unused, here;
        const double left = packed > 0.0 ? crust_at(s, packed, &unused) / packed : 0.0;
        for (int i = 0; i < count && s->crust > 0.0; i++) {
            const double more = crust_at(s, depth[i], &here);
            p[i] += depth[i] < packed ? left * depth[i] : more;
            slope[i] += fmax(0.0, depth[i] < packed ? left : here); // an implicit step wants none that pushes on
        }
    }
}

static RiSoilPlate plate_of(const RiSoilLaw *soil, const RiSliding *x)
{
    return (RiSoilPlate){.width = soil->plugin_width,
                         .gravity = soil->plugin_gravity,
                         .slip = x ? x->slip : 0.0,
                         .angle = x ? x->beta : 0.0};
}

/// Pressures by the law of a plugin, which is asked about depths in the soil only. A pressure below
/// 0 is no number: the step finds it.
static void press_plugin(const RiSoilLaw *soil, const RiSliding *x, int count, const double *depth, double *out_sigma,
                         double *out_slope)
{
    const RiSoilPlate plate = plate_of(soil, x);
    double z[RI_NODE_MAX / 2], p[RI_NODE_MAX / 2], slope[RI_NODE_MAX / 2];
    int place[RI_NODE_MAX / 2], n = 0;
    for (int i = 0; i < count; i++) {
        out_sigma[i] = out_slope[i] = 0.0;
        if (depth[i] > 0.0) {
            place[n] = i;
            p[n] = slope[n] = NAN;
            z[n++] = depth[i];
        }
    }
    if (n > 0)
        soil->plugin->press(soil->plugin_numbers, &plate, n, z, p, slope);
    for (int i = 0; i < n; i++) {
        out_sigma[place[i]] = p[i] >= 0.0 ? p[i] : NAN;
        out_slope[place[i]] = slope[i] > 0.0 ? slope[i] : 0.0; // an implicit step wants none that pushes on
    }
}

void ri_stack_press(const RiNodeKernels *k, const RiSoilLaw *soil, const RiSliding *x, double packed, int count,
                    const double *depth, double *out_sigma, double *out_slope)
{
    if (soil->plugin)
        press_plugin(soil, x, count, depth, out_sigma, out_slope);
    else if (soil->below)
        press_layers(k, soil, x, count, depth, out_sigma, out_slope);
    else {
        const double n = ri_soil_exponent(soil, x);
        k->power(count, depth, soil->unit, n, soil->k, out_sigma);
        for (int i = 0; i < count; i++)
            out_slope[i] = depth[i] > 0.0 ? n * out_sigma[i] / depth[i] : 0.0;
    }
    press_crusts(soil, packed, count, depth, out_sigma, out_slope);
}

double ri_stack_pressure(const RiNodeKernels *k, const RiSoilLaw *soil, const RiSliding *x, double packed, double depth)
{
    const double z[RI_NODE_LANES] = {depth};
    double p[RI_NODE_LANES], slope[RI_NODE_LANES];
    ri_stack_press(k, soil, x, packed, RI_NODE_LANES, z, p, slope);
    return p[0];
}

double ri_stack_strength(const RiSoilLaw *soil, double depth, double sigma)
{
    if (soil->plugin && soil->plugin->strength) {
        const RiSoilPlate plate = plate_of(soil, NULL);
        const double strength = soil->plugin->strength(soil->plugin_numbers, &plate, depth, sigma);
        return strength >= 0.0 ? strength : NAN;
    }
    double here = soil->cohesion + sigma * soil->tan_phi;
    for (const RiSoilLaw *s = soil; s->below; s = s->below) {
        const double next = s->below->cohesion + sigma * s->below->tan_phi;
        const double half = 0.25 * fmin(s->thickness, s->below->thickness), over = depth - s->below->top;
        if (over <= -half)
            break;
        here = over >= half ? next : here + (next - here) * 0.5 * (1.0 + over / half);
    }
    return here;
}

void ri_soil_law_stack(RiSoilLaw *laws, int count, double width)
{
    static const RiSliding still = {0.0, 0.0, 0.0};
    double top = 0.0;
    for (int i = 0; i < count; i++) {
        RiSoilLaw *s = &laws[i];
        const bool last = i == count - 1;
        s->below = last ? NULL : &laws[i + 1];
        s->top = top;
        s->share = (last ? 1.0 : influence(top + s->thickness, 0.5 * width)) - influence(top, 0.5 * width);
        top += s->thickness;
    }
    laws[0].stacked = count > 1 || laws[0].plugin;
    for (int i = 0; i < count; i++) {
        RiSoilLaw *s = &laws[i];
        if (!(s->crust_strength > 0.0))
            continue;
        s->crust_bend = fmin(s->crust_strength / s->unload, s->thickness / (1.0 + FALL));
        const double alone =
            ri_stack_pressure(ri_node_kernels_find(NULL), &laws[0], &still, 0.0, s->top + s->crust_bend);
        s->crust = fmax(0.0, s->crust_strength - alone);
        laws[0].stacked |= s->crust > 0.0;
    }
}

double ri_soil_crust_bend(const RiSoilLaw *soil)
{
    return soil->stacked && soil->crust > 0.0 ? soil->crust_bend : 0.0;
}
