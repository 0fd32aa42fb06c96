// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pages of a large map: pool, misses, filling of holes from coarser levels.
///
/// **Holes.** A missing value is taken from the next coarser level, bilinearly between the centres
/// of its values, where that has holes from the one above, and so on. Each value depends on its
/// place alone, not on the page it is read for: neighbouring pages agree. (That needs a coarsest
/// level of at most 64 x 64 values; in a larger one holes get the mean of the page.)
#include "terrain/pages.h"

#include <math.h>
#include <string.h>

#include "terrain/heights.h"

enum {
    PAGE_ABSENT = -1,
    PAGE_BAD = -2,
    BLOCKS = RI_PAGE_CELLS / RI_HEIGHTS_BLOCK,
    HOLE_WORDS = RI_PAGE_CELLS * RI_PAGE_CELLS / 32
};
enum { VALUES = RI_PAGE_SIDE * RI_PAGE_SIDE, SQUARES = 1024 + 256 + 64 + 16 + 4 + 1 };

#define HEIGHT_MOST 1e9f ///< [m]: larger values are no heights

struct RiPageSlot {
    unsigned sequence; ///< odd while it is being rewritten
    int page;
    long long stamp; ///< the clock when it was last used
    int has_holes;
    float *values;     ///< VALUES, row by row
    float (*range)[2]; ///< SQUARES, level by level
    float *curvature;  ///< of the squares of level 0
    uint32_t *holes;   ///< HOLE_WORDS: one bit per cell
};

static float load_float(const float *from)
{
    float x;
    __atomic_load((float *)(uintptr_t)from, &x, __ATOMIC_ACQUIRE);
    return x;
}

static void store_float(float *to, float x)
{
    __atomic_store(to, &x, __ATOMIC_RELEASE);
}

// --- holes ---------------------------------------------------------------------------------------

static int level_size(int n, int level)
{
    return (int)(((long long)n + (1LL << level) - 1) >> level);
}

/// Columns (or rows) of the next level that n from `first` lie between; centre c of it is at 2
/// c + 1/2.
static void coarse_window(int first, int n, int size, int *out_first, int *out_count)
{
    const int low = (first - 1) >> 1, high = ((first + n - 2) >> 1) + 1; // floor((k - 1/2) / 2) = floor((k - 1) / 2)
    const int from = low < 0 ? 0 : low < size ? low : size - 1, to = high < size ? high : size - 1;
    *out_first = from;
    *out_count = (to > from ? to : from) - from + 1;
}

size_t ri_pages_room(int nx, int ny)
{
    size_t room = (size_t)nx * (size_t)ny;
    for (int level = 1; level < 32; level++) { // n values lie between at most n / 2 + 3 of the next level
        nx = nx / 2 + 3;
        ny = ny / 2 + 3;
        room += (size_t)nx * (size_t)ny;
    }
    return room;
}

static double between(const float *v, int nx, int ny, double u, double w)
{
    u = fmin(fmax(u, 0.0), nx - 1.0);
    w = fmin(fmax(w, 0.0), ny - 1.0);
    const int a = (int)u, b = (int)w, a1 = a + 1 < nx ? a + 1 : a, b1 = b + 1 < ny ? b + 1 : b;
    const double s = u - a, t = w - b;
    const float *south = v + (size_t)b * (size_t)nx, *north = v + (size_t)b1 * (size_t)nx;
    return (1.0 - t) * ((1.0 - s) * (double)south[a] + s * (double)south[a1]) +
           t * ((1.0 - s) * (double)north[a] + s * (double)north[a1]);
}

/// Reads a window; what is no height becomes missing. Under the lock.
static RiStatus read_window(RiPages *p, int level, int i, int j, int nx, int ny, float *v, bool *out_missing)
{
    RI_TRY(p->source.read(p->source.user, level, i, j, nx, ny, v));
    ri_heights_settle(v, (size_t)nx * (size_t)ny);
    *out_missing = false;
    for (size_t k = 0; k < (size_t)nx * (size_t)ny; k++) {
        v[k] = fabsf(v[k]) <= HEIGHT_MOST ? v[k] : NAN;
        *out_missing |= isnan(v[k]) != 0;
    }
    return RI_OK;
}

