// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is mounted on the robot: adding devices, their part of the state, their named values.
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "sim/devices.h"
#include "sim/network.h"

RiStatus ri_devices_create(RiSim *s)
{
    s->devices = ri_arena_alloc(&s->arena, 1, sizeof *s->devices);
    return s->devices ? RI_OK : ri_error_memory(s->ctx);
}

/// Ticks between updates of a device.
static RiStatus period_of(RiSim *s, const RiDeviceDef *def, int *out_period)
{
    *out_period = ri_subsystem_of(def->device) ? ri_sim_network_period(s) : 1;
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
        RI_TRY(ri_sim_copy_text(s, def->inputs[i], &slot->inputs[i]));
        RI_TRY(ri_sim_copy_text(s, def->sources[i], &slot->sources[i]));
    }
    slot->connection_count = def->connection_count;
    return RI_OK;
}

static RiStatus copy_table(RiSim *s, const RiDeviceDef *def, int columns, RiDeviceSlot *slot)
{
    const size_t cells = (size_t)def->table_rows * (size_t)columns;
    double *table = ri_arena_alloc(&s->arena, cells + 1, sizeof *table);
    if (!table)
        return ri_error_memory(s->ctx);
    memcpy(table, def->table, cells * sizeof *table);
    slot->table = table;
    slot->table_rows = def->table_rows;
    slot->table_columns = columns;
    return RI_OK;
}

/// The table of a subsystem, whose class says which columns it has.
static RiStatus copy_subsystem_table(RiSim *s, const RiDeviceDef *def, RiDeviceSlot *slot)
{
    const RiSubsystemClass *row = ri_subsystem_of(def->device);
    int columns = 0;
    while (row && columns < RI_NETWORK_COLUMNS && row->columns[columns].name)
        columns++;
    if (columns == 0)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "device '%s': a %s has no table", def->name, def->device->name);
    const bool by_map = row->kind == RI_SUBSYSTEM_HORIZON && def->table_columns == HORIZON_COLUMNS;
    if ((def->table_columns != columns && !by_map) || def->table_rows < 1)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "device '%s': the table of a %s has %d columns and a row at least",
                        def->name, def->device->name, columns);
    return copy_table(s, def, def->table_columns, slot);
}

/// The joints and the table of a device on a group of joints.
static RiStatus copy_group(RiSim *s, const RiDeviceDef *def, RiDeviceSlot *slot)
{
    if (def->device->attach != RI_ATTACH_JOINTS || !def->attach)
        return def->table ? copy_subsystem_table(s, def, slot) : RI_OK;
    slot->group_count = ri_joint_group(s->m, def->attach, NULL, 0);
    if (slot->group_count == 0)
        return ri_error(s->ctx, RI_ERR_NOT_FOUND, "device '%s': no joint that moves in one coordinate matches '%s'",
                        def->name, def->attach);
    slot->group = ri_arena_alloc(&s->arena, (size_t)slot->group_count, sizeof *slot->group);
    if (!slot->group)
        return ri_error_memory(s->ctx);
    ri_joint_group(s->m, def->attach, slot->group, slot->group_count);
    const int plain = slot->group_count + 1, columns = def->table_columns ? def->table_columns : plain;
    const bool rates = def->device->abi >= 9 && def->device->table_rates;
    if (def->table && columns != plain && !(rates && columns == plain + slot->group_count))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "device '%s': a table of %d columns; a %s on %d joints takes %d%s",
                        def->name, columns, def->device->name, slot->group_count, plain,
                        rates ? ", or a rate for each joint more" : " (it does not accept rates)");
    return def->table ? copy_table(s, def, columns, slot) : RI_OK;
}

/// A copy of one layer of a map, NULL for NULL.
static const float *copy_layer(RiSim *s, const float *from, size_t count, bool *fits)
{
    float *to = from ? ri_arena_alloc(&s->arena, count, sizeof *to) : NULL;
    *fits = *fits && (to || !from);
    return to ? memcpy(to, from, count * sizeof *to) : NULL;
}

