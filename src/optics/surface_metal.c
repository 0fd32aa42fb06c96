// SPDX-License-Identifier: Apache-2.0
/// \file
/// Glossy metal: microfacets with the GGX distribution [walter2007, trowbridge1975], Schlick's
/// reflectance [schlick1994], and the light of several reflections between facets by the term of
/// Kulla and Conty [kulla2017], so that white metal is white:
///
///     f = F(h) D(h) G(wi, wo) / (4 mu0 mu) + Fm (1 - E(mu0)) (1 - E(mu)) / (pi (1 - Em))
///
/// E(mu) is the albedo of single reflections with F = 1 and Em its mean. Both come from one table,
/// whose interpolation is integrated exactly: the second term returns what the table says is
/// missing, not more.
#include <math.h>

#include "base/functions.h"
#include "optics/surface_kinds.h"

/// The table is set low by what lattice and polygon may be off, so that no error of theirs adds
/// light.
#define TABLE_ERROR 1e-3

double ri_ggx_facets(double alpha, RiVec3 h)
{
    const double a2 = alpha * alpha, x = h.z * h.z * (a2 - 1.0) + 1.0;
    return a2 / (RI_PI * x * x);
}

/// Smith's Lambda.
static double ggx_lambda(double alpha, double mu)
{
    const double m2 = mu * mu;
    return 0.5 * (sqrt(1.0 + alpha * alpha * (1.0 - m2) / m2) - 1.0);
}

double ri_ggx_masking(double alpha, double mu)
{
    return 1.0 / (1.0 + ggx_lambda(alpha, mu));
}

double ri_ggx_masking_both(double alpha, double mu0, double mu)
{
    return 1.0 / (1.0 + ggx_lambda(alpha, mu0) + ggx_lambda(alpha, mu));
}

RiVec3 ri_ggx_choose(double alpha, RiVec3 wo, double u1, double u2)
{
    RiVec3 v = ri_vec3(alpha * wo.x, alpha * wo.y, wo.z); // seen from there the ellipsoid is a sphere
    v = ri_scale(1.0 / ri_norm(v), v);
    const double flat = v.x * v.x + v.y * v.y;
    const RiVec3 t1 = flat > 0.0 ? ri_scale(1.0 / sqrt(flat), ri_vec3(-v.y, v.x, 0.0)) : ri_vec3(1.0, 0.0, 0.0);
    const RiVec3 t2 = ri_cross(v, t1);
    const double r = sqrt(u1), phi = 2.0 * RI_PI * u2, s = 0.5 * (1.0 + v.z);
    const double a = r * ri_cos(phi), b = (1.0 - s) * sqrt(fmax(0.0, 1.0 - a * a)) + s * r * ri_sin(phi);
    const double c = sqrt(fmax(0.0, 1.0 - a * a - b * b));
    const RiVec3 n = ri_add(ri_add(ri_scale(a, t1), ri_scale(b, t2)), ri_scale(c, v));
    const RiVec3 h = ri_vec3(alpha * n.x, alpha * n.y, fmax(1e-12, n.z));
    return ri_scale(1.0 / ri_norm(h), h);
}

double ri_ggx_density(double alpha, RiVec3 wi, RiVec3 wo)
{
    return ri_ggx_masking(alpha, wo.z) * ri_ggx_facets(alpha, ri_halfway(wi, wo)) / (4.0 * wo.z);
}

/// Albedo of single reflections: the mean of F G2/G1 over visible facets, on a lattice of 48 x 48
/// numbers. Without `fresnel` F = 1.
static double single_albedo(const RiOpticSurface *s, double mu, RiFresnel fresnel)
{
    const double alpha = s->roughness;
    enum { N = 48 };
    const RiVec3 wo = {sqrt(1.0 - mu * mu), 0.0, mu};
    double sum = 0.0;
    for (int i = 0; i < N * N; i++) {
        const RiVec3 h = ri_ggx_choose(alpha, wo, (i / N + 0.5) / N, (i % N + 0.5) / N);
        const RiVec3 wi = ri_sub(ri_scale(2.0 * ri_dot(wo, h), h), wo);
        if (wi.z > 0.0)
            sum += ri_ggx_masking_both(alpha, wi.z, mu) / ri_ggx_masking(alpha, mu) *
                   (fresnel ? fresnel(s, fmin(1.0, ri_dot(wo, h))) : 1.0);
    }
    return sum / (N * N);
}

