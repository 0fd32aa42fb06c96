// SPDX-License-Identifier: Apache-2.0
/// \file
/// The `scene` message: what a robot looks like.
///
/// A link shows its visual shapes; without any, its wheels and screws; without those, its collision
/// shapes; and a link that has nothing but a mass shows the uniform box that has its inertia.
/// Cameras: free orbit, chase, plan, fixed, and one for each camera that the robot carries.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rille/perception.h>

#include "link/ground.h"
#include "link/scene.h"
#include "link/view_work.h"

// --- meshes --------------------------------------------------------------------------------------

static void put_u32(unsigned char *at, uint32_t x)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(x >> (8 * i));
}

/// The binary form that pages fetch.
static RiStatus pack_mesh(RiContext *ctx, const RiMesh *mesh, RiText *out)
{
    const size_t points = (size_t)mesh->point_count, triangles = (size_t)mesh->triangle_count;
    unsigned char four[12];
    put_u32(four, (uint32_t)points);
    put_u32(four + 4, (uint32_t)triangles);
    ri_text_put(out, four, 8);
    for (size_t i = 0; i < points && !out->failed; i++) {
        const float xyz[3] = {(float)mesh->points[i].x, (float)mesh->points[i].y, (float)mesh->points[i].z};
        for (int k = 0; k < 3; k++) {
            uint32_t bits;
            memcpy(&bits, &xyz[k], sizeof bits);
            put_u32(four + 4 * k, bits);
        }
        ri_text_put(out, four, 12);
    }
    for (size_t i = 0; i < triangles && !out->failed; i++) {
        for (int k = 0; k < 3; k++)
            put_u32(four + 4 * k, mesh->triangles[i][k]);
        ri_text_put(out, four, 12);
    }
    return out->failed ? ri_error(ctx, RI_ERR_MEMORY, "out of memory") : RI_OK;
}

RiStatus ri_scene_mesh_bytes(RiContext *ctx, const RiSceneMesh *from, RiText *out)
{
    RiMesh *mesh = NULL;
    RiStatus status = from->wheel   ? ri_wheel_mesh(ctx, from->wheel, from->part, &mesh)
                      : from->screw ? ri_screw_mesh(ctx, from->screw, from->part, &mesh)
                                    : ri_mesh_load(ctx, from->path, &mesh);
    if (status == RI_OK && mesh)
        status = pack_mesh(ctx, mesh, out);
    ri_mesh_destroy(mesh);
    return status;
}

static bool equal_wheels(const RiWheelSpec *a, const RiWheelSpec *b)
{
    return a->radius == b->radius && a->width == b->width && a->crown == b->crown &&
           a->grouser_count == b->grouser_count && a->grouser_height == b->grouser_height &&
           a->grouser_thickness == b->grouser_thickness && a->grouser_angle == b->grouser_angle;
}

static bool equal_screws(const RiScrewSpec *a, const RiScrewSpec *b)
{
    return a->radius == b->radius && a->core_radius == b->core_radius && a->length == b->length && a->lead == b->lead &&
           a->hand == b->hand && a->starts == b->starts;
}

bool ri_scene_mesh_equal(const RiSceneMesh *a, const RiSceneMesh *b)
{
    if (a->wheel && b->wheel)
        return a->part == b->part && equal_wheels(a->wheel, b->wheel);
    if (a->screw && b->screw)
        return a->part == b->part && equal_screws(a->screw, b->screw);
    return a->path && b->path && strcmp(a->path, b->path) == 0;
}

// --- visuals -------------------------------------------------------------------------------------

typedef struct Scene {
    RiContext *ctx;
    const RiSpec *spec;
    const RiModel *model;
    RiSceneMeshFn add_mesh;
    void *user;
    RiText *out;
} Scene;

static void put_pose(RiText *out, const RiPose *pose)
{
    const RiQuat q = ri_quat_from_mat3(&pose->R);
    ri_text_add(out, ",\"position\":");
    ri_text_vec3(out, pose->p);
    ri_text_add(out, ",\"quaternion\":");
    ri_text_numbers(out, (const double[]){q.w, q.x, q.y, q.z}, 4, 9);
}

static void put_colour(const Scene *s, const char *material)
{
    ri_text_add(s->out, ",\"colour\":");
    for (int i = 0; material && i < s->spec->material_count; i++)
        if (strcmp(s->spec->materials[i].name, material) == 0) {
            ri_text_numbers(s->out, s->spec->materials[i].rgba, 4, 5);
            ri_text_add(s->out, "}");
            return;
        }
    ri_text_add(s->out, "null}");
}

