// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes for cameras and lidars of the command line.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/memory.h>
#include <rille/picture.h>

#include "optics/optics.h"
#include "run/run.h"
#include "terrain/terrain.h"
#include "view/video.h"
#include "view/view.h"

CliExit optics_open(OpticsStage *s, const char *scene, const RiSetting *settings, int setting_count, int threads)
{
    char path[PATH_MAX];
    *s = (OpticsStage){.ctx = NULL};
    if (!cli_find_scene(scene, path))
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &s->ctx) != RI_OK)
        return cli_no_memory();
    RiStatus status = ri_report_create(s->ctx, &s->report);
    RiSceneOptions o = ri_scene_options_default();
    o.settings = settings;
    o.setting_count = setting_count;
    o.report = s->report;
    if (status == RI_OK)
        status = cli_open_scene(s->ctx, path, o, &s->scene);
    if (status == RI_OK)
        status = ri_perception_create(s->ctx, s->scene, threads, s->report, &s->eyes);
    for (int i = 0; s->report && i < ri_report_count(s->report); i++) {
        const RiFinding *f = ri_report_get(s->report, i);
        if (f->kind == RI_FINDING_WARNING)
            cli_error("%s:%d: warning: %s", f->file ? f->file : path, f->line, f->text);
    }
    return status == RI_OK ? CLI_DONE : cli_fail(s->ctx, status);
}

CliExit optics_run_to(OpticsStage *s, double time)
{
    RiSim *sim = ri_scene_sim(s->scene);
    const double tick = ri_sim_options(sim)->tick;
    const long long ticks = llround(time / tick);
    RiStatus status = RI_OK;
    while (status == RI_OK && ri_sim_tick(sim) < ticks && !ri_sim_stopped(sim)) {
        status = ri_perception_look(s->eyes);
        while (status == RI_OK && ri_sim_tick(sim) < ticks - 1 && !ri_sim_stopped(sim))
            status = ri_sim_step(sim);
        if (status == RI_OK)
            status = ri_perception_look(s->eyes);
        if (status == RI_OK && ri_sim_tick(sim) < ticks && !ri_sim_stopped(sim))
            status = ri_sim_step(sim);
        if (status == RI_OK)
            status = ri_perception_look(s->eyes);
    }
    if (status != RI_OK)
        return cli_fail(s->ctx, status);
    if (ri_sim_tick(sim) < ticks)
        cli_error("note: the run stopped at %g s: %s", ri_sim_time(sim), ri_sim_stopped(sim));
    return CLI_DONE;
}

void optics_close(OpticsStage *s)
{
    ri_perception_destroy(s->eyes);
    ri_scene_destroy(s->scene);
    if (s->report)
        ri_report_destroy(s->report);
    if (s->ctx)
        ri_context_destroy(s->ctx);
}

// --- rille view --renderer rays ------------------------------------------------------------------

/// A camera's frame (optical axes) that looks from one point to another, z up.
static RiPose look_at(RiVec3 from, RiVec3 to)
{
    RiVec3 z = ri_sub(to, from);
    z = ri_scale(1.0 / ri_norm(z), z);
    const RiVec3 up = fabs(z.z) > 0.999 ? ri_vec3(0.0, 1.0, 0.0) : ri_vec3(0.0, 0.0, 1.0);
    RiVec3 x = ri_cross(z, up);
    x = ri_scale(1.0 / ri_norm(x), x);
    return (RiPose){ri_mat3_from_cols(x, ri_cross(z, x), z), from};
}

typedef struct Box {
    RiVec3 low, high;
} Box;

static void stretch(Box *b, RiVec3 p)
{
    b->low = ri_vec3(fmin(b->low.x, p.x), fmin(b->low.y, p.y), fmin(b->low.z, p.z));
    b->high = ri_vec3(fmax(b->high.x, p.x), fmax(b->high.y, p.y), fmax(b->high.z, p.z));
}

/// The corners of a solid of half sizes `half` about its pose on a link.
static void stretch_by_solid(Box *b, const RiPose *link, const RiPose *own, RiVec3 half)
{
    const RiPose at = ri_pose_mul(link, own);
    for (int k = 0; k < 8; k++)
        stretch(b, ri_pose_point(
                       &at, ri_vec3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z)));
}

