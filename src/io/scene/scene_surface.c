// SPDX-License-Identifier: Apache-2.0
/// \file
/// Surfaces of a scene's materials by key.
///
///     light: {surfaces: {MATERIAL: {kind: hapke, albedo: [...], ...} or {like: aluminium}, ...}}
///
/// Format: docs/perception.md. Tests: tests/optics/test_perception.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/scene/scene.h"
#include "io/scene/scene_optics.h"

enum { MOST_SURFACES = 256 };

/// Keys of a surface; NaN: as the named surface or the kind has it.
typedef struct SurfaceKeys {
    const char *like, *kind;
    RiVec3 albedo;
    double roughness, minnaert, index, asymmetry;
    double b, back, surge, width, slope, fill, texture;
} SurfaceKeys;

#define MAYBE(key_, field_, unit_, low_, high_, ...)                                                                   \
    {                                                                                                                  \
        RI_OPTION_FIELD(key_, SurfaceKeys, field_), .unit = unit_, .initial = NAN, .low = low_, .high = high_,         \
                                                    .flags = RI_OPTION_OPTIONAL, .doc = __VA_ARGS__                    \
    }

static const RiOption surface_rows[] = {
    RI_OPTION_WORD("like", SurfaceKeys, like, NULL,
                   "a surface of the program's table: moon, mars_soil, aluminium, ..."),
    RI_OPTION_WORD("kind", SurfaceKeys, kind, NULL,
                   "lambert, lommel_seeliger, lunar_lambert, minnaert, hapke, metal, ice; instead of `like`"),
    {RI_OPTION_FIELD("albedo", SurfaceKeys, albedo), .unit = "", .vector = {NAN, NAN, NAN}, .low = 0.0, .high = 1.0,
     .flags = RI_OPTION_OPTIONAL, .doc = "red, green, blue; single scattering of lommel_seeliger, hapke and ice"},
    MAYBE("roughness", roughness, "", 0.0, 1.0, "of metal and ice; 0: a mirror"),
    MAYBE("minnaert", minnaert, "", 0.5, 2.0, "exponent k of minnaert"),
    MAYBE("index", index, "", 1.0, 3.0, "refractive index of ice"),
    MAYBE("asymmetry", asymmetry, "", -0.95, 0.95, "of what scatters inside ice"),
    MAYBE("b", b, "", 0.0, 0.99, "hapke: shape of both lobes"),
    MAYBE("back", back, "", 0.0, 1.0, "hapke: weight of the backward lobe, (1 + c)/2"),
    MAYBE("surge", surge, "", 0.0, 10.0, "hapke: amplitude of the opposition surge"),
    MAYBE("width", width, "", 1e-4, 10.0, "hapke: its angular width"),
    MAYBE("slope", slope, "rad", 0.0, 1.0471, "hapke: mean slope angle of the roughness"),
    MAYBE("fill", fill, "", 0.1, 10.0, "hapke: porosity factor K"),
    MAYBE("texture", texture, "", 0.0, 0.9, "amplitude of the fine variation of albedo"),
};
static const RiOptionTable surface_table = RI_OPTION_TABLE("surface", SurfaceKeys, surface_rows);

/// The surface of the table that each kind begins with.
static const char *const starts[RI_SURFACE_KINDS] = {
    [RI_SURFACE_LAMBERT] = "plastic",  [RI_SURFACE_LOMMEL_SEELIGER] = "plastic", [RI_SURFACE_LUNAR_LAMBERT] = "plastic",
    [RI_SURFACE_MINNAERT] = "plastic", [RI_SURFACE_HAPKE] = "grey_soil",         [RI_SURFACE_METAL] = "metal",
    [RI_SURFACE_ICE] = "ice",
};

/// Names of kinds or of the table's surfaces, for messages.
static const char *kind_name(int i)
{
    return i < RI_SURFACE_KINDS ? ri_surface_kind_name((RiSurfaceKind)i) : NULL;
}

static const char *row_name(int i)
{
    const RiSurfaceRow *row = ri_surface_row(i);
    return row ? row->name : NULL;
}

