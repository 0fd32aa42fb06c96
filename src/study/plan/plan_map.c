// SPDX-License-Identifier: Apache-2.0
/// \file
/// The mobility map of a plan: slip and energy of a way, from the cells and headings that it passes.
///
///     v = speed of the rims, s = slip, E = work of the wheels per metre of way
///     time per metre 1 / (v (1 - s));   force at the rims F = E (1 - s)
///     power from the bus = max(F, 0) v / motor_efficiency + motor_loss F^2
///
/// Test: tests/study/test_plan_map.c.
#include <math.h>

#include "base/functions.h"
#include "io/scene/scene_map.h"
#include "onboard/drive/navigate.h"
#include "study/plan/plan_run.h"

/// Costs say what must not be entered.
struct RiPlanMap {
    RiDeviceMap *cells;
    const float *slip, *energy, *valid; ///< [headings][ny][nx]
};

RiStatus ri_plan_map_open(RiPlanRun *r)
{
    const char *folder = r->plan->map;
    if (!folder || (r->fidelity != RI_FIDELITY_MAP && r->fidelity != RI_FIDELITY_AUTO))
        return RI_OK;
    RiPlanMap *m = ri_arena_alloc(&r->arena, 1, sizeof *m);
    if (!m)
        return ri_error_memory(r->ctx);
    RI_TRY(ri_map_load(r->ctx, &r->arena, folder, &m->cells));
    RI_TRY(ri_map_load_headings(r->ctx, &r->arena, folder, "slip", m->cells, &m->slip));
    RI_TRY(ri_map_load_headings(r->ctx, &r->arena, folder, "energy", m->cells, &m->energy));
    RI_TRY(ri_map_load_headings(r->ctx, &r->arena, folder, "valid", m->cells, &m->valid));
    r->map = m;
    return RI_OK;
}

double ri_plan_map_step(const RiPlanRun *r)
{
    return 0.25 * r->map->cells->cell;
}

bool ri_plan_map_forbids(const RiPlanRun *r, double x, double y, double heading)
{
    const long long at = ri_nav_map_index(r->map->cells, x, y, heading);
    return at >= 0 &&
           !(isfinite(r->map->cells->cost[at]) && (double)r->map->slip[at] < 0.99 && isfinite(r->map->energy[at]));
}

void ri_plan_map_add(const RiPlanRun *r, double x, double y, double heading, double way, RiPlanMapWay *sum)
{
    const RiPlanMap *m = r->map;
    const RiPlan *p = r->plan;
    const long long at = ri_nav_map_index(m->cells, x, y, heading);
    if (at < 0) {
        sum->outside += way;
        return;
    }
    const double slip = (double)m->slip[at], rolled = way / (1.0 - slip), time = rolled / p->speed;
    const double force = fmax((double)m->energy[at], 0.0) * (1.0 - slip);
    sum->inside += way;
    sum->invalid += m->valid[at] == 1.0F ? 0.0 : way;
    sum->rolled += rolled;
    sum->time += time;
    sum->energy += (force * p->speed / p->motor_efficiency + p->motor_loss * force * force) * time;
}
