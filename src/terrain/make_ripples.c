// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ripples: long-crested bedforms of the wind.
///
/// The phase is that of a narrow-band field A(x) = sum_k exp(i (k_k . x + phi_k)), wave vectors scattered about the wind's direction and
/// the wavelength. Where |A| = 0 the phase has dislocations: a crest ends or forks there, as defects of real ripples do, more of
/// them the wider the scatter. Along the phase the profile rises gently on the windward part and falls steeply to leeward; its height
/// varies slowly between the given bounds and goes to zero at the dislocations.
///
/// Default: the plains of Meridiani, ripples 3 to 4 m apart and 10 to 30 cm high [sullivan2005, golombek2010].
#include "terrain/make.h"

enum { WAVELENGTH = MAKE_GRID_PARAMS, LOW, HIGH, AZIMUTH, SPREAD, LENGTH_PART, PATCH, WINDWARD, SHARPNESS };

static const RiMakeParam params[] = {
    MAKE_GRID(40.0, 40.0, 0.1),
    {"wavelength", "m", 3.5, 1e-3, 1e4, NULL, "mean distance of crests; Meridiani 3 to 4 m"},
    {"low", "m", 0.1, 0.0, 1e3, NULL, "least height, crest over trough; Meridiani 10 cm"},
    {"high", "m", 0.3, 0.0, 1e3, NULL, "greatest height; Meridiani 30 cm"},
    {"azimuth", "deg", 20.0 * MAKE_DEG, -1e3, 1e3, NULL, "of the wind, from x towards y; the crests stand across it"},
    {"spread", "deg", 7.0 * MAKE_DEG, 0.0, 45.0 * MAKE_DEG, NULL,
     "standard deviation of the crests' direction; more gives more defects"},
    {"length_spread", "", 0.08, 0.0, 0.3, NULL, "standard deviation of the wavelength, relative"},
    {"patch", "m", 10.0, 1e-2, 1e5, NULL, "length over which heights vary"},
    {"windward", "", 0.6, 0.5, 0.95, NULL, "part of the wavelength on the gentle side; 0.5: symmetric"},
    {"sharpness", "", 1.3, 0.5, 4.0, NULL, "exponent of the profile; above 1 crests are narrower than troughs"},
    MAKE_ROUGH(1.0)};

enum { WAVES = 96 };
static const double repose = 34.0 * MAKE_DEG;

/// Waves that are summed row by row: the value at the row's start and the factor from column to column.
typedef struct Band {
    double kx[WAVES], ky[WAVES], phase[WAVES];
    double re[WAVES], im[WAVES], step_re[WAVES], step_im[WAVES];
} Band;

static void draw_band(RiRng *rng, const MakeCrests *c, double cell, Band *b)
{
    for (int k = 0; k < WAVES; k++) {
        double u, v;
        make_normal_pair(rng, &u, &v);
        const double direction = c->azimuth + c->spread * u, stretch = 1.0 + c->length_part * fmin(fmax(v, -3.0), 3.0);
        const double wave_number = 2.0 * MAKE_PI / (c->wavelength * stretch);
        b->kx[k] = wave_number * make_cos(direction);
        b->ky[k] = wave_number * make_sin(direction);
        b->phase[k] = ri_rng_between(rng, 0.0, 2.0 * MAKE_PI);
        ri_sincos(b->kx[k] * cell, &b->step_im[k], &b->step_re[k]);
    }
}

static void start_row(Band *b, double x, double y)
{
    for (int k = 0; k < WAVES; k++)
        ri_sincos(b->kx[k] * x + b->ky[k] * y + b->phase[k], &b->im[k], &b->re[k]);
}

/// The sum at this column; moves on to the next.
static MakeComplex sum_and_step(Band *b)
{
    MakeComplex sum = {0.0, 0.0};
    for (int k = 0; k < WAVES; k++) {
        sum.re += b->re[k];
        sum.im += b->im[k];
        const double re = b->re[k] * b->step_re[k] - b->im[k] * b->step_im[k];
        b->im[k] = b->re[k] * b->step_im[k] + b->im[k] * b->step_re[k];
        b->re[k] = re;
    }
    return sum;
}

/// 0 in the trough, 1 on the crest. The phase grows downwind: a gentle rise, then the lee side.
static double profile(const MakeCrests *c, double phase)
{
    const double u = phase / (2.0 * MAKE_PI) + 0.5;
    const double t = u < c->windward ? u / c->windward : (1.0 - u) / (1.0 - c->windward);
    return make_pow(fmax(0.5 - 0.5 * make_cos(MAKE_PI * t), 1e-12), c->sharpness);
}

/// Distribution function of the standard normal law, within 2e-3: a logistic curve. Makes a Gaussian field uniform in (0, 1).
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
    RiRng rng = make_stream(m, "crests"), patches = make_stream(m, "patches");
    Band b;
    draw_band(&rng, c, f->cell, &b);
    const MakeNoise noise = make_noise(&patches, c->patch, 0.6 * c->patch, 0.0);
    for (int j = 0; j < f->ny; j++) {
        const double y = f->y0 + j * f->cell;
        start_row(&b, f->x0, y);
        for (int i = 0; i < f->nx; i++) {
            const MakeComplex a = sum_and_step(&b);
            const double size2 = (a.re * a.re + a.im * a.im) / WAVES; // mean 1
            const double whole = size2 / (size2 + 0.02);              // 0 at a dislocation
            const double g = make_noise_at(&noise, ri_vec3(f->x0 + i * f->cell, y, 0.0));
            const double height = c->low + (c->high - c->low) * to_uniform(g);
            f->z[(size_t)j * (size_t)f->nx + (size_t)i] += whole * height * profile(c, make_atan2(a.im, a.re));
        }
    }
    return RI_OK;
}

static RiStatus run(Make *m)
{
    const double *v = m->v;
    const MakeCrests c = {.wavelength = v[WAVELENGTH],
                          .azimuth = v[AZIMUTH],
                          .spread = v[SPREAD],
                          .length_part = v[LENGTH_PART],
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
