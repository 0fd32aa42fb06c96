// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soil and ruts of a terrain description.
///
///     soil:
///       base: NAME | {name: ..., layers: [{soil: NAME, thickness: ..., strength: ...}, ...]}
///       regions: [{name: ..., layers: [...] or soil: NAME, polygon: [[x, y], ...] or mask: {file: ..., value: ...}}]
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/terrain_io.h>

#include "base/number.h"
#include "io/terrain/terrain_yaml.h"

enum { SHOWN = 60, CORNERS = 100000, LAYERS = 64, PATH_LENGTH = 4096 };

static RiTemplateValue plain(const RiYamlNode *node)
{
    return (RiTemplateValue){node, NULL};
}

// --- library -------------------------------------------------------------------------------------

RiStatus ri_soils_load_folder(RiContext *ctx, RiSoils *soils, const char *folder)
{
    static const char *const tables[] = {"soils.csv", "fitted.csv", "materials.csv"};
    for (int i = 0; i < 3; i++) {
        char path[PATH_LENGTH + 32];
        snprintf(path, sizeof path, "%.*s/%s", PATH_LENGTH, folder, tables[i]);
        const RiStatus status = ri_soils_load(ctx, soils, path);
        if (status == RI_ERR_NOT_FOUND)
            return ri_error(ctx, RI_ERR_NOT_FOUND, "%s: the library of soils is missing; soils are looked up in '%s'",
                            path, folder);
        RI_TRY(status);
    }
    return RI_OK;
}

/// Loads the tables of the soils folder; a text without a path and without options has none.
static RiStatus load_library(RiTerrainFile *f)
{
    char folder[PATH_LENGTH] = "";
    RI_TRY(ri_soils_create(f->ctx, &f->soils));
    if (f->options.soils)
        snprintf(folder, sizeof folder, "%s", f->options.soils);
    else if (f->t.paths[0]) {
        const char *slash = strrchr(f->t.paths[0], '/');
        snprintf(folder, sizeof folder, "%.*s../soils", slash ? (int)(slash - f->t.paths[0]) + 1 : 0, f->t.paths[0]);
    }
    return folder[0] ? ri_soils_load_folder(f->ctx, f->soils, folder) : RI_OK;
}

/// Index of a soil by name. A library of its own kind of words: hard materials are in it too.
static RiStatus find_soil(RiTerrainFile *f, const RiYamlNode *node, int *out_soil)
{
    const char *name;
    RI_TRY(ri_template_text(&f->t, plain(node), &name));
    *out_soil = ri_soils_find(f->soils, name);
    if (*out_soil >= 0)
        return RI_OK;
    const char *near = ri_soils_suggest(f->soils, name);
    if (near)
        return ri_yaml_error(node, RI_ERR_NOT_FOUND, "there is no soil '%.*s'; did you mean '%s'?", SHOWN, name, near);
    return ri_yaml_error(node, RI_ERR_NOT_FOUND, "there is no soil '%.*s' among the %d of the library", SHOWN, name,
                         ri_soils_count(f->soils));
}

/// kc and kphi, whose unit depends on n: a plain number in N and m, or one with the unit of a
/// textbook, "0.99 kN/m^(n+1)", "1528 kN/m^(n+2)", "1379 kPa/m^n". What follows the force or
/// pressure is not looked at; only its prefix scales.
static RiStatus read_modulus(RiTerrainFile *f, const RiYamlNode *node, double *out)
{
    const char *text = node->text, *unit;
    const size_t n = strcspn(text, " kMNP");
    double number;
    if (node->kind != RI_YAML_SCALAR || strstr(text, "${") || n == strlen(text))
        return ri_template_number(&f->t, plain(node), NULL, out);
    unit = text + n + strspn(text + n, " ");
    const double scale = *unit == 'k' ? 1e3 : *unit == 'M' ? 1e6 : 1.0;
    const char *base = unit + (scale > 1.0);
    if (!ri_number_parse(text, n, &number) || (*base != 'N' && strncmp(base, "Pa", 2) != 0))
        return ri_yaml_error(
            node, RI_ERR_FORMAT,
            "'%.*s' is not understood; allowed: a number in N and m, or one with kN/m^(n+1), kN/m^(n+2), kPa/m^n",
            SHOWN, text);
    *out = scale * number;
    return RI_OK;
}

