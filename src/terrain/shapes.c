// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ground made of analytic parts: building, queries, heights, rays.
///
/// Distances of a single smooth part are Euclidean. In the free space of a union they are Euclidean
/// as well; inside overlapping parts, and around parts taken away, their size is a lower bound (the
/// usual min and max), right at the surface. `info.exact` is true for the first case only. With
/// roughness they are right to first order. Heights and rays are exact crossings of lines with the
/// parts, and are marched where a part is rough.
#include "terrain/shapes.h"

enum { FALL_STEPS = 10000 };
#define FALL 1e5 ///< how deep a floor is looked for below rough ground without a bottom [m]

static const char *const shape_names[] = {"plane", "box",   "sphere",  "stone", "ramp",
                                          "tube",  "walls", "channel", "pipe",  "pillar"};
_Static_assert(sizeof shape_names / sizeof *shape_names == RI_GROUND_SHAPE_COUNT, "a name for every shape");

const char *ri_ground_shape_name(RiGroundShape shape)
{
    return (unsigned)shape < RI_GROUND_SHAPE_COUNT ? shape_names[shape] : "";
}

// --- queries -------------------------------------------------------------------------------------

typedef struct Nearest {
    double distance;
    int part; ///< -1: none
    bool hole;
    RiVec3 normal; ///< in the part's frame, out of the part
    int material;
} Nearest;

static Nearest nearest(const RiShapes *g, RiVec3 p)
{
    Nearest at = {.distance = INFINITY, .part = -1};
    for (int k = 0; k < g->set_count; k++) {
        const RiShapeSet *set = &g->sets[k];
        double best = set->hole ? -at.distance : at.distance;
        RiVec3 n;
        const int part = ri_set_nearest(g, set, p, &best, &n);
        if (part < 0 || (set->hole && at.part < 0))
            continue;
        const int own = g->parts[part].material;
        at = (Nearest){set->hole ? -best : best, part, set->hole, n, own >= 0 ? own : at.material};
    }
    return at;
}

static RiVec3 world_normal(const RiShapes *g, int part, bool hole, RiVec3 n)
{
    return ri_scale(hole ? -1.0 : 1.0, ri_rotate(&g->parts[part].pose.R, n));
}

static void shapes_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    const RiShapes *g = (const RiShapes *)t;
    for (int i = 0; i < count; i++) {
        const Nearest at = nearest(g, points[i]);
        out[i] = (RiSurface){.distance = at.distance, .normal = {0.0, 0.0, 1.0}, .material = at.material};
        if (at.part >= 0)
            out[i].normal = world_normal(g, at.part, at.hole, at.normal);
        else if (isnan(points[i].x + points[i].y + points[i].z))
            out[i].distance = NAN;
    }
}

// --- heights -------------------------------------------------------------------------------------

/// Slopes and curvature of the implicit surface with gradient n and second derivatives h at a point
/// where it is z(x, y):
///
///     z_x = -n_x / n_z        z_xx = -(h_xx + 2 h_xz z_x + h_zz z_x^2) / n_z        and so on.
static void slopes(const RiShapes *g, int part, RiVec3 point, RiHeight *out)
{
    const RiPlacedShape *s = &g->parts[part];
    const RiVec3 local = ri_rotate_back(&s->pose.R, ri_sub(point, s->pose.p));
    RiVec3 n;
    (void)ri_shape_distance(&s->shape, local, &n);
    const RiMat3 bend = ri_shape_bend(&s->shape, local, n), back = ri_mat3_transpose(&s->pose.R);
    RiMat3 h = ri_mat3_mul(&s->pose.R, &bend);
    h = ri_mat3_mul(&h, &back);
    n = ri_rotate(&s->pose.R, n);
    const double zx = -n.x / n.z, zy = -n.y / n.z;
    out->zx = zx;
    out->zy = zy;
    out->zxx = -(h.m[0][0] + 2.0 * h.m[0][2] * zx + h.m[2][2] * zx * zx) / n.z;
    out->zyy = -(h.m[1][1] + 2.0 * h.m[1][2] * zy + h.m[2][2] * zy * zy) / n.z;
    out->zxy = -(h.m[0][1] + h.m[0][2] * zy + h.m[1][2] * zx + h.m[2][2] * zx * zy) / n.z;
}

