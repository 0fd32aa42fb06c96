// SPDX-License-Identifier: Apache-2.0
/// \file
/// The terrain of a scene: a name that is looked for in folders, a file, or a description that
/// is in the scene itself.
///
///     terrain: NAME | FILE | {file: ..., set: {...}} | {kind: ..., ...} | {template: {kind: ..., ...}, set: {...}, folder: ...}
///
/// An inline description goes through its loader as a text of its own, in which every node is
/// in the line it has in the scene.
#include <stdio.h>
#include <string.h>

#include "io/scene/scene.h"

enum { SHOWN = 60 };

/// The description that is in the scene, NULL if the scene names one.
static const RiYamlNode *inline_part(const RiYamlNode *terrain)
{
    return ri_yaml_get(terrain, "kind") ? terrain : ri_yaml_get(terrain, "template");
}

RiStatus ri_scene_check_terrain(RiScene *sc)
{
    static const char *const keys[] = {"file", "template", "set", "folder"};
    const RiYamlNode *terrain = ri_scene_key(sc, "terrain");
    if (!terrain || terrain->kind == RI_YAML_SCALAR || ri_yaml_get(terrain, "kind"))
        return RI_OK;
    RI_TRY(ri_yaml_check_keys(terrain, keys, 4));
    const RiYamlNode *template = ri_yaml_get(terrain, "template"), *set = ri_yaml_get(terrain, "set");
    if (!ri_yaml_get(terrain, "file") == !template)
        return ri_yaml_error(terrain, RI_ERR_FORMAT, "one of the keys 'file', 'template' and 'kind' must be given");
    if (template)
        RI_TRY(ri_yaml_expect(template, RI_YAML_MAPPING));
    return set ? ri_yaml_expect(set, RI_YAML_MAPPING) : RI_OK;
}

/// A file in the folder from which the files of an inline description are seen.
static RiStatus find_folder(RiScene *sc, const RiYamlNode *terrain)
{
    const RiYamlNode *node = ri_yaml_get(terrain, "folder");
    const char *file = ri_scene_file(sc, terrain), *name;
    char inside[RI_SCENE_PATH];
    sc->terrain.folder = file;
    if (!node || !file || terrain == sc->terrain.template)
        return RI_OK;
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){node, NULL}, &name));
    if (snprintf(inside, sizeof inside, "%s/scene", name) >= (int)sizeof inside)
        return ri_yaml_error(node, RI_ERR_LIMIT, "the path is too long");
    return ri_template_join(&sc->t, file, inside, &sc->terrain.folder);
}

static RiStatus load_inline(RiScene *sc, const RiYamlNode *terrain, const RiTerrainOptions *options)
{
    RiSceneWriter w = {.ctx = sc->ctx};
    RI_TRY(find_folder(sc, terrain));
    ri_scene_put_node(&w, sc->terrain.template, 1, NULL);
    const RiStatus status =
        w.failed ? ri_error_memory(sc->ctx)
                 : ri_terrain_file_parse(sc->ctx, sc->terrain.folder, w.text, w.used, options, &sc->terrain.file);
    ri_release(sc->ctx, w.text);
    return status;
}

static RiStatus load_named(RiScene *sc, const RiYamlNode *node, const RiTerrainOptions *options)
{
    static const char *const endings[] = {"", ".yaml", ".yml"};
    const char *name;
    if (!ri_scene_file(sc, node))
        return ri_yaml_error(node, RI_ERR_FORMAT, "a text without a path cannot name a terrain file; use 'template'");
    RI_TRY(ri_scene_find_file(sc, node, options->paths, options->path_count, endings, 3, &sc->terrain.path));
    if (sc->terrain.path)
        return ri_terrain_file_load(sc->ctx, sc->terrain.path, options, &sc->terrain.file);
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){node, NULL}, &name));
    return ri_yaml_error(
        node, RI_ERR_NOT_FOUND,
        "there is no terrain '%.*s' (.yaml) in the folder of the scene or in the %d folders of terrains", SHOWN, name,
        options->path_count);
}

/// Without a terrain there is nothing that `terrain.*` could set.
static RiStatus refuse_settings(const RiScene *sc)
{
    for (int i = 0; i < sc->options.setting_count; i++)
        if (strncmp(sc->options.settings[i].name, "terrain.", 8) == 0)
            return ri_error(sc->ctx, RI_ERR_NOT_FOUND, "setting '%.*s': the scene '%s' has no terrain", SHOWN,
                            sc->options.settings[i].name, sc->name);
    return RI_OK;
}

/// Makes the terrain that the scene describes.
static RiStatus load(RiScene *sc, const RiYamlNode *terrain)
{
    const RiYamlNode *file = ri_yaml_get(terrain, "file");
    const RiTerrainOptions options = {.settings = sc->terrain.settings,
                                      .setting_count = sc->terrain.setting_count,
                                      .paths = sc->options.terrain_paths,
                                      .path_count = sc->options.terrain_path_count,
                                      .soils = sc->options.soils,
                                      .cache = sc->options.cache,
                                      .report = sc->options.report};
    return sc->terrain.template ? load_inline(sc, terrain, &options) : load_named(sc, file ? file : terrain, &options);
}

RiStatus ri_scene_load_terrain(RiScene *sc)
{
    const RiYamlNode *terrain = ri_scene_key(sc, "terrain");
    RiSceneTerrain *t = &sc->terrain;
    *t = (RiSceneTerrain){.path = NULL};
    if (!terrain)
        return refuse_settings(sc);
    t->template = inline_part(terrain);
    RI_TRY(ri_scene_collect_settings(sc, t->template == terrain ? NULL : ri_yaml_get(terrain, "set"), "terrain.",
                                     &t->settings, &t->setting_count));
    if (sc->lender) {
        t->path = sc->lender->terrain.path;
        t->folder = sc->lender->terrain.folder;
        t->file = sc->lender->terrain.file;
    } else {
        RI_TRY(load(sc, terrain));
    }
    RI_TRY(ri_sim_set_terrain(sc->sim, ri_terrain_file_terrain(t->file)));
    const RiRutsDef *ruts = ri_terrain_file_ruts(t->file);
    return ruts ? ri_scene_wrap(terrain, ri_sim_enable_ruts(sc->sim, ruts), sc->ctx) : RI_OK;
}
