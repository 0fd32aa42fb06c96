// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes: documents, settings and everything that does not need the robot. The format is described
/// in docs/scenes.md.
///
/// Order of strength, strongest first: settings from outside, the scene's own keys, files it
/// includes (a later one beats an earlier one), defaults. A setting that names a scene key becomes
/// a small document of its own, so it is read by the same code and with the same checks as the key
/// in a file.
#include "io/scene/scene.h"
#include "contact/options.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/clock.h>

#include "io/file/file.h"
#include "io/scene/scene_tables.h"
#include "math/options.h"
#include "sim/options.h"

enum { SHOWN = 60 };

static const double default_log_period = 0.01; // [s], rounded up to whole ticks

/// Keys of the scene itself. Those that another part reads are listed, so that every key is known,
/// set and documented by one table.
enum { SETTABLE = 1 }; ///< tag of a key that `--set` may give though another part reads it

static const RiOption scene_rows[] = {
    RI_OPTION("duration", RiScene, duration, "s", 10.0, 0.0, 1e9, "length of the run", .flags = RI_OPTION_ABOVE),
    RI_OPTION_OWNED("scene", "text", "name of the scene; required"),
    RI_OPTION_OWNED("doc", "text", "one sentence"),
    RI_OPTION_OWNED("include", "file or list of files", "see *Includes*"),
    RI_OPTION_OWNED("parameters", "mapping", "names for `${...}`, as in [templates](templates.md#parameters)"),
    RI_OPTION_OWNED("robot", "name or mapping", "required; see *Robot*"),
    RI_OPTION_OWNED(
        "packages", "folder or list of folders",
        "where `package://NAME/...` and `$(find NAME)` of the robot are looked for, before ROS_PACKAGE_PATH and "
        "AMENT_PREFIX_PATH; relative to the scene"),
    RI_OPTION_OWNED("terrain", "name or mapping", "the ground; see *Terrain*"),
    RI_OPTION_OWNED("contact", "mapping or none", "what touches the ground and how: [contact](contact.md)"),
    RI_OPTION_OWNED("soil", "mapping or none", "wheels, screws and bodies on soft soil: [soil](soil.md)"),
    RI_OPTION_OWNED("integrator", "implicit, semi-implicit, rk4, cvode or moreau",
                    "`implicit` (default) for stiff servos, springs and contacts; `semi-implicit` and `rk4` for smooth "
                    "problems; `cvode` to a tolerance, the reference ([theory](theory/cvode.md)); `moreau` for impacts "
                    "and exact friction ([exact contact](exact-contact.md))",
                    .tags = SETTABLE),
    RI_OPTION_OWNED("mode", "dynamic, kinematic or switchable",
                    "`kinematic`: a rover is driven over the ground without dynamics; `switchable`: with dynamics, and "
                    "without them while `drive.dynamic` is 0 ([rovers](rovers.md))",
                    .tags = SETTABLE),
    RI_OPTION_OWNED("stance", "mapping", "puts a wheeled robot on the ground at the start ([rovers](rovers.md))"),
    RI_OPTION_OWNED("place", "mapping", "finds where the robot starts ([placement](placement.md))"),
    RI_OPTION_OWNED("initial", "mapping", "see *Initial motion*; default: as the robot says"),
    RI_OPTION_OWNED("devices", "list", "see *Devices*"),
    RI_OPTION_OWNED("springs", "list", "see *Springs*"),
    RI_OPTION_OWNED("values", "mapping", "named values, set before the start: `{hinge_1.command: 2 N*m}`"),
    RI_OPTION_OWNED("commands", "list", "see *Commands*"),
    RI_OPTION_OWNED("stop", "expression or list of them",
                    "`{when: EXPRESSION}` or a plain expression; the run ends at the first tick at which one is true, "
                    "with `cvode` at the instant it becomes true"),
    RI_OPTION_OWNED("log", "mapping", "what is recorded; see *Outputs*"),
    RI_OPTION_OWNED("checkpoint", "mapping", "how often the state is saved; its key is below"),
    RI_OPTION_OWNED("sun", "mapping", "where the sun is; its keys are below"),
    RI_OPTION_OWNED("camera", "mapping",
                    "where viewer and pictures of the report look from at first; its keys are below"),
    RI_OPTION_OWNED("cameras", "list", "cameras that take pictures"),
    RI_OPTION_OWNED("lidars", "list", "lidars that scan their surroundings"),
    RI_OPTION_OWNED("lamps", "list", "light sources on the robot or on the ground"),
    RI_OPTION_OWNED("ros", "mapping", "names, rates and pace of links to ROS: [ros](ros.md)"),
    RI_OPTION_OWNED("light", "mapping", "what lights the scene besides the sun"),
    RI_OPTION_OWNED("pictures", "list of at most 16 times",
                    "times that the report of `rille run --pictures` shows besides start and end: `[2, 5 s]`"),
    RI_OPTION_OWNED("plots", "list", "`{title: TEXT, values: [GLOB, ...]}`"),
    RI_OPTION_OWNED("checks", "list", "what the run is expected to do; see *Checks*"),
};
const RiOptionTable ri_scene_option_table = RI_OPTION_TABLE("scene", RiScene, scene_rows);

static const RiOption log_rows[] = {
    RI_OPTION(
        "rate", RiScene, log_rate, "Hz", 100.0, 0.0, 1e9,
        "samples per second; 0: nothing is recorded. The default is lowered to a rate that divides the tick rate"),
    RI_OPTION_YES_NO("frames", RiScene, log_frames, true, "record the poses of all links, for pictures"),
    RI_OPTION_YES_NO("sensors", RiScene, log_sensors, false,
                     "record pictures, camera data and clouds of sensors that are on, at their rates"),
    RI_OPTION("rut_step", RiScene, log_rut_step, "m", 0.0, 0.0, 1.0,
              "depths of ruts are rounded to this in the log, and smaller changes are left out; 0: exact"),
    RI_OPTION_OWNED("values", "list of globs",
                    "named values to record; `*` is any run of characters, `?` one. Default: `base.*`, `*.position`, "
                    "`*.velocity`, `energy.*`"),
};
const RiOptionTable ri_log_option_table = RI_OPTION_TABLE("log", RiScene, log_rows);

