// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bodies in soft soil: chassis, struts, heads and cores that sink in, drag and plough
/// (docs/theory/body-soil.md).
///
/// The surface of a link's collision shapes is cut into panels, each a point p with an outward
/// normal m and an area A. A panel at the depth z below ground of normal n carries
///
///     N = A max(0, -m.n) p(z),   p(z) = k (z / unit)^n0                        [bekker1969]: plate pressure
///     T <= c A max(0, -m.n) + N tan(phi) + A max(0, m.d) s(z)                    shear, and passive pressure on the leading side
///     s(z) = K_p gamma z + 2 c sqrt(K_p)                                          [terzaghi1943]
///
/// with d the direction of sliding; T grows with the way j as T min(1, j / K). Unloading goes down
/// a steep line from the deepest z, which is forgotten as the panel moves on to fresh soil. Memory
/// of a panel: deepest z, and j in the link's frame. Bodies leave no ruts. Test:
/// tests/sim/test_soil_body.c (plate, drag limit, ploughing force, rest).
#include <math.h>
#include <string.h>

#include <rille/plugin.h>

#include "base/functions.h"
#include "math/snap.h"
#include "sim/force/soil.h"
#include "sim/force/touches.h"
#include "sim/options.h"
#include "soil/wheel.h"
#include "terrain/ruts.h"

enum { OUT_NORMAL, OUT_DRAG, OUT_SINKAGE, OUT_COUNT };
static const RiSoilName outputs[OUT_COUNT] = {
    [OUT_NORMAL] = {"normal", "N", "force of the soil on the body across the ground"},
    [OUT_DRAG] = {"drag", "N", "force of the soil on the body along the ground"},
    [OUT_SINKAGE] = {"sinkage", "m", "depth of the body's deepest panel"},
};
enum { DOUBT_BURIED, DOUBT_COUNT };
static const RiSoilName doubts[DOUBT_COUNT] = {
    {"buried", NULL, "soil closes over the body: the weight of soil on it is not modelled"},
};

/// Memory of a panel.
enum { DEEPEST, SHEAR_X, SHEAR_Y, SHEAR_Z, PANEL_ROOM };
enum { KEPT_STORED, KEPT_ROOM };

/// A piece of a link's surface, in the link frame: its middle, outward normal and half edges.
typedef struct Panel {
    RiVec3 p, m, a, b;
    double area, side; ///< [m^2]; longer edge [m]
    int shape;         ///< its soils among those of the link
} Panel;

/// The soil of a region for a plate of a width.
typedef struct PlateSoil {
    double k, unit, n;
    double cohesion, tan_phi, passive, weight, shear;
    double unload, unload_time, lag;
    double base; ///< depth of hard ground [m]
    const RiSoilPlugin *plugin;
    const double *numbers;
    RiSoilPlate plate;
} PlateSoil;

/// A panel in a step, in the link's frame.
typedef struct Pressed {
    int panel;
    const PlateSoil *soil;
    RiVec3 n;           ///< of the ground
    double z;           ///< mean depth of the part in the soil [m]
    double area;        ///< of that part [m^2]
    double facing;      ///< share of it that faces the ground
    double push, slope; ///< normal force [N], and its slope [N s/m]
    double shear;       ///< shear force per way [N/m]
} Pressed;

struct RiBodyRun {
    RiSoilPart part; ///< first: in the link frame
    Panel *panels;
    int panel_count, panel_room, shape_count;
    PlateSoil *soils; ///< [shape][region]
    int slot;         ///< of its link among those of the contacts
    Pressed *pressed;
    int pressed_count;
    double slope[6][6];
    bool buried;
    double *px, *py, *rut;
    RiHeight *heights;
    bool *found;
};

static RiBodyRun *body_of(RiSoilPart *part)
{
    return (RiBodyRun *)part; // its first member
}

// --- building ------------------------------------------------------------------------------------

enum { ALONG = 4, AROUND = 6 }; ///< panels along the longest side of a shape; around a round one

static void put(RiBodyRun *x, const RiPose *pose, RiVec3 p, RiVec3 m, RiVec3 a, RiVec3 b)
{
    if (x->panels)
        x->panels[x->panel_count] = (Panel){.p = ri_pose_point(pose, p),
                                            .m = ri_rotate(&pose->R, m),
                                            .a = ri_rotate(&pose->R, a),
                                            .b = ri_rotate(&pose->R, b),
                                            .area = 4.0 * ri_norm(ri_cross(a, b)),
                                            .side = 2.0 * fmax(ri_norm(a), ri_norm(b)),
                                            .shape = x->shape_count};
    x->panel_count++;
}

