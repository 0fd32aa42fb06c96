// SPDX-License-Identifier: Apache-2.0
/// \file
/// Displaced soil on the cells around a wheel. See berm.h.
///
/// **Relaxation.** A loose cell that stands higher above a neighbour (of 8) than the angle of repose allows gives so much that the difference is AT_REST of what is
/// allowed: a slope starts to slide at one angle and comes to rest at a lower one, so a pile is at rest after few sweeps. Cells are
/// visited row by row, every other sweep backwards: the order depends on nothing but the sweep. Only loose soil slides; pressed soil and ground as it was
/// keep their walls.
#include "soil/berm.h"

#include <math.h>

static const double AT_REST = 0.95;     ///< slope at which sliding soil stops, in slopes at which it starts
static const double BERM_REACH = 0.5;   ///< of the patch beside the wheel, in radii
static const double AHEAD = 1.25;       ///< of the patch before and behind the hub, in radii
static const double HEAP = 0.5;         ///< length of a heap before or behind the contact, in radii
static const double DIG_SHARE = 0.25;   ///< of what lies above the rim, at most, in one go
static const double HIGHEST = 16777216; ///< quanta that a float holds exactly: 1 m

int32_t ri_berm_quanta(double depth)
{
    const double q = rint(depth / RI_QUANTUM);
    return (int32_t)(q > HIGHEST ? HIGHEST : q < -HIGHEST ? -HIGHEST : q);
}

// --- the patch ------------------------------------------------------------------------------------------------------------------

static void extent(double radius, double width, double cell, double *out_along, double *out_across)
{
    *out_along = AHEAD * radius + 2.0 * cell;
    *out_across = 0.5 * width + BERM_REACH * radius + 2.0 * cell;
}

int ri_berm_room(double radius, double width, double cell)
{
    double along, across;
    extent(radius, width, cell, &along, &across);
    const double side = ceil(2.0 * hypot(along, across) / cell) + 2.0;
    return side <= RI_BERM_SIDE_MAX ? (int)(side * side) : 0;
}

static void bound(const RiRuts *r, const RiBermWheel *w, RiBermPatch *p)
{
    double along, across;
    extent(w->radius, w->width, ri_ruts_cell(r), &along, &across);
    const double x = fabs(w->R.m[0][0]) * along + fabs(w->R.m[0][1]) * across;
    const double y = fabs(w->R.m[1][0]) * along + fabs(w->R.m[1][1]) * across;
    int i1, j1;
    ri_ruts_cell_at(r, w->hub.x - x, w->hub.y - y, &p->i0, &p->j0);
    ri_ruts_cell_at(r, w->hub.x + x, w->hub.y + y, &i1, &j1);
    p->nx = i1 - p->i0 + 1;
    p->ny = j1 - p->j0 + 1;
    while ((int64_t)p->nx * p->ny > p->room) // a hair beyond what was foreseen
        p->nx--, p->ny--;
}

/// A cell's centre at the height of its surface, in the wheel frame.
static RiVec3 seen_from(const RiBermPatch *p, const RiRuts *r, const RiBermWheel *w, int k)
{
    const RiVec3 c = ri_ruts_centre(r, p->i0 + k % p->nx, p->j0 + k / p->nx);
    const double z = (p->base[k] - p->depth[k]) * RI_QUANTUM - w->radius;
    return ri_rotate_back(&w->R, ri_vec3(c.x - w->hub.x, c.y - w->hub.y, z));
}

/// How far a point is above the rim; -INFINITY beside the wheel.
static double above_rim(const RiBermWheel *w, RiVec3 at)
{
    if (fabs(at.y) > 0.5 * w->width || fabs(at.x) >= w->radius)
        return -INFINITY;
    return at.z + sqrt(w->radius * w->radius - at.x * at.x);
}

typedef enum Place { NOWHERE, LEFT, RIGHT, BEFORE, BEHIND, PLACES } Place;
enum { PLACE_SHIFT = 4 }; ///< of a place in a cell's state

/// Where a free cell lies, for soil that is laid down.
static Place place_of(const RiBermWheel *w, double cell, double chord, RiVec3 at)
{
    const double half = 0.5 * w->width, strip = fmax(2.0 * cell, 0.125 * w->radius), x = w->sign * at.x,
                 heap = HEAP * w->radius;
    if (fabs(at.y) > half && fabs(at.y) <= half + strip && x <= cell && x >= -w->back)
        return at.y > 0.0 ? LEFT : RIGHT;
    if (fabs(at.y) > half)
        return NOWHERE;
    if (x > 0.0 && x <= chord + heap)
        return BEFORE;
    return x < 0.0 && x >= -chord - heap ? BEHIND : NOWHERE;
}

