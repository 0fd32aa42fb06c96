// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain: the ground that a robot stands on, drives over or climbs in.
///
///     plane, shapes, heights, mesh, distance grid, paged tiles, unions --(RiTerrain)--> distance, normal, material; height; ray
///
/// All kinds answer the same queries. **Distance** is signed: positive in free space, negative
/// inside the ground. It is exact or a first-order estimate (see `RiTerrainInfo.exact`), and always
/// zero on the surface. The **normal** is the gradient of the distance, of length 1,
/// pointing into free space. Axes: x east, y north, z up, metres.
///
/// Threads and ownership: a terrain is immutable once created and may be shared by any number of
/// threads; only its creation and destruction use the context. Queries never allocate (paged tiles
/// take pages from a fixed pool).
#ifndef RILLE_TERRAIN_H
#define RILLE_TERRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rille/context.h>
#include <rille/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiTerrain RiTerrain;

/// What lies beyond the edge of a terrain that has one.
typedef enum RiEdge {
    RI_EDGE_STOP,   ///< queries as with RI_EDGE_EXTEND, flagged RI_SURFACE_OUTSIDE: a run stops with that reason
    RI_EDGE_EXTEND, ///< the border's heights (or the nearest cell's distance) continue without end
    RI_EDGE_WALL    ///< a vertical wall on the border
} RiEdge;

enum {
    RI_SURFACE_OUTSIDE = 1, ///< beyond the edge
    RI_SURFACE_FAR = 2, ///< outside the narrow band: distance is a lower bound with correct sign, the normal a guess
    RI_SURFACE_AMBIGUOUS = 4, ///< the sign is uncertain here (an open or broken mesh)
    RI_SURFACE_HOLE = 8,      ///< heights were missing here and have been filled
    RI_SURFACE_ROUGH = 16     ///< ri_terrain_query_near_many: right to first order only
};

/// The answer to a query.
typedef struct RiSurface {
    double distance; ///< [m], negative inside the ground
    RiVec3 normal;   ///< unit, into free space
    int material;    ///< index into the terrain's materials, see ri_terrain_material_name
    int flags;       ///< RI_SURFACE_*
} RiSurface;

/// Height of the ground at (x, y), its slopes and curvature.
typedef struct RiHeight {
    double z;             ///< [m]
    double zx, zy;        ///< dz/dx, dz/dy [-]
    double zxx, zxy, zyy; ///< [1/m]
    int material;
    int flags; ///< RI_SURFACE_*
} RiHeight;

typedef struct RiTerrainHit {
    double range; ///< along the ray, in units of its direction's length [m if that is 1]
    RiVec3 point;
    RiVec3 normal; ///< unit, against the ray
    int material;
} RiTerrainHit;

typedef struct RiTerrainInfo {
    const char *kind;   ///< "plane", "shapes", "heights", "mesh", "grid", "tiles", "union"
    RiVec3 low, high;   ///< bounds [m]; infinite for an unbounded plane
    bool single_valued; ///< one height for each (x, y)
    bool exact;         ///< distances are Euclidean; else right to first order near the surface
    bool walls;         ///< vertical walls stand on its border (RI_EDGE_WALL)
    double cell;        ///< finest resolution [m]; 0 for analytic kinds
    size_t bytes;       ///< held in memory
    long long triangles, cells;
    int ambiguous; ///< number of places (edges, cells) where the sign of a mesh is uncertain; pages that could not be read
    // Of a mesh:
    long long dropped;  ///< triangles without area or given twice, left out
    long long reversed; ///< triangles turned round to agree with their neighbours
    /// Volume of ground that a closed mesh encloses [m^3]; negative: it encloses free space (a
    /// cave, or a rock inside out); 0: open
    double enclosed;
} RiTerrainInfo;

/// Destroys it; NULL does nothing.
void ri_terrain_destroy(RiTerrain *t);
/// Facts about the terrain; strings are borrowed.
RiTerrainInfo ri_terrain_info(const RiTerrain *t);

