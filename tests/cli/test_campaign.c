// SPDX-License-Identifier: Apache-2.0
#define SCRATCH RILLE_BINARY_DIR "/test_campaign"
#include <rille/status.h>

#include "check.h"
#include "cli/run.h"
#include "study/campaign/store.h"

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
    run_free(&r);
    r = RUN("campaign", "replay", STORE, "12");
    CHECK_INT(r.code, 2);
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
    Run r = RUN("campaign", "run", plan, "--store", SCRATCH "/hang.db", "-q");
    CHECK_INT(r.code, 1);
    CHECK(strstr(r.out, "hung: timeout") != NULL);
    run_free(&r);
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
                "results:\n  t: {value: time, when: 'time > 5 s'}\n");
    r = RUN("campaign", "run", plan, "--store", SCRATCH "/never.db", "-q");
    CHECK_INT(r.code, 1);
    CHECK(strstr(r.err, "never.yaml:6: result 't'") != NULL);
    run_free(&r);
    r = RUN("campaign", "run", file("line.yaml", "campaign: x\nscene: pendulum\nresults: {a: b.c}\n"), "--store",
            SCRATCH "/never.db");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "line.yaml:3:") != NULL);
    run_free(&r);
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

TEST_MAIN(CASE(a_campaign_runs_and_its_table_does_not_depend_on_the_workers), CASE(a_run_is_replayed_bit_for_bit),
          CASE(the_report_says_what_the_table_holds), CASE(a_changed_file_is_refused_and_nothing_is_lost),
          CASE(an_extended_campaign_keeps_its_runs),
          CASE(a_hanging_run_is_recorded_with_its_checkpoint_and_the_rest_goes_on),
          CASE(runs_that_are_refused_or_never_trigger_show_in_the_exit_code), CASE(a_sweep_gives_table_csv_and_plot),
          CASE(search_finds_the_edge_of_the_box))
