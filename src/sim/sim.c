// SPDX-License-Identifier: Apache-2.0
/// \file
/// The simulation: what is added, how the state block is laid out, and the tick.
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "sim/internal.h"

const char *ri_method_name(RiMethod method)
{
    static const char *const names[RI_METHOD_COUNT] = {"implicit", "semi-implicit", "rk4",
                                                       "cvode",    "moreau",        "kinematic"};
    return (unsigned)method < RI_METHOD_COUNT ? names[method] : "unknown";
}

RiSimOptions ri_sim_options_default(void)
{
    return (RiSimOptions){.method = RI_METHOD_IMPLICIT,
                          .tick = 1e-3,
                          .substeps = 1,
                          .passes = 3,
                          .gravity = {0.0, 0.0, -9.81},
                          .seed = 1,
                          .rtol = 1e-8,
                          .atol = 1e-10,
                          .theta = 0.5,
                          .cone_tolerance = 1e-10};
}

static RiStatus check_options(RiContext *ctx, const RiSimOptions *o)
{
    if ((unsigned)o->method >= RI_METHOD_COUNT)
        return ri_error(ctx, RI_ERR_ARGUMENT, "unknown integrator %d", (int)o->method);
    if (!(o->tick > 0.0) || !(o->tick <= 1e3))
        return ri_error(ctx, RI_ERR_ARGUMENT, "control tick %g s is not between 0 and 1000 s", o->tick);
    if (o->substeps < 1 || o->substeps > 1000000)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%d integration steps per tick; 1 to 1000000 are allowed", o->substeps);
    if (o->passes < 1 || o->passes > 100)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%d passes over the contacts of a step; 1 to 100 are allowed", o->passes);
    if (o->method == RI_METHOD_CVODE &&
        (!(o->rtol >= 0.0) || !(o->rtol < 1.0) || !(o->atol >= 0.0) || o->rtol + o->atol == 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "tolerances rtol %g and atol %g: both must be at least 0, not both 0, and rtol below 1",
                        o->rtol, o->atol);
    if (o->method == RI_METHOD_MOREAU && !(o->theta >= 0.5 && o->theta <= 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "theta of integrator moreau is %g, it must be 0.5 to 1", o->theta);
    if (o->method == RI_METHOD_MOREAU && !(o->cone_tolerance >= 1e-14 && o->cone_tolerance <= 1e-3))
        return ri_error(ctx, RI_ERR_ARGUMENT, "cone_tolerance is %g, it must be 1e-14 to 1e-3", o->cone_tolerance);
    if (o->events != 0.0 && o->method != RI_METHOD_MOREAU)
        return ri_error(ctx, RI_ERR_ARGUMENT, "impacts are located by integrator moreau only, not by %s",
                        ri_method_name(o->method));
    if (o->events != 0.0 && !(o->events >= 1e-13 && o->events <= 1e-3))
        return ri_error(ctx, RI_ERR_ARGUMENT, "events is %g s, it must be 0 or 1e-13 to 1e-3", o->events);
    if (!isfinite(o->gravity.x) || !isfinite(o->gravity.y) || !isfinite(o->gravity.z))
        return ri_error(ctx, RI_ERR_ARGUMENT, "gravity is not finite");
    return RI_OK;
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
    ri_arena_init(&s->arena, ctx);
    const RiStatus status = ri_values_create(ctx, &s->values);
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
    void *lists[] = {s->devices, s->springs, s->commands, s->stops, s->validity_slots, s->block, s->good};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        ri_release(ctx, lists[i]);
    ri_values_destroy(s->values);
    ri_integrator_destroy(s->rk4);
    ri_ode_destroy(s->ode);
    ri_sim_destroy_moreau(s);
    ri_dyn_destroy(s->d);
    ri_ruts_destroy(s->ruts);
    ri_arena_free(&s->arena);
    ri_release(ctx, s);
}

// --- adding -----------------------------------------------------------------------------------------------------------

/// Room for one more item of `size` bytes.
static RiStatus grow(RiSim *s, void **items, int count, int *room, size_t size)
{
    if (s->built)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "nothing can be added to a simulation after ri_sim_build");
    if (count < *room)
        return RI_OK;
    const int bigger = *room ? 2 * *room : 8;
    void *grown = ri_resize(s->ctx, *items, (size_t)bigger, size);
    if (!grown)
        return ri_error_memory(s->ctx);
    *items = grown;
    *room = bigger;
    return RI_OK;
}

static RiStatus copy_text(RiSim *s, const char *text, const char **out)
{
    *out = ri_arena_string(&s->arena, text);
    return text && !*out ? ri_error_memory(s->ctx) : RI_OK;
}

static RiStatus copy_source(RiSim *s, RiSource source, RiSource *out)
{
    out->line = source.line;
    return copy_text(s, source.file, &out->file);
}

#define GROW(list)                                                                                                     \
    do {                                                                                                               \
        void *items_ = s->list##s;                                                                                     \
        RI_TRY(grow(s, &items_, s->list##_count, &s->list##_room, sizeof *s->list##s));                                \
        s->list##s = items_;                                                                                           \
    } while (0)

/// Ticks between updates of a device.
static RiStatus period_of(RiSim *s, const RiDeviceDef *def, int *out_period)
{
    *out_period = 1;
    if (def->rate == 0.0)
        return RI_OK;
    const double ticks = 1.0 / (def->rate * s->options.tick), whole = round(ticks);
    if (!(def->rate > 0.0) || !(whole >= 1.0) || !(whole < 1e9) || fabs(ticks - whole) > 1e-6 * whole)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "%s%sdevice '%s': rate %g Hz does not divide the tick rate of %g Hz",
                        def->source.file ? def->source.file : "", def->source.file ? ": " : "", def->name, def->rate,
                        1.0 / s->options.tick);
    *out_period = (int)whole;
    return RI_OK;
}

static RiStatus copy_connections(RiSim *s, const RiDeviceDef *def, RiDeviceSlot *slot)
{
    const size_t n = (size_t)def->connection_count;
    slot->inputs = ri_arena_alloc(&s->arena, n + 1, sizeof *slot->inputs);
    slot->sources = ri_arena_alloc(&s->arena, n + 1, sizeof *slot->sources);
    slot->connected = ri_arena_alloc(&s->arena, (size_t)def->device->port_count + 1, sizeof *slot->connected);
    if (!slot->inputs || !slot->sources || !slot->connected)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < def->connection_count; i++) {
        RI_TRY(copy_text(s, def->inputs[i], &slot->inputs[i]));
        RI_TRY(copy_text(s, def->sources[i], &slot->sources[i]));
    }
    slot->connection_count = def->connection_count;
    return RI_OK;
}

/// The joints and the table of a device on a group of joints.
static RiStatus copy_group(RiSim *s, const RiDeviceDef *def, RiDeviceSlot *slot)
{
    if (def->device->attach != RI_ATTACH_JOINTS || !def->attach)
        return def->table ? ri_error(s->ctx, RI_ERR_ARGUMENT,
                                     "device '%s': only a device on a group of joints can have a table", def->name)
                          : RI_OK;
    slot->group_count = ri_joint_group(s->m, def->attach, NULL, 0);
    if (slot->group_count == 0)
        return ri_error(s->ctx, RI_ERR_NOT_FOUND, "device '%s': no joint that moves in one coordinate matches '%s'",
                        def->name, def->attach);
    slot->group = ri_arena_alloc(&s->arena, (size_t)slot->group_count, sizeof *slot->group);
    const size_t cells = (size_t)def->table_rows * ((size_t)slot->group_count + 1);
    double *table = ri_arena_alloc(&s->arena, cells + 1, sizeof *table);
    if (!slot->group || !table)
        return ri_error_memory(s->ctx);
    ri_joint_group(s->m, def->attach, slot->group, slot->group_count);
    if (!def->table)
        return RI_OK;
    memcpy(table, def->table, cells * sizeof *table);
    slot->table = table;
    slot->table_rows = def->table_rows;
    return RI_OK;
}

/// Numbers of a device in the state block: its ports, then the commands to its joints.
static int state_count(const RiDeviceSlot *x)
{
    return x->device->port_count + x->group_count * (int)(sizeof(RiGroupCommand) / sizeof(double));
}

RiStatus ri_sim_add_device(RiSim *s, const RiDeviceDef *def)
{
    if (!def->name || !*def->name || !def->device)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "a device needs a name and a class");
    RI_TRY(ri_device_check(s->ctx, def->device));
    GROW(device);
    RiDeviceSlot slot = {.device = def->device, .joint = -1, .frame = -1, .spanning = -1, .rate = def->rate};
    RI_TRY(period_of(s, def, &slot.period));
    RI_TRY(copy_text(s, def->name, &slot.name));
    RI_TRY(copy_text(s, def->attach, &slot.attach));
    RI_TRY(copy_source(s, def->source, &slot.source));
    RI_TRY(copy_connections(s, def, &slot));
    RI_TRY(copy_group(s, def, &slot));
    slot.port = s->port_total;
    slot.counter = s->device_count;
    slot.seed = ri_hash_text(ri_hash_mix(0, s->options.seed), slot.name);
    s->port_total += state_count(&slot);
    s->devices[s->device_count++] = slot;
    return RI_OK;
}

