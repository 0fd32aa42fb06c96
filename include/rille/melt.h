// SPDX-License-Identifier: Apache-2.0
/// \file
/// Warm screws on ice: what melting needs to know.
///
///     friction, heater --> temperature of a screw --(film of melt water under the thread's edge)--> the screw sinks into the ice
///
/// Each screw is one lump of heat. Where its thread presses on ice and is warmer than the melting
/// point, it melts in at the speed of close-contact melting; what it melts is gone from under it.
/// Equations, sources and limits: docs/theory/melt.md. Off unless given to a simulation:
/// ri_sim_set_melt.
#ifndef RILLE_MELT_H
#define RILLE_MELT_H

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Ice, melt water and screws.
typedef struct RiMeltDef {
    const char *ground; ///< glob over the terrain's materials that melt; NULL: "ice"
    // ice
    double ice_temperature;     ///< far from the screw [K]
    double melting_temperature; ///< without pressure [K]
    double pressure_slope;      ///< fall of the melting temperature with pressure [K/Pa]
    double ice_density;         ///< [kg/m^3]
    double latent_heat;         ///< [J/kg]
    double ice_specific_heat;   ///< [J/(kg K)]
    double ice_conductivity;    ///< [W/(m K)]
    double crushing_strength;   ///< [Pa]
    // melt water
    double water_density;      ///< [kg/m^3]
    double water_viscosity;    ///< [Pa s]
    double water_conductivity; ///< [W/(m K)]
    // screws
    double start_temperature;        ///< [K]
    double heat_capacity;            ///< of a screw [J/K]
    double edge_width;               ///< of the thread's edge [m]
    double thread_conductivity;      ///< of the thread's material [W/(m K)]
    double friction_share;           ///< part of the friction heat that goes into the screw; the rest into the ice [-]
    double surroundings_temperature; ///< [K]
    double surroundings_conductance; ///< from a screw to them [W/K]
} RiMeltDef;
/// Melting with the defaults of the fields above.
RiMeltDef ri_melt_default(void);

#ifdef __cplusplus
}
#endif
#endif
