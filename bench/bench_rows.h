// SPDX-License-Identifier: Apache-2.0
/// \file
/// Results of `rille bench`: one row per comparison, written as JSON lines, as a table for people,
/// or as Markdown.
#ifndef RILLE_BENCH_ROWS_H
#define RILLE_BENCH_ROWS_H

#include <stdbool.h>
#include <stdio.h>

typedef enum BenchFormat { BENCH_TABLE, BENCH_JSON, BENCH_MARKDOWN } BenchFormat;

/// A comparison. Numbers that do not exist are NaN (null in JSON).
typedef struct BenchRow {
    const char *bench;
    const char *name; ///< case and quantity: "snake36.fd"
    const char *unit;
    const char *peer;      ///< "mujoco 2.2.2", "fastest", "limit", ...
    const char *peer_name; ///< who the fastest is; NULL in other rows
    double ours, peer_value;
    double ratio;       ///< how many times better than the peer, or the fraction of the limit
    double spread;      ///< interquartile range over median of ours
    double peer_spread; ///< the same of the peer
    double bar;         ///< ratio we want to reach
    int repeats;
    bool valid; ///< the engines computed the same thing
} BenchRow;

/// Row with NaN in every number and nothing else set but `valid`.
BenchRow bench_row(const char *bench, const char *name, const char *unit, int repeats);

void bench_print_head(FILE *out, BenchFormat format);
void bench_print_row(FILE *out, BenchFormat format, const BenchRow *row);

/// Median and (p75 - p25) / median of `count` > 0 numbers, which are sorted in place; quartiles are
/// interpolated.
double bench_median(double *values, int count, double *out_spread);

/// The processor's name as the kernel tells it, "unknown processor" where it does not.
const char *bench_processor(void);

#endif
