// SPDX-License-Identifier: Apache-2.0
/// \file
/// One station of a screw, many nodes at a time; compiled once per instruction set. Sums are kept
/// in RI_NODE_LANES partial ones whatever the width of the machine's registers: equal bits on all
/// sets. Equations: screw.c, screw_step.c. Tests: tests/soil/test_screw_kernel.c.
#include "soil/screw.h"

#include "soil/lanes.h"

enum { PARTS = RI_NODE_LANES / WIDE };
static const double LEAST_ELASTIC = 1e-5; ///< [m]
static const double LEAST_SLOPE = 0.05;   ///< of a blade's height into the ground
static const double LEAST_ACROSS =
    1e-9;                       ///< sideways motion of soil in a step, in nodes, that is only rounding of frames
static const double FREE = 0.1; ///< pressed part below which a node comes free

/// i, i + 1, ...
INLINE V numbers(int i)
{
    static const double from[RI_NODE_LANES] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    return load(from) + (double)i;
}

// --- place ---------------------------------------------------------------------------------------

/// Depth of the drum at a node and how much of the node's width it covers: a node may lie across
/// the end of the drum's contact.
INLINE V drum_depth(V depth, V across, V *out_cover)
{
    const V none = all(0.0);
    const L edge = depth<0.5 * across, there = across> none;
    const V part = where(there, larger(none, 0.5 + depth / where(there, across, all(1.0))), none);
    *out_cover = where(edge, part, where(depth > none, all(1.0), none));
    return where(edge, 0.5 * part * across, larger(none, depth));
}

/// A table of RI_SCREW_RUTS places across the screw, linear in between.
INLINE V across_at(const double *table, V p)
{
    L at;
    const V t = p - whole_part(smaller(p, all(RI_SCREW_RUTS - 2.0)), &at);
    return (1.0 - t) * pick(table, RI_SCREW_RUT_ROOM, at) + t * pick(table, RI_SCREW_RUT_ROOM, at + 1);
}

/// Depths in ruts: what was pressed before and what this screw goes below its floor. Above it,
/// nodes are as deep as the floor, and lose what is elastic.
INLINE void put_ruts(RiScrewRow *x, int i, V sine, V cover, V drum, V edge)
{
    const double half = 0.5 * (RI_SCREW_RUTS - 1);
    const V p = between(half + (half * x->w->core / x->reach) * sine, 0.0, 2.0 * half);
    const V floor = x->plane.cosine * across_at(x->rut, p), before = x->plane.cosine * across_at(x->packed, p);
    const V none = all(0.0), under = drum - floor, cut = edge - floor;
    store(x->before + i, before);
    store(x->above[0] + i, larger(none, -under));
    store(x->above[1] + i, larger(none, -cut));
    store(x->drum + i, where(cover > none, before + larger(none, under), none));
    store(x->edge + i, where(edge > none, before + larger(none, cut), none));
}

void CONCAT(ri_screw_place_, RI_ISA)(RiScrewRow *x)
{
    const RiSoilScrew *w = x->w;
    const double side = x->plane.side, scale = x->plane.cosine, sea = x->plane.height * scale;
    for (int i = 0; i < x->lanes; i += WIDE) {
        V s, c, cover;
        sines(x->first + x->step * numbers(i), &s, &c);
        const V sine = s * x->arc.cosine + c * x->arc.sine, cosine = c * x->arc.cosine - s * x->arc.sine;
        const V per_radius = (cosine + side * sine) * scale;
        const V across = (w->core * scale * x->step) * magnitude(side * cosine - sine);
        store(x->sine + i, sine);
        store(x->cosine + i, cosine);
        const V drum = drum_depth(sea + w->core * per_radius, across, &cover),
                edge = larger(all(0.0), sea + w->radius * per_radius);
        store(x->cover + i, cover);
        store(x->drum + i, drum);
        store(x->edge + i, edge);
        if (x->rut)
            put_ruts(x, i, sine, cover, drum, edge);
    }
}

// --- bear ----------------------------------------------------------------------------------------

/// What a node is, as far as strengths go.
typedef struct Node {
    V drum, edge;   ///< depths
    V pd, pe, p;    ///< pressures of the drum, of the edges, and of both
    V on_drum, in;  ///< share of the area that is drum; height of blade in the soil
    V c[3], tan[3]; ///< cohesion and tan(phi) at the drum, at the edges and in the middle of the blades
    V root, to;     ///< square root of Rankine's passive coefficient there, and one over it
} Node;

