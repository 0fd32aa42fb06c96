// SPDX-License-Identifier: Apache-2.0
/// \file
/// A stance's inside: the suspension as a small tree of rigid parts, the wheels on it, and the
/// unknowns.
///
///     base (height, pitch, roll) -> parts moved by passive joints -> wheels
///
/// Driven joints only shape the parts: they are folded into constant poses, which are computed again
/// when a driven joint has moved.
#ifndef RI_CONTACT_STANCE_H
#define RI_CONTACT_STANCE_H

#include <rille/stance.h>

#include "base/memory.h"
#include "math/newton.h"
#include "model/tree.h"

enum { RI_STANCE_Z, RI_STANCE_PITCH, RI_STANCE_ROLL, RI_STANCE_BASE }; ///< first unknowns, then passive coordinates
enum { RI_STANCE_WHEELS = 64 };                                        ///< at most

/// One term of a passive joint's coordinate: factor times an unknown.
typedef struct RiStanceTerm {
    int unknown;
    double factor;
} RiStanceTerm;

/// A coordinate as a sum of unknowns and of what does not change in a solve.
typedef struct RiStanceSum {
    int joint, cluster, local; // local: of the joint in its cluster's spanning velocities
    RiStanceTerm *terms;
    int count;
    double rest; // offset, and the share of driven joints
} RiStanceSum;

/// A rigid part; the first is the base.
typedef struct RiStancePart {
    int parent; // part
    int body;
    bool slides;
    RiStanceSum sum;
    RiPose at; // joint frame in the parent part
    RiMat3 R;  // in the world, from here on as last evaluated
    RiVec3 p, axis;
} RiStancePart;

typedef struct RiStanceRim {
    const char *name;
    int link, body, part;
    RiPose in_body; // wheel frame; y is the axle
    double radius, width, crown;
    RiVec3 hub, axle; // in the part
    const int *path;  // parts between base and wheel, the wheel's own last
    int path_count;
    // as last evaluated, in the world
    RiVec3 hub_W, axle_W;
    RiVec3 point; // that touches, or where the equation is taken
    RiVec3 moves; // the point that moves with the part: the hub or the touching point
    RiHeight ground;
    double gap;
    double around, across; // on the wheel's surface: angle from straight down [rad], offset along the axle [m]
    bool known;            // around and across are near the lowest point
} RiStanceRim;

struct RiStance {
    RiContext *ctx;
    RiArena arena;
    const RiModel *m;
    RiStanceDef def;
    RiStancePart *parts;
    int part_count;
    RiStanceRim *wheels;
    int wheel_count;
    int *unknown_joint; // [passive_count] joint of each unknown after the base's
    int passive_count;
    RiStanceSum *ties; // dependent coordinates that springs or actuators hold: one equation each
    double *tie_at;
    int tie_count;
    int n; // unknowns, and equations

    int *part_of;    // [nb] part that a body belongs to, -1: carries no wheel
    RiPose *in_part; // [nb]
    int *held;       // places in q of driven joints that shape the parts
    double *held_q;  // their values in the poses above; NAN at first
    int held_count;

    // the solve
    const RiTerrain *terrain;
    double x, y, cos_heading, sin_heading;
    double *u, *kept; // [n]
    double *at_rest;  // [nv] velocities, then the efforts that hold
    bool folded, solved;
    RiStanceContact contact; // used now
    bool wide;               // the touching point is looked for all around the wheel, every time
    bool off;                // a wheel has no ground below it
    int off_wheel;
    RiNewtonWork newton;
};

/// Equations less unknowns of a stance; 0: ri_stance_create has as many of both. RI_ERR_* as there.
RI_MUST_CHECK RiStatus ri_stance_surplus(RiContext *ctx, const RiSpec *spec, const RiModel *model,
                                         const RiStanceDef *def, int *out_surplus);
/// The joint neither has an actuator nor a spring.
bool ri_stance_gives_way(const RiJointSpec *j);
/// Spanning position of a joint of one coordinate.
double ri_stance_span(const RiModel *m, const double *q, int body);
/// Poses of parts and wheels from the driven joints in q.
void ri_stance_fold(RiStance *s, const double *q);
/// Equations [n] and their slopes [n x n] at the unknowns s->u. False: a wheel has no ground below
/// it.
bool ri_stance_evaluate(RiStance *s, double *out_f, double *out_J);
/// Touching point of a wheel on its surface, from where it was last or, if that is not known, from
/// all around.
void ri_stance_seek(RiStance *s, RiStanceRim *w);
/// Whether some other place of the wheel's surface lies lower by more than `by`; then that is the
/// one known.
bool ri_stance_seek_lower(RiStance *s, RiStanceRim *w, double by);

#endif
