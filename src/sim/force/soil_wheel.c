// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wheels on soft soil within a step: the ground under each at its beginning, the law linearised
/// for its end, memories and ruts after the solve.
///
/// The law (soil.h) gives wrench F and slope S at the hub about a motion w = (omega, v), so at the
/// end of a step, with w+ = w + h (J a + rate),
///
///     F+ = F(w) - S (w+ - w)
///
/// h S becomes inertia of the wheel's body, the rest a wrench, as for contacts. A wheel stamps its
/// rut behind its lowest point, never under its front: so what it meets does not depend on the
/// cells it is standing on.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "sim/force/soil_wheel.h"
#include "terrain/terrain.h"

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
    OUT_TRAVEL_SLIP,
    OUT_COUNT
};
static const RiSoilName outputs[OUT_COUNT] = {
    [OUT_SLIP] = {"slip", "",
                  "slip by the speed along the heading: -1 locked, 0 rolling, 1 spinning, above 1 going backwards"},
    [OUT_SINKAGE] = {"sinkage", "m", "sinkage below the ground ahead"},
    [OUT_NORMAL] = {"normal", "N", "force of the soil across its surface"},
    [OUT_PULL] = {"pull", "N", "drawbar pull: force of the soil along the direction in which the wheel drives"},
    [OUT_SIDE] = {"side", "N", "force of the soil along the axle"},
    [OUT_TORQUE] = {"torque", "N*m", "torque that turns the wheel against the soil"},
    [OUT_RESISTANCE] = {"resistance", "N", "compaction resistance"},
    [OUT_ENTRY] = {"entry", "rad", "angle at which the rim enters the soil"},
    [OUT_ANGLE] = {"slip_angle", "rad", "angle between heading and travel"},
    [OUT_TRAVEL_SLIP] = {"travel_slip", "",
                         "slip of ARTEMIS, which the law takes: by the speed of travel, whatever its direction"},
};
/// In the order of the bits of RiWheelForce.doubts.
static const RiSoilName doubts[] = {
    {"sinkage", NULL, "the wheel is sunk deeper than half its radius"},
    {"slip", NULL, "the slip is beyond what the soil's numbers were fitted for"},
    {"slope", NULL, "the ground is steeper than the friction angle of the soil"},
    {"buried", NULL, "the wheel is sunk to its hub"},
    {"slip_angle", NULL, "the slip angle is beyond what the law was compared with"},
    {"lying", NULL, "the wheel leans over by more than 60 degrees: the ground carries it as if it were hard"},
};
enum { DOUBT_COUNT = sizeof doubts / sizeof *doubts, DOUBT_LYING = DOUBT_COUNT - 1 };

static const double OWN_STAMP = 1.5;  ///< reach of a wheel's own stamp ahead of its lowest line, in cells
static const double NEAR = 0.24;      ///< of the first station on either side, in radii: ruts are carried on from there
static const double SPREAD = 1.6;     ///< power by which stations are closer together where contacts mostly end
static const double FAR_BELOW = 10.0; ///< ground where there is none, in radii
static const double LYING = 0.5;      ///< cosine of the lean from which on a wheel lies on its side: 60 degrees
static const double LEAST_SPEED = 1e-3;          ///< of a wheel whose slip is looked at [m/s]
static const double REACH = 84.0 * M_PI / 180.0; ///< of the stations, as an angle at the hub

static RiWheelRun *wheel_of(RiSoilPart *part)
{
    return (RiWheelRun *)part; // its first member
}

// --- building ------------------------------------------------------------------------------------

/// The law of a region for a wheel: its soft layers, over hard ground if the next one is that.
static RiStatus make_law(RiSim *s, int index, double width, RiSoilLaw *law)
{
    const RiSoils *soils = ri_soil_map_soils(s->soil->map);
    const RiSoilRegion *region = ri_soil_map_region(s->soil->map, index);
    const int count = ri_soil_soft_layers(s->soil->map, index);
    const RiSoilOptions *o = &s->soil->options;
    double depth = 0.0;
    if (count == 0)
        return RI_OK;
    RI_TRY(ri_soil_check_law(s, index, true));
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
    // what a soil gives itself holds before what the scene gives to all
    if (!(law->given & 1u << RI_SOIL_COUPLED))
        law->coupled = o->coupled;
    if (!(law->given & 1u << RI_SOIL_BULLDOZING))
        law->bulldozing = o->bulldozing;
    if (!(law->given & 1u << RI_SOIL_PLOUGHING))
        law->ploughing = o->ploughing;
    law->rebound = o->rebound;
    law->damping = o->damping;
    law->unload_time = o->unload_time;
    law->shear_lag = o->shear_lag;
    law->slip_most = o->slip_most;
    law->angle_most = o->angle_most;
    if (count < region->layer_count) {
        law->base_depth = depth;
        law->base_stiffness = RI_BASE_STIFFNESS;
    }
    return RI_OK;
}

