// SPDX-License-Identifier: Apache-2.0
/// \file
/// Flexible links: a beam is cut into rigid segments with elastic hinges between them.
///
///     RiSpec with a rigid link --(ri_spec_flex)--> RiSpec with a chain of segments --> RiModel, O(n) as any tree
///
/// Theory and errors: docs/theory/dynamics.md#flexible-links. Threads and ownership: as for RiSpec.
#ifndef RILLE_FLEX_H
#define RILLE_FLEX_H

#include <rille/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_FLEX_SEGMENTS = 64, RI_FLEX_MODES = 6 }; ///< most of them

/// How a link bends and twists along one of its axes.
typedef struct RiFlexDef {
    const char *link;  ///< its frame is where it is clamped
    int axis;          ///< along which it extends: 0 x, 1 y, 2 z of the link's frame; default 0
    double length;     ///< from the frame's origin on, negative: against the axis [m]
    double bending[2]; ///< E I about the next axis and the one after it (axis x: about y, about z) [N m^2]
    double torsion;    ///< G J [N m^2]
    double damping;    ///< ratio of damping to stiffness [s]; default 0
    int segments;      ///< hinges along the beam, 1 to RI_FLEX_SEGMENTS; default 6
    int modes;         ///< 0: every hinge moves by itself; else shapes per way, at most RI_FLEX_MODES and `segments`
    RiSource source;
} RiFlexDef;
/// The defaults that its fields name.
RiFlexDef ri_flex_default(void);

/// Cuts a link. Bending or torsion of 0 or INFINITY: the beam is stiff that way. The link keeps its
/// name for the part at its frame; hinge k of n is at (k - 1/2) length / n, its joints are LINK_twist_k
/// and, with axis x, LINK_bend_y_k and LINK_bend_z_k, and the part beyond it is LINK_k. The mass is
/// spread with the linear density that has its centre of mass, the rest of the inertia in proportion
/// to it. What is on the link (joints, shapes, frames, sensors, wheels ...) goes with the part that
/// its origin is on; boxes and cylinders along the beam are cut with it. The frame LINK_tip is at its
/// end. With `modes` the hinges are coupled, so that the curvature is a polynomial with that many terms:
/// fewer coordinates, and no high frequencies. RI_ERR_NOT_FOUND without the link, RI_ERR_MODEL where its mass cannot be spread
/// along the length. Call it before the model is built, once for a link.
RI_MUST_CHECK RiStatus ri_spec_flex(RiSpec *spec, const RiFlexDef *def);

#ifdef __cplusplus
}
#endif
#endif
