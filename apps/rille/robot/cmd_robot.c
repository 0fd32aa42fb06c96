// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille robot`: looking into robot files. This file picks the command; each has its own.
#include <string.h>

#include "commands.h"
#include "robot/robot.h"

static const CliCommand commands[] = {
    {"check", robot_check, "what is understood, ignored, merged or wrong, each with file and line"},
    {"show", robot_show, "tree of joints and links, masses, coordinates, couplings, mounts"},
    {"reduce", robot_reduce, "which links are merged, and why"},
    {"dynamics", robot_dynamics, "accelerations, mass matrix, energies, frames and joint loads of one state"},
    {"reach", robot_reach, "joint positions that bring an arm's tool to a point, or why none do"},
    {"pose", robot_pose, "its pose at a place of a terrain: attitude, passive joints, wheel loads"},
    {"replace", robot_replace, "whether a robot can replace another"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

int cmd_robot(int argc, char **argv)
{
    const bool help = argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0;
    if (!help)
        return cli_dispatch("rille robot", commands, COMMANDS, argc, argv);
    printf(
        "Usage: rille robot COMMAND ROBOT [OPTION...]\n\n"
        "ROBOT is a file (.urdf, .xml: URDF; .yaml, .yml: template) or the name of a robot ('rille list robots').\n\n"
        "Commands:\n");
    cli_print_commands(commands, COMMANDS);
    printf("\n'rille robot COMMAND --help' explains a command.\n");
    return argc < 2 ? CLI_BAD_INPUT : CLI_DONE;
}
