// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact problems of FCLIB, the collection of friction contact problems: HDF5 with either of
///
///     fclib_local:   W r + V x + q = u,   V^T r + R x + s = 0
///     fclib_global:  M v = H r + G x + f,   u = H^T v + w,   G^T v + b = 0
///
/// Matrices are sparse: by columns (nz = -1), by rows (nz = -2) or triplets (nz >= 0, p the columns
/// and i the rows). Both become u = W r + q, with what is not a contact's (v, x) eliminated.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/cone/cone_read.h"
#include "io/file/hdf5.h"
#include "math/dense.h"

enum { MOST_ROWS = 12000, MOST_NUMBERS = 1 << 27, MOST_ELIMINATED = 6000 };

typedef struct Matrix {
    int rows, columns;
    double *dense; ///< row-major; NULL: there is none in the file
} Matrix;

/// Everything read from a file; released as a whole.
typedef struct Fclib {
    RiHdf5 h;
    const char *group;
    Matrix inner, outer, couple; ///< M, H, G; or W, V, R
    int contacts;
} Fclib;

static RiStatus read_field(const Fclib *f, const char *field, size_t most, double **out, size_t *out_count)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", f->group, field);
    return ri_hdf5_read(&f->h, path, most, out, out_count);
}

static bool has_field(const Fclib *f, const char *field)
{
    char path[96];
    RiHdf5Object object;
    snprintf(path, sizeof path, "%s/%s", f->group, field);
    return ri_hdf5_find(&f->h, path, &object) == RI_OK && object != 0;
}

static RiStatus read_integer(const Fclib *f, const char *field, double least, double most, int *out)
{
    double *x;
    size_t count;
    *out = 0;
    RI_TRY(read_field(f, field, 1, &x, &count));
    const double value = count == 1 ? x[0] : NAN;
    ri_release(f->h.ctx, x);
    if (!(value >= least && value <= most && value == floor(value)))
        return ri_error(f->h.ctx, RI_ERR_FORMAT, "%s: %s/%s is %g; allowed is %g to %g", f->h.file, f->group, field,
                        value, least, most);
    *out = (int)value;
    return RI_OK;
}

/// The finite numbers of a vector of known length.
static RiStatus read_vector(const Fclib *f, const char *field, int length, double **out)
{
    size_t count;
    RI_TRY(read_field(f, field, (size_t)length, out, &count));
    if (count == (size_t)length && ri_all_finite(*out, length))
        return RI_OK;
    ri_release(f->h.ctx, *out);
    *out = NULL;
    return ri_error(f->h.ctx, RI_ERR_FORMAT, "%s: %s/%s has %zu numbers or one that is not finite; %d are needed",
                    f->h.file, f->group, field, count, length);
}

typedef struct Sparse {
    double *p, *i, *x;
    size_t p_count, i_count, x_count;
    int nz;
} Sparse;

static RiStatus entry(const Fclib *f, const char *name, Matrix *m, double row, double column, double value)
{
    if (!(row >= 0 && row < m->rows && column >= 0 && column < m->columns && isfinite(value)))
        return ri_error(f->h.ctx, RI_ERR_FORMAT, "%s: %s/%s has an entry (%g, %g) = %g in a matrix of %d x %d",
                        f->h.file, f->group, name, row, column, value, m->rows, m->columns);
    m->dense[(size_t)row * (size_t)m->columns + (size_t)column] += value;
    return RI_OK;
}

static RiStatus fill(const Fclib *f, const char *name, Matrix *m, const Sparse *s)
{
    const bool triplets = s->nz >= 0;
    const size_t lines = (size_t)(s->nz == -1 ? m->columns : m->rows);
    if (triplets ? s->p_count < (size_t)s->nz || s->i_count < (size_t)s->nz || s->x_count < (size_t)s->nz
                 : s->p_count != lines + 1)
        return ri_error(f->h.ctx, RI_ERR_FORMAT, "%s: %s/%s: the lengths of p, i and x do not fit nz, m and n",
                        f->h.file, f->group, name);
    for (size_t k = 0; triplets && k < (size_t)s->nz; k++)
        RI_TRY(entry(f, name, m, s->i[k], s->p[k], s->x[k]));
    for (size_t line = 0; !triplets && line < lines; line++) {
        const double from = s->p[line], to = s->p[line + 1];
        if (!(from >= 0 && to >= from && to <= (double)s->i_count && to <= (double)s->x_count))
            return ri_error(f->h.ctx, RI_ERR_FORMAT, "%s: %s/%s/p[%zu] is %g after %g", f->h.file, f->group, name,
                            line + 1, to, from);
        for (size_t k = (size_t)from; k < (size_t)to; k++)
            RI_TRY(s->nz == -1 ? entry(f, name, m, s->i[k], (double)line, s->x[k])
                               : entry(f, name, m, (double)line, s->i[k], s->x[k]));
    }
    return RI_OK;
}

