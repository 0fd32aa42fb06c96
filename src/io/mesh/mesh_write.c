// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writing meshes: PLY (binary, double), OBJ (text, shortest numbers that read back equal) and STL
/// (binary, float).
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "io/file/sink.h"

#include <rille/mesh.h>

/// Bytes gathered before they go to the file.
typedef struct Pen {
    RiSink sink;
    RiStatus status; ///< of the first failure
    size_t used;
    char bytes[1 << 15];
} Pen;

static void flush(Pen *pen)
{
    if (pen->status == RI_OK && pen->used)
        pen->status = ri_sink_write(&pen->sink, pen->bytes, pen->used);
    pen->used = 0;
}

static void put(Pen *pen, const void *data, size_t size)
{
    if (pen->used + size > sizeof pen->bytes)
        flush(pen);
    memcpy(pen->bytes + pen->used, data, size);
    pen->used += size;
}

/// The `size` low bytes, lowest first.
static void put_little(Pen *pen, uint64_t value, size_t size)
{
    unsigned char b[8];
    for (size_t k = 0; k < size; k++)
        b[k] = (unsigned char)(value >> (8 * k));
    put(pen, b, size);
}

static void put_double(Pen *pen, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    put_little(pen, bits, 8);
}

static void put_float(Pen *pen, double value)
{
    const float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, 4);
    put_little(pen, bits, 4);
}

static void write_ply(Pen *pen, const RiMesh *mesh)
{
    char text[320];
    const int size = snprintf(text, sizeof text,
                              "ply\nformat binary_little_endian 1.0\ncomment unit m\nelement vertex %d\n"
                              "property double x\nproperty double y\nproperty double z\n"
                              "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
                              mesh->point_count, mesh->triangle_count);
    put(pen, text, (size_t)size);
    for (int i = 0; i < mesh->point_count; i++) {
        put_double(pen, mesh->points[i].x);
        put_double(pen, mesh->points[i].y);
        put_double(pen, mesh->points[i].z);
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        put_little(pen, 3, 1);
        for (int k = 0; k < 3; k++)
            put_little(pen, mesh->triangles[i][k], 4);
    }
}

/// Digits with a point, whatever the locale's decimal sign.
static void put_number(Pen *pen, double value)
{
    char text[40];
    int size = snprintf(text, sizeof text, " %.15g", value);
    double back = 0.0;
    if (sscanf(text, "%lf", &back) != 1 || back != value)
        size = snprintf(text, sizeof text, " %.17g", value);
    for (char *c = text; *c; c++)
        *c = *c == ',' ? '.' : *c;
    put(pen, text, (size_t)size);
}

static void write_obj(Pen *pen, const RiMesh *mesh)
{
    for (int i = 0; i < mesh->point_count; i++) {
        put(pen, "v", 1);
        put_number(pen, mesh->points[i].x);
        put_number(pen, mesh->points[i].y);
        put_number(pen, mesh->points[i].z);
        put(pen, "\n", 1);
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        char text[64];
        const uint32_t *t = mesh->triangles[i];
        put(pen, text, (size_t)snprintf(text, sizeof text, "f %u %u %u\n", t[0] + 1, t[1] + 1, t[2] + 1));
    }
}

static void write_stl(Pen *pen, const RiMesh *mesh)
{
    char head[80] = "binary STL, unit m";
    put(pen, head, sizeof head);
    put_little(pen, (uint64_t)mesh->triangle_count, 4);
    for (int i = 0; i < mesh->triangle_count; i++) {
        const RiVec3 a = mesh->points[mesh->triangles[i][0]], b = mesh->points[mesh->triangles[i][1]],
                     c = mesh->points[mesh->triangles[i][2]];
        const RiVec3 n = ri_cross(ri_sub(b, a), ri_sub(c, a));
        const double length = ri_norm(n);
        const RiVec3 corners[4] = {ri_scale(length > 0.0 ? 1.0 / length : 0.0, n), a, b, c};
        for (int k = 0; k < 4; k++) {
            put_float(pen, corners[k].x);
            put_float(pen, corners[k].y);
            put_float(pen, corners[k].z);
        }
        put_little(pen, 0, 2);
    }
}

typedef void (*Writer)(Pen *pen, const RiMesh *mesh);

static Writer find_writer(const char *path)
{
    const char *dot = strrchr(path, '.');
    const char *ending = dot ? dot + 1 : "";
    return strcasecmp(ending, "ply") == 0   ? write_ply
           : strcasecmp(ending, "obj") == 0 ? write_obj
           : strcasecmp(ending, "stl") == 0 ? write_stl
                                            : NULL;
}

RiStatus ri_mesh_save(const RiMesh *mesh, const char *path)
{
    RiContext *ctx = mesh->ctx;
    const Writer write = find_writer(path);
    if (!write)
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: meshes are written as .ply, .obj or .stl", path);
    Pen *pen = ri_alloc_zero(ctx, 1, sizeof *pen);
    if (!pen)
        return ri_error_memory(ctx);
    pen->status = ri_sink_open(&pen->sink, ctx, path);
    if (pen->status == RI_OK) {
        write(pen, mesh);
        flush(pen);
        pen->status = ri_sink_close(&pen->sink, pen->status);
    }
    const RiStatus status = pen->status;
    ri_release(ctx, pen);
    return status;
}
