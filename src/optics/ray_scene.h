// SPDX-License-Identifier: Apache-2.0
/// \file
/// The world as rays see it: one scene for cameras, lidars and pictures.
///
///     bodies (shapes, meshes) + terrain + ruts --(ri_ray_scene_update)--> Embree
///     rays --(ri_ray_scene_trace: single precision, fast)--> RiRayHit --(ri_ray_scene_point: double)--> RiRayPoint
///
/// Tracing is done in two stages. `ri_ray_scene_trace` says what is hit and how far away, in single
/// precision relative to the scene's origin (relative error below 1e-5). `ri_ray_scene_point`
/// intersects the ray with that one thing again in double precision and adds normals, texture
/// coordinates, link, material and colour. Shapes and planes are exact; height fields are triangles
/// through their values, meshes are their own triangles; other ground is its own distance function.
///
/// Directions must have unit length. World axes: x east, y north, z up, metres.
///
/// Threads and ownership: building and `ri_ray_scene_update` belong to one thread. Between updates
/// any number of threads may trace. The terrain and the ruts are borrowed; names and meshes are
/// copied.
#ifndef RI_OPTICS_RAY_SCENE_H
#define RI_OPTICS_RAY_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/context.h>
#include <rille/ground.h>
#include <rille/math.h>
#include <rille/terrain.h>

typedef struct RiRayScene RiRayScene;

/// What a ray sees. Sensors see physical things only; pictures for people may show both.
enum { RI_RAY_PHYSICAL = 1, RI_RAY_ORNAMENTAL = 2, RI_RAY_ALL = 3 };
enum { RI_RAY_GROUND = -1, RI_RAY_NOTHING = -2 }; ///< in place of a body's number

typedef struct RiRay {
    RiVec3 origin;    ///< [m]
    RiVec3 direction; ///< unit
    double near, far; ///< range looked at [m]; far may be INFINITY
    unsigned mask;    ///< RI_RAY_*
} RiRay;

/// What a ray meets first.
typedef struct RiRayHit {
    float range;        ///< [m]; INFINITY: nothing
    float u, v;         ///< barycentric, of triangles
    int32_t body;       ///< number of a body, RI_RAY_GROUND or RI_RAY_NOTHING
    uint32_t part;      ///< number of the body's shape or of the ground's piece
    uint32_t primitive; ///< triangle of the part
} RiRayHit;

/// All about the point that is hit.
typedef struct RiRayPoint {
    double range;    ///< [m]
    RiVec3 point;    ///< [m]
    RiVec3 normal;   ///< of the surface itself; unit, towards the ray's origin
    RiVec3 shading;  ///< of the smooth surface; unit, on the same side
    double u, v;     ///< texture: x and y [m] of ground, barycentric of meshes, 0 of shapes
    int body;        ///< as in RiRayHit
    int link;        ///< the body's user number (link of the spec), RI_RAY_GROUND for ground
    int surface;     ///< index into the scene's surfaces
    int soil;        ///< material of the terrain (ri_terrain_material_name); -1: not ground
    float albedo[3]; ///< linear colour of the surface, 0 to 1
    bool inside;     ///< the ray met the back of the surface
} RiRayPoint;

/// A kind of surface: a robot's material or a ground's soil. How it scatters light is somebody
/// else's knowledge.
typedef struct RiRaySurface {
    const char *name;
    float albedo[3]; ///< linear, 0 to 1
    bool ground;
} RiRaySurface;

typedef enum RiRayShapeType {
    RI_RAY_SPHERE,   ///< size = radius
    RI_RAY_CYLINDER, ///< size = radius, length along z; with caps
    RI_RAY_CAPSULE,  ///< size = radius, length of the cylindrical part along z
    RI_RAY_BOX,      ///< size = full lengths
    RI_RAY_PLANE,    ///< z = 0, endless
    RI_RAY_MESH      ///< triangles
} RiRayShapeType;

typedef struct RiRayShape {
    RiRayShapeType type;
    RiPose pose; ///< in the body's frame
    double size[3];
    int surface;
    // of a mesh
    const RiVec3 *points; ///< before `size` scales and `pose` moves them
    const uint32_t (*triangles)[3];
    int point_count, triangle_count;
    bool smooth; ///< shading normals are the mean of the triangles around a point
} RiRayShape;

