// SPDX-License-Identifier: Apache-2.0
/// \file
/// The named values of a simulation, and the outputs among them.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sim/devices.h"
#include "sim/sun.h"

static const char *const base_names[12] = {"x",  "y",  "z",  "roll",   "pitch",  "yaw",
                                           "vx", "vy", "vz", "rate_x", "rate_y", "rate_z"};

/// Whether a value is computed only when somebody looks.
static bool is_derived(const RiSim *s, const void *at)
{
    const double *x = at;
    return (x >= s->base_out && x < s->base_out + 12) || (x >= s->com_out && x < s->com_out + 6) ||
           (x >= s->energy_out && x < s->energy_out + 6);
}

RiStatus ri_sim_name_value(RiSim *s, const char *owner, const char *what, const char *unit, const char *doc,
                           RiValueKind kind, void *at, RiValueType type, bool writable)
{
    char name[1024];
    snprintf(name, sizeof name, owner ? "%.700s.%.300s" : "%.0s%.120s", owner ? owner : "", what);
    RiValue v = ri_value_default();
    v.name = name;
    v.unit = unit;
    v.doc = doc;
    v.kind = kind;
    v.at = at;
    v.type = type;
    v.writable = writable;
    v.derived = is_derived(s, at);
    return ri_values_add(s->values, &v);
}

/// Whether the values of the base may be written: it floats, and nothing prescribes its motion.
static bool may_be_placed(const RiSim *s)
{
    return ri_model_is_floating(s->m) && s->method->info.dynamics;
}

