// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the kinds of synthesis share: the job, a grid of heights in double, Gaussian noise in
/// space, placing of stones, sweeps along a line.
#ifndef RI_TERRAIN_MAKE_H
#define RI_TERRAIN_MAKE_H

#include <rille/synthesis.h>

#include "base/memory.h"
#include "terrain/make_math.h"

/// A piece of work: values by index of the kind's table, and where results go. Memory of results
/// and of scratch comes from two arenas; the second dies with the job.
typedef struct Make {
    RiContext *ctx;
    const RiMakeKind *kind;
    const double *v;
    unsigned long long seed;
    RiMade *out;
    RiArena *keep, *scratch;
} Make;

/// A kind and its function.
typedef struct MakeKind {
    RiMakeKind info;
    RiStatus (*run)(Make *m);
} MakeKind;
extern const MakeKind make_fractal, make_craters, make_rocks, make_ripples, make_dunes, make_channel, make_moulin,
    make_crevasse, make_course, make_paving;

/// First parameters of every kind that gives heights.
enum { MAKE_SIZE_X, MAKE_SIZE_Y, MAKE_CELL, MAKE_GRID_PARAMS };
#define MAKE_GRID(x, y, cell)                                                                                          \
    {"size_x", "m", x, 0.01, 1e6, NULL, "extent east"}, {"size_y", "m", y, 0.01, 1e6, NULL, "extent north"},           \
    {                                                                                                                  \
        "cell", "m", cell, 1e-4, 1e4, NULL, "distance of neighbouring heights"                                         \
    }
/// Last two parameters of kinds that stand on rough ground.
#define MAKE_ROUGH(slope)                                                                                              \
    {"rms_slope",                                                                                                      \
     "deg",                                                                                                            \
     (slope)*MAKE_DEG,                                                                                                 \
     0.0,                                                                                                              \
     60.0 * MAKE_DEG,                                                                                                  \
     NULL,                                                                                                             \
     "RMS slope of the fractal ground below, from cell to cell; 0: level"},                                            \
    {                                                                                                                  \
        "hurst", "", 0.8, 0.0, 1.0, NULL, "Hurst exponent of that ground"                                              \
    }
#define MAKE_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

RiRng make_stream(const Make *m, const char *what);
/// RI_ERR_ARGUMENT with the kind's name in front.
RiStatus make_refuse(const Make *m, const char *format, ...) RI_PRINTF(2, 3);

/// Heights at (x0 + i cell, y0 + j cell), the origin in the middle.
typedef struct MakeField {
    int nx, ny;
    double x0, y0, cell;
    double *z;
} MakeField;

/// A zero field of the size that the first three parameters ask for.
RI_MUST_CHECK RiStatus make_field(Make *m, MakeField *out);
RI_MUST_CHECK RiStatus make_field_sized(Make *m, double size_x, double size_y, double cell, MakeField *out);
/// Hands the field over as the raster of the result.
RI_MUST_CHECK RiStatus make_field_finish(Make *m, const MakeField *f);
/// Bilinear height, the border's beyond it.
double make_field_at(const MakeField *f, double x, double y);
/// Columns and rows within [x - r, x + r], [y - r, y + r].
typedef struct MakeWindow {
    int i0, i1, j0, j1; ///< inclusive; empty if i0 > i1 or j0 > j1
} MakeWindow;
MakeWindow make_window(const MakeField *f, double x, double y, double r);

/// Discrete Fourier transform of nx * ny complex numbers in place, exponent +i; sizes are powers of
/// two.
typedef struct MakeComplex {
    double re, im;
} MakeComplex;
RI_MUST_CHECK RiStatus make_fft_2d(Make *m, int nx, int ny, MakeComplex *data);

/// Fractal ground; see docs/theory/synthesis.md.
typedef struct MakeRoughness {
    double hurst;                  ///< 0 to 1
    double rms_height;             ///< [m]; used if > 0
    double rms_slope, slope_scale; ///< [rad] between points this far apart [m]; used otherwise
    double long_wave, short_wave;  ///< [m]; 0: none
    double cut_wave;               ///< waves longer than this are left out [m]; 0: none
} MakeRoughness;
/// Adds it to the field; the numbers come from the stream `what`.
RI_MUST_CHECK RiStatus make_roughen(Make *m, MakeField *f, const char *what, const MakeRoughness *r);
/// The ground of kinds that end their tables with MAKE_ROUGH.
RI_MUST_CHECK RiStatus make_rough_ground(Make *m, MakeField *f);

