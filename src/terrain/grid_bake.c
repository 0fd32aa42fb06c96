// SPDX-License-Identifier: Apache-2.0
/// \file
/// Baking: distances of any terrain at the nodes of a grid.
///
///     region --(sparse: which bricks come within the band, by halving boxes that a query cannot rule out)--> bricks to fill
///            --(threads: the nodes of each brick, or of each 8^3 block of a dense grid)--> block
///
/// Every piece of work writes only its own place and is a function of nothing else, so the block
/// does not depend on threads.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "terrain/grid_mesh.h"

enum { TOP = 16, MOST_THREADS = 64, MOST_SIDE = 1 << 20 };

typedef struct Worker {
    struct Bake *bake;
    RiVec3 points[RI_BRICK_NODES];
    RiSurface surfaces[RI_BRICK_NODES];
    RiMeshBlock *mesh; ///< NULL: not a mesh
    int ambiguous;
} Worker;

typedef struct Bake {
    RiContext *ctx;
    const RiTerrain *source;
    const RiBakeDef *def;
    const RiGridKernels *kernels;
    RiGridHead head;
    bool exact;
    int bricks[3];
    size_t brick_total;
    int32_t *table; ///< sparse: 1 for a brick to fill, then its number; -1 else
    RiFar *far;
    uint32_t *filled; ///< bricks to fill, in order
    char *block;
    RiGridView view;
    float *values;
    uint16_t *tags;
    int threads;
    Worker **workers;
    // One stage of work: pieces are taken by number.
    void (*piece)(Worker *w, int piece);
    int pieces;
    double begin, end; ///< of the progress
    atomic_int next, cancelled;
} Bake;

// --- threads -------------------------------------------------------------------------------------

static void work_on(Worker *w, bool tell)
{
    Bake *b = w->bake;
    for (int told = 0;;) {
        const int piece = atomic_fetch_add(&b->next, 1);
        if (piece >= b->pieces || atomic_load(&b->cancelled))
            return;
        b->piece(w, piece);
        if (!tell || !b->def->progress || (int64_t)piece * 200 / b->pieces < told)
            continue;
        told = (int)((int64_t)piece * 200 / b->pieces) + 1;
        const double part = (double)(piece + 1) / b->pieces;
        if (!b->def->progress(b->def->user, b->begin + (b->end - b->begin) * part))
            atomic_store(&b->cancelled, 1);
    }
}

static void *run_thread(void *worker)
{
    work_on(worker, false);
    return NULL;
}

/// Runs a stage on all threads; a thread that cannot be had is done without.
static RiStatus run_stage(Bake *b, int pieces, void (*piece)(Worker *w, int piece), double begin, double end)
{
    pthread_t thread[MOST_THREADS];
    bool started[MOST_THREADS] = {false};
    b->pieces = pieces;
    b->piece = piece;
    b->begin = begin;
    b->end = end;
    atomic_store(&b->next, 0);
    for (int i = 1; i < b->threads; i++)
        started[i] = pthread_create(&thread[i], NULL, run_thread, b->workers[i]) == 0;
    work_on(b->workers[0], true);
    for (int i = 1; i < b->threads; i++)
        if (started[i])
            pthread_join(thread[i], NULL);
    if (atomic_load(&b->cancelled))
        return ri_error(b->ctx, RI_ERR_LIMIT, "bake: cancelled");
    return RI_OK;
}

// --- which bricks --------------------------------------------------------------------------------

static RiVec3 corner(const Bake *b, const int at[3])
{
    const double cell = b->head.cell;
    return ri_vec3(b->head.low[0] + cell * at[0], b->head.low[1] + cell * at[1], b->head.low[2] + cell * at[2]);
}

/// Farthest corner of a box from a point.
static double farthest(RiVec3 p, RiVec3 low, RiVec3 high)
{
    return ri_norm(ri_vec3(fmax(fabs(p.x - low.x), fabs(p.x - high.x)), fmax(fabs(p.y - low.y), fabs(p.y - high.y)),
                           fmax(fabs(p.z - low.z), fabs(p.z - high.z))));
}

static size_t brick_number(const Bake *b, int i, int j, int k)
{
    return ((size_t)k * (size_t)b->bricks[1] + (size_t)j) * (size_t)b->bricks[0] + (size_t)i;
}

