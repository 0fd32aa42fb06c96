// SPDX-License-Identifier: Apache-2.0
/// \file
/// What of a robot a stance is about: which joints give way, which parts they move, which wheels
/// stand on those.
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "base/names.h"
#include "contact/options.h"
#include "contact/stance.h"

bool ri_stance_gives_way(const RiJointSpec *j)
{
    return !(j->effort < INFINITY) && !(j->stiffness > 0.0);
}

static bool has_one_coordinate(const RiBodyData *b)
{
    return b->ns == 1 && b->nq == 1;
}

static bool is_wanted(const RiStance *s, const char *name)
{
    for (int i = 0; i < s->def.passive_count; i++)
        if (ri_glob_match(s->def.passive[i], name))
            return true;
    return false;
}

/// The wheel's own axle turns it in itself.
static bool is_axle(const RiStance *s, int body)
{
    const RiBodyData *b = &s->m->bodies[body];
    for (int i = 0; i < s->wheel_count; i++) {
        const RiStanceRim *w = &s->wheels[i];
        const RiVec3 axle = ri_mat3_col(&w->in_body.R, 1);
        if (w->body == body && b->rev >= 0 && fabs(axle.z) > 1.0 - 1e-9 && // the joint's axis is z of its body
            ri_hypot(w->in_body.p.x, w->in_body.p.y) < 1e-9)
            return true;
    }
    return false;
}

static bool is_passive(const RiStance *s, int body)
{
    const RiBodyData *b = &s->m->bodies[body];
    const RiJointSpec *j = &s->m->joints[b->joint].spec;
    if (!has_one_coordinate(b) || is_axle(s, body))
        return false;
    return s->def.passive_count ? is_wanted(s, j->name) : ri_stance_gives_way(j);
}

// --- wheels --------------------------------------------------------------------------------------

static RiStatus refuse_wheel(const RiStance *s, const RiWheelSpec *x, const char *what, double value, const char *range)
{
    return ri_error(s->ctx, RI_ERR_ARGUMENT, "%s:%d: wheel '%s': %s %g m; %s",
                    x->source.file ? x->source.file : "robot", x->source.line, x->name, what, value, range);
}

static RiStatus add_wheel(RiStance *s, const RiWheelSpec *x)
{
    const int link = ri_model_find_link(s->m, x->link);
    const RiLinkInfo info = ri_model_link(s->m, link);
    RiStanceRim w = {.link = link, .body = info.body, .in_body = ri_pose_mul(&info.pose, &x->pose)};
    w.radius = x->radius + x->grouser_height - s->def.sinkage;
    w.width = x->width;
    w.crown = x->crown;
    if (!(w.radius > 0.0) || !isfinite(w.radius))
        return refuse_wheel(s, x, "its radius less the sinkage is", w.radius, "it must be above 0");
    if (!(w.width >= 0.0) || !isfinite(w.width))
        return refuse_wheel(s, x, "its width is", w.width, "it must be 0 or more");
    if (w.crown > 0.0 && w.crown < 0.5 * w.width)
        return refuse_wheel(s, x, "its crown is", w.crown, "it must be at least half of its width");
    if (w.body < 0)
        return ri_error(s->ctx, RI_ERR_UNSUPPORTED, "wheel '%s' is fixed to the world: it cannot stand anywhere else",
                        x->name);
    w.name = ri_arena_string(&s->arena, x->name);
    if (!w.name)
        return ri_error_memory(s->ctx);
    s->wheels[s->wheel_count++] = w;
    return RI_OK;
}

