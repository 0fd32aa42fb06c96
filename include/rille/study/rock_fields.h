// SPDX-License-Identifier: Apache-2.0
/// \file
/// Drives through random rock fields: does a navigating rover ever hit something, and how often
/// does it arrive?
///
///     scene, abundance, seed --(ri_rock_field_drive)--> reason, way, belly clearance, steps of wheels
///
/// The judge sees the true terrain at every tick, the rover only what its eyes give it. Test:
/// tests/study/test_rock_fields.c.
#ifndef RILLE_STUDY_ROCK_FIELDS_H
#define RILLE_STUDY_ROCK_FIELDS_H

#include <rille/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiRockDrive {
    double cover; ///< share of the ground under rocks, k of Golombek and Rapp
    int field;    ///< seed; where the rover would be set down on rocks, a later one is taken
    // answers
    int skipped;             ///< fields left out because the rover would have been set down on rocks
    int reason;              ///< `nav.reason`; -1: all of them were such fields
    double way, time;        ///< [m], [s]
    double clearance;        ///< least of the belly over the ground [m]
    double step;             ///< largest rise of a wheel within its own radius of way [m]
    double tilt;             ///< largest [rad]
    bool collided;           ///< belly below 0, a step beyond the limit, or no stance
    unsigned long long hash; ///< of the state at the end
} RiRockDrive;

/// Largest step that a wheel of MER may take [m]: its diameter, 0.26 m.
extern const double ri_rock_step_limit;

/// Drives through one field: `scene` is a path to mer_gestalt.yaml. Fills the answers.
RI_MUST_CHECK RiStatus ri_rock_field_drive(RiContext *ctx, const char *scene, RiRockDrive *drive);
/// Many, with several threads (0: all processors), each with a context of its own; the first error
/// is returned.
RI_MUST_CHECK RiStatus ri_rock_field_drives(RiContext *ctx, const char *scene, int threads, RiRockDrive *drives,
                                            int count);

#ifdef __cplusplus
}
#endif
#endif
