// SPDX-License-Identifier: Apache-2.0
/// \file
/// Values too small to mean anything are set to zero, all others keep their bits.
#include "check.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/snap.h"

enum { COUNT = 12 };

TEST(tiny_values_become_zeros_of_their_sign_and_others_keep_their_bits)
{
    static const double values[COUNT] = {0.0,    -0.0,   9.9e-41, -9.9e-41,  1e-40,    -1e-40,
                                         5e-324, 1e-300, -1.5,    -INFINITY, -1.1e-40, 1e300};
    for (int first = 0; first < COUNT; first++) // both places of a pair, and a last one alone
        for (int count = 0; first + count <= COUNT; count++) {
            double x[COUNT];
            memcpy(x, values, sizeof x);
            ri_snap(x + first, (size_t)count);
            for (int i = 0; i < COUNT; i++) {
                const bool snapped = i >= first && i < first + count && fabs(values[i]) < 1e-40;
                const double want = snapped ? copysign(0.0, values[i]) : values[i];
                CHECK(memcmp(&x[i], &want, sizeof want) == 0);
            }
        }
}

TEST(what_is_not_a_number_stays_so)
{
    double x[3] = {NAN, 1.0, NAN};
    ri_snap(x, 3);
    CHECK(isnan(x[0]) && x[1] == 1.0 && isnan(x[2]));
}

TEST_MAIN(CASE(tiny_values_become_zeros_of_their_sign_and_others_keep_their_bits), CASE(what_is_not_a_number_stays_so))
