// SPDX-License-Identifier: Apache-2.0
/// \file
/// Displaced soil on the cells around a wheel. See berm.h.
///
/// **Relaxation.** A loose cell that is higher above a neighbour (of 8) than the angle of
/// repose allows gives so much that the difference is AT_REST of what is allowed: a slope starts to
/// slide at one angle and comes to rest at a lower one, so a pile is at rest after few sweeps. All
/// cells of a sweep see the surface as it was before it, so no order of cells enters: ground and
/// its mirror image, or ground turned by a quarter, slide alike to the bit. Where several cells
/// give to one, or one gives to several, each gives the less. Only loose soil slides; pressed soil
/// and ground as it was keep their walls. A row in which no cell is too high is known from one
/// look at its surface (kernel `steep`) and left alone: the same as a visit.
///
/// **Laying down** is symmetric too: every cell of a place gets the same whole number of quanta.
/// What does not divide evenly, less than a quantum per cell, is handed back.
#include "soil/berm.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/functions.h"
#include "soil/node.h"

static const double AT_REST = 0.95;     ///< slope at which sliding soil stops, in slopes at which it starts
static const double BERM_REACH = 0.5;   ///< of the patch beside the wheel, in radii
static const double AHEAD = 1.25;       ///< of the patch before and behind the hub, in radii
static const double HEAP = 0.5;         ///< length of a heap before or behind the contact, in radii
static const double DIG_SHARE = 0.25;   ///< of what lies above the rim, at most, in one go
static const double HIGHEST = 16777216; ///< quanta that a float holds exactly: 1 m

/// To the nearest whole number, |x| < 2^31: its bits after adding 1.5 * 2^52.
static int32_t nearest(double x)
{
    const double sum = x + 6755399441055744.0;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return (int32_t)(uint32_t)bits;
}

int32_t ri_berm_quanta(double depth)
{
    const double q = depth * (1.0 / RI_QUANTUM);
    return nearest(q > HIGHEST ? HIGHEST : q < -HIGHEST ? -HIGHEST : q);
}

// --- the patch -----------------------------------------------------------------------------------

static void extent(double radius, double width, double cell, double *out_along, double *out_across)
{
    *out_along = AHEAD * radius + 2.0 * cell;
    *out_across = 0.5 * width + BERM_REACH * radius + 2.0 * cell;
}

int ri_berm_side(double radius, double width, double cell)
{
    double along, across;
    extent(radius, width, cell, &along, &across);
    const double side = ceil(2.0 * ri_hypot(along, across) / cell) + 2.0;
    return side <= RI_BERM_SIDE_MAX ? (int)side : 0;
}

int ri_berm_room(double radius, double width, double cell)
{
    const int side = ri_berm_side(radius, width, cell);
    return side * side;
}

static void bound(const RiRuts *r, const RiBermWheel *w, RiBermPatch *p)
{
    double along, across;
    extent(w->radius, w->width, ri_ruts_cell(r), &along, &across);
    const double x = fabs(w->R.m[0][0]) * along + fabs(w->R.m[0][1]) * across;
    const double y = fabs(w->R.m[1][0]) * along + fabs(w->R.m[1][1]) * across;
    const int side = p->ground->side;
    int i1, j1;
    ri_ruts_cell_at(r, w->hub.x - x, w->hub.y - y, &p->i0, &p->j0);
    ri_ruts_cell_at(r, w->hub.x + x, w->hub.y + y, &i1, &j1);
    p->nx = i1 - p->i0 + 1 < side ? i1 - p->i0 + 1 : side; // a hair beyond what was foreseen
    p->ny = j1 - p->j0 + 1 < side ? j1 - p->j0 + 1 : side;
}

// --- the ground as it was ------------------------------------------------------------------------

/// x modulo n, not negative.
static int wrap(int x, int n)
{
    const int rest = x % n;
    return rest < 0 ? rest + n : rest;
}

