// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integrator moreau with links that touch each other: momentum, cones, penetration, energy over
/// random stacks, equal bits after a resume, what is refused; and the scheme's other settings:
/// theta, elliptic cones. Closed forms of motions are in `rille validate moreau`.
#include "fixture.h"

#include "base/rng.h"

/// Boxes that fall onto each other.
static Fixture boxes(int count, double askew, const char *law)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "scene: boxes\nrobot: {file: ../robots/boxes.yaml, set: {count: %d, gap: 0.03, askew: %g}}\n"
        "terrain: {kind: plane, material: rock}\nintegrator: moreau\ntick: 2 ms\nduration: 10 s\n"
        "contact: {back_end: hulls, tolerance: 1e-8, pairs: [{robot: \"*\", %s}, {robot: \"*\", with: \"*\", %s}]}\n",
        count, askew, law, law);
    return parse(text);
}

/// Two boxes without weight that meet askew.
static const char FLYING[] =
    "scene: flying\n"
    "robot: {template: {robot: two, base: fixed, links: [{name: world}, "
    "{name: a, mass: 1 kg, solid: box, size: [0.3, 0.2, 0.1], collision: [{type: box, size: [0.3, 0.2, 0.1]}]}, "
    "{name: b, mass: 3 kg, solid: box, size: [0.3, 0.2, 0.1], collision: [{type: box, size: [0.3, 0.2, 0.1]}]}], "
    "joints: [{name: fa, type: free, parent: world, child: a}, "
    "{name: fb, type: free, parent: world, child: b, origin: {xyz: [0.6, 0.1, 0.05], rpy: [0.3, 0.4, 0.5]}}]}}\n"
    "integrator: moreau\ntick: 1 ms\nduration: 5 s\ngravity: none\n";

static Fixture flying(double e, double mu)
{
    char text[4096];
    snprintf(text, sizeof text,
             "%scontact: {back_end: hulls, pairs: [{robot: \"*\", with: \"*\", friction: %g, restitution: %g}]}\n",
             FLYING, mu, e);
    Fixture f = parse(text);
    double *v = ri_sim_v(f.sim);
    v[0] = 2.0, v[4] = 3.0, v[5] = -1.0; // velocity, then rates
    v[9] = 0.5, v[10] = 1.5;
    return f;
}

/// Momentum, and angular momentum about the centre of mass.
static void momentum(const Fixture *f, RiVec3 *out_p, RiVec3 *out_L)
{
    const RiSpatial h = ri_dyn_momentum(ri_sim_dyn(f->sim));
    *out_p = h.lin, *out_L = h.ang;
}

// --- collisions ----------------------------------------------------------------------------------

TEST(bodies_that_collide_keep_momentum_and_angular_momentum)
{
    static const double laws[][2] = {{0.0, 0.0}, {0.5, 0.4}, {1.0, 0.0}, {0.3, 2.0}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        Fixture f = flying(laws[i][0], laws[i][1]);
        RiVec3 p0, L0, p = {0}, L = {0};
        double most = 0.0, gained = 0.0;
        REQUIRE_OK(f.ctx, ri_sim_start(f.sim));
        momentum(&f, &p0, &L0);
        const double before = value(&f, "energy.kinetic");
        while (ri_sim_time(f.sim) < 1.0) {
            const double lost = ri_sim_energy(f.sim).dissipated;
            REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
            momentum(&f, &p, &L);
            most = fmax(most, ri_norm(ri_sub(p, p0)));
            gained = fmax(gained, lost - ri_sim_energy(f.sim).dissipated);
        }
        const RiEnergy e = ri_sim_energy(f.sim);
        CHECK(most < 1e-12);
        CHECK(ri_norm(ri_sub(L, L0)) < 0.02 * ri_norm(L0)); // turning bodies: first order in the step
        CHECK(gained < 1e-12 * before);
        CHECK(fabs(e.dissipated) < 1e-12 || laws[i][0] < 1.0);
        CHECK(e.dissipated > 0.01 * before || laws[i][0] == 1.0); // they did meet
        CHECK(ri_energy_residual(&e) < 1e-12);
        close_all(&f);
    }
}

