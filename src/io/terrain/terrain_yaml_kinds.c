// SPDX-License-Identifier: Apache-2.0
/// \file
/// Kinds of terrain in a description. A row of the table is a kind: the keys it knows and the
/// function that reads them.
#include <math.h>
#include <string.h>

#include <rille/mesh.h>
#include <rille/synthesis.h>
#include <rille/terrain_io.h>

#include "base/hash.h"
#include "io/terrain/terrain_yaml.h"

enum { SHOWN = 60, INLINE_VALUES = 1 << 20, MAKE_SETTINGS = 64, UNION_PARTS = 256 };

static const double huge = 1e9; // larger than any map [m]

static RiTemplateValue plain(const RiYamlNode *node)
{
    return (RiTemplateValue){node, NULL};
}

/// Reads a terrain that is part of another one.
static RiStatus read_part(RiTerrainFile *f, const RiYamlNode *node, RiTerrain **out)
{
    if (f->depth == RI_TERRAIN_DEPTH)
        return ri_yaml_error(node, RI_ERR_LIMIT, "terrains are parts of each other more than %d times",
                             RI_TERRAIN_DEPTH);
    f->depth++;
    const RiStatus status = ri_terrain_read(f, node, false, out);
    f->depth--;
    return status;
}

/// Takes over what a call made, or tells where it failed.
static RiStatus made(RiTerrainFile *f, const RiYamlNode *map, RiStatus status, RiTerrain *const *terrain,
                     RiTerrain **out)
{
    RI_TRY(ri_terrain_wrap(f, map, status));
    RI_TRY(ri_terrain_own(f, *terrain));
    *out = *terrain;
    return RI_OK;
}

// --- plane ---------------------------------------------------------------------------------------

static RiStatus read_plane(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out)
{
    RiPlaneDef def = {.slope = 0.0};
    RiTerrain *t = NULL;
    RI_TRY(ri_terrain_vector(f, map, "point", "m", &def.point));
    RI_TRY(ri_terrain_number(f, map, "slope", "rad", -1.57, 1.57, &def.slope));
    RI_TRY(ri_terrain_number(f, map, "azimuth", "rad", -100.0, 100.0, &def.azimuth));
    RI_TRY(ri_terrain_text(f, map, "material", &def.material));
    return made(f, map, ri_terrain_create_plane(f->ctx, &def, &t), &t, out);
}

// --- heights -------------------------------------------------------------------------------------

static const char *const edges[] = {"stop", "extend", "wall"};
static const char *const interpolations[] = {"bilinear", "bicubic"};
static const char *const hole_words[] = {"refuse", "fill"};

/// What heights have in common, wherever they come from.
static RiStatus read_surface(RiTerrainFile *f, const RiYamlNode *map, RiHeightsDef *def)
{
    int edge = RI_EDGE_EXTEND, interpolation = RI_BICUBIC, holes = RI_HOLES_REFUSE;
    RI_TRY(ri_terrain_word(f, map, "edge", edges, 3, &edge));
    RI_TRY(ri_terrain_word(f, map, "interpolation", interpolations, 2, &interpolation));
    RI_TRY(ri_terrain_word(f, map, "holes", hole_words, 2, &holes));
    def->edge = (RiEdge)edge;
    def->interpolation = (RiInterpolation)interpolation;
    def->holes = (RiHoles)holes;
    return ri_terrain_text(f, map, "material", &def->material);
}

/// Four numbers: the part of a file that is read.
static RiStatus read_window(RiTerrainFile *f, const RiYamlNode *map, RiRasterOptions *o)
{
    static const char *const keys[] = {"pixels", "map"};
    const RiYamlNode *window = ri_yaml_get(map, "window");
    int count;
    if (!window)
        return RI_OK;
    RI_TRY(ri_yaml_check_keys(window, keys, 2));
    const RiYamlNode *pixels = ri_yaml_get(window, "pixels");
    const RiYamlNode *corners = pixels ? pixels : ri_yaml_get(window, "map");
    if (!corners)
        return ri_yaml_error(window, RI_ERR_FORMAT, "one of the keys 'pixels' and 'map' must be given");
    o->window_unit = pixels ? RI_WINDOW_PIXELS : RI_WINDOW_MAP;
    return ri_template_numbers(&f->t, plain(corners), pixels ? "" : "m", 4, 4, o->window, &count);
}

