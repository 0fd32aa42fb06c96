// SPDX-License-Identifier: Apache-2.0
/// \file
/// The compiled model, as the algorithms see it: flat arrays in tree order.
///
///     links --(merged)--> bodies --(tied)--> clusters, numbered so that parents come first
///
/// Each body has an internal frame: the frame of the link whose joint moves it, turned so that the
/// axis of a one-axis joint (or the normal of a planar joint) is z. `tree` is the frame the body
/// has at q = 0, given in its parent body's frame.
///
/// **Spanning coordinates** s are the velocities of all joints, in body order; v are the
/// independent ones. In every cluster  s' = G v,  s'' = G v' + g;  G is the identity except in
/// clusters with couplings or loops.
///
/// **Regions.** Spatial quantities are in world axes about a point shared by a *region*: a part of
/// the tree at most RI_REGION_DEPTH bodies deep. One point for a whole robot makes every transform
/// vanish from the recursions, but costs precision as (distance / link size)^2; regions keep that
/// bounded for robots of any length, at one shift per region.
#ifndef RI_MODEL_TREE_H
#define RI_MODEL_TREE_H

#include <stdint.h>

#include <rille/model.h>

#include "base/memory.h"
#include "base/names.h"

enum { RI_REGION_DEPTH = 32 };

typedef struct RiLinkData {
    const char *name;
    int body;    // -1: fixed to the world
    int parent;  // link, -1: world
    int joint;   // joint above it
    RiPose pose; // link frame in the body frame (in the world for body -1)
    double mass;
    RiVec3 com;     // in the body frame
    RiMat3 inertia; // about com, body axes
} RiLinkData;

typedef struct RiJointData {
    RiJointSpec spec;
    int parent_link, child_link;
    int body; // the body it moves, -1 if merged
    bool merged;
    int q, v; // first entry in q and v, -1 if absent
} RiJointData;

typedef struct RiBodyData {
    int parent; // body, -1: world
    int cluster;
    int joint; // joint that moves it
    int link;  // link that gives it its name
    RiJointType type;
    int sq, nq; // spanning positions
    int s, ns;  // spanning velocities
    int rev;    // number among the one-axis revolute joints, -1 otherwise
    int q, v;   // those of its joint
    RiPose tree;
    RiVec3 axis[2]; // universal: axes at q = 0, in the body frame
    double mass;
    RiVec3 com;
    RiMat3 inertia;
} RiBodyData;

/// How a cluster is computed.
typedef enum RiClusterKind {
    RI_CLUSTER_ONE,    // one body, one coordinate
    RI_CLUSTER_SINGLE, // one body, 0 to 6 coordinates
    RI_CLUSTER_LINEAR, // several bodies, constant map G
    RI_CLUSTER_LOOP    // several bodies, loop closures: G depends on position
} RiClusterKind;

typedef struct RiClusterData {
    RiClusterKind kind;
    int parent;      // body it hangs on, -1: world
    int body, nbody; // its bodies
    int v, nv;       // independent velocities
    int q, nq;       // positions in q
    int s, ns;       // spanning velocities
    int region;
    bool region_root;     // starts its region
    int col;              // first motion column: nv columns per body, bodies in order
    int fac;              // first entry of its nv x nv factor
    int map;              // first entry of its ns x nv map G; -1 for one-body clusters
    const int *s_of_v;    // [nv] local spanning index of each independent coordinate
    const double *offset; // [ns] linear clusters: constant part of the positions of one-coordinate joints
    int loop;             // index into RiModel.loops, -1
} RiClusterData;

/// A loop closure inside a cluster, frames given in the bodies (body -1: the cluster's parent body,
/// or the world).
typedef struct RiClosure {
    const char *name;
    RiSource source;
    RiLoopType type;
    int body_a, body_b; // local index in the cluster; -1: the cluster's parent
    int link_a, link_b;
    RiPose pose_a, pose_b;
    double distance;
    int row, rows; // its equations
    // One over the size of the mechanism: lengths are measured in it, so that equations compare
    // [1/m]
    double per_length;
} RiClosure;

