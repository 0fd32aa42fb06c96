// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the wheels and screws of a scene sink into its soils.
///
///     soil: none | {slices: 3, patches: 16, stations: 13, coupled: false, bulldozing: 1, rebound: 0, unload: 20 MPa/m, ...,
///            berms: true, compaction: 0.5, layer: 2 mm, screw_stations: 7, screw_patches: 8, screw_edge: 2 mm, screw_friction: 0.667, wake: 0.5 m, screw_dig: 0}
///
/// A scene whose terrain has soft soil and whose robot has wheels or screws uses the laws of soft soil; without the key it takes the defaults.
#include <string.h>

#include "io/scene.h"

static const char *const keys[] = {"slices",     "patches",        "stations", "coupled",        "bulldozing",
                                   "rebound",    "unload",         "damping",  "shear_lag",      "slip_most",
                                   "berms",      "compaction",     "layer",    "screw_stations", "screw_patches",
                                   "screw_edge", "screw_friction", "wake",     "unload_time",    "screw_dig"};

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
    return ri_yaml_check_keys(node, keys, sizeof keys / sizeof *keys);
}

static RiStatus read_options(RiScene *sc, const RiYamlNode *node, RiSoilOptions *o)
{
    const struct {
        const char *key;
        int least, most, *to;
    } counts[] = {{"slices", 1, RI_SLICE_MAX, &o->slices},
                  {"patches", 4, RI_SHEAR_MAX, &o->patches},
                  {"stations", 5, RI_STATION_MAX, &o->stations},
                  {"screw_stations", 5, RI_SCREW_STATION_MAX, &o->screw_stations},
                  {"screw_patches", 4, RI_SCREW_PATCH_MAX, &o->screw_patches}};
    const struct {
        const char *key, *unit;
        double *to;
    } numbers[] = {{"bulldozing", "", &o->bulldozing},
                   {"rebound", "", &o->rebound},
                   {"unload", "N/m^3", &o->unload},
                   {"unload_time", "s", &o->unload_time},
                   {"damping", "N*s/m^3", &o->damping},
                   {"shear_lag", "s", &o->shear_lag},
                   {"slip_most", "", &o->slip_most},
                   {"compaction", "", &o->compaction},
                   {"layer", "m", &o->layer},
                   {"screw_edge", "m", &o->screw_edge},
                   {"screw_friction", "", &o->screw_friction},
                   {"wake", "m", &o->wake},
                   {"screw_dig", "", &o->screw_dig}};
    const struct {
        const char *key;
        bool *to;
    } truths[] = {{"coupled", &o->coupled}, {"berms", &o->berms}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const RiYamlNode *x = ri_yaml_get(node, counts[i].key);
        if (x)
            RI_TRY(
                ri_template_whole(&sc->t, (RiTemplateValue){x, NULL}, counts[i].least, counts[i].most, counts[i].to));
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const RiYamlNode *x = ri_yaml_get(node, numbers[i].key);
        if (x)
            RI_TRY(ri_template_number(&sc->t, (RiTemplateValue){x, NULL}, numbers[i].unit, numbers[i].to));
    }
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        const RiYamlNode *x = ri_yaml_get(node, truths[i].key);
        if (x)
            RI_TRY(ri_template_truth(&sc->t, (RiTemplateValue){x, NULL}, truths[i].to));
    }
    return RI_OK;
}

RiStatus ri_scene_add_soil(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "soil");
    sc->soil = ri_soil_options_default();
    if (is_none(node) || !sc->contacts)
        return RI_OK;
    if (node)
        RI_TRY(read_options(sc, node, &sc->soil));
    return ri_scene_wrap(node ? node : ri_scene_key(sc, "terrain"), ri_sim_set_soil(sc->sim, sc->spec, &sc->soil),
                         sc->ctx);
}

void ri_scene_put_soil(const RiScene *sc, RiSceneWriter *w)
{
    const RiSoilOptions *o = &sc->soil;
    char number[13][40];
    if (!sc->terrain.file || !sc->contacts)
        return;
    if (ri_sim_soil_wheel_count(sc->sim) + ri_sim_soil_screw_count(sc->sim) == 0) {
        ri_scene_put(w, "soil: none\n");
        return;
    }
    ri_scene_put(w, "soil: {slices: %d, patches: %d, stations: %d, coupled: %s, bulldozing: %s, rebound: %s, ",
                 o->slices, o->patches, o->stations, o->coupled ? "true" : "false",
                 ri_scene_number(o->bulldozing, number[0]), ri_scene_number(o->rebound, number[1]));
    ri_scene_put(w, "unload: %s N/m^3, unload_time: %s s, damping: %s N*s/m^3, shear_lag: %s s, slip_most: %s, ",
                 ri_scene_number(o->unload, number[2]), ri_scene_number(o->unload_time, number[12]),
                 ri_scene_number(o->damping, number[3]), ri_scene_number(o->shear_lag, number[9]),
                 ri_scene_number(o->slip_most, number[10]));
    ri_scene_put(w, "berms: %s, compaction: %s, layer: %s m, ", o->berms ? "true" : "false",
                 ri_scene_number(o->compaction, number[4]), ri_scene_number(o->layer, number[5]));
    ri_scene_put(
        w, "screw_stations: %d, screw_patches: %d, screw_edge: %s m, screw_friction: %s, wake: %s m, screw_dig: %s}\n",
        o->screw_stations, o->screw_patches, ri_scene_number(o->screw_edge, number[6]),
        ri_scene_number(o->screw_friction, number[7]), ri_scene_number(o->wake, number[8]),
        ri_scene_number(o->screw_dig, number[11]));
}
