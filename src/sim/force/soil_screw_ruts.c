// SPDX-License-Identifier: Apache-2.0
/// \file
/// Grooves: what a screw finds of earlier wheels and screws, and what it leaves.
///
/// A screw presses the cells under its drum down to the drum. It does not mind its own groove: soil
/// that has been pressed to z and lies at z below the ground is, for a drum at z, what it was
/// before (the law counts depths from the ground as it was). So it may press the whole of its
/// contact, and whoever comes later, from whatever side, finds it. Blades cut below the drum
/// without taking soil away: they only count as a pass; and what they carry back from under the
/// drum comes to lie in the groove behind it, which is as deep as soil was pressed. Tests:
/// tests/io/test_scene_screw_ruts.c.
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "sim/force/soil_screw.h"
#include "soil/berm.h"

static const double SINK_STEP = 2e-4; ///< of sinkage between stamps [m]
static const double AHEAD = 1.5; ///< cells before an end at which its ground is read: those nearer bear its own stamp
static const double LEAST_UPRIGHT = 0.1;

// --- what a screw finds --------------------------------------------------------------------------

/// A station's ruts, along the screw frame's z, below a plane that is lowered, or raised on a heap,
/// to the highest of them.
static void lower_station(RiDrumRun *x, int station, const double *rut, const double *packed, bool *any)
{
    RiScrewGround *g = &x->ground;
    const double per = 1.0 / x->raised[station];
    double least = rut[0], seen = 0.0;
    for (int k = 1; k < RI_SCREW_RUTS; k++)
        least = rut[k] < least ? rut[k] : least;
    g->height[station] -= least * per;
    for (int k = 0; k < RI_SCREW_RUTS; k++) {
        g->rut[station][k] = (rut[k] - least) * per;
        g->packed[station][k] = packed[k] * per;
        seen += g->rut[station][k] + packed[k];
    }
    *any |= seen > 0.0;
}

/// How far to either side ruts matter: as far as the drum goes over ground that the edges are in.
static double reach_of(const RiDrumRun *x, int station)
{
    const double r = x->screw.radius, z = fmin(0.0, x->ground.height[station]);
    return x->screw.core * (z > -r ? fmax(0.1, sqrt(1.0 - z * z / (r * r))) : 1.0);
}

void ri_drum_find_ruts(const RiSim *s, RiDrumRun *x)
{
    enum { ROOM = RI_SCREW_STATION_MAX * RI_SCREW_RUTS };
    double px[ROOM], py[ROOM], rut[ROOM], packed[ROOM];
    const RiMat3 *R = &x->part.R;
    const double ahead = AHEAD * ri_ruts_cell(s->ruts);
    const int n = x->screw.stations;
    for (int i = 0; i < n; i++) {
        const double along = x->screw.station_x[i] + (i == 0 ? -ahead : i == n - 1 ? ahead : 0.0);
        x->ground.reach[i] = x->ground.soil[i] ? reach_of(x, i) : x->screw.core;
        for (int k = 0; k < RI_SCREW_RUTS; k++) {
            const double across = x->ground.reach[i] * (2.0 * k / (RI_SCREW_RUTS - 1) - 1.0);
            px[i * RI_SCREW_RUTS + k] = x->part.origin.x + along * R->m[0][0] + across * R->m[0][1];
            py[i * RI_SCREW_RUTS + k] = x->part.origin.y + along * R->m[1][0] + across * R->m[1][1];
        }
    }
    ri_ruts_read_many(s->ruts, n * RI_SCREW_RUTS, px, py, rut, packed);
    x->ground.ruts = false;
    for (int i = 0; i < n; i++)
        if (x->ground.soil[i])
            lower_station(x, i, rut + i * RI_SCREW_RUTS, packed + i * RI_SCREW_RUTS, &x->ground.ruts);
}

// --- what it leaves ------------------------------------------------------------------------------

/// Cells that the screw may stand on.
static void stamp_bounds(const RiSim *s, const RiDrumRun *x, int *i0, int *j0, int *i1, int *j1)
{
    const RiMat3 *R = &x->part.R;
    const double half = 0.5 * x->screw.length, r = x->screw.radius;
    const double wide = half * fabs(R->m[0][0]) + r * fabs(R->m[0][1]),
                 deep = half * fabs(R->m[1][0]) + r * fabs(R->m[1][1]);
    ri_ruts_cell_at(s->ruts, x->part.origin.x - wide, x->part.origin.y - deep, i0, j0);
    ri_ruts_cell_at(s->ruts, x->part.origin.x + wide, x->part.origin.y + deep, i1, j1);
}

