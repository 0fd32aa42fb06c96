// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille lidar`: units, and scans of a scene.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/cloud_file.h>

#include "commands.h"
#include "optics/optics.h"

enum { OPTION_AT = 0x100, OPTION_SET, OPTION_WORLD };

typedef struct Options {
    const char *scene, *lidar, *out;
    double at;
    bool world, json;
    int setting_count;
    RiSetting *settings;
} Options;

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    Options *o = state->input;
    switch (key) {
    case 'l':
        o->lidar = arg;
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case OPTION_WORLD:
        o->world = true;
        return 0;
    case OPTION_AT:
        if (!cli_parse_number(arg, &o->at) || !(o->at >= 0.0 && o->at <= 1e9))
            argp_error(state, "--at expects a time from 0 to 1e9 s, not '%s'", arg);
        return 0;
    case OPTION_SET:
        return cli_add_setting(&o->settings, &o->setting_count, arg, state);
    case ARGP_KEY_ARG:
        if (o->scene)
            argp_usage(state);
        o->scene = arg;
        return 0;
    case ARGP_KEY_END:
        if (!o->scene)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_list[] = {
    {"at", OPTION_AT, "TIME", 0, "Moment of the scan [s] (the start)", 0},
    {"json", 'j', NULL, 0, "Print one JSON object per lidar", 0},
    {"lidar", 'l', "NAME", 0, "One lidar of the scene; without it all of them", 0},
    {"out", 'o', "FILE", 0, "Write the cloud: FILE ends in .pcd or .ply", 0},
    {"set", OPTION_SET, "NAME=VALUE", 0, "A setting of the scene; may be repeated", 0},
    {"world", OPTION_WORLD, NULL, 0, "True points of the world instead of measured ones in the lidar's frame", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static const struct argp argp = {
    option_list,
    parse_option,
    "SCENE",
    "A whole scan of a scene's lidars, from their places at the start.\vExit codes: 0 done, 1 the "
    "run failed, 2 bad input, 3 environment.",
    NULL,
    NULL,
    NULL};

static void print_cloud(const RiCloudView *c, const char *name, bool json)
{
    int returns = 0, on_robot = 0;
    double near = INFINITY, far = 0.0;
    for (int i = 0; i < c->count; i++)
        if (isfinite(c->returns[i].range[0])) {
            returns++;
            on_robot += c->returns[i].link >= 0;
            near = fmin(near, c->returns[i].range[0]);
            far = fmax(far, c->returns[i].range[0]);
        }
    printf(json ? "{\"lidar\": \"%s\", \"shots\": %d, \"returns\": %d, \"on_robot\": %d, \"nearest_m\": %.9g, "
                  "\"farthest_m\": %.9g, "
                  "\"time\": %.9g}\n"
                : "%s: %d shots, %d returns (%d from the robot), %.3f to %.3f m, at %g s\n",
           name, c->count, returns, on_robot, returns ? near : 0.0, far, c->time);
}

/// Clouds are written in two formats; others are refused before anything is scanned.
static bool is_cloud_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".pcd") == 0 || strcmp(dot, ".ply") == 0);
}

static CliExit scan_all(OpticsStage *s, const Options *o)
{
    int found = 0;
    if (o->out && !is_cloud_file(o->out)) {
        cli_error("%s: clouds are written as .pcd or .ply", o->out);
        return CLI_BAD_INPUT;
    }
    for (int i = 0; i < ri_scene_lidar_count(s->scene); i++) {
        const RiLidarMount *m = ri_scene_lidar(s->scene, i);
        RiCloudView cloud;
        if (o->lidar && strcmp(o->lidar, m->name) != 0)
            continue;
        if (o->out && found) {
            cli_error("--out takes one cloud; choose with --lidar");
            return CLI_BAD_INPUT;
        }
        RiStatus status = ri_perception_scan(s->eyes, i, true, &cloud);
        if (status == RI_OK)
            print_cloud(&cloud, m->name, o->json);
        if (status == RI_OK && o->out)
            status = ri_cloud_save(s->ctx, &cloud, o->world, o->out);
        if (status != RI_OK)
            return cli_fail(s->ctx, status);
        found++;
    }
    if (!found)
        cli_error(o->lidar ? "the scene has no lidar '%s'"
                           : "the scene has no lidars; give it a key 'lidars' (docs/perception.md)%s",
                  o->lidar ? o->lidar : "");
    return found ? CLI_DONE : CLI_BAD_INPUT;
}

static int lidar_scan(int argc, char **argv)
{
    Options o = {.scene = NULL};
    OpticsStage s;
    if (cli_parse(&argp, argc, argv, &o) != 0)
        return CLI_BAD_INPUT;
    CliExit exit = optics_open(&s, o.scene, o.settings, o.setting_count, 2);
    if (exit == CLI_DONE)
        exit = optics_run_to(&s, o.at);
    if (exit == CLI_DONE)
        exit = scan_all(&s, &o);
    optics_close(&s);
    free(o.settings);
    return exit;
}

static int lidar_units(int argc, char **argv)
{
    RiContext *ctx;
    (void)argv;
    if (argc > 1) {
        cli_error("'rille lidar units' takes no arguments");
        return CLI_BAD_INPUT;
    }
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    RiStatus status = RI_OK;
    for (int i = 0; i < ri_lidar_unit_count() && status == RI_OK; i++) {
        RiLidar l;
        (void)ri_lidar_unit(ri_lidar_unit_name(i), &l);
        status = ri_lidar_check(ctx, ri_lidar_unit_name(i), &l);
        printf("%-12s %6d shots a scan, %g Hz, %g to %g m, noise %g m\n", ri_lidar_unit_name(i), l.shots, l.rate,
               l.range_least, l.range_most, l.noise);
    }
    const CliExit exit = status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
    ri_context_destroy(ctx);
    return exit;
}

static const CliCommand commands[] = {
    {"scan", lidar_scan, "a scan of a scene's lidars, as a cloud of points"},
    {"units", lidar_units, "list the lidars known by name"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

int cmd_lidar(int argc, char **argv)
{
    const bool help = argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0;
    if (!help)
        return cli_dispatch("rille lidar", commands, COMMANDS, argc, argv);
    printf("Usage: rille lidar COMMAND [ARGUMENT...]\n\nCommands:\n");
    cli_print_commands(commands, COMMANDS);
    printf("\n'rille lidar COMMAND --help' explains a command.\n");
    return argc < 2 ? CLI_BAD_INPUT : CLI_DONE;
}
