// SPDX-License-Identifier: Apache-2.0
/// \file
/// The closed forms of ARTEMIS [trease2011] on level ground: a wheel that rolls steadily with a
/// slip, a slip angle and a sinkage. Equation numbers are the paper's; docs/theory/wheel-soil.md
/// lists its misprints.
///
///     j_x = r (theta_f - theta - (1 - i)(sin theta_f - sin theta))        driving (5); braking: 1 / (1 + i) in place of 1 - i
///     j_y = r (1 - i)(theta_f - theta) tan beta                           driving (9); braking likewise (10)
///     tau = (c + sigma tan phi)(1 - exp(-|j| / K)) sign j                 (3), (6)
///
/// Tests: tests/soil/test_steady.c.
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "soil/wheel.h"

/// A steady motion: its ratios are all that matters.
typedef struct Motion {
    RiSliding sliding;
    double sine;     ///< of the slip angle, with its sign
    double cosine;   ///< of the slip angle
    double along;    ///< v_x / (r omega): (1 - i) or 1 / (1 + i)
    double side;     ///< v_y / (r omega)
    double directed; ///< share of rolling in its direction, 1 straight on
    double n, kx, ky;
    double grouser; ///< [N/(rad m)]
} Motion;

/// Sums of one slice.
typedef struct SliceSums {
    double thrust, resistance, load, torque, side, grouser;
    double side_x, side_z; ///< moments of the side force: sum of tau_y dA times x and z
} SliceSums;

/// sign(j) (1 - exp(-|j|)) at all nodes, j in units of K.
static void mobilise(const RiNodeKernels *k, int count, const double *j, double *out)
{
    double a[RI_NODE_MAX] = {0.0};
    for (int i = 0; i < count; i++)
        a[i] = fabs(j[i]);
    k->mobilise(count, a, out);
    for (int i = 0; i < count; i++)
        out[i] = copysign(out[i], j[i]);
}

/// Mobilised shear along a whole contact from theta_f down to -theta_f, where both directions share
/// one strength.
enum { WAY = 96 };
typedef struct Way {
    double entry, per_angle;
    double ux[WAY + 1], uy[WAY + 1];
} Way;

/// Follows a place of the rim through the contact: du/dphi = g - |g| u with the shear g = (g_x,
/// g_y) per angle phi turned, in units of kx and ky, as patches do in a step (rolling.c). Where the
/// direction of g stays the same that is Janosi's law in j = |g| phi; a wheel that is locked has u
/// = g / |g| everywhere.
static void follow_rim(double r, double entry, const Motion *m, Way *out)
{
    const double part = 2.0 * entry / WAY;
    out->entry = entry;
    out->per_angle = entry > 0.0 ? 1.0 / part : 0.0;
    out->ux[0] = out->uy[0] = 0.0;
    for (int i = 0; i < WAY; i++) {
        const double theta = entry - (i + 0.5) * part;
        const double gx = r * (1.0 - m->along * ri_cos(theta)) / m->kx, gy = r * m->side / m->ky,
                     g = sqrt(gx * gx + gy * gy), e = -ri_expm1(-g * part);
        out->ux[i + 1] = out->ux[i] + e * ((g > 0.0 ? gx / g : 0.0) - out->ux[i]);
        out->uy[i + 1] = out->uy[i] + e * ((g > 0.0 ? gy / g : 0.0) - out->uy[i]);
    }
}

static double along_way(const Way *w, const double *u, double theta)
{
    const double p = (w->entry - theta) * w->per_angle;
    const int i = p < 0.0 ? 0 : p < WAY - 1 ? (int)p : WAY - 1;
    return u[i] + (p - i) * (u[i + 1] - u[i]);
}

/// Shear at the nodes of an arc of rolling in the direction `sign`: the rim comes in at the entry
/// of forward rolling either way.
static void shear(const RiNodeKernels *k, const RiSoilLaw *soil, const RiArc *arc, double sign, const Motion *m,
                  const RiNodes *x, double *ux, double *uy)
{
    double jx[RI_NODE_MAX], jy[RI_NODE_MAX];
    const double top = ri_sin(arc->entry);
    if (soil->coupled && m->side != 0.0) {
        Way way;
        follow_rim(arc->r, arc->entry, m, &way);
        for (int i = 0; i < 2 * x->half; i++) {
            ux[i] = along_way(&way, way.ux, sign * x->theta[i]);
            uy[i] = along_way(&way, way.uy, sign * x->theta[i]);
        }
        return;
    }
    for (int i = 0; i < 2 * x->half; i++) {
        const double turned = arc->entry - sign * x->theta[i];
        jx[i] = arc->r * (turned - m->along * (top - sign * x->sine[i])) / m->kx;
        jy[i] = arc->r * m->side * turned / m->ky;
    }
    mobilise(k, 2 * x->half, jx, ux);
    mobilise(k, 2 * x->half, jy, uy);
}

