// SPDX-License-Identifier: Apache-2.0
/// \file
/// CVODE within a simulation: its Newton matrix by structure against differences of the whole
/// right-hand side, and its history over ticks: kept where nothing jumped, dropped where something
/// did, and had again from a saved state with the same bits.
#include <rille/robot.h>
#include <rille/scene.h>
#include <rille/version.h>

#include "base/hash.h"
#include "check.h"
#include "io/faults.h"
#include "math/dense.h"
#include "sim/method/cvode.h"

typedef struct Run {
    RiContext *ctx;
    RiScene *scene;
    RiSim *s;
} Run;

/// Two modules of the snake on ice, bent by servos and driven by its screws, hanging on a rope.
static const char snake[] =
    "scene: short\n"
    "robot: {file: ../robots/snake.yaml, set: {modules: 2}}\n"
    "terrain: {kind: plane, material: ice}\n"
    "tick: 10 ms\nduration: 5 s\nintegrator: cvode\n"
    "contact: {pairs: [{robot: screw, ground: ice, law: screw, friction: 0.15, e0: 2, e1: 0.01 N^-1, e_max: 8}]}\n"
    "initial: {base: {xyz: [0, 0, 99.5 mm]}, positions: {'bend_*': 10 deg}}\n"
    "devices:\n"
    "  - {joints: 'bend_*', name: 'servo_${joint}', type: servo,\n"
    "     set: {stiffness: 20000 N*m/rad, damping: 1000 N*m*s/rad, position: 12 deg}}\n"
    "  - {joints: 'screw_front_*', name: 'drive_${joint}', type: servo, set: {damping: 200 N*m*s/rad}}\n"
    "springs: [{name: rope, link: tail, anchor: [-1, 0, 1], stiffness: 200 N/m, damping: 20 N*s/m}]\n"
    "commands: [{joints: 'screw_front_*', at: 0.3 s, set: {'drive_${joint}.velocity': 1.5 rad/s}}]\n";

static void ok(const Run *r, RiStatus status)
{
    if (status == RI_OK)
        return;
    fprintf(stderr, "%s\n", ri_context_message(r->ctx));
    abort();
}

static Run open_run(const char *text)
{
    Run r = {NULL};
    if (!strstr(ri_version_features(), "cvode: yes")) {
        printf("skipped: this build has no CVODE\n");
        exit(77);
    }
    if (ri_context_create(NULL, &r.ctx) != RI_OK)
        abort();
    ok(&r, ri_scene_parse(r.ctx, RILLE_SOURCE_DIR "/scenes/short.yaml", text, strlen(text), NULL, &r.scene));
    ok(&r, ri_scene_build(r.scene));
    r.s = ri_scene_sim(r.scene);
    return r;
}

static void close_run(Run *r)
{
    ri_scene_destroy(r->scene);
    ri_context_destroy(r->ctx);
}

static void step(Run *r, int ticks)
{
    for (int i = 0; i < ticks; i++)
        ok(r, ri_sim_step(r->s));
}

// --- Newton matrix -------------------------------------------------------------------------------

/// Direction number j of the state: a motion of the positions along a velocity, a velocity, or a
/// deflection.
static void direction(Run *r, int j, const double *y, double *p, double *out_x)
{
    RiSim *s = r->s;
    const int n = s->cvode->n, nq = s->m->nq, nv = s->m->nv;
    memset(out_x, 0, (size_t)n * sizeof *out_x);
    if (j >= nv) {
        out_x[j < 2 * nv ? nq + j - nv : nq + nv + 2 + j - 2 * nv] = 1.0;
        return;
    }
    memcpy(p, y, (size_t)n * sizeof *y);
    memset(p + nq, 0, (size_t)nv * sizeof *p);
    p[nq + j] = 1.0;
    double *rate = malloc((size_t)n * sizeof *rate);
    ok(r, ri_sim_ode_rates(s, 0.0, p, rate));
    memcpy(out_x, rate, (size_t)nq * sizeof *rate);
    free(rate);
}

