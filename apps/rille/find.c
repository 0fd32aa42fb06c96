// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the program's data are: a folder named by the environment, beside the installed program, in the source tree, or where it would
/// have been installed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/// What was installed with this program, wherever it was installed to: PREFIX/bin/rille has it in PREFIX/share/rille.
static bool folder_beside_program(const char *kind, char out_folder[PATH_MAX])
{
    char program[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0)
        return false;
    program[n] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return false;
    *slash = '\0';
    const int length = snprintf(out_folder, PATH_MAX, "%s/../share/rille/%s", program, kind);
    return length < PATH_MAX && is_folder(out_folder);
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

void cli_data_folder(const char *kind, const char *variable, char out_folder[PATH_MAX])
{
    const char *wanted = getenv(variable);
    if (wanted && *wanted) {
        snprintf(out_folder, PATH_MAX, "%s", wanted);
        return;
    }
    if (folder_beside_program(kind, out_folder))
        return;
    static const char *const places[] = {RILLE_SOURCE_DIR, RILLE_DATA_INSTALL};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (snprintf(out_folder, PATH_MAX, "%s/%s", places[i], kind) < PATH_MAX && is_folder(out_folder)) {
            shorten(out_folder);
            return;
        }
    }
    *out_folder = '\0';
}
