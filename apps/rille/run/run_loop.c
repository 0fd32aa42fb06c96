// SPDX-License-Identifier: Apache-2.0
/// \file
/// The run itself: ticks, signals, checkpoints at their period, pacing by the wall clock, progress.
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"

// Set by signal handlers, which have no other way to tell.
static volatile sig_atomic_t interrupts, checkpoints_wanted, kill_at_once;

static void on_interrupt(int number)
{
    if (interrupts++ && kill_at_once) { // asked twice: the tick does not end
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void on_checkpoint(int number)
{
    (void)number;
    checkpoints_wanted = 1;
}

void run_catch_signals(bool interactive)
{
    struct sigaction interrupt = {.sa_handler = on_interrupt}, checkpoint = {.sa_handler = on_checkpoint};
    sigemptyset(&interrupt.sa_mask);
    sigemptyset(&checkpoint.sa_mask);
    checkpoint.sa_flags = SA_RESTART;
    kill_at_once = !interactive;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &interrupt, NULL);
    sigaction(SIGUSR1, &checkpoint, NULL);
    signal(SIGPIPE, SIG_IGN); // a closed pipe is a failed write, and the run's files matter more
}

bool run_take_interrupt(void)
{
    const bool there = interrupts != 0;
    interrupts = 0;
    return there;
}

bool run_is_interrupted(void)
{
    return interrupts != 0;
}

const char *run_stop_name(RunStop stop)
{
    static const char *const names[] = {"going", "duration", "condition", "quit", "interrupted", "diverged", "error"};
    return names[stop];
}

void run_note(Run *run, const char *format, ...)
{
    RunEvent event = {.time = ri_sim_time(run->sim)};
    va_list args;
    va_start(args, format);
    vsnprintf(event.text, sizeof event.text, format, args);
    va_end(args);
    if (run->view)
        ri_view_event(run->view, 0, RI_VIEW_EVENT_NOTE, event.time, event.text);
    RunEvent *more = realloc(run->events, (size_t)(run->event_count + 1) * sizeof *more);
    if (more) {
        run->events = more;
        run->events[run->event_count++] = event;
    } else {
        run->events_lost = true;
    }
    if (run->stop == RUN_GOING) {
        const RiStatus status = run_log_event(run, event.time, event.text);
        if (status != RI_OK)
            run_fail(run, status);
    }
}

void run_fail(Run *run, RiStatus status)
{
    run->stop = status == RI_ERR_NUMERIC ? RUN_DIVERGED : RUN_ERROR;
    run->status = status;
    snprintf(run->detail, sizeof run->detail, "%s", ri_context_message(run->ctx));
    cli_error("%s", run->detail);
}

/// Writes the checkpoint that is due at this tick, or that a signal asked for.
static void checkpoint_if_due(Run *run)
{
    const double period = ri_scene_checkpoint_period(run->scene), tick = ri_sim_options(run->sim)->tick;
    const long long ticks = period > 0.0 ? (long long)fmax(1.0, round(period / tick)) : 0;
    const bool due = ticks > 0 && ri_sim_tick(run->sim) % ticks == 0, asked = checkpoints_wanted != 0;
    if (!due && !asked)
        return;
    checkpoints_wanted = 0;
    const RiStatus status = run_checkpoint(run, "latest.checkpoint");
    if (status != RI_OK)
        run_fail(run, status);
    else if (asked)
        run_note(run, "checkpoint written on request");
}

/// Looks at what ends a run between ticks.
static void look_at_end(Run *run)
{
    const char *condition = ri_sim_stopped(run->sim);
    if (condition) {
        run->stop = RUN_CONDITION;
        snprintf(run->detail, sizeof run->detail, "%s", condition);
    } else if (run_take_interrupt()) {
        run->stop = RUN_INTERRUPTED;
    }
}

/// Notes what left its model's assumptions for the first time in this tick.
static void note_violations(Run *run)
{
    if (ri_sim_violations(run->sim) == run->violations)
        return;
    run->violations = ri_sim_violations(run->sim);
    for (int i = 0; i < ri_sim_validity_count(run->sim); i++) {
        const RiValidity x = ri_sim_validity(run->sim, i);
        if (x.count == 1 && x.first_time == ri_sim_time(run->sim))
            run_note(run, "validity: %s: %s", x.name, x.text);
    }
}

bool run_tick(Run *run)
{
    run_replay_before(run);
    RiStatus status = ri_sim_step(run->sim);
    if (status == RI_OK) {
        run_replay_after(run);
        note_violations(run);
        run_story_tick(run);
        run_pictures_tick(run);
        ri_scene_look(run->scene);
    }
    if (status == RI_OK)
        status = run_log_tick(run);
    if (status != RI_OK) {
        run_fail(run, status);
        return false;
    }
    if (run->stop == RUN_GOING)
        checkpoint_if_due(run);
    if (run->stop == RUN_GOING)
        look_at_end(run);
    return run->stop == RUN_GOING;
}

// --- wall clock ----------------------------------------------------------------------------------

static double seconds_between(const struct timespec *a, const struct timespec *b)
{
    return (double)(b->tv_sec - a->tv_sec) + 1e-9 * (double)(b->tv_nsec - a->tv_nsec);
}

/// Sleeps until the wall clock has caught up with the simulated time; a signal ends the sleep.
static void pace(Run *run, const struct timespec *begin)
{
    const double ahead = (ri_sim_time(run->sim) - run->start_time) / run->args->factor, whole = floor(ahead);
    struct timespec now, then = {begin->tv_sec + (time_t)whole, begin->tv_nsec + (long)((ahead - whole) * 1e9)};
    if (then.tv_nsec >= 1000000000L) {
        then.tv_nsec -= 1000000000L;
        then.tv_sec++;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double late = seconds_between(&then, &now);
    if (late > run->lag)
        run->lag = late;
    while (late < 0.0 && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL) == EINTR)
        if (interrupts)
            return;
}

// --- progress ------------------------------------------------------------------------------------

/// A bar on a terminal, a line every tenth elsewhere. Shown by share of the simulated time, so that
/// no clock is read.
typedef struct Progress {
    bool bar, lines;
    int shown; ///< [percent]
} Progress;

static Progress progress_begin(const Run *run)
{
    const bool quiet = run->args->quiet, terminal = isatty(STDERR_FILENO);
    return (Progress){.bar = terminal && !quiet, .lines = !terminal && !quiet};
}

static void progress_show(Progress *p, const Run *run, double duration)
{
    const double span = duration - run->start_time, done = ri_sim_time(run->sim) - run->start_time;
    const int percent = span > 0.0 ? (int)(100.0 * done / span) : 100;
    if (percent < p->shown + (p->bar ? 1 : 10))
        return;
    p->shown = p->bar ? percent : percent / 10 * 10;
    if (p->lines) {
        fprintf(stderr, "%3d %%  t = %.6g s\n", p->shown, ri_sim_time(run->sim));
    } else if (p->bar) {
        enum { WIDTH = 40 };
        static const char full[] = "########################################";
        const int n = p->shown > 100 ? WIDTH : WIDTH * p->shown / 100;
        fprintf(stderr, "\r[%.*s%*s] %3d %%  t = %.6g s ", n, full, WIDTH - n, "", p->shown, ri_sim_time(run->sim));
        fflush(stderr);
    }
}

static void progress_end(const Progress *p)
{
    if (p->bar)
        fputs("\r\033[K", stderr); // the summary follows
}

void run_loop(Run *run)
{
    const double duration = ri_scene_duration(run->scene), tick = ri_sim_options(run->sim)->tick;
    Progress progress = progress_begin(run);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (run->stop == RUN_GOING)
        look_at_end(run);
    while (run->stop == RUN_GOING) {
        if (run->live)
            run_view_wait(run);
        if (run->ros)
            run_ros_wait(run);
        if (run->stop != RUN_GOING)
            break;
        if (run->serve && !run_serve_wait(run))
            break;
        if (run->serve && run_is_interrupted()) {
            look_at_end(run);
            break;
        }
        if (ri_sim_time(run->sim) >= duration - 0.5 * tick) {
            run->stop = RUN_DURATION;
            break;
        }
        const bool going = run_tick(run);
        if (run->ros)
            run_ros_stepped(run);
        if (run->serve)
            run_serve_ticked(run);
        if (run->serve)
            ; // the server paces
        else if (run->live && going)
            ri_live_stepped(run->live, 0, RI_OK);
        else if (run->args->realtime && going)
            pace(run, &begin);
        if (progress.bar || progress.lines)
            progress_show(&progress, run, duration);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    progress_end(&progress);
    run->wall += seconds_between(&begin, &end);
}
