// SPDX-License-Identifier: Apache-2.0
/// \file
/// A wheeled robot that stands on the ground of its scene from the start, and one that is driven
/// without dynamics.
///
///     mode: kinematic
///     stance: {contact: surface, sinkage: 2 cm, passive: ["bogie_*", "rocker_*"], limits: true, start: stand}
///
/// The place is that of `initial: base`: x, y and yaw. Format: docs/rovers.md.
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/functions.h"
#include "contact/options.h"
#include "device/group.h"
#include "io/scene/scene.h"

static const RiOptionTable *const tables[] = {&ri_stance_option_table};

RiStatus ri_scene_check_stance(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "stance");
    return node ? ri_template_check_options(node, tables, 1) : RI_OK;
}

/// As deep as the soil below the start lets it sink, or as the scene says.
static RiStatus read_sinkage(RiScene *sc)
{
    const RiYamlNode *map = ri_scene_key(sc, "stance"), *node = ri_yaml_get(map, "sinkage");
    const double *q = ri_sim_q(sc->sim);
    double *to = &sc->stance_def.sinkage;
    if (!node || (node->kind == RI_YAML_SCALAR && strcmp(node->text, "auto") == 0)) {
        const RiTerrain *t = ri_sim_terrain(sc->sim);
        *to = ri_stance_sinkage(sc->spec, sc->model, t, q[0], q[1], ri_norm(sc->sim_options.gravity));
    } else
        RI_TRY(ri_template_number(&sc->t, (RiTemplateValue){node, NULL}, "m", to));
    if (!(*to >= 0.0) || !(*to <= 10.0))
        return ri_yaml_error(node, RI_ERR_FORMAT, "a sinkage of %.9g m is not between 0 and 10 m, or auto", *to);
    return ri_scene_wrap(node ? node : ri_yaml_root(sc->t.documents[0]), ri_stance_set_sinkage(sc->stance, *to),
                         sc->ctx);
}

static RiStatus read_passive(RiScene *sc, const RiYamlNode *map, RiStanceDef *def)
{
    const RiYamlNode *list = ri_yaml_get(map, "passive");
    if (!list)
        return RI_OK;
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    const char **globs = ri_arena_alloc(&sc->t.arena, (size_t)list->count + 1, sizeof *globs);
    if (!globs)
        return ri_error_memory(sc->ctx);
    for (int i = 0; i < list->count; i++) {
        RI_TRY(ri_yaml_expect(ri_yaml_at(list, i), RI_YAML_SCALAR));
        globs[i] = ri_yaml_at(list, i)->text;
    }
    def->passive = globs;
    def->passive_count = list->count;
    return RI_OK;
}

static bool is_sensor(const char *type)
{
    static const char *const sensors[] = {"encoder", "potentiometer", "force_torque"};
    for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++)
        if (strcmp(sensors[i], type) == 0)
            return true;
    return false;
}

/// Whether a device of the scene moves a joint.
static bool is_driven(const RiScene *sc, const char *joint)
{
    enum { MOST = 256 };
    RiGroupMember members[MOST];
    for (int i = 0; i < sc->device_count; i++) {
        const RiSceneDevice *d = &sc->devices[i];
        if (!d->attach || is_sensor(d->type))
            continue;
        if (d->device->attach == RI_ATTACH_JOINT && strcmp(d->attach, joint) == 0)
            return true;
        if (d->device->attach != RI_ATTACH_JOINTS)
            continue;
        const int count = ri_joint_group(sc->model, d->attach, members, MOST);
        for (int k = 0; k < count && k < MOST; k++)
            if (strcmp(ri_model_joint(sc->model, members[k].joint).name, joint) == 0)
                return true;
    }
    return false;
}

/// A URDF must give every joint an `effort`, so it cannot say which ones give way: those that no
/// device drives do.
static RiStatus find_passive(RiScene *sc, RiStanceDef *def)
{
    const char *path = sc->robot.path, *dot = path ? strrchr(path, '.') : NULL;
    if (def->passive_count || !dot ||
        (strcasecmp(dot, ".urdf") != 0 && strcasecmp(dot, ".xacro") != 0 && strcasecmp(dot, ".xml") != 0))
        return RI_OK;
    const char **names = ri_arena_alloc(&sc->t.arena, (size_t)sc->spec->joint_count + 1, sizeof *names);
    if (!names)
        return ri_error_memory(sc->ctx);
    for (int i = 0; i < sc->spec->joint_count; i++) {
        const RiJointSpec *j = &sc->spec->joints[i];
        const bool moves = j->type == RI_JOINT_REVOLUTE || j->type == RI_JOINT_PRISMATIC;
        if (moves && !j->locked && !(j->stiffness > 0.0) && !is_driven(sc, j->name))
            names[def->passive_count++] = j->name;
    }
    def->passive = names;
    return RI_OK;
}

RiStatus ri_scene_add_stance(RiScene *sc)
{
    const RiYamlNode *node = ri_scene_key(sc, "stance");
    const bool driven = sc->sim_options.method == RI_METHOD_KINEMATIC;
    if (!node && !driven)
        return RI_OK;
    const RiYamlNode *where = node ? node : ri_yaml_root(sc->t.documents[0]);
    if (!ri_sim_terrain(sc->sim))
        return ri_yaml_error(where, RI_ERR_FORMAT, "the scene has no terrain to stand on: give it the key 'terrain'");
    sc->stance_def = ri_stance_def_default();
    RI_TRY(ri_template_options(&sc->t, node, &ri_stance_option_table, &sc->stance_def));
    RI_TRY(read_passive(sc, node, &sc->stance_def));
    RI_TRY(find_passive(sc, &sc->stance_def));
    RI_TRY(ri_scene_wrap(where, ri_stance_create(sc->ctx, sc->spec, sc->model, &sc->stance_def, &sc->stance), sc->ctx));
    return ri_sim_set_stance(sc->sim, sc->stance);
}

RiStatus ri_scene_stand(RiScene *sc)
{
    static const char *const starts[] = {"stand", "given"};
    const RiYamlNode *node = ri_scene_key(sc, "stance"), *start = ri_yaml_get(node, "start");
    int given = 0;
    if (!sc->stance)
        return RI_OK;
    if (start)
        RI_TRY(ri_template_choice(&sc->t, (RiTemplateValue){start, NULL}, starts, 2, &given));
    RI_TRY(read_sinkage(sc));
    if (given)
        return RI_OK;
    const double *q = ri_sim_q(sc->sim);
    const RiMat3 R = ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]});
    const RiYamlNode *where = node ? node : ri_yaml_root(sc->t.documents[0]);
    return ri_scene_wrap(where, ri_sim_stand(sc->sim, q[0], q[1], ri_atan2(R.m[1][0], R.m[0][0])), sc->ctx);
}

void ri_scene_put_stance(const RiScene *sc, RiSceneWriter *w)
{
    const RiStanceDef *d = &sc->stance_def;
    char number[40];
    if (sc->sim_options.method != RI_METHOD_KINEMATIC)
        return; // the start is written as it is
    ri_scene_put(w, "stance:\n");
    ri_scene_put_options(w, "  ", &ri_stance_option_table, d);
    ri_scene_put(w, "  sinkage: %s m\n  start: given\n", ri_number_text(d->sinkage, number));
    for (int i = 0; i < d->passive_count; i++) {
        ri_scene_put(w, i ? ", " : "  passive: [");
        ri_scene_put_quoted(w, d->passive[i]);
    }
    ri_scene_put(w, d->passive_count ? "]\n" : "");
}
