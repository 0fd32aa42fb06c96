// SPDX-License-Identifier: Apache-2.0
/// \file
/// Logs shown: one clock for all, poses of the last message at or before it, plots read bit by bit
/// so that the picture does not halt.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "link/plan.h"
#include "link/rut_log.h"
#include "link/show.h"
#include "link/view_work.h"
#include "link/way.h"

enum {
    PLOT_SAMPLES = 1 << 18,
    PENDING = VIEW_SERIES,
    SCENE_LIMIT = 64 << 20,
    SPRINGS = 1024,
    CONTACT_NUMBERS = 6,
    SPRING_NUMBERS = 7,
    WAY_SAMPLES = 2048 ///< of a log
};

static const double budget = 0.015; ///< [s] of reading for plots between two pictures

/// A plot whose history is being read. Of each interval the smallest and largest value are kept; an
/// interval with at most two samples keeps them all.
typedef struct Pending {
    RiViewSeries *series;
    int run, signal;
    double next, window; ///< read up to here; how much at a time [s]
    long long interval;
    int in_interval;
    double low[2], high[2]; ///< time, value
} Pending;

typedef struct ReplayRun {
    RiLog *log;
    RiPose *poses;
    int bodies, springs; ///< springs: most in a frame, 0 if the log has none
    bool has_contacts;
    int contact_count, spring_count; ///< at the time shown
    RiViewContact contact[RI_SHOW_CONTACTS];
    RiViewSpring spring[SPRINGS];
    float numbers[SPRINGS * SPRING_NUMBERS];
    double shown; ///< time of the poses; NAN: none
    bool shown_contacts;
    RiRutReplay *ruts; ///< NULL: the log has none
    double ruts_shown; ///< time they represent; NAN: none
    double ruts_due;   ///< wall clock [s]
    RiWay *way;        ///< of the base
    int way_next;      ///< sample to be read
    bool has_plan;
    float planned[RI_PLAN_NUMBERS]; ///< that pages have
    int planned_count;
    double plan_shown, plan_due;
    char trouble[160], rut_trouble[160];
} ReplayRun;

struct RiReplay {
    RiContext *ctx;
    RiView *view;
    RiAllocator memory;
    ReplayRun runs[RI_VIEW_RUNS];
    int count;
    double start, end, time, speed, wall, frame_due;
    bool paused, changed;
    Pending pending[PENDING];
    int pending_count;
};

static RiStatus no_memory(RiContext *ctx)
{
    return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
}

// --- scene ---------------------------------------------------------------------------------------

/// Meshes "mesh/0", "mesh/1" ... of the log; *out_first is the number of the first in the view.
static RiStatus take_meshes(RiReplay *p, RiLog *log, int *out_first)
{
    *out_first = -1;
    for (int i = 0;; i++) {
        char name[32], *data;
        size_t size;
        int number;
        snprintf(name, sizeof name, "mesh/%d", i);
        RiStatus status = ri_log_read_attachment(log, name, &data, &size);
        if (status == RI_ERR_NOT_FOUND) {
            ri_context_clear(p->ctx);
            return RI_OK;
        }
        RI_TRY(status);
        status = ri_view_add_mesh(p->view, data, size, &number);
        ri_log_release(log, data);
        RI_TRY(status);
        *out_first = i == 0 ? number : *out_first;
    }
}

/// The log's scene with the run's number and the view's mesh numbers. The marks that are looked for
/// cannot be inside a JSON string, where quotes are escaped.
static bool renumber(RiText *out, const char *text, int run, int first_mesh)
{
    static const char head[] = "{\"op\":\"scene\",\"run\":0,", mark[] = "\"shape\":\"mesh\",\"mesh\":";
    if (strncmp(text, head, sizeof head - 1) != 0)
        return false;
    ri_text_format(out, "{\"op\":\"scene\",\"run\":%d,", run);
    const char *at = text + sizeof head - 1;
    for (const char *next; (next = strstr(at, mark));) {
        int number = 0, used = 0;
        next += sizeof mark - 1;
        if (sscanf(next, "%6d%n", &number, &used) != 1 || number < 0)
            return false;
        ri_text_put(out, at, (size_t)(next - at));
        ri_text_format(out, "%d", number + first_mesh);
        at = next + used;
    }
    ri_text_add(out, at);
    return true;
}

