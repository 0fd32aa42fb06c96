// SPDX-License-Identifier: Apache-2.0
/// \file
/// What happened in a run, in a few plain sentences: way, climb, slip, sinkage, energy, validity,
/// checks.
///
/// Values are sampled every tenth of a second of simulated time; the step itself does nothing for
/// it.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/navigation.h>

#include "run/run.h"

static const double sample_period = 0.1; // [s]
static const double moving = 1e-3;       // speed from which slip is averaged [m/s]

/// Collects the values that match a glob; the count.
static int collect(const RiValues *values, const char *glob, int **out_list)
{
    int count = 0;
    for (int i = ri_values_match(values, glob, 0); i >= 0; i = ri_values_match(values, glob, i + 1))
        count++;
    *out_list = malloc((size_t)(count + 1) * sizeof **out_list);
    int k = 0;
    for (int i = ri_values_match(values, glob, 0); *out_list && i >= 0; i = ri_values_match(values, glob, i + 1))
        (*out_list)[k++] = i;
    return *out_list ? count : 0;
}

static double value_at(const Run *run, int index)
{
    return ri_values_read(ri_sim_values(run->sim), index);
}

static double named(const Run *run, const char *name)
{
    const RiValues *values = ri_sim_values(run->sim);
    const int index = ri_values_find(values, name);
    return index >= 0 ? ri_values_read(values, index) : 0.0;
}

void run_story_begin(Run *run)
{
    RunStory *s = &run->story;
    const RiValues *values = ri_sim_values(run->sim);
    *s = (RunStory){.period = (long long)fmax(1.0, round(sample_period / ri_sim_options(run->sim)->tick))};
    s->slip_count = collect(values, "soil.*.slip", &s->slips);
    s->sinkage_count = collect(values, "soil.*.sinkage", &s->sinkages);
    s->energy_count = collect(values, "*.electrical_energy", &s->energies);
    s->floating = ri_model_is_floating(ri_sim_model(run->sim));
    for (int i = 0; i < 3; i++)
        s->start[i] = s->last[i] = named(run, (const char *const[]){"base.x", "base.y", "base.z"}[i]);
    s->heading = named(run, "base.yaw");
    for (int i = 0; i < s->energy_count; i++)
        s->energy_at_start += value_at(run, s->energies[i]);
}

void run_story_free(Run *run)
{
    free(run->story.slips);
    free(run->story.sinkages);
    free(run->story.energies);
    run->story = (RunStory){.period = 1};
}

void run_story_tick(Run *run)
{
    RunStory *s = &run->story;
    if (ri_sim_tick(run->sim) % s->period != 0)
        return;
    const double now[3] = {named(run, "base.x"), named(run, "base.y"), named(run, "base.z")};
    const double step = hypot(now[0] - s->last[0], now[1] - s->last[1]);
    const double span = (double)s->period * ri_sim_options(run->sim)->tick;
    s->way += step;
    memcpy(s->last, now, sizeof now);
    for (int i = 0; i < s->slip_count && step > moving * span; i++) {
        const double slip = value_at(run, s->slips[i]);
        s->slip_sum += slip;
        s->slip_samples++;
        s->slip_most = fmax(s->slip_most, slip);
    }
    for (int i = 0; i < s->sinkage_count; i++)
        s->sinkage_most = fmax(s->sinkage_most, value_at(run, s->sinkages[i]));
    s->tilt_most =
        fmax(s->tilt_most, acos(fmax(-1.0, fmin(1.0, cos(named(run, "base.roll")) * cos(named(run, "base.pitch"))))));
}

typedef struct Writer {
    char *text;
    size_t size;
} Writer;

RI_PRINTF(2, 3) static void put(Writer *w, const char *format, ...)
{
    const size_t used = strlen(w->text);
    va_list args;
    va_start(args, format);
    vsnprintf(w->text + used, w->size - used, format, args);
    va_end(args);
}

/// "5.9 m", "12 cm", "3 mm".
static const char *length(double metres, char out[24])
{
    const double size = fabs(metres);
    if (size >= 1.0)
        snprintf(out, 24, "%.3g m", metres);
    else if (size >= 0.01)
        snprintf(out, 24, "%.2g cm", 100.0 * metres);
    else
        snprintf(out, 24, "%.2g mm", 1000.0 * metres);
    return out;
}

/// Whether most of the way led to where its back was at the start.
static bool went_backwards(const RunStory *s)
{
    const double ahead = (s->last[0] - s->start[0]) * cos(s->heading) + (s->last[1] - s->start[1]) * sin(s->heading);
    return ahead < -0.7 * s->way;
}

