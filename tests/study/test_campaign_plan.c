// SPDX-License-Identifier: Apache-2.0
#include <rille/study/collect.h>
#include <rille/study/plan.h>

#include "check.h"

#define HEAD "campaign: c\nscene: s\n"
#define TAIL "results:\n  x: time\n"

static RiContext *ctx;

static RiStatus parse(const char *text, RiCampaignPlan **out)
{
    return ri_campaign_parse(ctx, "c.yaml", text, strlen(text), out);
}

static void refuse(const char *text, const char *part)
{
    RiCampaignPlan *p = NULL;
    CHECK_ERROR(ctx, parse(text, &p) == RI_OK ? RI_OK : RI_ERR_FORMAT, RI_ERR_FORMAT, part);
    CHECK(p == NULL);
    ri_campaign_destroy(p);
}

TEST(bad_files_are_refused_with_line_and_reason)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    refuse(HEAD "dispersions:\n  a: {normal: [0, -1]}\n" TAIL, "c.yaml:4:");
    refuse(HEAD "dispersions:\n  a: {normal: [0, -1]}\n" TAIL, "standard deviation must be greater than 0");
    refuse(HEAD "dispersions:\n  a: {uniform: [3, 1]}\n" TAIL, "greater than the first");
    refuse(HEAD "dispersions:\n  a: {uniform: [0, 1], normal: [0, 1]}\n" TAIL, "one distribution");
    refuse(HEAD "dispersions:\n  a: {}\n" TAIL, "a distribution is missing");
    refuse(HEAD "dispersions:\n  a: {uniform: [0, 1]}\n  a: {uniform: [0, 1]}\n" TAIL, "c.yaml:5:");
    refuse(HEAD "dispersions:\n  a: {uniform: [0, 1]}\n  b: {uniform: [0, 1]}\n  c: {uniform: [0, 1]}\n"
                "correlations:\n  - {between: [a, b], rho: 0.9}\n  - {between: [b, c], rho: 0.9}\n"
                "  - {between: [a, c], rho: -0.9}\n" TAIL,
           "not positive definite");
    refuse(HEAD "dispersions:\n  a: {uniform: [0, 1]}\ncorrelations:\n  - {between: [a, z], rho: 0.9}\n" TAIL,
           "'z' is not dispersed");
    refuse(HEAD "dispersions:\n  a: {uniform: [0, 1]}\ncorrelations:\n  - {between: [a, a], rho: 1.5}\n" TAIL, "rho");
    refuse(HEAD "results:\n  x: time\n  x: time\n", "c.yaml:5:");
    refuse(HEAD "results:\n  \"x'; DROP TABLE run; --\": time\n", "is not a name");
    refuse(HEAD "results:\n  x: {value: time, when: '1 > 2'}\n", "never true");
    refuse(HEAD "results:\n  x: {value: time, take: quantile}\n", "quantile");
    refuse(HEAD "results:\n  x: {value: time, take: biggest}\n", "biggest");
    refuse(HEAD "success: y < 1\n" TAIL, "y");
    refuse(HEAD "runs: 7\nsampling: saltelli\ndispersions:\n  a: {uniform: [0, 1]}\n" TAIL, "take 9");
    refuse(HEAD "sampling: grid\ndispersions:\n  a: {uniform: [0, 1]}\n" TAIL, "a grid needs");
    refuse(HEAD "stages:\n  - {set: {a: 1}}\n" TAIL, "a stage has 'at'");
    refuse(HEAD "set: {a: 1}\ndispersions:\n  a: {uniform: [0, 1]}\n" TAIL, "is dispersed, too");
    refuse(HEAD "stop: {width: 2}\n" TAIL, "between 0 and 1");
    refuse(HEAD TAIL "stop: {mean: {y: 1}}\n", "'y' is not a result");
    refuse(HEAD TAIL "stop: {mean: {x: 0 s}}\n", "greater than 0");
    refuse(HEAD TAIL "stop: {mean: 0.1}\n", "mapping");
    refuse(HEAD "results: {x: {value: time, take: series}}\nstop: {mean: {x: 1}}\n", "is a series");
    refuse(HEAD "bogus: 1\n" TAIL, "bogus");
    refuse("scene: s\n" TAIL, "campaign");
    ri_context_destroy(ctx);
}

