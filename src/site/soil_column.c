// SPDX-License-Identifier: Apache-2.0
/// \file
/// Temperature of the ground: conduction in one dimension under a surface that radiates.
///
/// With depth in skin depths, x = z / sqrt(k P / (pi rho c)), and time in days P, conduction is
/// dT/dt = pi d2T/dx2, and the surface flux is inertia sqrt(pi / P) dT/dx: thermal inertia alone
/// remains. Finite volumes on a grid that grows downwards, backward Euler in time; the surface
/// temperature is found with the flux sigma e Ts^4 by Newton's method in the same elimination.
/// Check: F0 cos(w t) without radiation gives T = F0 / (inertia sqrt w) cos(w t - pi/4). Tests:
/// tests/site/test_sky.c; rows: `rille validate sol`.
#include <math.h>

#include <rille/sky.h>

static const double pi = M_PI;
static const double stefan = 5.670374419e-8;
static const double depth = 8.0;   // of the column, in skin depths
static const double growth = 1.16; // of a layer's thickness against the one above

/// Thickness of the first layer, in skin depths.
static double first_layer(void)
{
    double sum = 0.0, d = 1.0;
    for (int i = 0; i < RI_SOIL_LAYERS; i++, d *= growth)
        sum += d;
    return depth / sum;
}

/// Heat capacity of one skin depth [J/(m^2 K)]: rho c z_s = inertia sqrt(P / pi).
static double skin_capacity(const RiSoilColumnDef *def)
{
    return def->inertia * sqrt(def->day / pi);
}

void ri_soil_column_init(RiSoilColumn *column, double temperature)
{
    for (int i = 0; i < RI_SOIL_LAYERS; i++)
        column->temperature[i] = temperature;
}

double ri_soil_column_heat(const RiSoilColumnDef *def, const RiSoilColumn *column)
{
    double sum = 0.0, d = first_layer();
    for (int i = 0; i < RI_SOIL_LAYERS; i++, d *= growth)
        sum += d * column->temperature[i];
    return sum * skin_capacity(def);
}

/// The tridiagonal system of one step, layers eliminated from below: T[0] = b + c * (flux into the
/// first layer).
typedef struct Sweep {
    double b, c;               ///< of the first layer
    double up[RI_SOIL_LAYERS]; ///< T[i] = fixed[i] + up[i] T[i-1] for i > 0
    double fixed[RI_SOIL_LAYERS];
} Sweep;

static void eliminate(const RiSoilColumnDef *def, const RiSoilColumn *column, double dt, Sweep *s)
{
    const double C = skin_capacity(def), K = C * pi / def->day; // K: conductance of one skin depth [W/(m^2 K)]
    double d[RI_SOIL_LAYERS];
    d[0] = first_layer();
    for (int i = 1; i < RI_SOIL_LAYERS; i++)
        d[i] = d[i - 1] * growth;
    double below = 0.0, from = 0.0; // conductance to the layer below, and what it brings: below (fixed - (1 - up) T)
    for (int i = RI_SOIL_LAYERS - 1; i >= 0; i--) {
        const double g = i > 0 ? K / (0.5 * (d[i] + d[i - 1])) : 0.0;
        const double a = C * d[i] / dt + below, rhs = C * d[i] / dt * column->temperature[i] + from;
        s->up[i] = g / (a + g);
        s->fixed[i] = rhs / (a + g);
        below = g * (1.0 - s->up[i]);
        from = g * s->fixed[i];
        if (i == 0) {
            s->b = rhs / a;
            s->c = 1.0 / a;
        }
    }
}

double ri_soil_column_step(const RiSoilColumnDef *def, RiSoilColumn *column, double absorbed, double dt)
{
    Sweep s;
    eliminate(def, column, dt, &s);
    const double half =
        2.0 * skin_capacity(def) * pi / def->day / first_layer(); // surface to the middle of the first layer
    const double es = def->emissivity * stefan;
    // With a flux q into the ground, the first layer is at b + c q and the surface at b + (c + 1 /
    // half) q.
    const double r = s.c + 1.0 / half;
    double T = column->temperature[0] > 1.0 ? column->temperature[0] : 1.0;
    for (int i = 0; i < 40; i++) {
        const double T3 = T * T * T, wrong = T - s.b - r * (absorbed - es * T3 * T);
        const double next = T - wrong / (1.0 + 4.0 * r * es * T3);
        const bool done = fabs(next - T) < 1e-10 * T;
        T = next > 0.0 ? next : 0.5 * T;
        if (done)
            break;
    }
    const double q = (T - s.b) / r;
    column->temperature[0] = s.b + s.c * q;
    for (int i = 1; i < RI_SOIL_LAYERS; i++)
        column->temperature[i] = s.fixed[i] + s.up[i] * column->temperature[i - 1];
    return q * dt;
}
