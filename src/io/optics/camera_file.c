// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables of cameras.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/camera_file.h>

#include "base/memory.h"
#include "base/names.h"
#include "io/file/beside.h"
#include "io/optics/table.h"
#include "optics/camera_lens.h"

enum { MOST_BYTES = 16 << 20, MOST_CAMERAS = 4096 };

typedef struct Named {
    const char *name, *frame; ///< borrowed from the table
    RiCamera camera;
} Named;

struct RiCameras {
    RiContext *ctx;
    RiTable *table;
    RiNames names;
    Named *list;
    int count;
};

void ri_cameras_destroy(RiCameras *cameras)
{
    if (!cameras)
        return;
    ri_names_free(&cameras->names);
    ri_table_destroy(cameras->table);
    ri_release(cameras->ctx, cameras->list);
    ri_release(cameras->ctx, cameras);
}

/// Three columns that share a prefix and end in x, y, z.
static RiStatus read_vector(const RiTable *t, int row, const char *prefix, RiVec3 *out)
{
    double *const to[3] = {&out->x, &out->y, &out->z};
    char name[8];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%c", prefix, "xyz"[i]);
        RI_TRY(ri_table_need(t, row, name, to[i]));
    }
    return RI_OK;
}

static RiStatus read_three(const RiTable *t, int row, const char *prefix, double out[3])
{
    char name[8];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%d", prefix, i);
        RI_TRY(ri_table_need(t, row, name, &out[i]));
    }
    return RI_OK;
}

static RiStatus read_pupil(const RiTable *t, int row, RiCamera *c)
{
    double type;
    RI_TRY(ri_table_need(t, row, "linearity", &c->linearity));
    c->pupil = c->linearity == 1.0 ? 1 : c->linearity == 0.0 ? 2 : 3;
    if (ri_table_column(t, "pupilType") < 0)
        return RI_OK;
    RI_TRY(ri_table_need(t, row, "pupilType", &type));
    if (type != floor(type) || fabs(type) > 1e6)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: column 'pupilType': %g is not 1, 2 or 3", t->path, t->lines[row],
                        type);
    c->pupil = (int)type;
    return RI_OK;
}

static RiStatus read_vectors(const RiTable *t, int row, RiCamera *c)
{
    RI_TRY(read_vector(t, row, "C", &c->C));
    RI_TRY(read_vector(t, row, "A", &c->A));
    RI_TRY(read_vector(t, row, "H", &c->H));
    RI_TRY(read_vector(t, row, "V", &c->V));
    if (ri_camera_vectors(c) < 5)
        return RI_OK;
    RI_TRY(read_vector(t, row, "O", &c->O));
    RI_TRY(read_three(t, row, "R", c->R));
    if (ri_camera_vectors(c) < 6)
        return RI_OK;
    RI_TRY(read_three(t, row, "E", c->E));
    return read_pupil(t, row, c);
}

static RiStatus read_focal(const RiTable *t, int row, RiCamera *c)
{
    static const char *const brown[] = {"k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"};
    static const char *const fisheye[] = {"k1", "k2", "k3", "k4"};
    RI_TRY(ri_table_need(t, row, "fx", &c->fx));
    RI_TRY(ri_table_need(t, row, "fy", &c->fy));
    RI_TRY(ri_table_need(t, row, "cx", &c->cx));
    RI_TRY(ri_table_need(t, row, "cy", &c->cy));
    const char *const *names = NULL;
    switch (c->model) {
    case RI_CAMERA_BROWN_CONRADY:
        names = brown;
        c->k_count = ri_table_column(t, "k6") >= 0 ? 8 : 5;
        break;
    case RI_CAMERA_KANNALA_BRANDT:
        names = fisheye;
        c->k_count = 4;
        break;
    case RI_CAMERA_PINHOLE:
    case RI_CAMERA_EQUIDISTANT:
    case RI_CAMERA_CAHV:
    case RI_CAMERA_CAHVOR:
    case RI_CAMERA_CAHVORE:
    case RI_CAMERA_MODEL_COUNT:
        break;
    }
    for (int i = 0; names && i < c->k_count; i++)
        RI_TRY(ri_table_need(t, row, names[i], &c->k[i]));
    return RI_OK;
}

