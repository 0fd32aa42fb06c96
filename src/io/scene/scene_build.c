// SPDX-License-Identifier: Apache-2.0
/// \file
/// From a scene to a simulation that is ready to step.
///
/// After ri_sim_build all values have names. They are set in order of rising strength: defaults of
/// the classes, `initial` and the items' `set`, `values`, settings from outside. Then names that
/// the scene uses are looked up, so that a misspelt one is reported with its line, and the start is
/// kept for ri_scene_save.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/mesh.h>
#include <rille/model.h>

#include "base/assert.h"
#include "device/network/network.h"
#include "io/scene/scene.h"

enum { SHOWN = 60 };

// --------------------------------------------------------------------------------------- the parts

static RiSource source_of(const RiYamlNode *node)
{
    return (RiSource){ri_yaml_file(node->document), node->line};
}

static RiStatus add_devices(RiScene *sc)
{
    for (int i = 0; i < sc->device_count; i++) {
        const RiSceneDevice *d = &sc->devices[i];
        const RiDeviceDef def = {.name = d->name,
                                 .device = d->device,
                                 .attach = d->attach,
                                 .rate = d->rate,
                                 .inputs = d->inputs,
                                 .sources = d->sources,
                                 .connection_count = d->connection_count,
                                 .table = d->table,
                                 .table_rows = d->table_rows,
                                 .map = d->map,
                                 .table_columns = d->table_columns,
                                 .source = source_of(d->node)};
        RI_TRY(ri_scene_wrap(d->node, ri_sim_add_device(sc->sim, &def), sc->ctx));
    }
    return RI_OK;
}

static RiStatus add_parts(RiScene *sc)
{
    RI_TRY(add_devices(sc));
    for (int i = 0; i < sc->spring_count; i++)
        RI_TRY(ri_scene_wrap(sc->springs[i].node, ri_sim_add_spring(sc->sim, &sc->springs[i].def), sc->ctx));
    for (int i = 0; i < sc->command_count; i++) {
        const RiSceneSet *c = &sc->commands[i];
        RI_TRY(ri_sim_add_command(sc->sim, c->time, c->name, c->text, source_of(c->node)));
    }
    for (int i = 0; i < sc->stop_count; i++)
        RI_TRY(ri_sim_add_stop(sc->sim, sc->stops[i].text, source_of(sc->stops[i].node)));
    return ri_sim_build(sc->sim);
}

// ---------------------------------------------------------------------------------- initial motion

/// Unit of coordinate k of a joint type, in q or v.
static const char *unit_of(RiJointType type, int k, bool rate)
{
    const bool travel =
        type == RI_JOINT_PRISMATIC || (type == RI_JOINT_PLANAR && k < 2) || (type == RI_JOINT_FREE && k < 3);
    if (!rate && (type == RI_JOINT_BALL || (type == RI_JOINT_FREE && k >= 3)))
        return "";
    if (rate)
        return travel ? "m/s" : "rad/s";
    return travel ? "m" : "rad";
}

/// Unit of an entry of q or v.
static const char *coordinate_unit(const RiModel *m, int index, bool rate)
{
    for (int i = 0; i < ri_model_joint_count(m); i++) {
        const RiJointInfo j = ri_model_joint(m, i);
        const int first = rate ? j.v_index : j.q_index, count = rate ? j.nv : j.nq;
        if (first >= 0 && index >= first && index < first + count)
            return unit_of(j.type, index - first, rate);
    }
    return NULL;
}

static RiStatus unknown_coordinate(RiScene *sc, const RiYamlNode *node, bool rate)
{
    const RiModel *m = sc->model;
    if (ri_model_find_joint(m, node->key) >= 0)
        return ri_yaml_error(
            node, RI_ERR_FORMAT,
            "joint '%.*s' has no independent coordinate of this name: it is fixed, follows other joints, or "
            "has several (name.x, name.qw, ...)",
            SHOWN, node->key);
    return rate ? ri_scene_unknown(node, "velocity coordinate", node->key, ri_model_v_name, m, ri_model_nv(m))
                : ri_scene_unknown(node, "coordinate", node->key, ri_model_q_name, m, ri_model_nq(m));
}

/// Sets the entries of q (or v) whose names match the keys of a mapping.
static RiStatus read_coordinates(RiScene *sc, const RiYamlNode *map, bool rate)
{
    const RiModel *m = sc->model;
    double *x = rate ? ri_sim_v(sc->sim) : ri_sim_q(sc->sim);
    const int n = rate ? ri_model_nv(m) : ri_model_nq(m);
    for (const RiYamlNode *c = map ? map->first : NULL; c; c = c->next) {
        bool found = false;
        for (int i = 0; i < n; i++) {
            if (!ri_glob_match(c->key, rate ? ri_model_v_name(m, i) : ri_model_q_name(m, i)))
                continue;
            RI_TRY(ri_template_number(&sc->t, (RiTemplateValue){c, NULL}, coordinate_unit(m, i, rate), &x[i]));
            found = true;
        }
        if (!found)
            return unknown_coordinate(sc, c, rate);
    }
    return RI_OK;
}

