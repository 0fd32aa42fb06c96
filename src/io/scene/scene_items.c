// SPDX-License-Identifier: Apache-2.0
/// \file
/// The items of a scene: devices, springs, commands, stop conditions.
///
/// Lists of included files come first, then the scene's own; a device or spring of a name that an
/// included file gave replaces that one. An item with `joints: GLOB` represents one item per joint
/// that matches, in which ${joint} is its name and ${index} counts from 1.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/model.h>

#include "device/group.h"
#include "device/network/network.h"
#include "device/plugin.h"
#include "io/file/plugin_open.h"
#include "io/fmu/fmu.h"
#include "io/robot/joint_table.h"
#include "io/scene/scene.h"
#include "io/scene/subsystem_table.h"

enum { SHOWN = 60 };

/// Reads one item; `joint` is the one it is repeated for, NULL.
typedef RiStatus (*ReadItem)(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, const char *joint);

static const char *joint_name(const RiModel *m, int i)
{
    return ri_model_joint(m, i).name;
}

static const char *link_name(const RiModel *m, int i)
{
    return ri_model_link(m, i).name;
}

static const char *class_name(const RiModel *m, int i)
{
    (void)m;
    return ri_device_class(i)->name;
}

// -------------------------------------------------------------------------------------------- keys

typedef struct List {
    const char *key;
    const char *keys[15];
    int count;
} List;

static const List lists[] = {
    {"devices",
     {"name", "type", "library", "joint", "frame", "attach", "joints", "rate", "set", "connect", "active", "doc",
      "group", "file", "map"},
     15},
    {"springs", {"name", "link", "point", "anchor", "stiffness", "damping", "length", "slack", "joints", "doc"}, 10},
    {"commands", {"at", "every", "until", "set", "joints", "doc"}, 6},
};

static RiStatus check_maps(const RiYamlNode *item)
{
    static const char *const maps[] = {"set", "connect"};
    for (int i = 0; i < 2; i++)
        if (ri_yaml_get(item, maps[i]))
            RI_TRY(ri_yaml_expect(ri_yaml_get(item, maps[i]), RI_YAML_MAPPING));
    return RI_OK;
}

static RiStatus check_list(const RiYamlNode *root, const List *list)
{
    const RiYamlNode *node = ri_yaml_get(root, list->key);
    if (!node)
        return RI_OK;
    RI_TRY(ri_yaml_expect(node, RI_YAML_SEQUENCE));
    for (const RiYamlNode *c = node->first; c; c = c->next) {
        RI_TRY(ri_yaml_check_keys(c, list->keys, list->count));
        RI_TRY(check_maps(c));
    }
    return RI_OK;
}

static RiStatus check_stop(const RiYamlNode *node)
{
    static const char *const keys[] = {"when", "doc"};
    const RiYamlNode *when;
    if (node->kind == RI_YAML_SCALAR)
        return RI_OK;
    RI_TRY(ri_yaml_check_keys(node, keys, 2));
    return ri_yaml_require(node, "when", RI_YAML_SCALAR, &when);
}

static RiStatus check_stops(const RiYamlNode *root)
{
    const RiYamlNode *node = ri_yaml_get(root, "stop");
    if (!node || node->kind != RI_YAML_SEQUENCE)
        return node ? check_stop(node) : RI_OK;
    for (const RiYamlNode *c = node->first; c; c = c->next)
        RI_TRY(check_stop(c));
    return RI_OK;
}

/// `initial` and `values` are mappings too.
static RiStatus check_start(const RiYamlNode *root)
{
    static const char *const keys[] = {"base", "positions", "velocities"};
    static const char *const base_keys[] = {"xyz", "rpy", "velocity", "rate"};
    const RiYamlNode *initial = ri_yaml_get(root, "initial"), *values = ri_yaml_get(root, "values");
    if (values)
        RI_TRY(ri_yaml_expect(values, RI_YAML_MAPPING));
    if (!initial)
        return RI_OK;
    RI_TRY(ri_yaml_check_keys(initial, keys, 3));
    for (const RiYamlNode *c = initial->first; c; c = c->next)
        RI_TRY(ri_yaml_expect(c, RI_YAML_MAPPING));
    const RiYamlNode *base = ri_yaml_get(initial, "base");
    return base ? ri_yaml_check_keys(base, base_keys, 4) : RI_OK;
}