static void put_way(const Run *run, Writer *w)
{
    const RunStory *s = &run->story;
    const double rise = s->last[2] - s->start[2], span = run_span(run);
    char way[24], far[24], up[24];
    if (!s->floating || span <= 0.0)
        return;
    const double away = hypot(s->last[0] - s->start[0], s->last[1] - s->start[1]);
    if (s->way < 0.01 && fabs(rise) < 0.01) {
        put(w, "The robot stayed where it was (it moved by %s). ", length(s->way, way));
        return;
    }
    put(w, "The robot went %s%s in %.3g s (%.2g cm/s) and ended %s from its start", length(s->way, way),
        went_backwards(s) ? " backwards" : "", span, 100.0 * s->way / span, length(away, far));
    if (fabs(rise) >= 0.005)
        put(w, ", %s %s", length(fabs(rise), up), rise > 0.0 ? "higher" : "lower");
    put(w, "; it tilted by at most %.3g degrees. ", s->tilt_most * 180.0 / M_PI);
}

static void put_soil(const Run *run, Writer *w)
{
    const RunStory *s = &run->story;
    char sunk[24];
    if (s->sinkage_count == 0)
        return;
    if (s->slip_samples)
        put(w, "Its wheels slipped by %.2g %% on average and %.2g %% at most, and sank at most %s into the soil. ",
            100.0 * s->slip_sum / (double)s->slip_samples, 100.0 * s->slip_most, length(s->sinkage_most, sunk));
    else
        put(w, "It sank at most %s into the soil. ", length(s->sinkage_most, sunk));
}

static void put_energy(const Run *run, Writer *w)
{
    const RunStory *s = &run->story;
    double energy = -s->energy_at_start;
    for (int i = 0; i < s->energy_count; i++)
        energy += value_at(run, s->energies[i]);
    if (s->energy_count == 0 || !(energy > 0.0))
        return;
    put(w, "Its motors took %.4g %s", energy >= 1e4 ? energy / 1e3 : energy, energy >= 1e4 ? "kJ" : "J");
    if (s->way > 0.1)
        put(w, " (%.4g J per metre)", energy / s->way);
    put(w, ". ");
}

/// How drives of its own went: the last one of each device that navigates.
static void put_navigation(const Run *run, Writer *w)
{
    static const char *const ports[] = {"reason", "reached", "goals", "cycles", "level"};
    double x[5] = {0.0};
    for (int i = 0; i < ri_sim_device_count(run->sim); i++) {
        const RiDeviceInfo d = ri_sim_device(run->sim, i);
        if (strcmp(d.device->name, "navigation") != 0 && strcmp(d.device->name, "snake_navigation") != 0)
            continue;
        for (int k = 0; k < 5; k++) {
            char name[256];
            snprintf(name, sizeof name, "%.200s.%s", d.name, ports[k]);
            x[k] = named(run, name);
        }
        if (x[0] == 0.0 && x[3] == 0.0)
            continue; // it was not asked to
        put(w, "Its navigation '%s' reached %g of %g goals in %g cycles: %s. ", d.name, x[1], x[4] == 2.0 ? 1.0 : x[2],
            x[3], x[0] == 0.0 ? "still under way" : ri_nav_reason_name((int)x[0]));
    }
}

static void put_verdict(const Run *run, Writer *w)
{
    int failed = 0, passed = 0;
    for (int i = 0; i < ri_scene_check_count(run->scene); i++) {
        const RiSceneCheck c = ri_scene_check(run->scene, i);
        passed += c.seen && c.passed;
        failed += c.seen && !c.passed;
    }
    if (failed)
        put(w, "It did NOT do what the scene expects: %d of %d checks failed. ", failed, failed + passed);
    else if (passed)
        put(w, "It did what the scene expects (%d check%s passed). ", passed, passed == 1 ? "" : "s");
    const int raised = ri_sim_violations(run->sim);
    if (raised)
        put(w, "%d validity warning%s: some laws were used outside their range.", raised, raised == 1 ? "" : "s");
    else
        put(w, "Every law stayed inside its range of validity.");
}

const char *run_story(const Run *run, char *out, size_t size)
{
    Writer w = {out, size};
    *out = '\0';
    put_way(run, &w);
    put_navigation(run, &w);
    put_soil(run, &w);
    put_energy(run, &w);
    put_verdict(run, &w);
    return out;
}

void run_print_story(const Run *run)
{
    enum { WIDTH = 78 };
    char text[1200];
    run_story(run, text, sizeof text);
    for (const char *at = text; *at;) {
        size_t n = strlen(at);
        if (n > WIDTH)
            for (n = WIDTH; n > 0 && at[n] != ' '; n--)
                ;
        printf("  %.*s\n", (int)n, at);
        at += n + strspn(at + n, " ");
    }
}
