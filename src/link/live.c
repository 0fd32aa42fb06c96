// SPDX-License-Identifier: Apache-2.0
/// \file
/// Simulations shown live: pace, requests of pages, frames, plots.
///
/// Two runs (A/B) share clock, pause and speed and are stepped in turn, the one behind first;
/// values, gravity and the robot's place are each run's own. Requests are carried out between
/// ticks, so that a run is disturbed at whole ticks only.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rille/checkpoint.h>

#include "base/names.h"
#include "link/ground.h"
#include "link/plan.h"
#include "link/seen.h"
#include "link/sensed.h"
#include "link/show.h"
#include "link/steer.h"
#include "link/view_work.h"
#include "link/way.h"

enum { PLOT_SAMPLES = 32768, SAMPLED = 64 };

static const double late = 0.25; ///< [s] behind the clock, after which the clock is set again instead of caught up

/// Lowest cell of a tile of ruts.
typedef struct RutPlace {
    int i, j;
} RutPlace;

typedef struct LiveRun {
    RiScene *scene;
    RiSim *sim;
    void *start_state;
    RiVec3 gravity; ///< to come back to
    bool gravity_on;
    char stopped[160];
    RiPose *poses;
    RiViewSpring *springs;
    RiViewContact contacts[RI_SHOW_CONTACTS];
    RiViewSeries *series[SAMPLED];
    int sampled[SAMPLED]; ///< values
    int sampled_count;
    long long stride;     ///< ticks between samples of plots
    unsigned rut_version; ///< of the newest tile sent
    RutPlace *ruts;       ///< tiles that pages have
    int rut_count, rut_room;
    RiWay *way;      ///< of the base
    RiSensed sensed; ///< what pages have of a rover's maps
    RiSeen *seen;    ///< cameras and lidars; NULL: there are none
    RiPlanSource plan;
    float planned[RI_PLAN_NUMBERS]; ///< that pages have
    int planned_count;
    double rtf_time; ///< simulated time at the last measurement
    double rtf;
} LiveRun;

struct RiLive {
    RiContext *ctx;
    RiView *view;
    RiAllocator memory;
    RiLiveOptions options;
    LiveRun runs[RI_VIEW_RUNS];
    int count;
    bool paused;
    double speed;
    long long steps_asked;     ///< ticks to do while paused
    double wall0, time0;       ///< of the clock: simulated time is time0 + speed (wall - wall0)
    double frame_due, rtf_due; ///< wall clock [s]
    double sight_due;
    bool changed; ///< show at once
    int layers;   ///< that pages had asked for
    int checkpoints;
};

RiLiveOptions ri_live_options_default(void)
{
    return (RiLiveOptions){.speed = 1.0, .may_restart = true};
}

// --- clock ---------------------------------------------------------------------------------------

/// Simulated time of the run that is behind, among those that go on; of all if none does.
static double time_of(const RiLive *l)
{
    double going = INFINITY, last = 0.0;
    for (int i = 0; i < l->count; i++) {
        const double t = ri_sim_time(l->runs[i].sim);
        last = fmax(last, t);
        going = l->runs[i].stopped[0] ? going : fmin(going, t);
    }
    return isinf(going) ? last : going;
}

/// The highest run that has not ended, -1 if all have.
static int last_going(const RiLive *l)
{
    int i = l->count - 1;
    while (i >= 0 && l->runs[i].stopped[0])
        i--;
    return i;
}

static void set_clock(RiLive *l)
{
    l->wall0 = ri_view_clock();
    l->time0 = time_of(l);
}

// --- frames --------------------------------------------------------------------------------------

