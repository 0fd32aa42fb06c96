// SPDX-License-Identifier: Apache-2.0
/// The law in steps: steady rolling against the closed forms, rest, reversal, spinning, sliding,
/// slopes.
#include <rille/soil.h>

#include "check.h"

static RiContext *ctx;

enum { MEMORY = 2048 };

typedef struct Rig {
    RiSoilWheel w;
    RiSoilLaw law;
    RiSoilGround g;
    double memory[MEMORY];
    RiWheelStep last;
} Rig;

static bool make_rig(Rig *rig, int slices)
{
    const RiSoil soil = {.name = "sand",
                         .form = RI_SOIL_BEKKER,
                         .n = 1.1,
                         .n1 = 0.3,
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
    memset(rig, 0, sizeof *rig);
    return ri_soil_law_init(ctx, &soil, 0.16, 3.71, &rig->law) == RI_OK &&
           ri_soil_wheel_init(ctx, 0.13, 0.16, 0.0, slices, &rig->w) == RI_OK &&
           ri_wheel_memory_size(&rig->w) <= MEMORY;
}

/// Level ground in which the wheel stands at a sinkage.
static void level(Rig *rig, double sinkage)
{
    rig->g.stations = 17;
    for (int k = 0; k < 17; k++) {
        rig->g.x[k] = rig->w.radius * sin((k - 8) * 10.0 * M_PI / 180.0);
        for (int i = 0; i < rig->w.slices; i++)
            rig->g.z[i][k] = sinkage - rig->w.radius;
    }
    for (int i = 0; i < rig->w.slices; i++)
        rig->g.soil[i] = &rig->law;
}

static void go(Rig *rig, RiVec3 v, RiVec3 omega, double h, int steps)
{
    for (int i = 0; i < steps; i++) {
        ri_wheel_step(&rig->w, &rig->g, rig->memory, v, omega, h, &rig->last);
        ri_wheel_remember(&rig->w, &rig->last, rig->memory, v, omega, h);
    }
}

/// Rolls steadily and returns the largest deviation from the closed form, relative to its load
/// (moments: times the radius).
static double steady_error(Rig *rig, double sinkage, double slip, double beta, double sense)
{
    const double v = 0.05, rim = slip >= 0.0 ? v / (1.0 - slip) : v * (1.0 + slip);
    level(rig, sinkage);
    memset(rig->memory, 0, sizeof rig->memory);
    const double way = 0.3, h = 2e-3 * 0.05 / fmax(rim, v);
    go(rig, ri_vec3(sense * v, v * tan(beta), 0.0), ri_vec3(0.0, sense * rim / rig->w.radius, 0.0), h,
       (int)(way / v / h));
    const RiWheelForce f = rig->last.f, c = ri_wheel_steady(&rig->w, &rig->law, sinkage, slip, beta, 8);
    double worst = fabs(sense * f.force.x - c.force.x);
    worst = fmax(worst, fabs(f.force.y - c.force.y));
    worst = fmax(worst, fabs(f.force.z - c.force.z));
    worst = fmax(worst, fabs(sense * f.torque - c.torque) / rig->w.radius);
    worst = fmax(worst, fabs(f.moment.x - c.moment.x) / rig->w.radius);
    worst = fmax(worst, fabs(f.moment.z - c.moment.z * sense) / rig->w.radius);
    return worst / c.force.z;
}

TEST(steady_rolling_reproduces_the_closed_forms)
{
    Rig rig;
    double worst = 0.0;
    REQUIRE(make_rig(&rig, 3));
    const double slips[] = {0.0, 0.05, 0.2, 0.5, 0.8}, angles[] = {0.0, 0.1, 0.4};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++)
            for (int sense = 1; sense >= -1; sense -= 2)
                worst = fmax(worst, steady_error(&rig, 0.02, slips[i], angles[k], sense));
    printf("     worst deviation %.2g of the load\n", worst);
    CHECK(worst < 3e-3);
}