/// The map of a device that plans, checked.
static RiStatus copy_map(RiSim *s, const RiDeviceDef *def, RiDeviceSlot *slot)
{
    const RiDeviceMap *m = def->map;
    if (!m)
        return RI_OK;
    if (def->device->abi < 8 || !def->device->takes_map)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "device '%s': class %s does not use a map", def->name,
                        def->device->name);
    if (!(m->nx >= 1 && m->ny >= 1 && m->nx <= 4096 && m->ny <= 4096 && m->headings >= 1 && m->headings <= 16 &&
          m->cell > 0.0 && isfinite(m->cell + m->x0 + m->y0) && m->cost))
        return ri_error(
            s->ctx, RI_ERR_ARGUMENT,
            "device '%s': a map of %d x %d cells of %g m and %d headings; 1 to 4096 cells on a side of more "
            "than 0 m and 1 to 16 headings are allowed",
            def->name, m->nx, m->ny, m->cell, m->headings);
    const size_t cells = (size_t)m->nx * (size_t)m->ny, all = cells * (size_t)m->headings;
    double sum = 0.0, finite = 0.0;
    for (size_t i = 0; i < all; i++) {
        if (!(m->cost[i] >= 1.0F))
            return ri_error(
                s->ctx, RI_ERR_ARGUMENT,
                "device '%s': cost %g in cell (%d, %d), heading %d of its map; at least 1 for each metre is "
                "allowed, or infinite",
                def->name, (double)m->cost[i], (int)(i % cells % (size_t)m->nx), (int)(i % cells / (size_t)m->nx),
                (int)(i / cells));
        if (isfinite(m->cost[i])) {
            sum += (double)m->cost[i];
            finite += 1.0;
        }
    }
    RiDeviceMap *map = ri_arena_alloc(&s->arena, 1, sizeof *map);
    bool fits = map != NULL;
    if (fits) {
        *map = *m;
        map->outside = finite > 0.0 ? sum / finite : 1.0;
        map->cost = copy_layer(s, m->cost, all, &fits);
        map->slip = copy_layer(s, m->slip, cells, &fits);
        map->energy = copy_layer(s, m->energy, cells, &fits);
        map->risk = copy_layer(s, m->risk, cells, &fits);
    }
    slot->map = map;
    return fits ? RI_OK : ri_error_memory(s->ctx);
}

const RiDeviceMap *ri_sim_device_map(const RiSim *s, int index)
{
    return index >= 0 && index < s->devices->count ? s->devices->slots[index].map : NULL;
}

/// Numbers of a device in the state block: its ports, then the commands to its joints.
static int state_count(const RiDeviceSlot *x)
{
    return x->device->port_count + x->group_count * (int)(sizeof(RiGroupCommand) / sizeof(double));
}

/// Memory of a device: its place in the state block, its copy for ticks that fail, and its working
/// space.
static RiStatus add_memory(RiSim *s, RiDeviceSlot *x)
{
    if (x->device->abi < 7 || x->device->memory + x->device->scratch == 0)
        return RI_OK;
    const size_t line = 64;
    x->memory = s->devices->memory_total;
    x->memory_size = x->device->memory;
    x->scratch_size = x->device->scratch;
    s->devices->memory_total += (x->memory_size + line - 1) / line * line;
    x->scratch = ri_arena_alloc(&s->arena, x->scratch_size + 1, 1);
    x->memory_kept = ri_arena_alloc(&s->arena, x->memory_size + 1, 1);
    return x->scratch && x->memory_kept ? RI_OK : ri_error_memory(s->ctx);
}

RiStatus ri_sim_add_device(RiSim *s, const RiDeviceDef *def)
{
    if (!def->name || !*def->name || !def->device)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "a device needs a name and a class");
    RI_TRY(ri_device_check(s->ctx, def->device));
    RI_SIM_GROW(s, s->devices->slots, s->devices->count, s->devices->room);
    RiDeviceSlot slot = {.device = def->device, .joint = -1, .frame = -1, .spanning = -1, .rate = def->rate};
    RI_TRY(period_of(s, def, &slot.period));
    RI_TRY(ri_sim_copy_text(s, def->name, &slot.name));
    RI_TRY(ri_sim_copy_text(s, def->attach, &slot.attach));
    slot.source.line = def->source.line;
    RI_TRY(ri_sim_copy_text(s, def->source.file, &slot.source.file));
    RI_TRY(copy_connections(s, def, &slot));
    RI_TRY(copy_group(s, def, &slot));
    RI_TRY(copy_map(s, def, &slot));
    slot.port = s->devices->port_total;
    slot.counter = s->devices->count;
    slot.seed = ri_hash_text(ri_hash_mix(0, s->options.seed), slot.name);
    s->devices->port_total += state_count(&slot);
    RI_TRY(add_memory(s, &slot));
    s->devices->slots[s->devices->count++] = slot;
    return RI_OK;
}

