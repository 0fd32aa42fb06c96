// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables of campaigns: progress, statistics, CSV, the worst runs, comparison of two.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <rille/study/parquet.h>
#include <rille/study/stats.h>

#include "campaign/campaign.h"
#include "json.h"

void campaign_print_counts(Campaign *c, const RiStoreCounts *n)
{
    if (c->args->json) {
        Json j = {.out = stdout};
        json_open(&j, NULL, '{');
        json_string(&j, "campaign", c->plan->name);
        json_int(&j, "total", n->total);
        json_int(&j, "success", n->success);
        for (int i = 0; i < RI_RUN_STATUSES; i++)
            json_int(&j, ri_run_status_name((RiRunStatus)i), n->runs[i]);
        json_number(&j, "wall", n->wall);
        json_close(&j, '}');
        return;
    }
    printf("%s: %lld runs\n", c->plan->name, n->total);
    for (int i = 0; i < RI_RUN_STATUSES; i++)
        if (n->runs[i])
            printf("  %-10s %lld\n", ri_run_status_name((RiRunStatus)i), n->runs[i]);
    printf("  %-10s %lld\n", "successful", n->success);
    if (!isnan(n->wall))
        printf("  a run takes %.3g s\n", n->wall);
}

int campaign_column(const RiTable *t, int result, double *out_values, int *out_runs)
{
    int n = 0;
    for (int i = 0; i < t->count; i++) {
        const double x = t->values[(size_t)result * (size_t)t->count + (size_t)i];
        if (isnan(x))
            continue;
        if (out_runs)
            out_runs[n] = i;
        out_values[n++] = x;
    }
    return n;
}

int campaign_independent_column(const RiCampaignPlan *p, const RiTable *t, int result, double *out_values)
{
    int n = 0;
    for (int i = 0; i < t->count; i++) {
        const double x = t->values[(size_t)result * (size_t)t->count + (size_t)i];
        if (!isnan(x) && ri_campaign_is_independent(p, t->runs[i].run))
            out_values[n++] = x;
    }
    return n;
}

int campaign_trials(const RiCampaignPlan *p, const RiTable *t, int *out_success)
{
    int n = 0;
    *out_success = 0;
    for (int i = 0; i < t->count; i++) {
        const RiTableRun *r = &t->runs[i];
        const bool counts =
            r->status >= RI_RUN_DONE && r->status <= RI_RUN_HUNG && ri_campaign_is_independent(p, r->run);
        n += counts;
        *out_success += counts && r->success;
    }
    return n;
}

/// Appends a word, in single quotes where the shell would read more than a word.
static void append_word(char *out, size_t size, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    const bool bare = *word && word[strspn(word, plain)] == '\0';
    size_t n = strlen(out);
    if (n + 4 < size)
        n += (size_t)snprintf(out + n, size - n, bare ? " " : " '");
    for (; *word && n + 6 < size; word++)
        n += (size_t)(*word == '\'' ? snprintf(out + n, size - n, "'\\''") : snprintf(out + n, size - n, "%c", *word));
    if (!bare && n + 2 < size)
        snprintf(out + n, size - n, "'");
}

void campaign_replay_command(const Campaign *c, int run, char *out, size_t size)
{
    snprintf(out, size, "rille campaign replay");
    append_word(out, size, ri_store_name(c->store));
    const size_t n = strlen(out);
    snprintf(out + n, size - n, " %d --experiment", run);
    append_word(out, size, c->plan->name);
}

static int finished(const RiTable *t, int *out_success)
{
    int n = 0;
    *out_success = 0;
    for (int i = 0; i < t->count; i++) {
        const bool counts = t->runs[i].status >= RI_RUN_DONE && t->runs[i].status <= RI_RUN_HUNG;
        n += counts;
        *out_success += counts && t->runs[i].success;
    }
    return n;
}

static void print_failures(const Campaign *c, const RiTable *t)
{
    char command[2 * PATH_MAX];
    for (int r = 0; r < t->reason_count; r++) {
        int n = 0, first = -1;
        for (int i = 0; i < t->count; i++)
            if (t->runs[i].reason == r) {
                n++;
                first = first < 0 ? t->runs[i].run : first;
            }
        campaign_replay_command(c, first, command, sizeof command);
        printf("  %6d without success: %s (first: run %d)\n         %s\n", n, t->reasons[r], first, command);
    }
}