/// A scene for a log without one.
static void make_scene(RiText *out, int run, const RiLogFrames *frames)
{
    ri_text_format(out, "{\"op\":\"scene\",\"run\":%d,\"bodies\":[", run);
    for (int i = 0; i < frames->count; i++) {
        ri_text_add(out, i ? ",{\"name\":" : "{\"name\":");
        ri_text_string(out, frames->names[i]);
        ri_text_add(
            out, ",\"parent\":-1,\"ornament\":false,\"visuals\":[{\"shape\":\"sphere\",\"size\":[0.05],\"position\":["
                 "0,0,0],\"quaternion\":[1,0,0,0],\"colour\":null}]}");
    }
    ri_text_add(out,
                "],\"cameras\":[{\"name\":\"orbit\",\"kind\":\"orbit\",\"body\":0},{\"name\":\"chase\",\"kind\":"
                "\"chase\",\"body\":0},{\"name\":\"plan\",\"kind\":\"plan\",\"body\":0}],\"sun\":null,\"gravity\":[0,0,"
                "-9.81],\"springs\":[],\"terrain\":null}");
}

static RiStatus write_scene(RiReplay *p, int run, const RiLogFrames *frames, RiText *out)
{
    RiLog *log = p->runs[run].log;
    char *text;
    size_t size;
    int first_mesh;
    const RiStatus status = ri_log_read_attachment(log, "scene.json", &text, &size);
    if (status == RI_ERR_NOT_FOUND) {
        ri_context_clear(p->ctx);
        make_scene(out, run, frames);
        ri_view_event(p->view, run, RI_VIEW_EVENT_NOTE, p->start,
                      "the log has no scene.json: each of its frames is drawn as a ball");
        return RI_OK;
    }
    RI_TRY(status);
    RiStatus taken = take_meshes(p, log, &first_mesh);
    if (taken == RI_OK && (size > SCENE_LIMIT || !renumber(out, text, run, first_mesh < 0 ? 0 : first_mesh)))
        taken = ri_error(p->ctx, RI_ERR_FORMAT, "the log's scene.json is not a scene of this program");
    ri_log_release(log, text);
    return taken;
}

/// Tiles or mesh: "terrain/0", "terrain/1" ... of the log, with the run's number.
static RiStatus take_tiles(RiReplay *p, int run)
{
    RiLog *log = p->runs[run].log;
    for (int i = 0;; i++) {
        char name[32], *data;
        size_t size;
        snprintf(name, sizeof name, "terrain/%d", i);
        RiStatus status = ri_log_read_attachment(log, name, &data, &size);
        if (status == RI_ERR_NOT_FOUND) {
            ri_context_clear(p->ctx);
            return RI_OK;
        }
        RI_TRY(status);
        if (size >= 4 && (data[0] == 2 || data[0] == 3)) {
            data[1] = (char)run;
            status = ri_view_keep(p->view, ri_show_key(SHOW_TILES, run) | (uint64_t)i << 8, false, data, size);
        }
        ri_log_release(log, data);
        RI_TRY(status);
    }
}

static void write_values(RiText *out, int run, const RiLog *log)
{
    ri_text_format(out, "{\"op\":\"values\",\"run\":%d,\"values\":[", run);
    for (int i = 0; i < ri_log_signal_count(log); i++) {
        ri_text_format(out, "%s{\"i\":%d,\"name\":", i ? "," : "", i);
        ri_text_string(out, ri_log_signal_name(log, i));
        ri_text_add(out, ",\"unit\":");
        ri_text_string(out, ri_log_signal_unit(log, i));
        ri_text_add(out, ",\"kind\":\"output\",\"writable\":false,\"doc\":\"\"}");
    }
    ri_text_add(out, "]}");
}

static RiStatus show_events(RiReplay *p, int run)
{
    RiLogEvent *events;
    int count;
    RI_TRY(ri_log_read_events(p->runs[run].log, "/events", -INFINITY, INFINITY, &events, &count));
    for (int i = 0; i < count; i++)
        ri_view_event(p->view, run,
                      strncmp(events[i].text, "end of the run", 14) == 0 ? RI_VIEW_EVENT_STOP : RI_VIEW_EVENT_NOTE,
                      events[i].time, events[i].text);
    ri_log_release(p->runs[run].log, events);
    return RI_OK;
}

