// SPDX-License-Identifier: Apache-2.0
/// \file
/// Friction of contact pairs that do not give it: it comes from the two materials that meet.
///
///     mu = min(mu of the robot's material, mu of the ground's)
///
/// The smaller one, since the weaker of two surfaces gives way: nothing grips ice better than ice
/// lets it. A hard material has mu in the library, a soil the tangent of its friction angle: beyond
/// that the soil shears in itself. A material that the library does not know leaves the value of
/// the other one; where both are unknown it is RI_FRICTION_UNKNOWN. A pair that meets materials of
/// different friction is split into variants, one per value, since a law has one set of numbers in
/// the state block. Tests: tests/contact/test_materials.c.
#include <math.h>
#include <string.h>

#include <rille/ground.h>

#include "base/functions.h"
#include "contact/contacts.h"

/// Static over kinetic friction where neither is given: that of the defaults 0.6 and 0.5.
#define STATIC_OVER_KINETIC 1.2

double ri_soil_contact_friction(const RiSoil *soil)
{
    if (!soil)
        return NAN;
    if (!isnan(soil->mu))
        return soil->mu;
    return isnan(soil->friction) ? NAN : ri_tan(soil->friction);
}

const RiSoil *ri_contacts_ground_soil(const RiTerrain *terrain, int ground)
{
    const RiSoilMap *map = ri_terrain_soil_map(terrain);
    if (!map || ground >= ri_soil_map_region_count(map))
        return NULL;
    return ri_soils_get(ri_soil_map_soils(map), ri_soil_map_region(map, ground)->layers[0].soil);
}

static const RiSoil *find(const RiSoils *library, const char *name)
{
    const int i = library && name ? ri_soils_find(library, name) : -1;
    return i >= 0 ? ri_soils_get(library, i) : NULL;
}

static const RiSoils *library_of(const RiContacts *c, const RiContactOptions *o)
{
    const RiSoilMap *map = c->terrain ? ri_terrain_soil_map(c->terrain) : NULL;
    return o->materials ? o->materials : map ? ri_soil_map_soils(map) : NULL;
}

double ri_contacts_robot_friction(const RiContacts *c, const RiContactOptions *o, const char *material)
{
    const RiSoil *s = find(library_of(c, o), material);
    return s && s->form == RI_SOIL_HARD ? ri_soil_contact_friction(s) : NAN; // a robot is not made of sand
}

double ri_contacts_ground_friction(const RiContacts *c, const RiContactOptions *o, int ground)
{
    const RiSoil *s = ri_contacts_ground_soil(c->terrain, ground);
    return ri_soil_contact_friction(s ? s : find(library_of(c, o), ri_terrain_material_name(c->terrain, ground)));
}

/// Which of the two materials decides.
RiFrictionFrom ri_friction_from(double robot, double other)
{
    if (isnan(robot) && isnan(other))
        return RI_FRICTION_FROM_NOTHING;
    return isnan(other) || robot < other ? RI_FRICTION_FROM_ROBOT : RI_FRICTION_FROM_OTHER;
}

static double combine(double robot, double other)
{
    if (isnan(robot) && isnan(other))
        return RI_FRICTION_UNKNOWN;
    return isnan(robot) ? other : isnan(other) ? robot : fmin(robot, other);
}

/// Fills in what materials give.
static void take(RiPairDef *p, const RiPairOrigin *from, double mu)
{
    p->friction = mu;
    if (from->open_static)
        p->friction_static = STATIC_OVER_KINETIC * mu;
}

/// Until a pair is known to meet something, its numbers are the defaults.
static void open_pair(RiPairDef *p, const RiLawUse *use, RiPairOrigin *from)
{
    const bool own = p->law == RI_LAW_TERZAGHI || // that one has the soil's friction angle
                     (p->law == RI_LAW_PLUGIN && use && use->plugin && use->plugin->friction);
    from->open = isnan(p->friction) && !own;
    from->open_static = isnan(p->friction) && isnan(p->friction_static);
    if (isnan(p->friction_static))
        p->friction_static = STATIC_OVER_KINETIC * RI_FRICTION_UNKNOWN;
    if (isnan(p->friction))
        p->friction = RI_FRICTION_UNKNOWN;
}

RiStatus ri_contacts_keep_pairs(RiContacts *c, const RiPairDef *pairs, const RiLawUse *uses, int count)
{
    const size_t room = (size_t)count + 1;
    if (uses) {
        if (!(c->uses = ri_arena_alloc(&c->arena, room, sizeof *c->uses)))
            return ri_error_memory(c->ctx);
        for (int i = 0; i <= count; i++)
            c->uses[i] = i < count ? uses[i] : (RiLawUse){0};
    }
    c->pairs = ri_arena_alloc(&c->arena, room, sizeof *c->pairs);
    c->origins = ri_arena_alloc(&c->arena, room, sizeof *c->origins);
    if (!c->pairs || !c->origins)
        return ri_error_memory(c->ctx);
    c->pair_count = c->pair_space = count + 1;
    c->given = count;
    for (int i = 0; i <= count; i++) {
        c->pairs[i] = i < count ? pairs[i] : ri_pair_default();
        c->origins[i] = (RiPairOrigin){.given = i};
        open_pair(&c->pairs[i], c->uses ? &c->uses[i] : NULL, &c->origins[i]);
    }
    c->pairs[count].name = "default";
    return RI_OK;
}

static RiStatus grow(RiContacts *c)
{
    if (c->pair_count < c->pair_space)
        return RI_OK;
    const size_t room = 2 * (size_t)c->pair_space;
    RiPairDef *pairs = ri_arena_alloc(&c->arena, room, sizeof *pairs);
    RiPairOrigin *origins = ri_arena_alloc(&c->arena, room, sizeof *origins);
    if (!pairs || !origins)
        return ri_error_memory(c->ctx);
    memcpy(pairs, c->pairs, (size_t)c->pair_count * sizeof *pairs);
    memcpy(origins, c->origins, (size_t)c->pair_count * sizeof *origins);
    c->pairs = pairs;
    c->origins = origins;
    c->pair_space = (int)room;
    return RI_OK;
}

RiStatus ri_contacts_vary(RiContacts *c, int given, double robot, double other, int *out_pair)
{
    const double mu = combine(robot, other);
    *out_pair = given;
    if (!c->origins[given].open)
        return RI_OK;
    if (!c->origins[given].met) {
        take(&c->pairs[given], &c->origins[given], mu);
        c->origins[given].met = true;
        return RI_OK;
    }
    for (int i = given; i < c->pair_count; i++)
        if (c->origins[i].given == given && c->pairs[i].friction == mu) {
            *out_pair = i;
            return RI_OK;
        }
    RI_TRY(grow(c));
    c->pairs[c->pair_count] = c->pairs[given];
    c->origins[c->pair_count] = c->origins[given];
    take(&c->pairs[c->pair_count], &c->origins[given], mu);
    *out_pair = c->pair_count++;
    return RI_OK;
}