TEST(reactions_are_in_their_cones_and_equal_on_both)
{
    Fixture f = boxes(4, 0.2, "friction: 0.4");
    double outside = 0.0, pull = 0.0, worst = 0.0;
    int between = 0;
    while (ri_sim_time(f.sim) < 0.7) {
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        for (int i = 0; i < ri_sim_touch_count(f.sim); i++) {
            const RiTouchInfo *t = ri_sim_touch(f.sim, i);
            const RiVec3 along = ri_sub(t->force, ri_scale(t->pressing, t->normal));
            outside = fmax(outside, ri_norm(along) - 0.4 * t->pressing);
            pull = fmax(pull, -t->pressing);
            worst = fmax(worst, t->depth);
            between += t->other >= 0;
            CHECK((t->other >= 0) == (t->hull >= 0));
        }
    }
    CHECK(between > 300);
    CHECK(outside < 1e-5);
    CHECK(pull <= 0.0);
    CHECK(worst < 1e-8);
    CHECK_CLOSE(value(&f, "contact.box_4.normal"), 9.81, 1e-6);       // on top: it carries nothing but itself
    CHECK_CLOSE(value(&f, "contact.box_1.normal"), 9.81 * 7.0, 1e-5); // three above, and the ground under all four
    close_all(&f);
}

TEST(energy_never_grows_over_random_stacks)
{
    RiRng rng = ri_rng_stream(11, "stacks");
    for (int k = 0; k < 5; k++) {
        char law[96];
        const double e = ri_rng_uniform(&rng), mu = 0.8 * ri_rng_uniform(&rng);
        snprintf(law, sizeof law, "friction: %.3f, restitution: %.3f", mu, k % 2 ? e : 0.0);
        Fixture f = boxes(3 + k % 3, 0.35 * ri_rng_uniform(&rng), law);
        double gained = 0.0, depth = 0.0;
        while (ri_sim_time(f.sim) < 0.4) {
            const double lost = ri_sim_energy(f.sim).dissipated;
            REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
            gained = fmax(gained, lost - ri_sim_energy(f.sim).dissipated);
            depth = fmax(depth, value(&f, "contact.depth"));
        }
        const RiEnergy books = ri_sim_energy(f.sim);
        if (!(gained < 1e-6 * books.scale && depth < 1e-8))
            fprintf(stderr, "%s: gained %g of %g, depth %g\n", law, gained, books.scale, depth);
        CHECK(gained < 1e-6 * books.scale);
        CHECK(depth < 1e-8);
        CHECK(ri_energy_residual(&books) < 1e-12);
        close_all(&f);
    }
}

TEST(an_edge_on_a_face_touches_with_both_ends)
{
    Fixture f =
        parse("scene: edge\n"
              "robot: {template: {robot: two, base: fixed, links: [{name: world}, {name: table, mass: 1, inertia: "
              "[1, 1, 1], collision: [{type: box, size: [1, 1, 0.2]}]}, "
              "{name: a, mass: 1 kg, solid: box, size: [0.2, 0.2, 0.2], collision: [{type: box, size: [0.2, 0.2, "
              "0.2]}]}], joints: [{name: t, type: fixed, parent: world, child: table}, "
              "{name: fa, type: free, parent: world, child: a, origin: {xyz: [0, 0, 0.2414213], rpy: [0, 0.785398, "
              "0]}}]}}\n"
              "integrator: moreau\ntick: 1 ms\nduration: 5 s\ncontact: {back_end: hulls, pairs: [{robot: \"*\", "
              "with: \"*\", friction: 2}]}\n");
    run_to(&f, 0.02);
    CHECK_INT(ri_sim_touch_count(f.sim), 2);
    CHECK_CLOSE(value(&f, "contact.a.normal"), 9.81, 0.05);
    close_all(&f);
}

// --- state ---------------------------------------------------------------------------------------

