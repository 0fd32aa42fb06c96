// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soft soil as a force: drives all parts that soil acts on through a step (soil.h).
/// Tests: tests/io/test_scene_soil.c, tests/io/test_scene_screw.c.
#include "sim/force/soil.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/plugin.h>

#include "base/hash.h"
#include "math/snap.h"
#include "sim/force/soil_wheel.h"
#include "sim/options.h"

/// Upward part of a normal below which ground is a wall.
static const double WALL = 0.5;

// --- building ------------------------------------------------------------------------------------

/// Which regions are soft; false if none is.
static bool find_soft(const RiSoilMap *map, bool *out_soft, bool *out_mixed)
{
    bool any = false;
    *out_mixed = false;
    for (int i = 0; i < ri_soil_map_region_count(map); i++) {
        out_soft[i] = ri_soil_soft_layers(map, i) > 0;
        any |= out_soft[i];
        *out_mixed |= !out_soft[i];
    }
    return any;
}

int ri_soil_soft_layers(const RiSoilMap *map, int region)
{
    const RiSoils *soils = ri_soil_map_soils(map);
    const RiSoilRegion *r = ri_soil_map_region(map, region);
    int count = 0;
    while (count < r->layer_count && ri_soils_get(soils, r->layers[count].soil)->form != RI_SOIL_HARD)
        count++;
    return count;
}

RiStatus ri_soil_check_law(const RiSim *s, int region, bool takes)
{
    const RiSoils *soils = ri_soil_map_soils(s->soil->map);
    const RiSoilRegion *r = ri_soil_map_region(s->soil->map, region);
    const int count = ri_soil_soft_layers(s->soil->map, region);
    for (int i = 0; i < count; i++) {
        const RiSoil *soil = ri_soils_get(soils, r->layers[i].soil);
        if (!soil->law || (takes && count == 1))
            continue;
        return ri_error(s->ctx, RI_ERR_ARGUMENT,
                        takes
                            ? "soil: '%s' has the law '%s' of a plugin: it cannot be one of several soft layers"
                            : "soil: '%s' has the law '%s' of a plugin, which is for wheels and plates: not for screws",
                        soil->name, soil->law->name);
    }
    return RI_OK;
}

static int *links_without(RiSim *s)
{
    const int links = ri_model_link_count(s->m);
    int *of = ri_arena_alloc(&s->arena, (size_t)links + 1, sizeof *of);
    for (int i = 0; of && i < links; i++)
        of[i] = -1;
    return of;
}

static int kind_of(const RiSoilForces *x, const RiSoilPart *part)
{
    int kind = 0;
    while (x->kinds[kind] != part->kind)
        kind++;
    return kind;
}

RiStatus ri_soil_add_part(RiSim *s, RiSoilPart *x, int memory, int kept)
{
    RiSoilForces *soil = s->soil;
    const int kind = kind_of(soil, x);
    x->memory_at = soil->sizes[kind];
    x->kept_at = x->memory_at + memory;
    soil->sizes[kind] += memory + kept;
    soil->parts[soil->count++] = x;
    for (int i = 0; i < x->kind->doubt_count; i++) {
        char name[512];
        snprintf(name, sizeof name, "soil.%.380s.%s", x->name, x->kind->doubts[i].name);
        RI_TRY(ri_sim_add_validity(s, name, x->kind->doubts[i].text, &x->flags[i]));
    }
    return RI_OK;
}

