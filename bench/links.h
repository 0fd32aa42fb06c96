// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the cases of `rille bench links` share: the table of bench/links.def, a clock, rows with a
/// limit.
#ifndef RILLE_BENCH_LINKS_H
#define RILLE_BENCH_LINKS_H

#include <rille/scene.h>

#include "bench/bench_run.h"

#define LINK_CASE(name) void links_##name(BenchRun *run);
#include "bench/links.def"
#undef LINK_CASE

/// The wall clock [s].
double links_clock(void);

/// Hands in the median of `run->repeats` measurements, of which less is better, beside the most
/// that it may be.
void links_limit(const BenchRun *run, const char *name, const char *unit, double *values, double limit);

/// Loads and builds a scene of the project by its name; NULL after telling the run what failed.
/// Destroy scene, then context.
RiScene *links_open_scene(BenchRun *run, const char *name, RiContext **out_ctx);

#endif
