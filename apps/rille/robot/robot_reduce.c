// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille robot reduce`: what merging locked and massless links does to a robot.
#include "robot/robot.h"

/// Sizes of a robot as computed.
typedef struct Sizes {
    int bodies, joints, spanning, nv;
    double mass;
} Sizes;

static Sizes sizes_of(const RiModel *m)
{
    Sizes s = {.bodies = ri_model_body_count(m), .spanning = ri_model_spanning_nv(m), .nv = ri_model_nv(m)};
    for (int i = 0; i < ri_model_joint_count(m); i++)
        s.joints += !ri_model_joint(m, i).merged;
    s.mass = ri_model_mass(m);
    return s;
}

static void print_row(const char *what, const int *before, int after)
{
    if (before)
        printf("  %-34s %7d %7d\n", what, *before, after);
    else
        printf("  %-34s %7s %7d\n", what, "-", after);
}

static void print_text(const RobotArgs *args, const Robot *r, const Sizes *before, const char *why_not)
{
    const Sizes after = sizes_of(r->model);
    printf("%s (%s): %d links\n\n  %-34s %7s %7s\n", r->spec->name, r->path, r->spec->link_count, "", "before",
           "after");
    print_row("bodies that move", before ? &before->bodies : NULL, after.bodies);
    print_row("joints computed", before ? &before->joints : NULL, after.joints);
    print_row("coordinates of all joints", before ? &before->spanning : NULL, after.spanning);
    print_row("degrees of freedom", before ? &before->nv : NULL, after.nv);
    if (why_not)
        printf("\nWithout reduction it cannot be simulated: %s\n", why_not);
    const int merged = ri_report_count_kind(r->report, RI_FINDING_MERGED);
    printf("\n%s\n", merged ? "merged (the motion stays the same, every link stays a frame)" : "nothing to merge");
    for (int i = 0, shown = 0; i < ri_report_count(r->report); i++) {
        const RiFinding *f = ri_report_get(r->report, i);
        if (f->kind == RI_FINDING_MERGED && robot_shows(args, shown++, merged))
            printf("  %s%s\n", robot_place(f->file, f->line).text, f->text);
    }
}

static void write_sizes(Json *j, const char *key, const Sizes *s)
{
    if (!s) {
        json_string(j, key, NULL);
        return;
    }
    json_open(j, key, '{');
    json_int(j, "bodies", s->bodies);
    json_int(j, "joints", s->joints);
    json_int(j, "spanning_nv", s->spanning);
    json_int(j, "nv", s->nv);
    json_number(j, "mass", s->mass);
    json_close(j, '}');
}

static void write_json(const Robot *r, const Sizes *before, const char *why_not)
{
    const Sizes after = sizes_of(r->model);
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_string(&j, "robot", r->spec->name);
    json_string(&j, "file", r->path);
    json_int(&j, "links", r->spec->link_count);
    write_sizes(&j, "before", before);
    json_string(&j, "before_error", why_not);
    write_sizes(&j, "after", &after);
    json_open(&j, "merged", '[');
    for (int i = 0; i < ri_report_count(r->report); i++) {
        const RiFinding *f = ri_report_get(r->report, i);
        if (f->kind != RI_FINDING_MERGED)
            continue;
        json_open(&j, NULL, '{');
        json_string(&j, "file", f->file);
        json_int(&j, "line", f->line);
        json_string(&j, "text", f->text);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_close(&j, '}');
}

/// Builds the robot again without reduction and shows both.
static CliExit compare(const RobotArgs *args, const Robot *r)
{
    RiModel *plain = NULL;
    RiModelOptions options = ri_model_options_default();
    options.reduce = false;
    options.base = args->base;
    const RiStatus status = ri_model_create(r->ctx, r->spec, &options, &plain);
    if (status != RI_OK && status != RI_ERR_MODEL)
        return cli_fail(r->ctx, status);
    Sizes before = {0};
    if (plain)
        before = sizes_of(plain);
    const char *why_not = plain ? NULL : ri_context_message(r->ctx);
    if (args->json)
        write_json(r, plain ? &before : NULL, why_not);
    else
        print_text(args, r, plain ? &before : NULL, why_not);
    ri_model_destroy(plain);
    return CLI_DONE;
}

int robot_reduce(int argc, char **argv)
{
    static const struct argp_option options[] = {
        ROBOT_OPTIONS_LOAD, ROBOT_OPTION_BASE, ROBOT_OPTION_JSON, ROBOT_OPTION_ALL, {0}};
    static const char doc[] =
        "Shows which links are merged before a robot is simulated, why, and what that saves. Links "
        "behind fixed and locked joints become one body; massless ends become frames.";
    RobotArgs args;
    if (!robot_parse(options, "ROBOT", doc, 1, argc, argv, &args))
        return cli_no_memory();
    Robot r;
    CliExit code = robot_open(&args, &r);
    if (code == CLI_DONE)
        code = compare(&args, &r);
    robot_close(&r);
    robot_args_free(&args);
    return code;
}
