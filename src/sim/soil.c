// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wheels on soft soil within a step: the ground under each at its beginning, the law linearised for its end, memories and ruts after the solve.
///
/// The law (soil.h) gives wrench F and slope S at the hub about a motion w = (omega, v), so at the end of a step, with w+ = w + h (J a + rate),
///
///     F+ = F(w) - S (w+ - w)
///
/// h S becomes inertia of the wheel's body, the rest a wrench, as for contacts. A wheel stamps its rut behind its lowest point, never under its front: so what
/// it meets does not depend on the cells it is standing on.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/soil_work.h"

enum {
    OUT_SLIP,
    OUT_SINKAGE,
    OUT_NORMAL,
    OUT_PULL,
    OUT_SIDE,
    OUT_TORQUE,
    OUT_RESISTANCE,
    OUT_ENTRY,
    OUT_ANGLE,
    OUT_COUNT
};
static const double OWN_STAMP = 1.5;  ///< reach of a wheel's own stamp ahead of its lowest line, in cells
static const double NEAR = 0.24;      ///< of the first station on either side, in radii: ruts are carried on from there
static const double SPREAD = 1.6;     ///< power by which stations stand closer together where contacts mostly end
static const double FAR_BELOW = 10.0; ///< ground where there is none, in radii
static const double LEAST_SPEED = 1e-3;          ///< of a wheel whose slip is looked at [m/s]
static const double REACH = 84.0 * M_PI / 180.0; ///< of the stations, as an angle at the hub

RiSoilOptions ri_soil_options_default(void)
{
    return (RiSoilOptions){.slices = 3,
                           .patches = 16,
                           .stations = 13,
                           .bulldozing = 1.0,
                           .unload = 2e7,
                           .unload_time = 4e-3,
                           .shear_lag = 0.05,
                           .slip_most = 0.76,
                           .compaction = 0.5,
                           .layer = 2e-3,
                           .screw_stations = 7,
                           .screw_patches = 8,
                           .screw_edge = 2e-3,
                           .screw_friction = 2.0 / 3.0,
                           .wake = 0.5};
}

// --- building -------------------------------------------------------------------------------------------------------------------------

