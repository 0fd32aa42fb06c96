// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact problems as text: the format of Siconos' frictionContact_printInFile.
///
///     dimension  contacts  storage
///     dense (storage 0):   rows  columns  rows columns  numbers of the matrix, row by row
///     blocks (storage 1):  rows  columns  nbblocks  blockrows  blockcolumns
///                          ends of block rows  ends of block columns
///                          filled1  filled2  starts of rows (filled1)  columns of blocks (filled2)
///                          for each block: its number, then its entries column by column
///     q  mu  [flag]
///
/// Numbers are separated by white space; where lines end does not matter.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rille/cone_file.h>

#include "base/memory.h"
#include "io/cone_read.h"
#include "io/file.h"
#include "io/mesh_text.h"

/// Contacts a file may have, and bytes.
enum { MOST_CONTACTS = 4000, MOST_BYTES = 1 << 30 };

// --- the object ----------------------------------------------------------------------------------------------------

RiStatus ri_cone_file_new(RiContext *ctx, int contacts, int dimension, RiConeFile **out_file)
{
    const size_t n = (size_t)contacts;
    RiConeFile *f = ri_alloc_zero(ctx, 1, sizeof *f);
    *out_file = NULL;
    if (!f)
        return ri_error_memory(ctx);
    f->ctx = ctx;
    f->dimension = dimension;
    f->W = ri_alloc_zero(ctx, 9 * n * n + 4 * n, sizeof *f->W);
    if (!f->W) {
        ri_release(ctx, f);
        return ri_error_memory(ctx);
    }
    f->q = f->W + 9 * n * n;
    f->mu = f->q + 3 * n;
    f->problem = (RiConeProblem){.n = contacts, .W = f->W, .q = f->q, .mu = f->mu};
    *out_file = f;
    return RI_OK;
}

void ri_cone_file_destroy(RiConeFile *f)
{
    if (!f)
        return;
    ri_release(f->ctx, f->W);
    ri_release(f->ctx, f);
}

const RiConeProblem *ri_cone_file_problem(const RiConeFile *f)
{
    return &f->problem;
}

int ri_cone_file_dimension(const RiConeFile *f)
{
    return f->dimension;
}

/// Row (or column) k of a problem with `dimension` rows per contact, among three per contact.
static size_t spread(int dimension, size_t k)
{
    const size_t d = (size_t)dimension;
    return k / d * 3 + k % d;
}

/// A plane problem has no second tangent: give it a velocity per reaction like that of the first, coupled with nothing.
static void fill_plane(RiConeFile *f)
{
    const size_t n3 = 3 * (size_t)f->problem.n;
    for (size_t k = 2; k < n3 && f->dimension == 2; k += 3)
        f->W[k * n3 + k] = f->W[(k - 1) * n3 + k - 1];
}

// --- reading -------------------------------------------------------------------------------------------------------

