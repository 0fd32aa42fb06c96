// SPDX-License-Identifier: Apache-2.0
/// \file
/// The library of soils and hard materials: checked when they come in, found by name.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/ground.h>

#include "base/memory.h"
#include "base/names.h"

enum { NAME_LENGTH = 63, SHOWN = 60 };

struct RiSoils {
    RiContext *ctx;
    RiArena arena; ///< names, provenance
    RiNames names;
    RiSoil *items;
    int count, room;
};

/// What a number of a soil may be, where it is given.
typedef struct Range {
    const char *field;
    size_t at;
    double low, high;
    bool open;        ///< `low` itself is not allowed
    const char *unit; ///< of messages; angles are shown in degrees
} Range;

#define FIELD(name) #name, offsetof(RiSoil, name)
static const Range ranges[] = {
    {FIELD(n), 0.0, 10.0, true, ""},
    {FIELD(n1), -10.0, 10.0, false, ""},
    {FIELD(kc), -1e12, 1e12, false, ""}, // fitted values below zero are published
    {FIELD(kphi), -1e12, 1e12, false, ""},
    {FIELD(cohesion), 0.0, 1e9, false, " Pa"},
    {FIELD(friction), 0.0, 1.5707, false, " deg"},
    {FIELD(kx), 0.0, 1.0, true, " m"},
    {FIELD(ky), 0.0, 1.0, true, " m"},
    {FIELD(density), 10.0, 30000.0, false, " kg/m^3"},
    {FIELD(a0), -10.0, 10.0, false, ""},
    {FIELD(a1), -10.0, 10.0, false, ""},
    {FIELD(gravity), 0.0, 1000.0, true, " m/s^2"},
    {FIELD(mu), 0.0, 10.0, false, ""},
};

static const RiSoilKeyRow keys[RI_SOIL_KEY_COUNT] = {
    [RI_SOIL_N1_SKID] = {"n1_skid", "", -1.0, 3.0, "n1 of a braked wheel; not given: n1"},
    [RI_SOIL_N_BETA] = {"n_beta", "1/rad", -2.0, 2.0, "what a slip angle adds to n; not given: 0"},
    [RI_SOIL_KX_BETA] = {"kx_beta", "m/rad", -1.0, 1.0, "what a slip angle adds to kx; not given: 0"},
    [RI_SOIL_KY_BETA] = {"ky_beta", "m/rad", -1.0, 1.0, "what a slip angle adds to ky; not given: 0"},
    [RI_SOIL_A1_SKID] = {"a1_skid", "", -2.0, 2.0, "a1 of a braked wheel; not given: a1"},
    [RI_SOIL_A0_BETA] = {"a0_beta", "1/rad", -2.0, 2.0, "what a slip angle adds to a0; not given: 0"},
    [RI_SOIL_A1_BETA] = {"a1_beta", "1/rad", -2.0, 2.0, "what a slip angle adds to a1; not given: 0"},
    [RI_SOIL_EXIT0] = {"exit0", "", -1.0, 0.0, "exit angle over entry angle at no slip; not given: 0"},
    [RI_SOIL_EXIT1] = {"exit1", "", -1.0, 1.0, "what slip adds to it; not given: 0"},
    [RI_SOIL_BULLDOZING] = {"bulldozing", "", 0.0, 10.0,
                            "factor on Terzaghi's pressure on the side wall; not given: the scene's"},
    [RI_SOIL_PLOUGHING] = {"ploughing", "", 0.0, 10.0,
                           "factor on Terzaghi's pressure on the front of a wheel that moves aside; not given: the "
                           "scene's"},
    [RI_SOIL_COUPLED] = {"coupled", "", 0.0, 1.0,
                         "shear along and across share one strength (1) or not (0); not given: the scene's"},
};

const RiSoilKeyRow *ri_soil_key(RiSoilKey key)
{
    return &keys[key];
}

RiStatus ri_soils_create(RiContext *ctx, RiSoils **out_soils)
{
    RiSoils *s = *out_soils = ri_alloc_zero(ctx, 1, sizeof *s);
    if (!s)
        return ri_error_memory(ctx);
    s->ctx = ctx;
    ri_arena_init(&s->arena, ctx);
    ri_names_init(&s->names, ctx);
    return RI_OK;
}

void ri_soils_destroy(RiSoils *s)
{
    if (!s)
        return;
    ri_names_free(&s->names);
    ri_arena_free(&s->arena);
    ri_release(s->ctx, s->items);
    ri_release(s->ctx, s);
}

