// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soft soil under wheels and screws: one protocol for all parts of the robot that soil acts on.
///
///     find: ground under the part --> evaluate: law, wrench F and slope S at the motion w --> apply --(solve)--> hold
///       --> finish: memories, ruts, outputs --> account
///
/// soil.c drives all parts and knows nothing of their shapes. What differs is a kind: soil_wheel.c
/// and soil_screw.c, each with its ruts (soil_wheel_ruts.c, soil_screw_ruts.c), and soil_body.c for
/// all other links. soil_part.c has the mechanics that all share, soil_border.c the edges of hard
/// ground beside soft one.
///
/// At the end of a step with w+ = w + h (J a + rate) the wrench is F - S (w+ - w): h S becomes
/// inertia of the link's body, the rest a wrench.
///
/// **Passive.** Soil does no more work than it holds. Where a solve would let it, a damper -c P w+
/// joins the wrench, with P = diag(lever^2, 1) for turning and moving, and the step is solved again
/// with a larger c until the work is within what is held (ri_soil_part_hold). The damper takes from
/// the motion only what the law gives too much: a wheel that other forces move goes on moving.
#ifndef RI_SIM_SOIL_H
#define RI_SIM_SOIL_H

#include "sim/internal.h"

/// Of hard ground under soil [Pa/m].
#define RI_BASE_STIFFNESS 1e8
enum { RI_SOIL_KINDS = 3, RI_SOIL_DOUBTS = 8 };

typedef struct RiSoilPart RiSoilPart;

/// An output of a part, or a doubt about its law.
typedef struct RiSoilName {
    const char *name, *unit, *text;
} RiSoilName;

/// What tells wheels and screws apart.
typedef struct RiSoilKind {
    const RiSoilName *outputs, *doubts;
    int output_count, doubt_count;
    bool snaps;    ///< `finish` takes care of subnormal numbers in its memory
    int stored_at; ///< place in `kept` of the energy that the soil holds
    /// The ground under a part at the current d, then what needs all parts in their places. No
    /// ground: law.touching is false.
    void (*find)(RiSim *s, RiSoilPart *x);
    void (*find_others)(RiSim *s, RiSoilPart *x); ///< may be NULL
    /// The law at the current state, into x->law. h = 0: without slopes.
    void (*evaluate)(RiSim *s, RiSoilPart *x, double h);
    /// Refuses a start in an impossible place; may be NULL.
    RiStatus (*check_start)(RiSim *s, const RiSoilPart *x);
    /// The step is accepted: memory, ruts, outputs, doubts. RI_ERR_MEMORY if ruts have no room.
    RiStatus (*finish)(RiSim *s, RiSoilPart *x, double h);
} RiSoilKind;

/// What a law says, in the part's frame.
typedef struct RiSoilWrench {
    bool touching;
    RiVec3 force, moment;
    double (*slope)[6]; ///< [6][6] turning, then moving
    double stored;      ///< energy that the law could give back at the end of the step, set by finish [J]
} RiSoilWrench;

/// A part of a link that soil acts on.
struct RiSoilPart {
    const RiSoilKind *kind;
    const char *name;
    int link, body;
    RiPose pose;  ///< in the link frame
    double lever; ///< by which the damper weighs turning [m]
    int flags[RI_SOIL_DOUBTS];
    int memory_at, kept_at; ///< places of its numbers among those of its kind
    double *memory;         ///< in the state block: of the law,
    double *kept;           ///< of the simulation,
    double *out;            ///< and outputs
    // at the current state
    RiMat3 R; ///< the part's frame in the world
    RiVec3 origin, arm,
        rate;    ///< arm from the region's origin; rate: of the origin's velocity, without joint accelerations
    RiVec3 v, w; ///< in the part's frame
    // of this step
    RiSoilWrench law;
    RiVec3 applied_f, applied_m;  ///< in the world, before the solve; then what they came to
    RiVec3 end_force, end_moment; ///< what the wrench came to, in the part's frame
    RiVec3 v_end, w_end;          ///< in the part's frame
    double damper;                ///< c [N s/m]
};

typedef struct RiWheelRun RiWheelRun;
typedef struct RiDrumRun RiDrumRun;
typedef struct RiBodyRun RiBodyRun;
typedef struct RiBermPatch RiBermPatch;