RiStatus ri_sim_add_spring(RiSim *s, const RiSpringDef *def)
{
    const char *name = def->name ? def->name : "";
    const int link = def->link ? ri_model_find_link(s->m, def->link) : -1;
    if (!*name || link < 0)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "spring '%s': link '%s' does not exist", name,
                        def->link ? def->link : "");
    if (!(def->stiffness >= 0.0) || !(def->damping >= 0.0) || !(def->length >= 0.0) || !isfinite(def->stiffness) ||
        !isfinite(def->damping))
        return ri_error(s->ctx, RI_ERR_ARGUMENT,
                        "spring '%s': stiffness, damping and length must be finite and not negative", name);
    GROW(spring);
    RiSpringSlot slot = {.link = link,
                         .point = def->point,
                         .anchor = def->anchor,
                         .stiffness = def->stiffness,
                         .damping = def->damping,
                         .length = def->length,
                         .slack = def->slack};
    RI_TRY(copy_text(s, name, &slot.name));
    s->springs[s->spring_count++] = slot;
    return RI_OK;
}

RiStatus ri_sim_add_command(RiSim *s, double time, const char *name, const char *text, RiSource source)
{
    if (!(time >= 0.0) || !isfinite(time))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "command on '%s' at time %g s: times start at 0", name, time);
    GROW(command);
    RiCommandSlot slot = {.time = time, .value = -1};
    RI_TRY(copy_text(s, name, &slot.name));
    RI_TRY(copy_text(s, text, &slot.text));
    RI_TRY(copy_source(s, source, &slot.source));
    int at = s->command_count++;
    for (; at > 0 && s->commands[at - 1].time > time; at--) // kept in order of time, first come first
        s->commands[at] = s->commands[at - 1];
    s->commands[at] = slot;
    return RI_OK;
}

