// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of kinds of surface, sampling, and the energy check.
#include "optics/surface.h"
#include "base/functions.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "optics/surface_kinds.h"

typedef void (*Brdf)(const RiOpticSurface *s, const double *albedo, RiVec3 wi, RiVec3 wo, double out[RI_BANDS]);

static void lambert(const RiOpticSurface *s, const double *albedo, RiVec3 wi, RiVec3 wo, double out[RI_BANDS])
{
    (void)s, (void)wi, (void)wo;
    for (int k = 0; k < RI_BANDS; k++)
        out[k] = albedo[k] / RI_PI;
}

/// w/(4 pi) / (mu0 + mu), isotropic scatterers without multiple scattering.
static void lommel_seeliger(const RiOpticSurface *s, const double *w, RiVec3 wi, RiVec3 wo, double out[RI_BANDS])
{
    (void)s;
    for (int k = 0; k < RI_BANDS; k++)
        out[k] = w[k] / (4.0 * RI_PI * (wi.z + wo.z));
}

double ri_lunar_lambert(double mu0, double mu, double phase)
{
    const double g = phase * (180.0 / RI_PI), l = 1.0 + g * (-0.019 + g * (2.42e-4 - 1.46e-6 * g));
    return 2.0 * l / (mu0 + mu) + 1.0 - l;
}

/// McEwen's fit falls below zero beyond about 100 degrees of phase; a surface is black there.
static void lunar_lambert(const RiOpticSurface *s, const double *albedo, RiVec3 wi, RiVec3 wo, double out[RI_BANDS])
{
    (void)s;
    const double f = ri_lunar_lambert(wi.z, wo.z, ri_acos(fmin(1.0, fmax(-1.0, ri_dot(wi, wo))))) / RI_PI;
    for (int k = 0; k < RI_BANDS; k++)
        out[k] = fmax(0.0, albedo[k] * f);
}

/// I/F = A mu0^k mu^(k-1) [minnaert1941]. For k < 1 the law grows without limit towards the
/// horizon. The product of cosines has a floor A^(1/(1-k)), where pi BRDF = 1: no more is reflected
/// than comes in, and both directions still can be exchanged.
static void minnaert(const RiOpticSurface *s, const double *albedo, RiVec3 wi, RiVec3 wo, double out[RI_BANDS])
{
    const double both = wi.z * wo.z, k1 = s->minnaert - 1.0;
    for (int k = 0; k < RI_BANDS; k++) {
        const double f = albedo[k] * ri_pow(both, k1);
        out[k] = (k1 < 0.0 ? fmin(1.0, f) : f) / RI_PI;
    }
}

typedef struct Kind {
    const char *name;
    Brdf brdf;
    void (*prepare)(RiOpticSurface *s);                                                    ///< NULL: nothing to do
    bool (*choose)(const RiOpticSurface *s, RiVec3 wo, const double u[3], RiVec3 *out_wi); ///< NULL: by the cosine
    double (*density)(const RiOpticSurface *s, RiVec3 wi, RiVec3 wo);
} Kind;

static const Kind kinds[RI_SURFACE_KINDS] = {
    [RI_SURFACE_LAMBERT] = {"lambert", lambert, NULL, NULL, NULL},
    [RI_SURFACE_LOMMEL_SEELIGER] = {"lommel_seeliger", lommel_seeliger, NULL, NULL, NULL},
    [RI_SURFACE_LUNAR_LAMBERT] = {"lunar_lambert", lunar_lambert, NULL, NULL, NULL},
    [RI_SURFACE_MINNAERT] = {"minnaert", minnaert, NULL, NULL, NULL},
    [RI_SURFACE_HAPKE] = {"hapke", ri_hapke_brdf, ri_hapke_prepare, NULL, NULL},
    [RI_SURFACE_METAL] = {"metal", ri_metal_brdf, ri_metal_prepare, ri_metal_choose, ri_metal_density},
    [RI_SURFACE_ICE] = {"ice", ri_ice_brdf, ri_ice_prepare, ri_ice_choose, ri_ice_density},
};

