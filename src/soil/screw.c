// SPDX-License-Identifier: Apache-2.0
/// \file
/// Screws and soils made ready for the screw-soil law, stresses over a contact, and the closed
/// forms of steady driving.
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
/// A blade cannot push harder than the weaker of two things: the wedge of soil in front of it, and
/// the soil between blades shearing off at their edges, which carries the drum's friction as well.
/// The share beta of that soil goes with the blades, so the drum slides over it along them: with n
/// across the blades, P = 1 - beta n n^T, the drum's friction follows P v and acts along P. The sum
/// of both is then never beyond s. Along the axis the shear of a blade grows with the way i x
/// cos(alpha) that it has been pushed since it came in at the front, as under a track [janosi1961];
/// the drum's along its own path over the ground. Derivation and assumptions:
/// docs/theory/screw-soil.md. Tests: tests/soil/test_screw.c.
#include "soil/screw.h"

#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "soil/wheel.h"

enum { STATIONS = 7, PATCHES = 8 };
static const RiSliding still = {0.0, 0.0, 0.0}; ///< screws: pressure does not depend on slip
static const double FRICTION_SHARE = 2.0 / 3.0;
static const double EDGE = 2e-3;                    ///< [m]
static const double MOST_ARC = 85.0 * M_PI / 180.0; ///< of a contact on either side of its middle
static const double LEAST_ARC = 1e-4;               ///< [rad]

// --- a screw -------------------------------------------------------------------------------------

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

/// Stations at Chebyshev's points, dense at the ends where soil comes in, with the weights of
/// Clenshaw and Curtis.
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
            sum -= (2 * j == n ? 1.0 : 2.0) / (4.0 * j * j - 1.0) * ri_cos(2.0 * M_PI * j * k / n);
        w->station_x[k] = 2 * k == n ? 0.0 : -0.5 * w->length * ri_cos(M_PI * k / n);
        w->station_length[k] = (k == 0 || k == n ? 0.5 : 1.0) * w->length / n * sum;
    }
    for (int k = 0; k < n / 2; k++) { // to the bit
        w->station_x[n - k] = -w->station_x[k];
        w->station_length[n - k] = w->station_length[k];
    }
    for (int first = 0; first + 3 < stations; first++)
        for (int i = 0; i < 4; i++) {
            double product = 1.0;
            for (int k = 0; k < 4; k++)
                product *= k == i ? 1.0 : w->station_x[first + i] - w->station_x[first + k];
            w->station_share[first][i] = 1.0 / product;
        }
    return RI_OK;
}

double ri_soil_screw_angle(const RiSoilScrew *w)
{
    return w->radius > w->core ? ri_atan(w->lead / (M_PI * (w->core + w->radius))) : 0.0;
}

RiThread ri_screw_thread(const RiSoilScrew *w)
{
    RiThread t = {.radius = 0.5 * (w->core + w->radius), .cosine = 1.0};
    if (!(w->radius > w->core))
        return t;
    const double tangent = w->lead / (2.0 * M_PI * t.radius), at_edge = w->lead / (2.0 * M_PI * w->radius);
    t.cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    t.sine = w->hand * tangent * t.cosine;
    t.per_area = w->starts * sqrt(1.0 + at_edge * at_edge) / w->lead;
    t.edge_share = fmin(1.0, w->edge * t.per_area);
    return t;
}

RiStatus ri_screw_soil_init(RiContext *ctx, const RiSoil *soil, const RiSoilScrew *w, double gravity,
                            RiScrewSoil *out_soil)
{
    out_soil->edge = (RiSoilLaw){.n0 = 1.0, .unit = 1.0};
    RI_TRY(ri_soil_law_init(ctx, soil, w->core, gravity, &out_soil->law));
    out_soil->law.slip_most = 1.0; // of wheels
    return w->radius > w->core ? ri_soil_law_init(ctx, soil, w->edge, gravity, &out_soil->edge) : RI_OK;
}

RiStatus ri_screw_soil_layers(RiContext *ctx, const RiScrewLayer *layers, int count, const RiSoilScrew *w,
                              double gravity, double unload, RiSoilLaw *room, RiScrewSoil *out_soil)
{
    RiSoilLaw *drum = room, *edge = room + count;
    for (int i = 0; i < count; i++) {
        RiScrewSoil one;
        RI_TRY(ri_screw_soil_init(ctx, layers[i].soil, w, gravity, &one));
        one.law.unload = one.edge.unload = unload;
        one.law.thickness = one.edge.thickness = layers[i].thickness;
        one.law.crust_strength = one.edge.crust_strength = layers[i].strength;
        drum[i] = one.law;
        edge[i] = one.edge;
    }
    ri_soil_law_stack(drum, count, w->core);
    for (int i = 0; i < count && w->radius > w->core; i++) { // each alone: an edge cuts in deeper than it is wide
        ri_soil_law_stack(&edge[i], 1, w->edge);
        edge[i].top = drum[i].top;
        edge[i].below = i + 1 < count ? &edge[i + 1] : NULL;
    }
    *out_soil = (RiScrewSoil){drum[0], edge[0]};
    return RI_OK;
}

