// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sensors of a scene at work: a ray scene that follows the simulation, pictures, truth and
/// lidar returns.
///
/// Poses come from a RiDyn of its own, so that the simulation's is never touched.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rille/filter.h>
#include <rille/perception.h>
#include <rille/report.h>
#include <rille/stereo.h>

#include "base/functions.h"
#include "base/memory.h"
#include "io/optics/drape.h"
#include "io/optics/visuals.h"
#include "io/scene/scene_optics.h"
#include "optics/denoise.h"
#include "optics/lidar_scan.h"
#include "optics/tracer.h"
#include "optics/truth.h"

/// Memory of a camera's products.
typedef struct Film {
    float *disparity, *grey; ///< of stereo; grey: of the pair's two rectified images
    int stereo_pixels;
    RiFrame *frame;
    uint8_t *rgb;
    float *radiance;
    RiTruth truth;
    int width, height;
    RiFilterChain *chain; ///< NULL: no filters
    float *values;        ///< what they make of the radiance
    unsigned long long shots;
} Film;

/// Memory of a lidar's returns.
typedef struct Reel {
    RiReturn *returns;
    int capacity;
} Reel;

struct RiPerception {
    RiContext *ctx;
    RiScene *scene;
    int threads;
    RiDyn *dyn;
    RiRayScene *rays;
    int *body_links;
    int body_count;
    RiPose *poses, *last_poses; ///< of all frames, now and at the look before
    RiSpatial *twists;
    int frame_count;
    double time, last_time;
    int looks;
    uint64_t seed; ///< of samples
    double reach;  ///< the ground's focus follows the robot beyond half of it [m]
    RiRayGroundDef ground;
    RiOpticSurface *surfaces;
    int surface_count;
    Film *films; ///< of the cameras, and one for cameras that are not mounted
    Reel *reels;
    RiDrape drape;                          ///< image over the ground; rgb NULL: none
    int *ornament_bodies, *ornament_frames; ///< things for people; frame -1: they stand
    int ornament_count, ornament_room;
};

static void free_film(RiContext *ctx, Film *f)
{
    ri_frame_destroy(f->frame);
    ri_release(ctx, f->rgb);
    ri_release(ctx, f->radiance);
    void *const arrays[] = {f->truth.depth, f->truth.xyz,  f->truth.normal, f->truth.albedo,
                            f->truth.link,  f->truth.soil, f->truth.flow,   f->truth.visible};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        ri_release(ctx, arrays[i]);
    ri_release(ctx, f->values);
    ri_release(ctx, f->disparity);
    ri_release(ctx, f->grey);
    *f = (Film){.chain = f->chain, .shots = f->shots};
}

void ri_perception_destroy(RiPerception *p)
{
    if (!p)
        return;
    for (int i = 0; p->films && i <= ri_scene_camera_count(p->scene); i++) {
        free_film(p->ctx, &p->films[i]);
        ri_filter_chain_destroy(p->films[i].chain);
    }
    for (int i = 0; p->reels && i < ri_scene_lidar_count(p->scene); i++)
        ri_release(p->ctx, p->reels[i].returns);
    ri_ray_scene_destroy(p->rays);
    ri_dyn_destroy(p->dyn);
    void *const blocks[] = {p->body_links,      p->poses,          p->last_poses, p->twists,
                            p->surfaces,        p->films,          p->reels,      (void *)(uintptr_t)p->drape.rgb,
                            p->ornament_bodies, p->ornament_frames};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        ri_release(p->ctx, blocks[i]);
    ri_release(p->ctx, p);
}

void ri_perception_seed(RiPerception *p, uint64_t seed)
{
    p->seed = seed;
}

static RiStatus make_room(RiPerception *p, const RiModel *model)
{
    const size_t frames = (size_t)ri_model_frame_count(model) + 1;
    p->frame_count = ri_model_frame_count(model);
    p->body_links = ri_alloc_zero(p->ctx, (size_t)ri_model_link_count(model) + 1, sizeof *p->body_links);
    p->poses = ri_alloc_zero(p->ctx, frames, sizeof *p->poses);
    p->last_poses = ri_alloc_zero(p->ctx, frames, sizeof *p->last_poses);
    p->twists = ri_alloc_zero(p->ctx, frames, sizeof *p->twists);
    p->films = ri_alloc_zero(p->ctx, (size_t)ri_scene_camera_count(p->scene) + 1, sizeof *p->films);
    p->reels = ri_alloc_zero(p->ctx, (size_t)ri_scene_lidar_count(p->scene) + 1, sizeof *p->reels);
    const bool ok = p->body_links && p->poses && p->last_poses && p->twists && p->films && p->reels;
    return ok ? RI_OK : ri_error_memory(p->ctx);
}

/// The filters of a camera; none is an empty pointer.
static RiStatus make_chain(RiPerception *p, int camera)
{
    const RiCameraMount *m = ri_scene_camera(p->scene, camera);
    Film *f = &p->films[camera];
    if (m->filter_count == 0)
        return RI_OK;
    const unsigned long long seed = ri_sim_options(ri_scene_sim(p->scene))->seed;
    RI_TRY(ri_filter_chain_create(p->ctx, seed * 1000003ULL + (unsigned)camera, &f->chain));
    for (int i = 0; i < m->plugin_count; i++)
        RI_TRY(ri_filter_chain_plugin(f->chain, m->plugins[i]));
    for (int i = 0; i < m->filter_count; i++)
        RI_TRY(ri_filter_chain_add(f->chain, m->filters[i]));
    return RI_OK;
}

