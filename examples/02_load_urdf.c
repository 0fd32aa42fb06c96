// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loading a robot: what the loader says about the file, and the motor torques that hold the robot
/// still.
///
///     02_load_urdf [FILE.urdf]        (default: robots/arm.urdf)
#include "example.h"

static void print_report(const RiReport *report)
{
    for (int i = 0; i < ri_report_count(report); i++) {
        const RiFinding *f = ri_report_get(report, i);
        printf("%s:%d: %s: %s\n", f->file ? f->file : "-", f->line, ri_finding_kind_name(f->kind), f->text);
    }
}

int main(int argc, char **argv)
{
    RiContext *ctx;
    RiReport *report;
    RiSpec *spec;
    RiModel *model;
    RiDyn *dyn;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    MUST(ctx, ri_report_create(ctx, &report));

    RiLoadOptions options = ri_load_options_default();
    options.report = report;
    MUST(ctx, ri_urdf_load(ctx, argc > 1 ? argv[1] : "robots/arm.urdf", &options, &spec));
    MUST(ctx, ri_model_create(ctx, spec, NULL, &model));
    MUST(ctx, ri_dyn_create(ctx, model, &dyn));
    print_report(report);

    // Inverse dynamics at rest: the efforts that hold the robot in its initial position.
    const int nq = ri_model_nq(model), nv = ri_model_nv(model);
    double *q = calloc((size_t)(nq + 3 * nv), sizeof *q), *v = q + nq, *tau = v + nv, *a = tau + nv;
    if (!q)
        return EXIT_FAILURE;
    ri_model_get_initial_q(model, q);
    MUST(ctx, ri_inverse_dynamics(dyn, q, v, NULL, tau));
    printf("\nto hold '%s' still (%.3g kg):\n", ri_model_name(model), ri_model_mass(model));
    for (int i = 0; i < nv; i++)
        printf("  %-20s %10.4f\n", ri_model_v_name(model, i), tau[i]);

    // With these efforts, nothing accelerates.
    MUST(ctx, ri_forward_dynamics(dyn, q, v, tau, a));
    for (int i = 0; i < nv; i++)
        EXPECT_CLOSE(a[i], 0.0, 1e-10);

    free(q);
    ri_dyn_destroy(dyn);
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    ri_report_destroy(report);
    ri_context_destroy(ctx);
    return EXIT_SUCCESS;
}
