// SPDX-License-Identifier: Apache-2.0
/// \file
/// One slice of a wheel in a step, many patches and nodes at a time; compiled once per instruction
/// set. Sums are kept in RI_NODE_LANES partial ones whatever the width of the machine's registers,
/// and added in one order: equal bits on all sets. Test: tests/soil/test_node.c.
#include "soil/lanes.h"
#include "soil/node.h"

enum { PARTS = RI_NODE_LANES / WIDE };

// --- shear ---------------------------------------------------------------------------------------

/// The memory, where whole lanes can be read.
typedef struct Table {
    const double *x, *y;
    double room[2][RI_SHEAR_MAX];
} Table;

INLINE void take_table(const RiShear *x, Table *out)
{
    const int n = x->count;
    out->x = x->was;
    out->y = x->was + n;
    if (n % RI_NODE_LANES == 0)
        return;
    memcpy(out->room[0], out->x, (size_t)n * sizeof *out->x);
    memcpy(out->room[1], out->y, (size_t)n * sizeof *out->y);
    out->x = out->room[0];
    out->y = out->room[1];
}

/// Cubic interpolation of both rows at the places p in [0, n - 1].
INLINE void interpolate(const Table *u, int n, V p, V *out_x, V *out_y)
{
    L first;
    const V i = whole_part(between(p - 1.0, 0.0, n - 4.0), &first);
    const V t = p - i, a = t - 1.0, b = t - 2.0, c = t - 3.0, ab = a * b, tc = t * c;
    const V w0 = ab * c * (-1.0 / 6.0), w1 = 0.5 * b * tc, w2 = -0.5 * a * tc, w3 = t * ab * (1.0 / 6.0);
    const V x = w0 * pick(u->x, n, first) + w1 * pick(u->x, n, first + 1) + w2 * pick(u->x, n, first + 2) +
                w3 * pick(u->x, n, first + 3);
    const V y = w0 * pick(u->y, n, first) + w1 * pick(u->y, n, first + 1) + w2 * pick(u->y, n, first + 2) +
                w3 * pick(u->y, n, first + 3);
    *out_x = between(x, -1.0, 1.0);
    *out_y = between(y, -1.0, 1.0);
}

/// Shear that arrives at patches with the rim, and how long they have been in the ground during
/// this step: those that came in during it for less than h.
INLINE V arrive(const RiShear *x, const Table *was, V theta, V *out_ux, V *out_uy)
{
    const int n = x->count;
    const double slack = 1e-9, speed = x->spin < 0.0 ? -x->spin : x->spin;
    const V p = ((x->high - theta) - x->spin * x->h) * x->scale;
    const L inside = (p >= -slack) & (p <= n - 1 + slack);
    V ux, uy;
    interpolate(was, n, between(where(inside, p, all(0.0)), 0.0, n - 1.0), &ux, &uy);
    *out_ux = where(inside, ux, all(0.0));
    *out_uy = where(inside, uy, all(0.0));
    if (speed == 0.0)
        return all(x->h);
    const V way = (x->spin > 0.0 ? x->top - theta : theta - x->bottom) * (1.0 / speed);
    return where(inside | (way > x->h), all(x->h), way);
}

static const double SHORT = 0.25; ///< way within a step, in shear lengths, up to which a series does

/// (1 - e^-a) / a, for 0 <= a <= SHORT: its series to a^12.
INLINE V mean_left(V a)
{
    const V a2 = a * a, a4 = a2 * a2; // pairs of terms, then pairs of pairs: a short chain
    const V x = (1.0 - a * 0.5) + a2 * (1.0 / 6.0 - a * (1.0 / 24.0));
    const V y = (1.0 / 120.0 - a * (1.0 / 720.0)) + a2 * (1.0 / 5040.0 - a * (1.0 / 40320.0));
    const V z = (1.0 / 362880.0 - a * (1.0 / 3628800.0)) + a2 * (1.0 / 39916800.0 - a * (1.0 / 479001600.0));
    return x + a4 * (y + a4 * (z + a4 * (1.0 / 6227020800.0)));
}

/// Moves a share u by the velocity v (over the shear length) for a time, over a way a: its value at
/// the end and its slope there.
INLINE V move(V u, V v, V a, V time, V *out_slope)
{
    const L brief = a <= SHORT;
    V part = mean_left(where(brief, a, all(0.0)));
    if (any(~brief))
        part = where(brief, part, mobilised(a) / where(brief, all(1.0), a));
    const V g = part * time;
    *out_slope = g;
    return u + (g * v - part * a * u);
}

static const double MOST_DAMPED =
    0.25; ///< of the strength: what damping may add, where shares jump because a wheel turns round

