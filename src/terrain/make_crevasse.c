// SPDX-License-Identifier: Apache-2.0
/// \file
/// A crevasse: an open crack with walls that taper downwards.
///
/// Along its length the opening follows the ellipse of a crack under uniform tension, w(s) = w
/// sqrt(1 - (2 s/L)^2) [lawn1993]; the depth is a parabola, so that the ends are wedges; the walls
/// are straight from the edge down to the width of the bottom. The line wanders a little from side
/// to side.
#include "terrain/make.h"

enum { LENGTH, CELL, OPENING, DEPTH, BOTTOM, WANDER, WANDER_WAVE, BANK, ROUGHNESS, ROUGH_WAVE };

static const RiMakeParam params[] = {
    {"length", "m", 20.0, 0.1, 1e5, NULL, "of the crevasse, along x"},
    {"cell", "m", 0.1, 1e-4, 1e3, NULL, "distance of neighbouring heights or mesh points"},
    {"opening", "m", 1.2, 1e-3, 1e4, NULL, "greatest width at the surface"},
    {"depth", "m", 8.0, 1e-3, 200.0, NULL,
     "greatest depth; open crevasses of cold ice reach some tens of metres [nye1955]"},
    {"bottom", "m", 0.15, 1e-3, 1e4, NULL, "width of the bottom where the crevasse is deepest"},
    {"wander", "m", 0.4, 0.0, 1e3, NULL, "RMS of the line's way to the sides"},
    {"wander_wave", "m", 12.0, 1e-2, 1e5, NULL, "wavelength of the wandering"},
    {"bank", "m", 3.0, 1e-2, 1e4, NULL, "level ice beside the crevasse and beyond its ends"},
    {"roughness", "m", 0.02, 0.0, 10.0, NULL, "RMS displacement of the surface"},
    {"rough_wave", "m", 1.0, 1e-3, 1e3, NULL, "longest wave of the roughness; Hurst exponent 0.7"}};

static void section(const Make *m, double s, MakeSection *out)
{
    const double t = 2.0 * s / m->v[LENGTH], open = t * t < 1.0 ? sqrt(1.0 - t * t) : 0.0;
    // Beyond its ends a shallow strip is left of the section, for the net to have a width.
    const double edge = 0.5 * fmax(open, 0.15) * m->v[OPENING], bottom = fmin(0.5 * m->v[BOTTOM], 0.6 * edge);
    const double depth = open * open * m->v[DEPTH];
    *out = (MakeSection){4, {-edge, -bottom, bottom, edge}, {0.0, -depth, -depth, 0.0}};
}

/// Stations from end to end.
static RiStatus walk(Make *m, MakeStation **out, int *out_count)
{
    const double total = m->v[LENGTH] + 2.0 * m->v[BANK];
    const double wanted = ceil(total / m->v[CELL]) + 1.0;
    if (!(wanted < RI_MAKE_MOST_CELLS))
        return ri_error(m->ctx, RI_ERR_LIMIT, "crevasse: %.3g stations, at most %d; choose a larger cell", wanted,
                        RI_MAKE_MOST_CELLS);
    MakeStation *s = ri_arena_alloc(m->scratch, (size_t)wanted, sizeof *s);
    if (!s)
        return ri_error_memory(m->ctx);
    RiRng rng = make_stream(m, "line");
    const int count = (int)wanted;
    double phase[3], size[3];
    for (int k = 0; k < 3; k++) {
        phase[k] = ri_rng_between(&rng, 0.0, 2.0 * MAKE_PI);
        size[k] = m->v[WANDER] * sqrt(2.0 / 3.0);
    }
    for (int i = 0; i < count; i++) {
        const double x = -0.5 * total + total * i / (count - 1.0);
        double y = 0.0, rise = 0.0;
        for (int k = 0; k < 3; k++) {
            const double wave_number = 2.0 * MAKE_PI / m->v[WANDER_WAVE] / (1.0 + 0.4 * k);
            y += size[k] * make_sin(wave_number * x + phase[k]);
            rise += size[k] * wave_number * make_cos(wave_number * x + phase[k]);
        }
        s[i] = (MakeStation){x, x, y, make_atan2(rise, 1.0)};
    }
    *out = s;
    *out_count = count;
    return RI_OK;
}

static RiStatus check(const Make *m)
{
    const double reach = 0.5 * m->v[OPENING] + m->v[BANK];
    const double wave_number = 2.0 * MAKE_PI / m->v[WANDER_WAVE];
    // Three waves in step: the sharpest bend that can come.
    const double sharpest =
        m->v[WANDER] * sqrt(2.0 / 3.0) * wave_number * wave_number * (1.0 + 1.0 / 1.96 + 1.0 / 3.24);
    if (m->v[BOTTOM] > 0.98 * m->v[OPENING])
        return make_refuse(m, "bottom is %g m, the walls taper only if it is less than the opening, %g m", m->v[BOTTOM],
                           m->v[OPENING]);
    if (sharpest * reach > 0.95)
        return make_refuse(
            m,
            "the line bends with a radius down to %.3g m, but opening and bank reach %.3g m; choose less wander "
            "or a narrower bank",
            1.0 / sharpest, reach);
    return RI_OK;
}

static RiStatus run(Make *m)
{
    MakeStation *stations = NULL;
    int count = 0;
    RI_TRY(check(m));
    RI_TRY(walk(m, &stations, &count));
    RiRng rng = make_stream(m, "roughness");
    const MakeNoise noise = make_noise(&rng, m->v[ROUGH_WAVE], 2.0 * m->v[CELL], 0.7);
    double side = 0.0;
    for (int i = 0; i < count; i++)
        side = fmax(side, fabs(stations[i].y));
    const MakeSweep w = {.stations = stations,
                         .count = count,
                         .reach = 0.5 * m->v[OPENING] + m->v[BANK],
                         .section = section,
                         .noise = &noise,
                         .roughness = m->v[ROUGHNESS],
                         .cell = m->v[CELL]};
    RI_TRY(make_sweep_mesh(m, &w));
    return make_sweep_heights(m, &w, m->v[LENGTH] + 2.0 * m->v[BANK], 2.0 * (side + w.reach));
}

const MakeKind make_crevasse = {.info = {.name = "crevasse",
                                         .about = "a crevasse with tapering walls, closing at both ends",
                                         .sources = "Lawn 1993; Nye 1955",
                                         .gives = RI_MAKE_HEIGHTS | RI_MAKE_MESH,
                                         .params = params,
                                         .param_count = MAKE_COUNT(params)},
                                .run = run};
