// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ruts in a log: any moment is found by few reads, and the log grows with the cells that change.
///
///     /ruts            whole: number, cell, then for each tile i, j, n and n pairs of place and depth
///     /ruts/delta_k    number, cell, number of the message it builds on, then the same of the cells that have changed since
///
/// The place is the cell's index plus CELLS times its slip in one byte (ri_ground_slip): 20 bits,
/// which a float holds. Twice a second of simulated time the cells that have changed are written:
/// at the finest level, every fourth time at the level above it, and so on. What is above builds on
/// messages that are fewer and older. When the uppermost delta has come to a quarter of the whole,
/// the whole is written again. So a change is written a few times at each level, however large the
/// whole is, and a moment is the whole with one message of each level that builds on the one
/// before. Depths are those of the simulation, bit by bit. Test: tests/link/test_shown.c.
///
/// Earlier logs have /ruts/recent instead: whole tiles that have changed since the whole of that
/// number. They are read.
#include "link/rut_log.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "link/ground.h"
#include "link/show.h"
#include "link/view_work.h"

enum { CELLS = RI_RUT_TILE * RI_RUT_TILE, HEAD = 2, DELTA_HEAD = 3, TILE_HEAD = 3, MOST = 64 << 20 };
enum { LEVELS = 6, TIMES = 4 }; ///< the whole and five of deltas; messages of a level for one of the level above

static const char *const topics[LEVELS] = {"/ruts",         "/ruts/delta_1", "/ruts/delta_2",
                                           "/ruts/delta_3", "/ruts/delta_4", "/ruts/delta_5"};

static const double period = 0.5; ///< [s]

// --- writing -------------------------------------------------------------------------------------

/// What the log says of a tile now.
typedef struct Written {
    int i, j;
    unsigned newest;       ///< message in which a cell of it changed last
    float depth[CELLS];    //
    uint8_t slip[CELLS];   //
    unsigned stamp[CELLS]; ///< message in which the cell changed last, 0: never
} Written;

struct RiRutLog {
    RiContext *ctx;
    RiRecord *record;
    const RiRuts *ruts;
    int channels[LEVELS];
    Written **tiles; ///< [tile_count], by j, then i, as RiRuts has them
    int tile_count, tile_room;
    float *list;
    size_t count, room;
    unsigned version;       ///< newest commit in what was written last
    unsigned number;        ///< of the last message
    unsigned bases[LEVELS]; ///< last message of a level or of one above it
    size_t whole_size;      ///< [numbers]
    unsigned since_whole;   ///< messages
    double due;
    float step; ///< [m] of depths, 0: exact
};

RiStatus ri_rut_log_create(RiContext *ctx, RiRecord *record, const RiRuts *ruts, RiRutLog **out)
{
    *out = NULL;
    RiRutLog *l = ri_alloc(ctx, 1, sizeof *l);
    if (!l)
        return ri_error_memory(ctx);
    *l = (RiRutLog){.ctx = ctx, .record = record, .ruts = ruts, .due = -INFINITY};
    RiStatus status = RI_OK;
    for (int k = 0; k < LEVELS && status == RI_OK; k++)
        status = ri_record_add_numbers(record, topics[k], &l->channels[k]);
    if (status != RI_OK) {
        ri_rut_log_destroy(l);
        return status;
    }
    *out = l;
    return RI_OK;
}

static void forget_tiles(RiRutLog *l)
{
    for (int t = 0; t < l->tile_count; t++)
        ri_release(l->ctx, l->tiles[t]);
    l->tile_count = 0;
}

void ri_rut_log_destroy(RiRutLog *l)
{
    if (!l)
        return;
    forget_tiles(l);
    ri_release(l->ctx, l->tiles);
    ri_release(l->ctx, l->list);
    ri_release(l->ctx, l);
}

