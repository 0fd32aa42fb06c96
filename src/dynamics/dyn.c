// SPDX-License-Identifier: Apache-2.0
/// \file
/// The workspace: create, and the calls that bring it from q and v to accelerations. The loops over
/// the tree are in tree_kernel.c; this file has what surrounds them: couplings, loops, arguments and
/// errors.
#include <stdint.h>
#include <string.h>

#include "base/processor.h"
#include "dynamics/dyn.h"

bool ri_kernels_find(const char *name, RiKernels *out)
{
    RiIsa isa;
    *out = ri_kernels_generic;
    if (!ri_isa_find(name, &isa))
        return false;
#if defined(__x86_64__)
    if (isa == RI_ISA_AVX512 && name)
        *out = ri_kernels_avx512;
    else if (isa != RI_ISA_GENERIC)
        *out = ri_kernels_avx2;
    if (isa == RI_ISA_AVX512) // the recursions gain nothing from wider registers, the matrix product does
        out->delassus = ri_kernels_avx512.delassus;
#endif
    return true;
}

// --- create --------------------------------------------------------------------------------------

#define RI_MASS_ROWS_AT_CREATE ((size_t)8 << 20) // packed entries: up to 128 MB with the factor

#define RI_MOVES_AT_CREATE ((size_t)4 << 20) // bytes of the table of which coordinates move which bodies

#define CARVE(field, count) d->field = ri_carve(block, &at, (size_t)(count), sizeof *d->field)

/// Lays out all arrays; returns the bytes needed.
static size_t lay_out(RiDyn *d, char *block, int max_depth, int terms)
{
    const RiModel *m = d->m;
    const int bodies = m->nb + 1, rev = m->nrev + 8;
    size_t at = 0;
    CARVE(node, m->nc);
    CARVE(hot, m->nb);
    CARVE(rotor, m->nc);
    CARVE(dof_parent, m->nv);
    CARVE(dof_depth, m->nv);
    CARVE(row, m->nv + 1);
    CARVE(body_dof, bodies);
    CARVE(copy, m->nb);
    CARVE(tie, m->nb);
    CARVE(term, terms);
    CARVE(region_depth, m->nregion);
    CARVE(region_parent, m->nregion);
    CARVE(q, m->nq);
    CARVE(jq, m->nsq);
    CARVE(angle, rev);
    CARVE(sn, rev);
    CARVE(cs, rev);
    CARVE(pose, 16 * bodies);
    CARVE(rigid, 48 * bodies);
    CARVE(moment, 4 * bodies);
    CARVE(col, 8 * m->ncol);
    CARVE(scol, 8 * m->ns);
    CARVE(origin, 4 * (m->nregion + 1));
    CARVE(shift, 4 * (m->nregion + 1));
    CARVE(G, m->nmap);
    CARVE(loop, m->nloop);
    CARVE(v, m->nv);
    CARVE(js, m->ns);
    CARVE(jg, m->ns);
    CARVE(vel, 8 * bodies);
    CARVE(bias, 8 * bodies);
    CARVE(gyro, 8 * bodies);
    CARVE(wrench, 8 * bodies);
    CARVE(link_wrench, 8 * m->nl);
    CARVE(a, m->nv);
    CARVE(acc, 8 * bodies);
    CARVE(force, 8 * bodies);
    CARVE(share, 8 * bodies);
    CARVE(IA, 48 * bodies);
    CARVE(pA, 8 * bodies);
    CARVE(Z, 8 * m->nv);
    CARVE(fac, m->nfac);
    CARVE(u, m->nv);
    CARVE(comp, 16 * bodies);
    d->path_stride = max_depth + 16;
    d->soa_stride = (m->nv + 16 + 7) / 8 * 8;
    CARVE(path, 6 * d->path_stride);
    CARVE(soa, 6 * d->soa_stride);
    d->moves_stride = ((size_t)m->nv + 3) / 4 + 1;
    if ((size_t)m->nb * d->moves_stride <= RI_MOVES_AT_CREATE)
        CARVE(moves, (size_t)m->nb * d->moves_stride);
    CARVE(carried, 8 * m->nl);
    CARVE(coupling, m->ns);
    CARVE(lambda, m->max_loop_rows + m->max_loop_ns);
    CARVE(arm0, m->ns);
    CARVE(arm, m->ns);
    CARVE(own_spring, m->ns);
    CARVE(special, m->nc);
    CARVE(extra_on, bodies);
    CARVE(wrench_on, bodies);
    if (!d->rotors)
        CARVE(extra, 48 * bodies);
    for (int c = 0; c < m->nc; c++) {
        const RiClusterData *cluster = &m->clusters[c];
        if (cluster->loop < 0)
            continue;
        const RiLoopData *loop = &m->loops[cluster->loop];
        const size_t bytes = ri_loop_work_size(cluster->nbody, cluster->ns, loop->rows, loop->nsq);
        char *loops = ri_carve(block, &at, bytes, 1);
        if (block)
            d->loop[cluster->loop] = ri_loop_work_layout(loops, cluster->nbody, cluster->ns, loop->rows, loop->nsq);
    }
    return at;
}

