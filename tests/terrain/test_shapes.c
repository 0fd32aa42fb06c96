// SPDX-License-Identifier: Apache-2.0
/// \file
/// Analytic parts, unions and holes against brute force.
#include "ground.h"

#include "terrain/noise.h"

static const RiGroundPart samples[] = {
    {.shape = RI_GROUND_PLANE},
    {.shape = RI_GROUND_BOX, .a = 0.7, .b = 0.4, .c = 0.3},
    {.shape = RI_GROUND_SPHERE, .a = 0.6},
    {.shape = RI_GROUND_STONE, .a = 0.9, .b = 0.5, .c = 0.25},
    {.shape = RI_GROUND_RAMP, .a = 1.2, .b = 0.5, .c = 0.8},
    {.shape = RI_GROUND_TUBE, .a = 0.7, .b = 0.0},
    {.shape = RI_GROUND_TUBE, .a = 0.5, .b = 0.9},
    {.shape = RI_GROUND_WALLS, .a = 0.8},
    {.shape = RI_GROUND_CHANNEL, .a = 0.8, .b = 0.0},
    {.shape = RI_GROUND_CHANNEL, .a = 0.9, .b = 0.5},
    {.shape = RI_GROUND_PIPE, .a = 0.8},
    {.shape = RI_GROUND_PILLAR, .a = 0.4, .b = 0.6},
    {.shape = RI_GROUND_STONE, .a = 0.5, .b = 0.5, .c = 0.1},
    {.shape = RI_GROUND_STONE, .a = 0.3, .b = 0.3, .c = 0.3},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

/// Whether a point in the part's frame is solid, from the definition of the shape.
static bool is_solid(const RiGroundPart *s, RiVec3 p)
{
    const double r = hypot(p.x, p.y);
    switch (s->shape) {
    case RI_GROUND_PLANE:
        return p.z < 0.0;
    case RI_GROUND_BOX:
        return fabs(p.x) < s->a && fabs(p.y) < s->b && fabs(p.z) < s->c;
    case RI_GROUND_SPHERE:
        return ri_norm(p) < s->a;
    case RI_GROUND_STONE:
        return pow(p.x / s->a, 2) + pow(p.y / s->b, 2) + pow(p.z / s->c, 2) < 1.0;
    case RI_GROUND_RAMP:
        return p.x > 0.0 && p.x < s->a && fabs(p.y) < s->c / 2 && p.z > 0.0 && p.z < s->b * p.x / s->a;
    case RI_GROUND_TUBE:
        return r > s->a && (s->b == 0.0 || fabs(p.z) < s->b / 2);
    case RI_GROUND_WALLS:
        return fabs(p.x) > s->a / 2;
    case RI_GROUND_CHANNEL:
        return p.z < 0.0 || (fabs(p.x) > s->a / 2 && (s->b == 0.0 || p.z < s->b));
    case RI_GROUND_PIPE:
        return p.z < s->a && hypot(p.x, p.z - s->a) > s->a;
    case RI_GROUND_PILLAR:
        return r < s->a && fabs(p.z) < s->b;
    case RI_GROUND_SHAPE_COUNT:
        break;
    }
    return false;
}

/// The same in the world, of parts in order.
static bool is_ground(int count, const RiGroundPart *parts, RiVec3 p)
{
    bool solid = false;
    for (int k = 0; k < count; k++) {
        const bool in = is_solid(&parts[k], ri_rotate_back(&parts[k].pose.R, ri_sub(p, parts[k].pose.p)));
        solid = parts[k].hole ? solid && !in : solid || in;
    }
    return solid;
}

static RiPose any_pose(RiRng *rng, double reach)
{
    RiPose x;
    x.R = ri_mat3_rpy(ri_rng_between(rng, -3, 3), ri_rng_between(rng, -1.5, 1.5), ri_rng_between(rng, -3, 3));
    x.p = point_between(rng, ri_vec3(-reach, -reach, -reach), ri_vec3(reach, reach, reach));
    return x;
}

static RiTerrain *shapes_of(RiContext *ctx, int count, const RiGroundPart *parts)
{
    RiTerrain *t;
    if (ri_terrain_create_shapes(ctx, count, parts, &t) != RI_OK) {
        fprintf(stderr, "%s\n", ri_context_message(ctx));
        abort();
    }
    return t;
}

static RiVec3 along(RiVec3 p, double s, RiVec3 d)
{
    return ri_add(p, ri_scale(s, d));
}

/// A distance is Euclidean if no border lies within it and one lies at its end, along the normal.
TEST(distance_of_every_shape_is_euclidean_inside_and_out)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(1, "shapes");
    for (int k = 0; k < SAMPLES; k++) {
        RiGroundPart part = samples[k];
        part.pose = any_pose(&rng, 1.0);
        RiTerrain *t = shapes_of(ctx, 1, &part);
        CHECK(ri_terrain_info(t).exact);
        for (int n = 0; n < 1000; n++) {
            const RiVec3 p =
                along(part.pose.p, 1.0, point_between(&rng, ri_vec3(-1.5, -1.5, -1.5), ri_vec3(1.5, 1.5, 1.5)));
            RiSurface s;
            ri_terrain_query(t, p, &s);
            const bool solid = is_ground(1, &part, p);
            CHECK(solid == (s.distance < 0.0));
            CHECK_CLOSE(ri_norm(s.normal), 1.0, 1e-12);
            for (int m = 0; m < 100; m++)
                CHECK(is_ground(1, &part, along(p, (1.0 - 1e-9) * fabs(s.distance), direction_of(&rng))) == solid);
            // Around its end there is both free space and ground, sharp edges included.
            const RiVec3 foot = along(p, -s.distance, s.normal);
            bool seen[2] = {false, false};
            for (int m = 0; m < 5000 && !(seen[0] && seen[1]); m++)
                seen[is_ground(1, &part, along(foot, 1e-8, direction_of(&rng)))] = true;
            CHECK(seen[0] && seen[1]);
        }
        ri_terrain_destroy(t);
    }
    ri_context_destroy(ctx);
}

