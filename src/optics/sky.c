// SPDX-License-Identifier: Apache-2.0
/// \file
/// Light of a scene: checks, the sky's table of directions, discs and lamps.
#include "optics/sky.h"
#include "base/functions.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "optics/quick.h"
#include "optics/sky_mars.h"

#define PI M_PI

enum { ROWS = 32, COLUMNS = 64 }; // of the upper hemisphere: equal steps of z and azimuth, so equal solid angles

/// What does not change from sample to sample of a disc.
typedef struct DiscTable {
    RiMat3 R;
    double low, width;       ///< squared sine of half the inner radius, and up to that of the outer one
    double outer;            ///< sine of the outer radius
    double density;          ///< [1/sr]
    double bright[RI_BANDS]; ///< radiance of its centre, or without limb darkening
} DiscTable;

struct RiLight {
    RiContext *ctx;
    RiLightDef def;
    DiscTable discs[RI_LIGHT_DISCS];
    RiMarsSky mars;
    double irradiance[RI_BANDS];      ///< of the sky on level ground
    double plain[RI_BANDS];           ///< radiance of the plain beyond the scene
    double share[ROWS * COLUMNS + 1]; ///< cumulated brightness of the cells, ends with 1
};

static const double CELL = 2.0 * PI / (ROWS * COLUMNS); // [sr]

// --- discs ---------------------------------------------------------------------------------------

RiDisc ri_disc_sun(RiVec3 toward, double distance)
{
    RiDisc d = {.toward = toward, .outer = ri_asin(RI_SUN_RADIUS / (distance * RI_ASTRONOMICAL_UNIT)), .limb = 0.6};
    for (int k = 0; k < RI_BANDS; k++)
        d.irradiance[k] = RI_SOLAR_CONSTANT / (distance * distance);
    return d;
}

RiDisc ri_disc_earth(RiVec3 toward, double phase)
{
    const double ratio = 6.371e6 / 3.844e8; // radius over distance
    const double lambert = (ri_sin(phase) + (PI - phase) * ri_cos(phase)) / PI;
    const double full = RI_SOLAR_CONSTANT * 0.434 * ratio * ratio;
    const double colour[RI_BANDS] = {0.90, 0.98, 1.12}; // bluish; the mean is 1
    RiDisc d = {.toward = toward, .outer = ri_asin(ratio)};
    for (int k = 0; k < RI_BANDS; k++)
        d.irradiance[k] = full * colour[k] * fmax(0.0, lambert);
    return d;
}

static double disc_solid_angle(const RiDisc *d)
{
    const double a = ri_sin(0.5 * d->outer), b = ri_sin(0.5 * d->inner); // 1 - cos x = 2 sin^2(x/2)
    return 4.0 * PI * (a * a - b * b);
}

/// Sine of the angle from the disc's centre, -1 on the other side of the sky. No cancellation near
/// the centre.
static double off_centre(const RiDisc *d, RiVec3 toward)
{
    return ri_dot(d->toward, toward) <= 0.0 ? -1.0 : ri_norm(ri_cross(d->toward, toward));
}

double ri_disc_density(const RiDisc *d, RiVec3 toward)
{
    const double s = off_centre(d, toward);
    return s < 0.0 || s > ri_sin(d->outer) || (d->inner > 0.0 && s < ri_sin(d->inner)) ? 0.0
                                                                                       : 1.0 / disc_solid_angle(d);
}

/// A facing area receives pi sin^2(radius) times the mean radiance.
void ri_disc_radiance(const RiDisc *d, RiVec3 toward, double out[RI_BANDS])
{
    out[0] = out[1] = out[2] = 0.0;
    if (ri_disc_density(d, toward) <= 0.0)
        return;
    const double a = ri_sin(d->outer), b = ri_sin(d->inner), x = off_centre(d, toward) / a;
    const double dark = (1.0 - d->limb * (1.0 - sqrt(fmax(0.0, 1.0 - x * x)))) / (1.0 - d->limb / 3.0);
    for (int k = 0; k < RI_BANDS; k++)
        out[k] = d->irradiance[k] * dark / (PI * (a * a - b * b));
}

