// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a rover does on a ripple of sand (scene rover_ripple) must not depend on how fine the
/// ground, the step and the contact are cut.
///
/// Slip and sinkage of the left wheels are taken 50 times a second and averaged over half a second
/// (2 cm of way, a tenth of the contact: the period in which the rover swings on its soil), from
/// the end of settling until all wheels are on the ripple. Compared instant by instant: the root of
/// the mean square of the difference by that of the signal; and the largest difference by the
/// largest signal. Of the three wheels the one that changes most counts: the middle and rear wheel
/// run through the beginnings of ruts.
#include <math.h>
#include <stdio.h>

#include <rille/scene.h>

#include "base/memory.h"
#include "validate/validate.h"

enum { RATE = 50, FROM = 10, UNTIL = 100, SAMPLES = RATE * UNTIL, HALF_WINDOW = RATE / 4, WHEELS = 3 };
enum { SLIP, SINKAGE, SIGNALS };

static const double BAND = 2.0; ///< [%]

typedef struct Crossing {
    double x[WHEELS][SIGNALS][SAMPLES]; ///< slip, sinkage [m]
} Crossing;

/// Drives over the ripple.
static RiStatus record(RiScene *scene, Crossing *out)
{
    static const char *const wheels[WHEELS] = {"front", "middle", "rear"}, *const signals[SIGNALS] = {"slip",
                                                                                                      "sinkage"};
    RI_TRY(ri_scene_build(scene));
    RiSim *sim = ri_scene_sim(scene);
    for (int i = 0; i < SAMPLES; i++) {
        while (ri_sim_time(sim) < (i + 1.0) / RATE - 1e-9)
            RI_TRY(ri_sim_step(sim));
        for (int k = 0; k < WHEELS * SIGNALS; k++) {
            char name[64];
            snprintf(name, sizeof name, "soil.tyre_%s_left.%s", wheels[k / SIGNALS], signals[k % SIGNALS]);
            RI_TRY(ri_values_eval(ri_sim_values(sim), name, &out->x[k / SIGNALS][k % SIGNALS][i]));
        }
    }
    return RI_OK;
}

static RiStatus cross(const RiValidation *run, const RiSetting *settings, int count, Crossing *out)
{
    char path[1024];
    RiSceneOptions options = ri_scene_options_default();
    RiScene *scene = NULL;
    options.settings = settings;
    options.setting_count = count;
    snprintf(path, sizeof path, "%s/../scenes/rover_ripple.yaml", run->robots);
    RiStatus status = ri_scene_load(run->ctx, path, &options, &scene);
    if (status == RI_OK)
        status = record(scene, out);
    ri_scene_destroy(scene);
    return status;
}

static double smooth(const double *x, int at)
{
    double sum = 0.0;
    for (int i = at - HALF_WINDOW; i <= at + HALF_WINDOW; i++)
        sum += x[i];
    return sum / (2 * HALF_WINDOW + 1);
}

/// How much a signal changes: rms, and at the worst instant [%].
static void find_change(const double *was, const double *is, double out[2])
{
    double squares[2] = {0.0, 0.0}, most[2] = {0.0, 0.0};
    for (int i = FROM * RATE; i < SAMPLES - HALF_WINDOW; i++) {
        const double x = smooth(was, i), d = smooth(is, i) - x;
        squares[0] += d * d, squares[1] += x * x;
        most[0] = fmax(most[0], fabs(d)), most[1] = fmax(most[1], fabs(x));
    }
    out[0] = 100.0 * sqrt(squares[0] / squares[1]);
    out[1] = 100.0 * most[0] / most[1];
}

/// Rows of one signal.
static void compare(RiValidation *run, const char *change, const char *name, int signal, const Crossing *was,
                    const Crossing *is)
{
    double most[2] = {0.0, 0.0};
    char text[160];
    for (int i = 0; i < WHEELS; i++) {
        double x[2];
        find_change(was->x[i][signal], is->x[i][signal], x);
        most[0] = fmax(most[0], x[0]), most[1] = fmax(most[1], x[1]);
    }
    snprintf(text, sizeof text, "%s: %s changes by (rms)", change, name);
    ri_validate_most(run, text, "%", BAND, most[0]);
    snprintf(text, sizeof text, "%s: %s changes at any instant by, of its largest", change, name);
    ri_validate_most(run, text, "%", BAND, most[1]);
}

static RiStatus rows(RiValidation *run, Crossing two[2])
{
    static const RiSetting finer[] = {
        {"cell", "0.5 cm"}, {"tick", "1 ms"}, {"patches", "32"}, {"stations", "25"}, {"slices", "6"}};
    enum { CHANGES = sizeof finer / sizeof *finer };
    static const char *const names[CHANGES + 1] = {"half the cell",      "half the step",    "twice the patches",
                                                   "twice the stations", "twice the slices", "all of these at once"};
    RI_TRY(cross(run, NULL, 0, &two[0]));
    for (int i = 0; i <= CHANGES; i++) {
        RI_TRY(i < CHANGES ? cross(run, &finer[i], 1, &two[1]) : cross(run, finer, CHANGES, &two[1]));
        compare(run, names[i], "slip", SLIP, &two[0], &two[1]);
        compare(run, names[i], "sinkage", SINKAGE, &two[0], &two[1]);
    }
    return RI_OK;
}

RiStatus ri_case_ripple(RiValidation *run)
{
    if (!run->robots) {
        ri_validate_skip(run, "a rover over a ripple: the robots are not there");
        return RI_OK;
    }
    Crossing *two = ri_alloc(run->ctx, 2, sizeof *two);
    if (!two)
        return ri_error_memory(run->ctx);
    const RiStatus status = rows(run, two);
    ri_release(run->ctx, two);
    return status;
}
