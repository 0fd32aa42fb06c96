// SPDX-License-Identifier: Apache-2.0
/// \file
/// Designs of experiments. Every coordinate is computed from its index alone: random numbers by
/// counter, permutations by a keyed cipher on the index range (cycle walking), Sobol' points by
/// their direction numbers.

#include <math.h>
#include <stdio.h>

#include <rille/study/sample.h>

#include "base/hash.h"
#include "base/rng.h"

// ------------------------------------------------------------------------------------------ Sobol'

typedef struct Direction {
    int degree, polynomial;
    uint32_t m[7];
} Direction;

/// Primitive polynomials and first direction numbers of dimensions 2 to 21 (new-joe-kuo-6
/// [joe2008]).
static const Direction directions[] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/// Direction numbers of one dimension, each shifted to the top of 32 bits.
static void direction_numbers(int dimension, uint32_t v[32])
{
    if (dimension == 0) {
        for (int i = 0; i < 32; i++)
            v[i] = 1u << (31 - i);
        return;
    }
    const Direction *d = &directions[dimension - 1];
    const int s = d->degree;
    for (int i = 0; i < s; i++)
        v[i] = d->m[i] << (31 - i);
    for (int i = s; i < 32; i++) {
        v[i] = v[i - s] ^ (v[i - s] >> s);
        for (int k = 1; k < s; k++)
            if ((d->polynomial >> (s - 1 - k)) & 1)
                v[i] ^= v[i - k];
    }
}

uint32_t ri_sobol_bits(uint32_t k, int dimension)
{
    uint32_t v[32] = {0}, x = 0;
    direction_numbers(dimension, v);
    const uint32_t gray = k ^ (k >> 1);
    for (int i = 0; i < 32; i++)
        if ((gray >> i) & 1)
            x ^= v[i];
    return x;
}

double ri_sobol_point(uint32_t k, int dimension)
{
    return (double)ri_sobol_bits(k, dimension) * 0x1p-32;
}

static uint32_t reverse_bits(uint32_t x)
{
    x = (x >> 16) | (x << 16);
    x = ((x & 0xff00ff00u) >> 8) | ((x & 0x00ff00ffu) << 8);
    x = ((x & 0xf0f0f0f0u) >> 4) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x & 0xccccccccu) >> 2) | ((x & 0x33333333u) << 2);
    return ((x & 0xaaaaaaaau) >> 1) | ((x & 0x55555555u) << 1);
}

uint32_t ri_owen_scramble(uint32_t bits, uint32_t seed)
{
    // On reversed bits: each operation lets a bit depend on lower ones only, so a prefix decides
    // its own flips.
    uint32_t x = reverse_bits(bits);
    x += seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    return reverse_bits(x);
}

// ------------------------------------------------------------------------------------ permutations

uint32_t ri_permute(uint32_t k, uint32_t n, uint64_t key)
{
    int half = 1;
    while ((1ull << (2 * half)) < n)
        half++;
    const uint32_t mask = (1u << half) - 1u;
    do { // a Feistel network permutes 0 .. 4^half - 1; walk until the place is inside
        uint32_t left = k >> half, right = k & mask;
        for (uint32_t round = 0; round < 6; round++) {
            const uint64_t h = ri_hash_mix(ri_hash_mix(key, round + 1), right + 0x51ED27ull);
            const uint32_t next = left ^ ((uint32_t)(h >> 32) & mask);
            left = right;
            right = next;
        }
        k = (left << half) | right;
    } while (k >= n);
    return k;
}

// ----------------------------------------------------------------------------------------- designs

const char *ri_design_kind_name(RiDesignKind kind)
{
    static const char *const names[] = {"random", "latin_hypercube", "sobol", "grid", "saltelli"};
    return names[kind];
}