RiStatus ri_sim_add_stop(RiSim *s, const char *text, RiSource source)
{
    GROW(stop);
    RiStopSlot slot = {0};
    RI_TRY(copy_text(s, text, &slot.text));
    RI_TRY(copy_source(s, source, &slot.source));
    s->stops[s->stop_count++] = slot;
    return RI_OK;
}

RiStatus ri_sim_add_validity(RiSim *s, const char *name, const char *text, int *out_flag)
{
    *out_flag = -1;
    void *items = s->validity_slots;
    RI_TRY(grow(s, &items, s->validity_count, &s->validity_room, sizeof *s->validity_slots));
    s->validity_slots = items;
    RiValiditySlot slot = {0};
    RI_TRY(copy_text(s, name, &slot.name));
    RI_TRY(copy_text(s, text, &slot.text));
    *out_flag = s->validity_count;
    s->validity_slots[s->validity_count++] = slot;
    return RI_OK;
}

// --- build ------------------------------------------------------------------------------------------------------------

/// Lays out the state block; returns its size. First what every tick changes, from `rest_at` on what only devices, writes from outside or
/// reports change.
static size_t lay_out_state(RiSim *s, char *block)
{
    const size_t ns = (size_t)s->m->ns, nd = (size_t)s->device_count;
    size_t at = 0;
    s->head = ri_carve(block, &at, 1, sizeof *s->head);
    s->q = ri_carve(block, &at, (size_t)s->m->nq, sizeof *s->q);
    s->v = ri_carve(block, &at, (size_t)s->m->nv, sizeof *s->v);
    s->updates = ri_carve(block, &at, nd, sizeof *s->updates);
    s->load.tau = ri_carve(block, &at, ns, sizeof *s->load.tau);
    s->accel_s = ri_carve(block, &at, ns, sizeof *s->accel_s);
    s->spring_out = ri_carve(block, &at, RI_SPRING_OUT * (size_t)s->spring_count, sizeof *s->spring_out);
    if (s->contacts) {
        const size_t links = (size_t)s->contacts->slot_count + 1;
        const size_t places = (size_t)s->contacts->state_count;
        s->deflection = ri_carve(block, &at, places, sizeof *s->deflection);
        s->dragged = ri_carve(block, &at, places, sizeof *s->dragged);
        s->held_normal = ri_carve(block, &at, places, sizeof *s->held_normal);
        s->pool = ri_carve(block, &at, (size_t)s->contacts->pair_room, sizeof *s->pool);
        s->contact_out = ri_carve(block, &at, links * RI_CONTACT_COUNT, sizeof *s->contact_out);
        if (s->melts) {
            s->melt_depth = ri_carve(block, &at, places, sizeof *s->melt_depth);
            s->melt_speed = ri_carve(block, &at, places, sizeof *s->melt_speed);
            s->screw_heat = ri_carve(block, &at, (size_t)s->screw_count, sizeof *s->screw_heat);
        }
    }
    if (s->moreau)
        ri_sim_lay_out_moreau(s, block, &at);
    ri_sim_lay_out_events(s, block, &at);
    if (s->soil) {
        s->soil_memory = ri_carve(block, &at, ri_sim_soil_memory_size(s), sizeof *s->soil_memory);
        s->soil_out = ri_carve(block, &at, ri_sim_soil_out_size(s), sizeof *s->soil_out);
    }
    if (s->soil_screws) {
        s->screw_memory = ri_carve(block, &at, ri_sim_screw_memory_size(s), sizeof *s->screw_memory);
        s->screw_out = ri_carve(block, &at, ri_sim_screw_out_size(s), sizeof *s->screw_out);
    }
    if (s->options.method == RI_METHOD_CVODE) {
        s->ode_start = ri_carve(block, &at, 1, sizeof *s->ode_start);
        s->ode_from = ri_carve(block, &at, (size_t)ri_sim_ode_size(s), sizeof *s->ode_from);
    }
    s->rest_at = at;
    double **per_joint[] = {&s->effort, &s->held, &s->servo_k, &s->servo_d, &s->servo_q, &s->servo_v, &s->servo_max};
    for (size_t i = 0; i < sizeof per_joint / sizeof *per_joint; i++)
        *per_joint[i] = ri_carve(block, &at, ns, sizeof(double));
    if (s->options.method == RI_METHOD_KINEMATIC)
        s->drive = ri_carve(block, &at, RI_DRIVE_COUNT, sizeof *s->drive);
    s->active = ri_carve(block, &at, nd, sizeof *s->active);
    s->ports = ri_carve(block, &at, (size_t)s->port_total, sizeof *s->ports);
    s->validity = ri_carve(block, &at, (size_t)s->validity_count, sizeof *s->validity);
    if (s->contacts)
        s->pairs = ri_carve(block, &at, (size_t)s->contacts->pair_count, sizeof *s->pairs);
    if (s->melts) {
        s->melt = ri_carve(block, &at, 1, sizeof *s->melt);
        s->heater = ri_carve(block, &at, (size_t)s->screw_count, sizeof *s->heater);
    }
    return at;
}

