// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a robot looks like to rays, as in the viewer's scene message.
#include <math.h>
#include <string.h>

#include <rille/mesh.h>

#include "base/functions.h"
#include "io/optics/visuals.h"

typedef struct Visuals {
    RiContext *ctx;
    const RiSpec *spec;
    RiReport *report;
    RiRayScene *scene;
    int body, shapes;
} Visuals;

/// Linear from display values, as materials give them.
static float linear(double x)
{
    return (float)(x <= 0.04045 ? x / 12.92 : ri_pow((x + 0.055) / 1.055, 2.4));
}

static RiStatus surface_of(const Visuals *v, const char *material, int *out)
{
    float rgb[3] = {0.35f, 0.35f, 0.36f};
    for (int i = 0; material && i < v->spec->material_count; i++)
        if (strcmp(v->spec->materials[i].name, material) == 0)
            for (int k = 0; k < 3; k++)
                rgb[k] = linear(v->spec->materials[i].rgba[k]);
    return ri_ray_scene_add_surface(v->scene, material ? material : "robot", rgb, out);
}

static RiStatus add(Visuals *v, RiRayShape *shape, const char *material)
{
    RI_TRY(surface_of(v, material, &shape->surface));
    RI_TRY(ri_ray_scene_add_shape(v->scene, v->body, shape));
    v->shapes++;
    return RI_OK;
}

static RiStatus add_mesh(Visuals *v, const RiShapeSpec *x, RiRayShape *shape)
{
    RiMesh *mesh = NULL;
    if (!x->path)
        return RI_OK;
    RiStatus status = ri_mesh_load(v->ctx, x->path, &mesh);
    if (status != RI_OK && status != RI_ERR_MEMORY) {
        ri_report_add(v->report, RI_FINDING_WARNING, x->source.file, x->source.line, "not seen by rays: %s",
                      ri_context_message(v->ctx));
        return RI_OK;
    }
    RI_TRY(status);
    shape->type = RI_RAY_MESH;
    shape->points = mesh->points;
    shape->triangles = (const uint32_t(*)[3])mesh->triangles;
    shape->point_count = mesh->point_count;
    shape->triangle_count = mesh->triangle_count;
    status = add(v, shape, x->material);
    ri_mesh_destroy(mesh);
    return status;
}

static RiStatus add_shape(Visuals *v, const RiShapeSpec *x)
{
    static const RiRayShapeType types[] = {[RI_SHAPE_BOX] = RI_RAY_BOX,
                                           [RI_SHAPE_CYLINDER] = RI_RAY_CYLINDER,
                                           [RI_SHAPE_SPHERE] = RI_RAY_SPHERE,
                                           [RI_SHAPE_CAPSULE] = RI_RAY_CAPSULE,
                                           [RI_SHAPE_MESH] = RI_RAY_MESH};
    RiRayShape shape = {.type = types[x->type], .pose = x->pose};
    memcpy(shape.size, x->size, sizeof shape.size);
    return x->type == RI_SHAPE_MESH ? add_mesh(v, x, &shape) : add(v, &shape, x->material);
}

static RiStatus add_shapes(Visuals *v, const char *link, int use)
{
    for (int i = 0; i < v->spec->shape_count; i++)
        if ((v->spec->shapes[i].use & use) && strcmp(v->spec->shapes[i].link, link) == 0)
            RI_TRY(add_shape(v, &v->spec->shapes[i]));
    return RI_OK;
}

static RiStatus add_part(Visuals *v, const RiPose *pose, const RiMesh *mesh, const char *material)
{
    RiRayShape shape = {.type = RI_RAY_MESH, .pose = *pose, .size = {1.0, 1.0, 1.0}};
    shape.points = mesh->points;
    shape.triangles = (const uint32_t(*)[3])mesh->triangles;
    shape.point_count = mesh->point_count;
    shape.triangle_count = mesh->triangle_count;
    return add(v, &shape, material);
}

/// Both parts of a wheel or a screw; the other is NULL.
static RiStatus add_gear(Visuals *v, const RiWheelSpec *wheel, const RiScrewSpec *screw)
{
    static const RiGearPart parts[] = {RI_GEAR_HUB, RI_GEAR_TREAD};
    for (int i = 0; i < 2; i++) {
        RiMesh *mesh = NULL;
        RI_TRY(wheel ? ri_wheel_mesh(v->ctx, wheel, parts[i], &mesh) : ri_screw_mesh(v->ctx, screw, parts[i], &mesh));
        RiStatus status = RI_OK;
        if (mesh)
            status = add_part(v, wheel ? &wheel->pose : &screw->pose, mesh,
                              ri_gear_material(v->spec, screw != NULL, parts[i]));
        ri_mesh_destroy(mesh);
        RI_TRY(status);
    }
    return RI_OK;
}

static RiStatus add_running_gear(Visuals *v, const char *link)
{
    for (int i = 0; i < v->spec->wheel_count; i++)
        if (strcmp(v->spec->wheels[i].link, link) == 0)
            RI_TRY(add_gear(v, &v->spec->wheels[i], NULL));
    for (int i = 0; i < v->spec->screw_count; i++)
        if (strcmp(v->spec->screws[i].link, link) == 0)
            RI_TRY(add_gear(v, NULL, &v->spec->screws[i]));
    return RI_OK;
}

/// The uniform box of the link's mass and inertia.
static RiStatus add_inertia_box(Visuals *v, const RiLinkSpec *link)
{
    RiRayShape shape = {.type = RI_RAY_BOX, .pose = {.p = link->com}};
    double I[3];
    if (!(link->mass > 0.0))
        return RI_OK;
    ri_mat3_eigen(&link->inertia, I, &shape.pose.R);
    for (int k = 0; k < 3; k++) {
        const double square = 6.0 * (I[(k + 1) % 3] + I[(k + 2) % 3] - I[k]) / link->mass;
        shape.size[k] = square > 1e-6 ? sqrt(square) : 1e-3;
    }
    return add(v, &shape, NULL);
}

RiStatus ri_visuals_add(RiContext *ctx, const RiSpec *spec, const RiModel *model, RiReport *report, RiRayScene *scene,
                        int *out_links, int *out_count)
{
    Visuals v = {.ctx = ctx, .spec = spec, .report = report, .scene = scene};
    *out_count = 0;
    for (int i = 0; i < ri_model_link_count(model); i++) {
        const char *name = ri_model_link(model, i).name;
        const RiLinkSpec *link = ri_spec_find_link(spec, name);
        RI_TRY(ri_ray_scene_add_body(scene, name, i, RI_RAY_PHYSICAL, &v.body));
        out_links[(*out_count)++] = i;
        v.shapes = 0;
        RI_TRY(add_shapes(&v, name, RI_SHAPE_VISUAL));
        if (v.shapes == 0)
            RI_TRY(add_running_gear(&v, name));
        if (v.shapes == 0)
            RI_TRY(add_shapes(&v, name, RI_SHAPE_COLLISION));
        if (v.shapes == 0 && link)
            RI_TRY(add_inertia_box(&v, link));
    }
    return RI_OK;
}
