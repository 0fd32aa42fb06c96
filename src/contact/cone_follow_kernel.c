// SPDX-License-Identifier: Apache-2.0
/// \file
/// Small problems along a trajectory: a good guess, a few contacts that go on doing what they did,
/// one or two Newton steps.
///
///     r says what contacts do --> u = W r + q --> Newton step --> u = W r + q --> Newton step with the same matrix --> u --> judge
///
/// Works on the caller's matrix, without the working copy that the general way makes. Any surprise
/// ends it, and nothing has been changed then.
#include "contact/cone_work.h"
#include "dynamics/simd6.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)

enum {
    STEPS = 3,
    MOST = RI_CONE_FOLLOW_MOST,
    INVERT_MOST = 24 ///< up to so many unknowns the inverse costs less than substituting twice, number after number
};

/// Friction within this of the cone is on it.
static const double EDGE = 1e-9;
/// Normal velocities over the tolerance from which on nothing is solved.
static const double FAR = 3.0;
/// Pivots over the diagonal of W below which a matrix is called singular.
static const double SINGULAR = 1e-7;
/// Above, rounding decides.
static const double ROUGHEST = 1e3;

/// A contact that carries.
typedef struct Carrier {
    int at;           ///< of its numbers in r and u
    int first, count; ///< unknowns: three where it sticks, two where it slides with friction, else one
    double mu, e[2];  ///< direction of friction
    double turn;      ///< what sliding friction resists turning with
} Carrier;

typedef struct Follow {
    const RiConeProblem *p;
    RiConeNewton t; ///< with rows as long as they need be
    const RiConeKernels *k;
    double scale, diagonal; ///< |q|, largest diagonal entry of W
    bool heavy;             ///< some weight is not 1
    double weight[MOST];    ///< as RiConeLocal's
    bool inverse;           ///< stored in place of the matrix
    int count;              ///< contacts that carry
    Carrier carrier[MOST];
    double r[3 * MOST], u[3 * MOST];
    _Alignas(32) double x[3 * MOST], A[INVERT_MOST * INVERT_MOST];
} Follow;