/// Stations along a wheel: one under the hub, one on either side of it from which ruts are carried
/// on (a length of the model, whatever the number of stations), the others from there to the reach.
static void place_stations(const RiSim *s, RiWheelRun *x, int count)
{
    const double r = x->wheel.radius, stamp = s->ruts ? OWN_STAMP * ri_ruts_cell(s->ruts) : 0.0;
    const double begin = ri_asin(fmin(fmax(stamp / r, NEAR), 0.8)), inner = (count % 2 ? 2.0 : 1.0) / (count - 1);
    x->ground.stations = count;
    for (int k = 0; k < count; k++) {
        const double u = 2.0 * k / (count - 1) - 1.0, out = fmax(0.0, (fabs(u) - inner) / (1.0 - inner));
        x->ground.x[k] =
            2 * k + 1 == count ? 0.0 : copysign(r * ri_sin(begin + (REACH - begin) * ri_pow(out, SPREAD)), u);
    }
}

static RiStatus make_wheel(RiSim *s, const RiWheelSpec *spec, int link, RiWheelRun *x)
{
    const RiSoilOptions *o = &s->soil->options;
    *x = (RiWheelRun){.part = {.kind = &ri_soil_wheel_kind,
                               .link = link,
                               .body = ri_model_link(s->m, link).body,
                               .pose = spec->pose,
                               .lever = spec->radius}};
    RI_TRY(ri_soil_wheel_init(s->ctx, spec->radius, spec->width, spec->crown, o->slices, &x->wheel));
    x->wheel.patches = o->patches;
    x->wheel.grousers = spec->grouser_count;
    x->wheel.grouser_height = spec->grouser_height;
    x->wheel.grouser_angle = spec->grouser_angle;
    x->wheel.grousers_full = o->grousers == RI_GROUSERS_FULL;
    if (o->lugs)
        ri_soil_wheel_lock_lugs(&x->wheel);
    const int regions = ri_soil_map_region_count(s->soil->map);
    x->part.name = ri_arena_string(&s->arena, spec->name ? spec->name : spec->link);
    x->laws = ri_arena_alloc(&s->arena, (size_t)regions, sizeof *x->laws);
    if (!x->part.name || !x->laws)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < regions; i++)
        RI_TRY(make_law(s, i, spec->width, &x->laws[i]));
    place_stations(s, x, o->stations);
    return ri_soil_add_part(s, &x->part, ri_wheel_memory_size(&x->wheel), RI_KEPT_ROOM);
}

/// Room for the ground around the largest wheel.
static RiStatus make_patch(RiSim *s)
{
    RiBermPatch *p = ri_arena_alloc(&s->arena, 1, sizeof *p);
    if (!p)
        return ri_error_memory(s->ctx);
    s->soil->patch = p;
    if (!s->ruts)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "soil: berms need ruts (key 'ruts' of the terrain)");
    for (int i = 0; i < s->soil->wheel_count; i++) {
        const RiSoilWheel *w = &s->soil->wheels[i].wheel;
        const int side = ri_berm_side(w->radius, w->width, ri_ruts_cell(s->ruts)), room = side * side;
        if (side == 0)
            return ri_error(s->ctx, RI_ERR_ARGUMENT,
                            "soil: berms around wheel '%s' of radius %g m need more than %d cells of %g m on a side; "
                            "larger cells are needed",
                            s->soil->wheels[i].part.name, w->radius, RI_BERM_SIDE_MAX, ri_ruts_cell(s->ruts));
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
    p->gain = ri_arena_alloc(&s->arena, (size_t)p->room, sizeof *p->gain);
    p->state = ri_arena_alloc(&s->arena, (size_t)p->room, sizeof *p->state);
    p->ways = ri_arena_alloc(&s->arena, (size_t)p->room, sizeof *p->ways);
    p->givers = ri_arena_alloc(&s->arena, (size_t)p->room, sizeof *p->givers);
    const bool whole = p->base && p->depth && p->loose && p->surface && p->near && p->gain && p->state && p->ways;
    return whole && p->givers ? RI_OK : ri_error_memory(s->ctx);
}