TEST(normals_on_the_surface_are_those_just_above_it)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(10, "normals");
    for (int k = 0; k < SAMPLES; k++) {
        RiGroundPart part = samples[k];
        part.pose = any_pose(&rng, 1.0);
        RiTerrain *t = shapes_of(ctx, 1, &part);
        int hits = 0, edges = 0;
        for (int n = 0; n < 2000; n++) {
            const RiVec3 o = along(part.pose.p, 2.0, direction_of(&rng));
            const RiVec3 to = along(part.pose.p, 0.5, direction_of(&rng));
            RiTerrainHit hit;
            RiSurface at, above;
            if (!ri_terrain_ray(t, o, ri_sub(to, o), 3.0, &hit) || hit.range == 0.0)
                continue;
            ri_terrain_query(t, hit.point, &at);
            ri_terrain_query(t, along(hit.point, 1e-6, hit.normal), &above);
            CHECK_CLOSE(at.distance, 0.0, 1e-14);
            CHECK_CLOSE(ri_dot(at.normal, hit.normal), 1.0, 1e-12);
            edges += !(ri_dot(at.normal, above.normal) > 1.0 - 1e-9);
            hits++;
        }
        CHECK(hits > 100 && edges <= 1);
        ri_terrain_destroy(t);
    }
    ri_context_destroy(ctx);
}

