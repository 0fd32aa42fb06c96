// SPDX-License-Identifier: Apache-2.0
/// \file
/// Families of contact problems to measure with, from seeds.
///
/// | family  | what                                                                                                     |
/// |---------|----------------------------------------------------------------------------------------------------------|
/// | `free`  | rigid bodies in a row, each on three contacts with rough ground and one with its neighbour               |
/// | `snake` | one mechanism of 36 coordinates with n contacts: hyperstatic where 3 n > 36, and every block is filled   |
/// | `feet`  | a platform on n feet with masses of their own: every block is filled, and every contact carries          |
///
/// The numbers are those of the anchors that were measured with Siconos: friction 0.6, one time
/// step of free fall plus random velocities.
#ifndef RI_BENCH_CONE_CASES_H
#define RI_BENCH_CONE_CASES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rille/cone.h>

/// A problem that owns its numbers, with the velocities and Jacobian it was made from: another
/// state gives another q.
typedef struct ConeCase {
    int n, v;            ///< contacts, coordinates
    double *G;           ///< 3n x v: contact velocities from coordinates'
    double *M_inv;       ///< v x v
    double *free_motion; ///< v: velocities without contact
    double *W, *q, *mu;
    RiConeProblem problem;
} ConeCase;

/// xorshift64*: uniform in [0, 1).
static inline double cone_case_uniform(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (double)((x * 2685821657736338717ULL) >> 11) * 0x1p-53;
}

static inline double cone_case_random(uint64_t *state)
{
    return 2.0 * cone_case_uniform(state) - 1.0;
}

static inline void cone_case_destroy(ConeCase *c)
{
    if (!c)
        return;
    free(c->G);
    free(c->M_inv);
    free(c->free_motion);
    free(c->W);
    free(c->q);
    free(c->mu);
    free(c);
}

static inline ConeCase *cone_case_new(int n, int v)
{
    ConeCase *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    const size_t n3 = 3 * (size_t)n, nv = (size_t)v;
    c->n = n;
    c->v = v;
    c->G = calloc(n3 * nv, sizeof(double));
    c->M_inv = calloc(nv * nv, sizeof(double));
    c->free_motion = calloc(nv, sizeof(double));
    c->W = calloc(n3 * n3, sizeof(double));
    c->q = calloc(n3, sizeof(double));
    c->mu = calloc((size_t)n, sizeof(double));
    if (c->G && c->M_inv && c->free_motion && c->W && c->q && c->mu)
        return c;
    cone_case_destroy(c);
    return NULL;
}

/// q = G v.
static inline void cone_case_q(ConeCase *c, const double *motion)
{
    for (int i = 0; i < 3 * c->n; i++) {
        c->q[i] = 0.0;
        for (int k = 0; k < c->v; k++)
            c->q[i] += c->G[(size_t)i * (size_t)c->v + (size_t)k] * motion[k];
    }
}

/// W = G M^-1 G^T, q and mu.
static inline bool cone_case_finish(ConeCase *c, double mu)
{
    const size_t n3 = 3 * (size_t)c->n, v = (size_t)c->v;
    double *T = calloc(n3 * v, sizeof *T);
    if (!T)
        return false;
    for (size_t i = 0; i < n3; i++)
        for (size_t k = 0; k < v; k++) {
            const double g = c->G[i * v + k];
            for (size_t l = 0; l < v && g != 0.0; l++)
                T[i * v + l] += g * c->M_inv[k * v + l];
        }
    for (size_t i = 0; i < n3; i++)
        for (size_t k = 0; k < v; k++) {
            const double t = T[i * v + k];
            for (size_t j = 0; j < n3 && t != 0.0; j++)
                c->W[i * n3 + j] += t * c->G[j * v + k];
        }
    free(T);
    cone_case_q(c, c->free_motion);
    for (int i = 0; i < c->n; i++)
        c->mu[i] = mu;
    c->problem = (RiConeProblem){.n = c->n, .W = c->W, .q = c->q, .mu = c->mu};
    return true;
}

/// Rows (normal, two tangents) of a frame from a vector along its normal.
static inline void cone_case_frame(const double along[3], double R[9])
{
    const double l = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    const double n[3] = {along[0] / l, along[1] / l, along[2] / l};
    const bool steep = fabs(n[0]) > 0.7;
    const double d = steep ? n[1] : n[0];
    double t[3] = {(steep ? 0.0 : 1.0) - d * n[0], (steep ? 1.0 : 0.0) - d * n[1], -d * n[2]};
    const double s = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (int i = 0; i < 3; i++) {
        t[i] /= s;
        R[i] = n[i], R[3 + i] = t[i];
    }
    R[6] = n[1] * t[2] - n[2] * t[1], R[7] = n[2] * t[0] - n[0] * t[2], R[8] = n[0] * t[1] - n[1] * t[0];
}

/// Velocity of the point at r of a body (coordinates 6 body ...) in the frame R, times sign.
static inline void cone_case_point(ConeCase *c, int contact, int body, const double r[3], const double R[9],
                                   double sign)
{
    for (int k = 0; k < 3; k++) {
        const double *d = R + 3 * k;
        double *g = c->G + (size_t)(3 * contact + k) * (size_t)c->v + 6 * (size_t)body;
        for (int i = 0; i < 3; i++)
            g[i] += sign * d[i];
        g[3] += sign * (r[1] * d[2] - r[2] * d[1]);
        g[4] += sign * (r[2] * d[0] - r[0] * d[2]);
        g[5] += sign * (r[0] * d[1] - r[1] * d[0]);
    }
}

