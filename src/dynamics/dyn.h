// SPDX-License-Identifier: Apache-2.0
/// \file
/// The workspace of the dynamics: one block, arrays grouped by the stage that writes them. Spatial
/// vectors are eight doubles (see simd6.h). Arrays over bodies have the world as their first
/// element: body b is at index b + 1.
#ifndef RI_DYNAMICS_DYN_H
#define RI_DYNAMICS_DYN_H

#include <stddef.h>
#include <stdint.h>

#include <rille/dynamics.h>

#include "base/assert.h"
#include "model/tree.h"

/// What the kernels need of a cluster, in one cache line.
typedef struct RiNode {
    int kind;   // RiClusterKind
    int parent; // index of the parent body in body arrays (0: world)
    int body;   // index of the first body in body arrays
    int nbody;
    int v, nv;
    int s, ns;
    int col; // first motion column
    int fac; // first entry of the factor
    int map; // first entry of G, -1
    int region;
    int parent_region; // region of the parent body; nregion for the world
    bool region_root;  // and the parent is a body: quantities cross a region border here
    bool first;        // processed first among the parent's children in backward passes: store, do not add
    bool at_world;     // hangs on the world
    bool rotor;        // symmetric leaves merged into the parent (see tree_kernel.c)
    bool free_root;    // a floating base without armature: solved directly
    bool leaf;         // no cluster hangs on it
    int depth;         // coordinates inward of it
    int inward;        // the last of them, -1
} RiNode;

/// Spanning coordinates that are plain copies of independent ones, and those that are sums of them.
typedef struct RiCopy {
    int sq, q, nq;
    int s, v, ns;
} RiCopy;

typedef struct RiTie {
    int sq, s;        // where the sum goes
    int first, count; // its terms
    double offset;
} RiTie;

typedef struct RiTerm {
    int q, v;
    double factor;
} RiTerm;

/// What the kernels need of a body that never changes, in four cache lines.
typedef struct RiHot {
    double tree_R[12]; // columns of the rotation of `tree`, padded
    double tree_p[4];
    double com[4]; // centre of mass, mass
    double J[12];  // columns of the inertia about the centre of mass, body axes, padded
    int type;      // RiJointType
    int sq, s, ns;
    int rev;
    int parent;        // index in body arrays
    int branched;      // has children that are not rotors: accumulators are in use
    int rotor, nrotor; // its rotor clusters, a range of RiDyn.rotor
    double spin;       // inertia about the joint axis
    int first_of_cluster;
    int tied; // a cluster of several bodies lies between it and the root
} RiHot;

/// One implementation of the hot loops, for one instruction set.
typedef struct RiKernels {
    const char *name;
    void (*place_root)(RiDyn *d);
    void (*position)(RiDyn *d);
    void (*velocity)(RiDyn *d);
    double (*twice_kinetic)(RiDyn *d, const double *v);
    void (*mean_power)(RiDyn *d, const double *a, double h, double out[3]);
    bool (*forward)(RiDyn *d, const double *tau, double *a);
    void (*inverse)(RiDyn *d, const double *a, double *tau);
    bool (*articulate)(RiDyn *d, bool only_roots);
    void (*apply_inverse)(RiDyn *d, double *x);
    void (*respond)(RiDyn *d, double *x);
    void (*mass_matrix)(RiDyn *d);
    void (*factor)(RiDyn *d);
    void (*solve)(const RiDyn *d, double *x);
    void (*link_jacobians)(RiDyn *d, double *J);
    void (*delassus)(RiDyn *d, int n, const RiPoint *points, int seen, const RiPoint *from, const int *of, double *W);
} RiKernels;

/// How far the derived quantities have come. Each stage includes those before it; every function
/// asserts the one that it needs.
typedef enum RiDynStage {
    RI_DYN_EMPTY,       ///< just created, or the last update_position failed
    RI_DYN_PLACED,      ///< update_position: poses, columns, inertias
    RI_DYN_MOVING,      ///< update_velocity: twists, bias accelerations
    RI_DYN_ACCELERATED, ///< forward or inverse: accelerations
    RI_DYN_CARRIED      ///< update_wrenches: what the joints carry
} RiDynStage;

/// Spring and damper of a joint's coordinate.
typedef struct RiJointSpring {
    double stiffness, damping, rest;
} RiJointSpring;

struct RiDyn {
    RiContext *ctx;
    const RiModel *m;
    RiKernels k;
    RiVec3 gravity;
    void *block;
    RiDynStage stage;
    bool shared;               // `share` belongs to this position: ri_dyn_mean_power
    bool factored;             // so does `L`: ri_dyn_factor
    bool elsewhere;            // inertias, columns and biases are in lanes (lanes.h): ri_dyn_own brings them here
    unsigned long long placed; // times that positions or velocities were updated

