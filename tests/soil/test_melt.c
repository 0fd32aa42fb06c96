// SPDX-License-Identifier: Apache-2.0
/// \file
/// Close-contact melting and lumps of heat by themselves: against the lubrication equation solved
/// numerically, and against limits.
#include "check.h"

#include "base/rng.h"
#include "soil/melt.h"

/// Load of a film under a plate that sinks at a speed w: p' = -12 eta q / s^3 with the flow q that
/// comes out from under half the width, p = 0 at its edges, integrated by the trapezoidal rule. The
/// film is as thick as conduction through it allows.
static double load_by_lubrication(const RiMeltDef *d, double width, double length, double warm, double w)
{
    enum { N = 4000 };
    const double heat = d->latent_heat + d->ice_specific_heat * (d->melting_temperature - d->ice_temperature);
    const double film = d->water_conductivity * warm / (d->ice_density * heat * w);
    const double dx = 0.5 * width / N, sink = w * d->ice_density / d->water_density;
    double p = 0.0, sum = 0.0;
    for (int i = N; i > 0; i--) { // from the edge to the middle
        const double slope = 12.0 * d->water_viscosity * sink * (i - 0.5) * dx / (film * film * film);
        sum += (p + 0.5 * slope * dx) * dx;
        p += slope * dx;
    }
    return 2.0 * sum * length;
}

TEST(a_hot_plate_sinks_as_the_lubrication_equation_says)
{
    RiRng r = ri_rng_stream(1, "plates");
    const RiMeltDef d = ri_melt_default();
    for (int k = 0; k < 200; k++) {
        const double width = ri_rng_between(&r, 1e-3, 0.1), length = ri_rng_between(&r, 0.01, 1.0);
        const double warm = ri_rng_between(&r, 0.5, 60.0), force = ri_rng_between(&r, 1.0, 1000.0);
        const double w = pow(force * warm * warm * warm / ri_film_load(&d, width, length), 0.25);
        CHECK_CLOSE(load_by_lubrication(&d, width, length, warm, w) / force, 1.0, 1e-6);
    }
}

static RiMeltThread random_thread(RiRng *r)
{
    return (RiMeltThread){.radius = 0.1,
                          .height = 0.02,
                          .edges = ri_rng_between(r, 0.5, 4.0),
                          .span = 0.1,
                          .depth = ri_rng_between(r, 1e-5, 0.05),
                          .force = ri_rng_between(r, 0.1, 2000.0)};
}

TEST(the_speed_solves_load_and_heat_together)
{
    RiRng r = ri_rng_stream(2, "threads");
    RiMeltDef d = ri_melt_default();
    for (int k = 0; k < 5000; k++) {
        const RiMeltThread x = random_thread(&r);
        const double T = ri_rng_between(&r, 273.2, 330.0);
        d.thread_conductivity = pow(10.0, ri_rng_between(&r, 0.0, 5.0));
        const RiMeltFlow f = ri_melt_flow(&d, &x, T);
        CHECK(f.speed > 0.0 &&
              f.residual < 1e-6); // where the edge is within rounding of melting the load is not sharper
        CHECK_CLOSE(f.melting / (d.ice_density * ri_melt_heat(&d) * f.speed * f.area), 1.0, 1e-12);
    }
}

TEST(melting_is_faster_warmer_and_harder_and_slower_on_the_shank)
{
    RiRng r = ri_rng_stream(3, "order");
    const RiMeltDef d = ri_melt_default();
    for (int k = 0; k < 2000; k++) {
        RiMeltThread x = random_thread(&r), y = x;
        const double T = ri_rng_between(&r, 274.0, 320.0), w = ri_melt_flow(&d, &x, T).speed;
        CHECK(ri_melt_flow(&d, &x, T + 1.0).speed > w);
        y.force *= 1.1;
        CHECK(ri_melt_flow(&d, &y, T).speed > w);
        x.depth = x.height, y = x; // where the shank comes in the speed is continuous and falls
        y.depth = x.height * (1.0 + 1e-13);
        const double before = ri_melt_flow(&d, &x, T).speed, after = ri_melt_flow(&d, &y, T).speed;
        CHECK_CLOSE(after / before, 1.0, 1e-3);
        y.depth = 2.0 * x.height;
        CHECK(ri_melt_flow(&d, &y, T).speed < before);
    }
}