static RiStatus check_options(RiContext *ctx, const RiSoilOptions *o)
{
    const struct {
        const char *name;
        int x, low, high;
    } counts[] = {{"slices", o->slices, 1, RI_SLICE_MAX},
                  {"patches", o->patches, 4, RI_SHEAR_MAX},
                  {"stations", o->stations, 5, RI_STATION_MAX}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].x < counts[i].low || counts[i].x > counts[i].high)
            return ri_error(ctx, RI_ERR_ARGUMENT, "soil: %d %s; %d to %d are allowed", counts[i].x, counts[i].name,
                            counts[i].low, counts[i].high);
    if (!(o->bulldozing >= 0.0 && o->bulldozing <= 10.0) || !(o->rebound >= 0.0 && o->rebound <= 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "soil: bulldozing %g must be 0 to 10, rebound %g must be 0 to 1",
                        o->bulldozing, o->rebound);
    if (!(o->unload >= 1e5 && o->unload <= 1e12) || !(o->damping >= 0.0 && o->damping <= 1e9))
        return ri_error(ctx, RI_ERR_ARGUMENT, "soil: unload %g Pa/m must be 1e5 to 1e12, damping %g Pa s/m 0 to 1e9",
                        o->unload, o->damping);
    if (!(o->unload_time >= 0.0 && o->unload_time <= 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "soil: unload_time %g s must be 0 to 1", o->unload_time);
    if (!(o->shear_lag >= 0.0 && o->shear_lag <= 1.0) || !(o->slip_most > 0.0 && o->slip_most <= 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "soil: shear_lag %g s must be 0 to 1, slip_most %g more than 0, up to 1",
                        o->shear_lag, o->slip_most);
    if (!(o->compaction >= 0.0 && o->compaction <= 1.0) || !(o->layer >= 0.0 && o->layer <= 0.1))
        return ri_error(ctx, RI_ERR_ARGUMENT, "soil: compaction %g must be 0 to 1, layer %g m must be 0 to 0.1",
                        o->compaction, o->layer);
    return RI_OK;
}

/// Number of soft layers from the top; the next one, if there is one, is hard.
static int soft_layers(const RiSoils *soils, const RiSoilRegion *region)
{
    int count = 0;
    while (count < region->layer_count && ri_soils_get(soils, region->layers[count].soil)->form != RI_SOIL_HARD)
        count++;
    return count;
}

/// The law of a region for a wheel: its soft layers, over hard ground if the next one is that.
static RiStatus make_law(RiSim *s, const RiSoilOptions *o, const RiSoilRegion *region, double width, RiSoilLaw *law)
{
    const RiSoils *soils = ri_soil_map_soils(s->soil->map);
    const int count = soft_layers(soils, region);
    double depth = 0.0;
    if (count == 0)
        return RI_OK;
    RiSoilLaw *laws = ri_arena_alloc(&s->arena, (size_t)count, sizeof *laws);
    if (!laws)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < count; i++) {
        const RiSoilLayer *layer = &region->layers[i];
        RI_TRY(
            ri_soil_law_init(s->ctx, ri_soils_get(soils, layer->soil), width, ri_norm(s->options.gravity), &laws[i]));
        laws[i].unload = o->unload;
        laws[i].thickness = layer->thickness;
        laws[i].crust_strength = layer->strength;
        depth += layer->thickness;
    }
    ri_soil_law_stack(laws, count, width);
    *law = laws[0];
    law->coupled = o->coupled;
    law->bulldozing = o->bulldozing;
    law->rebound = o->rebound;
    law->damping = o->damping;
    law->unload_time = o->unload_time;
    law->shear_lag = o->shear_lag;
    law->slip_most = o->slip_most;
    if (count < region->layer_count) {
        law->base_depth = depth;
        law->base_stiffness = RI_BASE_STIFFNESS;
    }
    return RI_OK;
}

static RiStatus add_flags(RiSim *s, RiWheelRun *x)
{
    static const char *const names[RI_WHEEL_DOUBTS] = {"sinkage", "slip", "slope", "buried"};
    static const char *const texts[RI_WHEEL_DOUBTS] = {
        "the wheel is sunk deeper than half its radius", "the slip is beyond what the soil's numbers were fitted for",
        "the ground is steeper than the friction angle of the soil", "the wheel is sunk to its hub"};
    for (int i = 0; i < RI_WHEEL_DOUBTS; i++) {
        char name[512];
        snprintf(name, sizeof name, "soil.%.380s.%s", x->name, names[i]);
        RI_TRY(ri_sim_add_validity(s, name, texts[i], &x->flags[i]));
    }
    return RI_OK;
}

/// Stations along a wheel: one under the hub, one on either side of it from which ruts are carried on (a length of the model, whatever the number of stations), the
/// others from there to the reach.
static void place_stations(const RiSim *s, RiWheelRun *x, int count)
{
    const double r = x->wheel.radius, stamp = s->ruts ? OWN_STAMP * ri_ruts_cell(s->ruts) : 0.0;
    const double begin = asin(fmin(fmax(stamp / r, NEAR), 0.8)), inner = (count % 2 ? 2.0 : 1.0) / (count - 1);
    x->ground.stations = count;
    for (int k = 0; k < count; k++) {
        const double u = 2.0 * k / (count - 1) - 1.0, out = fmax(0.0, (fabs(u) - inner) / (1.0 - inner));
        x->ground.x[k] = 2 * k + 1 == count ? 0.0 : copysign(r * sin(begin + (REACH - begin) * pow(out, SPREAD)), u);
    }
}

static RiStatus make_wheel(RiSim *s, const RiWheelSpec *spec, int link, RiWheelRun *x)
{
    RiSoilRun *run = s->soil;
    const RiSoilOptions *o = &run->options;
    *x = (RiWheelRun){
        .memory = run->memory_size,
        .part = {.link = link, .body = ri_model_link(s->m, link).body, .pose = spec->pose, .lever = spec->radius}};
    RI_TRY(ri_soil_wheel_init(s->ctx, spec->radius, spec->width, spec->crown, o->slices, &x->wheel));
    x->wheel.patches = o->patches;
    x->wheel.grousers = spec->grouser_count;
    x->wheel.grouser_height = spec->grouser_height;
    x->wheel.grouser_angle = spec->grouser_angle;
    run->memory_size += ri_wheel_memory_size(&x->wheel) + RI_KEPT_ROOM;
    const int regions = ri_soil_map_region_count(run->map);
    x->name = ri_arena_string(&s->arena, spec->name ? spec->name : spec->link);
    x->laws = ri_arena_alloc(&s->arena, (size_t)regions, sizeof *x->laws);
    if (!x->name || !x->laws)
        return ri_error_memory(s->ctx);
    memset(x->laws, 0, (size_t)regions * sizeof *x->laws);
    for (int i = 0; i < regions; i++)
        RI_TRY(make_law(s, o, ri_soil_map_region(run->map, i), spec->width, &x->laws[i]));
    place_stations(s, x, o->stations);
    return add_flags(s, x);
}

/// Which regions are soft; false if none is.
static bool find_soft(const RiSoilMap *map, bool *out_soft)
{
    bool any = false;
    for (int i = 0; i < ri_soil_map_region_count(map); i++) {
        const RiSoilRegion *r = ri_soil_map_region(map, i);
        out_soft[i] = ri_soils_get(ri_soil_map_soils(map), r->layers[0].soil)->form != RI_SOIL_HARD;
        any |= out_soft[i];
    }
    return any;
}

static bool has_soft(const RiSoilMap *map)
{
    for (int i = 0; i < ri_soil_map_region_count(map); i++)
        if (ri_soils_get(ri_soil_map_soils(map), ri_soil_map_region(map, i)->layers[0].soil)->form != RI_SOIL_HARD)
            return true;
    return false;
}

static RiStatus make_run(RiSim *s, const RiSpec *spec, const RiSoilMap *map, const RiSoilOptions *options)
{
    const int links = ri_model_link_count(s->m);
    RiSoilRun *run = ri_arena_alloc(&s->arena, 1, sizeof *run);
    if (!run)
        return ri_error_memory(s->ctx);
    *run = (RiSoilRun){.map = map, .options = *options};
    run->soft = ri_arena_alloc(&s->arena, (size_t)ri_soil_map_region_count(map), sizeof *run->soft);
    run->wheels = ri_arena_alloc(&s->arena, (size_t)spec->wheel_count, sizeof *run->wheels);
    run->wheel_of = ri_arena_alloc(&s->arena, (size_t)links, sizeof *run->wheel_of);
    if (!run->soft || !run->wheels || !run->wheel_of)
        return ri_error_memory(s->ctx);
    if (!find_soft(map, run->soft))
        return RI_OK;
    for (int i = 0; i < ri_soil_map_region_count(map); i++)
        run->mixed |= !run->soft[i];
    for (int i = 0; i < links; i++)
        run->wheel_of[i] = -1;
    s->soil = run;
    for (int i = 0; i < spec->wheel_count; i++) {
        const int link = ri_model_find_link(s->m, spec->wheels[i].link);
        if (link < 0 || ri_model_link(s->m, link).body < 0)
            continue;
        RI_TRY(make_wheel(s, &spec->wheels[i], link, &run->wheels[run->count]));
        run->wheel_of[link] = run->count++;
    }
    return RI_OK;
}

/// Room for the ground around the largest wheel.
static RiStatus make_patch(RiSim *s)
{
    RiBermPatch *p = &s->soil->patch;
    if (!s->ruts)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "soil: berms need ruts (key 'ruts' of the terrain)");
    for (int i = 0; i < s->soil->count; i++) {
        const RiSoilWheel *w = &s->soil->wheels[i].wheel;
        const int side = ri_berm_side(w->radius, w->width, ri_ruts_cell(s->ruts)), room = side * side;
        if (side == 0)
            return ri_error(s->ctx, RI_ERR_ARGUMENT,
                            "soil: berms around wheel '%s' of radius %g m need more than %d cells of %g m on a side; "
                            "larger cells are needed",
                            s->soil->wheels[i].name, w->radius, RI_BERM_SIDE_MAX, ri_ruts_cell(s->ruts));
        p->room = room > p->room ? room : p->room;
        RiBermGround *g = &s->soil->wheels[i].around;
        *g = (RiBermGround){.side = side, .z = ri_arena_alloc(&s->arena, (size_t)room, sizeof *g->z)};
        if (!g->z)
            return ri_error_memory(s->ctx);
    }
    p->base = ri_arena_alloc(&s->arena, (size_t)p->room, sizeof *p->base);
    p->depth = ri_arena_alloc(&s->arena, (size_t)p->room, sizeof *p->depth);
    p->loose = ri_arena_alloc(&s->arena, (size_t)p->room, sizeof *p->loose);
    p->surface = ri_arena_alloc(&s->arena, (size_t)p->room, sizeof *p->surface);
    p->near = ri_arena_alloc(&s->arena, (size_t)p->room, sizeof *p->near);
    p->state = ri_arena_alloc(&s->arena, (size_t)p->room, sizeof *p->state);
    return p->base && p->depth && p->loose && p->surface && p->near && p->state ? RI_OK : ri_error_memory(s->ctx);
}

