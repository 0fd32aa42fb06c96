// SPDX-License-Identifier: Apache-2.0
/// \file
/// Frames: pose, velocity, acceleration and Jacobian of points and axes fixed to links; and the
/// sums over all bodies (energy, momentum, centre of mass).
#include <string.h>

#include "dynamics/dyn.h"

static RiVec3 at3(const double *x)
{
    return ri_vec3(x[0], x[1], x[2]);
}

static RiPose body_pose_in_region(const RiDyn *d, int body)
{
    const double *P = d->pose + 16 * (body + 1);
    return (RiPose){ri_mat3_from_cols(at3(P), at3(P + 4), at3(P + 8)), at3(P + 12)};
}

/// Origin of a frame from its region's origin.
static RiVec3 frame_point(const RiDyn *d, const RiFrameData *f)
{
    const RiPose x = body_pose_in_region(d, f->body);
    return ri_pose_point(&x, f->pose.p);
}

RiPose ri_dyn_frame_pose(const RiDyn *d, int frame)
{
    RI_ASSERT(frame >= 0 && frame < d->m->nf);
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    const RiFrameData *f = &d->m->frames[frame];
    if (f->body < 0)
        return f->pose;
    RiPose x = body_pose_in_region(d, f->body);
    x = ri_pose_mul(&x, &f->pose);
    x.p = ri_add(x.p, ri_region_origin(d, f->body));
    return x;
}

RiVec3 ri_dyn_frame_position(const RiDyn *d, int frame)
{
    RI_ASSERT(frame >= 0 && frame < d->m->nf);
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    const RiFrameData *f = &d->m->frames[frame];
    return f->body < 0 ? f->pose.p : ri_add(frame_point(d, f), ri_region_origin(d, f->body));
}

RiSpatial ri_dyn_frame_velocity(const RiDyn *d, int frame)
{
    RI_ASSERT(frame >= 0 && frame < d->m->nf);
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    const RiFrameData *f = &d->m->frames[frame];
    RiSpatial v = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (f->body < 0)
        return v;
    v = ri_spatial_at(d->vel + 8 * (f->body + 1));
    v.lin = ri_add(v.lin, ri_cross(v.ang, frame_point(d, f)));
    return v;
}

/// Acceleration of a body's point from its spatial acceleration: the reference point is at rest
/// while the body passes by.
static RiSpatial point_acceleration(const RiDyn *d, const RiFrameData *f, RiSpatial a)
{
    const RiSpatial v = ri_spatial_at(d->vel + 8 * (f->body + 1));
    const RiVec3 p = frame_point(d, f), rate = ri_add(v.lin, ri_cross(v.ang, p));
    a.lin = ri_add(ri_add(a.lin, ri_cross(a.ang, p)), ri_cross(v.ang, rate));
    return a;
}

RiSpatial ri_dyn_frame_acceleration(const RiDyn *d, int frame)
{
    RI_ASSERT(frame >= 0 && frame < d->m->nf);
    RI_ASSERT(d->stage >= RI_DYN_ACCELERATED);
    const RiFrameData *f = &d->m->frames[frame];
    const RiSpatial zero = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (f->body < 0)
        return zero;
    RiSpatial a = ri_spatial_at(d->acc + 8 * (f->body + 1));
    a.lin = ri_add(a.lin, d->gravity);
    return point_acceleration(d, f, a);
}

RiSpatial ri_dyn_frame_bias(RiDyn *d, int frame)
{
    ri_dyn_own(d);
    RI_ASSERT(frame >= 0 && frame < d->m->nf);
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    const RiModel *m = d->m;
    const RiFrameData *f = &m->frames[frame];
    RiSpatial sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (f->body < 0)
        return sum;
    RiVec3 ahead = {0.0, 0.0, 0.0}; // from the origin of the region walked through to that of the frame's region
    for (int body = f->body; body >= 0;) {
        const RiNode *n = &d->node[m->bodies[body].cluster];
        const RiSpatial c = ri_spatial_at(d->bias + 8 * (body + 1));
        sum.ang = ri_add(sum.ang, c.ang);
        sum.lin = ri_add(sum.lin, ri_add(c.lin, ri_cross(c.ang, ahead)));
        if (n->region_root)
            ahead = ri_add(ahead, at3(d->shift + 4 * n->region));
        body = n->parent - 1;
    }
    return point_acceleration(d, f, sum);
}

void ri_dyn_frame_jacobian(const RiDyn *d, int frame, double *out_J)
{
    ri_dyn_own(d);
    RI_ASSERT(frame >= 0 && frame < d->m->nf);
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    const RiModel *m = d->m;
    const RiFrameData *f = &m->frames[frame];
    const size_t nv = (size_t)m->nv;
    memset(out_J, 0, 6 * nv * sizeof *out_J);
    if (f->body < 0)
        return;
    RiVec3 p = frame_point(d, f);
    for (int body = f->body; body >= 0;) {
        const RiNode *n = &d->node[m->bodies[body].cluster];
        for (int k = 0; k < n->nv; k++) {
            const RiSpatial S = ri_spatial_at(d->col + 8 * (n->col + (body + 1 - n->body) * n->nv + k));
            const RiVec3 v = ri_add(S.lin, ri_cross(S.ang, p));
            const double column[6] = {S.ang.x, S.ang.y, S.ang.z, v.x, v.y, v.z};
            for (size_t r = 0; r < 6; r++)
                out_J[r * nv + (size_t)(n->v + k)] = column[r];
        }
        if (n->region_root)
            p = ri_add(p, at3(d->shift + 4 * n->region));
        body = n->parent - 1;
    }
}

