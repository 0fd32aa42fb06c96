// SPDX-License-Identifier: Apache-2.0
/// \file
/// The stages that turn a spec into a model. Each stage reads what the earlier ones wrote.
///
///     ri_build_resolve   names -> indices, one tree, parents first
///     ri_build_reduce    rigid joints -> merged links -> bodies
///     ri_build_group     couplings and loops -> groups of bodies
///     ri_build_layout    groups -> clusters in tree order, spanning coordinates
///     ri_build_map       couplings and loops -> independent coordinates, G, initial q
#ifndef RI_MODEL_BUILD_H
#define RI_MODEL_BUILD_H

#include "model/tree.h"

typedef struct RiBuild {
    RiContext *ctx;
    const RiSpec *spec;
    RiModelOptions options;
    RiModel *m;
    RiArena scratch;

    // resolve
    int nl, nj;          // links; joints with the base joint as the last
    RiJointSpec *joints; // copies; locked joints turned into fixed ones at their position
    int *parent_link, *child_link;
    int *link_joint;
    int *order; // links, parents first

    // reduce
    bool *rigid;       // joint
    int *link_body;    // provisional body, -1: world
    RiPose *link_pose; // link frame in the leading link's frame of its body
    int nb;            // provisional bodies
    int *body_link;    // leading link
    int *body_parent;
    RiMat3 *body_turn; // axes of the final body frame in the leading link's frame

    // group
    int *root;  // union-find over provisional bodies
    bool *tied; // body: its group has couplings or loops
    int *depth;

    // layout
    int *final_body;                      // provisional -> final
    int *cluster_of;                      // provisional body -> cluster
    int *coupling_cluster, *loop_cluster; // cluster of each coupling and loop, -1: constant
} RiBuild;

void *ri_build_alloc(RiBuild *b, size_t count, size_t size);

RI_MUST_CHECK RiStatus ri_build_resolve(RiBuild *b);
RI_MUST_CHECK RiStatus ri_build_reduce(RiBuild *b);
RI_MUST_CHECK RiStatus ri_build_group(RiBuild *b);
RI_MUST_CHECK RiStatus ri_build_layout(RiBuild *b);
RI_MUST_CHECK RiStatus ri_build_map(RiBuild *b);

/// "file:line: " or "" for messages.
typedef struct RiWhere {
    char text[512];
} RiWhere;
RiWhere ri_where(RiSource source);

/// Displacement of a joint's child link frame in its joint frame at position q, in the spec's axes.
RiPose ri_joint_spec_pose(const RiJointSpec *joint, const double *q);

/// What is wrong with an item, in words; false if nothing is. `text` receives the sentence without
/// file and line.
bool ri_link_problem(const RiLinkSpec *link, char *text, size_t size);
bool ri_joint_problem(const RiJointSpec *joint, char *text, size_t size);
bool ri_coupling_problem(const RiCouplingSpec *coupling, char *text, size_t size);
bool ri_loop_problem(const RiLoopSpec *loop, char *text, size_t size);

#endif
