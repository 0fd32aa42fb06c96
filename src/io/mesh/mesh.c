// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which reader for which file, and the life of a mesh.
#include <rille/mesh.h>

#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "io/file/file.h"
#include "io/mesh/mesh_build.h"
#include "io/mesh/mesh_guard.h"

typedef RiStatus Reader(RiMeshBuild *build, const char *data, size_t size);

/// The own reader for a file ending, or NULL.
static Reader *own_reader(const char *kind)
{
    static const struct {
        const char *kind;
        Reader *read;
    } readers[] = {{"stl", ri_mesh_read_stl}, {"obj", ri_mesh_read_obj}, {"ply", ri_mesh_read_ply}};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (strcasecmp(kind, readers[i].kind) == 0)
            return readers[i].read;
    return NULL;
}

static int is_foreign(const char *kind)
{
    return strcasecmp(kind, "dae") == 0 || strcasecmp(kind, "gltf") == 0 || strcasecmp(kind, "glb") == 0;
}

/// What follows the last dot of the file's name; "" if there is none.
static const char *ending(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot + 1 : "";
}

RiStatus ri_mesh_parse(RiContext *ctx, const char *path, const char *kind, const void *data, size_t size,
                       RiMesh **out_mesh)
{
    *out_mesh = NULL;
    Reader *read = own_reader(kind);
    if (!read)
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: mesh kind '%s' from memory, allowed are stl, obj and ply", path,
                        kind);
    if (size == 0)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: byte 0: the file is empty", path);
    if (size > RI_MESH_MAX_BYTES)
        return ri_error(ctx, RI_ERR_LIMIT, "%s: mesh of %zu bytes, at most %zu are allowed", path, size,
                        RI_MESH_MAX_BYTES);
    RiMeshBuild build;
    ri_mesh_build_init(&build, ctx, path);
    RiStatus status = read(&build, data, size);
    if (status == RI_OK)
        status = ri_mesh_build_finish(&build, out_mesh);
    ri_mesh_build_free(&build);
    return status;
}

RiStatus ri_mesh_load(RiContext *ctx, const char *path, RiMesh **out_mesh)
{
    *out_mesh = NULL;
    const char *kind = ending(path);
    if (is_foreign(kind))
        return ri_mesh_load_assimp(ctx, path, out_mesh);
    if (!own_reader(kind))
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: mesh kind '%s', allowed are stl, obj, ply, dae, gltf and glb",
                        path, kind);
    char *text;
    size_t size;
    RI_TRY(ri_file_read(ctx, path, RI_MESH_MAX_BYTES, &text, &size));
    const RiStatus status = ri_mesh_parse(ctx, path, kind, text, size, out_mesh);
    ri_release(ctx, text);
    return status;
}

void ri_mesh_destroy(RiMesh *mesh)
{
    if (!mesh)
        return;
    ri_release(mesh->ctx, mesh->points);
    ri_release(mesh->ctx, mesh->triangles);
    ri_release(mesh->ctx, mesh);
}