static RiStatus read_sparse(const Fclib *f, const char *name, Sparse *s)
{
    char field[64];
    snprintf(field, sizeof field, "%s/nz", name);
    RI_TRY(read_integer(f, field, -2, INT_MAX, &s->nz));
    snprintf(field, sizeof field, "%s/p", name);
    RI_TRY(read_field(f, field, MOST_NUMBERS, &s->p, &s->p_count));
    snprintf(field, sizeof field, "%s/i", name);
    RI_TRY(read_field(f, field, MOST_NUMBERS, &s->i, &s->i_count));
    snprintf(field, sizeof field, "%s/x", name);
    return read_field(f, field, MOST_NUMBERS, &s->x, &s->x_count);
}

/// A matrix of rows x columns; -1: as many as the file says.
static RiStatus read_matrix(const Fclib *f, const char *name, int rows, int columns, Matrix *m)
{
    char field[64];
    Sparse s = {0};
    snprintf(field, sizeof field, "%s/m", name);
    RI_TRY(read_integer(f, field, rows < 0 ? 0 : rows, rows < 0 ? MOST_ROWS : rows, &m->rows));
    snprintf(field, sizeof field, "%s/n", name);
    RI_TRY(read_integer(f, field, columns < 0 ? 0 : columns, columns < 0 ? MOST_ROWS : columns, &m->columns));
    RiStatus status = read_sparse(f, name, &s);
    if (status == RI_OK) {
        m->dense = ri_alloc_zero(f->h.ctx, (size_t)m->rows * (size_t)m->columns, sizeof *m->dense);
        status = m->dense ? fill(f, name, m, &s) : ri_error_memory(f->h.ctx);
    }
    ri_release(f->h.ctx, s.p);
    ri_release(f->h.ctx, s.i);
    ri_release(f->h.ctx, s.x);
    return status;
}

static RiStatus start_file(const Fclib *f, RiConeFile **out)
{
    int dimension;
    RI_TRY(read_integer(f, "spacedim", 3, 3, &dimension));
    return ri_cone_file_new(f->h.ctx, f->contacts, dimension, out);
}

static RiStatus read_friction(const Fclib *f, RiConeFile *out)
{
    double *mu;
    RI_TRY(read_vector(f, "vectors/mu", f->contacts, &mu));
    memcpy(out->mu, mu, (size_t)f->contacts * sizeof *mu);
    ri_release(f->h.ctx, mu);
    for (int i = 0; i < f->contacts; i++)
        if (out->mu[i] < 0.0)
            return ri_error(f->h.ctx, RI_ERR_FORMAT, "%s: %s/vectors/mu[%d] is %g; friction is not negative", f->h.file,
                            f->group, i, out->mu[i]);
    return RI_OK;
}

static RiStatus count_contacts(Fclib *f, const char *name, int rows)
{
    if (rows < 3 || rows % 3 != 0)
        return ri_error(f->h.ctx, RI_ERR_FORMAT, "%s: %s/%s has %d rows of contacts; three each are needed", f->h.file,
                        f->group, name, rows);
    f->contacts = rows / 3;
    return RI_OK;
}

