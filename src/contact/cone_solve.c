// SPDX-License-Identifier: Apache-2.0
/// \file
/// The solver for cone problems: sweeps that solve one contact after the other exactly, then Newton steps on the contacts that carry.
///
///     load --> sweeps --> { Newton step --> sweep --> residual: better? } --> done
///                              \-- worse: shorter step, more sweeps, larger shift, regularised problem
///
/// A sweep leaves every reaction on or in its cone and tells what each contact does; with that known the problem is smooth, and Newton's method on
/// the carrying contacts has its quadratic convergence. Where W is singular (hyperstatic) the step is the one of a matrix shifted by a tiny multiple
/// of the identity: it moves r little in directions that no velocity sees. docs/theory/cone.md has the equations.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/cone.h>

#include "base/memory.h"
#include "contact/cone_work.h"

struct RiConeSolver {
    RiContext *ctx;
    RiArena arena;
    int max_contacts, max_blocks;
    size_t bytes;
    const RiConeKernels *k;
    RiConeWork w;
    RiConeNewton t;
    double *q;    ///< of the problem; w.q is that of the regularised one
    double *base; ///< r where a Newton step starts
    double *best; ///< r with the least residual so far
    double *kept; ///< u that belongs to base
    double *near; ///< r that the regularised problem is tied to
    double *own;  ///< diagonal of W
    double *dual; ///< of the splitting: minus velocity over rho
    unsigned char *base_state;
    unsigned char *factor_state; ///< what the contacts did when the matrix was factored
    int factor_n;                ///< contacts of the factored matrix; 0: none
    bool factor_dense;           ///< with exchanges of rows
    double alpha;                ///< of the regularised problem; 0: the problem itself
    double scale;                ///< |q|, or 1
    double diagonal;             ///< largest of W
    double shift;                ///< of the Newton matrix, over `diagonal`
    double tolerance;
    double residual, best_residual;
    bool raising; ///< friction is not that of the problem
    int budget;   ///< iterations left
    RiConeResult *result;
};

enum {
    SMALL_UNKNOWNS = 40, ///< up to so many a new matrix is as cheap as a step with an old one
    DENSE_UNKNOWNS = 40  ///< up to so many the matrix is factored with exchanges of rows
};

#define SHIFT_LEAST 1e-13
#define SHIFT_MOST  1e-2

RiConeOptions ri_cone_options_default(void)
{
    return (RiConeOptions){.tolerance = 1e-10, .max_iterations = 5000, .warm = false};
}

// --- life cycle ----------------------------------------------------------------------------------------------------

const RiConeKernels *ri_cone_kernels_find(const char *name)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd");
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    if (v4 && name && strcmp(name, "avx512") == 0)
        return &ri_cone_kernels_avx512;
    if (v3 && (!name || strcmp(name, "avx2") == 0))
        return &ri_cone_kernels_avx2;
#endif
    return !name || strcmp(name, "generic") == 0 ? &ri_cone_kernels_generic : NULL;
}

static void lay_out(RiConeSolver *s, char *block, size_t *at)
{
    const size_t n = (size_t)s->max_contacts, m = 3 * n, stride = (m + 3) / 4 * 4;
    RiConeWork *w = &s->w;
    RiConeNewton *t = &s->t;
    w->block = ri_carve(block, at, 12 * (size_t)s->max_blocks, sizeof(double));
    w->column = ri_carve(block, at, (size_t)s->max_blocks, sizeof(int));
    w->row = ri_carve(block, at, n + 1, sizeof(int));
    w->diagonal = ri_carve(block, at, n, sizeof(int));
    w->active = ri_carve(block, at, n, sizeof(int));
    w->local = ri_carve(block, at, n, sizeof *w->local);
    w->state = ri_carve(block, at, n, 1);
    double **const vectors[] = {&w->q, &w->r, &w->u, &s->q, &s->base, &s->best, &s->kept, &s->near, &s->own, &s->dual};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = ri_carve(block, at, 4 * n, sizeof(double));
    s->base_state = ri_carve(block, at, n, 1);
    s->factor_state = ri_carve(block, at, n, 1);
    t->first = ri_carve(block, at, n + 1, sizeof(int));
    t->low = ri_carve(block, at, m, sizeof(int));
    t->high = ri_carve(block, at, m, sizeof(int));
    t->pivot = ri_carve(block, at, m, sizeof(int));
    t->x = ri_carve(block, at, m, sizeof(double));
    t->e = ri_carve(block, at, n, sizeof *t->e);
    t->stride = stride;
    t->A = ri_carve(block, at, m * stride, sizeof(double));
}

