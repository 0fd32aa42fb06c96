// SPDX-License-Identifier: Apache-2.0
/// \file
/// Filters: what lens, sensor and electronics make of light. An image chain is a list of filters.
///
///     radiance --> exposure --> vignetting --> shot_noise --> ... --> quantise --> numbers of a camera
///
/// A filter works on an image of floats in place. `full_scale` says which value is white: it is the
/// full well [electrons] after `exposure` and 2^bits - 1 after `quantise`. Before `exposure` values
/// are radiances [W/(m^2 sr)] and full_scale is 0.
///
/// User filters are shared objects that export
///
///     const RiFilterClass *rille_filter(int index);   // NULL after the last
///
/// They may use this header alone; see examples/filter. RI_FILTER_ABI is checked before anything
/// else is read.
///
/// Threads and ownership: classes are constant. `apply` may not keep pointers, allocate without
/// releasing, print, or read a clock; its random numbers come from `uniform` and `normal`, pure
/// functions of (seed, filter, frame, index), so equal seeds give equal images.
#ifndef RILLE_FILTER_H
#define RILLE_FILTER_H

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RI_FILTER_ABI     1
#define RI_FILTER_OPTIONS 16

typedef struct RiImage {
    int width, height;
    int channels;      ///< 3: red, green, blue; 1: grey or one colour per pixel (Bayer)
    float *data;       ///< width * height * channels, row by row from the top, channels side by side
    double full_scale; ///< 0: radiance; else the value of white
} RiImage;

typedef struct RiFilterOption {
    const char *name, *unit, *doc;
    double initial, low, high;
    const char *choices; ///< "rggb|bggr": the value is the index of a word; NULL: a number
} RiFilterOption;

/// The lens that made the image.
typedef struct RiFilterLens {
    double focal;    ///< [pixels]
    double x, y;     ///< where the axis meets the image [pixels], (0, 0) is the centre of the first pixel
    int perspective; ///< 1: straight lines stay straight; 0: a fisheye with angles proportional to radii
} RiFilterLens;

typedef struct RiFilterCall {
    RiImage *image;
    const double *options; ///< in the order of the class
    RiFilterLens lens;
    double *state;  ///< state_count doubles that live as long as the chain, zero at first
    float *scratch; ///< width * height * 3 floats
    double (*uniform)(const struct RiFilterCall *call, unsigned long long index); ///< in [0, 1)
    double (*normal)(const struct RiFilterCall *call, unsigned long long index);
    unsigned long long seed;  ///< of the camera: what belongs to the sensor (dead pixels) depends on it alone
    unsigned long long frame; ///< number of the image; uniform and normal depend on it unless `fixed`
    unsigned long long stream;
    int fixed; ///< set to 1 by a filter whose numbers belong to the sensor, not to the frame
} RiFilterCall;

typedef struct RiFilterClass {
    int abi; ///< RI_FILTER_ABI
    const char *name, *doc;
    const RiFilterOption *options;
    int option_count; ///< at most RI_FILTER_OPTIONS
    int state_count;  ///< at most 64
    /// NULL, or what is wrong. Never called with options out of range.
    const char *(*apply)(RiFilterCall *call);
} RiFilterClass;

/// Built-in filters: index from 0, NULL after the last; or by name.
const RiFilterClass *ri_filter_class(int index);
/// Class of a built-in filter by name; NULL if there is none.
const RiFilterClass *ri_filter_find(const char *name);

typedef struct RiFilterChain RiFilterChain;

/// An empty chain.
RI_MUST_CHECK RiStatus ri_filter_chain_create(RiContext *ctx, unsigned long long seed, RiFilterChain **out_chain);
/// Destroys it; NULL does nothing.
void ri_filter_chain_destroy(RiFilterChain *chain);
/// Adds the classes of a shared object to those that ri_filter_chain_add knows. The code runs with
/// all rights of the program. RI_ERR_IO, RI_ERR_FORMAT or RI_ERR_UNSUPPORTED (another ABI);
/// messages begin with the path.
RI_MUST_CHECK RiStatus ri_filter_chain_plugin(RiFilterChain *chain, const char *path);
/// Adds a filter at the end: its name, or name and options as "shot_noise" or "quantise bits=12"
/// (separated by spaces or commas). RI_ERR_NOT_FOUND names the filters there are; RI_ERR_ARGUMENT
/// names the option, its value and what is allowed.
RI_MUST_CHECK RiStatus ri_filter_chain_add(RiFilterChain *chain, const char *text);
/// Number of filters in the chain.
int ri_filter_chain_count(const RiFilterChain *chain);
/// Runs all filters on an image. RI_ERR_ARGUMENT with the filter's name and what it says is wrong;
/// the image is then spoilt.
RI_MUST_CHECK RiStatus ri_filter_chain_run(RiFilterChain *chain, const RiFilterLens *lens, unsigned long long frame,
                                           RiImage *image);

#ifdef __cplusplus
}
#endif
#endif
