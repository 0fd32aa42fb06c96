// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ruts and berms for rays: where something has happened to the ground, a tile of fine triangles
/// is in its place.
///
/// Tiles are those of RiRuts, 64 x 64 cells. A tile is built when it is first seen, and its heights
/// are taken again when its version has changed; the ground's own triangles are ignored inside
/// tiles (ray_trace.c). A skirt around each tile closes the seam to the coarser ground beside it.
#include "optics/ray_scene.h"

#ifdef RILLE_HAVE_EMBREE

#include <math.h>
#include <string.h>

#include "optics/ray_embree.h"

enum { CELLS = RI_RUT_TILE, SIDE = CELLS + 1, POINTS = SIDE * SIDE, BORDER = 4 * CELLS };
static const float skirt_depth = 0.03f; ///< [m]

static int tile_of(int cell)
{
    return cell >= 0 ? cell / CELLS : -((CELLS - 1 - cell) / CELLS);
}

static unsigned slot_of(const RiRayScene *s, int a, int b)
{
    return ((unsigned)a * 73856093u ^ (unsigned)b * 19349663u) & (unsigned)(s->table_size - 1);
}

/// Index of the tile at (a, b) in units of tiles, -1: none.
static int find_tile(const RiRayScene *s, int a, int b)
{
    if (!s->table_size)
        return -1;
    for (unsigned at = slot_of(s, a, b); s->tile_table[at]; at = (at + 1) & (unsigned)(s->table_size - 1)) {
        const RiRayTile *t = &s->tiles[s->tile_table[at] - 1];
        if (tile_of(t->i) == a && tile_of(t->j) == b)
            return s->tile_table[at] - 1;
    }
    return -1;
}

bool ri_ray_ruts_at(const RiRayScene *s, double x, double y)
{
    int i, j;
    if (s->tile_count == 0)
        return false;
    ri_ruts_cell_at(s->def.ruts, x, y, &i, &j);
    return find_tile(s, tile_of(i), tile_of(j)) >= 0;
}

void ri_ray_ruts_free(RiRayScene *s)
{
    for (int i = 0; i < s->tile_count; i++) {
        rtcDetachGeometry(s->ruts, (unsigned)i);
        rtcReleaseGeometry(s->tiles[i].geometry);
        ri_release(s->ctx, s->tiles[i].base);
        s->triangles -= 2 * (CELLS * CELLS + BORDER);
    }
    ri_release(s->ctx, s->tiles);
    ri_release(s->ctx, s->tile_table);
    s->tiles = NULL;
    s->tile_table = NULL;
    s->tile_count = s->tile_capacity = s->table_size = 0;
}

static void insert(RiRayScene *s, int index)
{
    const RiRayTile *t = &s->tiles[index];
    unsigned at = slot_of(s, tile_of(t->i), tile_of(t->j));
    while (s->tile_table[at])
        at = (at + 1) & (unsigned)(s->table_size - 1);
    s->tile_table[at] = index + 1;
}

/// Room for one more tile, in the list and in the table.
static RiStatus make_room(RiRayScene *s)
{
    if (s->tile_count < s->tile_capacity)
        return RI_OK;
    const int more = s->tile_capacity ? 2 * s->tile_capacity : 64;
    RiRayTile *tiles = ri_resize(s->ctx, s->tiles, (size_t)more, sizeof *tiles);
    if (!tiles)
        return ri_error_memory(s->ctx);
    s->tiles = tiles;
    int *table = ri_alloc_zero(s->ctx, 4 * (size_t)more, sizeof *table);
    if (!table)
        return ri_error_memory(s->ctx);
    ri_release(s->ctx, s->tile_table);
    s->tile_table = table;
    s->table_size = 4 * more;
    s->tile_capacity = more;
    for (int i = 0; i < s->tile_count; i++)
        insert(s, i);
    return RI_OK;
}

/// Point k of the border, counter-clockwise.
static int border_point(int k)
{
    const int side = k / CELLS, at = k % CELLS;
    return side == 0 ? at : side == 1 ? at * SIDE + CELLS : side == 2 ? CELLS * SIDE + CELLS - at : (CELLS - at) * SIDE;
}