/// Numbers a thousand times off are nearly always a wrong unit.
static void warn_of_units(RiTerrainFile *f, const RiYamlNode *node, const RiSoil *s)
{
    const bool bekker = s->form == RI_SOIL_BEKKER;
    const struct {
        const char *name;
        double value, low, high;
        const char *unit;
    } rows[] = {{"n", s->n, 0.05, 3.0, ""},
                {"kphi", bekker ? s->kphi : NAN, 2e3, 2e8, " N/m^(n+2)"},
                {"kc", bekker && s->kc != 0.0 ? fabs(s->kc) : NAN, 1.0, 2e6, " N/m^(n+1)"},
                {"cohesion", s->cohesion, 0.0, 1e5, " Pa"},
                {"friction", s->friction, 0.05, 1.1, " rad"},
                {"kx", s->kx, 5e-4, 0.2, " m"},
                {"density", s->density, 200.0, 4000.0, " kg/m^3"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && s->form != RI_SOIL_HARD; i++)
        if (rows[i].value < rows[i].low || rows[i].value > rows[i].high)
            ri_report_add(f->options.report, RI_FINDING_WARNING, ri_yaml_file(node->document), node->line,
                          "soil '%s': %s = %g%s lies outside of what soils have (%g to %g): is its unit right?",
                          s->name, rows[i].name, rows[i].value, rows[i].unit, rows[i].low, rows[i].high);
}

enum { KEYS = 19 };

/// Further numbers of the wheel-soil law.
static RiStatus read_more(RiTerrainFile *f, const RiYamlNode *node, RiSoilMore *more)
{
    for (int i = 0; i < RI_SOIL_KEY_COUNT; i++) {
        const RiSoilKeyRow *key = ri_soil_key((RiSoilKey)i);
        const RiYamlNode *value = ri_yaml_get(node, key->name);
        bool yes = false;
        if (!value)
            continue;
        if (i == RI_SOIL_COUPLED) {
            RI_TRY(ri_template_truth(&f->t, plain(value), &yes));
            more->at[i] = yes ? 1.0 : 0.0;
        } else
            RI_TRY(ri_template_number(&f->t, plain(value), key->unit, &more->at[i]));
        more->given |= 1u << i;
    }
    return RI_OK;
}

static RiStatus check_soil_keys(const RiYamlNode *node)
{
    const char *keys[KEYS + RI_SOIL_KEY_COUNT] = {
        "form", "n",  "n1",      "kc", "kphi",       "cohesion", "friction", "kx",  "ky", "density",
        "a0",   "a1", "gravity", "mu", "provenance", "like",     "soil",     "doc", "law"};
    for (int i = 0; i < RI_SOIL_KEY_COUNT; i++)
        keys[KEYS + i] = ri_soil_key((RiSoilKey)i)->name;
    return ri_yaml_check_keys(node, keys, KEYS + RI_SOIL_KEY_COUNT);
}

/// Soils of the description itself: `library: {NAME: {form: ..., ...}}`.
static RiStatus add_own_soil(RiTerrainFile *f, const RiYamlNode *node, const char *name)
{
    static const char *const forms[] = {"hard", "bekker", "reece"};
    RI_TRY(check_soil_keys(node));
    RiSoil s = {.form = RI_SOIL_BEKKER,
                .n = NAN,
                .n1 = NAN,
                .kc = NAN,
                .kphi = NAN,
                .cohesion = NAN,
                .friction = NAN,
                .kx = NAN,
                .ky = NAN,
                .density = NAN,
                .a0 = NAN,
                .a1 = NAN,
                .gravity = NAN,
                .mu = NAN};
    int form = RI_SOIL_BEKKER, like;
    if (ri_yaml_get(node, "like")) {
        RI_TRY(find_soil(f, ri_yaml_get(node, "like"), &like));
        s = *ri_soils_get(f->soils, like);
        form = (int)s.form;
    }
    s.name = node->key ? node->key : name;
    s.confidence = 'E';
    s.provenance = "given by the terrain";
    RI_TRY(ri_terrain_word(f, node, "form", forms, 3, &form));
    s.form = (RiSoilForm)form;
    RI_TRY(ri_terrain_text(f, node, "provenance", &s.provenance));
    const struct {
        const char *key, *unit;
        double *at;
    } numbers[] = {{"n", "", &s.n},
                   {"n1", "", &s.n1},
                   {"kc", NULL, &s.kc},
                   {"kphi", NULL, &s.kphi},
                   {"cohesion", "Pa", &s.cohesion},
                   {"friction", "rad", &s.friction},
                   {"kx", "m", &s.kx},
                   {"ky", "m", &s.ky},
                   {"density", "kg/m^3", &s.density},
                   {"a0", "", &s.a0},
                   {"a1", "", &s.a1},
                   {"gravity", "m/s^2", &s.gravity},
                   {"mu", "", &s.mu}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const RiYamlNode *value = ri_yaml_get(node, numbers[i].key);
        if (value && !numbers[i].unit)
            RI_TRY(read_modulus(f, value, numbers[i].at));
        else if (value)
            RI_TRY(ri_template_number(&f->t, plain(value), numbers[i].unit, numbers[i].at));
    }
    RI_TRY(read_more(f, node, &s.more));
    if (ri_yaml_get(node, "law"))
        RI_TRY(ri_terrain_read_law(f, ri_yaml_get(node, "law"), &s));
    warn_of_units(f, node, &s);
    return ri_terrain_wrap(f, node, ri_soils_add(f->soils, &s, (RiSource){0}));
}

/// A file with one soil: `soil: NAME` and its numbers.
static RiStatus add_soil_file(RiTerrainFile *f, const char *path, int *out_soil)
{
    RiYaml *document;
    const char *name = NULL;
    RI_TRY(ri_yaml_load(f->ctx, path, NULL, &document));
    const RiYamlNode *root = ri_yaml_root(document);
    RiStatus status = ri_yaml_expect(root, RI_YAML_MAPPING);
    if (status == RI_OK)
        status = ri_terrain_need(root, "soil");
    if (status == RI_OK)
        status = ri_yaml_string(ri_yaml_get(root, "soil"), &name);
    if (status == RI_OK)
        status = add_own_soil(f, root, name);
    if (status == RI_OK)
        *out_soil = ri_soils_find(f->soils, name);
    ri_yaml_destroy(document);
    return status;
}

/// The setting `soil` in place of the base: a name of the library, or a file that ends in .yaml or
/// .yml.
static RiStatus read_other(RiTerrainFile *f)
{
    const char *name = f->other_soil, *dot = strrchr(name, '.');
    RiSoilLayer layer = {.thickness = INFINITY};
    if (dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0))
        RI_TRY(add_soil_file(f, name, &layer.soil));
    else
        layer.soil = ri_soils_find(f->soils, name);
    if (layer.soil < 0) {
        const char *near = ri_soils_suggest(f->soils, name);
        return ri_error(f->ctx, RI_ERR_NOT_FOUND,
                        "setting 'soil': there is no soil '%.*s' in the library%s%s%s; 'rille terrain soils' lists "
                        "them, and FILE.yaml "
                        "gives one of your own",
                        SHOWN, name, near ? "; did you mean '" : "", near ? near : "", near ? "'" : "");
    }
    const RiSoilRegion base = {.name = ri_soils_get(f->soils, layer.soil)->name, .layers = &layer, .layer_count = 1};
    return ri_soil_map_create(f->ctx, f->soils, &base, &f->map);
}