/// An optional vector; *given says whether it was there.
static RiStatus read_vector(RiScene *sc, const RiYamlNode *map, const char *key, const char *unit, double x[3],
                            bool *given)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    int count;
    *given = node != NULL;
    return node ? ri_template_numbers(&sc->t, (RiTemplateValue){node, NULL}, unit, 3, 3, x, &count) : RI_OK;
}

/// Pose and velocity of a floating base, all in world axes.
static RiStatus read_base(RiScene *sc, const RiYamlNode *map)
{
    const RiModel *m = sc->model;
    if (!map)
        return RI_OK;
    if (!ri_model_is_floating(m))
        return ri_yaml_error(map, RI_ERR_FORMAT,
                             "the base of the robot is fixed; 'base: floating' under 'robot' frees it");
    const RiJointInfo base = ri_model_joint(m, ri_model_joint_count(m) - 1);
    double *q = ri_sim_q(sc->sim) + base.q_index, *v = ri_sim_v(sc->sim) + base.v_index;
    double rpy[3] = {0.0, 0.0, 0.0}, rate[3] = {0.0, 0.0, 0.0};
    bool given;
    RI_TRY(read_vector(sc, map, "xyz", "m", q, &given));
    RI_TRY(read_vector(sc, map, "velocity", "m/s", v, &given));
    RI_TRY(read_vector(sc, map, "rpy", "rad", rpy, &given));
    if (given) {
        const RiMat3 R = ri_mat3_rpy(rpy[0], rpy[1], rpy[2]);
        const RiQuat e = ri_quat_from_mat3(&R);
        memcpy(q + 3, &(const double[]){e.w, e.x, e.y, e.z}, 4 * sizeof *q);
    }
    RI_TRY(read_vector(sc, map, "rate", "rad/s", rate, &given));
    if (given) { // v holds it in body axes
        const RiMat3 R = ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]});
        const RiVec3 w = ri_rotate_back(&R, (RiVec3){rate[0], rate[1], rate[2]});
        memcpy(v + 3, &(const double[]){w.x, w.y, w.z}, 3 * sizeof *v);
    }
    return RI_OK;
}

static RiStatus set_initial(RiScene *sc)
{
    for (int i = sc->t.document_count - 1; i >= 0; i--) {
        const RiYamlNode *initial = ri_yaml_get(ri_yaml_root(sc->t.documents[i]), "initial");
        RI_TRY(read_base(sc, ri_yaml_get(initial, "base")));
        RI_TRY(read_coordinates(sc, ri_yaml_get(initial, "positions"), false));
        RI_TRY(read_coordinates(sc, ri_yaml_get(initial, "velocities"), true));
    }
    return RI_OK;
}

// ------------------------------------------------------------------------------------------ values

/// Values of the items and of `values`.
static RiStatus set_values(RiScene *sc)
{
    RiValues *values = ri_sim_values(sc->sim);
    for (int i = 0; i < sc->set_count; i++)
        RI_TRY(ri_scene_wrap(sc->sets[i].node, ri_values_set(values, sc->sets[i].name, sc->sets[i].text), sc->ctx));
    for (int i = sc->t.document_count - 1; i >= 0; i--) {
        const RiYamlNode *map = ri_yaml_get(ri_yaml_root(sc->t.documents[i]), "values");
        for (const RiYamlNode *c = map ? map->first : NULL; c; c = c->next) {
            const char *text;
            RI_TRY(ri_scene_expression(sc, (RiTemplateValue){c, NULL}, &text));
            RI_TRY(ri_scene_wrap(c, ri_values_set(values, c->key, text), sc->ctx));
        }
    }
    return RI_OK;
}

/// Says where a command of the scene sets what was set from outside: it wins.
static void warn_of_commands(const RiScene *sc, const char *name)
{
    for (int i = 0; i < sc->command_count; i++) {
        const RiSceneSet *c = &sc->commands[i];
        if (strcmp(c->name, name) != 0)
            continue;
        ri_report_add(sc->options.report, RI_FINDING_WARNING, ri_yaml_file(c->node->document), c->node->line,
                      "setting '%.*s' does not last: this command of the scene sets it at t = %.6g s", SHOWN, name,
                      c->time);
        return;
    }
}

