// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hapke's reflectance of a particulate surface with macroscopic roughness [hapke2012].
///
///     r = w/(4 pi) mu0e/(mu0e + mue) [ p(g) (1 + B(g)) + H(mu0e/K) H(mue/K) - 1 ] S(i, e, psi) K
///     B = B_S0 / (1 + tan(g/2)/h_S)
///     p = back (1-b^2)/(1 - 2b cos g + b^2)^1.5 + (1-back) (1-b^2)/(1 + 2b cos g + b^2)^1.5
///
/// Effective cosines mu0e, mue and the shadowing function S follow [hapke1984]. The
/// coherent-backscatter surge is left out: the published fits used here have it at zero. Test:
/// every row of the photometry tables.
#include <math.h>

#include "base/functions.h"
#include "optics/surface_kinds.h"

/// Chandrasekhar's H for isotropic scatterers, by Hapke's approximations of 2002 (1 %) and 1993 (4
/// %). `log_x` is log((1 + x)/x), the same for all bands; gamma = sqrt(1 - w).
static double h_function(RiHapkeH kind, double x, double log_x, double w, double gamma)
{
    if (kind == RI_HAPKE_H1993)
        return (1.0 + 2.0 * x) / (1.0 + 2.0 * x * gamma);
    const double r0 = (1.0 - gamma) / (1.0 + gamma);
    return 1.0 / (1.0 - w * x * (r0 + 0.5 * (1.0 - 2.0 * r0 * x) * log_x));
}

static double phase_function(const RiHapke *h, double cos_g)
{
    const double b = h->b, n = 1.0 - b * b, q = 1.0 + b * b;
    const double toward = q - 2.0 * b * cos_g, away = q + 2.0 * b * cos_g;
    return n * (h->back / (toward * sqrt(toward)) + (1.0 - h->back) / (away * sqrt(away)));
}

/// One direction's share of the roughness equations. cot x is infinite at the zenith: both
/// exponentials are then 0.
typedef struct Slope {
    double cos, sin, e1, e2, eta;
} Slope;

static Slope slope_of(double mu, double cot_theta, double tan_theta, double chi)
{
    Slope s = {.cos = mu, .sin = sqrt(fmax(0.0, 1.0 - mu * mu))};
    if (s.sin > 0.0) {
        const double y = cot_theta * mu / s.sin;
        s.e1 = ri_exp(-2.0 / RI_PI * y);
        s.e2 = ri_exp(-y * y / RI_PI);
    }
    s.eta = chi * (s.cos + s.sin * tan_theta * s.e2 / (2.0 - s.e1));
    return s;
}

/// The equations for i <= e; those for i > e are these with both directions exchanged. `near` has
/// the smaller angle.
static void rough_pair(const Slope *near, const Slope *far, double psi, double cos_psi, double tan_theta, double chi,
                       double *out_near, double *out_far)
{
    const double half2 = 0.5 * (1.0 - cos_psi); // sin^2(psi/2)
    const double bottom = 2.0 - far->e1 - psi / RI_PI * near->e1;
    *out_near = chi * (near->cos + near->sin * tan_theta * (cos_psi * far->e2 + half2 * near->e2) / bottom);
    *out_far = chi * (far->cos + far->sin * tan_theta * (far->e2 - half2 * near->e2) / bottom);
}

/// Azimuth between both directions, 0 to pi: 0 with the light behind the viewer; and its cosine.
static double azimuth_between(RiVec3 wi, RiVec3 wo, double *out_cos)
{
    const double x = wi.x * wo.x + wi.y * wo.y, y = wi.x * wo.y - wi.y * wo.x, r = sqrt(x * x + y * y);
    *out_cos = r > 0.0 ? x / r : 1.0;
    return r > 0.0 ? fabs(ri_atan2(y, x)) : 0.0;
}

