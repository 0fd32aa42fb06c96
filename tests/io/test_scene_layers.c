// SPDX-License-Identifier: Apache-2.0
/// Layers and crusts under a wheel in scenes: what it sinks to, what is broken stays broken, books,
/// state, bad input.
#include "scene.h"

static RiSceneOptions options_of(const RiSetting *settings, int count)
{
    return (RiSceneOptions){.settings = settings,
                            .setting_count = count,
                            .robot_paths = folders,
                            .robot_path_count = 1,
                            .terrain_paths = grounds,
                            .terrain_path_count = 1};
}

/// A scene of the project on a crust, with a load.
static RiScene *open_crust(const char *load)
{
    const RiSetting settings[] = {{"load", load}};
    const RiSceneOptions options = options_of(settings, 1);
    RiScene *scene = NULL;
    if (ri_scene_load(ctx, RILLE_SOURCE_DIR "/scenes/wheel_crust.yaml", &options, &scene) == RI_OK &&
        ri_scene_build(scene) == RI_OK)
        return scene;
    CHECK_FAIL("%s", ri_context_message(ctx));
    ri_scene_destroy(scene);
    return NULL;
}

/// A wheel that rolls on a soil.
static RiStatus open_soil(const char *soil, RiScene **out)
{
    char text[2048];
    const RiSceneOptions options = options_of(NULL, 0);
    snprintf(
        text, sizeof text,
        "scene: layers\n"
        "robot: single_wheel\n"
        "duration: 20 s\n"
        "tick: 2 ms\n"
        "gravity: earth\n"
        "terrain: {kind: plane, soil: {base: {name: a, %s}}, ruts: true}\n"
        "devices:\n"
        "  - {joint: travel, name: carriage, type: servo, set: {stiffness: 0, damping: 20 kN*s/m, velocity: 0.02}}\n"
        "  - {joint: turn, name: fork, type: servo, set: {stiffness: 5 kN*m/rad, damping: 50 N*m*s/rad}}\n"
        "  - {joint: drive, name: motor, type: servo, set: {stiffness: 0, damping: 200 N*m*s/rad, velocity: 0.4}}\n",
        soil);
    *out = NULL;
    RI_TRY(ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/layers.yaml", text, strlen(text), &options, out));
    return ri_scene_build(*out);
}

static double sinkage_on(const char *soil)
{
    RiScene *scene;
    double sinkage = NAN;
    if (open_soil(soil, &scene) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    else if (run_to(scene, 6.0))
        sinkage = value(scene, "soil.wheel.sinkage");
    ri_scene_destroy(scene);
    return sinkage;
}

TEST(a_wheel_sinks_between_what_its_layers_would_let_it)
{
    static const char *const thickness[] = {"1 mm", "5 mm", "2 cm", "8 cm", "1 m"};
    const double soft = sinkage_on("soil: lunar_nominal"), firm = sinkage_on("soil: LETE_sand_wong");
    double last = firm;
    printf("     firm %.2f mm,", 1e3 * firm);
    for (int i = 0; i < 5; i++) {
        char text[256];
        snprintf(text, sizeof text, "layers: [{soil: lunar_nominal, thickness: %s}, {soil: LETE_sand_wong}]",
                 thickness[i]);
        const double x = sinkage_on(text);
        printf(" %s %.2f,", thickness[i], 1e3 * x);
        CHECK(x > last * (1.0 - 1e-3) && x < soft * (1.0 + 1e-3));
        last = x;
    }
    printf(" soft %.2f mm\n", 1e3 * soft);
    CHECK_CLOSE(last, soft, 0.05 * soft);
}

TEST(three_layers_act_and_rock_under_them_stops)
{
    const double two = sinkage_on("layers: [{soil: LETE_sand_wong, thickness: 1 cm}, {soil: lunar_nominal}]");
    const double three =
        sinkage_on("layers: [{soil: LETE_sand_wong, thickness: 1 cm}, {soil: lunar_nominal, thickness: "
                   "1 cm}, {soil: LETE_sand_wong}]");
    const double rock =
        sinkage_on("layers: [{soil: lunar_nominal, thickness: 2 mm}, {soil: chrono_scm_soft, thickness: 2 "
                   "mm}, {soil: rock}]");
    printf("     %.2f mm, %.2f mm, over rock %.2f mm\n", 1e3 * two, 1e3 * three, 1e3 * rock);
    CHECK(three < 0.95 * two);
    CHECK(rock > 3e-3 && rock < 6.5e-3);
}

TEST(a_light_wheel_rolls_over_a_crust_and_leaves_it_whole)
{
    RiScene *scene = open_crust("5 kg");
    REQUIRE(scene);
    double most = 0.0;
    while (ri_sim_time(ri_scene_sim(scene)) < 16.0 && run_to(scene, ri_sim_time(ri_scene_sim(scene)) + 0.02))
        most = fmax(most, value(scene, "soil.wheel.sinkage"));
    printf("     sinks by %.2f mm at most\n", 1e3 * most);
    CHECK(most < 1.5e-3); // the strength over the unloading slope
    for (double x = -0.1; x < 0.5; x += 0.01)
        CHECK(ri_ruts_depth(ri_sim_ruts(ri_scene_sim(scene)), x, 0.0, NULL, NULL) == 0.0);
    ri_scene_destroy(scene);
}

/// Deepest and least sinkage while the wheel is between two times.
static void range(RiScene *scene, double until, double *least, double *most)
{
    *least = INFINITY;
    *most = 0.0;
    while (ri_sim_time(ri_scene_sim(scene)) < until - 1e-9 && run_to(scene, ri_sim_time(ri_scene_sim(scene)) + 0.02)) {
        *least = fmin(*least, value(scene, "soil.wheel.sinkage"));
        *most = fmax(*most, value(scene, "soil.wheel.sinkage"));
    }
}

TEST(a_heavy_wheel_breaks_it_for_good)
{
    RiScene *scene = open_crust("29 kg");
    REQUIRE(scene);
    double least, most;
    if (run_to(scene, 4.0)) {
        range(scene, 8.5, &least, &most);
        CHECK(least > 8e-3 && most < 40e-3); // through the crust all the time
        const RiRuts *ruts = ri_sim_ruts(ri_scene_sim(scene));
        int i, j;
        ri_ruts_cell_at(ruts, 0.25, 0.0, &i, &j);
        const float before = ri_ruts_get(ruts, i, j).compacted;
        CHECK((double)before > 8e-3);
        if (run_to(scene, 10.5)) {
            double back[2];
            range(scene, 13.0, &back[0], &back[1]);
            printf("     sinks by %.1f to %.1f mm, in its rut by %.1f to %.1f mm more\n", 1e3 * least, 1e3 * most,
                   1e3 * back[0], 1e3 * back[1]);
            CHECK(back[1] < least); // its rut carries it: no crust is met again
            CHECK(ri_ruts_get(ruts, i, j).compacted >= before);
        }
        const RiEnergy e = ri_sim_energy(ri_scene_sim(scene));
        CHECK(e.dissipated > 0.0 && ri_energy_residual(&e) < 1e-9);
    }
    ri_scene_destroy(scene);
}

/// A light wheel in the rut of a heavy one.
TEST(a_light_wheel_finds_no_crust_where_a_heavy_one_has_been)
{
    RiScene *heavy = open_crust("29 kg"), *light = open_crust("5 kg");
    void *block = NULL;
    if (heavy && light && run_to(heavy, 8.5)) {
        const RiRuts *from = ri_sim_ruts(ri_scene_sim(heavy));
        RiRuts *to = ri_sim_ruts(ri_scene_sim(light));
        block = malloc(ri_ruts_state_size(from));
        REQUIRE(block);
        ri_ruts_save_state(from, block);
        // what is left of the broken crust, without the depth of the rut: the same level ground,
        // but no crust
        CHECK(ri_ruts_load_state(to, block, ri_ruts_state_size(from)) == RI_OK);
        for (int j = -20; j <= 20; j++)
            for (int i = -20; i <= 60; i++) {
                RiRut rut = ri_ruts_get(to, i, j);
                rut.depth = 0.0F;
                rut.compacted = fminf(rut.compacted, 6e-3F);
                CHECK(ri_ruts_set(to, i, j, &rut) == RI_OK);
            }
        ri_ruts_commit(to);
        if (run_to(light, 5.0)) {
            const double bare = value(light, "soil.wheel.sinkage");
            printf("     light wheel on broken crust: %.2f mm\n", 1e3 * bare);
            CHECK(bare > 1.5e-3); // more than a whole crust would let it
        }
    }
    free(block);
    ri_scene_destroy(heavy);
    ri_scene_destroy(light);
}

TEST(a_drive_over_a_crust_that_is_resumed_has_equal_bits)
{
    RiScene *scene = open_crust("29 kg");
    REQUIRE(scene);
    check_resumes(scene, 2.5, 4.0);
    ri_scene_destroy(scene);
}

TEST(crusts_that_cannot_be_are_refused_with_the_reason)
{
    static const char *const bad[][2] = {
        {"layers: [{soil: lunar_nominal, strength: 20 kPa}]", "a soft soil with a layer under it"},
        {"layers: [{soil: rock, thickness: 2 cm, strength: 20 kPa}, {soil: lunar_nominal}]", "hard ground 'rock'"},
        {"layers: [{soil: lunar_nominal, thickness: 2 cm, strength: -1 Pa}, {soil: rock}]", "strength"},
        {"layers: [{soil: lunar_nominal, thickness: 2 cm, strength: 20 kg}, {soil: rock}]", "strength"},
        {"layers: [{soil: lunar_nominal, thickness: 0, strength: 20 kPa}, {soil: rock}]", "thickness"},
        {"layers: [{soil: lunar_nominal, thickness: 2 cm, hardness: 20 kPa}, {soil: rock}]", "hardness"},
        {"layers: [{soil: lunar_nominal, thickness: 2 cm}, {soil: roams_generic}]", "roams_generic"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        RiScene *scene;
        CHECK(open_soil(bad[i][0], &scene) != RI_OK);
        const char *text = ri_context_message(ctx);
        if (!strstr(text, bad[i][1]) || !strstr(text, "layers.yaml"))
            CHECK_FAIL("%s", text);
        ri_scene_destroy(scene);
    }
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(a_wheel_sinks_between_what_its_layers_would_let_it),
                               CASE(three_layers_act_and_rock_under_them_stops),
                               CASE(a_light_wheel_rolls_over_a_crust_and_leaves_it_whole),
                               CASE(a_heavy_wheel_breaks_it_for_good),
                               CASE(a_light_wheel_finds_no_crust_where_a_heavy_one_has_been),
                               CASE(a_drive_over_a_crust_that_is_resumed_has_equal_bits),
                               CASE(crusts_that_cannot_be_are_refused_with_the_reason)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
