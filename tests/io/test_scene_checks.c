// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checks of scenes: numbers of a falling mass that can be worked out, places of refusals, equal
/// bits, the file that is saved.
#include "scene.h"

#include <unistd.h>

/// A pendulum at rest, and what time itself tells: every number is known.
#define HEAD                                                                                                           \
    "scene: clock\nrobot: {file: ../robots/pendulum.yaml, set: {rods: 1}}\nduration: 4 s\ntick: 2 ms\n"                \
    "parameters: {half: 2 s}\n"

static RiStatus open_text(const char *text, RiScene **out)
{
    const RiSceneOptions options = {.robot_paths = folders, .robot_path_count = 1};
    *out = NULL;
    RI_TRY(ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), &options, out));
    return ri_scene_build(*out);
}

static void look_to(RiScene *scene, double time)
{
    ri_scene_look(scene);
    while (ri_sim_time(ri_scene_sim(scene)) < time - 1e-9 && ri_sim_step(ri_scene_sim(scene)) == RI_OK)
        ri_scene_look(scene);
}

TEST(a_check_takes_one_number_of_the_run)
{
    static const struct {
        const char *text;
        double value;
        bool seen, passed;
    } rows[] = {
        {"{name: last, value: time, least: 3.9 s}", 4.0, true, true},
        {"{name: mean, value: time, take: mean, from: 1 s, to: 3 s, least: 1 s}", 2.0, true, true},
        {"{name: change, value: 2*time, take: change, from: 1 s, to: \"${1.5*half}\", most: 3.9 s}", 4.0, true, false},
        {"{name: most, value: \"abs(time - ${half})\", take: most, from: 0.5 s, least: 1 s, most: 3 s}", 2.0, true,
         true},
        {"{name: least, value: \"abs(time - 2 s)\", take: least, most: 1 ms}", 0.0, true, true},
        {"{name: share, value: time > 3 s, take: mean, from: 2 s, to: 4 s, least: 0.4, most: 0.6}", 0.5, true, true},
        {"{name: times, value: \"sin(tau*time/(1 s)) > 0.5\", take: times, least: 4, most: 4}", 4.0, true, true},
        {"{name: after the end, value: time, from: 3 s, to: 5 s, least: 0 s}", 4.0, false, false},
        {"{name: no number, value: 1/(time - time), least: 0}", NAN, true, false}};
    enum { ROWS = sizeof rows / sizeof *rows };
    char text[4096] = HEAD "checks:\n";
    for (int i = 0; i < ROWS; i++) {
        strcat(text, "  - ");
        strcat(strcat(text, rows[i].text), "\n");
    }
    RiScene *scene;
    REQUIRE_OK(ctx, open_text(text, &scene));
    CHECK_INT(ri_scene_check_count(scene), ROWS);
    look_to(scene, 4.0);
    for (int i = 0; i < ROWS; i++) {
        const RiSceneCheck c = ri_scene_check(scene, i);
        CHECK(c.seen == rows[i].seen && c.passed == rows[i].passed);
        CHECK(isnan(rows[i].value) ? isnan(c.value) : fabs(c.value - rows[i].value) < 0.006);
        if (c.seen != rows[i].seen || c.passed != rows[i].passed)
            printf("     %s: %g\n", c.name, c.value);
    }
    CHECK(strcmp(ri_scene_check(scene, 0).unit, "s") == 0 && strcmp(ri_scene_check(scene, 5).unit, "") == 0);
    ri_scene_destroy(scene);
}

TEST(a_run_that_stops_between_two_looks_is_seen_to_its_end)
{
    RiScene *scene;
    REQUIRE_OK(ctx,
               open_text(HEAD "stop: time > 1.004 s\nchecks: [{name: end, value: time, least: 1.005 s}]\n", &scene));
    for (RiSim *s = ri_scene_sim(scene); !ri_sim_stopped(s);) {
        REQUIRE_OK(ctx, ri_sim_step(s));
        ri_scene_look(scene);
    }
    CHECK(ri_scene_check(scene, 0).passed);
    ri_scene_destroy(scene);
}

