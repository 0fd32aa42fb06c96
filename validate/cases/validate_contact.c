// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact with hard ground against closed forms: a block on an incline, rolling, sliding that
/// becomes rolling, and the screw-ice law of EELS-DARTS. Bands: 1 % for the screw law, as its
/// acceptance asks; for Coulomb's law 0.2 %, several times what compliant ground of 100 kN/m and a
/// step of 1 ms leave.
#include <math.h>
#include <stdio.h>

#include <rille/contact.h>
#include <rille/sim.h>

#include "validate/rig.h"

static const double G = 9.81;
static const RiVec3 gravity = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0}, x_axis = {1.0, 0.0, 0.0},
                    z_axis = {0.0, 0.0, 1.0};

/// A simulation on an inclined plane around a rig's model, for one measurement.
typedef struct Ground {
    RiTerrain *terrain;
    RiContacts *contacts;
    RiSim *sim;
} Ground;

static RiStatus open_ground(RiRig *rig, double slope, const RiPairDef *pair, Ground *g)
{
    const RiPlaneDef plane = {.slope = slope};
    RiContactOptions contact = ri_contact_options_default();
    RiSimOptions options = ri_sim_options_default();
    contact.pairs = pair;
    contact.pair_count = 1;
    options.gravity = gravity;
    RI_TRY(ri_terrain_create_plane(rig->ctx, &plane, &g->terrain));
    RI_TRY(ri_contacts_create(rig->ctx, rig->spec, rig->model, g->terrain, &contact, &g->contacts));
    RI_TRY(ri_sim_create(rig->ctx, rig->model, &options, &g->sim));
    RI_TRY(ri_sim_set_contacts(g->sim, g->contacts));
    return ri_sim_build(g->sim);
}

static void close_ground(Ground *g)
{
    ri_sim_destroy(g->sim);
    ri_contacts_destroy(g->contacts);
    ri_terrain_destroy(g->terrain);
}

static RiStatus advance(Ground *g, double time)
{
    while (ri_sim_time(g->sim) < time - 1e-9)
        RI_TRY(ri_sim_step(g->sim));
    return RI_OK;
}

/// Puts the free body so deep that the ground carries it, on a slope that rises along x; `turned`:
/// lying along it.
static void lay_down(Ground *g, double slope, double height, double weight, int points, double stiffness, bool turned)
{
    const double h = height - weight * cos(slope) / (points * stiffness);
    double *q = ri_sim_q(g->sim);
    q[0] = -h * sin(slope), q[1] = 0.0, q[2] = h * cos(slope);
    q[3] = turned ? cos(0.5 * slope) : 1.0, q[4] = q[6] = 0.0, q[5] = turned ? -sin(0.5 * slope) : 0.0;
}

/// Acceleration down the slope between two times.
static RiStatus measure(Ground *g, double slope, double from, double to, double *out)
{
    const double *v = ri_sim_v(g->sim);
    RI_TRY(advance(g, from));
    const double v0 = -(v[0] * cos(slope) + v[2] * sin(slope));
    RI_TRY(advance(g, to));
    *out = (-(v[0] * cos(slope) + v[2] * sin(slope)) - v0) / (to - from);
    return RI_OK;
}

static RiStatus add_shape(RiRig *rig, RiShapeType type, double a, double b, double c)
{
    RiShapeSpec shape = ri_shape_default();
    shape.link = "body";
    shape.use = RI_SHAPE_COLLISION;
    shape.type = type;
    shape.size[0] = a, shape.size[1] = b, shape.size[2] = c;
    return ri_spec_add_shape(rig->spec, &shape);
}

// --- block ---------------------------------------------------------------------------------------

static RiStatus build_block(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "body", 2.0, origin, ri_inertia_box(2.0, ri_vec3(0.4, 0.4, 0.1))));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "body", origin, x_axis, 0.0));
    return add_shape(rig, RI_SHAPE_BOX, 0.4, 0.4, 0.1);
}