RiStatus ri_sim_set_soil(RiSim *s, const RiSpec *spec, const RiSoilOptions *options)
{
    const RiSoilOptions used = options ? *options : ri_soil_options_default();
    const RiSoilMap *map = s->terrain ? ri_terrain_soil_map(s->terrain) : NULL;
    const int most = spec->wheel_count + spec->screw_count + (s->contacts ? s->contacts->link_count : 0);
    if (s->built || s->soil)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "ri_sim_set_soil comes once, before ri_sim_build");
    RI_TRY(ri_options_check(s->ctx, NULL, &ri_soil_option_table, &used));
    if (!map || most == 0 || !s->contacts)
        return RI_OK;
    RiSoilForces *x = ri_arena_alloc(&s->arena, 1, sizeof *x);
    bool *soft = ri_arena_alloc(&s->arena, (size_t)ri_soil_map_region_count(map), sizeof *soft);
    if (!x || !soft)
        return ri_error_memory(s->ctx);
    *x = (RiSoilForces){.map = map,
                        .options = used,
                        .soft = soft,
                        .kinds = {&ri_soil_wheel_kind, &ri_soil_screw_kind, &ri_soil_body_kind}};
    x->parts = ri_arena_alloc(&s->arena, (size_t)most, sizeof *x->parts);
    x->wheel_of = links_without(s);
    x->screw_of = links_without(s);
    x->body_of = links_without(s);
    if (!x->parts || !x->wheel_of || !x->screw_of || !x->body_of)
        return ri_error_memory(s->ctx);
    if (!find_soft(map, soft, &x->mixed))
        return RI_OK;
    x->walls = ri_terrain_info(s->terrain).walls;
    s->soil = x;
    RI_TRY(ri_soil_add_wheels(s, spec));
    RI_TRY(ri_soil_add_screws(s, spec));
    RI_TRY(ri_soil_add_bodies(s, spec));
    return ri_method_require(s->ctx, s->options.method, RI_OFFERS_PASSIVE_SOIL,
                             "wheels, screws and bodies on soft soil", "soil: none keeps them on hard ground");
}

/// Whether the law of soft soil answers for a wheel: not where it lies on its side, nor for walls.
static bool is_on_soil(const RiSim *s, int link, RiVec3 normal)
{
    const int wheel = s->soil->wheel_of[link];
    return wheel >= 0 && !s->soil->wheels[wheel].lying && !(s->soil->walls && normal.z < WALL);
}

/// The same of a link with shapes only.
static bool is_body(const RiSim *s, int link, RiVec3 normal)
{
    return s->soil->body_of[link] >= 0 && !(s->soil->walls && normal.z < WALL);
}

bool ri_soil_is_soft(const RiSim *s, int link, int ground, RiVec3 normal)
{
    return (s->soil->soft[ground] && (is_on_soil(s, link, normal) || is_body(s, link, normal))) ||
           ri_soil_screw_is_soft(s, link, ground);
}

bool ri_sim_soil_answers(const RiSim *s, int link, int ground)
{
    return s->soil && ri_soil_is_soft(s, link, ground, ri_vec3(0.0, 0.0, 1.0));
}

bool ri_soil_is_always_soft(const RiSim *s, int link)
{
    return s->soil && !s->soil->mixed && !s->soil->walls && is_on_soil(s, link, ri_vec3(0.0, 0.0, 1.0));
}

static bool present(const RiSim *s)
{
    return s->soil != NULL;
}

/// Parts of a kind.
static int count_of(const RiSoilForces *x, int kind)
{
    int count = 0;
    for (int i = 0; i < x->count; i++)
        count += x->parts[i]->kind == x->kinds[kind];
    return count;
}

static void lay_out(RiSim *s, RiBlockPart part, char *block, size_t *at)
{
    RiSoilForces *x = s->soil;
    for (int k = 0; k < RI_SOIL_KINDS && part == RI_BLOCK_MEMORY; k++) {
        const size_t outputs = (size_t)(count_of(x, k) * x->kinds[k]->output_count);
        x->memory[k] = ri_carve(block, at, (size_t)x->sizes[k], sizeof *x->memory[k]);
        x->out[k] = ri_carve(block, at, outputs, sizeof *x->out[k]);
    }
}

static RiStatus build(RiSim *s)
{
    RiSoilForces *x = s->soil;
    double *out[RI_SOIL_KINDS];
    memcpy(out, x->out, sizeof out);
    for (int i = 0; i < x->count; i++) {
        RiSoilPart *p = x->parts[i];
        const int k = kind_of(x, p);
        p->memory = x->memory[k] + p->memory_at;
        p->kept = x->memory[k] + p->kept_at;
        p->out = out[k];
        out[k] += p->kind->output_count;
    }
    return RI_OK;
}

static RiStatus name_values(RiSim *s)
{
    for (int i = 0; i < s->soil->count; i++) {
        const RiSoilPart *x = s->soil->parts[i];
        char owner[400];
        snprintf(owner, sizeof owner, "soil.%.380s", x->name);
        for (int k = 0; k < x->kind->output_count; k++) {
            const RiSoilName *n = &x->kind->outputs[k];
            RI_TRY(ri_sim_name_value(s, owner, n->name, n->unit, n->text, RI_VALUE_OUTPUT, x->out + k, RI_VALUE_REAL,
                                     false));
        }
    }
    return RI_OK;
}

