// SPDX-License-Identifier: Apache-2.0
/// \file
/// The grid of heights that kinds work on, and Gaussian noise in space.
#include "terrain/make.h"

RiStatus make_field_sized(Make *m, double size_x, double size_y, double cell, MakeField *out)
{
    const double nx = floor(size_x / cell + 0.5) + 1.0, ny = floor(size_y / cell + 0.5) + 1.0;
    if (nx < 4.0 || ny < 4.0)
        return make_refuse(m, "%g m x %g m in cells of %g m give %g x %g heights; at least 4 x 4 are needed", size_x,
                           size_y, cell, nx, ny);
    if (nx * ny > RI_MAKE_MOST_CELLS)
        return ri_error(m->ctx, RI_ERR_LIMIT, "%s: %g m x %g m in cells of %g m are %.3g heights, at most %d are made",
                        m->kind->name, size_x, size_y, cell, nx * ny, RI_MAKE_MOST_CELLS);
    *out = (MakeField){.nx = (int)nx, .ny = (int)ny, .cell = cell};
    out->x0 = -0.5 * (nx - 1.0) * cell;
    out->y0 = -0.5 * (ny - 1.0) * cell;
    out->z = ri_arena_alloc(m->scratch, (size_t)out->nx * (size_t)out->ny, sizeof *out->z);
    return out->z ? RI_OK : ri_error_memory(m->ctx);
}

RiStatus make_field(Make *m, MakeField *out)
{
    return make_field_sized(m, m->v[MAKE_SIZE_X], m->v[MAKE_SIZE_Y], m->v[MAKE_CELL], out);
}

RiStatus make_field_finish(Make *m, const MakeField *f)
{
    RI_TRY(ri_raster_create(m->ctx, f->nx, f->ny, f->cell, f->cell, &m->out->raster));
    m->out->raster->x0 = f->x0;
    m->out->raster->y0 = f->y0;
    const size_t count = (size_t)f->nx * (size_t)f->ny;
    for (size_t k = 0; k < count; k++)
        m->out->raster->values[k] = (float)f->z[k];
    return RI_OK;
}

double make_field_at(const MakeField *f, double x, double y)
{
    const double u = fmin(fmax((x - f->x0) / f->cell, 0.0), f->nx - 1.0);
    const double v = fmin(fmax((y - f->y0) / f->cell, 0.0), f->ny - 1.0);
    const int i = (int)fmin(u, f->nx - 2.0), j = (int)fmin(v, f->ny - 2.0);
    const double a = u - i, b = v - j;
    const double *z = f->z + (size_t)j * (size_t)f->nx + i;
    return (1.0 - b) * ((1.0 - a) * z[0] + a * z[1]) + b * ((1.0 - a) * z[f->nx] + a * z[f->nx + 1]);
}

MakeWindow make_window(const MakeField *f, double x, double y, double r)
{
    return (MakeWindow){.i0 = (int)fmax(ceil((x - r - f->x0) / f->cell), 0.0),
                        .i1 = (int)fmin(fmax(floor((x + r - f->x0) / f->cell), -1.0), f->nx - 1.0),
                        .j0 = (int)fmin(fmax(ceil((y - r - f->y0) / f->cell), 0.0), f->ny),
                        .j1 = (int)fmin(fmax(floor((y + r - f->y0) / f->cell), -1.0), f->ny - 1.0)};
}

RiStatus make_rough_ground(Make *m, MakeField *f)
{
    const double *last = m->v + m->kind->param_count - 2;
    const MakeRoughness r = {.rms_slope = last[0], .hurst = last[1], .slope_scale = f->cell};
    return r.rms_slope > 0.0 ? make_roughen(m, f, "ground", &r) : RI_OK;
}

/// A direction with equal chance for all.
static RiVec3 any_direction(RiRng *rng)
{
    double x, y, z, rest;
    make_normal_pair(rng, &x, &y);
    make_normal_pair(rng, &z, &rest);
    const RiVec3 v = {x, y, z};
    return ri_scale(1.0 / ri_norm(v), v);
}

MakeNoise make_noise(RiRng *rng, double longest, double shortest, double hurst)
{
    enum { EACH = 18 };
    MakeNoise n = {0};
    double power = 0.0, amplitude = 1.0;
    for (double wave = longest; n.count + EACH <= MAKE_WAVES && wave >= fmin(shortest, longest);
         wave *= 0.5, amplitude *= make_pow(0.5, hurst))
        for (int k = 0; k < EACH; k++) {
            // Spread over the octave, so that no wavelength stands out.
            const double stretch = make_exp(0.69314718 * (k + ri_rng_uniform(rng)) / EACH);
            n.k[n.count] = ri_scale(2.0 * MAKE_PI * stretch / wave, any_direction(rng));
            n.phase[n.count] = ri_rng_between(rng, 0.0, 2.0 * MAKE_PI);
            n.amplitude[n.count++] = amplitude;
            power += 0.5 * amplitude * amplitude;
        }
    for (int k = 0; k < n.count; k++)
        n.amplitude[k] /= sqrt(power);
    return n;
}

double make_noise_at(const MakeNoise *n, RiVec3 p)
{
    double sum = 0.0;
    for (int k = 0; k < n->count; k++)
        sum += n->amplitude[k] * make_sin(ri_dot(n->k[k], p) + n->phase[k]);
    return sum;
}
