// SPDX-License-Identifier: Apache-2.0
/// \file
/// A rover that is driven without dynamics: x, y and heading follow an arc, the stance gives
/// everything else.
///
///     heading' = turn,   (x, y)' = speed (cos, sin)(heading + direction): exact over a step, a chord of the arc
///
/// A wheel at r from the base moves with v + turn z x r in the base's plane: steered wheels turn
/// into that direction, by at most a quarter turn (they roll backwards instead), and every wheel
/// rolls along its own direction without slip. Speeds are those of the projection on the horizontal
/// plane.
///
/// In a run that may be switched (ri_sim_set_switchable) the same step takes the place of the
/// integrator's while `drive.dynamic` is 0. Test: tests/sim/test_switch.c.
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "contact/stance.h"
#include "sim/devices.h"

enum { RI_DRIVE_SPEED, RI_DRIVE_TURN, RI_DRIVE_DIRECTION, RI_DRIVE_COUNT, RI_DRIVE_DYNAMIC = RI_DRIVE_COUNT };
/// A wheel as it is steered and rolls without dynamics.
typedef struct RiDriveWheel {
    RiVec3 hub;       // in the base frame, joints at zero [m]
    double radius;    // [m]
    int steer, spin;  // places in q, -1: none
    double turn_sign; // of the steering joint about z
    double roll_sign; // of the axle about y
} RiDriveWheel;

struct RiDrive {
    double *input;                        // [RI_DRIVE_COUNT] in the state block, and RI_DRIVE_DYNAMIC where switchable
    const double *driver[RI_DRIVE_COUNT]; // outputs of a device that drives instead, NULL
    double *ease;                         // [1] time that is left to come from the pose of dynamics to the stance [s]
    double *stood, *off;                  // [nq] stance at the start of a step, [nv] the pose's way off it
    RiDriveWheel *wheels;
    int wheel_count;
};
static const double ease_time = 1.0; ///< [s]

RiStatus ri_sim_set_stance(RiSim *s, RiStance *stance)
{
    if (s->built)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "a stance must be given before ri_sim_build");
    s->stance = stance;
    return RI_OK;
}

RiStatus ri_sim_set_switchable(RiSim *s)
{
    if (s->built || !s->stance || !s->method->first_order)
        return ri_error(s->ctx, RI_ERR_ARGUMENT,
                        "a run that may be switched to kinematic needs a stance and integrator implicit or "
                        "semi-implicit, before ri_sim_build");
    s->switchable = true;
    return RI_OK;
}

// --- what is driven ------------------------------------------------------------------------------

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

/// The nearest driven joint above the wheel that turns about the base's vertical, and the axle
/// itself.
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

RiStatus ri_drive_create(RiSim *s)
{
    if (!s->stance || !s->terrain)
        return ri_error(s->ctx, RI_ERR_ARGUMENT,
                        "a run without dynamics needs a terrain and a stance (wheels that can stand on it)");
    s->drive = ri_arena_alloc(&s->arena, 1, sizeof *s->drive);
    if (!s->drive)
        return ri_error_memory(s->ctx);
    s->drive->wheels = ri_arena_alloc(&s->arena, (size_t)s->stance->wheel_count, sizeof *s->drive->wheels);
    s->drive->stood = ri_arena_alloc(&s->arena, (size_t)s->m->nq + 1, sizeof *s->drive->stood);
    s->drive->off = ri_arena_alloc(&s->arena, (size_t)s->m->nv + 1, sizeof *s->drive->off);
    if (!s->drive->wheels || !s->drive->stood || !s->drive->off)
        return ri_error_memory(s->ctx);
    s->drive->wheel_count = s->stance->wheel_count;
    for (int i = 0; i < s->drive->wheel_count; i++)
        s->drive->wheels[i] = drive_wheel(s->m, s->stance, &s->stance->wheels[i]);
    return RI_OK;
}

RiStatus ri_drive_name(RiSim *s)
{
    static const struct {
        const char *name, *unit, *doc;
    } inputs[RI_DRIVE_COUNT + 1] = {{"drive.speed", "m/s", "of the base over the horizontal plane"},
                                    {"drive.turn", "rad/s", "of the heading, to the left"},
                                    {"drive.direction", "rad", "of the motion, left of the heading: crab"},
                                    {"drive.dynamic", "", "1: with dynamics; 0: kinematic, from the next tick on"}};
    for (int i = 0; i < RI_DRIVE_COUNT + s->switchable; i++) {
        RiValue v = ri_value_default();
        v.name = inputs[i].name;
        v.unit = inputs[i].unit;
        v.doc = inputs[i].doc;
        v.kind = RI_VALUE_INPUT;
        v.at = s->drive->input + i;
        v.type = RI_VALUE_REAL;
        v.writable = true;
        RI_TRY(ri_values_add(s->values, &v));
    }
    return RI_OK;
}

/// A device with outputs base_speed, base_turn and base_direction drives the base.
void ri_drive_start(RiSim *s)
{
    static const char *const names[RI_DRIVE_COUNT] = {"base_speed", "base_turn", "base_direction"};
    for (int i = 0; i < s->devices->count; i++)
        for (int k = 0; k < s->devices->slots[i].device->port_count; k++)
            for (int n = 0; n < RI_DRIVE_COUNT; n++)
                if (strcmp(s->devices->slots[i].device->ports[k].name, names[n]) == 0)
                    s->drive->driver[n] = s->devices->ports + s->devices->slots[i].port + k;
}

