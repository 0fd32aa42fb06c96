// SPDX-License-Identifier: Apache-2.0
/// \file
/// Mesh terrain against brute force and against the shapes that the meshes were made from.
#include "check.h"
#include "io/faults.h"
#include "meshes.h"
#include "terrain/mesh.h"

#if defined(__SANITIZE_ADDRESS__)
enum { POINTS = 5000 };
#else
enum { POINTS = 100000 };
#endif

// --- ideal shapes: distance with sign ------------------------------------------------------------

static double ideal_sphere(RiVec3 p, const double *s)
{
    return ri_norm(p) - s[0];
}

static double ideal_torus(RiVec3 p, const double *s)
{
    return hypot(hypot(p.x, p.y) - s[0], p.z) - s[1];
}

static double ideal_tube(RiVec3 p, const double *s)
{
    return s[0] - hypot(p.x, p.y);
}

static double ideal_channel(RiVec3 p, const double *s)
{
    return s[0] - hypot(p.x, p.z);
}

static double ideal_ground(RiVec3 p, const double *s) // only its sign
{
    return p.z - s[1] * sin(3.0 * p.x) * cos(2.0 * p.y);
}

static double ideal_box(RiVec3 p, const double *s)
{
    const double x = fabs(p.x) - s[0], y = fabs(p.y) - s[1], z = fabs(p.z) - s[2];
    const double in = fmin(fmax(x, fmax(y, z)), 0.0);
    return in + hypot(hypot(fmax(x, 0.0), fmax(y, 0.0)), fmax(z, 0.0));
}

static double ideal_cave(RiVec3 p, const double *s)
{
    return -ideal_box(p, s);
}

/// Two boxes that overlap (s: half sizes; the second is moved by s[3] along x).
static double ideal_two(RiVec3 p, const double *s)
{
    return fmin(ideal_box(p, s), ideal_box(ri_sub(p, ri_vec3(s[3], 0.2, 0.1)), s));
}

typedef struct Shape {
    const char *name;
    SurfaceMap map;
    double (*ideal)(RiVec3 p, const double *s);
    double size[8];
    int nu, nv, holes, turned, twice;
    double coarse; ///< how far the mesh lies from the ideal shape
    double sure;   ///< share of points whose sign must be certain
    bool closed;
} Shape;