RiStatus ri_sim_set_soil(RiSim *s, const RiSpec *spec, const RiSoilOptions *options)
{
    const RiSoilOptions used = options ? *options : ri_soil_options_default();
    const RiSoilMap *map = s->terrain ? ri_terrain_soil_map(s->terrain) : NULL;
    if (s->built || s->soil || s->soil_screws)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ri_sim_set_soil comes once, before ri_sim_build");
    RI_TRY(check_options(s->ctx, &used));
    if (!map || spec->wheel_count + spec->screw_count == 0 || !s->contacts)
        return RI_OK;
    if (spec->wheel_count > 0)
        RI_TRY(make_run(s, spec, map, &used));
    if (spec->screw_count > 0 && has_soft(map))
        RI_TRY(ri_sim_set_screws(s, spec, map, &used));
    if (s->soil && s->soil->count > 0 && used.berms)
        RI_TRY(make_patch(s));
    if ((s->soil || s->soil_screws) && s->options.method != RI_METHOD_IMPLICIT && s->options.method != RI_METHOD_MOREAU)
        return ri_error(
            s->ctx, RI_ERR_ARGUMENT,
            "integrator %s: wheels and screws on soft soil need integrator implicit or moreau; soil: none keeps them "
            "on hard ground",
            ri_method_name(s->options.method));
    return RI_OK;
}