TEST(a_blade_that_conducts_badly_sets_the_speed)
{
    RiMeltDef d = ri_melt_default();
    const RiMeltThread x = {.radius = 0.1, .height = 0.02, .edges = 3.0, .span = 0.1, .depth = 5e-3, .force = 500.0};
    d.thread_conductivity = 1.0; // the film takes hardly any of the difference: w = k dT / (rho H height)
    const double T = 293.15, want = 1.0 * 20.0 / (d.ice_density * ri_melt_heat(&d) * x.height);
    CHECK_CLOSE(ri_melt_flow(&d, &x, T).speed / want, 1.0, 0.02);
    d.thread_conductivity = 1e9; // nothing but the film
    const double length = x.edges * 2.0 * sqrt((2.0 * x.radius - x.depth) * x.depth);
    const double area = length * d.edge_width, warm = 20.0 + d.pressure_slope * x.force / area;
    const double film = pow(x.force * warm * warm * warm / ri_film_load(&d, d.edge_width, length), 0.25);
    CHECK_CLOSE(ri_melt_flow(&d, &x, T).speed / film, 1.0, 1e-4);
}

TEST(cold_screws_do_not_melt_but_pressure_alone_can)
{
    RiMeltDef d = ri_melt_default();
    RiMeltThread x = {.radius = 0.1, .height = 0.02, .edges = 1.0, .span = 0.1, .depth = 1e-4, .force = 100.0};
    CHECK_CLOSE(ri_melt_flow(&d, &x, 263.0).speed, 0.0, 0.0);
    CHECK_CLOSE(ri_melt_flow(&d, &x, 272.0).speed, 0.0, 0.0);
    x.force = 1e4; // 1e4 N on 18 mm^2 lower the melting point by 42 K
    CHECK(ri_melt_flow(&d, &x, 272.0).speed > 0.0);
    x.force = 0.0;
    CHECK_CLOSE(ri_melt_flow(&d, &x, 300.0).speed, 0.0, 0.0);
}

TEST(a_lump_of_heat_follows_the_exponential_and_its_mean_closes_the_books)
{
    RiRng r = ri_rng_stream(4, "lumps");
    for (int k = 0; k < 1000; k++) {
        const double C = ri_rng_between(&r, 10.0, 1e4), P = ri_rng_between(&r, -50.0, 500.0);
        const double a = k % 5 ? ri_rng_between(&r, 0.0, 5.0) : 0.0, b = k % 5 ? ri_rng_between(&r, 0.0, 5.0) : 0.0;
        const double h = pow(10.0, ri_rng_between(&r, -4.0, 3.0)), T0 = 290.0, Ta = 250.0, Tb = 270.0;
        double mean, whole = T0, ignored;
        const double T = ri_lump_temperature(T0, C, P, a, Ta, b, Tb, h, &mean);
        for (int i = 0; i < 10; i++) // ten steps are one
            whole = ri_lump_temperature(whole, C, P, a, Ta, b, Tb, 0.1 * h, &ignored);
        CHECK_CLOSE(whole, T, 1e-9 * fabs(T));
        const double in = h * P - h * a * (mean - Ta) - h * b * (mean - Tb);
        CHECK_CLOSE(C * (T - T0), in, 1e-9 * (h * fabs(P) + h * (a + b) * 50.0) + 1e-15 * C * T0); // T is rounded
    }
    double mean;
    CHECK_CLOSE(ri_lump_temperature(300.0, 900.0, 0.0, 0.5, 260.0, 0.0, 0.0, 600.0, &mean),
                260.0 + 40.0 * exp(-600.0 * 0.5 / 900.0), 1e-10);
}

TEST(numbers_without_meaning_are_named)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiMeltDef d = ri_melt_default();
    REQUIRE_OK(ctx, ri_melt_check(ctx, &d));
    d.heat_capacity = 0.0;
    CHECK(ri_melt_check(ctx, &d) == RI_ERR_ARGUMENT && strstr(ri_context_message(ctx), "heat_capacity is 0"));
    d = ri_melt_default();
    d.ice_temperature = 280.0;
    CHECK(ri_melt_check(ctx, &d) == RI_ERR_ARGUMENT && strstr(ri_context_message(ctx), "ice_temperature is 280 K"));
    d = ri_melt_default();
    d.friction_share = NAN;
    CHECK(ri_melt_check(ctx, &d) == RI_ERR_ARGUMENT && strstr(ri_context_message(ctx), "0 to 1"));
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(a_hot_plate_sinks_as_the_lubrication_equation_says), CASE(the_speed_solves_load_and_heat_together),
          CASE(melting_is_faster_warmer_and_harder_and_slower_on_the_shank),
          CASE(a_blade_that_conducts_badly_sets_the_speed), CASE(cold_screws_do_not_melt_but_pressure_alone_can),
          CASE(a_lump_of_heat_follows_the_exponential_and_its_mean_closes_the_books),
          CASE(numbers_without_meaning_are_named))
