// SPDX-License-Identifier: Apache-2.0
/// \file
/// Activities: rest of a length, drives at three fidelities, passes.
///
/// At fidelity auto a drive is cut into stretches: metres of ground whose slope is at least `steep`
/// are driven with dynamics, those of at least `uneven` kinematically, the others by map, in one
/// simulation whose mode is switchable.
#include "base/functions.h"
#include "study/plan/plan_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double drive_look = 5.0;  // [s] between looks while it drives
static const double segment = 1.0;     // [m] of a drive by map
static const double wheel_arm = 0.7;   // [m] at which wheels roll in a turn by map
static const double power_wait = 20.0; // [s] that a motion waits for power
static const char no_power[] = "the motors have no power: shed, a dead bus, or 'loads' does not name their load";

enum { NAME = RI_PLAN_NAME };

/// Switches the loads of a list.
static RiStatus switch_loads(RiPlanRun *r, const char *loads, double on)
{
    char name[NAME];
    for (const char *at = loads; ri_plan_next_name(&at, name);) {
        char enabled[160]; // a heater's thermostat is enabled, a load is switched on
        snprintf(enabled, sizeof enabled, "%s.enabled", name);
        RI_TRY(ri_plan_set(r, name, ri_values_find(r->values, enabled) >= 0 ? "enabled" : "on", on));
    }
    return RI_OK;
}

