// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ruts in a log: any moment is found by two reads.
///
///     /ruts          whole: number, cell, then for each tile i, j, n and n pairs of place and depth
///     /ruts/recent   the same of tiles that have changed since the whole of that number
///
/// The place is the cell's index plus CELLS times its slip in one byte (ri_ground_slip): 20 bits, which a float holds.
/// What is recent is written at most twice a second of simulated time; when it has come to a quarter of the whole, the whole is written
/// anew. So the log grows with what happens, not with what has happened, up to a constant factor. Test: tests/link/test_shown.c.
#include "link/rut_log.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "link/ground.h"
#include "link/show.h"
#include "link/view_work.h"

enum { CELLS = RI_RUT_TILE * RI_RUT_TILE, HEAD = 2, TILE_HEAD = 3, MOST = 64 << 20 };

static const double period = 0.5; ///< [s]

// --- writing -----------------------------------------------------------------------------------------------------------------

struct RiRutLog {
    RiContext *ctx;
    RiRecord *record;
    const RiRuts *ruts;
    int whole, recent; ///< channels
    float *list;
    size_t count, room;
    unsigned whole_version, version; ///< newest commits in the last whole, and in what was written last
    size_t whole_size;
    int number; ///< of the last whole
    double due;
};

RiStatus ri_rut_log_create(RiContext *ctx, RiRecord *record, const RiRuts *ruts, RiRutLog **out)
{
    *out = NULL;
    RiRutLog *l = ri_alloc(ctx, 1, sizeof *l);
    if (!l)
        return ri_error_memory(ctx);
    *l = (RiRutLog){.ctx = ctx, .record = record, .ruts = ruts, .due = -INFINITY};
    RiStatus status = ri_record_add_numbers(record, "/ruts", &l->whole);
    if (status == RI_OK)
        status = ri_record_add_numbers(record, "/ruts/recent", &l->recent);
    if (status != RI_OK) {
        ri_rut_log_destroy(l);
        return status;
    }
    *out = l;
    return RI_OK;
}

void ri_rut_log_destroy(RiRutLog *l)
{
    if (!l)
        return;
    ri_release(l->ctx, l->list);
    ri_release(l->ctx, l);
}

static RiStatus reserve(RiRutLog *l, size_t more)
{
    size_t room = l->room ? l->room : 4096;
    while (room < l->count + more)
        room *= 2;
    if (room == l->room)
        return RI_OK;
    float *list = ri_resize(l->ctx, l->list, room, sizeof *list);
    if (!list)
        return ri_error_memory(l->ctx);
    l->list = list;
    l->room = room;
    return RI_OK;
}

static void put_tile(RiRutLog *l, int tile)
{
    int i, j, n = 0;
    const RiRut *cells = ri_ruts_tile(l->ruts, tile, &i, &j);
    float *head = l->list + l->count, *at = head + TILE_HEAD;
    for (int k = 0; k < CELLS; k++) {
        if (cells[k].depth == 0.0f)
            continue;
        *at++ = (float)(k + CELLS * ri_ground_slip(&cells[k]));
        *at++ = cells[k].depth;
        n++;
    }
    head[0] = (float)(i / RI_RUT_TILE); // whole tiles: exact far beyond any terrain
    head[1] = (float)(j / RI_RUT_TILE);
    head[2] = (float)n;
    l->count += TILE_HEAD + 2 * (size_t)n;
}

/// The newest commit of all tiles.
static unsigned newest_of(const RiRuts *ruts)
{
    unsigned newest = 0;
    for (int t = 0; t < ri_ruts_tile_count(ruts); t++) {
        const unsigned version = ri_ruts_tile_version(ruts, t);
        newest = version > newest ? version : newest;
    }
    return newest;
}

/// Gathers the tiles that a commit after `since` has changed.
static RiStatus gather(RiRutLog *l, unsigned since)
{
    l->count = 0;
    RI_TRY(reserve(l, HEAD));
    l->list[0] = (float)l->number;
    l->list[1] = (float)ri_ruts_cell(l->ruts);
    l->count = HEAD;
    for (int t = 0; t < ri_ruts_tile_count(l->ruts); t++) {
        if (ri_ruts_tile_version(l->ruts, t) <= since)
            continue;
        RI_TRY(reserve(l, TILE_HEAD + 2 * CELLS));
        put_tile(l, t);
    }
    return RI_OK;
}

