// SPDX-License-Identifier: Apache-2.0
/// \file
/// Devices in a simulation: attachments, connections, updates, and what their outputs do to the
/// joints.
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "contact/stance.h"
#include "sim/devices.h"
#include "sim/force/joints.h"
#include "sim/sun.h"

static RiStatus device_error(RiSim *s, const RiDeviceSlot *x, RiStatus status, const char *text, const char *detail)
{
    char at[300] = "";
    if (x->source.file)
        snprintf(at, sizeof at, "%.280s:%d: ", x->source.file, x->source.line);
    return ri_error(s->ctx, status, "%sdevice '%s' (%s): %s%s", at, x->name, x->device->name, text, detail);
}

/// Standard normal number k of an update: a pure function of seed, update and k.
static double normal(const RiDeviceCall *call, int k)
{
    RiRng rng = {.key = call->seed, .counter = (call->update << 20) + (unsigned long long)k * 256};
    return ri_rng_normal(&rng);
}

static double above_ground(const RiDeviceCall *call, RiVec3 point)
{
    return ri_sim_above_ground(call->world, point);
}

static double ground_ray(const RiDeviceCall *call, RiVec3 origin, RiVec3 direction, double most)
{
    const RiSim *s = call->world;
    RiTerrainHit hit;
    return ri_terrain_ray(s->terrain, origin, direction, most, &hit) ? hit.range : INFINITY;
}

static double ground_height(const RiDeviceCall *call, RiVec3 point, int *out_material)
{
    RiHeight h;
    if (!ri_sim_ground_below(call->world, point, &h) || (h.flags & RI_SURFACE_OUTSIDE))
        return NAN;
    if (out_material)
        *out_material = h.material;
    return h.z;
}

static int see(const RiDeviceCall *call, int kind, int sensor, RiVec3 *out_points, int room)
{
    const RiSim *s = call->world;
    return s->devices->see(s->devices->see_user, kind, sensor, out_points, room);
}

/// Keeps the memory of the device that is updated, once in a tick.
static void keep_memory(const RiDeviceCall *call)
{
    const RiSim *s = call->world;
    s->devices->is_hashed = false;
    for (int i = 0; i < s->devices->count; i++) {
        RiDeviceSlot *x = &s->devices->slots[i];
        if (x->memory_size == 0 || call->memory != s->devices->memory + x->memory || x->is_kept)
            continue;
        memcpy(x->memory_kept, call->memory, x->memory_size);
        x->is_kept = true;
    }
}

/// What a device is attached to, by name.
static RiStatus attach(RiSim *s, RiDeviceSlot *x)
{
    static const char *const needs[] = {[RI_ATTACH_NONE] = "",
                                        [RI_ATTACH_JOINT] = "needs a joint",
                                        [RI_ATTACH_FRAME] = "needs a frame",
                                        [RI_ATTACH_WRENCH] = "needs a joint",
                                        [RI_ATTACH_JOINTS] = "needs a group of joints"};
    if (!x->attach && x->device->attach != RI_ATTACH_NONE)
        return device_error(s, x, RI_ERR_ARGUMENT, needs[x->device->attach], "");
    switch (x->device->attach) {
    case RI_ATTACH_NONE:
    case RI_ATTACH_JOINTS: // found when it was added: the size of the state depends on it
        return RI_OK;
    case RI_ATTACH_FRAME:
        x->frame = ri_model_find_frame(s->m, x->attach);
        return x->frame >= 0 ? RI_OK : device_error(s, x, RI_ERR_NOT_FOUND, "there is no link or frame ", x->attach);
    case RI_ATTACH_JOINT:
    case RI_ATTACH_WRENCH:
        break;
    }
    x->joint = ri_model_find_joint(s->m, x->attach);
    if (x->joint < 0)
        return device_error(s, x, RI_ERR_NOT_FOUND, "there is no joint ", x->attach);
    if (x->device->attach == RI_ATTACH_WRENCH)
        return RI_OK;
    const int body = s->m->joints[x->joint].body;
    if (body < 0 || s->m->bodies[body].ns != 1)
        return device_error(s, x, RI_ERR_ARGUMENT, "needs a joint that moves in one coordinate, not ", x->attach);
    x->spanning = s->m->bodies[body].s;
    return RI_OK;
}

