// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clouds as PCD and PLY, arrays as NumPy files.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/cloud_file.h>

#include "base/memory.h"
#include "io/file/sink.h"

/// A point as both formats store it, without padding.
typedef struct Record {
    float x, y, z, intensity, range, time;
    int32_t channel, link;
} Record;
_Static_assert(sizeof(Record) == 32, "records have no padding");

static const char ply_head[] =
    "ply\nformat binary_little_endian 1.0\ncomment Rille lidar\nelement vertex %d\n"
    "property float x\nproperty float y\nproperty float z\nproperty float intensity\n"
    "property float range\nproperty float time\nproperty int channel\nproperty int link\nend_header\n";
static const char pcd_head[] =
    "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z intensity range time channel link\nSIZE 4 4 4 4 4 4 4 4\n"
    "TYPE F F F F F F I I\nCOUNT 1 1 1 1 1 1 1 1\nWIDTH %d\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\n"
    "POINTS %d\nDATA binary\n";

static int fill(const RiCloudView *cloud, bool world, Record *out)
{
    int count = 0;
    for (int i = 0; i < cloud->count; i++) {
        const RiReturn *r = &cloud->returns[i];
        const RiVec3 p = world ? r->truth : r->point;
        if (!isfinite(r->range[0]) || !isfinite(p.x))
            continue;
        out[count++] = (Record){
            (float)p.x, (float)p.y, (float)p.z, r->intensity[0], (float)r->range[0], (float)(r->time - cloud->time),
            r->channel, r->link};
    }
    return count;
}

static RiStatus write_two(RiContext *ctx, const char *path, const void *head, size_t head_size, const void *data,
                          size_t size)
{
    RiSink sink;
    RI_TRY(ri_sink_open(&sink, ctx, path));
    RiStatus status = ri_sink_write(&sink, head, head_size);
    if (status == RI_OK && size > 0)
        status = ri_sink_write(&sink, data, size);
    return ri_sink_close(&sink, status);
}

RiStatus ri_cloud_save(RiContext *ctx, const RiCloudView *cloud, bool world, const char *path)
{
    const char *dot = strrchr(path, '.');
    const bool ply = dot && strcmp(dot, ".ply") == 0;
    char head[512];
    if (!ply && (!dot || strcmp(dot, ".pcd") != 0))
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: clouds are written as .pcd or .ply", path);
    Record *records = ri_alloc(ctx, (size_t)cloud->count + 1, sizeof *records);
    if (!records)
        return ri_error_memory(ctx);
    const int count = fill(cloud, world, records);
    const int size =
        ply ? snprintf(head, sizeof head, ply_head, count) : snprintf(head, sizeof head, pcd_head, count, count);
    const RiStatus status = write_two(ctx, path, head, (size_t)size, records, (size_t)count * sizeof *records);
    ri_release(ctx, records);
    return status;
}

RiStatus ri_npy_save(RiContext *ctx, const char *path, const char *kind, int height, int width, int depth,
                     const void *data)
{
    unsigned char head[128];
    char text[119], shape[64];
    const size_t item = (size_t)(kind[2] - '0');
    if (depth == 1)
        snprintf(shape, sizeof shape, "%d, %d", height, width);
    else
        snprintf(shape, sizeof shape, "%d, %d, %d", height, width, depth);
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, shape);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10); // version 1.0, 118 bytes of text
    memset(head + 10, ' ', 118);
    memcpy(head + 10, text, strlen(text));
    head[127] = '\n';
    return write_two(ctx, path, head, sizeof head, data, item * (size_t)height * (size_t)width * (size_t)depth);
}
