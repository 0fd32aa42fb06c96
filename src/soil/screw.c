// SPDX-License-Identifier: Apache-2.0
/// \file
/// Screws and soils made ready for the screw-soil law, stresses over a contact, and the closed forms of steady driving.
///
/// Per area of the cylinder of the edges, with the thread spread evenly over it:
///
///     p   = (r/R) k (z/u)^n + f k_e (z_R/u_e)^n                       drum and edges, radial                          [bekker1956]
///     s_d = share (c (r/R + f) + p tan phi)                           friction on them
///     s   = c + (p + gamma z_R) tan phi                               soil around the edges
///     s_b = min(blade length per area * passive less active pressure, sqrt(s^2 - s_d^2))
///
///     beta = s_b / sqrt(s^2 - s_d^2)
///
/// A blade cannot push harder than the weaker of two things: the wedge of soil in front of it, and the soil between blades shearing off at their edges, which carries the drum's
/// friction as well. The share beta of that soil goes with the blades, so the drum slides over it along them: with n across the blades, P = 1 - beta n n^T, the
/// drum's friction follows P v and acts along P. The sum of both is then never beyond s. Along the axis the shear of a blade grows with the way i x cos(alpha) that it has been pushed since it came in at the front, as under a track
/// [janosi1961]; the drum's along its own path over the ground. Derivation and assumptions: docs/theory/screw-soil.md. Tests: tests/soil/test_screw.c.
#include "soil/screw.h"

#include <math.h>
#include <string.h>

enum { STATIONS = 7, PATCHES = 8 };
static const double FRICTION_SHARE = 2.0 / 3.0;
static const double EDGE = 2e-3;                    ///< [m]
static const double MOST_ARC = 85.0 * M_PI / 180.0; ///< of a contact on either side of its middle
static const double LEAST_ARC = 1e-4;               ///< [rad]

// --- a screw ------------------------------------------------------------------------------------------------------------------------

RiStatus ri_soil_screw_init(RiContext *ctx, double core, double radius, double length, double lead, int hand,
                            int starts, RiSoilScrew *out_screw)
{
    if (!(core > 0.0) || !(radius >= core) || !(radius < 100.0))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "a screw drum of radius %g m with blades to %g m; the drum's must be positive, the blades' no "
                        "smaller and below 100 m",
                        core, radius);
    if (!(length > 0.0) || !(length < 1000.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "a screw drum of length %g m; it must be positive and below 1000 m",
                        length);
    if (radius > core && (!(lead > 0.0) || !(lead < 1000.0) || starts < 1 || (hand != 1 && hand != -1)))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "a screw with lead %g m, %d starts and hand %d; the lead must be positive and below 1000 m, "
                        "the starts at least 1, the hand 1 or -1",
                        lead, starts, hand);
    *out_screw = (RiSoilScrew){.core = core,
                               .radius = radius,
                               .length = length,
                               .lead = lead,
                               .hand = hand,
                               .starts = starts,
                               .edge = EDGE,
                               .friction = FRICTION_SHARE};
    return ri_soil_screw_cut(ctx, STATIONS, PATCHES, out_screw);
}

/// Stations at Chebyshev's points, dense at the ends where soil comes in, with the weights of Clenshaw and Curtis.
RiStatus ri_soil_screw_cut(RiContext *ctx, int stations, int patches, RiSoilScrew *w)
{
    if (stations < 5 || stations > RI_SCREW_STATION_MAX || stations % 2 == 0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%d stations along a screw; an odd number from 5 to %d is allowed",
                        stations, RI_SCREW_STATION_MAX);
    if (patches < 4 || patches > RI_SCREW_PATCH_MAX)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%d patches across a screw; 4 to %d are allowed", patches,
                        RI_SCREW_PATCH_MAX);
    const int n = stations - 1;
    w->stations = stations;
    w->patches = patches;
    for (int k = 0; k <= n; k++) {
        double sum = 1.0;
        for (int j = 1; j <= n / 2; j++)
            sum -= (2 * j == n ? 1.0 : 2.0) / (4.0 * j * j - 1.0) * cos(2.0 * M_PI * j * k / n);
        w->station_x[k] = 2 * k == n ? 0.0 : -0.5 * w->length * cos(M_PI * k / n);
        w->station_length[k] = (k == 0 || k == n ? 0.5 : 1.0) * w->length / n * sum;
    }
    for (int k = 0; k < n / 2; k++) { // to the bit
        w->station_x[n - k] = -w->station_x[k];
        w->station_length[n - k] = w->station_length[k];
    }
    return RI_OK;
}