static void set_triangles(RiRayTile *t)
{
    int at = 0;
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            const uint32_t a = (uint32_t)(j * SIDE + i), b = a + 1, c = a + SIDE, d = c + 1;
            memcpy(t->triangles[at++], (uint32_t[]){a, b, d}, 3 * sizeof a);
            memcpy(t->triangles[at++], (uint32_t[]){a, d, c}, 3 * sizeof a);
        }
    for (int k = 0; k < BORDER; k++) {
        const uint32_t a = (uint32_t)border_point(k), b = (uint32_t)border_point((k + 1) % BORDER);
        const uint32_t below = (uint32_t)(POINTS + k), next = (uint32_t)(POINTS + (k + 1) % BORDER);
        memcpy(t->triangles[at++], (uint32_t[]){a, below, next}, 3 * sizeof a);
        memcpy(t->triangles[at++], (uint32_t[]){a, next, b}, 3 * sizeof a);
    }
}

/// Heights with ruts into the points.
static void set_heights(RiRayScene *s, RiRayTile *t)
{
    const double cell = ri_ruts_cell(s->def.ruts);
    double x[SIDE], y[SIDE], depth[SIDE];
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            x[i] = (t->i + i) * cell;
            y[i] = (t->j + j) * cell;
        }
        ri_ruts_depth_many(s->def.ruts, SIDE, x, y, depth);
        for (int i = 0; i < SIDE; i++) {
            float *p = t->points[j * SIDE + i];
            p[0] = (float)(x[i] - s->origin.x);
            p[1] = (float)(y[i] - s->origin.y);
            p[2] = (float)(t->base[j * SIDE + i] - depth[i] - s->origin.z);
        }
    }
    for (int k = 0; k < BORDER; k++) {
        memcpy(t->points[POINTS + k], t->points[border_point(k)], sizeof *t->points);
        t->points[POINTS + k][2] -= skirt_depth;
    }
}

static RiStatus set_base(RiRayScene *s, RiRayTile *t)
{
    const double cell = ri_ruts_cell(s->def.ruts);
    t->base = ri_alloc(s->ctx, POINTS, sizeof *t->base);
    if (!t->base)
        return ri_error_memory(s->ctx);
    for (int j = 0; j < SIDE; j++) {
        double x[SIDE], y[SIDE];
        RiHeight h[SIDE];
        for (int i = 0; i < SIDE; i++) {
            x[i] = (t->i + i) * cell;
            y[i] = (t->j + j) * cell;
        }
        ri_terrain_height_many(s->def.terrain, SIDE, x, y, h, NULL);
        for (int i = 0; i < SIDE; i++)
            t->base[j * SIDE + i] = h[i].z;
    }
    return RI_OK;
}

static RiStatus add_tile(RiRayScene *s, int i, int j)
{
    RI_TRY(make_room(s));
    RiRayTile *t = &s->tiles[s->tile_count];
    *t = (RiRayTile){.i = i, .j = j};
    RI_TRY(set_base(s, t));
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    const size_t points = POINTS + BORDER, triangles = 2 * (CELLS * CELLS + BORDER);
    t->points = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, points);
    t->triangles = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, triangles);
    if (!t->points || !t->triangles) {
        rtcReleaseGeometry(g);
        ri_release(s->ctx, t->base);
        return ri_error_memory(s->ctx);
    }
    set_triangles(t);
    t->geometry = g;
    rtcSetGeometryMask(g, RI_RAY_PHYSICAL);
    rtcSetGeometryBuildQuality(g, RTC_BUILD_QUALITY_LOW);
    rtcAttachGeometryByID(s->ruts, g, (unsigned)s->tile_count);
    s->triangles += (long long)triangles;
    insert(s, s->tile_count++);
    return RI_OK;
}

RiStatus ri_ray_ruts_update(RiRayScene *s, bool *out_changed)
{
    const RiRuts *ruts = s->def.ruts;
    *out_changed = false;
    if (!ruts || !s->def.terrain || !s->single_valued)
        return RI_OK;
    for (int k = 0; k < ri_ruts_tile_count(ruts); k++) {
        int i, j;
        (void)ri_ruts_tile(ruts, k, &i, &j);
        int index = find_tile(s, tile_of(i), tile_of(j));
        if (index < 0) {
            RI_TRY(add_tile(s, i, j));
            index = s->tile_count - 1;
        }
        RiRayTile *t = &s->tiles[index];
        const unsigned version = ri_ruts_tile_version(ruts, k);
        if (t->known && t->version == version)
            continue;
        set_heights(s, t);
        rtcUpdateGeometryBuffer(t->geometry, RTC_BUFFER_TYPE_VERTEX, 0);
        rtcCommitGeometry(t->geometry);
        t->known = *out_changed = true;
        t->version = version;
    }
    return RI_OK;
}

#endif
