// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inside of RI_METHOD_CVODE: a step (step_cvode.c), and its Newton matrix (newton_cvode.c).
#ifndef RI_SIM_CVODE_H
#define RI_SIM_CVODE_H

#include "sim/internal.h"
#include "sim/method/ode_cvode.h"

/// Where CVODE was started, in the state block; the state there follows. The block does not hold
/// CVODE's history: a resumed run repeats the same steps from there.
typedef struct RiOdeStart {
    long long steps; // since then, each of the length h; 0: nothing to go on from
    double h;
    uint64_t inputs; // hash of what acts on the robot from outside the state
    uint64_t left;   // hash of the state as the last step left it
} RiOdeStart;

typedef struct RiNewton RiNewton;

struct RiCvode {
    RiOde *ode;
    RiNewton *newton;
    int n;              // length of y
    double *y, *y_rate; // [n] q, v, work, loss, deflections
    RiOdeStart live;    // what the history of `ode` belongs to,
    double *live_from;  // [n] and from where
    bool again;         // steps are repeated: nobody looks
    double books[2];    // work and loss in y at the beginning of the step
    RiSimHead head;     // at the beginning of the step
    // in the state block
    RiOdeStart *start;
    double *from; // [n] y there
};

/// y' for CVODE; leaves d at y.
RI_MUST_CHECK RiStatus ri_sim_ode_rates(void *sim, double t, const double *y, double *out_rate);

// newton_cvode.c
RI_MUST_CHECK RiStatus ri_sim_create_newton(RiSim *s);
/// The matrix I - gamma J of CVODE's Newton iteration at y, and the solution of a system with it
/// (docs/theory/cvode.md). For RiOdeProblem.
RI_MUST_CHECK RiStatus ri_sim_prepare_newton(void *sim, double t, const double *y, const double *ydot, double gamma);
RI_MUST_CHECK RiStatus ri_sim_solve_newton(void *sim, const double *r, double *out_z);

#endif
