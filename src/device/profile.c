// SPDX-License-Identifier: Apache-2.0
/// \file
/// Trapezoidal profile: the fastest motion to a target within a velocity and an acceleration limit.
///
/// From position p and velocity v the rest of the way is planned again at every update: with the
/// direction s in which the target lies of the point where the motion could stop, p + v |v| / (2
/// a), the fastest way is to change to the peak speed, cruise, and brake,
///
///     peak^2 = min(v_max^2, a s (target - p) + v^2 / 2)
///
/// and the motion is advanced by dt along these three pieces, exactly, also where they meet within
/// an update. Since the rest of a fastest motion is a fastest motion, replanning changes nothing
/// while the target stands, and a target that moves needs no special case. When the rest takes less
/// than dt, the motion ends on the target itself. Test: tests/device/test_profile.c.
#include "device/parts.h"
#include "device/ports.h"

enum { MAX_VELOCITY, MAX_ACCELERATION, TARGET, POSITION, VELOCITY, ACCELERATION, REMAINING, DONE, COUNT };

static const RiPort ports[COUNT] = {
    [MAX_VELOCITY] = RI_PARAMETER("max_velocity", "rad/s", 0.1, 0.0, INFINITY, "Largest speed."),
    [MAX_ACCELERATION] = RI_PARAMETER("max_acceleration", "rad/s^2", 0.1, 0.0, INFINITY, "Largest acceleration."),
    [TARGET] = RI_INPUT("target", "rad", "Where to go; may change at any time."),
    [POSITION] = RI_STATE("position", "rad", "Reference position; starts at the joint's."),
    [VELOCITY] = RI_STATE("velocity", "rad/s", "Reference velocity; starts at 0."),
    [ACCELERATION] = RI_OUTPUT("acceleration", "rad/s^2", "Reference acceleration from this time on."),
    [REMAINING] = RI_OUTPUT("remaining", "s", "Time until the target is reached."),
    [DONE] = RI_OUTPUT("done", "", "1 when standing on the target."),
};

/// The rest of a motion as up to three pieces of constant acceleration, and its duration.
typedef struct Plan {
    double a[3], t[3], total;
} Plan;

static Plan plan_rest(double p, double v, double target, double v_max, double a)
{
    const double stop = p + v * fabs(v) / (2.0 * a);
    const double s = target > stop || (target == stop && v > 0.0) ? 1.0 : -1.0;
    const double way = s * (target - p), speed = s * v; // as if the target lay ahead
    const double peak = fmin(v_max, sqrt(fmax(0.0, a * way + 0.5 * speed * speed)));
    const double t0 = fabs(peak - speed) / a;
    const double cruise = way - 0.5 * (speed + peak) * t0 - 0.5 * peak * peak / a;
    Plan r = {{peak < speed ? -s * a : s * a, 0.0, -s * a}, {t0, 0.0, peak / a}, 0.0};
    r.t[1] = peak > 0.0 ? fmax(0.0, cruise / peak) : 0.0;
    r.total = r.t[0] + r.t[1] + r.t[2];
    return r;
}

/// Moves p and v along the plan by dt, which is shorter than the plan. Returns the piece that goes
/// on.
static int advance(const Plan *plan, double dt, double *p, double *v)
{
    int k = 0;
    for (; k < 3; k++) {
        const double t = fmin(dt, plan->t[k]);
        *p += (*v + 0.5 * plan->a[k] * t) * t;
        *v += plan->a[k] * t;
        dt -= t;
        if (t < plan->t[k])
            return k;
    }
    return 2;
}

static const char *start(RiDeviceCall *call)
{
    double *x = call->x;
    if (!ri_is_positive(x[MAX_VELOCITY]))
        return "'max_velocity' must be positive";
    if (!ri_is_positive(x[MAX_ACCELERATION]))
        return "'max_acceleration' must be positive";
    x[POSITION] = call->joint_position;
    x[VELOCITY] = 0.0;
    return NULL;
}

RiProfile ri_profile_advance(double target, double v_max, double a, double dt, double *p, double *v)
{
    const Plan plan = plan_rest(*p, *v, target, v_max, a);
    if (plan.total <= dt) {
        *p = target;
        *v = 0.0;
        return (RiProfile){0.0, 0.0, true};
    }
    const double acceleration = plan.a[advance(&plan, dt, p, v)];
    return (RiProfile){acceleration, plan.total - dt, false};
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    const RiProfile now =
        ri_profile_advance(x[TARGET], x[MAX_VELOCITY], x[MAX_ACCELERATION], call->dt, &x[POSITION], &x[VELOCITY]);
    x[ACCELERATION] = now.acceleration;
    x[REMAINING] = now.remaining;
    x[DONE] = now.done;
}

const RiDeviceClass ri_device_profile = {
    .abi = RI_DEVICE_ABI,
    .name = "profile",
    .doc = "Trapezoidal motion of a reference to a target.",
    .attach = RI_ATTACH_JOINT,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
