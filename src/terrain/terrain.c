// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one interface to every terrain: dispatch, materials, marching.
#include "terrain/terrain.h"

#include <string.h>

enum { MARCH_STEPS = 20000 };

RiStatus ri_terrain_alloc(RiContext *ctx, const RiTerrainClass *kind, size_t size, RiTerrain **out)
{
    RiArena arena;
    ri_arena_init(&arena, ctx);
    RiTerrain *t = ri_arena_alloc(&arena, 1, size);
    if (!t) {
        ri_arena_free(&arena);
        return ri_error_memory(ctx);
    }
    t->kind = kind;
    t->ctx = ctx;
    t->arena = arena;
    *out = t;
    return RI_OK;
}

RiStatus ri_terrain_add_material(RiTerrain *t, const char *name, int *out_material)
{
    name = name ? name : "ground";
    for (int i = 0; i < t->material_count; i++)
        if (strcmp(t->materials[i], name) == 0) {
            *out_material = i;
            return RI_OK;
        }
    const char **grown = ri_arena_alloc(&t->arena, (size_t)t->material_count + 1, sizeof *grown);
    const char *copy = ri_arena_string(&t->arena, name);
    if (!grown || !copy)
        return ri_error_memory(t->ctx);
    if (t->material_count)
        memcpy(grown, t->materials, (size_t)t->material_count * sizeof *grown);
    grown[t->material_count] = copy;
    t->materials = grown;
    *out_material = t->material_count++;
    return RI_OK;
}

void ri_terrain_destroy(RiTerrain *t)
{
    if (!t)
        return;
    if (t->kind->destroy)
        t->kind->destroy(t);
    RiArena arena = t->arena; // holds t itself
    ri_arena_free(&arena);
}

RiTerrainInfo ri_terrain_info(const RiTerrain *t)
{
    RiTerrainInfo info = {.kind = t->kind->kind};
    t->kind->info(t, &info);
    return info;
}

int ri_terrain_material_count(const RiTerrain *t)
{
    return t->material_count;
}

const char *ri_terrain_material_name(const RiTerrain *t, int material)
{
    return material >= 0 && material < t->material_count ? t->materials[material] : "";
}

void ri_terrain_query(const RiTerrain *t, RiVec3 point, RiSurface *out)
{
    t->kind->query_many(t, 1, &point, out);
}

void ri_terrain_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    t->kind->query_many(t, count, points, out);
}

void ri_terrain_query_near_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    (t->kind->near_many ? t->kind->near_many : t->kind->query_many)(t, count, points, out);
}

bool ri_terrain_height(const RiTerrain *t, double x, double y, RiHeight *out)
{
    return t->kind->height(t, x, y, INFINITY, out);
}

bool ri_terrain_height_below(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    return t->kind->height(t, x, y, from, out);
}

void ri_terrain_height_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                            bool *out_found)
{
    if (t->kind->height_many) {
        t->kind->height_many(t, count, x, y, out, out_found);
        return;
    }
    for (int i = 0; i < count; i++) {
        const bool found = t->kind->height(t, x[i], y[i], INFINITY, &out[i]);
        if (out_found)
            out_found[i] = found;
    }
}

void ri_terrain_slope_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                           bool *out_found)
{
    (t->kind->slope_many ? t->kind->slope_many : ri_terrain_height_many)(t, count, x, y, out, out_found);
}

bool ri_terrain_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out)
{
    return (t->kind->ray ? t->kind->ray : ri_terrain_march)(t, origin, direction, range, out);
}

void ri_terrain_ray_many(const RiTerrain *t, int count, const RiVec3 *origins, const RiVec3 *directions, double range,
                         RiTerrainHit *out, bool *out_found)
{
    for (int i = 0; i < count; i++) {
        const bool found = ri_terrain_ray(t, origins[i], directions[i], range, &out[i]);
        if (out_found)
            out_found[i] = found;
    }
}

// --- marching ------------------------------------------------------------------------------------

/// Last point known to be free and first one known not to be, along a ray: halved until they meet.
static bool bisect_hit(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double free, double solid,
                       RiTerrainHit *out)
{
    RiSurface surface;
    for (int k = 0; k < 60 && solid - free > 1e-15 * solid; k++) {
        const double mid = 0.5 * (free + solid);
        ri_terrain_query(t, ri_add(origin, ri_scale(mid, direction)), &surface);
        if (surface.distance > 0.0)
            free = mid;
        else
            solid = mid;
    }
    const RiVec3 point = ri_add(origin, ri_scale(solid, direction));
    ri_terrain_query(t, point, &surface);
    *out = (RiTerrainHit){.range = solid, .point = point, .normal = surface.normal, .material = surface.material};
    return true;
}