/// Number of an input by its name, -1.
static int find_input(const RiDeviceClass *device, const char *name)
{
    for (int port = 0; port < device->port_count; port++)
        if (strcmp(device->ports[port].name, name) == 0)
            return device->ports[port].kind == RI_VALUE_INPUT ? port : -1;
    return -1;
}

static RiStatus connect(RiSim *s, RiDeviceSlot *x, RiDeviceRun *run)
{
    RiWire *wires = ri_arena_alloc(&s->arena, (size_t)x->connection_count + 1, sizeof *wires);
    if (!wires)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < x->connection_count; i++) {
        const int port = find_input(x->device, x->inputs[i]);
        if (port < 0)
            return device_error(s, x, RI_ERR_NOT_FOUND, "has no input ", x->inputs[i]);
        x->connected[port] = true;
        wires[i] = (RiWire){s->devices->ports + x->port + port, ri_values_find(s->values, x->sources[i])};
        if (wires[i].value < 0)
            return device_error(s, x, RI_ERR_NOT_FOUND, "is connected to a value that does not exist: ", x->sources[i]);
    }
    run->wires = wires;
    run->wire_count = x->connection_count;
    return RI_OK;
}

/// The thread of a screw on a link, as the contacts know it.
static void find_thread(const RiSim *s, int link, RiGroupJoint *out)
{
    for (int i = 0; s->contacts && i < s->contacts->feature_count; i++) {
        const RiFeature *f = &s->contacts->features[i];
        if (f->link != link || f->lead_tan == 0.0)
            continue;
        const RiVec3 arm = ri_sub(f->centre, f->hub); // of points on the edge of the thread
        out->thread_radius = f->radius > 0.0 ? f->radius : ri_norm(ri_cross(f->axis, arm));
        out->thread_lead = 2.0 * M_PI * out->thread_radius * f->lead_tan;
        out->thread_axis = f->axis;
        return;
    }
}

/// Radius of the wheel on a link, as the contacts or the stance know it.
static double find_wheel(const RiSim *s, int link)
{
    double radius = 0.0;
    for (int i = 0; s->contacts && i < s->contacts->feature_count; i++)
        if (s->contacts->features[i].link == link && s->contacts->features[i].width > 0.0)
            radius = fmax(radius, s->contacts->features[i].radius);
    for (int i = 0; s->stance && radius == 0.0 && i < s->stance->wheel_count; i++)
        if (s->stance->wheels[i].link == link)
            radius = s->stance->wheels[i].radius;
    return radius;
}

/// What never changes of the joints of a group.
static RiStatus resolve_group(RiSim *s, const RiDeviceSlot *x, RiDeviceRun *run)
{
    if (x->device->attach != RI_ATTACH_JOINTS)
        return RI_OK;
    run->joints = ri_arena_alloc(&s->arena, (size_t)x->group_count, sizeof *run->joints);
    if (!run->joints)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < x->group_count; i++) {
        const RiJointData *joint = &s->m->joints[x->group[i].joint];
        const RiJointSpec *spec = &joint->spec;
        run->joints[i] = (RiGroupJoint){.name = spec->name,
                                        .axis = ri_scale(1.0 / ri_norm(spec->axis), spec->axis),
                                        .lower = spec->has_limits ? spec->lower : -INFINITY,
                                        .upper = spec->has_limits ? spec->upper : INFINITY,
                                        .max_rate = spec->velocity};
        find_thread(s, joint->child_link, &run->joints[i]);
        run->joints[i].wheel_radius = find_wheel(s, joint->child_link);
    }
    return RI_OK;
}

