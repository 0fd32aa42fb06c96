// SPDX-License-Identifier: Apache-2.0
/// \file
/// Screws on soft soil within a step: the ground under each at its beginning, the law (screw.h)
/// linearised for its end, memories after the solve.
///
/// Where the terrain has ruts, screws press grooves into it and find those of others
/// (soil_screw_ruts.c). Without, they know of each other only that soil which one is in has
/// been pressed: the end of a drum that follows another within the way `wake` meets fresh soil only
/// below the depth of that.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/force/soil_screw.h"
#include "soil/berm.h"

enum { OUT_SLIP, OUT_SINKAGE, OUT_THRUST, OUT_DRAG, OUT_TORQUE, OUT_NORMAL, OUT_PULL, OUT_SIDE, OUT_DUG, OUT_COUNT };
static const RiSoilName outputs[OUT_COUNT] = {
    [OUT_SLIP] = {"slip", "",
                  "slip of the thread: -1 dragged, 0 as a bolt, 1 turning in place, above 1 going against the thread"},
    [OUT_SINKAGE] = {"sinkage", "m", "sinkage of the drum, dug soil included; negative: only blades are in the soil"},
    [OUT_THRUST] = {"thrust", "N", "force of the soil on the blades along the axis"},
    [OUT_DRAG] = {"drag", "N", "force of friction and of pressed soil along the axis"},
    [OUT_TORQUE] = {"torque", "N*m", "torque that turns the screw against the soil"},
    [OUT_NORMAL] = {"normal", "N", "force of the soil across its surface"},
    [OUT_PULL] = {"pull", "N", "force of the soil along the axis"},
    [OUT_SIDE] = {"side", "N", "force of the soil across the axis, along the ground"},
    [OUT_DUG] = {"dug", "m", "depth of soil that blades have carried away"},
};
/// In the order of the bits of RiScrewForce.doubts.
static const RiSoilName doubts[] = {
    {"sinkage", NULL, "the axis of the screw is below the ground"},
    {"slip", NULL, "the slip is beyond what the soil's numbers were fitted for"},
    {"angle", NULL, "the blade is so steep that soil would rather turn with it"},
    {"tilt", NULL, "the screw is inclined to the ground by more than 30 degrees"},
    {"buried", NULL, "the ground closes over the screw"},
    {"slope", NULL, "the ground is steeper than the friction angle of the soil"},
};
enum { DOUBT_COUNT = sizeof doubts / sizeof *doubts };

static const double LEAST_UP =
    0.05; ///< cosine between the ground's normal and the screw frame's z below which the ground is taken as steeper

static RiDrumRun *screw_of(RiSoilPart *part)
{
    return (RiDrumRun *)part; // its first member
}

// --- building ------------------------------------------------------------------------------------

/// The soil of a region for a screw: its soft layers, over hard ground if the next one is that.
static RiStatus make_soil(RiSim *s, int region, RiDrumRun *x)
{
    const RiSoilOptions *o = &s->soil->options;
    const RiSoils *soils = ri_soil_map_soils(s->soil->map);
    const RiSoilRegion *r = ri_soil_map_region(s->soil->map, region);
    RiScrewSoil *out = &x->soils[region];
    const int count = ri_soil_soft_layers(s->soil->map, region);
    double depth = 0.0;
    RiScrewLayer *layers = ri_arena_alloc(&s->arena, (size_t)r->layer_count, sizeof *layers);
    RiSoilLaw *room = ri_arena_alloc(&s->arena, 2 * (size_t)r->layer_count, sizeof *room);
    if (!layers || !room)
        return ri_error_memory(s->ctx);
    RI_TRY(ri_soil_check_law(s, region, false));
    for (int i = 0; i < count; i++) {
        const RiSoilLayer *layer = &r->layers[i];
        layers[i] = (RiScrewLayer){ri_soils_get(soils, layer->soil), layer->thickness, layer->strength};
        depth += layer->thickness;
    }
    if (count == 0)
        return RI_OK;
    RI_TRY(ri_screw_soil_layers(s->ctx, layers, count, &x->screw, ri_norm(s->options.gravity), o->unload, room, out));
    out->law.damping = o->damping;
    if (count < r->layer_count) {
        out->law.base_depth = depth;
        out->law.base_stiffness = RI_BASE_STIFFNESS;
    }
    return RI_OK;
}

