// SPDX-License-Identifier: Apache-2.0
/// \file
/// The executive: carries out the activities of a plan one after the other, injects faults, answers
/// by itself, keeps margins.
///
/// Everything it sees and does goes through named values, as an operator's would. Tests:
/// tests/study/test_plan.c.
#include "study/plan/plan_run.h"
#include "base/functions.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <rille/clock.h>

static const double look_period = 60.0, sample_period = 300.0; // [s]

const char *ri_activity_state_name(RiActivityState state)
{
    static const char *const names[RI_ACTIVITY_STATE_COUNT] = {"done", "skipped", "failed"};
    return (unsigned)state < RI_ACTIVITY_STATE_COUNT ? names[state] : "";
}

static const char *const signals[RI_PLAN_SIGNALS] = {"state of charge", "source power", "load power", "sunlight",
                                                     "optical depth",   "box",          "battery",    "motors",
                                                     "ground",          "stored data",  "slip",       "link rate"};

const char *ri_plan_signal_name(int signal)
{
    return signal >= 0 && signal < RI_PLAN_SIGNALS ? signals[signal] : "";
}

const char *ri_plan_text(RiPlanRun *r, const char *format, ...)
{
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *kept = ri_arena_string(&r->arena, text);
    return kept ? kept : "";
}

// --- values --------------------------------------------------------------------------------------

double ri_plan_value(const RiPlanRun *r, int value)
{
    return value >= 0 ? ri_values_read(r->values, value) : NAN;
}

static int find(const RiPlanRun *r, const char *device, const char *port)
{
    char name[300];
    snprintf(name, sizeof name, "%.200s.%.60s", device, port);
    return ri_values_find(r->values, name);
}

RiStatus ri_plan_set(RiPlanRun *r, const char *device, const char *port, double x)
{
    const int value = find(r, device, port);
    if (value < 0)
        return ri_error(r->ctx, RI_ERR_NOT_FOUND, "plan '%s': the scene has no value '%s.%s'", r->plan->name, device,
                        port);
    return ri_values_write(r->values, value, x);
}

RiStatus ri_plan_get(RiPlanRun *r, const char *device, const char *port, double *out)
{
    const int value = find(r, device, port);
    *out = ri_plan_value(r, value);
    return value >= 0 ? RI_OK
                      : ri_error(r->ctx, RI_ERR_NOT_FOUND, "plan '%s': the scene has no value '%s.%s'", r->plan->name,
                                 device, port);
}

/// Puts the place of a node before a message.
static RiStatus wrap(RiContext *ctx, const RiYamlNode *node, RiStatus status)
{
    if (status == RI_OK || status == RI_ERR_MEMORY)
        return status;
    char message[900];
    snprintf(message, sizeof message, "%s", ri_context_message(ctx));
    return ri_yaml_error(node, status == RI_ERR_ARGUMENT ? RI_ERR_FORMAT : status, "%s", message);
}

static RiStatus compile(RiPlanRun *r, const RiYamlNode *node, const char *text, const RiFormula **out)
{
    *out = NULL;
    return text ? wrap(r->ctx, node, ri_values_compile(r->values, text, out)) : RI_OK;
}

