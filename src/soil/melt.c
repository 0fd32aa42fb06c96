// SPDX-License-Identifier: Apache-2.0
/// \file
/// Close-contact melting under the edge of a thread and under its shank.
///
/// A plate of width b and length l that is dT warmer than melting ice presses on a film of water of
/// thickness s. With the speed w at which the ice goes,
///
///     heat:   k_w dT / s = rho_i H w,                         H = L + c_i (T_m - T_ice)
///     flow:   p(x) = 6 eta W ((b/2)^2 - x^2) / s^3,           W = w rho_i / rho_w
///     load:   F = integral of p = l eta W b^3 / s^3
///
///     =>      F = c w^4,    c = eta l b^3 (rho_i / rho_w) (rho_i H / (k_w dT))^3          [bejan1992, moallemi1986]
///
/// Edge and shank sink together, so their loads add at one speed. The edge is colder than the screw
/// by what the thread's blade conducts. Tests: tests/soil/test_melt.c (lubrication equation solved
/// numerically, lumped heating, limits).
#include "soil/melt.h"
#include "base/functions.h"

#include <math.h>
#include <stdbool.h>

#define PLACE(field) #field, offsetof(RiMeltDef, field)
#define ABOVE_ZERO   1e-12
static const RiMeltField fields[] = {
    {PLACE(ice_temperature), "K", "temperature of the ice far from the screws", 0.0, 273.16},
    {PLACE(melting_temperature), "K", "melting temperature without pressure", 0.0, 273.16},
    {PLACE(pressure_slope), "K/Pa", "fall of the melting temperature with pressure", 0.0, 1e-6},
    {PLACE(ice_density), "kg/m^3", "density of ice", ABOVE_ZERO, INFINITY},
    {PLACE(latent_heat), "J/kg", "latent heat of melting", ABOVE_ZERO, INFINITY},
    {PLACE(ice_specific_heat), "J/kg/K", "specific heat of ice", 0.0, INFINITY},
    {PLACE(ice_conductivity), "W/m/K", "thermal conductivity of ice", 0.0, INFINITY},
    {PLACE(crushing_strength), "Pa", "pressure at which ice is crushed", 0.0, INFINITY},
    {PLACE(water_density), "kg/m^3", "density of melt water", ABOVE_ZERO, INFINITY},
    {PLACE(water_viscosity), "Pa*s", "viscosity of melt water", ABOVE_ZERO, INFINITY},
    {PLACE(water_conductivity), "W/m/K", "thermal conductivity of melt water", ABOVE_ZERO, INFINITY},
    {PLACE(start_temperature), "K", "temperature of the screws at the start", 0.0, 2000.0},
    {PLACE(heat_capacity), "J/K", "heat capacity of a screw", ABOVE_ZERO, INFINITY},
    {PLACE(edge_width), "m", "width of the thread's edge", ABOVE_ZERO, INFINITY},
    {PLACE(thread_conductivity), "W/m/K", "thermal conductivity of the thread's material", ABOVE_ZERO, INFINITY},
    {PLACE(friction_share), "", "part of the friction heat that goes into the screw", 0.0, 1.0},
    {PLACE(surroundings_temperature), "K", "temperature of the surroundings", 0.0, 2000.0},
    {PLACE(surroundings_conductance), "W/K", "conductance from a screw to the surroundings", 0.0, INFINITY},
};

RiMeltDef ri_melt_default(void)
{
    return (RiMeltDef){.ice_temperature = 263.15,
                       .melting_temperature = 273.15,
                       .pressure_slope = 7.42e-8,
                       .ice_density = 917.0,
                       .latent_heat = 334e3,
                       .ice_specific_heat = 2100.0,
                       .ice_conductivity = 2.2,
                       .crushing_strength = 3e6,
                       .water_density = 1000.0,
                       .water_viscosity = 1.79e-3,
                       .water_conductivity = 0.561,
                       .start_temperature = 263.15,
                       .heat_capacity = 900.0,
                       .edge_width = 2e-3,
                       .thread_conductivity = 160.0,
                       .friction_share = 0.5,
                       .surroundings_temperature = 263.15,
                       .surroundings_conductance = 0.5};
}

const RiMeltField *ri_melt_fields(int *out_count)
{
    *out_count = sizeof fields / sizeof *fields;
    return fields;
}

RiStatus ri_melt_check(RiContext *ctx, const RiMeltDef *d)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const RiMeltField *f = &fields[i];
        const double x = ri_melt_get(d, f);
        if (x >= f->low && x <= f->high && isfinite(x))
            continue;
        const bool open = f->low == ABOVE_ZERO;
        if (isfinite(f->high))
            return ri_error(ctx, RI_ERR_ARGUMENT, "melt: %s is %g %s, it must be %g to %g", f->name, x, f->unit, f->low,
                            f->high);
        return ri_error(ctx, RI_ERR_ARGUMENT, "melt: %s is %g %s, it must be %s 0 and finite", f->name, x, f->unit,
                        open ? "above" : "at least");
    }
    return RI_OK;
}