static RiVec3 half_of(const RiShapeSpec *x)
{
    const double *s = x->size;
    switch (x->type) {
    case RI_SHAPE_BOX:
        return ri_vec3(0.5 * s[0], 0.5 * s[1], 0.5 * s[2]);
    case RI_SHAPE_CYLINDER:
        return ri_vec3(s[0], s[0], 0.5 * s[1]);
    case RI_SHAPE_SPHERE:
        return ri_vec3(s[0], s[0], s[0]);
    case RI_SHAPE_CAPSULE:
        return ri_vec3(s[0], s[0], 0.5 * s[1] + s[0]);
    case RI_SHAPE_MESH:
        break; // its points are not at hand here
    }
    return ri_vec3(0.0, 0.0, 0.0);
}

/// Shapes, wheels and screws of one link.
static void stretch_by_link(Box *b, const RiSpec *spec, const char *name, const RiPose *pose)
{
    for (int i = 0; i < spec->shape_count; i++)
        if (strcmp(spec->shapes[i].link, name) == 0)
            stretch_by_solid(b, pose, &spec->shapes[i].pose, half_of(&spec->shapes[i]));
    for (int i = 0; i < spec->wheel_count; i++) {
        const RiWheelSpec *w = &spec->wheels[i];
        if (strcmp(w->link, name) == 0)
            stretch_by_solid(b, pose, &w->pose, ri_vec3(w->radius, 0.5 * w->width, w->radius));
    }
    for (int i = 0; i < spec->screw_count; i++) {
        const RiScrewSpec *w = &spec->screws[i];
        if (strcmp(w->link, name) == 0)
            stretch_by_solid(b, pose, &w->pose, ri_vec3(w->radius, w->radius, 0.5 * w->length));
    }
}

/// Middle and size of the robot's links: of their origins, or of all that is seen of them.
static double robot_size(const RiScene *scene, bool whole, RiVec3 *out_middle)
{
    RiSim *sim = ri_scene_sim(scene);
    const RiModel *m = ri_sim_model(sim);
    Box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < ri_model_link_count(m); i++) {
        const RiPose pose = ri_dyn_frame_pose(ri_sim_dyn(sim), i);
        stretch(&b, pose.p);
        if (whole)
            stretch_by_link(&b, ri_scene_spec(scene), ri_model_link(m, i).name, &pose);
    }
    *out_middle = ri_scale(0.5, ri_add(b.low, b.high));
    return fmax(ri_norm(ri_sub(b.high, b.low)), whole ? 0.1 : 0.5);
}

static bool find_look(const char *name, RiSceneLook *out)
{
    static const char *const names[] = {"orbit", "chase", "plan", "fixed"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0) {
            *out = (RiSceneLook)i;
            return true;
        }
    return false;
}

/// Height of the ground below a point; far below where there is none.
static double ground_below(const RiScene *scene, RiVec3 p)
{
    const RiTerrainFile *file = ri_scene_terrain(scene);
    RiHeight h;
    return file && ri_terrain_height(ri_terrain_file_terrain(file), p.x, p.y, &h) ? h.z : -INFINITY;
}

static bool is_inside_ground(const RiScene *scene, RiVec3 p)
{
    const RiTerrainFile *file = ri_scene_terrain(scene);
    RiSurface surface;
    if (!file)
        return false;
    ri_terrain_query(ri_terrain_file_terrain(file), p, &surface);
    return surface.distance < 0.0;
}

/// In shafts and between walls an eye at a distance is inside of them. It rises towards the zenith of
/// its target, and comes nearer, until it is free; false if that does not help.
static bool free_eye(const RiScene *scene, RiVec3 target, double azimuth, double elevation, double distance,
                     RiVec3 *out_eye)
{
    for (int near = 0; near < 6; near++, distance *= 0.6)
        for (double e = elevation; e < 1.56; e += 0.02) {
            *out_eye =
                ri_add(target, ri_scale(distance, ri_vec3(cos(azimuth) * cos(e), sin(azimuth) * cos(e), sin(e))));
            if (!is_inside_ground(scene, *out_eye))
                return true;
        }
    return false;
}

