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
#include "contact/stance.h"
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
    return !sc->stance ? RI_OK
                       : ri_scene_wrap(node ? node : ri_yaml_root(sc->t.documents[0]),
                                       ri_stance_set_sinkage(sc->stance, *to), sc->ctx);
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
    if (!node && !driven && !sc->switchable)
        return RI_OK;
    const RiYamlNode *where = node ? node : ri_yaml_root(sc->t.documents[0]);
    if (!ri_sim_terrain(sc->sim))
        return ri_yaml_error(where, RI_ERR_FORMAT, "the scene has no terrain to stand on: give it the key 'terrain'");
    sc->stance_def = ri_stance_def_default();
    RI_TRY(ri_template_options(&sc->t, node, &ri_stance_option_table, &sc->stance_def));
    RI_TRY(read_passive(sc, node, &sc->stance_def));
    RI_TRY(find_passive(sc, &sc->stance_def));
    int surplus = 0;
    if (!driven && !sc->switchable)
        RI_TRY(
            ri_scene_wrap(where, ri_stance_surplus(sc->ctx, sc->spec, sc->model, &sc->stance_def, &surplus), sc->ctx));
    sc->stands_stiff = surplus > 0;
    if (sc->stands_stiff)
        return RI_OK;
    RI_TRY(ri_scene_wrap(where, ri_stance_create(sc->ctx, sc->spec, sc->model, &sc->stance_def, &sc->stance), sc->ctx));
    RI_TRY(ri_sim_set_stance(sc->sim, sc->stance));
    return sc->switchable ? ri_sim_set_switchable(sc->sim) : RI_OK;
}

// --- a robot without a suspension ----------------------------------------------------------------
//
// Of a stiff robot with four wheels only three touch uneven ground, and which ones is a matter of
// its weight. It starts on the plane that fits the ground below its hubs best, as low as no wheel
// digs in; dynamics do the rest in the first moments.

typedef struct Hub {
    RiVec3 at;
    double radius, ground;
} Hub;

/// Hubs of the robot as q has it, with the ground below them. False: there is none.
static bool find_hubs(const RiScene *sc, RiDyn *d, const double *q, Hub *out)
{
    if (ri_dyn_update_position(d, q) != RI_OK)
        return false;
    for (int i = 0; i < sc->spec->wheel_count; i++) {
        const RiWheelSpec *w = &sc->spec->wheels[i];
        const RiPose link = ri_dyn_frame_pose(d, ri_model_find_link(sc->model, w->link));
        RiHeight h;
        out[i] = (Hub){.at = ri_pose_point(&link, w->pose.p), .radius = w->radius + w->grouser_height};
        if (!ri_terrain_height(ri_sim_terrain(sc->sim), out[i].at.x, out[i].at.y, &h) || !isfinite(h.z))
            return false;
        out[i].ground = h.z;
    }
    return true;
}

/// Slopes of the plane z = c + a x + b y that fits the ground below the hubs best; level where the
/// hubs are in a line.
static RiVec3 fit_normal(const Hub *hubs, int count)
{
    RiVec3 mean = {0.0, 0.0, 0.0};
    double xx = 0.0, xy = 0.0, yy = 0.0, xz = 0.0, yz = 0.0;
    for (int i = 0; i < count; i++)
        mean = ri_add(mean, ri_scale(1.0 / count, ri_vec3(hubs[i].at.x, hubs[i].at.y, hubs[i].ground)));
    for (int i = 0; i < count; i++) {
        const double x = hubs[i].at.x - mean.x, y = hubs[i].at.y - mean.y, z = hubs[i].ground - mean.z;
        xx += x * x, xy += x * y, yy += y * y, xz += x * z, yz += y * z;
    }
    const double det = xx * yy - xy * xy;
    if (!(det > 1e-12 * (xx + yy) * (xx + yy)))
        return ri_vec3(0.0, 0.0, 1.0);
    const RiVec3 n = ri_vec3(-(xz * yy - yz * xy) / det, -(yz * xx - xz * xy) / det, 1.0);
    return ri_scale(1.0 / ri_norm(n), n);
}

