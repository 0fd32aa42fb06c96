// SPDX-License-Identifier: Apache-2.0
/// \file
/// The variable server of a run (`rille run --serve`, `rille serve`). Log, checks and checkpoints
/// are as without it.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rille/file.h>

#include "run/run.h"

static void note(void *user, const char *text)
{
    run_note(user, "server: %.200s", text);
}

/// Writes the token where only its owner can read it.
static RiStatus write_token(Run *run, const char *path)
{
    char text[RI_SERVE_TOKEN + 2];
    const int n = snprintf(text, sizeof text, "%s\n", ri_serve_token(run->serve));
    (void)unlink(path); // an older file may be open to others
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    const bool good = fd >= 0 && write(fd, text, (size_t)n) == n;
    if (fd >= 0 && close(fd) != 0)
        return ri_error(run->ctx, RI_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    return good ? RI_OK : ri_error(run->ctx, RI_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
}

/// The first line of a file that nobody else may read.
static RiStatus read_token(Run *run, const char *path, char out_token[RI_SERVE_TOKEN + 1])
{
    struct stat info;
    char line[RI_SERVE_TOKEN + 2] = "";
    FILE *file = ri_file_open(path);
    if (!file)
        return ri_error(run->ctx, RI_ERR_IO, "%s: cannot be read: %s", path,
                        errno == EINVAL ? "not a regular file" : strerror(errno));
    const bool known = fstat(fileno(file), &info) == 0, read = fgets(line, sizeof line, file) && *line != '\n';
    fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    snprintf(out_token, RI_SERVE_TOKEN + 1, "%s", line);
    if (!known || (info.st_mode & 077))
        return ri_error(run->ctx, RI_ERR_ARGUMENT, "%s: others may read this token; 'chmod 600' it", path);
    return read ? RI_OK : ri_error(run->ctx, RI_ERR_FORMAT, "%s: there is no token in this file", path);
}

/// Where clients find the server: lines for people, or the standard error for programs.
static void announce(const Run *run, const char *path, const char *token_path)
{
    FILE *out = run->args->quiet || run->args->json ? stderr : stdout;
    if (path)
        fprintf(out, "serving at %s\n", path);
    if (ri_serve_port(run->serve) > 0)
        fprintf(out, "serving at %s port %d, token in %s\n", run->args->serve_address, ri_serve_port(run->serve),
                token_path);
    fflush(out);
}

RiStatus run_serve_open(Run *run)
{
    const RunArgs *a = run->args;
    char path[PATH_MAX], token_path[PATH_MAX], token[RI_SERVE_TOKEN + 1] = "";
    if (!a->serve)
        return RI_OK;
    RiServeOptions o = ri_serve_options_default();
    run_path(run, "serve.sock", path);
    run_path(run, "serve.token", token_path);
    o.path = a->serve_path ? a->serve_path : a->serve_address ? NULL : path;
    o.listen = a->serve_address;
    o.port = a->serve_port;
    o.running = !a->serve_wait;
    o.speed = a->realtime ? a->factor : 0.0;
    o.lost = a->serve_lost;
    o.patience = a->serve_patience;
    o.folder = run->folder;
    o.note = note;
    o.user = run;
    if (a->serve_token) {
        RI_TRY(read_token(run, a->serve_token, token));
        o.token = token;
    }
    RI_TRY(ri_serve_create(run->ctx, run->sim, &o, &run->serve));
    if (ri_serve_port(run->serve) > 0 && !a->serve_token)
        RI_TRY(write_token(run, token_path));
    announce(run, o.path, a->serve_token ? a->serve_token : token_path);
    return RI_OK;
}

/// Ends the run because clients want it, or because one is missed.
static void end(Run *run, RiServeTurn turn)
{
    if (turn == RI_SERVE_QUIT) {
        run->stop = RUN_QUIT;
        snprintf(run->detail, sizeof run->detail, "%s", ri_serve_why(run->serve));
    } else {
        run_fail(run, ri_error(run->ctx, RI_ERR_IO, "%s", ri_serve_why(run->serve)));
    }
}

bool run_serve_wait(Run *run)
{
    for (;;) {
        const RiServeTurn turn = ri_serve_turn(run->serve, 0.1);
        if (run->stop != RUN_GOING)
            return false; // a note could not be written
        if (turn >= RI_SERVE_QUIT) {
            end(run, turn);
            return false;
        }
        if (run_is_interrupted())
            return true; // the loop looks at it
        if (turn == RI_SERVE_TICK)
            return true;
    }
}

void run_serve_ticked(Run *run)
{
    const double duration = ri_scene_duration(run->scene), tick = ri_sim_options(run->sim)->tick;
    if (run->stop == RUN_GOING && ri_sim_time(run->sim) >= duration - 0.5 * tick)
        ri_serve_end(run->serve, "the scene's duration is reached");
    ri_serve_ticked(run->serve, run->status);
    if (run->stop != RUN_GOING)
        ri_serve_end(run->serve, *run->detail ? run->detail : run_stop_name(run->stop));
}

void run_serve_close(Run *run)
{
    if (!run->serve)
        return;
    ri_serve_end(run->serve, *run->detail ? run->detail : run_stop_name(run->stop));
    // Clients of `rille serve` may look at the end for as long as they like.
    const bool ended = run->stop == RUN_DURATION || run->stop == RUN_CONDITION;
    while (run->args->serve_stay && ended && !run_is_interrupted() && ri_serve_turn(run->serve, 0.1) < RI_SERVE_QUIT)
        ;
    const RiServeCounts n = ri_serve_counts(run->serve);
    if (n.refused + n.dropped + n.turned_away > 0)
        run_note(run, "server: %lld set-points refused, %lld samples dropped, %lld clients turned away", n.refused,
                 n.dropped, n.turned_away);
    ri_serve_destroy(run->serve);
    run->serve = NULL;
}