    // constant
    RiNode *node; // [nc]
    int *special; // [nspecial] nodes that extra inertia of joints changes beyond its sum
    int nspecial;
    RiHot *hot;   // [nb]
    int *rotor;   // clusters that are rotors, grouped by parent
    double *arm0; // [ns] armature
    double *arm;  // [ns] armature plus what an implicit step adds
    bool has_armature;
    RiJointSpring *own_spring;   // [ns] of the description
    const RiJointSpring *spring; // [ns] that act
    int *dof_parent;             // [nv] previous coordinate on the way to the root, -1
    int *dof_depth;              // [nv]
    size_t *row;                 // [nv + 1] start of each packed row of the mass matrix
    int *body_dof;               // [nb + 1] last coordinate that moves the body, -1
    RiCopy *copy;                // [ncopy]
    RiTie *tie;                  // [ntie]
    RiTerm *term;
    int ncopy, ntie;
    int *region_depth;  // [nregion] coordinates inward of the region
    int *region_parent; // [nregion] -1: none

    // position
    double *q;               // [nq] as given, dependent entries solved
    double *jq;              // [nsq] spanning positions
    double *angle, *sn, *cs; // [nrev, padded]
    double *pose;            // [nb + 1][16] columns of R_WB, position from the region's origin
    double *rigid;           // [nb + 1][48] inertia about the region's origin, world axes, rotors included; columns
    double *moment;          // [nb + 1][4] mass times centre of mass, mass
    double *col;             // [ncol][8] motion columns of the clusters' coordinates
    double *scol;            // [ns][8] motion columns of single joints, in clusters of several bodies
    double *origin;          // [nregion + 1][4] world positions; the last is the world's origin
    double *shift;           // [nregion][4] from the parent region's origin to this one's
    double *G;               // [nmap]
    RiLoopWork *loop;        // [nloop]

    // velocity
    double *v;    // [nv]
    double *js;   // [ns] spanning velocities
    double *jg;   // [ns] bias of the spanning accelerations
    double *vel;  // [nb + 1][8]
    double *bias; // [nb + 1][8] velocity-product acceleration relative to the cluster's parent
    double *gyro; // [nb + 1][8] velocity-product force

    // forces
    double *wrench;      // [nb + 1][8] external, about the region's origin
    double *link_wrench; // [nl][8]
    bool *wrench_on;     // [nb + 1] bodies that have one
    bool has_wrenches;
    double *extra;  // [nb + 1][48] what an implicit step adds to the inertias of bodies, about the region's origin
    bool *extra_on; // [nb + 1]
    bool has_extra;
    bool rotors; // symmetric leaves may be merged

    // acceleration
    double *a;     // [nv]
    double *acc;   // [nb + 1][8] with gravity as an upward acceleration of the world
    double *force; // [nb + 1][8] scratch of inverse, respond, apply_inverse and twice_kinetic
    double *share; // [nb + 1][8] what the accelerations of the last mean_power add to the bodies' twists; not of rotors
    double *IA;    // [nb + 1][48] articulated inertia of the children
    double *pA;    // [nb + 1][8]
    double *Z;     // [nv][8]
    double *fac;   // [nfac] L and 1/D
    double *u;     // [nv]
    int bad_cluster; // the one whose inertia was not positive, -1
    int articulated; // Z and the factors are valid: 0 no, 1 but for floating bases, 2 all

    // mass matrix
    double *comp; // [nb + 1][16] composite inertia
    double *H;    // packed rows
    double *L;    // packed rows of the factor, without the entries inside a cluster
    double *path; // [6][path_stride] motion columns from the root to the cluster at hand
    int path_stride;
    double *soa; // [6][soa_stride] motion columns side by side
    int soa_stride;
    unsigned char
        *moves; // [nb][moves_stride] four bits per byte: which coordinates move the body; NULL for huge robots
    size_t moves_stride;
    void *mass_block; // H and L

    // wrenches of joints
    double *carried;  // [nl][8]
    double *coupling; // [ns]
    double *lambda;   // [max rows]

    // contacts
    double *Y; // [nv][3 limit + 16]
    void *Y_block;
    int delassus_limit;
};

extern const RiKernels ri_kernels_generic;
#if defined(__x86_64__)
extern const RiKernels ri_kernels_avx2, ri_kernels_avx512;
#endif

/// The kernels for a name ("generic", "avx2", "avx512"), or the fastest mix this processor has for
/// NULL. False if it has not.
bool ri_kernels_find(const char *name, RiKernels *out);

/// A force in one joint coordinate, its slopes K = -dtau/dq and C = -dtau/dq' (friction: the
/// secant, see sim/step.c), and the parts of it that only dissipate and that have a potential.
typedef struct RiJointLoad {
    double tau, K, C, lost, stored;
} RiJointLoad;

