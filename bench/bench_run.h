// SPDX-License-Identifier: Apache-2.0
/// \file
/// One run of `rille bench`: what was asked for, the peers that answer, and whether anything went
/// wrong.
///
///     main --> BenchRun --> bench_NAME of the table --> bench_emit --> rows
#ifndef RILLE_BENCH_RUN_H
#define RILLE_BENCH_RUN_H

#include "bench/bench_peers.h"
#include "bench/bench_rows.h"

typedef struct BenchRun {
    const char *bench; ///< name in the rows
    BenchFormat format;
    int repeats;
    double seconds;   ///< that one timing lasts [s]
    const char *only; ///< measure only cases whose name contains this; NULL: all
    BenchPeers peers;
    bool failed;     ///< an engine disagreed or one of our calls failed
    double expected; ///< duration told to the user, 0: not known [s]
    double start;    ///< of the wall clock [s]
    bool progress;   ///< standard error is a terminal that the rows do not go to
} BenchRun;

/// Whether a case is wanted; tells the terminal what is being measured.
bool bench_wants(const BenchRun *run, const char *name);
void bench_emit(const BenchRun *run, const BenchRow *row);
/// Says what went wrong on standard error and marks the run as failed.
void bench_fail(BenchRun *run, const char *name, const char *why);

// Every bench of the table.
#define BENCH(name, seconds, summary) void bench_##name(BenchRun *run);
#include "bench/benches.def"
#undef BENCH

// Parts of benches that have files of their own.
void bench_limits(BenchRun *run);         ///< of dynamics: share of the machine's peak, growth, gears, loading
void bench_rover_campaign(BenchRun *run); ///< of rover: runs of FIDO's campaign per second on two cores
void bench_contact_rover(BenchRun *run);  ///< of contact: a rover with integrator moreau
void bench_terrain_tiles(BenchRun *run);  ///< of terrain: large maps: opening, memory, pages, a walk over 10 km

#endif
