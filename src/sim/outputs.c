// SPDX-License-Identifier: Apache-2.0
/// \file
/// The named values of a simulation, and the outputs among them.
#include <stdio.h>
#include <string.h>

#include "sim/internal.h"

static const char *const base_names[12] = {"x",  "y",  "z",  "roll",   "pitch",  "yaw",
                                           "vx", "vy", "vz", "rate_x", "rate_y", "rate_z"};

/// Whether a value is computed only when somebody looks.
static bool is_derived(const RiSim *s, const void *at)
{
    const double *x = at;
    return (x >= s->base_out && x < s->base_out + 12) || (x >= s->com_out && x < s->com_out + 6) ||
           (x >= s->energy_out && x < s->energy_out + 6);
}

/// Adds one value under a dotted name.
static RiStatus name_value(RiSim *s, const char *owner, const char *what, const char *unit, const char *doc,
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

static RiStatus name_joint(RiSim *s, const RiBodyData *b, int k)
{
    static const char *const suffix[6] = {"1", "2", "3", "4", "5", "6"};
    const RiJointSpec *joint = &s->m->joints[b->joint].spec;
    const bool slide = joint->type == RI_JOINT_PRISMATIC;
    const char *x = slide ? "m" : "rad", *v = slide ? "m/s" : "rad/s", *a = slide ? "m/s^2" : "rad/s^2";
    const char *f = slide ? "N" : "N*m";
    char owner[400];
    snprintf(owner, sizeof owner, b->ns > 1 ? "%.380s.%s" : "%.380s", joint->name, suffix[k]);
    const int q = s->m->joints[b->joint].q, vel = s->m->joints[b->joint].v;
    // Independent coordinates are the state itself and can be set; the others are outputs, where the dynamics has them.
    const bool free_q = q >= 0 && vel >= 0, free_v = vel >= 0;
    if (b->ns == b->nq)
        RI_TRY(name_value(s, owner, "position", x, "joint position", free_q ? RI_VALUE_STATE : RI_VALUE_OUTPUT,
                          free_q ? s->q + q + k : s->d->jq + b->sq + k, RI_VALUE_REAL, free_q));
    RI_TRY(name_value(s, owner, "velocity", v, "joint velocity", free_v ? RI_VALUE_STATE : RI_VALUE_OUTPUT,
                      free_v ? s->v + vel + k : s->d->js + b->s + k, RI_VALUE_REAL, free_v));
    RI_TRY(name_value(s, owner, "acceleration", a, "joint acceleration", RI_VALUE_OUTPUT, s->accel_s + b->s + k,
                      RI_VALUE_REAL, false));
    RI_TRY(name_value(s, owner, "effort", f, "effort acting on the joint: devices, servo, springs, friction, stops",
                      RI_VALUE_OUTPUT, s->load.tau + b->s + k, RI_VALUE_REAL, false));
    return name_value(s, owner, "command", f, "effort commanded from outside", RI_VALUE_INPUT, s->effort + b->s + k,
                      RI_VALUE_REAL, true);
}

/// What a device on a group of joints wants of one of them.
static RiStatus name_group_joint(RiSim *s, const RiDeviceSlot *slot, int k)
{
    static const char *const docs[3] = {"reference", "rate of the reference", "feed-forward"};
    static const char *const names[3] = {"position", "rate", "effort"};
    const RiJointData *joint = &s->m->joints[slot->group[k].joint];
    const bool slide = joint->spec.type == RI_JOINT_PRISMATIC;
    const char *const units[3] = {slide ? "m" : "rad", slide ? "m/s" : "rad/s", slide ? "N" : "N*m"};
    RiGroupCommand *at = (RiGroupCommand *)(s->ports + slot->port + slot->device->port_count) + k;
    double *const from[3] = {&at->position, &at->rate, &at->effort};
    char owner[800];
    snprintf(owner, sizeof owner, "%.300s.%.380s", slot->name, joint->spec.name);
    for (int i = 0; i < 3; i++)
        RI_TRY(name_value(s, owner, names[i], units[i], docs[i], RI_VALUE_OUTPUT, from[i], RI_VALUE_REAL, false));
    return RI_OK;
}

/// Whether a device has a rotating shaft of its own, whatever the joint does.
static bool has_shaft(const RiDeviceClass *device)
{
    for (int k = 0; k < device->port_count; k++)
        if (strcmp(device->ports[k].name, "gear_ratio") == 0)
            return true;
    return false;
}

/// Writes the unit of a port of a device on a joint that slides: where classes say rad and N m, it is m and N.
static const char *sliding_unit(const char *unit, char out[64])
{
    size_t n = 0;
    for (const char *at = unit; *at && n + 2 < 64;) {
        const bool moment = strncmp(at, "N*m", 3) == 0, angle = strncmp(at, "rad", 3) == 0;
        out[n++] = (char)(moment ? 'N' : angle ? 'm' : *at);
        at += moment || angle ? 3 : 1;
    }
    out[n] = '\0';
    return out;
}

/// The unit of a port, by the type of the joint that its device is attached to.
static const char *port_unit(const RiSim *s, const RiDeviceSlot *slot, const RiPort *port, char out[64])
{
    const int joint =
        slot->attach && slot->device->attach == RI_ATTACH_JOINT ? ri_model_find_joint(s->m, slot->attach) : -1;
    const bool slides = joint >= 0 && s->m->joints[joint].spec.type == RI_JOINT_PRISMATIC;
    const bool own = port->action == RI_PORT_NONE && has_shaft(slot->device);
    return slides && !own && port->unit ? sliding_unit(port->unit, out) : port->unit;
}

static RiStatus name_device(RiSim *s, int index)
{
    const RiDeviceSlot *slot = &s->devices[index];
    for (int k = 0; k < slot->group_count; k++)
        RI_TRY(name_group_joint(s, slot, k));
    for (int k = 0; k < slot->device->port_count; k++) {
        const RiPort *port = &slot->device->ports[k];
        char name[512], unit[64];
        snprintf(name, sizeof name, "%.300s.%.180s", slot->name, port->name);
        RiValue v = ri_value_default();
        v.name = name;
        v.unit = port_unit(s, slot, port, unit);
        v.doc = port->doc;
        v.kind = port->kind;
        v.at = s->ports + slot->port + k;
        v.writable = port->kind == RI_VALUE_PARAMETER || port->kind == RI_VALUE_INPUT;
        if (v.writable) {
            v.low = port->low;
            v.high = port->high;
        }
        RI_TRY(ri_values_add(s->values, &v));
    }
    return name_value(s, slot->name, "active", "", "1: updated at its rate; 0: asleep, outputs held",
                      RI_VALUE_PARAMETER, s->active + index, RI_VALUE_REAL, true);
}

static RiStatus name_spring(RiSim *s, RiSpringSlot *x)
{
    RI_TRY(name_value(s, x->name, "stiffness", "N/m", "spring constant", RI_VALUE_PARAMETER, &x->stiffness,
                      RI_VALUE_REAL, true));
    RI_TRY(name_value(s, x->name, "damping", "N*s/m", "damper constant", RI_VALUE_PARAMETER, &x->damping, RI_VALUE_REAL,
                      true));
    RI_TRY(name_value(s, x->name, "rest_length", "m", "unstretched length", RI_VALUE_PARAMETER, &x->length,
                      RI_VALUE_REAL, true));
    RI_TRY(name_value(s, x->name, "attached", "", "1: it acts; 0: released", RI_VALUE_PARAMETER,
                      x->out + RI_SPRING_ATTACHED, RI_VALUE_REAL, true));
    RI_TRY(name_value(s, x->name, "force", "N", "pull on the link, positive towards the anchor", RI_VALUE_OUTPUT,
                      x->out, RI_VALUE_REAL, false));
    return name_value(s, x->name, "length", "m", "distance from the anchor", RI_VALUE_OUTPUT, x->out + 1, RI_VALUE_REAL,
                      false);
}

static RiStatus name_base(RiSim *s)
{
    static const char *const units[12] = {"m",   "m",   "m",   "rad",   "rad",   "rad",
                                          "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};
    for (int i = 0; i < 12; i++)
        RI_TRY(name_value(s, "base", base_names[i], units[i],
                          i < 3   ? "position of the root link in the world"
                          : i < 6 ? "attitude of the root link (fixed-axis roll, pitch, yaw)"
                          : i < 9 ? "velocity of the root link's origin, world axes"
                                  : "angular velocity of the root link, world axes",
                          RI_VALUE_OUTPUT, s->base_out + i, RI_VALUE_REAL, false));
    return RI_OK;
}

static RiStatus name_com(RiSim *s)
{
    static const char *const names[6] = {"x", "y", "z", "vx", "vy", "vz"};
    for (int i = 0; i < 6; i++)
        RI_TRY(name_value(s, "com", names[i], i < 3 ? "m" : "m/s",
                          i < 3 ? "centre of mass of the robot in the world" : "its velocity, world axes",
                          RI_VALUE_OUTPUT, s->com_out + i, RI_VALUE_REAL, false));
    return RI_OK;
}

/// Somebody looks at a derived value.
static void look(void *user)
{
    ri_sim_update_outputs(user);
}

/// Somebody is about to write a value that is no input: what the energies were before is needed to book what that does.
static void change(void *user)
{
    RiSim *s = user;
    if (s->started)
        ri_sim_update_outputs(s);
    s->touched = true;
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
    RI_TRY(name_value(s, NULL, "time", "s", "simulated time", RI_VALUE_OUTPUT, &s->head->time, RI_VALUE_REAL, false));
    RI_TRY(name_value(s, "gravity", "x", "m/s^2", "gravity, world axes", RI_VALUE_PARAMETER, &s->options.gravity.x,
                      RI_VALUE_REAL, true));
    RI_TRY(name_value(s, "gravity", "y", "m/s^2", "gravity, world axes", RI_VALUE_PARAMETER, &s->options.gravity.y,
                      RI_VALUE_REAL, true));
    RI_TRY(name_value(s, "gravity", "z", "m/s^2", "gravity, world axes", RI_VALUE_PARAMETER, &s->options.gravity.z,
                      RI_VALUE_REAL, true));
    RI_TRY(name_base(s));
    RI_TRY(name_com(s));
    for (int i = 0; i < 6; i++)
        RI_TRY(name_value(s, "energy", energy[i], i < 5 ? "J" : "", energy_doc[i], RI_VALUE_OUTPUT, s->energy_out + i,
                          RI_VALUE_REAL, false));
    for (int i = 0; i < s->m->nb; i++) {
        const RiBodyData *b = &s->m->bodies[i];
        if (s->m->joints[b->joint].parent_link < 0)
            continue; // the base has its own names
        for (int k = 0; k < b->ns; k++)
            RI_TRY(name_joint(s, b, k));
    }
    for (int i = 0; i < s->device_count; i++)
        RI_TRY(name_device(s, i));
    for (int i = 0; i < s->spring_count; i++)
        RI_TRY(name_spring(s, &s->springs[i]));
    for (int i = 0; i < s->validity_count; i++)
        RI_TRY(name_value(s, "validity", s->validity_slots[i].name, "", s->validity_slots[i].text, RI_VALUE_OUTPUT,
                          &s->validity[i].count, RI_VALUE_INT, false));
    RI_TRY(ri_sim_name_contacts(s));
    RI_TRY(ri_sim_name_moreau(s));
    RI_TRY(ri_sim_name_events(s));
    RI_TRY(ri_sim_name_soil(s));
    RI_TRY(ri_sim_name_drive(s));
    RI_TRY(ri_sim_name_melt(s));
    RI_TRY(ri_sim_name_ground(s));
    return ri_sim_name_sun(s);
}

static void update_base(RiSim *s)
{
    const int root = s->m->link_order[0];
    const RiPose x = ri_dyn_frame_pose(s->d, root);
    const RiSpatial v = ri_dyn_frame_velocity(s->d, root);
    const RiVec3 rpy = ri_add(ri_mat3_to_rpy(&x.R), ri_vec3(0.0, 0.0, 0.0)); // no negative zeros
    const double out[12] = {x.p.x,   x.p.y,   x.p.z,   rpy.x,   rpy.y,   rpy.z,
                            v.lin.x, v.lin.y, v.lin.z, v.ang.x, v.ang.y, v.ang.z};
    memcpy(s->base_out, out, sizeof out);
}

static void update_com(RiSim *s)
{
    const double mass = ri_model_mass(s->m);
    const RiVec3 p = ri_dyn_com(s->d), v = ri_scale(mass > 0.0 ? 1.0 / mass : 0.0, ri_dyn_momentum(s->d).lin);
    const double out[6] = {p.x, p.y, p.z, v.x, v.y, v.z};
    memcpy(s->com_out, out, sizeof out);
}

bool ri_sim_is_first_order(const RiSim *s)
{
    return s->options.method == RI_METHOD_IMPLICIT || s->options.method == RI_METHOD_SEMI_IMPLICIT ||
           s->options.method == RI_METHOD_MOREAU;
}

/// What a first-order method itself took out: conservative forces at mean velocities against the change of their potential, and inertia at
/// the configurations of the steps against the change of kinetic energy. Both fall with the step.
static double method_energy(const RiSim *s, double kinetic, double potential)
{
    if (!ri_sim_is_first_order(s))
        return 0.0;
    return (s->head->start_potential - potential - s->head->conservative) +
           (s->head->start_kinetic - kinetic + s->head->inertial);
}

RiEnergy ri_sim_energy(const RiSim *s)
{
    RiEnergy e = {.start = s->head->start_energy, .work = s->head->work, .dissipated = s->head->dissipated};
    e.kinetic = s->stale ? ri_dyn_kinetic_energy(s->d) : s->energy_out[0];
    const double pressed = s->head->contact_stored; // its books are kept apart: see ri_sim_book_contacts
    e.potential = s->stale ? ri_dyn_potential_energy(s->d) + ri_sim_spring_energy(s) + pressed : s->energy_out[1];
    e.method = method_energy(s, e.kinetic, e.potential - pressed);
    if (s->options.method == RI_METHOD_KINEMATIC) // whatever moves the robot does the work
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
    if (!ri_sim_is_first_order(s)) // first-order methods keep it step by step, whoever looks
        s->head->energy_scale = e.scale;
}

void ri_sim_update_outputs(RiSim *s)
{
    if (!s->stale)
        return;
    update_base(s);
    update_com(s);
    update_energy(s);
    ri_sim_update_ground(s);
    ri_sim_update_sun(s);
    s->stale = false;
}

int ri_sim_spring_count(const RiSim *s)
{
    return s->spring_count;
}

RiSpringInfo ri_sim_spring(const RiSim *s, int spring)
{
    const RiSpringSlot *x = &s->springs[spring];
    const RiPose pose = ri_dyn_frame_pose(s->d, x->link);
    const RiVec3 point = ri_pose_point(&pose, x->point);
    return (RiSpringInfo){x->name, point, x->anchor, x->out[0], ri_norm(ri_sub(point, x->anchor))};
}
