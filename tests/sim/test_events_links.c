// SPDX-License-Identifier: Apache-2.0
/// \file
/// Located impacts of links with each other, of joints with their stops, and of bodies beside
/// others that slide: times against closed forms.
#include "fixture.h"

static const double G = 9.81;

/// Largest error of the times of impacts, up to `count` of them.
static double worst_time(Fixture *f, const double *times, int count)
{
    double worst = 0.0;
    int seen = 0;
    while (seen < count && ri_sim_time(f->sim) < times[count - 1] + 0.5) {
        if (ri_sim_step(f->sim) != RI_OK)
            return NAN;
        const int n = (int)value(f, "contact.events.impacts");
        if (n > seen && n <= count)
            worst = fmax(worst, fabs(value(f, "contact.events.last") - times[n - 1]));
        seen = n;
    }
    CHECK(seen >= count);
    return worst;
}

/// A quarter of the period of a pendulum of small frequency w that swings to an angle with this
/// sine of its half: by the arithmetic-geometric mean.
static double quarter(double w, double sine)
{
    double a = 1.0, b = sqrt(1.0 - sine * sine);
    for (int k = 0; k < 20; k++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b), a = mean;
    }
    return 0.5 * M_PI / (w * a);
}

// --- stops ---------------------------------------------------------------------------------------

/// A rod of 1 m and 1 kg that hangs down at zero, where it has a stop, let go at 60 degrees.
static Fixture rod(double restitution, const char *events)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "scene: rod\nrobot: {template: {robot: rod, base: fixed, links: [{name: world}, {name: rod, mass: 1 kg, solid: "
        "box, size: [0.01, 0.01, 1], com: [0, 0, -0.5]}], joints: [{name: hinge, type: revolute, parent: world, child: "
        "rod, axis: y, limits: [0, 2], stop_stiffness: 1000, stop_restitution: %g}]}}\nintegrator: moreau\ntick: 2 "
        "ms\nduration: 20 s\ninitial: {positions: {hinge: 60 deg}}\ncontact: {%s}\n",
        restitution, events);
    return parse(text);
}

/// Its small frequency: m g l/2 over the inertia about the hinge.
static double rod_frequency(void)
{
    return sqrt(G * 0.5 / ((1.0 + 1e-4) / 12.0 + 0.25));
}

TEST(a_pendulum_hits_its_stop_when_elliptic_integrals_say_so)
{
    Fixture f = rod(0.7, "events: 1e-11");
    double times[8], sine = sin(M_PI / 6.0);
    times[0] = quarter(rod_frequency(), sine);
    for (int n = 1; n < 8; n++) {
        sine *= 0.7; // of the half angle: it goes with the speed at the bottom
        times[n] = times[n - 1] + 2.0 * quarter(rod_frequency(), sine);
    }
    const double worst = worst_time(&f, times, 8);
    if (!(worst < 1e-9))
        CHECK_FAIL("times of impacts are off by %g s", worst);
    CHECK(value(&f, "contact.events.stepped") == 0.0);
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(ri_energy_residual(&e) < 1e-11);
    close_all(&f);
}

TEST(a_stop_without_rebound_holds_what_leans_on_it)
{
    Fixture f = rod(0.0, "events: 1e-11");
    run_to(&f, 1.0);
    CHECK(value(&f, "contact.events.impacts") == 1.0);
    CHECK(fabs(value(&f, "hinge.position")) < 1e-8);
    CHECK(fabs(value(&f, "hinge.velocity")) < 1e-10);
    CHECK(value(&f, "contact.events.stepped") == 0.0);
    close_all(&f);
}

TEST(stops_rebound_with_time_stepping_too)
{
    Fixture f = rod(0.7, "events: false");
    const double first = quarter(rod_frequency(), 0.5);
    double most = 0.0;
    run_to(&f, first + 0.01);
    while (ri_sim_time(f.sim) < first + 0.8) {
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        most = fmax(most, value(&f, "hinge.position"));
    }
    CHECK_CLOSE(sin(0.5 * most), 0.7 * 0.5, 2e-3); // of first order
    CHECK(value(&f, "hinge.position") > -1e-8);
    close_all(&f);
}