static const RiOption checkpoint_rows[] = {
    RI_OPTION("every", RiScene, checkpoint_period, "s", 0.0, 0.0, 1e9, "simulated time between checkpoints; 0: none"),
};
const RiOptionTable ri_checkpoint_option_table = RI_OPTION_TABLE("checkpoint", RiScene, checkpoint_rows);

static const char *const look_words[] = {"orbit", "chase", "plan", "fixed"};

static const RiOption view_rows[] = {
    RI_OPTION_ONE_OF("view", RiSceneView, kind, look_words, RI_LOOK_ORBIT,
                     "`orbit`: from a fixed side; `chase`: from behind, turning with the robot; `plan`: from above; "
                     "`fixed`: as `orbit`, from a place that does not move with the robot"),
    RI_OPTION("azimuth", RiSceneView, azimuth, "rad", -2.4, -2.0 * M_PI, 2.0 * M_PI,
              "of the eye seen from the target, from x towards y; with `chase` -2.4 rad is behind the robot"),
    RI_OPTION("elevation", RiSceneView, elevation, "rad", 0.42, -0.5 * M_PI, 0.5 * M_PI, "of the eye above the target"),
    RI_OPTION("distance", RiSceneView, distance, "m", 0.0, 0.0, 1e5,
              "from eye to target; with `plan` the height of the picture; 0: fits the robot"),
    RI_OPTION("target", RiSceneView, target, "m", 0.0, -1e6, 1e6, "what is looked at, from the robot's middle"),
    RI_OPTION_YES_NO("follow", RiSceneView, follow, true,
                     "the target goes with the robot; `no`: `target` is a point of the world"),
    RI_OPTION_OWNED("layers", "names separated by commas",
                    "layers that the page shows besides its own, separated by commas: `contacts,slip`"),
};
const RiOptionTable ri_view_option_table = RI_OPTION_TABLE("camera", RiSceneView, view_rows);

/// Sections whose keys may be set from outside as "key" or "section.key".
static const struct {
    const char *name; ///< NULL: the scene itself
    const RiOptionTable *table;
} setting_sections[] = {{NULL, &ri_scene_option_table},        {NULL, &ri_sim_option_table},
                        {"log", &ri_log_option_table},         {"checkpoint", &ri_checkpoint_option_table},
                        {"sun", &ri_sun_option_table},         {"ros", &ri_ros_option_table},
                        {"contact", &ri_contact_option_table}, {"contact", &ri_sim_contact_option_table},
                        {"camera", &ri_view_option_table}};
enum { SETTING_SECTIONS = sizeof setting_sections / sizeof *setting_sections };

RiSceneOptions ri_scene_options_default(void)
{
    return (RiSceneOptions){.settings = NULL};
}

// ----------------------------------------------------------------------------------------- helpers

RiStatus ri_scene_wrap(const RiYamlNode *node, RiStatus status, RiContext *ctx)
{
    if (status == RI_OK || status == RI_ERR_MEMORY)
        return status;
    char message[900];
    snprintf(message, sizeof message, "%s", ri_context_message(ctx));
    return ri_yaml_error(node, status == RI_ERR_ARGUMENT ? RI_ERR_FORMAT : status, "%s", message);
}

RiStatus ri_scene_unknown(const RiYamlNode *node, const char *what, const char *name,
                          const char *(*name_of)(const RiModel *, int), const RiModel *m, int count)
{
    RiNameSearch search = ri_name_search(name);
    for (int i = 0; i < count; i++)
        ri_name_search_look(&search, name_of(m, i));
    const char *nearest = search.found;
    if (nearest)
        return ri_yaml_error(node, RI_ERR_NOT_FOUND, "there is no %s '%.*s'; did you mean '%.*s'?", what, SHOWN, name,
                             SHOWN, nearest);
    return ri_yaml_error(node, RI_ERR_NOT_FOUND, "there is no %s '%.*s'", what, SHOWN, name);
}

RiStatus ri_scene_check_rate(const RiScene *sc, const RiYamlNode *node, double rate)
{
    const double ticks = 1.0 / (rate * sc->sim_options.tick), whole = round(ticks);
    if (rate == 0.0 || (rate > 0.0 && whole >= 1.0 && whole < 1e9 && fabs(ticks - whole) <= 1e-6 * whole))
        return RI_OK;
    return ri_yaml_error(node, RI_ERR_FORMAT, "a rate of %.9g Hz does not divide the tick rate of %.9g Hz", rate,
                         1.0 / sc->sim_options.tick);
}

/// The word that a name of the scope represents in texts; NULL if it is another name or has none.
static const char *find_word(const RiLocal *scope, const char *name, size_t size)
{
    for (; scope; scope = scope->outer)
        if (strlen(scope->name) == size && memcmp(scope->name, name, size) == 0)
            return scope->word;
    return NULL;
}

/// A value as it is in an expression: "3", "(-3)", "(0.5 m)". A number that needs no brackets
/// may be part of a name.
static void print_value(RiQuantity q, char text[128])
{
    char number[40], unit[64];
    const char *digits = ri_number_text(q.value, number);
    if (!ri_dim_is_plain(q.dim))
        snprintf(text, 128, "(%s %s)", digits, ri_dim_text(q.dim, unit, sizeof unit));
    else
        snprintf(text, 128, digits[0] == '-' ? "(%s)" : "%s", digits);
}

/// An expression being put together.
typedef struct Expression {
    char text[RI_TEMPLATE_TEXT + 1];
    size_t used;
} Expression;

static RiStatus append(Expression *e, const RiYamlNode *node, const char *text, size_t size)
{
    if (size > RI_TEMPLATE_TEXT - e->used)
        return ri_yaml_error(node, RI_ERR_LIMIT, "the text is longer than %d bytes", RI_TEMPLATE_TEXT);
    memcpy(e->text + e->used, text, size);
    e->used += size;
    return RI_OK;
}

