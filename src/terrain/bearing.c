// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bearing capacity after Terzaghi, in the form of equation 13 of ARTEMIS [trease2011]:
///
///     Nq = exp((3 pi/2 - phi) tan phi) / (2 cos^2(pi/4 + phi/2))
///     Nc = (Nq - 1) / tan phi
///     Ng = 2 (Nq + 1) tan phi / (1 + 0.4 sin 4 phi)
///
/// Valid for 0 <= phi < pi/2; a fit of Terzaghi's table for the last one, good to some percent up
/// to 45 degrees. Test: tests/terrain/test_bearing.c.
#include <math.h>

#include <rille/ground.h>

#include "base/functions.h"

RiBearingFactors ri_bearing_factors(double friction)
{
    const double t = ri_tan(friction), c = ri_cos(0.25 * M_PI + 0.5 * friction);
    const double Nq = ri_exp((1.5 * M_PI - friction) * t) / (2.0 * c * c);
    if (t < 1e-9) // the difference quotient has no digits left there
        return (RiBearingFactors){Nq, 1.5 * M_PI + 1.0, 4.0 * t};
    return (RiBearingFactors){Nq, (Nq - 1.0) / t, 2.0 * (Nq + 1.0) * t / (1.0 + 0.4 * ri_sin(4.0 * friction))};
}

double ri_passive_factor(double friction)
{
    const double t = ri_tan(0.25 * M_PI + 0.5 * friction);
    return t * t;
}