RiVec3 ri_disc_sample(const RiDisc *d, double u1, double u2)
{
    const double a = ri_sin(0.5 * d->outer), b = ri_sin(0.5 * d->inner),
                 v = b * b + (a * a - b * b) * u1; // sin^2 of half the angle
    const double sine = 2.0 * sqrt(v * (1.0 - v)), phi = 2.0 * PI * u2;
    const RiMat3 R = ri_mat3_from_z(d->toward);
    return ri_rotate(&R, ri_vec3(sine * ri_cos(phi), sine * ri_sin(phi), 1.0 - 2.0 * v));
}

static void tabulate_disc(const RiDisc *d, DiscTable *t)
{
    const double a = ri_sin(0.5 * d->outer), b = ri_sin(0.5 * d->inner), outer = ri_sin(d->outer),
                 inner = ri_sin(d->inner);
    *t = (DiscTable){.R = ri_mat3_from_z(d->toward),
                     .low = b * b,
                     .width = a * a - b * b,
                     .outer = outer,
                     .density = 1.0 / disc_solid_angle(d)};
    for (int k = 0; k < RI_BANDS; k++)
        t->bright[k] = d->irradiance[k] / (PI * (outer * outer - inner * inner) * (1.0 - d->limb / 3.0));
}

void ri_light_disc(const RiLight *light, int i, double u1, double u2, RiVec3 *out_toward, double out_radiance[RI_BANDS],
                   double *out_density)
{
    const DiscTable *t = &light->discs[i];
    const double v = t->low + t->width * u1, sine = 2.0 * sqrt(v * (1.0 - v)), x = sine / t->outer;
    const double s = ri_sin(2.0 * PI * u2), c = ri_cos(2.0 * PI * u2);
    *out_toward = ri_rotate(&t->R, ri_vec3(sine * c, sine * s, 1.0 - 2.0 * v));
    const double dark = 1.0 - light->def.discs[i].limb * (1.0 - sqrt(fmax(0.0, 1.0 - x * x)));
    for (int k = 0; k < RI_BANDS; k++)
        out_radiance[k] = t->bright[k] * dark;
    *out_density = t->density;
}

void ri_light_quick_disc(const RiLight *light, int i, int rays, RiQuickDisc *out)
{
    const DiscTable *t = &light->discs[i];
    *out = (RiQuickDisc){.low = (float)t->low,
                         .width = (float)t->width,
                         .outer = (float)t->outer,
                         .limb = (float)light->def.discs[i].limb};
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++)
            out->R[3 * k + j] = (float)t->R.m[k][j];
        out->light[k] = (float)(t->bright[k] / (t->density * rays));
    }
}

/// The chord's area; for limb darkening u the flux is that of (1 - u) uniform + u mu, where mu
/// integrates over a half space of a hemisphere to 2/3 pi (1/2 + 3/4 x - x^3/4).
double ri_disc_above(double x, double limb)
{
    if (x >= 1.0 || x <= -1.0)
        return x >= 1.0 ? 1.0 : 0.0;
    const double flat = 0.5 + (x * sqrt(1.0 - x * x) + ri_asin(x)) / PI;
    const double dome = 0.5 + 0.75 * x - 0.25 * x * x * x;
    return ((1.0 - limb) * flat + limb * 2.0 / 3.0 * dome) / (1.0 - limb / 3.0);
}

// --- lamps ---------------------------------------------------------------------------------------

/// Smooth from 1 inside `full` to 0 at `edge`.
static double lamp_beam(const RiLamp *lamp, double cosine)
{
    const double a = ri_cos(lamp->full), b = ri_cos(lamp->edge);
    if (cosine >= a)
        return 1.0;
    if (cosine <= b)
        return 0.0;
    const double t = (cosine - b) / (a - b);
    return t * t * (3.0 - 2.0 * t);
}

void ri_lamp_light(const RiLamp *lamp, RiVec3 point, double u1, double u2, RiVec3 *out_toward, double *out_range,
                   double out[RI_BANDS])
{
    RiVec3 from = lamp->position;
    if (lamp->radius > 0.0) {
        const RiMat3 R = ri_mat3_from_z(lamp->direction);
        const double r = lamp->radius * sqrt(u1), phi = 2.0 * PI * u2;
        from = ri_add(from, ri_rotate(&R, ri_vec3(r * ri_cos(phi), r * ri_sin(phi), 0.0)));
    }
    const RiVec3 way = ri_sub(from, point);
    const double range = fmax(1e-6, ri_norm(way));
    *out_toward = ri_scale(1.0 / range, way);
    *out_range = range;
    const double beam = lamp_beam(lamp, -ri_dot(*out_toward, lamp->direction)) / (range * range);
    for (int k = 0; k < RI_BANDS; k++)
        out[k] = lamp->intensity[k] * beam;
}

