// SPDX-License-Identifier: Apache-2.0
/// \file
/// The hot loops of the cone solver: sweeps with exact solutions per contact, products, and the reduced Newton system.
///
/// Compiled once per instruction set; every build does the same operations in the same order (simd6.h).
#include "contact/cone_work.h"
#include "dynamics/simd6.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)
#define TEXT_(a)      #a
#define TEXT(a)       TEXT_(a)

enum { ROOT_STEPS = 60 };

// --- products ------------------------------------------------------------------------------------------------------

/// Sum of W_ij r_j over the blocks of a row, plus `start`.
RI_INLINE V4 row_product(const RiConeWork *w, const double *r, int i, V4 start)
{
    V4 s0 = start, s1 = v4_splat(0.0), s2 = v4_splat(0.0);
    const double *c = w->block + 12 * (size_t)w->row[i];
    for (int b = w->row[i]; b < w->row[i + 1]; b++, c += 12) {
        const double *x = r + 4 * (size_t)w->column[b];
        s0 = v4_fma(v4_load(c), v4_splat(x[0]), s0);
        s1 = v4_fma(v4_load(c + 4), v4_splat(x[1]), s1);
        s2 = v4_fma(v4_load(c + 8), v4_splat(x[2]), s2);
    }
    return s0 + (s1 + s2);
}

/// The same where every block is there, over the `count` contacts that carry.
RI_INLINE V4 row_product_dense(const RiConeWork *w, const double *r, int i, V4 start, int count)
{
    V4 s[6] = {start, v4_splat(0.0), v4_splat(0.0), v4_splat(0.0), v4_splat(0.0), v4_splat(0.0)};
    const double *row = w->block + 12 * (size_t)w->n * (size_t)i;
    int k = 0;
    for (; k + 2 <= count; k += 2) {
        const size_t j = (size_t)w->active[k], l = (size_t)w->active[k + 1];
        const double *c = row + 12 * j, *d = row + 12 * l, *x = r + 4 * j, *y = r + 4 * l;
        s[0] = v4_fma(v4_load(c), v4_splat(x[0]), s[0]);
        s[1] = v4_fma(v4_load(c + 4), v4_splat(x[1]), s[1]);
        s[2] = v4_fma(v4_load(c + 8), v4_splat(x[2]), s[2]);
        s[3] = v4_fma(v4_load(d), v4_splat(y[0]), s[3]);
        s[4] = v4_fma(v4_load(d + 4), v4_splat(y[1]), s[4]);
        s[5] = v4_fma(v4_load(d + 8), v4_splat(y[2]), s[5]);
    }
    if (k < count) {
        const double *c = row + 12 * (size_t)w->active[k], *x = r + 4 * (size_t)w->active[k];
        s[0] = v4_fma(v4_load(c), v4_splat(x[0]), s[0]);
        s[1] = v4_fma(v4_load(c + 4), v4_splat(x[1]), s[1]);
        s[2] = v4_fma(v4_load(c + 8), v4_splat(x[2]), s[2]);
    }
    return ((s[0] + s[3]) + (s[1] + s[4])) + (s[2] + s[5]);
}

RI_INLINE bool carries(const double *r)
{
    return r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0;
}

/// Lists the contacts whose reaction is not zero.
static int list_active(const RiConeWork *w, const double *r)
{
    int count = 0;
    for (int i = 0; i < w->n; i++) {
        w->active[count] = i;
        count += carries(r + 4 * (size_t)i);
    }
    return count;
}

static void velocity(const RiConeWork *w, const double *r, double *u)
{
    const int active = w->dense ? list_active(w, r) : 0;
    for (int i = 0; i < w->n; i++) {
        const V4 q = v4_load(w->q + 4 * (size_t)i);
        v4_store(u + 4 * (size_t)i, w->dense ? row_product_dense(w, r, i, q, active) : row_product(w, r, i, q));
    }
}

// --- one contact, solved exactly -----------------------------------------------------------------------------------

