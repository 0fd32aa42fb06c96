// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a lens darkens towards the edge of its image.
#ifndef RI_OPTICS_FILTER_LENS_H
#define RI_OPTICS_FILTER_LENS_H

typedef enum RiLensMapping {
    RI_LENS_PERSPECTIVE,  ///< r = f tan(theta)
    RI_LENS_EQUIDISTANT,  ///< r = f theta
    RI_LENS_EQUISOLID,    ///< r = 2 f sin(theta/2)
    RI_LENS_ORTHOGRAPHIC, ///< r = f sin(theta)
    RI_LENS_STEREOGRAPHIC ///< r = 2 f tan(theta/2)
} RiLensMapping;

/// Irradiance of the image at the angle theta [rad] from the axis, relative to the axis, of an
/// ideal lens whose pupil looks equally large from everywhere: E ~ cos(theta) dOmega/dA, with
/// dOmega/dA = sin(theta) dtheta / (r dr). cos^4 holds for perspective alone.
double ri_lens_falloff(RiLensMapping mapping, double theta);
/// Inverse of the mapping: the angle [rad] at r/f; NAN beyond the image.
double ri_lens_angle(RiLensMapping mapping, double r);

#endif