/// Strength of the blades: passive pressure before them less active behind, on what of their height
/// is in the soil.
INLINE V blade_pressure(const RiScrewRow *x, const Node *n, V surcharge)
{
    const V stress = x->law->unit_weight * 0.5 * (n->edge + n->drum) + surcharge, c = 2.0 * n->c[2];
    const V active = (stress * n->to - c) * n->to, passive = (stress * n->root + c) * n->root;
    return x->t->per_area * n->in * (passive - larger(active, all(0.0)));
}

/// Strengths without (0) or with (1) the pressure; gives how far the soil between blades goes with
/// them.
INLINE V strengths(RiScrewRow *x, int i, const Node *n, int full)
{
    const V p = full ? n->p : all(0.0), pd = full ? n->pd : all(0.0), pe = full ? n->pe : all(0.0);
    const V s = n->c[1] + (p + x->law->unit_weight * n->edge) * n->tan[1];
    const V on_drum = n->c[0] * n->on_drum + pd * n->tan[0], on_edges = n->c[1] * x->t->edge_share + pe * n->tan[1];
    const V f = smaller(x->w->friction * (on_drum + on_edges), s);
    const V off = root(s * s - f * f);
    const V blade = x->t->per_area > 0.0 ? smaller(blade_pressure(x, n, pd), off) : all(0.0);
    store(x->strength[full] + i, s);
    store(x->friction[full] + i, f);
    store(x->blade[full] + i, blade);
    return where(blade > all(0.0), blade / where(off > all(0.0), off, all(1.0)), all(0.0));
}

/// Cohesion, friction and Rankine's coefficient, which is (tan + sqrt(1 + tan^2))^2: of one soil,
/// or of the layers between drum and edges.
INLINE void set_soil(const RiScrewRow *x, int i, Node *n)
{
    for (int k = 0; k < 3; k++) {
        n->c[k] = x->layered ? load(x->cohesion[k] + i) : all(x->law->cohesion);
        n->tan[k] = x->layered ? load(x->tan_phi[k] + i) : all(x->law->tan_phi);
    }
    n->root = x->layered ? n->tan[2] + root(1.0 + n->tan[2] * n->tan[2]) : all(__builtin_sqrt(x->law->passive));
    n->to = 1.0 / n->root;
}

/// Adds hard ground below the soil to a pressure and its slope.
INLINE V on_base(const RiSoilLaw *law, V share, V depth, V p, V *slope)
{
    const V rock = depth - law->base_depth;
    const L there = rock > all(0.0);
    *slope += where(there, share * law->base_stiffness, all(0.0));
    return p + where(there, share * law->base_stiffness * rock, all(0.0));
}

/// How far a node can be pressed in a rut: drum and edges lose their shares of the pressure within
/// what is elastic above its floor.
INLINE V reached(const RiScrewRow *x, int i, const Node *n, V elastic)
{
    const V none = all(0.0), drum = larger(none, 1.0 - load(x->above[0] + i) / elastic),
            edge = larger(none, 1.0 - load(x->above[1] + i) / elastic);
    return where(n->p > none, (n->pd * drum + n->pe * edge) / where(n->p > none, n->p, all(1.0)), all(1.0));
}

/// d p / d z of p ~ z^n.
INLINE V power_slope(double n, V p, V z)
{
    const L some = z > all(0.0);
    return where(some, n * p / where(some, z, all(1.0)), all(0.0));
}

/// Work to press a metre of rut under a node: for p ~ z^n that is p z / (n + 1), and n = z p' / p.
INLINE V pressing(V p, V z, V slope)
{
    const V sum = p + slope * z;
    return where(sum > all(0.0), p * p * z / where(sum > all(0.0), sum, all(1.0)), all(0.0));
}

/// Of that work, what is left where the soil was pressed before, and what loads it again.
INLINE V fresh_work(const RiScrewRow *x, int i, V on_drum, V work)
{
    const V z = load(x->before + i), p = on_drum * load(x->by_before + i), above = load(x->above[0] + i);
    const V done = x->exponent > 0.0 ? p * z / (1.0 + x->exponent) : pressing(p, z, power_slope(1.0, p, z));
    const V left = larger(all(0.0), 1.0 - above / larger(all(LEAST_ELASTIC), (0.5 / x->law->unload) * p));
    return larger(all(0.0), work - done) + (0.25 / x->law->unload) * p * p * left;
}