size_t ri_sim_soil_memory_size(const RiSim *s)
{
    return (size_t)s->soil->memory_size;
}

size_t ri_sim_soil_out_size(const RiSim *s)
{
    return (size_t)s->soil->count * OUT_COUNT;
}

bool ri_sim_is_soft(const RiSim *s, int link, int ground)
{
    return (s->soil && s->soil->wheel_of[link] >= 0 && s->soil->soft[ground]) ||
           (s->soil_screws && ri_sim_screw_is_soft(s, link, ground));
}

bool ri_sim_is_always_soft(const RiSim *s, int link)
{
    bool soft = s->soil->wheel_of[link] >= 0;
    for (int i = 0; i < ri_soil_map_region_count(s->soil->map); i++)
        soft = soft && s->soil->soft[i];
    return soft;
}

// --- the ground under a wheel -------------------------------------------------------------------------------------------------------------

/// Depths of ruts under the stations of a slice, from the foremost on. A wheel that rolls meets what lies ahead of it; what lies under and behind its lowest line bears its own
/// stamp, cell by cell, so there the depth ahead is carried on: the more so the more it rolls.
static void find_ruts(const RiSim *s, const RiWheelRun *x, double rolling, const double *px, const double *py,
                      double *rut)
{
    const double carry = fmin(1.0, 2.0 * fabs(rolling));
    const int n = x->ground.stations;
    const int ahead = n / 2;
    ri_ruts_depth_many(s->ruts, carry < 1.0 ? n : ahead, px, py, rut);
    for (int i = ahead; i < n; i++)
        rut[i] += carry * (rut[ahead - 1] - rut[i]);
}

