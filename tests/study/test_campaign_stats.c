// SPDX-License-Identifier: Apache-2.0
#include <rille/context.h>
#include <rille/study/dist.h>
#include <rille/study/indices.h>
#include <rille/study/posterior.h>
#include <rille/study/sample.h>
#include <rille/study/search.h>
#include <rille/study/stats.h>

#include "check.h"
#include "validate/validate.h"

static void check_row(void *user, const RiRow *row)
{
    (void)user;
    if (row->verdict == RI_VERDICT_FAIL)
        CHECK_FAIL("%s: ours %g, allowed %g to %g", row->quantity, row->ours, row->low, row->high);
}

TEST(published_figures_are_met)
{
    RiValidation run = {.sink = check_row};
    REQUIRE(ri_context_create(NULL, &run.ctx) == RI_OK);
    CHECK_OK(run.ctx, ri_validate_run(&run, ri_validate_find("campaign")));
    CHECK(run.passed >= 15);
    ri_context_destroy(run.ctx);
}

TEST(normal_quantile_inverts_the_distribution_function)
{
    for (double p = 1e-12; p < 1.0; p = p * 1.7 + 1e-13) {
        const double z = ri_normal_quantile(p);
        CHECK_CLOSE(ri_normal_cdf(z) / p, 1.0, 1e-13);
        CHECK_CLOSE(ri_normal_quantile(1.0 - p), -z, 1e-9 * fabs(z) / fmin(1.0, p * 1e6) + 1e-12);
    }
    CHECK_CLOSE(ri_normal_quantile(0.975), 1.959963984540054, 1e-14);
}

TEST(beta_is_symmetric_and_meets_closed_forms)
{
    for (double x = 0.01; x < 1.0; x += 0.07) {
        CHECK_CLOSE(ri_beta_cdf(3.0, 1.0, x), x * x * x, 1e-14);
        CHECK_CLOSE(ri_beta_cdf(2.5, 7.5, x) + ri_beta_cdf(7.5, 2.5, 1.0 - x), 1.0, 1e-13);
        CHECK_CLOSE(ri_beta_cdf(2.5, 7.5, ri_beta_quantile(2.5, 7.5, x)), x, 1e-13);
    }
}

TEST(every_quantile_function_inverts_its_distribution_function)
{
    static const double sample[] = {1.0, 2.0, 2.5, 7.0};
    const RiDist list[] = {
        {.kind = RI_DIST_UNIFORM, .a = -1, .b = 3, .low = -INFINITY, .high = INFINITY},
        {.kind = RI_DIST_NORMAL, .a = 5, .b = 2, .low = -INFINITY, .high = INFINITY},
        {.kind = RI_DIST_NORMAL, .a = 5, .b = 2, .low = 4, .high = 4.5},
        {.kind = RI_DIST_LOGNORMAL, .a = 2, .b = 0.4, .low = -INFINITY, .high = INFINITY},
        {.kind = RI_DIST_TRIANGULAR, .a = 1, .b = 2, .c = 5, .low = -INFINITY, .high = 4},
        {.kind = RI_DIST_EMPIRICAL, .values = sample, .count = 4, .low = -INFINITY, .high = INFINITY},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        CHECK(ri_dist_check(&list[i]) == NULL);
        for (double u = 0.003; u < 1.0; u += 0.017) {
            const double x = ri_dist_quantile(&list[i], u);
            CHECK_CLOSE(ri_dist_cdf(&list[i], x), u, 1e-12);
            CHECK(x >= list[i].low && x <= list[i].high);
        }
    }
}

