// SPDX-License-Identifier: Apache-2.0
/// \file
/// Melting of ice under a warm thread: speeds and heat flows of one touch, and of a lump of heat.
#ifndef RI_SOIL_MELT_H
#define RI_SOIL_MELT_H

#include <stddef.h>

#include <rille/melt.h>

/// A number of RiMeltDef.
typedef struct RiMeltField {
    const char *name;
    size_t at;
    const char *unit, *doc;
    double low, high; ///< allowed
} RiMeltField;
const RiMeltField *ri_melt_fields(int *out_count);
static inline double *ri_melt_number(RiMeltDef *d, const RiMeltField *f)
{
    return (double *)(void *)((char *)d + f->at);
}
static inline double ri_melt_get(const RiMeltDef *d, const RiMeltField *f)
{
    return *(const double *)(const void *)((const char *)d + f->at);
}
/// RI_ERR_ARGUMENT names the field that is outside its limits.
RI_MUST_CHECK RiStatus ri_melt_check(RiContext *ctx, const RiMeltDef *d);

/// Heat that it takes to warm ice up to its melting point and melt it [J/kg].
double ri_melt_heat(const RiMeltDef *d);

/// A thread in the ice at one touch.
typedef struct RiMeltThread {
    double radius, height; ///< of the edge; of the thread, from shank to edge [m]
    double edges;          ///< turns of the thread that the touch represents
    double span;           ///< length along the axis that it represents [m]
    double depth;          ///< of the edge below the ice as it was [m]
    double force;          ///< that presses it [N]
} RiMeltThread;

/// What a touch does.
typedef struct RiMeltFlow {
    double speed;    ///< at which the ice goes [m/s]
    double melting;  ///< heat that takes [W]
    double conduct;  ///< conductance into the ice beside that [W/K]
    double area;     ///< that melts [m^2]
    double residual; ///< of the load that was solved for, relative
} RiMeltFlow;

/// Load per fourth power of the speed, F = c w^4, of a plate with a film of water over ice, per
/// cube of the temperature difference: c = ri_film_load / dT^3 [N K^3 s^4/m^4].
double ri_film_load(const RiMeltDef *d, double width, double length);
/// A screw of temperature T whose thread presses on the ice.
RiMeltFlow ri_melt_flow(const RiMeltDef *d, const RiMeltThread *x, double temperature);
/// Force across the thread that crushes the ice beside its flanks [N].
double ri_melt_hold(const RiMeltDef *d, const RiMeltThread *x);

/// A lump of heat after a time h with constant power in and conductances to two temperatures:
/// exact. `out_mean` is its mean temperature over h.
double ri_lump_temperature(double T, double capacity, double power, double conductance_a, double T_a,
                           double conductance_b, double T_b, double h, double *out_mean);

#endif
