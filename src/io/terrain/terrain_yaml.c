// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain descriptions: the document, its parameters, and values with units.
#include "io/terrain/terrain_yaml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/file/file.h"

enum { SHOWN = 60, PATH_LENGTH = 4096 };

RiTerrainOptions ri_terrain_options_default(void)
{
    return (RiTerrainOptions){.settings = NULL};
}

// --- values --------------------------------------------------------------------------------------

static RiTemplateValue plain(const RiYamlNode *node)
{
    return (RiTemplateValue){node, NULL};
}

RiStatus ri_terrain_number(RiTerrainFile *f, const RiYamlNode *map, const char *key, const char *unit, double low,
                           double high, double *value)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    if (!node)
        return RI_OK;
    RI_TRY(ri_template_number(&f->t, plain(node), unit, value));
    if (*value >= low && *value <= high)
        return RI_OK;
    return ri_yaml_error(node, RI_ERR_FORMAT, "%.9g %s; %.9g to %.9g are allowed", *value, unit, low, high);
}

RiStatus ri_terrain_vector(RiTerrainFile *f, const RiYamlNode *map, const char *key, const char *unit, RiVec3 *value)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    double x[3];
    int count;
    if (!node)
        return RI_OK;
    RI_TRY(ri_template_numbers(&f->t, plain(node), unit, 3, 3, x, &count));
    *value = ri_vec3(x[0], x[1], x[2]);
    return RI_OK;
}

RiStatus ri_terrain_word(RiTerrainFile *f, const RiYamlNode *map, const char *key, const char *const *words, int count,
                         int *value)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    return node ? ri_template_choice(&f->t, plain(node), words, count, value) : RI_OK;
}

RiStatus ri_terrain_truth(RiTerrainFile *f, const RiYamlNode *map, const char *key, bool *value)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    return node ? ri_template_truth(&f->t, plain(node), value) : RI_OK;
}

RiStatus ri_terrain_text(RiTerrainFile *f, const RiYamlNode *map, const char *key, const char **value)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    return node ? ri_template_text(&f->t, plain(node), value) : RI_OK;
}

RiStatus ri_terrain_seed(RiTerrainFile *f, const RiYamlNode *map, unsigned long long *value)
{
    const double most = 9007199254740992.0; // 2^53: every whole number up to here is a double
    const RiYamlNode *node = ri_yaml_get(map, "seed");
    double x = (double)*value;
    RI_TRY(ri_terrain_number(f, map, "seed", "", 0.0, most, &x));
    if (x != rint(x))
        return ri_yaml_error(node, RI_ERR_FORMAT, "the seed is %.17g, must be a whole number", x);
    *value = (unsigned long long)x;
    return RI_OK;
}

RiStatus ri_terrain_need(const RiYamlNode *map, const char *key)
{
    return ri_yaml_get(map, key) ? RI_OK : ri_yaml_error(map, RI_ERR_FORMAT, "key '%s' is missing", key);
}

RiStatus ri_terrain_bytes(RiTerrainFile *f, const RiYamlNode *map, const char *key, size_t *value)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"kB", 1e3},           {"MB", 1e6},    {"GB", 1e9}, {"KiB", 1024.0}, {"MiB", 1024.0 * 1024.0},
                 {"GiB", 1073741824.0}, {"bytes", 1.0}, {"", 1.0}};
    const RiYamlNode *node = ri_yaml_get(map, key);
    const char *text;
    double x;
    if (!node)
        return RI_OK;
    RI_TRY(ri_template_text(&f->t, plain(node), &text));
    size_t n = strlen(text);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t tail = strlen(units[i].name);
        if (n < tail || strcmp(text + n - tail, units[i].name) != 0)
            continue;
        n -= tail;
        while (n > 0 && text[n - 1] == ' ')
            n--;
        if (ri_number_parse(text, n, &x) && x * units[i].bytes >= 1.0 && x * units[i].bytes <= 1e15) {
            *value = (size_t)(x * units[i].bytes);
            return RI_OK;
        }
        break;
    }
    return ri_yaml_error(node, RI_ERR_FORMAT, "'%.*s' is not a size: a number with kB, MB, GB, KiB, MiB or GiB", SHOWN,
                         text);
}