CliExit campaign_print_results(Campaign *c)
{
    RiTable t;
    int success, flagged = 0;
    const RiStatus status = ri_store_table(c->store, c->plan, &t);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    double *x = malloc(((size_t)t.count + 1) * sizeof *x);
    if (!x) {
        ri_table_free(&t);
        return cli_no_memory();
    }
    int n = finished(&t, &success);
    printf("%s: %d of %d runs finished%s\n", c->plan->name, n, t.count, t.stopped >= 0 ? " (a stop rule was met)" : "");
    n = campaign_trials(c->plan, &t, &success);
    if (n > 0) {
        const RiInterval p = ri_clopper_pearson(success, n, 0.95);
        printf("  success     %d of %d: %.4g, between %.4g and %.4g (95 %%, exact)\n", success, n, (double)success / n,
               p.low, p.high);
    }
    for (int i = 0; i < t.count; i++)
        flagged += t.runs[i].violations > 0;
    if (flagged)
        printf("  validity    %d runs left the assumptions of a model\n", flagged);
    printf("  %-22s %6s %12s %12s %12s %12s %12s\n", "result", "runs", "mean", "sd", "least", "median", "greatest");
    for (int i = 0; i < t.results; i++) {
        const int m = campaign_independent_column(c->plan, &t, i, x);
        ri_sort_numbers(x, m);
        printf("  %-22s %6d %12.6g %12.6g %12.6g %12.6g %12.6g\n", c->plan->results[i].name, m, ri_mean(x, m),
               sqrt(ri_variance(x, m)), m ? x[0] : NAN, ri_sorted_quantile(x, m, 0.5), m ? x[m - 1] : NAN);
    }
    print_failures(c, &t);
    printf("  store       %s\n", ri_store_name(c->store));
    free(x);
    ri_table_free(&t);
    return CLI_DONE;
}

/// A field of a CSV file, in quotes where it needs them.
static void csv_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void csv_number(FILE *out, double x)
{
    fputc(',', out);
    if (!isnan(x))
        fprintf(out, "%.17g", x);
}

CliExit campaign_write_csv(Campaign *c, const RiTable *t, FILE *out)
{
    const RiCampaignPlan *p = c->plan;
    RiSample samples[RI_DESIGN_DIMENSIONS];
    fprintf(out, "run,status,success,time,violations,hash");
    for (int i = 0; i < p->design.dimensions; i++) {
        fputc(',', out);
        csv_text(out, p->dispersions[i].name);
    }
    for (int i = 0; i < p->result_count; i++)
        fprintf(out, ",%s", p->results[i].name);
    fputc('\n', out);
    for (int k = 0; k < t->count; k++) {
        const RiTableRun *r = &t->runs[k];
        fprintf(out, "%d,%s,%d", r->run, ri_run_status_name(r->status), r->success);
        csv_number(out, r->time);
        fprintf(out, ",%d,%016" PRIx64, r->violations, r->hash);
        ri_campaign_sample(p, k, samples);
        for (int i = 0; i < p->design.dimensions; i++) {
            if (p->dispersions[i].words) {
                fputc(',', out);
                csv_text(out, samples[i].value);
            } else {
                csv_number(out, samples[i].x);
            }
        }
        for (int i = 0; i < p->result_count; i++)
            csv_number(out, t->values[(size_t)i * (size_t)t->count + (size_t)k]);
        fputc('\n', out);
    }
    if (fflush(out) != 0 || ferror(out)) {
        cli_error("the table cannot be written");
        return CLI_ENVIRONMENT;
    }
    return CLI_DONE;
}

// ----------------------------------------------------------------------------------------- Parquet

enum { FIXED = 6, MOST_COLUMNS = FIXED + RI_DESIGN_DIMENSIONS + RI_CAMPAIGN_RESULTS };

/// The columns of the CSV table; numbers of the dispersions and words go into `numbers` and
/// `words`.
typedef struct Columns {
    RiParquetColumn list[MOST_COLUMNS];
    int count;
    int64_t *whole;     ///< [3][rows] run, success, violations
    double *numbers;    ///< [1 + dimensions][rows] time, samples
    const char **words; ///< [2 + dimensions][rows] status, hash, samples
    char (*hashes)[17];
} Columns;

static void add_column(Columns *c, const char *name, RiParquetKind kind, const void *values)
{
    c->list[c->count++] = (RiParquetColumn){name, kind, values};
}

static void fill_runs(const RiTable *t, Columns *c)
{
    const size_t n = (size_t)t->count;
    for (size_t k = 0; k < n; k++) {
        const RiTableRun *r = &t->runs[k];
        c->whole[k] = r->run;
        c->whole[n + k] = r->success;
        c->whole[2 * n + k] = r->violations;
        c->numbers[k] = r->time;
        c->words[k] = ri_run_status_name(r->status);
        snprintf(c->hashes[k], sizeof c->hashes[k], "%016" PRIx64, r->hash);
        c->words[n + k] = c->hashes[k];
    }
    add_column(c, "run", RI_PARQUET_INT64, c->whole);
    add_column(c, "status", RI_PARQUET_TEXT, c->words);
    add_column(c, "success", RI_PARQUET_INT64, c->whole + n);
    add_column(c, "time", RI_PARQUET_DOUBLE, c->numbers);
    add_column(c, "violations", RI_PARQUET_INT64, c->whole + 2 * n);
    add_column(c, "hash", RI_PARQUET_TEXT, c->words + n);
}

