// SPDX-License-Identifier: Apache-2.0
/// \file
/// A scene as text: every setting, default or not, so that it loads to the same run, bit by bit.
///
/// What depends on parameters, globs and included files is written as what it came to. The text is
/// a fixed point: a saved scene that is loaded and saved again gives the same text (in the same
/// folder).
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/model.h>

#include "io/file/sink.h"
#include "io/scene/scene.h"
#include "io/scene/scene_tables.h"
#include "sim/options.h"

// ------------------------------------------------------------------------------------------ writer

/// Room for `size` more bytes and a final zero.
static bool reserve(RiSceneWriter *w, size_t size)
{
    if (w->failed || w->room - w->used > size)
        return !w->failed;
    const size_t room = 2 * w->room + size + 4096;
    char *text = ri_resize(w->ctx, w->text, room, 1);
    w->failed = !text;
    if (!text)
        return false;
    w->text = text;
    w->room = room;
    return true;
}

static void put_bytes(RiSceneWriter *w, const char *text, size_t size)
{
    if (!reserve(w, size))
        return;
    memcpy(w->text + w->used, text, size);
    w->used += size;
    w->text[w->used] = '\0';
}

void ri_scene_put(RiSceneWriter *w, const char *format, ...)
{
    char text[512]; // names and texts of users go through ri_scene_put_quoted
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_bytes(w, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/// Bytes of the next character that YAML would not read back as it is (controls, line
/// separators, non-characters), and its code point; 0 if it may be as it is.
static int special(const unsigned char *c, unsigned *out_code)
{
    *out_code = *c;
    if (*c < ' ' || *c == 127 || *c == '"' || *c == '\\')
        return 1;
    *out_code = c[1];
    if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] <= 0xA0)
        return 2;
    if (c[0] == 0xE2 && c[1] == 0x80 && (c[2] == 0xA8 || c[2] == 0xA9)) {
        *out_code = 0x2000U + (c[2] & 0x3FU);
        return 3;
    }
    if (c[0] == 0xEF && ((c[1] == 0xBB && c[2] == 0xBF) || (c[1] == 0xBF && c[2] >= 0xBE))) {
        *out_code = c[1] == 0xBB ? 0xFEFFU : 0xFFC0U + (c[2] & 0x3FU);
        return 3;
    }
    return 0;
}

void ri_scene_put_quoted(RiSceneWriter *w, const char *text)
{
    put_bytes(w, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        unsigned code;
        const int size = special(c, &code);
        if (size == 0)
            put_bytes(w, (const char *)c, 1);
        else if (*c == '"' || *c == '\\')
            ri_scene_put(w, "\\%c", *c);
        else
            ri_scene_put(w, code < 256 ? "\\x%02X" : "\\u%04X", code);
        c += size ? size : 1;
    }
    put_bytes(w, "\"", 1);
}

void ri_scene_put_options(RiSceneWriter *w, const char *indent, const RiOptionTable *table, const void *options)
{
    char value[160];
    for (int i = 0; i < table->count; i++) {
        const RiOption *row = &table->rows[i];
        const bool text = row->kind == RI_OPTION_TEXT;
        if (row->kind == RI_OPTION_OWN || (text && !ri_option_text(row, options)) ||
            (row->kind == RI_OPTION_NUMBER && isnan(ri_option_number(row, options))))
            continue;
        ri_scene_put(w, "%s%s: ", indent, row->key);
        if (text)
            ri_scene_put_quoted(w, ri_option_text(row, options));
        else
            ri_scene_put(w, "%s", ri_option_print(row, options, value, sizeof value));
        ri_scene_put(w, "\n");
    }
}

// ------------------------------------------------------------------------------------------- nodes

typedef struct NodeWriter {
    RiSceneWriter *w;
    int line; ///< that the text has reached; 0: lines are not kept
    const char *extends;
} NodeWriter;