/// How the joints of a group stand and move.
static void see_group(const RiSim *s, const RiDeviceRun *run, RiDeviceCall *call)
{
    const RiDeviceSlot *x = run->slot;
    for (int i = 0; i < x->group_count; i++) {
        const RiJointData *joint = &s->m->joints[x->group[i].joint];
        const RiBodyData *b = &s->m->bodies[joint->body];
        run->joints[i].position = s->d->jq[b->sq];
        run->joints[i].velocity = s->d->js[b->s];
        run->joints[i].effort = s->joints->load.tau[b->s];
        run->joints[i].pose = ri_dyn_frame_pose(s->d, joint->child_link);
    }
    call->joints = run->joints;
    call->commands = (RiGroupCommand *)(run->x + x->device->port_count);
    call->joint_count = x->group_count;
    call->table = x->table;
    call->table_rows = x->table_rows;
    call->table_columns = x->table_columns;
    call->frame_pose = ri_dyn_frame_pose(s->d, s->m->link_order[0]);
    call->frame_velocity = ri_dyn_frame_velocity(s->d, s->m->link_order[0]);
}

/// First port that an update changes: parameters are before it, and inputs that nothing is
/// connected to.
static int first_changed(const RiDeviceSlot *x)
{
    const RiPort *port = x->device->ports, *end = port + x->device->port_count;
    while (port < end &&
           (port->kind == RI_VALUE_PARAMETER || (port->kind == RI_VALUE_INPUT && x->connection_count == 0)))
        port++;
    return (int)(port - x->device->ports);
}

/// Puts together what the updates need.
static void resolve(RiSim *s, int index, RiDeviceRun *run)
{
    const RiDeviceSlot *x = &s->devices->slots[index];
    run->slot = x;
    run->connected = x->connection_count > 0 ? x->connected : NULL;
    run->seed = x->seed;
    run->update = x->device->update;
    run->x = s->devices->ports + x->port;
    run->first = first_changed(x);
    run->count = x->device->port_count - run->first + x->group_count * (int)(sizeof(RiGroupCommand) / sizeof(double));
    run->kept = index > 0 ? run[-1].kept + run[-1].count : s->devices->kept_ports;
    run->dt = x->period * s->options.tick;
    run->active = s->devices->active + index;
    run->updates = s->devices->updates + x->counter;
    run->period = x->period;
    run->placed = x->frame >= 0 || x->device->attach == RI_ATTACH_WRENCH;
    run->s = x->spanning;
    run->sq = x->spanning >= 0 ? s->m->bodies[s->m->joints[x->joint].body].sq : -1;
    if (run->s >= 0)
        s->devices->seats[index] = (RiDeviceSeat){run->x, run->connected, s->d->jq + run->sq, s->d->js + run->s};
    s->devices->sees_frames |= x->device->attach == RI_ATTACH_FRAME;
    s->devices->sees_wrenches |= x->device->attach == RI_ATTACH_WRENCH;
}

/// Whether a class has an update of several at once.
static bool has_update_all(const RiDeviceClass *device)
{
    return device->abi >= 4 && device->update_all && device->attach == RI_ATTACH_JOINT;
}

/// Whether one of the inputs of `b` is connected to a port between that of `a` and its own.
static bool reads_between(const RiSim *s, const RiDeviceRun *a, const RiDeviceRun *b)
{
    for (int i = 0; i < b->wire_count; i++) {
        const double *from = ri_values_get(s->values, b->wires[i].value)->at;
        if (from >= a->x && from < b->x + b->slot->device->port_count)
            return true;
    }
    return false;
}

static bool is_alike(const RiDeviceRun *a, const RiDeviceRun *b)
{
    return a->slot->device == b->slot->device && a->period == b->period && (a->wire_count > 0) == (b->wire_count > 0);
}

