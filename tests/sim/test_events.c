// SPDX-License-Identifier: Apache-2.0
/// \file
/// Located impacts (contact.events): times against closed forms, order of smooth phases, sliding,
/// resume, memory, bad input.
#include "fixture.h"

#include "sim/internal.h"

/// A ball of radius 0.1 m whose lowest point is `height` above level ground.
static Fixture ball(double height, double restitution, const char *more)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "scene: ball\nrobot: {template: {robot: ball, base: floating, links: [{name: body, mass: 1 kg, solid: sphere, "
        "size: [0.1], collision: [{type: sphere, size: [0.1]}]}]}}\nterrain: {kind: plane, material: rock}\n"
        "integrator: moreau\ntick: 1 ms\nduration: 20 s\ncontact: {events: true, pairs: [{robot: \"*\", friction: "
        "0.3, restitution: %g}]}\ninitial: {base: {xyz: [0, 0, %.17g]%s}}\n",
        restitution, 0.1 + height, more);
    return parse(text);
}

/// Housner's block of half width b and half height h, let go at an angle.
static const double B = 0.25, H = 1.0, START = 0.12249, G = 9.81;
static Fixture block(const char *tick)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "scene: block\nrobot: {template: {robot: slab, base: floating, links: [{name: body, mass: 100 kg, solid: box, "
        "size: [0.5, 0.5, 2], collision: [{type: box, size: [0.5, 0.5, 2]}]}]}}\nterrain: {kind: plane, material: "
        "rock}\nintegrator: moreau\ntick: %s\nduration: 20 s\ncontact: {events: true, pairs: [{robot: \"*\", "
        "friction: 2}]}\ninitial: {base: {xyz: [0, 0, %.17g], rpy: [0, %.17g, 0]}}\n",
        tick, H * cos(START) + B * sin(START), START);
    return parse(text);
}

// --- closed forms --------------------------------------------------------------------------------

TEST(impacts_of_a_bouncing_ball_are_located_to_a_nanosecond)
{
    static const double restitutions[] = {0.5, 0.9};
    for (int k = 0; k < 2; k++) {
        const double e = restitutions[k];
        Fixture f = ball(1.0, e, "");
        const double first = sqrt(2.0 / G), speed = sqrt(2.0 * G);
        const double end = first + 2.0 * speed * e / (1.0 - e) / G;
        double worst = 0.0, seen = 0.0;
        while (ri_sim_time(f.sim) < end - 5e-3) {
            REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
            const double n = value(&f, "contact.events.impacts");
            if (n > seen) // after n impacts: first + 2 v/g (e + ... + e^(n-1))
                worst = fmax(worst, fabs(value(&f, "contact.events.last") -
                                         (first + 2.0 * speed / G * e * (1.0 - pow(e, n - 1.0)) / (1.0 - e))));
            seen = n;
        }
        CHECK(seen > (e < 0.7 ? 7.0 : 40.0));
        CHECK(worst < 1e-9);
        CHECK(value(&f, "contact.events.stepped") == 0.0);
        run_to(&f, end + 0.1);
        CHECK(fabs(value(&f, "base.vz")) < 1e-10); // infinitely many impacts later it rests
        CHECK(fabs(value(&f, "base.z") - 0.1) < 1e-8);
        CHECK(value(&f, "contact.events.stepped") <= 2.0);
        CHECK_CLOSE(value(&f, "contact.normal"), G, 1e-6);
        CHECK_CLOSE(ri_sim_energy(f.sim).dissipated, G * 1.0, 1e-7);
        close_all(&f);
    }
}

/// theta'' = -p^2 sin(alpha - theta), an eighth of the tick below its error.
static void swing(double y[2], double h)
{
    const double p2 = 0.75 * G / hypot(B, H), alpha = atan2(B, H);
    double k[4][2], z[2] = {y[0], y[1]};
    static const double to[4] = {0.5, 0.5, 1.0, 0.0};
    for (int i = 0; i < 4; i++) {
        k[i][0] = z[1], k[i][1] = -p2 * sin(alpha - z[0]);
        for (int j = 0; j < 2; j++)
            z[j] = y[j] + to[i] * h * k[i][j];
    }
    for (int j = 0; j < 2; j++)
        y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
}

