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

/// Sets meaningless values to zero. Their signs stay.
static inline void ri_snap(double *x, size_t count)
{
    typedef double Two __attribute__((vector_size(16)));
    typedef int64_t Bits __attribute__((vector_size(16)));
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        Two two;
        memcpy(&two, x + i, sizeof two);
        const Bits size = (Bits)two & INT64_MAX, less = (Two)size < RI_SNAP;
        two = (Two)((Bits)two & (~less | INT64_MIN));
        memcpy(x + i, &two, sizeof two);
    }
    for (; i < count; i++)
        x[i] *= fabs(x[i]) < RI_SNAP ? 0.0 : 1.0;
}

#endif
