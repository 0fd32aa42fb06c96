// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fourth stage: groups become clusters in tree order, bodies get their final numbers, frames,
/// inertias and spanning coordinates. Clusters are numbered depth first, so that a chain is
/// contiguous in memory.
#include <string.h>

#include "model/build.h"

/// Cluster numbers in depth-first order; group_at[cluster] = group. Explicit stack, children in
/// body order.
static RiStatus order_groups(RiBuild *b, int *group_at, int *out_count)
{
    const int nb = b->nb;
    const size_t n = (size_t)nb;
    int *parent = ri_build_alloc(b, n, sizeof *parent); // group -> parent group, -1: world
    int *first = ri_build_alloc(b, n + 2, sizeof *first), *fill = ri_build_alloc(b, n + 1, sizeof *fill);
    int *list = ri_build_alloc(b, n, sizeof *list), *stack = ri_build_alloc(b, n, sizeof *stack);
    if (!parent || !first || !fill || !list || !stack)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < nb; i++) {
        const int g = b->root[i], up = b->body_parent[i];
        if (up < 0)
            parent[g] = -1;
        else if (b->root[up] != g)
            parent[g] = b->root[up];
    }
    for (int i = 0; i < nb; i++)
        if (b->root[i] == i)
            first[parent[i] + 2]++;
    for (int i = 0; i <= nb; i++)
        first[i + 1] += first[i];
    for (int i = 0; i < nb; i++)
        if (b->root[i] == i)
            list[first[parent[i] + 1] + fill[parent[i] + 1]++] = i;
    int count = 0, top = 0;
    for (int k = first[1] - 1; k >= first[0]; k--)
        stack[top++] = list[k];
    while (top > 0) {
        const int g = stack[--top];
        group_at[count++] = g;
        for (int k = first[g + 2] - 1; k >= first[g + 1]; k--)
            stack[top++] = list[k];
    }
    *out_count = count;
    return RI_OK;
}

/// Numbers the bodies cluster by cluster.
static RiStatus number_bodies(RiBuild *b, const int *group_at)
{
    RiModel *m = b->m;
    const size_t n = (size_t)b->nb;
    b->final_body = ri_build_alloc(b, n, sizeof *b->final_body);
    b->cluster_of = ri_build_alloc(b, n, sizeof *b->cluster_of);
    int *cluster = ri_build_alloc(b, n, sizeof *cluster); // group -> cluster
    if (!b->final_body || !b->cluster_of || !cluster)
        return ri_error_memory(b->ctx);
    for (int c = 0; c < m->nc; c++)
        cluster[group_at[c]] = c;
    for (int i = 0; i < b->nb; i++) {
        b->cluster_of[i] = cluster[b->root[i]];
        m->clusters[b->cluster_of[i]].nbody++;
    }
    for (int c = 0, next = 0; c < m->nc; c++) {
        m->clusters[c].body = next;
        next += m->clusters[c].nbody;
        m->clusters[c].nbody = 0;
    }
    for (int i = 0; i < b->nb; i++) {
        RiClusterData *c = &m->clusters[b->cluster_of[i]];
        b->final_body[i] = c->body + c->nbody++;
    }
    return RI_OK;
}

static void fill_body(RiBuild *b, int provisional)
{
    RiModel *m = b->m;
    RiBodyData *body = &m->bodies[b->final_body[provisional]];
    const int link = b->body_link[provisional], j = b->link_joint[link], up = b->parent_link[j];
    const int parent = b->body_parent[provisional];
    const RiJointSpec *joint = &b->joints[j];
    body->parent = parent < 0 ? -1 : b->final_body[parent];
    body->cluster = b->cluster_of[provisional];
    body->joint = j;
    body->link = link;
    body->type = joint->type;
    body->nq = ri_joint_type_nq(joint->type);
    body->ns = ri_joint_type_nv(joint->type);
    body->rev = -1;
    body->axis[0] = joint->axis;
    body->axis[1] = joint->axis2;
    RiPose x = up < 0 ? joint->origin : ri_pose_mul(&b->link_pose[up], &joint->origin);
    x.R = ri_mat3_mul(&x.R, &b->body_turn[provisional]);
    if (parent >= 0) {
        const RiMat3 back = ri_mat3_transpose(&b->body_turn[parent]);
        x.R = ri_mat3_mul(&back, &x.R);
        x.p = ri_rotate(&back, x.p);
    }
    body->tree = x;
}

/// R I R^T.
static RiMat3 turn_inertia(const RiMat3 *R, const RiMat3 *inertia)
{
    const RiMat3 a = ri_mat3_mul(R, inertia), t = ri_mat3_transpose(R);
    return ri_mat3_mul(&a, &t);
}

static void fill_link(RiBuild *b, int i)
{
    RiModel *m = b->m;
    RiLinkData *link = &m->links[i];
    const RiLinkSpec *spec = &b->spec->links[i];
    const int provisional = b->link_body[i];
    link->joint = b->link_joint[i];
    link->parent = b->parent_link[link->joint];
    link->body = provisional < 0 ? -1 : b->final_body[provisional];
    link->pose = b->link_pose[i];
    if (provisional >= 0) {
        const RiMat3 back = ri_mat3_transpose(&b->body_turn[provisional]);
        link->pose.R = ri_mat3_mul(&back, &link->pose.R);
        link->pose.p = ri_rotate(&back, link->pose.p);
    }
    link->mass = spec->mass;
    link->com = ri_pose_point(&link->pose, spec->com);
    link->inertia = turn_inertia(&link->pose.R, &spec->inertia);
}

