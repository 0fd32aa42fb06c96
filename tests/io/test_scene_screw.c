// SPDX-License-Identifier: Apache-2.0
/// Screws on soft soil in scenes: the test bed against the closed forms, a snake that stands,
/// state, books, bad input.
#include "scene.h"

static void set(RiScene *scene, const char *name, const char *to)
{
    if (ri_values_set(ri_sim_values(ri_scene_sim(scene)), name, to) != RI_OK)
        CHECK_FAIL("%s: %s", name, ri_context_message(ctx));
}

/// The closed form at what the test bed's screws do.
static RiScrewForce closed_form(double load, double slip)
{
    const RiSoil sand = {.name = "dry_sand_LLL",
                         .form = RI_SOIL_BEKKER,
                         .n = 1.1,
                         .n1 = NAN,
                         .kc = 990.0,
                         .kphi = 1528430.0,
                         .cohesion = 1040.0,
                         .friction = 28.0 * M_PI / 180.0,
                         .kx = 0.025,
                         .ky = NAN,
                         .density = 1600.0,
                         .a0 = NAN,
                         .a1 = NAN,
                         .gravity = NAN,
                         .mu = NAN,
                         .confidence = 'A'};
    RiSoilScrew w;
    RiScrewSoil soil;
    RiScrewForce f = {.sinkage = NAN};
    if (ri_soil_screw_init(ctx, 0.08, 0.1, 0.3, 0.2, 1, 2, &w) != RI_OK ||
        ri_screw_soil_init(ctx, &sand, &w, 9.80665, &soil) != RI_OK ||
        ri_screw_steady_load(ctx, &w, &soil, load, slip, 500, &f) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    return f;
}

TEST(the_test_bed_settles_at_the_closed_form)
{
    static const char *const slips[] = {"0.1", "0.4", "0.8"};
    for (int i = 0; i < 3; i++) {
        const RiSetting settings[] = {{"slip", slips[i]}, {"tick", "4 ms"}, {"speed", "50 mm/s"}};
        RiScene *scene = open_scene("screw_testbed", settings, 3);
        if (scene && run_to(scene, 14.0)) {
            const double load = value(scene, "soil.right.normal"), slip = value(scene, "soil.right.slip");
            const RiScrewForce f = closed_form(load, slip);
            printf("     slip %.3f: sinkage %.2f / %.2f mm, thrust %.2f / %.2f N, drag %.2f / %.2f N, torque %.3f / "
                   "%.3f N m\n",
                   slip, 1e3 * value(scene, "soil.right.sinkage"), 1e3 * f.sinkage, value(scene, "soil.right.thrust"),
                   f.thrust, value(scene, "soil.right.drag"), f.drag, value(scene, "soil.right.torque"), f.torque);
            CHECK_CLOSE(load, 10.0 * 9.80665, 0.1);
            CHECK_CLOSE(value(scene, "soil.right.sinkage"), f.sinkage, 0.03 * f.sinkage);
            CHECK_CLOSE(value(scene, "soil.right.thrust"), f.thrust, 0.02 * load);
            CHECK_CLOSE(value(scene, "soil.right.drag"), f.drag, 0.02 * load);
            CHECK_CLOSE(value(scene, "soil.right.torque"), f.torque, 0.02 * load * 0.08);
            CHECK_CLOSE(value(scene, "soil.left.side") + value(scene, "soil.right.side"), 0.0, 1e-6 * load);
            CHECK_CLOSE(value(scene, "soil.left.thrust"), value(scene, "soil.right.thrust"), 1e-6 * load);
        }
        ri_scene_destroy(scene);
    }
}

TEST(screws_that_drive_themselves_have_no_pull_at_their_slip)
{
    const RiSetting settings[] = {{"tick", "4 ms"}, {"speed", "50 mm/s"}};
    RiScene *scene = open_scene("screw_testbed", settings, 2);
    REQUIRE(scene);
    set(scene, "carriage.damping", "0");
    if (run_to(scene, 18.0)) {
        const double load = value(scene, "soil.right.normal"), slip = value(scene, "soil.right.slip");
        printf("     slip %.3f, pull %.2g N\n", slip, value(scene, "soil.right.pull"));
        CHECK_CLOSE(value(scene, "soil.right.pull"), 0.0, 1e-3 * load);
        CHECK_CLOSE(closed_form(load, slip).force.x, 0.0, 0.02 * load);
        CHECK(slip > 0.02 && slip < 0.5);
    }
    ri_scene_destroy(scene);
}

TEST(a_snake_that_stands_on_a_soft_slope_of_ten_degrees_creeps_less_than_a_millimetre_in_a_minute)
{
    const RiSetting settings[] = {
        {"slope", "10 deg"}, {"speed", "0"}, {"tick", "5 ms"}, {"duration", "100 s"}, {"modules", "3"}};
    RiScene *scene = open_scene("snake_sand", settings, 5);
    REQUIRE(scene);
    for (int i = 1; i <= 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "drive_screw_front_%d_joint.stiffness", i);
        set(scene, name, "20000");
    }
    if (run_to(scene, 10.0)) {
        const double x = value(scene, "base.x"), y = value(scene, "base.y"), z = value(scene, "base.z");
        if (run_to(scene, 70.0)) {
            const double crept = sqrt(pow(value(scene, "base.x") - x, 2.0) + pow(value(scene, "base.y") - y, 2.0) +
                                      pow(value(scene, "base.z") - z, 2.0));
            printf("     %.4f mm\n", 1e3 * crept);
            CHECK(crept < 1e-3);
        }
    }
    ri_scene_destroy(scene);
}

