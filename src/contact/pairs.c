// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which links touch each other.
///
///     boxes --(sweep along the widest axis)--> pairs whose boxes overlap --(GJK, EPA, clipping)--> points --(last step's pool)--> places --> touches
///
/// Places give a point its identity: a pair keeps its slot of the pool as long as it meets, and
/// each of its points the place of the nearest one of the last step. New pairs take free slots in
/// the order of the sweep. Nothing here is written to the state: the same pool and configuration
/// give the same bits, however often they are asked.
#include <math.h>
#include <string.h>

#include "contact/contacts.h"

/// Part of the smaller body's size by which a point may move from step to step and be the same.
static const double SAME = 0.2;

RiStatus ri_pair_work_create(RiArena *arena, const RiContacts *c, RiPairWork *out)
{
    const size_t n = (size_t)c->solid_count + 1, room = (size_t)c->pair_room + 1;
    out->table_size = 16;
    while (out->table_size < 2 * c->pair_room)
        out->table_size *= 2;
    out->points = ri_arena_alloc(arena, (size_t)c->point_total + 1, sizeof *out->points);
    out->placed = ri_arena_alloc(arena, n, sizeof *out->placed);
    out->low = ri_arena_alloc(arena, n, sizeof *out->low);
    out->high = ri_arena_alloc(arena, n, sizeof *out->high);
    out->order = ri_arena_alloc(arena, n, sizeof *out->order);
    out->found = ri_arena_alloc(arena, room, sizeof *out->found);
    out->next = ri_arena_alloc(arena, room, sizeof *out->next);
    out->taken = ri_arena_alloc(arena, room, sizeof *out->taken);
    out->table = ri_arena_alloc(arena, (size_t)out->table_size, sizeof *out->table);
    for (int i = 0; out->order && i < c->solid_count; i++)
        out->order[i] = i;
    const bool all = out->points && out->placed && out->low && out->high && out->order && out->found && out->next &&
                     out->taken && out->table;
    return all ? RI_OK : ri_error_memory(c->ctx);
}

// --- broad phase ---------------------------------------------------------------------------------

static RiPose pose_of(const RiTouchWork *w, const RiSolid *x)
{
    const RiBodyMotion *m = &w->motion[x->slot];
    return (RiPose){m->R, ri_add(m->p, m->origin)};
}

/// Boxes around all solids, half the margin wider.
static void measure_boxes(const RiContacts *c, double margin, RiTouchWork *w)
{
    for (int i = 0; i < c->solid_count; i++) {
        const RiSolid *x = &c->solids[i];
        const RiPose pose = pose_of(w, x);
        const RiVec3 h = x->hull.half, centre = ri_pose_point(&pose, x->hull.centre);
        const double(*R)[3] = (const double(*)[3])pose.R.m, more = x->hull.radius + 0.5 * margin;
        const RiVec3 half = ri_vec3(fabs(R[0][0]) * h.x + fabs(R[0][1]) * h.y + fabs(R[0][2]) * h.z + more,
                                    fabs(R[1][0]) * h.x + fabs(R[1][1]) * h.y + fabs(R[1][2]) * h.z + more,
                                    fabs(R[2][0]) * h.x + fabs(R[2][1]) * h.y + fabs(R[2][2]) * h.z + more);
        w->pairs.low[i] = ri_sub(centre, half);
        w->pairs.high[i] = ri_add(centre, half);
        w->pairs.placed[i] = false;
    }
}

static double part(RiVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// The axis along which the solids are spread most.
static int widest_axis(const RiContacts *c, const RiPairWork *p)
{
    double best = -1.0;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0.0, squares = 0.0;
        for (int i = 0; i < c->solid_count; i++) {
            const double x = part(p->low[i], k) - part(p->low[0], k);
            sum += x, squares += x * x;
        }
        const double spread = squares - sum * sum / c->solid_count;
        if (spread > best)
            best = spread, axis = k;
    }
    return axis;
}

/// Insertion sort: from step to step the order hardly changes. Equal ends are in order of index,
/// so the result depends on nothing before.
static void sort_along(const RiContacts *c, RiPairWork *p, int axis)
{
    for (int i = 1; i < c->solid_count; i++) {
        const int x = p->order[i];
        const double low = part(p->low[x], axis);
        int at = i;
        for (; at > 0; at--) {
            const int y = p->order[at - 1];
            const double other = part(p->low[y], axis);
            if (other < low || (other == low && y < x))
                break;
            p->order[at] = y;
        }
        p->order[at] = x;
    }
}

