// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fifth stage: which coordinates are independent, and the maps between them and the joints.
///
/// Linear couplings of a cluster are brought to reduced row echelon form; the pivots are the
/// dependent joints (the first term's joint of a coupling where it can be), every other joint stays
/// independent. Contradictory couplings end in a row 0 = c. Clusters with loops are assembled first
/// (least-norm Newton from the initial positions), then the pivoted QR of the closure equations at
/// that position tells which coordinates depend on which.
#include <stdio.h>
#include <string.h>

#include "math/dense.h"
#include "model/build.h"

#define RI_COUPLING_EPS       1e-12
#define RI_INDEPENDENT_WEIGHT 1e-3 // columns of preferred coordinates count this much when pivots are chosen

/// Cluster in which a coupling or loop acts, -1 if it ties only locked joints.
static int coupling_cluster(const RiBuild *b, const RiCouplingSpec *x)
{
    for (int k = 0; k < x->term_count; k++) {
        const int j = ri_names_find(&b->m->joint_names, x->terms[k].joint);
        const int body = b->m->joints[j].body;
        if (body >= 0 && b->m->bodies[body].ns == 1)
            return b->m->bodies[body].cluster;
    }
    return -1;
}

/// Position of a locked or fixed joint, as far as a coupling is concerned.
static double locked_position(const RiBuild *b, int joint)
{
    return joint < b->spec->joint_count ? b->spec->joints[joint].position[0] : 0.0;
}

/// One coupling as a row over the cluster's spanning coordinates, its right-hand side last.
static void coupling_row(const RiBuild *b, const RiClusterData *c, const RiCouplingSpec *x, double *row)
{
    memset(row, 0, (size_t)(c->ns + 1) * sizeof *row);
    row[c->ns] = x->offset;
    for (int k = 0; k < x->term_count; k++) {
        const int j = ri_names_find(&b->m->joint_names, x->terms[k].joint);
        const int body = b->m->joints[j].body;
        if (body >= 0 && b->m->bodies[body].ns == 1)
            row[b->m->bodies[body].s - c->s] += x->terms[k].factor;
        else
            row[c->ns] -= x->terms[k].factor * locked_position(b, j);
    }
}

/// Column of the joint a coupling would rather make dependent.
static int preferred_pivot(const RiBuild *b, const RiClusterData *c, const RiCouplingSpec *x)
{
    const int j = ri_names_find(&b->m->joint_names, x->terms[0].joint);
    const int body = b->m->joints[j].body;
    return body >= 0 && b->m->bodies[body].ns == 1 ? b->m->bodies[body].s - c->s : -1;
}

static int choose_pivot(const double *row, const bool *taken, int ns, int preferred, double scale)
{
    if (preferred >= 0 && !taken[preferred] && fabs(row[preferred]) > 1e-6 * scale)
        return preferred;
    int best = -1;
    for (int i = 0; i < ns; i++)
        if (!taken[i] && fabs(row[i]) > RI_COUPLING_EPS * scale && (best < 0 || fabs(row[i]) > fabs(row[best])))
            best = i;
    return best;
}

/// row <- row - (row[pivot] / by[pivot]) by.
static void eliminate(double *row, const double *by, int pivot, int ns)
{
    const double f = row[pivot] / by[pivot];
    if (f == 0.0)
        return;
    for (int i = 0; i <= ns; i++)
        row[i] -= f * by[i];
    row[pivot] = 0.0;
}