/// The highest floor at or below `from` where parts are rough: down through solid until it is free,
/// then down to the ground. Starts above the highest smooth surface by more than roughness lifts
/// it, unless that is all but vertical.
static bool march_down(const RiShapes *g, double x, double y, double from, RiVec3 *out)
{
    const RiLine down = {{x, y, 0.0}, {0.0, 0.0, -1.0}};
    const double margin = 1.0 + 40.0 * g->rough, first = ri_shapes_first_event(g, &down);
    double z = fmin(from, margin - first);
    if (!isfinite(z))
        return false;
    const double bottom = fmax(g->low.z, z - FALL) - margin;
    Nearest at = nearest(g, ri_vec3(x, y, z));
    for (int k = 0; k < FALL_STEPS && at.distance <= 0.0; k++) {
        z -= fmax(-0.5 * at.distance, 1e-5);
        at = nearest(g, ri_vec3(x, y, z));
    }
    RiTerrainHit hit;
    if (!(at.distance > 0.0) || !(z > bottom) ||
        !ri_terrain_march(&g->terrain, ri_vec3(x, y, z), down.d, z - bottom, &hit))
        return false;
    *out = hit.point;
    return true;
}

static bool shapes_height(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    const RiShapes *g = (const RiShapes *)t;
    *out = (RiHeight){.z = NAN};
    RiVec3 point;
    if (g->rough > 0.0) {
        if (!march_down(g, x, y, from, &point))
            return false;
    } else {
        const RiLine down = {{x, y, 0.0}, {0.0, 0.0, -1.0}};
        double at;
        int part;
        if (!ri_shapes_enter(g, &down, -from, &at, &part))
            return false;
        point = ri_vec3(x, y, -at);
    }
    const Nearest near = nearest(g, point);
    out->z = point.z;
    out->material = near.material;
    slopes(g, near.part, point, out);
    return true;
}

// --- rays ----------------------------------------------------------------------------------------

static bool shapes_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out)
{
    const RiShapes *g = (const RiShapes *)t;
    if (g->rough > 0.0)
        return ri_terrain_march(t, origin, direction, range, out);
    if (!isfinite(ri_dot(origin, origin)) || !isfinite(ri_dot(direction, direction)) || !(range >= 0.0))
        return false;
    const RiLine line = {origin, direction};
    double at = 0.0;
    int part = -1;
    const bool inside = nearest(g, origin).distance < 0.0;
    if (!inside && !(ri_dot(direction, direction) > 0.0 && ri_shapes_enter(g, &line, 0.0, &at, &part)))
        return false;
    if (at > range)
        return false;
    const RiVec3 point = ri_add(origin, ri_scale(at, direction));
    const Nearest near = nearest(g, point);
    *out = (RiTerrainHit){.range = at, .point = point, .material = near.material};
    out->normal = world_normal(g, near.part, near.hole, near.normal);
    return true;
}

// --- building ------------------------------------------------------------------------------------

static void shapes_info(const RiTerrain *t, RiTerrainInfo *out)
{
    const RiShapes *g = (const RiShapes *)t;
    out->low = g->low;
    out->high = g->high;
    out->exact = g->count == 1 && g->rough == 0.0;
    out->bytes = g->bytes;
}

static const RiTerrainClass shapes_class = {
    .kind = "shapes", .info = shapes_info, .query_many = shapes_query_many, .height = shapes_height, .ray = shapes_ray};

/// How many of a, b, c must be positive; b of some may be 0 (endless).
static int needed_sizes(RiGroundShape shape)
{
    static const int needed[RI_GROUND_SHAPE_COUNT] = {
        [RI_GROUND_BOX] = 3,     [RI_GROUND_SPHERE] = 1, [RI_GROUND_STONE] = 3,
        [RI_GROUND_RAMP] = 3,    [RI_GROUND_TUBE] = 1,   [RI_GROUND_WALLS] = 1,
        [RI_GROUND_CHANNEL] = 1, [RI_GROUND_PIPE] = 1,   [RI_GROUND_PILLAR] = 2};
    return needed[shape];
}

static bool is_rotation(const RiMat3 *R)
{
    const RiMat3 T = ri_mat3_transpose(R), I = ri_mat3_mul(R, &T);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (!(fabs(I.m[r][c] - (r == c)) < 1e-6))
                return false;
    return ri_dot(ri_cross(ri_mat3_col(R, 0), ri_mat3_col(R, 1)), ri_mat3_col(R, 2)) > 0.0;
}