/// 1/sqrt(1 + pi tan^2): the share of the surface that a slope leaves.
static double chi_of(double tan_theta)
{
    return 1.0 / sqrt(1.0 + RI_PI * tan_theta * tan_theta);
}

RiHapkeParts ri_hapke_parts(const RiHapke *h, RiVec3 wi, RiVec3 wo)
{
    const double cos_g = fmin(1.0, fmax(-1.0, ri_dot(wi, wo)));
    RiHapkeParts out = {.shadow = 1.0, .mu0 = wi.z, .mu = wo.z, .phase = phase_function(h, cos_g)};
    if (h->roughness <= 0.0)
        return out;
    const bool prepared = h->slope > 0.0;
    const double tan_theta = prepared ? h->slope : ri_tan(h->roughness), chi = prepared ? h->chi : chi_of(tan_theta);
    double cos_psi;
    const double psi = azimuth_between(wi, wo, &cos_psi);
    const double f = ri_exp(-2.0 * sqrt((1.0 - cos_psi) / fmax(1e-24, 1.0 + cos_psi))); // exp(-2 tan(psi/2))
    const double cot_theta = 1.0 / tan_theta;
    const Slope i = slope_of(wi.z, cot_theta, tan_theta, chi), e = slope_of(wo.z, cot_theta, tan_theta, chi);
    const bool high = wi.z >= wo.z; // i <= e
    if (high)
        rough_pair(&i, &e, psi, cos_psi, tan_theta, chi, &out.mu0, &out.mu);
    else
        rough_pair(&e, &i, psi, cos_psi, tan_theta, chi, &out.mu, &out.mu0);
    const double lit = wi.z / i.eta, seen = high ? lit : wo.z / e.eta;
    out.shadow = out.mu / e.eta * lit * chi / (1.0 - f + f * chi * seen);
    return out;
}

RiHapkeTerms ri_hapke_terms(const RiHapke *h, RiVec3 wi, RiVec3 wo)
{
    const RiHapkeParts p = ri_hapke_parts(h, wi, wo);
    const double cos_g = fmin(1.0, fmax(-1.0, ri_dot(wi, wo)));
    const double tan_half = sqrt((1.0 - cos_g) / fmax(1e-300, 1.0 + cos_g));
    const double surge = h->surge > 0.0 ? h->surge / (1.0 + tan_half / h->width) : 0.0;
    RiHapkeTerms t = {.common = h->fill * p.shadow * p.mu0 / (4.0 * RI_PI * (p.mu0 + p.mu) * wi.z),
                      .single = p.phase * (1.0 + surge),
                      .x0 = p.mu0 / h->fill,
                      .x = p.mu / h->fill};
    if (h->h == RI_HAPKE_H2002)
        t.log_x0 = ri_log((1.0 + t.x0) / t.x0), t.log_x = ri_log((1.0 + t.x) / t.x);
    return t;
}

void ri_hapke_bands(const RiHapke *h, const RiHapkeTerms *t, const double *w, double out[RI_BANDS])
{
    for (int k = 0; k < RI_BANDS; k++) {
        const double gamma = sqrt(1.0 - w[k]);
        const double many =
            h_function(h->h, t->x0, t->log_x0, w[k], gamma) * h_function(h->h, t->x, t->log_x, w[k], gamma) - 1.0;
        out[k] = fmax(0.0, t->common * w[k] * (t->single + many));
    }
}

void ri_hapke_prepare(RiOpticSurface *s)
{
    s->hapke.slope = ri_tan(s->hapke.roughness);
    s->hapke.chi = chi_of(s->hapke.slope);
    s->colour = ri_hapke_terms(&s->hapke, ri_colour_wi(), ri_colour_wo());
}

void ri_hapke_brdf(const RiOpticSurface *s, const double *w, RiVec3 wi, RiVec3 wo, double out[RI_BANDS])
{
    const RiHapkeTerms t = ri_hapke_terms(&s->hapke, wi, wo);
    ri_hapke_bands(&s->hapke, &t, w, out);
}