static RiStatus compile_all(RiPlanRun *r)
{
    const RiPlan *p = r->plan;
    const size_t n = (size_t)p->activity_count + 1, m = (size_t)p->margin_count + 1, k = (size_t)p->response_count + 1;
    r->until = ri_arena_alloc(&r->arena, n, sizeof *r->until);
    r->when = ri_arena_alloc(&r->arena, n, sizeof *r->when);
    r->margin = ri_arena_alloc(&r->arena, m, sizeof *r->margin);
    r->margins = ri_arena_alloc(&r->arena, m, sizeof *r->margins);
    r->response = ri_arena_alloc(&r->arena, k, sizeof *r->response);
    r->resume = ri_arena_alloc(&r->arena, k, sizeof *r->resume);
    r->rows = ri_arena_alloc(&r->arena, n, sizeof *r->rows);
    if (!r->until || !r->when || !r->margin || !r->margins || !r->response || !r->resume || !r->rows)
        return ri_error_memory(r->ctx);
    for (int i = 0; i < p->activity_count; i++) {
        const RiActivity *a = &p->activities[i];
        RI_TRY(compile(r, a->node, a->until, &r->until[i]));
        RI_TRY(compile(r, a->node, a->when, &r->when[i]));
    }
    for (int i = 0; i < p->margin_count; i++) {
        const RiPlanMarginDef *d = &p->margins[i];
        RI_TRY(compile(r, d->node, d->value, &r->margin[i]));
        r->margins[i] = (RiPlanMargin){d->name, d->value, d->least, d->most, NAN, 0.0, INFINITY};
    }
    for (int i = 0; i < p->response_count; i++) {
        RI_TRY(compile(r, p->responses[i].node, p->responses[i].when, &r->response[i]));
        RI_TRY(compile(r, p->responses[i].node, p->responses[i].resume, &r->resume[i]));
    }
    return RI_OK;
}

/// Bits that found no room in the recorder, those that it takes up in its next step included.
static double lost_bits(const RiPlanRun *r)
{
    const char *recorder = r->plan->recorder;
    if (r->lost < 0)
        return 0.0;
    const double room = ri_plan_value(r, find(r, recorder, "capacity")) - ri_plan_value(r, find(r, recorder, "stored"));
    return ri_plan_value(r, r->lost) + fmax(ri_plan_value(r, find(r, recorder, "add")) - room, 0.0);
}

/// Energy that loads asked for and did not get [J].
static double unserved(const RiPlanRun *r)
{
    double sum = 0.0;
    for (int i = 0; i < ri_values_count(r->values); i++) {
        const char *dot = strrchr(ri_values_get(r->values, i)->name, '.');
        if (dot && strcmp(dot, ".unserved") == 0)
            sum += ri_values_read(r->values, i);
    }
    return sum;
}

static RiStatus find_radios(RiPlanRun *r)
{
    const int count = ri_values_count(r->values);
    r->radios = ri_arena_alloc(&r->arena, (size_t)count + 1, sizeof *r->radios);
    if (!r->radios)
        return ri_error_memory(r->ctx);
    for (int i = 0; i < count; i++) { // radios have both values
        const char *name = ri_values_get(r->values, i)->name, *dot = strrchr(name, '.');
        if (!dot || strcmp(dot, ".sent") != 0)
            continue;
        const char *device = ri_plan_text(r, "%.*s", (int)(dot - name) < 200 ? (int)(dot - name) : 200, name);
        if (find(r, device, "carrier_to_noise") >= 0)
            r->radios[r->radio_count++] = (RiPlanRadio){.name = device,
                                                        .sent = i,
                                                        .visible = find(r, device, "visible"),
                                                        .rate = find(r, device, "rate"),
                                                        .light_time = find(r, device, "light_time")};
    }
    return RI_OK;
}

/// The scene must have the loads and radios that the plan names: told before anything runs.
static RiStatus find_parts(const RiPlanRun *r)
{
    for (int i = 0; i < r->plan->activity_count; i++) {
        const RiActivity *a = &r->plan->activities[i];
        char name[RI_PLAN_NAME];
        for (const char *at = a->loads; ri_plan_next_name(&at, name);)
            if (find(r, name, "on") < 0 && find(r, name, "enabled") < 0)
                return ri_yaml_error(a->node, RI_ERR_NOT_FOUND,
                                     "activity '%.60s': the scene has no load or heater '%s'", a->name, name);
        if (a->radio && (find(r, a->radio, "visible") < 0 || find(r, a->radio, "automatic") < 0))
            return ri_yaml_error(a->node, RI_ERR_NOT_FOUND, "activity '%.60s': the scene has no radio '%.60s'", a->name,
                                 a->radio);
        if ((a->data > 0.0 || a->camera) && find(r, r->plan->recorder, "add") < 0)
            return ri_yaml_error(a->node, RI_ERR_NOT_FOUND,
                                 "activity '%.60s' brings data, and the scene has no recorder '%.60s'", a->name,
                                 r->plan->recorder);
    }
    return RI_OK;
}

