// SPDX-License-Identifier: Apache-2.0
/// \file
/// A rover that is driven without dynamics: x, y and heading follow an arc, the stance gives everything else.
///
///     heading' = turn,   (x, y)' = speed (cos, sin)(heading + direction): exact over a step, a chord of the arc
///
/// A wheel at r from the base moves with v + turn z x r in the base's plane: steered wheels turn into that direction, by at most a quarter turn (they roll
/// backwards instead), and every wheel rolls along its own direction without slip. Speeds are those of the projection on the horizontal plane.
#include <stdio.h>
#include <string.h>

#include "contact/stance.h"
#include "sim/internal.h"

RiStatus ri_sim_set_stance(RiSim *s, RiStance *stance)
{
    if (s->built)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "a stance must be given before ri_sim_build");
    s->stance = stance;
    return RI_OK;
}

// --- what is driven -----------------------------------------------------------------------------------------------------

static bool is_passive(const RiStance *st, int joint)
{
    for (int i = 0; i < st->passive_count; i++)
        if (st->unknown_joint[i] == joint)
            return true;
    return false;
}

/// Pose of a body in the base, joints at zero.
static RiPose pose_in_base(const RiModel *m, int body)
{
    if (body <= 0)
        return ri_pose_identity();
    const RiPose up = pose_in_base(m, m->bodies[body].parent);
    return ri_pose_mul(&up, &m->bodies[body].tree);
}

/// The nearest driven joint above the wheel that turns about the base's vertical, and the axle itself.
static RiDriveWheel drive_wheel(const RiModel *m, const RiStance *st, const RiStanceRim *w)
{
    const RiPose at = pose_in_base(m, w->body), wheel = ri_pose_mul(&at, &w->in_body);
    RiDriveWheel d = {.hub = wheel.p, .radius = w->radius, .steer = -1, .spin = -1};
    for (int b = w->body; b > 0; b = m->bodies[b].parent) {
        const RiBodyData *body = &m->bodies[b];
        const RiJointData *j = &m->joints[body->joint];
        const RiPose pose = pose_in_base(m, b);
        const RiVec3 axis = ri_mat3_col(&pose.R, 2);
        const double along = ri_dot(axis, ri_mat3_col(&wheel.R, 1));
        if (body->rev < 0 || j->q < 0 || j->v < 0 || is_passive(st, body->joint))
            continue;
        if (b == w->body && fabs(along) > 1.0 - 1e-9) {
            d.spin = j->q;
            d.roll_sign = along;
        } else if (d.steer < 0 && fabs(axis.z) > 0.99) {
            d.steer = j->q;
            d.turn_sign = axis.z;
        }
    }
    return d;
}

RiStatus ri_sim_build_drive(RiSim *s)
{
    if (s->options.method != RI_METHOD_KINEMATIC)
        return RI_OK;
    if (!s->stance || !s->terrain)
        return ri_error(s->ctx, RI_ERR_ARGUMENT,
                        "a run without dynamics needs a terrain and a stance (wheels that can stand on it)");
    s->drive_wheels = ri_arena_alloc(&s->arena, (size_t)s->stance->wheel_count, sizeof *s->drive_wheels);
    if (!s->drive_wheels)
        return ri_error_memory(s->ctx);
    s->drive_wheel_count = s->stance->wheel_count;
    for (int i = 0; i < s->drive_wheel_count; i++)
        s->drive_wheels[i] = drive_wheel(s->m, s->stance, &s->stance->wheels[i]);
    return RI_OK;
}

RiStatus ri_sim_name_drive(RiSim *s)
{
    static const struct {
        const char *name, *unit, *doc;
    } inputs[RI_DRIVE_COUNT] = {{"drive.speed", "m/s", "of the base over the horizontal plane"},
                                {"drive.turn", "rad/s", "of the heading, to the left"},
                                {"drive.direction", "rad", "of the motion, left of the heading: crab"}};
    for (int i = 0; s->drive && i < RI_DRIVE_COUNT; i++) {
        RiValue v = ri_value_default();
        v.name = inputs[i].name;
        v.unit = inputs[i].unit;
        v.doc = inputs[i].doc;
        v.kind = RI_VALUE_INPUT;
        v.at = s->drive + i;
        v.type = RI_VALUE_REAL;
        v.writable = true;
        RI_TRY(ri_values_add(s->values, &v));
    }
    return RI_OK;
}