static RiStatus read_int(RiMeshText *text, const char *field, long long least, long long most, int *out)
{
    const RiWord word = ri_mesh_text_word_anywhere(text);
    long long value;
    *out = 0;
    if (word.size == 0)
        return ri_mesh_text_error(text, "the file ends where %s should be", field);
    if (!ri_word_integer(word, &value))
        return ri_mesh_text_error(text, "%s is '%s', which is not a whole number", field, ri_word_shown(word).text);
    if (value < least || value > most)
        return ri_mesh_text_error(text, "%s is %lld; allowed is %lld to %lld", field, value, least, most);
    *out = (int)value;
    return RI_OK;
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

static RiStatus read_dense(RiMeshText *text, RiConeFile *f, int size)
{
    const size_t n3 = 3 * (size_t)f->problem.n, m = (size_t)size;
    int unused;
    RI_TRY(read_int(text, "number of rows before the matrix", size, size, &unused));
    RI_TRY(read_int(text, "number of columns before the matrix", size, size, &unused));
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            RI_TRY(read_number(text, "W", i * m + j, &f->W[spread(f->dimension, i) * n3 + spread(f->dimension, j)]));
    return RI_OK;
}

static RiStatus read_ends(RiMeshText *text, const char *field, int count, int dimension)
{
    int unused;
    for (int k = 1; k <= count; k++)
        RI_TRY(read_int(text, field, (long long)k * dimension, (long long)k * dimension, &unused));
    return RI_OK;
}

static RiStatus read_block(RiMeshText *text, RiConeFile *f, int i, int j, int number)
{
    const size_t n3 = 3 * (size_t)f->problem.n;
    const int d = f->dimension;
    int unused;
    RI_TRY(read_int(text, "number of a block", number, number, &unused));
    for (int c = 0; c < d; c++)
        for (int k = 0; k < d; k++)
            RI_TRY(read_number(text, "block", (size_t)(number * d * d + c * d + k),
                               &f->W[(3 * (size_t)i + (size_t)k) * n3 + 3 * (size_t)j + (size_t)c]));
    return RI_OK;
}

static RiStatus read_pattern(RiMeshText *text, int n, int blocks, int *start, int *column)
{
    int filled;
    RI_TRY(read_int(text, "filled1", n + 1, n + 1, &filled));
    RI_TRY(read_int(text, "filled2", blocks, blocks, &filled));
    for (int i = 0; i <= n; i++)
        RI_TRY(read_int(text, "start of a block row", i == 0 ? 0 : start[i - 1], i == 0 ? 0 : blocks, &start[i]));
    if (start[n] != blocks)
        return ri_mesh_text_error(text, "the last block row ends at %d; there are %d blocks", start[n], blocks);
    for (int b = 0; b < blocks; b++)
        RI_TRY(read_int(text, "column of a block", 0, n - 1, &column[b]));
    return RI_OK;
}

static RiStatus read_blocks(RiMeshText *text, RiConeFile *f)
{
    const int n = f->problem.n;
    int blocks, unused;
    RI_TRY(read_int(text, "number of blocks", 0, (long long)n * n, &blocks));
    RI_TRY(read_int(text, "number of block rows", n, n, &unused));
    RI_TRY(read_int(text, "number of block columns", n, n, &unused));
    RI_TRY(read_ends(text, "end of a block row", n, f->dimension));
    RI_TRY(read_ends(text, "end of a block column", n, f->dimension));
    int *start = ri_alloc(text->ctx, (size_t)n + 1 + (size_t)blocks, sizeof *start);
    if (!start)
        return ri_error_memory(text->ctx);
    int *column = start + n + 1;
    RiStatus status = read_pattern(text, n, blocks, start, column);
    for (int i = 0; i < n && status == RI_OK; i++)
        for (int b = start[i]; b < start[i + 1] && status == RI_OK; b++)
            status = read_block(text, f, i, column[b], b);
    ri_release(text->ctx, start);
    return status;
}

static RiStatus read_vectors(RiMeshText *text, RiConeFile *f)
{
    const size_t n = (size_t)f->problem.n;
    for (size_t k = 0; k < (size_t)f->dimension * n; k++)
        RI_TRY(read_number(text, "q", k, &f->q[spread(f->dimension, k)]));
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

static RiStatus read_matrix(RiMeshText *text, RiConeFile *f, int storage)
{
    const int size = f->dimension * f->problem.n;
    int unused;
    RI_TRY(read_int(text, "number of rows", size, size, &unused));
    RI_TRY(read_int(text, "number of columns", size, size, &unused));
    RI_TRY(storage == 0 ? read_dense(text, f, size) : read_blocks(text, f));
    fill_plane(f);
    return RI_OK;
}

static RiStatus parse_text(RiContext *ctx, const char *name, const char *data, size_t size, RiConeFile **out_file)
{
    RiMeshText text;
    int dimension, n, storage;
    *out_file = NULL;
    ri_mesh_text_init(&text, ctx, name, data, size);
    RI_TRY(read_int(&text, "the dimension", 2, 3, &dimension));
    RI_TRY(read_int(&text, "the number of contacts", 1, MOST_CONTACTS, &n));
    RI_TRY(read_int(&text, "the storage (0 dense, 1 blocks)", 0, 1, &storage));
    if (storage == 0 && size / 2 < (size_t)(dimension * n) * (size_t)(dimension * n))
        return ri_mesh_text_error(&text, "%d contacts need more numbers than the file has bytes for", n);
    RiConeFile *f;
    RI_TRY(ri_cone_file_new(ctx, n, dimension, &f));
    RiStatus status = read_matrix(&text, f, storage);
    if (status == RI_OK)
        status = read_vectors(&text, f);
    if (status != RI_OK) {
        ri_cone_file_destroy(f);
        return status;
    }
    *out_file = f;
    return RI_OK;
}

RiStatus ri_cone_file_parse(RiContext *ctx, const char *name, const char *data, size_t size, RiConeFile **out_file)
{
    static const char hdf5[] = "\x89HDF\r\n\x1a\n";
    *out_file = NULL;
    return size >= 8 && memcmp(data, hdf5, 8) == 0 ? ri_cone_file_fclib(ctx, name, data, size, out_file)
                                                   : parse_text(ctx, name, data, size, out_file);
}

RiStatus ri_cone_file_load(RiContext *ctx, const char *path, RiConeFile **out_file)
{
    char *data;
    size_t size;
    *out_file = NULL;
    RI_TRY(ri_file_read(ctx, path, MOST_BYTES, &data, &size));
    const RiStatus status = ri_cone_file_parse(ctx, path, data, size, out_file);
    ri_release(ctx, data);
    return status;
}

// --- writing -------------------------------------------------------------------------------------------------------

/// Factor of row or column k in the coordinates in which the cones are round.
static double round_factor(const RiConeProblem *p, int k, bool column)
{
    return k % 3 == 2 && p->across && (column || p->flow == RI_CONE_ASSOCIATED) ? p->across[k / 3] : 1.0;
}

static void write_problem(FILE *out, const RiConeProblem *p)
{
    double block[9];
    fprintf(out, "3\n%d\n0\n%d\n%d\n%d\t%d\n", p->n, 3 * p->n, 3 * p->n, 3 * p->n, 3 * p->n);
    for (int i = 0; i < 3 * p->n; i++) {
        for (int j = 0; j < p->n; j++) {
            ri_cone_block(p, i / 3, j, block);
            for (int k = 0; k < 3; k++)
                fprintf(out, "%.17g ",
                        block[3 * (i % 3) + k] * round_factor(p, i, false) * round_factor(p, 3 * j + k, true));
        }
        fputc('\n', out);
    }
    for (int i = 0; i < 3 * p->n; i++)
        fprintf(out, "%.17g ", p->q[i] * round_factor(p, i, false));
    fputc('\n', out);
    for (int i = 0; i < p->n; i++)
        fprintf(out, "%.17g ", p->mu[i]);
    fputs("\n0\n", out);
}

RiStatus ri_cone_file_save(RiContext *ctx, const char *path, const RiConeProblem *p)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return ri_error(ctx, RI_ERR_IO, "%s: %s", path, strerror(errno));
    write_problem(out, p);
    const bool bad = ferror(out) != 0;
    if (fclose(out) != 0 || bad)
        return ri_error(ctx, RI_ERR_IO, "%s: could not be written: %s", path, strerror(errno));
    return RI_OK;
}
