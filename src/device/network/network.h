// SPDX-License-Identifier: Apache-2.0
/// \file
/// Subsystems that are solved together: site, sources, battery, bus, loads, heaters, temperatures,
/// radio.
///
///     site -> orbiters, Earth -> sources -> thermostats, radios -> bus (shedding, battery) -> loads -> temperatures -> data
///
/// Every subsystem is a device class with ports (device.h); its `update` does nothing. The
/// connections of the devices are the topology: an input named in RiRefRule and connected to a port
/// of another subsystem refers to that. A network borrows the port values of its members.
/// Equations: docs/theory/power.md, docs/theory/thermal.md, docs/theory/relay.md. Tests:
/// tests/device/test_network.c.
#ifndef RI_DEVICE_NETWORK_H
#define RI_DEVICE_NETWORK_H

#include <rille/device.h>
#include <rille/relay.h>
#include <rille/sky.h>

#include "base/memory.h"

enum { RI_NETWORK_REFS = 3, RI_NETWORK_COLUMNS = 6 };

/// What a ray meets.
typedef enum RiSeen { RI_SEEN_SKY, RI_SEEN_GROUND, RI_SEEN_ROBOT } RiSeen;

/// What the network sees of the world during one step.
typedef struct RiNetworkWorld {
    const RiSunDef *place; ///< body, date and place; world RI_WORLD_UNKNOWN: nowhere
    double time;           ///< at the beginning of the step [s]
    double dt;             ///< [s]
    RiSun sun;             ///< in the middle of the step
    RiVec3 towards;        ///< unit vector to it
    /// Whether nothing is between a point and what is far away in a direction: 1 free, 0 hidden.
    /// NULL: free.
    double (*free_view)(const void *user, RiVec3 point, RiVec3 towards);
    /// The same past the terrain alone: waves of radio go round the robot's own parts.
    double (*free_path)(const void *user, RiVec3 point, RiVec3 towards);
    /// What is seen from a point in a direction; NULL: the sky, and the ground below the horizon.
    RiSeen (*look)(const void *user, RiVec3 point, RiVec3 towards);
    const void *user;
} RiNetworkWorld;

typedef enum RiSubsystem {
    RI_SUBSYSTEM_SITE,
    RI_SUBSYSTEM_ORBITER,
    RI_SUBSYSTEM_EARTH,
    RI_SUBSYSTEM_ARRAY,
    RI_SUBSYSTEM_RTG,
    RI_SUBSYSTEM_BATTERY,
    RI_SUBSYSTEM_BUS,
    RI_SUBSYSTEM_LOAD,
    RI_SUBSYSTEM_HEATER,
    RI_SUBSYSTEM_NODE,
    RI_SUBSYSTEM_CONDUCTOR,
    RI_SUBSYSTEM_RADIO,
    RI_SUBSYSTEM_RECORDER,
    RI_SUBSYSTEM_HORIZON,
    RI_SUBSYSTEM_COVER,
    RI_SUBSYSTEM_COUNT
} RiSubsystem;

/// An input that refers to another subsystem.
typedef struct RiRefRule {
    int port;       ///< the input; -1: no more
    unsigned kinds; ///< allowed subsystems, bits 1 << RiSubsystem
    bool required;
} RiRefRule;

struct RiNetwork;

/// A column of the table that a subsystem may read from a file: its name there, and what one of it
/// is in SI.
typedef struct RiTableColumn {
    const char *name;
    double unit;
} RiTableColumn;

/// A row of the table of subsystems.
typedef struct RiSubsystemClass {
    const RiDeviceClass *device;
    RiSubsystem kind;
    RiRefRule refs[RI_NETWORK_REFS];
    /// The first one rises from row to row. name NULL: no more; none at all: it reads no file.
    RiTableColumn columns[RI_NETWORK_COLUMNS];
} RiSubsystemClass;

/// The row of a device class; NULL: it is no subsystem.
const RiSubsystemClass *ri_subsystem_of(const RiDeviceClass *device);

typedef struct RiMember {
    const char *name;
    const RiSubsystemClass *row;
    double *x;                ///< its ports
    RiPose pose;              ///< of its frame in the world, set before a step
    int ref[RI_NETWORK_REFS]; ///< members that its inputs refer to, -1
    double wanted;            ///< bus: power asked for in this step [W]
    double heat;              ///< node: heat brought into it in this step [W]
    const double *table;      ///< in SI, NULL: none
    int table_rows, table_columns;
    // the Earth: where it is at two knots of time, a pure function of time and so no part of the
    // state
    bool has_knots;
    long long knot;
    RiLook from, to;
} RiMember;

