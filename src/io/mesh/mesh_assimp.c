// SPDX-License-Identifier: Apache-2.0
/// \file
/// COLLADA and glTF by assimp's C interface, in a guarded child (mesh_guard.h).
///
/// The meshes of a scene are in a tree of nodes; each node's transform, and the file's length
/// unit in the root's, is applied here in double. The up-direction a COLLADA file declares is not
/// applied: URDF writers keep the mesh in its link's axes whatever the file says. Equal points are
/// merged by the parent, over all meshes of the scene and after their transforms.
#include "io/mesh/mesh_guard.h"

#ifndef RILLE_HAVE_ASSIMP

RiStatus ri_mesh_load_assimp(RiContext *ctx, const char *path, RiMesh **out_mesh)
{
    *out_mesh = NULL;
    return ri_error(
        ctx, RI_ERR_UNSUPPORTED,
        "%s: this build cannot read .dae, .gltf and .glb: install libassimp-dev and build again, or convert "
        "the mesh to .stl, .obj or .ply",
        path);
}

#else

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <string.h>

#include "io/mesh/mesh_build.h"

/// An affine map p -> A p + t.
typedef struct Affine {
    RiMat3 A;
    RiVec3 t;
} Affine;

/// parent * node, in double.
static Affine compose(const Affine *parent, const struct aiMatrix4x4 *n)
{
    const Affine node = {{{{(double)n->a1, (double)n->a2, (double)n->a3},
                           {(double)n->b1, (double)n->b2, (double)n->b3},
                           {(double)n->c1, (double)n->c2, (double)n->c3}}},
                         {(double)n->a4, (double)n->b4, (double)n->c4}};
    return (Affine){ri_mat3_mul(&parent->A, &node.A), ri_add(ri_rotate(&parent->A, node.t), parent->t)};
}

static double determinant(const RiMat3 *A)
{
    return ri_dot(ri_mat3_col(A, 0), ri_cross(ri_mat3_col(A, 1), ri_mat3_col(A, 2)));
}

/// Triangles are gathered here and written a buffer at a time.
typedef struct Output {
    int fd;
    uint64_t count; ///< triangles in all
    size_t held;
    double corners[512][9];
} Output;

static void flush(Output *out)
{
    ri_guard_write(out->fd, out->corners, out->held * sizeof *out->corners);
    out->held = 0;
}

/// One triangle of a mesh, mapped by a node. A map that mirrors turns the corners round, to keep
/// outside outside.
static void put_triangle(Output *out, const struct aiMesh *mesh, const struct aiFace *face, const Affine *map,
                         int mirrors)
{
    double *to = out->corners[out->held++];
    for (int k = 0; k < 3; k++) {
        const struct aiVector3D *v = &mesh->mVertices[face->mIndices[mirrors ? 2 - k : k]];
        const RiVec3 p = ri_add(ri_rotate(&map->A, ri_vec3((double)v->x, (double)v->y, (double)v->z)), map->t);
        memcpy(to + 3 * k, &p, sizeof p);
    }
    if (out->held == sizeof out->corners / sizeof *out->corners)
        flush(out);
}

/// Writes the triangles of a node's meshes if `writes`, else counts them.
static void put_meshes(Output *out, const struct aiScene *scene, const struct aiNode *node, const Affine *map,
                       int writes)
{
    const int mirrors = determinant(&map->A) < 0.0;
    for (unsigned m = 0; m < node->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[node->mMeshes[m]];
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            if (mesh->mFaces[f].mNumIndices != 3)
                continue; // points and lines enclose nothing
            if (writes)
                put_triangle(out, mesh, &mesh->mFaces[f], map, mirrors);
            else
                out->count++;
        }
    }
}

static void walk(Output *out, const struct aiScene *scene, const struct aiNode *node, const Affine *parent, int writes)
{
    const Affine map = compose(parent, &node->mTransformation);
    put_meshes(out, scene, node, &map, writes);
    for (unsigned i = 0; i < node->mNumChildren && out->count <= RI_MESH_MAX_TRIANGLES; i++)
        walk(out, scene, node->mChildren[i], &map, writes);
}

static const struct aiScene *import(const char *path)
{
    struct aiPropertyStore *options = aiCreatePropertyStore();
    aiSetImportPropertyInteger(options, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    aiSetImportPropertyInteger(options, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const unsigned steps = aiProcess_Triangulate | aiProcess_SortByPType;
    return aiImportFileExWithProperties(path, steps, NULL, options);
}

/// The child's work: nothing is freed, the process ends here.
static void run_assimp(const char *path, int fd)
{
    const struct aiScene *scene = import(path);
    if (!scene || !scene->mRootNode) {
        ri_guard_refuse(fd, RI_ERR_FORMAT, scene ? "the scene has no nodes" : aiGetErrorString());
        return;
    }
    Output out = {.fd = fd};
    const Affine identity = {ri_mat3_identity(), {0.0, 0.0, 0.0}};
    walk(&out, scene, scene->mRootNode, &identity, 0);
    const RiGuardHeader header = {RI_GUARD_MAGIC, RI_GUARD_RESULT, out.count};
    ri_guard_write(fd, &header, sizeof header);
    walk(&out, scene, scene->mRootNode, &identity, 1);
    flush(&out);
}

RiStatus ri_mesh_load_assimp(RiContext *ctx, const char *path, RiMesh **out_mesh)
{
    return ri_mesh_guard_run(ctx, path, run_assimp, 10.0, out_mesh);
}

#endif