// --- a step --------------------------------------------------------------------------------------

static void find(RiSim *s)
{
    RiSoilForces *x = s->soil;
    for (int i = 0; i < x->count; i++)
        x->parts[i]->kind->find(s, x->parts[i]);
    for (int i = 0; i < x->count; i++)
        if (x->parts[i]->kind->find_others)
            x->parts[i]->kind->find_others(s, x->parts[i]);
}

static void evaluate(RiSim *s, RiSlopes by)
{
    for (int i = 0; i < s->soil->count; i++) {
        RiSoilPart *x = s->soil->parts[i];
        x->kind->evaluate(s, x, by.c);
        x->damper = 0.0;
    }
}

static void apply(RiSim *s, RiSlopes by)
{
    for (int i = 0; i < s->soil->count; i++)
        if (s->soil->parts[i]->law.touching)
            ri_soil_part_apply(s, s->soil->parts[i], by.c);
}

static bool hold(RiSim *s, double h)
{
    bool holds = true;
    ri_dyn_mean_power(s->d, s->a, h);
    for (int i = 0; i < s->soil->count; i++) {
        RiSoilPart *x = s->soil->parts[i];
        if (!x->law.touching)
            continue;
        ri_soil_part_end(s, x, h);
        holds &= ri_soil_part_hold(s, x, x->kept[x->kind->stored_at], h);
    }
    return holds;
}

static RiStatus finish_part(RiSim *s, RiSoilPart *x, double h)
{
    ri_soil_part_end(s, x, h);
    x->end_force = x->law.force;
    x->end_moment = x->law.moment;
    if (x->law.touching)
        ri_soil_part_correct(s, x);
    return x->kind->finish(s, x, h);
}

static RiStatus finish(RiSim *s, double h)
{
    RiSoilForces *x = s->soil;
    for (int i = 0; i < x->count && s->head->tick == 0; i++)
        if (x->parts[i]->kind->check_start)
            RI_TRY(x->parts[i]->kind->check_start(s, x->parts[i]));
    for (int i = 0; i < x->count; i++)
        RI_TRY(finish_part(s, x->parts[i], h));
    return RI_OK;
}

static void snap(RiSim *s)
{
    for (int k = 0; k < RI_SOIL_KINDS; k++)
        if (!s->soil->kinds[k]->snaps)
            ri_snap(s->soil->memory[k], (size_t)s->soil->sizes[k]);
}

/// Soil holds what the law could give back, but never more than it has been given: stresses that
/// grow under a mobilised patch raise the first without work.
static void account(RiSim *s, double h, RiSlopes by)
{
    (void)by;
    for (int i = 0; i < s->soil->count; i++) {
        const RiSoilPart *x = s->soil->parts[i];
        double *held = &x->kept[x->kind->stored_at];
        const double work = x->law.touching ? ri_soil_part_work(s, x, h) : 0.0;
        s->head->contact_work += work;
        *held = fmax(0.0, fmin(x->law.stored, *held - work));
    }
}

static double stored(const RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->soil->count; i++)
        energy += s->soil->parts[i]->kept[s->soil->parts[i]->kind->stored_at];
    return energy;
}

static uint64_t fingerprint(const RiSim *s, uint64_t h)
{
    const RiSoils *soils = ri_soil_map_soils(s->soil->map);
    for (int i = 0; i < ri_soil_map_region_count(s->soil->map); i++) {
        const RiSoilRegion *r = ri_soil_map_region(s->soil->map, i);
        const RiSoil *soil = ri_soils_get(soils, r->layers[0].soil);
        if (soil->law) {
            h = ri_hash_text(h, soil->law->name);
            h = ri_hash(h, soil->law_numbers, (size_t)soil->law->option_count * sizeof *soil->law_numbers);
        }
    }
    return ri_options_fingerprint(&ri_soil_option_table, &s->soil->options, h);
}

const RiForceKind ri_force_soil = {
    .name = "soft soil",
    .present = present,
    .lay_out = lay_out,
    .build = build,
    .name_values = name_values,
    .fingerprint = fingerprint,
    .find = find,
    .evaluate = evaluate,
    .apply = apply,
    .hold = hold,
    .finish = finish,
    .snap = snap,
    .account = account,
    .stored = stored,
};