const char *ri_surface_kind_name(RiSurfaceKind kind)
{
    return kinds[kind].name;
}

RiOpticSurface ri_surface_lambert(double albedo)
{
    return (RiOpticSurface){.kind = RI_SURFACE_LAMBERT, .albedo = {albedo, albedo, albedo}};
}

bool ri_surface_is_mirror(const RiOpticSurface *s)
{
    return s->kind == RI_SURFACE_METAL && s->roughness <= 0.0;
}

bool ri_surface_is_matte(const RiOpticSurface *s)
{
    return !kinds[s->kind].choose;
}

// --- checks --------------------------------------------------------------------------------------

static RiStatus in_range(RiContext *ctx, const char *name, const char *field, double x, double low, double high)
{
    if (x >= low && x <= high)
        return RI_OK;
    return ri_error(ctx, RI_ERR_ARGUMENT, "surface '%s': %s = %g; allowed: %g to %g", name, field, x, low, high);
}

static RiStatus check_kind(RiContext *ctx, const char *name, const RiOpticSurface *s)
{
    switch (s->kind) {
    case RI_SURFACE_MINNAERT:
        return in_range(ctx, name, "minnaert", s->minnaert, 0.5, 2.0);
    case RI_SURFACE_HAPKE:
        RI_TRY(in_range(ctx, name, "b", s->hapke.b, 0.0, 0.99));
        RI_TRY(in_range(ctx, name, "back", s->hapke.back, 0.0, 1.0));
        RI_TRY(in_range(ctx, name, "surge", s->hapke.surge, 0.0, 10.0));
        RI_TRY(in_range(ctx, name, "width", s->hapke.width, 1e-4, 10.0));
        RI_TRY(in_range(ctx, name, "fill", s->hapke.fill, 0.1, 10.0));
        return in_range(ctx, name, "roughness", s->hapke.roughness, 0.0, 60.0 * RI_PI / 180.0);
    case RI_SURFACE_METAL:
        if (s->roughness == 0.0)
            return RI_OK;
        return in_range(ctx, name, "roughness", s->roughness, 0.02, 1.0);
    case RI_SURFACE_ICE:
        RI_TRY(in_range(ctx, name, "index", s->index, 1.0 + 1e-9, 3.0));
        RI_TRY(in_range(ctx, name, "asymmetry", s->asymmetry, -0.95, 0.95));
        return s->roughness == 0.0 ? RI_OK : in_range(ctx, name, "roughness", s->roughness, 0.02, 1.0);
    case RI_SURFACE_LAMBERT:
    case RI_SURFACE_LOMMEL_SEELIGER:
    case RI_SURFACE_LUNAR_LAMBERT:
    case RI_SURFACE_KINDS:
        break;
    }
    return RI_OK;
}

/// Only fits to measurements can break the books: the other laws are built so that they do not.
static bool may_gain(RiSurfaceKind kind)
{
    return kind == RI_SURFACE_LUNAR_LAMBERT || kind == RI_SURFACE_HAPKE;
}

/// The albedo from the zenith to 85 degrees, by a quadrature of 24 rings.
static RiStatus check_energy(RiContext *ctx, const char *name, const RiOpticSurface *s)
{
    for (int deg = 0; may_gain(s->kind) && deg <= 85; deg += 17) {
        double albedo[RI_BANDS];
        const double e = deg * RI_PI / 180.0;
        ri_surface_albedo(s, ri_vec3(ri_sin(e), 0.0, ri_cos(e)), 24, albedo);
        for (int k = 0; k < RI_BANDS; k++)
            if (!(albedo[k] <= 1.0))
                return ri_error(
                    ctx, RI_ERR_ARGUMENT,
                    "surface '%s': reflects %.3f of the light from %d degrees in band %d; allowed: at most 1", name,
                    albedo[k], deg, k);
    }
    return RI_OK;
}

