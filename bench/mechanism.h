// SPDX-License-Identifier: Apache-2.0
/// \file
/// The mechanisms that every engine builds, as one table of bodies, and the state in which they are
/// compared.
///
///     name --(bench_mechanism_create)--> bodies: parent, axis, offset, mass, inertia --> MJCF, DART, Simbody, Bullet, RiSpec
///
/// | name            | what                                                                                             |
/// |-----------------|--------------------------------------------------------------------------------------------------|
/// | `chainN`        | fixed base, N links of 0.1 x 0.05 x 0.05 m and 1 kg, joint axes y, z, y, z ...                   |
/// | `treeN`         | the same links as a binary tree: link i hangs on link (i - 1) / 2                                |
/// | `snake36`       | free base and ten modules of bend (z), twist (x) and screw (x): 31 bodies, 36 degrees of freedom |
/// | `snake36_geared`| the same with two counter-rotating half screws per module, rear = -front: 41 bodies, 36 degrees  |
///
/// All frames are parallel at q = 0 and every offset lies on the parent's x axis, so that an engine
/// needs no more than translations and axis-aligned hinges to build them. C and C++ both read this
/// file.
#ifndef RI_BENCH_MECHANISM_H
#define RI_BENCH_MECHANISM_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A body and the joint that moves it.
typedef struct BenchBody {
    int parent;        ///< body; -1: the world
    int axis;          ///< hinge axis: 0 x, 1 y, 2 z; -1: the free base
    int coordinate;    ///< index of the independent joint coordinate; -1: the free base
    double sign;       ///< joint angle = sign * coordinate
    double offset;     ///< of the joint along the parent's x axis [m]
    double mass;       ///< [kg]
    double com;        ///< centre of mass on the body's x axis [m]
    double inertia[3]; ///< about the centre of mass, body axes, diagonal [kg m^2]
} BenchBody;

typedef struct BenchMechanism {
    char name[32];
    bool floating;   ///< body 0 is a free base
    bool geared;     ///< some joints follow others
    int body_count;  ///< the free base included
    int coordinates; ///< independent joint coordinates, the free base not included
    BenchBody *bodies;
} BenchMechanism;

enum { BENCH_SNAKE_MODULES = 10, BENCH_MAX_LINKS = 100000, BENCH_POINTS = 20 };

#define BENCH_LINK_LENGTH  0.10
#define BENCH_SCREW_LENGTH 0.26
#define BENCH_SNAKE_WIDTH  0.15

/// The state in which engines are compared: joint angles, rates and (for inverse dynamics)
/// accelerations. The free base is at the origin, aligned with the world, at rest.
static inline double bench_q(int coordinate)
{
    return 0.30 * sin(1.0 + 0.7 * coordinate);
}

static inline double bench_v(int coordinate)
{
    return 0.50 * cos(0.3 + 0.9 * coordinate);
}

static inline double bench_a(int coordinate)
{
    return 0.80 * sin(0.2 + 0.5 * coordinate);
}

/// A hinged box of full lengths (x, w, w), uniform density.
static inline BenchBody bench_box(int parent, int axis, double offset, double mass, double x, double w, double com)
{
    BenchBody b;
    b.parent = parent;
    b.axis = axis;
    b.coordinate = -1;
    b.sign = 1.0;
    b.offset = offset;
    b.mass = mass;
    b.com = com;
    b.inertia[0] = mass / 12.0 * (w * w + w * w);
    b.inertia[1] = b.inertia[2] = mass / 12.0 * (x * x + w * w);
    return b;
}

static inline void bench_add(BenchMechanism *m, BenchBody body)
{
    if (body.axis >= 0 && body.coordinate < 0)
        body.coordinate = m->coordinates++;
    m->bodies[m->body_count++] = body;
}

