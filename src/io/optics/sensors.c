// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sensors at their own rates beside a run.
///
///     tick --(due?)--> wait for the last batch, hand it out --> look (poses of now) --> thread: render, cook
///
/// Two perceptions: that of the cameras is read by the rendering thread between two looks, that of
/// the lidars follows every tick. Each has a context of its own, since a context belongs to one
/// thread. Tests: tests/optics/test_sensors.c.
#include <math.h>
#include <pthread.h>
#include <string.h>

#include <rille/perception.h>

#include "base/memory.h"
#include "terrain/terrain.h"

typedef struct Camera {
    long long period; ///< [ticks]; 0: on request only
    bool due;
    RiPictureView view;
    RiPose pose;
} Camera;

typedef struct Lidar {
    RiReturn *returns; ///< of the scan so far
    int count, shots;
} Lidar;

struct RiSensors {
    RiContext *ctx, *eye_ctx, *beam_ctx;
    RiScene *scene;
    RiSensorSink sink;
    RiPerception *eyes, *beams;
    Camera *cameras;
    Lidar *lidars;
    int camera_count, lidar_count;
    long long last_tick; ///< that lidars have seen
    long long eye_tick;  ///< of the last batch of pictures, -1: none
    bool scanned;        ///< latest: whole scans of the start were handed out
    pthread_t thread;
    pthread_mutex_t lock; ///< of busy and quit
    pthread_cond_t wake, done;
    bool busy, quit;               ///< the thread renders a batch; it is to end
    bool beside, started, waiting; ///< a thread may render; there is one; a batch is to be handed out
    RiStatus status;               ///< of the batch
};

