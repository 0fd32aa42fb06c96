// SPDX-License-Identifier: Apache-2.0
/// \file
/// The simulation: its life, the state block, and the tick.
///
///     create, add, set --> build: forces and method lay out the state --> start --> step: one tick
///
/// ri_sim_step is at the end of the file's second part; it walks two tables, that of forces
/// (force/force.h) and that of methods (method/method.h). docs/internals.md explains the way from
/// here to one wheel's stress.
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "sim/devices.h"
#include "sim/force/joints.h"
#include "sim/force/link_contact.h"
#include "sim/force/outside.h"
#include "sim/force/springs.h"
#include "sim/force/touches.h"
#include "sim/network.h"
#include "sim/options.h"
#include "sim/schedule.h"
#include "sim/sun.h"

static RiStatus check_options(RiContext *ctx, const RiSimOptions *o)
{
    RI_TRY(ri_options_check(ctx, NULL, &ri_sim_option_table, o));
    RI_TRY(ri_options_check(ctx, NULL, &ri_sim_contact_option_table, o));
    return ri_method_check(ctx, o);
}

/// Parts that everything can be added to.
static RiStatus create_parts(RiSim *s)
{
    RI_TRY(ri_values_create(s->ctx, &s->values));
    RI_TRY(ri_devices_create(s));
    RI_TRY(ri_schedule_create(s));
    RI_TRY(ri_validity_create(s));
    RI_TRY(ri_ground_create(s));
    RI_TRY(ri_outside_create(s));
    RI_TRY(ri_sim_create_network(s));
    s->joints = ri_arena_alloc(&s->arena, 1, sizeof *s->joints);
    s->springs = ri_arena_alloc(&s->arena, 1, sizeof *s->springs);
    s->touches = ri_arena_alloc(&s->arena, 1, sizeof *s->touches);
    s->links = ri_arena_alloc(&s->arena, 1, sizeof *s->links);
    s->sun = ri_arena_alloc(&s->arena, 1, sizeof *s->sun);
    return s->joints && s->springs && s->touches && s->links && s->sun ? RI_OK : ri_error_memory(s->ctx);
}

RiStatus ri_sim_create(RiContext *ctx, const RiModel *model, const RiSimOptions *options, RiSim **out_sim)
{
    *out_sim = NULL;
    const RiSimOptions used = options ? *options : ri_sim_options_default();
    RI_TRY(check_options(ctx, &used));
    RiSim *s = ri_alloc_zero(ctx, 1, sizeof *s);
    if (!s)
        return ri_error_memory(ctx);
    s->ctx = ctx;
    s->m = model;
    s->options = used;
    s->method = ri_method_kind(used.method);
    ri_arena_init(&s->arena, ctx);
    const RiStatus status = create_parts(s);
    if (status != RI_OK) {
        ri_sim_destroy(s);
        return status;
    }
    *out_sim = s;
    return RI_OK;
}

void ri_sim_destroy(RiSim *s)
{
    if (!s)
        return;
    RiContext *ctx = s->ctx;
    if (s->devices)
        ri_release(ctx, s->devices->slots);
    if (s->springs)
        ri_release(ctx, s->springs->items);
    ri_schedule_destroy(s);
    ri_validity_destroy(s);
    ri_release(ctx, s->block);
    ri_release(ctx, s->snapshot.block);
    ri_values_destroy(s->values);
    if (s->method->destroy)
        s->method->destroy(s);
    ri_dyn_destroy(s->d);
    ri_ruts_destroy(s->ruts);
    ri_arena_free(&s->arena);
    ri_release(ctx, s);
}

RiStatus ri_sim_grow(RiSim *s, void **items, int count, int *room, size_t size)
{
    if (s->built)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "nothing can be added to a simulation after ri_sim_build");
    return ri_grow(s->ctx, items, count, room, 8, size);
}

RiStatus ri_sim_copy_text(RiSim *s, const char *text, const char **out)
{
    *out = ri_arena_string(&s->arena, text);
    return text && !*out ? ri_error_memory(s->ctx) : RI_OK;
}

// --- build ---------------------------------------------------------------------------------------

