// SPDX-License-Identifier: Apache-2.0
/// \file
/// What wheels do to soft ground: they stamp ruts behind their lowest lines, dig where they spin,
/// push soil aside. Tests: tests/io/test_scene_soil.c, tests/io/test_scene_berm.c.
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "sim/force/soil_wheel.h"

static const double SINK_STEP = 2e-4; ///< by which a wheel sinks between stamps [m]

/// A stamp: what a wheel has done to the ground since the last one.
typedef struct Stamp {
    double sign;       ///< of rolling
    double back;       ///< length that is pressed, behind the lowest line [m]
    double passed;     ///< length that the lowest line has passed [m]
    int64_t displaced; ///< [quanta of depth on a cell]
} Stamp;

/// The slip as ruts keep it.
static int16_t slip_mark(const RiWheelRun *x)
{
    return (int16_t)lrint(RI_RUT_SLIP * fmax(-1.0, fmin(1.0, x->shown.slip)));
}

/// Presses a cell to a depth. With berms, depths are whole quanta, of which a share is pressed
/// denser.
static void press_cell(RiSim *s, const RiWheelRun *x, double depth, double pressed, RiRut *rut, Stamp *stamp)
{
    if (s->soil->patch) {
        const int32_t to = ri_berm_quanta(depth), more = to - ri_berm_quanta((double)rut->depth);
        if (more <= 0)
            return;
        const int32_t denser = (int32_t)(s->soil->options.compaction * more);
        x->part.kept[RI_KEPT_COMPACTED] += denser;
        stamp->displaced += more - denser;
        depth = to * RI_QUANTUM;
    }
    rut->depth = (float)depth;
    rut->compacted = fmaxf(rut->compacted, (float)pressed);
    rut->loose = 0.0F;
    rut->slip = slip_mark(x);
}

/// Cells that a stamp may reach.
static void stamp_bounds(const RiSim *s, const RiWheelRun *x, const Stamp *stamp, int *i0, int *j0, int *i1, int *j1)
{
    const double half = 0.5 * x->wheel.width;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 4; k++) {
        const RiVec3 p =
            ri_wheel_run_place(x, k & 1 ? -stamp->sign * stamp->back : 0.0, k & 2 ? half : -half, -x->wheel.radius);
        low[0] = fmin(low[0], p.x), high[0] = fmax(high[0], p.x);
        low[1] = fmin(low[1], p.y), high[1] = fmax(high[1], p.y);
    }
    ri_ruts_cell_at(s->ruts, low[0], low[1], i0, j0);
    ri_ruts_cell_at(s->ruts, high[0], high[1], i1, j1);
}

/// Depth to which an unbroken crust may be pressed at a place across the wheel: it bends back.
static double crust_under(const RiWheelRun *x, double across)
{
    const RiSoilWheel *w = &x->wheel;
    const int slice = (int)((across / w->width + 0.5) * w->slices);
    const RiSoilLaw *soil = x->ground.soil[slice < 0 ? 0 : slice >= w->slices ? w->slices - 1 : slice];
    return soil ? ri_soil_crust_bend(soil) : 0.0;
}

/// Presses the cells that the wheel's lowest line has passed since it stamped last down to the rim,
/// and counts it as passed there.
static RiStatus press_cells(RiSim *s, const RiWheelRun *x, Stamp *stamp)
{
    const double cell = ri_ruts_cell(s->ruts), half = 0.5 * x->wheel.width, r = x->wheel.radius, up = x->part.R.m[2][2];
    const double spring_back = s->soil->options.rebound * x->shown.sinkage;
    int i0, j0, i1, j1;
    stamp_bounds(s, x, stamp, &i0, &j0, &i1, &j1);
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
            const RiVec3 c = ri_ruts_centre(s->ruts, i, j);
            RiHeight ground;
            if (!ri_terrain_height(s->terrain, c.x, c.y, &ground) || (s->soil->mixed && ri_soil_is_hard(s, c)))
                continue;
            const RiVec3 from = ri_vec3(c.x - x->part.origin.x, c.y - x->part.origin.y, ground.z - x->part.origin.z);
            const RiVec3 p = ri_rotate_back(&x->part.R, from);
            const double along = stamp->sign * p.x;
            if (fabs(p.y) > half || along > 0.5 * cell || along < -stamp->back || fabs(p.x) >= r)
                continue;
            const double pressed = (p.z + sqrt(r * r - p.x * p.x)) * up, depth = pressed - spring_back;
            RiRut rut = ri_ruts_get(s->ruts, i, j);
            if (along <= 0.0 && along > -stamp->passed && (p.z + r) * up > (double)rut.depth - SINK_STEP) {
                rut.passes = (uint16_t)(rut.passes + (rut.passes < UINT16_MAX));
                rut.slip = slip_mark(x);
            }
            if (depth > (double)rut.depth + 1e-6 && pressed > crust_under(x, p.y))
                press_cell(s, x, depth, pressed, &rut, stamp);
            RI_TRY(ri_ruts_set(s->ruts, i, j, &rut));
        }
    return RI_OK;
}

/// Soil that the rim carries back within a step: its layer moves with half the speed of slipping,
/// on the mean.
static double dug_in(const RiSim *s, const RiWheelRun *x, double h)
{
    const double cell = ri_ruts_cell(s->ruts), rim = x->wheel.radius * x->part.w_end.y, v = x->part.v_end.x;
    const double layer = s->soil->options.layer + (x->wheel.grousers > 0 ? x->wheel.grouser_height : 0.0);
    if (!(fabs(rim) > fabs(v)))
        return 0.0;
    return 0.5 * layer * fabs(rim - v) * h * x->wheel.width / (cell * cell * RI_QUANTUM);
}

