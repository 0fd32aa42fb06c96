// SPDX-License-Identifier: Apache-2.0
/// \file
/// The bound of a height field's second derivatives.
#include "check.h"

#include "terrain/terrain.h"

TEST(no_second_derivative_within_reach_is_larger_than_the_bound)
{
    enum { N = 90 };
    RiContext *ctx;
    RiRaster *r;
    RiTerrain *t;
    REQUIRE_OK(ctx, ri_context_create(NULL, &ctx));
    REQUIRE_OK(ctx, ri_raster_create(ctx, N, N, 0.1, 0.15, &r));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            r->values[j * N + i] = (float)(0.3 * sin(0.31 * i) * cos(0.17 * j) + 0.02 * sin(2.0 * i * j));
    RiHeightsDef def = ri_heights_def_default();
    def.raster = r;
    REQUIRE_OK(ctx, ri_terrain_create_heights(ctx, &def, &t));
    for (int k = 0; k < 200; k++) {
        const double x = 1.0 + 0.035 * k, y = 1.0 + 0.05 * k, reach = 0.4, bound = ri_terrain_bend(t, x, y, reach);
        CHECK(isfinite(bound));
        for (int n = 0; n < 60; n++) {
            const double u = x + reach * sin(1.7 * n), v = y + reach * cos(2.9 * n);
            RiHeight h;
            REQUIRE(ri_terrain_height(t, u, v, &h));
            const double mean = 0.5 * (h.zxx + h.zyy), rest = hypot(0.5 * (h.zxx - h.zyy), h.zxy);
            CHECK(fabs(mean) + rest <= bound);
        }
    }
    CHECK(ri_terrain_bend(t, 0.2, 2.0, 0.4) == INFINITY); // beyond the border heights have kinks
    CHECK(ri_terrain_bend(t, NAN, 2.0, 0.4) == INFINITY);
    ri_terrain_destroy(t);
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(no_second_derivative_within_reach_is_larger_than_the_bound))