/// Finds devices that follow each other, are of one class and rate, and do not read from each
/// other: they can be updated at once.
static void find_together(RiSim *s)
{
    for (int i = 0; i < s->devices->count; i += s->devices->runs[i].together) {
        const RiDeviceRun *a = &s->devices->runs[i];
        int n = 1;
        while (has_update_all(a->slot->device) && i + n < s->devices->count && is_alike(a, a + n) &&
               !reads_between(s, a, a + n))
            n++;
        for (int k = 0; k < n; k++)
            s->devices->runs[i + k].together = n - k;
    }
}

/// What the updates of one tick have in common.
static RiDeviceCall begin_calls(RiSim *s)
{
    return (RiDeviceCall){.time = s->head->time,
                          .gravity = s->options.gravity,
                          .above_ground = s->terrain ? above_ground : NULL,
                          .ground_ray = s->terrain ? ground_ray : NULL,
                          .ground_height = s->terrain ? ground_height : NULL,
                          .see = s->devices->see ? see : NULL,
                          .keep_memory = keep_memory,
                          .world = s,
                          .prescribed = s->method->prescribes || ri_drive_is_on(s),
                          .normal = normal,
                          .sun = s->devices->sees_frames ? ri_sim_sun_direction(s) : s->sun->from};
}

/// Where a frame is and how it moves, or what a joint carries.
static void place(RiSim *s, const RiDeviceSlot *x, RiDeviceCall *call)
{
    if (x->frame >= 0) {
        call->frame_pose = ri_dyn_frame_pose(s->d, x->frame);
        call->frame_velocity = ri_dyn_frame_velocity(s->d, x->frame);
        call->frame_acceleration = ri_dyn_frame_acceleration(s->d, x->frame);
    }
    if (x->device->attach == RI_ATTACH_WRENCH) {
        const RiSpatial w = ri_dyn_joint_wrench(s->d, x->joint);
        const RiMat3 R = ri_dyn_frame_pose(s->d, s->m->joints[x->joint].child_link).R;
        call->wrench = (RiSpatial){ri_rotate_back(&R, w.ang), ri_rotate_back(&R, w.lin)};
    }
}

/// Fills in what an update sees.
static inline void prepare(RiSim *s, const RiDeviceRun *run, RiDeviceCall *call)
{
    call->dt = run->dt;
    call->x = run->x;
    call->connected = run->connected;
    call->name = run->slot->name;
    call->user = run->slot->device->abi >= 6 ? run->slot->device->user : NULL;
    call->trouble = NULL;
    call->map = run->slot->map;
    call->seed = run->seed;
    call->update = (unsigned long long)*run->updates;
    if (run->slot->memory_size + run->slot->scratch_size > 0) {
        call->memory = s->devices->memory + run->slot->memory;
        call->scratch = run->slot->scratch;
    }
    if (run->s >= 0) {
        call->joint_position = s->d->jq[run->sq];
        call->joint_velocity = s->d->js[run->s];
        call->joint_acceleration = s->accel_s[run->s];
        call->joint_effort = s->joints->load.tau[run->s];
    }
    if (run->placed)
        place(s, run->slot, call);
    if (run->joints)
        see_group(s, run, call);
}

/// Lists the outputs that act on joints, and where they go.
static RiStatus list_actions(RiSim *s)
{
    double *const target[] = {NULL,
                              s->joints->held,
                              s->joints->servo_k,
                              s->joints->servo_d,
                              s->joints->servo_q,
                              s->joints->servo_v,
                              s->joints->servo_max};
    s->devices->actions = ri_arena_alloc(&s->arena, (size_t)s->devices->port_total + 1, sizeof *s->devices->actions);
    if (!s->devices->actions)
        return ri_error_memory(s->ctx);
    s->devices->action_count = 0;
    for (int i = 0; i < s->devices->count; i++) {
        const RiDeviceSlot *x = &s->devices->slots[i];
        for (int k = 0; x->spanning >= 0 && k < x->device->port_count; k++) {
            const RiPortAction action = x->device->ports[k].action;
            if (action != RI_PORT_NONE)
                s->devices->actions[s->devices->action_count++] =
                    (RiActionSlot){s->devices->ports + x->port + k, target[action] + x->spanning, false};
        }
    }
    for (int i = 0; i < s->devices->action_count;
         i++) // the first at a place sets it, later ones add: a servo has one device
        for (int k = 0; k < i && !s->devices->actions[i].adds; k++)
            s->devices->actions[i].adds = s->devices->actions[k].to == s->devices->actions[i].to;
    return RI_OK;
}

