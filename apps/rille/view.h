// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the files of `rille view` share, and what `rille run --view` uses of them.
#ifndef RILLE_APP_VIEW_H
#define RILLE_APP_VIEW_H

#include "cli.h"

enum { VIEW_INPUTS = RI_VIEW_RUNS, VIEW_ORIGINS = 16 };

/// The command line.
typedef struct ViewArgs {
    const char *inputs[VIEW_INPUTS];
    int input_count;
    RiSetting *settings;
    int setting_count;
    const char *listen, *token;
    const char *origins[VIEW_ORIGINS];
    int origin_count;
    int port;
    double speed;
    bool paused, no_open;
    const char *png, *video, *camera;
    double at, from, to, fps; ///< [s], [1/s]; NAN: not given
    int width, height;
} ViewArgs;

/// Whether a word names a log (and not a scene).
bool view_is_log(const char *word);
/// Starts the server.
RiStatus view_start(RiContext *ctx, const ViewArgs *args, bool replay, double start, double end, RiView **out_view);
/// Prints the address and opens it in a browser, if there is a screen and it is wanted.
void view_announce(const ViewArgs *args, const RiView *view);
/// Sleeps a little; a signal ends it.
void view_nap(double seconds);

CliExit view_live(const ViewArgs *args);
CliExit view_replay(const ViewArgs *args);

#endif
