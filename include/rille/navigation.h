// SPDX-License-Identifier: Apache-2.0
/// \file
/// Onboard navigation of rovers: hazards from range points, a map of goodness, arcs, and paths.
///
///     range points --(ri_nav_map_add)--> cells --(ri_nav_map_update)--> goodness --(ri_nav_choose_arc)--> best arc
///     4 x 5 stripe points --(ri_sojourner_hazards)--> left, centre, right --(ri_sojourner_decide)--> action
///     cost of cells --(ri_planner_plan)--> any-angle path to the goal, repaired when costs change
///
/// The map is the Grid-based Estimation of Surface Traversability Applied to Local Terrain
/// (GESTALT) of the Mars Exploration Rovers, the stripes are Sojourner's, the planner is Field D*.
/// Equations and sources: docs/theory/navigation.md.
///
/// World axes: x east, y north, z up [m]. Headings are angles from x towards y [rad].
///
/// Threads and ownership: a map or planner is used by one thread at a time. Only the create
/// functions allocate memory. The same calls give the same bits.
#ifndef RILLE_NAVIGATION_H
#define RILLE_NAVIGATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rille/context.h>
#include <rille/math.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- local map -------------------------------------------------------------------------------

/// Criteria for hazards and for the ranking of arcs. Plain values.
typedef struct RiNavOptions {
    double cell;          ///< side of a cell [m], about a wheel
    int cells;            ///< cells on a side of the square map, 8 to 512
    double radius;        ///< of the disc that covers the rover [m]
    double step_max;      ///< height difference of neighbouring cells that is a hazard [m]
    double tilt_max;      ///< tilt of the plane through a rover-sized patch that is a hazard [rad]
    double roughness_max; ///< rms distance of the points from that plane that is a hazard [m]
    double known_least;   ///< share of a patch that must be known; below it the patch is a border [-]
    double points_most;   ///< a cell keeps the weight of this many points; newer points replace older ones
    double look_ahead;    ///< length of an arc that must be known and free [m]
    double weight_hazard, weight_steer, weight_goal; ///< of the votes, each 0 to 1
} RiNavOptions;

/// MER's size: cells of 0.2 m in a map of 10 m, a disc of 0.8 m, steps of 0.25 m, 20 degrees, 0.08
/// m.
RiNavOptions ri_nav_options_default(void);

/// RI_ERR_ARGUMENT names the option that is out of range.
RI_MUST_CHECK RiStatus ri_nav_options_check(RiContext *ctx, const RiNavOptions *options);

typedef struct RiNavMap RiNavMap;

/// RI_ERR_ARGUMENT names the option that is out of range.
RI_MUST_CHECK RiStatus ri_nav_map_create(RiContext *ctx, const RiNavOptions *options, RiNavMap **out_map);
/// Destroys it; NULL does nothing.
void ri_nav_map_destroy(RiNavMap *map);
/// The options that it was created with; borrowed.
const RiNavOptions *ri_nav_map_options(const RiNavMap *map);

/// Forgets everything and centres the map at a place.
void ri_nav_map_reset(RiNavMap *map, RiVec3 centre);
/// Moves the map with the rover. Cells that stay inside keep what they know.
void ri_nav_map_scroll(RiNavMap *map, double x, double y);
/// Adds range points. Points outside the map or not finite are ignored; returns how many were
/// taken.
int ri_nav_map_add(RiNavMap *map, const RiVec3 *points, int count);
/// Marks unknown ground within a distance of a place as flat and known, because the rover is there
/// and its cameras cannot see it. Adds one point to each such cell.
void ri_nav_map_assume(RiNavMap *map, RiVec3 centre, double radius);
/// The same with a plane through `centre` that rises by the slopes [-] towards x and y.
void ri_nav_map_assume_plane(RiNavMap *map, RiVec3 centre, double slope_x, double slope_y, double radius);
/// Evaluates the patches whose cells have changed since the last call.
void ri_nav_map_update(RiNavMap *map);

/// The memory with the whole content of a map, for checkpoints: `size` bytes. Copying it into a map
/// with equal options gives an equal map.
void *ri_nav_map_memory(RiNavMap *map, size_t *out_size);

enum {
    RI_NAV_STEP = 1,      ///< neighbouring cells differ by step_max or more
    RI_NAV_TILT = 2,      ///< the plane tilts by more than tilt_max
    RI_NAV_ROUGHNESS = 4, ///< points lie more than roughness_max (rms) off the plane
    RI_NAV_BORDER = 8     ///< too little of the patch is known
};

/// A rover-sized patch of the ground.
typedef struct RiNavPatch {
    int cells, known;                ///< of the patch, and with points
    double tilt;                     ///< of the least-squares plane [rad]
    double roughness;                ///< rms residual [m]
    double step;                     ///< largest difference between 8-neighbours in the patch [m]
    double above;                    ///< highest cell above the plane [m]
    double slope_x, slope_y, height; ///< of the plane; height at the centre [m]
    int hazards;                     ///< RI_NAV_ bits
    int goodness;                    ///< 0 hazard to 255 best: the worst of the measures
    int certainty;                   ///< 0 to 255: the share that is known
} RiNavPatch;

