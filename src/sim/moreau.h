// SPDX-License-Identifier: Apache-2.0
/// \file
/// What located impacts (moreau_events.c) use of time stepping (step_moreau.c): its contact problem, its projection and its reports.
#ifndef RI_SIM_MOREAU_H
#define RI_SIM_MOREAU_H

#include "sim/internal.h"

/// A touch of the current d that takes part in a contact problem.
typedef struct RiMoreauTouch {
    int touch;
    RiVec3
        rate; ///< its velocity before an impact [m/s], or the rate of its velocity without reactions [m/s^2]; tangential part
    double normal_rate; ///< the same along the normal
    double bound;       ///< least normal velocity or rate with reactions
} RiMoreauTouch;

/// Solves for the reactions of touches: impulses [N s] or forces [N]. `h` is the time that makes last step's impulses a guess for these: 1 for forces.
RI_MUST_CHECK RiStatus ri_moreau_react(RiSim *s, const RiMoreauTouch *list, int count, double h);
/// Puts them on d as wrenches, times a factor.
void ri_moreau_put(RiSim *s, double factor);
/// Adds to velocities what they do as impulses. d stands still afterwards.
RI_MUST_CHECK RiStatus ri_moreau_bump(RiSim *s, double *v);
/// There are none.
void ri_moreau_forget(RiSim *s);
/// The end of a step of length h whose reactions are forces at q and v: reports, projection, new_q and new_v.
RI_MUST_CHECK RiStatus ri_moreau_finish(RiSim *s, double h);
/// How a wheel on soil slips, linearised about an impulse (moreau_soil.c).
typedef struct RiMoreauSlip {
    double friction;  ///< limit over load
    double D[3];      ///< of its tangents: 11, 12, 22 [1/kg]
    double offset[2]; ///< [m/s]
} RiMoreauSlip;
RiMoreauSlip ri_moreau_slip(const RiTouch *t, RiVec3 last, RiVec3 t1, RiVec3 t2, double h);
/// Rolling resistance of wheels on soil with the loads of the last step's impulses [places]: on d, and after the solution into the books.
void ri_moreau_put_drags(RiSim *s, const RiVec3 *last, double h);
void ri_moreau_book_drags(RiSim *s, const RiVec3 *last, double h);

/// Whether a joint may reach one of its stops within h.
bool ri_moreau_nears_stop(const RiSim *s, double h);

#endif
