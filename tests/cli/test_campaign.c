// SPDX-License-Identifier: Apache-2.0
#define SCRATCH RILLE_BINARY_DIR "/test_campaign"
#include <rille/status.h>
#include <rille/study/store.h>

#include "check.h"
#include "cli/run.h"
#include "needs.h"

#define STORE SCRATCH "/c.db"
static const char pendulum[] =
    "campaign: short\nscene: " RILLE_SOURCE_DIR "/scenes/pendulum.yaml\nseed: 3\nruns: 12\n"
    "set: {duration: 0.2 s}\ndispersions:\n  start: {uniform: [60 deg, 120 deg]}\n"
    "results:\n  fastest: max(hinge_*.velocity)\n  end: hinge_1.position\nsuccess: end < 1.5\n";

static void clear(const char *store)
{
    char path[600];
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", store, endings[i]);
        unlink(path);
    }
}

static const char *file(const char *name, const char *text)
{
    static char path[600];
    snprintf(path, sizeof path, SCRATCH "/%s", name);
    if (text)
        write_file(path, text, strlen(text));
    return path;
}

TEST(a_campaign_runs_and_its_table_does_not_depend_on_the_workers)
{
    run_setup();
    clear(STORE);
    clear(SCRATCH "/one.db");
    const char *plan = file("short.yaml", pendulum);
    Run r = RUN("campaign", "run", plan, "--store", STORE, "-q");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "12 of 12 runs finished") != NULL);
    run_free(&r);
    r = RUN("campaign", "run", plan, "--store", SCRATCH "/one.db", "-q", "-j", "1");
    CHECK_INT(r.code, 0);
    run_free(&r);
    Run a = RUN("campaign", "export", STORE), b = RUN("campaign", "export", SCRATCH "/one.db");
    CHECK(strlen(a.out) > 500 && strcmp(a.out, b.out) == 0);
    run_free(&a);
    run_free(&b);
    r = RUN("campaign", "compare", STORE, SCRATCH "/one.db");
    CHECK(strstr(r.out, "12 of 12 runs of both ended in the same bits") != NULL);
    run_free(&r);
}

TEST(a_run_is_replayed_bit_for_bit)
{
    Run r = RUN("campaign", "replay", STORE, "7", "--out", SCRATCH "/run_7");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, ", as stored") != NULL);
    CHECK(access(SCRATCH "/run_7/log.mcap", R_OK) == 0 && access(SCRATCH "/run_7/report.html", R_OK) == 0);
    CHECK(strstr(r.out, "rille view " SCRATCH "/run_7/log.mcap") != NULL);
    run_free(&r);
    r = RUN("campaign", "replay", STORE, "12");
    CHECK_INT(r.code, 2);
    run_free(&r);
}

TEST(the_viewer_opens_the_log_of_a_replay)
{
    NEEDS("view");
    NEEDS_CHROMIUM();
    Run r = RUN("view", SCRATCH "/run_7/log.mcap", "--png", SCRATCH "/run_7.png"); // as replay says
    CHECK_INT(r.code, 0);
    CHECK(access(SCRATCH "/run_7.png", R_OK) == 0);
    run_free(&r);
}

TEST(the_report_says_what_the_table_holds)
{
    Run r = RUN("campaign", "report", STORE, "--json");
    CHECK_INT(r.code, 0);
    CHECK(json_is_valid(r.out));
    CHECK_CLOSE(json_get(r.out, "finished"), 12, 0);
    CHECK_CLOSE(json_get(r.out, "results[0].runs"), 12, 0);
    CHECK(json_get(r.out, "success_exact_95[0]") < json_get(r.out, "success_exact_95[1]"));
    CHECK(json_get(r.out, "results[1].dispersions[0].spearman") > 0.9); // released higher, it is higher after 0.2 s
    run_free(&r);
    r = RUN("campaign", "report", STORE, "--out", SCRATCH "/report.html");
    CHECK_INT(r.code, 0);
    run_free(&r);
    char *page = slurp(SCRATCH "/report.html");
    CHECK(strstr(page, "<svg") && strstr(page, "campaign replay") && !strstr(page, "http"));
    free(page);
    r = RUN("campaign", "worst", STORE, "1", "--by", "fastest", "--least");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "campaign replay") != NULL);
    run_free(&r);
    r = RUN("campaign", "worst", STORE, "1", "--by", "fastes");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "did you mean 'fastest'") != NULL);
    run_free(&r);
}