static RiStatus find_values(RiPlanRun *r)
{
    const RiPlan *p = r->plan;
    const int numbers[RI_PLAN_SIGNALS] = {find(r, p->bus, "state_of_charge"),
                                          find(r, p->bus, "source_power"),
                                          find(r, p->bus, "load_power"),
                                          find(r, "site", "global"),
                                          find(r, "site", "tau"),
                                          find(r, "box", "temperature"),
                                          find(r, "battery_box", "temperature"),
                                          find(r, "motors", "temperature"),
                                          find(r, "site", "ground_temperature"),
                                          find(r, p->recorder, "stored"),
                                          -1,
                                          -1};
    memcpy(r->signal, numbers, sizeof numbers);
    r->base_x = ri_values_find(r->values, "base.x");
    r->base_y = ri_values_find(r->values, "base.y");
    r->base_z = ri_values_find(r->values, "base.z");
    r->generated = find(r, p->bus, "generated");
    r->used = find(r, p->bus, "used");
    r->beyond = find(r, "site", "beyond_tables");
    r->curtailed = find(r, p->bus, "curtailed");
    r->lost = find(r, p->recorder, "lost");
    r->dead_time = find(r, p->bus, "dead_time");
    r->charge = find(r, p->bus, "state_of_charge");
    r->mode = find(r, p->bus, "mode");
    r->ledger = find(r, p->bus, "ledger");
    r->busy = find(r, p->locomotion, "busy");
    r->refused = find(r, p->locomotion, "refused");
    r->powered = find(r, p->locomotion, "powered");
    r->slip = find(r, p->locomotion, "slip");
    r->dynamic = ri_values_find(r->values, "drive.dynamic");
    if (r->fidelity == RI_FIDELITY_AUTO && r->dynamic < 0)
        return ri_error(r->ctx, RI_ERR_ARGUMENT,
                        "plan '%s': fidelity auto needs a scene with 'mode: switchable', which can be driven with and "
                        "without dynamics",
                        p->name);
    if (r->mode < 0)
        return ri_yaml_error(ri_yaml_root(p->t.documents[0]), RI_ERR_NOT_FOUND, "plan '%s': the scene has no bus '%s'",
                             p->name, p->bus);
    for (int i = 0; i < p->fault_count; i++)
        if (ri_values_find(r->values, p->faults[i].name) < 0)
            return ri_yaml_error(p->faults[i].node, RI_ERR_NOT_FOUND, "the scene has no value '%s'", p->faults[i].name);
    RI_TRY(find_parts(r));
    RI_TRY(ri_plan_find_payload(r));
    return find_radios(r);
}

// --- looks ---------------------------------------------------------------------------------------

/// Slip of the stretch that is driven; 0 while the robot stands.
static double slip_now(const RiPlanRun *r)
{
    switch (r->stretch) {
    case RI_FIDELITY_MAP:
        return r->map_slip;
    case RI_FIDELITY_DYNAMIC:
        return r->slip >= 0 ? ri_plan_value(r, r->slip) : 0.0;
    case RI_FIDELITY_KINEMATIC:
    case RI_FIDELITY_AUTO:
    case RI_FIDELITY_COUNT:
        break;
    }
    return 0.0;
}

static double link_rate(const RiPlanRun *r)
{
    double sum = 0.0;
    for (int i = 0; i < r->radio_count; i++)
        sum += ri_plan_value(r, r->radios[i].visible) != 0.0 ? ri_plan_value(r, r->radios[i].rate) : 0.0;
    return sum;
}

static RiStatus end_pass(RiPlanRun *r, RiPlanRadio *radio)
{
    RI_TRY(ri_grow(r->ctx, &r->passes, r->pass_count, &r->pass_room, 64, sizeof *r->passes));
    radio->pass.end = ri_sim_time(r->sim);
    radio->pass.sent = ri_plan_value(r, radio->sent) - radio->sent_before;
    radio->seen = false;
    r->passes[r->pass_count++] = radio->pass;
    return RI_OK;
}

