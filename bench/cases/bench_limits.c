// SPDX-License-Identifier: Apache-2.0
/// \file
/// Dynamics against limits: the share of the machine's peak, the growth with the number of bodies,
/// the cost of gears, and the time to load a robot. The ratio of a limit row is how many times
/// better than the limit we are; of the peak row, the share of the peak.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/model.h>
#include <rille/robot.h>

#include "bench/bench_run.h"
#include "bench/cases/bench_ours.h"
#include "bench/cases/bench_peak.h"

/// Floating-point operations of one articulated-body pass, an addition or a multiplication each,
/// sines and cosines not counted. All quantities in world axes; symmetric matrices counted once.
/// These are the operations that the recursion needs, not those that an implementation spends.
enum {
    FLOPS_POSE = 18 + 18 + 9,       ///< rotation about the hinge, origin, joint column
    FLOPS_TWIST = 12 + 36,          ///< velocity, bias acceleration v x S qd
    FLOPS_INERTIA = 45 + 30 + 42,   ///< R I R^T, shift to the common origin
    FLOPS_BIAS_FORCE = 42 + 30,     ///< I v, v x* (I v)
    FLOPS_JOINT = 66 + 11 + 1 + 12, ///< U = I_A S, D = S . U, 1 / D, u = tau - S . p_A
    FLOPS_REDUCE = 48 + 21 + 102,   ///< I_A - U U^T / D, its sum into the parent, the same for the bias force
    FLOPS_ACCELERATE = 6 + 13 + 12, ///< a_parent + c, joint acceleration, a
    FLOPS_PER_HINGE =
        FLOPS_POSE + FLOPS_TWIST + FLOPS_INERTIA + FLOPS_BIAS_FORCE + FLOPS_JOINT + FLOPS_REDUCE + FLOPS_ACCELERATE,
    FLOPS_FREE_BASE = FLOPS_INERTIA + FLOPS_BIAS_FORCE + 91 + 72 ///< and the 6 x 6 factor and solve
};

static double fd_flops(const BenchMechanism *m)
{
    const int hinges = m->body_count - (m->floating ? 1 : 0);
    return FLOPS_PER_HINGE * hinges + (m->floating ? FLOPS_FREE_BASE : 0);
}

/// A mechanism of ours that is timed round by round.
typedef struct Subject {
    BenchMechanism *mechanism;
    void *model;
} Subject;

static void close_subjects(Subject *subjects, int count)
{
    for (int i = 0; i < count; i++) {
        bench_ours_close(subjects[i].model);
        bench_mechanism_destroy(subjects[i].mechanism);
    }
}

static bool open_subjects(BenchRun *run, Subject *subjects, int count, const char *const *names)
{
    memset(subjects, 0, (size_t)count * sizeof *subjects);
    for (int i = 0; i < count; i++) {
        subjects[i].mechanism = bench_mechanism_create(names[i]);
        subjects[i].model = subjects[i].mechanism ? bench_ours.open(subjects[i].mechanism) : NULL;
        if (!subjects[i].model) {
            bench_fail(run, names[i], "could not be built");
            close_subjects(subjects, count);
            return false;
        }
    }
    return true;
}

static double time_fd(BenchRun *run, const Subject *s)
{
    const double us = bench_time(bench_ours.find(s->model, "fd"), s->model, run->seconds);
    if (bench_ours_failure(s->model))
        bench_fail(run, s->mechanism->name, bench_ours_failure(s->model));
    return us;
}

/// A value that must stay below a limit.
static void emit_limit(const BenchRun *run, const char *name, const char *unit, double *values, double limit)
{
    BenchRow row = bench_row(run->bench, name, unit, run->repeats);
    row.peer = "limit";
    row.peer_value = limit;
    row.ours = bench_median(values, run->repeats, &row.spread);
    row.ratio = limit / row.ours;
    row.bar = 1.0;
    bench_emit(run, &row);
}

// --- the machine's peak --------------------------------------------------------------------------

static void measure_peak_share(BenchRun *run, double *ours, double *peak)
{
    Subject snake;
    const char *const name[] = {"snake36"};
    if (!bench_wants(run, "snake36.fd_of_peak") || !open_subjects(run, &snake, 1, name))
        return;
    for (int r = 0; r < run->repeats; r++) {
        peak[r] = bench_peak_gflops(run->seconds);
        ours[r] = fd_flops(snake.mechanism) / time_fd(run, &snake) * 1e-3;
    }
    BenchRow row = bench_row(run->bench, "snake36.fd_of_peak", "GFLOP/s", run->repeats);
    row.peer = "fma peak";
    row.ours = bench_median(ours, run->repeats, &row.spread);
    row.peer_value = bench_median(peak, run->repeats, &row.peer_spread);
    row.ratio = row.ours / row.peer_value;
    bench_emit(run, &row);
    close_subjects(&snake, 1);
}

// --- growth with the number of bodies ------------------------------------------------------------

enum { SIZES = 5 };
static const int sizes[SIZES] = {32, 64, 128, 256, 512};

/// Slope of log(time) over log(bodies) by least squares.
static double fitted_exponent(const double us[SIZES])
{
    double x_mean = 0.0, y_mean = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < SIZES; i++) {
        x_mean += log(sizes[i]) / SIZES;
        y_mean += log(us[i]) / SIZES;
    }
    for (int i = 0; i < SIZES; i++) {
        xx += (log(sizes[i]) - x_mean) * (log(sizes[i]) - x_mean);
        xy += (log(sizes[i]) - x_mean) * (log(us[i]) - y_mean);
    }
    return xy / xx;
}

