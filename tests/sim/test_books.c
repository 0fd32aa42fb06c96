// SPDX-License-Identifier: Apache-2.0
/// \file
/// Energy books in every scene: they close, they notice a force that nobody booked, and what a
/// first-order method takes out falls with the step.
#include "check.h"
#include "data.h"

#include <dirent.h>

#include <rille/scene.h>

#include "sim/internal.h"

#define SCENES RILLE_SOURCE_DIR "/scenes/"

typedef struct Outcome {
    RiEnergy energy;
    bool first_order;
} Outcome;

typedef struct Fixture {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
} Fixture;

static void open_scene(Fixture *f, RiStatus loaded)
{
    if (loaded != RI_OK || ri_scene_build(f->scene) != RI_OK) {
        fprintf(stderr, "%s\n", ri_context_message(f->ctx));
        abort();
    }
    f->sim = ri_scene_sim(f->scene);
}

static void close_scene(Fixture *f)
{
    ri_scene_destroy(f->scene);
    ri_context_destroy(f->ctx);
}

static Fixture load(const char *name, const RiSetting *settings, int count)
{
    Fixture f;
    char path[512];
    snprintf(path, sizeof path, SCENES "%s", name);
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        abort();
    RiSceneOptions options = ri_scene_options_default();
    options.settings = settings;
    options.setting_count = count;
    const char *data = data_folder();
    options.terrain_paths = &data;
    options.terrain_path_count = 1;
    open_scene(&f, ri_scene_load(f.ctx, path, &options, &f.scene));
    return f;
}

static Fixture parse(const char *text)
{
    Fixture f;
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        abort();
    open_scene(&f, ri_scene_parse(f.ctx, SCENES "test.yaml", text, strlen(text), NULL, &f.scene));
    return f;
}

static void run_to(Fixture *f, double time)
{
    while (ri_sim_time(f->sim) < time - 1e-9)
        REQUIRE_OK(f->ctx, ri_sim_step(f->sim));
}

static Outcome run(const char *name, const RiSetting *settings, int count, double most)
{
    Fixture f = load(name, settings, count);
    run_to(&f, fmin(most, ri_scene_duration(f.scene)));
    const RiMethod method = ri_sim_options(f.sim)->method;
    const Outcome x = {ri_sim_energy(f.sim), method == RI_METHOD_IMPLICIT || method == RI_METHOD_SEMI_IMPLICIT};
    close_scene(&f);
    return x;
}

// --- they close ----------------------------------------------------------------------------------

TEST(books_close_in_every_scene)
{
    DIR *folder = opendir(SCENES);
    REQUIRE(folder != NULL);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".yaml") || skips_scene(entry->d_name))
            continue;
        const Outcome x = run(entry->d_name, NULL, 0, 4.0);
        if (!(ri_energy_residual(&x.energy) <= 1e-6))
            CHECK_FAIL("%s: balance %.3g", entry->d_name, ri_energy_residual(&x.energy));
        count++;
    }
    closedir(folder);
    CHECK(count >= 7);
}

/// A four-bar: its dependent joints have velocity-product accelerations of their own, armature,
/// springs and friction.
TEST(books_close_with_loops)
{
    Fixture f = parse("scene: loop\n"
                      "robot: {file: ../robots/four_bar.yaml}\n"
                      "tick: 5 ms\n"
                      "initial: {velocities: {crank_joint: 4 rad/s}}\n"
                      "springs: [{name: pull, link: rocker, anchor: [0, 0, 1], stiffness: 3, damping: 0.1}]\n");
    run_to(&f, 2.0);
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(e.scale > 0.1);
    CHECK(fabs(e.method) > 1e-5 * e.scale); // otherwise nothing is tested
    CHECK_CLOSE(ri_energy_residual(&e), 0.0, 1e-12);
    close_scene(&f);
}

// --- they notice ---------------------------------------------------------------------------------

static RiKernels honest;

/// A force that acts on the last coordinate and stands in no book.
static bool push(RiDyn *d, const double *tau, double *a)
{
    double more[64];
    const int n = d->m->nv;
    memcpy(more, tau, (size_t)n * sizeof *tau);
    more[n - 1] += 0.01;
    return honest.forward(d, more, a);
}

