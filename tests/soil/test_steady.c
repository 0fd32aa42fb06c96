// SPDX-License-Identifier: Apache-2.0
/// The closed forms against integrals computed elsewhere, against numbers worked out by hand, and
/// against each other.
#include <rille/soil.h>

#include "soil/wheel.h"

#include "check.h"

static RiContext *ctx;

typedef struct OracleRow {
    char name[64], form[32];
    double r, b, load, n0, n1, kc, kphi, c, phi, K, a0, a1, lambda, slip;
    double sinkage, pull, torque, resistance, entry, exit, middle;
} OracleRow;

static bool read_row(const char *line, OracleRow *x)
{
    return sscanf(line,
                  "%63[^,],%31[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf",
                  x->name, x->form, &x->r, &x->b, &x->load, &x->n0, &x->n1, &x->kc, &x->kphi, &x->c, &x->phi, &x->K,
                  &x->a0, &x->a1, &x->lambda, &x->slip, &x->sinkage, &x->pull, &x->torque, &x->resistance, &x->entry,
                  &x->exit, &x->middle) == 23;
}

static double relative(double got, double want)
{
    return fabs(got - want) / fabs(want);
}

/// Largest relative error of a row; the pull passes through zero, so it is measured by thrust plus
/// resistance.
static double error_of(const OracleRow *x, int panels, int slices)
{
    const RiSoil soil = {.name = x->name,
                         .form = RI_SOIL_BEKKER,
                         .n = x->n0,
                         .n1 = x->n1,
                         .kc = x->kc,
                         .kphi = x->kphi,
                         .cohesion = x->c,
                         .friction = x->phi * M_PI / 180.0,
                         .kx = x->K,
                         .ky = x->K,
                         .density = 1500.0,
                         .a0 = x->a0,
                         .a1 = x->a1,
                         .gravity = 9.81,
                         .mu = NAN,
                         .confidence = 'A'};
    RiSoilLaw law;
    RiSoilWheel wheel;
    RiWheelForce f;
    if (ri_soil_law_init(ctx, &soil, x->b, 9.81, &law) != RI_OK ||
        ri_soil_wheel_init(ctx, x->r, x->b, 0.0, slices, &wheel) != RI_OK)
        return INFINITY;
    law.rebound = x->lambda;
    if (ri_wheel_steady_load(ctx, &wheel, &law, x->load, x->slip, 0.0, panels, &f) != RI_OK)
        return INFINITY;
    double worst = relative(f.sinkage, x->sinkage);
    worst = fmax(worst, fabs(f.force.x - x->pull) / (x->resistance + fabs(x->pull + x->resistance)));
    worst = fmax(worst, relative(f.torque, x->torque));
    worst = fmax(worst, relative(f.resistance, x->resistance));
    worst = fmax(worst, relative(f.entry * 180.0 / M_PI, x->entry));
    worst = fmax(worst, fabs(f.exit * 180.0 / M_PI - x->exit) / x->entry);
    return fmax(worst, relative(f.middle * 180.0 / M_PI, x->middle));
}

static double worst_row(int panels, int slices, int *out_rows)
{
    FILE *file = fopen(RILLE_SOURCE_DIR "/tests/soil/wheel_model_oracle.csv", "r");
    char line[1024];
    double worst = 0.0;
    *out_rows = 0;
    while (file && fgets(line, sizeof line, file)) {
        OracleRow x;
        if (line[0] == '#' || !read_row(line, &x))
            continue;
        worst = fmax(worst, error_of(&x, panels, slices));
        ++*out_rows;
    }
    if (file)
        fclose(file);
    return worst;
}

TEST(fine_quadrature_equals_the_reference_integrals)
{
    int rows;
    const double worst = worst_row(8, 1, &rows);
    printf("     %d rows, worst relative error %.2g\n", rows, worst);
    CHECK_INT(rows, 35);
    CHECK(worst < 1e-5); // the reference has six to seven digits
}

