// SPDX-License-Identifier: Apache-2.0
/// \file
/// A cycle of GESTALT: look, add the points to the local map, remember it in the world's, choose an
/// arc.
///
/// The rover takes the ground that it stands on as known: the points under its wheels, and the
/// plane of its body below itself. Sources: [goldberg2002], [carsten2007];
/// docs/theory/navigation.md. Test: tests/onboard/test_navigate.c.
#include <string.h>

#include "base/functions.h"
#include "onboard/drive/navigate.h"

enum { FEW_POINTS = 20 }; ///< a rover that sees fewer is blind

RiNavOptions ri_nav_read_options(const double *x)
{
    return (RiNavOptions){.cell = x[NAV_CELL],
                          .cells = (int)x[NAV_CELLS],
                          .radius = x[NAV_RADIUS],
                          .step_max = x[NAV_STEP_MAX],
                          .tilt_max = x[NAV_TILT_MAX],
                          .roughness_max = x[NAV_ROUGHNESS_MAX],
                          .known_least = x[NAV_KNOWN_LEAST],
                          .points_most = x[NAV_POINTS_MOST],
                          .look_ahead = x[NAV_LOOK_AHEAD],
                          .weight_hazard = x[NAV_WEIGHT_HAZARD],
                          .weight_steer = x[NAV_WEIGHT_STEER],
                          .weight_goal = x[NAV_WEIGHT_GOAL]};
}

void ri_nav_ready(RiDeviceCall *call)
{
    RiNavMemory *m = ri_nav_memory(call);
    RiNavScratch *s = ri_nav_scratch(call);
    double now[16] = {0};
    memcpy(now, call->x + NAV_CELL, (NAV_WEIGHT_GOAL - NAV_CELL + 1) * sizeof *now);
    const RiNavOptions options = ri_nav_read_options(call->x);
    if (!s->placed || memcmp(now, s->options, sizeof now) != 0) {
        ri_nav_map_place(&s->map, &options, m->map, s->map_space);
        memcpy(s->options, now, sizeof now);
        s->placed = true;
    }
    if (m->made && memcmp(now, m->options, sizeof now) == 0)
        return;
    const RiNavPose at = ri_nav_pose(call);
    ri_nav_map_reset(&s->map, ri_vec3(at.x, at.y, at.pose.p.z));
    memset(m->world, 0, sizeof m->world);
    memcpy(m->options, now, sizeof now);
    m->made = 1;
}

// --- looking -------------------------------------------------------------------------------------

/// Points of one of the scene's own sensors, in axes of the root link.
static int see(const RiDeviceCall *call, RiVec3 *out, int room)
{
    const int count = call->see ? call->see(call, (int)call->x[NAV_VISION], (int)call->x[NAV_SENSOR], out, room) : 0;
    for (int i = 0; i < count; i++)
        out[i] = ri_rotate_back(&call->frame_pose.R, ri_sub(out[i], call->frame_pose.p));
    return count < 0 ? 0 : count;
}

static int look(RiDeviceCall *call, RiVec3 *out, int room)
{
    const double *x = call->x;
    if (x[NAV_VISION] != 0.0)
        return see(call, out, room);
    RiWedge w = {.at = ri_vec3(x[NAV_CAMERA_X], 0.0, x[NAV_CAMERA_Z]),
                 .pitch = x[NAV_CAMERA_PITCH],
                 .across = x[NAV_FIELD_ACROSS],
                 .upright = x[NAV_FIELD_UPRIGHT],
                 .columns = (int)x[NAV_COLUMNS],
                 .rows = (int)x[NAV_ROWS],
                 .least = x[NAV_RANGE_LEAST],
                 .most = x[NAV_RANGE_MOST],
                 .error = x[NAV_RANGE_ERROR],
                 .missing = x[NAV_MISSING]};
    int count = ri_vision_wedge(call, &w, 0, out, room);
    if (x[NAV_REAR] != 0.0) {
        w.back = true;
        w.at.x = x[NAV_REAR_X];
        count += ri_vision_wedge(call, &w, 1, out + count, room - count);
    }
    return count;
}

/// The ground that the rover stands on: under its wheels, and the plane of its body.
static void add_own_ground(RiDeviceCall *call, RiNavMap *map, const RiNavPose *at)
{
    const RiMat3 *R = &at->pose.R;
    double sum = 0.0;
    int wheels = 0;
    for (int i = 0; i < call->joint_count; i++) {
        const RiGroupJoint *j = &call->joints[i];
        if (!(j->wheel_radius > 0.0))
            continue;
        const RiVec3 hub = ri_rotate_back(&call->frame_pose.R, ri_sub(j->pose.p, call->frame_pose.p));
        const RiVec3 foot = ri_pose_point(&at->pose, ri_vec3(hub.x, hub.y, hub.z - j->wheel_radius));
        ri_nav_map_add(map, &foot, 1);
        sum += hub.z - j->wheel_radius;
        wheels++;
    }
    const RiVec3 under = ri_pose_point(&at->pose, ri_vec3(0.0, 0.0, wheels ? sum / wheels : 0.0));
    const double up = fmax(R->m[2][2], 0.5);
    ri_nav_map_assume_plane(map, ri_vec3(at->x, at->y, under.z), -R->m[0][2] / up, -R->m[1][2] / up,
                            call->x[NAV_RADIUS]);
}

