// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a rover's eyes make of the ground: range points, from three sources behind one call.
///
///     terrain, by a wedge of rays with range error and missing data  |
///     picture pairs of the scene, matched                            |--> points in axes of the root link --> map
///     lidar of the scene                                             |
///
/// Test: tests/onboard/test_vision.c.
#ifndef RI_ONBOARD_DRIVE_VISION_H
#define RI_ONBOARD_DRIVE_VISION_H

#include "device/ports.h"

/// A wedge of rays as a pair of hazard cameras sees it. Rays with equal steps of tangent across and
/// of angle down, as images have them.
typedef struct RiWedge {
    RiVec3 at;              ///< of the eye in axes of the root link [m]
    double pitch;           ///< of the middle of the view, downwards [rad]
    bool back;              ///< looks backwards
    double across, upright; ///< full fields of view [rad]
    int columns, rows;
    double least, most; ///< ranges that are measured [m]
    double error;       ///< deviation of a range of 1 m; grows with its square, as that of stereo [1/m]
    double missing;     ///< share of the points that are not found
} RiWedge;

/// Points in axes of the root link, at most `room`; `number` tells the wedges of an update apart.
/// Points behind others are not seen.
int ri_vision_wedge(const RiDeviceCall *call, const RiWedge *wedge, int number, RiVec3 *out, int room);

/// Where a ray through a point of the ground plane meets the ground: its height above that plane
/// [m]; NAN: nothing within reach. `at` and `aim` are in axes of the root link, where the plane is
/// z = `level`.
double ri_vision_stripe(const RiDeviceCall *call, RiVec3 at, RiVec3 aim, double level, double error, int k);

#endif