/// Heights of the cells i0 to i1 - 1 of a row.
static void ask_row(const RiTerrain *t, const RiRuts *r, RiBermGround *g, int j, int i0, int i1)
{
    enum { AT_ONCE = 64 };
    double x[AT_ONCE], y[AT_ONCE];
    RiHeight h[AT_ONCE];
    bool found[AT_ONCE];
    double *row = g->z + (size_t)wrap(j, g->side) * (size_t)g->side;
    for (int first = i0; first < i1; first += AT_ONCE) {
        const int n = i1 - first < AT_ONCE ? i1 - first : AT_ONCE;
        for (int k = 0; k < n; k++) {
            const RiVec3 c = ri_ruts_centre(r, first + k, j);
            x[k] = c.x;
            y[k] = c.y;
        }
        ri_terrain_height_many(t, n, x, y, h, found);
        for (int k = 0; k < n; k++)
            row[wrap(first + k, g->side)] = found[k] ? h[k].z : NAN;
    }
}

/// Knows the heights of all cells of a patch: asks for those that the last one did not have.
static void take_heights(const RiTerrain *t, const RiRuts *r, const RiBermPatch *p)
{
    RiBermGround *g = p->ground;
    const int i1 = p->i0 + p->nx;
    for (int j = p->j0; j < p->j0 + p->ny; j++) {
        const bool known = j >= g->j0 && j < g->j0 + g->ny && g->i0 < i1 && g->i0 + g->nx > p->i0;
        ask_row(t, r, g, j, p->i0, known ? g->i0 : i1);
        if (known)
            ask_row(t, r, g, j, g->i0 + g->nx, i1);
    }
    g->i0 = p->i0;
    g->j0 = p->j0;
    g->nx = p->nx;
    g->ny = p->ny;
}

// --- the cells -----------------------------------------------------------------------------------

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

/// Base and depths of row j of a patch; a cell without ground is out.
static void load_row(const RiRuts *r, double zero, int j, RiBermPatch *p)
{
    const RiBermGround *g = p->ground;
    const double *z = g->z + (size_t)wrap(p->j0 + j, g->side) * (size_t)g->side;
    const int row = j * p->nx;
    for (int i = 0, at = wrap(p->i0, g->side); i < p->nx; i++, at = at + 1 < g->side ? at + 1 : 0) {
        const double above = z[at] - zero;
        const bool there = fabs(above) < 100.0;
        p->base[row + i] = nearest(there ? above * (1.0 / RI_QUANTUM) : 0.0);
        p->state[row + i] = there ? 0 : RI_BERM_OUT;
    }
    for (int i = 0, count; i < p->nx; i += count) {
        const RiRut *run = ri_ruts_run(r, p->i0 + i, p->j0 + j, p->nx - i, &count);
        for (int k = 0; k < count; k++) {
            p->depth[row + i + k] = run ? ri_berm_quanta((double)run[k].depth) : 0;
            p->loose[row + i + k] = run ? ri_berm_quanta((double)run[k].loose) : 0;
        }
    }
}

/// What each cell of row j is to the wheel.
static void place_row(const RiRuts *r, const RiBermWheel *w, int j, RiBermPatch *p)
{
    const double cell = ri_ruts_cell(r), chord = w->radius * ri_sin(w->entry);
    const double wide = 0.5 * w->width + fmax(2.0 * cell, 0.125 * w->radius),
                 ahead = fmax(fmax(w->radius, w->back), chord + HEAP * w->radius);
    for (int k = j * p->nx; k < (j + 1) * p->nx; k++) {
        if (p->state[k] & RI_BERM_OUT)
            continue;
        const RiVec3 at = seen_from(p, r, w, k);
        if (fabs(at.y) > wide || fabs(at.x) > ahead)
            continue;
        const bool held = above_rim(w, at) > -0.01 * cell;
        p->state[k] = (unsigned char)(held ? RI_BERM_HELD : place_of(w, cell, chord, at) << PLACE_SHIFT);
        if (p->state[k])
            p->near[p->near_count++] = k;
    }
}