/// Surfaces that the scene chooses; lidars and truth get their colour.
static RiStatus choose_surfaces(RiPerception *p)
{
    const RiSceneLight *light = ri_scene_light(p->scene);
    for (int i = 0; i < light->surface_count; i++) {
        char all[1000];
        size_t used = 0;
        bool found = false;
        all[0] = '\0';
        for (int k = 0; k < p->surface_count; k++) {
            const char *name = ri_ray_scene_surface(p->rays, k)->name;
            const int more = snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", name);
            used += more > 0 && (size_t)more < sizeof all - used ? (size_t)more : 0;
            if (strcmp(name, light->surfaces[i].material) != 0)
                continue;
            double colour[RI_BANDS];
            found = true;
            p->surfaces[k] = light->surfaces[i].surface;
            ri_surface_colour(&p->surfaces[k], NULL, colour);
            const float rgb[3] = {(float)colour[0], (float)colour[1], (float)colour[2]};
            ri_ray_scene_set_albedo(p->rays, k, rgb);
        }
        if (!found)
            return ri_scene_no_material(&light->surfaces[i], all);
    }
    return RI_OK;
}

/// Tells which grounds look like another one, but for those whose surface the scene chooses.
static void tell_guesses(const RiPerception *p, RiReport *report)
{
    const RiSceneLight *light = ri_scene_light(p->scene);
    for (int k = 0; k < p->surface_count; k++) {
        const RiRaySurface *s = ri_ray_scene_surface(p->rays, k);
        bool guess = false, chosen = !s->ground;
        for (int i = 0; i < light->surface_count && !chosen; i++)
            chosen = strcmp(s->name, light->surfaces[i].material) == 0;
        const RiSurfaceRow *row = chosen ? NULL : ri_surface_of_soil(s->name, &guess);
        if (row && guess)
            ri_report_add(report, RI_FINDING_WARNING, NULL, 0,
                          "ground '%s' has no surface of its own: it looks like '%s' (key light.surfaces)", s->name,
                          row->name);
    }
}

static RiStatus build(RiPerception *p, RiReport *report)
{
    RiSim *sim = ri_scene_sim(p->scene);
    const RiModel *model = ri_sim_model(sim);
    RI_TRY(make_room(p, model));
    RI_TRY(ri_ray_scene_create(p->ctx, &p->rays));
    RI_TRY(ri_dyn_create(p->ctx, model, &p->dyn));
    RI_TRY(ri_visuals_add(p->ctx, ri_scene_spec(p->scene), model, report, p->rays, p->body_links, &p->body_count));
    for (int i = 0; i < ri_scene_camera_count(p->scene); i++)
        RI_TRY(make_chain(p, i));
    p->ground = (RiRayGroundDef){.terrain = ri_sim_terrain(sim), .ruts = ri_sim_ruts(sim)};
    RI_TRY(ri_drape_load(p->ctx, ri_scene_light(p->scene), &p->drape));
    RI_TRY(ri_perception_look(p));
    RI_TRY(ri_surfaces_of_scene(p->ctx, p->rays, NULL, &p->surfaces, &p->surface_count));
    RI_TRY(choose_surfaces(p));
    tell_guesses(p, report);
    return RI_OK;
}

RiStatus ri_perception_create(RiContext *ctx, RiScene *scene, int threads, RiReport *report, RiPerception **out)
{
    *out = NULL;
    if (!ri_scene_sim(scene))
        return ri_error(ctx, RI_ERR_ARGUMENT, "perception: the scene is not built");
    RiPerception *p = ri_alloc_zero(ctx, 1, sizeof *p);
    if (!p)
        return ri_error_memory(ctx);
    p->ctx = ctx;
    p->scene = scene;
    p->seed = 1;
    p->threads = threads < 1 ? 1 : threads > 64 ? 64 : threads;
    const RiStatus status = build(p, report);
    if (status != RI_OK)
        ri_perception_destroy(p);
    else
        *out = p;
    return status;
}

// --- looking -------------------------------------------------------------------------------------

/// Keeps the finest ground around the robot.
static RiStatus follow(RiPerception *p)
{
    const RiVec3 at = p->frame_count > 0 ? p->poses[0].p : ri_vec3(0.0, 0.0, 0.0);
    const bool first = p->reach == 0.0;
    if (!first && ri_hypot(at.x - p->ground.focus.x, at.y - p->ground.focus.y) < 0.5 * p->reach)
        return RI_OK;
    p->ground.focus = at;
    p->reach = INFINITY;
    if (p->ground.terrain) {
        const double cell = ri_terrain_info(p->ground.terrain).cell;
        p->reach = cell > 0.0 ? 256.0 * fmax(cell, 0.005) : INFINITY;
    }
    return ri_ray_scene_set_ground(p->rays, &p->ground);
}

RiStatus ri_perception_look(RiPerception *p)
{
    RiSim *sim = ri_scene_sim(p->scene);
    RI_TRY(ri_dyn_update_position(p->dyn, ri_sim_q(sim)));
    ri_dyn_update_velocity(p->dyn, ri_sim_v(sim));
    memcpy(p->last_poses, p->poses, (size_t)p->frame_count * sizeof *p->poses);
    p->last_time = p->time;
    p->time = ri_sim_time(sim);
    for (int i = 0; i < p->frame_count; i++) {
        p->poses[i] = ri_dyn_frame_pose(p->dyn, i);
        p->twists[i] = ri_dyn_frame_velocity(p->dyn, i);
    }
    for (int i = 0; i < p->body_count; i++)
        ri_ray_scene_set_pose(p->rays, i, &p->poses[p->body_links[i]]);
    for (int i = 0; i < p->ornament_count; i++)
        if (p->ornament_frames[i] >= 0)
            ri_ray_scene_set_pose(p->rays, p->ornament_bodies[i], &p->poses[p->ornament_frames[i]]);
    RI_TRY(follow(p));
    p->looks++;
    return ri_ray_scene_update(p->rays);
}

/// Frame of a mount; -1: the world.
static int frame_of(const RiPerception *p, const char *name)
{
    return name ? ri_model_find_frame(ri_sim_model(ri_scene_sim(p->scene)), name) : -1;
}

