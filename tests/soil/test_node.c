// SPDX-License-Identifier: Apache-2.0
#include "soil/node.h"

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

TEST_MAIN(CASE(powers_agree_with_the_library), CASE(mobilised_shares_agree_with_the_library),
          CASE(sines_agree_with_the_library), CASE(all_instruction_sets_give_equal_bits))