/// What acts of the shares u of patches, and by how much damping makes their slopes larger: it
/// takes part where shares change in place, which they do not where a wheel rolls steadily, and not
/// where the ground was not touched before. Never beyond the strength.
INLINE V act(const RiShear *x, const Table *was, V theta, double rate, V *ux, V *uy)
{
    const V p = (x->high - theta) * x->scale;
    const L inside = (p >= -1e-9) & (p <= x->count - 1 + 1e-9);
    V old_x, old_y;
    interpolate(was, x->count, between(where(inside, p, all(0.0)), 0.0, x->count - 1.0), &old_x, &old_y);
    const V dx = rate * (*ux - old_x), dy = rate * (*uy - old_y), ax = magnitude(dx), ay = magnitude(dy);
    const V size = where(ax > ay, ax, ay);
    V least = all(1.0);
    if (any(size > MOST_DAMPED))
        least = where(size > MOST_DAMPED, MOST_DAMPED / size, least);
    const V part = where(inside, least, all(0.0)), fx = *ux + part * dx, fy = *uy + part * dy;
    if (x->coupled) {
        const V square = fx * fx + fy * fy;
        *ux = fx;
        *uy = fy;
        if (any(square > 1.0)) {
            const V most = root(where(square > 1.0, square, all(1.0)));
            *ux = fx / most;
            *uy = fy / most;
        }
    } else {
        *ux = between(fx, -1.0, 1.0);
        *uy = between(fy, -1.0, 1.0);
    }
    return 1.0 + rate * part;
}

void CONCAT(ri_slice_shear_, RI_ISA)(RiShear *x)
{
    Table was;
    const double rate = x->h > 0.0 ? x->lag / x->h : 0.0;
    take_table(x, &was);
    for (int i = 0; i < x->count; i += WIDE) {
        const V sine = load(x->sine + i), cosine = load(x->cosine + i);
        V ux, uy, gx, gy;
        const V time = arrive(x, &was, load(x->theta + i), &ux, &uy);
        // the rim against the soil: along it (forward at the bottom) and along the axle
        const V vx = (x->vx * cosine + x->vz * sine - x->spin * x->r) * x->per_x;
        const V vy = (x->vy + x->r * (x->turn * sine + x->lean * cosine)) * x->per_y;
        V ax = meaningful(time * magnitude(vx)), ay = meaningful(time * magnitude(vy));
        if (x->coupled)
            ax = ay = root(ax * ax + ay * ay);
        ux = move(ux, vx, ax, time, &gx);
        uy = move(uy, vy, ay, time, &gy);
        store(x->ux + i, ux);
        store(x->uy + i, uy);
        const V more = rate > 0.0 ? act(x, &was, load(x->theta + i), rate, &ux, &uy) : all(1.0);
        store(x->fx + i, ux);
        store(x->fy + i, uy);
        store(x->gx + i, gx * more * x->per_x);
        store(x->gy + i, gy * more * x->per_y);
    }
}

// --- sums ----------------------------------------------------------------------------------------

/// What is summed; slopes without the powers of the radius.
enum {
    LOAD,
    RESISTANCE,
    AREA,
    STIFFNESS,
    TC,
    TS,
    T,
    CLAW,
    SIDE,
    SIDE_S,
    SIDE_C,
    ALONG,
    ALONG_C,
    ALONG_S,
    ALONG_CC,
    ALONG_CS,
    ALONG_SS,
    ACROSS,
    ACROSS_C,
    ACROSS_S,
    ACROSS_CC,
    ACROSS_CS,
    ACROSS_SS,
    STORED,
    COUNT
};

/// Mobilisation and its slope at angles, linear between patches.
typedef struct Mobilised {
    V ux, uy, gx, gy;
} Mobilised;

INLINE V line(const double *table, int n, L at, V o, V t)
{
    return o * pick(table, n, at) + t * pick(table, n, at + 1);
}

INLINE Mobilised mobilised_at(const RiShear *x, double per_angle, V theta)
{
    const int n = x->count;
    const V p = between((x->top - theta) * per_angle, 0.0, n - 1.0);
    L at;
    const V t = p - whole_part(between(p, 0.0, n - 2.0), &at), o = 1.0 - t;
    return (Mobilised){line(x->fx, n, at, o, t), line(x->fy, n, at, o, t), line(x->gx, n, at, o, t),
                       line(x->gy, n, at, o, t)};
}

/// Shares that act on grousers which push with all they can: all of it once the soil has come as far
/// as this part of its shear length, so that a wheel which does not slip is not pushed.
static const double SOON = 0.02;

INLINE V push_fully(const Mobilised *m, V *out_slope)
{
    const V u = m->ux / SOON;
    *out_slope = where(magnitude(u) < 1.0, m->gx / SOON, all(0.0));
    return between(u, -1.0, 1.0);
}

/// WIDE nodes of an arc, in the direction of rolling.
typedef struct Nodes {
    V theta, weight, sine, cosine;
    V sigma, slope; ///< normal stress, and its slope
    V bond;         ///< strength
} Nodes;