static RiPose mount_pose(const RiPerception *p, const RiPose *poses, const char *frame, const RiPose *mount)
{
    const int i = frame_of(p, frame);
    return i < 0 ? *mount : ri_pose_mul(&poses[i], mount);
}

/// Twist of a mounted frame.
static RiSpatial mount_twist(const RiPerception *p, const char *frame, const RiPose *pose)
{
    const int i = frame_of(p, frame);
    if (i < 0)
        return (RiSpatial){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    RiSpatial t = p->twists[i];
    t.lin = ri_add(t.lin, ri_cross(t.ang, ri_sub(pose->p, p->poses[i].p)));
    return t;
}

static RiCameraView view_of(const RiPerception *p, int camera)
{
    const RiCameraMount *m = ri_scene_camera(p->scene, camera);
    RiCameraView v = {.camera = &m->camera,
                      .pose = mount_pose(p, p->poses, m->frame, &m->pose),
                      .readout = m->readout,
                      .exposure = m->exposure,
                      .aperture = m->aperture,
                      .focus = m->focus};
    v.twist = mount_twist(p, m->frame, &v.pose);
    return v;
}

// --- light ---------------------------------------------------------------------------------------

/// The sky of a world, for scenes that do not say.
static RiSkyKind usual_sky(RiWorld world)
{
    switch (world) {
    case RI_WORLD_MARS:
        return RI_SKY_MARS;
    case RI_WORLD_UNKNOWN:
    case RI_WORLD_EARTH:
        return RI_SKY_UNIFORM;
    case RI_WORLD_MOON:
    case RI_WORLD_EUROPA:
    case RI_WORLD_ENCELADUS:
    case RI_WORLD_COUNT:
        break;
    }
    return RI_SKY_BLACK;
}

static void choose_sky(const RiSceneLight *light, const RiSunDef *sun, RiLightDef *def)
{
    static const RiSkyKind kinds[] = {RI_SKY_BLACK, RI_SKY_BLACK, RI_SKY_UNIFORM, RI_SKY_MARS};
    def->sky = kinds[light->sky];
    if (light->sky == 0)
        def->sky = usual_sky(sun->world);
    def->tau = light->tau;
    def->ground_albedo = 0.2;
    for (int k = 0; k < RI_BANDS; k++)
        def->uniform[k] = light->brightness * (k == 2 ? 1.25 : k == 1 ? 1.0 : 0.85);
}

static double sun_distance(const RiSunDef *def, RiSun sun)
{
    if (sun.distance > 0.0)
        return sun.distance;
    switch (def->world) {
    case RI_WORLD_MARS:
        return 1.52;
    case RI_WORLD_EUROPA:
        return 5.2;
    case RI_WORLD_ENCELADUS:
        return 9.5;
    case RI_WORLD_UNKNOWN:
    case RI_WORLD_EARTH:
    case RI_WORLD_MOON:
    case RI_WORLD_COUNT:
        break;
    }
    return 1.0;
}

static RiVec3 sky_direction(double azimuth, double elevation)
{
    return ri_sun_direction((RiSun){.azimuth = azimuth, .elevation = elevation});
}

/// Earth and other lights of the sky.
static void add_discs(const RiSceneLight *light, RiVec3 sun, RiLightDef *def)
{
    if (isfinite(light->earth_azimuth)) {
        const RiVec3 earth = sky_direction(light->earth_azimuth, light->earth_elevation);
        const double elongation = ri_acos(fmax(-1.0, fmin(1.0, ri_dot(sun, earth)))); // the sun is far: phase = pi - it
        const RiDisc disc = ri_disc_earth(earth, M_PI - elongation);
        if (disc.irradiance[0] > 0.0)
            def->discs[def->disc_count++] = disc;
    }
    for (int i = 0; i < light->disc_count && def->disc_count < RI_LIGHT_DISCS; i++) {
        const RiSceneDisc *d = &light->discs[i];
        def->discs[def->disc_count++] = (RiDisc){.toward = sky_direction(d->azimuth, d->elevation),
                                                 .outer = d->radius,
                                                 .inner = d->inner,
                                                 .irradiance = {d->irradiance.x, d->irradiance.y, d->irradiance.z}};
    }
}

static RiStatus make_light(RiPerception *p, RiLight **out)
{
    const RiSunDef *def = ri_scene_sun(p->scene);
    const RiSun sun = ri_sun_compute(def, p->time);
    RiLightDef light = {0};
    choose_sky(ri_scene_light(p->scene), def, &light);
    if (sun.elevation > -0.01)
        light.discs[light.disc_count++] = ri_disc_sun(ri_sun_direction(sun), sun_distance(def, sun));
    add_discs(ri_scene_light(p->scene), ri_sun_direction(sun), &light);
    if (light.sky == RI_SKY_MARS && light.disc_count == 0) // night
        light.sky = RI_SKY_BLACK;
    for (int i = 0; i < ri_scene_lamp_count(p->scene) && light.lamp_count < RI_LIGHT_LAMPS; i++) {
        const RiLampMount *m = ri_scene_lamp(p->scene, i);
        const RiPose pose = mount_pose(p, p->poses, m->frame, &m->pose);
        if (m->on)
            light.lamps[light.lamp_count++] = (RiLamp){.position = pose.p,
                                                       .direction = ri_mat3_col(&pose.R, 0),
                                                       .full = m->full,
                                                       .edge = m->edge,
                                                       .intensity = {m->power, m->power, m->power},
                                                       .radius = m->radius};
    }
    return ri_light_create(p->ctx, &light, out);
}

// --- pictures ------------------------------------------------------------------------------------

typedef struct Eye {
    RiCameraView view;
    unsigned mask;
    int samples, depth;
    bool path;
} Eye;

static bool pixel_ray(const void *camera, double x, double y, const double u[3], RiRay *out)
{
    const Eye *e = camera;
    return ri_camera_view_sample(&e->view, x, y, u, e->mask, out);
}

/// Refuses pictures that the machine cannot hold: memory is often promised and not there.
static RiStatus check_size(RiContext *ctx, int width, int height)
{
    const double pixel = 3.0 + 3 * sizeof(float) * 2 + 16 * sizeof(float), gib = 0x1p30; // of a film
    const double need = pixel * width * height;
    const double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (there > 0.0 && need > there)
        return ri_error(ctx, RI_ERR_LIMIT, "picture of %d x %d pixels: it needs %.1f GiB, the machine has %.1f GiB",
                        width, height, need / gib, there / gib);
    return RI_OK;
}

static RiStatus size_film(RiContext *ctx, Film *f, int width, int height)
{
    const size_t count = (size_t)width * (size_t)height;
    if (f->frame && f->width == width && f->height == height)
        return RI_OK;
    free_film(ctx, f);
    RI_TRY(check_size(ctx, width, height));
    f->rgb = ri_alloc_zero(ctx, 3 * count, 1);
    f->radiance = ri_alloc_zero(ctx, 3 * count, sizeof *f->radiance);
    f->values = f->chain ? ri_alloc_zero(ctx, 3 * count, sizeof *f->values) : NULL;
    if (f->chain && !f->values)
        return ri_error_memory(ctx);
    f->width = width;
    f->height = height;
    return f->rgb && f->radiance ? ri_frame_create(ctx, width, height, &f->frame) : ri_error_memory(ctx);
}

/// Brightness below which all but one pixel in a hundred lie: from a histogram of binary orders,
/// eight steps each.
static double bright_end(const float *radiance, size_t count)
{
    enum { BINS = 1024 };
    long long bins[BINS] = {0}, seen = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        const float *c = radiance + 3 * i;
        const double x = (double)(0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]);
        if (!(x > 1e-12))
            continue;
        const int b = (int)fmax(0.0, fmin(BINS - 1.0, 8.0 * (ri_log2(x) + 64.0)));
        bins[b]++;
        seen++;
    }
    for (int b = 0; b < BINS; b++) {
        below += bins[b];
        if (seen > 0 && below >= seen - seen / 100)
            return ri_exp2((b + 1.0) / 8.0 - 64.0);
    }
    return 1.0;
}