/// Presses a cell to a depth below the ground as it was; depths are whole quanta, so that their sum
/// is the volume of the groove.
static bool press_cell(const RiDrumRun *x, double depth, double bend, RiRut *rut)
{
    const double was = (double)rut->depth, firm = fmax(0.0, (double)rut->compacted - (double)rut->loose);
    const int32_t to = ri_berm_quanta(depth), more = to - ri_berm_quanta(was);
    if (more <= 0 || depth < was + 1e-6 || depth <= bend)
        return false;
    rut->depth = (float)(to * RI_QUANTUM);
    rut->compacted = (float)(firm + depth - was);
    rut->loose = 0.0F;
    x->part.kept[RI_DRUM_GROOVE] += more;
    return true;
}

/// One cell, at p in the screw frame. `passed`: length at the leading end that is new, with the
/// sign of the way.
static RiStatus stamp_cell(RiSim *s, const RiDrumRun *x, int i, int j, RiVec3 p, double passed, double bend)
{
    const RiSoilScrew *w = &x->screw;
    const double up = x->part.R.m[2][2], half = 0.5 * w->length;
    if (fabs(p.x) > half || fabs(p.y) >= w->radius || !(p.z + sqrt(w->radius * w->radius - p.y * p.y) > 0.0))
        return RI_OK;
    const double drum = fabs(p.y) < w->core ? (p.z + sqrt(w->core * w->core - p.y * p.y)) * up : 0.0;
    const double ahead = passed < 0.0 ? -p.x : p.x;
    RiRut rut = ri_ruts_get(s->ruts, i, j);
    bool changed = press_cell(x, drum - x->step.f.dug * up, bend, &rut); // what blades carry back fills it again
    if (ahead > half - fabs(passed)) {
        rut.passes = (uint16_t)(rut.passes + (rut.passes < UINT16_MAX));
        changed = true;
    }
    if (!changed)
        return RI_OK;
    rut.slip = (int16_t)lrint(RI_RUT_SLIP * fmax(-1.0, fmin(1.0, x->shown.slip)));
    return ri_ruts_set(s->ruts, i, j, &rut);
}

static RiStatus stamp_cells(RiSim *s, const RiDrumRun *x, double passed)
{
    int i0, j0, i1, j1;
    stamp_bounds(s, x, &i0, &j0, &i1, &j1);
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
            const RiVec3 c = ri_ruts_centre(s->ruts, i, j);
            const RiScrewSoil *soil = &x->soils[ri_soil_map_region_at(s->soil->map, c.x, c.y)];
            RiHeight h;
            if (!(soil->law.k > 0.0) || !ri_terrain_height(s->terrain, c.x, c.y, &h))
                continue;
            const RiVec3 from = ri_vec3(c.x - x->part.origin.x, c.y - x->part.origin.y, h.z - x->part.origin.z);
            RI_TRY(stamp_cell(s, x, i, j, ri_rotate_back(&x->part.R, from), passed, ri_soil_crust_bend(&soil->law)));
        }
    return RI_OK;
}

RiStatus ri_drum_stamp(RiSim *s, RiDrumRun *x)
{
    double *last = x->part.kept;
    const RiVec3 o = x->part.origin, way = ri_vec3(o.x - last[RI_DRUM_STAMP_X], o.y - last[RI_DRUM_STAMP_Y], 0.0);
    const bool first = last[RI_DRUM_STAMP_SINKAGE] == 0.0;
    const double sunk = fmax(x->step.f.sinkage, 1e-12), moved = ri_hypot(way.x, way.y);
    if (x->part.R.m[2][2] < LEAST_UPRIGHT ||
        (!first && moved < ri_ruts_cell(s->ruts) && sunk - last[RI_DRUM_STAMP_SINKAGE] < SINK_STEP))
        return RI_OK;
    const double along = way.x * x->part.R.m[0][0] + way.y * x->part.R.m[1][0];
    last[RI_DRUM_STAMP_X] = o.x;
    last[RI_DRUM_STAMP_Y] = o.y;
    last[RI_DRUM_STAMP_SINKAGE] = sunk;
    return stamp_cells(s, x, first ? x->screw.length : fmax(-x->screw.length, fmin(x->screw.length, along)));
}
