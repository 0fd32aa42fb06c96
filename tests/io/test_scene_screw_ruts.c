// SPDX-License-Identifier: Apache-2.0
/// Grooves of screws in scenes: their shape and volume, a second pass, digging, cells and steps,
/// crusts, energy.
#include "scene.h"

static void set(RiScene *scene, const char *name, double to)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", to);
    if (ri_values_set(ri_sim_values(ri_scene_sim(scene)), name, text) != RI_OK)
        CHECK_FAIL("%s: %s", name, ri_context_message(ctx));
}

/// The test bed of two screws on a ground of one's choice, held by a carriage at a speed.
static RiScene *open_bed(const char *ground, const char *soil, const char *tick)
{
    char text[4096];
    const RiSceneOptions options = {
        .robot_paths = folders, .robot_path_count = 1, .terrain_paths = grounds, .terrain_path_count = 1};
    RiScene *scene = NULL;
    const int size = snprintf(
        text, sizeof text,
        "scene: bed\n"
        "robot: {file: ../robots/screw_rig.yaml, set: {above: 79 mm}}\n"
        "duration: 200 s\n"
        "gravity: earth\n"
        "tick: %s\n"
        "terrain: {kind: plane, %s}\n"
        "soil: {%s}\n"
        "devices:\n"
        "  - {joint: travel, name: carriage, type: servo, set: {stiffness: 0, damping: 20 kN*s/m, velocity: 0}}\n"
        "  - {joint: turn_left, name: l, type: servo, set: {stiffness: 0, damping: 200 N*m*s/rad, velocity: 0}}\n"
        "  - {joint: turn_right, name: r, type: servo, set: {stiffness: 0, damping: 200 N*m*s/rad, velocity: 0}}\n",
        tick, ground, soil);
    if (ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/bed.yaml", text, (size_t)size, &options, &scene) == RI_OK &&
        ri_scene_build(scene) == RI_OK)
        return scene;
    CHECK_FAIL("%s", ri_context_message(ctx));
    ri_scene_destroy(scene);
    return NULL;
}

static void drive(RiScene *scene, double speed, double slip)
{
    const double thread = slip < 1.0 ? speed / (1.0 - slip) : 0.05;
    set(scene, "carriage.velocity", slip < 1.0 ? speed : 0.0);
    set(scene, "r.velocity", thread * 2.0 * M_PI / 0.2);
    set(scene, "l.velocity", -thread * 2.0 * M_PI / 0.2);
}

static const char sand[] = "soil: dry_sand_LLL, ruts: {cell: 1 cm}";

TEST(a_groove_has_the_shape_of_the_drum_and_its_volume_is_that_of_all_cells)
{
    RiScene *scene = open_bed(sand, "patches: 16", "4 ms");
    REQUIRE(scene);
    REQUIRE(run_to(scene, 1.0));
    drive(scene, 0.05, 0.2);
    if (run_to(scene, 16.0)) {
        RiSim *s = ri_scene_sim(scene);
        const RiRuts *ruts = ri_sim_ruts(s);
        const double sunk = value(scene, "soil.right.sinkage"), cell = ri_ruts_cell(ruts), r = 0.08;
        double sum = 0.0;
        for (int t = 0; t < ri_ruts_tile_count(ruts); t++) {
            int i, j;
            const RiRut *cells = ri_ruts_tile(ruts, t, &i, &j);
            for (int k = 0; k < 64 * 64; k++)
                sum += (double)cells[k].depth; // whole quanta: exact
        }
        CHECK(sum > 0.0);
        CHECK_CLOSE((ri_sim_soil_screw_groove(s, 0) + ri_sim_soil_screw_groove(s, 1)) / (cell * cell * sum), 1.0,
                    1e-14);
        for (int k = -6; k <= 6; k++) { // 0.3 m behind the start of the right screw's way, at centres of cells
            int i, j;
            ri_ruts_cell_at(ruts, 0.3, -0.25 + k * cell, &i, &j);
            const RiRut rut = ri_ruts_get(ruts, i, j);
            const double y = ri_ruts_centre(ruts, i, j).y + 0.25, depth = sqrt(r * r - y * y) - (r - sunk);
            CHECK_CLOSE((double)rut.depth, fmax(0.0, depth), 4e-4);
            CHECK((double)rut.compacted >= (double)rut.depth - 1e-6);
            CHECK(fabs(y) > 0.05 || rut.passes == 1);
        }
    }
    ri_scene_destroy(scene);
}