static void publish(RiLive *l, int index)
{
    LiveRun *r = &l->runs[index];
    RiDyn *d = ri_sim_dyn(r->sim);
    const int links = ri_model_link_count(ri_sim_model(r->sim)), springs = ri_sim_spring_count(r->sim);
    for (int i = 0; i < links; i++)
        r->poses[i] = ri_dyn_frame_pose(d, i);
    for (int i = 0; i < springs; i++) {
        const RiSpringInfo s = ri_sim_spring(r->sim, i);
        r->springs[i] = (RiViewSpring){s.point, s.anchor, s.force};
    }
    RiViewFrame f = {.bodies = links, .poses = r->poses, .springs = springs, .spring = r->springs};
    if (ri_view_layers(l->view) & RI_VIEW_CONTACTS) {
        f.contacts = ri_show_contacts(r->sim, r->contacts);
        f.contact = r->contacts;
    }
    f.status = (RiViewStatus){.time = ri_sim_time(r->sim),
                              .speed = l->speed,
                              .rtf = r->rtf,
                              .steps = ri_sim_tick(r->sim),
                              .paused = l->paused,
                              .gravity_on = r->gravity_on};
    memcpy(f.status.stopped, r->stopped, sizeof f.status.stopped);
    ri_view_frame(l->view, index, &f);
}

/// Planned paths, when they change. What fails is tried again with the next frame.
static void publish_plan(RiLive *l, int index)
{
    LiveRun *r = &l->runs[index];
    float list[RI_PLAN_NUMBERS];
    const int count = ri_plan_read(&r->plan, ri_sim_values(r->sim), list);
    if (count == r->planned_count && memcmp(list, r->planned, (size_t)count * sizeof *list) == 0)
        return;
    RiText t;
    ri_text_init(&t, &l->memory);
    ri_plan_message(&t, index, list, count);
    if (!t.failed && ri_view_keep(l->view, ri_show_key(SHOW_PLAN, index), true, t.at, t.size) == RI_OK) {
        memcpy(r->planned, list, (size_t)count * sizeof *list);
        r->planned_count = count;
    } else {
        ri_context_clear(l->ctx);
    }
    ri_text_free(&t);
}

/// Keeps a tile of ruts for the pages.
static void keep_ruts(RiLive *l, int index, RutPlace at, const RiText *t)
{
    if (t->failed || ri_view_keep(l->view, ri_show_rut_key(index, at.i, at.j), false, t->at, t->size) != RI_OK)
        ri_context_clear(l->ctx); // shown when it changes again
}

/// Remembers that pages have a tile, once.
static void note_ruts(RiLive *l, LiveRun *r, RutPlace at)
{
    for (int k = 0; k < r->rut_count; k++)
        if (r->ruts[k].i == at.i && r->ruts[k].j == at.j)
            return;
    if (r->rut_count == r->rut_room) {
        const int room = r->rut_room ? 2 * r->rut_room : 64;
        RutPlace *more = l->memory.resize(l->memory.user, r->ruts, (size_t)room * sizeof *more);
        if (!more)
            return;
        r->ruts = more;
        r->rut_room = room;
    }
    r->ruts[r->rut_count++] = at;
}

/// Tiles of ruts that have changed, while a page shows them.
static void publish_ruts(RiLive *l, int index)
{
    LiveRun *r = &l->runs[index];
    const RiRuts *ruts = ri_sim_ruts(r->sim);
    if (!ruts || !(ri_view_layers(l->view) & RI_VIEW_RUTS))
        return;
    unsigned newest = r->rut_version;
    for (int i = 0; i < ri_ruts_tile_count(ruts); i++) {
        const unsigned version = ri_ruts_tile_version(ruts, i);
        if (version <= r->rut_version)
            continue;
        RiText t;
        RutPlace at;
        ri_text_init(&t, &l->memory);
        ri_ground_rut_tile(&t, ruts, i, index);
        ri_ruts_tile(ruts, i, &at.i, &at.j);
        keep_ruts(l, index, at, &t);
        note_ruts(l, r, at);
        ri_text_free(&t);
        newest = version > newest ? version : newest;
    }
    r->rut_version = newest;
}

/// The way so far, while a page shows it.
static void publish_way(RiLive *l, int index)
{
    if ((ri_view_layers(l->view) & RI_VIEW_PATH) && ri_way_keep(l->runs[index].way, l->view, index) != RI_OK)
        ri_context_clear(l->ctx); // with the next round
}

