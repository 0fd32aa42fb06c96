// SPDX-License-Identifier: Apache-2.0
/// \file
/// Random numbers by hashing a counter with the finaliser of SplitMix64 [steele2014], applied twice
/// with the stream's key in between.
#include "base/rng.h"
#include "base/functions.h"

#include <math.h>

static uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

RiRng ri_rng_stream(uint64_t seed, const char *name)
{
    uint64_t h = 1469598103934665603ULL;
    for (const char *s = name; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211ULL;
    return (RiRng){.key = mix(seed) ^ mix(h), .counter = 0};
}

uint64_t ri_rng_next(RiRng *rng)
{
    return mix(mix(rng->counter++) ^ rng->key);
}

double ri_rng_uniform(RiRng *rng)
{
    return (double)(ri_rng_next(rng) >> 11) * 0x1p-53;
}

double ri_rng_between(RiRng *rng, double low, double high)
{
    return low + (high - low) * ri_rng_uniform(rng);
}

double ri_rng_normal(RiRng *rng)
{
    for (;;) {
        const double x = ri_rng_between(rng, -1.0, 1.0), y = ri_rng_between(rng, -1.0, 1.0);
        const double s = x * x + y * y;
        if (s > 0.0 && s < 1.0)
            return x * sqrt(-2.0 * ri_log(s) / s);
    }
}

int ri_rng_below(RiRng *rng, int n)
{
    return (int)(ri_rng_uniform(rng) * n);
}