RiStatus ri_cone_solver_create(RiContext *ctx, int max_contacts, int max_blocks, RiConeSolver **out_solver)
{
    enum { MOST = 4000 };
    *out_solver = NULL;
    if (max_contacts < 0 || max_contacts > MOST)
        return ri_error(ctx, RI_ERR_LIMIT, "a cone solver for %d contacts: it may have 0 to %d", max_contacts, MOST);
    RiConeSolver *s = ri_alloc_zero(ctx, 1, sizeof *s);
    if (!s)
        return ri_error_memory(ctx);
    const int all = max_contacts * max_contacts;
    s->ctx = ctx;
    s->k = ri_cone_kernels_find(NULL);
    s->max_contacts = max_contacts;
    s->max_blocks = max_blocks > 0 && max_blocks < all - max_contacts ? max_blocks + max_contacts : all;
    ri_arena_init(&s->arena, ctx);
    lay_out(s, NULL, &s->bytes);
    char *block = ri_arena_alloc(&s->arena, s->bytes, 1);
    if (!block) {
        ri_cone_solver_destroy(s);
        return ri_error_memory(ctx);
    }
    size_t at = 0;
    lay_out(s, block, &at);
    *out_solver = s;
    return RI_OK;
}

void ri_cone_solver_destroy(RiConeSolver *s)
{
    if (!s)
        return;
    ri_arena_free(&s->arena);
    ri_release(s->ctx, s);
}

size_t ri_cone_solver_bytes(const RiConeSolver *s)
{
    return s->bytes + sizeof *s;
}

bool ri_cone_solver_set_kernels(RiConeSolver *s, const char *name)
{
    const RiConeKernels *k = ri_cone_kernels_find(name);
    if (k)
        s->k = k;
    return k != NULL;
}

// --- loading a problem ---------------------------------------------------------------------------------------------

/// A block with elliptic cones made round: column T2 times E of contact j, row T2 times E of contact i for the associated flow.
static void load_block(const RiConeProblem *p, int i, int j, const double *rows[3], double out[12])
{
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            out[4 * c + k] = rows[k][c];
        out[4 * c + 3] = 0.0;
    }
    if (!p->across)
        return;
    for (int k = 0; k < 3; k++)
        out[8 + k] *= p->across[j];
    for (int c = 0; c < 3 && p->flow == RI_CONE_ASSOCIATED; c++)
        out[4 * c + 2] *= p->across[i];
}

static bool is_zero_block(const double *W, size_t n3)
{
    for (size_t k = 0; k < 3; k++, W += n3)
        if (W[0] != 0.0 || W[1] != 0.0 || W[2] != 0.0)
            return false;
    return true;
}

/// Blocks of a dense matrix that are not zero; all of them if that is most. False: they do not fit.
static bool load_dense(RiConeSolver *s, const RiConeProblem *p)
{
    RiConeWork *w = &s->w;
    const size_t n3 = 3 * (size_t)p->n;
    int count = 0;
    for (int i = 0; i < p->n; i++) {
        const double *W = p->W + 3 * (size_t)i * n3;
        w->row[i] = count;
        for (int j = 0; j < p->n; j++, W += 3) {
            if (i != j && is_zero_block(W, n3))
                continue;
            if (count == s->max_blocks)
                return false;
            if (i == j)
                w->diagonal[i] = count;
            w->column[count] = j;
            load_block(p, i, j, (const double *[3]){W, W + n3, W + 2 * n3}, w->block + 12 * (size_t)count++);
        }
    }
    w->row[p->n] = w->block_count = count;
    return true;
}

/// The same for rows of blocks; a diagonal block that is not stored is zero.
static bool load_rows(RiConeSolver *s, const RiConeProblem *p)
{
    static const double zero[3];
    RiConeWork *w = &s->w;
    int count = 0;
    for (int i = 0; i < p->n; i++) {
        int b = p->row[i];
        w->row[i] = count;
        w->diagonal[i] = -1;
        while (b < p->row[i + 1] || w->diagonal[i] < 0) {
            const bool insert = w->diagonal[i] < 0 && (b == p->row[i + 1] || p->column[b] > i);
            const int j = insert ? i : p->column[b];
            const double *B = insert ? NULL : p->block + 9 * (size_t)b++;
            if (count == s->max_blocks)
                return false;
            if (j == i)
                w->diagonal[i] = count;
            w->column[count] = j;
            load_block(p, i, j, B ? (const double *[3]){B, B + 3, B + 6} : (const double *[3]){zero, zero, zero},
                       w->block + 12 * (size_t)count++);
        }
    }
    w->row[p->n] = w->block_count = count;
    return true;
}

