// SPDX-License-Identifier: Apache-2.0
/// \file
/// A mechanism as MuJoCo's XML, in memory. The XML reader behind MuJoCo refuses elements nested
/// deeper than 100, so a deep mechanism is split: every MJCF_DEPTH levels the subtree goes to a
/// file of its own, joined by <include>.
#ifndef RI_BENCH_MJCF_H
#define RI_BENCH_MJCF_H

#include <stdarg.h>

#include "../mechanism.h"

enum { MJCF_DEPTH = 80, MJCF_MAX_PARTS = 2 + BENCH_MAX_LINKS / MJCF_DEPTH };

typedef struct MjcfText {
    char *text;
    size_t size, capacity;
} MjcfText;

typedef struct Mjcf {
    const BenchMechanism *mechanism;
    int *first_child, *next_sibling; ///< body lists; -1 ends
    MjcfText parts[MJCF_MAX_PARTS];  ///< part 0 is the model, part k is "part_k.xml"
    int part_count;
} Mjcf;

__attribute__((format(printf, 2, 3))) static inline void mjcf_print(MjcfText *t, const char *format, ...)
{
    for (;;) {
        va_list arguments;
        va_start(arguments, format);
        const size_t room = t->capacity - t->size;
        const int n = vsnprintf(t->text ? t->text + t->size : NULL, room, format, arguments);
        va_end(arguments);
        if (n >= 0 && (size_t)n < room) {
            t->size += (size_t)n;
            return;
        }
        t->capacity = 2 * t->capacity + (size_t)n + 1;
        t->text = (char *)realloc(t->text, t->capacity);
        if (!t->text)
            abort();
    }
}

static inline void mjcf_body_head(MjcfText *t, const BenchBody *b, int index)
{
    static const char *const axes[3] = {"1 0 0", "0 1 0", "0 0 1"};
    mjcf_print(t, "<body name=\"b%d\" pos=\"%.17g 0 0\">", index, b->offset);
    if (b->axis < 0)
        mjcf_print(t, "<freejoint/>");
    else
        mjcf_print(t, "<joint name=\"j%d\" axis=\"%s\"/>", index, axes[b->axis]);
    mjcf_print(t, "<inertial pos=\"%.17g 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>\n", b->com, b->mass,
               b->inertia[0], b->inertia[1], b->inertia[2]);
}

/// Writes body `index` and everything on it to part `part`; `depth` counts the levels within that
/// part.
static inline void mjcf_body(Mjcf *x, int part, int index, int depth)
{
    if (depth == MJCF_DEPTH) {
        const int next = x->part_count++;
        mjcf_print(&x->parts[part], "<include file=\"part_%d.xml\"/>\n", next);
        mjcf_print(&x->parts[next], "<mujocoinclude>\n");
        mjcf_body(x, next, index, 0);
        mjcf_print(&x->parts[next], "</mujocoinclude>\n");
        return;
    }
    mjcf_body_head(&x->parts[part], &x->mechanism->bodies[index], index);
    for (int child = x->first_child[index]; child >= 0; child = x->next_sibling[child])
        mjcf_body(x, part, child, depth + 1);
    mjcf_print(&x->parts[part], "</body>\n");
}

static inline void mjcf_free(Mjcf *x)
{
    if (!x)
        return;
    for (int i = 0; i < x->part_count; i++)
        free(x->parts[i].text);
    free(x->first_child);
    free(x->next_sibling);
    free(x);
}

static inline Mjcf *mjcf_create(const BenchMechanism *m)
{
    const size_t n = (size_t)m->body_count;
    Mjcf *x = (Mjcf *)calloc(1, sizeof *x);
    if (!x || !(x->first_child = (int *)malloc(n * sizeof(int))) ||
        !(x->next_sibling = (int *)malloc(n * sizeof(int)))) {
        mjcf_free(x);
        return NULL;
    }
    x->mechanism = m;
    for (int i = 0; i < m->body_count; i++)
        x->first_child[i] = x->next_sibling[i] = -1;
    for (int i = m->body_count - 1; i > 0; i--) { // backwards, so that siblings keep their order
        x->next_sibling[i] = x->first_child[m->bodies[i].parent];
        x->first_child[m->bodies[i].parent] = i;
    }
    x->part_count = 1;
    mjcf_print(&x->parts[0], "<mujoco><compiler angle=\"radian\"/><option gravity=\"0 0 -9.81\">"
                             "<flag contact=\"disable\"/></option><size nstack=\"2000000\"/><worldbody>\n");
    mjcf_body(x, 0, 0, 0);
    mjcf_print(&x->parts[0], "</worldbody></mujoco>\n");
    return x;
}

#endif
