// SPDX-License-Identifier: Apache-2.0
/// \file
/// Subsystems in a simulation: gathered from the devices, advanced beside the robot at their own
/// period, or alone while it rests.
///
/// A tick that ends at a multiple of the period ends with the network's step over the period that
/// has passed. The ports of the subsystems are part of the devices' block, so snapshots, hash and
/// checkpoints have them. While the robot rests (ri_sim_rest) the clock goes on by long steps of
/// the network alone. Tests: tests/sim/test_network.c.
#include "sim/network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "optics/ray_shape.h"
#include "sim/schedule.h"
#include "sim/sun.h"

static const double view_range = 5e4;       // [m]: what hides the sun or a relay is nearer
static const double thermostat_step = 10.0; // [s]: they switch at the beginning of steps

RiStatus ri_sim_create_network(RiSim *s)
{
    s->network = ri_arena_alloc(&s->arena, 1, sizeof *s->network);
    return s->network ? RI_OK : ri_error_memory(s->ctx);
}

int ri_sim_network_period(const RiSim *s)
{
    return (int)fmax(1.0, round(1.0 / s->options.tick));
}

/// The mesh of a shape, by its path; NULL.
static const RiContactMesh *mesh_of(const RiShapeSpec *x, const RiContactMesh *meshes, int count)
{
    for (int i = 0; i < count; i++)
        if (x->path && strcmp(meshes[i].path, x->path) == 0)
            return &meshes[i];
    return NULL;
}

RiStatus ri_sim_set_shades(RiSim *s, const RiSpec *spec, const RiContactMesh *meshes, int mesh_count)
{
    if (s->built)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ri_sim_set_shades comes before ri_sim_build");
    RiShade *shades = ri_arena_alloc(&s->arena, (size_t)spec->shape_count + 1, sizeof *shades);
    if (!shades)
        return ri_error_memory(s->ctx);
    s->network->shades = shades;
    s->network->shade_count = 0;
    for (int i = 0; i < spec->shape_count; i++) {
        const RiShapeSpec *x = &spec->shapes[i];
        const int link = x->link ? ri_model_find_link(s->m, x->link) : -1;
        const RiContactMesh *mesh = x->type == RI_SHAPE_MESH ? mesh_of(x, meshes, mesh_count) : NULL;
        if (!(x->use & RI_SHAPE_VISUAL) || (x->type == RI_SHAPE_MESH && !mesh) || link < 0)
            continue;
        RiShade *shade = &shades[s->network->shade_count++];
        *shade = (RiShade){.type = x->type, .link = link, .pose = x->pose};
        memcpy(shade->size, x->size, sizeof shade->size);
        const double across = x->type == RI_SHAPE_BOX ? 0.5 * ri_norm(ri_vec3(x->size[0], x->size[1], x->size[2]))
                                                      : x->size[0] + 0.5 * x->size[1];
        shade->radius = x->type == RI_SHAPE_SPHERE ? x->size[0] : across;
        if (!mesh)
            continue;
        RI_TRY(ri_ray_mesh_create(s->ctx, &s->arena, mesh->points, mesh->triangles, mesh->triangle_count, x->size,
                                  &shade->mesh));
        shade->radius = shade->mesh.radius;
    }
    return RI_OK;
}

uint64_t ri_sim_network_fingerprint(const RiSim *s, uint64_t h)
{
    for (int i = 0; i < s->network->shade_count && s->network->network.count > 0; i++) {
        const RiShade *shade = &s->network->shades[i];
        const RiRayMesh *m = &shade->mesh;
        h = ri_hash_mix(ri_hash_mix(h, (uint64_t)shade->type), (uint64_t)shade->link);
        h = ri_hash(ri_hash(h, &shade->pose, sizeof shade->pose), shade->size, sizeof shade->size);
        h = ri_hash(h, m->triangles, (size_t)m->triangle_count * sizeof *m->triangles);
    }
    return h;
}

// --- views ---------------------------------------------------------------------------------------

static const double nearest = 1e-4, farthest = 100.0; // [m]: where the robot's own parts are