/// Gaussian noise in space with variance 1: plane waves of random direction and phase, in octaves
/// from `longest` down to `shortest` with amplitude ~ wavelength^hurst.
enum { MAKE_WAVES = 144 };
typedef struct MakeNoise {
    int count;
    RiVec3 k[MAKE_WAVES];
    double phase[MAKE_WAVES], amplitude[MAKE_WAVES];
} MakeNoise;
MakeNoise make_noise(RiRng *rng, double longest, double shortest, double hurst);
double make_noise_at(const MakeNoise *n, RiVec3 p);

/// An ellipsoid with its centre at ground level.
typedef struct MakeStone {
    RiVec3 p;
    RiMat3 R;
    RiVec3 half; ///< half axes [m]
    double size; ///< diameter of the circle with the area of its section at ground level [m]
} MakeStone;
typedef struct MakeStoneLaw {
    bool exponential;
    double cover;     ///< k of the exponential law: fractional area under all rocks
    double count, b;  ///< of the power law N(>D) = count D^-b [1/m^2, D in m]
    double low, high; ///< least and greatest diameter [m]
    double flatness;  ///< mean ratio of height above ground to diameter
    double x0, x1, y0, y1;
    double overlap; ///< allowed, as part of the sum of two radii
} MakeStoneLaw;
/// Draws and places stones, the largest first; z is 0.
RI_MUST_CHECK RiStatus make_stones(Make *m, const char *what, const MakeStoneLaw *law, MakeStone **out, int *out_count);
void make_stone_stamp(MakeField *f, const MakeStone *s);
RiGroundPart make_stone_part(const MakeStone *s);
/// Number of stones that the law expects per square metre.
double make_stone_density(const MakeStoneLaw *law);

RI_MUST_CHECK RiStatus make_features(Make *m, int capacity);
void make_feature(Make *m, RiMadeFeature feature);
/// Room for the mesh of the result.
RI_MUST_CHECK RiStatus make_mesh(Make *m, double points, double triangles);
void make_triangle(Make *m, int a, int b, int c);

/// Crests of waves: a phase field with natural defects. See make_ripples.c.
typedef struct MakeCrests {
    double wavelength;          ///< [m]
    double azimuth;             ///< of the wind, across the crests [rad]
    double spread;              ///< standard deviation of the crests' direction [rad]
    double defects;             ///< crests that end at both sides [1/m^2]
    double low, high;           ///< range of heights [m]
    double patch;               ///< length over which heights vary [m]
    double windward, sharpness; ///< part of the wavelength on the gentle side; exponent of the profile
} MakeCrests;
RI_MUST_CHECK RiStatus make_crests(Make *m, MakeField *f, const MakeCrests *c);

/// A trough along a line: at arc length s its section is a polyline of offset to the left and
/// height.
enum { MAKE_SECTION = 96 };
typedef struct MakeSection {
    int count;
    double d[MAKE_SECTION], z[MAKE_SECTION]; ///< d ascending
} MakeSection;
typedef struct MakeStation {
    double s, x, y, heading;
} MakeStation;
typedef struct MakeSweep {
    const MakeStation *stations;
    int count;
    double reach;                                               ///< half width of the mesh [m]
    double slope;                                               ///< the whole falls by this along +x [-]
    void (*section)(const Make *m, double s, MakeSection *out); ///< within the reach; 0 beyond its ends
    const MakeNoise *noise;
    double roughness; ///< [m] RMS
    double cell;
} MakeSweep;
RI_MUST_CHECK RiStatus make_sweep_mesh(Make *m, const MakeSweep *w);
RI_MUST_CHECK RiStatus make_sweep_heights(Make *m, const MakeSweep *w, double size_x, double size_y);

#endif
