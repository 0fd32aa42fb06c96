// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille robot replace`: whether a robot file can stand in for another one, with the list of
/// differences if not.
#include "robot/robot.h"

static void write_json(const Robot *r, const RobotArgs *args, bool similar)
{
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_string(&j, "built_in", args->words[0]);
    json_string(&j, "replacement", r->path);
    json_bool(&j, "similar", similar);
    json_open(&j, "differences", '[');
    for (int i = 0; i < ri_report_count(r->report); i++) {
        const RiFinding *f = ri_report_get(r->report, i);
        if (f->kind != RI_FINDING_NONPHYSICAL)
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

/// Differences one by one, like a compiler's messages, then the refusal.
static CliExit refuse(const Robot *r, const RobotArgs *args)
{
    for (int i = 0; i < ri_report_count(r->report); i++) {
        const RiFinding *f = ri_report_get(r->report, i);
        if (f->kind == RI_FINDING_NONPHYSICAL)
            cli_error("%s%s", robot_place(f->file ? f->file : r->path, f->line).text, f->text);
    }
    const int n = ri_report_count_kind(r->report, RI_FINDING_NONPHYSICAL);
    cli_error("%s cannot replace %s: %d structural difference%s", r->path, args->words[0], n, plural(n));
    return CLI_BAD_INPUT;
}

static CliExit replace(const RobotArgs *args, Robot *r)
{
    RobotArgs swapped = *args;
    swapped.in_place_of = args->words[0];
    swapped.words[0] = args->words[1];
    const CliExit code = robot_begin(&swapped, r);
    if (code != CLI_DONE)
        return code;
    RiStatus status = robot_load(&swapped, r);
    const bool differs = status == RI_ERR_MODEL && ri_report_count_kind(r->report, RI_FINDING_NONPHYSICAL) > 0;
    if (status == RI_OK)
        status = robot_build(&swapped, r);
    if (status != RI_OK && !differs)
        return cli_fail(r->ctx, status);
    if (args->json)
        write_json(r, args, !differs);
    if (differs)
        return refuse(r, args);
    if (!args->json)
        printf("%s can replace %s: same joints, types and tree; %d link%s, %d coordinate%s\n", r->path, args->words[0],
               ri_model_link_count(r->model), plural(ri_model_link_count(r->model)), ri_model_nv(r->model),
               plural(ri_model_nv(r->model)));
    return CLI_DONE;
}

int robot_replace(int argc, char **argv)
{
    static const struct argp_option options[] = {ROBOT_OPTIONS_LOAD, ROBOT_OPTION_JSON, {0}};
    static const char doc[] = "Says whether the robot in REPLACEMENT can be used wherever BUILTIN is: same joint "
                              "names, joint types and moving "
                              "tree. Masses, lengths, axes and meshes may differ.\vExit code: 0 if it can, 2 with the "
                              "list of differences if not.";
    RobotArgs args;
    if (!robot_parse(options, "BUILTIN REPLACEMENT", doc, 2, argc, argv, &args))
        return cli_no_memory();
    Robot r;
    const CliExit code = replace(&args, &r);
    robot_close(&r);
    robot_args_free(&args);
    return code;
}