/// Mean of the known values; NAN if there is none.
static float mean_of(const float *v, size_t count)
{
    double sum = 0.0;
    size_t known = 0;
    for (size_t k = 0; k < count; k++)
        if (!isnan(v[k])) {
            sum += (double)v[k];
            known++;
        }
    return known ? (float)(sum / (double)known) : NAN;
}

/// Missing values of the coarsest level: the mean of all of it if it is small, else of the window.
/// Under the lock.
static RiStatus fill_flat(RiPages *p, float *v, size_t count)
{
    enum { SMALL = 64 * 64 };
    const int level = p->source.levels - 1, nx = level_size(p->nx, level), ny = level_size(p->ny, level);
    if (isnan(p->flat) && (long long)nx * ny <= SMALL) {
        float all[SMALL];
        bool missing;
        RI_TRY(read_window(p, level, 0, 0, nx, ny, all, &missing));
        p->flat = mean_of(all, (size_t)nx * (size_t)ny);
    }
    const float mean = isnan(p->flat) ? mean_of(v, count) : p->flat, z = isnan(mean) ? 0.0f : mean;
    for (size_t k = 0; k < count; k++)
        v[k] = isnan(v[k]) ? z : v[k];
    return RI_OK;
}

/// Fills the holes of a window; the coarser windows stand behind it. Under the lock.
static RiStatus fill_window(RiPages *p, int level, int i, int j, int nx, int ny, float *v)
{
    const size_t count = (size_t)nx * (size_t)ny;
    const int above = level + 1;
    if (above >= p->source.levels)
        return fill_flat(p, v, count);
    int ci, cj, cnx, cny;
    bool missing;
    coarse_window(i, nx, level_size(p->nx, above), &ci, &cnx);
    coarse_window(j, ny, level_size(p->ny, above), &cj, &cny);
    float *coarse = v + count;
    RI_TRY(read_window(p, above, ci, cj, cnx, cny, coarse, &missing));
    if (missing)
        RI_TRY(fill_window(p, above, ci, cj, cnx, cny, coarse));
    for (int b = 0; b < ny; b++)
        for (int a = 0; a < nx; a++) {
            float *z = &v[(size_t)b * (size_t)nx + (size_t)a];
            if (isnan(*z))
                *z = (float)between(coarse, cnx, cny, 0.5 * (i + a - 0.5) - ci, 0.5 * (j + b - 0.5) - cj);
        }
    return RI_OK;
}

bool ri_pages_read(RiPages *p, int level, int i, int j, int nx, int ny, float *out_values)
{
    bool missing;
    pthread_mutex_lock(&p->lock);
    RiStatus status = read_window(p, level, i, j, nx, ny, out_values, &missing);
    if (status == RI_OK && missing)
        status = fill_window(p, level, i, j, nx, ny, out_values);
    pthread_mutex_unlock(&p->lock);
    return status == RI_OK;
}

// --- making a page -------------------------------------------------------------------------------

/// Marks the cells of the page one of whose corners is missing. The page's first cell is at
/// (skip_i, skip_j) of the window.
static void mark_holes(RiPages *p, int nx, int ny, int skip_i, int skip_j)
{
    memset(p->holes, 0, HOLE_WORDS * sizeof *p->holes);
    for (int b = skip_j; b + 1 < ny && b - skip_j < RI_PAGE_CELLS; b++)
        for (int a = skip_i; a + 1 < nx && a - skip_i < RI_PAGE_CELLS; a++) {
            const float *v = p->room + (size_t)b * (size_t)nx + (size_t)a;
            const int cell = (b - skip_j) * RI_PAGE_CELLS + a - skip_i;
            if (isnan(v[0]) || isnan(v[1]) || isnan(v[nx]) || isnan(v[nx + 1]))
                p->holes[cell / 32] |= 1u << (cell % 32);
        }
}