RiStatus ri_surface_prepare(RiContext *ctx, const char *name, RiOpticSurface *s)
{
    if (s->kind < 0 || s->kind >= RI_SURFACE_KINDS)
        return ri_error(ctx, RI_ERR_ARGUMENT, "surface '%s': no kind %d", name, (int)s->kind);
    for (int k = 0; k < RI_BANDS; k++)
        RI_TRY(in_range(ctx, name, "albedo", s->albedo[k], 0.0, 1.0));
    RI_TRY(in_range(ctx, name, "texture amplitude", s->texture.amplitude, 0.0, 0.9));
    if (s->texture.amplitude > 0.0) {
        RI_TRY(in_range(ctx, name, "texture wavelength", s->texture.coarse, 1e-4, 1e4));
        RI_TRY(in_range(ctx, name, "texture octaves", s->texture.octaves, 1, 12));
    }
    RI_TRY(check_kind(ctx, name, s));
    if (kinds[s->kind].prepare)
        kinds[s->kind].prepare(s);
    return check_energy(ctx, name, s);
}

// --- light ---------------------------------------------------------------------------------------

/// Albedos with the texture's value, at most 1.
static const double *tinted(const RiOpticSurface *s, const double *tint, double room[RI_BANDS])
{
    if (!tint)
        return s->albedo;
    for (int k = 0; k < RI_BANDS; k++)
        room[k] = fmin(1.0, s->albedo[k] * tint[k]);
    return room;
}

void ri_surface_brdf(const RiOpticSurface *s, const double *tint, RiVec3 wi, RiVec3 wo, double out[RI_BANDS])
{
    double room[RI_BANDS];
    if (wi.z <= 1e-9 || wo.z <= 1e-9 || ri_surface_is_mirror(s))
        out[0] = out[1] = out[2] = 0.0;
    else
        kinds[s->kind].brdf(s, tinted(s, tint, room), wi, wo, out);
}

void ri_surface_radiance_factor(const RiOpticSurface *s, RiVec3 wi, RiVec3 wo, double out[RI_BANDS])
{
    ri_surface_brdf(s, NULL, wi, wo, out);
    for (int k = 0; k < RI_BANDS; k++)
        out[k] *= RI_PI * wi.z;
}

RiVec3 ri_cosine_choose(double u1, double u2)
{
    const double r = sqrt(u1), phi = 2.0 * RI_PI * u2;
    return ri_vec3(r * ri_cos(phi), r * ri_sin(phi), sqrt(fmax(0.0, 1.0 - u1)));
}

static bool sample_mirror(const RiOpticSurface *s, const double *f0, RiVec3 wo, RiVec3 *out_wi,
                          double out_weight[RI_BANDS])
{
    const double x = 1.0 - wo.z;
    (void)s;
    *out_wi = ri_vec3(-wo.x, -wo.y, wo.z);
    for (int k = 0; k < RI_BANDS; k++)
        out_weight[k] = f0[k] + (1.0 - f0[k]) * x * x * x * x * x;
    return true;
}

bool ri_surface_sample(const RiOpticSurface *s, const double *tint, RiVec3 wo, const double u[3], RiVec3 *out_wi,
                       double out_weight[RI_BANDS], double *out_density)
{
    double room[RI_BANDS];
    *out_density = 0.0;
    if (wo.z <= 1e-9)
        return false;
    if (ri_surface_is_mirror(s))
        return sample_mirror(s, tinted(s, tint, room), wo, out_wi, out_weight);
    if (kinds[s->kind].choose) {
        if (!kinds[s->kind].choose(s, wo, u, out_wi))
            return false;
    } else {
        *out_wi = ri_cosine_choose(u[0], u[1]);
    }
    *out_density = ri_surface_density(s, *out_wi, wo);
    if (out_wi->z <= 1e-9 || !(*out_density > 0.0))
        return false;
    ri_surface_brdf(s, tint, *out_wi, wo, out_weight);
    for (int k = 0; k < RI_BANDS; k++)
        out_weight[k] *= out_wi->z / *out_density;
    return true;
}

double ri_surface_density(const RiOpticSurface *s, RiVec3 wi, RiVec3 wo)
{
    if (wi.z <= 1e-9 || wo.z <= 1e-9 || ri_surface_is_mirror(s))
        return 0.0;
    return kinds[s->kind].density ? kinds[s->kind].density(s, wi, wo) : wi.z / RI_PI;
}