TEST(a_saltelli_design_gives_indices_and_intervals_of_independent_runs)
{
    clear(SCRATCH "/a b.db");
    // The time at the end is the duration, whatever the start is: indices 1 and 0.
    const char *plan = file("saltelli.yaml", "campaign: it's\nscene: " RILLE_SOURCE_DIR
                                             "/scenes/pendulum.yaml\nsampling: saltelli\nruns: 64\n"
                                             "dispersions:\n  start: {uniform: [60 deg, 120 deg]}\n"
                                             "  duration: {uniform: [0.01 s, 0.11 s]}\n"
                                             "results: {t: time}\nsuccess: t < 0.06\n");
    Run r = RUN("campaign", "run", plan, "--store", SCRATCH "/a b.db", "-q");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "campaign replay '" SCRATCH "/a b.db' ") && strstr(r.out, " --experiment 'it'\\''s'"));
    run_free(&r);
    r = RUN("campaign", "report", SCRATCH "/a b.db", "--json");
    CHECK(json_is_valid(r.out));
    CHECK_CLOSE(json_get(r.out, "finished"), 64, 0);
    CHECK_CLOSE(json_get(r.out, "independent_runs"), 32, 0);
    CHECK_CLOSE(json_get(r.out, "results[0].independent_runs"), 32, 0);
    CHECK_CLOSE(json_get(r.out, "results[0].dispersions[0].first"), 0, 0);
    CHECK_CLOSE(json_get(r.out, "results[0].dispersions[0].total"), 0, 0);
    CHECK_CLOSE(json_get(r.out, "results[0].dispersions[1].first"), 1, 0.3);
    CHECK(json_get(r.out, "results[0].dispersions[1].first_interval[0]") < 1);
    CHECK(json_get(r.out, "results[0].dispersions[1].first_interval[1]") > 1);
    CHECK_CLOSE(json_get(r.out, "results[0].dispersions[1].convergence_first[39]"),
                json_get(r.out, "results[0].dispersions[1].first"), 0);
    CHECK_CLOSE(json_get(r.out, "convergence_success_low[39]"), json_get(r.out, "success_exact_95[0]"), 0);
    CHECK_CLOSE(json_get(r.out, "results[0].convergence_mean[39]"), json_get(r.out, "results[0].mean"), 1e-12);
    const double mean = json_get(r.out, "results[0].mean"),
                 half = json_get(r.out, "results[0].convergence_half_width[39]");
    CHECK_CLOSE(json_get(r.out, "results[0].mean_interval[1]"), mean + half, 1e-12);
    CHECK(strstr(r.out, "\"replay\": \"rille campaign replay '") != NULL);
    run_free(&r);
    r = RUN("campaign", "report", SCRATCH "/a b.db", "--out", SCRATCH "/saltelli.html");
    CHECK_INT(r.code, 0);
    run_free(&r);
    char *page = slurp(SCRATCH "/saltelli.html");
    CHECK(strstr(page, "first-order index") && strstr(page, "complete rows") && strstr(page, "probability of success"));
    CHECK(strstr(page, "of the 32 runs") != NULL);
    free(page);
}

TEST(a_changed_file_is_refused_and_nothing_is_lost)
{
    char text[sizeof pendulum + 20];
    snprintf(text, sizeof text, "%s# changed\n", pendulum);
    Run before = RUN("campaign", "export", STORE);
    Run r = RUN("campaign", "run", file("short.yaml", text), "--store", STORE, "-q");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "another text of this file") != NULL);
    Run after = RUN("campaign", "export", STORE);
    CHECK(strcmp(before.out, after.out) == 0);
    run_free(&before);
    run_free(&after);
    run_free(&r);
}

TEST(an_extended_campaign_keeps_its_runs)
{
    Run before = RUN("campaign", "export", STORE);
    Run r = RUN("campaign", "extend", STORE, "5");
    CHECK_INT(r.code, 0);
    run_free(&r);
    r = RUN("campaign", "resume", STORE, "-q");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "17 of 17") != NULL);
    run_free(&r);
    Run after = RUN("campaign", "export", STORE);
    CHECK(strncmp(before.out, after.out, strlen(before.out)) == 0 && strlen(after.out) > strlen(before.out));
    run_free(&before);
    run_free(&after);
}