unsigned ri_screw_doubts(const RiSoilScrew *w, const RiScrewSoil *soil, double sinkage, double slip)
{
    // soil slides along a blade with the friction angle delta most easily at 45 degrees less delta
    // / 2; steeper blades carry it round
    const double delta = w->friction * soil->law.tan_phi, steepest = sqrt(1.0 + delta * delta) - delta,
                 blade = w->radius > w->core ? w->lead / (M_PI * (w->core + w->radius)) : 0.0;
    return (sinkage > w->core ? RI_SCREW_DOUBT_SINKAGE : 0u) |
           (fabs(slip) > soil->law.slip_most ? RI_SCREW_DOUBT_SLIP : 0u) |
           (blade > steepest ? RI_SCREW_DOUBT_ANGLE : 0u);
}

// --- a station -----------------------------------------------------------------------------------

int ri_screw_arc(const RiSoilScrew *w, RiScrewPlane plane, RiScrewArc *out)
{
    const double cosine = 1.0 / sqrt(1.0 + plane.side * plane.side), c = -plane.height * cosine / w->radius;
    if (!(c < 1.0))
        return 0;
    const double half = c > -1.0 ? ri_acos(c) : M_PI;
    *out = (RiScrewArc){.half = half < MOST_ARC ? half : MOST_ARC, .sine = plane.side * cosine, .cosine = cosine};
    out->chord = c > 0.0 ? w->radius * sqrt(1.0 - c * c) : w->radius;
    return half < LEAST_ARC ? 0 : half <= MOST_ARC ? 1 : 2;
}

void ri_screw_weights(int count, double out[RI_SCREW_PATCH_MAX])
{
    for (int i = 0; i < RI_SCREW_PATCH_MAX; i++)
        out[i] = i < count ? 1.0 : 0.0;
}

