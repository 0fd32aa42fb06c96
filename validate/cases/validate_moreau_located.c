// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integrator moreau with located impacts (contact.events) against closed forms: times of impacts,
/// ends of sliding, and the order of the phases between them.
///
/// Bands: the digits of the published number or the tolerance of the location, 1e-11 s, times what
/// comes after it; halving a tick divides errors by 16.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/scene.h>
#include <rille/sim.h>

#include "validate/cases/validate_moreau.h"

static const double G = 9.81;

/// A scene under way.
typedef struct Run {
    RiScene *scene;
    RiSim *sim;
} Run;

static RiStatus open_run(RiValidation *v, const char *text, Run *r)
{
    RI_TRY(ri_scene_parse(v->ctx, "validation.yaml", text, strlen(text), NULL, &r->scene));
    RI_TRY(ri_scene_build(r->scene));
    r->sim = ri_scene_sim(r->scene);
    return ri_sim_start(r->sim);
}

static double value(const Run *r, const char *name)
{
    double x = NAN;
    return ri_values_eval(ri_sim_values(r->sim), name, &x) == RI_OK ? x : NAN;
}

static RiStatus advance(Run *r, double time)
{
    const double h = ri_sim_options(r->sim)->tick;
    while (ri_sim_time(r->sim) < time - 0.5 * h)
        RI_TRY(ri_sim_step(r->sim));
    return RI_OK;
}

/// To the n-th impact; its time.
static RiStatus await(Run *r, int n, double latest, double *out_time)
{
    *out_time = NAN;
    while (value(r, "contact.events.impacts") < n && ri_sim_time(r->sim) < latest)
        RI_TRY(ri_sim_step(r->sim));
    if (value(r, "contact.events.impacts") == n)
        *out_time = value(r, "contact.events.last");
    return RI_OK;
}

/// What is measured on a scene.
typedef RiStatus (*Measure)(Run *r, void *out);

static RiStatus use(RiValidation *v, const char *text, Measure measure, void *out)
{
    Run r = {0};
    RiStatus status = open_run(v, text, &r);
    if (status == RI_OK)
        status = measure(&r, out);
    ri_scene_destroy(r.scene);
    return status;
}

// --- ball beside a block -------------------------------------------------------------------------

enum { BOUNCES = 20 };
typedef struct Beside {
    double late; // largest error of a time
    double way;  // of the block until it stops
    double stepped;
} Beside;

static RiStatus beside(Run *r, void *out)
{
    Beside *b = out;
    double due = sqrt(2.0 / G), flight = 2.0 * sqrt(2.0 * G) / G;
    for (int n = 1; n <= BOUNCES; n++) {
        double time;
        RI_TRY(await(r, n, due + 0.1, &time));
        b->late = isnan(time) ? NAN : fmax(b->late, fabs(time - due));
        flight *= 0.8;
        due += flight;
    }
    b->way = ri_sim_q(r->sim)[7];
    b->stepped = value(r, "contact.events.stepped");
    return RI_OK;
}

static RiStatus beside_rows(RiValidation *v)
{
    static const char text[] =
        "scene: beside\nrobot: {template: {robot: two, base: fixed, links: [{name: world}, {name: ball, mass: 1 kg, "
        "solid: sphere, size: [0.1], collision: [{type: sphere, size: [0.1], material: rubber}]}, {name: block, mass: "
        "5 "
        "kg, solid: box, size: [0.4, 0.4, 0.2], collision: [{type: box, size: [0.4, 0.4, 0.2], material: wood}]}], "
        "joints: [{name: fly, type: free, parent: world, child: ball}, {name: lie, type: free, parent: world, child: "
        "block}]}}\nterrain: {kind: plane, material: rock}\nintegrator: moreau\ntick: 2 ms\nduration: 20 s\n"
        "contact: {events: 1e-11, pairs: [{robot: rubber, friction: 0.3, restitution: 0.8}, {robot: wood, friction: "
        "0.3}]}\ninitial: {positions: {fly.z: 1.1, lie.z: 0.1}, velocities: {lie.vx: 2}}\n";
    Beside b = {0};
    RI_TRY(use(v, text, beside, &b));
    ri_validate_most(v, "located, ball beside a sliding block: error of 20 impact times", "s", 1e-9, b.late);
    ri_validate_near(v, "located: way of the block until it stops", "m", 2.0 / (0.3 * G), 1e-8, b.way);
    ri_validate_most(v, "located: ticks left to time stepping", "-", 0.0, b.stepped);
    return RI_OK;
}