double ri_melt_heat(const RiMeltDef *d)
{
    return d->latent_heat + d->ice_specific_heat * fmax(0.0, d->melting_temperature - d->ice_temperature);
}

double ri_film_load(const RiMeltDef *d, double width, double length)
{
    const double q = d->ice_density * ri_melt_heat(d) / d->water_conductivity;
    return d->water_viscosity * length * width * width * width * (d->ice_density / d->water_density) * q * q * q;
}

/// Width of the strip that a circle of radius R cuts out of a plane at a depth: the chord.
static double chord(double R, double depth)
{
    const double d = fmin(depth, R);
    return d > 0.0 ? 2.0 * sqrt((2.0 * R - d) * d) : 0.0;
}

/// A film problem: edge and shank at one speed.
typedef struct Film {
    double edge, shank; // loads per w^4, times the cube of their temperature difference
    double warm;        // screw above melting [K]
    double drop;        // by which the edge is colder, per speed [K s/m]
    double force;
} Film;

/// Load that the films carry at a speed, and its slope.
static double film_force(const Film *f, double w, double *out_slope)
{
    const double dT = f->warm - f->drop * w, w3 = w * w * w, cube = dT * dT * dT;
    const double a = f->edge / cube, b = f->shank / (f->warm * f->warm * f->warm);
    *out_slope = 4.0 * w3 * (a + b) + w3 * w * 3.0 * a * f->drop / dT;
    return w3 * w * (a + b);
}

/// The speed at which the films carry the load: Newton's method between bounds that close in. The
/// load grows with the speed from nothing beyond all bounds, so there is exactly one.
static double film_speed(const Film *f, double *out_residual)
{
    enum { MOST = 60 };
    const double cube = f->warm * f->warm * f->warm;
    double low = 0.0, high = ri_pow(f->force * cube / (f->edge + f->shank), 0.25), slope;
    if (f->drop > 0.0 && f->edge > 0.0)
        high = fmin(high, f->warm / f->drop);
    double w = 0.5 * high;
    for (int k = 0; k < MOST; k++) {
        const double over = film_force(f, w, &slope) - f->force;
        *out_residual = fabs(over) / f->force;
        if (*out_residual < 1e-12)
            break;
        *(over > 0.0 ? &high : &low) = w;
        const double next = w - over / slope;
        w = next > low && next < high ? next : 0.5 * (low + high);
    }
    return w;
}

RiMeltFlow ri_melt_flow(const RiMeltDef *d, const RiMeltThread *x, double temperature)
{
    RiMeltFlow flow = {0};
    if (x->depth <= 0.0 || x->force <= 0.0)
        return flow;
    const double length = x->edges * fmax(chord(x->radius, x->depth), d->edge_width);
    const double wide = x->height > 0.0 ? chord(x->radius - x->height, x->depth - x->height) : 0.0;
    const double edge_area = length * d->edge_width, area = edge_area + wide * x->span;
    flow.conduct = 2.0 * d->ice_conductivity * (length + (wide > 0.0 ? x->span : 0.0));
    flow.area = area;
    Film f = {.edge = ri_film_load(d, d->edge_width, length), .shank = ri_film_load(d, wide, x->span)};
    f.warm = temperature - d->melting_temperature + d->pressure_slope * x->force / area;
    f.force = x->force;
    if (f.warm <= 0.0)
        return flow;
    if (x->height > 0.0) // heat comes to the edge through the blade
        f.drop = d->ice_density * ri_melt_heat(d) * edge_area * x->height /
                 (d->thread_conductivity * d->edge_width * length);
    flow.speed = film_speed(&f, &flow.residual);
    flow.melting = d->ice_density * ri_melt_heat(d) * flow.speed * area;
    return flow;
}

double ri_melt_hold(const RiMeltDef *d, const RiMeltThread *x)
{
    if (x->depth <= 0.0)
        return 0.0;
    const double deep = x->height > 0.0 ? fmin(x->depth, x->height) : x->depth;
    return d->crushing_strength * x->edges * (2.0 / 3.0) * chord(x->radius, x->depth) * deep;
}

double ri_lump_temperature(double T, double capacity, double power, double conductance_a, double T_a,
                           double conductance_b, double T_b, double h, double *out_mean)
{
    const double G = conductance_a + conductance_b, x = h * G / capacity;
    if (x < 1e-9) { // heat flows as at the beginning, to second order
        const double rate = (power - conductance_a * (T - T_a) - conductance_b * (T - T_b)) / capacity;
        *out_mean = T + 0.5 * h * rate;
        return T + h * rate;
    }
    const double rest = (power + conductance_a * T_a + conductance_b * T_b) / G;
    *out_mean = rest + (T - rest) * -ri_expm1(-x) / x;
    return rest + (T - rest) * ri_exp(-x);
}
