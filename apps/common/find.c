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

// --- what a file is ------------------------------------------------------------------------------

/// Kinds of YAML files by a key at their top, the telling ones first: a scene has `robot` and
/// `terrain` as well. Other files are reported by their beginning.
typedef struct FileKind {
    const char *name, *key, *use; ///< use: a command with %s for the file
} FileKind;

static const FileKind file_kinds[] = {
    {"campaign", "campaign:", "'rille campaign run %s' runs it"},
    {"plan", "plan:", "'rille plan run %s' runs it"},
    {"scene", "scene:", "'rille run %s' simulates it"},
    {"robot", "robot:",
     "'rille robot check %s' looks into it; a scene names it under 'robot' ('rille new rover DIR' makes one)"},
    {"robot", "<?xml",
     "'rille robot check %s' looks into it; a scene names it under 'robot' ('rille new rover DIR' makes one)"},
    {"robot", "<robot",
     "'rille robot check %s' looks into it; a scene names it under 'robot' ('rille new rover DIR' makes one)"},
    {"log", "\x89MCAP", "'rille plot %s' lists its signals"},
    {"terrain", "terrain:", "'rille terrain info %s' shows it; a scene names it under 'terrain'"},
    {"terrain", "kind:", "'rille terrain info %s' shows it; a scene names it under 'terrain'"},
    {"soil", "soil:", "--set soil=%s takes it, and 'soil' in a terrain"},
};

/// Does a line of the text begin with the key?
static bool has_line(const char *text, const char *key)
{
    const size_t n = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, n) == 0)
            return true;
    }
    return false;
}

/// Scenes may leave out their name.
static bool is_nameless_scene(const char *text)
{
    return has_line(text, "duration:") || has_line(text, "devices:") || has_line(text, "include:") ||
           (has_line(text, "robot:") && has_line(text, "terrain:"));
}

bool cli_expect_kind(const char *path, const char *kind)
{
    char head[16384];
    FILE *file = ri_file_open(path);
    if (!file)
        return true; // the loader says why
    const size_t n = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    head[n] = '\0';
    if (strcmp(kind, "scene") == 0 && is_nameless_scene(head))
        return true;
    for (size_t i = 0; i < sizeof file_kinds / sizeof *file_kinds; i++) {
        const FileKind *k = &file_kinds[i];
        if (!has_line(head, k->key))
            continue;
        if (strcmp(k->name, kind) == 0)
            return true;
        const char *at = strstr(k->use, "%s");
        cli_error("%s is a %s, not a %s: %.*s%s%s", path, k->name, kind, (int)(at - k->use), k->use, path, at + 2);
        return false;
    }
    return true;
}