static RiStatus allocate(RiSim *s)
{
    s->block_size = lay_out_state(s, NULL);
    s->block = ri_alloc_zero(s->ctx, s->block_size, 1);
    s->good = ri_alloc_zero(s->ctx, s->block_size, 1);
    const size_t nq = (size_t)s->m->nq + 1, nv = (size_t)s->m->nv + 1, ns = (size_t)s->m->ns + 1;
    double *x = ri_arena_alloc(&s->arena, 2 * nq + 3 * nv + 8 * ns, sizeof *x);
    if (!s->block || !s->good || !x)
        return ri_error_memory(s->ctx);
    lay_out_state(s, s->block);
    for (int i = 0; i < s->spring_count; i++) {
        s->springs[i].out = s->spring_out + RI_SPRING_OUT * i;
        s->springs[i].out[RI_SPRING_ATTACHED] = s->springs[i].out[RI_SPRING_BOOKED] = 1.0;
    }
    double **per_joint[] = {&s->tau_s,       &s->load.extra, &s->load.drift, &s->load.lost,
                            &s->load.stored, &s->load.K,     &s->load.C,     &s->load.stiffness};
    s->new_q = x;
    s->new_v = x + nq;
    s->a = x + nq + nv;
    s->tau = x + nq + 2 * nv;
    x += nq + 3 * nv;
    for (size_t i = 0; i < sizeof per_joint / sizeof *per_joint; i++, x += ns)
        *per_joint[i] = x;
    return ri_sim_allocate_contacts(s);
}

