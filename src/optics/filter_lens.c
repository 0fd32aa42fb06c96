// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fall of light for the usual mappings of lenses. Test: `rille validate photometry`, every row of
/// the table.
#include "optics/filter_lens.h"
#include "base/functions.h"

#include <math.h>

double ri_lens_falloff(RiLensMapping mapping, double theta)
{
    const double c = ri_cos(theta), h = ri_cos(0.5 * theta);
    switch (mapping) {
    case RI_LENS_PERSPECTIVE:
        return c <= 0.0 ? 0.0 : c * c * c * c;
    case RI_LENS_EQUIDISTANT:
        return theta == 0.0 ? 1.0 : fmax(0.0, c * ri_sin(theta) / theta);
    case RI_LENS_EQUISOLID:
        return fmax(0.0, c);
    case RI_LENS_ORTHOGRAPHIC:
        return 1.0;
    case RI_LENS_STEREOGRAPHIC:
        return fmax(0.0, c * h * h * h * h);
    }
    return 1.0;
}

double ri_lens_angle(RiLensMapping mapping, double r)
{
    switch (mapping) {
    case RI_LENS_PERSPECTIVE:
        return ri_atan(r);
    case RI_LENS_EQUIDISTANT:
        return r;
    case RI_LENS_EQUISOLID:
        return r <= 2.0 ? 2.0 * ri_asin(0.5 * r) : NAN;
    case RI_LENS_ORTHOGRAPHIC:
        return r <= 1.0 ? ri_asin(r) : NAN;
    case RI_LENS_STEREOGRAPHIC:
        return 2.0 * ri_atan(0.5 * r);
    }
    return NAN;
}