static int8_t eighth(double x)
{
    return (int8_t)lround(127.0 * fmin(fmax(x, -1.0), 1.0));
}

/// Bricks [from, to) are all farther away than the band: the distance at c tells how far at least.
static void mark_far(Bake *b, const int from[3], const int to[3], RiVec3 c, const RiSurface *s, double sure)
{
    for (int k = from[2]; k < to[2]; k++)
        for (int j = from[1]; j < to[1]; j++)
            for (int i = from[0]; i < to[0]; i++) {
                const int low[3] = {8 * i, 8 * j, 8 * k}, high[3] = {8 * i + 8, 8 * j + 8, 8 * k + 8};
                const double bound = sure - farthest(c, corner(b, low), corner(b, high));
                const size_t brick = brick_number(b, i, j, k);
                b->table[brick] = -1;
                b->far[brick] = (RiFar){.bound = (float)copysign(fmin(bound, 1e29) * (1.0 - 1e-6), s->distance),
                                        .n = {eighth(s->normal.x), eighth(s->normal.y), eighth(s->normal.z)},
                                        .flags = (uint8_t)(s->flags & (RI_SURFACE_AMBIGUOUS | RI_SURFACE_HOLE))};
            }
}

/// How far from the surface a brick must have values: the band, and what a tricubic stencil reaches
/// beyond it.
static double band_of(const Bake *b)
{
    return b->head.band + (b->head.lookup == RI_LOOKUP_TRICUBIC ? 3.5 : 0.01) * b->head.cell;
}

/// Halves boxes of bricks until a query at the middle rules them out or one brick is left. A
/// distance that is only right to first order is trusted by half.
static void classify(Bake *b, const int from[3], const int to[3])
{
    const int low[3] = {8 * from[0], 8 * from[1], 8 * from[2]}, high[3] = {8 * to[0], 8 * to[1], 8 * to[2]};
    const RiVec3 p = corner(b, low), q = corner(b, high), c = ri_scale(0.5, ri_add(p, q));
    RiSurface s;
    ri_terrain_query(b->source, c, &s);
    const double sure = (b->exact ? 1.0 : 0.5) * fabs(s.distance);
    if (sure > farthest(c, p, q) + band_of(b)) {
        mark_far(b, from, to, c, &s, sure);
        return;
    }
    if (to[0] - from[0] <= 1 && to[1] - from[1] <= 1 && to[2] - from[2] <= 1) {
        b->table[brick_number(b, from[0], from[1], from[2])] = 1;
        return;
    }
    for (int part = 0; part < 8; part++) {
        int first[3], last[3];
        bool empty = false;
        for (int axis = 0; axis < 3; axis++) {
            const int middle = (from[axis] + to[axis] + 1) / 2;
            first[axis] = part >> axis & 1 ? middle : from[axis];
            last[axis] = part >> axis & 1 ? to[axis] : middle;
            empty |= first[axis] >= last[axis];
        }
        if (!empty)
            classify(b, first, last);
    }
}

static int tops(const Bake *b, int axis)
{
    return (b->bricks[axis] + TOP - 1) / TOP;
}

static void classify_piece(Worker *w, int piece)
{
    Bake *b = w->bake;
    const int at[3] = {piece % tops(b, 0), piece / tops(b, 0) % tops(b, 1), piece / tops(b, 0) / tops(b, 1)};
    int from[3], to[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = TOP * at[axis];
        to[axis] = from[axis] + TOP < b->bricks[axis] ? from[axis] + TOP : b->bricks[axis];
    }
    classify(b, from, to);
}

