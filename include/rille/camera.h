// SPDX-License-Identifier: Apache-2.0
/// \file
/// Camera models: which ray of the world a pixel sees, and where a point appears.
///
///     RiCamera (a plain value) --(ri_camera_check)--> checked --> ri_camera_project: point -> pixel
///                                                             --> ri_camera_ray:     pixel -> ray
///
/// Pixels: `sample` is the column, to the right; `line` is the row, downward. Whole numbers are
/// centres of pixels, (0, 0) is the centre of the upper left one, so a frame spans -0.5 to width -
/// 0.5.
///
/// Two families. *Focal* models (pinhole, Brown-Conrady, fisheye) live in the optical frame: x
/// right, y down, z forward. The *CAHV* family (CAHV, CAHVOR, CAHVORE) has its vectors in the frame
/// that the camera is mounted in, as flight projects publish them. Equations and sources:
/// docs/theory/cameras.md.
///
/// Threads and ownership: a camera is a value. Once checked it may be used by any number of
/// threads.
#ifndef RILLE_CAMERA_H
#define RILLE_CAMERA_H

#include <stdbool.h>

#include <rille/context.h>
#include <rille/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RiCameraModel {
    RI_CAMERA_PINHOLE,        ///< fx, fy, cx, cy
    RI_CAMERA_BROWN_CONRADY,  ///< and k1 k2 p1 p2 k3 [k4 k5 k6] in the order of OpenCV
    RI_CAMERA_EQUIDISTANT,    ///< fisheye: the radius is f times the angle
    RI_CAMERA_KANNALA_BRANDT, ///< fisheye: theta (1 + k1 theta^2 + k2 theta^4 + k3 theta^6 + k4 theta^8)
    RI_CAMERA_CAHV,
    RI_CAMERA_CAHVOR,
    RI_CAMERA_CAHVORE,
    RI_CAMERA_MODEL_COUNT
} RiCameraModel;

enum { RI_CAMERA_COEFFICIENTS = 8, RI_CAMERA_MOST_PIXELS = 65536 };

typedef struct RiCamera {
    RiCameraModel model;
    int width, height; ///< [px]

    // Focal models
    double fx, fy; ///< focal lengths [px]
    double cx, cy; ///< principal point [px]
    double k[RI_CAMERA_COEFFICIENTS];
    int k_count; ///< 0, 5 or 8 of Brown-Conrady, 4 of Kannala-Brandt

    // CAHV family
    RiVec3 C;         ///< centre of projection [m]
    RiVec3 A;         ///< axis, normal to the image plane
    RiVec3 H, V;      ///< [px]
    RiVec3 O;         ///< optical axis, about which the lens is symmetric
    double R[3];      ///< radial coefficients [-]
    double E[3];      ///< shift of the entrance pupil [m]
    int pupil;        ///< of CAHVORE: 1 perspective (L = 1), 2 fisheye (L = 0), 3 general (L = linearity)
    double linearity; ///< L of pupil type 3

    // Written by ri_camera_check
    double linear;    ///< L in use
    double turn;      ///< argument of the radial function where it turns back, or its end; INFINITY: nowhere
    double turn_back; ///< its value there
    double inverse_A; ///< 1 / A . (V x H)
} RiCamera;

/// A pinhole of the given field of view across the width [rad], square pixels, axis through the
/// middle.
RiCamera ri_camera_pinhole(int width, int height, double field);
/// "pinhole", "brown_conrady", "equidistant", "kannala_brandt", "cahv", "cahvor", "cahvore".
const char *ri_camera_model_name(RiCameraModel model);
/// False if no model has that name.
bool ri_camera_model_find(const char *name, RiCameraModel *out_model);
/// Whether straight lines stay straight but for distortion, so that light falls off by cos^4 and sharp
/// points lie in a plane. False for fisheyes and for a CAHVORE of another pupil type than 1.
bool ri_camera_is_perspective(const RiCamera *camera);
/// What logs call the distortion: "plumb_bob", "rational_polynomial", "kannala_brandt" where it is
/// exactly that, else the model's own name; an undistorted pinhole is "plumb_bob" with zeros, an
/// equidistant fisheye "kannala_brandt" with zeros. A CAHVOR is never passed off as one of them.
const char *ri_camera_distortion(const RiCamera *camera);
/// The distortion's numbers in the order of its label (CAHVOR: R; CAHVORE: R, E, L). Returns how
/// many, at most 8.
int ri_camera_distortion_numbers(const RiCamera *camera, double out[RI_CAMERA_COEFFICIENTS]);

/// Checks a camera and fills in what is derived. RI_ERR_MODEL with the reason for: sizes out of
/// range, numbers that are not finite, vectors A, H, V in one plane, no focal length, an unknown
/// pupil type, a lens polynomial that turns back inside the frame (two directions would share a
/// pixel), a pixel of the frame that has no ray. `name` is for messages.
RI_MUST_CHECK RiStatus ri_camera_check(RiContext *ctx, const char *name, RiCamera *camera);
/// Scales O to unit length. Published vectors have six digits; with O as given, projection and
/// back-projection of CAHVOR(E) agree to 0.004 px only, with a unit vector to 1e-9 px. Pixels move
/// by at most 0.005 px.
void ri_camera_unit_axis(RiCamera *camera);

/// The same view with `factor` times as many pixels across, rounded to whole ones; the distortion
/// stays. Check it again afterwards.
void ri_camera_scale(RiCamera *camera, double factor);

/// Where a point appears. False: nowhere (behind, beyond the lens' end, at the pupil). The pixel
/// may lie outside of the frame.
bool ri_camera_project(const RiCamera *camera, RiVec3 point, double *out_sample, double *out_line);
/// The ray of a pixel: where it starts (of CAHVORE the moved pupil, else the centre) and its unit
/// direction. False: the pixel has no ray.
bool ri_camera_ray(const RiCamera *camera, double sample, double line, RiVec3 *out_origin, RiVec3 *out_direction);
/// Whether a pixel lies in the frame.
bool ri_camera_in_frame(const RiCamera *camera, double sample, double line);
/// Angle of a direction from the optical axis [rad].
double ri_camera_angle(const RiCamera *camera, RiVec3 direction);
/// The optical frame in the camera's own: x right, y down, z forward, origin at the centre.
/// Identity of focal models.
RiPose ri_camera_frame(const RiCamera *camera);
/// Focal lengths and principal point of the undistorted image (of the CAHV family |A x H|, |A x V|,
/// A . H, A . V over |A|^2).
void ri_camera_focal(const RiCamera *camera, double *out_fx, double *out_fy, double *out_cx, double *out_cy);

/// A point of a target and where it was seen.
typedef struct RiSighting {
    RiVec3 point; ///< [m], in the camera's own frame
    double sample, line;
} RiSighting;

typedef struct RiCalibration {
    double rms, most; ///< residuals [px]
    int steps;
    int used; ///< sightings that the model can see
} RiCalibration;

/// Fits a model of `camera`'s kind to sightings by Gauss-Newton steps with damping [marquardt1963],
/// starting from `camera`. Focal models: focal lengths, principal point and all coefficients that
/// k_count names; they stay at the origin of their frame. CAHV family: C, A, H, V (A kept of unit
/// length), and O, R, E as the model has them. RI_ERR_ARGUMENT: fewer sightings than unknowns;
/// RI_ERR_NUMERIC: they do not determine the model.
RI_MUST_CHECK RiStatus ri_camera_calibrate(RiContext *ctx, int count, const RiSighting *sightings, RiCamera *camera,
                                           RiCalibration *out);

#ifdef __cplusplus
}
#endif
#endif