/// m (r.r 1 - r r^T).
static RiMat3 point_inertia(double mass, RiVec3 r)
{
    const double rr = ri_dot(r, r), v[3] = {r.x, r.y, r.z};
    RiMat3 x;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            x.m[i][k] = mass * ((i == k ? rr : 0.0) - v[i] * v[k]);
    return x;
}

/// Mass, centre and inertia of each body from its links.
static void combine_inertias(RiModel *m)
{
    for (int i = 0; i < m->nl; i++) {
        const RiLinkData *link = &m->links[i];
        if (link->body < 0)
            continue;
        RiBodyData *body = &m->bodies[link->body];
        body->mass += link->mass;
        body->com = ri_add(body->com, ri_scale(link->mass, link->com));
        m->mass += link->mass;
    }
    for (int i = 0; i < m->nb; i++)
        if (m->bodies[i].mass > 0.0)
            m->bodies[i].com = ri_scale(1.0 / m->bodies[i].mass, m->bodies[i].com);
    for (int i = 0; i < m->nl; i++) {
        const RiLinkData *link = &m->links[i];
        if (link->body < 0)
            continue;
        RiBodyData *body = &m->bodies[link->body];
        const RiMat3 shift = point_inertia(link->mass, ri_sub(link->com, body->com));
        body->inertia = ri_mat3_add(&body->inertia, &link->inertia);
        body->inertia = ri_mat3_add(&body->inertia, &shift);
    }
}

/// Spanning coordinates, the list of revolute joints, and the clusters' parents.
static void number_spanning(RiBuild *b)
{
    RiModel *m = b->m;
    for (int c = 0; c < m->nc; c++) {
        RiClusterData *cluster = &m->clusters[c];
        cluster->s = m->ns;
        cluster->parent = m->bodies[cluster->body].parent;
        for (int i = cluster->body; i < cluster->body + cluster->nbody; i++) {
            RiBodyData *body = &m->bodies[i];
            body->sq = m->nsq;
            body->s = m->ns;
            m->nsq += body->nq;
            m->ns += body->ns;
            if (body->type == RI_JOINT_REVOLUTE || body->type == RI_JOINT_CONTINUOUS) {
                m->rev_sq[m->nrev] = body->sq;
                body->rev = m->nrev++;
            }
        }
        cluster->ns = m->ns - cluster->s;
    }
}

/// Cuts the tree into regions at most RI_REGION_DEPTH bodies deep.
static RiStatus cut_regions(RiBuild *b)
{
    RiModel *m = b->m;
    int *depth = ri_build_alloc(b, (size_t)m->nb, sizeof *depth);
    if (!depth)
        return ri_error_memory(b->ctx);
    for (int c = 0; c < m->nc; c++) {
        RiClusterData *cluster = &m->clusters[c];
        bool root = cluster->parent < 0;
        for (int pass = 0; pass < 2; pass++) {
            int deepest = 0;
            for (int i = cluster->body; i < cluster->body + cluster->nbody; i++) {
                const int up = m->bodies[i].parent;
                depth[i] = up >= cluster->body ? depth[up] + 1 : root ? 1 : depth[up] + 1;
                deepest = depth[i] > deepest ? depth[i] : deepest;
            }
            if (root || deepest <= RI_REGION_DEPTH)
                break;
            root = true;
        }
        cluster->region_root = root;
        cluster->region = root ? m->nregion++ : m->clusters[m->bodies[cluster->parent].cluster].region;
    }
    return RI_OK;
}

static void fill_joints(RiBuild *b)
{
    RiModel *m = b->m;
    for (int j = 0; j < m->nj; j++) {
        RiJointData *joint = &m->joints[j];
        joint->spec = b->joints[j];
        joint->parent_link = b->parent_link[j];
        joint->child_link = b->child_link[j];
        joint->merged = b->rigid[j];
        joint->body = b->rigid[j] ? -1 : m->links[joint->child_link].body;
        joint->q = joint->v = -1;
    }
}

RiStatus ri_build_layout(RiBuild *b)
{
    RiModel *m = b->m;
    const size_t nb = (size_t)b->nb;
    m->nl = b->nl;
    m->nj = b->nj;
    m->nb = b->nb;
    int *group_at = ri_build_alloc(b, nb, sizeof *group_at);
    if (!group_at)
        return ri_error_memory(b->ctx);
    RI_TRY(order_groups(b, group_at, &m->nc));
    m->bodies = ri_arena_alloc(&m->arena, nb, sizeof *m->bodies);
    m->clusters = ri_arena_alloc(&m->arena, (size_t)m->nc, sizeof *m->clusters);
    m->rev_sq = ri_arena_alloc(&m->arena, nb + 8, sizeof *m->rev_sq);
    if (!m->bodies || !m->clusters || !m->rev_sq)
        return ri_error_memory(b->ctx);
    RI_TRY(number_bodies(b, group_at));
    for (int i = 0; i < b->nb; i++)
        fill_body(b, i);
    for (int i = 0; i < b->nl; i++)
        fill_link(b, i);
    combine_inertias(m);
    number_spanning(b);
    RI_TRY(cut_regions(b));
    fill_joints(b);
    return RI_OK;
}
