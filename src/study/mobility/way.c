// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ways over a mobility map: A* over the eight headings, and the straight way for comparison.
///
///     cost of a move = length (1 + w_s |slip| / (1 - |slip|) + w_e energy / energy of level ground + w_r risk)
///
/// with the mean of both cells for the heading of the move. A cell of risk 1 for that heading is
/// not entered. The heuristic is the length of the way over the grid, which is never more than its
/// cost.                                       Test: tests/study/test_mobility.c.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/mobility.h>

#include "base/functions.h"
#include "base/memory.h"

static const int step_x[RI_MOBILITY_HEADINGS] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int step_y[RI_MOBILITY_HEADINGS] = {0, 1, 1, 1, 0, -1, -1, -1};

static float layer_at(const RiMobilityMap *m, RiMobilityLayer layer, int heading, int cell)
{
    const size_t cells = (size_t)m->nx * (size_t)m->ny;
    return m->layers[layer][(size_t)heading * cells + (size_t)cell];
}

/// Energy per metre where the rover stands most level: what others are compared with.
static double level_energy(const RiMobilityMap *m)
{
    double best = INFINITY, energy = 1.0;
    for (int i = 0; i < m->nx * m->ny; i++) {
        const double tilt = (double)layer_at(m, RI_MOBILITY_TILT, 0, i),
                     e = (double)layer_at(m, RI_MOBILITY_ENERGY, 0, i);
        if (tilt < best && e > 0.0 && isfinite(e)) {
            best = tilt;
            energy = e;
        }
    }
    return energy;
}

/// What a move from a cell to another costs; infinite: it must not be made. Adds its figures to
/// `way`.
static double move_cost(const RiMobilityMap *m, const RiMobilityWeights *w, double level, int a, int b, int heading,
                        double length, RiMobilityWay *way)
{
    const double slip = 0.5 * fabs((double)layer_at(m, RI_MOBILITY_SLIP, heading, a) +
                                   (double)layer_at(m, RI_MOBILITY_SLIP, heading, b));
    const double energy = 0.5 * ((double)layer_at(m, RI_MOBILITY_ENERGY, heading, a) +
                                 (double)layer_at(m, RI_MOBILITY_ENERGY, heading, b));
    const double risk =
        fmax((double)layer_at(m, RI_MOBILITY_RISK, heading, a), (double)layer_at(m, RI_MOBILITY_RISK, heading, b));
    if (way) {
        way->length += length;
        way->energy += fmax(energy, 0.0) * length;
        way->slip_most = fmax(way->slip_most, slip);
        way->risk_most = fmax(way->risk_most, risk);
    }
    if (!(risk < 1.0) || !(slip < 0.99) || !isfinite(energy))
        return INFINITY;
    return length * (1.0 + w->slip * slip / (1.0 - slip) + w->energy * fmax(energy, 0.0) / level + w->risk * risk);
}

// --- the queue: a binary heap --------------------------------------------------------------------

typedef struct Entry {
    double key;
    int cell;
} Entry;

typedef struct Search {
    const RiMobilityMap *m;
    double *g;
    short *from; // heading by which a cell was reached; -1: not yet
    Entry *heap;
    int count, room;
    int goal;
} Search;

static bool before(Entry a, Entry b)
{
    return a.key < b.key || (a.key == b.key && a.cell < b.cell);
}

