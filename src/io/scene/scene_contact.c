// SPDX-License-Identifier: Apache-2.0
/// \file
/// What touches the ground of a scene, and how.
///
///     contact: none | {points: envelope, passes: 3, pairs: [{robot: screw, ground: ice, law: screw, friction: 0.15, ...}], melt: {...}}
///     contact: {back_end: hulls, ignore: [[arm_*, tray]], pairs: [{robot: arm_*, with: "*", friction: 0.3}]}
///
/// A scene with a terrain has contacts; without the key they take the defaults. With hulls it needs
/// no terrain.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/mesh.h>

#include "contact/contacts.h"
#include "contact/options.h"
#include "io/file/plugin_open.h"
#include "io/scene/scene.h"
#include "sim/options.h"
#include "soil/melt.h"

static const RiOptionTable *const tables[] = {&ri_contact_option_table, &ri_sim_contact_option_table};

static bool is_none(const RiYamlNode *node)
{
    return node && node->kind == RI_YAML_SCALAR && node->text && strcmp(node->text, "none") == 0;
}

/// Refuses keys of a mapping that are neither in `own` nor among the `count` names that `name_of`
/// gives.
static RiStatus check_keys(RiScene *sc, const RiYamlNode *node, const char *const *own, int own_count,
                           const char *(*name_of)(int), int count)
{
    const char **names = ri_arena_alloc(&sc->t.arena, (size_t)(own_count + count), sizeof *names);
    if (!names)
        return ri_error_memory(sc->ctx);
    for (int i = 0; i < own_count; i++)
        names[i] = own[i];
    for (int i = 0; i < count; i++)
        names[own_count + i] = name_of(i);
    return ri_yaml_check_keys(node, names, own_count + count);
}

static const char *pair_field_name(int i)
{
    int count;
    return ri_pair_fields(&count)[i].name;
}

static const char *melt_field_name(int i)
{
    int count;
    return ri_melt_fields(&count)[i].name;
}

static RiStatus check_pairs(RiScene *sc, const RiYamlNode *list)
{
    static const char *const own[] = {"robot", "ground", "name", "law", "doc", "with", "library", "type", "set"};
    int count;
    ri_pair_fields(&count);
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    for (const RiYamlNode *c = list->first; c; c = c->next)
        RI_TRY(check_keys(sc, c, own, 9, pair_field_name, count));
    return RI_OK;
}

static RiStatus check_melt(RiScene *sc, const RiYamlNode *node)
{
    static const char *const own[] = {"ground", "doc"};
    int count;
    ri_melt_fields(&count);
    return check_keys(sc, node, own, 2, melt_field_name, count);
}

RiStatus ri_scene_check_contact(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "contact");
    if (!node || is_none(node))
        return RI_OK;
    if (node->kind == RI_YAML_SCALAR)
        return ri_yaml_error(node, RI_ERR_FORMAT, "contact is a mapping, or the word none");
    RI_TRY(ri_template_check_options(node, tables, 2));
    if (ri_yaml_get(node, "pairs"))
        RI_TRY(check_pairs(sc, ri_yaml_get(node, "pairs")));
    return ri_yaml_get(node, "melt") ? check_melt(sc, ri_yaml_get(node, "melt")) : RI_OK;
}

static RiStatus read_text(RiScene *sc, const RiYamlNode *item, const char *key, const char **out_text)
{
    const RiYamlNode *node = ri_yaml_get(item, key);
    return node ? ri_template_text(&sc->t, (RiTemplateValue){node, NULL}, out_text) : RI_OK;
}

/// A name of a pair is a word: letters, digits and underscores.
static RiStatus read_pair_name(RiScene *sc, const RiYamlNode *item, const char **out_name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    RI_TRY(read_text(sc, item, "name", out_name));
    const char *name = *out_name;
    if (name && (!*name || strlen(name) > 40 || strspn(name, letters) != strlen(name)))
        return ri_yaml_error(
            ri_yaml_get(item, "name"), RI_ERR_FORMAT,
            "name of a contact pair is '%.60s'; at most 40 letters, digits and underscores are allowed", name);
    return RI_OK;
}