/// Ghosts around the map, in the order in which a height field in memory makes them.
static void add_ghosts(const RiPages *p, int i0, int j0)
{
    const ptrdiff_t row = RI_PAGE_SIDE;
    const int west = 0 - i0, east = p->nx - 1 - i0, south = 0 - j0, north = p->ny - 1 - j0; // in the stage
    const int first = west > 0 ? west - 1 : 0, last = east + 1 < RI_PAGE_SIDE ? east + 1 : RI_PAGE_SIDE - 1;
    for (int b = south > 0 ? south : 0; b < RI_PAGE_SIDE && b <= north; b++) {
        if (west > 0)
            ri_heights_extrapolate(p->stage + b * row + west, 1, p->nx);
        if (east + 1 < RI_PAGE_SIDE)
            ri_heights_extrapolate(p->stage + b * row + east, -1, p->nx);
    }
    for (int a = first; a <= last; a++) {
        if (south > 0)
            ri_heights_extrapolate(p->stage + south * row + a, row, p->ny);
        if (north + 1 < RI_PAGE_SIDE)
            ri_heights_extrapolate(p->stage + north * row + a, -row, p->ny);
    }
}

/// Puts the page's values, with ghosts where the map ends, on the stage.
static RiStatus make_page(RiPages *p, int page, bool *out_holes)
{
    const int i0 = (page % p->px) * RI_PAGE_CELLS - 1, j0 = (page / p->px) * RI_PAGE_CELLS - 1;
    const int i = i0 < 0 ? 0 : i0, j = j0 < 0 ? 0 : j0;
    const int end_i = i0 + RI_PAGE_SIDE < p->nx ? i0 + RI_PAGE_SIDE : p->nx;
    const int end_j = j0 + RI_PAGE_SIDE < p->ny ? j0 + RI_PAGE_SIDE : p->ny;
    const int nx = end_i - i, ny = end_j - j;
    RI_TRY(read_window(p, 0, i, j, nx, ny, p->room, out_holes));
    if (*out_holes) {
        mark_holes(p, nx, ny, i0 + 1 - i, j0 + 1 - j);
        RI_TRY(fill_window(p, 0, i, j, nx, ny, p->room));
    }
    memset(p->stage, 0, VALUES * sizeof *p->stage);
    for (int b = 0; b < ny; b++)
        memcpy(p->stage + (ptrdiff_t)(j - j0 + b) * RI_PAGE_SIDE + (i - i0), p->room + (size_t)b * (size_t)nx,
               (size_t)nx * sizeof *p->stage);
    add_ghosts(p, i0, j0);
    return RI_OK;
}

/// Range and curvature of the block (bi, bj) of the page on the stage; an empty range beyond the
/// map.
static void measure_block(const RiPages *p, int page, int bi, int bj, float range[2], float *curvature)
{
    const RiHeights view = {.v = p->stage + RI_PAGE_SIDE + 1,
                            .row = RI_PAGE_SIDE,
                            .bicubic = p->bicubic,
                            .per_dx = 1.0 / p->source.dx,
                            .per_dy = 1.0 / p->source.dy};
    const int cells_x = p->nx - 1 - (page % p->px) * RI_PAGE_CELLS,
              cells_y = p->ny - 1 - (page / p->px) * RI_PAGE_CELLS;
    const int i0 = bi * RI_HEIGHTS_BLOCK, j0 = bj * RI_HEIGHTS_BLOCK;
    const int i1 = i0 + RI_HEIGHTS_BLOCK < cells_x ? i0 + RI_HEIGHTS_BLOCK : cells_x;
    const int j1 = j0 + RI_HEIGHTS_BLOCK < cells_y ? j0 + RI_HEIGHTS_BLOCK : cells_y;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    *curvature = 0.0f;
    if (i1 > i0 && j1 > j0)
        ri_heights_measure(&view, i0, i1, j0, j1, range, curvature);
}

/// Ranges of the page's squares, into the slot, and the page's own.
static void store_ranges(RiPages *p, RiPageSlot *s, int page)
{
    float range[SQUARES][2], curvature;
    for (int k = 0; k < BLOCKS * BLOCKS; k++) {
        measure_block(p, page, k % BLOCKS, k / BLOCKS, range[k], &curvature);
        store_float(&s->curvature[k], curvature);
    }
    int from = 0;
    for (int n = BLOCKS; n > 1; n /= 2) {
        const int to = from + n * n, half = n / 2;
        for (int k = 0; k < half * half; k++) {
            float(*q)[2] = range + from + 2 * (k / half) * n + 2 * (k % half);
            range[to + k][0] = fminf(fminf(q[0][0], q[1][0]), fminf(q[n][0], q[n + 1][0]));
            range[to + k][1] = fmaxf(fmaxf(q[0][1], q[1][1]), fmaxf(q[n][1], q[n + 1][1]));
        }
        from = to;
    }
    for (int k = 0; k < SQUARES; k++) {
        store_float(&s->range[k][0], range[k][0]);
        store_float(&s->range[k][1], range[k][1]);
    }
    store_float(&p->range[page][0], range[SQUARES - 1][0]);
    store_float(&p->range[page][1], range[SQUARES - 1][1]);
    store_float(&p->low, fminf(p->low, range[SQUARES - 1][0]));
    store_float(&p->high, fmaxf(p->high, range[SQUARES - 1][1]));
}