static RiStatus add_wheels(RiStance *s, const RiSpec *spec)
{
    if (spec->wheel_count == 0)
        return ri_error(s->ctx, RI_ERR_UNSUPPORTED, "robot '%s' has no wheels to stand on", s->m->name);
    if (spec->wheel_count > RI_STANCE_WHEELS)
        return ri_error(s->ctx, RI_ERR_UNSUPPORTED, "robot '%s' has %d wheels; at most %d are allowed", s->m->name,
                        spec->wheel_count, (int)RI_STANCE_WHEELS);
    if (s->m->nb == 0 || s->m->bodies[0].type != RI_JOINT_FREE)
        return ri_error(s->ctx, RI_ERR_UNSUPPORTED, "robot '%s' has no floating base and cannot be moved", s->m->name);
    s->wheels = ri_arena_alloc(&s->arena, (size_t)spec->wheel_count, sizeof *s->wheels);
    if (!s->wheels)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < spec->wheel_count; i++)
        RI_TRY(add_wheel(s, &spec->wheels[i]));
    return RI_OK;
}

// --- unknowns ------------------------------------------------------------------------------------

/// Number of the unknown that a joint's coordinate is; added if new.
static int unknown_of(RiStance *s, int joint)
{
    for (int i = 0; i < s->passive_count; i++)
        if (s->unknown_joint[i] == joint)
            return RI_STANCE_BASE + i;
    s->unknown_joint[s->passive_count] = joint;
    return RI_STANCE_BASE + s->passive_count++;
}

/// A joint's coordinate by independent ones; those that give way become unknowns.
static RiStatus add_sum(RiStance *s, int body, RiStanceSum *out)
{
    const RiModel *m = s->m;
    const RiBodyData *b = &m->bodies[body];
    const RiClusterData *c = &m->clusters[b->cluster];
    const char *name = m->joints[b->joint].spec.name;
    *out = (RiStanceSum){.joint = b->joint, .cluster = b->cluster, .local = b->s - c->s};
    if (c->kind == RI_CLUSTER_LOOP)
        return ri_error(s->ctx, RI_ERR_UNSUPPORTED,
                        "joint '%s' is part of a closed loop: a stance needs couplings instead of loops", name);
    out->terms = ri_arena_alloc(&s->arena, (size_t)c->nv + 1, sizeof *out->terms);
    if (!out->terms)
        return ri_error_memory(s->ctx);
    if (m->joints[b->joint].v >= 0) {
        out->terms[out->count++] = (RiStanceTerm){unknown_of(s, b->joint), 1.0};
        return RI_OK;
    }
    for (int k = 0; k < c->nv; k++) {
        const int source = m->v_body[c->v + k];
        const double factor = m->map[c->map + out->local * c->nv + k];
        if (factor != 0.0 && is_passive(s, source))
            out->terms[out->count++] = (RiStanceTerm){unknown_of(s, m->bodies[source].joint), factor};
    }
    return RI_OK;
}

/// Dependent coordinates of a cluster with unknowns that a spring or an actuator holds.
static RiStatus add_ties(RiStance *s)
{
    const RiModel *m = s->m;
    s->ties = ri_arena_alloc(&s->arena, (size_t)m->nb, sizeof *s->ties);
    s->tie_at = ri_arena_alloc(&s->arena, (size_t)m->nb, sizeof *s->tie_at);
    if (!s->ties || !s->tie_at)
        return ri_error_memory(s->ctx);
    for (int i = 1; i < m->nb; i++) {
        const RiBodyData *b = &m->bodies[i];
        if (m->clusters[b->cluster].kind != RI_CLUSTER_LINEAR || m->joints[b->joint].v >= 0 || is_passive(s, i))
            continue;
        RiStanceSum sum;
        RI_TRY(add_sum(s, i, &sum));
        if (sum.count)
            s->ties[s->tie_count++] = sum;
    }
    return RI_OK;
}

// --- parts ---------------------------------------------------------------------------------------

/// Marks the bodies between base and wheels.
static void mark_paths(RiStance *s)
{
    for (int i = 0; i < s->m->nb; i++)
        s->part_of[i] = -1;
    for (int i = 0; i < s->wheel_count; i++)
        for (int b = s->wheels[i].body; b >= 0; b = s->m->bodies[b].parent)
            s->part_of[b] = 0;
}