/// The law of a plugin: `law: plugin, library: x.so, type: NAME, set: {...}`.
static RiStatus read_law(RiScene *sc, const RiYamlNode *item, const RiPairDef *p, RiSceneLaw *law)
{
    const RiYamlNode *library = ri_yaml_get(item, "library"), *type = ri_yaml_get(item, "type"),
                     *set = ri_yaml_get(item, "set");
    const RiYamlNode *first = library ? library : type ? type : set;
    if (p->law != RI_LAW_PLUGIN)
        return first ? ri_yaml_error(first, RI_ERR_FORMAT, "'library', 'type' and 'set' belong to 'law: plugin'")
                     : RI_OK;
    if (!library || !type)
        return ri_yaml_error(item, RI_ERR_FORMAT, "'law: plugin' needs a 'library' and a 'type' in it");
    const char *name;
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){type, NULL}, &name));
    RI_TRY(ri_scene_library_path(sc, library, NULL, &law->library));
    RI_TRY(ri_scene_open_law(sc, library, law->library, name, &law->use.plugin));
    double *numbers = ri_arena_alloc(&sc->t.arena, RI_PLUGIN_OPTIONS, sizeof *numbers);
    if (!numbers)
        return ri_error_memory(sc->ctx);
    law->use.numbers = numbers;
    RI_TRY(ri_plugin_numbers(&sc->t, set, law->use.plugin->options, law->use.plugin->option_count, numbers));
    return ri_scene_wrap(set ? set : item, ri_contact_plugin_check(sc->ctx, law->use.plugin, numbers), sc->ctx);
}

static RiStatus read_pair(RiScene *sc, const RiYamlNode *item, RiPairDef *p, RiSceneLaw *plugin)
{
    const char *laws[RI_LAW_COUNT];
    const RiYamlNode *law = ri_yaml_get(item, "law");
    *p = ri_pair_default();
    for (int i = 0; i < RI_LAW_COUNT; i++)
        laws[i] = ri_law_name((RiLawKind)i);
    RI_TRY(read_text(sc, item, "robot", &p->robot));
    RI_TRY(read_text(sc, item, "ground", &p->ground));
    RI_TRY(read_text(sc, item, "with", &p->with));
    RI_TRY(read_pair_name(sc, item, &p->name));
    if (law) {
        int choice;
        RI_TRY(ri_template_choice(&sc->t, (RiTemplateValue){law, NULL}, laws, RI_LAW_COUNT, &choice));
        p->law = (RiLawKind)choice;
    }
    int count;
    const RiPairField *fields = ri_pair_fields(&count);
    for (int i = 0; i < count; i++) {
        const RiYamlNode *node = ri_yaml_get(item, fields[i].name);
        if (node)
            RI_TRY(ri_template_number(&sc->t, (RiTemplateValue){node, NULL}, fields[i].unit,
                                      ri_pair_number(p, &fields[i])));
    }
    p->source = (RiSource){ri_yaml_file(item->document), item->line};
    return read_law(sc, item, p, plugin);
}

/// Pairs of globs over links: [[a, b], ...].
static RiStatus read_links(RiScene *sc, const RiYamlNode *list, const RiLinkPair **out_pairs, int *out_count)
{
    if (!list)
        return RI_OK;
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    RiLinkPair *pairs = ri_arena_alloc(&sc->t.arena, (size_t)list->count + 1, sizeof *pairs);
    if (!pairs)
        return ri_error_memory(sc->ctx);
    *out_pairs = pairs;
    for (const RiYamlNode *c = list->first; c; c = c->next) {
        if (c->kind != RI_YAML_SEQUENCE || c->count != 2)
            return ri_yaml_error(c, RI_ERR_FORMAT, "two links or globs are wanted: [a, b]");
        RiLinkPair *p = &pairs[(*out_count)++];
        RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){c->first, NULL}, &p->a));
        RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){c->first->next, NULL}, &p->b));
    }
    return RI_OK;
}

