// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: any bytes as a URDF file. The loader must return, leak nothing, and either give a
/// spec or a message that names the file.
#include <rille/robot.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "drive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiReport *report;
    RiSpec *spec;
    if (ri_context_create(NULL, &ctx) != RI_OK || ri_report_create(ctx, &report) != RI_OK)
        abort();
    RiLoadOptions options = ri_load_options_default();
    options.report = report;
    const RiStatus status = ri_urdf_parse(ctx, "fuzz.urdf", (const char *)data, size, &options, &spec);
    if ((status == RI_OK) != (spec != NULL))
        abort();
    // An included file is named in its own messages.
    if (status != RI_OK && strncmp(ri_context_message(ctx), "fuzz.urdf:", 10) != 0 &&
        !memmem(data, size, "xacro:include", 13) && !memmem(data, size, "load_yaml", 9))
        abort();
    if (spec)
        drive_spec(ctx, spec);
    ri_spec_destroy(spec);
    ri_report_destroy(report);
    ri_context_destroy(ctx);
    return 0;
}
