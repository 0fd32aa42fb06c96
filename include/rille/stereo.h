// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stereo vision: matching of image pairs, a model of its errors for use without images, and height
/// maps from both.
///
///     left, right images --(ri_stereo_match)--> disparity --(ri_stereo_range)--> distance along the axis
///     true distance --(ri_stereo_measure: noise, steps, holes)--> disparity
///     points of many pairs --(ri_stereo_map_add)--> RiRaster of heights
///
/// Pairs are rectified: both cameras are pinholes of the same focal length whose rows are the same,
/// the right one `baseline` to the right. A point at the distance z along the axis has the
/// disparity d = x_left - x_right = f B / z [pixels]; an error of d makes one of z^2/(f B) in z.
/// Docs: docs/theory/stereo.md. Tests: tests/optics/test_stereo.c and `rille validate stereo`.
#ifndef RILLE_STEREO_H
#define RILLE_STEREO_H

#include <rille/context.h>
#include <rille/math.h>
#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiStereoPair {
    int width, height;
    double focal;    ///< [pixels]
    double cx, cy;   ///< where the axis meets the image [pixels]
    double baseline; ///< [m]
} RiStereoPair;

typedef struct RiStereoOptions {
    int most;     ///< largest disparity looked for [pixels], 1 to 512
    int window;   ///< half size of the square that costs are summed over, 1 to 15
    double check; ///< left and right may differ by that much [pixels]
    double ratio; ///< the second best cost must be at least that many times the best, 1: any
} RiStereoOptions;

/// The defaults that its fields name.
RiStereoOptions ri_stereo_options_default(void);

/// Disparity of each pixel of the left image [pixels], to a part of a pixel; NAN where none is
/// trusted. Images are width x height floats of any scale: the census transform of 9 x 7 pixels
/// [zabih1994] compares pixels with their middle only. RI_ERR_ARGUMENT names an option.
RI_MUST_CHECK RiStatus ri_stereo_match(RiContext *ctx, const RiStereoPair *pair, const RiStereoOptions *options,
                                       const float *left, const float *right, float *out_disparity);

/// Distance along the axis at a disparity [pixels] above 0 [m].
static inline double ri_stereo_range(const RiStereoPair *pair, double disparity)
{
    return pair->focal * pair->baseline / disparity;
}
/// The point of a pixel at a disparity, in the left camera's frame: x right, y down, z along the
/// axis [m].
RiVec3 ri_stereo_point(const RiStereoPair *pair, double x, double y, double disparity);

/// What stereo vision would have measured, without images.
typedef struct RiStereoErrors {
    double sigma;   ///< standard deviation of disparity [pixels]; as range error it grows with range squared
    double step;    ///< disparities are multiples of this [pixels]; 0: none
    double smooth;  ///< texture below which matching fails, 0 to 1
    double patch;   ///< size of holes [pixels]
    double dropout; ///< part of the pixels without measurement on textured ground
    int most;       ///< largest disparity that is looked for [pixels]
} RiStereoErrors;

/// The defaults that its fields name.
RiStereoErrors ri_stereo_errors_default(void);
/// From true distances along the axis [m] (INFINITY: nothing) to disparities; NAN: missing.
/// `texture` is 0 (smooth sand) to 1 for each pixel, NULL: 1. Holes are patches: a pixel is missing
/// where smooth noise of the given size is above its texture / `smooth`. A pure function of its
/// arguments.
void ri_stereo_measure(const RiStereoPair *pair, const RiStereoErrors *errors, const float *range, const float *texture,
                       unsigned long long seed, float *out_disparity);

/// A rectified pair in the world: frames of its two pinholes, x along the baseline.
typedef struct RiStereoRig {
    RiStereoPair pair;
    RiPose left, right;
} RiStereoRig;
/// Turns a picture (bytes of three colours) of any camera into the grey image of a rectified
/// pinhole at `frame`. `pose` is that of the camera's own frame. Directions that the camera does
/// not see are 0.
struct RiCamera;
/// `out_grey` has room for width x height numbers of the pair.
void ri_stereo_rectify(const RiStereoPair *pair, const RiPose *frame, const struct RiCamera *camera, const RiPose *pose,
                       const unsigned char *rgb, float *out_grey);

/// Heights from points.
typedef struct RiStereoMap RiStereoMap;
/// An empty map of nx x ny cells whose south-west cell has its centre at (x0, y0).
RI_MUST_CHECK RiStatus ri_stereo_map_create(RiContext *ctx, double x0, double y0, double cell, int nx, int ny,
                                            RiStereoMap **out_map);
/// Destroys it; NULL does nothing.
void ri_stereo_map_destroy(RiStereoMap *map);
/// Adds all points of a pair. The pose is that of the left camera in the world. Points beyond `far`
/// [m] along the axis are left out. Points weigh by the inverse square of their range error, so
/// near pairs win.
void ri_stereo_map_add(RiStereoMap *map, const RiStereoPair *pair, const RiPose *camera, const float *disparity,
                       double far);
/// Heights; NAN where fewer than `least` points fell. The caller destroys *out_raster.
RI_MUST_CHECK RiStatus ri_stereo_map_heights(const RiStereoMap *map, int least, RiRaster **out_raster);

typedef struct RiStereoScore {
    long long cells;   ///< with a height
    double mean, rms;  ///< of height - truth [m]
    double within_1cm; ///< part of the cells
} RiStereoScore;
/// Compares heights with the ground.
RiStereoScore ri_stereo_compare(const RiRaster *heights, double (*truth)(const void *user, double x, double y),
                                const void *user);

#ifdef __cplusplus
}
#endif
#endif
