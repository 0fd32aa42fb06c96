// SPDX-License-Identifier: Apache-2.0
/// \file
/// Named values, natively: what every link pays at least to read a thousand of them.
#include <stdlib.h>

#include "bench/links.h"

enum { VALUES = 1000, ROUNDS = 200 };

/// Reads VALUES of the table, from the first on and round again [us].
static double time_read(const RiValues *values, const int *index, double *x)
{
    const double begin = links_clock();
    for (int k = 0; k < ROUNDS; k++)
        ri_values_read_all(values, index, VALUES, x);
    return 1e6 * (links_clock() - begin) / ROUNDS;
}

void links_values(BenchRun *run)
{
    RiContext *ctx;
    if (!bench_wants(run, "values_read_1000"))
        return;
    RiScene *scene = links_open_scene(run, "mer_sand", &ctx);
    double *times = malloc((size_t)run->repeats * sizeof *times);
    int index[VALUES];
    double x[VALUES];
    if (scene && times) {
        const RiValues *values = ri_sim_values(ri_scene_sim(scene));
        for (int i = 0; i < VALUES; i++)
            index[i] = i % ri_values_count(values);
        for (int i = 0; i < run->repeats; i++)
            times[i] = time_read(values, index, x);
        links_limit(run, "values_read_1000", "us", times, 5.0);
    }
    free(times);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}
