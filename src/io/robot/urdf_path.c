// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a mesh or texture lies. Files are looked at with stat(); only package.xml is opened.
///
/// | address              | places, in order                                                                      |
/// |----------------------|---------------------------------------------------------------------------------------|
/// | package://NAME/rest  | each package path P: P/NAME/rest, or P/rest if P is called NAME or its package.xml says  |
/// |                      | so; then the same with the folders of ROS_PACKAGE_PATH, those of AMENT_PREFIX_PATH with   |
/// |                      | /share, and each folder above the robot's file, from the inside out                       |
/// | file:///path         | /path                                                                                 |
/// | file://path, path    | relative to the folder of the robot's file                                            |
#include "io/robot/package.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/robot/urdf.h"

/// Tries FOLDER/NAME/REST; empty parts are left out. True if it is a regular file, or without REST
/// a folder.
static bool try_place(RiFileSearch *s, const char *folder, const char *name, const char *rest)
{
    char path[PATH_MAX];
    const char *slash1 = *folder && *name && folder[strlen(folder) - 1] != '/' ? "/" : "", *slash2 = *rest ? "/" : "";
    if (!*name)
        slash2 = *folder && *rest && folder[strlen(folder) - 1] != '/' ? "/" : "";
    const int n = snprintf(path, sizeof path, "%s%s%s%s%s", folder, slash1, name, slash2, rest);
    struct stat info;
    if (n > 0 && n < PATH_MAX && stat(path, &info) == 0 && (*rest ? S_ISREG(info.st_mode) : S_ISDIR(info.st_mode))) {
        memcpy(s->found, path, (size_t)n + 1);
        return true;
    }
    const size_t used = strlen(s->tried);
    snprintf(s->tried + used, sizeof s->tried - used, "%s%s", used ? ", " : "", path);
    return false;
}

/// True if the last part of the path `folder` is `name`; slashes at the end do not count.
static bool is_called(const char *folder, const char *name)
{
    size_t n = strlen(folder);
    while (n && folder[n - 1] == '/')
        n--;
    const size_t length = strlen(name);
    return n >= length && memcmp(folder + n - length, name, length) == 0 &&
           (n == length || folder[n - length - 1] == '/');
}

/// True if FOLDER/package.xml says <name>NAME</name>: a checkout may be called otherwise than its
/// package.
static bool is_package(const char *folder, const char *name)
{
    char path[PATH_MAX], text[4096], wanted[NAME_MAX + 16];
    if (snprintf(path, sizeof path, "%s/package.xml", folder) >= PATH_MAX)
        return false;
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    const size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    snprintf(wanted, sizeof wanted, "<name>%s</name>", name);
    return strstr(text, wanted) != NULL;
}

/// Tries a folder that may hold the package or be it.
static bool try_package(RiFileSearch *s, const char *folder, const char *name, const char *rest)
{
    return try_place(s, folder, name, rest) ||
           ((is_called(folder, name) || is_package(folder, name)) && try_place(s, folder, "", rest));
}

/// The folder of the URDF file, "." if its path has none; false if it is too long.
static bool folder_of(const char *file, char out_folder[PATH_MAX])
{
    const char *slash = strrchr(file, '/');
    const size_t n = slash ? (size_t)(slash - file) : 0;
    if (n >= PATH_MAX)
        return false;
    snprintf(out_folder, PATH_MAX, "%.*s", (int)n, file);
    if (n == 0)
        snprintf(out_folder, PATH_MAX, "%s", slash ? "/" : ".");
    return true;
}

/// The folders above the URDF file, from the inside out.
static bool search_upwards(RiFileSearch *s, const char *file, const char *name, const char *rest)
{
    char folder[PATH_MAX], absolute[PATH_MAX];
    if (!folder_of(file, folder) || !realpath(folder, absolute))
        return false;
    for (;;) {
        if (try_package(s, *absolute ? absolute : "/", name, rest))
            return true;
        char *slash = strrchr(absolute, '/');
        if (!slash || !*absolute)
            return false;
        *slash = '\0';
    }
}

/// The folders of a variable such as ROS_PACKAGE_PATH, each with `below` behind it.
static bool search_variable(RiFileSearch *s, const char *variable, const char *below, const char *name,
                            const char *rest)
{
    const char *at = getenv(variable); // NOLINT(concurrency-mt-unsafe): read only
    char folder[PATH_MAX];
    while (at && *at) {
        const size_t n = strcspn(at, ":");
        if (n && snprintf(folder, sizeof folder, "%.*s%s", (int)n, at, below) < PATH_MAX &&
            try_package(s, folder, name, rest))
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

static bool search_everywhere(RiFileSearch *s, const char *file, const char *name, const char *rest,
                              const char *const *paths, int count)
{
    for (int i = 0; i < count; i++)
        if (try_package(s, paths[i], name, rest))
            return true;
    return search_variable(s, "ROS_PACKAGE_PATH", "", name, rest) ||
           search_variable(s, "AMENT_PREFIX_PATH", "/share", name, rest) || search_upwards(s, file, name, rest);
}

/// package://NAME/rest; `address` is what follows "package://".
static bool search_package(RiFileSearch *s, const char *file, const char *address, const char *const *paths, int count)
{
    char name[NAME_MAX + 1];
    const size_t n = strcspn(address, "/");
    if (n == 0 || n > NAME_MAX || !address[n] || !address[n + 1])
        return false;
    snprintf(name, sizeof name, "%.*s", (int)n, address);
    return search_everywhere(s, file, name, address + n + 1, paths, count);
}

bool ri_package_search(RiFileSearch *s, const char *file, const char *name, const char *const *paths, int count)
{
    s->tried[0] = s->found[0] = '\0';
    return *name && strlen(name) <= NAME_MAX && !strchr(name, '/') &&
           search_everywhere(s, file, name, "", paths, count);
}

bool ri_file_search(RiFileSearch *s, const char *file, const char *uri, const char *const *paths, int count)
{
    s->tried[0] = s->found[0] = '\0';
    if (strncmp(uri, "package://", 10) == 0)
        return search_package(s, file, uri + 10, paths, count);
    const char *path = strncmp(uri, "file://", 7) == 0 ? uri + 7 : uri;
    if (strstr(path, "://"))
        return false;
    if (*path == '/')
        return try_place(s, "", "", path);
    char folder[PATH_MAX];
    return folder_of(file, folder) && try_place(s, strcmp(folder, ".") == 0 ? "" : folder, "", path);
}

RiStatus ri_urdf_locate(RiUrdf *u, const RiXmlNode *node, const char *uri, const char **out_path)
{
    *out_path = NULL;
    RiFileSearch s = {0};
    if (ri_file_search(&s, u->file, uri, u->options->package_paths, u->options->package_path_count)) {
        *out_path = ri_arena_string(&u->arena, s.found);
        return *out_path ? RI_OK : ri_error_memory(u->ctx);
    }
    const bool package = strncmp(uri, "package://", 10) == 0;
    ri_urdf_report(u, RI_FINDING_WARNING, node, "file '%.200s' not found; %ssearched: %s", uri,
                   package ? "name the folder that holds the package with -p FOLDER, 'packages:' in the scene or "
                             "ROS_PACKAGE_PATH; "
                           : "",
                   s.tried[0] ? s.tried : "nowhere, for the address is not package://NAME/FILE, file:// or a path");
    return RI_OK;
}
