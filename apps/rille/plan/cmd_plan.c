// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille plan check|run|report|compare|list`: plans over sols.
#include <argp.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"

enum { SETTINGS = 64 };

typedef struct PlanArgs {
    const char *plans[2];
    int plan_count, most;
    const char *fidelity, *page;
    RiSetting settings[SETTINGS];
    int setting_count;
} PlanArgs;

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    PlanArgs *args = state->input;
    char *equals;
    switch (key) {
    case 'f':
        args->fidelity = arg;
        return 0;
    case 'o':
        args->page = arg;
        return 0;
    case 's':
        equals = strchr(arg, '=');
        if (!equals || equals == arg || args->setting_count == SETTINGS)
            argp_error(state, "--set '%s': allowed is NAME=VALUE, at most %d times", arg, SETTINGS);
        else {
            *equals = '\0';
            args->settings[args->setting_count++] = (RiSetting){arg, equals + 1};
        }
        return 0;
    case ARGP_KEY_ARG:
        if (args->plan_count == args->most)
            return ARGP_ERR_UNKNOWN;
        args->plans[args->plan_count++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (args->plan_count < args->most)
            argp_error(state, args->most == 2 ? "two plans are needed" : "a plan is needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool parse_args(int argc, char **argv, int most, const char *doc, PlanArgs *out)
{
    static const struct argp_option options[] = {
        {"fidelity", 'f', "NAME", 0, "map, kinematic, dynamic or auto; default: as the plan says", 0},
        {"set", 's', "NAME=VALUE", 0, "a setting of the scene; may be repeated", 0},
        {"out", 'o', "FILE", 0, "page that is written (report, and run and compare where it is given)", 0},
        {0}};
    const struct argp argp = {options, parse_option, most == 2 ? "PLAN PLAN" : "PLAN", doc, NULL, NULL, NULL};
    *out = (PlanArgs){.most = most};
    return cli_parse(&argp, argc, argv, out) == 0;
}

/// A word without slash and ending is a plan of the plans folder, everything else a file.
static void find_plan(const char *word, char out_path[PATH_MAX])
{
    char folder[PATH_MAX];
    cli_data_folder("plans", folder);
    if (strchr(word, '/') || strchr(word, '.') || !*folder)
        snprintf(out_path, PATH_MAX, "%s", word);
    else
        snprintf(out_path, PATH_MAX, "%.*s/%.200s.yaml", PATH_MAX - 220, folder, word);
}

typedef struct Opened {
    RiPlan *plan;
    RiPlanRun *run;
} Opened;

static RiStatus read_fidelity(RiContext *ctx, const PlanArgs *args, const RiPlan *plan, RiFidelity *out)
{
    *out = ri_plan_fidelity(plan);
    if (!args->fidelity)
        return RI_OK;
    for (int i = 0; i < RI_FIDELITY_COUNT; i++)
        if (strcmp(args->fidelity, ri_fidelity_name((RiFidelity)i)) == 0) {
            *out = (RiFidelity)i;
            return RI_OK;
        }
    return ri_error(ctx, RI_ERR_ARGUMENT, "--fidelity '%s': allowed are map, kinematic, dynamic and auto",
                    args->fidelity);
}

static RiStatus open_plan(RiContext *ctx, const char *word, RiPlan **out)
{
    char path[PATH_MAX];
    find_plan(word, path);
    if (!cli_expect_kind(path, "plan"))
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s is no plan", path);
    const RiStatus status = ri_plan_load(ctx, path, out);
    if (status == RI_ERR_NOT_FOUND && path[0] && !strchr(word, '/') && !strchr(word, '.'))
        return ri_error(ctx, status, "there is no plan '%s' (%s); the folder has the plans that come with the program",
                        word, path);
    return status;
}

static void close_plan(Opened *x)
{
    ri_plan_run_destroy(x->run);
    ri_plan_destroy(x->plan);
}

static void print_rows(const RiPlanRun *run)
{
    printf("  %-26s %-13s %-8s %6s %9s %9s %7s %7s %6s %9s\n", "activity", "kind", "state", "hour", "length h",
           "used Wh", "charge", "way m", "slip", "sent Mbit");
    for (int i = 0; i < ri_plan_run_row_count(run); i++) {
        const RiPlanRow *r = ri_plan_run_row(run, i);
        char slip[16] = "";
        if (!isnan(r->slip))
            snprintf(slip, sizeof slip, "%.2f", r->slip);
        printf("  %-26.26s %-13s %-8s %6.2f %9.2f %9.1f %7.3f %7.1f %6s %9.2f%s%s\n", r->name, r->kind,
               ri_activity_state_name(r->state), r->hour, (r->end - r->start) / 3600.0, r->used / 3600.0, r->charge,
               r->way, slip, 1e-6 * r->sent, *r->reason ? "  " : "", r->reason);
    }
}

/// What fails, when and by how much; returns how many.
static int print_troubles(const RiPlanRun *run)
{
    int count = 0;
    for (int i = 0; i < ri_plan_run_row_count(run); i++) {
        const RiPlanRow *r = ri_plan_run_row(run, i);
        if (r->state != RI_ACTIVITY_FAILED)
            continue;
        printf("  fails     %s at %.2f h: %s\n", r->name, r->start / 3600.0, r->reason);
        count++;
    }
    for (int i = 0; i < ri_plan_run_margin_count(run); i++) {
        const RiPlanMargin *m = ri_plan_run_margin(run, i);
        printf("  margin    %s: %s is %.5g at %.2f h, %s by %.4g\n", m->name, m->value, m->worst, m->time / 3600.0,
               m->slack < 0.0 ? "BEYOND its limit" : "within its limits", fabs(m->slack));
        count += m->slack < 0.0;
    }
    return count;
}

static void print_totals(const RiPlan *plan, const RiPlanRun *run, const char *fidelity)
{
    const RiPlanTotals t = ri_plan_run_totals(run);
    printf("%s (%s): %.2f h, %.1f m, %.1f Wh generated, %.1f Wh used, %.1f Mbit sent\n", ri_plan_name(plan), fidelity,
           t.time / 3600.0, t.way, t.generated / 3600.0, t.used / 3600.0, 1e-6 * t.sent);
    printf("  charge    %.3f, lowest %.3f; ledger %.1e; %d failed, %d skipped, %d responses; state hash %016llx\n",
           t.charge, t.lowest_charge, t.ledger, t.failed, t.skipped, t.responses, t.hash);
}

/// What was lost or never came, so that nothing is missing silently. Returns how many of them the
/// plan cannot stand.
static int print_losses(const RiPlanRun *run)
{
    const RiPlanTotals t = ri_plan_run_totals(run);
    if (t.beyond > 0.0)
        printf("  note      optical depths were beyond the tables of net flux (0.1 to 6) in %.1f h of daylight\n",
               t.beyond / 3600.0);
    if (t.curtailed > 0.0)
        printf("  note      %.1f Wh of the sources found no taker\n", t.curtailed / 3600.0);
    if (t.unserved > 0.0)
        printf("  note      loads lacked %.1f Wh: shed, or a dead bus\n", t.unserved / 3600.0);
    if (t.dead > 0.0)
        printf("  note      the bus was dead for %.2f h\n", t.dead / 3600.0);
    if (t.pending > 0)
        printf("  note      %d faults never came: the plan ended before their time\n", t.pending);
    if (t.lost > 0.0)
        printf("  LOST      %.4g Mbit of data: the recorder was full\n", 1e-6 * t.lost);
    return t.lost > 0.0;
}

static void print_stretches(const RiPlanRun *run)
{
    const RiPlanTotals t = ri_plan_run_totals(run);
    if (ri_plan_run_fidelity(run) == RI_FIDELITY_AUTO)
        printf("  stretches %.1f m by map, %.1f m kinematic, %.1f m dynamic\n", t.way_at[RI_FIDELITY_MAP],
               t.way_at[RI_FIDELITY_KINEMATIC], t.way_at[RI_FIDELITY_DYNAMIC]);
}

/// What the mobility map of a plan told. Returns 1 where it could not say and the plan does not
/// either.
static int print_mapped(const RiPlan *plan, const RiPlanRun *run)
{
    const RiPlanMapWay m = ri_plan_run_totals(run).mapped;
    if (m.inside + m.outside == 0.0)
        return 0;
    printf("  map       %.1f m by the mobility map, rolled %.1f m, %.1f Wh of the motors\n", m.inside, m.rolled,
           m.energy / 3600.0);
    if (m.outside > 0.0)
        printf("  map       %.1f m BEYOND the map: %s, power of 'map_loads'\n", m.outside,
               ri_plan_has_slips(plan) ? "slip by the plan's table" : "no slip, the plan has no table");
    if (m.invalid > 0.0)
        printf("  map       %.1f m where the map is NOT VALID: beyond what was fitted\n", m.invalid);
    return m.invalid > 0.0 || (m.outside > 0.0 && !ri_plan_has_slips(plan));
}

static void print_sols(const RiPlanRun *run)
{
    for (int i = 0; i < ri_plan_run_sol_count(run); i++) {
        const RiPlanSol *s = ri_plan_run_sol(run, i);
        printf("  sol       %d from %.2f h: %.1f Wh available, %.1f Wh used, lowest charge %.3f, %.1f m", i + 1,
               s->start / 3600.0, s->available / 3600.0, s->used / 3600.0, s->lowest, s->way);
        if (!isnan(s->tau))
            printf(", tau %.2f", s->tau);
        printf("\n");
    }
}

static void print_passes(const RiPlanRun *run)
{
    for (int i = 0; i < ri_plan_run_pass_count(run); i++) {
        const RiPlanPass *p = ri_plan_run_pass(run, i);
        printf("  pass      %s from %.2f h for %.1f min, up to %.4g kbit/s, %.2f Mbit sent", p->radio,
               p->start / 3600.0, (p->end - p->start) / 60.0, 1e-3 * p->rate, 1e-6 * p->sent);
        if (p->light_time > 1.0 && p->sent > 0.0)
            printf(", received %.3g min later", p->light_time / 60.0);
        putchar('\n');
    }
}

static RiStatus run_one(RiContext *ctx, const PlanArgs *args, const char *word, const char *fidelity, Opened *x)
{
    RiFidelity f;
    PlanArgs used = *args;
    used.fidelity = fidelity ? fidelity : args->fidelity;
    if (!x->plan) {
        const RiStatus status = open_plan(ctx, word, &x->plan);
        if (status != RI_OK)
            return status;
    }
    const RiStatus status = read_fidelity(ctx, &used, x->plan, &f);
    return status == RI_OK ? ri_plan_run(x->plan, f, args->settings, args->setting_count, NULL, &x->run) : status;
}

static int finish(RiContext *ctx, RiStatus status, int troubles)
{
    const int code = status != RI_OK ? cli_fail(ctx, status) : troubles ? CLI_RUN_FAILED : CLI_DONE;
    ri_context_destroy(ctx);
    return code;
}

static int plan_check(int argc, char **argv)
{
    PlanArgs args;
    RiContext *ctx = NULL;
    Opened x = {0};
    int troubles = 0;
    if (!parse_args(argc, argv, 1,
                    "Predicts a plan by map: what fails, when and by how much. Exit code 1 if something does.", &args))
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    const RiStatus status = run_one(ctx, &args, args.plans[0], args.fidelity ? NULL : "map", &x);
    if (status == RI_OK) {
        print_totals(x.plan, x.run, args.fidelity ? args.fidelity : "map");
        troubles = print_losses(x.run);
        troubles += print_mapped(x.plan, x.run);
        troubles += print_troubles(x.run);
        printf("  verdict   %s\n", troubles ? "the plan does not hold" : "the plan holds");
    }
    close_plan(&x);
    return finish(ctx, status, troubles);
}

static RiStatus run_and_show(RiContext *ctx, const PlanArgs *args, const char *page, int *out_troubles)
{
    Opened x = {0}, predicted = {0};
    RiStatus status = run_one(ctx, args, args->plans[0], NULL, &x);
    predicted.plan = x.plan;
    if (status == RI_OK)
        status = run_one(ctx, args, args->plans[0], "map", &predicted);
    if (status == RI_OK) {
        const char *name = args->fidelity ? args->fidelity : ri_fidelity_name(ri_plan_fidelity(x.plan));
        const RiPlanTotals a = ri_plan_run_totals(x.run), b = ri_plan_run_totals(predicted.run);
        print_totals(x.plan, x.run, name);
        print_stretches(x.run);
        print_rows(x.run);
        print_sols(x.run);
        print_passes(x.run);
        *out_troubles = print_losses(x.run);
        *out_troubles += print_mapped(x.plan, x.run);
        *out_troubles += print_troubles(x.run);
        printf("  predicted by map: used %.1f Wh (%+.2f %%), generated %.1f Wh, way %.1f m, charge %.3f\n",
               b.used / 3600.0, a.used > 0.0 ? 100.0 * (b.used / a.used - 1.0) : 0.0, b.generated / 3600.0, b.way,
               b.charge);
        if (ri_plan_run_fidelity(x.run) != RI_FIDELITY_MAP)
            *out_troubles += print_mapped(x.plan, predicted.run);
        if (page)
            status = ri_plan_report(ctx, x.plan, x.run, predicted.run, page);
        if (page && status == RI_OK)
            printf("  page      %s\n", page);
    }
    ri_plan_run_destroy(predicted.run);
    close_plan(&x);
    return status;
}

static int plan_run(int argc, char **argv)
{
    PlanArgs args;
    RiContext *ctx = NULL;
    int troubles = 0;
    if (!parse_args(argc, argv, 1, "Carries a plan out and compares it with its prediction by map.", &args))
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    const RiStatus status = run_and_show(ctx, &args, args.page, &troubles);
    return finish(ctx, status, troubles);
}

static int plan_report(int argc, char **argv)
{
    PlanArgs args;
    RiContext *ctx = NULL;
    int troubles = 0;
    if (!parse_args(argc, argv, 1,
                    "Carries a plan out and writes a page: timeline, path, energy, temperatures, data, margins.",
                    &args))
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    const RiStatus status = run_and_show(ctx, &args, args.page ? args.page : "plan.html", &troubles);
    return finish(ctx, status, troubles);
}

static void print_difference(const char *what, const char *unit, double a, double b)
{
    printf("  %-14s %12.4g %12.4g %+12.4g %s\n", what, a, b, b - a, unit);
}

static int plan_compare(int argc, char **argv)
{
    PlanArgs args;
    RiContext *ctx = NULL;
    Opened x[2] = {{0}};
    if (!parse_args(argc, argv, 2, "Carries two plans out and shows where they differ.", &args))
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    RiStatus status = run_one(ctx, &args, args.plans[0], NULL, &x[0]);
    if (status == RI_OK)
        status = run_one(ctx, &args, args.plans[1], NULL, &x[1]);
    if (status == RI_OK) {
        const RiPlanTotals a = ri_plan_run_totals(x[0].run), b = ri_plan_run_totals(x[1].run);
        printf("  %-14s %12.12s %12.12s %12s\n", "", ri_plan_name(x[0].plan), ri_plan_name(x[1].plan), "difference");
        print_difference("time", "h", a.time / 3600.0, b.time / 3600.0);
        print_difference("way", "m", a.way, b.way);
        print_difference("generated", "Wh", a.generated / 3600.0, b.generated / 3600.0);
        print_difference("used", "Wh", a.used / 3600.0, b.used / 3600.0);
        print_difference("sent", "Mbit", 1e-6 * a.sent, 1e-6 * b.sent);
        print_difference("charge", "", a.charge, b.charge);
        print_difference("lowest charge", "", a.lowest_charge, b.lowest_charge);
        print_difference("failed", "", a.failed, b.failed);
        print_difference("skipped", "", a.skipped, b.skipped);
        print_difference("violated", "margins", a.violated, b.violated);
        print_difference("lost data", "Mbit", 1e-6 * a.lost, 1e-6 * b.lost);
        print_difference("unserved", "Wh", a.unserved / 3600.0, b.unserved / 3600.0);
        print_difference("bus dead", "h", a.dead / 3600.0, b.dead / 3600.0);
        for (int i = 0; i < 2; i++)
            print_mapped(x[i].plan, x[i].run);
        if (args.page)
            status = ri_plan_report(ctx, x[0].plan, x[0].run, x[1].run, args.page);
        if (args.page && status == RI_OK)
            printf("  page           %s\n", args.page);
    }
    close_plan(&x[0]);
    close_plan(&x[1]);
    return finish(ctx, status, 0);
}

int cmd_plan(int argc, char **argv)
{
    static const CliCommand commands[] = {
        {"check", plan_check, "predict a plan: what fails, when and by how much"},
        {"run", plan_run, "run a plan at a fidelity, beside its prediction"},
        {"report", plan_report, "the same, with a report page: timeline, path, energy, temperatures, data, margins"},
        {"compare", plan_compare, "two plans side by side"},
    };
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        printf("Usage: rille plan COMMAND PLAN [OPTION...]\n\nCommands:\n");
        cli_print_commands(commands, 4);
        printf("\nPLAN is a file or the name of a plan that comes with the program. Format: docs/plans.md.\n");
        return CLI_DONE;
    }
    return cli_dispatch("rille plan", commands, 4, argc, argv);
}
