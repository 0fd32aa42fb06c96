// SPDX-License-Identifier: Apache-2.0
// The same claims on SQLite and, where a server can be started, on PostgreSQL.
#include <pthread.h>
#include <pwd.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rille/study/store.h>

#include "check.h"
#include "study/campaign/db.h"

static const char plan_text[] =
    "campaign: \"it's; DROP TABLE run; --\"\nscene: s\nruns: 10\ndispersions:\n  a: {uniform: [0, 1]}\n"
    "results:\n  x: time\n  y: time\nstop: {failures: 3, least: 4}\n";

static RiContext *ctx;
static RiCampaignPlan *plan;
static char url[600], folder[] = "/tmp/rille-store-XXXXXX";

static RiStore *open_store(void)
{
    RiStore *s = NULL;
    CHECK_OK(ctx, ri_store_open(ctx, url, true, &s));
    if (s)
        CHECK_OK(ctx, ri_store_enter(s, plan, "/nowhere/s.yaml", 7));
    return s;
}

static RiOutcome outcome(double x, bool success)
{
    RiOutcome o = {.status = RI_RUN_DONE, .success = success, .hash = 0xfedcba9876543210ull, .time = 1.0, .wall = 0.1};
    strcpy(o.reason, "duration");
    for (int i = 0; i < RI_CAMPAIGN_RESULTS; i++)
        o.values[i] = (RiCollected){i ? NAN : x, i ? NAN : 1.0};
    return o;
}

static void a_run_is_leased_once_and_stored_whole(RiStore *a, RiStore *b)
{
    RiLease la[16], lb[16];
    int na, nb;
    bool kept;
    REQUIRE_OK(ctx, ri_store_lease(a, 6, la, &na));
    REQUIRE_OK(ctx, ri_store_lease(b, 16, lb, &nb));
    CHECK_INT(na, 6);
    CHECK_INT(nb, 4);
    for (int i = 0; i < na; i++)
        for (int k = 0; k < nb; k++)
            CHECK(la[i].run != lb[k].run);
    for (int i = 0; i < na; i++) {
        const RiOutcome o = outcome(la[i].run, la[i].run != 3);
        CHECK_OK(ctx, ri_store_finish(a, plan, la[i], &o, i ? NULL : "checkpoint", "bytes\0with zero", 15, &kept));
        CHECK(kept);
        CHECK_OK(ctx, ri_store_finish(a, plan, la[i], &o, NULL, NULL, 0, &kept)); // twice: nothing happens
        CHECK(!kept);
    }
    const RiOutcome o = outcome(99, true);
    CHECK_OK(ctx, ri_store_release(b, b->worker));
    CHECK_OK(ctx, ri_store_finish(b, plan, lb[0], &o, NULL, NULL, 0, &kept)); // the lease is given back
    CHECK(!kept);
    RiStoreCounts n;
    CHECK_OK(ctx, ri_store_counts(a, &n));
    CHECK_INT(n.runs[RI_RUN_DONE], 6);
    CHECK_INT(n.runs[RI_RUN_WAITING], 4);
    CHECK_INT(n.success, 5);
}

static void an_expired_lease_is_taken_over_and_the_first_holder_loses(RiStore *a, RiStore *b)
{
    RiLease la[16], lb[16];
    int na, nb;
    bool kept;
    a->lease = -5.0; // over at once, as after a clock that jumped forward
    REQUIRE_OK(ctx, ri_store_lease(a, 2, la, &na));
    REQUIRE_OK(ctx, ri_store_lease(b, 2, lb, &nb));
    CHECK_INT(nb, 2);
    CHECK_INT(lb[0].run, la[0].run);
    const RiOutcome o = outcome(1, true);
    CHECK_OK(ctx, ri_store_finish(a, plan, la[0], &o, NULL, NULL, 0, &kept));
    CHECK(!kept);
    CHECK_OK(ctx, ri_store_finish(b, plan, lb[0], &o, NULL, NULL, 0, &kept));
    CHECK(kept);
    a->lease = 1e6; // given by a clock that has jumped back since
    CHECK_OK(ctx, ri_store_release(b, NULL));
    REQUIRE_OK(ctx, ri_store_lease(a, 9, la, &na));
    CHECK_INT(na, 3);
    REQUIRE_OK(ctx, ri_store_lease(b, 9, lb, &nb));
    CHECK_INT(nb, 3);
    for (int i = 0; i < nb; i++)
        CHECK_OK(ctx, ri_store_finish(b, plan, lb[i], &o, NULL, NULL, 0, &kept));
    a->lease = 30.0;
}