/// Times of the first impacts, from the equation of one angle.
static void housner(int count, double *out)
{
    const double alpha = atan2(B, H), keeps = 1.0 - 1.5 * sin(alpha) * sin(alpha);
    double y[2] = {START, 0.0}, t = 0.0;
    for (int n = 0; n < count; n++) {
        double last[2];
        do {
            memcpy(last, y, sizeof last);
            swing(y, 1e-4);
            t += 1e-4;
        } while (y[0] > 0.0);
        double lo = 0.0, hi = 1e-4;
        for (int k = 0; k < 50; k++) {
            const double middle = 0.5 * (lo + hi);
            memcpy(y, last, sizeof last);
            swing(y, middle);
            *(y[0] < 0.0 ? &hi : &lo) = middle;
        }
        t += hi - 1e-4;
        out[n] = t;
        y[0] = 0.0, y[1] = -keeps * y[1];
    }
}

/// Largest error of the block's first impact times at a tick.
static double block_error(const char *tick, int count)
{
    double times[8], worst = 0.0, seen = 0.0;
    Fixture f = block(tick);
    housner(count, times);
    while (seen < count) {
        if (ri_sim_step(f.sim) != RI_OK)
            return NAN;
        const double n = value(&f, "contact.events.impacts");
        if (n > seen)
            worst = fmax(worst, fabs(value(&f, "contact.events.last") - times[(int)n - 1]));
        seen = n;
    }
    CHECK(value(&f, "contact.events.stepped") == 0.0);
    close_all(&f);
    return worst;
}

TEST(impacts_of_a_rocking_block_are_located_to_a_nanosecond)
{
    CHECK(block_error("2 ms", 3) < 1e-9);
}

TEST(smooth_phases_are_of_fourth_order)
{
    const double coarse = block_error("20 ms", 1), fine = block_error("10 ms", 1);
    CHECK(coarse < 1e-7 && fine > 1e-9); // above what locating leaves
    if (!(log2(coarse / fine) > 3.5))
        CHECK_FAIL("errors %g and %g: order %g", coarse, fine, log2(coarse / fine));
}

TEST(a_rolling_ball_rolls_on_without_loss)
{
    Fixture f = ball(0.0, 0.0, ", velocity: [1, 0, 0], rate: [0, 10, 0]");
    run_to(&f, 1.0);
    CHECK_CLOSE(value(&f, "base.x"), 1.0, 1e-9);
    CHECK_CLOSE(value(&f, "base.rate_y"), 10.0, 1e-9);
    CHECK(fabs(value(&f, "base.z") - 0.1) < 1e-8);
    CHECK(fabs(ri_sim_energy(f.sim).dissipated) < 1e-9);
    CHECK(value(&f, "contact.events.stepped") == 0.0);
    close_all(&f);
}

// --- sliding -------------------------------------------------------------------------------------

TEST(the_end_of_sliding_is_located)
{
    Fixture f = ball(0.0, 0.0, ", velocity: [1, 0, 0]"); // slides until it rolls at 2 v / (7 mu g) = 0.097 s
    run_to(&f, 0.05);
    CHECK_CLOSE(value(&f, "base.vx"), 1.0 - 0.3 * G * 0.05, 1e-11);
    run_to(&f, 0.5);
    const double end = 2.0 / (7.0 * 0.3 * G);
    CHECK_CLOSE(value(&f, "base.vx"), 5.0 / 7.0, 1e-9);
    CHECK_CLOSE(value(&f, "base.x"), 12.0 / (49.0 * 0.3 * G) + 5.0 / 7.0 * (0.5 - end), 1e-9);
    CHECK_CLOSE(ri_sim_energy(f.sim).dissipated, 0.5 * 2.0 / 7.0, 1e-9);
    CHECK(value(&f, "contact.events.stepped") == 0.0);
    close_all(&f);
}

static const char BOX[] = "scene: box\n"
                          "robot: {template: {robot: box, base: floating, links: [{name: body, mass: 2 kg, solid: box, "
                          "size: [0.4, 0.4, 0.1], collision: [{type: box, size: [0.4, 0.4, 0.1]}]}]}}\n"
                          "terrain: {kind: plane, slope: 10 deg, material: rock}\n"
                          "integrator: moreau\ntick: 2 ms\nduration: 5 s\n"
                          "initial: {base: {xyz: [0, 0, 0.4], rpy: [0.3, 0.5, 0.1]}}\n"
                          "contact: {events: 1e-10, pairs: [{robot: \"*\", friction: 0.4, restitution: 0.3}]}\n";