/// Goes on to the line in which a node is, or starts a line for it.
static void go_to_line(NodeWriter *n, int line, int depth)
{
    if (n->line == 0) {
        if (depth <= 3)
            ri_scene_put(n->w, "\n%*s", 2 + 2 * depth, "");
        return;
    }
    for (; n->line < line; n->line++)
        put_bytes(n->w, "\n", 1);
}

static void put_node(NodeWriter *n, const RiYamlNode *node, int depth)
{
    if (node->kind == RI_YAML_SCALAR) {
        if (node->text[0] || node->quoted || !node->key) // a key with nothing stays one
            ri_scene_put_quoted(n->w, node->text);
        return;
    }
    put_bytes(n->w, node->kind == RI_YAML_MAPPING ? "{" : "[", 1);
    for (const RiYamlNode *c = node->first; c; c = c->next) {
        if (c != node->first)
            put_bytes(n->w, ", ", 2);
        go_to_line(n, c->key ? c->key_line : c->line, depth + 1);
        if (c->key) {
            ri_scene_put_quoted(n->w, c->key);
            put_bytes(n->w, ": ", 2);
        }
        go_to_line(n, n->line ? c->line : 0, 99);
        if (depth == 0 && n->extends && c->key && strcmp(c->key, "extends") == 0)
            ri_scene_put_quoted(n->w, n->extends);
        else
            put_node(n, c, depth + 1);
    }
    put_bytes(n->w, node->kind == RI_YAML_MAPPING ? "}" : "]", 1);
}

void ri_scene_put_node(RiSceneWriter *w, const RiYamlNode *node, int line, const char *extends)
{
    NodeWriter n = {w, line, extends};
    put_node(&n, node, 0);
    put_bytes(w, "\n", 1);
}

// ------------------------------------------------------------------------------------------- paths

/// The folder of a file, made absolute.
static bool absolute_folder(const char *path, char folder[RI_SCENE_PATH])
{
    char copy[RI_SCENE_PATH];
    const char *slash = strrchr(path, '/');
    const size_t n = slash ? (size_t)(slash - path) : 0;
    if (n >= sizeof copy)
        return false;
    memcpy(copy, path, n);
    copy[n] = '\0';
    return realpath(slash ? (n ? copy : "/") : ".", folder) != NULL;
}

/// `file` as seen from the folder of `from`; absolute if the two have nothing but the root in
/// common. NULL if one does not exist.
static const char *relative_path(const char *from, const char *file, char out[2 * RI_SCENE_PATH])
{
    char folder[RI_SCENE_PATH], target[RI_SCENE_PATH];
    if (!absolute_folder(from, folder) || !realpath(file, target))
        return NULL;
    size_t common = 0;
    for (size_t i = 0;; i++) {
        const bool end = !folder[i] || folder[i] == '/';
        if (end && target[i] == '/')
            common = i;
        if (!folder[i] || folder[i] != target[i])
            break;
    }
    if (common == 0)
        return strcpy(out, target);
    size_t used = 0;
    for (const char *c = folder + common; *c; c++)
        if (*c == '/') {
            memcpy(out + used, "../", 3);
            used += 3;
        }
    strcpy(out + used, target + common + 1);
    return out;
}

// ---------------------------------------------------------------------------------------- sections

typedef struct Save {
    const RiScene *sc;
    RiSceneWriter w;
    const char *path;
    bool *told; ///< named values that are in the text already
} Save;

static void put_plain(Save *s, const char *text)
{
    put_bytes(&s->w, text, strlen(text));
}

static void put_number(Save *s, double x)
{
    char number[40];
    ri_scene_put(&s->w, "%s", ri_number_text(x, number));
}

static void put_vector(Save *s, const char *key, RiVec3 v, const char *end)
{
    ri_scene_put(&s->w, "%s: [", key);
    put_number(s, v.x);
    ri_scene_put(&s->w, ", ");
    put_number(s, v.y);
    ri_scene_put(&s->w, ", ");
    put_number(s, v.z);
    ri_scene_put(&s->w, "]%s", end);
}

