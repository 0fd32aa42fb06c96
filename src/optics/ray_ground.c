// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ground for rays.
///
/// Height fields become triangles through their values: a square of the finest cells around the
/// focus, then rings whose cells and sizes double, out to the horizon. Where two rings meet, every
/// second point of the finer one lies on the edge of the coarser one: no gaps. Meshes are their own
/// triangles. Planes, shapes and distance grids answer rays by themselves, in double precision.
///
/// A wall on the border of a height field (edge: wall) is not shown.
#include "base/functions.h"
#include "optics/ray_scene.h"

#ifdef RILLE_HAVE_EMBREE

#include <math.h>
#include <string.h>

#include "optics/ray_embree.h"
#include "terrain/mesh.h"
#include "terrain/terrain.h"

enum { MOST_LEVELS = 12, MOST_HALF = 1024, MOST_PARTS = 4096 };

void ri_ray_ground_free(RiRayScene *s)
{
    for (int i = 0; i < s->piece_count; i++) {
        rtcDetachGeometry(s->ground, (unsigned)i);
        s->triangles -= s->pieces[i]->triangle_count;
        ri_release(s->ctx, s->pieces[i]->slopes);
        ri_release(s->ctx, s->pieces[i]);
    }
    ri_release(s->ctx, s->pieces);
    s->pieces = NULL;
    s->piece_count = s->piece_capacity = 0;
}

static RiStatus add_piece(RiRayScene *s, RiRayPieceKind kind, const RiTerrain *t, RiRayPiece **out)
{
    if (s->piece_count >= MOST_PARTS)
        return ri_error(s->ctx, RI_ERR_LIMIT, "rays: the ground has more than %d parts", MOST_PARTS);
    RiRayPiece **list = ri_resize(s->ctx, s->pieces, (size_t)s->piece_count + 1, sizeof *list);
    if (!list)
        return ri_error_memory(s->ctx);
    s->pieces = list;
    RiRayPiece *p = ri_alloc_zero(s->ctx, 1, sizeof *p);
    if (!p)
        return ri_error_memory(s->ctx);
    p->kind = kind;
    p->terrain = t;
    p->scene = s;
    p->cut = s->def.ruts != NULL && s->single_valued;
    s->pieces[s->piece_count++] = p;
    *out = p;
    return RI_OK;
}

static RiStatus attach(RiRayScene *s, RiRayPiece *p, RTCGeometry g)
{
    if (!g) {
        s->pieces[s->piece_count - 1]->triangle_count = 0;
        return ri_error_memory(s->ctx);
    }
    rtcSetGeometryMask(g, RI_RAY_PHYSICAL);
    rtcSetGeometryUserData(g, p);
    if (p->cut && p->kind == RI_PIECE_HEIGHTS) {
        rtcSetGeometryIntersectFilterFunction(g, ri_ray_cut_filter);
        rtcSetGeometryOccludedFilterFunction(g, ri_ray_cut_filter);
    }
    rtcCommitGeometry(g);
    rtcAttachGeometryByID(s->ground, g, (unsigned)(s->piece_count - 1));
    rtcReleaseGeometry(g);
    s->triangles += p->triangle_count;
    return ri_ray_error(s);
}

static RTCGeometry triangles_for(RiRayScene *s, RiRayPiece *p)
{
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!g)
        return NULL;
    p->points = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, (size_t)p->point_count);
    p->triangles =
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, (size_t)p->triangle_count);
    if (p->points && p->triangles)
        return g;
    rtcReleaseGeometry(g);
    return NULL;
}

// --- height fields -------------------------------------------------------------------------------

/// One ring: a square of 2 half x 2 half cells around the centre, without the middle that a finer
/// ring fills.
typedef struct Ring {
    const RiTerrain *terrain;
    double cell, x0, y0; ///< of point (0, 0)
    int half;            ///< even
    bool hole;
    bool outermost;
    double *z;
    float (*slopes)[2];
    bool *there;
} Ring;

static int side(const Ring *r)
{
    return 2 * r->half + 1;
}

static RiStatus sample_ring(RiContext *ctx, Ring *r)
{
    const int n = side(r);
    double *x = ri_alloc(ctx, 2 * (size_t)n, sizeof *x);
    RiHeight *row = ri_alloc(ctx, (size_t)n, sizeof *row);
    r->z = ri_alloc(ctx, (size_t)n * (size_t)n, sizeof *r->z);
    r->slopes = ri_alloc_zero(ctx, (size_t)n * (size_t)n, sizeof *r->slopes);
    r->there = ri_alloc_zero(ctx, (size_t)n * (size_t)n, sizeof *r->there);
    const bool ok = x && row && r->z && r->slopes && r->there;
    for (int j = 0; ok && j < n; j++) {
        bool *found = r->there + (size_t)j * (size_t)n;
        for (int i = 0; i < n; i++) {
            x[i] = r->x0 + i * r->cell;
            x[n + i] = r->y0 + j * r->cell;
        }
        ri_terrain_height_many(r->terrain, n, x, x + n, row, found);
        for (int i = 0; i < n; i++) {
            r->z[(size_t)j * (size_t)n + (size_t)i] = row[i].z;
            found[i] = found[i] && !(row[i].flags & RI_SURFACE_OUTSIDE);
            if (found[i]) {
                float *slope = r->slopes[(size_t)j * (size_t)n + (size_t)i];
                slope[0] = (float)row[i].zx, slope[1] = (float)row[i].zy;
            }
        }
    }
    ri_release(ctx, x);
    ri_release(ctx, row);
    return ok ? RI_OK : ri_error_memory(ctx);
}

