// SPDX-License-Identifier: Apache-2.0
/// \file
/// The model: create runs the build stages; the rest answers questions about the result.
#include <string.h>

#include "model/build.h"

RiModelOptions ri_model_options_default(void)
{
    return (RiModelOptions){.reduce = true, .base = RI_BASE_AUTO};
}

/// Adds one frame fixed to a link.
static RiStatus add_frame(RiModel *m, const char *name, int link, const RiPose *pose, RiSource source)
{
    RiFrameData *f = &m->frames[m->nf];
    f->name = ri_arena_string(&m->arena, name ? name : "");
    if (!f->name)
        return ri_error_memory(m->ctx);
    f->link = link;
    f->body = m->links[link].body;
    f->pose = ri_pose_mul(&m->links[link].pose, pose);
    int existing;
    RI_TRY(ri_names_add(&m->frame_names, f->name, m->nf, &existing));
    if (existing >= 0)
        return ri_error(m->ctx, RI_ERR_MODEL, "%sframe '%s' has the name of another frame or link",
                        ri_where(source).text, f->name);
    m->nf++;
    return RI_OK;
}

/// Link on which an item is mounted, or an error.
static RiStatus mount(RiModel *m, RiSource source, const char *what, const char *name, const char *link_name,
                      int *out_link)
{
    *out_link = link_name ? ri_names_find(&m->link_names, link_name) : -1;
    if (*out_link >= 0)
        return RI_OK;
    const char *near = link_name ? ri_names_nearest(&m->link_names, link_name) : NULL;
    return ri_error(m->ctx, RI_ERR_MODEL, "%s%s '%s' is mounted on link '%s', which does not exist%s%s%s",
                    ri_where(source).text, what, name ? name : "", link_name ? link_name : "",
                    near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static RiStatus add_sensor_frame(RiModel *m, const RiSensorSpec *x)
{
    int link;
    if (x->link) {
        RI_TRY(mount(m, x->source, "sensor", x->name, x->link, &link));
    } else {
        const int joint = x->joint ? ri_names_find(&m->joint_names, x->joint) : -1;
        if (joint < 0)
            return ri_error(m->ctx, RI_ERR_MODEL, "%ssensor '%s' measures joint '%s', which does not exist",
                            ri_where(x->source).text, x->name ? x->name : "", x->joint ? x->joint : "");
        link = m->joints[joint].child_link;
    }
    return add_frame(m, x->name, link, &x->pose, x->source);
}

static RiStatus build_frames(RiModel *m, const RiSpec *spec)
{
    const size_t n = (size_t)(spec->link_count + spec->frame_count + spec->sensor_count);
    const RiPose identity = ri_pose_identity();
    m->frames = ri_arena_alloc(&m->arena, n, sizeof *m->frames);
    if (!m->frames)
        return ri_error_memory(m->ctx);
    for (int i = 0; i < spec->link_count; i++)
        RI_TRY(add_frame(m, m->links[i].name, i, &identity, spec->links[i].source));
    for (int i = 0; i < spec->frame_count; i++) {
        int link;
        RI_TRY(mount(m, spec->frames[i].source, "frame", spec->frames[i].name, spec->frames[i].link, &link));
        RI_TRY(add_frame(m, spec->frames[i].name, link, &spec->frames[i].pose, spec->frames[i].source));
    }
    for (int i = 0; i < spec->sensor_count; i++)
        RI_TRY(add_sensor_frame(m, &spec->sensors[i]));
    return RI_OK;
}

/// Sizes of a wheel: a tenth of a millimetre to a hundred metres.
static RiStatus check_wheel(RiModel *m, const RiWheelSpec *x)
{
    const double least = 1e-4, most = 100.0;
    const bool radius = !(x->radius >= least && x->radius <= most);
    if (!radius && x->width >= 0.0 && x->width <= most)
        return RI_OK;
    return ri_error(m->ctx, RI_ERR_MODEL, "%swheel '%s': %s is %g m; %g m to %g m are allowed",
                    ri_where(x->source).text, x->name ? x->name : x->link, radius ? "radius" : "width",
                    radius ? x->radius : x->width, radius ? least : 0.0, most);
}

/// Items that only later stages use must name links that exist, too.
static RiStatus check_mounts(RiModel *m, const RiSpec *spec)
{
    int link;
    for (int i = 0; i < spec->shape_count; i++)
        RI_TRY(mount(m, spec->shapes[i].source, "shape", spec->shapes[i].name, spec->shapes[i].link, &link));
    for (int i = 0; i < spec->screw_count; i++)
        RI_TRY(mount(m, spec->screws[i].source, "screw", spec->screws[i].name, spec->screws[i].link, &link));
    for (int i = 0; i < spec->wheel_count; i++) {
        RI_TRY(mount(m, spec->wheels[i].source, "wheel", spec->wheels[i].name, spec->wheels[i].link, &link));
        RI_TRY(check_wheel(m, &spec->wheels[i]));
    }
    for (int i = 0; i < spec->contact_point_count; i++)
        RI_TRY(mount(m, spec->contact_points[i].source, "contact point", spec->contact_points[i].name,
                     spec->contact_points[i].link, &link));
    return RI_OK;
}

static RiStatus build(RiBuild *b)
{
    RI_TRY(ri_build_resolve(b));
    RI_TRY(ri_build_reduce(b));
    RI_TRY(ri_build_group(b));
    RI_TRY(ri_build_layout(b));
    RI_TRY(ri_build_map(b));
    RI_TRY(build_frames(b->m, b->spec));
    return check_mounts(b->m, b->spec);
}

RiStatus ri_model_create(RiContext *ctx, const RiSpec *spec, const RiModelOptions *options, RiModel **out_model)
{
    *out_model = NULL;
    RiModel *m = ri_alloc_zero(ctx, 1, sizeof *m);
    if (!m)
        return ri_error_memory(ctx);
    m->ctx = ctx;
    ri_arena_init(&m->arena, ctx);
    ri_names_init(&m->link_names, ctx);
    ri_names_init(&m->joint_names, ctx);
    ri_names_init(&m->frame_names, ctx);
    RiBuild b = {.ctx = ctx, .spec = spec, .m = m, .nl = spec->link_count, .nj = spec->joint_count + 1};
    b.options = options ? *options : ri_model_options_default();
    ri_arena_init(&b.scratch, ctx);
    m->name = ri_arena_string(&m->arena, spec->name);
    const RiStatus status = m->name ? build(&b) : ri_error_memory(ctx);
    ri_arena_free(&b.scratch);
    if (status != RI_OK) {
        ri_model_destroy(m);
        return status;
    }
    *out_model = m;
    return RI_OK;
}

void ri_model_destroy(RiModel *m)
{
    if (!m)
        return;
    RiContext *ctx = m->ctx;
    ri_names_free(&m->link_names);
    ri_names_free(&m->joint_names);
    ri_names_free(&m->frame_names);
    ri_arena_free(&m->arena);
    ri_release(ctx, m);
}

const char *ri_model_name(const RiModel *m)
{
    return m->name;
}

int ri_model_nq(const RiModel *m)
{
    return m->nq;
}

int ri_model_nv(const RiModel *m)
{
    return m->nv;
}

int ri_model_spanning_nv(const RiModel *m)
{
    return m->ns;
}

int ri_model_link_count(const RiModel *m)
{
    return m->nl;
}

int ri_model_joint_count(const RiModel *m)
{
    return m->nj;
}

int ri_model_body_count(const RiModel *m)
{
    return m->nb;
}

int ri_model_cluster_count(const RiModel *m)
{
    return m->nc;
}

int ri_model_frame_count(const RiModel *m)
{
    return m->nf;
}

double ri_model_mass(const RiModel *m)
{
    return m->mass;
}

bool ri_model_is_floating(const RiModel *m)
{
    return m->floating;
}

int ri_model_find_link(const RiModel *m, const char *name)
{
    return ri_names_find(&m->link_names, name);
}

int ri_model_find_joint(const RiModel *m, const char *name)
{
    return ri_names_find(&m->joint_names, name);
}

int ri_model_find_frame(const RiModel *m, const char *name)
{
    return ri_names_find(&m->frame_names, name);
}

RiJointInfo ri_model_joint(const RiModel *m, int index)
{
    const RiJointData *j = &m->joints[index];
    const RiBodyData *body = j->body < 0 ? NULL : &m->bodies[j->body];
    return (RiJointInfo){
        .name = j->spec.name,
        .type = j->spec.type,
        .parent_link = j->parent_link,
        .child_link = j->child_link,
        .body = j->body,
        .cluster = body ? body->cluster : -1,
        .merged = j->merged,
        .q_index = j->q,
        .v_index = j->v,
        .nq = body ? body->nq : 0,
        .nv = body ? body->ns : 0,
        .s_index = body ? body->s : -1,
        .spec = &j->spec,
    };
}

RiLinkInfo ri_model_link(const RiModel *m, int index)
{
    const RiLinkData *l = &m->links[index];
    return (RiLinkInfo){.name = l->name, .body = l->body, .pose = l->pose, .joint = l->joint, .mass = l->mass};
}

RiBodyInfo ri_model_body(const RiModel *m, int index)
{
    const RiBodyData *b = &m->bodies[index];
    return (RiBodyInfo){
        .name = m->links[b->link].name,
        .parent = b->parent,
        .cluster = b->cluster,
        .mass = b->mass,
        .com = b->com,
        .inertia = b->inertia,
    };
}

RiClusterInfo ri_model_cluster(const RiModel *m, int index)
{
    const RiClusterData *c = &m->clusters[index];
    return (RiClusterInfo){
        .parent = c->parent,
        .body = c->body,
        .body_count = c->nbody,
        .v_index = c->v,
        .nv = c->nv,
        .spanning_nv = c->ns,
        .has_loops = c->kind == RI_CLUSTER_LOOP,
    };
}

int ri_model_link_in_order(const RiModel *m, int i)
{
    return m->link_order[i];
}

int ri_model_spanning_index(const RiModel *m, int v)
{
    const RiClusterData *c = &m->clusters[m->bodies[m->v_body[v]].cluster];
    return c->s + c->s_of_v[v - c->v];
}

const char *ri_model_frame_name(const RiModel *m, int frame)
{
    return m->frames[frame].name;
}

const char *ri_model_q_name(const RiModel *m, int index)
{
    return m->q_names[index];
}

const char *ri_model_v_name(const RiModel *m, int index)
{
    return m->v_names[index];
}

void ri_model_get_initial_q(const RiModel *m, double *out_q)
{
    memcpy(out_q, m->q0, (size_t)m->nq * sizeof *out_q);
}

/// Velocities of one joint from v: the independent entries, zero elsewhere. Enough for joints that
/// are wholly independent.
static void joint_velocity(const RiModel *m, const RiBodyData *body, const double *v, double *out)
{
    const RiClusterData *c = &m->clusters[body->cluster];
    for (int k = 0; k < body->ns; k++)
        out[k] = 0.0;
    for (int k = 0; k < c->nv; k++) {
        const int local = c->s_of_v[k] + c->s - body->s;
        if (local >= 0 && local < body->ns)
            out[local] = v[c->v + k];
    }
}

void ri_model_integrate(const RiModel *m, const double *q, const double *v, double h, double *q_out)
{
    for (int i = 0; i < m->nb; i++) {
        const RiBodyData *body = &m->bodies[i];
        const int at = body->q, one = body->v;
        double rate[6];
        if (at < 0)
            continue;
        if (body->ns == 1 && one >= 0) { // what most joints are
            q_out[at] = q[at] + h * v[one];
            continue;
        }
        joint_velocity(m, body, v, rate);
        ri_joint_integrate(body->type, q + at, rate, h, q_out + at);
    }
}

void ri_model_difference(const RiModel *m, const double *q0, const double *q1, double *out_v)
{
    for (int i = 0; i < m->nb; i++) {
        const RiBodyData *body = &m->bodies[i];
        const RiClusterData *c = &m->clusters[body->cluster];
        const int at = m->joints[body->joint].q;
        double rate[6];
        if (at < 0)
            continue;
        ri_joint_difference(body->type, q0 + at, q1 + at, rate);
        for (int k = 0; k < c->nv; k++) {
            const int local = c->s_of_v[k] + c->s - body->s;
            if (local >= 0 && local < body->ns)
                out_v[c->v + k] = rate[local];
        }
    }
}

bool ri_model_is_normalized(const RiModel *m, const double *q)
{
    bool unit = true;
    for (int i = 0; i < m->nb; i++) {
        const RiBodyData *body = &m->bodies[i];
        const int at = m->joints[body->joint].q;
        if (at < 0 || !ri_joint_has_quat(body->type))
            continue;
        const double *x = q + at + body->nq - 4, norm2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
        unit &= fabs(norm2 - 1.0) < 1e-9;
    }
    return unit;
}

void ri_model_normalize(const RiModel *m, double *q)
{
    for (int i = 0; i < m->nb; i++) {
        const RiBodyData *body = &m->bodies[i];
        const int at = m->joints[body->joint].q;
        if (at < 0 || !ri_joint_has_quat(body->type))
            continue;
        double *x = q + at + body->nq - 4;
        const RiQuat unit = ri_quat_normalize((RiQuat){x[0], x[1], x[2], x[3]});
        x[0] = unit.w;
        x[1] = unit.x;
        x[2] = unit.y;
        x[3] = unit.z;
    }
}
