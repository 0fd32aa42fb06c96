// SPDX-License-Identifier: Apache-2.0
/// \file
/// The device `navigation`: its ports, what it remembers, and the parts that it is made of.
///
///     navigate.c  levels, phases, stops            navigate_gestalt.c  map, arcs
///     world.c     costs of the world, global paths  navigate_stripes.c  Sojourner's rules
///     ways.c      paths where a mobility map is given
#ifndef RI_ONBOARD_DRIVE_NAVIGATE_H
#define RI_ONBOARD_DRIVE_NAVIGATE_H

#include <stdint.h>

#include "onboard/drive/vision.h"
#include "onboard/nav/map.h"
#include "onboard/nav/planner.h"

enum {
    RI_NAV_GOALS = 8,
    RI_NAV_ZONES = 4,
    RI_NAV_MOST_CELLS = 64,   ///< on a side of the local map
    RI_NAV_WORLD_CELLS = 128, ///< on a side of the map of costs
    RI_NAV_MOST_POINTS = 8192,
    RI_NAV_CORNERS = 6, ///< of the path that are outputs
    RI_NAV_PATH = 4 * RI_NAV_WORLD_CELLS,
    RI_NAV_MOST_RADII = 15,
    RI_NAV_STRIPES = RI_STRIPE_ROWS * RI_STRIPE_COLUMNS
};

/// Ports. Parameters, inputs, states, outputs.
enum {
    NAV_MODE,
    NAV_PLANNER,
    NAV_VISION,
    NAV_SENSOR,
    NAV_CAMERA_X,
    NAV_CAMERA_Z,
    NAV_CAMERA_PITCH,
    NAV_FIELD_ACROSS,
    NAV_FIELD_UPRIGHT,
    NAV_COLUMNS,
    NAV_ROWS,
    NAV_RANGE_LEAST,
    NAV_RANGE_MOST,
    NAV_RANGE_ERROR,
    NAV_MISSING,
    NAV_REAR,
    NAV_REAR_X,
    NAV_THINK_TIME,
    NAV_STEP,
    NAV_ARC,
    NAV_TURN,
    NAV_LEAST_RADIUS,
    NAV_RADII,
    NAV_CELL,
    NAV_CELLS,
    NAV_RADIUS,
    NAV_STEP_MAX,
    NAV_TILT_MAX,
    NAV_ROUGHNESS_MAX,
    NAV_KNOWN_LEAST,
    NAV_POINTS_MOST,
    NAV_LOOK_AHEAD,
    NAV_WEIGHT_HAZARD,
    NAV_WEIGHT_STEER,
    NAV_WEIGHT_GOAL,
    NAV_WORLD_CELL,
    NAV_STRIPE_NEAR,
    NAV_STRIPE_FAR,
    NAV_STRIPE_WIDTH,
    NAV_SPAN_MAX,
    NAV_DROP_MAX,
    NAV_GAP_WIDTH,
    NAV_CLEAR_LENGTH,
    NAV_TILT_LIMIT,
    NAV_SUSPENSION_LIMIT,
    NAV_SLIP_LIMIT,
    NAV_STALL_TORQUE,
    NAV_STALL_TIME,
    NAV_TIME_LIMIT,
    NAV_WAY_LIMIT,
    NAV_PATIENCE,
    NAV_ESCAPES,
    // inputs
    NAV_COMMAND,
    NAV_LEVEL,
    NAV_GOAL_COUNT,
    NAV_GOAL_RADIUS,
    NAV_GOAL, ///< x1, y1, x2, ...
    NAV_TARGET_X = NAV_GOAL + 2 * RI_NAV_GOALS,
    NAV_TARGET_Y,
    NAV_ZONE_COUNT,
    NAV_ZONE, ///< zone_x1, zone_y1, zone_r1, ...
    NAV_MANUAL_COMMAND = NAV_ZONE + 3 * RI_NAV_ZONES,
    NAV_MANUAL_RADIUS,
    NAV_MANUAL_LENGTH,
    NAV_MANUAL_ANGLE,
    NAV_MANUAL_DIRECTION,
    NAV_POSE_X,
    NAV_POSE_Y,
    NAV_POSE_HEADING,
    NAV_AXLE_INPUT,
    NAV_SLIP_INPUT,
    NAV_COST_INPUT,
    NAV_CONTACT_INPUT,
    NAV_BUSY_INPUT,
    NAV_COMPLETED_INPUT,
    NAV_REFUSED_INPUT,
    // states
    NAV_PHASE,
    NAV_WAITED,
    NAV_HELD_LEVEL,
    NAV_NUMBER,
    NAV_BEGUN,
    NAV_SEEN_COMPLETED,
    NAV_PAID,
    NAV_LAST_X,
    NAV_LAST_Y,
    NAV_CURVATURE,
    NAV_TURNED,
    NAV_BEST,
    NAV_STALE,
    NAV_ESCAPED,
    NAV_BACKED,
    NAV_TURN_FREE,
    NAV_LAST_ORDER,
    NAV_STALLED,
    NAV_AVOIDING,
    NAV_THREADING,
    NAV_AVOIDED,
    NAV_CLEARING,
    NAV_LEVEL_Z,
    // outputs
    NAV_DRIVE_COMMAND,
    NAV_DRIVE_RADIUS,
    NAV_DRIVE_LENGTH,
    NAV_DRIVE_ANGLE,
    NAV_DRIVE_DIRECTION,
    NAV_MOTOR_LEVEL,
    NAV_BUSY,
    NAV_ARRIVED,
    NAV_REACHED,
    NAV_REASON,
    NAV_REFUSED,
    NAV_DISTANCE,
    NAV_CYCLES,
    NAV_THINKING,
    NAV_DRIVING,
    NAV_WAY,
    NAV_POINTS,
    NAV_FREE_ARCS,
    NAV_VOTE,
    NAV_HAZARDS,
    NAV_ACTION,
    NAV_PLAN_RESULT,
    NAV_PLAN_COST,
    NAV_CORNER_COUNT,
    NAV_CORNER, ///< path_x1, path_y1, ...
    NAV_PORTS = NAV_CORNER + 2 * RI_NAV_CORNERS
};