RiStatus ri_sim_build(RiSim *s)
{
    RI_TRY(ri_dyn_create_with(s->ctx, s->m, s->spring_count == 0 && !s->contacts, &s->d));
    ri_dyn_set_gravity(s->d, s->options.gravity);
    RI_TRY(ri_integrator_create(s->ctx, s->d, &s->rk4));
    RI_TRY(ri_sim_prepare_melt(s));
    RI_TRY(ri_sim_create_moreau(s));
    RI_TRY(ri_sim_create_events(s));
    RI_TRY(ri_sim_watch(s));
    RI_TRY(ri_sim_build_drive(s));
    RI_TRY(allocate(s));
    ri_sim_start_melt(s);
    if (s->options.method == RI_METHOD_CVODE)
        RI_TRY(ri_sim_create_ode(s));
    ri_model_get_initial_q(s->m, s->q);
    for (int i = 0; i < s->device_count; i++) {
        s->active[i] = 1.0;
        for (int k = 0; k < s->devices[i].device->port_count; k++)
            s->ports[s->devices[i].port + k] = s->devices[i].device->ports[k].initial;
    }
    s->built = true;
    return ri_sim_name_values(s);
}

// --- start and tick -----------------------------------------------------------------------------------------------------

static const char *where(RiSource source, char *text, size_t size)
{
    text[0] = '\0';
    if (source.file)
        snprintf(text, size, "%s:%d: ", source.file, source.line);
    return text;
}

static RiStatus resolve_commands(RiSim *s)
{
    char at[512];
    for (int i = 0; i < s->command_count; i++) {
        RiCommandSlot *c = &s->commands[i];
        c->value = ri_values_find(s->values, c->name);
        if (c->value < 0 || !ri_values_get(s->values, c->value)->writable) {
            const char *state = c->value < 0 ? "does not exist" : "cannot be set";
            return ri_error(s->ctx, RI_ERR_NOT_FOUND, "%scommand at %g s: value '%s' %s",
                            where(c->source, at, sizeof at), c->time, c->name, state);
        }
    }
    double x;
    for (int i = 0; i < s->stop_count; i++) {
        RiStopSlot *stop = &s->stops[i];
        RiStatus status = stop->formula ? RI_OK : ri_values_compile(s->values, stop->text, &stop->formula);
        if (status == RI_OK)
            status = ri_formula_eval(stop->formula, &x);
        if (status == RI_OK)
            continue;
        if (status == RI_ERR_MEMORY)
            return status;
        char message[1024];
        snprintf(message, sizeof message, "%s", ri_context_message(s->ctx));
        return ri_error(s->ctx, RI_ERR_FORMAT, "%sstop condition: %s", where(s->stops[i].source, at, sizeof at),
                        message);
    }
    return RI_OK;
}