RiStatus ri_scene_check_items(RiScene *sc)
{
    for (int i = 0; i < sc->t.document_count; i++) {
        const RiYamlNode *root = ri_yaml_root(sc->t.documents[i]);
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
            RI_TRY(check_list(root, &lists[k]));
        RI_TRY(check_stops(root));
        RI_TRY(check_start(root));
    }
    return RI_OK;
}

// -------------------------------------------------------------------------------------- repetition

static bool matches_any(const RiSceneText *globs, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (ri_glob_match(globs[i].text, name))
            return true;
    return false;
}

/// No joint matches: names some that there are.
static RiStatus no_joint(RiScene *sc, const RiYamlNode *joints, const char *glob)
{
    char names[300] = "";
    int more = 0;
    for (int i = 0; i < ri_model_joint_count(sc->model); i++) {
        const RiJointInfo info = ri_model_joint(sc->model, i);
        const size_t used = strlen(names);
        if (info.merged || info.nv != 1)
            continue;
        if (more || used + strlen(info.name) + 3 > sizeof names - 60)
            more++;
        else
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", info.name);
    }
    return ri_yaml_error(joints, RI_ERR_NOT_FOUND, "no moving joint matches%s%.*s; there %s%s%s",
                         glob ? " " : " any of these", glob ? SHOWN : 0, glob ? glob : "",
                         *names ? "are " : "does not move in exactly one coordinate", names, more ? " and others" : "");
}

/// Reads an item once, or once per joint that moves in one coordinate and matches `joints`.
static RiStatus read_item(RiScene *sc, const RiYamlNode *item, ReadItem read)
{
    const RiYamlNode *joints = ri_yaml_get(item, "joints");
    RiSceneText *globs;
    int count, found = 0;
    RI_TRY(ri_template_count(&sc->t, item));
    if (!joints)
        return read(sc, item, NULL, NULL);
    RI_TRY(ri_scene_texts(sc, (RiTemplateValue){joints, NULL}, &globs, &count));
    for (int i = 0; i < ri_model_joint_count(sc->model); i++) {
        const RiJointInfo info = ri_model_joint(sc->model, i);
        if (info.merged || info.nv != 1 || !matches_any(globs, count, info.name))
            continue;
        const RiLocal joint = {.name = "joint", .word = info.name, .value = {.value = i}};
        const RiLocal index = {.name = "index", .value = {.value = ++found}, .outer = &joint};
        RI_TRY(ri_template_count(&sc->t, item));
        RI_TRY(read(sc, item, &index, info.name));
    }
    return found ? RI_OK : no_joint(sc, joints, count == 1 ? globs[0].text : NULL);
}

static RiStatus read_list(RiScene *sc, const char *key, ReadItem read)
{
    for (int i = sc->t.document_count - 1; i >= 0; i--) {
        const RiYamlNode *list = ri_yaml_get(ri_yaml_root(sc->t.documents[i]), key);
        for (const RiYamlNode *c = list ? list->first : NULL; c; c = c->next)
            RI_TRY(read_item(sc, c, read));
    }
    return RI_OK;
}

// ------------------------------------------------------------------------------------------- names

/// NULL, or why a device or spring cannot have this name.
static const char *name_trouble(const RiScene *sc, const char *name)
{
    static const char *const taken[] = {"base", "energy", "gravity", "time", "robot", "terrain", "log", "checkpoint"};
    const size_t n = strlen(name);
    if (n == 0 || n > RI_SCENE_NAME)
        return "must have 1 to 120 bytes";
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 127 || name[i] == '`')
            return "may not contain control characters or backquotes";
    if (name[0] == ' ' || name[n - 1] == ' ')
        return "may not begin or end with a space";
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0)
            return "is taken by values of the simulation";
    return ri_model_find_joint(sc->model, name) >= 0 ? "is taken by a joint" : NULL;
}

