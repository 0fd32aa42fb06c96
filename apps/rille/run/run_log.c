// SPDX-License-Identifier: Apache-2.0
/// \file
/// The log of a run: chosen values, poses of the links, state hashes and events, as DIR/log.mcap.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>
#include <rille/memory.h>

#include "run/run.h"

/// Marks the values that the scene's globs choose; a glob that matches nothing is reported.
static void pick(const Run *run, bool *picked)
{
    const RiValues *values = ri_sim_values(run->sim);
    for (int g = 0; g < ri_scene_log_glob_count(run->scene); g++) {
        const char *glob = ri_scene_log_glob(run->scene, g);
        int found = 0;
        for (int i = ri_values_match(values, glob, 0); i >= 0; i = ri_values_match(values, glob, i + 1)) {
            picked[i] = true;
            found++;
        }
        if (!found)
            cli_error("%s: note: no value matches the log's '%s'", run->scene_path, glob);
    }
}

/// The list of chosen values, and room for a row of them.
static RiStatus pick_values(Run *run)
{
    RunLog *log = &run->log;
    const int count = ri_values_count(ri_sim_values(run->sim));
    bool *picked = ri_alloc_zero(run->ctx, (size_t)count + 1, sizeof *picked);
    log->picked = ri_alloc(run->ctx, (size_t)count + 1, sizeof *log->picked);
    log->row = ri_alloc(run->ctx, (size_t)count + 1, sizeof *log->row);
    if (!picked || !log->picked || !log->row) {
        ri_release(run->ctx, picked);
        return ri_error_memory(run->ctx);
    }
    pick(run, picked);
    for (int i = 0; i < count; i++)
        if (picked[i])
            log->picked[log->picked_count++] = i;
    ri_release(run->ctx, picked);
    return RI_OK;
}

static RiStatus add_values(Run *run)
{
    RunLog *log = &run->log;
    RI_TRY(pick_values(run));
    if (log->picked_count == 0)
        return RI_OK;
    const size_t n = (size_t)log->picked_count;
    const char **texts = ri_alloc(run->ctx, 2 * n, sizeof *texts);
    if (!texts)
        return ri_error_memory(run->ctx);
    for (size_t i = 0; i < n; i++) {
        const RiValue *v = ri_values_get(ri_sim_values(run->sim), log->picked[i]);
        texts[i] = v->name;
        texts[n + i] = v->unit;
    }
    const RiStatus status =
        ri_record_add_signals(log->record, "/values", log->picked_count, texts, texts + n, &log->values);
    ri_release(run->ctx, texts);
    return status;
}

static RiStatus add_frames(Run *run)
{
    RunLog *log = &run->log;
    const RiModel *m = ri_sim_model(run->sim);
    const int links = ri_model_link_count(m);
    const char **names = ri_alloc(run->ctx, (size_t)links + 1, sizeof *names);
    log->poses = ri_alloc(run->ctx, (size_t)links + 1, sizeof *log->poses);
    if (!names || !log->poses) {
        ri_release(run->ctx, names);
        return ri_error_memory(run->ctx);
    }
    for (int i = 0; i < links; i++)
        names[i] = ri_model_frame_name(m, i);
    const RiStatus status = ri_record_add_frames(log->record, "/tf", "world", links, names, &log->frames);
    ri_release(run->ctx, names);
    return status;
}

enum { CONTACT_NUMBERS = 6, SPRING_NUMBERS = 7 };

/// Channels of what touches and what pulls, if the run has such.
static RiStatus add_lists(Run *run)
{
    RunLog *log = &run->log;
    const RiContacts *contacts = ri_sim_contacts(run->sim);
    const int springs = ri_sim_spring_count(run->sim);
    if (contacts && ri_contacts_feature_count(contacts) + ri_contacts_hull_count(contacts) > 0)
        RI_TRY(ri_record_add_numbers(log->record, "/contacts", &log->contacts));
    if (springs > 0)
        RI_TRY(ri_record_add_numbers(log->record, "/springs", &log->springs));
    return RI_OK;
}

static float *put_vec3(float *at, RiVec3 v)
{
    *at++ = (float)v.x;
    *at++ = (float)v.y;
    *at++ = (float)v.z;
    return at;
}

/// Makes room for `count` numbers. A feature may touch in several places and hulls touch in pairs,
/// so the number of touches has no simple bound.
static RiStatus reserve_list(Run *run, int count)
{
    RunLog *log = &run->log;
    if (count <= log->list_room)
        return RI_OK;
    const int room = 2 * count;
    float *list = ri_resize(run->ctx, log->list, (size_t)room, sizeof *list);
    if (!list)
        return ri_error_memory(run->ctx);
    log->list = list;
    log->list_room = room;
    return RI_OK;
}

/// Contacts as point and force, springs as both ends and pull.
static RiStatus write_lists(Run *run, double time)
{
    RunLog *log = &run->log;
    const int touches = ri_sim_touch_count(run->sim), springs = ri_sim_spring_count(run->sim);
    RI_TRY(reserve_list(run, CONTACT_NUMBERS * touches + SPRING_NUMBERS * springs + 1));
    float *at = log->list;
    for (int i = 0; i < touches; i++) {
        const RiTouchInfo *touch = ri_sim_touch(run->sim, i);
        at = put_vec3(put_vec3(at, touch->point), touch->force);
    }
    if (log->contacts >= 0)
        RI_TRY(ri_record_numbers(log->record, log->contacts, time, (int)(at - log->list), log->list));
    at = log->list;
    for (int i = 0; i < springs; i++) {
        const RiSpringInfo spring = ri_sim_spring(run->sim, i);
        at = put_vec3(put_vec3(at, spring.point), spring.anchor);
        *at++ = (float)spring.force;
    }
    return log->springs >= 0 ? ri_record_numbers(log->record, log->springs, time, (int)(at - log->list), log->list)
                             : RI_OK;
}

