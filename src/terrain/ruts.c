// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ruts: permanent deformation of the ground in tiles of 64 x 64 cells that exist only where
/// something has happened.
///
///     (i, j) --(tile = floor(i / 64), floor(j / 64))--> hash table --> tile --> cell
///
/// **Changes are written in place** and their old values kept in a list: rollback plays it
/// backwards and takes away tiles that are new since the last commit, commit empties it. So
/// questions see what a step has done so far, and cost nothing more.
///
/// **The block is canonical.** Tiles are in order, those without any rut are left out, and a zero
/// has no sign: equal ruts are equal bytes, whatever the order in which they came about. (Test:
/// tests/terrain/test_ruts.c)
#include "terrain/ruts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { EARLIER = 0x53545552 }; ///< of blocks whose cells did not know the slip
enum { SIDE = RI_RUT_TILE, CELLS = SIDE * SIDE, FAR = 1 << 30, MAGIC = 0x32545552 };

typedef struct Tile {
    int i, j; ///< of the tile: its cells start at (SIDE i, SIDE j)
    unsigned version;
    bool is_new; ///< since the last commit
    RiRut cells[CELLS];
} Tile;

/// What a cell was before a change.
typedef struct Change {
    Tile *tile;
    int cell;
    RiRut old;
} Change;

struct RiRuts {
    RiContext *ctx;
    double cell;
    size_t memory;
    Tile **tiles; ///< by j, then i
    int count, room;
    Tile **table; ///< open addressing; a power of two, at most half full
    int capacity;
    Change *changes;
    int change_count, change_room;
    unsigned commits;
};

_Static_assert(sizeof(RiRut) == 16, "the block has no padding");

// --- life cycle ----------------------------------------------------------------------------------