/// Reads the name of a device or spring. *out_old is the index of one from an included file that it
/// replaces, -1.
static RiStatus read_name(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, bool spring, const char **out_name,
                          int *out_old)
{
    const RiYamlNode *node;
    *out_old = -1;
    RI_TRY(ri_yaml_require(item, "name", RI_YAML_SCALAR, &node));
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){node, scope}, out_name));
    const char *trouble = name_trouble(sc, *out_name);
    if (trouble)
        return ri_yaml_error(node, RI_ERR_FORMAT, "the name '%.*s' %s", SHOWN, *out_name, trouble);
    int existing;
    const int index = spring ? 2 * sc->spring_count + 1 : 2 * sc->device_count;
    RI_TRY(ri_names_add(&sc->item_names, *out_name, index, &existing));
    if (existing < 0)
        return RI_OK;
    const bool same_kind = existing % 2 == spring;
    const RiYamlNode *first = existing % 2 ? sc->springs[existing / 2].node : sc->devices[existing / 2].node;
    if (!same_kind || first->document == item->document)
        return ri_yaml_error(node, RI_ERR_FORMAT, "the name '%s' is given twice, first in line %d%s", *out_name,
                             first->line, scope ? "; with 'joints' a name contains ${joint}" : "");
    *out_old = existing / 2;
    return RI_OK;
}

// ----------------------------------------------------------------------------------------- devices

/// A shared object of this scene, loaded when it is first named.
static RiStatus open_library(RiScene *sc, const RiYamlNode *node, const char *path, RiPlugin **out_plugin)
{
    for (int i = 0; i < sc->library_count; i++)
        if (sc->libraries[i].plugin && strcmp(sc->libraries[i].path, path) == 0) {
            *out_plugin = sc->libraries[i].plugin;
            return RI_OK;
        }
    void *items = sc->libraries;
    RI_TRY(ri_template_grow(&sc->t, &items, sc->library_count, &sc->library_room, sizeof *sc->libraries));
    sc->libraries = items;
    RI_TRY(ri_scene_wrap(node, ri_plugin_load(sc->ctx, path, out_plugin), sc->ctx));
    sc->libraries[sc->library_count++] = (RiSceneLibrary){.path = path, .plugin = *out_plugin};
    return RI_OK;
}

/// The class of an FMU, which serves this device alone.
static RiStatus open_fmu(RiScene *sc, const RiYamlNode *node, const char *path, RiSceneDevice *d)
{
    void *items = sc->libraries;
    RiFmu *fmu;
    int left_out;
    RI_TRY(ri_template_grow(&sc->t, &items, sc->library_count, &sc->library_room, sizeof *sc->libraries));
    sc->libraries = items;
    RI_TRY(ri_scene_wrap(node, ri_fmu_load(sc->ctx, path, &fmu), sc->ctx));
    sc->libraries[sc->library_count++] = (RiSceneLibrary){.path = path, .fmu = fmu};
    d->device = ri_fmu_class(fmu);
    const char *first = ri_fmu_left_out(fmu, &left_out);
    if (left_out)
        ri_report_add(sc->options.report, RI_FINDING_WARNING, ri_yaml_file(node->document), node->line,
                      "inputs and outputs of the FMU that are not numbers are left out (%d): '%s'%s", left_out, first,
                      left_out > 1 ? ", ..." : "");
    if (strcmp(d->type, d->device->name) == 0)
        return RI_OK;
    return ri_yaml_error(node, RI_ERR_NOT_FOUND, "the FMU is a '%s', not a '%.*s'", d->device->name, SHOWN, d->type);
}

void ri_scene_close_libraries(RiScene *sc)
{
    for (int i = 0; i < sc->library_count; i++) {
        ri_plugin_destroy(sc->libraries[i].plugin);
        ri_fmu_destroy(sc->libraries[i].fmu);
        if (sc->libraries[i].handle)
            dlclose(sc->libraries[i].handle);
    }
    sc->library_count = 0;
}

