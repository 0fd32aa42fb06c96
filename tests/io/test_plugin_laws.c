// SPDX-License-Identifier: Apache-2.0
/// \file
/// Laws of contact and of soil from shared objects: doubles of built-in laws do as these do, the
/// examples keep their closed forms, and what is wrong is refused.
#include "check.h"

#include <rille/rille.h>
#include <unistd.h>

#define LIBRARY(name) RILLE_BINARY_DIR "/plugins/" name ".so"

static RiContext *ctx;

static RiStatus build(const char *text, RiScene **out)
{
    *out = NULL;
    RI_TRY(ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/laws.yaml", text, strlen(text), NULL, out));
    return ri_scene_build(*out);
}

static bool run_to(RiScene *scene, double time)
{
    RiSim *s = ri_scene_sim(scene);
    while (ri_sim_time(s) < time - 1e-9)
        if (ri_sim_step(s) != RI_OK) {
            CHECK_FAIL("%s", ri_context_message(ctx));
            return false;
        }
    return true;
}

static double value(RiScene *scene, const char *name)
{
    double x = NAN;
    if (ri_values_eval(ri_sim_values(ri_scene_sim(scene)), name, &x) != RI_OK)
        CHECK_FAIL("%s: %s", name, ri_context_message(ctx));
    return x;
}

// --- contact -------------------------------------------------------------------------------------

/// A ball with a law, thrown along the ground.
static RiStatus throw_ball(const char *law, const char *more, RiScene **out)
{
    char text[2048];
    snprintf(text, sizeof text,
             "scene: laws\n"
             "robot: {template: {robot: ball, base: floating, links: [{name: body, mass: 1 kg, solid: sphere, size: "
             "[0.1], collision: [{type: sphere, size: [0.1]}]}]}}\n"
             "terrain: {kind: plane, material: rock}\n"
             "duration: 2 s\n"
             "contact:\n  pairs:\n    - {robot: '*', %s}\n"
             "%s",
             law, more);
    return build(text, out);
}

static bool has_cvode(void)
{
    return strstr(ri_version_features(), "cvode: yes") != NULL;
}

TEST(a_double_of_coulomb_moves_by_equal_bits)
{
    static const char thrown[] = "tick: 0.5 ms\ninitial: {base: {xyz: [0, 0, 10.2 cm], velocity: [0.5, 0.1, 0]}}\n";
    static const char *const methods[] = {"", "integrator: semi-implicit\n", "integrator: cvode\n",
                                          "integrator: moreau\n"};
    static const char *const values[] = {"base.x", "base.z", "base.vx", "energy.contact_loss"};
    for (int m = 0; m < 4; m++) {
        RiScene *own, *ours;
        char more[256];
        if (strstr(methods[m], "cvode") && !has_cvode())
            continue;
        snprintf(more, sizeof more, "%s%s", thrown, methods[m]);
        REQUIRE_OK(ctx, throw_ball("soft: 0, stiffness: 30 kN/m, damping: 50 N*s/m, friction: 0.3", more, &ours));
        REQUIRE_OK(ctx, throw_ball("soft: 0, stiffness: 30 kN/m, damping: 50 N*s/m, law: plugin, library: " LIBRARY(
                                       "laws_plugin") ", type: linear, set: {k: 30 kN/m, c: 50 N*s/m, mu: 0.3}",
                                   more, &own));
        CHECK(run_to(own, 1.0) && run_to(ours, 1.0));
        for (int i = 0; i < 4; i++)
            if (ri_values_find(ri_sim_values(ri_scene_sim(own)), values[i]) >= 0)
                CHECK_CLOSE(value(own, values[i]), value(ours, values[i]), 0.0);
        CHECK(value(ours, "base.x") > 0.1);
        ri_scene_destroy(own);
        ri_scene_destroy(ours);
    }
}

TEST(a_double_of_the_screw_law_drives_a_snake_by_equal_bits)
{
    static const char *const laws[] = {"law: screw, friction: 0.15, e0: 2, e1: 0.01 N^-1, e_min: 1, e_max: 100",
                                       "law: plugin, friction: 0.15, library: " LIBRARY("laws_plugin") ", type: "
                                                                                                       "threads"};
    double x[2], vx[2];
    for (int k = 0; k < 2; k++) {
        RiScene *scene;
        char text[1024];
        snprintf(text, sizeof text,
                 "scene: laws\nrobot: {file: ../robots/snake_short.yaml}\nterrain: {kind: plane, material: ice}\n"
                 "duration: 1 s\ninitial: {base: {xyz: [0, 0, 6 cm], velocity: [0.2, 0.05, 0]}}\n"
                 "contact:\n  pairs:\n    - {robot: screw, ground: ice, %s}\n",
                 laws[k]);
        REQUIRE_OK(ctx, build(text, &scene));
        CHECK(run_to(scene, 0.3));
        x[k] = value(scene, "base.x");
        vx[k] = value(scene, "base.vy");
        ri_scene_destroy(scene);
    }
    CHECK_CLOSE(x[1], x[0], 0.0);
    CHECK_CLOSE(vx[1], vx[0], 0.0);
}

TEST(hertz_goes_as_deep_as_its_closed_form_and_keeps_its_energy)
{
    const double k = 1e6, v = 0.3, deepest = pow(1.25 * v * v / k, 0.4); // 2/5 k d^(5/2) = m v^2 / 2
    const double time = 2.9432 * deepest / v;                            // of the impact
    char law[512];
    RiScene *scene;
    if (!has_cvode())
        return;
    snprintf(law, sizeof law, "friction: 0, law: plugin, library: %s, type: hertz, set: {hertz: %g, mu: 0}",
             LIBRARY("hertz"), k);
    REQUIRE_OK(ctx, throw_ball(law,
                               "gravity: [0, 0, 0]\nintegrator: cvode\ntick: 0.05 ms\n"
                               "initial: {base: {xyz: [0, 0, 10 cm], velocity: [0, 0, -0.3]}}\n",
                               &scene));
    double low = INFINITY, off = NAN;
    RiSim *s = ri_scene_sim(scene);
    for (double was = 0.0; isnan(off) && ri_sim_time(s) < 1.0;) {
        REQUIRE_OK(ctx, ri_sim_step(s));
        const double z = value(scene, "base.z");
        low = fmin(low, z);
        if (was < 0.1 && was > 0.0 && z >= 0.1)
            off = ri_sim_time(s) - 5e-5 * (z - 0.1) / (z - was);
        was = z;
    }
    CHECK_CLOSE(0.1 - low, deepest, 1e-4 * deepest);
    CHECK_CLOSE(off, time, 2e-3 * time);
    CHECK_CLOSE(value(scene, "base.vz"), v, 1e-6); // nothing lost
    ri_scene_destroy(scene);
}

TEST(options_are_named_values_that_are_saved_and_count_in_the_fingerprint)
{
    static const char law[] = "name: round, law: plugin, library: " LIBRARY("hertz") ", type: hertz, set: {hertz: 1e6, "
                                                                                     "damped: 8 s/m}";
    static const char rest[] = "tick: 0.5 ms\ninitial: {base: {xyz: [0, 0, 10 cm]}}\n";
    RiScene *scene, *other;
    REQUIRE_OK(ctx, throw_ball(law, rest, &scene));
    RiSim *s = ri_scene_sim(scene);
    CHECK_CLOSE(value(scene, "contact.round.hertz"), 1e6, 0.0);
    CHECK(run_to(scene, 1.0));
    CHECK_CLOSE(0.1 - value(scene, "base.z"), pow(9.81 / 1e6, 2.0 / 3.0), 2e-6); // m g = k d^(3/2)
    void *block = malloc(ri_sim_state_size(s));
    REQUIRE(block);
    ri_sim_save_state(s, block);
    const uint64_t there = ri_sim_hash(s);
    REQUIRE_OK(ctx, ri_values_set(ri_sim_values(s), "contact.round.hertz", "2e5"));
    CHECK(ri_sim_hash(s) != there);
    CHECK(run_to(scene, 2.0));
    CHECK_CLOSE(0.1 - value(scene, "base.z"), pow(9.81 / 2e5, 2.0 / 3.0), 2e-6);
    REQUIRE_OK(ctx, ri_sim_load_state(s, block));
    CHECK_CLOSE(value(scene, "contact.round.hertz"), 1e6, 0.0);
    CHECK(ri_sim_hash(s) == there);
    free(block);
    REQUIRE_OK(ctx, throw_ball("name: round, law: plugin, library: " LIBRARY(
                                   "hertz") ", type: hertz, set: {hertz: 1.5e6, damped: 8 s/m}",
                               rest, &other));
    CHECK(ri_sim_fingerprint(ri_scene_sim(other)) != ri_sim_fingerprint(s));
    ri_scene_destroy(other);
    ri_scene_destroy(scene);
}

TEST(a_scene_with_a_law_of_a_plugin_is_saved_and_read_again)
{
    static const char path[] = RILLE_BINARY_DIR "/laws_saved.yaml";
    RiScene *scene, *again;
    REQUIRE_OK(ctx,
               throw_ball("law: plugin, library: " LIBRARY("hertz") ", type: hertz, set: {hertz: 1e6, mu: 0.2}",
                          "tick: 0.5 ms\ninitial: {base: {xyz: [0, 0, 10.1 cm], velocity: [0.2, 0, 0]}}\n", &scene));
    REQUIRE_OK(ctx, ri_scene_save(scene, path));
    REQUIRE_OK(ctx, ri_scene_load(ctx, path, NULL, &again));
    REQUIRE_OK(ctx, ri_scene_build(again));
    CHECK(ri_sim_fingerprint(ri_scene_sim(again)) == ri_sim_fingerprint(ri_scene_sim(scene)));
    CHECK(run_to(scene, 0.5) && run_to(again, 0.5));
    CHECK(ri_sim_hash(ri_scene_sim(again)) == ri_sim_hash(ri_scene_sim(scene)));
    ri_scene_destroy(again);
    ri_scene_destroy(scene);
    unlink(path);
}

TEST(exact_contact_says_that_it_does_not_use_a_normal_force)
{
    static const char text[] =
        "scene: laws\n"
        "robot: {template: {robot: ball, base: floating, links: [{name: body, mass: 1 kg, solid: sphere, size: [0.1], "
        "collision: [{type: sphere, size: [0.1]}]}]}}\n"
        "terrain: {kind: plane, material: rock}\nduration: 1 s\nintegrator: moreau\n"
        "contact: {pairs: [{robot: '*', law: plugin, library: " LIBRARY("hertz") ", type: hertz}]}\n";
    RiReport *report;
    RiScene *scene;
    REQUIRE_OK(ctx, ri_report_create(ctx, &report));
    const RiSceneOptions options = {.report = report};
    REQUIRE_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/laws.yaml", text, strlen(text), &options, &scene));
    REQUIRE_OK(ctx, ri_scene_build(scene));
    bool said = false;
    for (int i = 0; i < ri_report_count(report); i++)
        said |= strstr(ri_report_get(report, i)->text, "moreau does not use its normal force") != NULL;
    CHECK(said);
    ri_scene_destroy(scene);
    ri_report_destroy(report);
}

// --- soil ----------------------------------------------------------------------------------------

/// A wheel at a slip on a soil of one's own.
static RiStatus drive_wheel(const char *soil, double slip, RiScene **out)
{
    char text[3000];
    snprintf(text, sizeof text,
             "scene: laws\n"
             "robot: {file: ../robots/single_wheel.yaml, set: {height: 57.5 mm, load: 2.5 kg}}\n"
             "terrain:\n  template: {terrain: t, kind: plane, soil: {base: own, library: {own: {%s}}}}\n"
             "duration: 5 s\ntick: 1 ms\n"
             "devices:\n"
             "  - {joint: travel, name: carriage, type: servo, set: {stiffness: 0, damping: 2000 kN*s/m, velocity: "
             "10 mm/s}}\n"
             "  - {joint: turn, name: fork, type: servo, set: {stiffness: 5 kN*m/rad, damping: 50 N*m*s/rad}}\n"
             "  - {joint: drive, name: motor, type: servo, set: {stiffness: 0, damping: 20 kN*m*s/rad, velocity: "
             "%.17g rad/s}}\n",
             soil, 0.01 / (1.0 - slip) / 0.058);
    return build(text, out);
}

TEST(a_double_of_bekkers_law_carries_a_wheel_as_bekkers_does)
{
    static const char *const values[] = {"soil.wheel.sinkage", "soil.wheel.pull", "soil.wheel.torque",
                                         "soil.wheel.normal"};
    static const char ours[] = "n: 1.1, n1: 0, kc: 990, kphi: 1.5e6, cohesion: 1 kPa, friction: 30 deg, kx: 2 cm";
    static const char own[] = "cohesion: 1 kPa, friction: 30 deg, kx: 2 cm, law: {library: " LIBRARY(
        "laws_plugin") ", type: power, set: {kc: 990, kphi: 1.5e6, power: 1.1}}";
    RiScene *a, *b;
    REQUIRE_OK(ctx, drive_wheel(ours, 0.3, &a));
    REQUIRE_OK(ctx, drive_wheel(own, 0.3, &b));
    CHECK(run_to(a, 4.0) && run_to(b, 4.0));
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(value(b, values[i]), value(a, values[i]), 1e-7 * fabs(value(a, values[i])));
    CHECK(value(a, "soil.wheel.sinkage") > 1e-3);
    CHECK(ri_sim_fingerprint(ri_scene_sim(a)) != ri_sim_fingerprint(ri_scene_sim(b)));
    ri_scene_destroy(a);
    ri_scene_destroy(b);
}

TEST(strength_of_a_plugin_limits_the_pull_of_a_wheel)
{
    static const char *const caps[] = {"1e9 Pa", "600 Pa"};
    double thrust[2];
    for (int i = 0; i < 2; i++) {
        RiScene *scene;
        char soil[512];
        snprintf(
            soil, sizeof soil,
            "cohesion: 500 Pa, friction: 28 deg, kx: 1 mm, law: {library: %s, type: crumble, set: {plateau: 30 kPa, "
            "length: 1 cm, bond: 500 Pa, angle: 28 deg, cap: %s}}",
            LIBRARY("crumble"), caps[i]);
        REQUIRE_OK(ctx, drive_wheel(soil, 0.5, &scene));
        CHECK(run_to(scene, 3.0));
        thrust[i] = value(scene, "soil.wheel.torque") / 0.058;
        const double sinkage = value(scene, "soil.wheel.sinkage");
        // sheared over all of its contact: at most the cap on an area of arc times width
        if (i == 1)
            CHECK(thrust[i] <= 600.0 * 0.05 * 0.058 * 1.3 * acos(1.0 - sinkage / 0.058));
        ri_scene_destroy(scene);
    }
    CHECK(thrust[1] < 0.5 * thrust[0] && thrust[1] > 0.0);
}

TEST(a_plate_on_crumbling_ground_stands_where_its_pressure_is_the_weight)
{
    RiScene *scene;
    const double pressure = 20.0 * 9.81 / (0.2 * 0.1), deep = -0.02 * log1p(-pressure / 2e4);
    REQUIRE_OK(ctx,
               build("scene: laws\n"
                     "robot: {template: {robot: plate, base: floating, links: [{name: body, mass: 20 kg, solid: box, "
                     "size: [0.2, 0.1, 0.1], collision: [{type: box, size: [0.2, 0.1, 0.1]}]}]}}\n"
                     "terrain:\n  template: {terrain: t, kind: plane, soil: {base: own, library: {own: {cohesion: 500 "
                     "Pa, friction: 28 deg, law: {library: " LIBRARY(
                         "crumble") ", type: crumble, set: {plateau: 20 "
                                    "kPa, length: 2 cm}}}}}}\n"
                                    "duration: 4 s\ninitial: {base: {xyz: [0, 0, 50 mm]}}\n",
                     &scene));
    RiSim *s = ri_scene_sim(scene);
    for (double g = 0.0; ri_sim_time(s) < 4.0;
         g = fmin(9.81, 3.0 * ri_sim_time(s))) { // slowly: a plate that is let go falls deeper
        char text[40];
        snprintf(text, sizeof text, "%.9g", -g);
        REQUIRE_OK(ctx, ri_values_set(ri_sim_values(s), "gravity.z", text));
        REQUIRE_OK(ctx, ri_sim_step(s));
    }
    CHECK_CLOSE(0.05 - value(scene, "base.z"), deep, 0.03 * deep);
    ri_scene_destroy(scene);
}

// --- what is wrong -------------------------------------------------------------------------------

TEST(wrong_laws_are_refused_with_a_sentence)
{
    static const struct {
        const char *law, *part;
    } bad[] = {
        {"law: plugin", "needs a 'library'"},
        {"law: plugin, type: hertz", "needs a 'library'"},
        {"law: coulomb, library: x.so", "belong to 'law: plugin'"},
        {"law: plugin, library: nowhere.so, type: hertz", "nowhere.so"},
        {"law: plugin, library: " LIBRARY("hertz") ", type: herz", "it has: hertz"},
        {"law: plugin, library: " LIBRARY("waves") ", type: hertz", "exports no 'const RiContactPlugin"},
        {"law: plugin, library: " LIBRARY("hertz") ", type: hertz, set: {hertz: -1}", "hertz is -1"},
        {"law: plugin, library: " LIBRARY("hertz") ", type: hertz, set: {hurtz: 1}", "hurtz"},
        {"law: plugin, library: " LIBRARY("laws_bad_1") ", type: linear", "per_depth is not the slope"},
        {"law: plugin, library: " LIBRARY("laws_bad_2") ", type: linear", "a slope is below 0"},
        {"law: plugin, library: " LIBRARY("laws_bad_3") ", type: linear", "slope of its energy"},
        {"law: plugin, library: " LIBRARY("laws_bad_4") ", type: linear", "its friction is"},
        {"law: plugin, library: " LIBRARY("laws_bad_5") ", type: threads", "its anisotropy is 0.5"},
        {"law: plugin, library: " LIBRARY("laws_bad_6") ", type: linear", "compiled for RI_PLUGIN_ABI 1"},
        {"law: plugin, library: " LIBRARY("laws_bad_7") ", type: linear", "energy beside press"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        RiScene *scene;
        const RiStatus status = throw_ball(bad[i].law, "", &scene);
        if (status == RI_OK || !strstr(ri_context_message(ctx), bad[i].part) ||
            !strstr(ri_context_message(ctx), "laws.yaml:"))
            CHECK_FAIL("%s: %s", bad[i].law, status == RI_OK ? "accepted" : ri_context_message(ctx));
        ri_scene_destroy(scene);
    }
    static const struct {
        const char *soil, *part;
    } soils[] = {
        {"law: {type: power}", "library"},
        {"law: {library: " LIBRARY("crumble") ", type: power}", "it has: crumble"},
        {"law: {library: " LIBRARY("crumble") ", type: crumble, set: {bond: 1 kPa, cap: 500 Pa}}", "bond is above cap"},
        {"law: {library: " LIBRARY("crumble") ", type: crumble}", "gives no cohesion"},
        {"law: {library: " LIBRARY("laws_bad_8") ", type: power}", "the pressure is -"},
        {"law: {library: " LIBRARY("laws_bad_9") ", type: power}", "the slope of the pressure"},
        {"law: {library: " LIBRARY("laws_bad_10") ", type: power}", "compiled for RI_PLUGIN_ABI 3"},
    };
    for (size_t i = 0; i < sizeof soils / sizeof *soils; i++) {
        RiScene *scene;
        const RiStatus status = drive_wheel(soils[i].soil, 0.2, &scene);
        if (status == RI_OK || !strstr(ri_context_message(ctx), soils[i].part))
            CHECK_FAIL("%s: %s", soils[i].soil, status == RI_OK ? "accepted" : ri_context_message(ctx));
        ri_scene_destroy(scene);
    }
}

TEST(screws_and_layers_refuse_a_law_of_soil_by_name)
{
    RiScene *scene;
    CHECK_ERROR(ctx,
                build("scene: laws\nrobot: {file: ../robots/snake_short.yaml}\n"
                      "terrain:\n  template: {terrain: t, kind: plane, soil: {base: own, library: {own: {cohesion: 500 "
                      "Pa, friction: 28 deg, law: {library: " LIBRARY("crumble") ", type: crumble}}}}}\n"
                                                                                 "duration: 1 s\n",
                      &scene),
                RI_ERR_FORMAT, "not for screws");
    ri_scene_destroy(scene);
    CHECK_ERROR(
        ctx,
        build(
            "scene: laws\nrobot: {file: ../robots/single_wheel.yaml}\n"
            "terrain:\n  template: {terrain: t, kind: plane, soil: {base: {layers: [{soil: own, thickness: 1 "
            "cm}, {soil: dry_sand_LLL}]}, library: {own: {cohesion: 500 Pa, friction: 28 deg, law: {library: " LIBRARY(
                "crumble") ", type: crumble}}}}}\n"
                           "duration: 1 s\n",
            &scene),
        RI_ERR_FORMAT, "one of several soft layers");
    ri_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    static const CheckCase cases[] = {CASE(a_double_of_coulomb_moves_by_equal_bits),
                                      CASE(a_double_of_the_screw_law_drives_a_snake_by_equal_bits),
                                      CASE(hertz_goes_as_deep_as_its_closed_form_and_keeps_its_energy),
                                      CASE(options_are_named_values_that_are_saved_and_count_in_the_fingerprint),
                                      CASE(a_scene_with_a_law_of_a_plugin_is_saved_and_read_again),
                                      CASE(exact_contact_says_that_it_does_not_use_a_normal_force),
                                      CASE(a_double_of_bekkers_law_carries_a_wheel_as_bekkers_does),
                                      CASE(strength_of_a_plugin_limits_the_pull_of_a_wheel),
                                      CASE(a_plate_on_crumbling_ground_stands_where_its_pressure_is_the_weight),
                                      CASE(wrong_laws_are_refused_with_a_sentence),
                                      CASE(screws_and_layers_refuse_a_law_of_soil_by_name)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const int failed = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return failed;
}
