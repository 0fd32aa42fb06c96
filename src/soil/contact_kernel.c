// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where slices of a wheel meet the ground, slice by slice in lanes; compiled once per instruction
/// set, with equal bits on all. Tests: tests/soil/test_rolling.c, tests/soil/test_node.c.
///
/// The contact of a slice is that with the straight line which cuts off the rim a segment of the
/// area and the moment that the ground has above it. For straight ground that is the ground itself;
/// and where the rim meets a wall or a rut's edge, or leaves it, nothing jumps.
#include <math.h>

#define RI_FOUR_LANES // wheels have three to five slices
#include "soil/lanes.h"
#include "soil/node.h"

static const double LEAST_CONTACT = 1e-4; ///< of the angle of a contact [rad]

/// The rims of slices: radius, its square, a quarter over that.
typedef struct Rim {
    V r, square, quarter_per_square;
} Rim;

/// What the ground has above the rim: area, and its first moment along x about the hub.
typedef struct Overlap {
    V area, moment;
} Overlap;

/// Adds straight pieces of ground of width w from x on, above the rim by e0 and e1 at their ends,
/// where the rim rises by ds: a trapezium over the chord of the rim, and the segment of angle phi
/// beyond it, r^2/2 (phi - sin phi) as a series in sin(phi / 2), its moment in closed form.
INLINE void add_piece(Overlap *to, L mask, const Rim *rim, V x, V w, V e0, V e1, V ds)
{
    const V square = w * w + ds * ds, t2 = rim->quarter_per_square * square, t = root(t2);
    const V series = 4.0 / 3.0 + t2 * (0.4 + t2 * (3.0 / 14.0 + t2 * (5.0 / 36.0 + t2 * (35.0 / 352.0))));
    const V area = 0.5 * w * (e0 + e1) + 0.5 * rim->square * t * t2 * series;
    const V moment = w * (x * 0.5 * (e0 + e1) + w * (e0 + 2.0 * e1) * (1.0 / 6.0)) - square * ds * (1.0 / 12.0);
    to->area += where(mask, area, all(0.0));
    to->moment += where(mask, moment, all(0.0));
}

INLINE V within(V x, double low, double high)
{
    return smaller(larger(x, all(low)), all(high));
}

/// Ground and rim at a station; e: how far the ground is above the rim.
typedef struct Station {
    V z, rim, e;
} Station;

INLINE Station station_at(const Rim *r, double x, V z)
{
    const V square = r->square - x * x;
    const L under = square > 0.0;
    const V rim = root(where(under, square, all(0.0)));
    return (Station){z, rim, where(under, z + rim, all(-INFINITY))};
}

/// Adds the ground between two stations, where it is above the rim. A line z = m x + c meets the
/// circle at x = (-m c +- sqrt(r^2 (1 + m^2) - c^2)) / (1 + m^2).
INLINE void add_between(Overlap *to, const Rim *r, double x0, double x1, const Station *a, const Station *b)
{
    const double w = x1 - x0;
    const L in0 = a->e > 0.0, in1 = b->e > 0.0, both = in0 & in1;
    const L cut = ~both & ((a->e > -w) | (b->e > -w));
    V from = all(x0), end = all(x1), e0 = a->e, e1 = b->e, ds = b->rim - a->rim;
    if (!any(both | cut))
        return;
    L mask = both;
    if (any(cut)) {
        const V m = (b->z - a->z) * (1.0 / w), c = a->z - m * x0, square = 1.0 + m * m, per = 1.0 / square;
        const V reach = root(larger(r->square * square - c * c, all(0.0)));
        from = where(in0, from, within((-reach - m * c) * per, x0, x1));
        end = where(in1, end, within((reach - m * c) * per, x0, x1));
        e0 = where(in0, e0, all(0.0));
        e1 = where(in1, e1, all(0.0));
        const V z0 = a->z + m * (from - x0), z1 = a->z + m * (end - x0);
        ds = where(both, ds, (e1 - z1) - (e0 - z0));
        mask = both | (cut & (end > from));
    }
    add_piece(to, mask, r, from, end - from, e0, e1, ds);
}