/// Settings "contact.KEY" from outside, over those of the scene.
static RiStatus read_settings(RiScene *sc, const RiOptionTable *table, void *options)
{
    char name[80];
    for (int i = 0; i < table->count; i++) {
        snprintf(name, sizeof name, "contact.%s", table->rows[i].key);
        const RiYamlNode *set = ri_scene_setting(sc, name);
        if (set && table->rows[i].kind != RI_OPTION_OWN)
            RI_TRY(ri_template_option(&sc->t, set, &table->rows[i], options));
    }
    return RI_OK;
}

/// The setting `contact.law`: all pairs with the ground have it; without any, all touches do.
static RiStatus set_law(RiScene *sc, RiContactOptions *o)
{
    const char *laws[RI_LAW_COUNT];
    const RiYamlNode *set = ri_scene_setting(sc, "contact.law");
    int choice;
    if (!set)
        return RI_OK;
    for (int i = 0; i < RI_LAW_COUNT; i++)
        laws[i] = ri_law_name((RiLawKind)i);
    RI_TRY(ri_template_choice(&sc->t, (RiTemplateValue){set, NULL}, laws, RI_LAW_PLUGIN, &choice)); // not from outside
    RiPairDef *pairs = ri_arena_alloc(&sc->t.arena, (size_t)o->pair_count + 1, sizeof *pairs);
    if (!pairs)
        return ri_error_memory(sc->ctx);
    for (int i = 0; i < o->pair_count; i++)
        pairs[i] = o->pairs[i];
    if (o->pair_count == 0)
        pairs[o->pair_count++] = ri_pair_default();
    for (int i = 0; i < o->pair_count; i++)
        if (!pairs[i].with)
            pairs[i].law = (RiLawKind)choice;
    o->pairs = pairs;
    return RI_OK;
}

static RiStatus read_options(RiScene *sc, const RiYamlNode *node, RiContactOptions *o)
{
    RI_TRY(ri_template_options(&sc->t, node, &ri_contact_option_table, o));
    RI_TRY(read_links(sc, ri_yaml_get(node, "ignore"), &o->ignore, &o->ignore_count));
    return read_links(sc, ri_yaml_get(node, "collide"), &o->collide, &o->collide_count);
}

static RiStatus read_pairs(RiScene *sc, const RiYamlNode *list, RiContactOptions *o)
{
    if (!list)
        return RI_OK;
    RiPairDef *pairs = ri_arena_alloc(&sc->t.arena, (size_t)list->count + 1, sizeof *pairs);
    if (!pairs)
        return ri_error_memory(sc->ctx);
    sc->laws = ri_arena_alloc(&sc->t.arena, (size_t)list->count + 1, sizeof *sc->laws);
    RiLawUse *uses = ri_arena_alloc(&sc->t.arena, (size_t)list->count + 1, sizeof *uses);
    if (!sc->laws || !uses)
        return ri_error_memory(sc->ctx);
    bool any = false;
    for (const RiYamlNode *c = list->first; c; c = c->next) {
        const int i = o->pair_count++;
        RI_TRY(read_pair(sc, c, &pairs[i], &sc->laws[i]));
        uses[i] = sc->laws[i].use;
        any |= uses[i].plugin != NULL;
    }
    o->pairs = pairs;
    o->uses = any ? uses : NULL;
    return RI_OK;
}