/// Heights under a slice, from the hub along the wheel's z: one step of Newton's method from near the rim, exact on a plane. Ruts count by their depth alone: their
/// slopes are those of cells.
static void fill_slice(const RiSim *s, RiWheelRun *x, int slice)
{
    const double rolling = s->soil_memory[x->memory], from = -0.9 * x->wheel.radius;
    const RiVec3 base = ri_wheel_run_place(x, 0.0, x->wheel.slice_y[slice], from),
                 along = ri_vec3(x->part.R.m[0][0], x->part.R.m[1][0], x->part.R.m[2][0]),
                 up = ri_vec3(x->part.R.m[0][2], x->part.R.m[1][2], x->part.R.m[2][2]);
    const int n = x->ground.stations, step = rolling >= 0.0 ? -1 : 1, first = rolling >= 0.0 ? n - 1 : 0;
    double px[RI_STATION_MAX] = {0.0}, py[RI_STATION_MAX] = {0.0}, rut[RI_STATION_MAX] = {0.0};
    RiHeight h[RI_STATION_MAX];
    bool found[RI_STATION_MAX];
    for (int i = 0; i < n; i++) {
        const double at = x->ground.x[first + step * i];
        px[i] = base.x + at * along.x;
        py[i] = base.y + at * along.y;
    }
    ri_terrain_height_many(s->terrain, n, px, py, h, found);
    if (s->ruts)
        find_ruts(s, x, rolling, px, py, rut);
    for (int i = 0; i < n; i++) {
        const int k = first + step * i;
        const double along_up = up.z - h[i].zx * up.x - h[i].zy * up.y,
                     above = h[i].z - rut[i] - (base.z + x->ground.x[k] * along.z);
        x->ground.z[slice][k] =
            found[i] ? from + above / (along_up > 0.1 ? along_up : 0.1) : -FAR_BELOW * x->wheel.radius;
    }
}

static void fill_ground(const RiSim *s, RiWheelRun *x)
{
    const RiSoilWheel *w = &x->wheel;
    for (int i = 0; i < w->slices; i++) {
        const RiVec3 low = ri_wheel_run_place(x, 0.0, w->slice_y[i], -w->radius);
        const RiSoilLaw *law = &x->laws[ri_soil_map_region_at(s->soil->map, low.x, low.y)];
        x->ground.soil[i] = law->k > 0.0 ? law : NULL;
        if (!x->ground.soil[i])
            continue;
        fill_slice(s, x, i);
        for (int side = 0; side < 2 && s->ruts; side++)
            x->ground.packed[i][side] = ri_wheel_run_kept(s, x)[RI_KEPT_PACKED + 2 * i + side];
    }
}

/// The wheel frame: y along the axle, z in the plane of the axle and the ground's normal. False if there is no ground under the hub.
static bool place_wheel(const RiSim *s, RiWheelRun *x)
{
    const RiPose link = ri_dyn_frame_pose(s->d, x->part.link), pose = ri_pose_mul(&link, &x->part.pose);
    RiHeight h;
    x->part.origin = pose.p;
    if (!ri_terrain_height(s->terrain, x->part.origin.x, x->part.origin.y, &h))
        return false;
    const RiVec3 y = ri_vec3(pose.R.m[0][1], pose.R.m[1][1], pose.R.m[2][1]);
    const RiVec3 n = ri_vec3(-h.zx, -h.zy, 1.0), z = ri_sub(n, ri_scale(ri_dot(n, y), y));
    const double size = ri_norm(z);
    if (size < 1e-3) // lying on its side
        return false;
    const RiVec3 up = ri_scale(1.0 / size, z);
    x->part.R = ri_mat3_from_cols(ri_cross(y, up), y, up);
    x->slope = atan(hypot(h.zx, h.zy));
    ri_soil_part_move(s, &x->part);
    return true;
}

void ri_sim_find_soil(RiSim *s)
{
    if (s->soil_screws)
        ri_sim_find_screws(s);
    for (int i = 0; s->soil && i < s->soil->count; i++) {
        RiWheelRun *x = &s->soil->wheels[i];
        for (int k = 0; k < x->wheel.slices; k++)
            x->ground.soil[k] = NULL;
        if (place_wheel(s, x))
            fill_ground(s, x);
    }
}

// --- forces ---------------------------------------------------------------------------------------------------------------------------

void ri_sim_find_soil_forces(RiSim *s, double h)
{
    for (int i = 0; s->soil && i < s->soil->count; i++) {
        RiWheelRun *x = &s->soil->wheels[i];
        ri_wheel_step(&x->wheel, &x->ground, s->soil_memory + x->memory, x->part.v, x->part.w, h, &x->step);
        x->part.damper = 0.0;
    }
    if (s->soil_screws)
        ri_sim_find_screw_forces(s, h);
}