// --- regions -------------------------------------------------------------------------------------

static RiStatus read_layer(RiTerrainFile *f, const RiYamlNode *node, bool last, RiSoilLayer *out)
{
    static const char *const keys[] = {"soil", "thickness", "strength", "doc"};
    *out = (RiSoilLayer){.thickness = INFINITY};
    RI_TRY(ri_yaml_check_keys(node, keys, 4));
    RI_TRY(ri_terrain_need(node, "soil"));
    RI_TRY(find_soil(f, ri_yaml_get(node, "soil"), &out->soil));
    RI_TRY(ri_terrain_number(f, node, "thickness", "m", 0.0, 1e6, &out->thickness));
    RI_TRY(ri_terrain_number(f, node, "strength", "Pa", 0.0, 1e12, &out->strength));
    if (last == (bool)isinf(out->thickness))
        return RI_OK;
    return ri_yaml_error(node, RI_ERR_FORMAT,
                         last ? "the last layer goes down for ever: it has no 'thickness'"
                              : "key 'thickness' is missing");
}

/// Layers of a region: a list, or one soil all the way down.
static RiStatus read_layers(RiTerrainFile *f, const RiYamlNode *node, RiSoilLayer layers[LAYERS], int *out_count)
{
    const RiYamlNode *list = ri_yaml_get(node, "layers"), *soil = ri_yaml_get(node, "soil");
    if (!list == !soil)
        return ri_yaml_error(node, RI_ERR_FORMAT, "one of the keys 'soil' and 'layers' must be given");
    *out_count = 1;
    layers[0] = (RiSoilLayer){.thickness = INFINITY};
    if (soil)
        return find_soil(f, soil, &layers[0].soil);
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    if (list->count < 1 || list->count > LAYERS)
        return ri_yaml_error(list, RI_ERR_FORMAT, "%d layers; 1 to %d are allowed", list->count, LAYERS);
    *out_count = 0;
    for (const RiYamlNode *c = list->first; c; c = c->next)
        RI_TRY(read_layer(f, c, !c->next, &layers[(*out_count)++]));
    return RI_OK;
}