// --- the pool ------------------------------------------------------------------------------------

static RiPageSlot *choose_slot(RiPages *p)
{
    if (p->used < p->slot_count)
        return &p->slots[p->used++];
    RiPageSlot *oldest = &p->slots[0];
    for (int k = 1; k < p->slot_count; k++)
        if (__atomic_load_n(&p->slots[k].stamp, __ATOMIC_RELAXED) < __atomic_load_n(&oldest->stamp, __ATOMIC_RELAXED))
            oldest = &p->slots[k];
    __atomic_store_n(&p->where[oldest->page], PAGE_ABSENT, __ATOMIC_RELEASE);
    return oldest;
}

/// Moves the stage into a slot. The sequence is odd meanwhile; each store releases it, so who sees
/// a new value sees that too.
static void publish(RiPages *p, int page, bool has_holes)
{
    RiPageSlot *s = choose_slot(p);
    __atomic_store_n(&s->sequence, s->sequence + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&s->page, page, __ATOMIC_RELEASE);
    for (int k = 0; k < VALUES; k++)
        store_float(&s->values[k], p->stage[k]);
    __atomic_store_n(&s->has_holes, has_holes, __ATOMIC_RELEASE);
    for (int k = 0; has_holes && k < HOLE_WORDS; k++)
        __atomic_store_n(&s->holes[k], p->holes[k], __ATOMIC_RELEASE);
    store_ranges(p, s, page);
    __atomic_store_n(&s->stamp, __atomic_add_fetch(&p->clock, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    __atomic_store_n(&s->sequence, s->sequence + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&p->where[page], (int)(s - p->slots), __ATOMIC_RELEASE);
}

/// Reads a page unless somebody just has. False: it cannot be read.
static bool load_page(RiPages *p, int page)
{
    pthread_mutex_lock(&p->lock);
    int where = __atomic_load_n(&p->where[page], __ATOMIC_ACQUIRE);
    if (where == PAGE_ABSENT) {
        bool has_holes;
        if (make_page(p, page, &has_holes) == RI_OK) {
            publish(p, page, has_holes);
            where = 0;
        } else {
            __atomic_store_n(&p->where[page], where = PAGE_BAD, __ATOMIC_RELEASE);
            __atomic_add_fetch(&p->bad, 1, __ATOMIC_RELAXED);
        }
    }
    pthread_mutex_unlock(&p->lock);
    return where >= 0;
}

/// Slot that holds a page, for a read that ends with still_valid. NULL: it cannot be read.
static const RiPageSlot *begin_read(RiPages *p, int page, unsigned *out_sequence)
{
    for (;;) {
        const int where = __atomic_load_n(&p->where[page], __ATOMIC_ACQUIRE);
        if (where < 0) {
            if (where == PAGE_BAD || !load_page(p, page))
                return NULL;
            continue;
        }
        RiPageSlot *s = &p->slots[where];
        *out_sequence = __atomic_load_n(&s->sequence, __ATOMIC_ACQUIRE);
        if (*out_sequence % 2 != 0 || __atomic_load_n(&s->page, __ATOMIC_ACQUIRE) != page)
            continue;
        const long long now = __atomic_load_n(&p->clock, __ATOMIC_RELAXED);
        if (__atomic_load_n(&s->stamp, __ATOMIC_RELAXED) != now)
            __atomic_store_n(&s->stamp, now, __ATOMIC_RELAXED);
        return s;
    }
}

static bool still_valid(const RiPageSlot *s, unsigned sequence)
{
    return __atomic_load_n(&s->sequence, __ATOMIC_RELAXED) == sequence;
}

/// Height of the level ground that represents what cannot be read.
static float level_ground(const RiPages *p)
{
    const float low = load_float(&p->low), high = load_float(&p->high);
    return low <= high ? 0.5f * (low + high) : 0.0f;
}

int ri_pages_cell(RiPages *p, int i, int j, float out_values[16])
{
    const int page = (j >> RI_PAGE_SHIFT) * p->px + (i >> RI_PAGE_SHIFT);
    const int li = i & (RI_PAGE_CELLS - 1), lj = j & (RI_PAGE_CELLS - 1), cell = lj * RI_PAGE_CELLS + li;
    const int from = p->bicubic ? 0 : 1, to = p->bicubic ? 4 : 3;
    for (;;) {
        unsigned sequence;
        const RiPageSlot *s = begin_read(p, page, &sequence);
        if (!s) {
            const float z = level_ground(p);
            for (int k = 0; k < 16; k++)
                out_values[k] = z;
            return RI_SURFACE_HOLE | RI_SURFACE_OUTSIDE;
        }
        const float *v = s->values + (ptrdiff_t)lj * RI_PAGE_SIDE + li;
        for (int b = from; b < to; b++)
            for (int a = from; a < to; a++)
                out_values[4 * b + a] = load_float(&v[(ptrdiff_t)b * RI_PAGE_SIDE + a]);
        int flags = 0;
        if (__atomic_load_n(&s->has_holes, __ATOMIC_ACQUIRE))
            flags = __atomic_load_n(&s->holes[cell / 32], __ATOMIC_ACQUIRE) >> (cell % 32) & 1 ? RI_SURFACE_HOLE : 0;
        if (still_valid(s, sequence))
            return flags;
    }
}

void ri_pages_range(RiPages *p, int level, int a, int b, float out[2])
{
    const int shift = RI_PAGE_LEVELS - 1 - level, side = 1 << shift; // squares on a side of a page
    const int page = (b >> shift) * p->px + (a >> shift), from = (BLOCKS * BLOCKS * 4 - 4 * side * side) / 3;
    out[0] = load_float(&p->range[page][0]);
    out[1] = load_float(&p->range[page][1]);
    if (level == RI_PAGE_LEVELS - 1 && !isnan(out[1]))
        return;
    for (;;) {
        unsigned sequence;
        const RiPageSlot *s = begin_read(p, page, &sequence);
        if (!s) {
            out[0] = out[1] = level_ground(p);
            return;
        }
        const float *range = s->range[from + (b & (side - 1)) * side + (a & (side - 1))];
        out[0] = load_float(&range[0]);
        out[1] = load_float(&range[1]);
        if (still_valid(s, sequence))
            return;
    }
}

float ri_pages_curvature(RiPages *p, int a, int b)
{
    const int page = (b / BLOCKS) * p->px + a / BLOCKS;
    for (;;) {
        unsigned sequence;
        const RiPageSlot *s = begin_read(p, page, &sequence);
        if (!s)
            return 0.0f;
        const float curvature = load_float(&s->curvature[(b % BLOCKS) * BLOCKS + a % BLOCKS]);
        if (still_valid(s, sequence))
            return curvature;
    }
}

void ri_pages_bounds(const RiPages *p, double *out_low, double *out_high, int *out_bad)
{
    *out_low = (double)load_float(&p->low);
    *out_high = (double)load_float(&p->high);
    *out_bad = __atomic_load_n(&p->bad, __ATOMIC_RELAXED);
}

// --- life ----------------------------------------------------------------------------------------

static RiStatus check_source(RiContext *ctx, const RiTileSource *s)
{
    if (!s->read || s->levels < 1 || s->levels > 31)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "tiles: the source has %d levels and %s function to read, allowed are 1 to 31", s->levels,
                        s->read ? "a" : "no");
    if (s->nx < 2 || s->ny < 2 || s->nx > 1 << 30 || s->ny > 1 << 30)
        return ri_error(ctx, RI_ERR_LIMIT, "tiles: %d x %d values, allowed are 2 to 2^30 on a side", s->nx, s->ny);
    if (!(s->dx > 0.0 && s->dy > 0.0) || !isfinite(s->x0 + s->y0 + s->dx * s->nx + s->dy * s->ny))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "tiles: place (%g, %g) and spacing %g x %g m must be finite, spacing positive", s->x0, s->y0,
                        s->dx, s->dy);
    return RI_OK;
}