TEST(senseless_distributions_are_refused)
{
    const RiDist bad[] = {
        {.kind = RI_DIST_UNIFORM, .a = 3, .b = 3, .low = -INFINITY, .high = INFINITY},
        {.kind = RI_DIST_NORMAL, .a = 0, .b = -1, .low = -INFINITY, .high = INFINITY},
        {.kind = RI_DIST_NORMAL, .a = 0, .b = 1, .low = 40, .high = 50},
        {.kind = RI_DIST_NORMAL, .a = 0, .b = 1, .low = 2, .high = 1},
        {.kind = RI_DIST_LOGNORMAL, .a = -1, .b = 1, .low = -INFINITY, .high = INFINITY},
        {.kind = RI_DIST_TRIANGULAR, .a = 0, .b = 3, .c = 2, .low = -INFINITY, .high = INFINITY},
        {.kind = RI_DIST_NORMAL, .a = NAN, .b = 1, .low = -INFINITY, .high = INFINITY},
        {.kind = RI_DIST_GRID, .a = 0, .b = 1, .c = -1, .low = -INFINITY, .high = INFINITY},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(ri_dist_check(&bad[i]) != NULL);
}

TEST(copula_gives_the_correlation_of_its_normal_scores)
{
    enum { N = 20000 };
    static double x[N], y[N];
    double R[] = {1, 0.7, 0.7, 1}, work[2];
    const RiDesign d = {.kind = RI_DESIGN_RANDOM, .seed = 3, .dimensions = 2, .blocks = {N}, .block_count = 1};
    REQUIRE(ri_copula_factor(2, R));
    for (int k = 0; k < N; k++) {
        double u[2];
        ri_design_point(&d, k, u);
        ri_copula_apply(2, R, u, work);
        x[k] = ri_normal_quantile(u[0]);
        y[k] = ri_normal_quantile(u[1]);
    }
    CHECK_CLOSE(ri_correlation(x, y, N), 0.7, 4 * 0.51 / sqrt(N));
    CHECK_CLOSE(ri_variance(y, N), 1.0, 4 * sqrt(2.0 / N));
    double none[] = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1};
    CHECK(!ri_copula_factor(3, none));
}

TEST(latin_hypercube_has_one_point_in_each_stratum)
{
    enum { N = 97, D = 7 };
    RiDesign d = {.kind = RI_DESIGN_LATIN, .seed = 9, .dimensions = D, .blocks = {N, 31}, .block_count = 2};
    for (int i = 0; i < D; i++)
        for (int block = 0; block < 2; block++) {
            int seen[N] = {0};
            const int n = d.blocks[block], first = block ? N : 0;
            for (int k = 0; k < n; k++) {
                double u[D];
                ri_design_point(&d, first + k, u);
                CHECK(u[i] > 0.0 && u[i] < 1.0);
                seen[(int)(u[i] * n)]++;
            }
            for (int k = 0; k < n; k++)
                CHECK_INT(seen[k], 1);
        }
    d.midpoint = true;
    d.blocks[0] = 10;
    d.block_count = 1;
    double mean = 0.0, square = 0.0;
    for (int k = 0; k < 10; k++) {
        double u[D];
        ri_design_point(&d, k, u);
        mean += u[0] / 10;
        square += u[0] * u[0] / 10;
    }
    CHECK_CLOSE(mean, 0.5, 1e-15);
    CHECK_CLOSE(square, 0.3325, 1e-15);
}

/// Variance of the mean of a smooth additive function over many hypercubes of n points.
static double variance_of_mean(int n)
{
    double means[300];
    for (int s = 0; s < 300; s++) {
        const RiDesign d = {
            .kind = RI_DESIGN_LATIN, .seed = (uint64_t)s, .dimensions = 2, .blocks = {n}, .block_count = 1};
        means[s] = 0.0;
        for (int k = 0; k < n; k++) {
            double u[2];
            ri_design_point(&d, k, u);
            means[s] += (exp(u[0]) + u[1] * u[1]) / n;
        }
    }
    return ri_variance(means, 300);
}

TEST(latin_hypercube_mean_of_an_additive_function_has_variance_of_third_order)
{
    const double ratio = variance_of_mean(10) / variance_of_mean(40);
    CHECK(ratio > 40.0 && ratio < 100.0); // 4^3 = 64; 4 for random points
}

