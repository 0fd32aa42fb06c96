// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the machine gives at most to lookups in a grid and to closest points: loops with nothing
/// around them.
#ifndef RILLE_BENCH_RAW_H
#define RILLE_BENCH_RAW_H

#include <stdbool.h>
#include <stdint.h>

enum { BENCH_RAW_SIDE = 256 }; ///< nodes of the raw grid on a side

/// Trilinear value plus the three parts of its gradient, of `count` (a multiple of 8) points in
/// node units: eight at a time by gathers where the processor has them.
void bench_raw_trilinear(const float *grid, int count, const float *x, const float *y, const float *z, float *out);

/// Copies 64 MB again and again [GB/s, read and written].
double bench_raw_copy(double seconds);

/// A bare loop of rtcPointQuery on a mesh with single-precision triangle distances.
typedef struct BenchRawMesh BenchRawMesh;
BenchRawMesh *bench_raw_mesh(int point_count, const float (*points)[3], int triangle_count,
                             const uint32_t (*triangles)[3]);
void bench_raw_mesh_free(BenchRawMesh *m);
/// Distance of each point.
void bench_raw_closest(const BenchRawMesh *m, int count, const float (*points)[3], float *out);

#endif