/// Friction and normal reaction at a given lambda, and phi = mu r_N / |r_T| - 1 with its slope: negative inside the search, zero on the cone.
/// phi is nearly straight, as 1 / |(S + lambda)^-1 b| is in trust-region problems.
RI_INLINE double sliding_at(const RiConeLocal *l, double q_n, const double b[2], double lambda, double r[3],
                            double *out_slope)
{
    const double p = l->s[0] + lambda, s = l->s[3] + lambda, d = 1.0 / (p * s - l->s[1] * l->s[2]);
    const double x = -(s * b[0] - l->s[1] * b[1]) * d, y = -(p * b[1] - l->s[2] * b[0]) * d;
    const double dx = -(s * x - l->s[1] * y) * d, dy = -(p * y - l->s[2] * x) * d;
    const double normal = -(q_n + l->a[0] * x + l->a[1] * y) * l->w_inv;
    const double normal_slope = -(l->a[0] * dx + l->a[1] * dy) * l->w_inv;
    const double t2 = x * x + y * y, inverse = 1.0 / sqrt(t2);
    r[0] = normal, r[1] = x, r[2] = y;
    *out_slope = l->mu * inverse * (normal_slope - normal * (x * dx + y * dy) * (inverse * inverse));
    return l->mu * normal * inverse - 1.0;
}

/// Newton's method on phi, kept inside a bracket [low, high] that is known to hold a root: phi(0) < 0 and phi -> +inf.
RI_INLINE void slide(RiConeLocal *l, const double q[3], double r[3])
{
    const double b[2] = {q[1] - l->c[0] * q[0] * l->w_inv, q[2] - l->c[1] * q[0] * l->w_inv};
    double low = 0.0, high = INFINITY, lambda = l->lambda, slope;
    for (int k = 0; k < ROOT_STEPS; k++) {
        const double phi = sliding_at(l, q[0], b, lambda, r, &slope);
        if (fabs(phi) < 1e-15)
            break; // r is that of the root
        if (phi < 0.0)
            low = lambda;
        else
            high = lambda;
        double next = lambda - phi / slope;
        if (!(next > low && next < high) && !(next == low && phi >= 0.0 && low == 0.0))
            next = high < INFINITY ? 0.5 * (low + high) : 2.0 * lambda + fabs(l->s[0]) + fabs(l->s[3]);
        const bool close = fabs(phi) < 1e-7 && fabs(next - lambda) <= 1e-6 * (lambda + fabs(l->s[0]) + fabs(l->s[3]));
        lambda = next;
        if (close || (high < INFINITY && high - low <= 1e-15 * high)) {
            sliding_at(l, q[0], b, lambda, r, &slope);
            break;
        }
    }
    l->lambda = lambda;
    const double t = sqrt(r[1] * r[1] + r[2] * r[2]), s = r[0] > 0.0 && t > 0.0 ? l->mu * r[0] / t : 0.0;
    r[1] *= s, r[2] *= s; // exactly on the cone
}

/// r of one contact whose velocity without it is q.
RI_INLINE unsigned char solve_local(RiConeLocal *l, const double q[3], double r[3])
{
    r[0] = r[1] = r[2] = 0.0;
    if (q[0] >= 0.0 || l->w_inv == 0.0)
        return RI_CONE_OPEN;
    if (l->mu == 0.0) {
        r[0] = -q[0] * l->w_inv;
        return RI_CONE_SLIDE;
    }
    const double *v = l->inverse;
    for (int k = 0; k < 3; k++)
        r[k] = -(v[3 * k] * q[0] + v[3 * k + 1] * q[1] + v[3 * k + 2] * q[2]);
    if (r[0] > 0.0 && r[1] * r[1] + r[2] * r[2] <= l->mu * l->mu * r[0] * r[0])
        return RI_CONE_STICK;
    slide(l, q, r);
    if (r[0] > 0.0)
        return RI_CONE_SLIDE;
    r[0] = r[1] = r[2] = 0.0;
    return RI_CONE_OPEN;
}

