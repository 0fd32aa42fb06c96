// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact problems in files: the object, which reader a file needs, and the writer of text.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rille/cone_file.h>

#include "base/memory.h"
#include "io/cone/cone_read.h"
#include "io/file/beside.h"
#include "io/file/file.h"

enum { MOST_BYTES = 1 << 30 };

// --- the object ----------------------------------------------------------------------------------

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

// --- reading -------------------------------------------------------------------------------------

RiStatus ri_cone_file_parse(RiContext *ctx, const char *name, const char *data, size_t size, RiConeFile **out_file)
{
    static const char hdf5[] = "\x89HDF\r\n\x1a\n";
    *out_file = NULL;
    return size >= 8 && memcmp(data, hdf5, 8) == 0 ? ri_cone_file_fclib(ctx, name, data, size, out_file)
                                                   : ri_cone_file_text(ctx, name, data, size, out_file);
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

// --- writing -------------------------------------------------------------------------------------

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
    RiBeside beside;
    char reason[128];
    FILE *out = ri_beside_stream(&beside, path);
    if (!out)
        return ri_error(ctx, RI_ERR_IO, "%s: %s", path, strerror_r(errno, reason, sizeof reason));
    write_problem(out, p);
    const int code = ri_beside_close(&beside, true);
    if (code == 0)
        return RI_OK;
    return ri_error(ctx, RI_ERR_IO, "%s: could not be written: %s", path, strerror_r(code, reason, sizeof reason));
}
