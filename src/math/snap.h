// SPDX-License-Identifier: Apache-2.0
/// \file
/// Values that decay exponentially end in subnormal numbers, which some processors handle a hundred
/// times slower. States are therefore set to zero where they mean nothing any more: below 1e-40 in
/// any SI unit. The state itself changes, so results do not depend on whether a machine flushes
/// subnormal numbers. Products of up to seven such values are normal numbers. Test:
/// machines/no_scene_computes_with_subnormal_numbers.
#ifndef RI_MATH_SNAP_H
#define RI_MATH_SNAP_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define RI_SNAP 1e-40

/// Two numbers, and their bits.
typedef double RiPair __attribute__((vector_size(16)));
typedef long long RiPairBits __attribute__((vector_size(16)));

static inline RiPair ri_pair_load(const double *x)
{
    RiPair p;
    memcpy(&p, x, sizeof p);
    return p;
}

static inline RiPair ri_pair_abs(RiPair x)
{
    return (RiPair)((RiPairBits)x & (RiPairBits){LLONG_MAX, LLONG_MAX});
}

/// Sets meaningless values to zero. Their signs stay. Two at a time and without branches: every
/// step does this to all of its state.
static inline void ri_snap(double *x, size_t count)
{
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        const RiPair p = ri_pair_load(x + i);
        const RiPairBits small = ri_pair_abs(p) < (RiPair){RI_SNAP, RI_SNAP};
        const RiPairBits kept = (RiPairBits)p & ~(small & (RiPairBits){LLONG_MAX, LLONG_MAX});
        memcpy(x + i, &kept, sizeof kept);
    }
    if (i < count)
        x[i] *= fabs(x[i]) < RI_SNAP ? 0.0 : 1.0;
}

/// Whether all numbers are smaller than a bound. NaN is not.
static inline bool ri_all_below(const double *x, size_t count, double bound)
{
    RiPairBits good = {-1, -1};
    size_t i = 0;
    for (; i + 2 <= count; i += 2)
        good &= ri_pair_abs(ri_pair_load(x + i)) < (RiPair){bound, bound};
    return (good[0] & good[1]) && (i == count || fabs(x[i]) < bound);
}

#endif
