// SPDX-License-Identifier: Apache-2.0
/// \file
/// Maps in files, read piece by piece: a child keeps the file open and answers requests for windows
/// of a level.
///
///     parent: Request --> child: read from the file or its overview, average --> parent: values
///
/// A level comes from the coarsest overview that is not coarser and whose cells are whole blocks of
/// the window's; the rest is averaged here.
#include <math.h>
#include <string.h>

#include <rille/terrain_io.h>

#include "base/memory.h"
#include "io/raster/raster_load.h"

#ifndef RILLE_HAVE_GDAL

RiStatus ri_tiles_open(RiContext *ctx, const char *path, const RiRasterOptions *options, RiTileSource *out_source)
{
    (void)options;
    memset(out_source, 0, sizeof *out_source);
    return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: this build has no GDAL: install libgdal-dev and rebuild", path);
}

void ri_tiles_origin(const RiTileSource *source, double *out_x, double *out_y)
{
    (void)source;
    *out_x = *out_y = 0.0;
}

const char *ri_tiles_projection(const RiTileSource *source)
{
    (void)source;
    return "";
}

const char *ri_tiles_trouble(const RiTileSource *source)
{
    (void)source;
    return "";
}

#else

enum { COARSEST = 64, MOST_AT_ONCE = 1 << 20, MOST_VALUES = 1 << 26 };

typedef struct Request {
    int32_t level, i, j, nx, ny;
} Request;

typedef struct TileFile {
    RiContext *ctx;
    char *path, *wkt;
    double origin_x, origin_y;
    RiRasterOptions options;
    RiGuard guard;
} TileFile;

// --- in the child --------------------------------------------------------------------------------

static int level_size(int n, int level)
{
    return (int)(((long long)n + (1LL << level) - 1) >> level);
}

static int level_count(int nx, int ny)
{
    const int side = nx > ny ? nx : ny;
    int levels = 1;
    while (level_size(side, levels - 1) > COARSEST)
        levels++;
    return levels;
}

/// Overview whose cells are the window's blocks of 2^level cells; -1 if there is none.
static int find_overview(const RiRasterFile *f, int level)
{
    const RiGdal *g = &f->gdal;
    const int mask = (1 << level) - 1, south = f->step_y < 0.0 ? f->row + f->ny : f->row;
    if (f->step_x < 0.0 || (f->column & mask) || (south & mask))
        return -1;
    for (int k = 0; k < g->GDALGetOverviewCount(f->band); k++) {
        GDALRasterBandH band = g->GDALGetOverview(f->band, k);
        if (band && g->GDALGetRasterBandXSize(band) == level_size(f->columns, level) &&
            g->GDALGetRasterBandYSize(band) == level_size(f->rows, level))
            return k;
    }
    return -1;
}

/// Where a window of level `at` (of the file or of an overview) is stored, and how its rows and
/// columns run.
static bool read_stored(RiRasterFile *f, int at, int overview, int i, int j, int nx, int ny)
{
    const int wide = level_size(f->nx, at), deep = level_size(f->ny, at);
    const int column = (f->column >> at) + (f->step_x > 0.0 ? i : wide - i - nx);
    const int row = (f->row >> at) + (f->step_y > 0.0 ? j : deep - j - ny);
    return ri_raster_file_read(f, overview, column, row, nx, ny);
}

/// Mean of the known values of a block of what was read (nx x ny, as stored).
static float block_mean(const RiRasterFile *f, int nx, int ny, int i0, int i1, int j0, int j1)
{
    double sum = 0.0;
    int known = 0;
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++) {
            const int a = f->step_x > 0.0 ? i : nx - 1 - i, b = f->step_y > 0.0 ? j : ny - 1 - j;
            const double z = f->values[(size_t)b * (size_t)nx + (size_t)a];
            sum += isnan(z) ? 0.0 : z;
            known += !isnan(z);
        }
    return known ? (float)(sum / known) : NAN;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/// `rows` rows of a request from row j on, out of blocks of `factor` values of level `at`.
static bool read_rows(RiRasterFile *f, const Request *q, int at, int overview, int factor, int j, int rows, float *out)
{
    const int i0 = q->i * factor, i1 = least((q->i + q->nx) * factor, level_size(f->nx, at));
    const int j0 = j * factor, j1 = least((j + rows) * factor, level_size(f->ny, at));
    const int nx = i1 - i0, ny = j1 - j0;
    if (!read_stored(f, at, overview, i0, j0, nx, ny))
        return false;
    for (int b = 0; b < rows; b++)
        for (int a = 0; a < q->nx; a++)
            out[(size_t)b * (size_t)q->nx + (size_t)a] =
                block_mean(f, nx, ny, a * factor, least((a + 1) * factor, nx), b * factor, least((b + 1) * factor, ny));
    return true;
}

static bool read_window(RiRasterFile *f, const Request *q, float *out)
{
    int at = q->level, overview = -1;
    while (at > 0 && (overview = find_overview(f, at)) < 0)
        at--;
    const int factor = 1 << (q->level - at);
    const long long row = (long long)q->nx * factor * factor;
    const int rows = row < MOST_AT_ONCE ? (int)(MOST_AT_ONCE / row) : 1;
    for (int j = 0; j < q->ny; j += rows)
        if (!read_rows(f, q, at, at > 0 ? overview : -1, factor, q->j + j, least(rows, q->ny - j),
                       out + (size_t)j * (size_t)q->nx))
            return false;
    return true;
}

