// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plausibility: bounds beyond which a run is not a simulation any more. A step that ends beyond
/// one fails with the bound's name, so that the run ends with exit code 1 and not with numbers that
/// mean nothing. Test: tests/sim/test_plausible.c.
///
///     plausible.position     the root link is further than 1000 km from the origin
///     plausible.speed        a coordinate moves faster than 1e5 m/s or rad/s
///     plausible.energy       the books do not explain half of the energy turned over
///     plausible.penetration  the robot starts so deep in hard ground that the contacts would throw it (checked at the start)
#include <math.h>

#include "sim/force/touches.h"
#include "sim/internal.h"

static const double MOST_POSITION = 1e6; ///< [m]
static const double MOST_SPEED = 1e5;    ///< [m/s] or [rad/s]
static const double MOST_UNEXPLAINED = 0.5;
static const double LEAST_ENERGY = 1e-3; ///< turned over, below which shares of it mean nothing [J]
static const double MOST_THROW = 3.0;    ///< speed that the energy of compliant contacts would give the robot [m/s]
static const double MOST_DEPTH = 0.2;    ///< depth from which on a start is looked at [m]
enum { ENERGY_PERIOD = 64 };             ///< ticks between looks at the books

static RiStatus check_motion(const RiSim *s)
{
    const RiVec3 p = ri_dyn_frame_position(s->d, s->m->link_order[0]);
    if (!(fabs(p.x) <= MOST_POSITION && fabs(p.y) <= MOST_POSITION && fabs(p.z) <= MOST_POSITION))
        return ri_error(
            s->ctx, RI_ERR_NUMERIC,
            "plausible.position: at t = %.9g s the robot is at (%.4g, %.4g, %.4g) m, more than %g m from the origin",
            s->head->time, p.x, p.y, p.z, MOST_POSITION);
    for (int i = 0; i < s->m->nv; i++)
        if (!(fabs(s->v[i]) <= MOST_SPEED))
            return ri_error(s->ctx, RI_ERR_NUMERIC,
                            "plausible.speed: at t = %.9g s coordinate '%s' moves at %.4g m/s or rad/s, faster than %g",
                            s->head->time, ri_model_v_name(s->m, i), s->v[i], MOST_SPEED);
    return RI_OK;
}

RiStatus ri_sim_check_plausible(RiSim *s)
{
    RI_TRY(check_motion(s));
    if (s->head->tick % ENERGY_PERIOD != 0)
        return RI_OK;
    const RiEnergy e = ri_sim_energy(s);
    const double unexplained = ri_energy_residual(&e);
    if (fabs(unexplained) <= MOST_UNEXPLAINED || e.scale < LEAST_ENERGY)
        return RI_OK;
    return ri_error(
        s->ctx, RI_ERR_NUMERIC,
        "plausible.energy: at t = %.9g s the books do not explain %.3g of the energy turned over (%.3g J); a "
        "smaller tick may help",
        s->head->time, unexplained, e.scale);
}

RiStatus ri_sim_check_start(RiSim *s)
{
    RI_ASSERT(s->stage == RI_STAGE_FOUND);
    double mass = 0.0, deepest = 0.0;
    for (int i = 0; i < s->m->nb; i++)
        mass += s->m->bodies[i].mass;
    for (int i = 0; s->contacts && i < s->touches->ground_count; i++)
        deepest = fmax(deepest, s->touches->list[i].depth);
    if (deepest <= MOST_DEPTH)
        return RI_OK;
    const double energy = s->method->solves_contact ? INFINITY : ri_sim_stored(s);
    if (0.5 * mass * MOST_THROW * MOST_THROW >= energy)
        return RI_OK;
    return ri_error(s->ctx, RI_ERR_ARGUMENT,
                    "plausible.penetration: the robot starts %.3g m deep in the ground, which would throw it; start it "
                    "higher (initial: base: xyz) or let it find its stance (key 'stance' or 'place')",
                    deepest);
}
