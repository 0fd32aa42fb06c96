// SPDX-License-Identifier: Apache-2.0
/// \file
/// Groups of joints: which joints a text like "bend_*, twist_*" means, and in which order.
#ifndef RI_DEVICE_GROUP_H
#define RI_DEVICE_GROUP_H

#include <rille/model.h>

typedef struct RiGroupMember {
    int joint;
    int depth; ///< joints between it and the root
} RiGroupMember;

/// The joints that move in one coordinate and match one of the globs, which are separated by
/// commas. They come in the order in which they follow each other from the root outwards: by the
/// number of joints inward, then as the robot's description lists them. Writes at most `room` of
/// them and returns how many there are.
int ri_joint_group(const RiModel *m, const char *globs, RiGroupMember *out_members, int room);

#endif
