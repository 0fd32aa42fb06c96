// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rays: lidar beams, camera packets and shadow rays beside bare Embree on the same million
/// triangles, in the same run; a lidar's share of a core, a robot that moves, a tile of ruts. Times
/// are processor time of this thread.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <rille/perception.h>

#include "base/memory.h"
#include "bench/bench_run.h"
#include "bench/temporary.h"
#include "cli.h"
#include "optics/denoise.h"
#include "optics/lidar_scan.h"

#ifdef RILLE_HAVE_EMBREE
#include <embree3/rtcore.h>

enum { SIDE = 708, BODIES = 30, SHOTS = 65536, PIXELS = 1024, MOST = PIXELS * PIXELS };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// What is measured: a height field of a million triangles, ours and bare.
typedef struct Stage {
    RiContext *ctx;
    RiRaster *raster;
    RiTerrain *terrain;
    RiRuts *ruts;
    RiRayScene *scene;
    RTCDevice device;
    RTCScene bare;
    RiRay *rays;
    RiRayHit *hits;
    RiReturn *returns;
    bool *blocked;
} Stage;

static double height(int i, int j)
{
    return 0.5 * sin(0.05 * i) * cos(0.04 * j) + 0.1 * sin(0.3 * i + 0.2 * j);
}

static RiStatus make_ground(Stage *s)
{
    RiHeightsDef def = ri_heights_def_default();
    RI_TRY(ri_raster_create(s->ctx, SIDE + 1, SIDE + 1, 0.1, 0.1, &s->raster));
    s->raster->x0 = s->raster->y0 = -0.05 * SIDE;
    for (int j = 0; j <= SIDE; j++)
        for (int i = 0; i <= SIDE; i++)
            s->raster->values[j * (SIDE + 1) + i] = (float)height(i, j);
    def.raster = s->raster;
    def.edge = RI_EDGE_STOP;
    RI_TRY(ri_terrain_create_heights(s->ctx, &def, &s->terrain));
    RI_TRY(ri_ruts_create(s->ctx, &(RiRutsDef){.cell = 0.01, .memory = 64 << 20}, &s->ruts));
    RI_TRY(ri_ray_scene_create(s->ctx, &s->scene));
    return ri_ray_scene_set_ground(s->scene, &(RiRayGroundDef){.terrain = s->terrain, .reach = 100.0});
}

static RiStatus add_bodies(Stage *s)
{
    const float grey[3] = {0.4f, 0.4f, 0.4f};
    for (int i = 0; i < BODIES; i++) {
        RiRayShape box = {.type = RI_RAY_BOX, .pose = ri_pose_identity(), .size = {0.2, 0.1, 0.1}};
        RiPose pose = ri_pose_identity();
        int body;
        RI_TRY(ri_ray_scene_add_surface(s->scene, "grey", grey, &box.surface));
        RI_TRY(ri_ray_scene_add_body(s->scene, "body", i, RI_RAY_PHYSICAL, &body));
        RI_TRY(ri_ray_scene_add_shape(s->scene, body, &box));
        pose.p = ri_vec3(3.0 + 0.1 * i, 0.2 * (i % 5), 1.0);
        ri_ray_scene_set_pose(s->scene, body, &pose);
    }
    return ri_ray_scene_update(s->scene);
}

static void make_bare(Stage *s)
{
    s->device = rtcNewDevice("isa=avx2,threads=1");
    s->bare = rtcNewScene(s->device);
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    const int n = SIDE + 1;
    float(*p)[3] = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, (size_t)(n * n));
    unsigned(*t)[3] = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, 2 * SIDE * SIDE);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            float *q = p[j * n + i];
            q[0] = (float)(0.1 * i - 0.05 * SIDE);
            q[1] = (float)(0.1 * j - 0.05 * SIDE);
            q[2] = (float)height(i, j);
        }
    for (int j = 0, at = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const unsigned a = (unsigned)(j * n + i), c = a + (unsigned)n;
            t[at][0] = a, t[at][1] = a + 1, t[at++][2] = c + 1;
            t[at][0] = a, t[at][1] = c + 1, t[at++][2] = c;
        }
    rtcSetSceneFlags(s->bare, RTC_SCENE_FLAG_ROBUST);
    rtcCommitGeometry(g);
    rtcAttachGeometry(s->bare, g);
    rtcReleaseGeometry(g);
    rtcCommitScene(s->bare);
}

