// SPDX-License-Identifier: Apache-2.0
/// \file
/// Synthesis as a whole: kinds and their tables, seeds and bits, bad settings, failing memory.
#include "../io/faults.h"
#include "making.h"

/// Coarse settings of every kind, for tests that make many.
typedef struct Small {
    const char *kind;
    RiMakeSetting settings[4];
    int count;
} Small;
static const Small smalls[] = {
    {"fractal", {{"size_x", 6.0}, {"size_y", 5.0}}, 2},
    {"craters", {{"size_x", 60.0}, {"size_y", 60.0}, {"high", 20.0}}, 3},
    {"rocks", {{"size_x", 6.0}, {"size_y", 6.0}, {"as", 1.0}}, 3},
    {"ripples", {{"size_x", 8.0}, {"size_y", 8.0}, {"cell", 0.4}}, 3},
    {"dunes", {{"size_x", 60.0}, {"size_y", 60.0}, {"cell", 3.0}}, 3},
    {"channel", {{"length", 6.0}, {"cell", 0.3}}, 2},
    {"moulin", {{"depth", 3.0}, {"cell", 0.3}}, 2},
    {"crevasse", {{"length", 5.0}, {"cell", 0.5}}, 2},
    {"course", {{"cell", 0.2}, {"as", 1.0}}, 2},
    {"paving", {{"size_x", 2.0}, {"size_y", 2.0}}, 2},
};
enum { SMALLS = sizeof smalls / sizeof *smalls };

/// Hashes of the defaults at seed 1: a change of any bit of any kind shows here.
static const struct {
    const char *kind;
    unsigned long long hash;
} golden[] = {
    {"fractal", 0x297ad2b61ddb80e2ULL}, {"craters", 0x24200b6893fc4c8eULL},  {"rocks", 0x118359d6641d2d82ULL},
    {"ripples", 0x0565df21eee07e4bULL}, {"dunes", 0x3340dfc1ef3080eaULL},    {"channel", 0xa07959bcb7280612ULL},
    {"moulin", 0xe3262d44da50cdacULL},  {"crevasse", 0x90bf0296ae3ca588ULL}, {"course", 0x41368c71fc7dd929ULL},
    {"paving", 0x9394299535125871ULL},
};

TEST(defaults_at_seed_1_have_their_golden_bits)
{
    CHECK_INT(sizeof golden / sizeof *golden, ri_make_kind_count());
    for (size_t k = 0; k < sizeof golden / sizeof *golden; k++) {
        RiMade *m = make_one(golden[k].kind, 1, 0, NULL);
        REQUIRE(m);
        if (ri_made_hash(m) != golden[k].hash)
            CHECK_FAIL("%s: hash 0x%016llxULL, expected 0x%016llxULL", golden[k].kind, ri_made_hash(m), golden[k].hash);
        ri_made_destroy(m);
    }
}

TEST(equal_seeds_give_equal_bits_and_different_seeds_different_ones)
{
    CHECK_INT(SMALLS, ri_make_kind_count());
    for (int k = 0; k < SMALLS; k++) {
        const Small *s = &smalls[k];
        RiMade *a = make_one(s->kind, 7, s->count, s->settings), *b = make_one(s->kind, 7, s->count, s->settings),
               *c = make_one(s->kind, 8, s->count, s->settings);
        REQUIRE(a && b && c);
        CHECK(ri_made_hash(a) == ri_made_hash(b));
        CHECK(ri_made_hash(a) != ri_made_hash(c));
        ri_made_destroy(a);
        ri_made_destroy(b);
        ri_made_destroy(c);
    }
}

TEST(every_number_is_finite_and_every_promise_of_the_table_is_kept)
{
    for (int k = 0; k < SMALLS; k++) {
        RiMade *m = make_one(smalls[k].kind, 3, smalls[k].count, smalls[k].settings);
        REQUIRE(m);
        CHECK(!(m->kind->gives & RI_MAKE_HEIGHTS) == !m->raster);
        CHECK(!(m->kind->gives & RI_MAKE_MESH) == !m->triangle_count);
        for (int i = 0; m->raster && i < m->raster->nx * m->raster->ny; i++)
            CHECK(isfinite((double)m->raster->values[i]));
        for (int i = 0; i < m->point_count; i++)
            CHECK(isfinite(ri_norm(m->points[i])));
        for (int i = 0; i < m->triangle_count; i++)
            for (int c = 0; c < 3; c++)
                CHECK(m->triangles[i][c] < (uint32_t)m->point_count);
        for (int i = 0; i < m->part_count; i++)
            CHECK(isfinite(ri_norm(m->parts[i].pose.p)) && m->parts[i].material);
        ri_made_destroy(m);
    }
}

TEST(tables_are_complete_and_defaults_lie_in_their_ranges)
{
    for (int k = 0; k < ri_make_kind_count(); k++) {
        const RiMakeKind *kind = ri_make_kind(k);
        CHECK(ri_make_kind_find(kind->name) == kind && *kind->about && *kind->sources && kind->gives);
        for (int i = 0; i < kind->param_count; i++) {
            const RiMakeParam *p = &kind->params[i];
            CHECK(p->value >= p->low && p->value <= p->high && *p->about && p->unit);
            CHECK_INT(ri_make_param_find(kind, p->name), i); // no name twice
        }
    }
    CHECK(ri_make_kind(-1) == NULL && ri_make_kind(1000) == NULL && ri_make_kind_find("swamp") == NULL);
    CHECK_INT(ri_make_choice_find("aged|production|power", "power"), 2);
    CHECK_INT(ri_make_choice_find("aged|production|power", "pow"), -1);
}

