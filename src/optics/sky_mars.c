// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sky of Mars: a layer of dust lit by the sun.
///
/// Light scattered once, and then by small angles only, is that of a homogeneous layer with the
/// optical depth t = (1 - w f) tau that is left when the forward peak f = g^2 goes on as if not
/// scattered [nakajima1988]. With air masses m of the direction, a of the sun,
///
///     L1 = w/(1 - w f) F p(angle)/(4 pi) m (exp(-t a) - exp(-t m)) / (m - a),      p of Henyey and Greenstein [henyey1941]
///
/// Light scattered more often has the shape 1 - exp(-tau m) over the sky and no azimuth. Its amount
/// makes the irradiance of the whole sky that of the delta-Eddington two-stream solution
/// [joseph1976, meador1980], with light between ground and dust; where L1 alone brings more than
/// that, L1 is scaled down. Dust is more absorbing and more forward scattering in blue, so the sky
/// is yellowish brown and the sun has a blue halo [bell2006]. Not modelled: twilight (the sky fades
/// as the disc sets), vertical structure, clouds, polarisation.
#include "optics/sky_mars.h"
#include "base/functions.h"

#include <math.h>

#define PI M_PI

/// Red, green, blue; within the ranges of the photometry data (0.90-0.97 red, 0.6-0.75 blue,
/// asymmetry 0.6-0.75).
static const double dust_albedo[RI_BANDS] = {0.94, 0.86, 0.72}, dust_asymmetry[RI_BANDS] = {0.60, 0.66, 0.75};

double ri_mars_air_mass(double z)
{
    const double r = 3389.5 / 11.0, c = fmax(0.0, z); // radius over height of the shell
    return sqrt(r * r * c * c + 2.0 * r + 1.0) - r * c;
}

RiDustFlux ri_dust_flux(double tau, double albedo, double asymmetry, double air_mass)
{
    // delta scaling: the forward peak g^2 goes on as if not scattered
    const double f = asymmetry * asymmetry, t = (1.0 - albedo * f) * tau, w = (1.0 - f) * albedo / (1.0 - albedo * f);
    const double g = asymmetry / (1.0 + asymmetry);
    double mu = 1.0 / air_mass;
    const double g1 = 0.25 * (7.0 - w * (4.0 + 3.0 * g)), g2 = -0.25 * (1.0 - w * (4.0 - 3.0 * g));
    const double k = sqrt(fmax(1e-12, g1 * g1 - g2 * g2));
    if (fabs(k * mu - 1.0) < 1e-4)
        mu += 2e-4; // a removable singularity
    const double g3 = 0.25 * (2.0 - 3.0 * g * mu), g4 = 1.0 - g3;
    const double a1 = g1 * g4 + g2 * g3, a2 = g1 * g3 + g2 * g4, up = ri_exp(k * t), down = ri_exp(-k * t),
                 beam = ri_exp(-t / mu);
    const double bottom = (k + g1) * up + (k - g1) * down, front = w / ((1.0 - k * k * mu * mu) * bottom);
    RiDustFlux out = {.direct = ri_exp(-tau / mu)};
    out.reflected = front * ((1.0 - k * mu) * (a2 + k * g3) * up - (1.0 + k * mu) * (a2 - k * g3) * down -
                             2.0 * k * (g3 - a2 * mu) * beam);
    out.total = beam - front * (beam * ((1.0 + k * mu) * (a1 + k * g4) * up - (1.0 - k * mu) * (a1 - k * g4) * down) -
                                2.0 * k * (g4 + a1 * mu));
    out.diffuse_reflected = g2 * (up - down) / bottom;
    return out;
}

/// Once scattered, per unit of sunlight.
static double once(const RiMarsSky *m, int k, double air_mass, double cos_angle)
{
    const double g = dust_asymmetry[k], q = 1.0 + g * g - 2.0 * g * cos_angle, p = (1.0 - g * g) / (q * sqrt(q));
    const double left = 1.0 - dust_albedo[k] * g * g, t = left * m->tau, gap = air_mass - m->air_mass;
    const double layer =
        fabs(gap) * t < 1e-6 ? t * ri_exp(-t * air_mass) : (ri_exp(-t * m->air_mass) - ri_exp(-t * air_mass)) / gap;
    return dust_albedo[k] / left * p * air_mass * layer / (4.0 * PI);
}

/// Irradiance of the once-scattered sky and of the shape of the rest, per unit of sunlight.
static void integrate(const RiMarsSky *m, int k, double *out_once, double *out_shape)
{
    enum { ROWS = 64, COLUMNS = 64 };
    *out_once = *out_shape = 0.0;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        const double z = (i / COLUMNS + 0.5) / ROWS, phi = 2.0 * PI * (i % COLUMNS + 0.5) / COLUMNS,
                     s = sqrt(1.0 - z * z);
        const double area = 2.0 * PI / (ROWS * COLUMNS) * z, air = ri_mars_air_mass(z);
        *out_once += area * once(m, k, air, ri_dot(m->sun, ri_vec3(s * ri_cos(phi), s * ri_sin(phi), z)));
        *out_shape += area * -ri_expm1(-m->tau * air);
    }
}

void ri_mars_sky_init(RiMarsSky *m, const RiDisc *sun, double tau, double ground_albedo)
{
    m->sun = sun->toward, m->tau = tau;
    m->air_mass = ri_mars_air_mass(sun->toward.z);
    const double above = ri_disc_above(ri_asin(fmax(-1.0, fmin(1.0, sun->toward.z))) / sun->outer, sun->limb);
    const double mu =
        fmax(1.0 / m->air_mass, sun->toward.z); // of the level ground: the sphere keeps light above zero at the horizon
    for (int k = 0; k < RI_BANDS; k++) {
        m->flux[k] = sun->irradiance[k] * above;
        m->many[k] = m->once[k] = 0.0;
        double single, shape;
        integrate(m, k, &single, &shape);
        const RiDustFlux f = ri_dust_flux(tau, dust_albedo[k], dust_asymmetry[k], m->air_mass);
        const double again = 1.0 / (1.0 - ground_albedo * f.diffuse_reflected);
        const double diffuse = mu * (f.total * again - f.direct);
        m->once[k] = single > 0.0 && single > diffuse ? m->flux[k] * fmax(0.0, diffuse) / single : m->flux[k];
        if (shape > 0.0)
            m->many[k] = m->flux[k] * fmax(0.0, diffuse - single) / shape;
    }
}

void ri_mars_sky_radiance(const RiMarsSky *m, RiVec3 toward, double out[RI_BANDS])
{
    const double air = ri_mars_air_mass(toward.z), cos_angle = ri_dot(m->sun, toward), shape = -ri_expm1(-m->tau * air);
    for (int k = 0; k < RI_BANDS; k++)
        out[k] = m->once[k] * once(m, k, air, cos_angle) + m->many[k] * shape;
}
