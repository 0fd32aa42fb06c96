// SPDX-License-Identifier: Apache-2.0
/// \file
/// The robot of a scene: a file, a name that is looked for in folders, or a template that is in
/// the scene itself.
///
/// An inline template goes through the loader of templates as a text of its own, in which every
/// node is in the line it has in the scene: messages about it name the right place.
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <rille/model.h>

#include "io/scene/scene.h"

enum { SHOWN = 60 };

static const char *const endings[] = {"", ".yaml", ".urdf", ".yml", ".xml", ".xacro", ".urdf.xacro"};

static const RiYamlNode *part(const RiScene *sc, const char *key)
{
    const RiYamlNode *robot = ri_scene_key(sc, "robot");
    return robot->kind == RI_YAML_MAPPING ? ri_yaml_get(robot, key) : NULL;
}

RiStatus ri_scene_check_robot(RiScene *sc)
{
    static const char *const keys[] = {"file", "template", "set", "base", "reduce", "derive"};
    const RiYamlNode *robot = ri_scene_key(sc, "robot");
    if (!robot)
        return ri_yaml_error(ri_yaml_root(sc->t.documents[0]), RI_ERR_FORMAT,
                             "key 'robot' is missing: a file, a name or {file: ...}");
    if (robot->kind == RI_YAML_SCALAR)
        return RI_OK;
    RI_TRY(ri_yaml_check_keys(robot, keys, 6));
    if (!part(sc, "file") == !part(sc, "template"))
        return ri_yaml_error(robot, RI_ERR_FORMAT, "one of the keys 'file' and 'template' must be given");
    if (part(sc, "template"))
        RI_TRY(ri_yaml_expect(part(sc, "template"), RI_YAML_MAPPING));
    return part(sc, "set") ? ri_yaml_expect(part(sc, "set"), RI_YAML_MAPPING) : RI_OK;
}

// -------------------------------------------------------------------------------------------- file

/// Looks for the file `from`/`name`, with each of the endings; *out_path stays NULL if there is
/// none.
static RiStatus look_in(RiScene *sc, const char *from, const char *name, const char *const *ends, int count,
                        const char **out_path)
{
    char full[RI_SCENE_PATH];
    for (int i = 0; i < count && !*out_path; i++) {
        const char *path;
        if (strlen(name) + strlen(ends[i]) >= sizeof full)
            continue;
        strcpy(full, name);
        strcat(full, ends[i]);
        RI_TRY(ri_template_join(&sc->t, from, full, &path));
        const char *dot = strrchr(path, '.');
        if (dot && !strchr(dot, '/') && access(path, R_OK) == 0)
            *out_path = path;
    }
    return RI_OK;
}

RiStatus ri_scene_find_file(RiScene *sc, const RiYamlNode *node, const char *const *folders, int count,
                            const char *const *ends, int ending_count, const char **out_path)
{
    const char *name;
    char folder[RI_SCENE_PATH];
    *out_path = NULL;
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){node, NULL}, &name));
    RI_TRY(look_in(sc, ri_scene_file(sc, node), name, ends, ending_count, out_path));
    for (int i = 0; i < count && !*out_path; i++) {
        const size_t n = strlen(folders[i]);
        if (n + 2 > sizeof folder)
            continue;
        memcpy(folder, folders[i], n);
        memcpy(folder + n, "/", 2);
        RI_TRY(look_in(sc, folder, name, ends, ending_count, out_path));
    }
    return RI_OK;
}

/// The folder of the file the name is in, then those of the options.
static RiStatus find_robot(RiScene *sc, const RiYamlNode *node, const char **out_path)
{
    const RiSceneOptions *o = &sc->options;
    *out_path = NULL;
    if (!ri_scene_file(sc, node))
        return ri_yaml_error(node, RI_ERR_FORMAT, "a text without a path cannot name a robot file; use 'template'");
    RI_TRY(ri_scene_find_file(sc, node, o->robot_paths, o->robot_path_count, endings, sizeof endings / sizeof *endings,
                              out_path));
    if (*out_path)
        return RI_OK;
    const char *name;
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){node, NULL}, &name));
    return ri_yaml_error(
        node, RI_ERR_NOT_FOUND,
        "there is no robot file '%.*s' (.yaml, .urdf or .xacro) in the folder of the scene or in the %d folders "
        "of robots",
        SHOWN, name, o->robot_path_count);
}

// ---------------------------------------------------------------------------------------- settings

/// A later setting of the same name replaces an earlier one, which is then gone. The first `own`
/// are the scene's.
static int drop_replaced_settings(RiSetting *settings, int count, int own)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool again = false;
        for (int k = i < own ? own : i + 1; k < count; k++) // the scene's own differ from each other
            again |= strcmp(settings[i].name, settings[k].name) == 0;
        if (!again)
            settings[kept++] = settings[i];
    }
    return kept;
}

RiStatus ri_scene_collect_settings(RiScene *sc, const RiYamlNode *set, const char *prefix, RiSetting **out_settings,
                                   int *out_count)
{
    const int own = set ? set->count : 0, most = own + sc->options.setting_count;
    const size_t size = strlen(prefix);
    RiSetting *settings = *out_settings = ri_arena_alloc(&sc->t.arena, (size_t)most + 1, sizeof *settings);
    int count = *out_count = 0;
    if (!settings)
        return ri_error_memory(sc->ctx);
    for (const RiYamlNode *c = set ? set->first : NULL; c; c = c->next) {
        settings[count].name = c->key;
        RI_TRY(ri_scene_expression(sc, (RiTemplateValue){c, NULL}, &settings[count++].value));
    }
    for (int i = 0; i < sc->options.setting_count; i++) {
        const RiSetting *s = &sc->options.settings[i];
        if (strncmp(s->name, prefix, size) == 0)
            settings[count++] = (RiSetting){s->name + size, s->value};
    }
    *out_count = drop_replaced_settings(settings, count, own);
    return RI_OK;
}

