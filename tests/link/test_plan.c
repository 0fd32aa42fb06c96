// SPDX-License-Identifier: Apache-2.0
/// \file
/// Planned paths: from the values of a locomotion to places on the ground, into a log, and what is
/// no plan.
#include "check.h"

#include <rille/rille.h>

#include "../io/faults.h"
#include "link/plan.h"

enum { PHASE, TWIST_X, TWIST_Y, TWIST_W, GOAL, START_X, START_Y, AHEAD_X, AHEAD_Y, LEFT_X, LEFT_Y, NEXT, COUNT, X1 };

static const char *const names[RI_PLAN_VALUES] = {
    "phase",     "twist_x", "twist_y", "twist_w", "goal",   "start_x",
    "start_y",   "ahead_x", "ahead_y", "left_x",  "left_y", "next_waypoint",
    "waypoints", "x1",      "y1",      "x2",      "y2",     "x3",
    "y3",        "x4",      "y4",      "x5",      "y5",     "x6",
    "y6",        "x7",      "y7",      "x8",      "y8"};

/// Tables of values as locomotions have them, under the given devices.
static RiStatus make_values(RiContext *ctx, double x[][RI_PLAN_VALUES], int devices, RiValues **out)
{
    RI_TRY(ri_values_create(ctx, out));
    for (int d = 0; d < devices; d++)
        for (int k = 0; k < RI_PLAN_VALUES; k++) {
            char name[64];
            snprintf(name, sizeof name, "rover%d.%s", d, names[k]);
            RiValue v = ri_value_default();
            v.name = name;
            v.doc = "";
            v.at = &x[d][k];
            RI_TRY(ri_values_add(*out, &v));
        }
    return RI_OK;
}

typedef struct Planned {
    RiContext *ctx;
    RiValues *values;
    RiPlanSource source;
    double x[6][RI_PLAN_VALUES];
    float list[RI_PLAN_NUMBERS];
} Planned;

static bool open_plan(Planned *p, int devices)
{
    *p = (Planned){0};
    const bool fine =
        ri_context_create(NULL, &p->ctx) == RI_OK && make_values(p->ctx, p->x, devices, &p->values) == RI_OK;
    if (!fine)
        CHECK_FAIL("%s", p->ctx ? ri_context_message(p->ctx) : "no context");
    else
        ri_plan_find(&p->source, p->values);
    return fine;
}

static void close_plan(Planned *p)
{
    ri_values_destroy(p->values);
    ri_context_destroy(p->ctx);
}

/// A motion from (2, 3), heading 30 degrees.
static void begin(double *x, double tx, double ty, double tw, double goal)
{
    const double c = cos(0.5235987755982988), s = sin(0.5235987755982988);
    const double motion[] = {2.0, tx, ty, tw, goal, 2.0, 3.0, c, s, -s, c};
    memcpy(x, motion, sizeof motion);
}

/// Place of the motion by many small steps of its twist.
static void drive(const double *x, double s, double *out_x, double *out_y)
{
    const int steps = 20000;
    const double h = s / steps;
    *out_x = x[START_X];
    *out_y = x[START_Y];
    for (int i = 0; i < steps; i++) {
        const double turn = x[TWIST_W] * h * (i + 0.5), a = x[TWIST_X] * cos(turn) - x[TWIST_Y] * sin(turn),
                     l = x[TWIST_X] * sin(turn) + x[TWIST_Y] * cos(turn);
        *out_x += h * (a * x[AHEAD_X] + l * x[LEFT_X]);
        *out_y += h * (a * x[AHEAD_Y] + l * x[LEFT_Y]);
    }
}

TEST(places_of_a_motion_are_those_that_its_twist_drives_to)
{
    static const double twists[][4] = {
        {1, 0, 0.25, 3}, {-1, 0, 0.5, 2}, {1, 0, -2, 4}, {0.6, 0.8, 0, 5}, {0.6, 0.8, 0.3, 1}};
    Planned p;
    if (!open_plan(&p, 1))
        return;
    CHECK_INT(p.source.count, 1);
    for (size_t k = 0; k < sizeof twists / sizeof *twists; k++) {
        begin(p.x[0], twists[k][0], twists[k][1], twists[k][2], twists[k][3]);
        const int count = ri_plan_read(&p.source, p.values, p.list), places = (int)p.list[2];
        CHECK_INT(places, twists[k][2] == 0.0 ? 2 : RI_PLAN_PLACES);
        CHECK_INT(count, RI_PLAN_HEAD + 2 * places);
        CHECK_CLOSE((double)p.list[0], 1.0, 0.0);
        for (int i = 0; i < places; i++) {
            double x, y;
            drive(p.x[0], twists[k][3] * i / (places - 1), &x, &y);
            CHECK_CLOSE((double)p.list[RI_PLAN_HEAD + 2 * i], x, 1e-6);
            CHECK_CLOSE((double)p.list[RI_PLAN_HEAD + 2 * i + 1], y, 1e-6);
        }
    }
    begin(p.x[0], 0.0, 0.0, 1.0, 1.0); // a turn in place goes nowhere
    CHECK_INT(ri_plan_read(&p.source, p.values, p.list), RI_PLAN_HEAD);
    p.x[0][START_X] = NAN;
    CHECK_INT(ri_plan_read(&p.source, p.values, p.list), 0);
    close_plan(&p);
}

