// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fine detail on a given map: heights between its own, and waves that are too short for it.
///
/// The map is refined with its interpolation. What is added is fractal ground of waves shorter than
/// two of its cells, so that the map keeps all it knows. Its strength follows from the map itself: for
/// a spectrum S(k) ~ k^-(2 + 2 H) that goes on below the map's cell c, the mean square of heights in
/// these waves is
///
///     s^2 = D^2(c) (2 / pi)^(2 H) Gamma(1 + H) / (2 Gamma(1 - H))                       [shepard2001]
///
/// with D^2(c) the mean square difference of neighbouring heights of the map: the integrals of S and of
/// S (1 - J0(k c)) over k. Waves shorter than two fine cells, (c' / c)^(2 H) of it, are left out. Stones
/// by Golombek and Rapp's law may be laid on top.
/// Test: tests/terrain/test_detail.c.
#include <string.h>

#include "terrain/make.h"

static const RiMakeKind kind = {.name = "detail", .about = "fine detail on a given map", .gives = RI_MAKE_HEIGHTS};

RiDetailDef ri_detail_default(void)
{
    return (RiDetailDef){.cell = 0.0, .hurst = 0.8, .rms_height = NAN, .high = 0.3, .seed = 1};
}

/// Gamma(1 + h) for 0 <= h <= 1 within 3e-7 [abramowitz1964, 6.1.36].
static double gamma_above_one(double h)
{
    static const double b[8] = {-0.577191652, 0.988205891, -0.897056937, 0.918206857,
                                -0.756704078, 0.482199394, -0.193527818, 0.035868343};
    double sum = 0.0;
    for (int k = 7; k >= 0; k--)
        sum = (sum + b[k]) * h;
    return 1.0 + sum;
}

double ri_detail_share(double hurst, double ratio)
{
    const double g = gamma_above_one(hurst), sine = make_sin(MAKE_PI * hurst) / (MAKE_PI * hurst);
    const double all = make_pow(2.0 / MAKE_PI, 2.0 * hurst) * 0.5 * g * g * sine; // 1/Gamma(1-H) = Gamma(1+H) sine
    return ratio > 0.0 ? all * (1.0 - make_pow(ratio, 2.0 * hurst)) : all;
}

/// Mean square difference of neighbouring heights.
static double mean_square_step(const RiRaster *r)
{
    double sum = 0.0, count = 0.0;
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            const float *z = r->values + (size_t)j * (size_t)r->nx + (size_t)i;
            const double east = i + 1 < r->nx ? z[1] - z[0] : NAN, north = j + 1 < r->ny ? z[r->nx] - z[0] : NAN;
            sum += (isfinite(east) ? east * east : 0.0) + (isfinite(north) ? north * north : 0.0);
            count += isfinite(east) + isfinite(north);
        }
    return count > 0.0 ? sum / count : 0.0;
}

static RiStatus check(RiContext *ctx, const RiRaster *map, const RiDetailDef *def)
{
    const double ratio = map->dx / def->cell;
    if (map->dx != map->dy)
        return ri_error(ctx, RI_ERR_ARGUMENT, "detail: the map's cells are %g m x %g m, they must be square", map->dx,
                        map->dy);
    if (!(ratio >= 1.5 && fabs(ratio - floor(ratio + 0.5)) < 1e-6 * ratio))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "detail: cell is %g m; it must be a half, a third ... of the map's cell, %g m", def->cell,
                        map->dx);
    if (!(def->hurst > 0.0 && def->hurst < 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "detail: hurst is %g, it must be between 0 and 1", def->hurst);
    if (!(isnan(def->rms_height) || (def->rms_height >= 0.0 && isfinite(def->rms_height))))
        return ri_error(ctx, RI_ERR_ARGUMENT, "detail: rms_height is %g m, it must be at least 0 and finite",
                        def->rms_height);
    if (!(def->rocks >= 0.0 && def->rocks <= 0.4))
        return ri_error(ctx, RI_ERR_ARGUMENT, "detail: rocks cover %g of the ground, 0 to 0.4 is allowed", def->rocks);
    const double count = (ratio * (map->nx - 1) + 1.0) * (ratio * (map->ny - 1) + 1.0);
    if (count > RI_MAKE_MOST_CELLS)
        return ri_error(ctx, RI_ERR_LIMIT,
                        "detail: %.3g heights, at most %d are made; take a part of the map (key 'window') or a larger "
                        "cell",
                        count, RI_MAKE_MOST_CELLS);
    return RI_OK;
}

