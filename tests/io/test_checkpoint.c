// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checkpoints: a run that is resumed ends with the bits of one that was not; files that are
/// damaged or of another simulation are refused and change nothing.
#include <rille/checkpoint.h>
#include <rille/robot.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "io/faults.h"

#define SCRATCH RILLE_BINARY_DIR "/test_checkpoint"
#define ROBOTS  RILLE_SOURCE_DIR "/robots/"

/// What a test simulates.
typedef struct Setup {
    const char *robot;
    RiMethod method;
    bool devices; ///< a controller, a noisy encoder and an accelerometer
    bool spring;
    double sun; ///< elevation [rad]; 0: none is given
    unsigned long long seed;
} Setup;

typedef struct Bench {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiSim *sim;
} Bench;

/// Sees what depends on forces and accelerations of the last tick, and pushes with it.
enum { ECHO_EFFORT, ECHO_COUNT };
static const RiPort echo_ports[ECHO_COUNT] = {{.name = "effort",
                                               .unit = "N*m",
                                               .doc = "what it pushes with",
                                               .kind = RI_VALUE_OUTPUT,
                                               .low = -INFINITY,
                                               .high = INFINITY,
                                               .action = RI_PORT_EFFORT}};
static void echo_update(RiDeviceCall *call)
{
    call->x[ECHO_EFFORT] = -0.05 * call->joint_effort - 0.001 * call->joint_acceleration - 0.1 * call->joint_velocity +
                           0.01 * call->normal(call, 0);
}
static const RiDeviceClass echo = {.abi = RI_DEVICE_ABI,
                                   .name = "echo",
                                   .doc = "Feeds efforts and accelerations back.",
                                   .attach = RI_ATTACH_JOINT,
                                   .ports = echo_ports,
                                   .port_count = ECHO_COUNT,
                                   .update = echo_update};

static RiStatus add_device(RiSim *s, const char *name, const char *class, const char *attach, double rate)
{
    const RiDeviceDef def = {.name = name, .device = ri_device_find(class), .attach = attach, .rate = rate};
    return ri_sim_add_device(s, &def);
}

static RiStatus fill(Bench *b, const Setup *setup)
{
    if (setup->devices) {
        const RiDeviceDef feedback = {.name = "feedback", .device = &echo, .attach = "elbow", .rate = 500.0};
        RI_TRY(add_device(b->sim, "pid", "pid", "shoulder_pitch", 250.0));
        RI_TRY(add_device(b->sim, "encoder", "encoder", "elbow", 100.0));
        RI_TRY(add_device(b->sim, "imu", "imu", "forearm", 200.0));
        RI_TRY(ri_sim_add_device(b->sim, &feedback));
    }
    const RiSpringDef spring = {.name = "tether",
                                .link = ri_model_frame_name(b->model, ri_model_link_count(b->model) - 1),
                                .anchor = {0.3, 0.2, 1.0},
                                .stiffness = 40.0,
                                .damping = 1.0};
    if (setup->spring)
        RI_TRY(ri_sim_add_spring(b->sim, &spring));
    if (setup->sun != 0.0)
        RI_TRY(ri_sim_set_sun(b->sim, &(RiSunDef){.fixed = {.azimuth = 1.0, .elevation = setup->sun}}));
    RI_TRY(ri_sim_add_command(b->sim, 0.1, "gravity.z", "-3.71 m/s^2", (RiSource){0}));
    if (setup->spring)
        RI_TRY(ri_sim_add_command(b->sim, 0.15, "tether.stiffness", "55", (RiSource){0}));
    RI_TRY(ri_sim_add_stop(b->sim, "time > 100", (RiSource){0}));
    RI_TRY(ri_sim_build(b->sim));
    if (setup->devices) {
        RI_TRY(ri_values_set(ri_sim_values(b->sim), "pid.kp", "20"));
        RI_TRY(ri_values_set(ri_sim_values(b->sim), "imu.accel_noise", "0.02"));
        RI_TRY(ri_values_set(ri_sim_values(b->sim), "imu.gyro_walk", "0.001"));
        RI_TRY(ri_values_set(ri_sim_values(b->sim), "pid.ki", "3"));
        RI_TRY(ri_values_set(ri_sim_values(b->sim), "pid.reference_position", "0.4"));
    }
    return ri_sim_start(b->sim);
}

