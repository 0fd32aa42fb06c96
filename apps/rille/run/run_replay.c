// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille run --replay-commands BAG`: commands of a log or ROS 2 bag drive a scene, and what the
/// bag measured is compared with it.
///
///     bag --(messages that the scene's ROS link takes)--> carried out as the live link would
///         --(every other number)--> tracks: TOPIC:FIELD --> a named value: commanded, or compared
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>
#include <rille/text.h>

#include "run/run.h"

enum { TRACKS = 4096, TEXT = 512, STREAMS = 64 };
static const size_t most_samples = 50000000, most_bytes = (size_t)1 << 30;

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

/// A message for the link.
typedef struct Order {
    double time;
    size_t number; ///< in the order of the file
    size_t at, size;
    int stream;
} Order;

/// A topic of the bag whose messages the link takes.
typedef struct Stream {
    char topic[TEXT];
    int to; ///< topic of the link
    size_t count, done, refused;
} Stream;

struct RunReplay {
    Run *run;
    RiRos *ros; ///< NULL: it could not be made
    Stream streams[STREAMS];
    int stream_count;
    Order *orders;
    size_t order_count, order_room, next_order;
    unsigned char *bytes;
    size_t byte_count, byte_room;
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

static Stream *find_stream(RunReplay *r, const char *topic)
{
    for (int i = 0; i < r->stream_count; i++)
        if (strcmp(r->streams[i].topic, topic) == 0)
            return &r->streams[i];
    return NULL;
}

/// Whether --replay-map speaks of a topic: its fields are then looked at one by one.
static bool is_mapped(const RunReplay *r, const char *topic)
{
    const RunArgs *a = r->run->args;
    for (int i = 0; i < a->replay_map_count; i++) {
        const char *glob = a->replay_map[i].name, *colon = strrchr(glob, ':');
        char own[TEXT];
        snprintf(own, sizeof own, "%.*s", colon ? (int)(colon - glob) : 0, glob);
        if (ri_glob_match(own, topic))
            return true;
    }
    return false;
}

static RiStatus full(RunReplay *r)
{
    r->full = true;
    return ri_error(r->run->ctx, RI_ERR_LIMIT,
                    "%s: more than %d topics' fields, %d topics of commands, %zu numbers or "
                    "%zu bytes of commands",
                    r->run->args->replay, TRACKS, STREAMS, most_samples, most_bytes);
}

/// Room for one more order and its bytes.
static bool make_room(RunReplay *r, size_t size)
{
    if (r->order_count == r->order_room) {
        Order *orders = realloc(r->orders, (2 * r->order_room + 64) * sizeof *orders);
        if (!orders)
            return false;
        r->orders = orders;
        r->order_room = 2 * r->order_room + 64;
    }
    if (r->byte_count + size > r->byte_room) {
        const size_t room = 2 * (r->byte_count + size) + 1024;
        unsigned char *bytes = realloc(r->bytes, room);
        if (!bytes)
            return false;
        r->bytes = bytes;
        r->byte_room = room;
    }
    return true;
}

/// A message that the link takes is kept for its time.
static RiStatus take_message(void *user, double time, const char *topic, const char *type, const void *bytes,
                             size_t size)
{
    RunReplay *r = user;
    Stream *s = find_stream(r, topic);
    if (!s) {
        const int to = is_mapped(r, topic) ? -1 : ri_ros_find_command(r->ros, topic, type);
        if (to < 0)
            return RI_OK;
        if (r->stream_count == STREAMS)
            return full(r);
        s = &r->streams[r->stream_count++];
        *s = (Stream){.to = to};
        snprintf(s->topic, sizeof s->topic, "%s", topic);
    }
    if (r->byte_count + size > most_bytes || !make_room(r, size))
        return full(r);
    if (size > 0)
        memcpy(r->bytes + r->byte_count, bytes, size);
    r->orders[r->order_count] = (Order){time, r->order_count, r->byte_count, size, (int)(s - r->streams)};
    r->order_count++;
    r->byte_count += size;
    s->count++;
    return RI_OK;
}

static int by_order(const void *a, const void *b)
{
    const Order *x = a, *y = b;
    return x->time < y->time ? -1 : x->time > y->time ? 1 : x->number < y->number ? -1 : x->number > y->number;
}

static RiStatus take_number(void *user, double time, const char *topic, const char *field, double x)
{
    RunReplay *r = user;
    if (find_stream(r, topic))
        return RI_OK; // the link takes it
    Track *t = find_track(r, topic, field);
    if (t && t->count == t->room) {
        Sample *more = realloc(t->samples, (2 * t->room + 64) * sizeof *more);
        t->samples = more ? more : t->samples;
        t->room = more ? 2 * t->room + 64 : t->room;
    }
    if (!t || t->count == t->room || ++r->total > most_samples)
        return full(r);
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

/// Where the run begins in the bag: at its first number or command.
static void find_begin(RunReplay *r)
{
    r->begin = r->order_count > 0 ? r->orders[0].time : INFINITY;
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
    if (r->order_count > 0)
        qsort(r->orders, r->order_count, sizeof *r->orders, by_order);
    find_begin(r);
    if (commands > 0 || r->order_count > 0)
        return true;
    cli_error(
        "%s: none of its %d numbers drives a value of '%s', and none of its topics is one that the scene's robot takes "
        "('rille ros topics' lists them); --replay-map 'TOPIC:FIELD=VALUE' says which one does%s%s",
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
    if (ri_ros_create(run->ctx, run->scene, NULL, RI_ROS_VERSION_NONE, &r->ros) != RI_OK) {
        cli_error("replay: topics are not taken as ROS has them: %s", ri_context_message(run->ctx));
        ri_context_clear(run->ctx);
    }
    RiStatus status = ri_log_open(run->ctx, run->args->replay, &log);
    if (status == RI_OK && r->ros)
        status = ri_log_each_message(log, take_message, r);
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

/// Messages that are due, and what goes on from earlier ones.
static void carry_out(RunReplay *r, double now)
{
    for (; r->next_order < r->order_count; r->next_order++) {
        const Order *o = &r->orders[r->next_order];
        Stream *s = &r->streams[o->stream];
        if (o->time - r->begin + r->run->start_time > now)
            break;
        s->done++;
        s->refused += !ri_ros_command(r->ros, s->to, r->bytes + o->at, o->size);
    }
    ri_ros_keep(r->ros);
    for (const char *note = ri_ros_note(r->ros); note; note = ri_ros_note(r->ros))
        run_note(r->run, "replay: %s", note);
}

void run_replay_before(Run *run)
{
    RunReplay *r = run->replay;
    RiValues *values = ri_sim_values(run->sim);
    const double now = ri_sim_time(run->sim) + 1e-9;
    if (r && r->order_count > 0)
        carry_out(r, now);
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
    for (int i = 0; i < r->stream_count; i++) {
        const Stream *t = &r->streams[i];
        fprintf(out, "  replay      %s: %zu of %zu messages carried out as %s, %zu refused\n", t->topic,
                t->done - t->refused, t->count, ri_ros_topic(r->ros, t->to).name, t->refused);
    }
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
    RiBeside beside;
    FILE *file = ri_beside_stream(&beside, path);
    if (!file)
        return ri_error(run->ctx, RI_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
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
    for (int i = 0; i < r->stream_count; i++) {
        const Stream *t = &r->streams[i];
        fprintf(file, "\"%s\",\"%s\",,messages,%zu,%zu,0,0\n", t->topic, ri_ros_topic(r->ros, t->to).name, t->count,
                t->refused);
    }
    const int code = ri_beside_close(&beside, true);
    return code == 0 ? RI_OK : ri_error(run->ctx, RI_ERR_IO, "%s: cannot be written: %s", path, strerror(code));
}

void run_replay_free(Run *run)
{
    for (int i = 0; run->replay && i < run->replay->count; i++) {
        free(run->replay->tracks[i]->samples);
        free(run->replay->tracks[i]);
    }
    if (run->replay) {
        ri_ros_destroy(run->replay->ros);
        free(run->replay->orders);
        free(run->replay->bytes);
    }
    free(run->replay);
}
