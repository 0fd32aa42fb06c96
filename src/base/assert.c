// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a failed RI_ASSERT does.
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

void ri_assert_failed(const char *file, int line, const char *function, const char *expression)
{
    fprintf(stderr, "%s:%d: %s: assertion failed: %s\n", file, line, function, expression);
    abort();
}
