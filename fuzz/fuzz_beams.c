// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: tables of lidar beams. Beams that are accepted have unit directions; a table that
/// is refused has a message.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <rille/rille.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiBeam *beams;
    RiLidar lidar = ri_lidar_grid(1, 0.0, 0.0, 1, 10.0);
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 0;
    RiStatus status = ri_beams_parse(ctx, "fuzz.csv", (const char *)data, size, &lidar, &beams);
    if (status == RI_OK && ri_lidar_check(ctx, "fuzz", &lidar) == RI_OK)
        for (int i = 0; i < 3 * lidar.shots && i < 1000; i++) {
            const RiBeam b = ri_lidar_beam(&lidar, i);
            if (!(fabs(ri_norm(b.direction) - 1.0) < 1e-6) || !isfinite(b.time))
                abort();
        }
    if (status != RI_OK && !*ri_context_message(ctx))
        abort();
    ri_beams_free(ctx, beams);
    ri_context_destroy(ctx);
    return 0;
}