RiStatus ri_soil_add_wheels(RiSim *s, const RiSpec *spec)
{
    RiSoilForces *x = s->soil;
    x->wheels = ri_arena_alloc(&s->arena, (size_t)spec->wheel_count + 1, sizeof *x->wheels);
    if (!x->wheels)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < spec->wheel_count; i++) {
        const int link = ri_model_find_link(s->m, spec->wheels[i].link);
        if (link < 0 || ri_model_link(s->m, link).body < 0)
            continue;
        RI_TRY(make_wheel(s, &spec->wheels[i], link, &x->wheels[x->wheel_count]));
        x->wheel_of[link] = x->wheel_count++;
    }
    return x->wheel_count > 0 && x->options.berms ? make_patch(s) : RI_OK;
}

// --- the ground under a wheel --------------------------------------------------------------------

/// Depths of ruts under the stations of a slice, from the foremost on. A wheel that rolls meets
/// what lies ahead of it; what lies under and behind its lowest line bears its own stamp, cell by
/// cell, so there the depth ahead is carried on: the more so the more it rolls.
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

/// The line of stations of a slice, near the rim: one of Newton's steps from there is exact on a
/// plane.
typedef struct Line {
    int slice;
    RiVec3 base;
} Line;

static double line_up(const RiWheelRun *x)
{
    return -0.9 * x->wheel.radius;
}

/// Where the stations of a slice are, from the foremost on.
static void lay_line(const RiWheelRun *x, const Line *line, double *px, double *py)
{
    const int n = x->ground.stations, step = x->part.memory[0] >= 0.0 ? -1 : 1, first = step < 0 ? n - 1 : 0;
    for (int i = 0; i < n; i++) {
        const double at = x->ground.x[first + step * i];
        px[i] = line->base.x + at * x->part.R.m[0][0];
        py[i] = line->base.y + at * x->part.R.m[1][0];
    }
}

/// Heights under a slice, from the hub along the wheel's z. Ruts count by their depth alone: their
/// slopes are those of cells.
static void fill_slice(const RiSim *s, RiWheelRun *x, const Line *line, const double *px, const double *py,
                       const RiHeight *h, const bool *found)
{
    const double rolling = x->part.memory[0], from = line_up(x), along = x->part.R.m[2][0];
    const RiVec3 up = ri_vec3(x->part.R.m[0][2], x->part.R.m[1][2], x->part.R.m[2][2]);
    const int n = x->ground.stations, step = rolling >= 0.0 ? -1 : 1, first = rolling >= 0.0 ? n - 1 : 0;
    double rut[RI_STATION_MAX] = {0.0};
    if (s->ruts)
        find_ruts(s, x, rolling, px, py, rut);
    for (int i = 0; i < n; i++) {
        const int k = first + step * i;
        const double along_up = up.z - h[i].zx * up.x - h[i].zy * up.y,
                     above = h[i].z - rut[i] - (line->base.z + x->ground.x[k] * along);
        x->ground.z[line->slice][k] =
            found[i] ? from + above / (along_up > 0.1 ? along_up : 0.1) : -FAR_BELOW * x->wheel.radius;
    }
}

