// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact problems as text, the formats of Siconos' frictionContact_printInFile and
/// globalFrictionContact_printInFile:
///
///     local:   dimension  contacts  MATRIX W            q  mu  [flag]        u = W r + q
///     global:  dimension  contacts  MATRIX M  MATRIX H  f  b  mu  [flag]     M v = H r + f,  u = H^T v + b
///
///     MATRIX:  0  rows  columns  rows columns  numbers row by row
///              1  rows  columns  blocks  block rows  block columns  ends of block rows  ends of block columns
///                 filled1  filled2  starts of rows (filled1)  columns of blocks (filled2)
///                 for each block: its number, then its entries column by column
///              2  rows  columns  1  a line  "triplet: ... nnz: N"  N times: row column : value
///              2  rows  columns  2  a line  "... nnz: N, ..."  for each column: "col J : locations A to B", then B - A + 1 times: row : value
///
/// Words are separated by white space; where lines end matters only for the line behind the kind of
/// a sparse matrix, which names the library that wrote it. Global problems become local ones, W =
/// H^T M^-1 H and q = H^T M^-1 f + b. Test: tests/io/test_cone_file.c.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/cone/cone_read.h"
#include "io/mesh/mesh_text.h"
#include "math/dense.h"

/// Contacts a file may have, and unknowns of M.
enum { MOST_CONTACTS = 4000, MOST_ELIMINATED = 6000 };
/// Numbers for which memory is taken before the file has shown that it holds them.
enum { UNSUSPICIOUS = 10000 };
enum { STORAGE_DENSE, STORAGE_BLOCKS, STORAGE_SPARSE };
enum { SPARSE_TRIPLETS = 1, SPARSE_COLUMNS = 2 };

typedef struct Table {
    char name;
    int rows, columns;
    double *x; ///< row-major, owned
} Table;

/// Everything read from a file before it becomes a problem; released as a whole.
typedef struct Problem {
    int dimension, contacts;
    Table inner, outer; ///< W; or M and H
} Problem;

// --- words ---------------------------------------------------------------------------------------

static RiStatus check_int(const RiMeshText *text, RiWord word, const char *field, long long least, long long most,
                          int *out)
{
    long long value;
    *out = 0;
    if (word.size == 0)
        return ri_mesh_text_error(text, "the file ends where %s should be", field);
    if (!ri_word_integer(word, &value))
        return ri_mesh_text_error(text, "%s is '%s', which is not a whole number", field, ri_word_shown(word).text);
    if (value >= least && value <= most) {
        *out = (int)value;
        return RI_OK;
    }
    return least == most ? ri_mesh_text_error(text, "%s is %lld; it must be %lld", field, value, least)
                         : ri_mesh_text_error(text, "%s is %lld; allowed is %lld to %lld", field, value, least, most);
}

static RiStatus read_int(RiMeshText *text, const char *field, long long least, long long most, int *out)
{
    const RiWord word = ri_mesh_text_word_anywhere(text);
    return check_int(text, word, field, least, most, out);
}

static RiStatus read_number(RiMeshText *text, const char *field, size_t index, double *out)
{
    const RiWord word = ri_mesh_text_word_anywhere(text);
    if (word.size == 0)
        return ri_mesh_text_error(text, "the file ends where %s[%zu] should be", field, index);
    if (!ri_word_double(word, out))
        return ri_mesh_text_error(text, "%s[%zu] is '%s', which is not a finite number", field, index,
                                  ri_word_shown(word).text);
    return RI_OK;
}

static RiStatus read_word(RiMeshText *text, const char *expected)
{
    const RiWord word = ri_mesh_text_word_anywhere(text);
    if (ri_word_is(word, expected))
        return RI_OK;
    return word.size == 0 ? ri_mesh_text_error(text, "the file ends where '%s' should be", expected)
                          : ri_mesh_text_error(text, "found '%s' instead of '%s'", ri_word_shown(word).text, expected);
}

// --- matrices ------------------------------------------------------------------------------------

