// SPDX-License-Identifier: Apache-2.0
/// \file
/// Candidate arcs over the local map: which are free, and which is best.
///
/// An arc is free as long as the rover's disc meets no step hazard and its centre stays on patches
/// that are known and no hazard. Three votes rank the free ones [goldberg2002], [biesiadecki2006]:
///
///     hazard  mean goodness along the arc / 255
///     steer   1 - |change of curvature| / largest change among the candidates
///     goal    how far the arc's end reduces the distance (or the planner's cost) to the goal
///
/// Test: tests/onboard/test_nav_map.c.
#include <math.h>

#include "base/functions.h"
#include "math/sincos.h"
#include "onboard/nav/map.h"

static const double pi = M_PI;

const char *ri_nav_veto_name(RiNavVeto veto)
{
    switch (veto) {
    case RI_NAV_FREE:
        return "free";
    case RI_NAV_VETO_HAZARD:
        return "hazard";
    case RI_NAV_VETO_UNKNOWN:
        return "unknown ground";
    case RI_NAV_VETO_KEEP_OUT:
        return "keep-out zone";
    case RI_NAV_VETO_COUNT:
        break;
    }
    return "?";
}

int ri_nav_fan(const double *radii, int radius_count, double length, double turn, RiNavArc *out_arcs)
{
    int n = 0;
    for (int back = 0; back < 2; back++) {
        const double way = back ? -length : length;
        for (int i = 0; i < radius_count; i++)
            out_arcs[n++] = (RiNavArc){.curvature = 1.0 / radii[i], .length = way};
        out_arcs[n++] = (RiNavArc){.length = way};
        for (int i = radius_count; i-- > 0;)
            out_arcs[n++] = (RiNavArc){.curvature = -1.0 / radii[i], .length = way};
    }
    out_arcs[n++] = (RiNavArc){.turn = turn};
    out_arcs[n++] = (RiNavArc){.turn = -turn};
    return n;
}

void ri_nav_along(const RiNavArc *arc, double x, double y, double heading, double s, double *out_x, double *out_y,
                  double *out_heading)
{
    const bool turns = arc->length == 0.0;
    const double end = turns ? heading + s : heading + arc->curvature * s;
    double s0, c0, s1, c1;
    ri_sincos(heading, &s0, &c0);
    ri_sincos(end, &s1, &c1);
    *out_heading = end;
    *out_x = x;
    *out_y = y;
    if (turns)
        return;
    if (fabs(arc->curvature * s) < 1e-8) {
        *out_x += s * c0;
        *out_y += s * s0;
        return;
    }
    *out_x += (s1 - s0) / arc->curvature;
    *out_y += (c0 - c1) / arc->curvature;
}

/// Squared distance of a place to a cell's square.
static double cell_distance2(const RiNavMap *m, double x, double y, int ix, int iy)
{
    const double half = 0.5 * m->options.cell;
    const double dx = fmax(fabs(x - ri_nav_centre(m, ix)) - half, 0.0);
    const double dy = fmax(fabs(y - ri_nav_centre(m, iy)) - half, 0.0);
    return dx * dx + dy * dy;
}

/// Whether the rover's disc at a place meets a cell with a step hazard.
static bool meets_obstacle(const RiNavMap *m, double x, double y)
{
    const int reach = m->reach + 1;
    const int cx = ri_nav_index(m, x), cy = ri_nav_index(m, y);
    const double r = m->options.radius * (1.0 - 1e-9);
    if (ri_nav_inside(m, cx, cy) && !m->marks[ri_nav_slot(m, cx, cy)].near)
        return false;
    for (int iy = cy - reach; iy <= cy + reach; iy++)
        for (int ix = cx - reach; ix <= cx + reach; ix++)
            if (ri_nav_inside(m, ix, iy) && m->marks[ri_nav_slot(m, ix, iy)].obstacle &&
                cell_distance2(m, x, y, ix, iy) < r * r)
                return true;
    return false;
}

/// What the rover's disc meets at a place.
static RiNavVeto look(const RiNavMap *m, const RiNavGoal *goal, double x, double y, int *out_goodness)
{
    *out_goodness = ri_nav_map_goodness(m, x, y);
    if (goal->keep_out && goal->keep_out(goal->user, x, y))
        return RI_NAV_VETO_KEEP_OUT;
    if (meets_obstacle(m, x, y))
        return RI_NAV_VETO_HAZARD;
    if (*out_goodness < 0)
        return RI_NAV_VETO_UNKNOWN;
    // A patch with a step is judged by the distance to the step above; its plane means nothing.
    const RiNavMark *mark = &m->marks[ri_nav_slot(m, ri_nav_index(m, x), ri_nav_index(m, y))];
    if (mark->hazards & RI_NAV_STEP)
        return RI_NAV_FREE;
    return mark->hazards & (RI_NAV_TILT | RI_NAV_ROUGHNESS) ? RI_NAV_VETO_HAZARD : RI_NAV_FREE;
}

