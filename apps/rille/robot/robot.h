// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the `rille robot` commands share: their options, the loaded robot, and lists that are cut
/// when long.
///
///     argv --(robot_parse)--> RobotArgs --(robot_open)--> Robot: spec, model, report
#ifndef RILLE_APP_ROBOT_H
#define RILLE_APP_ROBOT_H

#include <argp.h>
#include <stdio.h>

#include "cli.h"
#include "json.h"

typedef struct RobotArgs {
    const char *words[2]; ///< arguments that are not options: robots
    int word_count;
    int word_limit; ///< how many the command takes
    bool json;
    bool all; ///< no list is cut
    bool reduce, no_derive;
    RiBase base;
    RiVec3 gravity; ///< [m/s^2]
    const char *in_place_of;
    const char *q, *v, *tau;                 ///< lists as written, NULL if not given
    const char *at, *direction, *tip, *from; ///< of an arm
    RiSetting *settings;
    int setting_count;
    const char **package_paths;
    int package_path_count;
} RobotArgs;

/// Options, to be listed in a command's table (see <argp.h>).
enum {
    OPT_SET = 's',
    OPT_PACKAGE_PATH = 'p',
    OPT_JSON = 'j',
    OPT_ALL = 'a',
    OPT_NO_REDUCE = 0x100,
    OPT_NO_DERIVE,
    OPT_BASE,
    OPT_IN_PLACE_OF,
    OPT_Q,
    OPT_V,
    OPT_TAU,
    OPT_GRAVITY,
    OPT_AT,
    OPT_DIRECTION,
    OPT_TIP,
    OPT_FROM
};
// clang-format off
#define ROBOT_OPTIONS_LOAD                                                                                             \
    {.name = "set", .key = OPT_SET, .arg = "NAME=VALUE", .doc = "Set a parameter of a template or a xacro argument (may be repeated)"}, \
    {.name = "package-path", .key = OPT_PACKAGE_PATH, .arg = "DIR",                                                    \
     .doc = "Folder searched for package://NAME/... and $(find NAME): holds NAME or is NAME (may be repeated)"},            \
    {.name = "no-derive", .key = OPT_NO_DERIVE, .doc = "Derive no wheels of a URDF from its round shapes"}
#define ROBOT_OPTION_JSON      {.name = "json", .key = OPT_JSON, .doc = "Write one JSON object"}
#define ROBOT_OPTION_ALL       {.name = "all", .key = OPT_ALL, .doc = "Do not shorten long lists"}
#define ROBOT_OPTION_NO_REDUCE {.name = "no-reduce", .key = OPT_NO_REDUCE, .doc = "Keep fixed and massless links as bodies"}
#define ROBOT_OPTION_BASE      {.name = "base", .key = OPT_BASE, .arg = "fixed|floating", .doc = "How the root link is held"}
// clang-format on

/// Reads the command line with the parser shared by all robot commands; wrong use ends the program
/// with CLI_BAD_INPUT and a usage message. False: out of memory.
bool robot_parse(const struct argp_option *options, const char *words, const char *doc, int word_count, int argc,
                 char **argv, RobotArgs *out_args);
void robot_args_free(RobotArgs *args);

/// A robot as loaded. Zero-initialised is closed.
typedef struct Robot {
    RiContext *ctx;
    RiReport *report; ///< findings of the loader and of the model's builder
    RiSpec *spec;
    RiModel *model;
    char path[PATH_MAX];
    char stand_in_for[PATH_MAX]; ///< robot that it replaces, "" if none
} Robot;

/// Context, report and path of args->words[0]; CLI_DONE or the exit code after a message.
CliExit robot_begin(const RobotArgs *args, Robot *r);
/// Reads the file into r->spec.
RI_MUST_CHECK RiStatus robot_load(const RobotArgs *args, Robot *r);
/// Compiles r->spec into r->model.
RI_MUST_CHECK RiStatus robot_build(const RobotArgs *args, Robot *r);
/// All three; prints a message on failure.
CliExit robot_open(const RobotArgs *args, Robot *r);
void robot_close(Robot *r);

/// Whether line `index` of a list of `count` is shown: all of a short list, head and tail of a long
/// one. Prints how many were left out where they would appear.
bool robot_shows(const RobotArgs *args, int index, int count);

/// "file:line: " of a place, "file: " without a line, "" without a file.
typedef struct RobotPlace {
    char text[PATH_MAX + 24];
} RobotPlace;
RobotPlace robot_place(const char *file, int line);

const char *plural(int count); ///< "s" unless count is 1

int robot_check(int argc, char **argv);
int robot_show(int argc, char **argv);
int robot_reduce(int argc, char **argv);
int robot_dynamics(int argc, char **argv);
int robot_replace(int argc, char **argv);
int robot_reach(int argc, char **argv);
int robot_pose(int argc, char **argv);

#endif
