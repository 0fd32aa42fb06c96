// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loading of rasters: GDAL reads in a child, the parent checks every number that comes.
///
///     child: open, window, read row by row, resample --(head, then rows)--> parent: RiRaster, holes, report
#include "io/raster/raster_load.h"

#include <math.h>
#include <string.h>

#include <rille/terrain_io.h>

#include "base/memory.h"
#include "io/raster/raster_resample.h"
#include "terrain/raster.h"

RiRasterOptions ri_raster_options_default(void)
{
    return (RiRasterOptions){.band = 1, .scale = 1.0, .seconds = 120.0};
}

#ifndef RILLE_HAVE_GDAL

RiStatus ri_raster_load(RiContext *ctx, const char *path, const RiRasterOptions *options, RiRaster **out_raster)
{
    (void)options;
    *out_raster = NULL;
    return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: this build has no GDAL: install libgdal-dev and rebuild", path);
}

#else

// --- in the child --------------------------------------------------------------------------------

typedef struct Job {
    RiContext *ctx;
    const char *path;
    RiRasterOptions options;
    int fd;
    RiRasterFile *file;
} Job;

static bool read_row(void *user, int row, double *out_values)
{
    const Job *job = user;
    RiRasterFile *f = job->file;
    if (!ri_raster_file_read(f, -1, f->column, f->row + row, f->nx, 1))
        return false;
    for (int i = 0; i < f->nx; i++)
        out_values[i] = f->values[f->step_x > 0.0 ? i : f->nx - 1 - i];
    return true;
}

static void send_row(void *user, const float *values, int count)
{
    const Job *job = user;
    const RiGuardHeader header = {RI_GUARD_MAGIC, RI_GUARD_RESULT, (uint64_t)count};
    ri_guard_write(job->fd, &header, sizeof header);
    ri_guard_write(job->fd, values, (size_t)count * sizeof *values);
}

typedef struct Output {
    Job job; ///< first: read_row and send_row take it
    int count;
} Output;

static void put_row(void *user, int row, const float *values)
{
    (void)row;
    send_row(user, values, ((Output *)user)->count);
}

static RiStatus send_plain(Job *job)
{
    RiRasterFile *f = job->file;
    double *row = ri_alloc(job->ctx, (size_t)f->nx, sizeof *row);
    float *out = ri_alloc(job->ctx, (size_t)f->nx, sizeof *out);
    if (!row || !out)
        return RI_ERR_MEMORY;
    for (int j = 0; j < f->ny; j++) {
        if (!read_row(job, j, row))
            return RI_ERR_IO;
        for (int i = 0; i < f->nx; i++)
            out[i] = (float)row[i];
        send_row(job, out, f->nx);
    }
    return RI_OK;
}

static RiStatus send_resampled(Job *job, const RiRasterHead *head)
{
    const RiRasterFile *f = job->file;
    const RiResampleAxis x = {f->nx, head->nx, fabs(f->step_x), head->dx, 0.0};
    RiResampleAxis y = {f->ny, head->ny, fabs(f->step_y), head->dy, 0.0};
    if (head->from_north) // the grid is on the south edge; what does not fill a cell is left over in the north
        y.start = f->ny * y.size - head->ny * y.out_size;
    Output out = {*job, head->nx};
    return ri_resample(job->ctx, &x, &y, read_row, put_row, &out);
}

/// Whether the file's own cells are the ones asked for.
static bool keeps_cells(const RiRasterFile *f, double cell)
{
    return cell <= 0.0 || (fabs(fabs(f->step_x) / cell - 1.0) < 1e-9 && fabs(fabs(f->step_y) / cell - 1.0) < 1e-9);
}