static bool is_possible(const RiRasterFile *f, int levels, const Request *q)
{
    return q->level >= 0 && q->level < levels && q->nx > 0 && q->ny > 0 && q->i >= 0 && q->j >= 0 &&
           (long long)q->nx * q->ny <= MOST_VALUES && q->i <= level_size(f->nx, q->level) - q->nx &&
           q->j <= level_size(f->ny, q->level) - q->ny;
}

/// Answers one request; a refusal does not end the service.
static void answer(RiRasterFile *f, int levels, const Request *q, int fd)
{
    const size_t count = is_possible(f, levels, q) ? (size_t)q->nx * (size_t)q->ny : 0;
    float *values = count ? ri_alloc(f->ctx, count, sizeof *values) : NULL;
    if (!values)
        ri_guard_refuse(fd, count ? RI_ERR_MEMORY : RI_ERR_ARGUMENT,
                        count ? "out of memory" : "no such part of the map");
    else if (!read_window(f, q, values))
        ri_guard_refuse(fd, f->status, f->reason);
    else {
        const RiGuardHeader header = {RI_GUARD_MAGIC, RI_GUARD_RESULT, count};
        ri_guard_write(fd, &header, sizeof header);
        ri_guard_write(fd, values, count * sizeof *values);
    }
    ri_release(f->ctx, values);
}

static void serve(void *user, int fd)
{
    const TileFile *t = user;
    RiRasterFile *f = ri_alloc_zero(t->ctx, 1, sizeof *f);
    if (!f) {
        ri_guard_refuse(fd, RI_ERR_MEMORY, "out of memory");
        return;
    }
    *f = (RiRasterFile){.ctx = t->ctx, .path = t->path, .options = t->options};
    if (!ri_raster_file_open(f)) {
        ri_guard_refuse(fd, f->status, f->reason);
        return;
    }
    RiRasterHead head;
    ri_raster_file_head(f, 0.0, &head);
    head.levels = (uint32_t)level_count(f->nx, f->ny);
    ri_raster_file_send_head(f, fd, &head);
    Request request;
    while (ri_guard_read(fd, &request, sizeof request))
        answer(f, (int)head.levels, &request, fd);
}

// --- in the parent -------------------------------------------------------------------------------

static RiStatus tile_read(void *user, int level, int i, int j, int nx, int ny, float *out)
{
    TileFile *t = user;
    const Request request = {level, i, j, nx, ny};
    RiGuardHeader header;
    ri_guard_restart_clock(&t->guard);
    if (!ri_guard_send(&t->guard, &request, sizeof request))
        return ri_guard_explain(&t->guard);
    RI_TRY(ri_guard_receive_header(&t->guard, &header));
    if (header.size != (uint64_t)nx * (uint64_t)ny ||
        !ri_guard_receive(&t->guard, out, (size_t)nx * (size_t)ny * sizeof *out))
        return ri_guard_explain(&t->guard);
    return RI_OK;
}

static void tile_close(void *user)
{
    TileFile *t = user;
    ri_guard_end(&t->guard);
    ri_release(t->ctx, t->path);
    ri_release(t->ctx, t->wkt);
    ri_release(t->ctx, t);
}

static RiStatus start(TileFile *t, RiTileSource *out)
{
    RiRasterHead head;
    RiStatus status = ri_guard_start(&t->guard, serve, t);
    if (status != RI_OK)
        return ri_error(t->ctx, status, "%s", t->guard.reason);
    RI_TRY(ri_raster_receive_head(t->ctx, &t->guard, t->options.report, &head, &t->wkt));
    if (head.nx < 2 || head.ny < 2 || head.levels < 1 || head.levels > 31)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s: %d x %d cells, at least 2 x 2 are needed", t->path, head.nx,
                        head.ny);
    t->origin_x = head.origin_x;
    t->origin_y = head.origin_y;
    *out = (RiTileSource){.levels = (int)head.levels,
                          .nx = head.nx,
                          .ny = head.ny,
                          .x0 = head.x0,
                          .y0 = head.y0,
                          .dx = head.dx,
                          .dy = head.dy,
                          .read = tile_read,
                          .close = tile_close,
                          .user = t};
    return RI_OK;
}

RiStatus ri_tiles_open(RiContext *ctx, const char *path, const RiRasterOptions *options, RiTileSource *out_source)
{
    const RiRasterOptions o = options ? *options : ri_raster_options_default();
    memset(out_source, 0, sizeof *out_source);
    RI_TRY(ri_raster_check_options(ctx, path, &o));
    if (o.cell != 0.0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: a paged map keeps the file's cells; cell is %g m, allowed is 0",
                        path, o.cell);
    RI_TRY(ri_guard_check_file(ctx, path, SIZE_MAX));
    TileFile *t = ri_alloc_zero(ctx, 1, sizeof *t);
    if (!t)
        return ri_error_memory(ctx);
    const size_t length = strlen(path) + 1;
    *t = (TileFile){.ctx = ctx, .options = o, .path = ri_alloc(ctx, length, 1)};
    RiStatus status = t->path ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK) {
        memcpy(t->path, path, length);
        t->guard = (RiGuard){
            .file = t->path, .worker = "map reader", .seconds = o.seconds, .memory = (size_t)2 << 30, .stays = true};
        status = start(t, out_source);
    }
    if (status != RI_OK)
        tile_close(t);
    else
        t->options.report = NULL;
    return status;
}

void ri_tiles_origin(const RiTileSource *source, double *out_x, double *out_y)
{
    const TileFile *t = source->user;
    *out_x = t->origin_x;
    *out_y = t->origin_y;
}

const char *ri_tiles_projection(const RiTileSource *source)
{
    return ((const TileFile *)source->user)->wkt;
}

const char *ri_tiles_trouble(const RiTileSource *source)
{
    return ((const TileFile *)source->user)->guard.reason;
}

#endif