static RiStatus check_part(RiContext *ctx, const RiGroundPart *p, int index)
{
    if ((unsigned)p->shape >= RI_GROUND_SHAPE_COUNT)
        return ri_error(ctx, RI_ERR_ARGUMENT, "shapes: part %d: shape %d does not exist", index, (int)p->shape);
    const char *name = ri_ground_shape_name(p->shape);
    const double size[3] = {p->a, p->b, p->c};
    for (int k = 0; k < 3; k++) {
        const bool needed = k < needed_sizes(p->shape);
        if (!(needed ? size[k] > 1e-9 : size[k] >= 0.0) || !(size[k] <= 1e9))
            return ri_error(ctx, RI_ERR_ARGUMENT, "shapes: part %d (%s): %c is %g, it must be %s and at most 1e9 m",
                            index, name, "abc"[k], size[k], needed ? "positive" : "0 or more");
    }
    if (!is_rotation(&p->pose.R) || !isfinite(ri_dot(p->pose.p, p->pose.p)))
        return ri_error(ctx, RI_ERR_ARGUMENT, "shapes: part %d (%s): its pose is not a rotation and a finite position",
                        index, name);
    if (p->roughness != 0.0 && !(p->roughness > 0.0 && isfinite(p->wavelength) && p->roughness <= 0.25 * p->wavelength))
        return ri_error(
            ctx, RI_ERR_ARGUMENT,
            "shapes: part %d (%s): roughness %g m with wavelength %g m; it must be from 0 to a quarter of the "
            "wavelength",
            index, name, p->roughness, p->wavelength);
    return RI_OK;
}

/// The world's box of a part. False: it is endless.
static bool place_box(const RiPlacedShape *s, RiVec3 out[2])
{
    RiVec3 low, high;
    if (!ri_shape_bounds(&s->shape, &low, &high))
        return false;
    const RiVec3 centre = ri_pose_point(&s->pose, ri_scale(0.5, ri_add(low, high)));
    const RiVec3 half = ri_scale(0.5, ri_sub(high, low));
    const double(*m)[3] = s->pose.R.m;
    RiVec3 reach = ri_vec3(fabs(m[0][0]) * half.x + fabs(m[0][1]) * half.y + fabs(m[0][2]) * half.z,
                           fabs(m[1][0]) * half.x + fabs(m[1][1]) * half.y + fabs(m[1][2]) * half.z,
                           fabs(m[2][0]) * half.x + fabs(m[2][1]) * half.y + fabs(m[2][2]) * half.z);
    // A little wider, so that rounding never cuts off a part.
    const double wider = 1e-12 * (ri_norm(centre) + ri_norm(reach));
    reach = ri_add(reach, ri_vec3(wider, wider, wider));
    out[0] = ri_sub(centre, reach);
    out[1] = ri_add(centre, reach);
    return true;
}

static void grow_bounds(RiShapes *g, const RiVec3 box[2])
{
    g->low = ri_vec3(fmin(g->low.x, box[0].x), fmin(g->low.y, box[0].y), fmin(g->low.z, box[0].z));
    g->high = ri_vec3(fmax(g->high.x, box[1].x), fmax(g->high.y, box[1].y), fmax(g->high.z, box[1].z));
}

/// A level plane ends at its height; everything else that is endless is so on all sides.
static void endless_box(const RiPlacedShape *s, RiVec3 out[2])
{
    out[0] = ri_vec3(-INFINITY, -INFINITY, -INFINITY);
    out[1] = ri_vec3(INFINITY, INFINITY, INFINITY);
    const double more = RI_NOISE_BOUND * s->shape.roughness, up = s->pose.R.m[2][2];
    const bool flat = s->pose.R.m[2][0] == 0.0 && s->pose.R.m[2][1] == 0.0 && up > 0.0;
    if (flat && s->shape.kind == RI_GROUND_PLANE)
        out[1].z = s->pose.p.z + more;
    if (flat && s->shape.kind == RI_GROUND_PIPE)
        out[1].z = s->pose.p.z + s->shape.a + more;
    if (flat && s->shape.kind == RI_GROUND_CHANNEL && s->shape.b > 0.0)
        out[1].z = s->pose.p.z + s->shape.b + more;
    if (flat && s->shape.kind == RI_GROUND_TUBE && s->shape.b > 0.0) {
        out[1].z = s->pose.p.z + 0.5 * s->shape.b + more;
        out[0].z = s->pose.p.z - 0.5 * s->shape.b - more;
    }
}