/// W <- W + sign L K^-1 R and q <- q + sign L K^-1 t, with L (rows x k) given by its transpose or
/// not, and `solve` holding (R, t): k rows of width.
static void condense(RiConeFile *out, const double *L, size_t stride_row, size_t stride_column, int k,
                     const double *solved, double sign)
{
    const size_t n3 = 3 * (size_t)out->problem.n;
    for (size_t i = 0; i < n3; i++)
        for (int a = 0; a < k; a++) {
            const double l = sign * L[i * stride_row + (size_t)a * stride_column];
            for (size_t j = 0; j < n3 && l != 0.0; j++)
                out->W[i * n3 + j] += l * solved[j * (size_t)k + (size_t)a];
            out->q[i] += l * solved[n3 * (size_t)k + (size_t)a];
        }
}

/// Factors K (k x k) and solves for the columns of `sides` (each k numbers in a row).
static RiStatus eliminate(const Fclib *f, int k, double *K, size_t columns, double *sides, const char *what)
{
    int *pivot = ri_alloc(f->h.ctx, (size_t)k, sizeof *pivot);
    if (!pivot)
        return ri_error_memory(f->h.ctx);
    const bool regular = ri_lu_factor(k, K, pivot);
    for (size_t c = 0; regular && c < columns; c++)
        ri_lu_solve(k, K, pivot, sides + c * (size_t)k);
    ri_release(f->h.ctx, pivot);
    return regular ? RI_OK
                   : ri_error(f->h.ctx, RI_ERR_FORMAT, "%s: %s/%s is singular; it has to be eliminated", f->h.file,
                              f->group, what);
}

// --- local ---------------------------------------------------------------------------------------

/// W - V R^-1 V^T and q - V R^-1 s.
static RiStatus condense_local(Fclib *f, RiConeFile *out)
{
    const size_t n3 = 3 * (size_t)f->contacts;
    double *s = NULL, *sides = NULL;
    RI_TRY(read_matrix(f, "V", (int)n3, -1, &f->outer));
    RI_TRY(read_matrix(f, "R", f->outer.columns, f->outer.columns, &f->couple));
    const int k = f->outer.columns;
    RI_TRY(read_vector(f, "vectors/s", k, &s));
    RiStatus status = RI_OK;
    if (!(sides = ri_alloc(f->h.ctx, (n3 + 1) * (size_t)k, sizeof *sides)))
        status = ri_error_memory(f->h.ctx);
    if (status == RI_OK) {
        memcpy(sides, f->outer.dense, n3 * (size_t)k * sizeof *sides); // columns of V^T are the rows of V
        memcpy(sides + n3 * (size_t)k, s, (size_t)k * sizeof *s);
        status = eliminate(f, k, f->couple.dense, n3 + 1, sides, "R");
    }
    if (status == RI_OK)
        condense(out, f->outer.dense, (size_t)k, 1, k, sides, -1.0);
    ri_release(f->h.ctx, s);
    ri_release(f->h.ctx, sides);
    return status;
}

static RiStatus read_local(Fclib *f, RiConeFile **out_file)
{
    double *q;
    RI_TRY(read_matrix(f, "W", -1, -1, &f->inner));
    RI_TRY(count_contacts(f, "W", f->inner.rows == f->inner.columns ? f->inner.rows : -1));
    RI_TRY(start_file(f, out_file));
    RiConeFile *out = *out_file;
    memcpy(out->W, f->inner.dense, 9 * (size_t)f->contacts * (size_t)f->contacts * sizeof *out->W);
    RI_TRY(read_vector(f, "vectors/q", 3 * f->contacts, &q));
    memcpy(out->q, q, 3 * (size_t)f->contacts * sizeof *q);
    ri_release(f->h.ctx, q);
    RI_TRY(read_friction(f, out));
    return has_field(f, "V/x") ? condense_local(f, out) : RI_OK;
}

// --- global --------------------------------------------------------------------------------------

