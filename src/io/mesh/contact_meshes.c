// SPDX-License-Identifier: Apache-2.0
/// \file
/// Collision meshes of a robot, each file once.
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

static RiStatus load_one(RiContactMeshes *m, const RiShapeSpec *x)
{
    for (int i = 0; i < m->count; i++)
        if (strcmp(m->list[i].path, x->path) == 0)
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
    m->list[m->count] = (RiContactMesh){.path = x->path,
                                        .points = mesh->points,
                                        .triangles = (const uint32_t(*)[3])mesh->triangles,
                                        .point_count = mesh->point_count,
                                        .triangle_count = mesh->triangle_count};
    m->meshes[m->count++] = mesh;
    return RI_OK;
}

RiStatus ri_contact_meshes_load(RiContext *ctx, const RiSpec *spec, const RiContactOptions *options,
                                RiContactMeshes **out_meshes)
{
    const size_t n = (size_t)spec->shape_count + 1;
    *out_meshes = NULL;
    RiContactMeshes *m = ri_alloc_zero(ctx, 1, sizeof *m);
    if (!m)
        return ri_error_memory(ctx);
    m->ctx = ctx;
    m->list = ri_alloc_zero(ctx, n, sizeof *m->list);
    m->meshes = ri_alloc_zero(ctx, n, sizeof(RiMesh *));
    RiStatus status = m->list && m->meshes ? RI_OK : ri_error_memory(ctx);
    for (int i = 0; i < spec->shape_count && status == RI_OK && options->shapes; i++) {
        const RiShapeSpec *x = &spec->shapes[i];
        if (x->type == RI_SHAPE_MESH && (x->use & (RI_SHAPE_COLLISION | RI_SHAPE_GROUND)) && x->path &&
            !stands_for(spec, options, x->link))
            status = load_one(m, x);
    }
    if (status != RI_OK)
        ri_contact_meshes_destroy(m);
    else
        *out_meshes = m;
    return status;
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
