// SPDX-License-Identifier: Apache-2.0
/// \file
/// Powers, exponentials and sines of nodes; compiled once per instruction set.
///
/// **exp** x = k ln 2 + r with |r| <= ln 2 / 2, Taylor's series of e^r - 1 to r^13 (truncation
/// below 1e-17 relative), then 2^k by its bits. **log** x = 2^k m with m in [sqrt(1/2), sqrt 2),
/// log m = 2 atanh(s) with s = (m - 1) / (m + 1), |s| < 0.1716, series to s^19. **sin, cos** of x
/// from those of x / 4 by doubling twice: 1 - cos is carried, so nothing cancels.
///
/// Integers are moved in and out of doubles by adding 1.5 * 2^52, so no conversion instructions are
/// needed that some sets lack.
#include "soil/node.h"

#include "soil/lanes.h"

static void power(int count, const double *z, double unit, double n, double k, double *out)
{
    const V none = (V){0} + 0.0, one = none + 1.0;
    for (int i = 0; i < count; i += WIDE) {
        const V x = load(z + i) / unit;
        const L some = x > none;
        V scale;
        const V p = exp_parts(n * logarithm(where(some, x, one)), &scale);
        store(out + i, where(some, k * (scale * p + scale), none));
    }
}

static void powers(int count, const double *z, const double *unit, const double *n, const double *k, double *out)
{
    const V none = (V){0} + 0.0, one = none + 1.0;
    for (int i = 0; i < count; i += WIDE) {
        const V x = load(z + i) / load(unit + i);
        const L some = x > none;
        V scale;
        const V p = exp_parts(load(n + i) * logarithm(where(some, x, one)), &scale);
        store(out + i, where(some, load(k + i) * (scale * p + scale), none));
    }
}

static void mobilise(int count, const double *a, double *out)
{
    for (int i = 0; i < count; i += WIDE)
        store(out + i, mobilised(load(a + i)));
}

static void turn(int count, const double *x, double *out_sin, double *out_cos)
{
    for (int i = 0; i < count; i += WIDE) {
        V s, c;
        sines(load(x + i), &s, &c);
        store(out_sin + i, s);
        store(out_cos + i, c);
    }
}

const RiNodeKernels CONCAT(ri_node_kernels_, RI_ISA) = {.name = TEXT(RI_ISA),
                                                        .power = power,
                                                        .powers = powers,
                                                        .mobilise = mobilise,
                                                        .turn = turn,
                                                        .shear = CONCAT(ri_slice_shear_, RI_ISA),
                                                        .sum = CONCAT(ri_slice_sum_, RI_ISA),
                                                        .arc = CONCAT(ri_slice_arc_, RI_ISA),
                                                        .spread = CONCAT(ri_slice_spread_, RI_ISA),
                                                        .meet = CONCAT(ri_rims_meet_, RI_ISA),
                                                        .steep = CONCAT(ri_berm_steep_, RI_ISA),
                                                        .screw_place = CONCAT(ri_screw_place_, RI_ISA),
                                                        .screw_bear = CONCAT(ri_screw_bear_, RI_ISA),
                                                        .screw_move = CONCAT(ri_screw_move_, RI_ISA),
                                                        .screw_sum = CONCAT(ri_screw_sum_, RI_ISA),
                                                        .screw_show = CONCAT(ri_screw_show_, RI_ISA)};
