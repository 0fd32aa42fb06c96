// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integrator moreau: what exact contact must keep whatever the robot: reactions in their cones,
/// nothing left in the ground, books that close, equal bits after a resume, no allocation; and what
/// it answers to bad input. Closed forms of motions are in `rille validate moreau`.
#include "fixture.h"
#include "needs.h"

#include "sim/internal.h"

static Fixture load_with(const char *name, const char *integrator)
{
    Fixture f;
    RiSceneOptions options = ri_scene_options_default();
    const RiSetting setting = {"integrator", integrator};
    options.settings = &setting;
    options.setting_count = integrator ? 1 : 0;
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        abort();
    if (ri_scene_load(f.ctx, name, &options, &f.scene) != RI_OK || ri_scene_build(f.scene) != RI_OK) {
        fprintf(stderr, "%s\n", ri_context_message(f.ctx));
        abort();
    }
    f.sim = ri_scene_sim(f.scene);
    return f;
}

static Fixture load(const char *name)
{
    return load_with(name, NULL);
}

static const char BOX[] = "scene: box\n"
                          "robot: {template: {robot: box, base: floating, links: [{name: body, mass: 2 kg, solid: box, "
                          "size: [0.4, 0.4, 0.1], collision: [{type: box, size: [0.4, 0.4, 0.1]}]}]}}\n"
                          "terrain: {kind: plane, slope: 10 deg, material: rock}\n"
                          "integrator: moreau\ntick: 2 ms\nduration: 5 s\n"
                          "initial: {base: {xyz: [0, 0, 0.4], rpy: [0.3, 0.5, 0.1]}}\n";

static Fixture box(const char *contact)
{
    char text[4096];
    snprintf(text, sizeof text, "%scontact: {pairs: [{robot: \"*\", %s}]}\n", BOX, contact);
    return parse(text);
}

// --- invariants ----------------------------------------------------------------------------------

TEST(reactions_are_in_their_cones_and_nothing_is_left_in_the_ground)
{
    Fixture f = box("friction: 0.4, restitution: 0.3");
    double worst = 0.0, outside = 0.0, pull = 0.0;
    int touched = 0;
    while (ri_sim_time(f.sim) < 3.0) {
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        for (int i = 0; i < ri_sim_touch_count(f.sim); i++, touched++) {
            const RiTouchInfo *t = ri_sim_touch(f.sim, i);
            const RiVec3 along = ri_sub(t->force, ri_scale(t->pressing, t->normal));
            outside = fmax(outside, ri_norm(along) - 0.4 * t->pressing);
            pull = fmax(pull, -t->pressing);
            worst = fmax(worst, t->depth);
        }
    }
    CHECK(touched > 500);
    CHECK(outside < 1e-7);
    CHECK(pull <= 0.0);
    CHECK(worst < 1e-8);
    CHECK(value(&f, "validity.contact.not_converged") == 0.0);
    CHECK(value(&f, "validity.contact.penetrating") == 0.0);
    close_all(&f);
}

TEST(energy_never_grows_at_an_impact)
{
    static const char *const laws[] = {"friction: 0, restitution: 1", "friction: 0.4, restitution: 0",
                                       "friction: 0.2, restitution: 0.5", "friction: 1e6, restitution: 0"};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        Fixture f = box(laws[k]);
        double most = 0.0;
        while (ri_sim_time(f.sim) < 1.0) {
            const double before = ri_sim_energy(f.sim).dissipated;
            REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
            most = fmax(most, before - ri_sim_energy(f.sim).dissipated);
        }
        const RiEnergy e = ri_sim_energy(f.sim);
        CHECK(most < 1e-5 * e.scale); // a resting point moves by the curvature of its path within a step
        CHECK(ri_energy_residual(&e) < 1e-12);
        close_all(&f);
    }
}

TEST(a_box_without_friction_or_loss_keeps_bouncing)
{
    Fixture f = box("friction: 0, restitution: 1");
    run_to(&f, 2.0);
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(fabs(e.dissipated) < 1e-3 * e.scale);
    CHECK(fabs(ri_energy_method_share(&e)) < 0.05);
    close_all(&f);
}

