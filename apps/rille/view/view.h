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
    const char *png, *video, *camera, *layers; ///< NULL: not given
    bool rays;                                 ///< --renderer rays: no browser
    double at, from, to, fps;                  ///< [s], [1/s]; NAN: not given
    int width, height;                         ///< of pictures
} ViewArgs;

/// Whether a word names a log (and not a scene).
bool view_is_log(const char *word);
/// Starts the server.
RiStatus view_start(RiContext *ctx, const ViewArgs *args, bool replay, double start, double end, RiView **out_view);
/// Prints the address and opens it in a browser, if there is a screen and it is wanted.
void view_announce(const ViewArgs *args, const RiView *view);
/// Sleeps a little; a signal ends it.
void view_nap(double seconds);

/// Whether pictures are wanted instead of a page on a screen.
bool view_draws(const ViewArgs *args);

/// What pictures are drawn of.
typedef struct ViewStage {
    RiView *view;
    void *user;
    void (*serve)(void *user);             ///< carries out what the page asks for
    double (*go)(void *user, double time); ///< brings the run to a time, or to its end before it; the time reached
    bool replay;
    double start, end; ///< [s]
} ViewStage;
/// Draws args->png or args->video without a display, through a browser that shows the page.
CliExit view_draw(const ViewArgs *args, const ViewStage *stage);

/// A picture in memory.
typedef struct ViewPicture {
    double time; ///< [s]
    unsigned char *png;
    size_t size;
} ViewPicture;
/// Draws a log at the times given; false after a message. The caller frees the pictures that were
/// made, in either case.
bool view_draw_log(RiContext *ctx, const char *path, ViewPicture *pictures, int count, int width, int height);

CliExit view_live(const ViewArgs *args);
CliExit view_replay(const ViewArgs *args);

#endif