/// Inverse of the 3x3 matrix of columns d; false if it is singular to 1e-14 of the size of its entries.
static bool invert(const double d[12], double out[9])
{
    const double a = d[0], b = d[4], c = d[8], e = d[1], f = d[5], g = d[9], h = d[2], k = d[6], l = d[10];
    const double c0 = f * l - g * k, c1 = g * h - e * l, c2 = e * k - f * h;
    const double det = a * c0 + b * c1 + c * c2;
    const double size = fabs(a * c0) + fabs(b * c1) + fabs(c * c2) + fabs(a * f * l);
    if (!(fabs(det) > 1e-14 * size))
        return false;
    const double s = 1.0 / det;
    const double m[9] = {c0, c * k - b * l, b * g - c * f, c1, a * l - c * h, c * e - a * g,
                         c2, b * h - a * k, a * f - b * e};
    for (int i = 0; i < 9; i++)
        out[i] = s * m[i];
    return true;
}

/// What solving contact i alone needs. A singular block is shifted by 1e-12 of its trace for that.
static void load_local(RiConeLocal *l, const double block[12], double mu, double w_floor)
{
    double d[12];
    memcpy(d, block, sizeof d);
    const double trace = fabs(d[0]) + fabs(d[5]) + fabs(d[10]);
    if (!invert(d, l->inverse)) {
        d[0] += 1e-12 * trace, d[5] += 1e-12 * trace, d[10] += 1e-12 * trace;
        if (!invert(d, l->inverse))
            memset(l->inverse, 0, sizeof l->inverse); // then r = 0 in place of sticking, and sliding decides
    }
    l->mu = mu;
    l->w = d[0];
    l->w_inv = block[0] > w_floor ? 1.0 / d[0] : 0.0;
    l->a[0] = d[4], l->a[1] = d[8];
    l->c[0] = d[1], l->c[1] = d[2];
    l->s[0] = d[5] - l->c[0] * l->a[0] * l->w_inv;
    l->s[1] = d[9] - l->c[0] * l->a[1] * l->w_inv;
    l->s[2] = d[6] - l->c[1] * l->a[0] * l->w_inv;
    l->s[3] = d[10] - l->c[1] * l->a[1] * l->w_inv;
    l->weight = fmax(1.0, trace / 3.0);
}

static void load_locals(RiConeSolver *s, const double *mu)
{
    RiConeWork *w = &s->w;
    s->diagonal = 0.0;
    for (int i = 0; i < w->n; i++) {
        const double *d = w->block + 12 * (size_t)w->diagonal[i];
        s->diagonal = fmax(s->diagonal, fmax(d[0], fmax(d[5], d[10])));
    }
    for (int i = 0; i < w->n; i++)
        load_local(&w->local[i], w->block + 12 * (size_t)w->diagonal[i], mu ? mu[i] : w->local[i].mu,
                   1e-14 * s->diagonal);
}

static bool all_finite(const double *x, size_t count)
{
    double sum[8] = {0.0}; // 0 times anything finite is 0; eight sums do not wait for each other
    size_t k = 0;
    for (; k + 8 <= count; k += 8)
        for (size_t l = 0; l < 8; l++)
            sum[l] += 0.0 * x[k + l];
    for (; k < count; k++)
        sum[0] += 0.0 * x[k];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])) == 0.0;
}

