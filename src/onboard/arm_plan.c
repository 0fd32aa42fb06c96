// SPDX-License-Identifier: Apache-2.0
/// \file
/// The way of an arm to a target: all joints together to a place above it, then straight along the
/// tool's direction.
///
///     move      q(t) = q0 + s(t/T) (q1 - q0),  s(u) = u^2 (3 - 2 u),  T = max over joints of 1.5 d / rate and sqrt(6 d / acceleration)
///     approach  x(t) = p - (1 - s) standoff a,  T = 1.5 standoff / speed, joint positions by inverse kinematics
///
/// Test: tests/onboard/test_arm.c.
#include <math.h>
#include <string.h>

#include "onboard/arm.h"

enum { WAYS = 16, SAMPLES = 100 };

RiArmPlanDef ri_arm_plan_default(void)
{
    return (RiArmPlanDef){.standoff = 0.1, .approach = 0.02, .rate = 0.1, .acceleration = 0.1, .rows = 50};
}

static double smooth(double u)
{
    u = fmin(fmax(u, 0.0), 1.0);
    return u * u * (3.0 - 2.0 * u);
}

/// Unit direction of a target, zero if it has none.
static RiVec3 direction_of(const RiArmTarget *target)
{
    const double size = ri_norm(target->direction);
    return size > 0.0 ? ri_scale(1.0 / size, target->direction) : ri_vec3(0.0, 0.0, 0.0);
}

/// The target moved back along its direction.
static RiArmTarget back_off(const RiArmTarget *target, double way)
{
    RiArmTarget t = *target;
    t.point = ri_sub(t.point, ri_scale(way, direction_of(target)));
    return t;
}

/// Goes straight from above the target to it, in rows. False where the arm cannot follow.
static bool go_down(const RiArmChain *arm, const RiArmTarget *target, const RiArmPlanDef *def, double *q)
{
    for (int i = 1; i <= def->rows; i++) {
        double before[RI_ARM_JOINTS];
        memcpy(before, q, sizeof before);
        const RiArmTarget t = back_off(target, def->standoff * (1.0 - (double)i / def->rows));
        if (!ri_arm_follow(arm, &t, q, NULL))
            return false;
        for (int k = 0; k < arm->count; k++)
            if (fabs(q[k] - before[k]) > 0.3) // it went over to another of the solutions
                return false;
    }
    return true;
}

static double move_time(const RiArmChain *arm, const double *a, const double *b, const RiArmPlanDef *def)
{
    double time = 0.0;
    for (int k = 0; k < arm->count; k++) {
        const double d = fabs(b[k] - a[k]), rate = fmin(def->rate, arm->joints[k].max_rate);
        time = fmax(time, fmax(1.5 * d / rate, sqrt(6.0 * d / def->acceleration)));
    }
    return time;
}

static RiStatus check(RiContext *ctx, const RiArmChain *arm, const double *start, const RiArmTarget *target,
                      const RiArmPlanDef *def)
{
    if (!(def->standoff >= 0.0) || !(def->approach > 0.0) || !(def->rate > 0.0) || !(def->acceleration > 0.0) ||
        def->rows < 1 || !isfinite(def->standoff))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "an arm's way needs a standoff of 0 or more and positive speeds, acceleration and rows");
    if (!isfinite(ri_norm(target->point)) || !isfinite(ri_norm(target->direction)))
        return ri_error(ctx, RI_ERR_ARGUMENT, "an arm's target must be finite");
    if (def->standoff > 0.0 && !(ri_norm(target->direction) > 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "a straight approach needs a direction; set the standoff to 0 without");
    for (int k = 0; k < arm->count; k++)
        if (!(start[k] >= arm->joints[k].lower - 1e-9 && start[k] <= arm->joints[k].upper + 1e-9))
            return ri_error(ctx, RI_ERR_ARGUMENT, "joint '%s' starts at %.6g, outside its limits [%.6g, %.6g]",
                            arm->joints[k].name, start[k], arm->joints[k].lower, arm->joints[k].upper);
    return RI_OK;
}

RiStatus ri_arm_explain(RiContext *ctx, const RiArmChain *arm, const RiArmTarget *target, const RiArmReach *r,
                        const char *what)
{
    const RiVec3 p = target->point;
    if (r->status == RI_ARM_TOO_FAR)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s (%.4g, %.4g, %.4g) is %.4g m beyond the stretched arm", what, p.x,
                        p.y, p.z, r->shortest);
    if (r->status == RI_ARM_LIMITS)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "%s (%.4g, %.4g, %.4g) would take joint '%s' %.4g beyond its limits [%.4g, %.4g]; the nearest "
                        "it comes within all limits is %.4g m and %.4g rad",
                        what, p.x, p.y, p.z, arm->joints[r->joint].name, r->beyond, arm->joints[r->joint].lower,
                        arm->joints[r->joint].upper, r->nearest.distance, r->nearest.angle);
    return ri_error(ctx, RI_ERR_ARGUMENT,
                    "%s (%.4g, %.4g, %.4g) cannot be reached with that direction; the nearest the arm comes is %.4g m "
                    "and %.4g rad",
                    what, p.x, p.y, p.z, r->nearest.distance, r->nearest.angle);
}