/// Opens a visual: shape and size.
static void put_shape(const Scene *s, bool *first, const char *shape, const double *size, int count)
{
    ri_text_format(s->out, "%s{\"shape\":\"%s\",\"size\":", *first ? "" : ",", shape);
    ri_text_numbers(s->out, size, count, 9);
    *first = false;
}

/// A mesh that cannot be had is left out, and said so.
static RiStatus put_mesh(const Scene *s, bool *first, const RiSceneMesh *mesh, const double *scale, const RiPose *pose,
                         const char *material)
{
    int number = -1;
    RI_TRY(s->add_mesh(s->user, mesh, &number));
    if (number < 0)
        return RI_OK;
    ri_text_format(s->out, "%s{\"shape\":\"mesh\",\"mesh\":%d,\"scale\":", *first ? "" : ",", number);
    ri_text_numbers(s->out, scale, 3, 9);
    *first = false;
    put_pose(s->out, pose);
    put_colour(s, material);
    return RI_OK;
}

static RiStatus put_visual(const Scene *s, bool *first, const RiShapeSpec *x)
{
    static const char *const names[] = {"box", "cylinder", "sphere", "capsule"};
    static const int counts[] = {3, 2, 1, 2};
    if (x->type == RI_SHAPE_MESH)
        return x->path ? put_mesh(s, first, &(RiSceneMesh){.path = x->path}, x->size, &x->pose, x->material) : RI_OK;
    put_shape(s, first, names[x->type], x->size, counts[x->type]);
    put_pose(s->out, &x->pose);
    put_colour(s, x->material);
    return RI_OK;
}

static RiStatus put_shapes(const Scene *s, bool *first, const char *link, int use)
{
    for (int i = 0; i < s->spec->shape_count; i++) {
        const RiShapeSpec *x = &s->spec->shapes[i];
        if ((x->use & use) && strcmp(x->link, link) == 0)
            RI_TRY(put_visual(s, first, x));
    }
    return RI_OK;
}

/// Both parts of a wheel or a screw; the other is NULL.
static RiStatus put_gear(const Scene *s, bool *first, const RiWheelSpec *wheel, const RiScrewSpec *screw)
{
    static const RiGearPart parts[] = {RI_GEAR_HUB, RI_GEAR_TREAD};
    static const double scale[] = {1.0, 1.0, 1.0};
    for (int i = 0; i < 2; i++) {
        const RiSceneMesh mesh = {.wheel = wheel, .screw = screw, .part = parts[i]};
        RI_TRY(put_mesh(s, first, &mesh, scale, wheel ? &wheel->pose : &screw->pose,
                        ri_gear_material(s->spec, screw != NULL, parts[i])));
    }
    return RI_OK;
}

static RiStatus put_running_gear(const Scene *s, bool *first, const char *link)
{
    for (int i = 0; i < s->spec->wheel_count; i++)
        if (strcmp(s->spec->wheels[i].link, link) == 0)
            RI_TRY(put_gear(s, first, &s->spec->wheels[i], NULL));
    for (int i = 0; i < s->spec->screw_count; i++)
        if (strcmp(s->spec->screws[i].link, link) == 0)
            RI_TRY(put_gear(s, first, NULL, &s->spec->screws[i]));
    return RI_OK;
}

/// The uniform box of the link's mass and inertia: I_x = m (b^2 + c^2) / 12, solved for the sides.
static void put_inertia_box(const Scene *s, bool *first, const RiLinkSpec *link)
{
    double I[3];
    RiPose pose = {.p = link->com};
    if (!(link->mass > 0.0))
        return;
    ri_mat3_eigen(&link->inertia, I, &pose.R);
    double side[3];
    for (int k = 0; k < 3; k++) {
        const double square = 6.0 * (I[(k + 1) % 3] + I[(k + 2) % 3] - I[k]) / link->mass;
        side[k] = square > 1e-6 ? sqrt(square) : 1e-3;
    }
    put_shape(s, first, "box", side, 3);
    put_pose(s->out, &pose);
    put_colour(s, NULL);
}

static RiStatus put_visuals(const Scene *s, const char *link)
{
    bool first = true;
    RI_TRY(put_shapes(s, &first, link, RI_SHAPE_VISUAL));
    if (first)
        RI_TRY(put_running_gear(s, &first, link));
    if (first)
        RI_TRY(put_shapes(s, &first, link, RI_SHAPE_COLLISION));
    const RiLinkSpec *spec = ri_spec_find_link(s->spec, link);
    if (first && spec)
        put_inertia_box(s, &first, spec);
    return RI_OK;
}

