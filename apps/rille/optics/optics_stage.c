// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes for cameras and lidars of the command line.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/draw/picture.h"
#include "optics/optics.h"
#include "run/run.h"
#include "terrain/terrain.h"
#include "view/video.h"
#include "view/view.h"

bool optics_setting(char *text, RiSetting *out)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return false;
    *equals = '\0';
    *out = (RiSetting){.name = text, .value = equals + 1};
    return true;
}

static RiStatus load(OpticsStage *s, const char *path, const RiSetting *settings, int setting_count)
{
    char robots[PATH_MAX], terrains[PATH_MAX], data[PATH_MAX], soils[PATH_MAX], cache[PATH_MAX];
    cli_robots_folder(robots);
    cli_terrains_folder(terrains);
    cli_data_path(data);
    cli_soils_folder(soils);
    cli_cache_folder(cache);
    const char *const folders[] = {robots}, *const grounds[] = {*terrains ? terrains : data, data};
    RiSceneOptions o = ri_scene_options_default();
    o.settings = settings;
    o.setting_count = setting_count;
    o.robot_paths = folders;
    o.robot_path_count = *robots ? 1 : 0;
    o.terrain_paths = grounds;
    o.terrain_path_count = !*terrains && !*data ? 0 : *data ? 2 : 1;
    o.soils = *soils ? soils : NULL;
    o.cache = *cache ? cache : NULL;
    o.report = s->report;
    RI_TRY(ri_scene_load(s->ctx, path, &o, &s->scene));
    return ri_scene_build(s->scene);
}

CliExit optics_open(OpticsStage *s, const char *scene, const RiSetting *settings, int setting_count, int threads)
{
    char path[PATH_MAX];
    *s = (OpticsStage){.ctx = NULL};
    if (!cli_find_scene(scene, path))
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &s->ctx) != RI_OK)
        return cli_no_memory();
    RiStatus status = ri_report_create(s->ctx, &s->report);
    if (status == RI_OK)
        status = load(s, path, settings, setting_count);
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

/// Middle and size of the robot's links.
static double robot_size(RiSim *sim, RiVec3 *out_middle)
{
    const RiModel *m = ri_sim_model(sim);
    RiVec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < ri_model_link_count(m); i++) {
        const RiVec3 p = ri_dyn_frame_pose(ri_sim_dyn(sim), i).p;
        low = ri_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = ri_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    *out_middle = ri_scale(0.5, ri_add(low, high));
    return fmax(ri_norm(ri_sub(high, low)), 0.5);
}

bool optics_view_pose(const RiScene *scene, const char *name, RiPose *out)
{
    RiSim *sim = ri_scene_sim(scene);
    RiVec3 middle;
    const double size = robot_size(sim, &middle);
    const RiPose base = ri_dyn_frame_pose(ri_sim_dyn(sim), 0);
    const RiVec3 back = ri_scale(-1.8 * size, ri_mat3_col(&base.R, 0));
    if (!name || strcmp(name, "orbit") == 0) {
        *out = look_at(ri_add(middle, ri_scale(size, ri_vec3(-1.1, -1.5, 0.9))), middle);
    } else if (strcmp(name, "chase") == 0) {
        *out = look_at(ri_add(middle, ri_vec3(back.x, back.y, 0.9 * size)), middle);
    } else if (strcmp(name, "plan") == 0) {
        *out = look_at(ri_add(middle, ri_vec3(0.0, 0.0, 3.0 * size)), middle);
    } else {
        return false;
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
        cli_error("--camera %s: the scene has no such camera; orbit, chase and plan are there without one", name);
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
    const double size = robot_size(ri_scene_sim(s->scene), &middle);
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