/// The eye at an angle about the target, never under ground that lies below the target.
static RiPose look_from(const RiScene *scene, RiVec3 target, double azimuth, double elevation, double size)
{
    const double given = ri_scene_view(scene).distance, distance = given > 0.0 ? given : 1.75 * size;
    RiVec3 eye = ri_add(target, ri_scale(distance, ri_vec3(cos(azimuth) * cos(elevation), sin(azimuth) * cos(elevation),
                                                           sin(elevation))));
    const double ground = ground_below(scene, eye);
    RiVec3 freed;
    if (is_inside_ground(scene, eye) && !is_inside_ground(scene, target) && !(isfinite(ground) && ground < target.z) &&
        free_eye(scene, target, azimuth, elevation, distance, &freed))
        return look_at(freed, target);
    if (ground < target.z)
        eye.z = fmax(eye.z, ground + 0.06 * size);
    return look_at(eye, target);
}

bool optics_view_pose(const RiScene *scene, const char *name, RiPose *out)
{
    RiSim *sim = ri_scene_sim(scene);
    const RiSceneView view = ri_scene_view(scene);
    RiVec3 middle;
    const double size = robot_size(scene, !(view.distance > 0.0), &middle);
    const RiVec3 target = view.follow ? ri_add(middle, view.target) : view.target;
    RiSceneLook kind = (RiSceneLook)view.kind;
    if (name && !find_look(name, &kind))
        return false;
    switch (kind) {
    case RI_LOOK_ORBIT:
    case RI_LOOK_FIXED:
        *out = look_from(scene, target, view.azimuth, view.elevation, size);
        break;
    case RI_LOOK_CHASE: {
        const RiPose base = ri_dyn_frame_pose(ri_sim_dyn(sim), 0);
        const RiVec3 ahead = ri_mat3_col(&base.R, 0);
        const double behind = atan2(-ahead.y, -ahead.x);
        *out = look_from(scene, target, behind + view.azimuth + 2.4, view.elevation, size);
        break;
    }
    case RI_LOOK_PLAN: {
        const double height = view.distance > 0.0 ? view.distance : 2.2 * size;
        *out = look_at(ri_add(target, ri_vec3(0.0, 0.0, height)), target);
        break;
    }
    }
    return true;
}

static int find_camera(const RiScene *scene, const char *name)
{
    for (int i = 0; name && i < ri_scene_camera_count(scene); i++)
        if (strcmp(ri_scene_camera(scene, i)->name, name) == 0)
            return i;
    return -1;
}

static CliExit take(OpticsStage *s, const char *name, int width, int height, RiPictureView *out)
{
    const int mounted = find_camera(s->scene, name);
    RiCamera camera = ri_camera_pinhole(width, height, 0.9);
    RiPose pose = ri_pose_identity();
    if (mounted < 0 && !optics_view_pose(s->scene, name, &pose)) {
        cli_error("--camera %s: the scene has no such camera; orbit, chase, plan and fixed are there without one",
                  name);
        return CLI_BAD_INPUT;
    }
    RiStatus status = ri_camera_check(s->ctx, "view", &camera);
    if (status == RI_OK)
        status = mounted < 0 ? ri_perception_picture_from(s->eyes, &camera, &pose, 8, false, out)
                             : ri_perception_picture(s->eyes, mounted, out);
    return status == RI_OK ? CLI_DONE : cli_fail(s->ctx, status);
}

static CliExit draw(OpticsStage *s, const char *name, int width, int height, const char *png)
{
    RiPictureView view;
    const CliExit exit = take(s, name, width, height, &view);
    if (exit != CLI_DONE)
        return exit;
    const RiStatus status =
        ri_picture_save(s->ctx, &(RiPicture){(uint8_t *)(uintptr_t)view.rgb, view.width, view.height}, png);
    return status == RI_OK ? CLI_DONE : cli_fail(s->ctx, status);
}

