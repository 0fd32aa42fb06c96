// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rille itself behind the interface that peers are measured through (bench/engine.h).
#ifndef RILLE_BENCH_OURS_H
#define RILLE_BENCH_OURS_H

#include "bench/engine.h"

extern const BenchEngine bench_ours;

/// Closes what bench_ours.open() returned; NULL is allowed.
void bench_ours_close(void *model);

/// The sentence that explains why a call failed since the model was opened; NULL if none did.
const char *bench_ours_failure(const void *model);

#endif