/// Largest entry of P^-1 (1 - gamma J) x - x over the directions x, with J by central differences
/// of the right-hand side. Velocities count in units of a position's over gamma. Books, which P
/// leaves alone, are left out.
static double newton_error(Run *r, double gamma)
{
    RiSim *s = r->s;
    const int n = s->cvode->n, nq = s->m->nq, nv = s->m->nv;
    double *y = malloc(7 * (size_t)n * sizeof *y), *f = y + n, *g = y + 2 * n, *b = y + 3 * n, *z = y + 4 * n,
           *p = y + 5 * n, *x = y + 6 * n;
    memcpy(y, s->cvode->y, (size_t)n * sizeof *y);
    ok(r, ri_sim_prepare_newton(s, 0.0, y, NULL, gamma));
    double worst = 0.0;
    for (int j = 0; j < n - nq - 2 + nv; j++) {
        const bool moves = j >= nv && j < 2 * nv;
        const double d = moves ? 1e-7 : 1e-9, scale = moves ? 1.0 / gamma : 1.0;
        direction(r, j, y, p, x);
        for (int i = 0; i < n; i++)
            p[i] = y[i] + d * x[i];
        ok(r, ri_sim_ode_rates(s, 0.0, p, f));
        for (int i = 0; i < n; i++)
            p[i] = y[i] - d * x[i];
        ok(r, ri_sim_ode_rates(s, 0.0, p, g));
        for (int i = 0; i < n; i++)
            b[i] = x[i] - gamma * (f[i] - g[i]) / (2.0 * d);
        ok(r, ri_sim_solve_newton(s, b, z));
        for (int i = 0; i < n; i++)
            if (i != nq + nv && i != nq + nv + 1)
                worst = fmax(worst, fabs(z[i] - x[i]) * scale * (i >= nq && i < nq + nv ? gamma : 1.0));
    }
    free(y);
    return worst;
}

/// What P leaves out is not stiff: its part falls with gamma, while gamma times the stiffest rate
/// (1e5 1/s here) is far above 1.
TEST(the_newton_matrix_holds_all_that_is_stiff)
{
    Run r = open_run(snake);
    step(&r, 60); // it slides and turns
    const double coarse = newton_error(&r, 1e-3), fine = newton_error(&r, 1e-4);
    printf("  P^-1 (1 - gamma J) - 1: %.2e at gamma 1e-3 s, %.2e at 1e-4 s\n", coarse, fine);
    CHECK(coarse < 0.05);
    CHECK(fine < 0.2 * coarse);
    close_run(&r);
}

TEST(a_matrix_without_symmetry_is_solved_by_its_factors)
{
    enum { N = 23 };
    double A[N * N], LU[N * N], x[N], b[N];
    int pivot[N];
    uint64_t h = 7;
    for (int i = 0; i < N * N; i++) {
        h = ri_hash_mix(h, (uint64_t)i);
        LU[i] = A[i] = (double)(h >> 11) / 9007199254740992.0 - 0.5;
    }
    A[0] = LU[0] = 0.0; // rows must be exchanged
    CHECK(ri_lu_factor(N, LU, pivot));
    for (int i = 0; i < N; i++) {
        b[i] = 0.0;
        for (int k = 0; k < N; k++)
            b[i] += A[i * N + k] * (k - 5.0);
        x[i] = b[i];
    }
    ri_lu_solve(N, LU, pivot, x);
    for (int i = 0; i < N; i++)
        CHECK_CLOSE(x[i], i - 5.0, 1e-11);
    double singular[4] = {1.0, 2.0, 2.0, 4.0};
    CHECK(!ri_lu_factor(2, singular, pivot));
}

// --- history -------------------------------------------------------------------------------------

TEST(steps_of_cvode_do_not_end_at_ticks_where_nothing_jumps)
{
    Run r = open_run("scene: p\nrobot: {file: ../robots/pendulum.yaml}\ntick: 1 ms\nintegrator: cvode\n"
                     "initial: {positions: {hinge_1: 1}}\n");
    step(&r, 1); // the first one ends where it was asked to
    const long before = ri_ode_statistics(r.s->cvode->ode).steps;
    step(&r, 998);
    const long taken = ri_ode_statistics(r.s->cvode->ode).steps - before;
    printf("  %ld steps for 998 ticks\n", taken);
    CHECK(taken < 400);
    CHECK_INT(r.s->cvode->start->steps, 999);
    step(&r, 2);
    CHECK_INT(r.s->cvode->start->steps, 1); // after a second it starts again
    close_run(&r);
}