static RiStatus read_dense(RiMeshText *text, Table *t)
{
    const char name[2] = {t->name};
    const size_t count = (size_t)t->rows * (size_t)t->columns;
    int unused;
    RI_TRY(read_int(text, "number of rows before the matrix", t->rows, t->rows, &unused));
    RI_TRY(read_int(text, "number of columns before the matrix", t->columns, t->columns, &unused));
    for (size_t k = 0; k < count; k++)
        RI_TRY(read_number(text, name, k, &t->x[k]));
    return RI_OK;
}

/// Ends of `count` rows or columns of blocks, after a leading 0.
static RiStatus read_ends(RiMeshText *text, const char *field, int count, int total, int *end)
{
    end[0] = 0;
    for (int k = 1; k <= count; k++)
        RI_TRY(read_int(text, field, k == count ? total : end[k - 1] + 1, total - (count - k), &end[k]));
    return RI_OK;
}

typedef struct Blocks {
    int blocks, rows, columns;
    int *row_end, *column_end; ///< rows + 1 and columns + 1
    int *start, *column;       ///< of block rows (rows + 1) and of blocks
} Blocks;

/// Rows behind filled1 have no blocks.
static RiStatus read_pattern(RiMeshText *text, const Blocks *b)
{
    int filled1, filled2;
    RI_TRY(read_int(text, "filled1", 1, b->rows + 1, &filled1));
    RI_TRY(read_int(text, "filled2", b->blocks, b->blocks, &filled2));
    for (int i = 0; i <= b->rows; i++)
        if (i < filled1)
            RI_TRY(read_int(text, "start of a block row", i == 0 ? 0 : b->start[i - 1], i == 0 ? 0 : b->blocks,
                            &b->start[i]));
        else
            b->start[i] = b->start[i - 1];
    if (b->start[b->rows] != b->blocks)
        return ri_mesh_text_error(text, "the last block row ends at %d; there are %d blocks", b->start[b->rows],
                                  b->blocks);
    for (int k = 0; k < b->blocks; k++)
        RI_TRY(read_int(text, "column of a block", 0, b->columns - 1, &b->column[k]));
    return RI_OK;
}

static RiStatus read_block(RiMeshText *text, const Blocks *b, int i, int number, Table *t)
{
    const int j = b->column[number];
    size_t entry = 0;
    int unused;
    RI_TRY(read_int(text, "number of a block", number, number, &unused));
    for (int c = b->column_end[j]; c < b->column_end[j + 1]; c++)
        for (int r = b->row_end[i]; r < b->row_end[i + 1]; r++)
            RI_TRY(read_number(text, "entry of a block", entry++, &t->x[(size_t)r * (size_t)t->columns + (size_t)c]));
    return RI_OK;
}

static RiStatus fill_blocks(RiMeshText *text, const Blocks *b, Table *t)
{
    RI_TRY(read_ends(text, "end of a block row", b->rows, t->rows, b->row_end));
    RI_TRY(read_ends(text, "end of a block column", b->columns, t->columns, b->column_end));
    RI_TRY(read_pattern(text, b));
    for (int i = 0; i < b->rows; i++)
        for (int k = b->start[i]; k < b->start[i + 1]; k++)
            RI_TRY(read_block(text, b, i, k, t));
    return RI_OK;
}

static RiStatus read_blocks(RiMeshText *text, Table *t)
{
    Blocks b = {0};
    const long long left = text->end - text->next; // every block has a number, so that there are fewer than bytes
    RI_TRY(read_int(text, "number of blocks", 0, left, &b.blocks));
    RI_TRY(read_int(text, "number of block rows", 1, t->rows, &b.rows));
    RI_TRY(read_int(text, "number of block columns", 1, t->columns, &b.columns));
    const size_t rows = (size_t)b.rows + 1;
    b.row_end = ri_alloc(text->ctx, 2 * rows + (size_t)b.columns + 1 + (size_t)b.blocks, sizeof *b.row_end);
    if (!b.row_end)
        return ri_error_memory(text->ctx);
    b.start = b.row_end + rows;
    b.column_end = b.start + rows;
    b.column = b.column_end + b.columns + 1;
    const RiStatus status = fill_blocks(text, &b, t);
    ri_release(text->ctx, b.row_end);
    return status;
}

static RiStatus add_entry(RiMeshText *text, Table *t, size_t index, int row, int column)
{
    const char name[2] = {t->name};
    double value;
    RI_TRY(read_word(text, ":"));
    RI_TRY(read_number(text, name, index, &value));
    t->x[(size_t)row * (size_t)t->columns + (size_t)column] += value;
    return RI_OK;
}