TEST(a_hanging_run_is_recorded_with_its_checkpoint_and_the_rest_goes_on)
{
    clear(SCRATCH "/hang.db");
    // Run 1 of 3 lasts 10^6 s.
    const char *plan =
        file("hang.yaml",
             "campaign: hang\nscene: " RILLE_SOURCE_DIR "/scenes/pendulum.yaml\nsampling: grid\ntimeout: 1.5 s\n"
             "dispersions:\n  duration: {list: [0.1 s, 1e6 s, 0.2 s]}\nresults: {t: time}\n");
    // Checkpoints of runs lie in folders of their own below TMPDIR, which are removed.
    const char *was = getenv("TMPDIR");
    char *before = was ? strdup(was) : NULL;
    mkdir(SCRATCH "/temporary", 0755);
    setenv("TMPDIR", SCRATCH "/temporary", 1);
    Run r = RUN("campaign", "run", plan, "--store", SCRATCH "/hang.db", "-q");
    CHECK_INT(r.code, 1);
    CHECK(strstr(r.out, "hung: timeout") != NULL);
    run_free(&r);
    CHECK_INT(rmdir(SCRATCH "/temporary"), 0);
    clear(SCRATCH "/homeless.db");
    r = RUN("campaign", "run", plan, "--store", SCRATCH "/homeless.db", "-q");
    CHECK(r.code == 3 && strstr(r.err, "no folder for a run's checkpoint can be made: No such file"));
    run_free(&r);
    before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR");
    free(before);
    r = RUN("campaign", "status", SCRATCH "/hang.db", "--json");
    CHECK_CLOSE(json_get(r.out, "done"), 2, 0);
    CHECK_CLOSE(json_get(r.out, "hung"), 1, 0);
    run_free(&r);
    RiContext *ctx;
    RiStore *s;
    void *bytes;
    size_t size;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_store_open(ctx, SCRATCH "/hang.db", false, &s));
    CHECK_OK(ctx, ri_store_choose(s, "hang"));
    CHECK_OK(ctx, ri_store_artefact(s, 1, "checkpoint", &bytes, &size));
    CHECK(size > 100);
    ri_release(ctx, bytes);
    ri_store_close(s);
    ri_context_destroy(ctx);
    r = RUN("campaign", "artefacts", SCRATCH "/hang.db", "1", "--out", SCRATCH "/left");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "checkpoint") && strstr(r.out, "rille run " SCRATCH "/left/config.yaml --resume "));
    run_free(&r);
    struct stat written;
    CHECK(stat(SCRATCH "/left/checkpoint", &written) == 0 && (size_t)written.st_size == size);
    r = RUN("run", SCRATCH "/left/config.yaml", "--resume", SCRATCH "/left/checkpoint", "--duration", "0.01", "-q",
            "--out", SCRATCH "/resumed"); // what it says can be done
    CHECK_INT(r.code, 0);
    run_free(&r);
}

TEST(series_are_given_as_tables_and_taken_again_of_any_value)
{
    clear(SCRATCH "/series.db");
    const char *plan =
        file("series.yaml", "campaign: series\nscene: " RILLE_SOURCE_DIR "/scenes/pendulum.yaml\nruns: 3\n"
                            "set: {duration: 0.1 s}\ndispersions:\n  start: {uniform: [60 deg, 120 deg]}\n"
                            "results:\n  end: hinge_1.position\n"
                            "  way: {value: hinge_1.position, take: series, rate: 50 Hz}\n");
    Run r = RUN("campaign", "run", plan, "--store", SCRATCH "/series.db", "-q");
    run_free(&r); // 'way' has no number of its own
    Run table = RUN("campaign", "series", SCRATCH "/series.db", "way");
    CHECK_INT(table.code, 0);
    CHECK(strncmp(table.out, "run,time,way\n0,0,", 17) == 0 && strstr(table.out, "\n2,0,"));
    r = RUN("campaign", "series", SCRATCH "/series.db", "1", "hinge_1.position", "--rate", "50");
    CHECK_INT(r.code, 0); // made again, with the stored hash
    const char *own = strstr(r.out, "\n1,"), *stored = strstr(table.out, "\n1,");
    CHECK(own && stored && strlen(own) > 40 && strncmp(own, stored, strlen(own)) == 0);
    run_free(&r);
    run_free(&table);
    r = RUN("campaign", "series", SCRATCH "/series.db", "1", "max(hinge_*.velocity)", "--out", SCRATCH "/s.parquet");
    CHECK(r.code == 0 && access(SCRATCH "/s.parquet", R_OK) == 0);
    run_free(&r);
    r = RUN("campaign", "series", SCRATCH "/series.db", "end");
    CHECK(r.code == 2 && strstr(r.err, "'end' is no result with 'take: series'"));
    run_free(&r);
    r = RUN("campaign", "series", SCRATCH "/series.db", "1", "hinge_1.positon");
    CHECK(r.code == 2 && strstr(r.err, "hinge_1.position"));
    run_free(&r);
    r = RUN("campaign", "artefacts", SCRATCH "/series.db", "1", "--out", SCRATCH "/left_series");
    CHECK(r.code == 0 && access(SCRATCH "/left_series/way.csv", R_OK) == 0);
    run_free(&r);
}