RiStatus ri_ruts_create(RiContext *ctx, const RiRutsDef *def, RiRuts **out_ruts)
{
    const RiRutsDef used = {.cell = def && def->cell != 0.0 ? def->cell : 0.01,
                            .memory = def && def->memory ? def->memory : (size_t)256 << 20};
    *out_ruts = NULL;
    if (!(used.cell >= 1e-4 && used.cell <= 100.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "ruts: the cell is %g m, must be 0.0001 to 100 m", used.cell);
    if (used.memory < sizeof(Tile))
        return ri_error(ctx, RI_ERR_ARGUMENT, "ruts: the memory of %zu bytes does not hold one tile of %zu",
                        used.memory, sizeof(Tile));
    RiRuts *r = ri_alloc_zero(ctx, 1, sizeof *r);
    if (!r)
        return ri_error_memory(ctx);
    r->ctx = ctx;
    r->cell = used.cell;
    r->memory = used.memory;
    *out_ruts = r;
    return RI_OK;
}

static void release_tiles(RiRuts *r)
{
    for (int i = 0; i < r->count; i++)
        ri_release(r->ctx, r->tiles[i]);
    ri_release(r->ctx, r->tiles);
    ri_release(r->ctx, r->table);
    ri_release(r->ctx, r->changes);
}

void ri_ruts_destroy(RiRuts *r)
{
    if (!r)
        return;
    release_tiles(r);
    ri_release(r->ctx, r);
}

// --- tiles ---------------------------------------------------------------------------------------

/// floor(x / SIDE), without undefined shifts of negative numbers.
static int tile_of(int x)
{
    return x >= 0 ? x / SIDE : -1 - (-1 - x) / SIDE;
}

static size_t slot_of(const RiRuts *r, int i, int j)
{
    const uint64_t key = (uint64_t)(uint32_t)i | (uint64_t)(uint32_t)j << 32;
    return (size_t)(ri_hash_mix(0x5EED, key) >> 20) & (size_t)(r->capacity - 1);
}

static Tile *find_tile(const RiRuts *r, int i, int j)
{
    if (r->count == 0)
        return NULL;
    for (size_t k = slot_of(r, i, j); r->table[k]; k = (k + 1) & (size_t)(r->capacity - 1))
        if (r->table[k]->i == i && r->table[k]->j == j)
            return r->table[k];
    return NULL;
}

static void put_in_table(RiRuts *r, Tile *tile)
{
    size_t k = slot_of(r, tile->i, tile->j);
    while (r->table[k])
        k = (k + 1) & (size_t)(r->capacity - 1);
    r->table[k] = tile;
}

static void fill_table(RiRuts *r)
{
    memset(r->table, 0, (size_t)r->capacity * sizeof *r->table);
    for (int i = 0; i < r->count; i++)
        put_in_table(r, r->tiles[i]);
}

/// Room for one more tile in list and table.
static RiStatus reserve_tile(RiRuts *r)
{
    if (r->count < r->room)
        return RI_OK;
    const int room = r->room ? 2 * r->room : 16;
    Tile **tiles = ri_resize(r->ctx, r->tiles, (size_t)room, sizeof *tiles);
    if (!tiles)
        return ri_error_memory(r->ctx);
    r->tiles = tiles;
    Tile **table = ri_alloc(r->ctx, 2 * (size_t)room, sizeof *table);
    if (!table)
        return ri_error_memory(r->ctx);
    ri_release(r->ctx, r->table);
    r->table = table;
    r->capacity = 2 * room;
    r->room = room;
    fill_table(r);
    return RI_OK;
}

static bool comes_before(const Tile *a, const Tile *b)
{
    return a->j != b->j ? a->j < b->j : a->i < b->i;
}

/// Adds an empty tile in its place of the order.
static RiStatus add_tile(RiRuts *r, int i, int j, Tile **out_tile)
{
    *out_tile = NULL;
    if ((size_t)r->count + 1 > r->memory / sizeof(Tile))
        return ri_error(r->ctx, RI_ERR_MEMORY,
                        "ruts: %d tiles take all of the %zu bytes that ruts may take (key 'memory' of 'ruts')",
                        r->count, r->memory);
    RI_TRY(reserve_tile(r));
    Tile *tile = ri_alloc_zero(r->ctx, 1, sizeof *tile);
    if (!tile)
        return ri_error_memory(r->ctx);
    tile->i = i;
    tile->j = j;
    tile->is_new = true;
    int at = r->count++;
    for (; at > 0 && comes_before(tile, r->tiles[at - 1]); at--)
        r->tiles[at] = r->tiles[at - 1];
    r->tiles[at] = tile;
    put_in_table(r, tile);
    *out_tile = tile;
    return RI_OK;
}

// --- cells ---------------------------------------------------------------------------------------

double ri_ruts_cell(const RiRuts *r)
{
    return r->cell;
}

static int clamp_cell(double x)
{
    return x >= FAR ? FAR : x > -FAR ? (int)x : -FAR;
}

void ri_ruts_cell_at(const RiRuts *r, double x, double y, int *out_i, int *out_j)
{
    *out_i = clamp_cell(floor(x / r->cell));
    *out_j = clamp_cell(floor(y / r->cell));
}

RiVec3 ri_ruts_centre(const RiRuts *r, int i, int j)
{
    return ri_vec3((i + 0.5) * r->cell, (j + 0.5) * r->cell, 0.0);
}

RiRut ri_ruts_get(const RiRuts *r, int i, int j)
{
    const int ti = tile_of(i), tj = tile_of(j);
    const Tile *tile = find_tile(r, ti, tj);
    return tile ? tile->cells[(j - SIDE * tj) * SIDE + (i - SIDE * ti)] : (RiRut){0};
}

/// Where a point lies between the centres of four cells: (i, j) and its neighbours, by the shares a
/// and b.
typedef struct Among {
    int i, j;
    double a, b;
} Among;

/// The largest whole number not above x, |x| < 2^62; the library's floor is a call on plain x86-64.
static double floor_of(double x)
{
    const double cut = (double)(int64_t)x;
    return cut > x ? cut - 1.0 : cut;
}

/// False beyond all cells.
static bool among(const RiRuts *r, double x, double y, Among *out)
{
    const double u = x / r->cell - 0.5, v = y / r->cell - 0.5;
    if (!(fabs(u) < FAR && fabs(v) < FAR))
        return false;
    const double fu = floor_of(u), fv = floor_of(v);
    *out = (Among){(int)fu, (int)fv, u - fu, v - fv};
    return true;
}

/// The cells (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1). `last`: the tile found last, where one
/// looks first.
static inline void corners(const RiRuts *r, int i, int j, const Tile **last, const RiRut *out[4])
{
    static const RiRut none;
    const int ti = tile_of(i), tj = tile_of(j), ci = i - SIDE * ti, cj = j - SIDE * tj;
    if (!*last || (*last)->i != ti || (*last)->j != tj)
        *last = find_tile(r, ti, tj);
    if (ci + 1 < SIDE && cj + 1 < SIDE) { // all in one tile, as most
        const RiRut *first = *last ? &(*last)->cells[cj * SIDE + ci] : NULL;
        for (int k = 0; k < 4; k++)
            out[k] = first ? first + (k >> 1) * SIDE + (k & 1) : &none;
        return;
    }
    for (int k = 0; k < 4; k++) {
        const int x = ci + (k & 1), y = cj + (k >> 1);
        const Tile *tile = x < SIDE && y < SIDE ? *last : find_tile(r, x < SIDE ? ti : ti + 1, y < SIDE ? tj : tj + 1);
        out[k] = tile ? &tile->cells[(y & (SIDE - 1)) * SIDE + (x & (SIDE - 1))] : &none;
    }
}

/// Depth with all that is known of its shape: d, dx, dy, dxy. Bilinear between the centres of
/// cells.
static void shape_at(const RiRuts *r, double x, double y, double out[4])
{
    Among at;
    const Tile *last = NULL;
    const RiRut *c[4];
    memset(out, 0, 4 * sizeof *out);
    if (r->count == 0 || !among(r, x, y, &at))
        return;
    corners(r, at.i, at.j, &last, c);
    const double a = at.a, b = at.b;
    const double d[4] = {(double)c[0]->depth, (double)c[1]->depth, (double)c[2]->depth, (double)c[3]->depth};
    const double twist = d[0] - d[1] - d[2] + d[3];
    out[0] = (1.0 - b) * ((1.0 - a) * d[0] + a * d[1]) + b * ((1.0 - a) * d[2] + a * d[3]);
    out[1] = (d[1] - d[0] + b * twist) / r->cell;
    out[2] = (d[2] - d[0] + a * twist) / r->cell;
    out[3] = twist / (r->cell * r->cell);
}

double ri_ruts_depth(const RiRuts *r, double x, double y, double *out_dx, double *out_dy)
{
    double d[4];
    shape_at(r, x, y, d);
    if (out_dx)
        *out_dx = d[1];
    if (out_dy)
        *out_dy = d[2];
    return d[0];
}

void ri_ruts_depth_many(const RiRuts *r, int count, const double *x, const double *y, double *out)
{
    const Tile *last = NULL;
    for (int k = 0; k < count; k++) {
        Among at;
        const RiRut *c[4];
        out[k] = 0.0;
        if (r->count == 0 || !among(r, x[k], y[k], &at))
            continue;
        corners(r, at.i, at.j, &last, c);
        out[k] = (1.0 - at.b) * ((1.0 - at.a) * (double)c[0]->depth + at.a * (double)c[1]->depth) +
                 at.b * ((1.0 - at.a) * (double)c[2]->depth + at.a * (double)c[3]->depth);
    }
}

void ri_ruts_packed_many(const RiRuts *r, int count, const double *x, const double *y, double *out)
{
    const Tile *last = NULL;
    for (int k = 0; k < count; k++) {
        Among at;
        const RiRut *c[4];
        out[k] = 0.0;
        if (r->count == 0 || !among(r, x[k], y[k], &at))
            continue;
        corners(r, at.i, at.j, &last, c);
        for (int n = 0; n < 4; n++) {
            const double firm = (double)c[n]->compacted - (double)c[n]->loose;
            out[k] += (n & 1 ? at.a : 1.0 - at.a) * (n & 2 ? at.b : 1.0 - at.b) * (firm > 0.0 ? firm : 0.0);
        }
    }
}

/// Depth and what was pressed, between four cells.
static void read_at(const RiRut *const c[4], double a, double b, double *out_depth, double *out_packed)
{
    const double share[4] = {(1.0 - a) * (1.0 - b), a * (1.0 - b), (1.0 - a) * b, a * b};
    double depth = 0.0, packed = 0.0;
    for (int n = 0; n < 4; n++) {
        const double firm = (double)c[n]->compacted - (double)c[n]->loose;
        depth += share[n] * (double)c[n]->depth;
        packed += share[n] * (firm > 0.0 ? firm : 0.0);
    }
    *out_depth = depth;
    *out_packed = packed;
}

void ri_ruts_read_many(const RiRuts *r, int count, const double *x, const double *y, double *out_depth,
                       double *out_packed)
{
    const Tile *last = NULL;
    for (int k = 0; k < count; k++) {
        Among at;
        const RiRut *c[4];
        out_depth[k] = out_packed[k] = 0.0;
        if (r->count == 0 || !among(r, x[k], y[k], &at))
            continue;
        corners(r, at.i, at.j, &last, c);
        read_at(c, at.a, at.b, &out_depth[k], &out_packed[k]);
    }
}

const RiRut *ri_ruts_run(const RiRuts *r, int i, int j, int most, int *out_count)
{
    const int ti = tile_of(i), tj = tile_of(j), ci = i - SIDE * ti, left = SIDE - ci;
    const Tile *tile = find_tile(r, ti, tj);
    *out_count = left < most ? left : most;
    return tile ? tile->cells + (j - SIDE * tj) * SIDE + ci : NULL;
}

bool ri_ground_height(const RiTerrain *t, const RiRuts *r, double x, double y, RiHeight *out)
{
    const bool found = ri_terrain_height(t, x, y, out);
    if (!found || !r)
        return found;
    double d[4];
    shape_at(r, x, y, d);
    out->z -= d[0];
    out->zx -= d[1];
    out->zy -= d[2];
    out->zxy -= d[3];
    return true;
}

// --- changes -------------------------------------------------------------------------------------

static bool is_rut(const RiRut *x)
{
    return isfinite(x->depth) && isfinite(x->compacted) && isfinite(x->loose) && x->compacted >= 0.0F &&
           x->loose >= 0.0F && x->slip >= -RI_RUT_SLIP;
}

static RiStatus note_change(RiRuts *r, Tile *tile, int cell)
{
    if (r->change_count == r->change_room) {
        const int room = r->change_room ? 2 * r->change_room : 1024;
        Change *changes = ri_resize(r->ctx, r->changes, (size_t)room, sizeof *changes);
        if (!changes)
            return ri_error_memory(r->ctx);
        r->changes = changes;
        r->change_room = room;
    }
    r->changes[r->change_count++] = (Change){tile, cell, tile->cells[cell]};
    return RI_OK;
}

RiStatus ri_ruts_set(RiRuts *r, int i, int j, const RiRut *rut)
{
    if (i <= -FAR || i >= FAR || j <= -FAR || j >= FAR)
        return ri_error(r->ctx, RI_ERR_LIMIT, "ruts: cell (%d, %d) lies too far out", i, j);
    if (!is_rut(rut))
        return ri_error(r->ctx, RI_ERR_ARGUMENT,
                        "ruts: cell (%d, %d): depth %g, compacted %g, loose %g must be finite, all but the depth not "
                        "negative, slip %d from -%d to %d",
                        i, j, (double)rut->depth, (double)rut->compacted, (double)rut->loose, rut->slip, RI_RUT_SLIP,
                        RI_RUT_SLIP);
    const int ti = tile_of(i), tj = tile_of(j), cell = (j - SIDE * tj) * SIDE + (i - SIDE * ti);
    const RiRut plain = {rut->depth + 0.0F, rut->compacted + 0.0F, rut->loose + 0.0F, rut->passes, rut->slip}; // no -0
    Tile *tile = find_tile(r, ti, tj);
    if (!tile && memcmp(&plain, &(RiRut){0}, sizeof plain) == 0)
        return RI_OK;
    if (!tile)
        RI_TRY(add_tile(r, ti, tj, &tile));
    if (memcmp(&tile->cells[cell], &plain, sizeof plain) == 0)
        return RI_OK;
    RI_TRY(note_change(r, tile, cell));
    tile->cells[cell] = plain;
    return RI_OK;
}

void ri_ruts_commit(RiRuts *r)
{
    if (r->change_count == 0)
        return;
    r->commits++;
    for (int k = 0; k < r->change_count; k++) {
        Tile *tile = r->changes[k].tile;
        tile->is_new = false;
        tile->version = r->commits;
    }
    r->change_count = 0;
}

void ri_ruts_rollback(RiRuts *r)
{
    for (int k = r->change_count - 1; k >= 0; k--) {
        const Change *c = &r->changes[k];
        c->tile->cells[c->cell] = c->old;
    }
    r->change_count = 0;
    int kept = 0;
    for (int i = 0; i < r->count; i++) {
        if (r->tiles[i]->is_new)
            ri_release(r->ctx, r->tiles[i]);
        else
            r->tiles[kept++] = r->tiles[i];
    }
    const bool fewer = kept < r->count;
    r->count = kept;
    if (fewer)
        fill_table(r);
}

int ri_ruts_tile_count(const RiRuts *r)
{
    return r->count;
}

size_t ri_ruts_bytes(const RiRuts *r)
{
    return sizeof *r + (size_t)r->count * sizeof(Tile) + (size_t)(r->room + r->capacity) * sizeof(Tile *) +
           (size_t)r->change_room * sizeof *r->changes;
}

const RiRut *ri_ruts_tile(const RiRuts *r, int tile, int *out_i, int *out_j)
{
    *out_i = *out_j = 0;
    if (tile < 0 || tile >= r->count)
        return NULL;
    *out_i = SIDE * r->tiles[tile]->i;
    *out_j = SIDE * r->tiles[tile]->j;
    return r->tiles[tile]->cells;
}

unsigned ri_ruts_tile_version(const RiRuts *r, int tile)
{
    return tile >= 0 && tile < r->count ? r->tiles[tile]->version : 0;
}

// --- the block -----------------------------------------------------------------------------------

typedef struct Head {
    uint32_t magic, count;
    double cell;
} Head;

/// A tile of the block: these, then its cells.
typedef struct TileHead {
    int32_t i, j;
} TileHead;

enum { TILE_BYTES = sizeof(TileHead) + CELLS * sizeof(RiRut) };
_Static_assert(sizeof(Head) == RI_RUTS_HEAD && sizeof(TileHead) == 8, "the block has no padding");

static bool is_empty(const RiRut *cells)
{
    static const RiRut none[SIDE];
    for (int j = 0; j < SIDE; j++)
        if (memcmp(cells + j * SIDE, none, sizeof none) != 0)
            return false;
    return true;
}

static uint32_t count_full(const RiRuts *r)
{
    uint32_t count = 0;
    for (int i = 0; i < r->count; i++)
        count += !is_empty(r->tiles[i]->cells);
    return count;
}

size_t ri_ruts_block_size(const void *block)
{
    Head head;
    memcpy(&head, block, sizeof head);
    return sizeof head + (size_t)head.count * TILE_BYTES;
}

size_t ri_ruts_state_size(const RiRuts *r)
{
    return sizeof(Head) + (size_t)count_full(r) * TILE_BYTES;
}

void ri_ruts_save_state(const RiRuts *r, void *out_block)
{
    const Head head = {MAGIC, count_full(r), r->cell};
    unsigned char *out = out_block;
    memcpy(out, &head, sizeof head);
    out += sizeof head;
    for (int k = 0; k < r->count; k++) {
        const Tile *tile = r->tiles[k];
        if (is_empty(tile->cells))
            continue;
        memcpy(out, &(TileHead){tile->i, tile->j}, sizeof(TileHead));
        memcpy(out + sizeof(TileHead), tile->cells, sizeof tile->cells);
        out += TILE_BYTES;
    }
}

uint64_t ri_ruts_hash(const RiRuts *r)
{
    const Head head = {MAGIC, count_full(r), r->cell};
    uint64_t h = ri_hash(0, &head, sizeof head);
    for (int k = 0; k < r->count; k++) {
        const Tile *tile = r->tiles[k];
        if (is_empty(tile->cells))
            continue;
        h = ri_hash(h, &(TileHead){tile->i, tile->j}, sizeof(TileHead));
        h = ri_hash(h, tile->cells, sizeof tile->cells);
    }
    return h;
}

static RiStatus check_head(const RiRuts *r, const void *block, size_t size, Head *out_head)
{
    *out_head = (Head){0};
    if (size >= sizeof *out_head)
        memcpy(out_head, block, sizeof *out_head);
    if (out_head->magic == EARLIER)
        return ri_error(r->ctx, RI_ERR_FORMAT, "ruts: a block of an earlier version, whose cells have no slip");
    if (size < sizeof *out_head || out_head->magic != MAGIC ||
        out_head->count != (size - sizeof *out_head) / TILE_BYTES || (size - sizeof *out_head) % TILE_BYTES != 0)
        return ri_error(r->ctx, RI_ERR_FORMAT,
                        "ruts: a block of %zu bytes that is not a block of ruts, or is truncated", size);
    if (out_head->cell != r->cell)
        return ri_error(r->ctx, RI_ERR_MODEL, "ruts: the block has cells of %g m, these ruts of %g m", out_head->cell,
                        r->cell);
    if (out_head->count > r->memory / sizeof(Tile))
        return ri_error(r->ctx, RI_ERR_MEMORY, "ruts: the block's %u tiles take more than the %zu bytes allowed",
                        out_head->count, r->memory);
    return RI_OK;
}

static bool has_signed_zero(const RiRut *x)
{
    const float v[3] = {x->depth, x->compacted, x->loose};
    for (int k = 0; k < 3; k++)
        if (v[k] == 0.0F && signbit(v[k]))
            return true;
    return false;
}

/// Reads tile `k` of the block behind the tiles that `r` has.
static RiStatus load_tile(RiRuts *r, const unsigned char *data, uint32_t k)
{
    TileHead head;
    Tile *tile;
    memcpy(&head, data, sizeof head);
    const Tile at = {.i = head.i, .j = head.j};
    const int most = FAR / SIDE;
    if (head.i < -most || head.i >= most || head.j < -most || head.j >= most ||
        (r->count && !comes_before(r->tiles[r->count - 1], &at)))
        return ri_error(r->ctx, RI_ERR_FORMAT, "ruts: tile %u of the block is out of order or too far out", k);
    RI_TRY(add_tile(r, head.i, head.j, &tile));
    memcpy(tile->cells, data + sizeof head, sizeof tile->cells);
    tile->is_new = false;
    bool good = !is_empty(tile->cells);
    for (int c = 0; c < CELLS && good; c++)
        good = is_rut(&tile->cells[c]) && !has_signed_zero(&tile->cells[c]);
    if (good)
        return RI_OK;
    return ri_error(r->ctx, RI_ERR_FORMAT, "ruts: tile %u of the block is empty or has a cell that no rut can have", k);
}

RiStatus ri_ruts_load_state(RiRuts *r, const void *block, size_t size)
{
    Head head;
    RI_TRY(check_head(r, block, size, &head));
    RiRuts fresh = {.ctx = r->ctx, .cell = r->cell, .memory = r->memory, .commits = r->commits + 1};
    RiStatus status = RI_OK;
    for (uint32_t k = 0; k < head.count && status == RI_OK; k++)
        status = load_tile(&fresh, (const unsigned char *)block + sizeof head + (size_t)k * TILE_BYTES, k);
    for (int i = 0; i < fresh.count; i++)
        fresh.tiles[i]->version = fresh.commits;
    RiRuts gone = status == RI_OK ? *r : fresh;
    if (status == RI_OK)
        *r = fresh;
    release_tiles(&gone);
    return status;
}

// --- export --------------------------------------------------------------------------------------

/// The part of the raster that tile (ti, tj) covers; `tile` is NULL where nothing has happened.
static void put_tile(const RiTerrain *t, const RiRuts *r, const Tile *tile, int ti, int tj, bool ground, RiRaster *out,
                     float *first)
{
    for (int c = 0; c < CELLS; c++) {
        const RiVec3 at = ri_ruts_centre(r, SIDE * ti + c % SIDE, SIDE * tj + c / SIDE);
        const float depth = tile ? tile->cells[c].depth : 0.0F;
        float *value = first + (size_t)(c / SIDE) * (size_t)out->nx + c % SIDE;
        RiHeight h;
        *value = depth;
        if (ground)
            *value = ri_terrain_height(t, at.x, at.y, &h) ? (float)(h.z - (double)depth) : NAN;
    }
}

/// Lowest and highest tile numbers along both axes.
static void tile_bounds(const RiRuts *r, int low[2], int high[2])
{
    low[0] = low[1] = INT_MAX;
    high[0] = high[1] = INT_MIN;
    for (int k = 0; k < r->count; k++) {
        const int at[2] = {r->tiles[k]->i, r->tiles[k]->j};
        for (int a = 0; a < 2; a++) {
            low[a] = at[a] < low[a] ? at[a] : low[a];
            high[a] = at[a] > high[a] ? at[a] : high[a];
        }
    }
}

RiStatus ri_ruts_raster(RiContext *ctx, const RiTerrain *t, const RiRuts *r, bool ground, RiRaster **out_raster)
{
    int low[2], high[2];
    RiRaster *out;
    *out_raster = NULL;
    if (r->count == 0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "ruts: nothing has happened to the ground yet");
    tile_bounds(r, low, high);
    const double nx = SIDE * (1.0 + high[0] - low[0]), ny = SIDE * (1.0 + high[1] - low[1]);
    if (nx * ny > 1e9)
        return ri_error(ctx, RI_ERR_LIMIT, "ruts: they spread over %g x %g cells; a raster holds at most 1e9", nx, ny);
    RI_TRY(ri_raster_create(ctx, (int)nx, (int)ny, r->cell, r->cell, &out));
    const RiVec3 first = ri_ruts_centre(r, SIDE * low[0], SIDE * low[1]);
    out->x0 = first.x;
    out->y0 = first.y;
    for (int j = low[1]; j <= high[1]; j++)
        for (int i = low[0]; i <= high[0]; i++)
            put_tile(t, r, find_tile(r, i, j), i, j, ground, out,
                     out->values + (size_t)SIDE * ((size_t)(j - low[1]) * (size_t)out->nx + (size_t)(i - low[0])));
    *out_raster = out;
    return RI_OK;
}