static uint8_t display(double x)
{
    const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * ri_pow(x, 1.0 / 2.4) - 0.055;
    return (uint8_t)lround(255.0 * fmax(0.0, fmin(1.0, y)));
}

/// Automatic exposure and sRGB.
static void develop(const float *radiance, Film *f)
{
    const size_t count = (size_t)f->width * (size_t)f->height;
    const double gain = 0.85 / bright_end(radiance, count);
    for (size_t i = 0; i < 3 * count; i++)
        f->rgb[i] = display(gain * (double)radiance[i]);
}

static RiFilterLens lens_of(const RiCamera *c)
{
    RiFilterLens lens = {.perspective = ri_camera_is_perspective(c)};
    double fy;
    ri_camera_focal(c, &lens.focal, &fy, &lens.x, &lens.y);
    return lens;
}

/// The camera's numbers as bytes, white is 255.
static void show_values(const RiImage *im, uint8_t *rgb)
{
    const size_t count = (size_t)im->width * (size_t)im->height;
    for (size_t i = 0; i < 3 * count; i++) {
        const double v = (double)im->data[im->channels == 3 ? i : i / 3] / im->full_scale;
        rgb[i] = (uint8_t)lround(255.0 * fmax(0.0, fmin(1.0, v)));
    }
}

/// Runs the camera's filters and makes the bytes.
static RiStatus filter_picture(const RiCamera *c, Film *f, RiPictureView *out)
{
    const size_t count = (size_t)f->width * (size_t)f->height;
    const RiFilterLens lens = lens_of(c);
    if (!f->chain) {
        develop(f->radiance, f);
        return RI_OK;
    }
    RiImage image = {.width = f->width, .height = f->height, .channels = 3, .data = f->values};
    memcpy(f->values, f->radiance, 3 * count * sizeof *f->values);
    RI_TRY(ri_filter_chain_run(f->chain, &lens, f->shots++, &image));
    if (!(image.full_scale > 0.0)) { // never exposed: still radiance
        develop(f->values, f);
        return RI_OK;
    }
    show_values(&image, f->rgb);
    out->values = f->values;
    out->channels = image.channels;
    out->full_scale = image.full_scale;
    return RI_OK;
}

/// Path-traced pictures of fewer samples are denoised, unless they are blurred: the filter keeps
/// edges, and those have none.
enum { CLEAN_SAMPLES = 64 };

static bool wants_cleaning(const Eye *eye)
{
    return eye->path && eye->samples < CLEAN_SAMPLES && !(eye->view.aperture > 0.0) && !(eye->view.exposure > 0.0);
}

static RiStatus take_picture(RiPerception *p, const Eye *eye, Film *f, RiPictureView *out)
{
    const RiCamera *c = eye->view.camera;
    RiTraceOptions options = ri_trace_options_default();
    RiLight *light;
    RI_TRY(size_film(p->ctx, f, c->width, c->height));
    RI_TRY(make_light(p, &light));
    options.tracer = eye->path ? RI_TRACER_PATH : RI_TRACER_WHITTED;
    options.samples = eye->samples;
    options.depth = eye->depth;
    options.threads = p->threads;
    options.mask = eye->mask;
    options.seed = p->seed;
    options.more = wants_cleaning(eye) ? RI_DENOISE_MORE * eye->samples : 0;
    options.light_only = !wants_cleaning(eye);
    const RiTraceJob job = {.world = ri_ray_world(p->rays),
                            .surfaces = p->surfaces,
                            .surface_count = p->surface_count,
                            .light = light,
                            .drape = p->drape.rgb ? &p->drape : NULL,
                            .ray = pixel_ray,
                            .plain = !(eye->view.aperture > 0.0) && !(eye->view.exposure > 0.0),
                            .camera = eye,
                            .width = c->width,
                            .height = c->height};
    RiStatus status = ri_trace(p->ctx, &job, &options, f->frame);
    if (status == RI_OK && wants_cleaning(eye))
        status = ri_denoise(p->ctx, f->frame, &job, p->threads, f->radiance);
    else if (status == RI_OK)
        ri_frame_radiance(f->frame, f->radiance);
    ri_light_destroy(light);
    RI_TRY(status);
    *out = (RiPictureView){.width = c->width,
                           .height = c->height,
                           .rgb = f->rgb,
                           .radiance = f->radiance,
                           .time = p->time,
                           .samples = eye->samples + (double)f->frame->more / ((double)c->width * c->height)};
    return filter_picture(c, f, out);
}