// --- rocking block -------------------------------------------------------------------------------

typedef struct Rock {
    double time, lost; // of the first impact
} Rock;

static RiStatus rock(Run *r, void *out)
{
    Rock *x = out;
    while (value(r, "contact.events.impacts") < 1.0 && ri_sim_time(r->sim) < 1.0) {
        RI_TRY(ri_sim_step(r->sim));
    }
    x->time = value(r, "contact.events.last");
    x->lost = value(r, "energy.dissipated");
    return RI_OK;
}

static RiStatus rock_at(RiValidation *v, double tick, Rock *x)
{
    const double tilt = 0.5 * 0.2449786631;
    char text[1024];
    snprintf(
        text, sizeof text,
        "scene: block\nrobot: {template: {robot: slab, base: floating, links: [{name: body, mass: 100 kg, solid: box, "
        "size: [0.5, 0.5, 2], collision: [{type: box, size: [0.5, 0.5, 2]}]}]}}\nterrain: {kind: plane, material: "
        "rock}\nintegrator: moreau\ntick: %.17g\nduration: 20 s\ncontact: {events: 1e-12, pairs: [{robot: \"*\", "
        "friction: 2}]}\ninitial: {base: {xyz: [0, 0, %.17g], rpy: [0, %.17g, 0]}}\n",
        tick, cos(tilt) + 0.25 * sin(tilt), tilt);
    return use(v, text, rock, x);
}

static RiStatus rock_rows(RiValidation *v)
{
    Rock coarse = {0}, fine = {0}, x = {0};
    RI_TRY(rock_at(v, 1e-3, &x));
    ri_validate_near(v, "located, rocking block, 1 ms: first impact", "s", 0.493803215, 1e-9, x.time);
    // the impact leaves r^2 of the energy of rotation about its corner, 4/3 m (b^2 + h^2) w^2 / 2
    const double inertia = 4.0 / 3.0 * 100.0 * 1.0625, w = 0.565044821;
    ri_validate_near(v, "located, rocking block: rate after over before, by the energy lost", "-", 0.911764706, 1e-8,
                     sqrt(1.0 - x.lost / (0.5 * inertia * w * w)));
    RI_TRY(rock_at(v, 2e-2, &coarse));
    RI_TRY(rock_at(v, 1e-2, &fine));
    ri_validate_between(v, "located, rocking block: error of the time, 20 ms over 10 ms", "-", 16.0, 10.0, 26.0,
                        (coarse.time - x.time) / (fine.time - x.time));
    return RI_OK;
}

// --- from sliding to rolling ---------------------------------------------------------------------

static RiStatus roll(Run *r, void *out)
{
    double *speed_way = out;
    RI_TRY(advance(r, 1.0));
    speed_way[0] = value(r, "base.vx");
    speed_way[1] = value(r, "base.x");
    return RI_OK;
}

static RiStatus roll_rows(RiValidation *v)
{
    static const char text[] =
        "scene: ball\nrobot: {template: {robot: ball, base: floating, links: [{name: body, mass: 1 kg, solid: sphere, "
        "size: [0.1], collision: [{type: sphere, size: [0.1]}]}]}}\nterrain: {kind: plane, material: "
        "rock}\nintegrator: "
        "moreau\ntick: 1 ms\nduration: 20 s\ncontact: {events: 1e-11, pairs: [{robot: \"*\", friction: 0.3}]}\n"
        "initial: {base: {xyz: [0, 0, 0.1], velocity: [2, 0, 0]}}\n";
    double x[2] = {NAN, NAN};
    RI_TRY(use(v, text, roll, x));
    const double t = 4.0 / (2.1 * G), until = 48.0 / (14.7 * G);
    ri_validate_near(v, "located, sphere that slides, then rolls: speed", "m/s", 10.0 / 7.0, 1e-9, x[0]);
    ri_validate_near(v, "located: its way in a second", "m", until + 10.0 / 7.0 * (1.0 - t), 1e-9, x[1]);
    return RI_OK;
}

// --- pendulums -----------------------------------------------------------------------------------

/// A quarter of the period of a pendulum of small frequency w that swings to an angle with this
/// sine of its half: by the arithmetic-geometric mean.
static double quarter(double w, double sine)
{
    double a = 1.0, b = sqrt(1.0 - sine * sine);
    for (int k = 0; k < 20; k++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b), a = mean;
    }
    return 0.5 * M_PI / (w * a);
}