void ri_sim_apply_soil(RiSim *s, double h)
{
    for (int i = 0; s->soil && i < s->soil->count; i++) {
        RiWheelRun *x = &s->soil->wheels[i];
        if (x->step.touching)
            ri_soil_part_apply(s, &x->part, x->step.f.force, x->step.f.moment, x->step.slope, h);
    }
    if (s->soil_screws)
        ri_sim_apply_screws(s, h);
}

bool ri_sim_hold_soil(RiSim *s, double h)
{
    bool holds = true;
    if (!s->soil && !s->soil_screws)
        return true;
    ri_dyn_mean_power(s->d, s->a, h);
    for (int i = 0; s->soil && i < s->soil->count; i++) {
        RiWheelRun *x = &s->soil->wheels[i];
        if (!x->step.touching)
            continue;
        ri_soil_part_end(s, &x->part, h);
        holds &= ri_soil_part_hold(s, &x->part, x->step.f.force, x->step.f.moment, x->step.slope,
                                   ri_wheel_run_kept(s, x)[RI_KEPT_STORED], h);
    }
    return (!s->soil_screws || ri_sim_hold_screws(s, h)) && holds;
}

// --- after the solve --------------------------------------------------------------------------------------------------------------------

static void show(RiSim *s, RiWheelRun *x, int index)
{
    double *out = s->soil_out + (size_t)index * OUT_COUNT;
    RiWheelForce *f = &x->shown;
    if (x->slope > 0.0 && x->step.touching && x->ground.soil[0] && tan(x->slope) > x->ground.soil[0]->tan_phi)
        f->doubts |= RI_DOUBT_SLOPE;
    if (fabs(x->part.v_end.x) + fabs(x->part.v_end.y) + x->wheel.radius * fabs(x->part.w_end.y) < LEAST_SPEED)
        f->doubts &= ~(unsigned)RI_DOUBT_SLIP; // it stands: its slip is that of the last millimetres
    out[OUT_SLIP] = f->slip;
    out[OUT_SINKAGE] = f->sinkage;
    out[OUT_NORMAL] = f->force.z;
    out[OUT_PULL] = f->force.x;
    out[OUT_SIDE] = f->force.y;
    out[OUT_TORQUE] = f->torque;
    out[OUT_RESISTANCE] = f->resistance;
    out[OUT_ENTRY] = f->entry;
    out[OUT_ANGLE] = x->step.touching ? atan2(x->part.v_end.y, fabs(x->part.v_end.x)) : 0.0;
    for (int k = 0; k < RI_WHEEL_DOUBTS; k++)
        if (f->doubts & (1u << k))
            ri_sim_report_validity(s, x->flags[k]);
}

static RiStatus finish_wheel(RiSim *s, RiWheelRun *x, int index, double h)
{
    ri_soil_part_end(s, &x->part, h);
    x->shown = x->step.f;
    if (x->step.touching) {
        ri_soil_part_correct(s, &x->part, x->step.slope, &x->shown.force, &x->shown.moment);
        x->shown.torque = -x->shown.moment.y;
    }
    ri_wheel_remember(&x->wheel, &x->step, s->soil_memory + x->memory, x->part.v_end, x->part.w_end, h);
    if (x->part.damper > 0.0)
        ri_wheel_relax(&x->wheel, &x->step, ri_soil_part_left(&x->part, x->step.f.force, x->step.slope),
                       s->soil_memory + x->memory);
    show(s, x, index);
    if (s->ruts && x->step.touching)
        ri_wheel_run_follow(s, x, h);
    return s->ruts && x->step.touching ? ri_wheel_run_stamp(s, x, h) : RI_OK;
}

/// A run does not begin with a hub in the ground: nobody knows how it came there, and soil that is taken for pressed would throw it out.
static RiStatus check_start(RiSim *s)
{
    for (int i = 0; i < s->soil->count; i++) {
        const RiWheelRun *x = &s->soil->wheels[i];
        for (int k = 0; k < x->wheel.slices && x->step.touching; k++)
            if (x->step.place[k].soil && x->step.place[k].over > 0.0)
                return ri_error(
                    s->ctx, RI_ERR_ARGUMENT,
                    "soil: wheel '%s' starts buried, its hub %.3g m below the ground at (%.3f, %.3f); start "
                    "it higher",
                    x->name, x->step.place[k].over, x->part.origin.x, x->part.origin.y);
    }
    return RI_OK;
}

