// SPDX-License-Identifier: Apache-2.0
/// \file
/// Recorded series from tables and logs.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/record.h>
#include <rille/study/fit_series.h>

#include "base/expr.h"
#include "study/fit/csv_rows.h"

void ri_series_data_free(RiSeriesData *d)
{
    if (!d->ctx)
        return;
    ri_release(d->ctx, d->time);
    ri_release(d->ctx, d->value);
    *d = (RiSeriesData){.ctx = NULL};
}

/// The results of the plan that are series.
static RiStatus choose(RiContext *ctx, const RiCampaignPlan *plan, RiSeriesData *d)
{
    for (int i = 0; i < plan->result_count; i++) {
        if (plan->results[i].take != RI_TAKE_SERIES)
            continue;
        if (d->series == RI_SERIES_MOST)
            return ri_error(ctx, RI_ERR_LIMIT, "%s:%d: more than %d results with 'take: series'", plan->file,
                            plan->results[i].line, RI_SERIES_MOST);
        d->result[d->series++] = i;
    }
    return d->series ? RI_OK : ri_error(ctx, RI_ERR_FORMAT, "%s: a fit needs results with 'take: series'", plan->file);
}

// --- tables --------------------------------------------------------------------------------------

typedef struct Row {
    double number[RI_SERIES_MOST + 1]; ///< time first
} Row;

static RiStatus read_row(const RiCsvRows *t, void *rows, int *index)
{
    Row *row = (Row *)rows + *index;
    for (int i = 0; i < t->column_count; i++) {
        const char *text = ri_csv_text(t, i);
        if (i > 0 && !*text) {
            row->number[i] = NAN;
            continue;
        }
        if (!ri_number_parse(text, strlen(text), &row->number[i]) || !isfinite(row->number[i]))
            return ri_csv_refuse(t, i, "is not a finite number");
    }
    if (*index > 0 && !(row->number[0] > row[-1].number[0]))
        return ri_csv_refuse(t, 0, "is not later than the row before");
    ++*index;
    return RI_OK;
}

static RiStatus load_table(const RiCampaignPlan *plan, const char *path, RiSeriesData *d)
{
    const char *columns[RI_SERIES_MOST + 1] = {"time"};
    RiCsvRows rows = {.ctx = d->ctx, .path = path, .columns = columns, .column_count = d->series + 1};
    void *list = NULL;
    for (int s = 0; s < d->series; s++)
        columns[s + 1] = plan->results[d->result[s]].name;
    RI_TRY(ri_csv_load(&rows, sizeof(Row), read_row, &list, &d->rows));
    d->time = ri_alloc(d->ctx, (size_t)d->rows + 1, sizeof *d->time);
    d->value = ri_alloc(d->ctx, (size_t)d->rows * (size_t)d->series + 1, sizeof *d->value);
    for (int i = 0; d->time && d->value && i < d->rows; i++) {
        const Row *row = (const Row *)list + i;
        d->time[i] = row->number[0];
        memcpy(d->value + i * d->series, row->number + 1, (size_t)d->series * sizeof *d->value);
    }
    ri_release(d->ctx, list);
    return d->time && d->value ? RI_OK : ri_error_memory(d->ctx);
}

// --- logs ----------------------------------------------------------------------------------------

static RiStatus find_signal(const RiCampaignPlan *plan, const char *path, RiLog *log, RiContext *ctx, int result,
                            int *out)
{
    *out = ri_log_find_signal(log, plan->results[result].name);
    if (*out < 0)
        *out = ri_log_find_signal(log, plan->results[result].value);
    return *out >= 0 ? RI_OK
                     : ri_error(ctx, RI_ERR_NOT_FOUND, "%s: has neither '%s' nor '%.60s'", path,
                                plan->results[result].name, plan->results[result].value);
}

/// Signals of one group have the same times; the first one's are taken.
static RiStatus load_log(const RiCampaignPlan *plan, const char *path, RiSeriesData *d)
{
    RiLog *log;
    RI_TRY(ri_log_open(d->ctx, path, &log));
    RiStatus status = RI_OK;
    for (int s = 0; s < d->series && status == RI_OK; s++) {
        double *times = NULL, *values = NULL;
        int signal, count = 0;
        status = find_signal(plan, path, log, d->ctx, d->result[s], &signal);
        if (status == RI_OK)
            status = ri_log_read(log, signal, -INFINITY, INFINITY, &times, &values, &count);
        if (status == RI_OK && s == 0) {
            d->rows = count;
            d->time = ri_alloc(d->ctx, (size_t)count + 1, sizeof *d->time);
            d->value = ri_alloc(d->ctx, (size_t)count * (size_t)d->series + 1, sizeof *d->value);
            status = d->time && d->value ? RI_OK : ri_error_memory(d->ctx);
        }
        if (status == RI_OK && count != d->rows)
            status = ri_error(d->ctx, RI_ERR_FORMAT, "%s: '%s' has %d samples, the first series %d", path,
                              ri_log_signal_name(log, signal), count, d->rows);
        for (int i = 0; status == RI_OK && i < count; i++) {
            d->time[i] = times[i];
            d->value[i * d->series + s] = values[i];
        }
        ri_log_release(log, times);
        ri_log_release(log, values);
    }
    ri_log_close(log);
    return status;
}

RiStatus ri_series_data_load(RiContext *ctx, const RiCampaignPlan *plan, const char *path, RiSeriesData *out)
{
    const char *dot = strrchr(path, '.');
    *out = (RiSeriesData){.ctx = ctx};
    RiStatus status = choose(ctx, plan, out);
    if (status == RI_OK)
        status = dot && strcmp(dot, ".mcap") == 0 ? load_log(plan, path, out) : load_table(plan, path, out);
    for (int i = 0; status == RI_OK && i < out->rows; i++)
        for (int s = 0; s < out->series; s++)
            out->measured[s] += isfinite(out->value[i * out->series + s]);
    if (status == RI_OK && out->rows < 2)
        status = ri_error(ctx, RI_ERR_FORMAT, "%s: fewer than two rows", path);
    if (status != RI_OK)
        ri_series_data_free(out);
    return status;
}