RiStatus ri_scene_library_path(RiScene *sc, const RiYamlNode *library, const RiLocal *scope, const char **out_path)
{
    const char *name, *path, *file = ri_scene_file(sc, library);
    char dotted[RI_SCENE_PATH + 2];
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){library, scope}, &name));
    if (!file)
        return ri_yaml_error(library, RI_ERR_FORMAT, "a text without a path cannot load a library");
    RI_TRY(ri_template_join(&sc->t, file, name, &path));
    snprintf(dotted, sizeof dotted, "%s%s", strchr(path, '/') ? "" : "./", path); // a bare name is looked for elsewhere
    *out_path = ri_arena_string(&sc->t.arena, dotted);
    return *out_path ? RI_OK : ri_error_memory(sc->ctx);
}

RiStatus ri_scene_open_law(RiScene *sc, const RiYamlNode *node, const char *path, const char *type,
                           const RiContactPlugin **out_law)
{
    void *items = sc->libraries, *handle;
    const void *kind;
    RI_TRY(ri_template_grow(&sc->t, &items, sc->library_count, &sc->library_room, sizeof *sc->libraries));
    sc->libraries = items;
    RI_TRY(ri_scene_wrap(node, ri_plugin_open(sc->ctx, path, &ri_plugin_contact, type, &handle, &kind), sc->ctx));
    sc->libraries[sc->library_count++] = (RiSceneLibrary){.path = path, .handle = handle};
    *out_law = kind;
    return RI_OK;
}

/// The class of a device in a shared object, whose path is relative to the scene's folder.
static RiStatus read_library(RiScene *sc, const RiYamlNode *library, const RiLocal *scope, RiSceneDevice *d)
{
    RiPlugin *plugin = NULL;
    RI_TRY(ri_scene_library_path(sc, library, scope, &d->library));
    const size_t length = strlen(d->library);
    if (length > 4 && strcmp(d->library + length - 4, ".fmu") == 0)
        return open_fmu(sc, library, d->library, d);
    RI_TRY(open_library(sc, library, d->library, &plugin));
    d->device = ri_plugin_find(plugin, d->type);
    if (d->device)
        return RI_OK;
    return ri_yaml_error(library, RI_ERR_NOT_FOUND, "the library has no device class '%.*s'; its first is '%s'", SHOWN,
                         d->type, ri_plugin_class(plugin, 0)->name);
}

static RiStatus read_class(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, RiSceneDevice *d)
{
    const RiYamlNode *type, *library = ri_yaml_get(item, "library");
    RI_TRY(ri_yaml_require(item, "type", RI_YAML_SCALAR, &type));
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){type, scope}, &d->type));
    if (library)
        return read_library(sc, library, scope, d);
    int count = 0;
    while (ri_device_class(count))
        count++;
    d->device = ri_device_find(d->type);
    for (int i = 0; !d->device && i < sc->options.device_count; i++)
        if (strcmp(sc->options.devices[i]->name, d->type) == 0)
            d->device = sc->options.devices[i];
    return d->device ? RI_OK : ri_scene_unknown(type, "device type", d->type, class_name, NULL, count);
}

