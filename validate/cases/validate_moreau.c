// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integrator moreau against closed forms of exact contact: impacts, sticking and sliding, rolling,
/// a rocking block, Painleve's rod, Euler's disk.
///
/// Bands: what is exact in the scheme (constant accelerations, impact laws) has a band of rounding;
/// times of impacts are first order, so their band is a number of steps, and halving the step
/// halves it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/contact.h>
#include <rille/sim.h>

#include "validate/cases/validate_moreau.h"
#include "validate/rig.h"

static const double G = 9.81;
static const RiVec3 gravity = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0}, x_axis = {1.0, 0.0, 0.0};

/// A simulation on an inclined plane for one measurement.
typedef struct Ground {
    RiTerrain *terrain;
    RiContacts *contacts;
    RiSim *sim;
    double gained; // largest growth of energy by the contacts in a step [J]
    double depth;  // deepest penetration after a step [m]
} Ground;

static RiStatus open_ground(RiContext *ctx, const RiSpec *spec, const RiModel *model, double slope,
                            const RiPairDef *pair, double tick, double g_size, Ground *g)
{
    const RiPlaneDef plane = {.slope = slope};
    RiContactOptions contact = ri_contact_options_default();
    RiSimOptions options = ri_sim_options_default();
    contact.pairs = pair;
    contact.pair_count = 1;
    contact.wheel_stations = 1;
    contact.wheel_touches = 1; // a sharp rim
    options.method = RI_METHOD_MOREAU;
    options.tick = tick;
    options.gravity = ri_vec3(0.0, 0.0, -g_size);
    RI_TRY(ri_terrain_create_plane(ctx, &plane, &g->terrain));
    RI_TRY(ri_contacts_create(ctx, spec, model, g->terrain, &contact, &g->contacts));
    RI_TRY(ri_sim_create(ctx, model, &options, &g->sim));
    RI_TRY(ri_sim_set_contacts(g->sim, g->contacts));
    return ri_sim_build(g->sim);
}

static void close_ground(Ground *g)
{
    ri_sim_destroy(g->sim);
    ri_contacts_destroy(g->contacts);
    ri_terrain_destroy(g->terrain);
}

/// One step, watched: contacts may not give energy, nor leave anything in the ground.
static RiStatus step(Ground *g)
{
    const double before = ri_sim_energy(g->sim).dissipated;
    RI_TRY(ri_sim_step(g->sim));
    g->gained = fmax(g->gained, before - ri_sim_energy(g->sim).dissipated);
    for (int i = 0; i < ri_sim_touch_count(g->sim); i++)
        g->depth = fmax(g->depth, ri_sim_touch(g->sim, i)->depth);
    return RI_OK;
}

static RiStatus advance(Ground *g, double time)
{
    while (ri_sim_time(g->sim) < time - 1e-9)
        RI_TRY(step(g));
    return RI_OK;
}

/// A free body at a height over a slope that rises along x; `turned`: lying along it.
static void put(Ground *g, double slope, double height, bool turned)
{
    double *q = ri_sim_q(g->sim);
    q[0] = -height * sin(slope), q[1] = 0.0, q[2] = height * cos(slope);
    q[3] = turned ? cos(0.5 * slope) : 1.0, q[4] = q[6] = 0.0, q[5] = turned ? -sin(0.5 * slope) : 0.0;
}

