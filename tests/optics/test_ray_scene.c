// SPDX-License-Identifier: Apache-2.0
/// \file
/// The ray scene: shapes at closed forms, ground against the terrain's own rays, ruts, masks,
/// motion, packets.
#include <rille/rille.h>

#include "base/rng.h"
#include "check.h"
#include "optics/ray_scene.h"

static RiContext *ctx;
static const float grey[3] = {0.5f, 0.4f, 0.3f};

static RiRay ray_to(RiVec3 origin, RiVec3 target)
{
    const RiVec3 d = ri_sub(target, origin);
    return (RiRay){.origin = origin, .direction = ri_scale(1.0 / ri_norm(d), d), .far = INFINITY, .mask = RI_RAY_ALL};
}

static int add_shape(RiRayScene *s, const char *name, unsigned mask, RiRayShape shape)
{
    int body, surface;
    CHECK(ri_ray_scene_add_surface(s, name, grey, &surface) == RI_OK);
    CHECK(ri_ray_scene_add_body(s, name, 7, mask, &body) == RI_OK);
    shape.surface = surface;
    CHECK(ri_ray_scene_add_shape(s, body, &shape) == RI_OK);
    return body;
}

TEST(a_moved_sphere_is_hit_where_it_is_to_1e_12)
{
    RiRayScene *s;
    RiRayPoint p;
    REQUIRE(ri_ray_scene_create(ctx, &s) == RI_OK);
    const int body = add_shape(s, "ball", RI_RAY_PHYSICAL,
                               (RiRayShape){.type = RI_RAY_SPHERE, .pose = ri_pose_identity(), .size = {0.5}});
    RiPose pose = ri_pose_identity();
    for (int i = 0; i < 5; i++) {
        pose.p = ri_vec3(3.0 + i, -2.0 * i, 1.0);
        ri_ray_scene_set_pose(s, body, &pose);
        CHECK(ri_ray_scene_update(s) == RI_OK);
        const RiRay ray = ray_to(ri_vec3(0.1, 0.2, 0.3), pose.p);
        REQUIRE(ri_ray_scene_look(s, &ray, &p));
        CHECK_CLOSE(p.range, ri_norm(ri_sub(pose.p, ray.origin)) - 0.5, 1e-12);
        CHECK_CLOSE(ri_dot(p.normal, ray.direction), -1.0, 1e-12);
        CHECK_INT(p.body, body);
        CHECK_INT(p.link, 7);
        CHECK_CLOSE(p.albedo[1], 0.4, 1e-6);
    }
    ri_ray_scene_destroy(s);
}

/// All shapes, from all sides, turned: the hit point lies on the surface.
TEST(hits_lie_on_the_surface_of_turned_shapes)
{
    const RiRayShape shapes[] = {{.type = RI_RAY_SPHERE, .size = {0.4}},
                                 {.type = RI_RAY_CYLINDER, .size = {0.3, 1.0}},
                                 {.type = RI_RAY_CAPSULE, .size = {0.3, 0.8}},
                                 {.type = RI_RAY_BOX, .size = {0.5, 0.7, 0.9}}};
    RiRng rng = ri_rng_stream(3, "shapes");
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        RiRayScene *s;
        int hits = 0;
        REQUIRE(ri_ray_scene_create(ctx, &s) == RI_OK);
        RiRayShape shape = shapes[k];
        shape.pose = (RiPose){ri_mat3_rpy(0.3, -0.8, 1.1), {0.1, 0.2, -0.3}};
        const int body = add_shape(s, "shape", RI_RAY_PHYSICAL, shape);
        const RiPose pose = {ri_mat3_rpy(-0.4, 0.2, 2.0), {50.0, -20.0, 4.0}};
        ri_ray_scene_set_pose(s, body, &pose);
        CHECK(ri_ray_scene_update(s) == RI_OK);
        const RiPose whole = ri_pose_mul(&pose, &shape.pose);
        for (int i = 0; i < 500; i++) {
            const RiVec3 to =
                ri_pose_point(&whole, ri_vec3(ri_rng_between(&rng, -0.6, 0.6), ri_rng_between(&rng, -0.6, 0.6),
                                              ri_rng_between(&rng, -0.9, 0.9)));
            const RiVec3 from =
                ri_add(pose.p, ri_vec3(ri_rng_between(&rng, -5.0, 5.0), ri_rng_between(&rng, -5.0, 5.0), 3.0));
            const RiRay ray = ray_to(from, to);
            RiRayPoint p;
            if (!ri_ray_scene_look(s, &ray, &p))
                continue;
            hits++;
            const RiVec3 q = ri_rotate_back(&whole.R, ri_sub(p.point, whole.p));
            const double r = hypot(q.x, q.y);
            const double off = k == 0   ? ri_norm(q) - 0.4
                               : k == 1 ? fmax(r - 0.3, fabs(q.z) - 0.5)
                               : k == 2 ? ri_norm(ri_vec3(q.x, q.y, fmax(fabs(q.z) - 0.4, 0.0))) - 0.3
                                        : fmax(fmax(fabs(q.x) - 0.25, fabs(q.y) - 0.35), fabs(q.z) - 0.45);
            CHECK_CLOSE(off, 0.0, 1e-12);
            CHECK(ri_dot(p.normal, ray.direction) < 0.0 && !p.inside);
        }
        CHECK(hits > 150);
        ri_ray_scene_destroy(s);
    }
}

