// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille fit series FILE... --data DATA`: any parameters of a scene against any recorded series.
///
/// FILE is a campaign file: its dispersions are the parameters and what is believed of them, its
/// results with `take: series` are what was measured.
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rille/file.h>
#include <rille/memory.h>
#include <rille/rng.h>
#include <rille/study/fit_series.h>
#include <rille/study/stats.h>

#include "campaign/campaign.h"
#include "study/fit.h"

enum {
    MODELS = 8,
    WORDS = 32,
    OPTION_JSON = 256,
    OPTION_PLOTS,
    OPTION_SIGMA,
    OPTION_CHAINS,
    OPTION_WARMUP,
    OPTION_DRAWS,
    OPTION_SIMULATE,
    OPTION_OUT,
    OPTION_SEED
};

typedef struct Request {
    const char *files[MODELS];
    int file_count;
    const char *data, *plots, *out;
    const char *sigmas[WORDS], *truths[WORDS]; ///< NAME=VALUE
    int sigma_count, truth_count;
    int chains, warmup, draws, workers;
    unsigned long long seed;
    bool json, simulate;
} Request;

static const struct argp_option options[] = {
    {"data", 'd', "FILE", 0, "What was measured: a table (time and one column for each series) or a log (.mcap)", 0},
    {"sigma", OPTION_SIGMA, "NAME=X", 0,
     "Standard deviation of a series' noise; may be repeated. Without it, it is estimated from the fit's residuals", 0},
    {"chains", OPTION_CHAINS, "STEPS", 0, "Sample the posterior: steps of each walker that are kept", 0},
    {"warmup", OPTION_WARMUP, "STEPS", 0, "Steps before that are thrown away (half as many)", 0},
    {"workers", 'j', "N", 0, "Processes that make the runs of chains (default: one for each processor)", 0},
    {"draws", OPTION_DRAWS, "N", 0, "Runs for the posterior's predictions (40)", 0},
    {"plots", OPTION_PLOTS, "PREFIX", 0, "Write PREFIX-NAME.svg and .png for each series", 0},
    {"json", OPTION_JSON, NULL, 0, "One JSON object", 0},
    {"simulate", OPTION_SIMULATE, "NAME=X", 0,
     "Do not fit: run the scene with this value (SI) of a parameter and write what would be measured; may be repeated",
     0},
    {"out", OPTION_OUT, "FILE", 0, "Table that --simulate writes", 0},
    {"seed", OPTION_SEED, "N", 0, "Of chains and of simulated noise (1)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static int whole(struct argp_state *state, const char *option, const char *text, double least, double most)
{
    double x;
    if (!cli_parse_number(text, &x) || x != floor(x) || !(x >= least && x <= most))
        argp_error(state, "--%s expects a whole number from %g to %g, not '%s'", option, least, most, text);
    return (int)x;
}

static void add_word(struct argp_state *state, const char *option, char *text, const char **list, int *count)
{
    if (*count == WORDS || !strchr(text, '='))
        argp_error(state, "--%s expects NAME=X, at most %d times", option, WORDS);
    list[(*count)++] = text;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    Request *r = state->input;
    switch (key) {
    case 'd':
        r->data = text;
        return 0;
    case OPTION_SIGMA:
        add_word(state, "sigma", text, r->sigmas, &r->sigma_count);
        return 0;
    case OPTION_SIMULATE:
        r->simulate = true;
        add_word(state, "simulate", text, r->truths, &r->truth_count);
        return 0;
    case OPTION_CHAINS:
        r->chains = whole(state, "chains", text, 10, 1e6);
        return 0;
    case 'j':
        r->workers = whole(state, "workers", text, 1, 4096);
        return 0;
    case OPTION_WARMUP:
        r->warmup = whole(state, "warmup", text, 0, 1e6);
        return 0;
    case OPTION_DRAWS:
        r->draws = whole(state, "draws", text, 10, 1e4);
        return 0;
    case OPTION_SEED:
        r->seed = (unsigned long long)whole(state, "seed", text, 0, 2147483647.0);
        return 0;
    case OPTION_PLOTS:
        r->plots = text;
        return 0;
    case OPTION_OUT:
        r->out = text;
        return 0;
    case OPTION_JSON:
        r->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (r->file_count == MODELS)
            argp_error(state, "at most %d models are compared", MODELS);
        r->files[r->file_count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (!r->file_count)
            argp_error(state, "which campaign file? Its dispersions are the parameters");
        if (r->simulate ? !r->out || r->file_count != 1 : !r->data)
            argp_error(state, r->simulate ? "--simulate needs one file and --out TABLE" : "--data is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// --- names and values ----------------------------------------------------------------------------

/// Splits NAME=X; the value is plain or with a unit.
static bool split(const char *word, char name[128], double *out)
{
    const char *equals = strchr(word, '=');
    snprintf(name, 128, "%.*s", (int)(equals - word < 127 ? equals - word : 127), word);
    return cli_parse_number(equals + 1, out) && isfinite(*out);
}

/// Sigmas of the series of the data by the names of results.
static CliExit read_sigmas(const Request *r, const RiCampaignPlan *plan, const RiSeriesData *d, double *out)
{
    for (int i = 0; i < r->sigma_count; i++) {
        char name[128];
        double x;
        int s = 0;
        const bool number = split(r->sigmas[i], name, &x);
        while (s < d->series && strcmp(plan->results[d->result[s]].name, name) != 0)
            s++;
        if (!number || !(x > 0.0) || s == d->series) {
            cli_error("--sigma %s: expects the name of a series of %s and a positive number", r->sigmas[i], plan->file);
            return CLI_BAD_INPUT;
        }
        out[s] = x;
    }
    return CLI_DONE;
}

/// A parameter at a point of the cube.
static double parameter(const RiCampaignPlan *plan, const double *u, int index)
{
    RiSample samples[RI_DESIGN_DIMENSIONS];
    ri_campaign_map(plan, u, samples);
    return samples[index].x;
}

/// The place in the cube at which a parameter has a value, by halving; correlated dispersions must
/// be looked for in their order.
static bool invert(const RiCampaignPlan *plan, double *u, int index, double x)
{
    double low = 1e-9, high = 1.0 - 1e-9;
    for (int i = 0; i < 80; i++) {
        u[index] = 0.5 * (low + high);
        *(parameter(plan, u, index) < x ? &low : &high) = u[index];
    }
    return fabs(parameter(plan, u, index) - x) <= 1e-6 * fmax(1.0, fabs(x));
}

// --- simulated data ------------------------------------------------------------------------------

static CliExit find_truth(const Request *r, const RiCampaignPlan *plan, double *u)
{
    for (int i = 0; i < plan->design.dimensions; i++)
        u[i] = 0.5;
    for (int k = 0; k < r->truth_count; k++) {
        char name[128];
        double x;
        int i = 0;
        const bool number = split(r->truths[k], name, &x);
        while (i < plan->design.dimensions && strcmp(plan->dispersions[i].name, name) != 0)
            i++;
        if (!number || i == plan->design.dimensions || !invert(plan, u, i, x)) {
            cli_error("--simulate %s: expects a parameter of %s and a number (SI) that its dispersion allows",
                      r->truths[k], plan->file);
            return CLI_BAD_INPUT;
        }
    }
    return CLI_DONE;
}

static RiStatus write_table(RiContext *ctx, const RiCampaignPlan *plan, const RiSeriesData *d, const char *path)
{
    RiSink sink;
    char text[64];
    RI_TRY(ri_sink_open(&sink, ctx, path));
    RiStatus status = ri_sink_write(&sink, "time", 4);
    for (int s = 0; s < d->series && status == RI_OK; s++) {
        const char *name = plan->results[d->result[s]].name;
        status = ri_sink_write(&sink, ",", 1);
        if (status == RI_OK)
            status = ri_sink_write(&sink, name, strlen(name));
    }
    for (int i = 0; i < d->rows && status == RI_OK; i++) {
        int n = snprintf(text, sizeof text, "\n%.9g", d->time[i]);
        status = ri_sink_write(&sink, text, (size_t)n);
        for (int s = 0; s < d->series && status == RI_OK; s++) {
            n = snprintf(text, sizeof text, ",%.9g", d->value[i * d->series + s]);
            status = ri_sink_write(&sink, text, (size_t)n);
        }
    }
    if (status == RI_OK)
        status = ri_sink_write(&sink, "\n", 1);
    return ri_sink_close(&sink, status);
}

static CliExit simulate(const Request *r, Campaign *c)
{
    double u[RI_DESIGN_DIMENSIONS], sigma[RI_SERIES_MOST] = {0};
    RiSeriesData d, noisy;
    CliExit code = find_truth(r, c->plan, u);
    if (code != CLI_DONE)
        return code;
    RiStatus status = ri_series_simulate(c->ctx, c->plan, &c->places, u, NULL, r->seed, &d);
    if (status != RI_OK) {
        ri_series_data_free(&d);
        return cli_fail(c->ctx, status);
    }
    code = read_sigmas(r, c->plan, &d, sigma);
    ri_series_data_free(&d);
    if (code != CLI_DONE)
        return code;
    status = ri_series_simulate(c->ctx, c->plan, &c->places, u, sigma, r->seed, &noisy);
    if (status == RI_OK)
        status = write_table(c->ctx, c->plan, &noisy, r->out);
    if (status == RI_OK)
        printf("%s: %d rows of %d series\n", r->out, noisy.rows, noisy.series);
    ri_series_data_free(&noisy);
    return status == RI_OK ? CLI_DONE : cli_fail(c->ctx, status);
}

// --- fit -----------------------------------------------------------------------------------------

/// Everything about one model.
typedef struct Model {
    CampaignArgs args;
    Campaign c;
    RiSeriesData data;
    RiSeriesFit *fit;
    RiSeriesResult result;
    RiChainsResult chains;
    double *samples;           ///< of the chains, in the cube
    double *low, *high, *mean; ///< [rows * series] predictions: 5 %, 95 % with noise, and mean
    double coverage;           ///< part of the data between low and high
} Model;

static void close_model(Model *m)
{
    RiContext *ctx = m->c.ctx;
    if (ctx) {
        ri_series_fit_destroy(m->fit);
        ri_series_data_free(&m->data);
        ri_release(ctx, m->samples);
        ri_release(ctx, m->low);
    }
    campaign_close(&m->c);
}

// --- runs on all processors ----------------------------------------------------------------------

typedef struct Team {
    RiSeriesFit *fit;
    int workers;
} Team;

typedef struct Answer {
    int index, runs, refused;
    double log;
} Answer;

/// Every `workers`-th point from `first` on. Never returns.
static void be_worker(const Team *t, int n, int count, const double *x, int first, int fd)
{
    for (int k = first; k < count; k += t->workers) {
        Answer a = {.index = k};
        t->fit->runs = t->fit->refused = 0;
        if (ri_series_density(t->fit, n, x + (size_t)(k * n), &a.log) != RI_OK) {
            fprintf(stderr, "rille: %s\n", ri_context_message(t->fit->ctx));
            _exit(CLI_ENVIRONMENT);
        }
        a.runs = t->fit->runs;
        a.refused = t->fit->refused;
        if (write(fd, &a, sizeof a) != (ssize_t)sizeof a) // below PIPE_BUF: whole or not at all
            _exit(CLI_ENVIRONMENT);
    }
    _exit(0);
}

/// Answers until all who can write are gone; how many there were.
static int listen_to(Team *t, int count, int fd, double *out_log)
{
    Answer a;
    int heard = 0;
    for (ssize_t got; (got = read(fd, &a, sizeof a)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got != (ssize_t)sizeof a || a.index < 0 || a.index >= count)
            break;
        out_log[a.index] = a.log;
        t->fit->runs += a.runs;
        t->fit->refused += a.refused;
        heard++;
    }
    return heard;
}

/// Densities of many points: each worker is a fork that makes its share of the runs.
static RiStatus densities(void *user, int n, int count, const double *x, double *out_log)
{
    Team *t = user;
    int ends[2];
    if (pipe(ends) != 0)
        return ri_error(t->fit->ctx, RI_ERR_IO, "a pipe cannot be made: %s", strerror(errno));
    fflush(NULL);
    pid_t *children = calloc((size_t)t->workers, sizeof *children);
    for (int e = 0; children && e < t->workers && e < count; e++) {
        children[e] = fork();
        if (children[e] == 0) {
            close(ends[0]);
            be_worker(t, n, count, x, e, ends[1]);
        }
    }
    close(ends[1]);
    const int heard = listen_to(t, count, ends[0], out_log);
    close(ends[0]);
    for (int e = 0; children && e < t->workers && e < count; e++)
        if (children[e] > 0)
            waitpid(children[e], NULL, 0);
    free(children);
    return heard == count
               ? RI_OK
               : ri_error(t->fit->ctx, RI_ERR_IO, "a worker died: %d of %d runs of the chains were made", heard, count);
}

static RiStatus sample_posterior(const Request *r, Model *m)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    Team team = {m->fit, r->workers ? r->workers : cores > 0 ? (int)cores : 1};
    const int n = m->c.plan->design.dimensions;
    double sd[RI_FIT_PARAMETERS];
    for (int i = 0; i < n; i++)
        sd[i] = fmin(0.1, fmax(1e-4, isfinite(m->result.least.sd[i]) ? m->result.least.sd[i] : 0.1));
    const RiChains o = {.n = n,
                        .steps = r->chains,
                        .warmup = r->warmup >= 0 ? r->warmup : r->chains / 2,
                        .start = m->result.least.x,
                        .sd = sd,
                        .seed = r->seed,
                        .many = densities};
    const size_t count = (size_t)ri_chains_walkers(&o) * (size_t)r->chains * (size_t)n;
    m->samples = ri_alloc(m->c.ctx, count + 1, sizeof *m->samples);
    if (!m->samples)
        return ri_error_memory(m->c.ctx);
    return ri_chains_sample(m->c.ctx, &o, NULL, &team, m->samples, &m->chains);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Bands of one number of the data, from its draws with noise.
static void band(Model *m, double *draws, int count, int at)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        sum += draws[k];
    qsort(draws, (size_t)count, sizeof *draws, by_value);
    m->mean[at] = sum / count;
    m->low[at] = draws[(int)floor(0.05 * (count - 1))];
    m->high[at] = draws[(int)ceil(0.95 * (count - 1))];
}

/// Runs at points of the posterior (of the chains, or of the normal distribution around the
/// optimum), with noise of the sigmas.
static RiStatus predict(const Request *r, Model *m)
{
    const RiSeriesData *d = &m->data;
    const int n = m->c.plan->design.dimensions, draws = r->draws;
    const size_t numbers = (size_t)d->rows * (size_t)d->series;
    RiRng rng = ri_rng_stream(r->seed, "prediction");
    double *all = ri_alloc_zero(m->c.ctx, numbers * (size_t)draws + 1, sizeof *all);
    m->low = ri_alloc_zero(m->c.ctx, 3 * numbers + 1, sizeof *m->low);
    if (!all || !m->low) {
        ri_release(m->c.ctx, all);
        return ri_error_memory(m->c.ctx);
    }
    m->high = m->low + numbers;
    m->mean = m->high + numbers;
    RiStatus status = RI_OK;
    for (int k = 0; k < draws && status == RI_OK; k++) {
        double u[RI_FIT_PARAMETERS];
        if (m->samples)
            memcpy(u, m->samples + (size_t)(ri_rng_uniform(&rng) * m->chains.samples) * (size_t)n,
                   sizeof(double) * (size_t)n);
        else
            memcpy(u, m->result.least.x, sizeof(double) * (size_t)n);
        status = ri_series_run(m->fit, u);
        if (status == RI_ERR_NUMERIC) { // as improbable as it is rare: the optimum instead
            memcpy(u, m->result.least.x, sizeof(double) * (size_t)n);
            status = ri_series_run(m->fit, u);
        }
        for (size_t i = 0; i < numbers && status == RI_OK; i++)
            all[i * (size_t)draws + (size_t)k] =
                m->fit->model[i] + m->fit->sigma[i % (size_t)d->series] * ri_rng_normal(&rng);
    }
    int inside = 0, seen = 0;
    for (size_t i = 0; i < numbers && status == RI_OK; i++) {
        band(m, all + i * (size_t)draws, draws, (int)i);
        if (isfinite(d->value[i])) {
            seen++;
            inside += d->value[i] >= m->low[i] && d->value[i] <= m->high[i];
        }
    }
    m->coverage = seen ? (double)inside / seen : 0.0;
    ri_release(m->c.ctx, all);
    return status;
}

static CliExit fit_model(const Request *r, const char *file, Model *m)
{
    double sigma[RI_SERIES_MOST] = {0};
    m->c.args = &m->args;
    CliExit code = campaign_load(&m->c, file);
    if (code == CLI_DONE)
        code = campaign_check(&m->c);
    if (code != CLI_DONE)
        return code;
    RiStatus status = ri_series_data_load(m->c.ctx, m->c.plan, r->data, &m->data);
    if (status == RI_OK)
        code = read_sigmas(r, m->c.plan, &m->data, sigma);
    if (status == RI_OK && code == CLI_DONE) {
        status = ri_series_fit_create(m->c.ctx, m->c.plan, &m->c.places, &m->data, sigma, &m->fit);
        if (status == RI_OK)
            status = ri_series_fit(m->fit, &m->result);
        if (status == RI_OK && r->chains)
            status = sample_posterior(r, m);
        if (status == RI_OK && (r->chains || r->plots))
            status = predict(r, m);
    }
    return status != RI_OK ? cli_fail(m->c.ctx, status) : code;
}

// --- output --------------------------------------------------------------------------------------

/// A parameter's value and standard deviation, from the cube.
static void estimate(const Model *m, int i, double *out_value, double *out_sd)
{
    const RiLeastSquaresResult *l = &m->result.least;
    double u[RI_DESIGN_DIMENSIONS];
    memcpy(u, l->x, sizeof(double) * (size_t)m->c.plan->design.dimensions);
    *out_value = parameter(m->c.plan, u, i);
    const double h = 1e-4, at = u[i];
    u[i] = fmin(1.0 - 1e-9, at + h);
    const double up = parameter(m->c.plan, u, i), far = u[i];
    u[i] = fmax(1e-9, at - h);
    *out_sd = fabs(up - parameter(m->c.plan, u, i)) / (far - u[i]) * l->sd[i];
}

/// Mean, deviation and 95 % range of a parameter over the chains.
typedef struct Spread {
    double mean, sd, low, high;
} Spread;

static Spread spread(const Model *m, int index)
{
    const int n = m->c.plan->design.dimensions, count = m->chains.samples;
    Spread s = {NAN, NAN, NAN, NAN};
    double *x = malloc(((size_t)count + 1) * sizeof *x), sum = 0.0, sum2 = 0.0;
    if (!x || count < 2) {
        free(x);
        return s;
    }
    for (int k = 0; k < count; k++) {
        x[k] = parameter(m->c.plan, m->samples + (size_t)k * (size_t)n, index);
        sum += x[k], sum2 += x[k] * x[k];
    }
    qsort(x, (size_t)count, sizeof *x, by_value);
    s = (Spread){sum / count, sqrt(fmax(0.0, sum2 / count - sum * sum / count / count)), x[(int)(0.025 * (count - 1))],
                 x[(int)(0.975 * (count - 1))]};
    free(x);
    return s;
}

static void print_directions(const Model *m)
{
    const RiLeastSquaresResult *l = &m->result.least;
    const int n = m->c.plan->design.dimensions;
    printf("\nDirections that the data see, strongest first (share of the dispersion; below 0.2: identified)\n");
    for (int k = 0; k < n; k++) {
        printf("  %8.3g ", l->uncertainty[k]);
        for (int i = 0; i < n; i++)
            printf(" %+.2f %s", l->direction[k * n + i], m->c.plan->dispersions[i].name);
        printf("\n");
    }
    printf("%d of %d identified", l->identifiable, n);
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (fabs(l->correlation[i * n + k]) > 0.9)
                printf("; %s and %s are correlated by %.3f", m->c.plan->dispersions[i].name,
                       m->c.plan->dispersions[k].name, l->correlation[i * n + k]);
    printf("\n");
}

static void print_model(const Request *r, const Model *m)
{
    const RiCampaignPlan *plan = m->c.plan;
    const int n = plan->design.dimensions;
    printf("%s: %d numbers of %d series, %d runs\n\n%-24s %14s %12s %-10s", plan->name, m->result.numbers,
           m->data.series, m->fit->runs, "parameter", "value", "std. dev.", "unit");
    printf(r->chains ? " %12s %10s   %-22s %6s %7s\n" : "\n", "mean", "std. dev.", "95 %", "R-hat", "ESS");
    for (int i = 0; i < n; i++) {
        double value, sd;
        estimate(m, i, &value, &sd);
        printf("%-24s %14.6g %12.3g %-10s%s", plan->dispersions[i].name, value, sd, plan->dispersions[i].unit,
               m->result.least.at_bound[i] ? " (at the end of its dispersion)" : "");
        if (r->chains) {
            const Spread s = spread(m, i);
            printf(" %12.6g %10.3g   %10.5g %10.5g %6.3f %7.0f", s.mean, s.sd, s.low, s.high, m->chains.r_hat[i],
                   m->chains.ess[i]);
        }
        printf("\n");
    }
    print_directions(m);
    printf("\n%-24s %12s %12s\n", "series", "rms", "sigma");
    for (int s = 0; s < m->data.series; s++)
        printf("%-24s %12.4g %12.4g%s\n", plan->results[m->data.result[s]].name, m->result.rms[s], m->fit->sigma[s],
               m->fit->known[s] ? "" : " (from the residuals)");
    printf("log likelihood %.6g, AIC %.6g, BIC %.6g\n", m->result.log_likelihood, m->result.aic, m->result.bic);
    if (r->chains)
        printf("%d samples, %.0f %% accepted\n", m->chains.samples, 100.0 * m->chains.acceptance);
    if (r->chains || r->plots)
        printf("%.0f %% of the data lie between the 5 %% and the 95 %% quantile of the predictions\n",
               100.0 * m->coverage);
}

static void json_model(Json *j, const Request *r, const Model *m)
{
    const RiCampaignPlan *plan = m->c.plan;
    const int n = plan->design.dimensions;
    json_open(j, NULL, '{');
    json_string(j, "model", plan->name);
    json_int(j, "numbers", m->result.numbers);
    json_int(j, "runs", m->fit->runs);
    json_open(j, "parameters", '{');
    for (int i = 0; i < n; i++) {
        double value, sd;
        estimate(m, i, &value, &sd);
        json_open(j, plan->dispersions[i].name, '{');
        json_number(j, "value", value);
        json_number(j, "sd", sd);
        json_string(j, "unit", plan->dispersions[i].unit);
        json_bool(j, "at_bound", m->result.least.at_bound[i]);
        if (r->chains) {
            const Spread s = spread(m, i);
            json_number(j, "mean", s.mean);
            json_number(j, "posterior_sd", s.sd);
            json_number(j, "low", s.low);
            json_number(j, "high", s.high);
            json_number(j, "r_hat", m->chains.r_hat[i]);
            json_number(j, "ess", m->chains.ess[i]);
        }
        json_close(j, '}');
    }
    json_close(j, '}');
    json_int(j, "identified", m->result.least.identifiable);
    json_numbers(j, "uncertainty", m->result.least.uncertainty, n);
    json_numbers(j, "directions", m->result.least.direction, n * n);
    json_numbers(j, "correlation", m->result.least.correlation, n * n);
    json_open(j, "series", '{');
    for (int s = 0; s < m->data.series; s++) {
        json_open(j, plan->results[m->data.result[s]].name, '{');
        json_number(j, "rms", m->result.rms[s]);
        json_number(j, "sigma", m->fit->sigma[s]);
        json_close(j, '}');
    }
    json_close(j, '}');
    json_number(j, "log_likelihood", m->result.log_likelihood);
    json_number(j, "aic", m->result.aic);
    json_number(j, "bic", m->result.bic);
    if (r->chains || r->plots)
        json_number(j, "coverage", m->coverage);
    json_close(j, '}');
}

/// Data as points, the predictions' band as two lines, their mean as one.
static RiStatus draw(const Request *r, const Model *m)
{
    const RiSeriesData *d = &m->data;
    double *y = ri_alloc(m->c.ctx, 4 * (size_t)d->rows + 1, sizeof *y);
    RiStatus status = y ? RI_OK : ri_error_memory(m->c.ctx);
    for (int s = 0; s < d->series && status == RI_OK; s++) {
        for (int i = 0; i < d->rows; i++) {
            const int at = i * d->series + s;
            y[i] = d->value[at];
            y[d->rows + i] = m->mean[at];
            y[2 * d->rows + i] = m->low[at];
            y[3 * d->rows + i] = m->high[at];
        }
        const RiCurve curves[4] = {{"measured", "", d->time, y, d->rows},
                                   {"prediction", "", d->time, y + d->rows, d->rows},
                                   {"5 %", "", d->time, y + 2 * d->rows, d->rows},
                                   {"95 %", "", d->time, y + 3 * d->rows, d->rows}};
        RiPlot plot = ri_plot_default();
        plot.title = m->c.plan->results[d->result[s]].name;
        plot.x_label = "time [s]";
        plot.curves = curves;
        plot.curve_count = 4;
        status = fit_write_plot(m->c.ctx, r->plots, &plot, plot.title);
    }
    ri_release(m->c.ctx, y);
    return status;
}

/// Weights by BIC: exp(-difference/2), of one together.
static void compare(const Request *r, const Model *models, Json *j)
{
    double best = INFINITY, sum = 0.0;
    for (int i = 0; i < r->file_count; i++)
        best = fmin(best, models[i].result.bic);
    for (int i = 0; i < r->file_count; i++)
        sum += exp(-0.5 * (models[i].result.bic - best));
    if (j)
        json_open(j, "comparison", '{');
    else
        printf("\n%-24s %12s %12s %10s\n", "model", "AIC", "BIC", "weight");
    for (int i = 0; i < r->file_count; i++) {
        const double weight = exp(-0.5 * (models[i].result.bic - best)) / sum;
        if (j)
            json_number(j, models[i].c.plan->name, weight);
        else
            printf("%-24s %12.6g %12.6g %10.3g\n", models[i].c.plan->name, models[i].result.aic, models[i].result.bic,
                   weight);
    }
    if (j)
        json_close(j, '}');
}

static void print_all(const Request *r, const Model *models)
{
    if (r->json) {
        Json j = {.out = stdout};
        json_open(&j, NULL, '{');
        json_open(&j, "models", '[');
        for (int i = 0; i < r->file_count; i++)
            json_model(&j, r, &models[i]);
        json_close(&j, ']');
        compare(r, models, &j);
        json_close(&j, '}');
        return;
    }
    for (int i = 0; i < r->file_count; i++) {
        printf("%s", i ? "\n" : "");
        print_model(r, &models[i]);
    }
    if (r->file_count > 1)
        compare(r, models, NULL);
}

static CliExit fit_all(const Request *r)
{
    Model *models = calloc(MODELS, sizeof *models);
    CliExit code = models ? CLI_DONE : cli_no_memory();
    for (int i = 0; i < r->file_count && code == CLI_DONE; i++)
        code = fit_model(r, r->files[i], &models[i]);
    if (code == CLI_DONE)
        print_all(r, models);
    if (code == CLI_DONE && r->plots) {
        const RiStatus status = draw(r, &models[0]);
        code = status == RI_OK ? CLI_DONE : cli_fail(models[0].c.ctx, status);
    }
    for (int i = 0; models && i < MODELS; i++)
        close_model(&models[i]);
    free(models);
    return code;
}

int fit_series(int argc, char **argv)
{
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "FILE...",
        .doc = "Fits any parameters of a scene to recorded series. FILE is a campaign file: its dispersions are the "
               "parameters with their priors, its results with 'take: series' are what was measured. "
               "Several files are compared as models of the same data.\v"
               "Exit codes: 0 done, 1 no run could be evaluated, 2 bad input, 3 environment.",
    };
    Request r = {.draws = 40, .warmup = -1, .seed = 1};
    argp_err_exit_status = CLI_BAD_INPUT;
    if (cli_parse(&parser, argc, argv, &r) != 0)
        return CLI_BAD_INPUT;
    if (!r.simulate)
        return fit_all(&r);
    CampaignArgs args = {.lease = 30.0};
    Campaign c = {.args = &args};
    CliExit code = campaign_load(&c, r.files[0]);
    if (code == CLI_DONE)
        code = simulate(&r, &c);
    campaign_close(&c);
    return code;
}
