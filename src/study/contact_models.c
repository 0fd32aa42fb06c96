// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cases, runs and the judge of the comparison of contact models. Docs: docs/contact-models.md.
/// Tests: tests/study/test_contact_models.c.
#include "base/functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <rille/study/contact_models.h>

#include "base/memory.h"

static const double DEG = M_PI / 180.0;
/// Time until the rover stands still, and in which it is tilted to where the slow part begins [s].
static const double SETTLE = 1.0, TILTING = 4.0;
/// Rate of the slow part [deg/s], and how far before and after the expected angle it goes [deg].
static const double RATE = 0.2, BEFORE = 3.0, AFTER = 4.0;
/// Stiffness of the brakes [N m/rad].
static const double BRAKE = 2e4;
/// Faster than this it slides [m/s]; with more roll than this it tips [deg].
static const double SLIDES = 2e-3, TIPS = 5.0;

// --- cases ---------------------------------------------------------------------------------------

double ri_contact_line_at(const RiContactLine *line, double t)
{
    int i = 0;
    while (i < line->count && line->t[i] <= t)
        i++;
    if (i == 0)
        return line->count ? line->y[0] : 0.0;
    if (i == line->count)
        return line->y[i - 1];
    const double s = (t - line->t[i - 1]) / (line->t[i] - line->t[i - 1]);
    return line->y[i - 1] + s * (line->y[i] - line->y[i - 1]);
}

/// A rover that stands far from the step.
static RiContactCase standing(RiContactTask task, double level)
{
    return (RiContactCase){
        .task = task, .level = level, .height = 0.1, .distance = 40.0, .stations = 1, .closed = NAN, .closed_by = ""};
}

/// Tilts slowly about an angle at which something is expected.
static void tilt_about(RiContactCase *c, double angle)
{
    const double from = angle - BEFORE * DEG, to = angle + AFTER * DEG;
    const double begin = SETTLE + TILTING, end = begin + (to - from) / (RATE * DEG);
    c->tilt = (RiContactLine){{SETTLE, begin, end}, {0.0, from, to}, 3};
    c->duration = end;
    c->closed = angle;
    c->brake = BRAKE;
}

static RiContactCase slide(double friction, bool aside)
{
    RiContactCase c = standing(RI_CONTACT_SLIDE, friction);
    snprintf(c.name, sizeof c.name, "slide_%s_%g", aside ? "aside" : "back", friction);
    c.friction = friction;
    c.aside = aside;
    tilt_about(&c, ri_atan(friction));
    c.closed_by = "atan(friction)";
    return c;
}

static RiContactCase tip(const RiContactRover *rover)
{
    RiContactCase c = standing(RI_CONTACT_TIP, 2.0);
    snprintf(c.name, sizeof c.name, "tip_aside");
    c.friction = 2.0;
    c.aside = true;
    c.stations = 2;
    tilt_about(&c, ri_atan(rover->half_track / rover->com.z));
    c.closed_by = "atan(half track / height of mass)";
    return c;
}

static RiContactCase drive_up(double degrees)
{
    RiContactCase c = standing(RI_CONTACT_SLOPE, degrees * DEG);
    snprintf(c.name, sizeof c.name, "slope_%g", degrees);
    c.friction = 0.5;
    c.tilt = (RiContactLine){{SETTLE, SETTLE + TILTING}, {0.0, c.level}, 2};
    c.drive = (RiContactLine){{SETTLE + TILTING, SETTLE + TILTING + 1.0}, {0.0, 0.7}, 2};
    c.duration = SETTLE + TILTING + 7.0;
    c.closed_by = degrees * DEG < ri_atan(c.friction) ? "0 while all wheels hold, less than 1 while one does"
                                                      : "1 and more beyond the friction angle";
    return c;
}

static RiContactCase climb(double height)
{
    RiContactCase c = standing(RI_CONTACT_STEP, height);
    snprintf(c.name, sizeof c.name, "step_%g", height);
    c.friction = 0.7;
    c.height = height;
    c.distance = 1.2;
    c.drive = (RiContactLine){{SETTLE, SETTLE + 1.0}, {0.0, 1.0}, 2};
    c.duration = 30.0;
    return c;
}

