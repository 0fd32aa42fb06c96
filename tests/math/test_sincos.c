// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/rng.h"
#include "math/sincos.h"

static double worst_error(RiRng *rng, double range, int count)
{
    double most = 0.0, s, c;
    for (int i = 0; i < count; i++) {
        const double x = ri_rng_between(rng, -range, range);
        ri_sincos(x, &s, &c);
        most = fmax(most, fmax(fabs(s - sin(x)), fabs(c - cos(x))));
    }
    return most;
}

TEST(sine_and_cosine_equal_the_c_library_to_1e_15)
{
    RiRng rng = ri_rng_stream(1, "sincos");
    const double ranges[] = {1e-8, 0.1, 0.8, 3.2, 100.0, 1e4, 1e6};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        CHECK_CLOSE(worst_error(&rng, ranges[i], 200000), 0.0, 1e-15);
}

/// Close to multiples of pi/2 the reduced argument is small: the error must stay absolute, not blow
/// up.
TEST(multiples_of_a_quarter_turn_are_met)
{
    double s, c;
    for (int n = -100000; n <= 100000; n += 7)
        for (int side = -1; side <= 1; side++) {
            const double at = n * 1.5707963267948966, x = side == 0 ? at : nextafter(at, side * 1e9);
            ri_sincos(x, &s, &c);
            CHECK_CLOSE(s, sin(x), 1e-15);
            CHECK_CLOSE(c, cos(x), 1e-15);
        }
}

TEST(zero_is_exact_and_symmetry_holds_bit_by_bit)
{
    double s, c, s2, c2;
    ri_sincos(0.0, &s, &c);
    CHECK(s == 0.0 && c == 1.0);
    RiRng rng = ri_rng_stream(2, "sincos");
    for (int i = 0; i < 10000; i++) {
        const double x = ri_rng_between(&rng, -1000.0, 1000.0);
        ri_sincos(x, &s, &c);
        ri_sincos(-x, &s2, &c2);
        CHECK(s == -s2 && c == c2);
    }
}

TEST(huge_and_non_finite_arguments_go_to_the_c_library)
{
    double s, c;
    ri_sincos(1e9 + 0.5, &s, &c);
    CHECK(s == sin(1e9 + 0.5) && c == cos(1e9 + 0.5));
    ri_sincos(NAN, &s, &c);
    CHECK(isnan(s) && isnan(c));
    ri_sincos(INFINITY, &s, &c);
    CHECK(isnan(s) && isnan(c));
}

TEST_MAIN(CASE(sine_and_cosine_equal_the_c_library_to_1e_15), CASE(multiples_of_a_quarter_turn_are_met),
          CASE(zero_is_exact_and_symmetry_holds_bit_by_bit), CASE(huge_and_non_finite_arguments_go_to_the_c_library))