/// What a rover has made of the ground.
static void publish_sensed(RiLive *l, int index)
{
    LiveRun *r = &l->runs[index];
    if (ri_sensed_keep(&r->sensed, l->view, r->sim, index) != RI_OK)
        ri_context_clear(l->ctx); // with the next round
}

/// Cameras and lidars at work, while a page asks for them. What stops them is reported.
static void publish_seen(RiLive *l, int index)
{
    if (ri_seen_tick(l->runs[index].seen, ri_view_layers(l->view)) == RI_OK)
        return;
    ri_view_event(l->view, index, RI_VIEW_EVENT_NOTE, ri_sim_time(l->runs[index].sim), ri_context_message(l->ctx));
    ri_context_clear(l->ctx);
}

/// What cameras see of the ground, five times a second.
static void publish_sights(RiLive *l, double now)
{
    const double every = 0.2;
    if (!(ri_view_layers(l->view) & RI_VIEW_SIGHTS) || now < l->sight_due)
        return;
    l->sight_due = now + every;
    for (int i = 0; i < l->count; i++)
        if (ri_seen_sights(l->runs[i].seen) != RI_OK)
            ri_context_clear(l->ctx); // with the next round
}

/// After a restart: tiles that pages have are flat again; those that the state holds are sent again.
static void forget_ruts(RiLive *l, int index)
{
    LiveRun *r = &l->runs[index];
    const RiRuts *ruts = ri_sim_ruts(r->sim);
    for (int k = 0; ruts && k < r->rut_count; k++) {
        RiText t;
        ri_text_init(&t, &l->memory);
        ri_ground_depths(&t, ri_ruts_cell(ruts), r->ruts[k].i, r->ruts[k].j, NULL, NULL, index);
        keep_ruts(l, index, r->ruts[k], &t);
        ri_text_free(&t);
    }
    r->rut_count = 0;
    r->rut_version = 0;
}

/// Speed reached over the last half second; ruts, ways and maps go at the same pace.
static void measure_speed(RiLive *l, double now)
{
    const double span = 0.5;
    if (now < l->rtf_due)
        return;
    for (int i = 0; i < l->count; i++) {
        LiveRun *r = &l->runs[i];
        const double t = ri_sim_time(r->sim);
        publish_ruts(l, i);
        publish_way(l, i);
        publish_sensed(l, i);
        r->rtf = l->rtf_due > 0.0 ? fmax(0.0, t - r->rtf_time) / (now - l->rtf_due + span) : 0.0;
        r->rtf_time = t;
    }
    l->rtf_due = now + span;
}

/// What a page has just asked for comes at once.
static void publish_asked(RiLive *l)
{
    const int layers = ri_view_layers(l->view), news = layers & ~l->layers;
    l->layers = layers;
    for (int i = 0; news && i < l->count; i++) {
        publish_ruts(l, i);
        publish_way(l, i);
    }
}

static void publish_due(RiLive *l)
{
    const double now = ri_view_clock();
    publish_asked(l);
    publish_sights(l, now);
    for (int i = 0; i < l->count; i++)
        publish_seen(l, i);
    measure_speed(l, now);
    if (now < l->frame_due && !l->changed)
        return;
    const double rate = ri_view_rate(l->view), idle = 5.0;
    l->frame_due = fmax(l->frame_due + 1.0 / (rate > 0.0 && !l->paused ? rate : idle), now);
    l->changed = false;
    for (int i = 0; i < l->count; i++) {
        publish(l, i);
        publish_plan(l, i);
    }
}

// --- plots ---------------------------------------------------------------------------------------

/// Begins to keep the history of a value.
static RiStatus sample_value(RiLive *l, int index, int value, RiViewSeries **out_series)
{
    LiveRun *r = &l->runs[index];
    const RiValue *x = ri_values_get(ri_sim_values(r->sim), value);
    *out_series = ri_view_find_series(l->view, index, x->name);
    if (*out_series)
        return RI_OK;
    if (r->sampled_count == SAMPLED)
        return ri_error(l->ctx, RI_ERR_LIMIT, "at most %d values of a run are plotted", SAMPLED);
    RI_TRY(ri_view_add_series(l->view, index, x->name, x->unit, PLOT_SAMPLES, out_series));
    r->series[r->sampled_count] = *out_series;
    r->sampled[r->sampled_count++] = value;
    ri_view_sample(*out_series, ri_sim_time(r->sim), ri_values_read(ri_sim_values(r->sim), value));
    return RI_OK;
}

