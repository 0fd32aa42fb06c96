// SPDX-License-Identifier: Apache-2.0
/// \file
/// Choosing signals by glob, and CSV. Rows are the union of times; a cell is empty where its signal
/// has no sample then.
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/names.h"
#include "io/file/sink.h"
#include "io/record/log_work.h"

// --- choosing ------------------------------------------------------------------------------------

/// Says what could have been meant: a name with a slip, or one that contains the text.
static RiStatus unknown_signal(const RiLog *log, const char *glob)
{
    const char *meant = ri_names_nearest(&log->names, glob);
    for (size_t i = 0; i < log->signal_count && !meant && *glob; i++)
        if (strstr(log->signals[i].name, glob))
            meant = log->signals[i].name;
    if (meant)
        return ri_error(log->ctx, RI_ERR_NOT_FOUND, "%s: there is no signal '%s'; did you mean '%s'?", log->path, glob,
                        meant);
    return ri_error(log->ctx, RI_ERR_NOT_FOUND, "%s: there is no signal '%s'; the log has %zu signals", log->path, glob,
                    log->signal_count);
}

static RiStatus select_signals(RiLog *log, const char *const *globs, int count, bool *taken, int *list, int *out_count)
{
    int n = 0;
    for (int g = 0; g < count; g++) {
        bool found = false;
        for (size_t i = 0; i < log->signal_count; i++) {
            if (!ri_glob_match(globs[g], log->signals[i].name))
                continue;
            found = true;
            if (!taken[i])
                list[n++] = (int)i;
            taken[i] = true;
        }
        if (!found)
            return unknown_signal(log, globs[g]);
    }
    *out_count = n;
    return RI_OK;
}

RiStatus ri_log_select(RiLog *log, const char *const *globs, int count, int **out_signals, int *out_count)
{
    static const char *const all[] = {"*"};
    *out_signals = NULL;
    *out_count = 0;
    if (count == 0 && log->signal_count == 0)
        return RI_OK;
    bool *taken = ri_alloc_zero(log->ctx, log->signal_count, sizeof *taken);
    int *list = ri_alloc(log->ctx, log->signal_count, sizeof *list);
    RiStatus status = RI_OK;
    if (!taken || !list)
        status = ri_error_memory(log->ctx);
    else
        status = select_signals(log, count > 0 ? globs : all, count > 0 ? count : 1, taken, list, out_count);
    ri_release(log->ctx, taken);
    if (status != RI_OK)
        ri_release(log->ctx, list);
    else
        *out_signals = list;
    return status;
}

// --- rows ----------------------------------------------------------------------------------------

/// A sample of a channel: the signals of a channel share their times, so one series represents all.
typedef struct Row {
    double time;
    int channel;
    size_t place; ///< in the channel's series
} Row;

typedef struct Table {
    RiLog *log;
    const int *signals;
    int count;
    RiLogSeries *series;
    int *lead;    ///< by channel: first series of it, -1: none
    size_t *cell; ///< by channel: place + 1 of the sample in the current line, 0: none
    Row *rows;
    size_t row_count;
    RiBytes text;
    RiSink *sink;
} Table;

static int compare_rows(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->channel < y->channel ? -1 : x->channel > y->channel;
}

static RiStatus sort_rows(Table *t)
{
    size_t n = 0;
    for (size_t c = 0; c < t->log->channel_count; c++)
        n += t->lead[c] >= 0 ? t->series[t->lead[c]].count : 0;
    t->rows = ri_alloc(t->log->ctx, n, sizeof *t->rows);
    if (!t->rows)
        return ri_error_memory(t->log->ctx);
    for (size_t c = 0; c < t->log->channel_count; c++)
        for (size_t i = 0; t->lead[c] >= 0 && i < t->series[t->lead[c]].count; i++)
            t->rows[t->row_count++] = (Row){t->series[t->lead[c]].times[i], (int)c, i};
    if (n > 1)
        qsort(t->rows, n, sizeof *t->rows, compare_rows);
    return RI_OK;
}

// --- text ----------------------------------------------------------------------------------------

static RiStatus write_out(Table *t, size_t least)
{
    if (t->text.failed)
        return ri_error_memory(t->log->ctx);
    if (t->text.size < least)
        return RI_OK;
    RI_TRY(ri_sink_write(t->sink, t->text.at, t->text.size));
    t->text.size = 0;
    return RI_OK;
}

