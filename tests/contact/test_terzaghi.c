// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wheels on the soil of ROAMS: bearing, traction, slip, scatter, and a rover that climbs as the
/// closed form says.
#include <rille/scene.h>

#include "check.h"

#include "base/rng.h"
#include "contact/contacts.h"

static const double DEG = 3.14159265358979323846 / 180.0;

static RiBearing soil_of(double angle, double cohesion)
{
    return (RiBearing){cohesion, tan(angle), 1600.0 * 9.81, ri_bearing_factors(angle)};
}

TEST(a_wheel_sinks_until_the_soil_carries_it)
{
    RiRng r = ri_rng_stream(1, "sink");
    for (int k = 0; k < 2000; k++) {
        const RiBearing soil = soil_of(ri_rng_between(&r, 0.0, 0.8), k % 4 ? ri_rng_between(&r, 0.0, 2e4) : 0.0);
        const double radius = ri_rng_between(&r, 0.05, 0.3), width = ri_rng_between(&r, 0.05, 0.4);
        const double load = ri_rng_between(&r, 1.0, 800.0);
        const double z = ri_bearing_sinkage(&soil, load, radius, width);
        if (z >= 2.0 * radius * (1.0 - 1e-9))
            continue;
        const double p = soil.cohesion * soil.N.Nc + soil.unit_weight * (z * soil.N.Nq + 0.5 * width * soil.N.Ng);
        CHECK_CLOSE(width * sqrt(2.0 * radius * z) * p / load, 1.0, 1e-8);
    }
    const RiBearing sand = soil_of(30.0 * DEG, 0.0);
    CHECK(ri_bearing_sinkage(&sand, 0.0, 0.1, 0.1) == 0.0);
}

TEST(traction_is_cohesion_on_the_area_and_friction_of_the_load)
{
    const RiBearing soil = soil_of(30.0 * DEG, 2000.0);
    CHECK_CLOSE(ri_bearing_traction(&soil, 100.0, 0.1, 0.15, 0.005),
                2000.0 * 0.15 * sqrt(0.001) + 100.0 * tan(30.0 * DEG), 1e-12);
}

TEST(the_carried_force_solves_its_equation_and_stays_below_the_limit)
{
    RiRng r = ri_rng_stream(2, "carried");
    for (int k = 0; k < 20000; k++) {
        const double limit = ri_rng_between(&r, 1.0, 1e3), y = limit * exp(ri_rng_between(&r, -8.0, 8.0));
        const double transition = ri_rng_between(&r, 0.01, 1.0), damp = limit * exp(ri_rng_between(&r, -12.0, 8.0));
        const double f = ri_bearing_carried(y, limit, damp, transition);
        CHECK(f >= 0.0 && f <= limit && f <= y * (1.0 + 1e-9));
        const double left = limit - f;
        if (left > 1e-9 * limit)
            CHECK_CLOSE((f - damp * transition * log1p(-f / limit)) / y, 1.0, 1e-5);
    }
    CHECK(ri_bearing_carried(5.0, 10.0, 0.0, 0.1) == 5.0 && ri_bearing_carried(50.0, 10.0, 0.0, 0.1) == 10.0);
}

TEST(places_scatter_normally_and_continuously_and_belong_to_the_seed)
{
    const uint64_t key = ri_rng_stream(7, "contact.slip").key, other = ri_rng_stream(8, "contact.slip").key;
    double sum = 0.0, square = 0.0, apart = 0.0;
    const int n = 40000;
    for (int k = 0; k < n; k++) {
        const double x = 0.37 * (k % 200), y = 0.41 * (k / 200);
        const double g = ri_patch_normal(key, 0.2, x, y);
        sum += g;
        square += g * g;
        apart += g * ri_patch_normal(other, 0.2, x, y);
        CHECK(g == ri_patch_normal(key, 0.2, x, y));
        CHECK_CLOSE(g, ri_patch_normal(key, 0.2, x + 1e-7, y - 1e-7), 1e-4);
    }
    CHECK_CLOSE(sum / n, 0.0, 0.02);
    CHECK_CLOSE(square / n, 1.0, 0.03);
    CHECK_CLOSE(apart / n, 0.0, 0.02);
    CHECK(ri_patch_normal(key, 1e-3, 1e70, 0.0) == 0.0);
}

