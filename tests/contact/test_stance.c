// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stances: every wheel touches and none digs in (brute force), all rovers, variations of the
/// template, honest refusals.
#include "check.h"

#include <rille/robot.h>
#include <rille/stance.h>

#include "../io/faults.h"
#include "base/rng.h"
#include "contact/stance.h"

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiTerrain *t;
    RiStance *s;
    RiDyn *d;
    double q[64];
} Rig;

static RiStatus load(Rig *r, const char *robot, const RiSetting *set, int count)
{
    char path[512];
    const RiLoadOptions options = {.settings = set, .setting_count = count};
    snprintf(path, sizeof path, RILLE_SOURCE_DIR "/robots/%s.yaml", robot);
    RI_TRY(ri_robot_load(r->ctx, path, &options, &r->spec));
    RI_TRY(ri_model_create(r->ctx, r->spec, NULL, &r->m));
    RI_TRY(ri_dyn_create(r->ctx, r->m, &r->d));
    ri_model_get_initial_q(r->m, r->q);
    return RI_OK;
}

static double wave(double x, double y)
{
    return 0.15 * sin(0.8 * x + 0.3) * cos(0.7 * y) + 0.02 * sin(2.1 * y + 1.0) * cos(1.9 * x);
}

/// Smooth waves, larger for larger robots.
static RiStatus make_waves(RiContext *ctx, double size, RiTerrain **out)
{
    enum { N = 200 };
    RiRaster *raster;
    RI_TRY(ri_raster_create(ctx, N, N, 0.05 * size, 0.05 * size, &raster));
    raster->x0 = raster->y0 = -5.0 * size;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            raster->values[j * N + i] = (float)(size * wave(-5.0 + 0.05 * i, -5.0 + 0.05 * j));
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    const RiStatus status = ri_terrain_create_heights(ctx, &def, out);
    ri_raster_destroy(raster);
    return status;
}

