// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target of FMUs: any bytes are an archive whose entries can be read, or are refused; a
/// description of any bytes is read within its limits, or refused. Nothing is unpacked to files and
/// nothing is loaded.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/fmu/description.h"
#include "io/fmu/zip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void describe(RiContext *ctx, const char *text, size_t size)
{
    FmuDescription d;
    if (ri_fmu_describe(ctx, "fuzz", text, size, &d) == RI_OK) {
        if ((d.version != 2 && d.version != 3) || !d.identifier || strchr(d.identifier, '/') || d.count < 1)
            abort();
        for (int i = 0; i < d.count; i++)
            if (!d.variables[i].name || (d.variables[i].kind != FMU_OTHER && !(fabs(d.variables[i].factor) > 0.0)))
                abort();
    }
    ri_fmu_description_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiZip zip;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    describe(ctx, (const char *)data, size);
    if (ri_zip_open(ctx, "fuzz", data, size, &zip) == RI_OK) {
        for (int i = 0; i < zip.count && i < 16; i++) {
            unsigned char *bytes;
            size_t count;
            if (zip.entries[i].name[0] == '/' || strstr(zip.entries[i].name, "/../"))
                abort();
            if (zip.entries[i].size < (16 << 20) && ri_zip_read(&zip, i, &bytes, &count) == RI_OK) {
                describe(ctx, (const char *)bytes, count);
                ri_release(ctx, bytes);
            }
        }
        ri_zip_free(&zip);
    }
    ri_context_destroy(ctx);
    return 0;
}