static void sample(LiveRun *r)
{
    const RiValues *values = ri_sim_values(r->sim);
    if (r->sampled_count == 0 || ri_sim_tick(r->sim) % r->stride != 0)
        return;
    for (int i = 0; i < r->sampled_count; i++)
        ri_view_sample(r->series[i], ri_sim_time(r->sim), ri_values_read(values, r->sampled[i]));
}

/// What the scene's report plots is kept from the start.
static RiStatus sample_plots(RiLive *l, int index)
{
    enum { MOST = 32 };
    LiveRun *r = &l->runs[index];
    const RiValues *values = ri_sim_values(r->sim);
    for (int p = 0; p < ri_scene_plot_count(r->scene); p++)
        for (int g = 0; g < ri_scene_plot_glob_count(r->scene, p); g++) {
            const char *glob = ri_scene_plot_glob(r->scene, p, g);
            for (int i = ri_values_match(values, glob, 0); i >= 0 && r->sampled_count < MOST / l->count;
                 i = ri_values_match(values, glob, i + 1)) {
                RiViewSeries *unused;
                RI_TRY(sample_value(l, index, i, &unused));
            }
        }
    return RI_OK;
}

// --- requests ------------------------------------------------------------------------------------

static void note(RiLive *l, int run, RiViewEventKind kind, const char *text)
{
    ri_view_event(l->view, run, kind, ri_sim_time(l->runs[run].sim), text);
}

/// Answers with the context's message.
static void fail(RiLive *l, const RiViewCommand *c)
{
    ri_view_answer(l->view, c, false, NAN, "%s", ri_context_message(l->ctx));
}

static void set_value(RiLive *l, const RiViewCommand *c)
{
    LiveRun *r = &l->runs[c->run];
    RiValues *values = ri_sim_values(r->sim);
    char text[480];
    if (ri_values_set(values, c->name, c->text) != RI_OK) {
        fail(l, c);
        return;
    }
    const int i = ri_values_find(values, c->name);
    const RiValue *x = ri_values_get(values, i);
    snprintf(text, sizeof text, "%s = %s", c->name, c->text);
    note(l, c->run, RI_VIEW_EVENT_COMMAND, text);
    ri_view_answer(l->view, c, true, ri_values_read(values, i), "%s = %.9g %s", x->name, ri_values_read(values, i),
                   x->unit);
    if (strncmp(c->name, "gravity.", 8) == 0) {
        r->gravity = ri_sim_options(r->sim)->gravity;
        r->gravity_on = true;
    }
}

static void get_value(RiLive *l, const RiViewCommand *c)
{
    const RiValues *values = ri_sim_values(l->runs[c->run].sim);
    const int i = ri_values_find(values, c->name);
    if (i < 0) {
        double x;
        if (ri_values_eval(values, c->name, &x) != RI_OK)
            fail(l, c);
        else
            ri_view_answer(l->view, c, true, x, "%s = %.9g", c->name, x);
        return;
    }
    const RiValue *x = ri_values_get(values, i);
    ri_view_answer(l->view, c, true, ri_values_read(values, i), "%s = %.9g %s", x->name, ri_values_read(values, i),
                   x->unit);
}

static void set_gravity(RiLive *l, const RiViewCommand *c)
{
    LiveRun *r = &l->runs[c->run];
    if (ri_steer_gravity(l->ctx, r->sim, c->on ? r->gravity : ri_vec3(0.0, 0.0, 0.0)) != RI_OK) {
        fail(l, c);
        return;
    }
    r->gravity_on = c->on;
    note(l, c->run, RI_VIEW_EVENT_COMMAND, c->on ? "gravity on" : "gravity off");
    ri_view_answer(l->view, c, true, NAN, "gravity %s", c->on ? "on" : "off");
}

