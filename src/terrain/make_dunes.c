// SPDX-License-Identifier: Apache-2.0
/// \file
/// Dunes: transverse ridges (the crests of make_ripples.c at the scale of dunes) or barchans,
/// crescents with horns downwind.
///
/// A barchan is a family of slices along the wind [hersen2004]: the slice at y from the axis has
/// the height h(y) = H (1 - (2 y/W)^2), a windward side of parabolic shape and a slip face at the
/// angle of repose. Low slices run faster than high ones, so the brink lies further downwind by a
/// horn length times (2 y/W)^2. Width W = 10 H [hesp1998], windward side 6.5 H long at the axis, a
/// mean slope of 9 degrees. The slip face falls along the normal of the brink line, so that its
/// slope is the angle of repose everywhere on the axis and at most that on the horns.
#include "terrain/make.h"

enum { FORM = MAKE_GRID_PARAMS, AZIMUTH, HEIGHT, SPREAD, WAVELENGTH, DIRECTION_SPREAD, COVER, REPOSE, HORN };
enum { TRANSVERSE, BARCHAN };

static const RiMakeParam params[] = {
    MAKE_GRID(300.0, 300.0, 1.0),
    {"form", "", BARCHAN, 0, 1, "transverse|barchan", "ridges across the wind, or single crescents"},
    {"azimuth", "deg", 20.0 * MAKE_DEG, -1e3, 1e3, NULL, "towards which the wind blows, from x towards y"},
    {"height", "m", 3.0, 1e-3, 500.0, NULL, "mean height of dunes"},
    {"height_spread", "", 0.3, 0.0, 0.9, NULL, "half range of heights, relative to the mean"},
    {"wavelength", "m", 50.0, 1e-2, 1e5, NULL, "transverse: mean distance of crests"},
    {"direction_spread", "deg", 8.0 * MAKE_DEG, 0.0, 45.0 * MAKE_DEG, NULL, "transverse: of the crests' direction"},
    {"cover", "", 0.15, 0.0, 0.5, NULL, "barchans: part of the ground under dunes"},
    {"repose", "deg", 33.0 * MAKE_DEG, 5.0 * MAKE_DEG, 45.0 * MAKE_DEG, NULL, "slope of the slip face"},
    {"horn", "", 0.35, 0.0, 1.5, NULL, "barchans: length of the horns by the width of the dune"},
    MAKE_ROUGH(1.0)};

static const double width_by_height = 10.0, windward_by_height = 6.5;

typedef struct Barchan {
    double x, y, height;
} Barchan;

/// Height at (u, w): downwind and to the left of the brink's middle.
static double barchan_at(const Make *m, double height, double u, double w)
{
    const double half = 0.5 * width_by_height * height, t = w / half;
    if (fabs(t) >= 1.0)
        return 0.0;
    const double slice = height * (1.0 - t * t);
    const double horn = m->v[HORN] * 2.0 * half, brink = horn * t * t, bend = 2.0 * horn * t / half;
    const double behind = u - brink;
    if (behind > 0.0)
        return fmax(slice - behind * make_tan(m->v[REPOSE]) / sqrt(1.0 + bend * bend), 0.0);
    const double part = 1.0 + behind / (windward_by_height * (0.3 * height + 0.7 * slice));
    return part > 0.0 ? slice * part * (2.0 - part) * (0.5 + 0.5 * part) : 0.0;
}

/// Greatest distance of a barchan's ground from the middle of its brink [m].
static double barchan_reach(const Make *m, double height)
{
    return height * (windward_by_height + width_by_height * (0.5 + m->v[HORN]));
}

static void stamp(const Make *m, MakeField *f, const Barchan *b)
{
    const double c = make_cos(m->v[AZIMUTH]), s = make_sin(m->v[AZIMUTH]);
    const MakeWindow w = make_window(f, b->x, b->y, barchan_reach(m, b->height));
    for (int j = w.j0; j <= w.j1; j++)
        for (int i = w.i0; i <= w.i1; i++) {
            const double x = f->x0 + i * f->cell - b->x, y = f->y0 + j * f->cell - b->y;
            f->z[(size_t)j * (size_t)f->nx + (size_t)i] += barchan_at(m, b->height, c * x + s * y, c * y - s * x);
        }
}

