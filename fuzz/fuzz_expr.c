// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: expressions. A result is finite; an error names a column within the text and says why.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Every one-letter name is known: lower case plain, upper case a length.
static RiStatus lookup(void *user, const char *name, size_t size, RiQuantity *out_value)
{
    (void)user;
    if (size != 1)
        return RI_ERR_NOT_FOUND;
    *out_value = (RiQuantity){.value = name[0] - 'm', .dim = {{name[0] < 'a'}}};
    return RI_OK;
}

static void check(RiStatus status, const RiQuantity *value, const RiExprError *error, size_t size)
{
    if (status == RI_OK ? !isfinite(value->value) : error->column < 1 || error->column > (int)size + 1)
        abort();
    if (status != RI_OK && !error->text[0])
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const RiExprScope scope = {.lookup = lookup};
    const char *text = (const char *)data;
    RiQuantity value;
    RiExprError error;
    check(ri_expr_eval(text, size, &scope, &value, &error), &value, &error, size);
    check(ri_quantity_parse(text, size, &value, &error), &value, &error, size);
    check(ri_unit_parse(text, size, &value, &error), &value, &error, size);
    double number;
    if (ri_number_parse(text, size, &number) && !isfinite(number))
        abort();
    return 0;
}
