// SPDX-License-Identifier: Apache-2.0
/// \file
/// Channels, crevasses, moulins and courses: sound meshes, and the statistics asked for.
#include <rille/mesh.h>

#include "crossing.h"
#include "making.h"

static int open_edges(const RiMade *m)
{
    const RiMesh mesh = {make_ctx, m->points, m->triangles, m->point_count, m->triangle_count};
    int count = -1;
    CHECK_OK(make_ctx, ri_mesh_open_edges(&mesh, &count));
    return count;
}

static int crossings(const RiMade *m, double cell)
{
    const Triangles t = {m->points, (const uint32_t(*)[3])m->triangles, m->triangle_count};
    return count_crossings(&t, cell);
}

static RiVec3 normal_of(const RiMade *m, int t)
{
    const uint32_t *k = m->triangles[t];
    return ri_cross(ri_sub(m->points[k[1]], m->points[k[0]]), ri_sub(m->points[k[2]], m->points[k[0]]));
}

static double least_area(const RiMade *m)
{
    double least = INFINITY;
    for (int t = 0; t < m->triangle_count; t++)
        least = fmin(least, 0.5 * ri_norm(normal_of(m, t)));
    return least;
}

TEST(the_test_of_crossing_sees_a_crossing)
{
    const RiVec3 p[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, -1}, {0.3, 0.2, 1}, {0.2, 0.3, 1}};
    const uint32_t t[][3] = {{0, 1, 2}, {3, 4, 5}};
    const Triangles crossing = {p, t, 2};
    CHECK(count_crossings(&crossing, 0.5) > 0);
}

TEST(moulin_is_closed_turned_inwards_and_does_not_cross_itself)
{
    for (unsigned long long seed = 1; seed <= 2; seed++) {
        RiMade *m = make_one("moulin", seed, 0, NULL);
        REQUIRE(m);
        CHECK_INT(open_edges(m), 0);
        const RiMesh mesh = {make_ctx, m->points, m->triangles, m->point_count, m->triangle_count};
        double volume;
        RiVec3 centre;
        RiMat3 inertia;
        ri_mesh_mass_properties(&mesh, &volume, &centre, &inertia);
        // Inside is free, so the solid is inside out; the shaft has about pi r^2 of depth,
        // roughness adds its variance.
        CHECK_CLOSE(-volume / (M_PI * (1.2 * 1.2 + 0.08 * 0.08) * 15.0), 1.0, 0.03);
        CHECK_INT(crossings(m, 0.15), 0);
        CHECK(least_area(m) > 0.0);
        ri_made_destroy(m);
    }
}

TEST(moulin_has_the_radius_and_roughness_asked_for_and_overhangs)
{
    RiMade *m = MAKE("moulin", 3, {"scallop_depth", 0.0}, {"bend", 0.0});
    REQUIRE(m);
    const int around = (int)ceil(2.0 * M_PI * 1.2 / 0.06), rings = (int)ceil(15.0 / 0.06) + 1;
    double mean = 0.0, square = 0.0;
    for (int k = 0; k < around * rings; k++) {
        const double r = hypot(m->points[k].x, m->points[k].y);
        mean += r / (around * rings);
        square += r * r / (around * rings);
    }
    printf("     radius %.4f m (1.2), RMS %.4f m (0.08)\n", mean, sqrt(square - mean * mean));
    CHECK_CLOSE(mean, 1.2, 1e-9);
    CHECK_CLOSE(sqrt(square - mean * mean), 0.08, 1e-9);
    ri_made_destroy(m);
    m = MAKE("moulin", 3, {"scallop_depth", 0.0}, {"roughness", 0.0}, {"bend", 0.5});
    REQUIRE(m);
    double x = 0.0, xx = 0.0;
    int over = 0;
    for (int i = 0; i < rings; i++) {
        double middle = 0.0;
        for (int j = 0; j < around; j++)
            middle += m->points[i * around + j].x / around;
        x += middle / rings;
        xx += middle * middle / rings;
    }
    for (int t = 0; t < 2 * around * (rings - 1); t++)
        over += normal_of(m, t).z < 0.0;
    CHECK_CLOSE(sqrt(xx - x * x), 0.5, 1e-6);
    CHECK(over > around * rings / 3);
    ri_made_destroy(m);
}

