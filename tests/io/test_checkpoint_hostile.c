// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checkpoints whose checksum is right and whose numbers are made by hand: each is refused, or
/// gives a simulation that steps or says why not. Nothing crashes and nothing overflows (the
/// sanitizers watch).
#include <rille/scene.h>

#include <limits.h>

#include "base/rng.h"
#include "check.h"
#include "io/record/checkpoint.h"
#include "needs.h"
#include "sim/devices.h"

typedef struct Stage {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
    unsigned char *good, *data; ///< a true checkpoint, and the one that is changed
    size_t size;
} Stage;

static bool stage_open(Stage *x, const char *name)
{
    char path[1024];
    *x = (Stage){0};
    snprintf(path, sizeof path, "%s/%s", RILLE_SOURCE_DIR, name);
    if (ri_context_create(NULL, &x->ctx) != RI_OK)
        exit(EXIT_FAILURE);
    if (ri_scene_load(x->ctx, path, NULL, &x->scene) != RI_OK || ri_scene_build(x->scene) != RI_OK) {
        CHECK_FAIL("%s: %s", name, ri_context_message(x->ctx));
        return false;
    }
    x->sim = ri_scene_sim(x->scene);
    for (int i = 0; i < 7; i++)
        CHECK_OK(x->ctx, ri_sim_step(x->sim));
    x->size = ri_checkpoint_size(x->sim);
    x->good = malloc(x->size);
    x->data = malloc(x->size);
    if (!x->good || !x->data)
        exit(EXIT_FAILURE);
    ri_checkpoint_compose(x->sim, x->good);
    return true;
}

static void stage_close(Stage *x)
{
    free(x->good);
    free(x->data);
    ri_scene_destroy(x->scene);
    ri_context_destroy(x->ctx);
}

/// Puts a word into the state, seals and loads.
static RiStatus load_with(Stage *x, size_t word, const void *value)
{
    memcpy(x->data, x->good, x->size);
    memcpy(x->data + RI_CHECKPOINT_HEAD + 8 * word, value, 8);
    ri_checkpoint_seal(x->data, x->size);
    return ri_checkpoint_parse(x->sim, "hostile", x->data, x->size);
}

/// Where a named value is in the block, in words.
static size_t word_of(const Stage *x, const char *name)
{
    RiValues *values = ri_sim_values(x->sim);
    const RiValue *v = ri_values_get(values, ri_values_find(values, name));
    if (!v) {
        CHECK_FAIL("there is no value '%s'", name);
        return 0;
    }
    const double before = *(double *)v->at, mark = 12345.678;
    *(double *)v->at = mark;
    ri_checkpoint_compose(x->sim, x->data);
    *(double *)v->at = before;
    for (size_t i = 0; 8 * (i + 1) + RI_CHECKPOINT_HEAD <= x->size; i++)
        if (memcmp(x->data + RI_CHECKPOINT_HEAD + 8 * i, &mark, 8) == 0)
            return i;
    CHECK_FAIL("'%s' is not in the checkpoint", name);
    return 0;
}

static void check_refused(Stage *x, const char *name, double value)
{
    const size_t word = word_of(x, name);
    CHECK_ERROR(x->ctx, load_with(x, word, &value), RI_ERR_MODEL, "hostile: the checkpoint does not fit");
}

TEST(indices_and_flags_of_devices_beyond_their_range_are_refused)
{
    static const double bad[] = {-1.0, 1e9, 1e300, 2.5, INFINITY, NAN};
    Stage x;
    if (stage_open(&x, "tests/io/trajectory.yaml"))
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            check_refused(&x, "arm.row", bad[i]);
    stage_close(&x);
    if (stage_open(&x, "scenes/mer_drive.yaml"))
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            check_refused(&x, "rover.next_waypoint", bad[i]);
    stage_close(&x);
}