static double downhill(const Ground *g, double slope)
{
    const double *v = ri_sim_v(g->sim);
    return -(v[0] * cos(slope) + v[2] * sin(slope));
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

static RiStatus open_rig(RiRig *rig, double slope, const RiPairDef *pair, double tick, Ground *g)
{
    return open_ground(rig->ctx, rig->spec, rig->model, slope, pair, tick, G, g);
}

// --- bouncing ball -------------------------------------------------------------------------------

static RiStatus build_ball(RiRig *rig)
{
    const double *inertia = rig->user; // over m r^2
    const double I = *inertia * 0.01;
    RI_TRY(ri_rig_link(rig, "body", 1.0, origin, ri_diagonal(I, I, I)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "body", origin, x_axis, 0.0));
    return add_shape(rig, RI_SHAPE_SPHERE, 0.1, 0.0, 0.0);
}

typedef struct Bounce {
    double first, ratio, rest; // time of the first impact, speeds after over before, time of rest
    double path;
    double gained, depth, speed_at_rest;
} Bounce;

static RiStatus bounce_once(RiRig *rig, double e, double h, double height, Ground *g, Bounce *out)
{
    RiPairDef pair = ri_pair_default();
    pair.restitution = e;
    RI_TRY(open_rig(rig, 0.0, &pair, h, g));
    put(g, 0.0, 0.1 + height, false);
    RI_TRY(ri_sim_start(g->sim));
    *out = (Bounce){.first = NAN, .rest = NAN};
    const double end = 1.2 * sqrt(2.0 * height / G) * (1.0 + e) / (1.0 - e);
    while (ri_sim_time(g->sim) < end) {
        const double before = ri_sim_v(g->sim)[2], z = ri_sim_q(g->sim)[2];
        RI_TRY(step(g));
        const double after = ri_sim_v(g->sim)[2];
        out->path += fabs(ri_sim_q(g->sim)[2] - z);
        if (isnan(out->first) && after > before) {
            out->first = ri_sim_time(g->sim) - 0.5 * h;
            out->ratio = -after / before;
        }
        if (fabs(after) > 1e-10)
            out->rest = ri_sim_time(g->sim);
        out->speed_at_rest = fabs(after);
    }
    out->gained = g->gained;
    out->depth = g->depth;
    return RI_OK;
}

/// Bounces until their speed is what gravity gives in a step. Each of them may be a step late:
/// forces are left out in the step of an impact.
static double bounces(double e, double h, double height)
{
    return log(sqrt(2.0 * G * height) / (G * h)) / log(1.0 / e);
}

/// Mean error of the end of all bounces over drops from several heights: first order, times the
/// number of bounces.
static RiStatus bounce_order(RiRig *rig)
{
    enum { HEIGHTS = 24 };
    double error[2] = {0.0, 0.0};
    for (int i = 0; i < 2 * HEIGHTS; i++) {
        const double h = i % 2 ? 1e-3 : 4e-3, high = 0.5 + 0.02 * (i / 2);
        Ground g = {0};
        Bounce b;
        const RiStatus status = bounce_once(rig, 0.5, h, high, &g, &b);
        close_ground(&g);
        RI_TRY(status);
        error[i % 2] += fabs(b.rest - 3.0 * sqrt(2.0 * high / G)) / (HEIGHTS * bounces(0.5, h, high));
    }
    ri_validate_between(rig->run, "ball, e = 0.5: mean error of the end per bounce, 4 ms over 1 ms", "-", 4.0, 2.5, 6.4,
                        error[0] / error[1]);
    return RI_OK;
}

static RiStatus bounce(RiRig *rig)
{
    static const double es[] = {0.5, 0.9};
    static const double steps[] = {1e-3, 5e-4};
    for (int i = 0; i < 4; i++) {
        const double e = es[i / 2], h = steps[i % 2], t1 = sqrt(2.0 / G), end = t1 * (1.0 + e) / (1.0 - e);
        Ground g = {0};
        Bounce b;
        char text[96];
        const RiStatus status = bounce_once(rig, e, h, 1.0, &g, &b);
        close_ground(&g);
        RI_TRY(status);
        snprintf(text, sizeof text, "ball, e = %g, step %g ms: first impact", e, 1e3 * h);
        ri_validate_near(rig->run, text, "s", t1, h, b.first);
        snprintf(text, sizeof text, "ball, e = %g, step %g ms: speed after over before", e, 1e3 * h);
        ri_validate_near(rig->run, text, "-", e, 1e-12, b.ratio);
        snprintf(text, sizeof text, "ball, e = %g, step %g ms: end of all bounces", e, 1e3 * h);
        ri_validate_near(rig->run, text, "s", end, h * bounces(e, h, 1.0), b.rest);
        snprintf(text, sizeof text, "ball, e = %g, step %g ms: path", e,
                 1e3 * h); // in the step of an impact it turns round
        ri_validate_near(rig->run, text, "m", (1.0 + e * e) / (1.0 - e * e), h * sqrt(2.0 * G) / (1.0 - e), b.path);
        snprintf(text, sizeof text, "ball, e = %g, step %g ms: speed at rest", e, 1e3 * h);
        ri_validate_most(rig->run, text, "m/s", 1e-10, b.speed_at_rest);
        snprintf(text, sizeof text, "ball, e = %g, step %g ms: energy given by an impact", e, 1e3 * h);
        ri_validate_most(rig->run, text, "J", 1e-12, b.gained);
        snprintf(text, sizeof text, "ball, e = %g, step %g ms: penetration", e, 1e3 * h);
        ri_validate_most(rig->run, text, "m", 1e-8, b.depth);
    }
    return bounce_order(rig);
}

// --- block, rolling ------------------------------------------------------------------------------

static RiStatus build_block(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "body", 2.0, origin, ri_inertia_box(2.0, ri_vec3(0.4, 0.4, 0.1))));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "body", origin, x_axis, 0.0));
    return add_shape(rig, RI_SHAPE_BOX, 0.4, 0.4, 0.1);
}