// --- adding --------------------------------------------------------------------------------------

/// "file:line: soil 'name': " and the rest.
static RiStatus refuse(const RiSoils *s, const RiSoil *soil, RiSource source, const char *what)
{
    const char *name = soil->name ? soil->name : "";
    if (source.file)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "%s:%d: soil '%.*s': %s", source.file, source.line, SHOWN, name, what);
    return ri_error(s->ctx, RI_ERR_ARGUMENT, "soil '%.*s': %s", SHOWN, name, what);
}

static RiStatus check_name(const RiSoils *s, const RiSoil *soil, RiSource source)
{
    const size_t n = soil->name ? strlen(soil->name) : 0;
    bool good = n > 0 && n <= NAME_LENGTH;
    for (size_t i = 0; good && i < n; i++)
        good = (unsigned char)soil->name[i] > ' ' && soil->name[i] != 127;
    if (!good)
        return refuse(s, soil, source, "a name has 1 to 63 characters without spaces");
    return ri_soils_find(s, soil->name) >= 0 ? refuse(s, soil, source, "there is one of that name already") : RI_OK;
}

static RiStatus check_values(const RiSoils *s, const RiSoil *soil, RiSource source)
{
    char text[160];
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const Range *r = &ranges[i];
        double x;
        memcpy(&x, (const char *)soil + r->at, sizeof x);
        if (isnan(x) || ((r->open ? x > r->low : x >= r->low) && x <= r->high))
            continue;
        const double shown = strcmp(r->unit, " deg") == 0 ? 180.0 / M_PI : 1.0;
        snprintf(text, sizeof text, "%s is %g%s, must be %s %g and at most %g%s", r->field, x * shown, r->unit,
                 r->open ? "more than" : "at least", r->low * shown, r->high * shown, r->unit);
        return refuse(s, soil, source, text);
    }
    for (int i = 0; i < RI_SOIL_KEY_COUNT; i++) {
        const double x = soil->more.at[i];
        if (!(soil->more.given & 1u << i) || (x >= keys[i].low && x <= keys[i].high))
            continue;
        snprintf(text, sizeof text, "%s is %g, must be at least %g and at most %g", keys[i].name, x, keys[i].low,
                 keys[i].high);
        return refuse(s, soil, source, text);
    }
    if ((unsigned)soil->form > RI_SOIL_REECE)
        return refuse(s, soil, source, "the form is not one of hard, bekker, reece");
    if (!soil->confidence || !strchr("ABCE", soil->confidence))
        return refuse(s, soil, source, "the confidence is not one of A, B, C, E");
    if (soil->form == RI_SOIL_HARD && isnan(soil->mu))
        return refuse(s, soil, source, "a hard material needs its friction coefficient mu");
    return RI_OK;
}

static RiStatus grow(RiSoils *s)
{
    if (s->count < s->room)
        return RI_OK;
    const int room = s->room ? 2 * s->room : 64;
    RiSoil *items = ri_resize(s->ctx, s->items, (size_t)room, sizeof *items);
    if (!items)
        return ri_error_memory(s->ctx);
    s->items = items;
    s->room = room;
    return RI_OK;
}

RiStatus ri_soils_add(RiSoils *s, const RiSoil *soil, RiSource source)
{
    RI_TRY(check_name(s, soil, source));
    RI_TRY(check_values(s, soil, source));
    RI_TRY(grow(s));
    RiSoil *copy = &s->items[s->count];
    int existing;
    *copy = *soil;
    copy->name = ri_arena_string(&s->arena, soil->name);
    copy->provenance = ri_arena_string(&s->arena, soil->provenance ? soil->provenance : "");
    if (!copy->name || !copy->provenance)
        return ri_error_memory(s->ctx);
    RI_TRY(ri_names_add(&s->names, copy->name, s->count, &existing));
    s->count++;
    return RI_OK;
}

// --- questions -----------------------------------------------------------------------------------

int ri_soils_count(const RiSoils *s)
{
    return s->count;
}

const RiSoil *ri_soils_get(const RiSoils *s, int index)
{
    return index >= 0 && index < s->count ? &s->items[index] : NULL;
}

int ri_soils_find(const RiSoils *s, const char *name)
{
    return s->count ? ri_names_find(&s->names, name) : -1;
}

const char *ri_soils_suggest(const RiSoils *s, const char *name)
{
    return s->count ? ri_names_nearest(&s->names, name) : NULL;
}
