// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: robot templates. The text has no path, so `extends` is refused and no file is read.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <rille/robot.h>

#include "drive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    RiSpec *spec;
    const RiStatus status = ri_template_parse(ctx, NULL, (const char *)data, size, NULL, &spec);
    if ((status == RI_OK) != (spec != NULL) || (status != RI_OK && !ri_context_message(ctx)[0]))
        abort();
    if (spec)
        drive_spec(ctx, spec);
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
    return 0;
}
