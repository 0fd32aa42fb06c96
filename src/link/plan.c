// SPDX-License-Identifier: Apache-2.0
/// \file
/// Planned paths: read, drawn out, logged. See plan.h.
#include "link/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "base/memory.h"

enum {
    PHASE,
    TWIST_X,
    TWIST_Y,
    TWIST_W,
    GOAL,
    START_X,
    START_Y,
    AHEAD_X,
    AHEAD_Y,
    LEFT_X,
    LEFT_Y,
    NEXT_WAYPOINT,
    WAYPOINT_COUNT,
    WAYPOINT
};

// --- from values ---------------------------------------------------------------------------------

/// Name of value k of a locomotion.
static void name_of(int k, char out[32])
{
    static const char *const names[WAYPOINT] = {"phase",   "twist_x",       "twist_y",  "twist_w", "goal",
                                                "start_x", "start_y",       "ahead_x",  "ahead_y", "left_x",
                                                "left_y",  "next_waypoint", "waypoints"};
    if (k < WAYPOINT)
        snprintf(out, 32, "%s", names[k]);
    else
        snprintf(out, 32, "%c%d", (k - WAYPOINT) % 2 ? 'y' : 'x', (k - WAYPOINT) / 2 + 1);
}

void ri_plan_find(RiPlanSource *p, const RiValues *values)
{
    static const char mark[] = ".next_waypoint";
    *p = (RiPlanSource){0};
    for (int i = ri_values_match(values, "*.next_waypoint", 0); i >= 0 && p->count < RI_PLAN_ROVERS;
         i = ri_values_match(values, "*.next_waypoint", i + 1)) {
        const char *name = ri_values_get(values, i)->name;
        const int device = (int)(strlen(name) - (sizeof mark - 1));
        bool whole = true;
        for (int k = 0; k < RI_PLAN_VALUES && whole; k++) {
            char part[32], full[512];
            name_of(k, part);
            snprintf(full, sizeof full, "%.*s.%s", device < 400 ? device : 400, name, part);
            p->values[p->count][k] = ri_values_find(values, full);
            whole = p->values[p->count][k] >= 0;
        }
        p->count += whole;
    }
}

/// Places along a motion of constant twist, from its start: the integral of R(t_w s) (t_x, t_y)
/// over the progress s.
static int draw_motion(const double *x, float *out)
{
    const double tx = x[TWIST_X], ty = x[TWIST_Y], tw = x[TWIST_W];
    const bool curved = fabs(tw * x[GOAL]) > 1e-6;
    const int count = ri_hypot(tx, ty) * x[GOAL] > 0.0 ? curved ? RI_PLAN_PLACES : 2 : 0;
    for (int i = 0; i < count; i++) {
        const double s = x[GOAL] * i / (count - 1), turn = tw * s, c = curved ? ri_sin(turn) / tw : s,
                     d = curved ? (1.0 - ri_cos(turn)) / tw : 0.0;
        const double ahead = tx * c - ty * d, left = tx * d + ty * c;
        out[2 * i] = (float)(x[START_X] + ahead * x[AHEAD_X] + left * x[LEFT_X]);
        out[2 * i + 1] = (float)(x[START_Y] + ahead * x[AHEAD_Y] + left * x[LEFT_Y]);
    }
    return count;
}

/// The waypoint that is driven to. An arc is counted as done when it begins, a turn towards a
/// waypoint is not.
static int goal_of(const double *x, int count)
{
    const bool arc = x[TWIST_X] != 0.0 || x[TWIST_Y] != 0.0;
    const double goal = x[NEXT_WAYPOINT] - (x[PHASE] != 0.0 && arc ? 1.0 : 0.0);
    return x[NEXT_WAYPOINT] > 0.0 && goal >= 1.0 && goal <= count ? (int)goal : 0;
}

static int read_rover(const double *x, float *out)
{
    float *at = out + RI_PLAN_HEAD;
    const int places = draw_motion(x, at), points = (int)fmax(0.0, fmin(x[WAYPOINT_COUNT], RI_PLAN_WAYPOINTS));
    at += (ptrdiff_t)2 * places;
    for (int i = 0; i < 2 * points; i++)
        *at++ = (float)x[WAYPOINT + i];
    out[0] = x[PHASE] != 0.0 || x[NEXT_WAYPOINT] > 0.0 ? 1.0f : 0.0f;
    out[1] = (float)goal_of(x, points);
    out[2] = (float)places;
    out[3] = (float)points;
    return (int)(at - out);
}

