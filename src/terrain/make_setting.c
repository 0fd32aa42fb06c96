// SPDX-License-Identifier: Apache-2.0
/// \file
/// Settings of generated terrain as text: what people write, and what they are shown.
#include <rille/synthesis.h>

#include <stdio.h>
#include <string.h>

#include "base/expr.h"

void ri_make_value_text(const RiMakeParam *p, double value, char out[48])
{
    RiQuantity unit = {.value = 1.0};
    RiExprError error;
    if (*p->unit && ri_unit_parse(p->unit, strlen(p->unit), &unit, &error) != RI_OK)
        unit.value = 1.0;
    snprintf(out, 48, "%.4g%s%s", value / unit.value, *p->unit ? " " : "", p->unit);
}

static RiStatus parse_choice(RiContext *ctx, const RiMakeKind *kind, const RiMakeParam *p, const char *text,
                             double *out)
{
    const int index = ri_make_choice_find(p->choices, text);
    *out = index;
    if (index < 0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s is '%s', allowed are %s", kind->name, p->name, text, p->choices);
    return RI_OK;
}

RiStatus ri_make_setting_parse(RiContext *ctx, const RiMakeKind *kind, const RiMakeParam *p, const char *text,
                               double *out_value)
{
    RiExprError error;
    RiQuantity got, unit = {.value = 1.0};
    if (p->choices)
        return parse_choice(ctx, kind, p, text, out_value);
    if (ri_expr_eval(text, strlen(text), NULL, &got, &error) != RI_OK)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s=%s: column %d: %s", kind->name, p->name, text, error.column,
                        error.text);
    if (*p->unit && ri_unit_parse(p->unit, strlen(p->unit), &unit, &error) != RI_OK)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s", kind->name, error.text);
    char want[64], is[64];
    if (!ri_dim_fits(got.dim, unit.dim))
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s=%s: expected %s (%s), not %s", kind->name, p->name, text,
                        ri_dim_text(unit.dim, want, sizeof want), p->unit, ri_dim_text(got.dim, is, sizeof is));
    // A bare number is SI everywhere; for an angle nearly everybody means degrees, so it must be
    // said.
    if (unit.dim.e[RI_DIM_ANGLE] && ri_dim_is_plain(got.dim) && got.value != 0.0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s=%s: an angle needs its unit: '%s deg' or '%s rad'", kind->name,
                        p->name, text, text, text);
    *out_value = got.value;
    return RI_OK;
}