static void fill_samples(const RiCampaignPlan *p, const RiTable *t, Columns *c)
{
    const size_t n = (size_t)t->count;
    for (size_t k = 0; k < n; k++) {
        RiSample samples[RI_DESIGN_DIMENSIONS];
        ri_campaign_sample(p, (int)k, samples);
        for (int i = 0; i < p->design.dimensions; i++) {
            if (p->dispersions[i].words) // words are the plan's
                c->words[((size_t)i + 2) * n + k] = samples[i].value;
            else
                c->numbers[((size_t)i + 1) * n + k] = samples[i].x;
        }
    }
    for (int i = 0; i < p->design.dimensions; i++) {
        const bool text = p->dispersions[i].words != NULL;
        add_column(c, p->dispersions[i].name, text ? RI_PARQUET_TEXT : RI_PARQUET_DOUBLE,
                   text ? (const void *)(c->words + ((size_t)i + 2) * n)
                        : (const void *)(c->numbers + ((size_t)i + 1) * n));
    }
}

CliExit campaign_is_parquet(const char *path, bool *out)
{
    const char *file = path ? strrchr(path, '/') : NULL, *dot = path ? strrchr(file ? file : path, '.') : NULL;
    *out = dot && strcasecmp(dot, ".parquet") == 0;
    if (!dot || *out || strcasecmp(dot, ".csv") == 0 || strcasecmp(dot, ".txt") == 0)
        return CLI_DONE;
    cli_error("--out: '%s' ends neither in .csv nor in .parquet", path);
    return CLI_BAD_INPUT;
}

CliExit campaign_write_parquet(Campaign *c, const RiTable *t, const char *path)
{
    const RiCampaignPlan *p = c->plan;
    const size_t n = (size_t)t->count, d = (size_t)p->design.dimensions;
    Columns columns = {.whole = calloc(3 * n + 1, sizeof *columns.whole),
                       .numbers = calloc((1 + d) * n + 1, sizeof *columns.numbers),
                       .words = calloc((2 + d) * n + 1, sizeof *columns.words),
                       .hashes = calloc(n + 1, sizeof *columns.hashes)};
    CliExit code;
    if (!columns.whole || !columns.numbers || !columns.words || !columns.hashes) {
        code = cli_no_memory();
    } else {
        fill_runs(t, &columns);
        fill_samples(p, t, &columns);
        for (int i = 0; i < p->result_count; i++)
            add_column(&columns, p->results[i].name, RI_PARQUET_DOUBLE, t->values + (size_t)i * n);
        const RiStatus status = ri_parquet_save(c->ctx, path, t->count, columns.list, columns.count);
        code = status == RI_OK ? CLI_DONE : cli_fail(c->ctx, status);
    }
    free(columns.whole);
    free(columns.numbers);
    free(columns.words);
    free(columns.hashes);
    return code;
}

// ------------------------------------------------------------------------------------------- worst

static int find_result(const Campaign *c, const char *name)
{
    const char *known[RI_CAMPAIGN_RESULTS];
    for (int i = 0; i < c->plan->result_count; i++) {
        known[i] = c->plan->results[i].name;
        if (strcmp(known[i], name) == 0)
            return i;
    }
    const char *near = ri_nearest_name(name, known, c->plan->result_count);
    cli_error("the campaign has no result '%s'%s%s%s", name, near ? "; did you mean '" : "", near ? near : "",
              near ? "'?" : "");
    return -1;
}