/// Follows an arc over the map: veto, free length, hazard vote. The first place does not veto: the
/// rover stands there.
static void follow(const RiNavMap *m, const RiNavGoal *goal, double x, double y, double heading, RiNavArc *a)
{
    const double whole = a->length == 0.0 ? a->turn : a->length, sign = whole < 0.0 ? -1.0 : 1.0;
    const double spacing = a->length == 0.0 ? 0.1 : 0.5 * m->options.cell;
    const int steps = (int)fmax(1.0, ceil(fabs(whole) / spacing));
    double sum = 0.0;
    int seen = 0;
    a->veto = RI_NAV_FREE;
    a->free_length = fabs(whole);
    for (int i = 1; i <= steps; i++) {
        const double s = fabs(whole) * i / steps;
        double px, py, ph;
        int goodness;
        ri_nav_along(a, x, y, heading, sign * s, &px, &py, &ph);
        const RiNavVeto veto = look(m, goal, px, py, &goodness);
        if (veto != RI_NAV_FREE) {
            a->free_length = fabs(whole) * (i - 1) / steps;
            const bool late = veto == RI_NAV_VETO_UNKNOWN && a->free_length >= fmin(m->options.look_ahead, fabs(whole));
            a->veto = late ? RI_NAV_FREE : veto;
            break;
        }
        sum += goodness;
        seen++;
    }
    a->hazard = seen > 0 ? sum / (255.0 * seen) : 0.0;
    ri_nav_along(a, x, y, heading, sign * a->free_length, &a->end_x, &a->end_y, &a->end_yaw);
}

static double to_goal(const RiNavGoal *g, double x, double y)
{
    const double dx = g->x - x, dy = g->y - y;
    return g->cost ? g->cost(g->user, x, y) : sqrt(dx * dx + dy * dy);
}

/// A turn in place helps as far as it brings the heading to the goal: less than any arc that gets
/// nearer.
static double turn_vote(const RiNavGoal *g, double x, double y, double before, double after)
{
    const double bearing = ri_atan2(g->y - y, g->x - x);
    const double off_before = fabs(remainder(bearing - before, 2.0 * pi));
    const double off_after = fabs(remainder(bearing - after, 2.0 * pi));
    return 0.5 + 0.25 * (off_before - off_after) / pi;
}

int ri_nav_choose_arc(const RiNavMap *map, double x, double y, double heading, double curvature_now,
                      const RiNavGoal *goal, RiNavArc *arcs, int count)
{
    const RiNavOptions *o = &map->options;
    double most_steer = 1e-12, longest = 1e-12;
    for (int i = 0; i < count; i++) {
        most_steer = fmax(most_steer, fabs(arcs[i].curvature - curvature_now));
        longest = fmax(longest, fabs(arcs[i].length));
    }
    const double here = to_goal(goal, x, y);
    int best = -1;
    for (int i = 0; i < count; i++) {
        RiNavArc *a = &arcs[i];
        follow(map, goal, x, y, heading, a);
        const double there = to_goal(goal, a->end_x, a->end_y);
        a->steer = a->length == 0.0 ? 0.0 : 1.0 - fabs(a->curvature - curvature_now) / most_steer;
        a->goal = a->length == 0.0 ? turn_vote(goal, x, y, heading, a->end_yaw)
                                   : fmin(fmax(0.5 + 0.5 * (here - there) / longest, 0.0), 1.0);
        if (isinf(there))
            a->goal = 0.0;
        a->vote = a->veto != RI_NAV_FREE
                      ? 0.0
                      : o->weight_hazard * a->hazard + o->weight_steer * a->steer + o->weight_goal * a->goal;
        if (a->veto == RI_NAV_FREE && (best < 0 || a->vote > arcs[best].vote))
            best = i;
    }
    return best;
}

double ri_nav_clearance(const RiNavMap *map, const RiNavArc *arc, double x, double y, double heading)
{
    const int n = map->options.cells;
    double least = INFINITY;
    const int steps = (int)ceil(fabs(arc->length) / (0.05 * map->options.cell)) + 1;
    for (int iy = map->head->iy; iy < map->head->iy + n; iy++)
        for (int ix = map->head->ix; ix < map->head->ix + n; ix++) {
            if (!map->marks[ri_nav_slot(map, ix, iy)].obstacle)
                continue;
            for (int i = 0; i <= steps; i++) {
                double px, py, ph;
                ri_nav_along(arc, x, y, heading, arc->length * i / steps, &px, &py, &ph);
                least = fmin(least, cell_distance2(map, px, py, ix, iy));
            }
        }
    return sqrt(least);
}