void ri_rut_log_set_step(RiRutLog *l, double step)
{
    l->step = (float)step;
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

/// Puts a new tile before place `at` of the list.
static RiStatus insert_tile(RiRutLog *l, int at, int i, int j)
{
    RI_TRY(ri_grow(l->ctx, &l->tiles, l->tile_count, &l->tile_room, 32, sizeof(Written *)));
    Written *tile = ri_alloc_zero(l->ctx, 1, sizeof *tile);
    if (!tile)
        return ri_error_memory(l->ctx);
    tile->i = i;
    tile->j = j;
    memmove(l->tiles + at + 1, l->tiles + at, (size_t)(l->tile_count - at) * sizeof(Written *));
    l->tiles[at] = tile;
    l->tile_count++;
    return RI_OK;
}

/// Compares a tile with what the log says of it and marks what has changed with the number of the
/// coming message.
static void mark_changes(RiRutLog *l, Written *w, const RiRut *cells)
{
    for (int k = 0; k < CELLS; k++) {
        const float depth = l->step > 0.0f ? l->step * roundf(cells[k].depth / l->step) : cells[k].depth;
        const uint8_t slip = depth == 0.0f ? 0 : (uint8_t)ri_ground_slip(&cells[k]);
        if (depth == w->depth[k] && (slip == w->slip[k] || l->step > 0.0f))
            continue; // a coarse log keeps the slip of the depth
        w->depth[k] = depth;
        w->slip[k] = slip;
        w->stamp[k] = w->newest = l->number + 1;
    }
}

/// Brings the log's own tiles up to date. False in *out_same if tiles have gone or gone back, as
/// after a checkpoint was loaded: then only the whole can tell.
static RiStatus follow(RiRutLog *l, bool *out_same)
{
    const int count = ri_ruts_tile_count(l->ruts);
    int at = 0;
    *out_same = true;
    for (int t = 0; t < count; t++, at++) {
        int i, j;
        const RiRut *cells = ri_ruts_tile(l->ruts, t, &i, &j);
        const Written *next = at < l->tile_count ? l->tiles[at] : NULL;
        const bool known = next && next->i == i && next->j == j;
        if (!known)
            RI_TRY(insert_tile(l, at, i, j));
        if (!known || ri_ruts_tile_version(l->ruts, t) > l->version)
            mark_changes(l, l->tiles[at], cells);
    }
    *out_same = l->tile_count == count; // a tile that has gone was pushed behind the end
    return RI_OK;
}

/// The cells of a tile that have changed after message `since`; all that are not level ground if it
/// is 0.
static void put_tile(RiRutLog *l, const Written *w, unsigned since)
{
    int n = 0;
    float *head = l->list + l->count, *at = head + TILE_HEAD;
    for (int k = 0; k < CELLS; k++) {
        if (w->stamp[k] <= since || (since == 0 && w->depth[k] == 0.0f))
            continue;
        *at++ = (float)(k + CELLS * w->slip[k]);
        *at++ = w->depth[k];
        n++;
    }
    head[0] = (float)(w->i / RI_RUT_TILE); // whole tiles: exact far beyond any terrain
    head[1] = (float)(w->j / RI_RUT_TILE);
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

/// Gathers what has changed since the message that a level builds on; all for level 0.
static RiStatus gather(RiRutLog *l, int level)
{
    const unsigned since = level == 0 ? 0 : l->bases[level - 1];
    l->count = 0;
    RI_TRY(reserve(l, DELTA_HEAD));
    l->list[0] = (float)(l->number + 1);
    l->list[1] = (float)ri_ruts_cell(l->ruts);
    l->list[2] = (float)since;
    l->count = level == 0 ? HEAD : DELTA_HEAD;
    for (int t = 0; t < l->tile_count; t++) {
        if (l->tiles[t]->newest <= since)
            continue;
        RI_TRY(reserve(l, TILE_HEAD + 2 * CELLS));
        put_tile(l, l->tiles[t], since);
    }
    return RI_OK;
}

static RiStatus write_level(RiRutLog *l, int level, double time)
{
    if (l->count > MOST)
        return ri_error(l->ctx, RI_ERR_LIMIT, "ruts of more than %d numbers are not written to a log", MOST);
    l->number++;
    l->since_whole = level == 0 ? 0 : l->since_whole + 1;
    l->whole_size = level == 0 ? l->count : l->whole_size;
    for (int k = level; k < LEVELS; k++)
        l->bases[k] = l->number;
    return ri_record_numbers(l->record, l->channels[level], time, (int)l->count, l->list);
}

/// Level of the next message: 1 for every TIMES^(LEVELS - 2)th after the whole, the finest for
/// most.
static int next_level(const RiRutLog *l)
{
    unsigned n = l->since_whole + 1;
    int level = LEVELS - 1;
    for (; level > 1 && n % TIMES == 0; level--)
        n /= TIMES;
    return level;
}

RiStatus ri_rut_log_write(RiRutLog *l, double time)
{
    const unsigned newest = time < l->due ? l->version : newest_of(l->ruts);
    if (newest == l->version)
        return RI_OK;
    bool same;
    int level = next_level(l);
    RI_TRY(follow(l, &same));
    if (!same || newest < l->version || l->number == 0) {
        forget_tiles(l);
        l->version = 0;
        RI_TRY(follow(l, &same));
        level = 0;
    }
    l->due = time + period;
    l->version = newest;
    RI_TRY(gather(l, level));
    if (level > 0 && 4 * l->count > l->whole_size)
        RI_TRY(gather(l, level = 0));
    return write_level(l, level, time);
}

// --- showing -------------------------------------------------------------------------------------

/// A tile that pages have.
typedef struct Shown {
    int i, j;
    uint64_t hash; ///< of its depths and slips, as pages have them
    bool there;    ///< at the time shown
    float depth[CELLS];
    unsigned char slip[CELLS];
} Shown;

struct RiRutReplay {
    RiContext *ctx;
    RiView *view;
    RiLog *log;
    int run;
    RiAllocator memory;
    float *list;
    int room;
    Shown **tiles;
    int count, tile_room;
    double cell;
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
    for (int k = 0; k < r->count; k++)
        memory.release(memory.user, r->tiles[k]);
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
        if (r->tiles[k]->i == i && r->tiles[k]->j == j) {
            *out = r->tiles[k];
            return RI_OK;
        }
    if (r->count == r->tile_room) {
        const int room = r->tile_room ? 2 * r->tile_room : 64;
        Shown **tiles = r->memory.resize(r->memory.user, r->tiles, (size_t)room * sizeof(Shown *));
        if (!tiles)
            return ri_error_memory(r->ctx);
        r->tiles = tiles;
        r->tile_room = room;
    }
    Shown *tile = r->memory.resize(r->memory.user, NULL, sizeof *tile);
    if (!tile)
        return ri_error_memory(r->ctx);
    memset(tile, 0, sizeof *tile);
    tile->i = i;
    tile->j = j;
    r->tiles[r->count++] = *out = tile;
    return RI_OK;
}

/// Hands a tile to the pages if it is another than they have.
static RiStatus keep_tile(RiRutReplay *r, Shown *tile)
{
    const float *depth = tile->there ? tile->depth : NULL;
    const unsigned char *slip = tile->there ? tile->slip : NULL;
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

static RiStatus misread(const RiRutReplay *r)
{
    return ri_error(r->ctx, RI_ERR_FORMAT, "the log's ruts are not as they are written");
}

static void clear_tile(Shown *tile)
{
    memset(tile->depth, 0, sizeof tile->depth);
    memset(tile->slip, 0, sizeof tile->slip);
}

/// One tile of a list from *at on, which moves past it. What no writer of ours wrote is an error.
static RiStatus take_tile(RiRutReplay *r, int count, bool replaces, int *at)
{
    const float *x = r->list + *at;
    const float far = 1e6f;
    if (count - *at < TILE_HEAD || !(fabsf(x[0]) < far) || !(fabsf(x[1]) < far) || !is_index(x[2], CELLS + 1) ||
        count - *at - TILE_HEAD < 2 * (int)x[2])
        return misread(r);
    const int n = (int)x[2];
    Shown *tile = NULL;
    RI_TRY(find_tile(r, (int)x[0] * RI_RUT_TILE, (int)x[1] * RI_RUT_TILE, &tile));
    if (!tile->there || replaces)
        clear_tile(tile);
    tile->there = true;
    for (int k = 0; k < n; k++) {
        const float *pair = x + TILE_HEAD + 2 * (ptrdiff_t)k;
        if (!is_index(pair[0], CELLS * 256) || !isfinite(pair[1]))
            return misread(r);
        tile->depth[(int)pair[0] % CELLS] = pair[1];
        tile->slip[(int)pair[0] % CELLS] = (unsigned char)((int)pair[0] / CELLS);
    }
    *at += TILE_HEAD + 2 * n;
    return RI_OK;
}

static RiStatus take_tiles(RiRutReplay *r, int count, int at, bool replaces)
{
    r->cell = (double)r->list[1];
    while (at < count)
        RI_TRY(take_tile(r, count, replaces, &at));
    return RI_OK;
}

/// The message of a level at a time, if it builds on the one of number *base, which becomes its
/// own.
static RiStatus take_level(RiRutReplay *r, int level, double time, float *base)
{
    int count;
    const int head = level == 0 ? HEAD : DELTA_HEAD;
    if (!ri_log_has_numbers(r->log, topics[level]))
        return RI_OK;
    RI_TRY(read_list(r, topics[level], time, &count));
    if (count < head || !(r->list[1] > 0.0f) || (level > 0 && r->list[2] != *base))
        return RI_OK; // nothing yet, or on top of an earlier one
    *base = r->list[0];
    return take_tiles(r, count, head, level == 0);
}

/// Earlier logs: whole tiles that have changed since the whole of number `base`.
static RiStatus take_recent(RiRutReplay *r, double time, float base)
{
    int count;
    if (!ri_log_has_numbers(r->log, "/ruts/recent"))
        return RI_OK;
    RI_TRY(read_list(r, "/ruts/recent", time, &count));
    if (count < HEAD || !(r->list[1] > 0.0f) || r->list[0] != base)
        return RI_OK;
    return take_tiles(r, count, HEAD, true);
}

RiStatus ri_rut_replay_show(RiRutReplay *r, double time)
{
    float base = -1.0f;
    for (int k = 0; k < r->count; k++)
        r->tiles[k]->there = false;
    for (int level = 0; level < LEVELS && (level == 0 || base >= 0.0f); level++)
        RI_TRY(take_level(r, level, time, &base));
    if (base >= 0.0f)
        RI_TRY(take_recent(r, time, base));
    for (int k = 0; k < r->count; k++)
        RI_TRY(keep_tile(r, r->tiles[k]));
    return RI_OK;
}

float ri_rut_replay_depth(const RiRutReplay *r, int i, int j, unsigned char *out_slip)
{
    *out_slip = 0;
    for (int k = 0; k < r->count; k++) {
        const Shown *tile = r->tiles[k];
        if (!tile->there || i < tile->i || j < tile->j || i >= tile->i + RI_RUT_TILE || j >= tile->j + RI_RUT_TILE)
            continue;
        const int cell = (j - tile->j) * RI_RUT_TILE + i - tile->i;
        *out_slip = tile->slip[cell];
        return tile->depth[cell];
    }
    return 0.0f;
}
