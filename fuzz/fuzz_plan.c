// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: plans. The text has no path, so no scene is read; what is accepted has activities.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <rille/plan.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiPlan *plan;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    const RiStatus status = ri_plan_parse(ctx, NULL, (const char *)data, size, &plan);
    if ((status == RI_OK) != (plan != NULL) || (status != RI_OK && !ri_context_message(ctx)[0]))
        abort();
    if (plan && ri_plan_activity_count(plan) < 1)
        abort();
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
    return 0;
}