/// Every second point of the border is moved onto the edge of the next ring.
static void close_border(Ring *r)
{
    const int n = side(r);
    for (int k = 1; k < n && !r->outermost; k += 2)
        for (int b = 0; b < 4; b++) {
            const size_t step = b < 2 ? 1 : (size_t)n;
            const size_t first = b == 0 ? 0 : b == 1 ? (size_t)n * (size_t)(n - 1) : b == 2 ? 0 : (size_t)(n - 1);
            double *z = r->z + first + (size_t)k * step;
            *z = 0.5 * (z[-(ptrdiff_t)step] + z[step]);
        }
}

static bool is_cell(const Ring *r, int i, int j)
{
    const int low = r->half / 2, high = r->half + r->half / 2, n = side(r);
    if (r->hole && i >= low && i < high && j >= low && j < high)
        return false;
    const bool *t = r->there + (size_t)j * (size_t)n + (size_t)i;
    return t[0] && t[1] && t[n] && t[n + 1];
}

static int count_cells(const Ring *r)
{
    int count = 0;
    for (int j = 0; j < 2 * r->half; j++)
        for (int i = 0; i < 2 * r->half; i++)
            count += is_cell(r, i, j);
    return count;
}

static void fill_ring(const RiRayScene *s, const Ring *r, RiRayPiece *p)
{
    const int n = side(r);
    int at = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            float *q = p->points[(size_t)j * (size_t)n + (size_t)i];
            q[0] = (float)(r->x0 + i * r->cell - s->origin.x);
            q[1] = (float)(r->y0 + j * r->cell - s->origin.y);
            q[2] = (float)(r->there[(size_t)j * (size_t)n + (size_t)i]
                               ? r->z[(size_t)j * (size_t)n + (size_t)i] - s->origin.z
                               : 0.0);
        }
    for (int j = 0; j < 2 * r->half; j++)
        for (int i = 0; i < 2 * r->half; i++) {
            if (!is_cell(r, i, j))
                continue;
            const uint32_t a = (uint32_t)(j * n + i), b = a + 1, c = a + (uint32_t)n, d = c + 1;
            memcpy(p->triangles[at++], (uint32_t[]){a, b, d}, 3 * sizeof a);
            memcpy(p->triangles[at++], (uint32_t[]){a, d, c}, 3 * sizeof a);
        }
}

static RiStatus add_ring(RiRayScene *s, Ring *r)
{
    RiRayPiece *p;
    RiStatus status = sample_ring(s->ctx, r);
    if (status == RI_OK) {
        close_border(r);
        const int cells = count_cells(r);
        if (cells > 0)
            status = add_piece(s, RI_PIECE_HEIGHTS, r->terrain, &p);
        if (cells > 0 && status == RI_OK) {
            p->point_count = side(r) * side(r);
            p->triangle_count = 2 * cells;
            RTCGeometry g = triangles_for(s, p);
            if (g)
                fill_ring(s, r, p);
            p->slopes = r->slopes;
            r->slopes = NULL;
            status = attach(s, p, g);
        }
    }
    ri_release(s->ctx, r->z);
    ri_release(s->ctx, r->slopes);
    ri_release(s->ctx, r->there);
    return status;
}

/// Half size of all ground shown, seen from the focus [m].
static double horizon_of(const RiRayScene *s, const RiTerrainInfo *info)
{
    const double most = 20e3;
    if (s->def.horizon > 0.0)
        return s->def.horizon;
    const double x = fmax(s->def.focus.x - info->low.x, info->high.x - s->def.focus.x);
    const double y = fmax(s->def.focus.y - info->low.y, info->high.y - s->def.focus.y);
    return fmin(fmax(fmax(x, y), 1.0), most);
}

/// The nearest coordinate of the grid that starts at `low`, in steps of `step`.
static double snap(double x, double low, double step)
{
    return isfinite(low) ? low + step * round((x - low) / step) : step * round(x / step);
}