RiPose ri_perception_camera_pose(const RiPerception *p, int camera)
{
    return view_of(p, camera).pose;
}

RiStatus ri_perception_picture(RiPerception *p, int camera, RiPictureView *out)
{
    const RiCameraMount *m = ri_scene_camera(p->scene, camera);
    const Eye eye = {view_of(p, camera), RI_RAY_PHYSICAL, m->samples, m->depth, m->path};
    return take_picture(p, &eye, &p->films[camera], out);
}

RiStatus ri_perception_picture_from(RiPerception *p, const RiCamera *camera, const RiPose *pose, int samples, bool path,
                                    RiPictureView *out)
{
    const Eye eye = {{.camera = camera, .pose = *pose}, RI_RAY_ALL, samples, ri_trace_options_default().depth, path};
    return take_picture(p, &eye, &p->films[ri_scene_camera_count(p->scene)], out);
}

// --- truth ---------------------------------------------------------------------------------------

typedef struct TruthWork {
    RiTruthJob job;
    RiTruth truth;
} TruthWork;

static void truth_row(void *user, int row)
{
    const TruthWork *w = user;
    ri_truth_rows(&w->job, row, 1, &w->truth);
}

static RiStatus size_truth(RiContext *ctx, Film *f)
{
    const size_t n = (size_t)f->width * (size_t)f->height;
    RiTruth *t = &f->truth;
    if (t->depth)
        return RI_OK;
    t->depth = ri_alloc(ctx, n, sizeof *t->depth);
    t->xyz = ri_alloc(ctx, 3 * n, sizeof *t->xyz);
    t->normal = ri_alloc(ctx, 3 * n, sizeof *t->normal);
    t->albedo = ri_alloc(ctx, 3 * n, sizeof *t->albedo);
    t->link = ri_alloc(ctx, n, sizeof *t->link);
    t->soil = ri_alloc(ctx, n, sizeof *t->soil);
    t->flow = ri_alloc(ctx, 2 * n, sizeof *t->flow);
    t->visible = ri_alloc(ctx, n, sizeof *t->visible);
    const bool ok = t->depth && t->xyz && t->normal && t->albedo && t->link && t->soil && t->flow && t->visible;
    return ok ? RI_OK : ri_error_memory(ctx);
}

static int find_camera(const RiPerception *p, const char *name)
{
    for (int i = 0; name && i < ri_scene_camera_count(p->scene); i++)
        if (strcmp(ri_scene_camera(p->scene, i)->name, name) == 0)
            return i;
    return -1;
}

RiStatus ri_perception_truth(RiPerception *p, int camera, RiTruthView *out)
{
    const RiCameraMount *m = ri_scene_camera(p->scene, camera);
    Film *f = &p->films[camera];
    RI_TRY(size_film(p->ctx, f, m->camera.width, m->camera.height));
    RI_TRY(size_truth(p->ctx, f));
    TruthWork w = {.job = {.scene = p->rays, .view = view_of(p, camera), .mask = RI_RAY_PHYSICAL}, .truth = f->truth};
    RiCameraView other;
    RiPose *bodies = ri_alloc(p->ctx, (size_t)p->body_count + 1, sizeof *bodies);
    if (!bodies)
        return ri_error_memory(p->ctx);
    for (int i = 0; i < p->body_count; i++)
        bodies[i] = p->last_poses[p->body_links[i]];
    if (p->looks >= 2) { // the way that the points have come since the look before
        w.job.later_bodies = bodies;
        w.job.later_pose = mount_pose(p, p->last_poses, m->frame, &m->pose);
    }
    const int pair = find_camera(p, m->pair);
    if (pair >= 0) {
        other = view_of(p, pair);
        w.job.other = &other;
    }
    ri_in_parallel(p->threads, f->height, truth_row, &w);
    for (size_t i = 0; w.job.later_bodies && i < 2 * (size_t)f->width * (size_t)f->height; i++)
        f->truth.flow[i] = -f->truth.flow[i];
    ri_release(p->ctx, bodies);
    const RiTruth *t = &f->truth;
    *out = (RiTruthView){f->width, f->height, t->depth, t->xyz,     t->normal, t->albedo,
                         t->link,  t->soil,   t->flow,  t->visible, p->time};
    return RI_OK;
}

// --- stereo --------------------------------------------------------------------------------------

/// Which of two cameras is the left one: its axis has the other to its right.
static bool is_left(const RiPose *a, const RiPose *b)
{
    return ri_dot(ri_mat3_col(&a->R, 0), ri_sub(b->p, a->p)) > 0.0;
}

/// Optical frame of a mounted camera in the world.
static RiPose optical_pose(const RiPerception *p, int camera)
{
    const RiPose own = view_of(p, camera).pose, optical = ri_camera_frame(&ri_scene_camera(p->scene, camera)->camera);
    return ri_pose_mul(&own, &optical);
}

