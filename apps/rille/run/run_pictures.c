// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pictures of a run for its report, drawn while it runs: by ray tracing on the processor, so that
/// neither a browser nor a display is needed. In a build without Embree the report draws them from
/// the log with a browser (run_files.c).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>
#include <rille/memory.h>
#include <rille/picture.h>

#include "optics/optics.h"
#include "run/run.h"

enum { WIDTH = 960, HEIGHT = 540, SAMPLES = 8, THREADS = 2 };

/// Says why there are no pictures, and goes on without.
static void give_up(Run *run)
{
    cli_error("--pictures: %s; the report has no more pictures", ri_context_message(run->ctx));
    ri_perception_destroy(run->eyes);
    run->eyes = NULL;
}

static RiStatus draw(Run *run, ViewPicture *out)
{
    RiCamera camera = ri_camera_pinhole(WIDTH, HEIGHT, 0.9);
    RiPose pose;
    RiPictureView view;
    uint8_t *png;
    RI_TRY(ri_perception_look(run->eyes));
    RI_TRY(ri_camera_check(run->ctx, "report", &camera));
    optics_view_pose(run->scene, NULL, &pose);
    RI_TRY(ri_perception_picture_from(run->eyes, &camera, &pose, SAMPLES, false, &view));
    RI_TRY(ri_picture_encode(run->ctx, &(RiPicture){(uint8_t *)(uintptr_t)view.rgb, view.width, view.height}, &png,
                             &out->size));
    out->png = malloc(out->size);
    if (out->png)
        memcpy(out->png, png, out->size);
    ri_release(run->ctx, png);
    out->time = ri_sim_time(run->sim);
    return out->png ? RI_OK : ri_error_memory(run->ctx);
}

static void take(Run *run)
{
    if (!run->eyes || run->picture_count == RUN_PICTURES)
        return;
    if (draw(run, &run->pictures[run->picture_count]) == RI_OK)
        run->picture_count++;
    else
        give_up(run);
}

void run_pictures_begin(Run *run)
{
    if (!run->args->pictures || run->args->interactive)
        return;
    const RiStatus status = ri_perception_create(run->ctx, run->scene, THREADS, NULL, &run->eyes);
    if (status == RI_ERR_UNSUPPORTED)
        return; // the report asks a browser
    if (status != RI_OK)
        give_up(run);
    take(run);
}

void run_pictures_tick(Run *run)
{
    const double tick = ri_sim_options(run->sim)->tick, now = ri_sim_time(run->sim);
    if (!run->eyes)
        return;
    for (int i = 0; i < ri_scene_picture_count(run->scene); i++) {
        const double time = ri_scene_picture(run->scene, i);
        if (time > now - 0.5 * tick && time <= now + 0.5 * tick && run->picture_count < RUN_PICTURES - 1)
            take(run);
    }
}

void run_pictures_end(Run *run)
{
    char path[PATH_MAX];
    if (!run->eyes)
        return;
    take(run);
    if (run->picture_count == 0)
        return;
    const ViewPicture *last = &run->pictures[run->picture_count - 1];
    run_path(run, "picture.png", path);
    if (ri_file_write(run->ctx, path, last->png, last->size) != RI_OK)
        cli_error("%s", ri_context_message(run->ctx));
}

void run_pictures_free(Run *run)
{
    for (int i = 0; i < run->picture_count; i++)
        free(run->pictures[i].png);
    ri_perception_destroy(run->eyes);
    run->eyes = NULL;
}