/// What a stop condition ended stays as it is: a check whose time would come later sees that.
TEST(a_run_that_stops_before_the_time_of_a_check_is_judged_by_its_end)
{
    RiScene *scene;
    REQUIRE_OK(ctx, open_text(HEAD "stop: time > 1 s\nchecks:\n  - {name: yes, value: time, from: 2 s, most: 1.1 s}\n"
                                   "  - {name: no, value: time, from: 2 s, least: 2 s}\n"
                                   "  - {name: open, value: time, take: change, from: 2 s, least: 0 s}\n",
                              &scene));
    look_to(scene, 0.5);
    CHECK(!ri_scene_check(scene, 0).seen && !ri_scene_check(scene, 1).seen);
    for (RiSim *s = ri_scene_sim(scene); !ri_sim_stopped(s);) {
        REQUIRE_OK(ctx, ri_sim_step(s));
        ri_scene_look(scene);
    }
    CHECK(ri_scene_check(scene, 0).passed);
    CHECK(ri_scene_check(scene, 1).seen && !ri_scene_check(scene, 1).passed);
    CHECK(!ri_scene_check(scene, 2).seen);
    ri_scene_destroy(scene);
}

TEST(bad_checks_are_refused_by_their_place)
{
    static const struct {
        const char *text, *part;
    } rows[] = {{"checks: 5\n", "test.yaml:6"},
                {"checks: [{value: time, least: 0}]\n", "key 'name' of a check is missing"},
                {"checks: [{name: a, least: 0}]\n", "key 'value' of a check is missing"},
                {"checks: [{name: a, value: time}]\n", "'least', 'most' or both"},
                {"checks: [{name: a, value: tim, least: 0}]\n", "did you mean 'time'"},
                {"checks: [{name: a, value: time, least: 2 kg}]\n", "units do not agree"},
                {"checks: [{name: a, value: time, take: avg, least: 2 s}]\n", "mean"},
                {"checks: [{name: a, value: time, from: 3 s, to: 2 s, least: 2 s}]\n", "the end must come later"},
                {"checks: [{name: a, value: time, from: -3 s, least: 2 s}]\n", "times start at 0"},
                {"checks: [{name: a, value: time, least: 2 s, most: 1 s}]\n", "least 2 is more than most 1"},
                {"checks: [{name: a, value: time, lest: 2 s}]\n", "least"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512] = HEAD;
        RiScene *scene;
        const RiStatus status = open_text(strcat(text, rows[i].text), &scene);
        CHECK(status == RI_ERR_FORMAT || status == RI_ERR_NOT_FOUND);
        if (!strstr(ri_context_message(ctx), rows[i].part))
            CHECK_FAIL("'%s' is not in '%s'", rows[i].part, ri_context_message(ctx));
        CHECK(strstr(ri_context_message(ctx), "test.yaml:6") != NULL);
        ri_scene_destroy(scene);
    }
}

TEST(checks_change_nothing_and_are_saved)
{
    RiScene *plain, *checked, *again = NULL;
    REQUIRE_OK(ctx, open_text(HEAD, &plain));
    REQUIRE_OK(ctx,
               open_text(HEAD "checks: [{name: 'a \"b\"', value: \"hinge_1.position * ${half} / (1 s)\", take: most, "
                              "from: 1 s, to: 3 s, least: 1 deg}]\n",
                         &checked));
    look_to(plain, 3.0);
    look_to(checked, 3.0);
    CHECK(ri_sim_hash(ri_scene_sim(plain)) == ri_sim_hash(ri_scene_sim(checked)));
    char path[] = "/tmp/rille_checks_XXXXXX";
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    close(file);
    const RiSceneOptions options = {.robot_paths = folders, .robot_path_count = 1};
    CHECK_OK(ctx, ri_scene_save(checked, path));
    CHECK_OK(ctx, ri_scene_load(ctx, path, &options, &again));
    if (again)
        CHECK_OK(ctx, ri_scene_build(again));
    if (again && ri_scene_check_count(again) == 1) {
        look_to(again, 3.0);
        const RiSceneCheck a = ri_scene_check(checked, 0), b = ri_scene_check(again, 0);
        CHECK(strcmp(a.name, b.name) == 0 && a.value == b.value && a.least == b.least && a.seen && b.seen);
    } else {
        CHECK_FAIL("the check was not saved");
    }
    unlink(path);
    ri_scene_destroy(plain);
    ri_scene_destroy(checked);
    ri_scene_destroy(again);
}

TEST(every_failed_allocation_is_answered)
{
    fail_allocations("wheel_testbed");
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(a_check_takes_one_number_of_the_run),
                               CASE(a_run_that_stops_between_two_looks_is_seen_to_its_end),
                               CASE(a_run_that_stops_before_the_time_of_a_check_is_judged_by_its_end),
                               CASE(bad_checks_are_refused_by_their_place),
                               CASE(checks_change_nothing_and_are_saved),
                               CASE(every_failed_allocation_is_answered)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
