// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille campaign search`, `boundary` and `risk`: runs that are chosen as they come, to find the
/// worst case, the best design, where failure begins, or a small probability.
///
/// A generation is divided among forked evaluators; each makes its runs in guarded children, so
/// that a crash is a point that could not be evaluated.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rille/file.h>
#include <rille/memory.h>
#include <rille/study/search.h>
#include <rille/study/stats.h>

#include "campaign/campaign.h"
#include "json.h"

/// What an evaluator sends for a point.
typedef struct Answer {
    int index;
    double value; ///< NaN: the run did not end well
    bool success;
} Answer;

typedef struct Search {
    Campaign *c;
    const char *expression;
    double sign;   ///< -1: the greatest is looked for
    bool normal;   ///< points are standard normal, not in the unit cube
    bool feasible; ///< success is a constraint
    int evaluators, evaluations, failed;
} Search;

static void map_point(const Search *s, int n, const double *x, RiSample *samples)
{
    double u[RI_DESIGN_DIMENSIONS];
    for (int i = 0; i < n; i++)
        u[i] = s->normal ? fmin(1.0 - 1e-16, fmax(1e-300, ri_normal_cdf(x[i]))) : x[i];
    ri_campaign_map(s->c->plan, u, samples);
}

static void evaluate_one(const Search *s, int n, const double *x, Answer *out)
{
    RiSample samples[RI_DESIGN_DIMENSIONS];
    RiOutcome *o = calloc(1, sizeof *o);
    void *checkpoint = NULL;
    size_t size;
    double values[RI_CAMPAIGN_RESULTS];
    out->value = NAN;
    out->success = false;
    if (!o)
        return;
    map_point(s, n, x, samples);
    if (campaign_run_guarded(s->c, 0, samples, NULL, NULL, o, &checkpoint, &size) == RI_OK &&
        o->status == RI_RUN_DONE) {
        for (int i = 0; i < RI_CAMPAIGN_RESULTS; i++)
            values[i] = o->values[i].value;
        if (ri_campaign_evaluate(s->c->plan, s->expression, 1, values, &out->value) != RI_OK)
            out->value = NAN;
        out->success = o->success;
    }
    ri_outcome_free(s->c->ctx, o);
    ri_release(s->c->ctx, checkpoint);
    free(o);
}

/// Every `evaluators`-th point from `first` on. Never returns.
static void be_evaluator(const Search *s, int n, int count, const double *x, int first, int fd)
{
    for (int k = first; k < count; k += s->evaluators) {
        Answer a = {.index = k};
        evaluate_one(s, n, x + (size_t)(k * n), &a);
        if (write(fd, &a, sizeof a) != (ssize_t)sizeof a) // below PIPE_BUF: whole or not at all
            _exit(CLI_ENVIRONMENT);
    }
    _exit(0);
}

static RiStatus evaluate(void *user, int n, int count, const double *x, double *out_f, double *out_violation)
{
    Search *s = user;
    int ends[2];
    if (campaign_interrupted())
        return ri_error(s->c->ctx, RI_ERR_IO, "interrupted");
    if (pipe(ends) != 0)
        return ri_error(s->c->ctx, RI_ERR_IO, "a pipe cannot be made: %s", strerror(errno));
    for (int k = 0; k < count; k++)
        out_f[k] = NAN;
    fflush(NULL);
    int started = 0;
    for (int e = 0; e < s->evaluators && e < count; e++) {
        const pid_t pid = fork();
        if (pid == 0) {
            close(ends[0]);
            be_evaluator(s, n, count, x, e, ends[1]);
        }
        started += pid > 0;
    }
    close(ends[1]);
    Answer a;
    int heard = 0;
    for (ssize_t got; (got = read(ends[0], &a, sizeof a)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got != (ssize_t)sizeof a)
            break;
        heard++;
        s->failed += isnan(a.value);
        out_f[a.index] = s->sign * a.value;
        if (out_violation)
            out_violation[a.index] = s->feasible && !a.success;
    }
    close(ends[0]);
    for (int e = 0; e < started; e++)
        wait(NULL);
    s->evaluations += heard;
    if (heard < count)
        return ri_error(s->c->ctx, RI_ERR_IO, "an evaluator died: %d of %d points were evaluated", heard, count);
    if (!s->c->args->quiet)
        fprintf(stderr, "%d runs\n", s->evaluations);
    return RI_OK;
}

// ------------------------------------------------------------------------------------------ set-up

/// Loads the file and sees that it can be searched.
static CliExit prepare(Campaign *c, Search *s)
{
    const CampaignArgs *a = c->args;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    CliExit code = campaign_load(c, a->words[0]);
    if (code == CLI_DONE)
        code = campaign_check(c);
    if (code != CLI_DONE)
        return code;
    *s = (Search){.c = c,
                  .expression = a->by                   ? a->by
                                : c->plan->result_count ? c->plan->results[0].name
                                                        : "0",
                  .sign = 1.0,
                  .evaluators = a->workers  ? a->workers
                                : cores > 0 ? (int)cores
                                            : 1};
    double x;
    const RiStatus status = ri_campaign_evaluate(c->plan, s->expression, 1, NULL, &x);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    if (c->plan->design.dimensions < 1 || c->plan->design.dimensions > RI_SEARCH_DIMENSIONS) {
        cli_error("%s: a search needs 1 to %d dispersions", a->words[0], RI_SEARCH_DIMENSIONS);
        return CLI_BAD_INPUT;
    }
    campaign_catch_signals();
    return CLI_DONE;
}

