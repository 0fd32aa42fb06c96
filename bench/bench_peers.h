// SPDX-License-Identifier: Apache-2.0
/// \file
/// Peer programs as children of `rille bench`: started once, asked line by line (protocol:
/// bench/peers/serve.h).
///
/// A peer that crashes, hangs or talks nonsense is ended, reported on standard error and left out
/// from then on.
#ifndef RILLE_BENCH_PEERS_H
#define RILLE_BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { BENCH_MAX_PEERS = 16 };

typedef struct BenchPeer {
    char label[64]; ///< "mujoco 2.2.2"; the file's name until it said hello
    pid_t pid;      ///< 0: ended
    int socket;
    char buffer[1024]; ///< received, not yet read as a line
    size_t used;
} BenchPeer;

typedef struct BenchPeers {
    BenchPeer list[BENCH_MAX_PEERS];
    int count;
    double timeout; ///< for an answer [s]
} BenchPeers;

/// Starts every executable `peer_*` of a folder, in the order of their names. False if the folder
/// cannot be read.
bool bench_peers_start(BenchPeers *peers, const char *folder, double timeout);
void bench_peers_stop(BenchPeers *peers);

/// The peer's answer to `CASE QUANTITY SECONDS` [us]. False if it does not offer it, or has ended.
bool bench_peer_time(BenchPeers *peers, int peer, const char *name, const char *quantity, double seconds,
                     double *out_us);
/// The peer's answer to `check CASE QUANTITY`.
bool bench_peer_check(BenchPeers *peers, int peer, const char *name, const char *quantity, double out[4]);

#endif
