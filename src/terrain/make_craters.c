// SPDX-License-Identifier: Apache-2.0
/// \file
/// Impact craters.
///
/// How many: N(>D) = k D^-b per area, drawn as a Poisson process. Production of craters of 1 to 100
/// m on the Moon has b = 2.8 [moore1980]; the steady state between production and wear has b = 2
/// and k = 10^-1.1, D in metres [trask1966], about 5 % of the density 1.54 D^-2 of geometric
/// saturation. The law `aged` is the lesser of both at each diameter, as counts show.
///
/// Shape: a fresh simple crater of radius R has a parabolic bowl of depth d below the ground and a
/// rim of height h above it [pike1977], and ejecta that thin out as (r/R)^-3 [mcgetchin1973]. It
/// wears by diffusion of the ground, dz/dt = kappa laplace(z) [fassett2014]: in units of R the
/// profile depends on tau = kappa t / R^2 alone. It is computed once for a ladder of tau (implicit
/// steps on a radial grid) and read by interpolation. Each crater's age is uniform between 0 and
/// the ground's age, or the age at which craters of its size fade away, whichever is less.
#include <stdlib.h>

#include "terrain/make.h"

enum {
    LAW = MAKE_GRID_PARAMS,
    EXPONENT,
    DENSITY,
    LOW,
    HIGH,
    AGE,
    DIFFUSIVITY,
    FADED,
    DEPTH,
    RIM,
};
enum { LAW_AGED, LAW_PRODUCTION, LAW_EQUILIBRIUM, LAW_POWER };

static const RiMakeParam params[] = {
    MAKE_GRID(400.0, 400.0, 1.0),
    {"law", "", LAW_AGED, 0, 3, "aged|production|equilibrium|power",
     "aged: production up to equilibrium; power: exponent and density below"},
    {"exponent", "", 2.8, 0.1, 8.0, NULL, "b of the laws power and production: N(>D) ~ D^-b [moore1980]"},
    {"density", "1/m^2", 0.0794, 0.0, 1e6, NULL, "k of the law power: number above 1 m per m^2 [trask1966]"},
    {"low", "m", 6.0, 1e-3, 1e5, NULL, "least diameter"},
    {"high", "m", 120.0, 1e-3, 1e6, NULL, "greatest diameter"},
    {"age", "", 3.0, 0.0, 4.5, NULL, "of the ground [Gyr]: number of produced craters [neukum2001] and wear"},
    {"diffusivity", "", 5.5, 0.0, 1e6, NULL, "of the ground [m^2/Myr] [fassett2014]"},
    {"faded", "", 0.3, 0.0, 4.0, NULL, "kappa t/R^2 at which craters are no longer counted; 0: all are fresh"},
    {"depth", "", 0.196, 0.0, 0.5, NULL, "depth of a fresh crater from the rim, by diameter [pike1977]"},
    {"rim", "", 0.036, 0.0, 0.2, NULL, "height of a fresh rim, by diameter [pike1977]"},
    MAKE_ROUGH(2.0)};

// --- profile -------------------------------------------------------------------------------------

enum { NODES = 241, LEVELS = 33, STEPS = 24 };
static const double reach = 6.0; ///< of the profile [R]
static const double ejecta_end = 4.0;

/// Heights in units of R at r = reach i/(NODES - 1), for tau = faded (level/(LEVELS - 1))^2.
typedef struct Profile {
    double z[LEVELS][NODES];
    double faded;
} Profile;

static double fresh_height(double r, double depth, double rim)
{
    if (r < 1.0)
        return rim - depth + depth * r * r;
    return r < ejecta_end ? rim / (r * r * r) * (1.0 - make_smooth_step(2.0, ejecta_end, r)) : 0.0;
}

/// One implicit step of z_t = z_rr + z_r / r: finite volumes on rings, no flux at the centre, 0 far
/// away. Thomas elimination.
static void diffuse(double dt, double *z)
{
    const double h = reach / (NODES - 1);
    double c[NODES], d[NODES];
    for (int i = 0; i < NODES - 1; i++) {
        const double in = i > 0 ? (i - 0.5) * h : 0.0, out = (i + 0.5) * h;
        const double area = 0.5 * (out * out - in * in), a = -dt * in / (h * area), b = -dt * out / (h * area);
        const double pivot = 1.0 - a - b - (i > 0 ? a * c[i - 1] : 0.0);
        c[i] = b / pivot;
        d[i] = (z[i] - (i > 0 ? a * d[i - 1] : 0.0)) / pivot;
    }
    z[NODES - 1] = 0.0;
    for (int i = NODES - 2; i >= 0; i--)
        z[i] = d[i] - c[i] * z[i + 1];
}