TEST(ticks_do_not_change_the_solution_beyond_the_tolerance)
{
    double x[2];
    for (int k = 0; k < 2; k++) {
        Run r = open_run(snake);
        for (int i = 0; i < 100 && !k; i++)
            step(&r, 1);
        for (int i = 0; i < 100 && k; i++) {
            r.s->cvode->start->steps = 0; // afresh at every tick
            step(&r, 1);
        }
        x[k] = r.s->q[0];
        close_run(&r);
    }
    CHECK(x[0] != x[1]);
    CHECK_CLOSE(x[0], x[1], 1e-6);
}

static void set(Run *r, const char *name, const char *text)
{
    ok(r, ri_values_set(ri_sim_values(r->s), name, text));
}

TEST(history_is_dropped_where_something_jumps)
{
    static const struct {
        const char *name, *text;
    } jumps[] = {{"servo_bend_1.position", "11 deg"}, {"bend_2.command", "1 N*m"}, {"bend_2.velocity", "0.01 rad/s"},
                 {"bend_2.position", "0.2"},          {"gravity.x", "0.1"},        {"rope.stiffness", "190 N/m"}};
    Run r = open_run(snake);
    step(&r, 3);
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        step(&r, 2);
        CHECK(r.s->cvode->start->steps > 1);
        set(&r, jumps[i].name, jumps[i].text);
        step(&r, 1);
        if (r.s->cvode->start->steps != 1)
            CHECK_FAIL("%s: %lld steps", jumps[i].name, r.s->cvode->start->steps);
    }
    r.s->v[0] += 1e-9; // written directly
    step(&r, 1);
    CHECK_INT(r.s->cvode->start->steps, 1);
    close_run(&r);
}

TEST(a_command_within_a_run_drops_it_and_other_ticks_do_not)
{
    Run r = open_run(snake);
    step(&r, 30);
    CHECK_INT(r.s->cvode->start->steps, 30);
    step(&r, 1); // screws begin to turn
    CHECK_INT(r.s->cvode->start->steps, 1);
    step(&r, 9);
    CHECK_INT(r.s->cvode->start->steps, 10);
    close_run(&r);
}

/// Goes `ticks` ticks in both, which must have equal bits after each.
static void compare(Run *a, Run *b, int ticks, const char *what)
{
    for (int i = 0; i < ticks; i++) {
        step(a, 1);
        step(b, 1);
        if (ri_sim_hash(a->s) != ri_sim_hash(b->s)) {
            CHECK_FAIL("%s: other bits after tick %d", what, i + 1);
            return;
        }
    }
}

TEST(a_state_saved_at_any_tick_goes_on_with_the_same_bits)
{
    static const int stays[] = {0, 1, 2, 29, 30, 31, 45, 99, 100, 101};
    for (size_t i = 0; i < sizeof stays / sizeof *stays; i++) {
        Run whole = open_run(snake), other = open_run(snake);
        void *block = malloc(ri_sim_state_size(whole.s));
        step(&whole, stays[i]);
        ri_sim_save_state(whole.s, block);
        ok(&other, ri_sim_load_state(other.s, block));
        compare(&whole, &other, 12, "another simulation");
        step(&other, 3);
        ok(&other, ri_sim_load_state(other.s, block)); // back in time
        ok(&whole, ri_sim_load_state(whole.s, block));
        step(&whole, 2);
        step(&other, 2);
        CHECK(ri_sim_hash(whole.s) == ri_sim_hash(other.s));
        free(block);
        close_run(&whole);
        close_run(&other);
    }
}

TEST(a_loaded_state_whose_steps_lead_elsewhere_starts_afresh)
{
    Run a = open_run(snake);
    void *block = malloc(ri_sim_state_size(a.s));
    step(&a, 5);
    ri_sim_save_state(a.s, block);
    a.s->cvode->start->left ^= 1; // as of another program
    step(&a, 1);
    CHECK_INT(a.s->cvode->start->steps, 1);
    ok(&a, ri_sim_load_state(a.s, block));
    a.s->cvode->from[0] += 1e-3; // the steps from there end elsewhere
    step(&a, 1);
    CHECK_INT(a.s->cvode->start->steps, 1);
    free(block);
    close_run(&a);
}