static void measure_growth(BenchRun *run, const char *shape, double *per_body, double *exponent)
{
    char names[SIZES][32], row_a[48], row_b[48];
    const char *list[SIZES];
    Subject subjects[SIZES];
    snprintf(row_a, sizeof row_a, "%s.per_body_512_over_32", shape);
    snprintf(row_b, sizeof row_b, "%s.exponent", shape);
    const bool wanted_a = bench_wants(run, row_a), wanted_b = bench_wants(run, row_b);
    for (int i = 0; i < SIZES; i++) {
        snprintf(names[i], sizeof names[i], "%s%d", shape, sizes[i]);
        list[i] = names[i];
    }
    if ((!wanted_a && !wanted_b) || !open_subjects(run, subjects, SIZES, list))
        return;
    for (int r = 0; r < run->repeats; r++) {
        double us[SIZES];
        for (int i = 0; i < SIZES; i++)
            us[i] = time_fd(run, &subjects[i]);
        per_body[r] = us[SIZES - 1] / sizes[SIZES - 1] / (us[0] / sizes[0]);
        exponent[r] = fitted_exponent(us);
    }
    if (wanted_a)
        emit_limit(run, row_a, "ratio", per_body, 1.3);
    if (wanted_b)
        emit_limit(run, row_b, "exponent", exponent, 1.05);
    close_subjects(subjects, SIZES);
}

// --- gears ---------------------------------------------------------------------------------------

static void measure_gears(BenchRun *run, double *ratios)
{
    static const char row[] = "snake36_geared.fd_over_snake36", *const names[] = {"snake36", "snake36_geared"};
    Subject subjects[2];
    if (!bench_wants(run, row) || !open_subjects(run, subjects, 2, names))
        return;
    for (int r = 0; r < run->repeats; r++) {
        const double free_us = time_fd(run, &subjects[0]);
        ratios[r] = time_fd(run, &subjects[1]) / free_us;
    }
    emit_limit(run, row, "ratio", ratios, 1.25);
    close_subjects(subjects, 2);
}

// --- loading -------------------------------------------------------------------------------------

static const char urdf_link[] = "  <link name=\"l%d\"><inertial><origin xyz=\"0.05 0 0\"/><mass value=\"1\"/>"
                                "<inertia ixx=\"0.0004\" ixy=\"0\" ixz=\"0\" iyy=\"0.001\" iyz=\"0\" izz=\"0.001\"/>"
                                "</inertial></link>\n";
static const char urdf_joint[] = "  <joint name=\"j%d\" type=\"revolute\"><parent link=\"l%d\"/><child link=\"l%d\"/>"
                                 "<origin xyz=\"0.1 0 0\" rpy=\"0 0 0\"/><axis xyz=\"0 %d %d\"/>"
                                 "<limit lower=\"-1\" upper=\"1\" effort=\"10\" velocity=\"5\"/></joint>\n";

/// A chain of `links` links as URDF text, or NULL.
static char *write_urdf(int links)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    fputs("<?xml version=\"1.0\"?>\n<robot name=\"chain\">\n", f);
    for (int i = 0; i < links; i++) {
        fprintf(f, urdf_link, i);
        if (i > 0)
            fprintf(f, urdf_joint, i, i - 1, i, i % 2, 1 - i % 2);
    }
    fputs("</robot>\n", f);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/// Text to model, everything released again; the clock stops before the release.
static RiStatus load(RiContext *ctx, const char *text, double *out_ms)
{
    RiSpec *spec = NULL;
    RiModel *model = NULL;
    const double start = bench_cpu_seconds();
    RiStatus status = ri_urdf_parse(ctx, "chain.urdf", text, strlen(text), NULL, &spec);
    if (status == RI_OK)
        status = ri_model_create(ctx, spec, NULL, &model);
    *out_ms = (bench_cpu_seconds() - start) * 1e3;
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    return status;
}

static void measure_loading(BenchRun *run, double *ms)
{
    static const char row[] = "urdf1000.load";
    if (!bench_wants(run, row))
        return;
    RiContext *ctx = NULL;
    char *text = write_urdf(1000);
    if (!text || ri_context_create(NULL, &ctx) != RI_OK) {
        bench_fail(run, row, "out of memory");
        free(text);
        return;
    }
    RiStatus status = RI_OK;
    for (int r = 0; r < run->repeats && status == RI_OK; r++)
        status = load(ctx, text, &ms[r]);
    if (status == RI_OK)
        emit_limit(run, row, "ms", ms, 50.0);
    else
        bench_fail(run, row, ri_context_message(ctx));
    ri_context_destroy(ctx);
    free(text);
}

void bench_limits(BenchRun *run)
{
    double *values = calloc(2 * (size_t)run->repeats, sizeof *values);
    if (!values) {
        bench_fail(run, "limits", "out of memory");
        return;
    }
    double *first = values, *second = values + run->repeats;
    measure_gears(run, first);
    measure_growth(run, "chain", first, second);
    measure_growth(run, "tree", first, second);
    measure_peak_share(run, first, second);
    measure_loading(run, first);
    free(values);
}
