// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integrator moreau with bodies that touch each other, and with mechanisms that live from impacts
/// and friction: stacks, overhangs, a row of balls, the woodpecker toy, a slider-crank with
/// clearance, a friction oscillator, disks that roll upright.
///
/// References: statics; the linear woodpecker of siconos-tutorials, whose stored trajectory a
/// program of its own reproduces to 1e-12; the motion of the slider-crank up to its first impact,
/// and the oscillator, by Runge-Kutta 4 with events located to rounding. Bands: rounding where the
/// scheme is exact; where it is of first order, what a step can do, and halving the step is to
/// halve the error.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <rille/scene.h>
#include <rille/sim.h>

#include "validate/cases/validate_moreau.h"
#include "validate/validate.h"

static const double G = 9.81;
enum { TEXT = 16384 };

/// A scene under way.
typedef struct Run {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
    double gained; // largest growth of energy by contacts in a step [J]
    double depth;  // deepest penetration after a step [m]
} Run;

/// A scene's text as it grows.
typedef struct Text {
    char s[TEXT];
    size_t n;
} Text;

static void add(Text *t, const char *format, ...) RI_PRINTF(2, 3);
static void add(Text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int more = vsnprintf(t->s + t->n, TEXT - t->n, format, args);
    va_end(args);
    t->n = more > 0 && t->n + (size_t)more < TEXT ? t->n + (size_t)more : TEXT - 1;
}

static RiStatus open_run(RiValidation *v, const Text *t, Run *r)
{
    *r = (Run){.ctx = v->ctx};
    RI_TRY(ri_scene_parse(v->ctx, "validation.yaml", t->s, t->n, NULL, &r->scene));
    RI_TRY(ri_scene_build(r->scene));
    r->sim = ri_scene_sim(r->scene);
    return ri_sim_start(r->sim);
}

static RiStatus step(Run *r)
{
    const double before = ri_sim_energy(r->sim).dissipated;
    RI_TRY(ri_sim_step(r->sim));
    r->gained = fmax(r->gained, before - ri_sim_energy(r->sim).dissipated);
    for (int i = 0; i < ri_sim_touch_count(r->sim); i++)
        r->depth = fmax(r->depth, ri_sim_touch(r->sim, i)->depth);
    return RI_OK;
}

static RiStatus advance(Run *r, double time)
{
    const double h = ri_sim_options(r->sim)->tick;
    while (ri_sim_time(r->sim) < time - 0.5 * h)
        RI_TRY(step(r));
    return RI_OK;
}

static double value(const Run *r, const char *name)
{
    double x = NAN;
    return ri_values_eval(ri_sim_values(r->sim), name, &x) == RI_OK ? x : NAN;
}

static double fastest(const Run *r)
{
    double most = 0.0;
    for (int i = 0; i < ri_model_nv(ri_sim_model(r->sim)); i++)
        most = fmax(most, fabs(ri_sim_v(r->sim)[i]));
    return most;
}

// --- stacks --------------------------------------------------------------------------------------

enum { BOXES = 8 };
static const double SIDE = 0.2, HIGH = 0.1;

/// Boxes of 1 kg, the first at the bottom, each `over[i]` further along x than the first.
static void stack_text(int count, const double *over, Text *t)
{
    add(t, "scene: stack\nrobot:\n  template:\n    robot: stack\n    base: fixed\n    links:\n      - {name: world}\n");
    for (int i = 0; i < count; i++)
        add(t,
            "      - {name: box_%d, mass: 1 kg, solid: box, size: [%g, %g, %g], collision: [{type: box, size: [%g, %g, "
            "%g]}]}\n",
            i, SIDE, SIDE, HIGH, SIDE, SIDE, HIGH);
    add(t, "    joints:\n");
    for (int i = 0; i < count; i++)
        add(t, "      - {name: free_%d, type: free, parent: world, child: box_%d, origin: {xyz: [%.17g, 0, %.17g]}}\n",
            i, i, over[i], HIGH * (i + 0.5));
    add(t, "terrain: {kind: plane, material: rock}\nintegrator: moreau\ntick: 2 ms\nduration: 10 s\n"
           "contact: {back_end: hulls, pairs: [{robot: \"*\", friction: 0.6}, {robot: \"*\", with: \"*\", friction: "
           "0.6}]}\n");
}