/// The rectified pair: x along the baseline, z as near to both axes as it can be.
static RiStatus rectify(const RiPerception *p, int left, int right, RiStereoRig *rig)
{
    const RiPose a = optical_pose(p, left), b = optical_pose(p, right);
    const RiVec3 along = ri_sub(b.p, a.p), axis = ri_add(ri_mat3_col(&a.R, 2), ri_mat3_col(&b.R, 2));
    const RiCamera *c = &ri_scene_camera(p->scene, left)->camera;
    const double baseline = ri_norm(along);
    double fx, fy, cx, cy;
    if (!(baseline > 1e-6))
        return ri_error(p->ctx, RI_ERR_ARGUMENT, "stereo: the cameras '%s' and '%s' stand at the same place",
                        ri_scene_camera(p->scene, left)->name, ri_scene_camera(p->scene, right)->name);
    const RiVec3 x = ri_scale(1.0 / baseline, along);
    RiVec3 z = ri_sub(axis, ri_scale(ri_dot(axis, x), x));
    if (!(ri_norm(z) > 0.2))
        return ri_error(p->ctx, RI_ERR_ARGUMENT, "stereo: '%s' looks along its baseline",
                        ri_scene_camera(p->scene, left)->name);
    z = ri_scale(1.0 / ri_norm(z), z);
    ri_camera_focal(c, &fx, &fy, &cx, &cy);
    *rig = (RiStereoRig){.pair = {.width = c->width,
                                  .height = c->height,
                                  .focal = fmax(fx, 0.5 * c->width / ri_tan(0.96)), // at most 110 degrees
                                  .cx = 0.5 * (c->width - 1),
                                  .cy = 0.5 * (c->height - 1),
                                  .baseline = baseline},
                         .left = {ri_mat3_from_cols(x, ri_cross(z, x), z), a.p},
                         .right = {ri_mat3_from_cols(x, ri_cross(z, x), z), b.p}};
    return RI_OK;
}

static RiStatus size_stereo(RiContext *ctx, Film *f, int pixels)
{
    if (f->stereo_pixels == pixels)
        return RI_OK;
    ri_release(ctx, f->disparity);
    ri_release(ctx, f->grey);
    f->disparity = ri_alloc(ctx, (size_t)pixels, sizeof *f->disparity);
    f->grey = ri_alloc(ctx, 2 * (size_t)pixels, sizeof *f->grey);
    f->stereo_pixels = f->disparity && f->grey ? pixels : 0;
    return f->stereo_pixels ? RI_OK : ri_error_memory(ctx);
}

/// The largest disparity of what is at least 0.6 m away along any ray of the pair.
static int most_disparity(const RiStereoPair *pair)
{
    const double corner = ri_hypot(0.5 * pair->width, 0.5 * pair->height);
    const double least_depth = 0.6 * pair->focal / sqrt(pair->focal * pair->focal + corner * corner);
    const int most = (int)fmin(512.0, fmax(16.0, ceil(pair->focal * pair->baseline / least_depth)));
    return most < pair->width ? most : pair->width - 1;
}

static RiStatus match_images(RiPerception *p, int left, int right, const RiStereoRig *rig, Film *f)
{
    RiPictureView view;
    RiStereoOptions o = ri_stereo_options_default();
    float *const second = f->grey + f->stereo_pixels;
    const RiPose at_left = view_of(p, left).pose, at_right = view_of(p, right).pose;
    o.most = most_disparity(&rig->pair);
    RI_TRY(ri_perception_picture(p, left, &view));
    ri_stereo_rectify(&rig->pair, &rig->left, &ri_scene_camera(p->scene, left)->camera, &at_left, view.rgb, f->grey);
    RI_TRY(ri_perception_picture(p, right, &view));
    ri_stereo_rectify(&rig->pair, &rig->right, &ri_scene_camera(p->scene, right)->camera, &at_right, view.rgb, second);
    return ri_stereo_match(p->ctx, &rig->pair, &o, f->grey, second, f->disparity);
}

/// What a pixel of the rectified left image really shows: distance along the axis [m], INFINITY for
/// nothing and for the robot itself.
static float true_distance(const RiPerception *p, const RiStereoRig *rig, int i)
{
    const RiVec3 d = ri_vec3((i % rig->pair.width - rig->pair.cx) / rig->pair.focal,
                             (i / rig->pair.width - rig->pair.cy) / rig->pair.focal, 1.0);
    const double length = ri_norm(d);
    const RiRay ray = {rig->left.p, ri_rotate(&rig->left.R, ri_scale(1.0 / length, d)), 0.0, INFINITY, RI_RAY_PHYSICAL};
    RiRayPoint point;
    const bool seen = ri_ray_scene_look(p->rays, &ray, &point) && point.body == RI_RAY_GROUND;
    return seen ? (float)(point.range / length) : INFINITY;
}

/// Rovers know their own shape: pixels of the robot are left out.
static void mask_robot(const RiPerception *p, const RiStereoRig *rig, Film *f)
{
    for (int i = 0; i < f->stereo_pixels; i++)
        if (isfinite(f->disparity[i]) && !isfinite(true_distance(p, rig, i)))
            f->disparity[i] = NAN;
}

/// True distances along the axis, with the errors that stereo vision would have.
static void model_errors(RiPerception *p, int camera, const RiStereoRig *rig, Film *f)
{
    const RiStereoErrors errors = ri_stereo_errors_default();
    for (int i = 0; i < f->stereo_pixels; i++)
        f->grey[i] = true_distance(p, rig, i);
    const unsigned long long seed = ri_sim_options(ri_scene_sim(p->scene))->seed + (unsigned)camera;
    ri_stereo_measure(&rig->pair, &errors, f->grey, NULL, seed * 7919ULL + (unsigned long long)llround(1e3 * p->time),
                      f->disparity);
}

