// SPDX-License-Identifier: Apache-2.0
#include <rille/ground.h>

#include "check.h"

TEST(factors_are_those_of_the_published_formula)
{
    const double deg = M_PI / 180.0;
    const RiBearingFactors a = ri_bearing_factors(30.0 * deg), b = ri_bearing_factors(35.0 * deg);
    CHECK_CLOSE(a.Nq, 22.45574, 1e-5); // acceptance/artemis.yaml, terzaghi_check
    CHECK_CLOSE(a.Nc, 37.16243, 1e-5);
    CHECK_CLOSE(a.Ng, 20.11598, 1e-5);
    CHECK_CLOSE(b.Nq, 41.43973, 1e-5);
    CHECK_CLOSE(b.Nc, 57.75391, 1e-5);
    CHECK_CLOSE(b.Ng, 47.27748, 1e-5);
}

TEST(clay_without_friction_has_the_limit)
{
    const RiBearingFactors zero = ri_bearing_factors(0.0), near = ri_bearing_factors(1e-6);
    CHECK_CLOSE(zero.Nq, 1.0, 1e-15);
    CHECK_CLOSE(zero.Nc, 1.5 * M_PI + 1.0, 1e-15);
    CHECK_CLOSE(zero.Ng, 0.0, 0.0);
    CHECK_CLOSE(near.Nc, zero.Nc, 1e-4);
    CHECK_CLOSE(near.Ng / 4e-6, 1.0, 1e-4);
}

TEST(passive_factor_is_rankines)
{
    CHECK_CLOSE(ri_passive_factor(0.0), 1.0, 1e-15);
    CHECK_CLOSE(ri_passive_factor(M_PI / 6.0), 3.0, 1e-14); // (1 + sin) / (1 - sin)
}

TEST_MAIN(CASE(factors_are_those_of_the_published_formula), CASE(clay_without_friction_has_the_limit),
          CASE(passive_factor_is_rankines))
