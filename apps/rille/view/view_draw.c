// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pictures and videos of scenes and logs, drawn without a display by a browser that shows the
/// viewer's page.
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>

#include "run/run.h"
#include "view/browser.h"
#include "view/video.h"
#include "view/view.h"

static const double ready_within = 120.0; ///< [s]: the page may have much ground to take in

bool view_draws(const ViewArgs *args)
{
    return args->png || args->video;
}

/// Text with what means something in an address escaped.
static void escape(const char *text, char *out, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,";
    size_t n = 0;
    for (; *text && n + 4 < size; text++)
        n += (size_t)snprintf(out + n, size - n, strchr(plain, *text) ? "%c" : "%%%02X", (unsigned char)*text);
    out[n] = '\0';
}

/// Whether the scene has the camera that was asked for; the page would take another one.
static CliExit check_camera(Browser *b, const char *camera)
{
    static const char *const kinds[] = {"orbit", "chase", "plan", "onboard", "fixed"};
    char names[2000];
    if (!camera)
        return CLI_DONE;
    for (int i = 0; i < 5; i++)
        if (strcmp(camera, kinds[i]) == 0)
            return CLI_DONE;
    if (!browser_text(b, "window.rilleApp.runs[0].scene.cameras.map(c => c.name).join(', ')", names, sizeof names))
        return CLI_ENVIRONMENT;
    const size_t n = strlen(camera);
    for (const char *at = strstr(names, camera); at; at = strstr(at + 1, camera))
        if ((at == names || at[-1] == ' ') && (at[n] == ',' || at[n] == '\0'))
            return CLI_DONE;
    cli_error("there is no camera '%s'; there are %s, and the kinds onboard and fixed", camera, names);
    return CLI_BAD_INPUT;
}

/// Shows the page and waits until its first picture has been drawn.
static CliExit open_page(Browser *b, const ViewArgs *args, const ViewStage *stage, double time)
{
    char url[2048], camera[600], layers[600], at[64] = "";
    double there;
    escape(args->camera ? args->camera : "", camera, sizeof camera);
    escape(args->layers ? args->layers : "", layers, sizeof layers);
    if (stage->replay)
        snprintf(at, sizeof at, "&at=%.9f", time);
    snprintf(url, sizeof url, "%s&shot=1&camera=%s&layers=%s%s", ri_view_url(stage->view), camera, layers, at);
    if (!browser_start(b, args->width, args->height) || !browser_open(b, url) ||
        !browser_wait(b, "window.rilleReady === true", ready_within))
        return CLI_ENVIRONMENT;
    if (browser_number(b, "window.rilleApp.stage ? 1 : 0", &there) && there == 1.0)
        return check_camera(b, args->camera);
    cli_error("the browser has no WebGL 2, so there is no picture to take");
    return CLI_ENVIRONMENT;
}

/// Lets the page draw another moment. A log's page takes the frame that comes after its request;
/// one that was on its way is not it.
static bool show_moment(Browser *b, const ViewStage *stage, double time)
{
    char text[200];
    double shown;
    snprintf(text, sizeof text, "window.rilleSeek(%.9f).then(() => window.rilleApp.runs[0].frame.time)", time);
    for (int i = 0; i < 5; i++) {
        if (!browser_number(b, text, &shown))
            return false;
        if (!stage->replay || fabs(shown - time) < 1e-6)
            break;
    }
    return true;
}

static bool save(const char *path, const unsigned char *data, size_t size)
{
    RiBeside beside;
    FILE *file = ri_beside_stream(&beside, path);
    int code = file ? 0 : errno;
    if (file) {
        (void)fwrite(data, 1, size, file); // closing says whether it failed
        code = ri_beside_close(&beside, true);
    }
    if (code != 0)
        cli_error("%s: cannot write the file: %s", path, strerror(code));
    return code == 0;
}

static CliExit draw_png(Browser *b, const ViewArgs *args, const ViewStage *stage)
{
    unsigned char *png;
    size_t size;
    const double time = stage->go(stage->user, isnan(args->at) ? stage->start : args->at);
    const CliExit code = open_page(b, args, stage, time);
    if (code != CLI_DONE)
        return code;
    if (!browser_picture(b, &png, &size))
        return CLI_ENVIRONMENT;
    const bool saved = save(args->png, png, size);
    free(png);
    if (saved)
        printf("%s: %d x %d, at %.9g s\n", args->png, args->width, args->height, time);
    return saved ? CLI_DONE : CLI_ENVIRONMENT;
}