/// The key `melt`: screws have temperatures.
static RiStatus read_melt(RiScene *sc, const RiYamlNode *node)
{
    int count;
    const RiMeltField *fields = ri_melt_fields(&count);
    if (!node)
        return RI_OK;
    sc->melt = ri_melt_default();
    sc->melt.ground = "ice";
    RI_TRY(read_text(sc, node, "ground", &sc->melt.ground));
    for (int i = 0; i < count; i++) {
        const RiYamlNode *x = ri_yaml_get(node, fields[i].name);
        if (x)
            RI_TRY(ri_template_number(&sc->t, (RiTemplateValue){x, NULL}, fields[i].unit,
                                      ri_melt_number(&sc->melt, &fields[i])));
    }
    sc->melts = true;
    return ri_scene_wrap(node, ri_sim_set_melt(sc->sim, &sc->melt), sc->ctx);
}

/// `events: true`, `false`, or the time to which impacts are located.
static RiStatus read_events(RiScene *sc, const RiYamlNode *node)
{
    const bool word = node->kind == RI_YAML_SCALAR && node->text;
    if (word && strcmp(node->text, "false") == 0)
        sc->sim_options.events = 0.0;
    else if (word && strcmp(node->text, "true") == 0)
        sc->sim_options.events = 1e-10;
    else
        RI_TRY(
            ri_template_option(&sc->t, node, ri_option_find(&ri_sim_contact_option_table, "events"), &sc->sim_options));
    if (sc->sim_options.events != 0.0 && sc->sim_options.method != RI_METHOD_MOREAU)
        return ri_yaml_error(node, RI_ERR_FORMAT, "impacts are located by integrator moreau only");
    return RI_OK;
}

RiStatus ri_scene_read_passes(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "contact");
    char name[80];
    if (is_none(node))
        return RI_OK;
    for (int i = 0; i < ri_sim_contact_option_table.count; i++) {
        const RiOption *row = &ri_sim_contact_option_table.rows[i];
        snprintf(name, sizeof name, "contact.%s", row->key);
        const RiYamlNode *set = ri_scene_setting(sc, name), *x = set ? set : node ? ri_yaml_get(node, row->key) : NULL;
        if (x)
            RI_TRY(strcmp(row->key, "events") == 0 ? read_events(sc, x)
                                                   : ri_template_option(&sc->t, x, row, &sc->sim_options));
    }
    return RI_OK;
}

/// The library of materials where the terrain has none of its own. A scene without a soils folder
/// goes without it: warn_unknown tells what that means.
static RiStatus load_materials(RiScene *sc, RiSoils **out_soils)
{
    const char *folder = sc->options.soils, *file = sc->t.paths[0];
    *out_soils = NULL;
    if (!folder && !file)
        return RI_OK;
    if (!folder)
        RI_TRY(ri_template_join(&sc->t, file, "../soils", &folder));
    RI_TRY(ri_soils_create(sc->ctx, out_soils));
    const RiStatus status = ri_soils_load_folder(sc->ctx, *out_soils, folder);
    return status == RI_ERR_NOT_FOUND ? RI_OK : status;
}

/// Warns of the first touch whose friction nothing tells.
static void warn_unknown(RiScene *sc, const RiYamlNode *node, const RiTerrain *terrain)
{
    const int grounds = terrain ? ri_terrain_material_count(terrain) : 0;
    for (int i = 0; i < ri_contacts_feature_count(sc->contacts); i++)
        for (int g = 0; g < grounds; g++) {
            if (ri_contacts_friction_from(sc->contacts, i, g) != RI_FRICTION_FROM_NOTHING)
                continue;
            const RiFeature *f = ri_contacts_feature(sc->contacts, i);
            ri_report_add(
                sc->options.report, RI_FINDING_WARNING, ri_scene_file(sc, node), node ? node->line : 0,
                "friction of '%s' (material '%s') on '%s': no pair gives it and neither material is in the library of "
                "soils: %g is taken ('rille contact pairs' lists all)",
                f->name, f->material, ri_terrain_material_name(terrain, g), RI_FRICTION_UNKNOWN);
            return;
        }
}

