// SPDX-License-Identifier: Apache-2.0
/// \file
/// What parts of a robot see: the sun's disc behind an edge, sky and ground around plates and round
/// parts, the horizon, passes by table, dust over time.
#include "device/network/assembly.h"

#include "check.h"

static const double pi = 3.14159265358979323846;
static const double degree = 3.14159265358979323846 / 180.0;
static double edge;  ///< elevation that a wall all round hides [rad]
static double slope; ///< of a plane on which a plate lies [rad]

static double over_the_wall(const void *user, RiVec3 point, RiVec3 towards)
{
    (void)user, (void)point;
    return atan2(towards.z, hypot(towards.x, towards.y)) > edge;
}

static RiSeen flat_ground(const void *user, RiVec3 point, RiVec3 towards)
{
    (void)user, (void)point;
    return towards.z > 0.0 ? RI_SEEN_SKY : RI_SEEN_GROUND;
}

/// The robot's own deck hides all that is to the west.
static RiSeen half_by_the_robot(const void *user, RiVec3 point, RiVec3 towards)
{
    (void)user, (void)point;
    return towards.x < 0.0 ? RI_SEEN_ROBOT : towards.z > 0.0 ? RI_SEEN_SKY : RI_SEEN_GROUND;
}

static RiNetworkWorld moon(RiSunDef *place, double elevation)
{
    *place = (RiSunDef){.world = RI_WORLD_MOON};
    RiNetworkWorld w = {.place = place, .dt = 1.0};
    w.sun = (RiSun){.azimuth = 50.0 * degree, .elevation = elevation, .distance = 1.0};
    w.towards = ri_sun_direction(w.sun);
    return w;
}

TEST(an_edge_hides_as_much_of_the_disc_as_a_chord_through_it)
{
    RiNetwork n = {.site = -1, .horizon = -1, .cover = -1};
    RiSunDef place;
    const double radius = ri_sun_disc_radius(1.0), middle = 10.0 * degree;
    for (int i = -12; i <= 12; i++) {
        RiNetworkWorld w = moon(&place, middle);
        w.free_view = over_the_wall;
        edge = middle + 0.1 * i * radius;
        const double seen = ri_network_sunlit(&n, &w, ri_vec3(0.0, 0.0, 0.0)),
                     want = ri_sun_disc_above(-0.1 * i * radius, radius);
        if (!(fabs(seen - want) < 0.012))
            CHECK_FAIL("an edge %g radii above the middle leaves %g, a chord %g", 0.1 * i, seen, want);
    }
}

/// What the flat horizon hides is in the site's own `disc`: rays look at the rest alone.
TEST(what_the_horizon_hides_is_not_counted_twice)
{
    RiNetwork n = {.site = -1, .horizon = -1, .cover = -1};
    RiSunDef place;
    RiNetworkWorld w = moon(&place, -0.5 * ri_sun_disc_radius(1.0));
    w.free_view = over_the_wall;
    edge = 0.0;
    CHECK_CLOSE(ri_network_sunlit(&n, &w, ri_vec3(0.0, 0.0, 0.0)), 1.0, 1e-12);
    CHECK_CLOSE(ri_network_disc(&n, &w), ri_sun_disc_above(-0.5, 1.0), 1e-12);
    edge = 0.1;
    CHECK_CLOSE(ri_network_sunlit(&n, &w, ri_vec3(0.0, 0.0, 0.0)), 0.0, 1e-12);
    const RiDaylight d = ri_daylight_compute(RI_WORLD_MOON, 1361.0, -1e-3, 0.0, 0.1, 0.3);
    CHECK_CLOSE(d.beam, 0.3 * 1361.0, 1e-9); // an upright plate has light of a disc that is half below
    CHECK_CLOSE(d.global, 0.0, 1e-12);
}

static RiMember node(double *x, double views)
{
    x[NODE_VIEWS] = views;
    x[NODE_AREA] = 2.0;
    return (RiMember){
        .name = "plate", .row = ri_subsystem_of(&ri_device_thermal_node), .x = x, .pose = ri_pose_identity()};
}