static bool boxes_meet(const RiPairWork *p, int a, int b)
{
    return p->low[a].x <= p->high[b].x && p->low[b].x <= p->high[a].x && p->low[a].y <= p->high[b].y &&
           p->low[b].y <= p->high[a].y && p->low[a].z <= p->high[b].z && p->low[b].z <= p->high[a].z;
}

// --- the pool ------------------------------------------------------------------------------------

static unsigned pair_hash(int a, int b)
{
    return ((unsigned)a * 2654435761u) ^ ((unsigned)b * 2246822519u);
}

static void fill_table(const RiContacts *c, const RiPairSlot *pool, RiPairWork *p)
{
    memset(p->table, 0, (size_t)p->table_size * sizeof *p->table);
    for (int s = 0; s < c->pair_room; s++) {
        p->taken[s] = false;
        if (pool[s].a == pool[s].b)
            continue;
        unsigned at = pair_hash(pool[s].a, pool[s].b);
        while (p->table[at & (unsigned)(p->table_size - 1)])
            at++;
        p->table[at & (unsigned)(p->table_size - 1)] = s + 1;
    }
}

/// Slot of a pair in the pool; -1: it has none.
static int slot_of(const RiPairSlot *pool, const RiPairWork *p, int a, int b)
{
    for (unsigned at = pair_hash(a, b);; at++) {
        const int s = p->table[at & (unsigned)(p->table_size - 1)] - 1;
        if (s < 0 || (pool[s].a == a && pool[s].b == b))
            return s;
    }
}

// --- narrow phase --------------------------------------------------------------------------------

static RiConvex convex_of(const RiContacts *c, RiTouchWork *w, int i)
{
    const RiSolid *x = &c->solids[i];
    RiVec3 *points = w->pairs.points + x->first_point;
    const RiConvex out = {&x->hull, points, pose_of(w, x)};
    for (int k = 0; k < x->hull.point_count && !w->pairs.placed[i]; k++)
        points[k] = ri_pose_point(&out.pose, x->hull.points[k]);
    w->pairs.placed[i] = true;
    return out;
}

/// Looks at one pair whose boxes overlap.
static void look_at(const RiContacts *c, double margin, const RiPairSlot *pool, RiTouchWork *w, int a, int b)
{
    RiPairWork *p = &w->pairs;
    const int slot = slot_of(pool, p, a, b);
    const RiConvex A = convex_of(c, w, a), B = convex_of(c, w, b);
    RiFound x = {.a = a, .b = b, .slot = slot};
    if (slot >= 0)
        x.axis = pool[slot].axis;
    x.count = ri_convex_meet(&A, &B, margin, &x.axis, x.meets);
    if (x.count == 0)
        return;
    if (p->found_count == c->pair_room) {
        p->full = true;
        return;
    }
    if (slot >= 0)
        p->taken[slot] = true;
    p->found[p->found_count++] = x;
}

static void sweep(const RiContacts *c, double margin, const RiPairSlot *pool, RiTouchWork *w)
{
    RiPairWork *p = &w->pairs;
    const int axis = widest_axis(c, p), n = c->solid_count;
    sort_along(c, p, axis);
    for (int i = 0; i < n; i++) {
        const int x = p->order[i];
        const double end = part(p->high[x], axis);
        for (int k = i + 1; k < n && part(p->low[p->order[k]], axis) <= end; k++) {
            const int y = p->order[k], a = x < y ? x : y, b = x < y ? y : x;
            if (c->law_of[(size_t)a * (size_t)n + (size_t)b] >= 0 && boxes_meet(p, a, b))
                look_at(c, margin, pool, w, a, b);
        }
    }
}

// --- touches -------------------------------------------------------------------------------------

/// The place of the last step nearest to a point; -1: none is near.
static int nearest_place(const RiPairSlot *old, const RiVec3 *at, int taken, RiVec3 p, double reach)
{
    int best = -1;
    double least = reach * reach;
    for (int k = 0; k < RI_MEETS; k++) {
        const RiVec3 d = ri_sub(at[k], p);
        if ((old->used >> k & 1) && !(taken >> k & 1) && ri_dot(d, d) < least)
            least = ri_dot(d, d), best = k;
    }
    return best;
}