static RiStatus read_triplets(RiMeshText *text, Table *t, int entries)
{
    int row, column;
    for (int k = 0; k < entries; k++) {
        RI_TRY(read_int(text, "row of an entry", 0, t->rows - 1, &row));
        RI_TRY(read_int(text, "column of an entry", 0, t->columns - 1, &column));
        RI_TRY(add_entry(text, t, (size_t)k, row, column));
    }
    return RI_OK;
}

static RiStatus read_columns(RiMeshText *text, Table *t, int entries)
{
    int first, last, row;
    for (int j = 0, k = 0; j < t->columns; j++, k = last + 1) {
        RI_TRY(read_word(text, "col"));
        RI_TRY(read_int(text, "number of a column", j, j, &row));
        RI_TRY(read_word(text, ":"));
        RI_TRY(read_word(text, "locations"));
        RI_TRY(read_int(text, "first location of a column", k, k, &first));
        RI_TRY(read_word(text, "to"));
        RI_TRY(
            read_int(text, "last location of a column", j == t->columns - 1 ? entries - 1 : k - 1, entries - 1, &last));
        for (int e = first; e <= last; e++) {
            RI_TRY(read_int(text, "row of an entry", 0, t->rows - 1, &row));
            RI_TRY(add_entry(text, t, (size_t)e, row, j));
        }
    }
    return RI_OK;
}

/// The number of entries, from a line such as "triplet: 6-by-6, nzmax: 36 nnz: 10" or "6-by-6,
/// nzmax: 10 nnz: 10, 1-norm: 5.3".
static RiStatus read_entries(RiMeshText *text, int *out_entries)
{
    RiWord word;
    do
        word = ri_mesh_text_word(text);
    while (word.size > 0 && !ri_word_is(word, "nnz:"));
    word = ri_mesh_text_word(text);
    if (word.size > 0 && word.text[word.size - 1] == ',')
        word.size--;
    if (word.size == 0)
        return ri_mesh_text_error(text, "the line of a sparse matrix lacks 'nnz:' and the number of its entries");
    return check_int(text, word, "number of entries", 0, (text->end - text->next) / 2, out_entries);
}

static RiStatus read_sparse(RiMeshText *text, Table *t)
{
    int kind, entries;
    RI_TRY(read_int(text, "kind of sparse matrix (1 triplets, 2 columns)", SPARSE_TRIPLETS, SPARSE_COLUMNS, &kind));
    if (!ri_mesh_text_line(text) || !ri_mesh_text_line(text)) // the library's name, then sizes
        return ri_mesh_text_error(text, "the file ends where the line of a sparse matrix should be");
    RI_TRY(read_entries(text, &entries));
    if (!ri_mesh_text_line(text)) // a norm may follow
        return ri_mesh_text_error(text, "the file ends where a sparse matrix should be");
    return kind == SPARSE_TRIPLETS ? read_triplets(text, t, entries) : read_columns(text, t, entries);
}

/// Storage and rows of a matrix, `least` to `most` of these.
static RiStatus read_head(RiMeshText *text, const char *name, int least, int most, int *out_storage, Table *t)
{
    char field[64];
    snprintf(field, sizeof field, "the storage of %s (0 dense, 1 blocks, 2 sparse)", name);
    RI_TRY(read_int(text, field, STORAGE_DENSE, STORAGE_SPARSE, out_storage));
    snprintf(field, sizeof field, "number of rows of %s", name);
    return read_int(text, field, least, most, &t->rows);
}

/// What follows: columns and numbers.
static RiStatus read_body(RiMeshText *text, int storage, int columns, Table *t)
{
    char field[32];
    snprintf(field, sizeof field, "number of columns of %c", t->name);
    RI_TRY(read_int(text, field, columns, columns, &t->columns));
    const size_t left = (size_t)(text->end - text->next), count = (size_t)t->rows * (size_t)t->columns;
    if (count > UNSUSPICIOUS && left / 2 < (storage == STORAGE_DENSE ? count : (size_t)t->rows))
        return ri_mesh_text_error(text, "%c is %d x %d and needs more numbers than the file has bytes for", t->name,
                                  t->rows, t->columns);
    t->x = ri_alloc_zero(text->ctx, count, sizeof *t->x);
    if (!t->x)
        return ri_error_memory(text->ctx);
    return storage == STORAGE_DENSE    ? read_dense(text, t)
           : storage == STORAGE_BLOCKS ? read_blocks(text, t)
                                       : read_sparse(text, t);
}

