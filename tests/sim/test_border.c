// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hard ground and soft soil in one scene: a wheel rolls over the rock's edge into sand and climbs
/// it again. At the border the ground carries it all the time, once, and the books close.
#include "fixture.h"

static const double RADIUS = 0.1475, SPEED = 0.05, WEIGHT = 50.0 * 3.71, FROM = 0.3, TO = 0.6;

/// A single wheel of 50 kg on rails; sand lies between FROM and TO.
static Fixture wheel(const char *integrator)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "scene: border\nrobot: {file: ../robots/single_wheel.yaml, set: {radius: %g, width: 0.12, load: 50 kg, "
        "grouser_height: 0, height: "
        "%g}}\nterrain: {file: ../terrains/rock_and_sand.yaml, set: {start: %g m, length: %g m}}\nduration: 30 "
        "s\ntick: "
        "1 ms\ngravity: [0, 0, -3.71]\nintegrator: %s\ncontact: {wheel_stations: 1, pairs: [{robot: wheel, friction: "
        "0.6, stiffness: 2000 kN/m, damping: 20 kN*s/m}]}\ndevices:\n"
        "  - {joint: travel, name: carriage, type: servo, set: {stiffness: 0, damping: 20 kN*s/m, velocity: %g}}\n"
        "  - {joint: turn, name: fork, type: servo, set: {stiffness: 5 kN*m/rad, damping: 50 N*m*s/rad}}\n"
        "  - {joint: drive, name: motor, type: servo, set: {stiffness: 0, damping: 200 N*m*s/rad, velocity: %g}}\n",
        RADIUS, RADIUS, FROM, TO - FROM, integrator, SPEED, SPEED / RADIUS);
    return parse(text);
}

/// What the ground carries: rock and sand.
static double rock(Fixture *f)
{
    double sum = 0.0;
    for (int i = 0; i < ri_sim_touch_count(f->sim); i++)
        sum += ri_sim_touch(f->sim, i)->force.z;
    return sum;
}

static double sand(Fixture *f)
{
    return value(f, "soil.wheel.normal");
}

/// Steps until the wheel has travelled to x. Returns the largest change of its height within a
/// step.
static double roll_to(Fixture *f, double x)
{
    double most = 0.0, last = value(f, "sink.position");
    while (value(f, "travel.position") < x) {
        if (ri_sim_step(f->sim) != RI_OK)
            return NAN;
        const double z = value(f, "sink.position");
        most = fmax(most, fabs(z - last));
        last = z;
    }
    return most;
}

/// From rock to sand: the load goes over without a gap and without being carried twice.
static void check_entry(Fixture *f, double bound)
{
    double low = INFINITY, high = -INFINITY, both = 0.0, before = rock(f), jump = 0.0;
    REQUIRE(roll_to(f, FROM - 0.01) < 1e-3);
    CHECK_CLOSE(rock(f), WEIGHT, 1e-6 * WEIGHT);
    CHECK(value(f, "soil.wheel.sinkage") == 0.0);
    before = rock(f);
    bool first = true;
    while (value(f, "travel.position") < FROM + 0.15) {
        REQUIRE_OK(f->ctx, ri_sim_step(f->sim));
        const double r = rock(f), s = sand(f), z = value(f, "soil.wheel.sinkage");
        if (first && s > 0.0) { // the sand begins to carry where the rim reaches it, from nothing
            CHECK(z < 2e-4 && s < 0.01 * WEIGHT);
            first = false;
        }
        low = fmin(low, r + s), high = fmax(high, r + s);
        both = fmax(both, fmin(r, s));
        jump = fmax(jump, fabs(r - before));
        before = r;
    }
    CHECK(!first);
    if (!(low > (1.0 - bound) * WEIGHT && high < (1.0 + bound) * WEIGHT))
        CHECK_FAIL("the ground carries %g to %g of %g N", low, high, WEIGHT);
    CHECK(both > 0.3 * WEIGHT); // it goes over bit by bit
    CHECK(jump < bound * WEIGHT);
    CHECK(rock(f) == 0.0);
}

TEST(a_wheel_rolls_from_rock_into_sand_without_a_gap_or_double_support)
{
    Fixture f = wheel("moreau");
    check_entry(&f, 0.2);
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(ri_energy_residual(&e) < 1e-12);
    CHECK(value(&f, "validity.contact.penetrating") == 0.0);
    close_all(&f);
}

TEST(compliant_contact_hands_over_at_the_same_edge)
{
    Fixture f = wheel("implicit");
    check_entry(&f, 0.2);
    close_all(&f);
}

TEST(a_sunken_wheel_climbs_the_edge_and_is_not_lifted_by_a_projection)
{
    Fixture f = wheel("moreau");
    REQUIRE(roll_to(&f, FROM + 0.2) < 1e-3);
    const double sunk = value(&f, "soil.wheel.sinkage"), method = value(&f, "energy.method");
    CHECK(sunk > 0.01);
    const double most = roll_to(&f, TO + 0.05);
    if (!(most < 2e-3 * SPEED))
        CHECK_FAIL("%g m within a step", most); // the rim moves by 5e-5 m in a step
    CHECK_CLOSE(value(&f, "sink.position"), 0.0, 1e-8);
    CHECK_CLOSE(rock(&f), WEIGHT, 1e-3 * WEIGHT);
    CHECK(value(&f, "soil.wheel.normal") == 0.0);
    CHECK(fabs(value(&f, "energy.method") - method) < 0.05); // lifting it takes 3 J
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(ri_energy_residual(&e) < 1e-12);
    close_all(&f);
}

TEST(rock_keeps_no_ruts)
{
    Fixture f = wheel("moreau");
    REQUIRE(roll_to(&f, TO + 0.1) < 1e-3);
    RiRuts *ruts = ri_sim_ruts(f.sim);
    REQUIRE(ruts != NULL);
    double on_rock = 0.0, in_sand = 0.0;
    for (double x = 0.0; x < TO + 0.1; x += 0.5 * ri_ruts_cell(ruts)) {
        const double depth = fabs(ri_ruts_depth(ruts, x, 0.0, NULL, NULL));
        if (x < FROM - 0.02 || x > TO + 0.02) // depths are blended between cells
            on_rock = fmax(on_rock, depth);
        else
            in_sand = fmax(in_sand, depth);
    }
    CHECK(on_rock == 0.0);
    CHECK(in_sand > 0.01);
    close_all(&f);
}

TEST_MAIN(CASE(a_wheel_rolls_from_rock_into_sand_without_a_gap_or_double_support),
          CASE(compliant_contact_hands_over_at_the_same_edge),
          CASE(a_sunken_wheel_climbs_the_edge_and_is_not_lifted_by_a_projection), CASE(rock_keeps_no_ruts))