TEST(scallops_have_their_size_and_depth)
{
    RiMade *m = MAKE("moulin", 4, {"roughness", 0.0}, {"bend", 0.0}, {"cell", 0.03}, {"depth", 8.0});
    REQUIRE(m);
    const int around = (int)ceil(2.0 * M_PI * 1.2 / 0.03), rings = (int)ceil(8.0 / 0.03) + 1;
    int hollows = 0;
    double low = INFINITY, high = 0.0;
    for (int i = 1; i + 1 < rings; i++)
        for (int j = 0; j < around; j++) { // a hollow is a place wider than all eight around it
            const double r = hypot(m->points[i * around + j].x, m->points[i * around + j].y);
            int top = 1;
            for (int a = -1; a <= 1; a++)
                for (int b = -1; b <= 1; b++) {
                    const RiVec3 p = m->points[(i + a) * around + (j + b + around) % around];
                    top &= (!a && !b) || r > hypot(p.x, p.y);
                }
            hollows += top;
            low = fmin(low, r);
            high = fmax(high, r);
        }
    const double want = 2.0 * M_PI * 1.2 * 8.0 / (0.4 * 0.4);
    printf("     %d scallops, %.0f of this size fit; %.4f m deep (0.04)\n", hollows, want, high - low);
    CHECK_CLOSE(hollows / want, 1.0, 0.1);
    CHECK_CLOSE((high - low) / 0.04, 1.0, 0.05);
    ri_made_destroy(m);
}

TEST(moulin_with_a_surface_is_open_only_at_its_outer_border)
{
    RiMade *m = MAKE("moulin", 5, {"top", 1.0});
    REQUIRE(m);
    CHECK_INT(open_edges(m), (int)ceil(2.0 * M_PI * 1.2 / 0.06));
    CHECK_INT(crossings(m, 0.15), 0);
    ri_made_destroy(m);
}

/// A net of triangles: its border is open, all else joined; up is free but for a part of overhangs.
static void check_net(const char *kind, unsigned long long seed, double overhang)
{
    RiMade *m = make_one(kind, seed, 0, NULL);
    REQUIRE(m);
    // Columns: the second row starts where the first triangle's second point is.
    const int columns = (int)m->triangles[0][1], rows = m->point_count / columns;
    CHECK_INT(rows * columns, m->point_count);
    CHECK_INT(open_edges(m), 2 * (rows - 1) + 2 * (columns - 1));
    CHECK_INT(crossings(m, 0.25), 0);
    CHECK(least_area(m) > 0.0);
    double up = 0.0, down = 0.0;
    for (int t = 0; t < m->triangle_count; t++) {
        const double z = 0.5 * normal_of(m, t).z;
        up += fmax(z, 0.0);
        down -= fmin(z, 0.0);
    }
    CHECK(down < overhang * up); // by roughness of steep walls
    ri_made_destroy(m);
}

TEST(channel_mesh_is_sound)
{
    check_net("channel", 1, 0.01);
    check_net("channel", 7, 0.01);
}

TEST(crevasse_mesh_is_sound)
{
    check_net("crevasse", 1, 0.05);
    check_net("crevasse", 7, 0.05);
}

TEST(channel_heights_and_mesh_are_the_same_ground)
{
    RiMade *m = MAKE("channel", 8, {"roughness", 0.0}, {"exponent", 2.0}, {"cell", 0.05}, {"length", 20.0});
    REQUIRE(m);
    double worst = 0.0;
    int seen = 0;
    for (int k = 0; k < m->point_count; k += 3) {
        const RiVec3 p = m->points[k];
        const RiRaster *r = m->raster;
        if (p.x < r->x0 || p.y < r->y0 || p.x > -r->x0 || p.y > -r->y0)
            continue;
        worst = fmax(worst, fabs(height_at(r, p.x, p.y) - p.z));
        seen++;
    }
    printf("     %d mesh points off the heights by at most %.4f m\n", seen, worst);
    CHECK(seen > 1000);
    CHECK_CLOSE(worst, 0.0, 0.05 * 2.0 * 1.2 / 0.75); // one cell on the steepest wall
    ri_made_destroy(m);
}

TEST(channel_has_its_depth_width_and_slope)
{
    RiMade *m = MAKE("channel", 9, {"roughness", 0.0}, {"swing", 0.0}, {"cell", 0.02}, {"length", 10.0});
    REQUIRE(m);
    const RiRaster *r = m->raster;
    double low = 0.0;
    int inside = 0;
    for (int j = 0; j < r->ny; j++) {
        low = fmin(low, height(r, r->nx / 2, j));
        inside += height(r, r->nx / 2, j) < -1e-6;
    }
    CHECK_CLOSE(low, -1.2, 1e-3);
    CHECK_CLOSE(inside * 0.02, 1.5, 0.05);
    CHECK_CLOSE((height(r, 0, 0) - height(r, r->nx - 1, 0)) / ((r->nx - 1) * 0.02), tan(2.0 * DEG), 1e-4);
    ri_made_destroy(m);
}

