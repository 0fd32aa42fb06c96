// SPDX-License-Identifier: Apache-2.0
/// Sliding of loose soil on a patch of cells.
#include "soil/berm.h"

#include "check.h"

enum { SIDE = 81, CELLS = SIDE * SIDE };
static int32_t base[CELLS], depth[CELLS], loose[CELLS], surface[CELLS], gain[CELLS];
static unsigned char state[CELLS], ways[CELLS], givers[CELLS];
static const double CELL = 0.01, REPOSE = 0.6;

static RiBermPatch fresh_patch(void)
{
    memset(base, 0, sizeof base);
    memset(depth, 0, sizeof depth);
    memset(loose, 0, sizeof loose);
    memset(state, 0, sizeof state);
    return (RiBermPatch){.room = CELLS,
                         .nx = SIDE,
                         .ny = SIDE,
                         .base = base,
                         .depth = depth,
                         .loose = loose,
                         .surface = surface,
                         .gain = gain,
                         .state = state,
                         .ways = ways,
                         .givers = givers};
}

static void heap(int k, double height)
{
    loose[k] += ri_berm_quanta(height);
    depth[k] -= ri_berm_quanta(height);
}

static int64_t total(const int32_t *of)
{
    int64_t sum = 0;
    for (int k = 0; k < CELLS; k++)
        sum += of[k];
    return sum;
}

/// Steepest drop from a loose cell, in drops allowed.
static double steepest(void)
{
    double worst = 0.0;
    for (int k = 0; k < CELLS; k++)
        for (int n = 0; n < 9 && loose[k] > 0; n++) {
            const int i = k % SIDE + n % 3 - 1, j = k / SIDE + n / 3 - 1, b = j * SIDE + i;
            if (n == 4 || i < 0 || j < 0 || i >= SIDE || j >= SIDE || state[b])
                continue;
            const double drop = ((double)base[k] - depth[k] - base[b] + depth[b]) * RI_QUANTUM;
            worst = fmax(worst, drop / (REPOSE * CELL * (n % 2 ? 1.0 : M_SQRT2)));
        }
    return worst;
}

static void clear_new(void)
{
    for (int k = 0; k < CELLS; k++)
        state[k] &= (unsigned char)~RI_BERM_NEW;
}

TEST(a_column_becomes_a_cone_at_the_angle_of_repose)
{
    RiBermPatch p = fresh_patch();
    heap(CELLS / 2, 0.9);
    const int64_t before = total(loose);
    CHECK(!ri_berm_relax(&p, CELL, REPOSE, 1));
    CHECK(ri_berm_relax(&p, CELL, REPOSE, 2000));
    clear_new();
    CHECK(total(loose) == before && total(depth) == -before);
    CHECK(steepest() <= 1.0);
    // a cone of volume V and slope t is (3 V t^2 / pi)^(1/3) high
    const double V = 0.9 * CELL * CELL, high = -depth[CELLS / 2] * RI_QUANTUM;
    const double cone = cbrt(3.0 * V * REPOSE * REPOSE / M_PI);
    printf("     %.2f mm high, a cone %.2f mm\n", 1e3 * high, 1e3 * cone);
    CHECK_CLOSE(high, cone, 0.15 * cone);
    CHECK(ri_berm_relax(&p, CELL, REPOSE, 1)); // at rest
}

TEST(any_heaps_on_any_ground_come_to_rest_and_nothing_is_lost)
{
    for (unsigned seed = 1; seed <= 20; seed++) {
        RiBermPatch p = fresh_patch();
        unsigned r = seed;
        for (int k = 0; k < CELLS; k++) {
            r = r * 1664525U + 1013904223U;
            base[k] = ri_berm_quanta(1e-3 * (k % SIDE) + 1e-8 * (double)(r >> 12));
            depth[k] = r >> 28 == 0U ? ri_berm_quanta(0.01) : 0;
            if (r >> 24 == 7U)
                heap(k, 1e-9 * (double)(r & 0x3ffffffU));
            if (r >> 24 == 9U)
                state[k] = RI_BERM_HELD;
        }
        const int64_t loose_before = total(loose), depth_before = total(depth);
        CHECK(ri_berm_relax(&p, CELL, REPOSE, 5000));
        clear_new();
        CHECK(total(loose) == loose_before && total(depth) == depth_before);
        CHECK(steepest() <= 1.0);
    }
}