/// How a raster file is to be read.
static RiStatus read_raster_options(RiTerrainFile *f, const RiYamlNode *map, RiRasterOptions *o)
{
    double band = 1.0, origin[2];
    int count;
    *o = ri_raster_options_default();
    o->missing = RI_MISSING_KEEP; // `holes` decides
    o->report = f->options.report;
    RI_TRY(ri_terrain_number(f, map, "band", "", 1.0, 10000.0, &band));
    o->band = (int)band;
    RI_TRY(read_window(f, map, o));
    RI_TRY(ri_terrain_number(f, map, "cell", "m", 1e-6, huge, &o->cell));
    RI_TRY(ri_terrain_number(f, map, "spacing", "m", 1e-6, huge, &o->spacing));
    RI_TRY(ri_terrain_number(f, map, "scale", "", -huge, huge, &o->scale));
    RI_TRY(ri_terrain_number(f, map, "offset", "m", -huge, huge, &o->offset));
    RI_TRY(ri_terrain_number(f, map, "no_data", "", -1e300, 1e300, &o->no_data));
    o->has_no_data = ri_yaml_get(map, "no_data") != NULL;
    const RiYamlNode *node = ri_yaml_get(map, "origin");
    if (!node)
        return RI_OK;
    RI_TRY(ri_template_numbers(&f->t, plain(node), "m", 2, 2, origin, &count));
    o->has_origin = true;
    o->origin_x = origin[0];
    o->origin_y = origin[1];
    return RI_OK;
}

/// Fills a raster from rows of numbers, the southernmost first; a text `none` is a missing value.
static RiStatus read_rows(RiTerrainFile *f, const RiYamlNode *values, RiRaster *r)
{
    size_t at = 0;
    for (const RiYamlNode *row = values->first; row; row = row->next) {
        RI_TRY(ri_yaml_expect(row, RI_YAML_SEQUENCE));
        if (row->count != r->nx)
            return ri_yaml_error(row, RI_ERR_FORMAT, "a row of %d values; the first has %d", row->count, r->nx);
        for (const RiYamlNode *c = row->first; c; c = c->next) {
            double z = NAN;
            if (c->kind != RI_YAML_SCALAR || strcmp(c->text, "none") != 0)
                RI_TRY(ri_template_number(&f->t, plain(c), "m", &z));
            r->values[at++] = (float)z;
        }
    }
    return RI_OK;
}

/// Heights that are in the description.
static RiStatus read_values(RiTerrainFile *f, const RiYamlNode *map, RiRaster **out)
{
    const RiYamlNode *values = ri_yaml_get(map, "values"), *corner = ri_yaml_get(map, "corner");
    double cell = 1.0, xy[2] = {0.0, 0.0};
    int count;
    RI_TRY(ri_yaml_expect(values, RI_YAML_SEQUENCE));
    RI_TRY(ri_terrain_number(f, map, "cell", "m", 1e-6, huge, &cell));
    if (corner)
        RI_TRY(ri_template_numbers(&f->t, plain(corner), "m", 2, 2, xy, &count));
    const int nx = values->first ? values->first->count : 0;
    if ((long long)nx * values->count > INLINE_VALUES)
        return ri_yaml_error(values, RI_ERR_LIMIT, "%d x %d values, at most %d", nx, values->count, INLINE_VALUES);
    RI_TRY(ri_terrain_wrap(f, values, ri_raster_create(f->ctx, nx, values->count, cell, cell, out)));
    (*out)->x0 = xy[0];
    (*out)->y0 = xy[1];
    return read_rows(f, values, *out);
}

static RiStatus read_raster(RiTerrainFile *f, const RiYamlNode *map, RiRaster **out)
{
    RiRasterOptions options;
    const char *path;
    if (!ri_yaml_get(map, "file") == !ri_yaml_get(map, "values"))
        return ri_yaml_error(map, RI_ERR_FORMAT, "one of the keys 'file' and 'values' must be given");
    if (ri_yaml_get(map, "values"))
        return read_values(f, map, out);
    RI_TRY(read_raster_options(f, map, &options));
    RI_TRY(ri_terrain_find_file(f, map, "file", &path));
    return ri_terrain_wrap(f, ri_yaml_get(map, "file"), ri_raster_load(f->ctx, path, &options, out));
}