/// A placement on its way.
typedef struct Placing {
    RiLive *live;
    int run;
} Placing;

/// Shows the robot and what pulls it, slowly enough to be seen.
static void show_placing(void *user, const RiPlaceView *v)
{
    const Placing *p = user;
    LiveRun *r = &p->live->runs[p->run];
    RiDyn *d = ri_sim_dyn(r->sim);
    const int links = ri_model_link_count(ri_sim_model(r->sim));
    if (ri_dyn_update_position(d, v->q) != RI_OK) // brought back by refresh
        return;
    for (int i = 0; i < links; i++)
        r->poses[i] = ri_dyn_frame_pose(d, i);
    RiViewFrame f = {.bodies = links, .poses = r->poses, .pulls = true, .contact = r->contacts};
    for (; f.contacts < v->pull_count && f.contacts < RI_SHOW_CONTACTS; f.contacts++)
        r->contacts[f.contacts] = (RiViewContact){v->pulls[f.contacts].point, v->pulls[f.contacts].force};
    f.status = (RiViewStatus){
        .time = ri_sim_time(r->sim), .speed = p->live->speed, .paused = true, .gravity_on = r->gravity_on};
    ri_view_frame(p->live->view, p->run, &f);
    const struct timespec pause = {.tv_nsec = 4000000};
    nanosleep(&pause, NULL);
}

static void move_base(RiLive *l, const RiViewCommand *c)
{
    char said[320];
    Placing placing = {l, c->run};
    const RiSteerPlace place = {c->position, c->quaternion, c->on, show_placing, &placing};
    if (ri_steer_base(l->ctx, l->runs[c->run].scene, &place, said, sizeof said) != RI_OK) {
        fail(l, c);
        return;
    }
    set_clock(l);
    ri_seen_restart(l->runs[c->run].seen);
    note(l, c->run, RI_VIEW_EVENT_COMMAND, c->on ? "the robot was placed" : "the base was moved");
    ri_view_answer(l->view, c, true, NAN, "%s", said);
}

static void restart(RiLive *l, const RiViewCommand *c)
{
    if (!l->options.may_restart) {
        ri_view_answer(l->view, c, false, NAN, "this run writes a log and cannot restart; use 'rille view SCENE'");
        return;
    }
    for (int i = 0; i < l->count; i++) {
        LiveRun *r = &l->runs[i];
        if (ri_sim_load_state(r->sim, r->start_state) != RI_OK) {
            fail(l, c);
            return;
        }
        r->stopped[0] = '\0';
        ri_seen_restart(r->seen);
        ri_view_clear_series(l->view, i);
        forget_ruts(l, i);
        ri_way_clear(r->way);
        sample(r);
        note(l, i, RI_VIEW_EVENT_NOTE, "restarted; parameters keep the values that were set");
    }
    ri_view_answer(l->view, c, true, NAN, "restarted");
}

/// The next free FOLDER/SCENE-N.checkpoint: those of earlier runs are kept. False: the folder's
/// name is too long.
static bool name_checkpoint(RiLive *l, int run, char *path, size_t size)
{
    char name[64];
    ri_file_name(ri_scene_name(l->runs[run].scene), name, sizeof name);
    int n;
    do
        n = snprintf(path, size, "%s/%s-%d.checkpoint", l->options.folder ? l->options.folder : ".", name,
                     ++l->checkpoints);
    while (n > 0 && (size_t)n < size && access(path, F_OK) == 0);
    return n > 0 && (size_t)n < size;
}

static void take_checkpoint(RiLive *l, const RiViewCommand *c)
{
    char path[4096], text[700];
    if (!name_checkpoint(l, c->run, path, sizeof path)) {
        ri_view_answer(l->view, c, false, NAN, "the name of the folder is too long for a checkpoint");
        return;
    }
    if (ri_checkpoint_save(l->runs[c->run].sim, path) != RI_OK) {
        fail(l, c);
        return;
    }
    snprintf(text, sizeof text, "checkpoint %.640s", path);
    note(l, c->run, RI_VIEW_EVENT_CHECKPOINT, text);
    ri_view_answer(l->view, c, true, NAN, "%s", text);
}