TEST(attitudes_that_are_not_of_length_1_are_refused)
{
    static const double bad[] = {2.0, -1e-3, -1.3e154, 1e-300};
    Stage x;
    if (stage_open(&x, "scenes/bouncing_ball.yaml"))
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            const size_t q = (size_t)((const char *)x.sim->q - (const char *)x.sim->block) / 8;
            CHECK_ERROR(x.ctx, load_with(&x, q + 3, &bad[i]), RI_ERR_MODEL, "quaternion of length 1");
        }
    stage_close(&x);
}

TEST(counters_at_their_end_are_refused)
{
    Stage x;
    const long long most = LLONG_MAX;
    REQUIRE(stage_open(&x, "tests/io/trajectory.yaml"));
    CHECK_ERROR(x.ctx, load_with(&x, 0, &most), RI_ERR_MODEL, "beyond its time"); // the tick
    stage_close(&x);
}

/// What no run writes: not finite, largest, integers at their ends, subnormal; then -1, 1/2, 2.5,
/// 1e9, -1e9, 1e300.
static const uint64_t words[] = {
    0x7ff8000000000000U, 0x7ff0000000000000U, 0xfff0000000000000U, 0x7fefffffffffffffU, 0xffefffffffffffffU,
    0x7fffffffffffffffU, 0x8000000000000000U, 0xffffffffffffffffU, 0x4202a05f20000000U, 1U,
    0x7fffffff7fffffffU, 0x8000000080000000U, 0xbff0000000000000U, 0x3fe0000000000000U, 0x4004000000000000U,
    0x41cdcd6500000000U, 0xc1cdcd6500000000U, 0x7e37e43c8800759cU};
enum { WORDS = sizeof words / sizeof *words };

/// As many words as `most`, chosen at random, become something that no run writes.
static void batter(const char *name, int most)
{
    Stage x;
    if (!stage_open(&x, name)) {
        stage_close(&x);
        return;
    }
    RiRng rng = ri_rng_stream(11, name);
    const size_t count = ri_sim_state_size(x.sim) / 8;
    for (int i = 0; i < most; i++) {
        const size_t word = (size_t)(ri_rng_uniform(&rng) * (double)count);
        const uint64_t *value = &words[(int)(ri_rng_uniform(&rng) * WORDS)];
        if (load_with(&x, word, value) == RI_OK && ri_sim_step(x.sim) == RI_OK)
            (void)ri_sim_stopped(x.sim);
        CHECK_OK(x.ctx, ri_checkpoint_parse(x.sim, "good", x.good, x.size));
    }
    CHECK_OK(x.ctx, ri_sim_step(x.sim));
    stage_close(&x);
}

TEST(hostile_states_are_refused_or_stepped)
{
    batter("tests/io/trajectory.yaml", 300);
    batter("scenes/mer_drive.yaml", 150);
    batter("scenes/mer_sand.yaml", 80);
    batter("scenes/climb_walls.yaml", 60);
    batter("scenes/place_instrument.yaml", 100);
    batter("scenes/box_stack.yaml", 60);
    batter("scenes/snake_sand.yaml", 40);
    batter("scenes/imu_rest.yaml", 200);
}

// --- every kind of device ------------------------------------------------------------------------

/// Goes on to a tick in which the device is updated, and keeps the state before that; false if
/// there is none.
static bool go_to_update(Stage *x, int device)
{
    for (int i = 0; i < 400; i++) {
        const long long before = x->sim->devices->updates[device];
        ri_checkpoint_compose(x->sim, x->good);
        if (ri_sim_step(x->sim) != RI_OK)
            return false;
        if (x->sim->devices->updates[device] != before)
            return true;
    }
    return false;
}

/// One word of a state is changed, then two ticks are stepped if it is taken.
static void try_word(Stage *x, const void *at, RiRng *rng)
{
    const size_t word = (size_t)((const char *)at - (const char *)x->sim->block) / 8;
    const uint64_t *value = &words[(int)(ri_rng_uniform(rng) * WORDS)];
    if (load_with(x, word, value) == RI_OK && ri_sim_step(x->sim) == RI_OK && ri_sim_step(x->sim) == RI_OK)
        (void)ri_sim_stopped(x->sim);
}