/// Echelon form of a linear cluster's couplings. rows: count x (ns + 1); pivot_row[s] = its row, -1
/// if independent.
static RiStatus reduce_couplings(RiBuild *b, const RiClusterData *c, int cluster, double *rows, int *pivot_row)
{
    const int width = c->ns + 1;
    bool *taken = ri_build_alloc(b, (size_t)c->ns, sizeof *taken);
    int *pivot_of = ri_build_alloc(b, (size_t)b->spec->coupling_count, sizeof *pivot_of);
    if (!taken || !pivot_of)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < c->ns; i++)
        pivot_row[i] = -1;
    int count = 0;
    for (int i = 0; i < b->spec->coupling_count; i++) {
        const RiCouplingSpec *x = &b->spec->couplings[i];
        if (b->coupling_cluster[i] != cluster)
            continue;
        double *row = rows + count * width, scale = fabs(x->offset);
        coupling_row(b, c, x, row);
        for (int k = 0; k < c->ns; k++)
            scale = fabs(row[k]) > scale ? fabs(row[k]) : scale;
        for (int k = 0; k < count; k++)
            eliminate(row, rows + k * width, pivot_of[k], c->ns);
        const int pivot = choose_pivot(row, taken, c->ns, preferred_pivot(b, c, x), scale);
        if (pivot < 0) {
            if (fabs(row[c->ns]) > 1e-9 * (1.0 + scale))
                return ri_error(b->ctx, RI_ERR_MODEL, "%scoupling '%s' contradicts the couplings before it (0 = %g)",
                                ri_where(x->source).text, x->name ? x->name : "", row[c->ns]);
            ri_report_add(b->options.report, RI_FINDING_WARNING, x->source.file, x->source.line,
                          "coupling '%s' repeats what other couplings say", x->name ? x->name : "");
            continue;
        }
        for (int k = 0; k < count; k++)
            eliminate(rows + k * width, row, pivot, c->ns);
        taken[pivot] = true;
        pivot_of[count] = pivot;
        pivot_row[pivot] = count++;
    }
    return RI_OK;
}

/// Local spanning indices of the independent coordinates, and their number.
static RiStatus list_independent(RiBuild *b, RiClusterData *c, const bool *dependent)
{
    int *list = ri_arena_alloc(&b->m->arena, (size_t)c->ns + 1, sizeof *list);
    if (!list)
        return ri_error_memory(b->ctx);
    c->nv = 0;
    for (int i = 0; i < c->ns; i++)
        if (!dependent[i])
            list[c->nv++] = i;
    c->s_of_v = list;
    return RI_OK;
}

static RiStatus map_linear(RiBuild *b, int index, double **out_G)
{
    RiModel *m = b->m;
    RiClusterData *c = &m->clusters[index];
    const size_t ns = (size_t)c->ns;
    double *rows = ri_build_alloc(b, (size_t)b->spec->coupling_count * (ns + 1), sizeof *rows);
    int *pivot_row = ri_build_alloc(b, ns, sizeof *pivot_row);
    bool *dependent = ri_build_alloc(b, ns, sizeof *dependent);
    double *offset = ri_arena_alloc(&m->arena, ns + 1, sizeof *offset);
    if (!rows || !pivot_row || !dependent || !offset)
        return ri_error_memory(b->ctx);
    RI_TRY(reduce_couplings(b, c, index, rows, pivot_row));
    for (int i = 0; i < c->ns; i++)
        dependent[i] = pivot_row[i] >= 0;
    RI_TRY(list_independent(b, c, dependent));
    double *G = *out_G = ri_build_alloc(b, ns * (size_t)(c->nv + 1), sizeof *G);
    if (!G)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < c->ns; i++) {
        const double *row = pivot_row[i] >= 0 ? rows + pivot_row[i] * (c->ns + 1) : NULL;
        offset[i] = row ? row[c->ns] / row[i] : 0.0;
        for (int k = 0; k < c->nv; k++) {
            const int s = c->s_of_v[k];
            G[i * c->nv + k] = row ? -row[s] / row[i] + 0.0 : s == i ? 1.0 : 0.0; // + 0.0: no negative zero
        }
    }
    c->offset = offset;
    c->kind = RI_CLUSTER_LINEAR;
    return RI_OK;
}

// --- loops ---------------------------------------------------------------------------------------

/// Size of a cluster's mechanism: the longest offset of a joint or a closure frame [m].
static double cluster_size(const RiBuild *b, const RiClusterData *c, const RiClosure *closures, int count)
{
    double size = 0.0;
    for (int i = c->body + 1; i < c->body + c->nbody; i++)
        size = fmax(size, ri_norm(b->m->bodies[i].tree.p));
    for (int i = 0; i < count; i++) {
        if (closures[i].body_a >= 0)
            size = fmax(size, ri_norm(closures[i].pose_a.p));
        if (closures[i].body_b >= 0)
            size = fmax(size, ri_norm(closures[i].pose_b.p));
    }
    return size > 0.0 ? size : 1.0;
}

