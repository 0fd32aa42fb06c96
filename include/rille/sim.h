// SPDX-License-Identifier: Apache-2.0
/// \file
/// Time: integrating a model's motion.
///
///     (q, v) --(h)--> (q, v)      accelerations from ri_dyn_forward with the efforts of a callback
///
/// Threads and ownership: an integrator belongs to one thread and keeps a pointer to the RiDyn it was created with.
#ifndef RILLE_SIM_H
#define RILLE_SIM_H

#include <rille/dynamics.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Efforts (nv) at a time and state; called after update_position and update_velocity, so `d` may be asked for poses,
/// and wrenches may be added to it (they are cleared before each call). `tau` comes in zeroed.
typedef void (*RiEffortFn)(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau);

typedef struct RiIntegrator RiIntegrator;

RI_MUST_CHECK RiStatus ri_integrator_create(RiContext *ctx, RiDyn *d, RiIntegrator **out_integrator);
void ri_integrator_destroy(RiIntegrator *it);

/// Efforts to apply; NULL for none. Passive joint forces are added to them unless `passive` is false.
void ri_integrator_set_efforts(RiIntegrator *it, RiEffortFn fn, void *user, bool passive);

/// One step of the classical fourth-order Runge-Kutta method from `time` to `time + h`. On failure q and v stay as they
/// were.
RI_MUST_CHECK RiStatus ri_integrator_rk4(RiIntegrator *it, double time, double h, double *q, double *v);

#ifdef __cplusplus
}
#endif
#endif
