// SPDX-License-Identifier: Apache-2.0
/// \file
/// Surfaces, inside: the formulas behind the table of kinds. Each takes the band albedos with the
/// texture's tint in them.
#ifndef RI_OPTICS_SURFACE_KINDS_H
#define RI_OPTICS_SURFACE_KINDS_H

#include "optics/surface.h"

#define RI_PI M_PI

/// The geometry of a surface's colour: light from 45 degrees, seen from 30 degrees beside it.
static inline RiVec3 ri_colour_wi(void)
{
    return (RiVec3){0.70710678118654752, 0.0, 0.70710678118654752};
}

static inline RiVec3 ri_colour_wo(void)
{
    return (RiVec3){0.0, 0.5, 0.86602540378443865};
}

void ri_hapke_brdf(const RiOpticSurface *s, const double *w, RiVec3 wi, RiVec3 wo, double out[RI_BANDS]);

RiHapkeTerms ri_hapke_terms(const RiHapke *h, RiVec3 wi, RiVec3 wo);
/// The BRDF from its terms.
void ri_hapke_bands(const RiHapke *h, const RiHapkeTerms *t, const double *w, double out[RI_BANDS]);
void ri_hapke_prepare(RiOpticSurface *s);

void ri_metal_prepare(RiOpticSurface *s);
void ri_metal_brdf(const RiOpticSurface *s, const double *f0, RiVec3 wi, RiVec3 wo, double out[RI_BANDS]);
bool ri_metal_choose(const RiOpticSurface *s, RiVec3 wo, const double u[3], RiVec3 *out_wi);
double ri_metal_density(const RiOpticSurface *s, RiVec3 wi, RiVec3 wo);

void ri_ice_prepare(RiOpticSurface *s);
void ri_ice_brdf(const RiOpticSurface *s, const double *w, RiVec3 wi, RiVec3 wo, double out[RI_BANDS]);
bool ri_ice_choose(const RiOpticSurface *s, RiVec3 wo, const double u[3], RiVec3 *out_wi);
double ri_ice_density(const RiOpticSurface *s, RiVec3 wi, RiVec3 wo);
/// Reflectance of ice's boundary at cosine mu, from outside.
double ri_ice_fresnel(const RiOpticSurface *s, double mu);

/// Microfacets with the slope distribution of Trowbridge and Reitz (GGX) [walter2007]: D(h) [1/sr],
/// the masking of one direction and that of both, and a facet's normal visible from wo [heitz2018].
double ri_ggx_facets(double alpha, RiVec3 h);
double ri_ggx_masking(double alpha, double mu);
double ri_ggx_masking_both(double alpha, double mu0, double mu);
RiVec3 ri_ggx_choose(double alpha, RiVec3 wo, double u1, double u2);
/// Density [1/sr] of the direction mirrored at such a facet.
double ri_ggx_density(double alpha, RiVec3 wi, RiVec3 wo);

/// Reflectance of a facet at the cosine mu.
typedef double (*RiFresnel)(const RiOpticSurface *s, double mu);
/// Fills `lost`, 1 - albedo of single reflections over mu, and its mean. NULL: facets that reflect
/// all.
void ri_ggx_tabulate(RiOpticSurface *s, RiFresnel fresnel);
double ri_ggx_lost(const RiOpticSurface *s, double mu);

/// Direction with density cosine / pi.
RiVec3 ri_cosine_choose(double u1, double u2);
/// Unit vector halfway between both.
static inline RiVec3 ri_halfway(RiVec3 a, RiVec3 b)
{
    const RiVec3 h = ri_add(a, b);
    return ri_scale(1.0 / fmax(1e-300, ri_norm(h)), h);
}

#endif