static RiStatus write_whole(RiRutLog *l, double time)
{
    l->number++;
    RI_TRY(gather(l, 0));
    l->whole_version = l->version;
    l->whole_size = l->count;
    if (l->count > MOST)
        return ri_error(l->ctx, RI_ERR_LIMIT, "ruts of more than %d numbers are not written to a log", MOST);
    return ri_record_numbers(l->record, l->whole, time, (int)l->count, l->list);
}

RiStatus ri_rut_log_write(RiRutLog *l, double time)
{
    const unsigned newest = time < l->due ? l->version : newest_of(l->ruts);
    if (newest == l->version)
        return RI_OK;
    l->due = time + period;
    l->version = newest;
    RI_TRY(gather(l, l->whole_version));
    if (4 * l->count > l->whole_size)
        return write_whole(l, time);
    return ri_record_numbers(l->record, l->recent, time, (int)l->count, l->list);
}

// --- showing -----------------------------------------------------------------------------------------------------------------

/// A tile that pages have.
typedef struct Shown {
    int i, j;
    uint64_t hash; ///< of its depths and slips
    bool there;    ///< at the time shown
} Shown;

struct RiRutReplay {
    RiContext *ctx;
    RiView *view;
    RiLog *log;
    int run;
    RiAllocator memory;
    float *list;
    int room;
    Shown *tiles;
    int count, tile_room;
    double cell;
    float depth[CELLS];
    unsigned char slip[CELLS];
};

RiStatus ri_rut_replay_create(RiContext *ctx, RiView *view, int run, RiLog *log, RiRutReplay **out)
{
    const RiAllocator memory = view->memory;
    *out = NULL;
    if (!ri_log_has_numbers(log, "/ruts"))
        return RI_OK;
    RiRutReplay *r = memory.resize(memory.user, NULL, sizeof *r);
    if (!r)
        return ri_error_memory(ctx);
    *r = (RiRutReplay){.ctx = ctx, .view = view, .log = log, .run = run, .memory = memory};
    *out = r;
    return RI_OK;
}

void ri_rut_replay_destroy(RiRutReplay *r)
{
    if (!r)
        return;
    const RiAllocator memory = r->memory;
    memory.release(memory.user, r->list);
    memory.release(memory.user, r->tiles);
    memory.release(memory.user, r);
}

/// The list of a channel at a time; what is read has at most MOST numbers.
static RiStatus read_list(RiRutReplay *r, const char *topic, double time, int *out_count)
{
    for (;;) {
        RI_TRY(ri_log_read_numbers(r->log, topic, time, r->room, r->list, out_count));
        if (*out_count < r->room || r->room >= MOST)
            return RI_OK;
        const int room = r->room ? 4 * r->room : 1 << 16;
        float *list = r->memory.resize(r->memory.user, r->list, (size_t)room * sizeof *list);
        if (!list)
            return ri_error_memory(r->ctx);
        r->list = list;
        r->room = room;
    }
}

static RiStatus find_tile(RiRutReplay *r, int i, int j, Shown **out)
{
    for (int k = 0; k < r->count; k++)
        if (r->tiles[k].i == i && r->tiles[k].j == j) {
            *out = &r->tiles[k];
            return RI_OK;
        }
    if (r->count == r->tile_room) {
        const int room = r->tile_room ? 2 * r->tile_room : 64;
        Shown *tiles = r->memory.resize(r->memory.user, r->tiles, (size_t)room * sizeof *tiles);
        if (!tiles)
            return ri_error_memory(r->ctx);
        r->tiles = tiles;
        r->tile_room = room;
    }
    *out = &r->tiles[r->count++];
    **out = (Shown){.i = i, .j = j};
    return RI_OK;
}