/// Exact contact does not press: it warns of a law that thinks it does.
static void warn_press(RiScene *sc)
{
    for (int i = 0; sc->sim_options.method == RI_METHOD_MOREAU && sc->contact.uses && i < sc->contact.pair_count; i++) {
        const RiContactPlugin *k = sc->contact.uses[i].plugin;
        if (sc->contact.pairs[i].law == RI_LAW_PLUGIN && k->press)
            ri_report_add(
                sc->options.report, RI_FINDING_WARNING, sc->contact.pairs[i].source.file,
                sc->contact.pairs[i].source.line,
                "law '%s': integrator moreau does not use its normal force: the pair's restitution (%g) holds "
                "in its place",
                k->name, sc->contact.pairs[i].restitution);
    }
}

/// Contacts from options, with the meshes and materials loaded as long as that takes.
static RiStatus create(RiScene *sc, const RiTerrain *terrain)
{
    const RiSoils *known = sc->terrain.file ? ri_terrain_file_soils(sc->terrain.file) : NULL;
    RiContactMeshes *meshes;
    RiSoils *soils = NULL;
    RI_TRY(ri_contact_meshes_load(sc->ctx, sc->spec, &sc->contact, &meshes));
    RiContactOptions o = sc->contact;
    o.meshes = meshes->list;
    o.mesh_count = meshes->count;
    RiStatus status = known ? RI_OK : load_materials(sc, &soils);
    o.materials = known ? known : soils;
    if (status == RI_OK)
        status = ri_contacts_create(sc->ctx, sc->spec, sc->model, terrain, &o, &sc->contacts);
    ri_contact_meshes_destroy(meshes);
    ri_soils_destroy(soils);
    return status;
}

RiStatus ri_scene_add_contacts(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "contact");
    const RiTerrain *terrain = ri_sim_terrain(sc->sim);
    sc->contact = ri_contact_options_default();
    sc->contact.gravity = sc->sim_options.gravity;
    sc->contact.seed = sc->sim_options.seed;
    if (is_none(node) || (!node && !terrain))
        return RI_OK;
    if (sc->sim_options.method == RI_METHOD_KINEMATIC)
        return RI_OK; // wheels roll on the ground, nothing presses
    if (node) {
        RI_TRY(read_options(sc, node, &sc->contact));
        RI_TRY(read_pairs(sc, ri_yaml_get(node, "pairs"), &sc->contact));
    }
    RI_TRY(read_settings(sc, &ri_contact_option_table, &sc->contact));
    RI_TRY(set_law(sc, &sc->contact));
    if (!terrain && sc->sim_options.method == RI_METHOD_MOREAU && !ri_yaml_get(node, "pairs"))
        return RI_OK; // options of the method: joints have stops
    if (!terrain && (sc->contact.back_end != RI_BACK_END_HULLS || !sc->contact.self))
        return ri_yaml_error(
            node, RI_ERR_FORMAT,
            "the scene has no terrain to touch: give it the key 'terrain', or 'back_end: hulls' for links "
            "that touch each other");
    RI_TRY(create(sc, terrain));
    warn_press(sc);
    warn_unknown(sc, node ? node : ri_scene_key(sc, "terrain"), terrain);
    if (ri_contacts_feature_count(sc->contacts) == 0 && ri_contacts_hull_count(sc->contacts) == 0)
        return RI_OK; // nothing of this robot can touch
    RI_TRY(
        ri_scene_wrap(node ? node : ri_scene_key(sc, "terrain"), ri_sim_set_contacts(sc->sim, sc->contacts), sc->ctx));
    return node ? read_melt(sc, ri_yaml_get(node, "melt")) : RI_OK;
}

/// The law of a plugin, its path as seen from anywhere.
static void put_law(RiSceneWriter *w, const RiSceneLaw *law)
{
    char path[RI_SCENE_PATH], number[40];
    const RiContactPlugin *k = law->use.plugin;
    ri_scene_put(w, ", library: ");
    ri_scene_put_quoted(w, realpath(law->library, path) ? path : law->library);
    ri_scene_put(w, ", type: ");
    ri_scene_put_quoted(w, k->name);
    for (int i = 0; i < k->option_count; i++)
        ri_scene_put(w, "%s%s: %s%s%s", i ? ", " : ", set: {", k->options[i].name,
                     ri_number_text(law->use.numbers[i], number), *k->options[i].unit ? " " : "", k->options[i].unit);
    if (k->option_count)
        ri_scene_put(w, "}");
}

