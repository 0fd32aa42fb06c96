// SPDX-License-Identifier: Apache-2.0
/// \file
/// Meshes written and read back, and previews.
#include <sys/stat.h>
#include <unistd.h>

#include <rille/mesh.h>
#include <rille/picture.h>

#include "check.h"
#include "io/faults.h"

#define SCRATCH RILLE_BINARY_DIR "/mesh_write"

static const RiVec3 corners[] = {{0.1, -1.0 / 3.0, 2e-7}, {1.0, 0.2, 1e6}, {0.0, 1.7, -0.3}, {0.3, 0.3, 1.0}};
static const uint32_t faces[][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

static RiMesh sample(RiContext *ctx, RiVec3 *points, uint32_t (*triangles)[3])
{
    memcpy(points, corners, sizeof corners);
    memcpy(triangles, faces, sizeof faces);
    return (RiMesh){ctx, points, triangles, 4, 4};
}

static void check_round_trip(const char *path, double tolerance)
{
    RiContext *ctx;
    RiVec3 points[4];
    uint32_t triangles[4][3];
    RiMesh *back = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const RiMesh mesh = sample(ctx, points, triangles);
    mkdir(SCRATCH, 0755);
    REQUIRE_OK(ctx, ri_mesh_save(&mesh, path));
    REQUIRE_OK(ctx, ri_mesh_load(ctx, path, &back));
    CHECK_INT(back->triangle_count, 4);
    CHECK_INT(back->point_count, 4);
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 3; k++) {
            const RiVec3 a = back->points[back->triangles[t][k]], b = corners[faces[t][k]];
            CHECK_CLOSE(a.x, b.x, tolerance * fabs(b.x));
            CHECK_CLOSE(a.y, b.y, tolerance * fabs(b.y));
            CHECK_CLOSE(a.z, b.z, tolerance * fabs(b.z));
        }
    ri_mesh_destroy(back);
    ri_context_destroy(ctx);
}

TEST(ply_and_obj_keep_every_bit_and_stl_floats)
{
    check_round_trip(SCRATCH "/m.ply", 0.0);
    check_round_trip(SCRATCH "/m.obj", 0.0);
    check_round_trip(SCRATCH "/m.STL", 6e-8);
}

TEST(unknown_endings_and_closed_folders_are_refused)
{
    RiContext *ctx;
    RiVec3 points[4];
    uint32_t triangles[4][3];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const RiMesh mesh = sample(ctx, points, triangles);
    CHECK_ERROR(ctx, ri_mesh_save(&mesh, SCRATCH "/m.dae"), RI_ERR_UNSUPPORTED, ".ply, .obj or .stl");
    CHECK_ERROR(ctx, ri_mesh_save(&mesh, SCRATCH "/ply"), RI_ERR_UNSUPPORTED, ".ply, .obj or .stl");
    CHECK_ERROR(ctx, ri_mesh_save(&mesh, SCRATCH "/nowhere/m.ply"), RI_ERR_IO, "nowhere");
    CHECK_ERROR(ctx, ri_mesh_save(&mesh, "/dev/full.ply/x.ply"), RI_ERR_IO, "x.ply");
    ri_context_destroy(ctx);
}

TEST(pictures_are_png_files_of_the_right_size)
{
    RiContext *ctx;
    RiVec3 points[4];
    uint32_t triangles[4][3];
    RiRaster *r = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    mkdir(SCRATCH, 0755);
    REQUIRE_OK(ctx, ri_raster_create(ctx, 40, 20, 1.0, 1.0, &r));
    for (int k = 0; k < 800; k++)
        r->values[k] = k == 17 ? NAN : (float)(k % 40);
    CHECK_OK(ctx, ri_shade_heights(ctx, r, 100, SCRATCH "/h.png"));
    unsigned char head[24] = {0};
    FILE *file = fopen(SCRATCH "/h.png", "rb");
    REQUIRE(file);
    CHECK_INT(fread(head, 1, 24, file), 24);
    fclose(file);
    CHECK(memcmp(head + 1, "PNG", 3) == 0);
    CHECK_INT(head[18] << 8 | head[19], 80); // enlarged by 2
    CHECK_INT(head[22] << 8 | head[23], 40);
    const RiMesh mesh = sample(ctx, points, triangles);
    CHECK_OK(ctx, ri_shade_mesh(ctx, &mesh, 64, SCRATCH "/m.png"));
    CHECK_ERROR(ctx, ri_shade_heights(ctx, r, 0, SCRATCH "/h.png"), RI_ERR_ARGUMENT, "pixels");
    CHECK_ERROR(ctx, ri_shade_mesh(ctx, &mesh, 100000, SCRATCH "/m.png"), RI_ERR_ARGUMENT, "pixels");
    ri_raster_destroy(r);
    ri_context_destroy(ctx);
}

TEST(failed_allocations_of_writers_are_told_and_nothing_leaks)
{
    for (int what = 0; what < 2; what++) {
        int done = 0;
        for (long at = 0; !done && at < 100; at++) {
            Faults faults = {.fail_at = -1};
            const RiAllocator allocator = faults_allocator(&faults);
            RiContext *ctx = NULL;
            RiVec3 points[4];
            uint32_t triangles[4][3];
            REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
            const RiMesh mesh = sample(ctx, points, triangles);
            const long before = faults.live;
            faults.fail_at = faults.call + at;
            const RiStatus status =
                what ? ri_shade_mesh(ctx, &mesh, 32, SCRATCH "/f.png") : ri_mesh_save(&mesh, SCRATCH "/f.ply");
            done = faults.call <= faults.fail_at;
            CHECK(status == (done ? RI_OK : RI_ERR_MEMORY));
            CHECK_INT(faults.live, before);
            ri_context_destroy(ctx);
        }
        CHECK(done);
    }
}

TEST_MAIN(CASE(ply_and_obj_keep_every_bit_and_stl_floats), CASE(unknown_endings_and_closed_folders_are_refused),
          CASE(pictures_are_png_files_of_the_right_size),
          CASE(failed_allocations_of_writers_are_told_and_nothing_leaks))