/// Mass and centre of mass, from which pages find the robot's.
static void put_mass(RiText *out, const RiLinkSpec *link)
{
    if (!link || !(link->mass > 0.0))
        return;
    ri_text_add(out, "\"mass\":");
    ri_text_number(out, link->mass, 9);
    ri_text_add(out, ",\"com\":");
    ri_text_vec3(out, link->com);
    ri_text_add(out, ",");
}

static RiStatus put_bodies(const Scene *s)
{
    for (int i = 0; i < ri_model_link_count(s->model); i++) {
        const RiLinkInfo link = ri_model_link(s->model, i);
        ri_text_add(s->out, i ? ",{\"name\":" : "{\"name\":");
        ri_text_string(s->out, link.name);
        ri_text_format(s->out, ",\"parent\":%d,\"ornament\":false,",
                       link.joint >= 0 ? ri_model_joint(s->model, link.joint).parent_link : -1);
        put_mass(s->out, ri_spec_find_link(s->spec, link.name));
        ri_text_add(s->out, "\"visuals\":[");
        RI_TRY(put_visuals(s, link.name));
        ri_text_add(s->out, "]}");
    }
    return RI_OK;
}

// --- cameras, springs ----------------------------------------------------------------------------

static void put_cameras(const Scene *s)
{
    const int base = 0;
    ri_text_format(
        s->out,
        "{\"name\":\"orbit\",\"kind\":\"orbit\",\"body\":%d,\"position\":null,\"target\":null,\"fov\":0.87},"
        "{\"name\":\"chase\",\"kind\":\"chase\",\"body\":%d,\"position\":null,\"target\":null,\"fov\":0.87},"
        "{\"name\":\"plan\",\"kind\":\"plan\",\"body\":%d,\"position\":null,\"target\":null,\"fov\":0.87},"
        "{\"name\":\"fixed\",\"kind\":\"fixed\",\"body\":null,\"position\":null,\"target\":null,\"fov\":0.87}",
        base, base, base);
    for (int i = 0; i < s->spec->sensor_count; i++) {
        const RiSensorSpec *x = &s->spec->sensors[i];
        if (!x->link || strcmp(x->kind, "camera") != 0)
            continue;
        const RiVec3 ahead = ri_add(x->pose.p, ri_mat3_col(&x->pose.R, 0)); // a camera looks along its x axis
        ri_text_add(s->out, ",{\"name\":");
        ri_text_string(s->out, x->name);
        ri_text_format(s->out,
                       ",\"kind\":\"onboard\",\"body\":%d,\"position\":", ri_model_find_link(s->model, x->link));
        ri_text_vec3(s->out, x->pose.p);
        ri_text_add(s->out, ",\"target\":");
        ri_text_vec3(s->out, ahead);
        ri_text_add(s->out, ",\"fov\":0.87}");
    }
}

/// The sun now and, if it moves, its places over the run: page and log need no ephemeris.
static void put_sun(RiText *out, const RiSunDef *sun, double duration)
{
    enum { MOST = 256 };
    const RiSun start = ri_sun_compute(sun, 0.0);
    ri_text_add(out, "{\"azimuth\":");
    ri_text_number(out, start.azimuth, 9);
    ri_text_add(out, ",\"elevation\":");
    ri_text_number(out, start.elevation, 9);
    ri_text_add(out, ",\"body\":");
    ri_text_string(out, ri_world_name(sun->world));
    ri_text_add(out, ",\"track\":[");
    const double step = fmax(60.0, duration / MOST);
    const int count = sun->moves ? (int)ceil(duration / step) + 1 : 0;
    for (int i = 0; i < count; i++) {
        const RiSun at = ri_sun_compute(sun, step * i);
        ri_text_add(out, i ? ",[" : "[");
        ri_text_number(out, step * i, 9);
        ri_text_add(out, ",");
        ri_text_number(out, at.azimuth, 6);
        ri_text_add(out, ",");
        ri_text_number(out, at.elevation, 6);
        ri_text_add(out, "]");
    }
    ri_text_add(out, "]}");
}

static const char *look_name(RiSceneLook kind)
{
    switch (kind) {
    case RI_LOOK_ORBIT:
        return "orbit";
    case RI_LOOK_CHASE:
        return "chase";
    case RI_LOOK_PLAN:
        return "plan";
    case RI_LOOK_FIXED:
        return "fixed";
    }
    return "orbit";
}