/// Grousers that push fully push in a step as equation 15 says in the closed form, mobilised ones less;
/// and a wheel that does not slip is not pushed by them.
TEST(grousers_push_fully_or_as_far_as_the_soil_is_sheared)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 1));
    rig.w.grousers = 24, rig.w.grouser_height = 0.005;
    double push[2];
    for (int full = 0; full < 2; full++) {
        rig.w.grousers_full = full > 0;
        CHECK(steady_error(&rig, 0.02, 0.4, 0.0, 1.0) < 5e-3);
        push[full] = rig.last.f.grouser;
        const RiWheelForce c = ri_wheel_steady(&rig.w, &rig.law, 0.02, 0.4, 0.0, 8);
        CHECK_CLOSE(push[full], c.grouser / cos(0.5 * c.entry), 0.1 * c.grouser);
    }
    CHECK(push[1] > 1.1 * push[0]);
    level(&rig, 0.02);
    memset(rig.memory, 0, sizeof rig.memory);
    go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 500);
    CHECK(fabs(rig.last.f.grouser) < 1e-9);
}

TEST(skidding_is_near_the_closed_form_which_knows_no_reversal)
{
    Rig rig;
    double worst = 0.0;
    REQUIRE(make_rig(&rig, 1));
    for (double slip = -0.9; slip < -0.05; slip += 0.2)
        worst = fmax(worst, steady_error(&rig, 0.02, slip, 0.0, 1.0));
    printf("     worst deviation %.2g of the load\n", worst);
    CHECK(worst < 0.1);
}

TEST(standing_still_keeps_what_it_carries)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 3));
    level(&rig, 0.02);
    const RiVec3 none = {0.0, 0.0, 0.0};
    go(&rig, ri_vec3(0.002, 0.001, 0.0), none, 1e-3, 1000); // pushed by 2 mm and 1 mm
    go(&rig, none, none, 1e-3, 1);
    const RiWheelForce pushed = rig.last.f;
    CHECK(pushed.force.x < -1.0 && pushed.force.y < -1.0);
    go(&rig, none, none, 5e-3, 12000);
    CHECK_CLOSE(rig.last.f.force.x, pushed.force.x, 1e-9 * fabs(pushed.force.x));
    CHECK_CLOSE(rig.last.f.force.y, pushed.force.y, 1e-9 * fabs(pushed.force.y));
    CHECK_CLOSE(rig.last.f.force.z, pushed.force.z, 1e-9 * pushed.force.z);
}

/// How far a locked wheel with a mass, pushed by a third of the strength, moves from the tenth
/// second to the thirtieth [m].
static double creep_of(Rig *rig, double mass)
{
    const RiVec3 none = {0.0, 0.0, 0.0};
    const double h = 2e-3;
    double v = 0.0, way = 0.0;
    level(rig, 0.02);
    memset(rig->memory, 0, sizeof rig->memory);
    for (int i = 0; i < 15000; i++) {
        ri_wheel_step(&rig->w, &rig->g, rig->memory, ri_vec3(v, 0.0, 0.0), none, h, &rig->last);
        const double push = 0.2 * rig->last.f.force.z;
        v += h * (push + rig->last.f.force.x) / (mass + h * rig->last.slope[3][3]); // linearly implicit
        ri_wheel_step(&rig->w, &rig->g, rig->memory, ri_vec3(v, 0.0, 0.0), none, h, &rig->last);
        ri_wheel_remember(&rig->w, &rig->last, rig->memory, ri_vec3(v, 0.0, 0.0), none, h);
        way += i >= 5000 ? h * v : 0.0;
    }
    return way;
}

