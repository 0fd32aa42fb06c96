// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille bench` and `rille validate`: programs of their own, so that the command which everybody
/// installs does not carry them. This file finds the program and starts it in place of this one.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "commands.h"

/// The program's path: beside this one (build folder), in PREFIX/libexec/rille of this one, or
/// where it would have been installed.
static bool find_tool(const char *name, char out_path[PATH_MAX])
{
    char own[PATH_MAX];
    const bool known = cli_program_folder(own);
    for (int i = 0; i < 3; i++) {
        if (i < 2 && !known)
            continue;
        const int length = i == 0   ? snprintf(out_path, PATH_MAX, "%s/%s", own, name)
                           : i == 1 ? snprintf(out_path, PATH_MAX, "%s/../libexec/rille/%s", own, name)
                                    : snprintf(out_path, PATH_MAX, "%s/%s", RILLE_TOOLS_INSTALL, name);
        if (length < PATH_MAX && access(out_path, X_OK) == 0)
            return true;
    }
    return false;
}

/// Starts the program with this one's arguments; returns only if that failed.
static int become(const char *name, const char *target, char **argv)
{
    char path[PATH_MAX];
    if (!find_tool(name, path)) {
        cli_error("'%s' needs the program %s, which is not installed", argv[0], name);
        cli_error("build it with 'cmake --build build --target %s', or install the component 'tools': "
                  "'cmake --install build --component tools'",
                  target);
        return CLI_ENVIRONMENT;
    }
    fflush(stdout);
    execv(path, argv);
    char reason[128];
    cli_error("%s cannot be started: %s", path, strerror_r(errno, reason, sizeof reason));
    return CLI_ENVIRONMENT;
}

int cmd_bench(int argc, char **argv)
{
    (void)argc;
    return become("rille-bench", "rille_bench", argv);
}

int cmd_validate(int argc, char **argv)
{
    (void)argc;
    return become("rille-validate", "rille_validate", argv);
}