TEST(roughness_of_the_channel_has_the_rms_asked_for)
{
    RiMade *rough = MAKE("channel", 10, {"roughness", 0.02}), *smooth = MAKE("channel", 10, {"roughness", 0.0});
    REQUIRE(rough && smooth && rough->point_count == smooth->point_count);
    double sum = 0.0;
    for (int k = 0; k < rough->point_count; k++) {
        const RiVec3 d = ri_sub(rough->points[k], smooth->points[k]);
        sum += ri_dot(d, d) / rough->point_count;
    }
    CHECK_CLOSE(sqrt(sum) / 0.02, 1.0, 0.05);
    ri_made_destroy(rough);
    ri_made_destroy(smooth);
}

TEST(crevasse_opens_as_an_ellipse_and_tapers)
{
    RiMade *m =
        MAKE("crevasse", 11, {"roughness", 0.0}, {"wander", 0.0}, {"cell", 0.02}, {"length", 8.0}, {"bank", 1.0});
    REQUIRE(m);
    const RiRaster *r = m->raster;
    static const double places[] = {0.0, 2.0, 3.2};
    for (int k = 0; k < 3; k++) {
        const int i = (int)((places[k] - r->x0) / r->dx + 0.5);
        const double open = sqrt(1.0 - places[k] * places[k] / 16.0);
        double low = 0.0;
        int edge = 0, halfway = 0;
        for (int j = 0; j < r->ny; j++) {
            low = fmin(low, height(r, i, j));
            edge += height(r, i, j) < -1e-6;
            halfway += height(r, i, j) < -0.5 * 8.0 * open * open;
        }
        CHECK_CLOSE(low, -8.0 * open * open, 0.02);
        CHECK_CLOSE(edge * r->dx, 1.2 * open, 0.05);
        CHECK_CLOSE(halfway * r->dx, 0.5 * (1.2 * open + 0.15), 0.05);
    }
    ri_made_destroy(m);
}

TEST(course_has_every_obstacle_at_its_place_and_height)
{
    RiMade *m = MAKE("course", 12, {"as", 1.0});
    REQUIRE(m);
    int steps = 0, ramps = 0, ditches = 0;
    for (int i = 0; i < m->feature_count; i++) {
        const RiMadeFeature *f = &m->features[i];
        const double z = height_at(m->raster, f->position.x, f->position.y);
        if (strncmp(f->what, "step", 4) == 0) {
            CHECK_CLOSE(z, f->size, 1e-6);
            CHECK_CLOSE(f->size, 0.05 * ++steps, 1e-9);
        } else if (strncmp(f->what, "ramp", 4) == 0) {
            CHECK_CLOSE(z, 0.5, 1e-6);
            ramps++;
        } else if (strncmp(f->what, "ditch", 5) == 0) {
            CHECK_CLOSE(z, -0.2, 1e-6);
            ditches++;
        }
    }
    CHECK_INT(steps, 4);
    CHECK_INT(ramps, 3);
    CHECK_INT(ditches, 1);
    int stones = 0, holes = 0;
    for (int i = 0; i < m->part_count; i++) {
        stones += m->parts[i].shape == RI_GROUND_STONE;
        holes += m->parts[i].hole;
    }
    CHECK(stones > 20);
    CHECK_INT(holes, 1);
    CHECK(m->parts[0].shape == RI_GROUND_PLANE);
    ri_made_destroy(m);
}

TEST_MAIN(CASE(the_test_of_crossing_sees_a_crossing), CASE(moulin_is_closed_turned_inwards_and_does_not_cross_itself),
          CASE(moulin_has_the_radius_and_roughness_asked_for_and_overhangs), CASE(scallops_have_their_size_and_depth),
          CASE(moulin_with_a_surface_is_open_only_at_its_outer_border), CASE(channel_mesh_is_sound),
          CASE(crevasse_mesh_is_sound), CASE(channel_heights_and_mesh_are_the_same_ground),
          CASE(channel_has_its_depth_width_and_slope), CASE(roughness_of_the_channel_has_the_rms_asked_for),
          CASE(crevasse_opens_as_an_ellipse_and_tapers), CASE(course_has_every_obstacle_at_its_place_and_height))