/// Ticks between two rows at `rate` [Hz], at least one.
static long long period_of(const Run *run, double rate)
{
    const double ticks = round(1.0 / (rate * ri_sim_options(run->sim)->tick));
    return ticks < 1.0 ? 1 : ticks > 1e15 ? (long long)1e15 : (long long)ticks;
}

static RiStatus attach_config(Run *run)
{
    enum { LIMIT = 64 << 20 };
    char path[PATH_MAX], *text;
    size_t size;
    run_path(run, "config.yaml", path);
    RI_TRY(ri_file_read(run->ctx, path, LIMIT, &text, &size));
    const RiStatus status = ri_record_attach(run->log.record, "config.yaml", "application/yaml", text, size);
    ri_release(run->ctx, text);
    return status;
}

/// Pictures and clouds, if the scene wants them in its log.
static RiStatus add_sensors(Run *run)
{
    RunLog *log = &run->log;
    RiSensorSink sink;
    if (!ri_scene_log_sensors(run->scene))
        return RI_OK;
    RI_TRY(ri_sensor_log_create(run->ctx, run->scene, log->record, log->frames >= 0, &log->sensor_log, &sink));
    return ri_sensors_create(run->ctx, run->scene, 1, run->report, &sink, &log->sensors);
}

RiStatus run_log_open(Run *run)
{
    RunLog *log = &run->log;
    *log = (RunLog){.values = -1, .frames = -1, .hashes = -1, .events = -1, .contacts = -1, .springs = -1, .last = -1};
    const double rate = ri_scene_log_rate(run->scene);
    if (!(rate > 0.0))
        return RI_OK;
    char path[PATH_MAX];
    run_path(run, "log.mcap", path);
    RI_TRY(ri_record_create(run->ctx, path, NULL, &log->record));
    log->period = period_of(run, rate);
    log->hash_period = period_of(run, 1.0);
    RI_TRY(add_values(run));
    if (ri_scene_log_frames(run->scene))
        RI_TRY(add_frames(run));
    if (log->frames >= 0)
        RI_TRY(add_lists(run));
    if (log->frames >= 0 && ri_sim_ruts(run->sim))
        RI_TRY(ri_rut_log_create(run->ctx, log->record, ri_sim_ruts(run->sim), &log->ruts));
    if (log->ruts)
        ri_rut_log_set_step(log->ruts, ri_scene_log_rut_step(run->scene));
    if (log->frames >= 0)
        RI_TRY(ri_plan_log_create(run->ctx, log->record, ri_sim_values(run->sim), &log->plan));
    if (log->frames >= 0)
        RI_TRY(ri_view_attach_scene(run->ctx, run->scene, log->record));
    RI_TRY(add_sensors(run));
    RI_TRY(ri_record_add_events(log->record, "/hash", &log->hashes));
    RI_TRY(ri_record_add_events(log->record, "/events", &log->events));
    return attach_config(run);
}

static RiStatus write_row(Run *run)
{
    RunLog *log = &run->log;
    const double time = ri_sim_time(run->sim);
    ri_values_read_all(ri_sim_values(run->sim), log->picked, log->picked_count, log->row);
    if (log->values >= 0)
        RI_TRY(ri_record_signals(log->record, log->values, time, log->row));
    if (log->frames >= 0) {
        RiDyn *d = ri_sim_dyn(run->sim);
        for (int i = 0; i < ri_model_link_count(ri_sim_model(run->sim)); i++)
            log->poses[i] = ri_dyn_frame_pose(d, i);
        RI_TRY(ri_record_frames(log->record, log->frames, time, log->poses));
        RI_TRY(write_lists(run, time));
        if (log->ruts)
            RI_TRY(ri_rut_log_write(log->ruts, time));
        if (log->plan)
            RI_TRY(ri_plan_log_write(log->plan, time));
    }
    log->last = ri_sim_tick(run->sim);
    return RI_OK;
}

RiStatus run_log_tick(Run *run)
{
    RunLog *log = &run->log;
    if (!log->record)
        return RI_OK;
    const long long tick = ri_sim_tick(run->sim);
    if (tick % log->period == 0 || tick == run->start_tick)
        RI_TRY(write_row(run));
    if (log->sensors)
        RI_TRY(ri_sensors_tick(log->sensors));
    if (tick % log->hash_period != 0)
        return RI_OK;
    char text[32];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)ri_sim_hash(run->sim));
    return ri_record_event(log->record, log->hashes, ri_sim_time(run->sim), text);
}

RiStatus run_log_event(Run *run, double time, const char *text)
{
    return run->log.record && run->log.events >= 0 ? ri_record_event(run->log.record, run->log.events, time, text)
                                                   : RI_OK;
}

RiStatus run_log_close(Run *run)
{
    RunLog *log = &run->log;
    if (!log->record)
        return RI_OK;
    if (log->last != ri_sim_tick(run->sim))
        RI_TRY(write_row(run)); // the state at the end
    if (log->sensors)
        RI_TRY(ri_sensors_finish(log->sensors));
    return ri_record_close(log->record);
}

void run_log_free(Run *run)
{
    RunLog *log = &run->log;
    ri_sensors_destroy(log->sensors);
    ri_sensor_log_destroy(log->sensor_log);
    ri_rut_log_destroy(log->ruts);
    ri_plan_log_destroy(log->plan);
    ri_record_destroy(log->record);
    ri_release(run->ctx, log->picked);
    ri_release(run->ctx, log->row);
    ri_release(run->ctx, log->poses);
    ri_release(run->ctx, log->list);
    *log = (RunLog){0};
}