/// `key: "text"` and the end of the line.
static void put_text(Save *s, const char *key, const char *text)
{
    ri_scene_put(&s->w, "%s: ", key);
    ri_scene_put_quoted(&s->w, text);
    ri_scene_put(&s->w, "\n");
}

static void put_key_number(Save *s, const char *key, double x, const char *unit)
{
    ri_scene_put(&s->w, "%s: ", key);
    put_number(s, x);
    ri_scene_put(&s->w, "%s%s\n", unit[0] ? " " : "", unit);
}

static RiStatus put_path(Save *s, const char *key, const char *file)
{
    char path[2 * RI_SCENE_PATH];
    const char *seen = relative_path(s->path, file, path);
    if (!seen)
        return ri_error(s->sc->ctx, RI_ERR_IO, "%s: cannot save: the folder, or the file '%s', does not exist", s->path,
                        file);
    put_text(s, key, seen);
    return RI_OK;
}

/// The path of what an inline template extends, as seen from the saved file.
static RiStatus find_extends(const Save *s, char out[2 * RI_SCENE_PATH], const char **out_path)
{
    const RiScene *sc = s->sc;
    const RiYamlNode *extends = ri_yaml_get(sc->robot.template, "extends");
    const char *from = ri_scene_file(sc, sc->robot.template);
    *out_path = NULL;
    if (!extends || !from || extends->text[0] == '/')
        return RI_OK;
    const char *slash = strrchr(from, '/');
    char joined[RI_SCENE_PATH];
    const int n = snprintf(joined, sizeof joined, "%.*s%s", slash ? (int)(slash - from) + 1 : 0, from, extends->text);
    if (n < (int)sizeof joined && (*out_path = relative_path(s->path, joined, out)) != NULL)
        return RI_OK;
    return ri_error(sc->ctx, RI_ERR_IO, "%s: cannot save: the file '%s' does not exist", s->path, joined);
}

static void put_settings(Save *s, const RiSetting *settings, int count)
{
    if (count)
        ri_scene_put(&s->w, "  set:\n");
    for (int i = 0; i < count; i++) {
        ri_scene_put(&s->w, "    ");
        ri_scene_put_quoted(&s->w, settings[i].name);
        put_text(s, "", settings[i].value);
    }
}

static RiStatus put_packages(Save *s)
{
    const RiSceneRobot *r = &s->sc->robot;
    if (r->package_count)
        ri_scene_put(&s->w, "packages:\n");
    for (int i = 0; i < r->package_count; i++) {
        char path[2 * RI_SCENE_PATH];
        const char *seen = relative_path(s->path, r->packages[i], path);
        if (!seen)
            return ri_error(s->sc->ctx, RI_ERR_IO, "%s: cannot save: the folder '%s' does not exist", s->path,
                            r->packages[i]);
        ri_scene_put(&s->w, "  - ");
        ri_scene_put_quoted(&s->w, seen);
        ri_scene_put(&s->w, "\n");
    }
    return RI_OK;
}

static RiStatus put_robot(Save *s)
{
    static const char *const bases[] = {"auto", "fixed", "floating"};
    const RiSceneRobot *r = &s->sc->robot;
    ri_scene_put(&s->w, "robot:\n");
    ri_scene_put(&s->w, "  base: %s\n  reduce: %s\n", bases[r->base], r->reduce ? "true" : "false");
    if (!r->derive)
        ri_scene_put(&s->w, "  derive: false\n");
    put_settings(s, r->settings, r->setting_count);
    if (r->path)
        return put_path(s, "  file", r->path);
    char path[2 * RI_SCENE_PATH];
    const char *extends;
    RI_TRY(find_extends(s, path, &extends));
    ri_scene_put(&s->w, "  template: ");
    ri_scene_put_node(&s->w, r->template, 0, extends);
    return RI_OK;
}

