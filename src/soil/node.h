// SPDX-License-Identifier: Apache-2.0
/// \file
/// The functions that every node of a contact needs, many at a time: powers, exponentials, sines. Equal bits on all instruction sets: lane by
/// lane the same operations, none of them fused. Errors below 4 units of the last place in the stated ranges (tests/soil/test_node.c).
#ifndef RI_SOIL_NODE_H
#define RI_SOIL_NODE_H

enum {
    RI_NODE_LANES = 8
}; ///< arrays are padded to a multiple of this, and what stands in the padding is computed as well

typedef struct RiNodeKernels {
    const char *name;
    /// k (z / unit)^n; 0 where z is not positive. For z / unit between 1e-300 and 1e300.
    void (*power)(int count, const double *z, double unit, double n, double k, double *out);
    /// 1 - exp(-a) for a >= 0, as good as expm1 for small ones.
    void (*mobilise)(int count, const double *a, double *out);
    /// Sine and cosine for |x| <= pi.
    void (*turn)(int count, const double *x, double *out_sin, double *out_cos);
} RiNodeKernels;

extern const RiNodeKernels ri_node_kernels_generic;
#if defined(__x86_64__)
extern const RiNodeKernels ri_node_kernels_avx2, ri_node_kernels_avx512;
#endif
/// The kernels for a name ("generic", "avx2", "avx512"), or the best for NULL. NULL if this processor has not.
const RiNodeKernels *ri_node_kernels_find(const char *name);

#endif
