// SPDX-License-Identifier: Apache-2.0
/// \file
/// Trees of boxes over the finite parts of a set: nearest part to a point, and parts that a line
/// meets.
#include "terrain/shapes.h"

static double *axis_of(RiVec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static double centre(const RiVec3 (*boxes)[2], int part, int axis)
{
    RiVec3 low = boxes[part][0], high = boxes[part][1];
    return *axis_of(&low, axis) + *axis_of(&high, axis);
}

/// Puts the parts with the smaller centres first: order[0 .. half) <= order[half .. n)
/// (quickselect).
static void split(int *order, int n, int half, const RiVec3 (*boxes)[2], int axis)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        const double pivot = centre(boxes, order[(lo + hi) / 2], axis);
        int i = lo, j = hi;
        while (i <= j) {
            while (centre(boxes, order[i], axis) < pivot)
                i++;
            while (centre(boxes, order[j], axis) > pivot)
                j--;
            if (i <= j) {
                const int swap = order[i];
                order[i++] = order[j];
                order[j--] = swap;
            }
        }
        if (half <= j)
            hi = j;
        else if (half >= i)
            lo = i;
        else
            return;
    }
}

static RiVec3 lower(RiVec3 a, RiVec3 b)
{
    return ri_vec3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static RiVec3 upper(RiVec3 a, RiVec3 b)
{
    return ri_vec3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static void build_node(RiShapeSet *set, int node, int first, int count, const RiVec3 (*boxes)[2])
{
    RiVec3 low = ri_vec3(INFINITY, INFINITY, INFINITY), high = ri_scale(-1.0, low);
    for (int k = first; k < first + count; k++) {
        low = lower(low, boxes[set->order[k]][0]);
        high = upper(high, boxes[set->order[k]][1]);
    }
    set->nodes[node] = (RiTreeNode){low, high, first, count};
    if (count <= RI_TREE_LEAF)
        return;
    const RiVec3 size = ri_sub(high, low);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int half = count / 2, child = set->node_count;
    split(set->order + first, count, half, boxes, axis);
    set->node_count += 2;
    set->nodes[node].first = child;
    set->nodes[node].count = 0;
    build_node(set, child, first, half, boxes);
    build_node(set, child + 1, first + half, count - half, boxes);
}

void ri_tree_build(RiShapeSet *set, const RiVec3 (*boxes)[2])
{
    set->node_count = set->placed > 0;
    if (set->placed > 0)
        build_node(set, 0, 0, set->placed, boxes);
}

// --- nearest -------------------------------------------------------------------------------------

static inline double larger(double a, double b)
{
    return a > b ? a : b; // fmax is a call
}

/// Signed distance to a box: never above that to anything in it, inside as well.
static double box_distance(const RiTreeNode *n, RiVec3 p)
{
    const double x = larger(n->low.x - p.x, p.x - n->high.x), y = larger(n->low.y - p.y, p.y - n->high.y);
    const double z = larger(n->low.z - p.z, p.z - n->high.z), most = larger(x, larger(y, z));
    if (most <= 0.0)
        return most;
    const double a = larger(x, 0.0), b = larger(y, 0.0), c = larger(z, 0.0);
    return sqrt(a * a + b * b + c * c);
}

static void try_part(const RiShapes *g, int part, RiVec3 p, double *best, int *winner, RiVec3 *out_normal)
{
    const RiPlacedShape *s = &g->parts[part];
    RiVec3 n;
    const double d = ri_shape_distance(&s->shape, ri_rotate_back(&s->pose.R, ri_sub(p, s->pose.p)), &n);
    // Equal distances: the earlier part, whatever the order of the search.
    if (d < *best || (d == *best && *winner >= 0 && part < *winner)) {
        *best = d;
        *winner = part;
        *out_normal = n;
    }
}

int ri_set_nearest(const RiShapes *g, const RiShapeSet *set, RiVec3 p, double *best, RiVec3 *out_normal)
{
    int winner = -1;
    for (int k = 0; k < set->endless_count; k++)
        try_part(g, set->endless[k], p, best, &winner, out_normal);
    if (set->node_count == 0)
        return winner;
    struct {
        int node;
        double d;
    } stack[RI_TREE_DEPTH];
    int depth = 0;
    stack[depth].node = 0;
    stack[depth++].d = box_distance(&set->nodes[0], p);
    while (depth > 0) {
        depth--;
        if (stack[depth].d > *best)
            continue;
        const RiTreeNode *n = &set->nodes[stack[depth].node];
        for (int k = 0; k < n->count; k++)
            try_part(g, set->order[n->first + k], p, best, &winner, out_normal);
        if (n->count > 0)
            continue;
        const double a = box_distance(&set->nodes[n->first], p), b = box_distance(&set->nodes[n->first + 1], p);
        const int near = a <= b ? 0 : 1; // on top of the stack: visited first
        stack[depth].node = n->first + 1 - near;
        stack[depth++].d = near ? a : b;
        stack[depth].node = n->first + near;
        stack[depth++].d = near ? b : a;
    }
    return winner;
}

// --- lines ---------------------------------------------------------------------------------------

/// Span of a line in a box.
static RiSpan box_span(const RiTreeNode *n, const RiLine *l)
{
    const double o[3] = {l->o.x, l->o.y, l->o.z}, d[3] = {l->d.x, l->d.y, l->d.z};
    const double low[3] = {n->low.x, n->low.y, n->low.z}, high[3] = {n->high.x, n->high.y, n->high.z};
    RiSpan s = {-INFINITY, INFINITY};
    for (int k = 0; k < 3; k++) {
        if (d[k] == 0.0) {
            if (o[k] < low[k] || o[k] > high[k])
                return (RiSpan){INFINITY, -INFINITY};
            continue;
        }
        const double a = (low[k] - o[k]) / d[k], b = (high[k] - o[k]) / d[k];
        s.lo = fmax(s.lo, fmin(a, b));
        s.hi = fmin(s.hi, fmax(a, b));
    }
    return s;
}

/// What a search along a line has found: is t covered just before and after it, and the next end of
/// a span beyond.
typedef struct Crossing {
    double t;
    bool inclusive; ///< an event at t itself counts
    bool before, after;
    double next;
    int part; ///< of `next`
} Crossing;

static void meet_part(const RiShapes *g, int part, const RiLine *l, Crossing *c)
{
    const RiPlacedShape *s = &g->parts[part];
    RiSpan span[2];
    const RiVec3 o = ri_rotate_back(&s->pose.R, ri_sub(l->o, s->pose.p)), d = ri_rotate_back(&s->pose.R, l->d);
    const int n = ri_shape_spans(&s->shape, o, d, span);
    for (int k = 0; k < n; k++) {
        c->before |= span[k].lo < c->t && c->t <= span[k].hi;
        c->after |= span[k].lo <= c->t && c->t < span[k].hi;
        const double ends[2] = {span[k].lo, span[k].hi};
        for (int e = 0; e < 2; e++)
            if ((ends[e] > c->t || (c->inclusive && ends[e] == c->t)) && ends[e] < c->next) {
                c->next = ends[e];
                c->part = part;
            }
    }
}

/// Goes through the parts of a set that the line meets at or after c->t.
static void meet_set(const RiShapes *g, const RiShapeSet *set, const RiLine *l, Crossing *c)
{
    for (int k = 0; k < set->endless_count; k++)
        meet_part(g, set->endless[k], l, c);
    if (set->node_count == 0)
        return;
    int stack[RI_TREE_DEPTH], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const RiTreeNode *n = &set->nodes[stack[--depth]];
        const RiSpan box = box_span(n, l);
        // A little wider than the parts: their spans are rounded elsewhere.
        const double slack = 1e-9 * (fabs(box.lo) + fabs(box.hi));
        if (!(box.lo <= box.hi + slack) || box.hi + slack < c->t || box.lo - slack > c->next)
            continue;
        for (int k = 0; k < n->count; k++)
            meet_part(g, set->order[n->first + k], l, c);
        if (n->count > 0)
            continue;
        stack[depth++] = n->first;
        stack[depth++] = n->first + 1;
    }
}

/// Folds the sets at t.
static Crossing look(const RiShapes *g, const RiLine *l, double t, bool inclusive)
{
    Crossing all = {.t = t, .inclusive = inclusive, .next = INFINITY, .part = -1};
    bool before = false, after = false;
    for (int k = 0; k < g->set_count; k++) {
        all.before = all.after = false;
        meet_set(g, &g->sets[k], l, &all);
        before = g->sets[k].hole ? before && !all.before : before || all.before;
        after = g->sets[k].hole ? after && !all.after : after || all.after;
    }
    all.before = before;
    all.after = after;
    return all;
}

double ri_shapes_first_event(const RiShapes *g, const RiLine *line)
{
    return look(g, line, -INFINITY, false).next;
}

bool ri_shapes_enter(const RiShapes *g, const RiLine *line, double from, double *out_t, int *out_part)
{
    Crossing at = look(g, line, from, true);
    const long long most = 4LL * g->count + 8; // every part begins and ends at most twice
    for (long long k = 0; k < most && at.part >= 0; k++) {
        const double t = at.next;
        const int part = at.part;
        at = look(g, line, t, false);
        if (at.after && !at.before && isfinite(t)) {
            *out_t = t;
            *out_part = part;
            return true;
        }
    }
    return false;
}