/// Appends what the ${...} of `size` bytes at `start` represents.
static RiStatus append_value(RiScene *sc, RiTemplateValue v, size_t start, size_t size, Expression *e)
{
    char value[128], source[RI_EXPR_LENGTH + 8];
    const char *word = find_word(v.scope, v.node->text + start + 2, size - 3);
    if (!word) {
        RiQuantity q;
        RiYamlNode one = *v.node; // the same place, with this ${...} alone as its text
        if (size >= sizeof source)
            return ri_yaml_error(v.node, RI_ERR_LIMIT, "an expression has more than %d bytes", RI_EXPR_LENGTH);
        memcpy(source, v.node->text + start, size);
        source[size] = '\0';
        one.text = source;
        one.column += (int)start;
        RI_TRY(ri_template_quantity(&sc->t, (RiTemplateValue){&one, v.scope}, &q));
        print_value(q, value);
        word = value;
    }
    return append(e, v.node, word, strlen(word));
}

RiStatus ri_scene_expression(RiScene *sc, RiTemplateValue v, const char **out_text)
{
    Expression e = {.used = 0};
    size_t from = 0;
    RI_TRY(ri_yaml_string(v.node, out_text));
    const char *text = v.node->text;
    for (const char *open; (open = strstr(text + from, "${"));) {
        const char *close = strchr(open, '}');
        const size_t start = (size_t)(open - text);
        if (!close)
            return ri_yaml_error_at(v.node, (int)start, RI_ERR_FORMAT, "'${' without '}'");
        RI_TRY(append(&e, v.node, text + from, start - from));
        from = (size_t)(close - text) + 1;
        RI_TRY(append_value(sc, v, start, from - start, &e));
    }
    RI_TRY(append(&e, v.node, text + from, strlen(text + from)));
    *out_text = ri_arena_string_n(&sc->t.arena, e.text, e.used);
    return *out_text ? RI_OK : ri_error_memory(sc->ctx);
}

RiStatus ri_scene_texts(RiScene *sc, RiTemplateValue v, RiSceneText **out_texts, int *out_count)
{
    const bool one = v.node->kind == RI_YAML_SCALAR;
    *out_count = 0;
    if (!one)
        RI_TRY(ri_yaml_expect(v.node, RI_YAML_SEQUENCE));
    RiSceneText *texts = *out_texts =
        ri_arena_alloc(&sc->t.arena, (size_t)(one ? 1 : v.node->count) + 1, sizeof *texts);
    if (!texts)
        return ri_error_memory(sc->ctx);
    for (const RiYamlNode *c = one ? v.node : v.node->first; c; c = one ? NULL : c->next) {
        RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){c, v.scope}, &texts[*out_count].text));
        texts[(*out_count)++].node = c;
    }
    return RI_OK;
}

// --------------------------------------------------------------------------------------- documents

/// Keys that may be replaced whole from outside: by the name of a file or of one of the folders.
static bool is_whole_key(const char *name)
{
    return strcmp(name, "robot") == 0 || strcmp(name, "terrain") == 0;
}

const RiYamlNode *ri_scene_setting(const RiScene *sc, const char *name)
{
    for (int i = sc->options.setting_count - 1; i >= 0; i--)
        if (sc->setting_documents[i] && strcmp(sc->options.settings[i].name, name) == 0)
            return ri_yaml_root(sc->setting_documents[i]);
    return NULL;
}

const RiYamlNode *ri_scene_key(const RiScene *sc, const char *key)
{
    const RiYamlNode *set = is_whole_key(key) ? ri_scene_setting(sc, key) : NULL;
    if (set)
        return set;
    for (int i = 0; i < sc->t.document_count; i++) {
        const RiYamlNode *node = ri_yaml_get(ri_yaml_root(sc->t.documents[i]), key);
        if (node)
            return node;
    }
    return NULL;
}

const char *ri_scene_file(const RiScene *sc, const RiYamlNode *node)
{
    for (int i = 0; i < sc->t.document_count; i++)
        if (sc->t.documents[i] == node->document)
            return sc->t.paths[i];
    for (int i = 0; i < sc->options.setting_count; i++)
        if (sc->setting_documents[i] && sc->setting_documents[i] == node->document)
            return sc->t.paths[0];
    return NULL;
}

/// Refuses a file that is being included already.
static RiStatus check_cycle(const RiScene *sc, int from, const RiYamlNode *node, const char *path)
{
    for (int i = from; i >= 0; i = sc->parents[i])
        if (strcmp(sc->t.paths[i], path) == 0)
            return ri_yaml_error(node, RI_ERR_FORMAT, "files include each other: %s -> %s", sc->t.paths[from], path);
    return RI_OK;
}

/// Reads one included file as the next document.
static RiStatus include_file(RiScene *sc, int from, const RiYamlNode *node)
{
    RiTemplate *t = &sc->t;
    const char *name, *path;
    RI_TRY(ri_yaml_string(node, &name));
    if (!t->paths[from])
        return ri_yaml_error(node, RI_ERR_FORMAT, "a text without a path cannot include a file");
    RI_TRY(ri_template_join(t, t->paths[from], name, &path));
    RI_TRY(check_cycle(sc, from, node, path));
    if (t->document_count > RI_SCENE_INCLUDES)
        return ri_yaml_error(node, RI_ERR_LIMIT, "a scene includes at most %d files", RI_SCENE_INCLUDES);
    const RiStatus status = ri_yaml_load(sc->ctx, path, NULL, &t->documents[t->document_count]);
    if (status == RI_ERR_NOT_FOUND || status == RI_ERR_IO)
        return ri_scene_wrap(node, status, sc->ctx);
    RI_TRY(status);
    sc->parents[t->document_count] = from;
    t->paths[t->document_count++] = path;
    return RI_OK;
}

/// Reads what a document includes, the last file first: documents are in order of strength.
/// Recursion ends at the limit of files.
static RiStatus include_all(RiScene *sc, int from)
{
    const RiYamlNode *root = ri_yaml_root(sc->t.documents[from]);
    RI_TRY(ri_yaml_expect(root, RI_YAML_MAPPING));
    const RiYamlNode *list = ri_yaml_get(root, "include");
    if (!list)
        return RI_OK;
    const bool one = list->kind == RI_YAML_SCALAR;
    if (!one)
        RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    for (int i = one ? 0 : list->count - 1; i >= 0; i--) {
        RI_TRY(include_file(sc, from, one ? list : ri_yaml_at(list, i)));
        RI_TRY(include_all(sc, sc->t.document_count - 1));
    }
    return RI_OK;
}

