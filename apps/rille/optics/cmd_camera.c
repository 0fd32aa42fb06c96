// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille camera`: models of cameras and their pictures. This file picks the command; each has its
/// own.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "optics/optics.h"

static const CliCommand commands[] = {
    {"models", camera_models, "list the shipped camera models or those of a table; rays and pixels of one"},
    {"shot", camera_shot, "a picture of a scene at a time, and the ground truth of its pixels"},
    {"calibrate", camera_calibrate, "fit a model to sightings of a target, or one model to another"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

int cmd_camera(int argc, char **argv)
{
    const bool help = argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0;
    if (!help)
        return cli_dispatch("rille camera", commands, COMMANDS, argc, argv);
    printf("Usage: rille camera COMMAND [ARGUMENT...]\n\nCommands:\n");
    cli_print_commands(commands, COMMANDS);
    printf("\n'rille camera COMMAND --help' explains a command.\n");
    return argc < 2 ? CLI_BAD_INPUT : CLI_DONE;
}
