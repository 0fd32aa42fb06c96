// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille run --replay-commands BAG`: commands of a log or ROS 2 bag drive a scene, and what the
/// bag measured is compared with it.
///
///     bag --(every number)--> tracks: TOPIC:FIELD --> a named value: commanded, or compared
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "run/run.h"

enum { TRACKS = 4096, TEXT = 512 };
static const size_t most_samples = 50000000;

typedef struct Sample {
    double time, x;
} Sample;

/// One number of a topic over time.
typedef struct Track {
    char name[TEXT]; ///< TOPIC:FIELD
    int value;       ///< that it drives or is compared with, -1
    bool command;
    Sample *samples;
    size_t count, room, next;
    double sum, most; ///< of squared differences; largest difference
    size_t compared, refused;
} Track;

struct RunReplay {
    Run *run;
    Track *tracks[TRACKS];
    int count;
    size_t total;
    double begin; ///< time of the bag that is the start of the run [s]
    bool full;
};

// --- reading -------------------------------------------------------------------------------------

static Track *find_track(RunReplay *r, const char *topic, const char *field)
{
    char name[TEXT];
    snprintf(name, sizeof name, "%.200s:%.300s", topic, field);
    for (int i = r->count - 1; i >= 0; i--)
        if (strcmp(r->tracks[i]->name, name) == 0)
            return r->tracks[i];
    Track *t = r->count < TRACKS ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return NULL;
    memcpy(t->name, name, sizeof name);
    t->value = -1;
    r->tracks[r->count++] = t;
    return t;
}

static RiStatus take_number(void *user, double time, const char *topic, const char *field, double x)
{
    RunReplay *r = user;
    Track *t = find_track(r, topic, field);
    if (t && t->count == t->room) {
        Sample *more = realloc(t->samples, (2 * t->room + 64) * sizeof *more);
        t->samples = more ? more : t->samples;
        t->room = more ? 2 * t->room + 64 : t->room;
    }
    if (!t || t->count == t->room || ++r->total > most_samples) {
        r->full = true;
        return ri_error(r->run->ctx, RI_ERR_LIMIT, "%s: more than %d topics' fields or %zu numbers",
                        r->run->args->replay, TRACKS, most_samples);
    }
    t->samples[t->count++] = (Sample){time, x};
    return RI_OK;
}

static int by_time(const void *a, const void *b)
{
    const double x = ((const Sample *)a)->time, y = ((const Sample *)b)->time;
    return x < y ? -1 : x > y;
}

// --- which value ---------------------------------------------------------------------------------

/// "LEFT*" for "left*": puts what the star of `glob` matched in `name` into the star of `to`.
static bool map_name(const char *glob, const char *name, const char *to, char out[TEXT])
{
    const char *star = strchr(glob, '*'), *hole = strchr(to, '*');
    if (!ri_glob_match(glob, name))
        return false;
    if (!star || !hole) {
        snprintf(out, TEXT, "%s", to);
        return true;
    }
    const size_t before = (size_t)(star - glob), after = strlen(star + 1), all = strlen(name);
    const int middle = all >= before + after ? (int)(all - before - after) : 0;
    snprintf(out, TEXT, "%.*s%.*s%s", (int)(hole - to), to, middle, name + before, hole + 1);
    return true;
}

/// What --replay-map says about a track. False, with a message: it names a value that cannot be
/// driven.
static bool map_track(RunReplay *r, Track *t)
{
    const RunArgs *a = r->run->args;
    RiValues *values = ri_sim_values(r->run->sim);
    char name[TEXT];
    for (int i = 0; i < a->replay_map_count; i++) {
        if (!map_name(a->replay_map[i].name, t->name, a->replay_map[i].value, name))
            continue;
        t->value = ri_values_find(values, name);
        t->command = true;
        if (t->value < 0 || !ri_values_get(values, t->value)->writable) {
            cli_error("--replay-map: '%s' of %s is '%s': %s", t->name, a->replay, name,
                      t->value < 0 ? "there is no such value" : "a value that cannot be set");
            return false;
        }
    }
    return true;
}

/// Without a map: efforts of a topic of commands go to JOINT.command; a name that an input has
/// drives it; one that another value has is compared.
static void guess_track(RunReplay *r, Track *t)
{
    static const struct {
        const char *field, *value;
    } known[] = {{"pose.x", "base.x"}, {"pose.y", "base.y"}, {"pose.z", "base.z"}};
    RiValues *values = ri_sim_values(r->run->sim);
    const char *field = strrchr(t->name, ':') + 1;
    const size_t size = strlen(field);
    const bool commands = strstr(t->name, "command") || strstr(t->name, "cmd");
    char name[TEXT];
    snprintf(name, sizeof name, "%s", field);
    if (commands && size > 7 && strcmp(field + size - 7, ".effort") == 0)
        snprintf(name, sizeof name, "%.*s.command", (int)size - 7, field);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].field, field) == 0)
            snprintf(name, sizeof name, "%s", known[i].value);
    t->value = ri_values_find(values, name);
    const RiValue *v = t->value >= 0 ? ri_values_get(values, t->value) : NULL;
    t->command = v && v->kind == RI_VALUE_INPUT && v->writable;
    if (commands && !t->command)
        t->value = -1; // a wish is not a measurement
    if (strcmp(name, "time") == 0)
        t->value = -1;
}

/// Where the run begins in the bag: at its first number.
static void find_begin(RunReplay *r)
{
    r->begin = INFINITY;
    for (int i = 0; i < r->count; i++)
        r->begin = fmin(r->begin, r->tracks[i]->samples[0].time);
}