TEST(a_robot_that_changed_since_is_refused_by_resume_and_worker)
{
    char *robot = slurp(RILLE_SOURCE_DIR "/robots/pendulum.yaml");
    clear(SCRATCH "/proof.db");
    file("swing.yaml", robot);
    const char *plan = file("proof.yaml", "campaign: proof\nscene: " RILLE_SOURCE_DIR "/scenes/pendulum.yaml\nruns: 2\n"
                                          "set: {duration: 0.1 s, robot: " SCRATCH "/swing.yaml}\n"
                                          "dispersions:\n  start: {uniform: [60 deg, 120 deg]}\n"
                                          "results:\n  end: hinge_1.position\n");
    Run r = RUN("campaign", "run", plan, "--store", SCRATCH "/proof.db", "-q");
    CHECK_INT(r.code, 0);
    run_free(&r);
    r = RUN("campaign", "extend", SCRATCH "/proof.db", "2");
    CHECK_INT(r.code, 0);
    run_free(&r);
    char *at = strstr(robot, "length: {value: 1");
    REQUIRE(at != NULL);
    at[strlen("length: {value: 1") - 1] = '2'; // the first parameter of the robot
    file("swing.yaml", robot);
    r = RUN("campaign", "resume", SCRATCH "/proof.db", "-q");
    CHECK(r.code == 2 && strstr(r.err, "run 0 of the campaign does not begin here"));
    run_free(&r);
    r = RUN("campaign", "worker", SCRATCH "/proof.db", "-q");
    CHECK(r.code == 2 && strstr(r.err, "run 0 of the campaign does not begin here"));
    run_free(&r);
    at[strlen("length: {value: 1") - 1] = '1';
    file("swing.yaml", robot);
    free(robot);
    r = RUN("campaign", "resume", SCRATCH "/proof.db", "-q");
    CHECK(r.code == 0 && strstr(r.out, "4 of 4 runs finished"));
    run_free(&r);
}