/// Settings from outside that name values. A name that is not one may be a misspelt scene key.
static RiStatus set_from_outside(RiScene *sc)
{
    RiValues *values = ri_sim_values(sc->sim);
    char message[900];
    for (int i = 0; i < sc->options.setting_count; i++) {
        const RiSetting *s = &sc->options.settings[i];
        if (!ri_scene_is_value_setting(sc, i))
            continue;
        char name[64];
        const char *nearest = ri_values_find(values, s->name) < 0 ? ri_scene_nearest_setting(sc, s->name, name) : NULL;
        if (nearest)
            return ri_error(sc->ctx, RI_ERR_NOT_FOUND, "setting '%.*s': there is no such key; did you mean '%s'?",
                            SHOWN, s->name, nearest);
        const RiStatus status = ri_values_set(values, s->name, s->value);
        if (status == RI_OK) {
            warn_of_commands(sc, s->name);
            continue;
        }
        snprintf(message, sizeof message, "%s", ri_context_message(sc->ctx));
        return ri_error(sc->ctx, status == RI_ERR_ARGUMENT ? RI_ERR_FORMAT : status, "setting '%.*s': %s", SHOWN,
                        s->name, message);
    }
    return RI_OK;
}

// ------------------------------------------------------------------------------------------ checks

/// Looks up a name; the message of a failure has a suggestion.
static RiStatus check_value(RiScene *sc, const RiYamlNode *node, const char *name)
{
    RiValues *values = ri_sim_values(sc->sim);
    if (ri_values_find(values, name) >= 0)
        return RI_OK;
    return ri_scene_wrap(node, ri_values_set(values, name, "0"), sc->ctx); // says why there is none
}

/// Tries a command and takes it back. What depends on the time (limits, division by zero) is not an
/// error yet.
static RiStatus check_command(RiScene *sc, const RiSceneSet *c)
{
    RiValues *values = ri_sim_values(sc->sim);
    RI_TRY(check_value(sc, c->node, c->name));
    const int index = ri_values_find(values, c->name);
    const RiValue *value = ri_values_get(values, index);
    const double before = ri_values_read(values, index);
    double x;
    if (!value->writable)
        return ri_yaml_error(c->node, RI_ERR_FORMAT, "value '%s' is computed (%s) and cannot be set", c->name,
                             ri_value_kind_name(value->kind));
    const RiStatus evaluated = ri_values_eval(values, c->text, &x);
    if (evaluated != RI_OK)
        return evaluated == RI_ERR_NUMERIC ? RI_OK : ri_scene_wrap(c->node, evaluated, sc->ctx);
    const bool inside = x >= value->low && x <= value->high;
    const RiStatus status = ri_values_set(values, c->name, c->text);
    if (status != RI_OK)
        return inside ? ri_scene_wrap(c->node, status, sc->ctx) : RI_OK;
    return ri_values_write(values, index, before);
}

static RiStatus check_glob(RiScene *sc, const RiSceneText *glob)
{
    if (!glob->node || ri_values_match(ri_sim_values(sc->sim), glob->text, 0) >= 0)
        return RI_OK;
    if (!strpbrk(glob->text, "*?"))
        return check_value(sc, glob->node, glob->text);
    ri_report_add(sc->options.report, RI_FINDING_WARNING, ri_yaml_file(glob->node->document), glob->node->line,
                  "no value matches '%s'", glob->text);
    return RI_OK;
}

/// Every name that the scene uses must be one.
static RiStatus check_names(RiScene *sc)
{
    for (int i = 0; i < sc->device_count; i++)
        for (int k = 0; k < sc->devices[i].connection_count; k++)
            RI_TRY(check_value(sc, sc->devices[i].source_nodes[k], sc->devices[i].sources[k]));
    for (int i = 0; i < sc->command_count; i++)
        if (!sc->commands[i].repeats)
            RI_TRY(check_command(sc, &sc->commands[i]));
    for (int i = 0; i < sc->log_glob_count; i++)
        RI_TRY(check_glob(sc, &sc->log_globs[i]));
    for (int i = 0; i < sc->plot_count; i++)
        for (int k = 0; k < sc->plots[i].glob_count; k++)
            RI_TRY(check_glob(sc, &sc->plots[i].globs[k]));
    return RI_OK;
}

// ------------------------------------------------------------------------------------------- build

/// All named values as they are now.
static RiStatus keep_values(RiScene *sc, double **out_values)
{
    const RiValues *values = ri_sim_values(sc->sim);
    const int n = ri_values_count(values);
    double *x = *out_values = ri_arena_alloc(&sc->t.arena, (size_t)n + 1, sizeof *x);
    if (!x)
        return ri_error_memory(sc->ctx);
    for (int i = 0; i < n; i++)
        x[i] = ri_values_read(values, i);
    return RI_OK;
}