/// Numbers the bricks to fill.
static RiStatus choose_bricks(Bake *b)
{
    b->table = ri_alloc_zero(b->ctx, b->brick_total, sizeof *b->table);
    b->far = ri_alloc_zero(b->ctx, b->brick_total, sizeof *b->far);
    if (!b->table || !b->far)
        return ri_error_memory(b->ctx);
    RI_TRY(run_stage(b, tops(b, 0) * tops(b, 1) * tops(b, 2), classify_piece, 0.0, 0.1));
    size_t count = 0;
    for (size_t i = 0; i < b->brick_total; i++)
        count += b->table[i] == 1;
    if (count > (size_t)INT_MAX / RI_BRICK_STRIDE)
        return ri_error(b->ctx, RI_ERR_LIMIT,
                        "bake: %zu bricks come near the surface; at most %d fit: larger cells help", count,
                        INT_MAX / RI_BRICK_STRIDE);
    b->filled = ri_alloc(b->ctx, count, sizeof *b->filled);
    if (!b->filled)
        return ri_error_memory(b->ctx);
    for (size_t i = 0; i < b->brick_total; i++)
        if (b->table[i] == 1) {
            b->table[i] = (int32_t)b->head.brick_count;
            b->filled[b->head.brick_count++] = (uint32_t)i;
        }
    return RI_OK;
}

// --- values --------------------------------------------------------------------------------------

/// Surfaces at n nodes per axis from node `at`, x fastest.
static void sample(Worker *w, const int at[3], const int n[3])
{
    const Bake *b = w->bake;
    if (w->mesh) {
        ri_mesh_sample((const RiMeshTerrain *)b->source, b->kernels, w->mesh, n, corner(b, at), b->head.cell,
                       w->surfaces);
        return;
    }
    int count = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++)
                w->points[count++] = corner(b, (const int[3]){at[0] + i, at[1] + j, at[2] + k});
    ri_terrain_query_many(b->source, count, w->points, w->surfaces);
}

/// Tag of the cell whose first node is `first`: the material of its node nearest to the surface,
/// the flags of all of them.
static uint16_t cell_tag(const RiSurface *s, const int n[3], int first)
{
    int flags = 0, nearest = first;
    for (int k = 0; k < 8; k++) {
        const int at = first + (k & 1) + (k >> 1 & 1) * n[0] + (k >> 2) * n[0] * n[1];
        flags |= s[at].flags;
        if (fabs(s[at].distance) < fabs(s[nearest].distance))
            nearest = at;
    }
    flags &= RI_SURFACE_AMBIGUOUS | RI_SURFACE_HOLE;
    return (uint16_t)(s[nearest].material | flags << 8);
}

static void count_ambiguous(Worker *w, uint16_t tag)
{
    w->ambiguous += (tag >> 8 & RI_SURFACE_AMBIGUOUS) != 0;
}

/// A distance as it is stored; what is no number or beyond all measure becomes a large one.
static float stored(double d)
{
    return d == d ? (float)fmin(fmax(d, -1e29), 1e29) : 1e29f;
}

static void fill_brick(Worker *w, int piece)
{
    Bake *b = w->bake;
    const int brick = (int)b->filled[piece], n[3] = {RI_BRICK_SIDE, RI_BRICK_SIDE, RI_BRICK_SIDE};
    const int at[3] = {8 * (brick % b->bricks[0]), 8 * (brick / b->bricks[0] % b->bricks[1]),
                       8 * (brick / b->bricks[0] / b->bricks[1])};
    sample(w, at, n);
    float *values = b->values + (size_t)piece * RI_BRICK_STRIDE;
    for (int i = 0; i < RI_BRICK_NODES; i++)
        values[i] = stored(w->surfaces[i].distance);
    for (int i = 0; b->tags && i < 512; i++) {
        const uint16_t tag = cell_tag(w->surfaces, n, ((i >> 6) * 9 + (i >> 3 & 7)) * 9 + (i & 7));
        b->tags[(size_t)piece * 512 + (size_t)i] = tag;
        const bool within = at[0] + (i & 7) < b->head.cells[0] && at[1] + (i >> 3 & 7) < b->head.cells[1] &&
                            at[2] + (i >> 6) < b->head.cells[2];
        if (within)
            count_ambiguous(w, tag);
    }
}