static void plot(RiLive *l, const RiViewCommand *c)
{
    const RiValues *values = ri_sim_values(l->runs[c->run].sim);
    const int i = ri_values_find(values, c->name);
    RiViewSeries *series;
    if (i < 0) {
        ri_view_answer(l->view, c, false, NAN, "there is no value '%s'", c->name);
        return;
    }
    if (sample_value(l, c->run, i, &series) != RI_OK) {
        fail(l, c);
        return;
    }
    ri_view_subscribe(l->view, c, series);
    ri_view_answer(l->view, c, true, NAN, "%s", c->name);
}

static void set_pause(RiLive *l, const RiViewCommand *c)
{
    l->paused = c->op == RI_VIEW_PAUSE;
    l->steps_asked = 0;
    set_clock(l);
    ri_view_answer(l->view, c, true, NAN, l->paused ? "paused" : "running");
}

static void ask_steps(RiLive *l, const RiViewCommand *c)
{
    l->paused = true;
    if (last_going(l) < 0) {
        ri_view_answer(l->view, c, false, NAN, "every run has ended; restart one to step it");
        return;
    }
    l->steps_asked += (long long)c->number;
    ri_view_answer(l->view, c, true, NAN, "%.0f ticks", c->number);
}

static void carry_out(RiLive *l, const RiViewCommand *c)
{
    l->changed = true;
    switch (c->op) {
    case RI_VIEW_PAUSE:
    case RI_VIEW_RESUME:
        set_pause(l, c);
        break;
    case RI_VIEW_STEP:
        ask_steps(l, c);
        break;
    case RI_VIEW_SPEED:
        l->speed = c->number;
        set_clock(l);
        ri_view_answer(l->view, c, true, l->speed, "speed %g", l->speed);
        break;
    case RI_VIEW_RESTART:
        restart(l, c);
        set_clock(l);
        break;
    case RI_VIEW_CHECKPOINT:
        take_checkpoint(l, c);
        break;
    case RI_VIEW_GRAVITY:
        set_gravity(l, c);
        break;
    case RI_VIEW_SET:
        set_value(l, c);
        break;
    case RI_VIEW_GET:
        get_value(l, c);
        break;
    case RI_VIEW_MOVE:
        move_base(l, c);
        break;
    case RI_VIEW_PLOT:
        plot(l, c);
        break;
    case RI_VIEW_SEEK:
    case RI_VIEW_RATE:
    case RI_VIEW_LAYER:
    case RI_VIEW_UNPLOT:
    case RI_VIEW_OP_COUNT:
        ri_view_answer(l->view, c, false, NAN, "%s: not for a live run", ri_view_op_name(c->op));
    }
}

// --- life cycle ----------------------------------------------------------------------------------

static RiStatus init_run(RiLive *l, int index, RiScene *scene)
{
    LiveRun *r = &l->runs[index];
    int run;
    r->scene = scene;
    r->sim = ri_scene_sim(scene);
    r->gravity = ri_sim_options(r->sim)->gravity;
    r->gravity_on = true;
    const double ticks = ri_scene_duration(scene) / ri_sim_options(r->sim)->tick / (PLOT_SAMPLES - 2);
    r->stride = isfinite(ticks) && ticks < 1e12 ? (long long)fmax(1.0, ceil(ticks)) : 1;
    r->poses = l->memory.resize(l->memory.user, NULL,
                                ((size_t)ri_model_link_count(ri_sim_model(r->sim)) + 1) * sizeof *r->poses);
    r->springs = l->memory.resize(l->memory.user, NULL, ((size_t)ri_sim_spring_count(r->sim) + 1) * sizeof *r->springs);
    r->start_state = l->memory.resize(l->memory.user, NULL, ri_sim_state_size(r->sim) + 1);
    r->way = l->memory.resize(l->memory.user, NULL, sizeof *r->way);
    if (!r->poses || !r->springs || !r->start_state || !r->way)
        return ri_error(l->ctx, RI_ERR_MEMORY, "out of memory");
    ri_way_init(r->way);
    ri_sim_save_state(r->sim, r->start_state);
    RI_TRY(ri_show_scene(l->ctx, l->view, scene, &run));
    ri_plan_find(&r->plan, ri_sim_values(r->sim));
    RI_TRY(ri_seen_create(l->ctx, l->view, scene, index, &r->seen));
    return sample_plots(l, index);
}