/// The terrain: its file as seen from the saved one, or its description with the folder that its
/// own files are seen from.
static RiStatus put_terrain(Save *s)
{
    const RiSceneTerrain *t = &s->sc->terrain;
    if (!t->file)
        return RI_OK;
    ri_scene_put(&s->w, "terrain:\n");
    put_settings(s, t->settings, t->setting_count);
    if (t->path)
        return put_path(s, "  file", t->path);
    if (t->folder) {
        char folder[RI_SCENE_PATH];
        if (!absolute_folder(t->folder, folder))
            return ri_error(s->sc->ctx, RI_ERR_IO, "%s: cannot save: the folder of '%s' does not exist", s->path,
                            t->folder);
        RI_TRY(put_path(s, "  folder", folder));
    }
    ri_scene_put(&s->w, "  template: ");
    ri_scene_put_node(&s->w, t->template, 0, NULL);
    return RI_OK;
}

static void put_head(Save *s)
{
    const RiScene *sc = s->sc;
    const RiValues *values = ri_sim_values(sc->sim);
    static const char *const gravity[] = {"gravity.x", "gravity.y", "gravity.z"};
    double g[3];
    for (int i = 0; i < 3; i++) { // it may have been set as a named value
        const int index = ri_values_find(values, gravity[i]);
        g[i] = sc->start[index];
        s->told[index] = true;
    }
    RiSimOptions used = sc->sim_options;
    used.gravity = (RiVec3){g[0], g[1], g[2]};
    ri_scene_put_options(&s->w, "", &ri_scene_option_table, sc);
    ri_scene_put_options(&s->w, "", &ri_sim_option_table, &used);
    const bool kinematic = used.method == RI_METHOD_KINEMATIC;
    ri_scene_put(&s->w, "%s: %s\n", kinematic ? "mode" : "integrator", ri_method_name(used.method));
    if (sc->switchable)
        ri_scene_put(&s->w, "mode: switchable\n");
}

static void put_coordinates(Save *s, const char *key, const double *x, int n, bool rate)
{
    const RiModel *m = s->sc->model;
    ri_scene_put(&s->w, "  %s:%s\n", key, n ? "" : " {}");
    for (int i = 0; i < n; i++) {
        ri_scene_put(&s->w, "    ");
        ri_scene_put_quoted(&s->w, rate ? ri_model_v_name(m, i) : ri_model_q_name(m, i));
        put_key_number(s, "", x[i], "");
    }
}

static void put_initial(Save *s)
{
    const RiScene *sc = s->sc;
    const RiValues *values = ri_sim_values(sc->sim);
    ri_scene_put(&s->w, "initial: # m, rad\n");
    put_coordinates(s, "positions", sc->start_q, ri_model_nq(sc->model), false);
    put_coordinates(s, "velocities", sc->start_v, ri_model_nv(sc->model), true);
    for (int i = 0; i < ri_values_count(values); i++) // positions and velocities under their other names
        s->told[i] |= ri_values_get(values, i)->kind == RI_VALUE_STATE;
}

/// The start of a value, looked up by owner and name. It counts as told.
static double started(Save *s, const char *owner, const char *what)
{
    char name[512];
    snprintf(name, sizeof name, "%.300s.%.180s", owner, what);
    const int index = ri_values_find(ri_sim_values(s->sc->sim), name);
    if (index < 0)
        return 0.0;
    s->told[index] = true;
    return s->sc->start[index];
}

static void put_ports(Save *s, const RiSceneDevice *d)
{
    bool any = false;
    for (int k = 0; k < d->device->port_count; k++) {
        const RiPort *port = &d->device->ports[k];
        if (port->kind != RI_VALUE_PARAMETER && port->kind != RI_VALUE_INPUT)
            continue;
        put_plain(s, any ? "" : "    set:\n");
        any = true;
        ri_scene_put(&s->w, "      ");
        put_key_number(s, port->name, started(s, d->name, port->name), "");
    }
}