static void the_table_has_what_was_stored(RiStore *s)
{
    RiTable t;
    void *bytes;
    size_t size;
    REQUIRE_OK(ctx, ri_store_table(s, plan, &t));
    CHECK_INT(t.count, 10);
    CHECK_CLOSE(t.values[2], 2.0, 0.0);
    CHECK(isnan(t.values[10 + 2]));
    CHECK(t.runs[2].hash == 0xfedcba9876543210ull && t.runs[2].success && !t.runs[3].success);
    CHECK_INT(t.reason_count, 1);
    ri_table_free(&t);
    RiStoreMoments m[RI_CAMPAIGN_RESULTS];
    CHECK_OK(ctx, ri_store_moments(s, plan, m));
    CHECK_INT(m[0].count, 10); // runs 0 to 5 have their numbers, the other four 1
    CHECK_CLOSE(m[0].mean, 1.9, 1e-15);
    CHECK_CLOSE(m[0].least, 0.0, 0.0);
    CHECK_CLOSE(m[0].greatest, 5.0, 0.0);
    CHECK(m[1].count == 0 && isnan(m[1].mean) && isnan(m[1].least)); // never collected
    REQUIRE_OK(ctx, ri_store_artefact(s, 0, "checkpoint", &bytes, &size));
    CHECK_INT(size, 15);
    CHECK(memcmp(bytes, "bytes\0with zero", 15) == 0);
    ri_release(ctx, bytes);
    CHECK_ERROR(ctx, ri_store_artefact(s, 1, "checkpoint", &bytes, &size), RI_ERR_NOT_FOUND, "no artefact");
}

static void extension_and_stop_rules_keep_what_is_there(RiStore *s)
{
    int stopped;
    CHECK_OK(ctx, ri_store_stop(s, plan, &stopped));
    CHECK_INT(stopped, -1); // one failure so far, three are needed
    RiCampaignPlan *again;
    char *scene;
    REQUIRE_OK(ctx, ri_store_plan(s, &again, &scene));
    CHECK(strcmp(again->name, plan->name) == 0 && strcmp(scene, "/nowhere/s.yaml") == 0);
    CHECK_OK(ctx, ri_store_extend(s, again, 5));
    CHECK_INT(again->runs, 15);
    RiStoreCounts n;
    CHECK_OK(ctx, ri_store_counts(s, &n));
    CHECK_INT(n.total, 15);
    CHECK_INT(n.runs[RI_RUN_WAITING], 5);
    RiLease l[8];
    int count;
    bool kept;
    const RiOutcome bad = outcome(0, false);
    CHECK_OK(ctx, ri_store_lease(s, 8, l, &count));
    for (int i = 0; i < count; i++)
        CHECK_OK(ctx, ri_store_finish(s, again, l[i], &bad, NULL, NULL, 0, &kept));
    CHECK_OK(ctx, ri_store_stop(s, again, &stopped));
    CHECK_INT(stopped, 12); // runs 3, 10 and 11
    CHECK_OK(ctx, ri_store_stop(s, again, &stopped));
    CHECK_INT(stopped, 12); // found again by the look that goes on where the last one ended
    stopped = 0;
    CHECK_OK(ctx, ri_store_apply_stop(s, again, &stopped));
    CHECK_INT(stopped, 12);
    RiTable t;
    REQUIRE_OK(ctx, ri_store_table(s, again, &t));
    CHECK_INT(t.count, 12);
    ri_table_free(&t);
    ri_campaign_destroy(again);
    ri_release(ctx, scene);
}

static RiCampaignPlan *other_plan(const char *text)
{
    RiCampaignPlan *p = NULL;
    CHECK_OK(ctx, ri_campaign_parse(ctx, "other.yaml", text, strlen(text), &p));
    return p;
}

