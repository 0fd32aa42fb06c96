// SPDX-License-Identifier: Apache-2.0
/// \file
/// Impacts with restitution and friction give no energy, and rebound by Newton's law where that
/// does not.
///
/// A rod of half length 1 m and 1 kg that meets the ground at 45 degrees has W = (2.5, 1.5; 1.5,
/// 2.5) for normal and tangent. If it sticks after the impact, its energy changes by -((1 - e^2)
/// W_TT + 2 W_NT t + W_NN t^2) / (2 det W) with a closing speed of 1 m/s and a tangential one of t:
/// with t = -0.6 m/s it would gain for e > 0.8.
#include "sim/fixture.h"

#include "base/rng.h"

#define BODY(shape) "{name: body, mass: 1 kg, solid: box, size: " shape ", collision: [{type: box, size: " shape "}]}"

/// A body without weight that flies against the ground.
static Fixture thrown(const char *links, double pitch, double height, double vx, const char *law, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text,
             "scene: thrown\nrobot: {template: {robot: one, base: floating, links: [%s]}}\n"
             "terrain: {kind: plane, material: rock}\nintegrator: moreau\ntick: 1 ms\nduration: 10 s\ngravity: none\n"
             "contact: {%s pairs: [{robot: \"*\", %s}]}\n"
             "initial: {base: {xyz: [0, 0, %.17g], rpy: [0, %.17g, 0], velocity: [%.17g, 0, -1]}}\n",
             links, more, law, height, pitch, vx);
    return parse(text);
}

static const double QUARTER = 0.78539816339744831;

/// After the first impact: kinetic energy, and how often a rebound was lessened.
static double after_impact(const char *law, double *out_lessened)
{
    Fixture f = thrown(BODY("[2, 1e-6, 1e-6]"), QUARTER, 0.8, -0.6, law, "");
    run_to(&f, 0.15);
    const double energy = value(&f, "energy.kinetic");
    *out_lessened = value(&f, "validity.contact.rebound_lessened");
    close_all(&f);
    return energy;
}

static double stuck(double e, double t)
{
    return 0.5 + 0.5 * t * t - ((1.0 - e * e) * 2.5 + 3.0 * t + 2.5 * t * t) / 8.0;
}

TEST(a_rod_rebounds_by_newtons_law_as_long_as_that_takes_energy)
{
    double lessened;
    CHECK_CLOSE(after_impact("friction: 1, restitution: 0.3", &lessened), stuck(0.3, -0.6), 1e-5);
    CHECK(lessened == 0.0);
    CHECK_CLOSE(after_impact("friction: 1, restitution: 0.79", &lessened), stuck(0.79, -0.6), 1e-5);
    CHECK(lessened == 0.0);
    CHECK_CLOSE(after_impact("friction: 0, restitution: 1", &lessened), 0.68, 1e-9);
    CHECK(lessened == 0.0);
}

TEST(a_rod_that_would_gain_energy_keeps_it_and_that_is_reported)
{
    static const char *const laws[] = {"friction: 1, restitution: 0.81", "friction: 0.6, restitution: 0.9",
                                       "friction: 1e6, restitution: 1"};
    CHECK(stuck(0.81, -0.6) > 0.68); // what Newton's law says
    for (int k = 0; k < 3; k++) {
        double lessened;
        const double energy = after_impact(laws[k], &lessened);
        CHECK(energy <= 0.68 * (1.0 + 1e-9));
        CHECK(energy > 0.68 * (1.0 - 1e-5));
        CHECK(lessened == 1.0);
    }
}

TEST(located_impacts_give_no_energy_either)
{
    Fixture f = thrown(BODY("[2, 1e-3, 1e-3]"), QUARTER, 0.8, -0.6, "friction: 0.6, restitution: 0.9", "events: true,");
    run_to(&f, 0.15);
    CHECK(value(&f, "contact.events.impacts") == 1.0);
    CHECK(value(&f, "energy.kinetic") <= 0.68 * (1.0 + 1e-9));
    CHECK(value(&f, "energy.kinetic") > 0.68 * (1.0 - 1e-5));
    CHECK(value(&f, "validity.contact.rebound_lessened") == 1.0);
    close_all(&f);
}

TEST(friction_beyond_the_steepest_cone_is_reported)
{
    Fixture f = thrown(BODY("[0.5, 0.4, 0.3]"), 0.0, 0.16, 0.5, "friction: 1e6", "");
    run_to(&f, 0.05);
    CHECK(value(&f, "validity.contact.friction_capped") > 0.0);
    close_all(&f);
}

/// Most that the books ever gave back in a step, in parts of the energy turned over.
static double most_given(Fixture *f, double until)
{
    double most = 0.0;
    while (ri_sim_time(f->sim) < until) {
        const double before = ri_sim_energy(f->sim).dissipated;
        if (ri_sim_step(f->sim) != RI_OK)
            return INFINITY;
        const RiEnergy e = ri_sim_energy(f->sim);
        most = fmax(most, (before - e.dissipated) / e.scale);
    }
    return most;
}

TEST(energy_never_grows_at_random_impacts_of_hulls)
{
    static const double restitutions[] = {0.0, 0.3, 1.0}, frictions[] = {0.0, 0.2, 0.7, 1e6};
    RiRng rng = ri_rng_stream(5, "rebound");
    for (int k = 0; k < 48; k++) {
        char law[96];
        snprintf(law, sizeof law, "friction: %g, restitution: %g", frictions[k / 3 % 4], restitutions[k % 3]);
        Fixture f = thrown(k % 2 ? BODY("[0.6, 0.3, 0.05]") : BODY("[0.5, 0.4, 0.3]"), 3.0 * ri_rng_uniform(&rng), 0.6,
                           4.0 * ri_rng_uniform(&rng) - 2.0, law, k % 4 > 1 ? "back_end: hulls," : "");
        const double given = most_given(&f, 1.0);
        if (!(given < 1e-8))
            CHECK_FAIL("%s, run %d: %g given", law, k, given);
        close_all(&f);
    }
}

