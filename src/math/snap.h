// SPDX-License-Identifier: Apache-2.0
/// \file
/// Values that decay exponentially end in subnormal numbers, which some processors handle a hundred
/// times slower. States are therefore set to zero where they mean nothing any more: below 1e-40 in
/// any SI unit. The state itself changes, so results do not depend on whether a machine flushes
/// subnormal numbers. Products of up to seven such values are normal numbers. Test:
/// machines/no_scene_computes_with_subnormal_numbers.
#ifndef RI_MATH_SNAP_H
#define RI_MATH_SNAP_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RI_SNAP 1e-40

/// Two values; vectors of 16 bytes are what every processor has.
typedef double RiSnapPair __attribute__((vector_size(16)));
typedef int64_t RiSnapBits __attribute__((vector_size(16)));

static inline void ri_snap_pair(double *x)
{
    const RiSnapPair least = {RI_SNAP, RI_SNAP};
    const RiSnapBits size = {INT64_MAX, INT64_MAX}; // all but the sign
    RiSnapBits v;
    memcpy(&v, x, sizeof v);
    const RiSnapBits tiny = (RiSnapPair)(v & size) < least;
    v &= ~(tiny & size);
    memcpy(x, &v, sizeof v);
}

/// Sets meaningless values to zero. Their signs stay. Four at a time: memories of wheels on soil have
/// hundreds of values, and all of them are checked in every step.
static inline void ri_snap(double *x, size_t count)
{
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        ri_snap_pair(x + i);
        ri_snap_pair(x + i + 2);
    }
    for (; i < count; i++)
        x[i] *= fabs(x[i]) < RI_SNAP ? 0.0 : 1.0;
}

#endif