TEST(a_mass_that_is_held_by_shear_comes_to_rest_and_does_not_creep)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 3));
    for (double mass = 15.0; mass < 400.0; mass *= 9.0) {
        rig.law.shear_lag = 0.05;
        const double damped = creep_of(&rig, mass);
        rig.law.shear_lag = 0.0;
        printf("     %.0f kg: %.2g mm in 20 s, without damping %.2g mm\n", mass, 1e3 * damped,
               1e3 * creep_of(&rig, mass));
        CHECK(fabs(damped) < 1e-4);
    }
}

TEST(a_wheel_set_down_is_symmetric)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 3));
    level(&rig, 0.02);
    const RiVec3 none = {0.0, 0.0, 0.0};
    go(&rig, none, none, 1e-3, 2);
    CHECK_CLOSE(rig.last.f.force.x, 0.0, 1e-12);
    CHECK_CLOSE(rig.last.f.force.y, 0.0, 1e-12);
    CHECK_CLOSE(rig.last.f.torque, 0.0, 1e-12);
    CHECK(rig.last.f.force.z > ri_wheel_steady(&rig.w, &rig.law, 0.02, 0.0, 0.0, 0).force.z); // two sides carry
}

TEST(every_direction_is_regular_and_resists)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 3));
    level(&rig, 0.02);
    for (int i = 0; i < 16; i++)
        for (int k = -2; k <= 2; k++) {
            const double a = i * M_PI / 8.0, speed = 0.05;
            const RiVec3 v = ri_vec3(speed * cos(a), speed * sin(a), 0.0), w = ri_vec3(0.0, k * 0.3, 0.0);
            memset(rig.memory, 0, sizeof rig.memory);
            go(&rig, v, w, 2e-3, 300);
            const RiWheelForce f = rig.last.f;
            CHECK(isfinite(f.force.x) && isfinite(f.force.y) && isfinite(f.force.z) && isfinite(f.torque));
            CHECK(-(ri_dot(f.force, v) + ri_dot(f.moment, w)) >= 0.0); // power goes into the soil
            CHECK(f.slip >= -1.0 && f.slip <= 2.0 && fabs(f.travel_slip) <= 1.0 && f.force.z > 0.0);
        }
    memset(rig.memory, 0, sizeof rig.memory); // pure side-slip: the whole strength, and the whole side wall
    go(&rig, ri_vec3(0.0, 0.05, 0.0), ri_vec3(0.0, 0.0, 0.0), 4e-3, 2000);
    CHECK(rig.last.f.bulldozing < 0.0 && rig.last.f.shear_side < -0.5 * rig.law.tan_phi * rig.last.f.force.z);
}

TEST(spinning_in_place_gives_the_stall_torque_of_full_slip)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 3));
    level(&rig, 0.02);
    go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 2.0, 0.0), 2e-3, 5000);
    const RiWheelForce c = ri_wheel_steady(&rig.w, &rig.law, 0.02, 1.0, 0.0, 8), f = rig.last.f;
    CHECK_CLOSE(f.torque / c.torque, 1.0, 5e-3);
    CHECK_CLOSE(f.force.x / c.force.z, c.force.x / c.force.z, 5e-3);
    CHECK_CLOSE(f.slip, 1.0, 1e-9);
}

TEST(reversal_is_smooth_and_ends_in_the_mirror_image)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 3));
    level(&rig, 0.02);
    const double v = 0.05, rim = 0.0625;
    double last = 0.0, jump = 0.0;
    go(&rig, ri_vec3(v, 0.0, 0.0), ri_vec3(0.0, rim / 0.13, 0.0), 1e-3, 8000);
    const double forward = rig.last.f.force.x;
    last = forward;
    for (int i = 0; i < 16000; i++) {
        const double s = i < 4000 ? 1.0 - i / 2000.0 : -1.0; // through zero speed
        go(&rig, ri_vec3(s * v, 0.0, 0.0), ri_vec3(0.0, s * rim / 0.13, 0.0), 1e-3, 1);
        jump = fmax(jump, fabs(rig.last.f.force.x - last));
        last = rig.last.f.force.x;
    }
    CHECK_CLOSE(last, -forward, 1e-3 * fabs(rig.last.f.force.z));
    CHECK(jump < 0.01 * rig.last.f.force.z);
}