/// Runs 0, 1, 2 ... end with x = k mod 2 and, in the second result, nothing.
static void make_runs(RiStore *s, const RiCampaignPlan *p, int most)
{
    RiLease l[64];
    int count;
    bool kept;
    CHECK_OK(ctx, ri_store_lease(s, most, l, &count));
    for (int i = 0; i < count; i++) {
        const RiOutcome o = outcome(l[i].run % 2, true);
        CHECK_OK(ctx, ri_store_finish(s, p, l[i], &o, NULL, NULL, 0, &kept));
    }
}

static void a_campaign_stops_when_a_mean_is_known(RiStore *s)
{
    RiCampaignPlan *p = other_plan("campaign: mean\nscene: s\nruns: 50\nresults:\n  y: time\n  z: time\n"
                                   "stop: {mean: {y: 0.5}, least: 5}\n");
    int stopped;
    REQUIRE_OK(ctx, ri_store_enter(s, p, "/nowhere/s.yaml", 7));
    // Half zeros, half ones: s^2 = n/(4 (n - 1)), width = 2 t(n - 1) s/sqrt(n): 0.7541 for 10 runs,
    // 0.4801 for 20.
    make_runs(s, p, 19);
    CHECK_OK(ctx, ri_store_stop(s, p, &stopped));
    CHECK_INT(stopped, -1);
    make_runs(s, p, 20);
    CHECK_OK(ctx, ri_store_stop(s, p, &stopped));
    CHECK_INT(stopped, 20);
    ri_campaign_destroy(p);
    p = other_plan("campaign: never\nscene: s\nruns: 50\nresults:\n  y: time\n  z: time\n"
                   "stop: {mean: {y: 0.5, z: 10}}\n");
    REQUIRE_OK(ctx, ri_store_enter(s, p, "/nowhere/s.yaml", 7));
    make_runs(s, p, 50);
    CHECK_OK(ctx, ri_store_stop(s, p, &stopped));
    CHECK_INT(stopped, -1); // z is never collected: its mean is not known, however wide the interval may be
    ri_campaign_destroy(p);
    CHECK_OK(ctx, ri_store_choose(s, plan->name));
}

static void shares_become_smaller_towards_the_end(RiStore *s, RiStore *other)
{
    RiCampaignPlan *p = other_plan("campaign: shares\nscene: s\nruns: 10\nresults:\n  x: time\n");
    static const int shares[] = {3, 2, 2, 1, 1, 1, 0}; // a quarter of those that wait, rounded up
    RiLease l[8];
    int count;
    REQUIRE_OK(ctx, ri_store_enter(s, p, "/nowhere/s.yaml", 7));
    REQUIRE_OK(ctx, ri_store_choose(other, "shares"));
    for (int i = 0; i < 7; i++) {
        REQUIRE_OK(ctx, ri_store_lease_share(i % 2 ? other : s, 8, l, &count));
        CHECK_INT(count, shares[i]);
    }
    ri_campaign_destroy(p);
}