/// How a body starts on a slope: it slides downhill.
typedef struct Start {
    double slope, friction, height, speed;
    bool turned;
} Start;

/// Speed and way of a body on a slope after a second.
static RiStatus slide(RiRig *rig, Start x, double tick, double *out_speed, double *out_way)
{
    const double slope = x.slope;
    Ground g = {0};
    RiPairDef pair = ri_pair_default();
    pair.friction = x.friction;
    RiStatus status = open_rig(rig, slope, &pair, tick, &g);
    if (status == RI_OK) {
        put(&g, slope, x.height, x.turned);
        ri_sim_v(g.sim)[0] = -x.speed * cos(slope);
        ri_sim_v(g.sim)[2] = -x.speed * sin(slope);
        status = ri_sim_start(g.sim);
    }
    const double from = g.sim ? ri_sim_q(g.sim)[0] : 0.0;
    if (status == RI_OK)
        status = advance(&g, 1.0);
    if (status == RI_OK) {
        *out_speed = downhill(&g, slope);
        *out_way = (from - ri_sim_q(g.sim)[0]) / cos(slope);
    }
    close_ground(&g);
    return status;
}

/// A way that depends on a speed at which something ends within a step: what the scheme gives for
/// it, less the closed form.
typedef RiStatus (*WayError)(RiRig *rig, double speed, double tick, double *out_error);

/// Mean error over speeds from 0.8 to 1.2 m/s, with steps of 4 ms over 1 ms. The end falls anywhere
/// into its step, so single errors do not tell an order: they are a h^2 (x - x^2) / 2 with a
/// fraction x of the step.
static RiStatus way_order(RiRig *rig, const char *text, WayError way)
{
    enum { SPEEDS = 40 };
    double error[2] = {0.0, 0.0};
    for (int i = 0; i < 2 * SPEEDS; i++) {
        double one = NAN;
        RI_TRY(way(rig, 0.8 + 0.4 * (i / 2) / SPEEDS, i % 2 ? 1e-3 : 4e-3, &one));
        error[i % 2] += fabs(one);
    }
    ri_validate_between(rig->run, text, "-", 16.0, 12.0, 21.0, error[0] / error[1]);
    return RI_OK;
}

/// Of a block on 20 degrees until it stops.
static RiStatus stop_error(RiRig *rig, double speed, double tick, double *out_error)
{
    const double slope = 20.0 * M_PI / 180.0;
    double v, way = NAN;
    RI_TRY(slide(rig, (Start){slope, 0.6, 0.05, speed, true}, tick, &v, &way));
    *out_error = way - 0.5 * speed * speed / (G * (0.6 * cos(slope) - sin(slope)));
    return RI_OK;
}

/// Of a sphere that slides on the level until it rolls, after a second.
static RiStatus roll_error(RiRig *rig, double speed, double tick, double *out_error)
{
    double v, way = NAN;
    RI_TRY(slide(rig, (Start){0.0, 0.3, 0.1, speed, false}, tick, &v, &way));
    const double t = 2.0 * speed / (2.1 * G), until = 12.0 * speed * speed / (14.7 * G);
    *out_error = way - until - 5.0 / 7.0 * speed * (1.0 - t);
    return RI_OK;
}