TEST(a_tick_that_failed_leaves_the_bits_of_those_after_it)
{
    Run a = open_run(snake), b = open_run(snake);
    step(&a, 20);
    step(&b, 20);
    set(&b, "bend_2.command", "1e300 N*m");
    CHECK_ERROR(b.ctx, ri_sim_step(b.s), RI_ERR_NUMERIC, "ODE");
    set(&a, "bend_2.command", "0");
    set(&b, "bend_2.command", "0");
    CHECK(ri_sim_hash(a.s) == ri_sim_hash(b.s));
    compare(&a, &b, 5, "after a failure");
    close_run(&a);
    close_run(&b);
}

TEST(stop_conditions_do_not_change_the_bits)
{
    char text[2048];
    snprintf(text, sizeof text, "%sstop: {when: 'base.x > 100 m'}\n", snake);
    Run a = open_run(snake), b = open_run(text);
    for (int i = 0; i < 50; i++) {
        step(&a, 1);
        step(&b, 1);
        if (memcmp(a.s->q, b.s->q, (size_t)a.s->m->nq * sizeof *a.s->q) != 0) {
            CHECK_FAIL("other bits after tick %d", i + 1);
            break;
        }
    }
    close_run(&a);
    close_run(&b);
}

TEST(a_stop_within_a_tick_ends_the_history)
{
    Run r = open_run("scene: p\nrobot: {file: ../robots/pendulum.yaml}\ntick: 100 ms\nintegrator: cvode\n"
                     "initial: {positions: {hinge_1: 0.5}}\nstop: {when: 'hinge_1.position < 0.3'}\n");
    while (!ri_sim_stopped(r.s))
        step(&r, 1);
    CHECK_INT(r.s->cvode->start->steps, 0);
    CHECK_CLOSE(r.s->q[0], 0.3, 1e-7);
    step(&r, 1); // the rest of the tick
    step(&r, 2);
    CHECK_INT(r.s->cvode->start->steps, 2);
    close_run(&r);
}

static RiStatus build_and_step(RiContext *ctx)
{
    RiScene *scene = NULL;
    char text[2048]; // with a root to look for
    snprintf(text, sizeof text, "%sstop: {when: 'base.x > 100 m'}\n", snake);
    RiStatus status = ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/short.yaml", text, strlen(text), NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    if (status == RI_OK)
        status = ri_sim_step(ri_scene_sim(scene));
    ri_scene_destroy(scene);
    return status;
}

/// The allocations of the simulation (contacts, validity flags, stop conditions, CVODE) are the
/// last ones of a scene.
TEST(every_allocation_may_fail)
{
    enum { LAST = 100 };
    long count = 0;
    for (long fail_at = -1; fail_at < count; fail_at = fail_at < 0 ? (count > LAST ? count - LAST : 0) : fail_at + 1) {
        Faults f = {.fail_at = -1};
        const RiAllocator allocator = faults_allocator(&f);
        RiContext *ctx;
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        f.call = 0;
        f.fail_at = fail_at;
        const RiStatus status = build_and_step(ctx);
        if (fail_at < 0) {
            CHECK_OK(ctx, status);
            count = f.call;
        } else if (status != RI_ERR_MEMORY)
            CHECK_FAIL("allocation %ld of %ld: status '%s'", fail_at, count, ri_status_text(status));
        ri_context_destroy(ctx);
        CHECK_INT(f.live, 0);
    }
    CHECK(count > LAST);
}

TEST_MAIN(CASE(the_newton_matrix_holds_all_that_is_stiff), CASE(a_matrix_without_symmetry_is_solved_by_its_factors),
          CASE(steps_of_cvode_do_not_end_at_ticks_where_nothing_jumps),
          CASE(ticks_do_not_change_the_solution_beyond_the_tolerance), CASE(history_is_dropped_where_something_jumps),
          CASE(a_command_within_a_run_drops_it_and_other_ticks_do_not),
          CASE(a_state_saved_at_any_tick_goes_on_with_the_same_bits),
          CASE(a_loaded_state_whose_steps_lead_elsewhere_starts_afresh),
          CASE(a_tick_that_failed_leaves_the_bits_of_those_after_it), CASE(stop_conditions_do_not_change_the_bits),
          CASE(a_stop_within_a_tick_ends_the_history), CASE(every_allocation_may_fail))
