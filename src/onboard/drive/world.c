// SPDX-License-Identifier: Apache-2.0
/// \file
/// The map of costs that remembers where the local map has scrolled away, and the path to the goal
/// over it.
///
/// A cell of the world takes the worst goodness g of the local cells in it. Cost of a metre:
///
///     1.2 where nothing is known, 1 + 2 (1 - g / 255) where g > 0, infinite for hazards and keep-out zones;
///     hazards under the rover's own disc cost 3: it stands there
///
/// so that the planner prefers known good ground, and explores where that is shorter. Values of
/// Field D* are a function of the costs alone, so the planner is working space and only the cells
/// are state. Test: tests/onboard/test_navigate.c.
#include <string.h>

#include "base/functions.h"
#include "onboard/drive/navigate.h"

enum { CELLS = RI_NAV_WORLD_CELLS, UNKNOWN = 0, HAZARD = 1 };
/// The planner's values are final up to 16 cells farther from the goal than the start; edges may
/// use values 3 cells beyond.
enum { FINAL_CELLS = 12 };

static double world_size(const double *x)
{
    return CELLS * x[NAV_WORLD_CELL];
}

static bool is_inside(const RiNavMemory *m, const double *x, double px, double py)
{
    const double margin = 2.0 * x[NAV_WORLD_CELL], size = world_size(x);
    return px > m->corner_x + margin && py > m->corner_y + margin && px < m->corner_x + size - margin &&
           py < m->corner_y + size - margin;
}

/// Moves the map by whole cells; what stays inside is kept.
static void shift(RiNavMemory *m, uint8_t *copy, int dx, int dy)
{
    memcpy(copy, m->world, sizeof m->world);
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            const int a = i + dx, b = j + dy;
            const bool inside = a >= 0 && b >= 0 && a < CELLS && b < CELLS;
            m->world[j * CELLS + i] = inside ? copy[b * CELLS + a] : UNKNOWN;
        }
}

bool ri_nav_world_begin(RiDeviceCall *call, double goal_x, double goal_y)
{
    RiNavMemory *m = ri_nav_memory(call);
    const double *x = call->x, cell = x[NAV_WORLD_CELL], half = 0.5 * world_size(x);
    const RiNavPose at = ri_nav_pose(call);
    if (is_inside(m, x, at.x, at.y) && is_inside(m, x, goal_x, goal_y))
        return true;
    const double cx = cell * floor((0.5 * (at.x + goal_x) - half) / cell),
                 cy = cell * floor((0.5 * (at.y + goal_y) - half) / cell);
    const double dx = rint((cx - m->corner_x) / cell), dy = rint((cy - m->corner_y) / cell);
    if (!(fabs(goal_x - at.x) < 2.0 * half - 6.0 * cell && fabs(goal_y - at.y) < 2.0 * half - 6.0 * cell))
        return false;
    if (fabs(dx) < CELLS && fabs(dy) < CELLS)
        shift(m, (uint8_t *)ri_nav_scratch(call)->points, (int)dx, (int)dy);
    else
        memset(m->world, UNKNOWN, sizeof m->world);
    m->corner_x = cx;
    m->corner_y = cy;
    return is_inside(m, x, at.x, at.y) && is_inside(m, x, goal_x, goal_y);
}

/// The worst goodness of the local cells in a cell of the world; -1: none is known.
static int worst_in(const RiNavMap *map, double x0, double y0, double side)
{
    const double cell = map->options.cell;
    int worst = -1;
    for (double y = y0 + 0.5 * cell; y < y0 + side; y += cell)
        for (double x = x0 + 0.5 * cell; x < x0 + side; x += cell) {
            const int g = ri_nav_map_goodness(map, x, y);
            if (g >= 0 && (worst < 0 || g < worst))
                worst = g;
        }
    return worst;
}