TEST(books_close_for_a_rover_over_a_step)
{
    Fixture f = load(SCENES "exomars_step.yaml");
    double worst = 0.0;
    while (!ri_sim_stopped(f.sim) && ri_sim_time(f.sim) < 8.0) {
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        worst = fmax(worst, value(&f, "contact.depth"));
    }
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(ri_energy_residual(&e) < 1e-10);
    CHECK(value(&f, "base.x") > 2.5); // it got over
    CHECK(value(&f, "validity.contact.not_converged") == 0.0);
    CHECK(worst < 1e-8);
    close_all(&f);
}

/// The scene exomars_rough at five times its speed with another setting and key, driven for two
/// seconds.
static Fixture drive_on_rough_ground(const char *key, const char *name, const char *to)
{
    const RiSetting settings[2] = {{"speed", "0.5 rad/s"}, {name, to}};
    RiSceneOptions options = ri_scene_options_default();
    char text[512];
    Fixture f;
    options.settings = settings;
    options.setting_count = name ? 2 : 1;
    snprintf(text, sizeof text, "scene: rough\ninclude: exomars_rough.yaml\n%s", key);
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        abort();
    if (ri_scene_parse(f.ctx, SCENES "rough.yaml", text, strlen(text), &options, &f.scene) != RI_OK ||
        ri_scene_build(f.scene) != RI_OK) {
        fprintf(stderr, "%s\n", ri_context_message(f.ctx));
        abort();
    }
    f.sim = ri_scene_sim(f.scene);
    run_to(&f, 2.0);
    return f;
}

TEST(on_rough_ground_exact_contact_puts_in_less_than_a_hundredth_of_the_energy)
{
    static const char *const settings[][2] = {
        {NULL, NULL}, {"slope", "14 deg"}, {"cell", "5 mm"}, {"restitution", "0.5"}};
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        Fixture f = drive_on_rough_ground("", settings[k][0], settings[k][1]);
        const RiEnergy e = ri_sim_energy(f.sim);
        printf("     %s: %.2f %%\n", k ? settings[k][0] : "as it is", -100.0 * ri_energy_method_share(&e));
        CHECK(fabs(ri_energy_method_share(&e)) < 0.01);
        CHECK(ri_energy_residual(&e) < 1e-10);
        close_all(&f);
    }
}

TEST(energy_that_missed_touches_put_in_is_flagged)
{
    // one place per wheel, where it needs three
    Fixture f = drive_on_rough_ground(
        "contact: {wheel_stations: 1, wheel_touches: 1, pairs: [{robot: \"*\", friction: 0.6}]}\n", NULL, NULL);
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(ri_energy_method_share(&e) < -0.05);
    CHECK(value(&f, "validity.contact.energy_gain") > 0.0);
    CHECK(value(&f, "contact.problem.lifted") > 0.05 * e.scale);
    close_all(&f);
}

/// A wheel that starts 5 mm in the ground is lifted before the books begin.
TEST(a_start_in_the_ground_is_told_and_brings_no_energy)
{
    Fixture f =
        parse("scene: inside\nrobot: ../robots/single_wheel.yaml\nterrain: {kind: plane, material: rock}\ntick: 1 ms\n"
              "integrator: moreau\ncontact: {wheel_touches: 1, pairs: [{robot: \"*\", friction: 0.5}]}\n"
              "initial: {positions: {sink: -5 mm}}\nduration: 1 s\n");
    run_to(&f, 0.1);
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(value(&f, "validity.contact.started_inside") == 1.0);
    CHECK(fabs(e.method) < 1e-9);
    CHECK(value(&f, "contact.problem.lifted") == 0.0);
    close_all(&f);
}