RiArmWay ri_arm_find_way(const RiArmChain *arm, const double *start, const RiArmTarget *target, const RiArmPlanDef *def,
                         RiArmReach *out_reach, RiArmPlan *out)
{
    RiArmSolution ways[WAYS];
    const RiArmTarget above = back_off(target, def->standoff);
    *out_reach = ri_arm_solve(arm, target, start, 1, ways);
    if (out_reach->count == 0)
        return RI_ARM_NO_TARGET;
    *out_reach = ri_arm_solve(arm, &above, start, WAYS, ways);
    if (out_reach->count == 0)
        return RI_ARM_NO_PLACE_ABOVE;
    for (int i = 0; i < out_reach->count; i++) {
        memcpy(out->above, ways[i].q, sizeof out->above);
        memcpy(out->there, ways[i].q, sizeof out->there);
        if (!go_down(arm, target, def, out->there))
            continue;
        out->move_time = move_time(arm, start, out->above, def);
        out->end_time = out->move_time + 1.5 * def->standoff / def->approach;
        return RI_ARM_WAY;
    }
    return RI_ARM_NO_STRAIGHT_WAY;
}

RiStatus ri_arm_plan(RiContext *ctx, const RiArmChain *arm, const double *start, const RiArmTarget *target,
                     const RiArmPlanDef *def, RiArmPlan *out)
{
    RI_TRY(check(ctx, arm, start, target, def));
    RiArmReach r;
    const RiArmTarget above = back_off(target, def->standoff);
    switch (ri_arm_find_way(arm, start, target, def, &r, out)) {
    case RI_ARM_WAY:
        return RI_OK;
    case RI_ARM_NO_TARGET:
        return ri_arm_explain(ctx, arm, target, &r, "the target");
    case RI_ARM_NO_PLACE_ABOVE:
        return ri_arm_explain(ctx, arm, &above, &r, "the place above the target");
    case RI_ARM_NO_STRAIGHT_WAY:
        break;
    }
    return ri_error(ctx, RI_ERR_ARGUMENT,
                    "the target can be reached, but not straight from %.4g m above it; a smaller standoff may do",
                    def->standoff);
}

void ri_arm_plan_at(const RiArmChain *arm, const double *start, const RiArmTarget *target, const RiArmPlanDef *def,
                    const RiArmPlan *plan, double time, double *out_q)
{
    const size_t size = (size_t)arm->count * sizeof *out_q;
    if (time < plan->move_time) {
        const double s = smooth(time / plan->move_time);
        for (int k = 0; k < arm->count; k++)
            out_q[k] = start[k] + s * (plan->above[k] - start[k]);
        return;
    }
    if (time >= plan->end_time) {
        memcpy(out_q, plan->there, size);
        return;
    }
    const double s = smooth((time - plan->move_time) / (plan->end_time - plan->move_time));
    for (int k = 0; k < arm->count; k++)
        out_q[k] = plan->above[k] + s * (plan->there[k] - plan->above[k]);
    const RiArmTarget t = back_off(target, def->standoff * (1.0 - s));
    const bool follows = ri_arm_follow(arm, &t, out_q, NULL); // the blend is kept where it does not
    (void)follows;
}

bool ri_arm_target_on_ground(const RiTerrain *terrain, double x, double y, const RiPose *base, RiArmTarget *out)
{
    RiHeight h;
    if (!ri_terrain_height(terrain, x, y, &h))
        return false;
    const RiVec3 up = ri_vec3(-h.zx, -h.zy, 1.0);
    *out = (RiArmTarget){.aim = RI_ARM_AUTO};
    out->point = ri_rotate_back(&base->R, ri_sub(ri_vec3(x, y, h.z), base->p));
    out->direction = ri_rotate_back(&base->R, ri_scale(-1.0 / ri_norm(up), up));
    return true;
}

double ri_arm_plan_clearance(const RiArmChain *arm, const double *start, const RiArmTarget *target,
                             const RiArmPlanDef *def, const RiArmPlan *plan, const RiTerrain *terrain,
                             const RiPose *base, double *out_time)
{
    double least = INFINITY;
    for (int i = 0; i <= SAMPLES; i++) {
        const double time = plan->end_time * i / SAMPLES;
        double q[RI_ARM_JOINTS];
        RiVec3 points[RI_ARM_JOINTS + 1];
        ri_arm_plan_at(arm, start, target, def, plan, time, q);
        int count = ri_arm_points(arm, q, points);
        count -= time > plan->move_time; // the tip comes to the ground on purpose
        for (int k = 0; k < count; k++) {
            RiSurface s;
            ri_terrain_query(terrain, ri_pose_point(base, points[k]), &s);
            if (s.distance < least) {
                least = s.distance;
                *out_time = time;
            }
        }
    }
    return least;
}
