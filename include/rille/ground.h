// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the ground is made of, and what has happened to it: soils, soil maps, ruts.
///
///     soils (a library with provenance) + regions (masks, polygons) + layers --(RiSoilMap)--> what lies at (x, y)
///     RiRuts: permanent deformation, in tiles that exist only where something has happened
///
/// Threads and ownership: soils and soil maps are immutable once built and may be shared; ruts
/// belong to one simulation.
#ifndef RILLE_GROUND_H
#define RILLE_GROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rille/report.h>
#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- soils ---------------------------------------------------------------------------------------

typedef enum RiSoilForm {
    RI_SOIL_HARD,   ///< not a soil: rock, ice; friction only
    RI_SOIL_BEKKER, ///< sigma = (kc / b + kphi) z^n
    RI_SOIL_REECE   ///< sigma = (c kc + gamma b kphi) (z / b)^n
} RiSoilForm;

/// Further numbers of the wheel-soil law (rille/soil.h) that a soil may have: keys of soils in
/// terrains, columns of soil tables, results of `rille fit soil`.
typedef enum RiSoilKey {
    RI_SOIL_N1_SKID,
    RI_SOIL_N_BETA,
    RI_SOIL_KX_BETA,
    RI_SOIL_KY_BETA,
    RI_SOIL_A1_SKID,
    RI_SOIL_A0_BETA,
    RI_SOIL_A1_BETA,
    RI_SOIL_EXIT0,
    RI_SOIL_EXIT1,
    RI_SOIL_BULLDOZING,
    RI_SOIL_PLOUGHING,
    RI_SOIL_COUPLED, ///< 1: yes, 0: no
    RI_SOIL_KEY_COUNT
} RiSoilKey;
typedef struct RiSoilKeyRow {
    const char *name, *unit; ///< unit "": a plain number
    double low, high;
    const char *doc;
} RiSoilKeyRow;
/// Name, unit, range and meaning of such a number.
const RiSoilKeyRow *ri_soil_key(RiSoilKey key);

/// Which of them a soil gives, and their values. All zero: none.
typedef struct RiSoilMore {
    unsigned given; ///< bit of each key
    double at[RI_SOIL_KEY_COUNT];
} RiSoilMore;

/// A soil or hard material. NAN: not given by the source (never read as zero).
typedef struct RiSoil {
    const char *name;
    RiSoilForm form;
    double n, n1;    ///< sinkage exponent n = n + n1 |slip| [-]
    double kc, kphi; ///< [N/m^(n+1)], [N/m^(n+2)]; dimensionless in Reece's form
    double cohesion; ///< [Pa]
    double friction; ///< internal friction angle [rad]
    double kx, ky;   ///< shear deformation moduli along and across [m]
    double density;  ///< [kg/m^3]
    double a0, a1;   ///< theta_m = (a0 + a1 slip) theta_f
    double gravity;  ///< at which gamma was measured [m/s^2]; Reece's form
    double mu;       ///< friction coefficient of a hard material [-]
    RiSoilMore more; ///< further numbers of the wheel-soil law
    /// Law of a plugin (rille/plugin.h) with its numbers, in place of n, kc, kphi; NULL: none. Both
    /// must outlive the soil.
    const struct RiSoilPlugin *law;
    const double *law_numbers;
    char confidence; ///< A found twice, B once, C from memory, E estimate
    const char *provenance;
} RiSoil;

typedef struct RiSoils RiSoils;
/// An empty library. RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_soils_create(RiContext *ctx, RiSoils **out_soils);
/// Destroys it; NULL does nothing.
void ri_soils_destroy(RiSoils *s);
/// Adds a soil; strings are copied. RI_ERR_ARGUMENT for a name that exists or values out of range.
RI_MUST_CHECK RiStatus ri_soils_add(RiSoils *s, const RiSoil *soil, RiSource source);
/// Number of soils and hard materials.
int ri_soils_count(const RiSoils *s);
/// Soil by index from 0 to ri_soils_count() - 1; borrowed, valid with the library.
const RiSoil *ri_soils_get(const RiSoils *s, int index);
/// Index of a soil by name; -1 if there is none.
int ri_soils_find(const RiSoils *s, const char *name);
/// The nearest known name; NULL if none is near.
const char *ri_soils_suggest(const RiSoils *s, const char *name);