/// A linear coupling as equations of a loop cluster: sum factor q = offset (rows after those of the
/// closures).
typedef struct RiLinearRow {
    const int *s; // local spanning indices
    const double *factor;
    int count;
    double offset;
} RiLinearRow;

typedef struct RiLoopData {
    const RiClosure *closures;
    const RiLinearRow *linear;
    int closure_count, linear_count;
    int rows;
    const int *dependent; // [ns - nv] local spanning indices solved for
    const int *local_sq;  // [nbody] offset of each body's positions in the cluster's spanning positions
    const int *sq_of_s;   // [ns] the same for each spanning velocity's joint
    int nsq;              // spanning positions of the cluster
} RiLoopData;

typedef struct RiFrameData {
    const char *name;
    int link;
    int body;
    RiPose pose; // in the body frame (in the world for body -1)
} RiFrameData;

struct RiModel {
    RiContext *ctx;
    RiArena arena;
    const char *name;
    bool floating;
    int nl, nj, nb, nc, nf;
    int nq, nv, ns, nsq;
    int ncol, nfac, nmap; // sizes of the workspace arrays indexed by RiClusterData
    int nrev, nregion, nloop;
    int max_loop_rows, max_loop_ns;
    double mass;
    RiLinkData *links;
    RiJointData *joints;
    RiBodyData *bodies;
    RiClusterData *clusters;
    RiFrameData *frames;
    RiLoopData *loops;
    double *map;     // constant maps G of linear clusters (loop clusters: G at the initial position)
    double *q0;      // initial positions
    int *link_order; // links, parents first
    int *v_body;     // body whose joint owns each v
    int *rev_sq;     // [nrev] spanning position of each one-axis revolute joint
    const char **q_names, **v_names;
    RiNames link_names, joint_names, frame_names;
    bool plain; // no clusters of several bodies: spanning and independent coordinates are the same
};

// --- joint.c: one joint --------------------------------------------------------------------------

/// Whether the last four positions of a joint are a unit quaternion.
static inline bool ri_joint_has_quat(RiJointType type)
{
    switch (type) {
    case RI_JOINT_BALL:
    case RI_JOINT_FREE:
        return true;
    case RI_JOINT_FIXED:
    case RI_JOINT_REVOLUTE:
    case RI_JOINT_CONTINUOUS:
    case RI_JOINT_PRISMATIC:
    case RI_JOINT_UNIVERSAL:
    case RI_JOINT_PLANAR:
    case RI_JOINT_TYPE_COUNT:
        break;
    }
    return false;
}

/// How many positions of a joint are plain numbers whose rates are its velocities; a quaternion
/// follows them.
static inline int ri_joint_plain_nq(RiJointType type)
{
    return ri_joint_type_nq(type) - (ri_joint_has_quat(type) ? 4 : 0);
}

/// How many of a joint's motion columns are fixed in the parent; the others are fixed in the body.
static inline int ri_joint_columns_in_parent(RiJointType type)
{
    switch (type) {
    case RI_JOINT_UNIVERSAL:
        return 1;
    case RI_JOINT_PLANAR:
        return 2;
    case RI_JOINT_FREE:
        return 3;
    case RI_JOINT_FIXED:
    case RI_JOINT_REVOLUTE:
    case RI_JOINT_CONTINUOUS:
    case RI_JOINT_PRISMATIC:
    case RI_JOINT_BALL:
    case RI_JOINT_TYPE_COUNT:
        break;
    }
    return 0;
}

/// Whether all quaternions in q are unit ones: for asserts.
bool ri_model_is_normalized(const RiModel *m, const double *q);

/// Pose of a body in its parent body's frame from its joint's positions.
RiPose ri_joint_pose(const RiBodyData *b, const double *q);

/// q moved by the joint velocity v for time h.
void ri_joint_integrate(RiJointType type, const double *q, const double *v, double h, double *out_q);

