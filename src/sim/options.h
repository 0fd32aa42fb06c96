// SPDX-License-Identifier: Apache-2.0
/// \file
/// The option tables of this room (base/option.h).
#ifndef RI_SIM_OPTIONS_H
#define RI_SIM_OPTIONS_H

#include <rille/sim.h>

#include "base/option.h"

extern const RiOptionTable ri_sim_option_table;           ///< RiSimOptions: top-level keys of a scene
extern const RiOptionTable ri_sim_contact_option_table;   ///< RiSimOptions: those in the key `contact`
extern const RiOptionTable ri_soil_option_table;          ///< RiSoilOptions: the key `soil`
extern const RiOptionTable ri_place_option_table;         ///< RiPlaceDef: the key `place`
extern const RiOptionTable ri_place_attract_option_table; ///< RiPlaceDef: the key `place.attract`
extern const RiOptionTable ri_place_hold_option_table;    ///< RiPlaceDef: the key `place.hold`

/// Links with shapes only that soft soil acts on.
int ri_sim_soil_body_count(const RiSim *s);

#endif