/// False: `why` is what is wrong with it.
static bool load(RiConeSolver *s, const RiConeProblem *p, const char **why)
{
    RiConeWork *w = &s->w;
    double sum = 0.0;
    w->n = p->n;
    *why = "more contacts than the solver was created for";
    if (p->n > s->max_contacts)
        return false;
    *why = "more blocks than the solver was created for";
    if (!(p->W ? load_dense(s, p) : load_rows(s, p)))
        return false;
    w->dense = w->block_count == w->n * w->n;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < 4; k++) {
            const double flow = k == 2 && p->across && p->flow == RI_CONE_ASSOCIATED ? p->across[i] : 1.0;
            s->q[4 * i + k] = k < 3 ? flow * p->q[3 * i + k] : 0.0;
            sum += s->q[4 * i + k] * s->q[4 * i + k];
        }
    *why = "a number is not finite";
    if (!isfinite(sum) || !all_finite(w->block, 12 * (size_t)w->block_count) || !all_finite(p->mu, (size_t)p->n))
        return false;
    *why = "friction is negative";
    for (int i = 0; i < p->n; i++)
        if (p->mu[i] < 0.0)
            return false;
    s->scale = sum > 0.0 ? sqrt(sum) : 1.0;
    memcpy(w->q, s->q, 4 * (size_t)p->n * sizeof *w->q);
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < 3; k++)
            s->own[4 * i + k] = w->block[12 * (size_t)w->diagonal[i] + 5 * (size_t)k];
    load_locals(s, p->mu);
    return true;
}

// --- measuring -----------------------------------------------------------------------------------------------------

/// Velocities at w.r and the inner residual: the natural map with rho = 1 / weight <= 1 in units of velocity, never below the outer one.
static double measure(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    double sum = 0.0;
    s->k->velocity(w, w->r, w->u);
    for (int i = 0; i < w->n; i++) {
        const double weight = w->local[i].weight;
        sum += weight * weight * ri_cone_map(w->local[i].mu, 1.0 / weight, w->r + 4 * (size_t)i, w->u + 4 * (size_t)i);
    }
    s->residual = sqrt(sum) / s->scale;
    return s->residual;
}

static void keep_best(RiConeSolver *s)
{
    if (s->alpha == 0.0 && !s->raising && s->residual < s->best_residual) {
        s->best_residual = s->residual;
        memcpy(s->best, s->w.r, 4 * (size_t)s->w.n * sizeof(double));
    }
}

static void sweep(RiConeSolver *s, int count)
{
    for (int k = 0; k < count; k++)
        s->k->sweep(&s->w);
    s->result->sweeps += count;
    s->budget -= count;
}

// --- Newton --------------------------------------------------------------------------------------------------------

/// Numbers the unknowns and finds the profile; `high` is made monotone so that a factor stays inside.
static void plan_matrix(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    RiConeNewton *t = &s->t;
    t->m = 0;
    for (int i = 0; i < w->n; i++) {
        t->first[i] = t->m;
        t->m += w->state[i] == RI_CONE_OPEN ? 0 : w->state[i] == RI_CONE_STICK ? 3 : w->local[i].mu > 0.0 ? 2 : 1;
    }
    t->first[w->n] = t->m;
    s->factor_dense = t->m <= DENSE_UNKNOWNS || w->dense;
    int reach = 0;
    for (int i = 0; i < w->n; i++) {
        int low = t->first[i];
        for (int b = w->row[i]; b < w->row[i + 1]; b++) {
            const int j = w->column[b];
            if (t->first[j + 1] == t->first[j])
                continue;
            low = low < t->first[j] ? low : t->first[j];
            reach = reach > t->first[j + 1] ? reach : t->first[j + 1];
        }
        for (int k = t->first[i]; k < t->first[i + 1]; k++) {
            t->low[k] = s->factor_dense ? 0 : low;
            t->high[k] = s->factor_dense ? t->m : reach;
        }
    }
}

static void directions(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    for (int i = 0; i < w->n; i++) {
        const double *r = w->r + 4 * (size_t)i, t = sqrt(r[1] * r[1] + r[2] * r[2]);
        s->t.e[i][0] = t > 0.0 ? r[1] / t : 1.0;
        s->t.e[i][1] = t > 0.0 ? r[2] / t : 0.0;
    }
}

static bool factor(RiConeSolver *s)
{
    const RiConeWork *w = &s->w;
    plan_matrix(s);
    s->k->assemble(w, &s->t, s->shift * s->diagonal);
    s->result->factors++;
    s->factor_n = 0;
    if (!(s->factor_dense ? s->k->factor(&s->t) : s->k->factor_profile(&s->t, 1e-3 * s->shift * s->diagonal)))
        return false;
    s->factor_n = w->n;
    memcpy(s->factor_state, w->state, (size_t)w->n);
    return true;
}

