// SPDX-License-Identifier: Apache-2.0
/// \file
/// Placement: guesses against closed forms, 50 random channels and tubes, and honest failures.
#include "check.h"

#include <rille/place.h>
#include <rille/robot.h>

#include "base/rng.h"

/// Sanitised builds take a part of the channels.
#if defined(__SANITIZE_ADDRESS__)
enum { CHANNELS = 10 };
#else
enum { CHANNELS = 50 };
#endif

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

static const RiVec3 EARTH = {0.0, 0.0, -9.81}, ENCELADUS = {0.0, 0.0, -0.113};

static RiPose tilted(double angle, RiVec3 p)
{
    return (RiPose){ri_mat3_rpy(angle, 0.0, 0.0), p};
}

/// Ground and guess of a seed: five kinds of channels, random in size, roughness and slope.
typedef struct Channel {
    const char *robot;
    RiGroundPart part;
    RiVec3 gravity;
    RiPlaceDef def;
} Channel;

static Channel make_channel(int seed)
{
    RiRng rng = ri_rng_stream((uint64_t)seed, "channels");
    double u[6];
    for (int i = 0; i < 6; i++)
        u[i] = ri_rng_uniform(&rng);
    Channel c = {.robot = "snake", .gravity = EARTH, .def = ri_place_def_default()};
    const double amplitude = 2e-3 + 8e-3 * u[0], slope = 0.25 * u[1];
    c.part = (RiGroundPart){.roughness = amplitude, .wavelength = 0.3 + 0.5 * u[2], .seed = (unsigned long long)(seed + 1)};
    c.part.pose = tilted(slope, ri_vec3(0.0, 0.0, 0.0));
    const RiMat3 along_y = ri_mat3_rpy(0.0, 0.0, 0.5 * M_PI), lie = ri_mat3_rpy(-0.5 * M_PI, 0.0, 0.0);
    c.def.shape = RI_PLACE_STRAIGHT; // along y, where channels run
    c.def.pose = (RiPose){ri_mat3_mul(&c.part.pose.R, &along_y), ri_vec3(0.0, -2.0, 0.2 - 2.0 * slope)};
    switch (seed % 5) {
    case 0:
        c.part.shape = RI_GROUND_CHANNEL;
        c.part.a = 0.35 + 0.8 * u[3];
        break;
    case 1:
        c.part.shape = RI_GROUND_PIPE;
        c.part.a = 0.3 + 0.7 * u[3];
        break;
    case 2: // a tube that lies
        c.part.shape = RI_GROUND_TUBE;
        c.part.a = 0.25 + 0.6 * u[3];
        c.part.pose.R = ri_mat3_mul(&c.part.pose.R, &lie);
        c.def.pose.p.z = 0.2 - c.part.a - 2.0 * slope;
        break;
    case 3: // one that stands
        c.part.shape = RI_GROUND_TUBE;
        c.part.pose = tilted(0.4 * slope, ri_vec3(0.0, 0.0, 0.0));
        c.part.a = 0.4 + 0.2 * u[3];
        c.gravity = ENCELADUS;
        c.def.shape = RI_PLACE_HELIX;
        c.def.pose = c.part.pose;
        c.def.radius = c.part.a - 0.13;
        c.def.pitch = 1.5 + 0.5 * u[4];
        c.def.left = u[5] < 0.5;
        break;
    default:
        c.robot = "eels_1_5";
        c.part.shape = RI_GROUND_WALLS;
        c.part.a = 0.30 + 0.02 * u[3];
        c.part.roughness = 0.3 * amplitude;
        c.part.pose = ri_pose_identity();
        c.gravity = ENCELADUS;
        c.def.shape = RI_PLACE_ZIGZAG;
        c.def.pose = ri_pose_identity();
        c.def.width = 0.08 + 0.04 * u[4];
        break;
    }
    return c;
}

static Rig place_in(const Channel *c, int modules)
{
    char count[16];
    snprintf(count, sizeof count, "%d", modules);
    Rig r = open_rig(c->robot, count);
    ok(&r, ri_terrain_create_shapes(r.ctx, 1, &c->part, &r.t));
    build(&r, 0.6, c->gravity);
    ok(&r, ri_place(r.s, &c->def, &r.p));
    return r;
}

TEST(in_fifty_random_channels_every_module_touches_and_none_is_deeper_than_a_millimetre)
{
    for (int seed = 0; seed < CHANNELS; seed++) {
        const Channel c = make_channel(seed);
        Rig r = place_in(&c, 10);
        const RiPlaceReport *x = ri_placement_report(r.p);
        if (!x->placed || x->touching != x->meant || x->penetration > 1e-3) {
            CHECK_FAIL("channel %d (%s %g m, roughness %g): %s", seed, ri_ground_shape_name(c.part.shape), c.part.a, c.part.roughness,
                       x->text);
            print(x);
        }
        close_rig(&r);
    }
}

TEST_MAIN(CASE(in_fifty_random_channels_every_module_touches_and_none_is_deeper_than_a_millimetre))