static void print_point(const Search *s, const double *x)
{
    RiSample samples[RI_DESIGN_DIMENSIONS];
    map_point(s, s->c->plan->design.dimensions, x, samples);
    for (int i = 0; i < s->c->plan->design.dimensions; i++)
        printf("  %-28s %s\n", s->c->plan->dispersions[i].name, samples[i].value);
    printf("  rille run %s", s->c->scene_path);
    for (int i = 0; i < s->c->plan->setting_count; i++)
        printf(" --set '%s=%s'", s->c->plan->settings[i].name, s->c->plan->settings[i].value);
    for (int i = 0; i < s->c->plan->design.dimensions; i++)
        printf(" --set '%s=%s'", s->c->plan->dispersions[i].name, samples[i].value);
    printf("\n");
}

static void json_point(Json *j, const Search *s, const double *x)
{
    RiSample samples[RI_DESIGN_DIMENSIONS];
    map_point(s, s->c->plan->design.dimensions, x, samples);
    json_open(j, "point", '{');
    for (int i = 0; i < s->c->plan->design.dimensions; i++)
        json_string(j, s->c->plan->dispersions[i].name, samples[i].value);
    json_close(j, '}');
}

static CliExit search(Search *s)
{
    const int n = s->c->plan->design.dimensions;
    double low[RI_SEARCH_DIMENSIONS], high[RI_SEARCH_DIMENSIONS];
    RiCmaResult r;
    for (int i = 0; i < n; i++) {
        low[i] = 0.001; // within the middle 99.8 % of each dispersion
        high[i] = 0.999;
    }
    s->sign = s->c->args->least ? 1.0 : -1.0;
    s->feasible = s->c->plan->success != NULL;
    const RiCmaOptions o = {.n = n,
                            .low = low,
                            .high = high,
                            .population = s->c->args->samples,
                            .evaluations = s->c->plan->runs,
                            .tolerance = 1e-3,
                            .seed = s->c->plan->design.seed};
    const RiStatus status = ri_cma_minimise(s->c->ctx, &o, evaluate, s, &r);
    if (status != RI_OK)
        return cli_fail(s->c->ctx, status);
    if (!isfinite(r.f)) {
        cli_error("none of %d runs could be evaluated", s->evaluations);
        return CLI_RUN_FAILED;
    }
    const double value = s->sign * r.f;
    if (s->c->args->json) {
        Json j = {.out = stdout};
        json_open(&j, NULL, '{');
        json_string(&j, "expression", s->expression);
        json_number(&j, "value", value);
        json_bool(&j, "feasible", !(r.violation > 0.0));
        json_int(&j, "evaluations", s->evaluations);
        json_int(&j, "not_evaluated", s->failed);
        json_point(&j, s, r.x);
        json_close(&j, '}');
    } else {
        printf("%s %s = %.9g after %d runs (%d could not be evaluated)%s\n", s->c->args->least ? "least" : "greatest",
               s->expression, value, s->evaluations, s->failed, r.violation > 0.0 ? "; no point was a success" : "");
        print_point(s, r.x);
    }
    return r.violation > 0.0 ? CLI_RUN_FAILED : CLI_DONE;
}

int campaign_search(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    Search s;
    campaign_parse(
        argc, argv, "FILE",
        "Searches the values of the dispersions for the greatest (--least: least) value of an expression of results "
        "(--by) by CMA-ES, in at most as many runs as the campaign has. The campaign's 'success' is a constraint.",
        1, 1, &args);
    CliExit code = prepare(&c, &s);
    if (code == CLI_DONE)
        code = search(&s);
    campaign_close(&c);
    return code;
}

static CliExit risk(Search *s)
{
    const RiSubsetOptions o = {.n = s->c->plan->design.dimensions,
                               .samples = s->c->args->samples ? s->c->args->samples : 500,
                               .seed = s->c->plan->design.seed};
    RiSubsetResult r;
    s->normal = true;
    const RiStatus status = ri_subset_probability(s->c->ctx, &o, evaluate, s, &r);
    if (status != RI_OK && status != RI_ERR_NUMERIC)
        return cli_fail(s->c->ctx, status);
    if (s->c->args->json) {
        Json j = {.out = stdout};
        json_open(&j, NULL, '{');
        json_string(&j, "expression", s->expression);
        json_bool(&j, "reached", status == RI_OK);
        json_number(&j, "probability", r.probability);
        json_number(&j, "variation", r.variation);
        json_int(&j, "levels", r.levels);
        json_int(&j, "evaluations", s->evaluations);
        json_int(&j, "not_evaluated", s->failed);
        json_point(&j, s, r.worst);
        json_close(&j, '}');
    } else if (status == RI_OK) {
        printf("P(%s <= 0) = %.4g, coefficient of variation %.2g, %d levels, %d runs (%d could not be evaluated)\n",
               s->expression, r.probability, r.variation, r.levels, s->evaluations, s->failed);
        printf("the worst point seen, %s = %.6g:\n", s->expression, r.least);
        print_point(s, r.worst);
    }
    return status == RI_OK ? CLI_DONE : s->c->args->json ? CLI_RUN_FAILED : cli_fail(s->c->ctx, status);
}