RiStatus ri_terrain_wrap(RiTerrainFile *f, const RiYamlNode *node, RiStatus status)
{
    if (status == RI_OK || status == RI_ERR_MEMORY)
        return status;
    char message[900];
    snprintf(message, sizeof message, "%s", ri_context_message(f->ctx));
    return ri_yaml_error(node, status == RI_ERR_ARGUMENT ? RI_ERR_FORMAT : status, "%s", message);
}

// --- files ---------------------------------------------------------------------------------------

/// Folder `i` of those to look in, as ri_template_join wants it: a file in it.
static RiStatus look_in(RiTerrainFile *f, const char *folder, const char *name, const char **out_path)
{
    char inside[PATH_LENGTH];
    const int n = snprintf(inside, sizeof inside, "%s/", folder);
    if (n >= (int)sizeof inside)
        return RI_OK;
    const char *path;
    RI_TRY(ri_template_join(&f->t, inside, name, &path));
    if (access(path, R_OK) == 0)
        *out_path = path;
    return RI_OK;
}

RiStatus ri_terrain_find_file(RiTerrainFile *f, const RiYamlNode *map, const char *key, const char **out_path)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    const char *name, *path;
    *out_path = NULL;
    RI_TRY(ri_terrain_need(map, key));
    RI_TRY(ri_template_text(&f->t, plain(node), &name));
    if (!f->t.paths[0])
        return ri_yaml_error(node, RI_ERR_FORMAT, "a text without a path cannot read a file");
    RI_TRY(ri_template_join(&f->t, f->t.paths[0], name, &path));
    if (access(path, R_OK) == 0)
        *out_path = path;
    for (int i = 0; i < f->options.path_count && !*out_path && name[0] != '/'; i++)
        RI_TRY(look_in(f, f->options.paths[i], name, out_path));
    if (*out_path)
        return RI_OK;
    return ri_yaml_error(node, RI_ERR_NOT_FOUND,
                         "there is no file '%.*s' beside the description or in the %d folders of data", SHOWN, name,
                         f->options.path_count);
}

RiStatus ri_terrain_own(RiTerrainFile *f, RiTerrain *terrain)
{
    void *items = f->owned;
    const RiStatus status = ri_template_grow(&f->t, &items, f->owned_count, &f->owned_room, sizeof *f->owned);
    if (status != RI_OK) {
        ri_terrain_destroy(terrain);
        return status;
    }
    f->owned = items;
    f->owned[f->owned_count++] = terrain;
    return RI_OK;
}

// --- life cycle ----------------------------------------------------------------------------------

static void tell(RiTerrainFile *f)
{
    RiReport *report = f->options.report;
    const char *file = ri_yaml_file(f->t.documents[0]);
    for (int i = 0; i < f->t.parameter_count; i++) {
        const RiParameter *p = &f->t.parameters[i];
        if (!p->used)
            ri_report_add(report, RI_FINDING_WARNING, file, p->node->key_line, "parameter '%s' is not used", p->name);
        else if (p->setting)
            ri_report_add(report, RI_FINDING_UNDERSTOOD, file, p->node->key_line,
                          "parameter '%s' is set to %.10g from outside", p->name, p->result.value);
    }
    const RiTerrainInfo info = ri_terrain_info(f->terrain);
    ri_report_add(report, RI_FINDING_UNDERSTOOD, file, 0, "terrain '%s': %s, %d materials, %zu bytes", f->name,
                  info.kind, ri_terrain_material_count(f->terrain), info.bytes);
}

/// Every description has the setting `soil`, unless it has a parameter of this name.
static RiStatus take_soil(RiTerrainFile *f, const RiYamlNode *root)
{
    const int count = f->options.setting_count;
    if (count == 0 || ri_yaml_get(ri_yaml_get(root, "parameters"), "soil"))
        return RI_OK;
    RiSetting *kept = ri_arena_alloc(&f->t.arena, (size_t)count, sizeof *kept);
    if (!kept)
        return ri_error_memory(f->ctx);
    f->t.options.settings = kept;
    f->t.options.setting_count = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(f->options.settings[i].name, "soil") == 0)
            f->other_soil = f->options.settings[i].value;
        else
            kept[f->t.options.setting_count++] = f->options.settings[i];
    }
    return RI_OK;
}