static RiStatus slide_or_stick(RiRig *rig)
{
    const double slope = 20.0 * M_PI / 180.0, down = sin(slope), across = cos(slope);
    double v = NAN, way = NAN;
    RI_TRY(slide(rig, (Start){slope, 0.3, 0.05, 0.0, true}, 1e-3, &v, &way));
    ri_validate_near(rig->run, "block on 20 deg, friction 0.3: acceleration", "m/s^2", 0.589702, 1e-6, v);
    RI_TRY(slide(rig, (Start){slope, 0.4, 0.05, 0.0, true}, 1e-3, &v, &way));
    ri_validate_most(rig->run, "block on 20 deg, friction 0.4: speed, it sticks", "m/s", 1e-10, fabs(v));
    RI_TRY(slide(rig, (Start){slope, 0.6, 0.05, 1.0, true}, 1e-3, &v, &way));
    ri_validate_near(rig->run, "block on 20 deg, friction 0.6, at 1 m/s: way until it stops", "m",
                     0.5 / (G * (0.6 * across - down)), 1e-6, way);
    ri_validate_most(rig->run, "its speed then", "m/s", 1e-10, fabs(v));
    RI_TRY(slide(rig, (Start){slope, 0.0, 0.05, 0.0, true}, 1e-3, &v, &way));
    ri_validate_near(rig->run, "block on 20 deg, friction 0: acceleration", "m/s^2", G * down, 1e-9, v);
    RI_TRY(slide(rig, (Start){slope, 1e6, 0.05, 0.0, true}, 1e-3, &v, &way));
    ri_validate_most(rig->run, "block on 20 deg, friction 1e6: speed", "m/s", 1e-10, fabs(v));
    return way_order(rig, "block that stops: mean error of its way, 4 ms over 1 ms", stop_error);
}

static RiStatus roll(RiRig *rig)
{
    const double *inertia = rig->user;
    char text[96];
    double v = NAN, way = NAN;
    RI_TRY(slide(rig, (Start){0.2, 0.8, 0.1, 0.0, false}, 1e-3, &v, &way));
    snprintf(text, sizeof text, "ball of inertia %.4g m r^2 rolling down: acceleration over g sin(slope)", *inertia);
    ri_validate_near(rig->run, text, "-", 1.0 / (1.0 + *inertia), 1e-6, v / (G * sin(0.2)));
    if (*inertia != 0.4)
        return RI_OK;
    RI_TRY(slide(rig, (Start){0.0, 0.3, 0.1, 2.0, false}, 1e-3, &v, &way));
    ri_validate_near(rig->run, "sphere that slides, then rolls: speed", "m/s", 10.0 / 7.0, 1e-6, v);
    const double t = 4.0 / (2.1 * G), until = 48.0 / (14.7 * G);
    ri_validate_near(rig->run, "its way in a second", "m", until + 10.0 / 7.0 * (1.0 - t), 1e-6, way);
    return way_order(rig, "sphere that slides, then rolls: mean error of its way, 4 ms over 1 ms", roll_error);
}

// --- rocking block -------------------------------------------------------------------------------

static RiStatus build_slab(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "body", 100.0, origin, ri_inertia_box(100.0, ri_vec3(0.5, 0.5, 2.0))));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "body", origin, x_axis, 0.0));
    return add_shape(rig, RI_SHAPE_BOX, 0.5, 0.5, 2.0);
}

static RiStatus rock_once(RiRig *rig, double h, Ground *g, double *out_time, double *out_before, double *out_ratio)
{
    const double tilt = 0.5 * 0.2449786631, b = 0.25, high = 1.0;
    RiPairDef pair = ri_pair_default();
    pair.friction = 2.0;
    RI_TRY(open_rig(rig, 0.0, &pair, h, g));
    double *q = ri_sim_q(g->sim);
    put(g, 0.0, high * cos(tilt) + b * sin(tilt), false);
    q[3] = cos(0.5 * tilt), q[5] = sin(0.5 * tilt); // about the edge on the right
    RI_TRY(ri_sim_start(g->sim));
    double before = 0.0;
    while (ri_sim_time(g->sim) < 1.0) {
        RI_TRY(step(g));
        const double w = ri_sim_v(g->sim)[4];
        if (w > before + 1e-3) { // it slows down: the impact, which may take two steps to land
            *out_time = ri_sim_time(g->sim) - 0.5 * h;
            *out_before = before;
            RI_TRY(step(g));
            *out_ratio = ri_sim_v(g->sim)[4] / before;
            return RI_OK;
        }
        before = w;
    }
    return RI_OK;
}

