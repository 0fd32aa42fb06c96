// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fits against recorded series: known truth comes back within its errors, what cannot be seen is
/// told, the better model wins, posteriors agree.
#include <stdlib.h>
#include <unistd.h>

#include <rille/study/fit_series.h>

#include "check.h"

static RiContext *ctx;
static const RiRunPlaces places = {.scene = RILLE_SOURCE_DIR "/scenes/pendulum.yaml"};

/// A double pendulum that swings a little: periods by length; its mass cancels, and matters only
/// beside damping.
static const char head[] = "campaign: rod\n"
                           "scene: pendulum\n"
                           "runs: 4\n"
                           "set: {duration: 2 s, start: 20 deg, tick: 5 ms}\n";
static const char results[] = "results:\n"
                              "  angle: {value: hinge_1.position, take: series, rate: 20 Hz}\n"
                              "  rate: {value: hinge_1.velocity, take: series, rate: 20 Hz}\n";
static const char plain[] = "dispersions:\n"
                            "  robot.length: {uniform: [0.5 m, 1.5 m]}\n"
                            "  robot.mass: {uniform: [0.5 kg, 2 kg]}\n";
static const char damped[] = "dispersions:\n"
                             "  robot.length: {uniform: [0.5 m, 1.5 m]}\n"
                             "  robot.damping: {uniform: [0 N*m*s/rad, 0.4 N*m*s/rad]}\n";

static RiCampaignPlan *plan_of(const char *dispersions)
{
    char text[1500];
    RiCampaignPlan *plan = NULL;
    snprintf(text, sizeof text, "%s%s%s", head, dispersions, results);
    CHECK_OK(ctx, ri_campaign_parse(ctx, "rod.yaml", text, strlen(text), &plan));
    return plan;
}

static double value_of(const RiCampaignPlan *plan, const double *u, int i)
{
    RiSample samples[RI_DESIGN_DIMENSIONS];
    ri_campaign_map(plan, u, samples);
    return samples[i].x;
}

TEST(known_truth_comes_back_within_its_errors)
{
    RiCampaignPlan *plan = plan_of(damped);
    RiSeriesData data = {.ctx = NULL};
    RiSeriesFit *fit = NULL;
    RiSeriesResult r;
    const double truth[2] = {0.37, 0.6}, sigma[2] = {0.01, 0.03};
    REQUIRE(plan);
    REQUIRE_OK(ctx, ri_series_simulate(ctx, plan, &places, truth, sigma, 7, &data));
    CHECK_INT(data.rows, 41);
    CHECK_INT(data.series, 2);
    REQUIRE_OK(ctx, ri_series_fit_create(ctx, plan, &places, &data, NULL, &fit));
    REQUIRE_OK(ctx, ri_series_fit(fit, &r));
    for (int i = 0; i < 2; i++) {
        CHECK(fabs(r.least.x[i] - truth[i]) < 3.5 * r.least.sd[i]);
        CHECK(r.least.sd[i] < 0.05);
        CHECK(fabs(fit->sigma[i] / sigma[i] - 1.0) < 0.25); // of 60 residuals: 9 % is one standard deviation
    }
    CHECK_INT(r.least.identifiable, 2);
    CHECK_CLOSE(value_of(plan, r.least.x, 0), 0.5 + 0.37, 0.02);
    ri_series_fit_destroy(fit);
    ri_series_data_free(&data);
    ri_campaign_destroy(plan);
}

TEST(what_the_data_cannot_see_is_told)
{
    RiCampaignPlan *plan = plan_of(plain);
    RiSeriesData data = {.ctx = NULL};
    RiSeriesFit *fit = NULL;
    RiSeriesResult r;
    const double truth[2] = {0.37, 0.6}, sigma[2] = {0.01, 0.03};
    REQUIRE(plan);
    REQUIRE_OK(ctx, ri_series_simulate(ctx, plan, &places, truth, sigma, 7, &data));
    REQUIRE_OK(ctx, ri_series_fit_create(ctx, plan, &places, &data, sigma, &fit));
    REQUIRE_OK(ctx, ri_series_fit(fit, &r));
    CHECK_INT(r.least.identifiable, 1);
    CHECK(fabs(r.least.direction[0]) > 0.999); // the strong direction is the length,
    CHECK(fabs(r.least.direction[3]) > 0.999); // the weak one the mass
    CHECK(fabs(r.least.x[0] - truth[0]) < 3.5 * r.least.sd[0]);
    ri_series_fit_destroy(fit);
    ri_series_data_free(&data);
    ri_campaign_destroy(plan);
}

TEST(the_model_with_the_cause_wins)
{
    RiCampaignPlan *with = plan_of(damped), *without = plan_of(plain);
    RiSeriesData data = {.ctx = NULL};
    const RiCampaignPlan *plans[2] = {with, without};
    const double truth[2] = {0.37, 0.6}, sigma[2] = {0.01, 0.03};
    double bic[2] = {0.0, 0.0};
    REQUIRE(with && without);
    REQUIRE_OK(ctx, ri_series_simulate(ctx, with, &places, truth, sigma, 7, &data));
    for (int i = 0; i < 2; i++) {
        RiSeriesFit *fit = NULL;
        RiSeriesResult r;
        REQUIRE_OK(ctx, ri_series_fit_create(ctx, plans[i], &places, &data, NULL, &fit));
        CHECK_OK(ctx, ri_series_fit(fit, &r));
        bic[i] = r.bic;
        ri_series_fit_destroy(fit);
    }
    CHECK(bic[0] < bic[1] - 20.0);
    ri_series_data_free(&data);
    ri_campaign_destroy(with);
    ri_campaign_destroy(without);
}