TEST(sample_k_does_not_depend_on_batch_or_extension)
{
    for (int kind = 0; kind < RI_DESIGN_KINDS; kind++) {
        RiDesign d = {.kind = (RiDesignKind)kind,
                      .scrambled = true,
                      .seed = 4,
                      .dimensions = 3,
                      .blocks = {100},
                      .block_count = 1};
        d.levels[0] = 5;
        double before[100][3], u[3];
        for (int k = 0; k < 100; k++)
            ri_design_point(&d, k, before[k]);
        d.blocks[d.block_count++] = 55; // extended
        for (int k = 99; k >= 0; k--) {
            ri_design_point(&d, k, u);
            CHECK(memcmp(u, before[k], sizeof u) == 0);
        }
    }
}

TEST(scrambled_sobol_points_keep_their_nets)
{
    // In each dimension 2^m points have one in every interval of 2^-m; in dimensions 1 and 2 also
    // one in every box of area 2^-m.
    enum { M = 6, N = 1 << M };
    const RiDesign d = {
        .kind = RI_DESIGN_SOBOL, .scrambled = true, .seed = 21, .dimensions = 21, .blocks = {N}, .block_count = 1};
    static double u[N][21];
    for (int k = 0; k < N; k++)
        ri_design_point(&d, k, u[k]);
    for (int i = 0; i < 21; i++) {
        int seen[N] = {0};
        for (int k = 0; k < N; k++)
            seen[(int)(u[k][i] * N)]++;
        for (int k = 0; k < N; k++)
            CHECK_INT(seen[k], 1);
    }
    for (int a = 0; a <= M; a++) {
        int seen[N] = {0};
        for (int k = 0; k < N; k++)
            seen[((int)(u[k][0] * (1 << a)) << (M - a)) + (int)(u[k][1] * (1 << (M - a)))]++;
        for (int k = 0; k < N; k++)
            CHECK_INT(seen[k], 1);
    }
}

TEST(scrambling_is_unbiased)
{
    double sum = 0.0;
    for (int s = 0; s < 400; s++) {
        const RiDesign d = {.kind = RI_DESIGN_SOBOL,
                            .scrambled = true,
                            .seed = (uint64_t)s,
                            .dimensions = 1,
                            .blocks = {1},
                            .block_count = 1};
        double u;
        ri_design_point(&d, 0, &u);
        sum += u / 400;
    }
    CHECK_CLOSE(sum, 0.5, 4 * sqrt(1.0 / 12 / 400));
}

TEST(permutation_visits_every_place_once)
{
    for (uint32_t n = 1; n < 300; n += 13) {
        int seen[300] = {0};
        for (uint32_t k = 0; k < n; k++)
            seen[ri_permute(k, n, 77)]++;
        for (uint32_t k = 0; k < n; k++)
            CHECK_INT(seen[k], 1);
    }
}

TEST(grid_visits_every_combination)
{
    RiDesign d = {.kind = RI_DESIGN_GRID, .dimensions = 2, .levels = {3, 4}, .blocks = {12}, .block_count = 1};
    int seen[12] = {0};
    CHECK_INT(ri_design_grid_size(&d), 12);
    for (int k = 0; k < 12; k++) {
        double u[2];
        ri_design_point(&d, k, u);
        seen[(int)(u[0] * 3) * 4 + (int)(u[1] * 4)]++;
        CHECK_INT((int)(u[0] * 3), k / 4); // the first varies slowest
    }
    for (int k = 0; k < 12; k++)
        CHECK_INT(seen[k], 1);
}

TEST(exact_intervals_cover_at_least_their_confidence)
{
    for (double p = 0.02; p < 1.0; p += 0.12) {
        double covered = 0.0;
        for (int k = 0; k <= 40; k++) {
            const RiInterval c = ri_clopper_pearson(k, 40, 0.95);
            if (c.low <= p && p <= c.high)
                covered += ri_binomial_cdf(k, 40, p) - ri_binomial_cdf(k - 1, 40, p);
        }
        CHECK(covered >= 0.95);
    }
}

