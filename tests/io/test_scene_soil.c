// SPDX-License-Identifier: Apache-2.0
/// Wheels on soft soil in scenes: the test bed against the closed forms, rest, state, books,
/// regions, bad input.
#include <rille/terrain_file.h>

#include "needs.h"
#include "scene.h"

/// The closed form at what the test bed's wheel does.
static RiWheelForce closed_form(double load, double slip, double beta)
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
                         .a0 = 0.18,
                         .a1 = 0.32,
                         .gravity = NAN,
                         .mu = NAN,
                         .confidence = 'A'};
    RiSoilLaw law;
    RiSoilWheel w;
    RiWheelForce f = {.sinkage = NAN};
    if (ri_soil_law_init(ctx, &sand, 0.05, 9.80665, &law) != RI_OK ||
        ri_soil_wheel_init(ctx, 0.058, 0.05, 0.0, 3, &w) != RI_OK ||
        ri_wheel_steady_load(ctx, &w, &law, load, slip, beta, 8, &f) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    return f;
}

static void compare_with_closed_form(const char *slip, const char *angle, double beta)
{
    const RiSetting settings[] = {{"slip", slip}, {"angle", angle}, {"tick", "2 ms"}};
    RiScene *scene = open_scene("wheel_testbed", settings, 3);
    if (scene && run_to(scene, 25.0)) {
        const double load = value(scene, "soil.wheel.normal"), got = value(scene, "soil.wheel.slip");
        const RiWheelForce f = closed_form(load, got, beta);
        printf("     slip %.3f angle %s: sinkage %.2f / %.2f mm, pull %.2f / %.2f N, side %.2f / %.2f N\n", got, angle,
               1e3 * value(scene, "soil.wheel.sinkage"), 1e3 * f.sinkage, value(scene, "soil.wheel.pull"), f.force.x,
               value(scene, "soil.wheel.side"), f.force.y);
        CHECK_CLOSE(load, 2.5 * 9.80665, 0.02);
        CHECK_CLOSE(value(scene, "soil.wheel.sinkage"), f.sinkage, 0.01 * f.sinkage);
        CHECK_CLOSE(value(scene, "soil.wheel.pull"), f.force.x, 0.01 * load);
        CHECK_CLOSE(value(scene, "soil.wheel.torque"), f.torque, 0.01 * load * 0.058);
        CHECK_CLOSE(value(scene, "soil.wheel.side"), f.force.y, 0.02 * load);
    }
    ri_scene_destroy(scene);
}

/// What the test bed's wheel reports at a slip, driven ahead or backwards.
static void read_bed(const char *slip, const char *speed, double *out_slip, double *out_travel, double *out_pull)
{
    const RiSetting settings[] = {{"slip", slip}, {"speed", speed}, {"tick", "2 ms"}};
    RiScene *scene = open_scene("wheel_testbed", settings, 3);
    *out_slip = *out_travel = *out_pull = NAN;
    if (scene && run_to(scene, 20.0)) {
        *out_slip = value(scene, "soil.wheel.slip");
        *out_travel = value(scene, "soil.wheel.travel_slip");
        *out_pull = value(scene, "soil.wheel.pull");
    }
    ri_scene_destroy(scene);
}

TEST(a_wheel_that_slides_back_slips_by_more_than_one_and_pull_is_along_the_drive)
{
    double slip, travel, pull, back_slip, back_travel, back_pull;
    read_bed("1.2", "10 mm/s", &slip, &travel, &pull);
    CHECK_CLOSE(slip, 1.2, 0.01);
    CHECK_CLOSE(travel, 0.8, 0.01); // ARTEMIS has no sign for it
    CHECK(pull > 0.0);              // the soil still pushes it the way it turns
    read_bed("0.3", "10 mm/s", &slip, &travel, &pull);
    read_bed("0.3", "-10 mm/s", &back_slip, &back_travel, &back_pull);
    CHECK_CLOSE(slip, 0.3, 0.01);
    CHECK_CLOSE(back_slip, slip, 1e-3);
    CHECK_CLOSE(back_travel, travel, 1e-3);
    CHECK(fabs(pull) > 1.0);
    CHECK_CLOSE(back_pull, pull, 1e-3 * fabs(pull));
}

TEST(the_test_bed_settles_at_the_closed_form)
{
    compare_with_closed_form("0.2", "0 deg", 0.0);
    compare_with_closed_form("0.5", "10 deg", 10.0 * M_PI / 180.0);
}