TEST(ellipsoid_distance_holds_in_its_planes_of_symmetry_and_at_its_centre)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(2, "ellipsoid");
    for (int k = 0; k < 400; k++) {
        RiGroundPart part = {.shape = RI_GROUND_STONE,
                             .pose = ri_pose_identity(),
                             .a = pow(10.0, ri_rng_between(&rng, -2, 0)),
                             .b = pow(10.0, ri_rng_between(&rng, -2, 0)),
                             .c = pow(10.0, ri_rng_between(&rng, -2, 0))};
        RiTerrain *t = shapes_of(ctx, 1, &part);
        RiVec3 p = point_between(&rng, ri_vec3(-1, -1, -1), ri_vec3(1, 1, 1));
        p = ri_vec3(p.x * part.a, p.y * part.b, p.z * part.c);
        const double tiny = k % 3 ? 0.0 : 1e-13;
        p.x = k & 1 ? tiny : p.x;
        p.y = k & 2 ? tiny : p.y;
        p.z = k & 4 ? tiny : p.z;
        RiSurface s;
        ri_terrain_query(t, p, &s);
        CHECK(isfinite(s.distance) && fabs(ri_norm(s.normal) - 1.0) < 1e-9);
        for (int m = 0; m < 300; m++)
            CHECK(is_ground(1, &part, along(p, (1.0 - 1e-7) * fabs(s.distance), direction_of(&rng))) ==
                  (s.distance < 0.0));
        const RiVec3 foot = along(p, -s.distance, s.normal);
        CHECK_CLOSE(pow(foot.x / part.a, 2) + pow(foot.y / part.b, 2) + pow(foot.z / part.c, 2), 1.0, 1e-6);
        ri_terrain_destroy(t);
    }
    ri_context_destroy(ctx);
}

static void make_rubble(RiRng *rng, int count, RiGroundPart *parts)
{
    for (int k = 0; k < count; k++) {
        parts[k] = samples[k == 0 ? 0 : 1 + ri_rng_below(rng, 4)];
        parts[k].pose = any_pose(rng, 4.0);
        parts[k].material = k % 3 ? "rock" : "ice";
        if (k == 0)
            parts[k].pose = ri_pose_identity();
    }
}

TEST(union_of_many_parts_is_the_nearest_of_them_to_the_last_bit)
{
    enum { PARTS = 300 };
    static RiGroundPart parts[PARTS];
    static RiTerrain *single[PARTS];
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(3, "union");
    make_rubble(&rng, PARTS, parts);
    RiTerrain *all = shapes_of(ctx, PARTS, parts);
    CHECK(!ri_terrain_info(all).exact);
    for (int k = 0; k < PARTS; k++)
        single[k] = shapes_of(ctx, 1, &parts[k]);
    for (int n = 0; n < 1000; n++) {
        const RiVec3 p = point_between(&rng, ri_vec3(-6, -6, -6), ri_vec3(6, 6, 6));
        RiSurface got, one, best = {.distance = INFINITY};
        const char *material = "";
        for (int k = 0; k < PARTS; k++) {
            ri_terrain_query(single[k], p, &one);
            if (one.distance < best.distance) {
                best = one;
                material = ri_terrain_material_name(single[k], one.material);
            }
        }
        ri_terrain_query(all, p, &got);
        CHECK(got.distance == best.distance);
        CHECK(memcmp(&got.normal, &best.normal, sizeof got.normal) == 0);
        CHECK(strcmp(ri_terrain_material_name(all, got.material), material) == 0);
    }
    for (int k = 0; k < PARTS; k++)
        ri_terrain_destroy(single[k]);
    ri_terrain_destroy(all);
    ri_context_destroy(ctx);
}

/// Rubble with caves: parts of every kind, added and taken away.
static int make_caves(RiRng *rng, RiGroundPart *parts)
{
    static const int order[] = {0, 1, 3, 2, 2, 4, 11, 3, 1, 2, 6, 5, 3};
    static const bool hole[] = {0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0};
    const int count = sizeof order / sizeof *order;
    for (int k = 0; k < count; k++) {
        parts[k] = samples[order[k]];
        parts[k].pose = any_pose(rng, 0.8);
        parts[k].hole = hole[k];
    }
    return count;
}