void ri_dyn_link_jacobians(RiDyn *d, double *out_J)
{
    ri_dyn_own(d);
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    d->k.link_jacobians(d, out_J);
}

// --- sums ----------------------------------------------------------------------------------------

/// Centre of mass of a body from its region's origin.
static RiVec3 body_com(const RiDyn *d, int i)
{
    const RiPose x = body_pose_in_region(d, i);
    return ri_pose_point(&x, d->m->bodies[i].com);
}

/// Linear momentum of a body, and angular momentum about its centre of mass.
static RiSpatial body_momentum(const RiDyn *d, int i)
{
    const RiBodyData *b = &d->m->bodies[i];
    const RiSpatial v = ri_spatial_at(d->vel + 8 * (i + 1));
    const RiPose x = body_pose_in_region(d, i);
    const RiVec3 spin = ri_rotate(&b->inertia, ri_rotate_back(&x.R, v.ang));
    return (RiSpatial){ri_rotate(&x.R, spin), ri_scale(b->mass, ri_add(v.lin, ri_cross(v.ang, body_com(d, i))))};
}

RiMeanPower ri_dyn_mean_power(RiDyn *d, const double *a, double h)
{
    ri_dyn_own(d);
    double out[3];
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    d->k.mean_power(d, a, h, out);
    d->shared = true;
    return (RiMeanPower){out[0], out[1], out[2]};
}

RiSpatial ri_dyn_motion_share(const RiDyn *d, int link, RiVec3 point_W)
{
    RI_ASSERT(link >= 0 && link < d->m->nl);
    RI_ASSERT(d->shared);
    const int body = d->m->links[link].body;
    if (body < 0)
        return (RiSpatial){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    RI_ASSERT(!d->node[d->m->bodies[body].cluster].rotor);
    RiSpatial x = ri_spatial_at(d->share + 8 * (body + 1));
    x.lin = ri_add(x.lin, ri_cross(x.ang, ri_sub(point_W, ri_region_origin(d, body))));
    return x;
}

RiVec3 ri_dyn_point_share(const RiDyn *d, int link, RiVec3 point_W)
{
    return ri_dyn_motion_share(d, link, point_W).lin;
}

double ri_dyn_twice_kinetic(RiDyn *d, const double *v)
{
    ri_dyn_own(d);
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    double sum = d->k.twice_kinetic(d, v);
    for (int c = 0; d->has_armature && c < d->m->nc; c++) {
        const RiNode *n = &d->node[c];
        for (int j = 0; j < n->ns; j++) {
            double rate = n->map < 0 ? v[n->v + j] : 0.0;
            for (int k = 0; n->map >= 0 && k < n->nv; k++)
                rate += d->G[n->map + j * n->nv + k] * v[n->v + k];
            sum += d->arm0[n->s + j] * rate * rate;
        }
    }
    return sum;
}

double ri_dyn_kinetic_energy(RiDyn *d)
{
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    return 0.5 * ri_dyn_twice_kinetic(d, d->v);
}

/// Energy of a joint's spring, in each of its coordinates.
static double spring_energy(const RiDyn *d, const RiBodyData *b)
{
    double energy = 0.0;
    for (int k = 0; k < b->ns && b->ns == b->nq; k++) {
        const RiJointSpring *s = &d->spring[b->s + k];
        const double x = d->jq[b->sq + k] - s->rest;
        energy += s->stiffness != 0.0 ? 0.5 * s->stiffness * x * x : 0.0;
    }
    return energy;
}

double ri_dyn_potential_energy(const RiDyn *d)
{
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    double energy = 0.0;
    for (int i = 0; i < d->m->nb; i++) { // rotors' masses are in their parents' moments
        const double *mc = d->moment + 4 * (i + 1), *o = d->origin + 4 * d->node[d->m->bodies[i].cluster].region;
        energy -= d->gravity.x * (mc[0] + mc[3] * o[0]) + d->gravity.y * (mc[1] + mc[3] * o[1]) +
                  d->gravity.z * (mc[2] + mc[3] * o[2]);
        energy += spring_energy(d, &d->m->bodies[i]);
    }
    return energy;
}

RiVec3 ri_dyn_com(const RiDyn *d)
{
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    RiVec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < d->m->nb; i++) {
        const RiVec3 c = ri_add(body_com(d, i), ri_region_origin(d, i));
        sum = ri_add(sum, ri_scale(d->m->bodies[i].mass, c));
    }
    return d->m->mass > 0.0 ? ri_scale(1.0 / d->m->mass, sum) : sum;
}

RiSpatial ri_dyn_momentum(const RiDyn *d)
{
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    const RiVec3 com = ri_dyn_com(d);
    RiSpatial sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < d->m->nb; i++) {
        const RiSpatial h = body_momentum(d, i);
        const RiVec3 r = ri_sub(ri_add(body_com(d, i), ri_region_origin(d, i)), com);
        sum.ang = ri_add(sum.ang, ri_add(h.ang, ri_cross(r, h.lin)));
        sum.lin = ri_add(sum.lin, h.lin);
    }
    return sum;
}