int campaign_risk(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    Search s;
    campaign_parse(
        argc, argv, "FILE",
        "Estimates the probability that an expression of results (--by) is 0 or less, by subset simulation with "
        "--samples runs a level (default 500).",
        1, 1, &args);
    CliExit code = prepare(&c, &s);
    if (code == CLI_DONE)
        code = risk(&s);
    campaign_close(&c);
    return code;
}

// ---------------------------------------------------------------------------------------- boundary

static void write_points(const Search *s, FILE *out, const RiBoundaryPoint *points, int count)
{
    const RiCampaignPlan *p = s->c->plan;
    RiSample samples[RI_DESIGN_DIMENSIONS];
    fprintf(out, "distance");
    for (int i = 0; i < p->design.dimensions; i++)
        fprintf(out, ",%s", p->dispersions[i].name);
    fputc('\n', out);
    for (int k = 0; k < count; k++) {
        if (!points[k].found)
            continue;
        map_point(s, p->design.dimensions, points[k].z, samples);
        fprintf(out, "%.9g", points[k].radius);
        for (int i = 0; i < p->design.dimensions; i++)
            fprintf(out, ",%s", samples[i].value);
        fputc('\n', out);
    }
}

static CliExit save_points(const Search *s, const RiBoundaryPoint *points, int count)
{
    const char *path = s->c->args->out;
    RiBeside beside;
    if (!path)
        return CLI_DONE;
    FILE *out = ri_beside_stream(&beside, path);
    int code = out ? 0 : errno;
    if (out) {
        write_points(s, out, points, count);
        code = ri_beside_close(&beside, true);
    }
    if (code == 0)
        return CLI_DONE;
    cli_error("%s: cannot be written: %s", path, strerror(code));
    return CLI_ENVIRONMENT;
}

static void json_boundary(const Search *s, const RiBoundaryResult *r, int rays)
{
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_string(&j, "expression", s->expression);
    json_bool(&j, "medians_fail", r->fails_at_start);
    json_int(&j, "rays", rays);
    json_int(&j, "found", r->found);
    json_number(&j, "distance", r->nearest.found ? r->nearest.radius : NAN);
    json_number(&j, "probability", r->probability);
    json_number(&j, "variation", r->variation);
    json_int(&j, "evaluations", s->evaluations);
    json_int(&j, "not_evaluated", s->failed);
    if (r->nearest.found)
        json_point(&j, s, r->nearest.z);
    json_close(&j, '}');
}

static CliExit boundary(Search *s)
{
    const int n = s->c->plan->design.dimensions, wanted = s->c->args->samples ? s->c->args->samples : 32;
    const int rays = n == 1 ? 2 : wanted + wanted % 2; // opposite pairs; a line has two directions
    const RiBoundaryOptions o = {.n = n, .rays = rays, .rounds = 4, .seed = s->c->plan->design.seed};
    RiBoundaryResult r;
    RiBoundaryPoint *points = calloc((size_t)rays, sizeof *points);
    if (!points)
        return cli_no_memory();
    s->normal = true;
    const RiStatus status = ri_boundary_search(s->c->ctx, &o, evaluate, s, points, &r);
    CliExit code = status == RI_OK ? CLI_DONE : CLI_RUN_FAILED;
    if (status != RI_OK && (status != RI_ERR_NUMERIC || !s->c->args->json)) {
        code = cli_fail(s->c->ctx, status);
    } else if (s->c->args->json) {
        json_boundary(s, &r, rays);
    } else {
        printf("%d of %d rays from the medians, which %s, meet %s = 0 (%d runs, %d could not be evaluated)\n", r.found,
               rays, r.fails_at_start ? "fail" : "do not fail", s->expression, s->evaluations, s->failed);
        printf("P(%s <= 0) = %.4g by the rays, coefficient of variation %.2g\n", s->expression, r.probability,
               r.variation);
        printf("the nearest point of the boundary, %.4g standard deviations away:\n", r.nearest.radius);
        print_point(s, r.nearest.z);
    }
    if (status == RI_OK)
        code = save_points(s, points, rays);
    free(points);
    return code;
}

int campaign_boundary(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    Search s;
    campaign_parse(
        argc, argv, "FILE",
        "Finds where an expression of results (--by) becomes 0: on --samples rays (default 32) from the "
        "medians of the dispersions, and the nearest point of that boundary. --out writes the points as CSV.",
        1, 1, &args);
    CliExit code = prepare(&c, &s);
    if (code == CLI_DONE)
        code = boundary(&s);
    campaign_close(&c);
    return code;
}