TEST(a_stop_gives_nothing_back_that_it_has_not_got)
{
    static const char text[] =
        "scene: bad\nrobot: {template: {robot: rod, base: fixed, links: [{name: world}, {name: rod, mass: 1 kg, solid: "
        "sphere, size: [0.1]}], joints: [{name: hinge, type: revolute, parent: world, child: rod, axis: y, limits: [0, "
        "2], stop_stiffness: 1000, stop_restitution: 1.5}]}}\n";
    RiContext *ctx;
    RiScene *scene = NULL;
    REQUIRE_OK(ctx, ri_context_create(NULL, &ctx));
    RiStatus status = ri_scene_parse(ctx, SCENES "test.yaml", text, strlen(text), NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    CHECK(status != RI_OK);
    if (!strstr(ri_context_message(ctx), "joint 'hinge': stop restitution is 1.5; it must be 0 to 1"))
        CHECK_FAIL("'%s'", ri_context_message(ctx));
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

// --- links ---------------------------------------------------------------------------------------

TEST(two_pendulums_of_a_cradle_exchange_their_swing_at_every_quarter)
{
    Fixture f = parse(
        "scene: cradle\nrobot: {file: ../robots/cradle.yaml, set: {count: 2, gap: 0}}\nintegrator: moreau\ntick: 2 "
        "ms\nduration: 20 s\ninitial: {positions: {rod_1: -30 deg}}\ncontact: {events: 1e-11, back_end: hulls, "
        "collide: [[\"ball_*\", \"ball_*\"]], pairs: [{robot: chrome, with: chrome, friction: 0, restitution: "
        "1}]}\n");
    const double w = sqrt(G * 0.25 / (0.25 * 0.25 + 0.4 * 0.02 * 0.02)), swing = quarter(w, sin(M_PI / 12.0));
    double times[6];
    for (int n = 0; n < 6; n++)
        times[n] = (2 * n + 1) * swing;
    const double worst = worst_time(&f, times, 6);
    if (!(worst < 1e-9))
        CHECK_FAIL("times of impacts are off by %g s", worst);
    CHECK(fabs(ri_sim_energy(f.sim).dissipated) < 1e-10);
    CHECK(value(&f, "contact.events.stepped") == 0.0);
    close_all(&f);
}

TEST(five_balls_hand_the_blow_on_one_by_one)
{
    Fixture f = parse(
        "scene: cradle\nrobot: {file: ../robots/cradle.yaml, set: {gap: 0.01 mm}}\nintegrator: moreau\ntick: 2 "
        "ms\nduration: 20 s\ninitial: {positions: {rod_1: -30 deg}}\ncontact: {events: 1e-11, back_end: hulls, "
        "collide: [[\"ball_*\", \"ball_*\"]], pairs: [{robot: chrome, with: chrome, friction: 0, restitution: 1}]}\n");
    run_to(&f, 0.4); // all of it happens within one tick of 2 ms
    CHECK(value(&f, "contact.events.impacts") == 4.0);
    CHECK(value(&f, "rod_5.position") > 0.2);
    for (int i = 1; i < 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "rod_%d.position", i);
        CHECK(fabs(value(&f, name)) < 1e-3);
    }
    CHECK(fabs(ri_sim_energy(f.sim).dissipated) < 1e-10);
    close_all(&f);
}

/// The slider-crank with a tick: error of the time of its first impact, and of the crank's speed at
/// 2 ms against Runge-Kutta 4 with small steps.
static double crank_error(const char *tick, double *out_speed)
{
    char text[512];
    snprintf(text, sizeof text,
             "scene: crank\nrobot: ../robots/slider_crank.yaml\nintegrator: moreau\ntick: %s\nduration: 1 s\ngravity: "
             "earth\ncontact: {events: 1e-11, back_end: hulls, pairs: [{robot: slider, with: guide, friction: 0.01, "
             "restitution: 0.4}]}\ninitial: {velocities: {crank: 150, rod: -225, slider: 75}}\n",
             tick);
    Fixture f = parse(text);
    run_to(&f, 2e-3);
    *out_speed = value(&f, "crank.velocity");
    run_to(&f, 2.8e-3);
    CHECK(value(&f, "contact.events.impacts") == 1.0);
    const double error = fabs(value(&f, "contact.events.last") - 2.6925028e-3);
    CHECK(value(&f, "contact.events.stepped") == 0.0);
    close_all(&f);
    return error;
}

TEST(a_slider_with_clearance_hits_its_guide_on_time)
{
    double coarse, fine;
    CHECK(crank_error("0.2 ms", &coarse) < 1e-8);
    CHECK(crank_error("0.1 ms", &fine) < 1e-9);
    CHECK_CLOSE(coarse, 120.46388171, 1e-4);
    CHECK_CLOSE(fine, 120.46388171, 5e-6); // of fourth order; time stepping is off by 0.3 at such a step
}

// --- beside what slides --------------------------------------------------------------------------

static const char BESIDE[] =
    "scene: beside\nrobot: {template: {robot: two, base: fixed, links: [{name: world}, {name: ball, mass: 1 kg, solid: "
    "sphere, size: [0.1], collision: [{type: sphere, size: [0.1], material: rubber}]}, {name: block, mass: 5 kg, "
    "solid: "
    "box, size: [0.4, 0.4, 0.2], collision: [{type: box, size: [0.4, 0.4, 0.2], material: wood}]}], joints: [{name: "
    "fly, type: free, parent: world, child: ball}, {name: lie, type: free, parent: world, child: block}]}}\n"
    "terrain: {kind: plane, material: rock}\nintegrator: moreau\ntick: 2 ms\nduration: 20 s\n"
    "contact: {events: 1e-11, pairs: [{robot: rubber, friction: 0.3, restitution: 0.8}, {robot: wood, friction: "
    "0.3}]}\ninitial: {positions: {fly.z: 1.1, lie.x: 3, lie.z: 0.1}, velocities: {lie.vx: 2}}\n";

TEST(a_ball_bounces_on_time_beside_a_block_that_slides)
{
    Fixture f = parse(BESIDE);
    double times[6];
    times[0] = sqrt(2.0 / G);
    for (int n = 1; n < 6; n++)
        times[n] = times[n - 1] + 2.0 * sqrt(2.0 * G) * pow(0.8, n) / G;
    const double worst = worst_time(&f, times, 6);
    if (!(worst < 1e-9))
        CHECK_FAIL("times of impacts are off by %g s", worst);
    CHECK_CLOSE(ri_sim_q(f.sim)[7], 3.0 + 4.0 / (2.0 * 0.3 * G), 1e-8); // it has stopped at 0.68 s, where it should
    CHECK(fabs(value(&f, "lie.1.velocity")) < 1e-9);
    CHECK(value(&f, "contact.events.stepped") == 0.0);
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(ri_energy_residual(&e) < 1e-11);
    close_all(&f);
}

/// Speeds after half a second of a block that slides at 2 m/s and turns at 3 rad/s.
static void turn_and_slide(const char *tick, double out_v[6])
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "scene: block\nrobot: {template: {robot: block, base: floating, links: [{name: body, mass: 5 kg, solid: box, "
        "size: [0.4, 0.4, 0.2], collision: [{type: box, size: [0.4, 0.4, 0.2]}]}]}}\nterrain: {kind: plane, "
        "material: rock}\nintegrator: moreau\ntick: %s\nduration: 20 s\ncontact: {events: 1e-11, pairs: [{robot: "
        "\"*\", friction: 0.3}]}\ninitial: {base: {xyz: [0, 0, 0.1], velocity: [2, 0, 0], rate: [0, 0, 3]}}\n",
        tick);
    Fixture f = parse(text);
    run_to(&f, 0.5);
    memcpy(out_v, ri_sim_v(f.sim), 6 * sizeof *out_v);
    CHECK(value(&f, "contact.events.stepped") == 0.0);
    close_all(&f);
}

