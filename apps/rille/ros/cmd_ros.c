// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille ros`: what a scene would be in ROS, and what runs.
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>
#include <rille/ros.h>

#include "cli.h"
#include "commands.h"

typedef struct RosArgs {
    const char *what, *scene, *out;
    RiSetting *settings;
    int setting_count;
    bool ros1;
    double seconds;
    int domain;
} RosArgs;

enum { OPT_SET = 256, OPT_ROS1, OPT_DOMAIN };

static error_t parse_word(int key, char *text, struct argp_state *state)
{
    RosArgs *a = state->input;
    double x;
    switch (key) {
    case OPT_SET:
        return cli_add_setting(&a->settings, &a->setting_count, text, state);
    case OPT_ROS1:
        a->ros1 = true;
        return 0;
    case OPT_DOMAIN:
        if (!cli_parse_number(text, &x) || x < 0.0 || x > 232.0 || x != (int)x)
            argp_error(state, "--domain expects a whole number from 0 to 232, not '%s'", text);
        a->domain = (int)x;
        return 0;
    case 'o':
        a->out = text;
        return 0;
    case 't':
        if (!cli_parse_number(text, &a->seconds) || !(a->seconds > 0.0) || a->seconds > 3600.0)
            argp_error(state, "--time expects seconds above 0, not '%s'", text);
        return 0;
    case ARGP_KEY_ARG:
        if (!a->what)
            a->what = text;
        else if (!a->scene)
            a->scene = text;
        else
            argp_error(state, "'%s' is one argument too many", text);
        return 0;
    case ARGP_KEY_END:
        if (!a->what)
            argp_error(state, "what? graph, topics, joints or types");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {.name = "set", .key = OPT_SET, .arg = "NAME=VALUE", .doc = "A setting of the scene; may be repeated"},
    {.name = "out", .key = 'o', .arg = "FILE", .doc = "Write the graph: FILE ends in .svg, .dot or .txt"},
    {.name = "ros1", .key = OPT_ROS1, .doc = "Ask the master of ROS 1 instead of listening to ROS 2"},
    {.name = "domain", .key = OPT_DOMAIN, .arg = "N", .doc = "Domain of DDS (ROS_DOMAIN_ID, else 0)"},
    {.name = "time", .key = 't', .arg = "SECONDS", .doc = "How long to listen (3)"},
    {0}};

static const char doc[] = "What a scene would be in ROS, and what runs.\n\n"
                          "  rille ros graph          nodes and topics of the running system\n"
                          "  rille ros graph SCENE    the same of a scene alone\n"
                          "  rille ros topics SCENE   its topics with types, rates and hashes\n"
                          "  rille ros joints SCENE   what set-points of each joint reach\n"
                          "  rille ros types          message types with their hashes\n"
                          "\vExit codes: 0 done, 2 bad input, 3 environment.";

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/// The graph to a file, or as a list.
static CliExit put_graph(RiContext *ctx, const RosArgs *a, const RiRosGraph *g)
{
    const RiRosGraphForm form = !a->out || ends_with(a->out, ".txt") ? RI_ROS_GRAPH_LIST
                                : ends_with(a->out, ".svg")          ? RI_ROS_GRAPH_SVG
                                                                     : RI_ROS_GRAPH_DOT;
    char *text;
    const RiStatus status = ri_ros_graph_text(ctx, g, form, &text);
    if (status != RI_OK)
        return cli_fail(ctx, status);
    CliExit code = CLI_DONE;
    RiBeside beside = {.file = -1};
    FILE *file = a->out ? ri_beside_stream(&beside, a->out) : stdout;
    int error = file && fputs(text, file) >= 0 ? 0 : errno;
    const int closing = ri_beside_close(&beside, error == 0);
    error = error ? error : closing;
    if (error != 0) {
        cli_error("%s: cannot be written: %s", a->out ? a->out : "standard output", strerror(error));
        code = CLI_ENVIRONMENT;
    }
    ri_ros_text_free(text);
    return code;
}

static void print_topics(const RiRos *ros)
{
    for (int i = 0; i < ri_ros_topic_count(ros); i++) {
        const RiRosTopicInfo t = ri_ros_topic(ros, i);
        char hash[72], md5[33], rate[32] = "";
        if (t.rate > 0.0)
            snprintf(rate, sizeof rate, "%.4g Hz", t.rate);
        if (!ri_ros_type_facts(t.type, hash, md5))
            continue;
        printf("%-3s %-48s %-34s %-8s %.15s...\n", t.out ? "out" : "in", t.name, t.type, rate, hash);
    }
}

static void print_joints(const RiRos *ros)
{
    printf("%-28s %-44s %-44s %s\n", "joint", "position to", "velocity to", "effort to");
    for (int i = 0; i < ri_ros_joint_count(ros); i++) {
        const RiRosJointInfo j = ri_ros_joint(ros, i);
        printf("%-28s %-44s %-44s %s%s%s\n", j.name, j.position ? j.position : "-", j.velocity ? j.velocity : "-",
               j.effort ? j.effort : "-", j.refusal ? "  # " : "", j.refusal ? j.refusal : "");
    }
}

static void print_types(void)
{
    for (int i = 0; i < RI_ROS_KIND_COUNT; i++) {
        const RiRosKindInfo *k = ri_ros_kind((RiRosKind)i);
        char hash[72], md5[33];
        bool told = false;
        for (int n = 0; n < i; n++)
            told |= strcmp(ri_ros_kind((RiRosKind)n)->type, k->type) == 0;
        if (!told && ri_ros_type_facts(k->type, hash, md5))
            printf("%-34s %s  %s\n", k->type, hash, md5);
    }
}

static CliExit show_link(RiContext *ctx, const RosArgs *a, RiRos *ros)
{
    if (strcmp(a->what, "topics") == 0) {
        print_topics(ros);
    } else if (strcmp(a->what, "joints") == 0) {
        print_joints(ros);
    } else {
        RiRosGraph *g;
        const RiStatus status = ri_ros_graph_of(ros, &g);
        const CliExit code = status == RI_OK ? put_graph(ctx, a, g) : cli_fail(ctx, status);
        ri_ros_graph_destroy(g);
        return code;
    }
    return CLI_DONE;
}

static CliExit show_scene(RiContext *ctx, const RosArgs *a)
{
    RiScene *scene = NULL;
    RiRos *ros = NULL;
    CliExit code;
    RiStatus status = RI_OK;
    char path[PATH_MAX];
    if (!cli_find_scene(a->scene, path))
        return CLI_BAD_INPUT;
    RiSceneOptions o = ri_scene_options_default();
    o.settings = a->settings;
    o.setting_count = a->setting_count;
    status = cli_open_scene(ctx, path, o, &scene);
    if (status == RI_OK)
        status = ri_ros_create(ctx, scene, NULL, RI_ROS_VERSION_NONE, &ros);
    code = status == RI_OK ? show_link(ctx, a, ros) : cli_fail(ctx, status);
    ri_ros_destroy(ros);
    ri_scene_destroy(scene);
    return code;
}

/// Everything that runs.
static CliExit show_system(RiContext *ctx, const RosArgs *a)
{
    RiRosOptions o = ri_ros_options_default();
    RiRosGraph *g;
    o.domain = a->domain;
    const RiStatus status = ri_ros_graph_look(ctx, &o, a->ros1 ? RI_ROS_VERSION_1 : RI_ROS_VERSION_2, a->seconds, &g);
    CliExit code = status == RI_OK ? put_graph(ctx, a, g) : cli_fail(ctx, status);
    if (status == RI_OK && ri_ros_graph_count(g) == 0)
        cli_error("nobody was heard");
    ri_ros_graph_destroy(g);
    return code;
}

static CliExit show(RiContext *ctx, const RosArgs *a)
{
    static const char *const words[] = {"graph", "topics", "joints", "types"};
    int word = 0;
    while (word < 4 && strcmp(a->what, words[word]) != 0)
        word++;
    if (word == 4) {
        cli_error("'%s' is not known; allowed: graph, topics, joints, types", a->what);
        return CLI_BAD_INPUT;
    }
    if (word == 3) {
        print_types();
        return CLI_DONE;
    }
    if (a->scene)
        return show_scene(ctx, a);
    if (word == 0)
        return show_system(ctx, a);
    cli_error("the scene is missing: rille ros %s SCENE", a->what);
    return CLI_BAD_INPUT;
}

int cmd_ros(int argc, char **argv)
{
    const struct argp argp = {
        .options = options, .parser = parse_word, .args_doc = "graph|topics|joints|types [SCENE]", .doc = doc};
    RosArgs args = {.seconds = 3.0, .domain = -1};
    RiContext *ctx = NULL;
    if (cli_parse(&argp, argc, argv, &args) != 0)
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    const CliExit code = show(ctx, &args);
    ri_context_destroy(ctx);
    free(args.settings);
    return code;
}
