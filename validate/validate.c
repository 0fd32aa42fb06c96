// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of cases, and how a figure becomes a verdict.
#include "validate/validate.h"

#include <math.h>
#include <string.h>

enum { QUICK = false, SLOW = true };

static const RiValidateCase cases[] = {
#define RI_CASE(name, speed, seconds, summary, source) {#name, summary, source, speed, seconds, ri_case_##name},
#include "validate/cases.def"
#undef RI_CASE
};

const char *ri_verdict_name(RiVerdict verdict)
{
    static const char *const names[] = {"pass", "fail", "skipped"};
    return names[verdict];
}

const char *ri_row_use_name(RiRowUse use)
{
    static const char *const names[] = {"check", "fit"};
    return names[use];
}

int ri_validate_count(void)
{
    return (int)(sizeof cases / sizeof *cases);
}

const RiValidateCase *ri_validate_get(int index)
{
    return &cases[index];
}

const RiValidateCase *ri_validate_find(const char *name)
{
    for (int i = 0; i < ri_validate_count(); i++)
        if (strcmp(cases[i].name, name) == 0)
            return &cases[i];
    return NULL;
}

/// Fills in what all rows of the case share, counts the verdict and passes the row on.
static void hand_in(RiValidation *run, RiRow row)
{
    row.case_name = run->current->name;
    row.source = run->current->source;
    run->passed += row.verdict == RI_VERDICT_PASS;
    run->failed += row.verdict == RI_VERDICT_FAIL;
    run->skipped += row.verdict == RI_VERDICT_SKIPPED;
    if (run->sink)
        run->sink(run->user, &row);
}

static void hand_in_band(RiValidation *run, const char *quantity, const char *unit, double published, double low,
                         double high, double ours, RiRowUse use)
{
    const bool inside = ours >= low && ours <= high; // a NaN is not
    hand_in(run, (RiRow){.quantity = quantity,
                         .unit = unit,
                         .published = published,
                         .low = low,
                         .high = high,
                         .ours = ours,
                         .verdict = inside ? RI_VERDICT_PASS : RI_VERDICT_FAIL,
                         .use = use});
}

void ri_validate_between(RiValidation *run, const char *quantity, const char *unit, double published, double low,
                         double high, double ours)
{
    hand_in_band(run, quantity, unit, published, low, high, ours, RI_USE_CHECK);
}

void ri_validate_fit(RiValidation *run, const char *quantity, const char *unit, double published, double low,
                     double high, double ours)
{
    hand_in_band(run, quantity, unit, published, low, high, ours, RI_USE_FIT);
}

void ri_validate_near(RiValidation *run, const char *quantity, const char *unit, double published, double band,
                      double ours)
{
    ri_validate_between(run, quantity, unit, published, published - band, published + band, ours);
}

void ri_validate_most(RiValidation *run, const char *quantity, const char *unit, double most, double ours)
{
    const bool inside = ours >= 0.0 && ours <= most; // a NaN is not
    hand_in(run, (RiRow){.quantity = quantity,
                         .unit = unit,
                         .published = 0.0,
                         .low = 0.0,
                         .high = most,
                         .ours = ours,
                         .is_bound = true,
                         .verdict = inside ? RI_VERDICT_PASS : RI_VERDICT_FAIL});
}

void ri_validate_skip(RiValidation *run, const char *quantity)
{
    hand_in(run, (RiRow){.quantity = quantity,
                         .unit = "",
                         .published = NAN,
                         .low = NAN,
                         .high = NAN,
                         .ours = NAN,
                         .verdict = RI_VERDICT_SKIPPED});
}

RiStatus ri_validate_run(RiValidation *run, const RiValidateCase *the_case)
{
    run->current = the_case;
    if (run->quick && the_case->slow) {
        ri_validate_skip(run, "left out of the quick subset");
        return RI_OK;
    }
    const RiStatus status = the_case->run(run);
    if (status == RI_OK || status == RI_ERR_MEMORY)
        return status;
    hand_in(run, (RiRow){.quantity = ri_context_message(run->ctx),
                         .unit = "",
                         .published = NAN,
                         .low = NAN,
                         .high = NAN,
                         .ours = NAN,
                         .verdict = RI_VERDICT_FAIL});
    return RI_OK;
}
