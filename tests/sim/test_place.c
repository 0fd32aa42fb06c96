// SPDX-License-Identifier: Apache-2.0
/// \file
/// Placement: guesses against closed forms, 50 random channels and tubes, and honest failures.
#include "check.h"

#include <rille/place.h>
#include <rille/robot.h>

#include "base/rng.h"

/// Sanitised builds take a part of the channels.
#if defined(__SANITIZE_ADDRESS__)
enum { CHANNELS = 5 };
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

static Rig open_rig_with(const RiAllocator *allocator, const char *robot, const char *modules)
{
    Rig r = {.ctx = NULL};
    char path[4096];
    snprintf(path, sizeof path, "%s/robots/%s.yaml", RILLE_SOURCE_DIR, robot);
    const RiSetting set = {"modules", modules};
    RiLoadOptions o = ri_load_options_default();
    o.settings = &set;
    o.setting_count = 1;
    if (ri_context_create(allocator, &r.ctx) != RI_OK)
        abort();
    ok(&r, ri_robot_load(r.ctx, path, &o, &r.spec));
    ok(&r, ri_model_create(r.ctx, r.spec, NULL, &r.m));
    return r;
}

static Rig open_rig(const char *robot, const char *modules)
{
    return open_rig_with(NULL, robot, modules);
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
    printf("   %s\n   gap %g margin %.3f reserve %.3f effort %.2f %s press %g\n", r->text, r->gap, r->margin,
           r->reserve, r->effort, r->weakest, r->press);
    for (int i = 0; i < r->try_count; i++)
        printf("     try %d: %s %d steps %.2f s, %d touch, %.3g mm, %.3g mm/s: %s\n", i,
               ri_place_stage_name(r->tries[i].stage), r->tries[i].steps, r->tries[i].time, r->tries[i].touching,
               1e3 * r->tries[i].penetration, 1e3 * r->tries[i].speed, r->tries[i].text);
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
    c.part =
        (RiGroundPart){.roughness = amplitude, .wavelength = 0.3 + 0.5 * u[2], .seed = (unsigned long long)(seed + 1)};
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

TEST(in_all_random_channels_it_is_placed_with_every_module_touching_within_a_millimetre)
{
    int placed = 0;
    for (int seed = 0; seed < CHANNELS; seed++) {
        const Channel c = make_channel(seed);
        Rig r = place_in(&c, 10);
        const RiPlaceReport *x = ri_placement_report(r.p);
        placed += x->placed;
        if (!x->placed || x->touching != x->meant || x->penetration > 1e-3 || x->creep > 1e-3)
            CHECK_FAIL("channel %d (%s %g m, roughness %g): %s", seed, ri_ground_shape_name(c.part.shape), c.part.a,
                       c.part.roughness, x->text);
        if (!x->placed)
            print(x);
        close_rig(&r);
    }
    printf("placed in %d of %d channels\n", placed, CHANNELS);
    CHECK_INT(placed, CHANNELS);
}

/// Joint angles at the first look.
typedef struct Seen {
    const RiModel *m;
    int calls;
    double bend[16], twist[16];
} Seen;

static void see(void *user, const RiPlaceView *view)
{
    Seen *s = user;
    if (s->calls++ > 0)
        return;
    for (int i = 1; i <= 10; i++) {
        char name[32];
        snprintf(name, sizeof name, "bend_%d", i);
        s->bend[i] = view->q[ri_model_joint(s->m, ri_model_find_joint(s->m, name)).q_index];
        snprintf(name, sizeof name, "twist_%d", i);
        s->twist[i] = view->q[ri_model_joint(s->m, ri_model_find_joint(s->m, name)).q_index];
    }
}

/// The discrete helix: equal segments turn by equal angles, closed form from its chord.
TEST(the_guess_of_a_helix_has_the_closed_form_angles)
{
    const double R = 0.3, P = 1.8, L = 0.4;
    Rig r = open_rig("snake", "10");
    RiGroundPart part = {.shape = RI_GROUND_TUBE, .pose = ri_pose_identity(), .a = 0.43};
    ok(&r, ri_terrain_create_shapes(r.ctx, 1, &part, &r.t));
    build(&r, 0.6, ENCELADUS);
    RiPlaceDef d = ri_place_def_default();
    Seen seen = {.m = r.m};
    d.shape = RI_PLACE_HELIX;
    d.radius = R;
    d.pitch = P;
    d.watch = see;
    d.user = &seen;
    ok(&r, ri_place(r.s, &d, &r.p));
    double low = 0.0, high = M_PI;
    for (int i = 0; i < 80; i++) {
        const double a = 0.5 * (low + high);
        *(hypot(2.0 * R * sin(0.5 * a), P * a / (2.0 * M_PI)) < L ? &low : &high) = a;
    }
    const double flat = 4.0 * R * R * sin(0.5 * low) * sin(0.5 * low), rise = P * low / (2.0 * M_PI);
    const double bend = acos((flat * cos(low) + rise * rise) / (L * L));
    CHECK(seen.calls > 10);
    for (int i = 3; i <= 9; i++) { // the first has no segment before it, the last leads to the tip
        CHECK_CLOSE(fabs(seen.bend[i]), bend, 0.01);
        CHECK_CLOSE(seen.bend[i], seen.bend[i - 1], 0.01);
        CHECK_CLOSE(seen.twist[i - 1], seen.twist[2], 0.01);
    }
    CHECK(fabs(seen.twist[2]) > 0.1);
    close_rig(&r);
}

/// Forces are those of a block at rest: its weight, shared by its touches.
TEST(a_robot_on_a_plane_bears_its_weight_and_stays)
{
    Rig r = open_rig("snake", "6");
    ok(&r, ri_terrain_create_plane(r.ctx, &(RiPlaneDef){.slope = 0.2}, &r.t));
    build(&r, 0.6, EARTH);
    RiPlaceDef d = ri_place_def_default();
    d.shape = RI_PLACE_CRESCENT;
    d.radius = 2.0;
    d.pose.p.z = 0.6;
    ok(&r, ri_place(r.s, &d, &r.p));
    const RiPlaceReport *x = ri_placement_report(r.p);
    double pressing = 0.0;
    REQUIRE(x->placed);
    CHECK_INT(x->touching, 6);
    for (int i = 0; i < x->link_count; i++)
        pressing += x->links[i].pressing;
    const double weight = 9.81 * ri_model_mass(r.m);
    CHECK_CLOSE(pressing, weight * cos(0.2), 1e-3 * weight);
    CHECK_CLOSE(x->reserve, 1.0 - tan(0.2) / 0.6, 0.02);
    CHECK(x->penetration < 1e-3 && x->creep < 1e-6);
    CHECK_CLOSE(ri_sim_q(r.s)[2], x->q[2], 0.0);
    close_rig(&r);
}

/// Allocations that are left before all fail; negative: none fails.
static void *faulty_resize(void *user, void *block, size_t size)
{
    long *left = user;
    if (*left == 0)
        return NULL;
    *left -= *left > 0;
    return realloc(block, size);
}

static void faulty_release(void *user, void *block)
{
    (void)user;
    free(block);
}

TEST(a_placement_survives_every_failed_allocation)
{
    long left = -1, n = 0;
    const RiAllocator allocator = {faulty_resize, faulty_release, &left};
    Rig r = open_rig_with(&allocator, "snake", "2");
    ok(&r, ri_terrain_create_plane(r.ctx, &(RiPlaneDef){.slope = 0.0}, &r.t));
    build(&r, 0.6, EARTH);
    RiPlaceDef d = ri_place_def_default();
    d.shape = RI_PLACE_STRAIGHT;
    d.pose.p.z = 0.2;
    d.time = 1.0;
    d.hold = 0.1;
    d.attempts = 1;
    for (; n < 5000; n++) {
        left = n;
        const RiStatus status = ri_place(r.s, &d, &r.p);
        left = -1;
        if (status == RI_OK)
            break;
        CHECK_INT(status, RI_ERR_MEMORY);
        CHECK(r.p == NULL);
    }
    CHECK(n > 20 && r.p != NULL);
    printf("survived %ld failed allocations\n", n);
    close_rig(&r);
}

static void check_failure(const Channel *c, int modules, const char *part)
{
    Rig r = place_in(c, modules);
    const RiPlaceReport *x = ri_placement_report(r.p);
    CHECK(!x->placed);
    CHECK(x->try_count == c->def.attempts);
    if (!strstr(x->text, part))
        CHECK_FAIL("'%s' lacks '%s'", x->text, part);
    CHECK_CLOSE(ri_sim_q(r.s)[0], 0.0, 0.0); // the caller's simulation is as it was
    for (int i = 0; i < x->nq; i++)
        CHECK(isfinite(x->q[i]));
    close_rig(&r);
}

TEST(what_cannot_succeed_says_what_was_tried)
{
    Channel walls = make_channel(4);
    walls.part.a = 1.5;
    walls.gravity = EARTH;
    walls.def.time = 3.0;
    walls.def.attempts = 2;
    check_failure(&walls, 4, "not placed (shape zigzag, 2 attempts");
    Channel closed = make_channel(0); // a channel that ends before the robot does
    closed.part = (RiGroundPart){.shape = RI_GROUND_TUBE, .pose = ri_pose_identity(), .a = 0.12};
    closed.part.pose.R = ri_mat3_rpy(0.5 * M_PI, 0.0, 0.0);
    closed.def.shape = RI_PLACE_CRESCENT;
    closed.def.radius = 0.6;
    closed.def.attempts = 1;
    closed.def.time = 2.0;
    check_failure(&closed, 6, "the guess does not fit");
}

TEST(definitions_that_make_no_sense_are_refused_with_the_reason)
{
    Rig r = open_rig("snake", "4");
    ok(&r, ri_terrain_create_plane(r.ctx, &(RiPlaneDef){.slope = 0.0}, &r.t));
    build(&r, 0.6, EARTH);
    RiPlaceDef d = ri_place_def_default();
    d.shape = RI_PLACE_HELIX;
    CHECK_ERROR(r.ctx, ri_place(r.s, &d, &r.p), RI_ERR_ARGUMENT, "this shape needs a radius above 0");
    d.radius = 0.1;
    d.pitch = 0.1;
    CHECK_ERROR(r.ctx, ri_place(r.s, &d, &r.p), RI_ERR_ARGUMENT, "cannot be made of segments of 0.4 m");
    d.shape = RI_PLACE_ZIGZAG;
    d.width = 0.5;
    CHECK_ERROR(r.ctx, ri_place(r.s, &d, &r.p), RI_ERR_ARGUMENT, "legs of 0.4 m");
    d = ri_place_def_default();
    d.touch = (const char *const[]){"no_such_link"};
    d.touch_count = 1;
    CHECK_ERROR(r.ctx, ri_place(r.s, &d, &r.p), RI_ERR_ARGUMENT, "no link that can touch");
    close_rig(&r);
    r = open_rig("snake", "2");
    ok(&r, ri_sim_create(r.ctx, r.m, NULL, &r.s));
    CHECK_ERROR(r.ctx, ri_place(r.s, NULL, &r.p), RI_ERR_ARGUMENT, "after ri_sim_build");
    close_rig(&r);
}

/// A mass on a stretched spring that lets go: what was stored is lost, the books close, and the
/// mass falls.
TEST(a_released_tether_loses_what_it_stored)
{
    Rig r = open_rig("snake", "2");
    const double k = 2000.0;
    ok(&r, ri_sim_create(r.ctx, r.m, NULL, &r.s));
    const RiSpringDef rope = {
        .name = "rope", .link = "tail", .anchor = {0.0, 0.0, 2.0}, .stiffness = k, .length = 1.0, .slack = true};
    const RiSpringDef lost = {.name = "lost", .link = "nowhere", .stiffness = 1.0};
    ok(&r, ri_sim_add_spring(r.s, &rope));
    CHECK_ERROR(r.ctx, ri_sim_add_spring(r.s, &lost), RI_ERR_ARGUMENT, "link 'nowhere' does not exist");
    ok(&r, ri_sim_add_command(r.s, 0.1, "rope.attached", "0", (RiSource){NULL, 0}));
    ok(&r, ri_sim_build(r.s));
    ok(&r, ri_sim_start(r.s));
    RiValues *v = ri_sim_values(r.s);
    const int force = ri_values_find(v, "rope.force"), length = ri_values_find(v, "rope.length");
    while (ri_sim_time(r.s) < 0.1 - 1e-9)
        ok(&r, ri_sim_step(r.s));
    CHECK(ri_values_read(v, force) > 0.0);
    const double lost_before = ri_sim_energy(r.s).dissipated;
    ok(&r, ri_sim_step(r.s));
    const double stretch = ri_values_read(v, length) - 1.0;
    CHECK_CLOSE(ri_sim_energy(r.s).dissipated - lost_before, 0.5 * k * stretch * stretch, 1e-6 * k);
    CHECK_CLOSE(ri_values_read(v, force), 0.0, 0.0);
    while (ri_sim_time(r.s) < 0.5 - 1e-9)
        ok(&r, ri_sim_step(r.s));
    const RiEnergy e = ri_sim_energy(r.s);
    CHECK(ri_energy_residual(&e) < 1e-9);
    CHECK_CLOSE(e.work, 0.0, 1e-9 * e.scale);
    close_rig(&r);
}

TEST_MAIN(CASE(the_guess_of_a_helix_has_the_closed_form_angles), CASE(a_robot_on_a_plane_bears_its_weight_and_stays),
          CASE(what_cannot_succeed_says_what_was_tried), CASE(a_placement_survives_every_failed_allocation),
          CASE(definitions_that_make_no_sense_are_refused_with_the_reason),
          CASE(a_released_tether_loses_what_it_stored),
          CASE(in_all_random_channels_it_is_placed_with_every_module_touching_within_a_millimetre))
