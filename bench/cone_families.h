// SPDX-License-Identifier: Apache-2.0
/// \file
/// Families of hard contact problems from seeds: more unknowns than motions, bad scales, redundant
/// and inconsistent contacts.
///
/// | family      | what                                                                                                   |
/// |-------------|--------------------------------------------------------------------------------------------------------|
/// | `box`       | a box that slides, turns and presses on a plane with 4 to 80 contacts: 6 motions                         |
/// | `stack`     | 1 to 10 boxes on each other, four contacts each, mass ratios to 10^4                                     |
/// | `wedge`     | a body between two inclined planes, 2 to 10 contacts on each                                             |
/// | `pile`      | 1 to 8 bodies with random contacts with each other and the ground                                        |
/// | `mechanism` | 3 to 20 coordinates with a full mass matrix and up to 60 contacts                                        |
/// | `wheels`    | a rover: a chassis with wheels on two contacts each, drives so stiff that they move 10^-6 as much        |
/// | `scales`    | one of the above with W times 10^-3 to 10^6                                                              |
/// | `bounce`    | one of the above with rebounds: normal velocities that no rigid motion has                               |
#ifndef RI_BENCH_CONE_FAMILIES_H
#define RI_BENCH_CONE_FAMILIES_H

#include "cone_cases.h"

typedef enum ConeFamily {
    CONE_BOX,
    CONE_STACK,
    CONE_WEDGE,
    CONE_PILE,
    CONE_MECHANISM,
    CONE_WHEELS,
    CONE_SCALES,
    CONE_BOUNCE,
    CONE_FAMILY_COUNT
} ConeFamily;

static inline const char *cone_family_name(ConeFamily family)
{
    static const char *const names[CONE_FAMILY_COUNT] = {"box",       "stack",  "wedge",  "pile",
                                                         "mechanism", "wheels", "scales", "bounce"};
    return names[family];
}

static inline int cone_family_pick(uint64_t *seed, int low, int high)
{
    return low + (int)((high - low + 1) * cone_case_uniform(seed));
}

/// A body of mass m and half size a: diagonal of the inverse mass matrix, and a velocity that
/// falls, slides and turns.
static inline void cone_family_body(ConeCase *c, int body, double m, double a, double speed, uint64_t *seed)
{
    for (int i = 0; i < 6; i++) {
        c->M_inv[(size_t)(6 * body + i) * ((size_t)c->v + 1)] = i < 3 ? 1.0 / m : 1.5 / (m * a * a);
        c->free_motion[6 * body + i] = speed * cone_case_random(seed) / (i < 3 ? 1.0 : a) - (i == 2 ? 0.05 : 0.0);
    }
}

static inline ConeCase *cone_family_box(uint64_t *seed)
{
    const int n = cone_family_pick(seed, 4, 80);
    ConeCase *c = cone_case_new(n, 6);
    double R[9];
    if (!c)
        return NULL;
    cone_family_body(c, 0, 5.0, 0.2, cone_case_uniform(seed) < 0.3 ? 0.02 : 1.0, seed);
    for (int i = 0; i < n; i++) {
        cone_case_frame((const double[3]){0, 0, 1}, R);
        const double x = 0.3 * cone_case_random(seed), y = 0.2 * cone_case_random(seed);
        cone_case_point(c, i, 0, (const double[3]){x, y, -0.1}, R, 1.0);
    }
    return c;
}

static inline ConeCase *cone_family_stack(uint64_t *seed)
{
    const int boxes = cone_family_pick(seed, 1, 10);
    const double ratio = pow(10.0, 4.0 * cone_case_random(seed));
    ConeCase *c = cone_case_new(4 * boxes, 6 * boxes);
    double R[9];
    if (!c)
        return NULL;
    cone_case_frame((const double[3]){0, 0, 1}, R);
    for (int i = 0; i < boxes; i++)
        cone_family_body(c, i, pow(ratio, (double)i / boxes), 0.5, 0.02, seed);
    for (int i = 0; i < 4 * boxes; i++) {
        const double x = i & 1 ? 0.5 : -0.5, y = i & 2 ? 0.5 : -0.5;
        cone_case_point(c, i, i / 4, (const double[3]){x, y, -0.5}, R, 1.0);
        if (i >= 4)
            cone_case_point(c, i, i / 4 - 1, (const double[3]){x, y, 0.5}, R, -1.0);
    }
    return c;
}

static inline ConeCase *cone_family_wedge(uint64_t *seed)
{
    const int side = cone_family_pick(seed, 2, 10);
    const double tilt = 0.2 + cone_case_uniform(seed);
    ConeCase *c = cone_case_new(2 * side, 6);
    double R[9];
    if (!c)
        return NULL;
    cone_family_body(c, 0, 2.0, 0.1, 0.3, seed);
    for (int i = 0; i < 2 * side; i++) {
        const double sign = i % 2 ? 1.0 : -1.0, y = 0.2 * cone_case_random(seed), z = 0.05 * cone_case_random(seed);
        cone_case_frame((const double[3]){-sign * sin(tilt), 0.0, cos(tilt)}, R);
        cone_case_point(c, i, 0, (const double[3]){sign * (0.1 + z), y, z}, R, 1.0);
    }
    return c;
}