TEST(a_tilted_plate_sees_the_sky_by_the_cosine_law_and_a_ball_half_of_it)
{
    RiNetwork n = {.site = -1, .horizon = -1, .cover = -1};
    RiSunDef place;
    RiNetworkWorld w = moon(&place, 30.0 * degree);
    double x[NODE_COUNT] = {0};
    w.look = flat_ground;
    for (slope = 0.0; slope < 181.0 * degree; slope += 30.0 * degree) {
        RiMember m = node(x, 1.0);
        m.pose.R = ri_mat3_axis_angle(ri_vec3(0.6, 0.8, 0.0), slope);
        ri_node_look(&n, &m, &w);
        CHECK_CLOSE(x[NODE_SEEN_SKY], 0.5 * (1.0 + cos(slope)), 0.006);
        CHECK_CLOSE(x[NODE_SEEN_GROUND], 0.5 * (1.0 - cos(slope)), 0.006);
        const RiVec3 normal = ri_mat3_col(&m.pose.R, 2);
        CHECK_CLOSE(ri_node_sun_area(&m, &w), 2.0 * fmax(ri_dot(normal, w.towards), 0.0), 1e-12);
    }
    RiMember ball = node(x, 2.0);
    ri_node_look(&n, &ball, &w);
    CHECK_CLOSE(x[NODE_SEEN_SKY], 0.5, 1e-12);
    CHECK_CLOSE(x[NODE_SEEN_GROUND], 0.5, 1e-12);
    CHECK_CLOSE(ri_node_sun_area(&ball, &w), 0.5, 1e-12); // a quarter of the surface of a ball
    w.look = half_by_the_robot;
    ri_node_look(&n, &ball, &w);
    CHECK_CLOSE(x[NODE_SEEN_SKY] + x[NODE_SEEN_GROUND], 0.5, 1e-12);
    RiMember given = node(x, 0.0);
    x[NODE_SKY_VIEW] = 0.3;
    x[NODE_GROUND_VIEW] = 0.2;
    ri_node_look(&n, &given, &w);
    CHECK(x[NODE_SEEN_SKY] == 0.3 && x[NODE_SEEN_GROUND] == 0.2);
}

TEST(a_horizon_goes_straight_between_its_rows_and_round_through_north)
{
    static const double table[] = {10.0 * 3.14159265358979323846 / 180.0, 0.02, 3.0, 0.05, 6.0, 0.08};
    double x[HORIZON_COUNT] = {0};
    RiMember m = {.name = "rim",
                  .row = ri_subsystem_of(&ri_device_horizon),
                  .x = x,
                  .table = table,
                  .table_rows = 3,
                  .table_columns = 2};
    RiNetwork n = {.members = &m, .count = 1, .site = -1, .horizon = 0, .cover = -1};
    CHECK_CLOSE(ri_network_horizon(&n, 4.5), 0.065, 1e-12);
    CHECK_CLOSE(ri_network_horizon(&n, 4.5 - 2.0 * pi), 0.065, 1e-12);
    const double gap = 10.0 * degree + 2.0 * pi - 6.0, part = (2.0 * pi - 6.0) / gap;
    CHECK_CLOSE(ri_network_horizon(&n, 0.0), 0.08 + (0.02 - 0.08) * part, 1e-12);
    CHECK(ri_member_table_trouble(&m) == NULL);
    x[HORIZON_LIFT] = 0.01;
    CHECK_CLOSE(ri_network_horizon(&n, 3.0), 0.06, 1e-12);
    CHECK(ri_network_is_above(&n, ri_sun_direction((RiSun){.azimuth = 3.0, .elevation = 0.061})));
    CHECK(!ri_network_is_above(&n, ri_sun_direction((RiSun){.azimuth = 3.0, .elevation = 0.059})));
    m.table = NULL;
    CHECK(strstr(ri_member_table_trouble(&m), "'file'") != NULL);
}

/// An overhead pass of a circular orbit, which the closed form knows, from a row of a table.
TEST(a_pass_by_table_goes_as_a_circular_orbit_does)
{
    const RiPass whole = ri_pass_overhead(RI_WORLD_MARS, 400e3, 0.0),
                 high = ri_pass_overhead(RI_WORLD_MARS, 400e3, 10.0 * degree);
    const double body = ri_body_radius(RI_WORLD_MARS),
                 row[5] = {1000.0, 1000.0 + whole.duration, 90.0 * degree, 20.0 * degree, 200.0 * degree};
    double first = NAN, last = NAN;
    for (double t = 1000.0; t <= row[1]; t += 0.25) {
        const RiLook look = ri_pass_look(row, body, body + 400e3, t);
        if (look.elevation < 10.0 * degree)
            continue;
        first = isnan(first) ? t : first;
        last = t;
    }
    CHECK_CLOSE(last - first, high.duration, 0.6);
    const RiLook rise = ri_pass_look(row, body, body + 400e3, row[0]),
                 top = ri_pass_look(row, body, body + 400e3, 0.5 * (row[0] + row[1]));
    CHECK_CLOSE(rise.elevation, 0.0, 1e-9);
    CHECK_CLOSE(rise.range, whole.range, 1e-3);
    CHECK_CLOSE(rise.azimuth, 20.0 * degree, 1e-9);
    CHECK_CLOSE(top.elevation, 90.0 * degree, 1e-6);
    CHECK_CLOSE(top.range, 400e3, 1e-3);
    // a low pass comes to the highest elevation that the row says
    const double low[5] = {0.0, 500.0, 25.0 * degree, 300.0 * degree, 60.0 * degree};
    CHECK_CLOSE(ri_pass_look(low, body, body + 400e3, 250.0).elevation, 25.0 * degree, 1e-9);
    CHECK_CLOSE(ri_pass_look(low, body, body + 400e3, 250.0).azimuth, 0.0, 1e-9);
    CHECK_CLOSE(ri_pass_look(low, body, body + 400e3, 500.0).azimuth, 60.0 * degree, 1e-9);
}

