// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pages that watch a run (`rille run --view`). The log is written as without them; pausing from a
/// page stretches the wall clock only.
#include <stdio.h>

#include "run/run.h"
#include "view/view.h"

RiStatus run_view_open(Run *run)
{
    if (!run->args->view)
        return RI_OK;
    const ViewArgs args = {.port = run->args->view_port};
    RiLiveOptions o = ri_live_options_default();
    o.speed = run->args->realtime ? run->args->factor : 0.0;
    o.may_restart = false;
    o.folder = run->folder;
    RI_TRY(view_start(run->ctx, &args, false, run->start_time, ri_scene_duration(run->scene), &run->view));
    RI_TRY(ri_live_create(run->ctx, run->view, &run->scene, 1, &o, &run->live));
    if (!run->args->quiet && !run->args->json)
        view_announce(&args, run->view);
    else
        cli_error("%s", ri_view_url(run->view));
    return RI_OK;
}

void run_view_wait(Run *run)
{
    ri_live_serve(run->live);
    while (ri_live_due(run->live) < 0 && !run_is_interrupted()) {
        view_nap(0.001);
        ri_live_serve(run->live);
    }
}

void run_view_close(Run *run)
{
    if (!run->live)
        return;
    ri_live_stop(run->live, 0, *run->detail ? run->detail : run_stop_name(run->stop));
    ri_live_serve(run->live);
    view_nap(0.1); // so that pages see the end
    ri_view_destroy(run->view);
    ri_live_destroy(run->live);
    run->view = NULL;
    run->live = NULL;
}