static RiStatus add_parts(RiStance *s)
{
    const RiModel *m = s->m;
    mark_paths(s);
    s->parts[s->part_count++] = (RiStancePart){.parent = -1};
    for (int i = 1; i < m->nb; i++) {
        const RiBodyData *b = &m->bodies[i];
        if (s->part_of[i] < 0)
            continue;
        if (b->parent < 0)
            return ri_error(s->ctx, RI_ERR_UNSUPPORTED, "a wheel of robot '%s' does not hang on its base", m->name);
        s->part_of[i] = s->part_of[b->parent];
        if (!is_passive(s, i))
            continue;
        RiStancePart p = {.parent = s->part_of[i], .body = i, .slides = b->type == RI_JOINT_PRISMATIC};
        RI_TRY(add_sum(s, i, &p.sum));
        s->part_of[i] = s->part_count;
        s->parts[s->part_count++] = p;
    }
    return RI_OK;
}

static RiStatus add_path(RiStance *s, RiStanceRim *w)
{
    w->part = s->part_of[w->body];
    int depth = 0;
    for (int p = w->part; p > 0; p = s->parts[p].parent)
        depth++;
    int *path = ri_arena_alloc(&s->arena, (size_t)depth + 1, sizeof *path);
    if (!path)
        return ri_error_memory(s->ctx);
    w->path_count = depth;
    for (int p = w->part; p > 0; p = s->parts[p].parent)
        path[--depth] = p;
    w->path = path;
    return RI_OK;
}

/// Places in q on which the shape of parts depends: driven joints on the way to a wheel, and those
/// that passive ones are tied to.
static void list_held(RiStance *s)
{
    const RiModel *m = s->m;
    for (int i = 1; i < m->nb; i++) {
        const RiJointData *j = &m->joints[m->bodies[i].joint];
        bool unknown = j->q < 0 || is_axle(s, i);
        for (int k = 0; k < s->passive_count; k++)
            unknown = unknown || s->unknown_joint[k] == m->bodies[i].joint;
        for (int k = 0; !unknown && k < m->bodies[i].nq; k++)
            s->held[s->held_count++] = j->q + k;
    }
    for (int i = 0; i < s->held_count; i++)
        s->held_q[i] = NAN;
}

static void name_passive(const RiStance *s, char *out, size_t size)
{
    size_t at = 0;
    out[0] = '\0';
    for (int i = 0; i < s->passive_count && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? ", " : "", s->m->joints[s->unknown_joint[i]].spec.name);
}

static RiStatus check_count(const RiStance *s)
{
    const int rows = s->wheel_count + s->tie_count;
    if (rows == s->n)
        return RI_OK;
    char names[400];
    name_passive(s, names, sizeof names);
    const char *advice =
        rows < s->n ? "more gives way than wheels can hold: drive joints by devices of the scene (steering: a servo), "
                      "couple both rockers (<mimic> with multiplier -1, or a differential), or name the joints that "
                      "give way: stance: {passive: [...]}. Without the key 'stance' it starts at initial: base"
                    : "a wheel more than can touch: let another joint give way";
    return ri_error(
        s->ctx, RI_ERR_UNSUPPORTED,
        "robot '%s' has %d wheels that touch%s, but %d unknowns: height, roll, pitch and %d passive joint%s%s%s; %s",
        s->m->name, s->wheel_count, s->tie_count ? " and a spring-held coupling" : "", s->n, s->passive_count,
        s->passive_count == 1 ? "" : "s", s->passive_count ? " " : "", names, advice);
}

// --- life cycle ----------------------------------------------------------------------------------

static RiStatus copy_def(RiStance *s)
{
    const char **names = ri_arena_alloc(&s->arena, (size_t)s->def.passive_count + 1, sizeof *names);
    if (!names)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < s->def.passive_count; i++)
        if (!(names[i] = ri_arena_string(&s->arena, s->def.passive[i])))
            return ri_error_memory(s->ctx);
    s->def.passive = names;
    if ((unsigned)s->def.contact >= RI_STANCE_CONTACT_COUNT || !(s->def.tolerance > 0.0) || s->def.iterations < 1 ||
        !isfinite(s->def.sinkage))
        return ri_error(
            s->ctx, RI_ERR_ARGUMENT,
            "a stance needs a known contact form, a tolerance above 0, at least one iteration and a finite sinkage");
    return RI_OK;
}