/// Springs, dampers, friction and stops of a joint at one of its coordinates.
RiJointLoad ri_joint_passive(const RiJointSpec *j, const RiJointSpring *s, RiJointType type, double q, double v);
/// The same without stops.
RiJointLoad ri_joint_smooth(const RiJointSpec *j, const RiJointSpring *s, RiJointType type, double q, double v);
/// Springs and dampers in the place of the description's, [ns]; they must outlive d.
void ri_dyn_set_springs(RiDyn *d, const RiJointSpring *springs);
/// The position of ri_dyn_frame_pose.
RiVec3 ri_dyn_frame_position(const RiDyn *d, int frame);
/// ri_dyn_joint_acceleration of all spanning coordinates, [ns].
void ri_dyn_span_acceleration(const RiDyn *d, double *out_a);

/// v^T M v at the current position, for any v; armature included.
double ri_dyn_twice_kinetic(RiDyn *d, const double *v);

/// Powers of inertia and of gravity [W] at the mean velocity of a step that takes v to v + h a at
/// this position: v_m . (M a + bias) without gravity's part in the bias, and that part alone.
/// Armature is left out. Needs update_velocity.
typedef struct RiMeanPower {
    double inertia, gravity;
    double kinetic; // energy at the mean velocity, rotors' spin left out [J]
} RiMeanPower;
RiMeanPower ri_dyn_mean_power(RiDyn *d, const double *a, double h);
/// J a at a world point of a link, with the a of the last ri_dyn_mean_power at this position: what
/// a adds to the point's velocity in a unit of time. Not for links that are rotors.
RiVec3 ri_dyn_point_share(const RiDyn *d, int link, RiVec3 point_W);
/// The same with what it adds to the link's angular velocity.
RiSpatial ri_dyn_motion_share(const RiDyn *d, int link, RiVec3 point_W);

/// Implicit steps: stiffness and damping as inertia. `extra_s` (spanning_nv, NULL for none) is
/// added to the joints' armature until the next call.
void ri_dyn_set_joint_extra(RiDyn *d, const double *extra_s);
/// Forgets what was added to bodies.
void ri_dyn_clear_body_extra(RiDyn *d);
/// Adds J^T E J at a world point of a link, with J the point's Jacobian: E (3x3, symmetric,
/// positive semi-definite) resists the point's acceleration. The weight that gravity, carried as an
/// acceleration of the world, gives to it is taken off. Needs update_position and a workspace
/// without rotors.
void ri_dyn_add_point_extra(RiDyn *d, int link, RiVec3 point_W, const RiMat3 *E);
/// The same for many points of a link at once: the sum of J^T E J about the origin of the body's
/// region (columns of 8: angular 0 to 2, linear 4 to 6; NULL for none) and the wrench there, laid
/// out alike.
void ri_dyn_add_link_load(RiDyn *d, int link, const double *X, const double *wrench);
/// What forces on bodies do on top of all others, with the inertias of the last articulate: `force`
/// (RiDyn.force, [nb + 1][8] about the regions' origins) holds minus the wrenches on all bodies,
/// the world's entry included, and comes out with the accelerations that they add. `scratch` has nv
/// numbers.
void ri_dyn_respond(RiDyn *d, double *scratch);
/// Corrects the wrench that ri_dyn_update_wrenches takes for a link's external one, after the
/// solve.
void ri_dyn_correct_link_wrench(RiDyn *d, int link, const double *wrench);

/// What update_position and update_velocity do before and after the recursions, for lanes.
void ri_dyn_begin_place(RiDyn *d, const double *q, const double *v);
void ri_dyn_end_place(RiDyn *d);
/// Computes what was left in lanes: call it before anything but poses, twists, moments,
/// accelerations and shares is read.
void ri_dyn_recompute(RiDyn *d);
static inline void ri_dyn_own(const RiDyn *d)
{
    if (__builtin_expect(d->elsewhere, 0))
        ri_dyn_recompute((RiDyn *)(uintptr_t)d); // a workspace is never const itself
}

/// World position of a body's region origin.
static inline RiVec3 ri_region_origin(const RiDyn *d, int body)
{
    const double *o = d->origin + 4 * (body < 0 ? d->m->nregion : d->m->clusters[d->m->bodies[body].cluster].region);
    return ri_vec3(o[0], o[1], o[2]);
}

static inline RiSpatial ri_spatial_at(const double *x)
{
    return (RiSpatial){{x[0], x[1], x[2]}, {x[4], x[5], x[6]}};
}

static inline void ri_spatial_put(double *x, RiSpatial v)
{
    x[0] = v.ang.x, x[1] = v.ang.y, x[2] = v.ang.z, x[3] = 0.0;
    x[4] = v.lin.x, x[5] = v.lin.y, x[6] = v.lin.z, x[7] = 0.0;
}

#endif
