// SPDX-License-Identifier: Apache-2.0
/// \file
/// An obstacle course: a lane along x with steps, ramps, a side slope, a washboard, a ditch and a
/// rock field, each labelled.
///
/// The obstacles are laid as solid parts, one after the other; heights are then read off the parts.
/// With `as = bodies` the parts themselves are given too, so that edges are sharp and rocks have
/// their undersides.
#include <stdio.h>

#include "terrain/make.h"

enum {
    WIDTH,
    CELL,
    STEPS,
    STEP_HIGH,
    RAMPS,
    RAMP_HIGH,
    RAMP_STEEPEST,
    SIDE,
    LOG,
    DITCH,
    DITCH_DEPTH,
    COVER,
    ROCK_HIGH,
    FIELD,
    GAP,
    AS
};

static const RiMakeParam params[] = {
    {"width", "m", 4.0, 0.1, 1e3, NULL, "of the lane"},
    {"cell", "m", 0.05, 1e-3, 10.0, NULL, "distance of neighbouring heights"},
    {"steps", "", 4.0, 0.0, 20.0, NULL, "number of steps"},
    {"step_high", "m", 0.2, 1e-3, 10.0, NULL, "height of the last step; the others lead up to it evenly"},
    {"ramps", "", 3.0, 0.0, 20.0, NULL, "number of ramps, up and down again"},
    {"ramp_high", "m", 0.5, 1e-2, 100.0, NULL, "height of the ramps"},
    {"ramp_steepest", "deg", 30.0 * MAKE_DEG, 1.0 * MAKE_DEG, 60.0 * MAKE_DEG, NULL, "slope of the last ramp"},
    {"side", "deg", 15.0 * MAKE_DEG, 0.0, 45.0 * MAKE_DEG, NULL, "slope across the lane"},
    {"log", "m", 0.08, 0.0, 5.0, NULL, "radius of the six half logs of the washboard; 0: none"},
    {"ditch", "m", 0.3, 0.0, 100.0, NULL, "width of the ditch; 0: none"},
    {"ditch_depth", "m", 0.2, 1e-3, 100.0, NULL, "depth of the ditch"},
    {"cover", "", 0.1, 0.0, 0.3, NULL, "of the rock field, see kind rocks; 0: none"},
    {"rock_high", "m", 0.5, 0.12, 10.0, NULL, "greatest rock; the least is 0.1 m"},
    {"field", "m", 6.0, 0.5, 1e3, NULL, "length of side slope and rock field"},
    {"gap", "m", 1.5, 0.1, 100.0, NULL, "level way between obstacles"},
    {"as", "", 0, 0, 1, "height|bodies", "heights only, or sharp bodies beside them"}};

enum { MOST_FIXED = 128 };

typedef struct Course {
    Make *m;
    double x; ///< how far the course has come
    RiGroundPart parts[MOST_FIXED];
    int part_count;
} Course;

static void add_part(Course *c, RiGroundShape shape, RiMat3 R, RiVec3 p, RiVec3 size)
{
    c->parts[c->part_count++] =
        (RiGroundPart){.shape = shape, .pose = {R, p}, .a = size.x, .b = size.y, .c = size.z, .material = "ground"};
}

static RiStatus label(Course *c, const char *text, double length, double size)
{
    const char *kept = ri_arena_string(c->m->keep, text);
    if (!kept)
        return ri_error_memory(c->m->ctx);
    make_feature(c->m, (RiMadeFeature){kept, {c->x + 0.5 * length, 0.0, 0.0}, size, 0.0});
    c->x += length + c->m->v[GAP];
    return RI_OK;
}

static RiStatus add_steps(Course *c)
{
    const double *v = c->m->v;
    const int count = (int)v[STEPS];
    for (int i = 0; i < count; i++) {
        const double height = v[STEP_HIGH] * (i + 1) / count, length = 1.0;
        char text[64];
        snprintf(text, sizeof text, "step %.3f m", height);
        add_part(c, RI_GROUND_BOX, ri_mat3_identity(), ri_vec3(c->x + 0.5 * length, 0.0, 0.0),
                 ri_vec3(0.5 * length, 0.5 * v[WIDTH], height));
        RI_TRY(label(c, text, length, height));
    }
    return RI_OK;
}

static const RiMat3 backwards = {{{-1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, 1.0}}};
static const RiMat3 leftwards = {{{0.0, -1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}}}; ///< x goes to y
static const RiMat3 lying = {{{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}}};     ///< z goes to y

