// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fractal ground by spectral synthesis.
///
///     S(k) ~ k^-(2 + 2 H),   |k| = sqrt(kx^2 + ky^2)                                   [shepard2001]
///
/// Independent complex normal numbers of that power are transformed on a grid at least 1.3 times as
/// large as asked for, of which a window is kept: the result does not repeat at its borders. Modes
/// beyond the circle |k| = pi/cell are left out, else the corners of the square of modes would
/// favour the diagonals. The window is then shifted to mean 0 and scaled to the asked RMS height or
/// slope, exactly. Test: tests/terrain/test_make_heights.c (exponent from the windowed power
/// spectrum and from increments, in eight directions).
#include "terrain/make.h"

enum { HURST = MAKE_GRID_PARAMS, RMS_HEIGHT, RMS_SLOPE, SLOPE_SCALE, LONG_WAVE, SHORT_WAVE };

static const RiMakeParam params[] = {
    MAKE_GRID(51.1, 51.1, 0.1),
    {"hurst", "", 0.8, 0.0, 1.0, NULL, "Hurst exponent; 0.7 to 0.95 on the Moon and Mars [shepard2001, rosenburg2011]"},
    {"rms_height", "m", 0.0, 0.0, 1e4, NULL, "RMS height about the mean; 0: rms_slope decides"},
    {"rms_slope", "deg", 8.0 * MAKE_DEG, 0.0, 60.0 * MAKE_DEG, NULL, "RMS slope between points slope_scale apart"},
    {"slope_scale", "m", 1.0, 1e-4, 1e5, NULL, "baseline of rms_slope, rounded to cells"},
    {"long_wave", "m", 0.0, 0.0, 1e6, NULL, "wavelength above which the spectrum is flat; 0: none"},
    {"short_wave", "m", 0.0, 0.0, 1e5, NULL, "wavelengths below are left out; 0: down to two cells"}};

/// A power of two with room for a window of n that is no whole period.
static int padded(int n)
{
    int size = 8;
    while (size < 1.3 * n)
        size *= 2;
    return size;
}

/// Amplitude of the mode k [1/m].
static double mode_amplitude(const MakeRoughness *r, double k, double cell)
{
    const double shortest = fmax(r->short_wave, 2.0 * cell);
    if (k == 0.0 || k > 2.0 * MAKE_PI / shortest || (r->cut_wave > 0.0 && k < 2.0 * MAKE_PI / r->cut_wave))
        return 0.0;
    const double least = r->long_wave > 0.0 ? 2.0 * MAKE_PI / r->long_wave : 0.0;
    return make_pow(fmax(k, least) * cell, -1.0 - r->hurst);
}

static void fill_modes(RiRng *rng, const MakeRoughness *r, int nx, int ny, double cell, MakeComplex *a)
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++, a++) {
            const double kx = 2.0 * MAKE_PI * (i <= nx / 2 ? i : i - nx) / (nx * cell);
            const double ky = 2.0 * MAKE_PI * (j <= ny / 2 ? j : j - ny) / (ny * cell);
            const double amplitude = mode_amplitude(r, sqrt(kx * kx + ky * ky), cell);
            make_normal_pair(rng, &a->re, &a->im);
            a->re *= amplitude;
            a->im *= amplitude;
        }
}

/// Mean square difference of heights `step` cells apart, along both axes.
static double mean_square_step(const MakeField *f, const double *z, int step)
{
    double sum = 0.0, count = 0.0;
    for (int j = 0; j < f->ny; j++)
        for (int i = 0; i < f->nx; i++) {
            const size_t k = (size_t)j * (size_t)f->nx + (size_t)i;
            if (i + step < f->nx) {
                const double d = z[k + (size_t)step] - z[k];
                sum += d * d;
                count += 1.0;
            }
            if (j + step < f->ny) {
                const double d = z[k + (size_t)step * (size_t)f->nx] - z[k];
                sum += d * d;
                count += 1.0;
            }
        }
    return sum / count;
}

/// Factor that gives the window its RMS height or slope.
static RiStatus find_scale(const Make *m, const MakeField *f, const MakeRoughness *r, const double *z, double *out)
{
    const size_t count = (size_t)f->nx * (size_t)f->ny;
    double have = 0.0, want = r->rms_height;
    if (r->rms_height > 0.0) {
        for (size_t k = 0; k < count; k++)
            have += z[k] * z[k] / (double)count;
    } else {
        const double step = fmax(floor(r->slope_scale / f->cell + 0.5), 1.0);
        if (step >= fmax(f->nx, f->ny))
            return make_refuse(m, "slope_scale is %g m, longer than the terrain", r->slope_scale);
        have = mean_square_step(f, z, (int)step);
        want = make_tan(r->rms_slope) * step * f->cell;
    }
    if (!(have > 0.0))
        return make_refuse(m, "no wave is longer than short_wave (%g m) and fits into the terrain", r->short_wave);
    *out = want / sqrt(have);
    return RI_OK;
}

RiStatus make_roughen(Make *m, MakeField *f, const char *what, const MakeRoughness *r)
{
    const int nx = padded(f->nx), ny = padded(f->ny);
    const size_t count = (size_t)f->nx * (size_t)f->ny;
    if ((double)nx * ny > 1 << 26)
        return ri_error(m->ctx, RI_ERR_LIMIT,
                        "%s: fractal ground of %d x %d heights needs a transform of %d x %d, at most 2^26 numbers",
                        m->kind->name, f->nx, f->ny, nx, ny);
    MakeComplex *a = ri_arena_alloc(m->scratch, (size_t)nx * (size_t)ny, sizeof *a);
    double *z = ri_arena_alloc(m->scratch, count, sizeof *z);
    if (!a || !z)
        return ri_error_memory(m->ctx);
    RiRng rng = make_stream(m, what);
    fill_modes(&rng, r, nx, ny, f->cell, a);
    RI_TRY(make_fft_2d(m, nx, ny, a));
    double mean = 0.0, scale = 0.0;
    for (size_t k = 0; k < count; k++) {
        z[k] = a[(k / (size_t)f->nx) * (size_t)nx + k % (size_t)f->nx].re;
        mean += z[k] / (double)count;
    }
    for (size_t k = 0; k < count; k++)
        z[k] -= mean;
    RI_TRY(find_scale(m, f, r, z, &scale));
    for (size_t k = 0; k < count; k++)
        f->z[k] += scale * z[k];
    return RI_OK;
}

static RiStatus run(Make *m)
{
    const MakeRoughness r = {.hurst = m->v[HURST],
                             .rms_height = m->v[RMS_HEIGHT],
                             .rms_slope = m->v[RMS_SLOPE],
                             .slope_scale = m->v[SLOPE_SCALE],
                             .long_wave = m->v[LONG_WAVE],
                             .short_wave = m->v[SHORT_WAVE]};
    MakeField f;
    RI_TRY(make_field(m, &f));
    if (r.rms_height > 0.0 || r.rms_slope > 0.0)
        RI_TRY(make_roughen(m, &f, "ground", &r));
    return make_field_finish(m, &f);
}

const MakeKind make_fractal = {.info = {.name = "fractal",
                                        .about = "self-affine ground of given Hurst exponent and RMS height or slope",
                                        .sources = "Shepard et al. 2001; Rosenburg et al. 2011",
                                        .gives = RI_MAKE_HEIGHTS,
                                        .params = params,
                                        .param_count = MAKE_COUNT(params)},
                               .run = run};
