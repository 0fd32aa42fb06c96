// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables of lidar beams.
#include <math.h>
#include <string.h>

#include <rille/beam_file.h>

#include "base/memory.h"
#include "io/optics/table.h"

enum { MOST_BYTES = 256 << 20, MOST_BEAMS = 1 << 24 };

/// An optional number; `otherwise` if the table has no such column.
static RiStatus optional(const RiTable *t, int row, const char *column, double otherwise, double *out)
{
    *out = otherwise;
    return ri_table_column(t, column) >= 0 ? ri_table_need(t, row, column, out) : RI_OK;
}

static RiStatus read_beam(const RiTable *t, int row, RiBeam *b, int *frame)
{
    double channel, number;
    RI_TRY(ri_table_need(t, row, "dx", &b->direction.x));
    RI_TRY(ri_table_need(t, row, "dy", &b->direction.y));
    RI_TRY(ri_table_need(t, row, "dz", &b->direction.z));
    RI_TRY(optional(t, row, "ox", 0.0, &b->origin.x));
    RI_TRY(optional(t, row, "oy", 0.0, &b->origin.y));
    RI_TRY(optional(t, row, "oz", 0.0, &b->origin.z));
    RI_TRY(optional(t, row, "time", 0.0, &b->time));
    RI_TRY(optional(t, row, "channel", 0.0, &channel));
    RI_TRY(optional(t, row, "frame", 0.0, &number));
    const double length = ri_norm(b->direction);
    if (!(length > 1e-12 && length < 1e12))
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: the direction (%g, %g, %g) of a beam has no length", t->path,
                        t->lines[row], b->direction.x, b->direction.y, b->direction.z);
    if (!(channel >= 0.0 && channel < 1e6 && channel == floor(channel)))
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: column 'channel': %g is not a whole number from 0 to 999999",
                        t->path, t->lines[row], channel);
    if (!(number >= 0.0 && number < MOST_BEAMS && number == floor(number)))
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: column 'frame': %g is not a whole number", t->path,
                        t->lines[row], number);
    b->direction = ri_scale(1.0 / length, b->direction);
    b->channel = (int)channel;
    *frame = (int)number;
    return RI_OK;
}

/// Frames come in order, all of one size.
static RiStatus read_frames(const RiTable *t, RiBeam *beams, int *out_beams, int *out_frames)
{
    int first = 0, last = 0, size = 0;
    for (int i = 0; i < t->row_count; i++) {
        int frame = 0;
        RI_TRY(read_beam(t, i, &beams[i], &frame));
        if (frame == last)
            continue;
        if (frame != last + 1 || i == 0)
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: frame %d is not expected here; frames come in order from 0",
                            t->path, t->lines[i], frame);
        if (size && i - first != size)
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: frame %d has %d beams, the ones before have %d", t->path,
                            t->lines[i], last, i - first, size);
        size = i - first;
        first = i;
        last = frame;
    }
    if (size && t->row_count - first != size)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s: frame %d has %d beams, the ones before have %d", t->path, last,
                        t->row_count - first, size);
    *out_beams = size ? size : t->row_count;
    *out_frames = last + 1;
    return RI_OK;
}

static RiStatus from_table(RiTable *t, RiLidar *out, RiBeam **out_beams)
{
    if (t->row_count < 1 || t->row_count > MOST_BEAMS)
        return ri_error(t->ctx, RI_ERR_LIMIT, "%s: %d beams; 1 to %d are allowed", t->path, t->row_count, MOST_BEAMS);
    RiBeam *beams = ri_alloc_zero(t->ctx, (size_t)t->row_count, sizeof *beams);
    if (!beams)
        return ri_error_memory(t->ctx);
    RiStatus status = read_frames(t, beams, &out->frame_beams, &out->frame_count);
    if (status != RI_OK) {
        ri_release(t->ctx, beams);
        return status;
    }
    out->kind = RI_LIDAR_TABLE;
    out->beams = *out_beams = beams;
    return RI_OK;
}

RiStatus ri_beams_parse(RiContext *ctx, const char *path, const char *text, size_t size, RiLidar *out,
                        RiBeam **out_beams)
{
    RiTable *t;
    *out_beams = NULL;
    RI_TRY(ri_table_parse(ctx, path, text, size, ',', &t));
    const RiStatus status = from_table(t, out, out_beams);
    ri_table_destroy(t);
    return status;
}

RiStatus ri_beams_load(RiContext *ctx, const char *path, RiLidar *out, RiBeam **out_beams)
{
    RiTable *t;
    *out_beams = NULL;
    RI_TRY(ri_table_load(ctx, path, ',', MOST_BYTES, &t));
    const RiStatus status = from_table(t, out, out_beams);
    ri_table_destroy(t);
    return status;
}

void ri_beams_free(RiContext *ctx, RiBeam *beams)
{
    ri_release(ctx, beams);
}