typedef struct RiNetwork {
    RiMember *members;
    int count;
    int site;     ///< the member that is the site, -1
    int horizon;  ///< and the horizon, -1: flat
    int cover;    ///< the ground's cover under the robot, -1: that of the site
    double x, y;  ///< where the robot is [m], for a horizon that a map has given
    bool moved;   ///< members have new poses: thermal nodes look around
    double *work; ///< scratch of the thermal solver, 7 * count
    int *node_of; ///< [count] number among the nodes, -1
    int node_count;
} RiNetwork;

// network.c

/// Checks references and numbers of a network whose members are listed. NULL, or what is wrong with
/// *out_member.
const char *ri_network_check(const RiNetwork *n, RiWorld world, int *out_member);
/// Memory for steps, in an arena.
RI_MUST_CHECK RiStatus ri_network_prepare(RiContext *ctx, RiArena *arena, RiNetwork *n);
/// States at the start: initial charges, temperatures, the ground after some days.
void ri_network_begin(RiNetwork *n, const RiNetworkWorld *w);
/// One step.
void ri_network_step(RiNetwork *n, const RiNetworkWorld *w);

// parts of a step
void ri_site_begin(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w);
void ri_site_step(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w);
void ri_orbiter_step(RiMember *m, const RiNetworkWorld *w);
void ri_array_step(RiNetwork *n, RiMember *m, const RiNetworkWorld *w);
void ri_rtg_step(RiNetwork *n, RiMember *m, const RiNetworkWorld *w);
void ri_battery_begin(RiMember *m);
/// Largest power that it takes (positive) and gives (negative) in a step [W].
void ri_battery_limits(const RiNetwork *n, RiMember *m, double dt, double *out_charge, double *out_discharge);
/// Charges (positive) or discharges by `power` at its terminals; within the limits.
void ri_battery_step(RiNetwork *n, RiMember *m, double power, double dt);
/// Power that a load, heater or radio asks for [W].
double ri_load_wanted(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w);
void ri_load_serve(RiNetwork *n, RiMember *m, bool served, double dt);
void ri_bus_step(RiNetwork *n, int bus, const RiNetworkWorld *w);
void ri_thermal_begin(RiNetwork *n);
void ri_thermal_step(RiNetwork *n, const RiNetworkWorld *w);
void ri_radio_look(RiNetwork *n, RiMember *m, const RiNetworkWorld *w);
void ri_radio_send(RiNetwork *n, RiMember *m, double dt);
void ri_recorder_step(RiMember *m, double dt);

// view.c

/// The second column of a member's table at a place in the first: straight between rows, held
/// before and behind them.
double ri_member_course(const RiMember *m, double time);
/// What is wrong with a member's table; NULL.
const char *ri_member_table_trouble(const RiMember *m);
/// A relay on a circular orbit of radius `orbit` during a pass: rise, set [s], highest elevation,
/// azimuths of rise and set [rad].
RiLook ri_pass_look(const double pass[5], double body, double orbit, double time);
/// Where the table of an orbiter puts it; below the horizon between passes.
RiLook ri_member_pass(const RiMember *m, const RiNetworkWorld *w, double time);
/// Elevation of the horizon in a direction [rad].
double ri_network_horizon(const RiNetwork *n, double azimuth);
bool ri_network_is_above(const RiNetwork *n, RiVec3 towards);
/// Part of the sun's disc above the horizon.
double ri_network_disc(const RiNetwork *n, const RiNetworkWorld *w);
/// Part of what is above the horizon of the sun's disc that is seen from a point.
double ri_network_sunlit(const RiNetwork *n, const RiNetworkWorld *w, RiVec3 point);
/// The same where the robot itself is not in the way, else 1.
double ri_network_penumbra(const RiNetwork *n, const RiNetworkWorld *w, RiVec3 point);
/// Where the rays of a thermal node begin.
RiVec3 ri_node_eye(const RiMember *m);
/// Finds the parts of sky and ground that a thermal node sees.
void ri_node_look(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w);
/// Area of a node across the sun's rays [m^2].
double ri_node_sun_area(const RiMember *m, const RiNetworkWorld *w);
void ri_horizon_step(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w);

static inline bool ri_member_is(const RiMember *m, RiSubsystem kind)
{
    return m->row->kind == kind;
}

static inline RiMember *ri_member_ref(const RiNetwork *n, const RiMember *m, int ref)
{
    return m->ref[ref] >= 0 ? &n->members[m->ref[ref]] : NULL;
}

/// Adds heat [W] to a node that a reference names, if there is one.
static inline void ri_member_warm(RiNetwork *n, const RiMember *m, int ref, double power)
{
    RiMember *node = ri_member_ref(n, m, ref);
    if (node)
        node->heat += power;
}

// --- ports ---------------------------------------------------------------------------------------

