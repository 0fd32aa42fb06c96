// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a camera's pixels really see: depth, normals, what it is, where it is, where it goes.
///
/// One ray for each pixel, through its centre, computed in double precision. Threads: ri_truth_rows
/// of different rows may run beside each other.
#ifndef RI_OPTICS_TRUTH_H
#define RI_OPTICS_TRUTH_H

#include <rille/camera.h>

#include "optics/ray_scene.h"

/// Arrays of width x height pixels, row by row from the top; any may be NULL.
typedef struct RiTruth {
    double *depth; ///< along the ray [m]; INFINITY: nothing
    double *xyz;   ///< 3: the point in the world [m]; NAN: nothing
    float *normal; ///< 3: of the surface, world axes; 0: nothing
    float *albedo; ///< 3
    int32_t *link; ///< number of the spec's link, RI_RAY_GROUND, RI_RAY_NOTHING
    int32_t *soil; ///< material of the ground; -1: not ground
    /// 2: way of the point in the picture until the other moment [px]; NAN: nothing, or it leaves
    /// the lens
    float *flow;
    uint8_t *visible; ///< 1: the other camera sees the point too
} RiTruth;

/// Where the camera is while it looks: `pose` at the first row, moving with `twist` until the last
/// one, `readout` later.
typedef struct RiCameraView {
    const RiCamera *camera;
    RiPose pose;     ///< camera's own frame in the world
    RiSpatial twist; ///< of that frame's origin, world axes
    double readout;  ///< [s] from the first row to the last; 0: global shutter
    double exposure; ///< [s] that each row collects light for; 0: an instant
    double aperture; ///< diameter of the lens [m]; 0: a point, everything is sharp
    double focus;    ///< distance of what is sharp [m]
} RiCameraView;

/// The camera's pose when it reads a row.
RiPose ri_camera_view_pose(const RiCameraView *view, double line);
/// The world's ray of a pixel; false: it has none.
bool ri_camera_view_ray(const RiCameraView *view, double sample, double line, unsigned mask, RiRay *out);
/// One of the rays that a pixel collects: u[0], u[1] choose the place on the lens, u[2] the moment
/// of the exposure (uniform in [0, 1)). Perspective lenses are sharp in a plane at the distance
/// `focus`, fisheyes on a sphere of that radius.
bool ri_camera_view_sample(const RiCameraView *view, double sample, double line, const double u[3], unsigned mask,
                           RiRay *out);

typedef struct RiTruthJob {
    const RiRayScene *scene;
    RiCameraView view;
    unsigned mask;
    const RiPose *later_bodies; ///< of the scene's bodies at the other moment; NULL: no flow
    RiPose later_pose;          ///< of the camera at the other moment
    const RiCameraView *other;  ///< the camera that `visible` is about; NULL: none
} RiTruthJob;

void ri_truth_rows(const RiTruthJob *job, int first, int count, const RiTruth *out);

#endif
