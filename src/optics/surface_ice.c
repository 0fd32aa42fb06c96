// SPDX-License-Identifier: Apache-2.0
/// \file
/// Translucent ice, first version: light that enters, scatters at bubbles in the diffusion
/// approximation, and leaves *where it entered*. A rough dielectric boundary reflects on top:
///
///     f = F(h) D G / (4 mu0 mu) + T(mu0) T(mu) Ri / (pi n^2 (1 - Rd Ri))                        [saunderson1942]
///     Ri = (1 - gamma)/(1 + gamma),  gamma = sqrt(1 - w'),  w' = w (1 - g)/(1 - w g)            [hapke2012] and similarity
///
/// T(mu) is what the rough boundary does not reflect: 1 - F of Fresnel for a smooth one without
/// gloss, else one minus the albedo of the first term. Rd is the diffuse reflectance of the
/// boundary from inside, n^2 (1 - Rd) = 2 integral T mu. The second term integrates to T(mu0) Ri (1
/// - Rd)/(1 - Rd Ri) <= T(mu0): no energy is gained. Transport sideways (glow around a lamp, light
/// through thin edges) is not modelled; it matters over distances below 1/(scattering coefficient).
#include <math.h>

#include "optics/surface_kinds.h"

double ri_ice_fresnel(const RiOpticSurface *s, double mu)
{
    const double n = s->index, t = sqrt(1.0 - (1.0 - mu * mu) / (n * n));
    const double p = (n * mu - t) / (n * mu + t), q = (mu - n * t) / (mu + n * t);
    return 0.5 * (p * p + q * q);
}

/// What the boundary lets through at the cosine mu.
static double through(const RiOpticSurface *s, double mu)
{
    return s->roughness > 0.0 ? ri_ggx_lost(s, mu) : 1.0 - ri_ice_fresnel(s, mu);
}

void ri_ice_prepare(RiOpticSurface *s)
{
    enum { N = 4000 };
    if (s->roughness > 0.0)
        ri_ggx_tabulate(s, ri_ice_fresnel);
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += 2.0 * (i + 0.5) / N * through(s, (i + 0.5) / N) / N;
    s->inner = 1.0 - sum / (s->index * s->index);
}

void ri_ice_brdf(const RiOpticSurface *s, const double *w, RiVec3 wi, RiVec3 wo, double out[RI_BANDS])
{
    const double a = s->roughness, g = s->asymmetry;
    double gloss = 0.0;
    if (a > 0.0) {
        const RiVec3 h = ri_halfway(wi, wo);
        gloss = ri_ice_fresnel(s, fmin(1.0, ri_dot(wi, h))) * ri_ggx_facets(a, h) * ri_ggx_masking_both(a, wi.z, wo.z) /
                (4.0 * wi.z * wo.z);
    }
    const double both = through(s, wi.z) * through(s, wo.z) / (RI_PI * s->index * s->index);
    for (int k = 0; k < RI_BANDS; k++) {
        const double like = w[k] * (1.0 - g) / (1.0 - w[k] * g), gamma = sqrt(fmax(0.0, 1.0 - like));
        const double inside = (1.0 - gamma) / (1.0 + gamma);
        out[k] = gloss + both * inside / (1.0 - s->inner * inside);
    }
}

/// Share of samples spent on the gloss.
static double gloss_share(const RiOpticSurface *s, RiVec3 wo)
{
    return s->roughness > 0.0 ? fmax(0.1, fmin(0.9, ri_ice_fresnel(s, wo.z))) : 0.0;
}

bool ri_ice_choose(const RiOpticSurface *s, RiVec3 wo, const double u[3], RiVec3 *out_wi)
{
    if (u[2] >= gloss_share(s, wo)) {
        *out_wi = ri_cosine_choose(u[0], u[1]);
    } else {
        const RiVec3 h = ri_ggx_choose(s->roughness, wo, u[0], u[1]);
        *out_wi = ri_sub(ri_scale(2.0 * ri_dot(wo, h), h), wo);
    }
    return out_wi->z > 0.0;
}

double ri_ice_density(const RiOpticSurface *s, RiVec3 wi, RiVec3 wo)
{
    const double share = gloss_share(s, wo);
    return (1.0 - share) * wi.z / RI_PI + (share > 0.0 ? share * ri_ggx_density(s->roughness, wi, wo) : 0.0);
}