struct RiSoilForces {
    const RiSoilMap *map;
    RiSoilOptions options;
    bool *soft;         ///< [region]
    bool mixed;         ///< there is hard ground, too
    bool walls;         ///< vertical walls stand on the terrain's border
    RiSoilPart **parts; ///< wheels, then screws, then bodies
    int count;
    RiWheelRun *wheels;
    RiDrumRun *screws;
    RiBodyRun *bodies;
    int wheel_count, screw_count, body_count;
    int *wheel_of, *screw_of, *body_of; ///< [link], -1
    RiBermPatch *patch;                 ///< of the wheel at work; NULL: no berms
    const RiSoilKind *kinds[RI_SOIL_KINDS];
    int sizes[RI_SOIL_KINDS];                           ///< numbers that the parts of a kind remember
    double *memory[RI_SOIL_KINDS], *out[RI_SOIL_KINDS]; ///< in the state block
};

extern const RiSoilKind ri_soil_wheel_kind, ri_soil_screw_kind, ri_soil_body_kind;

// soil.c
/// Adds a part that remembers so many numbers of its law and for itself.
RI_MUST_CHECK RiStatus ri_soil_add_part(RiSim *s, RiSoilPart *x, int memory, int kept);
/// Whether a law of soft soil answers for touches of a link with a material of the ground.
bool ri_soil_is_soft(const RiSim *s, int link, int ground, RiVec3 normal);
bool ri_soil_find_lying(RiSim *s); ///< which wheels lie on their sides at the state of d; true: others than before
bool ri_soil_is_always_soft(const RiSim *s, int link); ///< the same on every ground that there is
/// RI_ERR_ARGUMENT: the law of a plugin among a region's soft layers cannot be used there: it is one
/// of several, or `takes` is false (screws).
RI_MUST_CHECK RiStatus ri_soil_check_law(const RiSim *s, int region, bool takes);
/// Number of soft layers of a region from the top; the next one, if there is one, is hard.
int ri_soil_soft_layers(const RiSoilMap *map, int region);

// soil_wheel.c, soil_screw.c: the parts of a spec, after the ruts are enabled
RI_MUST_CHECK RiStatus ri_soil_add_wheels(RiSim *s, const RiSpec *spec);
RI_MUST_CHECK RiStatus ri_soil_add_screws(RiSim *s, const RiSpec *spec);
// soil_body.c: links that touch with shapes only
RI_MUST_CHECK RiStatus ri_soil_add_bodies(RiSim *s, const RiSpec *spec);
bool ri_soil_screw_is_soft(const RiSim *s, int link, int ground);

// soil_border.c
/// A touch of a wheel with soft ground becomes one with the edge of hard ground beside it, where
/// that is within the margin. False: there is none.
bool ri_soil_border_touch(RiSim *s, double margin, RiTouch *t);
/// Whether the ground at a point is hard. Only where it is mixed does anybody have to ask.
static inline bool ri_soil_is_hard(const RiSim *s, RiVec3 p)
{
    return !s->soil->soft[ri_soil_map_region_at(s->soil->map, p.x, p.y)];
}

// soil_part.c
/// Motion of the part in its frame, once R and origin are set. `link`: origin of its link in the world.
void ri_soil_part_move(const RiSim *s, RiSoilPart *x, RiVec3 link);
/// Puts the law's wrench and slopes at the origin on its link; h = 0: without slopes.
void ri_soil_part_apply(RiSim *s, RiSoilPart *x, double h);
/// The motion at the end of the step just solved.
void ri_soil_part_end(RiSim *s, RiSoilPart *x, double h);
/// The wrench at the end of the step, in place of the one that was applied.
void ri_soil_part_correct(RiSim *s, RiSoilPart *x);
/// Work of the wrench on the robot at the mean velocity of the step. After ri_dyn_mean_power.
double ri_soil_part_work(const RiSim *s, const RiSoilPart *x, double h);
/// Whether the work of a step just solved is within what soil holds; else the damper has been
/// raised, and the step is to be solved again. After ri_dyn_mean_power.
bool ri_soil_part_hold(const RiSim *s, RiSoilPart *x, double held, double h);
/// The share of the law's force that a damper has left. After ri_soil_part_correct.
double ri_soil_part_left(const RiSoilPart *x);

#endif
