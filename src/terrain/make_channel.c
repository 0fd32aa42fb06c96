// SPDX-License-Identifier: Apache-2.0
/// \file
/// A meandering channel in ice.
///
/// The line is sine-generated, heading(s) = w sin(2 pi s/M) along the channel [langbein1966]; each
/// half bend has a length of its own, and a swing w in proportion to it, so that curvature is
/// continuous. Meander length is about 12 widths, for streams on ice as for rivers [karlstrom2013].
/// Section: z = -depth (1 - |2 d/width|^n); n = 1 is a V, 2 a parabola, 4 and more a U.
#include "terrain/make.h"

enum { LENGTH, CELL, WIDTH, DEPTH, EXPONENT, MEANDER, SWING, IRREGULAR, BANK, SLOPE, ROUGHNESS, ROUGH_WAVE };

static const RiMakeParam params[] = {
    {"length", "m", 40.0, 0.1, 1e5, NULL, "of the map, down the valley (+x)"},
    {"cell", "m", 0.1, 1e-4, 1e3, NULL, "distance of neighbouring heights or mesh points"},
    {"width", "m", 1.5, 1e-3, 1e4, NULL, "of the channel between its edges"},
    {"depth", "m", 1.2, 1e-3, 1e4, NULL, "of the channel below its edges"},
    {"exponent", "", 4.0, 1.0, 12.0, NULL, "of the section: 1 is a V, 2 a parabola, 4 and more a U"},
    {"meander", "m", 18.0, 1e-2, 1e5, NULL, "length of a meander along the channel; 12 widths [karlstrom2013]"},
    {"swing", "deg", 50.0 * MAKE_DEG, 0.0, 75.0 * MAKE_DEG, NULL, "greatest angle to the valley [langbein1966]"},
    {"irregular", "", 0.2, 0.0, 0.5, NULL, "half range of the bends' lengths, relative"},
    {"bank", "m", 1.0, 1e-3, 1e4, NULL, "level ice beside the channel"},
    {"slope", "deg", 2.0 * MAKE_DEG, 0.0, 45.0 * MAKE_DEG, NULL, "fall of the valley along +x"},
    {"roughness", "m", 0.02, 0.0, 10.0, NULL, "RMS displacement of the surface"},
    {"rough_wave", "m", 0.8, 1e-3, 1e3, NULL, "longest wave of the roughness; Hurst exponent 0.7"}};

static void section(const Make *m, double s, MakeSection *out)
{
    (void)s; // the same everywhere
    const int half = (int)fmin(fmax(ceil(0.5 * m->v[WIDTH] / m->v[CELL]), 8.0), 0.5 * MAKE_SECTION - 4.0);
    out->count = 2 * half + 1;
    for (int k = 0; k <= 2 * half; k++) {
        const double t = (double)(k - half) / half;
        out->d[k] = 0.5 * m->v[WIDTH] * t;
        out->z[k] = t == 0.0 ? -m->v[DEPTH] : -m->v[DEPTH] * (1.0 - make_pow(fabs(t), m->v[EXPONENT]));
    }
}

/// Walks along the line until the map and the reach are passed; heights of y are centred
/// afterwards.
static RiStatus walk(Make *m, double reach, MakeStation **out, int *out_count)
{
    const double step = m->v[CELL], goal = 0.5 * m->v[LENGTH] + reach, half = 0.5 * m->v[MEANDER];
    const double most = 2.0 * goal / make_cos(m->v[SWING] * (1.0 + m->v[IRREGULAR])) / step + 16.0;
    if (!(most < RI_MAKE_MOST_CELLS))
        return ri_error(m->ctx, RI_ERR_LIMIT, "channel: %.3g steps along the line, at most %d; choose a larger cell",
                        most, RI_MAKE_MOST_CELLS);
    MakeStation *s = ri_arena_alloc(m->scratch, (size_t)most, sizeof *s);
    if (!s)
        return ri_error_memory(m->ctx);
    RiRng rng = make_stream(m, "bends");
    double x = -goal, y = 0.0, from = 0.0, bend = half * (1.0 + m->v[IRREGULAR] * ri_rng_between(&rng, -1.0, 1.0));
    double side = 1.0, low = 0.0, high = 0.0;
    int count = 0;
    for (; x < goal + step && count < (int)most; count++) {
        const double at = count * step;
        if (at >= from + bend) {
            from += bend;
            bend = half * (1.0 + m->v[IRREGULAR] * ri_rng_between(&rng, -1.0, 1.0));
            side = -side;
        }
        const double heading = side * m->v[SWING] * bend / half * make_sin(MAKE_PI * (at - from) / bend);
        s[count] = (MakeStation){at, x, y, heading};
        x += step * make_cos(heading);
        y += step * make_sin(heading);
        low = fmin(low, y);
        high = fmax(high, y);
    }
    for (int i = 0; i < count; i++)
        s[i].y -= 0.5 * (low + high);
    *out = s;
    *out_count = count;
    return RI_OK;
}

static RiStatus check(const Make *m, double reach)
{
    // Swing in proportion to length: the tightest bend is the same everywhere.
    const double tightest = m->v[SWING] > 0.0 ? 0.5 * m->v[MEANDER] / (MAKE_PI * m->v[SWING]) : INFINITY;
    if (!(reach < 0.95 * tightest))
        return make_refuse(
            m,
            "channel and bank reach %.3g m from the middle, but bends have a radius of %.3g m; choose a longer "
            "meander, less swing, or a narrower bank",
            reach, tightest);
    if (m->v[SWING] * (1.0 + m->v[IRREGULAR]) > 85.0 * MAKE_DEG)
        return make_refuse(m, "swing times (1 + irregular) is %.0f deg; beyond 85 deg bends would touch",
                           m->v[SWING] * (1.0 + m->v[IRREGULAR]) / MAKE_DEG);
    return RI_OK;
}

static RiStatus run(Make *m)
{
    const double reach = 0.5 * m->v[WIDTH] + m->v[BANK];
    MakeStation *stations = NULL;
    int count = 0;
    RI_TRY(check(m, reach));
    RI_TRY(walk(m, reach, &stations, &count));
    RiRng rng = make_stream(m, "roughness");
    const MakeNoise noise = make_noise(&rng, m->v[ROUGH_WAVE], 2.0 * m->v[CELL], 0.7);
    double high = 0.0;
    for (int i = 0; i < count; i++)
        high = fmax(high, fabs(stations[i].y));
    const MakeSweep w = {.stations = stations,
                         .count = count,
                         .reach = reach,
                         .slope = make_tan(m->v[SLOPE]),
                         .section = section,
                         .noise = &noise,
                         .roughness = m->v[ROUGHNESS],
                         .cell = m->v[CELL]};
    RI_TRY(make_sweep_mesh(m, &w));
    return make_sweep_heights(m, &w, m->v[LENGTH], 2.0 * (high + reach));
}

const MakeKind make_channel = {.info = {.name = "channel",
                                        .about = "rough meandering channel in ice, V to U",
                                        .sources = "Langbein & Leopold 1966; Karlstrom et al. 2013",
                                        .gives = RI_MAKE_HEIGHTS | RI_MAKE_MESH,
                                        .params = params,
                                        .param_count = MAKE_COUNT(params)},
                               .run = run};