/// Number of materials.
int ri_terrain_material_count(const RiTerrain *t);
/// Name of a material or soil ("ice", "rock", "dry_sand_wong"); index 0 is the default.
const char *ri_terrain_material_name(const RiTerrain *t, int material);

// --- questions -----------------------------------------------------------------------------------

/// Distance, normal and material at a point of the world.
void ri_terrain_query(const RiTerrain *t, RiVec3 point, RiSurface *out);
/// The same at `count` points.
void ri_terrain_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out);
/// The same, for the cost of a height query where the kind has heights. Close to a height field
/// (within a twentieth of its radius of curvature) the distance is correct to second order; farther
/// away, where RI_SURFACE_ROUGH is set, it is that of the tangent plane below the point. For other
/// kinds the same as ri_terrain_query_many.
void ri_terrain_query_near_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out);

/// Height of the highest surface at (x, y). False where there is no surface (beside a mesh, or in a
/// hole of it).
bool ri_terrain_height(const RiTerrain *t, double x, double y, RiHeight *out);
/// Height of the highest surface at (x, y) not above `from`: the floor under an overhang or in a
/// tube.
bool ri_terrain_height_below(const RiTerrain *t, double x, double y, double from, RiHeight *out);
/// `out_found` may be NULL.
void ri_terrain_height_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                            bool *out_found);

/// First hit of the ray origin + s * direction, 0 <= s <= range.
bool ri_terrain_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out);
/// The same for `count` rays; `out_found` may be NULL.
void ri_terrain_ray_many(const RiTerrain *t, int count, const RiVec3 *origins, const RiVec3 *directions, double range,
                         RiTerrainHit *out, bool *out_found);

/// Clearance of a box given by its pose and half sizes: distance of its corners and of its belly
/// (the bottom face, sampled no wider apart than `spacing`) to the ground, and the least of them.
typedef struct RiClearance {
    double corner[4]; ///< bottom corners: front left, front right, rear left, rear right [m]
    double belly;     ///< least distance of the bottom face [m]
    RiVec3 where;     ///< the point of the box where it is least
} RiClearance;
/// Clearance of a box; `half` are its half sizes [m].
void ri_terrain_clearance(const RiTerrain *t, const RiPose *box, RiVec3 half, double spacing, RiClearance *out);

// --- analytic kinds ------------------------------------------------------------------------------

/// A plane through `point`, rising by `slope` in the direction `azimuth` (from x towards y): a tilt
/// table.
typedef struct RiPlaneDef {
    RiVec3 point;
    double slope;         ///< [rad]
    double azimuth;       ///< of steepest ascent [rad]
    const char *material; ///< NULL: "ground"
} RiPlaneDef;
/// A plane. RI_ERR_ARGUMENT: a normal of no length, numbers that are not finite.
RI_MUST_CHECK RiStatus ri_terrain_create_plane(RiContext *ctx, const RiPlaneDef *def, RiTerrain **out_terrain);

typedef enum RiGroundShape {
    RI_GROUND_PLANE,   ///< everything below z = 0 of its pose
    RI_GROUND_BOX,     ///< half sizes (a, b, c): a step of height 2 c
    RI_GROUND_SPHERE,  ///< radius a: a stone
    RI_GROUND_STONE,   ///< ellipsoid with half axes (a, b, c)
    RI_GROUND_RAMP,    ///< wedge: length a along x, rising to height b, width c
    RI_GROUND_TUBE,    ///< solid around a hollow cylinder along z: radius a, length b (0: endless); free inside
    RI_GROUND_WALLS,   ///< two solid half-spaces |x| > a/2: parallel walls a gap of a apart
    RI_GROUND_CHANNEL, ///< U: flat floor z = 0 of width a along y, walls of height b (0: endless) beyond it
    RI_GROUND_PIPE,    ///< half-pipe along y: trough of radius a, lowest at z = 0, open above z = a
    RI_GROUND_PILLAR,  ///< solid cylinder along z: radius a, half height b
    RI_GROUND_SHAPE_COUNT
} RiGroundShape;
/// Name of a shape as terrain files give it; never NULL.
const char *ri_ground_shape_name(RiGroundShape shape);