static RiStatus put_device(Save *s, const RiSceneDevice *d)
{
    put_text(s, "  - name", d->name);
    put_text(s, "    type", d->type);
    if (d->library)
        RI_TRY(put_path(s, "    library", d->library));
    if (d->attach)
        put_text(s, "    attach", d->attach);
    if (d->file)
        RI_TRY(put_path(s, "    file", d->file));
    if (d->folder)
        RI_TRY(put_path(s, "    map", d->folder));
    put_key_number(s, "    rate", d->rate, "Hz");
    const double active = started(s, d->name, "active");
    if (active == 0.0 || active == 1.0)
        ri_scene_put(&s->w, "    active: %s\n", active == 1.0 ? "true" : "false");
    else
        put_key_number(s, "    active", active, "");
    put_ports(s, d);
    if (d->connection_count)
        ri_scene_put(&s->w, "    connect:\n");
    for (int i = 0; i < d->connection_count; i++) {
        ri_scene_put(&s->w, "      %s", d->inputs[i]);
        put_text(s, "", d->sources[i]);
    }
    return RI_OK;
}

static void put_spring(Save *s, const RiSceneSpring *x)
{
    put_text(s, "  - name", x->def.name);
    put_text(s, "    link", x->def.link);
    put_vector(s, "    point", x->def.point, "\n");
    put_vector(s, "    anchor", x->def.anchor, "\n");
    put_key_number(s, "    stiffness", started(s, x->def.name, "stiffness"), "N/m");
    put_key_number(s, "    damping", started(s, x->def.name, "damping"), "N*s/m");
    put_key_number(s, "    length", started(s, x->def.name, "rest_length"), "m");
    ri_scene_put(&s->w, "    slack: %s\n", x->def.slack ? "true" : "false");
}

/// Values that were set and stand nowhere else.
static void put_values(Save *s)
{
    const RiScene *sc = s->sc;
    const RiValues *values = ri_sim_values(sc->sim);
    bool any = false;
    for (int i = 0; i < ri_values_count(values); i++) {
        const RiValue *v = ri_values_get(values, i);
        if (s->told[i] || !v->writable || memcmp(&sc->start[i], &sc->defaults[i], sizeof *sc->start) == 0)
            continue;
        put_plain(s, any ? "  " : "values:\n  ");
        any = true;
        ri_scene_put_quoted(&s->w, v->name);
        put_key_number(s, "", sc->start[i], "");
    }
}

static RiStatus put_items(Save *s)
{
    const RiScene *sc = s->sc;
    put_plain(s, sc->device_count ? "devices:\n" : "");
    for (int i = 0; i < sc->device_count; i++)
        RI_TRY(put_device(s, &sc->devices[i]));
    put_plain(s, sc->spring_count ? "springs:\n" : "");
    for (int i = 0; i < sc->spring_count; i++)
        put_spring(s, &sc->springs[i]);
    put_values(s);
    put_plain(s, sc->command_count ? "commands:\n" : "");
    for (int i = 0; i < sc->command_count; i++) {
        ri_scene_put(&s->w, "  - at: ");
        put_number(s, sc->commands[i].time);
        ri_scene_put(&s->w, " s\n    set: {");
        ri_scene_put_quoted(&s->w, sc->commands[i].name);
        ri_scene_put(&s->w, ": ");
        ri_scene_put_quoted(&s->w, sc->commands[i].text);
        ri_scene_put(&s->w, "}\n");
    }
    put_plain(s, sc->stop_count ? "stop:\n" : "");
    for (int i = 0; i < sc->stop_count; i++)
        put_text(s, "  - when", sc->stops[i].text);
    return RI_OK;
}

static void put_globs(Save *s, const RiSceneText *globs, int count)
{
    ri_scene_put(&s->w, "[");
    for (int i = 0; i < count; i++) {
        put_plain(s, i ? ", " : "");
        ri_scene_put_quoted(&s->w, globs[i].text);
    }
    ri_scene_put(&s->w, "]\n");
}

