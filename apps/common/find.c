// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the program's data are, as the library finds them (rille/paths.h), written as a user
/// would.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

bool cli_program_folder(char out_folder[PATH_MAX])
{
    const ssize_t n = readlink("/proc/self/exe", out_folder, PATH_MAX - 1);
    if (n <= 0)
        return false;
    out_folder[n] = '\0';
    char *slash = strrchr(out_folder, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

/// Shortens a path inside the working folder to the part from there, as a user would write it.
static void shorten(char path[PATH_MAX])
{
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here))
        return;
    const size_t n = strlen(here);
    if (strncmp(path, here, n) == 0 && path[n] == '/')
        memmove(path, path + n + 1, strlen(path + n + 1) + 1);
}

void cli_data_folder(const char *kind, char out_folder[PATH_MAX])
{
    _Static_assert(PATH_MAX >= RI_PATH_SIZE, "a path of the library fits");
    ri_paths_folder(kind, NULL, out_folder);
    shorten(out_folder);
}

void cli_terrains_folder(char out_folder[PATH_MAX])
{
    cli_data_folder("terrains", out_folder);
}

void cli_soils_folder(char out_folder[PATH_MAX])
{
    cli_data_folder("soils", out_folder);
}

void cli_data_path(char out_folder[PATH_MAX])
{
    const char *wanted = getenv("RILLE_DATA");
    snprintf(out_folder, PATH_MAX, "%s", wanted ? wanted : "");
}

void cli_cache_folder(char out_folder[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    *out_folder = '\0';
    if (cache && *cache)
        snprintf(out_folder, PATH_MAX, "%s/rille", cache);
    else if (home && *home)
        snprintf(out_folder, PATH_MAX, "%s/.cache/rille", home);
}
