// SPDX-License-Identifier: Apache-2.0
/// \file
/// Forces in the joints themselves, and the ways forces enter: external wrenches, efforts of
/// dependent joints.
///
///     tau = -k (q - q_rest) - b q' - f tanh(q' / v_s) + stops
#include <string.h>

#include "base/functions.h"
#include "dynamics/dyn.h"

/// Speed below which Coulomb friction is smoothed [rad/s or m/s].
#define RI_FRICTION_SPEED 1e-3

static RiJointLoad add(RiJointLoad a, RiJointLoad b)
{
    return (RiJointLoad){a.tau + b.tau, a.K + b.K, a.C + b.C, a.lost + b.lost, a.stored + b.stored};
}

static RiJointLoad spring_damper(double stiffness, double damping, double stretch, double v)
{
    const double spring = -stiffness * stretch, damper = -damping * v;
    return (RiJointLoad){spring + damper, stiffness, damping, damper, spring};
}

/// Coulomb friction: tanh for the force, the secant for the slope.
static RiJointLoad friction(double most, double v)
{
    const double f = most * ri_tanh(v / RI_FRICTION_SPEED);
    const double secant = fabs(v) > 1e-9 ? f / v : most / RI_FRICTION_SPEED;
    return (RiJointLoad){-f, 0.0, secant, -f, 0.0};
}

/// Hunt-Crossley stop [hunt1975] on one side:  F = k d^n (1 + c d'),  d the penetration beyond the
/// limit; never pulls.
static RiJointLoad stop(const RiJointSpec *j, double d, double rate, double sign)
{
    if (d <= 0.0)
        return (RiJointLoad){0.0, 0.0, 0.0, 0.0, 0.0};
    const double n = j->stop_exponent, spring = j->stop_stiffness * ri_pow(d, n);
    const double f = spring * (1.0 + j->stop_damping * rate);
    if (f <= 0.0)
        return (RiJointLoad){0.0, 0.0, 0.0, -sign * spring, sign * spring};
    const double K = j->stop_stiffness * n * ri_pow(d, n - 1.0);
    return (RiJointLoad){sign * f, K, spring * j->stop_damping, sign * (f - spring), sign * spring};
}

RiJointLoad ri_joint_smooth(const RiJointSpec *j, const RiJointSpring *s, RiJointType type, double q, double v)
{
    const bool plain = ri_joint_type_nq(type) == ri_joint_type_nv(type); // springs act on plain coordinates
    RiJointLoad x = {0.0, 0.0, 0.0, 0.0, 0.0};
    if (s->damping > 0.0 || (s->stiffness > 0.0 && plain))
        x = spring_damper(plain ? s->stiffness : 0.0, s->damping, q - s->rest, v);
    if (j->friction > 0.0)
        x = add(x, friction(j->friction, v));
    return x;
}

void ri_dyn_set_springs(RiDyn *d, const RiJointSpring *springs)
{
    d->spring = springs;
}

RiJointLoad ri_joint_passive(const RiJointSpec *j, const RiJointSpring *s, RiJointType type, double q, double v)
{
    RiJointLoad x = ri_joint_smooth(j, s, type, q, v);
    if (j->has_limits && j->stop_stiffness > 0.0 && ri_joint_type_nv(type) == 1)
        x = add(x, add(stop(j, j->lower - q, -v, 1.0), stop(j, q - j->upper, v, -1.0)));
    return x;
}

/// tau += G^T tau_s for one cluster.
static void add_mapped(const RiDyn *d, const RiClusterData *c, const double *tau_s, double *tau)
{
    tau += c->v;
    if (c->kind == RI_CLUSTER_ONE) { // what most are
        *tau += *tau_s;
        return;
    }
    if (c->map < 0) {
        for (int k = 0; k < c->nv; k++)
            tau[k] += tau_s[k];
        return;
    }
    const double *G = d->G + c->map;
    for (int s = 0; s < c->ns; s++, G += c->nv)
        for (int k = 0; k < c->nv; k++)
            tau[k] += G[k] * tau_s[s];
}

void ri_dyn_map_efforts(const RiDyn *d, const double *tau_s, double *out_tau)
{
    RI_ASSERT(d->stage >= RI_DYN_PLACED || d->m->nloop == 0);
    memset(out_tau, 0, (size_t)d->m->nv * sizeof *out_tau);
    for (int c = 0; c < d->m->nc; c++)
        add_mapped(d, &d->m->clusters[c], tau_s + d->m->clusters[c].s, out_tau);
}

void ri_dyn_passive_forces(const RiDyn *d, double *out_tau)
{
    RI_ASSERT(d->stage >= RI_DYN_MOVING);
    const RiModel *m = d->m;
    memset(out_tau, 0, (size_t)m->nv * sizeof *out_tau);
    for (int i = 0; i < m->nb; i++) {
        const RiBodyData *b = &m->bodies[i];
        const RiClusterData *c = &m->clusters[b->cluster];
        for (int k = 0; k < b->ns; k++) {
            const double q = b->ns == b->nq ? d->jq[b->sq + k] : 0.0;
            const double tau =
                ri_joint_passive(&m->joints[b->joint].spec, &d->spring[b->s + k], b->type, q, d->js[b->s + k]).tau;
            const int local = b->s - c->s + k;
            for (int y = 0; y < c->nv && tau != 0.0; y++)
                out_tau[c->v + y] += (c->map < 0 ? (double)(local == y) : d->G[c->map + local * c->nv + y]) * tau;
        }
    }
}

void ri_dyn_clear_wrenches(RiDyn *d)
{
    if (!d->has_wrenches)
        return;
    for (int i = 0; i <= d->m->nb; i++)
        if (d->wrench_on[i])
            memset(d->wrench + 8 * i, 0, 8 * sizeof *d->wrench);
    memset(d->link_wrench, 0, (size_t)d->m->nl * 8 * sizeof *d->link_wrench);
    memset(d->wrench_on, 0, (size_t)d->m->nb + 1);
    d->has_wrenches = false;
}

void ri_dyn_add_wrench(RiDyn *d, int link, RiVec3 force_W, RiVec3 couple_W, RiVec3 point_W)
{
    RI_ASSERT(link >= 0 && link < d->m->nl);
    RI_ASSERT(d->stage >= RI_DYN_PLACED);
    const int body = d->m->links[link].body;
    const RiVec3 p = ri_sub(point_W, ri_region_origin(d, body));
    const RiVec3 moment = ri_add(couple_W, ri_cross(p, force_W));
    const double f[8] = {moment.x, moment.y, moment.z, 0.0, force_W.x, force_W.y, force_W.z, 0.0};
    for (int k = 0; k < 8; k++) {
        d->link_wrench[8 * link + k] += f[k];
        d->wrench[8 * (body + 1) + k] += f[k];
    }
    d->has_wrenches = d->wrench_on[body + 1] = true;
}
