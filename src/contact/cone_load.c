// SPDX-License-Identifier: Apache-2.0
/// \file
/// Life of a cone solver, and the working copy of a problem: blocks of three columns of four,
/// elliptic cones made round, diagonal blocks inverted.
#include <math.h>
#include <string.h>

#include "base/processor.h"
#include "contact/cone_solver.h"

// --- life cycle ----------------------------------------------------------------------------------

/// Wider registers than those of avx2 gain nothing here: avx512 is used where it is asked for.
const RiConeKernels *ri_cone_kernels_find(const char *name)
{
    RiIsa isa;
    if (!ri_isa_find(name, &isa))
        return NULL;
#if defined(__x86_64__)
    if (isa == RI_ISA_AVX512 && name)
        return &ri_cone_kernels_avx512;
    if (isa != RI_ISA_GENERIC)
        return &ri_cone_kernels_avx2;
#endif
    return &ri_cone_kernels_generic;
}

static void lay_out(RiConeSolver *s, char *block, size_t *at)
{
    const size_t n = (size_t)s->max_contacts, m = 3 * n, stride = (m + 3) / 4 * 4;
    RiConeWork *w = &s->w;
    RiConeNewton *t = &s->t;
    w->block = ri_carve(block, at, 12 * (size_t)s->max_blocks, sizeof(double));
    w->column = ri_carve(block, at, (size_t)s->max_blocks, sizeof(int));
    w->start = ri_carve(block, at, n + 1, sizeof(int));
    w->diagonal = ri_carve(block, at, n, sizeof(int));
    w->active = ri_carve(block, at, n, sizeof(int));
    w->local = ri_carve(block, at, n, sizeof *w->local);
    w->state = ri_carve(block, at, n, 1);
    w->ready = ri_carve(block, at, n, 1);
    double **const vectors[] = {&w->q, &w->r, &w->u, &s->q, &s->base, &s->best, &s->kept, &s->near, &s->own, &s->dual};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = ri_carve(block, at, 4 * n, sizeof(double));
    s->rho = ri_carve(block, at, n, sizeof(double));
    t->turn = ri_carve(block, at, n, sizeof(double));
    s->base_state = ri_carve(block, at, n, 1);
    s->factor_state = ri_carve(block, at, n, 1);
    t->first = ri_carve(block, at, n + 1, sizeof(int));
    t->low = ri_carve(block, at, m, sizeof(int));
    t->high = ri_carve(block, at, m, sizeof(int));
    t->pivot = ri_carve(block, at, m, sizeof(int));
    t->x = ri_carve(block, at, m, sizeof(double));
    t->e = ri_carve(block, at, n, sizeof *t->e);
    t->stride = stride;
    if (!s->vast) {
        t->A = ri_carve(block, at, m * stride, sizeof(double));
        return;
    }
    RiConeKrylov *v = &s->krylov;
    double **const each[] = {&v->residual, &v->shadow, &v->search, &v->along, &v->half, &v->other, &v->trial, &v->sum};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
        *each[k] = ri_carve(block, at, m, sizeof(double));
    double **const wide[] = {&v->move, &v->change, &v->zero};
    for (size_t k = 0; k < sizeof wide / sizeof *wide; k++)
        *wide[k] = ri_carve(block, at, 4 * n, sizeof(double));
    v->inverse = ri_carve(block, at, 9 * n, sizeof(double));
}