/// Largest number of coordinates on the way from a body to the root. `last` is scratch for one
/// number per body.
static int find_depth(const RiModel *m, int *last)
{
    int deepest = 0;
    for (int c = 0; c < m->nc; c++) {
        const RiClusterData *cluster = &m->clusters[c];
        const int here = (cluster->parent < 0 ? 0 : last[cluster->parent]) + cluster->nv;
        deepest = here > deepest ? here : deepest;
        for (int b = 0; b < cluster->nbody; b++)
            last[cluster->body + b] = here;
    }
    return deepest;
}

/// Room for the terms of all linear dependencies.
static int count_terms(const RiModel *m)
{
    int terms = 1;
    for (int c = 0; c < m->nc; c++)
        if (m->clusters[c].kind == RI_CLUSTER_LINEAR)
            terms += m->clusters[c].ns * m->clusters[c].nv;
    return terms;
}

/// Appends a copy of a joint's coordinates, or lengthens the last one if it goes on where that
/// ended.
static void add_copy(RiDyn *d, const RiBodyData *b, int q, int v)
{
    RiCopy *last = d->ncopy ? &d->copy[d->ncopy - 1] : NULL;
    if (last && last->sq + last->nq == b->sq && last->q + last->nq == q && last->s + last->ns == b->s &&
        last->v + last->ns == v) {
        last->nq += b->nq;
        last->ns += b->ns;
        return;
    }
    d->copy[d->ncopy++] = (RiCopy){b->sq, q, b->nq, b->s, v, b->ns};
}

/// Appends the sum that gives a dependent joint of a linear cluster.
static void add_tie(RiDyn *d, const RiClusterData *c, const RiBodyData *b, int *terms)
{
    const RiModel *m = d->m;
    const int local = b->s - c->s;
    RiTie *tie = &d->tie[d->ntie++];
    *tie = (RiTie){.sq = b->sq, .s = b->s, .first = *terms, .offset = c->offset[local]};
    for (int k = 0; k < c->nv; k++) {
        const double factor = m->map[c->map + local * c->nv + k];
        const RiBodyData *source = &m->bodies[m->v_body[c->v + k]];
        if (factor != 0.0)
            d->term[(*terms)++] = (RiTerm){m->joints[source->joint].q, c->v + k, factor};
    }
    tie->count = *terms - tie->first;
}

/// How the spanning coordinates come from the independent ones, loops apart.
static void fill_ties(RiDyn *d)
{
    const RiModel *m = d->m;
    int terms = 0;
    for (int i = 0; i < m->nb; i++) {
        const RiBodyData *b = &m->bodies[i];
        const RiClusterData *c = &m->clusters[b->cluster];
        const RiJointData *joint = &m->joints[b->joint];
        if (c->kind == RI_CLUSTER_LOOP || b->ns == 0)
            continue;
        if (joint->v >= 0)
            add_copy(d, b, joint->q, joint->v);
        else
            add_tie(d, c, b, &terms);
    }
}

static void fill_dofs(RiDyn *d)
{
    const RiModel *m = d->m;
    size_t at = 0;
    for (int c = 0; c < m->nc; c++) {
        const RiClusterData *cluster = &m->clusters[c];
        int before = cluster->parent < 0 ? -1 : d->body_dof[cluster->parent];
        for (int k = 0; k < cluster->nv; k++) {
            const int dof = cluster->v + k;
            d->dof_parent[dof] = before;
            d->dof_depth[dof] = before < 0 ? 0 : d->dof_depth[before] + 1;
            d->row[dof] = at;
            at += ((size_t)d->dof_depth[dof] + 1 + 7) / 8 * 8;
            before = dof;
        }
        for (int b = 0; b < cluster->nbody; b++)
            d->body_dof[cluster->body + b] = before;
    }
    d->row[m->nv] = at;
}

/// Which coordinates move which bodies.
static void fill_moves(RiDyn *d)
{
    const RiModel *m = d->m;
    for (int i = 0; i < m->nb; i++) {
        const RiClusterData *c = &m->clusters[m->bodies[i].cluster];
        const int up = c->parent;
        d->hot[i].tied = c->nbody > 1 || (up >= 0 && d->hot[up].tied);
        if (!d->moves)
            continue;
        unsigned char *row = d->moves + (size_t)i * d->moves_stride;
        if (up >= 0)
            memcpy(row, d->moves + (size_t)up * d->moves_stride, d->moves_stride);
        for (int k = c->v; k < c->v + c->nv; k++)
            row[k / 4] = (unsigned char)(row[k / 4] | 1 << k % 4);
    }
}

