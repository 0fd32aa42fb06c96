// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the robot of a scene starts, found by placement.
///
///     place: {shape: helix, radius: 0.3 m, pitch: 1.8 m, xyz: [0, 0, 0], attract: {...}, hold: {...}}
///
/// It runs after all settings; the servos that hold the joints get the references that it found. A
/// placement that does not succeed ends the build with its reason; the report stays with the scene.
/// Format: docs/placement.md.
#include <stdio.h>
#include <string.h>

#include "io/scene/scene.h"
#include "sim/options.h"

static const char *const shape_words[] = {"given", "straight", "crescent", "helix", "zigzag", "joints"};
enum { SHAPES = 6, JOINTS = 5 };
/// The tables of `place` and of the mappings in it; their rows are fields of one struct.
static const struct {
    const char *key; ///< NULL: `place` itself
    const RiOptionTable *table;
} sections[] = {
    {NULL, &ri_place_option_table}, {"attract", &ri_place_attract_option_table}, {"hold", &ri_place_hold_option_table}};
enum { SECTIONS = sizeof sections / sizeof *sections };

static const RiYamlNode *section_node(const RiYamlNode *place, int section)
{
    return sections[section].key ? ri_yaml_get(place, sections[section].key) : place;
}

RiStatus ri_scene_check_place(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "place");
    for (int i = 0; node && i < SECTIONS; i++)
        if (section_node(node, i))
            RI_TRY(ri_template_check_options(section_node(node, i), &sections[i].table, 1));
    return RI_OK;
}

static RiStatus read_three(RiScene *sc, const RiYamlNode *map, const char *key, const char *unit, double x[3])
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    int count;
    return node ? ri_template_numbers(&sc->t, (RiTemplateValue){node, NULL}, unit, 3, 3, x, &count) : RI_OK;
}

/// A size that the shape needs; its value is read with the other options.
static RiStatus require_size(const RiYamlNode *map, const char *key)
{
    const RiYamlNode *node;
    return ri_yaml_require(map, key, RI_YAML_SCALAR, &node);
}

static RiStatus read_shape(RiScene *sc, const RiYamlNode *node, RiPlaceDef *d, int *out_word)
{
    static const char *const hands[] = {"right", "left"};
    const RiYamlNode *shape, *hand = ri_yaml_get(node, "hand");
    double xyz[3] = {0.0, 0.0, 0.0}, rpy[3] = {0.0, 0.0, 0.0};
    int left = 0;
    RI_TRY(ri_yaml_require(node, "shape", RI_YAML_SCALAR, &shape));
    RI_TRY(ri_template_choice(&sc->t, (RiTemplateValue){shape, NULL}, shape_words, SHAPES, out_word));
    d->shape = *out_word == JOINTS ? RI_PLACE_GIVEN : (RiPlaceShape)*out_word;
    switch (d->shape) {
    case RI_PLACE_CRESCENT:
        RI_TRY(require_size(node, "radius"));
        break;
    case RI_PLACE_HELIX:
        RI_TRY(require_size(node, "radius"));
        RI_TRY(require_size(node, "pitch"));
        break;
    case RI_PLACE_ZIGZAG:
        RI_TRY(require_size(node, "width"));
        break;
    case RI_PLACE_GIVEN:
    case RI_PLACE_STRAIGHT:
    case RI_PLACE_SHAPE_COUNT:
        break;
    }
    if (hand)
        RI_TRY(ri_template_choice(&sc->t, (RiTemplateValue){hand, NULL}, hands, 2, &left));
    d->left = left;
    RI_TRY(read_three(sc, node, "xyz", "m", xyz));
    RI_TRY(read_three(sc, node, "rpy", "rad", rpy));
    d->pose = (RiPose){ri_mat3_rpy(rpy[0], rpy[1], rpy[2]), {xyz[0], xyz[1], xyz[2]}};
    return RI_OK;
}

