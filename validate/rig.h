// SPDX-License-Identifier: Apache-2.0
/// \file
/// A rig: one robot on a test stand - spec, model, dynamics, integrator and state with one
/// lifetime.
///
///     ri_rig_use(run, name, gravity, build, experiment, user):  build(rig) fills the spec, experiment(rig) moves it
///
/// The root link is called "world" and is fixed; bodies that fly hang on it by a free joint.
#ifndef RI_STUDY_RIG_H
#define RI_STUDY_RIG_H

#include <rille/sim.h>

#include "validate/validate.h"

typedef struct RiRig {
    RiValidation *run;
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiDyn *dyn;
    RiIntegrator *it;
    double time;
    double *q, *v;         // state
    double *old_q, *old_v; // state before the last step
    double *block;         // holds the four
    void *user;            // of ri_rig_use
} RiRig;

typedef RiStatus (*RiRigFn)(RiRig *rig);

/// Makes a rig, calls both functions and takes everything down again, whatever fails.
RI_MUST_CHECK RiStatus ri_rig_use(RiValidation *run, const char *name, RiVec3 gravity, RiRigFn build,
                                  RiRigFn experiment, void *user);

// --- for build -----------------------------------------------------------------------------------

/// Adds a link; inertia is about com.
RI_MUST_CHECK RiStatus ri_rig_link(RiRig *rig, const char *name, double mass, RiVec3 com, RiMat3 inertia);
/// Adds a joint `<child>` between two links: its frame is at `origin` in the parent, with the
/// parent's axes.
RI_MUST_CHECK RiStatus ri_rig_joint(RiRig *rig, RiJointType type, const char *parent, const char *child, RiVec3 origin,
                                    RiVec3 axis, double position);
/// Closes a loop by a ball or revolute joint about z between two points given in their links.
RI_MUST_CHECK RiStatus ri_rig_close(RiRig *rig, RiLoopType type, const char *a, RiVec3 point_a, const char *b,
                                    RiVec3 point_b);
/// Ties two joints:  factor_a q_a + factor_b q_b = 0.
RI_MUST_CHECK RiStatus ri_rig_couple(RiRig *rig, const char *a, double factor_a, const char *b, double factor_b);

/// Diagonal matrix.
RiMat3 ri_diagonal(double x, double y, double z);

// --- for experiments -----------------------------------------------------------------------------

/// First entry of a joint in q and v (the joint must have one).
double *ri_rig_q(RiRig *rig, const char *joint);
double *ri_rig_v(RiRig *rig, const char *joint);
int ri_rig_joint_index(const RiRig *rig, const char *joint);

/// Brings rig->dyn to the present state.
RI_MUST_CHECK RiStatus ri_rig_update(RiRig *rig);
/// Kinetic and potential energy at the present state [J].
RI_MUST_CHECK RiStatus ri_rig_energy(RiRig *rig, double *out_energy);

/// One step of length h.
RI_MUST_CHECK RiStatus ri_rig_step(RiRig *rig, double h);
/// Equal steps of at most h to time t_end, then ri_rig_update.
RI_MUST_CHECK RiStatus ri_rig_run(RiRig *rig, double t_end, double h);

/// Steps of length h until value(rig) changes its sign; *out_time is when it did, to rounding: the
/// last step is repeated with fractions of its length found by the regula falsi (Illinois). The rig
/// ends at the end of that step. RI_ERR_NUMERIC if nothing happens before `limit`.
typedef double (*RiRigValue)(RiRig *rig);
RI_MUST_CHECK RiStatus ri_rig_cross(RiRig *rig, double h, double limit, RiRigValue value, double *out_time);

#endif