/// Depths of clusters and regions among the coordinates, and which clusters are leaves.
static void fill_depths(RiDyn *d)
{
    const RiModel *m = d->m;
    for (int c = 0; c < m->nc; c++) {
        RiNode *n = &d->node[c];
        n->inward = n->at_world ? -1 : d->body_dof[n->parent - 1];
        n->depth = n->inward < 0 ? 0 : d->dof_depth[n->inward] + 1;
        n->leaf = true;
        if (!n->at_world)
            d->node[m->bodies[n->parent - 1].cluster].leaf = false;
        if (m->clusters[c].region_root) {
            d->region_depth[n->region] = n->depth;
            d->region_parent[n->region] = n->at_world ? -1 : n->parent_region;
        }
        const bool armed = m->joints[m->bodies[n->body - 1].joint].spec.armature > 0.0;
        n->free_root = n->at_world && n->kind == RI_CLUSTER_SINGLE && n->ns == 6 && !armed;
    }
}

/// Whether a body is symmetric about its joint axis, to rounding.
static bool is_symmetric(const RiBodyData *b)
{
    const double(*J)[3] = b->inertia.m;
    const double size = 1e-14 * (J[0][0] + J[1][1] + J[2][2]), off = 1e-14 * (1.0 + fabs(b->com.z));
    return (b->type == RI_JOINT_REVOLUTE || b->type == RI_JOINT_CONTINUOUS) && fabs(b->com.x) <= off &&
           fabs(b->com.y) <= off && fabs(J[0][0] - J[1][1]) <= size && fabs(J[0][1]) <= size && fabs(J[0][2]) <= size &&
           fabs(J[1][2]) <= size && J[2][2] > 0.0;
}

/// Whether a cluster consists of rotors: symmetric leaves on one moving parent, turning together.
static bool is_rotor(const RiDyn *d, const RiClusterData *c, const bool *has_child)
{
    if (!d->rotors || c->parent < 0 || c->nv != 1 || c->region_root || c->loop >= 0)
        return false;
    for (int i = c->body; i < c->body + c->nbody; i++)
        if (has_child[i] || d->m->bodies[i].parent != c->parent || !is_symmetric(&d->m->bodies[i]))
            return false;
    return true;
}

/// Adds a rotor's inertia to its parent's constants: as if it were welded on.
static void merge_rotor(RiDyn *d, const RiBodyData *b)
{
    RiHot *hot = &d->hot[b->parent];
    const RiVec3 c0 = ri_vec3(hot->com[0], hot->com[1], hot->com[2]), c1 = ri_pose_point(&b->tree, b->com);
    const double m0 = hot->com[3], m1 = b->mass, m = m0 + m1;
    const RiVec3 step = ri_sub(c1, c0), c = m > 0.0 ? ri_add(c0, ri_scale(m1 / m, step)) : c0;
    const RiMat3 RJ = ri_mat3_mul(&b->tree.R, &b->inertia), Rt = ri_mat3_transpose(&b->tree.R);
    const RiMat3 J1 = ri_mat3_mul(&RJ, &Rt);
    const double reduced = m > 0.0 ? m0 * m1 / m : 0.0, s[3] = {step.x, step.y, step.z}, ss = ri_dot(step, step);
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 3; r++)
            hot->J[4 * k + r] += J1.m[r][k] + reduced * ((r == k ? ss : 0.0) - s[r] * s[k]);
    hot->com[0] = c.x, hot->com[1] = c.y, hot->com[2] = c.z, hot->com[3] = m;
}

/// D of a rotor cluster: constant but for what an implicit step adds.
static void factor_rotor(RiDyn *d, const RiClusterData *c)
{
    double D = 0.0;
    for (int b = 0; b < c->nbody; b++) {
        const double g = c->map < 0 ? 1.0 : d->m->map[c->map + b];
        D += g * g * (d->hot[c->body + b].spin + d->arm[d->m->bodies[c->body + b].s]);
    }
    d->fac[c->fac] = 1.0 / D;
}

/// Finds the rotors, merges them into their parents and lists them by parent.
static RiStatus find_rotors(RiDyn *d)
{
    const RiModel *m = d->m;
    bool *has_child = ri_alloc_zero(d->ctx, (size_t)m->nb + 1, sizeof *has_child);
    if (!has_child)
        return ri_error_memory(d->ctx);
    for (int i = 0; i < m->nb; i++)
        if (m->bodies[i].parent >= 0)
            has_child[m->bodies[i].parent] = true;
    int count = 0;
    for (int c = 0; c < m->nc; c++) {
        const RiClusterData *cluster = &m->clusters[c];
        if (!is_rotor(d, cluster, has_child))
            continue;
        d->node[c].rotor = true;
        d->hot[cluster->parent].nrotor++;
        for (int b = 0; b < cluster->nbody; b++) {
            d->hot[cluster->body + b].spin = m->bodies[cluster->body + b].inertia.m[2][2];
            merge_rotor(d, &m->bodies[cluster->body + b]);
        }
        factor_rotor(d, cluster);
    }
    for (int i = 0; i < m->nb; i++) {
        d->hot[i].rotor = count;
        count += d->hot[i].nrotor;
        d->hot[i].nrotor = 0;
    }
    for (int c = 0; c < m->nc; c++)
        if (d->node[c].rotor) {
            RiHot *hot = &d->hot[m->clusters[c].parent];
            d->rotor[hot->rotor + hot->nrotor++] = c;
        }
    ri_release(d->ctx, has_child);
    return RI_OK;
}

