// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rows of `rille bench terrain` for height fields and shapes.
#ifndef RILLE_BENCH_TERRAIN_HEIGHTS_H
#define RILLE_BENCH_TERRAIN_HEIGHTS_H

#include "bench/bench_run.h"

/// Height and slope in batches, distance, rays on a height field; distance among a thousand stones.
void bench_terrain_heights(BenchRun *run);

#endif
