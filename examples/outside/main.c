// SPDX-License-Identifier: Apache-2.0
/// \file
/// A program outside the source tree that uses an installed Rille: loads a robot and says how heavy
/// it is.
#include <stdio.h>
#include <stdlib.h>

#include <rille/rille.h>

/// Loads a robot and prints its size.
static RiStatus describe(RiContext *ctx, const char *path)
{
    RiSpec *spec = NULL;
    RiModel *model = NULL;
    RI_TRY(ri_urdf_load(ctx, path, NULL, &spec));
    const RiStatus status = ri_model_create(ctx, spec, NULL, &model);
    if (status == RI_OK)
        printf("%s: %d degrees of freedom, %.1f kg (rille %s)\n", ri_model_name(model), ri_model_nv(model),
               ri_model_mass(model), ri_version());
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    return status;
}

int main(int argc, char **argv)
{
    RiContext *ctx;
    if (argc != 2) {
        fprintf(stderr, "usage: outside ROBOT.urdf\n");
        return EXIT_FAILURE;
    }
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const RiStatus status = describe(ctx, argv[1]);
    if (status != RI_OK)
        fprintf(stderr, "%s\n", ri_context_message(ctx));
    ri_context_destroy(ctx);
    return status == RI_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
