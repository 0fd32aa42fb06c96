// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille terrain`: ground to drive on. This file picks the command; each has its own.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "terrain/terrain.h"

static const CliCommand commands[] = {
    {"info", terrain_info, "kind, bounds, memory, heights, slopes, soil; values at a place; the list of terrains"},
    {"draw", terrain_draw, "a picture: hill shade, slope and soil overlays, contours, sections"},
    {"import", terrain_import, "convert a raster: crop, resample, scale, fill"},
    {"make", terrain_make, "synthesise: fractal ground, craters, rocks, ripples, dunes, channels, moulins, courses"},
    {"from-stereo", terrain_from_stereo, "heights from the stereo pairs of a drive, beside the truth"},
    {"soils", terrain_soils, "the library of soils and hard materials, with the sources of their numbers"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

int cmd_terrain(int argc, char **argv)
{
    const bool help = argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0;
    if (!help)
        return cli_dispatch("rille terrain", commands, COMMANDS, argc, argv);
    printf("Usage: rille terrain COMMAND [ARGUMENT...]\n\nCommands:\n");
    cli_print_commands(commands, COMMANDS);
    printf("\n'rille terrain COMMAND --help' explains a command.\n");
    return argc < 2 ? CLI_BAD_INPUT : CLI_DONE;
}