/// The key `detail`: a finer map in the place of *raster.
static RiStatus add_detail(RiTerrainFile *f, const RiYamlNode *map, const RiHeightsDef *surface, RiRaster **raster)
{
    static const char *const keys[] = {"cell", "hurst", "rms_height", "rocks", "high", "seed"};
    const RiYamlNode *node = ri_yaml_get(map, "detail");
    RiDetailDef def = ri_detail_default();
    RiRaster *fine = NULL;
    if (!node)
        return RI_OK;
    RI_TRY(ri_yaml_check_keys(node, keys, sizeof keys / sizeof *keys));
    RI_TRY(ri_terrain_need(node, "cell"));
    RI_TRY(ri_terrain_number(f, node, "cell", "m", 1e-4, 1e4, &def.cell));
    RI_TRY(ri_terrain_number(f, node, "hurst", "", 0.01, 0.99, &def.hurst));
    RI_TRY(ri_terrain_number(f, node, "rms_height", "m", 0.0, 1e3, &def.rms_height));
    RI_TRY(ri_terrain_number(f, node, "rocks", "", 0.0, 0.4, &def.rocks));
    RI_TRY(ri_terrain_number(f, node, "high", "m", 1e-3, 1e3, &def.high));
    RI_TRY(ri_terrain_seed(f, node, &def.seed));
    def.interpolation = surface->interpolation;
    RI_TRY(ri_terrain_wrap(f, node, ri_raster_add_detail(f->ctx, *raster, &def, &fine)));
    ri_raster_destroy(*raster);
    *raster = fine;
    return RI_OK;
}

static RiStatus read_heights(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out)
{
    RiHeightsDef def = {.raster = NULL};
    RiRaster *raster = NULL;
    RiTerrain *t = NULL;
    RI_TRY(read_surface(f, map, &def));
    RiStatus status = read_raster(f, map, &raster);
    if (status == RI_OK)
        status = add_detail(f, map, &def, &raster);
    def.raster = raster;
    if (raster)
        f->content = ri_hash(1, raster->values, (size_t)raster->nx * (size_t)raster->ny * sizeof *raster->values);
    if (status == RI_OK)
        status = made(f, map, ri_terrain_create_heights(f->ctx, &def, &t), &t, out);
    ri_raster_destroy(raster);
    return status;
}

// --- large maps ----------------------------------------------------------------------------------

static RiStatus read_tiles(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out)
{
    RiHeightsDef surface = {.raster = NULL};
    RiRasterOptions options;
    RiTilesDef def = {.patch = NULL};
    RiTerrain *t = NULL, *patch = NULL;
    const RiYamlNode *node = ri_yaml_get(map, "patch");
    const char *path;
    RI_TRY(read_surface(f, map, &surface));
    RI_TRY(read_raster_options(f, map, &options));
    if (options.cell > 0.0)
        return ri_yaml_error(ri_yaml_get(map, "cell"), RI_ERR_FORMAT,
                             "a map that is read piece by piece is not resampled");
    RI_TRY(ri_terrain_bytes(f, map, "memory", &def.memory));
    RI_TRY(ri_terrain_number(f, map, "blend", "m", 0.0, huge, &def.blend));
    if (node)
        RI_TRY(read_part(f, node, &patch));
    RI_TRY(ri_terrain_find_file(f, map, "file", &path));
    RI_TRY(ri_terrain_wrap(f, ri_yaml_get(map, "file"), ri_tiles_open(f->ctx, path, &options, &def.source)));
    def.patch = patch;
    def.interpolation = surface.interpolation;
    def.edge = surface.edge;
    def.holes = surface.holes;
    def.material = surface.material;
    f->content = 0;                                                          // nobody reads all of it
    return made(f, map, ri_terrain_create_tiles(f->ctx, &def, &t), &t, out); // the source is closed if it fails
}

// --- meshes --------------------------------------------------------------------------------------

/// Corners in metres, from a file that may count in another unit.
static void scale_mesh(RiMesh *mesh, double scale)
{
    for (int i = 0; i < mesh->point_count; i++)
        mesh->points[i] = ri_scale(scale, mesh->points[i]);
}