static RiStatus keep_messages(RiReplay *p, int run, const RiLogFrames *frames)
{
    RiText t;
    ri_text_init(&t, &p->memory);
    RiStatus status = write_scene(p, run, frames, &t);
    if (status == RI_OK)
        status = t.failed ? no_memory(p->ctx) : ri_view_keep(p->view, ri_show_key(SHOW_SCENE, run), true, t.at, t.size);
    ri_text_free(&t);
    if (status == RI_OK) {
        write_values(&t, run, p->runs[run].log);
        status =
            t.failed ? no_memory(p->ctx) : ri_view_keep(p->view, ri_show_key(SHOW_VALUES, run), true, t.at, t.size);
    }
    ri_text_free(&t);
    return status;
}

static RiStatus init_run(RiReplay *p, int index, RiLog *log, const char *name)
{
    ReplayRun *r = &p->runs[index];
    RiLogFrames frames;
    int run;
    memset(r, 0, sizeof *r);
    r->log = log;
    r->shown = NAN;
    r->has_contacts = ri_log_has_numbers(log, "/contacts");
    r->springs = ri_log_has_numbers(log, "/springs") ? SPRINGS : 0;
    if (ri_log_frame_group_count(log) == 0)
        return ri_error(
            p->ctx, RI_ERR_FORMAT,
            "%s: the log has no poses (tf2_msgs/TFMessage in CDR), so there is nothing to show; 'rille plot' draws "
            "its signals",
            name);
    RI_TRY(ri_log_frames(log, 0, &frames));
    r->bodies = frames.count;
    r->poses = p->memory.resize(p->memory.user, NULL, (size_t)frames.count * sizeof *r->poses);
    if (!r->poses)
        return no_memory(p->ctx);
    for (int i = 0; i < frames.count; i++)
        r->poses[i] = ri_pose_identity();
    r->way = p->memory.resize(p->memory.user, NULL, sizeof *r->way);
    if (!r->way)
        return no_memory(p->ctx);
    ri_way_init(r->way);
    const RiViewRun def = {.name = name,
                           .scene = name,
                           .bodies = frames.count,
                           .names = frames.names,
                           .springs = r->springs,
                           .contacts = r->has_contacts ? RI_SHOW_CONTACTS : 0};
    RI_TRY(ri_view_add_run(p->view, &def, &run));
    RI_TRY(keep_messages(p, index, &frames));
    RI_TRY(take_tiles(p, index));
    r->ruts_shown = r->plan_shown = NAN;
    r->has_plan = ri_log_has_numbers(log, "/plan");
    RI_TRY(ri_rut_replay_create(p->ctx, p->view, index, log, &r->ruts));
    return show_events(p, index);
}

RiStatus ri_replay_create(RiContext *ctx, RiView *view, RiLog *const *logs, const char *const *names, int count,
                          RiReplay **out_replay)
{
    *out_replay = NULL;
    const RiAllocator memory = view->memory;
    RiReplay *p = memory.resize(memory.user, NULL, sizeof *p);
    if (!p)
        return no_memory(ctx);
    memset(p, 0, sizeof *p);
    p->ctx = ctx;
    p->view = view;
    p->memory = memory;
    p->speed = 1.0;
    p->changed = true;
    p->start = INFINITY;
    for (int i = 0; i < count; i++) {
        p->start = fmin(p->start, ri_log_start(logs[i]));
        p->end = fmax(p->end, ri_log_end(logs[i]));
    }
    p->time = p->start;
    p->wall = ri_view_clock();
    RiStatus status = RI_OK;
    for (int i = 0; i < count && status == RI_OK; i++) {
        p->count = i + 1;
        status = init_run(p, i, logs[i], names[i]);
    }
    if (status != RI_OK) {
        ri_replay_destroy(p);
        return status;
    }
    ri_replay_serve(p);
    ri_view_ready(view);
    *out_replay = p;
    return RI_OK;
}

void ri_replay_destroy(RiReplay *p)
{
    if (!p)
        return;
    const RiAllocator memory = p->memory;
    for (int i = 0; i < p->count; i++) {
        memory.release(memory.user, p->runs[i].poses);
        memory.release(memory.user, p->runs[i].way);
        ri_rut_replay_destroy(p->runs[i].ruts);
    }
    memory.release(memory.user, p);
}

// --- plots ---------------------------------------------------------------------------------------

/// Hands on what an interval keeps.
static void end_interval(Pending *x)
{
    const bool low_first = x->low[0] <= x->high[0];
    const double *first = low_first ? x->low : x->high, *second = low_first ? x->high : x->low;
    if (x->in_interval > 0)
        ri_view_sample(x->series, first[0], first[1]);
    if (x->in_interval > 1 && second[0] > first[0])
        ri_view_sample(x->series, second[0], second[1]);
    x->in_interval = 0;
}