TEST(holes_have_the_right_sign_and_never_overrate_the_distance)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(4, "holes");
    for (int world = 0; world < 30; world++) {
        RiGroundPart parts[16];
        const int count = make_caves(&rng, parts);
        RiTerrain *t = shapes_of(ctx, count, parts);
        for (int n = 0; n < 200; n++) {
            const RiVec3 p = point_between(&rng, ri_vec3(-2, -2, -2), ri_vec3(2, 2, 2));
            RiSurface s;
            ri_terrain_query(t, p, &s);
            const bool solid = is_ground(count, parts, p);
            CHECK(solid == (s.distance < 0.0));
            for (int m = 0; m < 50; m++)
                CHECK(is_ground(count, parts, along(p, 0.999999 * fabs(s.distance), direction_of(&rng))) == solid);
        }
        ri_terrain_destroy(t);
    }
    ri_context_destroy(ctx);
}

TEST(a_hole_shows_the_material_it_is_cut_into_unless_it_has_its_own)
{
    RiContext *ctx = context_open();
    RiGroundPart parts[2] = {{.shape = RI_GROUND_BOX, .a = 1, .b = 1, .c = 1, .material = "ice"},
                             {.shape = RI_GROUND_SPHERE, .a = 0.5, .hole = true}};
    parts[0].pose = parts[1].pose = ri_pose_identity();
    for (int k = 0; k < 2; k++) {
        parts[1].material = k ? "snow" : NULL;
        RiTerrain *t = shapes_of(ctx, 2, parts);
        RiSurface s;
        ri_terrain_query(t, ri_vec3(0, 0, -0.4), &s);
        CHECK_CLOSE(s.distance, 0.1, 1e-12);
        CHECK_CLOSE(s.normal.z, 1.0, 1e-12);
        CHECK(strcmp(ri_terrain_material_name(t, s.material), k ? "snow" : "ice") == 0);
        RiHeight h;
        CHECK(ri_terrain_height(t, 0, 0, &h) && h.z == 1.0);
        CHECK(ri_terrain_height_below(t, 0, 0, 0.3, &h));
        CHECK_CLOSE(h.z, -0.5, 1e-12);
        ri_terrain_destroy(t);
    }
    ri_context_destroy(ctx);
}

TEST(rays_go_in_where_the_ground_begins)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(5, "rays");
    int hits = 0, grazed = 0;
    for (int world = 0; world < 40; world++) {
        RiGroundPart parts[16];
        const int count = make_caves(&rng, parts);
        RiTerrain *t = shapes_of(ctx, count, parts);
        for (int n = 0; n < 60; n++) {
            const RiVec3 o = point_between(&rng, ri_vec3(-2, -2, -2), ri_vec3(2, 2, 2)), d = direction_of(&rng);
            RiTerrainHit hit;
            const bool got = ri_terrain_ray(t, o, d, 3.0, &hit);
            double s = 0.0;
            const double step = 1e-3;
            while (s <= 3.0 && !is_ground(count, parts, along(o, s, d)))
                s += step;
            if (got && hit.range < s - step) { // a corner thinner than a step
                CHECK(!is_ground(count, parts, along(o, hit.range - 1e-9, d)));
                CHECK(is_ground(count, parts, along(o, hit.range + 1e-9, d)));
                grazed++;
                continue;
            }
            CHECK(got == (s <= 3.0));
            if (!got)
                continue;
            CHECK(hit.range <= s && hit.range >= s - step - 1e-9);
            CHECK(s == 0.0 || ri_dot(hit.normal, d) < 1e-9);
            RiSurface surface;
            ri_terrain_query(t, hit.point, &surface);
            CHECK(s == 0.0 || fabs(surface.distance) < 1e-12);
            hits++;
        }
        ri_terrain_destroy(t);
    }
    printf("     %d hits, %d at thin corners\n", hits, grazed);
    CHECK(hits > 200 && grazed < 20);
    ri_context_destroy(ctx);
}