/// Hands the devices' outputs to the joints; efforts of several devices add up.
static void act(RiSim *s)
{
    for (const RiActionSlot *x = s->devices->actions, *end = x + s->devices->action_count; x < end; x++)
        *x->to = x->adds ? *x->to + *x->from : *x->from;
}

/// Whether a device is updated at this tick.
static bool is_due(const RiSim *s, const RiDeviceRun *run)
{
    return *run->active != 0.0 && (run->period == 1 || s->head->tick % run->period == 0);
}

/// True if an update due at this tick sees what the argument names.
static bool wanted(const RiSim *s, RiAttach attach)
{
    for (int i = 0; i < s->devices->count; i++)
        if (s->devices->slots[i].device->attach == attach && is_due(s, &s->devices->runs[i]))
            return true;
    return false;
}

/// Accelerations and wrenches at this instant, for the sensors that see them.
static RiStatus refresh_motion(RiSim *s)
{
    const bool wrench = s->devices->sees_wrenches && wanted(s, RI_ATTACH_WRENCH);
    if (!wrench && !(s->devices->sees_frames && wanted(s, RI_ATTACH_FRAME)))
        return RI_OK;
    RI_TRY(ri_sim_accelerate(s));
    return wrench ? ri_dyn_update_wrenches(s->d, s->joints->load.tau) : RI_OK;
}

static bool has_servo_ports(const RiDeviceClass *device)
{
    for (int k = 0; k < device->port_count; k++)
        if (device->ports[k].action > RI_PORT_EFFORT)
            return true;
    return false;
}

/// A joint has one servo: a second device that would set it is refused.
static RiStatus check_servo(RiSim *s, int index)
{
    const RiDeviceSlot *x = &s->devices->slots[index];
    for (int i = 0; i < index && x->spanning >= 0 && has_servo_ports(x->device); i++)
        if (s->devices->slots[i].spanning == x->spanning && has_servo_ports(s->devices->slots[i].device))
            return device_error(s, x, RI_ERR_ARGUMENT, "its joint's servo is already set by device ",
                                s->devices->slots[i].name);
    return RI_OK;
}

RiStatus ri_sim_start_devices(RiSim *s)
{
    s->devices->runs = ri_arena_alloc(&s->arena, (size_t)s->devices->count + 1, sizeof *s->devices->runs);
    s->devices->seats = ri_arena_alloc(&s->arena, (size_t)s->devices->count + 1, sizeof *s->devices->seats);
    s->devices->kept_ports =
        ri_arena_alloc(&s->arena, (size_t)s->devices->port_total + 1, sizeof *s->devices->kept_ports);
    if (!s->devices->runs || !s->devices->seats || !s->devices->kept_ports)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < s->devices->count; i++) {
        RI_TRY(attach(s, &s->devices->slots[i]));
        RI_TRY(connect(s, &s->devices->slots[i], &s->devices->runs[i]));
        RI_TRY(check_servo(s, i));
        RI_TRY(resolve_group(s, &s->devices->slots[i], &s->devices->runs[i]));
        resolve(s, i, &s->devices->runs[i]);
    }
    find_together(s);
    RI_TRY(list_actions(s));
    RI_TRY(ri_dyn_update_wrenches(s->d, s->joints->load.tau));
    for (int i = 0; i < s->devices->count; i++) {
        const RiDeviceSlot *x = &s->devices->slots[i];
        RiDeviceCall call = begin_calls(s);
        prepare(s, &s->devices->runs[i], &call);
        const char *wrong = x->device->start ? x->device->start(&call) : NULL;
        if (wrong)
            return device_error(s, x, RI_ERR_ARGUMENT, wrong, "");
    }
    return RI_OK;
}