/// Adds what is seen now to the local map.
static void learn(RiDeviceCall *call, const RiNavPose *at)
{
    RiNavScratch *s = ri_nav_scratch(call);
    const int count = look(call, s->points, RI_NAV_MOST_POINTS);
    for (int i = 0; i < count; i++)
        s->points[i] = ri_pose_point(&at->pose, s->points[i]);
    ri_nav_map_scroll(&s->map, at->x, at->y);
    call->x[NAV_POINTS] = ri_nav_map_add(&s->map, s->points, count);
    add_own_ground(call, &s->map, at);
    ri_nav_map_update(&s->map);
}

// --- choosing ------------------------------------------------------------------------------------

static bool keep_out(const void *call, double px, double py)
{
    return ri_nav_is_kept_out(((const RiDeviceCall *)call)->x, px, py);
}

/// Arcs from the tightest radius to the widest, with equal steps of curvature.
static int candidates(const double *x, RiNavArc *out)
{
    double radii[RI_NAV_MOST_RADII];
    const int n = (int)x[NAV_RADII];
    for (int i = 0; i < n; i++)
        radii[i] = x[NAV_LEAST_RADIUS] * n / (n - i);
    return ri_nav_fan(radii, n, x[NAV_ARC], x[NAV_TURN], out);
}

static RiNavOrder order_of(const double *x, const RiNavArc *a)
{
    if (a->length == 0.0)
        return (RiNavOrder){.command = NAV_DO_TURN, .angle = a->turn};
    const double far = fmin(a->free_length, x[NAV_STEP]);
    return (RiNavOrder){.command = NAV_DO_ARC,
                        .radius = a->curvature != 0.0 ? 1.0 / a->curvature : 0.0,
                        .length = a->length < 0.0 ? -far : far};
}

/// Whether the rover has come nearer to its goal than ever, or has learnt something on its way.
static void judge_progress(double *x, double far, int news)
{
    const bool nearer = x[NAV_BEST] < 0.0 || far < x[NAV_BEST] - 0.02;
    if (nearer)
        x[NAV_BEST] = far;
    x[NAV_STALE] = nearer || news > 4 ? 0.0 : x[NAV_STALE] + 1.0;
}

/// Rates the arcs; the best one's index, or -1.
static int rate(RiDeviceCall *call, const RiNavPose *at, const RiNavGoal *goal, RiNavArc *arcs)
{
    double *x = call->x;
    const int count = candidates(x, arcs);
    const int best =
        ri_nav_choose_arc(&ri_nav_scratch(call)->map, at->x, at->y, at->heading, x[NAV_CURVATURE], goal, arcs, count);
    x[NAV_FREE_ARCS] = 0.0;
    for (int i = 0; i < count; i++)
        x[NAV_FREE_ARCS] += arcs[i].veto == RI_NAV_FREE;
    x[NAV_TURN_FREE] = arcs[count - 1].veto == RI_NAV_FREE; // turns are the last two
    return best;
}

/// The map of the world and a path over it; the goal vote follows the path. False: there is none.
static bool plan(RiDeviceCall *call, RiNavGoal *goal, int *out_news, RiNavReason *out_reason)
{
    RiVec3 ahead;
    *out_news = ri_nav_world_learn(call);
    if (!ri_nav_world_plan(call, &ahead)) {
        *out_reason = call->x[NAV_PLAN_RESULT] == RI_PLAN_GOAL_INSIDE ? RI_NAV_GOAL_OCCUPIED : RI_NAV_BLOCKED;
        return false;
    }
    goal->cost = ri_nav_world_cost;
    goal->x = ahead.x;
    goal->y = ahead.y;
    return true;
}

bool ri_nav_gestalt(RiDeviceCall *call, RiNavOrder *out, RiNavReason *out_reason)
{
    double *x = call->x;
    const RiNavPose at = ri_nav_pose(call);
    const bool global = x[NAV_PLANNER] != 0.0 && x[NAV_HELD_LEVEL] == NAV_AT_GOAL;
    const RiVec3 end = ri_nav_goal(x);
    RiNavGoal goal = {.x = end.x, .y = end.y, .radius = x[NAV_GOAL_RADIUS], .user = call, .keep_out = keep_out};
    RiNavArc arcs[2 * (2 * RI_NAV_MOST_RADII + 1) + 2];
    int news = 0;
    x[NAV_TURN_FREE] = 0.0;
    learn(call, &at);
    if (x[NAV_POINTS] < FEW_POINTS) {
        *out_reason = RI_NAV_BLIND;
        return false;
    }
    const bool planned = !global || plan(call, &goal, &news, out_reason);
    const int best = rate(call, &at, &goal, arcs);
    if (!planned)
        return false;
    judge_progress(x, global ? x[NAV_PLAN_COST] : ri_hypot(end.x - at.x, end.y - at.y), news);
    if (best < 0) {
        *out_reason = RI_NAV_BLOCKED;
        return false;
    }
    x[NAV_VOTE] = arcs[best].vote;
    x[NAV_CURVATURE] = arcs[best].curvature;
    *out = order_of(x, &arcs[best]);
    return true;
}