/// Stream of a dimension's random numbers; `use` parts those of different purposes.
static RiRng stream(const RiDesign *d, const char *use, int dimension)
{
    char name[64];
    snprintf(name, sizeof name, "campaign.%s.%d", use, dimension);
    return ri_rng_stream(d->seed, name);
}

/// Number k of a stream, in (0, 1).
static double random_at(RiRng rng, uint64_t k)
{
    rng.counter = k;
    return ((double)(ri_rng_next(&rng) >> 11) + 0.5) * 0x1p-53;
}

static double sobol_at(const RiDesign *d, uint32_t k, int dimension)
{
    uint32_t bits = ri_sobol_bits(k, dimension);
    if (d->scrambled) {
        RiRng rng = stream(d, "owen", dimension);
        bits = ri_owen_scramble(bits, (uint32_t)(ri_rng_next(&rng) >> 32));
    }
    return ((double)bits + 0.5) * 0x1p-32; // the middle of its cell: never 0
}

/// Block of point k and the index inside it.
static int find_block(const RiDesign *d, int k, int *out_inside)
{
    int b = 0;
    while (b < d->block_count - 1 && k >= d->blocks[b])
        k -= d->blocks[b++];
    *out_inside = k;
    return b;
}

static double latin_at(const RiDesign *d, int k, int dimension)
{
    int inside;
    const int block = find_block(d, k, &inside), n = d->blocks[block];
    RiRng rng = stream(d, "latin", dimension);
    const uint32_t place = ri_permute((uint32_t)inside, (uint32_t)n, ri_hash_mix(rng.key, (uint64_t)block));
    return (place + (d->midpoint ? 0.5 : random_at(rng, (uint64_t)k))) / n;
}

long long ri_design_grid_size(const RiDesign *d)
{
    long long size = 1;
    for (int i = 0; i < d->dimensions; i++) {
        size *= d->levels[i] ? d->levels[i] : 1;
        if (size > INT32_MAX)
            return -1;
    }
    return size;
}

/// The first dimension varies slowest.
static void grid_point(const RiDesign *d, int k, double *out_u)
{
    long long rest = k % ri_design_grid_size(d);
    for (int i = d->dimensions - 1; i >= 0; i--) {
        const int n = d->levels[i];
        out_u[i] = n ? ((double)(rest % n) + 0.5) / n : random_at(stream(d, "random", i), (uint64_t)k);
        rest /= n ? n : 1;
    }
}

/// Coordinate of matrix A (which = 0) or B (1) of Saltelli's design.
static double saltelli_at(const RiDesign *d, int row, int which, int dimension)
{
    const int at = which * d->dimensions + dimension;
    if (2 * d->dimensions <= RI_SOBOL_DIMENSIONS)
        return sobol_at(d, (uint32_t)row, at);
    return random_at(stream(d, "saltelli", at), (uint64_t)row);
}

static void saltelli_point(const RiDesign *d, int k, double *out_u)
{
    const int group = d->dimensions + 2, row = k / group, part = k % group;
    for (int i = 0; i < d->dimensions; i++)
        out_u[i] = saltelli_at(d, row, part == 1 || part == i + 2, i);
}

void ri_design_point(const RiDesign *d, int k, double *out_u)
{
    switch (d->kind) {
    case RI_DESIGN_GRID:
        grid_point(d, k, out_u);
        break;
    case RI_DESIGN_SALTELLI:
        saltelli_point(d, k, out_u);
        break;
    case RI_DESIGN_LATIN:
        for (int i = 0; i < d->dimensions; i++)
            out_u[i] = latin_at(d, k, i);
        break;
    case RI_DESIGN_SOBOL:
        for (int i = 0; i < d->dimensions; i++)
            out_u[i] = sobol_at(d, (uint32_t)k, i);
        break;
    case RI_DESIGN_RANDOM:
        for (int i = 0; i < d->dimensions; i++)
            out_u[i] = random_at(stream(d, "random", i), (uint64_t)k);
        break;
    case RI_DESIGN_KINDS:
        break;
    }
}
