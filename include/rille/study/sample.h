// SPDX-License-Identifier: Apache-2.0
/// \file
/// Points of the unit cube for campaigns. Point k is a pure function of (design, k): batches, their
/// order, the number of workers and the machine do not matter.
///
///     design { kind, seed, dimensions, blocks } , k --(ri_design_point)--> u[dimensions], each in (0, 1)
///
/// A campaign that is extended appends a block: the points of earlier blocks stay as they are, and
/// a Latin hypercube or Saltelli design begins anew in each block.
#ifndef RILLE_STUDY_SAMPLE_H
#define RILLE_STUDY_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_SOBOL_DIMENSIONS = 21, RI_DESIGN_DIMENSIONS = 64, RI_DESIGN_BLOCKS = 64 };

/// Coordinate `dimension` (from 0) of point k of Sobol's sequence in Gray-code order, as an integer
/// of 32 bits; direction numbers of [joe2008].
uint32_t ri_sobol_bits(uint32_t k, int dimension);
/// The same as a number in [0, 1): point 0 is the origin.
double ri_sobol_point(uint32_t k, int dimension);
/// Owen's nested uniform scrambling of 32 bits by a hash [laine2011]: keeps every net property.
uint32_t ri_owen_scramble(uint32_t bits, uint32_t seed);
/// Place of k under a random permutation of 0 .. n-1 that is computed for k alone.
uint32_t ri_permute(uint32_t k, uint32_t n, uint64_t key);

typedef enum RiDesignKind {
    RI_DESIGN_RANDOM,
    RI_DESIGN_LATIN,    ///< Latin hypercube over each block
    RI_DESIGN_SOBOL,    ///< Sobol's sequence
    RI_DESIGN_GRID,     ///< every combination of the levels
    RI_DESIGN_SALTELLI, ///< A, B and the A with one column of B each: for Sobol' indices [saltelli2010]
    RI_DESIGN_KINDS
} RiDesignKind;

/// Name of a design as campaign files give it; never NULL.
const char *ri_design_kind_name(RiDesignKind kind);

typedef struct RiDesign {
    RiDesignKind kind;
    bool scrambled; ///< Sobol' and Saltelli: scrambled by the seed
    bool midpoint;  ///< Latin hypercube: middles of the strata
    uint64_t seed;
    int dimensions;
    int levels[RI_DESIGN_DIMENSIONS]; ///< RI_DESIGN_GRID: values of each dimension; 0: not gridded, drawn at random
    int blocks[RI_DESIGN_BLOCKS];     ///< points of each block
    int block_count;
} RiDesign;

/// Number of points of a grid; -1 if there are more than 2^31 - 1.
long long ri_design_grid_size(const RiDesign *d);
/// Point k, k below the sum of the blocks, each coordinate in (0, 1).
void ri_design_point(const RiDesign *d, int k, double *out_u);

#ifdef __cplusplus
}
#endif
#endif
