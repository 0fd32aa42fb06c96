// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of forces, and which of its rows a simulation has.
#include "sim/internal.h"

#define ROW(name) &ri_force_##name,
static const RiForceKind *const ri_forces[RI_FORCE_COUNT] = {RI_FORCE_LIST(ROW)};
#undef ROW

void ri_forces_choose(const RiSim *s, RiForceRows *out_present, RiForceRows *out_acting)
{
    *out_present = *out_acting = (RiForceRows){.count = 0};
    for (int i = 0; i < RI_FORCE_COUNT; i++) {
        const RiForceKind *row = ri_forces[i];
        if (row->present && !row->present(s))
            continue;
        out_present->row[out_present->count++] = row;
        if (!(row->is_contact && s->method->solves_contact))
            out_acting->row[out_acting->count++] = row;
    }
}

double ri_sim_potential(const RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->present.count; i++)
        if (s->present.row[i]->potential)
            energy += s->present.row[i]->potential(s);
    return energy;
}

double ri_sim_stored(const RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->present.count; i++)
        if (s->present.row[i]->stored)
            energy += s->present.row[i]->stored(s);
    return energy;
}

double ri_sim_released(RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->present.count; i++)
        if (s->present.row[i]->released)
            energy += s->present.row[i]->released(s);
    return energy;
}
