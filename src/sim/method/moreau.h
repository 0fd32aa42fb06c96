// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inside of exact contact (RI_METHOD_MOREAU): its workspace, and what its files ask of each
/// other.
///
///     moreau_gather  who takes part  ->  moreau_problem  W, solution  ->  step_moreau  motion  ->  moreau_report  ->  moreau_project
///
/// moreau_events.c parts a step at impacts into phases (moreau_phase.c); moreau_located.c is what
/// they use of all this. moreau_soil.c: wheels by Terzaghi's traction.
#ifndef RI_SIM_MOREAU_H
#define RI_SIM_MOREAU_H

#include <rille/cone.h>

#include "sim/force/touches.h"

/// Gaps up to here count as closed [m, rad].
static const double RI_MOREAU_CLOSED = 1e-8;
/// Positions are corrected from this depth on [m, rad].
static const double RI_MOREAU_TOO_DEEP = 5e-9;
/// More friction than this counts as this: a cone of 89.9 degrees.
static const double RI_MOREAU_ROUGHEST = 1e3;

/// A stop of a joint.
typedef struct RiMoreauStop {
    int s, sq;
    double limit, sign; ///< gap = sign (q - limit)
    double restitution;
} RiMoreauStop;

/// A contact of the step at hand: a touch, or a stop.
typedef struct RiMoreauContact {
    int touch, stop; ///< -1
    double gap;      ///< at the middle of the step
    double bound;    ///< least normal velocity after the step
    int other;       ///< link that the touch is seen from; -1: the ground
    RiVec3 normal, t1, t2;
    double u[3]; ///< free velocity: normal, tangents
    double bond; ///< impulse that it can pull with before it comes off [N s]
    bool holds;  ///< after the solution: it presses, or its bond is not broken
    double D[3]; ///< of wheels on soil: velocity by which the tangents give way to an impulse, 11, 12, 22
    bool slides; ///< in a direction that is known: its friction is `along` times its normal reaction
    double along[2];

    // moreau_rebound.c
    int island;         ///< first contact of those that feel each other
    double rebound;     ///< by Newton's law [m/s]
    double part;        ///< of the first: how much of it they have,
    double least, most; ///< the bounds of that,
    double gain, floor; ///< work of their impulses with the whole of it and, if positive, with nothing of it
} RiMoreauContact;

enum {
    RI_MOREAU_OUT_CONTACTS,
    RI_MOREAU_OUT_ITERATIONS,
    RI_MOREAU_OUT_RESIDUAL,
    RI_MOREAU_OUT_PROJECTED,
    RI_MOREAU_OUT_LIFTED,
    RI_MOREAU_OUT_COUNT
};

struct RiMoreau {
    RiConeSolver *solver;
    int limit;
    RiMoreauStop *stops;
    int stop_count;
    int not_converged, too_deep, lessened, too_rough, gains, inside; // validity flags

    int n, points; // contacts; those before `points` are touches
    RiMoreauContact *contacts;
    RiPoint *at;
    int seen;          // touches of two links
    RiPoint *from;     // [seen] their points on the other link,
    int *seen_of;      // [seen] and their contacts
    double *world, *W; // 3n x 3n: in world axes, in the contacts' own
    double scale;      // mean of W's diagonal, by which it is divided
    double *q, *mu, *across, *r, *u;
    double *rows, *columns; // [stops that are closed][nv] J^T and M^-1 J^T
    double *rest, *moved;   // [nv]
    bool *closing;          // [touches, then stops] takes part in this step
    RiVec3 *free, *guess;   // [touches] free velocity, impulse to start from
    double *stop_free;      // [stops]
    int *info_of;           // [places] its touch_info, -1
    RiConeResult result;

    // in the state block
    RiVec3 *reaction;   // [places] impulse of the last step, world axes [N s]
    double *stop_force; // [stops] the same [N s, N m s]
    double *out;        // [RI_MOREAU_OUT_COUNT]
};