/// Frame of a closure in the body of its link; a link outside the cluster is on its parent body or
/// fixed to the world.
static void closure_side(const RiBuild *b, const RiClusterData *c, const char *link_name, const RiPose *pose, int *body,
                         RiPose *out_pose)
{
    const RiLinkData *link = &b->m->links[ri_names_find(&b->m->link_names, link_name)];
    *body = link->body >= c->body && link->body < c->body + c->nbody ? link->body - c->body : -1;
    *out_pose = ri_pose_mul(&link->pose, pose);
}

static RiStatus collect_closures(RiBuild *b, int index, RiLoopData *loop)
{
    RiModel *m = b->m;
    const RiClusterData *c = &m->clusters[index];
    RiClosure *list = ri_arena_alloc(&m->arena, (size_t)b->spec->loop_count, sizeof *list);
    if (!list)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < b->spec->loop_count; i++) {
        const RiLoopSpec *x = &b->spec->loops[i];
        if (b->loop_cluster[i] != index)
            continue;
        RiClosure *closure = &list[loop->closure_count++];
        closure->name = ri_arena_string(&m->arena, x->name ? x->name : "(unnamed)");
        closure->source.file = ri_arena_string(&m->arena, x->source.file);
        closure->source.line = x->source.line;
        if (!closure->name || (x->source.file && !closure->source.file))
            return ri_error_memory(b->ctx);
        closure->type = x->type;
        closure->distance = x->distance;
        closure_side(b, c, x->link_a, &x->pose_a, &closure->body_a, &closure->pose_a);
        closure_side(b, c, x->link_b, &x->pose_b, &closure->body_b, &closure->pose_b);
        closure->link_a = ri_names_find(&m->link_names, x->link_a);
        closure->link_b = ri_names_find(&m->link_names, x->link_b);
        closure->row = loop->rows;
        closure->rows = ri_closure_rows(x->type);
        loop->rows += closure->rows;
    }
    const double size = cluster_size(b, c, list, loop->closure_count);
    for (int i = 0; i < loop->closure_count; i++)
        list[i].per_length = 1.0 / size;
    loop->closures = list;
    return RI_OK;
}

static RiStatus collect_linear(RiBuild *b, int index, RiLoopData *loop)
{
    RiModel *m = b->m;
    const RiClusterData *c = &m->clusters[index];
    RiLinearRow *list = ri_arena_alloc(&m->arena, (size_t)b->spec->coupling_count, sizeof *list);
    double *row = ri_build_alloc(b, (size_t)c->ns + 1, sizeof *row);
    if (!list || !row)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < b->spec->coupling_count; i++) {
        if (b->coupling_cluster[i] != index)
            continue;
        coupling_row(b, c, &b->spec->couplings[i], row);
        int *s = ri_arena_alloc(&m->arena, (size_t)c->ns, sizeof *s);
        double *factor = ri_arena_alloc(&m->arena, (size_t)c->ns, sizeof *factor);
        if (!s || !factor)
            return ri_error_memory(b->ctx);
        RiLinearRow *x = &list[loop->linear_count++];
        for (int k = 0; k < c->ns; k++)
            if (row[k] != 0.0) {
                s[x->count] = k;
                factor[x->count++] = row[k];
            }
        x->s = s;
        x->factor = factor;
        x->offset = row[c->ns];
        loop->rows++;
    }
    loop->linear = list;
    return RI_OK;
}

