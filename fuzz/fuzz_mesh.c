// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target of the mesh readers: the first byte chooses the format (s, o, p in the seeds), the
/// rest is the file. What is accepted must be a valid mesh, and everything that can be asked of it
/// must be defined.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <rille/mesh.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_mesh(const RiMesh *mesh)
{
    double volume;
    RiVec3 centre, low, high;
    RiMat3 inertia;
    int open;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangles[t][k] >= (uint32_t)mesh->point_count)
                abort();
    ri_mesh_bounds(mesh, &low, &high);
    ri_mesh_mass_properties(mesh, &volume, &centre, &inertia);
    if (mesh->triangle_count < 1 || ri_mesh_open_edges(mesh, &open) != RI_OK || open < 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiMesh *mesh;
    if (size == 0 || ri_context_create(NULL, &ctx) != RI_OK)
        return 0;
    const char *kind = data[0] == 's' ? "stl" : data[0] == 'o' ? "obj" : "ply";
    if (ri_mesh_parse(ctx, "fuzz", kind, data + 1, size - 1, &mesh) == RI_OK)
        check_mesh(mesh);
    else if (mesh || ri_context_message(ctx)[0] == '\0')
        abort();
    ri_mesh_destroy(mesh);
    ri_context_destroy(ctx);
    return 0;
}