/// Checks that what a device is attached to exists and is of the kind its class wants.
static RiStatus check_attach(RiScene *sc, const RiYamlNode *node, const RiSceneDevice *d)
{
    static const char *const keys[] = {[RI_ATTACH_NONE] = "",
                                       [RI_ATTACH_JOINT] = "joint",
                                       [RI_ATTACH_FRAME] = "frame",
                                       [RI_ATTACH_WRENCH] = "joint",
                                       [RI_ATTACH_JOINTS] = "group"};
    const RiModel *m = sc->model;
    const RiAttach want = d->device->attach;
    if (!d->attach && want != RI_ATTACH_NONE)
        return ri_yaml_error(node, RI_ERR_FORMAT, "device '%s': a %s needs the key '%s'", d->name, d->type, keys[want]);
    switch (want) {
    case RI_ATTACH_NONE:
        return d->attach ? ri_yaml_error(node, RI_ERR_FORMAT, "a %s is not attached to anything", d->type) : RI_OK;
    case RI_ATTACH_JOINTS:
        return ri_joint_group(m, d->attach, NULL, 0) > 0
                   ? RI_OK
                   : ri_yaml_error(node, RI_ERR_NOT_FOUND, "no joint that moves in one coordinate matches '%.*s'",
                                   SHOWN, d->attach);
    case RI_ATTACH_FRAME:
        return ri_model_find_frame(m, d->attach) >= 0
                   ? RI_OK
                   : ri_scene_unknown(node, "link or frame", d->attach, ri_model_frame_name, m,
                                      ri_model_frame_count(m));
    case RI_ATTACH_JOINT:
    case RI_ATTACH_WRENCH:
        break;
    }
    const int joint = ri_model_find_joint(m, d->attach);
    if (joint < 0)
        return ri_scene_unknown(node, "joint", d->attach, joint_name, m, ri_model_joint_count(m));
    const RiJointInfo info = ri_model_joint(m, joint);
    if (want == RI_ATTACH_JOINT && (info.merged || info.nv != 1))
        return ri_yaml_error(node, RI_ERR_FORMAT, "a %s needs a joint that moves in one coordinate; '%.*s' is %s",
                             d->type, SHOWN, d->attach, ri_joint_type_name(info.type));
    return RI_OK;
}

/// The globs of a group of joints as one text.
static RiStatus read_group(RiScene *sc, const RiYamlNode *node, const RiLocal *scope, RiSceneDevice *d)
{
    RiSceneText *globs;
    int count;
    char text[1024] = "";
    size_t used = 0;
    if (d->device->attach != RI_ATTACH_JOINTS)
        return ri_yaml_error(node, RI_ERR_FORMAT, "a %s is not attached to a group of joints", d->type);
    RI_TRY(ri_scene_texts(sc, (RiTemplateValue){node, scope}, &globs, &count));
    for (int i = 0; i < count; i++) {
        const int n = snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "", globs[i].text);
        used += (size_t)n;
        if (used >= sizeof text)
            return ri_yaml_error(node, RI_ERR_LIMIT, "the globs have more than %d bytes", (int)sizeof text - 1);
    }
    d->attach = ri_arena_string(&sc->t.arena, text);
    return d->attach ? RI_OK : ri_error_memory(sc->ctx);
}

static RiStatus read_attach(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, const char *joint,
                            RiSceneDevice *d)
{
    static const char *const keys[] = {"joint", "frame", "attach", "group"};
    const RiYamlNode *used = NULL;
    for (int i = 0; i < 4; i++) {
        const RiYamlNode *node = ri_yaml_get(item, keys[i]);
        if (node && used)
            return ri_yaml_error(node, RI_ERR_FORMAT, "only one of joint, frame, group and attach can be given");
        used = node ? node : used;
    }
    if (used && used == ri_yaml_get(item, "group"))
        RI_TRY(read_group(sc, used, scope, d));
    else if (used)
        RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){used, scope}, &d->attach));
    else if (joint && d->device->attach != RI_ATTACH_NONE && d->device->attach != RI_ATTACH_JOINTS)
        d->attach = joint;
    return check_attach(sc, used ? used : joint ? ri_yaml_get(item, "joints") : item, d);
}