/// Things for people, by their names (--layers).
static CliExit add_layers(OpticsStage *s, const char *layers)
{
    static const char *const names[] = {"axes", "frusta", "clouds"};
    unsigned what = 0;
    RiVec3 middle;
    for (const char *at = layers; at && *at; at += strcspn(at, ","), at += *at == ',') {
        unsigned k = 0;
        const size_t n = strcspn(at, ",");
        while (k < 3 && (strlen(names[k]) != n || strncmp(at, names[k], n) != 0))
            k++;
        if (k == 3) {
            cli_error("--layers %.*s: with --renderer rays there are axes, frusta and clouds", (int)n, at);
            return CLI_BAD_INPUT;
        }
        what |= 1u << k;
    }
    if (!what)
        return CLI_DONE;
    const double size = robot_size(s->scene, false, &middle);
    const RiStatus status = ri_perception_ornaments(s->eyes, what, 0.35 * size);
    return status == RI_OK ? CLI_DONE : cli_fail(s->ctx, status);
}

CliExit optics_view(const ViewArgs *args)
{
    OpticsStage s;
    CliExit exit = optics_open(&s, args->inputs[0], args->settings, args->setting_count, 2);
    if (exit == CLI_DONE)
        exit = optics_run_to(&s, isnan(args->at) ? 0.0 : args->at);
    if (exit == CLI_DONE)
        exit = add_layers(&s, args->layers);
    if (exit == CLI_DONE)
        exit = draw(&s, args->camera, args->width, args->height, args->png);
    if (exit == CLI_DONE)
        printf("%s\n", args->png);
    optics_close(&s);
    return exit;
}

/// Goes on to a time without looking back; the sensors look where it ends.
static RiStatus go_on(OpticsStage *s, double time)
{
    RiSim *sim = ri_scene_sim(s->scene);
    const long long ticks = llround(time / ri_sim_options(sim)->tick);
    while (ri_sim_tick(sim) < ticks && !ri_sim_stopped(sim))
        RI_TRY(ri_sim_step(sim));
    return ri_perception_look(s->eyes);
}

static CliExit add_picture(OpticsStage *s, const ViewArgs *args, Video *video)
{
    RiPictureView view;
    uint8_t *png;
    size_t size;
    const CliExit exit = take(s, args->camera, args->width, args->height, &view);
    if (exit != CLI_DONE)
        return exit;
    const RiPicture picture = {(uint8_t *)(uintptr_t)view.rgb, view.width, view.height};
    const RiStatus status = ri_picture_encode(s->ctx, &picture, &png, &size);
    if (status != RI_OK)
        return cli_fail(s->ctx, status);
    const bool added = video_add(video, png, size);
    ri_release(s->ctx, png);
    return added ? CLI_DONE : CLI_ENVIRONMENT;
}

/// The pictures between two times; a run that ends before ends the video.
static CliExit film(OpticsStage *s, const ViewArgs *args, double from, double to, Video *video)
{
    CliExit exit = CLI_DONE;
    for (int i = 0; exit == CLI_DONE; i++) {
        const double time = from + i / args->fps;
        if (time > to + 1e-9 || ri_sim_stopped(ri_scene_sim(s->scene)))
            break;
        const RiStatus status = go_on(s, time);
        exit = status == RI_OK ? add_picture(s, args, video) : cli_fail(s->ctx, status);
    }
    return exit;
}

CliExit optics_video(const ViewArgs *args)
{
    OpticsStage s;
    Video video;
    CliExit exit = optics_open(&s, args->inputs[0], args->settings, args->setting_count, 2);
    if (exit == CLI_DONE) {
        const double end = ri_scene_duration(s.scene), from = isnan(args->from) ? 0.0 : args->from;
        const double to = isnan(args->to) ? end : args->to;
        if (!(from >= 0.0 && to >= from)) {
            cli_error("a video from %g s to %g s: the end lies before the start", from, to);
            exit = CLI_BAD_INPUT;
        } else if (!video_open(&video, args->video, args->fps)) {
            exit = CLI_ENVIRONMENT;
        } else {
            exit = add_layers(&s, args->layers);
            if (exit == CLI_DONE)
                exit = film(&s, args, from, to, &video);
            if (!video_close(&video, exit == CLI_DONE) && exit == CLI_DONE)
                exit = CLI_ENVIRONMENT;
        }
    }
    optics_close(&s);
    return exit;
}
