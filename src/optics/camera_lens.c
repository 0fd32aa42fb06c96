// SPDX-License-Identifier: Apache-2.0
/// \file
/// Radial functions of lenses: y = x (1 + a polynomial of x^2), for Brown-Conrady with eight
/// coefficients over another one.
///
/// A lens is usable up to the first place where y stops growing. Below it the inverse is unique; it
/// is found by Newton's steps inside a bracket that every step shrinks, so it ends for any
/// coefficients. Tests: tests/optics/test_camera.c.
#include <math.h>

#include "base/functions.h"
#include "optics/camera_lens.h"

/// Polynomial in s with its derivative.
static double polynomial(const double *a, int count, double s, double *out_slope)
{
    double p = 0.0, d = 0.0;
    for (int i = count - 1; i >= 0; i--) {
        d = d * s + p;
        p = p * s + a[i];
    }
    *out_slope = d;
    return p;
}

static double brown_radius(const RiCamera *c, double x, double *out_slope)
{
    const double up[4] = {1.0, c->k[0], c->k[1], c->k[4]}, down[4] = {1.0, c->k[5], c->k[6], c->k[7]};
    const double s = x * x;
    double dn, dd;
    const double n = polynomial(up, 4, s, &dn), d = polynomial(down, 4, s, &dd);
    if (!(d > 0.0)) { // at a pole of the quotient the lens ends
        *out_slope = -INFINITY;
        return INFINITY;
    }
    *out_slope = n / d + 2.0 * s * (dn * d - n * dd) / (d * d);
    return x * n / d;
}

static double even_radius(const double *a, int count, double x, double *out_slope)
{
    double d;
    const double p = polynomial(a, count, x * x, &d);
    *out_slope = p + 2.0 * x * x * d;
    return x * p;
}

double ri_lens_radius(const RiCamera *c, double x, double *out_slope)
{
    switch (c->model) {
    case RI_CAMERA_BROWN_CONRADY:
        return brown_radius(c, x, out_slope);
    case RI_CAMERA_KANNALA_BRANDT:
        return even_radius((const double[]){1.0, c->k[0], c->k[1], c->k[2], c->k[3]}, 5, x, out_slope);
    case RI_CAMERA_CAHVOR:
    case RI_CAMERA_CAHVORE:
        return even_radius((const double[]){1.0 + c->R[0], c->R[1], c->R[2]}, 3, x, out_slope);
    case RI_CAMERA_PINHOLE:
    case RI_CAMERA_EQUIDISTANT:
    case RI_CAMERA_CAHV:
    case RI_CAMERA_MODEL_COUNT:
        break;
    }
    *out_slope = 1.0;
    return x;
}

static double slope_at(const RiCamera *c, double x)
{
    double slope;
    (void)ri_lens_radius(c, x, &slope);
    return slope;
}

/// The place between `low`, where the function grows, and `high`, where it does not.
static double bisect_turn(const RiCamera *c, double low, double high)
{
    for (int i = 0; i < 80; i++) {
        const double middle = 0.5 * (low + high);
        if (slope_at(c, middle) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void ri_lens_find_turn(RiCamera *c, double end)
{
    enum { STEPS = 4096 };
    double last = 0.0, slope;
    c->turn = c->turn_back = INFINITY;
    if (!(slope_at(c, 0.0) > 0.0))
        c->turn = 0.0;
    for (int i = 1; i <= STEPS && c->turn == INFINITY; i++) {
        // fine near the axis, growing steps towards an end that may be far
        const double x = end * ri_expm1(8.0 * i / STEPS) / ri_expm1(8.0);
        if (!(slope_at(c, x) > 0.0))
            c->turn = bisect_turn(c, last, x);
        last = x;
    }
    if (c->turn == INFINITY && c->model != RI_CAMERA_BROWN_CONRADY && end < 1e3)
        c->turn = end; // an angle has an end of its own
    if (c->turn < INFINITY)
        c->turn_back = ri_lens_radius(c, c->turn, &slope);
}

/// A bracket of the inverse: below the turn, or grown until the value is passed.
static bool bracket(const RiCamera *c, double radius, double *out_high)
{
    double slope;
    if (c->turn < INFINITY) {
        *out_high = c->turn;
        return radius <= c->turn_back;
    }
    double high = 1.0;
    for (int i = 0; i < 64 && ri_lens_radius(c, high, &slope) < radius; i++)
        high *= 2.0;
    *out_high = high;
    return ri_lens_radius(c, high, &slope) >= radius;
}

bool ri_lens_inverse(const RiCamera *c, double radius, double *out_x)
{
    double low = 0.0, high;
    *out_x = 0.0;
    if (!(radius >= 0.0) || !bracket(c, radius, &high))
        return false;
    double x = radius < high ? radius : high;
    for (int i = 0; i < 100; i++) {
        double slope;
        const double error = ri_lens_radius(c, x, &slope) - radius;
        if (error > 0.0)
            high = x;
        else
            low = x;
        double next = x - error / slope;
        if (!(next >= low && next <= high))
            next = 0.5 * (low + high);
        if (fabs(next - x) <= 1e-16 * x || high - low <= 1e-16 * high) {
            x = next;
            break;
        }
        x = next;
    }
    *out_x = x;
    return true;
}