/// Adds nodes to the partial sums.
INLINE void add_nodes(const RiArcNodes *q, const RiShear *x, double per_angle, const Nodes *n, int part,
                      V sums[COUNT][PARTS])
{
    const V sigma = n->sigma, bond = n->bond, dA = q->share * n->weight, co = n->cosine, si = q->sign * n->sine;
    const Mobilised m = mobilised_at(x, per_angle, q->sign * n->theta);
    const V strength = bond * dA, claw = q->claws * dA, pull = strength * q->gain + claw;
    const V normal = dA * sigma, ty = strength * m.uy, d = strength * m.gy;
    V tx = pull * m.ux, c = pull * m.gx, push = m.ux;
    if (q->claws_full) {
        V slope;
        push = push_fully(&m, &slope);
        tx = tx + claw * (push - m.ux);
        c = c + claw * (slope - m.gx);
    }
#define ADD(which, what) sums[which][part] += (what)
    ADD(LOAD, normal * co);
    ADD(RESISTANCE, normal * si);
    ADD(AREA, dA);
    ADD(STIFFNESS, dA * n->slope * co);
    ADD(TC, tx * co);
    ADD(TS, tx * si);
    ADD(T, tx);
    ADD(CLAW, claw * push);
    ADD(SIDE, ty);
    ADD(SIDE_S, ty * si);
    ADD(SIDE_C, ty * co);
    ADD(ALONG, c);
    ADD(ALONG_C, c * co);
    ADD(ALONG_S, c * si);
    ADD(ALONG_CC, c * co * co);
    ADD(ALONG_CS, c * co * si);
    ADD(ALONG_SS, c * si * si);
    ADD(ACROSS, d);
    ADD(ACROSS_C, d * co);
    ADD(ACROSS_S, d * si);
    ADD(ACROSS_CC, d * co * co);
    ADD(ACROSS_CS, d * co * si);
    ADD(ACROSS_SS, d * si * si);
    ADD(STORED, strength * (q->kx * m.ux * m.ux + q->ky * m.uy * m.uy));
#undef ADD
}

/// Lanes of a sum added with those half a vector further on.
typedef double Half __attribute__((vector_size(32)));

INLINE Half folded(const V parts[PARTS])
{
#if defined(__AVX512F__)
    return __builtin_shufflevector(parts[0], parts[0], 0, 1, 2, 3) +
           __builtin_shufflevector(parts[0], parts[0], 4, 5, 6, 7);
#else
    return parts[0] + parts[1];
#endif
}

/// All lanes of four sums at once, in one order for every width: of eight lanes l,
/// ((l0 + l4) + (l2 + l6)) + ((l1 + l5) + (l3 + l7)).
INLINE void total(V sums[4][PARTS], double out[4])
{
    const Half a = folded(sums[0]), b = folded(sums[1]), c = folded(sums[2]), d = folded(sums[3]);
    const Half ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), AB = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Half cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), CD = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    const Half even = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    const Half odd = __builtin_shufflevector(AB, CD, 0, 1, 4, 5) + __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
    const Half all_four = even + odd;
    memcpy(out, &all_four, sizeof all_four);
}

static void add_sums(V parts[COUNT][PARTS], double r, bool first, RiSums *out)
{
    double s[COUNT];
    if (first)
        memset(out, 0, sizeof *out);
    for (int k = 0; k < COUNT; k += 4)
        total(&parts[k], &s[k]);
    out->load += s[LOAD];
    out->resistance += s[RESISTANCE];
    out->area += s[AREA];
    out->stiffness += s[STIFFNESS];
    out->tc -= s[TC];
    out->ts -= s[TS];
    out->t -= s[T];
    out->claw -= s[CLAW];
    out->side -= s[SIDE];
    out->side_s -= s[SIDE_S];
    out->side_c -= s[SIDE_C];
    out->stored += 0.5 * s[STORED];
    // slopes: c u u^T with u = (cos, sin, -r) along and (1, r sin, r cos) across
    out->C[0][0] += s[ALONG_CC];
    out->C[1][0] += s[ALONG_CS];
    out->C[1][1] += s[ALONG_SS];
    out->C[2][0] -= r * s[ALONG_C];
    out->C[2][1] -= r * s[ALONG_S];
    out->C[2][2] += r * r * s[ALONG];
    out->D[0][0] += s[ACROSS];
    out->D[1][0] += r * s[ACROSS_S];
    out->D[1][1] += r * r * s[ACROSS_SS];
    out->D[2][0] += r * s[ACROSS_C];
    out->D[2][1] += r * r * s[ACROSS_CS];
    out->D[2][2] += r * r * s[ACROSS_CC];
}

