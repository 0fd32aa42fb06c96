// SPDX-License-Identifier: Apache-2.0
/// \file
/// One rover, several contact models: where it slides and tips, how it slips on slopes, which steps
/// it climbs.
///
///     cases (what is done to the rover) --(each model: ours by a scene, others by their programs)--> traces --(one judge)--> numbers
///
/// A case holds everything that a model is told: friction, step, and two broken lines over
/// time, the tilt of gravity and the speed of the wheels. The ground is level; gravity tilts, so
/// that a trace is in axes of the ground. The judge sees traces only and does not know whose they
/// are.
///
/// Threads and ownership: a case and a trace are the caller's; ri_contact_trace_free releases what
/// a trace holds.
#ifndef RILLE_STUDY_CONTACT_MODELS_H
#define RILLE_STUDY_CONTACT_MODELS_H

#include <stdbool.h>

#include <rille/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_CONTACT_CASES = 32, RI_CONTACT_POINTS = 4 };

typedef enum RiContactTask {
    RI_CONTACT_SLIDE, ///< brakes on, tilts until it slides
    RI_CONTACT_TIP,   ///< brakes on, tilts until it falls over
    RI_CONTACT_SLOPE, ///< drives up a slope
    RI_CONTACT_STEP   ///< drives against a step
} RiContactTask;

/// A broken line over time: constant before its first point and after its last.
typedef struct RiContactLine {
    double t[RI_CONTACT_POINTS], y[RI_CONTACT_POINTS];
    int count;
} RiContactLine;
/// Its value at time t [s].
double ri_contact_line_at(const RiContactLine *line, double t);

typedef struct RiContactCase {
    RiContactTask task;
    char name[32];
    double level;          ///< what is varied: friction [-], slope [rad] or height of the step [m]
    double friction;       ///< [-]
    double height;         ///< of the step [m]
    double distance;       ///< to the step [m]
    bool aside;            ///< gravity pulls to the right (-y); else backwards (-x)
    RiContactLine tilt;    ///< of gravity [rad]
    RiContactLine drive;   ///< speed of the wheels [rad/s]
    double brake;          ///< stiffness that holds the wheels [N m/rad]
    int stations;          ///< circles per wheel of our models
    double duration;       ///< [s]
    double closed;         ///< critical angle by statics [rad]; NAN: none is known
    const char *closed_by; ///< its formula
} RiContactCase;

/// What is needed of the rover, from its description.
typedef struct RiContactRover {
    double mass;       ///< [kg]
    RiVec3 com;        ///< of all links, in axes of the base, on its grousers [m]
    double radius;     ///< of the wheels with grousers [m]
    double half_track; ///< to the outer edges of the wheels [m]
    double rear;       ///< where the rear axle is, in axes of the base [m]
} RiContactRover;

enum { RI_CONTACT_PERIOD_MS = 20 }; ///< between samples

typedef struct RiContactSample {
    double t, tilt;          ///< [s], [rad]
    double x, y, z;          ///< origin of the chassis [m]
    double roll, pitch, yaw; ///< [rad]
    double turned;           ///< mean angle of the wheels [rad]
} RiContactSample;
enum { RI_CONTACT_NUMBERS = 9 }; ///< of a sample

typedef struct RiContactTrace {
    RiContactSample *list;
    int count, room;
    double cpu; ///< processor time [s]; 0: not known
} RiContactTrace;

/// Appends a sample.
RI_MUST_CHECK RiStatus ri_contact_trace_add(RiContext *ctx, RiContactTrace *trace, const RiContactSample *sample);
/// Releases the arrays of a trace.
void ri_contact_trace_free(RiContext *ctx, RiContactTrace *trace);

typedef struct RiContactResult {
    /// SLIDE, TIP: critical angle [rad]; SLOPE: slip [-]; STEP: time until the rear wheels are up
    /// [s]; NAN: did not happen
    double value;
    double beside; ///< SLIDE, TIP: creep before [m/s]; SLOPE: way [m]; STEP: largest pitch [rad]
} RiContactResult;

/// All cases of the study; `quick`: few of them. Returns how many.
int ri_contact_plan(bool quick, const RiContactRover *rover, RiContactCase out_cases[RI_CONTACT_CASES]);
/// Measures the rover of a scene.
RI_MUST_CHECK RiStatus ri_contact_measure(RiContext *ctx, const char *scene, RiContactRover *out_rover);
/// One case with one of our methods: "implicit" or "moreau". `trace` is emptied first.
RI_MUST_CHECK RiStatus ri_contact_run(RiContext *ctx, const char *scene, const char *integrator, const RiContactCase *c,
                                      RiContactTrace *trace);
/// What a trace says about a case; NAN for an empty one.
RiContactResult ri_contact_judge(const RiContactCase *c, const RiContactRover *rover, const RiContactTrace *trace);

#ifdef __cplusplus
}
#endif
#endif
