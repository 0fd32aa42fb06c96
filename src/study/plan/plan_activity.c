// SPDX-License-Identifier: Apache-2.0
/// \file
/// Activities: rest of a length, drives at three fidelities, passes.
#include "study/plan/plan_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double drive_look = 5.0; // [s] between looks while it drives
static const double segment = 1.0;    // [m] of a drive by map
static const double wheel_arm = 0.7;  // [m] at which wheels roll in a turn by map

/// Switches the loads of an activity; their names are separated by commas.
static RiStatus switch_loads(RiPlanRun *r, const RiActivity *a, double on)
{
    char name[128];
    for (const char *at = a->loads; at && *at;) {
        const size_t skip = strspn(at, ", "), size = strcspn(at + skip, ", ");
        if (size == 0)
            break;
        snprintf(name, sizeof name, "%.*s", (int)(size < 120 ? size : 120), at + skip);
        char enabled[160]; // a heater's thermostat is enabled, a load is switched on
        snprintf(enabled, sizeof enabled, "%s.enabled", name);
        RI_TRY(ri_plan_set(r, name, ri_values_find(r->values, enabled) >= 0 ? "enabled" : "on", on));
        at += skip + size;
    }
    return RI_OK;
}

/// Brings data to the recorder, which books what finds no room.
static RiStatus record(RiPlanRun *r, double bits)
{
    char name[200];
    double waiting;
    if (bits == 0.0)
        return RI_OK;
    snprintf(name, sizeof name, "%.120s.add", r->plan->recorder);
    RI_TRY(ri_values_eval(r->values, name, &waiting));
    return ri_plan_set(r, r->plan->recorder, "add", waiting + bits);
}

// --- drives --------------------------------------------------------------------------------------

static double slip_at(const RiPlan *p, double slope)
{
    int i = 0;
    if (p->slip_count == 0)
        return 0.0;
    if (slope <= p->slips[0][0])
        return p->slips[0][1];
    while (i < p->slip_count - 2 && slope > p->slips[i + 1][0])
        i++;
    if (p->slip_count == 1 || slope >= p->slips[p->slip_count - 1][0])
        return p->slips[p->slip_count - 1][1];
    const double u = (slope - p->slips[i][0]) / (p->slips[i + 1][0] - p->slips[i][0]);
    return (1.0 - u) * p->slips[i][1] + u * p->slips[i + 1][1];
}

/// Puts the robot down at a place and lets the time of the way pass.
static RiStatus hop(RiPlanRun *r, double x, double y, double heading, double way, const char **out_reason)
{
    RiPlanStop stop;
    const double z = ri_plan_value(r, r->base_z);
    if (ri_sim_stand(r->sim, x, y, heading) != RI_OK) {
        *out_reason = ri_plan_text(r, "%.200s", ri_context_message(r->ctx));
        return RI_OK;
    }
    RI_TRY(ri_sim_rest(r->sim, 0.0, r->plan->step)); // places it
    const double slope = way > 0.0 ? atan2(ri_plan_value(r, r->base_z) - z, way) : 0.0;
    RI_TRY(ri_plan_rest(r, way / (r->plan->speed * (1.0 - slip_at(r->plan, slope))), NULL, &stop));
    if (stop.stop)
        *out_reason = stop.reason;
    return RI_OK;
}

static double heading_now(const RiPlanRun *r)
{
    double h = 0.0;
    return ri_values_eval(r->values, "base.yaw", &h) == RI_OK ? h : 0.0;
}

static RiStatus drive_by_map(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    const double x0 = ri_plan_value(r, r->base_x), y0 = ri_plan_value(r, r->base_y), h0 = heading_now(r);
    RiPlanStop stop;
    RI_TRY(ri_plan_rest(r, r->plan->overhead, NULL, &stop));
    if (stop.stop) {
        *out_reason = stop.reason;
        return RI_OK;
    }
    if (a->kind == RI_ACTIVITY_TURN)
        return hop(r, x0, y0, h0 + a->angle, fabs(a->angle) * wheel_arm, out_reason);
    const bool arc = a->kind == RI_ACTIVITY_ARC;
    const double way = arc ? fabs(a->length) : hypot(a->x - x0, a->y - y0), sign = arc && a->length < 0.0 ? -1.0 : 1.0;
    const int pieces = (int)fmax(1.0, ceil(way / segment));
    for (int i = 1; i <= pieces && !*out_reason; i++) {
        const double s = way * i / pieces;
        if (!arc) {
            RI_TRY(hop(r, x0 + (a->x - x0) * i / pieces, y0 + (a->y - y0) * i / pieces, atan2(a->y - y0, a->x - x0),
                       way / pieces, out_reason));
            continue;
        }
        const double turn = a->radius == 0.0 ? 0.0 : sign * s / a->radius;
        const double ahead = a->radius == 0.0 ? sign * s : a->radius * sin(turn),
                     left = a->radius == 0.0 ? 0.0 : a->radius * (1.0 - cos(turn));
        RI_TRY(hop(r, x0 + ahead * cos(h0) - left * sin(h0), y0 + ahead * sin(h0) + left * cos(h0), h0 + turn,
                   way / pieces, out_reason));
    }
    return RI_OK;
}