static bool resolve(RunReplay *r)
{
    int commands = 0;
    for (int i = 0; i < r->count; i++) {
        Track *t = r->tracks[i];
        qsort(t->samples, t->count, sizeof *t->samples, by_time);
        if (!map_track(r, t))
            return false;
        if (t->value < 0)
            guess_track(r, t);
        commands += t->command && t->value >= 0;
    }
    find_begin(r);
    if (commands > 0)
        return true;
    cli_error(
        "%s: none of its %d numbers drives a value of '%s'; --replay-map 'TOPIC:FIELD=VALUE' says which one does%s%s",
        r->run->args->replay, r->count, ri_scene_name(r->run->scene), r->count ? ", for instance of " : "",
        r->count ? r->tracks[0]->name : "");
    return false;
}

bool run_replay_open(Run *run, CliExit *out_code)
{
    RiLog *log = NULL;
    if (!run->args->replay)
        return true;
    RunReplay *r = run->replay = calloc(1, sizeof *r);
    *out_code = CLI_ENVIRONMENT;
    if (!r) {
        *out_code = cli_no_memory();
        return false;
    }
    r->run = run;
    RiStatus status = ri_log_open(run->ctx, run->args->replay, &log);
    if (status == RI_OK)
        status = ri_log_each_number(log, take_number, r);
    ri_log_close(log);
    *out_code = CLI_BAD_INPUT;
    if (status != RI_OK)
        *out_code = cli_fail(run->ctx, status);
    return status == RI_OK && resolve(r);
}

// --- during the run ------------------------------------------------------------------------------

/// Time of a sample on the clock of the simulation.
static double when(const RunReplay *r, const Track *t)
{
    return t->next < t->count ? t->samples[t->next].time - r->begin + r->run->start_time : INFINITY;
}

void run_replay_before(Run *run)
{
    RunReplay *r = run->replay;
    RiValues *values = ri_sim_values(run->sim);
    const double now = ri_sim_time(run->sim) + 1e-9;
    for (int i = 0; r && i < r->count; i++) {
        Track *t = r->tracks[i];
        if (t->value < 0 || !t->command)
            continue;
        for (; when(r, t) <= now; t->next++)
            if (ri_values_write(values, t->value, t->samples[t->next].x) != RI_OK && t->refused++ == 0)
                run_note(run, "replay: refused, the last good one is held: %.180s", ri_context_message(run->ctx));
    }
}

void run_replay_after(Run *run)
{
    RunReplay *r = run->replay;
    const RiValues *values = ri_sim_values(run->sim);
    const double now = ri_sim_time(run->sim) + 1e-9;
    for (int i = 0; r && i < r->count; i++) {
        Track *t = r->tracks[i];
        if (t->value < 0 || t->command)
            continue;
        for (; when(r, t) <= now; t->next++) {
            const double difference = fabs(ri_values_read(values, t->value) - t->samples[t->next].x);
            if (!isfinite(difference)) {
                t->refused++;
                continue;
            }
            t->sum += difference * difference;
            t->most = fmax(t->most, difference);
            t->compared++;
        }
    }
}

static double rms(const Track *t)
{
    return t->compared ? sqrt(t->sum / (double)t->compared) : 0.0;
}

void run_replay_print(const Run *run, FILE *out)
{
    const RunReplay *r = run->replay;
    size_t used = 0, refused = 0;
    int commands = 0, unused = 0, compared = 0;
    for (int i = 0; r && i < r->count; i++) {
        const Track *t = r->tracks[i];
        commands += t->command && t->value >= 0;
        used += t->command ? t->next : 0;
        unused += t->value < 0;
        refused += t->refused;
        compared += !t->command && t->compared > 0;
    }
    if (!r)
        return;
    fprintf(out, "  replay      %d values driven by %zu numbers, %zu refused; %d fields of the bag not used\n",
            commands, used, refused, unused);
    for (int i = 0, shown = 0; i < r->count && shown < 12; i++) {
        const Track *t = r->tracks[i];
        if (t->command || t->compared == 0)
            continue;
        const RiValue *v = ri_values_get(ri_sim_values(run->sim), t->value);
        fprintf(out, "  %-10s  %s differs from %s by %.3g %s rms, %.3g at most\n", shown++ ? "" : "compared", v->name,
                t->name, rms(t), v->unit, t->most);
    }
    if (compared > 12)
        fprintf(out, "              and %d more: replay.csv has all\n", compared - 12);
}

RiStatus run_replay_write(Run *run)
{
    char path[PATH_MAX];
    const RunReplay *r = run->replay;
    if (!r)
        return RI_OK;
    run_path(run, "replay.csv", path);
    FILE *file = fopen(path, "we");
    if (!file)
        return ri_error(run->ctx, RI_ERR_IO, "%s: cannot be written", path);
    fprintf(file, "field,value,unit,role,numbers,refused,rms,most\n");
    for (int i = 0; i < r->count; i++) {
        const Track *t = r->tracks[i];
        const RiValue *v = t->value >= 0 ? ri_values_get(ri_sim_values(run->sim), t->value) : NULL;
        fprintf(file, "\"%s\",\"%s\",%s,%s,%zu,%zu,%.9g,%.9g\n", t->name, v ? v->name : "", v ? v->unit : "",
                !v           ? "not used"
                : t->command ? "command"
                             : "compared",
                t->count, t->refused, rms(t), t->most);
    }
    return fclose(file) == 0 ? RI_OK : ri_error(run->ctx, RI_ERR_IO, "%s: cannot be written", path);
}

void run_replay_free(Run *run)
{
    for (int i = 0; run->replay && i < run->replay->count; i++) {
        free(run->replay->tracks[i]->samples);
        free(run->replay->tracks[i]);
    }
    free(run->replay);
}