static RiStatus slide_or_stick(RiRig *rig)
{
    const double slope = 20.0 * M_PI / 180.0;
    for (int stick = 0; stick < 2; stick++) {
        Ground g = {0};
        RiPairDef pair = ri_pair_default();
        pair.friction = stick ? 0.4 : 0.3;
        double a = NAN;
        RiStatus status = open_ground(rig, slope, &pair, &g);
        if (status == RI_OK) {
            lay_down(&g, slope, 0.05, 2.0 * G, 4, pair.stiffness, true);
            status = ri_sim_start(g.sim);
        }
        if (status == RI_OK)
            status = measure(&g, slope, 1.0, 2.0, &a);
        close_ground(&g);
        RI_TRY(status);
        if (stick)
            ri_validate_most(rig->run, "acceleration of a block on 20 deg, friction 0.4: it sticks", "m/s^2", 1e-9,
                             fabs(a));
        else
            ri_validate_near(rig->run, "acceleration of a block on 20 deg, friction 0.3", "m/s^2", 0.589702,
                             0.002 * 0.589702, a);
    }
    return RI_OK;
}

// --- rolling -------------------------------------------------------------------------------------

typedef struct Roller {
    const char *name;
    double inertia; // over m r^2
    bool wheel;
} Roller;

static RiStatus build_roller(RiRig *rig)
{
    const Roller *x = rig->user;
    const double I = x->inertia * 0.01;
    RI_TRY(ri_rig_link(rig, "body", 1.0, origin, ri_diagonal(I, I, I)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "body", origin, x_axis, 0.0));
    if (!x->wheel)
        return add_shape(rig, RI_SHAPE_SPHERE, 0.1, 0.0, 0.0);
    const RiWheelSpec wheel = {.name = "w", .link = "body", .pose = ri_pose_identity(), .radius = 0.1, .width = 0.2};
    return ri_spec_add_wheel(rig->spec, &wheel);
}

static RiStatus roll(RiRig *rig)
{
    const Roller *x = rig->user;
    const double slope = 0.2;
    Ground g = {0};
    RiPairDef pair = ri_pair_default();
    pair.friction = 0.8;
    double a = NAN;
    char text[96];
    RiStatus status = open_ground(rig, slope, &pair, &g);
    if (status == RI_OK) {
        lay_down(&g, slope, 0.1, G, x->wheel ? 2 : 1, pair.stiffness, false);
        status = ri_sim_start(g.sim);
    }
    if (status == RI_OK)
        status = measure(&g, slope, 0.5, 1.5, &a);
    close_ground(&g);
    snprintf(text, sizeof text, "%s rolling down: acceleration over g sin(slope)", x->name);
    const double factor = 1.0 / (1.0 + x->inertia);
    ri_validate_near(rig->run, text, "-", factor, 0.002 * factor, a / (G * sin(slope)));
    return status;
}

static RiStatus slide_to_roll(RiRig *rig)
{
    const double v0 = 2.0, mu = 0.3, t = 2.0 * v0 / (7.0 * mu * G);
    Ground g = {0};
    RiPairDef pair = ri_pair_default();
    pair.friction = mu;
    double way = NAN, speed = NAN;
    RiStatus status = open_ground(rig, 0.0, &pair, &g);
    if (status == RI_OK) {
        lay_down(&g, 0.0, 0.1, G, 1, pair.stiffness, false);
        ri_sim_v(g.sim)[0] = v0;
        status = ri_sim_start(g.sim);
    }
    if (status == RI_OK)
        status = advance(&g, round(1000.0 * t) / 1000.0);
    if (status == RI_OK) {
        way = ri_sim_q(g.sim)[0];
        status = advance(&g, 1.0);
        speed = ri_sim_v(g.sim)[0];
    }
    close_ground(&g);
    ri_validate_near(rig->run, "way of a sliding sphere until it rolls", "m", 12.0 * v0 * v0 / (49.0 * mu * G), 0.002,
                     way);
    ri_validate_near(rig->run, "its speed then", "m/s", 5.0 / 7.0 * v0, 0.003, speed);
    return status;
}

RiStatus ri_case_friction(RiValidation *run)
{
    Roller rollers[] = {{"solid sphere", 0.4, false},
                        {"hollow sphere", 2.0 / 3.0, false},
                        {"solid cylinder", 0.5, true},
                        {"hoop", 1.0, true}};
    RI_TRY(ri_rig_use(run, "block", gravity, build_block, slide_or_stick, NULL));
    for (int i = 0; i < 4; i++)
        RI_TRY(ri_rig_use(run, "roller", gravity, build_roller, roll, &rollers[i]));
    return ri_rig_use(run, "ball", gravity, build_roller, slide_to_roll, &rollers[0]);
}

// --- screws --------------------------------------------------------------------------------------

