// SPDX-License-Identifier: Apache-2.0
/// \file
/// The way of a base: any length fits, its shape stays, and pages have what it is.
#include "check.h"

#include <rille/rille.h>

#include "../io/faults.h"
#include "link/way.h"

static RiVec3 circle(double s)
{
    return ri_vec3(cos(0.001 * s), sin(0.001 * s), 0.5);
}

TEST(a_way_of_any_length_fits_and_keeps_its_shape)
{
    static RiWay w;
    ri_way_init(&w);
    ri_way_add(&w, 0.0, ri_vec3(1.0, 0.0, 0.5));
    ri_way_add(&w, 0.5, ri_vec3(1.0, 0.001, 0.5)); // too near to count
    CHECK_INT(w.count, 1);
    ri_way_add(&w, 0.5, ri_vec3(NAN, 0.0, 0.0));
    CHECK_INT(w.count, 1);
    for (int k = 1; k < 1000000; k++) // 1 km round a circle of 1 m, in steps of 1 mm
        ri_way_add(&w, 0.01 * k, circle(k));
    CHECK(w.count > RI_WAY_MOST / 2 && w.count <= RI_WAY_MOST);
    double worst = 0.0, longest = 0.0;
    for (int k = 1; k < w.count; k++) {
        const float *a = w.at[k - 1], *b = w.at[k];
        CHECK(b[0] > a[0]);
        worst = fmax(worst, fabs(hypot((double)b[1], (double)b[2]) - 1.0));
        longest = fmax(longest, hypot((double)(b[1] - a[1]), (double)(b[2] - a[2])));
    }
    CHECK_CLOSE(worst, 0.0, 1e-6);
    CHECK(longest < 2.0 * w.spacing + 1e-3);
    CHECK_CLOSE(w.spacing, 0.16, 1e-12); // 1 km in 8192 places
}

TEST(pages_have_the_pieces_that_changed_and_lose_those_that_went)
{
    static RiWay w;
    RiContext *ctx;
    RiView *view;
    const RiViewOptions o = ri_view_options_default();
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_view_create(ctx, &o, &view));
    ri_way_init(&w);
    CHECK_OK(ctx, ri_way_keep(&w, view, 0));
    CHECK_INT(w.pieces, 0);
    for (int k = 0; k < RI_WAY_PIECE + 3; k++)
        ri_way_add(&w, k, ri_vec3(0.1 * k, 0.0, 0.0));
    CHECK_OK(ctx, ri_way_keep(&w, view, 0));
    CHECK_INT(w.pieces, 2);
    CHECK_INT(w.clean, RI_WAY_PIECE + 3);
    ri_way_clear(&w);
    CHECK_OK(ctx, ri_way_keep(&w, view, 0));
    CHECK_INT(w.pieces, 0);
    ri_view_destroy(view);
    ri_context_destroy(ctx);
}

TEST(a_piece_that_cannot_be_kept_is_kept_later)
{
    static RiWay w;
    RiStatus status = RI_ERR_MEMORY;
    int failures = 0;
    for (long n = 0; n < 50 && status != RI_OK; n++) {
        Faults f = {.fail_at = -1};
        const RiAllocator memory = faults_allocator(&f);
        RiContext *ctx;
        RiView *view;
        RiViewOptions o = ri_view_options_default();
        o.allocator = &memory; // of this thread alone: no page is there
        REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
        REQUIRE_OK(ctx, ri_view_create(ctx, &o, &view));
        ri_way_init(&w);
        for (int k = 0; k < 2 * RI_WAY_PIECE; k++)
            ri_way_add(&w, k, ri_vec3(0.1 * k, 0.0, 0.0));
        f.fail_at = f.call + n;
        status = ri_way_keep(&w, view, 0);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        failures += status != RI_OK;
        CHECK_OK(ctx, ri_way_keep(&w, view, 0));
        CHECK_INT(w.pieces, 2);
        ri_view_destroy(view);
        ri_context_destroy(ctx);
        CHECK_INT(f.live, 0);
    }
    CHECK(status == RI_OK);
    CHECK(failures > 2);
}

TEST_MAIN(CASE(a_way_of_any_length_fits_and_keeps_its_shape),
          CASE(pages_have_the_pieces_that_changed_and_lose_those_that_went),
          CASE(a_piece_that_cannot_be_kept_is_kept_later))
