// SPDX-License-Identifier: Apache-2.0
/// \file
/// Field D*: paths on a grid of costs whose headings are not restricted to eight directions,
/// repaired
/// when costs change.                                              [ferguson2006], [koenig2002]
///
/// Values g live at the corners of cells. The cost from a corner s through an edge of a
/// neighbouring cell is that of the best straight way to a point of the edge, with g interpolated
/// linearly between the edge's ends. Searching from the goal, with the queue of D* Lite, a change
/// of costs repairs only what depends on it. The path is then pulled taut (path.c), so that it is
/// exact between corners. Theory: docs/theory/navigation.md. Test: tests/onboard/test_planner.c.
#include "onboard/nav/planner.h"

#include <string.h>

#include "base/memory.h"

enum {
    MOST_SIDE = 4096,
    MOST_CELLS = 4000000,
    BEYOND = 16 // values are known this much farther from the goal than the start [cells]
};

static const int around_x[8] = {1, 1, 0, -1, -1, -1, 0, 1}, around_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

RiStatus ri_planner_create(RiContext *ctx, int nx, int ny, double cell, double x0, double y0, RiPlanner **out_planner)
{
    *out_planner = NULL;
    if (nx < 1 || ny < 1 || nx > MOST_SIDE || ny > MOST_SIDE || (long long)nx * ny > MOST_CELLS)
        return ri_error(ctx, RI_ERR_ARGUMENT, "planner: %d x %d cells; 1 to %d on a side and at most %d in all", nx, ny,
                        MOST_SIDE, MOST_CELLS);
    if (!(cell > 0.0) || !isfinite(cell) || !isfinite(x0) || !isfinite(y0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "planner: cell %g m, corner (%g, %g) m: the cell must be positive", cell,
                        x0, y0);
    RiPlanner *p = ri_alloc(ctx, 1, sizeof *p);
    void *memory = ri_alloc(ctx, RI_PLANNER_SIZE(nx, ny), 1);
    if (!p || !memory) {
        ri_release(ctx, p);
        ri_release(ctx, memory);
        return ri_error_memory(ctx);
    }
    ri_planner_place(p, nx, ny, cell, x0, y0, memory);
    p->ctx = ctx;
    *out_planner = p;
    return RI_OK;
}

void ri_planner_place(RiPlanner *p, int nx, int ny, double cell, double x0, double y0, void *memory)
{
    const size_t cells = (size_t)nx * (size_t)ny, nodes = (size_t)(nx + 1) * (size_t)(ny + 1);
    *p = (RiPlanner){.nx = nx, .ny = ny, .cell = cell, .x0 = x0, .y0 = y0, .cost = memory};
    p->nodes = (RiPlanNode *)(p->cost + cells);
    p->queue = (int *)(p->nodes + nodes);
    p->changed = p->queue + nodes;
    p->is_changed = (unsigned char *)(p->changed + cells);
    memset(p->is_changed, 0, cells);
    for (size_t i = 0; i < cells; i++)
        p->cost[i] = 1.0;
}

void ri_planner_destroy(RiPlanner *planner)
{
    if (!planner)
        return;
    ri_release(planner->ctx, planner->cost); // and what lies behind it
    ri_release(planner->ctx, planner);
}

RiStatus ri_planner_set_cost(RiPlanner *planner, int ix, int iy, double cost)
{
    if (ix < 0 || iy < 0 || ix >= planner->nx || iy >= planner->ny)
        return ri_error(planner->ctx, RI_ERR_ARGUMENT, "planner: cell (%d, %d) is outside a map of %d x %d", ix, iy,
                        planner->nx, planner->ny);
    if (!(cost >= 1.0))
        return ri_error(planner->ctx, RI_ERR_ARGUMENT, "planner: cost %g of cell (%d, %d) must be at least 1", cost, ix,
                        iy);
    const int cell = iy * planner->nx + ix;
    if (planner->cost[cell] == cost)
        return RI_OK;
    planner->cost[cell] = cost;
    if (!planner->is_changed[cell]) {
        planner->is_changed[cell] = 1;
        planner->changed[planner->changed_count++] = cell;
    }
    return RI_OK;
}

double ri_planner_get_cost(const RiPlanner *planner, int ix, int iy)
{
    return ri_plan_cell_cost(planner, ix, iy);
}

bool ri_planner_cell(const RiPlanner *planner, double x, double y, int *out_ix, int *out_iy)
{
    const double cx = (x - planner->x0) / planner->cell, cy = (y - planner->y0) / planner->cell;
    if (!(cx >= 0.0 && cy >= 0.0 && cx <= planner->nx && cy <= planner->ny))
        return false;
    *out_ix = cx == planner->nx ? planner->nx - 1 : (int)cx;
    *out_iy = cy == planner->ny ? planner->ny - 1 : (int)cy;
    return true;
}

long long ri_planner_expanded(const RiPlanner *planner)
{
    return planner->expanded;
}

const char *ri_plan_result_name(RiPlanResult result)
{
    switch (result) {
    case RI_PLAN_FOUND:
        return "found";
    case RI_PLAN_BLOCKED:
        return "no path exists";
    case RI_PLAN_START_INSIDE:
        return "the start is outside the map or inside an obstacle";
    case RI_PLAN_GOAL_INSIDE:
        return "the goal is outside the map or inside an obstacle";
    case RI_PLAN_ROOM:
        return "the path has too many points";
    case RI_PLAN_RESULTS:
        break;
    }
    return "?";
}

// ---- queue: a binary heap that knows where each node is -----------------------------------------

static bool before(RiPlanKey a, RiPlanKey b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

static void put(RiPlanner *p, int at, int node)
{
    p->queue[at] = node;
    p->nodes[node].queued = at;
}

static void sift_up(RiPlanner *p, int at, int node)
{
    while (at > 0) {
        const int parent = (at - 1) / 2;
        if (!before(p->nodes[node].key, p->nodes[p->queue[parent]].key))
            break;
        put(p, at, p->queue[parent]);
        at = parent;
    }
    put(p, at, node);
}

static void sift_down(RiPlanner *p, int at, int node)
{
    for (int child = 2 * at + 1; child < p->queue_count; child = 2 * at + 1) {
        if (child + 1 < p->queue_count && before(p->nodes[p->queue[child + 1]].key, p->nodes[p->queue[child]].key))
            child++;
        if (!before(p->nodes[p->queue[child]].key, p->nodes[node].key))
            break;
        put(p, at, p->queue[child]);
        at = child;
    }
    put(p, at, node);
}

static void take_out(RiPlanner *p, int node)
{
    const int at = p->nodes[node].queued, last = p->queue[--p->queue_count];
    p->nodes[node].queued = -1;
    if (last == node)
        return;
    if (at > 0 && before(p->nodes[last].key, p->nodes[p->queue[(at - 1) / 2]].key))
        sift_up(p, at, last);
    else
        sift_down(p, at, last);
}

static void queue_with(RiPlanner *p, int node, RiPlanKey key)
{
    if (p->nodes[node].queued >= 0)
        take_out(p, node);
    p->nodes[node].key = key;
    sift_up(p, p->queue_count++, node);
}

// ---- Field D* -----------------------------------------------------------------------------------

/// Cheapest way from a corner through the triangle of an edge (s1, s2): s1 is straight beside the
/// corner, s2 diagonal, c the cost of their cell, b that of the cell beyond the line to s1. Lengths
/// in cells.
static double edge_cost(double g1, double g2, double c, double b)
{
    if (isinf(c)) // along the border of the other cell alone
        return b + g1;
    if (g1 <= g2)
        return ri_plan_min(c, b) + g1;
    if (isinf(g1))
        return c * M_SQRT2 + g2;
    const double f = g1 - g2;
    if (f <= b) {
        if (c <= f)
            return c * M_SQRT2 + g2;
        const double y = ri_plan_min(f / sqrt(c * c - f * f), 1.0);
        return c * sqrt(1.0 + y * y) + f * (1.0 - y) + g2;
    }
    if (c <= b)
        return c * M_SQRT2 + g2;
    const double x = 1.0 - ri_plan_min(b / sqrt(c * c - b * b), 1.0);
    return c * sqrt(1.0 + (1.0 - x) * (1.0 - x)) + b * x + g2;
}

/// The cell between a node's neighbours k and k + 1.
static double sector_cost(const RiPlanner *p, int ix, int iy, int k)
{
    static const int dx[8] = {0, 0, -1, -1, -1, -1, 0, 0}, dy[8] = {0, 0, 0, 0, -1, -1, -1, -1};
    return ri_plan_cell_cost(p, ix + dx[k], iy + dy[k]);
}

/// Straight to the goal from a corner of its cell; infinite from elsewhere.
static double seed(const RiPlanner *p, int ix, int iy)
{
    const int gx = (int)ri_plan_min(p->goal_x, p->nx - 1.0), gy = (int)ri_plan_min(p->goal_y, p->ny - 1.0);
    if (ix < gx || ix > gx + 1 || iy < gy || iy > gy + 1)
        return INFINITY;
    const double dx = p->goal_x - ix, dy = p->goal_y - iy;
    return ri_plan_cell_cost(p, gx, gy) * sqrt(dx * dx + dy * dy);
}

static double best_rhs(const RiPlanner *p, int ix, int iy)
{
    double best = seed(p, ix, iy), g[9], c[8];
    for (int k = 0; k < 8; k++) {
        const int jx = ix + around_x[k], jy = iy + around_y[k];
        const bool inside = jx >= 0 && jy >= 0 && jx <= p->nx && jy <= p->ny;
        g[k] = inside ? p->nodes[ri_plan_node(p, jx, jy)].g : INFINITY;
        c[k] = sector_cost(p, ix, iy, k);
    }
    g[8] = g[0];
    for (int k = 0; k < 8; k++) {
        // even sectors: straight neighbour k, diagonal k + 1, across the line lies sector k - 1
        const bool even = k % 2 == 0;
        const double g1 = even ? g[k] : g[k + 1], g2 = even ? g[k + 1] : g[k];
        const double b = c[even ? (k + 7) % 8 : (k + 1) % 8];
        if (isinf(g1) && isinf(g2))
            continue;
        best = ri_plan_min(best, edge_cost(g1, g2, c[k], b));
    }
    return best;
}

/// Nodes are taken in the order of their cost to the goal. A corner depends only on corners that
/// are not farther from the goal than itself, so each is taken once. A heuristic towards the start
/// would break that order: the corner beside the best way may be farther from the start than the
/// one that needs it.
static RiPlanKey key_of(const RiPlanner *p, int ix, int iy)
{
    const RiPlanNode *s = &p->nodes[ri_plan_node(p, ix, iy)];
    return (RiPlanKey){ri_plan_min(s->g, s->rhs), s->g < s->rhs ? 0.0 : 1.0}; // too low values are raised first
}

static void update_node(RiPlanner *p, int ix, int iy)
{
    if (ix < 0 || iy < 0 || ix > p->nx || iy > p->ny)
        return;
    const int node = ri_plan_node(p, ix, iy);
    RiPlanNode *s = &p->nodes[node];
    s->rhs = best_rhs(p, ix, iy);
    if (s->g != s->rhs)
        queue_with(p, node, key_of(p, ix, iy));
    else if (s->queued >= 0)
        take_out(p, node);
}

static void update_around(RiPlanner *p, int ix, int iy)
{
    for (int k = 0; k < 8; k++)
        update_node(p, ix + around_x[k], iy + around_y[k]);
}

static void expand(RiPlanner *p, int node)
{
    RiPlanNode *s = &p->nodes[node];
    const int ix = node % (p->nx + 1), iy = node / (p->nx + 1);
    p->expanded++;
    take_out(p, node);
    if (s->g > s->rhs) {
        s->g = s->rhs;
    } else {
        s->g = INFINITY;
        update_node(p, ix, iy);
    }
    update_around(p, ix, iy);
}

/// Whether the corners of the start's cell, and all somewhat farther from the goal, have their
/// final values.
static bool is_settled(const RiPlanner *p)
{
    if (p->queue_count == 0)
        return true;
    const RiPlanKey top = p->nodes[p->queue[0]].key;
    const int sx = (int)ri_plan_min(p->start_x, p->nx - 1.0), sy = (int)ri_plan_min(p->start_y, p->ny - 1.0);
    for (int i = 0; i < 4; i++) {
        const int ix = sx + i % 2, iy = sy + i / 2;
        const RiPlanNode *s = &p->nodes[ri_plan_node(p, ix, iy)];
        if (s->g != s->rhs || isinf(s->g) || top.first <= s->g + BEYOND)
            return false;
    }
    return true;
}

static void begin(RiPlanner *p)
{
    const int nodes = (p->nx + 1) * (p->ny + 1);
    for (int i = 0; i < nodes; i++)
        p->nodes[i] = (RiPlanNode){.g = INFINITY, .rhs = INFINITY, .queued = -1};
    p->queue_count = 0;
    const int gx = (int)ri_plan_min(p->goal_x, p->nx - 1.0), gy = (int)ri_plan_min(p->goal_y, p->ny - 1.0);
    for (int i = 0; i < 4; i++)
        update_node(p, gx + i % 2, gy + i / 2);
    p->planned = true;
}

/// Corners of cells whose cost has changed look around again.
static void take_changes(RiPlanner *p, bool again)
{
    for (int i = 0; i < p->changed_count; i++) {
        const int cell = p->changed[i], ix = cell % p->nx, iy = cell / p->nx;
        p->is_changed[cell] = 0;
        for (int k = 0; k < 4 && again; k++)
            update_node(p, ix + k % 2, iy + k / 2);
    }
    p->changed_count = 0;
}

/// Best corner of the start's cell; its whole cost.
static double from_start(const RiPlanner *p, double cx, double cy, int *out_ix, int *out_iy)
{
    const int sx = (int)ri_plan_min(cx, p->nx - 1.0), sy = (int)ri_plan_min(cy, p->ny - 1.0);
    const double cost = ri_plan_cell_cost(p, sx, sy);
    double best = INFINITY;
    for (int i = 0; i < 4; i++) {
        const double dx = sx + i % 2 - cx, dy = sy + i / 2 - cy;
        const double whole = cost * sqrt(dx * dx + dy * dy) + p->nodes[ri_plan_node(p, sx + i % 2, sy + i / 2)].g;
        if (whole < best) {
            best = whole;
            *out_ix = sx + i % 2;
            *out_iy = sy + i / 2;
        }
    }
    return best;
}

double ri_planner_cost(const RiPlanner *planner, double x, double y)
{
    int ix, iy, nx, ny;
    if (!planner->planned || !ri_planner_cell(planner, x, y, &ix, &iy) || isinf(ri_plan_cell_cost(planner, ix, iy)))
        return INFINITY;
    return planner->cell *
           from_start(planner, (x - planner->x0) / planner->cell, (y - planner->y0) / planner->cell, &nx, &ny);
}

/// Cost of the way between neighbouring corners; k is the direction.
static double neighbour_cost(const RiPlanner *p, int ix, int iy, int k)
{
    if (k % 2)
        return M_SQRT2 * sector_cost(p, ix, iy, k - 1);
    return ri_plan_min(sector_cost(p, ix, iy, k), sector_cost(p, ix, iy, (k + 7) % 8));
}

/// Corner by corner downhill in g, from the start to a corner of the goal's cell.
static RiPlanResult descend(const RiPlanner *p, int ix, int iy, RiVec3 *path, int room, int *count)
{
    while (isinf(seed(p, ix, iy)) || p->nodes[ri_plan_node(p, ix, iy)].g < seed(p, ix, iy) - 1e-9) {
        if (*count >= room)
            return RI_PLAN_ROOM;
        path[(*count)++] = (RiVec3){ix, iy, 0.0};
        const double here = p->nodes[ri_plan_node(p, ix, iy)].g;
        double best = INFINITY;
        int best_k = -1;
        for (int k = 0; k < 8; k++) {
            const int jx = ix + around_x[k], jy = iy + around_y[k];
            if (jx < 0 || jy < 0 || jx > p->nx || jy > p->ny)
                continue;
            const double g = p->nodes[ri_plan_node(p, jx, jy)].g, whole = g + neighbour_cost(p, ix, iy, k);
            if (g < here && whole < best) {
                best = whole;
                best_k = k;
            }
        }
        if (best_k < 0)
            return RI_PLAN_BLOCKED;
        ix += around_x[best_k];
        iy += around_y[best_k];
    }
    if (*count >= room)
        return RI_PLAN_ROOM;
    path[(*count)++] = (RiVec3){ix, iy, 0.0};
    return RI_PLAN_FOUND;
}

/// The path through the values found, pulled taut, in metres.
static RiPlanResult extract(const RiPlanner *p, int ix, int iy, RiVec3 *path, int room, int *out_count)
{
    int count = 0;
    if (room < 2)
        return RI_PLAN_ROOM;
    path[count++] = (RiVec3){p->start_x, p->start_y, 0.0};
    const RiPlanResult result = descend(p, ix, iy, path, room - 1, &count);
    if (result != RI_PLAN_FOUND)
        return result;
    path[count++] = (RiVec3){p->goal_x, p->goal_y, 0.0};
    *out_count = ri_plan_pull(p, path, count);
    return RI_PLAN_FOUND;
}

RiPlanResult ri_planner_plan(RiPlanner *planner, double start_x, double start_y, double goal_x, double goal_y,
                             RiVec3 *path, int room, int *out_count, double *out_cost)
{
    RiPlanner *p = planner;
    int sx, sy, gx, gy;
    *out_count = 0;
    *out_cost = INFINITY;
    p->expanded = 0;
    if (!ri_planner_cell(p, start_x, start_y, &sx, &sy) || isinf(ri_plan_cell_cost(p, sx, sy)))
        return RI_PLAN_START_INSIDE;
    if (!ri_planner_cell(p, goal_x, goal_y, &gx, &gy) || isinf(ri_plan_cell_cost(p, gx, gy)))
        return RI_PLAN_GOAL_INSIDE;
    const double cx = (start_x - p->x0) / p->cell, cy = (start_y - p->y0) / p->cell;
    const double tx = (goal_x - p->x0) / p->cell, ty = (goal_y - p->y0) / p->cell;
    const bool again = p->planned && tx == p->goal_x && ty == p->goal_y;
    p->start_x = cx;
    p->start_y = cy;
    p->goal_x = tx;
    p->goal_y = ty;
    take_changes(p, again);
    if (!again)
        begin(p);
    while (!is_settled(p))
        expand(p, p->queue[0]);
    int ix = 0, iy = 0;
    const double straight = sx == gx && sy == gy ? ri_plan_segment(p, cx, cy, tx, ty) : INFINITY;
    if (isfinite(straight) && room >= 2) {
        path[0] = (RiVec3){cx, cy, 0.0};
        path[1] = (RiVec3){tx, ty, 0.0};
        *out_count = 2;
    } else if (isinf(from_start(p, cx, cy, &ix, &iy))) {
        return RI_PLAN_BLOCKED;
    } else {
        const RiPlanResult result = extract(p, ix, iy, path, room, out_count);
        if (result != RI_PLAN_FOUND)
            return result;
    }
    *out_cost = 0.0;
    for (int i = 0; i + 1 < *out_count; i++)
        *out_cost += p->cell * ri_plan_segment(p, path[i].x, path[i].y, path[i + 1].x, path[i + 1].y);
    for (int i = 0; i < *out_count; i++)
        path[i] = (RiVec3){p->x0 + p->cell * path[i].x, p->y0 + p->cell * path[i].y, 0.0};
    return RI_PLAN_FOUND;
}