TEST(corners_of_a_block_that_turns_as_it_slides_share_its_weight_alike_for_all_ticks)
{
    double coarse[6], fine[6];
    turn_and_slide("2 ms", coarse);
    turn_and_slide("1 ms", fine);
    CHECK(hypot(fine[0], fine[1]) > 0.3 && fabs(fine[5]) > 0.1); // on its way still
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(coarse[i], fine[i], 1e-9);
}

TEST(where_sliding_has_no_solution_time_stepping_goes_on)
{
    Fixture f =
        parse("scene: rod\nrobot: {template: {robot: rod, base: floating, links: [{name: body, mass: 1 kg, inertia: "
              "[0.08333, 0.08333, 1e-4], collision: [{type: capsule, size: [0.001, 1]}]}]}}\nterrain: {kind: "
              "plane, material: rock}\nintegrator: moreau\ntick: 1 ms\nduration: 2 s\ncontact: {events: true, "
              "pairs: [{robot: \"*\", friction: 2}]}\ninitial: {base: {xyz: [0, 0, 0.4482], rpy: [0, 0.46365, "
              "0], velocity: [-2, 0, 0]}}\n");
    double grown = 0.0;
    while (ri_sim_time(f.sim) < 1.0) {
        const double before = ri_sim_energy(f.sim).dissipated;
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        grown = fmax(grown, before - ri_sim_energy(f.sim).dissipated);
    }
    CHECK(value(&f, "contact.events.stepped") > 0.0);
    CHECK(grown < 1e-5 * ri_sim_energy(f.sim).scale);
    CHECK(value(&f, "contact.depth") < 1e-8);
    close_all(&f);
}