/// A reaction or velocity from a contact's axes to those of the world.
static inline RiVec3 ri_moreau_in_world(const RiMoreauContact *c, const double *r)
{
    return ri_add(ri_scale(r[0], c->normal), ri_add(ri_scale(r[1], c->t1), ri_scale(r[2], c->t2)));
}

/// Gap of a stop at the current d [m, rad].
static inline double ri_moreau_stop_gap(const RiSim *s, int i)
{
    const RiMoreauStop *p = &s->moreau->stops[i];
    return p->sign * (s->d->jq[p->sq] - p->limit);
}

/// Its rate [m/s, rad/s].
static inline double ri_moreau_stop_speed(const RiSim *s, int i)
{
    const RiMoreauStop *p = &s->moreau->stops[i];
    return p->sign * s->d->js[p->s];
}

/// What the accelerations of the last ri_dyn_mean_power add to a touch's velocity in a unit of
/// time.
static inline RiVec3 ri_moreau_share(const RiSim *s, const RiTouch *t)
{
    const RiContactLink *links = s->contacts->links;
    const RiVec3 share = ri_dyn_point_share(s->d, links[t->slot].link, t->point);
    return t->other < 0 ? share : ri_sub(share, ri_dyn_point_share(s->d, links[t->other].link, t->point));
}

// moreau_create.c
/// Workspace of exact contact, its part of the state block (the reactions of the last step) and its
/// named values.
RI_MUST_CHECK RiStatus ri_moreau_create(RiSim *s);
void ri_moreau_destroy(RiSim *s);
void ri_moreau_lay_out(RiSim *s, char *block, size_t *at);
RI_MUST_CHECK RiStatus ri_moreau_name(RiSim *s);
// step_moreau.c
/// A step of time stepping, to new_q and new_v.
RI_MUST_CHECK RiStatus ri_moreau_step(RiSim *s, double h);
// moreau_events.c
/// The same for located impacts; all do nothing where options.events is 0.
RI_MUST_CHECK RiStatus ri_events_create(RiSim *s);
void ri_events_destroy(RiSim *s);
void ri_events_lay_out(RiSim *s, char *block, size_t *at);
RI_MUST_CHECK RiStatus ri_events_name(RiSim *s);
/// A step in phases between located impacts, to new_q and new_v.
RI_MUST_CHECK RiStatus ri_events_step(RiSim *s, double h);

// moreau_gather.c
/// Touches and stops that the free motion closes in a step of length h. After ri_dyn_mean_power of
/// the free accelerations.
void ri_moreau_mark_closing(RiSim *s, double h);
/// Those that the reactions of the others would close; whether there are any. After
/// ri_dyn_mean_power of the accelerations.
bool ri_moreau_mark_more(RiSim *s, double h);
/// The problem of all that was marked.
RI_MUST_CHECK RiStatus ri_moreau_gather(RiSim *s, double h);
/// Adds a stop to a problem: gap, free velocity, least velocity.
RI_MUST_CHECK RiStatus ri_moreau_add_stop(RiSim *s, int stop, double gap, double u, double bound);
/// The axes of a contact from its normal, and the points of contact n on its link or links.
void ri_moreau_choose_tangents(const RiTouch *t, RiMoreauContact *c);
void ri_moreau_place(RiSim *s, const RiTouch *t);
/// Friction of a touch that slips, up to RI_MOREAU_ROUGHEST; more is reported.
double ri_moreau_friction(RiSim *s, const RiTouch *t, double pressing, RiVec3 slip);
/// The error of more contacts than there is room for.
RI_MUST_CHECK RiStatus ri_moreau_too_many(RiSim *s);