static void runs_that_ended_badly_wait_again_and_leave_nothing_behind(RiStore *s, RiStore *other)
{
    RiCampaignPlan *p = other_plan("campaign: retry\nscene: s\nruns: 8\ndispersions:\n  a: {uniform: [0, 1]}\n"
                                   "results:\n  x: time\n  y: time\nstop: {failures: 2, least: 2}\n");
    static const RiRunStatus bad[] = {RI_RUN_FAILED, RI_RUN_REFUSED, RI_RUN_CRASHED, RI_RUN_HUNG};
    RiLease l[16];
    int count, stopped;
    bool kept;
    long long again;
    RiStoreCounts n;
    void *bytes;
    size_t size;
    REQUIRE_OK(ctx, ri_store_enter(s, p, "/nowhere/s.yaml", 7));
    REQUIRE_OK(ctx, ri_store_choose(other, "retry"));
    REQUIRE_OK(ctx, ri_store_lease(s, 6, l, &count));
    for (int i = 0; i < count; i++) { // 0 and 5 are a success
        RiOutcome o = outcome(1, i == 0 || i == 5);
        o.status = i == 0 || i == 5 ? RI_RUN_DONE : bad[i - 1];
        CHECK_OK(ctx, ri_store_finish(s, p, l[i], &o, i ? "checkpoint" : NULL, "old", 3, &kept));
        if (i == 1) // one failure is seen by the other program
            CHECK_OK(ctx, ri_store_stop(other, p, &stopped));
    }
    CHECK_OK(ctx, ri_store_apply_stop(s, p, &stopped));
    CHECK_INT(stopped, 3);
    CHECK_OK(ctx, ri_store_retry(s, &again));
    CHECK_INT(again, 4);
    CHECK_OK(ctx, ri_store_counts(s, &n));
    CHECK_INT(n.runs[RI_RUN_WAITING], 6); // four again, two that the rule had skipped
    CHECK_INT(n.runs[RI_RUN_DONE], 2);
    CHECK_ERROR(ctx, ri_store_artefact(s, 1, "checkpoint", &bytes, &size), RI_ERR_NOT_FOUND, "no artefact");
    CHECK_OK(ctx, ri_store_stop(s, p, &stopped));
    CHECK_INT(stopped, -1);
    REQUIRE_OK(ctx, ri_store_lease(s, 16, l, &count));
    CHECK_INT(count, 6);
    for (int i = 0; i < count; i++) {
        const RiOutcome o = outcome(7, l[i].run != 2);
        CHECK_OK(ctx, ri_store_finish(s, p, l[i], &o, NULL, NULL, 0, &kept));
        CHECK(kept);
    }
    CHECK_OK(ctx, ri_store_stop(other, p, &stopped)); // it still counts run 1 as a failure, but looks again
    CHECK_INT(stopped, -1);
    CHECK_OK(ctx, ri_store_retry(s, &again));
    CHECK_INT(again, 0);
    RiTable t;
    REQUIRE_OK(ctx, ri_store_table(s, p, &t));
    CHECK_INT(t.count, 8);
    CHECK_CLOSE(t.values[1], 7.0, 0.0);
    CHECK_CLOSE(t.values[5], 1.0, 0.0); // this one was not made again
    ri_table_free(&t);
    ri_campaign_destroy(p);
    CHECK_OK(ctx, ri_store_choose(s, plan->name));
    CHECK_OK(ctx, ri_store_choose(other, plan->name));
}

static void a_changed_campaign_is_refused(RiStore *s)
{
    RiCampaignPlan *other;
    char text[sizeof plan_text + 10];
    snprintf(text, sizeof text, "%s# more\n", plan_text);
    REQUIRE_OK(ctx, ri_campaign_parse(ctx, "c.yaml", text, strlen(text), &other));
    CHECK_ERROR(ctx, ri_store_enter(s, other, "/nowhere/s.yaml", 7), RI_ERR_MODEL, "another text");
    ri_campaign_destroy(other);
    CHECK_ERROR(ctx, ri_store_enter(s, plan, "/nowhere/s.yaml", 8), RI_ERR_MODEL, "scene");
    CHECK_OK(ctx, ri_db_run(s->db, "UPDATE experiment SET version = '0.0.1'", ""));
    CHECK_ERROR(ctx, ri_store_check_version(s), RI_ERR_MODEL, "0.0.1");
    CHECK_ERROR(ctx, ri_store_enter(s, plan, "/nowhere/s.yaml", 7), RI_ERR_MODEL, "0.0.1");
}

static void another_beginning_of_run_0_is_refused(RiStore *s, RiStore *other)
{
    CHECK_OK(ctx, ri_store_check_proof(s, 0)); // not known: nothing is kept
    CHECK_OK(ctx, ri_store_check_proof(s, 5));
    CHECK_OK(ctx, ri_store_check_proof(other, 5));
    CHECK_ERROR(ctx, ri_store_check_proof(other, 6), RI_ERR_MODEL, "does not begin here");
    CHECK_OK(ctx, ri_store_check_proof(other, 0));
    CHECK_OK(ctx, ri_store_check_proof(s, 5));
}

/// Runs and names that were seen, and bytes in all.
typedef struct Seen {
    char text[200];
    size_t bytes;
} Seen;