void CONCAT(ri_slice_sum_, RI_ISA)(const RiArcNodes *q, const RiShear *x, RiSums *out)
{
    V parts[COUNT][PARTS] = {{{0}}};
    const double per_angle = (x->count - 1) / (x->top - x->bottom);
    for (int i = 0; i < 2 * q->half; i += WIDE) {
        const int pair = i < q->half ? i : i - q->half;
        const V sigma = load(q->sigma + pair);
        const Nodes n = {.theta = load(q->theta + i),
                         .weight = load(q->weight + i),
                         .sine = load(q->sine + i),
                         .cosine = load(q->cosine + i),
                         .sigma = sigma,
                         .slope = load(q->slope + pair),
                         .bond = q->strength ? load(q->strength + pair) : q->cohesion + sigma * q->tan_phi};
        add_nodes(q, x, per_angle, &n, PARTS > 1 ? i / WIDE % PARTS : 0, parts);
    }
    add_sums(parts, x->r, q->first, out);
}

/// Depth below the ground as it was, and the slope of that: soil that has been pressed before gives
/// its old pressure back within an elastic stretch.
INLINE V sink(const RiArcPress *p, V z, V *out_slope)
{
    *out_slope = all(1.0);
    if (!(p->packed > 0.0))
        return z;
    const L within = z < p->stretch;
    *out_slope = where(within, all(1.0 + p->packed / p->stretch), all(1.0));
    return z + where(within, p->packed * (z / p->stretch), all(p->packed));
}

/// Normal stress at depths, and its slope.
INLINE void bear(const RiArcPress *p, V z, Nodes *n)
{
    V more, scale;
    const V depth = sink(p, z, &more), x = depth * p->per_unit;
    const L some = x > 0.0;
    const V e = exp_parts(p->n * logarithm(where(some, x, all(1.0))), &scale);
    n->sigma = where(some, p->k * (scale * e + scale), all(0.0));
    n->slope = where(some, more * (p->n * n->sigma / where(some, depth, all(1.0))), all(0.0));
    if (p->base_depth < p->r) { // hard ground below
        const L below = depth > p->base_depth;
        n->sigma += where(below, p->base_stiffness * (depth - p->base_depth), all(0.0));
        n->slope += where(below, all(p->base_stiffness), all(0.0));
    }
}

/// Half the turn from the entry to the nodes in front, and the whole one to those behind, are run
/// through by t^2 (wheel.c: place_nodes); z = r (cos theta - cos theta_f) as a product that does not
/// cancel, 2 r sin(theta_f - d) sin(d) with theta = theta_f - 2 d.
void CONCAT(ri_slice_arc_, RI_ISA)(const RiArcNodes *q, const RiArcPress *p, const RiShear *x, RiSums *out)
{
    V parts[COUNT][PARTS] = {{{0}}};
    const double per_angle = (x->count - 1) / (x->top - x->bottom), area = p->b * p->r;
    const double front = p->entry - p->middle, back = p->middle - p->exit, cosine = 1.0 - p->less;
    for (int i = 0; i < q->half; i += WIDE) {
        const int part = PARTS > 1 ? i / WIDE % PARTS : 0;
        const V t2 = load(p->square + i), dt = load(p->rate + i), d = 0.5 * front * t2;
        V s, less;
        sine_and_less(d, &s, &less);
        const V c = 1.0 - less, s2 = 2.0 * (s * c), less2 = 2.0 * (s * s); // of 2 d
        Nodes n = {.theta = p->entry - front * t2,
                   .weight = area * front * dt,
                   .sine = p->sine * (1.0 - less2) - cosine * s2,
                   .cosine = cosine * (1.0 - less2) + p->sine * s2};
        bear(p, 2.0 * p->r * (p->sine * c - cosine * s) * s + p->over, &n);
        n.bond = q->cohesion + n.sigma * q->tan_phi;
        add_nodes(q, x, per_angle, &n, part, parts);
        n.theta = p->exit + back * t2;
        n.weight = area * back * dt;
        sines(n.theta, &n.sine, &n.cosine);
        add_nodes(q, x, per_angle, &n, part, parts);
    }
    add_sums(parts, x->r, q->first, out);
}

// --- patches -------------------------------------------------------------------------------------

void CONCAT(ri_slice_spread_, RI_ISA)(int count, double top, double bottom, double *theta, double *sine, double *cosine)
{
    static const double ramp[RI_NODE_LANES] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    const double step = (top - bottom) / (count - 1);
    for (int i = 0; i < count; i += WIDE) {
        V s, c;
        const V at = load(ramp + i % RI_NODE_LANES) + (double)(i - i % RI_NODE_LANES);
        const V angle = where(at < (double)(count - 1), top - step * at, all(bottom));
        sines(angle, &s, &c);
        store(theta + i, angle);
        store(sine + i, s);
        store(cosine + i, c);
    }
}
