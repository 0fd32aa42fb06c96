// SPDX-License-Identifier: Apache-2.0
/// \file
/// The variable server: a lock-step round trip over a local socket, and what a subscriber costs the
/// step. The client is a process of its own.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rille/serve.h>

#include "bench/links.h"
#include "bench/temporary.h"

enum { CYCLES = 5000, COST_TICKS = 2000 };

static int go(const char *path)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return connect(fd, (struct sockaddr *)&at, sizeof at) == 0 ? fd : -1;
}

static bool sends(int fd, const void *data, size_t size)
{
    return write(fd, data, size) == (ssize_t)size;
}

/// Client of the round trip: as flight software at its own pace, in frames. Writes microseconds per
/// cycle to `result`.
static void cycle_client(const char *path, int repeats, int result)
{
    static const char hello[] = "bind 0 1 hinge_1.command -> hinge_1.position hinge_1.velocity\nbinary\n";
    static const char hello_answer[] = "ok 1 in 2 out\nok binary\n";
    char line[64], frame[32];
    double request[2] = {0.0, 0.1};
    const unsigned char head[8] = {8, 0, 0, 0, 2, 0, 0, 0};
    memcpy(request, head, sizeof head);
    const int fd = go(path);
    bool good = fd >= 0 && sends(fd, hello, sizeof hello - 1) &&
                recv(fd, line, sizeof hello_answer - 1, MSG_WAITALL) == sizeof hello_answer - 1;
    for (int k = 0; good && k < repeats; k++) {
        const double begin = links_clock();
        for (int i = 0; i < CYCLES && good; i++)
            good = sends(fd, request, sizeof request) && recv(fd, frame, sizeof frame, MSG_WAITALL) == sizeof frame;
        const double us = 1e6 * (links_clock() - begin) / CYCLES;
        good = good && sends(result, &us, sizeof us);
    }
    _exit(good ? 0 : 1);
}

/// Client that reads a stream in frames, at 100 Hz of simulated time, until the server goes.
static void stream_client(const char *path)
{
    static const char ask[] = "subscribe 100 base.* soil.*\nrun\nbinary\n";
    char data[65536];
    const int fd = go(path);
    if (fd < 0 || !sends(fd, ask, sizeof ask - 1))
        _exit(1);
    while (recv(fd, data, sizeof data, 0) > 0)
        ;
    _exit(0);
}

static RiServe *open_server(BenchRun *run, RiContext *ctx, RiScene *scene, char path[64])
{
    RiServe *serve = NULL;
    RiServeOptions o = ri_serve_options_default();
    bench_temporary(bench_temporary_folder(), "", path, 64);
    unlink(path); // the server makes a socket of that name
    o.path = path;
    o.lost = RI_SERVE_LOST_STOP;
    if (ri_serve_create(ctx, ri_scene_sim(scene), &o, &serve) != RI_OK)
        bench_fail(run, "serve", ri_context_message(ctx));
    return serve;
}

static void round_trip(BenchRun *run)
{
    RiContext *ctx;
    char path[64];
    int pipes[2], status = 1;
    RiScene *scene = links_open_scene(run, "pendulum", &ctx);
    RiServe *serve = scene ? open_server(run, ctx, scene, path) : NULL;
    double *times = calloc((size_t)run->repeats, sizeof *times);
    if (serve && times && pipe(pipes) == 0) {
        const pid_t child = fork();
        if (child == 0)
            cycle_client(path, run->repeats, pipes[1]);
        close(pipes[1]);
        for (RiServeTurn turn = RI_SERVE_WAIT; turn < RI_SERVE_QUIT && child > 0;) {
            turn = ri_serve_turn(serve, 1.0);
            if (turn == RI_SERVE_TICK)
                ri_serve_ticked(serve, ri_sim_step(ri_scene_sim(scene)));
        }
        const ssize_t size = (ssize_t)((size_t)run->repeats * sizeof *times);
        if (child > 0 && waitpid(child, &status, 0) == child && status == 0 &&
            read(pipes[0], times, (size_t)size) == size)
            links_limit(run, "serve_round_trip", "us", times, 30.0);
        else
            bench_fail(run, "serve_round_trip", "the client failed");
        close(pipes[0]);
    }
    free(times);
    ri_serve_destroy(serve);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Processor time of some ticks [s]; with a server, that of its turns as well.
static double time_ticks(RiScene *scene, RiServe *serve)
{
    const double begin = thread_seconds();
    for (int i = 0; i < COST_TICKS;) {
        if (serve && ri_serve_turn(serve, 0.1) != RI_SERVE_TICK)
            continue;
        const RiStatus status = ri_sim_step(ri_scene_sim(scene));
        if (serve)
            ri_serve_ticked(serve, status);
        i++;
    }
    return thread_seconds() - begin;
}

/// Two equal scenes, one of them watched, in turns: the state is the same, so is the work of the
/// step.
static void step_cost(BenchRun *run)
{
    RiContext *ctx, *other;
    char path[64];
    RiScene *scene = links_open_scene(run, "mer_sand", &ctx), *bare = links_open_scene(run, "mer_sand", &other);
    RiServe *serve = scene && bare ? open_server(run, ctx, scene, path) : NULL;
    double *cost = calloc((size_t)run->repeats, sizeof *cost);
    if (serve && cost) {
        const pid_t child = fork();
        if (child == 0)
            stream_client(path);
        for (int i = 0; i < run->repeats && child > 0; i++) {
            const double with = time_ticks(scene, serve), without = time_ticks(bare, NULL);
            cost[i] = with / without;
        }
        links_limit(run, "serve_step_cost", "times", cost, 1.03);
        if (child > 0) {
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
        }
    }
    free(cost);
    ri_serve_destroy(serve);
    ri_scene_destroy(scene);
    ri_scene_destroy(bare);
    ri_context_destroy(ctx);
    ri_context_destroy(other);
}

void links_serve(BenchRun *run)
{
    if (bench_wants(run, "serve_round_trip"))
        round_trip(run);
    if (bench_wants(run, "serve_step_cost"))
        step_cost(run);
}
