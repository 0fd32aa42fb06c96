// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cameras and lidars of a scene as range sensors of its own devices (RiDeviceCall.see): a lidar's
/// scan, or a picture pair that is rendered and matched.
///
/// A pair must be two pinholes of equal size and focal length with parallel axes, the partner to
/// the right: rows are the same then. The renderer is made when a device asks for the first time,
/// at its start. Answers are a function of the state and the seed.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <rille/perception.h>
#include <rille/stereo.h>

#include "base/memory.h"
#include "io/scene/scene.h"

struct RiSceneEyes {
    RiPerception *perception;
    float *left, *right, *disparity; ///< [pixels] of the pair that was seen last
    int pixels;
};

void ri_scene_close_eyes(RiScene *sc)
{
    RiSceneEyes *e = sc->eyes;
    if (!e)
        return;
    ri_perception_destroy(e->perception);
    ri_release(sc->ctx, e->left);
    ri_release(sc->ctx, e->right);
    ri_release(sc->ctx, e->disparity);
    ri_release(sc->ctx, e);
    sc->eyes = NULL;
}

static RiStatus open_eyes(RiScene *sc)
{
    if (sc->eyes)
        return RI_OK;
    sc->eyes = ri_alloc_zero(sc->ctx, 1, sizeof *sc->eyes);
    if (!sc->eyes)
        return ri_error_memory(sc->ctx);
    const RiStatus status = ri_perception_create(sc->ctx, sc, 1, NULL, &sc->eyes->perception);
    if (status != RI_OK)
        ri_scene_close_eyes(sc);
    return status;
}

// --- pairs ---------------------------------------------------------------------------------------

static int find_camera(const RiScene *sc, const char *name)
{
    for (int i = 0; name && i < ri_scene_camera_count(sc); i++)
        if (strcmp(ri_scene_camera(sc, i)->name, name) == 0)
            return i;
    return -1;
}

/// The camera to the right of a camera and what matching must know of both; -1: they are not a pair
/// that can be matched.
static int find_pair(const RiScene *sc, int left, RiStereoPair *out)
{
    if (left >= ri_scene_camera_count(sc))
        return -1;
    const RiCameraMount *a = ri_scene_camera(sc, left);
    const int right = find_camera(sc, a->pair);
    if (right < 0)
        return -1;
    const RiCameraMount *b = ri_scene_camera(sc, right);
    const RiCamera *c = &a->camera;
    const RiVec3 apart = ri_rotate_back(&a->pose.R, ri_sub(b->pose.p, a->pose.p));
    bool even = c->model == RI_CAMERA_PINHOLE && b->camera.model == RI_CAMERA_PINHOLE && c->width == b->camera.width &&
                c->height == b->camera.height && c->fx == b->camera.fx && c->fx == c->fy &&
                (a->frame == b->frame || (a->frame && b->frame && strcmp(a->frame, b->frame) == 0));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            even = even && fabs(a->pose.R.m[i][k] - b->pose.R.m[i][k]) < 1e-9;
    if (!even || !(apart.x > 1e-3) || fabs(apart.y) > 1e-6 || fabs(apart.z) > 1e-6) // optical axes: x right, y down
        return -1;
    *out = (RiStereoPair){c->width, c->height, c->fx, c->cx, c->cy, apart.x};
    return right;
}

static RiStatus size_images(RiScene *sc, int pixels)
{
    RiSceneEyes *e = sc->eyes;
    float **const images[] = {&e->left, &e->right, &e->disparity};
    for (int i = 0; i < 3 && pixels != e->pixels; i++) {
        float *grown = ri_resize(sc->ctx, *images[i], (size_t)pixels, sizeof **images[i]);
        if (!grown)
            return ri_error_memory(sc->ctx);
        *images[i] = grown;
    }
    e->pixels = pixels;
    return RI_OK;
}

/// Brightness of a rendered picture.
static RiStatus shoot(RiScene *sc, int camera, float *out)
{
    RiPictureView view;
    RI_TRY(ri_perception_picture(sc->eyes->perception, camera, &view));
    for (int i = 0; i < view.width * view.height; i++)
        out[i] = view.radiance[3 * i] + view.radiance[3 * i + 1] + view.radiance[3 * i + 2];
    return RI_OK;
}

