// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rows of `rille bench`: statistics and the three ways to write them.
#include "bench/bench_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

BenchRow bench_row(const char *bench, const char *name, const char *unit, int repeats)
{
    const BenchRow row = {.bench = bench,
                          .name = name,
                          .unit = unit,
                          .peer = "none",
                          .ours = NAN,
                          .peer_value = NAN,
                          .ratio = NAN,
                          .spread = NAN,
                          .peer_spread = NAN,
                          .bar = NAN,
                          .repeats = repeats,
                          .valid = true};
    return row;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Value at fraction p of sorted numbers, interpolated between neighbours.
static double quantile(const double *sorted, int count, double p)
{
    const double place = p * (count - 1);
    const int k = (int)place;
    return k + 1 < count ? sorted[k] + (place - k) * (sorted[k + 1] - sorted[k]) : sorted[count - 1];
}

double bench_median(double *values, int count, double *out_spread)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    const double median = quantile(values, count, 0.5);
    if (out_spread)
        *out_spread = (quantile(values, count, 0.75) - quantile(values, count, 0.25)) / median;
    return median;
}

static void read_processor(char *name, size_t size)
{
    char line[256];
    snprintf(name, size, "unknown processor");
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (f)
        fclose(f);
}

const char *bench_processor(void)
{
    static char name[128]; // read once; benches have one thread here
    if (!*name)
        read_processor(name, sizeof name);
    return name;
}

static void json_string(FILE *out, const char *key, const char *text)
{
    fprintf(out, "\"%s\": \"", key);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, out);
    }
    fputs("\", ", out);
}

static void json_number(FILE *out, const char *key, double value)
{
    if (isfinite(value))
        fprintf(out, "\"%s\": %.6g, ", key, value);
    else
        fprintf(out, "\"%s\": null, ", key);
}

static void print_json(FILE *out, const BenchRow *row)
{
    fputc('{', out);
    json_string(out, "bench", row->bench);
    json_string(out, "case", row->name);
    json_string(out, "unit", row->unit);
    json_number(out, "ours", row->ours);
    json_string(out, "peer", row->peer);
    if (row->peer_name)
        json_string(out, "peer_name", row->peer_name);
    json_number(out, "peer_value", row->peer_value);
    json_number(out, "ratio", row->ratio);
    fprintf(out, "\"repeats\": %d, ", row->repeats);
    json_number(out, "spread", row->spread);
    json_number(out, "peer_spread", row->peer_spread);
    json_number(out, "bar", row->bar);
    json_string(out, "processor", bench_processor());
    fprintf(out, "\"valid\": %s}\n", row->valid ? "true" : "false");
}

/// A number in six columns or fewer, "-" if there is none.
static const char *cell(double value, char text[24])
{
    if (isfinite(value))
        snprintf(text, 24, fabs(value) < 1000.0 ? "%.3g" : "%.0f", value);
    else
        snprintf(text, 24, "-");
    return text;
}

static const char *verdict(const BenchRow *row)
{
    if (!row->valid)
        return "INVALID";
    if (!isfinite(row->bar) || !isfinite(row->ratio))
        return "";
    return row->ratio >= row->bar ? "yes" : "no";
}

static void print_cells(FILE *out, const char *format, const BenchRow *row)
{
    char ours[24], value[24], ratio[24], bar[24], spread[24], peer[96];
    snprintf(peer, sizeof peer, row->peer_name ? "%s (%s)" : "%s", row->peer, row->peer_name ? row->peer_name : "");
    cell(row->ours, ours);
    cell(row->peer_value, value);
    cell(row->ratio, ratio);
    cell(row->bar, bar);
    cell(100.0 * row->spread, spread);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // one of the two literals below
    fprintf(out, format, row->name, row->unit, ours, peer, value, ratio, bar, verdict(row), spread);
#pragma GCC diagnostic pop
}

static const char table_line[] = "%-30s %-8s %9s  %-24s %9s %8s %6s %-8s %6s\n";
static const char markdown_line[] = "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n";

void bench_print_head(FILE *out, BenchFormat format)
{
    if (format == BENCH_TABLE)
        fprintf(out, table_line, "case", "unit", "ours", "peer", "peer", "ratio", "bar", "reached", "spread%");
    if (format == BENCH_MARKDOWN)
        fprintf(out, "| case | unit | ours | peer | peer's value | ratio | bar | reached | spread %% |\n"
                     "|---|---|---|---|---|---|---|---|---|\n");
}

void bench_print_row(FILE *out, BenchFormat format, const BenchRow *row)
{
    if (format == BENCH_JSON)
        print_json(out, row);
    else
        print_cells(out, format == BENCH_TABLE ? table_line : markdown_line, row);
    fflush(out); // a run takes minutes: rows appear as they are measured
}
