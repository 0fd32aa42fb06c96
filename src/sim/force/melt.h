// SPDX-License-Identifier: Apache-2.0
/// \file
/// Warm screws on ice (melt.c).
#ifndef RI_SIM_MELT_H
#define RI_SIM_MELT_H

#include "sim/force/touches.h"
#include "soil/melt.h"

/// A screw as a lump of heat, in the state block. Sums are since start.
typedef struct RiScrewHeat {
    double temperature;     // [K]
    double embedded;        // depth of its edge over the height of its thread [-]
    double melted_in;       // deepest melt under it [m]
    double breakout;        // torque that crushes the ice beside its flanks [N m]
    double ice_power;       // into the ice by conduction [W]
    double work, stored;    // of its contact forces in this tick; in their springs at its beginning [J]
    double friction;        // heat of friction, of which friction_share stays in the screw [J]
    double from_friction;   // that share [J]
    double from_heater;     // [J]
    double to_ice;          // conducted into the ice [J]
    double to_melt;         // of that, for melting and warming what melts [J]
    double to_surroundings; // [J]
} RiScrewHeat;

/// A link with a thread that may melt in.
typedef struct RiWarmScrew {
    int slot;      // in RiContacts.links
    int flag;      // validity
    double effort; // of its joint, at most [N m]
} RiWarmScrew;

struct RiMelting {
    RiMeltDef given; // as it was set
    RiWarmScrew *screws;
    int count;
    int *screw_of;    // [contact links] -1
    bool *icy;        // [materials of the terrain] it melts
    RiMeltFlow *flow; // [places] scratch
    // in the state block
    double *depth, *speed; // [places] ice that is gone under a touch; speed at which it goes
    RiScrewHeat *heat;     // [screws]
    double *heater;        // [screws] power from motors and heaters [W]
    RiMeltDef *def;        // numbers of `given`, as named values may have changed them
};

#endif