/// The law of cmu_sand, read from the library, for the wheel of the scene.
static bool library_law(RiSoilLaw *law, RiSoilWheel *w)
{
    RiSoils *soils = NULL;
    bool good = ri_soils_create(ctx, &soils) == RI_OK &&
                ri_soils_load(ctx, soils, RILLE_SOURCE_DIR "/soils/fitted.csv") == RI_OK;
    const int at = good ? ri_soils_find(soils, "cmu_sand") : -1;
    good = at >= 0 && ri_soil_law_init(ctx, ri_soils_get(soils, at), 0.05, 9.80665, law) == RI_OK &&
           ri_soil_wheel_init(ctx, 0.058, 0.05, 0.0, 3, w) == RI_OK;
    ri_soils_destroy(soils);
    return good;
}

/// What is fitted can be run: a soil of the library with all its numbers, dragged aside at every
/// angle, locked, rolling and spinning.
TEST(a_wheel_dragged_aside_in_a_scene_agrees_with_the_closed_form)
{
    static const struct {
        const char *slip, *angle;
        double travel, beta;
    } rows[] = {{"-1", "30 deg", -1.0, 30.0}, {"-0.5", "60 deg", -0.5, 60.0}, {"0", "75 deg", 0.0, 75.0},
                {"0", "90 deg", 0.0, 90.0},   {"0.5", "45 deg", 0.5, 45.0},   {"-1", "-90 deg", -1.0, -90.0}};
    RiSoilLaw law;
    RiSoilWheel w;
    REQUIRE(library_law(&law, &w));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const RiSetting settings[] = {{"slip", rows[i].slip}, {"angle", rows[i].angle}};
        RiScene *scene = open_scene("wheel_cmu", settings, 2);
        RiWheelForce f;
        if (scene && run_to(scene, 60.0)) {
            const double load = value(scene, "soil.wheel.normal");
            const RiWheelMotion m = ri_wheel_motion_travel(rows[i].travel, rows[i].beta * M_PI / 180.0);
            CHECK(ri_wheel_moving_load(ctx, &w, &law, load, m, 8, &f) == RI_OK);
            CHECK_CLOSE(value(scene, "soil.wheel.pull"), f.force.x, 0.02 * load);
            CHECK_CLOSE(value(scene, "soil.wheel.side"), f.force.y, 0.02 * load);
            CHECK_CLOSE(value(scene, "soil.wheel.sinkage"), f.sinkage, 0.01 * f.sinkage);
            CHECK_CLOSE(value(scene, "soil.wheel.travel_slip"), rows[i].travel, 2e-3);
            CHECK((value(scene, "validity.soil.wheel.slip_angle") > 0.0) == (fabs(rows[i].beta) > 61.0));
        }
        ri_scene_destroy(scene);
    }
}

TEST(a_parked_rover_on_a_soft_slope_of_ten_degrees_creeps_less_than_a_millimetre_in_a_minute)
{
    const RiSetting settings[] = {{"tick", "5 ms"}};
    RiScene *scene = open_scene("rover_park", settings, 1);
    if (scene && run_to(scene, 10.0)) {
        const double x = value(scene, "base.x"), y = value(scene, "base.y"), z = value(scene, "base.z");
        if (run_to(scene, 70.0)) {
            const double crept = sqrt(pow(value(scene, "base.x") - x, 2.0) + pow(value(scene, "base.y") - y, 2.0) +
                                      pow(value(scene, "base.z") - z, 2.0));
            printf("     %.3f mm\n", 1e3 * crept);
            CHECK(crept < 1e-3);
        }
    }
    ri_scene_destroy(scene);
}

TEST(a_state_that_is_brought_back_goes_on_with_equal_bits)
{
    RiScene *scene = open_scene("wheel_testbed", NULL, 0);
    REQUIRE(scene);
    check_resumes(scene, 3.0, 3.7);
    CHECK(ri_ruts_tile_count(ri_sim_ruts(ri_scene_sim(scene))) > 0);
    ri_scene_destroy(scene);
}

TEST(soil_takes_energy_and_the_books_close)
{
    RiScene *scene = open_scene("wheel_testbed", NULL, 0);
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
    CHECK(last > 0.1 && worst <= 1e-14 * last);
    ri_scene_destroy(scene);
}