static RiStatus read_options(RiScene *sc, const RiYamlNode *node, RiPlaceDef *d)
{
    for (int i = 0; i < SECTIONS; i++)
        RI_TRY(ri_template_options(&sc->t, section_node(node, i), sections[i].table, d));
    return RI_OK;
}

static RiStatus read_touch(RiScene *sc, const RiYamlNode *node, RiPlaceDef *d)
{
    const RiYamlNode *touch = ri_yaml_get(node, "touch");
    RiSceneText *globs;
    if (!touch)
        return RI_OK;
    RI_TRY(ri_scene_texts(sc, (RiTemplateValue){touch, NULL}, &globs, &d->touch_count));
    const char **list = ri_arena_alloc(&sc->t.arena, (size_t)d->touch_count + 1, sizeof *list);
    if (!list)
        return ri_error_memory(sc->ctx);
    for (int i = 0; i < d->touch_count; i++)
        list[i] = globs[i].text;
    d->touch = list;
    return RI_OK;
}

/// Angles of joints by name, with globs: the key `angles`, or the mapping that a file is.
static RiStatus set_angles(RiScene *sc, const RiYamlNode *map)
{
    const RiModel *m = sc->model;
    double *q = ri_sim_q(sc->sim);
    RI_TRY(ri_yaml_expect(map, RI_YAML_MAPPING));
    for (const RiYamlNode *c = map->first; c; c = c->next) {
        bool found = false;
        for (int i = 0; i < ri_model_joint_count(m); i++) {
            const RiJointInfo j = ri_model_joint(m, i);
            if (j.parent_link < 0 || j.nq != 1 || j.q_index < 0 || !ri_glob_match(c->key, j.name))
                continue;
            RI_TRY(ri_template_number(&sc->t, (RiTemplateValue){c, NULL}, j.type == RI_JOINT_PRISMATIC ? "m" : "rad",
                                      &q[j.q_index]));
            found = true;
        }
        if (!found)
            return ri_yaml_error(c, RI_ERR_NOT_FOUND, "no joint with one independent coordinate matches '%.60s'",
                                 c->key);
    }
    return RI_OK;
}

static RiStatus read_angles(RiScene *sc, const RiYamlNode *node)
{
    const RiYamlNode *angles = ri_yaml_get(node, "angles"), *file = ri_yaml_get(node, "file");
    if (!angles == !file)
        return ri_yaml_error(node, RI_ERR_FORMAT, "shape joints needs one of the keys 'angles' and 'file'");
    if (angles)
        return set_angles(sc, angles);
    const char *name, *path, *from = ri_scene_file(sc, node);
    RI_TRY(ri_yaml_string(file, &name));
    if (!from)
        return ri_yaml_error(file, RI_ERR_FORMAT, "a text without a path cannot read a file");
    RI_TRY(ri_template_join(&sc->t, from, name, &path));
    RiYaml *document;
    RI_TRY(ri_scene_wrap(file, ri_yaml_load(sc->ctx, path, NULL, &document), sc->ctx));
    const RiStatus status = set_angles(sc, ri_yaml_root(document));
    ri_yaml_destroy(document);
    return status;
}

/// The servo device of a joint whose reference nothing else sets; NULL.
static const RiSceneDevice *servo_of(const RiScene *sc, const char *joint)
{
    for (int i = 0; i < sc->device_count; i++) {
        const RiSceneDevice *d = &sc->devices[i];
        bool connected = false;
        if (strcmp(d->type, "servo") != 0 || !d->attach || strcmp(d->attach, joint) != 0)
            continue;
        for (int k = 0; k < d->connection_count; k++)
            connected |= strcmp(d->inputs[k], "position") == 0;
        if (!connected)
            return d;
    }
    return NULL;
}

static int port_value(const RiScene *sc, const RiSceneDevice *d, const char *port)
{
    char name[512];
    snprintf(name, sizeof name, "%.300s.%.100s", d->name, port);
    return ri_values_find(ri_sim_values(sc->sim), name);
}

