// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the project's files are: folders by the environment, beside the program, in the source
/// tree, where they were installed; scenes by name.
#include <rille/paths.h>

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/names.h"

enum { SCENES = 512, NAME = 64 };

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/// FOLDER/KIND, if it exists.
static bool folder_in(const char *folder, const char *kind, char out[RI_PATH_SIZE])
{
    const int length = snprintf(out, RI_PATH_SIZE, "%s/%s", folder, kind);
    return length < RI_PATH_SIZE && is_folder(out);
}

/// The folder that RILLE_KIND names, taken as it is.
static bool folder_of_environment(const char *kind, char out[RI_PATH_SIZE])
{
    char variable[NAME] = "RILLE_";
    for (size_t i = 0; kind[i] && i + 8 < sizeof variable; i++)
        variable[i + 6] = (char)toupper((unsigned char)kind[i]);
    const char *wanted = getenv(variable);
    const bool given = wanted && *wanted && strlen(wanted) < RI_PATH_SIZE;
    if (given)
        strcpy(out, wanted);
    return given;
}

/// Data installed with this program, wherever the prefix is: PREFIX/bin/rille and
/// PREFIX/libexec/rille/rille-bench both use PREFIX/share/rille.
static bool folder_beside_program(const char *kind, char out[RI_PATH_SIZE])
{
    static const char *const ups[] = {"/../share/rille", "/../../share/rille"};
    char program[RI_PATH_SIZE];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 32);
    char *slash = NULL;
    if (n > 0) {
        program[n] = '\0';
        slash = strrchr(program, '/');
    }
    for (size_t i = 0; slash && i < sizeof ups / sizeof *ups; i++) {
        strcpy(slash, ups[i]);
        if (folder_in(program, kind, out))
            return true;
    }
    return false;
}

void ri_paths_folder(const char *kind, const char *root, char out[RI_PATH_SIZE])
{
    if (folder_of_environment(kind, out) || (root && folder_in(root, kind, out)) || folder_beside_program(kind, out) ||
        folder_in(RILLE_SOURCE_DIR, kind, out) || folder_in(RILLE_DATA_INSTALL, kind, out))
        return;
    *out = '\0';
}

/// $VARIABLE followed by `rest`; "" without it, or if that is too long.
static bool folder_below(const char *variable, const char *rest, char out[RI_PATH_SIZE])
{
    const char *value = getenv(variable);
    *out = '\0';
    if (!value || !*value || strlen(value) + strlen(rest) >= RI_PATH_SIZE)
        return false;
    strcpy(out, value);
    strcat(out, rest);
    return true;
}

void ri_paths_default(const char *root, RiPaths *out)
{
    ri_paths_folder("robots", root, out->robots);
    ri_paths_folder("scenes", root, out->scenes);
    ri_paths_folder("terrains", root, out->terrains);
    ri_paths_folder("soils", root, out->soils);
    ri_paths_folder("cameras", root, out->cameras);
    ri_paths_folder("campaigns", root, out->campaigns);
    folder_below("RILLE_DATA", "", out->data);
    if (!folder_below("XDG_CACHE_HOME", "/rille", out->cache))
        folder_below("HOME", "/.cache/rille", out->cache);
}

void ri_paths_use(RiPaths *paths, RiSceneOptions *options)
{
    int terrains = 0;
    paths->folders[0] = paths->robots;
    if (*paths->terrains)
        paths->folders[1 + terrains++] = paths->terrains;
    if (*paths->data)
        paths->folders[1 + terrains++] = paths->data;
    options->robot_paths = paths->folders;
    options->robot_path_count = *paths->robots ? 1 : 0;
    options->terrain_paths = paths->folders + 1;
    options->terrain_path_count = terrains;
    options->soils = *paths->soils ? paths->soils : NULL;
    options->cache = *paths->cache ? paths->cache : NULL;
}

/// Names of the scenes in a folder, in no order; returns how many.
static int list_scenes(const char *folder, char names[][NAME])
{
    int count = 0;
    DIR *dir = *folder ? opendir(folder) : NULL;
    for (const struct dirent *entry; dir && count < SCENES && (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        const size_t length = dot ? (size_t)(dot - entry->d_name) : 0;
        if (length > 0 && length < NAME && strcmp(dot, ".yaml") == 0) {
            memcpy(names[count], entry->d_name, length);
            names[count++][length] = '\0';
        }
    }
    if (dir)
        closedir(dir);
    return count;
}

/// Says that there is no such scene, and which may be meant.
static RiStatus unknown_scene(RiContext *ctx, const char *word, const char *folder)
{
    char names[SCENES][NAME];
    const char *known[SCENES];
    const int count = list_scenes(folder, names);
    for (int i = 0; i < count; i++)
        known[i] = names[i];
    const char *near = ri_nearest_name(word, known, count);
    if (near)
        return ri_error(ctx, RI_ERR_NOT_FOUND, "there is no scene '%.60s'; did you mean '%s'?", word, near);
    return ri_error(ctx, RI_ERR_NOT_FOUND, "there is no scene '%.60s' in %s, and no file of that name", word,
                    *folder ? folder : "the scenes folder (set RILLE_SCENES to one)");
}

RiStatus ri_paths_find_scene(RiContext *ctx, const RiPaths *paths, const char *word, char out[RI_PATH_SIZE])
{
    *out = '\0';
    if (strlen(word) >= RI_PATH_SIZE)
        return ri_error(ctx, RI_ERR_LIMIT, "the scene's path is longer than %d characters", RI_PATH_SIZE - 1);
    if (strchr(word, '/') || strchr(word, '.')) {
        strcpy(out, word); // a path: the loader says what is wrong with it, if anything
        return RI_OK;
    }
    const size_t length = strlen(paths->scenes) + strlen(word);
    if (*paths->scenes && length + 7 < RI_PATH_SIZE) {
        strcpy(out, paths->scenes);
        strcat(strcat(strcat(out, "/"), word), ".yaml");
        if (access(out, F_OK) == 0)
            return RI_OK;
    }
    *out = '\0';
    return unknown_scene(ctx, word, paths->scenes);
}