/// The step from w.r with velocities w.u: t.x. False where there is none.
static bool newton_direction(RiConeSolver *s, bool may_reuse)
{
    const RiConeWork *w = &s->w;
    RiConeNewton *t = &s->t;
    directions(s);
    const bool same = s->factor_n == w->n && memcmp(s->factor_state, w->state, (size_t)w->n) == 0;
    if (!(may_reuse && same) && !factor(s))
        return false;
    for (int i = 0; i < w->n; i++) {
        const double *u = w->u + 4 * (size_t)i, *e = t->e[i];
        double *x = t->x + t->first[i];
        const int count = t->first[i + 1] - t->first[i];
        if (count >= 1)
            x[0] = -u[0];
        if (count == 2)
            x[1] = e[1] * u[1] - e[0] * u[2];
        if (count == 3)
            x[1] = -u[1], x[2] = -u[2];
    }
    (s->factor_dense ? s->k->solve : s->k->solve_profile)(t, t->x);
    return all_finite(t->x, (size_t)t->m);
}

/// w.r = base + length x; friction of a sliding contact turns and stays on its cone.
static void advance(RiConeSolver *s, double length)
{
    RiConeWork *w = &s->w;
    for (int i = 0; i < w->n; i++) {
        const double *x = s->t.x + s->t.first[i], *from = s->base + 4 * (size_t)i, *e = s->t.e[i];
        double *r = w->r + 4 * (size_t)i;
        const int count = s->t.first[i + 1] - s->t.first[i];
        for (int k = 0; k < 3; k++)
            r[k] = from[k] + (count == 3 ? length * x[k] : 0.0);
        if (count == 0 || count == 3)
            continue;
        r[0] += length * x[0];
        const double mu = w->local[i].mu, turn = count == 2 ? length * x[1] : 0.0, old = mu * from[0];
        const double size = sqrt(old * old + turn * turn), f = size > 0.0 && r[0] > 0.0 ? mu * r[0] / size : 0.0;
        r[1] = f * (old * e[0] - turn * e[1]);
        r[2] = f * (old * e[1] + turn * e[0]);
    }
}

/// Tries Newton steps of falling length from w.r; true if one lowered the residual enough. On failure w is as before.
static bool newton_step(RiConeSolver *s, bool may_reuse)
{
    RiConeWork *w = &s->w;
    const size_t size = 4 * (size_t)w->n * sizeof(double);
    const double before = s->residual;
    s->result->newton++;
    s->budget--;
    memcpy(s->base, w->r, size);
    memcpy(s->kept, w->u, size);
    memcpy(s->base_state, w->state, (size_t)w->n);
    if (newton_direction(s, may_reuse)) {
        advance(s, 1.0);
        if (measure(s) <= fmax(0.1 * before, s->tolerance))
            return true; // what the contacts do has not changed: no sweep is needed
        for (double length = 1.0; length > 0.2; length *= 0.5) {
            advance(s, length);
            sweep(s, 1);
            if (measure(s) <= (1.0 - 0.5 * length) * before)
                return true;
        }
    }
    memcpy(w->r, s->base, size);
    memcpy(w->u, s->kept, size);
    memcpy(w->state, s->base_state, (size_t)w->n);
    s->residual = before;
    return false;
}

/// Sweeps and Newton steps until the residual is within `tolerance`. False: no progress, or the budget is used up.
static bool iterate(RiConeSolver *s, double tolerance, int patience)
{
    enum { ATTEMPTS = 16 }; ///< Newton steps that may pass without halving the residual
    int sweeps = 2, failures = 0, attempts = 0;
    bool reuse = s->factor_n > 0 && s->t.m > SMALL_UNKNOWNS;
    double mark = measure(s);
    keep_best(s);
    while (!(s->residual <= tolerance)) {
        if (s->budget <= 0 || failures > patience || attempts++ > ATTEMPTS)
            return false;
        const double before = s->residual;
        if (newton_step(s, reuse)) {
            reuse = s->residual < (s->t.m > SMALL_UNKNOWNS ? 0.1 : 0.01) * before;
            s->shift = fmax(SHIFT_LEAST, 0.1 * s->shift);
            failures = 0, sweeps = 2;
        } else if (reuse) {
            reuse = false; // an old matrix did not do
        } else {
            failures++;
            s->shift = fmin(SHIFT_MOST, 30.0 * s->shift);
            sweep(s, sweeps);
            sweeps = sweeps < 64 ? 2 * sweeps : 64;
            measure(s);
        }
        keep_best(s);
        if (s->residual < 0.5 * mark)
            mark = s->residual, attempts = 0;
    }
    return true;
}

