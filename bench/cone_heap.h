// SPDX-License-Identifier: Apache-2.0
/// \file
/// A heap of balls as a sparse contact problem of any size, from a seed.
///
/// width x width columns of `layers` balls of 0.5 to 1.5 kg on a floor. Each touches the one below
/// it, and with a chance of 0.3 each of the two before it in x and y. Normals lean by up to 0.1 from
/// the axes. q is a step of free fall plus random velocities of up to `kick` / 2.
#ifndef RI_BENCH_CONE_HEAP_H
#define RI_BENCH_CONE_HEAP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <rille/cone.h>

#include "cone_cases.h"

enum { HEAP_TOUCHES = 6 }; ///< of one ball at most
#define HEAP_RADIUS 0.1

typedef struct ConeHeapTouch {
    int ball[2];       ///< the second is -1 for the floor
    double J[2][3][6]; ///< contact velocities from those of each ball
} ConeHeapTouch;

typedef struct ConeHeap {
    int n, balls, blocks;
    ConeHeapTouch *touch;
    int (*of)[HEAP_TOUCHES], *count; ///< touches of each ball
    double *inverse_mass, *v;
    int *row, *column;
    double *block, *q, *mu;
    RiConeProblem problem;
} ConeHeap;

static inline void cone_heap_destroy(ConeHeap *h)
{
    if (!h)
        return;
    void *const all[] = {h->touch, h->of, h->count, h->inverse_mass, h->v, h->row, h->column, h->block, h->q, h->mu};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    free(h);
}

static inline void cone_heap_cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/// A touch of two balls, whose normal points from `b` to `a` along `axis`, nearly.
static inline void cone_heap_touch(ConeHeap *h, int a, int b, int axis, uint64_t *seed)
{
    ConeHeapTouch *t = &h->touch[h->n];
    double row[3][3], arm[3], size = 0.0;
    for (int k = 0; k < 3; k++) {
        row[0][k] = (k == axis ? 1.0 : 0.0) + 0.1 * cone_case_random(seed);
        size += row[0][k] * row[0][k];
    }
    for (int k = 0; k < 3; k++)
        row[0][k] /= sqrt(size);
    const double *N = row[0], flat = hypot(N[axis], N[(axis + 1) % 3]);
    row[1][axis] = -N[(axis + 1) % 3] / flat;
    row[1][(axis + 1) % 3] = N[axis] / flat;
    row[1][(axis + 2) % 3] = 0.0;
    cone_heap_cross(N, row[1], row[2]);
    for (int r = 0; r < 3; r++) {
        cone_heap_cross(N, row[r], arm); // both balls touch at their radius from the centre, from two sides
        for (int k = 0; k < 3; k++) {
            t->J[0][r][k] = row[r][k];
            t->J[1][r][k] = -row[r][k];
            t->J[0][r][3 + k] = t->J[1][r][3 + k] = -HEAP_RADIUS * arm[k];
        }
    }
    t->ball[0] = a, t->ball[1] = b;
    for (int s = 0; s < 2; s++)
        if (t->ball[s] >= 0)
            h->of[t->ball[s]][h->count[t->ball[s]]++] = h->n;
    h->n++;
}

/// Touches that share a ball with touch i, in order. Returns how many.
static inline int cone_heap_neighbours(const ConeHeap *h, int i, int out[2 * HEAP_TOUCHES])
{
    int count = 0;
    for (int s = 0; s < 2; s++) {
        const int ball = h->touch[i].ball[s];
        for (int k = 0; ball >= 0 && k < h->count[ball]; k++) {
            int at = 0;
            const int other = h->of[ball][k];
            while (at < count && out[at] < other)
                at++;
            if (at < count && out[at] == other)
                continue;
            for (int l = count++; l > at; l--)
                out[l] = out[l - 1];
            out[at] = other;
        }
    }
    return count;
}