/// Loading in full view.
static RiStatus load(RiTerrainFile *f, const char *path, const char *text, size_t size)
{
    RiTemplate *t = &f->t;
    if (path)
        RI_TRY(ri_template_join(t, NULL, path, &t->paths[0]));
    RI_TRY(ri_yaml_parse(f->ctx, path, text, size, NULL, &t->documents[0]));
    t->document_count = 1;
    const RiYamlNode *root = ri_yaml_root(t->documents[0]);
    RI_TRY(ri_yaml_expect(root, RI_YAML_MAPPING));
    RI_TRY(take_soil(f, root));
    RI_TRY(ri_template_parameters(t)); // names for ${...}
    RI_TRY(ri_terrain_text(f, root, "terrain", &f->name));
    RI_TRY(ri_terrain_text(f, root, "doc", &f->doc));
    RI_TRY(ri_terrain_read(f, root, true, &f->terrain)); // the ground
    RI_TRY(ri_terrain_read_soil(f, root));               // what it is made of
    RI_TRY(ri_terrain_read_ruts(f, root));               // what it remembers
    tell(f);
    return RI_OK;
}

RiStatus ri_terrain_file_parse(RiContext *ctx, const char *path, const char *text, size_t size,
                               const RiTerrainOptions *options, RiTerrainFile **out_file)
{
    *out_file = NULL;
    RiTerrainFile *f = ri_alloc_zero(ctx, 1, sizeof *f);
    if (!f)
        return ri_error_memory(ctx);
    f->ctx = f->t.ctx = ctx;
    f->options = options ? *options : ri_terrain_options_default();
    f->name = f->doc = "";
    f->t.options = (RiLoadOptions){.settings = f->options.settings, .setting_count = f->options.setting_count};
    ri_arena_init(&f->t.arena, ctx);
    ri_names_init(&f->t.parameter_names, ctx);
    const RiStatus status = load(f, path, text, size);
    f->options = ri_terrain_options_default(); // borrowed for loading only
    if (status != RI_OK)
        ri_terrain_file_destroy(f);
    else
        *out_file = f;
    return status;
}

RiStatus ri_terrain_file_load(RiContext *ctx, const char *path, const RiTerrainOptions *options,
                              RiTerrainFile **out_file)
{
    *out_file = NULL;
    char *text;
    size_t size;
    RI_TRY(ri_file_read(ctx, path, ri_yaml_limits_default().size, &text, &size));
    const RiStatus status = ri_terrain_file_parse(ctx, path, text, size, options, out_file);
    ri_release(ctx, text);
    return status;
}

void ri_terrain_file_destroy(RiTerrainFile *f)
{
    if (!f)
        return;
    for (int i = f->owned_count - 1; i >= 0; i--)
        ri_terrain_destroy(f->owned[i]);
    ri_release(f->ctx, f->owned);
    ri_soil_map_destroy(f->map);
    ri_soils_destroy(f->soils);
    ri_terrain_close_libraries(f);
    ri_yaml_destroy(f->t.documents[0]);
    ri_names_free(&f->t.parameter_names);
    ri_release(f->ctx, f->t.parameters);
    ri_arena_free(&f->t.arena);
    ri_release(f->ctx, f);
}

// --- questions -----------------------------------------------------------------------------------

const char *ri_terrain_file_name(const RiTerrainFile *f)
{
    return f->name;
}

const char *ri_terrain_file_doc(const RiTerrainFile *f)
{
    return f->doc;
}

const RiTerrain *ri_terrain_file_terrain(const RiTerrainFile *f)
{
    return f->terrain;
}

const RiSoilMap *ri_terrain_file_soil_map(const RiTerrainFile *f)
{
    return f->map;
}

const RiSoils *ri_terrain_file_soils(const RiTerrainFile *f)
{
    return f->soils;
}

const RiRutsDef *ri_terrain_file_ruts(const RiTerrainFile *f)
{
    return f->has_ruts ? &f->ruts : NULL;
}

int ri_terrain_file_parameter_count(const RiTerrainFile *f)
{
    return f->t.parameter_count;
}

RiTerrainParameter ri_terrain_file_parameter(const RiTerrainFile *f, int index)
{
    if (index < 0 || index >= f->t.parameter_count)
        return (RiTerrainParameter){"", 0.0, "", ""};
    const RiParameterShown p = ri_template_parameter(&f->t, index);
    return (RiTerrainParameter){p.name, p.value, p.unit, p.doc};
}
