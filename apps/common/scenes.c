// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes by name: the scenes folder, what is in it, and what each scene says of itself.
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/// A scene's name, without its ending.
typedef struct SceneName {
    char text[64];
} SceneName;

void cli_scenes_folder(char out_folder[PATH_MAX])
{
    cli_data_folder("scenes", out_folder);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const SceneName *)a)->text, ((const SceneName *)b)->text);
}

/// Appends the name if `file` is a scene's; false if there is no memory.
static bool add_name(SceneName **names, int *count, const char *file)
{
    const char *dot = strrchr(file, '.');
    SceneName name = {0};
    if (!dot || strcmp(dot, ".yaml") != 0 || dot == file || (size_t)(dot - file) >= sizeof name.text || *file == '.')
        return true;
    memcpy(name.text, file, (size_t)(dot - file));
    SceneName *more = realloc(*names, (size_t)(*count + 1) * sizeof *more);
    if (!more)
        return false;
    more[(*count)++] = name;
    *names = more;
    return true;
}

/// Names of all scenes in the folder, sorted; the caller frees them. False: no memory.
static bool list_names(const char *folder, SceneName **out_names, int *out_count)
{
    *out_names = NULL;
    *out_count = 0;
    DIR *dir = *folder ? opendir(folder) : NULL;
    if (!dir)
        return true;
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(dir));)
        ok = add_name(out_names, out_count, entry->d_name);
    closedir(dir);
    if (*out_count)
        qsort(*out_names, (size_t)*out_count, sizeof **out_names, by_name);
    return ok;
}

/// What a scene says of itself, "" if it cannot be read.
static void read_about(const char *path, char *out, size_t size)
{
    RiContext *ctx = NULL;
    RiScene *scene = NULL;
    *out = '\0';
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return;
    if (ri_scene_load(ctx, path, NULL, &scene) == RI_OK)
        snprintf(out, size, "%s", ri_scene_doc(scene));
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

CliExit cli_each_scene(CliSceneFn fn, void *user)
{
    char folder[PATH_MAX], path[2 * PATH_MAX], about[2048];
    SceneName *names;
    int count;
    cli_scenes_folder(folder);
    if (!list_names(folder, &names, &count)) {
        free(names);
        return cli_no_memory();
    }
    if (count == 0)
        printf("No scenes were found; set RILLE_SCENES to the folder that holds them.\n");
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s.yaml", folder, names[i].text);
        read_about(path, about, sizeof about);
        fn(user, names[i].text, about);
    }
    free(names);
    return CLI_DONE;
}

int cli_list_scenes(void)
{
    char folder[PATH_MAX];
    SceneName *names;
    int count;
    cli_scenes_folder(folder);
    const bool ok = list_names(folder, &names, &count);
    for (int i = 0; ok && i < count; i++)
        puts(names[i].text);
    free(names);
    return ok ? CLI_DONE : cli_no_memory();
}

/// Says that there is no such scene, and which may be meant.
static void unknown_scene(const char *word, const char *folder)
{
    const char *known[256], *near = NULL;
    SceneName *names;
    int count;
    if (list_names(folder, &names, &count)) {
        const int n = count < 256 ? count : 256;
        for (int i = 0; i < n; i++)
            known[i] = names[i].text;
        near = ri_nearest_name(word, known, n);
    }
    char robot[PATH_MAX];
    cli_data_folder("robots", robot);
    const size_t n = strlen(robot);
    snprintf(robot + n, sizeof robot - n, "/%.200s.yaml", word);
    if (near)
        cli_error("there is no scene '%s'; did you mean '%s'?", word, near);
    else if (n > 0 && access(robot, F_OK) == 0)
        cli_error("there is no scene '%s': it is a robot ('rille robot show %s'); 'rille list scenes' lists the scenes",
                  word, word);
    else
        cli_error("there is no scene '%s' in %s, and no file of that name; 'rille run --list-scenes' lists them", word,
                  *folder ? folder : "the scenes folder (set RILLE_SCENES to one)");
    free(names);
}

bool cli_find_scene(const char *word, char out_path[PATH_MAX])
{
    if (strlen(word) >= PATH_MAX) {
        cli_error("the scene's path is longer than %d characters", PATH_MAX - 1);
        return false;
    }
    strcpy(out_path, word);
    if (strchr(word, '/') || strchr(word, '.'))
        return cli_expect_kind(word, "scene"); // a path: the loader says what else is wrong with it
    char folder[PATH_MAX];
    cli_scenes_folder(folder);
    const int length = snprintf(out_path, PATH_MAX, "%.*s/%s.yaml", PATH_MAX / 2, folder, word);
    if (*folder && length < PATH_MAX && access(out_path, F_OK) == 0)
        return true;
    unknown_scene(word, folder);
    return false;
}

// --- opening -------------------------------------------------------------------------------------

int cli_push_setting(RiSetting **list, int *count, const char *name, const char *value)
{
    RiSetting *more = realloc(*list, (size_t)(*count + 1) * sizeof *more);
    if (!more)
        return ENOMEM;
    *list = more;
    more[(*count)++] = (RiSetting){name, value};
    return 0;
}

int cli_add_setting(RiSetting **list, int *count, char *text, struct argp_state *state)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        argp_error(state, "--set expects NAME=VALUE, not '%s'", text);
    *equals = '\0';
    return cli_push_setting(list, count, text, equals + 1);
}

RiStatus cli_open_scene(RiContext *ctx, const char *path, RiSceneOptions options, RiScene **out_scene)
{
    char robots[PATH_MAX], terrains[PATH_MAX], data[PATH_MAX], soils[PATH_MAX], cache[PATH_MAX];
    cli_robots_folder(robots);
    cli_terrains_folder(terrains);
    cli_data_path(data);
    cli_soils_folder(soils);
    cli_cache_folder(cache);
    const char *const folders[] = {robots}, *const grounds[] = {*terrains ? terrains : data, data};
    options.robot_paths = folders;
    options.robot_path_count = *robots ? 1 : 0;
    options.terrain_paths = grounds;
    options.terrain_path_count = !*terrains && !*data ? 0 : *data ? 2 : 1;
    options.soils = *soils ? soils : NULL;
    options.cache = *cache ? cache : NULL;
    const RiStatus status = ri_scene_load(ctx, path, &options, out_scene);
    return status == RI_OK ? ri_scene_build(*out_scene) : status;
}
