// SPDX-License-Identifier: Apache-2.0
/// \file
/// The hot loops of the cone solver: sweeps with exact solutions per contact, products, and the
/// reduced Newton system.
///
/// Compiled once per instruction set; every build does the same operations in the same order
/// (simd6.h).
#include "contact/cone_work.h"
#include "dynamics/simd6.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)
#define TEXT_(a)      #a
#define TEXT(a)       TEXT_(a)

enum { ROOT_STEPS = 60 };

// --- products ------------------------------------------------------------------------------------

/// Sum of W_ij r_j over the blocks of a row, plus `start`.
RI_INLINE V4 row_product(const RiConeWork *w, const double *r, int i, V4 start)
{
    V4 s0 = start, s1 = v4_splat(0.0), s2 = v4_splat(0.0);
    const double *c = w->block + 12 * (size_t)w->start[i];
    for (int b = w->start[i]; b < w->start[i + 1]; b++, c += 12) {
        const double *x = r + 4 * (size_t)w->column[b];
        s0 = v4_fma(v4_load(c), v4_splat(x[0]), s0);
        s1 = v4_fma(v4_load(c + 4), v4_splat(x[1]), s1);
        s2 = v4_fma(v4_load(c + 8), v4_splat(x[2]), s2);
    }
    return s0 + (s1 + s2);
}

// --- full matrices -------------------------------------------------------------------------------

static bool is_finite(const double *x, size_t count)
{
    V4 s[8] = {v4_splat(0.0), v4_splat(0.0), v4_splat(0.0), v4_splat(0.0),
               v4_splat(0.0), v4_splat(0.0), v4_splat(0.0), v4_splat(0.0)}; // 0 times anything finite is 0
    double rest = 0.0;
    size_t k = 0;
    for (; k + 32 <= count; k += 32)
        for (size_t l = 0; l < 8; l++)
            s[l] += v4_load_any(x + k + 4 * l) * 0.0;
    for (; k < count; k++)
        rest += 0.0 * x[k];
    const V4 all = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    return all[0] + all[1] + all[2] + all[3] + rest == 0.0;
}

