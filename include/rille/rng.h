// SPDX-License-Identifier: Apache-2.0
/// \file
/// Counter-based random numbers: value i of a stream is a pure function of (seed, stream, i), so
/// equal seeds give equal bits whatever the order or the number of threads.
///
/// Threads and ownership: a stream is a plain value of its owner.
#ifndef RILLE_RNG_H
#define RILLE_RNG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiRng {
    uint64_t key, counter;
} RiRng;

/// A stream with a name ("terrain.rocks") under a seed.
RiRng ri_rng_stream(uint64_t seed, const char *name);
/// The next 64 random bits.
uint64_t ri_rng_next(RiRng *rng);
/// Uniform in [0, 1).
double ri_rng_uniform(RiRng *rng);
/// Uniform in [low, high).
double ri_rng_between(RiRng *rng, double low, double high);
/// Standard normal (polar method).
double ri_rng_normal(RiRng *rng);
/// Uniform integer in [0, n); n > 0.
int ri_rng_below(RiRng *rng, int n);

#ifdef __cplusplus
}
#endif
#endif
