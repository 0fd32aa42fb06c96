// SPDX-License-Identifier: Apache-2.0
/// \file
/// A placement at work, as its stages see it.
///
///     place.c --> place_settle.c (FREE, SETTLE) --> place_lie.c (a robot that lies) --> place_hold.c (PRESS, HOLD)
///                       \________________________________|__________________________________/
///                                                 place_stage.c
#ifndef RI_SIM_PLACE_WORK_H
#define RI_SIM_PLACE_WORK_H

#include "sim/place/place.h"

enum { RI_PLACE_TRIES = 32 }; // most attempts of a placement

/// Time for which nothing may move, and in which the pull of a module that does not touch grows by
/// e [s].
static const double RI_PLACE_STILL_FOR = 0.1, RI_PLACE_GROW = 0.4;
/// Time in which gravity comes on, time constant with which references follow, and time between new
/// efforts [s].
static const double RI_PLACE_RAMP = 0.4, RI_PLACE_FOLLOW = 0.1, RI_PLACE_RENEW = 0.02;
/// Time after which motion is braked whatever touches [s], and most that it is, relative to its
/// usual damping.
static const double RI_PLACE_BRAKE_AFTER = 2.0, RI_PLACE_MOST_BRAKE = 1000.0;
enum { RI_PLACE_LOOK_EVERY = 2 }; // steps

struct RiPlacement {
    RiContext *ctx;
    RiArena arena;
    RiPlaceReport report;
};

/// A placement at work.
typedef struct RiPlaceWork {
    RiPlacement *out;
    RiContext *ctx;
    RiArena *arena;
    const RiModel *m;
    const RiContacts *contacts;
    RiContacts own;    // those of the simulation, with the numbers its pairs have now
    RiContacts smooth; // the same without friction
    const RiPlaceDef *def;
    RiVec3 gravity;
    int passes;
    RiChain chain;
    RiPuller puller;
    RiPlaceLink *links;
    RiPlaceTry *tries, *attempt;
    double h;             // step of the stage [s]
    double mass, share;   // of the robot, and of a feature that is meant to touch [kg]
    double preload, soft; // of this attempt
    double *given;        // [nq] as the caller had it
    double *guess, *q;    // [nq]
    RiCorners corners;
    double *reference;       // [ns]
    double *hold_k, *hold_d; // [ns]
    double *tau;             // [nv]
    double least;            // pressing of a module that lies [N]
    bool lies;               // the ground is below it: its weight keeps it there
    bool firm;               // all modules press while they are held
    double *extra;           // [feature] pressing beyond that of all [N]
    double stiffest;         // contact [N/m]
    double forgotten;        // time in which they forgot the guess [s]
    double *shape;           // [nq] around which joints are soft
    RiPress press;
    int try_index;
    int module_count;
} RiPlaceWork;

/// A joint whose one coordinate is independent: servos act on it.
bool ri_place_is_driven(const RiModel *m, const RiBodyData *b);
/// All joints by the servos of the hold, at the positions of q or at the references.
void ri_place_set_servos(const RiPlaceWork *p, RiSim *s, const double *reference);
/// Joints of the chain yield. At a limit they stop.
void ri_place_yield(const RiPlaceWork *p, RiSim *s);
/// The least gap of a module's links that are meant to touch; negative infinity if none is.
double ri_place_module_gap(const RiPlaceWork *p, int module);
/// Looks at all features of a state: gaps and pulls, touches of links and modules, joints at their
/// limits.
void ri_place_look(RiPlaceWork *p, const RiSim *s);
/// Name of a link of the module with the largest gap.
const char *ri_place_farthest(const RiPlaceWork *p);
/// Name of the link that is deepest in the ground.
const char *ri_place_deepest(const RiPlaceWork *p);
/// Name of a link meant to touch that lies beyond the edge of the terrain; NULL.
const char *ri_place_outside(const RiPlaceWork *p);
/// Touches at the puller's last look; with `lost`, modules that have lost the ground count with the
/// feature nearest to it.
void ri_place_collect_touches(RiPlaceWork *p, const RiSim *s, bool lost);
/// Efforts that hold the robot still under gravity and the forces of the touches, into tau.
void ri_place_find_efforts(RiPlaceWork *p, RiSim *s, RiVec3 gravity);
/// One step; false if the motion diverged (the attempt says so).
bool ri_place_step(RiPlaceWork *p, RiSim *s, RiPlaceStage stage);
/// Out of the ground, without contacts. True unless the attempt has failed.
bool ri_place_run_free(RiPlaceWork *p, RiSim *s);
/// What keeps a settled robot from being accepted; "" if nothing does.
void ri_place_judge(RiPlaceWork *p, bool still);
/// References of the hold to begin with: the found angles.
void ri_place_set_references(RiPlaceWork *p);
/// Onto the ground. True: settled.
bool ri_place_run_settle(RiPlaceWork *p, RiSim *s);
/// Joints correct what the change to servos and friction has changed. False: diverged.
bool ri_place_correct(RiPlaceWork *p, RiSim *s);
/// A robot that lies: without friction and with limp joints it comes to rest under its weight where
/// that is stable, each module bearing its own weight but for what it takes to bring the others
/// down. Then servos take over.
bool ri_place_run_lie(RiPlaceWork *p, RiSim *s);
/// Under its own weight. True: it stays.
bool ri_place_run_hold(RiPlaceWork *p, RiSim *s);

#endif
