// SPDX-License-Identifier: Apache-2.0
/// \file
/// A mesh from the child process around a foreign importer (guard.h).
///
/// The parent trusts nothing that comes from it: the count is checked against the limit, memory
/// grows only with bytes that have arrived, coordinates must be finite.
#include "io/mesh/mesh_guard.h"

#include "io/file/confine.h"
#include "io/mesh/mesh_build.h"

enum { BATCH = 512, TRIANGLE_BYTES = 9 * (int)sizeof(double) };

typedef struct Import {
    RiMeshImporter *importer;
    const char *path;
} Import;

static void run_import(void *user, int fd)
{
    const Import *import = user;
    ri_confine(import->path, false); // buffers that the file names are read below its folder
    import->importer(import->path, fd);
}

/// The guard's reason as the context's.
static RiStatus tell(RiMeshBuild *build, const RiGuard *guard, RiStatus status)
{
    return ri_error(build->ctx, status, "%s", guard->reason);
}

static RiStatus add_triangle(RiMeshBuild *build, const double *corner)
{
    uint32_t index[3];
    for (size_t k = 0; k < 3; k++) {
        const RiVec3 p = {corner[3 * k], corner[3 * k + 1], corner[3 * k + 2]};
        if (!ri_mesh_is_finite(p))
            return ri_error(build->ctx, RI_ERR_FORMAT, "%s: point (%g, %g, %g) of triangle %zu is not finite",
                            build->file, p.x, p.y, p.z, build->triangle_count);
        RI_TRY(ri_mesh_build_merge(build, p, &index[k]));
    }
    return ri_mesh_build_triangle(build, index[0], index[1], index[2]);
}

static RiStatus receive_triangles(RiMeshBuild *build, RiGuard *guard, uint64_t count)
{
    double batch[BATCH][9];
    while (count > 0) {
        const size_t n = count < BATCH ? (size_t)count : BATCH;
        if (!ri_guard_receive(guard, batch, n * TRIANGLE_BYTES))
            return tell(build, guard, ri_guard_explain(guard));
        for (size_t i = 0; i < n; i++)
            RI_TRY(add_triangle(build, batch[i]));
        count -= n;
    }
    return RI_OK;
}

static RiStatus receive_mesh(RiMeshBuild *build, RiGuard *guard)
{
    RiGuardHeader header;
    const RiStatus status = ri_guard_receive_header(guard, &header);
    if (status != RI_OK)
        return tell(build, guard, status);
    if (header.size > RI_MESH_MAX_TRIANGLES)
        return ri_error(build->ctx, RI_ERR_LIMIT, "%s: %llu triangles, at most %zu are allowed", build->file,
                        (unsigned long long)header.size, RI_MESH_MAX_TRIANGLES);
    return receive_triangles(build, guard, header.size);
}

RiStatus ri_mesh_guard_run(RiContext *ctx, const char *path, RiMeshImporter *importer, double seconds,
                           RiMesh **out_mesh)
{
    *out_mesh = NULL;
    RI_TRY(ri_guard_check_file(ctx, path, RI_MESH_MAX_BYTES));
    RiMeshBuild build;
    ri_mesh_build_init(&build, ctx, path);
    Import import = {importer, path};
    RiGuard guard = {.file = path,
                     .worker = "importer",
                     .verdict = "the importer rejected the file: ",
                     .seconds = seconds,
                     .memory = (size_t)2 << 30};
    RiStatus status = ri_guard_start(&guard, run_import, &import);
    status = status == RI_OK ? receive_mesh(&build, &guard) : tell(&build, &guard, status);
    ri_guard_end(&guard);
    if (status == RI_OK)
        status = ri_mesh_build_finish(&build, out_mesh);
    ri_mesh_build_free(&build);
    return status;
}
