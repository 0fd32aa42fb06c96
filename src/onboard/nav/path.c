// SPDX-License-Identifier: Apache-2.0
/// \file
/// Straight ways over a grid of costs, and pulling a path taut.
///
/// A corner of a path goes if the straight way past it is not dearer; a corner that stays moves to
/// a neighbouring corner of a cell if that is cheaper. Each change lowers the cost, so this ends. A
/// corner that stayed stays again as long as its neighbours do: its z remembers that while this runs.
/// Test: tests/onboard/test_planner.c.
#include "onboard/nav/planner.h"

/// Cost of the cell around a place; on a border the cheaper of both.
static double place_cost(const RiPlanner *p, double x, double y)
{
    const double near = 1e-9, fx = floor(x + near), fy = floor(y + near);
    const int ix = (int)fx, iy = (int)fy;
    const bool on_x = fabs(x - fx) <= near, on_y = fabs(y - fy) <= near;
    double cost = ri_plan_cell_cost(p, ix, iy);
    if (on_x)
        cost = ri_plan_min(cost, ri_plan_cell_cost(p, ix - 1, iy));
    if (on_y)
        cost = ri_plan_min(cost, ri_plan_cell_cost(p, ix, iy - 1));
    if (on_x && on_y)
        cost = ri_plan_min(cost, ri_plan_cell_cost(p, ix - 1, iy - 1));
    return cost;
}

/// The next crossing of a grid line after t along one axis; 2 if there is none.
static double next_line(double a, double d, double t)
{
    if (d == 0.0)
        return 2.0;
    const double at = a + d * t;
    const double line = d > 0.0 ? floor(at + 1e-9) + 1.0 : ceil(at - 1e-9) - 1.0;
    return (line - a) / d;
}

double ri_plan_segment(const RiPlanner *p, double ax, double ay, double bx, double by)
{
    const double dx = bx - ax, dy = by - ay, length = sqrt(dx * dx + dy * dy);
    double cost = 0.0;
    for (double t = 0.0; t < 1.0;) {
        const double end = ri_plan_min(1.0, ri_plan_min(next_line(ax, dx, t), next_line(ay, dy, t)));
        const double middle = 0.5 * (t + end);
        const double part = (end - t) * length;
        if (part > 1e-12)
            cost += part * place_cost(p, ax + dx * middle, ay + dy * middle);
        if (isinf(cost) || !(end > t))
            return isinf(cost) ? cost : INFINITY;
        t = end;
    }
    return cost;
}

enum { MOVES = 0, STAYS = 1 }; // z of a corner

static double between(const RiPlanner *p, RiVec3 a, RiVec3 b)
{
    return ri_plan_segment(p, a.x, a.y, b.x, b.y);
}

/// Keeps the corners that are needed, from the first on: each segment goes as far as it is not
/// dearer than the path it replaces.
static int cut_corners(const RiPlanner *p, RiVec3 *path, int count)
{
    int kept = 1;
    for (int at = 0; at + 1 < count;) {
        int far = at + 1;
        double along = between(p, path[at], path[far]);
        for (int j = at + 2; j < count; j++) {
            along += between(p, path[j - 1], path[j]);
            const double straight = between(p, path[at], path[j]);
            if (straight <= along * (1.0 + 1e-12)) {
                far = j;
                along = straight;
            } else if (isinf(straight) && j > far + 32) {
                break; // a wall is in between, and has been for a while
            }
        }
        if (far > at + 1)
            path[kept - 1].z = path[far].z = MOVES; // they have new neighbours
        path[kept++] = path[far];
        at = far;
    }
    return kept;
}

/// Moves one corner to the best of the corners of cells around it. True: it moved.
static bool slide(const RiPlanner *p, RiVec3 *path, int i)
{
    RiVec3 best = path[i];
    double least = between(p, path[i - 1], best) + between(p, best, path[i + 1]);
    const double start = least;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const RiVec3 to = {floor(path[i].x + 0.5) + dx, floor(path[i].y + 0.5) + dy, 0.0};
            const double first = between(p, path[i - 1], to);
            const double cost = first < least ? first + between(p, to, path[i + 1]) : INFINITY;
            if (cost < least - 1e-9) {
                least = cost;
                best = to;
            }
        }
    if (!(least < start)) {
        path[i].z = STAYS;
        return false;
    }
    path[i] = best;
    path[i - 1].z = path[i].z = path[i + 1].z = MOVES;
    return true;
}

int ri_plan_pull(const RiPlanner *p, RiVec3 *path, int count)
{
    enum { ROUNDS = 200 };
    count = cut_corners(p, path, count);
    for (int round = 0; round < ROUNDS; round++) {
        bool moved = false;
        for (int i = 1; i + 1 < count; i++)
            moved |= path[i].z != STAYS && slide(p, path, i);
        if (!moved)
            break;
        count = cut_corners(p, path, count);
    }
    for (int i = 0; i < count; i++)
        path[i].z = 0.0;
    return count;
}
