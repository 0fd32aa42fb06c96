// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain from laws: fractal ground, craters, rocks, ripples, dunes, channels, moulins, crevasses,
/// obstacle courses.
///
///     kind, settings, seed --(ri_make)--> RiMade: heights, mesh, solid parts, list of features
///
/// Every kind has a table of parameters with unit, default, range and meaning; values are SI. The
/// same kind, settings and seed give the same bits on every machine: random numbers are
/// counter-based, and the functions used (exp, log, sine, arc tangent, Fourier transform) are our
/// own sums and products. Laws and sources: docs/theory/synthesis.md.
///
/// Threads and ownership: the tables are constant. ri_make gives its result to the caller; any
/// number of threads, one context each.
#ifndef RILLE_SYNTHESIS_H
#define RILLE_SYNTHESIS_H

#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One parameter of a kind.
typedef struct RiMakeParam {
    const char *name;
    const char *unit;        ///< in which it is shown, as expressions write it: "m", "deg", "" for plain numbers
    double value, low, high; ///< default and allowed range, SI
    const char *choices;     ///< words parted by '|' if the value is the index of a word; NULL: a number
    const char *about;       ///< meaning, and the source of the default
} RiMakeParam;

enum {
    RI_MAKE_HEIGHTS = 1, ///< RiMade.raster
    RI_MAKE_MESH = 2,    ///< RiMade.points and triangles
    RI_MAKE_PARTS = 4    ///< RiMade.parts, beside or instead of heights
};

typedef struct RiMakeKind {
    const char *name, *about;
    const char *sources; ///< of its laws
    int gives;           ///< RI_MAKE_*, or-ed
    const RiMakeParam *params;
    int param_count;
} RiMakeKind;

/// Number of kinds of terrain that can be made.
int ri_make_kind_count(void);
/// Kind by index; NULL beyond the last.
const RiMakeKind *ri_make_kind(int index);
/// NULL if there is none of this name.
const RiMakeKind *ri_make_kind_find(const char *name);
/// Index of a parameter, or -1.
int ri_make_param_find(const RiMakeKind *kind, const char *name);
/// Index of a word in "a|b|c", or -1.
int ri_make_choice_find(const char *choices, const char *word);

/// Reads the text of a setting: a word where the parameter has choices, otherwise a number with its
/// unit or an expression ("6 m", "2*15 deg"). RI_ERR_ARGUMENT says what is wrong and what is
/// allowed.
RI_MUST_CHECK RiStatus ri_make_setting_parse(RiContext *ctx, const RiMakeKind *kind, const RiMakeParam *p,
                                             const char *text, double *out_value);
/// A value in the unit in which it is shown: "15 deg".
void ri_make_value_text(const RiMakeParam *p, double value, char out[48]);

/// A thing that was placed: the ground truth for perception and statistics.
typedef struct RiMadeFeature {
    const char *what; ///< "crater", "rock", "dune", "step 0.10 m"
    RiVec3 position;  ///< [m]
    double size;      ///< diameter, or height of an obstacle or dune [m]
    double age;       ///< craters: degradation kappa t / R^2 [-]; else 0
} RiMadeFeature;

/// What was made. Parts that a kind does not give are NULL and 0.
typedef struct RiMade {
    const RiMakeKind *kind;
    RiRaster *raster; ///< heights [m], no missing values, the origin in the middle
    RiVec3 *points;
    uint32_t (*triangles)[3]; ///< counter-clockwise from free space
    int point_count, triangle_count;
    RiGroundPart *parts;
    int part_count;
    RiMadeFeature *features;
    int feature_count;
} RiMade;

typedef struct RiMakeSetting {
    const char *name;
    double value; ///< SI; index of the word for choices
} RiMakeSetting;

/// Makes a terrain; parameters without a setting have their defaults. RI_ERR_NOT_FOUND for an
/// unknown name (with a suggestion), RI_ERR_ARGUMENT for values out of range or in conflict,
/// RI_ERR_LIMIT for sizes beyond RI_MAKE_MOST_CELLS and the like.
RI_MUST_CHECK RiStatus ri_make(RiContext *ctx, const RiMakeKind *kind, int count, const RiMakeSetting *settings,
                               unsigned long long seed, RiMade **out_made);
/// Destroys it; NULL does nothing.
void ri_made_destroy(RiMade *made);
/// Hash of all numbers in it: equal if and only if (but for one in 2^64) the results are equal to
/// the bit.
unsigned long long ri_made_hash(const RiMade *made);

/// Fine detail on a given map.
typedef struct RiDetailDef {
    double cell;  ///< of the finer map [m]: a half, a third ... of the map's
    double hurst; ///< Hurst exponent of what is added, between 0 and 1; default 0.8
    /// RMS height of what is added [m]; NAN, the default: as strong as the map's own roughness would
    /// be if it went on below its cell; 0: none
    double rms_height;
    double rocks;            ///< fraction of the ground under rocks (Golombek and Rapp), 0 to 0.4; default 0: none
    double high;             ///< greatest of their diameters [m]; default 0.3. The least is three cells
    unsigned long long seed; ///< default 1
    RiInterpolation interpolation; ///< of the map; default RI_BILINEAR
} RiDetailDef;
/// The defaults that its fields name.
RiDetailDef ri_detail_default(void);
/// A finer map of the same place: the map's own surface, waves shorter than two of its cells, which it
/// cannot know, and rocks. The caller owns it. RI_ERR_ARGUMENT for a cell that does not divide the map's, RI_ERR_LIMIT above RI_MAKE_MOST_CELLS.
RI_MUST_CHECK RiStatus ri_raster_add_detail(RiContext *ctx, const RiRaster *map, const RiDetailDef *def,
                                            RiRaster **out_raster);
/// Mean square of heights in the waves between two fine and two coarse cells, `ratio` of their lengths,
/// over the mean square difference of neighbouring heights of the coarse map, for self-affine ground.
double ri_detail_share(double hurst, double ratio);

enum { RI_MAKE_MOST_CELLS = 1 << 25, RI_MAKE_MOST_FEATURES = 1000000 };

#ifdef __cplusplus
}
#endif
#endif
