// SPDX-License-Identifier: Apache-2.0
/// \file
/// Options of the robot commands, and the steps from a word on the command line to a model.
#include <stdlib.h>
#include <string.h>

#include "robot/robot.h"

/// Appends one item to a list; false if there is no memory.
static bool grow(void **list, int count, size_t size)
{
    void *more = realloc(*list, (size_t)(count + 1) * size);
    if (more)
        *list = more;
    return more != NULL;
}

static error_t add_package_path(RobotArgs *args, const char *text)
{
    if (!grow((void **)&args->package_paths, args->package_path_count, sizeof *args->package_paths))
        return ENOMEM;
    args->package_paths[args->package_path_count++] = text;
    return 0;
}

static void read_base(RobotArgs *args, const char *text, struct argp_state *state)
{
    if (strcmp(text, "fixed") == 0)
        args->base = RI_BASE_FIXED;
    else if (strcmp(text, "floating") == 0)
        args->base = RI_BASE_FLOATING;
    else
        argp_error(state, "--base is fixed or floating, not '%s'", text);
}

static void read_gravity(RobotArgs *args, const char *text, struct argp_state *state)
{
    double g[3];
    int count;
    if (!cli_parse_numbers(text, 3, 3, g, &count))
        argp_error(state, "--gravity expects three numbers X,Y,Z [m/s^2], not '%s'", text);
    else
        args->gravity = ri_vec3(g[0], g[1], g[2]);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    RobotArgs *args = state->input;
    switch (key) {
    case OPT_SET:
        return cli_add_setting(&args->settings, &args->setting_count, text, state);
    case OPT_PACKAGE_PATH:
        return add_package_path(args, text);
    case OPT_JSON:
        args->json = true;
        return 0;
    case OPT_ALL:
        args->all = true;
        return 0;
    case OPT_NO_DERIVE:
        args->no_derive = true;
        return 0;
    case OPT_NO_REDUCE:
        args->reduce = false;
        return 0;
    case OPT_BASE:
        read_base(args, text, state);
        return 0;
    case OPT_GRAVITY:
        read_gravity(args, text, state);
        return 0;
    case OPT_IN_PLACE_OF:
        args->in_place_of = text;
        return 0;
    case OPT_Q:
        args->q = text;
        return 0;
    case OPT_V:
        args->v = text;
        return 0;
    case OPT_TAU:
        args->tau = text;
        return 0;
    case OPT_AT:
        args->at = text;
        return 0;
    case OPT_DIRECTION:
        args->direction = text;
        return 0;
    case OPT_TIP:
        args->tip = text;
        return 0;
    case OPT_FROM:
        args->from = text;
        return 0;
    case ARGP_KEY_ARG:
        if (args->word_count == args->word_limit)
            argp_error(state, "'%s' is one argument too many", text);
        args->words[args->word_count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (args->word_count < args->word_limit)
            argp_error(state, "%s missing", args->word_limit == 1 ? "the robot is" : "two robots are wanted, one is");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

bool robot_parse(const struct argp_option *options, const char *words, const char *doc, int word_count, int argc,
                 char **argv, RobotArgs *out_args)
{
    *out_args = (RobotArgs){.word_limit = word_count, .reduce = true, .gravity = {0.0, 0.0, -9.81}};
    const struct argp argp = {.options = options, .parser = parse, .args_doc = words, .doc = doc};
    const error_t error = cli_parse(&argp, argc, argv, out_args);
    if (error)
        robot_args_free(out_args);
    return error == 0;
}

void robot_args_free(RobotArgs *args)
{
    free(args->settings);
    free(args->package_paths);
    args->settings = NULL;
    args->package_paths = NULL;
}

CliExit robot_begin(const RobotArgs *args, Robot *r)
{
    *r = (Robot){0};
    if (!cli_find_robot(args->words[0], r->path))
        return CLI_BAD_INPUT;
    if (args->in_place_of && !cli_find_robot(args->in_place_of, r->stand_in_for))
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &r->ctx) != RI_OK)
        return cli_no_memory();
    const RiStatus status = ri_report_create(r->ctx, &r->report);
    return status == RI_OK ? CLI_DONE : cli_fail(r->ctx, status);
}

RiStatus robot_load(const RobotArgs *args, Robot *r)
{
    RiLoadOptions options = ri_load_options_default();
    options.settings = args->settings;
    options.setting_count = args->setting_count;
    options.package_paths = args->package_paths;
    options.package_path_count = args->package_path_count;
    options.no_derive = args->no_derive;
    options.report = r->report;
    if (*r->stand_in_for)
        return ri_robot_replace(r->ctx, r->stand_in_for, r->path, &options, &r->spec);
    return ri_robot_load(r->ctx, r->path, &options, &r->spec);
}

RiStatus robot_build(const RobotArgs *args, Robot *r)
{
    RiModelOptions options = ri_model_options_default();
    options.reduce = args->reduce;
    options.base = args->base;
    options.report = r->report;
    return ri_model_create(r->ctx, r->spec, &options, &r->model);
}

CliExit robot_open(const RobotArgs *args, Robot *r)
{
    const CliExit code = robot_begin(args, r);
    if (code != CLI_DONE)
        return code;
    RiStatus status = robot_load(args, r);
    if (status == RI_OK)
        status = robot_build(args, r);
    return status == RI_OK ? CLI_DONE : cli_fail(r->ctx, status);
}

void robot_close(Robot *r)
{
    ri_model_destroy(r->model);
    ri_spec_destroy(r->spec);
    ri_report_destroy(r->report);
    ri_context_destroy(r->ctx);
    *r = (Robot){0};
}

bool robot_shows(const RobotArgs *args, int index, int count)
{
    enum { LIMIT = 40, HEAD = 24, TAIL = 8 };
    if (args->all || count <= LIMIT || index < HEAD || index >= count - TAIL)
        return true;
    if (index == HEAD)
        printf("  ... %d more (--all shows them) ...\n", count - HEAD - TAIL);
    return false;
}

RobotPlace robot_place(const char *file, int line)
{
    RobotPlace place = {""};
    if (file && line > 0)
        snprintf(place.text, sizeof place.text, "%s:%d: ", file, line);
    else if (file)
        snprintf(place.text, sizeof place.text, "%s: ", file);
    return place;
}

const char *plural(int count)
{
    return count == 1 ? "" : "s";
}
