// SPDX-License-Identifier: Apache-2.0
/// \file
/// The campaign of FIDO on the tilt table: its tests, and runs of them on several threads.
///
/// The papers say how many tests there were, which motions, directions and repeats, and the ranges
/// that came out; the list of tests is ours, made to fit those numbers: 10 drives and 6 turns on
/// the level table, five times each; 22 drives and 18 turns at each slope, three times each: 440
/// runs.
#include "base/functions.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <rille/study/tilt_table.h>

#include "base/memory.h"

static const double DEG = M_PI / 180.0;
static const double SHALLOW = 4.0, TIGHT = 1.5; // radii [m]: ours
static const double SETTLE = 0.5;               // [s] before the command and after the end

double ri_tilt_slope(int slope)
{
    static const double degrees[RI_TILT_SLOPES] = {0.085, 5.743, 10.758, 20.764};
    return degrees[slope] * DEG;
}

const char *ri_tilt_slope_name(int slope)
{
    static const char *const names[RI_TILT_SLOPES] = {"level", "5 deg", "10 deg", "20 deg"};
    return names[slope];
}

RiTiltRange ri_tilt_fido(int slope)
{
    static const RiTiltRange table[RI_TILT_SLOPES] = {{2.0, 5.0}, {2.0, 8.0}, {2.0, 20.0}, {10.0, 60.0}};
    return table[slope];
}

RiTiltRange ri_tilt_roams(int slope)
{
    static const RiTiltRange table[RI_TILT_SLOPES] = {{2.0, 4.0}, {1.0, 6.0}, {2.0, 10.0}, {5.0, 20.0}};
    return table[slope];
}

// --- parameters ----------------------------------------------------------------------------------

typedef struct ParameterInfo {
    const char *name, *unit;
    double value, low, high;
} ParameterInfo;

static const ParameterInfo parameters[RI_TILT_PARAMETERS] = {
    [RI_TILT_FRICTION_ANGLE] = {"friction_angle", "rad", 0.50, 0.40, 0.70},
    [RI_TILT_COHESION] = {"cohesion", "Pa", 500.0, 0.0, 1000.0},
    [RI_TILT_ROLLING_RESISTANCE] = {"rolling_resistance", "", 0.05, 0.02, 0.12},
    [RI_TILT_SIGMA_MAX] = {"sigma_max", "", 0.61, 0.2, 2.0},
    [RI_TILT_SIGMA_SLOPE] = {"sigma_slope", "", 5.0, 0.0, 15.0},
};

const char *ri_tilt_parameter_name(int parameter)
{
    return parameters[parameter].name;
}

const char *ri_tilt_parameter_unit(int parameter)
{
    return parameters[parameter].unit;
}

void ri_tilt_parameter_range(int parameter, double *out_low, double *out_high)
{
    *out_low = parameters[parameter].low;
    *out_high = parameters[parameter].high;
}

RiTiltSet ri_tilt_set_default(void)
{
    RiTiltSet set;
    for (int i = 0; i < RI_TILT_PARAMETERS; i++)
        set.x[i] = parameters[i].value;
    return set;
}

// --- the plan ------------------------------------------------------------------------------------

/// Adds a test and its runs; every second run of the campaign belongs to the half that is tuned on.
static void add(RiTiltCampaign *c, const char *series, int number, RiTiltTest test)
{
    RiTiltTest *t = &c->tests[c->test_count];
    *t = test;
    snprintf(t->name, sizeof t->name, "%s%d", series, number);
    for (int i = 0; i < t->repeats; i++) {
        c->runs[c->run_count] = (RiTiltRun){.test = c->test_count, .repeat = i, .tuned = c->run_count % 2 == 0};
        c->run_count++;
    }
    c->test_count++;
}

/// Drives of one direction: the first `count` of straight, shallow and tight arcs to both sides,
/// forwards and backwards.
static void add_drives(RiTiltCampaign *c, const char *series, int *number, int slope, double heading, int count)
{
    const double radii[] = {0.0, SHALLOW, TIGHT, -SHALLOW, -TIGHT};
    for (int back = 0; back < 2; back++)
        for (int i = 0; i < count; i++)
            add(c, series, (*number)++,
                (RiTiltTest){.slope = slope,
                             .heading = heading,
                             .radius = radii[i],
                             .length = back ? -2.0 : 2.0,
                             .repeats = slope == 0 ? 5 : 3});
}

static void add_turns(RiTiltCampaign *c, const char *series, int *number, int slope, double heading)
{
    const double angles[] = {5.0, 90.0, 245.0};
    for (int i = 0; i < 3; i++)
        for (int right = 0; right < 2; right++)
            add(c, series, (*number)++,
                (RiTiltTest){.slope = slope,
                             .turns = true,
                             .heading = heading,
                             .angle = (right ? -1.0 : 1.0) * angles[i] * DEG,
                             .repeats = slope == 0 ? 5 : 3});
}