/// A block of 8^3 cells of a dense grid; blocks at the far ends also write the last nodes.
static void fill_block(Worker *w, int piece)
{
    Bake *b = w->bake;
    const int32_t *cells = b->head.cells;
    const int at[3] = {8 * (piece % b->bricks[0]), 8 * (piece / b->bricks[0] % b->bricks[1]),
                       8 * (piece / b->bricks[0] / b->bricks[1])};
    int n[3], own[3], inner[3]; // nodes sampled, nodes written, cells
    for (int axis = 0; axis < 3; axis++) {
        const bool last = at[axis] + 8 >= cells[axis];
        inner[axis] = last ? cells[axis] - at[axis] : 8;
        own[axis] = last ? inner[axis] + 1 : 8;
        n[axis] = b->tags ? inner[axis] + 1 : own[axis];
    }
    sample(w, at, n);
    for (int k = 0; k < own[2]; k++)
        for (int j = 0; j < own[1]; j++)
            for (int i = 0; i < own[0]; i++) {
                const size_t to = (size_t)(at[2] + k) * (size_t)b->view.stride[1] +
                                  (size_t)(at[1] + j) * (size_t)b->view.stride[0] + (size_t)(at[0] + i);
                b->values[to] = stored(w->surfaces[(k * n[1] + j) * n[0] + i].distance);
            }
    for (int k = 0; b->tags && k < inner[2]; k++)
        for (int j = 0; j < inner[1]; j++)
            for (int i = 0; i < inner[0]; i++) {
                const size_t to = ((size_t)(at[2] + k) * (size_t)cells[1] + (size_t)(at[1] + j)) * (size_t)cells[0] +
                                  (size_t)(at[0] + i);
                b->tags[to] = cell_tag(w->surfaces, n, (k * n[1] + j) * n[0] + i);
                count_ambiguous(w, b->tags[to]);
            }
}

// --- the block -----------------------------------------------------------------------------------

static RiStatus name_materials(Bake *b)
{
    size_t size = 0;
    const int count = ri_terrain_material_count(b->source);
    if (count > 255)
        return ri_error(b->ctx, RI_ERR_LIMIT, "bake: %d materials; a grid holds 255", count);
    for (int i = 0; i < count; i++)
        size += strlen(ri_terrain_material_name(b->source, i)) + 1;
    if (count == 0)
        size = sizeof "ground";
    if (size > 1 << 16)
        return ri_error(b->ctx, RI_ERR_LIMIT, "bake: the names of the %d materials are too long", count);
    b->head.material_count = count ? (uint32_t)count : 1;
    b->head.text_size = (uint32_t)size;
    return RI_OK;
}

static void write_names(const Bake *b)
{
    char *text = b->view.text;
    if (ri_terrain_material_count(b->source) == 0)
        memcpy(text, "ground", sizeof "ground");
    for (int i = 0; i < ri_terrain_material_count(b->source); i++)
        text = stpcpy(text, ri_terrain_material_name(b->source, i)) + 1;
}

/// Whether cells may differ in anything but their distance.
static bool needs_tags(const Bake *b)
{
    if (!ri_terrain_is_mesh(b->source))
        return true;
    const RiMeshTerrain *m = (const RiMeshTerrain *)b->source;
    return m->open_edges > 0 || m->tangled_edges > 0 || m->overlaps || ri_terrain_info(b->source).ambiguous > 0;
}

static RiStatus make_block(Bake *b, size_t *out_size)
{
    RI_TRY(name_materials(b));
    b->head.tagged = needs_tags(b);
    b->head.mixed_count = b->head.tagged ? b->head.brick_count : 0; // at first, room for all
    const size_t size = ri_grid_lay_out(&b->head, NULL, &b->view);
    if (size == 0)
        return ri_error(b->ctx, RI_ERR_LIMIT,
                        "bake: %d x %d x %d cells are too many for a dense grid: larger cells or a sparse grid help",
                        b->head.cells[0], b->head.cells[1], b->head.cells[2]);
    b->block = ri_alloc_zero(b->ctx, size, 1);
    if (!b->block)
        return ri_error_memory(b->ctx);
    memcpy(b->block, &b->head, sizeof b->head);
    (void)ri_grid_lay_out(&b->head, b->block, &b->view);
    b->values = (float *)(uintptr_t)b->view.values;
    b->tags = (uint16_t *)(uintptr_t)b->view.tags;
    write_names(b);
    if (b->head.kind == RI_GRID_SPARSE) {
        memcpy((void *)(uintptr_t)b->view.table, b->table, b->brick_total * sizeof *b->table);
        memcpy((void *)(uintptr_t)b->view.far, b->far, b->brick_total * sizeof *b->far);
    }
    *out_size = size;
    return RI_OK;
}