RiStatus ri_cone_solver_create(RiContext *ctx, int max_contacts, int max_blocks, RiConeSolver **out_solver)
{
    enum { MOST = 200000, MOST_BLOCKS = 100 * MOST };
    *out_solver = NULL;
    if (max_contacts < 0 || max_contacts > MOST)
        return ri_error(ctx, RI_ERR_LIMIT, "a cone solver for %d contacts: it may have 0 to %d", max_contacts, MOST);
    if (max_contacts > FACTORED && (max_blocks <= 0 || max_blocks > MOST_BLOCKS))
        return ri_error(
            ctx, RI_ERR_LIMIT,
            "a cone solver for %d contacts with %d blocks: from %d contacts on the number of blocks must be "
            "given, 1 to %d",
            max_contacts, max_blocks, FACTORED + 1, MOST_BLOCKS);
    RiConeSolver *s = ri_alloc_zero(ctx, 1, sizeof *s);
    if (!s)
        return ri_error_memory(ctx);
    const long long all = (long long)max_contacts * max_contacts;
    s->ctx = ctx;
    s->vast = max_contacts > FACTORED;
    s->k = ri_cone_kernels_find(NULL);
    s->max_contacts = max_contacts;
    s->max_blocks = max_blocks > 0 && max_blocks < all - max_contacts ? max_blocks + max_contacts : (int)all;
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

void ri_cone_solver_forget(RiConeSolver *s)
{
    for (int i = 0; i < s->max_contacts; i++)
        s->w.local[i].lambda = 0.0;
    s->factor_n = 0;
    s->swept = 0.0;
}

// --- loading a problem ---------------------------------------------------------------------------

/// A block with elliptic cones made round: column T2 times E of contact j, row T2 times E of
/// contact i for the associated flow.
static void load_block(const RiConeSource *s, int i, int j, const double *rows[3], double out[12])
{
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            out[4 * c + k] = rows[k][c];
        out[4 * c + 3] = 0.0;
    }
    if (!s->across)
        return;
    for (int k = 0; k < 3; k++)
        out[8 + k] *= s->across[j];
    for (int c = 0; c < 3 && s->associated; c++)
        out[4 * c + 2] *= s->across[i];
}

/// Block (i, j) of a full matrix in its place.
static double *fetch(const RiConeWork *w, int i, int j)
{
    const RiConeSource *s = &w->source;
    const double *W = s->W + (size_t)i * s->row + (size_t)j * s->column;
    double *out = w->block + 12 * ((size_t)j * (size_t)w->n + (size_t)i);
    load_block(s, i, j, (const double *[3]){W, W + s->line, W + 2 * s->line}, out);
    return out;
}

const double *ri_cone_row_block(const RiConeWork *w, int i, int k, int *out_column)
{
    if (!w->dense) {
        const int b = w->start[i] + k;
        *out_column = b < w->start[i + 1] ? w->column[b] : -1;
        return b < w->start[i + 1] ? w->block + 12 * (size_t)b : NULL;
    }
    *out_column = k;
    if (k >= w->n)
        return NULL;
    return i == k || w->ready[k] ? w->block + 12 * ((size_t)k * (size_t)w->n + (size_t)i) : fetch(w, i, k);
}

static bool is_zero_block(const double *W, size_t n3)
{
    for (size_t k = 0; k < 3; k++, W += n3)
        if (W[0] != 0.0 || W[1] != 0.0 || W[2] != 0.0)
            return false;
    return true;
}

bool ri_cone_all_finite(const double *x, size_t count)
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

/// Whether the blocks of row i are finite; asked while they are in the cache.
static bool is_finite_row(const RiConeWork *w, int i, int end)
{
    return ri_cone_all_finite(w->block + 12 * (size_t)w->start[i], 12 * (size_t)(end - w->start[i]));
}

/// Whether every block of a dense matrix but those on the diagonal is there; numbers of the rows
/// looked at are finite or *finite becomes false.
static bool is_full(const RiConeSolver *s, const RiConeProblem *p, bool *finite)
{
    const size_t n3 = 3 * (size_t)p->n;
    for (int i = 0; i < p->n; i++) {
        const double *W = p->W + 3 * (size_t)i * n3;
        const bool gaps = s->k->has_zero(W, n3); // of a row of normals: without zeros no block is zero
        *finite &= s->k->is_finite(W, 3 * n3);
        for (int j = 0; j < p->n && gaps; j++)
            if (i != j && is_zero_block(W + 3 * (size_t)j, n3))
                return false;
    }
    return true;
}