/// Takes a block of the arena and counts it.
static void *take(RiArena *arena, RiPages *p, size_t count, size_t size)
{
    p->bytes += count * size;
    return ri_arena_alloc(arena, count, size);
}

static RiStatus make_slots(RiArena *arena, RiPages *p)
{
    p->slots = take(arena, p, (size_t)p->slot_count, sizeof *p->slots);
    for (int k = 0; p->slots && k < p->slot_count; k++) {
        RiPageSlot *s = &p->slots[k];
        s->page = PAGE_ABSENT;
        s->values = take(arena, p, VALUES, sizeof *s->values);
        s->range = take(arena, p, SQUARES, sizeof *s->range);
        s->curvature = take(arena, p, (size_t)BLOCKS * BLOCKS, sizeof *s->curvature);
        s->holes = take(arena, p, HOLE_WORDS, sizeof *s->holes);
        if (!s->values || !s->range || !s->curvature || !s->holes)
            return ri_error_memory(arena->ctx);
    }
    return p->slots ? RI_OK : ri_error_memory(arena->ctx);
}

static RiStatus make_tables(RiArena *arena, RiPages *p)
{
    const size_t pages = (size_t)p->px * (size_t)p->py;
    p->where = take(arena, p, pages, sizeof *p->where);
    p->range = take(arena, p, pages, sizeof *p->range);
    p->stage = take(arena, p, VALUES, sizeof *p->stage);
    p->room = take(arena, p, ri_pages_room(RI_PAGE_SIDE, RI_PAGE_SIDE), sizeof *p->room);
    p->holes = take(arena, p, HOLE_WORDS, sizeof *p->holes);
    if (!p->where || !p->range || !p->stage || !p->room || !p->holes)
        return ri_error_memory(arena->ctx);
    for (size_t k = 0; k < pages; k++) {
        p->where[k] = PAGE_ABSENT;
        p->range[k][0] = p->range[k][1] = NAN;
    }
    return RI_OK;
}

