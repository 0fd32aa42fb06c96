// SPDX-License-Identifier: Apache-2.0
/// \file
/// Looks of wheels and screws: closed, the right side out, as large as the laws say, blades of the
/// right hand and lead.
#include "check.h"

#include <math.h>
#include <string.h>

#include <rille/mesh.h>

#include "faults.h"

static RiWheelSpec mer_wheel(void)
{
    return (RiWheelSpec){.radius = 0.13,
                         .width = 0.16,
                         .crown = 0.35,
                         .grouser_count = 24,
                         .grouser_height = 0.004,
                         .grouser_thickness = 0.002,
                         .grouser_angle = 0.2};
}

static RiScrewSpec eels_screw(int hand)
{
    return (RiScrewSpec){.hand = hand, .starts = 4, .lead = 0.36, .radius = 0.1, .core_radius = 0.08, .length = 0.16};
}

static double check_closed(const RiMesh *mesh)
{
    int open = -1;
    double volume;
    RiVec3 centre;
    RiMat3 J;
    CHECK_OK(mesh->ctx, ri_mesh_open_edges(mesh, &open));
    CHECK_INT(open, 0);
    ri_mesh_mass_properties(mesh, &volume, &centre, &J);
    CHECK(volume > 0.0);
    return volume;
}

/// Largest distance from the axis: y of wheels, z of screws.
static double reach(const RiMesh *mesh, bool about_y)
{
    double most = 0.0;
    for (int i = 0; i < mesh->point_count; i++) {
        const RiVec3 p = mesh->points[i];
        most = fmax(most, about_y ? hypot(p.x, p.z) : hypot(p.x, p.y));
    }
    return most;
}

TEST(a_plain_rim_has_the_volume_of_its_tube)
{
    RiContext *ctx = NULL;
    RiMesh *mesh = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const RiWheelSpec wheel = {.radius = 0.2, .width = 0.1};
    CHECK_OK(ctx, ri_wheel_mesh(ctx, &wheel, RI_GEAR_TREAD, &mesh));
    const double inner = 0.97 * 0.2; // a polygon of 48 corners: n/2 sin(2 pi/n) r^2
    const double area = 24.0 * sin(2.0 * M_PI / 48.0) * (0.2 * 0.2 - inner * inner);
    CHECK_CLOSE(check_closed(mesh), 0.1 * area, 1e-12);
    CHECK_CLOSE(reach(mesh, true), 0.2, 1e-12);
    ri_mesh_destroy(mesh);
    ri_context_destroy(ctx);
}

static double volume_of(RiContext *ctx, RiWheelSpec wheel, RiGearPart part)
{
    RiMesh *mesh = NULL;
    CHECK_OK(ctx, ri_wheel_mesh(ctx, &wheel, part, &mesh));
    const double volume = check_closed(mesh);
    ri_mesh_destroy(mesh);
    return volume;
}

/// Nothing is inside out: each part adds to the volume.
TEST(grousers_and_spokes_add_to_the_volume)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiWheelSpec plain = {.radius = 0.2, .width = 0.1}, bars = plain;
    bars.grouser_count = 12;
    bars.grouser_height = 0.01;
    bars.grouser_thickness = 0.004;
    const double grousers = volume_of(ctx, bars, RI_GEAR_TREAD) - volume_of(ctx, plain, RI_GEAR_TREAD);
    CHECK_CLOSE(grousers, 12.0 * 0.1 * 0.004 * (0.01 + 0.003), 0.1 * grousers); // with what is inside of the rim
    const double hub = 16.0 * sin(M_PI / 16.0) * 0.05 * 0.05 * 0.072;
    CHECK(volume_of(ctx, plain, RI_GEAR_HUB) > 1.2 * hub);
    ri_context_destroy(ctx);
}