static RiStatus allocate(RiStance *s)
{
    const size_t nb = (size_t)s->m->nb + 1, nq = (size_t)s->m->nq + 1;
    s->at_rest = ri_arena_alloc(&s->arena, (size_t)s->m->nv + 1, sizeof *s->at_rest);
    s->parts = ri_arena_alloc(&s->arena, nb, sizeof *s->parts);
    s->unknown_joint = ri_arena_alloc(&s->arena, nb, sizeof *s->unknown_joint);
    s->part_of = ri_arena_alloc(&s->arena, nb, sizeof *s->part_of);
    s->in_part = ri_arena_alloc(&s->arena, nb, sizeof *s->in_part);
    s->held = ri_arena_alloc(&s->arena, nq, sizeof *s->held);
    s->held_q = ri_arena_alloc(&s->arena, nq, sizeof *s->held_q);
    const bool all = s->at_rest && s->parts && s->unknown_joint && s->part_of && s->in_part && s->held && s->held_q;
    return all ? RI_OK : ri_error_memory(s->ctx);
}

/// Equations and unknowns.
static RiStatus count(RiStance *s, const RiSpec *spec)
{
    RI_TRY(copy_def(s));
    RI_TRY(allocate(s));
    RI_TRY(add_wheels(s, spec));
    RI_TRY(add_parts(s));
    RI_TRY(add_ties(s));
    s->n = RI_STANCE_BASE + s->passive_count;
    return RI_OK;
}

static RiStatus build(RiStance *s, const RiSpec *spec)
{
    RI_TRY(count(s, spec));
    RI_TRY(check_count(s));
    for (int i = 0; i < s->wheel_count; i++)
        RI_TRY(add_path(s, &s->wheels[i]));
    list_held(s);
    const size_t n = (size_t)s->n;
    s->u = ri_arena_alloc(&s->arena, 2 * n, sizeof *s->u);
    void *block = ri_arena_alloc(&s->arena, ri_newton_size(s->n, s->n), 1);
    if (!s->u || !block)
        return ri_error_memory(s->ctx);
    s->kept = s->u + n;
    s->newton = ri_newton_layout(block, s->n, s->n);
    return RI_OK;
}

RiStatus ri_stance_create(RiContext *ctx, const RiSpec *spec, const RiModel *model, const RiStanceDef *def,
                          RiStance **out_stance)
{
    const RiStanceDef used = def ? *def : ri_stance_def_default();
    *out_stance = NULL;
    RI_TRY(ri_options_check(ctx, NULL, &ri_stance_option_table, &used));
    RiStance *s = ri_alloc_zero(ctx, 1, sizeof *s);
    if (!s)
        return ri_error_memory(ctx);
    s->ctx = ctx;
    s->m = model;
    s->def = used;
    ri_arena_init(&s->arena, ctx);
    const RiStatus status = build(s, spec);
    if (status != RI_OK)
        ri_stance_destroy(s);
    else
        *out_stance = s;
    return status;
}

RiStatus ri_stance_surplus(RiContext *ctx, const RiSpec *spec, const RiModel *model, const RiStanceDef *def,
                           int *out_surplus)
{
    RiStance s = {.ctx = ctx, .m = model, .def = *def};
    ri_arena_init(&s.arena, ctx);
    const RiStatus status = count(&s, spec);
    *out_surplus = s.wheel_count + s.tie_count - s.n;
    ri_arena_free(&s.arena);
    return status;
}

void ri_stance_destroy(RiStance *s)
{
    if (!s)
        return;
    RiContext *ctx = s->ctx;
    ri_arena_free(&s->arena);
    ri_release(ctx, s);
}

RiStatus ri_stance_set_sinkage(RiStance *s, double sinkage)
{
    for (int i = 0; i < s->wheel_count; i++)
        if (!(s->wheels[i].radius + s->def.sinkage - sinkage > 0.0))
            return ri_error(s->ctx, RI_ERR_ARGUMENT, "a sinkage of %g m is more than wheel '%s' has radius (%g m)",
                            sinkage, s->wheels[i].name, s->wheels[i].radius + s->def.sinkage);
    for (int i = 0; i < s->wheel_count; i++)
        s->wheels[i].radius += s->def.sinkage - sinkage;
    s->def.sinkage = sinkage;
    return RI_OK;
}