TEST(a_run_goes_on_from_a_saved_state_with_equal_bits)
{
    Fixture a = boxes(5, 0.3, "friction: 0.5, restitution: 0.2"), b = boxes(5, 0.3, "friction: 0.5, restitution: 0.2");
    run_to(&a, 0.3);
    run_to(&b, 0.1);
    void *state = malloc(ri_sim_state_size(a.sim));
    REQUIRE(state != NULL);
    ri_sim_save_state(a.sim, state);
    REQUIRE_OK(b.ctx, ri_sim_load_state(b.sim, state));
    free(state);
    run_to(&a, 0.6);
    run_to(&b, 0.6);
    CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
    close_all(&a);
    close_all(&b);
}

TEST(steps_do_not_allocate)
{
    Fixture f = boxes(4, 0.3, "friction: 0.5");
    run_to(&f, 0.05);
    const unsigned long long before = ri_context_allocation_count(f.ctx);
    run_to(&f, 0.5);
    CHECK_INT((long long)(ri_context_allocation_count(f.ctx) - before), 0);
    close_all(&f);
}

TEST(every_failed_allocation_is_answered)
{
    char text[4096];
    snprintf(text, sizeof text, "%scontact: {back_end: hulls}\n", FLYING);
    fail_allocations(text, 40, 41);
}

TEST(compliant_laws_between_links_are_refused_by_name)
{
    char text[4096];
    RiContext *ctx;
    RiScene *scene = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    snprintf(text, sizeof text, "%scontact: {back_end: hulls, pairs: [{robot: a, with: b, law: terzaghi}]}\n", FLYING);
    RiStatus status = ri_scene_parse(ctx, SCENES "test.yaml", text, strlen(text), NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    CHECK(status != RI_OK);
    CHECK(strstr(ri_context_message(ctx), "terzaghi") != NULL);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

// --- settings of the scheme ----------------------------------------------------------------------

/// A mass on a spring: q+ = q + h (theta v+ + (1 - theta) v), m (v+ - v) = -h k (q + theta (q+ -
/// q)).
TEST(springs_move_by_the_theta_scheme)
{
    static const double thetas[] = {0.5, 0.7, 1.0};
    for (int i = 0; i < 3; i++) {
        const double th = thetas[i], h = 5e-3, k = 400.0, m = 2.0;
        char text[1024];
        snprintf(
            text, sizeof text,
            "scene: spring\nrobot: {template: {robot: s, base: fixed, links: [{name: world}, {name: a, mass: 2 kg, "
            "inertia: [1, 1, 1]}], joints: [{name: x, type: prismatic, parent: world, child: a, axis: x, stiffness: "
            "400 N/m}]}}\nterrain: {kind: plane}\nintegrator: moreau\ntick: 5 ms\nduration: 5 s\ncontact: {shapes: "
            "false, theta: %g}\n"
            "initial: {positions: {x: 0.1}}\n",
            th);
        Fixture f = parse(text);
        double q = 0.1, v = 0.0, worst = 0.0;
        for (int n = 0; n < 200; n++) {
            const double dv = -h * k * (q + th * h * v) / (m + th * th * h * h * k);
            q += h * (v + th * dv);
            v += dv;
            REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
            worst = fmax(worst, fabs(ri_sim_q(f.sim)[0] - q) + fabs(ri_sim_v(f.sim)[0] - v));
        }
        CHECK(worst < 1e-12);
        const double energy = 0.5 * m * v * v + 0.5 * k * q * q, first = 0.5 * k * 0.01;
        CHECK(i == 0 ? fabs(energy / first - 1.0) < 1e-12 : energy < 0.9 * first);
        close_all(&f);
    }
}

TEST(a_box_rests_with_any_theta)
{
    static const double thetas[] = {0.5, 0.75, 1.0};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "scene: box\nrobot: {template: {robot: box, base: floating, links: [{name: body, mass: 2 kg, solid: box, "
            "size: [0.4, 0.4, 0.1], collision: [{type: box, size: [0.4, 0.4, 0.1]}]}]}}\n"
            "terrain: {kind: plane, slope: 10 deg, material: rock}\nintegrator: moreau\ntick: 2 ms\nduration: 5 s\n"
            "initial: {base: {xyz: [0, 0, 0.1]}}\ncontact: {theta: %g, pairs: [{friction: 0.5}]}\n",
            thetas[i]);
        Fixture f = parse(text);
        run_to(&f, 1.0);
        CHECK(fabs(value(&f, "base.vx")) < 1e-10);
        CHECK(value(&f, "contact.depth") < 1e-8);
        CHECK_CLOSE(value(&f, "contact.normal"), 2.0 * 9.81 * cos(0.17453292519943), 1e-6);
        const RiEnergy e = ri_sim_energy(f.sim);
        CHECK(ri_energy_residual(&e) < 1e-12);
        close_all(&f);
    }
}