TEST(servos_too_stiff_for_an_explicit_method_are_stepped)
{
    Fixture f =
        parse("scene: rod\nrobot: {template: {robot: rod, base: fixed, links: [{name: world}, {name: rod, mass: 1 "
              "kg, inertia: [0.08, 0.08, 0.001], com: [0, 0, -0.5]}], joints: [{name: hinge, type: revolute, "
              "parent: world, child: rod, axis: y, limits: [0, 2], stop_stiffness: 1000}]}}\nintegrator: "
              "moreau\ntick: 10 ms\nduration: 30 s\ncontact: {events: true}\ninitial: {positions: {hinge: 60 "
              "deg}}\ndevices: [{name: servo, type: servo, joint: hinge, set: {stiffness: 1000, damping: 300, "
              "position: 0.5}}]\n");
    run_to(&f, 5.0); // 300 N m s/rad over 0.33 kg m^2: nine times the tick
    const double sag = 0.5 * G * sin(value(&f, "hinge.position")) / 1000.0;
    CHECK_CLOSE(value(&f, "hinge.position"), 0.5 - sag, 1e-6);
    CHECK(fabs(value(&f, "hinge.velocity")) < 1e-6);
    CHECK(value(&f, "contact.events.stepped") > 450.0); // of 500 ticks
    close_all(&f);
}

TEST(every_failed_allocation_is_answered)
{
    fail_allocations(BESIDE, 50, 41);
}

TEST_MAIN(CASE(a_pendulum_hits_its_stop_when_elliptic_integrals_say_so),
          CASE(a_stop_without_rebound_holds_what_leans_on_it), CASE(stops_rebound_with_time_stepping_too),
          CASE(a_stop_gives_nothing_back_that_it_has_not_got),
          CASE(two_pendulums_of_a_cradle_exchange_their_swing_at_every_quarter),
          CASE(five_balls_hand_the_blow_on_one_by_one), CASE(a_slider_with_clearance_hits_its_guide_on_time),
          CASE(a_ball_bounces_on_time_beside_a_block_that_slides),
          CASE(corners_of_a_block_that_turns_as_it_slides_share_its_weight_alike_for_all_ticks),
          CASE(where_sliding_has_no_solution_time_stepping_goes_on),
          CASE(servos_too_stiff_for_an_explicit_method_are_stepped), CASE(every_failed_allocation_is_answered))
