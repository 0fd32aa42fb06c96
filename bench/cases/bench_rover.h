// SPDX-License-Identifier: Apache-2.0
/// \file
/// The driven rover of `rille bench rover`: MER on a height field, a motor and an encoder on every
/// wheel, a controller with a profile on every steering.
#ifndef RILLE_BENCH_ROVER_H
#define RILLE_BENCH_ROVER_H

#include <rille/sim.h>
#include <rille/stance.h>

enum { ROVER_STEERS = 4, ROVER_WHEELS = 6 };

typedef struct RoverRig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiTerrain *terrain;
    RiContacts *contacts;
    RiStance *stance;
    RiSim *sim;
    int steer[ROVER_STEERS], voltage[ROVER_WHEELS]; ///< named values
    long allocations;                               ///< made through the context so far
} RoverRig;

/// Context, robot (without `bodies` only its wheels touch) and ground: a field of n x n values over
/// 2 half x 2 half metres.
RI_MUST_CHECK RiStatus rover_rig_load(RoverRig *rig, const char *robot, bool bodies, int n, double half);
/// The same on the field of bench/snake.h, driven; it has settled.
RI_MUST_CHECK RiStatus rover_rig_open(RoverRig *rig, const char *robot, bool bodies);
void rover_rig_close(RoverRig *rig);
/// References, controllers, motors, contacts, integration.
RI_MUST_CHECK RiStatus rover_rig_step(RoverRig *rig);
/// The robot and its controllers as MuJoCo's XML, on the same field. False: the file cannot be
/// written.
bool rover_rig_write_mjcf(const RoverRig *rig, const char *path);

#endif