RiStatus ri_pages_create(RiArena *arena, const RiTileSource *source, size_t memory, bool bicubic, RiPages **out_pages)
{
    const size_t page_bytes =
        sizeof(RiPageSlot) + (VALUES + 2 * SQUARES + BLOCKS * BLOCKS + HOLE_WORDS) * sizeof(float);
    RI_TRY(check_source(arena->ctx, source));
    RiPages *p = ri_arena_alloc(arena, 1, sizeof *p);
    if (!p)
        return ri_error_memory(arena->ctx);
    *p = (RiPages){
        .nx = source->nx, .ny = source->ny, .bicubic = bicubic, .flat = NAN, .low = INFINITY, .high = -INFINITY};
    p->px = (source->nx - 2) / RI_PAGE_CELLS + 1;
    p->py = (source->ny - 2) / RI_PAGE_CELLS + 1;
    const long long pages = (long long)p->px * p->py;
    if (pages > 1 << 26)
        return ri_error(arena->ctx, RI_ERR_LIMIT, "tiles: %d x %d values make %lld pages, at most %d are allowed",
                        p->nx, p->ny, pages, 1 << 26);
    if (memory / page_bytes < RI_PAGES_LEAST && (long long)(memory / page_bytes) < pages)
        return ri_error(arena->ctx, RI_ERR_ARGUMENT,
                        "tiles: %zu bytes hold %zu pages, at least %d (%zu bytes) are needed", memory,
                        memory / page_bytes, RI_PAGES_LEAST, RI_PAGES_LEAST * page_bytes);
    p->slot_count = (int)fmin((double)pages, (double)(memory / page_bytes));
    RI_TRY(make_tables(arena, p));
    RI_TRY(make_slots(arena, p));
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return ri_error_memory(arena->ctx);
    p->source = *source;
    *out_pages = p;
    return RI_OK;
}

void ri_pages_destroy(RiPages *p)
{
    if (p->source.close)
        p->source.close(p->source.user);
    pthread_mutex_destroy(&p->lock);
}
