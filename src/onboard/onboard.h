// SPDX-License-Identifier: Apache-2.0
/// \file
/// The robot's own software as devices on groups of joints: what the classes share.
///
/// Link frames of snakes have x along the body from tail to head; the axis of a joint in its child
/// link's frame therefore says what it does: z bends sideways (lateral), y bends up and down
/// (vertical), x twists.
#ifndef RI_ONBOARD_ONBOARD_H
#define RI_ONBOARD_ONBOARD_H

#include "device/ports.h"

extern const RiDeviceClass ri_gait_undulate, ri_gait_sidewind, ri_gait_roll, ri_gait_helix, ri_follow_the_leader,
    ri_screw_allocation, ri_wall_press, ri_trajectory, ri_mission, ri_place_instrument, ri_locomotion, ri_navigation,
    ri_pose_estimator, ri_snake_navigation;

typedef enum RiJointUse { RI_USE_LATERAL, RI_USE_VERTICAL, RI_USE_TWIST, RI_USE_OTHER, RI_USE_COUNT } RiJointUse;

/// What a joint of a snake does, by its axis, which must be within about 8 degrees of an axis of
/// the link.
static inline RiJointUse ri_joint_use(const RiGroupJoint *joint)
{
    const double near = 0.99;
    if (fabs(joint->axis.z) > near)
        return RI_USE_LATERAL;
    if (fabs(joint->axis.y) > near)
        return RI_USE_VERTICAL;
    return fabs(joint->axis.x) > near ? RI_USE_TWIST : RI_USE_OTHER;
}

/// How many joints of the group have a use.
static inline int ri_count_use(const RiDeviceCall *call, RiJointUse use)
{
    int count = 0;
    for (int i = 0; i < call->joint_count; i++)
        count += ri_joint_use(&call->joints[i]) == use;
    return count;
}

/// +1 if the joint turns about the link's own axis, -1 if about its negative.
static inline double ri_axis_sign(const RiGroupJoint *joint)
{
    return joint->axis.x + joint->axis.y + joint->axis.z < 0.0 ? -1.0 : 1.0;
}

/// Mean distance between neighbours of a chain of joints of one use, 0 with less than two. (follow.c)
double ri_mean_spacing(const RiDeviceCall *call, RiJointUse use);
/// Follow the leader: moves the knots (RiGroupCommand.memory) of a chain by speed times dt and sets
/// positions and rates of its joints. `head` is what the first joint behind the head shall do,
/// `progress` the share of a spacing since knots were passed on. (follow.c)
void ri_lead(const RiDeviceCall *call, RiJointUse use, double head, double speed, double spacing, double *progress);

/// x within the limits of a joint.
static inline double ri_within_joint(const RiGroupJoint *joint, double x)
{
    return fmax(joint->lower, fmin(joint->upper, x));
}

#endif