static RiStatus build_set(RiShapes *g, RiShapeSet *set, RiVec3 (*boxes)[2])
{
    const size_t n = (size_t)(set->end - set->begin);
    RiArena *arena = &g->terrain.arena;
    set->order = ri_arena_alloc(arena, n, sizeof *set->order);
    int *endless = ri_arena_alloc(arena, n, sizeof *endless);
    set->nodes = ri_arena_alloc(arena, 2 * n, sizeof *set->nodes);
    if (!set->order || !endless || !set->nodes)
        return ri_error_memory(g->terrain.ctx);
    g->bytes += n * (sizeof *set->order + sizeof *endless + 2 * sizeof *set->nodes);
    for (int i = set->begin; i < set->end; i++) {
        RiVec3 *box = boxes[i];
        if (place_box(&g->parts[i], box))
            set->order[set->placed++] = i;
        else {
            endless[set->endless_count++] = i;
            endless_box(&g->parts[i], box);
        }
        if (!set->hole)
            grow_bounds(g, box);
    }
    set->endless = endless;
    ri_tree_build(set, (const RiVec3(*)[2])boxes);
    return RI_OK;
}

static RiStatus build_sets(RiShapes *g, const RiGroundPart *parts)
{
    for (int i = 0; i < g->count; i++)
        g->set_count += i == 0 || parts[i].hole != parts[i - 1].hole;
    g->sets = ri_arena_alloc(&g->terrain.arena, (size_t)g->set_count, sizeof *g->sets);
    RiVec3(*boxes)[2] = ri_alloc(g->terrain.ctx, (size_t)g->count, sizeof *boxes);
    RiStatus status = g->sets && boxes ? RI_OK : ri_error_memory(g->terrain.ctx);
    g->bytes += (size_t)g->set_count * sizeof *g->sets;
    for (int k = 0, i = 0; k < g->set_count && status == RI_OK; k++) {
        RiShapeSet *set = &g->sets[k];
        *set = (RiShapeSet){.hole = parts[i].hole, .begin = i};
        while (i < g->count && parts[i].hole == set->hole)
            i++;
        set->end = i;
        status = build_set(g, set, boxes);
    }
    ri_release(g->terrain.ctx, boxes);
    return status;
}

static RiStatus place_part(RiShapes *g, const RiGroundPart *part, RiPlacedShape *out)
{
    *out = (RiPlacedShape){
        .shape = {.kind = part->shape, .a = part->a, .b = part->b, .c = part->c, .roughness = part->roughness},
        .pose = part->pose,
        .material = -1};
    if (part->roughness > 0.0) {
        RiNoise *noise = ri_arena_alloc(&g->terrain.arena, 1, sizeof *noise);
        if (!noise)
            return ri_error_memory(g->terrain.ctx);
        ri_noise_init(noise, part->wavelength, part->seed);
        out->shape.noise = noise;
        g->rough = fmax(g->rough, part->roughness);
    }
    if (part->hole && !part->material)
        return RI_OK;
    return ri_terrain_add_material(&g->terrain, part->material, &out->material);
}

static RiStatus build(RiShapes *g, const RiGroundPart *parts)
{
    g->parts = ri_arena_alloc(&g->terrain.arena, (size_t)g->count, sizeof *g->parts);
    if (!g->parts)
        return ri_error_memory(g->terrain.ctx);
    g->bytes = sizeof *g + (size_t)g->count * sizeof *g->parts;
    for (int i = 0; i < g->count; i++)
        RI_TRY(place_part(g, &parts[i], &g->parts[i]));
    g->low = ri_vec3(INFINITY, INFINITY, INFINITY);
    g->high = ri_scale(-1.0, g->low);
    return build_sets(g, parts);
}

RiStatus ri_terrain_create_shapes(RiContext *ctx, int count, const RiGroundPart *parts, RiTerrain **out_terrain)
{
    *out_terrain = NULL;
    if (count < 1 || parts[0].hole)
        return ri_error(ctx, RI_ERR_ARGUMENT, "shapes: %s",
                        count < 1 ? "there are no parts" : "the first part is a hole");
    for (int i = 0; i < count; i++)
        RI_TRY(check_part(ctx, &parts[i], i));
    RiTerrain *t;
    RI_TRY(ri_terrain_alloc(ctx, &shapes_class, sizeof(RiShapes), &t));
    RiShapes *g = (RiShapes *)t;
    g->count = count;
    const RiStatus status = build(g, parts);
    if (status != RI_OK)
        ri_terrain_destroy(t);
    else
        *out_terrain = t;
    return status;
}
