// SPDX-License-Identifier: Apache-2.0
#include "soil/node.h"
#include "soil/wheel.h"

#include "check.h"

enum { COUNT = 4096 };
static double x[COUNT], a[COUNT], b[COUNT];

static const char *const names[] = {"generic", "avx2", "avx512"};

/// A number in [0, 1) that depends on i alone.
static double spread(int i)
{
    return fmod((i + 0.5) * 0.6180339887498949, 1.0);
}

TEST(powers_agree_with_the_library)
{
    const RiNodeKernels *k = ri_node_kernels_find(NULL);
    double worst = 0.0;
    for (int i = 0; i < COUNT; i++)
        x[i] = exp(log(1e-12) + spread(i) * log(1e14));
    x[0] = 0.0, x[1] = -1.0, x[2] = 1.0, x[3] = 1e-300;
    for (double n = 0.11; n < 3.0; n += 0.37) {
        k->power(COUNT, x, 1.0, n, 2.5, a);
        CHECK(a[0] == 0.0 && a[1] == 0.0 && a[2] == 2.5);
        for (int i = 2; i < COUNT; i++) {
            const double want = 2.5 * pow(x[i], n);
            if (want > 1e-290)
                worst = fmax(worst, fabs(a[i] / want - 1.0) / (1.0 + fabs(n * log(x[i]))));
        }
    }
    CHECK_CLOSE(worst, 0.0, 1e-15);
    k->power(8, x + 8, 0.3, 1.4, 1.0, a);
    for (int i = 0; i < 8; i++)
        CHECK_CLOSE(a[i] / pow(x[8 + i] / 0.3, 1.4), 1.0, 1e-13);
}

TEST(mobilised_shares_agree_with_the_library)
{
    const RiNodeKernels *k = ri_node_kernels_find(NULL);
    double worst = 0.0;
    for (int i = 0; i < COUNT; i++)
        x[i] = exp(log(1e-12) + spread(i) * log(1e15));
    x[0] = 0.0, x[1] = 1e300;
    k->mobilise(COUNT, x, a);
    CHECK(a[0] == 0.0 && a[1] == 1.0);
    for (int i = 2; i < COUNT; i++)
        worst = fmax(worst, fabs(a[i] / -expm1(-x[i]) - 1.0));
    CHECK_CLOSE(worst, 0.0, 1e-15);
}

TEST(sines_agree_with_the_library)
{
    const RiNodeKernels *k = ri_node_kernels_find(NULL);
    double worst = 0.0;
    for (int i = 0; i < COUNT; i++)
        x[i] = M_PI * (2.0 * spread(i) - 1.0);
    k->turn(COUNT, x, a, b);
    for (int i = 0; i < COUNT; i++)
        worst = fmax(worst, fmax(fabs(a[i] - sin(x[i])), fabs(b[i] - cos(x[i]))));
    CHECK_CLOSE(worst, 0.0, 2e-15);
}

TEST(all_instruction_sets_give_equal_bits)
{
    static double p[3][4][COUNT];
    int sets = 0;
    for (int s = 0; s < 3; s++) {
        const RiNodeKernels *k = ri_node_kernels_find(names[s]);
        if (!k)
            continue;
        for (int i = 0; i < COUNT; i++)
            x[i] = spread(i) * 3.0;
        k->power(COUNT, x, 0.7, 1.13, 1e6, p[sets][0]);
        k->mobilise(COUNT, x, p[sets][1]);
        k->turn(COUNT, x, p[sets][2], p[sets][3]);
        CHECK(memcmp(p[sets], p[0], sizeof p[0]) == 0);
        sets++;
    }
    CHECK(sets >= 1);
}

/// Patches of a slice between the angles 0.8 and -0.2 that arrive from a memory that was a little
/// larger.
static RiShear make_shear(int count, bool coupled, double spin)
{
    static double theta[RI_SHEAR_MAX], sine[RI_SHEAR_MAX], cosine[RI_SHEAR_MAX], was[2 * RI_SHEAR_MAX];
    for (int i = 0; i < RI_SHEAR_MAX; i++) {
        theta[i] = 0.8 - 1.0 * i / (count - 1);
        sine[i] = sin(theta[i]);
        cosine[i] = cos(theta[i]);
        was[2 * i] = spread(i);
        was[2 * i + 1] = spread(i + 40) - 0.5;
    }
    return (RiShear){.count = count,
                     .coupled = coupled,
                     .h = 2e-3,
                     .top = 0.8,
                     .bottom = -0.2,
                     .high = 0.81,
                     .scale = (count - 1) / 1.02,
                     .vx = 0.04,
                     .vz = -1e-3,
                     .spin = spin,
                     .vy = 0.01,
                     .turn = 0.1,
                     .lean = -0.05,
                     .r = 0.12,
                     .per_x = 50.0,
                     .per_y = 70.0,
                     .theta = theta,
                     .sine = sine,
                     .cosine = cosine,
                     .was = was};
}