double ri_soil_screw_angle(const RiSoilScrew *w)
{
    return w->radius > w->core ? atan(w->lead / (M_PI * (w->core + w->radius))) : 0.0;
}

RiThread ri_screw_thread(const RiSoilScrew *w)
{
    RiThread t = {.radius = 0.5 * (w->core + w->radius), .cosine = 1.0};
    if (!(w->radius > w->core))
        return t;
    const double a = ri_soil_screw_angle(w), at_edge = cos(atan(w->lead / (2.0 * M_PI * w->radius)));
    t.sine = w->hand * sin(a);
    t.cosine = cos(a);
    t.per_area = w->starts / (w->lead * at_edge);
    t.edge_share = fmin(1.0, w->edge * t.per_area);
    return t;
}

RiStatus ri_screw_soil_init(RiContext *ctx, const RiSoil *soil, const RiSoilScrew *w, double gravity,
                            RiScrewSoil *out_soil)
{
    RiSoilLaw edge = {0};
    RI_TRY(ri_soil_law_init(ctx, soil, w->core, gravity, &out_soil->law));
    out_soil->law.slip_most = 1.0; // of wheels
    if (w->radius > w->core)
        RI_TRY(ri_soil_law_init(ctx, soil, w->edge, gravity, &edge));
    out_soil->edge_k = edge.k;
    out_soil->edge_unit = edge.unit > 0.0 ? edge.unit : 1.0;
    return RI_OK;
}

unsigned ri_screw_doubts(const RiSoilScrew *w, const RiScrewSoil *soil, double sinkage, double slip)
{
    // soil slides along a blade with the friction angle delta most easily at 45 degrees less delta / 2; steeper blades carry it round
    const double delta = atan(w->friction * soil->law.tan_phi);
    return (sinkage > w->core ? RI_SCREW_DOUBT_SINKAGE : 0u) |
           (fabs(slip) > soil->law.slip_most ? RI_SCREW_DOUBT_SLIP : 0u) |
           (ri_soil_screw_angle(w) > 0.25 * M_PI - 0.5 * delta ? RI_SCREW_DOUBT_ANGLE : 0u);
}

// --- a station ----------------------------------------------------------------------------------------------------------------------

int ri_screw_arc(const RiSoilScrew *w, RiScrewPlane plane, double *out_low, double *out_high)
{
    const double middle = atan(plane.side), c = -plane.height * cos(middle) / w->radius;
    if (!(c < 1.0))
        return 0;
    const double half = c > -1.0 ? acos(c) : M_PI;
    *out_low = middle - fmin(half, MOST_ARC);
    *out_high = middle + fmin(half, MOST_ARC);
    return half < LEAST_ARC ? 0 : half <= MOST_ARC ? 1 : 2;
}

/// Depths of the drum and of the edges at a node, and how much of the node's width the drum covers.
typedef struct Depths {
    double drum, edge, cover;
} Depths;

static Depths depths_at(const RiSoilScrew *w, RiScrewPlane g, double step, double sine, double cosine)
{
    const double per_radius = (cosine + g.side * sine) * g.cosine, sea = g.height * g.cosine;
    const double across =
        w->core * fabs(g.side * cosine - sine) * g.cosine * step; // by which the drum's depth changes over the node
    Depths d = {.drum = sea + w->core * per_radius, .edge = sea + w->radius * per_radius, .cover = 1.0};
    d.edge = d.edge > 0.0 ? d.edge : 0.0;
    if (d.drum < 0.5 * across) {
        d.cover = fmax(0.0, 0.5 + d.drum / across); // the node lies across the end of the drum's contact
        d.drum = 0.5 * d.cover * across;
    } else if (d.drum <= 0.0)
        d.cover = d.drum = 0.0;
    return d;
}

/// fmin without its care for NaN, which costs a call.
static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/// Strength of the blades: passive pressure before them less active behind, on what of their height is in the soil.
static double blade_pressure(const RiSoilScrew *w, const RiThread *t, const RiSoilLaw *law, double root, Depths d,
                             double slope, double surcharge)
{
    const double height = w->radius - w->core, in = smaller(height, (d.edge - d.drum) / (slope > 0.05 ? slope : 0.05));
    const double stress = law->unit_weight * 0.5 * (d.edge + d.drum) + surcharge;
    const double active = stress / law->passive - 2.0 * law->cohesion / root;
    return t->per_area * in * (stress * law->passive + 2.0 * law->cohesion * root - (active > 0.0 ? active : 0.0));
}