RiStatus ri_sim_finish_soil(RiSim *s, double h)
{
    if (s->soil && s->head->tick == 0)
        RI_TRY(check_start(s));
    for (int i = 0; s->soil && i < s->soil->count; i++)
        RI_TRY(finish_wheel(s, &s->soil->wheels[i], i, h));
    return s->soil_screws ? ri_sim_finish_screws(s, h) : RI_OK;
}

/// Soil holds what the law could give back, but never more than it has been given: stresses that grow under a mobilised patch raise the first without work.
void ri_sim_account_soil(RiSim *s, double h)
{
    for (int i = 0; s->soil && i < s->soil->count; i++) {
        const RiWheelRun *x = &s->soil->wheels[i];
        double *held = &ri_wheel_run_kept(s, x)[RI_KEPT_STORED];
        const double work = x->step.touching ? ri_soil_part_work(s, &x->part, h) : 0.0;
        s->head->contact_work += work;
        *held = fmax(0.0, fmin(x->step.stored, *held - work));
    }
    if (s->soil_screws)
        ri_sim_account_screws(s, h);
}

double ri_sim_soil_energy(const RiSim *s)
{
    double energy = s->soil_screws ? ri_sim_screw_energy(s) : 0.0;
    for (int i = 0; s->soil && i < s->soil->count; i++)
        energy += ri_wheel_run_kept(s, &s->soil->wheels[i])[RI_KEPT_STORED];
    return energy;
}

// --- values -------------------------------------------------------------------------------------------------------------------------------

RiStatus ri_sim_name_soil(RiSim *s)
{
    static const char *const names[OUT_COUNT] = {"slip",   "sinkage",    "normal", "pull",      "side",
                                                 "torque", "resistance", "entry",  "slip_angle"};
    static const char *const units[OUT_COUNT] = {"", "m", "N", "N", "N", "N*m", "N", "rad", "rad"};
    static const char *const docs[OUT_COUNT] = {"slip of the wheel, -1 locked to 1 spinning",
                                                "sinkage below the ground ahead",
                                                "force of the soil across its surface",
                                                "drawbar pull: force of the soil along the wheel's heading",
                                                "force of the soil along the axle",
                                                "torque that turns the wheel against the soil",
                                                "compaction resistance",
                                                "angle at which the rim enters the soil",
                                                "angle between heading and travel"};
    for (int i = 0; s->soil && i < s->soil->count; i++)
        for (int k = 0; k < OUT_COUNT; k++) {
            char name[512];
            snprintf(name, sizeof name, "soil.%.380s.%s", s->soil->wheels[i].name, names[k]);
            RiValue v = ri_value_default();
            v.name = name;
            v.unit = units[k];
            v.doc = docs[k];
            v.kind = RI_VALUE_OUTPUT;
            v.at = s->soil_out + (size_t)i * OUT_COUNT + k;
            v.writable = false;
            RI_TRY(ri_values_add(s->values, &v));
        }
    return s->soil_screws ? ri_sim_name_screws(s) : RI_OK;
}

int ri_sim_soil_wheel_count(const RiSim *s)
{
    return s->soil ? s->soil->count : 0;
}

const RiWheelForce *ri_sim_soil_wheel(const RiSim *s, int wheel, const char **out_name, int *out_link)
{
    const RiWheelRun *x = &s->soil->wheels[wheel];
    if (out_name)
        *out_name = x->name;
    if (out_link)
        *out_link = x->part.link;
    return &x->shown;
}

RiSoilMoved ri_sim_soil_moved(const RiSim *s, int wheel)
{
    if (!s->soil->patch.room)
        return (RiSoilMoved){0};
    const double *at = ri_wheel_run_kept(s, &s->soil->wheels[wheel]), cell = ri_ruts_cell(s->ruts),
                 one = cell * cell * RI_QUANTUM;
    return (RiSoilMoved){.compacted = one * at[RI_KEPT_COMPACTED],
                         .displaced = one * at[RI_KEPT_DISPLACED],
                         .dug = one * at[RI_KEPT_DUG]};
}