/// The cubic through four neighbours of a row, by Lagrange's formula.
static double through_four(const double *u, int n, double p)
{
    const int first = p < 2.0 ? 0 : p >= n - 2 ? n - 4 : (int)p - 1;
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        double w = 1.0;
        for (int k = 0; k < 4; k++)
            w *= k == i ? 1.0 : (p - first - k) / (i - k);
        sum += w * u[first + i];
    }
    return fmin(1.0, fmax(-1.0, sum));
}

/// du/dt = v - |v| u with v in shear lengths per second: u = +-1 is approached with exp(-|v| t).
TEST(patches_shear_as_the_equation_of_each_says)
{
    for (int count = 4; count <= RI_SHEAR_MAX; count += 3)
        for (int turn = -1; turn <= 1; turn++) {
            RiShear patch = make_shear(count, false, 0.4 * turn);
            ri_node_kernels_find(NULL)->shear(&patch);
            for (int i = 0; i < count; i++) {
                const double p = (patch.high - patch.theta[i] - patch.spin * patch.h) * patch.scale;
                const bool inside = p >= -1e-9 && p <= count - 1 + 1e-9;
                const double way = patch.spin > 0.0 ? patch.top - patch.theta[i] : patch.theta[i] - patch.bottom;
                const double time = inside || patch.spin == 0.0 ? patch.h : fmin(patch.h, way / fabs(patch.spin));
                const double at = fmin(fmax(p, 0.0), count - 1.0);
                const double ux = inside ? through_four(patch.was, count, at) : 0.0;
                const double uy = inside ? through_four(patch.was + count, count, at) : 0.0;
                const double vx =
                    (patch.vx * patch.cosine[i] + patch.vz * patch.sine[i] - patch.spin * patch.r) * patch.per_x;
                const double vy =
                    (patch.vy + patch.r * (patch.turn * patch.sine[i] + patch.lean * patch.cosine[i])) * patch.per_y;
                const double ex = exp(-fabs(vx) * time), ey = exp(-fabs(vy) * time);
                CHECK_CLOSE(patch.ux[i], ux * ex + copysign(1.0 - ex, vx), 1e-13);
                CHECK_CLOSE(patch.uy[i], uy * ey + copysign(1.0 - ey, vy), 1e-13);
            }
        }
}

enum { ARC = 16 };

static RiArcNodes make_arc(void)
{
    static double theta[ARC], weight[ARC], sine[ARC], cosine[ARC], sigma[ARC / 2], slope[ARC / 2];
    for (int i = 0; i < ARC; i++) {
        theta[i] = -0.2 + spread(i);
        weight[i] = 1e-4 * (1.0 + spread(3 * i));
        sine[i] = sin(theta[i]);
        cosine[i] = cos(theta[i]);
        sigma[i / 2] = 1e4 * spread(5 * i);
        slope[i / 2] = 1e6 * spread(7 * i);
    }
    return (RiArcNodes){.half = ARC / 2,
                        .theta = theta,
                        .weight = weight,
                        .sine = sine,
                        .cosine = cosine,
                        .sigma = sigma,
                        .slope = slope,
                        .sign = 1.0,
                        .share = 0.7,
                        .cohesion = 500.0,
                        .tan_phi = 0.6,
                        .gain = 1.3,
                        .claws = 300.0,
                        .kx = 0.02,
                        .ky = 0.014};
}