/// Entries of the rigid inertias that never change.
static void fill_masses(RiDyn *d)
{
    for (int i = 0; i < d->m->nb; i++) {
        double *I = d->rigid + 48 * (i + 1);
        I[28] = I[37] = I[46] = d->hot[i].com[3];
    }
}

/// Which children store and which add, in backward order.
static void mark_branches(RiDyn *d)
{
    for (int c = d->m->nc - 1; c >= 0; c--) {
        RiNode *n = &d->node[c];
        if (n->rotor || n->at_world)
            continue;
        n->first = !d->hot[n->parent - 1].branched;
        d->hot[n->parent - 1].branched = 1;
    }
}

static void fill_nodes(RiDyn *d)
{
    const RiModel *m = d->m;
    for (int c = 0; c < m->nc; c++) {
        const RiClusterData *from = &m->clusters[c];
        const bool world = from->parent < 0;
        d->node[c] = (RiNode){
            .kind = (int)from->kind,
            .parent = from->parent + 1,
            .body = from->body + 1,
            .nbody = from->nbody,
            .v = from->v,
            .nv = from->nv,
            .s = from->s,
            .ns = from->ns,
            .col = from->col,
            .fac = from->fac,
            .map = from->map,
            .region = from->region,
            .parent_region = world ? m->nregion : m->clusters[m->bodies[from->parent].cluster].region,
            .region_root = from->region_root && !world,
            .at_world = world,
        };
    }
}

static void fill_hot(RiDyn *d)
{
    const RiModel *m = d->m;
    for (int i = 0; i < m->nb; i++) {
        const RiBodyData *b = &m->bodies[i];
        RiHot *hot = &d->hot[i];
        *hot =
            (RiHot){.type = (int)b->type, .sq = b->sq, .s = b->s, .ns = b->ns, .rev = b->rev, .parent = b->parent + 1};
        hot->first_of_cluster = m->clusters[b->cluster].body == i;
        for (int k = 0; k < 3; k++)
            for (int r = 0; r < 3; r++) {
                hot->tree_R[4 * k + r] = b->tree.R.m[r][k];
                hot->J[4 * k + r] = b->inertia.m[r][k];
            }
        hot->tree_p[0] = b->tree.p.x, hot->tree_p[1] = b->tree.p.y, hot->tree_p[2] = b->tree.p.z;
        hot->com[0] = b->com.x, hot->com[1] = b->com.y, hot->com[2] = b->com.z, hot->com[3] = b->mass;
    }
}

/// What the description says of every coordinate: armature, spring, damper.
static void fill_joints(RiDyn *d)
{
    for (int i = 0; i < d->m->nb; i++)
        for (int k = 0; k < d->m->bodies[i].ns; k++) {
            const RiJointSpec *j = &d->m->joints[d->m->bodies[i].joint].spec;
            const int s = d->m->bodies[i].s + k;
            d->arm0[s] = d->arm[s] = j->armature;
            d->has_armature |= j->armature > 0.0;
            d->own_spring[s] = (RiJointSpring){j->stiffness, j->damping, j->rest};
        }
    d->spring = d->own_spring;
}

/// Lists the nodes that extra inertia of joints changes beyond its sum.
static void find_special(RiDyn *d)
{
    for (int c = 0; c < d->m->nc; c++) {
        const RiNode *n = &d->node[c];
        if (n->rotor || (n->at_world && n->kind == RI_CLUSTER_SINGLE && n->ns == 6))
            d->special[d->nspecial++] = c;
    }
}

RiStatus ri_dyn_create(RiContext *ctx, const RiModel *model, RiDyn **out_dyn)
{
    return ri_dyn_create_with(ctx, model, true, out_dyn);
}

