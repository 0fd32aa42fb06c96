// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a robot moves: kinematics and dynamics of a model, all recursive and O(N).
///
///     q --(update_position)--> poses, joint columns      v --(update_velocity)--> twists, bias accelerations
///     tau, wrenches --(forward)--> a                     a --(inverse)--> tau
///
/// Call order: update_position, then update_velocity, then the rest. Every function says what it
/// needs. Wrenches and twists are in world axes. No function allocates after ri_dyn_create().
///
/// The equations of motion in independent coordinates:  M(q) a + bias(q, v) = tau + sum J^T wrench,
/// where bias contains gravity, Coriolis and centrifugal terms. Passive joint forces (springs,
/// dampers, friction, stops) are *not* included: ri_dyn_passive_forces() computes them, to be added
/// to tau.
///
/// Threads and ownership: an RiDyn belongs to one thread; it keeps a pointer to the model, which
/// must outlive it.
#ifndef RILLE_DYNAMICS_H
#define RILLE_DYNAMICS_H

#include <rille/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiDyn RiDyn;

/// A workspace for one model, which must outlive it. RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_dyn_create(RiContext *ctx, const RiModel *model, RiDyn **out_dyn);
/// The same, with a choice: without `rotors` symmetric leaves are computed like any other body.
/// Same results to rounding.
RI_MUST_CHECK RiStatus ri_dyn_create_with(RiContext *ctx, const RiModel *model, bool rotors, RiDyn **out_dyn);
/// Destroys it; NULL does nothing.
void ri_dyn_destroy(RiDyn *d);
/// The model that it was created with.
const RiModel *ri_dyn_model(const RiDyn *d);

/// Chooses the kernels by name ("generic", "avx2", "avx512"); NULL: the best this processor has.
/// All give the same bits; this is for tests and benchmarks. RI_ERR_UNSUPPORTED if the processor
/// has not got them.
RI_MUST_CHECK RiStatus ri_dyn_set_kernels(RiDyn *d, const char *name);
/// Name of the kernels in use ("avx2").
const char *ri_dyn_kernels(const RiDyn *d);

/// Gravity in world axes [m/s^2]; (0, 0, -9.81) at create.
void ri_dyn_set_gravity(RiDyn *d, RiVec3 gravity);
/// Gravity as it was set, world axes [m/s^2].
RiVec3 ri_dyn_gravity(const RiDyn *d);

// --- state ---------------------------------------------------------------------------------------

/// Poses of all bodies from q (nq). Loop closures are solved by Newton iteration from the dependent
/// values in q; RI_ERR_NUMERIC names the loop if they cannot be closed (the poses are then
/// unspecified).
RI_MUST_CHECK RiStatus ri_dyn_update_position(RiDyn *d, const double *q);

/// Twists and bias accelerations from v (nv). Needs update_position.
void ri_dyn_update_velocity(RiDyn *d, const double *v);

/// Positions with the dependent loop coordinates as solved by the last update_position (nq).
void ri_dyn_get_q(const RiDyn *d, double *out_q);

/// dq/dt (nq), quaternions and dependent coordinates included. Needs update_velocity.
void ri_dyn_get_qdot(const RiDyn *d, double *out_qdot);

/// Spanning position, velocity and acceleration of a joint (nq, nv, nv numbers of the joint;
/// dependent joints included).
void ri_dyn_joint_position(const RiDyn *d, int joint, double *out_q);
/// Velocity of a joint. Needs update_velocity.
void ri_dyn_joint_velocity(const RiDyn *d, int joint, double *out_v);
/// Acceleration of a joint. Needs forward or inverse.
void ri_dyn_joint_acceleration(const RiDyn *d, int joint, double *out_a);

// --- frames --------------------------------------------------------------------------------------

/// Pose of a frame in the world. Needs update_position.
RiPose ri_dyn_frame_pose(const RiDyn *d, int frame);
/// Angular velocity and velocity of the frame's origin. Needs update_velocity.
RiSpatial ri_dyn_frame_velocity(const RiDyn *d, int frame);
/// Angular acceleration and acceleration of the frame's origin (gravity not included). Needs
/// forward or inverse.
RiSpatial ri_dyn_frame_acceleration(const RiDyn *d, int frame);
/// Jacobian of ri_dyn_frame_velocity: 6 x nv, row-major, angular rows first. Needs update_position.
void ri_dyn_frame_jacobian(const RiDyn *d, int frame, double *out_J);
/// dJ/dt v: the frame's acceleration at a = 0. Needs update_velocity.
RiSpatial ri_dyn_frame_bias(RiDyn *d, int frame);
/// Jacobians of all links' frames: link_count blocks of 6 x nv, each as ri_dyn_frame_jacobian gives
/// it. Needs update_position.
void ri_dyn_link_jacobians(RiDyn *d, double *out_J);

// --- forces --------------------------------------------------------------------------------------

/// Forgets all external wrenches.
void ri_dyn_clear_wrenches(RiDyn *d);
/// Adds a force [N] acting on a link at a world point, and a couple [N m]. Needs update_position.
void ri_dyn_add_wrench(RiDyn *d, int link, RiVec3 force_W, RiVec3 couple_W, RiVec3 point_W);

