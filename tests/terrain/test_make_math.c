// SPDX-License-Identifier: Apache-2.0
/// \file
/// The elementary functions and distributions of synthesis, against the C library and closed forms.
#include "terrain/make.h"

#include "check.h"

TEST(exp_log_and_atan2_agree_with_the_c_library_to_a_few_ulp)
{
    RiRng rng = ri_rng_stream(1, "math");
    double worst_exp = 0.0, worst_log = 0.0, worst_atan = 0.0;
    for (int k = 0; k < 200000; k++) {
        const double x = ri_rng_between(&rng, -300.0, 300.0), y = exp(ri_rng_between(&rng, -300.0, 300.0));
        const double a = ri_rng_between(&rng, -1.0, 1.0), b = ri_rng_between(&rng, -1.0, 1.0);
        worst_exp = fmax(worst_exp, fabs(make_exp(x) / exp(x) - 1.0));
        worst_log = fmax(worst_log, fabs(make_log(y) - log(y)) / fmax(fabs(log(y)), 1e-3));
        worst_atan = fmax(worst_atan, fabs(make_atan2(a, b) - atan2(a, b)));
    }
    CHECK_CLOSE(worst_exp, 0.0, 2e-15);
    CHECK_CLOSE(worst_log, 0.0, 1e-15);
    CHECK_CLOSE(worst_atan, 0.0, 2e-15);
}

TEST(special_arguments_have_their_values)
{
    CHECK(make_exp(0.0) == 1.0 && make_log(1.0) == 0.0 && make_atan2(0.0, 0.0) == 0.0);
    CHECK(make_exp(-2000.0) == 0.0);
    CHECK_CLOSE(make_atan2(0.0, -1.0), M_PI, 1e-15);
    CHECK_CLOSE(make_atan2(1.0, 0.0), M_PI / 2.0, 1e-15);
    CHECK_CLOSE(make_atan2(-1.0, 0.0), -M_PI / 2.0, 1e-15);
    CHECK_CLOSE(make_pow(2.0, -2.8), pow(2.0, -2.8), 1e-15);
}

TEST(normal_numbers_have_mean_0_variance_1_and_kurtosis_3)
{
    enum { N = 200000 };
    RiRng rng = ri_rng_stream(2, "normal");
    double m1 = 0.0, m2 = 0.0, m4 = 0.0;
    for (int k = 0; k < N; k++) {
        const double x = make_normal(&rng);
        m1 += x / N;
        m2 += x * x / N;
        m4 += x * x * x * x / N;
    }
    CHECK_CLOSE(m1, 0.0, 4.0 / sqrt(N));
    CHECK_CLOSE(m2, 1.0, 4.0 * sqrt(2.0 / N));
    CHECK_CLOSE(m4, 3.0, 4.0 * sqrt(96.0 / N));
}

TEST(poisson_numbers_have_equal_mean_and_variance)
{
    enum { N = 20000 };
    RiRng rng = ri_rng_stream(3, "poisson");
    double sum = 0.0, square = 0.0;
    const double mean = 7.3;
    for (int k = 0; k < N; k++) {
        const double n = make_poisson(&rng, mean, 1000);
        sum += n / N;
        square += n * n / N;
    }
    CHECK_CLOSE(sum, mean, 4.0 * sqrt(mean / N));
    CHECK_CLOSE(square - sum * sum, mean, 0.3);
    CHECK_INT(make_poisson(&rng, 0.0, 10), 0);
    CHECK_INT(make_poisson(&rng, 1e9, 10), 10);
}

TEST(power_law_numbers_stay_between_their_ends_and_have_its_mean)
{
    enum { N = 200000 };
    RiRng rng = ri_rng_stream(4, "power");
    const double b = 2.8, low = 3.0, high = 40.0;
    double sum = 0.0;
    for (int k = 0; k < N; k++) {
        const double d = make_power_law(&rng, b, low, high);
        CHECK(d >= low && d <= high * (1.0 + 1e-12));
        sum += d / N;
    }
    const double mean = b / (b - 1.0) * (pow(low, 1.0 - b) - pow(high, 1.0 - b)) / (pow(low, -b) - pow(high, -b));
    CHECK_CLOSE(sum / mean, 1.0, 0.01);
}

/// A job that only has memory.
static Make bare(RiContext *ctx, RiArena *arena)
{
    ri_arena_init(arena, ctx);
    return (Make){.ctx = ctx, .scratch = arena, .keep = arena};
}

TEST(fourier_transform_equals_the_plain_sum)
{
    enum { NX = 16, NY = 8 };
    RiContext *ctx;
    RiArena arena;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    Make m = bare(ctx, &arena);
    RiRng rng = ri_rng_stream(5, "fft");
    MakeComplex a[NX * NY], b[NX * NY];
    for (int k = 0; k < NX * NY; k++)
        make_normal_pair(&rng, &a[k].re, &a[k].im);
    for (int v = 0; v < NY; v++)
        for (int u = 0; u < NX; u++) {
            MakeComplex sum = {0.0, 0.0};
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++) {
                    const double angle = 2.0 * M_PI * ((double)u * i / NX + (double)v * j / NY);
                    const MakeComplex x = a[j * NX + i];
                    sum.re += x.re * cos(angle) - x.im * sin(angle);
                    sum.im += x.re * sin(angle) + x.im * cos(angle);
                }
            b[v * NX + u] = sum;
        }
    CHECK_OK(ctx, make_fft_2d(&m, NX, NY, a));
    for (int k = 0; k < NX * NY; k++) {
        CHECK_CLOSE(a[k].re, b[k].re, 1e-12);
        CHECK_CLOSE(a[k].im, b[k].im, 1e-12);
    }
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

TEST(noise_in_space_has_variance_1)
{
    RiRng rng = ri_rng_stream(6, "noise");
    const MakeNoise n = make_noise(&rng, 2.0, 0.2, 0.7);
    double sum = 0.0, square = 0.0;
    enum { N = 60000 };
    for (int k = 0; k < N; k++) {
        const RiVec3 p = {ri_rng_between(&rng, -100.0, 100.0), ri_rng_between(&rng, -100.0, 100.0),
                          ri_rng_between(&rng, -100.0, 100.0)};
        const double z = make_noise_at(&n, p);
        sum += z / N;
        square += z * z / N;
    }
    CHECK_CLOSE(sum, 0.0, 0.02);
    CHECK_CLOSE(square, 1.0, 0.03);
}

TEST_MAIN(CASE(exp_log_and_atan2_agree_with_the_c_library_to_a_few_ulp), CASE(special_arguments_have_their_values),
          CASE(normal_numbers_have_mean_0_variance_1_and_kurtosis_3),
          CASE(poisson_numbers_have_equal_mean_and_variance),
          CASE(power_law_numbers_stay_between_their_ends_and_have_its_mean),
          CASE(fourier_transform_equals_the_plain_sum), CASE(noise_in_space_has_variance_1))