TEST(default_discretisation_is_within_a_percent)
{
    int rows;
    const double worst = worst_row(0, 0, &rows);
    printf("     %d rows, worst relative error %.2g\n", rows, worst);
    CHECK_INT(rows, 35);
    CHECK(worst < 1e-4);
}

TEST(slip_has_four_definitions)
{
    CHECK_CLOSE(ri_wheel_slip(0.0, 0.0), 0.0, 0.0);
    CHECK_CLOSE(ri_wheel_slip(1.0, 2.0), 0.5, 0.0);   // driving
    CHECK_CLOSE(ri_wheel_slip(2.0, 1.0), -0.5, 0.0);  // braking
    CHECK_CLOSE(ri_wheel_slip(-1.0, 2.0), 0.5, 0.0);  // 1 + v / rim
    CHECK_CLOSE(ri_wheel_slip(2.0, -1.0), -0.5, 0.0); // -rim / v - 1
    CHECK_CLOSE(ri_wheel_slip(0.0, 1.0), 1.0, 0.0);
    CHECK_CLOSE(ri_wheel_slip(1.0, 0.0), -1.0, 0.0);
    CHECK_CLOSE(ri_wheel_slip(-1.0, -2.0), 0.5, 0.0);
}

TEST(standard_slip_tells_ahead_from_back_and_is_the_same_seen_from_either_side)
{
    static const struct {
        double v, rim, slip;
    } rows[] = {{0.0, 0.0, 0.0},   {1.0, 2.0, 0.5},  {2.0, 1.0, -0.5}, {0.0, 1.0, 1.0}, {1.0, 0.0, -1.0},
                {-1.0, 0.0, -1.0}, {-1.0, 5.0, 1.2}, {-1.0, 1.0, 2.0}, {-5.0, 1.0, 1.2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_CLOSE(ri_slip(rows[i].v, rows[i].rim), rows[i].slip, 1e-15);
        CHECK_CLOSE(ri_slip(-rows[i].v, -rows[i].rim), rows[i].slip, 1e-15); // a link whose axes point back
    }
    for (int i = -60; i <= 60; i++) { // continuous in the speed of the hub, and that of ARTEMIS where both go one way
        const double v = i / 20.0, slip = ri_slip(v, 1.0);
        CHECK(fabs(ri_slip(v + 1e-7, 1.0) - slip) < 2e-7);
        CHECK(i < 0 ? slip > 1.0 : slip == ri_wheel_slip(v, 1.0));
    }
}

static RiSoil sand(void)
{
    return (RiSoil){.name = "sand",
                    .form = RI_SOIL_BEKKER,
                    .n = 1.1,
                    .n1 = 0.0,
                    .kc = 990.0,
                    .kphi = 1528430.0,
                    .cohesion = 1040.0,
                    .friction = 28.0 * M_PI / 180.0,
                    .kx = 0.025,
                    .ky = 0.02,
                    .density = 1600.0,
                    .a0 = 0.18,
                    .a1 = 0.32,
                    .gravity = NAN,
                    .mu = NAN,
                    .confidence = 'A'};
}

TEST(side_wall_equals_its_integral_and_side_force_its_trends)
{
    const RiSoil soil = sand();
    RiSoilLaw law;
    RiSoilWheel w;
    REQUIRE(ri_soil_law_init(ctx, &soil, 0.16, 3.71, &law) == RI_OK);
    REQUIRE(ri_soil_wheel_init(ctx, 0.13, 0.16, 0.0, 5, &w) == RI_OK);
    const double h = 0.03, X = sqrt(0.13 * 0.13 - 0.1 * 0.1), beta = 0.3;
    double sum = 0.0;
    for (int i = 0; i < 200000; i++) {
        const double x = X * ((2.0 * i + 1.0) / 200000 - 1.0), f = sqrt(0.13 * 0.13 - x * x) - 0.1;
        sum += 2.0 * X / 200000 * (law.unit_weight * law.bearing.Ng * f + law.cohesion * law.bearing.Nc) * f;
    }
    const RiWheelForce f = ri_wheel_steady(&w, &law, h, 0.2, beta, 4);
    // a rim that is faster than the hub carries some of the soil away
    CHECK_CLOSE(f.bulldozing / (-sum * sin(beta) * sqrt(1.0 - f.travel_slip)), 1.0, 1e-6);
    // the side force falls with slip and grows with the slip angle (Ishigami 2004)
    double last = -INFINITY;
    for (double slip = 0.0; slip < 0.95; slip += 0.1) {
        const RiWheelForce g = ri_wheel_steady(&w, &law, h, slip, beta, 0);
        CHECK(g.force.y < 0.0 && g.force.y > last);
        last = g.force.y;
    }
    last = 0.0;
    for (double angle = 0.05; angle < 1.5; angle += 0.1) {
        const RiWheelForce g = ri_wheel_steady(&w, &law, h, 0.3, angle, 0),
                           m = ri_wheel_steady(&w, &law, h, 0.3, -angle, 0);
        CHECK(g.force.y < last);
        CHECK_CLOSE(g.force.y, -m.force.y, 1e-12);
        CHECK_CLOSE(g.force.x, m.force.x, 1e-12);
        last = g.force.y;
    }
}

TEST(moments_are_those_of_the_forces)
{
    const RiSoil soil = sand();
    RiSoilLaw law;
    RiSoilWheel w;
    const double radii[4] = {0.10, 0.11, 0.12, 0.13}; // a cone: one side carries more
    REQUIRE(ri_soil_law_init(ctx, &soil, 0.16, 3.71, &law) == RI_OK);
    REQUIRE(ri_soil_wheel_init_profile(ctx, 0.16, 4, radii, &w) == RI_OK);
    const RiWheelForce f = ri_wheel_steady(&w, &law, 0.04, 0.3, 0.0, 0);
    CHECK(f.moment.x > 0.0 && f.moment.x < 0.08 * f.force.z); // the load lies at y > 0
    CHECK_CLOSE(f.moment.y, -f.torque, 1e-12);
    CHECK_CLOSE(f.force.x, f.thrust - f.resistance, 1e-9);
    REQUIRE(ri_soil_wheel_init(ctx, 0.13, 0.16, 0.3, 6, &w) == RI_OK); // crowned: symmetric, deeper for the same load
    RiWheelForce curved, flat;
    REQUIRE(ri_wheel_steady_load(ctx, &w, &law, 100.0, 0.2, 0.0, 0, &curved) == RI_OK);
    CHECK_CLOSE(curved.moment.x, 0.0, 1e-12);
    REQUIRE(ri_soil_wheel_init(ctx, 0.13, 0.16, 0.0, 6, &w) == RI_OK);
    REQUIRE(ri_wheel_steady_load(ctx, &w, &law, 100.0, 0.2, 0.0, 0, &flat) == RI_OK);
    CHECK(curved.sinkage > flat.sinkage);
}

TEST(grousers_push_as_rankine_says)
{
    const RiSoil soil = sand();
    RiSoilLaw law;
    RiSoilWheel w;
    REQUIRE(ri_soil_law_init(ctx, &soil, 0.16, 3.71, &law) == RI_OK);
    REQUIRE(ri_soil_wheel_init(ctx, 0.13, 0.16, 0.0, 1, &w) == RI_OK);
    const RiWheelForce bare = ri_wheel_steady(&w, &law, 0.02, 0.4, 0.0, 8);
    w.grousers = 24, w.grouser_height = 0.005, w.grouser_angle = 0.1, w.grousers_full = true;
    const RiWheelForce f = ri_wheel_steady(&w, &law, 0.02, 0.4, 0.0, 8);
    const double N = law.passive;
    const double one =
        0.16 * (0.5 * law.unit_weight * 0.005 * 0.005 * N + 2.0 * law.cohesion * 0.005 * sqrt(N)) * cos(0.1);
    const double per_radian = 24.0 / (2.0 * M_PI), entry = f.entry;
    CHECK_CLOSE(f.grouser / (one * per_radian * sin(entry)), 1.0, 1e-9);
    CHECK_CLOSE((f.torque - bare.torque) / (one * per_radian * entry * (0.13 + 2.0 / 3.0 * 0.005)), 1.0, 1e-9);
    CHECK_CLOSE((f.force.z - bare.force.z) / (one * per_radian * (1.0 - cos(entry))), 1.0, 1e-9);
    w.grousers_full = false; // as far as the soil is sheared: less, and none without slip of the rim
    CHECK(ri_wheel_steady(&w, &law, 0.02, 0.4, 0.0, 8).grouser < f.grouser);
}

/// Lugs that stand close together carry the soil between them: the wheel rolls and shears on their
/// tips, and its peak pull grows by Bekker's share. A single lug is as good as none.
TEST(lugs_enlarge_the_rolling_radius_and_the_thrust_as_they_stand_closer)
{
    RiSoil soil = sand();
    RiSoilLaw law;
    RiSoilWheel w[3];
    RiWheelForce f[3];
    soil.cohesion = 10.0;
    REQUIRE(ri_soil_law_init(ctx, &soil, 0.1, 9.81, &law) == RI_OK);
    const int counts[3] = {0, 1, 24};
    for (int i = 0; i < 3; i++) {
        REQUIRE(ri_soil_wheel_init(ctx, 0.15, 0.1, 0.0, 1, &w[i]) == RI_OK);
        w[i].grousers = counts[i];
        w[i].grouser_height = 0.025;
        ri_soil_wheel_lock_lugs(&w[i]);
        REQUIRE(ri_wheel_steady_load(ctx, &w[i], &law, 100.0, 0.5, 0.0, 0, &f[i]) == RI_OK);
    }
    CHECK(w[0].radius == 0.15 && w[1].radius < 0.1515 && w[2].radius == 0.175);
    const double high = 0.25, gain = 1.0 + 0.64 * high * atan(1.0 / high);
    double more;
    CHECK_CLOSE(ri_soil_lug_gain(&w[2], &law, &more), gain, 1e-12);
    CHECK_CLOSE(more, 10.0 * (2.0 * high - (gain - 1.0)), 1e-12);
    CHECK(f[1].force.x > f[0].force.x && f[2].force.x > f[1].force.x);
    CHECK(f[2].force.x - f[0].force.x > 0.08 * 100.0); // of the load
    // rolling on the tips: no slip by their radius is no slip
    REQUIRE(ri_wheel_steady_load(ctx, &w[2], &law, 100.0, 0.0, 0.0, 0, &f[2]) == RI_OK);
    ri_soil_wheel_lock_lugs(&w[2]);
    CHECK(w[2].radius == 0.175); // once only
}

TEST(reece_equals_bekker_where_they_must_be_equal)
{
    RiSoil a = sand(), b = sand();
    const double width = 0.2, g = 9.81;
    a.n = b.n = 0.9;
    b.form = RI_SOIL_REECE;
    b.kc = 3.0, b.kphi = 700.0;
    a.kc = 0.0;
    a.kphi = (b.cohesion * b.kc + b.density * g * width * b.kphi) / pow(width, b.n);
    RiSoilLaw la, lb;
    RiSoilWheel w;
    REQUIRE(ri_soil_law_init(ctx, &a, width, g, &la) == RI_OK && ri_soil_law_init(ctx, &b, width, g, &lb) == RI_OK);
    REQUIRE(ri_soil_wheel_init(ctx, 0.25, width, 0.0, 1, &w) == RI_OK);
    const RiWheelForce fa = ri_wheel_steady(&w, &la, 0.03, 0.2, 0.1, 0),
                       fb = ri_wheel_steady(&w, &lb, 0.03, 0.2, 0.1, 0);
    CHECK_CLOSE(fa.force.z / fb.force.z, 1.0, 1e-12);
    CHECK_CLOSE(fa.force.x, fb.force.x, 1e-9);
}

TEST(braking_reaches_the_locked_wheel_without_a_jump)
{
    const RiSoil soil = sand();
    RiSoilLaw law;
    RiSoilWheel w;
    REQUIRE(ri_soil_law_init(ctx, &soil, 0.16, 3.71, &law) == RI_OK);
    REQUIRE(ri_soil_wheel_init(ctx, 0.13, 0.16, 0.0, 1, &w) == RI_OK);
    const RiWheelForce locked = ri_wheel_steady(&w, &law, 0.02, -1.0, 0.2, 0);
    const RiWheelForce near = ri_wheel_steady(&w, &law, 0.02, -1.0 + 1e-9, 0.2, 0);
    CHECK(isfinite(locked.force.x) && isfinite(locked.force.y));
    CHECK_CLOSE(locked.force.x, near.force.x, 1e-5);
    CHECK(locked.force.x < 0.0 && locked.torque < 0.0);
    CHECK_CLOSE(ri_wheel_steady(&w, &law, 0.02, 1e-12, 0.2, 0).force.x,
                ri_wheel_steady(&w, &law, 0.02, -1e-12, 0.2, 0).force.x, 1e-8);
}

TEST(a_slip_angle_adds_to_the_exponent_and_lets_the_wheel_sink)
{
    const RiSoil soil = sand();
    RiSoilLaw law;
    RiSoilWheel w;
    RiWheelForce straight, aside, plain;
    REQUIRE(ri_soil_law_init(ctx, &soil, 0.16, 3.71, &law) == RI_OK);
    REQUIRE(ri_soil_wheel_init(ctx, 0.13, 0.16, 0.0, 1, &w) == RI_OK);
    CHECK(law.n_beta == 0.0); // ARTEMIS knows none
    REQUIRE(ri_wheel_steady_load(ctx, &w, &law, 100.0, 0.2, 0.4, 0, &plain) == RI_OK);
    CHECK(plain.n == ri_wheel_steady(&w, &law, 0.02, 0.2, 0.0, 0).n); // n1 = 0 here
    law.n_beta = 0.5;
    REQUIRE(ri_wheel_steady_load(ctx, &w, &law, 100.0, 0.2, 0.0, 0, &straight) == RI_OK);
    REQUIRE(ri_wheel_steady_load(ctx, &w, &law, 100.0, 0.2, 0.4, 0, &aside) == RI_OK);
    CHECK_CLOSE(aside.n - straight.n, 0.5 * 0.4, 1e-15);
    CHECK_CLOSE(ri_wheel_steady(&w, &law, 0.02, 0.2, -0.4, 0).n, aside.n, 0.0);
    CHECK(aside.sinkage > plain.sinkage);
}

TEST(sliding_is_the_law_of_cosines_of_hub_and_rim)
{
    for (int i = 0; i <= 20; i++)
        for (int k = 0; k <= 18; k++) {
            const double slip = -1.0 + 0.1 * i, beta = k * 5.0 * M_PI / 180.0;
            const RiWheelMotion m = ri_wheel_motion_travel(slip, beta);
            const double slide = hypot(m.vx - m.rim, m.vy) / fmax(hypot(m.vx, m.vy), m.rim);
            const RiSliding x = ri_soil_sliding(slip, sin(beta));
            CHECK_CLOSE(x.slide, fmin(1.0, slide), 1e-7);
            CHECK_CLOSE(x.beta, beta, 1e-7);
            if (k == 0)
                CHECK(x.slide == fabs(slip)); // to the bit: straight on nothing changes
        }
}

static RiStatus find_moving(double slip, double beta, double load, RiWheelForce *out)
{
    RiSoil soil = sand();
    RiSoilLaw law;
    RiSoilWheel w;
    soil.n1 = 0.3;
    soil.cohesion = 10.0;
    RI_TRY(ri_soil_law_init(ctx, &soil, 0.05, 9.81, &law));
    RI_TRY(ri_soil_wheel_init(ctx, 0.058, 0.05, 0.0, 1, &w));
    law.coupled = true;
    return ri_wheel_moving_load(ctx, &w, &law, load, ri_wheel_motion_travel(slip, beta), 0, out);
}

/// Dragged along its axle a wheel has no front: a locked one feels no force along its heading. One
/// that spins much faster than it is dragged does not care where to.
TEST(a_wheel_moving_aside_has_the_limits_that_symmetry_asks_for)
{
    RiWheelForce locked, left, right, spun[2];
    REQUIRE(find_moving(-1.0, 0.5 * M_PI, 15.0, &locked) == RI_OK);
    CHECK(fabs(locked.force.x) < 1e-6 * 15.0 && locked.force.y < -0.4 * 15.0);
    REQUIRE(find_moving(0.3, 0.7, 15.0, &left) == RI_OK);
    REQUIRE(find_moving(0.3, -0.7, 15.0, &right) == RI_OK);
    CHECK_CLOSE(left.force.x, right.force.x, 1e-9);
    CHECK_CLOSE(left.force.y, -right.force.y, 1e-9);
    CHECK_CLOSE(left.sinkage, right.sinkage, 1e-12);
    for (int i = 0; i < 2; i++)
        REQUIRE(find_moving(0.999, i * 0.5 * M_PI, 10.0, &spun[i]) == RI_OK);
    CHECK_CLOSE(spun[1].force.x, spun[0].force.x, 0.05 * 10.0);
    CHECK_CLOSE(spun[1].force.y, spun[0].force.y, 0.05 * 10.0);
    CHECK_CLOSE(spun[1].sinkage, spun[0].sinkage, 1e-3);
}

/// All of it acts against the motion: soil takes power from hub and rim together at every slip and
/// angle.
TEST(soil_takes_power_at_every_slip_and_angle)
{
    for (int i = 0; i <= 18; i++)
        for (int k = 0; k <= 18; k++) {
            const double slip = -0.95 + 0.1 * i, beta = k * 5.0 * M_PI / 180.0;
            const RiWheelMotion m = ri_wheel_motion_travel(slip, beta);
            RiWheelForce f;
            if (find_moving(slip, beta, 10.0, &f) != RI_OK)
                continue;
            CHECK(f.force.x * m.vx + f.force.y * m.vy - f.torque * m.rim / 0.058 < 1e-9);
        }
}

/// Slip by the heading and slip of travel describe the same motion.
TEST(two_slips_name_one_motion)
{
    const double beta = 0.8, travel = 0.2;
    const RiWheelMotion m = ri_wheel_motion_travel(travel, beta);
    const double slip = ri_wheel_slip(m.vx, m.rim);
    RiWheelForce f;
    CHECK(slip > travel + 0.2);
    REQUIRE(find_moving(travel, beta, 15.0, &f) == RI_OK);
    CHECK_CLOSE(f.travel_slip, travel, 1e-12);
    CHECK_CLOSE(f.slip, slip, 1e-12);
    const RiWheelMotion same = ri_wheel_motion(slip, beta);
    CHECK_CLOSE(same.vx / same.rim, m.vx / m.rim, 1e-12);
    CHECK_CLOSE(same.vy / same.rim, m.vy / m.rim, 1e-12);
}

TEST(what_a_soil_gives_besides_reaches_the_law_and_angles_beyond_60_degrees_are_flagged)
{
    RiSoil soil = sand();
    RiSoilLaw law;
    RiSoilWheel w;
    soil.more.given = 1u << RI_SOIL_N1_SKID | 1u << RI_SOIL_EXIT0 | 1u << RI_SOIL_PLOUGHING | 1u << RI_SOIL_COUPLED;
    soil.more.at[RI_SOIL_N1_SKID] = 0.7;
    soil.more.at[RI_SOIL_EXIT0] = -0.5;
    soil.more.at[RI_SOIL_PLOUGHING] = 2.0;
    soil.more.at[RI_SOIL_COUPLED] = 1.0;
    REQUIRE(ri_soil_law_init(ctx, &soil, 0.16, 3.71, &law) == RI_OK);
    REQUIRE(ri_soil_wheel_init(ctx, 0.13, 0.16, 0.0, 1, &w) == RI_OK);
    CHECK(law.n1_skid == 0.7 && law.exit0 == -0.5 && law.ploughing == 2.0 && law.coupled);
    CHECK(law.a1_skid == law.a1 && law.exit1 == 0.0 && law.bulldozing == 1.0); // not given
    CHECK(ri_wheel_steady(&w, &law, 0.01, 0.1, 1.04, 0).doubts == 0);
    CHECK(ri_wheel_moving(&w, &law, 0.01, ri_wheel_motion_travel(0.1, 1.2), 0).doubts == RI_DOUBT_ANGLE);
}

TEST(what_makes_no_sense_is_refused_with_the_reason)
{
    RiSoil soil = sand();
    RiSoilLaw law;
    RiSoilWheel w;
    RiWheelForce f;
    soil.cohesion = NAN;
    CHECK(ri_soil_law_init(ctx, &soil, 0.1, 9.81, &law) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(ctx), "cohesion") != NULL);
    soil = sand();
    soil.n1 = -2.0;
    CHECK(ri_soil_law_init(ctx, &soil, 0.1, 9.81, &law) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(ctx), "n1 -2") != NULL);
    soil = sand();
    soil.form = RI_SOIL_HARD;
    CHECK(ri_soil_law_init(ctx, &soil, 0.1, 9.81, &law) == RI_ERR_ARGUMENT);
    soil = sand();
    soil.kc = -1e6; // no positive stiffness for so narrow a wheel
    CHECK(ri_soil_law_init(ctx, &soil, 0.1, 9.81, &law) == RI_ERR_ARGUMENT);
    CHECK(ri_soil_wheel_init(ctx, -1.0, 0.1, 0.0, 1, &w) == RI_ERR_ARGUMENT);
    CHECK(ri_soil_wheel_init(ctx, 0.1, 0.1, 0.01, 4, &w) == RI_ERR_ARGUMENT);
    CHECK(ri_soil_wheel_init(ctx, 0.1, 0.1, 0.0, 99, &w) == RI_ERR_ARGUMENT);
    soil = sand();
    soil.kx = soil.n1 = NAN;
    REQUIRE(ri_soil_law_init(ctx, &soil, 0.1, 9.81, &law) == RI_OK);
    CHECK(law.assumed == (RI_ASSUMED_KX | RI_ASSUMED_N1) && law.kx == 0.02);
    REQUIRE(ri_soil_wheel_init(ctx, 0.1, 0.1, 0.0, 0, &w) == RI_OK);
    CHECK(ri_wheel_steady_load(ctx, &w, &law, 1e9, 0.1, 0.0, 0, &f) == RI_ERR_NUMERIC);
    CHECK(ri_wheel_steady(&w, &law, 0.06, 0.1, 0.0, 0).doubts == RI_DOUBT_SINKAGE);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(fine_quadrature_equals_the_reference_integrals),
                               CASE(default_discretisation_is_within_a_percent),
                               CASE(slip_has_four_definitions),
                               CASE(standard_slip_tells_ahead_from_back_and_is_the_same_seen_from_either_side),
                               CASE(side_wall_equals_its_integral_and_side_force_its_trends),
                               CASE(moments_are_those_of_the_forces),
                               CASE(grousers_push_as_rankine_says),
                               CASE(lugs_enlarge_the_rolling_radius_and_the_thrust_as_they_stand_closer),
                               CASE(reece_equals_bekker_where_they_must_be_equal),
                               CASE(braking_reaches_the_locked_wheel_without_a_jump),
                               CASE(a_slip_angle_adds_to_the_exponent_and_lets_the_wheel_sink),
                               CASE(sliding_is_the_law_of_cosines_of_hub_and_rim),
                               CASE(a_wheel_moving_aside_has_the_limits_that_symmetry_asks_for),
                               CASE(soil_takes_power_at_every_slip_and_angle),
                               CASE(two_slips_name_one_motion),
                               CASE(what_a_soil_gives_besides_reaches_the_law_and_angles_beyond_60_degrees_are_flagged),
                               CASE(what_makes_no_sense_is_refused_with_the_reason)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
