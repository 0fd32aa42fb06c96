// SPDX-License-Identifier: Apache-2.0
/// \file
/// The options of wheels and screws on soft soil.
#include <math.h>

#include <rille/sim.h>

#include "sim/options.h"

#define NUMBER(field, unit, initial, low, high, ...)                                                                   \
    RI_OPTION(#field, RiSoilOptions, field, unit, initial, low, high, __VA_ARGS__)
#define WHOLE(field, initial, low, high, ...)                                                                          \
    RI_OPTION(#field, RiSoilOptions, field, "", initial, low, high, __VA_ARGS__)
#define YES_NO(field, initial, ...) RI_OPTION_YES_NO(#field, RiSoilOptions, field, initial, __VA_ARGS__)

static const char *const grouser_words[] = {"mobilised", "full"}; // RiGrouserPush

static const RiOption rows[] = {
    WHOLE(slices, 3, 1, RI_SLICE_MAX, "slices across a wheel; each has its own entry and exit angle"),
    WHOLE(patches, 16, 4, RI_SHEAR_MAX, "patches of shear memory along the contact of a slice"),
    WHOLE(stations, 13, 5, RI_STATION_MAX, "heights of the ground sampled along a slice"),
    YES_NO(coupled, false,
           "shear along and across the wheel share one strength; `false`: each has its own, as in ARTEMIS"),
    NUMBER(bulldozing, "", 1.0, 0.0, 10.0, "factor on Terzaghi's pressure on the side wall; 1 is ARTEMIS"),
    NUMBER(ploughing, "", 1.0, 0.0, 10.0,
           "factor on Terzaghi's pressure on the front of a wheel that moves aside "
           "([theory](theory/wheel-soil.md#moving-aside)); 0 is ARTEMIS"),
    YES_NO(lugs, false,
           "soil between grousers turns with the wheel: larger rolling radius, more thrust "
           "([theory](theory/wheel-soil.md#grousers))"),
    RI_OPTION_ONE_OF(
        "grousers", RiSoilOptions, grousers, grouser_words, RI_GROUSERS_MOBILISED,
        "`mobilised`: grousers push as far as the soil under them is sheared; `full`: with all of equation "
        "15 as soon as the rim slips, as in ARTEMIS ([theory](theory/wheel-soil.md#grousers))"),
    NUMBER(rebound, "", 0.0, 0.0, 1.0, "share of the sinkage that springs back behind the wheel; sets the exit angle"),
    NUMBER(unload, "N/m^3", 2e7, 1e5, 1e12,
           "slope of the pressure when a wheel is lifted or a rut is loaded a second time"),
    NUMBER(unload_time, "s", 4e-3, 0.0, 1.0,
           "damping on that slope: the pressure is that of a wheel lifted for this long at its present speed"),
    NUMBER(damping, "N*s/m^3", 0.0, 0.0, 1e9, "pressure per sinking speed"),
    NUMBER(shear_lag, "s", 0.05, 0.0, 1.0,
           "damping of shear ([theory](theory/wheel-soil.md#in-a-step)); with 0 a rover swings on its soil and creeps"),
    NUMBER(slip_most, "", 0.76, 0.0, 1.0,
           "a moving wheel with more slip of travel is flagged; the law agrees with a measured wheel up to 0.75",
           .flags = RI_OPTION_ABOVE),
    NUMBER(angle_most, "rad", 61.0 * M_PI / 180.0, 0.0, 0.5 * M_PI,
           "a moving wheel with a larger slip angle is flagged; the law agrees with measured wheels up to 60 degrees"),
    YES_NO(berms, false,
           "keep the soil that a wheel displaces: berms, bow waves, heaps behind spinning wheels "
           "([theory](theory/soil-ground.md)); needs `ruts:`"),
    NUMBER(compaction, "", 0.5, 0.0, 1.0, "share of a rut's volume that is compacted; the rest is displaced"),
    NUMBER(layer, "m", 2e-3, 0.0, 0.1, "thickness of the soil that a slipping rim carries back, besides grousers"),
    WHOLE(screw_stations, 7, 5, RI_SCREW_STATION_MAX, "nodes along a screw; odd"),
    WHOLE(screw_patches, 8, 4, RI_SCREW_PATCH_MAX, "nodes across the contact of a screw"),
    NUMBER(screw_edge, "m", 2e-3, 0.0, 0.1, "width of a screw blade's edge", .flags = RI_OPTION_ABOVE),
    NUMBER(screw_friction, "", 2.0 / 3.0, 0.0, 1.0,
           "friction and adhesion of soil on a screw, as a share of friction and cohesion within the soil"),
    NUMBER(
        wake, "m", 0.5, 0.0, 1e3,
        "distance beyond the end of a screw within which the soil is already compacted by it; not used with `ruts:`, "
        "which remember it"),
    NUMBER(screw_dig, "", 0.0, 0.0, 1.0,
           "share of the soil between the blades of a slipping screw that they carry back: it digs itself in "
           "([theory](theory/screw-soil.md#digging)); not measured"),
};
const RiOptionTable ri_soil_option_table = RI_OPTION_TABLE("soil", RiSoilOptions, rows);

RiSoilOptions ri_soil_options_default(void)
{
    RiSoilOptions o = {0};
    ri_options_default(&ri_soil_option_table, &o);
    return o;
}
