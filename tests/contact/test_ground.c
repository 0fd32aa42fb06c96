// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact with curved ground against brute force, a parked snake, and failing allocations.
#include "check.h"

#include <rille/robot.h>
#include <rille/sim.h>

#include "../io/faults.h"
#include "base/rng.h"
#include "contact/contacts.h"

/// A free body with a screw along its x axis, above some ground.
typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiTerrain *t;
    RiContacts *c;
    RiSim *s;
} Rig;

static const double RADIUS = 0.1;

static void close_rig(Rig *r)
{
    ri_sim_destroy(r->s);
    ri_contacts_destroy(r->c);
    ri_terrain_destroy(r->t);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

static RiStatus add_screw_body(Rig *r)
{
    RiLinkSpec link = ri_link_default();
    link.name = "body", link.mass = 1.0, link.inertia = ri_inertia_sphere(1.0, RADIUS);
    RI_TRY(ri_spec_create(r->ctx, "rig", &r->spec));
    RI_TRY(ri_spec_add_link(r->spec, &link));
    RiScrewSpec x = {.name = "thread", .link = "body", .hand = 1, .starts = 4, .radius = RADIUS, .length = 0.3};
    x.pose = ri_pose_identity();
    x.pose.R = ri_mat3_from_cols(ri_vec3(0, 0, -1), ri_vec3(0, 1, 0), ri_vec3(1, 0, 0)); // z along x
    x.lead = 0.3;
    RI_TRY(ri_spec_add_screw(r->spec, &x));
    return ri_model_create(r->ctx, r->spec, NULL, &r->m);
}

static double wave(double x, double y)
{
    return 0.1 * sin(1.3 * x) * cos(1.1 * y) + 0.02 * sin(5.0 * x + 1.0) * sin(4.0 * y);
}

static RiStatus make_waves(RiContext *ctx, RiTerrain **out)
{
    RiRaster *raster;
    RI_TRY(ri_raster_create(ctx, 128, 128, 0.04, 0.04, &raster));
    raster->x0 = raster->y0 = -2.54;
    for (int j = 0; j < 128; j++)
        for (int i = 0; i < 128; i++)
            raster->values[128 * j + i] = (float)wave(-2.54 + 0.04 * i, -2.54 + 0.04 * j);
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    const RiStatus status = ri_terrain_create_heights(ctx, &def, out);
    ri_raster_destroy(raster);
    return status;
}

static RiStatus finish_rig(Rig *r)
{
    RI_TRY(ri_contacts_create(r->ctx, r->spec, r->m, r->t, NULL, &r->c));
    RI_TRY(ri_sim_create(r->ctx, r->m, NULL, &r->s));
    RI_TRY(ri_sim_set_contacts(r->s, r->c));
    RI_TRY(ri_sim_build(r->s));
    return ri_sim_start(r->s);
}

/// Deepest point of a circle, by trying many.
static double deepest(const RiTerrain *t, RiVec3 centre, RiVec3 axis)
{
    const RiVec3 side = fabs(axis.z) < 0.9 ? ri_vec3(0, 0, 1) : ri_vec3(1, 0, 0);
    const RiVec3 across = ri_cross(axis, side), u = ri_scale(1.0 / ri_norm(across), across), w = ri_cross(axis, u);
    double least = INFINITY;
    for (int i = 0; i < 2000; i++) {
        const double angle = 2.0 * M_PI * i / 2000;
        const RiVec3 arm = ri_add(ri_scale(cos(angle), u), ri_scale(sin(angle), w));
        RiSurface s;
        ri_terrain_query(t, ri_add(centre, ri_scale(RADIUS, arm)), &s);
        least = fmin(least, s.distance);
    }
    return -least;
}

/// Compares every touch at the current pose with the deepest point of its circle. Returns how many
/// there were.
static int compare(Rig *r, double margin)
{
    RiArena arena;
    RiTouchWork work;
    RiVec3 held[64] = {{0.0, 0.0, 0.0}};
    RiDyn *d = ri_sim_dyn(r->s);
    ri_arena_init(&arena, r->ctx);
    if (ri_dyn_update_position(d, ri_sim_q(r->s)) != RI_OK || ri_touch_work_create(&arena, r->c, &work) != RI_OK ||
        r->c->state_count > 64)
        abort();
    ri_dyn_update_velocity(d, ri_sim_v(r->s));
    const int count = ri_contacts_find(r->c, d, margin, held, &work);
    for (int i = 0; i < count; i++) {
        const RiTouch *x = &work.touches[i];
        CHECK_CLOSE(x->depth, deepest(r->t, work.centres[x->feature], work.axes[x->feature]), 3e-5);
        RiSurface s;
        ri_terrain_query(r->t, x->point, &s);
        CHECK_CLOSE(x->depth, -s.distance, 1e-7 + 5e-5 * fabs(x->depth));
        CHECK(ri_dot(x->normal, s.normal) > 1.0 - 1e-5);
        CHECK_CLOSE(ri_norm(ri_sub(x->point, work.centres[x->feature])), RADIUS, 1e-3 * RADIUS);
    }
    ri_arena_free(&arena);
    return count;
}

static void pose(Rig *r, RiVec3 p, RiQuat q)
{
    double *to = ri_sim_q(r->s);
    to[0] = p.x, to[1] = p.y, to[2] = p.z, to[3] = q.w, to[4] = q.x, to[5] = q.y, to[6] = q.z;
}

TEST(a_screw_touches_a_height_field_where_brute_force_says)
{
    Rig r = {0};
    REQUIRE(ri_context_create(NULL, &r.ctx) == RI_OK);
    REQUIRE_OK(r.ctx, add_screw_body(&r));
    REQUIRE_OK(r.ctx, make_waves(r.ctx, &r.t));
    REQUIRE_OK(r.ctx, finish_rig(&r));
    RiRng rng = ri_rng_stream(1, "poses");
    int met = 0;
    for (int k = 0; k < 100; k++) {
        const double x = ri_rng_between(&rng, -1.5, 1.5), y = ri_rng_between(&rng, -1.5, 1.5);
        const RiVec3 turn =
            ri_vec3(ri_rng_between(&rng, -3.0, 3.0), ri_rng_between(&rng, -0.3, 0.3), ri_rng_between(&rng, -3.0, 3.0));
        const RiQuat q = ri_quat_mul(ri_quat_exp(ri_vec3(0, 0, turn.z)), ri_quat_exp(ri_vec3(turn.x, turn.y, 0)));
        pose(&r, ri_vec3(x, y, wave(x, y) + RADIUS + ri_rng_between(&rng, -2e-3, 2e-3)), q);
        met += compare(&r, 1e-3);
    }
    CHECK(met > 50);
    close_rig(&r);
}

TEST(a_screw_in_a_tube_touches_where_brute_force_says)
{
    Rig r = {0};
    REQUIRE(ri_context_create(NULL, &r.ctx) == RI_OK);
    REQUIRE_OK(r.ctx, add_screw_body(&r));
    const RiGroundPart tube = {.shape = RI_GROUND_TUBE, .pose = ri_pose_identity(), .a = 0.3};
    REQUIRE_OK(r.ctx, ri_terrain_create_shapes(r.ctx, 1, &tube, &r.t));
    REQUIRE_OK(r.ctx, finish_rig(&r));
    RiRng rng = ri_rng_stream(2, "poses");
    int met = 0;
    for (int k = 0; k < 100; k++) { // along the tube, leaning a little
        const double angle = ri_rng_between(&rng, -3.0, 3.0), off = 0.2 + ri_rng_between(&rng, -1e-3, 1e-3);
        const RiVec3 lean =
            ri_vec3(ri_rng_between(&rng, -3.0, 3.0), 0.5 * M_PI + ri_rng_between(&rng, -0.01, 0.01), 0.0);
        const RiQuat q = ri_quat_mul(ri_quat_exp(ri_vec3(0, lean.y, 0)), ri_quat_exp(ri_vec3(lean.x, 0, 0)));
        pose(&r, ri_vec3(off * cos(angle), off * sin(angle), ri_rng_between(&rng, -1.0, 1.0)), q);
        met += compare(&r, 1e-3);
    }
    CHECK(met > 50);
    close_rig(&r);
}

// --- a parked snake ------------------------------------------------------------------------------

/// Writes a value to all that a glob names.
static RiStatus write_all(Rig *r, const char *glob, double x)
{
    RiValues *t = ri_sim_values(r->s);
    for (int i = ri_values_match(t, glob, 0); i >= 0; i = ri_values_match(t, glob, i + 1))
        RI_TRY(ri_values_write(t, i, x));
    return RI_OK;
}

/// All joints held by servos; bent to a crescent, because a straight snake rolls down like a log.
static RiStatus park_snake(Rig *r, double slope)
{
    RI_TRY(ri_robot_load(r->ctx, RILLE_SOURCE_DIR "/robots/eels_front.yaml", NULL, &r->spec));
    RI_TRY(ri_model_create(r->ctx, r->spec, NULL, &r->m));
    RI_TRY(ri_terrain_create_plane(r->ctx, &(RiPlaneDef){.slope = slope, .azimuth = 1.0}, &r->t));
    RiPairDef ice = ri_pair_default();
    ice.law = RI_LAW_SCREW, ice.friction = 0.45, ice.e0 = 2.0, ice.e1 = 0.01, ice.e_max = 8.0;
    RiContactOptions contact = ri_contact_options_default();
    contact.pairs = &ice, contact.pair_count = 1;
    RI_TRY(ri_contacts_create(r->ctx, r->spec, r->m, r->t, &contact, &r->c));
    RiSimOptions options = ri_sim_options_default();
    options.tick = 2e-3;
    options.gravity = ri_vec3(0.0, 0.0, -9.81);
    RI_TRY(ri_sim_create(r->ctx, r->m, &options, &r->s));
    RI_TRY(ri_sim_set_contacts(r->s, r->c));
    for (int j = 0; j < ri_model_joint_count(r->m); j++) {
        const RiJointInfo info = ri_model_joint(r->m, j);
        if (info.nv != 1 || info.v_index < 0)
            continue;
        char name[96];
        snprintf(name, sizeof name, "hold_%.80s", info.name);
        RI_TRY(ri_sim_add_device(r->s,
                                 &(RiDeviceDef){.name = name, .device = ri_device_find("servo"), .attach = info.name}));
    }
    RI_TRY(ri_sim_build(r->s));
    RI_TRY(write_all(r, "hold_*.stiffness", 20000.0));
    RI_TRY(write_all(r, "hold_*.damping", 1000.0));
    RI_TRY(write_all(r, "bend_*.position", 0.2));
    RI_TRY(write_all(r, "hold_bend_*.position", 0.2));
    const RiVec3 tilt = ri_vec3(slope * sin(1.0), -slope * cos(1.0), 0.0); // turns z into the plane's normal
    const RiQuat q = ri_quat_exp(tilt);
    const RiMat3 R = ri_quat_to_mat3(q);
    pose(r, ri_rotate(&R, ri_vec3(0.0, 0.0, 0.0995)), q);
    return ri_sim_start(r->s);
}

static RiVec3 base_at(Rig *r)
{
    const double *q = ri_sim_q(r->s);
    return ri_vec3(q[0], q[1], q[2]);
}

TEST(a_parked_snake_on_twenty_degrees_creeps_less_than_a_tenth_of_a_millimetre_in_a_minute)
{
    Rig r = {0};
    REQUIRE(ri_context_create(NULL, &r.ctx) == RI_OK);
    REQUIRE_OK(r.ctx, park_snake(&r, 20.0 * M_PI / 180.0));
    while (ri_sim_time(r.s) < 2.0)
        REQUIRE_OK(r.ctx, ri_sim_step(r.s));
    const RiVec3 from = base_at(&r);
    CHECK(ri_sim_touch_count(r.s) >= 20);
    while (ri_sim_time(r.s) < 62.0)
        REQUIRE_OK(r.ctx, ri_sim_step(r.s));
    CHECK(ri_norm(ri_sub(base_at(&r), from)) < 1e-4);
    for (int i = 0; i < ri_sim_touch_count(r.s); i++)
        CHECK(!ri_sim_touch(r.s, i)->sliding);
    close_rig(&r);
}

TEST(a_step_with_contacts_allocates_nothing)
{
    Faults faults = {.fail_at = -1};
    const RiAllocator allocator = faults_allocator(&faults);
    Rig r = {0};
    REQUIRE(ri_context_create(&allocator, &r.ctx) == RI_OK);
    REQUIRE_OK(r.ctx, park_snake(&r, 0.1));
    REQUIRE_OK(r.ctx, ri_sim_step(r.s));
    const long before = faults.call;
    for (int i = 0; i < 1000; i++)
        REQUIRE_OK(r.ctx, ri_sim_step(r.s));
    CHECK_INT(faults.call, before);
    close_rig(&r);
}

static RiStatus make_all(Rig *r, const RiAllocator *allocator)
{
    *r = (Rig){0};
    RI_TRY(ri_context_create(allocator, &r->ctx));
    RI_TRY(add_screw_body(r));
    RI_TRY(ri_terrain_create_plane(r->ctx, &(RiPlaneDef){.slope = 0.1}, &r->t));
    RiPairDef pair = ri_pair_default();
    pair.robot = "screw", pair.ground = "*", pair.source = (RiSource){"here.yaml", 3};
    RiContactOptions options = ri_contact_options_default();
    options.screw_points = RI_SCREW_THREAD; // more features than fit at first
    options.thread_points = 200;
    options.pairs = &pair, options.pair_count = 1;
    RI_TRY(ri_contacts_create(r->ctx, r->spec, r->m, r->t, &options, &r->c));
    RI_TRY(ri_sim_create(r->ctx, r->m, NULL, &r->s));
    RI_TRY(ri_sim_set_contacts(r->s, r->c));
    RI_TRY(ri_sim_build(r->s));
    return ri_sim_start(r->s);
}

TEST(every_failed_allocation_is_an_error_without_leaks)
{
    bool done = false;
    long at = 0;
    for (; !done && at < 2000; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        Rig r;
        const RiStatus status = make_all(&r, &allocator);
        done = status == RI_OK;
        if (!done)
            CHECK_INT(status, RI_ERR_MEMORY);
        close_rig(&r);
        CHECK_INT(faults.live, 0);
    }
    CHECK(done && at > 10);
}

TEST_MAIN(CASE(a_screw_touches_a_height_field_where_brute_force_says),
          CASE(a_screw_in_a_tube_touches_where_brute_force_says),
          CASE(a_parked_snake_on_twenty_degrees_creeps_less_than_a_tenth_of_a_millimetre_in_a_minute),
          CASE(a_step_with_contacts_allocates_nothing), CASE(every_failed_allocation_is_an_error_without_leaks))