/// A matrix whose every block is there stays where it is; only the diagonal is copied. False: it
/// does not fit.
static bool load_full(RiConeSolver *s, const RiConeProblem *p)
{
    RiConeWork *w = &s->w;
    const size_t n = (size_t)p->n;
    w->source.W = p->W ? p->W : p->block;
    w->source.row = 9 * n;
    w->source.column = p->W ? 3 : 9;
    w->source.line = p->W ? 3 * n : 3;
    w->dense = true;
    if ((long long)p->n * p->n > s->max_blocks)
        return false;
    w->block_count = p->n * p->n;
    memset(w->ready, 0, n);
    memset(w->start, 0, (n + 1) * sizeof *w->start);
    for (int i = 0; i < p->n; i++) {
        w->diagonal[i] = i * (p->n + 1);
        fetch(w, i, i);
    }
    return true;
}

/// Blocks of a dense matrix that are not zero. False: they do not fit.
static bool load_dense(RiConeSolver *s, const RiConeProblem *p, bool *finite)
{
    RiConeWork *w = &s->w;
    const size_t n3 = 3 * (size_t)p->n;
    int count = 0;
    for (int i = 0; i < p->n; i++) {
        const double *W = p->W + 3 * (size_t)i * n3;
        w->start[i] = count;
        for (int j = 0; j < p->n; j++, W += 3) {
            if (i != j && is_zero_block(W, n3))
                continue;
            if (count == s->max_blocks)
                return false;
            if (i == j)
                w->diagonal[i] = count;
            w->column[count] = j;
            load_block(&w->source, i, j, (const double *[3]){W, W + n3, W + 2 * n3}, w->block + 12 * (size_t)count++);
        }
        *finite &= is_finite_row(w, i, count);
    }
    w->start[p->n] = w->block_count = count;
    return true;
}

/// The same for rows of blocks; a diagonal block that is not stored is zero.
static bool load_rows(RiConeSolver *s, const RiConeProblem *p, bool *finite)
{
    static const double zero[3];
    RiConeWork *w = &s->w;
    int count = 0;
    for (int i = 0; i < p->n; i++) {
        int b = p->row[i];
        w->start[i] = count;
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
            load_block(&w->source, i, j,
                       B ? (const double *[3]){B, B + 3, B + 6} : (const double *[3]){zero, zero, zero},
                       w->block + 12 * (size_t)count++);
        }
        *finite &= is_finite_row(w, i, count);
    }
    w->start[p->n] = w->block_count = count;
    return true;
}

static bool load_matrix(RiConeSolver *s, const RiConeProblem *p, bool *finite)
{
    s->w.source = (RiConeSource){.across = p->across, .associated = p->flow == RI_CONE_ASSOCIATED};
    const bool full = p->W ? is_full(s, p, finite) : p->row[p->n] == (long long)p->n * p->n;
    if (full && !p->W)
        *finite = s->k->is_finite(p->block, 9 * (size_t)p->row[p->n]);
    if (full)
        return load_full(s, p);
    s->w.dense = false;
    return p->W ? load_dense(s, p, finite) : load_rows(s, p, finite);
}

/// Inverse of the 3x3 matrix of columns d; false if it is singular to 1e-14 of the size of its
/// entries.
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

void ri_cone_load_locals(RiConeSolver *s, const double *mu)
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

bool ri_cone_load(RiConeSolver *s, const RiConeProblem *p, const char **why)
{
    RiConeWork *w = &s->w;
    double sum = 0.0;
    bool finite = true;
    w->n = p->n;
    *why = "more contacts than the solver was created for";
    if (p->n > s->max_contacts)
        return false;
    *why = "more blocks than the solver was created for";
    if (!load_matrix(s, p, &finite))
        return false;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < 4; k++) {
            const double flow = k == 2 && p->across && p->flow == RI_CONE_ASSOCIATED ? p->across[i] : 1.0;
            s->q[4 * i + k] = k < 3 ? flow * p->q[3 * i + k] : 0.0;
            sum += s->q[4 * i + k] * s->q[4 * i + k];
        }
    *why = "a number is not finite";
    if (!isfinite(sum) || !finite || !ri_cone_all_finite(p->mu, (size_t)p->n))
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
    ri_cone_load_locals(s, p->mu);
    return true;
}