/// One picture of the video; `*out_over` when the run has ended before it.
static bool draw_frame(Browser *b, const ViewStage *stage, Video *video, double time, bool *out_over)
{
    unsigned char *png;
    size_t size;
    const double reached = stage->go(stage->user, time);
    *out_over = reached < time - 1e-6;
    if (*out_over)
        return true;
    if (!show_moment(b, stage, reached) || !browser_picture(b, &png, &size))
        return false;
    const bool added = video_add(video, png, size);
    free(png);
    return added;
}

static CliExit draw_video(Browser *b, const ViewArgs *args, const ViewStage *stage)
{
    const double from = isnan(args->from) ? stage->start : args->from, to = isnan(args->to) ? stage->end : args->to;
    Video video;
    bool over = false;
    const CliExit code = open_page(b, args, stage, stage->go(stage->user, from));
    if (code != CLI_DONE)
        return code;
    if (!video_open(&video, args->video, args->fps))
        return CLI_ENVIRONMENT;
    bool fine = true;
    for (long k = 0; fine && !over && from + (double)k / args->fps <= to + 1e-9; k++)
        fine = draw_frame(b, stage, &video, from + (double)k / args->fps, &over);
    return video_close(&video, fine) ? CLI_DONE : CLI_ENVIRONMENT;
}

/// The first of the times asked for that the run does not have.
static bool check_times(const ViewArgs *args, const ViewStage *stage)
{
    const char *const names[3] = {"at", "from", "to"};
    const double times[3] = {args->at, args->from, args->to};
    for (int i = 0; i < 3; i++)
        if (times[i] < stage->start - 1e-9 || times[i] > stage->end + 1e-9) {
            cli_error("--%s %.9g: the %s goes from %.9g s to %.9g s", names[i], times[i],
                      stage->replay ? "log" : "scene", stage->start, stage->end);
            return false;
        }
    if (args->from > args->to) {
        cli_error("--from %.9g lies after --to %.9g", args->from, args->to);
        return false;
    }
    return true;
}

CliExit view_draw(const ViewArgs *args, const ViewStage *stage)
{
    if (!check_times(args, stage))
        return CLI_BAD_INPUT;
    Browser *b = calloc(1, sizeof *b);
    if (!b)
        return cli_no_memory();
    b->serve = stage->serve;
    b->user = stage->user;
    const CliExit code = args->png ? draw_png(b, args, stage) : draw_video(b, args, stage);
    browser_stop(b);
    free(b);
    return code;
}

// --- a log's pictures, for the report ------------------------------------------------------------

static void serve_log(void *user)
{
    ri_replay_serve(user);
}

static bool draw_moments(Browser *b, const ViewArgs *args, const ViewStage *stage, ViewPicture *pictures, int count)
{
    for (int i = 0; i < count; i++) {
        pictures[i].time = fmax(stage->start, fmin(stage->end, pictures[i].time));
        if (i == 0 && open_page(b, args, stage, pictures[i].time) != CLI_DONE)
            return false;
        if (!show_moment(b, stage, pictures[i].time) || !browser_picture(b, &pictures[i].png, &pictures[i].size))
            return false;
    }
    return true;
}

bool view_draw_log(RiContext *ctx, const char *path, ViewPicture *pictures, int count, int width, int height)
{
    const ViewArgs args = {.width = width, .height = height};
    RiLog *log = NULL;
    RiReplay *replay = NULL;
    ViewStage stage = {.replay = true, .serve = serve_log};
    Browser *b = calloc(1, sizeof *b);
    bool fine = false;
    RiStatus status = b ? ri_log_open(ctx, path, &log) : ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    if (status == RI_OK) {
        stage.start = ri_log_start(log);
        stage.end = ri_log_end(log);
        status = view_start(ctx, &args, true, stage.start, stage.end, &stage.view);
    }
    if (status == RI_OK)
        status = ri_replay_create(ctx, stage.view, &log, &path, 1, &replay);
    if (status == RI_OK) {
        stage.user = b->user = replay;
        b->serve = serve_log;
        fine = draw_moments(b, &args, &stage, pictures, count);
        browser_stop(b);
    } else {
        cli_fail(ctx, status);
    }
    ri_view_destroy(stage.view);
    ri_replay_destroy(replay);
    ri_log_close(log);
    free(b);
    return fine;
}
