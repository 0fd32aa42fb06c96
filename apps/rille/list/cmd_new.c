// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille new KIND FOLDER`: a commented project that runs at once. Copies a folder of projects/ and
/// puts the name in.
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <rille/paths.h>

#include "cli.h"
#include "commands.h"

static const char mark[] = "@NAME@";
static const char *const kinds[] = {"rover", "snake", "scene", "device"};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct NewArgs {
    const char *kind, *folder;
} NewArgs;

static error_t parse_word(int key, char *text, struct argp_state *state)
{
    NewArgs *args = state->input;
    if (key == ARGP_KEY_ARG && !args->kind)
        args->kind = text;
    else if (key == ARGP_KEY_ARG && !args->folder)
        args->folder = text;
    else if (key == ARGP_KEY_ARG)
        argp_error(state, "'%s' is one argument too many", text);
    else if (key == ARGP_KEY_END && !args->folder)
        argp_error(state, "a kind (rover, snake, scene or device) and a folder are wanted");
    else if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    return 0;
}

/// The last part of the folder as a name: letters, digits and '_', not starting with a digit.
static void project_name(const char *folder, char out[64])
{
    size_t end = strlen(folder), start, n = 0;
    while (end > 0 && folder[end - 1] == '/')
        end--;
    for (start = end; start > 0 && folder[start - 1] != '/'; start--)
        ;
    for (size_t i = start; i < end && n < 63; i++) {
        const char c = folder[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
        if (digit && n == 0)
            out[n++] = '_';
        out[n++] = letter || digit ? c : '_';
    }
    out[n] = '\0';
    if (n == 0 || strspn(out, "_") == n)
        strcpy(out, "project");
}

/// Text with the name in place of the mark.
static void put_line(FILE *out, const char *line, const char *name)
{
    for (const char *hit; (hit = strstr(line, mark)); line = hit + sizeof mark - 1)
        fprintf(out, "%.*s%s", (int)(hit - line), line, name);
    fputs(line, out);
}

/// The name of a file of the project, with the name in.
static void file_name(const char *entry, const char *name, char out[PATH_MAX])
{
    const char *hit = strstr(entry, mark);
    if (hit)
        snprintf(out, PATH_MAX, "%.*s%s%s", (int)(hit - entry), entry, name, hit + sizeof mark - 1);
    else
        snprintf(out, PATH_MAX, "%s", entry);
}

static bool copy_file(const char *from, const char *to, const char *name)
{
    char line[4096];
    FILE *in = fopen(from, "re"), *out = in ? fopen(to, "wxe") : NULL;
    if (!out) {
        cli_error("%s: %s", in ? to : from, strerror(errno));
        if (in)
            fclose(in);
        return false;
    }
    while (fgets(line, sizeof line, in))
        put_line(out, line, name);
    const bool good = !ferror(in);
    fclose(in);
    if (fclose(out) == 0 && good)
        return true;
    cli_error("%s: cannot write the file", to);
    return false;
}

static CliExit copy_project(const char *from, const char *to, const char *name)
{
    DIR *dir = opendir(from);
    if (!dir) {
        cli_error("%s: %s; set RILLE_PROJECTS to the folder that holds the projects", from, strerror(errno));
        return CLI_ENVIRONMENT;
    }
    bool good = true;
    for (const struct dirent *entry; good && (entry = readdir(dir));) {
        char in[PATH_MAX + 600], out[2 * PATH_MAX + 8], file[PATH_MAX];
        if (entry->d_name[0] == '.')
            continue;
        file_name(entry->d_name, name, file);
        snprintf(in, sizeof in, "%s/%s", from, entry->d_name);
        snprintf(out, sizeof out, "%s/%s", to, file);
        good = copy_file(in, out, name);
    }
    closedir(dir);
    return good ? CLI_DONE : CLI_ENVIRONMENT;
}

static bool is_kind(const char *word)
{
    for (int i = 0; i < KINDS; i++)
        if (strcmp(kinds[i], word) == 0)
            return true;
    return false;
}

static CliExit make_project(const NewArgs *args)
{
    char projects[RI_PATH_SIZE], from[RI_PATH_SIZE + 64], name[64];
    if (!is_kind(args->kind)) {
        cli_error("there is no project '%s'; there are rover, snake, scene and device", args->kind);
        return CLI_BAD_INPUT;
    }
    if (mkdir(args->folder, 0777) != 0) {
        cli_error("%s: %s", args->folder, errno == EEXIST ? "is there already; name a new folder" : strerror(errno));
        return errno == EEXIST ? CLI_BAD_INPUT : CLI_ENVIRONMENT;
    }
    ri_paths_folder("projects", NULL, projects);
    project_name(args->folder, name);
    snprintf(from, sizeof from, "%s/%s", projects, args->kind);
    const CliExit code = copy_project(from, args->folder, name);
    if (code == CLI_DONE)
        printf("%s is ready; %s/README.md tells what is in it.\nTry:  cd %s && %srille run scene.yaml\n", args->folder,
               args->folder, args->folder, strcmp(args->kind, "device") == 0 ? "make && " : "");
    return code;
}

int cmd_new(int argc, char **argv)
{
    static const char doc[] = "Creates a folder with a commented project that is ready to run.\v"
                              "rover   a rover in xacro, its soil, its ground, a scene, programs in C and Python\n"
                              "snake   a scene with a snake robot\n"
                              "scene   a scene with a rover of the library\n"
                              "device  a device in C and a scene that uses it";
    const struct argp argp = {.parser = parse_word, .args_doc = "rover|snake|scene|device FOLDER", .doc = doc};
    NewArgs args = {0};
    if (cli_parse(&argp, argc, argv, &args) != 0)
        return cli_no_memory();
    return make_project(&args);
}