RiStatus ri_perception_stereo(RiPerception *p, int camera, bool images, RiStereoView *out)
{
    const RiCameraMount *m = ri_scene_camera(p->scene, camera);
    const int other = find_camera(p, m->pair);
    RiStereoRig rig;
    if (other < 0)
        return ri_error(p->ctx, RI_ERR_ARGUMENT, "stereo: the camera '%s' has no 'pair'", m->name);
    const RiPose a = optical_pose(p, camera), b = optical_pose(p, other);
    const bool first = is_left(&a, &b);
    const int left = first ? camera : other, right = first ? other : camera;
    RI_TRY(rectify(p, left, right, &rig));
    Film *f = &p->films[left];
    RI_TRY(size_film(p->ctx, f, rig.pair.width, rig.pair.height));
    RI_TRY(size_stereo(p->ctx, f, rig.pair.width * rig.pair.height));
    if (images) {
        RI_TRY(match_images(p, left, right, &rig, f));
        mask_robot(p, &rig, f);
    } else {
        model_errors(p, left, &rig, f);
    }
    *out = (RiStereoView){rig.pair.width,    rig.pair.height, rig.pair.focal, rig.pair.cx, rig.pair.cy,
                          rig.pair.baseline, rig.left,        f->disparity,   p->time};
    return RI_OK;
}

// --- lidars --------------------------------------------------------------------------------------

static RiStatus size_reel(RiContext *ctx, Reel *r, int count)
{
    if (count <= r->capacity)
        return RI_OK;
    RiReturn *block = ri_resize(ctx, r->returns, (size_t)count, sizeof *block);
    if (!block)
        return ri_error_memory(ctx);
    r->returns = block;
    r->capacity = count;
    return RI_OK;
}

typedef struct ScanWork {
    const RiPerception *p;
    const RiLidar *lidar;
    RiLidarMotion motion;
    long long first;
    int count;
    uint64_t seed;
    bool exact;
    RiReturn *out;
} ScanWork;

/// Single precision is enough where noise or steps of the ranges are larger than its error.
static bool wants_exact(const RiLidar *l)
{
    return fmax(l->noise, l->resolution) < 1e-5 * l->range_most;
}

enum { SCAN_BLOCK = 1024 };

static void scan_block(void *user, int index)
{
    const ScanWork *w = user;
    const int from = index * SCAN_BLOCK, n = w->count - from < SCAN_BLOCK ? w->count - from : SCAN_BLOCK;
    ri_lidar_shoot(w->p->rays, w->lidar, &w->motion, w->seed, w->exact, w->first + from, n, w->out + from);
}

RiStatus ri_perception_scan(RiPerception *p, int lidar, bool whole, RiCloudView *out)
{
    const RiLidarMount *m = ri_scene_lidar(p->scene, lidar);
    const bool moved = !whole;
    if (moved && (p->looks < 2 || !(p->time > p->last_time)))
        return ri_error(p->ctx, RI_ERR_ARGUMENT, "lidar '%s': no time has passed between the last two looks", m->name);
    ScanWork w = {.p = p, .lidar = &m->lidar, .seed = ri_sim_options(ri_scene_sim(p->scene))->seed + (unsigned)lidar};
    w.motion.X1 = mount_pose(p, p->poses, m->frame, &m->pose);
    w.motion.X0 = moved ? mount_pose(p, p->last_poses, m->frame, &m->pose) : w.motion.X1;
    w.motion.t0 = moved ? p->last_time : p->time;
    w.motion.t1 = moved ? p->time : p->time + 1.0;
    w.first = ri_lidar_shot_at(&m->lidar, w.motion.t0);
    w.count = moved ? (int)(ri_lidar_shot_at(&m->lidar, p->time) - w.first) : m->lidar.shots;
    RI_TRY(size_reel(p->ctx, &p->reels[lidar], w.count));
    w.out = p->reels[lidar].returns;
    w.exact = wants_exact(&m->lidar);
    ri_in_parallel(p->threads, (w.count + SCAN_BLOCK - 1) / SCAN_BLOCK, scan_block, &w);
    *out = (RiCloudView){w.count, w.out, w.motion.X1, p->time};
    return RI_OK;
}

// --- ornaments -----------------------------------------------------------------------------------

/// A body that only people see, on a frame (-1: the world).
static RiStatus add_ornament(RiPerception *p, const char *name, int frame, int *out_body)
{
    if (p->ornament_count == p->ornament_room) {
        const int room = 2 * p->ornament_room + 16;
        int *bodies = ri_resize(p->ctx, p->ornament_bodies, (size_t)room, sizeof *bodies);
        if (bodies)
            p->ornament_bodies = bodies;
        int *frames = ri_resize(p->ctx, p->ornament_frames, (size_t)room, sizeof *frames);
        if (frames)
            p->ornament_frames = frames;
        if (!bodies || !frames)
            return ri_error_memory(p->ctx);
        p->ornament_room = room;
    }
    RI_TRY(ri_ray_scene_add_body(p->rays, name, -1, RI_RAY_ORNAMENTAL, out_body));
    p->ornament_bodies[p->ornament_count] = *out_body;
    p->ornament_frames[p->ornament_count++] = frame;
    return RI_OK;
}

/// A rod between two points of a body.
static RiStatus add_rod(RiPerception *p, int body, int surface, RiVec3 a, RiVec3 b, double radius)
{
    const RiVec3 way = ri_sub(b, a);
    const double length = ri_norm(way);
    if (!(length > 0.0))
        return RI_OK;
    const RiRayShape rod = {.type = RI_RAY_CAPSULE,
                            .pose = {ri_mat3_from_z(ri_scale(1.0 / length, way)), ri_scale(0.5, ri_add(a, b))},
                            .size = {radius, length},
                            .surface = surface};
    return ri_ray_scene_add_shape(p->rays, body, &rod);
}