void ri_sim_find_driver(RiSim *s)
{
    static const char *const names[RI_DRIVE_COUNT] = {"base_speed", "base_turn", "base_direction"};
    for (int i = 0; s->drive && i < s->device_count; i++)
        for (int k = 0; k < s->devices[i].device->port_count; k++)
            for (int n = 0; n < RI_DRIVE_COUNT; n++)
                if (strcmp(s->devices[i].device->ports[k].name, names[n]) == 0)
                    s->driver[n] = s->ports + s->devices[i].port + k;
}

// --- the step -----------------------------------------------------------------------------------------------------------

static double heading_of(const double *q)
{
    const RiMat3 R = ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]});
    return atan2(R.m[1][0], R.m[0][0]);
}

static RiStatus stand_at(RiSim *s, double x, double y, double heading, double *q)
{
    RiStanceReport report;
    if (ri_stance_solve(s->stance, s->terrain, x, y, heading, q, &report))
        return RI_OK;
    return ri_error(s->ctx, RI_ERR_NUMERIC,
                    "the robot cannot stand at (%.4g, %.4g) with heading %.4g deg (t = %.6g s): %s", x, y,
                    57.29577951308232 * heading, s->head->time, report.text);
}

RiStatus ri_sim_stand(RiSim *s, double x, double y, double heading)
{
    if (!s->built || !s->stance || !s->terrain)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ri_sim_stand needs a built simulation with a terrain and a stance");
    RI_TRY(stand_at(s, x, y, heading, s->q));
    memset(s->v, 0, (size_t)s->m->nv * sizeof *s->v);
    return RI_OK;
}

/// Steering angle of a wheel that moves with (vx, vy) in the base, and the speed with which it rolls.
static double steer_into(const RiDriveWheel *w, double vx, double vy, double *q)
{
    const double speed = hypot(vx, vy), half = 1.5707963267948966;
    double angle = speed > 1e-9 ? atan2(vy, vx) : 0.0, forward = speed;
    if (angle > half || angle < -half) {
        angle += angle > 0.0 ? -2.0 * half : 2.0 * half;
        forward = -speed;
    }
    if (w->steer < 0)
        return vx; // rolls along x of the base and is dragged sideways
    if (speed > 1e-9)
        q[w->steer] = w->turn_sign * angle;
    return forward;
}

static void turn_wheels(RiSim *s, double h, double *q)
{
    const double speed = s->drive[RI_DRIVE_SPEED], turn = s->drive[RI_DRIVE_TURN], way = s->drive[RI_DRIVE_DIRECTION];
    for (int i = 0; i < s->drive_wheel_count; i++) {
        const RiDriveWheel *w = &s->drive_wheels[i];
        const double roll = steer_into(w, speed * cos(way) - turn * w->hub.y, speed * sin(way) + turn * w->hub.x, q);
        if (w->spin >= 0)
            q[w->spin] += w->roll_sign * h * roll / w->radius;
    }
}

RiStatus ri_sim_step_kinematic(RiSim *s, double h)
{
    for (int i = 0; i < RI_DRIVE_COUNT; i++)
        if (s->driver[i])
            s->drive[i] = *s->driver[i];
    const double turn = s->drive[RI_DRIVE_TURN], half = 0.5 * turn * h;
    const double chord = s->drive[RI_DRIVE_SPEED] * h * (fabs(half) > 1e-8 ? sin(half) / half : 1.0);
    const double heading = heading_of(s->q), along = heading + half + s->drive[RI_DRIVE_DIRECTION];
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    turn_wheels(s, h, s->new_q);
    RI_TRY(stand_at(s, s->q[0] + chord * cos(along), s->q[1] + chord * sin(along), heading + turn * h, s->new_q));
    ri_model_difference(s->m, s->q, s->new_q, s->new_v);
    for (int i = 0; i < s->m->nv; i++)
        s->new_v[i] /= h;
    s->fresh = false;
    return RI_OK;
}