int ri_nav_world_learn(RiDeviceCall *call)
{
    RiNavMemory *m = ri_nav_memory(call);
    const RiNavMap *map = &ri_nav_scratch(call)->map;
    const double side = call->x[NAV_WORLD_CELL], local = map->options.cell;
    const double x0 = map->head->ix * local, y0 = map->head->iy * local, size = map->options.cells * local;
    const int i0 = (int)fmin(fmax(floor((x0 - m->corner_x) / side), 0.0), CELLS),
              j0 = (int)fmin(fmax(floor((y0 - m->corner_y) / side), 0.0), CELLS);
    const int i1 = (int)fmax(fmin(ceil((x0 + size - m->corner_x) / side), CELLS), 0.0),
              j1 = (int)fmax(fmin(ceil((y0 + size - m->corner_y) / side), CELLS), 0.0);
    int news = 0;
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++) {
            const int worst = worst_in(map, m->corner_x + i * side, m->corner_y + j * side, side);
            if (worst < 0)
                continue;
            uint8_t *at = &m->world[j * CELLS + i];
            const uint8_t now = worst == 0 ? HAZARD : (uint8_t)(worst < 2 ? 2 : worst);
            news += *at == UNKNOWN || (now == HAZARD && *at != HAZARD);
            *at = now;
        }
    return news;
}

void ri_nav_world_forget(RiDeviceCall *call)
{
    RiNavMemory *m = ri_nav_memory(call);
    for (int i = 0; i < CELLS * CELLS; i++)
        m->world[i] = m->world[i] == HAZARD ? UNKNOWN : m->world[i];
}

/// Brings the planner's costs up to date.
static void set_costs(RiDeviceCall *call, const RiNavPose *at)
{
    const RiNavMemory *m = ri_nav_memory(call);
    RiNavScratch *s = ri_nav_scratch(call);
    const double *x = call->x, cell = x[NAV_WORLD_CELL];
    if (s->corner_x != m->corner_x || s->corner_y != m->corner_y || s->world_cell != cell || !s->planner.cost) {
        ri_planner_place(&s->planner, CELLS, CELLS, cell, m->corner_x, m->corner_y, s->planner_space);
        s->corner_x = m->corner_x, s->corner_y = m->corner_y, s->world_cell = cell;
    }
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            const int known = m->world[j * CELLS + i];
            const double px = m->corner_x + (i + 0.5) * cell, py = m->corner_y + (j + 0.5) * cell;
            double cost = known == UNKNOWN ? 1.2 : known == HAZARD ? INFINITY : 1.0 + 2.0 * (1.0 - known / 255.0);
            if (ri_nav_is_kept_out(x, px, py) || (call->map && ri_nav_map_forbids(call->map, px, py)))
                cost = INFINITY;
            if (isinf(cost) && ri_hypot(px - at->x, py - at->y) < x[NAV_RADIUS])
                cost = 3.0;
            const RiStatus status = ri_planner_set_cost(&s->planner, i, j, cost);
            (void)status; // the cell and its cost are valid
        }
}

/// The free place of the goal's circle nearest to its middle; false: there is none.
static bool free_goal(const RiPlanner *p, const double *x, RiVec3 *goal)
{
    const double r = x[NAV_GOAL_RADIUS], cell = p->cell;
    double nearest = INFINITY;
    RiVec3 best = *goal;
    int ix, iy;
    if (ri_planner_cell(p, goal->x, goal->y, &ix, &iy) && !isinf(ri_planner_get_cost(p, ix, iy)))
        return true;
    for (double dy = -r; dy <= r; dy += 0.5 * cell)
        for (double dx = -r; dx <= r; dx += 0.5 * cell) {
            const double far = ri_hypot(dx, dy);
            if (far > r || far >= nearest || !ri_planner_cell(p, goal->x + dx, goal->y + dy, &ix, &iy) ||
                isinf(ri_planner_get_cost(p, ix, iy)))
                continue;
            nearest = far;
            best = ri_vec3(goal->x + dx, goal->y + dy, 0.0);
        }
    *goal = best;
    return nearest < INFINITY;
}

