// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes that run while pages watch.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "run/run.h"
#include "terrain/terrain.h"
#include "view/view.h"

typedef struct Live {
    RiContext *ctx;
    RiScene *scenes[VIEW_INPUTS];
    RiView *view;
    RiLive *live;
    bool over[VIEW_INPUTS]; ///< no tick is left, for pictures
} Live;

static CliExit open_scene(RiContext *ctx, const ViewArgs *args, const char *word, RiScene **out_scene)
{
    char path[PATH_MAX];
    if (!cli_find_scene(word, path))
        return CLI_BAD_INPUT;
    RiSceneOptions o = ri_scene_options_default();
    o.settings = args->settings;
    o.setting_count = args->setting_count;
    const RiStatus status = cli_open_scene(ctx, path, o, out_scene);
    return status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
}

static double longest(const Live *l, int count)
{
    double end = 0.0;
    for (int i = 0; i < count; i++)
        if (ri_scene_duration(l->scenes[i]) > end)
            end = ri_scene_duration(l->scenes[i]);
    return end;
}

/// One tick of a run, or the end of it.
static void step(Live *l, int run)
{
    RiSim *sim = ri_scene_sim(l->scenes[run]);
    if (ri_sim_time(sim) >= ri_scene_duration(l->scenes[run]) - 0.5 * ri_sim_options(sim)->tick)
        ri_live_stop(l->live, run, "duration reached");
    else
        ri_live_stepped(l->live, run, ri_sim_step(sim));
}

// --- pictures ------------------------------------------------------------------------------------

static void serve_page(void *user)
{
    ri_live_serve(((Live *)user)->live);
}

/// Runs all scenes to a time, as fast as they go.
static double go(void *user, double time)
{
    Live *l = user;
    double reached = time;
    for (int i = 0; i < VIEW_INPUTS && l->scenes[i]; i++) {
        RiSim *sim = ri_scene_sim(l->scenes[i]);
        const double tick = ri_sim_options(sim)->tick;
        while (ri_sim_time(sim) < time - 1e-6 * tick && !l->over[i] && !run_is_interrupted()) {
            const RiStatus status = ri_sim_step(sim);
            ri_live_stepped(l->live, i, status);
            l->over[i] = status != RI_OK || ri_sim_stopped(sim);
            if (status != RI_OK)
                cli_fail(l->ctx, status);
        }
        reached = i == 0 ? ri_sim_time(sim) : fmin(reached, ri_sim_time(sim));
    }
    ri_live_serve(l->live);
    return reached;
}

static CliExit draw(Live *l, const ViewArgs *args)
{
    const ViewStage stage = {
        .view = l->view, .user = l, .serve = serve_page, .go = go, .end = longest(l, args->input_count)};
    run_catch_signals(false);
    return view_draw(args, &stage);
}

static CliExit serve(Live *l, const ViewArgs *args)
{
    RiLiveOptions o = ri_live_options_default();
    o.speed = args->speed;
    o.paused = args->paused || view_draws(args);
    RiStatus status = view_start(l->ctx, args, false, 0.0, longest(l, args->input_count), &l->view);
    if (status == RI_OK)
        status = ri_live_create(l->ctx, l->view, l->scenes, args->input_count, &o, &l->live);
    if (status != RI_OK)
        return cli_fail(l->ctx, status);
    if (view_draws(args))
        return draw(l, args);
    view_announce(args, l->view);
    run_catch_signals(false);
    while (!run_take_interrupt()) {
        ri_live_serve(l->live);
        const int run = ri_live_due(l->live);
        if (run >= 0)
            step(l, run);
        else
            view_nap(0.001);
    }
    return CLI_DONE;
}

CliExit view_live(const ViewArgs *args)
{
    Live l = {0};
    CliExit code = CLI_DONE;
    if (ri_context_create(NULL, &l.ctx) != RI_OK)
        return cli_no_memory();
    for (int i = 0; i < args->input_count && code == CLI_DONE; i++)
        code = open_scene(l.ctx, args, args->inputs[i], &l.scenes[i]);
    if (code == CLI_DONE)
        code = serve(&l, args);
    ri_view_destroy(l.view);
    ri_live_destroy(l.live);
    for (int i = 0; i < VIEW_INPUTS; i++)
        ri_scene_destroy(l.scenes[i]);
    ri_context_destroy(l.ctx);
    return code;
}
