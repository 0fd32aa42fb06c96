// SPDX-License-Identifier: Apache-2.0
/// What soil gives back beyond what it holds, tick by tick, in rough drives at random: nothing.
#include <rille/scene.h>

#include "check.h"

static RiContext *ctx;
static const char *const folders[] = {RILLE_SOURCE_DIR "/robots"};
static const char *const grounds[] = {RILLE_SOURCE_DIR "/terrains"};

/// A number in [-1, 1) of a stream.
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static RiScene *open_wheel(const char *height, const char *soil)
{
    char text[2048];
    const RiSceneOptions options = {
        .robot_paths = folders, .robot_path_count = 1, .terrain_paths = grounds, .terrain_path_count = 1};
    snprintf(text, sizeof text,
             "scene: random\n"
             "robot: {file: single_wheel, set: {height: %s, load: 5 kg}}\n"
             "duration: 100 s\n"
             "tick: 1 ms\n"
             "gravity: earth\n"
             "terrain: {kind: plane, %s}\n"
             "devices:\n"
             "  - {joint: travel, name: carriage, type: servo, set: {stiffness: 0, damping: 200 N*s/m, velocity: 0}}\n"
             "  - {joint: turn, name: fork, type: servo, set: {stiffness: 50 N*m/rad, damping: 0.5 N*m*s/rad}}\n"
             "  - {joint: drive, name: motor, type: servo, set: {stiffness: 0, damping: 2 N*m*s/rad, velocity: 0}}\n",
             height, soil);
    RiScene *scene = NULL;
    if (ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/random.yaml", text, strlen(text), &options, &scene) == RI_OK &&
        ri_scene_build(scene) == RI_OK)
        return scene;
    CHECK_FAIL("%s", ri_context_message(ctx));
    ri_scene_destroy(scene);
    return NULL;
}

static void set(RiScene *scene, const char *name, double x)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", x);
    if (ri_values_set(ri_sim_values(ri_scene_sim(scene)), name, text) != RI_OK)
        CHECK_FAIL("%s: %s", name, ri_context_message(ctx));
}

/// Forwards, backwards, spinning, locked, sideways; now and then a kick upwards.
static void command(RiScene *scene, uint64_t *state)
{
    const double speed = 0.2 * draw(state) * fmax(0.0, draw(state)), turn = 1.6 * draw(state);
    set(scene, "carriage.velocity", speed);
    set(scene, "fork.position", draw(state) > 0.0 ? turn : 0.0);
    set(scene, "motor.velocity", draw(state) > 0.0 ? speed / 0.058 : 5.0 * draw(state));
    if (draw(state) > 0.3)
        set(scene, "sink.velocity", 0.3 * fabs(draw(state)));
}

/// What soil has given back beyond what it held: most in a tick, and in all, by the energy turned
/// over and lost by then.
typedef struct Given {
    double worst, all;
} Given;

static Given given_back(RiScene *scene, uint64_t seed, double time)
{
    RiSim *s = ri_scene_sim(scene);
    Given given = {0.0, 0.0};
    double last = 0.0;
    for (int tick = 0; ri_sim_time(s) < time; tick++) {
        if (tick % 400 == 399)
            command(scene, &seed);
        if (ri_sim_step(s) != RI_OK) {
            CHECK_FAIL("%s", ri_context_message(ctx));
            break;
        }
        const RiEnergy e = ri_sim_energy(s);
        given.worst = fmax(given.worst, (last - e.dissipated) / e.scale);
        given.all += fmax(0.0, last - e.dissipated);
        last = e.dissipated;
        CHECK(ri_energy_residual(&e) < 1e-9);
    }
    given.all /= last;
    return given;
}

static const char *const soils[] = {"dry_sand_LLL", "MMS_regolith_reece", "pathfinder_drift", "LETE_sand_wong",
                                    "lunar_nominal"};

static void drive(bool ruts, double most_in_a_tick, double most_in_all)
{
    Given worst = {0.0, 0.0};
    for (int i = 0; i < 10; i++) {
        char ground[128];
        snprintf(ground, sizeof ground, "slope: %d deg, soil: %s, ruts: %s", i / 2, soils[i % 5],
                 ruts ? "true" : "false");
        RiScene *scene = open_wheel(i % 2 ? "0.3 m" : "0.0575", ground);
        REQUIRE(scene);
        const Given given = given_back(scene, 77u + (unsigned)i, 5.0);
        worst.worst = fmax(worst.worst, given.worst);
        worst.all = fmax(worst.all, given.all);
        if (given.worst > most_in_a_tick || given.all > most_in_all)
            printf("     %s: in a tick %.2g of the energy turned over, in all %.2g of what is lost\n", soils[i % 5],
                   given.worst, given.all);
        ri_scene_destroy(scene);
    }
    CHECK(worst.worst <= most_in_a_tick && worst.all <= most_in_all);
}

TEST(a_random_drive_gets_nothing_from_its_soil)
{
    drive(false, 1e-14, 1e-12);
}

TEST(nor_does_it_in_ruts_of_its_own)
{
    drive(true, 1e-14, 1e-12);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(a_random_drive_gets_nothing_from_its_soil), CASE(nor_does_it_in_ruts_of_its_own)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