static void wait_for_thread(RiSensors *s)
{
    if (!s->started)
        return;
    pthread_mutex_lock(&s->lock);
    while (s->busy)
        pthread_cond_wait(&s->done, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

static void end_thread(RiSensors *s)
{
    wait_for_thread(s);
    if (s->started) {
        pthread_mutex_lock(&s->lock);
        s->quit = true;
        pthread_cond_signal(&s->wake);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
    }
    pthread_cond_destroy(&s->done);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
}

void ri_sensors_destroy(RiSensors *s)
{
    if (!s)
        return;
    end_thread(s);
    ri_perception_destroy(s->eyes);
    ri_perception_destroy(s->beams);
    for (int i = 0; s->lidars && i < s->lidar_count; i++)
        ri_release(s->ctx, s->lidars[i].returns);
    ri_release(s->ctx, s->cameras);
    ri_release(s->ctx, s->lidars);
    if (s->eye_ctx)
        ri_context_destroy(s->eye_ctx);
    if (s->beam_ctx)
        ri_context_destroy(s->beam_ctx);
    ri_release(s->ctx, s);
}

/// Paged ground keeps pages in a cache of one thread.
static bool is_paged(const RiTerrain *t)
{
    const RiTerrain *const *parts;
    const int count = t ? ri_terrain_parts(t, &parts) : 0;
    bool paged = t && strcmp(t->kind->kind, "tiles") == 0;
    for (int i = 0; i < count; i++)
        paged |= is_paged(parts[i]);
    return paged;
}

/// The failure of another context as one of the run's.
static RiStatus pass_on(RiSensors *s, const RiContext *from, RiStatus status)
{
    return status == RI_OK ? RI_OK : ri_error(s->ctx, status, "%s", ri_context_message(from));
}

static RiStatus set_up_cameras(RiSensors *s, int threads, RiReport *report)
{
    const double tick = ri_sim_options(ri_scene_sim(s->scene))->tick;
    const bool wanted = s->sink.cook || s->sink.picture;
    bool any = false;
    for (int i = 0; wanted && i < s->camera_count; i++) {
        const RiCameraMount *m = ri_scene_camera(s->scene, i);
        if (m->on && m->rate > 0.0)
            s->cameras[i].period = llround(fmax(1.0, 1.0 / (m->rate * tick)));
        any |= s->cameras[i].period > 0 || (s->sink.latest && m->on);
    }
    if (!any)
        return RI_OK;
    if (ri_context_create(NULL, &s->eye_ctx) != RI_OK)
        return ri_error_memory(s->ctx);
    return pass_on(s, s->eye_ctx, ri_perception_create(s->eye_ctx, s->scene, threads, report, &s->eyes));
}

static RiStatus set_up_lidars(RiSensors *s, int threads, RiReport *report)
{
    bool any = false;
    for (int i = 0; s->sink.cloud && i < s->lidar_count; i++) {
        const RiLidarMount *m = ri_scene_lidar(s->scene, i);
        if (!m->on)
            continue;
        any = true;
        s->lidars[i].shots = m->lidar.shots;
        s->lidars[i].returns = ri_alloc(s->ctx, (size_t)m->lidar.shots, sizeof *s->lidars[i].returns);
        if (!s->lidars[i].returns)
            return ri_error_memory(s->ctx);
    }
    if (!any)
        return RI_OK;
    if (ri_context_create(NULL, &s->beam_ctx) != RI_OK)
        return ri_error_memory(s->ctx);
    return pass_on(s, s->beam_ctx, ri_perception_create(s->beam_ctx, s->scene, threads, report, &s->beams));
}

RiStatus ri_sensors_create(RiContext *ctx, RiScene *scene, int threads, RiReport *report, const RiSensorSink *sink,
                           RiSensors **out)
{
    *out = NULL;
    if (!ri_scene_sim(scene))
        return ri_error(ctx, RI_ERR_ARGUMENT, "sensors: the scene is not built");
    RiSensors *s = ri_alloc_zero(ctx, 1, sizeof *s);
    if (!s)
        return ri_error_memory(ctx);
    RiSim *sim = ri_scene_sim(scene);
    *s = (RiSensors){.ctx = ctx, .scene = scene, .sink = *sink, .eye_tick = -1};
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, NULL);
    pthread_cond_init(&s->done, NULL);
    s->camera_count = ri_scene_camera_count(scene);
    s->lidar_count = ri_scene_lidar_count(scene);
    s->last_tick = ri_sim_tick(sim);
    s->beside = !ri_sim_ruts(sim) && !is_paged(ri_sim_terrain(sim));
    s->cameras = ri_alloc_zero(ctx, (size_t)s->camera_count + 1, sizeof *s->cameras);
    s->lidars = ri_alloc_zero(ctx, (size_t)s->lidar_count + 1, sizeof *s->lidars);
    RiStatus status = s->cameras && s->lidars ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK)
        status = set_up_cameras(s, threads, report);
    if (status == RI_OK)
        status = set_up_lidars(s, threads, report);
    if (status != RI_OK)
        ri_sensors_destroy(s);
    else
        *out = s;
    return status;
}

// --- cameras -------------------------------------------------------------------------------------

/// Renders the batch; runs in the thread.
static void render(RiSensors *s)
{
    for (int i = 0; i < s->camera_count && s->status == RI_OK; i++) {
        Camera *c = &s->cameras[i];
        if (!c->due)
            continue;
        s->status = ri_perception_picture(s->eyes, i, &c->view);
        if (s->status == RI_OK && s->sink.cook)
            s->sink.cook(s->sink.user, i, &c->view);
    }
}

/// The thread: sleeps until there is a batch.
static void *render_batches(void *user)
{
    RiSensors *s = user;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->busy && !s->quit)
            pthread_cond_wait(&s->wake, &s->lock);
        if (s->quit)
            break;
        pthread_mutex_unlock(&s->lock);
        render(s);
        pthread_mutex_lock(&s->lock);
        s->busy = false;
        pthread_cond_signal(&s->done);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/// Has the batch rendered: by the thread, or here if there can be none.
static void start_batch(RiSensors *s)
{
    if (s->beside && !s->started)
        s->started = pthread_create(&s->thread, NULL, render_batches, s) == 0;
    if (!s->started) {
        render(s);
        return;
    }
    pthread_mutex_lock(&s->lock);
    s->busy = true;
    pthread_mutex_unlock(&s->lock);
    pthread_cond_signal(&s->wake); // the thread does not wake up to a lock that is taken
}