static RiStatus read_documents(RiScene *sc, const char *path, const char *text, size_t size)
{
    static const RiOptionTable *const tables[] = {&ri_scene_option_table, &ri_sim_option_table};
    if (path)
        RI_TRY(ri_template_join(&sc->t, NULL, path, &sc->t.paths[0]));
    RI_TRY(ri_yaml_parse(sc->ctx, path, text, size, NULL, &sc->t.documents[0]));
    sc->t.document_count = 1;
    sc->parents[0] = -1;
    RI_TRY(include_all(sc, 0));
    for (int i = 0; i < sc->t.document_count; i++)
        RI_TRY(ri_template_check_options(ri_yaml_root(sc->t.documents[i]), tables, 2));
    return RI_OK;
}

// ---------------------------------------------------------------------------------------- settings

static bool is_settable(const RiOption *row)
{
    return row->kind != RI_OPTION_OWN || row->tags == SETTABLE;
}

/// "key" or "section.key".
static const char *setting_name(int section, const RiOption *row, char name[64])
{
    const char *prefix = setting_sections[section].name;
    snprintf(name, 64, "%s%s%s", prefix ? prefix : "", prefix ? "." : "", row->key);
    return name;
}

/// The row of a setting's name; NULL if it is no scene key that may be set from outside.
static const RiOption *find_setting_key(const char *name)
{
    char known[64];
    for (int k = 0; k < SETTING_SECTIONS; k++)
        for (int i = 0; i < setting_sections[k].table->count; i++) {
            const RiOption *row = &setting_sections[k].table->rows[i];
            if (is_settable(row) && strcmp(setting_name(k, row, known), name) == 0)
                return row;
        }
    return ri_scene_ros_setting(name);
}

static bool is_parameter(const RiScene *sc, const char *name)
{
    for (int i = 0; i < sc->t.document_count; i++)
        if (ri_yaml_get(ri_yaml_get(ri_yaml_root(sc->t.documents[i]), "parameters"), name))
            return true;
    return false;
}

bool ri_scene_is_value_setting(const RiScene *sc, int index)
{
    const char *name = sc->options.settings[index].name;
    return !sc->setting_documents[index] && strncmp(name, "robot.", 6) != 0 && strncmp(name, "terrain.", 8) != 0 &&
           !is_parameter(sc, name);
}

const char *ri_scene_nearest_setting(const RiScene *sc, const char *name, char out[64])
{
    RiNameSearch search = ri_name_search(name);
    char known[64];
    for (int i = 0; i < sc->t.parameter_count; i++)
        ri_name_search_look(&search, sc->t.parameters[i].name);
    if (search.found)
        snprintf(out, 64, "%s", search.found);
    for (int k = 0; k < SETTING_SECTIONS; k++)
        for (int i = 0; i < setting_sections[k].table->count; i++) {
            const RiOption *row = &setting_sections[k].table->rows[i];
            const int before = search.distance;
            if (is_settable(row))
                ri_name_search_look(&search, setting_name(k, row, known));
            if (search.distance < before)
                memcpy(out, known, sizeof known);
        }
    return search.found ? out : NULL;
}

/// Makes a document of a setting that names a scene key; `row` is NULL for words. A calculation
/// needs no ${...} there.
static RiStatus parse_setting(RiScene *sc, int index, const RiOption *row)
{
    const RiSetting *s = &sc->options.settings[index];
    char file[128], text[RI_TEMPLATE_TEXT + 4];
    RiQuantity q;
    RiExprError error;
    const size_t size = strlen(s->value);
    snprintf(file, sizeof file, "setting '%.*s'", SHOWN, s->name);
    const bool plain = ri_quantity_parse(s->value, size, &q, &error) == RI_OK;
    const bool number =
        row && (row->kind == RI_OPTION_NUMBER || row->kind == RI_OPTION_WHOLE || row->kind == RI_OPTION_SEED);
    if (plain || !number || strstr(s->value, "${") || size > RI_TEMPLATE_TEXT)
        return ri_yaml_parse(sc->ctx, file, s->value, size, NULL, &sc->setting_documents[index]);
    const int n = snprintf(text, sizeof text, "${%s}", s->value);
    return ri_yaml_parse(sc->ctx, file, text, (size_t)n, NULL, &sc->setting_documents[index]);
}

static RiStatus copy_text(RiScene *sc, const char *text, const char **out_text)
{
    *out_text = ri_arena_string(&sc->t.arena, text ? text : "");
    return *out_text ? RI_OK : ri_error_memory(sc->ctx);
}

/// Keeps copies of the options, which are asked for again by ri_scene_build.
static RiStatus copy_options(RiScene *sc, const RiSceneOptions *options)
{
    const RiSceneOptions given = options ? *options : ri_scene_options_default();
    const int n = given.setting_count, paths = given.robot_path_count, terrains = given.terrain_path_count;
    const int packages = given.package_path_count;
    RiSetting *settings = ri_arena_alloc(&sc->t.arena, (size_t)n + 1, sizeof *settings);
    const char **folders =
        ri_arena_alloc(&sc->t.arena, (size_t)paths + (size_t)terrains + (size_t)packages + 1, sizeof *folders);
    sc->setting_documents = ri_arena_alloc(&sc->t.arena, (size_t)n + 1, sizeof(RiYaml *));
    if (!settings || !folders || !sc->setting_documents)
        return ri_error_memory(sc->ctx);
    for (int i = 0; i < n; i++) {
        RI_TRY(copy_text(sc, given.settings[i].name, &settings[i].name));
        RI_TRY(copy_text(sc, given.settings[i].value, &settings[i].value));
    }
    for (int i = 0; i < paths; i++)
        RI_TRY(copy_text(sc, given.robot_paths[i], &folders[i]));
    for (int i = 0; i < terrains; i++)
        RI_TRY(copy_text(sc, given.terrain_paths[i], &folders[paths + i]));
    for (int i = 0; i < packages; i++)
        RI_TRY(copy_text(sc, given.package_paths[i], &folders[paths + terrains + i]));
    sc->options = given;
    sc->options.settings = settings;
    sc->options.robot_paths = folders;
    sc->options.terrain_paths = folders + paths;
    sc->options.package_paths = folders + paths + terrains;
    const char **const texts[] = {&sc->options.robot, &sc->options.soils, &sc->options.cache};
    for (int i = 0; i < 3; i++)
        if (*texts[i])
            RI_TRY(copy_text(sc, *texts[i], texts[i]));
    return RI_OK;
}