// --- the step ------------------------------------------------------------------------------------

static double heading_of(const double *q)
{
    const RiMat3 R = ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]});
    return ri_atan2(R.m[1][0], R.m[0][0]);
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

bool ri_sim_can_stand(const RiSim *s)
{
    return s->built && s->stance && s->terrain;
}

RiStatus ri_sim_stand(RiSim *s, double x, double y, double heading)
{
    if (!ri_sim_can_stand(s))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ri_sim_stand needs a built simulation with a terrain and a stance");
    RI_TRY(stand_at(s, x, y, heading, s->q));
    memset(s->v, 0, (size_t)s->m->nv * sizeof *s->v);
    return RI_OK;
}

/// Steering angle of a wheel that moves with (vx, vy) in the base, and the speed with which it
/// rolls.
static double steer_into(const RiDriveWheel *w, double vx, double vy, double *q)
{
    const double speed = ri_hypot(vx, vy), half = 1.5707963267948966;
    double angle = speed > 1e-9 ? ri_atan2(vy, vx) : 0.0, forward = speed;
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
    const double speed = s->drive->input[RI_DRIVE_SPEED], turn = s->drive->input[RI_DRIVE_TURN],
                 way = s->drive->input[RI_DRIVE_DIRECTION];
    for (int i = 0; i < s->drive->wheel_count; i++) {
        const RiDriveWheel *w = &s->drive->wheels[i];
        const double roll =
            steer_into(w, speed * ri_cos(way) - turn * w->hub.y, speed * ri_sin(way) + turn * w->hub.x, q);
        if (w->spin >= 0)
            q[w->spin] += w->roll_sign * h * roll / w->radius;
    }
}

/// After dynamics the wheels are pressed in, the body swings: what the pose is off the stance at
/// the start of the step goes over to new_q and fades in `ease_time`, so that nothing jumps.
static RiStatus ease(RiSim *s, double heading, double h)
{
    RiDrive *d = s->drive;
    if (!s->switchable || !(*d->ease > 0.0))
        return RI_OK;
    const double left = fmax(0.0, *d->ease - h), share = left / *d->ease;
    memcpy(d->stood, s->q, (size_t)s->m->nq * sizeof *s->q);
    RI_TRY(stand_at(s, s->q[0], s->q[1], heading, d->stood));
    ri_model_difference(s->m, d->stood, s->q, d->off);
    for (int i = 0; i < s->m->nv; i++)
        d->off[i] *= share;
    memcpy(d->stood, s->new_q, (size_t)s->m->nq * sizeof *s->q);
    ri_model_integrate(s->m, d->stood, d->off, 1.0, s->new_q);
    *d->ease = left > 1e-9 ? left : 0.0;
    return RI_OK;
}

/// To new_q and new_v: along the arc of the drive inputs, with the wheels on the ground.
RiStatus ri_drive_step(RiSim *s, double h)
{
    for (int i = 0; i < RI_DRIVE_COUNT; i++)
        if (s->drive->driver[i])
            s->drive->input[i] = *s->drive->driver[i];
    const double turn = s->drive->input[RI_DRIVE_TURN], half = 0.5 * turn * h;
    const double chord = s->drive->input[RI_DRIVE_SPEED] * h * (fabs(half) > 1e-8 ? ri_sin(half) / half : 1.0);
    const double heading = heading_of(s->q), along = heading + half + s->drive->input[RI_DRIVE_DIRECTION];
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    turn_wheels(s, h, s->new_q);
    RI_TRY(stand_at(s, s->q[0] + chord * ri_cos(along), s->q[1] + chord * ri_sin(along), heading + turn * h, s->new_q));
    RI_TRY(ease(s, heading, h));
    ri_model_difference(s->m, s->q, s->new_q, s->new_v);
    for (int i = 0; i < s->m->nv; i++)
        s->new_v[i] /= h;
    s->stage = RI_STAGE_LOOSE;
    return RI_OK;
}

void ri_drive_lay_out(RiSim *s, RiBlockPart part, char *block, size_t *at)
{
    switch (part) {
    case RI_BLOCK_MEMORY:
        break;
    case RI_BLOCK_MOVING:
        if (s->switchable)
            s->drive->ease = ri_carve(block, at, 1, sizeof *s->drive->ease);
        break;
    case RI_BLOCK_KEPT:
        s->drive->input = ri_carve(block, at, RI_DRIVE_COUNT + s->switchable, sizeof *s->drive->input);
        break;
    }
}

void ri_drive_begin(RiSim *s)
{
    s->drive->input[RI_DRIVE_DYNAMIC] = 1.0;
}

bool ri_drive_is_on(const RiSim *s)
{
    return s->switchable && s->drive->input[RI_DRIVE_DYNAMIC] == 0.0;
}

void ri_drive_rest(RiSim *s)
{
    *s->drive->ease = ease_time;
}

const RiMethodKind ri_method_kinematic = {
    .info = {"kinematic", "no dynamics: the base is driven over the ground, and the wheels stand on it", false, true},
    .offers = RI_OFFERS_CONTACT | RI_OFFERS_LINK_CONTACT, // touches are found; their forces do not act
    .prescribes = true,
    .create = ri_drive_create,
    .lay_out = ri_drive_lay_out,
    .name = ri_drive_name,
    .start = ri_drive_start,
    .step = ri_drive_step,
};