// --- the problem made regular --------------------------------------------------------------------------------------

/// Adds alpha (r - near) to the velocities: W + alpha on the diagonal, q - alpha near.
static void regularise(RiConeSolver *s, double alpha)
{
    RiConeWork *w = &s->w;
    for (int i = 0; i < w->n; i++) {
        double *d = w->block + 12 * (size_t)w->diagonal[i];
        for (int k = 0; k < 3; k++)
            d[5 * k] = s->own[4 * i + k] + alpha;
        for (int k = 0; k < 3; k++)
            w->q[4 * i + k] = s->q[4 * i + k] - (alpha > 0.0 ? alpha * s->near[4 * i + k] : 0.0);
    }
    s->alpha = alpha;
    s->factor_n = 0;
    load_locals(s, NULL);
}

/// Proximal points: each regularised problem is well posed, and the sequence of its solutions ends where the problem's own solution is.
static bool proximal(RiConeSolver *s)
{
    enum { ROUNDS = 80 };
    RiConeWork *w = &s->w;
    const size_t size = 4 * (size_t)w->n * sizeof(double);
    double alpha = 1e-2 * s->diagonal, last = s->best_residual;
    memcpy(s->near, s->best, size);
    for (int k = 0; k < ROUNDS && s->budget > 0; k++) {
        s->result->proximal++;
        memcpy(w->r, s->near, size);
        regularise(s, alpha);
        s->shift = SHIFT_LEAST;
        sweep(s, 1);
        const bool solved = iterate(s, fmax(0.3 * s->tolerance, 1e-3 * last), 3);
        regularise(s, 0.0);
        measure(s);
        keep_best(s);
        if (s->residual <= s->tolerance)
            return true;
        if (solved) {
            alpha = fmax(0.1 * alpha, 1e-9 * s->diagonal);
            memcpy(s->near, w->r, size);
            last = fmin(last, s->residual);
        } else {
            alpha = fmin(5.0 * alpha, 10.0 * s->diagonal);
            memcpy(s->near, s->best, size);
        }
    }
    return false;
}

/// Solves with friction held below a cap that is raised in steps, each from the solution of the one before: what contacts do at high friction is
/// found on a path from low friction.
static bool raise_friction(RiConeSolver *s, const double *mu)
{
    RiConeWork *w = &s->w;
    double most = 0.0;
    for (int i = 0; i < w->n; i++)
        most = fmax(most, mu[i]);
    memset(w->r, 0, 4 * (size_t)w->n * sizeof(double));
    for (double cap = 0.25; s->budget > 0; cap *= 1.5) {
        const bool last = cap >= most;
        for (int i = 0; i < w->n; i++)
            w->local[i].mu = last ? mu[i] : fmin(mu[i], cap);
        s->raising = !last;
        s->shift = SHIFT_LEAST;
        s->factor_n = 0;
        sweep(s, 2);
        const bool solved = iterate(s, last ? s->tolerance : fmax(s->tolerance, 1e-6), 5);
        if (last)
            return solved;
    }
    s->raising = false;
    for (int i = 0; i < w->n; i++)
        w->local[i].mu = mu[i];
    return false;
}

// --- splitting -----------------------------------------------------------------------------------------------------

/// Factors W + rho: the Newton matrix of contacts that all stick.
static bool factor_split(RiConeSolver *s, double rho)
{
    memset(s->w.state, RI_CONE_STICK, (size_t)s->w.n);
    s->shift = rho / s->diagonal;
    const bool done = factor(s);
    s->factor_n = 0; // not a Newton matrix
    return done;
}

/// Sizes that tell whether rho suits: of r - z, of the change of z, of z and of the dual.
typedef struct SplitSizes {
    double primal, change, z, dual;
} SplitSizes;

