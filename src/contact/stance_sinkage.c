// SPDX-License-Identifier: Apache-2.0
/// \file
/// How deep a standing wheel sinks in.
///
///     z = (3 W / ((3 - n) b k sqrt(2 r)))^(2 / (2 n + 1)),    k = kc / b + kphi, or (c kc + gamma b kphi) / b^n in Reece's form    [bekker1969]
///
/// W is the load of the wheel, b its width and r its radius. A rigid wheel without slip; meant for
/// placing, not for driving.
#include <math.h>

#include "base/functions.h"
#include "contact/stance.h"
#include "rille/ground.h"

/// Pressure-sinkage modulus k [N/m^(n+2)]; NAN where the soil does not say.
static double modulus(const RiSoil *soil, double width, double gravity)
{
    switch (soil->form) {
    case RI_SOIL_BEKKER:
        return soil->kc / width + soil->kphi;
    case RI_SOIL_REECE: {
        const double gamma = soil->density * (isnan(soil->gravity) ? gravity : soil->gravity);
        return (soil->cohesion * soil->kc + gamma * width * soil->kphi) / ri_pow(width, soil->n);
    }
    case RI_SOIL_HARD:
        break;
    }
    return NAN;
}

double ri_stance_sinkage(const RiSpec *spec, const RiModel *model, const RiTerrain *terrain, double x, double y,
                         double gravity)
{
    const RiSoilMap *map = ri_terrain_soil_map(terrain);
    if (!map || spec->wheel_count == 0)
        return 0.0;
    const RiSoilLayer *top = ri_soil_map_layer_at(map, x, y, 0.0);
    const RiSoil *soil = top ? ri_soils_get(ri_soil_map_soils(map), top->soil) : NULL;
    if (!soil || soil->form == RI_SOIL_HARD)
        return 0.0;
    const RiWheelSpec *w = &spec->wheels[0];
    const double load = ri_model_mass(model) * gravity / spec->wheel_count, k = modulus(soil, w->width, gravity);
    const double base = 3.0 * load / ((3.0 - soil->n) * w->width * k * sqrt(2.0 * w->radius));
    const double z = ri_pow(base, 2.0 / (2.0 * soil->n + 1.0));
    if (!(z >= 0.0) || !isfinite(z))
        return 0.0; // the source gives no pressure-sinkage
    return fmin(fmin(z, 0.5 * w->radius), top->thickness) + w->grouser_height;
}
