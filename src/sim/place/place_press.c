// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pressing: contact forces that balance the robot's weight and are nearest to an equal pressing,
/// and the joint efforts that make them.
///
/// With forces F_i at the touching points r_i, from the centre of mass, and normals n_i:
///
///     minimise sum |F_i - f_i n_i|^2   subject to   sum F_i = -M g,   sum r_i x F_i = 0
///
/// whose solution is F = F0 - W^T (W W^T)^-1 (W F0 + (M g, 0)), W the map from forces to their
/// resultant. Touches that would pull are left out and the rest is solved again. The efforts follow
/// from inverse dynamics at rest. Test: tests/sim/test_place.c.
#include <math.h>

#include "math/dense.h"
#include "sim/place/place.h"

enum { ROUNDS = 20 };

/// A += W_i W_i^T for a point r: W_i = (1; [r]x).
static void add_point(double A[36], RiVec3 r)
{
    const double X[3][3] = {{0.0, -r.z, r.y}, {r.z, 0.0, -r.x}, {-r.y, r.x, 0.0}};
    for (int i = 0; i < 3; i++) {
        A[7 * i] += 1.0;
        for (int k = 0; k < 3; k++) {
            A[6 * (3 + i) + k] += X[i][k];
            A[6 * k + 3 + i] += X[i][k];
            for (int j = 0; j < 3; j++)
                A[6 * (3 + i) + 3 + k] += X[i][j] * X[k][j];
        }
    }
}

/// Forces of the touches that are in. False: they cannot balance the weight.
static bool balance(RiPress *x, RiVec3 weight)
{
    double A[36] = {0.0}, b[6] = {weight.x, weight.y, weight.z, 0.0, 0.0, 0.0};
    int count = 0;
    for (int i = 0; i < x->count; i++) {
        if (!x->in[i])
            continue;
        const RiVec3 r = ri_sub(x->point[i], x->centre), F = ri_scale(x->target[i], x->normal[i]), M = ri_cross(r, F);
        add_point(A, r);
        b[0] += F.x, b[1] += F.y, b[2] += F.z, b[3] += M.x, b[4] += M.y, b[5] += M.z;
        count++;
    }
    for (int i = 3; i < 6; i++)
        A[7 * i] += 1e-9 * x->size * x->size * count; // touches in one line leave one moment open
    if (count < 1 || !ri_ldl_factor(6, A, 1e-14))
        return false;
    ri_ldl_solve(6, A, b);
    for (int i = 0; i < x->count; i++) {
        const RiVec3 r = ri_sub(x->point[i], x->centre);
        const RiVec3 off = ri_add(ri_vec3(b[0], b[1], b[2]), ri_cross(ri_vec3(b[3], b[4], b[5]), r));
        x->force[i] = x->in[i] ? ri_sub(ri_scale(x->target[i], x->normal[i]), off) : ri_vec3(0.0, 0.0, 0.0);
    }
    return true;
}

/// Whether the forces of at least three touches have the resultant they should.
static bool is_balanced(const RiPress *x, RiVec3 weight)
{
    RiVec3 force = weight, moment = {0.0, 0.0, 0.0};
    double scale = ri_norm(weight);
    int count = 0;
    for (int i = 0; i < x->count; i++) {
        force = ri_add(force, x->force[i]);
        moment = ri_add(moment, ri_cross(ri_sub(x->point[i], x->centre), x->force[i]));
        scale += ri_norm(x->force[i]);
        count += x->in[i];
    }
    return count >= 3 && ri_norm(force) < 1e-4 * scale && ri_norm(moment) < 0.05 * scale * x->size;
}

bool ri_press_solve(RiPress *x, RiVec3 weight)
{
    for (int i = 0; i < x->count; i++)
        x->in[i] = true;
    for (int round = 0; round < ROUNDS; round++) {
        bool pulls = false;
        if (!balance(x, weight))
            return false;
        for (int i = 0; i < x->count; i++)
            if (x->in[i] && ri_dot(x->force[i], x->normal[i]) < 0.0) {
                x->in[i] = false;
                pulls = true;
            }
        if (!pulls)
            return is_balanced(x, weight);
    }
    return false;
}

bool ri_press_spread(RiPress *x)
{
    for (int i = 0; i < x->count; i++)
        x->in[i] = true;
    return balance(x, ri_vec3(0.0, 0.0, 0.0));
}

double ri_press_reserve(const RiPress *x)
{
    double used = 0.0, limits = 0.0;
    for (int i = 0; i < x->count; i++) {
        const RiPairDef *p = x->pair[i];
        const double F_n = ri_dot(x->force[i], x->normal[i]);
        RiVec3 y = ri_sub(x->force[i], ri_scale(F_n, x->normal[i]));
        if (ri_laws[p->law].threads) { // F_t = A y, A = 1 + (E - 1) e e^T
            const double E = ri_pair_anisotropy(p, x->use[i], F_n);
            y = ri_sub(y, ri_scale((1.0 - 1.0 / E) * ri_dot(x->thread[i], y), x->thread[i]));
        }
        used += ri_norm(y);
        limits += ri_pair_friction_at_rest(p, x->use[i], F_n) * F_n;
    }
    return limits > 0.0 ? 1.0 - used / limits : used > 0.0 ? -INFINITY : 0.0;
}