/// The table of a device on a group of joints or of a subsystem; its path is relative to the scene's
/// folder.
static RiStatus read_table(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, RiSceneDevice *d)
{
    const RiYamlNode *node = ri_yaml_get(item, "file");
    const char *name, *file = node ? ri_scene_file(sc, node) : NULL;
    if (!node)
        return RI_OK;
    const bool joints = d->device->attach == RI_ATTACH_JOINTS;
    if (!joints && !ri_subsystem_of(d->device))
        return ri_yaml_error(node, RI_ERR_FORMAT, "a %s reads no file", d->type);
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){node, scope}, &name));
    if (!file)
        return ri_yaml_error(node, RI_ERR_FORMAT, "a text without a path cannot read a file");
    RI_TRY(ri_template_join(&sc->t, file, name, &d->file));
    const RiStatus status = joints ? ri_joint_table_load(sc->ctx, &sc->t.arena, d->file, sc->model, d->attach,
                                                         &d->table, &d->table_rows, &d->table_columns)
                                   : ri_subsystem_table_load(sc->ctx, &sc->t.arena, d->device, d->file, sc->sun.world,
                                                             &d->table, &d->table_rows, &d->table_columns);
    return ri_scene_wrap(node, status, sc->ctx);
}

/// The map of a device that plans: a folder, relative to the scene's own.
static RiStatus read_map(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, RiSceneDevice *d)
{
    const RiYamlNode *node = ri_yaml_get(item, "map");
    const char *name, *file = node ? ri_scene_file(sc, node) : NULL;
    if (!node)
        return RI_OK;
    if (d->device->abi < 8 || !d->device->takes_map)
        return ri_yaml_error(node, RI_ERR_FORMAT, "devices of type %s take no map", d->type);
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){node, scope}, &name));
    if (!file)
        return ri_yaml_error(node, RI_ERR_FORMAT, "a text without a path cannot read a folder");
    RI_TRY(ri_template_join(&sc->t, file, name, &d->folder));
    return ri_scene_wrap(node, ri_scene_load_map(sc, d->folder, &d->map), sc->ctx);
}

static RiStatus read_connections(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, RiSceneDevice *d)
{
    const RiYamlNode *map = ri_yaml_get(item, "connect");
    const size_t n = map ? (size_t)map->count : 0;
    d->inputs = ri_arena_alloc(&sc->t.arena, n + 1, sizeof *d->inputs);
    d->sources = ri_arena_alloc(&sc->t.arena, n + 1, sizeof *d->sources);
    d->source_nodes = ri_arena_alloc(&sc->t.arena, n + 1, sizeof *d->source_nodes);
    if (!d->inputs || !d->sources || !d->source_nodes)
        return ri_error_memory(sc->ctx);
    for (const RiYamlNode *c = map ? map->first : NULL; c; c = c->next) {
        int port = 0;
        while (port < d->device->port_count &&
               (d->device->ports[port].kind != RI_VALUE_INPUT || strcmp(d->device->ports[port].name, c->key) != 0))
            port++;
        if (port == d->device->port_count)
            return ri_yaml_error(c, RI_ERR_NOT_FOUND, "a %s has no input of this name", d->type);
        const int i = d->connection_count++;
        d->inputs[i] = c->key;
        d->source_nodes[i] = c;
        RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){c, scope}, &d->sources[i]));
    }
    return RI_OK;
}

/// Notes a value to be set before the start.
static RiStatus add_set(RiScene *sc, const char *owner, const char *port, const RiYamlNode *node, const RiLocal *scope)
{
    char name[512];
    RI_SCENE_GROW(sc, set);
    snprintf(name, sizeof name, "%s.%.300s", owner, port);
    RiSceneSet set = {.name = ri_arena_string(&sc->t.arena, name), .owner = owner, .node = node};
    if (!set.name)
        return ri_error_memory(sc->ctx);
    RI_TRY(ri_scene_expression(sc, (RiTemplateValue){node, scope}, &set.text));
    sc->sets[sc->set_count++] = set;
    return RI_OK;
}

static RiStatus read_device_sets(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, const RiSceneDevice *d)
{
    const RiYamlNode *map = ri_yaml_get(item, "set"), *active = ri_yaml_get(item, "active");
    for (const RiYamlNode *c = map ? map->first : NULL; c; c = c->next)
        RI_TRY(add_set(sc, d->name, c->key, c, scope));
    return active ? add_set(sc, d->name, "active", active, scope) : RI_OK;
}

