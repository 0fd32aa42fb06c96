// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: any bytes as a table of single-wheel tests.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rille/study/fit_soil.h>

#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiWheelTest *tests = NULL;
    int count;
    char *text = malloc(size + 1);
    if (!text || ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    if (ri_wheel_tests_parse(ctx, "fuzz.csv", text, size, &tests, &count) == RI_OK)
        for (int i = 0; i < count; i++)
            if (!(tests[i].load > 0.0 && tests[i].slip >= -1.0 && tests[i].slip <= 1.0 && tests[i].sinkage >= 0.0))
                abort();
    if (tests)
        ri_release(ctx, tests);
    ri_context_destroy(ctx);
    free(text);
    return 0;
}
