// SPDX-License-Identifier: Apache-2.0
/// \file
/// Mobility maps: how a rover would fare in every cell of a terrain, for every heading, and the
/// best way through.
///
///     robot, soil --(ri_mobility_fit: a few runs with dynamics)--> RiMobilityResponse: slip, sinkage, energy over slopes
///     terrain, response --(ri_mobility_map: a stance per cell and heading)--> RiMobilityMap --> rasters, A*
///
/// A stance gives tilt, clearance and stability margin. Slip, sinkage and energy are those of a
/// plane of the same tilt as the body, uphill in the same direction seen from the rover. Theory:
/// docs/theory/mobility.md.
///
/// Threads and ownership: everything is plain memory of its creator, used by one thread at a time;
/// fit and map work with several threads inside and give the same bits for any number.
#ifndef RILLE_MOBILITY_H
#define RILLE_MOBILITY_H

#include <rille/model.h>
#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RI_MOBILITY_SLOPES = 7,     ///< 0, 4, ... 24 degrees
    RI_MOBILITY_DIRECTIONS = 5, ///< uphill ahead, 45 degrees aside, ... behind
    RI_MOBILITY_HEADINGS = 8
};

/// What is fitted. Plain values.
typedef struct RiMobilityDef {
    const char *robot; ///< path of a robot file with joints drive_* and steer_* and a base that is free
    const char *soil;  ///< name of a soil of `soils`
    const char *soils; ///< folder of soils.csv and materials.csv; NULL: "../soils" as seen from the robot's folder
    double gravity;    ///< [m/s^2]
    double speed;      ///< of the rim [m/s]
    double way;        ///< driven in each run, at least twice the rover's length, the second half is measured [m]
    int threads;       ///< 0: all processors
} RiMobilityDef;
/// Mars, 0.1 m/s, 3 m of way, all processors.
RiMobilityDef ri_mobility_def_default(void);

/// How a rover drives on planes of one soil.
typedef struct RiMobilityPoint {
    double slip;    ///< 1 - way / rolled way ahead, 0 to 1 uphill; negative downhill
    double drift;   ///< way to the left / way ahead
    double sinkage; ///< mean of the wheels [m]
    double energy;  ///< work of the wheels per metre of way [J/m]
    bool valid;     ///< the run was steady and within the soil law's assumptions, slip below 0.7
} RiMobilityPoint;

typedef struct RiMobilityResponse {
    RiMobilityPoint points[RI_MOBILITY_SLOPES][RI_MOBILITY_DIRECTIONS];
    double slope_step; ///< [rad]
    double weight;     ///< of the rover [N]
    int invalid;       ///< points that are not valid
} RiMobilityResponse;

/// RI_ERR_MODEL, RI_ERR_NOT_FOUND: the robot or the soil does not do, with the reason.
RI_MUST_CHECK RiStatus ri_mobility_fit(RiContext *ctx, const RiMobilityDef *def, RiMobilityResponse *out);
/// The response at a tilt [rad] with uphill at an angle [rad] left or right of ahead; valid only
/// between valid points.
RiMobilityPoint ri_mobility_respond(const RiMobilityResponse *r, double tilt, double uphill);

typedef enum RiMobilityLayer {
    RI_MOBILITY_SLIP,      ///< [-]
    RI_MOBILITY_SINKAGE,   ///< [m]
    RI_MOBILITY_ENERGY,    ///< [J/m]
    RI_MOBILITY_TILT,      ///< of the body [rad]
    RI_MOBILITY_CLEARANCE, ///< of the belly [m]
    RI_MOBILITY_MARGIN,    ///< angle to tipping over [rad]
    RI_MOBILITY_RISK,      ///< 0 to 1; 1: must not be entered
    RI_MOBILITY_VALID,     ///< 1 where slip, sinkage and energy are within their fit
    RI_MOBILITY_LAYERS
} RiMobilityLayer;
/// Name of a layer ("slip"); never NULL.
const char *ri_mobility_layer_name(RiMobilityLayer layer);
/// Unit of a layer ("J/m"); "" for plain numbers.
const char *ri_mobility_layer_unit(RiMobilityLayer layer);