/// How ground becomes rays' ground.
typedef struct RiRayGroundDef {
    const RiTerrain *terrain; ///< may be NULL: no ground
    const RiRuts *ruts;       ///< may be NULL
    RiVec3 focus;             ///< finest there [m]; the scene's origin
    double cell;              ///< finest triangles of height fields [m]; 0: the terrain's own, at least 5 mm
    double reach;             ///< half size of the square with the finest triangles [m]; 0: 256 cells
    double horizon;           ///< half size of all ground shown [m]; 0: the terrain's bounds, at most 20 km
} RiRayGroundDef;

/// RI_ERR_UNSUPPORTED in a build without Embree, with the words that say what to install.
RI_MUST_CHECK RiStatus ri_ray_scene_create(RiContext *ctx, RiRayScene **out_scene);
void ri_ray_scene_destroy(RiRayScene *scene);

/// Adds a surface, or finds the one of that name.
RI_MUST_CHECK RiStatus ri_ray_scene_add_surface(RiRayScene *scene, const char *name, const float albedo[3],
                                                int *out_surface);
int ri_ray_scene_surface_count(const RiRayScene *scene);
const RiRaySurface *ri_ray_scene_surface(const RiRayScene *scene, int surface);
void ri_ray_scene_set_albedo(RiRayScene *scene, int surface, const float albedo[3]);

/// A rigid thing: shapes that move together. `link` is the user's number for it, `mask`
/// RI_RAY_PHYSICAL or RI_RAY_ORNAMENTAL.
RI_MUST_CHECK RiStatus ri_ray_scene_add_body(RiRayScene *scene, const char *name, int link, unsigned mask,
                                             int *out_body);
RI_MUST_CHECK RiStatus ri_ray_scene_add_shape(RiRayScene *scene, int body, const RiRayShape *shape);
int ri_ray_scene_body_count(const RiRayScene *scene);
const char *ri_ray_scene_body_name(const RiRayScene *scene, int body);
int ri_ray_scene_body_link(const RiRayScene *scene, int body);
/// Replaces the ground. Surfaces of its materials are added under their names.
RI_MUST_CHECK RiStatus ri_ray_scene_set_ground(RiRayScene *scene, const RiRayGroundDef *def);

/// Moves a body; seen after the next update.
void ri_ray_scene_set_pose(RiRayScene *scene, int body, const RiPose *pose);
RiPose ri_ray_scene_pose(const RiRayScene *scene, int body);
/// Takes over poses and the tiles of ground whose ruts have changed.
RI_MUST_CHECK RiStatus ri_ray_scene_update(RiRayScene *scene);

/// First hits. `coherent`: neighbours look in nearly the same direction (pixels, beams); they are
/// then traced in packets.
void ri_ray_scene_trace(const RiRayScene *scene, int count, const RiRay *rays, bool coherent, RiRayHit *out);
/// Whether anything is in the way between near and far: shadows.
void ri_ray_scene_blocked(const RiRayScene *scene, int count, const RiRay *rays, bool coherent, bool *out);
/// The hit in double precision, with all that is known about it; `hit` must be of this ray and not
/// RI_RAY_NOTHING.
void ri_ray_scene_point(const RiRayScene *scene, const RiRay *ray, const RiRayHit *hit, RiRayPoint *out);
/// The same without the smooth surface: `shading` is `normal`. Faster on ground.
void ri_ray_scene_flat_point(const RiRayScene *scene, const RiRay *ray, const RiRayHit *hit, RiRayPoint *out);
/// First hits with the normals of triangles, in the axes of body or ground and of any length.
void ri_ray_scene_trace_normals(const RiRayScene *scene, int count, const RiRay *rays, bool coherent, RiRayHit *out,
                                float (*out_normals)[3]);
/// The hit as single precision has it, where that is enough (relative error of ranges below 1e-5):
/// ground of triangles only, everything else is computed as in ri_ray_scene_flat_point. The
/// quickest.
void ri_ray_scene_rough_point(const RiRayScene *scene, const RiRay *ray, const RiRayHit *hit, const float normal[3],
                              RiRayPoint *out);
/// One ray, both stages; false: nothing is hit.
bool ri_ray_scene_look(const RiRayScene *scene, const RiRay *ray, RiRayPoint *out);
/// Many rays, both stages; out[i].body is RI_RAY_NOTHING where nothing is hit.
void ri_ray_scene_look_many(const RiRayScene *scene, int count, const RiRay *rays, bool coherent, RiRayPoint *out);

long long ri_ray_scene_triangles(const RiRayScene *scene);

#endif