/// One folder of the key `packages`, as seen from the file it is written in.
static RiStatus read_package(RiScene *sc, const RiYamlNode *node)
{
    const char *text, *path;
    RI_TRY(ri_yaml_expect(node, RI_YAML_SCALAR));
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){node, NULL}, &text));
    RI_TRY(ri_template_join(&sc->t, ri_scene_file(sc, node), text, &path));
    if (access(path, X_OK) != 0)
        return ri_yaml_error(node, RI_ERR_NOT_FOUND, "there is no folder '%.*s'", 300, path);
    sc->robot.packages[sc->robot.package_count++] = path;
    return RI_OK;
}

static RiStatus read_packages(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "packages");
    const int own = !node ? 0 : node->kind == RI_YAML_SCALAR ? 1 : node->count, more = sc->options.package_path_count;
    sc->robot.packages = ri_arena_alloc(&sc->t.arena, (size_t)own + (size_t)more + 1, sizeof *sc->robot.packages);
    if (!sc->robot.packages)
        return ri_error_memory(sc->ctx);
    if (node && node->kind == RI_YAML_MAPPING)
        return ri_yaml_expect(node, RI_YAML_SEQUENCE);
    if (node && node->kind == RI_YAML_SCALAR)
        RI_TRY(read_package(sc, node));
    for (const RiYamlNode *c = node ? node->first : NULL; c; c = c->next)
        RI_TRY(read_package(sc, c));
    for (int i = 0; i < more; i++)
        sc->robot.packages[sc->robot.package_count++] = sc->options.package_paths[i];
    return RI_OK;
}

static RiStatus read_options(RiScene *sc)
{
    static const char *const words[] = {"auto", "fixed", "floating"};
    const RiYamlNode *base = part(sc, "base"), *reduce = part(sc, "reduce"), *derive = part(sc, "derive");
    int index = 0;
    sc->robot = (RiSceneRobot){.reduce = true, .derive = true};
    if (base)
        RI_TRY(ri_template_choice(&sc->t, (RiTemplateValue){base, NULL}, words, 3, &index));
    sc->robot.base = (RiBase)index;
    RI_TRY(read_packages(sc));
    if (reduce)
        RI_TRY(ri_template_truth(&sc->t, (RiTemplateValue){reduce, NULL}, &sc->robot.reduce));
    if (derive)
        RI_TRY(ri_template_truth(&sc->t, (RiTemplateValue){derive, NULL}, &sc->robot.derive));
    return ri_scene_collect_settings(sc, part(sc, "set"), "robot.", &sc->robot.settings, &sc->robot.setting_count);
}

// -------------------------------------------------------------------------------------------- spec

static RiStatus load_inline(RiScene *sc, const RiLoadOptions *options)
{
    const RiYamlNode *node = sc->robot.template;
    if (sc->options.robot)
        return ri_yaml_error(node, RI_ERR_ARGUMENT,
                             "a robot that is written in the scene itself cannot be replaced by '%.*s'", SHOWN,
                             sc->options.robot);
    RiSceneWriter w = {.ctx = sc->ctx};
    ri_scene_put_node(&w, node, 1, NULL);
    const RiStatus status =
        w.failed ? ri_error_memory(sc->ctx)
                 : ri_template_parse(sc->ctx, ri_scene_file(sc, node), w.text, w.used, options, &sc->spec);
    ri_release(sc->ctx, w.text);
    return status;
}

static RiStatus load_file(RiScene *sc, const RiYamlNode *node, const RiLoadOptions *options)
{
    const char *path;
    RI_TRY(find_robot(sc, node, &path));
    sc->robot.path = path;
    if (!sc->options.robot)
        return ri_robot_load(sc->ctx, path, options, &sc->spec);
    RI_TRY(ri_robot_replace(sc->ctx, path, sc->options.robot, options, &sc->spec));
    sc->robot.path = sc->options.robot;
    const char *dot = strrchr(sc->options.robot, '.');
    if (dot && (strcasecmp(dot, ".urdf") == 0 || strcasecmp(dot, ".xml") == 0))
        sc->robot.setting_count = 0; // they were for the template it replaces
    return RI_OK;
}

RiStatus ri_scene_load_robot(RiScene *sc)
{
    RI_TRY(read_options(sc));
    const RiYamlNode *robot = ri_scene_key(sc, "robot"), *file = part(sc, "file");
    const RiLoadOptions options = {.settings = sc->robot.settings,
                                   .setting_count = sc->robot.setting_count,
                                   .package_paths = sc->robot.packages,
                                   .package_path_count = sc->robot.package_count,
                                   .no_derive = !sc->robot.derive,
                                   .report = sc->options.report};
    sc->robot.template = part(sc, "template");
    if (sc->lender) {
        sc->robot.path = sc->lender->robot.path;
        sc->robot.setting_count = sc->lender->robot.setting_count; // 0 where the robot was replaced
        sc->spec = sc->lender->spec;
        sc->model = sc->lender->model;
        return RI_OK;
    }
    if (sc->robot.template)
        RI_TRY(load_inline(sc, &options));
    else
        RI_TRY(load_file(sc, file ? file : robot, &options));
    const RiModelOptions model = {sc->robot.reduce, sc->robot.base, sc->options.report};
    return ri_model_create(sc->ctx, sc->spec, &model, &sc->model);
}