/// Tangent of the angle of repose: that of the weakest soil under the wheel, because soils mix in a
/// berm.
static double slope_of_repose(const RiWheelRun *x)
{
    double least = INFINITY;
    for (int i = 0; i < x->wheel.slices; i++)
        if (x->ground.soil[i])
            least = fmin(least, x->ground.soil[i]->tan_phi);
    return least < INFINITY ? least : 0.0;
}

/// Digs, lays displaced soil down and lets it slide.
static RiStatus move_soil(RiSim *s, RiWheelRun *x, const Stamp *stamp)
{
    RiBermPatch *p = s->soil->patch;
    double *at = x->part.kept;
    const double speed = ri_hypot(x->part.v_end.x, x->part.v_end.y), repose = slope_of_repose(x);
    const RiBermWheel w = {.hub = x->part.origin,
                           .R = x->part.R,
                           .radius = x->wheel.radius,
                           .width = x->wheel.width,
                           .sign = stamp->sign,
                           .back = stamp->back,
                           .slip = x->shown.slip,
                           .side = speed > 0.0 ? x->part.v_end.y / speed : 0.0,
                           .entry = fmin(fabs(x->shown.entry), 0.5 * M_PI),
                           .repose = repose};
    p->ground = &x->around;
    ri_berm_load(s->terrain, s->ruts, &w, p);
    int64_t rest;
    const int64_t dug = ri_berm_dig(p, s->ruts, &w, (int64_t)at[RI_KEPT_PENDING], &rest);
    const int64_t displaced = stamp->displaced + rest, left = ri_berm_spread(p, &w, displaced);
    at[RI_KEPT_PENDING] = 0.0;
    at[RI_KEPT_DUG] += (double)dug;
    at[RI_KEPT_COMPACTED] += (double)left; // nowhere to go, or less than a quantum per cell
    at[RI_KEPT_DISPLACED] += (double)(displaced - left);
    ri_berm_relax(p, ri_ruts_cell(s->ruts), repose, RI_BERM_SWEEPS);
    return ri_berm_store(p, s->ruts);
}

/// Slices may lie on hard ground: they are skipped, and keep what they remember.
void ri_wheel_run_follow(RiSim *s, const RiWheelRun *x, double h)
{
    const RiSoilWheel *w = &x->wheel;
    double *packed = x->part.kept + RI_KEPT_PACKED, px[2 * RI_SLICE_MAX], py[2 * RI_SLICE_MAX], seen[2 * RI_SLICE_MAX];
    const double share = 1.0 - ri_exp(-fabs(x->part.v_end.x) * h / (0.25 * w->radius));
    int count = 0, place[2 * RI_SLICE_MAX]; // in `packed`
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < w->slices; i++) {
            if (!x->ground.soil[i])
                continue;
            const RiVec3 p = ri_wheel_run_place(x, (side ? -0.4 : 0.4) * w->radius, w->slice_y[i], -0.9 * w->radius);
            place[count] = 2 * i + side;
            px[count] = p.x;
            py[count++] = p.y;
        }
    ri_ruts_packed_many(s->ruts, count, px, py, seen);
    for (int k = 0; k < count; k++)
        packed[place[k]] += share * (seen[k] - packed[place[k]]);
}

/// How far behind its lowest line a rim is deeper than it was at the last stamp, where it has moved
/// on and sunk since. There,
///
///     sqrt(r^2 - d^2) > sqrt(r^2 - (d - moved)^2) - sunk,    for small angles    d < r sunk / moved + moved / 2
///
/// so a wheel that sinks on the spot presses all of the arc behind it, and one that rolls on a
/// level what it has passed.
static double pressed_back(const RiWheelRun *x, double moved, double sunk)
{
    const double r = x->wheel.radius, deep = fmin(fmax(x->shown.sinkage, 0.0), r), arc = sqrt(deep * (2.0 * r - deep));
    const double deeper = sunk > 0.0 ? r * sunk / fmax(moved, 1e-9) + 0.5 * moved : 0.0;
    return fmin(fmax(moved, deeper), arc);
}

RiStatus ri_wheel_run_stamp(RiSim *s, RiWheelRun *x, double h)
{
    double *last = x->part.kept;
    const double rolling = x->part.memory[0], cell = ri_ruts_cell(s->ruts), r = x->wheel.radius;
    const RiVec3 was = ri_vec3(last[RI_KEPT_STAMP_X], last[RI_KEPT_STAMP_Y], last[RI_KEPT_STAMP_Z]);
    const RiVec3 way = ri_rotate_back(&x->part.R, ri_sub(x->part.origin, was));
    const bool first = ri_norm(was) == 0.0, berms = s->soil->patch != NULL;
    const double moved = ri_hypot(way.x, way.y), sunk = first ? r : -way.z, stride = berms ? cell : 0.5 * cell;
    last[RI_KEPT_PENDING] += berms ? dug_in(s, x, h) : 0.0;
    const double enough = SINK_STEP * x->wheel.width * r / (cell * cell * RI_QUANTUM);
    if (fabs(rolling) < 0.5 || (moved < stride && sunk < SINK_STEP && last[RI_KEPT_PENDING] < enough))
        return RI_OK;
    Stamp now = {.sign = rolling > 0.0 ? 1.0 : -1.0, .back = fmin(pressed_back(x, moved, sunk) + cell, 0.99 * r)};
    now.passed = first ? 0.0 : fmin(now.sign * way.x, now.back);
    last[RI_KEPT_STAMP_X] = x->part.origin.x;
    last[RI_KEPT_STAMP_Y] = x->part.origin.y;
    last[RI_KEPT_STAMP_Z] = x->part.origin.z;
    RI_TRY(press_cells(s, x, &now));
    return berms ? move_soil(s, x, &now) : RI_OK;
}