TEST(heights_are_the_floors_below_a_point_with_their_slopes_and_curvature)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(6, "heights");
    int found = 0, smooth = 0;
    for (int world = 0; world < 60; world++) {
        RiGroundPart parts[16];
        const int count = world < SAMPLES ? 1 : make_caves(&rng, parts);
        if (world < SAMPLES) {
            parts[0] = samples[world];
            parts[0].pose = any_pose(&rng, 0.5);
        }
        RiTerrain *t = shapes_of(ctx, count, parts);
        for (int n = 0; n < 40; n++) {
            const RiVec3 p = point_between(&rng, ri_vec3(-1, -1, -2), ri_vec3(1, 1, 2));
            const double from = n % 2 ? p.z : INFINITY, e = 1e-5, u = 1e-9;
            RiHeight h, w, east, south, north;
            if (!ri_terrain_height_below(t, p.x, p.y, from, &h))
                continue;
            found++;
            CHECK(h.z <= from);
            CHECK(!is_ground(count, parts, ri_vec3(p.x, p.y, h.z + u)) &&
                  is_ground(count, parts, ri_vec3(p.x, p.y, h.z - u)));
            if (!ri_terrain_height_below(t, p.x - e, p.y, h.z + 0.01, &w) ||
                !ri_terrain_height_below(t, p.x + e, p.y, h.z + 0.01, &east) ||
                !ri_terrain_height_below(t, p.x, p.y - e, h.z + 0.01, &south) ||
                !ri_terrain_height_below(t, p.x, p.y + e, h.z + 0.01, &north))
                continue;
            const double steep = fmax(hypot(h.zx, h.zy), fmax(fabs(h.zxx), fabs(h.zyy)));
            const double jump = fmax(fabs(east.zx - w.zx), fmax(fabs(north.zy - south.zy), fabs(north.zx - south.zx)));
            if (steep > 5.0 || jump > 1e-3) // an edge is near
                continue;
            smooth++;
            CHECK_CLOSE((east.z - w.z) / (2 * e), h.zx, 1e-5);
            CHECK_CLOSE((north.z - south.z) / (2 * e), h.zy, 1e-5);
            CHECK_CLOSE((east.zx - w.zx) / (2 * e), h.zxx, 1e-3);
            CHECK_CLOSE((north.zx - south.zx) / (2 * e), h.zxy, 1e-3);
            CHECK_CLOSE((north.zy - south.zy) / (2 * e), h.zyy, 1e-3);
        }
        ri_terrain_destroy(t);
    }
    CHECK(found > 500 && smooth > 300);
    ri_context_destroy(ctx);
}

TEST(inside_a_lying_tube_the_floor_is_below_and_rays_find_the_wall)
{
    RiContext *ctx = context_open();
    RiGroundPart part = {.shape = RI_GROUND_TUBE, .a = 0.5};
    part.pose = ri_pose_identity();
    part.pose.R = ri_mat3_rpy(0.0, 1.5707963267948966, 0.0); // its axis along x
    for (int k = 0; k < 2; k++) {
        part.roughness = k ? 0.01 : 0.0;
        part.wavelength = 0.3;
        RiTerrain *t = shapes_of(ctx, 1, &part);
        RiHeight h;
        const double tolerance = k ? 0.03 : 1e-12;
        CHECK(ri_terrain_height_below(t, 0.2, 0.0, 0.1, &h));
        CHECK_CLOSE(h.z, -0.5, tolerance);
        CHECK(ri_terrain_height(t, 0.2, 0.3, &h));
        CHECK_CLOSE(h.z, -0.4, tolerance);
        RiTerrainHit hit;
        CHECK(ri_terrain_ray(t, ri_vec3(0, 0, 0), ri_vec3(0, 2, 0), 10.0, &hit));
        CHECK_CLOSE(hit.range, 0.25, tolerance);
        CHECK(!ri_terrain_height(t, 0.0, 3.0, &h)); // solid for ever
        ri_terrain_destroy(t);
    }
    ri_context_destroy(ctx);
}