// --- from a file's rows to three per contact -----------------------------------------------------

/// Row (or column) k of a problem with `dimension` rows per contact, among three per contact.
static size_t spread(int dimension, size_t k)
{
    const size_t d = (size_t)dimension;
    return k / d * 3 + k % d;
}

/// A plane problem has no second tangent: give it a velocity per reaction like that of the first,
/// coupled with nothing.
static void fill_plane(RiConeFile *f)
{
    const size_t n3 = 3 * (size_t)f->problem.n;
    for (size_t k = 2; k < n3 && f->dimension == 2; k += 3)
        f->W[k * n3 + k] = f->W[(k - 1) * n3 + k - 1];
}

static RiStatus read_vectors(RiMeshText *text, const char *name, RiConeFile *f)
{
    const size_t n = (size_t)f->problem.n;
    for (size_t k = 0; k < (size_t)f->dimension * n; k++) {
        double value;
        RI_TRY(read_number(text, name, k, &value));
        f->q[spread(f->dimension, k)] += value;
    }
    for (size_t k = 0; k < n; k++) {
        RI_TRY(read_number(text, "mu", k, &f->mu[k]));
        if (f->mu[k] < 0.0)
            return ri_mesh_text_error(text, "mu[%zu] is %g; friction is not negative", k, f->mu[k]);
    }
    if (ri_mesh_text_word_anywhere(text).size == 0)
        return RI_OK; // Siconos writes a flag behind the problem, other writers do not
    const RiWord more = ri_mesh_text_word_anywhere(text);
    return more.size == 0 ? RI_OK
                          : ri_mesh_text_error(text, "'%s' follows the end of the problem", ri_word_shown(more).text);
}

static RiStatus finish_local(RiMeshText *text, const Problem *p, RiConeFile *f)
{
    const size_t n3 = 3 * (size_t)p->contacts, m = (size_t)p->inner.rows;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            f->W[spread(p->dimension, i) * n3 + spread(p->dimension, j)] = p->inner.x[i * m + j];
    fill_plane(f);
    return read_vectors(text, "q", f);
}

/// out <- H^T M^-1 x: what a load x of the unknowns does to the contacts. x is overwritten.
static void respond(const Problem *p, const int *pivot, double *x, double *out, size_t stride)
{
    const size_t v = (size_t)p->inner.rows, m = (size_t)p->outer.columns;
    ri_lu_solve((int)v, p->inner.x, pivot, x);
    for (size_t a = 0; a < v; a++)
        for (size_t i = 0; i < m; i++)
            out[spread(p->dimension, i) * stride] += p->outer.x[a * m + i] * x[a];
}

/// W and H^T M^-1 f, with room for v numbers in x.
static RiStatus condense(RiMeshText *text, const Problem *p, int *pivot, double *x, RiConeFile *f)
{
    const size_t v = (size_t)p->inner.rows, m = (size_t)p->outer.columns, n3 = 3 * (size_t)p->contacts;
    if (!ri_lu_factor((int)v, p->inner.x, pivot))
        return ri_mesh_text_error(text, "M is singular; its unknowns have to be eliminated");
    for (size_t j = 0; j < m; j++) {
        for (size_t a = 0; a < v; a++)
            x[a] = p->outer.x[a * m + j];
        respond(p, pivot, x, f->W + spread(p->dimension, j), n3);
    }
    fill_plane(f);
    for (size_t a = 0; a < v; a++)
        RI_TRY(read_number(text, "f", a, &x[a]));
    respond(p, pivot, x, f->q, 1);
    return RI_OK;
}