static RiPose camera_pose(const RiScene *sc, const RiCameraMount *m)
{
    const int frame = m->frame ? ri_model_find_frame(sc->model, m->frame) : -1;
    const RiPose at = frame >= 0 ? ri_dyn_frame_pose(ri_sim_dyn(sc->sim), frame) : ri_pose_identity();
    return ri_pose_mul(&at, &m->pose);
}

/// Points of a matched pair, evenly taken where there are more than room.
static int place_points(const RiStereoPair *pair, const RiPose *camera, const float *disparity, RiVec3 *out, int room)
{
    const int stride = 1 + (int)sqrt((double)pair->width * pair->height / (room > 0 ? room : 1));
    int count = 0;
    for (int y = stride / 2; y < pair->height; y += stride)
        for (int x = stride / 2; x < pair->width && count < room; x += stride) {
            const float d = disparity[y * pair->width + x];
            if (!(d > 0.5F)) // also for NaN; farther than can be told
                continue;
            out[count++] = ri_pose_point(camera, ri_stereo_point(pair, x, y, (double)d));
        }
    return count;
}

static RiStatus see_pair(RiScene *sc, int camera, RiVec3 *out, int room, int *out_count)
{
    RiStereoPair pair;
    const int right = find_pair(sc, camera, &pair);
    if (right < 0)
        return ri_error(sc->ctx, RI_ERR_ARGUMENT, "camera %d has no partner to its right that can be matched", camera);
    RiSceneEyes *e = sc->eyes;
    RiStereoOptions o = ri_stereo_options_default();
    o.ratio = 1.1; // ground without texture is not matched
    o.most = pair.width / 2 < 512 ? pair.width / 2 : 512;
    RI_TRY(size_images(sc, pair.width * pair.height));
    RI_TRY(shoot(sc, camera, e->left));
    RI_TRY(shoot(sc, right, e->right));
    RI_TRY(ri_stereo_match(sc->ctx, &pair, &o, e->left, e->right, e->disparity));
    const RiPose pose = camera_pose(sc, ri_scene_camera(sc, camera));
    *out_count = place_points(&pair, &pose, e->disparity, out, room);
    return RI_OK;
}

// --- lidars --------------------------------------------------------------------------------------

static RiStatus see_lidar(RiScene *sc, int lidar, RiVec3 *out, int room, int *out_count)
{
    RiCloudView cloud;
    RI_TRY(ri_perception_scan(sc->eyes->perception, lidar, true, &cloud));
    // A part of the returns, the same of every channel: multiples of the golden ratio are spread
    // evenly, where every fourth return would be those of few channels.
    const double share = cloud.count > room ? (double)room / cloud.count : 1.0;
    int count = 0;
    for (int i = 0; i < cloud.count && count < room; i++)
        if (share * 4294967296.0 > (double)(uint32_t)((uint32_t)i * 2654435769U) && cloud.returns[i].link == -1 &&
            isfinite(cloud.returns[i].point.x))
            out[count++] = ri_pose_point(&cloud.pose, cloud.returns[i].point);
    *out_count = count;
    return RI_OK;
}

int ri_scene_see(void *user, int kind, int sensor, RiVec3 *out_points, int room)
{
    RiScene *sc = user;
    RiStereoPair pair;
    int count = 0;
    const bool known = kind == RI_SEE_STEREO ? find_pair(sc, sensor, &pair) >= 0
                                             : kind == RI_SEE_LIDAR && sensor < ri_scene_lidar_count(sc);
    if (sensor < 0 || !known || open_eyes(sc) != RI_OK)
        return -1;
    if (room <= 0)
        return 0;
    RiStatus status = ri_perception_look(sc->eyes->perception);
    if (status == RI_OK)
        status = kind == RI_SEE_STEREO ? see_pair(sc, sensor, out_points, room, &count)
                                       : see_lidar(sc, sensor, out_points, room, &count);
    return status == RI_OK ? count : 0; // a device that sees nothing says so
}
