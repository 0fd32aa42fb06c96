// SPDX-License-Identifier: Apache-2.0
/// \file
/// Distance grids as terrains: the block and its checks, queries with edges, saving and loading.
#include "terrain/grid.h"

#include <limits.h>
#include <string.h>

#include "base/hash.h"
#include "base/processor.h"

enum { FORMAT = 1, ORDER = 0x01020304, MOST_CELLS = 1 << 20, MOST_TEXT = 1 << 16 };
#define LARGEST 1e30f ///< distance that a block may hold [m]

static const char magic[8] = {'R', 'I', 'L', 'L', 'E', 'S', 'D', '\n'};

const RiGridKernels *ri_grid_kernels_find(const char *name)
{
    RiIsa isa;
    if (!ri_isa_find(name, &isa))
        return NULL;
#if defined(__x86_64__)
    static const RiGridKernels *const kernels[RI_ISA_COUNT] = {&ri_grid_kernels_generic, &ri_grid_kernels_avx2,
                                                               &ri_grid_kernels_avx512};
    return kernels[isa];
#else
    return &ri_grid_kernels_generic;
#endif
}

// --- the block -----------------------------------------------------------------------------------

size_t ri_grid_lay_out(const RiGridHead *head, char *block, RiGridView *out)
{
    const size_t x = (size_t)head->cells[0], y = (size_t)head->cells[1], z = (size_t)head->cells[2];
    const bool sparse = head->kind == RI_GRID_SPARSE;
    const size_t bricks = ((x + 7) / 8) * ((y + 7) / 8) * ((z + 7) / 8);
    const size_t nodes = sparse ? (size_t)head->brick_count * RI_BRICK_STRIDE : (x + 1) * (y + 1) * (z + 1);
    if (nodes > INT_MAX || bricks > INT_MAX / 4)
        return 0;
    *out = (RiGridView){.head = *head, .inverse = 1.0 / head->cell};
    for (int axis = 0; axis < 3; axis++)
        out->bricks[axis] = (head->cells[axis] + 7) / 8;
    out->stride[0] = sparse ? RI_BRICK_SIDE : (int)(x + 1);
    out->stride[1] = sparse ? RI_BRICK_SIDE * RI_BRICK_SIDE : (int)((x + 1) * (y + 1));
    size_t at = 0;
    (void)ri_carve(block, &at, 1, sizeof *head);
    out->text = ri_carve(block, &at, head->text_size, 1);
    out->table = ri_carve(block, &at, sparse ? bricks : 0, sizeof *out->table);
    out->far = ri_carve(block, &at, sparse ? bricks : 0, sizeof *out->far);
    out->values = ri_carve(block, &at, nodes, sizeof *out->values);
    out->brick_tag = ri_carve(block, &at, head->tagged && sparse ? head->brick_count : 0, sizeof *out->brick_tag);
    out->tags = ri_carve(block, &at, head->tagged ? (sparse ? (size_t)head->mixed_count * 512 : x * y * z) : 0,
                         sizeof *out->tags);
    if (!head->tagged || !sparse)
        out->brick_tag = NULL;
    if (!head->tagged)
        out->tags = NULL;
    return at;
}

static uint64_t block_hash(const void *block, size_t size)
{
    RiGridHead head;
    memcpy(&head, block, sizeof head);
    head.hash = 0;
    uint64_t h = ri_hash(0, &head, sizeof head), lane[4] = {h, h + 1, h + 2, h + 3};
    const char *p = (const char *)block + sizeof head;
    size_t left = size - sizeof head;
    for (; left >= 32; p += 32, left -= 32) // four hashes side by side: as fast as memory
        for (int i = 0; i < 4; i++) {
            uint64_t x;
            memcpy(&x, p + 8 * i, 8);
            lane[i] = ri_hash_mix(lane[i], x);
        }
    for (int i = 0; i < 4; i++)
        h = ri_hash_mix(h, lane[i]);
    return ri_hash(h, p, left);
}

void ri_grid_seal(void *block, size_t size)
{
    RiGridHead *head = block;
    memcpy(head->magic, magic, sizeof magic);
    head->format = FORMAT;
    head->order = ORDER;
    head->size = size;
    head->hash = block_hash(block, size);
}

#define REFUSE(...) return ri_error(ctx, RI_ERR_FORMAT, "distance grid: " __VA_ARGS__)

