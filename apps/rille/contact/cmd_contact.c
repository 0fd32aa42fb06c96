// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille contact`: laws of a scene, and discrete contact problems with exact friction. This file
/// picks the command.
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "contact/contact.h"

static const CliCommand commands[] = {
    {"pairs", contact_pairs, "list which law acts between which materials of a scene, and what decides its friction"},
    {"solve", contact_solve,
     "solve a problem from a file (Siconos .dat, FCLIB .hdf5): reactions, velocities, residual, time"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

int cmd_contact(int argc, char **argv)
{
    const bool help = argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0;
    if (!help)
        return cli_dispatch("rille contact", commands, COMMANDS, argc, argv);
    printf("Usage: rille contact COMMAND [ARGUMENT...]\n\nCommands:\n");
    cli_print_commands(commands, COMMANDS);
    printf("\n'rille contact COMMAND --help' explains a command.\n");
    return argc < 2 ? CLI_BAD_INPUT : CLI_DONE;
}