/// Adds an arc of rolling in the direction `sign` with its weight.
static void sum_arc(const RiNodeKernels *k, const RiSoilWheel *w, const RiSoilLaw *soil, const RiArc *arc, double sign,
                    double weight, const Motion *m, int panels, SliceSums *s)
{
    RiNodes x;
    double ux[RI_NODE_MAX], uy[RI_NODE_MAX];
    double more;
    const double gain = ri_soil_lug_gain(w, soil, &more);
    ri_nodes_fill(k, soil, arc, m->n, panels, &x);
    shear(k, soil, arc, sign, m, &x, ux, uy);
    for (int i = 0; i < 2 * x.half; i++) {
        const double sigma = x.sigma[i % x.half], strength = ri_soil_strength(soil, x.depth[i % x.half], sigma);
        const double tau = (gain * strength + more) * ux[i], side = strength * uy[i], dA = weight * x.weight[i],
                     sine = sign * x.sine[i];
        const double claw = m->grouser / arc->r * (w->grousers_full ? 1.0 : ux[i]); // per area
        s->thrust += dA * tau * x.cosine[i];                                        // (16)
        s->resistance += dA * sigma * sine;                                         // (17)
        s->load += dA * (sigma * x.cosine[i] + (tau + claw) * sine);                // (20)
        s->grouser += dA * claw * x.cosine[i];
        s->torque += dA * (tau * arc->r + claw * (arc->r + (2.0 / 3.0 - w->locked) * w->grouser_height));
        s->side += dA * side; // (11), with tan phi
        s->side_x += dA * side * arc->r * sine;
        s->side_z -= dA * side * arc->r * x.cosine[i];
    }
}

/// A slice sunk by h. A wheel that moves aside has the mean of the stresses of rolling forward and
/// backward, and the exit goes to where the ground ends, as in a step (rolling.c).
static SliceSums sum_slice(const RiNodeKernels *k, const RiSoilWheel *w, const RiSoilLaw *soil, int slice, double h,
                           const Motion *m, int panels, RiArc *out_arc)
{
    const double r = w->slice_radius[slice], edge = 1.0 - h / r;
    SliceSums s = {0};
    RiArc arc = {
        .r = r, .b = w->slice_width[slice], .entry = ri_acos(edge < -1.0 ? -1.0 : edge), .sliding = m->sliding};
    arc.exit = ri_soil_exit(soil, r, arc.entry, m->sliding.slip);
    arc.middle = ri_soil_middle(soil, &m->sliding) * arc.entry;
    if (m->directed < 1.0)
        arc.exit = -arc.entry + m->directed * (arc.exit + arc.entry);
    sum_arc(k, w, soil, &arc, 1.0, 0.5 * (1.0 + m->directed), m, panels, &s);
    *out_arc = arc;
    if (m->directed < 1.0) {
        arc.exit = -arc.entry;
        sum_arc(k, w, soil, &arc, -1.0, 0.5 * (1.0 - m->directed), m, panels, &s);
    }
    return s;
}

/// Adds a slice at the distance y along the axle.
static void add_slice(RiWheelForce *f, const SliceSums *s, double y)
{
    const double pull = s->thrust - s->resistance + s->grouser;
    f->thrust += s->thrust;
    f->resistance += s->resistance;
    f->grouser += s->grouser;
    f->torque += s->torque;
    f->shear_side -= s->side;
    f->force = ri_add(f->force, ri_vec3(pull, -s->side, s->load)); // (18), (20)
    f->moment = ri_add(f->moment, ri_vec3(y * s->load + s->side_z, -s->torque, -y * pull - s->side_x));
}

RiWheelMotion ri_wheel_motion(double slip, double beta)
{
    const double vx = slip >= 0.0 ? 1.0 - slip : 1.0;
    return (RiWheelMotion){vx, beta == 0.0 ? 0.0 : vx * ri_tan(beta), slip >= 0.0 ? 1.0 : 1.0 + slip};
}

RiWheelMotion ri_wheel_motion_travel(double slip, double beta)
{
    const double v = slip >= 0.0 ? 1.0 - slip : 1.0, along = v * ri_cos(beta);
    return (RiWheelMotion){along > 0.0 ? along : 0.0, v * ri_sin(beta), slip >= 0.0 ? 1.0 : 1.0 + slip};
}