/// One pass of the alternating direction method: r = (W + rho)^-1 (rho (z - xi) - q - s), z = P(r + xi), xi += r - z, with r over-relaxed and
/// the correction s of De Saxce from -rho xi, which becomes the velocity.
static SplitSizes split_pass(RiConeSolver *s, double rho)
{
    const RiConeWork *w = &s->w;
    SplitSizes size = {0};
    for (int i = 0; i < w->n; i++) {
        const double *z = s->near + 4 * (size_t)i, *xi = s->dual + 4 * (size_t)i;
        for (int k = 0; k < 3; k++)
            s->t.x[3 * i + k] = rho * (z[k] - xi[k]) - s->q[4 * i + k];
        s->t.x[3 * i] -= w->local[i].mu * rho * sqrt(xi[1] * xi[1] + xi[2] * xi[2]);
    }
    (s->factor_dense ? s->k->solve : s->k->solve_profile)(&s->t, s->t.x);
    for (int i = 0; i < w->n; i++) {
        double *z = s->near + 4 * (size_t)i, *xi = s->dual + 4 * (size_t)i, h[3], next[3];
        for (int k = 0; k < 3; k++)
            h[k] = 1.6 * s->t.x[3 * i + k] - 0.6 * z[k] + xi[k];
        ri_cone_project(w->local[i].mu, h, next);
        w->state[i] = next[0] == 0.0 ? RI_CONE_OPEN : memcmp(h, next, sizeof h) == 0 ? RI_CONE_STICK : RI_CONE_SLIDE;
        for (int k = 0; k < 3; k++) {
            const double r = s->t.x[3 * i + k];
            size.primal += (r - next[k]) * (r - next[k]);
            size.change += (next[k] - z[k]) * (next[k] - z[k]);
            size.z += next[k] * next[k];
            xi[k] = h[k] - next[k];
            size.dual += xi[k] * xi[k];
            z[k] = next[k];
        }
    }
    return size;
}

/// Newton steps from where the splitting is.
static bool split_finish(RiConeSolver *s)
{
    memcpy(s->w.r, s->near, 4 * (size_t)s->w.n * sizeof(double));
    s->shift = SHIFT_LEAST;
    return iterate(s, s->tolerance, 2);
}

/// The alternating direction method finds out what each contact does where sweeps cannot, and Newton steps take over; tried more and more rarely.
static bool split(RiConeSolver *s, int passes)
{
    const size_t size = 4 * (size_t)s->w.n * sizeof(double);
    double rho = 0.1 * s->diagonal;
    memcpy(s->near, s->best, size);
    memset(s->dual, 0, size);
    for (int k = 0, next = 20; k < passes && s->budget > 0; next = k + k / 2) {
        if (!factor_split(s, rho))
            return false;
        SplitSizes sizes = {0};
        for (; k < next && s->budget > 0; k++, s->budget--)
            sizes = split_pass(s, rho);
        s->result->splitting = k;
        const double primal = sizes.primal / fmax(sizes.z, 1e-300), dual = sizes.change / fmax(sizes.dual, 1e-300);
        if (split_finish(s))
            return true;
        const double better = fmin(5.0, fmax(0.2, sqrt(sqrt(primal / fmax(dual, 1e-300)))));
        rho *= better;
        for (int i = 0; i < 4 * s->w.n; i++)
            s->dual[i] /= better;
    }
    return false;
}

// --- the whole -----------------------------------------------------------------------------------------------------

static void start(RiConeSolver *s, const RiConeProblem *p, const RiConeOptions *options, const double *r)
{
    RiConeWork *w = &s->w;
    const bool warm = options->warm && all_finite(r, 3 * (size_t)p->n);
    bool known = warm && s->factor_n == p->n; // what each contact did in the last problem
    for (int i = 0; i < p->n; i++) {
        const double across = p->across ? p->across[i] : 1.0;
        for (int k = 0; k < 3; k++)
            w->r[4 * i + k] = warm ? r[3 * i + k] / (k == 2 ? across : 1.0) : 0.0;
        w->r[4 * i + 3] = 0.0;
        known &= (w->r[4 * i] > 0.0) == (s->factor_state[i] != RI_CONE_OPEN);
        if (!warm)
            w->local[i].lambda = 0.0;
    }
    if (!warm)
        s->factor_n = 0;
    s->alpha = 0.0;
    s->raising = false;
    s->shift = SHIFT_LEAST;
    s->tolerance = options->tolerance;
    s->budget = options->max_iterations;
    s->best_residual = INFINITY;
    memset(s->best, 0, 4 * (size_t)p->n * sizeof(double));
    if (known) {
        memcpy(w->state, s->factor_state, (size_t)p->n);
        return;
    }
    sweep(s, 1);
    if (!warm && p->n > 1 && measure(s) > s->tolerance)
        sweep(s, 2);
}