/// Whether a shape of the robot hides what is far away. A shape that the point is inside of does
/// not.
static bool is_hidden_by(const RiShade *shade, RiVec3 point, RiVec3 towards)
{
    static const RiRayShapeType types[] = {[RI_SHAPE_BOX] = RI_RAY_BOX,
                                           [RI_SHAPE_CYLINDER] = RI_RAY_CYLINDER,
                                           [RI_SHAPE_SPHERE] = RI_RAY_SPHERE,
                                           [RI_SHAPE_CAPSULE] = RI_RAY_CAPSULE,
                                           [RI_SHAPE_MESH] = RI_RAY_MESH};
    const RiVec3 off = ri_sub(shade->now.p, point);
    const double along = ri_dot(off, towards), aside = ri_dot(off, off) - along * along;
    if (along < -shade->radius || aside > shade->radius * shade->radius)
        return false;
    const RiPose pose = shade->now;
    const RiVec3 o = ri_rotate_back(&pose.R, ri_sub(point, pose.p)), d = ri_rotate_back(&pose.R, towards);
    double range;
    RiVec3 normal;
    if (shade->type == RI_SHAPE_MESH)
        return ri_ray_mesh_hides(&shade->mesh, o, d, nearest, farthest);
    return ri_ray_shape_hit(types[shade->type], shade->size, o, d, nearest, farthest, &range, &normal) &&
           ri_dot(normal, d) < 0.0;
}

static double free_view(const void *user, RiVec3 point, RiVec3 towards)
{
    const RiSim *s = user;
    for (int i = 0; i < s->network->shade_count; i++)
        if (is_hidden_by(&s->network->shades[i], point, towards))
            return 0.0;
    RiTerrainHit hit;
    return s->terrain && ri_terrain_ray(s->terrain, point, towards, view_range, &hit) ? 0.0 : 1.0;
}

static double free_path(const void *user, RiVec3 point, RiVec3 towards)
{
    const RiSim *s = user;
    RiTerrainHit hit;
    return s->terrain && ri_terrain_ray(s->terrain, point, towards, view_range, &hit) ? 0.0 : 1.0;
}

static RiSeen look(const void *user, RiVec3 point, RiVec3 towards)
{
    const RiSim *s = user;
    for (int i = 0; i < s->network->shade_count; i++)
        if (is_hidden_by(&s->network->shades[i], point, towards))
            return RI_SEEN_ROBOT;
    RiTerrainHit hit;
    return s->terrain && ri_terrain_ray(s->terrain, point, towards, view_range, &hit) ? RI_SEEN_GROUND : RI_SEEN_SKY;
}

/// The cover of the ground under the robot: the one whose name is that of the material, -1.
static int find_cover(const RiSim *s)
{
    const RiNetworkSlot *x = s->network;
    RiHeight h;
    const RiVec3 p = ri_dyn_frame_pose(s->d, s->m->link_order[0]).p;
    if (!x->cover_of || !ri_terrain_height(s->terrain, p.x, p.y, &h) || h.material < 0 || h.material >= x->materials)
        return -1;
    return x->cover_of[h.material];
}

// --- gathering -----------------------------------------------------------------------------------

static RiStatus member_error(RiSim *s, int member, const char *wrong)
{
    const RiDeviceSlot *x = &s->devices->slots[s->network->device[member]];
    char at[300] = "";
    if (x->source.file)
        snprintf(at, sizeof at, "%.280s:%d: ", x->source.file, x->source.line);
    return ri_error(s->ctx, RI_ERR_ARGUMENT, "%sdevice '%s' (%s) %s", at, x->name, x->device->name, wrong);
}

/// The member whose ports hold a place; -1.
static int owner_of(const RiSim *s, const double *at)
{
    const RiNetwork *n = &s->network->network;
    for (int i = 0; i < n->count; i++)
        if (at >= n->members[i].x && at < n->members[i].x + n->members[i].row->device->port_count)
            return i;
    return -1;
}

/// What the inputs of a member refer to.
static void find_refs(RiSim *s, int member)
{
    RiMember *m = &s->network->network.members[member];
    const RiDeviceRun *run = &s->devices->runs[s->network->device[member]];
    for (int k = 0; k < RI_NETWORK_REFS; k++) {
        m->ref[k] = -1;
        for (int i = 0; i < run->wire_count && m->row->refs[k].port >= 0; i++)
            if (run->wires[i].to == m->x + m->row->refs[k].port)
                m->ref[k] = owner_of(s, ri_values_get(s->values, run->wires[i].value)->at);
    }
}

