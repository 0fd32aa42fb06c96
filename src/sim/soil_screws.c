// SPDX-License-Identifier: Apache-2.0
/// \file
/// Screws on soft soil within a step: the ground under each at its beginning, the law (screw.h) linearised for its end, memories after the solve.
///
/// Where the terrain has ruts, screws press grooves into it and find those of others (screw_ruts.c). Without, they know of each other only that soil which one stands
/// in has been pressed: the end of a drum that follows another within the way `wake` meets fresh soil only below the depth of that.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/screw_work.h"
#include "soil/berm.h"

enum { OUT_SLIP, OUT_SINKAGE, OUT_THRUST, OUT_DRAG, OUT_TORQUE, OUT_NORMAL, OUT_PULL, OUT_SIDE, OUT_DUG, OUT_COUNT };
static const double LEAST_UP =
    0.05; ///< cosine between the ground's normal and the screw frame's z below which the ground is taken as steeper

// --- building -------------------------------------------------------------------------------------------------------------------------

static RiStatus check_options(RiContext *ctx, const RiSoilOptions *o)
{
    if (!(o->screw_edge > 0.0 && o->screw_edge <= 0.1) || !(o->screw_friction >= 0.0 && o->screw_friction <= 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "soil: screw_edge %g m must be positive and at most 0.1, screw_friction %g must be 0 to 1",
                        o->screw_edge, o->screw_friction);
    if (!(o->wake >= 0.0 && o->wake <= 1e3))
        return ri_error(ctx, RI_ERR_ARGUMENT, "soil: wake %g m must be 0 to 1000", o->wake);
    if (!(o->screw_dig >= 0.0 && o->screw_dig <= 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "soil: screw_dig %g must be 0 to 1", o->screw_dig);
    return RI_OK;
}

static RiStatus add_flags(RiSim *s, RiDrumRun *x)
{
    static const char *const names[RI_DRUM_DOUBTS] = {"sinkage", "slip", "angle", "tilt", "buried", "slope"};
    static const char *const texts[RI_DRUM_DOUBTS] = {"the axis of the screw is below the ground",
                                                      "the slip is beyond what the soil's numbers were fitted for",
                                                      "the blade is so steep that soil would rather turn with it",
                                                      "the screw is inclined to the ground by more than 30 degrees",
                                                      "the ground closes over the screw",
                                                      "the ground is steeper than the friction angle of the soil"};
    for (int i = 0; i < RI_DRUM_DOUBTS; i++) {
        char name[512];
        snprintf(name, sizeof name, "soil.%.380s.%s", x->name, names[i]);
        RI_TRY(ri_sim_add_validity(s, name, texts[i], &x->flags[i]));
    }
    return RI_OK;
}

/// The soil of a region for a screw: its soft layers, over hard ground if the next one is that.
static RiStatus make_soil(RiSim *s, const RiSoilOptions *o, int region, RiDrumRun *x)
{
    const RiSoils *soils = ri_soil_map_soils(s->soil_screws->map);
    const RiSoilRegion *r = ri_soil_map_region(s->soil_screws->map, region);
    RiScrewSoil *out = &x->soils[region];
    double depth = 0.0;
    int count = 0;
    RiScrewLayer *layers = ri_arena_alloc(&s->arena, (size_t)r->layer_count, sizeof *layers);
    RiSoilLaw *room = ri_arena_alloc(&s->arena, 2 * (size_t)r->layer_count, sizeof *room);
    if (!layers || !room)
        return ri_error_memory(s->ctx);
    for (; count < r->layer_count; count++) {
        const RiSoilLayer *layer = &r->layers[count];
        const RiSoil *soil = ri_soils_get(soils, layer->soil);
        if (soil->form == RI_SOIL_HARD)
            break;
        layers[count] = (RiScrewLayer){soil, layer->thickness, layer->strength};
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

static RiStatus make_screw(RiSim *s, const RiScrewSpec *spec, int link, const RiSoilOptions *o, RiDrumRun *x)
{
    RiScrewRun *run = s->soil_screws;
    const int regions = ri_soil_map_region_count(run->map);
    memset(x, 0, sizeof *x);
    x->memory = run->memory_size;
    x->part =
        (RiSoilPart){.link = link, .body = ri_model_link(s->m, link).body, .pose = spec->pose, .lever = spec->radius};
    RI_TRY(ri_soil_screw_init(s->ctx, spec->core_radius, spec->radius, spec->length, spec->lead, spec->hand,
                              spec->starts, &x->screw));
    RI_TRY(ri_soil_screw_cut(s->ctx, o->screw_stations, o->screw_patches, &x->screw));
    x->screw.edge = o->screw_edge;
    x->screw.friction = o->screw_friction;
    x->screw.dig = o->screw_dig;
    run->memory_size += ri_screw_memory_size(&x->screw) + RI_DRUM_KEPT;
    x->name = ri_arena_string(&s->arena, spec->name ? spec->name : spec->link);
    x->soils = ri_arena_alloc(&s->arena, (size_t)regions, sizeof *x->soils);
    if (!x->name || !x->soils)
        return ri_error_memory(s->ctx);
    memset(x->soils, 0, (size_t)regions * sizeof *x->soils);
    for (int i = 0; i < regions; i++)
        RI_TRY(make_soil(s, o, i, x));
    return add_flags(s, x);
}

RiStatus ri_sim_set_screws(RiSim *s, const RiSpec *spec, const RiSoilMap *map, const RiSoilOptions *o)
{
    const int links = ri_model_link_count(s->m);
    RI_TRY(check_options(s->ctx, o));
    RiScrewRun *run = ri_arena_alloc(&s->arena, 1, sizeof *run);
    if (!run)
        return ri_error_memory(s->ctx);
    *run = (RiScrewRun){.map = map, .wake = o->wake};
    run->screws = ri_arena_alloc(&s->arena, (size_t)spec->screw_count, sizeof *run->screws);
    run->screw_of = ri_arena_alloc(&s->arena, (size_t)links, sizeof *run->screw_of);
    if (!run->screws || !run->screw_of)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < links; i++)
        run->screw_of[i] = -1;
    s->soil_screws = run;
    for (int i = 0; i < spec->screw_count; i++) {
        const int link = ri_model_find_link(s->m, spec->screws[i].link);
        if (link < 0 || ri_model_link(s->m, link).body < 0)
            continue;
        RI_TRY(make_screw(s, &spec->screws[i], link, o, &run->screws[run->count]));
        run->screw_of[link] = run->count++;
    }
    return RI_OK;
}

size_t ri_sim_screw_memory_size(const RiSim *s)
{
    return (size_t)s->soil_screws->memory_size;
}

size_t ri_sim_screw_out_size(const RiSim *s)
{
    return (size_t)s->soil_screws->count * OUT_COUNT;
}

bool ri_sim_screw_is_soft(const RiSim *s, int link, int ground)
{
    const int screw = s->soil_screws->screw_of[link];
    return screw >= 0 && s->soil_screws->screws[screw].soils[ground].law.k > 0.0;
}

// --- the ground under a screw -----------------------------------------------------------------------------------------------------------

static RiVec3 column(const RiMat3 *R, int k)
{
    return ri_vec3(R->m[0][k], R->m[1][k], R->m[2][k]);
}

/// The screw frame: x along the axis, z in the plane of the axis and the ground's normal, or any if the axis stands on the ground. False if there is no ground under it.
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
    ri_soil_part_move(s, p);
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
        const RiScrewSoil *soil = &x->soils[ri_soil_map_region_at(s->soil_screws->map, px[i], py[i])];
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

/// Depth to which the soil before an end has been pressed by other screws, as they stood at the end of the last step.
static double pressed_at(const RiSim *s, const RiDrumRun *x, double end)
{
    const RiScrewRun *run = s->soil_screws;
    const RiVec3 p = ri_add(x->part.origin, ri_scale(0.5 * end * x->screw.length, column(&x->part.R, 0)));
    double deepest = 0.0;
    for (int i = 0; i < run->count; i++) {
        const RiDrumRun *o = &run->screws[i];
        const RiVec3 from = ri_sub(p, o->part.origin);
        if (o == x || ri_dot(from, from) > 4.0 * (o->screw.length + run->wake) * (o->screw.length + run->wake))
            continue;
        const RiVec3 at = ri_rotate_back(&o->part.R, from);
        if (fabs(at.x) < 0.5 * o->screw.length + run->wake && fabs(at.y) < o->screw.core)
            deepest = fmax(deepest, ri_drum_kept(s, o)[RI_DRUM_SUNK]);
    }
    return deepest;
}

void ri_sim_find_screws(RiSim *s)
{
    for (int i = 0; i < s->soil_screws->count; i++) {
        RiDrumRun *x = &s->soil_screws->screws[i];
        memset(x->ground.soil, 0, sizeof x->ground.soil);
        if (place_screw(s, x))
            fill_stations(s, x);
    }
    for (int i = 0; i < s->soil_screws->count && !s->ruts; i++) { // ruts know it themselves
        RiDrumRun *x = &s->soil_screws->screws[i];
        x->ground.pressed[0] = pressed_at(s, x, 1.0);
        x->ground.pressed[1] = pressed_at(s, x, -1.0);
    }
}

// --- forces ---------------------------------------------------------------------------------------------------------------------------

void ri_sim_find_screw_forces(RiSim *s, double h)
{
    for (int i = 0; i < s->soil_screws->count; i++) {
        RiDrumRun *x = &s->soil_screws->screws[i];
        ri_screw_step(&x->screw, &x->ground, s->screw_memory + x->memory, x->part.v, x->part.w, h, &x->step);
        x->part.damper = 0.0;
    }
}

void ri_sim_apply_screws(RiSim *s, double h)
{
    for (int i = 0; i < s->soil_screws->count; i++) {
        RiDrumRun *x = &s->soil_screws->screws[i];
        if (x->step.touching)
            ri_soil_part_apply(s, &x->part, x->step.f.force, x->step.f.moment, x->step.slope, h);
    }
}

bool ri_sim_hold_screws(RiSim *s, double h)
{
    bool holds = true;
    for (int i = 0; i < s->soil_screws->count; i++) {
        RiDrumRun *x = &s->soil_screws->screws[i];
        if (!x->step.touching)
            continue;
        ri_soil_part_end(s, &x->part, h);
        holds &= ri_soil_part_hold(s, &x->part, x->step.f.force, x->step.f.moment, x->step.slope,
                                   ri_drum_kept(s, x)[RI_DRUM_STORED], h);
    }
    return holds;
}

static void show(RiSim *s, RiDrumRun *x, int index)
{
    double *out = s->screw_out + (size_t)index * OUT_COUNT;
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
    for (int k = 0; k < RI_DRUM_DOUBTS; k++)
        if (f->doubts & (1u << k))
            ri_sim_report_validity(s, x->flags[k]);
}

RiStatus ri_sim_finish_screws(RiSim *s, double h)
{
    for (int i = 0; i < s->soil_screws->count; i++) {
        RiDrumRun *x = &s->soil_screws->screws[i];
        double *behind = ri_drum_kept(s, x);
        RiVec3 force = x->step.f.force, moment = x->step.f.moment;
        ri_soil_part_end(s, &x->part, h);
        if (x->step.touching)
            ri_soil_part_correct(s, &x->part, x->step.slope, &force, &moment);
        ri_screw_remember(&x->screw, &x->step, s->screw_memory + x->memory, x->part.v_end, x->part.w_end, h);
        if (x->part.damper > 0.0)
            ri_screw_relax(&x->screw, ri_soil_part_left(&x->part, x->step.f.force, x->step.slope),
                           s->screw_memory + x->memory);
        x->shown = x->step.f;
        x->shown.force = force;
        x->shown.moment = moment;
        x->shown.torque = -moment.x;
        behind[RI_DRUM_SUNK] = x->step.touching ? fmax(x->step.f.sinkage, 0.0) : 0.0;
        show(s, x, i);
        if (s->ruts && x->step.touching)
            RI_TRY(ri_drum_stamp(s, x));
    }
    return RI_OK;
}

/// Soil holds what the law could give back, but never more than it has been given, as under wheels.
void ri_sim_account_screws(RiSim *s, double h)
{
    for (int i = 0; i < s->soil_screws->count; i++) {
        const RiDrumRun *x = &s->soil_screws->screws[i];
        double *held = &ri_drum_kept(s, x)[RI_DRUM_STORED];
        const double work = x->step.touching ? ri_soil_part_work(s, &x->part, h) : 0.0;
        s->head->contact_work += work;
        *held = fmax(0.0, fmin(x->step.stored, *held - work));
    }
}

double ri_sim_screw_energy(const RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->soil_screws->count; i++)
        energy += ri_drum_kept(s, &s->soil_screws->screws[i])[RI_DRUM_STORED];
    return energy;
}

// --- values -------------------------------------------------------------------------------------------------------------------------------

RiStatus ri_sim_name_screws(RiSim *s)
{
    static const char *const names[OUT_COUNT] = {"slip",   "sinkage", "thrust", "drag", "torque",
                                                 "normal", "pull",    "side",   "dug"};
    static const char *const units[OUT_COUNT] = {"", "m", "N", "N", "N*m", "N", "N", "N", "m"};
    static const char *const docs[OUT_COUNT] = {
        "slip of the thread, -1 dragged to 1 turning in place",
        "sinkage of the drum, dug soil included; negative: only blades are in the soil",
        "force of the soil on the blades along the axis",
        "force of friction and of pressed soil along the axis",
        "torque that turns the screw against the soil",
        "force of the soil across its surface",
        "force of the soil along the axis",
        "force of the soil across the axis, along the ground",
        "depth of soil that blades have carried away"};
    for (int i = 0; i < s->soil_screws->count; i++)
        for (int k = 0; k < OUT_COUNT; k++) {
            char name[512];
            snprintf(name, sizeof name, "soil.%.380s.%s", s->soil_screws->screws[i].name, names[k]);
            RiValue v = ri_value_default();
            v.name = name;
            v.unit = units[k];
            v.doc = docs[k];
            v.kind = RI_VALUE_OUTPUT;
            v.at = s->screw_out + (size_t)i * OUT_COUNT + k;
            v.writable = false;
            RI_TRY(ri_values_add(s->values, &v));
        }
    return RI_OK;
}

int ri_sim_soil_screw_count(const RiSim *s)
{
    return s->soil_screws ? s->soil_screws->count : 0;
}

const RiScrewForce *ri_sim_soil_screw(const RiSim *s, int screw, const char **out_name, int *out_link)
{
    const RiDrumRun *x = &s->soil_screws->screws[screw];
    if (out_name)
        *out_name = x->name;
    if (out_link)
        *out_link = x->part.link;
    return &x->shown;
}

double ri_sim_soil_screw_groove(const RiSim *s, int screw)
{
    const double cell = s->ruts ? ri_ruts_cell(s->ruts) : 0.0;
    return cell * cell * RI_QUANTUM * ri_drum_kept(s, &s->soil_screws->screws[screw])[RI_DRUM_GROOVE];
}