static void take_sample(const RiReplay *p, Pending *x, double time, double value)
{
    const double width = fmax(p->end - p->start, 1e-9) / (PLOT_SAMPLES / 2 - 2);
    const long long interval = (long long)((time - p->start) / width);
    if (interval != x->interval || x->in_interval == 0) {
        end_interval(x);
        x->interval = interval;
    }
    if (x->in_interval == 0 || value < x->low[1]) {
        x->low[0] = time;
        x->low[1] = value;
    }
    if (x->in_interval == 0 || value >= x->high[1]) {
        x->high[0] = time;
        x->high[1] = value;
    }
    x->in_interval++;
}

/// Reads the next piece; true when the history is complete, or cannot be.
static bool read_piece(RiReplay *p, Pending *x)
{
    ReplayRun *r = &p->runs[x->run];
    double *times, *values;
    int count;
    const double to = x->next + x->window;
    if (ri_log_read(r->log, x->signal, x->next, nextafter(to, -INFINITY), &times, &values, &count) != RI_OK) {
        ri_view_event(p->view, x->run, RI_VIEW_EVENT_NOTE, x->next, ri_context_message(p->ctx));
        return true;
    }
    for (int i = 0; i < count; i++)
        take_sample(p, x, times[i], values[i]);
    ri_log_release(r->log, times);
    ri_log_release(r->log, values);
    x->next = to;
    if (x->next > p->end)
        end_interval(x);
    return x->next > p->end;
}

static void read_plots(RiReplay *p)
{
    const double begin = ri_view_clock();
    while (p->pending_count > 0 && ri_view_clock() - begin < budget)
        if (read_piece(p, &p->pending[0])) {
            p->pending_count--;
            memmove(p->pending, p->pending + 1, (size_t)p->pending_count * sizeof *p->pending);
        }
}

static void plot(RiReplay *p, const RiViewCommand *c)
{
    RiLog *log = p->runs[c->run].log;
    const int signal = ri_log_find_signal(log, c->name);
    RiViewSeries *series = ri_view_find_series(p->view, c->run, c->name);
    if (signal < 0) {
        ri_view_answer(p->view, c, false, NAN, "the log has no signal '%s'", c->name);
        return;
    }
    if (!series) {
        if (p->pending_count == PENDING || ri_view_add_series(p->view, c->run, c->name, ri_log_signal_unit(log, signal),
                                                              PLOT_SAMPLES, &series) != RI_OK) {
            ri_view_answer(p->view, c, false, NAN, "%s",
                           p->pending_count == PENDING ? "too many plots are being read" : ri_context_message(p->ctx));
            return;
        }
        p->pending[p->pending_count++] = (Pending){.series = series,
                                                   .run = c->run,
                                                   .signal = signal,
                                                   .next = p->start,
                                                   .window = fmax(1e-3, fmin(5.0, (p->end - p->start) / 20.0))};
    }
    ri_view_subscribe(p->view, c, series);
    ri_view_answer(p->view, c, true, NAN, "%s", c->name);
}

// --- the way -------------------------------------------------------------------------------------

/// Reads more of the base's way, while a page shows it and there is time; poses are read again for
/// the next picture.
static void read_way(RiReplay *p, int index, double begin)
{
    ReplayRun *r = &p->runs[index];
    if (r->way_next == WAY_SAMPLES || !(ri_view_layers(p->view) & RI_VIEW_PATH))
        return;
    for (; r->way_next < WAY_SAMPLES && ri_view_clock() - begin < budget; r->way_next++) {
        const double time = p->start + (p->end - p->start) * r->way_next / (WAY_SAMPLES - 1);
        double at;
        r->shown = NAN;
        if (ri_log_read_frames(r->log, 0, time, r->poses, &at) == RI_OK)
            ri_way_add(r->way, at, r->poses[0].p);
        else
            ri_context_clear(p->ctx); // a part that cannot be read is reported by what shows it
    }
    if (ri_way_keep(r->way, p->view, index) != RI_OK)
        ri_context_clear(p->ctx); // with the next piece
}

// --- requests ------------------------------------------------------------------------------------