static RiStatus look_at_radios(RiPlanRun *r, bool last)
{
    for (int i = 0; i < r->radio_count; i++) {
        RiPlanRadio *radio = &r->radios[i];
        const bool seen = ri_plan_value(r, radio->visible) != 0.0;
        if (seen && !radio->seen) {
            radio->pass = (RiPlanPass){.radio = radio->name, .start = ri_sim_time(r->sim)};
            radio->sent_before = ri_plan_value(r, radio->sent);
            radio->seen = true;
        }
        if (seen)
            radio->pass.light_time = ri_plan_value(r, radio->light_time);
        if (seen)
            radio->pass.rate = fmax(radio->pass.rate, ri_plan_value(r, radio->rate));
        if (radio->seen && (!seen || last))
            RI_TRY(end_pass(r, radio));
    }
    return RI_OK;
}

static double sent_bits(const RiPlanRun *r)
{
    double sum = 0.0;
    for (int i = 0; i < r->radio_count; i++)
        sum += ri_plan_value(r, r->radios[i].sent);
    return sum;
}

/// Sums since the start.
static RiPlanSol sums_now(const RiPlanRun *r)
{
    const double generated = ri_plan_value(r, r->generated), curtailed = ri_plan_value(r, r->curtailed);
    return (RiPlanSol){.start = ri_sim_time(r->sim),
                       .end = ri_sim_time(r->sim),
                       .available = generated + curtailed,
                       .generated = generated,
                       .used = ri_plan_value(r, r->used),
                       .sent = sent_bits(r),
                       .way = r->way};
}

/// The sol that goes on, up to now; a new one begins at local midnight, to the next look.
static RiStatus keep_sol(RiPlanRun *r)
{
    const RiPlanSol now = sums_now(r), *then = &r->sol_begin;
    if (r->sol_count == 0 && !ri_scene_sun(r->scene)->moves)
        return RI_OK;
    if (r->sol_count == 0 || now.start >= r->sol_end) {
        if (r->sol_count == r->sol_room) {
            const int bigger = r->sol_room ? 2 * r->sol_room : 16;
            void *grown = ri_resize(r->ctx, r->sols, (size_t)bigger, sizeof *r->sols);
            if (!grown)
                return ri_error_memory(r->ctx);
            r->sols = grown;
            r->sol_room = bigger;
        }
        r->sol_begin = now;
        r->sol_lowest = INFINITY;
        r->sol_count++;
        const double left = ri_plan_until_hour(r, 0.0, 0.0);
        r->sol_end = now.start + fmax(left, 1.0);
    }
    r->sol_lowest = fmin(r->sol_lowest, ri_plan_value(r, r->charge));
    r->sols[r->sol_count - 1] = (RiPlanSol){.start = then->start,
                                            .end = now.end,
                                            .available = now.available - then->available,
                                            .generated = now.generated - then->generated,
                                            .used = now.used - then->used,
                                            .sent = now.sent - then->sent,
                                            .way = now.way - then->way,
                                            .lowest = r->sol_lowest,
                                            .tau = ri_plan_value(r, r->signal[RI_PLAN_TAU])};
    return RI_OK;
}

static RiStatus keep_sample(RiPlanRun *r)
{
    const double now = ri_sim_time(r->sim), x = ri_plan_value(r, r->base_x), y = ri_plan_value(r, r->base_y);
    const double moved = ri_hypot(x - r->last_x, y - r->last_y);
    if (moved > 0.0) {
        r->way += moved;
        if (r->stretch < RI_FIDELITY_AUTO)
            r->way_at[r->stretch] += moved;
    }
    if (r->stretch < RI_FIDELITY_AUTO)
        r->worst_slip = isnan(r->worst_slip) ? slip_now(r) : fmax(r->worst_slip, slip_now(r));
    r->last_x = x;
    r->last_y = y;
    r->lowest = fmin(r->lowest, ri_plan_value(r, r->charge));
    RI_TRY(keep_sol(r));
    if (ri_plan_value(r, r->beyond) == 1.0)
        r->beyond_time += now - r->last_look;
    r->last_look = now;
    if (now - r->last_sample < sample_period && moved < 0.5 && r->sample_count > 0)
        return RI_OK;
    RI_TRY(ri_grow(r->ctx, &r->samples, r->sample_count, &r->sample_room, 256, sizeof *r->samples));
    RiPlanSample *s = &r->samples[r->sample_count++];
    *s = (RiPlanSample){.time = now, .x = x, .y = y};
    for (int i = 0; i < RI_PLAN_SIGNALS; i++)
        s->signal[i] = ri_plan_value(r, r->signal[i]);
    s->signal[RI_PLAN_SLIP] = slip_now(r);
    s->signal[RI_PLAN_RATE] = link_rate(r);
    r->last_sample = now;
    return RI_OK;
}