TEST(unloading_is_steep_and_loading_again_returns)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 3));
    rig.law.unload_time = 0.0;
    const RiVec3 none = {0.0, 0.0, 0.0};
    level(&rig, 0.02);
    go(&rig, none, none, 1e-3, 2);
    const double full = rig.last.f.force.z;
    const RiVec3 up = {0.0, 0.0, 5e-2}, down = {0.0, 0.0, -5e-2};
    level(&rig, 0.02);
    go(&rig, up, none, 1e-3, 1); // by 0.05 mm
    go(&rig, none, none, 1e-3, 1);
    const double less = rig.last.f.force.z;
    CHECK(less < 0.99 * full && less > 0.0);
    go(&rig, up, none, 1e-3, 100);
    CHECK_CLOSE(rig.last.f.force.z, 0.0, 1e-9);
    go(&rig, down, none, 1e-3, 100);
    go(&rig, none, none, 1e-3, 1);
    CHECK_CLOSE(rig.last.f.force.z / less, 1.0, 1e-3); // where it was 0.05 mm ago
    go(&rig, down, none, 1e-3, 1);
    go(&rig, none, none, 1e-3, 1);
    CHECK_CLOSE(rig.last.f.force.z / full, 1.0, 1e-3);
    level(&rig, 0.02005);
    go(&rig, down, none, 1e-3, 1); // deeper than ever: the virgin curve, which is soft
    CHECK(rig.last.f.force.z > full && rig.last.f.force.z - full < 0.1 * (full - less));
}

TEST(soil_of_any_stiffness_holds_less_energy_than_pressing_it_took)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 3));
    const RiVec3 none = {0.0, 0.0, 0.0};
    for (double n = 0.11; n < 1.8; n += 0.2)
        for (double k = 1e4; k < 1e8; k *= 10.0) {
            double work = 0.0, held = 0.0;
            rig.law.n0 = n;
            rig.law.k = k;
            memset(rig.memory, 0, sizeof rig.memory);
            for (int i = 1; i <= 200; i++) { // set down in steps of 0.05 mm
                level(&rig, 5e-5 * i);
                go(&rig, none, none, 1e-3, 1);
                work += 5e-5 * rig.last.f.force.z;
                held = fmax(held, rig.last.stored / work);
            }
            CHECK(held < 0.75);
        }
}

TEST(the_unloading_line_is_damped)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 1));
    const RiVec3 none = {0.0, 0.0, 0.0}, up = {0.0, 0.0, 1e-2}, down = {0.0, 0.0, -1e-2};
    level(&rig, 0.02);
    go(&rig, none, none, 1e-3, 2);
    go(&rig, up, none, 1e-3, 20); // by 0.2 mm
    const double rising = rig.last.f.force.z;
    go(&rig, none, none, 1e-3, 1);
    const double resting = rig.last.f.force.z;
    go(&rig, down, none, 1e-3, 1);
    const double sinking = rig.last.f.force.z, step = resting - rising;
    CHECK(rising > 0.0 && step > 0.0);
    // 4 ms of motion later, of which the last one had been made when it came to rest; 4 ms before
    CHECK_CLOSE((sinking - resting) / step, 4.0 / 3.0, 1e-3);
}

/// The force of the step as a function of one component of (omega, v).
static double component(const Rig *rig, const double *motion, int at)
{
    RiWheelStep s;
    ri_wheel_step(&rig->w, &rig->g, rig->memory, ri_vec3(motion[3], motion[4], motion[5]),
                  ri_vec3(motion[0], motion[1], motion[2]), 2e-3, &s);
    const double all[6] = {s.f.moment.x, s.f.moment.y, s.f.moment.z, s.f.force.x, s.f.force.y, s.f.force.z};
    return all[at];
}