RiStatus ri_live_create(RiContext *ctx, RiView *view, RiScene *const *scenes, int count, const RiLiveOptions *options,
                        RiLive **out_live)
{
    *out_live = NULL;
    const RiAllocator memory = view->memory;
    RiLive *l = memory.resize(memory.user, NULL, sizeof *l);
    if (!l)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    memset(l, 0, sizeof *l);
    l->ctx = ctx;
    l->view = view;
    l->memory = memory;
    l->options = options ? *options : ri_live_options_default();
    l->paused = l->options.paused;
    l->speed = l->options.speed;
    RiStatus status = RI_OK;
    for (int i = 0; i < count && status == RI_OK; i++) {
        l->count = i + 1;
        status = init_run(l, i, scenes[i]);
    }
    if (status != RI_OK) {
        ri_live_destroy(l);
        return status;
    }
    set_clock(l);
    l->changed = true;
    publish_due(l);
    ri_view_ready(view);
    *out_live = l;
    return RI_OK;
}

void ri_live_destroy(RiLive *l)
{
    if (!l)
        return;
    const RiAllocator memory = l->memory;
    for (int i = 0; i < l->count; i++) {
        ri_seen_destroy(l->runs[i].seen);
        memory.release(memory.user, l->runs[i].poses);
        memory.release(memory.user, l->runs[i].springs);
        memory.release(memory.user, l->runs[i].ruts);
        memory.release(memory.user, l->runs[i].way);
        memory.release(memory.user, l->runs[i].start_state);
    }
    memory.release(memory.user, l);
}

void ri_live_serve(RiLive *l)
{
    RiViewCommand c;
    while (ri_view_poll(l->view, &c))
        carry_out(l, &c);
    publish_due(l);
}

int ri_live_due(RiLive *l)
{
    int behind = -1;
    for (int i = 0; i < l->count; i++)
        if (!l->runs[i].stopped[0] && (behind < 0 || ri_sim_time(l->runs[i].sim) < ri_sim_time(l->runs[behind].sim)))
            behind = i;
    if (behind < 0 || (l->paused && l->steps_asked == 0))
        return -1;
    if (l->paused || l->speed == 0.0)
        return behind;
    const double now = ri_view_clock(), due = l->time0 + l->speed * (now - l->wall0);
    const double time = ri_sim_time(l->runs[behind].sim);
    if (due - time > late * l->speed)
        set_clock(l); // the machine is too slow for this speed: go on from here
    return time < due ? behind : -1;
}

void ri_live_stop(RiLive *l, int run, const char *why)
{
    LiveRun *r = &l->runs[run];
    if (r->stopped[0])
        return;
    snprintf(r->stopped, sizeof r->stopped, "%s", why);
    note(l, run, RI_VIEW_EVENT_STOP, why);
    if (last_going(l) < 0)
        l->steps_asked = 0; // nobody is left to do them
    l->changed = true;
}

void ri_live_stepped(RiLive *l, int run, RiStatus status)
{
    LiveRun *r = &l->runs[run];
    if (status == RI_OK)
        publish_seen(l, run);
    sample(r);
    ri_way_add(r->way, ri_sim_time(r->sim), ri_dyn_frame_pose(ri_sim_dyn(r->sim), 0).p);
    if (l->paused && l->steps_asked > 0 && run == last_going(l)) // the runs before it have had their turn
        l->steps_asked--;
    if (l->paused)
        l->changed = true;
    if (status != RI_OK)
        ri_live_stop(l, run, ri_context_message(l->ctx));
    else if (ri_sim_stopped(r->sim))
        ri_live_stop(l, run, ri_sim_stopped(r->sim));
}

bool ri_live_is_paused(const RiLive *l)
{
    return l->paused && l->steps_asked == 0;
}