/// A wheel's touch on soil of 30 degrees that slides at a slip while new soil comes at 0.1 m/s.
static RiTouch rolling_touch(const RiPairDef *pair, const RiBearing *soil)
{
    RiTouch t = {.pair = pair, .normal = {0.0, 0.0, 1.0}, .depth = 1e-3};
    t.roll =
        (RiRolling){.soil = soil, .radius = 0.1, .width = 0.15, .renewed = 0.1, .transition = pair->slip_transition};
    t.roll.v = t.roll.ahead = ri_vec3(1.0, 0.0, 0.0);
    return t;
}

static RiPairDef soft_pair(void)
{
    RiPairDef p = ri_pair_default();
    p.law = RI_LAW_TERZAGHI;
    p.stick_stiffness = 5e4;
    p.stick_damping = 500.0;
    return p;
}

TEST(rolling_steadily_traction_is_the_slip_curve)
{
    const RiPairDef pair = soft_pair();
    const RiBearing soil = soil_of(30.0 * DEG, 500.0);
    const RiTouch t = rolling_touch(&pair, &soil);
    for (int k = 1; k <= 30; k++) {
        const double slip = 0.02 * k;
        const RiVec3 v = ri_vec3(-slip * t.roll.renewed * 0.8, slip * t.roll.renewed * 0.6, 0.0);
        RiVec3 xi = {0.0, 0.0, 0.0};
        RiTouchForce f = ri_touch_force(&t, v, xi, 1e-3);
        for (int i = 0; i < 20000; i++) {
            f = ri_touch_force(&t, v, xi, 1e-3);
            xi = ri_touch_deflect(&t, &f, v, xi, 1e-3);
        }
        const double want = f.limit * -expm1(-slip / pair.slip_transition);
        CHECK_CLOSE(f.force.x, 0.8 * want, 1e-6 * f.limit); // against the sliding
        CHECK_CLOSE(f.force.y, -0.6 * want, 1e-6 * f.limit);
        const RiVec3 rate = ri_touch_deflection_rate(&t, &f, v, xi); // at rest for methods that integrate it, too
        CHECK_CLOSE(ri_norm(rate), 0.0, 1e-9);
    }
}

TEST(soil_never_gives_energy)
{
    RiRng r = ri_rng_stream(3, "loss");
    const RiPairDef pair = soft_pair();
    const RiBearing soil = soil_of(30.0 * DEG, 500.0);
    for (int k = 0; k < 5000; k++) {
        RiTouch t = rolling_touch(&pair, &soil);
        t.roll.renewed = k % 5 ? ri_rng_between(&r, 0.0, 0.3) : 0.0;
        const RiVec3 v = ri_vec3(ri_rng_between(&r, -0.1, 0.1), ri_rng_between(&r, -0.1, 0.1), 0.0);
        const RiTouchForce at_rest = ri_touch_force(&t, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 0.0);
        const double most = 0.99 * at_rest.limit / pair.stick_stiffness, angle = ri_rng_between(&r, 0.0, 6.28);
        const double size = ri_rng_between(&r, 0.0, most);
        const RiVec3 xi = ri_vec3(size * cos(angle), size * sin(angle), 0.0);
        const RiTouchForce f = ri_touch_force(&t, v, xi, 0.0);
        const RiVec3 rate = ri_touch_deflection_rate(&t, &f, v, xi);
        CHECK(ri_touch_loss(&t, &f, v, xi, rate) >= -1e-9);
    }
}

// --- a rover -------------------------------------------------------------------------------------

typedef struct Rover {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
} Rover;