/// Passive joint forces in independent coordinates (nv): springs, viscous and Coulomb friction,
/// Hunt-Crossley stops. Needs update_velocity. `out_tau` is overwritten.
void ri_dyn_passive_forces(const RiDyn *d, double *out_tau);

/// Maps joint efforts in spanning coordinates (spanning_nv numbers) to independent ones: tau = G^T
/// tau_s.
void ri_dyn_map_efforts(const RiDyn *d, const double *tau_s, double *out_tau);

// --- dynamics ------------------------------------------------------------------------------------

/// Accelerations from efforts (ABA). Needs update_velocity. tau may be NULL (zero). RI_ERR_NUMERIC
/// names the body whose joint has no inertia.
RI_MUST_CHECK RiStatus ri_dyn_forward(RiDyn *d, const double *tau, double *out_a);

/// Efforts from accelerations (RNEA). Needs update_velocity. a may be NULL (zero): then out_tau is
/// the bias.
void ri_dyn_inverse(RiDyn *d, const double *a, double *out_tau);

/// One call each: update_position, update_velocity and forward or inverse.
RI_MUST_CHECK RiStatus ri_forward_dynamics(RiDyn *d, const double *q, const double *v, const double *tau,
                                           double *out_a);
/// The same for efforts from accelerations.
RI_MUST_CHECK RiStatus ri_inverse_dynamics(RiDyn *d, const double *q, const double *v, const double *a,
                                           double *out_tau);

/// Mass matrix (CRBA), nv x nv, both triangles. Needs update_position. `out_M` may be NULL: then
/// only the internal sparse form is computed. RI_ERR_LIMIT if the robot is so long that its rows
/// were not reserved at create (thousands of coordinates in one chain): see
/// ri_dyn_reserve_mass_matrix().
RiStatus ri_dyn_mass_matrix(RiDyn *d, double *out_M);
/// Sparse factor of the mass matrix, E diag(d) E^T, from the articulated inertias, in as many
/// operations as it has entries. Needs update_position (not mass_matrix).
RI_MUST_CHECK RiStatus ri_dyn_factor(RiDyn *d);
/// Makes room for the mass matrix and its factor (allocates).
RI_MUST_CHECK RiStatus ri_dyn_reserve_mass_matrix(RiDyn *d);
/// x <- M^-1 x. Needs factor.
void ri_dyn_solve(const RiDyn *d, double *x);

/// Articulated inertias without forces, for apply_inverse and delassus (O(N)). Needs
/// update_position.
RI_MUST_CHECK RiStatus ri_dyn_articulate(RiDyn *d);
/// x <- M^-1 x by the articulated inertias, O(N). Needs articulate.
void ri_dyn_apply_inverse(RiDyn *d, double *x);

/// A contact point for the Delassus matrix.
typedef struct RiPoint {
    int link;
    RiVec3 point_W; ///< [m]
} RiPoint;

/// W = J M^-1 J^T (3n x 3n, row-major, symmetric) for the velocities of n points in world axes.
/// Needs articulate. n is at most ri_dyn_delassus_limit() (64 at create).
void ri_dyn_delassus(RiDyn *d, int n, const RiPoint *points, double *out_W);
/// The same where velocities of some points are relative to other links: point of[i] as it is seen
/// from from[i] (i < seen), J = J_a - J_b. n + seen is at most the limit.
void ri_dyn_delassus_between(RiDyn *d, int n, const RiPoint *points, int seen, const RiPoint *from, const int *of,
                             double *out_W);
/// Most points that ri_dyn_delassus takes now.
int ri_dyn_delassus_limit(const RiDyn *d);
/// Grows the workspace of ri_dyn_delassus (allocates).
RI_MUST_CHECK RiStatus ri_dyn_reserve_delassus(RiDyn *d, int n);

// --- what the joints carry -----------------------------------------------------------------------

/// Wrenches transmitted by all joints, from the last forward or inverse and the tau belonging to it
/// (as spanning efforts, spanning_nv numbers; NULL for zero). Solves the loop forces (least norm
/// where the loops are redundant).
RI_MUST_CHECK RiStatus ri_dyn_update_wrenches(RiDyn *d, const double *tau_s);

/// Wrench that the parent side exerts on the child side of a joint, merged joints included: moment
/// about the joint's child frame origin and force, in world axes. Needs update_wrenches.
RiSpatial ri_dyn_joint_wrench(const RiDyn *d, int joint);

/// Generalised force that the couplings exert on a joint's coordinate (zero for a free joint).
/// Needs update_wrenches.
double ri_dyn_coupling_effort(const RiDyn *d, int joint);

// --- sums ----------------------------------------------------------------------------------------

/// Kinetic energy, armature included [J]. Needs update_velocity.
double ri_dyn_kinetic_energy(RiDyn *d);
/// Potential energy of gravity and joint springs, zero at the world's origin [J]. Needs
/// update_position.
double ri_dyn_potential_energy(const RiDyn *d);
/// Centre of mass in the world [m]. Needs update_position.
RiVec3 ri_dyn_com(const RiDyn *d);
/// Linear momentum [kg m/s] and angular momentum about the centre of mass [kg m^2/s].
RiSpatial ri_dyn_momentum(const RiDyn *d);

#ifdef __cplusplus
}
#endif
#endif