static RiStatus see(void *user, int run, const char *name, const void *bytes, size_t size)
{
    Seen *seen = user;
    const size_t n = strlen(seen->text);
    snprintf(seen->text + n, sizeof seen->text - n, "%d %s;", run, name);
    seen->bytes += size;
    return size > 0 && !bytes ? RI_ERR_ARGUMENT : RI_OK;
}

static void artefacts_are_given_by_run_and_name(RiStore *s)
{
    double pairs[4] = {0.0, 1.0, 0.5, 2.0};
    RiLease l;
    int n;
    bool kept;
    RiCampaignPlan *now;
    char *scene;
    REQUIRE_OK(ctx, ri_store_plan(s, &now, &scene)); // as extended so far
    ri_release(ctx, scene);
    CHECK_OK(ctx, ri_store_extend(s, now, 1));
    REQUIRE_OK(ctx, ri_store_lease(s, 1, &l, &n));
    REQUIRE(n == 1);
    RiOutcome o = outcome(1.0, true);
    o.series[0] = (RiSeries){.result = 1, .count = 4, .pairs = pairs};
    o.series_count = 1;
    CHECK_OK(ctx, ri_store_finish(s, now, l, &o, "checkpoint", "bytes", 5, &kept));
    ri_campaign_destroy(now);
    Seen all = {"", 0}, series = {"", 0}, none = {"", 0};
    char want[80];
    CHECK_OK(ctx, ri_store_each_artefact(s, l.run, NULL, see, &all));
    snprintf(want, sizeof want, "%d checkpoint;%d y;", l.run, l.run);
    CHECK(strcmp(all.text, want) == 0 && all.bytes == 5 + sizeof pairs);
    CHECK_OK(ctx, ri_store_each_artefact(s, -1, "y", see, &series));
    snprintf(want, sizeof want, "%d y;", l.run);
    CHECK(strcmp(series.text, want) == 0 && series.bytes == sizeof pairs);
    CHECK_OK(ctx, ri_store_each_artefact(s, -1, "y' OR '1'='1", see, &none));
    CHECK(!*none.text);
}

static void schemas_migrate_and_newer_ones_are_refused(RiStore *s)
{
    RiStore *again = NULL;
    CHECK_OK(ctx, ri_db_run(s->db, "ALTER TABLE experiment DROP COLUMN stopped", "")); // as version 1 was
    CHECK_OK(ctx, ri_db_run(s->db, "ALTER TABLE run DROP COLUMN stages", ""));
    CHECK_OK(ctx, ri_db_run(s->db, "ALTER TABLE experiment DROP COLUMN proof", ""));
    CHECK_OK(ctx, ri_db_run(s->db, "UPDATE rille_store SET version = 1", ""));
    CHECK_OK(ctx, ri_store_open(ctx, url, false, &again));
    CHECK_OK(ctx, ri_store_choose(again, plan->name));
    RiTable t;
    CHECK_OK(ctx, ri_store_table(again, plan, &t));
    CHECK(t.runs[0].stages == UINT64_MAX); // not known
    ri_table_free(&t);
    CHECK_OK(ctx, ri_store_check_proof(again, 8)); // an older store knew none
    CHECK_ERROR(ctx, ri_store_check_proof(again, 9), RI_ERR_MODEL, "run 0");
    ri_store_close(again);
    CHECK_OK(ctx, ri_db_run(s->db, "UPDATE rille_store SET version = 99", ""));
    CHECK_ERROR(ctx, ri_store_open(ctx, url, false, &again), RI_ERR_UNSUPPORTED, "version 99");
}

static void all_claims(void)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_campaign_parse(ctx, "c.yaml", plan_text, strlen(plan_text), &plan));
    RiStore *a = open_store(), *b = open_store(); // two coordinators at once
    if (a && b) {
        snprintf(b->worker, sizeof b->worker, "b'; DELETE FROM run; --");
        a_run_is_leased_once_and_stored_whole(a, b);
        an_expired_lease_is_taken_over_and_the_first_holder_loses(a, b);
        the_table_has_what_was_stored(a);
        extension_and_stop_rules_keep_what_is_there(a);
        a_campaign_stops_when_a_mean_is_known(a);
        shares_become_smaller_towards_the_end(a, b);
        runs_that_ended_badly_wait_again_and_leave_nothing_behind(a, b);
        artefacts_are_given_by_run_and_name(a);
        another_beginning_of_run_0_is_refused(a, b);
        a_changed_campaign_is_refused(a);
        schemas_migrate_and_newer_ones_are_refused(a);
    }
    ri_store_close(a);
    ri_store_close(b);
    ri_campaign_destroy(plan);
    ri_context_destroy(ctx);
}