typedef struct RiGroundPart {
    RiGroundShape shape;
    RiPose pose; ///< in the world
    double a, b, c;
    /// Amplitude A of a smooth random displacement of the surface (deviation A / sqrt 2, at most 4
    /// A) [m]; 0: none
    double roughness;
    double wavelength;       ///< of the roughness, at least 4 times its amplitude [m]
    unsigned long long seed; ///< of the roughness
    bool hole;               ///< subtracted from the parts before it instead of added
    const char *material;    ///< NULL: "ground"; of a hole: that of what it is cut into
} RiGroundPart;
/// Union of parts, in order.
RI_MUST_CHECK RiStatus ri_terrain_create_shapes(RiContext *ctx, int count, const RiGroundPart *parts,
                                                RiTerrain **out_terrain);

/// Several terrains combined: queries use the nearest surface. The union keeps pointers to its
/// parts, which must outlive it.
RI_MUST_CHECK RiStatus ri_terrain_create_union(RiContext *ctx, int count, RiTerrain *const *parts,
                                               RiTerrain **out_terrain);

// --- heights -------------------------------------------------------------------------------------

/// A raster of numbers: heights, masks. Value (i, j) belongs to the point (x0 + i * dx, y0 + j *
/// dy); rows go north.
typedef struct RiRaster {
    RiContext *ctx;
    int nx, ny;
    double x0, y0; ///< of value (0, 0), the centre of the south-west cell [m]
    double dx, dy; ///< [m], positive
    float *values; ///< nx * ny, row by row from the south; NAN: missing
    /// Where local x, y are in the file's own system: X = origin_x + x. "" and 0 if there is
    /// none.
    char *projection; ///< WKT
    double origin_x, origin_y;
} RiRaster;
/// A raster of nx x ny cells of dx x dy [m], all zero. RI_ERR_ARGUMENT, RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_raster_create(RiContext *ctx, int nx, int ny, double dx, double dy, RiRaster **out_raster);
/// Destroys it; NULL does nothing.
void ri_raster_destroy(RiRaster *r);

typedef enum RiInterpolation { RI_BILINEAR, RI_BICUBIC } RiInterpolation;
typedef enum RiHoles { RI_HOLES_REFUSE, RI_HOLES_FILL } RiHoles;

typedef struct RiHeightsDef {
    const RiRaster *raster;        ///< copied
    RiInterpolation interpolation; ///< default bicubic (Catmull-Rom: continuous slope)
    RiEdge edge;                   ///< default extend
    RiHoles holes; ///< missing heights: an error with their number, or filled from around (smooth); default refuse
    const char *material; ///< NULL: "ground"
} RiHeightsDef;
/// The defaults that its fields name.
RiHeightsDef ri_heights_def_default(void);
/// Distances are Euclidean (with a wall: as those of a union). Heights, slopes and curvature are
/// analytic. The border runs through the outermost values. Refused, with a count and a place:
/// infinite heights, sizes below 2 or above 2^31 - 1 values.
RI_MUST_CHECK RiStatus ri_terrain_create_heights(RiContext *ctx, const RiHeightsDef *def, RiTerrain **out_terrain);

// --- meshes and distance grids -------------------------------------------------------------------

typedef struct RiGroundMeshDef {
    const RiVec3 *points;
    const uint32_t (*triangles)[3]; ///< counter-clockwise from free space
    int point_count, triangle_count;
    bool flip;            ///< triangles are the other way round
    const char *material; ///< NULL: "ground"
} RiGroundMeshDef;
/// Exact distances to a triangle mesh, closed or open. Slower than a grid: meant for baking, placing
/// and checking. The mesh is copied. Zero-area triangles are dropped and counted; a mesh with no
/// triangles left is refused.
RI_MUST_CHECK RiStatus ri_terrain_create_mesh(RiContext *ctx, const RiGroundMeshDef *def, RiTerrain **out_terrain);

typedef enum RiGridKind { RI_GRID_SPARSE, RI_GRID_DENSE } RiGridKind;
typedef enum RiGridLookup {
    RI_LOOKUP_TRILINEAR, ///< fast
    RI_LOOKUP_TRICUBIC   ///< continuous normals
} RiGridLookup;