TEST(the_goal_is_the_waypoint_that_the_rover_turns_to_or_drives_to)
{
    Planned p;
    if (!open_plan(&p, 1))
        return;
    double *x = p.x[0];
    x[COUNT] = 2.0;
    for (int k = 0; k < 4; k++)
        x[X1 + k] = 10.0 + k;
    const struct {
        double phase, twist_x, next;
        int goal, driving;
    } cases[] = {{0, 0, 0, 0, 0}, {0, 0, 1, 1, 1}, {1, 0, 1, 1, 1}, {2, 1, 2, 1, 1},
                 {2, 0, 2, 2, 1}, {2, 1, 3, 2, 1}, {0, 1, 0, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        x[PHASE] = cases[k].phase;
        x[TWIST_X] = cases[k].twist_x;
        x[NEXT] = cases[k].next;
        CHECK_INT(ri_plan_read(&p.source, p.values, p.list), RI_PLAN_HEAD + 4);
        CHECK_INT((int)p.list[1], cases[k].goal);
        CHECK_INT((int)p.list[0], cases[k].driving);
        CHECK_CLOSE((double)p.list[RI_PLAN_HEAD + 3], 13.0, 0.0);
    }
    x[COUNT] = 1e9; // more than there are
    CHECK_INT(ri_plan_read(&p.source, p.values, p.list), RI_PLAN_HEAD + 2 * RI_PLAN_WAYPOINTS);
    close_plan(&p);
}

TEST(many_rovers_fit_and_what_lacks_a_value_is_no_rover)
{
    Planned p;
    if (!open_plan(&p, 6))
        return;
    CHECK_INT(p.source.count, RI_PLAN_ROVERS);
    for (int d = 0; d < 6; d++) {
        begin(p.x[d], 1.0, 0.0, 0.1, 1.0);
        p.x[d][COUNT] = 8.0;
    }
    const int count = ri_plan_read(&p.source, p.values, p.list);
    CHECK_INT(count, RI_PLAN_NUMBERS);
    CHECK(ri_plan_check(p.list, count));
    close_plan(&p);
    RiContext *ctx;
    RiValues *values;
    double x = 0.0;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_values_create(ctx, &values));
    RiValue v = ri_value_default();
    v.name = "other.next_waypoint";
    v.doc = "";
    v.at = &x;
    REQUIRE_OK(ctx, ri_values_add(values, &v));
    ri_plan_find(&p.source, values);
    CHECK_INT(p.source.count, 0);
    ri_values_destroy(values);
    ri_context_destroy(ctx);
}

TEST(lists_that_are_no_plan_are_refused)
{
    static const struct {
        int count;
        float list[10];
    } bad[] = {{1, {1}},
               {3, {1, 0, 0}},
               {4, {2, 0, 0, 0}},
               {4, {1, 1, 0, 0}},
               {4, {1, 0, 0, 9}},
               {4, {1, 0, 1, 0}},
               {4, {1, 0, 1e9f, 0}},
               {4, {NAN, 0, 0, 0}},
               {4, {1, 0, -1, 0}},
               {4, {1, 0, 0.5f, 0}},
               {6, {1, 1, 0, 1, 5, NAN}},
               {5, {1, 1, 0, 1, 5}},
               {7, {1, 1, 0, 1, 5, 6, 1}}};
    CHECK(ri_plan_check(NULL, 0));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        CHECK(!ri_plan_check(bad[k].list, bad[k].count));
    static const float good[12] = {1, 1, 0, 1, 5, 6, 0, 0, 1, 0, 7, 8};
    CHECK(ri_plan_check(good, 12));
}