TEST(a_tumbling_box_keeps_its_books_and_stays_out_of_the_ground)
{
    Fixture f = parse(BOX);
    double grown = 0.0, deep = 0.0;
    while (ri_sim_time(f.sim) < 3.0) {
        const double before = ri_sim_energy(f.sim).dissipated;
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        grown = fmax(grown, before - ri_sim_energy(f.sim).dissipated);
        for (int i = 0; i < ri_sim_touch_count(f.sim); i++)
            deep = fmax(deep, ri_sim_touch(f.sim, i)->depth);
    }
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(value(&f, "contact.events.impacts") > 5.0);
    CHECK(grown < 1e-12 * e.scale);
    CHECK(ri_energy_residual(&e) < 1e-9);
    CHECK(deep < 1e-8);
    CHECK(fabs(value(&f, "base.vx")) < 1e-6); // 10 degrees are less than its friction
    close_all(&f);
}

// --- runs ----------------------------------------------------------------------------------------

TEST(a_restored_state_goes_on_with_equal_bits)
{
    Fixture f = parse(BOX), g = parse(BOX);
    run_to(&f, 0.4);
    const size_t size = ri_sim_state_size(f.sim);
    void *kept = malloc(size);
    ri_sim_save_state(f.sim, kept);
    REQUIRE_OK(g.ctx, ri_sim_load_state(g.sim, kept));
    run_to(&f, 1.5);
    run_to(&g, 1.5);
    CHECK(value(&f, "contact.events.impacts") > 0.0);
    CHECK(ri_sim_hash(f.sim) == ri_sim_hash(g.sim));
    free(kept);
    close_all(&f);
    close_all(&g);
}

TEST(steps_do_not_allocate)
{
    Fixture f = parse(BOX);
    run_to(&f, 0.1);
    const unsigned long long before = ri_context_allocation_count(f.ctx);
    run_to(&f, 1.0);
    CHECK_INT((long long)(ri_context_allocation_count(f.ctx) - before), 0);
    close_all(&f);
}

TEST(every_failed_allocation_is_answered)
{
    fail_allocations(BOX, 200, 37);
}

static void refuse(const char *robot, const char *contact, const char *more, const char *word)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    char text[2048];
    snprintf(text, sizeof text,
             "scene: bad\nrobot: ../robots/%s.yaml\nterrain: {kind: plane, %s\ntick: 2 ms\nduration: 1 "
             "s\ncontact: {%s}\n",
             robot, more, contact);
    REQUIRE_OK(ctx, ri_context_create(NULL, &ctx));
    RiStatus status = ri_scene_parse(ctx, SCENES "test.yaml", text, strlen(text), NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    CHECK(status != RI_OK);
    if (!strstr(ri_context_message(ctx), word))
        CHECK_FAIL("'%s' lacks '%s'", ri_context_message(ctx), word);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(nonsense_is_refused_by_name)
{
    refuse("single_wheel", "events: true", "material: rock}\nintegrator: implicit", "integrator moreau only");
    refuse("single_wheel", "events: 1", "material: rock}\nintegrator: moreau",
           "key 'events': '1' is 1 s; allowed: 0 or 1e-13 to 0.001 s");
    refuse("single_wheel", "events: maybe", "material: rock}\nintegrator: moreau", "maybe");
    refuse("single_wheel", "events: true", "soil: dry_sand_LLL}\nintegrator: moreau",
           "wheels or screws of this scene are on soft soil");
    refuse("snake_short", "events: true", "soil: dry_sand_LLL}\nintegrator: moreau", "are on soft soil");
}

TEST_MAIN(CASE(impacts_of_a_bouncing_ball_are_located_to_a_nanosecond),
          CASE(impacts_of_a_rocking_block_are_located_to_a_nanosecond), CASE(smooth_phases_are_of_fourth_order),
          CASE(a_rolling_ball_rolls_on_without_loss), CASE(the_end_of_sliding_is_located),
          CASE(a_tumbling_box_keeps_its_books_and_stays_out_of_the_ground),
          CASE(a_restored_state_goes_on_with_equal_bits), CASE(steps_do_not_allocate),
          CASE(every_failed_allocation_is_answered), CASE(nonsense_is_refused_by_name))