/// A snake of three modules on sand with another terrain, and more text at the end of its scene.
static RiScene *open_snake(const char *terrain, const char *more)
{
    static const RiSetting settings[] = {{"tick", "4 ms"}, {"bend", "8 deg"}, {"modules", "3"}};
    static char text[8192], read[8192];
    const RiSceneOptions options = {.settings = settings,
                                    .setting_count = 3,
                                    .robot_paths = folders,
                                    .robot_path_count = 1,
                                    .terrain_paths = grounds,
                                    .terrain_path_count = 1};
    RiScene *scene = NULL;
    FILE *f = fopen(RILLE_SOURCE_DIR "/scenes/snake_sand.yaml", "r");
    read[f ? fread(read, 1, sizeof read - 256, f) : 0] = '\0';
    if (f)
        fclose(f);
    char *line = strstr(read, "\nterrain:"), *end = line ? strchr(line + 1, '\n') : NULL;
    if (!end) {
        CHECK_FAIL("snake_sand has no terrain");
        return NULL;
    }
    *line = '\0';
    const int size = snprintf(text, sizeof text, "%s\nterrain: %s%s%s", read, terrain, end, more);
    if (ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/more.yaml", text, (size_t)size, &options, &scene) == RI_OK &&
        ri_scene_build(scene) == RI_OK)
        return scene;
    CHECK_FAIL("%s", ri_context_message(ctx));
    ri_scene_destroy(scene);
    return NULL;
}

static const char plain[] = "{kind: plane, soil: dry_sand_LLL}",
                  remembers[] = "{kind: plane, soil: dry_sand_LLL, ruts: {cell: 1 cm}}";

TEST(a_snake_drives_on_sand_and_its_head_alone_meets_fresh_soil)
{
    RiScene *snake = open_snake(plain, ""), *alone = open_snake(plain, "soil: {wake: 0}\n"),
            *ruts = open_snake(remembers, "soil: {wake: 0}\n");
    if (snake && alone && ruts && run_to(snake, 6.0) && run_to(alone, 6.0) && run_to(ruts, 6.0)) {
        const double slip = value(snake, "soil.thread_front_2.slip"), thread = 1.5 * 0.1 * tan(M_PI / 6.0);
        const double fresh = value(alone, "soil.thread_front_2.slip"),
                     grooves = value(ruts, "soil.thread_front_2.slip");
        printf("     slip %.3f, %.3f if every screw met fresh soil, %.3f in the grooves of those before\n", slip, fresh,
               grooves);
        CHECK(slip > 0.05 && slip < 0.5);
        CHECK(fresh > slip + 0.01);
        CHECK(grooves > slip - 0.01 && grooves < fresh);
        CHECK_CLOSE(hypot(value(snake, "base.vx"), value(snake, "base.vy")), thread * (1.0 - slip), 0.1 * thread);
        CHECK(value(snake, "contact.touching") == 0.0); // soil answers, not the contact law
    }
    ri_scene_destroy(snake);
    ri_scene_destroy(alone);
    ri_scene_destroy(ruts);
}

TEST(a_state_that_is_brought_back_goes_on_with_equal_bits)
{
    const RiSetting settings[] = {{"modules", "3"}};
    RiScene *scene = open_scene("snake_sand", settings, 1);
    REQUIRE(scene);
    check_resumes(scene, 2.5, 2.8);
    ri_scene_destroy(scene);
}

TEST(soil_takes_energy_and_the_books_close)
{
    const RiSetting settings[] = {{"speed", "50 mm/s"}};
    RiScene *scene = open_scene("screw_testbed", settings, 1);
    REQUIRE(scene);
    double last = 0.0, worst = 0.0;
    while (ri_sim_time(ri_scene_sim(scene)) < 4.0) {
        if (!run_to(scene, ri_sim_time(ri_scene_sim(scene)) + 1e-3))
            break;
        const RiEnergy e = ri_sim_energy(ri_scene_sim(scene));
        worst = fmax(worst, last - e.dissipated);
        last = e.dissipated;
        CHECK(ri_energy_residual(&e) < 1e-9);
    }
    printf("     dissipated %.3g J, most given back in a tick %.2g J\n", last, worst);
    CHECK(last > 1.0 && worst < 1e-4 * last);
    ri_scene_destroy(scene);
}