/// The six-wheeled rover that drives up a slope at 0.3 rad/s of its wheels. `more` goes into the
/// pair.
static const char *const text =
    "scene: hill\nparameters: {tilt: 10 deg}\nrobot: %s/robots/rocker_bogie.yaml\n"
    "terrain: {template: {terrain: t, parameters: {slope: 10 deg}, kind: plane, slope: \"${slope}\", material: sand}, "
    "set: {slope: \"${tilt}\"}}\nduration: 10 s\ntick: 2 ms\nintegrator: %s\n"
    "contact: {wheel_stations: 1, wheel_touches: 1, pairs: [{robot: wheel, law: terzaghi, stiffness: 500 kN/m, "
    "damping: 10 kN*s/m, stick_stiffness: 500 kN/m, density: 1600 kg/m^3, cohesion: 0, rolling_resistance: 0.05%s}]}\n"
    "initial: {base: {xyz: [0, 0, 8 mm], rpy: [0, \"${-tilt}\", 0]}}\n"
    "devices:\n  - {joints: 'steer_*', name: 'hold_${joint}', type: servo, set: {stiffness: 5 kN*m/rad, damping: 500 "
    "N*m*s/rad}}\n"
    "  - {joints: 'drive_*', name: 'motor_${joint}', type: servo, set: {damping: 2e3 kN*m*s/rad, velocity: 0.3 "
    "rad/s}}\n";

static RiStatus make_rover(const char *tilt, const char *seed, const char *more, const char *method, Rover *out)
{
    static char scene[4096];
    const RiSetting settings[] = {{"tilt", tilt}, {"seed", seed}};
    const RiSceneOptions options = {.settings = settings, .setting_count = 2};
    if (ri_context_create(NULL, &out->ctx) != RI_OK)
        exit(EXIT_FAILURE);
    snprintf(scene, sizeof scene, text, RILLE_SOURCE_DIR, method, more);
    const char *path = RILLE_SOURCE_DIR "/scenes/hill.yaml";
    out->scene = NULL;
    RI_TRY(ri_scene_parse(out->ctx, path, scene, strlen(scene), &options, &out->scene));
    RI_TRY(ri_scene_build(out->scene));
    out->sim = ri_scene_sim(out->scene);
    return RI_OK;
}

static void end(Rover *r)
{
    ri_scene_destroy(r->scene);
    ri_context_destroy(r->ctx);
}

static double value(Rover *r, const char *name)
{
    double x = NAN;
    CHECK_OK(r->ctx, ri_values_eval(ri_sim_values(r->sim), name, &x));
    return x;
}

static void run(Rover *r, double until)
{
    while (ri_sim_time(r->sim) < until - 1e-9)
        REQUIRE_OK(r->ctx, ri_sim_step(r->sim));
}

static const char *const PHI_30 = ", friction_angle: 30 deg, slip_transition: 0.1";

/// Without cohesion every wheel uses the same share of its load, (tan(slope) + resistance) /
/// tan(phi), whatever the loads are.
TEST(a_rover_climbs_with_the_slip_of_the_closed_form)
{
    const struct {
        const char *tilt;
        double degrees;
    } slopes[] = {{"0 deg", 0.0}, {"5 deg", 5.0}, {"10 deg", 10.0}, {"20 deg", 20.0}, {"-10 deg", -10.0}};
    for (int k = 0; k < 10; k++) {
        const char *method = k < 5 ? "implicit" : "moreau";
        Rover r;
        REQUIRE_OK(r.ctx, make_rover(slopes[k % 5].tilt, "1", PHI_30, method, &r));
        run(&r, k < 5 ? 10.0 : 4.0); // without springs it is steady sooner
        const double use = (tan(slopes[k % 5].degrees * DEG) + 0.05) / tan(30.0 * DEG);
        double want = -0.1 * log1p(-fabs(use)); // driving: of the rim's speed
        if (use < 0.0)
            want = -want;
        CHECK_CLOSE(value(&r, "contact.wheel_middle_left.slip_ratio"), want, 2e-3 * fabs(want) + 1e-5);
        const double rim = 0.2575 * value(&r, "drive_middle_left_joint.velocity"),
                     v = value(&r, "sqrt(base.vx^2 + base.vy^2 + base.vz^2)");
        CHECK_CLOSE(use < 0.0 ? rim / v - 1.0 : 1.0 - v / rim, want, 2e-3 * fabs(want) + 1e-5);
        CHECK(value(&r, "contact.wheel_middle_left.sinkage") > 0.0);
        const RiEnergy e = ri_sim_energy(r.sim);
        CHECK(ri_energy_residual(&e) < 1e-10);
        end(&r);
    }
}

