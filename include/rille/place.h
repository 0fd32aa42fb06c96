// SPDX-License-Identifier: Apache-2.0
/// \file
/// Placement: where a robot of many joints starts, so that it touches the ground that it is to rest on,
/// lie or hang in.
///
///     shape guess --(pulled out of the ground)--> free --(pulled onto it, no gravity, no friction)--> settled
///                 --(joints hold, gravity and friction on)--> held --> positions, joint references, a report
///
/// A robot that the ground bears from below comes to rest under its weight, with limp joints,
/// before they hold.
///
/// Every contact feature of a link that is meant to touch is pulled towards the ground nearest to
/// it by a spring whose force grows with the distance; joints yield to it around the guess. When
/// everything touches and nothing moves, servos take over the found angles and the load with which
/// the robot pressed against the ground, and the placement is watched under its own weight.
/// Equations: docs/theory/placement.md.
///
/// All motion happens in simulations of the placement's own. A placement that does not succeed is
/// no error: the report says so, and what was tried.
///
/// Threads and ownership: a placement belongs to one thread and is destroyed by who asked for it;
/// it keeps no pointers to the simulation.
#ifndef RILLE_PLACE_H
#define RILLE_PLACE_H

#include <rille/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/// First guess of the shape of a chain of links (the longest one of the robot). Curves run through
/// the axes of the bending joints.
typedef enum RiPlaceShape {
    RI_PLACE_GIVEN,    ///< positions of all joints as they are
    RI_PLACE_STRAIGHT, ///< along x of the shape's pose, bends in the plane of x and z unless twisted
    RI_PLACE_CRESCENT, ///< an arc in the plane of x and y, starting along x
    RI_PLACE_HELIX,    ///< around z
    RI_PLACE_ZIGZAG,   ///< in the plane of x and z, to and fro along x, advancing along z
    RI_PLACE_SHAPE_COUNT
} RiPlaceShape;
/// Name of a shape as scene files give it; never NULL.
const char *ri_place_shape_name(RiPlaceShape shape);

typedef enum RiPlaceStage {
    RI_PLACE_FREE,   ///< pulled out of the ground, or towards it from afar
    RI_PLACE_SETTLE, ///< pulled onto it
    RI_PLACE_PRESS,  ///< gravity comes on, joints take over
    RI_PLACE_HOLD,   ///< held by its joints
    RI_PLACE_STAGE_COUNT
} RiPlaceStage;
/// The stage in words; never NULL.
const char *ri_place_stage_name(RiPlaceStage stage);

/// What pulls a feature.
typedef struct RiPlacePull {
    int feature;
    RiVec3 point; ///< where it acts [m]
    RiVec3 force; ///< [N]
} RiPlacePull;

/// A look at a placement on its way.
typedef struct RiPlaceView {
    RiPlaceStage stage;
    int attempt;
    double time;     ///< since the start of the attempt [s]
    const double *q; ///< [nq]
    const RiPlacePull *pulls;
    int pull_count;
} RiPlaceView;
typedef void (*RiPlaceWatchFn)(void *user, const RiPlaceView *view);

typedef struct RiPlaceDef {
    RiPlaceShape shape;
    RiPose pose;   ///< of the shape in the world; not used by RI_PLACE_GIVEN
    double radius; ///< of crescent and helix [m]
    double pitch;  ///< of the helix, per turn [m]
    bool left;     ///< a left-handed helix; a crescent that bends to the right
    /// Of the straight shape: twisting joints to and fro, so that bends lie in two planes [rad];
    /// default 0
    double twist;
    double width; ///< of the zig-zag, between its corners [m]
    int leg;      ///< segments between corners of the zig-zag; default 1

    const char *const *
        touch; ///< globs over names of links that are meant to touch; none: those with screws or wheels, else all that can
    int touch_count;

    double attract;  ///< stiffness of the pull per kg of the robot that a feature represents [1/s^2]; default 40
    double strength; ///< most it pulls, per kg as well [m/s^2]; default 10
    double preload;  ///< what it pulls where it touches, per kg [m/s^2]; default 1
    double soft;     ///< joint stiffness while settling, relative to weight times segment length [1/rad]; default 0.05
    double still;    ///< speed below which a robot that touches has settled [m/s]; default 1 cm/s
    double time;     ///< most that is simulated before the hold in one attempt [s]; default 12
    int attempts; ///< default 32; later ones vary softness, preload and the guess: shifted by up to 1.25 segments, turned about itself, 10 % narrower or wider
    double depth; ///< deepest penetration that is accepted [m]; default 1 mm

    /// Least force with which each touch presses against the ground through the joints while
    /// holding [N]; default 0
    double press;
    /// It is raised until this part of the friction of all touches is left, or the actuators are at
    /// their end; default 0.4
    double margin;
    double hold;    ///< time under gravity [s]; default 2; 0: none
    double creep;   ///< most that any feature may move in the second half of it [m]; default 1 mm
    double step;    ///< of the simulations [s]; default 2 ms
    bool may_slide; ///< creep is measured but does not fail the placement

    /// Servos that will hold the joints, by spanning velocity (RiJointInfo.s_index); NULL: chosen
    /// from weight and size. A joint without stiffness is held only by its damping.
    const double *servo_stiffness, *servo_damping;

    RiPlaceWatchFn watch; ///< called 50 times per simulated second; may be NULL
    void *user;
} RiPlaceDef;
/// The defaults that its fields name.
RiPlaceDef ri_place_def_default(void);

