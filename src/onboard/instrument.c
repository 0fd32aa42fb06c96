// SPDX-License-Identifier: Apache-2.0
/// \file
/// Placing an instrument: moves an arm to a target in the world, straight for the last part, slower
/// once it feels the ground, until a preload is there; and goes back.
///
/// When `go` rises, the target is fixed in the frame of the arm's first joint, so that it moves
/// with the robot as an arm's own software would have it. The way is that of
/// src/onboard/arm_plan.c; back it is gone in reverse.
///
///     phase   0 at home   1 on the way   2 there, or pressing   3 on the way back   4 refused, see `reason`
///
/// Test: tests/onboard/test_instrument.c.
#include "onboard/arm.h"
#include "onboard/onboard.h"

#include <string.h>

enum {
    STANDOFF,
    APPROACH,
    RATE,
    ACCELERATION,
    PRELOAD,
    TOOL_X,
    TOOL_Y,
    TOOL_Z,
    TOOL_YAW,
    GO,
    TARGET_X,
    TARGET_Y,
    TARGET_Z,
    DIRECTION_X,
    DIRECTION_Y,
    DIRECTION_Z,
    FORCE,
    PHASE,
    WENT,
    PRESSED,
    POINT,                        // three: the target in the arm's frame
    AIM = POINT + 3,              // three: the direction there
    HOME = AIM + 3,               // positions before the arm went
    ABOVE = HOME + RI_ARM_JOINTS, // and above the target
    THERE = ABOVE + RI_ARM_JOINTS,
    MOVE_TIME = THERE + RI_ARM_JOINTS,
    END_TIME,
    REASON,
    DISTANCE,
    DONE,
    COUNT
};

#define PRESS_TIME 0.1 // for which the preload must be there: the blow of the first touch is not one [s]
#define CREEP      0.1 // speed once the tool feels the ground, as a share of the approach's

#define NUMBERED(at, name, doc)                                                                                        \
    [at] = RI_STATE(name "_1", "", doc), [(at) + 1] = RI_STATE(name "_2", "", doc),                                    \
    [(at) + 2] = RI_STATE(name "_3", "", doc)
#define PER_JOINT(at, name, doc)                                                                                       \
    NUMBERED(at, name, doc), [(at) + 3] = RI_STATE(name "_4", "", doc), [(at) + 4] = RI_STATE(name "_5", "", doc),     \
                                     [(at) + 5] = RI_STATE(name "_6", "", doc),                                        \
                                     [(at) + 6] = RI_STATE(name "_7", "", doc),                                        \
                                     [(at) + 7] = RI_STATE(name "_8", "", doc)

static const RiPort ports[COUNT] = {
    [STANDOFF] = RI_PARAMETER("standoff", "m", 0.1, 0.0, INFINITY, "Length of the straight approach."),
    [APPROACH] = RI_PARAMETER("approach_speed", "m/s", 0.02, 0.0, INFINITY, "Mean speed of the approach, times 1.5."),
    [RATE] = RI_PARAMETER("rate", "rad/s", 0.1, 0.0, INFINITY, "Largest joint rate on the way."),
    [ACCELERATION] = RI_PARAMETER("acceleration", "rad/s^2", 0.1, 0.0, INFINITY, "Largest joint acceleration."),
    [PRELOAD] =
        RI_PARAMETER("preload", "N", 0.0, 0.0, INFINITY, "Force at which the approach ends; 0: it ends at the target."),
    [TOOL_X] = RI_ANY_PARAMETER("tool_x", "m", 0.0, "Tip of the tool in the last link's frame."),
    [TOOL_Y] = RI_ANY_PARAMETER("tool_y", "m", 0.0, "Tip of the tool in the last link's frame."),
    [TOOL_Z] = RI_ANY_PARAMETER("tool_z", "m", 0.0, "Tip of the tool in the last link's frame."),
    [TOOL_YAW] =
        RI_ANY_PARAMETER("tool_yaw", "rad", 0.0, "The tool points along x of that frame, turned by this about z."),
    [GO] = RI_INPUT("go", "", "1: go to the target; 0: go home."),
    [TARGET_X] = RI_INPUT("target_x", "m", "Target in the world."),
    [TARGET_Y] = RI_INPUT("target_y", "m", "Target in the world."),
    [TARGET_Z] = RI_INPUT("target_z", "m", "Target in the world."),
    [DIRECTION_X] = RI_INPUT("direction_x", "", "Direction of the tool at the target, in the world; all 0: downwards."),
    [DIRECTION_Y] = RI_INPUT("direction_y", "", "Direction of the tool at the target, in the world."),
    [DIRECTION_Z] = RI_INPUT("direction_z", "", "Direction of the tool at the target, in the world."),
    [FORCE] = RI_INPUT("force", "N", "Measured force on the tool, for the preload."),
    [PHASE] = RI_LIMITED_STATE("phase", "", 0.0, 4.0, "0 home, 1 going, 2 there, 3 going back, 4 refused."),
    [WENT] = RI_STATE("went", "s", "Time along the way."),
    [PRESSED] = RI_STATE("pressed", "s", "Time for which the preload is there."),
    NUMBERED(POINT, "point", "Target in the frame of the first joint [m]."),
    NUMBERED(AIM, "aim", "Direction there."),
    PER_JOINT(HOME, "home", "Joint positions before the arm went."),
    PER_JOINT(ABOVE, "above", "Joint positions above the target."),
    PER_JOINT(THERE, "there", "Joint positions at the target."),
    [MOVE_TIME] = RI_STATE("move_time", "s", "Time to the place above the target."),
    [END_TIME] = RI_STATE("end_time", "s", "Time to the target."),
    [REASON] =
        RI_OUTPUT("reason", "", "Why it was refused: 1 too far, 2 joint limits, 3 out of reach, 4 no straight way."),
    [DISTANCE] = RI_OUTPUT("distance", "m", "Of the tool's tip from the target."),
    [DONE] = RI_OUTPUT("done", "", "1 when there."),
};