/// Sum of the normal forces between box `level` and the one below it, or the ground.
static double carried(const Run *r, int level)
{
    const RiModel *m = ri_sim_model(r->sim);
    char name[16];
    snprintf(name, sizeof name, "box_%d", level);
    const int here = ri_model_find_link(m, name);
    snprintf(name, sizeof name, "box_%d", level - 1);
    const int below = level > 0 ? ri_model_find_link(m, name) : -1;
    double sum = 0.0;
    for (int i = 0; i < ri_sim_touch_count(r->sim); i++) {
        const RiTouchInfo *t = ri_sim_touch(r->sim, i);
        if ((t->link == here && t->other == below) || (t->link == below && t->other == here))
            sum += t->pressing;
    }
    return sum;
}

/// Height of a box over where it began.
static double height(const Run *r, int box)
{
    return ri_sim_q(r->sim)[7 * box + 2];
}

static RiStatus stack_rows(RiValidation *v, Run *r)
{
    const double straight[BOXES] = {0.0};
    Text t = {.n = 0};
    double worst = 0.0;
    stack_text(BOXES, straight, &t);
    RI_TRY(open_run(v, &t, r));
    RI_TRY(advance(r, 1.0));
    for (int i = 0; i < BOXES; i++)
        worst = fmax(worst, fabs(carried(r, i) / (G * (BOXES - i)) - 1.0));
    ri_validate_most(v, "stack of 8 boxes: speed at rest", "m/s", 1e-10, fastest(r));
    ri_validate_most(v, "stack of 8 boxes: load of each level over the weight above, less 1", "-", 1e-8, worst);
    ri_validate_most(v, "stack of 8 boxes: penetration", "m", 1e-8, r->depth);
    ri_validate_most(v, "stack of 8 boxes: way that the top has sunk", "m", 1e-7, fabs(height(r, BOXES - 1)));
    return RI_OK;
}

/// Five boxes, each out over the one below by a part of size/2k, k counted from the top: with all
/// of it the stack is at its limit.
static RiStatus overhang(RiValidation *v, double part, Run *r)
{
    enum { COUNT = 5 };
    double over[COUNT] = {0.0};
    Text t = {.n = 0};
    for (int i = 1; i < COUNT; i++)
        over[i] = over[i - 1] + part * SIDE / (2.0 * (COUNT - i));
    stack_text(COUNT, over, &t);
    RI_TRY(open_run(v, &t, r));
    return advance(r, 2.0);
}

static RiStatus overhang_stands(RiValidation *v, Run *r)
{
    RI_TRY(overhang(v, 0.97, r));
    ri_validate_most(v, "overhang of 97 % of the harmonic limit: speed after 2 s", "m/s", 1e-10, fastest(r));
    return RI_OK;
}

static RiStatus overhang_falls(RiValidation *v, Run *r)
{
    RI_TRY(overhang(v, 1.03, r));
    ri_validate_between(v, "overhang of 103 %: the top has fallen by", "m", 0.45, 0.2, 0.5, -height(r, 4));
    ri_validate_most(v, "its penetration", "m", 1e-8, r->depth);
    return RI_OK;
}

// --- a row of balls ------------------------------------------------------------------------------

enum { BALLS = 5 };

/// Balls on a rail, the first comes at 1 m/s; `apart` is between one and the next of the others.
static RiStatus knock(RiValidation *v, double apart, double until, Run *r)
{
    Text t = {.n = 0};
    add(&t,
        "scene: balls\nrobot:\n  template:\n    robot: balls\n    base: fixed\n    links:\n      - {name: world}\n");
    for (int i = 0; i < BALLS; i++)
        add(&t,
            "      - {name: ball_%d, mass: 1 kg, solid: sphere, size: 0.05, collision: [{type: sphere, size: 0.05}]}\n",
            i);
    add(&t, "    joints:\n");
    for (int i = 0; i < BALLS; i++)
        add(&t,
            "      - {name: rail_%d, type: prismatic, parent: world, child: ball_%d, axis: x, origin: {xyz: [%.17g, 0, "
            "0]}}\n",
            i, i, i == 0 ? -0.01 : 0.1 * i + apart * (i - 1));
    add(&t, "integrator: moreau\ntick: 0.1 ms\nduration: 10 s\ngravity: none\ninitial: {velocities: {rail_0: 1}}\n"
            "contact: {back_end: hulls, collide: [[\"ball_*\", \"ball_*\"]], pairs: [{robot: \"*\", with: \"*\", "
            "friction: 0, restitution: 1}]}\n");
    RI_TRY(open_run(v, &t, r));
    return advance(r, until);
}