RiStatus ri_dyn_create_with(RiContext *ctx, const RiModel *model, bool rotors, RiDyn **out_dyn)
{
    *out_dyn = NULL;
    RiDyn *d = ri_alloc_zero(ctx, 1, sizeof *d);
    int *last = ri_alloc_zero(ctx, (size_t)model->nb + 1, sizeof *last);
    char *block = NULL;
    if (d && last) {
        d->ctx = ctx;
        d->m = model;
        d->rotors = rotors;
        const int depth = find_depth(model, last), terms = count_terms(model);
        const size_t bytes = lay_out(d, NULL, depth, terms);
        d->block = ri_alloc_zero(ctx, bytes + 64, 1);
        block = d->block ? (char *)d->block + (64 - (uintptr_t)d->block % 64) % 64 : NULL;
        if (block)
            lay_out(d, block, depth, terms);
    }
    ri_release(ctx, last);
    if (!block) {
        if (d && !d->ctx)
            ri_release(ctx, d);
        else
            ri_dyn_destroy(d);
        return ri_error_memory(ctx);
    }
    ri_kernels_find(NULL, &d->k);
    d->gravity = ri_vec3(0.0, 0.0, -9.81);
    d->pose[0] = d->pose[5] = d->pose[10] = 1.0; // the world
    d->bad_cluster = -1;
    memcpy(d->G, model->map, (size_t)model->nmap * sizeof *d->G);
    fill_hot(d);
    fill_nodes(d);
    fill_dofs(d);
    fill_joints(d);
    fill_depths(d);
    fill_ties(d);
    fill_moves(d);
    RiStatus status = find_rotors(d);
    find_special(d);
    fill_masses(d);
    mark_branches(d);
    if (status == RI_OK)
        status = ri_dyn_reserve_delassus(d, 64);
    if (status == RI_OK && d->row[model->nv] <= RI_MASS_ROWS_AT_CREATE)
        status = ri_dyn_reserve_mass_matrix(d);
    if (status != RI_OK) {
        ri_dyn_destroy(d);
        return status;
    }
    *out_dyn = d;
    return RI_OK;
}

void ri_dyn_destroy(RiDyn *d)
{
    if (!d)
        return;
    RiContext *ctx = d->ctx;
    ri_release(ctx, d->Y_block);
    ri_release(ctx, d->mass_block);
    ri_release(ctx, d->block);
    ri_release(ctx, d);
}

void ri_dyn_set_joint_extra(RiDyn *d, const double *extra_s)
{
    const RiModel *m = d->m;
    d->has_armature = false;
    for (int s = 0; s < m->ns; s++) {
        d->arm[s] = d->arm0[s] + (extra_s ? extra_s[s] : 0.0);
        d->has_armature |= d->arm[s] > 0.0;
    }
    for (int i = 0; i < d->nspecial; i++) {
        RiNode *n = &d->node[d->special[i]];
        if (n->rotor)
            factor_rotor(d, &m->clusters[d->special[i]]);
        else { // solved directly only while nothing is added to it
            n->free_root = true;
            for (int k = 0; k < 6; k++)
                n->free_root &= !(d->arm[n->s + k] > 0.0);
        }
    }
    d->articulated = 0;
}

void ri_dyn_clear_body_extra(RiDyn *d)
{
    if (!d->has_extra)
        return;
    memset(d->extra_on, 0, (size_t)(d->m->nb + 1) * sizeof *d->extra_on);
    d->has_extra = false;
}

void ri_dyn_add_link_load(RiDyn *d, int link, const double *X, const double *wrench)
{
    RI_ASSERT(link >= 0 && link < d->m->nl);
    RI_ASSERT(d->stage >= RI_DYN_PLACED && (!X || !d->rotors));
    const int body = d->m->links[link].body;
    double f[8];
    memcpy(f, wrench, sizeof f);
    if (X && body >= 0) {
        double *to = d->extra + 48 * (body + 1);
        if (!d->extra_on[body + 1])
            memset(to, 0, 48 * sizeof *to);
        d->extra_on[body + 1] = d->has_extra = true;
        for (int k = 0; k < 48; k++)
            to[k] += X[k];
        for (int k = 0; k < 8; k++) // gravity is an upward acceleration of the world, which these do not feel
            f[k] -= X[24 + k] * d->gravity.x + X[32 + k] * d->gravity.y + X[40 + k] * d->gravity.z;
    }
    for (int k = 0; k < 8; k++) {
        d->link_wrench[8 * link + k] += f[k];
        d->wrench[8 * (body + 1) + k] += f[k];
    }
    d->has_wrenches = d->wrench_on[body + 1] = true;
}

void ri_dyn_correct_link_wrench(RiDyn *d, int link, const double *wrench)
{
    RI_ASSERT(link >= 0 && link < d->m->nl);
    RI_ASSERT(d->stage >= RI_DYN_ACCELERATED);
    for (int k = 0; k < 8; k++)
        d->link_wrench[8 * link + k] += wrench[k];
}

void ri_dyn_add_point_extra(RiDyn *d, int link, RiVec3 point_W, const RiMat3 *E)
{
    RI_ASSERT(link >= 0 && link < d->m->nl);
    const int body = d->m->links[link].body;
    if (body < 0)
        return;
    double X[48], none[8] = {0.0};
    // J = (-[p]x 1): column k of J for the angular part is e_k x p, for the linear part e_k.
    const RiVec3 p = ri_sub(point_W, ri_region_origin(d, body));
    const RiVec3 unit[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 6; k++) {
        const RiVec3 column = k < 3 ? ri_cross(unit[k], p) : unit[k - 3], f = ri_rotate(E, column), n = ri_cross(p, f);
        const double x[8] = {n.x, n.y, n.z, 0.0, f.x, f.y, f.z, 0.0};
        memcpy(X + 8 * k, x, sizeof x);
    }
    ri_dyn_add_link_load(d, link, X, none);
}