static void close_rig(Rig *r)
{
    ri_stance_destroy(r->s);
    ri_dyn_destroy(r->d);
    ri_terrain_destroy(r->t);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

static RiStatus stand(Rig *r, RiStanceContact contact)
{
    RiStanceDef def = ri_stance_def_default();
    def.contact = contact;
    return ri_stance_create(r->ctx, r->spec, r->m, &def, &r->s);
}

/// Lowest point of a wheel's surface over the ground, by looking everywhere, with the pose that the
/// dynamics gives for q.
static double least_gap(const Rig *r, const RiWheelSpec *w)
{
    const RiPose link = ri_dyn_frame_pose(r->d, ri_model_find_link(r->m, w->link)), at = ri_pose_mul(&link, &w->pose);
    double least = 1e9;
    const int across = w->crown > 0.0 ? 40 : 8;
    for (int i = 0; i < 720; i++)
        for (int k = 0; k <= across; k++) {
            const double a = i * M_PI / 360.0, y = w->width * ((double)k / across - 0.5);
            const double drop = w->crown > 0.0 ? w->crown - sqrt(w->crown * w->crown - y * y) : 0.0;
            const double radius = w->radius + w->grouser_height - drop;
            const RiVec3 p = ri_pose_point(&at, ri_vec3(radius * sin(a), y, -radius * cos(a)));
            RiHeight h;
            if (ri_terrain_height(r->t, p.x, p.y, &h))
                least = fmin(least, p.z - h.z);
        }
    return least;
}

static const char *const rovers[] = {"curiosity", "mars2020", "mer",     "sojourner",
                                     "fido",      "rocky8",   "jpl_osr", "exomars"};
static const double sizes[] = {2.0, 2.0, 1.2, 0.4, 0.8, 0.8, 0.5, 1.2};
enum { ROVERS = sizeof rovers / sizeof *rovers };

TEST(wheels_of_every_rover_touch_and_none_digs_in)
{
    for (int k = 0; k < ROVERS; k++) {
        Rig r = {0};
        REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
        REQUIRE_OK(r.ctx, load(&r, rovers[k], NULL, 0));
        REQUIRE_OK(r.ctx, make_waves(r.ctx, sizes[k], &r.t));
        REQUIRE_OK(r.ctx, stand(&r, RI_STANCE_ON_SURFACE));
        for (int i = 0; i < 6; i++) {
            RiStanceReport report;
            const double x = sizes[k] * (0.9 * sin(2.3 * i)), y = sizes[k] * (0.8 * cos(1.7 * i));
            if (!ri_stance_solve(r.s, r.t, x, y, 0.9 * i, r.q, &report)) {
                CHECK_FAIL("%s: %s", rovers[k], report.text);
                continue;
            }
            REQUIRE_OK(r.ctx, ri_dyn_update_position(r.d, r.q));
            for (int w = 0; w < r.spec->wheel_count; w++) // 720 points around: they miss the lowest one by a little
                CHECK_CLOSE(least_gap(&r, &r.spec->wheels[w]), 0.0, 2e-5 * sizes[k]);
            CHECK_CLOSE(r.q[0], x, 0);
            CHECK_CLOSE(r.q[1], y, 0);
        }
        close_rig(&r);
    }
}

TEST(below_the_hub_the_ground_lies_one_radius_lower)
{
    Rig r = {0};
    REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
    REQUIRE_OK(r.ctx, load(&r, "mer", NULL, 0));
    REQUIRE_OK(r.ctx, make_waves(r.ctx, 1.2, &r.t));
    REQUIRE_OK(r.ctx, stand(&r, RI_STANCE_BELOW_HUB));
    for (int i = 0; i < 50; i++) {
        RiStanceReport report;
        CHECK(ri_stance_solve(r.s, r.t, 0.05 * i - 1.0, 0.5, 0.1 * i, r.q, &report));
        CHECK(report.residual <= 1e-8 && report.wheel == -1 && report.text[0] == '\0');
        REQUIRE_OK(r.ctx, ri_dyn_update_position(r.d, r.q));
        for (int w = 0; w < 6; w++) {
            const RiVec3 hub = ri_dyn_frame_pose(r.d, ri_model_find_link(r.m, r.spec->wheels[w].link)).p;
            RiHeight h;
            REQUIRE(ri_terrain_height(r.t, hub.x, hub.y, &h));
            CHECK_CLOSE(hub.z - h.z, r.spec->wheels[w].radius + r.spec->wheels[w].grouser_height, 1e-8);
            CHECK_CLOSE(ri_norm(ri_sub(ri_stance_wheel(r.s, w).hub, hub)), 0.0, 1e-12);
        }
        const RiMat3 R = ri_quat_to_mat3((RiQuat){r.q[3], r.q[4], r.q[5], r.q[6]});
        CHECK_CLOSE(cos(atan2(R.m[1][0], R.m[0][0]) - 0.1 * i), 1.0, 1e-12);
        CHECK_CLOSE(-asin(R.m[2][0]), report.pitch, 1e-12);
    }
    close_rig(&r);
}

TEST(the_jacobian_is_the_difference_of_gaps)
{
    for (int form = 0; form < 2; form++) {
        Rig r = {0};
        REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
        REQUIRE_OK(r.ctx, load(&r, "curiosity", NULL, 0));
        REQUIRE_OK(r.ctx, make_waves(r.ctx, 2.0, &r.t));
        REQUIRE_OK(r.ctx, stand(&r, (RiStanceContact)form));
        RiStanceReport report;
        REQUIRE(ri_stance_solve(r.s, r.t, 0.3, 0.2, 0.7, r.q, &report));
        double J[36], before[6], f[6], K[36];
        memcpy(J, r.s->newton.J, sizeof J);
        for (int u = 0; u < 6; u++) { // central differences of the gaps, solved anew around each wheel
            const double h = 1e-6, at = r.s->u[u];
            for (int side = 0; side < 2; side++) {
                r.s->u[u] = at + (side ? h : -h);
                REQUIRE(ri_stance_evaluate(r.s, side ? f : before, K));
            }
            r.s->u[u] = at;
            for (int w = 0; w < 6; w++)
                CHECK_CLOSE((f[w] - before[w]) / (2.0 * h), J[6 * w + u], 2e-5);
        }
        close_rig(&r);
    }
}

TEST(a_spring_differential_stands_as_the_ideal_one)
{
    static const RiSetting ideal[] = {{"differential_kind", "1"}}, spring[] = {{"differential_kind", "2"}};
    double z[2], left[2];
    for (int kind = 0; kind < 2; kind++) {
        Rig r = {0};
        REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
        REQUIRE_OK(r.ctx, load(&r, "fido", kind ? spring : ideal, 1));
        REQUIRE_OK(r.ctx, make_waves(r.ctx, 0.8, &r.t));
        REQUIRE_OK(r.ctx, stand(&r, RI_STANCE_BELOW_HUB));
        RiStanceReport report;
        CHECK(ri_stance_solve(r.s, r.t, 0.1, 0.2, 0.3, r.q, &report));
        CHECK_INT(ri_stance_passive_count(r.s), kind ? 4 : 3);
        z[kind] = report.z;
        left[kind] = r.q[ri_model_joint(r.m, ri_model_find_joint(r.m, "rocker_left_joint")).q_index];
        if (kind)
            CHECK_CLOSE(left[1] + r.q[ri_model_joint(r.m, ri_model_find_joint(r.m, "rocker_right_joint")).q_index], 0.0,
                        1e-8);
        close_rig(&r);
    }
    CHECK_CLOSE(z[0], z[1], 1e-8);
    CHECK_CLOSE(left[0], left[1], 1e-8);
}

TEST(on_a_plane_the_rover_stands_parallel_to_it)
{
    Rig r = {0};
    REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
    REQUIRE_OK(r.ctx, load(&r, "exomars", NULL, 0));
    const RiPlaneDef plane = {.slope = 0.2, .azimuth = 0.0};
    REQUIRE_OK(r.ctx, ri_terrain_create_plane(r.ctx, &plane, &r.t));
    REQUIRE_OK(r.ctx, stand(&r, RI_STANCE_ON_SURFACE));
    RiStanceReport report;
    REQUIRE(ri_stance_solve(r.s, r.t, 1.0, 2.0, 0.0, r.q, &report));
    CHECK_CLOSE(report.pitch, -0.2, 1e-9);
    CHECK_CLOSE(report.roll, 0.0, 1e-9);
    REQUIRE(ri_stance_solve(r.s, r.t, 1.0, 2.0, -M_PI / 2.0, r.q, &report)); // the slope rises to the left
    CHECK_CLOSE(report.roll, 0.2, 1e-9);
    CHECK_CLOSE(r.q[2] * cos(0.2), sin(0.2) * 1.0 + 0.005, 1e-8); // the base is the ground's point but for the grousers
    close_rig(&r);
}

TEST(loads_add_up_to_the_weight_and_do_not_depend_on_the_heading)
{
    Rig r = {0};
    double loads[6], first[6];
    REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
    REQUIRE_OK(r.ctx, load(&r, "mer", NULL, 0));
    const RiPlaneDef plane = {.slope = 0.0};
    REQUIRE_OK(r.ctx, ri_terrain_create_plane(r.ctx, &plane, &r.t));
    REQUIRE_OK(r.ctx, stand(&r, RI_STANCE_BELOW_HUB));
    CHECK(!ri_stance_loads(r.s, r.d, r.q, loads)); // nothing is solved yet
    for (int i = 0; i < 8; i++) {
        double sum = 0.0;
        REQUIRE(ri_stance_solve(r.s, r.t, 0.0, 0.0, 0.7 * i, r.q, NULL));
        REQUIRE(ri_stance_loads(r.s, r.d, r.q, i ? loads : first));
        for (int w = 0; w < 6; w++) {
            sum += i ? loads[w] : first[w];
            if (i)
                CHECK_CLOSE(loads[w], first[w], 1e-9);
        }
        CHECK_CLOSE(sum, 9.81 * ri_model_mass(r.m), 1e-8);
    }
    close_rig(&r);
}

TEST(the_answer_depends_on_nothing_but_the_question)
{
    Rig r = {0};
    double a[64], b[64], start[64];
    REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
    REQUIRE_OK(r.ctx, load(&r, "sojourner", NULL, 0));
    REQUIRE_OK(r.ctx, make_waves(r.ctx, 0.4, &r.t));
    REQUIRE_OK(r.ctx, stand(&r, RI_STANCE_ON_SURFACE));
    memcpy(start, r.q, sizeof start);
    memcpy(a, start, sizeof a);
    REQUIRE(ri_stance_solve(r.s, r.t, 0.1, 0.1, 0.5, a, NULL));
    REQUIRE(ri_stance_solve(r.s, r.t, -0.4, 0.3, 2.5, r.q, NULL)); // somewhere else in between
    memcpy(b, start, sizeof b);
    REQUIRE(ri_stance_solve(r.s, r.t, 0.1, 0.1, 0.5, b, NULL));
    CHECK(memcmp(a, b, (size_t)ri_model_nq(r.m) * sizeof *a) == 0);
    close_rig(&r);
}

TEST(a_place_without_a_stance_is_refused_with_the_wheel)
{
    Rig r = {0};
    REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
    REQUIRE_OK(r.ctx, load(&r, "mer", NULL, 0));
    RiRaster *raster; // a block below the left middle wheel, higher than the bogie reaches
    REQUIRE_OK(r.ctx, ri_raster_create(r.ctx, 121, 121, 0.05, 0.05, &raster));
    raster->x0 = raster->y0 = -3.0;
    for (int i = 0; i < 121 * 121; i++)
        raster->values[i] = 0.0F;
    for (int j = 60 + 6; j < 60 + 16; j++)
        for (int i = 60 - 6; i <= 60 + 6; i++)
            raster->values[j * 121 + i] = 0.8F;
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    def.edge = RI_EDGE_STOP;
    REQUIRE_OK(r.ctx, ri_terrain_create_heights(r.ctx, &def, &r.t));
    ri_raster_destroy(raster);
    for (int form = 0; form < 2; form++) {
        ri_stance_destroy(r.s);
        REQUIRE_OK(r.ctx, stand(&r, (RiStanceContact)form));
        double before[64];
        RiStanceReport report;
        ri_model_get_initial_q(r.m, r.q);
        memcpy(before, r.q, sizeof before);
        CHECK(!ri_stance_solve(r.s, r.t, 0.0, 0.0, 0.0, r.q, &report));
        CHECK(report.text[0] != '\0' && !report.solved);
        CHECK(report.wheel >= 0);
        CHECK(memcmp(before, r.q, sizeof before) == 0); // untouched
        CHECK(!ri_stance_solve(r.s, r.t, 2.9, 0.0, 0.0, r.q, &report));
        CHECK(strstr(report.text, "edge of the terrain"));
        CHECK(!ri_stance_solve(r.s, r.t, NAN, 0.0, 0.0, r.q, &report));
        CHECK(strstr(report.text, "not finite"));
    }
    close_rig(&r);
}

TEST(robots_that_cannot_stand_are_refused_with_the_reason)
{
    static const struct {
        const char *robot;
        const char *passive;
        const char *part;
    } bad[] = {{"snake", NULL, "no wheels"},
               {"mer", "bogie_*", "6 wheels that touch, but 5 unknowns"},
               {"mer", "*", "6 wheels that touch, but 10 unknowns"},
               {"pendulum", NULL, "no wheels"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Rig r = {0};
        REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
        REQUIRE_OK(r.ctx, load(&r, bad[i].robot, NULL, 0));
        RiStanceDef def = ri_stance_def_default();
        def.passive = &bad[i].passive;
        def.passive_count = bad[i].passive ? 1 : 0;
        CHECK_ERROR(r.ctx, ri_stance_create(r.ctx, r.spec, r.m, &def, &r.s), RI_ERR_UNSUPPORTED, bad[i].part);
        CHECK(r.s == NULL);
        close_rig(&r);
    }
    Rig r = {0};
    REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
    REQUIRE_OK(r.ctx, load(&r, "mer", NULL, 0));
    RiStanceDef def = ri_stance_def_default();
    def.sinkage = 0.2;
    CHECK_ERROR(r.ctx, ri_stance_create(r.ctx, r.spec, r.m, &def, &r.s), RI_ERR_ARGUMENT, "above 0");
    REQUIRE_OK(r.ctx, stand(&r, RI_STANCE_BELOW_HUB));
    CHECK_ERROR(r.ctx, ri_stance_set_sinkage(r.s, 0.2), RI_ERR_ARGUMENT, "more than wheel");
    CHECK_OK(r.ctx, ri_stance_set_sinkage(r.s, 0.02));
    close_rig(&r);
}

TEST(impossible_geometry_is_refused_with_the_nearest_value)
{
    static const struct {
        const char *robot;
        RiSetting set;
        const char *part;
    } bad[] = {{"mer", {"front_x", "0.2"}, "must be at least 0.26"},
               {"mer", {"rear_x", "-0.1"}, "must be at most -0.26"},
               {"curiosity", {"body_width", "2"}, "must be at most 1.599"},
               {"exomars", {"middle_x", "-0.5"}, "must be at least -0.315"},
               {"fido", {"suspension_mass", "2"}, "must be at least 0.001"},
               {"mer", {"bogie_end", "2"}, "must be at most 1"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Rig r = {0};
        REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
        CHECK_ERROR(r.ctx, load(&r, bad[i].robot, &bad[i].set, 1), RI_ERR_FORMAT, bad[i].part);
        close_rig(&r);
    }
}

TEST(failing_allocations_leave_nothing_behind)
{
    Rig r = {0};
    REQUIRE_OK(NULL, ri_context_create(NULL, &r.ctx));
    REQUIRE_OK(r.ctx, load(&r, "fido", NULL, 0));
    RiStatus status = RI_ERR_MEMORY;
    for (long at = 0; status != RI_OK && at < 200; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        RiStance *s = NULL;
        if (ri_context_create(&allocator, &ctx) != RI_OK) {
            CHECK_INT(faults.live, 0);
            continue;
        }
        status = ri_stance_create(ctx, r.spec, r.m, NULL, &s);
        CHECK(status == RI_OK || (status == RI_ERR_MEMORY && !s));
        ri_stance_destroy(s);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK_INT(status, RI_OK);
    close_rig(&r);
}

TEST_MAIN(CASE(wheels_of_every_rover_touch_and_none_digs_in), CASE(below_the_hub_the_ground_lies_one_radius_lower),
          CASE(the_jacobian_is_the_difference_of_gaps), CASE(a_spring_differential_stands_as_the_ideal_one),
          CASE(on_a_plane_the_rover_stands_parallel_to_it),
          CASE(loads_add_up_to_the_weight_and_do_not_depend_on_the_heading),
          CASE(the_answer_depends_on_nothing_but_the_question),
          CASE(a_place_without_a_stance_is_refused_with_the_wheel),
          CASE(robots_that_cannot_stand_are_refused_with_the_reason),
          CASE(impossible_geometry_is_refused_with_the_nearest_value), CASE(failing_allocations_leave_nothing_behind))
