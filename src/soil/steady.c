// SPDX-License-Identifier: Apache-2.0
/// \file
/// The closed forms of ARTEMIS [trease2011] on level ground: a wheel that rolls steadily with a slip, a slip angle and a sinkage. Equation
/// numbers are the paper's; docs/theory/wheel-soil.md lists its misprints.
///
///     j_x = r (theta_f - theta - (1 - i)(sin theta_f - sin theta))        driving (5); braking: 1 / (1 + i) in place of 1 - i
///     j_y = r (1 - i)(theta_f - theta) tan beta                           driving (9); braking likewise (10)
///     tau = (c + sigma tan phi)(1 - exp(-|j| / K)) sign j                 (3), (6)
///
/// Tests: tests/soil/test_steady.c.
#include <math.h>
#include <string.h>

#include "soil/wheel.h"

/// A steady motion: its ratios are all that counts.
typedef struct Motion {
    double slip, beta;
    double along; ///< v_x / (r omega): (1 - i) or 1 / (1 + i)
    double side;  ///< v_y / (r omega)
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

/// The same for both together: one strength in the direction of (jx, jy).
static void mobilise_coupled(const RiNodeKernels *k, int count, const double *jx, const double *jy, double *ux,
                             double *uy)
{
    double a[RI_NODE_MAX] = {0.0}, u[RI_NODE_MAX];
    for (int i = 0; i < count; i++)
        a[i] = sqrt(jx[i] * jx[i] + jy[i] * jy[i]);
    k->mobilise(count, a, u);
    for (int i = 0; i < count; i++) {
        const double share = a[i] > 0.0 ? u[i] / a[i] : 0.0;
        ux[i] = share * jx[i];
        uy[i] = share * jy[i];
    }
}

static void shear(const RiNodeKernels *k, const RiSoilLaw *soil, const RiArc *arc, const Motion *m, const RiNodes *x,
                  double *ux, double *uy)
{
    double jx[RI_NODE_MAX], jy[RI_NODE_MAX];
    const double top = sin(arc->entry);
    for (int i = 0; i < 2 * x->half; i++) {
        const double turned = arc->entry - x->theta[i];
        jx[i] = arc->r * (turned - m->along * (top - x->sine[i])) / m->kx;
        jy[i] = arc->r * m->side * turned / m->ky;
    }
    if (soil->coupled && m->side != 0.0) {
        mobilise_coupled(k, 2 * x->half, jx, jy, ux, uy);
        return;
    }
    mobilise(k, 2 * x->half, jx, ux);
    mobilise(k, 2 * x->half, jy, uy);
}

static SliceSums sum_slice(const RiNodeKernels *k, const RiSoilWheel *w, const RiSoilLaw *soil, const RiArc *arc,
                           const Motion *m, int panels)
{
    RiNodes x;
    double ux[RI_NODE_MAX], uy[RI_NODE_MAX];
    SliceSums s = {0};
    ri_nodes_fill(k, soil, arc, m->n, panels, &x);
    shear(k, soil, arc, m, &x, ux, uy);
    for (int i = 0; i < 2 * x.half; i++) {
        const double sigma = x.sigma[i % x.half], strength = ri_soil_strength(soil, x.depth[i % x.half], sigma);
        const double tau = strength * ux[i], side = strength * uy[i], dA = x.weight[i];
        const double claw = m->grouser / arc->r * (w->grousers_full ? 1.0 : ux[i]); // per area
        s.thrust += dA * tau * x.cosine[i];                                         // (16)
        s.resistance += dA * sigma * x.sine[i];                                     // (17)
        s.load += dA * (sigma * x.cosine[i] + (tau + claw) * x.sine[i]);            // (20)
        s.grouser += dA * claw * x.cosine[i];
        s.torque += dA * (tau * arc->r + claw * (arc->r + 2.0 / 3.0 * w->grouser_height));
        s.side += dA * side; // (11), with tan phi
        s.side_x += dA * side * arc->r * x.sine[i];
        s.side_z -= dA * side * arc->r * x.cosine[i];
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

static Motion motion_of(const RiSoilWheel *w, const RiSoilLaw *soil, double slip, double beta)
{
    const double rim = 1.0 + slip, least = 1e-12, size = fabs(beta);
    // a locked wheel is one that hardly turns: its shear is fully mobilised either way
    const double along = slip >= 0.0 ? 1.0 - slip : 1.0 / (rim > least ? rim : least);
    return (Motion){.slip = slip,
                    .beta = beta,
                    .along = along,
                    .side = beta == 0.0 ? 0.0 : along * tan(beta), // (8)
                    .n = ri_soil_exponent(soil, slip, beta),
                    .kx = soil->kx + soil->kx_beta * size,
                    .ky = soil->ky + soil->ky_beta * size,
                    .grouser = ri_soil_grouser(w, soil)};
}

RiWheelForce ri_wheel_steady(const RiSoilWheel *w, const RiSoilLaw *soil, double sinkage, double slip, double beta,
                             int fine)
{
    const RiNodeKernels *k = ri_node_kernels_find(NULL);
    const Motion m = motion_of(w, soil, slip, beta);
    const int panels = fine > 0 ? (fine < RI_PANEL_MAX ? fine : RI_PANEL_MAX) : w->panels;
    RiWheelForce f = {.slip = slip, .sinkage = sinkage, .n = m.n};
    double deepest = 0.0;
    for (int i = 0; i < w->slices; i++) {
        const double r = w->slice_radius[i], h = sinkage - (w->radius - r), edge = 1.0 - h / r;
        if (h <= 0.0)
            continue;
        RiArc arc = {
            .r = r, .b = w->slice_width[i], .entry = acos(edge < -1.0 ? -1.0 : edge), .slip = slip, .beta = beta};
        arc.exit = ri_soil_exit(soil, r, arc.entry, slip);
        arc.middle = ri_soil_middle(soil, slip, beta) * arc.entry;
        const SliceSums s = sum_slice(k, w, soil, &arc, &m, panels);
        add_slice(&f, &s, w->slice_y[i]);
        if (h > deepest)
            deepest = h, f.entry = arc.entry, f.exit = arc.exit, f.middle = arc.middle;
    }
    double arm;
    f.bulldozing = -ri_soil_side_wall(soil, w->radius, f.entry, &arm) * sin(beta); // (14), (19)
    f.force.y += f.bulldozing;
    f.moment.x += arm * f.bulldozing;
    f.doubts = ri_soil_doubts(w, soil, sinkage, slip);
    return f;
}

/// Up to which sinkage the load is to be sought: the radius; over a crust, which carries less once it is broken, the first that carries it.
static double search_end(const RiSoilWheel *w, const RiSoilLaw *soil, double load, double slip, double beta, int fine)
{
    enum { PARTS = 256 };
    for (int i = 1; i < PARTS && soil->stacked; i++)
        if (ri_wheel_steady(w, soil, w->radius * i / PARTS, slip, beta, fine).force.z >= load)
            return w->radius * i / PARTS;
    return w->radius;
}

RiStatus ri_wheel_steady_load(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *soil, double load, double slip,
                              double beta, int fine, RiWheelForce *out)
{
    double low = 0.0, high = search_end(w, soil, load, slip, beta, fine);
    *out = ri_wheel_steady(w, soil, high, slip, beta, fine);
    if (!(load >= 0.0) || !(out->force.z >= load))
        return ri_error(
            ctx, RI_ERR_NUMERIC,
            "a wheel of radius %g m sunk to its hub carries %g N at a slip of %g, not %g N: it is swallowed", w->radius,
            out->force.z, slip, load);
    for (int i = 0; i < 200 && high - low > 1e-15 * w->radius; i++) {
        const double h = 0.5 * (low + high);
        *out = ri_wheel_steady(w, soil, h, slip, beta, fine);
        *(out->force.z < load ? &low : &high) = h;
    }
    return RI_OK;
}
