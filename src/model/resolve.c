// SPDX-License-Identifier: Apache-2.0
/// \file
/// First stage: names become indices, and the links one tree. Nothing here recurses, so a chain of
/// any length is fine.
#include <stdio.h>
#include <string.h>

#include "model/build.h"

void *ri_build_alloc(RiBuild *b, size_t count, size_t size)
{
    return ri_arena_alloc(&b->scratch, count ? count : 1, size);
}

RiPose ri_joint_spec_pose(const RiJointSpec *joint, const double *q)
{
    RiPose x = ri_pose_identity();
    switch (joint->type) {
    case RI_JOINT_REVOLUTE:
    case RI_JOINT_CONTINUOUS:
        x.R = ri_mat3_axis_angle(joint->axis, q[0]);
        break;
    case RI_JOINT_PRISMATIC:
        x.p = ri_scale(q[0], joint->axis);
        break;
    case RI_JOINT_UNIVERSAL: {
        const RiMat3 first = ri_mat3_axis_angle(joint->axis, q[0]), second = ri_mat3_axis_angle(joint->axis2, q[1]);
        x.R = ri_mat3_mul(&first, &second);
        break;
    }
    case RI_JOINT_BALL:
        x.R = ri_quat_to_mat3(ri_quat_normalize((RiQuat){q[0], q[1], q[2], q[3]}));
        break;
    case RI_JOINT_PLANAR: {
        const RiMat3 plane = ri_mat3_from_z(joint->axis);
        x.R = ri_mat3_axis_angle(joint->axis, q[2]);
        x.p = ri_rotate(&plane, ri_vec3(q[0], q[1], 0.0));
        break;
    }
    case RI_JOINT_FREE:
        x.R = ri_quat_to_mat3(ri_quat_normalize((RiQuat){q[3], q[4], q[5], q[6]}));
        x.p = ri_vec3(q[0], q[1], q[2]);
        break;
    case RI_JOINT_FIXED:
    case RI_JOINT_TYPE_COUNT:
        break;
    }
    return x;
}

static RiStatus check_items(RiBuild *b)
{
    const RiSpec *spec = b->spec;
    char text[768];
    for (int i = 0; i < spec->link_count; i++)
        if (ri_link_problem(&spec->links[i], text, sizeof text))
            return ri_error(b->ctx, RI_ERR_MODEL, "%s%s", ri_where(spec->links[i].source).text, text);
    for (int i = 0; i < spec->joint_count; i++)
        if (ri_joint_problem(&spec->joints[i], text, sizeof text))
            return ri_error(b->ctx, RI_ERR_MODEL, "%s%s", ri_where(spec->joints[i].source).text, text);
    for (int i = 0; i < spec->coupling_count; i++)
        if (ri_coupling_problem(&spec->couplings[i], text, sizeof text))
            return ri_error(b->ctx, RI_ERR_MODEL, "%s%s", ri_where(spec->couplings[i].source).text, text);
    for (int i = 0; i < spec->loop_count; i++)
        if (ri_loop_problem(&spec->loops[i], text, sizeof text))
            return ri_error(b->ctx, RI_ERR_MODEL, "%s%s", ri_where(spec->loops[i].source).text, text);
    return RI_OK;
}

static RiStatus name_links(RiBuild *b)
{
    RiModel *m = b->m;
    for (int i = 0; i < b->nl; i++) {
        const RiLinkSpec *link = &b->spec->links[i];
        const char *name = m->links[i].name = ri_arena_string(&m->arena, link->name);
        int existing;
        if (!name)
            return ri_error_memory(b->ctx);
        RI_TRY(ri_names_add(&m->link_names, name, i, &existing));
        if (existing >= 0)
            return ri_error(b->ctx, RI_ERR_MODEL, "%slink '%s' is defined twice (first at line %d)",
                            ri_where(link->source).text, name, b->spec->links[existing].source.line);
    }
    return RI_OK;
}