static int count_members(const RiSim *s)
{
    int count = 0;
    for (int i = 0; i < s->devices->count; i++)
        count += ri_subsystem_of(s->devices->slots[i].device) != NULL;
    return count;
}

/// Finds the material of the terrain that each cover is named after.
static RiStatus gather_covers(RiSim *s)
{
    RiNetworkSlot *x = s->network;
    x->cover_of = NULL;
    x->materials = s->terrain ? ri_terrain_material_count(s->terrain) : 0;
    for (int i = 0; i < x->network.count; i++) {
        const RiMember *m = &x->network.members[i];
        if (!ri_member_is(m, RI_SUBSYSTEM_COVER))
            continue;
        if (!x->cover_of) {
            x->cover_of = ri_arena_alloc(&s->arena, (size_t)x->materials + 1, sizeof *x->cover_of);
            if (!x->cover_of)
                return ri_error_memory(s->ctx);
            for (int k = 0; k < x->materials; k++)
                x->cover_of[k] = -1;
        }
        int material = 0;
        while (material < x->materials && strcmp(ri_terrain_material_name(s->terrain, material), m->name) != 0)
            material++;
        if (material == x->materials)
            return member_error(s, i, "has the name of no material of the terrain");
        x->cover_of[material] = i;
    }
    return RI_OK;
}

static RiStatus gather(RiSim *s)
{
    RiNetworkSlot *x = s->network;
    RiNetwork *n = &x->network;
    const int count = count_members(s);
    n->count = 0;
    n->members = ri_arena_alloc(&s->arena, (size_t)count + 1, sizeof *n->members);
    x->device = ri_arena_alloc(&s->arena, (size_t)count + 1, sizeof *x->device);
    if (!n->members || !x->device)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < s->devices->count; i++) {
        const RiDeviceSlot *slot = &s->devices->slots[i];
        const RiSubsystemClass *row = ri_subsystem_of(slot->device);
        if (!row)
            continue;
        x->device[n->count] = i;
        n->members[n->count++] = (RiMember){.name = slot->name,
                                            .row = row,
                                            .x = s->devices->ports + slot->port,
                                            .pose = ri_pose_identity(),
                                            .table = slot->table,
                                            .table_rows = slot->table_rows,
                                            .table_columns = slot->table_columns};
    }
    for (int i = 0; i < n->count; i++)
        find_refs(s, i);
    RI_TRY(gather_covers(s));
    return ri_network_prepare(s->ctx, &s->arena, n);
}

/// All subsystems have one period.
static RiStatus find_period(RiSim *s)
{
    RiNetworkSlot *x = s->network;
    x->period = s->devices->slots[x->device[0]].period;
    for (int i = 1; i < x->network.count; i++)
        if (s->devices->slots[x->device[i]].period != x->period)
            return member_error(s, i, "has another rate than the subsystems before it: they are solved together");
    return RI_OK;
}

// --- steps ---------------------------------------------------------------------------------------

static RiNetworkWorld world_at(RiSim *s, double time, double dt)
{
    RiNetworkWorld w = {.place = &s->sun->def,
                        .time = time,
                        .dt = dt,
                        .free_view = free_view,
                        .free_path = free_path,
                        .look = look,
                        .user = s,
                        .towards = {0.0, 0.0, -1.0}};
    if (s->sun->given) {
        w.towards = ri_sim_sun_at(s, time + 0.5 * dt, &w.sun.distance);
        const RiSun angles = ri_sun_from_direction(w.towards);
        w.sun.azimuth = angles.azimuth;
        w.sun.elevation = angles.elevation;
    }
    return w;
}

/// Where the frames of the members are.
static void pose_members(RiSim *s)
{
    RiNetwork *n = &s->network->network;
    for (int i = 0; i < n->count; i++) {
        const RiDeviceSlot *slot = &s->devices->slots[s->network->device[i]];
        if (slot->frame >= 0)
            n->members[i].pose = ri_dyn_frame_pose(s->d, slot->frame);
    }
    for (int i = 0; i < s->network->shade_count; i++) {
        RiShade *shade = &s->network->shades[i];
        const RiPose link = ri_dyn_frame_pose(s->d, shade->link);
        shade->now = ri_pose_mul(&link, &shade->pose);
    }
    const RiVec3 here = ri_dyn_frame_pose(s->d, s->m->link_order[0]).p;
    n->x = here.x;
    n->y = here.y;
    n->cover = find_cover(s);
    n->moved = true;
}