TEST(sqlite_keeps_all_claims)
{
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(url, sizeof url, "%s/s.db", folder);
    all_claims();
}

TEST(what_is_no_store_is_refused_and_left_alone)
{
    RiStore *s = NULL;
    RiDb *db;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    snprintf(url, sizeof url, "%s/text.db", folder);
    FILE *f = fopen(url, "w");
    REQUIRE(f != NULL);
    for (int i = 0; i < 100; i++)
        fputs("this is not a database, it is a letter to somebody\n", f);
    fclose(f);
    CHECK_ERROR(ctx, ri_store_open(ctx, url, true, &s), RI_ERR_FORMAT, "not a store");
    struct stat info;
    CHECK(stat(url, &info) == 0 && info.st_size == 5100);
    snprintf(url, sizeof url, "%s/other.db", folder);
    REQUIRE_OK(ctx, ri_db_open(ctx, url, true, &db));
    CHECK_OK(ctx, ri_db_run(db, "CREATE TABLE accounts (x BIGINT)", ""));
    ri_db_close(db);
    CHECK_ERROR(ctx, ri_store_open(ctx, url, true, &s), RI_ERR_FORMAT, "left alone");
    CHECK_ERROR(ctx, ri_store_open(ctx, "/nowhere/at/all.db", false, &s), RI_ERR_NOT_FOUND, "no such store");
    CHECK(ri_store_open(ctx, "/proc/nothing.db", true, &s) != RI_OK);
    CHECK(ri_store_open(ctx, "postgresql://nobody@127.0.0.1:1/none", true, &s) != RI_OK);
    CHECK(s == NULL);
    ri_context_destroy(ctx);
}

static void *release_later(void *user)
{
    sqlite3_sleep(100);
    return sqlite3_exec(user, "COMMIT", NULL, NULL, NULL) == SQLITE_OK ? user : NULL;
}

TEST(a_new_file_that_another_program_holds_is_waited_for)
{
    RiStore *s = NULL;
    sqlite3 *other = NULL;
    pthread_t thread;
    void *released = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    snprintf(url, sizeof url, "%s/held.db", folder);
    REQUIRE(sqlite3_open(url, &other) == SQLITE_OK); // in rollback mode, as a new file is
    REQUIRE(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK);
    REQUIRE(pthread_create(&thread, NULL, release_later, other) == 0);
    CHECK_OK(ctx, ri_store_open(ctx, url, true, &s));
    CHECK_INT(pthread_join(thread, &released), 0);
    CHECK(released == other);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    ri_store_close(s);
    ri_context_destroy(ctx);
}

static const char server[] = RILLE_SOURCE_DIR "/tests/study/postgres.sh";

TEST(postgresql_keeps_all_claims)
{
    char command[700];
    snprintf(command, sizeof command, "%s up %s/pg >/dev/null 2>&1", server, folder);
    const int code = system(command);
    if (code == -1 || WEXITSTATUS(code) == 77) {
        printf("skip postgresql: no server is installed, or none of its users\n");
        return;
    }
    CHECK_INT(WEXITSTATUS(code), 0);
    snprintf(url, sizeof url, "postgresql:///postgres?host=%s/pg&port=54398&user=sim", folder);
    all_claims();
    snprintf(command, sizeof command, "%s down %s/pg >/dev/null 2>&1", server, folder);
    CHECK_INT(system(command), 0);
}

TEST_MAIN(CASE(sqlite_keeps_all_claims), CASE(what_is_no_store_is_refused_and_left_alone),
          CASE(a_new_file_that_another_program_holds_is_waited_for), CASE(postgresql_keeps_all_claims))