static double node(int k)
{
    const double x = (double)k / (RI_METAL_NODES - 1);
    return x * x;
}

void ri_ggx_tabulate(RiOpticSurface *s, RiFresnel fresnel)
{
    for (int k = 0; k < RI_METAL_NODES; k++)
        s->lost[k] = fmax(0.0, 1.0 - single_albedo(s, fmax(1e-4, node(k)), fresnel) - TABLE_ERROR);
    s->lost_mean = 0.0; // 2 integral of lost mu: exact for the polygon through the nodes
    for (int k = 1; k < RI_METAL_NODES; k++) {
        const double a = node(k - 1), b = node(k), fa = s->lost[k - 1], fb = s->lost[k];
        s->lost_mean += (b - a) / 3.0 * (fa * (2.0 * a + b) + fb * (a + 2.0 * b));
    }
}

void ri_metal_prepare(RiOpticSurface *s)
{
    if (s->roughness > 0.0)
        ri_ggx_tabulate(s, NULL);
}

double ri_ggx_lost(const RiOpticSurface *s, double mu)
{
    const double x = sqrt(mu) * (RI_METAL_NODES - 1);
    const int k = (int)fmin(x, RI_METAL_NODES - 2);
    const double a = node(k), b = node(k + 1);
    return s->lost[k] + (s->lost[k + 1] - s->lost[k]) * (mu - a) / (b - a);
}

static double schlick(double f0, double mu)
{
    const double x = 1.0 - mu, x2 = x * x;
    return f0 + (1.0 - f0) * x2 * x2 * x;
}

void ri_metal_brdf(const RiOpticSurface *s, const double *f0, RiVec3 wi, RiVec3 wo, double out[RI_BANDS])
{
    const double a = s->roughness;
    const RiVec3 h = ri_halfway(wi, wo);
    const double once = ri_ggx_facets(a, h) * ri_ggx_masking_both(a, wi.z, wo.z) / (4.0 * wi.z * wo.z);
    const double kept = 1.0 - s->lost_mean;
    const double many =
        s->lost_mean > 1e-9 ? ri_ggx_lost(s, wi.z) * ri_ggx_lost(s, wo.z) / (RI_PI * s->lost_mean) : 0.0;
    for (int k = 0; k < RI_BANDS; k++) {
        const double mean = (20.0 * f0[k] + 1.0) / 21.0; // of Schlick's form over the hemisphere
        const double again = mean * mean * kept / (1.0 - mean * s->lost_mean);
        out[k] = schlick(f0[k], fmin(1.0, ri_dot(wi, h))) * once + again * many;
    }
}

bool ri_metal_choose(const RiOpticSurface *s, RiVec3 wo, const double u[3], RiVec3 *out_wi)
{
    const double share = ri_ggx_lost(s, wo.z); // the diffuse term's part of the energy
    if (u[2] < share) {
        *out_wi = ri_cosine_choose(u[0], u[1]);
        return out_wi->z > 0.0;
    }
    const RiVec3 h = ri_ggx_choose(s->roughness, wo, u[0], u[1]);
    *out_wi = ri_sub(ri_scale(2.0 * ri_dot(wo, h), h), wo);
    return out_wi->z > 0.0;
}

double ri_metal_density(const RiOpticSurface *s, RiVec3 wi, RiVec3 wo)
{
    const double share = ri_ggx_lost(s, wo.z);
    return share * wi.z / RI_PI + (1.0 - share) * ri_ggx_density(s->roughness, wi, wo);
}