static RiStatus read_base(RiTerrainFile *f, const RiYamlNode *node)
{
    static const char *const keys[] = {"name", "soil", "layers", "doc"};
    RiSoilLayer layers[LAYERS] = {{.thickness = INFINITY}};
    RiSoilRegion base = {.name = "base", .layers = layers, .layer_count = 1};
    if (node->kind == RI_YAML_SCALAR) {
        RI_TRY(find_soil(f, node, &layers[0].soil));
        base.name = ri_soils_get(f->soils, layers[0].soil)->name;
    } else {
        RI_TRY(ri_yaml_check_keys(node, keys, 4));
        RI_TRY(read_layers(f, node, layers, &base.layer_count));
        RI_TRY(ri_terrain_text(f, node, "name", &base.name));
    }
    return ri_terrain_wrap(f, node, ri_soil_map_create(f->ctx, f->soils, &base, &f->map));
}

static RiStatus paint_polygon(RiTerrainFile *f, const RiYamlNode *node, int region)
{
    RI_TRY(ri_yaml_expect(node, RI_YAML_SEQUENCE));
    if (node->count > CORNERS)
        return ri_yaml_error(node, RI_ERR_LIMIT, "%d corners, at most %d", node->count, CORNERS);
    double *xy = ri_alloc(f->ctx, 2 * (size_t)node->count + 1, sizeof *xy);
    if (!xy)
        return ri_error_memory(f->ctx);
    RiStatus status = RI_OK;
    int at = 0;
    for (const RiYamlNode *c = node->first; c && status == RI_OK; c = c->next, at++) {
        int count;
        status = ri_template_numbers(&f->t, plain(c), "m", 2, 2, xy + 2 * at, &count);
    }
    if (status == RI_OK)
        status = ri_terrain_wrap(f, node, ri_soil_map_paint_polygon(f->map, region, node->count, xy));
    ri_release(f->ctx, xy);
    return status;
}

/// A mask that paints nothing is a mistake: it has no such value, or lies beside the terrain.
static RiStatus check_mask(RiTerrainFile *f, const RiYamlNode *node, const RiRaster *mask, double value)
{
    const size_t n = (size_t)mask->nx * (size_t)mask->ny;
    const RiTerrainInfo info = ri_terrain_info(f->terrain);
    const double low[2] = {mask->x0 - 0.5 * mask->dx, mask->y0 - 0.5 * mask->dy};
    const double high[2] = {low[0] + mask->nx * mask->dx, low[1] + mask->ny * mask->dy};
    size_t found = 0;
    while (found < n && mask->values[found] != (float)value)
        found++;
    if (found == n)
        return ri_yaml_error(node, RI_ERR_FORMAT, "none of the mask's %d x %d cells has the value %g", mask->nx,
                             mask->ny, value);
    if (low[0] > info.high.x || high[0] < info.low.x || low[1] > info.high.y || high[1] < info.low.y)
        return ri_yaml_error(node, RI_ERR_FORMAT,
                             "the mask covers x %g to %g, y %g to %g m, the terrain x %g to %g, y %g to %g m: they do "
                             "not overlap (keys 'spacing' and 'origin' place a mask without a georeference)",
                             low[0], high[0], low[1], high[1], info.low.x, info.high.x, info.low.y, info.high.y);
    return RI_OK;
}

static RiStatus paint_mask(RiTerrainFile *f, const RiYamlNode *node, int region)
{
    static const char *const keys[] = {"file", "value", "band", "spacing", "origin"};
    RiRasterOptions options = ri_raster_options_default();
    RiRaster *mask;
    const char *path;
    double value = 1.0, band = 1.0;
    int count;
    RI_TRY(ri_yaml_check_keys(node, keys, 5));
    RI_TRY(ri_terrain_find_file(f, node, "file", &path));
    RI_TRY(ri_terrain_number(f, node, "value", "", -1e9, 1e9, &value));
    RI_TRY(ri_terrain_number(f, node, "band", "", 1.0, 10000.0, &band));
    RI_TRY(ri_terrain_number(f, node, "spacing", "m", 1e-6, 1e6, &options.spacing));
    const RiYamlNode *origin = ri_yaml_get(node, "origin");
    options.has_origin = origin != NULL;
    double xy[2] = {0.0, 0.0};
    if (origin)
        RI_TRY(ri_template_numbers(&f->t, plain(origin), "m", 2, 2, xy, &count));
    options.origin_x = xy[0];
    options.origin_y = xy[1];
    options.band = (int)band;
    options.missing = RI_MISSING_KEEP;
    options.report = f->options.report;
    RI_TRY(ri_terrain_wrap(f, node, ri_raster_load(f->ctx, path, &options, &mask)));
    RiStatus status = check_mask(f, node, mask, value);
    if (status == RI_OK)
        status = ri_terrain_wrap(f, node, ri_soil_map_paint_mask(f->map, region, mask, (float)value));
    ri_raster_destroy(mask);
    return status;
}