/// dq/dt from the joint velocity.
void ri_joint_qdot(RiJointType type, const double *q, const double *v, double *out_qdot);

/// Joint velocity that takes q0 to q1 in unit time.
void ri_joint_difference(RiJointType type, const double *q0, const double *q1, double *out_v);

/// Motion columns (ns of them) about the origin of the frame the poses are given in: `pose` is the
/// body's, `base` the frame of its parent body. Columns [0, returned) are fixed in the parent, the
/// rest in the body.
int ri_joint_columns(const RiBodyData *b, const RiPose *base, const RiPose *pose, const double *q, RiSpatial *out_cols);

/// Writes the positions at which nothing is moved (zeros, unit quaternion).
void ri_joint_zero(RiJointType type, double *out_q);

// --- loop.c: clusters with loop closures ---------------------------------------------------------

/// Scratch for one loop cluster, carved from one block; sizes are those of the largest loop cluster
/// of the model.
typedef struct RiLoopWork {
    RiPose *pose;    // [nbody] in the cluster's parent frame
    RiSpatial *col;  // [ns] motion columns about the parent's origin
    RiSpatial *bias; // [nbody] velocity-product accelerations
    RiSpatial *vel;  // [nbody]
    RiSpatial *axis; // [rows] unit wrench of each closure equation
    double *value;   // [rows] residuals, then right-hand sides
    double *jac;     // [rows x ns] row-major
    double *mat;     // [rows x ns] factored copy
    double *rhs;     // [max(rows, ns)]
    double *step;    // [2 max(rows, ns)]
    double *beta;    // [ns]
    double *q;       // [nsq]
    double *at;      // [nsq] where everything was last evaluated
    double *base;    // [nsq] where the map is wanted, while it is sampled across a singular position
    double *trial;   // [nsq] a sample
    double *sample;  // [7 ns] displacements of the samples, even and odd parts at three distances, and the direction
    int *pivot;      // [ns]
    void *newton;    // of math/newton.h
    bool near;       // the last ri_loop_map was next to a singular position
    int rank;        // of the dependent columns, as of the last ri_loop_map
} RiLoopWork;

/// Bytes of scratch needed, and its layout.
size_t ri_loop_work_size(int nbody, int ns, int rows, int nsq);
RiLoopWork ri_loop_work_layout(void *block, int nbody, int ns, int rows, int nsq);

/// Solves the dependent positions of a loop cluster: q (its spanning positions) is corrected in
/// place. Returns the largest residual left [-], infinite if an axis came to lie the wrong way
/// round; the caller compares it with RI_LOOP_TOLERANCE.
double ri_loop_solve(const RiModel *m, const RiClusterData *c, RiLoopWork *w, double *q);
#define RI_LOOP_TOLERANCE 1e-10

/// Map G (ns x nv, row-major) at the positions of the last ri_loop_evaluate or ri_loop_solve. False
/// at a singular position.
bool ri_loop_map(const RiModel *m, const RiClusterData *c, RiLoopWork *w, double *out_G);

/// Bias g (ns) of s'' = G v' + g at the positions of the last ri_loop_map and spanning velocities
/// s.
void ri_loop_bias(const RiModel *m, const RiClusterData *c, RiLoopWork *w, const double *s, double *out_g);

/// Evaluates poses, columns, residuals and the Jacobian (rows x ns) at spanning positions q.
void ri_loop_evaluate(const RiModel *m, const RiClusterData *c, RiLoopWork *w, const double *q);

/// Whether axes that should coincide do not: the equations a . b = 0 hold for opposite axes too
/// (cosine -1, or 0), but the mechanism is not closed then.
bool ri_loop_is_reversed(const RiLoopData *loop, const RiLoopWork *w);

/// Number of equations of a closure type.
int ri_closure_rows(RiLoopType type);

// fingerprint.c
/// Goes on with a hash over all numbers of the model: bodies, joints, couplings, loops.
uint64_t ri_model_fingerprint(const RiModel *m, uint64_t h);

#endif