/// Lays out the state block; returns its size. First what every tick changes, from `kept_at` on
/// what only devices, writes from outside or reports change.
static size_t lay_out_state(RiSim *s, char *block)
{
    RiDevices *devices = s->devices;
    const size_t count = (size_t)devices->count;
    size_t at = 0;
    s->head = ri_carve(block, &at, 1, sizeof *s->head);
    s->q = ri_carve(block, &at, (size_t)s->m->nq, sizeof *s->q);
    s->v = ri_carve(block, &at, (size_t)s->m->nv, sizeof *s->v);
    devices->updates = ri_carve(block, &at, count, sizeof *devices->updates);
    RI_FORCES(&s->present, lay_out, s, RI_BLOCK_MOVING, block, &at);
    if (s->method->lay_out)
        s->method->lay_out(s, RI_BLOCK_MOVING, block, &at);
    if (s->switchable)
        ri_drive_lay_out(s, RI_BLOCK_MOVING, block, &at);
    RI_FORCES(&s->present, lay_out, s, RI_BLOCK_MEMORY, block, &at);
    s->kept_at = at;
    ri_joints_lay_out_inputs(s, block, &at);
    if (s->method->lay_out)
        s->method->lay_out(s, RI_BLOCK_KEPT, block, &at);
    if (s->switchable)
        ri_drive_lay_out(s, RI_BLOCK_KEPT, block, &at);
    devices->active = ri_carve(block, &at, count, sizeof *devices->active);
    devices->ports = ri_carve(block, &at, (size_t)devices->port_total, sizeof *devices->ports);
    ri_validity_lay_out(s, block, &at);
    RI_FORCES(&s->present, lay_out, s, RI_BLOCK_KEPT, block, &at);
    if (devices->memory_total > 0)
        devices->memory = ri_carve(block, &at, devices->memory_total, 1);
    return at;
}

static RiStatus allocate(RiSim *s)
{
    const size_t nq = (size_t)s->m->nq + 1, nv = (size_t)s->m->nv + 1;
    s->block_size = lay_out_state(s, NULL);
    s->block = ri_alloc_zero(s->ctx, s->block_size, 1);
    s->snapshot.block = ri_alloc_zero(s->ctx, s->block_size, 1);
    double *x = ri_arena_alloc(&s->arena, nq + 3 * nv, sizeof *x);
    if (!s->block || !s->snapshot.block || !x)
        return ri_error_memory(s->ctx);
    lay_out_state(s, s->block);
    s->new_q = x;
    s->new_v = x + nq;
    s->a = x + nq + nv;
    s->tau = x + nq + 2 * nv;
    return RI_OK;
}

/// Hash of all that gives the state its meaning and is not part of it: every part of the simulation
/// adds its own.
static uint64_t compute_fingerprint(const RiSim *s)
{
    uint64_t h = ri_hash_text(ri_hash_text(0, s->m->name), s->method->info.name);
    h = ri_options_fingerprint(&ri_sim_option_table, &s->options, h);
    h = ri_options_fingerprint(&ri_sim_contact_option_table, &s->options, h);
    for (int i = 0; i < s->present.count; i++) {
        h = ri_hash_text(h, s->present.row[i]->name);
        if (s->present.row[i]->fingerprint)
            h = s->present.row[i]->fingerprint(s, h);
    }
    h = ri_devices_fingerprint(s, h);
    h = ri_sim_network_fingerprint(s, ri_sim_sun_fingerprint(s, ri_sim_ground_fingerprint(s, h)));
    h = ri_validity_fingerprint(s, h);
    h = s->switchable ? ri_hash_text(h, "switchable") : h;
    return ri_hash_mix(h, s->block_size);
}

RiStatus ri_sim_build(RiSim *s)
{
    RI_TRY(ri_dyn_create_with(s->ctx, s->m, s->springs->count == 0 && !s->contacts && s->options.outside == 0, &s->d));
    ri_dyn_set_gravity(s->d, s->options.gravity);
    ri_forces_choose(s, &s->present, &s->acting);
    RI_FORCES_TRY(&s->present, prepare, s);
    if (s->method->create)
        RI_TRY(s->method->create(s));
    if (s->switchable)
        RI_TRY(ri_drive_create(s));
    RI_FORCES_TRY(&s->present, watch, s);
    RI_TRY(ri_devices_watch(s));
    RI_TRY(allocate(s));
    if (s->switchable)
        ri_drive_begin(s);
    RI_FORCES_TRY(&s->present, build, s);
    ri_model_get_initial_q(s->m, s->q);
    ri_devices_build(s);
    s->fingerprint = compute_fingerprint(s);
    s->built = true;
    return ri_sim_name_values(s);
}

// --- start and tick ------------------------------------------------------------------------------

/// What forces store now is what their books begin with.
static void begin_books(RiSim *s)
{
    s->head->contact_stored = ri_sim_stored(s);
    RI_FORCES(&s->present, rest, s);
}