static Motion motion_of(const RiSoilWheel *w, const RiSoilLaw *soil, RiWheelMotion v)
{
    const double speed = v.vy == 0.0 ? fabs(v.vx) : sqrt(v.vx * v.vx + v.vy * v.vy);
    // a locked wheel is one that hardly turns: its shear is fully mobilised either way
    const double least = 1e-12 * speed, rim = v.rim > least ? v.rim : least > 0.0 ? least : 1.0;
    Motion m = {.sine = speed > 0.0 ? v.vy / speed : 0.0,
                .cosine = speed > 0.0 ? v.vx / speed : 1.0,
                .along = v.vx / rim,
                .side = v.vy / rim, // (8)
                .directed = ri_soil_directed(v.vx, v.vy, v.rim),
                .grouser = ri_soil_grouser(w, soil)};
    m.sliding = ri_soil_sliding(ri_wheel_slip(speed, v.rim), fmin(1.0, fabs(m.sine)));
    m.n = ri_soil_exponent(soil, &m.sliding);
    m.kx = soil->kx + soil->kx_beta * m.sliding.beta;
    m.ky = soil->ky + soil->ky_beta * m.sliding.beta;
    return m;
}

RiWheelForce ri_wheel_moving(const RiSoilWheel *w, const RiSoilLaw *soil, double sinkage, RiWheelMotion motion,
                             int fine)
{
    const RiNodeKernels *k = ri_node_kernels_find(NULL);
    const Motion m = motion_of(w, soil, motion);
    const int panels = fine > 0 ? (fine < RI_PANEL_MAX ? fine : RI_PANEL_MAX) : w->panels;
    RiWheelForce f = {.slip = ri_slip(motion.vx, motion.rim),
                      .rolling = 1.0,
                      .travel_slip = m.sliding.slip,
                      .sinkage = sinkage,
                      .n = m.n};
    double deepest = 0.0;
    for (int i = 0; i < w->slices; i++) {
        const double h = sinkage - (w->radius - w->slice_radius[i]);
        RiArc arc;
        if (h <= 0.0)
            continue;
        const SliceSums s = sum_slice(k, w, soil, i, h, &m, panels, &arc);
        add_slice(&f, &s, w->slice_y[i]);
        if (h > deepest)
            deepest = h, f.entry = arc.entry, f.exit = arc.exit, f.middle = arc.middle;
    }
    double arm;
    const double left = ri_soil_ploughed(m.sliding.slip);
    f.bulldozing = -left * ri_soil_side_wall(soil, w->radius, f.entry, &arm) * m.sine; // (14), (19)
    f.ploughing = -left * ri_soil_front(w, soil, sinkage) * fabs(m.sine) * m.cosine;
    f.force = ri_add(f.force, ri_vec3(f.ploughing, f.bulldozing, 0.0));
    f.moment.x += arm * f.bulldozing;
    f.doubts = ri_soil_doubts(w, soil, sinkage, &m.sliding);
    return f;
}

RiWheelForce ri_wheel_steady(const RiSoilWheel *w, const RiSoilLaw *soil, double sinkage, double slip, double beta,
                             int fine)
{
    return ri_wheel_moving(w, soil, sinkage, ri_wheel_motion(slip, beta), fine);
}

/// Up to which sinkage the load is to be sought: the radius; over a crust, which carries less once
/// it is broken, the first that carries it.
static double search_end(const RiSoilWheel *w, const RiSoilLaw *soil, double load, RiWheelMotion motion, int fine)
{
    enum { PARTS = 256 };
    for (int i = 1; i < PARTS && soil->stacked; i++)
        if (ri_wheel_moving(w, soil, w->radius * i / PARTS, motion, fine).force.z >= load)
            return w->radius * i / PARTS;
    return w->radius;
}

RiStatus ri_wheel_moving_load(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *soil, double load,
                              RiWheelMotion motion, int fine, RiWheelForce *out)
{
    double low = 0.0, high = search_end(w, soil, load, motion, fine);
    *out = ri_wheel_moving(w, soil, high, motion, fine);
    if (!(load >= 0.0) || !(out->force.z >= load))
        return ri_error(
            ctx, RI_ERR_NUMERIC,
            "a wheel of radius %g m sunk to its hub carries %g N at a slip of %g, not %g N: it is swallowed", w->radius,
            out->force.z, out->slip, load);
    for (int i = 0; i < 200 && high - low > 1e-15 * w->radius; i++) {
        const double h = 0.5 * (low + high);
        *out = ri_wheel_moving(w, soil, h, motion, fine);
        *(out->force.z < load ? &low : &high) = h;
    }
    return RI_OK;
}

RiStatus ri_wheel_steady_load(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *soil, double load, double slip,
                              double beta, int fine, RiWheelForce *out)
{
    return ri_wheel_moving_load(ctx, w, soil, load, ri_wheel_motion(slip, beta), fine, out);
}