static void free_stage(Stage *s)
{
    if (s->bare)
        rtcReleaseScene(s->bare);
    if (s->device)
        rtcReleaseDevice(s->device);
    ri_ray_scene_destroy(s->scene);
    ri_ruts_destroy(s->ruts);
    ri_terrain_destroy(s->terrain);
    ri_raster_destroy(s->raster);
    free(s->rays);
    free(s->hits);
    free(s->returns);
    free(s->blocked);
    ri_context_destroy(s->ctx);
}

// --- bare loops ----------------------------------------------------------------------------------

static struct RTCRay bare_ray(const RiRay *r)
{
    return (struct RTCRay){.org_x = (float)r->origin.x,
                           .org_y = (float)r->origin.y,
                           .org_z = (float)r->origin.z,
                           .tnear = (float)r->near,
                           .dir_x = (float)r->direction.x,
                           .dir_y = (float)r->direction.y,
                           .dir_z = (float)r->direction.z,
                           .tfar = (float)fmin(r->far, 1e30),
                           .mask = (unsigned)-1};
}

static int bare_singles(const Stage *s, int count)
{
    struct RTCIntersectContext c;
    int hits = 0;
    rtcInitIntersectContext(&c);
    for (int i = 0; i < count; i++) {
        struct RTCRayHit h = {.ray = bare_ray(&s->rays[i])};
        h.hit.geomID = h.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(s->bare, &c, &h);
        hits += h.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
    return hits;
}

static void fill(const RiRay *r, struct RTCRay8 *p)
{
    for (int k = 0; k < 8; k++) {
        const struct RTCRay one = bare_ray(&r[k]);
        p->org_x[k] = one.org_x, p->org_y[k] = one.org_y, p->org_z[k] = one.org_z;
        p->dir_x[k] = one.dir_x, p->dir_y[k] = one.dir_y, p->dir_z[k] = one.dir_z;
        p->tnear[k] = one.tnear, p->tfar[k] = one.tfar, p->mask[k] = one.mask;
        p->time[k] = 0.0f, p->id[k] = p->flags[k] = 0;
    }
}

static int bare_packets(const Stage *s, int count, bool shadows)
{
    const _Alignas(32) int valid[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    struct RTCIntersectContext c;
    int hits = 0;
    rtcInitIntersectContext(&c);
    c.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    for (int i = 0; i + 8 <= count; i += 8) {
        struct RTCRayHit8 h;
        fill(&s->rays[i], &h.ray);
        for (int k = 0; k < 8; k++)
            h.hit.geomID[k] = h.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
        if (shadows)
            rtcOccluded8(valid, s->bare, &c, &h.ray);
        else
            rtcIntersect8(valid, s->bare, &c, &h);
        for (int k = 0; k < 8; k++)
            hits += shadows ? h.ray.tfar[k] < 0.0f : h.hit.geomID[k] != RTC_INVALID_GEOMETRY_ID;
    }
    return hits;
}

// --- rays ----------------------------------------------------------------------------------------

static void lidar_rays(Stage *s, const RiLidar *l)
{
    for (int i = 0; i < SHOTS; i++) {
        const RiBeam b = ri_lidar_beam(l, i);
        s->rays[i] = (RiRay){.origin = ri_add(b.origin, ri_vec3(0.0, 0.0, 2.0)),
                             .direction = b.direction,
                             .near = 0.3,
                             .far = l->range_most,
                             .mask = RI_RAY_PHYSICAL};
    }
}

static void camera_rays(Stage *s, const RiCamera *c)
{
    for (int j = 0; j < PIXELS; j++)
        for (int i = 0; i < PIXELS; i++) {
            RiVec3 o, d;
            (void)ri_camera_ray(c, i, j, &o, &d);
            s->rays[j * PIXELS + i] = (RiRay){.origin = ri_vec3(0.0, 0.0, 2.0),
                                              .direction = ri_vec3(d.z, -d.x, -d.y),
                                              .far = INFINITY,
                                              .mask = RI_RAY_PHYSICAL};
        }
}

static void emit(const BenchRun *run, const char *name, const char *unit, const char *peer, double *ours,
                 double *theirs, double bar, bool valid)
{
    BenchRow row = bench_row(run->bench, name, unit, run->repeats);
    row.peer = peer;
    row.ours = bench_median(ours, run->repeats, &row.spread);
    row.peer_value = bench_median(theirs, run->repeats, &row.peer_spread);
    row.ratio = row.ours / row.peer_value;
    row.bar = bar;
    row.valid = valid;
    bench_emit(run, &row);
}

static void emit_limit(const BenchRun *run, const char *name, const char *unit, double *values, double limit)
{
    BenchRow row = bench_row(run->bench, name, unit, run->repeats);
    row.peer = "limit";
    row.ours = bench_median(values, run->repeats, &row.spread);
    row.peer_value = limit;
    row.ratio = limit / row.ours;
    row.bar = 1.0;
    bench_emit(run, &row);
}

/// Lidar beams, with everything a return has, and a lidar's share of a core.
static void measure_lidar(BenchRun *run, Stage *s)
{
    const RiPose at = {ri_mat3_identity(), {0.0, 0.0, 2.0}};
    const RiLidarMotion still = {0.0, 1.0, at, at};
    double ours[64], bare[64], share[64];
    RiLidar l;
    int hits = 0, found = 0;
    if (!ri_lidar_unit("os1_64", &l) || ri_lidar_check(s->ctx, "os1_64", &l) != RI_OK)
        return;
    lidar_rays(s, &l);
    for (int k = 0; k < run->repeats; k++) {
        double t = seconds();
        ri_lidar_shoot(s->scene, &l, &still, 1, false, 0, SHOTS, s->returns);
        ours[k] = SHOTS / (seconds() - t) * 1e-6;
        share[k] = 100.0 * 10.0 * SHOTS / (ours[k] * 1e6);
        t = seconds();
        hits = bare_singles(s, SHOTS);
        bare[k] = SHOTS / (seconds() - t) * 1e-6;
    }
    for (int i = 0; i < SHOTS; i++)
        found += s->returns[i].link != RI_RAY_NOTHING;
    emit(run, "lidar.beams", "M/s", "embree", ours, bare, 0.8, abs(found - hits) < SHOTS / 50);
    emit_limit(run, "lidar.os1_64_10hz", "% of a core", share, 12.0);
}

/// First hits and shadow rays of a picture.
static void measure_camera(BenchRun *run, Stage *s)
{
    RiCamera c = ri_camera_pinhole(PIXELS, PIXELS, 0.8);
    double ours[64], bare[64], shadow[64], bare_shadow[64];
    int hits = 0, found = 0;
    if (ri_camera_check(s->ctx, "camera", &c) != RI_OK)
        return;
    camera_rays(s, &c);
    for (int k = 0; k < run->repeats; k++) {
        double t = seconds();
        ri_ray_scene_trace(s->scene, MOST, s->rays, true, s->hits);
        ours[k] = MOST / (seconds() - t) * 1e-6;
        t = seconds();
        hits = bare_packets(s, MOST, false);
        bare[k] = MOST / (seconds() - t) * 1e-6;
        t = seconds();
        ri_ray_scene_blocked(s->scene, MOST, s->rays, true, s->blocked);
        shadow[k] = MOST / (seconds() - t) * 1e-6;
        t = seconds();
        (void)bare_packets(s, MOST, true);
        bare_shadow[k] = MOST / (seconds() - t) * 1e-6;
    }
    for (int i = 0; i < MOST; i++)
        found += s->hits[i].body != RI_RAY_NOTHING;
    emit(run, "camera.packets", "M/s", "embree", ours, bare, 0.7, abs(found - hits) < MOST / 50);
    emit(run, "camera.shadows", "M/s", "embree", shadow, bare_shadow, 0.7, true);
}

// --- pictures ------------------------------------------------------------------------------------

typedef struct Lens {
    const RiCamera *camera;
} Lens;

/// A pinhole 2 m above the ground that looks along x, a little down.
static bool lens_ray(const void *user, double x, double y, const double u[3], RiRay *out)
{
    const Lens *l = user;
    RiVec3 o, d;
    (void)u;
    if (!ri_camera_ray(l->camera, x, y, &o, &d))
        return false;
    *out = (RiRay){.origin = ri_vec3(0.0, 0.0, 2.0),
                   .direction = ri_vec3(d.z * cos(0.3) - d.y * sin(0.3), -d.x, -d.y * cos(0.3) - d.z * sin(0.3)),
                   .far = INFINITY,
                   .mask = RI_RAY_PHYSICAL};
    return true;
}

/// Light, surfaces and a frame for a picture of the stage.
typedef struct Studio {
    RiLight *light;
    RiOpticSurface *surfaces;
    RiFrame *frame;
    RiCamera camera;
    Lens lens;
    RiTraceJob job;
} Studio;

static RiStatus open_studio(Stage *s, int width, int height, Studio *t)
{
    RiLightDef light = {.sky = RI_SKY_MARS, .tau = 0.5, .ground_albedo = 0.2, .disc_count = 1};
    int count;
    light.discs[0] = ri_disc_sun(ri_vec3(0.48, 0.64, 0.6), 1.52);
    *t = (Studio){.camera = ri_camera_pinhole(width, height, 0.8)};
    RI_TRY(ri_camera_check(s->ctx, "camera", &t->camera));
    RI_TRY(ri_light_create(s->ctx, &light, &t->light));
    RI_TRY(ri_surfaces_of_scene(s->ctx, s->scene, NULL, &t->surfaces, &count));
    RI_TRY(ri_frame_create(s->ctx, width, height, &t->frame));
    t->lens = (Lens){&t->camera};
    t->job = (RiTraceJob){.world = ri_ray_world(s->scene),
                          .surfaces = t->surfaces,
                          .surface_count = count,
                          .light = t->light,
                          .ray = lens_ray,
                          .plain = true,
                          .camera = &t->lens,
                          .width = width,
                          .height = height};
    return RI_OK;
}

static void close_studio(Stage *s, Studio *t)
{
    ri_frame_destroy(t->frame);
    ri_light_destroy(t->light);
    ri_release(s->ctx, t->surfaces);
}

static double all_threads(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Rays of the picture's own pixels into s->rays.
static void picture_rays(Stage *s, const Studio *t)
{
    const double u[3] = {0.5, 0.5, 0.5};
    for (int i = 0; i < MOST; i++)
        (void)lens_ray(&t->lens, i % PIXELS, i / PIXELS, u, &s->rays[i]);
}

/// Rays to the sun from what they hit; returns how many.
static int sun_rays(Stage *s, const Studio *t)
{
    const RiVec3 sun = ri_light_def(t->light)->discs[0].toward;
    int count = 0;
    picture_rays(s, t);
    ri_ray_scene_trace(s->scene, MOST, s->rays, true, s->hits);
    for (int i = 0; i < MOST; i++) {
        RiRayPoint p;
        if (s->hits[i].body == RI_RAY_NOTHING)
            continue;
        ri_ray_scene_flat_point(s->scene, &s->rays[i], &s->hits[i], &p);
        if (ri_dot(p.normal, sun) > 0.0)
            s->rays[count++] = (RiRay){
                .origin = ri_add(p.point, ri_scale(1e-4, p.normal)), .direction = sun, .far = INFINITY, .mask = ~0u};
    }
    return count;
}

/// A Whitted picture of a navigation camera. The peer is bare Embree with the same rays: one
/// through each pixel, two to the sun from each point that faces it. Shading is not in it.
static void measure_navcam(BenchRun *run, Stage *s)
{
    enum { ROUNDS = 3 };
    Studio t;
    double ours[64], bare[64];
    RiTraceOptions o = ri_trace_options_default();
    RiStatus status = open_studio(s, PIXELS, PIXELS, &t);
    o.tracer = RI_TRACER_WHITTED;
    o.samples = 1;
    o.light_only = true;
    const int rounds = run->repeats < ROUNDS ? run->repeats : ROUNDS, kept = run->repeats;
    for (int k = 0; k < rounds && status == RI_OK; k++) {
        double time = seconds();
        status = ri_trace(s->ctx, &t.job, &o, t.frame);
        ours[k] = 1.0 / (seconds() - time);
        picture_rays(s, &t);
        time = seconds();
        (void)bare_packets(s, MOST, false);
        bare[k] = seconds() - time;
        const int count = sun_rays(s, &t);
        time = seconds();
        (void)bare_packets(s, count, true);
        (void)bare_packets(s, count, true);
        bare[k] = 1.0 / (bare[k] + seconds() - time);
    }
    run->repeats = rounds;
    if (status == RI_OK)
        emit(run, "camera.whitted_1024", "1/s", "embree", ours, bare, 0.7, true);
    else
        bench_fail(run, "whitted", ri_context_message(s->ctx));
    run->repeats = kept;
    close_studio(s, &t);
}

/// A path-traced picture of eight samples with the denoiser, on two threads: processor time over
/// two, which is what two idle cores take.
static void measure_path(BenchRun *run, Stage *s)
{
    Studio t;
    double time[1];
    const int kept = run->repeats;
    float *clean = malloc(3 * sizeof *clean * 640 * 480);
    RiTraceOptions o = ri_trace_options_default();
    RiStatus status = clean ? open_studio(s, 640, 480, &t) : RI_ERR_MEMORY;
    o.samples = 8;
    o.more = RI_DENOISE_MORE * o.samples;
    o.threads = 2;
    time[0] = all_threads();
    if (status == RI_OK)
        status = ri_trace(s->ctx, &t.job, &o, t.frame);
    if (status == RI_OK)
        status = ri_denoise(s->ctx, t.frame, &t.job, 2, clean);
    time[0] = 0.5 * (all_threads() - time[0]);
    run->repeats = 1;
    if (status == RI_OK)
        emit_limit(run, "camera.path_640x480", "s", time, 4.0);
    else
        bench_fail(run, "path", ri_context_message(s->ctx));
    run->repeats = kept;
    if (clean)
        close_studio(s, &t);
    free(clean);
}

/// Counts pictures, and does nothing with them.
static RiStatus take_picture(void *user, int camera, const RiPictureView *view, const RiPose *pose)
{
    (void)camera, (void)pose;
    *(int *)user += view->width > 0;
    return RI_OK;
}

/// Processor time of the run's own thread over 200 ticks [s]: in steps, and in the sensors' calls.
static RiStatus time_run(RiContext *ctx, const char *path, const RiSensorSink *sink, double *out_steps, double *out_own)
{
    RiScene *scene = NULL;
    RiSensors *sensors = NULL;
    RiStatus status = ri_scene_load(ctx, path, NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    if (status == RI_OK)
        status = ri_sensors_create(ctx, scene, 1, NULL, sink, &sensors);
    *out_steps = *out_own = 0.0;
    for (int i = 0; i < 200 && status == RI_OK; i++) {
        const double begin = seconds();
        status = ri_sensors_tick(sensors);
        const double middle = seconds();
        if (status == RI_OK)
            status = ri_sim_step(ri_scene_sim(scene));
        *out_own += middle - begin;
        *out_steps += seconds() - middle;
    }
    ri_sensors_destroy(sensors);
    ri_scene_destroy(scene);
    return status;
}

/// What a camera at 1 Hz, rendered beside the run, takes from the run's own thread; what two
/// threads take from each other by sharing a machine is not in it.
static void measure_beside(BenchRun *run)
{
    static const char text[] = "include: %s/mer_rocks.yaml\nscene: beside\ncameras:\n  front: {model: pinhole, width: "
                               "320, height: 240, frame: chassis, position: [1 m, 0, 1 m], rate: 1 Hz}\n";
    char scenes[PATH_MAX], path[PATH_MAX];
    double share[1] = {INFINITY};
    int pictures = 0;
    const RiSensorSink sink = {.user = &pictures, .picture = take_picture};
    RiContext *ctx;
    cli_data_folder("scenes", scenes);
    if (*scenes != '/') // the scene is written elsewhere
        snprintf(scenes, sizeof scenes, "%s/scenes", RILLE_SOURCE_DIR);
    bench_temporary(bench_temporary_folder(), ".yaml", path, sizeof path);
    FILE *file = *path ? fopen(path, "w") : NULL;
    if (!file || ri_context_create(NULL, &ctx) != RI_OK) {
        bench_fail(run, "beside", "the scene cannot be written");
        return;
    }
    fprintf(file, text, scenes);
    fclose(file);
    RiStatus status = RI_OK;
    for (int k = 0; k < 3 && status == RI_OK; k++) {
        double steps, own;
        status = time_run(ctx, path, &sink, &steps, &own);
        share[0] = fmin(share[0], 100.0 * own / steps);
    }
    const int kept = run->repeats;
    run->repeats = 1;
    if (status == RI_OK && pictures > 0)
        emit_limit(run, "sensors.beside_a_run", "% of steps", share, 5.0);
    else
        bench_fail(run, "beside", status == RI_OK ? "no picture was taken" : ri_context_message(ctx));
    run->repeats = kept;
    ri_context_destroy(ctx);
    unlink(path);
}

static void measure_motion(BenchRun *run, Stage *s)
{
    double move[64], tile[64];
    for (int k = 0; k < run->repeats; k++) {
        double t = seconds();
        for (int frame = 0; frame < 20; frame++) {
            for (int b = 0; b < BODIES; b++) {
                RiPose pose = ri_ray_scene_pose(s->scene, b);
                pose.p.x += 1e-3;
                ri_ray_scene_set_pose(s->scene, b, &pose);
            }
            if (ri_ray_scene_update(s->scene) != RI_OK)
                bench_fail(run, "move", ri_context_message(s->ctx));
        }
        move[k] = (seconds() - t) / 20.0 * 1e3;
    }
    emit_limit(run, "robot.move", "ms", move, 1.0);
    if (ri_ray_scene_set_ground(s->scene, &(RiRayGroundDef){.terrain = s->terrain, .ruts = s->ruts, .reach = 100.0}) !=
        RI_OK)
        bench_fail(run, "ruts", ri_context_message(s->ctx));
    for (int k = -1; k < run->repeats; k++) { // the first one builds the tile
        const double depth = 0.01 + 0.001 * (k + 2);
        bool ok = true;
        for (int i = 0; i < 40; i++)
            ok &= ri_ruts_set(s->ruts, 10 + i, 20, &(RiRut){.depth = (float)depth, .compacted = (float)depth}) == RI_OK;
        ri_ruts_commit(s->ruts);
        const double t = seconds();
        ok &= ri_ray_scene_update(s->scene) == RI_OK;
        if (k >= 0)
            tile[k] = (seconds() - t) * 1e3;
        if (!ok)
            bench_fail(run, "ruts", ri_context_message(s->ctx));
    }
    emit_limit(run, "ruts.tile", "ms", tile, 2.0);
}

void bench_optics(BenchRun *run)
{
    Stage s = {.ctx = NULL};
    if (run->repeats > 64)
        run->repeats = 64;
    s.rays = malloc(MOST * sizeof *s.rays);
    s.hits = malloc(MOST * sizeof *s.hits);
    s.returns = malloc(SHOTS * sizeof *s.returns);
    s.blocked = malloc(MOST * sizeof *s.blocked);
    if (!s.rays || !s.hits || !s.returns || !s.blocked || ri_context_create(NULL, &s.ctx) != RI_OK) {
        bench_fail(run, "optics", "out of memory");
        return;
    }
    if (make_ground(&s) != RI_OK || add_bodies(&s) != RI_OK) {
        bench_fail(run, "optics", ri_context_message(s.ctx));
    } else {
        make_bare(&s);
        measure_lidar(run, &s);
        measure_camera(run, &s);
        measure_navcam(run, &s);
        measure_path(run, &s);
        measure_motion(run, &s);
        measure_beside(run);
    }
    free_stage(&s);
}

#else

void bench_optics(BenchRun *run)
{
    bench_fail(run, "optics", "this build has no Embree");
}

#endif