/// Offsets of the joints' positions within the cluster.
static RiStatus index_positions(RiBuild *b, const RiClusterData *c, RiLoopData *loop)
{
    RiModel *m = b->m;
    int *local_sq = ri_arena_alloc(&m->arena, (size_t)c->nbody, sizeof *local_sq);
    int *sq_of_s = ri_arena_alloc(&m->arena, (size_t)c->ns, sizeof *sq_of_s);
    if (!local_sq || !sq_of_s)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < c->nbody; i++) {
        const RiBodyData *body = &m->bodies[c->body + i];
        local_sq[i] = body->sq - m->bodies[c->body].sq;
        for (int k = 0; k < body->ns; k++)
            sq_of_s[body->s - c->s + k] = local_sq[i];
        loop->nsq = local_sq[i] + body->nq;
    }
    loop->local_sq = local_sq;
    loop->sq_of_s = sq_of_s;
    return RI_OK;
}

/// Initial spanning positions of a body's joint.
static void initial_position(const RiBuild *b, const RiBodyData *body, double *q)
{
    const double *given = b->joints[body->joint].position;
    memcpy(q, given, (size_t)body->nq * sizeof *q);
    if (body->type == RI_JOINT_BALL || body->type == RI_JOINT_FREE) {
        double *x = q + body->nq - 4;
        const RiQuat unit = ri_quat_normalize((RiQuat){x[0], x[1], x[2], x[3]});
        x[0] = unit.w, x[1] = unit.x, x[2] = unit.y, x[3] = unit.z;
    }
}

/// Name of the closure with the largest residual.
static const RiClosure *worst_closure(const RiLoopData *loop, const RiLoopWork *w)
{
    const RiClosure *worst = &loop->closures[0];
    double most = -1.0;
    for (int i = 0; i < loop->closure_count; i++)
        for (int r = 0; r < loop->closures[i].rows; r++)
            if (fabs(w->value[loop->closures[i].row + r]) > most) {
                most = fabs(w->value[loop->closures[i].row + r]);
                worst = &loop->closures[i];
            }
    return worst;
}

/// Brings all joints of the cluster to a position that closes the loops, moving them as little as
/// possible.
static RiStatus assemble(RiBuild *b, const RiClusterData *c, RiLoopWork *w, double *q)
{
    const RiLoopData *loop = &b->m->loops[c->loop];
    const int rows = loop->rows, ns = c->ns;
    double *T = ri_build_alloc(b, (size_t)rows * (size_t)ns, sizeof *T); // J^T: its QR gives least-norm steps
    double *beta = ri_build_alloc(b, (size_t)rows + (size_t)ns, sizeof *beta);
    int *pivot = ri_build_alloc(b, (size_t)rows, sizeof *pivot);
    if (!T || !beta || !pivot)
        return ri_error_memory(b->ctx);
    double residual = INFINITY;
    for (int i = 0; i < 100; i++) {
        ri_loop_evaluate(b->m, c, w, q);
        residual = 0.0;
        for (int r = 0; r < rows; r++)
            residual = fabs(w->value[r]) > residual || isnan(w->value[r]) ? fabs(w->value[r]) : residual;
        if (residual < 1e-14 || isnan(residual))
            break;
        for (int r = 0; r < rows; r++) {
            w->rhs[r] = -w->value[r];
            for (int k = 0; k < ns; k++)
                T[k * rows + r] = w->jac[r * ns + k];
        }
        const int rank = ri_qr_factor(ns, rows, T, beta, pivot, 1e-9);
        ri_qr_solve_transposed(ns, rows, T, beta, pivot, rank, w->rhs, w->step);
        for (int k = 0; k < c->nbody; k++) {
            const RiBodyData *body = &b->m->bodies[c->body + k];
            double *qb = q + loop->local_sq[k];
            ri_joint_integrate(body->type, qb, w->step + (body->s - c->s), 1.0, qb);
        }
    }
    if (residual < RI_LOOP_TOLERANCE && !ri_loop_is_reversed(loop, w))
        return RI_OK;
    const RiClosure *worst = worst_closure(loop, w);
    return ri_error(
        b->ctx, RI_ERR_MODEL,
        "%sloop '%s' cannot be closed from the initial joint positions (%.3g is left): check its frames and the "
        "joints' initial positions",
        ri_where(worst->source).text, worst->name, residual);
}

