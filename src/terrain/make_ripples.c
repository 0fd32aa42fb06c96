// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ripples: long-crested bedforms of the wind.
///
/// The phase grows downwind by 2 pi for each wavelength, plus a smooth Gaussian warp that turns the
/// crests, plus defects. A defect is a crest that lies between its neighbours for some length only:
/// the phase winds by +2 pi around one of its ends and by -2 pi around the other, arg(z - z1) -
/// arg(z - z2), as dislocations of layers do. Along the phase the profile rises gently on the
/// windward part and falls steeply to leeward; its height varies slowly between the given bounds,
/// and falls off where crests are forced out of their spacing or direction.
///
/// Default: the plains of Meridiani, ripples 3 to 4 m apart and 10 to 30 cm high [sullivan2005,
/// golombek2010].
#include "terrain/make.h"

enum { WAVELENGTH = MAKE_GRID_PARAMS, LOW, HIGH, AZIMUTH, SPREAD, DEFECTS, PATCH, WINDWARD, SHARPNESS };

static const RiMakeParam params[] = {
    MAKE_GRID(40.0, 40.0, 0.1),
    {"wavelength", "m", 3.5, 1e-3, 1e4, NULL, "mean distance of crests; Meridiani 3 to 4 m"},
    {"low", "m", 0.1, 0.0, 1e3, NULL, "least height, crest over trough; Meridiani 10 cm"},
    {"high", "m", 0.3, 0.0, 1e3, NULL, "greatest height; Meridiani 30 cm"},
    {"azimuth", "deg", 20.0 * MAKE_DEG, -1e3, 1e3, NULL, "of the wind, from x towards y; the crests stand across it"},
    {"spread", "deg", 5.0 * MAKE_DEG, 0.0, 45.0 * MAKE_DEG, NULL, "standard deviation of the crests' direction"},
    {"defects", "1/m^2", 0.003, 0.0, 1e3, NULL, "crests that end at both sides, per area"},
    {"patch", "m", 10.0, 1e-2, 1e5, NULL, "length over which heights vary"},
    {"windward", "", 0.6, 0.5, 0.95, NULL, "part of the wavelength on the gentle side; 0.5: symmetric"},
    {"sharpness", "", 1.3, 0.5, 4.0, NULL, "exponent of the profile; above 1 crests are narrower than troughs"},
    MAKE_ROUGH(1.0)};

static const double repose = 34.0 * MAKE_DEG;

/// Phase of plain waves and of the warp. The warp is scaled so that the RMS angle of crests is the
/// spread: its slope along the crests, by the wave number, is the tangent of that angle.
static void fill_phase(Make *m, const MakeField *f, const MakeCrests *c, double *phase)
{
    const double k0 = 2.0 * MAKE_PI / c->wavelength, wx = make_cos(c->azimuth), wy = make_sin(c->azimuth);
    RiRng rng = make_stream(m, "warp");
    const MakeNoise warp = make_noise(&rng, 12.0 * c->wavelength, 6.0 * c->wavelength, 1.0);
    double slope2 = 0.0;
    for (int k = 0; k < warp.count; k++) {
        const double along = warp.amplitude[k] * (wx * warp.k[k].y - wy * warp.k[k].x);
        slope2 += 0.5 * along * along;
    }
    const double scale = k0 * make_tan(c->spread) / sqrt(slope2);
    for (int j = 0; j < f->ny; j++)
        for (int i = 0; i < f->nx; i++) {
            const RiVec3 p = {f->x0 + i * f->cell, f->y0 + j * f->cell, 0.0};
            phase[(size_t)j * (size_t)f->nx + (size_t)i] = k0 * (wx * p.x + wy * p.y) + scale * make_noise_at(&warp, p);
        }
}

/// A crest that ends at both sides: half its length, and its middle.
typedef struct Defect {
    double x, y, half;
} Defect;

/// Phase, and the part of the height that is left near the ends of crests.
typedef struct Waves {
    double *phase, *whole;
} Waves;