int ri_plan_read(const RiPlanSource *p, const RiValues *values, float *out)
{
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        double x[RI_PLAN_VALUES];
        bool finite = true;
        for (int k = 0; k < RI_PLAN_VALUES; k++) {
            x[k] = ri_values_read(values, p->values[i][k]);
            finite = finite && isfinite(x[k]);
        }
        if (finite)
            count += read_rover(x, out + count);
    }
    return count;
}

// --- to pages ------------------------------------------------------------------------------------

static bool is_whole(float x, int most)
{
    return x >= 0.0f && x <= (float)most && x == floorf(x);
}

bool ri_plan_check(const float *list, int count)
{
    int at = 0;
    while (at < count) {
        const float *x = list + at;
        if (count - at < RI_PLAN_HEAD || !is_whole(x[0], 1) || !is_whole(x[2], RI_PLAN_PLACES) ||
            !is_whole(x[3], RI_PLAN_WAYPOINTS) || !is_whole(x[1], (int)x[3]))
            return false;
        const int size = 2 * ((int)x[2] + (int)x[3]);
        if (size > count - at - RI_PLAN_HEAD)
            return false;
        for (int k = 0; k < size; k++)
            if (!isfinite(x[RI_PLAN_HEAD + k]))
                return false;
        at += RI_PLAN_HEAD + size;
    }
    return true;
}

static void put_places(RiText *out, const char *name, const float *xy, int count)
{
    ri_text_format(out, ",\"%s\":[", name);
    for (int k = 0; k < 2 * count; k++) {
        if (k)
            ri_text_add(out, ",");
        ri_text_number(out, (double)xy[k], 7);
    }
    ri_text_add(out, "]");
}

void ri_plan_message(RiText *out, int run, const float *list, int count)
{
    ri_text_format(out, "{\"op\":\"plan\",\"run\":%d,\"rovers\":[", run);
    for (int at = 0; at < count;) {
        const float *x = list + at;
        const int places = (int)x[2], points = (int)x[3];
        ri_text_format(out, "%s{\"driving\":%s,\"goal\":%d", at ? "," : "", x[0] != 0.0f ? "true" : "false", (int)x[1]);
        put_places(out, "motion", x + RI_PLAN_HEAD, places);
        put_places(out, "waypoints", x + RI_PLAN_HEAD + (ptrdiff_t)2 * places, points);
        ri_text_add(out, "}");
        at += RI_PLAN_HEAD + 2 * (places + points);
    }
    ri_text_add(out, "]}");
}

// --- into a log ----------------------------------------------------------------------------------

struct RiPlanLog {
    RiContext *ctx;
    RiRecord *record;
    const RiValues *values;
    RiPlanSource source;
    int channel, count; ///< count: numbers written last; -1: none yet
    float list[RI_PLAN_NUMBERS];
};

RiStatus ri_plan_log_create(RiContext *ctx, RiRecord *record, const RiValues *values, RiPlanLog **out_log)
{
    RiPlanSource source;
    *out_log = NULL;
    ri_plan_find(&source, values);
    if (source.count == 0)
        return RI_OK;
    RiPlanLog *l = ri_alloc(ctx, 1, sizeof *l);
    if (!l)
        return ri_error_memory(ctx);
    *l = (RiPlanLog){.ctx = ctx, .record = record, .values = values, .source = source, .count = -1};
    const RiStatus status = ri_record_add_numbers(record, "/plan", &l->channel);
    if (status != RI_OK) {
        ri_plan_log_destroy(l);
        return status;
    }
    *out_log = l;
    return RI_OK;
}

void ri_plan_log_destroy(RiPlanLog *l)
{
    if (l)
        ri_release(l->ctx, l);
}

RiStatus ri_plan_log_write(RiPlanLog *l, double time)
{
    float list[RI_PLAN_NUMBERS];
    const int count = ri_plan_read(&l->source, l->values, list);
    if (count == l->count && memcmp(list, l->list, (size_t)count * sizeof *list) == 0)
        return RI_OK;
    memcpy(l->list, list, (size_t)count * sizeof *list);
    l->count = count;
    return ri_record_numbers(l->record, l->channel, time, count, list);
}