typedef struct Screws {
    double E, lead_deg;
    bool held; // the body, not the screws
} Screws;

static RiStatus add_screw(RiRig *rig, const char *name, double y, int hand, double lead)
{
    RiScrewSpec screw = {.name = name, .link = name, .hand = hand, .starts = 4, .radius = 0.1, .length = 0.3};
    screw.pose = ri_pose_identity();
    screw.pose.R = ri_mat3_from_cols(ri_vec3(0, 0, -1), ri_vec3(0, 1, 0), x_axis);
    screw.lead = lead;
    RI_TRY(ri_rig_link(rig, name, 1.0, origin, ri_diagonal(1e3, 1e3, 1e3))); // a flywheel that keeps its speed
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "frame", name, ri_vec3(0.0, y, 0.0), x_axis, 0.0));
    return ri_spec_add_screw(rig->spec, &screw);
}

/// Two screws of opposite hands in a frame that may rise and, unless held, move along them.
static RiStatus build_screws(RiRig *rig)
{
    const Screws *x = rig->user;
    const double lead = 2.0 * M_PI * 0.1 * tan(x->lead_deg * M_PI / 180.0);
    RI_TRY(ri_rig_link(rig, "lift", 0.1, origin, ri_inertia_sphere(0.1, 0.05)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_PRISMATIC, "world", "lift", origin, z_axis, 0.0998));
    RI_TRY(ri_rig_link(rig, "frame", 8.0, origin, ri_inertia_sphere(8.0, 0.2)));
    RI_TRY(ri_rig_joint(rig, x->held ? RI_JOINT_FIXED : RI_JOINT_PRISMATIC, "lift", "frame", origin, x_axis, 0.0));
    RI_TRY(add_screw(rig, "left", 0.2, 1, lead));
    return add_screw(rig, "right", -0.2, -1, lead);
}

static double thrust_over_load(const RiSim *sim)
{
    double thrust = 0.0, load = 0.0;
    for (int i = 0; i < ri_sim_touch_count(sim); i++) {
        thrust += ri_sim_touch(sim, i)->force.x;
        load += ri_sim_touch(sim, i)->pressing;
    }
    return fabs(thrust) / load;
}

static RiStatus turn(RiRig *rig)
{
    const Screws *x = rig->user;
    const double L = x->lead_deg * M_PI / 180.0, t = tan(L), w = 3.0, mu = 0.15;
    Ground g = {0};
    RiPairDef pair = ri_pair_default();
    pair.law = RI_LAW_SCREW;
    pair.friction = mu;
    pair.e0 = x->E;
    char text[96];
    RiStatus status = open_ground(rig, 0.0, &pair, &g);
    if (status == RI_OK)
        status = ri_values_set(ri_sim_values(g.sim), "left.velocity", "3");
    if (status == RI_OK)
        status = ri_values_set(ri_sim_values(g.sim), "right.velocity", "-3");
    if (status == RI_OK)
        status = ri_sim_start(g.sim);
    if (status == RI_OK)
        status = advance(&g, 3.0);
    double ours = NAN, want;
    if (x->held) {
        want = mu * (x->E - 1.0) * sin(L) * cos(L);
        ours = status == RI_OK ? thrust_over_load(g.sim) : NAN;
        snprintf(text, sizeof text, "thrust over load of stalled screws, E = %g, lead %g deg", x->E, x->lead_deg);
    } else {
        want = (x->E - 1.0) * t / (x->E + t * t);
        if (status == RI_OK) {
            double speed;
            status = ri_values_eval(ri_sim_values(g.sim), "frame.velocity", &speed);
            ours = status == RI_OK ? fabs(speed) / (w * 0.1) : NAN;
        }
        snprintf(text, sizeof text, "free speed of a screw pair over w R, E = %g, lead %g deg", x->E, x->lead_deg);
    }
    close_ground(&g);
    ri_validate_near(rig->run, text, "-", want, fmax(0.01 * want, 1e-6), ours);
    return status;
}

RiStatus ri_case_screws(RiValidation *run)
{
    Screws cases[] = {{2, 20, false},   {5, 20, false}, {10, 20, false}, {10, 30, false},
                      {100, 30, false}, {1, 30, false}, {5, 30, true},   {10, 20, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        RI_TRY(ri_rig_use(run, "screws", gravity, build_screws, turn, &cases[i]));
    return RI_OK;
}