RiStatus ri_dyn_reserve_mass_matrix(RiDyn *d)
{
    if (d->mass_block)
        return RI_OK;
    const size_t rows = d->row[d->m->nv] + 8;
    d->mass_block = ri_alloc_zero(d->ctx, 2 * rows * sizeof *d->H + 64, 1);
    if (!d->mass_block)
        return ri_error_memory(d->ctx);
    d->H = (double *)(void *)((char *)d->mass_block + (64 - (uintptr_t)d->mass_block % 64) % 64);
    d->L = d->H + rows;
    return RI_OK;
}

static RiStatus no_mass_matrix(RiDyn *d)
{
    return ri_error(d->ctx, RI_ERR_LIMIT,
                    "robot '%s': the mass matrix has %.3g entries; call ri_dyn_reserve_mass_matrix() first, or use "
                    "ri_dyn_apply_inverse(), which needs none",
                    d->m->name, (double)d->row[d->m->nv]);
}

RiStatus ri_dyn_reserve_delassus(RiDyn *d, int n)
{
    if (n <= d->delassus_limit)
        return RI_OK;
    const size_t stride = 3 * (size_t)n + 16;
    void *block = ri_alloc_zero(d->ctx, (size_t)d->m->nv * stride * sizeof *d->Y + 64, 1);
    if (!block)
        return ri_error_memory(d->ctx);
    ri_release(d->ctx, d->Y_block);
    d->Y_block = block;
    d->Y = (double *)(void *)((char *)block + (64 - (uintptr_t)block % 64) % 64);
    d->delassus_limit = n;
    return RI_OK;
}

int ri_dyn_delassus_limit(const RiDyn *d)
{
    return d->delassus_limit;
}

const RiModel *ri_dyn_model(const RiDyn *d)
{
    return d->m;
}

RiStatus ri_dyn_set_kernels(RiDyn *d, const char *name)
{
    RiKernels k;
    if (!ri_kernels_find(name, &k))
        return ri_error(d->ctx, RI_ERR_UNSUPPORTED, "this processor has no kernels '%s' (generic, avx2, avx512)", name);
    d->k = k;
    return RI_OK;
}

const char *ri_dyn_kernels(const RiDyn *d)
{
    return d->k.name;
}

void ri_dyn_set_gravity(RiDyn *d, RiVec3 gravity)
{
    d->gravity = gravity;
}

RiVec3 ri_dyn_gravity(const RiDyn *d)
{
    return d->gravity;
}

// --- state ---------------------------------------------------------------------------------------

/// Spanning positions of a loop cluster: solved from the ones given; G follows.
static RiStatus span_loop(RiDyn *d, const RiClusterData *c)
{
    const RiModel *m = d->m;
    const RiLoopData *loop = &m->loops[c->loop];
    double *q = d->jq + m->bodies[c->body].sq;
    memcpy(q, d->q + c->q, (size_t)loop->nsq * sizeof *q);
    const double residual = ri_loop_solve(m, c, &d->loop[c->loop], q);
    memcpy(d->q + c->q, q, (size_t)loop->nsq * sizeof *q);
    if (!(residual < RI_LOOP_TOLERANCE))
        return ri_error(d->ctx, RI_ERR_NUMERIC,
                        "loop '%s' of robot '%s' cannot be closed at this position (%.3g is left)",
                        loop->closures[0].name, m->name, residual);
    ri_loop_map(m, c, &d->loop[c->loop], d->G + c->map);
    return RI_OK;
}

/// Spanning positions, loops apart.
static void span_position(RiDyn *d, const double *q)
{
    d->stage = RI_DYN_EMPTY;
    d->shared = d->factored = d->elsewhere = false;
    d->articulated = 0;
    d->placed++;
    memcpy(d->q, q, (size_t)d->m->nq * sizeof *q);
    for (int i = 0; i < d->ncopy; i++)
        for (int k = 0; k < d->copy[i].nq; k++)
            d->jq[d->copy[i].sq + k] = q[d->copy[i].q + k];
    for (int i = 0; i < d->ntie; i++) {
        const RiTie *tie = &d->tie[i];
        double x = tie->offset;
        for (int k = tie->first; k < tie->first + tie->count; k++)
            x += d->term[k].factor * q[d->term[k].q];
        d->jq[tie->sq] = x;
    }
}

RiStatus ri_dyn_update_position(RiDyn *d, const double *q)
{
    const RiModel *m = d->m;
    span_position(d, q);
    for (int c = 0; m->nloop && c < m->nc; c++)
        if (m->clusters[c].kind == RI_CLUSTER_LOOP)
            RI_TRY(span_loop(d, &m->clusters[c]));
    d->k.position(d);
    d->stage = RI_DYN_PLACED;
    return RI_OK;
}

