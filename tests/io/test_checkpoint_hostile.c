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

TEST(counters_at_their_end_are_refused)
{
    Stage x;
    const long long most = LLONG_MAX;
    REQUIRE(stage_open(&x, "tests/io/trajectory.yaml"));
    CHECK_ERROR(x.ctx, load_with(&x, 0, &most), RI_ERR_MODEL, "beyond its time"); // the tick
    stage_close(&x);
}

/// Every word in turn, or as many as `most` at random, becomes something that no run writes.
static void batter(const char *name, int most)
{
    static const uint64_t words[] = {
        0x7ff8000000000000U, 0x7ff0000000000000U, 0xfff0000000000000U, 0x7fefffffffffffffU, 0xffefffffffffffffU,
        0x7fffffffffffffffU, 0x8000000000000000U, 0xffffffffffffffffU, 0x4202a05f20000000U, 1U,
        0x7fffffff7fffffffU, 0x8000000080000000U};
    enum { WORDS = sizeof words / sizeof *words };
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

TEST_MAIN(CASE(indices_and_flags_of_devices_beyond_their_range_are_refused), CASE(counters_at_their_end_are_refused),
          CASE(hostile_states_are_refused_or_stepped))