/// The value at the time shown: the last sample at or before it.
static void get_value(RiReplay *p, const RiViewCommand *c)
{
    RiLog *log = p->runs[c->run].log;
    const int signal = ri_log_find_signal(log, c->name);
    double *times, *values;
    int count;
    if (signal < 0) {
        ri_view_answer(p->view, c, false, NAN, "the log has no signal '%s'", c->name);
        return;
    }
    if (ri_log_read(log, signal, p->time - 1.0, p->time, &times, &values, &count) != RI_OK) {
        ri_view_answer(p->view, c, false, NAN, "%s", ri_context_message(p->ctx));
        return;
    }
    if (count > 0)
        ri_view_answer(p->view, c, true, values[count - 1], "%s = %.9g %s", c->name, values[count - 1],
                       ri_log_signal_unit(log, signal));
    else
        ri_view_answer(p->view, c, false, NAN, "'%s' has no sample in the second before %.9g s", c->name, p->time);
    ri_log_release(log, times);
    ri_log_release(log, values);
}

static double log_step(const RiReplay *p)
{
    return fmin(0.02, fmax(1e-3, (p->end - p->start) / 100.0));
}

static void carry_out(RiReplay *p, const RiViewCommand *c)
{
    p->changed = true;
    switch (c->op) {
    case RI_VIEW_PAUSE:
        p->paused = true;
        ri_view_answer(p->view, c, true, NAN, "paused");
        break;
    case RI_VIEW_RESUME:
        p->time = p->time >= p->end ? p->start : p->time;
        p->paused = false;
        ri_view_answer(p->view, c, true, NAN, "going on");
        break;
    case RI_VIEW_SPEED:
        p->speed = c->number > 0.0 ? c->number : 1.0;
        ri_view_answer(p->view, c, true, p->speed, "speed %g", p->speed);
        break;
    case RI_VIEW_STEP:
        p->paused = true;
        p->time = fmin(p->end, p->time + c->number * log_step(p));
        ri_view_answer(p->view, c, true, p->time, "%.9g s", p->time);
        break;
    case RI_VIEW_RESTART:
    case RI_VIEW_SEEK:
        p->time = c->op == RI_VIEW_SEEK ? fmax(p->start, fmin(p->end, c->number)) : p->start;
        ri_view_answer(p->view, c, true, p->time, "%.9g s", p->time);
        break;
    case RI_VIEW_GET:
        get_value(p, c);
        break;
    case RI_VIEW_PLOT:
        plot(p, c);
        break;
    case RI_VIEW_CHECKPOINT:
    case RI_VIEW_GRAVITY:
    case RI_VIEW_SET:
    case RI_VIEW_MOVE:
    case RI_VIEW_RATE:
    case RI_VIEW_LAYER:
    case RI_VIEW_UNPLOT:
    case RI_VIEW_OP_COUNT:
        ri_view_answer(p->view, c, false, NAN, "%s: a log cannot be changed", ri_view_op_name(c->op));
    }
}

// --- pictures ------------------------------------------------------------------------------------

static RiVec3 vec3_of(const float *x)
{
    return ri_vec3((double)x[0], (double)x[1], (double)x[2]);
}

static RiStatus read_contacts(ReplayRun *r, double time)
{
    int count;
    RI_TRY(ri_log_read_numbers(r->log, "/contacts", time, CONTACT_NUMBERS * RI_SHOW_CONTACTS, r->numbers, &count));
    r->contact_count = count / CONTACT_NUMBERS;
    for (int i = 0; i < r->contact_count; i++) {
        const float *x = r->numbers + (ptrdiff_t)CONTACT_NUMBERS * i;
        r->contact[i] = (RiViewContact){vec3_of(x), vec3_of(x + 3)};
    }
    return RI_OK;
}

static RiStatus read_springs(ReplayRun *r, double time)
{
    int count;
    RI_TRY(ri_log_read_numbers(r->log, "/springs", time, SPRING_NUMBERS * SPRINGS, r->numbers, &count));
    r->spring_count = count / SPRING_NUMBERS;
    for (int i = 0; i < r->spring_count; i++) {
        const float *x = r->numbers + (ptrdiff_t)SPRING_NUMBERS * i;
        r->spring[i] = (RiViewSpring){vec3_of(x), vec3_of(x + 3), (double)x[6]};
    }
    return RI_OK;
}

/// Poses, springs and, if they are wanted, contacts at the time shown.
static RiStatus read_moment(const RiReplay *p, ReplayRun *r, bool contacts)
{
    double at;
    RI_TRY(ri_log_read_frames(r->log, 0, p->time, r->poses, &at));
    r->contact_count = 0;
    if (contacts)
        RI_TRY(read_contacts(r, p->time));
    return r->springs > 0 ? read_springs(r, p->time) : RI_OK;
}

