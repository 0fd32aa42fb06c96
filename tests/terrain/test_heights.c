// SPDX-License-Identifier: Apache-2.0
/// \file
/// Height fields against analytic surfaces and brute force.
#include "ground.h"

#include "base/processor.h"
#include "terrain/heights.h"

static double waves(double x, double y)
{
    return 0.8 * sin(1.1 * x + 0.3) * cos(0.7 * y) + 0.3 * sin(0.5 * x - 1.3 * y);
}

static RiHeight waves_height(double x, double y)
{
    const double a = 1.1 * x + 0.3, b = 0.7 * y, c = 0.5 * x - 1.3 * y;
    return (RiHeight){.z = waves(x, y),
                      .zx = 0.8 * 1.1 * cos(a) * cos(b) + 0.15 * cos(c),
                      .zy = -0.8 * 0.7 * sin(a) * sin(b) - 0.39 * cos(c),
                      .zxx = -0.8 * 1.21 * sin(a) * cos(b) - 0.075 * sin(c),
                      .zxy = -0.8 * 0.77 * cos(a) * sin(b) + 0.195 * sin(c),
                      .zyy = -0.8 * 0.49 * sin(a) * cos(b) - 0.507 * sin(c)};
}

static double rough(double x, double y)
{
    return 0.1 * sin(7.0 * x + 2.0 * sin(3.0 * y)) + 0.15 * cos(5.0 * y + x) + 0.5 * sin(x) * sin(0.7 * y);
}

static double jumble(double x, double y)
{
    return fmod(1e4 * fabs(sin(12.9898 * x + 78.233 * y)), 0.4); // no two neighbours alike
}

static double harmonic(double x, double y)
{
    return x * x - y * y + 0.5 * x * y + 3.0 * x;
}

static double level(double x, double y)
{
    (void)x;
    (void)y;
    return 1.0;
}

/// Largest errors of height, slope and curvature on a raster of n x n values.
static void errors_on(int n, RiInterpolation kind, double out[3])
{
    RiContext *ctx = context_open();
    RiTerrain *t = heights_of(ctx, waves, n, -2.0, 4.0, kind, RI_EDGE_EXTEND);
    RiRng rng = ri_rng_stream(1, "errors");
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < 20000; k++) {
        const double x = ri_rng_between(&rng, -2.0, 2.0), y = ri_rng_between(&rng, -2.0, 2.0);
        RiHeight h;
        CHECK(ri_terrain_height(t, x, y, &h));
        const RiHeight w = waves_height(x, y);
        out[0] = fmax(out[0], fabs(h.z - w.z));
        out[1] = fmax(out[1], hypot(h.zx - w.zx, h.zy - w.zy));
        out[2] = fmax(out[2], fmax(fabs(h.zxx - w.zxx), fmax(fabs(h.zxy - w.zxy), fabs(h.zyy - w.zyy))));
    }
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

static void check_orders(RiInterpolation kind, const double want[3])
{
    double coarse[3], fine[3];
    errors_on(33, kind, coarse);
    errors_on(129, kind, fine);
    for (int k = 0; k < 3; k++) {
        const double order = log(coarse[k] / fine[k]) / log(4.0);
        printf("     %s, derivative %d: error %.2e -> %.2e, order %.2f\n", kind == RI_BICUBIC ? "bicubic" : "bilinear",
               k, coarse[k], fine[k], order);
        if (want[k] > 0.0)
            CHECK(order > want[k] - 0.15);
    }
}

TEST(bilinear_height_is_of_order_2_and_its_slope_of_order_1)
{
    check_orders(RI_BILINEAR, (const double[]){2.0, 1.0, 0.0});
}

TEST(bicubic_height_slope_curvature_are_of_order_3_2_1)
{
    check_orders(RI_BICUBIC, (const double[]){3.0, 2.0, 1.0});
}

