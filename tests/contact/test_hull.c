// SPDX-License-Identifier: Apache-2.0
/// \file
/// Convex bodies: distance, depth and manifolds against closed forms and against the hull of all
/// differences of corners, which knows nothing of simplices or expanding polytopes; decomposition
/// of meshes.
#include "check.h"

#include "base/rng.h"
#include "contact/hull.h"

static RiContext *open_context(void)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    return ctx;
}

static RiVec3 random_vec(RiRng *rng, double size)
{
    const double x = ri_rng_between(rng, -size, size), y = ri_rng_between(rng, -size, size);
    return ri_vec3(x, y, ri_rng_between(rng, -size, size));
}

static RiPose random_pose(RiRng *rng, double far)
{
    const RiQuat q =
        ri_quat_normalize((RiQuat){ri_rng_normal(rng), ri_rng_normal(rng), ri_rng_normal(rng), ri_rng_normal(rng)});
    return (RiPose){ri_quat_to_mat3(q), random_vec(rng, far)};
}

/// A hull in its place, with points of its own.
typedef struct Solid {
    RiHull hull;
    RiVec3 points[RI_HULL_POINTS];
    RiConvex c;
} Solid;

static void put(Solid *s, RiPose pose)
{
    for (int i = 0; i < s->hull.point_count; i++)
        s->points[i] = ri_pose_point(&pose, s->hull.points[i]);
    s->c = (RiConvex){&s->hull, s->points, pose};
}

static void random_solid(RiArena *arena, RiRng *rng, double far, Solid *out)
{
    RiVec3 points[40];
    const int n = 4 + ri_rng_below(rng, 36);
    const RiVec3 stretch = ri_vec3(ri_rng_between(rng, 0.05, 1.0), ri_rng_between(rng, 0.05, 1.0), 1.0);
    for (int i = 0; i < n; i++) {
        const RiVec3 p = random_vec(rng, 0.5);
        points[i] = ri_vec3(p.x * stretch.x, p.y * stretch.y, p.z);
    }
    if (ri_hull_create(arena, n, points, RI_HULL_POINTS, &out->hull) != RI_OK)
        abort();
    put(out, random_pose(rng, far));
}

// --- the oracle ----------------------------------------------------------------------------------

static double point_segment(RiVec3 a, RiVec3 b)
{
    const RiVec3 d = ri_sub(b, a);
    const double t = fmin(1.0, fmax(0.0, -ri_dot(a, d) / ri_dot(d, d)));
    return ri_norm(ri_add(a, ri_scale(t, d)));
}

/// Distance of the origin from a convex polygon in space.
static double from_face(const RiHull *h, const RiHullFace *f)
{
    const int *c = h->corners + f->first;
    bool over = true;
    double least = INFINITY;
    for (int k = 0; k < f->count; k++) {
        const RiVec3 a = h->points[c[k]], b = h->points[c[(k + 1) % f->count]];
        over &= ri_dot(ri_cross(f->normal, ri_sub(b, a)), ri_scale(-1.0, a)) >= 0.0;
        least = fmin(least, point_segment(a, b));
    }
    return over ? fabs(f->offset) : least;
}

/// Signed distance from all differences of corners.
static double brute_distance(RiContext *ctx, const Solid *A, const Solid *B)
{
    static RiVec3 all[RI_HULL_POINTS * RI_HULL_POINTS];
    int n = 0;
    for (int i = 0; i < A->hull.point_count; i++)
        for (int k = 0; k < B->hull.point_count; k++)
            all[n++] = ri_sub(A->points[i], B->points[k]);
    RiArena arena;
    RiHull hull;
    ri_arena_init(&arena, ctx);
    if (ri_hull_create(&arena, n, all, n, &hull) != RI_OK)
        abort();
    const RiVec3 origin = {0.0, 0.0, 0.0};
    double distance = -ri_hull_depth(&hull, origin);
    if (distance > 0.0) {
        distance = INFINITY;
        for (int f = 0; f < hull.face_count; f++)
            distance = fmin(distance, from_face(&hull, &hull.faces[f]));
    }
    ri_arena_free(&arena);
    return distance;
}