/// Devices that can refuse a command have an output that says so.
static RiStatus watch_device(RiSim *s, const RiDeviceSlot *x)
{
    for (int k = 0; k < x->device->port_count; k++) {
        if (x->device->ports[k].kind != RI_VALUE_OUTPUT || strcmp(x->device->ports[k].name, "refused") != 0)
            continue;
        RiRefusal *r = ri_arena_alloc(&s->arena, 1, sizeof *r);
        if (!r)
            return ri_error_memory(s->ctx);
        *r = (RiRefusal){s->devices->refusals, x->port + k, -1};
        s->devices->refusals = r;
        RI_TRY(ri_sim_add_flag(s, x->name, "refused", "the device refused a command: its other outputs say why",
                               &r->flag));
    }
    return RI_OK;
}

RiStatus ri_devices_watch(RiSim *s)
{
    for (int i = 0; i < s->devices->count; i++)
        RI_TRY(watch_device(s, &s->devices->slots[i]));
    return RI_OK;
}

void ri_devices_check_validity(RiSim *s)
{
    for (const RiRefusal *r = s->devices->refusals; r; r = r->next)
        if (s->devices->ports[r->port] != 0.0)
            ri_sim_report_validity(s, r->flag);
}

void ri_devices_build(RiSim *s)
{
    RiDevices *x = s->devices;
    for (int i = 0; i < x->count; i++) {
        x->active[i] = 1.0;
        for (int k = 0; k < x->slots[i].device->port_count; k++)
            x->ports[x->slots[i].port + k] = x->slots[i].device->ports[k].initial;
    }
}

RiStatus ri_sim_set_see(RiSim *s, RiSeeFn see, void *user)
{
    s->devices->see = see;
    s->devices->see_user = user;
    return RI_OK;
}

const void *ri_sim_device_memory(const RiSim *s, int index, const char **out_name, const char **out_class,
                                 size_t *out_size)
{
    if (index < 0 || index >= s->devices->count)
        return NULL;
    const RiDeviceSlot *x = &s->devices->slots[index];
    *out_name = x->name;
    *out_class = x->device->name;
    *out_size = x->memory_size;
    return x->memory_size > 0 && s->devices->memory ? (const void *)(s->devices->memory + x->memory) : (const void *)"";
}

// --- names and fingerprint -----------------------------------------------------------------------

/// What a device on a group of joints wants of one of them.
static RiStatus name_group_joint(RiSim *s, const RiDeviceSlot *slot, int k)
{
    static const char *const docs[3] = {"reference", "rate of the reference", "feed-forward"};
    static const char *const names[3] = {"position", "rate", "effort"};
    const RiJointData *joint = &s->m->joints[slot->group[k].joint];
    const bool slide = joint->spec.type == RI_JOINT_PRISMATIC;
    const char *const units[3] = {slide ? "m" : "rad", slide ? "m/s" : "rad/s", slide ? "N" : "N*m"};
    RiGroupCommand *at = (RiGroupCommand *)(s->devices->ports + slot->port + slot->device->port_count) + k;
    double *const from[3] = {&at->position, &at->rate, &at->effort};
    char owner[800];
    snprintf(owner, sizeof owner, "%.300s.%.380s", slot->name, joint->spec.name);
    for (int i = 0; i < 3; i++)
        RI_TRY(
            ri_sim_name_value(s, owner, names[i], units[i], docs[i], RI_VALUE_OUTPUT, from[i], RI_VALUE_REAL, false));
    return RI_OK;
}

/// Whether a device has a rotating shaft of its own, whatever the joint does.
static bool has_shaft(const RiDeviceClass *device)
{
    for (int k = 0; k < device->port_count; k++)
        if (strcmp(device->ports[k].name, "gear_ratio") == 0)
            return true;
    return false;
}

