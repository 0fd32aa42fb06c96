// SPDX-License-Identifier: Apache-2.0
/// \file
/// The model: a robot compiled for simulation, immutable and shared.
///
///     RiSpec --(resolve, check, reduce, cluster, order)--> RiModel --> RiDyn (one per thread)
///
/// **Links, bodies, clusters.** A *link* is what the user wrote. Links that cannot move relative to
/// each other are merged into one *body* (unless `reduce` is off); every link stays answerable as a
/// frame of its body. Bodies whose joints are tied by couplings or loop closures form a *cluster*,
/// which has fewer coordinates than its joints have; every other body is a cluster of its own.
/// Clusters form a tree, so all algorithms stay recursive and O(N) (constraint embedding).
///
/// **Coordinates.** v (nv numbers) holds the independent velocities, q (nq numbers) the positions.
/// In clusters with loop closures q carries the positions of all joints, dependent ones too: they
/// are the starting point from which the position map is solved, so that the branch of the
/// mechanism is part of the state. Coordinates of joints, the dependent ones included, are called
/// *spanning* coordinates: `ri_dyn_joint_position()` gives them.
///
/// Threads and ownership: a model never changes after create and may be shared by any number of
/// threads, as long as the context it was created with lives; destroy it from one thread after the
/// last user.
#ifndef RILLE_MODEL_H
#define RILLE_MODEL_H

#include <rille/report.h>
#include <rille/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiModel RiModel;

typedef struct RiModelOptions {
    bool reduce;      ///< merge locked and massless links (default true)
    RiBase base;      ///< overrides the spec's unless RI_BASE_AUTO
    RiReport *report; ///< receives findings (merged, non-physical); may be NULL
} RiModelOptions;

/// The defaults that its fields name.
RiModelOptions ri_model_options_default(void);

/// Compiles a spec. Fails with RI_ERR_MODEL and a message naming file, line and item on: unknown or
/// duplicate names, cycles, several roots, non-physical inertia, zero axes, NaN or infinite
/// numbers, contradictory couplings, loops that cannot be assembled. `options` may be NULL.
RI_MUST_CHECK RiStatus ri_model_create(RiContext *ctx, const RiSpec *spec, const RiModelOptions *options,
                                       RiModel **out_model);
/// Destroys it; NULL does nothing.
void ri_model_destroy(RiModel *model);

/// Checks a spec and reports every non-physical or suspicious item to `report` instead of stopping
/// at the first.
RI_MUST_CHECK RiStatus ri_spec_check(const RiSpec *spec, RiReport *report);
/// The next link after `from` (-1: the first one) that has mass, but no screw, wheel, contact point
/// or collision shape: it passes through the ground. -1: there is no further one. Shapes of links
/// fixed to it by fixed joints do not change that.
int ri_spec_next_bare_link(const RiSpec *spec, int from);
/// Their names, as many as fit, separated by commas, in `out`. Returns how many there are.
int ri_spec_list_bare_links(const RiSpec *spec, char *out, size_t size);

/// Name of the robot; borrowed.
const char *ri_model_name(const RiModel *m);
/// Number of entries of a position q.
int ri_model_nq(const RiModel *m);
/// Number of entries of an independent velocity v: degrees of freedom.
int ri_model_nv(const RiModel *m);
/// Velocities of all joints, dependent ones included.
int ri_model_spanning_nv(const RiModel *m);
/// Links of the spec, merged ones included.
int ri_model_link_count(const RiModel *m);
/// Joints of the spec, plus one for the base (the last).
int ri_model_joint_count(const RiModel *m);
/// Moving bodies after reduction.
int ri_model_body_count(const RiModel *m);
/// Clusters of the tree: bodies that move together by couplings or loops.
int ri_model_cluster_count(const RiModel *m);
/// Frames: links first (same index), then named frames, then sensors.
int ri_model_frame_count(const RiModel *m);
/// Mass of all moving bodies [kg].
double ri_model_mass(const RiModel *m);
/// Whether the base is free.
bool ri_model_is_floating(const RiModel *m);