/// A soil's file as a path that does not depend on the folder of the program; other words stay.
static RiStatus whole_path(RiScene *sc, const char **text)
{
    char path[PATH_MAX];
    return strchr(*text, '.') && realpath(*text, path) ? copy_text(sc, path, text) : RI_OK;
}

/// Sorts the settings: scene keys become documents, scene parameters go to the evaluator; the
/// others wait for ri_scene_build.
static RiStatus sort_settings(RiScene *sc)
{
    RiSetting *mine = ri_arena_alloc(&sc->t.arena, (size_t)sc->options.setting_count + 1, sizeof *mine);
    if (!mine)
        return ri_error_memory(sc->ctx);
    sc->t.options.settings = mine;
    for (int i = 0; i < sc->options.setting_count; i++) {
        RiSetting *s = (RiSetting *)&sc->options.settings[i]; // our own copy
        if (strcmp(s->name, "soil") == 0 && !is_parameter(sc, s->name))
            s->name = "terrain.soil";
        if (strcmp(s->name, "terrain.soil") == 0)
            RI_TRY(whole_path(sc, &s->value));
        const bool word = (is_whole_key(s->name) || strcmp(s->name, "contact.law") == 0) && !is_parameter(sc, s->name);
        if (word)
            RI_TRY(whole_path(sc, &s->value));
        const RiOption *row = find_setting_key(s->name);
        if (!row && strncmp(s->name, "ros.topics.", 11) == 0)
            return ri_error(sc->ctx, RI_ERR_NOT_FOUND,
                            "setting '%.*s': ros.topics.KEY.SETTING has a key of a topic and one of its settings; "
                            "docs/ros.md lists both",
                            SHOWN, s->name);
        if (row || word)
            RI_TRY(parse_setting(sc, i, row));
        else if (is_parameter(sc, s->name))
            mine[sc->t.options.setting_count++] = *s;
    }
    return RI_OK;
}

// ----------------------------------------------------------------------------------------- scalars

/// The value of "key" or "section.key": from the last setting of that name, else from the strongest
/// document.
static const RiYamlNode *find(const RiScene *sc, const char *section, const char *key)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", section ? section : "", section ? "." : "", key);
    const RiYamlNode *set = ri_scene_setting(sc, name);
    if (set)
        return set;
    for (int i = 0; i < sc->t.document_count; i++) {
        const RiYamlNode *root = ri_yaml_root(sc->t.documents[i]);
        const RiYamlNode *node = ri_yaml_get(section ? ri_yaml_get(root, section) : root, key);
        if (node)
            return node;
    }
    return NULL;
}

static RiTemplateValue plain(const RiYamlNode *node)
{
    return (RiTemplateValue){node, NULL};
}

/// Reads the rows of a table from settings and documents; gravity has words of its own and is read
/// by read_gravity.
static RiStatus read_options(RiScene *sc, const char *section, const RiOptionTable *table, void *options)
{
    for (int i = 0; i < table->count; i++) {
        const RiYamlNode *node = find(sc, section, table->rows[i].key);
        if (node && strcmp(table->rows[i].key, "gravity") != 0)
            RI_TRY(ri_template_option(&sc->t, node, &table->rows[i], options));
    }
    return RI_OK;
}

/// Checks the keys of a section in every document that has it.
static RiStatus check_section(RiScene *sc, const char *section, const RiOptionTable *table)
{
    for (int i = 0; i < sc->t.document_count; i++) {
        const RiYamlNode *node = ri_yaml_get(ri_yaml_root(sc->t.documents[i]), section);
        if (node)
            RI_TRY(ri_template_check_options(node, &table, 1));
    }
    return RI_OK;
}

/// A named body, a strength downwards, or a vector.
static RiStatus read_gravity(RiScene *sc)
{
    static const char *const words[] = {"earth", "mars", "moon", "enceladus", "none"};
    static const double strength[] = {9.81, 3.71, 1.62, 0.113, 0.0}; // at the surface [m/s^2]
    const RiYamlNode *node = find(sc, NULL, "gravity");
    double g[3] = {0.0, 0.0, -strength[0]};
    RiQuantity q;
    RiExprError error;
    int count, index;
    if (!node)
        return RI_OK;
    if (node->kind == RI_YAML_SEQUENCE) {
        RI_TRY(ri_template_numbers(&sc->t, plain(node), "m/s^2", 3, 3, g, &count));
    } else if (node->kind == RI_YAML_SCALAR &&
               (strstr(node->text, "${") || ri_quantity_parse(node->text, strlen(node->text), &q, &error) == RI_OK)) {
        RI_TRY(ri_template_number(&sc->t, plain(node), "m/s^2", &g[2]));
        g[2] = -g[2];
    } else {
        RI_TRY(ri_template_choice(&sc->t, plain(node), words, 5, &index));
        g[2] = index == 4 ? 0.0 : -strength[index];
    }
    sc->sim_options.gravity = (RiVec3){g[0], g[1], g[2]};
    return RI_OK;
}