static RiStatus look_at_margins(RiPlanRun *r)
{
    for (int i = 0; i < r->plan->margin_count; i++) {
        RiPlanMargin *m = &r->margins[i];
        double x;
        RI_TRY(ri_formula_eval(r->margin[i], &x));
        const double slack = fmin(x - m->least, m->most - x);
        if (!(slack < m->slack))
            continue;
        m->slack = slack;
        m->worst = x;
        m->time = ri_sim_time(r->sim);
    }
    return RI_OK;
}

/// Time of the next fault; infinite.
static double next_fault(const RiPlanRun *r)
{
    return r->next_fault < r->plan->fault_count ? r->plan->faults[r->next_fault].at : INFINITY;
}

RiStatus ri_plan_inject(RiPlanRun *r)
{
    while (next_fault(r) <= ri_sim_time(r->sim) + 1e-9) {
        const RiPlanFault *f = &r->plan->faults[r->next_fault++];
        RI_TRY(wrap(r->ctx, f->node, ri_values_set(r->values, f->name, f->value)));
    }
    return RI_OK;
}

static RiStatus enter_safe(RiPlanRun *r, int response)
{
    r->safe = true;
    r->safe_by = response;
    return ri_values_write(r->values, r->mode, 2.0);
}

static RiStatus answer(RiPlanRun *r, RiPlanStop *out)
{
    double x = 0.0;
    if (r->safe && r->resume[r->safe_by]) {
        RI_TRY(ri_formula_eval(r->resume[r->safe_by], &x));
        if (x != 0.0) {
            r->safe = false;
            RI_TRY(ri_values_write(r->values, r->mode, r->usual_mode));
        }
    }
    for (int i = 0; i < r->plan->response_count; i++) {
        const RiResponse *a = &r->plan->responses[i];
        RI_TRY(ri_formula_eval(r->response[i], &x));
        if (x == 0.0 || (a->kind == RI_RESPONSE_SAFE && r->safe))
            continue;
        r->responses++;
        *out = (RiPlanStop){true, a->name};
        if (a->kind == RI_RESPONSE_SAFE)
            RI_TRY(enter_safe(r, i));
    }
    return RI_OK;
}

RiStatus ri_plan_look(RiPlanRun *r, RiPlanStop *out)
{
    *out = (RiPlanStop){false, ""};
    RI_TRY(ri_plan_inject(r));
    RI_TRY(answer(r, out));
    RI_TRY(look_at_margins(r));
    RI_TRY(look_at_radios(r, false));
    return keep_sample(r);
}

RiStatus ri_plan_rest(RiPlanRun *r, double seconds, const RiFormula *until, RiPlanStop *out)
{
    const double end = ri_sim_time(r->sim) + seconds;
    *out = (RiPlanStop){false, ""};
    while (ri_sim_time(r->sim) < end - 1e-6 && !out->stop) {
        double x = 0.0;
        if (until)
            RI_TRY(ri_formula_eval(until, &x));
        if (x != 0.0)
            return RI_OK;
        const double before = ri_sim_time(r->sim), chunk = fmin(end, next_fault(r)) - before;
        RI_TRY(ri_sim_rest(r->sim, fmin(fmax(chunk, 1e-3), look_period), r->plan->step));
        if (ri_sim_time(r->sim) <= before) // a command of the scene is due
            RI_TRY(ri_sim_step(r->sim));
        RI_TRY(ri_plan_look(r, out));
    }
    return RI_OK;
}