static RiStatus cradle_touching(RiValidation *v, Run *r)
{
    RI_TRY(knock(v, 0.0, 0.05, r));
    const double *u = ri_sim_v(r->sim);
    // one impact for all: the second ball leaves the first at 1 m/s and takes the others with it
    ri_validate_near(v, "five balls that touch, e = 1: the first goes back at", "m/s", -0.6, 1e-9, u[0]);
    ri_validate_near(v, "the last, like those between, goes on at", "m/s", 0.4, 1e-9, u[BALLS - 1]);
    ri_validate_most(v, "energy given by that impact", "J", 1e-10, r->gained);
    return RI_OK;
}

static RiStatus cradle_apart(RiValidation *v, Run *r)
{
    RI_TRY(knock(v, 1e-3, 0.05, r));
    const double *u = ri_sim_v(r->sim);
    double rest = 0.0;
    for (int i = 0; i < BALLS - 1; i++)
        rest = fmax(rest, fabs(u[i]));
    ri_validate_near(v, "five balls 1 mm apart, e = 1: the last leaves at", "m/s", 1.0, 1e-9, u[BALLS - 1]);
    ri_validate_most(v, "the others then", "m/s", 1e-9, rest);
    return RI_OK;
}

// --- woodpecker ----------------------------------------------------------------------------------

/// The linear model of siconos-tutorials as a mechanism of rails: heights and gaps are linear in y
/// and the angles of sleeve and bird, by gears.
static void woodpecker_text(double tick, double events, Text *t)
{
    add(t, "scene: woodpecker\nrobot:\n  template:\n    robot: woodpecker\n    base: fixed\n    links:\n"
           "      - {name: world}\n"
           "      - {name: pole, mass: 1, inertia: [0.1, 0.1, 0.1], collision: [{type: box, size: [5 mm, 2 cm, 60 cm], "
           "origin: {xyz: [0, 0, -28 cm]}}]}\n"
           "      - {name: carriage, mass: 0.3 g, inertia: [1e-9, 1e-9, 1e-9]}\n"
           "      - {name: sleeve}\n      - {name: wings}\n      - {name: coil}\n      - {name: hinge}\n"
           "      - {name: mass, mass: 4.5 g}\n");
    static const struct {
        const char *name;
        double x, y;
    } tips[] = {{"beak", 5.0, 0.0}, {"low", 3.2, -5.0}, {"high", 3.2, 5.0}};
    for (int i = 0; i < 3; i++)
        add(t, "      - {name: %s, collision: [{type: sphere, size: 0.1 mm, origin: {xyz: [%g mm, %g mm, 0]}}]}\n",
            tips[i].name, tips[i].x, tips[i].y);
    add(t, "    joints:\n"
           "      - {name: foot, type: fixed, parent: world, child: pole}\n"
           "      - {name: y, type: prismatic, parent: world, child: carriage, axis: z, independent: true}\n"
           "      - {name: phi_m, type: continuous, parent: carriage, child: sleeve, axis: y, independent: true, "
           "armature: 5e-9}\n"
           "      - {name: phi_s, type: continuous, parent: carriage, child: wings, axis: y, independent: true, "
           "armature: 7e-7}\n"
           "      - {name: coil, type: continuous, parent: carriage, child: coil, axis: y, stiffness: 0.0056 N*m/rad}\n"
           "      - {name: hinge, type: prismatic, parent: carriage, child: hinge, axis: z}\n"
           "      - {name: mass, type: prismatic, parent: hinge, child: mass, axis: z}\n"
           "      - {name: beak, type: prismatic, parent: hinge, child: beak, axis: [-20, 0, -5.1]}\n"
           "      - {name: low, type: prismatic, parent: carriage, child: low, axis: [5.8, 0, 3.1]}\n"
           "      - {name: high, type: prismatic, parent: carriage, child: high, axis: [-5.8, 0, 3.1]}\n"
           "    couplings:\n"
           "      - {name: c1, terms: [{joint: coil, factor: 1}, {joint: phi_s, factor: -1}, {joint: phi_m, factor: "
           "1}]}\n"
           "      - {name: c2, terms: [{joint: hinge, factor: 1}, {joint: phi_m, factor: -0.010}]}\n"
           "      - {name: c3, terms: [{joint: mass, factor: 1}, {joint: phi_s, factor: -0.015}]}\n"
           "      - {name: c4, terms: [{joint: beak, factor: 1}, {joint: phi_s, factor: \"${-hypot(0.02, "
           "0.0051)}\"}]}\n"
           "      - {name: c5, terms: [{joint: low, factor: 1}, {joint: phi_m, factor: \"${-hypot(0.0058, "
           "0.0031)}\"}]}\n"
           "      - {name: c6, terms: [{joint: high, factor: 1}, {joint: phi_m, factor: \"${-hypot(0.0058, "
           "0.0031)}\"}]}\n");
    add(t,
        "integrator: moreau\ntick: %.17g\nduration: 10 s\n"
        "contact:\n  back_end: hulls\n  events: %.17g\n  pairs:\n"
        "    - {robot: beak, with: pole, friction: 0.3, restitution: 0.5}\n"
        "    - {robot: \"*\", with: pole, friction: 0.3}\n"
        "initial:\n  positions: {y: 0, phi_m: -0.1036, phi_s: -0.2788}\n"
        "  velocities: {y: -0.3411, phi_s: -7.4583}\n",
        tick, events);
}