static inline ConeCase *cone_family_pile(uint64_t *seed)
{
    const int bodies = cone_family_pick(seed, 1, 8), n = cone_family_pick(seed, bodies, 6 * bodies);
    ConeCase *c = cone_case_new(n, 6 * bodies);
    double R[9];
    if (!c)
        return NULL;
    for (int b = 0; b < bodies; b++)
        cone_family_body(c, b, pow(10.0, cone_case_random(seed)), 0.1, 0.3, seed);
    for (int i = 0; i < n; i++) {
        const int a = cone_family_pick(seed, 0, bodies - 1), b = cone_family_pick(seed, 0, bodies - 1);
        const double x = cone_case_random(seed), y = cone_case_random(seed), z = 0.1 + cone_case_uniform(seed);
        const double l = sqrt(x * x + y * y + z * z), r[3] = {-0.1 * x / l, -0.1 * y / l, -0.1 * z / l};
        cone_case_frame((const double[3]){x, y, z}, R);
        cone_case_point(c, i, a, r, R, 1.0);
        if (a != b)
            cone_case_point(c, i, b, (const double[3]){-r[0], -r[1], -r[2]}, R, -1.0);
    }
    return c;
}

static inline ConeCase *cone_family_mechanism(uint64_t *seed)
{
    const int v = cone_family_pick(seed, 3, 20), n = cone_family_pick(seed, 1, 3 * v);
    ConeCase *c = cone_case_new(n, v);
    double A[20 * 20];
    if (!c)
        return NULL;
    for (int i = 0; i < v * v; i++)
        A[i] = 0.15 * cone_case_random(seed) + (i % (v + 1) == 0 ? 0.3 : 0.0);
    for (int i = 0; i < v * v; i++)
        for (int k = 0; k < v; k++)
            c->M_inv[i] += A[i / v * v + k] * A[i % v * v + k];
    for (int i = 0; i < v; i++)
        c->free_motion[i] = 0.2 * cone_case_random(seed) - (i == 2 ? 0.3 : 0.0);
    for (int i = 0; i < 3 * n; i++) {
        const int own[3] = {2, 0, 1};
        for (int k = 0; k < v; k++)
            c->G[i * v + k] = 0.25 * cone_case_random(seed);
        c->G[i * v + own[i % 3]] += 1.0;
    }
    return c;
}

/// Coordinates 0..5 are the chassis', one more for each wheel, which turns about its axle (y)
/// against a stiff drive.
static inline ConeCase *cone_family_wheels(uint64_t *seed)
{
    const int wheels = cone_family_pick(seed, 4, 8), stations = cone_family_pick(seed, 2, 3), v = 6 + wheels;
    const double drive = pow(10.0, -6.0 * cone_case_uniform(seed)), radius = 0.25;
    ConeCase *c = cone_case_new(stations * wheels, v);
    double R[9];
    if (!c)
        return NULL;
    cone_family_body(c, 0, 900.0, 0.7, 0.1, seed);
    for (int w = 0; w < wheels; w++) {
        c->M_inv[(size_t)(6 + w) * (size_t)(v + 1)] = drive;
        c->free_motion[6 + w] = 0.4 + 0.2 * cone_case_random(seed);
    }
    for (int i = 0; i < stations * wheels; i++) {
        const int w = i / stations, station = i % stations;
        const double x = 1.1 * (w / 2) - 1.1 + 0.02 * cone_case_random(seed);
        const double y = (w % 2 ? 1.0 : -1.0) + 0.2 * (station / (stations - 1.0) - 0.5);
        const double slope = station == 0 ? 0.5 * cone_case_random(seed) * (w % 3 == 0) : 0.0;
        cone_case_frame((const double[3]){slope, 0.0, 1.0}, R);
        cone_case_point(c, i, 0, (const double[3]){x, y, -0.8}, R, 1.0);
        for (int k = 0; k < 3; k++) // the rim moves backwards below the axle
            c->G[(3 * i + k) * v + 6 + w] = -radius * R[3 * k];
    }
    return c;
}

static inline ConeCase *cone_family_shape(ConeFamily family, uint64_t *seed)
{
    static ConeCase *(*const shapes[])(uint64_t *) = {cone_family_box,  cone_family_stack,     cone_family_wedge,
                                                      cone_family_pile, cone_family_mechanism, cone_family_wheels};
    return shapes[family](seed);
}

/// Problem `number` of a family. `mu` is the friction of all contacts.
static inline ConeCase *cone_family_case(ConeFamily family, uint64_t number, double mu)
{
    uint64_t seed = 0x9e3779b97f4a7c15ULL * (number + 1) + 7919ULL * (uint64_t)family;
    for (int k = 0; k < 8; k++)
        (void)cone_case_uniform(&seed);
    const ConeFamily shape = family < CONE_SCALES ? family : (ConeFamily)cone_family_pick(&seed, 0, CONE_WHEELS);
    ConeCase *c = cone_family_shape(shape, &seed);
    const double scale = family == CONE_SCALES ? pow(10.0, cone_family_pick(&seed, -3, 6)) : 1.0;
    for (int i = 0; c && i < c->v * c->v; i++)
        c->M_inv[i] *= scale;
    if (c && !cone_case_finish(c, mu)) {
        cone_case_destroy(c);
        return NULL;
    }
    for (int i = 0; c && family == CONE_BOUNCE && i < c->n; i++) // Newton's law: the speed after is e times that before
        c->q[3 * i] *= 1.0 + 0.8 * cone_case_uniform(&seed);
    return c;
}

#endif
