// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target of the mesh path: what the mesh readers accept becomes terrain or is refused with a
/// message; the terrain answers and bakes. The first byte chooses the format (s, o, p in the
/// seeds), the rest is the file.
#include <stdlib.h>

#include <rille/mesh.h>
#include <rille/terrain.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const RiTerrain *t)
{
    const RiTerrainInfo info = ri_terrain_info(t);
    RiHeight h;
    for (int i = 0; i < 5; i++) {
        RiSurface s;
        const RiVec3 p = ri_add(info.low, ri_scale(0.4 * i - 0.3, ri_sub(info.high, info.low)));
        ri_terrain_query(t, p, &s);
        if (!(ri_norm(s.normal) < 1.001) || s.distance != s.distance)
            abort();
        (void)ri_terrain_height(t, p.x, p.y, &h);
    }
}

static void bake(RiContext *ctx, const RiTerrain *t)
{
    const RiTerrainInfo info = ri_terrain_info(t);
    const double size = ri_norm(ri_sub(info.high, info.low));
    RiBakeDef def = ri_bake_def_default();
    RiTerrain *grid;
    def.cell = size / 10.0;
    def.threads = 1;
    if (ri_terrain_bake(ctx, t, &def, &grid) != RI_OK && (grid || ri_context_message(ctx)[0] == '\0'))
        abort();
    ri_terrain_destroy(grid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiMesh *mesh;
    RiTerrain *t = NULL;
    if (size == 0 || ri_context_create(NULL, &ctx) != RI_OK)
        return 0;
    const char *kind = data[0] == 's' ? "stl" : data[0] == 'o' ? "obj" : "ply";
    if (ri_mesh_parse(ctx, "fuzz", kind, data + 1, size - 1, &mesh) == RI_OK && mesh->triangle_count < 2000) {
        const RiGroundMeshDef def = {.points = mesh->points,
                                     .triangles = (const uint32_t(*)[3])mesh->triangles,
                                     .point_count = mesh->point_count,
                                     .triangle_count = mesh->triangle_count};
        if (ri_terrain_create_mesh(ctx, &def, &t) == RI_OK) {
            ask(t);
            bake(ctx, t);
        } else if (t || ri_context_message(ctx)[0] == '\0') {
            abort();
        }
    }
    ri_terrain_destroy(t);
    ri_mesh_destroy(mesh);
    ri_context_destroy(ctx);
    return 0;
}