/// Tags of a sparse grid: one for each brick, and those of the cells only where they differ; `from`
/// has all of them. Returns the number of bricks where they differ; without a place to write it
/// only counts.
static uint32_t pack_tags(const Bake *b, const uint16_t *from, uint32_t *brick_tag, uint16_t *tags)
{
    uint32_t mixed = 0;
    for (uint32_t brick = 0; brick < b->head.brick_count; brick++) {
        const uint16_t *cells = from + (size_t)brick * 512;
        bool same = true;
        for (int i = 1; i < 512; i++)
            same &= cells[i] == cells[0];
        if (brick_tag)
            brick_tag[brick] = same ? cells[0] : RI_MIXED | mixed;
        if (tags && !same)
            memcpy(tags + (size_t)mixed * 512, cells, 512 * sizeof *tags);
        mixed += !same;
    }
    return mixed;
}

/// Tags that say nothing are left away, those of sparse grids packed. All are at the end of the
/// block, which only shrinks.
static RiStatus close_block(Bake *b, size_t *size)
{
    RiGridHead *head = (RiGridHead *)(void *)b->block;
    const bool sparse = head->kind == RI_GRID_SPARSE;
    const size_t cells = sparse ? (size_t)head->brick_count * 512
                                : (size_t)head->cells[0] * (size_t)head->cells[1] * (size_t)head->cells[2];
    unsigned any = 0;
    for (size_t i = 0; b->tags && i < cells; i++)
        any |= b->tags[i];
    head->tagged = any != 0;
    head->mixed_count = any && sparse ? pack_tags(b, b->tags, NULL, NULL) : 0;
    *size = ri_grid_lay_out(head, b->block, &b->view);
    if (any && sparse) {
        uint16_t *copy = ri_alloc(b->ctx, cells, sizeof *copy);
        if (!copy)
            return ri_error_memory(b->ctx);
        memcpy(copy, b->tags, cells * sizeof *copy);
        const size_t before = (size_t)((const char *)b->view.brick_tag - b->block);
        memset(b->block + before, 0, *size - before);
        (void)pack_tags(b, copy, (uint32_t *)(uintptr_t)b->view.brick_tag, (uint16_t *)(uintptr_t)b->view.tags);
        ri_release(b->ctx, copy);
    }
    for (int i = 0; i < b->threads; i++)
        head->ambiguous += b->workers[i]->ambiguous;
    ri_grid_seal(b->block, *size);
    return RI_OK;
}

// --- all of it -----------------------------------------------------------------------------------

RiBakeDef ri_bake_def_default(void)
{
    return (RiBakeDef){.kind = RI_GRID_SPARSE, .lookup = RI_LOOKUP_TRILINEAR, .cell = 0.05, .edge = RI_EDGE_EXTEND};
}

/// The region as whole cells, with a margin of the band round the terrain's own bounds.
static RiStatus choose_region(Bake *b)
{
    const RiBakeDef *def = b->def;
    const RiTerrainInfo info = ri_terrain_info(b->source);
    const bool own = memcmp(&def->low, &def->high, sizeof def->low) == 0;
    if (!(def->cell > 1e-9 && def->cell < 1e9))
        return ri_error(b->ctx, RI_ERR_ARGUMENT, "bake: cells of %g m; they must be between 1e-9 and 1e9 m", def->cell);
    if (!(def->band >= 0.0 && def->band < 1e9))
        return ri_error(b->ctx, RI_ERR_ARGUMENT, "bake: a band of %g m; it must be at least 0", def->band);
    b->head.cell = def->cell;
    b->head.band = def->band > 0.0 ? def->band : 3.0 * def->cell;
    const double margin = own ? b->head.band + def->cell : 0.0;
    const RiVec3 low = own ? info.low : def->low, high = own ? info.high : def->high;
    const double from[3] = {low.x - margin, low.y - margin, low.z - margin};
    const double to[3] = {high.x + margin, high.y + margin, high.z + margin};
    for (int axis = 0; axis < 3; axis++) {
        const double cells = ceil((to[axis] - from[axis]) / def->cell - 1e-9);
        if (!(fabs(from[axis]) < 1e12 && fabs(to[axis]) < 1e12))
            return ri_error(b->ctx, RI_ERR_ARGUMENT, "bake: the terrain ('%s') has no bounds; give a region",
                            info.kind);
        if (!(cells >= 1.0 && cells <= MOST_SIDE))
            return ri_error(b->ctx, RI_ERR_ARGUMENT, "bake: %g cells from %g to %g m along %c; 1 to %d are allowed",
                            cells, from[axis], to[axis], 'x' + axis, (int)MOST_SIDE);
        b->head.low[axis] = from[axis];
        b->head.cells[axis] = (int32_t)cells;
        b->bricks[axis] = (b->head.cells[axis] + 7) / 8;
    }
    const double total = (double)b->bricks[0] * b->bricks[1] * b->bricks[2];
    if (total > INT_MAX / 8)
        return ri_error(b->ctx, RI_ERR_LIMIT, "bake: %.3g bricks of 8^3 cells; at most %d: larger cells help", total,
                        INT_MAX / 8);
    b->brick_total = (size_t)total;
    b->exact = info.exact;
    b->head.exact = info.exact;
    return RI_OK;
}

