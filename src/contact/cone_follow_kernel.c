// SPDX-License-Identifier: Apache-2.0
/// \file
/// Small problems along a trajectory: a good guess, a few contacts that go on doing what they did, one or two Newton steps.
///
///     r says what contacts do --> u = W r + q --> judge --> Newton step --> u --> judge ...
///
/// Works on the caller's matrix, without the working copy that the general way makes. Any surprise ends it, and nothing has been changed then.
#include "contact/cone_work.h"
#include "dynamics/simd6.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)

enum { STEPS = 3, MOST = RI_CONE_FOLLOW_MOST };

/// Friction within this of the cone is on it.
static const double EDGE = 1e-9;
/// Above, rounding decides.
static const double ROUGHEST = 1e3;

typedef struct Follow {
    const RiConeProblem *p;
    RiConeNewton *t;
    const RiConeKernels *k;
    double scale, diagonal; ///< |q|, largest diagonal entry of W
    bool heavy;             ///< some weight is not 1
    double weight[MOST];    ///< as RiConeLocal's
    unsigned char state[MOST];
    double r[3 * MOST], u[3 * MOST];
} Follow;

RI_INLINE V4 load_any(const double *p)
{
    V4 a;
    memcpy(&a, p, sizeof a);
    return a;
}

/// Sums of the lanes of four vectors.
RI_INLINE V4 sums(V4 a, V4 b, V4 c, V4 d)
{
    const V4 ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const V4 cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/// u = W r + q, four rows at a time. The last rows overlap with those before.
static void multiply(Follow *f)
{
    const int n3 = 3 * f->p->n;
    const size_t stride = (size_t)n3;
    for (int i = 0; i < n3; i += 4) {
        const int at = i + 4 <= n3 ? i : n3 - 4;
        const double *row = f->p->W + (size_t)at * stride;
        V4 s[4] = {v4_splat(0.0), v4_splat(0.0), v4_splat(0.0), v4_splat(0.0)}, rest = load_any(f->p->q + at);
        int k = 0;
        for (; k + 4 <= n3; k += 4) {
            const V4 r = load_any(f->r + k);
            for (size_t l = 0; l < 4; l++)
                s[l] = v4_fma(load_any(row + l * stride + (size_t)k), r, s[l]);
        }
        for (; k < n3; k++) {
            const V4 c = {row[k], row[stride + (size_t)k], row[2 * stride + (size_t)k], row[3 * stride + (size_t)k]};
            rest = v4_fma(c, v4_splat(f->r[k]), rest);
        }
        const V4 u = sums(s[0], s[1], s[2], s[3]) + rest;
        memcpy(f->u + at, &u, sizeof u);
    }
}

/// Natural map with rho = 1 / weight, or 1, over |q|.
static double judge(const Follow *f, bool weighted)
{
    double sum = 0.0;
    for (int i = 0; i < f->p->n; i++) {
        const double w = weighted ? f->weight[i] : 1.0;
        sum += w * w * ri_cone_map(f->p->mu[i], 1.0 / w, f->r + 3 * i, f->u + 3 * i);
    }
    return sqrt(sum) / f->scale;
}

/// Whether this is a problem for here; sets scales.
static bool prepare(Follow *f)
{
    const RiConeProblem *p = f->p;
    const size_t n3 = 3 * (size_t)p->n;
    double sum = 0.0;
    f->diagonal = 0.0;
    f->heavy = false;
    for (int i = 0; i < p->n; i++) {
        const double *d = p->W + 3 * (size_t)i * (n3 + 1), *q = p->q + 3 * i;
        const double a = d[0], b = d[n3 + 1], c = d[2 * n3 + 2];
        if (!(p->mu[i] >= 0.0 && p->mu[i] <= ROUGHEST) || !(a > 0.0) || (p->across && p->across[i] != 1.0))
            return false;
        const double most = a > b ? a : b, trace = fabs(a) + fabs(b) + fabs(c);
        f->diagonal = f->diagonal > most ? f->diagonal : most;
        f->diagonal = f->diagonal > c ? f->diagonal : c;
        f->weight[i] = trace > 3.0 ? trace / 3.0 : 1.0;
        f->heavy |= f->weight[i] > 1.0;
        sum += q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    }
    f->scale = sqrt(sum);
    return f->scale > 0.0 && f->scale < INFINITY;
}

/// What contacts do, from their reactions alone; numbers the unknowns.
static void read_states(Follow *f)
{
    RiConeNewton *t = f->t;
    t->m = 0;
    for (int i = 0; i < f->p->n; i++) {
        const double *r = f->r + 3 * i, mu = f->p->mu[i], size = sqrt(r[1] * r[1] + r[2] * r[2]);
        const bool slides = !(size < (1.0 - EDGE) * mu * r[0]);
        f->state[i] = !(r[0] > 0.0) ? RI_CONE_OPEN : slides ? RI_CONE_SLIDE : RI_CONE_STICK;
        t->first[i] = t->m;
        t->m += f->state[i] == RI_CONE_OPEN ? 0 : f->state[i] == RI_CONE_STICK ? 3 : mu > 0.0 ? 2 : 1;
    }
    t->first[f->p->n] = t->m;
    for (int i = 0; i < t->m; i++)
        t->low[i] = 0, t->high[i] = t->m;
}

/// A row of W times the columns of the unknowns.
RI_INLINE void reduce(const Follow *f, const double *row, double *out)
{
    for (int j = 0; j < f->p->n; j++, row += 3) {
        const double mu = f->p->mu[j], *e = f->t->e[j];
        double *x = out + f->t->first[j];
        if (f->state[j] == RI_CONE_STICK) {
            x[0] = row[0], x[1] = row[1], x[2] = row[2];
        } else if (f->state[j] == RI_CONE_SLIDE) {
            x[0] = fma(mu, fma(e[0], row[1], e[1] * row[2]), row[0]);
            if (mu > 0.0)
                x[1] = fma(e[0], row[2], -(e[1] * row[1]));
        }
    }
}

/// Directions of friction, and what it resists turning with.
static void directions(Follow *f)
{
    RiConeNewton *t = f->t;
    for (int i = 0; i < f->p->n; i++) {
        const double *r = f->r + 3 * i, *u = f->u + 3 * i, mu = f->p->mu[i];
        const double size = sqrt(r[1] * r[1] + r[2] * r[2]);
        t->e[i][0] = size > 0.0 ? r[1] / size : 1.0, t->e[i][1] = size > 0.0 ? r[2] / size : 0.0;
        const double against = -(t->e[i][0] * u[1] + t->e[i][1] * u[2]);
        t->turn[i] = against > 0.0 && f->state[i] == RI_CONE_SLIDE && mu > 0.0 ? against / (mu * r[0]) : 0.0;
    }
}

/// The reduced matrix of cone_newton.c.
static void assemble(Follow *f)
{
    RiConeNewton *t = f->t;
    const size_t n3 = 3 * (size_t)f->p->n;
    double side[3 * MOST];
    for (int i = 0; i < f->p->n; i++) {
        const double *row = f->p->W + 3 * (size_t)i * n3, *e = t->e[i];
        const int at = t->first[i], count = t->first[i + 1] - at;
        double *A = t->A + (size_t)at * t->stride;
        for (int k = 0; k < count; k++)
            reduce(f, row + (size_t)k * n3, A + (size_t)k * t->stride);
        if (count == 2) {
            reduce(f, row + 2 * n3, side);
            for (int k = 0; k < t->m; k++)
                A[t->stride + (size_t)k] = fma(e[0], side[k], -(e[1] * A[t->stride + (size_t)k]));
            A[t->stride + (size_t)at + 1] += t->turn[i];
        }
        for (int k = 0; k < count; k++)
            A[(size_t)k * t->stride + (size_t)(at + k)] += RI_CONE_SHIFT_LEAST * f->diagonal;
    }
}

/// One Newton step, with a new matrix or the last one.
static bool step(Follow *f, bool renew)
{
    RiConeNewton *t = f->t;
    directions(f);
    if (renew) {
        assemble(f);
        if (!f->k->factor(t))
            return false;
    }
    for (int i = 0; i < f->p->n; i++) {
        const double *u = f->u + 3 * i, *e = t->e[i];
        double *x = t->x + t->first[i];
        const int count = t->first[i + 1] - t->first[i];
        if (count >= 1)
            x[0] = -u[0];
        if (count == 2)
            x[1] = fma(e[1], u[1], -(e[0] * u[2]));
        if (count == 3)
            x[1] = -u[1], x[2] = -u[2];
    }
    f->k->solve(t, t->x);
    for (int i = 0; i < f->p->n; i++) {
        const double *x = t->x + t->first[i], *e = t->e[i], mu = f->p->mu[i];
        double *r = f->r + 3 * i;
        const int count = t->first[i + 1] - t->first[i];
        if (count == 0)
            continue;
        const double old = mu * r[0], turn = count == 2 ? x[1] : 0.0, size = sqrt(fma(old, old, turn * turn));
        r[0] += x[0];
        if (count == 3) {
            r[1] += x[1], r[2] += x[2];
        } else {
            const double along = size > 0.0 && r[0] > 0.0 ? mu * r[0] / size : 0.0; // turned, and on the cone
            r[1] = along * fma(old, e[0], -(turn * e[1])), r[2] = along * fma(old, e[1], turn * e[0]);
        }
    }
    return true;
}

bool CONCAT(ri_cone_follow_, RI_ISA)(const RiConeKernels *k, RiConeNewton *t, const RiConeProblem *p, double tolerance,
                                     double *r, double *u, RiConeResult *out)
{
    const size_t n3 = 3 * (size_t)p->n;
    Follow f;
    f.p = p, f.t = t, f.k = k;
    if (p->n < 2 || !prepare(&f)) // four rows at least
        return false;
    memcpy(f.r, r, n3 * sizeof *r);
    read_states(&f);
    multiply(&f);
    double before = INFINITY, now = INFINITY; // a guess is not a solution: the first step needs no judge
    int newton = 0, factors = 0;
    while (!(now <= tolerance)) {
        const bool renew = newton == 0 || newton == 2;
        if (newton == STEPS || (newton > 1 && !(now < 0.1 * before)) || !step(&f, renew))
            return false;
        factors += renew;
        newton++;
        multiply(&f);
        before = now;
        now = judge(&f, true);
    }
    out->newton = newton;
    out->factors = factors;
    out->residual = f.heavy ? judge(&f, false) : now;
    memcpy(r, f.r, n3 * sizeof *r);
    memcpy(u, f.u, n3 * sizeof *u);
    return true;
}