/// K = (M, -G; G^T, 0), and the sides (H, 0) and (f, -b).
static RiStatus build_global(Fclib *f, int v, int x, double *K, double *sides)
{
    const size_t k = (size_t)(v + x), n3 = 3 * (size_t)f->contacts;
    double *force = NULL, *bound = NULL;
    for (int i = 0; i < v; i++) {
        memcpy(K + (size_t)i * k, f->inner.dense + (size_t)i * (size_t)v, (size_t)v * sizeof *K);
        for (int j = 0; j < x; j++) {
            const double g = f->couple.dense[(size_t)i * (size_t)x + (size_t)j];
            K[(size_t)i * k + (size_t)(v + j)] = -g;
            K[(size_t)(v + j) * k + (size_t)i] = g;
        }
        for (size_t c = 0; c < n3; c++)
            sides[c * k + (size_t)i] = f->outer.dense[(size_t)i * n3 + c];
    }
    RI_TRY(read_vector(f, "vectors/f", v, &force));
    memcpy(sides + n3 * k, force, (size_t)v * sizeof *force);
    ri_release(f->h.ctx, force);
    if (x == 0)
        return RI_OK;
    RI_TRY(read_vector(f, "vectors/b", x, &bound));
    for (int j = 0; j < x; j++)
        sides[n3 * k + (size_t)(v + j)] = -bound[j];
    ri_release(f->h.ctx, bound);
    return RI_OK;
}

static RiStatus condense_global(Fclib *f, RiConeFile *out)
{
    const int v = f->inner.rows, x = f->couple.dense ? f->couple.columns : 0, k = v + x;
    const size_t n3 = 3 * (size_t)f->contacts;
    if (k > MOST_ELIMINATED)
        return ri_error(f->h.ctx, RI_ERR_LIMIT, "%s: %d unknowns to eliminate; allowed are %d", f->h.file, k,
                        MOST_ELIMINATED);
    double *K = ri_alloc_zero(f->h.ctx, (size_t)k * (size_t)k, sizeof *K);
    double *sides = ri_alloc_zero(f->h.ctx, (n3 + 1) * (size_t)k, sizeof *sides);
    RiStatus status = K && sides ? build_global(f, v, x, K, sides) : ri_error_memory(f->h.ctx);
    if (status == RI_OK)
        status = eliminate(f, k, K, n3 + 1, sides, "M");
    for (size_t c = 0; status == RI_OK && c <= n3; c++) // only v counts in u = H^T v: close the gaps
        memmove(sides + c * (size_t)v, sides + c * (size_t)k, (size_t)v * sizeof *sides);
    if (status == RI_OK)
        condense(out, f->outer.dense, 1, n3, v, sides, 1.0);
    ri_release(f->h.ctx, K);
    ri_release(f->h.ctx, sides);
    return status;
}

static RiStatus read_global(Fclib *f, RiConeFile **out_file)
{
    double *w;
    RI_TRY(read_matrix(f, "M", -1, -1, &f->inner));
    RI_TRY(read_matrix(f, "H", f->inner.rows, -1, &f->outer));
    RI_TRY(count_contacts(f, "H", f->inner.rows == f->inner.columns ? f->outer.columns : -1));
    if (has_field(f, "G/x"))
        RI_TRY(read_matrix(f, "G", f->inner.rows, -1, &f->couple));
    RI_TRY(start_file(f, out_file));
    RiConeFile *out = *out_file;
    RI_TRY(read_vector(f, "vectors/w", 3 * f->contacts, &w));
    memcpy(out->q, w, 3 * (size_t)f->contacts * sizeof *w);
    ri_release(f->h.ctx, w);
    RI_TRY(read_friction(f, out));
    return condense_global(f, out);
}

RiStatus ri_cone_file_fclib(RiContext *ctx, const char *path, const char *data, size_t size, RiConeFile **out_file)
{
    Fclib f = {0};
    RiHdf5Object local, global;
    RiConeFile *out = NULL;
    *out_file = NULL;
    RI_TRY(ri_hdf5_init(&f.h, ctx, path, data, size));
    RI_TRY(ri_hdf5_find(&f.h, "fclib_local", &local));
    RI_TRY(ri_hdf5_find(&f.h, "fclib_global", &global));
    if (local == 0 && global == 0)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: neither a group fclib_local nor fclib_global", path);
    f.group = local ? "fclib_local" : "fclib_global";
    const RiStatus status = local ? read_local(&f, &out) : read_global(&f, &out);
    Matrix *const all[] = {&f.inner, &f.outer, &f.couple};
    for (int k = 0; k < 3; k++)
        ri_release(ctx, all[k]->dense);
    if (status != RI_OK) {
        ri_cone_file_destroy(out);
        return status;
    }
    *out_file = out;
    return RI_OK;
}
