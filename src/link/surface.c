// SPDX-License-Identifier: Apache-2.0
/// \file
/// Surface nets: one point in every cell of a grid whose corners lie on both sides of the ground,
/// at the mean of the places where the cell's edges cross it, then moved onto the ground by its
/// distance and normal; one quadrilateral for every edge of the grid that crosses. Blocks of cells
/// that the ground cannot reach, by the distance at their middle, are not looked at.
#include "link/surface.h"

#include <math.h>
#include <string.h>

enum { CELLS = 96, BLOCK = 8 };

typedef struct Net {
    const RiAllocator *memory;
    const RiTerrain *terrain;
    RiVec3 low;
    double cell;
    double reach;    ///< of a block's corner from its middle [m], with a margin
    int n[3];        ///< cells, multiples of BLOCK
    float *distance; ///< [(n0 + 1) (n1 + 1) (n2 + 1)]; NAN: not known yet
    int *index;      ///< [n0 n1 n2] point of a cell, -1
    RiSurfaceMesh out;
    int point_room, triangle_room;
} Net;

static size_t corner_at(const Net *s, int i, int j, int k)
{
    return ((size_t)k * (size_t)(s->n[1] + 1) + (size_t)j) * (size_t)(s->n[0] + 1) + (size_t)i;
}

static size_t cell_at(const Net *s, int i, int j, int k)
{
    return ((size_t)k * (size_t)s->n[1] + (size_t)j) * (size_t)s->n[0] + (size_t)i;
}

static RiVec3 place(const Net *s, double i, double j, double k)
{
    return ri_vec3(s->low.x + s->cell * i, s->low.y + s->cell * j, s->low.z + s->cell * k);
}

/// The part of the ground that is meshed.
static void choose_box(Net *s, RiVec3 centre, double reach)
{
    const double near = 3.0, far = 50.0, times = 12.0; // half sides [m]; in distances to the ground
    const RiTerrainInfo info = ri_terrain_info(s->terrain);
    RiSurface at;
    ri_terrain_query(s->terrain, centre, &at);
    const double half = fmax(fmax(near, 1.25 * reach), fmin(far, times * fabs(at.distance)));
    const double c[3] = {centre.x, centre.y, centre.z}, low[3] = {info.low.x, info.low.y, info.low.z},
                 high[3] = {info.high.x, info.high.y, info.high.z};
    double from[3], side[3], longest = 0.0;
    for (int a = 0; a < 3; a++) {
        const double edge = 0.02 * half; // so that the border itself lies inside
        from[a] = fmax(c[a] - half, low[a] - edge);
        side[a] = fmin(c[a] + half, high[a] + edge) - from[a];
        if (!(side[a] > 0.0)) { // the point is off the bounds
            from[a] = c[a] - half;
            side[a] = 2.0 * half;
        }
        longest = fmax(longest, side[a]);
    }
    s->low = ri_vec3(from[0], from[1], from[2]);
    s->cell = fmax(longest / CELLS, fmin(info.cell, longest / BLOCK));
    s->reach = 1.5 * s->cell * 0.5 * BLOCK * sqrt(3.0);
    for (int a = 0; a < 3; a++)
        s->n[a] = BLOCK * (int)fmax(1.0, fmin(CELLS / BLOCK, ceil(side[a] / s->cell / BLOCK - 1e-9)));
}

static void fill_block(Net *s, int i0, int j0, int k0)
{
    RiSurface middle, row[BLOCK + 1];
    RiVec3 points[BLOCK + 1];
    ri_terrain_query(s->terrain, place(s, i0 + 0.5 * BLOCK, j0 + 0.5 * BLOCK, k0 + 0.5 * BLOCK), &middle);
    const bool far = fabs(middle.distance) > s->reach;
    for (int k = k0; k <= k0 + BLOCK; k++)
        for (int j = j0; j <= j0 + BLOCK; j++) {
            float *d = s->distance + corner_at(s, i0, j, k);
            for (int i = 0; i <= BLOCK; i++)
                points[i] = place(s, i0 + i, j, k);
            if (!far)
                ri_terrain_query_many(s->terrain, BLOCK + 1, points, row);
            for (int i = 0; i <= BLOCK; i++)
                if (!far)
                    d[i] = (float)row[i].distance;
                else if (isnan(d[i]))
                    d[i] = (float)middle.distance; // its sign is what counts
        }
}

static bool grow(const Net *s, void **list, int *room, size_t size)
{
    const int more = *room ? 2 * *room : 4096;
    void *at = s->memory->resize(s->memory->user, *list, (size_t)more * size);
    if (!at)
        return false;
    *list = at;
    *room = more;
    return true;
}

/// The corners of a cell: bit 0 along x, 1 along y, 2 along z.
static void corners_of(const Net *s, int i, int j, int k, double d[8])
{
    for (int c = 0; c < 8; c++)
        d[c] = (double)s->distance[corner_at(s, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))];
}

/// Mean of the places where edges of a cell cross the ground, in cells from its lowest corner;
/// false if none does.
static bool crossing(const double d[8], double out[3])
{
    int count = 0;
    out[0] = out[1] = out[2] = 0.0;
    for (int c = 0; c < 8; c++)
        for (int a = 0; a < 3; a++) {
            const int e = c | 1 << a;
            if (e == c || (d[c] < 0.0) == (d[e] < 0.0))
                continue;
            const double t = d[c] / (d[c] - d[e]);
            for (int b = 0; b < 3; b++)
                out[b] += (c >> b & 1) + (b == a ? t : 0.0);
            count++;
        }
    for (int b = 0; b < 3; b++)
        out[b] /= count ? count : 1;
    return count > 0;
}