/// Keeps ports that an update changes. They are few: a loop here costs less than a call.
static inline void keep_ports(const double *restrict from, double *restrict to, int count)
{
    int i = 0;
    for (; i + 4 <= count; i += 4)
        memcpy(to + i, from + i, 4 * sizeof *to);
    for (; i < count; i++)
        to[i] = from[i];
}

static void read_wires(RiSim *s, const RiDeviceRun *run)
{
    for (int i = 0; i < run->wire_count; i++)
        *run->wires[i].to = ri_values_read(s->values, run->wires[i].value);
}

static void update_one(RiSim *s, const RiDeviceRun *run, RiDeviceCall *call)
{
    if (!s->snapshot.whole)
        keep_ports(run->x + run->first, run->kept, run->count);
    read_wires(s, run);
    prepare(s, run, call);
    run->update(call);
    ++*run->updates;
}

/// Updates as many devices as can be at once and are awake; returns how many. Their ports, their
/// counts of updates and whether they are awake stand behind each other.
static int update_together(RiSim *s, const RiDeviceRun *run, RiDeviceCall *call)
{
    const RiDeviceClass *device = run->slot->device;
    int n = 0;
    while (n < run->together && run->active[n] != 0.0)
        run->updates[n++]++;
    for (int i = 0; i < n && !s->snapshot.whole; i++)
        keep_ports(run->x + i * device->port_count + run->first, run->kept + i * run->count, run->count);
    for (int i = 0; i < n && run->wire_count > 0; i++)
        read_wires(s, run + i);
    call->dt = run->dt;
    call->user = device->abi >= 6 ? device->user : NULL;
    call->trouble = NULL;
    device->update_all(call, s->devices->seats + (run - s->devices->runs), n);
    return n;
}

/// At the beginning of a tick no memory is kept.
static void forget_memories(RiSim *s)
{
    for (int i = 0; i < s->devices->count && s->devices->memory_total > 0; i++)
        s->devices->slots[i].is_kept = false;
}

RiStatus ri_sim_update_devices(RiSim *s)
{
    if (s->devices->count == 0)
        return RI_OK;
    forget_memories(s);
    RI_TRY(refresh_motion(s));
    RiDeviceCall call = begin_calls(s);
    int done = 1;
    for (const RiDeviceRun *run = s->devices->runs, *end = run + s->devices->count; run < end; run += done) {
        done = 1;
        if (!is_due(s, run))
            continue;
        if (run->together > 1)
            done = update_together(s, run, &call);
        else
            update_one(s, run, &call);
        s->devices->kept = (int)(run - s->devices->runs) + done;
        if (call.trouble)
            return device_error(s, run->slot, RI_ERR_DEVICE, call.trouble, "");
    }
    act(s);
    return RI_OK;
}

void ri_sim_restore_devices(RiSim *s)
{
    for (int i = 0; i < s->devices->count && s->devices->memory_total > 0; i++) {
        RiDeviceSlot *x = &s->devices->slots[i];
        if (x->is_kept)
            memcpy(s->devices->memory + x->memory, x->memory_kept, x->memory_size);
        x->is_kept = false;
    }
    for (int i = 0; i < s->devices->kept; i++) {
        const RiDeviceRun *run = &s->devices->runs[i];
        if (is_due(s, run)) // at the tick that was taken back
            memcpy(run->x + run->first, run->kept, (size_t)run->count * sizeof *run->x);
    }
    if (s->devices->count > 0)
        act(s);
}