/// A map: limits of risk, size.
typedef struct RiMobilityMapDef {
    double x0, y0, x1, y1; ///< region [m]
    double cell;           ///< [m]
    double tilt_limit;     ///< risk 1 at [rad]
    double slip_limit;
    double clearance_least; ///< risk 1 at [m]
    double margin_least;    ///< risk 1 at [rad]
    int threads;            ///< 0: all processors
} RiMobilityMapDef;
/// Limits of 25 degrees, slip 0.6, 5 cm of clearance, 10 degrees of margin.
RiMobilityMapDef ri_mobility_map_def_default(void);

typedef struct RiMobilityMap {
    RiContext *ctx;
    int nx, ny;
    double x0, y0, cell; ///< of the first cell's centre [m]
    float *layers
        [RI_MOBILITY_LAYERS]; ///< [RI_MOBILITY_HEADINGS][ny][nx]; heading k is k 45 degrees from x towards y; NAN: no stance
    long long stances, missing; ///< solved, and places without one
} RiMobilityMap;

/// RI_ERR_ARGUMENT: a region or cell out of range, more than 16 million cells; RI_ERR_UNSUPPORTED:
/// a robot without stances.
RI_MUST_CHECK RiStatus ri_mobility_map_create(RiContext *ctx, const RiMobilityMapDef *def, const RiSpec *spec,
                                              const RiModel *model, const RiTerrain *terrain,
                                              const RiMobilityResponse *response, RiMobilityMap **out_map);
/// Destroys it; NULL does nothing.
void ri_mobility_map_destroy(RiMobilityMap *map);
/// One layer for a heading, or its worst over all headings (heading -1), as a raster that the
/// caller destroys.
RI_MUST_CHECK RiStatus ri_mobility_map_raster(const RiMobilityMap *map, RiMobilityLayer layer, int heading,
                                              RiRaster **out_raster);

/// What a way costs: weights of slip, energy and risk against length, each at least 0.
typedef struct RiMobilityWeights {
    double slip, energy, risk;
} RiMobilityWeights;
/// Cost of a metre in a heading for the planner of a device (RiDeviceMap), at least 1, as the ways
/// below weigh it; INFINITY: must not be entered. The caller destroys the raster.
RI_MUST_CHECK RiStatus ri_mobility_map_cost(const RiMobilityMap *map, const RiMobilityWeights *weights, int heading,
                                            RiRaster **out_raster);
/// What a way is predicted to be.
typedef struct RiMobilityWay {
    bool found;       ///< false: no way exists; a straight way: it crosses risk 1
    double length;    ///< [m]
    double energy;    ///< [J]
    double slip_most; ///< [-]
    double risk_most;
    double cost;
} RiMobilityWay;

/// A* over the eight directions. `path` receives cells' centres from start to goal, at most `room`.
/// RI_ERR_ARGUMENT: a place outside the map, or where the rover must not stand; RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_mobility_plan(const RiMobilityMap *map, RiVec3 start, RiVec3 goal,
                                        const RiMobilityWeights *weights, RiVec3 *path, int room, int *out_count,
                                        RiMobilityWay *out_way);
/// Thins a path to at most `room` goals (at least 1) for a device `navigation`: its corners, the
/// last of them the end; the start is left out. No more are taken once all places of the path lie
/// within `near` of the straight lines between goals [m]; `out_off` receives how far off one is, at
/// most [m]. Returns how many goals there are.
int ri_mobility_goals(const RiVec3 *path, int count, double near, RiVec3 *goals, int room, double *out_off);
/// The straight way, judged by the same map.
RI_MUST_CHECK RiStatus ri_mobility_straight(const RiMobilityMap *map, RiVec3 start, RiVec3 goal,
                                            const RiMobilityWeights *weights, RiMobilityWay *out_way);

#ifdef __cplusplus
}
#endif
#endif