static void fill_profile(Profile *p, double depth, double rim, double faded)
{
    p->faded = faded;
    for (int i = 0; i < NODES; i++)
        p->z[0][i] = fresh_height(reach * i / (NODES - 1), 2.0 * depth, 2.0 * rim);
    for (int level = 1; level < LEVELS; level++) {
        const double now = (double)level / (LEVELS - 1), before = (double)(level - 1) / (LEVELS - 1);
        for (int i = 0; i < NODES; i++)
            p->z[level][i] = p->z[level - 1][i];
        for (int k = 0; k < STEPS; k++)
            diffuse(faded * (now * now - before * before) / STEPS, p->z[level]);
    }
}

/// Height at r [R] of a crater of wear tau, by interpolation in r and in sqrt(tau); the fresh one
/// is exact.
static double profile_at(const Profile *p, double r, double tau, double depth, double rim)
{
    if (r >= reach)
        return 0.0;
    if (tau <= 0.0)
        return fresh_height(r, 2.0 * depth, 2.0 * rim);
    const double u = r / reach * (NODES - 1), v = fmin(sqrt(tau / p->faded), 1.0) * (LEVELS - 1);
    const int i = (int)fmin(u, NODES - 2), k = (int)fmin(v, LEVELS - 2);
    const double a = u - i, b = v - k;
    return (1.0 - b) * ((1.0 - a) * p->z[k][i] + a * p->z[k][i + 1]) +
           b * ((1.0 - a) * p->z[k + 1][i] + a * p->z[k + 1][i + 1]);
}

// --- numbers -------------------------------------------------------------------------------------

typedef struct Crater {
    double x, y, size, tau, birth; ///< birth: random order in time
} Crater;

/// N(>D) per m^2 of the laws, D in metres. Production hangs on the chronology of the Moon
/// [neukum2001]: N(1 km) = 5.44e-14 (exp(6.93 T) - 1) + 8.38e-4 T per km^2, T in Gyr, and the same
/// source's production polynomial leads to 100 m, N(100 m) = 10^3.540 N(1 km). From there the power
/// law goes on.
static double number_above(const Make *m, double diameter)
{
    const double b = m->v[EXPONENT], age = m->v[AGE];
    const double equilibrium = 0.079432823 / (diameter * diameter);
    const double at_km = 1e-6 * (5.44e-14 * (make_exp(6.93 * age) - 1.0) + 8.38e-4 * age);
    const double production = 3467.0 * at_km * make_pow(diameter / 100.0, -b);
    switch ((int)m->v[LAW]) {
    case LAW_PRODUCTION:
        return production;
    case LAW_EQUILIBRIUM:
        return equilibrium;
    case LAW_POWER:
        return m->v[DENSITY] * make_pow(diameter, -b);
    default:
        return fmin(production, equilibrium);
    }
}

/// Diameter above which there are n craters per m^2: bisection of the monotone law in ln D.
static double diameter_of(const Make *m, double n)
{
    double low = make_log(m->v[LOW]), high = make_log(m->v[HIGH]);
    for (int k = 0; k < 52; k++) {
        const double middle = 0.5 * (low + high);
        if (number_above(m, make_exp(middle)) > n)
            low = middle;
        else
            high = middle;
    }
    return make_exp(0.5 * (low + high));
}

static int by_birth(const void *a, const void *b)
{
    const double x = ((const Crater *)a)->birth, y = ((const Crater *)b)->birth;
    return (x > y) - (x < y);
}

static Crater draw(const Make *m, RiRng *rng, double margin, double most, double least)
{
    const double sx = 0.5 * m->v[MAKE_SIZE_X] + margin, sy = 0.5 * m->v[MAKE_SIZE_Y] + margin;
    Crater c;
    c.x = ri_rng_between(rng, -sx, sx);
    c.y = ri_rng_between(rng, -sy, sy);
    c.size = diameter_of(m, ri_rng_between(rng, least, most));
    c.birth = ri_rng_uniform(rng);
    const double wear = m->v[DIFFUSIVITY] * 1000.0 * m->v[AGE] / (0.25 * c.size * c.size);
    c.tau = (1.0 - c.birth) * fmin(wear, m->v[FADED]);
    return c;
}

