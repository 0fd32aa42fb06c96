// SPDX-License-Identifier: Apache-2.0
/// \file
/// The `rille` command: picks the command named by the first word and hands over the rest.
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const CliCommand commands[] = {
    {"run", cmd_run, "simulate a scene: log, summary, report, checkpoints, or step by step at a prompt"},
    {"view", cmd_view, "watch a scene live, or a log, in the browser: cameras, plots, pause, set values"},
    {"place", cmd_place, "find where a scene's robot starts, touching the ground it shall lie or hang in"},
    {"plot", cmd_plot, "draw signals of a log: terminal, SVG, PNG, or CSV"},
    {"robot", cmd_robot, "look into a robot file: check, show, reduce, dynamics, replace"},
    {"terrain", cmd_terrain, "ground to drive on: info, draw, import, make, soils"},
    {"study", cmd_study, "campaigns of many runs: tilt-table, contact-models"},
    {"contact", cmd_contact, "discrete contact problems with exact friction: solve files of Siconos and FCLIB"},
    {"fit", cmd_fit, "parameters of a law from tests: screw, soil"},
    {"validate", cmd_validate, "compare with published and closed-form results"},
    {"bench", cmd_bench, "measure speed, against other engines in the same run"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int print_robots(void)
{
    CliRobot *robots = NULL;
    int count = 0;
    char folder[PATH_MAX];
    if (!cli_list_robots(&robots, &count)) {
        free(robots);
        return cli_no_memory();
    }
    cli_robots_folder(folder);
    if (count)
        printf("Robots (in %s):\n", folder);
    else
        printf("No robots were found; set RILLE_ROBOTS to the folder that holds them.\n");
    for (int i = 0; i < count; i++)
        printf("  %-14s %s\n", robots[i].name, robots[i].about);
    free(robots);
    return CLI_DONE;
}

static int print_help(void)
{
    printf("rille %s: simulates planetary surface robots\n\n", ri_version());
    printf("Usage: rille COMMAND [ARGUMENT...]\n\nCommands:\n");
    cli_print_commands(commands, COMMANDS);
    printf("\n");
    int status = cli_print_scenes();
    printf("\n");
    if (status == CLI_DONE)
        status = print_robots();
    printf("\nTry:\n"
           "  rille run pendulum                      simulate a scene\n"
           "  rille view snake_servo                  watch it in the browser\n"
           "  rille robot show snake --set modules=4  what it is made of\n"
           "  rille robot check my_robot.urdf         what is understood, ignored or wrong in a file\n"
           "  rille robot dynamics arm --json         accelerations, mass matrix, joint loads\n"
           "\n'rille COMMAND --help' explains a command, 'rille --version' names version and features.\n"
           "Exit codes: 0 done, 1 run failed, 2 bad input, 3 environment.\n");
    return status;
}

/// Kernels that this processor gets; they are chosen when a robot's dynamics are set up, so a robot of one link is.
static RiStatus find_kernels(RiContext *ctx, const char **out_name)
{
    RiSpec *spec = NULL;
    RiModel *model = NULL;
    RiDyn *dyn = NULL;
    RiLinkSpec link = ri_link_default();
    link.name = "ball";
    link.mass = 1.0;
    link.inertia = ri_inertia_sphere(1.0, 0.1);
    *out_name = "none";
    RiStatus status = ri_spec_create(ctx, "ball", &spec);
    if (status == RI_OK)
        status = ri_spec_add_link(spec, &link);
    if (status == RI_OK)
        status = ri_model_create(ctx, spec, NULL, &model);
    if (status == RI_OK)
        status = ri_dyn_create(ctx, model, &dyn);
    if (status == RI_OK)
        *out_name = ri_dyn_kernels(dyn);
    ri_dyn_destroy(dyn);
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    return status;
}

static int print_version(void)
{
    RiContext *ctx = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    const char *kernels;
    const RiStatus status = find_kernels(ctx, &kernels);
    int code = CLI_DONE;
    if (status == RI_OK)
        printf("rille %s\nfeatures  %s\nkernels   %s\n", ri_version(), ri_version_features(), kernels);
    else
        code = cli_fail(ctx, status);
    ri_context_destroy(ctx);
    return code;
}

static bool is_any(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int run(int argc, char **argv)
{
    if (argc < 2 || is_any(argv[1], "--help", "-?", "-h"))
        return print_help();
    if (is_any(argv[1], "--version", "-V", "version"))
        return print_version();
    if (strcmp(argv[1], "help") == 0) {
        if (argc < 3)
            return print_help();
        char help[] = "--help";
        char *asked[] = {argv[0], argv[2], help, NULL};
        return cli_dispatch("rille", commands, COMMANDS, 3, asked);
    }
    return cli_dispatch("rille", commands, COMMANDS, argc, argv);
}

int main(int argc, char **argv)
{
    argp_err_exit_status = CLI_BAD_INPUT;
    const int code = run(argc, argv);
    // A full disk or a closed pipe must not look like success.
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "rille: cannot write the output: %s\n", strerror(errno));
        return CLI_ENVIRONMENT;
    }
    return code;
}