/// out (ns of the cluster) = G x.
static void apply_map(const RiDyn *d, const RiClusterData *c, const double *x, double *out)
{
    for (int j = 0; j < c->ns; j++) {
        double sum = 0.0;
        for (int k = 0; k < c->nv; k++)
            sum += d->G[c->map + j * c->nv + k] * x[k];
        out[j] = sum;
    }
}

/// Spanning velocities, loops apart.
static void span_velocity(RiDyn *d, const double *v)
{
    d->placed++;
    memcpy(d->v, v, (size_t)d->m->nv * sizeof *v);
    for (int i = 0; i < d->ncopy; i++)
        for (int k = 0; k < d->copy[i].ns; k++)
            d->js[d->copy[i].s + k] = v[d->copy[i].v + k];
    for (int i = 0; i < d->ntie; i++) {
        const RiTie *tie = &d->tie[i];
        double x = 0.0;
        for (int k = tie->first; k < tie->first + tie->count; k++)
            x += d->term[k].factor * v[d->term[k].v];
        d->js[tie->s] = x;
    }
}

void ri_dyn_update_velocity(RiDyn *d, const double *v)
{
    const RiModel *m = d->m;
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    ri_dyn_own(d);
    span_velocity(d, v);
    for (int c = 0; m->nloop && c < m->nc; c++) {
        const RiClusterData *cluster = &m->clusters[c];
        if (cluster->loop < 0)
            continue;
        apply_map(d, cluster, v + cluster->v, d->js + cluster->s);
        ri_loop_bias(m, cluster, &d->loop[cluster->loop], d->js + cluster->s, d->jg + cluster->s);
    }
    d->k.velocity(d);
    d->stage = RI_DYN_MOVING;
}

void ri_dyn_begin_place(RiDyn *d, const double *q, const double *v)
{
    RI_ASSERT(d->m->nloop == 0);
    span_position(d, q);
    span_velocity(d, v);
}

void ri_dyn_end_place(RiDyn *d)
{
    d->elsewhere = true;
    d->stage = RI_DYN_MOVING;
}

void ri_dyn_recompute(RiDyn *d)
{
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    d->elsewhere = false;
    d->k.position(d);
    d->k.velocity(d);
}

void ri_dyn_get_q(const RiDyn *d, double *out_q)
{
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    memcpy(out_q, d->q, (size_t)d->m->nq * sizeof *out_q);
}

void ri_dyn_get_qdot(const RiDyn *d, double *out_qdot)
{
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    for (int i = 0; i < d->m->nb; i++) {
        const RiBodyData *b = &d->m->bodies[i];
        const int at = d->m->joints[b->joint].q;
        if (at >= 0)
            ri_joint_qdot(b->type, d->jq + b->sq, d->js + b->s, out_qdot + at);
    }
}

void ri_dyn_joint_position(const RiDyn *d, int joint, double *out_q)
{
    RI_ASSERT(joint >= 0 && joint < d->m->nj);
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    const int body = d->m->joints[joint].body;
    if (body >= 0)
        memcpy(out_q, d->jq + d->m->bodies[body].sq, (size_t)d->m->bodies[body].nq * sizeof *out_q);
}

void ri_dyn_joint_velocity(const RiDyn *d, int joint, double *out_v)
{
    RI_ASSERT(joint >= 0 && joint < d->m->nj);
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    const int body = d->m->joints[joint].body;
    if (body >= 0)
        memcpy(out_v, d->js + d->m->bodies[body].s, (size_t)d->m->bodies[body].ns * sizeof *out_v);
}

void ri_dyn_joint_acceleration(const RiDyn *d, int joint, double *out_a)
{
    RI_ASSERT(joint >= 0 && joint < d->m->nj);
    RI_ASSERT(d->stage >= RI_DYN_ACCELERATED);
    const int body = d->m->joints[joint].body;
    if (body < 0)
        return;
    const RiBodyData *b = &d->m->bodies[body];
    const RiClusterData *c = &d->m->clusters[b->cluster];
    for (int k = 0; k < b->ns; k++) {
        const int local = b->s - c->s + k;
        double sum = c->map < 0 ? d->a[c->v + local] : d->jg[b->s + k];
        for (int i = 0; c->map >= 0 && i < c->nv; i++)
            sum += d->G[c->map + local * c->nv + i] * d->a[c->v + i];
        out_a[k] = sum;
    }
}

void ri_dyn_span_acceleration(const RiDyn *d, double *out_a)
{
    RI_ASSERT(d->stage >= RI_DYN_ACCELERATED);
    for (const RiClusterData *c = d->m->clusters, *end = c + d->m->nc; c < end; c++) {
        const double *a = d->a + c->v, *jg = d->jg + c->s;
        double *out = out_a + c->s;
        if (c->kind == RI_CLUSTER_ONE) { // what most are
            *out = *a;
            continue;
        }
        if (c->map < 0) {
            for (int k = 0; k < c->ns; k++)
                out[k] = a[k];
            continue;
        }
        const double *G = d->G + c->map;
        for (int k = 0; k < c->ns; k++, G += c->nv) {
            double sum = jg[k];
            for (int i = 0; i < c->nv; i++)
                sum += G[i] * a[i];
            out[k] = sum;
        }
    }
}

