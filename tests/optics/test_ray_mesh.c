// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rays against meshes: as the shape that the mesh is, as all triangles one by one, from inside and
/// from behind.
#include "check.h"

#include <math.h>

#include "base/rng.h"
#include "optics/ray_mesh.h"
#include "optics/ray_shape.h"

static RiContext *ctx;
static RiArena arena;
static const double one[3] = {1.0, 1.0, 1.0};

static const RiVec3 corners[8] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const uint32_t sides[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                      {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

static RiVec3 random_place(RiRng *rng, double size)
{
    const double x = ri_rng_between(rng, -size, size), y = ri_rng_between(rng, -size, size);
    return ri_vec3(x, y, ri_rng_between(rng, -size, size));
}

static RiVec3 random_direction(RiRng *rng)
{
    RiVec3 d = random_place(rng, 1.0);
    while (ri_norm(d) > 1.0 || ri_norm(d) < 0.1)
        d = random_place(rng, 1.0);
    return ri_scale(1.0 / ri_norm(d), d);
}

TEST(a_box_of_triangles_hides_what_a_box_hides)
{
    static const double scale[3] = {0.5, 1.0, -1.5}, size[3] = {1.0, 2.0, 3.0}; // mirrored, too
    RiRng rng = ri_rng_stream(3, "ray_mesh");
    RiRayMesh m;
    REQUIRE_OK(ctx, ri_ray_mesh_create(ctx, &arena, corners, sides, 12, scale, &m));
    CHECK(m.closed && m.triangle_count == 12);
    CHECK_CLOSE(m.radius, sqrt(0.25 + 1.0 + 2.25), 1e-15);
    int hidden = 0;
    for (int i = 0; i < 20000; i++) {
        const RiVec3 o = random_place(&rng, 4.0), d = random_direction(&rng);
        double range;
        RiVec3 normal;
        const bool box =
            ri_ray_shape_hit(RI_RAY_BOX, size, o, d, 1e-4, 100.0, &range, &normal) && ri_dot(normal, d) < 0.0;
        if (ri_ray_mesh_hides(&m, o, d, 1e-4, 100.0) != box)
            CHECK_FAIL("ray %d from (%g, %g, %g)", i, o.x, o.y, o.z);
        hidden += box;
    }
    CHECK(hidden > 500);
    CHECK(!ri_ray_mesh_hides(&m, ri_vec3(0, 0, 0), ri_vec3(0, 0, 1), 1e-4, 100.0));     // from inside
    CHECK(ri_ray_mesh_hides(&m, ri_vec3(0.1, 0.1, -9), ri_vec3(0, 0, 1), 1e-4, 100.0)); // along two axes exactly
    CHECK(!ri_ray_mesh_hides(&m, ri_vec3(0.1, 0.1, -9), ri_vec3(0, 0, 1), 1e-4, 5.0));  // too near
}

TEST(an_open_sheet_hides_from_both_sides)
{
    RiRayMesh m;
    REQUIRE_OK(ctx, ri_ray_mesh_create(ctx, &arena, corners, &sides[2], 2, one, &m)); // the top
    CHECK(!m.closed);
    CHECK(ri_ray_mesh_hides(&m, ri_vec3(0.2, 0.3, 0), ri_vec3(0, 0, 1), 1e-4, 100.0));
    CHECK(ri_ray_mesh_hides(&m, ri_vec3(0.2, 0.3, 2), ri_vec3(0, 0, -1), 1e-4, 100.0));
    CHECK(!ri_ray_mesh_hides(&m, ri_vec3(0.2, 0.3, 2), ri_vec3(0, 0, 1), 1e-4, 100.0));
    CHECK(!ri_ray_mesh_hides(&m, ri_vec3(1.2, 0.3, 0), ri_vec3(0, 0, 1), 1e-4, 100.0));
}

TEST(the_tree_finds_what_all_triangles_one_by_one_do)
{
    enum { N = 300 };
    static RiVec3 points[3 * N];
    static uint32_t soup[N][3];
    RiRng rng = ri_rng_stream(5, "ray_mesh");
    for (int i = 0; i < N; i++) {
        const RiVec3 at = random_place(&rng, 3.0);
        for (int k = 0; k < 3; k++) {
            points[3 * i + k] = ri_add(at, random_place(&rng, 0.4));
            soup[i][k] = (uint32_t)(3 * i + k);
        }
    }
    points[0].x = NAN;     // left out
    points[4] = points[3]; // without area
    RiRayMesh all, single[N];
    REQUIRE_OK(ctx, ri_ray_mesh_create(ctx, &arena, points, (const uint32_t(*)[3])soup, N, one, &all));
    CHECK_INT(all.triangle_count, N - 2);
    for (int i = 0; i < N; i++)
        REQUIRE_OK(ctx, ri_ray_mesh_create(ctx, &arena, points, (const uint32_t(*)[3])soup + i, 1, one, &single[i]));
    int hidden = 0;
    for (int i = 0; i < 2000; i++) {
        const RiVec3 o = random_place(&rng, 4.0), d = random_direction(&rng);
        bool any = false;
        for (int k = 0; k < N; k++)
            any |= ri_ray_mesh_hides(&single[k], o, d, 1e-4, 100.0);
        CHECK(ri_ray_mesh_hides(&all, o, d, 1e-4, 100.0) == any);
        hidden += any;
    }
    CHECK(hidden > 200 && hidden < 1800);
}

TEST(a_mesh_of_nothing_hides_nothing)
{
    RiRayMesh m;
    REQUIRE_OK(ctx, ri_ray_mesh_create(ctx, &arena, corners, sides, 0, one, &m));
    CHECK(!m.closed && !ri_ray_mesh_hides(&m, ri_vec3(0, 0, -9), ri_vec3(0, 0, 1), 1e-4, 100.0));
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(a_box_of_triangles_hides_what_a_box_hides), CASE(an_open_sheet_hides_from_both_sides),
        CASE(the_tree_finds_what_all_triangles_one_by_one_do), CASE(a_mesh_of_nothing_hides_nothing)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    ri_arena_init(&arena, ctx);
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
    return result;
}
