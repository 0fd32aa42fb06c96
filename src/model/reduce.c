// SPDX-License-Identifier: Apache-2.0
/// \file
/// Second stage: links that cannot move relative to each other become one body (EELS-DARTS 2.1.4
/// [hasseler2024]).
///
/// Three things are merged: links behind fixed and locked joints; massless branches at the end of a
/// moving joint, whose motion is undefined (they are held at the joint's initial position and stay
/// as frames); and everything fixed to the world. With `reduce` off, fixed joints stay as joints
/// without coordinates, for comparison.
#include "model/build.h"

/// Whether a joint's coordinate is used by a coupling, or lies between a loop's links and the root.
static RiStatus mark_coupled(RiBuild *b, bool *coupled)
{
    const RiSpec *spec = b->spec;
    for (int i = 0; i < spec->coupling_count; i++)
        for (int k = 0; k < spec->couplings[i].term_count; k++) {
            const int j = ri_names_find(&b->m->joint_names, spec->couplings[i].terms[k].joint);
            if (j >= 0)
                coupled[j] = true;
        }
    for (int i = 0; i < spec->loop_count; i++) {
        const char *names[] = {spec->loops[i].link_a, spec->loops[i].link_b};
        for (int side = 0; side < 2; side++) {
            int link = ri_names_find(&b->m->link_names, names[side]);
            while (link >= 0 && !coupled[b->link_joint[link]]) {
                coupled[b->link_joint[link]] = true;
                link = b->parent_link[b->link_joint[link]];
            }
        }
    }
    return RI_OK;
}

/// Decides which joints are rigid.
static RiStatus choose_rigid(RiBuild *b)
{
    bool *coupled = ri_build_alloc(b, (size_t)b->nj, sizeof *coupled); // joint or one beyond it is coupled
    bool *massive = ri_build_alloc(b, (size_t)b->nl, sizeof *massive); // link or one beyond it has mass
    if (!coupled || !massive)
        return ri_error_memory(b->ctx);
    RI_TRY(mark_coupled(b, coupled));
    for (int i = b->nl - 1; i >= 0; i--) {
        const int link = b->order[i], j = b->link_joint[link], parent = b->parent_link[j];
        massive[link] |= b->spec->links[link].mass > 0.0;
        if (parent >= 0) {
            massive[parent] |= massive[link];
            coupled[b->link_joint[parent]] |= coupled[j];
        }
    }
    for (int i = 0; i < b->nl; i++) {
        const int link = b->order[i], j = b->link_joint[link];
        RiJointSpec *joint = &b->joints[j];
        const bool world = b->parent_link[j] < 0;
        if (joint->type == RI_JOINT_FIXED) {
            b->rigid[j] = b->options.reduce || world;
            if (b->rigid[j] && !world)
                ri_report_add(b->options.report, RI_FINDING_MERGED, joint->source.file, joint->source.line,
                              "joint '%s' is %s: link '%s' is merged into '%s'%s", joint->name,
                              b->spec->joints[j].locked ? "locked" : "fixed", joint->child, joint->parent,
                              b->spec->links[link].mass > 0.0 ? "" : " as a frame");
        } else if (b->options.reduce && !massive[link] && !coupled[j] && !world) {
            const RiPose moved = ri_joint_spec_pose(joint, joint->position);
            joint->origin = ri_pose_mul(&joint->origin, &moved);
            joint->type = RI_JOINT_FIXED;
            b->rigid[j] = true;
            ri_report_add(b->options.report, RI_FINDING_MERGED, joint->source.file, joint->source.line,
                          "joint '%s' moves no mass: it is held, and link '%s' becomes a frame of '%s'", joint->name,
                          joint->child, joint->parent);
        }
    }
    return RI_OK;
}

/// Axes of a body's frame in its leading link's frame: z along the joint axis where the joint has
/// one.
static RiMat3 turn_of(const RiJointSpec *joint)
{
    const bool along_z = joint->type == RI_JOINT_REVOLUTE || joint->type == RI_JOINT_CONTINUOUS ||
                         joint->type == RI_JOINT_PRISMATIC || joint->type == RI_JOINT_PLANAR;
    return along_z ? ri_mat3_from_z(joint->axis) : ri_mat3_identity();
}

RiStatus ri_build_reduce(RiBuild *b)
{
    const size_t nl = (size_t)b->nl;
    b->rigid = ri_build_alloc(b, (size_t)b->nj, sizeof *b->rigid);
    b->link_body = ri_build_alloc(b, nl, sizeof *b->link_body);
    b->link_pose = ri_build_alloc(b, nl, sizeof *b->link_pose);
    b->body_link = ri_build_alloc(b, nl, sizeof *b->body_link);
    b->body_parent = ri_build_alloc(b, nl, sizeof *b->body_parent);
    b->body_turn = ri_build_alloc(b, nl, sizeof *b->body_turn);
    if (!b->rigid || !b->link_body || !b->link_pose || !b->body_link || !b->body_parent || !b->body_turn)
        return ri_error_memory(b->ctx);
    RI_TRY(choose_rigid(b));
    const RiPose identity = ri_pose_identity();
    for (int i = 0; i < b->nl; i++) {
        const int link = b->order[i], j = b->link_joint[link], parent = b->parent_link[j];
        if (b->rigid[j]) {
            b->link_body[link] = parent < 0 ? -1 : b->link_body[parent];
            b->link_pose[link] = ri_pose_mul(parent < 0 ? &identity : &b->link_pose[parent], &b->joints[j].origin);
        } else {
            b->link_body[link] = b->nb;
            b->link_pose[link] = identity;
            b->body_link[b->nb] = link;
            b->body_turn[b->nb] = turn_of(&b->joints[j]);
            b->body_parent[b->nb++] = parent < 0 ? -1 : b->link_body[parent];
        }
    }
    return RI_OK;
}
