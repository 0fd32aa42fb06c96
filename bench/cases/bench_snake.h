// SPDX-License-Identifier: Apache-2.0
/// \file
/// Robots of `rille bench snake` on their ground, ready to run: controllers at 1 kHz, contacts, a
/// log at 100 Hz.
#ifndef RILLE_BENCH_SNAKE_H
#define RILLE_BENCH_SNAKE_H

#include <rille/record.h>
#include <rille/scene.h>
#include <rille/sim.h>

typedef enum SnakeGround {
    SNAKE_ON_FIELD,
    SNAKE_ON_WIDE_FIELD,
    SNAKE_BETWEEN_WALLS,
    SNAKE_IN_COIL ///< on the field, curled up so that its ends press on each other
} SnakeGround;

/// What to build.
typedef struct SnakeCase {
    const char *robot; ///< file in the folder of robots
    int modules;
    SnakeGround ground;
    bool hulls; ///< links touch each other
} SnakeCase;

typedef struct SnakeRig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiTerrain *terrain;
    RiContacts *contacts;
    RiScene *scene; ///< between walls: it owns the simulation, and its devices drive the robot
    RiSim *sim;
    RiRecord *record;
    char path[256]; ///< of the log
    SnakeGround ground;
    int modules;
    bool hulls;
    int *reference; ///< [3 * module]: value of the bend, twist and screw references
    int *logged, logged_count;
    double *row; ///< of the log
    int group;
    long allocations; ///< made through the context so far
} SnakeRig;

/// Builds, and lets the robot settle. On failure the message is in rig->ctx; close in any case.
RI_MUST_CHECK RiStatus snake_rig_open(SnakeRig *rig, const SnakeCase *c);
void snake_rig_close(SnakeRig *rig);

/// References, controllers, contacts, integration.
RI_MUST_CHECK RiStatus snake_rig_step(SnakeRig *rig);
/// A step, and a row of the log every tenth time.
RI_MUST_CHECK RiStatus snake_rig_tick(SnakeRig *rig);

/// The robot and its controllers as MuJoCo's XML, on the same field. False: the file cannot be
/// written.
bool snake_rig_write_mjcf(const SnakeRig *rig, const char *path);

#endif