/// Times and heights at which the beak hits the pole.
static RiStatus peck(Run *r, int count, double *times, double *heights)
{
    int found = 0;
    double last = -1.0;
    while (found < count && ri_sim_time(r->sim) < 1.5) {
        const double before = value(r, "phi_s.velocity"), y = value(r, "y.position");
        RI_TRY(step(r));
        const double after = value(r, "phi_s.velocity"), t = ri_sim_time(r->sim);
        if (before > 1.0 && after < 0.0 && value(r, "phi_s.position") > 0.0 && t > last + 0.05) {
            times[found] = last = t;
            heights[found++] = y;
        }
    }
    return RI_OK;
}

static RiStatus woodpecker(RiValidation *v, Run *r)
{
    enum { PECKS = 7 };
    double times[PECKS] = {NAN}, heights[PECKS] = {NAN};
    Text t = {.n = 0};
    woodpecker_text(2e-5, 0.0, &t);
    RI_TRY(open_run(v, &t, r));
    RI_TRY(advance(r, 0.207));
    // siconos-tutorials, Woodpecker.ref at the same times and the same step
    ri_validate_near(v, "woodpecker: height at 0.207 s, it hangs still", "m", -0.02388345, 2e-4,
                     value(r, "y.position"));
    ri_validate_most(v, "woodpecker: speed of its sleeve then", "m/s", 1e-10, fabs(value(r, "y.velocity")));
    RI_TRY(advance(r, 0.29998));
    ri_validate_near(v, "woodpecker: height at 0.29998 s", "m", -0.0413482, 5e-5, value(r, "y.position"));
    ri_validate_near(v, "woodpecker: angle of the bird then", "rad", -0.3409340, 2e-3, value(r, "phi_s.position"));
    RI_TRY(peck(r, PECKS, times, heights));
    ri_validate_near(v, "woodpecker: from peck to peck, mean of six", "s", 0.14606, 3e-4,
                     (times[PECKS - 1] - times[0]) / (PECKS - 1));
    ri_validate_near(v, "woodpecker: way down from peck to peck", "m", 0.01948, 2e-4,
                     (heights[0] - heights[PECKS - 1]) / (PECKS - 1));
    ri_validate_most(v, "woodpecker: penetration", "m", 1e-8, r->depth);
    return RI_OK;
}

enum { TIMES = 60 };