/// The ground under all slices that may lie on soft soil: one question for all of them.
static void fill_ground(const RiSim *s, RiWheelRun *x)
{
    const RiSoilWheel *w = &x->wheel;
    Line lines[RI_SLICE_MAX];
    double px[RI_SLICE_MAX * RI_STATION_MAX], py[RI_SLICE_MAX * RI_STATION_MAX];
    RiHeight h[RI_SLICE_MAX * RI_STATION_MAX];
    bool found[RI_SLICE_MAX * RI_STATION_MAX];
    const int n = x->ground.stations;
    int count = 0;
    px[0] = py[0] = 0.0;
    for (int i = 0; i < w->slices; i++) {
        const RiVec3 low = ri_wheel_run_place(x, 0.0, w->slice_y[i], -w->radius);
        const RiSoilLaw *law = &x->laws[ri_soil_map_region_at(s->soil->map, low.x, low.y)];
        x->ground.soil[i] = law->k > 0.0 ? law : NULL;
        if (!x->ground.soil[i])
            continue;
        lines[count] = (Line){i, ri_wheel_run_place(x, 0.0, w->slice_y[i], line_up(x))};
        lay_line(x, &lines[count], px + count * n, py + count * n);
        count++;
        for (int side = 0; side < 2 && s->ruts; side++)
            x->ground.packed[i][side] = x->part.kept[RI_KEPT_PACKED + 2 * i + side];
    }
    ri_terrain_slope_many(s->terrain, count * n, px, py, h, found);
    for (int k = 0; k < count; k++)
        fill_slice(s, x, &lines[k], px + k * n, py + k * n, h + k * n, found + k * n);
}

/// The direction of a wheel's axle in the world.
static RiVec3 axle_of(const RiWheelRun *x, const RiPose *link)
{
    const RiMat3 *R = &x->part.pose.R;
    return ri_rotate(&link->R, ri_vec3(R->m[0][1], R->m[1][1], R->m[2][1]));
}

bool ri_soil_find_lying(RiSim *s)
{
    bool changed = false;
    for (int i = 0; i < s->soil->wheel_count; i++) {
        RiWheelRun *x = &s->soil->wheels[i];
        const RiPose link = ri_dyn_frame_pose(s->d, x->part.link);
        const RiVec3 y = axle_of(x, &link);
        RiHeight h = {0};
        bool lying = false;
        if (y.z > 0.5 || y.z < -0.5) { // else it is upright on all but the steepest slopes
            const RiVec3 hub = ri_pose_point(&link, x->part.pose.p);
            lying = ri_terrain_height(s->terrain, hub.x, hub.y, &h);
        }
        const RiVec3 n = ri_vec3(-h.zx, -h.zy, 1.0);
        const double along = ri_dot(n, y);
        lying = lying && along * along > (1.0 - LYING * LYING) * ri_dot(n, n);
        changed |= lying != x->lying;
        x->lying = lying;
    }
    return changed;
}

/// The wheel frame: y along the axle, z in the plane of the axle and the ground's normal. False if
/// there is no ground under the hub.
static bool place_wheel(const RiSim *s, RiWheelRun *x)
{
    const RiPose link = ri_dyn_frame_pose(s->d, x->part.link);
    RiHeight h;
    x->part.origin = ri_pose_point(&link, x->part.pose.p);
    if (!ri_terrain_height(s->terrain, x->part.origin.x, x->part.origin.y, &h))
        return false;
    const RiVec3 y = axle_of(x, &link);
    const RiVec3 n = ri_vec3(-h.zx, -h.zy, 1.0), z = ri_sub(n, ri_scale(ri_dot(n, y), y));
    const double size = ri_norm(z);
    if (x->lying)
        return false;
    const RiVec3 up = ri_scale(1.0 / size, z);
    x->part.R = ri_mat3_from_cols(ri_cross(y, up), y, up);
    x->slope = sqrt(h.zx * h.zx + h.zy * h.zy);
    ri_soil_part_move(s, &x->part, link.p);
    return true;
}

static void find(RiSim *s, RiSoilPart *part)
{
    RiWheelRun *x = wheel_of(part);
    for (int k = 0; k < x->wheel.slices; k++)
        x->ground.soil[k] = NULL;
    if (place_wheel(s, x))
        fill_ground(s, x);
}

// --- forces --------------------------------------------------------------------------------------

static void evaluate(RiSim *s, RiSoilPart *part, double h)
{
    RiWheelRun *x = wheel_of(part);
    (void)s;
    ri_wheel_step(&x->wheel, &x->ground, part->memory, part->v, part->w, h, &x->step);
    part->law = (RiSoilWrench){x->step.touching, x->step.f.force, x->step.f.moment, x->step.slope, 0.0};
}

// --- after the solve -----------------------------------------------------------------------------

