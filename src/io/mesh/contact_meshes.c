// SPDX-License-Identifier: Apache-2.0
/// \file
/// Meshes of a robot that touch, and those that throw shadows; each file once.
#include <rille/mesh.h>

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/// Screws and wheels stand for their link; contact points do for the ground.
static bool stands_for(const RiSpec *spec, const RiContactOptions *o, const char *link)
{
    for (int i = 0; i < spec->screw_count; i++)
        if (strcmp(spec->screws[i].link, link) == 0)
            return true;
    for (int i = 0; i < spec->wheel_count; i++)
        if (strcmp(spec->wheels[i].link, link) == 0)
            return true;
    for (int i = 0; i < spec->contact_point_count && o->back_end == RI_BACK_END_POINTS; i++)
        if (strcmp(spec->contact_points[i].link, link) == 0)
            return true;
    return false;
}

static bool has(const RiContactMeshes *m, const char *path)
{
    for (int i = 0; i < m->count; i++)
        if (strcmp(m->list[i].path, path) == 0)
            return true;
    return false;
}

static void keep(RiContactMeshes *m, const char *path, RiMesh *mesh)
{
    m->list[m->count] = (RiContactMesh){.path = path,
                                        .points = mesh->points,
                                        .triangles = (const uint32_t(*)[3])mesh->triangles,
                                        .point_count = mesh->point_count,
                                        .triangle_count = mesh->triangle_count};
    m->meshes[m->count++] = mesh;
}

static RiStatus load_one(RiContactMeshes *m, const RiShapeSpec *x)
{
    if (has(m, x->path))
        return RI_OK;
    RiMesh *mesh;
    const RiStatus status = ri_mesh_load(m->ctx, x->path, &mesh);
    if (status != RI_OK && status != RI_ERR_MEMORY) {
        char message[768];
        snprintf(message, sizeof message, "%s", ri_context_message(m->ctx));
        return ri_error(m->ctx, status, "%s:%d: collision mesh of link '%s' touches: %s",
                        x->source.file ? x->source.file : "robot", x->source.line, x->link, message);
    }
    RI_TRY(status);
    keep(m, x->path, mesh);
    return RI_OK;
}

static RiStatus begin(RiContext *ctx, const RiSpec *spec, RiContactMeshes **out)
{
    const size_t n = (size_t)spec->shape_count + 1;
    RiContactMeshes *m = *out = ri_alloc_zero(ctx, 1, sizeof *m);
    if (!m)
        return ri_error_memory(ctx);
    m->ctx = ctx;
    m->list = ri_alloc_zero(ctx, n, sizeof *m->list);
    m->meshes = ri_alloc_zero(ctx, n, sizeof(RiMesh *));
    return m->list && m->meshes ? RI_OK : ri_error_memory(ctx);
}

static RiStatus end(RiContactMeshes *m, RiStatus status, RiContactMeshes **out)
{
    *out = status == RI_OK ? m : NULL;
    if (status != RI_OK)
        ri_contact_meshes_destroy(m);
    return status;
}

RiStatus ri_contact_meshes_load(RiContext *ctx, const RiSpec *spec, const RiContactOptions *options,
                                RiContactMeshes **out_meshes)
{
    RiContactMeshes *m;
    RiStatus status = begin(ctx, spec, &m);
    for (int i = 0; i < spec->shape_count && status == RI_OK && options->shapes; i++) {
        const RiShapeSpec *x = &spec->shapes[i];
        if (x->type == RI_SHAPE_MESH && (x->use & (RI_SHAPE_COLLISION | RI_SHAPE_GROUND)) && x->path &&
            !stands_for(spec, options, x->link))
            status = load_one(m, x);
    }
    return end(m, status, out_meshes);
}

RiStatus ri_shade_meshes_load(RiContext *ctx, const RiSpec *spec, RiReport *report, RiContactMeshes **out_meshes)
{
    RiContactMeshes *m;
    RiStatus status = begin(ctx, spec, &m);
    for (int i = 0; i < spec->shape_count && status == RI_OK; i++) {
        const RiShapeSpec *x = &spec->shapes[i];
        RiMesh *mesh;
        if (x->type != RI_SHAPE_MESH || !(x->use & RI_SHAPE_VISUAL) || !x->path || has(m, x->path))
            continue;
        status = ri_mesh_load(ctx, x->path, &mesh);
        if (status == RI_OK) {
            keep(m, x->path, mesh);
        } else if (status != RI_ERR_MEMORY) {
            ri_report_add(report, RI_FINDING_WARNING, x->source.file, x->source.line, "throws no shadow: %s",
                          ri_context_message(ctx));
            status = RI_OK;
        }
    }
    return end(m, status, out_meshes);
}

void ri_contact_meshes_destroy(RiContactMeshes *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->count; i++)
        ri_mesh_destroy(m->meshes[i]);
    ri_release(m->ctx, m->meshes);
    ri_release(m->ctx, m->list);
    ri_release(m->ctx, m);
}