// --- dynamics ------------------------------------------------------------------------------------

static RiStatus no_inertia(RiDyn *d)
{
    const RiModel *m = d->m;
    const RiClusterData *c = &m->clusters[d->bad_cluster];
    return ri_error(d->ctx, RI_ERR_NUMERIC,
                    "robot '%s': joint '%s' moves nothing that has inertia (or the state is not finite): body '%s'",
                    m->name, m->joints[m->bodies[c->body].joint].spec.name, m->links[m->bodies[c->body].link].name);
}

RiStatus ri_dyn_forward(RiDyn *d, const double *tau, double *out_a)
{
    ri_dyn_own(d);
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    d->stage = RI_DYN_MOVING;
    if (!d->k.forward(d, tau, out_a))
        return no_inertia(d);
    memcpy(d->a, out_a, (size_t)d->m->nv * sizeof *d->a);
    d->articulated = 1;
    d->stage = RI_DYN_ACCELERATED;
    return RI_OK;
}

void ri_dyn_inverse(RiDyn *d, const double *a, double *out_tau)
{
    ri_dyn_own(d);
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    if (a)
        memcpy(d->a, a, (size_t)d->m->nv * sizeof *d->a);
    else
        memset(d->a, 0, (size_t)d->m->nv * sizeof *d->a);
    d->k.inverse(d, a, out_tau);
    d->stage = RI_DYN_ACCELERATED;
}

RiStatus ri_forward_dynamics(RiDyn *d, const double *q, const double *v, const double *tau, double *out_a)
{
    RI_TRY(ri_dyn_update_position(d, q));
    ri_dyn_update_velocity(d, v);
    return ri_dyn_forward(d, tau, out_a);
}

RiStatus ri_inverse_dynamics(RiDyn *d, const double *q, const double *v, const double *a, double *out_tau)
{
    RI_TRY(ri_dyn_update_position(d, q));
    ri_dyn_update_velocity(d, v);
    ri_dyn_inverse(d, a, out_tau);
    return RI_OK;
}

RiStatus ri_dyn_mass_matrix(RiDyn *d, double *out_M)
{
    ri_dyn_own(d);
    const size_t n = (size_t)d->m->nv;
    if (!d->H)
        return no_mass_matrix(d);
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    d->k.mass_matrix(d);
    if (!out_M)
        return RI_OK;
    memset(out_M, 0, n * n * sizeof *out_M);
    for (size_t k = 0; k < n; k++) {
        const double *row = d->H + d->row[k];
        for (int i = (int)k, at = d->dof_depth[k]; i >= 0; i = d->dof_parent[i], at--)
            out_M[k * n + (size_t)i] = out_M[(size_t)i * n + k] = row[at];
    }
    return RI_OK;
}

RiStatus ri_dyn_factor(RiDyn *d)
{
    if (!d->H)
        return no_mass_matrix(d);
    RI_TRY(ri_dyn_articulate(d));
    d->k.factor(d);
    d->factored = true;
    return RI_OK;
}

void ri_dyn_solve(const RiDyn *d, double *x)
{
    RI_ASSERT(d->factored);
    d->k.solve(d, x);
}

RiStatus ri_dyn_articulate(RiDyn *d)
{
    ri_dyn_own(d);
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    if (d->articulated == 2)
        return RI_OK;
    if (!d->k.articulate(d, d->articulated == 1))
        return no_inertia(d);
    d->articulated = 2;
    return RI_OK;
}

void ri_dyn_apply_inverse(RiDyn *d, double *x)
{
    RI_ASSERT(d->articulated == 2);
    d->k.apply_inverse(d, x);
}

void ri_dyn_respond(RiDyn *d, double *scratch)
{
    RI_ASSERT(d->articulated == 2);
    memset(scratch, 0, (size_t)d->m->nv * sizeof *scratch);
    d->k.respond(d, scratch);
    memset(d->force, 0, 8 * sizeof *d->force); // the world stays
}

void ri_dyn_delassus(RiDyn *d, int n, const RiPoint *points, double *out_W)
{
    ri_dyn_delassus_between(d, n, points, 0, NULL, NULL, out_W);
}

void ri_dyn_delassus_between(RiDyn *d, int n, const RiPoint *points, int seen, const RiPoint *from, const int *of,
                             double *out_W)
{
    RI_ASSERT(d->articulated == 2);
    RI_ASSERT(n >= 0 && seen >= 0 && n + seen <= d->delassus_limit);
    d->k.delassus(d, n, points, seen, from, of, out_W);
}
