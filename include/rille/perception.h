// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cameras and lidars of a scene at work.
///
///     RiScene (keys cameras, lidars, lamps, light) --(ri_perception_create)--> RiPerception
///     ri_perception_look: poses and ruts of now --> ri_perception_picture, _truth, _scan: what the sensors see
///
/// The simulation is only read: a run has equal bits with and without it. Pictures and clouds are
/// handed out as pointers into the object's own memory, valid until the next call for the same
/// sensor.
///
/// Threads and ownership: a perception belongs to one thread, that of its scene; it renders with as
/// many threads as it is told to. The scene must outlive it.
#ifndef RILLE_PERCEPTION_H
#define RILLE_PERCEPTION_H

#include <stdint.h>

#include <rille/camera.h>
#include <rille/lidar.h>
#include <rille/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A camera on a robot (key `cameras`).
typedef struct RiCameraMount {
    const char *name;
    const char *frame; ///< link or frame that it is mounted on; NULL: the world
    RiCamera camera;   ///< checked, optical axis of unit length
    RiPose pose;       ///< the camera's own frame in that frame
    double rate;       ///< pictures per second [Hz]; 0: on request only
    bool on;
    bool rolling;     ///< rows are read one after the other
    double readout;   ///< of a rolling shutter, from the first row to the last [s]
    double exposure;  ///< time that a row collects light [s]: the camera's own motion blurs
    double aperture;  ///< diameter of the lens [m]; 0: everything is sharp
    double focus;     ///< distance of what is sharp [m]
    const char *pair; ///< the other camera of a stereo pair; NULL
    int samples;      ///< rays for each pixel; path-traced pictures of fewer than 64 that nothing blurs are denoised
    int depth;        ///< surfaces along a path at most
    bool path;        ///< path tracing; else Whitted's
    const char *const *filters, *const *plugins; ///< of the image chain (rille/filter.h)
    int filter_count, plugin_count;
} RiCameraMount;

/// A lidar on a robot (key `lidars`).
typedef struct RiLidarMount {
    const char *name, *frame;
    RiLidar lidar; ///< checked
    RiPose pose;
    bool on;
} RiLidarMount;

/// A lamp on a robot (key `lamps`).
typedef struct RiLampMount {
    const char *name, *frame;
    RiPose pose;       ///< it shines along x
    double full, edge; ///< half angles of full and of no light [rad]
    double power;      ///< along the axis [W/sr]
    double radius;     ///< [m]
    bool on;
} RiLampMount;

/// Number of cameras that the scene mounts.
int ri_scene_camera_count(const RiScene *scene);
/// Camera by index; borrowed, valid with the scene.
const RiCameraMount *ri_scene_camera(const RiScene *scene, int index);
/// Number of lidars that the scene mounts.
int ri_scene_lidar_count(const RiScene *scene);
/// Lidar by index; borrowed, valid with the scene.
const RiLidarMount *ri_scene_lidar(const RiScene *scene, int index);
/// Number of lamps that the scene mounts.
int ri_scene_lamp_count(const RiScene *scene);
/// Lamp by index; borrowed, valid with the scene.
const RiLampMount *ri_scene_lamp(const RiScene *scene, int index);

typedef struct RiPerception RiPerception;

/// Needs ri_scene_build. RI_ERR_UNSUPPORTED in a build without Embree. Meshes that cannot be read
/// are told in `report` (may be NULL) and left out.
RI_MUST_CHECK RiStatus ri_perception_create(RiContext *ctx, RiScene *scene, int threads, RiReport *report,
                                            RiPerception **out);
/// Destroys it; NULL does nothing.
void ri_perception_destroy(RiPerception *p);
/// Seed of the pictures' samples; 1 at first. Pictures of two seeds differ by their noise alone.
void ri_perception_seed(RiPerception *p, uint64_t seed);
/// Takes over where everything is now. Creation looks for the first time. Call it before pictures,
/// and after each tick of which lidar shots are wanted.
RI_MUST_CHECK RiStatus ri_perception_look(RiPerception *p);

/// A picture: eight bits for each colour, linear radiance [W/(m^2 sr)], and what the camera's
/// filters made of it.
///
/// Without a filter `exposure` the bytes are exposed automatically and have the curve of sRGB. With
/// it they are the camera's own values, 255 for white.
typedef struct RiPictureView {
    int width, height;
    const uint8_t *rgb;    ///< 3 width height
    const float *radiance; ///< 3 width height
    double time;           ///< [s]
    const float *values;   ///< channels width height: the camera's numbers; NULL: it has no filter `exposure`
    int channels;          ///< of `values`: 3, or 1 (grey, Bayer)
    double full_scale;     ///< the value of white: electrons, or 2^bits - 1
    double samples;        ///< mean of the pixels; denoised pictures have further ones where edges and shadows are
} RiPictureView;
/// Takes a picture with a mounted camera; arrays of *out are borrowed until the next call for it.
RI_MUST_CHECK RiStatus ri_perception_picture(RiPerception *p, int camera, RiPictureView *out);
/// The same with a camera that is not mounted: `camera` checked, `pose` of its frame in the world;
/// sees ornaments too.
RI_MUST_CHECK RiStatus ri_perception_picture_from(RiPerception *p, const RiCamera *camera, const RiPose *pose,
                                                  int samples, bool path, RiPictureView *out);

/// Things for people that no sensor sees: they are in pictures of ri_perception_picture_from alone.
enum { RI_ORNAMENT_AXES = 1, RI_ORNAMENT_FRUSTA = 2, RI_ORNAMENT_CLOUDS = 4 };
/// Adds the base's axes (red, green, blue), the edges of what cameras see up to `length` [m], and
/// the points of a whole scan of all lidars, from red (near) to blue (far), where they are now.
/// Axes and edges move with the robot, points stay.
RI_MUST_CHECK RiStatus ri_perception_ornaments(RiPerception *p, unsigned what, double length);