static const char rock_beside_sand[] =
    "scene: edge\n"
    "robot: single_wheel\n"
    "duration: 20 s\n"
    "tick: 1 ms\n"
    "gravity: earth\n"
    "terrain:\n"
    "  kind: plane\n"
    "  soil:\n"
    "    base: rock\n"
    "    regions: [{name: sand, soil: dry_sand_LLL, polygon: [[-1 m, 0], [3 m, 0], [3 m, 1 m], [-1 m, 1 m]]}]\n"
    "devices:\n"
    "  - {joint: travel, name: carriage, type: servo, set: {stiffness: 0, damping: 20 kN*s/m, velocity: 10 mm/s}}\n"
    "  - {joint: turn, name: fork, type: servo, set: {stiffness: 5 kN*m/rad, damping: 50 N*m*s/rad}}\n"
    "  - {joint: drive, name: motor, type: servo, set: {stiffness: 0, damping: 200 N*m*s/rad, velocity: 0.18}}\n";

TEST(rock_and_sand_share_one_footprint)
{
    RiScene *scene = NULL;
    const RiSceneOptions options = {
        .robot_paths = folders, .robot_path_count = 1, .terrain_paths = grounds, .terrain_path_count = 1};
    if (ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/edge.yaml", rock_beside_sand, sizeof rock_beside_sand - 1,
                       &options, &scene) != RI_OK ||
        ri_scene_build(scene) != RI_OK) {
        CHECK_FAIL("%s", ri_context_message(ctx));
        ri_scene_destroy(scene);
        return;
    }
    if (run_to(scene,
               4.0)) { // slices at y > 0 stand on sand, the others on rock: rock carries, at the edge of the wheel
        const double rock = value(scene, "contact.wheel.normal"), sand = value(scene, "soil.wheel.normal");
        CHECK(rock > 0.0 && sand >= 0.0);
        CHECK_CLOSE(rock + sand, 2.5 * 9.80665, 0.3);
    }
    ri_scene_destroy(scene);
}

TEST(soft_soil_under_a_robot_that_it_cannot_act_on_is_refused)
{
    static const char text[] = "scene: ball\nrobot: mass\ngravity: earth\ncontact: {}\n"
                               "terrain: {kind: plane, soil: {base: dry_sand_LLL}}\n";
    const RiSceneOptions options = {
        .robot_paths = folders, .robot_path_count = 1, .terrain_paths = grounds, .terrain_path_count = 1};
    for (int as_rock = 0; as_rock < 2; as_rock++) {
        char whole[400];
        RiScene *scene = NULL;
        snprintf(whole, sizeof whole, "%s%s", text, as_rock ? "soil: none\n" : "");
        CHECK_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/box.yaml", whole, strlen(whole), &options, &scene));
        if (as_rock)
            CHECK_OK(ctx, ri_scene_build(scene));
        else
            CHECK_ERROR(ctx, ri_scene_build(scene), RI_ERR_MODEL, "has no wheel, screw or collision shape");
        ri_scene_destroy(scene);
    }
}

/// Sinkage of a wheel that drives through sand and back in its own rut, with rock under one third
/// of its width.
static double sinkage_in_own_rut(const char *rock)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "scene: third\n"
        "robot: single_wheel\n"
        "duration: 20 s\n"
        "tick: 2 ms\n"
        "gravity: earth\n"
        "contact: {wheel_stations: 1}\n"
        "terrain:\n"
        "  kind: plane\n"
        "  ruts: true\n"
        "  soil:\n"
        "    base: dry_sand_LLL\n"
        "    regions: [{name: third, soil: rock, polygon: [[-1 m, %s], [3 m, %s], [3 m, %s], [-1 m, %s]]}]\n"
        "devices:\n"
        "  - {joint: travel, name: carriage, type: servo, set: {stiffness: 0, damping: 20 kN*s/m, velocity: 20 mm/s}}\n"
        "  - {joint: turn, name: fork, type: servo, set: {stiffness: 5 kN*m/rad, damping: 50 N*m*s/rad}}\n"
        "  - {joint: drive, name: motor, type: servo, set: {stiffness: 0, damping: 200 N*m*s/rad, velocity: 0.4}}\n"
        "commands: [{at: 8 s, set: {carriage.velocity: -20 mm/s, motor.velocity: -0.4}}]\n",
        *rock == '-' ? "-1 m" : "9 mm", *rock == '-' ? "-1 m" : "9 mm", *rock == '-' ? "-9 mm" : "1 m",
        *rock == '-' ? "-9 mm" : "1 m");
    const RiSceneOptions options = {
        .robot_paths = folders, .robot_path_count = 1, .terrain_paths = grounds, .terrain_path_count = 1};
    RiScene *scene = NULL;
    double sinkage = NAN;
    if (ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/third.yaml", text, strlen(text), &options, &scene) != RI_OK ||
        ri_scene_build(scene) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    else if (run_to(scene, 13.0))
        sinkage = value(scene, "soil.wheel.sinkage");
    ri_scene_destroy(scene);
    return sinkage;
}

