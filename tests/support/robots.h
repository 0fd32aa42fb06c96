// SPDX-License-Identifier: Apache-2.0
/// \file
/// Random robots for tests: equal seeds give equal robots, so a failing tree can be built again
/// from its number.
///
///     seed --(robot_plan)--> RobotPlan --(robot_spec)--> RiSpec --(robot_open)--> Robot: model, dynamics, a random state
///
/// A Robot owns everything it points to. Functions that cannot go on (no memory, a spec that does
/// not compile) end the test program with a message: a test has nothing better to do.
#ifndef RI_TESTS_SUPPORT_ROBOTS_H
#define RI_TESTS_SUPPORT_ROBOTS_H

#include <rille/rille.h>

#include "base/rng.h"

#define ROBOT_ALL_TYPES                                                                                                \
    (1u << RI_JOINT_FIXED | 1u << RI_JOINT_REVOLUTE | 1u << RI_JOINT_CONTINUOUS | 1u << RI_JOINT_PRISMATIC |           \
     1u << RI_JOINT_UNIVERSAL | 1u << RI_JOINT_BALL | 1u << RI_JOINT_PLANAR | 1u << RI_JOINT_FREE)

/// What a random robot is like.
typedef struct RobotPlan {
    uint64_t seed;
    int links;       ///< besides the root
    double chain;    ///< probability that a link hangs on the one before it; else on any earlier one
    unsigned types;  ///< joint types that may occur, one bit each
    double one_axis; ///< share of revolute and prismatic joints (those of `types` share the rest)
    int couplings;   ///< number of linear couplings wanted
    double locked;   ///< share of locked joints
    double massless; ///< share of links without mass behind fixed joints
    double rotors;   ///< share of leaves that are symmetric about their joint axis (wheels, screws)
    bool armature;
    bool floating;
} RobotPlan;

/// A plan drawn from a seed: 2 to 200 bodies, all joint types, fixed or floating base, couplings.
RobotPlan robot_plan(uint64_t seed);

/// The spec of a plan; the caller destroys it.
RiSpec *robot_spec(RiContext *ctx, const RobotPlan *plan);

/// A model with a random state. q: positions; v, a, tau: independent velocities, accelerations,
/// efforts; tau_s: efforts of all joints (tau is their sum as the couplings map it).
typedef struct Robot {
    RobotPlan plan;
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiDyn *d;
    int nq, nv, ns, nl, nj;
    double *q, *v, *a, *tau, *tau_s;
    RiRng rng;
} Robot;

/// Builds a robot from a spec, which it takes over. `reduce` as in RiModelOptions.
Robot robot_open(RiContext *ctx, RiSpec *spec, bool reduce, uint64_t seed);
/// robot_plan, robot_spec and robot_open in a context of its own.
Robot robot_make(uint64_t seed);
Robot robot_from_plan(const RobotPlan *plan);
void robot_close(Robot *r);
/// Draws a new state. The dynamics is updated to it (position and velocity). Loops are followed as
/// far as they close.
void robot_randomize(Robot *r);

// --- spec helpers --------------------------------------------------------------------------------

/// Vector with entries in [-s, s).
RiVec3 random_vec3(RiRng *rng, double s);
RiVec3 random_unit(RiRng *rng);
RiMat3 random_rotation(RiRng *rng);
RiPose random_pose(RiRng *rng, double s);
/// A link of random mass, centre of mass and inertia (those of a turned box).
RiLinkSpec random_link(RiRng *rng, const char *name, double size);

/// Adds items or ends the program.
void spec_link(RiSpec *spec, const RiLinkSpec *link);
void spec_joint(RiSpec *spec, const RiJointSpec *joint);
void spec_loop(RiSpec *spec, const RiLoopSpec *loop);
void spec_couple(RiSpec *spec, const char *name, int count, const RiCouplingTerm *terms, double offset);
RiSpec *spec_new(RiContext *ctx, const char *name);
RiContext *context_new(void);

// --- numbers -------------------------------------------------------------------------------------

/// Zeroed array; free() it.
double *numbers(size_t n);
double largest(const double *x, int n);                             ///< max |x_i|
double largest_difference(const double *x, const double *y, int n); ///< max |x_i - y_i|; NaN if any is
/// max |x - y| / (1 + max |y|).
double relative_difference(const double *x, const double *y, int n);
double vec3_difference(RiVec3 a, RiVec3 b);
double spatial_difference(RiSpatial a, RiSpatial b);
double spatial_size(RiSpatial a);
/// Cholesky solution of A x = b (A is overwritten, x in place of b). False if A is not positive
/// definite.
bool cholesky_solve(int n, double *A, double *b);
/// Weights of the central difference of sixth order: f'(0) = sum_k w_k (f(k h) - f(-k h)) / h, k =
/// 1, 2, 3.
extern const double stencil[3];

// --- differences ---------------------------------------------------------------------------------

/// Poses and velocities of a frame along integrate(q, v, t) with v constant, t = k h, k = -3..3.
typedef struct Path {
    double h;
    RiPose pose[7];
    RiSpatial vel[7];
} Path;

Path robot_follow(Robot *r, int frame, double h);
/// Velocity by differences of the pose: linear part, and the angular one from R' R^T.
RiSpatial path_pose_rate(const Path *x);
/// Acceleration by differences of the velocity.
RiSpatial path_velocity_rate(const Path *x);
/// State at q moved by v t, v moved by a t; the dynamics is updated to it.
void robot_shift(Robot *r, const double *a, double t, double *q, double *v);
/// d/dt (kinetic + potential energy) by differences, less the power of tau and of a wrench on a
/// random link; relative.
double robot_energy_defect(Robot *r);

// --- mechanics, computed here and not by the library ---------------------------------------------

/// Newton-Euler: moment about the link's frame origin and force that the link needs for its motion,
/// gravity not included. Uses the spec's mass properties and the library's frame pose, velocity and
/// acceleration.
RiSpatial robot_link_inertia_force(const Robot *r, int link);

/// Condition number of the mass matrix at the current position, in the largest-row norm. Rounding
/// one number of the input moves accelerations by eps times this: no two algorithms can be asked to
/// agree better.
double robot_condition(const Robot *r);

/// External wrenches, one per link (zero allowed): couple and force acting at `point`.
typedef struct LinkWrench {
    RiVec3 force, couple, point;
} LinkWrench;

/// What a link needs beyond joints, gravity and external wrenches: moment about its frame origin
/// and force. Zero unless a loop closure acts on it. `extra` may be NULL. Needs
/// ri_dyn_update_wrenches.
RiSpatial robot_link_residual(const Robot *r, int link, const LinkWrench *extra);

/// Motion of a joint's coordinate k about the child frame's origin, in world axes, from poses and
/// the spec alone.
RiSpatial robot_joint_axis(const Robot *r, int joint, int k);

#endif