static RiVec3 turned(int axis, double u, double v, double w)
{
    return axis == 0 ? ri_vec3(w, u, v) : axis == 1 ? ri_vec3(v, w, u) : ri_vec3(u, v, w);
}

/// Panels of the two faces of a box across an axis.
static void put_faces(RiBodyRun *x, const RiShapeSpec *s, int axis, double size)
{
    const double a = s->size[(axis + 1) % 3], b = s->size[(axis + 2) % 3], c = s->size[axis];
    const int n = (int)ceil(a / size - 1e-9), m = (int)ceil(b / size - 1e-9);
    for (int i = 0; i < n * m; i++)
        for (int side = -1; side <= 1; side += 2) {
            const double u = a * ((i % n + 0.5) / n - 0.5), v = b * ((i / n + 0.5) / m - 0.5);
            put(x, &s->pose, turned(axis, u, v, 0.5 * side * c), turned(axis, 0.0, 0.0, side),
                turned(axis, 0.5 * a / n, 0.0, 0.0), turned(axis, 0.0, 0.5 * b / m, 0.0));
        }
}

static void put_box(RiBodyRun *x, const RiShapeSpec *s)
{
    const double size = fmax(s->size[0], fmax(s->size[1], s->size[2])) / ALONG;
    for (int axis = 0; axis < 3; axis++)
        put_faces(x, s, axis, size);
}

/// A cylinder along z with flat ends, or the round part of a capsule with a panel on each end.
static void put_round(RiBodyRun *x, const RiShapeSpec *s, double end)
{
    const double r = s->size[0], length = s->size[1], pi = M_PI, disc = 0.5 * sqrt(pi) * r;
    const int n = (int)ceil(fmax(1.0, fmin((double)ALONG, length / r)));
    for (int i = 0; i < n * AROUND; i++) {
        const double t = 2.0 * pi * (i % AROUND + 0.5) / AROUND, z = length * ((i / AROUND + 0.5) / n - 0.5);
        const RiVec3 m = ri_vec3(ri_cos(t), ri_sin(t), 0.0), around = ri_vec3(-m.y, m.x, 0.0);
        put(x, &s->pose, ri_vec3(r * m.x, r * m.y, z), m, ri_vec3(0.0, 0.0, 0.5 * length / n),
            ri_scale(pi * r / AROUND, around));
    }
    for (int side = -1; side <= 1; side += 2)
        put(x, &s->pose, ri_vec3(0.0, 0.0, side * (0.5 * length + end)), ri_vec3(0.0, 0.0, side),
            ri_vec3(disc, 0.0, 0.0), ri_vec3(0.0, disc, 0.0));
}

/// A ball: panels around it in rows of equal height, which have equal areas.
static void put_ball(RiBodyRun *x, const RiShapeSpec *s)
{
    const double r = s->size[0], pi = M_PI;
    for (int i = 0; i < ALONG * AROUND; i++) {
        const double t = 2.0 * pi * (i % AROUND + 0.5) / AROUND, c = 2.0 * (i / AROUND + 0.5) / ALONG - 1.0,
                     ring = sqrt(1.0 - c * c);
        const RiVec3 m = ri_vec3(ring * ri_cos(t), ring * ri_sin(t), c), around = ri_vec3(-ri_sin(t), ri_cos(t), 0.0);
        put(x, &s->pose, ri_scale(r, m), m, ri_scale(r / (ring * ALONG), ri_cross(m, around)),
            ri_scale(pi * r * ring / AROUND, around));
    }
}

static bool is_body_shape(const RiSpec *spec, int i, const char *link)
{
    const RiShapeSpec *x = &spec->shapes[i];
    return (x->use & (RI_SHAPE_COLLISION | RI_SHAPE_GROUND)) && strcmp(x->link, link) == 0;
}

