// SPDX-License-Identifier: Apache-2.0
/// \file
/// Several terrains as one: the nearest surface answers. Materials are merged by name.
///
/// The solid is the union of the parts' solids: in free space distances are as exact as the parts',
/// inside overlaps their size is a lower bound.
#include "terrain/terrain.h"

enum { BURIED = 64 };

typedef struct Union {
    RiTerrain terrain;
    int count;
    const RiTerrain **parts;
    int **materials; ///< of a part's material in the union
} Union;

static void union_info(const RiTerrain *t, RiTerrainInfo *out)
{
    const Union *u = (const Union *)t;
    out->low = ri_vec3(INFINITY, INFINITY, INFINITY);
    out->high = ri_scale(-1.0, out->low);
    out->single_valued = true;
    out->bytes = sizeof *u;
    for (int k = 0; k < u->count; k++) {
        const RiTerrainInfo part = ri_terrain_info(u->parts[k]);
        out->low = ri_vec3(fmin(out->low.x, part.low.x), fmin(out->low.y, part.low.y), fmin(out->low.z, part.low.z));
        out->high =
            ri_vec3(fmax(out->high.x, part.high.x), fmax(out->high.y, part.high.y), fmax(out->high.z, part.high.z));
        out->single_valued &= part.single_valued;
        out->cell = part.cell > 0.0 && (out->cell == 0.0 || part.cell < out->cell) ? part.cell : out->cell;
        out->bytes += part.bytes;
        out->triangles += part.triangles;
        out->cells += part.cells;
        out->ambiguous += part.ambiguous;
        out->exact = u->count == 1 && part.exact;
        out->walls |= part.walls;
    }
}

static void union_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    enum { AT_ONCE = 64 };
    const Union *u = (const Union *)t;
    RiSurface other[AT_ONCE];
    for (int first = 0; first < count; first += AT_ONCE) {
        const int n = count - first < AT_ONCE ? count - first : AT_ONCE;
        for (int k = 0; k < u->count; k++) {
            RiSurface *to = k == 0 ? out + first : other;
            ri_terrain_query_many(u->parts[k], n, points + first, to);
            for (int i = 0; i < n; i++) {
                to[i].material = u->materials[k][to[i].material];
                if (k > 0 && other[i].distance < out[first + i].distance)
                    out[first + i] = other[i];
            }
        }
    }
}

/// Highest of the parts' surfaces not above `from`, whether or not another part covers it.
static bool highest(const Union *u, double x, double y, double from, RiHeight *out)
{
    bool found = false;
    *out = (RiHeight){.z = NAN};
    for (int k = 0; k < u->count; k++) {
        RiHeight h;
        if (!u->parts[k]->kind->height(u->parts[k], x, y, from, &h) || (found && !(h.z > out->z)))
            continue;
        h.material = u->materials[k][h.material];
        *out = h;
        found = true;
    }
    return found;
}

/// Surfaces buried in other parts (below `from` in a solid, or under an endless one) are passed
/// over.
static bool union_height(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    for (int k = 0; k < BURIED && highest((const Union *)t, x, y, from, out); k++) {
        const double buried = 1e-9 * (1.0 + fabs(out->z));
        RiSurface surface;
        ri_terrain_query(t, ri_vec3(x, y, out->z), &surface);
        if (!(surface.distance < -buried))
            return true;
        from = out->z - buried;
    }
    *out = (RiHeight){.z = NAN};
    return false;
}

static bool union_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out)
{
    const Union *u = (const Union *)t;
    bool found = false;
    for (int k = 0; k < u->count; k++) {
        RiTerrainHit hit;
        // Only what is nearer than the hit so far counts.
        if (!ri_terrain_ray(u->parts[k], origin, direction, found ? out->range : range, &hit) ||
            (found && !(hit.range < out->range)))
            continue;
        hit.material = u->materials[k][hit.material];
        *out = hit;
        found = true;
    }
    return found;
}

static int union_parts(const RiTerrain *t, const RiTerrain *const **out_parts)
{
    const Union *u = (const Union *)t;
    *out_parts = u->parts;
    return u->count;
}

static const RiTerrainClass union_class = {.kind = "union",
                                           .info = union_info,
                                           .query_many = union_query_many,
                                           .height = union_height,
                                           .ray = union_ray,
                                           .parts = union_parts};

static RiStatus build(Union *u, RiTerrain *const *parts)
{
    RiArena *arena = &u->terrain.arena;
    u->parts = ri_arena_alloc(arena, (size_t)u->count, sizeof *u->parts);
    u->materials = ri_arena_alloc(arena, (size_t)u->count, sizeof *u->materials);
    if (!u->parts || !u->materials)
        return ri_error_memory(u->terrain.ctx);
    for (int k = 0; k < u->count; k++) {
        const int n = ri_terrain_material_count(parts[k]);
        u->parts[k] = parts[k];
        u->materials[k] = ri_arena_alloc(arena, (size_t)n + 1, sizeof **u->materials);
        if (!u->materials[k])
            return ri_error_memory(u->terrain.ctx);
        for (int m = 0; m < n; m++)
            RI_TRY(ri_terrain_add_material(&u->terrain, ri_terrain_material_name(parts[k], m), &u->materials[k][m]));
    }
    return RI_OK;
}

RiStatus ri_terrain_create_union(RiContext *ctx, int count, RiTerrain *const *parts, RiTerrain **out_terrain)
{
    *out_terrain = NULL;
    if (count < 1)
        return ri_error(ctx, RI_ERR_ARGUMENT, "union: there are no parts");
    for (int k = 0; k < count; k++)
        if (!parts[k])
            return ri_error(ctx, RI_ERR_ARGUMENT, "union: part %d of %d is missing", k, count);
    RiTerrain *t;
    RI_TRY(ri_terrain_alloc(ctx, &union_class, sizeof(Union), &t));
    ((Union *)t)->count = count;
    const RiStatus status = build((Union *)t, parts);
    if (status != RI_OK)
        ri_terrain_destroy(t);
    else
        *out_terrain = t;
    return status;
}