void ri_berm_load(const RiTerrain *t, const RiRuts *r, const RiBermWheel *w, RiBermPatch *p)
{
    bound(r, w, p);
    take_heights(t, r, p);
    p->near_count = 0;
    for (int j = 0; j < p->ny; j++) {
        load_row(r, w->hub.z - w->radius, j, p);
        place_row(r, w, j, p);
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

// --- laying down ---------------------------------------------------------------------------------

static int64_t count_cells(const RiBermPatch *p, Place place)
{
    int64_t cells = 0;
    for (int n = 0; n < p->near_count; n++)
        cells += place_at(p, p->near[n]) == place;
    return cells;
}

/// Lays an amount down on all cells of a place, the same on each; what does not divide evenly, or
/// finds no cell, comes back.
static int64_t lay(RiBermPatch *p, Place place, int64_t amount)
{
    const int64_t cells = amount > 0 ? count_cells(p, place) : 0, each = cells > 0 ? amount / cells : 0;
    for (int n = 0; each > 0 && n < p->near_count; n++)
        if (place_at(p, p->near[n]) == place)
            add_loose(p, p->near[n], (int32_t)each);
    return amount - cells * each;
}

/// Lays an amount down wherever there is a cell: on both sides alike, else before, else behind.
static int64_t lay_anywhere(RiBermPatch *p, int64_t amount)
{
    const bool left = count_cells(p, LEFT) > 0, right = count_cells(p, RIGHT) > 0;
    const int64_t half = left && right ? amount / 2 : amount;
    int64_t rest = amount - (left ? half : 0) - (right ? half : 0);
    rest += left ? lay(p, LEFT, half) : 0;
    rest += right ? lay(p, RIGHT, half) : 0;
    return lay(p, BEHIND, lay(p, BEFORE, rest));
}

int64_t ri_berm_spread(RiBermPatch *p, const RiBermWheel *w, int64_t displaced)
{
    const double slip = w->slip < -1.0 ? -1.0 : w->slip > 1.0 ? 1.0 : w->slip;
    const double side = w->side < -1.0 ? -1.0 : w->side > 1.0 ? 1.0 : w->side;
    const int64_t along = (int64_t)(fabs(slip) * (double)displaced), beside = displaced - along;
    const int64_t left = (int64_t)(0.5 * (1.0 + side) * (double)beside);
    const int64_t right = (int64_t)(0.5 * (1.0 - side) * (double)beside);
    RI_ASSERT(left + right <= beside);
    int64_t rest = beside - left - right; // less than 2
    rest += lay(p, slip < 0.0 ? BEFORE : BEHIND, along);
    rest += lay(p, LEFT, left);
    rest += lay(p, RIGHT, right);
    return lay_anywhere(p, rest);
}

int64_t ri_berm_dig(RiBermPatch *p, const RiRuts *r, const RiBermWheel *w, int64_t wanted, int64_t *out_rest)
{
    int64_t sum = 0, taken = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < p->near_count; n++) {
            const int k = p->near[n];
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
    *out_rest = lay(p, BEHIND, taken);
    return taken - *out_rest;
}

// --- sliding -------------------------------------------------------------------------------------

/// How steep soil may stand, and at what it comes to rest: drops to a neighbour beside and to a
/// diagonal one [quanta].
typedef struct Repose {
    int32_t steep[2], rest[2];
} Repose;

static const int di[8] = {1, -1, 0, 0, 1, -1, 1, -1}, dj[8] = {0, 0, 1, -1, 1, -1, -1, 1};

/// The n-th neighbour of cell (i, j) if soil may slide there, and how far it lies below; -1 else.
static int lower(const RiBermPatch *p, int i, int j, int n, const Repose *x, int64_t *out_drop)
{
    const int ni = i + di[n], nj = j + dj[n], a = j * p->nx + i, b = nj * p->nx + ni;
    if (ni < 0 || nj < 0 || ni >= p->nx || nj >= p->ny || p->surface[b] == INT32_MAX)
        return -1;
    *out_drop = (int64_t)p->surface[a] - p->surface[b];
    return *out_drop > x->steep[n >= 4] ? b : -1;
}

static bool may_slide(const RiBermPatch *p, int k)
{
    return p->loose[k] > 0 && p->surface[k] != INT32_MAX;
}

/// The neighbours of a cell within the patch to which it slides: one bit each.
static unsigned ways_inside(const RiBermPatch *p, int k, const Repose *x)
{
    const int32_t *at = p->surface + k, up = p->nx;
    const int32_t beside[4] = {at[1], at[-1], at[up], at[-up]};
    const int32_t diagonal[4] = {at[1 + up], at[-1 - up], at[1 - up], at[-1 + up]};
    unsigned ways = 0;
    for (int n = 0; n < 4; n++) {
        ways |= (unsigned)(beside[n] != INT32_MAX && (int64_t)*at - beside[n] > x->steep[0]) << n;
        ways |= (unsigned)(diagonal[n] != INT32_MAX && (int64_t)*at - diagonal[n] > x->steep[1]) << (4 + n);
    }
    return ways;
}

/// The same of a cell on the patch's border.
static unsigned ways_at_border(const RiBermPatch *p, int i, int j, const Repose *x)
{
    unsigned ways = 0;
    int64_t drop;
    for (int n = 0; n < 8; n++)
        if (lower(p, i, j, n, x, &drop) >= 0)
            ways |= 1U << n;
    return ways;
}

/// Marks to which neighbours the cells of row j slide; true if one does.
static bool find_ways(RiBermPatch *p, int j, const Repose *x)
{
    unsigned any = 0;
    for (int i = 0; i < p->nx; i++) {
        const int a = j * p->nx + i;
        const bool inside = i > 0 && j > 0 && i < p->nx - 1 && j < p->ny - 1;
        const unsigned ways = !may_slide(p, a) ? 0 : inside ? ways_inside(p, a, x) : ways_at_border(p, i, j, x);
        for (int n = 0; n < 8 && ways >> n != 0; n++)
            if (ways >> n & 1)
                p->givers[a + dj[n] * p->nx + di[n]]++;
        p->ways[a] = (unsigned char)ways;
        any |= ways;
    }
    return any != 0;
}

/// What a cell gives to each of its neighbours, at most what is loose in all. What does not divide
/// evenly goes down the steepest way, and stays where two are equal.
static void share_out(int32_t loose, const int64_t excess[8], int64_t give[8])
{
    int64_t sum = 0, given = 0;
    int steepest = 0, equal = 0;
    for (int n = 0; n < 8; n++)
        sum += give[n];
    if (sum <= loose)
        return;
    for (int n = 0; n < 8; n++) {
        give[n] = give[n] * loose / sum;
        given += give[n];
        equal = excess[n] > excess[steepest] ? 0 : equal + (n > 0 && excess[n] == excess[steepest]);
        steepest = excess[n] > excess[steepest] ? n : steepest;
    }
    if (equal == 0)
        give[steepest] += loose - given;
}

/// What cell (i, j) gives to its neighbours, into `gain` of both.
static void slide(RiBermPatch *p, int i, int j, const Repose *x)
{
    const int a = j * p->nx + i;
    int64_t excess[8] = {0}, give[8] = {0};
    int out = 0;
    for (int n = 0; n < 8; n++)
        out += p->ways[a] >> n & 1;
    for (int n = 0; n < 8; n++) {
        const int b = a + dj[n] * p->nx + di[n];
        if (!(p->ways[a] >> n & 1))
            continue;
        excess[n] = (int64_t)p->surface[a] - p->surface[b] - x->rest[n >= 4];
        const int64_t half = (excess[n] + 1) / 2, among = out > p->givers[b] ? out : p->givers[b];
        give[n] = half > among ? half / among : 1;
    }
    share_out(p->loose[a], excess, give);
    for (int n = 0; n < 8; n++)
        if (give[n] > 0) {
            p->gain[a] -= (int32_t)give[n];
            p->gain[a + dj[n] * p->nx + di[n]] += (int32_t)give[n];
        }
}

static void slide_row(RiBermPatch *p, int j, const Repose *x)
{
    for (int i = 0; i < p->nx; i++)
        if (p->ways[j * p->nx + i])
            slide(p, i, j, x);
}

/// Gives the cells of row j what they gain in a sweep; true if something moved.
static bool settle_row(RiBermPatch *p, int j)
{
    bool moved = false;
    for (int k = j * p->nx; k < (j + 1) * p->nx; k++) {
        if (p->gain[k] != 0) {
            add_loose(p, k, p->gain[k]);
            p->surface[k] += p->gain[k];
            moved = true;
        }
        p->gain[k] = 0;
        p->givers[k] = 0;
    }
    return moved;
}

/// Whether cell (i, j) would slide.
static bool is_steep(const RiBermPatch *p, int i, int j, const Repose *x)
{
    bool steep = false;
    int64_t drop;
    for (int n = 0; n < 8 && may_slide(p, j * p->nx + i) && !steep; n++)
        steep = lower(p, i, j, n, x, &drop) >= 0;
    return steep;
}

/// Whether a cell of row j would slide: those within by many at once, those on the border one by
/// one.
static bool row_is_steep(const RiBermPatch *p, const RiNodeKernels *k, int j, const Repose *x)
{
    const bool inside = j > 0 && j < p->ny - 1 && p->nx > 2;
    bool steep = false;
    for (int i = 0; i < p->nx && !steep; i += inside ? p->nx - 1 : 1)
        steep = is_steep(p, i, j, x);
    const int first = j * p->nx + 1;
    return steep ||
           (inside && k->steep(p->nx - 2, p->nx, p->surface + first, p->loose + first, x->steep[0], x->steep[1]));
}

static void find_surface(RiBermPatch *p)
{
    for (int k = 0; k < p->nx * p->ny; k++) {
        p->surface[k] = p->state[k] & (RI_BERM_OUT | RI_BERM_HELD) ? INT32_MAX : p->base[k] - p->depth[k];
        p->gain[k] = 0;
        p->givers[k] = 0;
    }
}

/// Rows around `middle` that a sweep may change.
static int first_near(int middle)
{
    return middle > 0 ? middle - 1 : 0;
}

static int last_near(const RiBermPatch *p, int middle)
{
    return middle + 1 < p->ny ? middle + 1 : middle;
}

/// One sweep. `until` is the last sweep that must look at a row, because something moved near it.
static bool sweep_once(RiBermPatch *p, const RiNodeKernels *kernels, const Repose *x, int sweep,
                       int until[RI_BERM_SIDE_MAX])
{
    bool steep[RI_BERM_SIDE_MAX], moved = false;
    for (int j = 0; j < p->ny; j++)
        steep[j] = until[j] >= sweep && row_is_steep(p, kernels, j, x) && find_ways(p, j, x);
    for (int j = 0; j < p->ny; j++)
        if (steep[j])
            slide_row(p, j, x);
    for (int j = 0; j < p->ny; j++)
        if ((steep[first_near(j)] || steep[j] || steep[last_near(p, j)]) && settle_row(p, j)) {
            moved = true;
            for (int near = first_near(j); near <= last_near(p, j); near++)
                until[near] = sweep + 1;
        }
    return moved;
}

bool ri_berm_relax(RiBermPatch *p, double cell, double repose, int sweeps)
{
    const int32_t steep[2] = {(int32_t)(repose * cell / RI_QUANTUM), (int32_t)(repose * cell * M_SQRT2 / RI_QUANTUM)};
    const Repose x = {{steep[0], steep[1]}, {(int32_t)(AT_REST * steep[0]), (int32_t)(AT_REST * steep[1])}};
    const RiNodeKernels *kernels = ri_node_kernels_find(NULL);
    int until[RI_BERM_SIDE_MAX] = {0};
    find_surface(p);
    bool moved = true;
    for (int sweep = 0; sweep < sweeps && moved; sweep++)
        moved = sweep_once(p, kernels, &x, sweep, until);
    return !moved;
}