/// How the page looks at the scene at first.
static void put_view(RiText *out, const RiSceneView *view)
{
    ri_text_format(out, "{\"kind\":\"%s\",\"azimuth\":", look_name((RiSceneLook)view->kind));
    ri_text_number(out, view->azimuth, 9);
    ri_text_add(out, ",\"elevation\":");
    ri_text_number(out, view->elevation, 9);
    ri_text_add(out, ",\"distance\":");
    ri_text_number(out, view->distance, 9);
    ri_text_add(out, ",\"target\":");
    ri_text_vec3(out, view->target);
    ri_text_format(out, ",\"follow\":%s,\"layers\":", view->follow ? "true" : "false");
    ri_text_string(out, view->layers ? view->layers : "");
    ri_text_add(out, "}");
}

/// How many cameras and lidars are on, where there are any.
static void put_sensors(RiText *out, const RiScene *scene)
{
    int cameras = 0, lidars = 0;
    for (int i = 0; i < ri_scene_camera_count(scene); i++)
        cameras += ri_scene_camera(scene, i)->on;
    for (int i = 0; i < ri_scene_lidar_count(scene); i++)
        lidars += ri_scene_lidar(scene, i)->on;
    if (cameras + lidars > 0)
        ri_text_format(out, ",\"sensors\":{\"cameras\":%d,\"lidars\":%d}", cameras, lidars);
}

/// The scene's plots with the values that their globs match.
static void put_plots(RiText *out, const RiScene *scene)
{
    enum { MOST = 8 }; // lines that can be told apart
    const RiValues *values = ri_sim_values(ri_scene_sim(scene));
    for (int i = 0; i < ri_scene_plot_count(scene); i++) {
        int count = 0;
        ri_text_add(out, i ? ",{\"title\":" : "{\"title\":");
        ri_text_string(out, ri_scene_plot_title(scene, i));
        ri_text_add(out, ",\"values\":[");
        for (int g = 0; g < ri_scene_plot_glob_count(scene, i); g++) {
            const char *glob = ri_scene_plot_glob(scene, i, g);
            for (int v = ri_values_match(values, glob, 0); v >= 0 && count < MOST;
                 v = ri_values_match(values, glob, v + 1)) {
                ri_text_add(out, count++ ? "," : "");
                ri_text_string(out, ri_values_get(values, v)->name);
            }
        }
        ri_text_add(out, "]}");
    }
}

static void put_rest(const Scene *s, const RiSim *sim, const RiScene *scene)
{
    ri_text_add(s->out, "],\"sun\":");
    put_sun(s->out, ri_scene_sun(scene), ri_scene_duration(scene));
    ri_text_add(s->out, ",\"gravity\":");
    ri_text_vec3(s->out, ri_sim_options(sim)->gravity);
    ri_text_add(s->out, ",\"springs\":[");
    for (int i = 0; i < ri_sim_spring_count(sim); i++) {
        if (i)
            ri_text_add(s->out, ",");
        ri_text_string(s->out, ri_sim_spring(sim, i).name);
    }
    ri_text_add(s->out, "],\"terrain\":");
    ri_ground_member(s->out, sim, ri_scene_terrain(scene));
    ri_text_add(s->out, ",\"mass\":");
    ri_text_number(s->out, ri_model_mass(s->model), 9);
    const RiSceneView view = ri_scene_view(scene);
    ri_text_add(s->out, ",\"view\":");
    put_view(s->out, &view);
    put_sensors(s->out, scene);
    ri_text_add(s->out, ",\"plots\":[");
    put_plots(s->out, scene);
    ri_text_add(s->out, "]}");
}

RiStatus ri_scene_message(RiContext *ctx, const RiScene *scene, int run, RiSceneMeshFn add_mesh, void *user,
                          RiText *out)
{
    const RiSim *sim = ri_scene_sim(scene);
    const Scene s = {ctx, ri_scene_spec(scene), ri_sim_model(sim), add_mesh, user, out};
    ri_text_format(out, "{\"op\":\"scene\",\"run\":%d,\"bodies\":[", run);
    RI_TRY(put_bodies(&s));
    ri_text_add(out, "],\"cameras\":[");
    put_cameras(&s);
    put_rest(&s, sim, scene);
    return out->failed ? ri_error(ctx, RI_ERR_MEMORY, "out of memory") : RI_OK;
}