TEST(wheels_on_soft_soil_sink_and_drive_as_with_the_implicit_method)
{
    NEEDS("gdal");
    Fixture a = load_with(SCENES "rover_ripple.yaml", "moreau"), b = load_with(SCENES "rover_ripple.yaml", "implicit");
    run_to(&a, 0.4);
    run_to(&b, 0.4);
    const RiEnergy e = ri_sim_energy(a.sim);
    CHECK_CLOSE(value(&a, "base.x"), value(&b, "base.x"), 1e-4);
    CHECK_CLOSE(value(&a, "base.z"), value(&b, "base.z"), 1e-4);
    CHECK(ri_energy_residual(&e) < 1e-12);
    close_all(&a);
    close_all(&b);
}

// --- joint stops ---------------------------------------------------------------------------------

static const char ARM[] =
    "scene: arm\n"
    "robot: {template: {robot: arm, base: fixed, links: [{name: base}, {name: bar, mass: 1 kg, com: [0.5, 0, 0], "
    "inertia: [0.01, "
    "0.1, "
    "0.1]}], joints: [{name: hinge, type: revolute, parent: base, child: bar, axis: y, limits: [-1 rad, 0.7 rad], "
    "stop_stiffness: 1000}]}}\n"
    "integrator: moreau\ntick: 1 ms\nduration: 5 s\n";

TEST(a_joint_stops_at_its_limit_and_stays_there)
{
    Fixture f = parse(ARM);
    double furthest = 0.0;
    while (ri_sim_time(f.sim) < 2.0) {
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        furthest = fmax(furthest, value(&f, "hinge.position"));
    }
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(furthest < 0.7 + 1e-8);
    CHECK_CLOSE(value(&f, "hinge.position"), 0.7, 1e-8);
    CHECK(fabs(value(&f, "hinge.velocity")) < 1e-12);
    CHECK(ri_energy_residual(&e) < 1e-12);
    CHECK_CLOSE(e.dissipated, 9.81 * 0.5 * sin(0.7), 0.02); // all that gravity gave is lost in the impact
    close_all(&f);
}

// --- state ---------------------------------------------------------------------------------------

TEST(a_restored_state_goes_on_with_equal_bits)
{
    Fixture a = load(SCENES "exomars_step.yaml"), b = load(SCENES "exomars_step.yaml");
    run_to(&a, 0.9);
    run_to(&b, 0.2);
    void *state = malloc(ri_sim_state_size(a.sim));
    REQUIRE(state != NULL);
    ri_sim_save_state(a.sim, state);
    REQUIRE_OK(b.ctx, ri_sim_load_state(b.sim, state));
    free(state);
    run_to(&a, 1.4);
    run_to(&b, 1.4);
    CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
    close_all(&a);
    close_all(&b);
}

TEST(steps_do_not_allocate)
{
    Fixture f = load(SCENES "exomars_step.yaml");
    run_to(&f, 0.1);
    const unsigned long long before = ri_context_allocation_count(f.ctx);
    run_to(&f, 1.2); // through the impacts
    CHECK_INT((long long)(ri_context_allocation_count(f.ctx) - before), 0);
    close_all(&f);
}

TEST(every_failed_allocation_is_answered)
{
    char text[4096];
    snprintf(text, sizeof text, "%scontact: {pairs: [{friction: 0.4}]}\n", BOX);
    fail_allocations(text, 200, 37);
}

// --- problems, bad input -------------------------------------------------------------------------

typedef struct Seen {
    int problems, most;
} Seen;

static RiStatus look(void *user, double time, const RiConeProblem *p)
{
    Seen *seen = user;
    (void)time;
    seen->problems++;
    seen->most = p->n > seen->most ? p->n : seen->most;
    return RI_OK;
}

TEST(contact_problems_can_be_watched)
{
    Fixture f = box("friction: 0.4");
    Seen seen = {0, 0};
    ri_sim_watch_cones(f.sim, look, &seen);
    run_to(&f, 2.0);
    CHECK(seen.problems > 500);
    CHECK_INT(seen.most, 4);
    close_all(&f);
}