TEST(sums_over_an_arc_are_those_of_its_nodes)
{
    RiShear patch = make_shear(16, false, 0.4);
    const RiArcNodes q = make_arc();
    const RiNodeKernels *k = ri_node_kernels_find(NULL);
    RiSums s = {0};
    double load = 0.0, tc = 0.0, side_s = 0.0, c20 = 0.0, d21 = 0.0, stored = 0.0;
    k->shear(&patch);
    k->sum(&q, &patch, &s);
    for (int i = 0; i < ARC; i++) {
        const double p = (patch.top - q.theta[i]) * 15.0 / (patch.top - patch.bottom), t = p - (int)p;
        const int at = (int)p;
        const double ux = (1.0 - t) * patch.ux[at] + t * patch.ux[at + 1],
                     uy = (1.0 - t) * patch.uy[at] + t * patch.uy[at + 1];
        const double gx = (1.0 - t) * patch.gx[at] + t * patch.gx[at + 1],
                     gy = (1.0 - t) * patch.gy[at] + t * patch.gy[at + 1];
        const double dA = q.share * q.weight[i], sigma = q.sigma[i % (ARC / 2)];
        const double strength = (q.cohesion + sigma * q.tan_phi) * dA, pull = q.gain * strength + q.claws * dA;
        load += sigma * dA * q.cosine[i];
        tc -= pull * ux * q.cosine[i];
        side_s -= strength * uy * q.sine[i];
        c20 -= pull * gx * patch.r * q.cosine[i];
        d21 += strength * gy * patch.r * patch.r * q.sine[i] * q.cosine[i];
        stored += 0.5 * strength * (q.kx * ux * ux + q.ky * uy * uy);
    }
    CHECK_CLOSE(s.load / load, 1.0, 1e-13);
    CHECK_CLOSE(s.tc / tc, 1.0, 1e-12);
    CHECK_CLOSE(s.side_s / side_s, 1.0, 1e-12);
    CHECK_CLOSE(s.C[2][0] / c20, 1.0, 1e-12);
    CHECK_CLOSE(s.D[2][1] / d21, 1.0, 1e-12);
    CHECK_CLOSE(s.stored / stored, 1.0, 1e-12);
}

TEST(slices_have_equal_bits_on_all_instruction_sets)
{
    for (int count = 4; count <= RI_SHEAR_MAX; count++)
        for (int coupled = 0; coupled < 2; coupled++) {
            RiShear first = make_shear(count, coupled, 0.4);
            const RiArcNodes q = make_arc();
            RiSums sums = {0};
            ri_node_kernels_generic.shear(&first);
            ri_node_kernels_generic.sum(&q, &first, &sums);
            for (int s = 1; s < 3; s++) {
                const RiNodeKernels *k = ri_node_kernels_find(names[s]);
                RiShear patch = make_shear(count, coupled, 0.4);
                RiSums other = {0};
                if (!k)
                    continue;
                k->shear(&patch);
                k->sum(&q, &patch, &other);
                const size_t size = (size_t)count * sizeof *patch.ux;
                CHECK(memcmp(patch.ux, first.ux, size) == 0 && memcmp(patch.uy, first.uy, size) == 0);
                CHECK(memcmp(patch.gx, first.gx, size) == 0 && memcmp(patch.gy, first.gy, size) == 0);
                CHECK(memcmp(&other, &sums, sizeof sums) == 0);
            }
        }
}

/// An arc of soil, its numbers by `i`.
static RiArc make_press(int i, RiSoilLaw *soil, RiArcPress *out)
{
    const RiArc arc = {.r = 0.12 + 0.02 * spread(i),
                       .b = 0.05,
                       .entry = 0.2 + 0.8 * spread(i + 1),
                       .exit = -0.3 * spread(i + 2),
                       .middle = 0.05 * spread(i + 3),
                       .over = i % 5 == 0 ? 0.01 : 0.0,
                       .packed = i % 3 == 0 ? 0.02 * spread(i + 4) : 0.0};
    *soil = (RiSoilLaw){.n0 = 0.6 + spread(i + 5),
                        .k = 1e6,
                        .unit = i % 2 ? 1.0 : 0.05,
                        .unload = 2e7,
                        .cohesion = 300.0,
                        .tan_phi = 0.7,
                        .base_depth = i % 4 == 0 ? 0.005 : INFINITY,
                        .base_stiffness = 1e8};
    *out = (RiArcPress){.r = arc.r,
                        .b = arc.b,
                        .entry = arc.entry,
                        .exit = arc.exit,
                        .middle = arc.middle,
                        .sine = sin(arc.entry),
                        .less = 2.0 * sin(0.5 * arc.entry) * sin(0.5 * arc.entry),
                        .over = arc.over,
                        .packed = arc.packed,
                        .stretch = soil->k * pow(arc.packed / soil->unit, soil->n0) / soil->unload,
                        .k = soil->k,
                        .per_unit = 1.0 / soil->unit,
                        .n = soil->n0,
                        .base_depth = soil->base_depth,
                        .base_stiffness = soil->base_stiffness};
    return arc;
}