/// Number of a word in a list; -1 with the message that names all of it.
static RiStatus find_word(const RiYamlNode *node, const char *key, const char *word, const char *(*name)(int), int *out)
{
    char all[1000];
    size_t used = 0;
    all[0] = '\0';
    for (*out = 0; name(*out); ++*out) {
        if (strcmp(name(*out), word) == 0)
            return RI_OK;
        const int more = snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", name(*out));
        used += more > 0 && (size_t)more < sizeof all - used ? (size_t)more : 0;
    }
    const RiYamlNode *at = ri_yaml_get(node, key);
    return ri_yaml_error(at ? at : node, RI_ERR_NOT_FOUND, "there is no %s of surface '%.60s'; there are: %s",
                         strcmp(key, "kind") == 0 ? "kind" : "row", word, all);
}

static void overwrite(double *field, double value)
{
    if (!isnan(value))
        *field = value;
}

static RiStatus start_from(const RiYamlNode *node, const SurfaceKeys *k, RiOpticSurface *out)
{
    int i;
    if (!k->like == !k->kind)
        return ri_yaml_error(node, RI_ERR_FORMAT, "a surface needs either 'like' or 'kind'");
    if (k->like) {
        RI_TRY(find_word(node, "like", k->like, row_name, &i));
        *out = ri_surface_row(i)->surface;
        return RI_OK;
    }
    RI_TRY(find_word(node, "kind", k->kind, kind_name, &i));
    *out = ri_surface_find(starts[i])->surface;
    out->kind = (RiSurfaceKind)i;
    out->minnaert = 0.7;
    return RI_OK;
}

static RiStatus read_surface(RiScene *sc, const RiYamlNode *node, RiSceneSurface *out)
{
    SurfaceKeys k = {.like = NULL};
    RI_TRY(ri_template_check_options(node, (const RiOptionTable *const[]){&surface_table}, 1));
    ri_options_default(&surface_table, &k);
    RI_TRY(ri_template_options(&sc->t, node, &surface_table, &k));
    RiOpticSurface *s = &out->surface;
    RI_TRY(start_from(node, &k, s));
    if (!isnan(k.albedo.x))
        s->albedo[0] = k.albedo.x, s->albedo[1] = k.albedo.y, s->albedo[2] = k.albedo.z;
    overwrite(&s->roughness, k.roughness);
    overwrite(&s->minnaert, k.minnaert);
    overwrite(&s->index, k.index);
    overwrite(&s->asymmetry, k.asymmetry);
    overwrite(&s->hapke.b, k.b);
    overwrite(&s->hapke.back, k.back);
    overwrite(&s->hapke.surge, k.surge);
    overwrite(&s->hapke.width, k.width);
    overwrite(&s->hapke.roughness, k.slope);
    overwrite(&s->hapke.fill, k.fill);
    if (!isnan(k.texture) && s->texture.coarse <= 0.0)
        s->texture = (RiTexture){.coarse = 0.15, .octaves = 5, .seed = 4u};
    overwrite(&s->texture.amplitude, k.texture);
    out->material = node->key;
    out->node = node;
    return ri_scene_wrap(node, ri_surface_prepare(sc->ctx, node->key, s), sc->ctx);
}

RiStatus ri_scene_read_surfaces(RiScene *sc, const RiYamlNode *list, RiSceneLight *light)
{
    RI_TRY(ri_yaml_expect(list, RI_YAML_MAPPING));
    if (list->count > MOST_SURFACES)
        return ri_yaml_error(list, RI_ERR_LIMIT, "%d surfaces; at most %d are allowed", list->count, MOST_SURFACES);
    RiSceneSurface *surfaces = ri_arena_alloc(&sc->t.arena, (size_t)list->count + 1, sizeof *surfaces);
    if (!surfaces)
        return ri_error_memory(sc->ctx);
    light->surfaces = surfaces;
    for (const RiYamlNode *c = list->first; c; c = c->next)
        RI_TRY(read_surface(sc, c, &surfaces[light->surface_count++]));
    return RI_OK;
}

RiStatus ri_scene_no_material(const RiSceneSurface *surface, const char *materials)
{
    return ri_yaml_error(surface->node, RI_ERR_NOT_FOUND,
                         "no ground and no part of the robot is of '%.60s'; there are: %s", surface->material,
                         materials);
}