TEST(all_contacts_may_open_at_once)
{
    Fixture f = box("friction: 0.4");
    run_to(&f, 2.0);
    CHECK(value(&f, "contact.touching") >= 3.0);
    REQUIRE_OK(f.ctx, ri_values_set(ri_sim_values(f.sim), "gravity.z", "5"));
    run_to(&f, 2.1);
    CHECK(value(&f, "contact.touching") == 0.0);
    CHECK(value(&f, "base.vz") > 0.4);
    close_all(&f);
}

static void refuse(const char *text, const char *word)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    RiStatus status = ri_scene_parse(ctx, SCENES "test.yaml", text, strlen(text), NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    CHECK(status != RI_OK);
    if (!strstr(ri_context_message(ctx), word))
        fprintf(stderr, "message is: %s\n", ri_context_message(ctx));
    CHECK(strstr(ri_context_message(ctx), word) != NULL);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

// --- adhesion ------------------------------------------------------------------------------------

/// A cube of 1 kg that hangs under a ceiling: four corners that hold `adhesion` each.
static Fixture hang(double adhesion, double friction, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text,
             "scene: hang\n"
             "robot: {template: {robot: box, base: floating, links: [{name: body, mass: 1 kg, solid: box, "
             "size: [0.1, 0.1, 0.1], collision: [{type: box, size: [0.1, 0.1, 0.1]}]}]}}\n"
             "terrain: {kind: plane, material: glue}\nintegrator: moreau\ntick: 1 ms\nduration: 5 s\n"
             "gravity: [0, 0, -10]\ninitial: {base: {xyz: [0, 0, 0.05]}}\n"
             "contact: {pairs: [{robot: \"*\", name: glue, friction: %.17g, adhesion: %.17g}]}\n%s",
             friction, adhesion, more);
    return parse(text);
}

/// Four corners of 5 N hold 1 kg up to 2 g upwards, and no further: gravity turned round pulls it off at
/// once where it is stronger than the bonds, and never where it is not.
TEST(a_glued_box_hangs_until_it_is_pulled_harder_than_its_bonds)
{
    for (int k = 0; k < 2; k++) {
        const double pull = k ? 20.2 : 19.8;
        char more[128];
        snprintf(more, sizeof more, "commands: [{at: 0.1 s, set: {gravity.z: %.17g}}]\n", pull);
        Fixture f = hang(5.0, 0.5, more);
        run_to(&f, 0.6);
        if (k == 0) {
            CHECK_CLOSE(value(&f, "base.z"), 0.05, 1e-9);
            CHECK_CLOSE(value(&f, "contact.normal"), -pull, 1e-6);
        } else {
            CHECK_CLOSE(value(&f, "base.z"), 0.05 + 0.5 * pull * 0.25, 0.05); // free from the first tick or two on
            CHECK(value(&f, "contact.touching") == 0.0);
        }
        const RiEnergy e = ri_sim_energy(f.sim);
        CHECK(ri_energy_residual(&e) < 1e-9);
        close_all(&f);
    }
}

/// A pull that grows slowly: corners share it in whichever way, and all come off together at 20 N.
TEST(corners_of_a_face_come_off_together)
{
    Fixture f = load(SCENES "glued_box.yaml");
    double last = NAN;
    while (ri_sim_time(f.sim) < 6.1) {
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        if (value(&f, "contact.touching") > 0.0)
            last = value(&f, "gravity.z");
        CHECK(value(&f, "contact.touching") == 4.0 || value(&f, "contact.touching") == 0.0);
    }
    CHECK_CLOSE(last, 20.0, 0.011);
    close_all(&f);
}

/// Coulomb with cohesion: a box slides where the push is more than mu (N + C): 0.4 (10 + 12) = 8.8 N.
TEST(cohesion_adds_to_the_load_that_friction_sees)
{
    for (int k = 0; k < 2; k++) {
        const double push = k ? 8.9 : 8.7;
        char more[128];
        snprintf(more, sizeof more, "commands: [{at: 0.1 s, set: {gravity.x: %.17g}}]\n", push);
        Fixture f = hang(3.0, 0.4, more);
        run_to(&f, 1.1);
        if (k == 0)
            CHECK(fabs(value(&f, "base.x")) < 1e-9);
        else
            CHECK_CLOSE(value(&f, "base.x"), 0.5 * (push - 8.8), 2e-3);
        CHECK_CLOSE(value(&f, "contact.normal"), 10.0, 1e-6);
        const RiEnergy e = ri_sim_energy(f.sim);
        CHECK(ri_energy_residual(&e) < 1e-9);
        close_all(&f);
    }
}

