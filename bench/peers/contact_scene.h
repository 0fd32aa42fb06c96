// SPDX-License-Identifier: Apache-2.0
/// \file
/// A rover and what is done to it, as `rille study contact-models` tells it to programs with other
/// engines, and what they answer.
///
///     friction MU / tick S / gravity G / aside 0|1 / step HEIGHT DISTANCE / servo DAMPING / brake STIFFNESS / duration S / period S / over X
///     tilt T ANGLE, drive T SPEED               points of a broken line
///     body NAME PARENT free|hinge|fixed  P(3) Q(4: w x y z)  AXIS(3)  LOWER UPPER  MASS COM(3) INERTIA(6: xx yy zz xy xz yz)  RADIUS WIDTH DRIVEN ARMATURE
///
/// Bodies come parents first, the root has parent "-". A body's frame is its joint's. A wheel is a
/// cylinder about y of the body's frame (RADIUS 0: none). Answer: `hello NAME VERSION`, then for
/// every sample `T TILT X Y Z ROLL PITCH YAW TURNED` (origin of the root, fixed-axis angles, mean
/// of driven joints), then `end SECONDS_OF_PROCESSOR_TIME`.
#ifndef RI_BENCH_CONTACT_SCENE_H
#define RI_BENCH_CONTACT_SCENE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CONTACT_BODIES = 64, CONTACT_POINTS = 8 };

typedef struct ContactBody {
    char name[64];
    int parent; ///< -1: root
    bool hinge;
    double p[3], q[4], axis[3], lower, upper;
    double mass, com[3], inertia[6];
    double radius, width;
    bool driven;
    double armature;
} ContactBody;

typedef struct ContactLine {
    double t[CONTACT_POINTS], y[CONTACT_POINTS];
    int count;
} ContactLine;

typedef struct ContactScene {
    double friction, tick, gravity, height, distance, servo, brake, duration, period, over;
    int aside;
    ContactLine tilt, drive;
    ContactBody bodies[CONTACT_BODIES];
    int body_count;
} ContactScene;

static inline double contact_line_at(const ContactLine *l, double t)
{
    int i = 0;
    while (i < l->count && l->t[i] <= t)
        i++;
    if (i == 0)
        return l->count ? l->y[0] : 0.0;
    if (i == l->count)
        return l->y[i - 1];
    return l->y[i - 1] + (t - l->t[i - 1]) / (l->t[i] - l->t[i - 1]) * (l->y[i] - l->y[i - 1]);
}

static inline void contact_gravity(const ContactScene *s, double t, double out[3])
{
    const double tilt = contact_line_at(&s->tilt, t), side = -s->gravity * sin(tilt);
    out[0] = s->aside ? 0.0 : side;
    out[1] = s->aside ? side : 0.0;
    out[2] = -s->gravity * cos(tilt);
}

static inline bool contact_read_body(ContactScene *s, const char *line)
{
    if (s->body_count == CONTACT_BODIES)
        return false;
    ContactBody *b = &s->bodies[s->body_count];
    char parent[64], kind[16];
    int driven = 0, used = 0;
    memset(b, 0, sizeof *b);
    if (sscanf(line, "body %63s %63s %15s %n", b->name, parent, kind, &used) != 3 || used == 0)
        return false;
    double x[24];
    const char *at = line + used;
    for (int i = 0; i < 24; i++) {
        char *end;
        x[i] = strtod(at, &end);
        if (end == at)
            return false;
        at = end;
    }
    char *end;
    driven = (int)strtol(at, &end, 10);
    b->armature = strtod(end, NULL);
    memcpy(b->p, x, sizeof b->p);
    memcpy(b->q, x + 3, sizeof b->q);
    memcpy(b->axis, x + 7, sizeof b->axis);
    b->lower = x[10], b->upper = x[11], b->mass = x[12];
    memcpy(b->com, x + 13, sizeof b->com);
    memcpy(b->inertia, x + 16, sizeof b->inertia);
    b->radius = x[22], b->width = x[23];
    b->driven = driven != 0;
    b->hinge = strcmp(kind, "hinge") == 0;
    b->parent = -1;
    for (int i = 0; i < s->body_count; i++)
        if (strcmp(s->bodies[i].name, parent) == 0)
            b->parent = i;
    s->body_count++;
    return b->parent >= 0 || s->body_count == 1;
}

static inline bool contact_read_point(ContactLine *l, double t, double y)
{
    if (l->count == CONTACT_POINTS)
        return false;
    l->t[l->count] = t;
    l->y[l->count++] = y;
    return true;
}

static inline bool contact_read_line(ContactScene *s, const char *line)
{
    const struct {
        const char *name;
        double *to;
    } numbers[] = {{"friction", &s->friction}, {"tick", &s->tick},   {"gravity", &s->gravity},
                   {"servo", &s->servo},       {"brake", &s->brake}, {"duration", &s->duration},
                   {"period", &s->period},     {"over", &s->over}};
    char key[32];
    double a = 0.0, b = 0.0;
    if (strncmp(line, "body ", 5) == 0)
        return contact_read_body(s, line);
    const int fields = sscanf(line, "%31s %lf %lf", key, &a, &b);
    if (fields == 3 && strcmp(key, "tilt") == 0)
        return contact_read_point(&s->tilt, a, b);
    if (fields == 3 && strcmp(key, "drive") == 0)
        return contact_read_point(&s->drive, a, b);
    if (fields == 3 && strcmp(key, "step") == 0) {
        s->height = a, s->distance = b;
        return true;
    }
    if (fields == 2 && strcmp(key, "aside") == 0) {
        s->aside = a != 0.0;
        return true;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (fields == 2 && strcmp(key, numbers[i].name) == 0) {
            *numbers[i].to = a;
            return true;
        }
    return false;
}

/// Reads the scene of a file; false after a message.
static inline bool contact_read(const char *path, ContactScene *s)
{
    char line[2048];
    memset(s, 0, sizeof *s);
    FILE *in = fopen(path, "r");
    bool good = in != NULL;
    while (good && fgets(line, sizeof line, in))
        if (!contact_read_line(s, line)) {
            fprintf(stderr, "%s: not understood: %s", path, line);
            good = false;
        }
    if (in)
        fclose(in);
    if (good && (s->body_count == 0 || !(s->tick > 0.0) || !(s->period > 0.0))) {
        fprintf(stderr, "%s: body, tick and period are needed\n", path);
        good = false;
    }
    return good;
}

/// Fixed-axis roll, pitch, yaw of a rotation (row by row, body to world).
static inline void contact_angles(const double R[9], double out[3])
{
    out[0] = atan2(R[7], R[8]);
    out[1] = atan2(-R[6], hypot(R[7], R[8]));
    out[2] = atan2(R[3], R[0]);
}

/// Writes one sample; false when the rover has fallen over or has passed the step.
static inline bool contact_put(const ContactScene *s, double t, const double p[3], const double R[9], double turned)
{
    double a[3];
    contact_angles(R, a);
    printf("%.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", t, contact_line_at(&s->tilt, t), p[0], p[1], p[2], a[0],
           a[1], a[2], turned);
    return fabs(a[0]) < 1.05 && fabs(a[1]) < 1.05 && p[0] < s->over;
}

#endif