double ri_plan_until_hour(const RiPlanRun *r, double later, double hour)
{
    RiSunDef now = *ri_scene_sun(r->scene);
    if (!now.moves)
        return 0.0;
    ri_clock_shift(ri_scene_sun(r->scene)->utc, ri_sim_time(r->sim) + later, now.utc);
    return ri_clock_until(&now, hour);
}

// --- the plan ------------------------------------------------------------------------------------

/// Waits for the activity's window. *out_late: it is closed already.
static RiStatus wait_for_window(RiPlanRun *r, const RiActivity *a, bool *out_late)
{
    RiPlanStop stop;
    double seconds = isnan(a->at) ? 0.0 : fmax(a->at - ri_sim_time(r->sim), 0.0);
    if (!isnan(a->hour))
        seconds += ri_plan_until_hour(r, seconds, a->hour);
    const double end = ri_sim_time(r->sim) + seconds;
    while (ri_sim_time(r->sim) < end - 1e-3) // responses may act while it waits
        RI_TRY(ri_plan_rest(r, end - ri_sim_time(r->sim), NULL, &stop));
    *out_late = !isnan(a->before) && ri_sim_time(r->sim) > a->before + 1.0;
    return RI_OK;
}

/// Safe mode keeps a robot from everything but rest and talk.
static bool is_held(const RiPlanRun *r, const RiActivity *a)
{
    return r->safe && a->priority > 0 && a->kind != RI_ACTIVITY_SLEEP && a->kind != RI_ACTIVITY_WAIT &&
           a->kind != RI_ACTIVITY_CHARGE && a->kind != RI_ACTIVITY_PASS;
}

/// The activity that this one comes after and that was not done; NULL.
static const char *missing_before(RiPlanRun *r, const RiActivity *a)
{
    char name[RI_PLAN_NAME];
    for (const char *at = a->after; ri_plan_next_name(&at, name);) {
        int last = r->row_count - 1;
        while (last >= 0 && strcmp(r->rows[last].name, name) != 0)
            last--;
        if (last < 0 || r->rows[last].state != RI_ACTIVITY_DONE)
            return ri_plan_text(r, "'%s' was not done before it", name);
    }
    return NULL;
}

static RiStatus do_one(RiPlanRun *r, int index)
{
    const RiActivity *a = &r->plan->activities[index];
    RiPlanRow *row = &r->rows[r->row_count];
    bool late;
    double go = 1.0;
    RI_TRY(wait_for_window(r, a, &late));
    *row = (RiPlanRow){.name = a->name,
                       .kind = ri_activity_kind_name(a->kind),
                       .reason = "",
                       .start = ri_sim_time(r->sim),
                       .light_time = NAN};
    const RiSunDef *sun = ri_scene_sun(r->scene);
    row->hour = sun->moves ? ri_clock_read(sun, row->start).true_hour : NAN;
    const double generated = ri_plan_value(r, r->generated), used = ri_plan_value(r, r->used), way = r->way,
                 sent = sent_bits(r);
    double way_at[RI_FIDELITY_AUTO];
    memcpy(way_at, r->way_at, sizeof way_at);
    r->worst_slip = r->light_time = NAN;
    if (r->when[index])
        RI_TRY(ri_formula_eval(r->when[index], &go));
    if (late) {
        row->state = RI_ACTIVITY_FAILED;
        row->reason = ri_plan_text(r, "begins %.0f s after its window has closed", row->start - a->before);
    } else if (is_held(r, a)) {
        row->state = RI_ACTIVITY_SKIPPED;
        row->reason = ri_plan_text(r, "safe mode: %s", r->plan->responses[r->safe_by].name);
    } else if (missing_before(r, a)) {
        row->state = RI_ACTIVITY_SKIPPED;
        row->reason = missing_before(r, a);
    } else if (go == 0.0) {
        row->state = RI_ACTIVITY_SKIPPED;
        row->reason = ri_plan_text(r, "not true: %s", a->when);
    } else {
        const char *reason;
        RI_TRY(ri_plan_activity(r, index, &reason));
        row->state = reason ? RI_ACTIVITY_FAILED : RI_ACTIVITY_DONE;
        row->reason = reason ? reason : "";
    }
    row->end = ri_sim_time(r->sim);
    row->generated = ri_plan_value(r, r->generated) - generated;
    row->used = ri_plan_value(r, r->used) - used;
    row->charge = ri_plan_value(r, r->charge);
    row->way = r->way - way;
    row->sent = sent_bits(r) - sent;
    row->slip = r->worst_slip;
    row->light_time = r->light_time;
    for (int i = 0; i < RI_FIDELITY_AUTO; i++)
        row->way_at[i] = r->way_at[i] - way_at[i];
    r->row_count++;
    return RI_OK;
}

