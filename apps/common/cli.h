// SPDX-License-Identifier: Apache-2.0
/// \file
/// What all programs of the project share: exit codes, messages, misspelt words, robots and scenes
/// by name.
///
/// Results go to the standard output, messages to the standard error as "rille: file:line:
/// message".
#ifndef RILLE_APP_CLI_H
#define RILLE_APP_CLI_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include <rille/rille.h>

/// Exit codes, the same for every command.
typedef int CliExit;
enum {
    CLI_DONE = 0,       ///< did what was asked
    CLI_RUN_FAILED = 1, ///< numerics or mobility: the input was fine, the run was not
    CLI_BAD_INPUT = 2,  ///< a file, an option or a value is wrong
    CLI_ENVIRONMENT = 3 ///< memory, disk, a missing part of this build
};

CliExit cli_exit_code(RiStatus status);

/// "rille: " and the formatted message, as one line on the standard error, after flushing the
/// standard output.
void cli_error(const char *format, ...) RI_PRINTF(1, 2);
/// The same for the context's message; returns the exit code that belongs to `status`.
CliExit cli_fail(const RiContext *ctx, RiStatus status);
/// "rille: out of memory".
CliExit cli_no_memory(void);

/// A word with its meaning, for tables of commands.
typedef struct CliCommand {
    const char *name;
    int (*run)(int argc, char **argv); ///< argv[0] is the full command ("rille robot"), as usage messages show it
    const char *about;
} CliCommand;

struct argp;
/// argp_parse with the defaults. Asked for nothing but --describe, it prints the option table for
/// man pages and completion instead and ends the program, as cli_dispatch does with its commands:
/// lines of fields parted by tabs (cli_describe.c).
int cli_parse(const struct argp *argp, int argc, char **argv, void *input);
bool cli_wants_description(int argc, char **argv);
void cli_describe_commands(const CliCommand *commands, int count);

/// Runs the command named by argv[1] with the arguments after it; an unknown one is an error with a
/// suggestion.
int cli_dispatch(const char *program, const CliCommand *commands, int count, int argc, char **argv);
void cli_print_commands(const CliCommand *commands, int count);

/// A robot that can be called by its name alone.
typedef struct CliRobot {
    char name[64];
    char path[PATH_MAX];
    char about[96]; ///< first sentence of the file's first comment, "" if it has none
} CliRobot;

/// The folder of the running program's file; false if the system does not tell.
bool cli_program_folder(char out_folder[PATH_MAX]);
/// The folder of the robots or scenes that come with the program (`kind`), as ri_paths_folder finds
/// it, seen from the working folder. "" if there is none.
void cli_data_folder(const char *kind, char out_folder[PATH_MAX]);
/// The robots in the robots folder, sorted by name; the caller frees the list. The folder is that
/// of the environment variable RILLE_ROBOTS, else the one installed with this program, else the
/// source tree's. False: out of memory.
bool cli_list_robots(CliRobot **out_robots, int *out_count);
/// The folder used, or "" if there is none.
void cli_robots_folder(char out_folder[PATH_MAX]);
/// Turns what the user wrote into a path: a word without slash and ending is a robot of the robots
/// folder, everything else a file. Prints a message and returns false if there is no such robot.
bool cli_find_robot(const char *word, char out_path[PATH_MAX]);

/// False, with a message that names the right command, if a file is of another kind than wanted:
/// "scene", "robot", "campaign", "plan", "terrain". True for what cannot be read or told.
bool cli_expect_kind(const char *path, const char *kind);

/// The folder of scenes, or "" if there is none: that of the environment variable RILLE_SCENES,
/// else the one installed with this program, else the source tree's.
void cli_scenes_folder(char out_folder[PATH_MAX]);
/// Turns what the user wrote into a path, as cli_find_robot does.
bool cli_find_scene(const char *word, char out_path[PATH_MAX]);
/// A scene that can be called by its name alone, and what it says of itself (in full).
typedef void (*CliSceneFn)(void *user, const char *name, const char *about);
/// Calls `fn` for every scene of the folder, by name. Says so if there are none.
CliExit cli_each_scene(CliSceneFn fn, void *user);
/// Whether a finding of a report, from `first` to before `index`, says the same as the one at `index`.
bool cli_is_repeated(const RiReport *report, int first, int index);
/// Findings behind the one at `index` that say the same.
int cli_repeats(const RiReport *report, int index);
/// Prints a text wrapped at 100 columns, every line but the first behind `indent` blanks.
void cli_print_wrapped(const char *text, int indent);
/// Names of scenes, one a line.
int cli_list_scenes(void);

struct argp_state;
/// Adds the words of `--set NAME=VALUE` to a list that grows and points into `text`; ends the program
/// with a usage message where `text` is something else. ENOMEM: out of memory.
int cli_add_setting(RiSetting **list, int *count, char *text, struct argp_state *state);
/// The same for a name and a value by themselves.
int cli_push_setting(RiSetting **list, int *count, const char *name, const char *value);
/// Loads and builds a scene; robots, terrains, soils, data and cache of `options` are those that the
/// program finds. *out_scene is there once it was loaded, though it could not be built. Messages are
/// left in the context.
RiStatus cli_open_scene(RiContext *ctx, const char *path, RiSceneOptions options, RiScene **out_scene);

/// The folder of terrains, of soils, and of data that is not part of the project (environment
/// RILLE_DATA); "" if there is none.
void cli_terrains_folder(char out_folder[PATH_MAX]);
void cli_soils_folder(char out_folder[PATH_MAX]);
void cli_data_path(char out_folder[PATH_MAX]);
/// Where baked grids are kept: $XDG_CACHE_HOME/rille, else ~/.cache/rille; "" without a home.
void cli_cache_folder(char out_folder[PATH_MAX]);

/// Reads one finite number that fills the whole text, in the "C" locale whatever the environment
/// says.
bool cli_parse_number(const char *text, double *out_value);
/// Numbers separated by commas; false (and no message) if there are fewer than `least` or more than
/// `most`, or one is none.
bool cli_parse_numbers(const char *text, int least, int most, double *out, int *out_count);

#endif