/// A link with features. Links between two bending joints of the chain are one module, which
/// touches if one of them does; any other link is a module of its own.
typedef struct RiPlaceLink {
    int link;
    int module;      ///< number of its module
    bool meant;      ///< to touch
    int touches;     ///< of its features
    double gap;      ///< least distance of a feature from the ground, negative: it presses into it [m]
    double pressing; ///< sum of normal forces [N]
    double reserve;  ///< least part of the friction limit that is left at a touch; 1: no friction needed, 0: it slides
} RiPlaceLink;

/// What came of an attempt.
typedef struct RiPlaceTry {
    RiPlaceStage stage; ///< that it ended in
    double preload;     ///< [m/s^2]
    double soft;        ///< [1/rad]
    double time;        ///< simulated [s]
    int steps;
    int touching;       ///< modules meant to touch that did
    int at_limit;       ///< joints that ended at a limit
    double penetration; ///< [m]
    double speed;       ///< of the fastest feature at its end [m/s]
    char text[200];     ///< why it ended
} RiPlaceTry;

typedef struct RiPlaceReport {
    bool placed;
    char text[320]; ///< one sentence: placed, or why not and what was tried
    int link_count;
    const RiPlaceLink *links;
    int meant, touching; ///< modules that are meant to touch, and that do
    double gap;          ///< largest gap of a module that is meant to touch [m]; negative if all do
    double penetration;  ///< deepest [m]
    double margin;       ///< least friction reserve over all loaded touches; NAN without any
    double reserve;      ///< of all touches together: 1 - sum of friction forces / sum of their limits; NAN without any
    double creep;        ///< most that a feature moved in the second half of the hold [m]
    double speed;        ///< of the fastest feature at the end [m/s]
    double press;        ///< used [N]: less than asked for where an actuator would have been overloaded
    double effort;       ///< largest joint effort over its limit at the end of the hold; 0 without limits
    char weakest[64];    ///< the joint of that effort; "" without limits
    int try_count;
    const RiPlaceTry *tries;
    int pull_count; ///< pulls at the end of settling
    const RiPlacePull *pulls;
    int nq, ns;
    const double *q; ///< [nq] found positions
    /// [ns] servo references, by spanning velocity; those of joints with one coordinate are meant
    const double *reference;
} RiPlaceReport;

typedef struct RiPlacement RiPlacement;
/// Places the robot of a simulation that is built, with its contacts and gravity. Only a placement
/// that succeeds changes the simulation: its positions, with velocities zero; of one that has been
/// started, outputs follow when its state is loaded or at the next tick. RI_ERR_ARGUMENT: the
/// definition makes no sense for this robot (no contacts, no chain, a helix too narrow for its
/// segments ...).
RI_MUST_CHECK RiStatus ri_place(RiSim *sim, const RiPlaceDef *def, RiPlacement **out_placement);
/// Destroys it; NULL does nothing.
void ri_placement_destroy(RiPlacement *p);
/// How it went; borrowed, valid with the placement.
const RiPlaceReport *ri_placement_report(const RiPlacement *p);

#ifdef __cplusplus
}
#endif
#endif
