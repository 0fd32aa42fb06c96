// SPDX-License-Identifier: Apache-2.0
/// \file
/// The `rille terrain` commands, and what they share: a terrain by name or file.
#ifndef RILLE_APP_TERRAIN_H
#define RILLE_APP_TERRAIN_H

#include <argp.h>

#include "cli.h"

int terrain_info(int argc, char **argv);
int terrain_draw(int argc, char **argv);
int terrain_import(int argc, char **argv);
int terrain_make(int argc, char **argv);
int terrain_soils(int argc, char **argv);
int terrain_from_stereo(int argc, char **argv);

/// A terrain on the command line, opened.
typedef struct TerrainOpen {
    const char *word;
    RiSetting *settings;
    int setting_count;
    RiContext *ctx;
    RiReport *report;
    RiTerrainFile *file;
    char path[PATH_MAX];
} TerrainOpen;

/// Adds "NAME=VALUE" to the settings.
error_t terrain_add_setting(TerrainOpen *o, char *text, struct argp_state *state);
/// Turns a word into a terrain: a name of the terrains folder, a description (.yaml), a raster or a
/// mesh. Prints what is wrong.
CliExit terrain_open(TerrainOpen *o);
void terrain_close(TerrainOpen *o);

#endif