/// Why a drive ended; numbers of the output `reason`.
typedef enum RiNavReason {
    RI_NAV_UNDER_WAY, ///< or never begun
    RI_NAV_ARRIVED,
    RI_NAV_STOPPED,       ///< by command
    RI_NAV_BLOCKED,       ///< no free arc, or no path, after all escapes
    RI_NAV_NO_PROGRESS,   ///< no nearer to the goal after all escapes
    RI_NAV_TILTED,        ///< the body leans beyond tilt_limit
    RI_NAV_SUSPENSION,    ///< a rocker or bogie is beyond suspension_limit
    RI_NAV_SLIPPED,       ///< slip beyond slip_limit
    RI_NAV_STALL,         ///< a wheel pushes and does not turn
    RI_NAV_TOUCHED,       ///< the input `contact`
    RI_NAV_TIME_UP,       ///< time_limit
    RI_NAV_WAY_UP,        ///< way_limit
    RI_NAV_GOAL_OUTSIDE,  ///< the goal is beyond the planner's map
    RI_NAV_GOAL_OCCUPIED, ///< no free place in the goal's circle
    RI_NAV_BLIND,         ///< too little ground was seen, after all escapes
    RI_NAV_NO_ANSWER,     ///< locomotion refused or does not answer
    RI_NAV_NO_GOAL,       ///< no goal, or one that is not a number
    RI_NAV_LEVEL_TAKEN,   ///< the level was switched
    RI_NAV_REASONS
} RiNavReason;

enum { NAV_IDLE, NAV_THINKS, NAV_ORDERS, NAV_DRIVES, NAV_HALTS, NAV_PHASES };
enum { NAV_AT_MOTOR, NAV_AT_LOCOMOTION, NAV_AT_NAVIGATION, NAV_AT_GOAL };
enum { NAV_DO_ARC = 1, NAV_DO_TURN = 2, NAV_DO_CRAB = 3, NAV_DO_STOP = 5 };

/// Part of the state.
typedef struct RiNavMemory {
    double options[16]; ///< of the map in `map`, as the parameters gave them; the map starts again when they change
    double corner_x, corner_y; ///< of the world's map [m]
    int32_t made;              ///< 1: there is a map
    int32_t stripe_count;
    float stripes
        [3 * RI_NAV_STRIPES]; ///< last points of the stripes in the world: x, y, height above the wheels; for drawing
    uint8_t world[RI_NAV_WORLD_CELLS * RI_NAV_WORLD_CELLS]; ///< 0 unknown, 1 hazard, 2 to 255 goodness
    _Alignas(16) char map[RI_NAV_MAP_STATE(RI_NAV_MOST_CELLS)];
} RiNavMemory;