static inline void bench_add_links(BenchMechanism *m, int n, bool tree)
{
    for (int i = 0; i < n; i++) {
        const int parent = i == 0 ? -1 : tree ? (i - 1) / 2 : i - 1;
        bench_add(m, bench_box(parent, i % 2 ? 2 : 1, i ? BENCH_LINK_LENGTH : 0.0, 1.0, BENCH_LINK_LENGTH, 0.05,
                               BENCH_LINK_LENGTH / 2.0));
    }
}

/// One screw, or two halves side by side of which the rear turns against the front.
static inline void bench_add_screws(BenchMechanism *m, int twist, double middle)
{
    BenchBody screw = bench_box(twist, 0, middle, 3.0, BENCH_SCREW_LENGTH, BENCH_SNAKE_WIDTH, 0.0);
    if (!m->geared) {
        bench_add(m, screw);
        return;
    }
    screw.mass /= 2.0;
    for (int k = 0; k < 3; k++)
        screw.inertia[k] /= 2.0;
    screw.offset = middle + BENCH_SCREW_LENGTH / 4.0;
    bench_add(m, screw);
    screw.offset = middle - BENCH_SCREW_LENGTH / 4.0;
    screw.coordinate = m->coordinates - 1;
    screw.sign = -1.0;
    bench_add(m, screw);
}

static inline void bench_add_snake(BenchMechanism *m)
{
    const double base = 0.30, bend = 0.10, twist = 0.30, w = BENCH_SNAKE_WIDTH;
    bench_add(m, bench_box(-1, -1, 0.0, 5.0, base, w, base / 2.0));
    int parent = 0;
    double offset = base;
    for (int i = 0; i < BENCH_SNAKE_MODULES; i++) {
        const int first = m->body_count;
        bench_add(m, bench_box(parent, 2, offset, 3.0, bend, w, bend / 2.0));
        bench_add(m, bench_box(first, 0, bend, 3.0, twist, w, twist / 2.0));
        bench_add_screws(m, first + 1, twist / 2.0);
        parent = first + 1;
        offset = twist;
    }
}

/// Number after a prefix ("chain", "chain128" -> 128), 0 if the name is something else.
static inline int bench_link_number(const char *name, const char *prefix)
{
    const size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return 0;
    char *end = NULL;
    const long n = strtol(name + length, &end, 10);
    return *end == '\0' && n > 0 && n <= BENCH_MAX_LINKS ? (int)n : 0;
}

/// NULL if there is no such mechanism (or no memory).
static inline BenchMechanism *bench_mechanism_create(const char *name)
{
    const int chain = bench_link_number(name, "chain"), tree = bench_link_number(name, "tree");
    const bool geared = strcmp(name, "snake36_geared") == 0, snake = geared || strcmp(name, "snake36") == 0;
    if (!chain && !tree && !snake)
        return NULL;
    const size_t capacity = snake ? 1 + 4 * BENCH_SNAKE_MODULES : (size_t)(chain + tree);
    BenchMechanism *m = (BenchMechanism *)calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->bodies = (BenchBody *)calloc(capacity, sizeof *m->bodies);
    if (!m->bodies) {
        free(m);
        return NULL;
    }
    snprintf(m->name, sizeof m->name, "%s", name);
    m->floating = snake;
    m->geared = geared;
    if (snake)
        bench_add_snake(m);
    else
        bench_add_links(m, chain + tree, tree > 0);
    return m;
}

static inline void bench_mechanism_destroy(BenchMechanism *m)
{
    if (m)
        free(m->bodies);
    free(m);
}

/// The contact points of `delassus20`: two per module on the (front) screw's lower edge. Gives body
/// and local point.
static inline int bench_point(const BenchMechanism *m, int k, double out_point[3])
{
    const int per_module = m->geared ? 4 : 3;
    out_point[0] = (k % 2 ? -0.25 : 0.25) * BENCH_SCREW_LENGTH;
    out_point[1] = 0.0;
    out_point[2] = -BENCH_SNAKE_WIDTH / 2.0;
    return 1 + per_module * (k / 2) + 2;
}

#endif
