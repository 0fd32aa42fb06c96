// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tracers: from rays to radiance.
///
///     camera --(rays of a pixel)--> world (look, blocked) + surfaces + light --(Whitted or path tracing)--> RiFrame
///
/// The world is a small table of functions, so that a scene for rays (ray_scene.h), or a few
/// spheres of a test, serve alike.
///
/// A pixel is looked at through eight fixed points of its area (the same in every pixel). Sample i
/// uses point i mod 8, so edges of things are the same for 8, 16, ... samples and carry no noise.
/// All other random numbers come from Owen-scrambled Sobol points [burley2020] that are pure
/// functions of (seed, pixel, sample, dimension): equal seeds give equal bits for any number of
/// threads.
///
/// Light in a frame is kept in two parts: `sharp` (what lamps and discs do directly, and what is
/// seen directly: sky, mirrors) and `soft` (the sky's light and light of several bounces at the
/// first matte surface). Radiance is their sum. The denoiser needs them apart. Docs:
/// docs/theory/light.md. Tests: tests/optics/test_trace.c.
#ifndef RI_OPTICS_TRACER_H
#define RI_OPTICS_TRACER_H

#include <stdint.h>

#include "optics/ray_scene.h"
#include "optics/sky.h"
#include "optics/surface.h"

/// What can be hit. `look` fills all of *out as ri_ray_scene_look does.
typedef struct RiRayWorld {
    const void *scene;
    bool (*look)(const void *scene, const RiRay *ray, RiRayPoint *out);
    bool (*blocked)(const void *scene, const RiRay *ray);
    /// Many rays at once; NULL: one by one. `coherent`: neighbours look in nearly the same
    /// direction. Where nothing is hit, out[i].body is RI_RAY_NOTHING.
    void (*look_many)(const void *scene, int count, const RiRay *rays, bool coherent, RiRayPoint *out);
    void (*blocked_many)(const void *scene, int count, const RiRay *rays, bool coherent, bool *out);
    const RiRayScene *quick; ///< for pictures of light only (quick.h); may be NULL
} RiRayWorld;

/// The world of a scene for rays.
RiRayWorld ri_ray_world(const RiRayScene *scene);

/// An image over level ground: it multiplies the ground's albedo by value / mean of its band.
/// Values are linear.
typedef struct RiDrape {
    const float *rgb; ///< 3 nx ny, rows from the south; NAN: nothing there
    int nx, ny;
    double x0, y0, dx, dy; ///< of the centre of the first cell; spacing [m]
    double mean[RI_BANDS]; ///< above 0; see ri_drape_mean
} RiDrape;
/// Means of the values of each band that are there. RI_ERR_ARGUMENT for an image that is black or
/// empty, has negative values or a bad size.
RI_MUST_CHECK RiStatus ri_drape_mean(RiContext *ctx, RiDrape *drape);
/// The factors at a place; 1 outside.
void ri_drape_value(const RiDrape *drape, double x, double y, double out[RI_BANDS]);

/// Ray of the point (x, y) of the image, in pixels: (0, 0) is the centre of the first pixel. `u`
/// are three uniform numbers: two for the place on the lens, one for the time within the exposure.
/// False: no ray goes there.
typedef bool (*RiPixelRay)(const void *camera, double x, double y, const double u[3], RiRay *out);

typedef enum RiTracer {
    RI_TRACER_WHITTED, ///< discs and lamps with shadows, mirrors; the sky's light without shadows
    RI_TRACER_PATH     ///< everything
} RiTracer;

typedef struct RiTraceOptions {
    RiTracer tracer;
    int samples;  ///< per pixel, 1 to 65536
    int depth;    ///< surfaces along a path at most, 1 to 64; mirrors included
    int roulette; ///< paths may end by chance after that many surfaces
    int threads;  ///< 1 to 64
    /// For pictures that are denoised: further samples of pixels that no filter can help, those with edges
    /// and those around uncertain shadows, 0 to 65536. Above 0 neighbours also share one sequence of
    /// sample points.
    int more;
    int shadow_rays; ///< per disc or lamp at the first matte surface, 1, 2 or 4; 0: by the number of samples
    uint64_t seed;
    unsigned mask; ///< RI_RAY_*
    /// Only `sharp` and `soft` are filled, which is quicker with Whitted's tracer: single precision,
    /// normals of ground interpolated between the points of its triangles.
    bool light_only;
} RiTraceOptions;

RiTraceOptions ri_trace_options_default(void);

typedef struct RiTraceJob {
    RiRayWorld world;
    const RiOpticSurface *surfaces; ///< prepared; indexed by RiRayPoint.surface
    int surface_count;
    const RiLight *light;
    const RiDrape *drape; ///< may be NULL
    RiPixelRay ray;
    bool plain; ///< rays do not depend on `u`: it is not drawn
    const void *camera;
    int width, height;
} RiTraceJob;

/// What a tracer fills. All arrays are of width x height pixels, row by row from the top.
typedef struct RiFrame {
    RiContext *ctx;
    int width, height, samples;
    unsigned mask;                   ///< that it was traced with, RI_RAY_*
    bool pairs;                      ///< shadow rays go in pairs: sharp_error is that of shadows
    float *sharp, *soft;             ///< 3 each [W/(m^2 sr)]
    float *sharp_error, *soft_error; ///< variance of the mean of the bands' mean
    float *albedo;                   ///< 3: colour of the first matte surface; 1 where none is
    float *normal;                   ///< 3, world; 0 where nothing is
    float *depth;                    ///< [m] along the ray; INFINITY where nothing is
    long long more;                  ///< further samples, of all pixels together
    unsigned char *hard;             ///< not 0: the pixel had further samples
    unsigned char *mixed;            ///< 1: the pixel shows more than one smooth surface, its variances are not noise
} RiFrame;

RI_MUST_CHECK RiStatus ri_frame_create(RiContext *ctx, int width, int height, RiFrame **out_frame);
void ri_frame_destroy(RiFrame *frame);
/// sharp + soft into 3 width height floats.
void ri_frame_radiance(const RiFrame *frame, float *out);

/// Traces a picture into a frame of the job's size. RI_ERR_ARGUMENT: an option out of range;
/// RI_ERR_NUMERIC: a sample was not finite (its pixel is named).
RI_MUST_CHECK RiStatus ri_trace(RiContext *ctx, const RiTraceJob *job, const RiTraceOptions *options, RiFrame *frame);

/// Surfaces for all of a ray scene: grounds by their soil's name, others by the material's name or
/// as Lambert surfaces of their colour. Names that fit no rule are reported in `report` (may be NULL).
/// The caller releases *out_surfaces with ri_release.
struct RiReport;
RI_MUST_CHECK RiStatus ri_surfaces_of_scene(RiContext *ctx, const RiRayScene *scene, struct RiReport *report,
                                            RiOpticSurface **out_surfaces, int *out_count);

/// Runs `work(user, i)` for i = 0 .. count - 1 on that many threads, the caller's included. Which
/// thread does which part is left to chance: parts must not share what they write.
void ri_in_parallel(int threads, int count, void (*work)(void *user, int index), void *user);

#endif
