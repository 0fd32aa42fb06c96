// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plane-wave noise. Sines are our own, so that bits do not depend on the C library.
#include "terrain/noise.h"

#include "base/rng.h"
#include "math/sincos.h"

void ri_noise_init(RiNoise *n, double wavelength, uint64_t seed)
{
    RiRng rng = ri_rng_stream(seed, "terrain.roughness");
    for (int i = 0; i < RI_NOISE_WAVES; i++) {
        RiVec3 v;
        double r;
        do { // uniform in the ball, hence in direction
            v.x = ri_rng_between(&rng, -1.0, 1.0);
            v.y = ri_rng_between(&rng, -1.0, 1.0);
            v.z = ri_rng_between(&rng, -1.0, 1.0);
            r = ri_norm(v);
        } while (r > 1.0 || r < 1e-3);
        // 2^u for |u| <= 1/2 by its rational approximation (2.9 + u) / (2.9 - u), within 0.2 %: the
        // band's edges move by as much.
        const double u = ri_rng_between(&rng, -0.5, 0.5), octave = (2.9 + u) / (2.9 - u);
        n->k[i] = ri_scale(6.283185307179586 / wavelength * octave / r, v);
        n->phase[i] = ri_rng_between(&rng, -M_PI, M_PI);
    }
}

double ri_noise_value(const RiNoise *n, RiVec3 p, RiVec3 *out_gradient)
{
    const double scale = 0.25; // 1/sqrt(RI_NOISE_WAVES)
    double sum = 0.0;
    RiVec3 g = {0.0, 0.0, 0.0};
    for (int i = 0; i < RI_NOISE_WAVES; i++) {
        double s, c;
        ri_sincos(ri_dot(n->k[i], p) + n->phase[i], &s, &c);
        sum += s;
        g = ri_add(g, ri_scale(c, n->k[i]));
    }
    *out_gradient = ri_scale(scale, g);
    return scale * sum;
}

RiMat3 ri_noise_bend(const RiNoise *n, RiVec3 p)
{
    RiMat3 h = {{{0.0}}};
    for (int i = 0; i < RI_NOISE_WAVES; i++) {
        double s, c;
        ri_sincos(ri_dot(n->k[i], p) + n->phase[i], &s, &c);
        const double k[3] = {n->k[i].x, n->k[i].y, n->k[i].z};
        for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++)
                h.m[r][q] -= 0.25 * s * k[r] * k[q];
    }
    return h;
}