RiStatus ri_sim_start(RiSim *s)
{
    ri_dyn_set_gravity(s->d, s->options.gravity);
    RI_FORCES_TRY(&s->present, check, s);
    RI_TRY(ri_sim_place(s));
    (void)ri_sim_released(s); // what is released before the start was never stored
    ri_sim_find(s);
    RI_TRY(ri_sim_check_start(s));
    if (s->method->place) {
        RI_TRY(s->method->place(s));
        ri_sim_find(s);
    }
    RI_TRY(ri_sim_accelerate(s));
    begin_books(s);
    s->stale = RI_OUTPUTS_ALL;
    ri_sim_update_outputs(s);
    s->head->start_energy = s->energy_out[0] + s->energy_out[1];
    s->head->start_potential = s->energy_out[1] - s->head->contact_stored;
    s->head->start_kinetic = s->energy_out[0];
    s->head->energy_scale = 0.0;
    s->kept_changed = true;
    s->stale = RI_OUTPUTS_ALL;
    s->written = false;
    RI_TRY(ri_schedule_start(s));
    RI_TRY(ri_sim_start_devices(s));
    RI_TRY(ri_sim_start_network(s));
    if (s->method->start)
        s->method->start(s);
    if (s->switchable)
        ri_drive_start(s);
    s->started = true;
    return RI_OK;
}

/// Books the energy of a change of the state since the outputs were updated as work.
static RiStatus book_change(RiSim *s)
{
    const double kinetic = s->energy_out[0], potential = s->energy_out[1], stored = s->head->contact_stored;
    s->written = false;
    ri_dyn_set_gravity(s->d, s->options.gravity);
    RI_TRY(ri_sim_place(s));
    ri_sim_find(s);
    begin_books(s);
    s->stale = RI_OUTPUTS_ALL;
    ri_sim_update_outputs(s);
    const double released = ri_sim_released(s);
    s->head->work += s->energy_out[0] + s->energy_out[1] - (kinetic + potential) + released;
    s->head->dissipated += released;
    s->head->start_potential += s->energy_out[1] - potential;
    s->head->start_potential += stored - s->head->contact_stored; // contacts keep books of their own
    s->head->start_kinetic += s->energy_out[0] - kinetic;
    return RI_OK;
}

/// State, gravity or a spring set from outside between ticks: the energy that this brings in or
/// takes out is booked as work; that of a released spring is lost. A write through the named values
/// updates the outputs first (outputs.c), so they hold the energies from before. q and v may also
/// be written directly; then d is still where they were.
RiStatus ri_sim_book_interventions(RiSim *s)
{
    if (!s->written && ri_sim_is_placed(s))
        return RI_OK;
    RI_FORCES_TRY(&s->present, check, s);
    ri_sim_update_outputs(s);
    if (s->written)
        ri_sim_take_base(s);
    return book_change(s);
}

/// A tick without dynamics in a switchable run: the base is driven, the stance gives the rest, and
/// what that takes is booked as work. Contacts and soil start again where the wheels then are.
static RiStatus drive(RiSim *s, double h)
{
    ri_sim_update_outputs(s);
    s->advanced = h;
    RI_TRY(ri_drive_step(s, h));
    RI_TRY(ri_sim_accept(s, h));
    return book_change(s);
}

/// Steps of a tick and their length: all substeps, or the rest of a tick that was stopped in
/// (cvode).
static double step_length(const RiSim *s, bool whole, int *out_steps)
{
    *out_steps = whole ? s->options.substeps : 1;
    return whole ? s->options.tick / s->options.substeps
                 : (double)(s->head->tick + 1) * s->options.tick - s->head->time;
}

/// The clock at the end of a tick, without drift.
static void count_tick(RiSim *s)
{
    s->head->tick++;
    s->head->time = (double)s->head->tick * s->options.tick;
}

/// At the end of a tick: what contacts took and do not store is lost.
static void close_books(RiSim *s)
{
    RI_FORCES(&s->present, end_tick, s);
    const double stored = ri_sim_stored(s);
    if (!s->method->integrates_loss)
        s->head->dissipated -= s->head->contact_work + stored - s->head->contact_stored;
    s->head->contact_work = 0.0;
    s->head->contact_stored = stored;
}

/// From a tick's beginning to the method's steps.
static RiStatus begin_tick(RiSim *s, int *out_steps, double *out_h)
{
    const bool whole = s->head->time == (double)s->head->tick * s->options.tick;
    if (whole)
        RI_TRY(ri_schedule_run(s));       // time                  -> commands: named values
    RI_TRY(ri_sim_book_interventions(s)); // named values, q, v    -> d, touches, energy books
    if (whole)
        RI_TRY(ri_sim_update_devices(s)); // outputs of last tick  -> held efforts, servos
    *out_h = step_length(s, whole, out_steps);
    return RI_OK;
}