/// Values of the search over headings, where a mobility map is given (ways.c). Working space.
typedef struct RiNavWays {
    const RiDeviceMap *map;
    double x0, y0, cell;                                  // of the world's map
    double scale;                                         // cost of a metre where the rover is
    double seen[RI_NAV_WORLD_CELLS * RI_NAV_WORLD_CELLS]; // cost of a cell by what was seen; infinite: never
    double g[RI_NAV_WORLD_CELLS * RI_NAV_WORLD_CELLS];    // cost to the goal [m]
    int heap[RI_NAV_WORLD_CELLS * RI_NAV_WORLD_CELLS], place[RI_NAV_WORLD_CELLS * RI_NAV_WORLD_CELLS], count;
    int where[RI_NAV_WORLD_CELLS * RI_NAV_WORLD_CELLS];    // cell of the mobility map, -1: beyond it
    int headings[8];                                       // of the mobility map for each direction of a move
    uint8_t free[RI_NAV_WORLD_CELLS * RI_NAV_WORLD_CELLS]; // the rover stands there, whatever the map says
} RiNavWays;

/// Working space.
typedef struct RiNavScratch {
    bool placed;
    double options[16];
    RiNavMap map;
    RiPlanner planner;
    RiNavWays ways;
    double corner_x, corner_y, world_cell; ///< that the planner was made for
    RiVec3 points[RI_NAV_MOST_POINTS];
    RiVec3 path[RI_NAV_PATH];
    _Alignas(16) char map_space[RI_NAV_MAP_SCRATCH(RI_NAV_MOST_CELLS)];
    _Alignas(16) char planner_space[RI_PLANNER_SIZE(RI_NAV_WORLD_CELLS, RI_NAV_WORLD_CELLS)];
} RiNavScratch;

/// The pose that the rover believes in.
typedef struct RiNavPose {
    double x, y, heading;
    RiPose pose; ///< z, roll and pitch are the true ones
} RiNavPose;
RiNavPose ri_nav_pose(const RiDeviceCall *call);

static inline RiNavMemory *ri_nav_memory(const RiDeviceCall *call)
{
    return call->memory;
}
static inline RiNavScratch *ri_nav_scratch(const RiDeviceCall *call)
{
    return call->scratch;
}

/// What shall be driven next.
typedef struct RiNavOrder {
    int command; ///< NAV_DO_, 0: nothing
    double radius, length, angle;
} RiNavOrder;

/// Where the present goal is.
RiVec3 ri_nav_goal(const double *x);
/// Whether a place lies in a keep-out zone.
bool ri_nav_is_kept_out(const double *x, double px, double py);

// navigate_gestalt.c
RiNavOptions ri_nav_read_options(const double *x);
/// Puts the map into its memory; it starts again where there is none or its options have changed.
void ri_nav_ready(RiDeviceCall *call);
/// One cycle: looks, updates the maps, chooses. False: there is no order, and reason says why.
bool ri_nav_gestalt(RiDeviceCall *call, RiNavOrder *out, RiNavReason *out_reason);

// navigate_stripes.c
bool ri_nav_stripes(RiDeviceCall *call, RiNavOrder *out, RiNavReason *out_reason);

// world.c
/// Centres the world's map so that the rover and its goal have room; forgets it where they do not
/// lie in the one there is.
bool ri_nav_world_begin(RiDeviceCall *call, double goal_x, double goal_y);
/// Takes over what the local map knows; returns how many cells are new or have become hazards.
int ri_nav_world_learn(RiDeviceCall *call);
/// Plans a path to the goal; false: see plan_result.
bool ri_nav_world_plan(RiDeviceCall *call, RiVec3 *out_ahead);
/// Cost to the goal of the last plan, for RiNavGoal.
double ri_nav_world_cost(const void *call, double x, double y);
/// Forgets hazards, so that a path may be found again.
void ri_nav_world_forget(RiDeviceCall *call);

// ways.c
/// Index of a place and heading into layers of a map, [headings][ny][nx]; -1: beyond the map.
long long ri_nav_map_index(const RiDeviceMap *map, double px, double py, double heading);
/// Cost of a metre at a place in a heading. Whether no heading may be driven there.
double ri_nav_map_cost(const RiDeviceMap *map, double px, double py, double heading);
bool ri_nav_map_forbids(const RiDeviceMap *map, double px, double py);
/// Finds the cost to a goal from everywhere: `map`, x0, y0, cell, seen and free are set.
void ri_nav_ways_search(RiNavWays *w, double goal_x, double goal_y);
/// Cost to the goal from a place [m]; infinite where no way leads there.
double ri_nav_ways_cost(const RiNavWays *w, double px, double py);
/// Corners of the way from a place to the goal, both included; 0: there is none.
int ri_nav_ways_path(const RiNavWays *w, double px, double py, double goal_x, double goal_y, RiVec3 *path, int room);

#endif
