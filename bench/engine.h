// SPDX-License-Identifier: Apache-2.0
/// \file
/// What every engine under measurement offers, ours and the peers alike, and how a call is timed.
///
///     BenchMechanism --(open)--> an engine's model --(find quantity)--> a call --(bench_time)--> microseconds
///                                                  --(check quantity)-> four numbers that must agree between engines
///
/// | quantity      | what one call does                                                | state that is already computed     |
/// |---------------|-------------------------------------------------------------------|------------------------------------|
/// | `fd`          | accelerations from q, v and zero efforts, gravity included        | none                               |
/// | `id`          | efforts from accelerations                                        | position and velocity kinematics   |
/// | `id_velocity` | efforts from v and accelerations                                  | position kinematics                |
/// | `id_full`     | efforts from q, v and accelerations                               | none                               |
/// | `kin`         | poses of all bodies (and joint columns, where the engine keeps them) | none                            |
/// | `crba_factor` | mass matrix and its factor                                        | position kinematics                |
/// | `jacobians`   | Jacobians of all body frames, angular and linear rows             | position kinematics                |
/// | `delassus20`  | J M^-1 J^T of 20 points (60 x 60), J included                     | kinematics, and the factor, the articulated inertias or the inverse of M |
///
/// Engines draw the line between velocity kinematics and inverse dynamics differently: MuJoCo
/// computes the gyroscopic forces of the bodies in the latter, Rille in the former. `id` therefore
/// flatters Rille; `id_velocity` is like for like.
#ifndef RI_BENCH_ENGINE_H
#define RI_BENCH_ENGINE_H

#include <time.h>

#include "mechanism.h"

typedef void (*BenchCall)(void *model);

enum { BENCH_CHECKS = 4 };

/// Calls that start from positions move every joint by this much first, so that no engine can
/// answer from a cache [rad].
#define BENCH_NUDGE 1e-9

/// An engine. `open` returns NULL if it cannot build the mechanism; `find` returns NULL for a
/// quantity it does not offer and prepares the state that the quantity takes as computed; `check`
/// says what the last call of `find` computes.
typedef struct BenchEngine {
    const char *name;
    void *(*open)(const BenchMechanism *mechanism);
    BenchCall (*find)(void *model, const char *quantity);
    bool (*check)(void *model, const char *quantity, double out[BENCH_CHECKS]);
} BenchEngine;

/// CPU time of this thread [s]: what a free core would need, even if the machine is shared.
static inline double bench_cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Microseconds per call: doubles (at most sixteenfold) the number of calls until they last
/// `seconds`.
static inline double bench_time(BenchCall call, void *model, double seconds)
{
    long count = 1;
    for (;;) {
        const double start = bench_cpu_seconds();
        for (long i = 0; i < count; i++)
            call(model);
        const double spent = bench_cpu_seconds() - start;
        if (spent >= seconds)
            return spent * 1e6 / (double)count;
        double grow = spent > 1e-7 ? 1.2 * seconds / spent : 16.0;
        grow = grow > 16.0 ? 16.0 : grow < 1.5 ? 1.5 : grow;
        count = (long)((double)count * grow) + 1;
    }
}

/// Four numbers that represent a vector: first, middle, last, and a weighted sum.
static inline void bench_summary(const double *x, int n, double out[BENCH_CHECKS])
{
    out[0] = x[0];
    out[1] = x[n / 2];
    out[2] = x[n - 1];
    out[3] = 0.0;
    for (int i = 0; i < n; i++)
        out[3] += x[i] * (1 + i % 3);
}

/// Adds one Jacobian column (angular and linear part) to the sums that represent a set of
/// Jacobians.
static inline void bench_add_column(const double angular[3], const double linear[3], double sums[BENCH_CHECKS])
{
    for (int k = 0; k < 3; k++) {
        sums[0] += angular[k] * angular[k];
        sums[1] += linear[k] * linear[k];
        sums[2] += angular[k];
        sums[3] += linear[k];
    }
}

/// Four numbers that represent an n x n matrix: a corner, the opposite corner of the first row, the
/// trace, all entries.
static inline void bench_matrix_summary(const double *W, int n, double out[BENCH_CHECKS])
{
    out[0] = W[0];
    out[1] = W[n - 1];
    out[2] = out[3] = 0.0;
    for (int i = 0; i < n; i++)
        out[2] += W[i * n + i];
    for (int i = 0; i < n * n; i++)
        out[3] += W[i];
}

#endif
