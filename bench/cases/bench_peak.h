// SPDX-License-Identifier: Apache-2.0
/// \file
/// What one core of this machine can do at most.
#ifndef RILLE_BENCH_PEAK_H
#define RILLE_BENCH_PEAK_H

/// Fused multiply-adds of doubles in registers, twelve independent chains, the widest vectors that
/// pay [GFLOP/s].
double bench_peak_gflops(double seconds);

#endif