TEST(chains_agree_with_the_errors_of_least_squares)
{
    RiCampaignPlan *plan = plan_of(damped);
    RiSeriesData data = {.ctx = NULL};
    RiSeriesFit *fit = NULL;
    RiSeriesResult r;
    RiChainsResult chains;
    const double truth[2] = {0.37, 0.6}, sigma[2] = {0.01, 0.03};
    REQUIRE(plan);
    REQUIRE_OK(ctx, ri_series_simulate(ctx, plan, &places, truth, sigma, 7, &data));
    REQUIRE_OK(ctx, ri_series_fit_create(ctx, plan, &places, &data, sigma, &fit));
    REQUIRE_OK(ctx, ri_series_fit(fit, &r));
    const RiChains o = {.n = 2, .steps = 30, .warmup = 10, .start = r.least.x, .sd = r.least.sd, .seed = 3};
    REQUIRE_OK(ctx, ri_chains_sample(ctx, &o, ri_series_density, fit, NULL, &chains));
    for (int i = 0; i < 2; i++) {
        CHECK(chains.r_hat[i] < 1.2);
        CHECK(fabs(chains.sd[i] / r.least.sd[i] - 1.0) <
              0.5); // a problem that is nearly linear; some 50 independent samples
        CHECK(fabs(chains.mean[i] - r.least.x[i]) < r.least.sd[i]);
    }
    ri_series_fit_destroy(fit);
    ri_series_data_free(&data);
    ri_campaign_destroy(plan);
}

/// A density with a wall, bent: some starts and some moves are impossible.
static RiStatus bent(void *user, int n, const double *x, double *out_log)
{
    (void)user, (void)n;
    const double y = x[1] - x[0] * x[0];
    *out_log = x[0] < -0.5 ? -INFINITY : -0.5 * (x[0] * x[0] + 10.0 * y * y);
    return RI_OK;
}

/// The last point first, as a fast worker may have it.
static RiStatus bent_together(void *user, int n, int count, const double *x, double *out_log)
{
    (*(int *)user)++;
    for (int k = count - 1; k >= 0; k--)
        RI_TRY(bent(NULL, n, x + (size_t)(k * n), &out_log[k]));
    return RI_OK;
}

TEST(chains_on_many_processors_have_the_samples_of_one)
{
    const double start[2] = {0.3, 0.2}, sd[2] = {0.8, 0.5};
    static double one[16 * 40 * 2], many[16 * 40 * 2];
    RiChains o = {.n = 2, .steps = 40, .warmup = 5, .start = start, .sd = sd, .seed = 5};
    RiChainsResult a, b;
    int calls = 0;
    REQUIRE(ri_chains_walkers(&o) == 16);
    REQUIRE_OK(ctx, ri_chains_sample(ctx, &o, bent, NULL, one, &a));
    o.many = bent_together;
    REQUIRE_OK(ctx, ri_chains_sample(ctx, &o, NULL, &calls, many, &b));
    CHECK(memcmp(one, many, sizeof one) == 0);
    CHECK(a.evaluations == b.evaluations && a.evaluations > 45 * 16);
    CHECK(calls >= 45 * 2 + 2 && calls < 45 * 2 + 100); // two halves a step; starts behind the wall were drawn again
    for (int k = 0; k < 16 * 40; k++)
        CHECK(one[2 * k] >= -0.5);
}

static void refuse(const char *table, RiStatus status, const char *word)
{
    char path[] = "/tmp/rille_series_XXXXXX.csv";
    const int fd = mkstemps(path, 4);
    RiCampaignPlan *plan = plan_of(damped);
    RiSeriesData data;
    REQUIRE(fd >= 0 && plan);
    CHECK(write(fd, table, strlen(table)) == (ssize_t)strlen(table));
    close(fd);
    CHECK_ERROR(ctx, ri_series_data_load(ctx, plan, path, &data), status, word);
    unlink(path);
    ri_campaign_destroy(plan);
}

TEST(wrong_tables_are_refused_by_line_and_name)
{
    refuse("time,angle\n0,1\n", RI_ERR_FORMAT, "rate");
    refuse("time,angle,rate\n0,1,2\n0,1,2\n", RI_ERR_FORMAT, "not later");
    refuse("time,angle,rate\n0,1,two\n", RI_ERR_FORMAT, ":2");
    refuse("time,angle,rate\n0,inf,2\n", RI_ERR_FORMAT, "finite");
    refuse("time,angle,rate\n0,1,2\n", RI_ERR_FORMAT, "fewer than two rows");
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(known_truth_comes_back_within_its_errors),
        CASE(what_the_data_cannot_see_is_told),
        CASE(the_model_with_the_cause_wins),
        CASE(chains_agree_with_the_errors_of_least_squares),
        CASE(chains_on_many_processors_have_the_samples_of_one),
        CASE(wrong_tables_are_refused_by_line_and_name),
    };
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const int failed = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return failed;
}
