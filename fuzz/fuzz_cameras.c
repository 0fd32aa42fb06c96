// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: tables of cameras. A camera that is accepted has a finite ray for pixels of its
/// frame, and the ray's points appear at a finite place or nowhere; a table that is refused has a
/// message.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <rille/rille.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const RiCamera *c)
{
    for (int i = 0; i < 9; i++) {
        const double s = (c->width - 1) * (i % 3) / 2.0, l = (c->height - 1) * (i / 3) / 2.0;
        RiVec3 o, d;
        double x, y;
        if (!ri_camera_ray(c, s, l, &o, &d))
            continue;
        if (!isfinite(d.x + d.y + d.z + o.x + o.y + o.z))
            abort();
        if (ri_camera_project(c, ri_add(o, ri_scale(3.0, d)), &x, &y) && (isnan(x) || isnan(y)))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiCameras *set;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 0;
    const RiStatus status = ri_cameras_parse(ctx, "fuzz.csv", (const char *)data, size, &set);
    if (status != RI_OK && !*ri_context_message(ctx))
        abort();
    for (int i = 0; status == RI_OK && i < ri_cameras_count(set); i++)
        look(ri_cameras_get(set, i));
    ri_cameras_destroy(set);
    ri_context_destroy(ctx);
    return 0;
}