/// Adds +-(arg(z - z1) - arg(z - z2)), faded out at a distance. In axes u (downwind) and v (along
/// the crest) the ends are (0, +-half); the jump by 2 pi lies between them. At the ends the phase
/// has no value, and the crest runs out.
static void add_defect(const MakeField *f, const MakeCrests *c, const Defect *d, double sign, const Waves *out)
{
    const double wx = make_cos(c->azimuth), wy = make_sin(c->azimuth), reach = 8.0 * d->half;
    const MakeWindow w = make_window(f, d->x, d->y, reach);
    for (int j = w.j0; j <= w.j1; j++)
        for (int i = w.i0; i <= w.i1; i++) {
            const double x = f->x0 + i * f->cell - d->x, y = f->y0 + j * f->cell - d->y;
            const double u = wx * x + wy * y, v = wx * y - wy * x, end = fabs(v) - d->half;
            // The angle under which the crest is seen: difference of the arguments, by the product
            // with the conjugate.
            const double angle = make_atan2(2.0 * d->half * u, u * u + v * v - d->half * d->half);
            const size_t at = (size_t)j * (size_t)f->nx + (size_t)i;
            out->phase[at] += sign * angle * (1.0 - make_smooth_step(2.0 * d->half, reach, sqrt(u * u + v * v)));
            out->whole[at] *= make_smooth_step(0.1, 0.6, sqrt(u * u + end * end) / c->wavelength);
        }
}

static RiStatus add_defects(Make *m, const MakeField *f, const MakeCrests *c, const Waves *out)
{
    const double longest = 3.0 * c->wavelength, margin = 8.0 * longest;
    const double sx = -f->x0 + margin, sy = -f->y0 + margin, mean = c->defects * 4.0 * sx * sy;
    if (!(mean < 1e5))
        return ri_error(m->ctx, RI_ERR_LIMIT, "%s: %.3g defects, at most 1e5; lower their number", m->kind->name, mean);
    RiRng rng = make_stream(m, "defects");
    const int count = make_poisson(&rng, mean, 1 << 20);
    for (int k = 0; k < count; k++) {
        Defect d;
        d.x = ri_rng_between(&rng, -sx, sx);
        d.y = ri_rng_between(&rng, -sy, sy);
        d.half = longest * ri_rng_between(&rng, 0.6, 1.0);
        add_defect(f, c, &d, k % 2 ? 1.0 : -1.0, out);
    }
    return RI_OK;
}

/// 0 in the trough, 1 on the crest. The phase grows downwind: a gentle rise, then the lee side.
static double profile(const MakeCrests *c, double phase)
{
    const double turns = phase / (2.0 * MAKE_PI), u = turns - floor(turns);
    const double t = u < c->windward ? u / c->windward : (1.0 - u) / (1.0 - c->windward);
    return make_pow(fmax(0.5 - 0.5 * make_cos(MAKE_PI * t), 1e-12), c->sharpness);
}

/// Difference of two phases, in (-pi, pi].
static double phase_step(double a, double b)
{
    const double turns = (b - a) / (2.0 * MAKE_PI);
    return 2.0 * MAKE_PI * (turns - floor(turns + 0.5));
}

/// 1 where the local wave vector, the gradient of the phase, is that of the wind; 0 where it strays
/// far: crests that are crowded, or along the wind, do not grow.
static double regularity(const MakeField *f, const MakeCrests *c, const double *phase, int i, int j)
{
    const double k0 = 2.0 * MAKE_PI / c->wavelength;
    const size_t row = (size_t)f->nx, at = (size_t)j * row + (size_t)i;
    const double px = i + 1 < f->nx ? phase_step(phase[at], phase[at + 1]) : phase_step(phase[at - 1], phase[at]);
    const double py = j + 1 < f->ny ? phase_step(phase[at], phase[at + row]) : phase_step(phase[at - row], phase[at]);
    const double dx = px / (f->cell * k0) - make_cos(c->azimuth), dy = py / (f->cell * k0) - make_sin(c->azimuth);
    const double off = (dx * dx + dy * dy) / (0.55 * 0.55), off2 = off * off;
    return 1.0 / (1.0 + off2 * off2);
}