static RiStatus make_screw(RiSim *s, const RiScrewSpec *spec, int link, RiDrumRun *x)
{
    const RiSoilOptions *o = &s->soil->options;
    const int regions = ri_soil_map_region_count(s->soil->map);
    memset(x, 0, sizeof *x);
    x->part = (RiSoilPart){.kind = &ri_soil_screw_kind,
                           .link = link,
                           .body = ri_model_link(s->m, link).body,
                           .pose = spec->pose,
                           .lever = spec->radius};
    RI_TRY(ri_soil_screw_init(s->ctx, spec->core_radius, spec->radius, spec->length, spec->lead, spec->hand,
                              spec->starts, &x->screw));
    RI_TRY(ri_soil_screw_cut(s->ctx, o->screw_stations, o->screw_patches, &x->screw));
    x->screw.edge = o->screw_edge;
    x->screw.friction = o->screw_friction;
    x->screw.dig = o->screw_dig;
    x->part.name = ri_arena_string(&s->arena, spec->name ? spec->name : spec->link);
    x->soils = ri_arena_alloc(&s->arena, (size_t)regions, sizeof *x->soils);
    if (!x->part.name || !x->soils)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < regions; i++)
        RI_TRY(make_soil(s, i, x));
    return ri_soil_add_part(s, &x->part, ri_screw_memory_size(&x->screw), RI_DRUM_KEPT);
}

RiStatus ri_soil_add_screws(RiSim *s, const RiSpec *spec)
{
    RiSoilForces *x = s->soil;
    if (spec->screw_count == 0)
        return RI_OK;
    x->screws = ri_arena_alloc(&s->arena, (size_t)spec->screw_count, sizeof *x->screws);
    if (!x->screws)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < spec->screw_count; i++) {
        const int link = ri_model_find_link(s->m, spec->screws[i].link);
        if (link < 0 || ri_model_link(s->m, link).body < 0)
            continue;
        RI_TRY(make_screw(s, &spec->screws[i], link, &x->screws[x->screw_count]));
        x->screw_of[link] = x->screw_count++;
    }
    return RI_OK;
}

bool ri_soil_screw_is_soft(const RiSim *s, int link, int ground)
{
    const int screw = s->soil->screw_of[link];
    return screw >= 0 && s->soil->screws[screw].soils[ground].law.k > 0.0;
}

// --- the ground under a screw --------------------------------------------------------------------

static RiVec3 column(const RiMat3 *R, int k)
{
    return ri_vec3(R->m[0][k], R->m[1][k], R->m[2][k]);
}

/// The screw frame: x along the axis, z in the plane of the axis and the ground's normal, or any if
/// the axis is on the ground. False if there is no ground under it.
static bool place_screw(const RiSim *s, RiDrumRun *x)
{
    RiSoilPart *p = &x->part;
    const RiPose link = ri_dyn_frame_pose(s->d, p->link), pose = ri_pose_mul(&link, &p->pose);
    RiHeight h;
    p->origin = pose.p;
    if (!ri_terrain_height(s->terrain, p->origin.x, p->origin.y, &h))
        return false;
    const RiVec3 axis = column(&pose.R, 2), n = ri_vec3(-h.zx, -h.zy, 1.0);
    RiVec3 up = ri_sub(n, ri_scale(ri_dot(n, axis), axis));
    if (ri_norm(up) < 1e-6)
        up = column(&pose.R, 0);
    up = ri_scale(1.0 / ri_norm(up), up);
    p->R = ri_mat3_from_cols(axis, ri_cross(up, axis), up);
    x->slope = sqrt(h.zx * h.zx + h.zy * h.zy);
    ri_soil_part_move(s, p, link.p);
    return true;
}

/// The planes of the ground as it was at all stations, in the screw frame.
static void fill_stations(const RiSim *s, RiDrumRun *x)
{
    const RiVec3 ax = column(&x->part.R, 0), side = column(&x->part.R, 1), up = column(&x->part.R, 2);
    double px[RI_SCREW_STATION_MAX], py[RI_SCREW_STATION_MAX];
    RiHeight h[RI_SCREW_STATION_MAX];
    bool found[RI_SCREW_STATION_MAX];
    for (int i = 0; i < x->screw.stations; i++) {
        px[i] = x->part.origin.x + x->screw.station_x[i] * ax.x;
        py[i] = x->part.origin.y + x->screw.station_x[i] * ax.y;
    }
    ri_terrain_height_many(s->terrain, x->screw.stations, px, py, h, found);
    for (int i = 0; i < x->screw.stations; i++) {
        const RiScrewSoil *soil = &x->soils[ri_soil_map_region_at(s->soil->map, px[i], py[i])];
        if (!(soil->law.k > 0.0) || !found[i])
            continue;
        const RiVec3 n = ri_vec3(-h[i].zx, -h[i].zy, 1.0);
        const double raised = fmax(ri_dot(n, up), LEAST_UP * ri_norm(n));
        x->raised[i] = raised;
        x->ground.soil[i] = soil;
        x->ground.height[i] = (h[i].z - (x->part.origin.z + x->screw.station_x[i] * ax.z)) / raised;
        x->ground.side[i] = -ri_dot(n, side) / raised;
        x->ground.along[i] = -ri_dot(n, ax) / raised;
    }
    if (s->ruts)
        ri_drum_find_ruts(s, x);
}

