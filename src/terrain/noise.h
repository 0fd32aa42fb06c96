// SPDX-License-Identifier: Apache-2.0
/// \file
/// Smooth band-limited noise in space: a sum of plane waves of random direction and phase.
///
///     N(p) = 1/sqrt(K) sum_i sin(k_i . p + phi_i),      |k_i| = 2 pi / wavelength * 2^u_i,   u_i uniform in [-1/2, 1/2]
///
/// Directions are uniform on the sphere. Every wave lies within half an octave of the wavelength,
/// and N has derivatives of all orders. Over space its mean is 0 and its standard deviation
/// 1/sqrt(2), as that of one sine of amplitude 1; |N| <= sqrt(K) = 4; values are nearly Gaussian,
/// so 16 % of the surface lies beyond |N| = 1 and about 0.5 % beyond 2. Equal seeds give equal
/// bits. Test: tests/terrain/test_shapes.c.
#ifndef RI_TERRAIN_NOISE_H
#define RI_TERRAIN_NOISE_H

#include <stdint.h>

#include <rille/math.h>

enum { RI_NOISE_WAVES = 16 };
#define RI_NOISE_BOUND 4.0

typedef struct RiNoise {
    RiVec3 k[RI_NOISE_WAVES]; ///< [rad/m]
    double phase[RI_NOISE_WAVES];
} RiNoise;

void ri_noise_init(RiNoise *n, double wavelength, uint64_t seed);
/// Value and gradient [1/m].
double ri_noise_value(const RiNoise *n, RiVec3 p, RiVec3 *out_gradient);
/// Second derivatives [1/m^2].
RiMat3 ri_noise_bend(const RiNoise *n, RiVec3 p);

#endif