static RiStatus add_heights(RiRayScene *s, const RiTerrain *t)
{
    const RiTerrainInfo info = ri_terrain_info(t);
    const double cell = s->def.cell > 0.0 ? s->def.cell : fmax(info.cell, 0.005);
    const double horizon = horizon_of(s, &info), reach = s->def.reach > 0.0 ? s->def.reach : 256.0 * cell;
    const double wanted = fmin(ceil(fmin(reach, 1.001 * horizon + cell) / cell), MOST_HALF);
    const int half = 2 * (int)ceil(fmax(wanted, 2.0) / 2.0);
    int levels = 1;
    while (levels < MOST_LEVELS && half * cell * ri_exp2(levels - 1) < horizon)
        levels++;
    const double coarsest = cell * ri_exp2(levels - 1);
    const double x = snap(s->def.focus.x, info.low.x, coarsest), y = snap(s->def.focus.y, info.low.y, coarsest);
    for (int l = 0; l < levels; l++) {
        const double size = cell * ri_exp2(l);
        Ring ring = {.terrain = t,
                     .cell = size,
                     .x0 = x - half * size,
                     .y0 = y - half * size,
                     .half = half,
                     .hole = l > 0,
                     .outermost = l == levels - 1};
        RI_TRY(add_ring(s, &ring));
    }
    return RI_OK;
}

// --- other kinds ---------------------------------------------------------------------------------

static RiStatus add_mesh(RiRayScene *s, const RiTerrain *t)
{
    const RiMeshTerrain *m = (const RiMeshTerrain *)t;
    RiRayPiece *p;
    RI_TRY(add_piece(s, RI_PIECE_MESH, t, &p));
    p->point_count = m->point_count;
    p->triangle_count = m->triangle_count;
    RTCGeometry g = triangles_for(s, p);
    const RiVec3 shift = ri_sub(m->origin, s->origin);
    for (int i = 0; g && i < m->point_count; i++) {
        p->points[i][0] = (float)(m->points[i].x + shift.x);
        p->points[i][1] = (float)(m->points[i].y + shift.y);
        p->points[i][2] = (float)(m->points[i].z + shift.z);
    }
    if (g)
        memcpy(p->triangles, m->triangles, (size_t)m->triangle_count * sizeof *p->triangles);
    return attach(s, p, g);
}

static RiStatus add_function(RiRayScene *s, const RiTerrain *t)
{
    RiRayPiece *p;
    RI_TRY(add_piece(s, RI_PIECE_FUNCTION, t, &p));
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_USER);
    if (g) {
        rtcSetGeometryUserPrimitiveCount(g, 1);
        rtcSetGeometryBoundsFunction(g, ri_ray_piece_bounds, NULL);
        rtcSetGeometryIntersectFunction(g, ri_ray_piece_intersect);
        rtcSetGeometryOccludedFunction(g, ri_ray_piece_occluded);
    }
    return attach(s, p, g);
}

static RiStatus add_terrain(RiRayScene *s, const RiTerrain *t)
{
    const RiTerrain *const *parts;
    const int count = ri_terrain_parts(t, &parts);
    for (int i = 0; i < count; i++)
        RI_TRY(add_terrain(s, parts[i]));
    if (count > 0)
        return RI_OK;
    if (strcmp(t->kind->kind, "heights") == 0 || strcmp(t->kind->kind, "tiles") == 0)
        return add_heights(s, t);
    return strcmp(t->kind->kind, "mesh") == 0 ? add_mesh(s, t) : add_function(s, t);
}

/// First guesses of colour, by words in a material's name; others may know better
/// (ri_ray_scene_set_albedo).
static void colour_of(const char *name, float out[3])
{
    static const struct {
        const char *word;
        float rgb[3];
    } table[] = {
        {"snow", {0.85f, 0.87f, 0.90f}},  {"ice", {0.62f, 0.72f, 0.80f}},    {"basalt", {0.09f, 0.085f, 0.08f}},
        {"rock", {0.24f, 0.19f, 0.16f}},  {"lunar", {0.12f, 0.115f, 0.11f}}, {"regolith", {0.14f, 0.135f, 0.13f}},
        {"mars", {0.34f, 0.20f, 0.12f}},  {"sand", {0.38f, 0.25f, 0.15f}},   {"concrete", {0.35f, 0.34f, 0.33f}},
        {"steel", {0.45f, 0.45f, 0.46f}}, {"clay", {0.30f, 0.20f, 0.14f}},
    };
    memcpy(out, (const float[]){0.28f, 0.22f, 0.17f}, 3 * sizeof *out);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strstr(name, table[i].word)) {
            memcpy(out, table[i].rgb, 3 * sizeof *out);
            return;
        }
}

static RiStatus add_materials(RiRayScene *s)
{
    const int count = ri_terrain_material_count(s->def.terrain);
    s->material_surface = ri_arena_alloc(&s->arena, (size_t)count + 1, sizeof *s->material_surface);
    if (!s->material_surface)
        return ri_error_memory(s->ctx);
    s->material_count = count;
    for (int i = 0; i < count; i++) {
        float rgb[3];
        const char *name = ri_terrain_material_name(s->def.terrain, i);
        colour_of(name, rgb);
        RI_TRY(ri_ray_scene_add_surface(s, name, rgb, &s->material_surface[i]));
        s->surfaces[s->material_surface[i]].ground = true;
    }
    return RI_OK;
}

RiStatus ri_ray_ground_build(RiRayScene *s)
{
    RI_TRY(add_materials(s));
    return add_terrain(s, s->def.terrain);
}

#endif