static RiStatus open_scene(RiPlanRun *r, const RiSetting *settings, int count, RiPaths *paths)
{
    const RiPlan *p = r->plan;
    const bool dynamics = r->fidelity == RI_FIDELITY_DYNAMIC || r->fidelity == RI_FIDELITY_AUTO;
    const char *path = dynamics && p->dynamic ? p->dynamic : p->scene;
    RiPaths own;
    if (!p->path)
        return ri_error(r->ctx, RI_ERR_ARGUMENT, "plan '%s' is a text without a path: its scene is not found", p->name);
    if (!paths) {
        ri_paths_default(NULL, &own);
        paths = &own;
    }
    RiSetting *all = ri_arena_alloc(&r->arena, (size_t)(p->setting_count + count) + 1, sizeof *all);
    if (!all)
        return ri_error_memory(r->ctx);
    for (int i = 0; i < p->setting_count; i++)
        all[i] = p->settings[i];
    for (int i = 0; i < count; i++)
        all[p->setting_count + i] = settings[i];
    RiSceneOptions options = ri_scene_options_default();
    ri_paths_use(paths, &options);
    options.settings = all;
    options.setting_count = p->setting_count + count;
    RI_TRY(ri_scene_load(r->ctx, path, &options, &r->scene));
    RI_TRY(ri_scene_build(r->scene));
    r->sim = ri_scene_sim(r->scene);
    r->values = ri_sim_values(r->sim);
    if (dynamics && !p->dynamic && ri_values_find(r->values, "drive.dynamic") < 0)
        return ri_error(r->ctx, RI_ERR_ARGUMENT,
                        "plan '%s' has no 'dynamic_scene', and its scene has not 'mode: switchable': it can be run by "
                        "map or kinematically",
                        p->name);
    return RI_OK;
}

static RiStatus carry_out(RiPlanRun *r, const RiSetting *settings, int count, RiPaths *paths)
{
    RiPlanStop stop;
    RI_TRY(ri_plan_map_open(r));
    RI_TRY(open_scene(r, settings, count, paths));
    RI_TRY(find_values(r));
    RI_TRY(compile_all(r));
    r->last_x = ri_plan_value(r, r->base_x);
    r->last_y = ri_plan_value(r, r->base_y);
    r->lowest = INFINITY;
    r->stretch = RI_FIDELITY_AUTO;
    r->worst_slip = NAN;
    if (r->dynamic >= 0) // rest is without dynamics
        RI_TRY(ri_values_write(r->values, r->dynamic, r->fidelity == RI_FIDELITY_DYNAMIC));
    RI_TRY(ri_plan_look(r, &stop));
    for (int i = 0; i < r->plan->activity_count; i++)
        RI_TRY(do_one(r, i));
    r->last_sample = -INFINITY;
    RI_TRY(look_at_radios(r, true));
    RI_TRY(keep_sample(r));
    r->hash = ri_sim_hash(r->sim);
    return RI_OK;
}

RiStatus ri_plan_run(RiPlan *plan, RiFidelity fidelity, const RiSetting *settings, int setting_count, RiPaths *paths,
                     RiPlanRun **out_run)
{
    *out_run = NULL;
    RiPlanRun *r = ri_alloc_zero(plan->ctx, 1, sizeof *r);
    if (!r)
        return ri_error_memory(plan->ctx);
    r->ctx = plan->ctx;
    r->plan = plan;
    r->fidelity = fidelity;
    ri_arena_init(&r->arena, plan->ctx);
    const RiStatus status = carry_out(r, settings, setting_count, paths);
    if (status != RI_OK) {
        ri_plan_run_destroy(r);
        return status;
    }
    *out_run = r;
    return RI_OK;
}