static void put_sun(Save *s)
{
    const RiSunDef *sun = &s->sc->sun;
    ri_scene_put(&s->w, "sun:\n");
    if (sun->world != RI_WORLD_UNKNOWN)
        ri_scene_put(&s->w, "  body: %s\n", ri_world_name(sun->world));
    if (sun->moves) {
        put_text(s, "  date", s->sc->sun_date);
        if (s->sc->sun_hour >= 0.0)
            put_key_number(s, "  local_time", s->sc->sun_hour, "");
        put_key_number(s, "  latitude", sun->latitude, "rad");
        put_key_number(s, "  longitude", sun->longitude, "rad");
        return;
    }
    put_key_number(s, "  azimuth", sun->fixed.azimuth, "rad");
    put_key_number(s, "  elevation", sun->fixed.elevation, "rad");
}

static void put_outputs(Save *s)
{
    const RiScene *sc = s->sc;
    ri_scene_put(&s->w, "log:\n");
    ri_scene_put_options(&s->w, "  ", &ri_log_option_table, sc);
    ri_scene_put(&s->w, "  values: ");
    put_globs(s, sc->log_globs, sc->log_glob_count);
    ri_scene_put(&s->w, "checkpoint:\n");
    ri_scene_put_options(&s->w, "  ", &ri_checkpoint_option_table, sc);
    put_sun(s);
    ri_scene_put(&s->w, "camera:\n");
    ri_scene_put_options(&s->w, "  ", &ri_view_option_table, &sc->view);
    if (sc->view.layers)
        put_text(s, "  layers", sc->view.layers);
    put_plain(s, sc->picture_count ? "pictures: [" : "");
    for (int i = 0; i < sc->picture_count; i++) {
        put_plain(s, i ? ", " : "");
        put_number(s, sc->pictures[i]);
    }
    put_plain(s, sc->picture_count ? "] # s\n" : "");
    ri_scene_put_checks(sc, &s->w);
    ri_scene_put_optics(sc, &s->w);
    ri_scene_put_ros(sc, &s->w);
    put_plain(s, sc->plot_count ? "plots:\n" : "");
    for (int i = 0; i < sc->plot_count; i++) {
        put_text(s, "  - title", sc->plots[i].title);
        ri_scene_put(&s->w, "    values: ");
        put_globs(s, sc->plots[i].globs, sc->plots[i].glob_count);
    }
}

static RiStatus put_scene(Save *s)
{
    ri_scene_put(&s->w, "# The complete configuration of a run.\n");
    put_text(s, "scene", s->sc->name);
    put_text(s, "doc", s->sc->doc);
    RI_TRY(put_packages(s));
    RI_TRY(put_robot(s));
    RI_TRY(put_terrain(s));
    ri_scene_put_contact(s->sc, &s->w);
    ri_scene_put_stance(s->sc, &s->w);
    ri_scene_put_soil(s->sc, &s->w);
    put_head(s);
    put_initial(s);
    RI_TRY(put_items(s));
    put_outputs(s);
    return s->w.failed ? ri_error_memory(s->sc->ctx) : RI_OK;
}

RiStatus ri_scene_save(const RiScene *scene, const char *path)
{
    if (!scene->sim)
        return ri_error(scene->ctx, RI_ERR_ARGUMENT, "%s: scene '%s' is saved after ri_scene_build", path, scene->name);
    Save s = {.sc = scene, .w = {.ctx = scene->ctx}, .path = path};
    s.told = ri_alloc_zero(scene->ctx, (size_t)ri_values_count(ri_sim_values(scene->sim)) + 1, sizeof *s.told);
    RiStatus status = s.told ? put_scene(&s) : ri_error_memory(scene->ctx);
    if (status == RI_OK)
        status = ri_file_write(scene->ctx, path, s.w.text, s.w.used);
    ri_release(scene->ctx, s.w.text);
    ri_release(scene->ctx, s.told);
    return status;
}