TEST(samples_are_settings_with_units_and_words)
{
    RiCampaignPlan *p;
    RiSample samples[3];
    RiSetting settings[256];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, parse(HEAD "sampling: grid\nset: {duration: 1 s}\nstages:\n  - {at: build, set: {tick: 1 ms}}\n"
                               "dispersions:\n  a: {grid: [10 deg, 30 deg, 10 deg]}\n  b: {list: [x, 'y z']}\n" TAIL,
                          &p));
    CHECK_INT(p->runs, 6);
    ri_campaign_sample(p, 3, samples);
    CHECK_CLOSE(samples[0].x, 20 * 3.14159265358979 / 180, 1e-12);
    CHECK(strcmp(samples[1].value, "y z") == 0);
    CHECK_INT(ri_campaign_settings(p, samples, settings), 4);
    CHECK(strcmp(settings[1].name, "tick") == 0 && strcmp(settings[3].value, "y z") == 0);
    CHECK_ERROR(ctx, ri_campaign_extend(p, 6), RI_ERR_ARGUMENT, "cannot be extended");
    ri_campaign_destroy(p);
    ri_context_destroy(ctx);
}

TEST(success_is_an_expression_of_results)
{
    RiCampaignPlan *p;
    bool success;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, parse(HEAD "success: 'a.b < 1 && c > 2'\nresults:\n  a.b: time\n  c: time\n", &p));
    CHECK_OK(ctx, ri_campaign_success(p, (const double[]){0.5, 3.0}, &success));
    CHECK(success);
    CHECK_OK(ctx, ri_campaign_success(p, (const double[]){1.5, 3.0}, &success));
    CHECK(!success);
    CHECK_OK(ctx, ri_campaign_success(p, (const double[]){0.5, NAN}, &success)); // what was not seen is no success
    CHECK(!success);
    ri_campaign_destroy(p);
    ri_context_destroy(ctx);
}

static const RiRunPlaces places = {.scene = RILLE_SOURCE_DIR "/scenes/pendulum.yaml"};
#define PENDULUM "campaign: c\nscene: pendulum\nset: {duration: 0.5 s, start: 90 deg}\n"

static RiStatus run_one(const char *text, RiOutcome *out)
{
    RiCampaignPlan *p;
    RI_TRY(parse(text, &p));
    const RiStatus status = ri_run_all(ctx, p, &places, 0, NULL, NULL, NULL, out);
    ri_campaign_destroy(p);
    return status;
}

TEST(results_are_taken_as_their_names_say)
{
    RiOutcome o;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, run_one(PENDULUM "results:\n"
                                     "  last: time\n"
                                     "  first: {value: time, take: first, when: 'time >= 0.1 s'}\n"
                                     "  max: {value: time, take: max, when: 'time < 0.3 s'}\n"
                                     "  mean: {value: time, take: mean}\n"
                                     "  median: {value: time, take: quantile, quantile: 0.5}\n"
                                     "  when: {value: 'time > 0.2005 s', take: first_time}\n"
                                     "  long: {value: 'time > 0.2505 s', take: duration}\n"
                                     "  never: {value: time, when: 'time > 9 s'}\n"
                                     "  series: {value: time, take: series, rate: 10 Hz}\n"
                                     "  slowest: min(hinge_*.velocity)\n",
                            &o));
    CHECK_INT(o.status, RI_RUN_DONE);
    CHECK_CLOSE(o.values[0].value, 0.5, 1e-9);
    CHECK_CLOSE(o.values[1].value, 0.1, 1e-9);
    CHECK_CLOSE(o.values[2].value, 0.299, 1e-9);
    CHECK_CLOSE(o.values[3].value, 0.25, 1e-9);
    CHECK_CLOSE(o.values[4].value, 0.25, 1e-9);
    CHECK_CLOSE(o.values[5].value, 0.201, 1e-9);
    CHECK_CLOSE(o.values[6].value, 0.25, 1e-9);
    CHECK(isnan(o.values[7].value));
    CHECK_CLOSE(o.values[8].value, 6, 0);
    CHECK_INT(o.series_count, 1);
    CHECK_CLOSE(o.series[0].pairs[10], 0.5, 1e-9);
    CHECK(o.values[9].value < 0.0);
    CHECK(o.success && o.hash != 0);
    ri_outcome_free(ctx, &o);
    ri_context_destroy(ctx);
}