/// Terzaghi's bearing-capacity factors for a friction angle, equation 13 of ARTEMIS.
typedef struct RiBearingFactors {
    double Nq, Nc, Ng;
} RiBearingFactors;
/// `friction` in [0, pi/2) [rad]. At 0: Nq = 1, Nc = 3 pi / 2 + 1 (the limit), Ng = 0.
RiBearingFactors ri_bearing_factors(double friction);
/// Passive pressure coefficient tan^2(pi/4 + friction/2).
double ri_passive_factor(double friction);

// --- soil map ------------------------------------------------------------------------------------

/// A layer of a region, from the top. The last layer goes down for ever.
typedef struct RiSoilLayer {
    int soil;         ///< index into the library
    double thickness; ///< [m]; INFINITY for the last
    double strength;  ///< pressure at which a crust breaks [Pa]; 0: not a crust
} RiSoilLayer;

typedef struct RiSoilRegion {
    const char *name;
    const RiSoilLayer *layers;
    int layer_count;
} RiSoilRegion;

typedef struct RiSoilMap RiSoilMap;
/// `base` is the region where no other one is painted. Regions are copied; the library must outlive
/// the map.
RI_MUST_CHECK RiStatus ri_soil_map_create(RiContext *ctx, const RiSoils *soils, const RiSoilRegion *base,
                                          RiSoilMap **out_map);
/// Destroys it; NULL does nothing.
void ri_soil_map_destroy(RiSoilMap *map);
/// Adds a region and returns its index (base is 0). Regions painted later cover earlier ones.
RI_MUST_CHECK RiStatus ri_soil_map_add(RiSoilMap *map, const RiSoilRegion *region, int *out_region);
/// Paints a region inside a polygon (even-odd; `xy` has 2 * count numbers).
RI_MUST_CHECK RiStatus ri_soil_map_paint_polygon(RiSoilMap *map, int region, int count, const double *xy);
/// Paints a region where a mask raster has the given value (nearest cell). The raster is copied
/// once for all values.
RI_MUST_CHECK RiStatus ri_soil_map_paint_mask(RiSoilMap *map, int region, const RiRaster *mask, float value);

/// Number of regions, the base included.
int ri_soil_map_region_count(const RiSoilMap *map);
/// Region by index; borrowed, valid with the map.
const RiSoilRegion *ri_soil_map_region(const RiSoilMap *map, int region);
/// Index of the region at a place [m].
int ri_soil_map_region_at(const RiSoilMap *map, double x, double y);
/// The layer at a depth below the undisturbed ground [m].
const RiSoilLayer *ri_soil_map_layer_at(const RiSoilMap *map, double x, double y, double depth);
/// The library that the map refers to.
const RiSoils *ri_soil_map_soils(const RiSoilMap *map);

/// The next soft soil of the map's layers after `soil` (-1: the first) whose moduli do not follow the
/// gravity [m/s^2] but stay those of their measurement: form `bekker` where the gravity is not that of
/// the Earth, form `reece` with a `gravity` of its own. An index into the library, or -1.
int ri_soil_map_next_unscaled(const RiSoilMap *map, double gravity, int soil);

/// The same terrain with materials from a soil map: material k is region k, named after it. Both
/// must outlive the result.
RI_MUST_CHECK RiStatus ri_terrain_create_covered(RiContext *ctx, const RiTerrain *base, const RiSoilMap *map,
                                                 RiTerrain **out_terrain);
/// The soil map of a covered terrain, NULL otherwise.
const RiSoilMap *ri_terrain_soil_map(const RiTerrain *t);

// --- ruts ----------------------------------------------------------------------------------------

/// History of one cell of the ground.
typedef struct RiRut {
    float depth;     ///< of the surface below the ground as it was [m]; negative: a berm
    float compacted; ///< deepest sinkage so far, below the ground as it was [m]
    float loose;     ///< thickness of loose material thrown here [m]
    uint16_t passes; ///< number of wheels that have passed; stays at its largest value
    int16_t
        slip; ///< of the wheel that pressed or passed it last, in 1 / RI_RUT_SLIP: below 0 skidding, above 0 spinning
} RiRut;
enum { RI_RUT_SLIP = 32767 }; ///< a slip of 1

