// SPDX-License-Identifier: Apache-2.0
/// \file
/// How surfaces scatter light.
///
///     kind + parameters --(ri_surface_prepare: checks, tables)--> RiOpticSurface --> brdf, sample, albedo
///
/// Directions are unit vectors in the surface's own frame, whose z axis is its normal: `wi` points
/// to the light, `wo` to the viewer. mu0 = wi.z is the cosine of incidence i, mu = wo.z that of
/// emission e, g the angle between both (phase).
///
/// Three quantities are often mixed up. With the irradiance J of a beam on an area *normal to the
/// beam*:
///
///     r   = radiance / J                    bidirectional reflectance [1/sr]
///     BRDF = r / mu0                        what `ri_surface_brdf` returns [1/sr]; symmetric in wi and wo
///     I/F = pi r = pi BRDF mu0              radiance factor, what `ri_surface_radiance_factor` returns [-]
///
/// Conventions of Hapke's model here: the weight of the backward lobe of the phase function is
/// `back`, in [0, 1]. It equals (1 + c)/2 with Hapke's own c in [-1, 1], and equals c in the
/// convention of fractions. H is either Hapke's 2002 or his 1993 approximation; neither is a
/// default in the literature, so a surface always says which.
///
/// All have three bands (red, green, blue). Docs: docs/theory/surfaces.md. Tests:
/// tests/optics/test_surface.c and `rille validate photometry`.
#ifndef RI_OPTICS_SURFACE_H
#define RI_OPTICS_SURFACE_H

#include <stdbool.h>

#include <rille/context.h>
#include <rille/math.h>

enum { RI_BANDS = 3, RI_METAL_NODES = 64 };

typedef enum RiSurfaceKind {
    RI_SURFACE_LAMBERT,
    RI_SURFACE_LOMMEL_SEELIGER,
    RI_SURFACE_LUNAR_LAMBERT, ///< McEwen's mixture of both
    RI_SURFACE_MINNAERT,
    RI_SURFACE_HAPKE,
    RI_SURFACE_METAL,
    RI_SURFACE_ICE,
    RI_SURFACE_KINDS
} RiSurfaceKind;

typedef enum RiHapkeH { RI_HAPKE_H2002, RI_HAPKE_H1993 } RiHapkeH;

/// What Hapke's BRDF of two directions has in common for all bands.
typedef struct RiHapkeTerms {
    double common, single;       ///< factor; p(g) (1 + B(g))
    double x0, x, log_x0, log_x; ///< arguments of H
} RiHapkeTerms;

typedef struct RiHapke {
    double b;         ///< shape of both lobes of the phase function, 0 to below 1
    double back;      ///< weight of the backward lobe, 0 to 1
    double surge;     ///< amplitude B_S0 of the shadow-hiding opposition surge
    double width;     ///< its angular width h_S
    double roughness; ///< mean slope angle theta bar [rad]
    double fill;      ///< porosity factor K, 1 for none
    RiHapkeH h;
    double slope, chi; ///< of the roughness, once prepared: its tangent, 1/sqrt(1 + pi slope^2)
} RiHapke;

/// Fine variation of albedo over the ground: a factor 1 + amplitude * noise, noise in [-1, 1] with
/// octaves from `coarse` down.
typedef struct RiTexture {
    double amplitude; ///< 0: none
    double coarse;    ///< longest wavelength [m]
    int octaves;
    unsigned seed;
} RiTexture;

typedef struct RiOpticSurface {
    RiSurfaceKind kind;
    /// Lambert, lunar-Lambert, Minnaert: albedo. Lommel-Seeliger, Hapke: single-scattering albedo
    /// w. Metal: reflectance at normal incidence. Ice: single-scattering albedo of its inside.
    double albedo[RI_BANDS];
    double minnaert;  ///< exponent k
    double roughness; ///< metal, ice: width alpha of the microfacets' slopes (GGX); 0: a mirror
    double index;     ///< ice: refractive index
    double asymmetry; ///< ice: g of the scatterers inside
    RiHapke hapke;
    RiTexture texture;
    // --- made by ri_surface_prepare ---
    double lost[RI_METAL_NODES]; ///< metal: 1 - albedo of single reflections over mu, nodes (k/(N-1))^2
    double lost_mean;            ///< its cosine-weighted mean
    double inner;                ///< ice: diffuse reflectance of the boundary from inside
    RiHapkeTerms colour;         ///< Hapke: of the geometry that ri_surface_colour looks at
} RiOpticSurface;