TEST(linear_function_has_the_indices_of_its_variances)
{
    enum { N = 4096, D = 3 };
    static double y[N * (D + 2)], work[2 * D * 50];
    const double S[] = {0.870967741935, 0.0322580645161, 0.0967741935484}, c[] = {3, -2, 0.5}, v[] = {1, 1.0 / 12, 4};
    const RiDesign d = {.kind = RI_DESIGN_SALTELLI,
                        .scrambled = true,
                        .seed = 2,
                        .dimensions = D,
                        .blocks = {N * (D + 2)},
                        .block_count = 1};
    RiSobolIndex index[D];
    for (int k = 0; k < N * (D + 2); k++) {
        double u[D];
        ri_design_point(&d, k, u);
        y[k] = 0.0;
        for (int i = 0; i < D; i++)
            y[k] += c[i] * sqrt(12.0 * v[i]) * u[i];
    }
    ri_sobol_indices(y, N, D, 0.95, 50, 1, work, index);
    for (int i = 0; i < D; i++) {
        CHECK_CLOSE(index[i].first, S[i], 0.01);
        CHECK_CLOSE(index[i].total, S[i], 0.01);
    }
}

// ------------------------------------------------------------------------------- searches and fits

static RiStatus rosenbrock(void *user, int n, int count, const double *x, double *out_f, double *out_violation)
{
    const double *bound = user;
    for (int k = 0; k < count; k++) {
        const double *p = x + (size_t)(k * n);
        out_f[k] = 0.0;
        for (int i = 0; i + 1 < n; i++)
            out_f[k] += 100 * pow(p[i + 1] - p[i] * p[i], 2) + pow(1 - p[i], 2);
        out_violation[k] = bound ? fmax(0.0, p[0] - *bound) : 0.0;
    }
    return RI_OK;
}

TEST(evolution_strategy_finds_the_minimum_of_rosenbrocks_valley)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const double low[] = {-2, -2, -2, -2}, high[] = {3, 3, 3, 3};
    const RiCmaOptions o = {.n = 4, .low = low, .high = high, .evaluations = 8000, .tolerance = 1e-9, .seed = 1};
    RiCmaResult r;
    REQUIRE_OK(ctx, ri_cma_minimise(ctx, &o, rosenbrock, NULL, &r));
    CHECK_CLOSE(r.f, 0.0, 1e-9);
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(r.x[i], 1.0, 1e-4);
    ri_context_destroy(ctx);
}

TEST(evolution_strategy_keeps_a_constraint)
{
    // Minimum of Rosenbrock's function with x1 <= 0.5: (0.5, 0.25), f = 0.25.
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const double low[] = {-2, -2}, high[] = {2, 2};
    double bound = 0.5;
    const RiCmaOptions o = {.n = 2, .low = low, .high = high, .evaluations = 6000, .tolerance = 1e-8, .seed = 2};
    RiCmaResult r;
    REQUIRE_OK(ctx, ri_cma_minimise(ctx, &o, rosenbrock, &bound, &r));
    CHECK_CLOSE(r.violation, 0.0, 0.0);
    CHECK_CLOSE(r.f, 0.25, 1e-4);
    CHECK_CLOSE(r.x[0], 0.5, 1e-4);
    ri_context_destroy(ctx);
}

static RiStatus no_failure(void *user, int n, int count, const double *z, double *out_g, double *out_violation)
{
    (void)user, (void)out_violation;
    for (int k = 0; k < count; k++)
        out_g[k] = 1.0 + z[k * n] * z[k * n];
    return RI_OK;
}

TEST(subset_simulation_says_that_no_failure_was_found)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const RiSubsetOptions o = {.n = 2, .samples = 200, .levels = 4, .seed = 1};
    RiSubsetResult r;
    CHECK_ERROR(ctx, ri_subset_probability(ctx, &o, no_failure, NULL, &r), RI_ERR_NUMERIC, "no failure was reached");
    ri_context_destroy(ctx);
}

/// Half a space: g = distance - a z, with a of length 1.
static RiStatus plane(void *user, int n, int count, const double *z, double *out_g, double *out_violation)
{
    const double distance = *(const double *)user;
    (void)out_violation;
    for (int k = 0; k < count; k++) {
        out_g[k] = distance;
        for (int i = 0; i < n; i++)
            out_g[k] -= z[k * n + i] / sqrt(n);
    }
    return RI_OK;
}