void ri_surface_albedo(const RiOpticSurface *s, RiVec3 wo, int rings, double out[RI_BANDS])
{
    const int spokes = 2 * rings;
    out[0] = out[1] = out[2] = 0.0;
    for (int i = 0; i < rings * spokes; i++) {
        const double m2 = (i / spokes + 0.5) / rings; // equal steps of mu^2 weigh by the cosine
        const double phi = 2.0 * RI_PI * (i % spokes + 0.5) / spokes, sine = sqrt(1.0 - m2);
        double f[RI_BANDS];
        ri_surface_brdf(s, NULL, ri_vec3(sine * ri_cos(phi), sine * ri_sin(phi), sqrt(m2)), wo, f);
        for (int k = 0; k < RI_BANDS; k++)
            out[k] += f[k] * RI_PI / (rings * spokes);
    }
}

void ri_surface_colour(const RiOpticSurface *s, const double *tint, double out[RI_BANDS])
{
    double room[RI_BANDS];
    const double *a = tinted(s, tint, room);
    for (int k = 0; k < RI_BANDS; k++)
        out[k] = a[k];
    if (s->kind == RI_SURFACE_LAMBERT || s->kind == RI_SURFACE_METAL)
        return;
    if (s->kind == RI_SURFACE_HAPKE)
        ri_hapke_bands(&s->hapke, &s->colour, a, out);
    else
        kinds[s->kind].brdf(s, a, ri_colour_wi(), ri_colour_wo(), out);
    for (int k = 0; k < RI_BANDS; k++)
        out[k] = fmin(1.0, out[k] * RI_PI);
}

// --- texture -------------------------------------------------------------------------------------

/// Number of a lattice point in [-1, 1), from its coordinates' hashes. The same as in quick_kernel.c.
static double lattice(uint32_t h)
{
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12)) * 0x297A2D39u;
    return (double)(int32_t)(h ^ (h >> 15)) * 0x1p-31;
}

/// Values at the corners of unit cells, blended smoothly; in [-1, 1].
static double value_noise(unsigned seed, RiVec3 p)
{
    const double fx = floor(p.x), fy = floor(p.y), fz = floor(p.z);
    const double a = p.x - fx, b = p.y - fy, c = p.z - fz;
    const double t[3] = {a * a * (3.0 - 2.0 * a), b * b * (3.0 - 2.0 * b), c * c * (3.0 - 2.0 * c)};
    const uint32_t i = (uint32_t)(int64_t)fx, j = (uint32_t)(int64_t)fy, k = (uint32_t)(int64_t)fz;
    const uint32_t hx[2] = {i * 0x9E3779B1u, (i + 1) * 0x9E3779B1u};
    const uint32_t hy[2] = {j * 0x85EBCA77u, (j + 1) * 0x85EBCA77u};
    const uint32_t hz[2] = {k * 0xC2B2AE3Du, (k + 1) * 0xC2B2AE3Du};
    const uint32_t own = seed * 0x27D4EB2Fu;
    double sum = 0.0;
    for (int n = 0; n < 8; n++) {
        const double wx = n & 1 ? t[0] : 1.0 - t[0], wy = n & 2 ? t[1] : 1.0 - t[1], wz = n & 4 ? t[2] : 1.0 - t[2];
        sum += wx * wy * wz * lattice(hx[n & 1] ^ hy[n >> 1 & 1] ^ hz[n >> 2] ^ own);
    }
    return sum;
}

double ri_texture_value(const RiTexture *t, RiVec3 point)
{
    if (t->amplitude <= 0.0 || !(fabs(point.x) < 1e9 && fabs(point.y) < 1e9 && fabs(point.z) < 1e9))
        return 1.0;
    double sum = 0.0, share = 0.0, weight = 1.0, scale = 1.0 / t->coarse;
    for (int i = 0; i < t->octaves; i++, weight *= 0.7, scale *= 2.0) {
        sum += weight * value_noise(t->seed + (unsigned)i, ri_scale(scale, point));
        share += weight;
    }
    return 1.0 + t->amplitude * sum / share;
}
