// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of methods, and what is asked of it: names for scene files, help and errors.
#include <stdio.h>
#include <string.h>

#include "sim/method/method.h"

#define ROW(name) &ri_method_##name,
static const RiMethodKind *const ri_methods[] = {RI_METHOD_LIST(ROW)};
#undef ROW
_Static_assert(sizeof ri_methods / sizeof *ri_methods == RI_METHOD_COUNT, "one row per RiMethod");

const RiMethodKind *ri_method_kind(RiMethod method)
{
    return ri_methods[method];
}

const RiMethodInfo *ri_method_info(RiMethod method)
{
    return (unsigned)method < RI_METHOD_COUNT ? &ri_methods[method]->info : NULL;
}

const char *ri_method_name(RiMethod method)
{
    const RiMethodInfo *info = ri_method_info(method);
    return info ? info->name : "unknown";
}

int ri_method_integrators(const char *out_names[RI_METHOD_COUNT], RiMethod out_methods[RI_METHOD_COUNT])
{
    int count = 0;
    for (int i = 0; i < RI_METHOD_COUNT; i++) {
        if (!ri_methods[i]->info.dynamics)
            continue;
        out_names[count] = ri_methods[i]->info.name;
        out_methods[count++] = (RiMethod)i;
    }
    return count;
}

RiStatus ri_method_check(RiContext *ctx, const RiSimOptions *o)
{
    if ((unsigned)o->method >= RI_METHOD_COUNT)
        return ri_error(ctx, RI_ERR_ARGUMENT, "unknown integrator %d", (int)o->method);
    for (int i = 0; i < RI_METHOD_COUNT; i++)
        if (ri_methods[i]->check)
            RI_TRY(ri_methods[i]->check(ctx, o));
    return RI_OK;
}

/// Writes the names of the methods that offer all that is needed: "implicit, semi-implicit or
/// moreau".
static void list_methods(unsigned needs, char *out, size_t size)
{
    int fit[RI_METHOD_COUNT], count = 0;
    for (int i = 0; i < RI_METHOD_COUNT; i++)
        if (ri_methods[i]->info.dynamics && (ri_methods[i]->offers & needs) == needs)
            fit[count++] = i;
    size_t n = 0;
    out[0] = '\0';
    for (int i = 0; i < count && n < size; i++) {
        const char *gap = i == 0 ? "" : i == count - 1 ? " or " : ", ";
        n += (size_t)snprintf(out + n, size - n, "%s%s", gap, ri_methods[fit[i]]->info.name);
    }
}

RiStatus ri_method_require(RiContext *ctx, RiMethod method, unsigned needs, const char *who, const char *or_else)
{
    if ((ri_methods[method]->offers & needs) == needs)
        return RI_OK;
    char fit[200];
    list_methods(needs, fit, sizeof fit);
    return ri_error(ctx, RI_ERR_ARGUMENT, "integrator %s: %s need integrator %s; %s", ri_methods[method]->info.name,
                    who, fit, or_else);
}
