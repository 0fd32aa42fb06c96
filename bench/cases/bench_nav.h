// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pieces of `rille bench nav`.
#ifndef RI_BENCH_NAV_H
#define RI_BENCH_NAV_H

#include "bench/bench_run.h"

/// Whole drives against real time.
void bench_nav_drives(BenchRun *run);
/// Mobility maps: time and growth.
void bench_nav_maps(BenchRun *run);

#endif