static double sweep(RiConeWork *w)
{
    double change = 0.0;
    int active = w->dense ? list_active(w, w->r) : 0;
    for (int i = 0; i < w->n; i++) {
        double *r = w->r + 4 * (size_t)i, x[3];
        const V4 q0 = v4_load(w->q + 4 * (size_t)i);
        const V4 u = w->dense ? row_product_dense(w, w->r, i, q0, active) : row_product(w, w->r, i, q0);
        const double *d = w->block + 12 * (size_t)w->diagonal[i];
        const V4 own = v4_combine(v4_load(d), v4_load(d + 4), v4_load(d + 8), r[0], r[1], r[2]);
        const V4 q = u - own;
        w->state[i] = solve_local(&w->local[i], (const double[3]){q[0], q[1], q[2]}, x);
        const V4 step = v4_set(x[0], x[1], x[2]) - v4_load(r);
        const V4 du = v4_combine(v4_load(d), v4_load(d + 4), v4_load(d + 8), step[0], step[1], step[2]);
        change += du[0] * du[0] + du[1] * du[1] + du[2] * du[2];
        if (w->dense && !carries(r) && carries(x))
            w->active[active++] = i; // it was not in the list: it carried nothing
        v4_store(r, v4_set(x[0], x[1], x[2]));
    }
    return change;
}

// --- the reduced Newton system -------------------------------------------------------------------------------------

/// Columns of a contact's unknowns in its own reactions (3 each), and the number of them.
RI_INLINE int unknowns(const RiConeWork *w, const RiConeNewton *t, int i, V4 right[3], V4 left[3])
{
    const double mu = w->local[i].mu, *e = t->e[i];
    if (w->state[i] == RI_CONE_OPEN)
        return 0;
    left[0] = right[0] = v4_set(1.0, 0.0, 0.0);
    left[1] = right[1] = v4_set(0.0, 1.0, 0.0);
    left[2] = right[2] = v4_set(0.0, 0.0, 1.0);
    if (w->state[i] == RI_CONE_STICK)
        return 3;
    right[0] = v4_set(1.0, mu * e[0], mu * e[1]);
    left[1] = right[1] = v4_set(0.0, -e[1], e[0]);
    return mu > 0.0 ? 2 : 1;
}

static void assemble(const RiConeWork *w, RiConeNewton *t, double shift)
{
    V4 right[3], left[3], unused[3];
    for (int i = 0; i < w->n; i++) {
        const int rows = unknowns(w, t, i, unused, left);
        for (int a = 0; a < rows; a++) {
            double *A = t->A + (size_t)(t->first[i] + a) * t->stride;
            for (int k = t->low[t->first[i] + a]; k < t->high[t->first[i] + a]; k++)
                A[k] = 0.0;
        }
        if (rows == 0)
            continue;
        for (int b = w->row[i]; b < w->row[i + 1]; b++) {
            const int j = w->column[b], columns = unknowns(w, t, j, right, unused);
            const double *c = w->block + 12 * (size_t)b;
            for (int k = 0; k < columns; k++) {
                const V4 v =
                    v4_combine(v4_load(c), v4_load(c + 4), v4_load(c + 8), right[k][0], right[k][1], right[k][2]);
                for (int a = 0; a < rows; a++) {
                    const V4 p = left[a] * v;
                    t->A[(size_t)(t->first[i] + a) * t->stride + (size_t)(t->first[j] + k)] = p[0] + p[1] + p[2];
                }
            }
        }
        for (int a = 0; a < rows; a++)
            t->A[(size_t)(t->first[i] + a) * (t->stride + 1)] += shift;
        if (rows == 2)
            t->A[(size_t)(t->first[i] + 1) * (t->stride + 1)] += t->turn[i];
    }
}

/// y[low..high) -= f x[low..high).
RI_INLINE void subtract(double *y, const double *x, double f, int low, int high)
{
    int k = low;
    for (; k < high && (k & 3); k++)
        y[k] = fma(-f, x[k], y[k]);
    const V4 s = v4_splat(-f);
    for (; k + 8 <= high; k += 8) {
        v4_store(y + k, v4_fma(s, v4_load(x + k), v4_load(y + k)));
        v4_store(y + k + 4, v4_fma(s, v4_load(x + k + 4), v4_load(y + k + 4)));
    }
    for (; k < high; k++)
        y[k] = fma(-f, x[k], y[k]);
}