/// One control tick. Integration ends early where a stop condition becomes true within it (cvode).
static RiStatus tick(RiSim *s)
{
    const long long stopped = s->head->stopped;
    int steps;
    double h;
    RI_TRY(begin_tick(s, &steps, &h));
    if (ri_drive_is_on(s))
        RI_TRY(drive(s, h * steps)); // drive.*, ground       -> q, v
    else if (s->switchable)
        ri_drive_rest(s);
    for (int i = 0; i < steps && s->head->stopped == stopped && !ri_drive_is_on(s); i++) {
        s->advanced = h;
        RI_TRY(s->method->step(s, h)); // forces                -> accelerations -> new_q, new_v
        RI_TRY(ri_sim_accept(s, h));   // new_q, new_v          -> q, v
    }
    return ri_sim_end_tick(s, s->head->stopped == stopped);
}

RiStatus ri_sim_end_tick(RiSim *s, bool counts)
{
    if (counts)
        count_tick(s);
    RI_TRY(ri_sim_arrive(s)); // q, v                  -> d, touches
    if (counts)
        ri_sim_step_network(s); // devices, sun, d       -> power, temperatures, data
    close_books(s);             // touches               -> energy books, melting
    ri_sim_check_edge(s);       // d                     -> left the terrain or not
    s->stale = RI_OUTPUTS_ALL;  // d                     -> outputs, once somebody looks
    if (!s->method->first_order)
        ri_sim_update_outputs(s);      // the largest energy turned over is kept
    ri_sim_check_validity(s);          // reports               -> validity.*
    RI_TRY(ri_sim_check_plausible(s)); // q, v, energy books -> a simulation or not
    return ri_schedule_look(s);        // outputs               -> stopped or not
}

/// Copies between the state and its snapshot, but for what is known to be zero in both.
static void copy(const RiSim *s, char *to, const char *from)
{
    const size_t end = s->snapshot.whole ? s->block_size : s->kept_at;
    size_t at = 0, size;
    for (int k = 0; k < RI_QUIET_ARRAYS && s->snapshot.quiet; k++) {
        const size_t part = (size_t)(ri_touches_quiet_part(s, k, &size) - (char *)s->block);
        memcpy(to + at, from + at, part - at);
        at = part + size;
    }
    memcpy(to + at, from + at, end - at);
}

/// Keeps the state as it is before a tick. Ports are kept by the devices that are updated, and what
/// these do to joints follows from their ports (ri_sim_update_devices). The kept part of the block
/// is copied after it changed, and where a command is due.
static void keep(RiSim *s)
{
    s->snapshot.whole = s->kept_changed || s->written || ri_schedule_is_due(s) || ri_sim_network_is_due(s);
    s->devices->kept = 0;
    s->kept_changed = false;
    s->snapshot.quiet = ri_touches_are_quiet(s);
    copy(s, s->snapshot.block, s->block);
}

/// The state before a tick that failed; the outputs follow it. The tick's message is the one to
/// keep.
static RiStatus take_back(RiSim *s, RiStatus status)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", ri_context_message(s->ctx));
    copy(s, s->block, s->snapshot.block);
    for (int k = 0; k < RI_QUIET_ARRAYS && s->snapshot.quiet; k++) {
        size_t size;
        char *part = ri_touches_quiet_part(s, k, &size);
        memset(part, 0, size);
    }
    s->devices->is_hashed = false;
    if (!s->snapshot.whole)
        ri_sim_restore_devices(s);
    s->stale = RI_OUTPUTS_ALL;
    const RiStatus back = ri_sim_place(s);
    (void)back; // it could be placed there before
    ri_sim_find(s);
    return ri_error(s->ctx, status, "%s", message);
}

/// What a tick begins with: nothing can be lost from here on.
static RiStatus open_tick(RiSim *s)
{
    if (!s->started)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ri_sim_start comes before ri_sim_step");
    keep(s); // state -> snapshot
    if (s->ruts)
        ri_ruts_commit(s->ruts); // what was changed from outside
    return RI_OK;
}

RiStatus ri_sim_close_tick(RiSim *s, RiStatus status)
{
    if (s->ruts && status == RI_OK)
        ri_ruts_commit(s->ruts);
    else if (s->ruts)
        ri_ruts_rollback(s->ruts);
    return status == RI_OK ? RI_OK : take_back(s, status);
}