TEST(an_arc_with_nodes_of_its_own_is_the_sum_over_its_nodes)
{
    const RiNodeKernels *k = ri_node_kernels_find(NULL);
    for (int i = 0; i < 60; i++) {
        const int panels = 1 + i % 3;
        RiSoilLaw soil;
        RiArcPress press;
        const RiArc arc = make_press(i, &soil, &press);
        static RiNodes nodes;
        double square[RI_NODE_MAX / 2], rate[RI_NODE_MAX / 2];
        RiShear patch = make_shear(16, false, 0.4);
        RiArcNodes q = make_arc();
        RiSums own, sums = {0};
        q.cohesion = soil.cohesion, q.tan_phi = soil.tan_phi;
        k->shear(&patch);
        ri_nodes_run(panels, square, rate);
        press.square = square, press.rate = rate;
        q.half = panels * RI_PANEL_POINTS;
        q.first = true;
        memset(&own, 0x55, sizeof own); // begins with this arc, whatever was there
        k->arc(&q, &press, &patch, &own);
        for (int s = 0; s < 3; s++) {
            RiSums other;
            if (ri_node_kernels_find(names[s])) {
                ri_node_kernels_find(names[s])->arc(&q, &press, &patch, &other);
                CHECK(memcmp(&other, &own, sizeof own) == 0);
            }
        }
        ri_nodes_fill(k, &soil, &arc, soil.n0, panels, &nodes);
        q.first = false;
        q.theta = nodes.theta, q.weight = nodes.weight, q.sine = nodes.sine, q.cosine = nodes.cosine;
        q.sigma = nodes.sigma, q.slope = nodes.slope;
        k->sum(&q, &patch, &sums);
        const double *have = (const double *)&own, *want = (const double *)&sums;
        for (size_t n = 0; n < sizeof own / sizeof *have; n++)
            CHECK(fabs(have[n] - want[n]) <= 1e-11 * fabs(want[n]) + 1e-12 * fabs(want[0]));
    }
}

/// Ground z = m x - c under a wheel cuts off its rim between the angles atan(m) +- acos(d / r), d
/// the distance of the line from the hub.
TEST(slices_meet_straight_ground_where_it_cuts_the_rim)
{
    enum { STATIONS = 13 };
    double along[STATIONS], ground[RI_NODE_LANES][STATIONS];
    for (int i = 0; i < 400; i++) {
        RiRims rims = {.count = 1 + i % 8, .stations = STATIONS, .x = along};
        for (int k = 0; k < STATIONS; k++)
            along[k] = 0.12 * (k - 6) / 6.0 * 0.99;
        for (int lane = 0; lane < RI_NODE_LANES; lane++) {
            const double m = spread(8 * i + lane) - 0.5, c = 0.04 + 0.09 * spread(3 * i + lane);
            rims.z[lane] = ground[lane];
            rims.r[lane] = 0.12;
            rims.rebound[lane] = 0.3 * spread(i + lane);
            for (int k = 0; k < STATIONS; k++)
                ground[lane][k] = m * along[k] - c;
        }
        RiRims others = rims;
        ri_node_kernels_find(NULL)->meet(&rims);
        for (int lane = 0; lane < rims.count; lane++) {
            const double m = spread(8 * i + lane) - 0.5, c = 0.04 + 0.09 * spread(3 * i + lane);
            const double ratio = c / sqrt(1.0 + m * m) / 0.12, half = ratio < 1.0 ? acos(ratio) : 0.0;
            CHECK((rims.touches[lane] != 0.0) == (2.0 * half > 1e-4));
            if (half < 0.05 || fabs(atan(m)) + half > 1.3) // where stations are
                continue;
            CHECK_CLOSE(rims.high[lane], atan(m) + half, 1e-6);
            CHECK_CLOSE(rims.low[lane], atan(m) - half, 1e-6);
            CHECK_CLOSE(rims.sine_high[lane], sin(rims.high[lane]), 1e-15);
            CHECK_CLOSE(rims.less_low[lane], 1.0 - cos(rims.low[lane]), 1e-15);
            CHECK_CLOSE(rims.back_high[lane], acos(1.0 - rims.rebound[lane] * rims.less_high[lane]), 1e-8);
        }
        for (int s = 0; s < 3; s++) {
            const RiNodeKernels *k = ri_node_kernels_find(names[s]);
            RiRims other = others;
            if (!k)
                continue;
            k->meet(&other);
            const size_t size = (size_t)rims.count * sizeof(double);
            CHECK(memcmp(other.touches, rims.touches, size) == 0 && memcmp(other.low, rims.low, size) == 0);
            CHECK(memcmp(other.high, rims.high, size) == 0 && memcmp(other.back_low, rims.back_low, size) == 0);
            CHECK(memcmp(other.sine_low, rims.sine_low, size) == 0);
            CHECK(memcmp(other.less_high, rims.less_high, size) == 0);
        }
    }
}

