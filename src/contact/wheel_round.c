// SPDX-License-Identifier: Apache-2.0
/// \file
/// The tread of a wheel as a rounded circle.
///
/// A wheel's tread is an arc of radius R across its width (a crown; flat: its edges only), turned
/// about the axle. Ground of normal n touches it where its own normal is -n. With the lean gamma of
/// n to the wheel's plane, sin gamma = -n . a, that is
///
///     v = clamp(R sin gamma, low, high),    rho(v) = r - (R - sqrt(R^2 - v^2))
///
/// from the wheel's middle along the axle a, and from the axle. Two ways to find that:
///
/// - Where one normal is all there is (a plane), a circle of radius rho - t cos gamma, v - t sin
///   gamma along the axle, swept by a ball of radius t, has the same point with the same normal. So
///   it is on other ground without heights, with the normal nearest to the hub.
/// - Over a height field the wheel is a rigid body of three parts, each a circle swept by a ball: the
///   arc (circle of radius r - R, ball R), which the ground touches with a lean from gamma_low to
///   gamma_high, and beyond it a rounding of radius t at either end that goes on from the arc with
///   the same tangent. A rigid body takes and gives no energy by changing its shape.
///
/// A flat tread is a circle at either edge, rounded by t, there. Tests: tests/contact/test_rim.c;
/// dynamic against kinematic heights in `rille validate rover`.
#include <math.h>

#include "contact/rim.h"

/// How far a place of the tread is from the axle.
static double tread_at(const RiFeature *f, double v)
{
    return f->radius - f->crown + sqrt(fmax(0.0, f->crown * f->crown - v * v));
}

static double cosine(double sine)
{
    return sqrt(fmax(0.0, 1.0 - sine * sine));
}

RiTread ri_wheel_tread(const RiFeature *f, double lean)
{
    if (!(f->crown > 0.0))
        return (RiTread){.radius = f->radius - f->tube, .ball = f->tube};
    const double v = f->crown * lean, end = v < f->low ? f->low : f->high, at = end / f->crown;
    if (v >= f->low && v <= f->high)
        return (RiTread){.radius = f->radius - f->crown, .ball = f->crown};
    return (RiTread){.radius = tread_at(f, end) - f->tube * cosine(at), .along = end - f->tube * at, .ball = f->tube};
}

void ri_wheel_round(const RiContacts *c, int i, RiVec3 centre, RiVec3 axis, const RiVec3 *normal, RiRound *out)
{
    const RiFeature *f = &c->features[i];
    *out = (RiRound){.centre = centre, .radius = f->radius - f->tube};
    const bool tread = f->width > 0.0 && (f->crown > 0.0 || (f->tube > 0.0 && c->flat));
    if (!tread || !normal || ri_rim_by_heights(c, i, axis))
        return;
    const double lean = fmax(-1.0, fmin(1.0, -ri_dot(*normal, axis)));
    const double v = f->crown > 0.0 ? fmax(f->low, fmin(f->high, f->crown * lean)) : 0.0;
    const double rho = f->crown > 0.0 ? tread_at(f, v) : f->radius;
    out->radius = rho - f->tube * cosine(lean);
    out->centre = ri_add(centre, ri_scale(v - f->tube * lean, axis));
}