static bool add_point(Net *s, int i, int j, int k, const double at[3])
{
    RiVec3 p = place(s, i + at[0], j + at[1], k + at[2]);
    RiSurface here;
    ri_terrain_query(s->terrain, p, &here);
    if (fabs(here.distance) < s->cell && isfinite(here.normal.x) && !(here.flags & RI_SURFACE_FAR))
        p = ri_sub(p, ri_scale(here.distance, here.normal));
    if (s->out.point_count == s->point_room &&
        !grow(s, (void **)&s->out.points, &s->point_room, 3 * sizeof *s->out.points))
        return false;
    float *x = s->out.points + 3 * (size_t)s->out.point_count;
    x[0] = (float)p.x;
    x[1] = (float)p.y;
    x[2] = (float)p.z;
    s->index[cell_at(s, i, j, k)] = s->out.point_count++;
    return true;
}

static bool add_points(Net *s)
{
    for (int k = 0; k < s->n[2]; k++)
        for (int j = 0; j < s->n[1]; j++)
            for (int i = 0; i < s->n[0]; i++) {
                double d[8], at[3];
                s->index[cell_at(s, i, j, k)] = -1;
                corners_of(s, i, j, k, d);
                if (crossing(d, at) && !add_point(s, i, j, k, at))
                    return false;
            }
    return true;
}

static bool add_quad(Net *s, const int q[4])
{
    if (s->out.triangle_count + 2 > s->triangle_room &&
        !grow(s, (void **)&s->out.triangles, &s->triangle_room, 3 * sizeof *s->out.triangles))
        return false;
    const uint32_t abc[6] = {(uint32_t)q[0], (uint32_t)q[1], (uint32_t)q[2],
                             (uint32_t)q[0], (uint32_t)q[2], (uint32_t)q[3]};
    memcpy(s->out.triangles + 3 * (size_t)s->out.triangle_count, abc, sizeof abc);
    s->out.triangle_count += 2;
    return true;
}

/// The quadrilateral around the edge from corner c along axis a, if it crosses: the four cells that
/// share it, anticlockwise as seen from the axis's end; turned round if free space lies at its
/// beginning.
static bool cross_edge(Net *s, const int c[3], int a)
{
    const int u = (a + 1) % 3, v = (a + 2) % 3;
    int end[3] = {c[0], c[1], c[2]}, q[4];
    end[a]++;
    if (c[u] == 0 || c[v] == 0 || c[u] == s->n[u] || c[v] == s->n[v])
        return true;
    const bool in = s->distance[corner_at(s, c[0], c[1], c[2])] < 0.0f;
    if (in == (s->distance[corner_at(s, end[0], end[1], end[2])] < 0.0f))
        return true;
    for (int m = 0; m < 4; m++) {
        int cell[3] = {c[0], c[1], c[2]};
        cell[u] -= m == 0 || m == 3;
        cell[v] -= m < 2;
        q[in ? m : 3 - m] = s->index[cell_at(s, cell[0], cell[1], cell[2])];
    }
    return q[0] < 0 || q[1] < 0 || q[2] < 0 || q[3] < 0 || add_quad(s, q);
}

static bool add_triangles(Net *s)
{
    for (int k = 0; k <= s->n[2]; k++)
        for (int j = 0; j <= s->n[1]; j++)
            for (int i = 0; i <= s->n[0]; i++)
                for (int a = 0; a < 3; a++) {
                    const int c[3] = {i, j, k};
                    if (c[a] < s->n[a] && !cross_edge(s, c, a))
                        return false;
                }
    return true;
}

static bool make_net(Net *s)
{
    const size_t corners = (size_t)(s->n[0] + 1) * (size_t)(s->n[1] + 1) * (size_t)(s->n[2] + 1);
    const size_t cells = (size_t)s->n[0] * (size_t)s->n[1] * (size_t)s->n[2];
    s->distance = s->memory->resize(s->memory->user, NULL, corners * sizeof *s->distance);
    s->index = s->memory->resize(s->memory->user, NULL, cells * sizeof *s->index);
    if (!s->distance || !s->index)
        return false;
    for (size_t i = 0; i < corners; i++)
        s->distance[i] = NAN;
    for (int k = 0; k < s->n[2]; k += BLOCK)
        for (int j = 0; j < s->n[1]; j += BLOCK)
            for (int i = 0; i < s->n[0]; i += BLOCK)
                fill_block(s, i, j, k);
    return add_points(s) && add_triangles(s);
}

RiStatus ri_surface_around(RiContext *ctx, const RiAllocator *memory, const RiTerrain *terrain, RiVec3 centre,
                           double reach, RiSurfaceMesh *out)
{
    Net s = {.memory = memory, .terrain = terrain};
    choose_box(&s, centre, reach);
    const bool made = make_net(&s);
    memory->release(memory->user, s.distance);
    memory->release(memory->user, s.index);
    *out = s.out;
    if (made)
        return RI_OK;
    ri_surface_free(memory, out);
    return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
}

void ri_surface_free(const RiAllocator *memory, RiSurfaceMesh *mesh)
{
    memory->release(memory->user, mesh->points);
    memory->release(memory->user, mesh->triangles);
    *mesh = (RiSurfaceMesh){0};
}