/// The outside of a sphere fails; beyond twice its radius nothing can be evaluated.
static RiStatus sphere(void *user, int n, int count, const double *z, double *out_g, double *out_violation)
{
    const double radius = *(const double *)user;
    (void)out_violation;
    for (int k = 0; k < count; k++) {
        double square = 0.0;
        for (int i = 0; i < n; i++)
            square += z[k * n + i] * z[k * n + i];
        out_g[k] = square > 4.0 * radius * radius ? NAN : radius * radius - square;
    }
    return RI_OK;
}

TEST(subset_simulation_meets_a_probability_of_one_in_a_hundred_thousand)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    double distance = -ri_normal_quantile(1e-5);
    const RiSubsetOptions o = {.n = 5, .samples = 2000, .seed = 4};
    RiSubsetResult r;
    REQUIRE_OK(ctx, ri_subset_probability(ctx, &o, plane, &distance, &r));
    CHECK(r.variation > 0.0 && r.variation < 0.4);
    CHECK_CLOSE(r.probability, 1e-5, 3e-5 * r.variation);
    CHECK(r.evaluations < 20000); // plain sampling needs a million for ten failures
    ri_context_destroy(ctx);
}

TEST(rays_meet_the_boundary_of_a_sphere)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    double radius = 2.5;
    RiBoundaryPoint points[20];
    RiBoundaryResult r;
    // P(chi-squared > 6.25) for 1 to 4 degrees of freedom.
    const double x = 0.5 * radius * radius, one = erfc(sqrt(x));
    const double tails[] = {one, exp(-x), one + exp(-x) * radius * sqrt(2.0 / M_PI), exp(-x) * (1.0 + x)};
    for (int n = 1; n <= 4; n++) {
        const RiBoundaryOptions o = {.n = n, .rays = 20, .iterations = 60, .tolerance = 1e-9, .rounds = 2, .seed = 3};
        REQUIRE_OK(ctx, ri_boundary_search(ctx, &o, sphere, &radius, points, &r));
        CHECK_INT(r.found, 20);
        CHECK(!r.fails_at_start);
        for (int i = 0; i < 20; i++)
            CHECK_CLOSE(points[i].radius, radius, 1e-8);
        CHECK_CLOSE(r.probability, tails[n - 1], 1e-8);
        CHECK_CLOSE(r.nearest.radius, radius, 1e-8);
    }
    ri_context_destroy(ctx);
}

TEST(the_nearest_point_of_a_plane_is_found_from_both_sides)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiBoundaryPoint points[400];
    RiBoundaryResult r;
    const double distances[] = {2.5, -1.5};
    for (int i = 0; i < 2; i++) {
        double distance = distances[i];
        const RiBoundaryOptions o = {.n = 3, .rays = 400, .reach = 8.0, .rounds = 12, .seed = 5};
        REQUIRE_OK(ctx, ri_boundary_search(ctx, &o, plane, &distance, points, &r));
        CHECK(r.fails_at_start == (distance < 0.0));
        CHECK_CLOSE(r.nearest.radius, fabs(distance), 1e-3);
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(r.nearest.z[k], distance / sqrt(3.0), 0.05);
        CHECK_CLOSE(r.probability, ri_normal_cdf(-distance), 4.0 * r.variation * r.probability);
        CHECK(r.variation < 0.15);
    }
    ri_context_destroy(ctx);
}

TEST(a_boundary_that_no_ray_meets_is_said)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    double distance = 9.0;
    RiBoundaryPoint points[10];
    RiBoundaryResult r;
    const RiBoundaryOptions o = {.n = 2, .rays = 10, .rounds = 3, .seed = 5}, odd = {.n = 2, .rays = 9};
    CHECK_ERROR(ctx, ri_boundary_search(ctx, &o, plane, &distance, points, &r), RI_ERR_NUMERIC, "no boundary");
    CHECK_INT(r.evaluations, 61);
    CHECK_ERROR(ctx, ri_boundary_search(ctx, &odd, plane, &distance, points, &r), RI_ERR_ARGUMENT, "even");
    ri_context_destroy(ctx);
}