/// Adds the level ground beyond an outermost station: to the rim, or as far as it goes. sign: 1
/// beyond the last station, -1 before the first.
INLINE void add_end(Overlap *to, const Rim *r, double x, const Station *a, double sign)
{
    const L in = a->e > 0.0;
    if (!any(in))
        return;
    const V rim = where(a->z < 0.0, -a->z, all(0.0)), far = a->z + rim;
    const V end = sign * root(larger(r->square - rim * rim, all(0.0)));
    if (sign > 0.0)
        add_piece(to, in & (end > x), r, all(x), end - x, a->e, far, rim - (a->e - a->z));
    else
        add_piece(to, in & (end < x), r, end, x - end, far, a->e, (a->e - a->z) - rim);
}

/// Half the angle of a segment of a circle of radius 1 with this area, alpha - sin(alpha)
/// cos(alpha), up to a half circle; its sine.
INLINE V segment_angle(V area, V *out_sine)
{
    V scale, s, less;
    const L some = area > 0.0, whole = area >= 0.5 * M_PI;
    const V e = exp_parts(logarithm(where(some, 1.5 * area, all(1.0))) * (1.0 / 3.0), &scale);
    const V y = scale * e + scale, q = y * y; // the cube root
    // within 5e-6, then a step of Newton's method
    const V first =
        y * (1.0000030093120191 +
             q * (0.06651896477400099 +
                  q * (0.012593676883850116 +
                       q * (-0.0008246623262254281 +
                            q * (0.005080866934170991 + q * (-0.0026117144756468095 + q * 0.0007553079486655594))))));
    const V at = where(some & ~whole, first, all(1.0));
    sine_and_less(at, &s, &less);
    const V c = 1.0 - less, over = (at - s * c - area) / (2.0 * s * s);
    *out_sine = where(whole, all(1.0), s - c * over);
    return where(whole, all(0.5 * M_PI), at - over);
}

/// The angle whose rise is the share of another rise that springs back: acos(1 - share less).
INLINE V back_of(V share, V less)
{
    return 2.0 * angle_of_sine(root(0.5 * smaller(share * less, all(1.0))));
}

/// The ground under WIDE slices, turned: station by station.
INLINE void turn_ground(const double *const row[WIDE], int stations, V out[RI_STATION_MAX])
{
    int k = 0;
    for (; k + WIDE <= stations; k += WIDE) {
        const V a = load(row[0] + k), b = load(row[1] + k), c = load(row[2] + k), d = load(row[3] + k);
        const V ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
        const V AB = __builtin_shufflevector(a, b, 1, 5, 3, 7), CD = __builtin_shufflevector(c, d, 1, 5, 3, 7);
        out[k] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
        out[k + 1] = __builtin_shufflevector(AB, CD, 0, 1, 4, 5);
        out[k + 2] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
        out[k + 3] = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
    }
    for (; k < stations; k++)
        out[k] = (V){row[0][k], row[1][k], row[2][k], row[3][k]};
}

void CONCAT(ri_rims_meet_, RI_ISA)(RiRims *x)
{
    for (int i = 0; i < x->count; i += WIDE) {
        const V share = load(x->rebound + i), radius = load(x->r + i), square = radius * radius;
        const Rim r = {radius, square, 0.25 / square};
        const int n = x->stations;
        V z[RI_STATION_MAX];
        turn_ground(x->z + i, n, z);
        Overlap sum = {all(0.0), all(0.0)};
        Station last = station_at(&r, x->x[0], z[0]);
        add_end(&sum, &r, x->x[0], &last, -1.0);
        for (int k = 1; k < n; k++) {
            const Station next = station_at(&r, x->x[k], z[k]);
            add_between(&sum, &r, x->x[k - 1], x->x[k], &last, &next);
            last = next;
        }
        add_end(&sum, &r, x->x[n - 1], &last, 1.0);
        V sine, s, less;
        const V half = segment_angle(4.0 * r.quarter_per_square * sum.area, &sine);
        const V lever = between(sum.moment / (2.0 / 3.0 * r.square * r.r * (sine * sine * sine)), -1.0, 1.0);
        const V middle = angle_of_sine(lever);
        const V high = smaller(middle + half, all(0.5 * M_PI)), low = larger(middle - half, all(-0.5 * M_PI));
        store(x->touches + i, where((sum.area > 0.0) & (high - low > LEAST_CONTACT), all(1.0), all(0.0)));
        store(x->high + i, high);
        store(x->low + i, low);
        sine_and_less(high, &s, &less);
        store(x->sine_high + i, s);
        store(x->less_high + i, less);
        store(x->back_high + i, back_of(share, less));
        sine_and_less(low, &s, &less);
        store(x->sine_low + i, s);
        store(x->less_low + i, less);
        store(x->back_low + i, back_of(share, less));
    }
}
