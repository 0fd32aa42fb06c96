// SPDX-License-Identifier: Apache-2.0
/// \file
/// Logs, shown.
#include <math.h>
#include <stdio.h>

#include "run/run.h"
#include "view/view.h"

typedef struct Replay {
    RiContext *ctx;
    RiLog *logs[VIEW_INPUTS];
    RiView *view;
    RiReplay *replay;
} Replay;

static RiStatus open_logs(Replay *r, const ViewArgs *args)
{
    for (int i = 0; i < args->input_count; i++) {
        RI_TRY(ri_log_open(r->ctx, args->inputs[i], &r->logs[i]));
        if (!ri_log_is_complete(r->logs[i]))
            cli_error(
                "%s: note: the log was not closed (a killed run?); it is shown up to its last whole chunk, %.9g s",
                args->inputs[i], ri_log_end(r->logs[i]));
    }
    return RI_OK;
}

static RiStatus start(Replay *r, const ViewArgs *args)
{
    double begin = INFINITY, end = 0.0;
    RI_TRY(open_logs(r, args));
    for (int i = 0; i < args->input_count; i++) {
        begin = fmin(begin, ri_log_start(r->logs[i]));
        end = fmax(end, ri_log_end(r->logs[i]));
    }
    RI_TRY(view_start(r->ctx, args, true, begin, end, &r->view));
    return ri_replay_create(r->ctx, r->view, r->logs, args->inputs, args->input_count, &r->replay);
}

static void serve_page(void *user)
{
    ri_replay_serve(((Replay *)user)->replay);
}

/// The page asks for the moment itself.
static double go(void *user, double time)
{
    (void)user;
    return time;
}

static CliExit draw(Replay *r, const ViewArgs *args)
{
    ViewStage stage = {.view = r->view, .user = r, .serve = serve_page, .go = go, .replay = true, .start = INFINITY};
    for (int i = 0; i < args->input_count; i++) {
        stage.start = fmin(stage.start, ri_log_start(r->logs[i]));
        stage.end = fmax(stage.end, ri_log_end(r->logs[i]));
    }
    run_catch_signals(false);
    return view_draw(args, &stage);
}

CliExit view_replay(const ViewArgs *args)
{
    Replay r = {0};
    CliExit code = CLI_DONE;
    if (args->setting_count > 0) {
        cli_error("--set is for scenes; a log cannot be changed");
        return CLI_BAD_INPUT;
    }
    if (ri_context_create(NULL, &r.ctx) != RI_OK)
        return cli_no_memory();
    const RiStatus status = start(&r, args);
    if (status != RI_OK) {
        code = cli_fail(r.ctx, status);
    } else if (view_draws(args)) {
        code = draw(&r, args);
    } else {
        view_announce(args, r.view);
        run_catch_signals(false);
        while (!run_take_interrupt()) {
            ri_replay_serve(r.replay);
            view_nap(0.004);
        }
    }
    ri_view_destroy(r.view);
    ri_replay_destroy(r.replay);
    for (int i = 0; i < VIEW_INPUTS; i++)
        ri_log_close(r.logs[i]);
    ri_context_destroy(r.ctx);
    return code;
}