TEST(sensors_do_not_see_ornaments)
{
    RiRayScene *s;
    RiRayPoint p;
    REQUIRE(ri_ray_scene_create(ctx, &s) == RI_OK);
    RiRayShape near = {.type = RI_RAY_BOX, .pose = ri_pose_identity(), .size = {0.2, 0.2, 0.2}}, far = near;
    near.pose.p.x = 2.0;
    far.pose.p.x = 5.0;
    const int label = add_shape(s, "label", RI_RAY_ORNAMENTAL, near), rock = add_shape(s, "rock", RI_RAY_PHYSICAL, far);
    CHECK(ri_ray_scene_update(s) == RI_OK);
    RiRay ray = ray_to(ri_vec3(0.0, 0.0, 0.0), ri_vec3(1.0, 0.0, 0.0));
    CHECK(ri_ray_scene_look(s, &ray, &p) && p.body == label);
    ray.mask = RI_RAY_PHYSICAL;
    CHECK(ri_ray_scene_look(s, &ray, &p) && p.body == rock);
    bool blocked;
    ray.far = 4.0;
    ri_ray_scene_blocked(s, 1, &ray, false, &blocked);
    CHECK(!blocked);
    ray.far = 6.0;
    ri_ray_scene_blocked(s, 1, &ray, false, &blocked);
    CHECK(blocked);
    ri_ray_scene_destroy(s);
}

/// Gentle hills of 10 cm cells.
static RiTerrain *hills(RiRaster **raster, RiInterpolation interpolation)
{
    RiTerrain *t = NULL;
    RiHeightsDef def = ri_heights_def_default();
    if (ri_raster_create(ctx, 161, 161, 0.1, 0.1, raster) != RI_OK)
        return NULL;
    (*raster)->x0 = (*raster)->y0 = -8.0;
    for (int j = 0; j < 161; j++)
        for (int i = 0; i < 161; i++)
            (*raster)->values[j * 161 + i] = (float)(0.4 * sin(0.07 * i) * cos(0.05 * j));
    def.raster = *raster;
    def.interpolation = interpolation;
    CHECK_OK(ctx, ri_terrain_create_heights(ctx, &def, &t));
    return t;
}

TEST(ground_of_heights_is_hit_where_the_terrain_says)
{
    RiRaster *raster;
    RiTerrain *t = hills(&raster, RI_BICUBIC);
    RiRayScene *s;
    RiRng rng = ri_rng_stream(4, "hills");
    REQUIRE(t && ri_ray_scene_create(ctx, &s) == RI_OK);
    const RiRayGroundDef def = {.terrain = t, .focus = {1.0, 2.0, 0.0}};
    CHECK_OK(ctx, ri_ray_scene_set_ground(s, &def));
    CHECK_OK(ctx, ri_ray_scene_update(s));
    CHECK(ri_ray_scene_triangles(s) >= 2 * 160 * 160);
    for (int i = 0; i < 400; i++) {
        const RiRay ray = ray_to(ri_vec3(ri_rng_between(&rng, -4.0, 4.0), ri_rng_between(&rng, -4.0, 4.0), 2.0),
                                 ri_vec3(ri_rng_between(&rng, -4.0, 4.0), ri_rng_between(&rng, -4.0, 4.0), 0.0));
        RiRayPoint p;
        RiTerrainHit h;
        REQUIRE(ri_ray_scene_look(s, &ray, &p) && ri_terrain_ray(t, ray.origin, ray.direction, 50.0, &h));
        RiHeight at;
        CHECK(ri_terrain_height(t, p.point.x, p.point.y, &at));
        CHECK_CLOSE(p.point.z, at.z, 6e-4); // a cell's chord lies 0.5 mm below the curve
        CHECK_CLOSE(p.range, h.range, 6e-3);
        CHECK(ri_dot(p.shading, h.normal) > 0.9999);
        CHECK_INT(p.body, RI_RAY_GROUND);
        CHECK_INT(p.soil, 0);
    }
    ri_ray_scene_destroy(s);
    ri_terrain_destroy(t);
    ri_raster_destroy(raster);
}

