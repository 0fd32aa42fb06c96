// SPDX-License-Identifier: Apache-2.0
/// \file
/// One run of `rille bench`: what was asked for, the peers that answer, and whether anything went wrong.
///
///     cmd_bench --> BenchRun --> bench_dynamics --> bench_limits --> rows
#ifndef RILLE_BENCH_RUN_H
#define RILLE_BENCH_RUN_H

#include "bench_peers.h"
#include "bench_rows.h"

typedef struct BenchRun {
    const char *bench; ///< name in the rows
    BenchFormat format;
    int repeats;
    double seconds;   ///< that one timing lasts [s]
    const char *only; ///< measure only cases whose name contains this; NULL: all
    BenchPeers peers;
    bool failed; ///< an engine disagreed or one of our calls failed
} BenchRun;

/// Whether a case is wanted; tells the terminal what is being measured.
bool bench_wants(const BenchRun *run, const char *name);
void bench_emit(const BenchRun *run, const BenchRow *row);
/// Says what went wrong on standard error and marks the run as failed.
void bench_fail(BenchRun *run, const char *name, const char *why);

/// Dynamics against the peers, then against limits.
void bench_dynamics(BenchRun *run);
/// Share of the machine's peak, growth with the number of bodies, cost of gears, loading.
void bench_limits(BenchRun *run);
/// Snakes on ice: against real time and MuJoCo, growth with modules, the slowest step, allocations.
void bench_snake(BenchRun *run);
/// Rovers: stances per second on a DEM, a driven MER on a height field against real time and MuJoCo.
void bench_rover(BenchRun *run);
/// Row of bench_rover: runs of FIDO's campaign per second on two cores.
void bench_rover_campaign(BenchRun *run);
void bench_contact_rover(BenchRun *run); // a rover with integrator moreau
/// Ticks with devices and a log, log writing, start-up of a scene.
void bench_sim(BenchRun *run);
/// Cost of a page that watches, bytes on the wire, opening and seeking in a log of an hour.
void bench_view(BenchRun *run);
/// Lookups in distance grids against raw gathers, closest points against bare Embree, baking, the cache; height fields; large maps.
void bench_terrain(BenchRun *run);
/// Contact problems with exact friction, from files and families, against Siconos Numerics; growth with contacts.
void bench_contact(BenchRun *run);
/// One soil node, one wheel and a six-wheeled rover on soft soil with ruts.
void bench_soil(BenchRun *run);
/// Rows of bench_terrain for large maps: opening, memory, pages, heights from pages, a walk over 10 km.
void bench_terrain_tiles(BenchRun *run);

#endif