RiStatus ri_sim_start(RiSim *s)
{
    ri_dyn_set_gravity(s->d, s->options.gravity);
    RI_TRY(ri_sim_check_pairs(s));
    RI_TRY(ri_sim_refresh(s));
    ri_sim_released_energy(s); // what is released before the start was never stored
    ri_sim_joint_load(s, ri_slopes_at_end(0.0));
    ri_sim_apply_springs(s, ri_slopes_at_end(0.0));
    ri_sim_find_contacts(s);
    if (!s->moreau) // exact contact has no forces before a step
        ri_sim_apply_contacts(s, 0.0);
    ri_sim_find_soil_forces(s, 0.0);
    ri_sim_apply_soil(s, 0.0);
    ri_dyn_map_efforts(s->d, s->load.tau, s->tau);
    RI_TRY(ri_dyn_forward(s->d, s->tau, s->a));
    ri_sim_span_acceleration(s);
    s->head->contact_stored = ri_sim_contact_energy(s);
    ri_sim_rest_melt(s);
    s->stale = true;
    ri_sim_update_outputs(s);
    s->head->start_energy = s->energy_out[0] + s->energy_out[1];
    s->head->start_potential = s->energy_out[1] - s->head->contact_stored;
    s->head->start_kinetic = s->energy_out[0];
    s->head->energy_scale = 0.0;
    s->stale = s->counted = true;
    s->touched = false;
    RI_TRY(resolve_commands(s));
    RI_TRY(ri_sim_start_devices(s));
    s->started = true;
    return RI_OK;
}

static bool is_command_due(const RiSim *s)
{
    return s->head->next_command < s->command_count &&
           s->commands[s->head->next_command].time <= s->head->time + 1e-9 * s->options.tick;
}

/// Carries out the commands whose time has come.
static RiStatus run_commands(RiSim *s)
{
    while (is_command_due(s)) {
        const RiCommandSlot *c = &s->commands[s->head->next_command];
        RI_TRY(ri_values_set(s->values, c->name, c->text));
        s->head->next_command++;
    }
    return RI_OK;
}

static RiStatus look_at_stops(RiSim *s)
{
    for (int i = 0; i < s->stop_count && !s->head->stopped; i++) {
        double x;
        RI_TRY(ri_formula_eval(s->stops[i].formula, &x));
        if (x != 0.0)
            s->head->stopped = 1 + i;
    }
    if (!s->head->stopped && s->outside)
        s->head->stopped = 1 + s->stop_count;
    return RI_OK;
}

/// State, gravity or a spring set from outside between ticks: the energy that brings in or takes out is booked as work; that of a released spring
/// is lost. What is written
/// through the named values is preceded by a look at the outputs (change, below); q and v may be written directly, but d still stands
/// where they were.
static RiStatus book_interventions(RiSim *s)
{
    if (!s->touched && ri_sim_is_fresh(s))
        return RI_OK;
    RI_TRY(ri_sim_check_pairs(s));
    ri_sim_update_outputs(s);
    const double kinetic = s->energy_out[0], potential = s->energy_out[1];
    s->touched = false;
    ri_dyn_set_gravity(s->d, s->options.gravity);
    RI_TRY(ri_sim_refresh(s));
    ri_sim_find_contacts(s);
    const double stored = s->head->contact_stored;
    s->head->contact_stored = ri_sim_contact_energy(s);
    ri_sim_rest_melt(s);
    s->stale = true;
    ri_sim_update_outputs(s);
    const double released = ri_sim_released_energy(s);
    s->head->work += s->energy_out[0] + s->energy_out[1] - (kinetic + potential) + released;
    s->head->dissipated += released;
    s->head->start_potential += s->energy_out[1] - potential;
    s->head->start_potential += stored - s->head->contact_stored; // contacts keep books of their own
    s->head->start_kinetic += s->energy_out[0] - kinetic;
    return RI_OK;
}