static void read_inputs(RiSim *s)
{
    for (int i = 0; i < s->network->network.count; i++) {
        const RiDeviceRun *run = &s->devices->runs[s->network->device[i]];
        for (int k = 0; k < run->wire_count; k++)
            *run->wires[k].to = ri_values_read(s->values, run->wires[k].value);
    }
}

RiStatus ri_sim_start_network(RiSim *s)
{
    int wrong;
    RI_TRY(gather(s));
    if (s->network->network.count == 0)
        return RI_OK;
    RI_TRY(find_period(s));
    const char *trouble = ri_network_check(&s->network->network, s->sun->def.world, &wrong);
    if (trouble)
        return member_error(s, wrong, trouble);
    const RiNetworkWorld w = world_at(s, s->head->time, 0.0);
    pose_members(s);
    ri_network_begin(&s->network->network, &w);
    s->kept_changed = true;
    return RI_OK;
}

bool ri_sim_network_is_due(const RiSim *s)
{
    return s->network->network.count > 0 && (s->head->tick + 1) % s->network->period == 0;
}

void ri_sim_step_network(RiSim *s)
{
    if (s->network->network.count == 0 || s->head->tick % s->network->period != 0)
        return;
    const double dt = s->network->period * s->options.tick;
    const RiNetworkWorld w = world_at(s, s->head->time - dt, dt);
    pose_members(s);
    read_inputs(s);
    ri_network_step(&s->network->network, &w);
    s->kept_changed = true;
}

// --- rest ----------------------------------------------------------------------------------------

static RiStatus check_rest(RiSim *s, double seconds, double step)
{
    if (!s->started || s->network->network.count == 0)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ri_sim_rest needs a simulation that was started and has subsystems");
    if (!(seconds >= 0.0 && seconds < 1e10) || !(step > 0.0))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ri_sim_rest: %g s by steps of %g s", seconds, step);
    for (int i = 0; i < s->m->nv; i++)
        if (fabs(s->v[i]) > 0.01)
            return ri_error(s->ctx, RI_ERR_ARGUMENT,
                            "the robot does not rest at t = %.6g s: coordinate %d moves at %.3g", s->head->time, i,
                            s->v[i]);
    return RI_OK;
}

static bool has_thermostats(const RiSim *s)
{
    for (int i = 0; i < s->network->network.count; i++)
        if (ri_member_is(&s->network->network.members[i], RI_SUBSYSTEM_HEATER))
            return true;
    return false;
}

RiStatus ri_sim_rest(RiSim *s, double seconds, double step)
{
    RI_TRY(check_rest(s, seconds, step));
    const long long period = s->network->period;
    const long long end = (long long)ceil((s->head->time + seconds) / s->options.tick / (double)period - 1e-9) * period;
    step = has_thermostats(s) ? fmin(step, thermostat_step) : step;
    const long long most = (long long)fmax(1.0, floor(step / (s->options.tick * (double)period) + 1e-9)) * period;
    RI_TRY(ri_sim_book_interventions(s)); // it may have been put elsewhere
    RI_TRY(ri_sim_arrive(s));
    pose_members(s);
    while (s->head->tick < end && !ri_schedule_is_due(s)) {
        const long long from = s->head->tick / period * period;
        long long to = from + most > end ? end : from + most;
        const double due = ri_schedule_next(s) / s->options.tick; // not beyond the next command
        if (due < (double)to)
            to = (long long)fmax(ceil(due / (double)period - 1e-9) * (double)period, (double)(from + period));
        const double dt = (double)(to - from) * s->options.tick;
        const RiNetworkWorld w = world_at(s, (double)from * s->options.tick, dt);
        read_inputs(s);
        ri_network_step(&s->network->network, &w);
        s->head->tick = to;
        s->head->time = (double)to * s->options.tick;
    }
    s->kept_changed = true;
    s->stale = RI_OUTPUTS_ALL;
    return RI_OK;
}