static RiStatus finish_global(RiMeshText *text, const Problem *p, RiConeFile *f)
{
    const size_t v = (size_t)p->inner.rows;
    int *pivot = ri_alloc(text->ctx, v, sizeof *pivot);
    double *x = ri_alloc(text->ctx, v, sizeof *x);
    const RiStatus status = pivot && x ? condense(text, p, pivot, x, f) : ri_error_memory(text->ctx);
    ri_release(text->ctx, x);
    ri_release(text->ctx, pivot);
    return status == RI_OK ? read_vectors(text, "b", f) : status;
}

// --- the file ------------------------------------------------------------------------------------

/// Do storage, rows and columns of a matrix H follow?
static bool has_outer(RiMeshText *ahead, const Problem *p)
{
    const long long least[3] = {STORAGE_DENSE, p->inner.rows, (long long)p->dimension * p->contacts};
    const long long most[3] = {STORAGE_SPARSE, least[1], least[2]};
    long long value;
    for (int k = 0; k < 3; k++)
        if (!ri_word_integer(ri_mesh_text_word_anywhere(ahead), &value) || value < least[k] || value > most[k])
            return false;
    return true;
}

/// Is the matrix that was read M? It is if H follows and, where it could be W as well, more numbers
/// than q, mu and a flag.
static RiStatus check_global(const RiMeshText *text, const Problem *p, bool *out_global)
{
    const int m = p->dimension * p->contacts;
    RiMeshText ahead = *text;
    const bool outer = has_outer(&ahead, p);
    int words = 3;
    *out_global = outer;
    if (p->inner.rows != m && !outer)
        return ri_mesh_text_error(text,
                                  "the matrix is %d x %d; W of %d contacts in %d dimensions is %d x %d, and M would be "
                                  "followed by a matrix H of %d x %d",
                                  p->inner.rows, p->inner.rows, p->contacts, p->dimension, m, m, p->inner.rows, m);
    while (outer && words <= m + p->contacts + 1 && ri_mesh_text_word_anywhere(&ahead).size > 0)
        words++;
    if (p->inner.rows == m)
        *out_global = outer && words > m + p->contacts + 1;
    return RI_OK;
}

static RiStatus read_matrices(RiMeshText *text, size_t size, Problem *p, bool *out_global)
{
    int storage;
    *out_global = false;
    RI_TRY(read_int(text, "the dimension", 2, 3, &p->dimension));
    RI_TRY(read_int(text, "the number of contacts", 1, MOST_CONTACTS, &p->contacts));
    const int m = p->dimension * p->contacts;
    if (m > UNSUSPICIOUS / 100 && size / 2 < (size_t)(m + p->contacts))
        return ri_mesh_text_error(text, "%d contacts need more numbers than the file has bytes for", p->contacts);
    RI_TRY(read_head(text, "the matrix", 1, m > MOST_ELIMINATED ? m : MOST_ELIMINATED, &storage, &p->inner));
    p->inner.name = p->inner.rows == m ? 'W' : 'M';
    RI_TRY(read_body(text, storage, p->inner.rows, &p->inner));
    RI_TRY(check_global(text, p, out_global));
    if (!*out_global)
        return RI_OK;
    if (p->inner.rows > MOST_ELIMINATED)
        return ri_mesh_text_error(text, "M has %d rows; allowed are %d", p->inner.rows, MOST_ELIMINATED);
    p->outer.name = 'H';
    RI_TRY(read_head(text, "H", p->inner.rows, p->inner.rows, &storage, &p->outer));
    return read_body(text, storage, m, &p->outer);
}

RiStatus ri_cone_file_text(RiContext *ctx, const char *name, const char *data, size_t size, RiConeFile **out_file)
{
    RiMeshText text;
    Problem p = {0};
    RiConeFile *f = NULL;
    bool global;
    *out_file = NULL;
    if (size == 0)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: the file is empty; a problem begins with its dimension, 2 or 3", name);
    ri_mesh_text_init(&text, ctx, name, data, size);
    RiStatus status = read_matrices(&text, size, &p, &global);
    if (status == RI_OK)
        status = ri_cone_file_new(ctx, p.contacts, p.dimension, &f);
    if (status == RI_OK)
        status = global ? finish_global(&text, &p, f) : finish_local(&text, &p, f);
    ri_release(ctx, p.inner.x);
    ri_release(ctx, p.outer.x);
    if (status != RI_OK) {
        ri_cone_file_destroy(f);
        return status;
    }
    *out_file = f;
    return RI_OK;
}
