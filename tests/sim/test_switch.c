// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs that are switched between kinematic and dynamic: the same commands drive the rover, its
/// pose goes on from where it is, the energy books close, and a state resumes bit by bit in either
/// mode.
#include <stdlib.h>

#include "sim/fixture.h"

/// A MER with motors on rock that drives an arc of 30 m by its locomotion.
#define ROVER(mode)                                                                                                    \
    "scene: s\nrobot: {file: ../robots/mer.yaml, set: {drive_torque: 45 N*m, steer_torque: 45 N*m}}\n"                 \
    "terrain: {kind: plane, slope: 5 deg, material: rock}\nmode: " mode                                                \
    "\nduration: 100 s\ntick: 4 ms\ngravity: mars\nstance: {}\ndevices:\n"                                             \
    "  - {name: rover, type: locomotion, group: ['drive_*', 'steer_*'], set: {speed: 0.1 m/s, acceleration: 0.1 "      \
    "m/s^2, steer_time: 0 s}}\n"                                                                                       \
    "  - {joints: 'drive_*', name: 'motor_${joint}', type: servo, set: {stiffness: 0, damping: 500}, connect: "        \
    "{velocity: 'rover.${joint}.rate'}}\n"                                                                             \
    "  - {joints: 'steer_*', name: 'hold_${joint}', type: servo, set: {stiffness: 5000, damping: 500}, connect: "      \
    "{position: 'rover.${joint}.position'}}\n"

static void set(Fixture *f, const char *name, double x)
{
    RiValues *t = ri_sim_values(f->sim);
    const int i = ri_values_find(t, name);
    REQUIRE(i >= 0);
    CHECK_OK(f->ctx, ri_values_write(t, i, x));
}

static void send(Fixture *f)
{
    set(f, "rover.radius", 20.0);
    set(f, "rover.length", 30.0);
    set(f, "rover.command", 1.0);
}

/// Largest move and turn of the base in one tick, until a time.
static void watch(Fixture *f, double until, double *out_move, double *out_turn)
{
    static const char *const names[6] = {"base.x", "base.y", "base.z", "base.roll", "base.pitch", "base.yaw"};
    double last[6];
    for (int k = 0; k < 6; k++)
        last[k] = value(f, names[k]);
    while (ri_sim_time(f->sim) < until - 1e-9) {
        REQUIRE_OK(f->ctx, ri_sim_step(f->sim));
        double now[6];
        for (int k = 0; k < 6; k++)
            now[k] = value(f, names[k]);
        *out_move = fmax(*out_move, hypot(hypot(now[0] - last[0], now[1] - last[1]), now[2] - last[2]));
        *out_turn = fmax(*out_turn, hypot(hypot(now[3] - last[3], now[4] - last[4]), now[5] - last[5]));
        memcpy(last, now, sizeof last);
    }
}

/// The rover is driven by the same command all the time.
TEST(a_drive_goes_on_through_switches_without_a_jump)
{
    Fixture f = parse(ROVER("switchable"));
    double move = 0.0, turn = 0.0;
    send(&f);
    watch(&f, 6.0, &move, &turn);
    const double there = hypot(value(&f, "base.x"), value(&f, "base.y"));
    CHECK(there > 0.3); // it drives
    for (int k = 0; k < 4; k++) {
        const double x = value(&f, "base.x"), y = value(&f, "base.y");
        set(&f, "drive.dynamic", k % 2);
        watch(&f, 6.0 + 3.0 * (k + 1), &move, &turn);
        const double gone = hypot(value(&f, "base.x") - x, value(&f, "base.y") - y);
        if (!(gone > 0.27 && gone < 0.32)) // 3 s at 0.1 m/s, with slip on the slope or without
            CHECK_FAIL("%g m in 3 s after switch %d", gone, k);
    }
    printf("     largest move in a tick %.2g m, turn %.2g rad\n", move, turn);
    CHECK(move < 3e-3); // 0.4 mm a tick at 0.1 m/s, and the wheels' give
    CHECK(turn < 5e-3);
    CHECK(value(&f, "rover.busy") == 1.0);
    CHECK(fabs(value(&f, "energy.residual")) < 1e-9);
    close_all(&f);
}

