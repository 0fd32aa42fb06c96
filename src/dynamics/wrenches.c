// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the joints carry: the wrench across every joint of the robot as the user wrote it, merged
/// ones included, and the forces of couplings and loop closures.
///
/// Each link needs the wrench  f = I a + V x* I V - f_ext  to move as its body does. Summed from
/// the leaves to the root along the links' own tree, these are the wrenches across the joints. Loop
/// closures are further paths for force: their forces lambda follow from the spanning joints'
/// efforts, J^T lambda = S^T f - tau + armature, solved with least norm where closures are
/// redundant, and are taken off the links they act on before the sum.
#include <string.h>

#include "dynamics/dyn.h"
#include "math/dense.h"

static RiMat3 body_axes(const RiDyn *d, int body)
{
    const double *P = d->pose + 16 * (body + 1);
    return ri_mat3_from_cols(ri_vec3(P[0], P[1], P[2]), ri_vec3(P[4], P[5], P[6]), ri_vec3(P[8], P[9], P[10]));
}

static RiSpatial add(RiSpatial a, RiSpatial b)
{
    return (RiSpatial){ri_add(a.ang, b.ang), ri_add(a.lin, b.lin)};
}

/// Force a link's own mass needs, about its region's origin; gravity is in the acceleration. Links
/// fixed to the world need their weight held, about the world's origin.
static RiSpatial link_force(const RiDyn *d, const RiLinkData *l)
{
    if (l->body < 0) {
        const RiVec3 weight = ri_scale(-l->mass, d->gravity);
        return (RiSpatial){ri_cross(l->com, weight), weight};
    }
    const double *P = d->pose + 16 * (l->body + 1);
    const RiMat3 R = body_axes(d, l->body), Rt = ri_mat3_transpose(&R), RJ = ri_mat3_mul(&R, &l->inertia);
    const RiMat3 J = ri_mat3_mul(&RJ, &Rt);
    const RiVec3 c = ri_add(ri_vec3(P[12], P[13], P[14]), ri_rotate(&R, l->com));
    const RiSpatial v = ri_spatial_at(d->vel + 8 * (l->body + 1)), a = ri_spatial_at(d->acc + 8 * (l->body + 1));
    // Newton-Euler at the centre of mass, then the moment about the region's origin.
    const RiVec3 v_c = ri_add(v.lin, ri_cross(v.ang, c));
    const RiVec3 a_c = ri_add(ri_add(a.lin, ri_cross(a.ang, c)), ri_cross(v.ang, v_c));
    const RiVec3 force = ri_scale(l->mass, a_c);
    const RiVec3 moment = ri_add(ri_rotate(&J, a.ang), ri_cross(v.ang, ri_rotate(&J, v.ang)));
    return (RiSpatial){ri_add(moment, ri_cross(c, force)), force};
}

/// Vector from the origin of the parent link's region to that of the link's.
static RiVec3 region_step(const RiDyn *d, const RiLinkData *l, const RiLinkData *parent)
{
    return ri_sub(ri_region_origin(d, l->body), ri_region_origin(d, parent->body));
}

/// Sums the links' forces from the leaves to the root.
static void carry_inward(RiDyn *d)
{
    const RiModel *m = d->m;
    for (int i = m->nl - 1; i >= 0; i--) {
        const RiLinkData *l = &m->links[m->link_order[i]];
        if (l->parent < 0)
            continue;
        const RiLinkData *parent = &m->links[l->parent];
        RiSpatial f = ri_spatial_at(d->carried + 8 * m->link_order[i]);
        f.ang = ri_add(f.ang, ri_cross(region_step(d, l, parent), f.lin));
        ri_spatial_put(d->carried + 8 * l->parent, add(ri_spatial_at(d->carried + 8 * l->parent), f));
    }
}

static void own_forces(RiDyn *d)
{
    for (int i = 0; i < d->m->nl; i++) {
        RiSpatial f = link_force(d, &d->m->links[i]);
        const RiSpatial ext = ri_spatial_at(d->link_wrench + 8 * i);
        f.ang = ri_sub(f.ang, ext.ang);
        f.lin = ri_sub(f.lin, ext.lin);
        ri_spatial_put(d->carried + 8 * i, f);
    }
}

/// Motion column of a spanning coordinate.
static RiSpatial spanning_column(const RiDyn *d, const RiClusterData *c, int s)
{
    return c->map < 0 ? ri_spatial_at(d->col + 8 * (c->col + s - c->s)) : ri_spatial_at(d->scol + 8 * s);
}