/// Writes the unit of a port of a device on a joint that slides: where classes say rad and N m, it
/// is m and N.
static const char *sliding_unit(const char *unit, char out[64])
{
    size_t n = 0;
    for (const char *at = unit; *at && n + 2 < 64;) {
        const bool moment = strncmp(at, "N*m", 3) == 0, angle = strncmp(at, "rad", 3) == 0;
        out[n++] = (char)(moment ? 'N' : angle ? 'm' : *at);
        at += moment || angle ? 3 : 1;
    }
    out[n] = '\0';
    return out;
}

/// The unit of a port, by the type of the joint that its device is attached to.
static const char *port_unit(const RiSim *s, const RiDeviceSlot *slot, const RiPort *port, char out[64])
{
    const int joint =
        slot->attach && slot->device->attach == RI_ATTACH_JOINT ? ri_model_find_joint(s->m, slot->attach) : -1;
    const bool slides = joint >= 0 && s->m->joints[joint].spec.type == RI_JOINT_PRISMATIC;
    const bool own = port->action == RI_PORT_NONE && has_shaft(slot->device);
    return slides && !own && port->unit ? sliding_unit(port->unit, out) : port->unit;
}

static RiStatus name_device(RiSim *s, int index)
{
    const RiDeviceSlot *slot = &s->devices->slots[index];
    for (int k = 0; k < slot->group_count; k++)
        RI_TRY(name_group_joint(s, slot, k));
    for (int k = 0; k < slot->device->port_count; k++) {
        const RiPort *port = &slot->device->ports[k];
        char name[512], unit[64];
        snprintf(name, sizeof name, "%.300s.%.180s", slot->name, port->name);
        RiValue v = ri_value_default();
        v.name = name;
        v.unit = port_unit(s, slot, port, unit);
        v.doc = port->doc;
        v.kind = port->kind;
        v.at = s->devices->ports + slot->port + k;
        v.writable = port->kind == RI_VALUE_PARAMETER || port->kind == RI_VALUE_INPUT;
        if (port->kind != RI_VALUE_OUTPUT) { // of a state: what a checkpoint may bring
            v.low = port->low;
            v.high = port->high;
        }
        RI_TRY(ri_values_add(s->values, &v));
    }
    return ri_sim_name_value(s, slot->name, "active", "", "1: updated at its rate; 0: asleep, outputs held",
                             RI_VALUE_PARAMETER, s->devices->active + index, RI_VALUE_REAL, true);
}

RiStatus ri_devices_name(RiSim *s)
{
    for (int i = 0; i < s->devices->count; i++)
        RI_TRY(name_device(s, i));
    return RI_OK;
}

uint64_t ri_devices_fingerprint(const RiSim *s, uint64_t h)
{
    for (int i = 0; i < s->devices->count; i++) {
        const RiDeviceSlot *x = &s->devices->slots[i];
        h = ri_hash_text(ri_hash_text(h, x->name), x->device->name);
        h = ri_hash_mix(ri_hash_text(h, x->attach), (uint64_t)x->period);
        for (int k = 0; k < x->connection_count; k++)
            h = ri_hash_text(ri_hash_text(h, x->inputs[k]), x->sources[k]);
        if (x->table)
            h = ri_hash(h, x->table, (size_t)x->table_rows * (size_t)x->table_columns * sizeof(double));
        if (x->map) { // what is only drawn is left out
            const RiDeviceMap *m = x->map;
            const double place[3] = {m->x0, m->y0, m->cell};
            h = ri_hash(ri_hash_mix(ri_hash_mix(h, (uint64_t)m->nx), (uint64_t)m->headings), place, sizeof place);
            h = ri_hash(h, m->cost, (size_t)m->nx * (size_t)m->ny * (size_t)m->headings * sizeof(float));
        }
    }
    return h;
}

int ri_sim_device_count(const RiSim *s)
{
    return s->devices->count;
}

RiDeviceInfo ri_sim_device(const RiSim *s, int device)
{
    const RiDeviceSlot *slot = &s->devices->slots[device];
    return (RiDeviceInfo){.name = slot->name,
                          .device = slot->device,
                          .attach = slot->attach,
                          .joint = slot->joint,
                          .frame = slot->frame,
                          .rate = slot->rate};
}

const char *ri_sim_device_source(const RiSim *s, int device, const char *input)
{
    const RiDeviceSlot *slot = &s->devices->slots[device];
    for (int i = 0; i < slot->connection_count; i++)
        if (strcmp(slot->inputs[i], input) == 0)
            return slot->sources[i];
    return NULL;
}