TEST(a_wheel_with_rock_under_one_third_remembers_its_rut_on_either_side)
{
    const double right = sinkage_in_own_rut("-"), left = sinkage_in_own_rut("+");
    printf("     sinkage in its own rut: rock on the right %.3f mm, on the left %.3f mm\n", 1e3 * right, 1e3 * left);
    CHECK(right > 1e-3 && right < 0.03);
    CHECK_CLOSE(right, left, 1e-6);
}

/// What the cell under the middle of the track remembers of the wheel that was there last.
static double slip_of_rut(RiScene *scene, double x)
{
    const RiRuts *ruts = ri_sim_ruts(ri_scene_sim(scene));
    int i, j;
    ri_ruts_cell_at(ruts, x, 0.0, &i, &j);
    return (double)ri_ruts_get(ruts, i, j).slip / RI_RUT_SLIP;
}

TEST(a_rut_is_there_to_stay_and_carries_better_the_second_time)
{
    const RiSetting settings[] = {{"slip", "0.1"}, {"tick", "2 ms"}};
    RiScene *scene = open_scene("wheel_testbed", settings, 2);
    REQUIRE(scene);
    if (run_to(scene, 20.0)) {
        const double first = value(scene, "soil.wheel.sinkage"), bottom = value(scene, "sink.position");
        const double depth =
            ri_ruts_depth(ri_sim_ruts(ri_scene_sim(scene)), value(scene, "travel.position") - 0.08, 0.0, NULL, NULL);
        CHECK_CLOSE(depth, first, 0.1 * first);
        CHECK_CLOSE(slip_of_rut(scene, value(scene, "travel.position") - 0.08), value(scene, "soil.wheel.slip"), 5e-3);
        CHECK(ri_values_set(ri_sim_values(ri_scene_sim(scene)), "carriage.velocity", "-0.01") == RI_OK);
        CHECK(ri_values_set(ri_sim_values(ri_scene_sim(scene)), "motor.velocity", "-0.19") == RI_OK);
        if (run_to(scene, 34.0)) {
            printf("     sinkage %.2f mm, back in the rut %.2f mm; hub %.2f and %.2f mm\n", 1e3 * first,
                   1e3 * value(scene, "soil.wheel.sinkage"), 1e3 * bottom, 1e3 * value(scene, "sink.position"));
            CHECK(value(scene, "soil.wheel.sinkage") < 0.6 * first);
            CHECK(value(scene, "sink.position") < bottom + 1e-3);
            CHECK_CLOSE(slip_of_rut(scene, value(scene, "travel.position") + 0.01), value(scene, "soil.wheel.slip"),
                        0.01);
        }
    }
    ri_scene_destroy(scene);
}

/// Six wheels that are let go in drift, and drive from a time on.
static RiScene *open_drift(const char *start)
{
    static const char *const names[] = {"front_left",  "middle_left",  "rear_left",
                                        "front_right", "middle_right", "rear_right"};
    char text[4096];
    int at =
        snprintf(text, sizeof text,
                 "scene: drift\n"
                 "robot: mer\n"
                 "duration: 20 s\n"
                 "tick: 2 ms\n"
                 "gravity: mars\n"
                 "terrain: {kind: plane, soil: pathfinder_drift, ruts: true}\n"
                 "devices:\n"
                 "  - {joints: 'steer_*', name: 'hold_${joint}', type: servo, set: {stiffness: 2 kN*m/rad, damping: 50 "
                 "N*m*s/rad}}\n"
                 "  - {joints: 'drive_*', name: 'motor_${joint}', type: servo, set: {stiffness: 0, damping: 400 "
                 "N*m*s/rad}}\n"
                 "commands: [{at: %s, set: {",
                 start);
    for (int i = 0; i < 6; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%smotor_drive_%s_joint.velocity: 0.288", i ? ", " : "",
                       names[i]);
    snprintf(text + at, sizeof text - (size_t)at, "}}]\n");
    const RiSceneOptions options = {
        .robot_paths = folders, .robot_path_count = 1, .terrain_paths = grounds, .terrain_path_count = 1};
    RiScene *scene = NULL;
    if (ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/drift.yaml", text, strlen(text), &options, &scene) == RI_OK &&
        ri_scene_build(scene) == RI_OK)
        return scene;
    CHECK_FAIL("%s", ri_context_message(ctx));
    ri_scene_destroy(scene);
    return NULL;
}