/// Gains of the servos that will hold the joints; joints that have none keep the placement's own.
static void read_servos(RiScene *sc, double fallback, double *stiffness, double *damping)
{
    const RiValues *values = ri_sim_values(sc->sim);
    for (int i = 0; i < ri_model_spanning_nv(sc->model); i++) {
        stiffness[i] = fallback;
        damping[i] = 0.05 * fallback;
    }
    for (int i = 0; i < ri_model_joint_count(sc->model); i++) {
        const RiJointInfo j = ri_model_joint(sc->model, i);
        const RiSceneDevice *d = j.s_index >= 0 && j.nv == 1 ? servo_of(sc, j.name) : NULL;
        const double k = d ? ri_values_read(values, port_value(sc, d, "stiffness")) : 0.0;
        if (!(k > 0.0))
            continue;
        stiffness[j.s_index] = k;
        damping[j.s_index] = ri_values_read(values, port_value(sc, d, "damping"));
    }
}

/// The scene's own servos for a placement; *out_gains is to be released.
static RiStatus use_servos(RiScene *sc, RiPlaceDef *def, double **out_gains)
{
    const size_t ns = (size_t)ri_model_spanning_nv(sc->model) + 1;
    double *gains = *out_gains = ri_alloc_zero(sc->ctx, 2 * ns, sizeof *gains);
    if (!gains)
        return ri_error_memory(sc->ctx);
    const double size = 0.5 / ri_model_nv(sc->model) * 10.0; // as long as a segment, roughly [m]
    read_servos(sc, 50.0 * ri_model_mass(sc->model) * 9.81 * size, gains, gains + ns);
    def->servo_stiffness = gains;
    def->servo_damping = gains + ns;
    return RI_OK;
}

/// Gives the references to the servos.
static RiStatus set_servos(RiScene *sc, const RiPlaceReport *r)
{
    for (int i = 0; i < ri_model_joint_count(sc->model); i++) {
        const RiJointInfo j = ri_model_joint(sc->model, i);
        const RiSceneDevice *d = j.s_index >= 0 && j.nv == 1 && j.v_index >= 0 ? servo_of(sc, j.name) : NULL;
        if (d)
            RI_TRY(ri_values_write(ri_sim_values(sc->sim), port_value(sc, d, "position"), r->reference[j.s_index]));
    }
    return RI_OK;
}

RiStatus ri_scene_place(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "place");
    RiPlaceDef def = ri_place_def_default();
    double *gains;
    int word;
    ri_placement_destroy(sc->placement);
    sc->placement = NULL;
    if (!node)
        return RI_OK;
    RI_TRY(read_shape(sc, node, &def, &word));
    RI_TRY(read_options(sc, node, &def));
    RI_TRY(read_touch(sc, node, &def));
    if (word == JOINTS)
        RI_TRY(read_angles(sc, node));
    RI_TRY(use_servos(sc, &def, &gains));
    const RiStatus status = ri_place(sc->sim, &def, &sc->placement);
    ri_release(sc->ctx, gains);
    RI_TRY(ri_scene_wrap(node, status, sc->ctx));
    const RiPlaceReport *r = ri_placement_report(sc->placement);
    if (!r->placed)
        return ri_yaml_error(node, RI_ERR_NUMERIC, "%s", r->text);
    return set_servos(sc, r);
}

RiStatus ri_scene_settle(RiScene *sc, RiPlaceWatchFn watch, void *user, RiPlacement **out_placement)
{
    RiPlaceDef def = ri_place_def_default();
    double *gains;
    *out_placement = NULL;
    def.time = 4.0;
    def.attempts = 2;
    def.hold = 0.0;
    def.may_slide = true;
    def.watch = watch;
    def.user = user;
    RI_TRY(use_servos(sc, &def, &gains));
    RiStatus status = ri_place(sc->sim, &def, out_placement);
    ri_release(sc->ctx, gains);
    if (status == RI_OK && ri_placement_report(*out_placement)->placed)
        status = set_servos(sc, ri_placement_report(*out_placement));
    if (status != RI_OK) {
        ri_placement_destroy(*out_placement);
        *out_placement = NULL;
    }
    return status;
}