// Each is built in code; size[6] and size[7] say that v and u wrap.
static const Shape shapes[] = {
    {"sphere", map_sphere, ideal_sphere, {1, 0, 0, 0, 0, 0, 0, 1}, 60, 30, 0, 0, 0, 0.01, 1.0, true},
    {"coarse sphere", map_sphere, ideal_sphere, {1, 0, 0, 0, 0, 0, 0, 1}, 12, 6, 0, 0, 0, 0.16, 1.0, true},
    {"torus", map_torus, ideal_torus, {1, 0.4, 0, 0, 0, 0, 1, 1}, 60, 30, 0, 0, 0, 0.02, 1.0, true},
    {"thin torus", map_torus, ideal_torus, {1, 0.1, 0, 0, 0, 0, 1, 1}, 80, 16, 0, 0, 0, 0.02, 1.0, true},
    {"box", NULL, ideal_box, {0.6, 0.4, 0.3}, 0, 0, 0, 0, 0, 0.0, 1.0, true},
    {"flat box", NULL, ideal_box, {0.8, 0.6, 0.01}, 0, 0, 0, 0, 0, 0.0, 1.0, true},
    {"cave", NULL, ideal_cave, {0.6, 0.5, 0.7}, 0, 0, 0, 0, 0, 0.0, 1.0, true},
    {"two boxes in each other", NULL, ideal_two, {0.5, 0.4, 0.3, 0.6}, 0, 0, 0, 0, 0, 0.0, 0.99, true},
    {"two boxes edge to edge", NULL, ideal_two, {0.4, 0.4, 0.3, 0.8}, 0, 0, 0, 0, 0, 0.0, 0.95, true},
    {"tube", map_tube, ideal_tube, {0.8, 3, 0, 0, 0, 0, 0, 1}, 60, 20, 0, 0, 0, 0.01, 0.9, false},
    {"channel", map_channel, ideal_channel, {0.8, 3}, 40, 20, 0, 0, 0, 0.01, 0.4, false},
    {"ground", map_ground, ideal_ground, {4, 0.2}, 60, 60, 0, 0, 0, 0.02, 0.95, false},
    {"scan with holes", map_ground, ideal_ground, {4, 0.2}, 60, 60, 37, 0, 0, 0.02, 0.7, false},
    {"sphere with holes", map_sphere, ideal_sphere, {1, 0, 0, 0, 0, 0, 0, 1}, 60, 30, 101, 0, 0, 0.01, 0.8, false},
    {"sphere with turned triangles",
     map_sphere,
     ideal_sphere,
     {1, 0, 0, 0, 0, 0, 0, 1},
     60,
     30,
     0,
     7,
     0,
     0.01,
     1.0,
     true},
    {"sphere given twice", map_sphere, ideal_sphere, {1, 0, 0, 0, 0, 0, 0, 1}, 60, 30, 0, 0, 3, 0.01, 1.0, true},
    {"torus with everything", map_torus, ideal_torus, {1, 0.4, 0, 0, 0, 0, 1, 1}, 60, 30, 83, 11, 5, 0.02, 0.7, false},
    {"ground with turned triangles", map_ground, ideal_ground, {4, 0.2}, 60, 60, 0, 5, 0, 0.02, 0.95, false},
    {"tube with holes", map_tube, ideal_tube, {0.8, 3, 0, 0, 0, 0, 0, 1}, 60, 20, 61, 0, 0, 0.01, 0.6, false},
    {"channel with turned triangles", map_channel, ideal_channel, {0.8, 3}, 40, 20, 0, 6, 4, 0.01, 0.4, false},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static TestMesh build(const Shape *s)
{
    if (s->map)
        return mesh_break(mesh_patch(s->map, s->size, s->nu, s->nv), s->holes, s->turned, s->twice);
    const RiVec3 half = ri_vec3(s->size[0], s->size[1], s->size[2]);
    TestMesh m = mesh_box(ri_scale(-1.0, half), half);
    if (s->ideal == ideal_two) {
        const RiVec3 by = ri_vec3(s->size[3], 0.2, 0.1);
        m = mesh_join(m, mesh_box(ri_sub(by, half), ri_add(by, half)));
    }
    return m;
}

static RiTerrain *create(RiContext *ctx, const Shape *s, TestMesh *out)
{
    RiTerrain *t = NULL;
    *out = build(s);
    RiGroundMeshDef def = mesh_def(out);
    def.flip = s->ideal == ideal_cave;
    const RiStatus status = ri_terrain_create_mesh(ctx, &def, &t);
    if (status != RI_OK)
        CHECK_FAIL("%s: %s", s->name, ri_context_message(ctx));
    return t;
}

static RiVec3 random_point(RiRng *rng, double reach)
{
    return ri_vec3(ri_rng_between(rng, -reach, reach), ri_rng_between(rng, -reach, reach),
                   ri_rng_between(rng, -reach, reach));
}

TEST(distance_equals_brute_force)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiRng rng = ri_rng_stream(1, "brute");
    for (int i = 0; i < SHAPES; i++) {
        TestMesh mesh;
        RiTerrain *t = create(ctx, &shapes[i], &mesh);
        for (int k = 0; t && k < 200; k++) {
            const RiVec3 p = random_point(&rng, 1.6);
            RiSurface s;
            double best = INFINITY;
            ri_terrain_query(t, p, &s);
            for (int f = 0; f < mesh.triangle_count; f++) {
                const uint32_t *v = mesh.triangles[f];
                const RiMeshTriangle x = {mesh.points[v[0]], mesh.points[v[1]], mesh.points[v[2]]};
                if (v[0] != v[1] && ri_norm(ri_cross(ri_sub(x.b, x.a), ri_sub(x.c, x.a))) > 1e-12)
                    best = fmin(best, ri_triangle_closest(&x, p).d2);
            }
            CHECK_CLOSE(fabs(s.distance), sqrt(best), 1e-12);
            CHECK_CLOSE(ri_norm(s.normal), 1.0, 1e-12);
        }
        ri_terrain_destroy(t);
        mesh_free(&mesh);
    }
    ri_context_destroy(ctx);
}

