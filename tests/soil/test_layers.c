// SPDX-License-Identifier: Apache-2.0
/// Soft layers on top of each other and crusts: limits, monotony, a known case, and the wheel on
/// them.
#include "soil/wheel.h"

#include "check.h"

static RiContext *ctx;
static const RiNodeKernels *kernels;
static const double WIDTH = 0.16;

/// A number in [0, 1) that depends on i alone.
static double spread(int i)
{
    return fmod((i + 0.5) * 0.6180339887498949, 1.0);
}

static RiSoilLaw soil_of(double n, double k, double cohesion, double degrees)
{
    const RiSoil soil = {.name = "layer",
                         .form = RI_SOIL_BEKKER,
                         .n = n,
                         .n1 = 0.2,
                         .kc = 0.0,
                         .kphi = k,
                         .cohesion = cohesion,
                         .friction = degrees * M_PI / 180.0,
                         .kx = 0.02,
                         .ky = NAN,
                         .density = NAN,
                         .a0 = NAN,
                         .a1 = NAN,
                         .gravity = NAN,
                         .mu = NAN,
                         .confidence = 'E'};
    RiSoilLaw law = {0};
    if (ri_soil_law_init(ctx, &soil, WIDTH, 3.71, &law) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    return law;
}

static double pressure(const RiSoilLaw *laws, double depth)
{
    return ri_stack_pressure(kernels, laws, &(RiSliding){0}, 0.0, depth);
}

TEST(a_thick_first_layer_is_all_that_counts_and_a_thin_one_does_not)
{
    for (int i = 0; i < 40; i++) {
        const double n[2] = {0.5 + spread(3 * i), 0.5 + spread(3 * i + 1)};
        const double k[2] = {1e4 * pow(300.0, spread(3 * i + 2)), 1e4 * pow(300.0, spread(7 * i))}, z = 0.03;
        const double alone[2] = {k[0] * pow(z, n[0]), k[1] * pow(z, n[1])};
        for (int thin = 0; thin < 2; thin++) {
            RiSoilLaw laws[2] = {soil_of(n[0], k[0], 500.0, 30.0), soil_of(n[1], k[1], 500.0, 30.0)};
            laws[0].thickness = thin ? 1e-7 : 1e6;
            ri_soil_law_stack(laws, 2, WIDTH);
            CHECK_CLOSE(pressure(laws, z) / alone[thin], 1.0, 1e-3);
        }
    }
}

TEST(a_layer_over_rigid_ground_is_pressed_as_snow_over_ice_is)
{
    RiSoilLaw laws[2] = {soil_of(1.0, 3e5, 0.0, 30.0), soil_of(1.0, 1e15, 0.0, 30.0)};
    const double t = laws[0].thickness = 0.05;
    ri_soil_law_stack(laws, 2, WIDTH);
    const double p0 = 3e5 * t / laws[0].share;
    for (double z = 0.001; z < 0.0495; z += 0.001)
        CHECK_CLOSE(pressure(laws, z) / (-p0 * log1p(-z / t)), 1.0, 1e-6);
}

TEST(the_stress_under_a_disc_gives_the_shares)
{
    RiSoilLaw laws[3];
    for (int i = 0; i < 3; i++)
        laws[i] = soil_of(1.0, 1e6, 0.0, 30.0);
    laws[0].thickness = 0.04;
    laws[1].thickness = 0.10;
    ri_soil_law_stack(laws, 3, WIDTH);
    const double a = 0.5 * WIDTH, ends[4] = {0.0, 0.04, 0.14, 4000.0 * a};
    double sum[3] = {0.0};
    for (int i = 0; i < 3; i++) {
        const int steps = 2000000;
        for (int j = 0; j < steps / (i < 2 ? 100 : 1); j++) {
            const double d = (ends[i + 1] - ends[i]) / (steps / (i < 2 ? 100 : 1)), z = ends[i] + (j + 0.5) * d;
            sum[i] += d * (1.0 - pow(1.0 + a * a / (z * z), -1.5)); // Boussinesq's stress on the axis
        }
        CHECK_CLOSE(laws[i].share, sum[i] / (2.0 * a), 3e-4);
    }
    CHECK_CLOSE(laws[0].share + laws[1].share + laws[2].share, 1.0, 1e-15);
}

TEST(pressure_grows_steadily_with_the_depth_and_its_slope_is_its_derivative)
{
    for (int i = 0; i < 60; i++) {
        RiSoilLaw laws[3];
        for (int j = 0; j < 3; j++) {
            laws[j] = soil_of(0.3 + 1.4 * spread(9 * i + j), 1e4 * pow(1000.0, spread(5 * i + 3 * j)), 200.0, 30.0);
            laws[j].thickness = 0.002 * pow(100.0, spread(4 * i + j));
        }
        ri_soil_law_stack(laws, 2 + i % 2, WIDTH);
        double last = 0.0;
        for (double z = 1e-6; z < 0.3; z *= 1.1) {
            const double d = 1e-6 * z, depth[RI_NODE_LANES] = {z, z - d, z + d, 0.0};
            double p[RI_NODE_LANES], slope[RI_NODE_LANES];
            ri_stack_press(kernels, laws, &(RiSliding){0.3, 0.0, 0.3}, 0.0, RI_NODE_LANES, depth, p, slope);
            CHECK(p[0] > last && p[2] > p[0] && p[0] > p[1] && p[3] == 0.0);
            CHECK_CLOSE((p[2] - p[1]) / (2.0 * d) / slope[0], 1.0, 1e-4);
            CHECK(p[2] - p[1] < 1e-3 * p[0]); // no jump
            last = p[0];
        }
    }
}

TEST(a_soil_cut_into_layers_is_nearly_the_same_soil)
{
    double worst = 0.0;
    for (double t = 0.005; t < 0.2; t *= 1.5) {
        RiSoilLaw laws[2] = {soil_of(1.1, 1e6, 0.0, 30.0), soil_of(1.1, 1e6, 0.0, 30.0)};
        laws[0].thickness = t;
        ri_soil_law_stack(laws, 2, WIDTH);
        for (double z = 0.002; z < 0.04; z *= 1.5)
            worst = fmax(worst, fabs(pressure(laws, z) / (1e6 * pow(z, 1.1)) - 1.0));
    }
    printf("     pressure off by %.1f %% at most, to a sinkage of a quarter of the width\n", 100.0 * worst);
    CHECK(worst < 0.1);
}

TEST(strength_is_that_of_the_layer_at_the_depth)
{
    RiSoilLaw laws[3] = {soil_of(1.0, 1e6, 100.0, 20.0), soil_of(1.0, 1e6, 2000.0, 30.0), soil_of(1.0, 1e6, 0.0, 40.0)};
    laws[0].thickness = 0.02;
    laws[1].thickness = 0.04;
    ri_soil_law_stack(laws, 3, WIDTH);
    const double sigma = 5000.0, depth[3] = {0.01, 0.04, 0.09};
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(ri_soil_strength(laws, depth[i], sigma), laws[i].cohesion + sigma * laws[i].tan_phi, 1e-9);
    double last = ri_soil_strength(laws, 0.0, sigma);
    for (double z = 0.0; z < 0.1; z += 1e-5) {
        CHECK(fabs(ri_soil_strength(laws, z, sigma) - last) < 10.0);
        last = ri_soil_strength(laws, z, sigma);
    }
}

/// A crust of 30 kPa and 2 cm over loose sand.
static void make_crust(RiSoilLaw laws[2])
{
    laws[0] = soil_of(1.0, 8e5, 1100.0, 34.5);
    laws[1] = soil_of(1.4, 3e5, 200.0, 30.0);
    laws[0].thickness = 0.02;
    laws[0].crust_strength = 3e4;
    ri_soil_law_stack(laws, 2, WIDTH);
}

TEST(a_crust_carries_its_strength_breaks_and_is_gone)
{
    RiSoilLaw laws[2], bare[2];
    make_crust(laws);
    make_crust(bare);
    bare[0].crust = 0.0;
    const double bend = ri_soil_crust_bend(laws);
    CHECK_CLOSE(bend, 3e4 / laws[0].unload, 1e-12);
    CHECK(ri_soil_crust_bend(bare) == 0.0);
    CHECK_CLOSE(pressure(laws, bend), 3e4, 1e-6);
    double most = 0.0;
    for (double z = 1e-5; z < 0.1; z += 1e-5) {
        most = fmax(most, pressure(laws, z));
        CHECK(pressure(laws, z) >= pressure(bare, z));
    }
    CHECK_CLOSE(most, 3e4, 1.0);
    CHECK(pressure(bare, bend) < 0.1 * 3e4);
    CHECK_CLOSE(pressure(laws, 3.0 * bend + 1e-9), pressure(bare, 3.0 * bend + 1e-9), 1e-3);
}

TEST(what_a_crust_has_lost_does_not_come_back)
{
    RiSoilLaw laws[2], bare[2];
    make_crust(laws);
    make_crust(bare);
    bare[0].crust = 0.0;
    const double bend = ri_soil_crust_bend(laws);
    for (double z = 0.1 * bend; z < 5.0 * bend; z += 0.1 * bend) {
        double last = INFINITY;
        for (double packed = 0.0; packed < 6.0 * bend; packed += 0.05 * bend) {
            const double p = ri_stack_pressure(kernels, laws, &(RiSliding){0}, packed, z);
            CHECK(p <= last * (1.0 + 1e-12) && p >= pressure(bare, z) * (1.0 - 1e-12));
            CHECK(packed > bend || p == pressure(laws, z) || fabs(p / pressure(laws, z) - 1.0) < 1e-9); // only bent
            last = p;
        }
        CHECK_CLOSE(last, pressure(bare, z), 1e-9 * last); // broken
    }
}

TEST(a_light_wheel_stays_on_a_crust_and_a_heavy_one_does_not)
{
    RiSoilLaw laws[2];
    RiSoilWheel w;
    RiWheelForce light, heavy;
    make_crust(laws);
    REQUIRE(ri_soil_wheel_init(ctx, 0.13, WIDTH, 0.0, 1, &w) == RI_OK);
    REQUIRE(ri_wheel_steady_load(ctx, &w, laws, 5.0 * 3.71, 0.1, 0.0, 0, &light) == RI_OK);
    REQUIRE(ri_wheel_steady_load(ctx, &w, laws, 29.0 * 3.71, 0.1, 0.0, 0, &heavy) == RI_OK);
    printf("     5 kg: %.2f mm, 29 kg: %.2f mm; bends by %.2f mm\n", 1e3 * light.sinkage, 1e3 * heavy.sinkage,
           1e3 * ri_soil_crust_bend(laws));
    CHECK(light.sinkage < ri_soil_crust_bend(laws) && heavy.sinkage > 5.0 * ri_soil_crust_bend(laws));
    CHECK_CLOSE(light.force.z, 5.0 * 3.71, 1e-6);
    CHECK_CLOSE(heavy.force.z, 29.0 * 3.71, 1e-6);
}

TEST(rolling_on_layers_and_crusts_ends_at_the_closed_form)
{
    enum { MEMORY = 1024, STATIONS = 17 };
    RiSoilLaw laws[2];
    RiSoilWheel w;
    RiSoilGround g = {.stations = STATIONS};
    static double memory[MEMORY];
    RiWheelStep step;
    make_crust(laws);
    REQUIRE(ri_soil_wheel_init(ctx, 0.13, WIDTH, 0.0, 3, &w) == RI_OK && ri_wheel_memory_size(&w) <= MEMORY);
    const RiVec3 v = {0.05, 0.005, 0.0}, omega = {0.0, 0.05 / 0.8 / 0.13, 0.0};
    for (int i = 0; i < 3; i++)
        g.soil[i] = laws;
    for (double sinkage = 0.001; sinkage < 0.05; sinkage *= 3.0) {
        for (int k = 0; k < STATIONS; k++) {
            g.x[k] = 0.13 * sin((k - STATIONS / 2) * 10.0 * M_PI / 180.0);
            g.z[0][k] = g.z[1][k] = g.z[2][k] = sinkage - 0.13;
        }
        memset(memory, 0, sizeof memory);
        for (int i = 0; i < 8000; i++) {
            ri_wheel_step(&w, &g, memory, v, omega, 1e-3, &step);
            ri_wheel_remember(&w, &step, memory, v, omega, 1e-3);
        }
        const RiWheelForce c = ri_wheel_steady(&w, laws, sinkage, 0.2, atan(0.1), 1);
        CHECK_CLOSE(step.f.force.z / c.force.z, 1.0, 0.01);
        CHECK_CLOSE(step.f.force.x / c.force.z, c.force.x / c.force.z, 0.01);
        CHECK_CLOSE(step.f.force.y / c.force.z, c.force.y / c.force.z, 0.01);
    }
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(a_thick_first_layer_is_all_that_counts_and_a_thin_one_does_not),
                               CASE(a_layer_over_rigid_ground_is_pressed_as_snow_over_ice_is),
                               CASE(the_stress_under_a_disc_gives_the_shares),
                               CASE(pressure_grows_steadily_with_the_depth_and_its_slope_is_its_derivative),
                               CASE(a_soil_cut_into_layers_is_nearly_the_same_soil),
                               CASE(strength_is_that_of_the_layer_at_the_depth),
                               CASE(a_crust_carries_its_strength_breaks_and_is_gone),
                               CASE(what_a_crust_has_lost_does_not_come_back),
                               CASE(a_light_wheel_stays_on_a_crust_and_a_heavy_one_does_not),
                               CASE(rolling_on_layers_and_crusts_ends_at_the_closed_form)};
    kernels = ri_node_kernels_find(NULL);
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