static RiStatus keep_motion(RiScene *sc)
{
    const size_t nq = (size_t)ri_model_nq(sc->model), nv = (size_t)ri_model_nv(sc->model);
    sc->start_q = ri_arena_alloc(&sc->t.arena, nq + 1, sizeof *sc->start_q);
    sc->start_v = ri_arena_alloc(&sc->t.arena, nv + 1, sizeof *sc->start_v);
    if (!sc->start_q || !sc->start_v)
        return ri_error_memory(sc->ctx);
    memcpy(sc->start_q, ri_sim_q(sc->sim), nq * sizeof *sc->start_q);
    memcpy(sc->start_v, ri_sim_v(sc->sim), nv * sizeof *sc->start_v);
    return RI_OK;
}

void ri_scene_clear(RiScene *sc)
{
    ri_scene_close_eyes(sc);
    ri_sim_destroy(sc->sim);
    ri_contacts_destroy(sc->contacts);
    sc->contacts = NULL;
    ri_stance_destroy(sc->stance);
    sc->stance = NULL;
    if (!sc->lender) {
        ri_terrain_file_destroy(sc->terrain.file);
        ri_model_destroy(sc->model);
        ri_spec_destroy(sc->spec);
    }
    sc->sim = NULL;
    sc->terrain = (RiSceneTerrain){.path = NULL};
    sc->model = NULL;
    sc->spec = NULL;
    for (int i = 0; i < sc->check_count; i++)
        sc->checks[i].formula = NULL; // it was the simulation's
    sc->device_count = sc->spring_count = sc->set_count = sc->command_count = sc->stop_count = 0;
    ri_names_free(&sc->item_names);
    ri_scene_close_libraries(sc); // after the simulation, whose devices live there
}

void ri_scene_lend(RiScene *sc, const RiScene *lender)
{
    RI_ASSERT(!sc->sim && lender->sim);
    sc->lender = lender;
}

/// What throws shadows on arrays, and what thermal nodes see; meshes are read where there are such.
static RiStatus set_shades(RiScene *sc)
{
    bool looks = false;
    for (int i = 0; i < sc->device_count; i++)
        looks |= sc->devices[i].device == &ri_device_solar_array || sc->devices[i].device == &ri_device_thermal_node;
    if (!looks)
        return RI_OK;
    RiContactMeshes *meshes;
    RI_TRY(ri_shade_meshes_load(sc->ctx, sc->spec, sc->options.report, &meshes));
    const RiStatus status = ri_sim_set_shades(sc->sim, sc->spec, meshes->list, meshes->count);
    ri_contact_meshes_destroy(meshes);
    return status;
}

/// Building in full view.
static RiStatus build(RiScene *sc)
{
    ri_names_init(&sc->item_names, sc->ctx);
    RI_TRY(ri_scene_load_robot(sc));  // file or template  -> spec, model
    RI_TRY(ri_scene_read_items(sc));  // joints, links     -> devices, springs, commands, stops
    RI_TRY(ri_scene_read_optics(sc)); // links, frames     -> cameras, lidars, lamps
    RI_TRY(ri_scene_read_passes(sc));
    RI_TRY(ri_sim_create(sc->ctx, sc->model, &sc->sim_options, &sc->sim));
    RI_TRY(ri_sim_set_sun(sc->sim, &sc->sun));
    RI_TRY(set_shades(sc));            // shapes, meshes    -> shadows on arrays
    RI_TRY(ri_scene_load_terrain(sc)); // file or template -> terrain, soil, ruts
    RI_TRY(ri_scene_add_contacts(sc)); // features, pairs   -> contacts
    RI_TRY(ri_scene_add_stance(sc));   // wheels            -> stance
    RI_TRY(ri_scene_add_soil(sc));     // wheels, soils     -> wheel-soil law
    RI_TRY(add_parts(sc));             // items             -> named values
    RI_TRY(keep_values(sc, &sc->defaults));
    RI_TRY(set_initial(sc));
    RI_TRY(set_values(sc));
    RI_TRY(set_from_outside(sc));
    RI_TRY(check_names(sc));
    RI_TRY(ri_scene_build_checks(sc));
    RI_TRY(ri_scene_place(sc)); // shape, ground      -> start
    RI_TRY(ri_scene_stand(sc)); // x, y, heading      -> start
    RI_TRY(keep_values(sc, &sc->start));
    RI_TRY(keep_motion(sc));
    RI_TRY(ri_sim_set_see(sc->sim, ri_scene_see, sc));
    return ri_sim_start(sc->sim);
}

RiStatus ri_scene_build(RiScene *sc)
{
    if (sc->sim)
        return ri_error(sc->ctx, RI_ERR_ARGUMENT, "scene '%s' is built already", sc->name);
    const RiStatus status = build(sc);
    if (status != RI_OK)
        ri_scene_clear(sc);
    return status;
}
