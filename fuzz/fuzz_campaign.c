// SPDX-License-Identifier: Apache-2.0
// Campaign files: any text is a plan or refused with a message; a plan's samples are finite and
// inside of what it says.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <rille/study/plan.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiCampaignPlan *plan;
    RiSample samples[RI_DESIGN_DIMENSIONS];
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    const RiStatus status = ri_campaign_parse(ctx, "fuzz", (const char *)data, size, &plan);
    if ((status == RI_OK) != (plan != NULL) || (status != RI_OK && !ri_context_message(ctx)[0]))
        abort();
    for (int k = 0; plan && k < 5 && k < plan->runs; k++) {
        ri_campaign_sample(plan, k, samples);
        for (int i = 0; i < plan->design.dimensions; i++)
            if (!(samples[i].u >= 0.0 && samples[i].u <= 1.0) || !samples[i].value)
                abort();
    }
    ri_campaign_destroy(plan);
    ri_context_destroy(ctx);
    return 0;
}