/// Pose of a turning joint's child link with the joint at 0, from the pose as it is.
static RiPose at_zero(const RiGroupJoint *j)
{
    const RiPose back = {ri_mat3_axis_angle(j->axis, -j->position), {0.0, 0.0, 0.0}};
    return ri_pose_mul(&j->pose, &back);
}

/// The arm as its joints stand, and where its first joint is.
static RiPose see_arm(const RiDeviceCall *call, RiArmChain *arm)
{
    const double *x = call->x;
    *arm = (RiArmChain){.count = call->joint_count, .tool = ri_pose_identity(), .tool_axis = {1.0, 0.0, 0.0}};
    const RiPose base = at_zero(&call->joints[0]);
    RiPose inner = base;
    for (int i = 0; i < arm->count; i++) {
        const RiGroupJoint *j = &call->joints[i];
        const RiPose zero = at_zero(j), back = ri_pose_inverse(&inner);
        arm->joints[i] = (RiArmJoint){.before = ri_pose_mul(&back, &zero),
                                      .axis = j->axis,
                                      .lower = j->lower,
                                      .upper = j->upper,
                                      .max_rate = j->max_rate > 0.0 ? j->max_rate : INFINITY};
        inner = j->pose;
    }
    arm->tool.p = ri_vec3(x[TOOL_X], x[TOOL_Y], x[TOOL_Z]);
    arm->tool.R = ri_mat3_axis_angle(ri_vec3(0.0, 0.0, 1.0), x[TOOL_YAW]);
    return base;
}

static RiArmTarget stored_target(const double *x)
{
    return (RiArmTarget){{x[POINT], x[POINT + 1], x[POINT + 2]}, {x[AIM], x[AIM + 1], x[AIM + 2]}, RI_ARM_AUTO};
}

static RiArmPlanDef plan_def(const double *x)
{
    RiArmPlanDef def = ri_arm_plan_default();
    def.standoff = x[STANDOFF];
    def.approach = x[APPROACH];
    def.rate = x[RATE];
    def.acceleration = x[ACCELERATION];
    return def;
}

static void store_vector(double *x, RiVec3 v)
{
    x[0] = v.x, x[1] = v.y, x[2] = v.z;
}

/// Fixes the target and finds the way to it, or the reason why there is none.
static void set_out(RiDeviceCall *call, const RiArmChain *arm, const RiPose *base)
{
    double *x = call->x;
    RiVec3 way = ri_vec3(x[DIRECTION_X], x[DIRECTION_Y], x[DIRECTION_Z]);
    if (ri_norm(way) == 0.0)
        way = ri_vec3(0.0, 0.0, -1.0);
    const RiVec3 point = ri_vec3(x[TARGET_X], x[TARGET_Y], x[TARGET_Z]);
    store_vector(x + POINT, ri_rotate_back(&base->R, ri_sub(point, base->p)));
    store_vector(x + AIM, ri_rotate_back(&base->R, way));
    for (int i = 0; i < arm->count; i++)
        x[HOME + i] = call->commands[i].position;
    const RiArmTarget target = stored_target(x);
    const RiArmPlanDef def = plan_def(x);
    RiArmReach reach;
    RiArmPlan plan;
    const RiArmWay found = ri_arm_find_way(arm, x + HOME, &target, &def, &reach, &plan);
    x[WENT] = 0.0;
    x[PHASE] = found == RI_ARM_WAY ? 1.0 : 4.0;
    x[REASON] = found == RI_ARM_WAY ? 0.0 : found == RI_ARM_NO_STRAIGHT_WAY ? 4.0 : (double)reach.status;
    if (found != RI_ARM_WAY)
        return;
    memcpy(x + ABOVE, plan.above, (size_t)arm->count * sizeof *x);
    memcpy(x + THERE, plan.there, (size_t)arm->count * sizeof *x);
    x[MOVE_TIME] = plan.move_time;
    x[END_TIME] = plan.end_time;
}