/// Hands a tile to the pages if it is another than they have.
static RiStatus keep_tile(RiRutReplay *r, Shown *tile, const float *depth, const unsigned char *slip)
{
    uint64_t hash = depth ? 14695981039346656037ull : 0;
    for (int k = 0; depth && k < CELLS; k++) {
        uint32_t bits;
        memcpy(&bits, &depth[k], sizeof bits);
        hash = (hash ^ bits) * 1099511628211ull;
        hash = (hash ^ slip[k]) * 1099511628211ull;
    }
    if (hash == tile->hash)
        return RI_OK;
    RiText t;
    ri_text_init(&t, &r->memory);
    ri_ground_depths(&t, r->cell, tile->i, tile->j, depth, slip, r->run);
    const uint64_t key = ri_show_rut_key(r->run, tile->i, tile->j);
    const RiStatus status = t.failed ? ri_error_memory(r->ctx) : ri_view_keep(r->view, key, false, t.at, t.size);
    ri_text_free(&t);
    if (status == RI_OK)
        tile->hash = hash;
    return status;
}

static bool is_index(float x, int below)
{
    return x >= 0.0f && x < (float)below && x == floorf(x);
}

/// One tile of a list from *at on, which moves past it. What no writer of ours wrote is an error.
static RiStatus take_tile(RiRutReplay *r, int count, int *at)
{
    const float *x = r->list + *at;
    const float far = 1e6f;
    if (count - *at < TILE_HEAD || !(fabsf(x[0]) < far) || !(fabsf(x[1]) < far) || !is_index(x[2], CELLS + 1) ||
        count - *at - TILE_HEAD < 2 * (int)x[2])
        return ri_error(r->ctx, RI_ERR_FORMAT, "the log's ruts are not as they are written");
    const int n = (int)x[2];
    memset(r->depth, 0, sizeof r->depth);
    memset(r->slip, 0, sizeof r->slip);
    for (int k = 0; k < n; k++) {
        const float *pair = x + TILE_HEAD + 2 * (ptrdiff_t)k;
        if (!is_index(pair[0], CELLS * 256) || !isfinite(pair[1]))
            return ri_error(r->ctx, RI_ERR_FORMAT, "the log's ruts are not as they are written");
        r->depth[(int)pair[0] % CELLS] = pair[1];
        r->slip[(int)pair[0] % CELLS] = (unsigned char)((int)pair[0] / CELLS);
    }
    Shown *tile = NULL;
    RI_TRY(find_tile(r, (int)x[0] * RI_RUT_TILE, (int)x[1] * RI_RUT_TILE, &tile));
    *at += TILE_HEAD + 2 * n;
    if (tile->there)
        return RI_OK; // a more recent one was taken
    tile->there = true;
    return keep_tile(r, tile, r->depth, r->slip);
}

/// The tiles of a channel at a time, if they belong to the whole of that number.
static RiStatus take_list(RiRutReplay *r, const char *topic, double time, float number)
{
    int count, at = HEAD;
    RI_TRY(read_list(r, topic, time, &count));
    if (count < HEAD || !(r->list[1] > 0.0f) || r->list[0] != number)
        return RI_OK; // nothing yet, or of an earlier whole
    r->cell = (double)r->list[1];
    while (at < count)
        RI_TRY(take_tile(r, count, &at));
    return RI_OK;
}

RiStatus ri_rut_replay_show(RiRutReplay *r, double time)
{
    float head[HEAD];
    int count;
    RI_TRY(ri_log_read_numbers(r->log, "/ruts", time, HEAD, head, &count));
    for (int k = 0; k < r->count; k++)
        r->tiles[k].there = false;
    if (count == HEAD && ri_log_has_numbers(r->log, "/ruts/recent"))
        RI_TRY(take_list(r, "/ruts/recent", time, head[0]));
    if (count == HEAD)
        RI_TRY(take_list(r, "/ruts", time, head[0]));
    for (int k = 0; k < r->count; k++)
        if (!r->tiles[k].there)
            RI_TRY(keep_tile(r, &r->tiles[k], NULL, NULL));
    return RI_OK;
}