TEST(slopes_are_symmetric_positive_and_resist_what_the_force_resists)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 5));
    level(&rig, 0.02);
    go(&rig, ri_vec3(0.04, 0.01, 0.0), ri_vec3(0.0, 0.4, 0.0), 2e-3, 500);
    RiWheelStep s;
    double m[6] = {0.0, 0.4, 0.0, 0.04, 0.01, 0.0};
    ri_wheel_step(&rig.w, &rig.g, rig.memory, ri_vec3(0.04, 0.01, 0.0), ri_vec3(0.0, 0.4, 0.0), 2e-3, &s);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            CHECK_CLOSE(s.slope[i][k], s.slope[k][i], 1e-9 * (fabs(s.slope[i][i]) + fabs(s.slope[k][k])));
    for (int i = 0; i < 200; i++) {
        double x[6], sum = 0.0;
        for (int k = 0; k < 6; k++)
            x[k] = sin(1.7 * i + 2.9 * k * k + 0.3);
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++)
                sum += x[a] * s.slope[a][b] * x[b];
        CHECK(sum >= -1e-9);
    }
    // at rest, with nothing mobilised, the secant is the tangent (leaning has slices of either
    // kind); downwards it is what a step adds to the load while the ends of the contact stand
    memset(rig.memory, 0, sizeof rig.memory);
    memset(m, 0, sizeof m);
    ri_wheel_step(&rig.w, &rig.g, rig.memory, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 2e-3, &s);
    for (int k = 1; k < 6; k++) {
        const double d = 1e-7, still = component(&rig, m, k);
        m[k] = k < 5 ? -d : 0.0;
        level(&rig, k < 5 ? 0.02 : 0.02 + 2e-3 * d);
        const double moved = component(&rig, m, k);
        m[k] = 0.0;
        CHECK_CLOSE((moved - still) / d / s.slope[k][k], 1.0, k < 5 ? 1e-2 : 0.15);
    }
}

TEST(packed_soil_carries_more)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 3));
    level(&rig, 0.005);
    const RiVec3 v = {0.05, 0.0, 0.0}, w = {0.0, 0.05 / 0.13, 0.0};
    go(&rig, v, w, 1e-3, 4000);
    const double fresh = rig.last.f.force.z;
    for (int i = 0; i < 3; i++)
        rig.g.packed[i][0] = 0.02;
    go(&rig, v, w, 1e-3, 4000);
    CHECK(rig.last.f.force.z > 3.0 * fresh);
}

TEST(finer_patches_change_little)
{
    Rig rig;
    double pull[2];
    for (int i = 0; i < 2; i++) {
        REQUIRE(make_rig(&rig, 3));
        rig.w.patches = i ? 32 : 16;
        level(&rig, 0.02);
        go(&rig, ri_vec3(0.05, 0.01, 0.0), ri_vec3(0.0, 0.5, 0.0), 1e-3, 6000);
        pull[i] = rig.last.f.force.x / rig.last.f.force.z;
    }
    CHECK_CLOSE(pull[0], pull[1], 2e-3);
}

/// Straight ground z = z0 + m x under the wheel, `count` stations up to 84 degrees.
static void incline(Rig *rig, double z0, double m, int count)
{
    level(rig, 0.0);
    rig->g.stations = count;
    for (int k = 0; k < count; k++) {
        rig->g.x[k] = rig->w.radius * sin((2.0 * k / (count - 1) - 1.0) * 84.0 * M_PI / 180.0);
        rig->g.z[0][k] = z0 + m * rig->g.x[k];
    }
}