TEST(values_come_back_to_the_last_bit)
{
    RiContext *ctx = context_open();
    RiRaster *r = raster_of(ctx, rough, 33, -2.0, 4.0); // a spacing of 1/8 is exact
    for (int kind = 0; kind < 2; kind++) {
        RiHeightsDef def = {.raster = r, .interpolation = kind ? RI_BICUBIC : RI_BILINEAR, .edge = RI_EDGE_EXTEND};
        RiTerrain *t;
        REQUIRE_OK(ctx, ri_terrain_create_heights(ctx, &def, &t));
        for (int j = 0; j < 33; j++)
            for (int i = 0; i < 33; i++) {
                RiHeight h;
                ri_terrain_height(t, r->x0 + i * r->dx, r->y0 + j * r->dy, &h);
                CHECK(h.z == (double)r->values[33 * j + i]);
            }
        ri_terrain_destroy(t);
    }
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

/// Largest size of the second derivative along any direction.
static double bend_of(const RiHeight *h)
{
    const double mean = 0.5 * (h->zxx + h->zyy), part = hypot(0.5 * (h->zxx - h->zyy), h->zxy);
    return fabs(mean) + part;
}

TEST(no_ground_is_more_curved_than_its_bound)
{
    static double (*const grounds[3])(double, double) = {waves, rough, jumble};
    RiContext *ctx = context_open();
    for (int g = 0; g < 3; g++) {
        RiTerrain *t = heights_of(ctx, grounds[g], 65, -2.0, 4.0, RI_BICUBIC, RI_EDGE_EXTEND);
        RiRng rng = ri_rng_stream(1, "bends");
        double largest = 0.0, slack = INFINITY;
        for (int k = 0; k < 20000; k++) {
            const double x = ri_rng_between(&rng, -2.0, 2.0), y = ri_rng_between(&rng, -2.0, 2.0);
            RiHeight h;
            CHECK(ri_terrain_height(t, x, y, &h));
            const double bound = ri_terrain_bend(t, x, y, 0.0);
            CHECK(bend_of(&h) <= bound);
            largest = fmax(largest, bend_of(&h));
            slack = fmin(slack, bound / bend_of(&h));
        }
        const double all = ri_terrain_bend(t, 0.0, 0.0, 1.0);
        CHECK(all >= ri_terrain_bend(t, -0.4, 0.3, 0.1));
        CHECK(all < 4.0 * largest); // of use
        printf("     ground %d: bound over curvature %.2f at least\n", g, slack);
        CHECK(isinf(ri_terrain_bend(t, 1.9, 0.0, 0.2))); // a crease stands on the border
        ri_terrain_destroy(t);
    }
    RiTerrain *creased = heights_of(ctx, waves, 65, -2.0, 4.0, RI_BILINEAR, RI_EDGE_EXTEND);
    CHECK(isinf(ri_terrain_bend(creased, 0.0, 0.0, 0.1)));
    ri_terrain_destroy(creased);
    ri_context_destroy(ctx);
}

TEST(slope_and_curvature_are_those_of_the_height)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(2, "slopes");
    for (int kind = 0; kind < 2; kind++) {
        RiTerrain *t = heights_of(ctx, rough, 40, -2.0, 4.0, kind ? RI_BICUBIC : RI_BILINEAR, RI_EDGE_EXTEND);
        const double cell = 4.0 / 39.0, e = 1e-5;
        for (int k = 0; k < 2000; k++) {
            const double s = ri_rng_between(&rng, 0.001, 0.999), u = ri_rng_between(&rng, 0.001, 0.999);
            const double x = -2.0 + cell * (ri_rng_below(&rng, 39) + s), y = -2.0 + cell * (ri_rng_below(&rng, 39) + u);
            RiHeight h, w, east, north, south;
            ri_terrain_height(t, x, y, &h);
            ri_terrain_height(t, x - e, y, &w);
            ri_terrain_height(t, x + e, y, &east);
            ri_terrain_height(t, x, y + e, &north);
            ri_terrain_height(t, x, y - e, &south);
            CHECK_CLOSE((east.z - w.z) / (2 * e), h.zx, 1e-7);
            CHECK_CLOSE((north.z - south.z) / (2 * e), h.zy, 1e-7);
            CHECK_CLOSE((east.zx - w.zx) / (2 * e), h.zxx, 1e-6);
            CHECK_CLOSE((north.zx - south.zx) / (2 * e), h.zxy, 1e-6);
            CHECK_CLOSE((north.zy - south.zy) / (2 * e), h.zyy, 1e-6);
        }
        ri_terrain_destroy(t);
    }
    ri_context_destroy(ctx);
}