/// Index by name, -1 if there is none.
int ri_model_find_link(const RiModel *m, const char *name);
/// Index of a joint by name, -1 if there is none.
int ri_model_find_joint(const RiModel *m, const char *name);
/// Index of a frame by name, -1 if there is none.
int ri_model_find_frame(const RiModel *m, const char *name);

/// Facts about a joint after compilation.
typedef struct RiJointInfo {
    const char *name;
    RiJointType type;
    int parent_link, child_link; ///< parent -1: the world
    int body;                    ///< body it moves; -1 if merged away
    int cluster;                 ///< -1 if merged away
    bool merged;                 ///< locked: its links are one body
    int q_index;                 ///< first position in q; -1 if not stored there (merged, or linearly dependent)
    int v_index;                 ///< first velocity in v; -1 if not independent
    int nq, nv;                  ///< coordinates of the joint itself (0 if merged)
    int s_index;                 ///< first spanning velocity; -1 if merged
    const RiJointSpec *spec;     ///< the model's own copy of limits, damping ...; its strings live with the model
} RiJointInfo;

/// Facts about a joint; its strings are borrowed.
RiJointInfo ri_model_joint(const RiModel *m, int joint);

typedef struct RiLinkInfo {
    const char *name;
    int body;    ///< -1: fixed to the world
    RiPose pose; ///< link frame in the body frame
    int joint;   ///< the joint above it
    double mass;
} RiLinkInfo;

/// Facts about a link; its strings are borrowed.
RiLinkInfo ri_model_link(const RiModel *m, int link);

typedef struct RiBodyInfo {
    const char *name; ///< of the link whose joint moves the body
    int parent;       ///< body, -1: world
    int cluster;
    double mass;
    RiVec3 com;     ///< in the body frame
    RiMat3 inertia; ///< about com, body axes
} RiBodyInfo;

/// Facts about a body; its strings are borrowed.
RiBodyInfo ri_model_body(const RiModel *m, int body);

typedef struct RiClusterInfo {
    int parent; ///< body that it is attached to, -1: world
    int body, body_count;
    int v_index, nv;
    int spanning_nv; ///< coordinates its joints would have without the couplings
    bool has_loops;
} RiClusterInfo;

/// Facts about a cluster.
RiClusterInfo ri_model_cluster(const RiModel *m, int cluster);

/// The i-th link in an order in which parents come before their children.
int ri_model_link_in_order(const RiModel *m, int i);
/// The spanning velocity that is the independent velocity `v` (0 to nv - 1).
int ri_model_spanning_index(const RiModel *m, int v);

/// Name of a frame (link, named frame or sensor).
const char *ri_model_frame_name(const RiModel *m, int frame);

/// Names of the entries of q and v ("bend_1", "base.x", "wrist.qw"); never NULL, valid with the
/// model.
const char *ri_model_q_name(const RiModel *m, int index);
/// The same for an entry of v.
const char *ri_model_v_name(const RiModel *m, int index);

/// Writes the initial positions (nq) of the spec: identity poses, initial joint positions, loops
/// assembled.
void ri_model_get_initial_q(const RiModel *m, double *out_q);

/// q_out = q moved by velocity v for time h along the manifold (quaternions stay unit). Linear
/// couplings hold exactly; dependent loop coordinates in q are copied and corrected by the next
/// ri_dyn_update_position(). q_out may be q.
void ri_model_integrate(const RiModel *m, const double *q, const double *v, double h, double *q_out);

/// v such that integrating q0 by v for unit time gives q1 (dependent coordinates ignored).
void ri_model_difference(const RiModel *m, const double *q0, const double *q1, double *out_v);

/// Makes the quaternions in q unit; other entries stay.
void ri_model_normalize(const RiModel *m, double *q);

/// Checks that two specs describe structurally similar robots (EELS-DARTS 2.1.5: same joint names,
/// types and parents, same moving tree; numbers, meshes and axes may differ). Differences are added
/// to `report`; *out_similar says the result.
RI_MUST_CHECK RiStatus ri_spec_compare(const RiSpec *built_in, const RiSpec *replacement, RiReport *report,
                                       bool *out_similar);

#ifdef __cplusplus
}
#endif
#endif
