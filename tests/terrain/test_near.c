// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ground close by (ri_terrain_query_near_many) against exact queries.
#include "check.h"

#include <rille/terrain.h>

#include "base/rng.h"

static RiTerrain *make_waves(RiContext *ctx, RiInterpolation interpolation)
{
    RiRaster *raster;
    RiTerrain *t = NULL;
    if (ri_raster_create(ctx, 96, 96, 0.05, 0.05, &raster) != RI_OK)
        abort();
    for (int j = 0; j < 96; j++)
        for (int i = 0; i < 96; i++)
            raster->values[96 * j + i] = (float)(0.1 * sin(0.1 * i) * cos(0.08 * j) + 0.01 * sin(0.4 * i + 0.3 * j));
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    def.interpolation = interpolation;
    if (ri_terrain_create_heights(ctx, &def, &t) != RI_OK)
        abort();
    ri_raster_destroy(raster);
    return t;
}

/// Largest error of distance and normal at points this far above or below the ground, and how many
/// were rough.
static int errors_at(const RiTerrain *t, double away, double *distance, double *normal)
{
    RiRng rng = ri_rng_stream(1, "near");
    int rough = 0;
    *distance = *normal = 0.0;
    for (int k = 0; k < 400; k++) {
        const double x = ri_rng_between(&rng, 0.5, 4.0), y = ri_rng_between(&rng, 0.5, 4.0);
        RiHeight h;
        RiSurface near, exact;
        if (!ri_terrain_height(t, x, y, &h))
            abort();
        const RiVec3 p = ri_vec3(x, y, h.z + (k % 2 ? away : -away));
        ri_terrain_query_near_many(t, 1, &p, &near);
        ri_terrain_query(t, p, &exact);
        if (near.flags & RI_SURFACE_ROUGH) {
            rough++;
            continue;
        }
        *distance = fmax(*distance, fabs(near.distance - exact.distance));
        *normal = fmax(*normal, ri_norm(ri_sub(near.normal, exact.normal)));
    }
    return rough;
}

TEST(close_to_a_height_field_the_error_falls_with_the_cube_of_the_distance)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiTerrain *t = make_waves(ctx, RI_BICUBIC);
    double d[2], n[2];
    CHECK_INT(errors_at(t, 4e-3, &d[0], &n[0]), 0);
    CHECK_INT(errors_at(t, 1e-3, &d[1], &n[1]), 0);
    CHECK(d[0] < 1e-6 &&
          d[1] < d[0] / 10.0); // a cell's border, where the curvature jumps, leaves the square in a few places
    CHECK(n[0] < 1e-3 && n[1] < n[0] / 3.0);
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST(what_is_of_first_order_only_says_so)
{
    RiContext *ctx;
    double d, n;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiTerrain *t = make_waves(ctx, RI_BICUBIC);
    CHECK(errors_at(t, 0.3, &d, &n) > 200);
    ri_terrain_destroy(t);
    t = make_waves(ctx, RI_BILINEAR);
    CHECK_INT(errors_at(t, 1e-3, &d, &n), 400);
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST(other_kinds_answer_exactly)
{
    RiContext *ctx;
    RiTerrain *t;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const RiGroundPart tube = {.shape = RI_GROUND_TUBE, .pose = ri_pose_identity(), .a = 0.3};
    REQUIRE_OK(ctx, ri_terrain_create_shapes(ctx, 1, &tube, &t));
    const RiVec3 p = ri_vec3(0.1, 0.05, 0.2);
    RiSurface near, exact;
    ri_terrain_query_near_many(t, 1, &p, &near);
    ri_terrain_query(t, p, &exact);
    CHECK_CLOSE(near.distance, exact.distance, 0.0);
    CHECK_INT(near.flags, exact.flags);
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(close_to_a_height_field_the_error_falls_with_the_cube_of_the_distance),
          CASE(what_is_of_first_order_only_says_so), CASE(other_kinds_answer_exactly))