/// Heights at 60 times, every 5 ms. Impacts are located to a tolerance; 0: time stepping.
static RiStatus descend(RiValidation *v, double tick, double events, double *out_y)
{
    Run r = {0};
    Text t = {.n = 0};
    woodpecker_text(tick, events, &t);
    RiStatus status = open_run(v, &t, &r);
    for (int k = 0; k < TIMES && status == RI_OK; k++) {
        status = advance(&r, 5e-3 * (k + 1));
        out_y[k] = value(&r, "y.position");
    }
    ri_scene_destroy(r.scene);
    return status;
}

static double mean_distance(const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < TIMES; k++)
        sum += fabs(a[k] - b[k]) / TIMES;
    return sum;
}

/// Impacts fall anywhere into a step, so single heights do not tell an order: mean distances of
/// several runs from the motion with located impacts do.
static RiStatus woodpecker_order(RiValidation *v)
{
    enum { RUNS = 8 };
    double exact[TIMES], again[TIMES], y[TIMES], error[2] = {0.0, 0.0};
    RI_TRY(descend(v, 5e-5, 1e-11, exact));
    RI_TRY(descend(v, 1e-4, 1e-11, again));
    ri_validate_most(v, "woodpecker, located impacts: mean difference of height, 100 and 50 us", "m", 1e-6,
                     mean_distance(exact, again));
    for (int i = 0; i < 2 * RUNS; i++) {
        const double coarse = 1e-4 * exp2((double)(i / 2) / RUNS);
        RI_TRY(descend(v, i % 2 ? 0.25 * coarse : coarse, 0.0, y));
        error[i % 2] += mean_distance(y, exact);
    }
    ri_validate_between(v, "woodpecker: mean distance from that by time stepping, steps over a quarter of them", "-",
                        4.0, 2.5, 6.4, error[0] / error[1]);
    return RI_OK;
}

// --- slider-crank --------------------------------------------------------------------------------

typedef struct Crank {
    double speed;             // of the crank at 2 ms
    double time, ratio, drop; // of the first impact; speeds after over before; the crank's loss of speed
    double end;               // angle of the crank at 0.1 s
} Crank;

static RiStatus turn_crank(RiValidation *v, double tick, Run *r, Crank *c)
{
    Text t = {.n = 0};
    add(&t,
        "scene: crank\nrobot: {file: %s/slider_crank.yaml}\nintegrator: moreau\ntick: %.17g\nduration: 1 s\n"
        "contact: {back_end: hulls, pairs: [{robot: slider, with: guide, friction: 0.01, restitution: 0.4}]}\n"
        "initial: {velocities: {crank: 150, rod: -225, slider: 75}}\n",
        v->robots, tick);
    RI_TRY(open_run(v, &t, r));
    *c = (Crank){.time = NAN};
    const RiModel *m = ri_sim_model(r->sim);
    const int crank = ri_model_joint(m, ri_model_find_joint(m, "crank")).v_index;
    const char *rise = "0.153*cos(crank.position)*crank.velocity + "
                       "0.306*cos(crank.position + rod.position)*(crank.velocity + rod.velocity)";
    RI_TRY(advance(r, 2e-3));
    c->speed = ri_sim_v(r->sim)[crank];
    while (isnan(c->time) && ri_sim_time(r->sim) < 4e-3) {
        const double before = value(r, rise), w = ri_sim_v(r->sim)[crank];
        RI_TRY(step(r));
        const double after = value(r, rise);
        if (after < 0.0 && before > 0.0) {
            c->time = ri_sim_time(r->sim) - 0.5 * tick;
            c->ratio = -after / before;
            c->drop = w - ri_sim_v(r->sim)[crank];
        }
    }
    RI_TRY(advance(r, 0.1));
    c->end = value(r, "crank.position");
    return RI_OK;
}