TEST(roughness_has_the_statistics_it_promises_and_repeats_its_bits)
{
    RiContext *ctx = context_open();
    RiGroundPart part = {.shape = RI_GROUND_PLANE, .roughness = 0.02, .wavelength = 0.5};
    part.pose = ri_pose_identity();
    RiRng rng = ri_rng_stream(7, "roughness");
    double sum = 0.0, square = 0.0, slope = 0.0, most = 0.0;
    int count = 0;
    for (int seed = 0; seed < 40; seed++) {
        part.seed = (unsigned long long)seed;
        RiTerrain *t = shapes_of(ctx, 1, &part), *again = shapes_of(ctx, 1, &part);
        CHECK(!ri_terrain_info(t).exact);
        for (int n = 0; n < 100; n++) {
            RiHeight h, same;
            const double x = ri_rng_between(&rng, -50, 50), y = ri_rng_between(&rng, -50, 50);
            REQUIRE(ri_terrain_height(t, x, y, &h) && ri_terrain_height(again, x, y, &same));
            CHECK(memcmp(&h, &same, sizeof h) == 0);
            RiSurface s;
            ri_terrain_query(t, ri_vec3(x, y, h.z), &s);
            CHECK_CLOSE(s.distance, 0.0, 1e-12);
            sum += h.z;
            square += h.z * h.z;
            slope += h.zx * h.zx + h.zy * h.zy;
            most = fmax(most, fabs(h.z));
            count++;
        }
        ri_terrain_destroy(t);
        ri_terrain_destroy(again);
    }
    const double mean = sum / count, deviation = sqrt(square / count), steep = sqrt(slope / count);
    // |k|^2 averages (2 pi / 0.5)^2 * 1.082 over half an octave either way; two of its three components are seen.
    const double expected = 0.02 / sqrt(2.0) * (2 * 3.14159265 / 0.5) * sqrt(1.082 * 2.0 / 3.0);
    printf("     mean %.2e, deviation %.4f (promised %.4f), largest %.3f, rms slope %.3f (%.3f)\n", mean, deviation,
           0.02 / sqrt(2.0), most, steep, expected);
    CHECK_CLOSE(mean, 0.0, 0.001);
    CHECK_CLOSE(deviation, 0.02 / sqrt(2.0), 0.001);
    CHECK(most <= 0.02 * RI_NOISE_BOUND);
    CHECK_CLOSE(steep, expected, 0.08 * expected);
    ri_context_destroy(ctx);
}

TEST(rough_ground_has_its_gradient_as_normal_and_its_own_curvature)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(8, "rough");
    RiGroundPart part = {
        .shape = RI_GROUND_STONE, .a = 1.0, .b = 0.8, .c = 0.7, .roughness = 0.01, .wavelength = 0.4, .seed = 5};
    part.pose = any_pose(&rng, 0.5);
    RiTerrain *t = shapes_of(ctx, 1, &part);
    int checked = 0;
    for (int n = 0; n < 300; n++) {
        const double x = part.pose.p.x + ri_rng_between(&rng, -0.4, 0.4),
                     y = part.pose.p.y + ri_rng_between(&rng, -0.4, 0.4);
        const double e = 1e-5;
        RiHeight h, east, w;
        RiSurface s, up, down;
        REQUIRE(ri_terrain_height(t, x, y, &h) && ri_terrain_height(t, x + e, y, &east) &&
                ri_terrain_height(t, x - e, y, &w));
        if (hypot(h.zx, h.zy) > 1.5)
            continue;
        CHECK_CLOSE((east.z - w.z) / (2 * e), h.zx, 1e-4);
        CHECK_CLOSE((east.zx - w.zx) / (2 * e), h.zxx, 1e-2);
        ri_terrain_query(t, ri_vec3(x, y, h.z), &s);
        ri_terrain_query(t, ri_vec3(x, y, h.z + e), &up);
        ri_terrain_query(t, ri_vec3(x, y, h.z - e), &down);
        CHECK_CLOSE((up.distance - down.distance) / (2 * e), s.normal.z, 1e-6);
        checked++;
    }
    CHECK(checked > 100);
    ri_terrain_destroy(t);
    ri_context_destroy(ctx);
}