/// "lambert", "hapke" ...
const char *ri_surface_kind_name(RiSurfaceKind kind);
/// A Lambert surface of one grey.
RiOpticSurface ri_surface_lambert(double albedo);

/// Checks the parameters, makes tables, and refuses a surface that reflects more light than it
/// receives in any direction. Must be called before anything below. RI_ERR_ARGUMENT names the
/// parameter, its value and what is allowed.
RI_MUST_CHECK RiStatus ri_surface_prepare(RiContext *ctx, const char *name, RiOpticSurface *s);

/// BRDF [1/sr]; zero below the surface. `tint` multiplies the albedo (a texture's value), NULL: 1.
/// Mirrors give 0.
void ri_surface_brdf(const RiOpticSurface *s, const double *tint, RiVec3 wi, RiVec3 wo, double out[RI_BANDS]);
/// I/F of a geometry [-].
void ri_surface_radiance_factor(const RiOpticSurface *s, RiVec3 wi, RiVec3 wo, double out[RI_BANDS]);
/// True for a surface whose reflection is one direction only.
bool ri_surface_is_mirror(const RiOpticSurface *s);
/// True if sampling by the cosine fits the surface well; such light is smooth over the surface.
bool ri_surface_is_matte(const RiOpticSurface *s);

/// Chooses a direction `out_wi` with two (three for ice) uniform numbers. out_weight = BRDF mu0 /
/// density; *out_density [1/sr], 0 for a mirror's one direction. False: the sample carries no
/// light.
bool ri_surface_sample(const RiOpticSurface *s, const double *tint, RiVec3 wo, const double u[3], RiVec3 *out_wi,
                       double out_weight[RI_BANDS], double *out_density);
/// Density of that choice [1/sr].
double ri_surface_density(const RiOpticSurface *s, RiVec3 wi, RiVec3 wo);

/// Part of the light from direction wo that is reflected anywhere (directional-hemispherical
/// albedo), by quadrature with `rings` x 2 `rings` directions.
void ri_surface_albedo(const RiOpticSurface *s, RiVec3 wo, int rings, double out[RI_BANDS]);
/// Colour of the surface for feature pictures: cheap, close to the albedo at 45 degrees.
void ri_surface_colour(const RiOpticSurface *s, const double *tint, double out[RI_BANDS]);

/// Texture factor at a point of the world [-]; 1 without texture.
double ri_texture_value(const RiTexture *t, RiVec3 point);

/// pi BRDF / A of McEwen's mixture 2 L/(mu0 + mu) + (1 - L), with his L(g) for the phase g [rad]
/// [mcewen1991]. Falls below zero beyond about 100 degrees of phase.
double ri_lunar_lambert(double mu0, double mu, double phase);

// --- Hapke's parts, for tests --------------------------------------------------------------------
typedef struct RiHapkeParts {
    double shadow;  ///< S
    double mu0, mu; ///< effective cosines
    double phase;   ///< p(g)
} RiHapkeParts;
RiHapkeParts ri_hapke_parts(const RiHapke *h, RiVec3 wi, RiVec3 wo);

/// Surfaces by name: soils, materials of robots. NULL if there is none.
typedef struct RiSurfaceRow {
    const char *name;
    RiOpticSurface surface;
    const char *source;
} RiSurfaceRow;
const RiSurfaceRow *ri_surface_row(int index); ///< NULL after the last
const RiSurfaceRow *ri_surface_find(const char *name);
/// The surface of a soil or hard ground of the project's tables: by exact name, then by what the
/// name contains ("lunar", "snow", "sand"). Never NULL; *out_guess says that no rule matched and
/// grey soil was taken.
const RiSurfaceRow *ri_surface_of_soil(const char *soil, bool *out_guess);

#endif