static RiStatus bench_open(Bench *b, const Setup *setup, const RiAllocator *allocator)
{
    *b = (Bench){0};
    RI_TRY(ri_context_create(allocator, &b->ctx));
    RiSimOptions o = ri_sim_options_default();
    o.method = setup->method;
    o.seed = setup->seed;
    char path[1024];
    snprintf(path, sizeof path, ROBOTS "%s", setup->robot);
    RI_TRY(ri_robot_load(b->ctx, path, NULL, &b->spec));
    RI_TRY(ri_model_create(b->ctx, b->spec, NULL, &b->model));
    RI_TRY(ri_sim_create(b->ctx, b->model, &o, &b->sim));
    return fill(b, setup);
}

static void bench_close(Bench *b)
{
    ri_sim_destroy(b->sim);
    ri_model_destroy(b->model);
    ri_spec_destroy(b->spec);
    ri_context_destroy(b->ctx);
}

static RiStatus advance(Bench *b, int ticks)
{
    for (int i = 0; i < ticks; i++)
        RI_TRY(ri_sim_step(b->sim));
    return RI_OK;
}

/// Runs to the end with and without a stay on the disk at different ticks; the hashes must be equal
/// all along.
static void check_resumed(const Setup *setup, const char *name)
{
    static const int stays[] = {1, 96, 100, 163};
    for (int k = 0; k < 4; k++) {
        Bench whole, first, second;
        char path[512];
        snprintf(path, sizeof path, SCRATCH "/%s.checkpoint", name);
        REQUIRE_OK(whole.ctx, bench_open(&whole, setup, NULL));
        REQUIRE_OK(first.ctx, bench_open(&first, setup, NULL));
        REQUIRE_OK(second.ctx, bench_open(&second, setup, NULL));
        REQUIRE_OK(first.ctx, advance(&first, stays[k]));
        REQUIRE_OK(first.ctx, ri_checkpoint_save(first.sim, path));
        REQUIRE_OK(second.ctx, ri_checkpoint_load(second.sim, path));
        CHECK(ri_sim_hash(first.sim) == ri_sim_hash(second.sim));
        REQUIRE_OK(whole.ctx, advance(&whole, stays[k]));
        for (int i = stays[k]; i < 250; i++) {
            REQUIRE_OK(whole.ctx, advance(&whole, 1));
            REQUIRE_OK(second.ctx, advance(&second, 1));
            if (ri_sim_hash(whole.sim) != ri_sim_hash(second.sim)) {
                CHECK_FAIL("%s: resumed after tick %d, other bits at tick %d", name, stays[k], i + 1);
                break;
            }
        }
        bench_close(&whole);
        bench_close(&first);
        bench_close(&second);
    }
}

TEST(a_resumed_run_has_the_bits_of_an_uninterrupted_one)
{
    check_resumed(&(Setup){.robot = "arm.urdf", .seed = 1}, "implicit");
    check_resumed(&(Setup){.robot = "arm.urdf", .method = RI_METHOD_RK4, .seed = 1}, "rk4");
    check_resumed(&(Setup){.robot = "arm.urdf", .method = RI_METHOD_SEMI_IMPLICIT, .seed = 1}, "semi");
    check_resumed(&(Setup){.robot = "snake_pair.urdf", .seed = 1}, "snake");
}

TEST(a_run_of_cvode_survives_a_checkpoint)
{
    Bench b;
    const Setup setup = {.robot = "arm.urdf", .method = RI_METHOD_CVODE, .seed = 1};
    const RiStatus status = bench_open(&b, &setup, NULL);
    bench_close(&b);
    if (status != RI_ERR_UNSUPPORTED) // it is left out of some builds
        check_resumed(&setup, "cvode");
}

TEST(springs_and_changed_parameters_survive_a_checkpoint)
{
    check_resumed(&(Setup){.robot = "arm.urdf", .spring = true, .seed = 1}, "spring");
    check_resumed(&(Setup){.robot = "arm.urdf", .spring = true, .method = RI_METHOD_RK4, .seed = 1}, "spring_rk4");
}