static RiStatus add_axes(RiPerception *p, double length)
{
    static const char *const names[] = {"axis_x", "axis_y", "axis_z"};
    int body;
    RI_TRY(add_ornament(p, "axes", 0, &body));
    for (int k = 0; k < 3; k++) {
        const float rgb[3] = {k == 0 ? 0.8f : 0.05f, k == 1 ? 0.7f : 0.05f, k == 2 ? 0.9f : 0.05f};
        const RiVec3 end = ri_vec3(k == 0 ? length : 0.0, k == 1 ? length : 0.0, k == 2 ? length : 0.0);
        int surface;
        RI_TRY(ri_ray_scene_add_surface(p->rays, names[k], rgb, &surface));
        RI_TRY(add_rod(p, body, surface, ri_vec3(0.0, 0.0, 0.0), end, 0.015 * length));
    }
    return RI_OK;
}

/// Edges of a camera's view: from its middle to the corners of its frame, and around.
static RiStatus add_frustum(RiPerception *p, int camera, double length)
{
    const RiCameraMount *m = ri_scene_camera(p->scene, camera);
    const float rgb[3] = {0.9f, 0.6f, 0.1f};
    const double right = m->camera.width - 1.0, low = m->camera.height - 1.0;
    const double corners[4][2] = {{0.0, 0.0}, {right, 0.0}, {right, low}, {0.0, low}};
    RiVec3 from[4], to[4];
    int body, surface;
    for (int k = 0; k < 4; k++) {
        RiVec3 o, d;
        if (!ri_camera_ray(&m->camera, corners[k][0], corners[k][1], &o, &d))
            return RI_OK;
        from[k] = ri_pose_point(&m->pose, o);
        to[k] = ri_pose_point(&m->pose, ri_add(o, ri_scale(length, d)));
    }
    RI_TRY(ri_ray_scene_add_surface(p->rays, "frustum", rgb, &surface));
    RI_TRY(add_ornament(p, m->name, frame_of(p, m->frame), &body));
    for (int k = 0; k < 4; k++) {
        RI_TRY(add_rod(p, body, surface, from[k], to[k], 0.006 * length));
        RI_TRY(add_rod(p, body, surface, to[k], to[(k + 1) % 4], 0.006 * length));
    }
    return RI_OK;
}

enum { CLOUD_COLOURS = 8 };

/// Points as little tetrahedra of one colour: those whose range lies in the colour's part of the
/// way to `far`.
static RiStatus add_points(RiPerception *p, const RiCloudView *c, int body, int colour, double far)
{
    static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const uint32_t side[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    const float t = (float)colour / (CLOUD_COLOURS - 1);
    const float rgb[3] = {0.9f * (1.0f - t), 0.8f * (t < 0.5f ? 2.0f * t : 2.0f - 2.0f * t), 0.9f * t};
    char name[32];
    RiVec3 *points = ri_alloc(p->ctx, 4 * (size_t)c->count + 1, sizeof *points);
    uint32_t(*triangles)[3] = ri_alloc(p->ctx, 4 * (size_t)c->count + 1, sizeof *triangles);
    RiRayShape mesh = {.type = RI_RAY_MESH, .pose = ri_pose_identity(), .size = {1.0, 1.0, 1.0}};
    snprintf(name, sizeof name, "cloud_%d", colour);
    RiStatus status =
        points && triangles ? ri_ray_scene_add_surface(p->rays, name, rgb, &mesh.surface) : ri_error_memory(p->ctx);
    for (int i = 0; i < c->count && status == RI_OK; i++) {
        const RiReturn *r = &c->returns[i];
        if (!isfinite(r->range[0]) || (int)fmin(CLOUD_COLOURS - 1, CLOUD_COLOURS * r->range[0] / far) != colour)
            continue;
        const double size = 0.004 + 0.0015 * r->range[0];
        for (int k = 0; k < 4; k++) {
            const uint32_t first = (uint32_t)mesh.point_count;
            points[first + (uint32_t)k] =
                ri_add(r->truth, ri_scale(size, ri_vec3(corner[k][0], corner[k][1], corner[k][2])));
            for (int j = 0; j < 3; j++)
                triangles[mesh.triangle_count][j] = first + side[k][j];
            mesh.triangle_count++;
        }
        mesh.point_count += 4;
    }
    mesh.points = points;
    mesh.triangles = (const uint32_t(*)[3])triangles;
    if (status == RI_OK && mesh.triangle_count > 0)
        status = ri_ray_scene_add_shape(p->rays, body, &mesh);
    ri_release(p->ctx, points);
    ri_release(p->ctx, triangles);
    return status;
}

static RiStatus add_cloud(RiPerception *p, int lidar)
{
    RiCloudView cloud;
    double far = 1.0;
    int body;
    RI_TRY(ri_perception_scan(p, lidar, true, &cloud));
    for (int i = 0; i < cloud.count; i++)
        if (isfinite(cloud.returns[i].range[0]))
            far = fmax(far, fmin(cloud.returns[i].range[0], 20.0));
    RI_TRY(add_ornament(p, ri_scene_lidar(p->scene, lidar)->name, -1, &body));
    for (int k = 0; k < CLOUD_COLOURS; k++)
        RI_TRY(add_points(p, &cloud, body, k, far));
    return RI_OK;
}

RiStatus ri_perception_ornaments(RiPerception *p, unsigned what, double length)
{
    if (what & RI_ORNAMENT_AXES)
        RI_TRY(add_axes(p, length));
    for (int i = 0; (what & RI_ORNAMENT_FRUSTA) && i < ri_scene_camera_count(p->scene); i++)
        RI_TRY(add_frustum(p, i, length));
    for (int i = 0; (what & RI_ORNAMENT_CLOUDS) && i < ri_scene_lidar_count(p->scene); i++)
        RI_TRY(add_cloud(p, i));
    ri_release(p->ctx, p->surfaces);
    p->surfaces = NULL;
    RI_TRY(ri_surfaces_of_scene(p->ctx, p->rays, NULL, &p->surfaces, &p->surface_count));
    return ri_perception_look(p);
}
