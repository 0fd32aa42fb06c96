// SPDX-License-Identifier: Apache-2.0
/// \file
/// The drive train on a wheel in the air: closed forms of its motor, its faults, and where its
/// energy goes.
#include <rille/scene.h>

#include "check.h"

static const double R = 15.0, KT = 0.03, N = 600.0, B = 2e-6, V = 24.0, J = 0.04, DEG = 3.14159265358979323846 / 180.0;

typedef struct Rig {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
} Rig;

/// A wheel of 0.04 kg m^2 on a fixed stand, its drive train called `m`.
static RiStatus make(const char *method, const char *set, Rig *out)
{
    static char text[4096];
    const char *usual = "resistance: 15 V/A, torque_constant: 0.03 N*m/A, gear_ratio: 600, friction: 2e-6 N*m*s/rad, "
                        "max_voltage: 24 V";
    snprintf(
        text, sizeof text,
        "scene: rig\nrobot: {template: {robot: rotor, base: fixed, links: [{name: stand, mass: 1}, {name: wheel, mass: "
        "2, "
        "solid: cylinder, size: [0.2, 0.1], axis: y}], joints: [{name: hub, type: continuous, parent: stand, child: "
        "wheel, axis: y}]}}\ntick: 1 ms\nintegrator: %s\ndevices:\n  - {name: m, type: drive_train, joint: hub, set: "
        "{%s%s}}\n",
        method, set[0] == ',' || !set[0] ? usual : "", set);
    if (ri_context_create(NULL, &out->ctx) != RI_OK)
        exit(EXIT_FAILURE);
    RI_TRY(ri_scene_parse(out->ctx, NULL, text, strlen(text), NULL, &out->scene));
    RI_TRY(ri_scene_build(out->scene));
    out->sim = ri_scene_sim(out->scene);
    return RI_OK;
}

static void end(Rig *r)
{
    ri_scene_destroy(r->scene);
    ri_context_destroy(r->ctx);
}

static double value(Rig *r, const char *text)
{
    double x = NAN;
    CHECK_OK(r->ctx, ri_values_eval(ri_sim_values(r->sim), text, &x));
    return x;
}

static void set(Rig *r, const char *name, const char *text)
{
    CHECK_OK(r->ctx, ri_values_set(ri_sim_values(r->sim), name, text));
}

static void run(Rig *r, double until)
{
    while (ri_sim_time(r->sim) < until - 1e-9)
        REQUIRE_OK(r->ctx, ri_sim_step(r->sim));
}