/// The arc of scenes/drive_arc.yaml, as the scene says it: 3 m along a radius of 4 m to the left.
TEST(the_arc_of_a_scene_is_planned_as_it_was_commanded)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    RiPlanSource source;
    float list[RI_PLAN_NUMBERS];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_scene_load(ctx, RILLE_SOURCE_DIR "/scenes/drive_arc.yaml", NULL, &scene));
    REQUIRE_OK(ctx, ri_scene_build(scene));
    RiSim *sim = ri_scene_sim(scene);
    ri_plan_find(&source, ri_sim_values(sim));
    CHECK_INT(source.count, 1);
    while (ri_sim_time(sim) < 1.0)
        REQUIRE_OK(ctx, ri_sim_step(sim));
    CHECK_INT(ri_plan_read(&source, ri_sim_values(sim), list), RI_PLAN_HEAD + 2 * RI_PLAN_PLACES);
    const float *first = list + RI_PLAN_HEAD, *last = first + 2 * (RI_PLAN_PLACES - 1);
    CHECK_CLOSE((double)(last[0] - first[0]), 4.0 * sin(0.75), 2e-3);
    CHECK_CLOSE((double)(last[1] - first[1]), 4.0 * (1.0 - cos(0.75)), 2e-3);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

/// Writes a plan that changes once into a log.
static RiStatus write_log(RiContext *ctx, const char *path, double x[][RI_PLAN_VALUES], int rovers)
{
    RiRecord *r = NULL;
    RiPlanLog *log = NULL;
    RiValues *values = NULL;
    RiStatus status = make_values(ctx, x, rovers, &values);
    if (status == RI_OK)
        status = ri_record_create(ctx, path, NULL, &r);
    if (status == RI_OK)
        status = ri_plan_log_create(ctx, r, values, &log);
    for (int k = 0; k < 100 && status == RI_OK && log; k++) {
        if (k == 50)
            begin(x[0], 1.0, 0.0, 0.0, 2.0);
        status = ri_plan_log_write(log, 0.1 * k);
    }
    if (status == RI_OK)
        status = ri_record_close(r);
    ri_plan_log_destroy(log);
    ri_record_destroy(r);
    ri_values_destroy(values);
    return status;
}

TEST(a_log_has_the_plan_of_every_time_and_one_without_rovers_has_no_channel)
{
    static const char path[] = RILLE_BINARY_DIR "/plan.mcap";
    RiContext *ctx;
    RiLog *log;
    double x[1][RI_PLAN_VALUES] = {{0}};
    float list[RI_PLAN_NUMBERS];
    int count;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, write_log(ctx, path, x, 1));
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK_OK(ctx, ri_log_read_numbers(log, "/plan", 4.9, RI_PLAN_NUMBERS, list, &count));
    CHECK_INT(count, RI_PLAN_HEAD);
    CHECK_OK(ctx, ri_log_read_numbers(log, "/plan", 9.0, RI_PLAN_NUMBERS, list, &count));
    CHECK_INT(count, RI_PLAN_HEAD + 4);
    CHECK_CLOSE((double)list[RI_PLAN_HEAD + 3], 4.0, 1e-6); // 3 + 2 sin(30 deg)
    ri_log_close(log);
    REQUIRE_OK(ctx, write_log(ctx, path, x, 0));
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK(!ri_log_has_numbers(log, "/plan"));
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(every_failed_allocation_is_told_and_leaves_nothing_behind)
{
    RiStatus status = RI_ERR_MEMORY;
    int failures = 0;
    for (long n = 0; n < 400 && status != RI_OK; n++) {
        Faults f = {.fail_at = -1};
        const RiAllocator memory = faults_allocator(&f);
        double x[1][RI_PLAN_VALUES] = {{0}};
        RiContext *ctx;
        REQUIRE(ri_context_create(&memory, &ctx) == RI_OK);
        f.fail_at = f.call + n;
        status = write_log(ctx, RILLE_BINARY_DIR "/plan_fault.mcap", x, 1);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        failures += status != RI_OK;
        ri_context_destroy(ctx);
        CHECK_INT(f.live, 0);
    }
    CHECK(status == RI_OK);
    CHECK(failures > 5);
}

TEST_MAIN(CASE(places_of_a_motion_are_those_that_its_twist_drives_to),
          CASE(the_goal_is_the_waypoint_that_the_rover_turns_to_or_drives_to),
          CASE(many_rovers_fit_and_what_lacks_a_value_is_no_rover), CASE(lists_that_are_no_plan_are_refused),
          CASE(the_arc_of_a_scene_is_planned_as_it_was_commanded),
          CASE(a_log_has_the_plan_of_every_time_and_one_without_rovers_has_no_channel),
          CASE(every_failed_allocation_is_told_and_leaves_nothing_behind))