bool ri_terrain_march(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out)
{
    const double speed = ri_norm(direction);
    if (!(range >= 0.0) || !isfinite(speed) || !isfinite(ri_dot(origin, origin)))
        return false;
    const RiTerrainInfo info = ri_terrain_info(t);
    const double least = info.cell > 0.0 ? 1e-3 * info.cell : 1e-5; // shortest step [m]
    const double caution = info.exact ? 1.0 : 0.7;                  // part of the distance that is believed
    double s = 0.0, before = 0.0;
    for (int k = 0; k < MARCH_STEPS; k++) {
        RiSurface surface;
        ri_terrain_query(t, ri_add(origin, ri_scale(s, direction)), &surface);
        if (surface.distance <= 0.0)
            return bisect_hit(t, origin, direction, before, s, out);
        if (!(surface.distance < INFINITY) || s >= range || speed == 0.0)
            return false;
        before = s;
        s = fmin(range, s + fmax(caution * surface.distance, least) / speed);
    }
    return false;
}

// --- clearance, overview -------------------------------------------------------------------------

void ri_terrain_clearance(const RiTerrain *t, const RiPose *box, RiVec3 half, double spacing, RiClearance *out)
{
    enum { AT_ONCE = 64, MOST = 4096 };
    static const double sign[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    RiVec3 points[AT_ONCE];
    RiSurface surface[AT_ONCE];
    for (int k = 0; k < 4; k++)
        points[k] = ri_pose_point(box, ri_vec3(sign[k][0] * half.x, sign[k][1] * half.y, -half.z));
    ri_terrain_query_many(t, 4, points, surface);
    for (int k = 0; k < 4; k++)
        out->corner[k] = surface[k].distance;
    out->belly = INFINITY;
    out->where = points[0];
    const double step = spacing > 0.0 ? spacing : INFINITY;
    const int nx = 1 + (int)fmin(fmax(ceil(2.0 * half.x / step), 1.0), MOST);
    const int ny = 1 + (int)fmin(fmax(ceil(2.0 * half.y / step), 1.0), MOST);
    const long long count = (long long)nx * ny;
    for (long long first = 0; first < count; first += AT_ONCE) {
        const int n = (int)(count - first < AT_ONCE ? count - first : AT_ONCE);
        for (int k = 0; k < n; k++) {
            const double u = (double)((first + k) % nx) / (nx - 1), v = (double)((first + k) / nx) / (ny - 1);
            points[k] = ri_pose_point(box, ri_vec3((1.0 - 2.0 * u) * half.x, (1.0 - 2.0 * v) * half.y, -half.z));
        }
        ri_terrain_query_many(t, n, points, surface);
        for (int k = 0; k < n; k++)
            if (surface[k].distance < out->belly) {
                out->belly = surface[k].distance;
                out->where = points[k];
            }
    }
}

RiStatus ri_terrain_overview(RiContext *ctx, const RiTerrain *t, double x0, double y0, double x1, double y1, int most,
                             RiRaster **out_raster)
{
    *out_raster = NULL;
    const double wide = x1 - x0, high = y1 - y0;
    if (!(wide > 0.0 && high > 0.0) || !isfinite(wide) || !isfinite(high) || most < 2 || most > 65536)
        return ri_error(
            ctx, RI_ERR_ARGUMENT,
            "overview: region (%g, %g) to (%g, %g) with at most %d values on a side: it must be finite and not "
            "empty, with 2 to 65536 values",
            x0, y0, x1, y1, most);
    const double side = fmax(wide, high);
    const int nx = (int)fmax(2.0, ceil(most * (wide / side))), ny = (int)fmax(2.0, ceil(most * (high / side)));
    RiRaster *r;
    RI_TRY(ri_raster_create(ctx, nx, ny, wide / (nx - 1), high / (ny - 1), &r));
    r->x0 = x0;
    r->y0 = y0;
    *out_raster = r;
    if (t->kind->overview) {
        const RiStatus status = t->kind->overview(t, r);
        if (status != RI_OK) {
            ri_raster_destroy(r);
            *out_raster = NULL;
        }
        return status;
    }
    enum { AT_ONCE = 64 };
    double x[AT_ONCE], y[AT_ONCE];
    RiHeight ground[AT_ONCE];
    bool found[AT_ONCE];
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i += AT_ONCE) {
            const int n = nx - i < AT_ONCE ? nx - i : AT_ONCE;
            for (int k = 0; k < n; k++) {
                x[k] = x0 + (i + k) * r->dx;
                y[k] = y0 + j * r->dy;
            }
            ri_terrain_height_many(t, n, x, y, ground, found);
            for (int k = 0; k < n; k++)
                r->values[(size_t)j * (size_t)nx + (size_t)(i + k)] = found[k] ? (float)ground[k].z : NAN;
        }
    return RI_OK;
}