static RiStatus rock(RiRig *rig)
{
    static const double steps[] = {1e-3, 5e-4};
    double error[2] = {NAN, NAN};
    for (int i = 0; i < 2; i++) {
        const double h = steps[i];
        Ground g = {0};
        char text[96];
        double time = NAN, before = NAN, ratio = NAN;
        const RiStatus status = rock_once(rig, h, &g, &time, &before, &ratio);
        const double gained = g.gained;
        close_ground(&g);
        RI_TRY(status);
        snprintf(text, sizeof text, "rocking block, step %g ms: first impact", 1e3 * h);
        ri_validate_near(rig->run, text, "s", 0.493803215, h, time);
        snprintf(text, sizeof text, "rocking block, step %g ms: rate before it", 1e3 * h);
        ri_validate_near(rig->run, text, "rad/s", -0.565044821, 2.0 * h, before);
        snprintf(text, sizeof text, "rocking block, step %g ms: rate after over before", 1e3 * h);
        // gravity goes on slowing it down by 1.73 rad/s^2 for up to two steps
        ri_validate_near(rig->run, text, "-", 0.911764706, 2.0 * 1.73 / 0.565 * h, ratio);
        // the point it rocks on moves by the curvature of its path within a step: 1e-7 of the
        // energy turned over
        ri_validate_most(rig->run, "rocking block: energy given by contacts in a step", "J", 1e-4, gained);
        error[i] = ratio - 0.911764706;
    }
    ri_validate_between(rig->run, "rocking block: error of that ratio, 1 ms over 0.5 ms", "-", 2.0, 1.5, 2.7,
                        error[0] / error[1]);
    return RI_OK;
}

// --- Painleve's rod ------------------------------------------------------------------------------

/// Radius of the point [m].
static const double TIP = 1e-6;

/// A rod of 1 m and 1 kg with a point at its lower end.
static RiStatus build_rod(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "body", 1.0, origin, ri_diagonal(1.0 / 12.0, 1.0 / 12.0, 1e-4)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "body", origin, x_axis, 0.0));
    RiShapeSpec shape = ri_shape_default();
    shape.link = "body";
    shape.use = RI_SHAPE_COLLISION;
    shape.type = RI_SHAPE_SPHERE;
    shape.size[0] = TIP;
    shape.pose.p = ri_vec3(0.0, 0.0, -0.5);
    return ri_spec_add_shape(rig->spec, &shape);
}

/// First step of a rod that slides on its end at 63.4349 degrees towards the side it rises from;
/// its normal force, and the end's sliding speed after it.
static RiStatus slide_rod(RiRig *rig, double mu, double *out_force, double *out_speed)
{
    const double lean = atan(0.5);
    Ground g = {0};
    RiPairDef pair = ri_pair_default();
    pair.friction = mu;
    RiStatus status = open_rig(rig, 0.0, &pair, 1e-4, &g);
    if (status == RI_OK) {
        put(&g, 0.0, 0.5 * cos(lean) + TIP, false);
        ri_sim_q(g.sim)[3] = cos(0.5 * lean), ri_sim_q(g.sim)[5] = sin(0.5 * lean);
        ri_sim_v(g.sim)[0] = -2.0;
        status = ri_sim_start(g.sim);
    }
    if (status == RI_OK)
        status = step(&g);
    if (status == RI_OK && ri_sim_touch_count(g.sim) == 1) {
        *out_force = ri_sim_touch(g.sim, 0)->pressing;
        *out_speed = ri_norm(ri_sim_touch(g.sim, 0)->slip);
    }
    close_ground(&g);
    return status;
}

static RiStatus painleve(RiRig *rig)
{
    // N = m g / (1 + 12 x (x - mu z)) with the end x beside and z below the middle: grows without
    // end as mu comes to 4/3
    static const double mus[] = {0.5, 1.0, 1.3};
    const double x = 0.5 * sin(atan(0.5)), z = 0.5 * cos(atan(0.5)) + TIP;
    double force[3] = {NAN, NAN, NAN}, speed = NAN;
    char text[96];
    for (int i = 0; i < 3; i++) {
        RI_TRY(slide_rod(rig, mus[i], &force[i], &speed));
        snprintf(text, sizeof text, "Painleve's rod, friction %g: normal force", mus[i]);
        const double N = G / (1.0 + 12.0 * x * (x - mus[i] * z));
        ri_validate_near(rig->run, text, "N", N, 1e-9 * N, force[i]);
    }
    const double critical = (mus[2] * force[2] - mus[1] * force[1]) / (force[2] - force[1]); // 1/N is linear in mu
    ri_validate_near(rig->run, "Painleve's rod: friction at which that is infinite", "-", 4.0 / 3.0, 1e-5, critical);
    // no acceleration is consistent: an impulse without a collision stops the end
    RI_TRY(slide_rod(rig, 2.0, &force[0], &speed));
    ri_validate_most(rig->run, "Painleve's rod, friction 2: sliding speed after a step", "m/s", 1e-10, speed);
    return RI_OK;
}

// --- Euler's disk --------------------------------------------------------------------------------