static RiStatus command_drive(RiPlanRun *r, const RiActivity *a)
{
    const char *rover = r->plan->locomotion;
    if (a->kind == RI_ACTIVITY_DRIVE) {
        RI_TRY(ri_plan_set(r, rover, "x1", a->x));
        RI_TRY(ri_plan_set(r, rover, "y1", a->y));
        RI_TRY(ri_plan_set(r, rover, "waypoints", 1.0));
        return ri_plan_set(r, rover, "command", 4.0);
    }
    if (a->kind == RI_ACTIVITY_ARC) {
        RI_TRY(ri_plan_set(r, rover, "radius", a->radius));
        RI_TRY(ri_plan_set(r, rover, "length", a->length));
        return ri_plan_set(r, rover, "command", 1.0);
    }
    RI_TRY(ri_plan_set(r, rover, "angle", a->angle));
    return ri_plan_set(r, rover, "command", 2.0);
}

/// Steps for some time, or while the robot is busy; a tick that fails ends the activity.
static RiStatus step_for(RiPlanRun *r, double seconds, bool while_busy, const char **out_reason)
{
    const double end = ri_sim_time(r->sim) + seconds;
    while (ri_sim_time(r->sim) < end - 1e-9 && !*out_reason && (!while_busy || ri_plan_value(r, r->busy) != 0.0)) {
        const RiStatus status = ri_sim_step(r->sim);
        if (status == RI_ERR_NUMERIC)
            *out_reason = ri_plan_text(r, "%.200s", ri_context_message(r->ctx));
        else
            RI_TRY(status);
        if (ri_sim_stopped(r->sim))
            *out_reason = ri_plan_text(r, "%.200s", ri_sim_stopped(r->sim));
    }
    return RI_OK;
}

static RiStatus drive_stepped(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    RiPlanStop stop = {false, ""};
    const double begun = ri_sim_time(r->sim);
    if (r->busy < 0)
        return ri_error(r->ctx, RI_ERR_NOT_FOUND, "plan '%s': the scene has no device '%s' that drives", r->plan->name,
                        r->plan->locomotion);
    RI_TRY(command_drive(r, a));
    RI_TRY(step_for(r, 2.0 * ri_sim_options(r->sim)->tick + 0.2, false, out_reason));
    while (!*out_reason && ri_plan_value(r, r->busy) != 0.0) {
        RI_TRY(step_for(r, drive_look, true, out_reason));
        RI_TRY(ri_plan_look(r, &stop));
        if (stop.stop)
            *out_reason = stop.reason;
        if (ri_sim_time(r->sim) - begun > a->longest && !*out_reason)
            *out_reason = ri_plan_text(r, "had not ended after %.0f s", a->longest);
    }
    if (*out_reason)
        RI_TRY(ri_plan_set(r, r->plan->locomotion, "command", 5.0));
    const char *late = NULL;
    RI_TRY(step_for(r, 1.0, false, &late)); // comes to rest
    const double miss = hypot(a->x - ri_plan_value(r, r->base_x), a->y - ri_plan_value(r, r->base_y));
    if (!*out_reason && a->kind == RI_ACTIVITY_DRIVE && miss > 1.0)
        *out_reason = ri_plan_text(r, "ended %.2f m from its goal", miss);
    return ri_plan_look(r, &stop);
}

// --- passes and rest -----------------------------------------------------------------------------