static bool is_busy(RiSensors *s)
{
    pthread_mutex_lock(&s->lock);
    const bool busy = s->busy;
    pthread_mutex_unlock(&s->lock);
    return busy;
}

static RiStatus hand_out(RiSensors *s)
{
    wait_for_thread(s);
    if (!s->waiting)
        return RI_OK;
    s->waiting = false;
    RI_TRY(pass_on(s, s->eye_ctx, s->status));
    for (int i = 0; i < s->camera_count; i++) {
        Camera *c = &s->cameras[i];
        if (c->due && s->sink.picture)
            RI_TRY(s->sink.picture(s->sink.user, i, &c->view, &c->pose));
    }
    return RI_OK;
}

/// People who look on get a picture of each camera at once.
static bool is_due(const RiSensors *s, int camera, long long tick)
{
    const Camera *c = &s->cameras[camera];
    if (s->sink.latest && s->eye_tick < 0)
        return ri_scene_camera(s->scene, camera)->on;
    return c->period > 0 && tick % c->period == 0;
}

static RiStatus tick_cameras(RiSensors *s, long long tick)
{
    bool any = false;
    if (s->sink.latest && s->waiting) {
        if (is_busy(s))
            return RI_OK;
        RI_TRY(hand_out(s));
    }
    if (s->sink.latest && tick == s->eye_tick)
        return RI_OK;
    for (int i = 0; s->eyes && i < s->camera_count; i++)
        any |= is_due(s, i, tick);
    if (!any)
        return RI_OK;
    RI_TRY(hand_out(s));
    RI_TRY(pass_on(s, s->eye_ctx, ri_perception_look(s->eyes)));
    for (int i = 0; i < s->camera_count; i++) {
        s->cameras[i].due = is_due(s, i, tick);
        s->cameras[i].pose = ri_perception_camera_pose(s->eyes, i);
    }
    s->eye_tick = tick;
    s->status = RI_OK;
    s->waiting = true;
    start_batch(s);
    return RI_OK;
}

// --- lidars --------------------------------------------------------------------------------------

/// Adds the shots of a tick; a full scan is handed out.
static RiStatus tick_lidar(RiSensors *s, int lidar)
{
    Lidar *l = &s->lidars[lidar];
    RiCloudView now;
    RI_TRY(pass_on(s, s->beam_ctx, ri_perception_scan(s->beams, lidar, false, &now)));
    for (int i = 0; i < now.count; i++) {
        l->returns[l->count++] = now.returns[i];
        if (l->count < l->shots)
            continue;
        const RiCloudView cloud = {l->count, l->returns, now.pose, now.time};
        l->count = 0;
        if (s->sink.cloud)
            RI_TRY(s->sink.cloud(s->sink.user, lidar, &cloud));
    }
    return RI_OK;
}

/// Whole scans from where the lidars are, for people who look on.
static RiStatus scan_at_once(RiSensors *s)
{
    s->scanned = true;
    for (int i = 0; i < s->lidar_count; i++) {
        RiCloudView cloud;
        if (s->lidars[i].shots == 0)
            continue;
        RI_TRY(pass_on(s, s->beam_ctx, ri_perception_scan(s->beams, i, true, &cloud)));
        RI_TRY(s->sink.cloud(s->sink.user, i, &cloud));
    }
    return RI_OK;
}

static RiStatus tick_lidars(RiSensors *s, long long tick)
{
    if (s->beams && s->sink.latest && !s->scanned)
        RI_TRY(scan_at_once(s));
    if (!s->beams || tick == s->last_tick)
        return RI_OK;
    s->last_tick = tick;
    RI_TRY(pass_on(s, s->beam_ctx, ri_perception_look(s->beams)));
    for (int i = 0; i < s->lidar_count; i++)
        if (s->lidars[i].shots > 0)
            RI_TRY(tick_lidar(s, i));
    return RI_OK;
}

RiStatus ri_sensors_tick(RiSensors *s)
{
    const long long tick = ri_sim_tick(ri_scene_sim(s->scene));
    RI_TRY(tick_lidars(s, tick));
    return tick_cameras(s, tick);
}

RiStatus ri_sensors_finish(RiSensors *s)
{
    return hand_out(s);
}
