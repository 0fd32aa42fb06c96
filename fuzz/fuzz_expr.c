// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: expressions. A result is finite; an error names a column within the text and says
/// why. What can be translated gives what it gives when it is evaluated.
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

static int refer(void *user, const char *name, size_t size)
{
    (void)user;
    (void)size;
    return (unsigned char)name[0];
}

static double read_name(const void *user, int index)
{
    (void)user;
    return (char)index - 'm';
}

static void check_translation(const char *text, size_t size, RiStatus evaluated, double value)
{
    static RiExprStep steps[RI_EXPR_STEPS_PER_BYTE * RI_EXPR_LENGTH + RI_EXPR_STEPS_MORE];
    const RiExprScope scope = {.lookup = lookup, .refer = refer};
    RiExprError error;
    RiDim dim;
    int count;
    double x;
    const size_t most = size > RI_EXPR_LENGTH ? RI_EXPR_LENGTH : size;
    const int room = RI_EXPR_STEPS_PER_BYTE * (int)most + RI_EXPR_STEPS_MORE;
    const RiStatus status = ri_expr_compile(text, size, &scope, steps, room, &count, &dim, &error);
    if (status == RI_ERR_LIMIT && evaluated == RI_OK)
        abort(); // there is always room; what evaluation stopped at, translation may pass and nest too deep
    if (status != RI_OK)
        return;
    const RiStatus ran = ri_expr_run(steps, count, read_name, NULL, &x, &error);
    if (ran != evaluated || (ran == RI_OK && x != value))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const RiExprScope scope = {.lookup = lookup};
    const char *text = (const char *)data;
    RiQuantity value;
    RiExprError error;
    const RiStatus status = ri_expr_eval(text, size, &scope, &value, &error);
    check(status, &value, &error, size);
    check_translation(text, size, status, value.value);
    check(ri_quantity_parse(text, size, &value, &error), &value, &error, size);
    check(ri_unit_parse(text, size, &value, &error), &value, &error, size);
    double number;
    if (ri_number_parse(text, size, &number) && !isfinite(number))
        abort();
    return 0;
}
