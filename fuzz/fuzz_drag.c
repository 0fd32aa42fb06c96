// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: any bytes as a table of drag tests, and what can be read of them fitted.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rille/study/fit_screw.h>

#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiDragTest *tests = NULL;
    RiScrewFit fit;
    int count;
    char *text = malloc(size + 1);
    if (!text || ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    if (ri_drag_tests_parse(ctx, "fuzz.csv", text, size, &tests, &count) == RI_OK)
        (void)!ri_screw_fit(ctx, tests, count, true, &fit);
    if (tests)
        ri_release(ctx, tests);
    ri_context_destroy(ctx);
    free(text);
    return 0;
}