/// Rings of growing cells have no gaps: rays from above hit everywhere.
TEST(rings_of_ground_have_no_gaps)
{
    RiRaster *raster;
    RiTerrain *t = hills(&raster, RI_BILINEAR);
    RiRayScene *s;
    RiRng rng = ri_rng_stream(5, "rings");
    REQUIRE(t && ri_ray_scene_create(ctx, &s) == RI_OK);
    const RiRayGroundDef def = {.terrain = t, .reach = 0.8, .focus = {0.3, 0.1, 0.0}};
    CHECK_OK(ctx, ri_ray_scene_set_ground(s, &def));
    CHECK_OK(ctx, ri_ray_scene_update(s));
    for (int i = 0; i < 20000; i++) {
        const RiVec3 to = ri_vec3(ri_rng_between(&rng, -6.0, 6.0), ri_rng_between(&rng, -6.0, 6.0), 0.0);
        const RiRay ray = ray_to(ri_vec3(to.x + 0.2, to.y, 5.0), to);
        RiRayPoint p;
        CHECK(ri_ray_scene_look(s, &ray, &p));
    }
    // along the border of the first ring
    for (int i = 0; i < 20000; i++) {
        const RiVec3 to = ri_vec3(0.8 + 0.3, ri_rng_between(&rng, -0.7, 0.7), 0.0);
        const RiRay ray = ray_to(ri_vec3(to.x, to.y, 5.0), to);
        RiRayPoint p;
        CHECK(ri_ray_scene_look(s, &ray, &p));
    }
    ri_ray_scene_destroy(s);
    ri_terrain_destroy(t);
    ri_raster_destroy(raster);
}

static void press(RiRuts *ruts, double x, double y, double depth)
{
    int i, j;
    ri_ruts_cell_at(ruts, x, y, &i, &j);
    for (int b = -4; b <= 4; b++)
        for (int a = -4; a <= 4; a++)
            CHECK(ri_ruts_set(ruts, i + a, j + b,
                              &(RiRut){.depth = (float)depth, .compacted = (float)fmax(depth, 0.0)}) == RI_OK);
    ri_ruts_commit(ruts);
}

static double height_seen(const RiRayScene *s, double x, double y)
{
    const RiRay ray = ray_to(ri_vec3(x, y, 3.0), ri_vec3(x, y, 0.0));
    RiRayPoint p;
    return ri_ray_scene_look(s, &ray, &p) ? p.point.z : NAN;
}

TEST(ruts_and_berms_are_seen_as_they_come)
{
    const RiPlaneDef plane = {.point = {0.0, 0.0, 0.1}};
    RiTerrain *t;
    RiRuts *ruts;
    RiRayScene *s;
    REQUIRE(ri_terrain_create_plane(ctx, &plane, &t) == RI_OK);
    REQUIRE(ri_ruts_create(ctx, &(RiRutsDef){.cell = 0.01, .memory = 64 << 20}, &ruts) == RI_OK);
    REQUIRE(ri_ray_scene_create(ctx, &s) == RI_OK);
    CHECK_OK(ctx, ri_ray_scene_set_ground(s, &(RiRayGroundDef){.terrain = t, .ruts = ruts}));
    CHECK_OK(ctx, ri_ray_scene_update(s));
    CHECK_CLOSE(height_seen(s, 0.3, 0.2), 0.1, 1e-9);
    press(ruts, 0.3, 0.2, 0.05);
    CHECK_OK(ctx, ri_ray_scene_update(s));
    CHECK_CLOSE(height_seen(s, 0.3, 0.2), 0.05, 1e-6);
    CHECK_CLOSE(height_seen(s, 0.5, 0.5), 0.1, 1e-6);  // in the tile, untouched
    CHECK_CLOSE(height_seen(s, 5.0, -3.0), 0.1, 1e-9); // far away
    press(ruts, 0.3, 0.2, -0.02);                      // a berm
    press(ruts, -2.0, 1.0, 0.03);
    CHECK_OK(ctx, ri_ray_scene_update(s));
    CHECK_CLOSE(height_seen(s, 0.3, 0.2), 0.12, 1e-6);
    CHECK_CLOSE(height_seen(s, -2.0, 1.0), 0.07, 1e-6);
    ri_ray_scene_destroy(s);
    ri_ruts_destroy(ruts);
    ri_terrain_destroy(t);
}