void ri_plan_run_destroy(RiPlanRun *r)
{
    if (!r)
        return;
    RiContext *ctx = r->ctx;
    for (int i = 0; i < r->picture_count; i++)
        ri_release(ctx, (void *)(uintptr_t)r->pictures[i].png);
    ri_perception_destroy(r->eyes);
    ri_scene_destroy(r->scene);
    ri_release(ctx, r->samples);
    ri_release(ctx, r->passes);
    ri_release(ctx, r->sols);
    ri_arena_free(&r->arena);
    ri_release(ctx, r);
}

// --- questions -----------------------------------------------------------------------------------

int ri_plan_run_row_count(const RiPlanRun *run)
{
    return run->row_count;
}

const RiPlanRow *ri_plan_run_row(const RiPlanRun *run, int row)
{
    return row >= 0 && row < run->row_count ? &run->rows[row] : NULL;
}

int ri_plan_run_margin_count(const RiPlanRun *run)
{
    return run->plan->margin_count;
}

const RiPlanMargin *ri_plan_run_margin(const RiPlanRun *run, int margin)
{
    return margin >= 0 && margin < run->plan->margin_count ? &run->margins[margin] : NULL;
}

int ri_plan_run_sample_count(const RiPlanRun *run)
{
    return run->sample_count;
}

const RiPlanSample *ri_plan_run_sample(const RiPlanRun *run, int sample)
{
    return sample >= 0 && sample < run->sample_count ? &run->samples[sample] : NULL;
}

int ri_plan_run_pass_count(const RiPlanRun *run)
{
    return run->pass_count;
}

const RiPlanPass *ri_plan_run_pass(const RiPlanRun *run, int pass)
{
    return pass >= 0 && pass < run->pass_count ? &run->passes[pass] : NULL;
}

int ri_plan_run_picture_count(const RiPlanRun *run)
{
    return run->picture_count;
}

const RiPlanPicture *ri_plan_run_picture(const RiPlanRun *run, int picture)
{
    return picture >= 0 && picture < run->picture_count ? &run->pictures[picture] : NULL;
}

int ri_plan_run_sol_count(const RiPlanRun *run)
{
    return run->sol_count;
}

const RiPlanSol *ri_plan_run_sol(const RiPlanRun *run, int sol)
{
    return sol >= 0 && sol < run->sol_count ? &run->sols[sol] : NULL;
}

RiFidelity ri_plan_run_fidelity(const RiPlanRun *run)
{
    return run->fidelity;
}

RiPlanTotals ri_plan_run_totals(const RiPlanRun *r)
{
    RiPlanTotals t = {.time = ri_sim_time(r->sim),
                      .way = r->way,
                      .generated = ri_plan_value(r, r->generated),
                      .used = ri_plan_value(r, r->used),
                      .sent = sent_bits(r),
                      .lowest_charge = r->lowest,
                      .charge = ri_plan_value(r, r->charge),
                      .ledger = ri_plan_value(r, r->ledger),
                      .hash = r->hash,
                      .responses = r->responses,
                      .beyond = r->beyond_time,
                      .lost = lost_bits(r),
                      .curtailed = ri_plan_value(r, r->curtailed),
                      .unserved = unserved(r),
                      .dead = ri_plan_value(r, r->dead_time),
                      .pending = r->plan->fault_count - r->next_fault,
                      .mapped = r->mapped};
    memcpy(t.way_at, r->way_at, sizeof t.way_at);
    for (int i = 0; i < r->row_count; i++) {
        t.failed += r->rows[i].state == RI_ACTIVITY_FAILED;
        t.skipped += r->rows[i].state == RI_ACTIVITY_SKIPPED;
    }
    for (int i = 0; i < r->plan->margin_count; i++)
        t.violated += r->margins[i].slack < 0.0;
    return t;
}