int ri_stance_wheel_count(const RiStance *s)
{
    return s->wheel_count;
}

int ri_stance_passive_count(const RiStance *s)
{
    return s->passive_count;
}

const char *ri_stance_passive(const RiStance *s, int index)
{
    return s->m->joints[s->unknown_joint[index]].spec.name;
}

// --- driven joints -------------------------------------------------------------------------------

double ri_stance_span(const RiModel *m, const double *q, int body)
{
    const RiBodyData *b = &m->bodies[body];
    const RiClusterData *c = &m->clusters[b->cluster];
    if (m->joints[b->joint].q >= 0)
        return q[m->joints[b->joint].q];
    const int local = b->s - c->s;
    double x = c->offset[local];
    for (int k = 0; k < c->nv; k++) {
        const double factor = m->map[c->map + local * c->nv + k];
        if (factor != 0.0)
            x += factor * q[m->joints[m->bodies[m->v_body[c->v + k]].joint].q];
    }
    return x;
}

/// What a sum holds besides its unknowns.
static double rest_of(const RiStance *s, const RiStanceSum *sum, const double *q)
{
    const RiModel *m = s->m;
    const RiClusterData *c = &m->clusters[sum->cluster];
    if (m->joints[sum->joint].v >= 0)
        return 0.0;
    double x = c->offset[sum->local];
    for (int k = 0; k < c->nv; k++) {
        const int joint = m->bodies[m->v_body[c->v + k]].joint;
        bool unknown = false;
        for (int i = 0; i < sum->count; i++)
            unknown = unknown || s->unknown_joint[sum->terms[i].unknown - RI_STANCE_BASE] == joint;
        if (!unknown)
            x += m->map[c->map + sum->local * c->nv + k] * q[m->joints[joint].q];
    }
    return x;
}

static RiPose pose_of(const RiModel *m, const double *q, int body)
{
    const RiBodyData *b = &m->bodies[body];
    const double one = has_one_coordinate(b) ? ri_stance_span(m, q, body) : 0.0;
    return ri_joint_pose(b, has_one_coordinate(b) ? &one : q + m->joints[b->joint].q);
}

void ri_stance_fold(RiStance *s, const double *q)
{
    s->folded = true;
    const RiModel *m = s->m;
    s->in_part[0] = ri_pose_identity();
    for (int i = 1; i < m->nb; i++) {
        if (s->part_of[i] < 0)
            continue;
        const RiBodyData *b = &m->bodies[i];
        RiStancePart *part = &s->parts[s->part_of[i]];
        const RiPose *up = &s->in_part[b->parent];
        if (s->part_of[i] > 0 && part->body == i) {
            part->at = ri_pose_mul(up, &b->tree);
            part->sum.rest = rest_of(s, &part->sum, q);
            s->in_part[i] = ri_pose_identity();
        } else {
            const RiPose rel = pose_of(m, q, i);
            s->in_part[i] = ri_pose_mul(up, &rel);
        }
    }
    for (int i = 0; i < s->wheel_count; i++) {
        RiStanceRim *w = &s->wheels[i];
        const RiPose at = ri_pose_mul(&s->in_part[w->body], &w->in_body);
        w->hub = at.p;
        w->axle = ri_mat3_col(&at.R, 1);
    }
    for (int i = 0; i < s->tie_count; i++) {
        const RiJointSpec *j = &m->joints[s->ties[i].joint].spec;
        s->ties[i].rest = rest_of(s, &s->ties[i], q);
        s->tie_at[i] = j->stiffness > 0.0 ? j->rest : ri_stance_span(m, q, m->joints[s->ties[i].joint].body);
    }
    for (int i = 0; i < s->held_count; i++)
        s->held_q[i] = q[s->held[i]];
}
