// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ways over the world's map where a mobility map is given: Dijkstra's search from the goal over
/// eight headings.
///
///     cost of a move = length ((w_a + w_b) / 2 + (m_a(h) + m_b(h)) / 2 - 1)
///
/// w is the cost of a cell by what the rover has seen (world.c), m(h) that of the mobility map in the
/// heading h of the move: climbing a slope and crossing it cost differently, which the values of
/// Field D* cannot tell apart. A diagonal move needs both cells beside it. Outside the mobility map
/// m is the mean of its finite costs: ground that was not mapped is neither better nor worse. Test: tests/onboard/test_ways.c.
#include "base/functions.h"
#include "onboard/drive/navigate.h"

enum { SIDE = RI_NAV_WORLD_CELLS, CELLS = SIDE * SIDE };

static const int step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1}, step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/// Cell of the map that holds a place; -1: none.
static int map_cell(const RiDeviceMap *m, double px, double py)
{
    const double x = floor((px - m->x0) / m->cell + 0.5), y = floor((py - m->y0) / m->cell + 0.5);
    return x >= 0.0 && y >= 0.0 && x < m->nx && y < m->ny ? (int)y * m->nx + (int)x : -1;
}

/// Heading of the map that is nearest to an angle.
static int map_heading(const RiDeviceMap *m, double heading)
{
    const int h = (int)floor(heading * m->headings / (2.0 * RI_PI) + 0.5) % m->headings;
    return h < 0 ? h + m->headings : h;
}

long long ri_nav_map_index(const RiDeviceMap *m, double px, double py, double heading)
{
    const int cell = map_cell(m, px, py);
    return cell < 0 ? -1 : (long long)map_heading(m, heading) * m->nx * m->ny + cell;
}

double ri_nav_map_cost(const RiDeviceMap *m, double px, double py, double heading)
{
    const long long at = ri_nav_map_index(m, px, py, heading);
    return at < 0 ? m->outside : (double)m->cost[at];
}

bool ri_nav_map_forbids(const RiDeviceMap *m, double px, double py)
{
    for (int h = 0; h < m->headings; h++)
        if (!isinf(ri_nav_map_cost(m, px, py, 2.0 * RI_PI * h / m->headings)))
            return false;
    return true;
}

// --- the queue: a binary heap that knows where each cell is ---------------------------------------

static void put(RiNavWays *w, int at, int cell)
{
    w->heap[at] = cell;
    w->place[cell] = at;
}

static void raise_cell(RiNavWays *w, int cell)
{
    int at = w->place[cell];
    for (; at > 0 && w->g[cell] < w->g[w->heap[(at - 1) / 2]]; at = (at - 1) / 2)
        put(w, at, w->heap[(at - 1) / 2]);
    put(w, at, cell);
}

static int take_first(RiNavWays *w)
{
    const int first = w->heap[0], last = w->heap[--w->count];
    int at = 0;
    w->place[first] = -1;
    if (w->count == 0)
        return first;
    for (int child; (child = 2 * at + 1) < w->count; at = child) {
        child += child + 1 < w->count && w->g[w->heap[child + 1]] < w->g[w->heap[child]];
        if (!(w->g[w->heap[child]] < w->g[last]))
            break;
        put(w, at, w->heap[child]);
    }
    put(w, at, last);
    return first;
}

// --- the search ----------------------------------------------------------------------------------

static double seen_cost(const RiNavWays *w, int i, int j)
{
    return i >= 0 && j >= 0 && i < SIDE && j < SIDE ? w->seen[j * SIDE + i] : INFINITY;
}

/// Of the mobility map in a cell for a direction.
static double map_cost(const RiNavWays *w, int cell, int h)
{
    const RiDeviceMap *m = w->map;
    if (w->where[cell] < 0)
        return m->outside;
    const size_t at = (size_t)w->headings[h] * (size_t)m->nx * (size_t)m->ny + (size_t)w->where[cell];
    const double cost = (double)m->cost[at];
    return isinf(cost) && w->free[cell] ? 3.0 : cost; // the rover stands there
}