static RiStatus add_ramps(Course *c)
{
    const double *v = c->m->v, height = v[RAMP_HIGH], top = 1.0;
    const int count = (int)v[RAMPS];
    for (int i = 0; i < count; i++) {
        const double angle = v[RAMP_STEEPEST] * (i + 1) / count, run = height / make_tan(angle);
        char text[64];
        snprintf(text, sizeof text, "ramp %.1f deg", angle / MAKE_DEG);
        add_part(c, RI_GROUND_RAMP, ri_mat3_identity(), ri_vec3(c->x, 0.0, 0.0), ri_vec3(run, height, v[WIDTH]));
        add_part(c, RI_GROUND_BOX, ri_mat3_identity(), ri_vec3(c->x + run + 0.5 * top, 0.0, 0.0),
                 ri_vec3(0.5 * top, 0.5 * v[WIDTH], height));
        add_part(c, RI_GROUND_RAMP, backwards, ri_vec3(c->x + 2.0 * run + top, 0.0, 0.0),
                 ri_vec3(run, height, v[WIDTH]));
        RI_TRY(label(c, text, 2.0 * run + top, height));
    }
    return RI_OK;
}

static RiStatus add_side_slope(Course *c)
{
    const double *v = c->m->v;
    char text[64];
    if (!(v[SIDE] > 0.0))
        return RI_OK;
    snprintf(text, sizeof text, "side slope %.1f deg", v[SIDE] / MAKE_DEG);
    add_part(c, RI_GROUND_RAMP, leftwards, ri_vec3(c->x + 0.5 * v[FIELD], -0.5 * v[WIDTH], 0.0),
             ri_vec3(v[WIDTH], v[WIDTH] * make_tan(v[SIDE]), v[FIELD]));
    return label(c, text, v[FIELD], v[WIDTH] * make_tan(v[SIDE]));
}

static RiStatus add_washboard(Course *c)
{
    enum { LOGS = 6 };
    const double *v = c->m->v, pitch = 4.0 * v[LOG];
    char text[64];
    if (!(v[LOG] > 0.0))
        return RI_OK;
    snprintf(text, sizeof text, "washboard %.3f m", v[LOG]);
    for (int i = 0; i < LOGS; i++)
        add_part(c, RI_GROUND_PILLAR, lying, ri_vec3(c->x + (i + 0.5) * pitch, 0.0, 0.0),
                 ri_vec3(v[LOG], 0.5 * v[WIDTH], 0.0));
    return label(c, text, LOGS * pitch, v[LOG]);
}

static RiStatus add_ditch(Course *c)
{
    const double *v = c->m->v;
    char text[64];
    if (!(v[DITCH] > 0.0))
        return RI_OK;
    snprintf(text, sizeof text, "ditch %.3f m", v[DITCH]);
    add_part(c, RI_GROUND_BOX, ri_mat3_identity(), ri_vec3(c->x + 0.5 * v[DITCH], 0.0, 0.0),
             ri_vec3(0.5 * v[DITCH], 0.5 * v[WIDTH], v[DITCH_DEPTH]));
    c->parts[c->part_count - 1].hole = true;
    return label(c, text, v[DITCH], v[DITCH_DEPTH]);
}

/// Height of a part's upper side at (x, y); 0 where it is not.
static double part_top(const RiGroundPart *p, double x, double y)
{
    const RiVec3 at = ri_rotate_back(&p->pose.R, ri_sub(ri_vec3(x, y, 0.0), p->pose.p));
    switch (p->shape) {
    case RI_GROUND_BOX:
        return fabs(at.x) <= p->a && fabs(at.y) <= p->b ? p->c : 0.0;
    case RI_GROUND_RAMP:
        return at.x >= 0.0 && at.x <= p->a && fabs(at.y) <= 0.5 * p->c ? p->b * at.x / p->a : 0.0;
    case RI_GROUND_PILLAR: // lying: its axis is y
        return fabs(at.x) < p->a && fabs(at.z) <= p->b ? sqrt(p->a * p->a - at.x * at.x) : 0.0;
    case RI_GROUND_PLANE:
    case RI_GROUND_SPHERE:
    case RI_GROUND_STONE:
    case RI_GROUND_TUBE:
    case RI_GROUND_WALLS:
    case RI_GROUND_CHANNEL:
    case RI_GROUND_PIPE:
    case RI_GROUND_SHAPE_COUNT:
        break; // courses have none of these
    }
    return 0.0;
}

