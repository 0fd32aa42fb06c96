// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target of the readers of contact problems, text and HDF5. What is accepted must be a valid
/// problem, and solving a small one must end.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <rille/cone_file.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SMALL = 12 };

static void solve(RiContext *ctx, const RiConeProblem *p)
{
    double r[3 * SMALL] = {0}, u[3 * SMALL];
    RiConeOptions options = ri_cone_options_default();
    RiConeSolver *solver;
    RiConeResult result;
    options.max_iterations = 200;
    if (ri_cone_solver_create(ctx, p->n, 0, &solver) != RI_OK)
        return;
    ri_cone_solve(solver, p, &options, r, u, &result);
    if (result.end != RI_CONE_SOLVED && result.reason[0] == '\0')
        abort();
    ri_cone_solver_destroy(solver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiConeFile *file;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 0;
    if (ri_cone_file_parse(ctx, "fuzz", (const char *)data, size, &file) == RI_OK) {
        const RiConeProblem *p = ri_cone_file_problem(file);
        if (p->n < 1)
            abort();
        if (p->n <= SMALL)
            solve(ctx, p);
    } else if (file || ri_context_message(ctx)[0] == '\0') {
        abort();
    }
    ri_cone_file_destroy(file);
    ri_context_destroy(ctx);
    return 0;
}