TEST(runs_that_are_refused_or_never_trigger_show_in_the_exit_code)
{
    clear(SCRATCH "/bad.db");
    const char *plan =
        file("bad.yaml", "campaign: bad\nscene: " RILLE_SOURCE_DIR "/scenes/pendulum.yaml\nsampling: grid\n"
                         "set: {duration: 0.1 s}\ndispersions:\n  robot.length: {list: [1 m, -1 m]}\n"
                         "results:\n  t: time\n");
    Run r = RUN("campaign", "run", plan, "--store", SCRATCH "/bad.db", "-q");
    CHECK_INT(r.code, 1);
    CHECK(strstr(r.out, "refused") != NULL);
    run_free(&r);
    clear(SCRATCH "/never.db");
    plan = file("never.yaml",
                "campaign: never\nscene: " RILLE_SOURCE_DIR "/scenes/pendulum.yaml\nruns: 2\nset: {duration: 0.1 s}\n"
                "stages:\n  - {when: \"hinge_1.position > 30\", set: {gravity.x: 1}}\n"
                "results:\n  t: {value: time, when: 'hinge_1.position > 30'}\n");
    r = RUN("campaign", "run", plan, "--store", SCRATCH "/never.db", "-q");
    CHECK_INT(r.code, 1);
    CHECK(strstr(r.err, "never.yaml:8: result 't'") != NULL);
    CHECK(strstr(r.err, "never.yaml:6: stage command 'gravity.x' was carried out in no run") != NULL);
    run_free(&r);
    clear(SCRATCH "/late.db"); // what can be known before is refused
    plan = file("late.yaml",
                "campaign: late\nscene: " RILLE_SOURCE_DIR "/scenes/pendulum.yaml\nruns: 2\nset: {duration: 0.1 s}\n"
                "results:\n  t: {value: time, when: 'time > 5 s'}\n");
    r = RUN("campaign", "run", plan, "--store", SCRATCH "/late.db", "-q");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "late.yaml:6: trigger of result 't'") != NULL);
    run_free(&r);
    r = RUN("campaign", "run", file("line.yaml", "campaign: x\nscene: pendulum\nresults: {a: b.c}\n"), "--store",
            SCRATCH "/never.db");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "line.yaml:3:") != NULL);
    run_free(&r);
    r = RUN("campaign", "run",
            file("name.yaml",
                 "campaign: x\nscene: pendulum\ndispersions: {strat: {uniform: [0, 1]}}\nresults: {a: time}\n"),
            "--store", SCRATCH "/never.db");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "name.yaml:3:") && strstr(r.err, "did you mean 'start'"));
    run_free(&r);
}

TEST(wrong_words_and_endings_are_told)
{
    static const struct {
        const char *lines, *message;
    } wrong[] = {
        {"timeout: -4 s\n", "wrong.yaml:4:10: key 'timeout': 'timeout' is greater than 0"},
        {"stages:\n  - {at: whenever, set: {gravity.x: 1}}\n",
         "wrong.yaml:5:10: key 'at': 'whenever' is none of build, start, end and a time"},
        {"dispersions: {start: {uniform: [1 m, 2 m]}}\n", "wrong.yaml:4: run 0 cannot be built: "},
    };
    for (int i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text, "campaign: x\nscene: %s\nresults: {t: time}\n%s",
                 RILLE_SOURCE_DIR "/scenes/pendulum.yaml", wrong[i].lines);
        Run r = RUN("campaign", "run", file("wrong.yaml", text), "--store", SCRATCH "/wrong.db", "-q");
        if (r.code != 2 || !strstr(r.err, wrong[i].message))
            CHECK_FAIL("exit code %d, expected 2 with '%s'; it said: %s", r.code, wrong[i].message, r.err);
        run_free(&r);
    }
    Run r = RUN("campaign", "export", STORE, "--out", SCRATCH "/table.xlsx");
    CHECK(r.code == 2 && strstr(r.err, "ends neither in .csv nor in .parquet"));
    CHECK(access(SCRATCH "/table.xlsx", F_OK) != 0);
    run_free(&r);
}

TEST(a_refused_run_is_made_again_when_its_reason_is_gone)
{
    char *robot = slurp(RILLE_SOURCE_DIR "/robots/pendulum.yaml");
    clear(SCRATCH "/retry.db");
    clear(SCRATCH "/whole.db");
    unlink(SCRATCH "/late.yaml");
    const char *plan =
        file("retry.yaml", "campaign: retry\nscene: " RILLE_SOURCE_DIR "/scenes/pendulum.yaml\nsampling: grid\n"
                           "set: {duration: 0.1 s}\ndispersions:\n  robot: {list: [" RILLE_SOURCE_DIR
                           "/robots/pendulum.yaml, " SCRATCH "/late.yaml]}\nresults:\n  end: hinge_1.position\n");
    Run r = RUN("campaign", "run", plan, "--store", SCRATCH "/retry.db", "-q");
    CHECK_INT(r.code, 1);
    CHECK(strstr(r.out, "refused") && strstr(r.out, "there is no robot file"));
    run_free(&r);
    file("late.yaml", robot);
    free(robot);
    r = RUN("campaign", "resume", SCRATCH "/retry.db", "-q");
    CHECK_INT(r.code, 1); // without --retry it stays as it is
    run_free(&r);
    r = RUN("campaign", "resume", SCRATCH "/retry.db", "--retry");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.err, "1 runs that ended badly") && strstr(r.out, "2 of 2 runs finished"));
    run_free(&r);
    r = RUN("campaign", "run", file("retry.yaml", NULL), "--store", SCRATCH "/whole.db", "-q");
    CHECK_INT(r.code, 0);
    run_free(&r);
    Run a = RUN("campaign", "export", SCRATCH "/retry.db"), b = RUN("campaign", "export", SCRATCH "/whole.db");
    CHECK(strlen(a.out) > 100 && strcmp(a.out, b.out) == 0); // the table of an undisturbed campaign
    run_free(&a);
    run_free(&b);
}

