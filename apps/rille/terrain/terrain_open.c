// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrains by name: the terrains folder, where soils and data are, and files that are a terrain
/// without a description.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "terrain/terrain.h"

error_t terrain_add_setting(TerrainOpen *o, char *text, struct argp_state *state)
{
    if (strncmp(text, "terrain.", 8) == 0) // as `rille run` writes them
        text += 8;
    return cli_add_setting(&o->settings, &o->setting_count, text, state);
}

// --- names ---------------------------------------------------------------------------------------

static void unknown_terrain(const char *word, const char *folder)
{
    enum { MOST = 256, LENGTH = 64 };
    static const char ending[] = ".yaml";
    char(*names)[LENGTH] = calloc(MOST, sizeof *names);
    const char *known[MOST];
    int count = 0;
    DIR *dir = *folder && names ? opendir(folder) : NULL;
    for (const struct dirent *e; dir && count < MOST && (e = readdir(dir));) {
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ending) != 0 || (size_t)(dot - e->d_name) >= LENGTH)
            continue;
        memcpy(names[count], e->d_name, (size_t)(dot - e->d_name));
        known[count] = names[count];
        count++;
    }
    if (dir)
        closedir(dir);
    const char *near = ri_nearest_name(word, known, count);
    if (near)
        cli_error("there is no terrain '%s'; did you mean '%s'?", word, near);
    else
        cli_error("there is no terrain '%s' in %s, and no file of that name; 'rille terrain info' lists them", word,
                  *folder ? folder : "the terrains folder (set RILLE_TERRAINS to one)");
    free(names);
}

static bool find_terrain(const char *word, char out_path[PATH_MAX])
{
    if (strlen(word) >= PATH_MAX) {
        cli_error("the terrain's path is longer than %d characters", PATH_MAX - 1);
        return false;
    }
    strcpy(out_path, word);
    if (strchr(word, '/') || strchr(word, '.'))
        return true; // a path: the loader says what is wrong with it, if anything
    char folder[PATH_MAX];
    cli_terrains_folder(folder);
    const int length = snprintf(out_path, PATH_MAX, "%.*s/%s.yaml", PATH_MAX / 2, folder, word);
    if (*folder && length < PATH_MAX && access(out_path, F_OK) == 0)
        return true;
    unknown_terrain(word, folder);
    return false;
}

// --- opening -------------------------------------------------------------------------------------

static bool ends_in(const char *path, const char *const *endings, int count)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < count; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/// Shows the part done on a terminal.
static bool show_progress(void *user, double done)
{
    (void)user;
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, done < 1.0 ? "\rbaking %3.0f %%" : "\r              \r", 100.0 * done);
        fflush(stderr);
    }
    return true;
}

/// A description of a file that is a terrain in itself; NULL if it is a description.
static char *describe(const char *path)
{
    static const char *const own[] = {".yaml", ".yml"}, *const meshes[] = {".stl", ".obj",  ".ply",
                                                                           ".dae", ".gltf", ".glb"};
    if (ends_in(path, own, 2))
        return NULL;
    const char *slash = strrchr(path, '/');
    char *text = NULL;
    if (asprintf(&text, "{kind: %s, file: \"%s\"%s}", ends_in(path, meshes, 6) ? "mesh" : "heights",
                 slash ? slash + 1 : path, ends_in(path, meshes, 6) ? "" : ", holes: fill") < 0)
        return NULL;
    return text;
}

/// A raster or mesh, not a description.
static bool is_data(const char *path)
{
    char *text = describe(path);
    const bool data = text != NULL;
    free(text);
    return data;
}

static RiStatus load(TerrainOpen *o)
{
    char terrains[PATH_MAX], data[PATH_MAX], soils[PATH_MAX], cache[PATH_MAX];
    cli_terrains_folder(terrains);
    cli_data_path(data);
    cli_soils_folder(soils);
    cli_cache_folder(cache);
    const char *const paths[] = {*data ? data : terrains, terrains};
    RiTerrainOptions options = ri_terrain_options_default();
    options.settings = o->settings;
    options.setting_count = o->setting_count;
    options.paths = paths;
    options.path_count = *terrains ? 2 : *data ? 1 : 0;
    options.soils = *soils ? soils : NULL;
    options.cache = *cache ? cache : NULL;
    options.progress = show_progress;
    options.report = o->report;
    char *text = describe(o->path);
    const RiStatus status = text ? ri_terrain_file_parse(o->ctx, o->path, text, strlen(text), &options, &o->file)
                                 : ri_terrain_file_load(o->ctx, o->path, &options, &o->file);
    free(text);
    return status;
}

CliExit terrain_open(TerrainOpen *o)
{
    if (!find_terrain(o->word, o->path) || (!is_data(o->path) && !cli_expect_kind(o->path, "terrain")))
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &o->ctx) != RI_OK)
        return cli_no_memory();
    RiStatus status = ri_report_create(o->ctx, &o->report);
    if (status == RI_OK)
        status = load(o);
    for (int i = 0; o->report && i < ri_report_count(o->report); i++) {
        const RiFinding *f = ri_report_get(o->report, i);
        if (f->kind == RI_FINDING_WARNING)
            cli_error("%s:%d: warning: %s", f->file ? f->file : o->path, f->line, f->text);
    }
    return status == RI_OK ? CLI_DONE : cli_fail(o->ctx, status);
}

void terrain_close(TerrainOpen *o)
{
    ri_terrain_file_destroy(o->file);
    ri_report_destroy(o->report);
    ri_context_destroy(o->ctx);
    free(o->settings);
    *o = (TerrainOpen){0};
}