TEST(packets_and_single_rays_agree)
{
    enum { N = 1003 };
    static RiRay rays[N];
    static RiRayHit one[N], many[N];
    static RiRayPoint points[N];
    static bool blocked[N], blocked_many[N];
    RiRaster *raster;
    RiTerrain *t = hills(&raster, RI_BICUBIC);
    RiRayScene *s;
    RiRng rng = ri_rng_stream(6, "packets");
    REQUIRE(t && ri_ray_scene_create(ctx, &s) == RI_OK);
    add_shape(s, "ball", RI_RAY_PHYSICAL,
              (RiRayShape){.type = RI_RAY_CAPSULE, .pose = ri_pose_identity(), .size = {0.7, 0.4}});
    CHECK_OK(ctx, ri_ray_scene_set_ground(s, &(RiRayGroundDef){.terrain = t}));
    CHECK_OK(ctx, ri_ray_scene_update(s));
    for (int i = 0; i < N; i++) {
        rays[i] = ray_to(ri_vec3(-5.0, 0.0, 2.0),
                         ri_vec3(0.0, ri_rng_between(&rng, -2.0, 2.0), ri_rng_between(&rng, -1.0, 2.5)));
        rays[i].far = 30.0;
    }
    ri_ray_scene_trace(s, N, rays, true, many);
    ri_ray_scene_blocked(s, N, rays, true, blocked_many);
    ri_ray_scene_blocked(s, N, rays, false, blocked);
    ri_ray_scene_trace(s, N, rays, false, one);
    int bodies = 0, ground = 0;
    for (int i = 0; i < N; i++) {
        CHECK_INT(many[i].body, one[i].body);
        CHECK(blocked[i] == blocked_many[i] && blocked[i] == (one[i].body != RI_RAY_NOTHING));
        if (one[i].body != RI_RAY_NOTHING)
            CHECK_CLOSE(many[i].range, one[i].range, 1e-4);
        bodies += one[i].body >= 0;
        ground += one[i].body == RI_RAY_GROUND;
    }
    ri_ray_scene_look_many(s, N, rays, true, points);
    for (int i = 0; i < N; i++) {
        RiRayPoint p;
        CHECK_INT(points[i].body, one[i].body);
        if (points[i].body != one[i].body || !ri_ray_scene_look(s, &rays[i], &p))
            continue;
        CHECK_CLOSE(points[i].range, p.range, 1e-4);
        CHECK(ri_dot(points[i].normal, p.normal) > 0.999 && ri_dot(points[i].shading, p.shading) > 0.999);
        CHECK(points[i].surface == p.surface && points[i].soil == p.soil && points[i].link == p.link);
    }
    CHECK(bodies > 50);
    CHECK(ground > 100);
    ri_ray_scene_destroy(s);
    ri_terrain_destroy(t);
    ri_raster_destroy(raster);
}

/// Ground that is not a height field answers by itself: a tube seen from within.
TEST(a_shaft_is_seen_from_within)
{
    const RiGroundPart tube = {.shape = RI_GROUND_TUBE, .pose = ri_pose_identity(), .a = 0.8, .material = "ice"};
    RiTerrain *t;
    RiRayScene *s;
    RiRayPoint p;
    REQUIRE(ri_terrain_create_shapes(ctx, 1, &tube, &t) == RI_OK);
    REQUIRE(ri_ray_scene_create(ctx, &s) == RI_OK);
    CHECK_OK(ctx, ri_ray_scene_set_ground(s, &(RiRayGroundDef){.terrain = t}));
    CHECK_OK(ctx, ri_ray_scene_update(s));
    const RiRay ray = ray_to(ri_vec3(0.1, 0.0, 0.0), ri_vec3(1.1, 0.0, 0.5));
    REQUIRE(ri_ray_scene_look(s, &ray, &p));
    CHECK_CLOSE(hypot(p.point.x, p.point.y), 0.8, 1e-9);
    CHECK_CLOSE(p.normal.x, -1.0, 1e-6);
    CHECK(strcmp(ri_ray_scene_surface(s, p.surface)->name, "ice") == 0);
    ri_ray_scene_destroy(s);
    ri_terrain_destroy(t);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(a_moved_sphere_is_hit_where_it_is_to_1e_12),
        CASE(hits_lie_on_the_surface_of_turned_shapes),
        CASE(sensors_do_not_see_ornaments),
        CASE(ground_of_heights_is_hit_where_the_terrain_says),
        CASE(rings_of_ground_have_no_gaps),
        CASE(ruts_and_berms_are_seen_as_they_come),
        CASE(packets_and_single_rays_agree),
        CASE(a_shaft_is_seen_from_within),
    };
    RiRayScene *s;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    if (ri_ray_scene_create(ctx, &s) == RI_ERR_UNSUPPORTED) {
        printf("skipped: %s\n", ri_context_message(ctx));
        ri_context_destroy(ctx);
        return 77;
    }
    ri_ray_scene_destroy(s);
    const int failed = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return failed;
}