/// Forgets what the device replaced by a new one of the same name has set.
static void drop_sets(RiScene *sc, const char *owner)
{
    int kept = 0;
    for (int i = 0; i < sc->set_count; i++)
        if (!sc->sets[i].owner || strcmp(sc->sets[i].owner, owner) != 0)
            sc->sets[kept++] = sc->sets[i];
    sc->set_count = kept;
}

static RiStatus read_device(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, const char *joint)
{
    RiSceneDevice d = {.node = item};
    const RiYamlNode *rate = ri_yaml_get(item, "rate");
    int old;
    RI_SCENE_GROW(sc, device);
    RI_TRY(read_name(sc, item, scope, false, &d.name, &old));
    RI_TRY(read_class(sc, item, scope, &d));
    RI_TRY(read_attach(sc, item, scope, joint, &d));
    RI_TRY(read_table(sc, item, scope, &d));
    RI_TRY(read_map(sc, item, scope, &d));
    if (rate) {
        RI_TRY(ri_template_number(&sc->t, (RiTemplateValue){rate, scope}, "Hz", &d.rate));
        RI_TRY(ri_scene_check_rate(sc, rate, d.rate));
    }
    RI_TRY(read_connections(sc, item, scope, &d));
    if (old >= 0)
        drop_sets(sc, d.name);
    RI_TRY(read_device_sets(sc, item, scope, &d));
    sc->devices[old >= 0 ? old : sc->device_count++] = d;
    return RI_OK;
}

// ----------------------------------------------------------------------------------------- springs

static RiStatus read_point(RiScene *sc, const RiYamlNode *node, const RiLocal *scope, RiVec3 *out_point)
{
    double x[3];
    int count;
    if (!node)
        return RI_OK;
    RI_TRY(ri_template_numbers(&sc->t, (RiTemplateValue){node, scope}, "m", 3, 3, x, &count));
    *out_point = (RiVec3){x[0], x[1], x[2]};
    return RI_OK;
}

static RiStatus read_size(RiScene *sc, const RiYamlNode *node, const RiLocal *scope, const char *unit,
                          double *out_value)
{
    if (!node)
        return RI_OK;
    RI_TRY(ri_template_number(&sc->t, (RiTemplateValue){node, scope}, unit, out_value));
    if (*out_value >= 0.0)
        return RI_OK;
    return ri_yaml_error(node, RI_ERR_FORMAT, "%.9g %s is negative", *out_value, unit);
}

static RiStatus read_spring(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, const char *joint)
{
    (void)joint;
    const RiYamlNode *link, *anchor, *slack = ri_yaml_get(item, "slack");
    RiSceneSpring s = {.node = item};
    int old;
    RI_SCENE_GROW(sc, spring);
    RI_TRY(read_name(sc, item, scope, true, &s.def.name, &old));
    RI_TRY(ri_yaml_require(item, "link", RI_YAML_SCALAR, &link));
    RI_TRY(ri_yaml_require(item, "anchor", RI_YAML_SEQUENCE, &anchor));
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){link, scope}, &s.def.link));
    if (ri_model_find_link(sc->model, s.def.link) < 0)
        return ri_scene_unknown(link, "link", s.def.link, link_name, sc->model, ri_model_link_count(sc->model));
    RI_TRY(read_point(sc, ri_yaml_get(item, "point"), scope, &s.def.point));
    RI_TRY(read_point(sc, anchor, scope, &s.def.anchor));
    RI_TRY(read_size(sc, ri_yaml_get(item, "stiffness"), scope, "N/m", &s.def.stiffness));
    RI_TRY(read_size(sc, ri_yaml_get(item, "damping"), scope, "N*s/m", &s.def.damping));
    RI_TRY(read_size(sc, ri_yaml_get(item, "length"), scope, "m", &s.def.length));
    if (slack)
        RI_TRY(ri_template_truth(&sc->t, (RiTemplateValue){slack, scope}, &s.def.slack));
    s.def.source = (RiSource){ri_yaml_file(item->document), item->line};
    sc->springs[old >= 0 ? old : sc->spring_count++] = s;
    return RI_OK;
}