static const char on_sand[] = "scene: sand\n"
                              "robot: {file: ../robots/screw_rig.yaml, set: {above: 79 mm}}\n"
                              "duration: 50 s\n"
                              "gravity: earth\n"
                              "terrain: {kind: plane, soil: dry_sand_LLL}\n";

static RiStatus open_text(const char *text, RiScene **out)
{
    const RiSceneOptions options = {
        .robot_paths = folders, .robot_path_count = 1, .terrain_paths = grounds, .terrain_path_count = 1};
    *out = NULL;
    RI_TRY(ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/sand.yaml", text, strlen(text), &options, out));
    return ri_scene_build(*out);
}

TEST(half_the_step_and_twice_the_nodes_change_little)
{
    static const char drives[] =
        "devices:\n"
        "  - {joint: travel, name: carriage, type: servo, set: {stiffness: 0, damping: 20 kN*s/m, velocity: 40 mm/s}}\n"
        "  - {joint: turn_left, name: l, type: servo, set: {stiffness: 0, damping: 200 N*m*s/rad, velocity: -1.6}}\n"
        "  - {joint: turn_right, name: r, type: servo, set: {stiffness: 0, damping: 200 N*m*s/rad, velocity: 1.6}}\n";
    static const struct {
        const char *tick;
        int stations, patches;
    } kinds[] = {{"4 ms", 7, 8}, {"2 ms", 7, 8}, {"4 ms", 13, 8}, {"4 ms", 7, 16}};
    double first[3] = {0.0};
    for (int i = 0; i < 4; i++) {
        char text[4096];
        RiScene *scene;
        snprintf(text, sizeof text, "%stick: %s\nsoil: {screw_stations: %d, screw_patches: %d}\n%s", on_sand,
                 kinds[i].tick, kinds[i].stations, kinds[i].patches, drives);
        if (open_text(text, &scene) != RI_OK)
            CHECK_FAIL("%s", ri_context_message(ctx));
        else if (run_to(scene, 8.0)) {
            const double now[3] = {value(scene, "soil.right.thrust"), value(scene, "soil.right.sinkage"),
                                   value(scene, "soil.right.torque")};
            for (int k = 0; k < 3; k++) {
                first[k] = i == 0 ? now[k] : first[k];
                CHECK_CLOSE(now[k] / first[k], 1.0, 0.02);
            }
            printf("     %s, %d x %d: thrust %.2f N, sinkage %.3f mm, torque %.3f N m\n", kinds[i].tick,
                   kinds[i].stations, kinds[i].patches, now[0], 1e3 * now[1], now[2]);
        }
        ri_scene_destroy(scene);
    }
}

TEST(other_integrators_and_bad_options_are_refused_with_the_reason)
{
    RiScene *scene;
    const RiSetting settings[] = {{"integrator", "semi-implicit"}};
    CHECK(open_in(ctx, "screw_testbed", settings, 1, &scene) != RI_OK);
    CHECK(strstr(ri_context_message(ctx), "need integrator implicit") != NULL);
    static const struct {
        const char *text, *told;
    } bad[] = {{"soil: {screw_stations: 8}\n", "odd number"}, {"soil: {screw_stations: 99}\n", "99"},
               {"soil: {screw_patches: 2}\n", "2"},           {"soil: {screw_friction: 1.5}\n", "screw_friction"},
               {"soil: {screw_edge: 0}\n", "screw_edge"},     {"soil: {wake: -1 m}\n", "wake"},
               {"soil: {screw_dig: 1.5}\n", "screw_dig"},     {"soil: {screw_edges: 1 mm}\n", "screw_edges"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[4096];
        snprintf(text, sizeof text, "%s%s", on_sand, bad[i].text);
        const RiStatus status = open_text(text, &scene);
        CHECK(status == RI_ERR_FORMAT || status == RI_ERR_ARGUMENT);
        if (!strstr(ri_context_message(ctx), "sand.yaml") || !strstr(ri_context_message(ctx), bad[i].told))
            CHECK_FAIL("%s says: %s", bad[i].text, ri_context_message(ctx));
        ri_scene_destroy(scene);
    }
}

TEST(every_failed_allocation_is_answered)
{
    fail_allocations("screw_testbed");
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(the_test_bed_settles_at_the_closed_form),
        CASE(screws_that_drive_themselves_have_no_pull_at_their_slip),
        CASE(a_snake_that_stands_on_a_soft_slope_of_ten_degrees_creeps_less_than_a_millimetre_in_a_minute),
        CASE(a_snake_drives_on_sand_and_its_head_alone_meets_fresh_soil),
        CASE(a_state_that_is_brought_back_goes_on_with_equal_bits),
        CASE(soil_takes_energy_and_the_books_close),
        CASE(half_the_step_and_twice_the_nodes_change_little),
        CASE(other_integrators_and_bad_options_are_refused_with_the_reason),
        CASE(every_failed_allocation_is_answered)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