static void push(Search *s, Entry e)
{
    int at = s->count++;
    for (; at > 0 && before(e, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = e;
}

static Entry pop(Search *s)
{
    const Entry top = s->heap[0], last = s->heap[--s->count];
    int at = 0;
    for (int child; (child = 2 * at + 1) < s->count; at = child) {
        child += child + 1 < s->count && before(s->heap[child + 1], s->heap[child]);
        if (!before(s->heap[child], last))
            break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = last;
    return top;
}

/// Length of the shortest way over the grid.
static double heuristic(const Search *s, int cell)
{
    const int dx = abs(cell % s->m->nx - s->goal % s->m->nx), dy = abs(cell / s->m->nx - s->goal / s->m->nx);
    const int both = dx < dy ? dx : dy;
    return s->m->cell * (dx + dy - 2 * both + both * 1.4142135623730951);
}

static void expand(Search *s, const RiMobilityWeights *w, double level, int cell)
{
    for (int h = 0; h < RI_MOBILITY_HEADINGS; h++) {
        const int x = cell % s->m->nx + step_x[h], y = cell / s->m->nx + step_y[h], next = y * s->m->nx + x;
        if (x < 0 || y < 0 || x >= s->m->nx || y >= s->m->ny)
            continue;
        const double length = s->m->cell * (h % 2 ? 1.4142135623730951 : 1.0);
        const double g = s->g[cell] + move_cost(s->m, w, level, cell, next, h, length, NULL);
        if (!(g < s->g[next]) || s->count == s->room)
            continue;
        s->g[next] = g;
        s->from[next] = (short)h;
        push(s, (Entry){g + heuristic(s, next), next});
    }
}

static RiStatus find_cell(const RiMobilityMap *m, RiVec3 p, const char *what, int *out)
{
    const double x = floor((p.x - m->x0) / m->cell + 0.5), y = floor((p.y - m->y0) / m->cell + 0.5);
    if (!(x >= 0.0 && y >= 0.0 && x < m->nx && y < m->ny))
        return ri_error(m->ctx, RI_ERR_ARGUMENT, "mobility: the %s (%g, %g) is outside the map", what, p.x, p.y);
    *out = (int)y * m->nx + (int)x;
    for (int h = 0; h < RI_MOBILITY_HEADINGS; h++)
        if (layer_at(m, RI_MOBILITY_RISK, h, *out) < 1.0F)
            return RI_OK;
    return ri_error(m->ctx, RI_ERR_ARGUMENT, "mobility: the rover must not stand at the %s (%g, %g), in any heading",
                    what, p.x, p.y);
}

static RiVec3 centre(const RiMobilityMap *m, int cell)
{
    return ri_vec3(m->x0 + cell % m->nx * m->cell, m->y0 + cell / m->nx * m->cell, 0.0);
}

/// Walks back from the goal; the figures of the way, and its cells from start to goal.
static int trace(const Search *s, const RiMobilityWeights *w, double level, int start, RiVec3 *path, int room,
                 RiMobilityWay *way)
{
    int count = 1;
    for (int at = s->goal; at != start; count++) {
        const int h = s->from[at], before_it = at - step_y[h] * s->m->nx - step_x[h];
        way->cost += move_cost(s->m, w, level, before_it, at, h, s->m->cell * (h % 2 ? 1.4142135623730951 : 1.0), way);
        at = before_it;
    }
    int at = s->goal;
    for (int k = count - 1; k >= 0; k--) {
        if (k < room)
            path[k] = centre(s->m, at);
        if (k > 0)
            at -= step_y[s->from[at]] * s->m->nx + step_x[s->from[at]];
    }
    return count < room ? count : room;
}

static RiStatus search(Search *s, const RiMobilityWeights *w, int start, RiVec3 *path, int room, int *out_count,
                       RiMobilityWay *out)
{
    const double level = level_energy(s->m);
    for (int i = 0; i < s->m->nx * s->m->ny; i++) {
        s->g[i] = INFINITY;
        s->from[i] = -1;
    }
    s->g[start] = 0.0;
    push(s, (Entry){heuristic(s, start), start});
    while (s->count > 0) {
        const Entry e = pop(s);
        if (e.cell == s->goal)
            break;
        if (e.key <= s->g[e.cell] + heuristic(s, e.cell)) // not a stale entry
            expand(s, w, level, e.cell);
    }
    out->found = isfinite(s->g[s->goal]);
    if (out->found)
        *out_count = trace(s, w, level, start, path, room, out);
    return RI_OK;
}

RiStatus ri_mobility_plan(const RiMobilityMap *map, RiVec3 start, RiVec3 goal, const RiMobilityWeights *weights,
                          RiVec3 *path, int room, int *out_count, RiMobilityWay *out_way)
{
    Search s = {.m = map};
    int from = 0;
    const size_t cells = (size_t)map->nx * (size_t)map->ny;
    *out_count = 0;
    *out_way = (RiMobilityWay){.found = false};
    RI_TRY(find_cell(map, start, "start", &from));
    RI_TRY(find_cell(map, goal, "goal", &s.goal));
    s.room = (int)(cells * RI_MOBILITY_HEADINGS < 200000000 ? cells * RI_MOBILITY_HEADINGS : 200000000);
    s.g = ri_alloc(map->ctx, cells, sizeof *s.g);
    s.from = ri_alloc(map->ctx, cells, sizeof *s.from);
    s.heap = ri_alloc(map->ctx, (size_t)s.room + 1, sizeof *s.heap);
    RiStatus status = s.g && s.from && s.heap ? RI_OK : ri_error_memory(map->ctx);
    if (status == RI_OK)
        status = search(&s, weights, from, path, room, out_count, out_way);
    ri_release(map->ctx, s.g);
    ri_release(map->ctx, s.from);
    ri_release(map->ctx, s.heap);
    return status;
}

RiStatus ri_mobility_straight(const RiMobilityMap *map, RiVec3 start, RiVec3 goal, const RiMobilityWeights *weights,
                              RiMobilityWay *out_way)
{
    int a = 0, b = 0;
    *out_way = (RiMobilityWay){.found = false};
    RI_TRY(find_cell(map, start, "start", &a));
    RI_TRY(find_cell(map, goal, "goal", &b));
    const RiVec3 d = ri_sub(goal, start);
    const double length = ri_hypot(d.x, d.y), level = level_energy(map);
    const int steps = (int)ceil(length / map->cell) + 1;
    const int heading = (int)lround(ri_atan2(d.y, d.x) / 0.7853981633974483 + 8.0) % RI_MOBILITY_HEADINGS;
    int last = a;
    for (int k = 1; k <= steps; k++) {
        const RiVec3 p = ri_add(start, ri_scale((double)k / steps, d));
        const int x = (int)floor((p.x - map->x0) / map->cell + 0.5), y = (int)floor((p.y - map->y0) / map->cell + 0.5);
        const int now = y * map->nx + x;
        out_way->cost += move_cost(map, weights, level, last, now, heading, length / steps, out_way);
        last = now;
    }
    out_way->found = isfinite(out_way->cost);
    return RI_OK;
}

RiStatus ri_mobility_map_cost(const RiMobilityMap *map, const RiMobilityWeights *weights, int heading,
                              RiRaster **out_raster)
{
    *out_raster = NULL;
    if (heading < 0 || heading >= RI_MOBILITY_HEADINGS)
        return ri_error(map->ctx, RI_ERR_ARGUMENT, "mobility: heading %d; 0 to %d are there", heading,
                        RI_MOBILITY_HEADINGS - 1);
    RI_TRY(ri_raster_create(map->ctx, map->nx, map->ny, map->cell, map->cell, out_raster));
    RiRaster *r = *out_raster;
    const double level = level_energy(map);
    r->x0 = map->x0;
    r->y0 = map->y0;
    for (int i = 0; i < map->nx * map->ny; i++)
        r->values[i] = (float)move_cost(map, weights, level, i, i, heading, 1.0, NULL);
    return RI_OK;
}

// --- goals ---------------------------------------------------------------------------------------

/// Distance of a place from a straight piece [m].
static double off_line(RiVec3 p, RiVec3 a, RiVec3 b)
{
    const RiVec3 d = ri_sub(b, a), r = ri_sub(p, a);
    const double length2 = ri_dot(d, d), t = length2 > 0.0 ? fmax(0.0, fmin(1.0, ri_dot(r, d) / length2)) : 0.0;
    return ri_norm(ri_sub(r, ri_scale(t, d)));
}

/// The place of the path that lies farthest from the pieces between goals, and the goal that it
/// comes before.
static double farthest(const RiVec3 *path, const int *kept, int pieces, int *out_place, int *out_piece)
{
    double most = 0.0;
    for (int k = 0; k < pieces; k++)
        for (int i = kept[k] + 1; i < kept[k + 1]; i++) {
            const double off = off_line(path[i], path[kept[k]], path[kept[k + 1]]);
            if (off > most) {
                most = off;
                *out_place = i;
                *out_piece = k;
            }
        }
    return most;
}

int ri_mobility_goals(const RiVec3 *path, int count, double near, RiVec3 *goals, int room, double *out_off)
{
    enum { MOST = 64 };
    int kept[MOST + 1] = {0}, pieces = 1, place = 0, piece = 0;
    *out_off = 0.0;
    if (count < 2 || room < 1)
        return 0;
    room = room < MOST ? room : MOST;
    kept[1] = count - 1;
    // the place that is farthest off becomes a goal, until all are taken or the rest lies near the
    // lines
    while ((*out_off = farthest(path, kept, pieces, &place, &piece)) > fmax(near, 1e-9) && pieces < room) {
        memmove(kept + piece + 2, kept + piece + 1, (size_t)(pieces - piece) * sizeof *kept);
        kept[piece + 1] = place;
        pieces++;
    }
    for (int k = 0; k < pieces; k++)
        goals[k] = path[kept[k + 1]];
    return pieces;
}