int ri_contact_plan(bool quick, const RiContactRover *rover, RiContactCase out[RI_CONTACT_CASES])
{
    static const double frictions[] = {0.3, 0.5, 0.7}, slopes[] = {0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 26.0, 27.0};
    static const double heights[] = {0.05, 0.1, 0.15, 0.2, 0.25};
    const size_t f = quick ? 1 : sizeof frictions / sizeof *frictions, s = sizeof slopes / sizeof *slopes;
    int n = 0;
    for (size_t i = 0; i < f; i++)
        for (int aside = 0; aside < (quick ? 1 : 2); aside++)
            out[n++] = slide(frictions[i], aside == 1);
    if (!quick)
        out[n++] = tip(rover);
    for (size_t i = quick ? 2 : 0; i < s; i += quick ? 3 : 1)
        out[n++] = drive_up(slopes[i]);
    for (size_t i = quick ? 1 : 0; i < (quick ? 2 : sizeof heights / sizeof *heights); i++)
        out[n++] = climb(heights[i]);
    return n;
}

// --- traces --------------------------------------------------------------------------------------

RiStatus ri_contact_trace_add(RiContext *ctx, RiContactTrace *trace, const RiContactSample *sample)
{
    RI_TRY(ri_grow(ctx, &trace->list, trace->count, &trace->room, 512, sizeof *trace->list));
    trace->list[trace->count++] = *sample;
    return RI_OK;
}

void ri_contact_trace_free(RiContext *ctx, RiContactTrace *trace)
{
    ri_release(ctx, trace->list);
    *trace = (RiContactTrace){0};
}

// --- our runs ------------------------------------------------------------------------------------

/// Named values that a run reads and writes.
enum { POSE = 6, MOST_WHEELS = 8 };
typedef struct Handles {
    RiValues *values;
    int pose[POSE], gravity[3];
    int speed[MOST_WHEELS], turned[MOST_WHEELS], wheels;
    double g;
} Handles;

static RiStatus find(RiContext *ctx, RiValues *values, const char *name, int *out)
{
    *out = ri_values_find(values, name);
    return *out >= 0 ? RI_OK : ri_error(ctx, RI_ERR_NOT_FOUND, "the scene of the study has no value '%s'", name);
}

static RiStatus find_handles(RiContext *ctx, RiScene *scene, Handles *h)
{
    static const char *const pose[POSE] = {"base.x", "base.y", "base.z", "base.roll", "base.pitch", "base.yaw"};
    static const char *const gravity[3] = {"gravity.x", "gravity.y", "gravity.z"};
    const RiSpec *spec = ri_scene_spec(scene);
    char name[160];
    *h = (Handles){.values = ri_sim_values(ri_scene_sim(scene))};
    for (int i = 0; i < POSE; i++)
        RI_TRY(find(ctx, h->values, pose[i], &h->pose[i]));
    for (int i = 0; i < 3; i++)
        RI_TRY(find(ctx, h->values, gravity[i], &h->gravity[i]));
    for (int i = 0; i < spec->joint_count && h->wheels < MOST_WHEELS; i++) {
        if (strncmp(spec->joints[i].name, "drive_", 6) != 0)
            continue;
        snprintf(name, sizeof name, "motor_%s.velocity", spec->joints[i].name);
        RI_TRY(find(ctx, h->values, name, &h->speed[h->wheels]));
        snprintf(name, sizeof name, "%s.position", spec->joints[i].name);
        RI_TRY(find(ctx, h->values, name, &h->turned[h->wheels++]));
    }
    h->g = -ri_values_read(h->values, h->gravity[2]);
    return RI_OK;
}

/// Sets gravity and wheel speeds of time t.
static RiStatus command(const RiContactCase *c, const Handles *h, double t)
{
    const double tilt = ri_contact_line_at(&c->tilt, t), side = -h->g * ri_sin(tilt);
    RI_TRY(ri_values_write(h->values, h->gravity[0], c->aside ? 0.0 : side));
    RI_TRY(ri_values_write(h->values, h->gravity[1], c->aside ? side : 0.0));
    RI_TRY(ri_values_write(h->values, h->gravity[2], -h->g * ri_cos(tilt)));
    for (int i = 0; i < h->wheels; i++)
        RI_TRY(ri_values_write(h->values, h->speed[i], ri_contact_line_at(&c->drive, t)));
    return RI_OK;
}