TEST(loops_survive_a_checkpoint)
{
    check_resumed(&(Setup){.robot = "four_bar.yaml", .seed = 1}, "loop");
    check_resumed(&(Setup){.robot = "four_bar.yaml", .method = RI_METHOD_RK4, .seed = 1}, "loop_rk4");
}

TEST(devices_with_noise_survive_a_checkpoint)
{
    check_resumed(&(Setup){.robot = "arm.urdf", .devices = true, .seed = 7}, "devices");
    check_resumed(&(Setup){.robot = "arm.urdf", .devices = true, .method = RI_METHOD_RK4, .seed = 7}, "devices_rk4");
}

static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data = malloc(1 << 20);
    *size = file && data ? fread(data, 1, 1 << 20, file) : 0;
    if (file)
        fclose(file);
    return data;
}

TEST(every_flipped_bit_and_every_truncation_is_refused)
{
    Bench b;
    size_t size;
    REQUIRE_OK(b.ctx, bench_open(&b, &(Setup){.robot = "arm.urdf", .seed = 1}, NULL));
    REQUIRE_OK(b.ctx, advance(&b, 20));
    REQUIRE_OK(b.ctx, ri_checkpoint_save(b.sim, SCRATCH "/flip.checkpoint"));
    REQUIRE_OK(b.ctx, advance(&b, 3));
    const uint64_t before = ri_sim_hash(b.sim);
    unsigned char *data = read_bytes(SCRATCH "/flip.checkpoint", &size);
    REQUIRE(data && size > 100);
    for (size_t i = 0; i < 8 * size; i++) {
        data[i / 8] ^= (unsigned char)(1 << i % 8);
        if (ri_checkpoint_parse(b.sim, "flip", data, size) == RI_OK)
            CHECK_FAIL("bit %zu of byte %zu may be flipped", i % 8, i / 8);
        data[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    for (size_t n = 0; n < size; n++)
        if (ri_checkpoint_parse(b.sim, "cut", data, n) == RI_OK)
            CHECK_FAIL("%zu of %zu bytes are taken", n, size);
    CHECK(ri_sim_hash(b.sim) == before); // and nothing was changed by all that
    CHECK_ERROR(b.ctx, ri_checkpoint_parse(b.sim, "cut", data, size - 1), RI_ERR_FORMAT,
                "cut: the checkpoint is truncated");
    data[size / 2] ^= 1;
    CHECK_ERROR(b.ctx, ri_checkpoint_parse(b.sim, "flip", data, size), RI_ERR_FORMAT,
                "flip: the checkpoint is damaged");
    data[size / 2] ^= 1;
    data[8] = 9;
    CHECK_ERROR(b.ctx, ri_checkpoint_parse(b.sim, "old", data, size), RI_ERR_FORMAT, "format version 9");
    CHECK_ERROR(b.ctx, ri_checkpoint_parse(b.sim, "text", "hello", 5), RI_ERR_FORMAT, "text: not a checkpoint");
    CHECK_ERROR(b.ctx, ri_checkpoint_parse(b.sim, "empty", "", 0), RI_ERR_FORMAT, "empty: not a checkpoint");
    free(data);
    bench_close(&b);
}

TEST(a_checkpoint_of_another_simulation_is_refused)
{
    static const Setup others[] = {{.robot = "snake_pair.urdf", .seed = 1},
                                   {.robot = "arm.urdf", .seed = 2},
                                   {.robot = "arm.urdf", .method = RI_METHOD_RK4, .seed = 1},
                                   {.robot = "arm.urdf", .spring = true, .seed = 1},
                                   {.robot = "arm.urdf", .devices = true, .seed = 1},
                                   {.robot = "arm.urdf", .sun = 0.5, .seed = 1}};
    Bench b;
    REQUIRE_OK(b.ctx, bench_open(&b, &(Setup){.robot = "arm.urdf", .seed = 1}, NULL));
    REQUIRE_OK(b.ctx, ri_checkpoint_save(b.sim, SCRATCH "/arm.checkpoint"));
    bench_close(&b);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        REQUIRE_OK(b.ctx, bench_open(&b, &others[i], NULL));
        const uint64_t before = ri_sim_hash(b.sim);
        CHECK_ERROR(b.ctx, ri_checkpoint_load(b.sim, SCRATCH "/arm.checkpoint"), RI_ERR_MODEL, "another simulation");
        CHECK(ri_sim_hash(b.sim) == before);
        bench_close(&b);
    }
}

TEST(a_checkpoint_under_another_sun_is_refused)
{
    Bench b;
    REQUIRE_OK(b.ctx, bench_open(&b, &(Setup){.robot = "arm.urdf", .sun = 0.5, .seed = 1}, NULL));
    REQUIRE_OK(b.ctx, ri_checkpoint_save(b.sim, SCRATCH "/sun.checkpoint"));
    CHECK_OK(b.ctx, ri_checkpoint_load(b.sim, SCRATCH "/sun.checkpoint"));
    bench_close(&b);
    REQUIRE_OK(b.ctx, bench_open(&b, &(Setup){.robot = "arm.urdf", .sun = 0.6, .seed = 1}, NULL));
    CHECK_ERROR(b.ctx, ri_checkpoint_load(b.sim, SCRATCH "/sun.checkpoint"), RI_ERR_MODEL, "another simulation");
    bench_close(&b);
}

TEST(a_missing_file_and_an_unwritable_place_are_named)
{
    Bench b;
    REQUIRE_OK(b.ctx, bench_open(&b, &(Setup){.robot = "arm.urdf", .seed = 1}, NULL));
    CHECK_ERROR(b.ctx, ri_checkpoint_load(b.sim, SCRATCH "/none"), RI_ERR_NOT_FOUND, "/none: cannot open");
    CHECK_ERROR(b.ctx, ri_checkpoint_save(b.sim, SCRATCH "/none/x"), RI_ERR_IO, "/none/x: cannot write the checkpoint");
    CHECK_ERROR(b.ctx, ri_checkpoint_save(b.sim, SCRATCH), RI_ERR_IO, "cannot write the checkpoint");
    CHECK(access(SCRATCH ".part", F_OK) != 0); // nothing is left beside
    bench_close(&b);
}

TEST(a_failed_allocation_is_told_and_leaks_nothing)
{
    Bench b;
    Faults faults = {.fail_at = -1};
    const RiAllocator allocator = faults_allocator(&faults);
    REQUIRE_OK(b.ctx, bench_open(&b, &(Setup){.robot = "arm.urdf", .spring = true, .seed = 1}, &allocator));
    REQUIRE_OK(b.ctx, ri_checkpoint_save(b.sim, SCRATCH "/faults.checkpoint"));
    for (int task = 0; task < 2; task++) {
        RiStatus status = RI_ERR_MEMORY;
        int k = 0;
        for (; status != RI_OK && k < 100; k++) {
            const long live = faults.live;
            faults.fail_at = faults.call + k;
            status = task ? ri_checkpoint_load(b.sim, SCRATCH "/faults.checkpoint")
                          : ri_checkpoint_save(b.sim, SCRATCH "/faults.checkpoint");
            CHECK(status == RI_OK || status == RI_ERR_MEMORY);
            CHECK_INT(faults.live, live);
        }
        CHECK(k > 1 && k < 100);
        faults.fail_at = -1;
    }
    bench_close(&b);
    CHECK_INT(faults.live, 0);
}

int main(int argc, char **argv)
{
    mkdir(SCRATCH, 0755);
    const CheckCase cases[] = {CASE(a_resumed_run_has_the_bits_of_an_uninterrupted_one),
                               CASE(a_run_of_cvode_survives_a_checkpoint),
                               CASE(springs_and_changed_parameters_survive_a_checkpoint),
                               CASE(loops_survive_a_checkpoint),
                               CASE(devices_with_noise_survive_a_checkpoint),
                               CASE(every_flipped_bit_and_every_truncation_is_refused),
                               CASE(a_checkpoint_of_another_simulation_is_refused),
                               CASE(a_checkpoint_under_another_sun_is_refused),
                               CASE(a_missing_file_and_an_unwritable_place_are_named),
                               CASE(a_failed_allocation_is_told_and_leaks_nothing)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