TEST(bad_parts_are_refused_by_number_shape_and_field)
{
    RiContext *ctx = context_open();
    RiTerrain *t;
    RiGroundPart p[2] = {{.shape = RI_GROUND_SPHERE, .a = 1.0}, {.shape = RI_GROUND_BOX, .a = 1.0, .b = 1.0, .c = 1.0}};
    p[0].pose = p[1].pose = ri_pose_identity();
    const RiGroundPart good = p[1];
    p[1].b = -1.0;
    CHECK_ERROR(ctx, ri_terrain_create_shapes(ctx, 2, p, &t), RI_ERR_ARGUMENT, "part 1 (box): b is -1");
    p[1].b = NAN;
    CHECK_ERROR(ctx, ri_terrain_create_shapes(ctx, 2, p, &t), RI_ERR_ARGUMENT, "part 1 (box): b is");
    p[1] = good;
    p[1].pose.R.m[0][0] = 2.0;
    CHECK_ERROR(ctx, ri_terrain_create_shapes(ctx, 2, p, &t), RI_ERR_ARGUMENT, "not a rotation");
    p[1] = good;
    p[1].roughness = 0.1;
    CHECK_ERROR(ctx, ri_terrain_create_shapes(ctx, 2, p, &t), RI_ERR_ARGUMENT, "a quarter of the wavelength");
    p[1] = good;
    p[1].shape = RI_GROUND_SHAPE_COUNT;
    CHECK_ERROR(ctx, ri_terrain_create_shapes(ctx, 2, p, &t), RI_ERR_ARGUMENT, "shape 10 does not exist");
    p[0].hole = true;
    CHECK_ERROR(ctx, ri_terrain_create_shapes(ctx, 2, p, &t), RI_ERR_ARGUMENT, "first part is a hole");
    CHECK_ERROR(ctx, ri_terrain_create_shapes(ctx, 0, p, &t), RI_ERR_ARGUMENT, "no parts");
    CHECK(t == NULL);
    CHECK(strcmp(ri_ground_shape_name(RI_GROUND_PIPE), "pipe") == 0);
    CHECK(ri_ground_shape_name(RI_GROUND_SHAPE_COUNT)[0] == '\0');
    ri_context_destroy(ctx);
}

static double bowl(double x, double y)
{
    return 0.2 * (x * x + y * y);
}

TEST(a_union_of_terrains_answers_with_its_nearest_part_and_merges_materials)
{
    RiContext *ctx = context_open();
    RiRng rng = ri_rng_stream(9, "terrains");
    RiGroundPart stones[3] = {{.shape = RI_GROUND_SPHERE, .a = 0.4, .material = "rock"},
                              {.shape = RI_GROUND_BOX, .a = 0.3, .b = 0.3, .c = 0.3, .material = "ground"},
                              {.shape = RI_GROUND_PILLAR, .a = 0.2, .b = 1.0, .material = "ice"}};
    for (int k = 0; k < 3; k++)
        stones[k].pose = any_pose(&rng, 1.0);
    RiTerrain *field = heights_of(ctx, bowl, 33, -2.0, 4.0, RI_BICUBIC, RI_EDGE_EXTEND),
              *group = shapes_of(ctx, 3, stones);
    RiTerrain *both[2] = {field, group}, *t;
    REQUIRE_OK(ctx, ri_terrain_create_union(ctx, 2, both, &t));
    CHECK_INT(ri_terrain_material_count(t), 3); // ground, rock, ice
    for (int n = 0; n < 1000; n++) {
        const RiVec3 p = point_between(&rng, ri_vec3(-2, -2, -1), ri_vec3(2, 2, 2)), d = direction_of(&rng);
        RiSurface a, b, got;
        ri_terrain_query(field, p, &a);
        ri_terrain_query(group, p, &b);
        ri_terrain_query(t, p, &got);
        CHECK(got.distance == fmin(a.distance, b.distance));
        const bool first = !(b.distance < a.distance);
        CHECK(strcmp(ri_terrain_material_name(t, got.material),
                     first ? "ground" : ri_terrain_material_name(group, b.material)) == 0);
        RiTerrainHit ha, hb, h;
        const bool fa = ri_terrain_ray(field, p, d, 5.0, &ha), fb = ri_terrain_ray(group, p, d, 5.0, &hb);
        CHECK(ri_terrain_ray(t, p, d, 5.0, &h) == (fa || fb));
        if (fa || fb)
            CHECK(h.range == fmin(fa ? ha.range : INFINITY, fb ? hb.range : INFINITY));
        RiHeight za, zb, z;
        const bool ga = ri_terrain_height(field, p.x, p.y, &za), gb = ri_terrain_height(group, p.x, p.y, &zb);
        REQUIRE(ga && ri_terrain_height(t, p.x, p.y, &z));
        CHECK(z.z == fmax(za.z, gb ? zb.z : -INFINITY));
    }
    CHECK(strcmp(ri_terrain_info(t).kind, "union") == 0 && !ri_terrain_info(t).exact);
    ri_terrain_destroy(t);
    CHECK_ERROR(ctx, ri_terrain_create_union(ctx, 0, both, &t), RI_ERR_ARGUMENT, "no parts");
    both[1] = NULL;
    CHECK_ERROR(ctx, ri_terrain_create_union(ctx, 2, both, &t), RI_ERR_ARGUMENT, "part 1 of 2 is missing");
    ri_terrain_destroy(field);
    ri_terrain_destroy(group);
    ri_context_destroy(ctx);
}