/// A sledge on two screws that do not turn, its centre of mass in the plane of the ice: across the
/// thread ice resists E times as much as along it. With v' = -mu g (v_t, E v_e) / |v| the sliding
/// velocity keeps v_t ~ v_e^(1/E).
TEST(a_sledge_on_screws_slides_by_the_elliptic_cone)
{
    const double E = 3.0, mu = 0.1, L = atan(0.05 / 0.1); // lead angle
    const RiVec3 across = ri_vec3(cos(L), -sin(L), 0.0), along = ri_vec3(sin(L), cos(L), 0.0);
    Fixture f = parse("scene: sledge\nrobot: {template: {robot: sledge, base: floating, links: [{name: body, mass: 10 "
                      "kg, inertia: [1, 1, "
                      "1]}], screws: ["
                      "{name: left, link: body, lead: \"${2*pi*0.05}\", radius: 0.1, length: 0.6, origin: {xyz: [0, "
                      "0.4, 0.1], rpy: [0, "
                      "90 deg, 0]}}, "
                      "{name: right, link: body, lead: \"${2*pi*0.05}\", radius: 0.1, length: 0.6, origin: {xyz: [0, "
                      "-0.4, 0.1], rpy: "
                      "[0, 90 deg, 0]}}]}}\n"
                      "terrain: {kind: plane, material: ice}\nintegrator: moreau\ntick: 1 ms\nduration: 5 s\n"
                      "contact: {pairs: [{robot: screw, law: screw, friction: 0.1, e0: 3, e1: 0, e_max: 8}]}\n"
                      "initial: {base: {xyz: [0, 0, 0]}}\n");
    double *v = ri_sim_v(f.sim);
    v[0] = across.x + along.x, v[1] = across.y + along.y;
    REQUIRE_OK(f.ctx, ri_sim_start(f.sim));
    double worst = 0.0, first = NAN;
    for (int n = 0; n < 200; n++) {
        const double before = ri_dot(across, ri_vec3(v[0], v[1], 0.0));
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        const RiVec3 now = ri_vec3(v[0], v[1], 0.0);
        const double ve = ri_dot(across, now), vt = ri_dot(along, now);
        if (n == 0)
            first = (before - ve) / 1e-3;
        worst = fmax(worst, fabs(vt - pow(ve, 1.0 / E)));
    }
    CHECK_CLOSE(first, mu * 9.81 * E / sqrt(2.0), 2e-3);
    CHECK(worst < 1e-3);
    CHECK(fabs(v[5]) < 1e-9); // it does not turn
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(ri_energy_residual(&e) < 1e-12);
    close_all(&f);
}

TEST_MAIN(CASE(bodies_that_collide_keep_momentum_and_angular_momentum),
          CASE(reactions_are_in_their_cones_and_equal_on_both), CASE(energy_never_grows_over_random_stacks),
          CASE(an_edge_on_a_face_touches_with_both_ends), CASE(a_run_goes_on_from_a_saved_state_with_equal_bits),
          CASE(steps_do_not_allocate), CASE(every_failed_allocation_is_answered),
          CASE(compliant_laws_between_links_are_refused_by_name), CASE(springs_move_by_the_theta_scheme),
          CASE(a_box_rests_with_any_theta), CASE(a_sledge_on_screws_slides_by_the_elliptic_cone))