typedef struct RiRuts RiRuts;
typedef struct RiRutsDef {
    double cell;   ///< [m]; default 0.01
    size_t memory; ///< most that tiles may take [bytes]; default 256 MiB; beyond it RI_ERR_MEMORY, named
} RiRutsDef;
/// Ruts of ground that nothing has touched. RI_ERR_ARGUMENT: a cell or memory out of range.
RI_MUST_CHECK RiStatus ri_ruts_create(RiContext *ctx, const RiRutsDef *def, RiRuts **out_ruts);
/// Destroys it; NULL does nothing.
void ri_ruts_destroy(RiRuts *r);

/// Size of a cell [m].
double ri_ruts_cell(const RiRuts *r);
/// Cell that contains a point.
void ri_ruts_cell_at(const RiRuts *r, double x, double y, int *out_i, int *out_j);
/// Centre of a cell, z = 0 [m].
RiVec3 ri_ruts_centre(const RiRuts *r, int i, int j);
/// The cell, all zero where nothing has happened. O(1).
RiRut ri_ruts_get(const RiRuts *r, int i, int j);
/// Depth at a point, bilinear, with its slopes (may be NULL). O(1).
double ri_ruts_depth(const RiRuts *r, double x, double y, double *out_dx, double *out_dy);
/// The same without slopes at many points, best along a line.
void ri_ruts_depth_many(const RiRuts *r, int count, const double *x, const double *y, double *out);
/// Deepest sinkage so far of the soil at points, minus the loose material on it: bilinear between
/// cells [m].
void ri_ruts_packed_many(const RiRuts *r, int count, const double *x, const double *y, double *out);
/// The cells (i, j), (i + 1, j), ... that are adjacent in memory, at most `most` > 0 of them,
/// and their number; NULL if nothing has happened in them.
const RiRut *ri_ruts_run(const RiRuts *r, int i, int j, int most, int *out_count);
/// Changes a cell; queries see the change at once. Changes are pending until ri_ruts_commit;
/// ri_ruts_rollback undoes them, so a failed step leaves no rut. RI_ERR_MEMORY if there is no room
/// for another tile, RI_ERR_ARGUMENT for numbers that are not finite.
RI_MUST_CHECK RiStatus ri_ruts_set(RiRuts *r, int i, int j, const RiRut *rut);
/// Makes pending changes part of the ruts.
void ri_ruts_commit(RiRuts *r);
/// Undoes pending changes.
void ri_ruts_rollback(RiRuts *r);

/// Number of tiles in which something has happened.
int ri_ruts_tile_count(const RiRuts *r);
/// Memory used by the ruts [bytes].
size_t ri_ruts_bytes(const RiRuts *r);
enum { RI_RUT_TILE = 64 }; ///< cells on a side
/// Tiles in a fixed order (by j, then i): lowest cell of the tile and its RI_RUT_TILE^2 cells, row
/// by row.
const RiRut *ri_ruts_tile(const RiRuts *r, int tile, int *out_i, int *out_j);
/// Number of the last commit that changed the tile, counted over all tiles. Viewers use it to send
/// only changes.
unsigned ri_ruts_tile_version(const RiRuts *r, int tile);

/// The state as a block: equal ruts give equal blocks and hashes, whatever their history. A block
/// that is truncated, out of order or has invalid cells is refused, and the ruts do not change.
size_t ri_ruts_state_size(const RiRuts *r);
/// Writes the state; `out_block` has room for ri_ruts_state_size(r) bytes.
void ri_ruts_save_state(const RiRuts *r, void *out_block);
/// Reads the state from a block. RI_ERR_FORMAT: invalid, see above; RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_ruts_load_state(RiRuts *r, const void *block, size_t size);
/// Hash of the state.
uint64_t ri_ruts_hash(const RiRuts *r);

/// Height of the ground with its ruts (`r` may be NULL), its slopes and curvature.
bool ri_ground_height(const RiTerrain *t, const RiRuts *r, double x, double y, RiHeight *out);
/// The rutted ground around the tiles as a raster, cell by cell: for export as a DEM. `ground`
/// false: depths only, `t` may be NULL. RI_ERR_ARGUMENT if there is no tile.
RI_MUST_CHECK RiStatus ri_ruts_raster(RiContext *ctx, const RiTerrain *t, const RiRuts *r, bool ground,
                                      RiRaster **out_raster);

#ifdef __cplusplus
}
#endif
#endif