static const char motors[] =
    "scene: s\nrobot: {file: ../robots/mer.yaml, set: {drive_torque: 45 N*m, steer_torque: 45 N*m}}\n"
    "terrain: {kind: plane, slope: 5 deg, material: rock}\nmode: switchable\nduration: 100 s\ntick: 4 ms\ngravity: "
    "mars\nstance: {}\ndevices:\n"
    "  - {name: rover, type: locomotion, group: ['drive_*', 'steer_*'], set: {speed: 0.1 m/s, acceleration: 0.1 "
    "m/s^2}}\n"
    "  - {joints: 'drive_*', name: 'motor_${joint}', type: drive_train, set: {mode: 1, resistance: 6 V/A, "
    "torque_constant: 0.02 N*m/A, gear_ratio: 400, efficiency: 0.6, max_voltage: 28 V, max_velocity: 2 rad/s, "
    "max_acceleration: 2 rad/s^2, integral_gain: 5}, connect: {target_rate: 'rover.${joint}.rate', manual: "
    "rover.motor_level}}\n"
    "  - {joints: 'steer_*', name: 'hold_${joint}', type: servo, set: {stiffness: 5000, damping: 500}, connect: "
    "{position: 'rover.${joint}.position'}}\n";

#define WHEEL(name) value(&f, "motor_drive_front_left_joint." name)

static double books(Fixture *x)
{
    Fixture f = *x;
    return WHEEL("electrical_energy") - WHEEL("heat_energy") - WHEEL("friction_energy") - WHEEL("gear_energy") -
           WHEEL("mechanical_energy");
}

TEST(motors_are_idle_without_dynamics_and_begin_again_without_a_blow)
{
    Fixture f = parse(motors);
    double move = 0.0, turn = 0.0, worst = 0.0;
    send(&f);
    watch(&f, 5.0, &move, &turn);
    const double drawn = WHEEL("electrical_energy"), driving = WHEEL("voltage");
    CHECK(drawn > 0.1 && fabs(books(&f)) < 1e-6 * drawn && driving > 1.0);
    set(&f, "drive.dynamic", 0.0);
    watch(&f, 25.0, &move, &turn);
    CHECK(WHEEL("current") == 0.0 && WHEEL("power") == 0.0);
    CHECK_CLOSE(WHEEL("electrical_energy"), drawn, 0.01 * drawn); // the step before the switch is booked or not
    const double before = WHEEL("electrical_energy");
    set(&f, "drive.dynamic", 1.0);
    for (int i = 0; i < 500; i++) {
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        worst = fmax(worst, fabs(WHEEL("voltage")));
    }
    if (!(worst < 2.0 * driving))
        CHECK_FAIL("%g V after the switch, %g V before it", worst, driving);
    CHECK(WHEEL("electrical_energy") > before && fabs(books(&f)) < 1e-6 * drawn);
    close_all(&f);
}

/// While it is kinematic the motion is that of a kinematic run.
TEST(a_switched_run_is_driven_as_a_kinematic_one)
{
    Fixture a = parse(ROVER("kinematic")), b = parse(ROVER("switchable"));
    set(&b, "drive.dynamic", 0.0);
    send(&a);
    send(&b);
    run_to(&a, 8.0);
    run_to(&b, 8.0);
    static const char *const names[6] = {"base.x", "base.y", "base.z", "base.roll", "base.pitch", "base.yaw"};
    CHECK(value(&a, "base.x") > 0.5);
    for (int k = 0; k < 6; k++)
        CHECK(value(&a, names[k]) == value(&b, names[k]));
    close_all(&a);
    close_all(&b);
}

/// From states in either mode another simulation goes on with the same bits through a switch.
TEST(a_switched_run_resumes_bit_by_bit)
{
    for (int dynamic = 0; dynamic < 2; dynamic++) {
        Fixture a = parse(ROVER("switchable")), b = parse(ROVER("switchable"));
        send(&a);
        set(&a, "drive.dynamic", dynamic);
        run_to(&a, 3.0);
        void *block = malloc(ri_sim_state_size(a.sim));
        REQUIRE(block != NULL);
        ri_sim_save_state(a.sim, block);
        CHECK_OK(b.ctx, ri_sim_load_state(b.sim, block));
        CHECK(value(&b, "drive.dynamic") == dynamic);
        for (int k = 0; k < 2; k++) {
            Fixture *f = k ? &b : &a;
            run_to(f, 5.0);
            set(f, "drive.dynamic", 1 - dynamic);
            run_to(f, 7.0);
        }
        CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
        free(block);
        close_all(&a);
        close_all(&b);
    }
}

TEST(only_rovers_with_a_terrain_and_an_integrator_can_be_switched)
{
    Fixture f = parse(ROVER("kinematic"));
    CHECK(ri_values_find(ri_sim_values(f.sim), "drive.dynamic") < 0);
    CHECK(ri_sim_set_switchable(f.sim) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(f.ctx), "before ri_sim_build"));
    close_all(&f);
}

TEST_MAIN(CASE(a_drive_goes_on_through_switches_without_a_jump),
          CASE(motors_are_idle_without_dynamics_and_begin_again_without_a_blow),
          CASE(a_switched_run_is_driven_as_a_kinematic_one), CASE(a_switched_run_resumes_bit_by_bit),
          CASE(only_rovers_with_a_terrain_and_an_integrator_can_be_switched))