TEST(straight_ground_is_met_where_it_crosses_the_rim_at_any_slope)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 1));
    double worst = 0.0;
    for (int i = 0; i < 400; i++) {
        const double r = rig.w.radius, m = 0.02 * (i % 41 - 20), half = 0.02 + 0.7 * (i / 41) / 10.0;
        incline(&rig, -r * cos(half) * sqrt(1.0 + m * m), m, 5 + 4 * (i % 3));
        go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 1);
        worst = fmax(worst, fabs(rig.last.place[0].high - (atan(m) + half)));
        worst = fmax(worst, fabs(rig.last.place[0].low - (atan(m) - half)));
    }
    printf("     worst angle off by %.1e rad\n", worst);
    CHECK(worst < 1e-5);
}

/// The wheel stands in a rut of its own and moves towards its edge, which is as high as the rut is
/// deep.
TEST(at_the_edge_of_a_rut_nothing_jumps)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 1));
    double last = 0.0, most = 0.0;
    for (int i = 0; i <= 600; i++) {
        const double edge = 0.12 - 1e-4 * i, width = 0.01;
        incline(&rig, 0.01 - rig.w.radius, 0.0, 13);
        for (int k = 0; k < 13; k++)
            rig.g.z[0][k] += 0.03 * fmin(1.0, fmax(0.0, (rig.g.x[k] - edge) / width));
        memset(rig.memory, 0, sizeof rig.memory);
        rig.memory[0] = 1.0; // rolls forwards
        go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 1);
        most = i > 0 ? fmax(most, fabs(rig.last.place[0].high - last)) : most;
        last = rig.last.place[0].high;
    }
    printf("     a tenth of a millimetre turns the entry by %.4f rad at most\n", most);
    CHECK(most < 0.02);
}

TEST(buried_and_hanging_wheels_are_answered)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 3));
    level(&rig, -0.01);
    go(&rig, ri_vec3(0.05, 0.0, 0.0), ri_vec3(0.0, 0.4, 0.0), 1e-3, 3);
    CHECK(!rig.last.touching && rig.last.f.force.z == 0.0);
    level(&rig, 0.2);
    go(&rig, ri_vec3(0.05, 0.0, 0.0), ri_vec3(0.0, 0.4, 0.0), 1e-3, 3);
    CHECK(isfinite(rig.last.f.force.z) && (rig.last.f.doubts & RI_DOUBT_BURIED) &&
          (rig.last.f.doubts & RI_DOUBT_SINKAGE));
    level(&rig, -0.01);
    go(&rig, ri_vec3(0.05, 0.0, 0.0), ri_vec3(0.0, 0.4, 0.0), 1e-3, 1);
    for (int i = 0; i < ri_wheel_memory_size(&rig.w); i++)
        CHECK(rig.memory[i] == 0.0); // in the air it forgets
}

/// A wheel that turns falls onto level ground and does not move on; the slip it remembers after 0.1
/// s.
static double slip_after_landing(Rig *rig, double h)
{
    const int steps = (int)(0.1 / h + 0.5);
    memset(rig->memory, 0, sizeof rig->memory);
    for (int k = 1; k <= steps; k++) {
        level(rig, 0.5 * 3.71 * k * k * h * h);
        go(rig, ri_vec3(0.0, 0.0, -3.71 * k * h), ri_vec3(0.0, 0.05 / rig->w.radius, 0.0), h, 1);
    }
    go(rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), h, 1);
    return rig->last.f.slip;
}

TEST(what_a_wheel_remembers_of_its_landing_does_not_depend_on_the_step)
{
    Rig rig;
    REQUIRE(make_rig(&rig, 1));
    const double coarse = slip_after_landing(&rig, 2e-3), fine = slip_after_landing(&rig, 2.5e-4),
                 finest = slip_after_landing(&rig, 1.25e-4);
    printf("     slip %.4f, %.4f, %.4f with 2, 0.25, 0.125 ms\n", coarse, fine, finest);
    CHECK(finest > 0.05);
    CHECK_CLOSE(coarse, finest, 0.05 * finest);
    CHECK_CLOSE(fine, finest, 0.005 * finest);
}