TEST(a_sweep_gives_table_csv_and_plot)
{
    Run r = RUN("sweep", "pendulum", "--over", "start=60 deg:100 deg:20 deg,robot.length=1,1.1", "--result",
                "max(hinge_*.velocity)", "--set", "duration=0.2 s", "-q", "--out", SCRATCH "/sweep.csv", "--plot",
                SCRATCH "/sweep.svg");
    CHECK_INT(r.code, 0);
    run_free(&r);
    char *csv = slurp(SCRATCH "/sweep.csv"), *svg = slurp(SCRATCH "/sweep.svg");
    int lines = 0;
    for (const char *c = csv; *c; c++)
        lines += *c == '\n';
    CHECK_INT(lines, 7);
    CHECK(strstr(svg, "<svg") != NULL);
    free(csv);
    free(svg);
    r = RUN("sweep", "pendulum", "--over", "start", "--result", "time");
    CHECK_INT(r.code, 2);
    run_free(&r);
}

TEST(search_finds_the_edge_of_the_box)
{
    // The angle after a short fall rises with the angle of release: the greatest is at the upper
    // end.
    Run r = RUN("campaign", "search", file("short.yaml", pendulum), "--by", "end", "--json", "-q", "--least");
    CHECK_INT(r.code, 0);
    const char *found = json_find(r.out, "point.start");
    CHECK(found && strtod(found + 1, NULL) < 1.15 && strtod(found + 1, NULL) >= 1.047);
    run_free(&r);
}

TEST(the_boundary_of_failure_is_found)
{
    // The time at the end is the duration: 0.08 s is its quantile 0.7.
    const char *plan = file("edge.yaml", "campaign: edge\nscene: " RILLE_SOURCE_DIR "/scenes/pendulum.yaml\n"
                                         "dispersions:\n  duration: {uniform: [0.01 s, 0.11 s]}\nresults: {t: time}\n");
    Run r = RUN("campaign", "boundary", plan, "--by", "0.08 - t", "--json", "-q", "--out", SCRATCH "/edge.csv");
    CHECK_INT(r.code, 0);
    CHECK_CLOSE(json_get(r.out, "probability"), 0.3, 0.02);
    CHECK_CLOSE(json_get(r.out, "distance"), 0.5244, 0.05);
    CHECK_CLOSE(json_get(r.out, "found"), 1, 0);
    run_free(&r);
    char *points = slurp(SCRATCH "/edge.csv");
    CHECK(strncmp(points, "distance,duration\n0.5", 21) == 0);
    free(points);
    r = RUN("campaign", "boundary", plan, "--by", "9 - t", "-q");
    CHECK_INT(r.code, 1);
    CHECK(strstr(r.err, "no boundary was found") != NULL);
    run_free(&r);
}

TEST_MAIN(CASE(a_campaign_runs_and_its_table_does_not_depend_on_the_workers), CASE(a_run_is_replayed_bit_for_bit),
          CASE(the_viewer_opens_the_log_of_a_replay), CASE(the_report_says_what_the_table_holds),
          CASE(a_saltelli_design_gives_indices_and_intervals_of_independent_runs),
          CASE(a_changed_file_is_refused_and_nothing_is_lost), CASE(an_extended_campaign_keeps_its_runs),
          CASE(a_hanging_run_is_recorded_with_its_checkpoint_and_the_rest_goes_on),
          CASE(series_are_given_as_tables_and_taken_again_of_any_value),
          CASE(a_robot_that_changed_since_is_refused_by_resume_and_worker),
          CASE(runs_that_are_refused_or_never_trigger_show_in_the_exit_code), CASE(wrong_words_and_endings_are_told),
          CASE(a_refused_run_is_made_again_when_its_reason_is_gone), CASE(a_sweep_gives_table_csv_and_plot),
          CASE(search_finds_the_edge_of_the_box), CASE(the_boundary_of_failure_is_found))
