// SPDX-License-Identifier: Apache-2.0
/// \file
/// Instrument arms: where the tool is, which joint angles bring it somewhere, and the way there.
///
///     chain (joints one after the other, tool at the end) + target (point, direction) --(ri_arm_solve)--> solutions
///     start + target --(ri_arm_plan)--> joint positions over time: a move above the target, then straight down along the tool
///
/// A chain is plain data without owner: it can be copied, and everything here may be called from
/// several threads. No call allocates. Equations: docs/theory/arm.md.
#ifndef RILLE_ARM_H
#define RILLE_ARM_H

#include <stdbool.h>

#include <rille/model.h>
#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_ARM_JOINTS = 8, RI_ARM_NAME = 64 };

typedef struct RiArmJoint {
    RiPose before;       ///< joint frame in the frame before it, at position 0
    RiVec3 axis;         ///< unit, in the joint frame
    bool slides;         ///< prismatic
    double lower, upper; ///< infinite without limits
    double max_rate;     ///< infinite without
    char name[RI_ARM_NAME];
} RiArmJoint;

typedef struct RiArmChain {
    int count;
    RiArmJoint joints[RI_ARM_JOINTS];
    RiPose tool;      ///< tip frame in the frame of the last link
    RiVec3 tool_axis; ///< direction in which the tool works, in the tip frame, unit; x by default
} RiArmChain;

/// The joints with one coordinate between a link and a frame (link, named frame or sensor); base
/// NULL: the root of the robot. The chain's first frame is that of the base link. RI_ERR_NOT_FOUND
/// names what is missing, RI_ERR_ARGUMENT what cannot be part of an arm.
RI_MUST_CHECK RiStatus ri_arm_chain(RiContext *ctx, const RiModel *model, const char *base, const char *tip,
                                    RiArmChain *out_chain);

/// Pose of the tip frame in the base frame.
RiPose ri_arm_tip(const RiArmChain *arm, const double *q);

typedef enum RiArmAim {
    RI_ARM_AUTO,  ///< by the number of joints: point up to 3, plane with 4, axis with 5 and more
    RI_ARM_POINT, ///< the tip is at the point
    RI_ARM_PLANE, ///< and the tool points in the direction as well as the arm's plane allows (one more equation)
    RI_ARM_AXIS   ///< and the tool points in the direction (two more equations)
} RiArmAim;

typedef struct RiArmTarget {
    RiVec3 point;     ///< of the tip, in the base frame [m]
    RiVec3 direction; ///< of the tool's axis there; need not be unit
    RiArmAim aim;
} RiArmTarget;

typedef struct RiArmSolution {
    double q[RI_ARM_JOINTS];
    double distance; ///< of the tip from the point [m]
    double angle;    ///< between the tool's axis and the direction [rad]; 0 where none is asked for
    double margin;   ///< least distance of a joint from its limits, as a share of its range; 1 without limits
} RiArmSolution;

typedef enum RiArmStatus {
    RI_ARM_REACHED,
    RI_ARM_TOO_FAR,    ///< farther from the first joint than the stretched arm is long: certainly out of reach
    RI_ARM_LIMITS,     ///< reached only with a joint beyond its limits
    RI_ARM_UNREACHABLE ///< no way was found
} RiArmStatus;
/// "reached", "too far", "beyond joint limits" or "unreachable"; never NULL.
const char *ri_arm_status_name(RiArmStatus status);

typedef struct RiArmReach {
    RiArmStatus status;
    int count;             ///< solutions that were written
    int joint;             ///< RI_ARM_LIMITS: the joint that is farthest beyond; -1
    double beyond;         ///< by how much [rad or m]
    double shortest;       ///< RI_ARM_TOO_FAR: by how much the arm is too short [m]
    RiArmSolution nearest; ///< the best that was found, within the limits
} RiArmReach;

/// All distinct solutions that are found within the limits, the one nearest to `start` (may be
/// NULL) first; at most `room` of them. Equal questions get equal answers: the starting points of
/// the search are fixed.
RiArmReach ri_arm_solve(const RiArmChain *arm, const RiArmTarget *target, const double *start, int room,
                        RiArmSolution *out_solutions);
/// The solution that a small motion leads to from q, in a few iterations; false if there is none
/// near. For paths.
bool ri_arm_follow(const RiArmChain *arm, const RiArmTarget *target, double *q, RiArmSolution *out_solution);

/// What a tool shall touch: the ground at x, y (world), from outside along its normal. False where
/// there is no ground.
bool ri_arm_target_on_ground(const RiTerrain *terrain, double x, double y, const RiPose *base, RiArmTarget *out_target);

typedef struct RiArmPlanDef {
    double standoff;     ///< length of the straight approach [m]; default 0.1
    double approach;     ///< speed of the tip along it [m/s]; default 0.02
    double rate;         ///< largest joint rate on the way [rad/s]; default 0.1; the joints' own limits hold as well
    double acceleration; ///< largest joint acceleration [rad/s^2]; default 0.1
    int rows;            ///< of the approach; default 50
} RiArmPlanDef;
/// The defaults that its fields name.
RiArmPlanDef ri_arm_plan_default(void);

typedef struct RiArmPlan {
    double above[RI_ARM_JOINTS], there[RI_ARM_JOINTS];
    double move_time; ///< until the tool is above the target [s]
    double end_time;  ///< until it is there [s]
} RiArmPlan;

/// A way from `start` to the target. RI_ERR_ARGUMENT says what is wrong or out of reach, and what
/// would be possible.
RI_MUST_CHECK RiStatus ri_arm_plan(RiContext *ctx, const RiArmChain *arm, const double *start,
                                   const RiArmTarget *target, const RiArmPlanDef *def, RiArmPlan *out_plan);
/// Joint positions of a plan at a time after its start.
void ri_arm_plan_at(const RiArmChain *arm, const double *start, const RiArmTarget *target, const RiArmPlanDef *def,
                    const RiArmPlan *plan, double time, double *out_q);
/// The least height of the joints and the tip above the ground on the way [m], and when.
double ri_arm_plan_clearance(const RiArmChain *arm, const double *start, const RiArmTarget *target,
                             const RiArmPlanDef *def, const RiArmPlan *plan, const RiTerrain *terrain,
                             const RiPose *base, double *out_time);

#ifdef __cplusplus
}
#endif
#endif