/// Rows from above are taken off each row in turn. A row's profile holds all that comes in, since profiles only grow to the right of it by what is
/// taken off (RiConeNewton.high is monotone).
static bool factor_profile(RiConeNewton *t, double floor)
{
    for (int i = 0; i < t->m; i++) {
        double *row = t->A + (size_t)i * t->stride;
        for (int k = t->low[i]; k < i; k++) {
            const double f = row[k];
            if (f == 0.0)
                continue;
            const double *above = t->A + (size_t)k * t->stride;
            row[k] = f * above[k]; // 1 / pivot stands on the diagonal
            subtract(row, above, row[k], k + 1, t->high[k]);
        }
        if (!(fabs(row[i]) > floor))
            return false;
        row[i] = 1.0 / row[i];
    }
    return true;
}

/// Sum of a[k] x[k] over low .. high-1.
RI_INLINE double dot(const double *a, const double *x, int low, int high)
{
    V4 s = v4_splat(0.0), t = v4_splat(0.0);
    double rest = 0.0;
    int k = low;
    for (; k < high && (k & 3); k++)
        rest = fma(a[k], x[k], rest);
    for (; k + 8 <= high; k += 8) {
        s = v4_fma(v4_load(a + k), v4_load(x + k), s);
        t = v4_fma(v4_load(a + k + 4), v4_load(x + k + 4), t);
    }
    for (; k < high; k++)
        rest = fma(a[k], x[k], rest);
    s += t;
    return ((s[0] + s[1]) + (s[2] + s[3])) + rest;
}

static void solve_profile(const RiConeNewton *t, double *x)
{
    for (int i = 0; i < t->m; i++)
        x[i] -= dot(t->A + (size_t)i * t->stride, x, t->low[i], i);
    for (int i = t->m - 1; i >= 0; i--) {
        const double *row = t->A + (size_t)i * t->stride;
        x[i] = (x[i] - dot(row, x, i + 1, t->high[i])) * row[i];
    }
}

static void exchange(RiConeNewton *t, int a, int b)
{
    double *x = t->A + (size_t)a * t->stride, *y = t->A + (size_t)b * t->stride;
    for (int k = 0; k < t->m; k++) {
        const double keep = x[k];
        x[k] = y[k], y[k] = keep;
    }
}

static bool factor(RiConeNewton *t)
{
    for (int k = 0; k < t->m; k++) {
        int best = k;
        for (int i = k + 1; i < t->m; i++)
            if (fabs(t->A[(size_t)i * t->stride + (size_t)k]) > fabs(t->A[(size_t)best * t->stride + (size_t)k]))
                best = i;
        t->pivot[k] = best;
        if (best != k)
            exchange(t, k, best);
        double *above = t->A + (size_t)k * t->stride;
        if (!(fabs(above[k]) > 0.0))
            return false;
        above[k] = 1.0 / above[k];
        for (int i = k + 1; i < t->m; i++) {
            double *row = t->A + (size_t)i * t->stride;
            if (row[k] != 0.0) {
                row[k] *= above[k];
                subtract(row, above, row[k], k + 1, t->m);
            }
        }
    }
    return true;
}

static void solve(const RiConeNewton *t, double *x)
{
    for (int k = 0; k < t->m; k++) { // rows were exchanged with their factors, so all exchanges come first
        const double keep = x[k];
        x[k] = x[t->pivot[k]], x[t->pivot[k]] = keep;
    }
    solve_profile(t, x);
}

const RiConeKernels CONCAT(ri_cone_kernels_, RI_ISA) = {
    .name = TEXT(RI_ISA),
    .follow = CONCAT(ri_cone_follow_, RI_ISA),
    .sweep = sweep,
    .velocity = velocity,
    .assemble = assemble,
    .factor_profile = factor_profile,
    .solve_profile = solve_profile,
    .factor = factor,
    .solve = solve,
};