static bool has_zero(const double *x, size_t count)
{
    typedef long long Mask __attribute__((vector_size(32)));
    Mask zero[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    bool any = false;
    size_t k = 0;
    for (; k + 8 <= count; k += 8)
        zero[0] |= v4_load_any(x + k) == 0.0, zero[1] |= v4_load_any(x + k + 4) == 0.0;
    for (; k < count; k++)
        any |= x[k] == 0.0;
    zero[0] |= zero[1];
    return any || (zero[0][0] | zero[0][1] | zero[0][2] | zero[0][3]) != 0;
}

/// A block with elliptic cones made round, as load_block of cone_load.c does it.
RI_INLINE void read_block(const RiConeWork *w, int i, int j, double out[12])
{
    const RiConeSource *s = &w->source;
    const double *a = s->W + (size_t)i * s->row + (size_t)j * s->column, *b = a + s->line, *c = b + s->line;
    V4 x = v4_set(a[0], b[0], c[0]), y = v4_set(a[1], b[1], c[1]), z = v4_set(a[2], b[2], c[2]);
    if (s->across) {
        const V4 e = {1.0, 1.0, s->associated ? s->across[i] : 1.0, 1.0};
        x = x * e, y = y * e, z = (z * s->across[j]) * e;
    }
    v4_store(out, x), v4_store(out + 4, y), v4_store(out + 8, z);
}

RI_INLINE double *place(const RiConeWork *w, int i, int j)
{
    return w->block + 12 * ((size_t)j * (size_t)w->n + (size_t)i);
}

/// Makes sure that column j is there. Its diagonal block always is, and may have been changed.
static void need(const RiConeWork *w, int j)
{
    if (w->ready[j])
        return;
    for (int i = 0; i < j; i++)
        read_block(w, i, j, place(w, i, j));
    for (int i = j + 1; i < w->n; i++)
        read_block(w, i, j, place(w, i, j));
    w->ready[j] = 1;
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

/// u += columns of contact j times x.
RI_INLINE void add_column(const RiConeWork *w, int j, const double x[3], double *u)
{
    const double *c = w->block + 12 * (size_t)w->n * (size_t)j;
    const V4 x0 = v4_splat(x[0]), x1 = v4_splat(x[1]), x2 = v4_splat(x[2]);
    for (int i = 0; i < w->n; i++, c += 12, u += 4)
        v4_store(u, v4_fma(v4_load(c + 8), x2, v4_fma(v4_load(c + 4), x1, v4_fma(v4_load(c), x0, v4_load(u)))));
}

/// The same for two contacts, in the same order.
RI_INLINE void add_columns(const RiConeWork *w, int j, int k, const double *r, double *u)
{
    const double *c = w->block + 12 * (size_t)w->n * (size_t)j, *d = w->block + 12 * (size_t)w->n * (size_t)k;
    const double *x = r + 4 * (size_t)j, *y = r + 4 * (size_t)k;
    const V4 x0 = v4_splat(x[0]), x1 = v4_splat(x[1]), x2 = v4_splat(x[2]);
    const V4 y0 = v4_splat(y[0]), y1 = v4_splat(y[1]), y2 = v4_splat(y[2]);
    for (int i = 0; i < w->n; i++, c += 12, d += 12, u += 4) {
        const V4 s = v4_fma(v4_load(c + 8), x2, v4_fma(v4_load(c + 4), x1, v4_fma(v4_load(c), x0, v4_load(u))));
        v4_store(u, v4_fma(v4_load(d + 8), y2, v4_fma(v4_load(d + 4), y1, v4_fma(v4_load(d), y0, s))));
    }
}

static void velocity_by_columns(const RiConeWork *w, const double *r, double *u, int count)
{
    memcpy(u, w->q, 4 * (size_t)w->n * sizeof *u);
    for (int k = 0; k < count; k++)
        need(w, w->active[k]);
    int k = 0;
    for (; k + 2 <= count; k += 2)
        add_columns(w, w->active[k], w->active[k + 1], r, u);
    if (k < count)
        add_column(w, w->active[k], r + 4 * (size_t)w->active[k], u);
}

/// Reaction j in the form that the matrix uses in place.
RI_INLINE V4 unrounded(const RiConeWork *w, const double *r, int j)
{
    const V4 x = v4_load(r + 4 * (size_t)j);
    return w->source.across ? x * (V4){1.0, 1.0, w->source.across[j], 1.0} : x;
}

/// Sum of W_ij r_j over `count` listed contacts, read in place: rows of three numbers, the
/// fourth, of the next block, times the pad of r. The last block has no next one.
RI_INLINE V4 row_in_place(const RiConeWork *w, const double *r, int i, int count)
{
    const RiConeSource *m = &w->source;
    const double *a = m->W + (size_t)i * m->row, *b = a + m->line, *c = b + m->line;
    V4 s[6] = {v4_splat(0.0), v4_splat(0.0), v4_splat(0.0), v4_splat(0.0), v4_splat(0.0), v4_splat(0.0)};
    int k = 0;
    for (; k + 2 <= count; k += 2) {
        const size_t j = (size_t)w->active[k] * m->column, l = (size_t)w->active[k + 1] * m->column;
        const V4 x = unrounded(w, r, w->active[k]), y = unrounded(w, r, w->active[k + 1]);
        s[0] = v4_fma(v4_load_any(a + j), x, s[0]), s[3] = v4_fma(v4_load_any(a + l), y, s[3]);
        s[1] = v4_fma(v4_load_any(b + j), x, s[1]), s[4] = v4_fma(v4_load_any(b + l), y, s[4]);
        s[2] = v4_fma(v4_load_any(c + j), x, s[2]), s[5] = v4_fma(v4_load_any(c + l), y, s[5]);
    }
    for (; k <= count; k++) {
        const int j = k < count ? w->active[k] : w->n - 1;
        const size_t at = (size_t)j * m->column;
        const V4 x = unrounded(w, r, j);
        s[0] = v4_fma(v4_set(a[at], a[at + 1], a[at + 2]), x, s[0]);
        s[1] = v4_fma(v4_set(b[at], b[at + 1], b[at + 2]), x, s[1]);
        s[2] = v4_fma(v4_set(c[at], c[at + 1], c[at + 2]), x, s[2]);
    }
    for (k = 0; k < 3; k++)
        s[k] += s[k + 3];
    const V4 sum = v4_set(s[0][0] + s[0][1] + s[0][2], s[1][0] + s[1][1] + s[1][2], s[2][0] + s[2][1] + s[2][2]);
    return m->across && m->associated ? sum * (V4){1.0, 1.0, m->across[i], 1.0} : sum;
}

static void velocity_by_rows(const RiConeWork *w, const double *r, double *u, int count)
{
    count -= count > 0 && w->active[count - 1] == w->n - 1;
    for (int i = 0; i < w->n; i++) {
        double d[12];
        const double *own = place(w, i, i), *x = r + 4 * (size_t)i;
        read_block(w, i, i, d); // the diagonal may have been changed
        const V4 more = v4_combine(v4_load(own) - v4_load(d), v4_load(own + 4) - v4_load(d + 4),
                                   v4_load(own + 8) - v4_load(d + 8), x[0], x[1], x[2]);
        v4_store(u + 4 * (size_t)i, v4_load(w->q + 4 * (size_t)i) + row_in_place(w, r, i, count) + more);
    }
}

/// Whether so many contacts carry that their columns are not worth copying; a small matrix always
/// is.
RI_INLINE bool is_crowded(const RiConeWork *w, int count)
{
    enum { SMALL = 32 };
    return w->n > SMALL && 3 * count > w->n;
}

static void velocity_dense(const RiConeWork *w, const double *r, double *u)
{
    const int count = list_active(w, r);
    if (is_crowded(w, count))
        velocity_by_rows(w, r, u, count);
    else
        velocity_by_columns(w, r, u, count);
}

static void velocity(const RiConeWork *w, const double *r, double *u)
{
    if (w->dense) {
        velocity_dense(w, r, u);
        return;
    }
    for (int i = 0; i < w->n; i++)
        v4_store(u + 4 * (size_t)i, row_product(w, r, i, v4_load(w->q + 4 * (size_t)i)));
}

// --- one contact, solved exactly -----------------------------------------------------------------

/// Friction and normal reaction at a given lambda, and phi = mu r_N / |r_T| - 1 with its slope:
/// negative inside the search, zero on the cone. phi is nearly straight, as 1 / |(S + lambda)^-1 b|
/// is in trust-region problems.
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

/// Newton's method on phi, kept inside a bracket [low, high] that is known to hold a root: phi(0) <
/// 0 and phi -> +inf.
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

/// Solves contact i, whose velocity without its reaction is q. Returns the change of r.
RI_INLINE V4 renew(RiConeWork *w, int i, V4 q)
{
    double *r = w->r + 4 * (size_t)i, x[3];
    w->state[i] = solve_local(&w->local[i], (const double[3]){q[0], q[1], q[2]}, x);
    const V4 next = v4_set(x[0], x[1], x[2]), step = next - v4_load(r);
    v4_store(r, next);
    return step;
}

/// Velocity u of contact i without its reaction.
RI_INLINE V4 without_own(const RiConeWork *w, int i, V4 u)
{
    const double *d = w->block + 12 * (size_t)w->diagonal[i], *r = w->r + 4 * (size_t)i;
    return u - v4_combine(v4_load(d), v4_load(d + 4), v4_load(d + 8), r[0], r[1], r[2]);
}

/// Keeps velocities up to date: an open contact that stays so costs nothing.
static void sweep_by_columns(RiConeWork *w)
{
    for (int i = 0; i < w->n; i++) {
        const V4 step = renew(w, i, without_own(w, i, v4_load(w->u + 4 * (size_t)i)));
        const double x[3] = {step[0], step[1], step[2]};
        if (!carries(x))
            continue;
        need(w, i);
        add_column(w, i, x, w->u);
    }
}

static void sweep_by_rows(RiConeWork *w, int count)
{
    const int last = w->n - 1;
    count -= count > 0 && w->active[count - 1] == last;
    for (int i = 0; i < w->n; i++) {
        double *r = w->r + 4 * (size_t)i;
        const bool listed = carries(r) || i == last;
        v4_store(r, v4_splat(0.0));
        renew(w, i, v4_load(w->q + 4 * (size_t)i) + row_in_place(w, w->r, i, count));
        if (!listed && carries(r))
            w->active[count++] = i;
    }
}

/// A full matrix is read by rows where most contacts carry, and in the first sweep, in which
/// contacts carry that will not later.
static void sweep_dense(RiConeWork *w, int count)
{
    bool fresh = false; // u belongs to r
    for (int k = 0; k < count; k++) {
        const int active = list_active(w, w->r);
        if (is_crowded(w, active > 0 ? active : w->n)) {
            sweep_by_rows(w, active);
            fresh = false;
            continue;
        }
        if (!fresh)
            velocity_by_columns(w, w->r, w->u, active);
        sweep_by_columns(w);
        fresh = true;
    }
}

static void sweep(RiConeWork *w, int count)
{
    if (w->dense) {
        sweep_dense(w, count);
        return;
    }
    for (int k = 0; k < count; k++)
        for (int i = 0; i < w->n; i++)
            renew(w, i, without_own(w, i, row_product(w, w->r, i, v4_load(w->q + 4 * (size_t)i))));
}

// --- the reduced Newton system -------------------------------------------------------------------

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

/// What block c puts in rows from `at` on and column `column` of A for unknown `right` of its
/// column's contact.
RI_INLINE void put(const RiConeNewton *t, const double *c, V4 right, const V4 left[3], int rows, int at, int column)
{
    const V4 v = v4_combine(v4_load(c), v4_load(c + 4), v4_load(c + 8), right[0], right[1], right[2]);
    for (int a = 0; a < rows; a++) {
        const V4 p = left[a] * v;
        t->A[(size_t)(at + a) * t->stride + (size_t)column] = p[0] + p[1] + p[2];
    }
}

/// What is on the diagonal besides W.
RI_INLINE void put_diagonal(RiConeNewton *t, int i, double shift)
{
    const int at = t->first[i], rows = t->first[i + 1] - at;
    for (int a = 0; a < rows; a++)
        t->A[(size_t)(at + a) * (t->stride + 1)] += shift;
    if (rows == 2)
        t->A[(size_t)(at + 1) * (t->stride + 1)] += t->turn[i];
}

static void assemble_dense(const RiConeWork *w, RiConeNewton *t, double shift)
{
    V4 right[3], left[3], unused[3];
    int count = 0;
    for (int i = 0; i < w->n; i++) {
        w->active[count] = i;
        count += t->first[i + 1] > t->first[i];
    }
    for (int b = 0; b < count; b++) {
        const int j = w->active[b], columns = unknowns(w, t, j, right, unused);
        for (int a = 0; a < count; a++) {
            const int i = w->active[a], rows = unknowns(w, t, i, unused, left);
            if (i != j && !w->ready[j])
                read_block(w, i, j, place(w, i, j));
            for (int k = 0; k < columns; k++)
                put(t, place(w, i, j), right[k], left, rows, t->first[i], t->first[j] + k);
        }
        put_diagonal(t, j, shift);
    }
}

static void assemble(const RiConeWork *w, RiConeNewton *t, double shift)
{
    V4 right[3], left[3], unused[3];
    if (w->dense) {
        assemble_dense(w, t, shift);
        return;
    }
    for (int i = 0; i < w->n; i++) {
        const int rows = unknowns(w, t, i, unused, left);
        for (int a = 0; a < rows; a++) {
            double *A = t->A + (size_t)(t->first[i] + a) * t->stride;
            for (int k = t->low[t->first[i] + a]; k < t->high[t->first[i] + a]; k++)
                A[k] = 0.0;
        }
        if (rows == 0)
            continue;
        for (int b = w->start[i]; b < w->start[i + 1]; b++) {
            const int j = w->column[b], columns = unknowns(w, t, j, right, unused);
            for (int k = 0; k < columns; k++)
                put(t, w->block + 12 * (size_t)b, right[k], left, rows, t->first[i], t->first[j] + k);
        }
        put_diagonal(t, i, shift);
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

/// y[low..high) less f[k] x[k][low..high) of four rows x, in their order; low is a multiple of four.
RI_INLINE void subtract_four(double *y, const double *const x[4], const double f[4], int low, int high)
{
    const V4 f0 = v4_splat(-f[0]), f1 = v4_splat(-f[1]), f2 = v4_splat(-f[2]), f3 = v4_splat(-f[3]);
    int k = low;
    for (; k + 4 <= high; k += 4) {
        const V4 s = v4_fma(f1, v4_load(x[1] + k), v4_fma(f0, v4_load(x[0] + k), v4_load(y + k)));
        v4_store(y + k, v4_fma(f3, v4_load(x[3] + k), v4_fma(f2, v4_load(x[2] + k), s)));
    }
    for (; k < high; k++)
        for (int l = 0; l < 4; l++)
            y[k] = fma(-f[l], x[l][k], y[k]);
}

/// Takes row k, whose pivot's inverse is on its diagonal, off a row below it, as far as column `end`.
RI_INLINE void take_off(const RiConeNewton *t, double *row, int k, int end)
{
    const double *above = t->A + (size_t)k * t->stride;
    row[k] = row[k] * above[k];
    if (row[k] != 0.0)
        subtract(row, above, row[k], k + 1, end);
}

/// The same for rows k .. k+3, k a multiple of four: what they have in common at once.
RI_INLINE void take_off_four(const RiConeNewton *t, double *row, int k)
{
    const double *above[4];
    for (int l = 0; l < 4; l++) {
        above[l] = t->A + (size_t)(k + l) * t->stride;
        double f = row[k + l];
        for (int j = 0; j < l; j++)
            f = t->high[k + j] > k + l ? fma(-row[k + j], above[j][k + l], f) : f;
        row[k + l] = f * above[l][k + l];
    }
    const int end = t->high[k] > k + 4 ? t->high[k] : k + 4;
    subtract_four(row, above, row + k, k + 4, end);
    for (int l = 1; l < 4; l++)
        if (t->high[k + l] > end)
            subtract(row, above[l], row[k + l], end, t->high[k + l]);
}

/// Rows from above are taken off each row in turn. A row's profile holds all that comes in, since
/// profiles only grow to the right of it by what is taken off (RiConeNewton.high is monotone).
static bool factor_profile(RiConeNewton *t, double floor)
{
    for (int i = 0; i < t->m; i++) {
        double *row = t->A + (size_t)i * t->stride;
        int k = t->low[i];
        for (; k < i && (k & 3); k++)
            take_off(t, row, k, t->high[k]);
        for (; k + 4 <= i; k += 4)
            take_off_four(t, row, k);
        for (; k < i; k++)
            take_off(t, row, k, t->high[k]);
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
    for (int k = 0; k < t->m; k += 4) {
        const V4 keep = v4_load(x + k);
        v4_store(x + k, v4_load(y + k));
        v4_store(y + k, keep);
    }
}

/// Row with the largest entry of column k, from row k on.
RI_INLINE int find_pivot(const RiConeNewton *t, int k)
{
    const double *a = t->A + (size_t)k * t->stride + (size_t)k;
    double most = fabs(*a);
    int best = k;
    for (int i = k + 1; i < t->m; i++) {
        a += t->stride;
        if (fabs(*a) > most)
            most = fabs(*a), best = i;
    }
    return best;
}

/// Factors columns `first` .. first+3, a multiple of four on, as far as there are: rows below get their multipliers,
/// columns behind are as before but for the exchange of rows.
static bool factor_panel(RiConeNewton *t, int first)
{
    const int end = first + 4 < t->m ? first + 4 : t->m;
    for (int k = first; k < end; k++) {
        const int best = find_pivot(t, k);
        t->pivot[k] = best;
        if (best != k)
            exchange(t, k, best);
        double *above = t->A + (size_t)k * t->stride;
        if (!(fabs(above[k]) > 0.0))
            return false;
        above[k] = 1.0 / above[k];
        V4 behind = v4_load(above + first); // of the pivot
        for (int l = first; l <= k; l++)
            behind[l - first] = 0.0;
        for (int i = k + 1; i < t->m; i++) {
            double *row = t->A + (size_t)i * t->stride;
            const double f = row[k] * above[k];
            v4_store(row + first, v4_fma(v4_splat(-f), behind, v4_load(row + first)));
            row[k] = f;
        }
    }
    return true;
}

/// Takes four rows x off four rows y, columns k and k+4 on: every number of y less the four products in their order.
RI_INLINE void update_tile(double *const y[4], const double *const x[4], int first, int k)
{
    V4 a[4], b[4];
    for (int r = 0; r < 4; r++)
        a[r] = v4_load(y[r] + k), b[r] = v4_load(y[r] + k + 4);
    for (int l = 0; l < 4; l++) {
        const V4 c = v4_load(x[l] + k), d = v4_load(x[l] + k + 4);
        for (int r = 0; r < 4; r++) {
            const V4 f = v4_splat(-y[r][first + l]);
            a[r] = v4_fma(f, c, a[r]), b[r] = v4_fma(f, d, b[r]);
        }
    }
    for (int r = 0; r < 4; r++)
        v4_store(y[r] + k, a[r]), v4_store(y[r] + k + 4, b[r]);
}

/// Takes the rows of a full panel off all that is behind and below it.
static void update_behind(RiConeNewton *t, int first)
{
    const int begin = first + 4, end = (t->m + 3) / 4 * 4;
    double *x[4];
    for (int l = 0; l < 4; l++)
        x[l] = t->A + (size_t)(first + l) * t->stride;
    for (int l = 1; l < 4; l++)
        for (int j = 0; j < l; j++)
            subtract(x[l], x[j], x[l][first + j], begin, end);
    int i = begin;
    for (; i + 4 <= t->m; i += 4) {
        double *y[4];
        for (int r = 0; r < 4; r++)
            y[r] = t->A + (size_t)(i + r) * t->stride;
        int k = begin;
        for (; k + 8 <= end; k += 8)
            update_tile(y, (const double *const *)x, first, k);
        for (int r = 0; r < 4 && k < end; r++)
            subtract_four(y[r], (const double *const *)x, y[r] + first, k, end);
    }
    for (; i < t->m; i++) {
        double *y = t->A + (size_t)i * t->stride;
        subtract_four(y, (const double *const *)x, y + first, begin, end);
    }
}

/// Four columns at a time. Every number of the matrix has the products of the columns before it taken off in their
/// order, as if it were one column at a time. What pads rows to a multiple of four is zero.
static bool factor(RiConeNewton *t)
{
    for (int i = 0; i < t->m; i++)
        for (int k = t->m; k & 3; k++)
            t->A[(size_t)i * t->stride + (size_t)k] = 0.0;
    for (int first = 0; first < t->m; first += 4) {
        if (!factor_panel(t, first))
            return false;
        if (first + 4 < t->m)
            update_behind(t, first);
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
    .is_finite = is_finite,
    .has_zero = has_zero,
    .sweep = sweep,
    .velocity = velocity,
    .assemble = assemble,
    .factor_profile = factor_profile,
    .solve_profile = solve_profile,
    .factor = factor,
    .solve = solve,
};