void ri_screw_stresses(const RiNodeKernels *k, const RiSoilScrew *w, const RiThread *t, const RiScrewSoil *soil,
                       RiScrewPlane plane, int count, double step, const double *sine, const double *cosine,
                       RiScrewStresses *out)
{
    const RiSoilLaw *law = &soil->law;
    double drum[RI_SCREW_PATCH_MAX] = {0.0}, edge[RI_SCREW_PATCH_MAX] = {0.0}, cover[RI_SCREW_PATCH_MAX];
    double by_drum[RI_SCREW_PATCH_MAX], by_edge[RI_SCREW_PATCH_MAX] = {0.0};
    const int padded = (count + RI_NODE_LANES - 1) / RI_NODE_LANES * RI_NODE_LANES;
    const double ratio = w->core / w->radius, n = law->n0, root = sqrt(law->passive);
    for (int i = 0; i < count; i++) {
        const Depths d = depths_at(w, plane, step, sine[i], cosine[i]);
        drum[i] = d.drum, edge[i] = d.edge, cover[i] = d.cover;
    }
    k->power(padded, drum, law->unit, n, law->k, by_drum);
    if (t->edge_share > 0.0)
        k->power(padded, edge, soil->edge_unit, n, soil->edge_k, by_edge);
    out->face = 0.0;
    out->deepest = plane.height * plane.cosine + w->core * plane.cosine * sqrt(1.0 + plane.side * plane.side);
    for (int i = 0; i < count; i++) {
        const double on_drum = ratio * cover[i], rock = drum[i] - law->base_depth,
                     rock_edge = edge[i] - law->base_depth;
        double pd = on_drum * by_drum[i], pe = t->edge_share * by_edge[i];
        double rise = n * ((drum[i] > 0.0 ? pd / drum[i] : 0.0) + (edge[i] > 0.0 ? pe / edge[i] : 0.0));
        out->face += pd * drum[i] / (n + 1.0) * cosine[i] * step * w->radius;
        if (rock > 0.0)
            pd += on_drum * law->base_stiffness * rock, rise += on_drum * law->base_stiffness;
        if (rock_edge > 0.0 && t->edge_share > 0.0)
            pe += t->edge_share * law->base_stiffness * rock_edge, rise += t->edge_share * law->base_stiffness;
        const double p = pd + pe, slope = (cosine[i] + plane.side * sine[i]) * plane.cosine;
        out->pressure[i] = p;
        out->rise[i] = rise;
        out->plug[i] = 0.0;
        for (int full = 0; full < 2; full++) {
            const Depths d = {drum[i], edge[i], cover[i]};
            const double s = law->cohesion + (full * p + law->unit_weight * edge[i]) * law->tan_phi;
            const double f =
                smaller(w->friction * (law->cohesion * (on_drum + t->edge_share) + full * p * law->tan_phi), s);
            const double off = sqrt(s * s - f * f);
            const double blade =
                t->per_area > 0.0 ? smaller(blade_pressure(w, t, law, root, d, slope, full * pd), off) : 0.0;
            out->strength[full][i] = s;
            out->friction[full][i] = f;
            out->blade[full][i] = blade;
            if (blade > out->plug[i] * off)
                out->plug[i] = blade / off;
        }
        out->arm[i] = p > 0.0 ? (pd * w->core + pe * w->radius) / p : w->radius;
    }
}

// --- closed forms -------------------------------------------------------------------------------------------------------------------

/// Mean of 1 - exp(-a x) over x in [0, 1].
static double mean_mobilised(double a)
{
    return a < 1e-4 ? 0.5 * a - a * a / 6.0 : 1.0 + expm1(-a) / a;
}

/// Mean mobilisations along a drum that drives at a slip.
typedef struct Drive {
    double blade;         ///< across the blades
    double along, around; ///< friction, along the axis and around it
} Drive;