/// Sums of the lanes of four vectors.
RI_INLINE V4 sums(V4 a, V4 b, V4 c, V4 d)
{
    const V4 ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const V4 cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/// u = W r + q, four rows and four columns at a time. The last ones overlap with those before.
static void multiply(Follow *f)
{
    const int n3 = 3 * f->p->n, full = n3 & ~3;
    const size_t stride = (size_t)n3, last = stride - 4;
    V4 tail = v4_load_any(f->r + last); // without what the columns before have
    for (int l = 0; l < 4; l++)
        tail[l] = (int)last + l < full ? 0.0 : tail[l];
    for (int i = 0; i < n3; i += 4) {
        const size_t at = i < full ? (size_t)i : last;
        const double *row = f->p->W + at * stride;
        V4 s[4];
        for (size_t l = 0; l < 4; l++)
            s[l] = v4_load_any(row + l * stride + last) * tail;
        for (size_t k = 0; k < (size_t)full; k += 4) {
            const V4 r = v4_load_any(f->r + k);
            for (size_t l = 0; l < 4; l++)
                s[l] = v4_fma(v4_load_any(row + l * stride + k), r, s[l]);
        }
        const V4 u = sums(s[0], s[1], s[2], s[3]) + v4_load_any(f->p->q + at);
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

/// What contacts do, from their reactions alone: lists those that carry and numbers the unknowns.
static void read_states(Follow *f)
{
    RiConeNewton *t = &f->t;
    t->m = f->count = 0;
    for (int i = 0; i < f->p->n; i++) {
        const double *r = f->r + 3 * i, mu = f->p->mu[i], inside = (1.0 - EDGE) * mu * r[0];
        if (!(r[0] > 0.0))
            continue;
        const bool sticks = r[1] * r[1] + r[2] * r[2] < inside * inside;
        const int count = sticks ? 3 : mu > 0.0 ? 2 : 1;
        f->carrier[f->count++] = (Carrier){.at = 3 * i, .first = t->m, .count = count, .mu = mu};
        t->m += count;
    }
    for (int i = 0; i < t->m; i++)
        t->low[i] = 0, t->high[i] = t->m;
    t->stride = (size_t)(t->m + 3) / 4 * 4;
    t->x = f->x;
    if (t->m <= INVERT_MOST)
        t->A = f->A;
}

/// Directions of friction, and velocities that a step shall make vanish.
static void aim(Follow *f)
{
    for (int k = 0; k < f->count; k++) {
        Carrier *c = &f->carrier[k];
        const double *r = f->r + c->at, *u = f->u + c->at, size = sqrt(r[1] * r[1] + r[2] * r[2]);
        double *x = f->x + c->first;
        x[0] = -u[0];
        if (c->count == 3) {
            x[1] = -u[1], x[2] = -u[2];
            continue;
        }
        c->e[0] = size > 0.0 ? r[1] / size : 1.0, c->e[1] = size > 0.0 ? r[2] / size : 0.0;
        const double against = -(c->e[0] * u[1] + c->e[1] * u[2]);
        c->turn = against > 0.0 && c->mu > 0.0 ? against / (c->mu * r[0]) : 0.0;
        if (c->count == 2)
            x[1] = fma(c->e[1], u[1], -(c->e[0] * u[2]));
    }
}

/// A row of W times the columns of the unknowns.
RI_INLINE void reduce(const Follow *f, const double *row, double *restrict out)
{
    for (int k = 0; k < f->count; k++) {
        const Carrier *c = &f->carrier[k];
        const double *w = row + c->at;
        double *x = out + c->first;
        if (c->count == 3) {
            x[0] = w[0], x[1] = w[1], x[2] = w[2];
            continue;
        }
        x[0] = fma(c->mu, fma(c->e[0], w[1], c->e[1] * w[2]), w[0]);
        if (c->count == 2)
            x[1] = fma(c->e[0], w[2], -(c->e[1] * w[1]));
    }
    for (int k = f->t.m; k < (int)f->t.stride; k++)
        out[k] = 0.0;
}

/// The reduced matrix of cone_newton.c.
static void assemble(Follow *f)
{
    const int n3 = 3 * f->p->n;
    const size_t stride = f->t.stride;
    double across[3 * MOST]; // row of W along the turn of a friction
    for (int k = 0; k < f->count; k++) {
        const Carrier *c = &f->carrier[k];
        const double *row = f->p->W + (size_t)c->at * (size_t)n3;
        double *A = f->t.A + (size_t)c->first * stride;
        reduce(f, row, A);
        if (c->count == 3) {
            reduce(f, row + n3, A + stride);
            reduce(f, row + 2 * n3, A + 2 * stride);
        } else if (c->count == 2) {
            for (int l = 0; l < n3; l++)
                across[l] = fma(c->e[0], row[2 * n3 + l], -(c->e[1] * row[n3 + l]));
            reduce(f, across, A + stride);
            A[stride + (size_t)c->first + 1] += c->turn;
        }
        for (int l = 0; l < c->count; l++)
            A[(size_t)l * stride + (size_t)(c->first + l)] += RI_CONE_SHIFT_LEAST * f->diagonal;
    }
}

typedef long long Mask __attribute__((vector_size(32)));

/// A^-1 in the place of A by the method of Gauss and Jordan, without exchanges. False: a pivot is
/// below `floor`.
static bool invert(RiConeNewton *t, double floor)
{
    const size_t stride = t->stride;
    for (int k = 0; k < t->m; k++) {
        double *above = t->A + (size_t)k * stride, pivot = above[k];
        const size_t own = (size_t)(k & ~3);                        // where column k is in a row
        const Mask lane = (Mask){0, 1, 2, 3} == (long long)(k & 3); // and in four numbers of it
        const V4 one = (V4)(lane & (Mask)v4_splat(1.0));
        if (!(fabs(pivot) > floor))
            return false;
        v4_store(above + own, (V4)(~lane & (Mask)v4_load(above + own)) + one);
        for (size_t l = 0; l < stride; l += 4)
            v4_store(above + l, v4_load(above + l) * v4_splat(1.0 / pivot));
        for (int i = 0; i < t->m; i++) {
            double *row = t->A + (size_t)i * stride;
            const V4 f = v4_splat(-row[k]);
            if (i == k)
                continue;
            v4_store(row + own, (V4)(~lane & (Mask)v4_load(row + own)));
            for (size_t l = 0; l < stride; l += 4)
                v4_store(row + l, v4_fma(f, v4_load(above + l), v4_load(row + l)));
        }
    }
    return true;
}

/// x = A^-1 x.
static void apply(const RiConeNewton *t, double *x)
{
    V4 out[INVERT_MOST / 4];
    for (int k = t->m; k < (int)t->stride; k++)
        x[k] = 0.0;
    for (int i = 0; i < t->m; i += 4) {
        V4 s[4] = {v4_splat(0.0), v4_splat(0.0), v4_splat(0.0), v4_splat(0.0)};
        for (int l = 0; l < 4 && i + l < t->m; l++)
            for (int k = 0; k < (int)t->stride; k += 4)
                s[l] = v4_fma(v4_load(t->A + (size_t)(i + l) * t->stride + k), v4_load(x + k), s[l]);
        out[i / 4] = sums(s[0], s[1], s[2], s[3]);
    }
    memcpy(x, out, t->stride * sizeof *x);
}

/// A new matrix, ready for `apply` or the kernels' `solve`: the inverse of a singular one
/// (hyperstatic) would be rough.
static bool renew(Follow *f)
{
    assemble(f);
    f->inverse = f->t.m <= INVERT_MOST && invert(&f->t, SINGULAR * f->diagonal);
    if (f->inverse)
        return true;
    if (f->t.m <= INVERT_MOST)
        assemble(f);
    return f->k->factor(&f->t);
}

/// One Newton step, with a new matrix or the last one.
static bool step(Follow *f, bool anew)
{
    RiConeNewton *t = &f->t;
    aim(f);
    if (anew && !renew(f))
        return false;
    if (f->inverse)
        apply(t, t->x);
    else
        f->k->solve(t, t->x);
    for (int k = 0; k < f->count; k++) {
        const Carrier *c = &f->carrier[k];
        const double *x = t->x + c->first;
        double *r = f->r + c->at;
        const double old = c->mu * r[0], turn = c->count == 2 ? x[1] : 0.0;
        r[0] += x[0];
        if (c->count == 3) {
            r[1] += x[1], r[2] += x[2];
        } else { // turned, and on the cone
            const double size = sqrt(fma(old, old, turn * turn));
            const double along = size > 0.0 && r[0] > 0.0 ? c->mu * r[0] / size : 0.0;
            r[1] = along * fma(old, c->e[0], -(turn * c->e[1])), r[2] = along * fma(old, c->e[1], turn * c->e[0]);
        }
    }
    return true;
}

/// The largest speed along a normal of contacts that carry, over |q|.
static double normal_speed(const Follow *f)
{
    double most = 0.0;
    for (int k = 0; k < f->count; k++) {
        const double speed = fabs(f->u[f->carrier[k].at]);
        most = most > speed ? most : speed;
    }
    return most / f->scale;
}

/// Newton steps until the judge is content. Neither the guess nor a point with contacts that carry
/// and still move needs one.
static bool iterate(Follow *f, double tolerance, RiConeResult *out)
{
    double before = INFINITY, now = INFINITY;
    multiply(f);
    while (!(now <= tolerance)) {
        const bool anew = out->newton == 0 || out->newton == 2;
        if (out->newton == STEPS || (out->newton > 1 && !(now < 0.1 * before)) || !step(f, anew))
            return false;
        out->factors += anew;
        out->newton++;
        multiply(f);
        before = now;
        now = out->newton == 1 ? normal_speed(f) : 0.0;
        now = now > FAR * tolerance ? now : judge(f, true);
    }
    out->residual = now;
    return true;
}

bool CONCAT(ri_cone_follow_, RI_ISA)(const RiConeKernels *k, RiConeNewton *t, const RiConeProblem *p, double tolerance,
                                     double *r, double *u, RiConeResult *out)
{
    const size_t n3 = 3 * (size_t)p->n;
    Follow f;
    f.p = p, f.t = *t, f.k = k;
    if (p->n < 2 || !prepare(&f)) // four rows at least
        return false;
    memcpy(f.r, r, n3 * sizeof *r);
    read_states(&f);
    if (!iterate(&f, tolerance, out)) {
        *out = (RiConeResult){.end = RI_CONE_SOLVED};
        return false;
    }
    if (f.heavy)
        out->residual = judge(&f, false);
    memcpy(r, f.r, n3 * sizeof *r);
    memcpy(u, f.u, n3 * sizeof *u);
    return true;
}
