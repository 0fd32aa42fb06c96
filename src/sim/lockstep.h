// SPDX-License-Identifier: Apache-2.0
/// \file
/// Several simulations tick by tick: they meet at the recursions, which take one robot per lane of
/// a vector register (dynamics/lanes.h), and go their own ways between them. Each has the bits that
/// it would have alone.
///
///     begin_tick .. begin -> [forward] -> judge .. end -> [mean power] -> close -> accept -> [place] .. end_tick
///
/// For the implicit method and the trees that lanes take. A simulation that needs more solves of a
/// step than others gets them; one that fails leaves the tick, and the others go on.
///
/// Threads and ownership: a lockstep belongs to one thread at a time and borrows its simulations.
/// Test: tests/study/test_campaign_batch.c.
#ifndef RI_SIM_LOCKSTEP_H
#define RI_SIM_LOCKSTEP_H

#include <rille/sim.h>

typedef struct RiLockstep RiLockstep;

/// Simulations that one lockstep takes.
int ri_lockstep_width(void);
/// Of started simulations, ri_lockstep_width() at most. NULL in *out (and RI_OK) if these cannot go
/// in step.
RI_MUST_CHECK RiStatus ri_lockstep_create(RiContext *ctx, int count, RiSim *const *sims, RiLockstep **out);
void ri_lockstep_destroy(RiLockstep *w);
/// ri_sim_step of the simulations in `mask` (bit i: simulation i); out_status[i] is its answer.
void ri_lockstep_step(RiLockstep *w, unsigned mask, RiStatus *out_status);

#endif