TEST(wheels_are_closed_and_as_large_as_the_law_says)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const RiWheelSpec wheel = mer_wheel();
    for (int part = RI_GEAR_TREAD; part <= RI_GEAR_HUB; part++) {
        RiMesh *mesh = NULL;
        RiVec3 low, high;
        CHECK_OK(ctx, ri_wheel_mesh(ctx, &wheel, (RiGearPart)part, &mesh));
        check_closed(mesh);
        ri_mesh_bounds(mesh, &low, &high);
        CHECK(low.y >= -0.08 - 1e-12 && high.y <= 0.08 + 1e-12);
        if (part == RI_GEAR_TREAD) { // the edges of a grouser's top are off its middle by half its thickness
            CHECK_CLOSE(reach(mesh, true), 0.134, 1e-9);
            const double edge = 0.13 - (0.35 - sqrt(0.35 * 0.35 - 0.08 * 0.08));
            CHECK_CLOSE(hypot(mesh->points[13].x, mesh->points[13].z), edge, 1e-12); // the crown
        } else {
            CHECK(reach(mesh, true) <= 0.13);
        }
        ri_mesh_destroy(mesh);
    }
    ri_context_destroy(ctx);
}

/// All edges of blades lie on one of `starts` helices: angle - hand 2 pi z / lead is a multiple of
/// 2 pi / starts up to the blade's thickness.
TEST(blades_are_helices_of_their_hand)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (int hand = -1; hand <= 1; hand += 2) {
        const RiScrewSpec screw = eels_screw(hand);
        RiMesh *mesh = NULL;
        int edges = 0;
        CHECK_OK(ctx, ri_screw_mesh(ctx, &screw, RI_GEAR_TREAD, &mesh));
        check_closed(mesh);
        CHECK_CLOSE(reach(mesh, false), 0.1, 1e-12);
        const double base = 0.6 * 0.02, most = 2.0 * M_PI * 0.2 * base / 0.36;
        for (int i = 0; i < mesh->point_count; i++) {
            const RiVec3 p = mesh->points[i];
            if (hypot(p.x, p.y) < 0.099)
                continue;
            const double off = atan2(p.y, p.x) - hand * 2.0 * M_PI * p.z / 0.36;
            CHECK(fabs(remainder(off, 0.5 * M_PI)) <= most + 1e-9);
            CHECK(fabs(p.z) <= 0.08 + 1e-12);
            edges++;
        }
        CHECK(edges > 100);
        ri_mesh_destroy(mesh);
        CHECK_OK(ctx, ri_screw_mesh(ctx, &screw, RI_GEAR_HUB, &mesh));
        CHECK_CLOSE(check_closed(mesh), 16.0 * sin(M_PI / 16.0) * 0.08 * 0.08 * 0.16, 1e-12);
        ri_mesh_destroy(mesh);
    }
    ri_context_destroy(ctx);
}

TEST(blades_too_many_to_draw_become_a_drum)
{
    RiContext *ctx = NULL;
    RiMesh *mesh = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScrewSpec screw = eels_screw(1);
    screw.lead = 1e-4;
    CHECK_OK(ctx, ri_screw_mesh(ctx, &screw, RI_GEAR_TREAD, &mesh));
    CHECK(!mesh);
    CHECK_OK(ctx, ri_screw_mesh(ctx, &screw, RI_GEAR_HUB, &mesh));
    CHECK_CLOSE(reach(mesh, false), 0.1, 1e-12);
    ri_mesh_destroy(mesh);
    ri_context_destroy(ctx);
}

TEST(failed_allocations_leak_nothing)
{
    int done = 0;
    for (long at = 0; !done && at < 200; at++) {
        Faults faults = {.fail_at = -1};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx = NULL;
        RiMesh *mesh = NULL;
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        const RiWheelSpec wheel = mer_wheel();
        const long before = faults.live;
        faults.fail_at = faults.call + at;
        const RiStatus status = ri_wheel_mesh(ctx, &wheel, RI_GEAR_TREAD, &mesh);
        done = faults.call <= faults.fail_at;
        CHECK(status == (done ? RI_OK : RI_ERR_MEMORY));
        ri_mesh_destroy(mesh);
        CHECK_INT(faults.live, before);
        ri_context_destroy(ctx);
    }
    CHECK(done);
}

TEST_MAIN(CASE(a_plain_rim_has_the_volume_of_its_tube), CASE(grousers_and_spokes_add_to_the_volume),
          CASE(wheels_are_closed_and_as_large_as_the_law_says), CASE(blades_are_helices_of_their_hand),
          CASE(blades_too_many_to_draw_become_a_drum), CASE(failed_allocations_leak_nothing))