/// Whether a load of the activity gets no power; *out_reason says which.
static RiStatus check_power(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    char name[NAME], supply[NAME + 32];
    double x;
    for (const char *at = a->loads; !*out_reason && ri_plan_next_name(&at, name);) {
        snprintf(supply, sizeof supply, "%s.supply", name);
        if (ri_values_find(r->values, supply) < 0) // a heater
            continue;
        RI_TRY(ri_values_eval(r->values, supply, &x));
        if (x == 0.0)
            *out_reason = ri_plan_text(r, "the bus gives '%s' no power", name);
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

static double heading_now(const RiPlanRun *r)
{
    double h = 0.0;
    return ri_values_eval(r->values, "base.yaw", &h) == RI_OK ? h : 0.0;
}

/// A way: a turn on the spot, then a circle or a line; places are s metres from its start.
typedef struct Way {
    double x0, y0, h0; ///< at the start; h0 after the turn
    double turn;       ///< at first [rad]
    double curvature;  ///< of a drive [1/m]
    double length;
    const RiActivity *a;
} Way;

/// How the locomotion device goes to a goal: on a circle that begins as the robot heads, or, where
/// the goal is far aside or the circle too tight, straight after a turn. At fidelity auto the place is
/// fixed for each stretch, and the way is the line.
static void bend_to_goal(const RiPlanRun *r, Way *w)
{
    const RiActivity *a = w->a;
    const double direction = ri_atan2(a->y - w->y0, a->x - w->x0), turn = direction - w->h0,
                 bearing = turn - 2.0 * M_PI * floor((turn + M_PI) / (2.0 * M_PI));
    char name[NAME + 32];
    snprintf(name, sizeof name, "%s.turn_first", r->plan->locomotion);
    const double first = ri_plan_value(r, ri_values_find(r->values, name));
    if (w->length < 1e-3 || r->fidelity == RI_FIDELITY_AUTO || isnan(first))
        return;
    if (fabs(bearing) > first) {
        w->turn = bearing;
        w->h0 = direction;
        return;
    }
    w->curvature = 2.0 * ri_sin(bearing) / w->length;
    w->length *= fabs(bearing) > 1e-9 ? bearing / ri_sin(bearing) : 1.0;
}

static Way way_of(const RiPlanRun *r, const RiActivity *a)
{
    Way w = {.x0 = ri_plan_value(r, r->base_x), .y0 = ri_plan_value(r, r->base_y), .h0 = heading_now(r), .a = a};
    if (a->kind == RI_ACTIVITY_DRIVE) {
        w.length = ri_hypot(a->x - w.x0, a->y - w.y0);
        bend_to_goal(r, &w);
    }
    if (a->kind == RI_ACTIVITY_ARC)
        w.length = fabs(a->length);
    return w;
}

static void place_on(const Way *w, double s, double *out_x, double *out_y)
{
    const RiActivity *a = w->a;
    double ahead = 0.0, left = 0.0;
    if (a->kind == RI_ACTIVITY_DRIVE && w->curvature != 0.0 && s < w->length) {
        ahead = ri_sin(w->curvature * s) / w->curvature;
        left = (1.0 - ri_cos(w->curvature * s)) / w->curvature;
    } else if (a->kind == RI_ACTIVITY_DRIVE) {
        const double part = w->length > 0.0 ? s / w->length : 0.0;
        *out_x = w->x0 + (a->x - w->x0) * part;
        *out_y = w->y0 + (a->y - w->y0) * part;
        return;
    }
    if (a->kind == RI_ACTIVITY_ARC) {
        const double along = a->length < 0.0 ? -s : s;
        ahead = a->radius == 0.0 ? along : a->radius * ri_sin(along / a->radius);
        left = a->radius == 0.0 ? 0.0 : a->radius * (1.0 - ri_cos(along / a->radius));
    }
    *out_x = w->x0 + ahead * ri_cos(w->h0) - left * ri_sin(w->h0);
    *out_y = w->y0 + ahead * ri_sin(w->h0) + left * ri_cos(w->h0);
}

/// Direction in which the robot moves.
static double direction_on(const Way *w, double s)
{
    const RiActivity *a = w->a;
    if (a->kind == RI_ACTIVITY_DRIVE && w->curvature != 0.0)
        return w->h0 + w->curvature * s;
    if (a->kind == RI_ACTIVITY_DRIVE)
        return ri_atan2(a->y - w->y0, a->x - w->x0);
    const double along = a->length < 0.0 ? -s : s;
    return w->h0 + (a->radius == 0.0 ? 0.0 : along / a->radius) + (a->length < 0.0 ? M_PI : 0.0);
}

/// Sums what the map says of a part of the way; false: it forbids a place, which is *out_reason.
static bool look_at_map(RiPlanRun *r, const Way *w, double from, double to, RiPlanMapWay *sum, const char **out_reason)
{
    const int count = (int)fmax(1.0, ceil((to - from) / ri_plan_map_step(r)));
    for (int i = 0; i < count; i++) {
        const double s = from + (to - from) * (i + 0.5) / count, direction = direction_on(w, s);
        double x, y;
        place_on(w, s, &x, &y);
        if (ri_plan_map_forbids(r, x, y, direction)) {
            *out_reason = ri_plan_text(r, "the map forbids (%.2f, %.2f) m in direction %.0f deg, %.1f m on the way", x,
                                       y, direction * 180.0 / M_PI, s);
            return false;
        }
        ri_plan_map_add(r, x, y, direction, (to - from) / count, sum);
    }
    return true;
}

/// Lets time pass on a way by map. Rest goes by whole steps: what one part took too long, the next
/// ones lack.
static RiStatus pass_on_time(RiPlanRun *r, double seconds, RiPlanStop *stop)
{
    const double due = seconds - r->map_late, begun = ri_sim_time(r->sim);
    if (due > 0.0 && !stop->stop)
        RI_TRY(ri_plan_rest(r, due, NULL, stop));
    r->map_late = ri_sim_time(r->sim) - begun - due;
    return RI_OK;
}

/// The same, while the first of `map_loads` draws this power [W].
static RiStatus pass_with_power(RiPlanRun *r, double seconds, double power, RiPlanStop *stop)
{
    char name[NAME];
    const char *at = r->plan->map_loads;
    if (!ri_plan_next_name(&at, name))
        return RI_OK;
    RI_TRY(switch_loads(r, r->plan->map_loads, 0.0));
    RI_TRY(ri_plan_set(r, name, "follow", power));
    RI_TRY(pass_on_time(r, seconds, stop));
    RI_TRY(ri_plan_set(r, name, "follow", 0.0));
    return switch_loads(r, r->plan->map_loads, 1.0);
}

/// Lets the time of a way pass: on the map by it, the rest by the plan's table.
static RiStatus pass_way(RiPlanRun *r, double way, double slope, const RiPlanMapWay *m, RiPlanStop *stop)
{
    const double slip = slip_at(r->plan, slope), speed = r->plan->speed * (1.0 - slip);
    r->map_slip = slip;
    if (!m)
        return ri_plan_rest(r, way / speed, NULL, stop);
    *stop = (RiPlanStop){false, ""};
    if (way > 0.0)
        r->map_slip = 1.0 - way / (r->plan->speed * (m->time + m->outside / speed));
    if (m->time > 0.0)
        RI_TRY(pass_with_power(r, m->time, m->energy / m->time, stop));
    if (m->outside > 0.0)
        RI_TRY(pass_on_time(r, m->outside / speed, stop));
    r->mapped.inside += m->inside;
    r->mapped.outside += m->outside;
    r->mapped.invalid += m->invalid;
    r->mapped.rolled += m->rolled;
    r->mapped.time += m->time;
    r->mapped.energy += m->energy;
    return RI_OK;
}

/// Puts the robot down at a place and lets the time of the way pass. `m`: what the map says of it;
/// NULL.
static RiStatus hop(RiPlanRun *r, const RiActivity *a, double x, double y, double heading, double way,
                    const RiPlanMapWay *m, const char **out_reason)
{
    RiPlanStop stop;
    const double z = ri_plan_value(r, r->base_z);
    if (ri_sim_stand(r->sim, x, y, heading) != RI_OK) {
        *out_reason = ri_plan_text(r, "%.200s", ri_context_message(r->ctx));
        return RI_OK;
    }
    RI_TRY(ri_sim_rest(r->sim, 0.0, r->plan->step)); // places it
    const double slope = way > 0.0 ? ri_atan2(ri_plan_value(r, r->base_z) - z, way) : 0.0;
    RI_TRY(pass_way(r, way, slope, m, &stop));
    if (stop.stop)
        *out_reason = stop.reason;
    return check_power(r, a, out_reason);
}

/// A goal in the world, as the robot must be told it: it reckons from where it believes to be. With
/// a fix, what its odometry is off does not count.
static RiStatus command_goal(RiPlanRun *r, double x, double y, bool fix)
{
    const char *rover = r->plan->locomotion;
    if (fix) {
        double bx, by, heading;
        RI_TRY(ri_plan_get(r, rover, "odometry_x", &bx));
        RI_TRY(ri_plan_get(r, rover, "odometry_y", &by));
        RI_TRY(ri_plan_get(r, rover, "odometry_heading", &heading));
        const double dx = x - ri_plan_value(r, r->base_x), dy = y - ri_plan_value(r, r->base_y),
                     turn = heading - heading_now(r);
        x = bx + dx * ri_cos(turn) - dy * ri_sin(turn);
        y = by + dx * ri_sin(turn) + dy * ri_cos(turn);
    }
    RI_TRY(ri_plan_set(r, rover, "x1", x));
    RI_TRY(ri_plan_set(r, rover, "y1", y));
    RI_TRY(ri_plan_set(r, rover, "waypoints", 1.0));
    return ri_plan_set(r, rover, "command", 4.0);
}

static RiStatus command_drive(RiPlanRun *r, const RiActivity *a)
{
    const char *rover = r->plan->locomotion;
    if (a->kind == RI_ACTIVITY_DRIVE)
        return command_goal(r, a->x, a->y, r->fidelity == RI_FIDELITY_AUTO || a->fix_every > 0.0);
    if (a->kind == RI_ACTIVITY_ARC) {
        RI_TRY(ri_plan_set(r, rover, "radius", a->radius));
        RI_TRY(ri_plan_set(r, rover, "length", a->length));
        return ri_plan_set(r, rover, "command", 1.0);
    }
    RI_TRY(ri_plan_set(r, rover, "angle", a->angle));
    return ri_plan_set(r, rover, "command", 2.0);
}

/// Steps for some time, or while the robot is busy; a tick that fails ends the activity.
RiStatus ri_plan_step(RiPlanRun *r, double seconds, bool while_busy, const char **out_reason)
{
    const double end = ri_sim_time(r->sim) + seconds;
    while (ri_sim_time(r->sim) < end - 1e-9 && !*out_reason && (!while_busy || ri_plan_value(r, r->busy) != 0.0)) {
        RI_TRY(ri_plan_inject(r));
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

/// Why the locomotion device refused a motion, or does not carry it out for lack of power.
static const char *why_refused(RiPlanRun *r)
{
    const char *rover = r->plan->locomotion;
    double reason = 0.0, near = 0.0, cold = 0.0, now = 0.0;
    if (!(ri_plan_value(r, r->refused) != 0.0))
        return NULL;
    if (ri_plan_get(r, rover, "reason", &reason) != RI_OK || ri_plan_get(r, rover, "nearest_radius", &near) != RI_OK ||
        ri_plan_get(r, rover, "cold_limit", &cold) != RI_OK || ri_plan_get(r, rover, "temperature", &now) != RI_OK)
        return ri_plan_text(r, "refused by '%s'", rover);
    if (reason == 1.0 && near != 0.0)
        return ri_plan_text(r, "refused: tighter than the steering allows, the nearest radius is %.2f m", near);
    return reason == 1.0 ? "refused: tighter than the steering allows"
           : reason == 4.0
               ? ri_plan_text(r, "refused: the motors are at %.1f K, below their limit of %.1f K", now, cold)
               : ri_plan_text(r, "refused by '%s' for reason %g", rover, reason);
}

/// Gives a motion to the locomotion device and stops it at once: a drive by map is refused where the
/// robot would.
static RiStatus try_motion(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    const double moment = 2.0 * ri_sim_options(r->sim)->tick;
    RI_TRY(command_drive(r, a));
    RI_TRY(ri_plan_step(r, moment, false, out_reason));
    if (!*out_reason)
        *out_reason = why_refused(r);
    if (!*out_reason && ri_plan_value(r, r->powered) == 0.0)
        *out_reason = no_power;
    RI_TRY(ri_plan_set(r, r->plan->locomotion, "command", 5.0));
    const char *late = NULL;
    return ri_plan_step(r, moment, false, &late);
}

static RiStatus drive_by_map(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    const Way w = way_of(r, a);
    RiPlanMapWay all = {0};
    r->map_late = 0.0;
    RiPlanStop stop;
    if (r->map && a->kind != RI_ACTIVITY_TURN && !look_at_map(r, &w, 0.0, w.length, &all, out_reason))
        return RI_OK;
    RI_TRY(ri_plan_rest(r, fmax(r->plan->overhead, 1e-3), NULL, &stop)); // loads are on after a step of the bus
    if (stop.stop)
        *out_reason = stop.reason;
    if (r->busy >= 0 && !*out_reason)
        RI_TRY(try_motion(r, a, out_reason));
    if (*out_reason)
        return RI_OK;
    if (a->kind == RI_ACTIVITY_TURN)
        return hop(r, a, w.x0, w.y0, w.h0 + a->angle, fabs(a->angle) * wheel_arm, NULL, out_reason);
    if (w.turn != 0.0)
        RI_TRY(hop(r, a, w.x0, w.y0, w.h0, fabs(w.turn) * wheel_arm, NULL, out_reason));
    const bool back = a->kind == RI_ACTIVITY_ARC && a->length < 0.0;
    const int pieces = (int)fmax(1.0, ceil(w.length / segment));
    for (int i = 1; i <= pieces && !*out_reason; i++) {
        const double s = w.length * i / pieces, before = w.length * (i - 1) / pieces;
        RiPlanMapWay part = {0};
        double x, y;
        place_on(&w, s, &x, &y);
        if (r->map && !look_at_map(r, &w, before, s, &part, out_reason))
            return RI_OK;
        RI_TRY(hop(r, a, x, y, direction_on(&w, s) - (back ? M_PI : 0.0), w.length / pieces, r->map ? &part : NULL,
                   out_reason));
    }
    return RI_OK;
}

/// Steps until the robot rests. At fidelity auto, kinematics hold one that creeps after the stretch.
RiStatus ri_plan_come_to_rest(RiPlanRun *r)
{
    enum { TRIES = 30 };
    RiStatus status = RI_OK;
    for (int i = 0; i < TRIES; i++) {
        const char *late = NULL;
        RI_TRY(ri_plan_step(r, 1.0, false, &late));
        if (late || r->fidelity == RI_FIDELITY_AUTO)
            return RI_OK;
        status = ri_sim_rest(r->sim, 0.0, r->plan->step);
        if (status == RI_OK)
            return RI_OK;
    }
    return status;
}

/// One command to the locomotion device, to its end.
static RiStatus drive_leg(RiPlanRun *r, const RiActivity *a, double begun, const char **out_reason)
{
    RiPlanStop stop = {false, ""};
    double waits = 0.0; // [s] without power
    RI_TRY(command_drive(r, a));
    RI_TRY(ri_plan_step(r, 2.0 * ri_sim_options(r->sim)->tick + 0.2, false, out_reason));
    if (!*out_reason)
        *out_reason = why_refused(r);
    while (!*out_reason && ri_plan_value(r, r->busy) != 0.0) {
        RI_TRY(ri_plan_step(r, drive_look, true, out_reason));
        waits = ri_plan_value(r, r->powered) == 0.0 ? waits + drive_look : 0.0;
        if (waits >= power_wait && !*out_reason)
            *out_reason = no_power;
        RI_TRY(ri_plan_look(r, &stop));
        if (stop.stop)
            *out_reason = stop.reason;
        if (ri_sim_time(r->sim) - begun > a->longest && !*out_reason)
            *out_reason = ri_plan_text(r, "had not ended after %.0f s", a->longest);
    }
    if (!*out_reason)
        *out_reason = why_refused(r); // a later leg of the way
    if (*out_reason)
        RI_TRY(ri_plan_set(r, r->plan->locomotion, "command", 5.0));
    RI_TRY(ri_plan_come_to_rest(r));
    return ri_plan_look(r, &stop);
}

/// A drive whose place is fixed on the way: legs towards the goal, each from where the robot is.
static RiStatus drive_with_fixes(RiPlanRun *r, const RiActivity *a, double begun, const char **out_reason)
{
    const double near = 0.25; // [m]
    const double way = ri_hypot(a->x - ri_plan_value(r, r->base_x), a->y - ri_plan_value(r, r->base_y));
    const int most = 3 * (int)ceil(way / a->fix_every) + 3; // slip of two thirds
    for (int i = 0; i < most && !*out_reason; i++) {
        const double x = ri_plan_value(r, r->base_x), y = ri_plan_value(r, r->base_y),
                     far = ri_hypot(a->x - x, a->y - y);
        if (far < near)
            break;
        RiActivity leg = *a;
        const double part = fmin(1.0, a->fix_every / far);
        leg.x = x + (a->x - x) * part;
        leg.y = y + (a->y - y) * part;
        RI_TRY(drive_leg(r, &leg, begun, out_reason));
    }
    return RI_OK;
}

static RiStatus drive_stepped(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    const double begun = ri_sim_time(r->sim);
    if (r->busy < 0)
        return ri_error(r->ctx, RI_ERR_NOT_FOUND, "plan '%s': the scene has no device '%s' that drives", r->plan->name,
                        r->plan->locomotion);
    if (a->kind == RI_ACTIVITY_DRIVE && a->fix_every > 0.0)
        RI_TRY(drive_with_fixes(r, a, begun, out_reason));
    else
        RI_TRY(drive_leg(r, a, begun, out_reason));
    const double miss = ri_hypot(a->x - ri_plan_value(r, r->base_x), a->y - ri_plan_value(r, r->base_y));
    if (!*out_reason && a->kind == RI_ACTIVITY_DRIVE && miss > 1.0)
        *out_reason = ri_plan_text(r, "ended %.2f m from its goal", miss);
    return RI_OK;
}

// --- stretches -----------------------------------------------------------------------------------

/// Slope of the ground over the size of a rover [rad]; 0 where there is no ground.
static double slope_at(const RiPlanRun *r, double x, double y)
{
    const RiTerrain *ground = ri_sim_terrain(r->sim);
    RiHeight h[4];
    const double d = wheel_arm;
    if (!ground || !ri_terrain_height(ground, x + d, y, &h[0]) || !ri_terrain_height(ground, x - d, y, &h[1]) ||
        !ri_terrain_height(ground, x, y + d, &h[2]) || !ri_terrain_height(ground, x, y - d, &h[3]))
        return 0.0;
    return ri_atan(ri_hypot(h[0].z - h[1].z, h[2].z - h[3].z) / (2.0 * d));
}

/// How the metre before s is driven: with dynamics where the ground is steep at its ends or middle,
/// kinematically where it is uneven.
static RiFidelity fidelity_at(const RiPlanRun *r, const Way *w, double s, double piece)
{
    double x, y;
    if (w->a->fidelity != RI_FIDELITY_AUTO)
        return (RiFidelity)w->a->fidelity;
    double slope = 0.0;
    for (int i = 0; i < 3; i++) {
        place_on(w, s - 0.5 * i * piece, &x, &y);
        slope = fmax(slope, slope_at(r, x, y));
    }
    return slope >= r->plan->steep    ? RI_FIDELITY_DYNAMIC
           : slope >= r->plan->uneven ? RI_FIDELITY_KINEMATIC
                                      : RI_FIDELITY_MAP;
}

/// Drives at one fidelity. In a switchable scene, dynamics are on for as long as they are needed.
static RiStatus drive_at(RiPlanRun *r, const RiActivity *a, RiFidelity fidelity, const char **out_reason)
{
    const bool by_map = fidelity == RI_FIDELITY_MAP, swaps = r->dynamic >= 0;
    const bool stands_in = (fidelity != RI_FIDELITY_DYNAMIC && r->fidelity == RI_FIDELITY_AUTO) || (by_map && r->map);
    const char *loads = stands_in ? r->plan->map_loads : NULL;
    RiPlanStop stop;
    r->stretch = fidelity;
    RI_TRY(switch_loads(r, loads, 1.0));
    if (swaps && fidelity == RI_FIDELITY_DYNAMIC) {
        RI_TRY(ri_values_write(r->values, r->dynamic, 1.0));
        RI_TRY(ri_plan_step(r, RI_PLAN_SETTLE, false, out_reason));
    }
    if (!*out_reason)
        RI_TRY(by_map ? drive_by_map(r, a, out_reason) : drive_stepped(r, a, out_reason));
    if (swaps && r->fidelity == RI_FIDELITY_AUTO && fidelity == RI_FIDELITY_DYNAMIC) {
        const char *late = NULL;
        RI_TRY(ri_values_write(r->values, r->dynamic, 0.0));
        RI_TRY(ri_plan_step(r, RI_PLAN_SETTLE, false, &late)); // to its stance
    }
    RI_TRY(switch_loads(r, loads, 0.0));
    RI_TRY(ri_plan_look(r, &stop));
    r->stretch = RI_FIDELITY_AUTO;
    return RI_OK;
}

/// The part of a way up to s, for the locomotion device; the last stretch ends where the way does.
static RiActivity part_of(const Way *w, double from, double to)
{
    RiActivity part = *w->a;
    if (part.kind == RI_ACTIVITY_DRIVE && to < w->length)
        place_on(w, to, &part.x, &part.y);
    if (part.kind == RI_ACTIVITY_ARC)
        part.length = (part.length < 0.0 ? -1.0 : 1.0) * (to - from);
    return part;
}

static RiStatus drive_auto(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    const Way w = way_of(r, a);
    const int pieces = (int)fmax(1.0, ceil(w.length / segment));
    const double piece = w.length / pieces;
    int from = 0;
    while (from < pieces && !*out_reason) {
        const RiFidelity now = fidelity_at(r, &w, piece * (from + 1), piece);
        int to = from + 1;
        while (to < pieces && fidelity_at(r, &w, piece * (to + 1), piece) == now)
            to++;
        const RiActivity part = part_of(&w, piece * from, to == pieces ? w.length : piece * to);
        RI_TRY(drive_at(r, &part, now, out_reason));
        from = to;
    }
    return RI_OK;
}

// --- passes and rest -----------------------------------------------------------------------------

/// Waits until the radio sees its remote; *out_reason where it does not.
static RiStatus wait_for_remote(RiPlanRun *r, const RiActivity *a, const RiFormula *seen, const char **out_reason)
{
    RiPlanStop stop = {false, ""};
    double visible;
    RI_TRY(ri_formula_eval(seen, &visible));
    if (visible == 0.0) {
        RI_TRY(ri_plan_rest(r, a->longest, seen, &stop));
        RI_TRY(ri_formula_eval(seen, &visible));
    }
    if (stop.stop || visible == 0.0)
        *out_reason = stop.stop ? stop.reason : ri_plan_text(r, "%s saw nothing for %.0f s", a->radio, a->longest);
    return RI_OK;
}

/// Sends, and waits for the answer: light goes there and back, and the ground takes its time. An
/// answer that comes while the remote is out of sight is taken up when it is seen again.
static RiStatus ask(RiPlanRun *r, const RiActivity *a, const RiFormula *seen, const char **out_reason)
{
    RiPlanStop stop;
    double light_time, served;
    RI_TRY(ri_plan_get(r, a->radio, "light_time", &light_time));
    RI_TRY(ri_plan_rest(r, 2.0 * light_time + a->reply, NULL, &stop));
    RI_TRY(ri_plan_get(r, a->radio, "served", &served));
    if (stop.stop)
        *out_reason = stop.reason;
    else if (served == 0.0)
        *out_reason = ri_plan_text(r, "the bus gives '%s' no power", a->radio);
    else
        RI_TRY(wait_for_remote(r, a, seen, out_reason));
    return RI_OK;
}

/// Waits until the radio sees its remote, then for as long as it does, or for the duration.
static RiStatus talk(RiPlanRun *r, const RiActivity *a, const char **out_reason)
{
    char see[200], gone[200];
    const RiFormula *seen, *lost;
    RiPlanStop stop = {false, ""};
    double served = 1.0;
    snprintf(see, sizeof see, "%.120s.visible > 0.5", a->radio);
    snprintf(gone, sizeof gone, "%.120s.visible < 0.5", a->radio);
    RI_TRY(ri_values_compile(r->values, see, &seen));
    RI_TRY(ri_values_compile(r->values, gone, &lost));
    RI_TRY(wait_for_remote(r, a, seen, out_reason));
    if (*out_reason)
        return RI_OK;
    RI_TRY(ri_plan_set(r, a->radio, "on", 1.0));
    if (!isnan(a->reply))
        RI_TRY(ask(r, a, seen, out_reason));
    if (!*out_reason) {
        const double begun = ri_sim_time(r->sim), seconds = isnan(a->duration) ? a->longest : a->duration;
        RI_TRY(ri_plan_rest(r, seconds, lost, &stop));
        RI_TRY(ri_plan_get(r, a->radio, "served", &served));
        if (a->kind == RI_ACTIVITY_UPLINK && ri_sim_time(r->sim) < begun + seconds - 1.0)
            *out_reason = ri_plan_text(r, "%s lost its remote after %.0f of %.0f s", a->radio,
                                       ri_sim_time(r->sim) - begun, seconds);
        RI_TRY(ri_plan_get(r, a->radio, "light_time", &r->light_time));
    }
    RI_TRY(ri_plan_set(r, a->radio, "on", 0.0));
    if (stop.stop)
        *out_reason = stop.reason;
    else if (served == 0.0)
        *out_reason = ri_plan_text(r, "the bus gives '%s' no power", a->radio);
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
        seconds = ri_plan_until_hour(r, 0.0, a->until_hour);
    const double end = ri_sim_time(r->sim) + seconds;
    const bool passive = a->kind == RI_ACTIVITY_SLEEP || a->kind == RI_ACTIVITY_WAIT || a->kind == RI_ACTIVITY_CHARGE;
    do
        RI_TRY(ri_plan_rest(r, end - ri_sim_time(r->sim), until, &stop));
    while (passive && stop.stop && ri_sim_time(r->sim) < end - 1.0); // a response does not end rest
    if (stop.stop && !passive)
        *out_reason = stop.reason;
    if (!*out_reason)
        RI_TRY(check_power(r, a, out_reason));
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
    r->usual_mode = a->kind == RI_ACTIVITY_SLEEP ? 1.0 : 0.0;
    if (!r->safe)
        RI_TRY(ri_values_write(r->values, r->mode, r->usual_mode));
    RI_TRY(switch_loads(r, a->loads, 1.0));
    switch ((RiActivityKind)a->kind) {
    case RI_ACTIVITY_DRIVE:
    case RI_ACTIVITY_ARC:
    case RI_ACTIVITY_TURN:
        RI_TRY(r->fidelity == RI_FIDELITY_AUTO ? drive_auto(r, a, out_reason)
                                               : drive_at(r, a, r->fidelity, out_reason));
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
        if (a->arm)
            RI_TRY(ri_plan_reach(r, a, out_reason));
        if (!*out_reason)
            RI_TRY(pass_time(r, index, out_reason));
        if (a->camera && !*out_reason)
            RI_TRY(ri_plan_take_picture(r, a, out_reason));
        if (a->arm)
            RI_TRY(ri_plan_stow(r, a, out_reason));
        break;
    }
    RI_TRY(switch_loads(r, a->loads, 0.0));
    r->usual_mode = 0.0;
    if (!r->safe && a->kind == RI_ACTIVITY_SLEEP)
        RI_TRY(ri_values_write(r->values, r->mode, 0.0));
    return *out_reason ? RI_OK : record(r, a->data + ri_plan_picture_bits(r, a));
}