TEST(beyond_its_friction_angle_the_rover_slides_down)
{
    Rover r;
    REQUIRE_OK(r.ctx, make_rover("25 deg", "1", ", friction_angle: 20 deg", "implicit", &r));
    run(&r, 6.0);
    CHECK(value(&r, "base.x") < -0.1);
    CHECK_CLOSE(value(&r, "contact.wheel_middle_left.slip_ratio"), 1.0, 1.0);
    end(&r);
}

TEST(scatter_follows_the_seed_and_a_resumed_run_has_equal_bits)
{
    const char *more = ", friction_angle: 30 deg, slip_transition: 0.1, sigma_max: 0.5, sigma_slope: 10";
    Rover a, b, c;
    REQUIRE_OK(a.ctx, make_rover("10 deg", "1", more, "implicit", &a));
    REQUIRE_OK(b.ctx, make_rover("10 deg", "1", more, "implicit", &b));
    REQUIRE_OK(c.ctx, make_rover("10 deg", "2", more, "implicit", &c));
    run(&a, 2.0);
    void *block = malloc(ri_sim_state_size(a.sim));
    ri_sim_save_state(a.sim, block);
    CHECK_OK(b.ctx, ri_sim_load_state(b.sim, block));
    free(block);
    run(&a, 6.0);
    run(&b, 6.0);
    run(&c, 6.0);
    CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
    CHECK(fabs(value(&a, "base.x") - value(&c, "base.x")) > 1e-4);
    end(&a);
    end(&b);
    end(&c);
}

TEST(without_scatter_the_seed_changes_nothing)
{
    Rover a, b;
    REQUIRE_OK(a.ctx, make_rover("10 deg", "1", PHI_30, "implicit", &a));
    REQUIRE_OK(b.ctx, make_rover("10 deg", "2", PHI_30, "implicit", &b));
    run(&a, 2.0);
    run(&b, 2.0);
    CHECK(value(&a, "base.x") == value(&b, "base.x"));
    end(&a);
    end(&b);
}

TEST(what_makes_no_sense_is_refused)
{
    const struct {
        const char *more, *part;
    } bad[] = {{", friction_angle: 80 deg", "friction_angle is 1.39"},
               {"", "needs friction_angle, and the ground 'sand' has no soil that says it"},
               {", friction_angle: 30 deg, slip_transition: 0", "slip_transition is 0, it must be above 0"},
               {", friction_angle: 30 deg, sigma_max: -1", "sigma_max is -1"},
               {", friction_angle: 30 deg, patch: 0", "patch is 0"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        Rover r;
        CHECK_ERROR(r.ctx, make_rover("0 deg", "1", bad[k].more, "implicit", &r), RI_ERR_ARGUMENT, bad[k].part);
        end(&r);
    }
}

TEST_MAIN(CASE(a_wheel_sinks_until_the_soil_carries_it),
          CASE(traction_is_cohesion_on_the_area_and_friction_of_the_load),
          CASE(the_carried_force_solves_its_equation_and_stays_below_the_limit),
          CASE(places_scatter_normally_and_continuously_and_belong_to_the_seed),
          CASE(rolling_steadily_traction_is_the_slip_curve), CASE(soil_never_gives_energy),
          CASE(a_rover_climbs_with_the_slip_of_the_closed_form), CASE(beyond_its_friction_angle_the_rover_slides_down),
          CASE(scatter_follows_the_seed_and_a_resumed_run_has_equal_bits),
          CASE(without_scatter_the_seed_changes_nothing), CASE(what_makes_no_sense_is_refused))
