// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tuning to the tilt table as the paper did it: a coarse sweep of every parameter over a list of
/// values, a fine one about what came out, and then a derivative-free optimiser on top. Runs of all
/// evaluations have the same seeds, so scores differ by parameters alone.
///
/// The score compares the ends of the slip range at each slope with FIDO's; the individual runs are
/// not public, ranges are all there is. With l and h the logarithms of both ends over the published
/// ones,
///
///     score = sum over slopes of  w (l^2 + h^2) + 4 miss^2
///
/// Up to 10 degrees `miss` is how far an end lies beyond FIDO's range less 5 % (half of the runs
/// see less of the ends than all do) and w is small; at 20 degrees, where the range shall be
/// covered, it is what is missing of 10 to 50 % with 5 % to spare.
#include <math.h>
#include <string.h>

#include <rille/study/tilt_table.h>

#include "base/functions.h"
#include "base/memory.h"

double ri_tilt_score(const RiTiltCampaign *c)
{
    const double spare = ri_log(1.05), covered_low = ri_log(10.0), covered_high = ri_log(50.0);
    double score = 0.0;
    for (int slope = 0; slope < RI_TILT_SLOPES; slope++) {
        const RiTiltRange r = ri_tilt_slip(c, slope, 1), fido = ri_tilt_fido(slope);
        const bool steep = slope == RI_TILT_SLOPES - 1;
        if (isnan(r.low)) // not run
            continue;
        const double low = ri_log(r.low / fido.low), high = ri_log(r.high / fido.high), w = steep ? 0.125 : 0.01;
        double miss_low = fmin(0.0, low - spare), miss_high = fmax(0.0, high + spare);
        if (steep) {
            miss_low = fmax(0.0, ri_log(r.low) - covered_low + spare);
            miss_high = fmin(0.0, ri_log(r.high) - covered_high - spare);
        }
        score += w * (low * low + high * high) + 4.0 * (miss_low * miss_low + miss_high * miss_high);
    }
    return score;
}

/// Mean end of a test's runs in the tuned half; false: none was made.
static bool mean_end(const RiTiltCampaign *c, int test, RiTiltEnd *out)
{
    int count = 0;
    *out = (RiTiltEnd){.ahead = 0.0};
    for (int i = 0; i < c->run_count; i++) {
        const RiTiltRun *r = &c->runs[i];
        if (r->test != test || !r->made || !r->tuned)
            continue;
        out->ahead += r->ahead;
        out->aside += r->aside;
        out->heading += r->heading;
        count++;
    }
    out->ahead /= count > 0 ? count : 1;
    out->aside /= count > 0 ? count : 1;
    out->heading /= count > 0 ? count : 1;
    return count > 0;
}

double ri_tilt_score_ends(const RiTiltCampaign *c, const RiTiltEnd *ends, int count)
{
    double sum = 0.0;
    int tests = 0;
    for (int t = 0; t < c->test_count; t++) {
        RiTiltEnd mean, want = {.ahead = 0.0};
        bool known = count == 0;
        if (c->tests[t].turns || !mean_end(c, t, &mean))
            continue;
        for (int k = 0; k < count && !known; k++) {
            known = strcmp(ends[k].test, c->tests[t].name) == 0;
            want = ends[k];
        }
        if (!known)
            continue;
        const double x = mean.ahead - want.ahead, y = mean.aside - want.aside, turn = mean.heading - want.heading;
        sum += (x * x + y * y) / (c->tests[t].length * c->tests[t].length) + turn * turn;
        tests++;
    }
    return tests > 0 ? sum / tests : NAN;
}

/// One tuning in progress.
typedef struct Tuner {
    RiContext *ctx;
    const RiTiltTuneOptions *o;
    RiTiltCampaign *campaign;
    RiTiltTuning best;
    RiStatus status;
    const char *phase;
} Tuner;

static double evaluate(Tuner *t, const RiTiltSet *set)
{
    RiTiltOptions runs = t->o->runs;
    runs.set = *set;
    runs.drives_only = runs.tuned_only = true;
    ri_tilt_plan(t->campaign);
    if (t->status == RI_OK)
        t->status = ri_tilt_run(t->ctx, &runs, t->campaign);
    if (t->status != RI_OK)
        return INFINITY;
    const double score =
        t->o->by_ends ? ri_tilt_score_ends(t->campaign, t->o->ends, t->o->end_count) : ri_tilt_score(t->campaign);
    t->best.evaluations++;
    if (score < t->best.score) {
        t->best.score = score;
        t->best.set = *set;
    }
    if (t->o->told)
        t->o->told(t->o->user, t->phase, t->best.evaluations, set, score, t->best.score);
    return score;
}

/// Every parameter in turn over values within `reach` of its range about the best so far.
static void sweep(Tuner *t, const char *phase, double reach)
{
    enum { VALUES = 5 };
    t->phase = phase;
    for (int p = 0; p < RI_TILT_PARAMETERS; p++) {
        const RiTiltSet about = t->best.set;
        double low, high;
        ri_tilt_parameter_range(p, &low, &high);
        for (int k = 0; k < VALUES; k++) {
            RiTiltSet set = about;
            const double step = (2.0 * k / (VALUES - 1) - 1.0) * reach * (high - low);
            set.x[p] = fmin(high, fmax(low, about.x[p] + step));
            if (set.x[p] != about.x[p])
                evaluate(t, &set);
        }
    }
}

/// Score of parameters given as shares of their ranges.
static double scaled_score(void *user, const double *x)
{
    Tuner *t = user;
    RiTiltSet set;
    for (int p = 0; p < RI_TILT_PARAMETERS; p++) {
        double low, high;
        ri_tilt_parameter_range(p, &low, &high);
        set.x[p] = low + x[p] * (high - low);
    }
    return evaluate(t, &set);
}

static void optimise(Tuner *t)
{
    double x[RI_TILT_PARAMETERS];
    for (int p = 0; p < RI_TILT_PARAMETERS; p++) {
        double low, high;
        ri_tilt_parameter_range(p, &low, &high);
        x[p] = (t->best.set.x[p] - low) / (high - low);
    }
    t->phase = "optimiser";
    if (t->status == RI_OK && !t->o->optimise(RI_TILT_PARAMETERS, x, scaled_score, t))
        t->status = ri_error_memory(t->ctx);
}

RiStatus ri_tilt_tune(RiContext *ctx, const RiTiltTuneOptions *options, RiTiltTuning *out_tuning)
{
    Tuner t = {.ctx = ctx, .o = options, .best = {.set = options->runs.set, .score = INFINITY}, .status = RI_OK};
    t.campaign = ri_alloc_zero(ctx, 1, sizeof *t.campaign);
    if (!t.campaign)
        return ri_error_memory(ctx);
    t.phase = "start";
    evaluate(&t, &options->runs.set);
    sweep(&t, "coarse", 0.3);
    sweep(&t, "fine", 0.1);
    if (options->optimise)
        optimise(&t);
    *out_tuning = t.best;
    ri_release(ctx, t.campaign);
    return t.status;
}
