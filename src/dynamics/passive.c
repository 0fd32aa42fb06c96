// SPDX-License-Identifier: Apache-2.0
/// \file
/// Forces in the joints themselves, and the ways forces enter: external wrenches, efforts of dependent joints.
#include <string.h>

#include "dynamics/work.h"

/// Speed below which Coulomb friction is smoothed [rad/s or m/s].
#define RI_FRICTION_SPEED 1e-3

/// Hunt-Crossley stop [hunt1975]:  f = -k d^n (1 + c d'),  d the penetration beyond the limit; never pulls.
/// `d_rate` is positive while the penetration grows.
static double stop_force(const RiJointSpec *j, double d, double d_rate)
{
    if (d <= 0.0)
        return 0.0;
    const double f = j->stop_stiffness * pow(d, j->stop_exponent) * (1.0 + j->stop_damping * d_rate);
    return f > 0.0 ? f : 0.0;
}

/// Spring, damper, friction and stops of one coordinate.
///     tau = -k (q - q_rest) - b q' - f tanh(q' / v_s) + stops
static double passive_force(const RiJointSpec *j, double q, double v)
{
    double tau = -j->stiffness * (q - j->rest) - j->damping * v;
    if (j->friction > 0.0)
        tau -= j->friction * tanh(v / RI_FRICTION_SPEED);
    if (j->has_limits && j->stop_stiffness > 0.0)
        tau += stop_force(j, j->lower - q, -v) - stop_force(j, q - j->upper, v);
    return tau;
}

/// tau += G^T tau_s for one cluster.
static void add_mapped(const RiDyn *d, const RiClusterData *c, const double *tau_s, double *tau)
{
    for (int s = 0; s < c->ns; s++)
        for (int k = 0; k < c->nv; k++) {
            const double g = c->map < 0 ? (double)(s == k) : d->G[c->map + s * c->nv + k];
            tau[c->v + k] += g * tau_s[s];
        }
}

void ri_dyn_map_efforts(const RiDyn *d, const double *tau_s, double *out_tau)
{
    memset(out_tau, 0, (size_t)d->m->nv * sizeof *out_tau);
    for (int c = 0; c < d->m->nc; c++)
        add_mapped(d, &d->m->clusters[c], tau_s + d->m->clusters[c].s, out_tau);
}

/// True if the joint has any passive force at all.
static bool is_passive(const RiJointSpec *j)
{
    return j->stiffness > 0.0 || j->damping > 0.0 || j->friction > 0.0 || (j->has_limits && j->stop_stiffness > 0.0);
}

void ri_dyn_passive_forces(const RiDyn *d, double *out_tau)
{
    const RiModel *m = d->m;
    memset(out_tau, 0, (size_t)m->nv * sizeof *out_tau);
    for (int i = 0; i < m->nb; i++) {
        const RiBodyData *b = &m->bodies[i];
        const RiJointSpec *joint = &m->joints[b->joint].spec;
        const RiClusterData *c = &m->clusters[b->cluster];
        if (!is_passive(joint))
            continue;
        for (int k = 0; k < b->ns; k++) {
            const bool has_angle = b->ns == b->nq; // springs and stops act on plain coordinates only
            const double q = has_angle ? d->jq[b->sq + k] : joint->rest, v = d->js[b->s + k];
            RiJointSpec one = *joint;
            one.has_limits = joint->has_limits && b->ns == 1;
            one.stiffness = has_angle ? joint->stiffness : 0.0;
            const double tau = passive_force(&one, q, v);
            const int local = b->s - c->s + k;
            for (int y = 0; y < c->nv; y++)
                out_tau[c->v + y] += (c->map < 0 ? (double)(local == y) : d->G[c->map + local * c->nv + y]) * tau;
        }
    }
}

void ri_dyn_clear_wrenches(RiDyn *d)
{
    if (!d->has_wrenches)
        return;
    memset(d->wrench, 0, (size_t)(d->m->nb + 1) * 8 * sizeof *d->wrench);
    memset(d->link_wrench, 0, (size_t)d->m->nl * 8 * sizeof *d->link_wrench);
    d->has_wrenches = false;
}

void ri_dyn_add_wrench(RiDyn *d, int link, RiVec3 force_W, RiVec3 couple_W, RiVec3 point_W)
{
    const int body = d->m->links[link].body;
    const RiVec3 p = ri_sub(point_W, ri_region_origin(d, body));
    const RiVec3 moment = ri_add(couple_W, ri_cross(p, force_W));
    const double f[8] = {moment.x, moment.y, moment.z, 0.0, force_W.x, force_W.y, force_W.z, 0.0};
    for (int k = 0; k < 8; k++) {
        d->link_wrench[8 * link + k] += f[k];
        d->wrench[8 * (body + 1) + k] += f[k];
    }
    d->has_wrenches = true;
}