static RiStatus make_workers(Bake *b)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int wanted = b->def->threads > 0 ? b->def->threads : processors > 0 ? (int)processors : 1;
    const int threads = wanted < MOST_THREADS ? wanted : MOST_THREADS;
    b->workers = ri_alloc_zero(b->ctx, (size_t)threads, sizeof *b->workers);
    if (!b->workers)
        return ri_error_memory(b->ctx);
    for (; b->threads < threads; b->threads++) {
        Worker *w = ri_alloc_zero(b->ctx, 1, sizeof *w);
        b->workers[b->threads] = w;
        if (w && ri_terrain_is_mesh(b->source))
            w->mesh = ri_alloc(b->ctx, 1, sizeof *w->mesh);
        if (!w || (ri_terrain_is_mesh(b->source) && !w->mesh)) {
            b->threads += w != NULL;
            return ri_error_memory(b->ctx);
        }
        w->bake = b;
    }
    return RI_OK;
}

static void clean_up(Bake *b)
{
    for (int i = 0; i < b->threads; i++) {
        ri_release(b->ctx, b->workers[i]->mesh);
        ri_release(b->ctx, b->workers[i]);
    }
    ri_release(b->ctx, b->workers);
    ri_release(b->ctx, b->table);
    ri_release(b->ctx, b->far);
    ri_release(b->ctx, b->filled);
    ri_release(b->ctx, b->block);
}

static void release_memory(RiContext *ctx, void *block, size_t size)
{
    (void)size;
    ri_release(ctx, block);
}

static RiStatus bake(Bake *b, RiTerrain **out_terrain)
{
    size_t size = 0;
    const bool sparse = b->def->kind == RI_GRID_SPARSE;
    RI_TRY(choose_region(b));
    RI_TRY(make_workers(b));
    if (sparse)
        RI_TRY(choose_bricks(b));
    RI_TRY(make_block(b, &size));
    if (sparse)
        RI_TRY(run_stage(b, (int)b->head.brick_count, fill_brick, 0.1, 1.0));
    else
        RI_TRY(run_stage(b, (int)b->brick_total, fill_block, 0.0, 1.0));
    RI_TRY(close_block(b, &size));
    RI_TRY(ri_grid_adopt(b->ctx, b->block, size, release_memory, out_terrain));
    b->block = NULL;
    return RI_OK;
}

RiStatus ri_terrain_bake(RiContext *ctx, const RiTerrain *source, const RiBakeDef *def, RiTerrain **out_terrain)
{
    *out_terrain = NULL;
    if (def->kind > RI_GRID_DENSE || def->lookup > RI_LOOKUP_TRICUBIC || def->edge > RI_EDGE_WALL)
        return ri_error(ctx, RI_ERR_ARGUMENT, "bake: kind %d, lookup %d, edge %d", (int)def->kind, (int)def->lookup,
                        (int)def->edge);
    Bake b = {.ctx = ctx, .source = source, .def = def, .kernels = ri_grid_kernels_find(NULL)};
    b.head.kind = (uint32_t)def->kind;
    b.head.lookup = (uint32_t)def->lookup;
    b.head.edge = (uint32_t)def->edge;
    const RiStatus status = bake(&b, out_terrain);
    clean_up(&b);
    return status;
}