double ri_screw_total(const RiScrewSums *sums, int which)
{
    const double *lane = sums->lane[which];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// Cohesion and tan(phi) of the layers at the depths of drum, edges and the middle of the blades
/// between.
static void find_layers(RiScrewRow *x)
{
    static const double SIGMA = 1e4; // any: strength is linear in it
    for (int i = 0; i < x->lanes; i++)
        for (int k = 0; k < 3; k++) {
            const double depth = k == 0 ? x->drum[i] : k == 1 ? x->edge[i] : 0.5 * (x->drum[i] + x->edge[i]);
            const double c = ri_stack_strength(x->law, depth, 0.0);
            x->cohesion[k][i] = c;
            x->tan_phi[k][i] = (ri_stack_strength(x->law, depth, SIGMA) - c) / SIGMA;
        }
}

/// Pressure on edges: that of the layer they are in, passing into the next one as strength does.
static void press_edges(const RiNodeKernels *k, const RiSoilLaw *edge, double packed, RiScrewRow *x)
{
    const RiSoilLaw *above = NULL;
    for (const RiSoilLaw *s = edge; s; above = s, s = s->below) {
        double p[RI_SCREW_PATCH_MAX], slope[RI_SCREW_PATCH_MAX];
        RiSoilLaw alone = *s;
        alone.below = NULL;
        alone.top = 0.0;
        alone.crust = above ? 0.0 : s->crust;
        ri_stack_press(k, &alone, &still, packed, x->lanes, x->edge, p, slope);
        const double half = above ? 0.25 * fmin(above->thickness, s->thickness) : 0.0;
        for (int i = 0; i < x->lanes; i++) {
            const double over = x->edge[i] - s->top, share = !above || over >= half ? 1.0
                                                             : over <= -half        ? 0.0
                                                                                    : 0.5 * (1.0 + over / half);
            x->by_edge[i] = above ? x->by_edge[i] + share * (p[i] - x->by_edge[i]) : p[i];
            x->edge_slope[i] = above ? x->edge_slope[i] + share * (slope[i] - x->edge_slope[i]) : slope[i];
        }
    }
}

void ri_screw_load(const RiNodeKernels *k, const RiScrewSoil *soil, RiScrewRow *x)
{
    const RiSoilLaw *law = &soil->law, *edge = &soil->edge;
    x->law = law;
    k->screw_place(x);
    x->layered = law->below != NULL;
    x->exponent = law->stacked || edge->stacked ? 0.0 : law->n0;
    if (x->layered)
        find_layers(x);
    if (x->exponent > 0.0) {
        k->power(x->lanes, x->drum, law->unit, law->n0, law->k, x->by_drum);
        k->power(x->lanes, x->edge, edge->unit, law->n0, edge->k, x->by_edge);
        if (x->rut && x->end)
            k->power(x->lanes, x->before, law->unit, law->n0, law->k, x->by_before);
    } else {
        const double packed = x->rut ? x->before[x->count / 2] : 0.0;
        double unused[RI_SCREW_PATCH_MAX];
        ri_stack_press(k, law, &still, packed, x->lanes, x->drum, x->by_drum, x->drum_slope);
        press_edges(k, edge, packed, x);
        if (x->rut && x->end)
            ri_stack_press(k, law, &still, packed, x->lanes, x->before, x->by_before, unused);
    }
    k->screw_bear(x);
}

// --- closed forms --------------------------------------------------------------------------------

double ri_screw_dug(const RiSoilScrew *w, double carried, double slip)
{
    const double deep = w->dig * carried;
    return !(slip > 0.0) || !(deep > 0.0) ? 0.0 : slip < 1.0 ? deep * slip / (1.0 - slip) : INFINITY;
}

/// Mean of 1 - exp(-a x) over x in [0, 1].
static double mean_mobilised(double a)
{
    return a < 1e-4 ? 0.5 * a - a * a / 6.0 : 1.0 + ri_expm1(-a) / a;
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
    const double along = travel - with * t->cosine, around = arm * turn + with * t->sine,
                 path = ri_hypot(along, around);
    const double full = travel > 0.0 ? mean_mobilised(path / travel * w->length / K) : 1.0;
    const double fa = path > 0.0 ? full * along / path : 0.0, fc = path > 0.0 ? full * around / path : 0.0;
    const double fn = plug * (t->cosine * fa - t->sine * fc);
    return (Drive){.blade = copysign(mean_mobilised(fabs(across) * w->length / K), across),
                   .along = fa - fn * t->cosine,
                   .around = fc + fn * t->sine};
}

/// Adds a node of the contact, spread over the length of the drum.
static void add_node(const RiScrewRow *x, int i, double slip, RiScrewForce *f)
{
    const RiThread *t = x->t;
    const Drive d = drive_of(x->w, t, x->law->kx, slip, x->arm[i], x->plug[i]);
    const double a = -x->area * x->friction[1][i] * d.along, c = -x->area * x->friction[1][i] * d.around,
                 b = -x->area * x->blade[1][i] * d.blade, around = c - b * t->sine, push = x->pressure[i] * x->area;
    f->thrust += b * t->cosine;
    f->drag += a;
    f->torque -= c * x->arm[i] - b * t->sine * t->radius;
    f->force = ri_add(f->force, ri_vec3(a + b * t->cosine, around * x->cosine[i] - push * x->sine[i],
                                        around * x->sine[i] + push * x->cosine[i]));
    f->limit += x->strength[1][i] * x->area;
}

/// Room for a row of nodes.
typedef struct Room {
    double array[11][RI_SCREW_PATCH_MAX], weight[RI_SCREW_PATCH_MAX];
} Room;

static RiScrewRow row_in(Room *room, const RiSoilScrew *w, const RiThread *t, int count)
{
    RiScrewRow x;
    memset(&x, 0, sizeof x);
    ri_screw_weights(count, room->weight);
    x.count = count, x.lanes = ri_screw_lanes(count), x.weight = room->weight;
    x.w = w, x.t = t;
    x.sine = room->array[0], x.cosine = room->array[1];
    x.pressure = room->array[2], x.elastic = room->array[3];
    x.friction[0] = room->array[4], x.friction[1] = room->array[5];
    x.blade[0] = room->array[6], x.blade[1] = room->array[7];
    x.plug = room->array[8], x.arm = room->array[9], x.most = room->array[10];
    return x;
}

RiScrewForce ri_screw_steady(const RiSoilScrew *w, const RiScrewSoil *soil, double sinkage, double slip, int fine)
{
    RiScrewForce f = {.sinkage = sinkage, .slip = slip};
    const RiNodeKernels *k = ri_node_kernels_find(NULL);
    const RiThread t = ri_screw_thread(w);
    const RiScrewPlane plane = {sinkage - w->core, 0.0, 1.0};
    const int count = fine > 0 ? fine : w->patches;
    RiScrewArc arc;
    const int touching = ri_screw_arc(w, plane, &arc);
    if (touching == 0)
        return f;
    const double step = 2.0 * arc.half / count;
    double face = 0.0, carried = 0.0;
    for (int at = 0; at < count; at += RI_SCREW_PATCH_MAX) {
        Room room;
        RiScrewRow x = row_in(&room, w, &t, count - at < RI_SCREW_PATCH_MAX ? count - at : RI_SCREW_PATCH_MAX);
        x.plane = plane, x.arc = arc, x.step = step, x.first = (at + 0.5) * step - arc.half;
        x.area = w->radius * step * w->length;
        ri_screw_load(k, soil, &x);
        for (int i = 0; i < x.count; i++)
            add_node(&x, i, slip, &f);
        face += x.face;
        carried += x.carried;
    }
    f.dug = ri_screw_dug(w, carried / (2.0 * arc.chord), slip);
    f.sinkage += f.dug;
    f.drag -= slip < 1.0 ? face : 0.0;
    f.force.x -= slip < 1.0 ? face : 0.0;
    f.moment = ri_vec3(-f.torque, 0.0, 0.0);
    f.doubts = ri_screw_doubts(w, soil, f.sinkage, slip) | (touching == 2 ? RI_SCREW_DOUBT_BURIED : 0u);
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