TEST(bonds_may_be_taken_off_and_other_methods_refuse_them)
{
    Fixture f = hang(3.0, 0.4, "");
    run_to(&f, 0.2);
    CHECK_OK(f.ctx, ri_values_set(ri_sim_values(f.sim), "contact.glue.adhesion", "0"));
    run_to(&f, 0.4);
    CHECK_CLOSE(value(&f, "contact.normal"), 10.0, 1e-6);
    close_all(&f);
    char text[1024];
    snprintf(text, sizeof text, "%s%s", BOX, "contact: {pairs: [{robot: \"*\", adhesion: 5}]}\n");
    *strstr(text, "integrator") = '#';
    refuse(text, "adhesion is 5 N");
    snprintf(text, sizeof text, "%s%s", BOX, "contact: {events: true, pairs: [{robot: \"*\", adhesion: 5}]}\n");
    refuse(text, "adhesion is 5 N");
    snprintf(text, sizeof text, "%s%s", BOX, "contact: {most: 2, pairs: [{robot: \"*\"}]}\n");
    f = parse(text);
    RiStatus status = RI_OK;
    for (int k = 0; k < 2000 && status == RI_OK; k++)
        status = ri_sim_step(f.sim);
    CHECK(status == RI_ERR_LIMIT && strstr(ri_context_message(f.ctx), "most: N"));
    close_all(&f);
}

TEST(nonsense_is_refused_by_name)
{
    static const char *const wrong[][2] = {
        {"pairs: [{restitution: 1.2}]", "restitution is 1.2"},
        {"pairs: [{restitution: -0.1}]", "restitution is -0.1"},
        {"pairs: [{friction: -1}]", "friction is -1"},
        {"events: true, pairs: [{law: terzaghi, density: 1600 kg/m^3, cohesion: 0, friction_angle: 30 deg}]",
         "terzaghi"},
        {"theta: 0.4", "key 'theta': '0.4' is 0.4; allowed: 0.5 to 1"},
        {"tolerance: 0", "key 'tolerance': '0' is 0; allowed: 1e-14 to 0.001"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[4096];
        snprintf(text, sizeof text, "%scontact: {%s}\n", BOX, wrong[i][0]);
        refuse(text, wrong[i][1]);
    }
}

TEST_MAIN(CASE(on_rough_ground_exact_contact_puts_in_less_than_a_hundredth_of_the_energy),
          CASE(energy_that_missed_touches_put_in_is_flagged), CASE(a_start_in_the_ground_is_told_and_brings_no_energy),
          CASE(reactions_are_in_their_cones_and_nothing_is_left_in_the_ground), CASE(energy_never_grows_at_an_impact),
          CASE(a_box_without_friction_or_loss_keeps_bouncing), CASE(books_close_for_a_rover_over_a_step),
          CASE(wheels_on_soft_soil_sink_and_drive_as_with_the_implicit_method),
          CASE(a_joint_stops_at_its_limit_and_stays_there), CASE(a_restored_state_goes_on_with_equal_bits),
          CASE(steps_do_not_allocate), CASE(every_failed_allocation_is_answered), CASE(contact_problems_can_be_watched),
          CASE(all_contacts_may_open_at_once), CASE(a_glued_box_hangs_until_it_is_pulled_harder_than_its_bonds),
          CASE(corners_of_a_face_come_off_together), CASE(cohesion_adds_to_the_load_that_friction_sees),
          CASE(bonds_may_be_taken_off_and_other_methods_refuse_them), CASE(nonsense_is_refused_by_name))