/// Counts the panels of a link, or puts them where there is room.
static void put_all(RiBodyRun *x, const RiSpec *spec, const char *link)
{
    x->panel_count = x->shape_count = 0;
    for (int i = 0; i < spec->shape_count; i++) {
        if (!is_body_shape(spec, i, link))
            continue;
        const RiShapeSpec *s = &spec->shapes[i];
        switch (s->type) {
        case RI_SHAPE_BOX:
            put_box(x, s);
            break;
        case RI_SHAPE_CYLINDER:
            put_round(x, s, 0.0);
            break;
        case RI_SHAPE_CAPSULE:
            put_round(x, s, s->size[0]);
            break;
        case RI_SHAPE_SPHERE:
            put_ball(x, s);
            break;
        case RI_SHAPE_MESH: // it touches as on hard ground
            break;
        }
        x->shape_count++;
    }
}

/// The width of the plate that a shape presses with: the second of a box's sides, a diameter.
static double plate_width(const RiShapeSpec *s)
{
    if (s->type != RI_SHAPE_BOX)
        return 2.0 * s->size[0];
    const double a = s->size[0], b = s->size[1], c = s->size[2];
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

static RiStatus make_soil(RiSim *s, int region, double width, PlateSoil *out)
{
    const RiSoilRegion *r = ri_soil_map_region(s->soil->map, region);
    const int count = ri_soil_soft_layers(s->soil->map, region);
    RiSoilLaw law;
    *out = (PlateSoil){.k = 0.0};
    if (count == 0)
        return RI_OK;
    RI_TRY(ri_soil_check_law(s, region, true));
    RI_TRY(ri_soil_law_init(s->ctx, ri_soils_get(ri_soil_map_soils(s->soil->map), r->layers[0].soil), width,
                            ri_norm(s->options.gravity), &law));
    *out = (PlateSoil){.k = law.k,
                       .unit = law.unit,
                       .n = law.n0,
                       .cohesion = law.cohesion,
                       .tan_phi = law.tan_phi,
                       .plugin = law.plugin,
                       .numbers = law.plugin_numbers,
                       .plate = {.width = width, .gravity = ri_norm(s->options.gravity)},
                       .passive = law.passive,
                       .weight = law.unit_weight,
                       .shear = law.kx,
                       .unload = s->soil->options.unload,
                       .unload_time = s->soil->options.unload_time,
                       .lag = s->soil->options.shear_lag,
                       .base = INFINITY};
    if (count < r->layer_count) {
        out->base = 0.0;
        for (int i = 0; i < count; i++)
            out->base += r->layers[i].thickness;
    }
    return RI_OK;
}

static RiStatus make_room(RiSim *s, RiBodyRun *x, int regions)
{
    const size_t n = (size_t)x->panel_count + 1;
    x->panels = ri_arena_alloc(&s->arena, n, sizeof *x->panels);
    x->soils = ri_arena_alloc(&s->arena, (size_t)(x->shape_count * regions) + 1, sizeof *x->soils);
    x->pressed = ri_arena_alloc(&s->arena, n, sizeof *x->pressed);
    x->px = ri_arena_alloc(&s->arena, 3 * n, sizeof *x->px);
    x->heights = ri_arena_alloc(&s->arena, n, sizeof *x->heights);
    x->found = ri_arena_alloc(&s->arena, n, sizeof *x->found);
    if (!x->panels || !x->soils || !x->pressed || !x->px || !x->heights || !x->found)
        return ri_error_memory(s->ctx);
    x->py = x->px + n;
    x->rut = x->py + n;
    return RI_OK;
}

static RiStatus make_body(RiSim *s, const RiSpec *spec, int slot, RiBodyRun *x)
{
    const int link = s->contacts->links[slot].link, regions = ri_soil_map_region_count(s->soil->map);
    const char *name = s->m->links[link].name;
    *x = (RiBodyRun){.part = {.kind = &ri_soil_body_kind,
                              .link = link,
                              .body = ri_model_link(s->m, link).body,
                              .pose = ri_pose_identity(),
                              .lever = s->contacts->links[slot].radius,
                              .name = name},
                     .slot = slot};
    put_all(x, spec, name);
    RI_TRY(make_room(s, x, regions));
    put_all(x, spec, name);
    for (int i = 0, shape = 0; i < spec->shape_count; i++) {
        if (!is_body_shape(spec, i, name))
            continue;
        for (int r = 0; r < regions; r++)
            RI_TRY(make_soil(s, r, plate_width(&spec->shapes[i]), &x->soils[shape * regions + r]));
        shape++;
    }
    return ri_soil_add_part(s, &x->part, PANEL_ROOM * x->panel_count, KEPT_ROOM);
}

/// Links that touch with nothing but shapes, none of them a mesh.
static bool is_body(const RiSim *s, const RiSpec *spec, int slot)
{
    const RiContactLink *x = &s->contacts->links[slot];
    if (!x->shaped || x->body < 0)
        return false;
    for (int i = 0; i < spec->shape_count; i++)
        if (is_body_shape(spec, i, s->m->links[x->link].name) && spec->shapes[i].type == RI_SHAPE_MESH)
            return false;
    return true;
}

RiStatus ri_soil_add_bodies(RiSim *s, const RiSpec *spec)
{
    RiSoilForces *x = s->soil;
    x->bodies = ri_arena_alloc(&s->arena, (size_t)s->contacts->link_count + 1, sizeof *x->bodies);
    if (!x->bodies)
        return ri_error_memory(s->ctx);
    for (int l = 0; l < s->contacts->link_count; l++) {
        if (!is_body(s, spec, l))
            continue;
        RI_TRY(make_body(s, spec, l, &x->bodies[x->body_count]));
        x->body_of[s->contacts->links[l].link] = x->body_count++;
    }
    return RI_OK;
}

// --- the ground under a body ---------------------------------------------------------------------

/// Heights of the ground and ruts at all panels.
static void sample(RiSim *s, RiBodyRun *x)
{
    for (int i = 0; i < x->panel_count; i++) {
        const RiVec3 p = ri_add(x->part.origin, ri_rotate(&x->part.R, x->panels[i].p));
        x->px[i] = p.x;
        x->py[i] = p.y;
        x->rut[i] = 0.0;
    }
    ri_terrain_height_many(s->terrain, x->panel_count, x->px, x->py, x->heights, x->found);
    if (s->ruts)
        ri_ruts_depth_many(s->ruts, x->panel_count, x->px, x->py, x->rut);
}

/// The part of a panel that is in the soil; false: none of it is. Its edges reach `half` beyond its
/// middle, along the ground's normal.
static bool sink(const Panel *panel, RiVec3 n, double depth, Pressed *t)
{
    const double half = fabs(ri_dot(panel->a, n)) + fabs(ri_dot(panel->b, n));
    if (!(depth + half > 0.0))
        return false;
    const double share = depth < half ? (depth + half) / (2.0 * half) : 1.0, away = ri_dot(panel->m, n);
    t->n = n;
    t->z = depth < half ? 0.5 * (depth + half) : depth;
    t->area = share * panel->area;
    t->facing = fmax(0.0, -away);
    return true;
}

/// Takes the panels that are in soft soil.
static void choose(RiSim *s, RiBodyRun *x)
{
    const int regions = ri_soil_map_region_count(s->soil->map);
    for (int i = 0; i < x->panel_count; i++) {
        const RiHeight *h = &x->heights[i];
        const Panel *panel = &x->panels[i];
        const double z = x->part.origin.z + ri_rotate(&x->part.R, panel->p).z,
                     up = 1.0 / sqrt(1.0 + h->zx * h->zx + h->zy * h->zy), depth = (h->z - x->rut[i] - z) * up;
        if (!x->found[i] || !(depth + panel->side > 0.0))
            continue;
        const PlateSoil *soil =
            &x->soils[panel->shape * regions + ri_soil_map_region_at(s->soil->map, x->px[i], x->py[i])];
        const RiVec3 n = ri_rotate_back(&x->part.R, ri_scale(up, ri_vec3(-h->zx, -h->zy, 1.0)));
        Pressed t = {.panel = i, .soil = soil};
        if (!(soil->k > 0.0) || !sink(panel, n, depth, &t))
            continue;
        x->buried |= ri_dot(panel->m, n) > 0.5;
        x->pressed[x->pressed_count++] = t;
    }
}

static void find(RiSim *s, RiSoilPart *part)
{
    RiBodyRun *x = body_of(part);
    x->pressed_count = 0;
    x->buried = false;
    part->law.touching = false;
    if (s->touches->work.reach[x->slot].far)
        return;
    const RiPose pose = ri_dyn_frame_pose(s->d, part->link);
    part->origin = pose.p;
    part->R = pose.R;
    sample(s, x);
    choose(s, x);
    if (x->pressed_count)
        ri_soil_part_move(s, part, pose.p);
}

// --- forces --------------------------------------------------------------------------------------

/// Pressure of a plate that sinks to z for the first time, and its slope.
static double pressure(const PlateSoil *p, double z, double *out_slope)
{
    const double at = fmax(z, 1e-6), over = fmax(0.0, z - p->base);
    double press = NAN, slope = NAN;
    if (p->plugin) {
        p->plugin->press(p->numbers, &p->plate, 1, &at, &press, &slope);
        press = press >= 0.0 ? press : NAN;
        slope = slope > 0.0 ? slope : 0.0;
    } else {
        press = p->k * ri_pow(at / p->unit, p->n);
        slope = p->n * press / at;
    }
    *out_slope = slope + (over > 0.0 ? RI_BASE_STIFFNESS : 0.0);
    return press + RI_BASE_STIFFNESS * over;
}

/// Shear strength of the soil that a panel presses on [N].
static double strength_under(const Pressed *t)
{
    const PlateSoil *p = t->soil;
    const double area = t->area * t->facing;
    if (p->plugin && p->plugin->strength && area > 0.0)
        return area * p->plugin->strength(p->numbers, &p->plate, fmax(t->z, 1e-6), t->push / area);
    return p->cohesion * t->area * t->facing + t->push * p->tan_phi;
}

/// Normal force of a panel at the end of a step in which it goes on moving away from the ground at
/// `away`: it sinks on where it is as deep as it ever was, and else goes along the line of
/// unloading, damped on its way up.
static void push(const RiBodyRun *x, Pressed *t, double away, double h)
{
    const PlateSoil *p = t->soil;
    const double area = t->area * t->facing, deepest = x->part.memory[PANEL_ROOM * t->panel + DEEPEST];
    const double from = fmax(deepest, t->z), first = h + (away > 0.0 ? p->unload_time : 0.0);
    double slope;
    const double top = pressure(p, from, &slope);
    const bool sinks = t->z - h * away >= deepest && away <= 0.0;
    const double per = sinks ? h * slope : first * p->unload;
    const double now = top - (sinks ? slope : p->unload) * (from - t->z) - per * away;
    t->push = fmax(0.0, area * now);
    t->slope = now > 0.0 ? area * per : 0.0;
}

/// Shear of a panel per way, so that its force stays within the strength of the soil; `way` is that
/// of its spring at the end of the step.
static double shear(const RiBodyRun *x, const Pressed *t, RiVec3 way)
{
    const PlateSoil *p = t->soil;
    const Panel *panel = &x->panels[t->panel];
    const double size = ri_norm(way), lead = size > 0.0 ? fmax(0.0, ri_dot(panel->m, way) / size) : 0.0;
    const double ahead = p->passive * p->weight * t->z + 2.0 * p->cohesion * sqrt(p->passive);
    const double strength = strength_under(t) + t->area * lead * ahead;
    return strength / fmax(p->shear, size);
}

static RiVec3 along_ground(RiVec3 v, RiVec3 n)
{
    return ri_sub(v, ri_scale(ri_dot(v, n), n));
}

/// slope += G^T s G for a velocity v + w x r.
static void add_slope(double slope[6][6], RiVec3 r, RiVec3 n, double normal, double along)
{
    const double G[3][6] = {
        {0.0, r.z, -r.y, 1.0, 0.0, 0.0}, {-r.z, 0.0, r.x, 0.0, 1.0, 0.0}, {r.y, -r.x, 0.0, 0.0, 0.0, 1.0}};
    const double m[3] = {n.x, n.y, n.z};
    double sG[3][6] = {{0.0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 6; c++)
                sG[i][c] += ((normal - along) * m[i] * m[k] + (i == k ? along : 0.0)) * G[k][c];
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            for (int i = 0; i < 3; i++)
                slope[a][b] += G[i][a] * sG[i][b];
}

static void evaluate(RiSim *s, RiSoilPart *part, double h)
{
    RiBodyRun *x = body_of(part);
    RiVec3 force = {0.0, 0.0, 0.0}, moment = {0.0, 0.0, 0.0};
    (void)s;
    memset(x->slope, 0, sizeof x->slope);
    for (int k = 0; k < x->pressed_count; k++) {
        Pressed *t = &x->pressed[k];
        const RiVec3 r = x->panels[t->panel].p, v = ri_add(part->v, ri_cross(part->w, r));
        const double *j = part->memory + PANEL_ROOM * t->panel, ahead = h + t->soil->lag;
        push(x, t, ri_dot(v, t->n), h);
        const RiVec3 way = along_ground(ri_add(ri_vec3(j[SHEAR_X], j[SHEAR_Y], j[SHEAR_Z]), ri_scale(ahead, v)), t->n);
        t->shear = shear(x, t, way);
        const RiVec3 f = ri_sub(ri_scale(t->push, t->n), ri_scale(t->shear, way));
        force = ri_add(force, f);
        moment = ri_add(moment, ri_cross(r, f));
        add_slope(x->slope, r, t->n, t->slope, ahead * t->shear);
    }
    part->law = (RiSoilWrench){x->pressed_count > 0, force, moment, x->slope, 0.0};
}

// --- after the solve -----------------------------------------------------------------------------

/// What a panel remembers at the end of the step. Returns the energy that its soil could give back.
static double remember(RiBodyRun *x, const Pressed *t, double left, double h)
{
    const RiSoilPart *part = &x->part;
    const Panel *panel = &x->panels[t->panel];
    double *at = part->memory + PANEL_ROOM * t->panel;
    const RiVec3 v = ri_add(part->v_end, ri_cross(part->w_end, panel->p)), along = along_ground(v, t->n);
    const double z = fmax(0.0, t->z - h * ri_dot(v, t->n)), moved = fmin(1.0, h * ri_norm(along) / panel->side);
    at[DEEPEST] = fmax(z, at[DEEPEST] - moved * fmax(0.0, at[DEEPEST] - z));
    RiVec3 j = ri_add(along_ground(ri_vec3(at[SHEAR_X], at[SHEAR_Y], at[SHEAR_Z]), t->n), ri_scale(h, along));
    const double size = ri_norm(j), most = t->soil->shear;
    j = ri_scale(left * (size > most ? most / size : 1.0), j);
    at[SHEAR_X] = j.x, at[SHEAR_Y] = j.y, at[SHEAR_Z] = j.z;
    const double stiff = t->area * t->facing * t->soil->unload;
    return 0.5 * (t->shear * ri_dot(j, j) + (stiff > 0.0 ? t->push * t->push / stiff : 0.0));
}

/// Panels out of the soil forget.
static void forget_others(RiBodyRun *x)
{
    for (int i = 0, k = 0; i < x->panel_count; i++) {
        if (k < x->pressed_count && x->pressed[k].panel == i) {
            k++;
            continue;
        }
        memset(x->part.memory + PANEL_ROOM * i, 0, PANEL_ROOM * sizeof *x->part.memory);
    }
}

static RiStatus finish(RiSim *s, RiSoilPart *part, double h)
{
    RiBodyRun *x = body_of(part);
    const bool was = part->out[OUT_SINKAGE] > 0.0;
    part->out[OUT_NORMAL] = part->out[OUT_DRAG] = part->out[OUT_SINKAGE] = 0.0;
    if (x->pressed_count == 0 && !was)
        return RI_OK;
    const double left = part->damper > 0.0 ? ri_soil_part_left(part) : 1.0;
    RiVec3 up = {0.0, 0.0, 0.0};
    for (int k = 0; k < x->pressed_count; k++) {
        part->law.stored += remember(x, &x->pressed[k], left, h);
        part->out[OUT_SINKAGE] = fmax(part->out[OUT_SINKAGE], x->pressed[k].z);
        up = ri_add(up, ri_scale(x->pressed[k].push, x->pressed[k].n));
    }
    forget_others(x);
    ri_snap(part->memory, (size_t)(PANEL_ROOM * x->panel_count + KEPT_ROOM));
    if (x->buried)
        ri_sim_report_validity(s, part->flags[DOUBT_BURIED]);
    const double size = ri_norm(up);
    if (size > 0.0) {
        const RiVec3 n = ri_scale(1.0 / size, up);
        part->out[OUT_NORMAL] = ri_dot(part->end_force, n);
        part->out[OUT_DRAG] = ri_norm(along_ground(part->end_force, n));
    }
    return RI_OK;
}

const RiSoilKind ri_soil_body_kind = {
    .outputs = outputs,
    .doubts = doubts,
    .output_count = OUT_COUNT,
    .doubt_count = DOUBT_COUNT,
    .snaps = true,
    .stored_at = KEPT_STORED,
    .find = find,
    .evaluate = evaluate,
    .finish = finish,
};

int ri_sim_soil_body_count(const RiSim *s)
{
    return s->soil ? s->soil->body_count : 0;
}
