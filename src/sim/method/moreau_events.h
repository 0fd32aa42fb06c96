// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact with impacts located in time: what moreau_events.c and moreau_phase.c share.
#ifndef RI_SIM_MOREAU_EVENTS_H
#define RI_SIM_MOREAU_EVENTS_H

#include "sim/method/moreau.h"

/// Gaps up to here are closed [m, rad]; speeds up to here are rest [m/s, rad/s].
static const double RI_EVENT_CLOSED = 1e-8, RI_EVENT_REST = 1e-8;

/// Contacts are numbered by the places of touches, then the stops.
struct RiEvents {
    RiIntegrator *integrator; // of smooth phases
    double *q, *v;            // beginning of the phase
    double *q1, *v1, *a1;     // scratch of rates
    bool *closed;             // [places, stops] in this phase
    bool *slides;             // [places] in this phase
    RiVec3 *ahead;            // [places] unit, where to, at the beginning of the phase
    double *below; // [places, stops] gap at the beginning of the phase if it is below zero: where something just left
    int places, closed_count;
    double length;       // of the phase [s]
    RiMoreauTouch *list; // [places, stops]
    int *of;             // [places] in list, -1
    double *before;      // [places] normal velocity a little earlier
    RiVec3 *left_over;   // [places] velocity at the beginning of the phase over its length: rounding that is taken back
    double *stop_left;   // [stops] the same
    RiVec3 *velocity;    // [places] velocity a little earlier
    int *met;            // [places] how often a touch was found a little earlier and later
    int stage;
    double work, lost;
    RiStatus status; // of a stage: RiEffortFn has none
    bool astray;     // reactions of a stage were not found: the phase is not to be used

    // in the state block
    double *out;  // see moreau_events.c
    double *held; // [places, stops] 1: closed in the last phase, 2: the same by time stepping, which leaves velocities
    double *wait; // [2] ticks that will go by time stepping, and how many did last time
};

// moreau_phase.c
/// d, and the touches, at a state.
RI_MUST_CHECK RiStatus ri_phase_stand_at(RiSim *s, const double *q, const double *v);
/// Forces of the closed contacts at (q, v), on d and added to tau; tau has the other efforts, whose
/// wrenches are on d already.
RI_MUST_CHECK RiStatus ri_phase_add_reactions(RiSim *s, const double *q, const double *v, double *tau);
/// Follows the phase that begins at q and v of the events to its end, an event or `left` later:
/// *out_tau, state in new_q and new_v.
RI_MUST_CHECK RiStatus ri_phase_follow(RiSim *s, double left, double *out_tau, bool *out_event);

#endif