/// The child's work: nothing is freed, the process ends here.
static void run_load(void *user, int fd)
{
    Job *job = user;
    RiRasterFile *f = ri_alloc_zero(job->ctx, 1, sizeof *f);
    if (!f) {
        ri_guard_refuse(fd, RI_ERR_MEMORY, "out of memory");
        return;
    }
    *f = (RiRasterFile){.ctx = job->ctx, .path = job->path, .options = job->options};
    job->file = f;
    job->fd = fd;
    RiRasterHead head;
    if (!ri_raster_file_open(f)) {
        ri_guard_refuse(fd, f->status, f->reason);
        return;
    }
    const bool plain = keeps_cells(f, job->options.cell);
    ri_raster_file_head(f, plain ? 0.0 : job->options.cell, &head);
    ri_raster_file_send_head(f, fd, &head);
    const RiStatus status = plain ? send_plain(job) : send_resampled(job, &head);
    if (status != RI_OK)
        ri_guard_refuse(fd, f->status != RI_OK ? f->status : status, f->status != RI_OK ? f->reason : "out of memory");
}

// --- in the parent -------------------------------------------------------------------------------

RiStatus ri_raster_check_options(RiContext *ctx, const char *path, const RiRasterOptions *o)
{
    const double numbers[] = {o->window[0], o->window[1], o->window[2], o->window[3], o->cell,    o->spacing,
                              o->scale,     o->offset,    o->origin_x,  o->origin_y,  o->seconds, 0.0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isfinite(numbers[i]))
            return ri_error(ctx, RI_ERR_ARGUMENT, "%s: an option for reading is not finite", path);
    if (o->cell < 0.0 || o->spacing < 0.0 || !(o->seconds > 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "%s: cell %g m and spacing %g m must not be negative, seconds %g positive", path, o->cell,
                        o->spacing, o->seconds);
    if (o->scale == 0.0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: a vertical scale of 0 makes every height the same", path);
    return RI_OK;
}

static bool is_sound(const RiRasterHead *h)
{
    const double sum = h->x0 + h->y0 + h->dx * h->nx + h->dy * h->ny + h->origin_x + h->origin_y;
    return h->nx >= 1 && h->ny >= 1 && h->dx > 0.0 && h->dy > 0.0 && isfinite(sum) &&
           h->wkt_length <= RI_RASTER_MOST_TEXT && h->notes_length <= RI_RASTER_MOST_TEXT;
}

/// Each line of the notes is a finding, its first letter the kind.
static void tell_notes(RiReport *report, const char *path, char *notes)
{
    char *rest = notes;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (line[0])
            ri_report_add(report, line[0] == 'w' ? RI_FINDING_WARNING : RI_FINDING_UNDERSTOOD, path, 0, "%s", line + 1);
}

RiStatus ri_raster_receive_head(RiContext *ctx, RiGuard *guard, RiReport *report, RiRasterHead *out_head,
                                char **out_wkt)
{
    RiGuardHeader header;
    *out_wkt = NULL;
    const RiStatus status = ri_guard_receive_header(guard, &header);
    if (status != RI_OK)
        return ri_error(ctx, status, "%s", guard->reason);
    if (!ri_guard_receive(guard, out_head, sizeof *out_head))
        return ri_error(ctx, ri_guard_explain(guard), "%s", guard->reason);
    if (!is_sound(out_head))
        return ri_error(ctx, RI_ERR_FORMAT, "%s: size or place of the raster make no sense", guard->file);
    char *wkt = ri_alloc_zero(ctx, out_head->wkt_length + 1, 1),
         *notes = ri_alloc_zero(ctx, out_head->notes_length + 1, 1);
    RiStatus result = wkt && notes ? RI_OK : ri_error_memory(ctx);
    if (result == RI_OK &&
        !(ri_guard_receive(guard, wkt, out_head->wkt_length) && ri_guard_receive(guard, notes, out_head->notes_length)))
        result = ri_error(ctx, ri_guard_explain(guard), "%s", guard->reason);
    if (result == RI_OK) {
        tell_notes(report, guard->file, notes);
        *out_wkt = wkt;
    } else
        ri_release(ctx, wkt);
    ri_release(ctx, notes);
    return result;
}

static RiStatus receive_rows(RiContext *ctx, RiGuard *guard, const RiRasterHead *head, RiRaster *r)
{
    for (int j = 0; j < r->ny; j++) {
        RiGuardHeader header;
        const RiStatus status = ri_guard_receive_header(guard, &header);
        if (status != RI_OK)
            return ri_error(ctx, status, "%s", guard->reason);
        float *row = r->values + (size_t)(head->from_north ? r->ny - 1 - j : j) * (size_t)r->nx;
        if (header.size != (uint64_t)r->nx || !ri_guard_receive(guard, row, (size_t)r->nx * sizeof *row))
            return ri_error(ctx, ri_guard_explain(guard), "%s", guard->reason);
    }
    return RI_OK;
}

/// Counts what is missing and does with it what the options say.
static RiStatus treat_missing(RiContext *ctx, const char *path, const RiRasterOptions *o, RiRaster *r)
{
    const long long cells = (long long)r->nx * r->ny;
    long long missing = 0;
    for (long long k = 0; k < cells; k++) {
        if (!isfinite(r->values[k]))
            r->values[k] = NAN;
        missing += isnan(r->values[k]) != 0;
    }
    if (missing == cells)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: none of the %d x %d cells has a value", path, r->nx, r->ny);
    if (missing == 0)
        return RI_OK;
    if (o->missing == RI_MISSING_REFUSE)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: %lld of %d x %d cells have no value; fill or keep them by choice",
                        path, missing, r->nx, r->ny);
    // whoever keeps holes decides about them: a field of heights refuses them, or fills them by choice
    const RiFindingKind kind = o->missing == RI_MISSING_FILL ? RI_FINDING_WARNING : RI_FINDING_UNDERSTOOD;
    ri_report_add(o->report, kind, path, 0, "%lld of %d x %d cells have no value: %s", missing, r->nx, r->ny,
                  o->missing == RI_MISSING_FILL ? "filled from around" : "kept as holes");
    return o->missing == RI_MISSING_FILL ? ri_raster_fill(ctx, r->nx, r->ny, r->values, NULL) : RI_OK;
}

static RiStatus receive(RiContext *ctx, RiGuard *guard, const RiRasterOptions *o, RiRaster **out_raster)
{
    RiRasterHead head;
    char *wkt;
    RiRaster *r = NULL;
    RI_TRY(ri_raster_receive_head(ctx, guard, o->report, &head, &wkt));
    RiStatus status = RI_OK;
    if (head.nx < 2 || head.ny < 2)
        status =
            ri_error(ctx, RI_ERR_FORMAT, "%s: %d x %d cells, at least 2 x 2 are needed", guard->file, head.nx, head.ny);
    else if ((long long)head.nx * head.ny > RI_RASTER_MAX_CELLS)
        status =
            ri_error(ctx, RI_ERR_LIMIT,
                     "%s: %d x %d cells are more than the %d that are held in memory; choose a window or a coarser "
                     "cell, or page it",
                     guard->file, head.nx, head.ny, RI_RASTER_MAX_CELLS);
    if (status == RI_OK)
        status = ri_raster_create(ctx, head.nx, head.ny, head.dx, head.dy, &r);
    if (status == RI_OK) {
        r->x0 = head.x0;
        r->y0 = head.y0;
        r->origin_x = head.origin_x;
        r->origin_y = head.origin_y;
        ri_release(ctx, r->projection);
        r->projection = wkt;
        wkt = NULL;
        status = receive_rows(ctx, guard, &head, r);
    }
    ri_release(ctx, wkt);
    if (status == RI_OK)
        status = treat_missing(ctx, guard->file, o, r);
    if (status != RI_OK) {
        ri_raster_destroy(r);
        r = NULL;
    }
    *out_raster = r;
    return status;
}

RiStatus ri_raster_load(RiContext *ctx, const char *path, const RiRasterOptions *options, RiRaster **out_raster)
{
    const RiRasterOptions o = options ? *options : ri_raster_options_default();
    *out_raster = NULL;
    RI_TRY(ri_raster_check_options(ctx, path, &o));
    RI_TRY(ri_guard_check_file(ctx, path, SIZE_MAX));
    Job job = {.ctx = ctx, .path = path, .options = o};
    RiGuard guard = {.file = path, .worker = "raster reader", .seconds = o.seconds, .memory = (size_t)2 << 30};
    RiStatus status = ri_guard_start(&guard, run_load, &job);
    if (status != RI_OK)
        return ri_error(ctx, status, "%s", guard.reason);
    status = receive(ctx, &guard, &o, out_raster);
    ri_guard_end(&guard);
    return status;
}

#endif
