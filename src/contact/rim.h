// SPDX-License-Identifier: Apache-2.0
/// \file
/// Circles that touch in several places: what rim.c and rim_heights.c share.
#ifndef RI_CONTACT_RIM_H
#define RI_CONTACT_RIM_H

#include "contact/contacts.h"

/// Where a circle is. Over a height field u points down and v along.
typedef struct RiRim {
    RiVec3 centre, axis, u, v;
    double radius; ///< without the rounding
    const RiFeature *feature;
} RiRim;

/// An angle along a circle, with its cosine and sine.
typedef struct RiRimAngle {
    double angle, cosine, sine; ///< [rad]
} RiRimAngle;

enum { RI_RIM_PROBES = 6 };
/// Where a circle that touches is probed for further ground, as angles from the touch.
extern const RiRimAngle ri_rim_probes[RI_RIM_PROBES];

/// The part of a wheel's tread that looks towards some ground: a circle swept by a ball.
typedef struct RiTread {
    double radius; ///< of the circle; negative: beyond the axle
    double along;  ///< of its centre along the axle, from the rim's
    double ball;   ///< radius of the ball
} RiTread;

/// The part of the tread whose normals have a sine of lean to the wheel's plane (wheel_round.c).
RiTread ri_wheel_tread(const RiFeature *f, double lean);

/// Directions of two touches of one circle are further apart than this: cosine of 12 degrees.
static const double RI_RIM_SAME = 0.978;
/// The same for exact contact, which has no stiffness that two touches would double: cosine of 2
/// degrees.
static const double RI_RIM_SAME_EXACT = 0.9994;
/// Share of the curvature beyond which a circle might touch twice that is made use of.
static const double RI_RIM_ALONE = 0.8;

/// Whether two points are in the same direction from a circle's centre.
bool ri_rim_is_same(const RiRim *r, RiVec3 p, RiVec3 q, double same);
/// All touches of an upright circle over a height field, the deepest ones if there are more than
/// places for them; a normal to start from, and the normals of the last touches in all places.
/// Returns how many.
int ri_rim_touch_heights(const RiContacts *c, int feature, int slot, RiVec3 normal, double margin, const RiVec3 *held,
                         const RiTouchWork *w, RiTouch *touches);

#endif