TEST(every_failed_allocation_is_reported_and_nothing_leaks)
{
    for (int n = 1; n < 400; n++) {
        Failing failing = {n};
        RiContext *ctx;
        const RiAllocator allocator = {failing_resize, failing_release, &failing};
        if (ri_context_create(&allocator, &ctx) != RI_OK)
            continue;
        static RiGroundPart parts[200];
        for (int k = 0; k < 200; k++) {
            parts[k] = (RiGroundPart){
                .shape = RI_GROUND_SPHERE, .pose = ri_pose_identity(), .a = 1.0, .hole = k > 20 && k < 30};
            parts[k].roughness = k % 50 ? 0.0 : 0.1;
            parts[k].wavelength = 1.0;
            parts[k].material = k % 2 ? "ice" : "rock";
        }
        RiTerrain *t[2] = {NULL, NULL}, *joined = NULL;
        RiStatus status = ri_terrain_create_shapes(ctx, 200, parts, &t[0]);
        if (status == RI_OK)
            status = ri_terrain_create_shapes(ctx, 1, parts, &t[1]);
        if (status == RI_OK)
            status = ri_terrain_create_union(ctx, 2, t, &joined);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        ri_terrain_destroy(joined);
        ri_terrain_destroy(t[0]);
        ri_terrain_destroy(t[1]);
        ri_context_destroy(ctx);
        if (status == RI_OK)
            return;
    }
    CHECK(!"never succeeded");
}

TEST_MAIN(CASE(distance_of_every_shape_is_euclidean_inside_and_out),
          CASE(normals_on_the_surface_are_those_just_above_it),
          CASE(ellipsoid_distance_holds_in_its_planes_of_symmetry_and_at_its_centre),
          CASE(union_of_many_parts_is_the_nearest_of_them_to_the_last_bit),
          CASE(holes_have_the_right_sign_and_never_overrate_the_distance),
          CASE(a_hole_shows_the_material_it_is_cut_into_unless_it_has_its_own),
          CASE(rays_go_in_where_the_ground_begins),
          CASE(heights_are_the_floors_below_a_point_with_their_slopes_and_curvature),
          CASE(inside_a_lying_tube_the_floor_is_below_and_rays_find_the_wall),
          CASE(roughness_has_the_statistics_it_promises_and_repeats_its_bits),
          CASE(rough_ground_has_its_gradient_as_normal_and_its_own_curvature),
          CASE(bad_parts_are_refused_by_number_shape_and_field),
          CASE(a_union_of_terrains_answers_with_its_nearest_part_and_merges_materials),
          CASE(every_failed_allocation_is_reported_and_nothing_leaks))
