// SPDX-License-Identifier: Apache-2.0
/// \file
/// The `rille terrain` commands.
#ifndef RILLE_APP_TERRAIN_H
#define RILLE_APP_TERRAIN_H

#include "cli.h"

int terrain_import(int argc, char **argv);

#endif