TEST(patches_are_spread_evenly_with_equal_bits_on_all_instruction_sets)
{
    for (int count = 4; count <= RI_SHEAR_MAX; count++)
        for (int s = 0; s < 3; s++) {
            const RiNodeKernels *k = ri_node_kernels_find(names[s]);
            double first[3][RI_SHEAR_MAX], other[3][RI_SHEAR_MAX];
            if (!k)
                continue;
            ri_node_kernels_generic.spread(count, 0.9, -0.3, first[0], first[1], first[2]);
            k->spread(count, 0.9, -0.3, other[0], other[1], other[2]);
            for (int i = 0; i < count; i++) {
                CHECK_CLOSE(other[0][i], 0.9 - 1.2 * i / (count - 1), 1e-15);
                CHECK_CLOSE(other[1][i], sin(other[0][i]), 1e-15);
                CHECK(first[0][i] == other[0][i] && first[1][i] == other[1][i] && first[2][i] == other[2][i]);
            }
            CHECK(other[0][0] == 0.9 && other[0][count - 1] == -0.3);
        }
}

TEST(steep_rows_are_those_with_a_steep_cell)
{
    enum { ROW = 40, BESIDE = 1000, DIAGONAL = 1414 };
    static int32_t surface[3 * ROW], loose[3 * ROW];
    int steep_rows = 0;
    for (int trial = 0; trial < 400; trial++) {
        bool steep = false;
        for (int i = 0; i < 3 * ROW; i++) {
            const double at = spread(i + 120 * trial), which = spread(7 * i + trial);
            surface[i] = which < 0.1 ? INT32_MAX : (int32_t)(at * (200.0 + 6.0 * trial));
            loose[i] = which < 0.5;
        }
        for (int i = ROW + 1; i < 2 * ROW - 1; i++)
            for (int n = 0; n < 9; n++) {
                const int64_t drop = (int64_t)surface[i] - surface[i + (n / 3 - 1) * ROW + n % 3 - 1];
                steep |= loose[i] && surface[i] != INT32_MAX && n != 4 && drop > (n % 2 ? BESIDE : DIAGONAL);
            }
        steep_rows += steep;
        for (int s = 0; s < 3; s++) {
            const RiNodeKernels *k = ri_node_kernels_find(names[s]);
            CHECK(!k || k->steep(ROW - 2, ROW, surface + ROW + 1, loose + ROW + 1, BESIDE, DIAGONAL) == steep);
        }
    }
    CHECK(steep_rows > 40 && steep_rows < 360);
}

TEST_MAIN(CASE(an_arc_with_nodes_of_its_own_is_the_sum_over_its_nodes),
          CASE(slices_meet_straight_ground_where_it_cuts_the_rim),
          CASE(patches_are_spread_evenly_with_equal_bits_on_all_instruction_sets),
          CASE(steep_rows_are_those_with_a_steep_cell), CASE(patches_shear_as_the_equation_of_each_says),
          CASE(sums_over_an_arc_are_those_of_its_nodes), CASE(slices_have_equal_bits_on_all_instruction_sets),
          CASE(powers_agree_with_the_library), CASE(mobilised_shares_agree_with_the_library),
          CASE(sines_agree_with_the_library), CASE(all_instruction_sets_give_equal_bits))