enum {
    SITE_TAU,
    SITE_ALBEDO,
    SITE_INERTIA,
    SITE_EMISSIVITY,
    SITE_SKY_IR,
    SITE_PRESSURE,
    SITE_WIND,
    SITE_AIR_LAG,
    SITE_SPIN_UP,
    SITE_LAYER,
    SITE_AIR = SITE_LAYER + RI_SOIL_LAYERS,
    SITE_GROUND,
    SITE_SKY,
    SITE_TOP,
    SITE_BEAM,
    SITE_DIFFUSE,
    SITE_GLOBAL,
    SITE_LIT,
    SITE_USED_ALBEDO,
    SITE_USED_INERTIA,
    SITE_INSOLATION,
    SITE_BEYOND,
    SITE_COUNT
};

enum { REF_BUS = 0, REF_NODE = 1, REF_THIRD = 2 };

enum {
    ARRAY_BUS,
    ARRAY_CELL,
    ARRAY_CLEAN,
    ARRAY_AREA,
    ARRAY_EFFICIENCY,
    ARRAY_TEMPERATURE_SLOPE,
    ARRAY_REFERENCE,
    ARRAY_TRACKER,
    ARRAY_DIRECT,
    ARRAY_CELLS,
    ARRAY_OPEN_VOLTAGE,
    ARRAY_VOLTAGE_SLOPE,
    ARRAY_STRINGS,
    ARRAY_LENGTH,
    ARRAY_OFFSET,
    ARRAY_TILT,
    ARRAY_ABSORPTANCE,
    ARRAY_INCIDENCE,
    ARRAY_RED_LOSS,
    ARRAY_RED_FROM,
    ARRAY_DEPOSITION,
    ARRAY_DUST_START,
    ARRAY_FAILED,
    ARRAY_DUST,
    ARRAY_ENERGY,
    ARRAY_FLUX,
    ARRAY_LIT,
    ARRAY_PEAK,
    ARRAY_AVAILABLE,
    ARRAY_POWER,
    ARRAY_COUNT
};

enum {
    RTG_BUS,
    RTG_NODE,
    RTG_START_POWER,
    RTG_HEAT,
    RTG_AGE,
    RTG_HALF_LIFE,
    RTG_FADE,
    RTG_ENERGY,
    RTG_AVAILABLE,
    RTG_POWER,
    RTG_COUNT
};

enum {
    BATTERY_BUS,
    BATTERY_NODE,
    BATTERY_CAPACITY,
    BATTERY_EMPTY_VOLTAGE,
    BATTERY_FULL_VOLTAGE,
    BATTERY_RESISTANCE,
    BATTERY_EFFICIENCY,
    BATTERY_CHARGE_CURRENT,
    BATTERY_DISCHARGE_CURRENT,
    BATTERY_LEAST,
    BATTERY_COLD,
    BATTERY_COLD_CAPACITY,
    BATTERY_CHARGE_COLD,
    BATTERY_CHARGE_HOT,
    BATTERY_AGEING,
    BATTERY_START,
    BATTERY_CHARGE,
    BATTERY_AGED,
    BATTERY_THROUGHPUT,
    BATTERY_STORED,
    BATTERY_LOSS,
    BATTERY_SOC,
    BATTERY_VOLTAGE,
    BATTERY_CURRENT,
    BATTERY_POWER,
    BATTERY_LOWEST,
    BATTERY_INHIBITED,
    BATTERY_COUNT
};

enum {
    BUS_EFFICIENCY,
    BUS_UNDER_VOLTAGE,
    BUS_RECOVER_POWER,
    BUS_RECOVER_SOC,
    BUS_SHED_SOC,
    BUS_SHED_PRIORITY,
    BUS_MODE,
    BUS_ALIVE,
    BUS_GENERATED,
    BUS_USED,
    BUS_LOST,
    BUS_CURTAILED,
    BUS_DEAD_TIME,
    BUS_DEATHS,
    BUS_VOLTAGE,
    BUS_SOURCE_POWER,
    BUS_LOAD_POWER,
    BUS_BATTERY_POWER,
    BUS_SOC,
    BUS_SHED,
    BUS_RESIDUAL,
    BUS_COUNT
};

enum {
    LOAD_BUS,
    LOAD_NODE,
    LOAD_ON,
    LOAD_FOLLOW,
    LOAD_ENERGY_1,
    LOAD_ENERGY_6 = LOAD_ENERGY_1 + 5,
    LOAD_POWER,
    LOAD_PRIORITY,
    LOAD_AWAKE,
    LOAD_ASLEEP,
    LOAD_SAFE,
    LOAD_HEAT,
    LOAD_SEEN,
    LOAD_USED,
    LOAD_DRAW,
    LOAD_SERVED,
    LOAD_SUPPLY,
    LOAD_UNSERVED,
    LOAD_COUNT
};