/// References at the time along the way.
static void command(RiDeviceCall *call, const RiArmChain *arm)
{
    double *x = call->x, q[RI_ARM_JOINTS];
    RiArmPlan plan = {.move_time = x[MOVE_TIME], .end_time = x[END_TIME]};
    memcpy(plan.above, x + ABOVE, sizeof plan.above);
    memcpy(plan.there, x + THERE, sizeof plan.there);
    const RiArmTarget target = stored_target(x);
    const RiArmPlanDef def = plan_def(x);
    ri_arm_plan_at(arm, x + HOME, &target, &def, &plan, x[WENT], q);
    for (int i = 0; i < arm->count; i++) {
        call->commands[i].rate = (q[i] - call->commands[i].position) / call->dt;
        call->commands[i].position = q[i];
    }
}

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (call->joint_count < 1 || call->joint_count > RI_ARM_JOINTS)
        return "needs a group of 1 to 8 turning joints, from the shoulder outwards";
    if (!ri_is_size(x[STANDOFF]) || !ri_is_positive(x[APPROACH]) || !ri_is_positive(x[RATE]) ||
        !ri_is_positive(x[ACCELERATION]) || !ri_is_size(x[PRELOAD]))
        return "'approach_speed', 'rate' and 'acceleration' must be positive, 'standoff' and 'preload' 0 or more";
    for (int i = 0; i < call->joint_count; i++)
        call->commands[i].position = call->joints[i].position;
    return NULL;
}

/// Moves along the way by one update: forwards, backwards, or not at all.
static void go_on(RiDeviceCall *call)
{
    double *x = call->x;
    const bool feels = x[PRELOAD] > 0.0 && x[FORCE] > 0.0 && x[WENT] > x[MOVE_TIME];
    x[PRESSED] = feels && x[FORCE] >= x[PRELOAD] ? x[PRESSED] + call->dt : 0.0;
    if (x[PHASE] == 1.0 && x[PRESSED] >= PRESS_TIME)
        x[PHASE] = 2.0;
    else if (x[PHASE] == 1.0) // once it feels the ground it creeps
        x[WENT] = fmin(x[WENT] + (feels ? CREEP : 1.0) * call->dt, x[END_TIME]);
    else if (x[PHASE] == 3.0)
        x[WENT] = fmax(x[WENT] - call->dt, 0.0);
    if (x[PHASE] == 1.0 && x[WENT] >= x[END_TIME])
        x[PHASE] = 2.0;
    else if (x[PHASE] == 3.0 && x[WENT] <= 0.0)
        x[PHASE] = 0.0;
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    if (x[PHASE] == 0.0 && x[GO] == 0.0)
        return;
    RiArmChain arm;
    const RiPose base = see_arm(call, &arm);
    if (x[PHASE] == 0.0)
        set_out(call, &arm, &base);
    else if (x[PHASE] == 4.0 && x[GO] == 0.0)
        x[PHASE] = 0.0;
    else if (x[GO] == 0.0 && (x[PHASE] == 1.0 || x[PHASE] == 2.0))
        x[PHASE] = 3.0;
    else if (x[GO] != 0.0 && x[PHASE] == 3.0)
        x[PHASE] = 1.0;
    x[DONE] = x[PHASE] == 2.0;
    if (x[PHASE] == 4.0)
        return;
    go_on(call);
    command(call, &arm);
    const RiPose last = call->joints[arm.count - 1].pose;
    const RiVec3 tip = ri_pose_point(&last, arm.tool.p), point = ri_vec3(x[POINT], x[POINT + 1], x[POINT + 2]);
    x[DISTANCE] = ri_norm(ri_sub(tip, ri_pose_point(&base, point)));
    x[DONE] = x[PHASE] == 2.0;
}

const RiDeviceClass ri_place_instrument = {
    .abi = RI_DEVICE_ABI,
    .name = "place_instrument",
    .doc = "Moves an arm to a target in the world and back.",
    .attach = RI_ATTACH_JOINTS,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