/// y = a exp(-b t) + c d: of c and d only the product is seen.
static RiStatus decay(void *user, int n, const double *x, int m, double *out_r)
{
    (void)n;
    const double *noise = user;
    for (int i = 0; i < m; i++) {
        const double t = 0.1 * i;
        out_r[i] = (x[0] * exp(-x[1] * t) + x[2] * x[3] - (2.0 * exp(-0.7 * t) + 0.3) - noise[i % 5]) / 0.01;
    }
    return RI_OK;
}

TEST(least_squares_finds_what_the_data_see_and_names_what_they_do_not)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const double low[] = {0, 0, 0.1, 0.1}, high[] = {5, 3, 1, 1};
    double noise[] = {0.004, -0.006, 0.001, 0.005, -0.004};
    const RiLeastSquares o = {.n = 4, .m = 60, .low = low, .high = high};
    RiLeastSquaresResult r;
    REQUIRE_OK(ctx, ri_least_squares(ctx, &o, decay, noise, &r));
    CHECK_CLOSE(r.x[0], 2.0, 0.02);
    CHECK_CLOSE(r.x[1], 0.7, 0.02);
    CHECK_CLOSE(r.x[2] * r.x[3], 0.3, 0.01);
    CHECK_INT(r.identifiable, 3);
    CHECK(fabs(r.direction[3 * 4 + 0]) < 0.05 && fabs(r.direction[3 * 4 + 1]) < 0.05); // the weak one is c against d
    CHECK(r.uncertainty[3] > 1.0 && r.uncertainty[2] < 0.1);
    ri_context_destroy(ctx);
}

TEST(student_quantiles_meet_closed_forms)
{
    // One degree of freedom is Cauchy's distribution, two have an algebraic form, many are nearly
    // normal.
    for (double c = 0.1; c < 0.999; c += 0.0999) {
        CHECK_CLOSE(ri_student_quantile(1, c), tan(0.5 * 3.14159265358979323846 * c), 1e-9 * (1 + tan(1.55 * c)));
        CHECK_CLOSE(ri_student_quantile(2, c), c * sqrt(2.0 / (1.0 - c * c)), 1e-9 / (1.0 - c));
        const double z = ri_normal_quantile(0.5 + 0.5 * c);
        CHECK_CLOSE(ri_student_quantile(1e6, c), z + z * (z * z + 1.0) / 4e6, 1e-8);
    }
    CHECK_CLOSE(ri_student_quantile(9, 0.95), 2.2621571627409915, 1e-9); // tables
}

TEST_MAIN(CASE(student_quantiles_meet_closed_forms), CASE(published_figures_are_met),
          CASE(normal_quantile_inverts_the_distribution_function), CASE(beta_is_symmetric_and_meets_closed_forms),
          CASE(every_quantile_function_inverts_its_distribution_function), CASE(senseless_distributions_are_refused),
          CASE(copula_gives_the_correlation_of_its_normal_scores), CASE(latin_hypercube_has_one_point_in_each_stratum),
          CASE(latin_hypercube_mean_of_an_additive_function_has_variance_of_third_order),
          CASE(sample_k_does_not_depend_on_batch_or_extension), CASE(scrambled_sobol_points_keep_their_nets),
          CASE(scrambling_is_unbiased), CASE(permutation_visits_every_place_once), CASE(grid_visits_every_combination),
          CASE(exact_intervals_cover_at_least_their_confidence), CASE(linear_function_has_the_indices_of_its_variances),
          CASE(evolution_strategy_finds_the_minimum_of_rosenbrocks_valley), CASE(evolution_strategy_keeps_a_constraint),
          CASE(subset_simulation_says_that_no_failure_was_found),
          CASE(subset_simulation_meets_a_probability_of_one_in_a_hundred_thousand),
          CASE(rays_meet_the_boundary_of_a_sphere), CASE(the_nearest_point_of_a_plane_is_found_from_both_sides),
          CASE(a_boundary_that_no_ray_meets_is_said),
          CASE(least_squares_finds_what_the_data_see_and_names_what_they_do_not))