/// The integration of a tick: to its end, or to where a stop condition became true within it (cvode).
static RiStatus integrate(RiSim *s, bool whole)
{
    const double end = (double)(s->head->tick + 1) * s->options.tick;
    const int steps = whole ? s->options.substeps : 1;
    const double h = whole ? s->options.tick / s->options.substeps : end - s->head->time;
    const long long stopped = s->head->stopped;
    for (int i = 0; i < steps && s->head->stopped == stopped; i++)
        RI_TRY(ri_sim_advance(s, h)); // forces -> accelerations -> q, v
    if (s->head->stopped != stopped)
        return RI_OK;
    s->head->tick++;
    s->head->time = end; // no drift of the clock
    return RI_OK;
}

/// The tick in full view.
static RiStatus tick(RiSim *s)
{
    const bool whole =
        s->head->time == (double)s->head->tick * s->options.tick; // else the rest of one that was stopped in
    if (whole)
        RI_TRY(run_commands(s)); // schedule      -> values
    RI_TRY(book_interventions(s));
    s->standing = true;
    if (whole)
        RI_TRY(ri_sim_update_devices(s)); // outputs       -> held efforts, servos
    RI_TRY(integrate(s, whole));
    RI_TRY(ri_sim_refresh(s));
    if (!s->found)
        ri_sim_find_contacts(s); // new state     -> touches
    s->found = false;
    ri_sim_book_contacts(s);
    ri_sim_check_edge(s);
    s->stale = true; // new state     -> outputs, once somebody looks
    if (!ri_sim_is_first_order(s))
        ri_sim_update_outputs(s); // the largest energy turned over is kept
    ri_sim_check_validity(s);     // reports       -> validity.*
    return look_at_stops(s);      // outputs       -> done or not
}

/// Keeps the state as it is before a tick. Copying is much of what a tick costs beyond devices and integration, so what seldom changes is
/// left out: ports are kept by the devices that are updated, and what these do to joints follows from their ports (ri_sim_update_devices).
/// The whole block is kept at the first tick, when something was or will be written from outside, and after flags were counted.
static void keep(RiSim *s)
{
    s->all_kept = s->counted || s->reported || s->touched || is_command_due(s);
    s->devices_kept = 0;
    s->counted = false;
    memcpy(s->good, s->block, s->all_kept ? s->block_size : s->rest_at);
}

/// The state before a tick that failed; the outputs follow it. The tick's message is the one to keep.
static RiStatus take_back(RiSim *s, RiStatus status)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", ri_context_message(s->ctx));
    memcpy(s->block, s->good, s->all_kept ? s->block_size : s->rest_at);
    if (!s->all_kept)
        ri_sim_restore_devices(s);
    s->stale = true;
    const RiStatus back = ri_sim_refresh(s);
    (void)back; // a state that was good once
    ri_sim_find_contacts(s);
    return ri_error(s->ctx, status, "%s", message);
}

RiStatus ri_sim_step(RiSim *s)
{
    if (!s->started)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ri_sim_start comes before ri_sim_step");
    keep(s);
    if (s->ruts)
        ri_ruts_commit(s->ruts); // what was changed from outside
    const RiStatus status = tick(s);
    if (s->ruts && status == RI_OK)
        ri_ruts_commit(s->ruts);
    else if (s->ruts)
        ri_ruts_rollback(s->ruts);
    return status == RI_OK ? RI_OK : take_back(s, status);
}

// --- questions ----------------------------------------------------------------------------------------------------------

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
    return s->head->stopped > s->stop_count ? s->left : s->stops[s->head->stopped - 1].text;
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

// --- state as a block -----------------------------------------------------------------------------------------------------

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
    RI_TRY(ri_sim_refresh(s));
    return s->ruts ? ri_ruts_load_state(s->ruts, block + s->block_size, size - s->block_size) : RI_OK;
}