// --- sky -----------------------------------------------------------------------------------------

void ri_sky_radiance(const RiLight *light, RiVec3 toward, double out[RI_BANDS])
{
    out[0] = out[1] = out[2] = 0.0;
    if (toward.z < 0.0) {
        memcpy(out, light->plain, sizeof light->plain);
        return;
    }
    switch (light->def.sky) {
    case RI_SKY_BLACK:
        return;
    case RI_SKY_UNIFORM:
        memcpy(out, light->def.uniform, sizeof light->def.uniform);
        return;
    case RI_SKY_MARS:
        ri_mars_sky_radiance(&light->mars, toward, out);
        return;
    }
}

const double *ri_sky_irradiance(const RiLight *light)
{
    return light->irradiance;
}

static RiVec3 cell_point(int cell, double a, double b)
{
    const double z = (cell / COLUMNS + a) / ROWS, phi = 2.0 * PI * (cell % COLUMNS + b) / COLUMNS;
    const double s = sqrt(fmax(0.0, 1.0 - z * z));
    return ri_vec3(s * ri_cos(phi), s * ri_sin(phi), z);
}

/// Brightness of each cell from 2 x 2 points, and the irradiance. A tenth of the samples goes over
/// the sky evenly, so that no bright spot between the points is left out.
static void tabulate(RiLight *l)
{
    double sum = 0.0, bright[ROWS * COLUMNS];
    for (int c = 0; c < ROWS * COLUMNS; c++) {
        bright[c] = 0.0;
        for (int i = 0; i < 4; i++) {
            double rgb[RI_BANDS];
            const RiVec3 w = cell_point(c, i < 2 ? 0.25 : 0.75, i % 2 ? 0.75 : 0.25);
            ri_sky_radiance(l, w, rgb);
            bright[c] += 0.25 * (rgb[0] + rgb[1] + rgb[2]);
            for (int k = 0; k < RI_BANDS; k++)
                l->irradiance[k] += 0.25 * rgb[k] * w.z * CELL;
        }
        sum += bright[c];
    }
    double at = 0.0;
    for (int c = 0; c < ROWS * COLUMNS && sum > 0.0; c++) {
        l->share[c] = at;
        at += 0.9 * bright[c] / sum + 0.1 / (ROWS * COLUMNS);
    }
    l->share[ROWS * COLUMNS] = sum > 0.0 ? 1.0 : 0.0;
}

bool ri_sky_sample(const RiLight *l, double u1, double u2, RiVec3 *out_toward, double *out_density)
{
    if (l->share[ROWS * COLUMNS] <= 0.0)
        return false;
    int low = 0, high = ROWS * COLUMNS;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (l->share[middle] <= u1)
            low = middle;
        else
            high = middle;
    }
    const double width = l->share[low + 1] - l->share[low];
    *out_toward = cell_point(low, fmin(0.999999, fmax(0.0, (u1 - l->share[low]) / width)), u2);
    *out_density = width / CELL;
    return true;
}

double ri_sky_density(const RiLight *l, RiVec3 w)
{
    if (l->share[ROWS * COLUMNS] <= 0.0 || w.z < 0.0)
        return 0.0;
    double turn = ri_atan2(w.y, w.x) / (2.0 * PI);
    turn -= floor(turn);
    const int row = (int)fmin(ROWS - 1, w.z * ROWS), column = (int)fmin(COLUMNS - 1, turn * COLUMNS);
    const int c = row * COLUMNS + column;
    return (l->share[c + 1] - l->share[c]) / CELL;
}

// --- life ----------------------------------------------------------------------------------------

static bool is_unit(RiVec3 v)
{
    return fabs(ri_dot(v, v) - 1.0) < 1e-6;
}

static bool all_positive(const double x[RI_BANDS])
{
    return x[0] >= 0.0 && x[1] >= 0.0 && x[2] >= 0.0 && x[0] + x[1] + x[2] < INFINITY;
}