static void stamp_parts(const Course *c, MakeField *f)
{
    for (int j = 0; j < f->ny; j++)
        for (int i = 0; i < f->nx; i++) {
            double *z = &f->z[(size_t)j * (size_t)f->nx + (size_t)i];
            for (int k = 0; k < c->part_count; k++) {
                const double top = part_top(&c->parts[k], f->x0 + i * f->cell, f->y0 + j * f->cell);
                *z = c->parts[k].hole ? fmin(*z, top > 0.0 ? -top : *z) : fmax(*z, top);
            }
        }
}

/// Ground plane, obstacles and stones as one list.
static RiStatus give_parts(const Course *c, const MakeStone *stones, int count)
{
    Make *m = c->m;
    RiGroundPart *parts = ri_arena_alloc(m->keep, (size_t)(1 + c->part_count + count), sizeof *parts);
    if (!parts)
        return ri_error_memory(m->ctx);
    int n = 0;
    parts[n++] = (RiGroundPart){.shape = RI_GROUND_PLANE, .pose = ri_pose_identity(), .material = "ground"};
    for (int k = 0; k < c->part_count; k++)
        parts[n++] = c->parts[k];
    for (int k = 0; k < count; k++)
        parts[n++] = make_stone_part(&stones[k]);
    m->out->parts = parts;
    m->out->part_count = n;
    return RI_OK;
}

static RiStatus lay(Course *c)
{
    c->x = c->m->v[GAP];
    RI_TRY(add_steps(c));
    RI_TRY(add_ramps(c));
    RI_TRY(add_side_slope(c));
    RI_TRY(add_washboard(c));
    return add_ditch(c);
}

static RiStatus add_rocks(Course *c, MakeStone **out, int *out_count)
{
    const double *v = c->m->v;
    const MakeStoneLaw law = {.exponential = true,
                              .cover = v[COVER],
                              .low = 0.1,
                              .high = v[ROCK_HIGH],
                              .flatness = 0.45,
                              .overlap = 0.1,
                              .x0 = c->x,
                              .x1 = c->x + v[FIELD],
                              .y0 = -0.5 * v[WIDTH],
                              .y1 = 0.5 * v[WIDTH]};
    char text[64];
    *out_count = 0;
    if (!(v[COVER] > 0.0))
        return RI_OK;
    if (v[COVER] < 1e-4)
        return make_refuse(c->m, "cover is %g, it must be 0 or between 1e-4 and 0.3", v[COVER]);
    RI_TRY(make_stones(c->m, "rocks", &law, out, out_count));
    snprintf(text, sizeof text, "rock field %.1f %%", 100.0 * v[COVER]);
    return label(c, text, v[FIELD], v[ROCK_HIGH]);
}

static RiStatus run(Make *m)
{
    MakeStone *stones = NULL;
    int count = 0;
    MakeField f;
    Course *c = ri_arena_alloc(m->scratch, 1, sizeof *c);
    if (!c)
        return ri_error_memory(m->ctx);
    c->m = m;
    RI_TRY(make_features(m, MOST_FIXED));
    RI_TRY(lay(c));
    RI_TRY(add_rocks(c, &stones, &count));
    // The origin goes to the middle of the lane.
    const double shift = -0.5 * c->x;
    for (int k = 0; k < c->part_count; k++)
        c->parts[k].pose.p.x += shift;
    for (int k = 0; k < count; k++)
        stones[k].p.x += shift;
    for (int k = 0; k < m->out->feature_count; k++)
        m->out->features[k].position.x += shift;
    RI_TRY(make_field_sized(m, c->x, m->v[WIDTH], m->v[CELL], &f));
    stamp_parts(c, &f);
    for (int k = 0; k < count; k++)
        make_stone_stamp(&f, &stones[k]);
    if (m->v[AS] > 0.5)
        RI_TRY(give_parts(c, stones, count));
    return make_field_finish(m, &f);
}

const MakeKind make_course = {
    .info = {.name = "course",
             .about = "obstacle course: steps, ramps, side slope, washboard, ditch, rock field",
             .sources = "own layout; rocks by Golombek & Rapp 1997",
             .gives = RI_MAKE_HEIGHTS | RI_MAKE_PARTS,
             .params = params,
             .param_count = MAKE_COUNT(params)},
    .run = run};
