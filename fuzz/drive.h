// SPDX-License-Identifier: Apache-2.0
/// \file
/// Takes a spec that a loader accepted through the rest of the core: check, model, dynamics.
/// Whatever the numbers, it must end with a status, never with a crash.
#ifndef RI_FUZZ_DRIVE_H
#define RI_FUZZ_DRIVE_H

#include <stdlib.h>

#include <rille/dynamics.h>

static inline void drive_dynamics(RiContext *ctx, const RiModel *m)
{
    RiDyn *d;
    if (ri_dyn_create(ctx, m, &d) != RI_OK)
        return;
    const size_t nq = (size_t)ri_model_nq(m), nv = (size_t)ri_model_nv(m);
    double *x = calloc(nq + 3 * nv + 1, sizeof *x), *v = x + nq, *a = v + nv, *tau = a + nv;
    if (!x)
        abort();
    ri_model_get_initial_q(m, x);
    for (size_t i = 0; i < nv; i++)
        v[i] = 0.1;
    if (ri_forward_dynamics(d, x, v, NULL, a) == RI_OK && ri_dyn_update_wrenches(d, NULL) == RI_OK)
        ri_dyn_inverse(d, a, tau);
    free(x);
    ri_dyn_destroy(d);
}

static inline void drive_spec(RiContext *ctx, const RiSpec *spec)
{
    if (spec->link_count > 400)
        return;
    RiReport *report;
    RiModel *m;
    if (ri_report_create(ctx, &report) != RI_OK)
        abort();
    if (ri_spec_check(spec, report) != RI_OK)
        abort();
    for (int reduce = 0; reduce < 2; reduce++) {
        RiModelOptions options = ri_model_options_default();
        options.reduce = reduce == 1;
        options.report = report;
        if (ri_model_create(ctx, spec, &options, &m) == RI_OK) {
            drive_dynamics(ctx, m);
            ri_model_destroy(m);
        } else if (m || !ri_context_message(ctx)[0]) {
            abort();
        }
    }
    ri_report_destroy(report);
}

#endif