TEST(on_its_way_back_a_screw_meets_pressed_soil)
{
    RiScene *scene = open_bed(sand, "patches: 16", "4 ms");
    REQUIRE(scene);
    REQUIRE(run_to(scene, 1.0));
    drive(scene, 0.05, 0.2);
    if (run_to(scene, 13.0)) {
        const double drag = value(scene, "soil.right.drag"), sunk = value(scene, "soil.right.sinkage"),
                     thrust = value(scene, "soil.right.thrust");
        drive(scene, -0.05, 0.2);
        if (run_to(scene, 20.0)) {
            const double back = value(scene, "soil.right.drag"), again = value(scene, "soil.right.sinkage");
            printf("     drag %.2f N there, %.2f N back; sinkage %.2f and %.2f mm; thrust %.2f and %.2f N\n", drag,
                   back, 1e3 * sunk, 1e3 * again, thrust, value(scene, "soil.right.thrust"));
            CHECK(drag < 0.0 && back > 0.0 && back < -drag - 0.3);
            CHECK_CLOSE(again, sunk, 0.05 * sunk);
            CHECK_CLOSE(-value(scene, "soil.right.thrust") / thrust, 1.0, 0.02);
        }
    }
    ri_scene_destroy(scene);
}

TEST(cells_and_ruts_change_little_of_a_screw_on_fresh_ground)
{
    static const char *const kinds[] = {"soil: dry_sand_LLL", "soil: dry_sand_LLL, ruts: {cell: 1 cm}",
                                        "soil: dry_sand_LLL, ruts: {cell: 5 mm}"};
    double first[3] = {0.0};
    for (int i = 0; i < 4; i++) {
        RiScene *scene = open_bed(kinds[i < 3 ? i : 1], "patches: 16", i < 3 ? "4 ms" : "2 ms");
        REQUIRE(scene);
        REQUIRE(run_to(scene, 1.0));
        drive(scene, 0.04, 0.2);
        if (run_to(scene, 9.0)) {
            const double now[3] = {value(scene, "soil.right.thrust"), value(scene, "soil.right.drag"),
                                   value(scene, "soil.right.sinkage")};
            printf("     %s: thrust %.2f N, drag %.2f N, sinkage %.3f mm\n", i < 3 ? kinds[i] : "half the step", now[0],
                   now[1], 1e3 * now[2]);
            for (int k = 0; k < 3; k++) {
                first[k] = i == 0 ? now[k] : first[k];
                CHECK_CLOSE(now[k] / first[k], 1.0, 0.02);
            }
        }
        ri_scene_destroy(scene);
    }
}

TEST(blades_that_dig_sink_a_screw_the_more_it_slips)
{
    double before = 0.0;
    for (int i = 0; i < 3; i++) {
        RiScene *scene = open_bed(sand, "screw_dig: 1", "4 ms");
        REQUIRE(scene);
        REQUIRE(run_to(scene, 1.0));
        const double set_down = value(scene, "soil.right.sinkage");
        drive(scene, 0.03, i == 0 ? 0.1 : i == 1 ? 0.4 : 1.0);
        if (run_to(scene, 25.0)) {
            const double sunk = value(scene, "soil.right.sinkage"), dug = value(scene, "soil.right.dug");
            printf("     slip %.3f: sunk %.2f mm, of which dug %.2f\n", value(scene, "soil.right.slip"), 1e3 * sunk,
                   1e3 * dug);
            CHECK(dug > before);
            CHECK_CLOSE(sunk - dug, set_down, 0.25 * set_down);
            before = dug;
        }
        ri_scene_destroy(scene);
    }
}