static Place place_at(const RiBermPatch *p, int k)
{
    return (Place)(p->state[k] >> PLACE_SHIFT);
}

void ri_berm_load(const RiTerrain *t, const RiRuts *r, const RiBermWheel *w, RiBermPatch *p)
{
    bound(r, w, p);
    const double zero = w->hub.z - w->radius, cell = ri_ruts_cell(r), chord = w->radius * sin(w->entry);
    for (int k = 0; k < p->nx * p->ny; k++) {
        const int i = p->i0 + k % p->nx, j = p->j0 + k / p->nx;
        const RiVec3 c = ri_ruts_centre(r, i, j);
        const RiRut rut = ri_ruts_get(r, i, j);
        RiHeight h;
        const bool there = ri_terrain_height(t, c.x, c.y, &h) && fabs(h.z - zero) < 100.0;
        p->base[k] = there ? (int32_t)rint((h.z - zero) / RI_QUANTUM) : 0;
        p->depth[k] = ri_berm_quanta((double)rut.depth);
        p->loose[k] = ri_berm_quanta((double)rut.loose);
        p->state[k] = RI_BERM_OUT;
        if (!there)
            continue;
        const RiVec3 at = seen_from(p, r, w, k);
        const bool held = above_rim(w, at) > -0.01 * cell;
        p->state[k] = (unsigned char)(held ? RI_BERM_HELD : place_of(w, cell, chord, at) << PLACE_SHIFT);
    }
}

RiStatus ri_berm_store(const RiBermPatch *p, RiRuts *r)
{
    for (int k = 0; k < p->nx * p->ny; k++) {
        if (!(p->state[k] & RI_BERM_NEW))
            continue;
        const int i = p->i0 + k % p->nx, j = p->j0 + k / p->nx;
        RiRut rut = ri_ruts_get(r, i, j);
        rut.depth = (float)(p->depth[k] * RI_QUANTUM);
        rut.loose = (float)(p->loose[k] * RI_QUANTUM);
        RI_TRY(ri_ruts_set(r, i, j, &rut));
    }
    return RI_OK;
}

/// Loose soil that a cell gets, or gives if it is less than 0.
static void add_loose(RiBermPatch *p, int k, int32_t amount)
{
    p->depth[k] -= amount;
    p->loose[k] = p->loose[k] + amount > 0 ? p->loose[k] + amount : 0;
    p->state[k] |= RI_BERM_NEW;
}

// --- laying down ------------------------------------------------------------------------------------------------------------------

/// Lays an amount down on all cells of a place, evenly; what finds no cell comes back.
static int64_t lay(RiBermPatch *p, Place place, int64_t amount)
{
    int64_t cells = 0, left = amount;
    for (int k = 0; amount > 0 && k < p->nx * p->ny; k++)
        cells += place_at(p, k) == place;
    if (cells == 0)
        return amount;
    const int64_t each = amount / cells, more = amount % cells;
    int64_t n = 0;
    for (int k = 0; left > 0 && k < p->nx * p->ny; k++) {
        if (place_at(p, k) != place)
            continue;
        const int64_t part = each + (n++ < more);
        add_loose(p, k, (int32_t)part);
        left -= part;
    }
    return left;
}

int64_t ri_berm_spread(RiBermPatch *p, const RiBermWheel *w, int64_t displaced)
{
    const double slip = w->slip < -1.0 ? -1.0 : w->slip > 1.0 ? 1.0 : w->slip;
    const double side = w->side < -1.0 ? -1.0 : w->side > 1.0 ? 1.0 : w->side;
    const int64_t along = (int64_t)(fabs(slip) * (double)displaced);
    const int64_t left = (int64_t)(0.5 * (1.0 + side) * (double)(displaced - along));
    int64_t rest = lay(p, slip < 0.0 ? BEFORE : BEHIND, along);
    rest += lay(p, LEFT, left);
    rest += lay(p, RIGHT, displaced - along - left);
    for (Place place = LEFT; place < PLACES && rest > 0; place++)
        rest = lay(p, place, rest);
    return rest;
}