static RiStatus crank_rows(RiValidation *v)
{
    static const double steps[3] = {2e-5, 1e-5, 5e-6};
    Crank c[3];
    for (int i = 0; i < 3; i++) {
        Run r = {0};
        const RiStatus status = turn_crank(v, steps[i], &r, &c[i]);
        ri_validate_most(v, "slider-crank: penetration", "m", 1e-8, r.depth);
        ri_scene_destroy(r.scene);
        RI_TRY(status);
    }
    const double exact = 120.46388171;
    ri_validate_near(v, "slider-crank: speed of the crank at 2 ms, step 5 us", "rad/s", exact, 0.02, c[2].speed);
    ri_validate_between(v, "slider-crank: its error, 10 us over 5 us", "-", 2.0, 1.9, 2.1,
                        (c[1].speed - exact) / (c[2].speed - exact));
    ri_validate_near(v, "slider-crank: first impact", "s", 0.0026925028, 2.0 * steps[2], c[2].time);
    ri_validate_near(v, "slider-crank: speed after over before it", "-", 0.4, 2e-3, c[2].ratio);
    ri_validate_between(v, "slider-crank: angle at 0.1 s, change by halving the step twice", "-", 2.0, 1.5, 2.7,
                        (c[0].end - c[1].end) / (c[1].end - c[2].end));
    return RI_OK;
}

// --- friction oscillator -------------------------------------------------------------------------

static RiStatus oscillate(RiValidation *v, double tick, Run *r)
{
    Text t = {.n = 0};
    add(&t,
        "scene: oscillator\nrobot:\n  template:\n    robot: oscillator\n    base: fixed\n    links:\n"
        "      - {name: world}\n      - {name: first, mass: 1 kg, inertia: [0.1, 0.1, 0.1]}\n      - {name: slide}\n"
        "      - {name: second, mass: 1 kg, inertia: [0.1, 0.1, 0.1], collision: [{type: sphere, size: 0.1}]}\n"
        "    joints:\n"
        "      - {name: x1, type: prismatic, parent: world, child: first, axis: x, stiffness: 1 N/m}\n"
        "      - {name: d, type: prismatic, parent: first, child: slide, axis: x, stiffness: 1 N/m}\n"
        "      - {name: z, type: prismatic, parent: slide, child: second, axis: z, origin: {xyz: [0, 0, 0.1]}}\n"
        "terrain: {kind: plane, material: rock}\nintegrator: moreau\ntick: %.17g\nduration: 100 s\n"
        "gravity: [0, 0, -1 m/s^2]\ncontact: {pairs: [{friction: 0.5}]}\n"
        "initial: {positions: {x1: 1, d: -1}}\n",
        tick);
    RI_TRY(open_run(v, &t, r));
    RiValues *values = ri_sim_values(r->sim);
    const int at = ri_values_find(values, "x1.command");
    if (at < 0)
        return ri_error(v->ctx, RI_ERR_NOT_FOUND, "no value x1.command");
    double *force = (double *)ri_values_get(values, at)->at;
    while (ri_sim_time(r->sim) < 30.0 - 0.5 * tick) {
        *force = cos(0.3 * (ri_sim_time(r->sim) + 0.5 * tick));
        RI_TRY(step(r));
    }
    return RI_OK;
}

static RiStatus oscillator_rows(RiValidation *v)
{
    static const double steps[2] = {2e-3, 1e-3}, x1 = -0.21158068331, x2 = 0.36125694039;
    double error[2] = {NAN, NAN};
    for (int i = 0; i < 2; i++) {
        Run r = {0};
        const RiStatus status = oscillate(v, steps[i], &r);
        if (status == RI_OK) {
            const double a = value(&r, "x1.position"), b = a + value(&r, "d.position");
            error[i] = hypot(a - x1, b - x2);
            if (i == 1) {
                ri_validate_near(v, "friction oscillator: first mass at 30 s, after 11 changes of stick and slip", "m",
                                 x1, 5e-4, a);
                ri_validate_near(v, "friction oscillator: second mass at 30 s", "m", x2, 5e-4, b);
            }
        }
        ri_scene_destroy(r.scene);
        RI_TRY(status);
    }
    ri_validate_between(v, "friction oscillator: error, 2 ms over 1 ms", "-", 4.0, 3.0, 5.0, error[0] / error[1]);
    return RI_OK;
}

// --- disks that roll upright ---------------------------------------------------------------------