/// The camera's own frame in the world at the last look; its optical frame is ri_camera_frame of
/// that.
RiPose ri_perception_camera_pose(const RiPerception *p, int camera);

/// What the pixels really see (docs/perception.md); all arrays are there.
typedef struct RiTruthView {
    int width, height;
    const double *depth; ///< along the ray [m]; INFINITY: nothing
    const double *xyz;   ///< 3: world [m]
    const float *normal; ///< 3: world
    const float *albedo; ///< 3
    const int32_t *link; ///< spec's link, -1 ground, -2 nothing
    const int32_t *soil; ///< terrain's material, -1: not ground
    const float *flow;   ///< 2: since the last look [px]
    const uint8_t *visible;
    double time;
} RiTruthView;
/// What a mounted camera sees; arrays of *out are borrowed until the next call for it.
RI_MUST_CHECK RiStatus ri_perception_truth(RiPerception *p, int camera, RiTruthView *out);

/// What stereo vision makes of a pair of cameras: disparities of a rectified left image (a pinhole;
/// rows along the baseline).
typedef struct RiStereoView {
    int width, height;
    double focal, cx, cy; ///< of the rectified images [px]
    double baseline;      ///< [m]
    RiPose pose;          ///< of the rectified left camera (x right along the baseline, y down, z forward) in the world
    const float *disparity; ///< [px]: distance along the axis = focal baseline / disparity; NAN: none
    double time;
} RiStereoView;
/// `camera` has a `pair`; the left one of the two is the view's. `images`: both pictures are taken,
/// rectified and matched; else the true distances get the error model of stereo vision
/// (docs/theory/stereo.md). Pixels of the robot itself have none. Cameras of any model: rectified
/// images cover at most 110 degrees.
RI_MUST_CHECK RiStatus ri_perception_stereo(RiPerception *p, int camera, bool images, RiStereoView *out);

/// What a lidar brings back.
typedef struct RiCloudView {
    int count;
    const RiReturn *returns;
    RiPose pose; ///< lidar in the world at the last look
    double time;
} RiCloudView;
/// `whole`: a scan from its current place, as if nothing moved; else the shots between the last two
/// looks, each from the pose at its own time.
RI_MUST_CHECK RiStatus ri_perception_scan(RiPerception *p, int lidar, bool whole, RiCloudView *out);

// --- sensors beside a run ------------------------------------------------------------------------

/// Who receives what sensors make. Any function may be NULL: without `cook` and `picture` cameras
/// do not work, without `cloud` lidars do not.
typedef struct RiSensorSink {
    void *user;
    /// In the thread that renders, right after the picture: compress it, look for corners. Must not
    /// touch scene, simulation or context.
    void (*cook)(void *user, int camera, const RiPictureView *view);
    /// In the thread of the run. The pointers are valid until ri_sensors_tick is called again.
    RiStatus (*picture)(void *user, int camera, const RiPictureView *view, const RiPose *pose);
    RiStatus (*cloud)(void *user, int lidar, const RiCloudView *cloud);
    /// For people who look on: each sensor that is on gives a picture or a whole scan at once, of
    /// rate 0 too; pictures are handed out as soon as they are ready; one that is due while others
    /// are still being made is left out. Which ones come depends on the machine's speed.
    bool latest;
} RiSensorSink;

/// Sensors at their own rates while a simulation runs. Pictures are rendered by a thread beside the
/// run, from the poses of the tick that they are due at; they are handed out at the next tick at
/// which a picture is due, always the same one whatever the machine's speed. Where the ground
/// changes (ruts) or is paged, rendering is done within the call. Lidars shoot in each tick, from
/// where they are then; a cloud is a scan.
typedef struct RiSensors RiSensors;
/// `threads` render. Report as for ri_perception_create.
RI_MUST_CHECK RiStatus ri_sensors_create(RiContext *ctx, RiScene *scene, int threads, RiReport *report,
                                         const RiSensorSink *sink, RiSensors **out);
/// Waits for the thread.
void ri_sensors_destroy(RiSensors *s);
/// Call it at the start and after each tick.
RI_MUST_CHECK RiStatus ri_sensors_tick(RiSensors *s);
/// Hands out what is still being made.
RI_MUST_CHECK RiStatus ri_sensors_finish(RiSensors *s);

/// A picture's bytes compressed as JPEG, or as PNG in a build without it. May be called in any
/// thread. The caller frees *out_bytes with free(). NULL: no memory; else the format's name.
const char *ri_picture_compress(const RiPictureView *view, unsigned char **out_bytes, size_t *out_size);

/// A sink that writes into a record: /camera/NAME/image (sensor_msgs/CompressedImage, JPEG or PNG),
/// /camera/NAME/camera_info (sensor_msgs/CameraInfo), /lidar/NAME/points (sensor_msgs/PointCloud2),
/// and with `frames` the sensors' frames in the world (/tf_sensors). The record and the scene must
/// outlive it.
struct RiRecord;
typedef struct RiSensorLog RiSensorLog;
/// Makes the sink; the caller destroys *out after the last tick. RI_ERR_ARGUMENT, RI_ERR_IO.
RI_MUST_CHECK RiStatus ri_sensor_log_create(RiContext *ctx, const RiScene *scene, struct RiRecord *record, bool frames,
                                            RiSensorLog **out, RiSensorSink *out_sink);
/// Destroys it; NULL does nothing.
void ri_sensor_log_destroy(RiSensorLog *log);

#ifdef __cplusplus
}
#endif
#endif