static CliExit print_worst(Campaign *c, int count)
{
    RiTable t;
    const int result = c->args->by ? find_result(c, c->args->by) : 0;
    if (result < 0)
        return CLI_BAD_INPUT;
    const RiStatus status = ri_store_table(c->store, c->plan, &t);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    double *x = malloc(((size_t)t.count + 1) * sizeof *x);
    int *runs = malloc(((size_t)t.count + 1) * sizeof *runs);
    const int n = x && runs ? campaign_column(&t, result, x, runs) : 0;
    for (int rank = 0; rank < count && rank < n; rank++) {
        RiSample samples[RI_DESIGN_DIMENSIONS];
        int best = rank;
        for (int i = rank + 1; i < n; i++)
            if (c->args->least ? x[i] < x[best] : x[i] > x[best])
                best = i;
        const double value = x[best];
        const int run = runs[best];
        x[best] = x[rank];
        runs[best] = runs[rank];
        ri_campaign_sample(c->plan, run, samples);
        printf("run %d: %s = %.9g%s\n ", run, c->plan->results[result].name, value,
               t.runs[run].success ? "" : "  (no success)");
        for (int i = 0; i < c->plan->design.dimensions; i++)
            printf(" %s='%s'", c->plan->dispersions[i].name, samples[i].value);
        char command[2 * PATH_MAX];
        campaign_replay_command(c, run, command, sizeof command);
        printf("\n  %s\n", command);
    }
    free(x);
    free(runs);
    ri_table_free(&t);
    return CLI_DONE;
}

int campaign_worst(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    campaign_parse(argc, argv, "STORE [N]", "Lists the worst runs by a result (--by), with what they were run with.", 1,
                   2, &args);
    const int count = args.word_count > 1 ? campaign_int("N", args.words[1], 1, 1000000) : 5;
    CliExit code = campaign_open(&c, args.words[0]);
    if (code == CLI_DONE)
        code = print_worst(&c, count);
    campaign_close(&c);
    return code;
}

// ----------------------------------------------------------------------------------------- compare

static int same_result(const RiCampaignPlan *b, const char *name)
{
    for (int i = 0; i < b->result_count; i++)
        if (strcmp(b->results[i].name, name) == 0)
            return i;
    return -1;
}

/// Difference of the means with an interval of 95 % for unequal variances.
static void compare_results(const RiCampaignPlan *pa, const RiTable *a, const RiCampaignPlan *pb, const RiTable *b,
                            double *x, double *y)
{
    printf("  %-22s %12s %12s %12s   %s\n", "result", "mean of A", "mean of B", "B - A", "95 % interval");
    for (int i = 0; i < a->results; i++) {
        const int k = same_result(pb, pa->results[i].name);
        if (k < 0) {
            printf("  %-22s is not in B\n", pa->results[i].name);
            continue;
        }
        const int n = campaign_column(a, i, x, NULL), m = campaign_column(b, k, y, NULL);
        const double d = ri_mean(y, m) - ri_mean(x, n);
        const double half = 1.959963984540054 * sqrt(ri_variance(x, n) / fmax(1, n) + ri_variance(y, m) / fmax(1, m));
        printf("  %-22s %12.6g %12.6g %12.6g   %.6g to %.6g%s\n", pa->results[i].name, ri_mean(x, n), ri_mean(y, m), d,
               d - half, d + half, fabs(d) > half ? "  differs" : "");
    }
}

static CliExit compare(Campaign *a, Campaign *b)
{
    RiTable ta = {0}, tb = {0};
    RiStatus status = ri_store_table(a->store, a->plan, &ta);
    if (status != RI_OK)
        return cli_fail(a->ctx, status);
    status = ri_store_table(b->store, b->plan, &tb);
    if (status != RI_OK) {
        ri_table_free(&ta);
        return cli_fail(b->ctx, status);
    }
    int sa, sb, equal = 0, both = 0;
    const int na = finished(&ta, &sa), nb = finished(&tb, &sb);
    for (int i = 0; i < ta.count && i < tb.count; i++) {
        const bool done = ta.runs[i].status == RI_RUN_DONE && tb.runs[i].status == RI_RUN_DONE;
        both += done;
        equal += done && ta.runs[i].hash == tb.runs[i].hash;
    }
    printf("A: %s, %d runs, %d successful\nB: %s, %d runs, %d successful\n", a->plan->name, na, sa, b->plan->name, nb,
           sb);
    printf("  %d of %d runs of both ended in the same bits\n", equal, both);
    double *x = malloc(((size_t)ta.count + 1) * sizeof *x), *y = malloc(((size_t)tb.count + 1) * sizeof *y);
    if (x && y)
        compare_results(a->plan, &ta, b->plan, &tb, x, y);
    free(x);
    free(y);
    ri_table_free(&ta);
    ri_table_free(&tb);
    return CLI_DONE;
}

int campaign_compare(int argc, char **argv)
{
    CampaignArgs args;
    Campaign a = {.args = &args}, b = {.args = &args};
    campaign_parse(argc, argv, "STORE_A STORE_B", "Compares two campaigns result by result, and run by run.", 2, 2,
                   &args);
    CliExit code = campaign_open(&a, args.words[0]);
    if (code == CLI_DONE)
        code = campaign_open(&b, args.words[1]);
    if (code == CLI_DONE)
        code = compare(&a, &b);
    campaign_close(&a);
    campaign_close(&b);
    return code;
}