/// Whether nothing closes: then r = 0 is a solution, whatever W is.
static bool all_open(const RiConeProblem *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->n; i++) {
        const double *q = p->q + 3 * i;
        if (!(q[0] >= 0.0) || !(p->mu[i] >= 0.0))
            return false;
        sum += q[0] + fabs(q[1]) + fabs(q[2]) + p->mu[i];
    }
    return isfinite(sum);
}

/// Whether the reaction has run away along a direction of the cone that moves nothing.
static bool has_run_away(const RiConeSolver *s, const RiConeProblem *p, const double *r, const double *u)
{
    double size = 0.0, moved = 0.0, work = 0.0;
    for (int i = 0; i < 3 * p->n; i++) {
        size += r[i] * r[i];
        moved += (u[i] - p->q[i]) * (u[i] - p->q[i]);
        work += r[i] * p->q[i];
    }
    return work < 0.0 && sqrt(moved) <= 1e-6 * s->diagonal * sqrt(size);
}

static int first_unreachable(const RiConeSolver *s)
{
    for (int i = 0; i < s->w.n; i++)
        if (s->w.local[i].w_inv == 0.0 && s->w.u[4 * i] < -s->tolerance * s->scale)
            return i;
    return -1;
}

static void explain(RiConeSolver *s, const RiConeProblem *p, const double *r, const double *u)
{
    RiConeResult *out = s->result;
    const size_t room = sizeof out->reason;
    if (out->residual <= s->tolerance) {
        out->end = RI_CONE_SOLVED;
        return;
    }
    const int blocked = first_unreachable(s);
    if (blocked >= 0) {
        out->end = RI_CONE_INCONSISTENT;
        snprintf(out->reason, room, "contact %d closes at %.3g and no reaction can change that", blocked,
                 u[3 * blocked]);
    } else if (has_run_away(s, p, r, u)) {
        out->end = RI_CONE_INCONSISTENT;
        snprintf(out->reason, room, "reactions grow without end against each other; residual %.3g", out->residual);
    } else {
        out->end = s->budget <= 0 ? RI_CONE_LIMIT : RI_CONE_STALLED;
        snprintf(out->reason, room, "residual %.3g after %d iterations, wanted %.3g", out->residual, out->iterations,
                 s->tolerance);
    }
}

static void finish(RiConeSolver *s, const RiConeProblem *p, double *r, double *u)
{
    RiConeResult *out = s->result;
    for (int i = 0; i < p->n; i++) {
        const double across = p->across ? p->across[i] : 1.0;
        for (int k = 0; k < 3; k++)
            r[3 * i + k] = s->best[4 * i + k] * (k == 2 ? across : 1.0);
    }
    out->residual = ri_cone_residual(p, r, u);
    out->iterations = out->sweeps + out->newton;
    for (int i = 0; i < p->n; i++) {
        const RiConeContact c = ri_cone_contact(r + 3 * i, u + 3 * i, 10.0 * s->tolerance * s->scale);
        out->open += c == RI_CONE_OPEN;
        out->stick += c == RI_CONE_STICK;
        out->slide += c == RI_CONE_SLIDE;
    }
    explain(s, p, r, u);
}

void ri_cone_solver_forget(RiConeSolver *s)
{
    for (int i = 0; i < s->max_contacts; i++)
        s->w.local[i].lambda = 0.0;
    s->factor_n = 0;
}

void ri_cone_solve(RiConeSolver *s, const RiConeProblem *p, const RiConeOptions *options, double *r, double *out_u,
                   RiConeResult *out_result)
{
    const char *why = "";
    *out_result = (RiConeResult){.end = RI_CONE_SOLVED};
    s->result = out_result;
    if (p->n <= 0)
        return;
    if (all_open(p)) {
        memset(r, 0, 3 * (size_t)p->n * sizeof *r);
        memcpy(out_u, p->q, 3 * (size_t)p->n * sizeof *out_u);
        out_result->open = p->n;
        return;
    }
    if (!load(s, p, &why)) {
        out_result->end = RI_CONE_BAD_INPUT;
        out_result->residual = INFINITY;
        snprintf(out_result->reason, sizeof out_result->reason, "%s", why);
        s->factor_n = 0;
        return;
    }
    start(s, p, options, r);
    (void)(iterate(s, s->tolerance, 4) || split(s, 400) || raise_friction(s, p->mu) || proximal(s) || split(s, 5000));
    finish(s, p, r, out_u);
}