/// Gives the points of a pair their places: those of last time where they are near, else free ones,
/// marked as fresh.
static void give_places(const RiPairSlot *old, const RiPose *pose, double reach, const RiFound *x,
                        int out_place[RI_MEETS], bool out_fresh[RI_MEETS])
{
    RiVec3 at[RI_MEETS];
    int taken = 0;
    for (int k = 0; k < RI_MEETS; k++)
        at[k] = ri_pose_point(pose, old->at[k]);
    for (int i = 0; i < x->count; i++) {
        out_place[i] = nearest_place(old, at, taken, x->meets[i].point, reach);
        out_fresh[i] = out_place[i] < 0;
        if (!out_fresh[i])
            taken |= 1 << out_place[i];
    }
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < RI_MEETS && out_place[i] < 0; k++)
            if (!(taken >> k & 1)) {
                out_place[i] = k;
                taken |= 1 << k;
            }
}

static RiVec3 velocity_at(const RiBodyMotion *m, RiVec3 arm)
{
    return ri_add(m->v, ri_cross(m->w, arm));
}

/// The part of a point's acceleration that no joint acceleration gives; where a ball rolls only its
/// centre is carried round.
static RiVec3 rate_at(const RiBodyMotion *m, RiVec3 arm, RiVec3 to_core)
{
    return ri_cross(m->w, velocity_at(m, ri_add(arm, to_core)));
}

static void fill_touch(const RiContacts *c, const RiFound *x, const RiMeet *meet, const RiTouchWork *w, RiTouch *t)
{
    const RiSolid *a = &c->solids[x->a], *b = &c->solids[x->b];
    const RiBodyMotion *m = &w->motion[a->slot], *n = &w->motion[b->slot];
    *t = (RiTouch){.feature = -1, .slot = a->slot, .other = b->slot, .solid = x->a, .other_solid = x->b, .ground = -1};
    t->pair = &c->pairs[c->law_of[(size_t)x->a * (size_t)c->solid_count + (size_t)x->b]];
    t->use = ri_contacts_use(c, c->uses, (int)(t->pair - c->pairs));
    t->point = meet->point;
    t->normal = meet->normal;
    t->depth = meet->depth;
    t->arm = ri_sub(t->point, m->origin);
    t->other_arm = ri_sub(t->point, n->origin);
    t->v = ri_sub(velocity_at(m, t->arm), velocity_at(n, t->other_arm));
    t->rate = ri_sub(rate_at(m, t->arm, ri_scale(a->hull.radius, t->normal)),
                     rate_at(n, t->other_arm, ri_scale(-b->hull.radius, t->normal)));
}

/// Touches of one pair, and its slot as it would be after the step.
static int put_touches(const RiContacts *c, const RiPairSlot *pool, RiTouchWork *w, const RiFound *x, RiTouch *out)
{
    static const RiPairSlot none = {.used = 0};
    const RiSolid *a = &c->solids[x->a], *b = &c->solids[x->b];
    const bool known = pool[x->slot].a == x->a && pool[x->slot].b == x->b;
    const RiPose pose = pose_of(w, a);
    const double reach = SAME * fmin(ri_norm(a->hull.half) + a->hull.radius, ri_norm(b->hull.half) + b->hull.radius);
    int place[RI_MEETS];
    bool fresh[RI_MEETS];
    give_places(known ? &pool[x->slot] : &none, &pose, reach, x, place, fresh);
    RiPairSlot *next = &w->pairs.next[x->slot];
    next->a = x->a, next->b = x->b;
    next->axis = x->axis;
    for (int i = 0; i < x->count; i++) {
        fill_touch(c, x, &x->meets[i], w, &out[i]);
        out[i].place = c->pair_first + RI_MEETS * x->slot + place[i];
        out[i].fresh = fresh[i];
        next->used |= 1 << place[i];
        next->at[place[i]] = ri_rotate_back(&pose.R, ri_sub(x->meets[i].point, pose.p));
    }
    return x->count;
}

int ri_contacts_find_pairs(const RiContacts *c, double margin, const RiPairSlot *pool, RiTouchWork *w, int count)
{
    RiPairWork *p = &w->pairs;
    if (c->pair_room == 0)
        return count;
    p->found_count = 0;
    p->full = false;
    measure_boxes(c, margin, w);
    fill_table(c, pool, p);
    sweep(c, margin, pool, w);
    memset(p->next, 0, (size_t)c->pair_room * sizeof *p->next);
    int open = 0;
    for (int i = 0; i < p->found_count; i++) {
        RiFound *x = &p->found[i];
        while (x->slot < 0) { // the first free one
            if (!p->taken[open])
                p->taken[open] = true, x->slot = open;
            open++;
        }
        count += put_touches(c, pool, w, x, w->touches + count);
    }
    return count;
}