/// Tilts the base to a normal of the ground and keeps where it heads.
static void tilt(double *q, RiVec3 n)
{
    const RiMat3 R = ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]});
    const double heading = ri_atan2(R.m[1][0], R.m[0][0]);
    RiVec3 x = ri_vec3(ri_cos(heading), ri_sin(heading), 0.0);
    x.z = -(n.x * x.x + n.y * x.y) / n.z;
    x = ri_scale(1.0 / ri_norm(x), x);
    const RiMat3 tilted = ri_mat3_from_cols(x, ri_cross(n, x), n);
    const RiQuat to = ri_quat_from_mat3(&tilted);
    q[3] = to.w, q[4] = to.x, q[5] = to.y, q[6] = to.z;
}

static bool stand_stiff(const RiScene *sc, RiDyn *d, Hub *hubs, double *q, double *out_gap)
{
    const int count = sc->spec->wheel_count;
    for (int turn = 0; turn < 8; turn++) { // hubs move as it tilts, by less each time
        if (!find_hubs(sc, d, q, hubs))
            return false;
        const RiVec3 n = fit_normal(hubs, count);
        double lowest = INFINITY, highest = -INFINITY;
        for (int i = 0; i < count; i++) { // on a plane the gap is the hub's height above it less the radius
            const double gap = (hubs[i].at.z - hubs[i].ground) * n.z - hubs[i].radius;
            lowest = fmin(lowest, gap);
            highest = fmax(highest, gap);
        }
        *out_gap = highest - lowest;
        q[2] -= (lowest + sc->stance_def.sinkage) / n.z;
        tilt(q, n);
    }
    return true;
}

static RiStatus place_stiff(RiScene *sc, const RiYamlNode *where)
{
    RiDyn *d = NULL;
    double *q = ri_sim_q(sc->sim), gap = 0.0;
    Hub *hubs = ri_arena_alloc(&sc->t.arena, (size_t)sc->spec->wheel_count, sizeof *hubs);
    if (!hubs)
        return ri_error_memory(sc->ctx);
    RI_TRY(ri_dyn_create(sc->ctx, sc->model, &d));
    const bool stands = stand_stiff(sc, d, hubs, q, &gap);
    ri_dyn_destroy(d);
    if (!stands)
        return ri_yaml_error(where, RI_ERR_FORMAT, "there is no ground below a wheel at the start (%.4g, %.4g)", q[0],
                             q[1]);
    if (sc->options.report)
        ri_report_add(sc->options.report, gap > 1e-3 ? RI_FINDING_WARNING : RI_FINDING_UNDERSTOOD,
                      ri_yaml_file(where->document), where->line,
                      "robot '%s' has more wheels (%d) than its suspension can set on the ground: it starts on the "
                      "plane through the ground below them, one wheel up to %.3g mm higher than another",
                      ri_model_name(sc->model), sc->spec->wheel_count, 1e3 * gap);
    return RI_OK;
}

RiStatus ri_scene_stand(RiScene *sc)
{
    static const char *const starts[] = {"stand", "given"};
    const RiYamlNode *node = ri_scene_key(sc, "stance"), *start = ri_yaml_get(node, "start");
    int given = 0;
    if (!sc->stance && !sc->stands_stiff)
        return RI_OK;
    if (start)
        RI_TRY(ri_template_choice(&sc->t, (RiTemplateValue){start, NULL}, starts, 2, &given));
    RI_TRY(read_sinkage(sc));
    if (given)
        return RI_OK;
    const RiYamlNode *where = node ? node : ri_yaml_root(sc->t.documents[0]);
    if (sc->stands_stiff)
        return place_stiff(sc, where);
    const double *q = ri_sim_q(sc->sim);
    const RiMat3 R = ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]});
    return ri_scene_wrap(where, ri_sim_stand(sc->sim, q[0], q[1], ri_atan2(R.m[1][0], R.m[0][0])), sc->ctx);
}

void ri_scene_put_stance(const RiScene *sc, RiSceneWriter *w)
{
    const RiStanceDef *d = &sc->stance_def;
    char number[40];
    if (sc->sim_options.method != RI_METHOD_KINEMATIC && !sc->switchable)
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