/// Where the answer is certain it is right, and it is certain often enough.
TEST(sign_is_right_on_1e5_points_around_20_meshes)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiRng rng = ri_rng_stream(2, "sign");
    for (int i = 0; i < SHAPES; i++) {
        const Shape *shape = &shapes[i];
        TestMesh mesh;
        RiTerrain *t = create(ctx, shape, &mesh);
        int wrong = 0, sure = 0, asked = 0;
        for (int k = 0; t && k < POINTS; k++) {
            const RiVec3 p = random_point(&rng, 1.4);
            const double ideal = shape->ideal(p, shape->size);
            RiSurface s;
            if (fabs(ideal) <= 1.5 * shape->coarse + 1e-9)
                continue;
            ri_terrain_query(t, p, &s);
            asked++;
            if (s.flags & RI_SURFACE_AMBIGUOUS)
                continue;
            sure++;
            wrong += (s.distance < 0.0) != (ideal < 0.0);
        }
        if (wrong || sure < shape->sure * asked)
            CHECK_FAIL("%s: %d wrong, %d sure of %d", shape->name, wrong, sure, asked);
        if (t) {
            const RiTerrainInfo info = ri_terrain_info(t);
            CHECK((info.enclosed != 0.0) == shape->closed);
            CHECK((info.reversed > 0) == (shape->turned > 0));
        }
        ri_terrain_destroy(t);
        mesh_free(&mesh);
    }
    ri_context_destroy(ctx);
}

/// Where a ray passes a triangle (both sides), by Cramer's rule; INFINITY if it misses.
/// `*near_edge` if another rounding might decide otherwise.
static double pass(const RiMeshTriangle *t, RiVec3 p, RiVec3 d, bool *near_edge)
{
    const RiVec3 u = ri_sub(t->b, t->a), v = ri_sub(t->c, t->a), h = ri_cross(d, v);
    const double det = ri_dot(u, h), size = ri_norm(u) * ri_norm(v) * ri_norm(d);
    if (fabs(det) < 1e-12 * size)
        return INFINITY;
    const RiVec3 w = ri_sub(p, t->a), q = ri_cross(w, u);
    const double a = ri_dot(w, h) / det, b = ri_dot(d, q) / det, s = ri_dot(v, q) / det;
    const double least = fmin(fmin(a, b), 1.0 - a - b);
    *near_edge |= fabs(least) < 1e-4 || (fabs(det) < 1e-3 * size && least > -1.0);
    return least >= 0.0 && s >= 0.0 ? s : INFINITY;
}

TEST(rays_equal_brute_force)
{
    enum { RAYS = 300 };
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiRng rng = ri_rng_stream(3, "rays");
    for (int i = 0; i < SHAPES; i++) {
        TestMesh mesh;
        RiTerrain *t = create(ctx, &shapes[i], &mesh);
        int compared = 0, met = 0;
        for (int k = 0; t && k < RAYS; k++) {
            const RiVec3 p = random_point(&rng, 1.6), d = ri_sub(random_point(&rng, 0.8), p);
            const double range = 1.5; // in units of d
            double best = INFINITY;
            bool doubtful = false;
            RiTerrainHit hit;
            for (int f = 0; f < mesh.triangle_count; f++) {
                const uint32_t *v = mesh.triangles[f];
                const RiMeshTriangle x = {mesh.points[v[0]], mesh.points[v[1]], mesh.points[v[2]]};
                best = fmin(best, pass(&x, p, d, &doubtful));
            }
            const RiVec3 unit = ri_scale(1.0 / ri_norm(d), d);
            const double far = range * ri_norm(d);
            if (doubtful || fabs(best - range) < 1e-4)
                continue;
            const bool found = ri_terrain_ray(t, p, unit, far, &hit);
            CHECK(found == (best < range));
            if (found && best < range)
                CHECK_CLOSE(hit.range, best * ri_norm(d), 1e-5);
            compared++;
            met += found;
        }
        CHECK(compared > RAYS / 4 && met > 0);
        ri_terrain_destroy(t);
        mesh_free(&mesh);
    }
    ri_context_destroy(ctx);
}

TEST(a_cave_is_told_from_a_rock)
{
    RiContext *ctx;
    RiTerrain *rock, *cave;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    TestMesh box = mesh_box(ri_vec3(-1, -1, -1), ri_vec3(1, 1, 1));
    RiGroundMeshDef def = mesh_def(&box);
    CHECK_OK(ctx, ri_terrain_create_mesh(ctx, &def, &rock));
    def.flip = true;
    CHECK_OK(ctx, ri_terrain_create_mesh(ctx, &def, &cave));
    CHECK_CLOSE(ri_terrain_info(rock).enclosed, 8.0, 1e-12);
    CHECK_CLOSE(ri_terrain_info(cave).enclosed, -8.0, 1e-12);
    RiHeight h;
    CHECK(ri_terrain_height(rock, 0.3, 0.2, &h) && fabs(h.z - 1.0) < 1e-12);
    CHECK(ri_terrain_height_below(cave, 0.3, 0.2, 0.5, &h) && fabs(h.z + 1.0) < 1e-12);
    CHECK(!ri_terrain_height(rock, 3.0, 0.0, &h));
    ri_terrain_destroy(rock);
    ri_terrain_destroy(cave);
    mesh_free(&box);
    ri_context_destroy(ctx);
}

