// SPDX-License-Identifier: Apache-2.0
/// Ground that remembers: soil that wheels press and move is conserved, lies at the angle of
/// repose, and is the same in every run; thin soil over rock.
#include <pthread.h>

#include <rille/scene.h>

#include "check.h"

static RiContext *ctx;
static const double QUANTUM = 0x1p-24;
static const double REPOSE = 0.5317094317; // tan 28 degrees

#define SLOPE "slope: 5 deg, azimuth: 30 deg, "

static const char frame[] =
    "scene: berm\n"
    "robot: single_wheel\n"
    "duration: 100 s\n"
    "tick: 2 ms\n"
    "gravity: earth\n"
    "%s"
    "terrain: {kind: plane, %s}\n"
    "devices:\n"
    "  - {joint: travel, name: carriage, type: servo, set: {stiffness: 0, damping: 20 kN*s/m, velocity: 20 mm/s}}\n"
    "  - {joint: turn, name: fork, type: servo, set: {stiffness: 5 kN*m/rad, damping: 50 N*m*s/rad}}\n"
    "  - {joint: drive, name: motor, type: servo, set: {stiffness: 0, damping: 200 N*m*s/rad, velocity: 0.4}}\n";

static RiStatus try_open(const char *soil, const char *ground, RiScene **out)
{
    static const char *const folders[] = {RILLE_SOURCE_DIR "/robots"};
    const RiSceneOptions options = {.robot_paths = folders, .robot_path_count = 1};
    char text[2048];
    snprintf(text, sizeof text, frame, soil, ground);
    RI_TRY(ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/berm.yaml", text, strlen(text), &options, out));
    return ri_scene_build(*out);
}

static RiScene *open_with(const char *soil, const char *ground)
{
    RiScene *scene = NULL;
    if (try_open(soil, ground, &scene) == RI_OK)
        return scene;
    CHECK_FAIL("%s", ri_context_message(ctx));
    ri_scene_destroy(scene);
    return NULL;
}

static RiScene *open_scene(void)
{
    return open_with("soil: {berms: true}\n", SLOPE "soil: dry_sand_LLL, ruts: {cell: 1 cm}");
}

static bool step(RiScene *scene)
{
    const bool good = ri_sim_step(ri_scene_sim(scene)) == RI_OK;
    if (!good)
        CHECK_FAIL("%s", ri_context_message(ctx));
    return good;
}

static void set(RiScene *scene, const char *name, double x)
{
    char number[40];
    snprintf(number, sizeof number, "%.9g", x);
    CHECK(ri_values_set(ri_sim_values(ri_scene_sim(scene)), name, number) == RI_OK);
}

/// Commands of a drive that changes its mind: forward, back, spinning, braked, aslant.
static void command(RiScene *scene, int n)
{
    const unsigned r = (unsigned)n * 2654435761U;
    const double speed = 0.03 * ((double)(r >> 8 & 255U) / 255.0 - 0.3), slip = (double)(r >> 16 & 255U) / 128.0 - 0.6;
    set(scene, "carriage.velocity", speed);
    set(scene, "motor.velocity", (speed + 0.03 * slip) / 0.058);
    set(scene, "fork.position", 0.5 * ((double)(r >> 24) / 255.0 - 0.5));
}

/// Sum of all depths, exact: whole quanta.
static double sum_depths(RiRuts *ruts, bool *whole)
{
    double sum = 0.0;
    for (int t = 0; t < ri_ruts_tile_count(ruts); t++) {
        int i, j;
        const RiRut *cells = ri_ruts_tile(ruts, t, &i, &j);
        for (int k = 0; k < RI_RUT_TILE * RI_RUT_TILE; k++) {
            const double q = (double)cells[k].depth / QUANTUM;
            *whole &= q == rint(q);
            sum += q;
        }
    }
    return sum;
}

TEST(soil_is_conserved_in_every_step_of_a_random_drive)
{
    RiScene *scene = open_scene();
    REQUIRE(scene);
    RiSim *s = ri_scene_sim(scene);
    double worst = 0.0;
    bool whole = true;
    RiSoilMoved moved = {0};
    for (int n = 0; n < 10000; n++) {
        if (n % 500 == 0)
            command(scene, n / 500);
        if (!step(scene))
            break;
        const double volume = 1e-4 * QUANTUM * sum_depths(ri_sim_ruts(s), &whole);
        moved = ri_sim_soil_moved(s, 0);
        const double turned = moved.compacted + moved.displaced + moved.dug;
        if (turned > 0.0)
            worst = fmax(worst, fabs(volume - moved.compacted) / turned);
    }
    printf("     compacted %.3g, displaced %.3g, dug %.3g cm^3; error %.2g of it\n", 1e6 * moved.compacted,
           1e6 * moved.displaced, 1e6 * moved.dug, worst);
    CHECK(whole);
    CHECK(moved.compacted > 1e-6 && moved.displaced > 1e-6 && moved.dug > 1e-6);
    CHECK(worst < 1e-9);
    ri_scene_destroy(scene);
}

/// How much steeper than repose loose soil lies against its neighbours, at worst, at least `apart`
/// from the wheel [m].
static double steepest(RiScene *scene, double apart, double *out_highest)
{
    RiSim *s = ri_scene_sim(scene);
    RiRuts *ruts = ri_sim_ruts(s);
    double x = 0.0, worst = 0.0;
    CHECK(ri_values_eval(ri_sim_values(s), "travel.position", &x) == RI_OK);
    for (int t = 0; t < ri_ruts_tile_count(ruts); t++) {
        int i0, j0;
        const RiRut *cells = ri_ruts_tile(ruts, t, &i0, &j0);
        for (int k = 0; k < RI_RUT_TILE * RI_RUT_TILE; k++) {
            const int i = i0 + k % RI_RUT_TILE, j = j0 + k / RI_RUT_TILE;
            *out_highest = fmax(*out_highest, -(double)cells[k].depth);
            if (!(cells[k].loose > 0.0F) || fabs(ri_ruts_centre(ruts, i, j).x - x) < apart)
                continue;
            for (int n = 0; n < 9; n++) {
                const RiVec3 a = ri_ruts_centre(ruts, i, j), b = ri_ruts_centre(ruts, i + n % 3 - 1, j + n / 3 - 1);
                RiHeight h[2];
                ri_ground_height(ri_sim_terrain(s), ruts, a.x, a.y, &h[0]);
                ri_ground_height(ri_sim_terrain(s), ruts, b.x, b.y, &h[1]);
                worst = fmax(worst, h[0].z - h[1].z - REPOSE * hypot(a.x - b.x, a.y - b.y));
            }
        }
    }
    return worst;
}

TEST(berms_lie_no_steeper_than_the_angle_of_repose)
{
    RiScene *scene = open_scene();
    REQUIRE(scene);
    set(scene, "motor.velocity", 0.02 / 0.7 / 0.058);
    set(scene, "fork.position", -0.1);
    for (int n = 0; n < 10000 && step(scene); n++)
        ;
    double highest = 0.0;
    const double over = steepest(scene, 0.07, &highest);
    printf("     berms up to %.2f mm, %.2g m above repose\n", 1e3 * highest, over);
    CHECK(highest > 5e-4);
    CHECK(over < 2.5e-7); // four quanta: heights of the ground are rounded to them as well
    ri_scene_destroy(scene);
}

TEST(a_spinning_wheel_digs_itself_in_and_throws_a_heap_behind)
{
    RiScene *scene = open_scene();
    REQUIRE(scene);
    double before = 0.0, after = 0.0, highest = 0.0;
    set(scene, "carriage.velocity", 0.0);
    set(scene, "motor.velocity", 0.5);
    for (int n = 0; n < 2500 && step(scene); n++)
        ;
    CHECK(ri_values_eval(ri_sim_values(ri_scene_sim(scene)), "sink.position", &before) == RI_OK);
    for (int n = 0; n < 10000 && step(scene); n++)
        ;
    CHECK(ri_values_eval(ri_sim_values(ri_scene_sim(scene)), "sink.position", &after) == RI_OK);
    steepest(scene, 0.0, &highest);
    const RiSoilMoved moved = ri_sim_soil_moved(ri_scene_sim(scene), 0);
    printf("     hub from %.2f to %.2f mm, heap %.2f mm, dug %.3g cm^3\n", 1e3 * before, 1e3 * after, 1e3 * highest,
           1e6 * moved.dug);
    CHECK(after < before - 1e-3);
    CHECK(highest > 1e-3 && moved.dug > 1e-6);
    ri_scene_destroy(scene);
}

TEST(repeated_and_resumed_drives_have_equal_bits)
{
    uint64_t hash[3] = {0, 1, 2};
    for (int run = 0; run < 3; run++) {
        RiScene *scene = open_scene();
        REQUIRE(scene);
        RiSim *s = ri_scene_sim(scene);
        void *block = NULL;
        for (int n = 0; n < 3000; n++) {
            if (n % 500 == 0)
                command(scene, n / 500);
            if (!step(scene))
                break;
            if (run == 2 && n == 1200) { // go on from here twice
                block = malloc(ri_sim_state_size(s));
                REQUIRE(block);
                ri_sim_save_state(s, block);
            }
            if (run == 2 && n == 1400 && block) {
                CHECK(ri_sim_load_state(s, block) == RI_OK);
                free(block);
                block = NULL;
                n = 1200;
            }
        }
        hash[run] = ri_sim_hash(s);
        ri_scene_destroy(scene);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
}

TEST(a_second_pass_is_counted)
{
    RiScene *scene = open_scene();
    REQUIRE(scene);
    RiRuts *ruts = ri_sim_ruts(ri_scene_sim(scene));
    int i, j;
    for (int n = 0; n < 5000 && step(scene); n++)
        ;
    ri_ruts_cell_at(ruts, 0.1, 0.0, &i, &j);
    CHECK_CLOSE((double)ri_ruts_get(ruts, i, j).passes, 1.0, 0.0);
    set(scene, "carriage.velocity", -0.02);
    set(scene, "motor.velocity", -0.4);
    for (int n = 0; n < 5000 && step(scene); n++)
        ;
    CHECK_CLOSE((double)ri_ruts_get(ruts, i, j).passes, 2.0, 0.0);
    ri_scene_destroy(scene);
}

TEST(a_wheel_that_sinks_on_the_spot_presses_all_of_its_arc)
{
    RiScene *scene = open_with("", "soil: dry_sand_LLL, ruts: {cell: 1 cm}");
    REQUIRE(scene);
    set(scene, "carriage.velocity", 0.0);
    set(scene, "motor.velocity", 0.5);
    for (int n = 0; n < 2000 && step(scene); n++)
        ;
    const RiRuts *ruts = ri_sim_ruts(ri_scene_sim(scene));
    const double r = 0.058;
    double hub = 0.0, at = 0.0, worst = 0.0;
    int cells = 0;
    CHECK(ri_values_eval(ri_sim_values(ri_scene_sim(scene)), "sink.position", &hub) == RI_OK);
    CHECK(ri_values_eval(ri_sim_values(ri_scene_sim(scene)), "travel.position", &at) == RI_OK);
    for (int i = -1; i > -6; i--) {
        const double x = ri_ruts_centre(ruts, i, 0).x - at, depth = -hub - r + sqrt(r * r - x * x);
        if (depth < 0.0)
            break;
        worst = fmax(worst, depth - (double)ri_ruts_get(ruts, i, 0).depth);
        cells++;
    }
    printf("     %d cells behind the lowest line of a wheel sunk by %.2f mm: at most %.3f mm of it within the rim\n",
           cells, -1e3 * hub, 1e3 * worst);
    CHECK(cells >= 4);
    CHECK(worst < 2.5e-4); // it stamps each time it has sunk by 0.2 mm
    ri_scene_destroy(scene);
}

TEST(a_failed_step_moves_no_soil)
{
    // four tiles of 64 x 64 cells are all that fits: the wheel fails where it would need another
    RiScene *scene = open_with("soil: {berms: true}\n", SLOPE "soil: dry_sand_LLL, ruts: {cell: 1 cm, memory: 280 kB}");
    REQUIRE(scene);
    RiSim *s = ri_scene_sim(scene);
    RiStatus status = RI_OK;
    uint64_t before = 0;
    RiSoilMoved moved = {0};
    double x = 0.0;
    set(scene, "carriage.velocity", 0.05);
    set(scene, "motor.velocity", 1.2);
    for (int n = 0; n < 10000 && status == RI_OK; n++) {
        CHECK(ri_values_eval(ri_sim_values(s), "travel.position", &x) == RI_OK);
        before = x > 0.5 ? ri_ruts_hash(ri_sim_ruts(s)) : 0;
        moved = ri_sim_soil_moved(s, 0);
        status = ri_sim_step(s);
    }
    const RiSoilMoved after = ri_sim_soil_moved(s, 0);
    bool whole = true;
    CHECK(status == RI_ERR_MEMORY && x > 0.5 && moved.compacted > 0.0);
    CHECK(before == ri_ruts_hash(ri_sim_ruts(s)));
    CHECK(moved.compacted == after.compacted && moved.displaced == after.displaced && moved.dug == after.dug);
    CHECK_CLOSE(1e-4 * QUANTUM * sum_depths(ri_sim_ruts(s), &whole), after.compacted, 1e-15);
    ri_scene_destroy(scene);
}

/// Mean sinkage of the last of 8 s.
static double sinkage_on(const char *ground)
{
    RiScene *scene = open_with("", ground);
    double sum = 0.0, x = 0.0;
    for (int n = 0; scene && n < 4000 && step(scene); n++) {
        CHECK(ri_values_eval(ri_sim_values(ri_scene_sim(scene)), "soil.wheel.sinkage", &x) == RI_OK);
        sum += n >= 3500 ? x / 500.0 : 0.0;
    }
    ri_scene_destroy(scene);
    return sum;
}

/// Sinkage at which the rock alone would carry a load, at 100 MPa/m and on the front of the
/// contact, from theta_m = theta_f / 4 on.
static double most_on_rock(double thickness, double load)
{
    const double r = 0.058, b = 0.05;
    double sinkage = thickness, carried = 0.0;
    while (carried < load) {
        sinkage += 1e-6;
        carried = 0.0;
        const double entry = acos(1.0 - sinkage / r), d = 0.75 * entry / 200;
        for (int n = 0; n < 200; n++) {
            const double theta = 0.25 * entry + (n + 0.5) * d, over = r * (cos(theta) - cos(entry)) - thickness;
            carried += 1e8 * fmax(over, 0.0) * cos(theta) * r * b * d;
        }
    }
    return sinkage;
}

TEST(thin_soil_over_bedrock_lets_a_wheel_sink_to_the_rock_and_no_further)
{
    const double deep = sinkage_on("soil: dry_sand_LLL");
    const double thin =
        sinkage_on("soil: {base: {name: a, layers: [{soil: dry_sand_LLL, thickness: 5 mm}, {soil: rock}]}}");
    const double thick =
        sinkage_on("soil: {base: {name: a, layers: [{soil: dry_sand_LLL, thickness: 40 mm}, {soil: rock}]}}");
    printf("     %.2f mm in deep soil, %.2f mm in 5 mm (at most %.2f mm), %.2f mm in 40 mm\n", 1e3 * deep, 1e3 * thin,
           1e3 * most_on_rock(0.005, 2.5 * 9.80665), 1e3 * thick);
    CHECK(deep > 0.015 && thick == deep);
    CHECK(thin > 0.005 && thin < most_on_rock(0.005, 2.5 * 9.80665));
}

TEST(berms_that_cannot_be_are_refused_with_the_reason)
{
    static const char *const bad[][3] = {
        {"soil: {berms: true}\n", "soil: dry_sand_LLL", "berms need ruts"},
        {"soil: {berms: true, compaction: 1.5}\n", SLOPE "soil: dry_sand_LLL, ruts: {cell: 1 cm}", "compaction"},
        {"soil: {berms: true, layer: -1 mm}\n", SLOPE "soil: dry_sand_LLL, ruts: {cell: 1 cm}", "layer"},
        {"soil: {berms: 7}\n", SLOPE "soil: dry_sand_LLL, ruts: {cell: 1 cm}", "berms"},
        {"soil: {berms: true}\n", SLOPE "soil: dry_sand_LLL, ruts: {cell: 0.2 mm}", "larger cells"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        RiScene *scene = NULL;
        CHECK(try_open(bad[i][0], bad[i][1], &scene) != RI_OK);
        if (!strstr(ri_context_message(ctx), bad[i][2]))
            CHECK_FAIL("%s", ri_context_message(ctx));
        ri_scene_destroy(scene);
    }
}

/// A rover's drive in a context of its own.
typedef struct Drive {
    uint64_t hash;
    double bytes; ///< of the ruts, as the named value tells
    size_t least, most;
    RiStatus status;
} Drive;

static RiStatus drive_rover(RiContext *own, RiScene **scene, Drive *x)
{
    enum { TICKS = 1200 };
    RI_TRY(ri_scene_load(own, RILLE_SOURCE_DIR "/scenes/mer_sand.yaml", NULL, scene));
    RI_TRY(ri_scene_build(*scene));
    RiSim *s = ri_scene_sim(*scene);
    for (int i = 0; i < TICKS; i++)
        RI_TRY(ri_sim_step(s));
    const RiRuts *ruts = ri_sim_ruts(s);
    x->hash = ri_sim_hash(s);
    x->least = (size_t)ri_ruts_tile_count(ruts) * RI_RUT_TILE * RI_RUT_TILE * sizeof(RiRut);
    x->most = ri_ruts_bytes(ruts);
    const int at = ri_values_find(ri_sim_values(s), "terrain.rut_bytes");
    x->bytes = at >= 0 ? ri_values_read(ri_sim_values(s), at) : NAN;
    return RI_OK;
}

static void *drive(void *to)
{
    Drive *x = to;
    RiContext *own = NULL;
    RiScene *scene = NULL;
    x->status = ri_context_create(NULL, &own);
    if (x->status == RI_OK)
        x->status = drive_rover(own, &scene, x);
    ri_scene_destroy(scene);
    ri_context_destroy(own);
    return NULL;
}

TEST(rovers_on_two_threads_have_the_bits_of_one_alone)
{
    Drive alone = {0}, both[2] = {{0}};
    pthread_t thread[2];
    drive(&alone);
    for (int i = 0; i < 2; i++)
        REQUIRE(pthread_create(&thread[i], NULL, drive, &both[i]) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    CHECK(alone.status == RI_OK && alone.least > 0);
    for (int i = 0; i < 2; i++)
        CHECK(both[i].status == RI_OK && both[i].hash == alone.hash);
    printf("     ruts of %.0f bytes\n", alone.bytes);
    CHECK(alone.bytes == (double)alone.least && alone.most >= alone.least);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(soil_is_conserved_in_every_step_of_a_random_drive),
                               CASE(berms_lie_no_steeper_than_the_angle_of_repose),
                               CASE(a_spinning_wheel_digs_itself_in_and_throws_a_heap_behind),
                               CASE(repeated_and_resumed_drives_have_equal_bits),
                               CASE(a_second_pass_is_counted),
                               CASE(a_wheel_that_sinks_on_the_spot_presses_all_of_its_arc),
                               CASE(a_failed_step_moves_no_soil),
                               CASE(thin_soil_over_bedrock_lets_a_wheel_sink_to_the_rock_and_no_further),
                               CASE(rovers_on_two_threads_have_the_bits_of_one_alone),
                               CASE(berms_that_cannot_be_are_refused_with_the_reason)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
