// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a rover means to drive: the motion it carries out and its waypoints, from the values of its
/// locomotion.
///
///     values --ri_plan_read--> list of numbers --ri_plan_message--> pages
///                                    \--> a log's channel /plan --ri_plan_check--/
///
/// The list has, for each rover: 1 while it drives; the waypoint it drives to, from 1 (0: none); m;
/// n; m places (x, y) along the motion from where it began; n waypoints (x, y). The motion is
/// where the rover really began it, waypoints in the frame of its odometry. Test:
/// tests/link/test_plan.c.
#ifndef RI_LINK_PLAN_H
#define RI_LINK_PLAN_H

#include <rille/values.h>
#include <rille/view.h>

#include "link/text.h"

enum {
    RI_PLAN_ROVERS = 4,
    RI_PLAN_WAYPOINTS = 8,
    RI_PLAN_PLACES = 33, ///< of a motion
    RI_PLAN_HEAD = 4,
    RI_PLAN_NUMBERS = RI_PLAN_ROVERS * (RI_PLAN_HEAD + 2 * (RI_PLAN_PLACES + RI_PLAN_WAYPOINTS))
};

enum { RI_PLAN_VALUES = 13 + 2 * RI_PLAN_WAYPOINTS };

/// Where the values of locomotion are in a table.
typedef struct RiPlanSource {
    int count;
    int values[RI_PLAN_ROVERS][RI_PLAN_VALUES];
} RiPlanSource;

/// Finds the devices that have all the values of a locomotion; those beyond RI_PLAN_ROVERS are left
/// out.
void ri_plan_find(RiPlanSource *p, const RiValues *values);
/// The list as it is, into RI_PLAN_NUMBERS numbers; how many they are.
int ri_plan_read(const RiPlanSource *p, const RiValues *values, float *out);
/// Whether a list from outside is one.
bool ri_plan_check(const float *list, int count);
/// The protocol's message of a list that is one.
void ri_plan_message(RiText *out, int run, const float *list, int count);

#endif