static RiStatus read_integration(RiScene *sc)
{
    static const char *const modes[] = {"dynamic", "kinematic", "switchable"};
    const char *names[RI_METHOD_COUNT];
    RiMethod methods[RI_METHOD_COUNT];
    const int count = ri_method_integrators(names, methods);
    int method, mode = 0;
    sc->sim_options = ri_sim_options_default();
    ri_options_default(&ri_scene_option_table, sc);
    RI_TRY(read_options(sc, NULL, &ri_scene_option_table, sc));
    RI_TRY(read_options(sc, NULL, &ri_sim_option_table, &sc->sim_options));
    const RiYamlNode *node = find(sc, NULL, "integrator");
    if (node) {
        RI_TRY(ri_template_choice(&sc->t, plain(node), names, count, &method));
        sc->sim_options.method = methods[method];
    }
    node = find(sc, NULL, "mode");
    if (node)
        RI_TRY(ri_template_choice(&sc->t, plain(node), modes, 3, &mode));
    if (mode == 1)
        sc->sim_options.method = RI_METHOD_KINEMATIC;
    sc->switchable = mode == 2;
    node = find(sc, NULL, "atol");
    if (sc->sim_options.method == RI_METHOD_CVODE && sc->sim_options.rtol + sc->sim_options.atol == 0.0)
        return ri_yaml_error(node, RI_ERR_FORMAT, "rtol and atol are not both 0");
    return read_gravity(sc);
}

// ----------------------------------------------------------------------------------- log and plots

static RiStatus read_log(RiScene *sc)
{
    static const RiSceneText defaults[] = {
        {"base.*", NULL}, {"*.position", NULL}, {"*.velocity", NULL}, {"energy.*", NULL}};
    RI_TRY(check_section(sc, "log", &ri_log_option_table));
    const double tick = sc->sim_options.tick;
    const RiYamlNode *rate = find(sc, "log", "rate"), *values = find(sc, "log", "values");
    ri_options_default(&ri_log_option_table, sc);
    sc->log_rate = 1.0 / (ceil(default_log_period / tick * (1.0 - 1e-9)) * tick);
    sc->log_globs = defaults;
    sc->log_glob_count = 4;
    RI_TRY(read_options(sc, "log", &ri_log_option_table, sc));
    if (rate)
        RI_TRY(ri_scene_check_rate(sc, rate, sc->log_rate));
    if (!values)
        return RI_OK;
    RiSceneText *globs;
    RI_TRY(ri_scene_texts(sc, plain(values), &globs, &sc->log_glob_count));
    sc->log_globs = globs;
    return RI_OK;
}

static RiStatus read_checkpoint(RiScene *sc)
{
    RI_TRY(check_section(sc, "checkpoint", &ri_checkpoint_option_table));
    ri_options_default(&ri_checkpoint_option_table, sc);
    RI_TRY(read_options(sc, "checkpoint", &ri_checkpoint_option_table, sc));
    if (sc->checkpoint_period > 0.0 && sc->checkpoint_period < sc->sim_options.tick * (1.0 - 1e-9))
        return ri_yaml_error(find(sc, "checkpoint", "every"), RI_ERR_FORMAT,
                             "%.9g s is shorter than the tick of %.9g s", sc->checkpoint_period, sc->sim_options.tick);
    return RI_OK;
}

const char *const *ri_scene_layer_names(void)
{
    static const char *const names[] = {
        "natural",  "slope",   "soil",   "height",   "slip",   "sinkage",  "robot",  "ornaments", "shadows", "grid",
        "contours", "frames",  "labels", "contacts", "tracks", "ruts",     "path",   "plan",      "hazards", "goodness",
        "lidar",    "tethers", "com",    "support",  "pulls",  "pictures", "sights", NULL};
    return names;
}

/// Whether every name between commas is a layer.
static RiStatus check_layers(RiScene *sc, const char *text)
{
    const char *const *names = ri_scene_layer_names();
    while (text && *text) {
        const int n = (int)strcspn(text, ",");
        int i = 0;
        while (names[i] && (strncmp(names[i], text, (size_t)n) != 0 || names[i][n] != '\0'))
            i++;
        if (!names[i])
            return ri_yaml_error(find(sc, "camera", "layers"), RI_ERR_FORMAT,
                                 "there is no layer '%.*s'; layers are natural, slope, soil, height, slip, sinkage, "
                                 "grid, contours, frames, labels, contacts, tracks, ruts, path, plan, hazards, "
                                 "goodness, lidar, tethers, com, support, pulls, robot, ornaments, shadows",
                                 n, text);
        text += n + (text[n] == ',');
    }
    return RI_OK;
}

static RiStatus read_view(RiScene *sc)
{
    RI_TRY(check_section(sc, "camera", &ri_view_option_table));
    ri_options_default(&ri_view_option_table, &sc->view);
    RI_TRY(read_options(sc, "camera", &ri_view_option_table, &sc->view));
    const RiYamlNode *layers = find(sc, "camera", "layers");
    if (layers)
        RI_TRY(ri_template_text(&sc->t, plain(layers), &sc->view.layers));
    return check_layers(sc, sc->view.layers);
}

/// Moves the start to a local hour: `9.5`, or `09:30`.
static RiStatus read_local_time(RiScene *sc)
{
    const RiYamlNode *node = find(sc, "sun", "local_time");
    double hour;
    int hours, minutes, used = 0;
    if (!node)
        return RI_OK;
    RI_TRY(ri_yaml_expect(node, RI_YAML_SCALAR));
    if (sscanf(node->text, "%2d:%2d%n", &hours, &minutes, &used) == 2 && node->text[used] == '\0' &&
        hours >= 0 && // NOLINT
        minutes >= 0 && minutes < 60)
        hour = hours + minutes / 60.0;
    else
        RI_TRY(ri_template_number(&sc->t, plain(node), "", &hour));
    if (!(hour >= 0.0 && hour < 24.0))
        return ri_yaml_error(node, RI_ERR_FORMAT,
                             "%.9g is no local hour; allowed are 0 to below 24, such as 9.5 or 09:30", hour);
    double utc[2];
    ri_clock_shift(sc->sun.utc, ri_clock_until(&sc->sun, hour), utc);
    sc->sun.utc[0] = utc[0];
    sc->sun.utc[1] = utc[1];
    sc->sun_hour = hour;
    return RI_OK;
}

/// How weak the file of a node is: files that include come before those they include, settings
/// before all.
static int weakness(const RiScene *sc, const RiYamlNode *node)
{
    for (int i = 0; i < sc->t.document_count; i++)
        if (sc->t.documents[i] == node->document)
            return i;
    return -1;
}