/// All lanes of one sum, in one order for every width.
INLINE double total(const V parts[PARTS])
{
    double lane[RI_NODE_LANES];
    memcpy(lane, parts, sizeof lane);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

void CONCAT(ri_screw_bear_, RI_ISA)(RiScrewRow *x)
{
    const RiSoilScrew *w = x->w;
    const RiSoilLaw *law = x->law;
    const double ratio = w->core / w->radius, share = x->t->edge_share, least = 0.5 / law->unload;
    V face[PARTS] = {{0}}, carried[PARTS] = {{0}};
    for (int i = 0; i < x->lanes; i += WIDE) {
        const V sine = load(x->sine + i), cosine = load(x->cosine + i), drum = load(x->drum + i),
                edge = load(x->edge + i), on_drum = ratio * load(x->cover + i);
        const V upright = (cosine + x->plane.side * sine) * x->plane.cosine;
        const V pure = on_drum * load(x->by_drum + i), cut = share * load(x->by_edge + i);
        const V slope = x->exponent > 0.0 ? power_slope(x->exponent, pure, drum) : on_drum * load(x->drum_slope + i);
        V rise = slope + (x->exponent > 0.0 ? power_slope(x->exponent, cut, edge) : share * load(x->edge_slope + i));
        const int part = i / WIDE % PARTS;
        const V weight = load(x->weight + i), work = pressing(pure, drum, slope);
        face[part] += weight * cosine * (x->rut && x->end ? fresh_work(x, i, on_drum, work) : work);
        const V pd = law->base_stiffness > 0.0 ? on_base(law, on_drum, drum, pure, &rise) : pure;
        const V pe = law->base_stiffness > 0.0 ? on_base(law, all(share), edge, cut, &rise) : cut;
        const V p = pd + pe;
        Node n = {.drum = drum,
                  .edge = edge,
                  .pd = pd,
                  .pe = pe,
                  .p = p,
                  .on_drum = on_drum,
                  .in = smaller(all(w->radius - w->core), (edge - drum) / larger(upright, all(LEAST_SLOPE)))};
        set_soil(x, i, &n);
        store(x->pressure + i, p);
        store(x->rise + i, rise);
        const V elastic = larger(all(LEAST_ELASTIC), least * p);
        store(x->elastic + i, elastic);
        store(x->most + i, x->rut ? reached(x, i, &n, elastic) : all(1.0));
        const V without = strengths(x, i, &n, 0), with = strengths(x, i, &n, 1);
        store(x->plug + i, larger(without, with));
        carried[part] += weight * larger(without, with) * n.in;
        const L some = p > all(0.0);
        store(x->arm + i, where(some, (pd * w->core + pe * w->radius) / where(some, p, all(1.0)), all(w->radius)));
    }
    x->face = total(face) * x->step * w->radius;
    x->carried = total(carried) * x->step * x->t->radius;
}

// --- move ----------------------------------------------------------------------------------------

/// A field after the soil has moved along the axis; what comes in brings `fresh` with it.
INLINE V carry_along(const RiScrewRow *x, int field, int i, const RiScrewSource *from, double fresh, double low)
{
    const double *u = x->memory + field * x->nodes + from->first * x->lanes + i, *c = from->weight;
    const V sum =
        c[0] * load(u) + c[1] * load(u + x->lanes) + c[2] * load(u + 2 * x->lanes) + c[3] * load(u + 3 * x->lanes);
    return from->keep * between(sum, low, 1.0) + (1.0 - from->keep) * fresh;
}

/// Fields after the screw has moved over the soil sideways: cubic between nodes, fresh beyond them.
INLINE void carry_across(const RiScrewRow *x, const RiScrewRow *was, double per_node, int i, V out[3])
{
    const int n = x->count;
    const V p = numbers(i) + per_node / larger(load(x->cosine + i), all(LEAST_SLOPE));
    const L fresh = (p < -0.5) | (p > n - 0.5);
    const V at = between(p, 0.0, n - 1.0);
    L first;
    const V t = at - whole_part(between(at - 1.0, 0.0, n - 4.0), &first), a = t - 1.0, b = t - 2.0, c = t - 3.0;
    const V w0 = a * b * c * (-1.0 / 6.0), w1 = 0.5 * t * b * c, w2 = -0.5 * t * a * c, w3 = t * a * b * (1.0 / 6.0);
    const double *const tables[] = {was->u, was->c, was->b};
    for (int f = 0; f < 3; f++) {
        const double *u = tables[f];
        const V sum = w0 * pick(u, n, first) + w1 * pick(u, n, first + 1) + w2 * pick(u, n, first + 2) +
                      w3 * pick(u, n, first + 3);
        out[f] = where(fresh, all(0.0), between(sum, -1.0, 1.0));
    }
}

/// Strength of a node that is pressed by the part m: cohesion and the soil's own weight stay until
/// it comes free.
INLINE V strength_at(const double *without, const double *with, int i, V m)
{
    const V touch = where(m < FREE, m * (1.0 / FREE), all(1.0)), least = load(without + i);
    return touch * (least + m * (load(with + i) - least));
}

/// Part of a mobilised shear that is left where the strength has changed.
INLINE V left_of(V was, V now)
{
    return where(now > was, was / where(now > was, now, all(1.0)), all(1.0));
}

/// Pressing: elastic within delta, plastic beyond. Soil that comes in has been pressed by the end
/// of the drum.
INLINE void press(RiScrewRow *x, int i)
{
    const V in = x->vy * load(x->sine + i) - x->vz * load(x->cosine + i), delta = load(x->elastic + i);
    const V was = carry_along(x, RI_ROW_PRESSED, i, &x->soil, x->incoming, 0.0);
    const V m = smaller(was, load(x->most + i)) + x->h * in / delta;
    const V now = between(m, 0.0, 1.0);
    store(x->in + i, in);
    store(x->beyond + i, where(m > 1.0, (m - 1.0) * delta, all(0.0)));
    store(x->pressed + i, now);
    store(x->rub + i, strength_at(x->friction[0], x->friction[1], i, now));
    store(x->push + i, strength_at(x->blade[0], x->blade[1], i, now));
}

/// Shear: what came with the soil, and what this step adds.
INLINE void shear(RiScrewRow *x, const V came[3], int i)
{
    const double K = x->law->kx, per = x->h / K, c = x->t->cosine, n = x->t->sine, rho = x->t->radius;
    const V sine = load(x->sine + i), cosine = load(x->cosine + i), arm = load(x->arm + i);
    const V turn = x->wy * cosine + x->wz * sine, side = x->vy * cosine + x->vz * sine;
    const V f_along = x->vx - arm * turn, f_around = side + x->wx * arm;
    const V with = load(x->plug + i) * (f_along * c - f_around * n);
    const V along = f_along - with * c, around = f_around + with * n;
    const V across = (x->vx - rho * turn) * c - (side + x->wx * rho) * n;
    const V a = root(along * along + around * around) * per, d = magnitude(across) * per;
    const V e = mobilised(a), ed = mobilised(d);
    const V was_u = load(x->memory + RI_ROW_FRICTION * x->nodes + x->at + i),
            was_b = load(x->memory + RI_ROW_STRENGTH * x->nodes + x->at + i);
    const V by = left_of(was_u, x->step * load(x->rub + i)), by_b = left_of(was_b, x->step * load(x->push + i));
    const L moves = a > 1e-12, pushes = d > 1e-12;
    const V slope_u = where(moves, e / where(moves, a, all(1.0)) * per, all(per)),
            slope_b = where(pushes, ed / where(pushes, d, all(1.0)) * per, all(per));
    store(x->slope_u + i, slope_u);
    store(x->slope_b + i, slope_b);
    store(x->u + i, by * came[0] * (1.0 - e) + slope_u * along);
    store(x->c + i, by * came[1] * (1.0 - e) + slope_u * around);
    store(x->b + i, by_b * came[2] * (1.0 - ed) + slope_b * across);
}

void CONCAT(ri_screw_move_, RI_ISA)(RiScrewRow *x)
{
    const double nodes = x->h * x->vy / (x->w->radius * x->step);
    V came[RI_SCREW_PATCH_MAX / WIDE][3];
    for (int i = 0; i < x->lanes; i += WIDE) {
        V *to = came[i / WIDE];
        press(x, i);
        to[0] = carry_along(x, RI_ROW_ALONG, i, &x->soil, 0.0, -1.0);
        to[1] = carry_along(x, RI_ROW_AROUND, i, &x->soil, 0.0, -1.0);
        to[2] = carry_along(x, RI_ROW_BLADE, i, &x->between, 0.0, -1.0);
        store(x->u + i, to[0]);
        store(x->c + i, to[1]);
        store(x->b + i, to[2]);
    }
    for (int i = 0; i < x->lanes && __builtin_fabs(nodes) > LEAST_ACROSS; i += WIDE)
        carry_across(x, x, nodes, i, came[i / WIDE]);
    for (int i = 0; i < x->lanes; i += WIDE)
        shear(x, came[i / WIDE], i);
}

// --- sums ----------------------------------------------------------------------------------------

INLINE void add(RiScrewSums *sums, int which, int part, V what)
{
    double *at = sums->lane[which] + part * WIDE;
    store(at, load(at) + what);
}

/// Forces of nodes, tangential to the drum: friction along the axis and around it, and of the
/// blades.
typedef struct Tangent {
    V friction, blade; ///< strengths times area
    V along, around;   ///< of friction
    V b;               ///< of the blades, against n
    V aa, ar, rr;      ///< P
} Tangent;

INLINE Tangent tangent_of(const RiScrewRow *x, int i, V area)
{
    const double c = x->t->cosine, n = x->t->sine;
    const V plug = load(x->plug + i), u = load(x->u + i), around = load(x->c + i);
    Tangent t = {.friction = area * load(x->rub + i),
                 .blade = area * load(x->push + i),
                 .aa = 1.0 - plug * (c * c),
                 .ar = plug * (c * n),
                 .rr = 1.0 - plug * (n * n)};
    t.along = -t.friction * (t.aa * u + t.ar * around);
    t.around = -t.friction * (t.ar * u + t.rr * around);
    t.b = t.blade * load(x->b + i);
    return t;
}

/// What both kinds of sums have: forces along the axis and stored energy.
INLINE void add_shown(const RiScrewRow *x, const Tangent *t, int i, V area, int part, RiScrewSums *sums)
{
    const V m = load(x->pressed + i), u = load(x->u + i), c = load(x->c + i), b = load(x->b + i);
    const V normal = area * load(x->pressure + i) * load(x->elastic + i) * m * m;
    add(sums, RI_SCREW_THRUST, part, -t->b * x->t->cosine);
    add(sums, RI_SCREW_DRAG, part, t->along);
    add(sums, RI_SCREW_STORED, part, 0.5 * (normal + x->law->kx * (t->friction * (u * u + c * c) + t->blade * b * b)));
}

void CONCAT(ri_screw_show_, RI_ISA)(const RiScrewRow *x, RiScrewSums *sums)
{
    for (int i = 0; i < x->lanes; i += WIDE) {
        const V area = x->area * load(x->weight + i);
        const Tangent t = tangent_of(x, i, area);
        add_shown(x, &t, i, area, i / WIDE % PARTS, sums);
    }
}

/// Slopes about the station's point of the axis: sliding along the axis is the motion A = (-rho
/// cos, -rho sin, 1) in (omega_y, omega_z, v_x), sliding around it R = (rho, cos, sin) in (omega_x,
/// v_y, v_z), and pressing is (sin, -cos) in (v_y, v_z).
typedef struct Slopes {
    V aa[6], ar[9], rr[6]; ///< symmetric ones by columns of their lower half, ar by rows of A
} Slopes;

INLINE void add_slopes(Slopes *s, V rho, V sine, V cosine, V aa, V ar, V rr)
{
    const V y = -rho * cosine, z = -rho * sine, ay = ar * y, az = ar * z, rc = rr * cosine, rs = rr * sine;
    s->aa[0] += aa * y * y, s->aa[1] += aa * y * z, s->aa[2] += aa * y;
    s->aa[3] += aa * z * z, s->aa[4] += aa * z, s->aa[5] += aa;
    s->rr[0] += rr * rho * rho, s->rr[1] += rc * rho, s->rr[2] += rs * rho;
    s->rr[3] += rc * cosine, s->rr[4] += rc * sine, s->rr[5] += rs * sine;
    s->ar[0] += ay * rho, s->ar[1] += ay * cosine, s->ar[2] += ay * sine;
    s->ar[3] += az * rho, s->ar[4] += az * cosine, s->ar[5] += az * sine;
    s->ar[6] += ar * rho, s->ar[7] += ar * cosine, s->ar[8] += ar * sine;
}

/// Adds them at the origin, whose v_y + x omega_z and v_z - x omega_y are the station's v_y and
/// v_z.
INLINE void put_slopes(const Slopes *s, double x, int part, RiScrewSums *sums)
{
    const double x2 = x * x;
    const V *aa = s->aa, *ar = s->ar, *rr = s->rr;
    const V out[21] = {rr[0], // by columns: omega_x
                       ar[0] - x * rr[2],
                       ar[3] + x * rr[1],
                       ar[6],
                       rr[1],
                       rr[2],
                       aa[0] - 2.0 * x * ar[2] + x2 * rr[5], // omega_y
                       aa[1] + x * (ar[1] - ar[5]) - x2 * rr[4],
                       aa[2] - x * ar[8],
                       ar[1] - x * rr[4],
                       ar[2] - x * rr[5],
                       aa[3] + 2.0 * x * ar[4] + x2 * rr[3], // omega_z
                       aa[4] + x * ar[7],
                       ar[4] + x * rr[3],
                       ar[5] + x * rr[4],
                       aa[5], // v_x
                       ar[7],
                       ar[8],
                       rr[3], // v_y
                       rr[4],
                       rr[5]}; // v_z
    for (int k = 0; k < 21; k++)
        add(sums, RI_SCREW_SLOPE + k, part, out[k]);
}

/// Moment and force of nodes at the origin. `out` is the force outwards, away from the soil when
/// negative.
INLINE void add_wrench(const RiScrewRow *x, const Tangent *t, int i, V out, int part, RiScrewSums *sums)
{
    const double c = x->t->cosine, n = x->t->sine, rho = x->t->radius;
    const V sine = load(x->sine + i), cosine = load(x->cosine + i), arm = load(x->arm + i);
    const V around = t->around + t->b * n, lever = arm * t->along - rho * c * t->b;
    const V fy = around * cosine + out * sine, fz = around * sine - out * cosine;
    add(sums, RI_SCREW_WRENCH, part, arm * t->around + rho * n * t->b);
    add(sums, RI_SCREW_WRENCH + 1, part, -cosine * lever - x->x * fz);
    add(sums, RI_SCREW_WRENCH + 2, part, x->x * fy - sine * lever);
    add(sums, RI_SCREW_WRENCH + 3, part, t->along - t->b * c);
    add(sums, RI_SCREW_WRENCH + 4, part, fy);
    add(sums, RI_SCREW_WRENCH + 5, part, fz);
}

void CONCAT(ri_screw_sum_, RI_ISA)(const RiScrewRow *x, RiScrewSums *sums)
{
    const double c = x->t->cosine, n = x->t->sine, damping = x->law->damping;
    const V none = all(0.0);
    for (int i = 0; i < x->lanes; i += WIDE) {
        const int part = i / WIDE % PARTS;
        const V area = x->area * load(x->weight + i), sine = load(x->sine + i), cosine = load(x->cosine + i);
        const V m = load(x->pressed + i), beyond = load(x->beyond + i), in = load(x->in + i), p = load(x->pressure + i);
        const L plastic = beyond > none;
        const V rise = where(plastic, load(x->rise + i) * cosine, none),
                damper = where((m > none) & (in > none), all(damping), none);
        const Tangent t = tangent_of(x, i, area);
        add_shown(x, &t, i, area, part, sums);
        add_wrench(x, &t, i, -area * (m * p + rise * beyond + damper * in), part, sums);
        add(sums, RI_SCREW_LIMIT, part, area * strength_at(x->strength[0], x->strength[1], i, m));
        if (!(x->h > 0.0))
            continue;
        const V g = t.friction * load(x->slope_u + i), gb = t.blade * load(x->slope_b + i);
        const V elastic = where(m > none, p / load(x->elastic + i), none);
        const V stiff = area * (x->h * where(plastic, rise, elastic) + damper);
        Slopes s = {.aa = {{0}}};
        add_slopes(&s, load(x->arm + i), sine, cosine, g * (t.aa * t.aa + t.ar * t.ar), g * t.ar * (t.aa + t.rr),
                   g * (t.ar * t.ar + t.rr * t.rr));
        add_slopes(&s, all(x->t->radius), sine, cosine, gb * (c * c), -gb * (c * n), gb * (n * n));
        s.rr[3] += stiff * sine * sine;
        s.rr[4] -= stiff * sine * cosine;
        s.rr[5] += stiff * cosine * cosine;
        put_slopes(&s, x->x, part, sums);
    }
}