/// Every port and group command `times` times, and `kept` words of the memory.
static void batter_device(Stage *x, int device, int times, int kept)
{
    const RiDevices *d = x->sim->devices;
    const RiDeviceSlot *slot = &d->slots[device];
    const char *kind = slot->device->name;
    const int commands = slot->group_count * (int)(sizeof(RiGroupCommand) / sizeof(double));
    RiRng rng = ri_rng_stream(17, kind);
    d->active[device] = 1.0; // some wait for a command
    if (!go_to_update(x, device)) {
        CHECK_FAIL("%s is not updated", kind);
        return;
    }
    for (int i = 0; i < times * (slot->device->port_count + commands); i++)
        try_word(x, d->ports + slot->port + i / times, &rng);
    for (int i = 0; i < kept && slot->memory_size >= 8; i++) { // every other of them in its head
        const size_t all = slot->memory_size / 8, most = i % 2 && all > 64 ? 64 : all;
        try_word(x, d->memory + slot->memory + 8 * (size_t)(ri_rng_uniform(&rng) * (double)most), &rng);
    }
    CHECK_OK(x->ctx, ri_checkpoint_parse(x->sim, "good", x->good, x->size));
    CHECK_OK(x->ctx, ri_sim_step(x->sim));
}

enum { KINDS = 128 };

static int kind_of(const RiDeviceClass *class)
{
    for (int i = 0; ri_device_class(i); i++)
        if (ri_device_class(i) == class)
            return i;
    return -1;
}

/// The kinds of a scene that have not been seen yet.
static void batter_kinds(const char *scene, int ticks, bool seen[KINDS])
{
    Stage x;
    if (stage_open(&x, scene)) {
        for (int i = 0; i < ticks; i++)
            CHECK_OK(x.ctx, ri_sim_step(x.sim));
        for (int i = 0; i < x.sim->devices->count; i++) {
            const int kind = kind_of(x.sim->devices->slots[i].device);
            if (kind < 0 || seen[kind])
                continue;
            seen[kind] = true;
            batter_device(&x, i, 3, 100);
        }
    }
    stage_close(&x);
}

TEST(hostile_states_of_every_kind_of_device_are_refused_or_stepped)
{
    NEEDS("gdal"); // the map of heights around the lunar rover
    bool seen[KINDS] = {0};
    const RiDeviceClass *class;
    batter_kinds("tests/io/every_device.yaml", 3, seen);
    batter_kinds("tests/io/trajectory.yaml", 3, seen);
    batter_kinds("tests/io/navigated.yaml", 30, seen);
    batter_kinds("scenes/systems/mer_base.yaml", 3, seen);
    batter_kinds("scenes/systems/curiosity_base.yaml", 3, seen);
    batter_kinds("scenes/systems/viper_base.yaml", 3, seen);
    batter_kinds("scenes/mer_drive.yaml", 3, seen);
    batter_kinds("scenes/climb_walls.yaml", 3, seen);
    batter_kinds("scenes/snake_channel.yaml", 300, seen);
    batter_kinds("scenes/place_instrument.yaml", 3, seen);
    batter_kinds("scenes/arm_hold.yaml", 3, seen);
    batter_kinds("scenes/imu_rest.yaml", 3, seen);
    batter_kinds("scenes/mer_around_rock.yaml", 3, seen);
    for (int i = 0; (class = ri_device_class(i)); i++)
        if (i >= KINDS || !seen[i])
            CHECK_FAIL("no scene of this test has a device '%s'", class->name);
}

TEST_MAIN(CASE(indices_and_flags_of_devices_beyond_their_range_are_refused),
          CASE(attitudes_that_are_not_of_length_1_are_refused), CASE(counters_at_their_end_are_refused),
          CASE(hostile_states_are_refused_or_stepped),
          CASE(hostile_states_of_every_kind_of_device_are_refused_or_stepped))
