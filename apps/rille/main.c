// SPDX-License-Identifier: Apache-2.0
/// \file
/// The `rille` command: picks the command named by the first word and hands over the rest.
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"

static const CliCommand commands[] = {
    {"run", cmd_run, "simulate a scene: log, summary, report, checkpoints, or step by step at a prompt"},
    {"view", cmd_view, "watch a scene live, or a log, in the browser: cameras, plots, pause, set values"},
    {"serve", cmd_serve, "let other programs read, set and step a scene: text and frames over TCP or a local socket"},
    {"new", cmd_new, "a new project, ready to run: rover, snake, scene, device"},
    {"fmu", cmd_fmu, "write a scene as an FMU for Simulink, Modelica and other tools: FMI 2.0 and 3.0"},
    {"place", cmd_place, "find a start pose of a scene's robot that touches the ground"},
    {"keys", cmd_keys, "list the keys of scene files with defaults, allowed values and meanings"},
    {"plot", cmd_plot, "draw signals of a log: terminal, SVG, PNG, or CSV"},
    {"list", cmd_list, "what comes with the program: scenes, robots, soils, terrains"},
    {"manual", cmd_manual, "man pages and shell completion of all commands, from their option tables"},
    {"ros", cmd_ros, "ROS: graph of running nodes or of a scene, topics, joints, types"},
    {"robot", cmd_robot, "inspect a robot file: check, show, reduce, dynamics, reach, pose, replace"},
    {"terrain", cmd_terrain, "ground to drive on: info, draw, import, make, soils"},
    {"map", cmd_map, "mobility maps of a terrain for a rover on a soil, and the best path"},
    {"campaign", cmd_campaign,
     "many runs with varied values: Monte Carlo, sensitivity, worst cases; report, replay, cluster"},
    {"sweep", cmd_sweep, "run a scene over values of its settings: table, CSV, plot"},
    {"plan", cmd_plan, "what a robot does over sols: check, run, report, compare"},
    {"time", cmd_time, "clocks of bodies and missions: UTC, sols, local solar times, season, sun and Earth"},
    {"camera", cmd_camera, "cameras up to CAHVORE: models, calibrate, shot (picture and truth)"},
    {"lidar", cmd_lidar, "lidars: units, scan (a cloud of points)"},
    {"study", cmd_study, "campaigns of many runs: tilt-table, contact-models, rock-fields"},
    {"contact", cmd_contact, "discrete contact problems with exact friction: solve files of Siconos and FCLIB"},
    {"fit", cmd_fit, "fit parameters of a law to tests: screw, soil, series"},
    {"validate", cmd_validate, "compare with published and closed-form results"},
    {"bench", cmd_bench, "measure speed, against other engines in the same run"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int print_help(void)
{
    printf("rille %s simulates planetary surface robots: rovers on soil and rock, snakes on ice.\n\n", ri_version());
    printf("Usage: rille COMMAND [ARGUMENT...]. Commands:\n");
    cli_print_commands(commands, COMMANDS);
    printf("\nScenes to start with ('rille run NAME' simulates, 'rille view NAME' shows it in the browser):\n"
           "  mer_sand        a Mars Exploration Rover on soft sand: sinkage, slip, ruts\n"
           "  mer_cul_de_sac  a rover finds its way out of a dead end by its own map\n"
           "  rover_step      a rocker-bogie rover climbs a step\n"
           "  exomars_step    ExoMars climbs a step with exact contact\n"
           "  climb_walls     a snake robot with screws climbs between two walls of ice\n"
           "  pendulum        a double pendulum: the smallest scene\n"
           "\n'rille list scenes|robots|soils|terrains' shows everything by group, 'rille COMMAND --help' explains a\n"
           "command, 'rille --version' the features. Exit codes: 0 done, 1 run failed, 2 bad input, 3 environment.\n");
    return CLI_DONE;
}

/// Kernels that this processor gets; they are chosen when a robot's dynamics are set up, so a robot
/// of one link is.
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
        printf("rille %s\nfeatures  %s\nkernels   %s\nconfined  foreign readers, from: %s\n", ri_version(),
               ri_version_features(), kernels, ri_confine_text());
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

/// Opens 0, 1 and 2 where the caller has closed them: otherwise the next file, a log perhaps, would
/// get such a number and take in what is meant for the terminal. What is written to them fails, as
/// it would to a closed descriptor.
static bool open_standard_files(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

/// Options with control characters: the C library would repeat them raw on the terminal.
static bool are_plain(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        for (const char *c = argv[i]; argv[i][0] == '-' && *c && *c != '='; c++)
            if ((unsigned char)*c < ' ' || *c == 0x7f || (*c == '\xc2' && (unsigned char)c[1] < 0xa0)) {
                cli_error("unrecognized option '%s'", argv[i]);
                return false;
            }
    return true;
}

int main(int argc, char **argv)
{
    if (!open_standard_files())
        return CLI_ENVIRONMENT;
    signal(SIGXFSZ, SIG_IGN); // a file beyond the limit is an error of the write, not a death
    argp_err_exit_status = CLI_BAD_INPUT;
    if (!are_plain(argc, argv))
        return CLI_BAD_INPUT;
    const int code = run(argc, argv);
    // A full disk or a closed pipe must not look like success.
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "rille: cannot write the output: %s\n", strerror(errno));
        return CLI_ENVIRONMENT;
    }
    return code;
}