/// Distribution function of the standard normal law, within 2e-3: a logistic curve. Makes a
/// Gaussian field uniform in (0, 1).
static double to_uniform(double g)
{
    return 1.0 / (1.0 + make_exp(-g * (1.5976 + 0.070566 * g * g)));
}

static RiStatus check_slope(const Make *m, const MakeCrests *c)
{
    // Steepest place of the lee side, for exponent 1: pi/2 of its mean slope.
    const double steepest = 0.5 * MAKE_PI * c->high / (c->wavelength * (1.0 - c->windward));
    if (steepest > make_tan(repose))
        return make_refuse(
            m,
            "heights of %g m on a lee side of %.3g m slope by %.0f deg, sand stands up to %.0f deg; lower high "
            "or windward",
            c->high, c->wavelength * (1.0 - c->windward), make_atan2(steepest, 1.0) / MAKE_DEG, repose / MAKE_DEG);
    return RI_OK;
}

RiStatus make_crests(Make *m, MakeField *f, const MakeCrests *c)
{
    if (!(c->low <= c->high))
        return make_refuse(m, "low is %g m, it must not exceed high, %g m", c->low, c->high);
    if (!(c->wavelength >= 4.0 * f->cell))
        return make_refuse(m, "a wavelength of %g m needs cells of %g m or less, not %g m", c->wavelength,
                           0.25 * c->wavelength, f->cell);
    RI_TRY(check_slope(m, c));
    const size_t count = (size_t)f->nx * (size_t)f->ny;
    const Waves waves = {ri_arena_alloc(m->scratch, count, sizeof(double)),
                         ri_arena_alloc(m->scratch, count, sizeof(double))};
    if (!waves.phase || !waves.whole)
        return ri_error_memory(m->ctx);
    fill_phase(m, f, c, waves.phase);
    for (size_t k = 0; k < count; k++)
        waves.whole[k] = 1.0;
    RI_TRY(add_defects(m, f, c, &waves));
    RiRng rng = make_stream(m, "patches");
    const MakeNoise noise = make_noise(&rng, c->patch, 0.6 * c->patch, 0.0);
    for (int j = 0; j < f->ny; j++)
        for (int i = 0; i < f->nx; i++) {
            const size_t at = (size_t)j * (size_t)f->nx + (size_t)i;
            const double g = make_noise_at(&noise, ri_vec3(f->x0 + i * f->cell, f->y0 + j * f->cell, 0.0));
            const double height = c->low + (c->high - c->low) * to_uniform(g);
            f->z[at] += waves.whole[at] * regularity(f, c, waves.phase, i, j) * height * profile(c, waves.phase[at]);
        }
    return RI_OK;
}

static RiStatus run(Make *m)
{
    const double *v = m->v;
    const MakeCrests c = {.wavelength = v[WAVELENGTH],
                          .azimuth = v[AZIMUTH],
                          .spread = v[SPREAD],
                          .defects = v[DEFECTS],
                          .low = v[LOW],
                          .high = v[HIGH],
                          .patch = v[PATCH],
                          .windward = v[WINDWARD],
                          .sharpness = v[SHARPNESS]};
    MakeField f;
    RI_TRY(make_field(m, &f));
    RI_TRY(make_rough_ground(m, &f));
    RI_TRY(make_crests(m, &f, &c));
    return make_field_finish(m, &f);
}

const MakeKind make_ripples = {.info = {.name = "ripples",
                                        .about = "aeolian ripples with asymmetric profile, forks and ends",
                                        .sources = "Sullivan et al. 2005; Golombek et al. 2010",
                                        .gives = RI_MAKE_HEIGHTS,
                                        .params = params,
                                        .param_count = MAKE_COUNT(params)},
                               .run = run};