static void publish(RiReplay *p, int index)
{
    ReplayRun *r = &p->runs[index];
    const bool contacts = r->has_contacts && (ri_view_layers(p->view) & RI_VIEW_CONTACTS);
    if (p->time != r->shown || contacts != r->shown_contacts) {
        r->trouble[0] = '\0';
        if (read_moment(p, r, contacts) != RI_OK)
            snprintf(r->trouble, sizeof r->trouble, "%s", ri_context_message(p->ctx));
        r->shown = p->time;
        r->shown_contacts = contacts;
    }
    RiViewFrame f = {.bodies = r->bodies,
                     .poses = r->poses,
                     .contacts = r->contact_count,
                     .contact = r->contact,
                     .springs = r->spring_count,
                     .spring = r->spring};
    f.status = (RiViewStatus){
        .time = p->time, .speed = p->speed, .rtf = p->paused ? 0.0 : p->speed, .paused = p->paused, .gravity_on = true};
    memcpy(f.status.stopped, r->trouble[0] ? r->trouble : r->rut_trouble, sizeof f.status.stopped);
    ri_view_frame(p->view, index, &f);
}

/// Ruts as they were, a few times a second, while a page shows them.
static void publish_ruts(RiReplay *p, int index, double now)
{
    const double pause = 0.2;
    ReplayRun *r = &p->runs[index];
    if (!r->ruts || !(ri_view_layers(p->view) & RI_VIEW_RUTS) || r->ruts_shown == p->time || now < r->ruts_due)
        return;
    r->ruts_due = now + pause;
    r->ruts_shown = p->time;
    r->rut_trouble[0] = '\0';
    if (ri_rut_replay_show(r->ruts, p->time) != RI_OK)
        snprintf(r->rut_trouble, sizeof r->rut_trouble, "%s", ri_context_message(p->ctx));
}

/// Planned paths as they were. An invalid list is reported when it is read.
static RiStatus show_plan(RiReplay *p, int index)
{
    ReplayRun *r = &p->runs[index];
    float list[RI_PLAN_NUMBERS];
    int count;
    RI_TRY(ri_log_read_numbers(r->log, "/plan", p->time, RI_PLAN_NUMBERS, list, &count));
    if (!ri_plan_check(list, count))
        return ri_error(p->ctx, RI_ERR_FORMAT, "the log's planned paths are not as they are written");
    if (count == r->planned_count && memcmp(list, r->planned, (size_t)count * sizeof *list) == 0)
        return RI_OK;
    RiText t;
    ri_text_init(&t, &p->memory);
    ri_plan_message(&t, index, list, count);
    const RiStatus status =
        t.failed ? no_memory(p->ctx) : ri_view_keep(p->view, ri_show_key(SHOW_PLAN, index), true, t.at, t.size);
    ri_text_free(&t);
    RI_TRY(status);
    memcpy(r->planned, list, (size_t)count * sizeof *list);
    r->planned_count = count;
    return RI_OK;
}

static void publish_plan(RiReplay *p, int index, double now)
{
    const double pause = 0.1;
    ReplayRun *r = &p->runs[index];
    if (!r->has_plan || r->plan_shown == p->time || now < r->plan_due)
        return;
    r->plan_due = now + pause;
    r->plan_shown = p->time;
    if (show_plan(p, index) == RI_OK)
        return;
    r->has_plan = false;
    ri_view_event(p->view, index, RI_VIEW_EVENT_NOTE, p->time, ri_context_message(p->ctx));
}

void ri_replay_serve(RiReplay *p)
{
    RiViewCommand c;
    while (ri_view_poll(p->view, &c))
        carry_out(p, &c);
    const double now = ri_view_clock();
    if (!p->paused) {
        p->time = fmin(p->end, p->time + p->speed * (now - p->wall));
        if (p->time >= p->end) {
            p->paused = true;
            p->changed = true;
        }
    }
    p->wall = now;
    if (p->changed || now >= p->frame_due) {
        const double rate = ri_view_rate(p->view);
        p->frame_due = now + 1.0 / (rate > 0.0 && !p->paused ? rate : 5.0);
        p->changed = false;
        for (int i = 0; i < p->count; i++)
            publish(p, i);
    }
    for (int i = 0; i < p->count; i++) {
        publish_plan(p, i, now);
        publish_ruts(p, i, now);
    }
    for (int i = 0; i < p->count; i++)
        read_way(p, i, now);
    read_plots(p);
}