TEST(without_power_or_outside_its_temperatures_a_motor_gets_no_current)
{
    static const struct {
        const char *name, *text;
        double why;
    } cases[] = {{"m.powered", "0", 1.0}, {"m.temperature", "200", 2.0}, {"m.temperature", "400", 3.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Rig r;
        REQUIRE_OK(r.ctx, make("rk4", ", mode: 1, cold_limit: 210, hot_limit: 360", &r));
        set(&r, "m.target_rate", "0.5");
        run(&r, 2.0);
        CHECK_CLOSE(value(&r, "hub.velocity"), 0.5, 1e-3);
        CHECK(value(&r, "m.held_off") == 0.0 && value(&r, "m.current") > 0.0);
        set(&r, cases[i].name, cases[i].text);
        run(&r, 2.01);
        const double drawn = value(&r, "m.electrical_energy");
        run(&r, 30.0);
        CHECK(value(&r, "m.held_off") == cases[i].why && value(&r, "m.current") == 0.0);
        CHECK(value(&r, "m.electrical_energy") == drawn);
        CHECK(fabs(value(&r, "hub.velocity")) < 0.05); // friction of the shaft brings it to rest
        set(&r, "m.powered", "1");
        set(&r, "m.temperature", "293.15");
        run(&r, 33.0);
        CHECK_CLOSE(value(&r, "hub.velocity"), 0.5, 1e-3);
        end(&r);
    }
}

TEST(copper_resists_more_when_warm_and_grease_when_cold)
{
    for (int k = 0; k < 2; k++) { // a runaway ends where KT (V - KT w) / R(T) = b(T) w
        const double T = k ? 353.15 : 233.15, hot = R * (1.0 + 0.0039 * (T - 293.15)), b = B * exp((293.15 - T) / 30.0);
        Rig r;
        REQUIRE_OK(r.ctx, make("rk4", ", resistance_slope: 0.0039, grease: 30", &r));
        set(&r, "m.temperature", k ? "353.15" : "233.15");
        set(&r, "m.fault", "4");
        run(&r, 3.0);
        const double want = KT * V / (KT * KT + hot * b) / N;
        CHECK_CLOSE(value(&r, "hub.velocity"), want, 1e-7 * want);
        CHECK_CLOSE(value(&r, "m.electrical_energy - m.heat_energy - m.friction_energy - m.mechanical_energy"), 0.0,
                    1e-9 * value(&r, "m.electrical_energy"));
        end(&r);
    }
}

TEST(a_runaway_ends_at_the_no_load_speed)
{
    Rig r;
    REQUIRE_OK(r.ctx, make("rk4", "", &r));
    set(&r, "m.fault", "4");
    run(&r, 3.0);
    const double want = KT * V / (KT * KT + R * B) / N;
    CHECK_CLOSE(value(&r, "hub.velocity"), want, 1e-9 * want);
    CHECK_CLOSE(value(&r, "m.effort"), 0.0, 1e-6);
    set(&r, "m.fault_voltage", "-12 V");
    run(&r, 6.0);
    CHECK_CLOSE(value(&r, "hub.velocity"), -0.5 * want, 1e-9 * want);
    end(&r);
}

TEST(a_dead_motor_coasts_down_by_its_friction)
{
    Rig r;
    REQUIRE_OK(r.ctx, make("rk4", ", mode: 1, target_rate: 1 rad/s, max_acceleration: 10 rad/s^2", &r));
    run(&r, 2.0);
    const double from = value(&r, "hub.velocity");
    CHECK_CLOSE(from, 1.0, 1e-3);
    set(&r, "m.fault", "1");
    run(&r, 2.2);
    CHECK_CLOSE(value(&r, "hub.velocity"), from * exp(-N * N * B / J * 0.2), 1e-6);
    CHECK_CLOSE(value(&r, "m.current"), 0.0, 1e-200);
    set(&r, "m.fault", "0"); // and comes back
    run(&r, 4.0);
    CHECK_CLOSE(value(&r, "hub.velocity"), 1.0, 1e-3);
    end(&r);
}

TEST(a_stalled_motor_draws_v_over_r)
{
    Rig r;
    REQUIRE_OK(r.ctx, make("implicit", ", mode: 1, target_rate: 1 rad/s, efficiency: 0.6", &r));
    run(&r, 2.0);
    CHECK(value(&r, "m.stalled") == 0.0);
    set(&r, "m.fault", "2");
    run(&r, 30.0);
    CHECK_CLOSE(value(&r, "m.current"), V / R, 1e-6); // the integral has driven the voltage to its limit
    CHECK_CLOSE(value(&r, "m.effort"), N * KT * V / R, 1e-4);
    CHECK_CLOSE(value(&r, "hub.velocity"), 0.0, 1e-9);
    CHECK(value(&r, "m.stalled") == 1.0 && value(&r, "m.limited") == 1.0);
    const double current = value(&r, "m.current");
    CHECK_OK(r.ctx, ri_sim_step(r.sim));
    CHECK_CLOSE(value(&r, "m.current"), current, 1e-9); // without chatter of the gear's loss
    CHECK_CLOSE(value(&r, "m.power"), V * V / R, 1e-4);
    end(&r);
}

TEST(a_steering_gets_stuck_where_it_is_told)
{
    Rig r;
    REQUIRE_OK(r.ctx, make("implicit", ", target: 40 deg, max_velocity: 0.3 rad/s", &r));
    run(&r, 1.0);
    set(&r, "m.fault_angle", "-8 deg");
    set(&r, "m.fault", "3");
    run(&r, 6.0);
    CHECK(value(&r, "m.locked") == 1.0);
    CHECK_CLOSE(value(&r, "hub.position"), -8.0 * DEG, 1e-4); // the motor pulls a little still
    set(&r, "hub.command", "10 N*m");                         // it holds
    run(&r, 8.0);
    CHECK_CLOSE(value(&r, "hub.position"), -8.0 * DEG, 10.0 / 1e4 * 1.01);
    set(&r, "m.fault", "0");
    set(&r, "hub.command", "0 N*m");
    run(&r, 16.0);
    CHECK_CLOSE(value(&r, "hub.position"), 40.0 * DEG, 1e-4);
    end(&r);
}

TEST(a_target_is_reached_and_a_rate_is_kept_under_load)
{
    Rig r;
    REQUIRE_OK(r.ctx, make("implicit", ", target: 2 rad, max_velocity: 0.5 rad/s, resolution: 100", &r));
    set(&r, "hub.command", "-5 N*m");
    run(&r, 20.0);
    const double count = 2.0 * 3.14159265358979 / (100.0 * N);
    CHECK_CLOSE(value(&r, "hub.position"), 2.0, 1.01 * count);
    CHECK(value(&r, "m.done") == 1.0 && value(&r, "m.count == round(m.count)") == 1.0);
    end(&r);
    REQUIRE_OK(r.ctx, make("implicit", ", mode: 1, target_rate: 0.6 rad/s", &r));
    set(&r, "hub.command", "-5 N*m");
    run(&r, 10.0);
    const double at = value(&r, "hub.position");
    run(&r, 20.0);
    CHECK_CLOSE(value(&r, "hub.position") - at, 6.0, 1e-4); // the turns are exact, not only the speed
    set(&r, "m.manual", "1");                               // motor level
    set(&r, "m.manual_rate", "-0.2 rad/s");
    run(&r, 40.0);
    CHECK_CLOSE(value(&r, "hub.velocity"), -0.2, 1e-5);
    end(&r);
}

/// Against gravity and friction, through acceleration, braking, a stall and a runaway.
TEST(energy_from_the_terminals_to_the_joint_closes)
{
    Rig r;
    REQUIRE_OK(r.ctx,
               make("implicit", ", mode: 1, target_rate: 0.8 rad/s, efficiency: 0.6, max_acceleration: 3 rad/s^2", &r));
    set(&r, "hub.command", "0 N*m");
    static const struct {
        double until;
        const char *name, *text;
    } story[] = {{1.0, "m.target_rate", "-0.5 rad/s"},
                 {2.0, "m.fault", "2"},
                 {3.0, "m.fault", "4"},
                 {4.0, "m.fault", "1"},
                 {5.0, "m.fault", "0"},
                 {8.0, "m.target_rate", "0"}};
    for (size_t k = 0; k < sizeof story / sizeof *story; k++) {
        run(&r, story[k].until);
        set(&r, story[k].name, story[k].text);
    }
    run(&r, 10.0);
    const double in = value(&r, "m.electrical_energy");
    const double out = value(&r, "m.heat_energy + m.friction_energy + m.gear_energy + m.mechanical_energy");
    CHECK(in > 1.0);
    CHECK_CLOSE(out / in, 1.0, 1e-12);
    // the books of one step earlier: the last step is booked at the next update
    const double work = value(&r, "energy.work"), given = value(&r, "m.mechanical_energy + m.lock_energy");
    CHECK_CLOSE(given, work, 1e-6 * in);
    CHECK(value(&r, "m.gear_energy") > 0.0 && value(&r, "m.heat_energy") > 0.0);
    end(&r);
}

TEST(what_makes_no_sense_is_refused)
{
    static const struct {
        const char *set, *part;
    } bad[] = {{"resistance: -1 V/A", "m.resistance"},
               {"torque_constant: 0", "'torque_constant' must be positive"},
               {"gear_ratio: 0", "'gear_ratio' must not be zero"},
               {"bandwidth: 2000 Hz", "'bandwidth' is faster than one per update"},
               {"mode: 0.5", "'mode' must be 0"},
               {"efficiency: 0", "'efficiency' must be above 0"},
               {"max_velocity: 0", "'max_velocity' and 'max_acceleration' must be positive"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        Rig r = {NULL, NULL, NULL};
        const RiStatus status = make("implicit", bad[k].set, &r);
        CHECK(status != RI_OK);
        if (!strstr(ri_context_message(r.ctx), bad[k].part))
            CHECK_FAIL("%s", ri_context_message(r.ctx));
        end(&r);
    }
}

TEST_MAIN(CASE(a_runaway_ends_at_the_no_load_speed),
          CASE(without_power_or_outside_its_temperatures_a_motor_gets_no_current),
          CASE(copper_resists_more_when_warm_and_grease_when_cold), CASE(a_dead_motor_coasts_down_by_its_friction),
          CASE(a_stalled_motor_draws_v_over_r), CASE(a_steering_gets_stuck_where_it_is_told),
          CASE(a_target_is_reached_and_a_rate_is_kept_under_load), CASE(energy_from_the_terminals_to_the_joint_closes),
          CASE(what_makes_no_sense_is_refused))