/// Adds what touches i and j have to do with each other to the next block.
static inline void cone_heap_block(ConeHeap *h, int i, int j)
{
    const ConeHeapTouch *a = &h->touch[i], *b = &h->touch[j];
    double *B = h->block + 9 * (size_t)h->blocks;
    h->column[h->blocks++] = j;
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++) {
            const int ball = a->ball[s];
            if (ball < 0 || ball != b->ball[t])
                continue;
            const double linear = h->inverse_mass[ball], turning = linear / (0.4 * HEAP_RADIUS * HEAP_RADIUS);
            for (int e = 0; e < 9; e++)
                for (int k = 0; k < 6; k++)
                    B[e] += a->J[s][e / 3][k] * b->J[t][e % 3][k] * (k < 3 ? linear : turning);
        }
}

static inline void cone_heap_rows(ConeHeap *h, double friction)
{
    int near[2 * HEAP_TOUCHES];
    for (int i = 0; i < h->n; i++) {
        const int count = cone_heap_neighbours(h, i, near);
        h->row[i] = h->blocks;
        h->mu[i] = friction;
        for (int k = 0; k < count; k++)
            cone_heap_block(h, i, near[k]);
        for (int s = 0; s < 2; s++)
            for (int e = 0; e < 18 && h->touch[i].ball[s] >= 0; e++)
                h->q[3 * i + e / 6] += h->touch[i].J[s][e / 6][e % 6] * h->v[6 * h->touch[i].ball[s] + e % 6];
    }
    h->row[h->n] = h->blocks;
    h->problem =
        (RiConeProblem){.n = h->n, .row = h->row, .column = h->column, .block = h->block, .q = h->q, .mu = h->mu};
}

static inline bool cone_heap_room(ConeHeap *h)
{
    const size_t balls = (size_t)h->balls, n = 3 * balls;
    h->touch = calloc(n, sizeof *h->touch);
    h->of = calloc(balls, sizeof *h->of);
    h->count = calloc(balls, sizeof *h->count);
    h->inverse_mass = calloc(balls, sizeof *h->inverse_mass);
    h->v = calloc(6 * balls, sizeof *h->v);
    h->row = calloc(n + 1, sizeof *h->row);
    h->column = calloc(2 * HEAP_TOUCHES * n, sizeof *h->column);
    h->block = calloc(9 * 2 * HEAP_TOUCHES * n, sizeof *h->block);
    h->q = calloc(3 * n, sizeof *h->q);
    h->mu = calloc(n, sizeof *h->mu);
    return h->touch && h->of && h->count && h->inverse_mass && h->v && h->row && h->column && h->block && h->q && h->mu;
}

/// NULL: out of memory.
static inline ConeHeap *cone_heap(int width, int layers, double friction, double kick, uint64_t number)
{
    uint64_t seed = 88172645463325252ULL + 7919ULL * number;
    ConeHeap *h = calloc(1, sizeof *h);
    if (h)
        h->balls = width * width * layers;
    if (!h || !cone_heap_room(h)) {
        cone_heap_destroy(h);
        return NULL;
    }
    for (int i = 0; i < h->balls; i++) {
        h->inverse_mass[i] = 1.0 / (0.5 + cone_case_uniform(&seed));
        for (int k = 0; k < 6; k++)
            h->v[6 * i + k] = 0.5 * kick * cone_case_random(&seed) / (k < 3 ? 1.0 : HEAP_RADIUS);
        h->v[6 * i + 2] -= 9.81e-3;
    }
    for (int i = 0; i < h->balls; i++) {
        cone_heap_touch(h, i, i < width * width ? -1 : i - width * width, 2, &seed);
        if (i % width > 0 && cone_case_uniform(&seed) < 0.3)
            cone_heap_touch(h, i, i - 1, 0, &seed);
        if (i / width % width > 0 && cone_case_uniform(&seed) < 0.3)
            cone_heap_touch(h, i, i - width, 1, &seed);
    }
    cone_heap_rows(h, friction);
    return h;
}

#endif
