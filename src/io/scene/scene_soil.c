// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the wheels and screws of a scene sink into its soils.
///
///     soil: none | {slices: 3, berms: true, screw_edge: 2 mm, ...}     keys: sim/force/soil_options.c
///
/// A scene whose terrain has soft soil and whose robot has wheels or screws uses the laws of soft
/// soil, with the defaults if it has no such key.
#include <string.h>

#include "io/scene/scene.h"
#include "sim/options.h"

static const RiOptionTable *const tables[] = {&ri_soil_option_table};

static bool is_none(const RiYamlNode *node)
{
    return node && node->kind == RI_YAML_SCALAR && node->text && strcmp(node->text, "none") == 0;
}

RiStatus ri_scene_check_soil(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "soil");
    if (!node || is_none(node))
        return RI_OK;
    if (node->kind == RI_YAML_SCALAR)
        return ri_yaml_error(node, RI_ERR_FORMAT, "soil is a mapping, or the word none");
    return ri_template_check_options(node, tables, 1);
}

/// Name of a soft soil on top of the ground, or NULL.
static const char *soft_soil(const RiScene *sc)
{
    const RiTerrain *terrain = ri_sim_terrain(sc->sim);
    const RiSoilMap *map = terrain ? ri_terrain_soil_map(terrain) : NULL;
    for (int i = 0; map && i < ri_soil_map_region_count(map); i++) {
        const RiSoilRegion *region = ri_soil_map_region(map, i);
        const RiSoil *soil = region->layer_count ? ri_soils_get(ri_soil_map_soils(map), region->layers[0].soil) : NULL;
        if (soil && soil->form != RI_SOIL_HARD)
            return soil->name;
    }
    return NULL;
}

/// Soft soil under a robot without wheel, screw or shape would act as rock, without a word.
static RiStatus check_parts(const RiScene *sc, const RiYamlNode *place)
{
    const char *name = soft_soil(sc);
    if (!name || sc->spec->wheel_count + sc->spec->screw_count + ri_sim_soil_body_count(sc->sim) > 0)
        return RI_OK;
    return ri_yaml_error(place, RI_ERR_MODEL,
                         "the ground has the soft soil '%.60s', but the robot '%.60s' has no wheel, screw or collision "
                         "shape (other than a "
                         "mesh) that the laws of soft soil act on. Declare them (<wheel> in <rille>, 'wheels:' of a "
                         "template), or write 'soil: none' to "
                         "let the robot stand on it as on rock",
                         name, sc->spec->name);
}

/// Warns of pairs that never act, because a law of soft soil does wherever they fit.
static void warn_idle_pairs(RiScene *sc)
{
    const RiTerrain *terrain = ri_sim_terrain(sc->sim);
    const RiYamlNode *node = ri_scene_key(sc, "contact"), *pairs = node ? ri_yaml_get(node, "pairs") : NULL;
    const int grounds = terrain ? ri_terrain_material_count(terrain) : 0;
    for (int k = 0; pairs && k < sc->contact.pair_count; k++) {
        const RiFeature *idle = NULL;
        const char *soil = NULL;
        bool acts = false;
        for (int i = 0; i < ri_contacts_feature_count(sc->contacts) && !acts; i++)
            for (int g = 0; g < grounds && !acts; g++) {
                if (ri_contacts_pair_given(sc->contacts, i, g) != k)
                    continue;
                idle = ri_contacts_feature(sc->contacts, i);
                soil = ri_terrain_material_name(terrain, g);
                acts = !ri_sim_soil_answers(sc->sim, idle->link, g);
            }
        if (!idle || acts)
            continue;
        const RiPairDef *p = &sc->contact.pairs[k];
        const RiYamlNode *at = ri_yaml_at(pairs, k) ? ri_yaml_at(pairs, k) : pairs;
        ri_report_add(
            sc->options.report, RI_FINDING_WARNING, ri_scene_file(sc, at), at->line,
            "the pair {robot: %s, ground: %s, law: %s} never acts: wherever it fits, as '%s' on '%s', the law "
            "of soft soil acts; 'soil: none' leaves the ground to the pairs ('rille contact pairs' lists all)",
            p->robot ? p->robot : "\"*\"", p->ground ? p->ground : "\"*\"", ri_law_name(p->law), idle->name, soil);
    }
}

RiStatus ri_scene_add_soil(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "soil");
    sc->soil = ri_soil_options_default();
    if (is_none(node) || !sc->contacts)
        return RI_OK;
    const RiYamlNode *place = node ? node : ri_scene_key(sc, "terrain");
    RI_TRY(ri_template_options(&sc->t, node, &ri_soil_option_table, &sc->soil));
    RI_TRY(ri_scene_wrap(place, ri_sim_set_soil(sc->sim, sc->spec, &sc->soil), sc->ctx));
    RI_TRY(check_parts(sc, place));
    warn_idle_pairs(sc);
    return RI_OK;
}

void ri_scene_put_soil(const RiScene *sc, RiSceneWriter *w)
{
    if (!sc->terrain.file || !sc->contacts)
        return;
    if (ri_sim_soil_wheel_count(sc->sim) + ri_sim_soil_screw_count(sc->sim) + ri_sim_soil_body_count(sc->sim) == 0) {
        ri_scene_put(w, "soil: none\n");
        return;
    }
    ri_scene_put(w, "soil:\n");
    ri_scene_put_options(w, "  ", &ri_soil_option_table, &sc->soil);
}