static void put_pair(RiSceneWriter *w, const RiPairDef *p, const RiSceneLaw *law)
{
    char number[40];
    ri_scene_put(w, "    - {robot: ");
    ri_scene_put_quoted(w, p->robot ? p->robot : "*");
    ri_scene_put(w, p->with ? ", with: " : ", ground: ");
    ri_scene_put_quoted(w, p->with ? p->with : p->ground ? p->ground : "*");
    if (p->name)
        ri_scene_put(w, ", name: %s", p->name);
    ri_scene_put(w, ", law: %s", ri_law_name(p->law));
    int count;
    const RiPairField *fields = ri_pair_fields(&count);
    for (int i = 0; i < count; i++) {
        const double x = ri_pair_get(p, &fields[i]);
        if (x == x) // a stick stiffness that is not given follows the normal one
            ri_scene_put(w, ", %s: %s%s%s", fields[i].name, ri_number_text(x, number), *fields[i].unit ? " " : "",
                         fields[i].unit);
    }
    if (p->law == RI_LAW_PLUGIN)
        put_law(w, law);
    ri_scene_put(w, "}\n");
}

static void put_links(RiSceneWriter *w, const char *key, const RiLinkPair *pairs, int count)
{
    if (count)
        ri_scene_put(w, "  %s:\n", key);
    for (int i = 0; i < count; i++) {
        ri_scene_put(w, "    - [");
        ri_scene_put_quoted(w, pairs[i].a);
        ri_scene_put(w, ", ");
        ri_scene_put_quoted(w, pairs[i].b);
        ri_scene_put(w, "]\n");
    }
}

static void put_melt(RiSceneWriter *w, const RiMeltDef *d)
{
    int count;
    char number[40];
    const RiMeltField *fields = ri_melt_fields(&count);
    ri_scene_put(w, "  melt:\n    ground: ");
    ri_scene_put_quoted(w, d->ground);
    for (int i = 0; i < count; i++)
        ri_scene_put(w, "\n    %s: %s%s%s", fields[i].name, ri_number_text(ri_melt_get(d, &fields[i]), number),
                     *fields[i].unit ? " " : "", fields[i].unit);
    ri_scene_put(w, "\n");
}

/// What there is to say where nothing can touch.
static void put_no_contact(const RiScene *sc, RiSceneWriter *w)
{
    if (sc->terrain.file) {
        ri_scene_put(w, "contact: none\n");
    } else if (sc->sim_options.method == RI_METHOD_MOREAU) {
        ri_scene_put(w, "contact:\n");
        ri_scene_put_options(w, "  ", &ri_sim_contact_option_table, &sc->sim_options);
    }
}

void ri_scene_put_contact(const RiScene *sc, RiSceneWriter *w)
{
    const RiContactOptions *o = &sc->contact;
    if (!sc->contacts) {
        put_no_contact(sc, w);
        return;
    }
    ri_scene_put(w, "contact:\n");
    ri_scene_put_options(w, "  ", &ri_contact_option_table, o);
    ri_scene_put_options(w, "  ", &ri_sim_contact_option_table, &sc->sim_options);
    put_links(w, "ignore", o->ignore, o->ignore_count);
    put_links(w, "collide", o->collide, o->collide_count);
    if (o->pair_count)
        ri_scene_put(w, "  pairs:\n");
    for (int i = 0; i < o->pair_count; i++)
        put_pair(w, &o->pairs[i], sc->laws ? &sc->laws[i] : NULL);
    if (sc->melts)
        put_melt(w, &sc->melt);
}