/// A sun that moves: date and place on a body. It overrides the fixed sun of an included file.
static RiStatus read_sun_date(RiScene *sc, const RiYamlNode *date)
{
    static const char *const needed[] = {"body", "latitude", "longitude"}, *const other[] = {"azimuth", "elevation"};
    for (int i = 0; i < 3; i++)
        if (!find(sc, "sun", needed[i]))
            return ri_yaml_error(date, RI_ERR_FORMAT, "a sun with a date needs a '%s'", needed[i]);
    for (int i = 0; i < 2; i++) {
        const RiYamlNode *fixed = find(sc, "sun", other[i]);
        if (fixed && weakness(sc, fixed) <= weakness(sc, date))
            return ri_yaml_error(fixed, RI_ERR_FORMAT,
                                 "the sun has a date and an '%s': its place comes from one or is the other", other[i]);
    }
    RI_TRY(ri_template_text(&sc->t, plain(date), &sc->sun_date));
    RI_TRY(ri_scene_wrap(date, ri_sun_date(sc->ctx, sc->sun_date, sc->sun.utc), sc->ctx));
    sc->sun.moves = true;
    return read_local_time(sc);
}

static RiStatus read_sun_body(RiScene *sc)
{
    const RiYamlNode *body = find(sc, "sun", "body");
    const char *worlds[RI_WORLD_COUNT - 1];
    int world;
    if (!body)
        return RI_OK;
    for (int i = 1; i < RI_WORLD_COUNT; i++)
        worlds[i - 1] = ri_world_name((RiWorld)i);
    RI_TRY(ri_template_choice(&sc->t, plain(body), worlds, RI_WORLD_COUNT - 1, &world));
    sc->sun.world = (RiWorld)(world + 1);
    return RI_OK;
}

/// Where the sun is: given, or from body, date and place.
static RiStatus read_sun(RiScene *sc)
{
    static const char *const with_date[] = {"latitude", "longitude", "local_time"};
    RI_TRY(check_section(sc, "sun", &ri_sun_option_table));
    sc->sun = ri_sun_def_default();
    sc->sun_hour = -1.0;
    RI_TRY(read_sun_body(sc));
    RI_TRY(read_options(sc, "sun", &ri_sun_option_table, &sc->sun));
    const RiYamlNode *date = find(sc, "sun", "date");
    if (date)
        return read_sun_date(sc, date);
    for (int i = 0; i < 3; i++)
        if (find(sc, "sun", with_date[i]))
            return ri_yaml_error(find(sc, "sun", with_date[i]), RI_ERR_FORMAT, "a sun with a '%s' needs a 'date'",
                                 with_date[i]);
    return RI_OK;
}

/// Moments of the run that the report shows.
static RiStatus read_pictures(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "pictures");
    if (!node)
        return RI_OK;
    RI_TRY(ri_template_numbers(&sc->t, plain(node), "s", 0, RI_SCENE_PICTURES, sc->pictures, &sc->picture_count));
    for (int i = 0; i < sc->picture_count; i++)
        if (!(sc->pictures[i] >= 0.0 && sc->pictures[i] <= 1e9))
            return ri_yaml_error(node, RI_ERR_FORMAT, "a picture at %.9g s: moments are from 0 to 1e9 s",
                                 sc->pictures[i]);
    return RI_OK;
}

static RiStatus read_plot(RiScene *sc, const RiYamlNode *node, RiScenePlot *plot)
{
    static const char *const keys[] = {"title", "values"};
    RI_TRY(ri_yaml_check_keys(node, keys, 2));
    const RiYamlNode *title = ri_yaml_get(node, "title"), *values = ri_yaml_get(node, "values");
    if (!title || !values)
        return ri_yaml_error(node, RI_ERR_FORMAT, "key '%s' is missing", title ? "values" : "title");
    RI_TRY(ri_template_text(&sc->t, plain(title), &plot->title));
    return ri_scene_texts(sc, plain(values), &plot->globs, &plot->glob_count);
}

/// Plots of all documents, the included ones first.
static RiStatus read_plots(RiScene *sc)
{
    int total = 0;
    for (int i = 0; i < sc->t.document_count; i++) {
        const RiYamlNode *list = ri_yaml_get(ri_yaml_root(sc->t.documents[i]), "plots");
        if (list)
            RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
        total += list ? list->count : 0;
    }
    sc->plots = ri_arena_alloc(&sc->t.arena, (size_t)total + 1, sizeof *sc->plots);
    if (!sc->plots)
        return ri_error_memory(sc->ctx);
    for (int i = sc->t.document_count - 1; i >= 0; i--) {
        const RiYamlNode *list = ri_yaml_get(ri_yaml_root(sc->t.documents[i]), "plots");
        for (const RiYamlNode *c = list ? list->first : NULL; c; c = c->next)
            RI_TRY(read_plot(sc, c, &sc->plots[sc->plot_count++]));
    }
    return RI_OK;
}

static RiStatus read_names(RiScene *sc)
{
    const RiYamlNode *name = ri_scene_key(sc, "scene"), *doc = ri_scene_key(sc, "doc");
    sc->name = sc->doc = "";
    if (!name)
        return ri_yaml_error(ri_yaml_root(sc->t.documents[0]), RI_ERR_FORMAT, "key 'scene' (its name) is missing");
    RI_TRY(ri_yaml_string(name, &sc->name));
    return doc ? ri_yaml_string(doc, &sc->doc) : RI_OK;
}

// -------------------------------------------------------------------------------------- life cycle

/// Loading in full view.
static RiStatus read_ros(RiScene *sc)
{
    RI_TRY(check_section(sc, "ros", &ri_ros_option_table));
    sc->ros = ri_ros_options_default();
    RI_TRY(read_options(sc, "ros", &ri_ros_option_table, &sc->ros));
    return ri_scene_read_ros_topics(sc);
}