TEST(bad_meshes_are_refused_or_repaired)
{
    RiContext *ctx;
    RiTerrain *t;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiVec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}};
    uint32_t triangles[3][3] = {{0, 1, 3}, {0, 0, 1}, {0, 1, 2}};
    RiGroundMeshDef def = {
        .points = points, .triangles = (const uint32_t(*)[3])triangles, .point_count = 4, .triangle_count = 2};
    CHECK_ERROR(ctx, ri_terrain_create_mesh(ctx, &def, &t), RI_ERR_ARGUMENT, "none of its 2 triangles");
    CHECK(!t);
    def.triangle_count = 3;
    CHECK_OK(ctx, ri_terrain_create_mesh(ctx, &def, &t));
    CHECK_INT(ri_terrain_info(t).dropped, 2);
    CHECK_INT(ri_terrain_info(t).triangles, 1);
    CHECK_INT(ri_terrain_info(t).ambiguous, 3);
    ri_terrain_destroy(t);
    triangles[2][1] = 9;
    CHECK_ERROR(ctx, ri_terrain_create_mesh(ctx, &def, &t), RI_ERR_ARGUMENT, "uses point 9 of 4");
    points[0].y = NAN;
    CHECK_ERROR(ctx, ri_terrain_create_mesh(ctx, &def, &t), RI_ERR_ARGUMENT, "point 0");
    ri_context_destroy(ctx);
}

/// A fan has all its edges at one point, a book all its pages at one edge: neither may cost the
/// square of its size.
TEST(fans_and_books_are_linked_in_no_time)
{
    enum { PAGES = 20000 };
    RiContext *ctx;
    RiTerrain *t;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiVec3 *points = malloc((PAGES + 2) * sizeof *points);
    uint32_t(*triangles)[3] = malloc(PAGES * sizeof *triangles);
    REQUIRE(points && triangles);
    points[0] = ri_vec3(0, 0, 0), points[1] = ri_vec3(0, 0, 1);
    for (int i = 0; i < PAGES; i++)
        points[i + 2] = ri_vec3(cos(TAU * i / PAGES), sin(TAU * i / PAGES), 0.0);
    for (int book = 0; book < 2; book++) {
        for (int i = 0; i < PAGES; i++)
            memcpy(triangles[i], (uint32_t[3]){0, book ? 1 : (uint32_t)(2 + i), (uint32_t)(2 + (i + !book) % PAGES)},
                   12);
        const RiGroundMeshDef def = {.points = points,
                                     .triangles = (const uint32_t(*)[3])triangles,
                                     .point_count = PAGES + 2,
                                     .triangle_count = PAGES};
        REQUIRE_OK(ctx, ri_terrain_create_mesh(ctx, &def, &t));
        CHECK_INT(ri_terrain_info(t).triangles, PAGES);
        CHECK_INT(ri_terrain_info(t).dropped, 0);
        CHECK_INT(ri_terrain_info(t).ambiguous, book ? 2 * PAGES + 1 : PAGES);
        ri_terrain_destroy(t);
    }
    free(points);
    free(triangles);
    ri_context_destroy(ctx);
}

TEST(creation_survives_every_failed_allocation)
{
    TestMesh sphere = mesh_patch(map_sphere, shapes[0].size, 12, 6);
    const RiGroundMeshDef def = mesh_def(&sphere);
    bool done = false;
    for (long fail = 0; fail < 200 && !done; fail++) {
        Faults faults = {.fail_at = -1};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        RiTerrain *t;
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        faults.call = 0;
        faults.fail_at = fail;
        const RiStatus status = ri_terrain_create_mesh(ctx, &def, &t);
        done = faults.call <= fail;
        CHECK(done ? status == RI_OK : status == RI_ERR_MEMORY && !t);
        ri_terrain_destroy(t);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(done);
    mesh_free(&sphere);
}

TEST_MAIN(CASE(distance_equals_brute_force), CASE(sign_is_right_on_1e5_points_around_20_meshes),
          CASE(rays_equal_brute_force), CASE(a_cave_is_told_from_a_rock), CASE(bad_meshes_are_refused_or_repaired),
          CASE(fans_and_books_are_linked_in_no_time), CASE(creation_survives_every_failed_allocation))
