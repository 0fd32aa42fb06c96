// SPDX-License-Identifier: Apache-2.0
/// \file
/// The ray scene from within. Embree's objects are `void *` here, so that only the files that call
/// it need its header.
///
///     ground: the ground as it was, asked for itself, so that rays may go as streams
///     top: things on it. Instance 1 the tiles with ruts, instance 2 + b body b
///
/// All single-precision coordinates of the world are relative to `origin`.
#ifndef RI_OPTICS_RAY_SCENE_WORK_H
#define RI_OPTICS_RAY_SCENE_WORK_H

#include "base/memory.h"
#include "optics/ray_scene.h"

enum { RI_RAY_INST_RUTS = 1, RI_RAY_INST_BODIES };
enum { RI_RAY_RUT_PART = 1 << 30 }; ///< bit of a hit's part: a tile with ruts

/// A shape of a body.
typedef struct RiRayPart {
    RiRayShapeType type;
    RiPose pose;
    double size[3];
    int surface;
    RiVec3 *points;  ///< of a mesh, in the body's frame
    RiVec3 *normals; ///< of smooth meshes; NULL: faces are flat
    uint32_t (*triangles)[3];
    int point_count, triangle_count;
    const RiRayScene *scene; ///< for Embree's callbacks
    int body;
} RiRayPart;

typedef struct RiRayBody {
    char *name;
    int link;
    unsigned mask;
    RiPose pose;
    RiRayPart **parts;
    int part_count, part_capacity;
    void *scene, *instance; ///< Embree's
    bool dirty_shape, dirty_pose;
} RiRayBody;

typedef enum RiRayPieceKind { RI_PIECE_HEIGHTS, RI_PIECE_MESH, RI_PIECE_FUNCTION } RiRayPieceKind;

/// A piece of the ground: triangles, or a terrain that answers rays itself.
typedef struct RiRayPiece {
    RiRayPieceKind kind;
    const RiTerrain *terrain;
    const RiRayScene *scene;
    float (*points)[3]; ///< relative to origin; Embree's buffer
    uint32_t (*triangles)[3];
    float (*slopes)[2]; ///< dz/dx, dz/dy at the points of height fields
    int point_count, triangle_count;
    bool cut; ///< tiles with ruts are in its place
} RiRayPiece;

/// A tile of ground with ruts.
typedef struct RiRayTile {
    int i, j; ///< lowest cell
    unsigned version;
    bool known;
    float (*points)[3];
    uint32_t (*triangles)[3];
    double *base; ///< heights without ruts
    void *geometry;
} RiRayTile;

struct RiRayScene {
    RiContext *ctx;
    RiArena arena;
    void *device, *top, *ground, *ruts; ///< Embree's device and scenes
    void *ruts_instance;
    float low[3], high[3]; ///< box around `top`, relative to origin
    float middle[3], ball; ///< of the ball around the box: centre, squared radius
    bool things;           ///< there is something in it
    RiVec3 origin;
    RiRaySurface *surfaces;
    int surface_count, surface_capacity;
    RiRayBody *bodies;
    int body_count, body_capacity;
    RiRayGroundDef def;
    bool single_valued;
    RiRayPiece **pieces;
    int piece_count, piece_capacity;
    int *material_surface; ///< of the terrain's materials
    int material_count;
    RiRayTile *tiles;
    int tile_count, tile_capacity;
    int *tile_table; ///< open addressing by place: index of a tile + 1, 0 free
    int table_size;
    long long triangles;
};

/// Builds the pieces of the ground (ray_ground.c).
RI_MUST_CHECK RiStatus ri_ray_ground_build(RiRayScene *s);
void ri_ray_ground_free(RiRayScene *s);
/// Takes over changed tiles of ruts (ray_ruts.c); *out_changed says whether there were any.
RI_MUST_CHECK RiStatus ri_ray_ruts_update(RiRayScene *s, bool *out_changed);
void ri_ray_ruts_free(RiRayScene *s);
/// Whether a tile with ruts is at (x, y) of the world.
bool ri_ray_ruts_at(const RiRayScene *s, double x, double y);
/// Embree's error as a status.
RiStatus ri_ray_error(const RiRayScene *s);

/// What Embree's callbacks need beside its own context, which comes first in the real struct
/// (ray_trace.h).
RiStatus ri_ray_part_geometry(RiRayScene *s, RiRayBody *body, RiRayPart *part);

#endif
