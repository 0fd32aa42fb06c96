// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inside of the global planner: nodes at the corners of cells, a queue, costs.
#ifndef RI_ONBOARD_NAV_PLANNER_H
#define RI_ONBOARD_NAV_PLANNER_H

#include <math.h>

#include <rille/navigation.h>

typedef struct RiPlanKey {
    double first, second;
} RiPlanKey;

typedef struct RiPlanNode {
    double g, rhs; // cost to the goal: settled, and by its neighbours [cells]
    RiPlanKey key; // in the queue
    int queued;    // place in the queue, -1
} RiPlanNode;

struct RiPlanner {
    RiContext *ctx;
    int nx, ny; // cells; nodes are (nx + 1) (ny + 1)
    double cell, x0, y0;
    double *cost;      // [ny][nx]
    RiPlanNode *nodes; // [ny + 1][nx + 1]
    int *queue;        // [nodes] a binary heap of nodes
    int queue_count;
    int *changed;              // [cells] whose cost has changed since the last plan
    unsigned char *is_changed; // [cells]
    int changed_count;
    bool planned;            // g, rhs and the queue belong to the goal
    double goal_x, goal_y;   // in cells, from the lower left corner
    double start_x, start_y; // likewise
    long long expanded;
};

/// Bytes of working space, and a planner in memory of somebody else; all costs are 1. Sizes are
/// checked before.
#define RI_PLANNER_SIZE(nx, ny)                                                                                        \
    ((size_t)(nx) * (size_t)(ny) * (sizeof(double) + sizeof(int) + 1) +                                                \
     ((size_t)(nx) + 1) * ((size_t)(ny) + 1) * (sizeof(RiPlanNode) + sizeof(int)))
void ri_planner_place(RiPlanner *p, int nx, int ny, double cell, double x0, double y0, void *memory);

/// The lesser of two numbers, of which none is NaN: no call, unlike fmin.
static inline double ri_plan_min(double a, double b)
{
    return a < b ? a : b;
}
static inline int ri_plan_node(const RiPlanner *p, int ix, int iy)
{
    return iy * (p->nx + 1) + ix;
}
/// Cost of a cell; infinite outside the map.
static inline double ri_plan_cell_cost(const RiPlanner *p, int ix, int iy)
{
    return ix >= 0 && iy >= 0 && ix < p->nx && iy < p->ny ? p->cost[iy * p->nx + ix] : INFINITY;
}

/// Cost of a straight way between two places in cells; infinite if it crosses a cell that must not
/// be crossed. A way along the border of two cells costs as the cheaper one.
double ri_plan_segment(const RiPlanner *p, double ax, double ay, double bx, double by);
/// Shortens a path of corners [cells], in place: fewer and straighter segments, never dearer.
int ri_plan_pull(const RiPlanner *p, RiVec3 *path, int count);

#endif