static RiContactSample look(const RiContactCase *c, const Handles *h, double t)
{
    double p[POSE], turned = 0.0;
    for (int i = 0; i < POSE; i++)
        p[i] = ri_values_read(h->values, h->pose[i]);
    for (int i = 0; i < h->wheels; i++)
        turned += ri_values_read(h->values, h->turned[i]) / h->wheels;
    return (RiContactSample){t, ri_contact_line_at(&c->tilt, t), p[0], p[1], p[2], p[3], p[4], p[5], turned};
}

/// Whether the rover lies on its side or has got over the step: nothing more is to be seen.
static bool is_over(const RiContactCase *c, const RiContactSample *s)
{
    return fabs(s->roll) > 60.0 * DEG || fabs(s->pitch) > 60.0 * DEG ||
           (c->task == RI_CONTACT_STEP && s->x > c->distance + 1.0);
}

static RiStatus drive(RiContext *ctx, RiScene *scene, const RiContactCase *c, RiContactTrace *trace)
{
    Handles h;
    RiSim *sim = ri_scene_sim(scene);
    const clock_t begin = clock();
    RI_TRY(find_handles(ctx, scene, &h));
    for (int k = 0; 1e-3 * RI_CONTACT_PERIOD_MS * k <= c->duration; k++) {
        const double t = 1e-3 * RI_CONTACT_PERIOD_MS * k;
        while (ri_sim_time(sim) < t - 1e-9) {
            RI_TRY(command(c, &h, ri_sim_time(sim)));
            RI_TRY(ri_sim_step(sim));
        }
        const RiContactSample s = look(c, &h, t);
        RI_TRY(ri_contact_trace_add(ctx, trace, &s));
        if (is_over(c, &s))
            break;
    }
    trace->cpu = (double)(clock() - begin) / CLOCKS_PER_SEC;
    return RI_OK;
}

static RiStatus open_scene(RiContext *ctx, const char *path, const char *integrator, const RiContactCase *c,
                           RiScene **out)
{
    enum { SETTINGS = 6 };
    char number[SETTINGS][32];
    const double values[SETTINGS] = {c->friction, c->height, c->distance, (double)c->stations, c->brake, 0.0};
    static const char *const names[SETTINGS] = {"friction", "height", "distance", "stations", "brake", "speed"};
    RiSetting settings[SETTINGS + 1];
    for (int i = 0; i < SETTINGS; i++) {
        snprintf(number[i], sizeof number[i], "%.17g", values[i]);
        settings[i] = (RiSetting){names[i], number[i]};
    }
    settings[SETTINGS] = (RiSetting){"integrator", integrator};
    const RiSceneOptions options = {.settings = settings, .setting_count = SETTINGS + 1};
    RI_TRY(ri_scene_load(ctx, path, &options, out));
    return ri_scene_build(*out);
}

RiStatus ri_contact_run(RiContext *ctx, const char *path, const char *integrator, const RiContactCase *c,
                        RiContactTrace *trace)
{
    RiScene *scene = NULL;
    trace->count = 0;
    RiStatus status = open_scene(ctx, path, integrator, c, &scene);
    if (status == RI_OK)
        status = drive(ctx, scene, c, trace);
    ri_scene_destroy(scene);
    return status;
}

static RiStatus measure(RiScene *scene, RiContactRover *out)
{
    const RiSpec *spec = ri_scene_spec(scene);
    RiSim *sim = ri_scene_sim(scene);
    RiDyn *d = ri_sim_dyn(sim);
    RI_TRY(ri_dyn_update_position(d, ri_sim_q(sim)));
    *out = (RiContactRover){.com = ri_dyn_com(d), .rear = INFINITY};
    for (int i = 0; i < spec->link_count; i++)
        out->mass += spec->links[i].mass;
    for (int i = 0; i < spec->wheel_count; i++) {
        const RiWheelSpec *w = &spec->wheels[i];
        const RiPose pose = ri_dyn_frame_pose(d, ri_model_find_link(ri_sim_model(sim), w->link));
        out->radius = w->radius + w->grouser_height;
        out->half_track = fmax(out->half_track, pose.p.y + 0.5 * w->width);
        out->rear = fmin(out->rear, pose.p.x);
    }
    return RI_OK;
}