/// Splits the coordinates by pivoted QR of the closure equations: pivots are dependent.
static RiStatus split_loop(RiBuild *b, RiClusterData *c, RiLoopWork *w, const double *q)
{
    RiModel *m = b->m;
    RiLoopData *loop = &m->loops[c->loop];
    bool *dependent = ri_build_alloc(b, (size_t)c->ns, sizeof *dependent);
    int *list = ri_arena_alloc(&m->arena, (size_t)c->ns, sizeof *list);
    if (!dependent || !list)
        return ri_error_memory(b->ctx);
    ri_loop_evaluate(m, c, w, q);
    memcpy(w->mat, w->jac, (size_t)loop->rows * (size_t)c->ns * sizeof *w->mat);
    for (int i = 0; i < c->nbody; i++) { // the earlier a joint in the tree, the rather it stays independent
        const RiBodyData *body = &m->bodies[c->body + i];
        const double early = 0.5 + 0.5 * (i + 1) / c->nbody;
        const double weight = b->joints[body->joint].independent ? RI_INDEPENDENT_WEIGHT : early;
        for (int k = body->s - c->s; k < body->s - c->s + body->ns; k++)
            for (int r = 0; r < loop->rows; r++)
                w->mat[r * c->ns + k] *= weight;
    }
    const int rank = ri_qr_factor(loop->rows, c->ns, w->mat, w->beta, w->pivot, 1e-8 * RI_INDEPENDENT_WEIGHT);
    for (int k = 0; k < rank; k++)
        dependent[w->pivot[k]] = true;
    RI_TRY(list_independent(b, c, dependent));
    for (int i = 0, n = 0; i < c->ns; i++)
        if (dependent[i])
            list[n++] = i;
    loop->dependent = list;
    return RI_OK;
}

static RiStatus map_loop(RiBuild *b, int index, double *spanning_q, double **out_G)
{
    RiModel *m = b->m;
    RiClusterData *c = &m->clusters[index];
    c->loop = m->nloop++;
    c->kind = RI_CLUSTER_LOOP;
    RiLoopData *loop = &m->loops[c->loop];
    RI_TRY(collect_closures(b, index, loop));
    RI_TRY(collect_linear(b, index, loop));
    RI_TRY(index_positions(b, c, loop));
    void *block = ri_build_alloc(b, ri_loop_work_size(c->nbody, c->ns, loop->rows, loop->nsq), 1);
    if (!block)
        return ri_error_memory(b->ctx);
    RiLoopWork w = ri_loop_work_layout(block, c->nbody, c->ns, loop->rows, loop->nsq);
    double *q = spanning_q + m->bodies[c->body].sq;
    RI_TRY(assemble(b, c, &w, q));
    RI_TRY(split_loop(b, c, &w, q));
    double *G = *out_G = ri_build_alloc(b, (size_t)c->ns * (size_t)(c->nv + 1), sizeof *G);
    if (!G)
        return ri_error_memory(b->ctx);
    ri_loop_evaluate(m, c, &w, q);
    ri_loop_map(m, c, &w, G);
    if (loop->rows > m->max_loop_rows)
        m->max_loop_rows = loop->rows;
    if (c->ns > m->max_loop_ns)
        m->max_loop_ns = c->ns;
    return RI_OK;
}

static RiStatus map_single(RiBuild *b, RiClusterData *c)
{
    bool none[6] = {false};
    c->kind = c->ns == 1 ? RI_CLUSTER_ONE : RI_CLUSTER_SINGLE;
    return list_independent(b, c, none);
}

// --- numbering -----------------------------------------------------------------------------------