/// The patch around the cell that contains a place, from all cells known now.
RiNavPatch ri_nav_map_patch(const RiNavMap *map, double x, double y);
/// Goodness 0 to 255 as of the last update; -1 where the place is outside the map or not known.
int ri_nav_map_goodness(const RiNavMap *map, double x, double y);
/// Centre [m] of a cell by index, 0 to cells - 1 in x and y; for drawing.
RiVec3 ri_nav_map_cell_centre(const RiNavMap *map, int ix, int iy);

// ---- arcs ------------------------------------------------------------------------------------

typedef enum RiNavVeto {
    RI_NAV_FREE,
    RI_NAV_VETO_HAZARD,   ///< the rover's disc would meet a hazard
    RI_NAV_VETO_UNKNOWN,  ///< it leads into unknown ground too soon
    RI_NAV_VETO_KEEP_OUT, ///< it enters a keep-out zone
    RI_NAV_VETO_COUNT
} RiNavVeto;
/// The veto in words ("hazard"); never NULL.
const char *ri_nav_veto_name(RiNavVeto veto);

/// A candidate: an arc (curvature, length) or a turn in place (length 0, turn). Inputs first.
typedef struct RiNavArc {
    double curvature; ///< [1/m], positive to the left
    double length;    ///< [m], negative backwards
    double turn;      ///< turn in place [rad], with length 0
    RiNavVeto veto;
    double free_length;           ///< length that is free and known [m]
    double hazard, steer, goal;   ///< votes, 0 to 1, 1 is best
    double vote;                  ///< weighted sum; 0 if vetoed
    double end_x, end_y, end_yaw; ///< where it ends
} RiNavArc;

/// The goal. With `cost`, the goal vote uses the cost to the goal from the end of an arc (from a
/// planner), else the distance.
typedef struct RiNavGoal {
    double x, y, radius;                                  ///< a circle, not a point [m]
    double (*cost)(const void *user, double x, double y); ///< cost to the goal [m]; may be NULL
    const void *user;
    bool (*keep_out)(const void *user, double x, double y); ///< may be NULL
} RiNavGoal;

/// The usual set: straight and `radii` to both sides, the same backwards, and two turns in place.
/// Returns the count, 2 (2 radius_count + 1) + 2; `out_arcs` has room for that many.
int ri_nav_fan(const double *radii, int radius_count, double length, double turn, RiNavArc *out_arcs);

/// Rates the arcs from a pose and returns the best one's index, or -1: all are vetoed.
/// `curvature_now` is the present steering, for the steering vote.
int ri_nav_choose_arc(const RiNavMap *map, double x, double y, double heading, double curvature_now,
                      const RiNavGoal *goal, RiNavArc *arcs, int count);
/// Pose after a part of an arc [m of length, or rad of a turn].
void ri_nav_along(const RiNavArc *arc, double x, double y, double heading, double s, double *out_x, double *out_y,
                  double *out_heading);
/// Distance of the arc's centre line to the nearest cell with a step hazard [m]; infinite without.
double ri_nav_clearance(const RiNavMap *map, const RiNavArc *arc, double x, double y, double heading);

// ---- Sojourner's stripes -----------------------------------------------------------------------

enum { RI_STRIPE_ROWS = 4, RI_STRIPE_COLUMNS = 5 };

typedef struct RiSojournerOptions {
    double step_max;  ///< height difference of neighbouring points [m]
    double span_max;  ///< highest minus lowest point [m]
    double drop_max;  ///< depth below the wheels of a drop-off [m]
    double gap_width; ///< rover width plus margin, to thread the needle [m]
} RiSojournerOptions;
/// The defaults that its fields name.
RiSojournerOptions ri_sojourner_options_default(void);

enum { RI_STRIPE_LEFT = 1, RI_STRIPE_CENTRE = 2, RI_STRIPE_RIGHT = 4 };

/// Hazards of the stripe pattern as RI_STRIPE_ bits. heights[row][column] above the wheels' ground
/// [m], rows from near to far, columns from left to right, NAN: missing. Columns 0 and 1 are left,
/// 2 is the centre, 3 and 4 are right. A difference between neighbours blames the column of the
/// higher point, a missing point or a drop-off its own column, a span that is too large the highest
/// point's column.
int ri_sojourner_hazards(const RiSojournerOptions *options, const double heights[RI_STRIPE_ROWS][RI_STRIPE_COLUMNS]);