/// Ground under a barchan, as part of height^2: measured on a grid of its own.
static double ground_plan(const Make *m)
{
    enum { STEPS = 200 };
    const double reach = barchan_reach(m, 1.0), step = 2.0 * reach / STEPS;
    double area = 0.0;
    for (int j = 0; j < STEPS; j++)
        for (int i = 0; i < STEPS; i++)
            area += barchan_at(m, 1.0, -reach + (i + 0.5) * step, -reach + (j + 0.5) * step) > 0.0 ? step * step : 0.0;
    return area;
}

static bool is_free(const Barchan *list, int count, const Barchan *b)
{
    for (int k = 0; k < count; k++) {
        const double dx = list[k].x - b->x, dy = list[k].y - b->y;
        const double least = 0.75 * width_by_height * (list[k].height + b->height);
        if (dx * dx + dy * dy < least * least)
            return false;
    }
    return true;
}

static RiStatus place_barchans(Make *m, MakeField *f)
{
    enum { TRIES = 300, MOST = 5000 };
    const double height = m->v[HEIGHT], spread = m->v[SPREAD], margin = 0.5 * barchan_reach(m, height);
    const double sx = 0.5 * m->v[MAKE_SIZE_X] + margin, sy = 0.5 * m->v[MAKE_SIZE_Y] + margin;
    const double plan = ground_plan(m) * height * height * (1.0 + spread * spread / 3.0);
    const double mean = m->v[COVER] * 4.0 * sx * sy / plan;
    if (!(mean < MOST))
        return ri_error(m->ctx, RI_ERR_LIMIT, "dunes: %.3g barchans, at most %d; raise height", mean, MOST);
    RiRng rng = make_stream(m, "barchans");
    const int count = (int)floor(mean + 0.5);
    Barchan *list = ri_arena_alloc(m->scratch, (size_t)count + 1, sizeof *list);
    if (!list)
        return ri_error_memory(m->ctx);
    RI_TRY(make_features(m, count));
    for (int i = 0; i < count; i++) {
        Barchan *b = &list[i];
        b->height = height * (1.0 + spread * ri_rng_between(&rng, -1.0, 1.0));
        int tries = 0;
        do {
            b->x = ri_rng_between(&rng, -sx, sx);
            b->y = ri_rng_between(&rng, -sy, sy);
        } while (!is_free(list, i, b) && ++tries < TRIES);
        if (tries == TRIES)
            return make_refuse(m, "no room for dune %d of %d; lower cover", i + 1, count);
        stamp(m, f, b);
        if (fabs(b->x) <= 0.5 * m->v[MAKE_SIZE_X] && fabs(b->y) <= 0.5 * m->v[MAKE_SIZE_Y])
            make_feature(m, (RiMadeFeature){"barchan", {b->x, b->y, 0.0}, b->height, 0.0});
    }
    return RI_OK;
}

static RiStatus run(Make *m)
{
    const double *v = m->v;
    // The lee side takes the length that the angle of repose needs at its steepest place.
    const double lee = 0.5 * MAKE_PI * v[HEIGHT] * (1.0 + v[SPREAD]) / (make_tan(v[REPOSE]) * v[WAVELENGTH]);
    const MakeCrests c = {.wavelength = v[WAVELENGTH],
                          .azimuth = v[AZIMUTH],
                          .spread = v[DIRECTION_SPREAD],
                          .defects = 0.05 / (v[WAVELENGTH] * v[WAVELENGTH]),
                          .low = v[HEIGHT] * (1.0 - v[SPREAD]),
                          .high = v[HEIGHT] * (1.0 + v[SPREAD]),
                          .patch = 3.0 * v[WAVELENGTH],
                          .windward = fmin(fmax(1.0 - lee, 0.5), 0.9),
                          .sharpness = 1.0};
    MakeField f;
    RI_TRY(make_field(m, &f));
    RI_TRY(make_rough_ground(m, &f));
    if (v[FORM] < 0.5)
        RI_TRY(make_crests(m, &f, &c));
    else
        RI_TRY(place_barchans(m, &f));
    return make_field_finish(m, &f);
}

const MakeKind make_dunes = {.info = {.name = "dunes",
                                      .about = "transverse dunes or barchans with a slip face at the angle of repose",
                                      .sources = "Hersen 2004; Hesp & Hastings 1998",
                                      .gives = RI_MAKE_HEIGHTS,
                                      .params = params,
                                      .param_count = MAKE_COUNT(params)},
                             .run = run};