RiStatus ri_contact_measure(RiContext *ctx, const char *path, RiContactRover *out)
{
    const RiContactCase any = standing(RI_CONTACT_SLOPE, 0.0);
    RiScene *scene = NULL;
    RiStatus status = open_scene(ctx, path, "implicit", &any, &scene);
    if (status == RI_OK)
        status = measure(scene, out);
    ri_scene_destroy(scene);
    return status;
}

// --- the judge -----------------------------------------------------------------------------------

/// How far it went downhill.
static double way_down(const RiContactCase *c, const RiContactSample *s)
{
    return c->aside ? -s->y : -s->x;
}

/// First sample of the slow part.
static int slow_part(const RiContactCase *c, const RiContactTrace *trace)
{
    int i = 0;
    while (i < trace->count - 1 && trace->list[i].t < c->tilt.t[1] + 0.5)
        i++;
    return i;
}

/// Speed downhill at sample i, by a difference over five samples.
enum { OVER = 5 };
static double speed_down(const RiContactCase *c, const RiContactTrace *trace, int i)
{
    const RiContactSample *s = trace->list + i;
    return (way_down(c, s + OVER) - way_down(c, s)) / (1e-3 * RI_CONTACT_PERIOD_MS * OVER);
}

/// Creep: mean speed downhill over the first two seconds of the slow part.
static double creep_of(const RiContactCase *c, const RiContactTrace *trace)
{
    const int from = slow_part(c, trace), to = from + 2000 / RI_CONTACT_PERIOD_MS;
    if (to >= trace->count)
        return NAN;
    const RiContactSample *s = trace->list;
    return (way_down(c, &s[to]) - way_down(c, &s[from])) / (s[to].t - s[from].t);
}

/// The tilt after which it moves downhill faster than SLIDES and twice its creep for good.
static RiContactResult judge_slide(const RiContactCase *c, const RiContactTrace *trace)
{
    const double creep = creep_of(c, trace), limit = SLIDES + 2.0 * fmax(0.0, creep);
    int last = -1; // the last one at rest
    for (int i = slow_part(c, trace); i + OVER < trace->count; i++)
        if (speed_down(c, trace, i) < limit)
            last = i;
    if (last < 0 || last + OVER + 1 >= trace->count)
        return (RiContactResult){NAN, creep};
    return (RiContactResult){trace->list[last].tilt, creep};
}

static RiContactResult judge_tip(const RiContactCase *c, const RiContactTrace *trace)
{
    const RiContactSample *s = trace->list;
    const int from = slow_part(c, trace);
    for (int i = from; i < trace->count; i++)
        if (fabs(s[i].roll - s[from].roll) > TIPS * DEG)
            return (RiContactResult){s[i].tilt, creep_of(c, trace)};
    return (RiContactResult){NAN, NAN};
}

/// Over the last four seconds.
static RiContactResult judge_slope(const RiContactRover *rover, const RiContactTrace *trace)
{
    const int n = trace->count, span = 4000 / RI_CONTACT_PERIOD_MS;
    if (n <= span)
        return (RiContactResult){NAN, NAN};
    const RiContactSample *a = &trace->list[n - 1 - span], *b = &trace->list[n - 1];
    const double rolled = rover->radius * (b->turned - a->turned);
    return (RiContactResult){1.0 - (b->x - a->x) / rolled, b->x - a->x};
}

static RiContactResult judge_step(const RiContactCase *c, const RiContactRover *rover, const RiContactTrace *trace)
{
    RiContactResult r = {NAN, 0.0};
    for (int i = 0; i < trace->count; i++) {
        const RiContactSample *s = &trace->list[i];
        r.beside = fmax(r.beside, fabs(s->pitch));
        if (isnan(r.value) && s->x + rover->rear > c->distance && s->z > 0.9 * c->height)
            r.value = s->t;
    }
    return r;
}

RiContactResult ri_contact_judge(const RiContactCase *c, const RiContactRover *rover, const RiContactTrace *trace)
{
    if (trace->count == 0)
        return (RiContactResult){NAN, NAN};
    switch (c->task) {
    case RI_CONTACT_SLIDE:
        return judge_slide(c, trace);
    case RI_CONTACT_TIP:
        return judge_tip(c, trace);
    case RI_CONTACT_SLOPE:
        return judge_slope(rover, trace);
    case RI_CONTACT_STEP:
        break;
    }
    return judge_step(c, rover, trace);
}