static RiStatus check_head(RiContext *ctx, const RiGridHead *h, size_t size)
{
    if (memcmp(h->magic, magic, sizeof magic) != 0)
        REFUSE("this is not a grid block");
    if (h->order != ORDER)
        REFUSE("written on a machine with another byte order");
    if (h->format != FORMAT)
        REFUSE("format %u; this program reads %d", h->format, (int)FORMAT);
    if (h->size != size)
        REFUSE("it says %llu bytes and has %zu", (unsigned long long)h->size, size);
    if (h->kind > RI_GRID_DENSE || h->lookup > RI_LOOKUP_TRICUBIC || h->edge > RI_EDGE_WALL || h->tagged > 1)
        REFUSE("kind %u, lookup %u, edge %u, tags %u", h->kind, h->lookup, h->edge, h->tagged);
    for (int axis = 0; axis < 3; axis++)
        if (h->cells[axis] < 1 || h->cells[axis] > MOST_CELLS || !(fabs(h->low[axis]) < 1e12))
            REFUSE("%d cells from %g along axis %d", h->cells[axis], h->low[axis], axis);
    if (!(h->cell > 1e-9 && h->cell < 1e9) || !(h->band >= 0.0 && h->band < 1e12))
        REFUSE("cells of %g m, a band of %g m", h->cell, h->band);
    if (h->material_count < 1 || h->material_count > 255 || h->text_size > MOST_TEXT || h->ambiguous < 0 ||
        h->mixed_count > h->brick_count)
        REFUSE("%u materials", h->material_count);
    return RI_OK;
}

/// As many names as materials, each with an end.
static RiStatus check_names(RiContext *ctx, const RiGridView *v)
{
    uint32_t ends = 0;
    for (uint32_t i = 0; i < v->head.text_size; i++)
        ends += v->text[i] == '\0';
    if (ends != v->head.material_count || v->head.text_size == 0 || v->text[v->head.text_size - 1] != '\0')
        REFUSE("%u material names for %u materials", ends, v->head.material_count);
    return RI_OK;
}

static RiStatus check_bricks(RiContext *ctx, const RiGridView *v)
{
    const size_t bricks = (size_t)v->bricks[0] * (size_t)v->bricks[1] * (size_t)v->bricks[2];
    bool bad = false;
    for (size_t i = 0; v->head.kind == RI_GRID_SPARSE && i < bricks; i++) {
        bad |= v->table[i] < -1 || v->table[i] >= (int64_t)v->head.brick_count;
        bad |= !(fabsf(v->far[i].bound) < LARGEST);
    }
    if (bad)
        REFUSE("a brick that is not there");
    return RI_OK;
}

static RiStatus check_values(RiContext *ctx, const RiGridView *v)
{
    const size_t sparse = (size_t)v->head.brick_count * RI_BRICK_STRIDE;
    const size_t count =
        v->head.kind == RI_GRID_SPARSE ? sparse : (size_t)v->stride[1] * ((size_t)v->head.cells[2] + 1);
    unsigned bad = 0;
    for (size_t i = 0; i < count; i++)
        bad |= !(fabsf(v->values[i]) < LARGEST);
    if (bad)
        REFUSE("a distance that is no number");
    for (size_t i = 0; v->brick_tag && i < v->head.brick_count; i++) {
        const uint32_t tag = v->brick_tag[i];
        bad |= tag & RI_MIXED ? (tag & ~RI_MIXED) >= v->head.mixed_count : (tag & 0xffU) >= v->head.material_count;
    }
    const size_t tags = v->head.kind == RI_GRID_SPARSE
                            ? (size_t)v->head.mixed_count * 512
                            : (size_t)v->head.cells[0] * (size_t)v->head.cells[1] * (size_t)v->head.cells[2];
    for (size_t i = 0; v->tags && i < tags; i++)
        bad |= (v->tags[i] & 0xffU) >= v->head.material_count;
    if (bad)
        REFUSE("a material that is not there");
    return RI_OK;
}

static RiStatus check_block(RiContext *ctx, char *block, size_t size, RiGridView *out)
{
    RiGridHead head;
    if (size < sizeof head)
        REFUSE("%zu bytes; at least %zu are needed", size, sizeof head);
    memcpy(&head, block, sizeof head);
    RI_TRY(check_head(ctx, &head, size));
    if (ri_grid_lay_out(&head, block, out) != size)
        REFUSE("its sizes do not agree with its %zu bytes", size);
    if (block_hash(block, size) != head.hash)
        REFUSE("damaged: its checksum does not agree");
    RI_TRY(check_names(ctx, out));
    RI_TRY(check_bricks(ctx, out));
    return check_values(ctx, out);
}

// --- queries -------------------------------------------------------------------------------------

/// Walls on the four sides: the nearest of them and the ground answers.
static void stand_walls(const RiGridView *v, int count, const RiVec3 *points, RiSurface *out)
{
    const RiGridHead *h = &v->head;
    const double x1 = h->low[0] + h->cells[0] * h->cell, y1 = h->low[1] + h->cells[1] * h->cell;
    for (int i = 0; i < count; i++) {
        const double d[4] = {points[i].x - h->low[0], x1 - points[i].x, points[i].y - h->low[1], y1 - points[i].y};
        int side = 0;
        for (int k = 1; k < 4; k++)
            if (d[k] < d[side])
                side = k;
        if (!(d[side] < out[i].distance))
            continue;
        const double sign = side % 2 ? -1.0 : 1.0;
        out[i] =
            (RiSurface){.distance = d[side], .normal = side < 2 ? ri_vec3(sign, 0.0, 0.0) : ri_vec3(0.0, sign, 0.0)};
    }
}