#define REFUSE(kind, status, part, ...)                                                                                \
    do {                                                                                                               \
        const RiMakeSetting set_[] = {__VA_ARGS__};                                                                    \
        RiMade *made_ = (RiMade *)&set_;                                                                               \
        CHECK_ERROR(make_ctx,                                                                                          \
                    ri_make(make_ctx, ri_make_kind_find(kind), (int)(sizeof set_ / sizeof *set_), set_, 1, &made_),    \
                    status, part);                                                                                     \
        CHECK(made_ == NULL);                                                                                          \
    } while (0)

TEST(bad_settings_are_refused_with_a_reason)
{
    RiMade *m = make_one("course", 1, 0, NULL); // creates the context
    ri_made_destroy(m);
    REFUSE("ripples", RI_ERR_NOT_FOUND, "did you mean 'wavelength'", {"wavelenght", 3.0});
    REFUSE("ripples", RI_ERR_NOT_FOUND, "no parameter 'colour'", {"colour", 3.0});
    REFUSE("fractal", RI_ERR_ARGUMENT, "between 0 and 1", {"hurst", 1.5});
    REFUSE("fractal", RI_ERR_ARGUMENT, "hurst is nan", {"hurst", NAN});
    REFUSE("fractal", RI_ERR_ARGUMENT, "rms_slope is 70 deg", {"rms_slope", 70.0 * DEG});
    REFUSE("fractal", RI_ERR_LIMIT, "heights, at most", {"cell", 1e-3});
    REFUSE("fractal", RI_ERR_ARGUMENT, "at least 4 x 4", {"cell", 50.0});
    REFUSE("fractal", RI_ERR_ARGUMENT, "longer than the terrain", {"slope_scale", 500.0});
    REFUSE("fractal", RI_ERR_ARGUMENT, "no wave", {"short_wave", 1e4});
    REFUSE("craters", RI_ERR_ARGUMENT, "less than high", {"low", 500.0});
    REFUSE("craters", RI_ERR_LIMIT, "raise low", {"low", 0.01});
    REFUSE("rocks", RI_ERR_ARGUMENT, "less than the greatest", {"low", 5.0});
    REFUSE("rocks", RI_ERR_LIMIT, "raise the least diameter", {"low", 2e-4});
    REFUSE("rocks", RI_ERR_ARGUMENT, "no room for rock", {"law", 1.0}, {"count", 1.0}, {"overlap", 0.0});
    REFUSE("ripples", RI_ERR_ARGUMENT, "sand stands up to", {"high", 2.0});
    REFUSE("ripples", RI_ERR_ARGUMENT, "must not exceed high", {"low", 0.35});
    REFUSE("ripples", RI_ERR_ARGUMENT, "needs cells of", {"wavelength", 0.2}, {"low", 0.01}, {"high", 0.02});
    REFUSE("dunes", RI_ERR_ARGUMENT, "lower cover", {"cover", 0.5});
    REFUSE("dunes", RI_ERR_LIMIT, "raise height", {"height", 0.05});
    REFUSE("channel", RI_ERR_ARGUMENT, "bends have a radius", {"meander", 4.0});
    REFUSE("channel", RI_ERR_LIMIT, "larger cell", {"cell", 2e-4});
    REFUSE("moulin", RI_ERR_ARGUMENT, "close the shaft", {"roughness", 0.8});
    REFUSE("moulin", RI_ERR_LIMIT, "larger cell", {"cell", 1e-3});
    REFUSE("crevasse", RI_ERR_ARGUMENT, "taper", {"bottom", 3.0});
    REFUSE("crevasse", RI_ERR_ARGUMENT, "less wander", {"wander", 5.0});
    REFUSE("course", RI_ERR_ARGUMENT, "cover is", {"cover", 1e-6});
}

TEST(failed_allocations_are_told_and_nothing_leaks)
{
    for (int k = 0; k < SMALLS; k++) {
        int done = 0;
        for (long at = 0; !done && at < 2000; at++) {
            Faults faults = {.fail_at = -1};
            const RiAllocator allocator = faults_allocator(&faults);
            RiContext *ctx = NULL;
            REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
            const long before = faults.live;
            RiMade *m = NULL;
            faults.fail_at = faults.call + at;
            const RiStatus status =
                ri_make(ctx, ri_make_kind_find(smalls[k].kind), smalls[k].count, smalls[k].settings, 1, &m);
            done = faults.call <= faults.fail_at;
            CHECK(status == (done ? RI_OK : RI_ERR_MEMORY));
            CHECK((m != NULL) == done);
            ri_made_destroy(m);
            CHECK_INT(faults.live, before);
            ri_context_destroy(ctx);
        }
        CHECK(done);
    }
}

TEST_MAIN(CASE(defaults_at_seed_1_have_their_golden_bits),
          CASE(equal_seeds_give_equal_bits_and_different_seeds_different_ones),
          CASE(every_number_is_finite_and_every_promise_of_the_table_is_kept),
          CASE(tables_are_complete_and_defaults_lie_in_their_ranges), CASE(bad_settings_are_refused_with_a_reason),
          CASE(failed_allocations_are_told_and_nothing_leaks))