RiStatus ri_sim_begin_tick(RiSim *s, int *out_steps, double *out_h)
{
    RI_TRY(open_tick(s));
    const RiStatus status = begin_tick(s, out_steps, out_h);
    return status == RI_OK ? RI_OK : ri_sim_close_tick(s, status);
}

RiStatus ri_sim_step(RiSim *s)
{
    RI_TRY(open_tick(s));
    return ri_sim_close_tick(s, tick(s));
}

// --- questions -----------------------------------------------------------------------------------

double ri_sim_time(const RiSim *s)
{
    return s->head ? s->head->time : 0.0;
}

long long ri_sim_tick(const RiSim *s)
{
    return s->head ? s->head->tick : 0;
}

const char *ri_sim_stopped(const RiSim *s)
{
    if (!s->head || !s->head->stopped)
        return NULL;
    return s->head->stopped > s->schedule->stop_count ? ri_sim_left_terrain(s)
                                                      : s->schedule->stops[s->head->stopped - 1].text;
}

RiValues *ri_sim_values(RiSim *s)
{
    return s->values;
}

RiDyn *ri_sim_dyn(RiSim *s)
{
    return s->d;
}

const RiModel *ri_sim_model(const RiSim *s)
{
    return s->m;
}

const RiSimOptions *ri_sim_options(const RiSim *s)
{
    return &s->options;
}

double *ri_sim_q(RiSim *s)
{
    return s->q;
}

double *ri_sim_v(RiSim *s)
{
    return s->v;
}

double ri_energy_residual(const RiEnergy *e)
{
    const double left = fabs(e->kinetic + e->potential - e->start - e->work + e->dissipated + e->method);
    return e->scale > 0.0 ? left / e->scale : left;
}

double ri_energy_method_share(const RiEnergy *e)
{
    return e->scale > 0.0 ? e->method / e->scale : e->method;
}

// --- state as a block ----------------------------------------------------------------------------

size_t ri_sim_state_size(const RiSim *s)
{
    return s->block_size + (s->ruts ? ri_ruts_state_size(s->ruts) : 0);
}

void ri_sim_save_state(const RiSim *s, void *out_block)
{
    memcpy(out_block, s->block, s->block_size);
    if (s->ruts)
        ri_ruts_save_state(s->ruts, (char *)out_block + s->block_size);
}

/// Puts the fixed part of a state in place, then the ruts.
static RiStatus load_parts(RiSim *s, const char *block, size_t size)
{
    memcpy(s->block, block, s->block_size);
    s->devices->is_hashed = false;
    RI_TRY(ri_sim_place(s));
    return s->ruts ? ri_ruts_load_state(s->ruts, block + s->block_size, size - s->block_size) : RI_OK;
}

RiStatus ri_sim_load_block(RiSim *s, const void *block, size_t size)
{
    if (size < s->block_size || (!s->ruts && size != s->block_size))
        return ri_error(s->ctx, RI_ERR_FORMAT, "a state of %zu bytes; this simulation's have %s%zu", size,
                        s->ruts ? "at least " : "", s->block_size);
    memcpy(s->snapshot.block, s->block, s->block_size);
    s->snapshot.whole = true;
    s->snapshot.quiet = false;
    s->kept_changed = true;
    s->stale = RI_OUTPUTS_ALL;
    const RiStatus status = load_parts(s, block, size);
    if (status != RI_OK)
        return take_back(s, status);
    ri_sim_find(s);
    return RI_OK;
}

RiStatus ri_sim_load_state(RiSim *s, const void *block)
{
    const size_t ruts = s->ruts ? ri_ruts_block_size((const char *)block + s->block_size) : 0;
    return ri_sim_load_block(s, block, s->block_size + ruts);
}

/// Hash of what devices remember, which is much and seldom changes.
static uint64_t memory_hash(const RiSim *s)
{
    RiDevices *x = s->devices;
    if (!x->is_hashed)
        x->memory_hash = ri_hash(0, x->memory, x->memory_total);
    x->is_hashed = true;
    return x->memory_hash;
}

uint64_t ri_sim_hash(const RiSim *s)
{
    const size_t memory = s->devices->memory_total;
    uint64_t h = ri_hash(0, s->block, s->block_size - memory); // memory is the block's end
    if (memory > 0)
        h = ri_hash_mix(h, memory_hash(s));
    return s->ruts ? ri_hash_mix(h, ri_ruts_hash(s->ruts)) : h;
}

uint64_t ri_sim_fingerprint(const RiSim *s)
{
    return s->fingerprint;
}