RiStatus ri_sim_load_block(RiSim *s, const void *block, size_t size)
{
    if (size < s->block_size || (!s->ruts && size != s->block_size))
        return ri_error(s->ctx, RI_ERR_FORMAT, "a state of %zu bytes; this simulation's have %s%zu", size,
                        s->ruts ? "at least " : "", s->block_size);
    memcpy(s->good, s->block, s->block_size);
    s->all_kept = true;
    s->stale = s->counted = true;
    const RiStatus status = load_parts(s, block, size);
    if (status != RI_OK)
        return take_back(s, status);
    ri_sim_find_contacts(s);
    return RI_OK;
}

RiStatus ri_sim_load_state(RiSim *s, const void *block)
{
    const size_t ruts = s->ruts ? ri_ruts_block_size((const char *)block + s->block_size) : 0;
    return ri_sim_load_block(s, block, s->block_size + ruts);
}

uint64_t ri_sim_hash(const RiSim *s)
{
    const uint64_t h = ri_hash(0, s->block, s->block_size);
    return s->ruts ? ri_hash_mix(h, ri_ruts_hash(s->ruts)) : h;
}

uint64_t ri_sim_fingerprint(const RiSim *s)
{
    uint64_t h = ri_hash_text(0, s->m->name);
    h = ri_hash_mix(h, (uint64_t)s->options.method);
    h = ri_hash(h, &s->options.tick, sizeof s->options.tick);
    h = ri_hash_mix(h, (uint64_t)s->options.substeps);
    if (s->moreau) {
        h = ri_hash(h, &s->options.theta, sizeof s->options.theta);
        h = ri_hash(h, &s->options.cone_tolerance, sizeof s->options.cone_tolerance);
        if (s->events)
            h = ri_hash(h, &s->options.events, sizeof s->options.events);
    }
    if (s->options.method == RI_METHOD_CVODE) {
        h = ri_hash(h, &s->options.rtol, sizeof s->options.rtol);
        h = ri_hash(h, &s->options.atol, sizeof s->options.atol);
    }
    for (int i = 0; i < s->m->nb; i++) {
        const RiBodyData *b = &s->m->bodies[i];
        h = ri_hash_text(h, s->m->joints[b->joint].spec.name);
        h = ri_hash(h, &b->mass, sizeof b->mass);
        h = ri_hash(h, &b->com, sizeof b->com);
        h = ri_hash(h, &b->inertia, sizeof b->inertia);
        h = ri_hash(h, &b->tree, sizeof b->tree);
    }
    for (int i = 0; i < s->device_count; i++) {
        h = ri_hash_text(h, s->devices[i].name);
        h = ri_hash_text(h, s->devices[i].device->name);
        h = ri_hash_mix(h, (uint64_t)s->devices[i].period);
        if (s->devices[i].table)
            h = ri_hash(h, s->devices[i].table,
                        (size_t)s->devices[i].table_rows * ((size_t)s->devices[i].group_count + 1) * sizeof(double));
    }
    for (int i = 0; i < s->spring_count; i++)
        h = ri_hash_text(h, s->springs[i].name);
    for (int i = 0; s->contacts && i < s->contacts->feature_count; i++) {
        h = ri_hash_text(h, s->contacts->features[i].name);
        h = ri_hash(h, &s->contacts->features[i].centre, sizeof s->contacts->features[i].centre);
    }
    for (int i = 0; s->contacts && i < s->contacts->solid_count; i++) {
        const RiSolid *x = &s->contacts->solids[i];
        h = ri_hash(ri_hash_text(h, x->name), x->hull.points, (size_t)x->hull.point_count * sizeof *x->hull.points);
    }
    h = ri_sim_sun_fingerprint(s, ri_sim_ground_fingerprint(s, h));
    for (int i = 0; i < s->validity_count; i++)
        h = ri_hash_text(h, s->validity_slots[i].name);
    return ri_hash_mix(h, s->block_size);
}