/// Lean of a disk of radius 0.1 m that rolls with w and begins to lean at 1 mrad/s, after a quarter
/// of a second. `k` is the inertia about a diameter over m a^2 (1/4 disk, 1/2 hoop).
static RiStatus roll_upright(RiValidation *v, double k, double w, double tick, Run *r, double *out_lean)
{
    const double a = 0.1, rate = 1e-3;
    Text t = {.n = 0};
    add(&t,
        "scene: disk\nrobot:\n  template:\n    robot: disk\n    base: floating\n    links:\n"
        "      - {name: body, mass: 1 kg, inertia: [%.17g, %.17g, %.17g]}\n"
        "    wheels: [{name: w, link: body, radius: %g, width: 1 mm}]\n"
        "terrain: {kind: plane, material: rock}\nintegrator: moreau\ntick: %.17g\nduration: 10 s\n"
        "contact: {wheel_stations: 1, wheel_touches: 1, tolerance: 1e-12, pairs: [{friction: 1}]}\n"
        "initial: {base: {xyz: [0, 0, %g], velocity: [%.17g, %.17g, 0], rate: [%.17g, %.17g, 0]}}\n",
        k * a * a, 2.0 * k * a * a, k * a * a, a, tick, a, w * a, -rate * a, rate, w);
    RI_TRY(open_run(v, &t, r));
    RI_TRY(advance(r, 0.25));
    const double *q = ri_sim_q(r->sim);
    *out_lean = asin(ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]}).m[2][1]); // of its axis
    return RI_OK;
}

/// (A + m a^2) lean'' + (C (C + m a^2) / A w^2 - m g a) lean = 0 with A = k m a^2, C = 2 A.
static double lean_at(double k, double w, double t)
{
    const double s = (2.0 * (2.0 * k + 1.0) * w * w - G / 0.1) / (k + 1.0), u = sqrt(fabs(s));
    return 1e-3 * (s > 0.0 ? sin(u * t) : sinh(u * t)) / u;
}

static RiStatus upright_rows(RiValidation *v)
{
    static const struct {
        const char *name;
        double k, limit; // of w^2 a / g
    } bodies[] = {{"disk", 0.25, 1.0 / 3.0}, {"hoop", 0.5, 0.25}};
    char text[96];
    for (int i = 0; i < 4; i++) {
        const double part = i % 2 ? 1.5 : 0.5, k = bodies[i / 2].k, w = sqrt(part * bodies[i / 2].limit * G / 0.1);
        double lean[2] = {NAN, NAN};
        for (int s = 0; s < 2; s++) {
            Run r = {0};
            const RiStatus status = roll_upright(v, k, w, s ? 5e-4 : 1e-3, &r, &lean[s]);
            ri_scene_destroy(r.scene);
            RI_TRY(status);
        }
        const double want = lean_at(k, w, 0.25);
        snprintf(text, sizeof text, "%s that rolls upright at w^2 = %g of the limit: lean after 0.25 s",
                 bodies[i / 2].name, part);
        ri_validate_near(v, text, "rad", want, 0.01 * want, lean[1]);
        snprintf(text, sizeof text, "%s at %g: error of the lean, 1 ms over 0.5 ms", bodies[i / 2].name, part);
        ri_validate_between(v, text, "-", 2.0, 1.7, 4.5, (lean[0] - want) / (lean[1] - want));
    }
    return RI_OK;
}

// -------------------------------------------------------------------------------------------------

/// One experiment with a scene of its own.
static RiStatus use(RiValidation *v, RiStatus (*experiment)(RiValidation *v, Run *r))
{
    Run r = {0};
    const RiStatus status = experiment(v, &r);
    ri_scene_destroy(r.scene);
    return status;
}

RiStatus ri_case_moreau_bodies(RiValidation *v)
{
    RI_TRY(use(v, stack_rows));
    RI_TRY(use(v, overhang_stands));
    RI_TRY(use(v, overhang_falls));
    RI_TRY(use(v, cradle_touching));
    RI_TRY(use(v, cradle_apart));
    RI_TRY(oscillator_rows(v));
    RI_TRY(upright_rows(v));
    RI_TRY(use(v, woodpecker));
    RI_TRY(woodpecker_order(v));
    if (v->robots)
        return crank_rows(v);
    ri_validate_skip(v, "slider-crank: no folder of robots");
    return RI_OK;
}