/// From cell (i, j) in direction h to its neighbour; infinite: it must not be made.
static double move_cost(const RiNavWays *w, int i, int j, int h)
{
    const int a = j * SIDE + i, b = (j + step_y[h]) * SIDE + i + step_x[h];
    const double seen = 0.5 * (seen_cost(w, i, j) + seen_cost(w, i + step_x[h], j + step_y[h]));
    if (isinf(seen) || (h % 2 && isinf(seen_cost(w, i + step_x[h], j) + seen_cost(w, i, j + step_y[h]))))
        return INFINITY;
    return w->cell * (h % 2 ? M_SQRT2 : 1.0) * (seen + 0.5 * (map_cost(w, a, h) + map_cost(w, b, h)) - 1.0);
}

static void relax_around(RiNavWays *w, int cell)
{
    const int i = cell % SIDE, j = cell / SIDE;
    for (int h = 0; h < 8; h++) { // moves that end here
        const int fi = i - step_x[h], fj = j - step_y[h];
        if (fi < 0 || fj < 0 || fi >= SIDE || fj >= SIDE)
            continue;
        const int from = fj * SIDE + fi;
        const double g = w->g[cell] + move_cost(w, fi, fj, h);
        if (!(g < w->g[from]))
            continue;
        w->g[from] = g;
        if (w->place[from] < 0)
            put(w, w->count++, from);
        raise_cell(w, from);
    }
}

static int cell_of(const RiNavWays *w, double px, double py)
{
    const double i = floor((px - w->x0) / w->cell), j = floor((py - w->y0) / w->cell);
    return i >= 0.0 && j >= 0.0 && i < SIDE && j < SIDE ? (int)j * SIDE + (int)i : -1;
}

void ri_nav_ways_search(RiNavWays *w, double goal_x, double goal_y)
{
    const int goal = cell_of(w, goal_x, goal_y);
    w->count = 0;
    for (int h = 0; h < 8; h++)
        w->headings[h] = map_heading(w->map, 0.25 * RI_PI * h);
    for (int i = 0; i < CELLS; i++) {
        w->where[i] = map_cell(w->map, w->x0 + (i % SIDE + 0.5) * w->cell, w->y0 + (i / SIDE + 0.5) * w->cell);
        w->g[i] = INFINITY;
        w->place[i] = -1;
    }
    if (goal < 0 || isinf(w->seen[goal]))
        return;
    w->g[goal] = 0.0;
    put(w, w->count++, goal);
    while (w->count > 0)
        relax_around(w, take_first(w));
}

double ri_nav_ways_cost(const RiNavWays *w, double px, double py)
{
    const double u = (px - w->x0) / w->cell - 0.5, v = (py - w->y0) / w->cell - 0.5;
    const int i = (int)floor(u), j = (int)floor(v), own = cell_of(w, px, py);
    if (own < 0 || isinf(w->seen[own]) || isinf(w->g[own]))
        return INFINITY;
    double sum = 0.0;
    for (int k = 0; k < 4; k++) { // between the middles around it; own value where one has none
        const int a = i + k % 2, b = j + k / 2;
        const double share = fabs((k % 2 ? u - i : 1.0 - u + i) * (k / 2 ? v - j : 1.0 - v + j));
        const bool inside = a >= 0 && b >= 0 && a < SIDE && b < SIDE && !isinf(w->g[b * SIDE + a]);
        sum += share * w->g[inside ? b * SIDE + a : own];
    }
    return sum;
}

int ri_nav_ways_path(const RiNavWays *w, double px, double py, double goal_x, double goal_y, RiVec3 *path, int room)
{
    int at = cell_of(w, px, py), count = 0, last = -1;
    if (at < 0 || isinf(w->g[at]) || room < 3)
        return 0;
    path[count++] = ri_vec3(px, py, 0.0);
    while (w->g[at] > 0.0 && count < room - 1) {
        const int i = at % SIDE, j = at / SIDE;
        double least = INFINITY;
        int best = -1;
        for (int h = 0; h < 8; h++) {
            if (isinf(seen_cost(w, i + step_x[h], j + step_y[h])))
                continue;
            const double g = move_cost(w, i, j, h) + w->g[(j + step_y[h]) * SIDE + i + step_x[h]];
            if (g < least) {
                least = g;
                best = h;
            }
        }
        if (best < 0)
            return 0;
        if (best != last && last >= 0) // a corner
            path[count++] = ri_vec3(w->x0 + (i + 0.5) * w->cell, w->y0 + (j + 0.5) * w->cell, 0.0);
        last = best;
        at = (j + step_y[best]) * SIDE + i + step_x[best];
    }
    path[count++] = ri_vec3(goal_x, goal_y, 0.0);
    return count;
}