// ------------------------------------------------------------------------------ commands and stops

static RiStatus read_time(RiScene *sc, const RiYamlNode *item, const char *key, const RiLocal *scope, double *out_time)
{
    return read_size(sc, ri_yaml_get(item, key), scope, "s", out_time);
}

/// Adds a command once, or again and again until a time.
static RiStatus add_commands(RiScene *sc, RiSceneSet set, double every, double until)
{
    const double first = set.time, slack = 1e-9 * sc->sim_options.tick;
    for (int k = 0; k == 0 || (every > 0.0 && first + k * every <= until + slack); k++) {
        if (sc->command_count == RI_SCENE_COMMANDS)
            return ri_yaml_error(set.node, RI_ERR_LIMIT, "more than %d commands", RI_SCENE_COMMANDS);
        RI_SCENE_GROW(sc, command);
        set.time = first + k * every;
        set.order = sc->command_count;
        set.repeats = k > 0;
        sc->commands[sc->command_count++] = set;
    }
    return RI_OK;
}

static RiStatus read_command(RiScene *sc, const RiYamlNode *item, const RiLocal *scope, const char *joint)
{
    (void)joint;
    double at = 0.0, every = 0.0, until = sc->duration;
    const RiYamlNode *map, *repeat = ri_yaml_get(item, "every");
    RI_TRY(ri_yaml_require(item, "set", RI_YAML_MAPPING, &map));
    RI_TRY(read_time(sc, item, "at", scope, &at));
    RI_TRY(read_time(sc, item, "every", scope, &every));
    RI_TRY(read_time(sc, item, "until", scope, &until));
    if (repeat && every < sc->sim_options.tick * (1.0 - 1e-9))
        return ri_yaml_error(repeat, RI_ERR_FORMAT, "%.9g s is shorter than the tick of %.9g s", every,
                             sc->sim_options.tick);
    for (const RiYamlNode *c = map->first; c; c = c->next) {
        RiSceneSet set = {.time = at, .node = c};
        const RiYamlNode key = {.document = c->document, .text = c->key, .line = c->key_line, .column = c->key_column};
        RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){&key, scope}, &set.name));
        RI_TRY(ri_scene_expression(sc, (RiTemplateValue){c, scope}, &set.text));
        RI_TRY(add_commands(sc, set, every, until));
    }
    return RI_OK;
}

static int by_time(const void *a, const void *b)
{
    const RiSceneSet *x = a, *y = b;
    return x->time != y->time ? (x->time < y->time ? -1 : 1) : x->order - y->order;
}

static RiStatus read_stop(RiScene *sc, const RiYamlNode *node)
{
    const RiYamlNode *when = node->kind == RI_YAML_MAPPING ? ri_yaml_get(node, "when") : node;
    RI_SCENE_GROW(sc, stop);
    RiSceneText stop = {.node = when};
    RI_TRY(ri_scene_expression(sc, (RiTemplateValue){when, NULL}, &stop.text));
    sc->stops[sc->stop_count++] = stop;
    return RI_OK;
}

static RiStatus read_stops(RiScene *sc)
{
    for (int i = sc->t.document_count - 1; i >= 0; i--) {
        const RiYamlNode *node = ri_yaml_get(ri_yaml_root(sc->t.documents[i]), "stop");
        if (node && node->kind != RI_YAML_SEQUENCE)
            RI_TRY(read_stop(sc, node));
        for (const RiYamlNode *c = node && node->kind == RI_YAML_SEQUENCE ? node->first : NULL; c; c = c->next)
            RI_TRY(read_stop(sc, c));
    }
    return RI_OK;
}

RiStatus ri_scene_read_items(RiScene *sc)
{
    RI_TRY(read_list(sc, "devices", read_device));
    RI_TRY(read_list(sc, "springs", read_spring));
    RI_TRY(read_list(sc, "commands", read_command));
    if (sc->command_count)
        qsort(sc->commands, (size_t)sc->command_count, sizeof *sc->commands, by_time);
    return read_stops(sc);
}
