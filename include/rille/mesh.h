// SPDX-License-Identifier: Apache-2.0
/// \file
/// Triangle meshes from files.
///
///     .stl .obj .ply (own readers), .dae .gltf .glb (assimp, guarded) --> RiMesh: points, triangles
///
/// Threads and ownership: ri_mesh_load gives the mesh to the caller. Loading may be done from any
/// thread, one context each.
#ifndef RILLE_MESH_H
#define RILLE_MESH_H

#include <stdint.h>

#include <rille/contact.h>
#include <rille/context.h>
#include <rille/math.h>
#include <rille/report.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiMesh {
    RiContext *ctx;
    RiVec3 *points;
    uint32_t (*triangles)[3]; ///< indices into points, counter-clockwise from outside
    int point_count;
    int triangle_count;
} RiMesh;

/// Loads a mesh; the format is told by the file's content where it can be (STL text or binary) and
/// else by its ending. RI_ERR_FORMAT names file and, where it has one, line: truncated files,
/// counts that lie about the file's size, indices out of range, NaN points. RI_ERR_UNSUPPORTED for
/// .dae/.gltf in a build without assimp.
RI_MUST_CHECK RiStatus ri_mesh_load(RiContext *ctx, const char *path, RiMesh **out_mesh);
/// The same from memory. `kind` is the file ending without dot ("stl"); only the formats with own
/// readers.
RI_MUST_CHECK RiStatus ri_mesh_parse(RiContext *ctx, const char *path, const char *kind, const void *data, size_t size,
                                     RiMesh **out_mesh);
/// Destroys it; NULL does nothing.
void ri_mesh_destroy(RiMesh *mesh);

/// Writes a mesh as .ply (binary, all bits kept), .obj (text, all bits kept) or .stl (binary,
/// rounded to float), by the path's ending. RI_ERR_UNSUPPORTED for other endings, RI_ERR_IO if the
/// disk says no.
RI_MUST_CHECK RiStatus ri_mesh_save(const RiMesh *mesh, const char *path);

/// Corners of the bounding box [m].
void ri_mesh_bounds(const RiMesh *mesh, RiVec3 *out_low, RiVec3 *out_high);

/// Volume [m^3], centre and inertia per unit density about the centre [m^5] of the solid enclosed
/// by the mesh (divergence theorem); meaningful if the mesh is closed. Negative volume: inside out.
void ri_mesh_mass_properties(const RiMesh *mesh, double *out_volume, RiVec3 *out_centre, RiMat3 *out_inertia);

/// Number of edges not shared by exactly two triangles of opposite direction, after merging equal
/// points; 0: closed and consistently oriented.
RI_MUST_CHECK RiStatus ri_mesh_open_edges(const RiMesh *mesh, int *out_count);

/// What wheels and screws look like, from the numbers that the laws use: a rim with its crown and
/// grousers on spokes, a drum with blades of its hand, lead and starts. Closed surfaces in the frame
/// of the wheel or screw.
typedef enum RiGearPart {
    RI_GEAR_TREAD, ///< rim with grousers; blades
    RI_GEAR_HUB    ///< hub with spokes; drum
} RiGearPart;

/// *out_mesh is NULL, without an error, for blades that cannot be drawn one by one: the drum then
/// has their outer radius.
RI_MUST_CHECK RiStatus ri_wheel_mesh(RiContext *ctx, const RiWheelSpec *wheel, RiGearPart part, RiMesh **out_mesh);
/// The same of a screw.
RI_MUST_CHECK RiStatus ri_screw_mesh(RiContext *ctx, const RiScrewSpec *screw, RiGearPart part, RiMesh **out_mesh);
/// The spec's material for such a part: "tyre" (rims), "metal" (hubs) or "screw"; NULL if the robot
/// has none of that name.
const char *ri_gear_material(const RiSpec *spec, bool is_screw, RiGearPart part);

/// Collision meshes of a robot, for RiContactOptions: `list` and `count` go into `meshes` and
/// `mesh_count`.
typedef struct RiContactMeshes {
    RiContext *ctx;
    RiContactMesh *list;
    RiMesh **meshes; ///< [count] what the list points to
    int count;
} RiContactMeshes;

/// Loads the meshes that contacts with these options need, each file once. RI_ERR_* of
/// ri_mesh_load, with the shape that wants the file.
RI_MUST_CHECK RiStatus ri_contact_meshes_load(RiContext *ctx, const RiSpec *spec, const RiContactOptions *options,
                                              RiContactMeshes **out_meshes);
/// Loads the meshes that a robot is drawn with, for ri_sim_set_shades, each file once. One that
/// cannot be read is left out and told in the report, which may be NULL. RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_shade_meshes_load(RiContext *ctx, const RiSpec *spec, RiReport *report,
                                            RiContactMeshes **out_meshes);
/// Destroys it; NULL does nothing.
void ri_contact_meshes_destroy(RiContactMeshes *meshes);

#ifdef __cplusplus
}
#endif
#endif