static RiStatus build_disk(RiRig *rig)
{
    const double a = 0.0375, I = 0.25 * 0.4 * a * a;
    RI_TRY(ri_rig_link(rig, "body", 0.4, origin, ri_diagonal(I, 2.0 * I, I)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "body", origin, x_axis, 0.0));
    const RiWheelSpec wheel = {.name = "w", .link = "body", .pose = ri_pose_identity(), .radius = a, .width = 0.001};
    return ri_spec_add_wheel(rig->spec, &wheel);
}

/// Height of the centre after a tenth of a second of steady precession with the centre at rest.
static RiStatus precess(RiRig *rig, double tilt, double h, double *out_z, double *out_yaw)
{
    const double a = 0.0375, W = sqrt(4.0 * G / (a * sin(tilt))), lean = 0.5 * M_PI - tilt;
    Ground g = {0};
    RiPairDef pair = ri_pair_default();
    pair.friction = 1.0;
    RiStatus status = open_rig(rig, 0.0, &pair, h, &g);
    if (status == RI_OK) {
        put(&g, 0.0, a * sin(tilt), false);
        double *q = ri_sim_q(g.sim), *v = ri_sim_v(g.sim);
        q[3] = cos(0.5 * lean), q[4] = sin(0.5 * lean);
        v[5] = W * sin(tilt); // about the body's own axis that points uphill
        status = ri_sim_start(g.sim);
    }
    if (status == RI_OK)
        status = advance(&g, 0.1);
    if (status == RI_OK) {
        const double *q = ri_sim_q(g.sim);
        const RiMat3 R = ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]});
        *out_z = q[2];
        *out_yaw = atan2(-R.m[0][1], R.m[1][1]); // of the disk's axis
    }
    close_ground(&g);
    return status;
}

static RiStatus disk(RiRig *rig)
{
    static const double tilts[] = {30.0, 10.0, 5.0, 1.0}, steps[] = {5e-5, 5e-5, 2.5e-5, 5e-6};
    for (int i = 0; i < 4; i++) {
        const double tilt = tilts[i] * M_PI / 180.0, a = 0.0375, W = sqrt(4.0 * G / (a * sin(tilt)));
        double z[2] = {NAN, NAN}, yaw[2] = {NAN, NAN};
        char text[96];
        for (int k = 0; k < 2; k++)
            RI_TRY(precess(rig, tilt, k ? steps[i] : 2.0 * steps[i], &z[k], &yaw[k]));
        snprintf(text, sizeof text, "disk at %g deg: height of its centre after 0.1 s", tilts[i]);
        ri_validate_near(rig->run, text, "m", a * sin(tilt), 0.01 * a * sin(tilt), z[1]);
        snprintf(text, sizeof text, "disk at %g deg: precession in 0.1 s", tilts[i]);
        const double turns = floor((0.1 * W + M_PI) / (2.0 * M_PI));
        ri_validate_near(rig->run, text, "rad", 0.1 * W, 0.01 * 0.1 * W, yaw[1] + 2.0 * M_PI * turns);
        snprintf(text, sizeof text, "disk at %g deg: error of height, %g us over %g us", tilts[i], 2e6 * steps[i],
                 1e6 * steps[i]);
        ri_validate_between(rig->run, text, "-", 2.0, 1.6, 2.5, (z[0] - a * sin(tilt)) / (z[1] - a * sin(tilt)));
    }
    return RI_OK;
}

RiStatus ri_case_moreau(RiValidation *run)
{
    double inertias[] = {0.4, 2.0 / 3.0, 0.5, 1.0};
    RI_TRY(ri_rig_use(run, "ball", gravity, build_ball, bounce, &inertias[0]));
    RI_TRY(ri_rig_use(run, "block", gravity, build_block, slide_or_stick, NULL));
    for (int i = 0; i < 4; i++)
        RI_TRY(ri_rig_use(run, "ball", gravity, build_ball, roll, &inertias[i]));
    RI_TRY(ri_rig_use(run, "slab", gravity, build_slab, rock, NULL));
    RI_TRY(ri_rig_use(run, "rod", gravity, build_rod, painleve, NULL));
    RI_TRY(ri_rig_use(run, "disk", gravity, build_disk, disk, NULL));
    RI_TRY(ri_case_moreau_bodies(run));
    RI_TRY(ri_case_moreau_located(run));
    RI_TRY(ri_case_moreau_traction(run));
    RI_TRY(ri_case_moreau_bonds(run));
    return ri_case_moreau_rough(run);
}
