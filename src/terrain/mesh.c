// SPDX-License-Identifier: Apache-2.0
/// \file
/// Mesh terrain: exact distances, rays and heights.
#include "terrain/mesh.h"

static void mesh_destroy(RiTerrain *t)
{
    ri_mesh_scene_destroy((RiMeshTerrain *)t);
}

static void mesh_info(const RiTerrain *t, RiTerrainInfo *out)
{
    const RiMeshTerrain *m = (const RiMeshTerrain *)t;
    out->low = ri_add(m->origin, m->low);
    out->high = ri_add(m->origin, m->high);
    out->exact = true;
    out->triangles = m->triangle_count;
    out->ambiguous = m->open_edges + m->tangled_edges;
    out->dropped = m->dropped;
    out->reversed = m->reversed;
    out->enclosed = m->volume;
    const size_t per_triangle =
        sizeof *m->triangles + sizeof *m->corners + sizeof *m->face_normal + sizeof *m->neighbour;
    out->bytes = sizeof *m + (size_t)m->triangle_count * per_triangle +
                 (size_t)m->point_count * (sizeof *m->points + sizeof *m->point_normal + 1);
}

static bool finite_point(RiVec3 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static void mesh_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    const RiMeshTerrain *m = (const RiMeshTerrain *)t;
    for (int i = 0; i < count; i++) {
        const RiVec3 p = ri_sub(points[i], m->origin);
        RiClosest at;
        const int triangle = finite_point(p) ? ri_mesh_closest(m, p, INFINITY, &at) : RI_NO_TRIANGLE;
        if (triangle >= 0)
            ri_mesh_surface(m, p, triangle, &at, &out[i]);
        else
            out[i] = (RiSurface){.distance = NAN, .normal = {0.0, 0.0, 1.0}, .flags = RI_SURFACE_AMBIGUOUS};
    }
}

static bool mesh_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out)
{
    const RiMeshTerrain *m = (const RiMeshTerrain *)t;
    const RiVec3 p = ri_sub(origin, m->origin);
    if (!finite_point(p) || !finite_point(direction) || !(ri_norm(direction) > 0.0) || !(range >= 0.0))
        return false;
    double s;
    const int triangle = ri_mesh_hit(m, p, direction, 0.0, range, &s);
    if (triangle < 0)
        return false;
    const RiVec3 n = m->face_normal[triangle];
    s = fmin(fmax(s, 0.0), range);
    *out = (RiTerrainHit){.range = s, .point = ri_add(origin, ri_scale(s, direction))};
    out->normal = ri_dot(n, direction) > 0.0 ? ri_scale(-1.0, n) : n;
    return true;
}

/// Height and slopes of the plane of a triangle at (x, y) relative to origin.
static RiHeight plane_height(const RiMeshTerrain *m, int triangle, double x, double y)
{
    const RiVec3 n = m->face_normal[triangle], a = m->corners[triangle].a;
    RiHeight h = {.zx = -n.x / n.z, .zy = -n.y / n.z};
    h.z = m->origin.z + a.z + h.zx * (x - a.x) + h.zy * (y - a.y);
    return h;
}

/// Goes down from `from`; below a given height, ceilings (which face down) are passed.
static bool mesh_height(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    const RiMeshTerrain *m = (const RiMeshTerrain *)t;
    const double top = m->high.z + 1e-3 * m->scale, begin = fmin(from - m->origin.z, top);
    const RiVec3 p = ri_vec3(x - m->origin.x, y - m->origin.y, begin);
    if (!finite_point(p))
        return false;
    double near = 0.0;
    for (int passed = 0; passed < 1000; passed++) {
        double s;
        const int triangle = ri_mesh_hit(m, p, ri_vec3(0.0, 0.0, -1.0), near, INFINITY, &s);
        if (triangle < 0)
            return false;
        if (m->face_normal[triangle].z > 1e-9 || (from == INFINITY && m->face_normal[triangle].z < -1e-9)) {
            *out = plane_height(m, triangle, p.x, p.y);
            return true;
        }
        near = fmax(s, near) + 1e-6 * m->scale;
    }
    return false;
}

static const RiTerrainClass mesh_class = {.kind = "mesh",
                                          .destroy = mesh_destroy,
                                          .info = mesh_info,
                                          .query_many = mesh_query_many,
                                          .height = mesh_height,
                                          .ray = mesh_ray};

bool ri_terrain_is_mesh(const RiTerrain *t)
{
    return t->kind == &mesh_class;
}

static RiStatus build(RiMeshTerrain *m, const RiGroundMeshDef *def)
{
    int material;
    RiArena work;
    RI_TRY(ri_terrain_add_material(&m->terrain, def->material, &material));
    ri_arena_init(&work, m->terrain.ctx);
    const RiStatus status = ri_mesh_build(m, def, &work);
    ri_arena_free(&work);
    RI_TRY(status);
    RI_TRY(ri_mesh_scene_create(m));
    if (m->closed)
        RI_TRY(ri_mesh_winding_create(m));
    ri_mesh_find_overlaps(m);
    return RI_OK;
}

RiStatus ri_terrain_create_mesh(RiContext *ctx, const RiGroundMeshDef *def, RiTerrain **out_terrain)
{
    *out_terrain = NULL;
    RiTerrain *t;
    RI_TRY(ri_terrain_alloc(ctx, &mesh_class, sizeof(RiMeshTerrain), &t));
    const RiStatus status = build((RiMeshTerrain *)t, def);
    if (status != RI_OK)
        ri_terrain_destroy(t);
    else
        *out_terrain = t;
    return status;
}
