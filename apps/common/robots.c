// SPDX-License-Identifier: Apache-2.0
/// \file
/// Robots by name: the robots folder, what is in it, and what each file says of itself.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>

#include "cli.h"

static const char *const endings[] = {".yaml", ".urdf", ".yml", ".xml"};
enum { ENDINGS = sizeof endings / sizeof *endings };

void cli_robots_folder(char out_folder[PATH_MAX])
{
    cli_data_folder("robots", out_folder);
}

/// Length of a file name without its ending, 0 if it is not that of a robot.
static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    for (int i = 0; dot && i < ENDINGS; i++)
        if (strcmp(dot, endings[i]) == 0)
            return (size_t)(dot - name);
    return 0;
}

/// Start of the first comment that says something, "" if there is none.
static const char *first_comment(const char *text)
{
    for (const char *s = text; *s;) {
        const char *end = strchr(s, '\n') ? strchr(s, '\n') : s + strlen(s);
        s += strspn(s, " \t#<!-");
        const bool says_something = s < end && *s != '?' && strncmp(s, "SPDX", 4) != 0;
        if (says_something)
            return s;
        s = *end ? end + 1 : end;
    }
    return "";
}

/// First sentence (to a full stop or colon) of the file's first comment, joined over lines. A robot
/// file starts with one.
static void read_about(const char *path, char *out, size_t size)
{
    char text[2048];
    *out = '\0';
    FILE *file = ri_file_open(path);
    if (!file)
        return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    size_t n = 0;
    for (const char *s = first_comment(text); *s; s++) {
        if ((*s == '.' || *s == ':') && (s[1] == '\n' || s[1] == ' '))
            break;
        if (n + 4 >= size) { // too long for one line: cut at a word
            while (n > 0 && out[n - 1] != ' ')
                n--;
            memcpy(out + (n ? n - 1 : 0), "...", 4);
            return;
        }
        const bool gap = *s == '\n' || *s == ' ' || *s == '#';
        if (!gap)
            out[n++] = *s;
        else if (n && out[n - 1] != ' ')
            out[n++] = ' ';
    }
    out[n] = '\0';
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const CliRobot *)a)->name, ((const CliRobot *)b)->name);
}

/// Appends the robot in `file`; false if there is no memory.
static bool add_robot(CliRobot **robots, int *count, const char *folder, const char *file)
{
    const size_t stem = stem_length(file);
    CliRobot robot = {0};
    if (stem == 0 || stem >= sizeof robot.name || *file == '.')
        return true;
    memcpy(robot.name, file, stem);
    if (snprintf(robot.path, sizeof robot.path, "%s/%s", folder, file) >= PATH_MAX)
        return true;
    read_about(robot.path, robot.about, sizeof robot.about);
    CliRobot *more = realloc(*robots, (size_t)(*count + 1) * sizeof *more);
    if (!more)
        return false;
    more[(*count)++] = robot;
    *robots = more;
    return true;
}

bool cli_list_robots(CliRobot **out_robots, int *out_count)
{
    char folder[PATH_MAX];
    *out_robots = NULL;
    *out_count = 0;
    cli_robots_folder(folder);
    DIR *dir = *folder ? opendir(folder) : NULL;
    if (!dir)
        return true;
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(dir));)
        ok = add_robot(out_robots, out_count, folder, entry->d_name);
    closedir(dir);
    if (*out_count)
        qsort(*out_robots, (size_t)*out_count, sizeof **out_robots, by_name);
    return ok;
}

/// Says that there is no such robot, and which there are.
static void unknown_robot(const char *word, const char *folder, const CliRobot *robots, int count)
{
    const char *names[256];
    const int n = count < 256 ? count : 256;
    for (int i = 0; i < n; i++)
        names[i] = robots[i].name;
    const char *near = ri_nearest_name(word, names, n);
    if (near)
        cli_error("there is no robot '%s'; did you mean '%s'?", word, near);
    else
        cli_error("there is no robot '%s' in %s, and no file of that name; 'rille list robots' lists them", word,
                  *folder ? folder : "the robots folder (set RILLE_ROBOTS to one)");
}

bool cli_find_robot(const char *word, char out_path[PATH_MAX])
{
    if (strlen(word) >= PATH_MAX) {
        cli_error("the robot's path is longer than %d characters", PATH_MAX - 1);
        return false;
    }
    strcpy(out_path, word);
    if (strchr(word, '/') || strchr(word, '.'))
        return cli_expect_kind(word, "robot"); // a path: the loader says what else is wrong with it
    char folder[PATH_MAX];
    CliRobot *robots = NULL;
    int count = 0;
    cli_robots_folder(folder);
    if (!cli_list_robots(&robots, &count)) {
        free(robots);
        cli_no_memory();
        return false;
    }
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        found = strcmp(robots[i].name, word) == 0;
        if (found)
            strcpy(out_path, robots[i].path);
    }
    if (!found)
        unknown_robot(word, folder, robots, count);
    free(robots);
    return found;
}
