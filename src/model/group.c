// SPDX-License-Identifier: Apache-2.0
/// \file
/// Third stage: bodies tied by couplings and loops become groups.
///
/// A group must hang on one body (or the world) and contain every body between its members and that
/// parent; then groups form a tree and the recursive algorithms run over groups as they run over
/// bodies. A coupling groups the bodies its joints move, a loop the bodies on the way from its two
/// ends to their nearest common ancestor; groups that share a body become one.
#include "model/build.h"

static int find(int *root, int i)
{
    while (root[i] != i) {
        root[i] = root[root[i]];
        i = root[i];
    }
    return i;
}

/// Nearest common ancestor of two bodies (each its own ancestor); -1 is the world.
static int common_ancestor(const RiBuild *b, int i, int k)
{
    while (i != k) {
        if (i < 0 || k < 0)
            return -1;
        if (b->depth[i] >= b->depth[k])
            i = b->body_parent[i];
        else
            k = b->body_parent[k];
    }
    return i;
}

/// Joins the bodies from `body` up to, not including, `top` with body `with`. Returns whether
/// anything changed.
static bool join_path(RiBuild *b, int body, int top, int with)
{
    bool changed = false;
    for (; body != top && body >= 0; body = b->body_parent[body]) {
        const int a = find(b->root, body), c = find(b->root, with);
        b->tied[body] = true;
        if (a != c) {
            b->root[a > c ? a : c] = a > c ? c : a;
            changed = true;
        }
    }
    return changed;
}

static RiStatus group_coupling(RiBuild *b, const RiCouplingSpec *x)
{
    int top = -2, with = -1;
    for (int k = 0; k < x->term_count; k++) {
        const int j = ri_names_find(&b->m->joint_names, x->terms[k].joint);
        if (j < 0) {
            const char *near = ri_names_nearest(&b->m->joint_names, x->terms[k].joint);
            return ri_error(b->ctx, RI_ERR_MODEL, "%scoupling '%s' refers to joint '%s', which does not exist%s%s%s",
                            ri_where(x->source).text, x->name ? x->name : "", x->terms[k].joint,
                            near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
        }
        if (b->rigid[j] || b->joints[j].type == RI_JOINT_FIXED)
            continue;
        if (ri_joint_type_nv(b->joints[j].type) != 1)
            return ri_error(b->ctx, RI_ERR_MODEL,
                            "%scoupling '%s': joint '%s' is %s; only joints with one coordinate can be coupled",
                            ri_where(x->source).text, x->name ? x->name : "", x->terms[k].joint,
                            ri_joint_type_name(b->joints[j].type));
        const int body = b->link_body[b->child_link[j]];
        with = body;
        top = top == -2 ? b->body_parent[body] : common_ancestor(b, top, b->body_parent[body]);
    }
    for (int k = 0; k < x->term_count && with >= 0; k++) {
        const int j = ri_names_find(&b->m->joint_names, x->terms[k].joint);
        if (!b->rigid[j] && b->joints[j].type != RI_JOINT_FIXED)
            join_path(b, b->link_body[b->child_link[j]], top, with);
    }
    return RI_OK;
}

static RiStatus group_loop(RiBuild *b, const RiLoopSpec *x)
{
    const char *names[] = {x->link_a, x->link_b};
    int body[2];
    for (int side = 0; side < 2; side++) {
        const int link = ri_names_find(&b->m->link_names, names[side]);
        if (link < 0) {
            const char *near = ri_names_nearest(&b->m->link_names, names[side]);
            return ri_error(b->ctx, RI_ERR_MODEL, "%sloop '%s' refers to link '%s', which does not exist%s%s%s",
                            ri_where(x->source).text, x->name ? x->name : "", names[side],
                            near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
        }
        body[side] = b->link_body[link];
    }
    if (body[0] == body[1])
        return ri_error(b->ctx, RI_ERR_MODEL, "%sloop '%s': links '%s' and '%s' cannot move relative to each other",
                        ri_where(x->source).text, x->name ? x->name : "", x->link_a, x->link_b);
    const int top = common_ancestor(b, body[0], body[1]);
    const int with = body[0] != top ? body[0] : body[1];
    join_path(b, body[0], top, with);
    join_path(b, body[1], top, with);
    return RI_OK;
}

/// Extends every group by the bodies between its members and the group's common parent, until
/// nothing changes.
static RiStatus close_groups(RiBuild *b)
{
    int *top = ri_build_alloc(b, (size_t)b->nb, sizeof *top);
    if (!top)
        return ri_error_memory(b->ctx);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < b->nb; i++)
            top[i] = -2;
        for (int i = 0; i < b->nb; i++) {
            if (!b->tied[i])
                continue;
            const int g = find(b->root, i);
            top[g] = top[g] == -2 ? b->body_parent[i] : common_ancestor(b, top[g], b->body_parent[i]);
        }
        for (int i = 0; i < b->nb; i++)
            if (b->tied[i]) {
                const int g = find(b->root, i);
                changed |= top[g] != -2 && join_path(b, i, top[g], i);
            }
    }
    for (int i = 0; i < b->nb; i++)
        b->root[i] = find(b->root, i);
    return RI_OK;
}

RiStatus ri_build_group(RiBuild *b)
{
    const size_t nb = (size_t)b->nb;
    b->root = ri_build_alloc(b, nb, sizeof *b->root);
    b->tied = ri_build_alloc(b, nb, sizeof *b->tied);
    b->depth = ri_build_alloc(b, nb, sizeof *b->depth);
    if (!b->root || !b->tied || !b->depth)
        return ri_error_memory(b->ctx);
    for (int i = 0; i < b->nb; i++) {
        b->root[i] = i;
        b->depth[i] = b->body_parent[i] < 0 ? 0 : b->depth[b->body_parent[i]] + 1;
    }
    for (int i = 0; i < b->spec->coupling_count; i++)
        RI_TRY(group_coupling(b, &b->spec->couplings[i]));
    for (int i = 0; i < b->spec->loop_count; i++)
        RI_TRY(group_loop(b, &b->spec->loops[i]));
    return close_groups(b);
}