void ri_grid_query(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    const RiGrid *g = (const RiGrid *)t;
    if (g->view.head.lookup == RI_LOOKUP_TRICUBIC)
        g->kernels->tricubic(&g->view, count, points, out);
    else
        g->kernels->trilinear(&g->view, count, points, out);
    if (g->view.head.edge == RI_EDGE_WALL)
        stand_walls(&g->view, count, points, out);
}

static void grid_info(const RiTerrain *t, RiTerrainInfo *out)
{
    const RiGrid *g = (const RiGrid *)t;
    const RiGridHead *h = &g->view.head;
    out->low = ri_vec3(h->low[0], h->low[1], h->low[2]);
    out->high = ri_add(out->low, ri_vec3(h->cells[0] * h->cell, h->cells[1] * h->cell, h->cells[2] * h->cell));
    out->exact = h->exact != 0;
    out->walls = h->edge == RI_EDGE_WALL;
    out->cell = h->cell;
    out->bytes = sizeof *g + g->size;
    out->cells = g->cells;
    out->ambiguous = h->ambiguous;
}

static void grid_destroy(RiTerrain *t)
{
    RiGrid *g = (RiGrid *)t;
    if (g->block)
        g->release(t->ctx, g->block, g->size);
}

static const RiTerrainClass grid_class = {.kind = "grid",
                                          .destroy = grid_destroy,
                                          .info = grid_info,
                                          .query_many = ri_grid_query,
                                          .height = ri_grid_height,
                                          .ray = ri_grid_ray};

bool ri_grid_set_kernels(RiTerrain *t, const char *name)
{
    const RiGridKernels *kernels = ri_grid_kernels_find(name);
    if (t->kind != &grid_class || !kernels)
        return false;
    ((RiGrid *)t)->kernels = kernels;
    return true;
}

// --- life ----------------------------------------------------------------------------------------

static RiStatus name_materials(RiTerrain *t, const RiGridView *v)
{
    int material;
    const char *name = v->text;
    for (uint32_t i = 0; i < v->head.material_count; i++, name += strlen(name) + 1) {
        RI_TRY(ri_terrain_add_material(t, name, &material));
        if (material != (int)i)
            return ri_error(t->ctx, RI_ERR_FORMAT, "distance grid: material '%s' appears twice", name);
    }
    return RI_OK;
}

RiStatus ri_grid_adopt(RiContext *ctx, void *block, size_t size,
                       void (*release)(RiContext *ctx, void *block, size_t size), RiTerrain **out)
{
    *out = NULL;
    RiGridView view;
    RiTerrain *t;
    RI_TRY(check_block(ctx, block, size, &view));
    RI_TRY(ri_terrain_alloc(ctx, &grid_class, sizeof(RiGrid), &t));
    RiGrid *g = (RiGrid *)t;
    g->view = view;
    g->kernels = ri_grid_kernels_find(NULL);
    g->size = size;
    g->release = release;
    const RiGridHead *h = &view.head;
    g->cells = h->kind == RI_GRID_SPARSE ? 512LL * h->brick_count : (long long)h->cells[0] * h->cells[1] * h->cells[2];
    const RiStatus status = name_materials(t, &view);
    if (status != RI_OK) {
        ri_terrain_destroy(t);
        return status;
    }
    g->block = block; // from here on its own
    *out = t;
    return RI_OK;
}

size_t ri_terrain_grid_size(const RiTerrain *t)
{
    return t->kind == &grid_class ? ((const RiGrid *)t)->size : 0;
}

void ri_terrain_grid_save(const RiTerrain *t, void *out_block)
{
    memcpy(out_block, ((const RiGrid *)t)->block, ((const RiGrid *)t)->size);
}

static void release_memory(RiContext *ctx, void *block, size_t size)
{
    (void)size;
    ri_release(ctx, block);
}

RiStatus ri_terrain_grid_load(RiContext *ctx, const void *block, size_t size, RiTerrain **out_terrain)
{
    *out_terrain = NULL;
    void *copy = ri_alloc(ctx, size, 1);
    if (!copy)
        return ri_error_memory(ctx);
    memcpy(copy, block, size);
    const RiStatus status = ri_grid_adopt(ctx, copy, size, release_memory, out_terrain);
    if (status != RI_OK)
        ri_release(ctx, copy);
    return status;
}