void ri_tilt_plan(RiTiltCampaign *c)
{
    const double up = 0.0, down = 180.0 * DEG, across = 90.0 * DEG;
    int level = 21, tilted = 1, turn = 13, tilted_turn = 1;
    memset(c, 0, sizeof *c);
    add_drives(c, "Test", &level, 0, up, 5);
    for (int slope = 1; slope < RI_TILT_SLOPES; slope++) {
        add_drives(c, "TestS", &tilted, slope, up, 5);
        add_drives(c, "TestS", &tilted, slope, down, 3);
        add_drives(c, "TestS", &tilted, slope, across, 3);
    }
    add_turns(c, "TestT", &turn, 0, up);
    for (int slope = 1; slope < RI_TILT_SLOPES; slope++) {
        add_turns(c, "TestTS", &tilted_turn, slope, up);
        add_turns(c, "TestTS", &tilted_turn, slope, down);
        add_turns(c, "TestTS", &tilted_turn, slope, across);
    }
}

// --- one run -------------------------------------------------------------------------------------

enum { OWN_SETTINGS = RI_TILT_PARAMETERS + 8, SETTING_ROOM = 64 };

typedef struct Settings {
    RiSetting list[SETTING_ROOM];
    char text[OWN_SETTINGS][40];
    int count;
} Settings;

static void add_setting(Settings *s, const char *name, double value, const char *unit)
{
    char *text = s->text[s->count];
    snprintf(text, sizeof s->text[0], "%.17g %s", value, unit);
    s->list[s->count++] = (RiSetting){name, text};
}

static void make_settings(const RiTiltOptions *o, const RiTiltTest *t, int run, Settings *s)
{
    s->count = 0;
    for (int i = 0; i < RI_TILT_PARAMETERS; i++)
        add_setting(s, parameters[i].name, (o->regimes ? o->regimes[t->slope] : o->set).x[i], parameters[i].unit);
    add_setting(s, "slope", ri_tilt_slope(t->slope), "rad");
    add_setting(s, "heading", t->heading, "rad");
    add_setting(s, "command", t->turns ? 2.0 : 1.0, "");
    add_setting(s, "radius", t->radius, "m");
    add_setting(s, "length", t->turns ? 1.0 : t->length, "m");
    add_setting(s, "angle", t->angle, "rad");
    add_setting(s, "seed", (double)((o->seed * 1000 + (unsigned long long)run) % (1ULL << 53)), "");
    add_setting(s, "log.rate", 0.0, "");
    for (int i = 0; i < o->setting_count && s->count < SETTING_ROOM; i++)
        s->list[s->count++] = o->settings[i];
}

/// Place and axes of the base.
typedef struct Place {
    RiVec3 p, ahead, left;
} Place;

static Place place_of(RiSim *sim)
{
    static const char *const names[6] = {"base.x", "base.y", "base.z", "base.roll", "base.pitch", "base.yaw"};
    double x[6];
    for (int i = 0; i < 6; i++)
        x[i] = ri_values_read(ri_sim_values(sim), ri_values_find(ri_sim_values(sim), names[i]));
    const RiMat3 R = ri_mat3_rpy(x[3], x[4], x[5]);
    return (Place){ri_vec3(x[0], x[1], x[2]), ri_rotate(&R, ri_vec3(1.0, 0.0, 0.0)),
                   ri_rotate(&R, ri_vec3(0.0, 1.0, 0.0))};
}

static RiStatus advance(RiSim *sim, double until)
{
    while (ri_sim_time(sim) < until - 1e-9)
        RI_TRY(ri_sim_step(sim));
    return RI_OK;
}

static double wrap(double angle)
{
    return angle - 360.0 * DEG * floor(angle / (360.0 * DEG) + 0.5);
}

/// Where the run ended against where it was commanded to.
static void judge(const RiTiltTest *t, const Place *from, const Place *to, RiTiltRun *run)
{
    const double turn = t->turns ? t->angle : t->radius != 0.0 ? t->length / t->radius : 0.0;
    const double x = t->turns ? 0.0 : t->radius != 0.0 ? t->radius * ri_sin(turn) : t->length;
    const double y = t->turns || t->radius == 0.0 ? 0.0 : t->radius * (1.0 - ri_cos(turn));
    const RiVec3 d = ri_sub(to->p, from->p);
    run->ahead = ri_dot(d, from->ahead) - x;
    run->aside = ri_dot(d, from->left) - y;
    run->heading = wrap(ri_atan2(ri_dot(to->ahead, from->left), ri_dot(to->ahead, from->ahead)) - turn);
    run->slip =
        t->turns ? 100.0 * fabs(run->heading / turn) : 100.0 * ri_hypot(run->ahead, run->aside) / fabs(t->length);
}

