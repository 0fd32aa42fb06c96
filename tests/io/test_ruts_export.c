// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ruts leave the program as a DEM and come back as they were.
#include "check.h"

#include <rille/ground.h>
#include <rille/terrain_io.h>
#include <rille/version.h>

#define FILE_NAME RILLE_BINARY_DIR "/ruts_export.tif"

static void ok(RiContext *ctx, RiStatus status)
{
    if (status == RI_OK)
        return;
    fprintf(stderr, "%s\n", ri_context_message(ctx));
    abort();
}

TEST(ruts_written_as_a_dem_are_read_back_bit_for_bit)
{
    RiContext *ctx;
    RiTerrain *t;
    RiRuts *ruts;
    RiRaster *out, *back;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    ok(ctx, ri_terrain_create_plane(ctx, &(RiPlaneDef){.slope = 0.1}, &t));
    ok(ctx, ri_ruts_create(ctx, &(RiRutsDef){.cell = 0.02, .memory = 1 << 24}, &ruts));
    for (int i = -100; i < 100; i++)
        ok(ctx, ri_ruts_set(ruts, i, i / 7, &(RiRut){.depth = 0.001F * (float)(100 - abs(i))}));
    ri_ruts_commit(ruts);
    ok(ctx, ri_ruts_raster(ctx, t, ruts, true, &out));
    const RiStatus saved = ri_raster_save(ctx, out, FILE_NAME, false);
    if (saved == RI_ERR_UNSUPPORTED) {
        printf("skipped: this build has no GDAL\n");
    } else {
        ok(ctx, saved);
        ok(ctx, ri_raster_load(ctx, FILE_NAME, NULL, &back));
        CHECK_INT(back->nx, out->nx);
        CHECK_INT(back->ny, out->ny);
        CHECK_CLOSE(back->origin_x + back->x0, out->origin_x + out->x0, 1e-9);
        CHECK_CLOSE(back->dx, 0.02, 1e-12);
        CHECK(memcmp(back->values, out->values, (size_t)out->nx * (size_t)out->ny * sizeof *out->values) == 0);
        ri_raster_destroy(back);
        remove(FILE_NAME);
    }
    // a cell of the raster is the ground less its rut
    const RiVec3 at = ri_ruts_centre(ruts, 0, 0);
    const int column = (int)lround((at.x - out->x0) / out->dx), row = (int)lround((at.y - out->y0) / out->dy);
    CHECK_CLOSE(out->values[row * out->nx + column], at.x * tan(0.1) - 0.1, 1e-6);
    ri_raster_destroy(out);
    ri_ruts_destroy(ruts);
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(ruts_written_as_a_dem_are_read_back_bit_for_bit))