/// A double pendulum strikes the ground with its tip [kane1985]: every law and speed.
TEST(energy_never_grows_where_a_chain_strikes_the_ground)
{
    for (int k = 0; k < 12; k++) {
        char text[2048];
        const double e = k % 3 * 0.5, mu = k / 3 % 2 ? 1.0 : 0.4, spin = k < 6 ? -3.0 : 3.0;
        snprintf(
            text, sizeof text,
            "scene: chain\nrobot: {template: {robot: chain, base: fixed, links: [{name: world},\n"
            "  {name: a, mass: 1 kg, com: [0, 0, -0.5], solid: box, size: [0.04, 0.04, 1]},\n"
            "  {name: b, mass: 1 kg, com: [0, 0, -0.5], solid: box, size: [0.04, 0.04, 1], collision: [{type: sphere, "
            "size: [0.02], origin: {xyz: [0, 0, -1]}}]}],\n"
            "  joints: [{name: top, type: continuous, parent: world, child: a, axis: [0, 1, 0], origin: {xyz: [0, 0, "
            "1.5]}},\n"
            "  {name: middle, type: continuous, parent: a, child: b, axis: [0, 1, 0], origin: {xyz: [0, 0, -1]}}]}}\n"
            "terrain: {kind: plane, material: rock}\nintegrator: moreau\ntick: 0.5 ms\nduration: 10 s\n"
            "gravity: none\ncontact: {pairs: [{robot: \"*\", friction: %g, restitution: %g}]}\n"
            "initial: {positions: {top: 0.9, middle: 0.5}, velocities: {top: %g, middle: -1}}\n",
            mu, e, spin);
        Fixture f = parse(text);
        const double given = most_given(&f, 1.0);
        if (!(given < 1e-7))
            CHECK_FAIL("restitution %g, friction %g, %g rad/s: %g given", e, mu, spin, given);
        close_all(&f);
    }
}

/// Boxes that fall askew onto each other and lose nothing but by friction: by Newton's law alone
/// such a stack gains up to a tenth of its energy in a step.
TEST(energy_never_grows_at_impacts_of_stacks)
{
    static const double frictions[] = {0.1, 0.5, 1.0};
    for (int k = 0; k < 6; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "scene: stack\nrobot: {file: ../robots/boxes.yaml, set: {count: 4, gap: 0.03, askew: %g}}\n"
                 "terrain: {kind: plane, material: rock}\nintegrator: moreau\ntick: 1 ms\nduration: 10 s\n"
                 "contact: {back_end: hulls, tolerance: 1e-9, pairs: [{robot: \"*\", friction: %g, restitution: 1},\n"
                 "  {robot: \"*\", with: \"*\", friction: %g, restitution: 1}]}\n",
                 k % 2 ? 0.3 : 0.1, frictions[k / 2], frictions[k / 2]);
        Fixture f = parse(text);
        const double given = most_given(&f, 0.3);
        if (!(given < 1e-7))
            CHECK_FAIL("friction %g, run %d: %g given", frictions[k / 2], k, given);
        CHECK(value(&f, "validity.contact.rebound_lessened") > 0.0);
        close_all(&f);
    }
}

/// A rod that would gain and a ball meet the ground in one step and do not feel each other.
TEST(a_rebound_is_lessened_only_where_it_gives_energy)
{
    Fixture f =
        parse("scene: two\nrobot: {template: {robot: two, base: fixed, links: [{name: world},\n"
              "  {name: rod, mass: 1 kg, solid: box, size: [2, 1e-3, 1e-3], collision: [{type: box, size: [2, 1e-6, "
              "1e-6]}]},\n"
              "  {name: ball, mass: 1 kg, solid: sphere, size: [0.1], collision: [{type: sphere, size: [0.1]}]}],\n"
              "  joints: [{name: fr, type: free, parent: world, child: rod, origin: {xyz: [0, 0, 0.8]}},\n"
              "  {name: fb, type: free, parent: world, child: ball, origin: {xyz: [5, 0, 0.19289]}}]}}\n"
              "terrain: {kind: plane, material: rock}\nintegrator: moreau\ntick: 1 ms\nduration: 10 s\ngravity: none\n"
              "contact: {pairs: [{robot: \"*\", friction: 1, restitution: 0.9}]}\n"
              "initial: {positions: {fr.qw: 0.9238795325112867, fr.qy: 0.3826834323650898}, velocities: {fr.vx: -0.6, "
              "fr.vz: -1, fb.vz: -1}}\n");
    run_to(&f, 0.15);
    CHECK(value(&f, "validity.contact.rebound_lessened") == 1.0);
    CHECK(value(&f, "energy.kinetic") <= 0.68 + 0.5 * 0.81 + 1e-9); // the ball has 0.9 m/s
    CHECK(value(&f, "energy.kinetic") >= 0.68 + 0.5 * 0.81 - 1e-4);
    close_all(&f);
}

TEST_MAIN(CASE(a_rod_rebounds_by_newtons_law_as_long_as_that_takes_energy),
          CASE(a_rod_that_would_gain_energy_keeps_it_and_that_is_reported), CASE(located_impacts_give_no_energy_either),
          CASE(friction_beyond_the_steepest_cone_is_reported), CASE(energy_never_grows_at_random_impacts_of_hulls),
          CASE(energy_never_grows_at_impacts_of_stacks), CASE(energy_never_grows_where_a_chain_strikes_the_ground),
          CASE(a_rebound_is_lessened_only_where_it_gives_energy))