static RiStatus sixth(Run *r, void *out)
{
    return await(r, 6, 20.0, out);
}

static RiStatus pendulum_rows(RiValidation *v)
{
    static const char text[] =
        "scene: rod\nrobot: {template: {robot: rod, base: fixed, links: [{name: world}, {name: rod, mass: 1 kg, "
        "inertia: [0.08, 0.08, 0.001], com: [0, 0, -0.5]}], joints: [{name: hinge, type: revolute, parent: world, "
        "child: rod, axis: y, limits: [0, 2], stop_stiffness: 1000, stop_restitution: 0.7}]}}\nintegrator: "
        "moreau\ntick: 2 ms\nduration: 30 s\ninitial: {positions: {hinge: 60 deg}}\ncontact: {events: 1e-11}\n";
    const double w = sqrt(0.5 * G / (0.08 + 0.25));
    double time = NAN, due = quarter(w, 0.5);
    for (int n = 1; n < 6; n++)
        due += 2.0 * quarter(w, 0.5 * pow(0.7, n));
    RI_TRY(use(v, text, sixth, &time));
    ri_validate_near(v, "located, pendulum against its stop, e = 0.7: sixth impact", "s", due, 1e-9, time);
    return RI_OK;
}

static RiStatus cradle_rows(RiValidation *v)
{
    char text[1024];
    snprintf(text, sizeof text,
             "scene: cradle\nrobot: {file: %s/cradle.yaml, set: {count: 2, gap: 0}}\nintegrator: moreau\ntick: 2 "
             "ms\nduration: 20 s\ninitial: {positions: {rod_1: -30 deg}}\ncontact: {events: 1e-11, back_end: hulls, "
             "collide: [[\"ball_*\", \"ball_*\"]], pairs: [{robot: chrome, with: chrome, friction: 0, restitution: "
             "1}]}\n",
             v->robots);
    const double w = sqrt(G * 0.25 / (0.25 * 0.25 + 0.4 * 0.02 * 0.02));
    double time = NAN;
    RI_TRY(use(v, text, sixth, &time));
    ri_validate_near(v, "located, two pendulums that hit each other, e = 1: sixth impact", "s",
                     11.0 * quarter(w, sin(M_PI / 12.0)), 1e-9, time);
    return RI_OK;
}

// --- slider-crank --------------------------------------------------------------------------------

static RiStatus crank(Run *r, void *out)
{
    double *speed_time = out;
    RI_TRY(advance(r, 2e-3));
    speed_time[0] = value(r, "crank.velocity");
    return await(r, 1, 4e-3, speed_time + 1);
}

static RiStatus crank_rows(RiValidation *v)
{
    static const double ticks[2] = {2e-4, 1e-4}, exact = 120.46388171;
    double x[2][2];
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "scene: crank\nrobot: {file: %s/slider_crank.yaml}\nintegrator: moreau\ntick: %.17g\nduration: 1 s\n"
                 "contact: {events: 1e-12, back_end: hulls, pairs: [{robot: slider, with: guide, friction: 0.01, "
                 "restitution: 0.4}]}\ninitial: {velocities: {crank: 150, rod: -225, slider: 75}}\n",
                 v->robots, ticks[i]);
        RI_TRY(use(v, text, crank, x[i]));
    }
    ri_validate_near(v, "located, slider-crank, 0.1 ms: first impact", "s", 0.0026925028, 1e-9, x[1][1]);
    ri_validate_near(v, "located, slider-crank, 0.1 ms: speed of the crank at 2 ms", "rad/s", exact, 1e-5, x[1][0]);
    ri_validate_between(v, "located, slider-crank: error of that, 0.2 ms over 0.1 ms", "-", 16.0, 11.0, 24.0,
                        (x[0][0] - exact) / (x[1][0] - exact));
    return RI_OK;
}

RiStatus ri_case_moreau_located(RiValidation *v)
{
    RI_TRY(beside_rows(v));
    RI_TRY(rock_rows(v));
    RI_TRY(roll_rows(v));
    RI_TRY(pendulum_rows(v));
    if (!v->robots) {
        ri_validate_skip(v, "located, cradle and slider-crank: no folder of robots");
        return RI_OK;
    }
    RI_TRY(cradle_rows(v));
    return crank_rows(v);
}
