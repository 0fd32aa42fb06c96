// SPDX-License-Identifier: Apache-2.0
/// \file
/// The folder of measured data, which stands beside the project and is not part of it: what needs
/// it is skipped by name without.
#ifndef RI_TESTS_DATA_H
#define RI_TESTS_DATA_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The folder, whether it exists or not.
static inline const char *data_folder(void)
{
    const char *set = getenv("RILLE_DATA");
    return set ? set : RILLE_SOURCE_DIR "/../shared/data";
}

/// True, with a line that says so, for a scene on measured ground when there is no folder of data.
static inline bool skips_scene(const char *name)
{
    if (!strstr(name, "dingo_gap") || access(data_folder(), R_OK) == 0)
        return false;
    printf("skipped: %s needs the folder of data (RILLE_DATA)\n", name);
    return true;
}

#endif