/// Efforts that something other than the actuators must supply at the spanning coordinates of a
/// cluster.
static void coupling_efforts(RiDyn *d, const RiClusterData *c, const double *tau_s)
{
    const RiModel *m = d->m;
    for (int i = c->body; i < c->body + c->nbody; i++) {
        const RiBodyData *b = &m->bodies[i];
        const RiSpatial f = ri_spatial_at(d->carried + 8 * b->link);
        double rate[6];
        ri_dyn_joint_acceleration(d, b->joint, rate);
        for (int k = 0; k < b->ns; k++) {
            const RiSpatial S = spanning_column(d, c, b->s + k);
            const double need = ri_dot(S.ang, f.ang) + ri_dot(S.lin, f.lin) + d->arm0[b->s + k] * rate[k];
            d->coupling[b->s + k] = need - (tau_s ? tau_s[b->s + k] : 0.0);
        }
    }
}

/// Applies force lambda of one closure equation to a link's sum: with the closure present, the
/// joints need bring that much less. The equation's wrench is given in the frame of the cluster's
/// parent body.
static void apply_closure(RiDyn *d, const RiClusterData *c, int link, RiSpatial f_local, double lambda)
{
    const RiMat3 R = c->parent < 0 ? ri_mat3_identity() : body_axes(d, c->parent);
    const double *P = d->pose + 16 * (c->parent + 1);
    const RiVec3 parent = ri_add(ri_vec3(P[12], P[13], P[14]), ri_region_origin(d, c->parent));
    const RiVec3 step = ri_sub(parent, ri_region_origin(d, d->m->links[link].body));
    RiSpatial f = {ri_rotate(&R, f_local.ang), ri_rotate(&R, f_local.lin)};
    f.ang = ri_add(f.ang, ri_cross(step, f.lin));
    RiSpatial sum = ri_spatial_at(d->carried + 8 * link);
    sum.ang = ri_sub(sum.ang, ri_scale(lambda, f.ang));
    sum.lin = ri_sub(sum.lin, ri_scale(lambda, f.lin));
    ri_spatial_put(d->carried + 8 * link, sum);
}

/// Solves the closure forces of a loop cluster and puts them on the links (before the inward sum).
static void solve_loop_forces(RiDyn *d, const RiClusterData *c)
{
    const RiModel *m = d->m;
    const RiLoopData *loop = &m->loops[c->loop];
    RiLoopWork *w = &d->loop[c->loop];
    const int nd = c->ns - c->nv;
    double *b = d->lambda + m->max_loop_rows;
    for (int k = 0; k < nd; k++)
        b[k] = d->coupling[c->s + loop->dependent[k]];
    ri_qr_solve_transposed(loop->rows, nd, w->mat, w->beta, w->pivot, w->rank, b, d->lambda);
    for (int i = 0; i < loop->closure_count; i++) {
        const RiClosure *x = &loop->closures[i];
        for (int r = x->row; r < x->row + x->rows; r++) {
            apply_closure(d, c, x->link_b, w->axis[r], d->lambda[r]);
            apply_closure(d, c, x->link_a, w->axis[r], -d->lambda[r]);
        }
    }
}

RiStatus ri_dyn_update_wrenches(RiDyn *d, const double *tau_s)
{
    ri_dyn_own(d);
    const RiModel *m = d->m;
    RI_ASSERT(d->stage >= RI_DYN_ACCELERATED);
    d->stage = RI_DYN_CARRIED;
    own_forces(d);
    carry_inward(d);
    for (int c = 0; c < m->nc; c++)
        coupling_efforts(d, &m->clusters[c], tau_s);
    if (m->nloop == 0)
        return RI_OK;
    own_forces(d);
    for (int c = 0; c < m->nc; c++)
        if (m->clusters[c].loop >= 0)
            solve_loop_forces(d, &m->clusters[c]);
    carry_inward(d);
    return RI_OK;
}

RiSpatial ri_dyn_joint_wrench(const RiDyn *d, int joint)
{
    RI_ASSERT(joint >= 0 && joint < d->m->nj);
    RI_ASSERT(d->stage >= RI_DYN_CARRIED);
    const int link = d->m->joints[joint].child_link;
    const RiLinkData *l = &d->m->links[link];
    RiSpatial f = ri_spatial_at(d->carried + 8 * link);
    const RiVec3 origin = ri_sub(ri_dyn_frame_pose(d, link).p, ri_region_origin(d, l->body));
    f.ang = ri_sub(f.ang, ri_cross(origin, f.lin));
    return f;
}

double ri_dyn_coupling_effort(const RiDyn *d, int joint)
{
    RI_ASSERT(joint >= 0 && joint < d->m->nj);
    RI_ASSERT(d->stage >= RI_DYN_CARRIED);
    const int body = d->m->joints[joint].body;
    if (body < 0 || d->m->bodies[body].ns != 1)
        return 0.0;
    return d->m->clusters[d->m->bodies[body].cluster].map < 0 ? 0.0 : d->coupling[d->m->bodies[body].s];
}
