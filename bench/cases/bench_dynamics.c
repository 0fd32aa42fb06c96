// SPDX-License-Identifier: Apache-2.0
/// \file
/// Dynamics against the peers: every engine builds the same mechanism, shows that it computes the
/// same numbers, and is then timed in rounds (ours, peer 1, peer 2, ..., ours, ...), so that a
/// change of the machine's mood meets all alike.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_run.h"
#include "bench/cases/bench_ours.h"

static const struct {
    const char *mechanism, *quantity;
} comparisons[] = {
    {"snake36", "fd"},           {"snake36_geared", "fd"},   {"chain8", "fd"},          {"chain32", "fd"},
    {"chain128", "fd"},          {"chain512", "fd"},         {"tree32", "fd"},          {"tree512", "fd"},
    {"snake36", "id"},           {"snake36", "id_velocity"}, {"snake36", "id_full"},    {"snake36", "kin"},
    {"snake36", "crba_factor"},  {"snake36", "jacobians"},   {"snake36", "delassus20"}, {"chain128", "id"},
    {"chain128", "crba_factor"}, {"chain128", "jacobians"},  {"tree512", "id"},
};

/// The ratios that we want to reach, by case and peer (docs/performance.md).
static const struct {
    const char *name, *peer;
    double ratio;
} bars[] = {
    {"snake36.fd", "fastest", 4.0},          {"snake36.fd", "mujoco", 5.0},
    {"chain512.fd", "fastest", 4.0},         {"snake36.id", "mujoco", 2.0},
    {"snake36.id_velocity", "mujoco", 2.0},  {"snake36.jacobians", "fastest", 2.0},
    {"snake36.crba_factor", "fastest", 2.0}, {"snake36.delassus20", "fastest", 2.0},
};

/// Timings of one case; engine 0 is ours, engine 1 + p is peer p.
typedef struct Timings {
    bool offered[1 + BENCH_MAX_PEERS], agrees[1 + BENCH_MAX_PEERS];
    double *samples[1 + BENCH_MAX_PEERS]; ///< repeats numbers each [us]
    double median[1 + BENCH_MAX_PEERS], spread[1 + BENCH_MAX_PEERS];
} Timings;

static double bar_of(const char *name, const char *peer)
{
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
        if (strcmp(bars[i].name, name) == 0 && strncmp(bars[i].peer, peer, strlen(bars[i].peer)) == 0)
            return bars[i].ratio;
    return NAN;
}

/// Equal to 1e-6 of each number; numbers far smaller than the largest one are compared on its
/// scale.
static bool agree(const double a[BENCH_CHECKS], const double b[BENCH_CHECKS])
{
    double scale = 0.0;
    for (int k = 0; k < BENCH_CHECKS; k++)
        scale = fmax(scale, fabs(a[k]));
    for (int k = 0; k < BENCH_CHECKS; k++)
        if (!(fabs(a[k] - b[k]) <= 1e-6 * fmax(fmax(fabs(a[k]), fabs(b[k])), 1e-3 * scale)))
            return false;
    return true;
}

static void check_engines(BenchRun *run, const char *mechanism, const char *quantity, void *model, Timings *t)
{
    double ours[BENCH_CHECKS], theirs[BENCH_CHECKS];
    t->offered[0] = t->agrees[0] = bench_ours.check(model, quantity, ours);
    for (int p = 0; p < run->peers.count; p++) {
        t->offered[1 + p] = bench_peer_check(&run->peers, p, mechanism, quantity, theirs);
        t->agrees[1 + p] = t->offered[1 + p] && agree(ours, theirs);
        if (t->offered[1 + p] && !t->agrees[1 + p]) {
            char why[256];
            snprintf(why, sizeof why, "%s disagrees: ours %.9g %.9g %.9g %.9g, theirs %.9g %.9g %.9g %.9g",
                     run->peers.list[p].label, ours[0], ours[1], ours[2], ours[3], theirs[0], theirs[1], theirs[2],
                     theirs[3]);
            bench_fail(run, mechanism, why);
        }
    }
}

static void time_engines(BenchRun *run, const char *mechanism, const char *quantity, void *model, Timings *t)
{
    for (int r = 0; r < run->repeats; r++) {
        t->samples[0][r] = bench_time(bench_ours.find(model, quantity), model, run->seconds);
        for (int p = 0; p < run->peers.count; p++)
            t->offered[1 + p] = t->offered[1 + p] && bench_peer_time(&run->peers, p, mechanism, quantity, run->seconds,
                                                                     &t->samples[1 + p][r]);
    }
    for (int e = 0; e <= run->peers.count; e++)
        if (t->offered[e])
            t->median[e] = bench_median(t->samples[e], run->repeats, &t->spread[e]);
}

static void emit_peer(const BenchRun *run, const char *name, const Timings *t, int engine, bool as_fastest)
{
    BenchRow row = bench_row(run->bench, name, "us", run->repeats);
    row.ours = t->median[0];
    row.spread = t->spread[0];
    if (engine > 0) {
        const char *label = run->peers.list[engine - 1].label;
        row.peer = as_fastest ? "fastest" : label;
        row.peer_name = as_fastest ? label : NULL;
        row.peer_value = t->median[engine];
        row.peer_spread = t->spread[engine];
        row.ratio = row.peer_value / row.ours;
        row.valid = t->agrees[engine];
        row.bar = bar_of(name, row.peer);
    }
    bench_emit(run, &row);
}

/// One row per peer that offers the quantity, then the fastest of those that agree; ours alone if
/// there is none.
static void emit(const BenchRun *run, const char *name, const Timings *t)
{
    int fastest = 0, peers = 0;
    for (int e = 1; e <= run->peers.count; e++) {
        if (!t->offered[e])
            continue;
        emit_peer(run, name, t, e, false);
        peers++;
        if (t->agrees[e] && (!fastest || t->median[e] < t->median[fastest]))
            fastest = e;
    }
    if (fastest)
        emit_peer(run, name, t, fastest, true);
    else if (peers == 0)
        emit_peer(run, name, t, 0, false);
}

static void compare(BenchRun *run, const char *mechanism, const char *quantity)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", mechanism, quantity);
    if (!bench_wants(run, name))
        return;
    const size_t engines = 1 + (size_t)run->peers.count, repeats = (size_t)run->repeats;
    BenchMechanism *table = bench_mechanism_create(mechanism);
    void *model = table ? bench_ours.open(table) : NULL;
    double *samples = calloc(engines * repeats, sizeof *samples);
    if (model && samples && bench_ours.find(model, quantity)) {
        Timings t = {.offered = {false}};
        for (size_t e = 0; e < engines; e++)
            t.samples[e] = samples + e * repeats;
        check_engines(run, mechanism, quantity, model, &t);
        time_engines(run, mechanism, quantity, model, &t);
        emit(run, name, &t);
        if (bench_ours_failure(model))
            bench_fail(run, name, bench_ours_failure(model));
    } else {
        bench_fail(run, name, "could not be built");
    }
    free(samples);
    bench_ours_close(model);
    bench_mechanism_destroy(table);
}

void bench_dynamics(BenchRun *run)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        compare(run, comparisons[i].mechanism, comparisons[i].quantity);
    bench_limits(run);
}