/// A crater of the list reaches the map.
static bool is_near(const Make *m, const Crater *c)
{
    const double r = 0.5 * reach * c->size;
    return fabs(c->x) < 0.5 * m->v[MAKE_SIZE_X] + r && fabs(c->y) < 0.5 * m->v[MAKE_SIZE_Y] + r;
}

static RiStatus draw_all(Make *m, Crater **out, int *out_count)
{
    const double most = number_above(m, m->v[LOW]), least = number_above(m, m->v[HIGH]);
    const double margin = 0.5 * reach * m->v[HIGH];
    const double area = (m->v[MAKE_SIZE_X] + 2.0 * margin) * (m->v[MAKE_SIZE_Y] + 2.0 * margin);
    const double mean = (most - least) * area;
    if (!(mean < 0.9 * RI_MAKE_MOST_FEATURES))
        return ri_error(m->ctx, RI_ERR_LIMIT, "craters: %.3g craters between %g m and %g m, at most %d; raise low",
                        mean, m->v[LOW], m->v[HIGH], RI_MAKE_MOST_FEATURES);
    RiRng rng = make_stream(m, "craters");
    const int count = make_poisson(&rng, mean, RI_MAKE_MOST_FEATURES);
    Crater *craters = ri_arena_alloc(m->scratch, (size_t)count + 1, sizeof *craters);
    if (!craters)
        return ri_error_memory(m->ctx);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        craters[kept] = draw(m, &rng, margin, most, least);
        kept += is_near(m, &craters[kept]);
    }
    qsort(craters, (size_t)kept, sizeof *craters, by_birth);
    *out = craters;
    *out_count = kept;
    return RI_OK;
}

/// A new crater cuts into what was there: inside, half of the older relief goes with the ground
/// that is thrown out.
static void stamp(const Make *m, MakeField *f, const Profile *p, const Crater *c)
{
    const double radius = 0.5 * c->size;
    const double ground = make_field_at(f, c->x, c->y);
    const MakeWindow w = make_window(f, c->x, c->y, reach * radius);
    for (int j = w.j0; j <= w.j1; j++)
        for (int i = w.i0; i <= w.i1; i++) {
            const double dx = f->x0 + i * f->cell - c->x, dy = f->y0 + j * f->cell - c->y;
            const double r = sqrt(dx * dx + dy * dy) / radius;
            double *z = &f->z[(size_t)j * (size_t)f->nx + (size_t)i];
            const double fresh = 1.0 - (p->faded > 0.0 ? c->tau / p->faded : 0.0);
            const double cut = 0.5 * fresh * (1.0 - make_smooth_step(0.6, 1.2, r));
            *z += cut * (ground - *z) + radius * profile_at(p, r, c->tau, m->v[DEPTH], m->v[RIM]);
        }
}

static RiStatus run(Make *m)
{
    MakeField f;
    Crater *craters = NULL;
    int count = 0;
    if (!(m->v[LOW] < m->v[HIGH]))
        return make_refuse(m, "low is %g m, it must be less than high, %g m", m->v[LOW], m->v[HIGH]);
    RI_TRY(make_field(m, &f));
    RI_TRY(make_rough_ground(m, &f));
    RI_TRY(draw_all(m, &craters, &count));
    Profile *p = ri_arena_alloc(m->scratch, 1, sizeof *p);
    if (!p)
        return ri_error_memory(m->ctx);
    fill_profile(p, m->v[DEPTH], m->v[RIM], m->v[FADED]);
    RI_TRY(make_features(m, count));
    for (int i = 0; i < count; i++) {
        const Crater *c = &craters[i];
        stamp(m, &f, p, c);
        if (fabs(c->x) <= 0.5 * m->v[MAKE_SIZE_X] && fabs(c->y) <= 0.5 * m->v[MAKE_SIZE_Y])
            make_feature(m, (RiMadeFeature){"crater", {c->x, c->y, 0.0}, c->size, c->tau});
    }
    for (int i = 0; i < m->out->feature_count; i++) {
        RiVec3 *at = &m->out->features[i].position;
        at->z = make_field_at(&f, at->x, at->y);
    }
    return make_field_finish(m, &f);
}

const MakeKind make_craters = {.info = {.name = "craters",
                                        .about = "impact craters with production or steady-state numbers, worn by age",
                                        .sources = "Trask 1966; Moore et al. 1980; Neukum et al. 2001; Pike 1977; "
                                                   "McGetchin et al. 1973; Fassett & Thomson 2014",
                                        .gives = RI_MAKE_HEIGHTS,
                                        .params = params,
                                        .param_count = MAKE_COUNT(params)},
                               .run = run};