/// Depth to which the soil before an end has been pressed by other screws, as they were at the end
/// of the last step.
static double pressed_at(const RiSim *s, const RiDrumRun *x, double end)
{
    const double wake = s->soil->options.wake;
    const RiVec3 p = ri_add(x->part.origin, ri_scale(0.5 * end * x->screw.length, column(&x->part.R, 0)));
    double deepest = 0.0;
    for (int i = 0; i < s->soil->screw_count; i++) {
        const RiDrumRun *o = &s->soil->screws[i];
        const RiVec3 from = ri_sub(p, o->part.origin);
        if (o == x || ri_dot(from, from) > 4.0 * (o->screw.length + wake) * (o->screw.length + wake))
            continue;
        const RiVec3 at = ri_rotate_back(&o->part.R, from);
        if (fabs(at.x) < 0.5 * o->screw.length + wake && fabs(at.y) < o->screw.core)
            deepest = fmax(deepest, o->part.kept[RI_DRUM_SUNK]);
    }
    return deepest;
}

static void find(RiSim *s, RiSoilPart *part)
{
    RiDrumRun *x = screw_of(part);
    memset(x->ground.soil, 0, sizeof x->ground.soil);
    if (place_screw(s, x))
        fill_stations(s, x);
}

static void find_others(RiSim *s, RiSoilPart *part)
{
    RiDrumRun *x = screw_of(part);
    if (s->ruts)
        return; // they know it themselves
    x->ground.pressed[0] = pressed_at(s, x, 1.0);
    x->ground.pressed[1] = pressed_at(s, x, -1.0);
}

// --- forces --------------------------------------------------------------------------------------

static void evaluate(RiSim *s, RiSoilPart *part, double h)
{
    RiDrumRun *x = screw_of(part);
    (void)s;
    ri_screw_step(&x->screw, &x->ground, part->memory, part->v, part->w, h, &x->step);
    part->law = (RiSoilWrench){x->step.touching, x->step.f.force, x->step.f.moment, x->step.slope, 0.0};
}

static void show(RiSim *s, RiDrumRun *x)
{
    double *out = x->part.out;
    RiScrewForce *f = &x->shown;
    for (int k = 0; k < x->screw.stations && x->step.touching; k++)
        if (x->step.place.soil[k] && x->slope > x->step.place.soil[k]->law.tan_phi)
            f->doubts |= RI_SCREW_DOUBT_SLOPE;
    out[OUT_SLIP] = x->step.touching ? f->slip : 0.0;
    out[OUT_SINKAGE] = x->step.touching ? f->sinkage : 0.0;
    out[OUT_THRUST] = f->thrust;
    out[OUT_DRAG] = f->drag;
    out[OUT_TORQUE] = f->torque;
    out[OUT_NORMAL] = f->force.z;
    out[OUT_PULL] = f->force.x;
    out[OUT_SIDE] = f->force.y;
    out[OUT_DUG] = x->step.touching ? f->dug : 0.0;
    for (int k = 0; k < DOUBT_COUNT; k++)
        if (f->doubts & (1u << k))
            ri_sim_report_validity(s, x->part.flags[k]);
}

static RiStatus finish(RiSim *s, RiSoilPart *part, double h)
{
    RiDrumRun *x = screw_of(part);
    ri_screw_remember(&x->screw, &x->step, part->memory, part->v_end, part->w_end, h);
    part->law.stored = x->step.stored;
    if (part->damper > 0.0)
        ri_screw_relax(&x->screw, ri_soil_part_left(part), part->memory);
    x->shown = x->step.f;
    x->shown.force = part->end_force;
    x->shown.moment = part->end_moment;
    x->shown.torque = -part->end_moment.x;
    part->kept[RI_DRUM_SUNK] = x->step.touching ? fmax(x->step.f.sinkage, 0.0) : 0.0;
    show(s, x);
    return s->ruts && x->step.touching ? ri_drum_stamp(s, x) : RI_OK;
}

const RiSoilKind ri_soil_screw_kind = {
    .outputs = outputs,
    .doubts = doubts,
    .output_count = OUT_COUNT,
    .doubt_count = DOUBT_COUNT,
    .stored_at = RI_DRUM_STORED,
    .find = find,
    .find_others = find_others,
    .evaluate = evaluate,
    .finish = finish,
};

// --- questions -----------------------------------------------------------------------------------

int ri_sim_soil_screw_count(const RiSim *s)
{
    return s->soil ? s->soil->screw_count : 0;
}

const RiScrewForce *ri_sim_soil_screw(const RiSim *s, int screw, const char **out_name, int *out_link)
{
    const RiDrumRun *x = &s->soil->screws[screw];
    if (out_name)
        *out_name = x->part.name;
    if (out_link)
        *out_link = x->part.link;
    return &x->shown;
}

double ri_sim_soil_screw_groove(const RiSim *s, int screw)
{
    const double cell = s->ruts ? ri_ruts_cell(s->ruts) : 0.0;
    return cell * cell * RI_QUANTUM * s->soil->screws[screw].part.kept[RI_DRUM_GROOVE];
}