/// Waits until the radio sees its remote, then for as long as it does, or for the duration.
static RiStatus talk(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    char see[200], gone[200];
    const RiFormula *seen, *lost;
    RiPlanStop stop;
    double visible;
    snprintf(see, sizeof see, "%.120s.visible > 0.5", a->radio);
    snprintf(gone, sizeof gone, "%.120s.visible < 0.5", a->radio);
    RI_TRY(ri_values_compile(r->values, see, &seen));
    RI_TRY(ri_values_compile(r->values, gone, &lost));
    RI_TRY(ri_plan_rest(r, a->longest, seen, &stop));
    RI_TRY(ri_formula_eval(seen, &visible));
    if (stop.stop || visible == 0.0) {
        *out_reason = stop.stop ? stop.reason : ri_plan_text(r, "%s saw nothing for %.0f s", a->radio, a->longest);
        return RI_OK;
    }
    RI_TRY(ri_plan_set(r, a->radio, "on", 1.0));
    RI_TRY(ri_plan_rest(r, isnan(a->duration) ? a->longest : a->duration, lost, &stop));
    RI_TRY(ri_plan_set(r, a->radio, "on", 0.0));
    if (stop.stop)
        *out_reason = stop.reason;
    return RI_OK;
}

static RiStatus pass_time(RiPlanRun *r, int index, const char **out_reason)
{
    const RiActivity *a = &r->plan->activities[index];
    const RiFormula *until = r->until[index];
    RiPlanStop stop;
    char full[200];
    double x = 0.0, seconds = isnan(a->duration) ? a->longest : a->duration;
    if (a->kind == RI_ACTIVITY_CHARGE && !until && isnan(a->duration) && isnan(a->until_hour)) {
        snprintf(full, sizeof full, "%.120s.state_of_charge > 0.95", r->plan->bus);
        RI_TRY(ri_values_compile(r->values, full, &until));
    }
    if (!isnan(a->until_hour))
        seconds = ri_plan_until_hour(r, a->until_hour);
    const double end = ri_sim_time(r->sim) + seconds;
    const bool passive = a->kind == RI_ACTIVITY_SLEEP || a->kind == RI_ACTIVITY_WAIT || a->kind == RI_ACTIVITY_CHARGE;
    do
        RI_TRY(ri_plan_rest(r, end - ri_sim_time(r->sim), until, &stop));
    while (passive && stop.stop && ri_sim_time(r->sim) < end - 1.0); // a response does not end rest
    if (stop.stop && !passive)
        *out_reason = stop.reason;
    if (until && !*out_reason)
        RI_TRY(ri_formula_eval(until, &x));
    if (until && x == 0.0 && !*out_reason && isnan(a->duration) && isnan(a->until_hour))
        *out_reason = ri_plan_text(r, "had not ended after %.0f s: %s", seconds, a->until ? a->until : "not charged");
    return RI_OK;
}

RiStatus ri_plan_activity(RiPlanRun *r, int index, const char **out_reason)
{
    const RiActivity *a = &r->plan->activities[index];
    *out_reason = NULL;
    if (!r->safe)
        RI_TRY(ri_values_write(r->values, r->mode, a->kind == RI_ACTIVITY_SLEEP ? 1.0 : 0.0));
    RI_TRY(switch_loads(r, a, 1.0));
    switch ((RiActivityKind)a->kind) {
    case RI_ACTIVITY_DRIVE:
    case RI_ACTIVITY_ARC:
    case RI_ACTIVITY_TURN:
        RI_TRY(r->fidelity == RI_FIDELITY_MAP ? drive_by_map(r, a, out_reason) : drive_stepped(r, a, out_reason));
        break;
    case RI_ACTIVITY_PASS:
    case RI_ACTIVITY_UPLINK:
        RI_TRY(talk(r, a, out_reason));
        break;
    case RI_ACTIVITY_WAIT:
    case RI_ACTIVITY_SLEEP:
    case RI_ACTIVITY_IMAGE:
    case RI_ACTIVITY_PANORAMA:
    case RI_ACTIVITY_SPECTROMETER:
    case RI_ACTIVITY_ARM:
    case RI_ACTIVITY_DRILL:
    case RI_ACTIVITY_CHARGE:
    case RI_ACTIVITY_KIND_COUNT:
        RI_TRY(pass_time(r, index, out_reason));
        break;
    }
    RI_TRY(switch_loads(r, a, 0.0));
    if (!r->safe && a->kind == RI_ACTIVITY_SLEEP)
        RI_TRY(ri_values_write(r->values, r->mode, 0.0));
    return *out_reason ? RI_OK : record(r, a->data);
}