// moreau_problem.c
/// q of the problem from the contacts' free velocities, bounds and bonds; returns its size. After
/// ri_moreau_assemble where contacts have bonds.
double ri_moreau_set_free(RiMoreau *x);
/// W, and the guess in its units, bonds added.
RI_MUST_CHECK RiStatus ri_moreau_assemble(RiSim *s);
RiConeProblem ri_moreau_problem(const RiMoreau *x);
/// Solves from the guess, then from nothing; false: neither came to the tolerance.
bool ri_moreau_try(RiMoreau *x, double tolerance);
/// The same to the tolerance of the options: what is not solved is reported, what is useless is an
/// error.
RI_MUST_CHECK RiStatus ri_moreau_solve(RiSim *s);
/// Reactions to SI units, bonds taken off: what acts.
void ri_moreau_unscale(RiMoreau *x);
/// Puts reactions, times a factor, on the robot as forces: wrenches, and efforts of stops added to
/// tau (nv).
void ri_moreau_put(RiSim *s, double factor, double *tau);

// moreau_rebound.c
/// Lessens rebounds of a solved problem of velocities until its impulses give no energy. d is
/// at the velocities before.
RI_MUST_CHECK RiStatus ri_moreau_limit_rebounds(RiSim *s);

// moreau_project.c
/// new_q out of the ground; d and the touches are there afterwards. Reports if the energy that
/// this puts in becomes too much.
RI_MUST_CHECK RiStatus ri_moreau_project(RiSim *s);
/// q out of the ground before the books begin; reported where it is moved.
RI_MUST_CHECK RiStatus ri_moreau_place_start(RiSim *s);

// moreau_report.c
/// Reactions to keep, and the touches as they are reported.
void ri_moreau_report(RiSim *s, double h);
/// Depths at the step's end for the reported touches and in their sums.
void ri_moreau_report_depths(RiSim *s);
/// Work of the reactions. After ri_sim_account.
void ri_moreau_account(RiSim *s, double h);
/// The reactions of the last step as wrenches on d, for sensors.
void ri_moreau_apply_reactions(RiSim *s);

// moreau_soil.c
/// How a wheel on soil slips, linearised about an impulse (moreau_soil.c).
typedef struct RiMoreauSlip {
    double friction;  ///< limit over load
    double D[3];      ///< of its tangents: 11, 12, 22 [1/kg]
    double offset[2]; ///< [m/s]
} RiMoreauSlip;
RiMoreauSlip ri_moreau_slip(const RiTouch *t, RiVec3 last, RiVec3 t1, RiVec3 t2, double h);
/// Rolling resistance of wheels on soil with the loads of the last step's impulses [places]: on d,
/// and after the solution into the books.
void ri_moreau_put_drags(RiSim *s, const RiVec3 *last, double h);
void ri_moreau_book_drags(RiSim *s, const RiVec3 *last, double h);

// moreau_located.c
/// A touch or a stop at the current d that takes part in a contact problem.
typedef struct RiMoreauTouch {
    int touch, stop;    ///< one of them is -1
    RiVec3 rate;        ///< tangential velocity before an impact [m/s], or its rate without reactions [m/s^2]
    double normal_rate; ///< the same along the normal
    double bound;       ///< least normal velocity or rate with reactions
    RiVec3 slide;       ///< where it slides to: friction is against that, not against the rate; zero: it does not
} RiMoreauTouch;

/// Solves for the reactions of touches and, behind them in the list, stops: impulses [N s] or
/// forces [N]. `h` is the time that makes last step's impulses a guess for these: 1 for forces.
/// *out_settled says whether they were found; where it is NULL the policy of ri_moreau_solve holds.
RI_MUST_CHECK RiStatus ri_moreau_react(RiSim *s, const RiMoreauTouch *list, int count, double h, bool *out_settled);
/// Power that these forces take [W]: sliding, and what is left of velocities that should be zero.
double ri_moreau_loss(const RiSim *s);
/// Adds to velocities what they do as impulses. d is at rest afterwards.
RI_MUST_CHECK RiStatus ri_moreau_bump(RiSim *s, double *v);
/// There are none.
void ri_moreau_forget(RiSim *s);
/// The end of a step of length h whose reactions are forces at q and v: reports, projection, new_q
/// and new_v.
RI_MUST_CHECK RiStatus ri_moreau_finish(RiSim *s, double h);

#endif