/// A mass on a wheel falls by its sinkage and swings on the soil: deepest sinkage, and how far it
/// still goes up and down after half a second.
static void fall_and_swing(Rig *rig, double h, double *out_deepest, double *out_swing)
{
    const double mass = 20.0, gravity = 3.71;
    double sinkage = 0.0, v = 0.0, low = INFINITY, high = 0.0;
    *out_deepest = 0.0;
    memset(rig->memory, 0, sizeof rig->memory);
    for (int k = 0; k * h < 0.7; k++) {
        RiWheelStep step;
        level(rig, sinkage);
        ri_wheel_step(&rig->w, &rig->g, rig->memory, ri_vec3(0.0, 0.0, v), ri_vec3(0.0, 0.0, 0.0), h, &step);
        v += h * (step.f.force.z - mass * gravity) / (mass + h * step.slope[5][5]);
        ri_wheel_remember(&rig->w, &step, rig->memory, ri_vec3(0.0, 0.0, v), ri_vec3(0.0, 0.0, 0.0), h);
        sinkage -= h * v;
        *out_deepest = fmax(*out_deepest, sinkage);
        low = k * h > 0.5 ? fmin(low, sinkage) : low;
        high = k * h > 0.5 ? fmax(high, sinkage) : high;
    }
    *out_swing = high - low;
}

TEST(a_wheel_falls_as_deep_and_swings_out_as_soon_whatever_the_step)
{
    Rig rig;
    double deepest[2], swing[2], undamped[2];
    REQUIRE(make_rig(&rig, 1));
    fall_and_swing(&rig, 2e-3, &deepest[0], &swing[0]);
    fall_and_swing(&rig, 2.5e-4, &deepest[1], &swing[1]);
    rig.law.unload_time = 0.0;
    fall_and_swing(&rig, 2.5e-4, &undamped[0], &undamped[1]);
    printf("     %.3f and %.3f mm deep, still %.4f and %.4f mm up and down; %.4f mm without damping\n",
           1e3 * deepest[0], 1e3 * deepest[1], 1e3 * swing[0], 1e3 * swing[1], 1e3 * undamped[1]);
    CHECK_CLOSE(deepest[0], deepest[1], 0.02 * deepest[1]);
    CHECK(swing[0] < 0.02 * deepest[0] && swing[1] < 0.02 * deepest[1]);
    CHECK(undamped[1] > 3.0 * swing[1]);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(steady_rolling_reproduces_the_closed_forms),
                               CASE(grousers_push_fully_or_as_far_as_the_soil_is_sheared),
                               CASE(skidding_is_near_the_closed_form_which_knows_no_reversal),
                               CASE(standing_still_keeps_what_it_carries),
                               CASE(a_mass_that_is_held_by_shear_comes_to_rest_and_does_not_creep),
                               CASE(a_wheel_set_down_is_symmetric),
                               CASE(every_direction_is_regular_and_resists),
                               CASE(spinning_in_place_gives_the_stall_torque_of_full_slip),
                               CASE(reversal_is_smooth_and_ends_in_the_mirror_image),
                               CASE(unloading_is_steep_and_loading_again_returns),
                               CASE(the_unloading_line_is_damped),
                               CASE(slopes_are_symmetric_positive_and_resist_what_the_force_resists),
                               CASE(soil_of_any_stiffness_holds_less_energy_than_pressing_it_took),
                               CASE(packed_soil_carries_more),
                               CASE(finer_patches_change_little),
                               CASE(straight_ground_is_met_where_it_crosses_the_rim_at_any_slope),
                               CASE(at_the_edge_of_a_rut_nothing_jumps),
                               CASE(buried_and_hanging_wheels_are_answered),
                               CASE(what_a_wheel_remembers_of_its_landing_does_not_depend_on_the_step),
                               CASE(a_wheel_falls_as_deep_and_swings_out_as_soon_whatever_the_step)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