static RiStatus read_mesh(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out)
{
    RiGroundMeshDef def = {.flip = false};
    RiTerrain *t = NULL;
    RiMesh *mesh;
    double scale = 1.0;
    const char *path;
    RI_TRY(ri_terrain_truth(f, map, "flip", &def.flip));
    RI_TRY(ri_terrain_text(f, map, "material", &def.material));
    RI_TRY(ri_terrain_number(f, map, "scale", "", 1e-9, 1e9, &scale));
    RI_TRY(ri_terrain_find_file(f, map, "file", &path));
    RI_TRY(ri_terrain_wrap(f, ri_yaml_get(map, "file"), ri_mesh_load(f->ctx, path, &mesh)));
    scale_mesh(mesh, scale);
    def.points = mesh->points;
    def.triangles = (const uint32_t(*)[3])mesh->triangles;
    def.point_count = mesh->point_count;
    def.triangle_count = mesh->triangle_count;
    f->content = ri_ground_mesh_hash(&def);
    const RiStatus status = made(f, map, ri_terrain_create_mesh(f->ctx, &def, &t), &t, out);
    ri_mesh_destroy(mesh);
    return status;
}

// --- synthesis -----------------------------------------------------------------------------------

static RiStatus unknown_maker(const RiYamlNode *node, const char *name)
{
    RiNameSearch search = ri_name_search(name);
    for (int i = 0; i < ri_make_kind_count(); i++)
        ri_name_search_look(&search, ri_make_kind(i)->name);
    const char *nearest = search.found;
    return ri_yaml_error(node, RI_ERR_NOT_FOUND, "there is no synthesis '%.*s'%s%s%s", SHOWN, name,
                         nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/// A word's index or a number with its unit.
static RiStatus read_make_setting(RiTerrainFile *f, const RiMakeKind *kind, const RiYamlNode *node, RiMakeSetting *out)
{
    const int index = ri_make_param_find(kind, node->key);
    *out = (RiMakeSetting){node->key, 0.0};
    if (index < 0)
        return RI_OK; // ri_make tells, and suggests
    const RiMakeParam *p = &kind->params[index];
    if (!p->choices)
        return ri_template_number(&f->t, plain(node), p->unit, &out->value);
    const char *word;
    RI_TRY(ri_template_text(&f->t, plain(node), &word));
    out->value = ri_make_choice_find(p->choices, word);
    if (out->value >= 0.0)
        return RI_OK;
    return ri_yaml_error(node, RI_ERR_FORMAT, "'%.*s' is not one of %s", SHOWN, word, p->choices);
}

static RiStatus make(RiTerrainFile *f, const RiYamlNode *map, RiMade **out)
{
    const RiYamlNode *node = ri_yaml_get(map, "make"), *set = ri_yaml_get(map, "set");
    RiMakeSetting settings[MAKE_SETTINGS];
    unsigned long long seed = 1;
    const char *name;
    int count = 0;
    RI_TRY(ri_terrain_need(map, "make"));
    RI_TRY(ri_template_text(&f->t, plain(node), &name));
    const RiMakeKind *kind = ri_make_kind_find(name);
    if (!kind)
        return unknown_maker(node, name);
    RI_TRY(ri_terrain_seed(f, map, &seed));
    if (set)
        RI_TRY(ri_yaml_expect(set, RI_YAML_MAPPING));
    for (const RiYamlNode *c = set ? set->first : NULL; c; c = c->next) {
        if (count == MAKE_SETTINGS)
            return ri_yaml_error(c, RI_ERR_LIMIT, "more than %d settings", MAKE_SETTINGS);
        RI_TRY(read_make_setting(f, kind, c, &settings[count++]));
    }
    return ri_terrain_wrap(f, set ? set : node, ri_make(f->ctx, kind, count, settings, seed, out));
}

/// Solid parts beside the ground that was made.
static RiStatus add_parts(RiTerrainFile *f, const RiYamlNode *map, const RiMade *m, RiTerrain **out)
{
    RiTerrain *parts[2] = {*out, NULL}, *t = NULL;
    RI_TRY(made(f, map, ri_terrain_create_shapes(f->ctx, m->part_count, m->parts, &t), &t, &parts[1]));
    if (!*out) {
        *out = parts[1];
        return RI_OK;
    }
    t = NULL;
    return made(f, map, ri_terrain_create_union(f->ctx, 2, parts, &t), &t, out);
}

/// Heights if there are any, else the mesh; with solid parts on top.
static RiStatus take_made(RiTerrainFile *f, const RiYamlNode *map, const RiMade *m, RiTerrain **out)
{
    RiHeightsDef def = {.raster = m->raster};
    RiTerrain *t = NULL;
    RI_TRY(read_surface(f, map, &def));
    if (m->raster)
        RI_TRY(made(f, map, ri_terrain_create_heights(f->ctx, &def, &t), &t, out));
    if (!m->raster && m->triangle_count) {
        const RiGroundMeshDef mesh = {.points = m->points,
                                      .triangles = (const uint32_t(*)[3])m->triangles,
                                      .point_count = m->point_count,
                                      .triangle_count = m->triangle_count,
                                      .material = def.material};
        RI_TRY(made(f, map, ri_terrain_create_mesh(f->ctx, &mesh, &t), &t, out));
    }
    return m->part_count ? add_parts(f, map, m, out) : RI_OK;
}

static RiStatus read_make(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out)
{
    RiMade *m = NULL;
    RI_TRY(make(f, map, &m));
    f->content = ri_made_hash(m);
    const RiStatus status = take_made(f, map, m, out);
    ri_made_destroy(m);
    return status;
}

// --- union ---------------------------------------------------------------------------------------

static RiStatus read_union(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out)
{
    const RiYamlNode *list;
    RiTerrain *t = NULL;
    RI_TRY(ri_yaml_require(map, "parts", RI_YAML_SEQUENCE, &list));
    if (list->count < 1 || list->count > UNION_PARTS)
        return ri_yaml_error(list, RI_ERR_FORMAT, "%d parts; 1 to %d are allowed", list->count, UNION_PARTS);
    RiTerrain **parts = ri_arena_alloc(&f->t.arena, (size_t)list->count, sizeof *parts);
    uint64_t content = 1;
    int count = 0;
    if (!parts)
        return ri_error_memory(f->ctx);
    for (const RiYamlNode *c = list->first; c; c = c->next) {
        RI_TRY(read_part(f, c, &parts[count++]));
        content = content && f->content ? ri_hash_mix(content, f->content) : 0;
    }
    f->content = content;
    return made(f, map, ri_terrain_create_union(f->ctx, count, parts, &t), &t, out);
}

// --- all -----------------------------------------------------------------------------------------

#define SURFACE_KEYS "edge", "interpolation", "holes", "material"
#define RASTER_KEYS  "file", "band", "window", "cell", "spacing", "scale", "offset", "no_data", "origin"
static const RiTerrainKind kinds[] = {
    {"plane", {"point", "slope", "azimuth", "material"}, read_plane},
    {"shapes", {"parts"}, ri_terrain_read_shapes},
    {"heights", {RASTER_KEYS, SURFACE_KEYS, "values", "corner", "detail"}, read_heights},
    {"tiles", {RASTER_KEYS, SURFACE_KEYS, "memory", "patch", "blend"}, read_tiles},
    {"mesh", {"file", "scale", "flip", "material"}, read_mesh},
    {"make", {"make", "set", "seed", SURFACE_KEYS}, read_make},
    {"union", {"parts"}, read_union},
    {"plugin", {"library", "name", "set", "material"}, ri_terrain_read_plugin},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static RiStatus check_keys(const RiYamlNode *map, const RiTerrainKind *kind, bool whole)
{
    static const char *const common[] = {"kind", "doc", "bake", "terrain", "parameters", "soil", "ruts"};
    const char *keys[40];
    int count = whole ? 7 : 3;
    memcpy(keys, common, (size_t)count * sizeof *keys);
    for (int i = 0; i < 20 && kind->keys[i]; i++)
        keys[count++] = kind->keys[i];
    return ri_yaml_check_keys(map, keys, count);
}

static RiStatus read_kind(RiTerrainFile *f, const RiYamlNode *map, bool whole, RiTerrain **out)
{
    const char *names[KINDS];
    int index = 0;
    for (int i = 0; i < KINDS; i++)
        names[i] = kinds[i].name;
    RI_TRY(ri_yaml_expect(map, RI_YAML_MAPPING));
    RI_TRY(ri_terrain_need(map, "kind"));
    RI_TRY(ri_terrain_word(f, map, "kind", names, KINDS, &index));
    RI_TRY(check_keys(map, &kinds[index], whole));
    return kinds[index].read(f, map, out);
}

// --- distance grids ------------------------------------------------------------------------------

/// What a grid is made from: the text of the part of the description that describes it, and the
/// bytes that a kind has read.
static uint64_t hash_node(uint64_t h, const RiYamlNode *node)
{
    h = ri_hash_text(ri_hash_text(h, node->key), node->text);
    for (const RiYamlNode *c = node->first; c; c = c->next)
        h = hash_node(h, c);
    return ri_hash_mix(h, (uint64_t)node->count);
}

static RiStatus read_bake(RiTerrainFile *f, const RiYamlNode *node, RiBakeDef *def)
{
    static const char *const keys[] = {"cell", "band", "kind", "lookup", "low", "high", "edge", "threads"};
    static const char *const kind_words[] = {"sparse", "dense"}, *const lookups[] = {"trilinear", "tricubic"};
    int kind = RI_GRID_SPARSE, lookup = RI_LOOKUP_TRILINEAR, edge = RI_EDGE_EXTEND;
    double threads = 0.0;
    *def = ri_bake_def_default();
    RI_TRY(ri_yaml_check_keys(node, keys, sizeof keys / sizeof *keys));
    RI_TRY(ri_terrain_need(node, "cell"));
    RI_TRY(ri_terrain_number(f, node, "cell", "m", 1e-4, 1e6, &def->cell));
    RI_TRY(ri_terrain_number(f, node, "band", "m", 0.0, 1e6, &def->band));
    RI_TRY(ri_terrain_number(f, node, "threads", "", 0.0, 1024.0, &threads));
    RI_TRY(ri_terrain_word(f, node, "kind", kind_words, 2, &kind));
    RI_TRY(ri_terrain_word(f, node, "lookup", lookups, 2, &lookup));
    RI_TRY(ri_terrain_word(f, node, "edge", edges, 3, &edge));
    if (!ri_yaml_get(node, "low") != !ri_yaml_get(node, "high"))
        return ri_yaml_error(node, RI_ERR_FORMAT, "keys 'low' and 'high' (corners of the region) go together");
    RI_TRY(ri_terrain_vector(f, node, "low", "m", &def->low));
    RI_TRY(ri_terrain_vector(f, node, "high", "m", &def->high));
    def->kind = (RiGridKind)kind;
    def->lookup = (RiGridLookup)lookup;
    def->edge = (RiEdge)edge;
    def->threads = (int)threads;
    def->progress = f->options.progress;
    def->user = f->options.user;
    return RI_OK;
}

/// Parameters change what ${...} in the text means.
static uint64_t hash_parameters(const RiTerrainFile *f, uint64_t h)
{
    for (int i = 0; i < f->t.parameter_count; i++)
        h = ri_hash(h, &f->t.parameters[i].result.value, sizeof(double));
    return h;
}

/// Puts a grid in the place of the terrain it is baked from, the last that was made. The cache
/// helps where a folder is given and what the source was made from is known.
static RiStatus bake(RiTerrainFile *f, const RiYamlNode *map, const RiYamlNode *node, RiTerrain **out)
{
    RiBakeDef def;
    RiTerrain *t = NULL;
    bool hit = false;
    RI_TRY(read_bake(f, node, &def));
    const uint64_t content = ri_hash_mix(hash_parameters(f, hash_node(0, map)), f->content);
    const RiStatus status = f->options.cache && f->content
                                ? ri_terrain_bake_cached(f->ctx, *out, content, &def, f->options.cache, &hit, &t)
                                : ri_terrain_bake(f->ctx, *out, &def, &t);
    RI_TRY(ri_terrain_wrap(f, node, status));
    ri_report_add(f->options.report, RI_FINDING_UNDERSTOOD, ri_yaml_file(map->document), node->line, "distance grid %s",
                  hit ? "from the cache" : "baked");
    RI_TRY(ri_terrain_own(f, t));
    *out = t;
    return RI_OK;
}

RiStatus ri_terrain_read(RiTerrainFile *f, const RiYamlNode *map, bool whole, RiTerrain **out)
{
    const int first = f->owned_count;
    *out = NULL;
    f->content = 1; // unless a file is read
    RI_TRY(read_kind(f, map, whole, out));
    const RiYamlNode *node = ri_yaml_get(map, "bake");
    if (!node)
        return RI_OK;
    RI_TRY(bake(f, map, node, out));
    while (f->owned_count > first + 1) // the source is not needed any more
        ri_terrain_destroy(f->owned[--f->owned_count - 1]);
    f->owned[first] = *out;
    return RI_OK;
}