/// The map's surface at the points of the fine grid; NAN where there is none.
static RiStatus refine(Make *m, const RiRaster *map, const RiDetailDef *def, MakeField *f)
{
    const RiHeightsDef heights = {
        .raster = map, .interpolation = def->interpolation, .edge = RI_EDGE_EXTEND, .holes = RI_HOLES_REFUSE};
    const int parts = (int)floor(map->dx / def->cell + 0.5);
    RiTerrain *t = NULL;
    *f = (MakeField){.nx = parts * (map->nx - 1) + 1,
                     .ny = parts * (map->ny - 1) + 1,
                     .x0 = map->x0,
                     .y0 = map->y0,
                     .cell = map->dx / parts};
    f->z = ri_arena_alloc(m->scratch, (size_t)f->nx * (size_t)f->ny, sizeof *f->z);
    if (!f->z)
        return ri_error_memory(m->ctx);
    RI_TRY(ri_terrain_create_heights(m->ctx, &heights, &t));
    for (int j = 0; j < f->ny; j++)
        for (int i = 0; i < f->nx; i++) {
            RiHeight h;
            const bool known = ri_terrain_height(t, f->x0 + i * f->cell, f->y0 + j * f->cell, &h);
            f->z[(size_t)j * (size_t)f->nx + (size_t)i] = known ? h.z : NAN;
        }
    ri_terrain_destroy(t);
    return RI_OK;
}

static RiStatus lay_stones(Make *m, const RiDetailDef *def, MakeField *f)
{
    const MakeStoneLaw law = {.exponential = true,
                              .cover = def->rocks,
                              .low = 3.0 * f->cell,
                              .high = def->high,
                              .flatness = 0.45,
                              .overlap = 0.1,
                              .x0 = f->x0,
                              .x1 = f->x0 + (f->nx - 1) * f->cell,
                              .y0 = f->y0,
                              .y1 = f->y0 + (f->ny - 1) * f->cell};
    MakeStone *stones;
    int count;
    if (def->rocks == 0.0)
        return RI_OK;
    RI_TRY(make_stones(m, "rocks", &law, &stones, &count));
    for (int k = 0; k < count; k++) {
        stones[k].p.z = make_field_at(f, stones[k].p.x, stones[k].p.y);
        make_stone_stamp(f, &stones[k]);
    }
    return RI_OK;
}

/// Waves with the mean square that is asked for. make_roughen scales what it adds to a window of its
/// own, so that the strength is exact.
static RiStatus add_waves(Make *m, const RiRaster *map, const RiDetailDef *def, MakeField *f)
{
    const double own = sqrt(ri_detail_share(def->hurst, f->cell / map->dx) * mean_square_step(map));
    const MakeRoughness r = {
        .hurst = def->hurst, .rms_height = isnan(def->rms_height) ? own : def->rms_height, .cut_wave = 2.0 * map->dx};
    return r.rms_height > 0.0 ? make_roughen(m, f, "waves", &r) : RI_OK;
}

RiStatus ri_raster_add_detail(RiContext *ctx, const RiRaster *map, const RiDetailDef *def, RiRaster **out)
{
    RiArena scratch;
    MakeField f;
    RiRaster *fine = NULL;
    *out = NULL;
    RI_TRY(check(ctx, map, def));
    ri_arena_init(&scratch, ctx);
    Make m = {.ctx = ctx, .kind = &kind, .seed = def->seed, .keep = &scratch, .scratch = &scratch};
    RiStatus status = refine(&m, map, def, &f);
    if (status == RI_OK)
        status = add_waves(&m, map, def, &f);
    if (status == RI_OK)
        status = lay_stones(&m, def, &f);
    if (status == RI_OK)
        status = ri_raster_create(ctx, f.nx, f.ny, f.cell, f.cell, &fine);
    if (status == RI_OK) {
        fine->x0 = f.x0;
        fine->y0 = f.y0;
        fine->origin_x = map->origin_x;
        fine->origin_y = map->origin_y;
        for (size_t k = 0; k < (size_t)f.nx * (size_t)f.ny; k++)
            fine->values[k] = (float)f.z[k];
    }
    ri_arena_free(&scratch);
    *out = fine;
    return status;
}
