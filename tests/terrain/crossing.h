// SPDX-License-Identifier: Apache-2.0
/// \file
/// Does a mesh cross itself? Triangles that share no point are compared, pairs found through a grid
/// of their boxes.
#ifndef RI_TESTS_TERRAIN_CROSSING_H
#define RI_TESTS_TERRAIN_CROSSING_H

#include <stdint.h>
#include <stdlib.h>

#include <rille/math.h>

typedef struct Triangles {
    const RiVec3 *points;
    const uint32_t (*triangles)[3];
    int count;
} Triangles;

static inline double six_volumes(RiVec3 a, RiVec3 b, RiVec3 c, RiVec3 d)
{
    return ri_dot(ri_cross(ri_sub(b, a), ri_sub(c, a)), ri_sub(d, a));
}

/// The segment p-q passes through the inside of the triangle a-b-c.
static inline int segment_crosses(RiVec3 p, RiVec3 q, RiVec3 a, RiVec3 b, RiVec3 c)
{
    const double sp = six_volumes(a, b, c, p), sq = six_volumes(a, b, c, q);
    if (!(sp * sq < 0.0))
        return 0;
    const double u = six_volumes(p, q, a, b), v = six_volumes(p, q, b, c), w = six_volumes(p, q, c, a);
    return (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
}

static inline int triangles_cross(const Triangles *m, int s, int t)
{
    const uint32_t *a = m->triangles[s], *b = m->triangles[t];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (a[i] == b[k])
                return 0;
    for (int k = 0; k < 3; k++) {
        if (segment_crosses(m->points[a[k]], m->points[a[(k + 1) % 3]], m->points[b[0]], m->points[b[1]],
                            m->points[b[2]]) ||
            segment_crosses(m->points[b[k]], m->points[b[(k + 1) % 3]], m->points[a[0]], m->points[a[1]],
                            m->points[a[2]]))
            return 1;
    }
    return 0;
}

typedef struct Box {
    RiVec3 low, high;
} Box;

static inline Box box_of(const Triangles *m, int t)
{
    Box b = {m->points[m->triangles[t][0]], m->points[m->triangles[t][0]]};
    for (int k = 1; k < 3; k++) {
        const RiVec3 p = m->points[m->triangles[t][k]];
        b.low = ri_vec3(fmin(b.low.x, p.x), fmin(b.low.y, p.y), fmin(b.low.z, p.z));
        b.high = ri_vec3(fmax(b.high.x, p.x), fmax(b.high.y, p.y), fmax(b.high.z, p.z));
    }
    return b;
}

static inline uint64_t cell_key(int i, int j, int k)
{
    return (uint64_t)(i + (1 << 20)) << 42 | (uint64_t)(j + (1 << 20)) << 21 | (uint64_t)(k + (1 << 20));
}

typedef struct Entry {
    uint64_t key;
    int triangle;
} Entry;

static inline int by_key(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static inline int boxes_meet(const Box *a, const Box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

/// Number of pairs that cross; `cell` is about twice the length of an edge.
static inline int count_crossings(const Triangles *m, double cell)
{
    size_t used = 0, room = 16 * (size_t)m->count;
    Entry *e = malloc(room * sizeof *e);
    int crossings = 0;
    for (int t = 0; t < m->count; t++) {
        const Box b = box_of(m, t);
        for (int i = (int)floor(b.low.x / cell); i <= (int)floor(b.high.x / cell); i++)
            for (int j = (int)floor(b.low.y / cell); j <= (int)floor(b.high.y / cell); j++)
                for (int k = (int)floor(b.low.z / cell); k <= (int)floor(b.high.z / cell); k++) {
                    if (used == room)
                        e = realloc(e, (room *= 2) * sizeof *e);
                    e[used++] = (Entry){cell_key(i, j, k), t};
                }
    }
    qsort(e, used, sizeof *e, by_key);
    for (size_t i = 0; i < used; i++) {
        const Box a = box_of(m, e[i].triangle);
        for (size_t k = i + 1; k < used && e[k].key == e[i].key; k++) {
            const Box b = box_of(m, e[k].triangle);
            crossings += boxes_meet(&a, &b) && triangles_cross(m, e[i].triangle, e[k].triangle);
        }
    }
    free(e);
    return crossings;
}

#endif