TEST(a_crust_holds_screws_up_until_they_are_too_heavy)
{
    static const char *const strengths[] = {"3 kPa", "200 kPa"};
    double sunk[2] = {0.0};
    for (int i = 0; i < 2; i++) {
        char ground[256];
        snprintf(ground, sizeof ground,
                 "ruts: {cell: 1 cm}, soil: {base: {name: crusted, layers: [{soil: dry_sand_LLL, thickness: 5 cm, "
                 "strength: %s}, {soil: dry_sand_LLL}]}}",
                 strengths[i]);
        RiScene *scene = open_bed(ground, "patches: 16", "4 ms");
        REQUIRE(scene);
        if (run_to(scene, 2.0))
            sunk[i] = value(scene, "soil.right.sinkage");
        ri_scene_destroy(scene);
    }
    printf("     sinkage %.2f mm on a crust of 3 kPa, %.2f mm on one of 200 kPa\n", 1e3 * sunk[0], 1e3 * sunk[1]);
    CHECK(sunk[1] < sunk[0] - 1e-3);
}

/// A number in [-1, 1) of a stream.
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

TEST(a_random_drive_gets_next_to_nothing_from_its_soil)
{
    static const char *const kinds[] = {"soil: dry_sand_LLL", "soil: MMS_regolith_reece, slope: 3 deg",
                                        "soil: dry_sand_LLL, ruts: {cell: 1 cm}",
                                        "soil: lunar_nominal, ruts: {cell: 1 cm}"};
    double worst = 0.0, most = 0.0;
    for (int i = 0; i < 4; i++) {
        uint64_t seed = 5u + (unsigned)i;
        RiScene *scene = open_bed(kinds[i], i % 2 ? "screw_dig: 1" : "patches: 16", "2 ms");
        REQUIRE(scene);
        RiSim *s = ri_scene_sim(scene);
        double last = 0.0, tick_worst = 0.0, all = 0.0;
        for (int tick = 0; ri_sim_time(s) < 6.0; tick++) {
            if (tick % 200 == 199) {
                set(scene, "carriage.velocity", 0.2 * draw(&seed) * fmax(0.0, draw(&seed)));
                set(scene, "r.velocity", 5.0 * draw(&seed));
                set(scene, "l.velocity", 5.0 * draw(&seed));
                if (draw(&seed) > 0.3)
                    set(scene, "sink.velocity", 0.3 * fabs(draw(&seed)));
            }
            REQUIRE(ri_sim_step(s) == RI_OK);
            const RiEnergy e = ri_sim_energy(s);
            tick_worst = fmax(tick_worst, (last - e.dissipated) / e.scale);
            all += fmax(0.0, last - e.dissipated);
            last = e.dissipated;
            CHECK(ri_energy_residual(&e) < 1e-9);
        }
        printf("     %s: in a tick %.2g of the energy turned over, in all %.2g of what is lost\n", kinds[i], tick_worst,
               all / last);
        worst = fmax(worst, tick_worst);
        most = fmax(most, all / last);
        ri_scene_destroy(scene);
    }
    CHECK(worst <= 1e-4 && most <= 1e-5); // of the rig's own damper, where its motion turns round within a tick
}

TEST(grooves_and_what_is_dug_are_part_of_the_state)
{
    RiScene *scene = open_bed(sand, "screw_dig: 1", "4 ms");
    REQUIRE(scene);
    drive(scene, 0.04, 0.3);
    check_resumes(scene, 2.5, 3.1);
    ri_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(a_groove_has_the_shape_of_the_drum_and_its_volume_is_that_of_all_cells),
                               CASE(on_its_way_back_a_screw_meets_pressed_soil),
                               CASE(cells_and_ruts_change_little_of_a_screw_on_fresh_ground),
                               CASE(blades_that_dig_sink_a_screw_the_more_it_slips),
                               CASE(a_crust_holds_screws_up_until_they_are_too_heavy),
                               CASE(a_random_drive_gets_next_to_nothing_from_its_soil),
                               CASE(grooves_and_what_is_dug_are_part_of_the_state)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