/// Called from time to time during long operations with the fraction done (0 to 1); false cancels.
typedef bool (*RiProgressFn)(void *user, double done);

typedef struct RiBakeDef {
    RiGridKind kind;     ///< default sparse: bricks of 8^3 cells near the surface
    RiGridLookup lookup; ///< default trilinear
    double cell;         ///< [m]
    double band;         ///< half width of the narrow band [m]; default 3 cells; sparse only
    RiVec3 low, high;    ///< region [m]; low == high: the terrain's own bounds
    RiEdge edge;         ///< default extend
    int threads;         ///< default: all processors; the result does not depend on it
    RiProgressFn progress;
    void *user;
} RiBakeDef;
/// The defaults that its fields name.
RiBakeDef ri_bake_def_default(void);
/// Samples the distance of any terrain on a grid. The source is not needed afterwards.
RI_MUST_CHECK RiStatus ri_terrain_bake(RiContext *ctx, const RiTerrain *source, const RiBakeDef *def,
                                       RiTerrain **out_terrain);
/// Number of bytes of a grid as a block, and the block: what the cache on disk holds.
size_t ri_terrain_grid_size(const RiTerrain *t); ///< 0 if t is not a grid
/// Writes the block; `out_block` has room for ri_terrain_grid_size(t) bytes.
void ri_terrain_grid_save(const RiTerrain *t, void *out_block);
/// A grid terrain from a block. RI_ERR_FORMAT: not a grid, or damaged.
RI_MUST_CHECK RiStatus ri_terrain_grid_load(RiContext *ctx, const void *block, size_t size, RiTerrain **out_terrain);

// --- large maps ----------------------------------------------------------------------------------

/// Heights that are read piece by piece: `read` fills a window of nx x ny values (row by row from
/// the south) of the level's raster starting at column i, row j. Level 0 is the finest, each next
/// one has half the resolution: value (i, j) of level l is the mean of the known values of level 0
/// in columns 2^l i to 2^l (i + 1) - 1 and rows alike, NAN if there is none; it has ceil(nx / 2^l)
/// columns. Called by one thread at a time, from any thread.
typedef struct RiTileSource {
    int levels;
    int nx, ny;            ///< of level 0
    double x0, y0, dx, dy; ///< of level 0, as in RiRaster
    RiStatus (*read)(void *user, int level, int i, int j, int nx, int ny, float *out);
    void (*close)(void *user); ///< may be NULL
    void *user;
} RiTileSource;

typedef struct RiTilesDef {
    RiTileSource source; ///< taken over: closed with the terrain; also if its creation fails
    size_t memory;       ///< for pages [bytes]; default 128 MiB
    RiInterpolation interpolation;
    RiEdge edge;
    RiHoles
        holes; ///< holes are filled from coarser levels and flagged; unless they are to be filled, also as RI_SURFACE_OUTSIDE
    const RiTerrain
        *patch;   ///< finer heights near the robot that replace the map inside their bounds; may be NULL, must outlive
    double blend; ///< width over which the patch blends into the map [m]
    const char *material;
} RiTilesDef;
/// The defaults that its fields name.
RiTilesDef ri_tiles_def_default(void);
/// Pages of 256 x 256 cells are read on first use; the least recently used ones are dropped. For
/// equal pages, results equal those of ri_terrain_create_heights to the last bit. A page that cannot
/// be read is treated as level ground with RI_SURFACE_HOLE and RI_SURFACE_OUTSIDE, and is counted in
/// RiTerrainInfo.ambiguous. The bounds in z are those of the pages read so far.
RI_MUST_CHECK RiStatus ri_terrain_create_tiles(RiContext *ctx, const RiTilesDef *def, RiTerrain **out_terrain);
/// A coarse copy for drawing, at most `most` values on a side. Works for every terrain that has
/// heights.
RI_MUST_CHECK RiStatus ri_terrain_overview(RiContext *ctx, const RiTerrain *t, double x0, double y0, double x1,
                                           double y1, int most, RiRaster **out_raster);

#ifdef __cplusplus
}
#endif
#endif