/// A solution that is not one, by a thousandth.
static bool miss(RiDyn *d, const double *tau, double *a)
{
    const bool good = honest.forward(d, tau, a);
    for (int i = 0; i < d->m->nv; i++)
        a[i] *= 1.001;
    return good;
}

/// Balance of the crawling snake whose forward dynamics is replaced after the start.
static double balance_with(bool (*forward)(RiDyn *, const double *, double *))
{
    Fixture f = load("snake_servo.yaml", NULL, 0);
    RiDyn *d = ri_sim_dyn(f.sim);
    if (d->m->nv > 64)
        abort();
    honest = d->k;
    d->k.forward = forward ? forward : honest.forward;
    run_to(&f, 1.0);
    const RiEnergy e = ri_sim_energy(f.sim);
    close_scene(&f);
    return ri_energy_residual(&e);
}

TEST(a_force_that_nobody_booked_shows_in_the_balance)
{
    CHECK_CLOSE(balance_with(NULL), 0.0, 1e-12);
    CHECK(balance_with(push) > 1e-5);
}

TEST(a_wrong_solution_shows_in_the_balance)
{
    CHECK(balance_with(miss) > 1e-5);
}

/// Accelerations that are not finite.
static bool poison(RiDyn *d, const double *tau, double *a)
{
    const bool good = honest.forward(d, tau, a);
    a[0] = NAN;
    return good;
}

/// Devices of a tick that fails have been updated already: their ports, too, are as before. Ticks
/// of both kinds: with 500 Hz devices due, or not.
TEST(a_failed_tick_is_taken_back_to_the_last_bit)
{
    Fixture f = load("arm_hold.yaml", NULL, 0), undisturbed = load("arm_hold.yaml", NULL, 0);
    run_to(&f, 0.5);
    RiDyn *d = ri_sim_dyn(f.sim);
    honest = d->k;
    for (int i = 0; i < 6; i++) {
        const uint64_t before = ri_sim_hash(f.sim);
        d->k.forward = poison;
        CHECK_ERROR(f.ctx, ri_sim_step(f.sim), RI_ERR_NUMERIC, "diverged");
        d->k.forward = honest.forward;
        CHECK(ri_sim_hash(f.sim) == before);
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
    }
    run_to(&undisturbed, ri_sim_time(f.sim));
    CHECK(ri_sim_hash(f.sim) == ri_sim_hash(undisturbed.sim));
    close_scene(&f);
    close_scene(&undisturbed);
}

// --- what the method takes -----------------------------------------------------------------------

/// Halving the step halves what the method takes out, in every scene with a first-order method. The
/// stiff spring turns at 1000 rad/s: its steps must resolve that before the order shows.
TEST(what_the_method_takes_falls_with_the_step)
{
    static const struct {
        const char *scene;
        double duration;
        int substeps;
    } cases[] = {{"arm_hold.yaml", 2.0, 1},
                 {"rover_suspension.yaml", 1.0, 2},
                 {"snake_servo.yaml", 2.0, 1},
                 {"stiff_spring.yaml", 0.02, 2000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double share[3];
        for (int k = 0; k < 3; k++) {
            char text[16];
            snprintf(text, sizeof text, "%d", cases[i].substeps << k);
            const RiSetting setting = {.name = "substeps", .value = text};
            const Outcome x = run(cases[i].scene, &setting, 1, cases[i].duration);
            CHECK(x.first_order);
            share[k] = ri_energy_method_share(&x.energy);
            CHECK_CLOSE(ri_energy_residual(&x.energy), 0.0, 1e-11);
        }
        if (!(share[0] / share[1] > 1.8 && share[0] / share[1] < 2.2 && share[1] / share[2] > 1.9 &&
              share[1] / share[2] < 2.1))
            CHECK_FAIL("%s: %.4g, %.4g, %.4g", cases[i].scene, share[0], share[1], share[2]);
    }
}

TEST_MAIN(CASE(books_close_in_every_scene), CASE(books_close_with_loops),
          CASE(a_force_that_nobody_booked_shows_in_the_balance), CASE(a_wrong_solution_shows_in_the_balance),
          CASE(a_failed_tick_is_taken_back_to_the_last_bit), CASE(what_the_method_takes_falls_with_the_step))