static RiStatus load(RiScene *sc, const char *path, const char *text, size_t size, const RiSceneOptions *options)
{
    RI_TRY(copy_options(sc, options));
    RI_TRY(read_documents(sc, path, text, size)); // the file and what it includes
    RI_TRY(sort_settings(sc));                    // what comes from outside
    RI_TRY(ri_template_parameters(&sc->t));       // names for ${...}
    RI_TRY(read_names(sc));
    RI_TRY(read_integration(sc));
    RI_TRY(read_log(sc));
    RI_TRY(read_checkpoint(sc));
    RI_TRY(read_plots(sc));
    RI_TRY(read_sun(sc));
    RI_TRY(read_view(sc));
    RI_TRY(read_pictures(sc));
    RI_TRY(read_ros(sc));
    RI_TRY(ri_scene_read_checks(sc));
    RI_TRY(ri_scene_check_robot(sc));
    RI_TRY(ri_scene_check_terrain(sc));
    RI_TRY(ri_scene_check_contact(sc));
    RI_TRY(ri_scene_check_soil(sc));
    RI_TRY(ri_scene_check_place(sc));
    RI_TRY(ri_scene_check_stance(sc));
    RI_TRY(ri_scene_check_optics(sc));
    return ri_scene_check_items(sc);
}

RiStatus ri_scene_parse(RiContext *ctx, const char *path, const char *text, size_t size, const RiSceneOptions *options,
                        RiScene **out_scene)
{
    *out_scene = NULL;
    RiScene *sc = ri_alloc_zero(ctx, 1, sizeof *sc);
    if (!sc)
        return ri_error_memory(ctx);
    sc->ctx = sc->t.ctx = ctx;
    ri_arena_init(&sc->t.arena, ctx);
    ri_names_init(&sc->t.parameter_names, ctx);
    const RiStatus status = load(sc, path, text, size, options);
    if (status != RI_OK) {
        ri_scene_destroy(sc);
        return status;
    }
    *out_scene = sc;
    return RI_OK;
}

RiStatus ri_scene_load(RiContext *ctx, const char *path, const RiSceneOptions *options, RiScene **out_scene)
{
    *out_scene = NULL;
    char *text;
    size_t size;
    RI_TRY(ri_file_read(ctx, path, ri_yaml_limits_default().size, &text, &size));
    const RiStatus status = ri_scene_parse(ctx, path, text, size, options, out_scene);
    ri_release(ctx, text);
    return status;
}

void ri_scene_destroy(RiScene *sc)
{
    if (!sc)
        return;
    RiContext *ctx = sc->ctx;
    ri_scene_clear(sc);
    ri_placement_destroy(sc->placement);
    void *lists[] = {sc->devices, sc->springs, sc->sets, sc->commands, sc->stops, sc->libraries, sc->t.parameters};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        ri_release(ctx, lists[i]);
    for (int i = 0; sc->setting_documents && i < sc->options.setting_count; i++)
        ri_yaml_destroy(sc->setting_documents[i]);
    for (int i = 0; i <= RI_SCENE_INCLUDES; i++)
        ri_yaml_destroy(sc->t.documents[i]);
    ri_names_free(&sc->t.parameter_names);
    ri_arena_free(&sc->t.arena);
    ri_release(ctx, sc);
}

// --------------------------------------------------------------------------------------- questions

const char *ri_scene_name(const RiScene *scene)
{
    return scene->name;
}

const char *ri_scene_doc(const RiScene *scene)
{
    return scene->doc;
}

double ri_scene_duration(const RiScene *scene)
{
    return scene->duration;
}

RiSim *ri_scene_sim(const RiScene *scene)
{
    return scene->sim;
}

const RiPlaceReport *ri_scene_placement(const RiScene *scene)
{
    return scene->placement ? ri_placement_report(scene->placement) : NULL;
}

const RiSpec *ri_scene_spec(const RiScene *scene)
{
    return scene->spec;
}

const RiTerrainFile *ri_scene_terrain(const RiScene *scene)
{
    return scene->terrain.file;
}

double ri_scene_log_rate(const RiScene *scene)
{
    return scene->log_rate;
}

int ri_scene_log_glob_count(const RiScene *scene)
{
    return scene->log_glob_count;
}

const char *ri_scene_log_glob(const RiScene *scene, int index)
{
    return index >= 0 && index < scene->log_glob_count ? scene->log_globs[index].text : NULL;
}

double ri_scene_log_rut_step(const RiScene *scene)
{
    return scene->log_rut_step;
}

bool ri_scene_log_frames(const RiScene *scene)
{
    return scene->log_frames;
}

bool ri_scene_log_sensors(const RiScene *scene)
{
    return scene->log_sensors;
}

RiSceneView ri_scene_view(const RiScene *scene)
{
    return scene->view;
}

const RiSunDef *ri_scene_sun(const RiScene *scene)
{
    return &scene->sun;
}

int ri_scene_picture_count(const RiScene *scene)
{
    return scene->picture_count;
}

double ri_scene_picture(const RiScene *scene, int index)
{
    return index >= 0 && index < scene->picture_count ? scene->pictures[index] : 0.0;
}

int ri_scene_parameter_count(const RiScene *scene)
{
    return scene->t.parameter_count;
}

RiSceneParameter ri_scene_parameter(const RiScene *scene, int index)
{
    if (index < 0 || index >= scene->t.parameter_count)
        return (RiSceneParameter){"", "", 0.0, -INFINITY, INFINITY, ""};
    const RiParameterShown p = ri_template_parameter(&scene->t, index);
    return (RiSceneParameter){p.name, p.unit, p.value, p.least, p.most, p.doc};
}

double ri_scene_checkpoint_period(const RiScene *scene)
{
    return scene->checkpoint_period;
}

int ri_scene_plot_count(const RiScene *scene)
{
    return scene->plot_count;
}

static const RiScenePlot *plot_at(const RiScene *scene, int plot)
{
    return plot >= 0 && plot < scene->plot_count ? &scene->plots[plot] : NULL;
}

const char *ri_scene_plot_title(const RiScene *scene, int plot)
{
    return plot_at(scene, plot) ? plot_at(scene, plot)->title : NULL;
}

int ri_scene_plot_glob_count(const RiScene *scene, int plot)
{
    return plot_at(scene, plot) ? plot_at(scene, plot)->glob_count : 0;
}

const char *ri_scene_plot_glob(const RiScene *scene, int plot, int index)
{
    const RiScenePlot *p = plot_at(scene, plot);
    return p && index >= 0 && index < p->glob_count ? p->globs[index].text : NULL;
}
