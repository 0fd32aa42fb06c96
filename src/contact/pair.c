// SPDX-License-Identifier: Apache-2.0
/// \file
/// The numbers of a contact pair: one table of their names, units, limits and meanings, for scenes,
/// checks and named values alike.
#include <stdio.h>
#include <string.h>

#include "contact/contacts.h"

#define PLACE(field) #field, offsetof(RiPairDef, field)
enum {
    ANY = (1 << RI_LAW_COUNT) - 1,
    STRIBECK = 1 << RI_LAW_STRIBECK,
    SCREW = 1 << RI_LAW_SCREW,
    TERZAGHI = 1 << RI_LAW_TERZAGHI,
    BEFORE = 0, // a run reads it when it is built, and never again
};

static const RiPairField fields[] = {
    {PLACE(stiffness), "N/m", "stiffness of the ground, normal", RI_ABOVE_ZERO, INFINITY, ANY},
    {PLACE(damping), "N*s/m", "damping of the ground, normal", 0.0, INFINITY, ANY},
    {PLACE(soft), "m", "depth over which damping comes in", 0.0, INFINITY, ANY},
    {PLACE(friction), "", "friction coefficient; of screws along the thread", 0.0, INFINITY, ANY},
    {PLACE(restitution), "", "speed after an impact over that before it (integrator moreau)", 0.0, 1.0, ANY},
    {PLACE(adhesion), "N", "pull that a touching point holds before it comes off (integrator moreau)", 0.0, INFINITY,
     ANY},
    {PLACE(friction_static), "", "friction coefficient at rest", 0.0, INFINITY, STRIBECK},
    {PLACE(stribeck_speed), "m/s", "sliding speed over which friction falls", RI_ABOVE_ZERO, INFINITY, STRIBECK},
    {PLACE(viscous), "s/m", "added to the friction coefficient per sliding speed", 0.0, INFINITY, ANY},
    {PLACE(stick_stiffness), "N/m", "stiffness along the ground; 0: no deflection", 0.0, INFINITY, ANY},
    {PLACE(stick_damping), "N*s/m", "damping along the ground", 0.0, INFINITY, ANY},
    {PLACE(creep), "m/s", "speed below which friction without deflection is viscous", RI_ABOVE_ZERO, INFINITY, ANY},
    {PLACE(e0), "", "anisotropy E of an unloaded thread", -INFINITY, INFINITY, SCREW},
    {PLACE(e1), "N^-1", "growth of E with the normal force", -INFINITY, INFINITY, SCREW},
    {PLACE(e_min), "", "least E", 1.0, INFINITY, SCREW},
    {PLACE(e_max), "", "largest E", 1.0, INFINITY, SCREW},
    {PLACE(backward), "", "factor of E - 1 where the thread is dragged backwards", 0.0, INFINITY, SCREW},
    {PLACE(engagement), "", "part of its height by which a thread must be in the ground for all of E; 0: any depth",
     0.0, 1.0, SCREW},
    {PLACE(edge_width), "m", "width of the thread's edge; 0: sharp", 0.0, INFINITY, SCREW},
    {PLACE(density), "kg/m^3", "density of the soil", RI_ABOVE_ZERO, INFINITY, BEFORE},
    {PLACE(friction_angle), "rad", "internal friction angle of the soil", 0.0, INFINITY, BEFORE},
    {PLACE(cohesion), "Pa", "cohesion of the soil", 0.0, INFINITY, BEFORE},
    {PLACE(rolling_resistance), "", "force at the hub against rolling, per normal force", 0.0, INFINITY, TERZAGHI},
    {PLACE(slip_transition), "", "slip at which 63 % of the traction are reached", RI_ABOVE_ZERO, INFINITY, TERZAGHI},
    {PLACE(sigma_max), "", "largest scatter of the slip transition", 0.0, INFINITY, TERZAGHI},
    {PLACE(sigma_slope), "", "growth of that scatter with the ground's inclination", 0.0, INFINITY, TERZAGHI},
    {PLACE(patch), "m", "size of places that differ", RI_ABOVE_ZERO, INFINITY, TERZAGHI},
};

const RiPairField *ri_pair_fields(int *out_count)
{
    *out_count = sizeof fields / sizeof *fields;
    return fields;
}

/// NULL, or what two fields that are right by themselves have against each other.
static const char *contradiction(const RiPairDef *p)
{
    if (p->e_min > p->e_max)
        return "e_min is above e_max";
    if (p->adhesion > 0.0 && p->law == RI_LAW_TERZAGHI)
        return "law terzaghi uses the soil's cohesion; it has no adhesion";
    if (p->stick_stiffness > 0.0 && !(p->stick_damping > 0.0))
        return "stick_damping must be above 0 where there is a stick_stiffness";
    return NULL;
}

RiStatus ri_pair_check(RiContext *ctx, const RiPairDef *p)
{
    char where[1024];
    snprintf(where, sizeof where, "%.600s:%d: contact pair of '%.120s' on '%.120s'",
             p->source.file ? p->source.file : "contact", p->source.line, p->robot ? p->robot : "*",
             p->ground ? p->ground : "*");
    if ((unsigned)p->law >= RI_LAW_COUNT)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: there is no law number %d", where, (int)p->law);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const RiPairField *f = &fields[i];
        const double x = ri_pair_get(p, f);
        if ((x >= f->low && x <= f->high && isfinite(x)) || (f->laws == BEFORE && isnan(x))) // not given: the soil's
            continue;
        const bool open = f->low == RI_ABOVE_ZERO;
        if (isfinite(f->high))
            return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s is %g, it must be %g to %g", where, f->name, x, f->low,
                            f->high);
        return isfinite(f->low) ? ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s is %g, it must be %s %g and finite", where,
                                           f->name, x, open ? "above" : "at least", open ? 0.0 : f->low)
                                : ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s is %g, it must be finite", where, f->name, x);
    }
    const char *trouble = contradiction(p);
    return trouble ? ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s (e_min %g, e_max %g, stick_stiffness %g, stick_damping %g)",
                              where, trouble, p->e_min, p->e_max, p->stick_stiffness, p->stick_damping)
                   : RI_OK;
}

/// Appends the letters, digits and underscores of a glob; others become one underscore between
/// them.
static size_t add_word(const char *glob, char *out, size_t at, size_t size)
{
    bool gap = at > 0;
    for (; *glob && at + 2 < size; glob++) {
        const char c = *glob;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
            if (gap && at > 0)
                out[at++] = '_';
            out[at++] = c;
            gap = false;
        } else {
            gap = true;
        }
    }
    out[at] = '\0';
    return at;
}

/// What a pair is called before others of that name are looked at.
static void plain_name(const RiPairDef *p, char *out, size_t size)
{
    size_t at = 0;
    out[0] = '\0';
    if (p->name) {
        snprintf(out, size, "%s", p->name);
        return;
    }
    at = add_word(p->robot ? p->robot : "", out, at, size);
    at = add_word(p->ground ? p->ground : "", out, at, size);
    at = add_word(p->with ? p->with : "", out, at, size);
    if (at == 0)
        snprintf(out, size, "any");
}

void ri_pair_name(const RiPairDef *pairs, int index, char *out, size_t size)
{
    char other[RI_PAIR_NAME];
    int same = 1;
    plain_name(&pairs[index], out, size);
    for (int i = 0; i < index; i++) {
        plain_name(&pairs[i], other, sizeof other);
        same += strcmp(out, other) == 0;
    }
    const size_t n = strlen(out);
    if (same > 1)
        snprintf(out + n, size - n, "_%d", same);
}