/// Cell k of a patch whose plan is mirrored (1), turned by a quarter (2), or both (3).
static int image(int k, int how)
{
    const int i = how & 1 ? SIDE - 1 - k % SIDE : k % SIDE, j = k / SIDE;
    return how & 2 ? i * SIDE + (SIDE - 1 - j) : j * SIDE + i;
}

TEST(mirrored_and_turned_heaps_slide_alike_to_the_bit)
{
    static int32_t first[CELLS];
    for (int how = 0; how < 4; how++) {
        RiBermPatch p = fresh_patch();
        unsigned r = 5;
        for (int k = 0; k < CELLS; k++) {
            r = r * 1664525U + 1013904223U;
            const int at = image(k, how);
            base[at] = ri_berm_quanta(1e-3 * (k % SIDE) + 1e-8 * (double)(r >> 12));
            if (r >> 25 == 7U)
                heap(at, 1e-9 * (double)(r & 0x3ffffffU));
            if (r >> 24 == 9U)
                state[at] = RI_BERM_HELD;
        }
        ri_berm_relax(&p, CELL, REPOSE, 24);
        int apart = 0;
        for (int k = 0; k < CELLS; k++)
            if (how == 0)
                first[k] = depth[k];
            else
                apart += depth[image(k, how)] != first[k];
        CHECK(apart == 0);
    }
}

TEST(walls_of_pressed_soil_stand_and_a_wheel_holds_what_leans_on_it)
{
    RiBermPatch p = fresh_patch();
    const int at = CELLS / 2;
    depth[at] = ri_berm_quanta(0.05); // a pit in ground as it was
    CHECK(ri_berm_relax(&p, CELL, REPOSE, 10));
    CHECK(depth[at] == ri_berm_quanta(0.05));
    state[at] = RI_BERM_HELD;
    heap(at + 1, 0.004);
    CHECK(ri_berm_relax(&p, CELL, REPOSE, 10));
    CHECK(depth[at] == ri_berm_quanta(0.05));
    state[at] = 0; // the wheel has gone
    ri_berm_relax(&p, CELL, REPOSE, 1000);
    CHECK(depth[at] < ri_berm_quanta(0.05) && loose[at] > 0 && loose[at + 1] == 0);
}

TEST(depths_are_whole_quanta_that_floats_hold)
{
    for (int k = -1000; k <= 1000; k++) {
        const int32_t q = ri_berm_quanta(1e-3 * k);
        CHECK(ri_berm_quanta((double)(float)(q * RI_QUANTUM)) == q);
        CHECK_CLOSE(q * RI_QUANTUM, 1e-3 * k, 0.5 * RI_QUANTUM);
    }
    CHECK(ri_berm_quanta(1e9) == 1 << 24 && ri_berm_quanta(-INFINITY) == -(1 << 24));
    CHECK(ri_berm_room(0.25, 0.2, 0.01) > 0 && ri_berm_room(0.25, 0.2, 1e-4) == 0);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(a_column_becomes_a_cone_at_the_angle_of_repose),
                               CASE(any_heaps_on_any_ground_come_to_rest_and_nothing_is_lost),
                               CASE(mirrored_and_turned_heaps_slide_alike_to_the_bit),
                               CASE(walls_of_pressed_soil_stand_and_a_wheel_holds_what_leans_on_it),
                               CASE(depths_are_whole_quanta_that_floats_hold)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