enum {
    HEATER_BUS,
    HEATER_NODE,
    HEATER_SENSOR,
    HEATER_ENABLED,
    HEATER_POWER,
    HEATER_ON_BELOW,
    HEATER_OFF_ABOVE,
    HEATER_PRIORITY,
    HEATER_FAULT,
    HEATER_ON,
    HEATER_USED,
    HEATER_ON_TIME,
    HEATER_DRAW,
    HEATER_SERVED,
    HEATER_COUNT
};

enum {
    NODE_HEAT_INPUT,
    NODE_CAPACITY,
    NODE_AREA,
    NODE_ABSORPTANCE,
    NODE_EMISSIVITY,
    NODE_SUN_AREA,
    NODE_SKY_VIEW,
    NODE_GROUND_VIEW,
    NODE_CONVECTION,
    NODE_WIND_CONVECTION,
    NODE_VIEWS,
    NODE_EYE,
    NODE_RHU,
    NODE_START,
    NODE_COLD_LIMIT,
    NODE_HOT_LIMIT,
    NODE_TEMPERATURE,
    NODE_GAINED,
    NODE_EMITTED,
    NODE_CONDUCTED,
    NODE_LEAST,
    NODE_MOST,
    NODE_OUTSIDE,
    NODE_SEEN_SKY,
    NODE_SEEN_GROUND,
    NODE_RESIDUAL,
    NODE_COUNT
};

enum {
    CONDUCTOR_A,
    CONDUCTOR_B,
    CONDUCTOR_CONDUCTANCE,
    CONDUCTOR_RADIATION,
    CONDUCTOR_FLOW,
    CONDUCTOR_ENERGY,
    CONDUCTOR_COUNT
};

enum {
    ORBITER_SEMI_MAJOR,
    ORBITER_ECCENTRICITY,
    ORBITER_INCLINATION,
    ORBITER_NODE,
    ORBITER_PERIAPSIS,
    ORBITER_ANOMALY,
    ORBITER_OBLATENESS,
    ORBITER_AZIMUTH,
    ORBITER_ELEVATION,
    ORBITER_RANGE,
    ORBITER_LIGHT_TIME,
    ORBITER_COUNT
};
enum { HORIZON_LIFT, HORIZON_SUN, HORIZON_DISC, HORIZON_BEYOND, HORIZON_COUNT };
/// Columns of a horizon that a map has given: azimuth, elevations as seen from 3 x 3 places, row by
/// row from the south-west, and how far apart those are [m].
enum { HORIZON_PLACES = 3, HORIZON_SPACING = HORIZON_PLACES * HORIZON_PLACES + 1, HORIZON_COLUMNS };
enum {
    COVER_ALBEDO,
    COVER_INERTIA,
    COVER_LAYER,
    COVER_GROUND = COVER_LAYER + RI_SOIL_LAYERS,
    COVER_UNDER,
    COVER_COUNT
};
enum { EARTH_AZIMUTH, EARTH_ELEVATION, EARTH_RANGE, EARTH_LIGHT_TIME, EARTH_COUNT };

enum {
    RADIO_BUS,
    RADIO_REMOTE,
    RADIO_RECORDER,
    RADIO_ON,
    RADIO_AUTOMATIC,
    RADIO_DRAW_POWER,
    RADIO_PRIORITY,
    RADIO_FREQUENCY,
    RADIO_TRANSMIT,
    RADIO_GAIN,
    RADIO_BEAM,
    RADIO_LOSSES,
    RADIO_AXIAL,
    RADIO_REMOTE_AXIAL,
    RADIO_GT,
    RADIO_NOISE,
    RADIO_CODE,
    RADIO_THRESHOLD,
    RADIO_MARGIN,
    RADIO_LOWEST,
    RADIO_HIGHEST,
    RADIO_MASK,
    RADIO_SENT,
    RADIO_USED,
    RADIO_PASS_TIME,
    RADIO_DRAW,
    RADIO_SERVED,
    RADIO_VISIBLE,
    RADIO_RATE,
    RADIO_CARRIER,
    RADIO_LIGHT_TIME,
    RADIO_COUNT
};

enum {
    RECORDER_RATE,
    RECORDER_ADD,
    RECORDER_CAPACITY,
    RECORDER_STORED,
    RECORDER_PRODUCED,
    RECORDER_SENT,
    RECORDER_LOST,
    RECORDER_FULL,
    RECORDER_COUNT
};

extern const RiDeviceClass ri_device_site, ri_device_orbiter, ri_device_earth, ri_device_solar_array, ri_device_rtg,
    ri_device_battery, ri_device_bus, ri_device_load, ri_device_heater, ri_device_thermal_node, ri_device_conductor,
    ri_device_radio, ri_device_recorder, ri_device_horizon, ri_device_ground_cover;

/// `update` of all subsystems: the network does the work.
void ri_subsystem_update(RiDeviceCall *call);

#endif