int64_t ri_berm_dig(RiBermPatch *p, const RiRuts *r, const RiBermWheel *w, int64_t wanted)
{
    int64_t sum = 0, taken = 0;
    const int count = p->nx * p->ny;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++) {
            if (!(p->state[k] & RI_BERM_HELD))
                continue;
            const RiVec3 at = seen_from(p, r, w, k);
            const int32_t over = w->sign * at.x > 0.0 ? ri_berm_quanta(DIG_SHARE * above_rim(w, at)) : 0;
            if (over <= 0)
                continue;
            if (pass == 0) {
                sum += over;
                continue;
            }
            const int64_t part = wanted < sum ? (int64_t)((double)over * ((double)wanted / (double)sum)) : over;
            if ((double)(p->depth[k] + part) > HIGHEST)
                continue;
            add_loose(p, k, (int32_t)-part);
            taken += part;
        }
    int64_t rest = lay(p, BEHIND, taken);
    for (Place place = LEFT; place < PLACES && rest > 0; place++)
        rest = lay(p, place, rest);
    for (int k = 0; k < count && rest > 0; k++) // nowhere to go: back to where it came from
        if (p->state[k] & RI_BERM_HELD && p->state[k] & RI_BERM_NEW) {
            add_loose(p, k, (int32_t)rest);
            taken -= rest;
            rest = 0;
        }
    return taken;
}

// --- sliding ------------------------------------------------------------------------------------------------------------------------

/// Lets cell (i, j) slide down to its neighbours; true if it moved.
static bool slide(RiBermPatch *p, int i, int j, const int32_t steep[2], const int32_t rest[2])
{
    static const int di[8] = {1, -1, 0, 0, 1, -1, 1, -1}, dj[8] = {0, 0, 1, -1, 1, -1, -1, 1};
    const int a = j * p->nx + i;
    bool moved = false;
    for (int n = 0; n < 8 && p->loose[a] > 0; n++) {
        const int ni = i + di[n], nj = j + dj[n], b = nj * p->nx + ni, diagonal = n >= 4;
        if (ni < 0 || nj < 0 || ni >= p->nx || nj >= p->ny || p->state[b] & (RI_BERM_OUT | RI_BERM_HELD))
            continue;
        const int64_t drop = (int64_t)(p->base[a] - p->depth[a]) - (p->base[b] - p->depth[b]);
        if (drop <= steep[diagonal])
            continue;
        const int64_t half = (drop - rest[diagonal] + 1) / 2;
        const int32_t amount = half < p->loose[a] ? (int32_t)half : p->loose[a];
        add_loose(p, a, -amount);
        add_loose(p, b, amount);
        moved = true;
    }
    return moved;
}

/// One row of a sweep; true if something moved.
static bool slide_row(RiBermPatch *p, int j, bool back, const int32_t steep[2], const int32_t rest[2])
{
    bool moved = false;
    for (int n = 0; n < p->nx; n++) {
        const int i = back ? p->nx - 1 - n : n, k = j * p->nx + i;
        if (p->loose[k] > 0 && !(p->state[k] & (RI_BERM_OUT | RI_BERM_HELD)))
            moved |= slide(p, i, j, steep, rest);
    }
    return moved;
}

bool ri_berm_relax(RiBermPatch *p, double cell, double repose, int sweeps)
{
    const int32_t steep[2] = {(int32_t)(repose * cell / RI_QUANTUM), (int32_t)(repose * cell * M_SQRT2 / RI_QUANTUM)};
    const int32_t rest[2] = {(int32_t)(AT_REST * steep[0]), (int32_t)(AT_REST * steep[1])};
    int until[RI_BERM_SIDE_MAX] = {0}; // last sweep that must visit a row: nothing has moved near the others
    for (int sweep = 0; sweep < sweeps; sweep++) {
        bool moved = false;
        for (int n = 0; n < p->ny; n++) {
            const int j = sweep & 1 ? p->ny - 1 - n : n;
            if (until[j] < sweep || !slide_row(p, j, sweep & 1, steep, rest))
                continue;
            moved = true;
            until[j] = sweep + 1;
            if (j > 0)
                until[j - 1] = sweep + 1;
            if (j + 1 < p->ny)
                until[j + 1] = sweep + 1;
        }
        if (!moved)
            return true;
    }
    return false;
}
