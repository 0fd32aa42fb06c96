// SPDX-License-Identifier: Apache-2.0
/// \file
/// Arms, what the files of the room share.
#ifndef RI_ONBOARD_ARM_H
#define RI_ONBOARD_ARM_H

#include <rille/arm.h>

/// Origins of the joints and the tip in the base frame, into out[count + 1]. Returns count + 1.
int ri_arm_points(const RiArmChain *arm, const double *q, RiVec3 *out);

/// The error that says why a target is out of reach, and what would be possible.
RiStatus ri_arm_explain(RiContext *ctx, const RiArmChain *arm, const RiArmTarget *target, const RiArmReach *r,
                        const char *what);

typedef enum RiArmWay { RI_ARM_WAY, RI_ARM_NO_TARGET, RI_ARM_NO_PLACE_ABOVE, RI_ARM_NO_STRAIGHT_WAY } RiArmWay;
/// What ri_arm_plan does, without words.
RiArmWay ri_arm_find_way(const RiArmChain *arm, const double *start, const RiArmTarget *target, const RiArmPlanDef *def,
                         RiArmReach *out_reach, RiArmPlan *out);

#endif