static inline void cone_case_free_body(ConeCase *c, int body, uint64_t *seed)
{
    const double m = 3.0 + 2.0 * cone_case_uniform(seed);
    double *v = c->free_motion + 6 * body;
    for (int i = 0; i < 6; i++)
        c->M_inv[(size_t)(6 * body + i) * ((size_t)c->v + 1)] = i < 3 ? 1.0 / m : 1.0 / (0.02 * m);
    v[2] = -9.81 * 0.005;
    v[0] = 0.3 * cone_case_random(seed);
    v[1] = 0.3 * cone_case_random(seed);
    v[4] = 2.0 * cone_case_random(seed);
}

static inline ConeCase *cone_case_free(int n, uint64_t number)
{
    uint64_t seed = 88172645463325252ULL + 7919ULL * number;
    const int bodies = (n + 3) / 4;
    ConeCase *c = cone_case_new(n, 6 * bodies);
    double R[9];
    if (!c)
        return NULL;
    for (int b = 0; b < bodies; b++)
        cone_case_free_body(c, b, &seed);
    for (int i = 0; i < n; i++) {
        const int b = i / 4, k = i % 4;
        if (k < 3 || b + 1 >= bodies) { // ground
            const double angle = 2.0 * M_PI * k / 3.0;
            const double a = cone_case_random(&seed), d = cone_case_random(&seed);
            cone_case_frame((const double[3]){0.3 * a, 0.3 * d, 1.0}, R);
            cone_case_point(c, i, b, (const double[3]){0.1 * cos(angle), 0.1 * sin(angle), -0.1}, R, 1.0);
        } else { // neighbour
            const double a = cone_case_random(&seed), d = cone_case_random(&seed);
            const double y = 0.02 * cone_case_random(&seed), z = 0.02 * cone_case_random(&seed);
            cone_case_frame((const double[3]){-1.0, 0.2 * a, 0.2 * d}, R);
            cone_case_point(c, i, b, (const double[3]){0.1, y, z}, R, 1.0);
            cone_case_point(c, i, b + 1, (const double[3]){-0.1, y, z}, R, -1.0);
        }
    }
    if (cone_case_finish(c, 0.6))
        return c;
    cone_case_destroy(c);
    return NULL;
}

static inline ConeCase *cone_case_snake(int n, uint64_t number)
{
    enum { V = 36 };
    uint64_t seed = 1234567ULL + 104729ULL * number;
    ConeCase *c = cone_case_new(n, V);
    double A[V * V];
    if (!c)
        return NULL;
    for (int i = 0; i < V * V; i++)
        A[i] = 0.15 * cone_case_random(&seed) + (i % (V + 1) == 0 ? 0.3 : 0.0);
    for (int i = 0; i < V * V; i++)
        for (int k = 0; k < V; k++)
            c->M_inv[i] += A[i / V * V + k] * A[i % V * V + k];
    for (int i = 0; i < V; i++) {
        c->M_inv[i * (V + 1)] += 0.01;
        c->free_motion[i] = 0.2 * cone_case_random(&seed);
    }
    c->free_motion[2] = -0.3;
    for (int i = 0; i < 3 * n; i++) { // a contact moves with coordinates 0..5 and the joints up to its link
        const int reach = 6 + 30 * (i / 3 + 1) / n, own[3] = {2, 0, 1};
        for (int k = 0; k < reach; k++)
            c->G[(size_t)i * V + (size_t)k] = 0.25 * cone_case_random(&seed);
        c->G[(size_t)i * V + (size_t)own[i % 3]] += 1.0;
    }
    if (cone_case_finish(c, 0.6))
        return c;
    cone_case_destroy(c);
    return NULL;
}

static inline ConeCase *cone_case_feet(int n, uint64_t number)
{
    uint64_t seed = 424243ULL + 15485863ULL * number;
    ConeCase *c = cone_case_new(n, 6 + 3 * n);
    double R[9];
    if (!c)
        return NULL;
    cone_case_frame((const double[3]){0.0, 0.0, 1.0}, R);
    for (int i = 0; i < c->v; i++) // a kilogram of platform, and half a one of its own, per foot
        c->M_inv[(size_t)i * ((size_t)c->v + 1)] = i < 3 ? 1.0 / n : i < 6 ? 3.0 / n : 2.0;
    for (int i = 0; i < n; i++) {
        const double x = cone_case_random(&seed), y = cone_case_random(&seed);
        cone_case_point(c, i, 0, (const double[3]){x, y, -0.2}, R, 1.0);
        for (int k = 0; k < 3; k++) {
            c->G[(size_t)(3 * i + k) * (size_t)c->v + (size_t)(6 + 3 * i + k)] = 1.0;
            c->free_motion[6 + 3 * i + k] = 0.1 * cone_case_random(&seed) - (k == 0 ? 0.2 : 0.0);
        }
    }
    if (cone_case_finish(c, 0.6))
        return c;
    cone_case_destroy(c);
    return NULL;
}

#endif