/// Independent velocities, positions and workspace offsets of one cluster.
static void number_cluster(RiModel *m, RiClusterData *c)
{
    c->v = m->nv;
    m->nv += c->nv;
    c->col = m->ncol;
    m->ncol += c->nv * c->nbody;
    c->fac = m->nfac;
    m->nfac += c->nv * c->nv;
    c->map = -1;
    if (c->kind == RI_CLUSTER_LINEAR || c->kind == RI_CLUSTER_LOOP) {
        c->map = m->nmap;
        m->nmap += c->ns * c->nv;
    }
    c->q = m->nq;
    for (int k = 0; k < c->nv; k++)
        for (int i = c->body; i < c->body + c->nbody; i++) {
            const RiBodyData *body = &m->bodies[i];
            const int local = c->s_of_v[k] - (body->s - c->s);
            if (body->ns > 0 && local == 0 && m->joints[body->joint].v < 0)
                m->joints[body->joint].v = c->v + k;
        }
    for (int i = c->body; i < c->body + c->nbody; i++) {
        RiBodyData *body = &m->bodies[i];
        RiJointData *joint = &m->joints[body->joint];
        if (body->nq && (joint->v >= 0 || c->kind == RI_CLUSTER_LOOP)) {
            joint->q = m->nq;
            m->nq += body->nq;
        }
        body->q = joint->q;
        body->v = joint->v;
    }
    c->nq = m->nq - c->q;
}

static RiStatus fill_tables(RiBuild *b, const double *spanning_q, double *const *G)
{
    RiModel *m = b->m;
    m->map = ri_arena_alloc(&m->arena, (size_t)m->nmap + 1, sizeof *m->map);
    m->q0 = ri_arena_alloc(&m->arena, (size_t)m->nq + 1, sizeof *m->q0);
    m->v_body = ri_arena_alloc(&m->arena, (size_t)m->nv + 1, sizeof *m->v_body);
    if (!m->map || !m->q0 || !m->v_body)
        return ri_error_memory(b->ctx);
    for (int c = 0; c < m->nc; c++) {
        const RiClusterData *cluster = &m->clusters[c];
        if (cluster->map >= 0)
            memcpy(m->map + cluster->map, G[c], (size_t)(cluster->ns * cluster->nv) * sizeof *m->map);
        for (int k = 0; k < cluster->nv; k++)
            for (int i = cluster->body; i < cluster->body + cluster->nbody; i++) {
                const int local = cluster->s_of_v[k] + cluster->s - m->bodies[i].s;
                if (local >= 0 && local < m->bodies[i].ns)
                    m->v_body[cluster->v + k] = i;
            }
    }
    for (int i = 0; i < m->nb; i++) {
        const int q = m->joints[m->bodies[i].joint].q;
        if (q >= 0)
            memcpy(m->q0 + q, spanning_q + m->bodies[i].sq, (size_t)m->bodies[i].nq * sizeof *m->q0);
    }
    return RI_OK;
}