// --- claims --------------------------------------------------------------------------------------

TEST(hulls_of_shapes_have_their_volumes_and_whole_faces)
{
    RiContext *ctx = open_context();
    RiArena arena;
    RiRng rng = ri_rng_stream(3, "shapes");
    ri_arena_init(&arena, ctx);
    const RiPose pose = random_pose(&rng, 1.0);
    RiHull box, rod;
    REQUIRE_OK(ctx, ri_hull_box(&arena, &pose, ri_vec3(0.2, 0.3, 0.4), &box));
    CHECK_INT(box.point_count, 8);
    CHECK_INT(box.face_count, 6);
    CHECK_CLOSE(ri_hull_volume(&box), 0.024, 1e-15);
    for (int f = 0; f < box.face_count; f++)
        CHECK_INT(box.faces[f].count, 4);
    REQUIRE_OK(ctx, ri_hull_cylinder(&arena, &pose, 0.1, 0.5, 32, &rod));
    CHECK_INT(rod.face_count, 34);
    CHECK_CLOSE(ri_hull_volume(&rod), M_PI * 0.01 * 0.5, 2e-3 * M_PI * 0.01 * 0.5);
    CHECK_CLOSE(ri_hull_depth(&rod, pose.p), 0.1, 3e-4);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

TEST(a_hull_with_fewer_corners_lies_within_the_exact_one)
{
    RiContext *ctx = open_context();
    RiArena arena;
    RiRng rng = ri_rng_stream(4, "ball");
    RiVec3 points[500];
    ri_arena_init(&arena, ctx);
    for (int i = 0; i < 500; i++) {
        points[i] = random_vec(&rng, 1.0);
        points[i] = ri_scale(1.0 / ri_norm(points[i]), points[i]);
    }
    RiHull all, few;
    REQUIRE_OK(ctx, ri_hull_create(&arena, 500, points, 500, &all));
    REQUIRE_OK(ctx, ri_hull_create(&arena, 500, points, 48, &few));
    CHECK_INT(all.point_count, 500);
    CHECK(few.point_count <= 48);
    for (int i = 0; i < few.point_count; i++)
        CHECK(ri_hull_depth(&all, few.points[i]) > -1e-12);
    CHECK(ri_hull_volume(&few) > 0.85 * ri_hull_volume(&all));
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

TEST(distance_and_depth_of_random_hulls_are_those_of_all_differences_of_corners)
{
    RiContext *ctx = open_context();
    RiArena arena;
    RiRng rng = ri_rng_stream(5, "pairs");
    int overlapping = 0;
    double worst = 0.0;
    ri_arena_init(&arena, ctx);
    for (int trial = 0; trial < 1000; trial++) {
        Solid A, B;
        const double far = trial % 2 ? 0.8 : 0.35;
        random_solid(&arena, &rng, far, &A);
        random_solid(&arena, &rng, far, &B);
        const RiNearest x = ri_convex_nearest(&A.c, &B.c, random_vec(&rng, 1.0));
        const double want = brute_distance(ctx, &A, &B);
        overlapping += want < 0.0;
        worst = fmax(worst, fabs(x.distance - want));
        CHECK_CLOSE(x.distance, want, 1e-9);
        CHECK_CLOSE(ri_norm(x.normal), 1.0, 1e-9);
        const RiVec3 apart = ri_sub(ri_sub(x.a, x.b), ri_scale(x.distance, x.normal));
        CHECK(ri_norm(apart) < 1e-7);
        if (trial % 100 == 99) {
            ri_arena_free(&arena);
            ri_arena_init(&arena, ctx);
        }
    }
    CHECK(overlapping > 150 && overlapping < 850);
    CHECK(worst < 1e-9);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

TEST(boxes_that_share_faces_edges_and_corners_have_the_depth_of_the_closed_form)
{
    RiContext *ctx = open_context();
    RiArena arena;
    ri_arena_init(&arena, ctx);
    RiPose at = ri_pose_identity();
    Solid A, B;
    REQUIRE_OK(ctx, ri_hull_box(&arena, &at, ri_vec3(1.0, 1.0, 1.0), &A.hull));
    B.hull = A.hull;
    put(&B, at);
    for (int i = -20; i <= 20; i++)
        for (int k = -2; k <= 2; k++) {
            at.p = ri_vec3(0.5 * k, 0.25 * k, 1.0 + 1e-3 * i);
            put(&A, at);
            const double dx = fabs(at.p.x) - 1.0, dy = fabs(at.p.y) - 1.0, dz = at.p.z - 1.0;
            const double out = sqrt(pow(fmax(dx, 0.0), 2) + pow(fmax(dy, 0.0), 2) + pow(fmax(dz, 0.0), 2));
            const double want = out > 0.0 ? out : fmax(dz, fmax(dx, dy));
            const RiNearest x = ri_convex_nearest(&A.c, &B.c, ri_vec3(0.1, 0.2, 1.0));
            CHECK_CLOSE(x.distance, want, 1e-12);
        }
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

TEST(a_box_on_a_box_meets_it_in_the_four_corners_of_what_they_share)
{
    RiContext *ctx = open_context();
    RiArena arena;
    ri_arena_init(&arena, ctx);
    RiPose at = ri_pose_identity();
    Solid A, B;
    REQUIRE_OK(ctx, ri_hull_box(&arena, &at, ri_vec3(0.4, 0.4, 0.2), &A.hull));
    REQUIRE_OK(ctx, ri_hull_box(&arena, &at, ri_vec3(1.0, 0.2, 0.2), &B.hull));
    put(&B, at);
    at.p = ri_vec3(0.4, 0.0, 0.199);
    put(&A, at);
    RiMeet m[RI_MEETS];
    RiVec3 axis = {0.0, 0.0, 0.0};
    CHECK_INT(ri_convex_meet(&A.c, &B.c, 5e-3, &axis, m), 4);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 4; i++) {
        CHECK_CLOSE(m[i].depth, 1e-3, 1e-12);
        CHECK_CLOSE(m[i].normal.z, 1.0, 1e-12);
        CHECK_CLOSE(fabs(m[i].point.y), 0.1, 1e-12);
        low = fmin(low, m[i].point.x), high = fmax(high, m[i].point.x);
    }
    CHECK_CLOSE(low, 0.2, 1e-12);
    CHECK_CLOSE(high, 0.5, 1e-12);
    CHECK_CLOSE(axis.z, 1.0, 1e-12);
    at.p.z = 0.21; // farther than the margin: the last normal says so
    put(&A, at);
    CHECK_INT(ri_convex_meet(&A.c, &B.c, 5e-3, &axis, m), 0);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

TEST(capsules_side_by_side_meet_at_both_ends_and_crossed_ones_once)
{
    RiContext *ctx = open_context();
    RiArena arena;
    ri_arena_init(&arena, ctx);
    RiPose at = ri_pose_identity();
    Solid A, B, box;
    RiMeet m[RI_MEETS];
    REQUIRE_OK(ctx, ri_hull_capsule(&arena, &at, 0.1, 0.6, &A.hull));
    B.hull = A.hull;
    put(&B, at);
    at.p = ri_vec3(0.199, 0.0, 0.2);
    put(&A, at);
    RiVec3 axis = {0.0, 0.0, 0.0};
    CHECK_INT(ri_convex_meet(&A.c, &B.c, 5e-3, &axis, m), 2);
    for (int i = 0; i < 2; i++) {
        CHECK_CLOSE(m[i].depth, 1e-3, 1e-12);
        CHECK_CLOSE(m[i].normal.x, 1.0, 1e-12);
        CHECK_CLOSE(m[i].point.x, 0.0995, 1e-12);
    }
    CHECK_CLOSE(fabs(m[0].point.z - m[1].point.z), 0.4, 1e-12);
    at = (RiPose){ri_mat3_axis_angle(ri_vec3(1.0, 0.0, 0.0), 0.5 * M_PI), ri_vec3(0.199, 0.0, 0.1)};
    put(&A, at);
    CHECK_INT(ri_convex_meet(&A.c, &B.c, 5e-3, &axis, m), 1);
    CHECK_CLOSE(m[0].depth, 1e-3, 1e-12);
    // lying on a box, half over its edge
    at = ri_pose_identity();
    REQUIRE_OK(ctx, ri_hull_box(&arena, &at, ri_vec3(1.0, 1.0, 0.2), &box.hull));
    put(&box, at);
    at = (RiPose){ri_mat3_axis_angle(ri_vec3(0.0, 1.0, 0.0), 0.5 * M_PI), ri_vec3(0.5, 0.0, 0.198)};
    put(&A, at);
    axis = ri_vec3(0.0, 0.0, 1.0);
    CHECK_INT(ri_convex_meet(&A.c, &box.c, 5e-3, &axis, m), 2);
    CHECK_CLOSE(fmax(m[0].point.x, m[1].point.x), 0.5, 1e-12);
    CHECK_CLOSE(fmin(m[0].point.x, m[1].point.x), 0.2, 1e-12);
    CHECK_CLOSE(m[0].depth, 2e-3, 1e-12);
    CHECK_CLOSE(m[1].normal.z, 1.0, 1e-12);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

TEST(manifolds_never_claim_more_depth_than_the_bodies_have)
{
    RiContext *ctx = open_context();
    RiArena arena;
    RiRng rng = ri_rng_stream(6, "manifolds");
    ri_arena_init(&arena, ctx);
    int met = 0;
    for (int trial = 0; trial < 2000; trial++) {
        Solid A, B;
        random_solid(&arena, &rng, 0.4, &A);
        random_solid(&arena, &rng, 0.4, &B);
        RiMeet m[RI_MEETS];
        RiVec3 axis = {0.0, 0.0, 0.0};
        const int n = ri_convex_meet(&A.c, &B.c, 0.01, &axis, m);
        const RiNearest x = ri_convex_nearest(&A.c, &B.c, ri_vec3(0.0, 0.0, 1.0));
        CHECK((n > 0) == (x.distance < 0.01));
        double deepest = -INFINITY;
        for (int i = 0; i < n; i++)
            deepest = fmax(deepest, m[i].depth);
        if (n > 0 &&
            x.distance > -0.02) { // faces within 2.5 degrees of the normal carry: their depth is a little larger
            CHECK_CLOSE(deepest, -x.distance, 0.05);
            met++;
        }
        if (trial % 100 == 99) {
            ri_arena_free(&arena);
            ri_arena_init(&arena, ctx);
        }
    }
    CHECK(met > 20);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

// --- meshes --------------------------------------------------------------------------------------

enum { MESH_POINTS = 40000, MESH_TRIANGLES = 80000 };

typedef struct Mesh {
    RiVec3 points[MESH_POINTS];
    uint32_t triangles[MESH_TRIANGLES][3];
    RiTriangleSet set;
} Mesh;

static void triangle(Mesh *m, int a, int b, int c)
{
    uint32_t *t = m->triangles[m->set.triangle_count++];
    t[0] = (uint32_t)a, t[1] = (uint32_t)b, t[2] = (uint32_t)c;
}

static Mesh *new_mesh(void)
{
    Mesh *m = calloc(1, sizeof *m);
    if (!m)
        abort();
    m->set.points = m->points;
    m->set.triangles = (const uint32_t(*)[3])m->triangles;
    return m;
}

/// An L: two boxes of 1 x 1 x 3 and 1 x 1 x 1 with a common face.
static Mesh *make_L(void)
{
    static const double ring[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    static const int cover[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    Mesh *m = new_mesh();
    for (int i = 0; i < 12; i++)
        m->points[i] = ri_vec3(ring[i % 6][0], ring[i % 6][1], i < 6 ? 0.0 : 1.0);
    m->set.point_count = 12;
    for (int i = 0; i < 4; i++) {
        triangle(m, cover[i][0], cover[i][2], cover[i][1]);
        triangle(m, 6 + cover[i][0], 6 + cover[i][1], 6 + cover[i][2]);
    }
    for (int i = 0; i < 6; i++) {
        const int k = (i + 1) % 6;
        triangle(m, i, k, 6 + k);
        triangle(m, i, 6 + k, 6 + i);
    }
    return m;
}

/// A torus of n x k points.
static Mesh *make_torus(double R, double r, int n, int k)
{
    Mesh *m = new_mesh();
    m->set.point_count = n * k;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            const double a = 2.0 * M_PI * i / n, b = 2.0 * M_PI * j / k, x = R + r * cos(b);
            m->points[i * k + j] = ri_vec3(x * cos(a), x * sin(a), r * sin(b));
            const int p = i * k + j, q = ((i + 1) % n) * k + j, s = ((i + 1) % n) * k + (j + 1) % k,
                      t = i * k + (j + 1) % k;
            triangle(m, p, q, s);
            triangle(m, p, s, t);
        }
    return m;
}

/// How far the mesh's points stand out of all hulls at most.
static double uncovered(const Mesh *m, const RiHull *hulls, int count)
{
    double worst = -INFINITY;
    for (int i = 0; i < m->set.point_count; i++) {
        double best = INFINITY;
        for (int h = 0; h < count; h++)
            best = fmin(best, -ri_hull_depth(&hulls[h], m->points[i]));
        worst = fmax(worst, best);
    }
    return worst;
}

static double volume_of(const RiHull *hulls, int count)
{
    double sum = 0.0;
    for (int h = 0; h < count; h++)
        sum += ri_hull_volume(&hulls[h]);
    return sum;
}

TEST(an_L_is_two_boxes_and_a_box_is_one)
{
    RiContext *ctx = open_context();
    RiArena arena;
    RiHull *hulls;
    int count;
    ri_arena_init(&arena, ctx);
    Mesh *m = make_L();
    const RiDecomposition how = {.tolerance = 0.01, .most = 8, .corners = 64};
    REQUIRE_OK(ctx, ri_hull_decompose(&arena, &m->set, &how, &hulls, &count));
    CHECK_INT(count, 2);
    CHECK_CLOSE(volume_of(hulls, count), 4.0, 1e-9);
    CHECK(uncovered(m, hulls, count) < 1e-9);
    const RiDecomposition coarse = {.tolerance = 1.0, .most = 8, .corners = 64};
    REQUIRE_OK(ctx, ri_hull_decompose(&arena, &m->set, &coarse, &hulls, &count));
    CHECK_INT(count, 1);
    CHECK_CLOSE(volume_of(hulls, count), 5.0, 1e-9); // with the triangle of sides 1 and 2 across the hollow
    free(m);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

TEST(a_torus_is_covered_within_the_tolerance_and_keeps_its_hole)
{
    RiContext *ctx = open_context();
    RiArena arena;
    RiHull *hulls;
    int count;
    ri_arena_init(&arena, ctx);
    Mesh *m = make_torus(1.0, 0.3, 40, 20);
    const RiDecomposition how = {.tolerance = 0.08, .most = 64, .corners = 4096};
    REQUIRE_OK(ctx, ri_hull_decompose(&arena, &m->set, &how, &hulls, &count));
    const double volume = 2.0 * M_PI * M_PI * 0.09;
    CHECK(count >= 4 && count <= 32);
    CHECK(uncovered(m, hulls, count) < 1e-9);
    CHECK(volume_of(hulls, count) > 0.98 * volume && volume_of(hulls, count) < 1.25 * volume);
    const RiVec3 hole = {0.0, 0.0, 0.0};
    for (int h = 0; h < count; h++)
        CHECK(ri_hull_depth(&hulls[h], hole) < -0.5);
    free(m);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

TEST(flat_meshes_and_too_few_hulls_are_refused_with_what_is_wrong)
{
    RiContext *ctx = open_context();
    RiArena arena;
    RiHull *hulls;
    int count;
    ri_arena_init(&arena, ctx);
    Mesh *m = make_L();
    for (int i = 0; i < 12; i++)
        m->points[i].z = 0.25 * m->points[i].x;
    const RiDecomposition how = {.tolerance = 0.01, .most = 8, .corners = 64};
    CHECK_ERROR(ctx, ri_hull_decompose(&arena, &m->set, &how, &hulls, &count), RI_ERR_ARGUMENT, "no volume");
    m->set.point_count = m->set.triangle_count = 0;
    CHECK_ERROR(ctx, ri_hull_decompose(&arena, &m->set, &how, &hulls, &count), RI_ERR_ARGUMENT, "no volume");
    free(m);
    m = make_torus(1.0, 0.2, 20, 10);
    const RiDecomposition few = {.tolerance = 0.02, .most = 3, .corners = 64};
    CHECK_ERROR(ctx, ri_hull_decompose(&arena, &m->set, &few, &hulls, &count), RI_ERR_LIMIT, "20 mm in 3 hulls");
    m->points[7].x = NAN;
    CHECK_ERROR(ctx, ri_hull_decompose(&arena, &m->set, &few, &hulls, &count), RI_ERR_ARGUMENT, "not finite");
    CHECK_INT(count, 0);
    free(m);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

/// An allocator whose n-th call fails.
static void *failing_resize(void *user, void *block, size_t size)
{
    long *left = user;
    return --*left < 0 ? NULL : realloc(block, size);
}

static void plain_release(void *user, void *block)
{
    (void)user;
    free(block);
}

TEST(every_failed_allocation_of_a_decomposition_is_answered_and_nothing_leaks)
{
    Mesh *m = make_L();
    const RiDecomposition how = {.tolerance = 0.01, .most = 8, .corners = 64};
    bool done = false;
    for (long n = 0; n < 4000 && !done; n++) {
        long left = 1000000;
        const RiAllocator failing = {failing_resize, plain_release, &left};
        RiContext *ctx;
        if (ri_context_create(&failing, &ctx) != RI_OK)
            abort();
        RiArena arena;
        RiHull *hulls;
        int count;
        ri_arena_init(&arena, ctx);
        left = n;
        const RiStatus status = ri_hull_decompose(&arena, &m->set, &how, &hulls, &count);
        done = status == RI_OK;
        CHECK(done || status == RI_ERR_MEMORY);
        CHECK(done || (hulls == NULL && count == 0));
        ri_arena_free(&arena);
        ri_context_destroy(ctx);
    }
    CHECK(done);
    free(m);
}

TEST_MAIN(CASE(hulls_of_shapes_have_their_volumes_and_whole_faces),
          CASE(a_hull_with_fewer_corners_lies_within_the_exact_one),
          CASE(distance_and_depth_of_random_hulls_are_those_of_all_differences_of_corners),
          CASE(boxes_that_share_faces_edges_and_corners_have_the_depth_of_the_closed_form),
          CASE(a_box_on_a_box_meets_it_in_the_four_corners_of_what_they_share),
          CASE(capsules_side_by_side_meet_at_both_ends_and_crossed_ones_once),
          CASE(manifolds_never_claim_more_depth_than_the_bodies_have), CASE(an_L_is_two_boxes_and_a_box_is_one),
          CASE(a_torus_is_covered_within_the_tolerance_and_keeps_its_hole),
          CASE(flat_meshes_and_too_few_hulls_are_refused_with_what_is_wrong),
          CASE(every_failed_allocation_of_a_decomposition_is_answered_and_nothing_leaks))