TEST(stage_commands_act_at_their_stages)
{
    RiOutcome plain, o;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, run_one(PENDULUM "results: {g: {value: gravity.z, take: series, rate: 10 Hz}}\n", &plain));
    REQUIRE_OK(ctx, run_one(PENDULUM
                            "stages:\n  - {at: start, set: {gravity.z: -1}}\n  - {at: 0.15 s, set: {gravity.z: -2}}\n"
                            "  - {when: 'time > 0.2505 s', set: {gravity.z: -3}}\n  - {at: end, set: {gravity.z: -4}}\n"
                            "results: {g: {value: gravity.z, take: series, rate: 10 Hz}, last: gravity.z}\n",
                            &o));
    const double want[] = {-1, -1, -2, -3, -3, -3};
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(o.series[0].pairs[2 * i + 1], want[i], 1e-12);
    CHECK_CLOSE(o.values[1].value, -4, 1e-12);
    CHECK(o.hash != plain.hash);
    ri_outcome_free(ctx, &o);
    ri_outcome_free(ctx, &plain);
    ri_context_destroy(ctx);
}

TEST(names_that_do_not_exist_are_told_with_the_line)
{
    RiOutcome o;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_ERROR(ctx, run_one(PENDULUM "results:\n  a: hinge_1.positon\n", &o), RI_ERR_NOT_FOUND, "c.yaml:5:");
    CHECK_ERROR(ctx, run_one(PENDULUM "results:\n  a: max(nothing.*)\n", &o), RI_ERR_NOT_FOUND, "no value matches");
    CHECK_ERROR(ctx, run_one(PENDULUM "stages:\n  - {at: start, set: {hinge_9.command: 1}}\n" TAIL, &o),
                RI_ERR_NOT_FOUND, "c.yaml:5:");
    CHECK_ERROR(ctx, run_one(PENDULUM "stages:\n  - {at: 9 s, set: {gravity.z: 1}}\n" TAIL, &o), RI_ERR_FORMAT,
                "after the end");
    // The program opens run 0 before it starts any: there this ends with exit code 2.
    CHECK_OK(ctx, run_one("campaign: c\nscene: p\ndispersions:\n  strat: {uniform: [0, 1]}\n" TAIL, &o));
    CHECK_INT(o.status, RI_RUN_REFUSED);
    CHECK(strncmp(o.detail, "c.yaml:4:", 9) == 0);
    ri_outcome_free(ctx, &o);
    ri_context_destroy(ctx);
}

TEST(equal_samples_give_equal_bits)
{
    RiOutcome a, b;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, run_one(PENDULUM TAIL, &a));
    REQUIRE_OK(ctx, run_one(PENDULUM TAIL, &b));
    CHECK(a.hash == b.hash);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(bad_files_are_refused_with_line_and_reason), CASE(samples_are_settings_with_units_and_words),
          CASE(success_is_an_expression_of_results), CASE(results_are_taken_as_their_names_say),
          CASE(stage_commands_act_at_their_stages), CASE(names_that_do_not_exist_are_told_with_the_line),
          CASE(equal_samples_give_equal_bits))