static RiStatus read_size(const RiTable *t, int row, const char *column, int *out)
{
    double size;
    RI_TRY(ri_table_need(t, row, column, &size));
    if (!(size >= 1.0 && size <= RI_CAMERA_MOST_PIXELS && size == floor(size)))
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: column '%s': %g; 1 to %d pixels are allowed", t->path,
                        t->lines[row], column, size, RI_CAMERA_MOST_PIXELS);
    *out = (int)size;
    return RI_OK;
}

static RiStatus read_camera(const RiTable *t, int row, Named *out)
{
    const int name = ri_table_column(t, "name"), type = ri_table_column(t, "type"), frame = ri_table_column(t, "frame");
    if (name < 0 || type < 0)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s: there is no column '%s'", t->path, name < 0 ? "name" : "type");
    out->name = ri_table_text(t, row, name);
    out->frame = frame < 0 ? "" : ri_table_text(t, row, frame);
    RiCamera *c = &out->camera;
    if (!ri_camera_model_find(ri_table_text(t, row, type), &c->model))
        return ri_error(t->ctx, RI_ERR_FORMAT,
                        "%s:%d: column 'type': '%s'; known are pinhole, brown_conrady, equidistant, kannala_brandt, "
                        "cahv, cahvor, cahvore",
                        t->path, t->lines[row], ri_table_text(t, row, type));
    RI_TRY(read_size(t, row, "width", &c->width));
    RI_TRY(read_size(t, row, "height", &c->height));
    RI_TRY(c->model >= RI_CAMERA_CAHV ? read_vectors(t, row, c) : read_focal(t, row, c));
    return ri_camera_check(t->ctx, out->name, c);
}

static RiStatus read_rows(RiCameras *cameras)
{
    const RiTable *t = cameras->table;
    int existing;
    if (t->row_count > MOST_CAMERAS)
        return ri_error(t->ctx, RI_ERR_LIMIT, "%s: %d cameras; at most %d are allowed", t->path, t->row_count,
                        MOST_CAMERAS);
    cameras->list = ri_alloc_zero(t->ctx, (size_t)t->row_count + 1, sizeof *cameras->list);
    if (!cameras->list)
        return ri_error_memory(t->ctx);
    for (int i = 0; i < t->row_count; i++) {
        RI_TRY(read_camera(t, i, &cameras->list[i]));
        RI_TRY(ri_names_add(&cameras->names, cameras->list[i].name, i, &existing));
        if (existing >= 0)
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: camera '%s' is there twice", t->path, t->lines[i],
                            cameras->list[i].name);
        cameras->count++;
    }
    return RI_OK;
}

static RiStatus from_table(RiContext *ctx, RiTable *table, RiCameras **out)
{
    RiCameras *cameras = ri_alloc_zero(ctx, 1, sizeof *cameras);
    if (!cameras) {
        ri_table_destroy(table);
        return ri_error_memory(ctx);
    }
    cameras->ctx = ctx;
    cameras->table = table;
    ri_names_init(&cameras->names, ctx);
    const RiStatus status = read_rows(cameras);
    if (status == RI_OK)
        *out = cameras;
    else
        ri_cameras_destroy(cameras);
    return status;
}

RiStatus ri_cameras_load(RiContext *ctx, const char *path, RiCameras **out)
{
    RiTable *table;
    *out = NULL;
    RI_TRY(ri_table_load(ctx, path, ',', MOST_BYTES, &table));
    return from_table(ctx, table, out);
}

RiStatus ri_cameras_parse(RiContext *ctx, const char *path, const char *text, size_t size, RiCameras **out)
{
    RiTable *table;
    *out = NULL;
    RI_TRY(ri_table_parse(ctx, path, text, size, ',', &table));
    return from_table(ctx, table, out);
}

int ri_cameras_count(const RiCameras *cameras)
{
    return cameras->count;
}

const char *ri_cameras_name(const RiCameras *cameras, int index)
{
    return cameras->list[index].name;
}

const char *ri_cameras_frame(const RiCameras *cameras, int index)
{
    return cameras->list[index].frame;
}

const RiCamera *ri_cameras_get(const RiCameras *cameras, int index)
{
    return &cameras->list[index].camera;
}