TEST(tables_that_cannot_be_are_told)
{
    double x[ORBITER_COUNT] = {0};
    static const double late[] = {0.0, 10.0, 0.5, 0.0, 1.0, 5.0, 20.0, 0.5, 0.0, 1.0},
                        back[] = {10.0, 0.0, 0.5, 0.0, 1.0}, low[] = {0.0, 10.0, 0.0, 0.0, 1.0};
    RiMember m = {.name = "odyssey",
                  .row = ri_subsystem_of(&ri_device_orbiter),
                  .x = x,
                  .table = late,
                  .table_rows = 2,
                  .table_columns = 5};
    CHECK(strstr(ri_member_table_trouble(&m), "overlap") != NULL);
    m.table = back;
    m.table_rows = 1;
    CHECK(strstr(ri_member_table_trouble(&m), "before it rises") != NULL);
    m.table = low;
    CHECK(strstr(ri_member_table_trouble(&m), "highest elevation") != NULL);
}

TEST(dust_follows_its_table_and_light_the_dust)
{
    static RiAssembly a;
    static const double course[] = {0.0, 0.5, 1000.0, 2.5};
    RiContext *ctx;
    RiArena arena;
    RiSunDef place;
    RiNetworkWorld w = moon(&place, 60.0 * degree);
    place.world = RI_WORLD_MARS;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    ri_arena_init(&arena, ctx);
    ri_assembly_init(&a);
    const int site = ri_assembly_add(&a, &ri_device_site, -1, -1, -1),
              sand = ri_assembly_add(&a, &ri_device_ground_cover, -1, -1, -1);
    a.members[site].table = course;
    a.members[site].table_rows = 2;
    a.members[site].table_columns = 2;
    a.x[sand][COVER_INERTIA] = 1500.0;
    a.x[sand][COVER_ALBEDO] = 0.15;
    CHECK_OK(ctx, ri_assembly_start(ctx, &arena, &a, &w));
    ri_assembly_run(&a, &w, 500.0, 10.0);
    CHECK_CLOSE(a.x[site][SITE_TAU], 0.5 + 2.0 * 0.495, 1e-12);
    CHECK(a.x[site][SITE_USED_ALBEDO] == a.x[site][SITE_ALBEDO] && a.x[sand][COVER_UNDER] == 0.0);
    const double site_ground = a.x[site][SITE_GROUND];
    a.network.cover = sand; // the robot drives onto it: its own history of warmth
    ri_assembly_run(&a, &w, 1000.0, 10.0);
    CHECK_CLOSE(a.x[site][SITE_TAU], 2.5, 1e-12);
    CHECK(a.x[site][SITE_USED_ALBEDO] == 0.15 && a.x[sand][COVER_UNDER] == 1.0 &&
          a.x[site][SITE_USED_INERTIA] == 1500.0);
    CHECK(a.x[site][SITE_GROUND] == a.x[sand][COVER_GROUND] && fabs(a.x[site][SITE_GROUND] - site_ground) > 0.5);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(an_edge_hides_as_much_of_the_disc_as_a_chord_through_it),
          CASE(what_the_horizon_hides_is_not_counted_twice),
          CASE(a_tilted_plate_sees_the_sky_by_the_cosine_law_and_a_ball_half_of_it),
          CASE(a_horizon_goes_straight_between_its_rows_and_round_through_north),
          CASE(a_pass_by_table_goes_as_a_circular_orbit_does), CASE(tables_that_cannot_be_are_told),
          CASE(dust_follows_its_table_and_light_the_dust))