/// The point of the path that the rover looks at: where it leaves the arcs' length.
static RiVec3 point_ahead(const RiVec3 *path, int count, double far)
{
    int k = 1;
    while (k < count - 1 && ri_hypot(path[k].x - path[0].x, path[k].y - path[0].y) < far)
        k++;
    return path[k < count ? k : count - 1];
}

/// The same over a mobility map: costs depend on the heading. The goal vote compares costs with
/// lengths, so they are expressed in units of what a metre of the way costs here.
static RiPlanResult plan_over_map(RiDeviceCall *call, const RiNavPose *at, RiVec3 goal, int *out_count,
                                  double *out_cost)
{
    RiNavScratch *s = ri_nav_scratch(call);
    RiNavWays *w = &s->ways;
    const RiPlanner *p = &s->planner;
    w->map = call->map;
    w->x0 = p->x0, w->y0 = p->y0, w->cell = p->cell;
    for (int i = 0; i < CELLS * CELLS; i++) {
        const double px = p->x0 + (i % CELLS + 0.5) * p->cell, py = p->y0 + (i / CELLS + 0.5) * p->cell;
        w->seen[i] = p->cost[i];
        w->free[i] = ri_hypot(px - at->x, py - at->y) < call->x[NAV_RADIUS];
    }
    ri_nav_ways_search(w, goal.x, goal.y);
    *out_cost = ri_nav_ways_cost(w, at->x, at->y);
    *out_count = ri_nav_ways_path(w, at->x, at->y, goal.x, goal.y, s->path, RI_NAV_PATH);
    if (isinf(*out_cost) || *out_count < 2)
        return RI_PLAN_BLOCKED;
    const double dx = s->path[1].x - at->x, dy = s->path[1].y - at->y, far = ri_hypot(dx, dy);
    const double next = ri_nav_ways_cost(w, s->path[1].x, s->path[1].y);
    w->scale = far > 0.0 && next < *out_cost ? fmax(1.0, (*out_cost - next) / far) : 1.0;
    return RI_PLAN_FOUND;
}

bool ri_nav_world_plan(RiDeviceCall *call, RiVec3 *out_ahead)
{
    RiNavScratch *s = ri_nav_scratch(call);
    double *x = call->x, cost = INFINITY;
    const RiNavPose at = ri_nav_pose(call);
    RiVec3 goal = ri_nav_goal(x);
    int count = 0;
    set_costs(call, &at);
    x[NAV_CORNER_COUNT] = 0.0;
    x[NAV_PLAN_RESULT] = RI_PLAN_GOAL_INSIDE;
    if (!free_goal(&s->planner, x, &goal))
        return false;
    const RiPlanResult result =
        call->map ? plan_over_map(call, &at, goal, &count, &cost)
                  : ri_planner_plan(&s->planner, at.x, at.y, goal.x, goal.y, s->path, RI_NAV_PATH, &count, &cost);
    x[NAV_PLAN_RESULT] = result;
    if (result != RI_PLAN_FOUND)
        return false;
    x[NAV_PLAN_COST] = cost;
    x[NAV_CORNER_COUNT] = count < RI_NAV_CORNERS ? count : RI_NAV_CORNERS;
    for (int k = 0; k < RI_NAV_CORNERS; k++) {
        const RiVec3 p = s->path[k < count ? k : count - 1];
        x[NAV_CORNER + 2 * k] = p.x;
        x[NAV_CORNER + 2 * k + 1] = p.y;
    }
    *out_ahead = point_ahead(s->path, count, x[NAV_ARC]);
    return true;
}

double ri_nav_world_cost(const void *user, double px, double py)
{
    const RiDeviceCall *call = user;
    const RiNavWays *w = &ri_nav_scratch(call)->ways;
    if (call->map)
        return ri_nav_ways_cost(w, px, py) / w->scale;
    const double cost = ri_planner_cost(&ri_nav_scratch(call)->planner, px, py);
    return cost < call->x[NAV_PLAN_COST] + FINAL_CELLS * call->x[NAV_WORLD_CELL] ? cost : INFINITY;
}