static RiStatus drive(RiScene *scene, const RiTiltTest *t, RiTiltRun *run)
{
    RiSim *sim = ri_scene_sim(scene);
    const int completed = ri_values_find(ri_sim_values(sim), "rover.completed");
    RI_TRY(advance(sim, SETTLE));
    const Place from = place_of(sim);
    while (ri_sim_time(sim) < ri_scene_duration(scene) && ri_values_read(ri_sim_values(sim), completed) == 0.0)
        RI_TRY(ri_sim_step(sim));
    run->done = ri_values_read(ri_sim_values(sim), completed) > 0.0;
    RI_TRY(advance(sim, ri_sim_time(sim) + SETTLE));
    const Place to = place_of(sim);
    judge(t, &from, &to, run);
    run->made = true;
    return RI_OK;
}

/// The scene of a run of a test. *out_scene is there once it was loaded, though it could not be built.
static RiStatus open_run(RiContext *ctx, const RiTiltOptions *o, const RiTiltTest *t, int index, RiScene **out_scene)
{
    Settings settings;
    make_settings(o, t, index, &settings);
    const RiSceneOptions options = {.settings = settings.list, .setting_count = settings.count};
    RI_TRY(ri_scene_load(ctx, o->scene, &options, out_scene));
    return ri_scene_build(*out_scene);
}

static RiStatus make_run(RiContext *ctx, const RiTiltOptions *o, const RiTiltCampaign *c, int index, RiTiltRun *run)
{
    const RiTiltTest *t = &c->tests[run->test];
    RiScene *scene = NULL;
    RiStatus status = open_run(ctx, o, t, index, &scene);
    if (status == RI_OK)
        status = drive(scene, t, run);
    ri_scene_destroy(scene);
    return status;
}

// --- all runs ------------------------------------------------------------------------------------

/// What the threads share: each takes the next run that is wanted.
typedef struct Work {
    const RiTiltOptions *o;
    RiTiltCampaign *c;
    int wanted[RI_TILT_RUNS], count;
    atomic_int next, done;
    pthread_mutex_t lock;
    int failed; // lowest run that failed, run_count: none
    RiStatus status;
    char message[1024];
} Work;

static void report_failure(Work *w, int index, RiContext *ctx, RiStatus status)
{
    pthread_mutex_lock(&w->lock);
    if (index < w->failed) {
        w->failed = index;
        w->status = status;
        snprintf(w->message, sizeof w->message, "%s", ctx ? ri_context_message(ctx) : "out of memory");
    }
    atomic_store(&w->next, w->count); // nobody begins another one
    pthread_mutex_unlock(&w->lock);
}

static void *work(void *user)
{
    Work *w = user;
    RiContext *ctx = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK) {
        report_failure(w, 0, NULL, RI_ERR_MEMORY);
        return NULL;
    }
    for (int k; (k = atomic_fetch_add(&w->next, 1)) < w->count;) {
        const int index = w->wanted[k];
        const RiStatus status = make_run(ctx, w->o, w->c, index, &w->c->runs[index]);
        if (status != RI_OK) {
            report_failure(w, index, ctx, status);
            break;
        }
        const int done = 1 + atomic_fetch_add(&w->done, 1);
        if (w->o->progress) {
            pthread_mutex_lock(&w->lock);
            w->o->progress(w->o->user, done, w->count);
            pthread_mutex_unlock(&w->lock);
        }
    }
    ri_context_destroy(ctx);
    return NULL;
}

static void choose_runs(const RiTiltOptions *o, const RiTiltCampaign *c, Work *w)
{
    int seen = 0;
    for (int i = 0; i < c->run_count; i++) {
        if ((o->drives_only && c->tests[c->runs[i].test].turns) || (o->tuned_only && !c->runs[i].tuned))
            continue;
        if (o->slope >= 0 && c->tests[c->runs[i].test].slope != o->slope)
            continue;
        if (seen++ % o->stride == 0)
            w->wanted[w->count++] = i;
    }
}

RiTiltOptions ri_tilt_options_default(void)
{
    return (RiTiltOptions){.set = ri_tilt_set_default(), .slope = -1, .seed = 1, .threads = 2, .stride = 1};
}