static RiStatus check_disc(RiContext *ctx, const RiDisc *d, int i)
{
    if (!is_unit(d->toward))
        return ri_error(ctx, RI_ERR_ARGUMENT, "light: disc %d: its direction is not a unit vector", i);
    if (!(d->outer > 0.0 && d->outer < 1.5 && d->inner >= 0.0 && d->inner < d->outer))
        return ri_error(ctx, RI_ERR_ARGUMENT, "light: disc %d: radii %g and %g rad; allowed: 0 <= inner < outer < 1.5",
                        i, d->inner, d->outer);
    if (!all_positive(d->irradiance) || !(d->limb >= 0.0 && d->limb <= 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "light: disc %d: irradiance must be finite and >= 0, limb 0 to 1", i);
    return RI_OK;
}

static RiStatus check_lamp(RiContext *ctx, const RiLamp *lamp, int i)
{
    if (!is_unit(lamp->direction))
        return ri_error(ctx, RI_ERR_ARGUMENT, "light: lamp %d: its direction is not a unit vector", i);
    if (!(lamp->full >= 0.0 && lamp->full < lamp->edge && lamp->edge <= PI))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "light: lamp %d: half angles %g and %g rad; allowed: 0 <= full < edge <= pi", i, lamp->full,
                        lamp->edge);
    if (!all_positive(lamp->intensity) || !(lamp->radius >= 0.0 && lamp->radius < 1e3))
        return ri_error(ctx, RI_ERR_ARGUMENT, "light: lamp %d: intensity and radius must be finite and >= 0", i);
    return RI_OK;
}

static RiStatus check(RiContext *ctx, const RiLightDef *d)
{
    if (d->disc_count < 0 || d->disc_count > RI_LIGHT_DISCS || d->lamp_count < 0 || d->lamp_count > RI_LIGHT_LAMPS)
        return ri_error(ctx, RI_ERR_LIMIT, "light: %d discs and %d lamps; allowed: %d and %d", d->disc_count,
                        d->lamp_count, RI_LIGHT_DISCS, RI_LIGHT_LAMPS);
    for (int i = 0; i < d->disc_count; i++)
        RI_TRY(check_disc(ctx, &d->discs[i], i));
    for (int i = 0; i < d->lamp_count; i++)
        RI_TRY(check_lamp(ctx, &d->lamps[i], i));
    if (!(d->tau >= 0.0 && d->tau <= 20.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "light: tau = %g; allowed: 0 to 20", d->tau);
    if (!(d->ground_albedo >= 0.0 && d->ground_albedo <= 1.0) || !all_positive(d->uniform))
        return ri_error(ctx, RI_ERR_ARGUMENT, "light: ground albedo must be 0 to 1, a uniform sky finite and >= 0");
    if (d->sky == RI_SKY_MARS && d->disc_count == 0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "light: the sky of Mars needs a sun");
    return RI_OK;
}

RiStatus ri_light_create(RiContext *ctx, const RiLightDef *def, RiLight **out_light)
{
    *out_light = NULL;
    RI_TRY(check(ctx, def));
    RiLight *l = ri_alloc_zero(ctx, 1, sizeof *l);
    if (!l)
        return ri_error_memory(ctx);
    l->ctx = ctx;
    l->def = *def;
    if (def->sky == RI_SKY_MARS) {
        ri_mars_sky_init(&l->mars, &def->discs[0], def->tau, def->ground_albedo);
        for (int i = 0; i < def->disc_count; i++)
            for (int k = 0; k < RI_BANDS; k++)
                l->def.discs[i].irradiance[k] *= ri_exp(-def->tau * ri_mars_air_mass(def->discs[i].toward.z));
    }
    for (int i = 0; i < def->disc_count; i++)
        tabulate_disc(&l->def.discs[i], &l->discs[i]);
    tabulate(l);
    for (int k = 0; k < RI_BANDS && def->sky != RI_SKY_BLACK; k++) {
        double level = l->irradiance[k];
        for (int i = 0; i < def->disc_count; i++)
            level += l->def.discs[i].irradiance[k] * fmax(0.0, def->discs[i].toward.z);
        l->plain[k] = def->ground_albedo * level / PI;
    }
    *out_light = l;
    return RI_OK;
}

void ri_light_destroy(RiLight *light)
{
    if (light)
        ri_release(light->ctx, light);
}

const RiLightDef *ri_light_def(const RiLight *light)
{
    return &light->def;
}