TEST(a_rover_leaves_the_place_where_it_sank_in_however_it_starts)
{
    double slip[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        RiScene *scene = open_drift(i ? "2 s" : "0 s");
        REQUIRE(scene);
        double last = -INFINITY, back = 0.0;
        for (double t = 3.0; t < 14.0 && run_to(scene, t); t += 0.02) {
            back = fmax(back, last - value(scene, "base.x"));
            last = value(scene, "base.x");
        }
        slip[i] = value(scene, "soil.tyre_front_left.slip");
        printf("     from %d s on: way %.3f m, slip %.4f\n", 2 * i, last, slip[i]);
        CHECK(last > 0.25 && back == 0.0); // never backwards
        ri_scene_destroy(scene);
    }
    CHECK_CLOSE(slip[0], slip[1], 0.01); // how it began is forgotten
}

TEST(a_rover_on_a_soft_slope_does_not_swing)
{
    NEEDS("gdal");
    const RiSetting settings[] = {{"duration", "40 s"}};
    RiScene *scene = open_scene("rover_ripple", settings, 1);
    REQUIRE(scene);
    double low = INFINITY, high = -INFINITY;
    for (double t = 37.0; t < 38.0 && run_to(scene, t); t += 0.02) {
        const double x = value(scene, "soil.tyre_front_left.slip");
        low = fmin(low, x), high = fmax(high, x);
    }
    printf("     slip %.4f to %.4f\n", low, high);
    CHECK(high - low < 0.05 * low); // in two periods of its swinging on the soil
    ri_scene_destroy(scene);
}