static RiStatus read_region(RiTerrainFile *f, const RiYamlNode *node)
{
    static const char *const keys[] = {"name", "soil", "layers", "polygon", "mask", "doc"};
    RiSoilLayer layers[LAYERS];
    RiSoilRegion region = {.layers = layers};
    int index;
    RI_TRY(ri_yaml_check_keys(node, keys, 6));
    RI_TRY(ri_terrain_need(node, "name"));
    RI_TRY(ri_terrain_text(f, node, "name", &region.name));
    RI_TRY(read_layers(f, node, layers, &region.layer_count));
    const RiYamlNode *polygon = ri_yaml_get(node, "polygon"), *mask = ri_yaml_get(node, "mask");
    if (!polygon == !mask)
        return ri_yaml_error(node, RI_ERR_FORMAT, "one of the keys 'polygon' and 'mask' must be given");
    RI_TRY(ri_terrain_wrap(f, node, ri_soil_map_add(f->map, &region, &index)));
    return polygon ? paint_polygon(f, polygon, index) : paint_mask(f, mask, index);
}

static RiStatus read_map(RiTerrainFile *f, const RiYamlNode *soil)
{
    static const char *const keys[] = {"base", "regions", "library"};
    const RiYamlNode *library = ri_yaml_get(soil, "library"), *regions = ri_yaml_get(soil, "regions");
    if (!soil || soil->kind == RI_YAML_SCALAR) // one soil everywhere
        return f->other_soil ? read_other(f) : read_base(f, soil);
    RI_TRY(ri_yaml_check_keys(soil, keys, 3));
    RI_TRY(ri_terrain_need(soil, "base"));
    if (library)
        RI_TRY(ri_yaml_expect(library, RI_YAML_MAPPING));
    for (const RiYamlNode *c = library ? library->first : NULL; c; c = c->next)
        RI_TRY(add_own_soil(f, c, NULL));
    RI_TRY(f->other_soil ? read_other(f) : read_base(f, ri_yaml_get(soil, "base")));
    if (regions)
        RI_TRY(ri_yaml_expect(regions, RI_YAML_SEQUENCE));
    for (const RiYamlNode *c = regions ? regions->first : NULL; c; c = c->next)
        RI_TRY(read_region(f, c));
    return RI_OK;
}

RiStatus ri_terrain_read_soil(RiTerrainFile *f, const RiYamlNode *root)
{
    const RiYamlNode *soil = ri_yaml_get(root, "soil");
    RiTerrain *covered;
    if (!soil && !f->other_soil)
        return RI_OK;
    RI_TRY(ri_terrain_wrap(f, soil ? soil : root, load_library(f)));
    RI_TRY(read_map(f, soil));
    RI_TRY(ri_terrain_create_covered(f->ctx, f->terrain, f->map, &covered));
    RI_TRY(ri_terrain_own(f, covered));
    f->terrain = covered;
    return RI_OK;
}

// --- ruts ----------------------------------------------------------------------------------------

RiStatus ri_terrain_read_ruts(RiTerrainFile *f, const RiYamlNode *root)
{
    static const char *const keys[] = {"cell", "memory"};
    const RiYamlNode *node = ri_yaml_get(root, "ruts");
    bool wanted = true;
    if (!node)
        return RI_OK;
    f->ruts = (RiRutsDef){.cell = 0.01, .memory = (size_t)256 << 20};
    if (node->kind == RI_YAML_SCALAR) {
        RI_TRY(ri_template_truth(&f->t, plain(node), &wanted));
    } else {
        RI_TRY(ri_yaml_check_keys(node, keys, 2));
        RI_TRY(ri_terrain_number(f, node, "cell", "m", 1e-4, 100.0, &f->ruts.cell));
        RI_TRY(ri_terrain_bytes(f, node, "memory", &f->ruts.memory));
    }
    f->has_ruts = wanted;
    return RI_OK;
}