static void show(RiSim *s, RiWheelRun *x)
{
    double *out = x->part.out;
    RiWheelForce *f = &x->shown;
    for (int k = 0; k < x->wheel.slices && x->slope > 0.0 && x->step.touching; k++)
        if (x->ground.soil[k] && x->slope > x->ground.soil[k]->tan_phi)
            f->doubts |= RI_DOUBT_SLOPE;
    if (fabs(x->part.v_end.x) + fabs(x->part.v_end.y) + x->wheel.radius * fabs(x->part.w_end.y) < LEAST_SPEED)
        f->doubts &= ~(unsigned)(RI_DOUBT_SLIP | RI_DOUBT_ANGLE); // at rest: its slip is that of the last millimetres
    out[OUT_SLIP] = f->slip;
    out[OUT_SINKAGE] = f->sinkage;
    out[OUT_NORMAL] = f->force.z;
    out[OUT_PULL] = f->rolling < 0.0 ? -f->force.x : f->force.x; // whichever way the link's axes point
    out[OUT_SIDE] = f->force.y;
    out[OUT_TORQUE] = f->torque;
    out[OUT_RESISTANCE] = f->resistance;
    out[OUT_ENTRY] = f->entry;
    out[OUT_ANGLE] = x->step.touching ? ri_atan2(x->part.v_end.y, fabs(x->part.v_end.x)) : 0.0;
    out[OUT_TRAVEL_SLIP] = f->travel_slip;
    if (x->lying)
        f->doubts |= 1u << DOUBT_LYING;
    for (int k = 0; k < DOUBT_COUNT; k++)
        if (f->doubts & (1u << k))
            ri_sim_report_validity(s, x->part.flags[k]);
}

static RiStatus finish(RiSim *s, RiSoilPart *part, double h)
{
    RiWheelRun *x = wheel_of(part);
    x->shown = x->step.f;
    x->shown.force = part->end_force;
    x->shown.moment = part->end_moment;
    if (x->step.touching)
        x->shown.torque = -x->shown.moment.y;
    ri_wheel_remember(&x->wheel, &x->step, part->memory, part->v_end, part->w_end, h);
    part->law.stored = x->step.stored;
    if (part->damper > 0.0)
        ri_wheel_relax(&x->wheel, &x->step, ri_soil_part_left(part), part->memory);
    show(s, x);
    if (!s->ruts || !x->step.touching)
        return RI_OK;
    ri_wheel_run_follow(s, x, h);
    return ri_wheel_run_stamp(s, x, h);
}

/// A run does not begin with a hub in the ground: nobody knows how it came there, and soil that is
/// taken for pressed would throw it out.
static RiStatus check_start(RiSim *s, const RiSoilPart *part)
{
    const RiWheelRun *x = (const RiWheelRun *)part;
    for (int k = 0; k < x->wheel.slices && x->step.touching; k++)
        if (x->step.place[k].soil && x->step.place[k].over > 0.0)
            return ri_error(s->ctx, RI_ERR_ARGUMENT,
                            "soil: wheel '%s' starts buried, its hub %.3g m below the ground at (%.3f, %.3f); start "
                            "it higher",
                            part->name, x->step.place[k].over, part->origin.x, part->origin.y);
    return RI_OK;
}

const RiSoilKind ri_soil_wheel_kind = {
    .outputs = outputs,
    .doubts = doubts,
    .output_count = OUT_COUNT,
    .doubt_count = DOUBT_COUNT,
    .stored_at = RI_KEPT_STORED,
    .find = find,
    .evaluate = evaluate,
    .check_start = check_start,
    .finish = finish,
};

// --- questions -----------------------------------------------------------------------------------

int ri_sim_soil_wheel_count(const RiSim *s)
{
    return s->soil ? s->soil->wheel_count : 0;
}

const RiWheelForce *ri_sim_soil_wheel(const RiSim *s, int wheel, const char **out_name, int *out_link)
{
    const RiWheelRun *x = &s->soil->wheels[wheel];
    if (out_name)
        *out_name = x->part.name;
    if (out_link)
        *out_link = x->part.link;
    return &x->shown;
}

RiSoilMoved ri_sim_soil_moved(const RiSim *s, int wheel)
{
    if (!s->soil->patch)
        return (RiSoilMoved){0};
    const double *at = s->soil->wheels[wheel].part.kept, cell = ri_ruts_cell(s->ruts), one = cell * cell * RI_QUANTUM;
    return (RiSoilMoved){.compacted = one * at[RI_KEPT_COMPACTED],
                         .displaced = one * at[RI_KEPT_DISPLACED],
                         .dug = one * at[RI_KEPT_DUG]};
}