/// A wheel of the test bed that starts at a height, with a load, on a terrain.
static RiStatus open_wheel(const char *height, const char *load, const char *terrain, RiScene **out)
{
    char text[1024];
    const RiSceneOptions options = {
        .robot_paths = folders, .robot_path_count = 1, .terrain_paths = grounds, .terrain_path_count = 1};
    snprintf(
        text, sizeof text,
        "scene: fall\nrobot: {file: single_wheel, set: {height: %s, load: %s}}\nduration: 20 s\ntick: 1 ms\ngravity: "
        "earth\nterrain: {%s}\n",
        height, load, terrain);
    *out = NULL;
    RI_TRY(ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/fall.yaml", text, strlen(text), &options, out));
    return ri_scene_build(*out);
}

TEST(a_wheel_that_falls_from_a_height_or_is_too_heavy_comes_to_rest_and_is_flagged)
{
    static const char *const how[][2] = {{"2 m", "2.5 kg"}, {"0.0575", "60 kg"}};
    for (int i = 0; i < 2; i++) {
        RiScene *scene;
        if (open_wheel(how[i][0], how[i][1], "kind: plane, soil: dry_sand_LLL, ruts: true", &scene) != RI_OK)
            CHECK_FAIL("%s", ri_context_message(ctx));
        else if (run_to(scene, 3.0)) {
            const double there = value(scene, "sink.position"), sunk = value(scene, "soil.wheel.sinkage");
            const RiEnergy e = ri_sim_energy(ri_scene_sim(scene));
            CHECK(run_to(scene, 5.0));
            printf("     %s, %s: sunk by %.0f mm\n", how[i][0], how[i][1], 1e3 * sunk);
            CHECK(sunk > 0.029 && sunk < 0.5 && value(scene, "validity.soil.wheel.sinkage") > 0.0);
            CHECK(i == 0 || value(scene, "validity.soil.wheel.buried") > 0.0);
            CHECK_CLOSE(value(scene, "sink.position"), there, 1e-3);
            CHECK(ri_energy_residual(&e) < 1e-9);
        }
        ri_scene_destroy(scene);
    }
}

TEST(a_wheel_that_starts_with_its_hub_in_the_ground_is_refused)
{
    RiScene *scene;
    CHECK(open_wheel("-0.03", "2.5 kg", "kind: plane, soil: dry_sand_LLL", &scene) == RI_OK);
    if (scene) {
        CHECK(ri_sim_step(ri_scene_sim(scene)) == RI_ERR_ARGUMENT);
        CHECK(strstr(ri_context_message(ctx), "wheel 'wheel' starts buried, its hub 0.03 m below the ground") != NULL);
    }
    ri_scene_destroy(scene);
}

TEST(a_wheel_wider_than_the_map_stands_on_the_ground_that_goes_on_beyond_it)
{
    static const char *const edges[] = {"stop", "extend"};
    double sunk[3] = {0.0};
    for (int i = 0; i < 3; i++) {
        char terrain[256];
        RiScene *scene;
        snprintf(terrain, sizeof terrain,
                 i < 2 ? "kind: heights, values: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], cell: 1 cm, "
                         "corner: [-15 mm, -15 mm], edge: %s, soil: dry_sand_LLL"
                       : "kind: plane, soil: dry_sand_LLL",
                 i < 2 ? edges[i] : "");
        if (open_wheel("0.0575", "2.5 kg", terrain, &scene) != RI_OK)
            CHECK_FAIL("%s", ri_context_message(ctx));
        else if (run_to(scene, 1.0))
            sunk[i] = value(scene, "soil.wheel.sinkage");
        ri_scene_destroy(scene);
    }
    CHECK(sunk[2] > 5e-3);
    CHECK_CLOSE(sunk[0], sunk[2], 1e-9);
    CHECK_CLOSE(sunk[1], sunk[2], 1e-9);
}

TEST(other_integrators_and_bad_options_are_refused_with_the_reason)
{
    RiScene *scene;
    const RiSetting settings[] = {{"integrator", "semi-implicit"}};
    CHECK(open_in(ctx, "wheel_testbed", settings, 1, &scene) != RI_OK);
    CHECK(strstr(ri_context_message(ctx), "need integrator implicit") != NULL);
    static const char *const bad[] = {"soil: {slices: 0}\n", "soil: {patches: 99}\n", "soil: {rebound: 2}\n",
                                      "soil: {slice: 3}\n", "soil: sand\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[4096];
        const RiSceneOptions options = {
            .robot_paths = folders, .robot_path_count = 1, .terrain_paths = grounds, .terrain_path_count = 1};
        snprintf(text, sizeof text, "%s%s", rock_beside_sand, bad[i]);
        scene = NULL;
        RiStatus status =
            ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/edge.yaml", text, strlen(text), &options, &scene);
        if (status == RI_OK)
            status = ri_scene_build(scene);
        CHECK(status == RI_ERR_FORMAT || status == RI_ERR_ARGUMENT);
        CHECK(strstr(ri_context_message(ctx), "edge.yaml") != NULL);
        ri_scene_destroy(scene);
    }
}

TEST(every_failed_allocation_is_answered)
{
    fail_allocations("wheel_testbed");
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(the_test_bed_settles_at_the_closed_form),
        CASE(a_wheel_that_slides_back_slips_by_more_than_one_and_pull_is_along_the_drive),
        CASE(a_wheel_dragged_aside_in_a_scene_agrees_with_the_closed_form),
        CASE(a_parked_rover_on_a_soft_slope_of_ten_degrees_creeps_less_than_a_millimetre_in_a_minute),
        CASE(a_state_that_is_brought_back_goes_on_with_equal_bits),
        CASE(soil_takes_energy_and_the_books_close),
        CASE(rock_and_sand_share_one_footprint),
        CASE(soft_soil_under_a_robot_that_it_cannot_act_on_is_refused),
        CASE(a_wheel_with_rock_under_one_third_remembers_its_rut_on_either_side),
        CASE(a_rut_is_there_to_stay_and_carries_better_the_second_time),
        CASE(a_rover_leaves_the_place_where_it_sank_in_however_it_starts),
        CASE(a_rover_on_a_soft_slope_does_not_swing),
        CASE(a_wheel_that_falls_from_a_height_or_is_too_heavy_comes_to_rest_and_is_flagged),
        CASE(a_wheel_that_starts_with_its_hub_in_the_ground_is_refused),
        CASE(a_wheel_wider_than_the_map_stands_on_the_ground_that_goes_on_beyond_it),
        CASE(other_integrators_and_bad_options_are_refused_with_the_reason),
        CASE(every_failed_allocation_is_answered)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