TEST(bicubic_slopes_are_continuous_across_cells)
{
    RiContext *ctx = context_open();
    RiTerrain *t = heights_of(ctx, rough, 33, -2.0, 4.0, RI_BICUBIC, RI_EDGE_EXTEND);
    RiRng rng = ri_rng_stream(3, "continuous");
    for (int k = 0; k < 2000; k++) {
        const double x = -2.0 + 0.125 * (1 + ri_rng_below(&rng, 31)), y = ri_rng_between(&rng, -2.0, 2.0), e = 1e-12;
        RiHeight a, b;
        ri_terrain_height(t, x - e, y, &a);
        ri_terrain_height(t, x + e, y, &b);
        CHECK_CLOSE(a.z, b.z, 1e-11);
        CHECK_CLOSE(a.zx, b.zx, 1e-9);
        CHECK_CLOSE(a.zy, b.zy, 1e-9);
    }
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST(batch_equals_single_bit_for_bit)
{
    RiContext *ctx = context_open();
    enum { N = 1003 };
    static double x[N], y[N];
    static RiVec3 p[N];
    static RiHeight many[N];
    static RiSurface surfaces[N];
    static bool found[N];
    RiRng rng = ri_rng_stream(4, "batch");
    for (int k = 0; k < N; k++) {
        p[k] = point_between(&rng, ri_vec3(-3, -3, -2), ri_vec3(3, 3, 2));
        x[k] = p[k].x;
        y[k] = p[k].y;
    }
    for (int kind = 0; kind < 2; kind++) {
        RiTerrain *t = heights_of(ctx, rough, 40, -2.0, 4.0, kind ? RI_BICUBIC : RI_BILINEAR, RI_EDGE_STOP);
        ri_terrain_height_many(t, N, x, y, many, found);
        ri_terrain_query_many(t, N, p, surfaces);
        for (int k = 0; k < N; k++) {
            RiHeight one;
            RiSurface s;
            CHECK(ri_terrain_height(t, x[k], y[k], &one) == found[k]);
            ri_terrain_query(t, p[k], &s);
            CHECK(memcmp(&one, &many[k], sizeof one) == 0);
            CHECK(memcmp(&s, &surfaces[k], sizeof s) == 0);
        }
        ri_terrain_destroy(t);
    }
    ri_context_destroy(ctx);
}

typedef void (*Batch)(const RiHeights *h, bool bends, int count, const double *x, const double *y, RiHeight *out);

TEST(lanes_of_all_instruction_sets_equal_single_points_bit_for_bit)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(5, "lanes");
    RiTerrain *t = heights_of(ctx, rough, 40, -2.0, 4.0, RI_BICUBIC, RI_EDGE_STOP);
#if defined(__x86_64__)
    const Batch batches[] = {ri_heights_bicubic_generic, ri_heights_bicubic_avx2, ri_heights_bicubic_avx512};
#else
    const Batch batches[] = {ri_heights_bicubic_generic};
#endif
    for (int trial = 0; trial < 300; trial++) {
        enum { MOST = 11 };
        double x[MOST], y[MOST];
        RiHeight many[MOST + 1], slopes[MOST];
        const int n = 1 + trial % MOST;
        for (int k = 0; k < n; k++) {
            x[k] = trial % 7 == k ? NAN : ri_rng_between(&rng, -3.0, 3.0);
            y[k] = trial % 11 == k ? INFINITY : ri_rng_between(&rng, -3.0, 3.0);
        }
        for (size_t set = 0; set < sizeof batches / sizeof *batches && set <= (size_t)ri_isa_best(); set++) {
            memset(many, 0x55, sizeof many);
            batches[set]((const RiHeights *)t, true, n, x, y, many);
            batches[set]((const RiHeights *)t, false, n, x, y, slopes);
            for (int k = 0; k < n; k++) {
                RiHeight one;
                (void)ri_terrain_height(t, x[k], y[k], &one);
                CHECK(isnan(one.z) ? isnan(many[k].z) : memcmp(&one, &many[k], sizeof one) == 0);
                CHECK(isnan(one.z) || (one.z == slopes[k].z && one.zx == slopes[k].zx && one.zy == slopes[k].zy));
                CHECK(slopes[k].flags == one.flags);
            }
            CHECK(memcmp(&many[n], &(uint64_t){0x5555555555555555u}, 8) == 0); // nothing behind the last
        }
    }
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

/// Closest distance by search: a fine raster of feet, then ever finer ones around the best.
static double brute_distance(const RiTerrain *t, RiVec3 p, double reach)
{
    double best = INFINITY, bx = p.x, by = p.y;
    for (double r = reach; r > 1e-9; r *= 0.2) {
        const double cx = bx, cy = by;
        for (int j = -20; j <= 20; j++)
            for (int i = -20; i <= 20; i++) {
                const double x = cx + r * i / 20.0, y = cy + r * j / 20.0;
                RiHeight h;
                ri_terrain_height(t, x, y, &h);
                const double d = hypot(hypot(x - p.x, y - p.y), h.z - p.z);
                if (d < best) {
                    best = d;
                    bx = x;
                    by = y;
                }
            }
    }
    return best;
}

/// The distance is that of a point of the ground, and a search finds none nearer.
static void check_distances(RiInterpolation kind, Surface f, int n, double away, int count)
{
    RiContext *ctx = context_open();
    RiTerrain *t = heights_of(ctx, f, n, -2.0, 4.0, kind, RI_EDGE_EXTEND);
    RiRng rng = ri_rng_stream(5, "distance");
    double worst = 0.0;
    CHECK(ri_terrain_info(t).exact);
    for (int k = 0; k < count; k++) {
        const double x = ri_rng_between(&rng, -2.4, 2.4), y = ri_rng_between(&rng, -2.4, 2.4);
        RiHeight h;
        ri_terrain_height(t, x, y, &h);
        const RiVec3 p = ri_vec3(x, y, h.z + ri_rng_between(&rng, -away, away));
        RiSurface s;
        ri_terrain_query(t, p, &s);
        CHECK((s.distance > 0.0) == (p.z > h.z));
        CHECK_CLOSE(ri_norm(s.normal), 1.0, 1e-12);
        const RiVec3 foot = ri_sub(p, ri_scale(s.distance, s.normal));
        ri_terrain_height(t, foot.x, foot.y, &h);
        CHECK_CLOSE(foot.z, h.z, 1e-8);
        const double d = brute_distance(t, p, 1.05 * fabs(s.distance) + 1e-6);
        CHECK(fabs(s.distance) <= d + 1e-9);
        worst = fmax(worst, fabs(fabs(s.distance) - d));
    }
    printf("     largest difference to a search %.2e\n", worst);
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST(distance_is_euclidean_on_smooth_ground)
{
    check_distances(RI_BICUBIC, waves, 33, 0.3, 500);
    check_distances(RI_BILINEAR, waves, 33, 0.05, 500);
}

TEST(distance_is_euclidean_far_from_rough_ground)
{
    check_distances(RI_BICUBIC, rough, 60, 1.5, 500);
    check_distances(RI_BILINEAR, rough, 60, 1.5, 500);
}

TEST(distance_is_euclidean_on_ground_without_any_smoothness)
{
    check_distances(RI_BICUBIC, jumble, 21, 0.5, 500);
    check_distances(RI_BILINEAR, jumble, 21, 0.5, 500);
}

TEST(distance_is_zero_on_the_surface_and_its_gradient_is_the_normal)
{
    RiContext *ctx = context_open();
    RiTerrain *t = heights_of(ctx, waves, 33, -2.0, 4.0, RI_BICUBIC, RI_EDGE_EXTEND);
    RiRng rng = ri_rng_stream(6, "gradient");
    for (int k = 0; k < 1000; k++) {
        const double x = ri_rng_between(&rng, -1.9, 1.9), y = ri_rng_between(&rng, -1.9, 1.9), e = 1e-6;
        RiHeight h;
        ri_terrain_height(t, x, y, &h);
        RiSurface s, a, b;
        ri_terrain_query(t, ri_vec3(x, y, h.z), &s);
        CHECK(s.distance == 0.0);
        const double deep = pow(10.0, ri_rng_between(&rng, -9.0, -1.0));
        const RiVec3 p = ri_vec3(x, y, h.z + (k % 2 ? deep : -deep));
        ri_terrain_query(t, p, &s);
        const RiVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int c = 0; c < 3; c++) {
            ri_terrain_query(t, ri_add(p, ri_scale(e, axis[c])), &a);
            ri_terrain_query(t, ri_sub(p, ri_scale(e, axis[c])), &b);
            CHECK_CLOSE((a.distance - b.distance) / (2 * e), ri_dot(s.normal, axis[c]), 2e-5);
        }
    }
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

/// First hit by small steps and bisection.
static bool brute_ray(const RiTerrain *t, RiVec3 o, RiVec3 d, double range, double step, double *out)
{
    for (double s = 0.0, before = 0.0; s <= range; before = s, s += step) {
        const RiVec3 p = ri_add(o, ri_scale(s, d));
        RiHeight h;
        ri_terrain_height(t, p.x, p.y, &h);
        if (p.z > h.z)
            continue;
        for (int k = 0; k < 50; k++) {
            const double mid = 0.5 * (before + s);
            const RiVec3 q = ri_add(o, ri_scale(mid, d));
            ri_terrain_height(t, q.x, q.y, &h);
            if (q.z > h.z)
                before = mid;
            else
                s = mid;
        }
        *out = s;
        return true;
    }
    return false;
}

TEST(rays_hit_where_brute_force_does)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(7, "rays");
    for (int kind = 0; kind < 2; kind++) {
        RiTerrain *t = heights_of(ctx, rough, 150, -2.0, 4.0, kind ? RI_BICUBIC : RI_BILINEAR, RI_EDGE_EXTEND);
        int hits = 0, grazed = 0;
        for (int k = 0; k < 2000; k++) {
            const RiVec3 o = point_between(&rng, ri_vec3(-4, -4, -0.2), ri_vec3(4, 4, 1.5));
            RiVec3 d = direction_of(&rng);
            d.z *= k % 2 ? 0.1 : 1.0;
            RiTerrainHit hit;
            double s = 0.0;
            const bool got = ri_terrain_ray(t, o, d, 8.0, &hit), want = brute_ray(t, o, d, 8.0, 0.002, &s);
            // A ray that grazes may be under the ground for less than a step of the search.
            if (got && (!want || hit.range < s - 1e-9)) {
                const RiVec3 p = ri_add(o, ri_scale(hit.range, d));
                RiHeight h;
                ri_terrain_height(t, p.x, p.y, &h);
                CHECK_CLOSE(p.z, h.z, 1e-9);
                grazed++;
                continue;
            }
            CHECK(got == want);
            if (got && want) {
                CHECK_CLOSE(hit.range, s, 1e-9);
                CHECK_CLOSE(ri_norm(ri_sub(hit.point, ri_add(o, ri_scale(s, d)))), 0.0, 1e-9);
                CHECK(s == 0.0 || ri_dot(hit.normal, d) <= 0.02);
                hits++;
            }
        }
        CHECK(hits > 500 && grazed < 10);
        ri_terrain_destroy(t);
    }
    ri_context_destroy(ctx);
}

TEST(endless_rays_end)
{
    RiContext *ctx = context_open();
    RiTerrain *t = heights_of(ctx, rough, 40, -2.0, 4.0, RI_BICUBIC, RI_EDGE_EXTEND);
    RiTerrainHit hit;
    CHECK(!ri_terrain_ray(t, ri_vec3(0, 0, 5), ri_vec3(0, 0, 1), INFINITY, &hit));
    CHECK(!ri_terrain_ray(t, ri_vec3(0, 0, 5), ri_vec3(1, 0, 0), INFINITY, &hit));
    CHECK(!ri_terrain_ray(t, ri_vec3(0, 0, 5), ri_vec3(0, 0, 0), INFINITY, &hit));
    CHECK(ri_terrain_ray(t, ri_vec3(0, 0, 5), ri_vec3(1, 0.5, -1e-3), INFINITY, &hit));
    CHECK(ri_terrain_ray(t, ri_vec3(-900, 4, 0.9), ri_vec3(1, 0, -1e-3), INFINITY, &hit));
    CHECK(!ri_terrain_ray(t, ri_vec3(NAN, 0, 5), ri_vec3(0, 0, -1), 10.0, &hit));
    CHECK(!ri_terrain_ray(t, ri_vec3(0, 0, 5), ri_vec3(0, 0, -1), NAN, &hit));
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST(beyond_the_edge_heights_go_on_or_stop_or_a_wall_stands)
{
    RiContext *ctx = context_open();
    RiTerrain *on = heights_of(ctx, rough, 33, -2.0, 4.0, RI_BICUBIC, RI_EDGE_EXTEND);
    RiTerrain *stop = heights_of(ctx, rough, 33, -2.0, 4.0, RI_BICUBIC, RI_EDGE_STOP);
    RiTerrain *wall = heights_of(ctx, level, 33, -2.0, 4.0, RI_BICUBIC, RI_EDGE_WALL);
    RiHeight a, b;
    RiSurface s;
    ri_terrain_height(on, 5.0, 0.3, &a);
    ri_terrain_height(on, 2.0, 0.3, &b);
    CHECK(a.z == b.z && a.zx == 0.0 && a.zy == b.zy && a.flags == 0);
    ri_terrain_height(stop, 5.0, 0.3, &a);
    CHECK(a.z == b.z && a.flags == RI_SURFACE_OUTSIDE);
    ri_terrain_height(stop, 2.0, 0.3, &a);
    CHECK(a.flags == 0);
    ri_terrain_query(stop, ri_vec3(0, -2.1, 3), &s);
    CHECK(s.flags == RI_SURFACE_OUTSIDE);
    ri_terrain_query(wall, ri_vec3(1.9, 0, 3.0), &s);
    CHECK_CLOSE(s.distance, 0.1, 1e-12);
    CHECK_CLOSE(s.normal.x, -1.0, 0.0);
    ri_terrain_query(wall, ri_vec3(0, -2.5, 3.0), &s);
    CHECK_CLOSE(s.distance, -0.5, 1e-12);
    CHECK_CLOSE(s.normal.y, 1.0, 0.0);
    ri_terrain_query(wall, ri_vec3(2.3, 2.4, 3.0), &s);
    CHECK_CLOSE(s.distance, -0.5, 1e-12);
    CHECK_CLOSE(s.normal.x, -0.6, 1e-12);
    RiTerrainHit hit;
    CHECK(ri_terrain_ray(wall, ri_vec3(0, 0, 3), ri_vec3(1, 0.1, 0.5), INFINITY, &hit));
    CHECK_CLOSE(hit.range, 2.0, 1e-12);
    CHECK_CLOSE(hit.normal.x, -1.0, 0.0);
    CHECK(ri_terrain_ray(wall, ri_vec3(0, 0, 3), ri_vec3(0, -1, -1e-6), 2.5, &hit));
    CHECK_CLOSE(hit.normal.y, 1.0, 0.0);
    CHECK(!ri_terrain_ray(wall, ri_vec3(0, 0, 3), ri_vec3(0, -1, -1e-6), 1.5, &hit));
    CHECK(ri_terrain_ray(wall, ri_vec3(0, 0, 3), ri_vec3(0, 1, -4), 10.0, &hit));
    CHECK_CLOSE(hit.range, 0.5, 1e-12);
    ri_terrain_destroy(on);
    ri_terrain_destroy(stop);
    ri_terrain_destroy(wall);
    ri_context_destroy(ctx);
}

TEST(holes_are_refused_with_a_count_or_filled_smoothly)
{
    RiContext *ctx = context_open();
    RiRaster *r = raster_of(ctx, harmonic, 81, -2.0, 4.0);
    for (int j = 20; j < 60; j++)
        for (int i = 30; i < 66; i++)
            if (hypot(i - 48, j - 40) < 17)
                r->values[81 * j + i] = NAN;
    r->values[0] = NAN;
    RiHeightsDef def = ri_heights_def_default();
    def.raster = r;
    RiTerrain *t;
    CHECK_ERROR(ctx, ri_terrain_create_heights(ctx, &def, &t), RI_ERR_FORMAT, "the first at column 0, row 0");
    CHECK(t == NULL && strstr(ri_context_message(ctx), "of 81 x 81 are missing"));
    def.holes = RI_HOLES_FILL;
    REQUIRE_OK(ctx, ri_terrain_create_heights(ctx, &def, &t));
    double worst = 0.0;
    for (int j = 20; j < 60; j++)
        for (int i = 30; i < 66; i++) {
            RiHeight h;
            const double x = r->x0 + i * r->dx, y = r->y0 + j * r->dy;
            ri_terrain_height(t, x, y, &h);
            worst = fmax(worst, fabs(h.z - harmonic(x, y)));
            if (hypot(i - 48, j - 40) < 15)
                CHECK(h.flags == RI_SURFACE_HOLE);
        }
    printf("     a harmonic surface comes back within %.2e m of %.1f m\n", worst, 18.0);
    CHECK(worst < 2e-3);
    RiHeight h;
    ri_terrain_height(t, -1.0, -1.0, &h);
    CHECK(h.flags == 0);
    ri_terrain_destroy(t);
    for (int k = 0; k < 81 * 81; k++)
        r->values[k] = NAN;
    CHECK_ERROR(ctx, ri_terrain_create_heights(ctx, &def, &t), RI_ERR_FORMAT, "all of the 81 x 81 heights are missing");
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

TEST(infinite_heights_and_absurd_sizes_are_refused_by_name)
{
    RiContext *ctx = context_open();
    RiRaster *r = raster_of(ctx, waves, 9, 0.0, 1.0), *bad;
    RiHeightsDef def = ri_heights_def_default();
    def.raster = r;
    RiTerrain *t;
    r->values[9 * 3 + 5] = INFINITY;
    r->values[9 * 4 + 5] = -3e38f;
    CHECK_ERROR(ctx, ri_terrain_create_heights(ctx, &def, &t), RI_ERR_FORMAT,
                "2 of 9 x 9 are infinite or beyond 1e+09 m, the first at column 5, row 3");
    CHECK_ERROR(ctx, ri_raster_create(ctx, 1, 5, 1.0, 1.0, &bad), RI_ERR_LIMIT, "size 1 x 5");
    CHECK_ERROR(ctx, ri_raster_create(ctx, 100000, 100000, 1.0, 1.0, &bad), RI_ERR_LIMIT, "size 100000 x 100000");
    CHECK_ERROR(ctx, ri_raster_create(ctx, 5, 5, NAN, 1.0, &bad), RI_ERR_ARGUMENT, "spacing");
    CHECK_ERROR(ctx, ri_raster_create(ctx, 5, 5, 1.0, -1.0, &bad), RI_ERR_ARGUMENT, "spacing");
    r->nx = -4;
    CHECK_ERROR(ctx, ri_terrain_create_heights(ctx, &def, &t), RI_ERR_LIMIT, "size -4 x 9");
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

TEST(a_query_at_nan_answers_nan)
{
    RiContext *ctx = context_open();
    RiTerrain *t = heights_of(ctx, waves, 9, 0.0, 1.0, RI_BICUBIC, RI_EDGE_EXTEND);
    RiHeight h;
    RiSurface s;
    CHECK(!ri_terrain_height(t, NAN, 0.5, &h));
    CHECK(isnan(h.z));
    ri_terrain_query(t, ri_vec3(0.5, NAN, 0.5), &s);
    CHECK(isnan(s.distance));
    ri_terrain_query(t, ri_vec3(0.5, 0.5, NAN), &s);
    CHECK(isnan(s.distance));
    ri_terrain_query(t, ri_vec3(1e300, -1e300, 0.5), &s);
    CHECK(isfinite(s.distance));
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST(a_raster_of_four_values_works)
{
    RiContext *ctx = context_open();
    RiTerrain *t = heights_of(ctx, harmonic, 2, 0.0, 1.0, RI_BICUBIC, RI_EDGE_EXTEND);
    RiHeight h;
    CHECK(ri_terrain_height(t, 0.5, 0.5, &h));
    CHECK_CLOSE(h.z, (0.0 + 4.0 - 1.0 + 3.5) / 4.0, 1e-12);
    RiTerrainHit hit;
    CHECK(ri_terrain_ray(t, ri_vec3(0.2, 0.3, 9.0), ri_vec3(0.05, 0.01, -1), 20.0, &hit));
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST(clearance_finds_the_bump_under_the_belly)
{
    RiContext *ctx = context_open();
    RiRaster *r = raster_of(ctx, level, 81, -2.0, 4.0);
    r->values[81 * 44 + 46] = 1.3f; // at (0.3, 0.2)
    RiHeightsDef def = ri_heights_def_default();
    def.raster = r;
    def.interpolation = RI_BILINEAR;
    RiTerrain *t;
    REQUIRE_OK(ctx, ri_terrain_create_heights(ctx, &def, &t));
    RiPose box = ri_pose_identity();
    box.p.z = 2.0;
    RiClearance c;
    ri_terrain_clearance(t, &box, ri_vec3(1.0, 0.5, 0.5), 0.02, &c);
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(c.corner[k], 0.5, 1e-7);
    CHECK_CLOSE(c.belly, 0.2, 1e-2);
    CHECK_CLOSE(hypot(c.where.x - 0.3, c.where.y - 0.2), 0.0, 0.02);
    box.R = ri_mat3_rpy(0.0, 0.1, 0.0); // nose down
    ri_terrain_clearance(t, &box, ri_vec3(1.0, 0.5, 0.5), 0.02, &c);
    CHECK_CLOSE(c.corner[0], 1.0 - sin(0.1) - 0.5 * cos(0.1), 1e-6);
    CHECK_CLOSE(c.corner[2], 1.0 + sin(0.1) - 0.5 * cos(0.1), 1e-6);
    ri_terrain_destroy(t);
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

TEST(an_overview_samples_the_ground)
{
    RiContext *ctx = context_open();
    RiTerrain *t = heights_of(ctx, waves, 40, -2.0, 4.0, RI_BICUBIC, RI_EDGE_EXTEND);
    RiRaster *r;
    REQUIRE_OK(ctx, ri_terrain_overview(ctx, t, -1.0, -1.0, 1.0, 0.0, 100, &r));
    CHECK_INT(r->nx, 100);
    CHECK_INT(r->ny, 50);
    RiHeight h;
    ri_terrain_height(t, r->x0 + 70 * r->dx, r->y0 + 30 * r->dy, &h);
    CHECK(r->values[30 * 100 + 70] == (float)h.z);
    ri_raster_destroy(r);
    CHECK_ERROR(ctx, ri_terrain_overview(ctx, t, -1.0, -1.0, -1.0, 0.0, 100, &r), RI_ERR_ARGUMENT, "overview");
    CHECK_ERROR(ctx, ri_terrain_overview(ctx, t, -1.0, -1.0, INFINITY, 0.0, 100, &r), RI_ERR_ARGUMENT, "finite");
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST(subnormal_heights_are_zero)
{
    RiContext *ctx = context_open();
    RiRaster *r;
    RiTerrain *t;
    CHECK_OK(ctx, ri_raster_create(ctx, 4, 4, 1.0, 1.0, &r));
    for (int k = 0; k < 16; k++)
        r->values[k] = k % 2 ? 1e-42F : -3e-39F;
    RiHeightsDef def = ri_heights_def_default();
    def.raster = r;
    CHECK_OK(ctx, ri_terrain_create_heights(ctx, &def, &t));
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            RiHeight h;
            CHECK(ri_terrain_height(t, r->x0 + i, r->y0 + j, &h) && h.z == 0.0);
        }
    ri_terrain_destroy(t);
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

TEST(every_failed_allocation_is_reported_and_nothing_leaks)
{
    for (int n = 1; n < 200; n++) {
        Failing failing = {n};
        RiContext *ctx;
        const RiAllocator allocator = {failing_resize, failing_release, &failing};
        if (ri_context_create(&allocator, &ctx) != RI_OK)
            continue;
        RiRaster *r;
        RiTerrain *t = NULL;
        RiStatus status = ri_raster_create(ctx, 40, 40, 0.1, 0.1, &r);
        if (status == RI_OK) {
            for (int k = 100; k < 300; k++)
                r->values[k] = NAN;
            RiHeightsDef def = ri_heights_def_default();
            def.raster = r;
            def.holes = RI_HOLES_FILL;
            status = ri_terrain_create_heights(ctx, &def, &t);
            CHECK((t == NULL) == (status != RI_OK));
        }
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        ri_terrain_destroy(t);
        ri_raster_destroy(r);
        ri_context_destroy(ctx);
        if (status == RI_OK)
            return;
    }
    CHECK(!"never succeeded");
}

TEST_MAIN(CASE(bilinear_height_is_of_order_2_and_its_slope_of_order_1),
          CASE(bicubic_height_slope_curvature_are_of_order_3_2_1), CASE(values_come_back_to_the_last_bit),
          CASE(slope_and_curvature_are_those_of_the_height), CASE(no_ground_is_more_curved_than_its_bound),
          CASE(bicubic_slopes_are_continuous_across_cells), CASE(batch_equals_single_bit_for_bit),
          CASE(lanes_of_all_instruction_sets_equal_single_points_bit_for_bit),
          CASE(distance_is_euclidean_on_smooth_ground), CASE(distance_is_euclidean_far_from_rough_ground),
          CASE(distance_is_euclidean_on_ground_without_any_smoothness),
          CASE(distance_is_zero_on_the_surface_and_its_gradient_is_the_normal), CASE(rays_hit_where_brute_force_does),
          CASE(endless_rays_end), CASE(beyond_the_edge_heights_go_on_or_stop_or_a_wall_stands),
          CASE(holes_are_refused_with_a_count_or_filled_smoothly),
          CASE(infinite_heights_and_absurd_sizes_are_refused_by_name), CASE(a_query_at_nan_answers_nan),
          CASE(a_raster_of_four_values_works), CASE(clearance_finds_the_bump_under_the_belly),
          CASE(an_overview_samples_the_ground), CASE(subnormal_heights_are_zero),
          CASE(every_failed_allocation_is_reported_and_nothing_leaks))