/// Names of the entries of q and v: the joint's name, with a suffix where it has several.
static RiStatus name_coordinates(RiBuild *b)
{
    static const char *const free_q[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    static const char *const free_v[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    static const char *const planar[] = {"x", "y", "angle"}, *const universal[] = {"angle1", "angle2"};
    RiModel *m = b->m;
    m->q_names = ri_arena_alloc(&m->arena, (size_t)m->nq + 1, sizeof *m->q_names);
    m->v_names = ri_arena_alloc(&m->arena, (size_t)m->nv + 1, sizeof *m->v_names);
    if (!m->q_names || !m->v_names)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < m->nb; i++) {
        const RiBodyData *body = &m->bodies[i];
        const RiClusterData *c = &m->clusters[body->cluster];
        const RiJointData *joint = &m->joints[body->joint];
        const RiJointType type = body->type;
        const char *const *qs = type == RI_JOINT_FREE     ? free_q
                                : type == RI_JOINT_BALL   ? free_q + 3
                                : type == RI_JOINT_PLANAR ? planar
                                                          : universal;
        const char *const *vs = type == RI_JOINT_FREE ? free_v : type == RI_JOINT_BALL ? free_v + 3 : qs;
        char text[512];
        for (int k = 0; joint->q >= 0 && k < body->nq; k++) {
            snprintf(text, sizeof text, body->nq > 1 ? "%.400s.%s" : "%.400s", joint->spec.name, qs[k]);
            if (!(m->q_names[joint->q + k] = ri_arena_string(&m->arena, text)))
                return ri_error_memory(b->ctx);
        }
        for (int k = 0; k < c->nv; k++) {
            const int local = c->s_of_v[k] + c->s - body->s;
            if (local < 0 || local >= body->ns)
                continue;
            snprintf(text, sizeof text, body->ns > 1 ? "%.400s.%s" : "%.400s", joint->spec.name, vs[local]);
            if (!(m->v_names[c->v + k] = ri_arena_string(&m->arena, text)))
                return ri_error_memory(b->ctx);
        }
    }
    return RI_OK;
}

static RiStatus place_ties(RiBuild *b)
{
    const RiSpec *spec = b->spec;
    b->coupling_cluster = ri_build_alloc(b, (size_t)spec->coupling_count, sizeof *b->coupling_cluster);
    b->loop_cluster = ri_build_alloc(b, (size_t)spec->loop_count, sizeof *b->loop_cluster);
    b->m->loops = ri_arena_alloc(&b->m->arena, (size_t)spec->loop_count + 1, sizeof *b->m->loops);
    if (!b->coupling_cluster || !b->loop_cluster || !b->m->loops)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < spec->coupling_count; i++) {
        b->coupling_cluster[i] = coupling_cluster(b, &spec->couplings[i]);
        if (b->coupling_cluster[i] >= 0)
            continue;
        const RiCouplingSpec *x = &spec->couplings[i];
        double sum = -x->offset; // all joints are locked: the coupling must hold by itself
        for (int k = 0; k < x->term_count; k++)
            sum += x->terms[k].factor * locked_position(b, ri_names_find(&b->m->joint_names, x->terms[k].joint));
        if (fabs(sum) > 1e-9)
            return ri_error(b->ctx, RI_ERR_MODEL, "%scoupling '%s' ties locked joints whose positions violate it by %g",
                            ri_where(x->source).text, x->name ? x->name : "", sum);
    }
    for (int i = 0; i < spec->loop_count; i++) {
        const RiLinkData *a = &b->m->links[ri_names_find(&b->m->link_names, spec->loops[i].link_a)];
        const RiLinkData *c = &b->m->links[ri_names_find(&b->m->link_names, spec->loops[i].link_b)];
        const int deeper = a->body > c->body ? a->body : c->body; // the one that is not the other's ancestor
        b->loop_cluster[i] = b->m->bodies[deeper].cluster;
    }
    return RI_OK;
}

RiStatus ri_build_map(RiBuild *b)
{
    RiModel *m = b->m;
    double *spanning_q = ri_build_alloc(b, (size_t)m->nsq, sizeof *spanning_q);
    double **G = ri_build_alloc(b, (size_t)m->nc, sizeof *G);
    bool *looped = ri_build_alloc(b, (size_t)m->nc, sizeof *looped),
         *tied = ri_build_alloc(b, (size_t)m->nc, sizeof *tied);
    if (!spanning_q || !G || !looped || !tied)
        return ri_error_memory(b->ctx);
    RI_TRY(place_ties(b));
    for (int i = 0; i < m->nb; i++)
        initial_position(b, &m->bodies[i], spanning_q + m->bodies[i].sq);
    for (int i = 0; i < b->spec->coupling_count; i++)
        if (b->coupling_cluster[i] >= 0)
            tied[b->coupling_cluster[i]] = true;
    for (int i = 0; i < b->spec->loop_count; i++)
        looped[b->loop_cluster[i]] = true;
    m->plain = true;
    for (int c = 0; c < m->nc; c++) {
        RiClusterData *cluster = &m->clusters[c];
        cluster->loop = -1;
        if (looped[c])
            RI_TRY(map_loop(b, c, spanning_q, &G[c]));
        else if (tied[c] || cluster->nbody > 1)
            RI_TRY(map_linear(b, c, &G[c]));
        else
            RI_TRY(map_single(b, cluster));
        m->plain &= cluster->kind == RI_CLUSTER_ONE || cluster->kind == RI_CLUSTER_SINGLE;
        number_cluster(m, cluster);
    }
    RI_TRY(fill_tables(b, spanning_q, G));
    return name_coordinates(b);
}