/// Index of a link by name, or an error that suggests a near one.
static RiStatus find_link(RiBuild *b, RiSource source, const char *what, const char *name, int *out_link)
{
    *out_link = ri_names_find(&b->m->link_names, name);
    if (*out_link >= 0)
        return RI_OK;
    const char *near = ri_names_nearest(&b->m->link_names, name);
    return ri_error(b->ctx, RI_ERR_MODEL, "%s%s refers to link '%s', which does not exist%s%s%s", ri_where(source).text,
                    what, name, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

/// Copies a joint into the model's own memory; a locked joint becomes a fixed one at its position.
static RiStatus copy_joint(RiBuild *b, const RiJointSpec *from, RiJointSpec *to)
{
    RiArena *arena = &b->m->arena;
    *to = *from;
    to->name = ri_arena_string(arena, from->name);
    to->parent = ri_arena_string(arena, from->parent);
    to->child = ri_arena_string(arena, from->child);
    to->source.file = ri_arena_string(arena, from->source.file);
    if (!to->name || (from->parent && !to->parent) || !to->child || (from->source.file && !to->source.file))
        return ri_error_memory(b->ctx);
    if (from->locked && from->type != RI_JOINT_FIXED) {
        const RiPose moved = ri_joint_spec_pose(from, from->position);
        to->origin = ri_pose_mul(&from->origin, &moved);
        to->type = RI_JOINT_FIXED;
    }
    return RI_OK;
}

static RiStatus resolve_joint(RiBuild *b, int j)
{
    RiModel *m = b->m;
    const RiJointSpec *spec = &b->spec->joints[j];
    RI_TRY(copy_joint(b, spec, &b->joints[j]));
    int existing;
    RI_TRY(ri_names_add(&m->joint_names, b->joints[j].name, j, &existing));
    if (existing >= 0)
        return ri_error(b->ctx, RI_ERR_MODEL, "%sjoint '%s' is defined twice (first at line %d)",
                        ri_where(spec->source).text, spec->name, b->spec->joints[existing].source.line);
    char what[160];
    snprintf(what, sizeof what, "joint '%.120s'", spec->name);
    RI_TRY(find_link(b, spec->source, what, spec->parent, &b->parent_link[j]));
    RI_TRY(find_link(b, spec->source, what, spec->child, &b->child_link[j]));
    const int child = b->child_link[j];
    if (child == b->parent_link[j])
        return ri_error(b->ctx, RI_ERR_MODEL, "%sjoint '%s': link '%s' is its own parent", ri_where(spec->source).text,
                        spec->name, spec->child);
    if (b->link_joint[child] >= 0)
        return ri_error(b->ctx, RI_ERR_MODEL,
                        "%slink '%s' has two parent joints, '%s' and '%s' (close loops with a loop)",
                        ri_where(spec->source).text, spec->child, b->joints[b->link_joint[child]].name, spec->name);
    b->link_joint[child] = j;
    return RI_OK;
}

static RiStatus find_root(RiBuild *b, int *out_root)
{
    *out_root = -1;
    for (int i = 0; i < b->nl; i++) {
        if (b->link_joint[i] >= 0)
            continue;
        if (*out_root >= 0)
            return ri_error(b->ctx, RI_ERR_MODEL, "%sthe robot has two roots: links '%s' and '%s' have no parent joint",
                            ri_where(b->spec->links[i].source).text, b->spec->links[*out_root].name,
                            b->spec->links[i].name);
        *out_root = i;
    }
    if (*out_root < 0)
        return ri_error(b->ctx, RI_ERR_MODEL, "%sthe joints form a cycle: every link has a parent joint",
                        b->nl ? ri_where(b->spec->links[0].source).text : "");
    return RI_OK;
}

/// The joint between the world and the root link: free, or fixed.
static RiStatus add_base_joint(RiBuild *b, int root)
{
    RiModel *m = b->m;
    const RiBase wanted = b->options.base != RI_BASE_AUTO ? b->options.base : b->spec->base;
    const bool named_world = strcmp(b->spec->links[root].name, "world") == 0;
    m->floating = wanted == RI_BASE_FLOATING || (wanted == RI_BASE_AUTO && !named_world);
    const int j = b->nj - 1;
    RiJointSpec base = ri_joint_default();
    base.name = ri_names_find(&m->joint_names, "base") < 0 ? "base" : "floating_base";
    base.type = m->floating ? RI_JOINT_FREE : RI_JOINT_FIXED;
    base.child = b->spec->links[root].name;
    base.source = b->spec->links[root].source;
    base.position[3] = 1.0;
    RI_TRY(copy_joint(b, &base, &b->joints[j]));
    int existing;
    RI_TRY(ri_names_add(&m->joint_names, b->joints[j].name, j, &existing));
    b->parent_link[j] = -1;
    b->child_link[j] = root;
    b->link_joint[root] = j;
    return RI_OK;
}

/// Orders the links parents first (depth first, children in the order of the spec) with an explicit
/// stack.
static RiStatus order_links(RiBuild *b, int root)
{
    const int nl = b->nl;
    int *first = ri_build_alloc(b, (size_t)nl + 1, sizeof *first);
    int *list = ri_build_alloc(b, (size_t)nl, sizeof *list);
    int *stack = ri_build_alloc(b, (size_t)nl, sizeof *stack);
    if (!first || !list || !stack)
        return ri_error_memory(b->ctx);
    for (int j = 0; j < b->nj - 1; j++)
        first[b->parent_link[j] + 1]++;
    for (int i = 0; i < nl; i++)
        first[i + 1] += first[i];
    int *fill = ri_build_alloc(b, (size_t)nl, sizeof *fill);
    if (!fill)
        return ri_error_memory(b->ctx);
    for (int j = 0; j < b->nj - 1; j++)
        list[first[b->parent_link[j]] + fill[b->parent_link[j]]++] = b->child_link[j];
    int count = 0, top = 0;
    stack[top++] = root;
    while (top > 0) {
        const int link = stack[--top];
        b->order[count++] = link;
        for (int k = first[link + 1] - 1; k >= first[link]; k--)
            stack[top++] = list[k];
    }
    if (count == nl)
        return RI_OK;
    bool *seen = ri_build_alloc(b, (size_t)nl, sizeof *seen);
    if (!seen)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < count; i++)
        seen[b->order[i]] = true;
    int lost = 0;
    while (lost < nl - 1 && seen[lost])
        lost++;
    return ri_error(b->ctx, RI_ERR_MODEL, "%sthe joints form a cycle through link '%s'",
                    ri_where(b->spec->links[lost].source).text, b->spec->links[lost].name);
}

RiStatus ri_build_resolve(RiBuild *b)
{
    RiModel *m = b->m;
    const size_t nl = (size_t)b->nl, nj = (size_t)b->nj;
    if (b->nl < 1)
        return ri_error(b->ctx, RI_ERR_MODEL, "robot '%s' has no links", b->spec->name);
    m->links = ri_arena_alloc(&m->arena, nl, sizeof *m->links);
    m->joints = ri_arena_alloc(&m->arena, nj, sizeof *m->joints);
    m->link_order = b->order = ri_arena_alloc(&m->arena, nl, sizeof *b->order);
    b->joints = ri_build_alloc(b, nj, sizeof *b->joints);
    b->parent_link = ri_build_alloc(b, nj, sizeof *b->parent_link);
    b->child_link = ri_build_alloc(b, nj, sizeof *b->child_link);
    b->link_joint = ri_build_alloc(b, nl, sizeof *b->link_joint);
    if (!m->links || !m->joints || !b->order || !b->joints || !b->parent_link || !b->child_link || !b->link_joint)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < b->nl; i++)
        b->link_joint[i] = -1;
    RI_TRY(check_items(b));
    RI_TRY(name_links(b));
    for (int j = 0; j < b->nj - 1; j++)
        RI_TRY(resolve_joint(b, j));
    int root;
    RI_TRY(find_root(b, &root));
    RI_TRY(add_base_joint(b, root));
    return order_links(b, root);
}
