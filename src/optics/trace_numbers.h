// SPDX-License-Identifier: Apache-2.0
/// \file
/// Points for tracing: two-dimensional Sobol points, shuffled and scrambled by hashing
/// [burley2020], one pair for each use of random numbers along a path. A pure function of (seed,
/// pixel, sample, use).
#ifndef RI_OPTICS_TRACE_NUMBERS_H
#define RI_OPTICS_TRACE_NUMBERS_H

#include <stdint.h>

typedef struct RiNumbers {
    uint32_t seed;  ///< of the pixel
    uint32_t index; ///< of the sample
    uint32_t use;   ///< counts pairs
} RiNumbers;

static inline uint32_t ri_mix32(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    return x ^ (x >> 16);
}

static inline uint32_t ri_reverse32(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(x);
}

/// Flips each bit by a hash of the higher ones: Owen's scrambling, after Laine and Karras.
static inline uint32_t ri_owen(uint32_t x, uint32_t seed)
{
    x = ri_reverse32(x);
    x += seed;
    x ^= x * 0x6C50B47Cu;
    x ^= x * 0xB82F1E52u;
    x ^= x * 0xC7AFE638u;
    x ^= x * 0x8D22F6E6u;
    return ri_reverse32(x);
}

/// Seed of a picture; each pixel makes its own from it.
static inline uint32_t ri_numbers_seed(uint64_t seed)
{
    return ri_mix32((uint32_t)seed ^ ri_mix32((uint32_t)(seed >> 32) + 0x9E3779B9u));
}

static inline RiNumbers ri_numbers(uint64_t seed, uint32_t pixel, uint32_t sample)
{
    const uint32_t a = ri_numbers_seed(seed);
    return (RiNumbers){.seed = ri_mix32(a ^ ri_mix32(pixel + 0x85EBCA6Bu)), .index = sample, .use = 0};
}

/// The eight low bits of x, spread to every other bit.
static inline uint32_t ri_spread8(uint32_t x)
{
    x = (x | x << 4) & 0x0F0Fu;
    x = (x | x << 2) & 0x3333u;
    return (x | x << 1) & 0x5555u;
}

/// The same where pixels share their points: along a Z-shaped curve through 256 x 256 pixels each takes
/// the next `samples` of one sequence [ahmed2020], so that neighbours, too, fill what others leave. The
/// error of a pixel is as before, that of a mean over neighbours smaller.
static inline RiNumbers ri_numbers_shared(uint64_t seed, uint32_t x, uint32_t y, uint32_t sample, uint32_t samples)
{
    const uint32_t tile = ri_mix32((x >> 8) + 0x85EBCA6Bu) + (y >> 8);
    const uint32_t place = ri_spread8(x & 0xFFu) | ri_spread8(y & 0xFFu) << 1;
    return (RiNumbers){
        .seed = ri_mix32(ri_numbers_seed(seed) ^ ri_mix32(tile)), .index = place * samples + sample, .use = 0};
}

/// The next pair, in [0, 1).
static inline void ri_numbers_pair(RiNumbers *n, double *u1, double *u2)
{
    const uint32_t s = ri_mix32(n->seed + 0x9E3779B9u * ++n->use);
    const uint32_t i = ri_owen(n->index, s), x = ri_reverse32(i);
    uint32_t y = i; // Pascal's triangle modulo 2, in five steps
    y ^= y >> 1 & 0x55555555u;
    y ^= y >> 2 & 0x33333333u;
    y ^= y >> 4 & 0x0F0F0F0Fu;
    y ^= y >> 8 & 0x00FF00FFu;
    y ^= y >> 16;
    y = ri_reverse32(y);
    *u1 = ri_owen(x, ri_mix32(s + 1u)) * 0x1p-32;
    *u2 = ri_owen(y, ri_mix32(s + 2u)) * 0x1p-32;
}

static inline double ri_numbers_one(RiNumbers *n)
{
    double a, b;
    ri_numbers_pair(n, &a, &b);
    return a;
}

#endif