RiStatus ri_tilt_run(RiContext *ctx, const RiTiltOptions *options, RiTiltCampaign *campaign)
{
    enum { MOST = 64 };
    pthread_t threads[MOST];
    int started = 0;
    if (options->threads < 1 || options->threads > MOST || options->stride < 1)
        return ri_error(ctx, RI_ERR_ARGUMENT, "tilt table: %d threads, every %d-th run; 1 to %d threads are allowed",
                        options->threads, options->stride, MOST);
    Work *w = ri_alloc_zero(ctx, 1, sizeof *w);
    if (!w)
        return ri_error_memory(ctx);
    w->o = options;
    w->c = campaign;
    w->failed = campaign->run_count;
    pthread_mutex_init(&w->lock, NULL);
    choose_runs(options, campaign, w);
    while (started < options->threads - 1 && pthread_create(&threads[started], NULL, work, w) == 0)
        started++;
    work(w); // this thread is one of them
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&w->lock);
    RiStatus status = w->status;
    if (status != RI_OK)
        status = ri_error(ctx, status, "run %d of the tilt table (%s): %s", w->failed,
                          campaign->tests[campaign->runs[w->failed < campaign->run_count ? w->failed : 0].test].name,
                          w->message);
    ri_release(ctx, w);
    return status;
}

// --- ways ----------------------------------------------------------------------------------------

/// Where the command wants the base at the share s of a drive, in axes of the start.
static void commanded_place(const RiTiltTest *t, double s, double out[2])
{
    const double turn = t->radius != 0.0 ? s * t->length / t->radius : 0.0;
    out[0] = t->turns ? 0.0 : t->radius != 0.0 ? t->radius * ri_sin(turn) : s * t->length;
    out[1] = t->turns || t->radius == 0.0 ? 0.0 : t->radius * (1.0 - ri_cos(turn));
}

static RiStatus trace(RiScene *scene, int room, double (*out)[2], int *out_count)
{
    static const double EVERY = 0.5; // [s]
    RiSim *sim = ri_scene_sim(scene);
    const int completed = ri_values_find(ri_sim_values(sim), "rover.completed");
    RI_TRY(advance(sim, SETTLE));
    const Place from = place_of(sim);
    *out_count = 0;
    while (*out_count < room && ri_sim_time(sim) < ri_scene_duration(scene)) {
        const RiVec3 d = ri_sub(place_of(sim).p, from.p);
        out[*out_count][0] = ri_dot(d, from.ahead);
        out[(*out_count)++][1] = ri_dot(d, from.left);
        if (ri_values_read(ri_sim_values(sim), completed) != 0.0)
            break;
        RI_TRY(advance(sim, ri_sim_time(sim) + EVERY));
    }
    return RI_OK;
}

RiStatus ri_tilt_trace(RiContext *ctx, const RiTiltOptions *o, const RiTiltCampaign *c, int run, int room,
                       double (*out_driven)[2], double (*out_commanded)[2], int *out_count)
{
    const RiTiltTest *t = &c->tests[c->runs[run].test];
    RiScene *scene = NULL;
    *out_count = 0;
    RiStatus status = open_run(ctx, o, t, run, &scene);
    if (status == RI_OK)
        status = trace(scene, room, out_driven, out_count);
    ri_scene_destroy(scene);
    for (int i = 0; i < *out_count; i++)
        commanded_place(t, *out_count > 1 ? (double)i / (*out_count - 1) : 0.0, out_commanded[i]);
    return status;
}

RiTiltPlaces ri_tilt_places(const RiTiltCampaign *c, int slope)
{
    RiTiltPlaces p = {0};
    for (int i = 0; i < c->run_count; i++) {
        const RiTiltRun *run = &c->runs[i];
        if (c->tests[run->test].turns || c->tests[run->test].slope != slope || !run->made)
            continue;
        p.count++;
        p.ahead += fabs(run->ahead);
        p.aside += fabs(run->aside);
        p.worst_ahead = fmax(p.worst_ahead, fabs(run->ahead));
        p.worst_aside = fmax(p.worst_aside, fabs(run->aside));
    }
    p.ahead /= p.count > 0 ? p.count : 1;
    p.aside /= p.count > 0 ? p.count : 1;
    return p;
}

RiTiltRange ri_tilt_slip(const RiTiltCampaign *c, int slope, int tuned)
{
    RiTiltRange r = {NAN, NAN};
    for (int i = 0; i < c->run_count; i++) {
        const RiTiltRun *run = &c->runs[i];
        const RiTiltTest *t = &c->tests[run->test];
        if (t->turns || t->slope != slope || (tuned >= 0 && run->tuned != (tuned > 0)) || !run->made)
            continue;
        r.low = run->slip < r.low || isnan(r.low) ? run->slip : r.low;
        r.high = run->slip > r.high || isnan(r.high) ? run->slip : r.high;
    }
    return r;
}