int ri_cameras_find(const RiCameras *cameras, const char *name)
{
    return ri_names_find(&cameras->names, name);
}

const char *ri_cameras_suggest(const RiCameras *cameras, const char *name)
{
    return ri_names_nearest(&cameras->names, name);
}

// --- writing -------------------------------------------------------------------------------------

static void write_vectors(FILE *f, const RiCamera *c)
{
    const RiVec3 v[5] = {c->C, c->A, c->H, c->V, c->O};
    const int vectors = ri_camera_vectors(c);
    for (int i = 0; i < vectors && i < 5; i++)
        fprintf(f, ",%.17g,%.17g,%.17g", v[i].x, v[i].y, v[i].z);
    if (vectors >= 5)
        fprintf(f, ",%.17g,%.17g,%.17g", c->R[0], c->R[1], c->R[2]);
    if (vectors >= 6)
        fprintf(f, ",%.17g,%.17g,%.17g,%.17g,%d", c->E[0], c->E[1], c->E[2], c->linear, c->pupil);
}

static void write_camera(FILE *f, const RiCamera *c, const char *name)
{
    static const char *const more[RI_CAMERA_MODEL_COUNT] = {"",
                                                            ",k1,k2,p1,p2,k3",
                                                            "",
                                                            ",k1,k2,k3,k4",
                                                            "",
                                                            ",Ox,Oy,Oz,R0,R1,R2",
                                                            ",Ox,Oy,Oz,R0,R1,R2,E0,E1,E2,linearity,pupilType"};
    const bool vectors = c->model >= RI_CAMERA_CAHV;
    fprintf(f, "name,type,width,height%s%s%s\n", vectors ? ",Cx,Cy,Cz,Ax,Ay,Az,Hx,Hy,Hz,Vx,Vy,Vz" : ",fx,fy,cx,cy",
            more[c->model], c->k_count > 5 ? ",k4,k5,k6" : "");
    fprintf(f, "%s,%s,%d,%d", name, ri_camera_model_name(c->model), c->width, c->height);
    if (vectors) {
        write_vectors(f, c);
    } else {
        fprintf(f, ",%.17g,%.17g,%.17g,%.17g", c->fx, c->fy, c->cx, c->cy);
        for (int i = 0; i < c->k_count; i++)
            fprintf(f, ",%.17g", c->k[i]);
    }
    fputc('\n', f);
}

RiStatus ri_camera_save(RiContext *ctx, const RiCamera *camera, const char *name, const char *path)
{
    RiBeside beside;
    FILE *f = ri_beside_stream(&beside, path);
    if (!f)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    write_camera(f, camera, name);
    const int code = ri_beside_close(&beside, true);
    return code == 0 ? RI_OK : ri_error(ctx, RI_ERR_IO, "%s: cannot be written: %s", path, strerror(code));
}

// --- sightings -----------------------------------------------------------------------------------

static RiStatus read_sighting(const RiTable *t, int row, RiSighting *s)
{
    RI_TRY(ri_table_need(t, row, "X", &s->point.x));
    RI_TRY(ri_table_need(t, row, "Y", &s->point.y));
    RI_TRY(ri_table_need(t, row, "Z", &s->point.z));
    RI_TRY(ri_table_need(t, row, "sample", &s->sample));
    return ri_table_need(t, row, "line", &s->line);
}

RiStatus ri_sightings_load(RiContext *ctx, const char *path, RiSighting **out_sightings, int *out_count)
{
    RiTable *table;
    *out_sightings = NULL;
    *out_count = 0;
    RI_TRY(ri_table_load(ctx, path, ',', MOST_BYTES, &table));
    RiSighting *list = ri_alloc_zero(ctx, (size_t)table->row_count + 1, sizeof *list);
    RiStatus status = list ? RI_OK : ri_error_memory(ctx);
    for (int i = 0; i < table->row_count && status == RI_OK; i++)
        status = read_sighting(table, i, &list[i]);
    if (status == RI_OK) {
        *out_sightings = list;
        *out_count = table->row_count;
    } else {
        ri_release(ctx, list);
    }
    ri_table_destroy(table);
    return status;
}

void ri_sightings_free(RiContext *ctx, RiSighting *sightings)
{
    ri_release(ctx, sightings);
}