static void put_number(RiBytes *b, double x)
{
    char text[40];
    const int n = snprintf(text, sizeof text, "%.17g", x);
    ri_put_data(b, text, (size_t)n);
}

/// Name and unit, quoted where commas, quotes or line ends ask for it (RFC 4180).
static void put_heading(RiBytes *b, const char *name, const char *unit)
{
    const bool quoted = strpbrk(name, ",\"\r\n") || strpbrk(unit, ",\"\r\n");
    const char *const parts[] = {name, *unit ? " [" : "", unit, *unit ? "]" : ""};
    if (quoted)
        ri_put_u8(b, '"');
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const char *c = parts[i]; *c; c++) {
            if (*c == '"')
                ri_put_u8(b, '"');
            ri_put_u8(b, (unsigned char)*c);
        }
    if (quoted)
        ri_put_u8(b, '"');
}

static void put_line(Table *t, double time)
{
    put_number(&t->text, time);
    for (int i = 0; i < t->count; i++) {
        const size_t cell = t->cell[t->log->signals[t->signals[i]].channel];
        ri_put_u8(&t->text, ',');
        if (cell > 0)
            put_number(&t->text, t->series[i].values[cell - 1]);
    }
    ri_put_u8(&t->text, '\n');
}

/// A line takes samples of equal time, at most one of each channel.
static RiStatus write_rows(Table *t)
{
    enum { BLOCK = 65536 };
    put_heading(&t->text, "time", "s");
    for (int i = 0; i < t->count; i++) {
        const LogSignal *s = &t->log->signals[t->signals[i]];
        ri_put_u8(&t->text, ',');
        put_heading(&t->text, s->name, s->unit);
    }
    ri_put_u8(&t->text, '\n');
    for (size_t i = 0, first = 0; i < t->row_count; i++) {
        const Row *row = &t->rows[i];
        t->cell[row->channel] = row->place + 1;
        const Row *next = i + 1 < t->row_count ? row + 1 : NULL;
        if (next && next->time == row->time && t->cell[next->channel] == 0)
            continue;
        put_line(t, row->time);
        for (; first <= i; first++)
            t->cell[t->rows[first].channel] = 0;
        RI_TRY(write_out(t, BLOCK));
    }
    return write_out(t, 0);
}

static RiStatus make_table(Table *t, double from, double to)
{
    RiContext *ctx = t->log->ctx;
    t->series = ri_alloc_zero(ctx, (size_t)t->count, sizeof *t->series);
    t->lead = ri_alloc(ctx, t->log->channel_count, sizeof *t->lead);
    t->cell = ri_alloc_zero(ctx, t->log->channel_count, sizeof *t->cell);
    if (!t->series || !t->lead || !t->cell)
        return ri_error_memory(ctx);
    RI_TRY(ri_log_read_many(t->log, t->signals, t->count, from, to, t->series));
    for (size_t c = 0; c < t->log->channel_count; c++)
        t->lead[c] = -1;
    for (int i = t->count - 1; i >= 0; i--)
        t->lead[t->log->signals[t->signals[i]].channel] = i;
    return sort_rows(t);
}

static RiStatus write_file(Table *t, const char *path)
{
    RiSink sink;
    RI_TRY(ri_sink_open(&sink, t->log->ctx, path));
    t->sink = &sink;
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = plain ? uselocale(plain) : (locale_t)0;
    RiStatus status = plain ? write_rows(t) : ri_error_memory(t->log->ctx);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    return ri_sink_close(&sink, status);
}

RiStatus ri_log_write_csv_range(RiLog *log, const char *const *globs, int count, double from, double to,
                                const char *path)
{
    int *signals;
    Table t = {.log = log};
    RI_TRY(ri_log_select(log, globs, count, &signals, &t.count));
    t.signals = signals;
    ri_bytes_init(&t.text, log->ctx);
    RiStatus status = make_table(&t, from, to);
    if (status == RI_OK)
        status = write_file(&t, path);
    if (t.series)
        ri_log_free_series(log, t.series, t.count);
    ri_bytes_free(&t.text);
    ri_release(log->ctx, t.series);
    ri_release(log->ctx, t.lead);
    ri_release(log->ctx, t.cell);
    ri_release(log->ctx, t.rows);
    ri_release(log->ctx, signals);
    return status;
}

RiStatus ri_log_write_csv(RiLog *log, const char *const *globs, int count, const char *path)
{
    return ri_log_write_csv_range(log, globs, count, -INFINITY, INFINITY, path);
}
