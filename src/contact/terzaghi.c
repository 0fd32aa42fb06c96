// SPDX-License-Identifier: Apache-2.0
/// \file
/// The soil of ROAMS: one contact point per wheel, traction limited by soil mechanics.
/// [huntsberger2008 2.7, jain2003 2.3]
///
/// Bearing capacity, with Terzaghi's factors in the form of equation 13 of ARTEMIS:
///
///     p = c Nc + gamma z Nq + gamma b Ng / 2                                              [terzaghi1996]
///     Nq = exp((3 pi / 2 - phi) tan phi) / (2 cos^2(pi/4 + phi/2)),  Nc = (Nq - 1) / tan phi
///     Ng = 2 (Nq + 1) tan phi / (1 + 0.4 sin 4 phi)
///
/// A wheel of radius r and width b that sinks in by z stands on b sqrt(2 r z); it sinks until that
/// carries its load W. Traction is limited by Mohr and Coulomb over the same area: T = c b sqrt(2 r
/// z) + W tan phi. Equations and what of them is ours: docs/theory/roams.md. Tests:
/// tests/contact/test_terzaghi.c.
#include <math.h>

#include "base/functions.h"
#include "base/hash.h"
#include "base/rng.h"
#include "contact/terzaghi.h"

double ri_bearing_sinkage(const RiBearing *soil, double load, double radius, double width)
{
    // W = a (p u + q u^3) with u = sqrt(z): convex and rising, so Newton from above goes down to
    // the root
    const double a = width * sqrt(2.0 * radius);
    const double p = a * (soil->cohesion * soil->N.Nc + 0.5 * soil->unit_weight * width * soil->N.Ng);
    const double q = a * soil->unit_weight * soil->N.Nq;
    if (!(load > 0.0))
        return 0.0;
    double u = q > 0.0 ? ri_cbrt(load / q) : INFINITY;
    if (p > 0.0)
        u = fmin(u, load / p);
    u = fmin(u, sqrt(2.0 * radius)); // deeper than its diameter no wheel is asked for
    for (int k = 0; k < 20; k++) {
        const double step = (p * u + q * u * u * u - load) / (p + 3.0 * q * u * u);
        u -= step;
        if (fabs(step) < 1e-9 * u)
            break;
    }
    return u * u;
}

double ri_bearing_traction(const RiBearing *soil, double load, double radius, double width, double sinkage)
{
    return soil->cohesion * width * sqrt(2.0 * radius * sinkage) + load * soil->tan_phi;
}

double ri_bearing_carried(double y, double limit, double damp, double transition)
{
    const double Y = y / limit, beta = damp * transition / limit;
    if (!(limit > 0.0))
        return 0.0;
    if (beta < 1e-12) // at rest: a stick spring that slides at its limit
        return fmin(y, limit);
    // 1 - exp(-w) + beta w = Y for w = slip / transition: concave and rising, Newton from the left
    // climbs to the root
    double w = Y > 1.0 ? (Y - 1.0) / beta : 0.0;
    for (int k = 0; k < 50; k++) {
        const double e = ri_exp(-w), step = (Y - 1.0 + e - beta * w) / (e + beta);
        w += step;
        if (!(step > 1e-12 * (1.0 + w)))
            break;
    }
    return -limit * ri_expm1(-w);
}

/// The normal number of one corner of the patches' grid.
static double corner(uint64_t key, int64_t i, int64_t j)
{
    const uint64_t at = ri_hash_mix(ri_hash_mix(key, (uint64_t)i), (uint64_t)j);
    RiRng rng = {.key = key, .counter = at & ~UINT64_C(255)};
    return ri_rng_normal(&rng);
}

static double smooth(double t)
{
    return t * t * (3.0 - 2.0 * t);
}

double ri_patch_normal(uint64_t key, double patch, double x, double y)
{
    const double fx = floor(x / patch), fy = floor(y / patch), far = 1e15;
    if (!(fabs(fx) < far && fabs(fy) < far))
        return 0.0; // no such place on any ground
    const double u = smooth(x / patch - fx), v = smooth(y / patch - fy);
    const double w[4] = {(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v};
    const int64_t i = (int64_t)fx, j = (int64_t)fy;
    double sum = 0.0, size = 0.0;
    for (int k = 0; k < 4; k++) {
        if (w[k] > 0.0)
            sum += w[k] * corner(key, i + (k & 1), j + (k >> 1));
        size += w[k] * w[k];
    }
    return sum / sqrt(size); // weights of unit length: the same variance everywhere
}