static RiStatus name_base(RiSim *s)
{
    static const char *const units[12] = {"m",   "m",   "m",   "rad",   "rad",   "rad",
                                          "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};
    for (int i = 0; i < 12; i++)
        RI_TRY(ri_sim_name_value(s, "base", base_names[i], units[i],
                                 i < 3   ? "position of the root link in the world"
                                 : i < 6 ? "attitude of the root link (fixed-axis roll, pitch, yaw)"
                                 : i < 9 ? "velocity of the root link's origin, world axes"
                                         : "angular velocity of the root link, world axes",
                                 may_be_placed(s) ? RI_VALUE_STATE : RI_VALUE_OUTPUT, s->base_out + i, RI_VALUE_REAL,
                                 may_be_placed(s)));
    return RI_OK;
}

static RiStatus name_com(RiSim *s)
{
    static const char *const names[6] = {"x", "y", "z", "vx", "vy", "vz"};
    for (int i = 0; i < 6; i++)
        RI_TRY(ri_sim_name_value(s, "com", names[i], i < 3 ? "m" : "m/s",
                                 i < 3 ? "centre of mass of the robot in the world" : "its velocity, world axes",
                                 RI_VALUE_OUTPUT, s->com_out + i, RI_VALUE_REAL, false));
    return RI_OK;
}

static void update(RiSim *s, unsigned which);

static bool is_in(const double *list, size_t count, const void *at)
{
    return (uintptr_t)at >= (uintptr_t)list && (uintptr_t)at < (uintptr_t)(list + count);
}

/// Somebody looks at a derived value: it is computed with its neighbours, the others are not.
static void look(void *user, const void *at)
{
    RiSim *s = user;
    update(s, is_in(s->base_out + 3, 3, at) ? RI_OUTPUTS_ATTITUDE
              : is_in(s->base_out, 12, at)  ? RI_OUTPUTS_BASE
              : is_in(s->com_out, 6, at)    ? RI_OUTPUTS_COM
              : is_in(s->energy_out, 6, at) ? RI_OUTPUTS_ENERGY
                                            : RI_OUTPUTS_ALL);
}

/// Somebody is about to write a value that is no input: what the energies were before is needed to
/// book what that does.
static void change(void *user)
{
    RiSim *s = user;
    if (s->started)
        ri_sim_update_outputs(s);
    s->written = true;
}

RiStatus ri_sim_name_values(RiSim *s)
{
    static const char *const energy[6] = {"kinetic", "potential", "work", "dissipated", "method", "residual"};
    static const char *const energy_doc[6] = {"kinetic energy",
                                              "potential energy of gravity and springs",
                                              "work done by efforts since start",
                                              "energy lost in dampers, friction and stops",
                                              "energy taken out by a first-order method itself",
                                              "relative energy that the books do not explain"};
    ri_values_watch(s->values, look, change, s);
    RI_TRY(ri_sim_name_value(s, NULL, "time", "s", "simulated time", RI_VALUE_OUTPUT, &s->head->time, RI_VALUE_REAL,
                             false));
    RI_TRY(ri_sim_name_value(s, "gravity", "x", "m/s^2", "gravity, world axes", RI_VALUE_PARAMETER,
                             &s->options.gravity.x, RI_VALUE_REAL, true));
    RI_TRY(ri_sim_name_value(s, "gravity", "y", "m/s^2", "gravity, world axes", RI_VALUE_PARAMETER,
                             &s->options.gravity.y, RI_VALUE_REAL, true));
    RI_TRY(ri_sim_name_value(s, "gravity", "z", "m/s^2", "gravity, world axes", RI_VALUE_PARAMETER,
                             &s->options.gravity.z, RI_VALUE_REAL, true));
    RI_TRY(name_base(s));
    RI_TRY(name_com(s));
    for (int i = 0; i < 6; i++)
        RI_TRY(ri_sim_name_value(s, "energy", energy[i], i < 5 ? "J" : "", energy_doc[i], RI_VALUE_OUTPUT,
                                 s->energy_out + i, RI_VALUE_REAL, false));
    RI_FORCES_TRY(&s->present, name_values, s);
    if (s->method->name)
        RI_TRY(s->method->name(s));
    if (s->switchable)
        RI_TRY(ri_drive_name(s));
    RI_TRY(ri_devices_name(s));
    RI_TRY(ri_validity_name(s));
    RI_TRY(ri_sim_name_ground(s));
    return ri_sim_name_sun(s);
}

static void update_base(RiSim *s)
{
    const int root = s->m->link_order[0];
    const RiVec3 p = ri_dyn_frame_position(s->d, root);
    const RiSpatial v = ri_dyn_frame_velocity(s->d, root);
    const double place[3] = {p.x, p.y, p.z};
    const double rates[6] = {v.lin.x, v.lin.y, v.lin.z, v.ang.x, v.ang.y, v.ang.z};
    memcpy(s->base_out, place, sizeof place);
    memcpy(s->base_out + 6, rates, sizeof rates);
}

static void update_attitude(RiSim *s)
{
    const RiPose x = ri_dyn_frame_pose(s->d, s->m->link_order[0]);
    const RiVec3 rpy = ri_add(ri_mat3_to_rpy(&x.R), ri_vec3(0.0, 0.0, 0.0)); // no negative zeros
    const double out[3] = {rpy.x, rpy.y, rpy.z};
    memcpy(s->base_out + 3, out, sizeof out);
}

void ri_sim_take_base(RiSim *s)
{
    double want[12];
    memcpy(want, s->base_out, sizeof want);
    if (!may_be_placed(s) || s->stale & (RI_OUTPUTS_BASE | RI_OUTPUTS_ATTITUDE))
        return;
    update_base(s); // of d, which is where the base was before
    update_attitude(s);
    const double *is = s->base_out;
    if (memcmp(want, is, sizeof want) == 0)
        return;
    const RiJointInfo base = ri_model_joint(s->m, ri_model_joint_count(s->m) - 1);
    double *q = s->q + base.q_index, *v = s->v + base.v_index;
    const bool turned = memcmp(want + 3, is + 3, 3 * sizeof *want) != 0;
    const bool spun = turned || memcmp(want + 9, is + 9, 3 * sizeof *want) != 0;
    const RiMat3 R = ri_mat3_rpy(want[3], want[4], want[5]);
    for (int k = 0; k < 3; k++) {
        q[k] = want[k] != is[k] ? want[k] : q[k];
        v[k] = want[6 + k] != is[6 + k] ? want[6 + k] : v[k];
    }
    if (turned) {
        const RiQuat o = ri_quat_from_mat3(&R);
        q[3] = o.w, q[4] = o.x, q[5] = o.y, q[6] = o.z;
    }
    if (spun) {
        const RiVec3 w = ri_rotate_back(&R, ri_vec3(want[9], want[10], want[11]));
        v[3] = w.x, v[4] = w.y, v[5] = w.z;
    }
}

static void update_com(RiSim *s)
{
    const double mass = ri_model_mass(s->m);
    const RiVec3 p = ri_dyn_com(s->d), v = ri_scale(mass > 0.0 ? 1.0 / mass : 0.0, ri_dyn_momentum(s->d).lin);
    const double out[6] = {p.x, p.y, p.z, v.x, v.y, v.z};
    memcpy(s->com_out, out, sizeof out);
}

/// What a first-order method itself took out: conservative forces at mean velocities against the
/// change of their potential, and inertia at the configurations of the steps against the change of
/// kinetic energy. Both fall with the step.
static double method_energy(const RiSim *s, double kinetic, double potential)
{
    if (!s->method->first_order)
        return 0.0;
    return (s->head->start_potential - potential - s->head->conservative) +
           (s->head->start_kinetic - kinetic + s->head->inertial);
}

RiEnergy ri_sim_energy(const RiSim *s)
{
    RiEnergy e = {.start = s->head->start_energy, .work = s->head->work, .dissipated = s->head->dissipated};
    const bool stale = s->stale & RI_OUTPUTS_ENERGY;
    e.kinetic = stale ? ri_dyn_kinetic_energy(s->d) : s->energy_out[0];
    const double pressed = s->head->contact_stored; // its books are kept apart: see close_books in sim.c
    e.potential = stale ? ri_dyn_potential_energy(s->d) + ri_sim_potential(s) + pressed : s->energy_out[1];
    e.method = method_energy(s, e.kinetic, e.potential - pressed);
    if (s->method->prescribes) // whatever moves the robot does the work
        e.work = e.kinetic + e.potential - e.start;
    const double turned = fabs(e.kinetic) + fabs(e.potential - e.start) + fabs(e.work) + e.dissipated;
    e.scale = fmax(turned, s->head->energy_scale);
    return e;
}

static void update_energy(RiSim *s)
{
    const RiEnergy e = ri_sim_energy(s);
    const double out[6] = {e.kinetic, e.potential, e.work, e.dissipated, e.method, ri_energy_residual(&e)};
    memcpy(s->energy_out, out, sizeof out);
    if (!s->method->first_order) // first-order methods keep it step by step, whoever looks
        s->head->energy_scale = e.scale;
}

/// Computes those of `which` that are stale.
static void update(RiSim *s, unsigned which)
{
    const unsigned due = s->stale & which;
    if (due & RI_OUTPUTS_BASE)
        update_base(s);
    if (due & RI_OUTPUTS_ATTITUDE)
        update_attitude(s);
    if (due & RI_OUTPUTS_COM)
        update_com(s);
    if (due & RI_OUTPUTS_ENERGY)
        update_energy(s);
    if (due & RI_OUTPUTS_REST) { // about the base
        ri_sim_update_ground(s);
        ri_sim_update_sun(s);
    }
    s->stale &= ~due;
}

void ri_sim_update_outputs(RiSim *s)
{
    update(s, RI_OUTPUTS_ALL);
}
