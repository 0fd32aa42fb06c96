// SPDX-License-Identifier: Apache-2.0
/// \file
/// Subsystems in a simulation (network.c).
#ifndef RI_SIM_NETWORK_H
#define RI_SIM_NETWORK_H

#include "device/network/network.h"
#include "optics/ray_mesh.h"
#include "sim/devices.h"

/// A shape of the robot that throws shadows, in the frame of its link.
typedef struct RiShade {
    RiShapeType type;
    int link;
    RiPose pose;
    double size[3];
    double radius;  // of a ball around it [m]
    RiPose now;     // in the world, with the members' poses
    RiRayMesh mesh; // of type RI_SHAPE_MESH
} RiShade;

struct RiNetworkSlot {
    RiNetwork network; // count 0: no subsystems
    int *device;       // [network.count] number of each among the devices
    int period;        // ticks
    RiShade *shades;
    int shade_count;
    int *cover_of; // [materials] member that is the cover of a material of the terrain, -1; NULL: there are no covers
    int materials;
};

RI_MUST_CHECK RiStatus ri_sim_create_network(RiSim *s);
/// Period of a subsystem without a rate: one second, in whole ticks.
int ri_sim_network_period(const RiSim *s);
/// Gathers the subsystems among the devices, checks and starts them; after the devices were
/// started.
RI_MUST_CHECK RiStatus ri_sim_start_network(RiSim *s);
/// Whether the tick that begins now ends with a step of the network.
bool ri_sim_network_is_due(const RiSim *s);
/// The network's step that ends now, if one does; at the end of a tick, with d at the new state.
void ri_sim_step_network(RiSim *s);
/// What throws shadows belongs to what a state means, where there are subsystems.
uint64_t ri_sim_network_fingerprint(const RiSim *s, uint64_t h);

#endif