static Drive drive_of(const RiSoilScrew *w, const RiThread *t, double K, double slip, double arm, double plug)
{
    const double travel = slip >= 0.0 ? 1.0 - slip : 1.0 / (1.0 + slip); // while the thread advances by 1
    const double turn = w->lead > 0.0 ? w->hand * 2.0 * M_PI / w->lead : 0.0, across = t->cosine * (travel - 1.0);
    const double with = plug * (t->cosine * travel - t->sine * arm * turn); // of the soil that goes with the blades
    const double along = travel - with * t->cosine, around = arm * turn + with * t->sine, path = hypot(along, around);
    const double full = travel > 0.0 ? mean_mobilised(path / travel * w->length / K) : 1.0;
    const double fa = path > 0.0 ? full * along / path : 0.0, fc = path > 0.0 ? full * around / path : 0.0;
    const double fn = plug * (t->cosine * fa - t->sine * fc);
    return (Drive){.blade = copysign(mean_mobilised(fabs(across) * w->length / K), across),
                   .along = fa - fn * t->cosine,
                   .around = fc + fn * t->sine};
}

/// Adds a node of the contact, spread over the length of the drum.
static void add_node(const RiSoilScrew *w, const RiThread *t, const RiScrewSoil *soil, const RiScrewStresses *x, int i,
                     double area, double sine, double cosine, double slip, RiScrewForce *f)
{
    const Drive d = drive_of(w, t, soil->law.kx, slip, x->arm[i], x->plug[i]);
    const double a = -area * x->friction[1][i] * d.along, c = -area * x->friction[1][i] * d.around,
                 b = -area * x->blade[1][i] * d.blade, around = c - b * t->sine;
    f->thrust += b * t->cosine;
    f->drag += a;
    f->torque -= c * x->arm[i] - b * t->sine * t->radius;
    f->force = ri_add(f->force, ri_vec3(a + b * t->cosine, around * cosine - x->pressure[i] * area * sine,
                                        around * sine + x->pressure[i] * area * cosine));
    f->limit += x->strength[1][i] * area;
}

RiScrewForce ri_screw_steady(const RiSoilScrew *w, const RiScrewSoil *soil, double sinkage, double slip, int fine)
{
    RiScrewForce f = {.sinkage = sinkage, .slip = slip};
    const RiNodeKernels *k = ri_node_kernels_find(NULL);
    const RiThread t = ri_screw_thread(w);
    const RiScrewPlane plane = {sinkage - w->core, 0.0, 1.0};
    const int count = fine > 0 ? fine : w->patches;
    double low, high;
    const int arc = ri_screw_arc(w, plane, &low, &high);
    if (arc == 0)
        return f;
    const double step = (high - low) / count;
    double face = 0.0;
    for (int at = 0; at < count; at += RI_SCREW_PATCH_MAX) {
        double sine[RI_SCREW_PATCH_MAX], cosine[RI_SCREW_PATCH_MAX];
        RiScrewStresses x;
        const int n = count - at < RI_SCREW_PATCH_MAX ? count - at : RI_SCREW_PATCH_MAX;
        for (int i = 0; i < n; i++) {
            const double theta = low + (at + i + 0.5) * step;
            sine[i] = sin(theta), cosine[i] = cos(theta);
        }
        ri_screw_stresses(k, w, &t, soil, plane, n, step, sine, cosine, &x);
        for (int i = 0; i < n; i++)
            add_node(w, &t, soil, &x, i, w->radius * step * w->length, sine[i], cosine[i], slip, &f);
        face += x.face;
    }
    f.drag -= slip < 1.0 ? face : 0.0;
    f.force.x -= slip < 1.0 ? face : 0.0;
    f.moment = ri_vec3(-f.torque, 0.0, 0.0);
    f.doubts = ri_screw_doubts(w, soil, sinkage, slip) | (arc == 2 ? RI_SCREW_DOUBT_BURIED : 0u);
    return f;
}

RiStatus ri_screw_steady_load(RiContext *ctx, const RiSoilScrew *w, const RiScrewSoil *soil, double load, double slip,
                              int fine, RiScrewForce *out)
{
    double low = w->core - w->radius, high = w->core;
    *out = ri_screw_steady(w, soil, high, slip, fine);
    if (!(load >= 0.0) || !(out->force.z >= load))
        return ri_error(ctx, RI_ERR_NUMERIC, "a screw of radius %g m sunk to its axis carries %g N, not %g N", w->core,
                        out->force.z, load);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *out = ri_screw_steady(w, soil, middle, slip, fine);
        if (out->force.z < load)
            low = middle;
        else
            high = middle;
    }
    return RI_OK;
}