typedef enum RiSojournerAction {
    RI_SOJOURNER_ARC,        ///< arc towards the goal
    RI_SOJOURNER_TURN_LEFT,  ///< turn in place
    RI_SOJOURNER_TURN_RIGHT, ///< turn in place
    RI_SOJOURNER_THREAD,     ///< straight through the gap
    RI_SOJOURNER_BACK_OUT,   ///< straight back out of a gap
    RI_SOJOURNER_BLOCKED,    ///< turned a full circle without a way out
    RI_SOJOURNER_ACTIONS
} RiSojournerAction;
/// The action in words; never NULL.
const char *ri_sojourner_action_name(RiSojournerAction action);

/// Memory of the decision. Zero at the start.
typedef struct RiSojournerState {
    int avoiding;   ///< -1 turns right, 1 turns left, 0 does not avoid
    bool threading; ///< inside a gap
    double turned;  ///< in this avoidance [rad], absolute
    RiSojournerAction last;
} RiSojournerState;

/// The rule table. `goal_angle` is the goal's direction left of the heading [rad], `gap` the free
/// width ahead [m] and `turned` what has been turned in place since the last decision [rad].
RiSojournerAction ri_sojourner_decide(const RiSojournerOptions *options, int hazards, double goal_angle, double gap,
                                      double turned, RiSojournerState *state);

// ---- global planner ----------------------------------------------------------------------------

typedef struct RiPlanner RiPlanner;

/// A map of nx x ny cells whose lower left corner is at (x0, y0). All cells have cost 1.
/// RI_ERR_ARGUMENT: sizes (1 to 4096, at most 4 million cells), a cell that is not positive.
RI_MUST_CHECK RiStatus ri_planner_create(RiContext *ctx, int nx, int ny, double cell, double x0, double y0,
                                         RiPlanner **out_planner);
/// Destroys it; NULL does nothing.
void ri_planner_destroy(RiPlanner *planner);
/// Cost of crossing a metre of the cell, at least 1; INFINITY: never. Others are an error. A change
/// marks what a later plan must repair.
RI_MUST_CHECK RiStatus ri_planner_set_cost(RiPlanner *planner, int ix, int iy, double cost);
/// Cost of a cell that lies on the map.
double ri_planner_get_cost(const RiPlanner *planner, int ix, int iy);
/// The cell that holds a place; false outside the map.
bool ri_planner_cell(const RiPlanner *planner, double x, double y, int *out_ix, int *out_iy);

typedef enum RiPlanResult {
    RI_PLAN_FOUND,
    RI_PLAN_BLOCKED,      ///< no path exists
    RI_PLAN_START_INSIDE, ///< the start is outside the map or in a cell that must not be crossed
    RI_PLAN_GOAL_INSIDE,  ///< the same for the goal
    RI_PLAN_ROOM,         ///< the path has more points than there is room for
    RI_PLAN_RESULTS
} RiPlanResult;
/// The result in words; never NULL.
const char *ri_plan_result_name(RiPlanResult result);

/// Plans from a start to a goal by Field D*, repairing the last plan where the goal is the same.
/// `path` receives the corners of an any-angle path from start to goal, at most `room`.
RiPlanResult ri_planner_plan(RiPlanner *planner, double start_x, double start_y, double goal_x, double goal_y,
                             RiVec3 *path, int room, int *out_count, double *out_cost);
/// Cost to the goal of the last plan from a place [m]; INFINITY where no path leads there.
double ri_planner_cost(const RiPlanner *planner, double x, double y);
/// Nodes expanded by the last plan.
long long ri_planner_expanded(const RiPlanner *planner);

// ---- drives ------------------------------------------------------------------------------------

/// Why a drive of a device `navigation` or `snake_navigation` ended, its output `reason`, in words
/// ("arrived", "blocked"); "?" for numbers that it does not use. Never NULL.
const char *ri_nav_reason_name(int reason);

// ---- drawing -----------------------------------------------------------------------------------

enum { RI_NAV_DRAWN_CELLS = 64 }; ///< on a side, at most

/// A device `navigation`'s map of the ground, in the frame of the rover's pose estimate.
typedef struct RiNavDrawing {
    int cells;           ///< on a side of its local map; 0: nothing is known yet
    double x0, y0, cell; ///< lower left corner and side of a cell [m]
    int16_t
        goodness[RI_NAV_DRAWN_CELLS * RI_NAV_DRAWN_CELLS]; ///< [cells][cells] from the south-west: 0 to 255; -1: none
    int stripe_count;                                      ///< points of the last stripe pattern; 0: none
    float stripes[RI_STRIPE_ROWS * RI_STRIPE_COLUMNS][3];  ///< aimed at x, y [m]; height seen above the wheels [m],
                                                           ///< NAN: not seen
} RiNavDrawing;
/// Reads it from the memory of such a device (ri_sim_device_memory). False: the memory is not that
/// of a device `navigation`.
bool ri_nav_draw(const void *memory, size_t size, RiNavDrawing *out_drawing);

#ifdef __cplusplus
}
#endif

#endif
