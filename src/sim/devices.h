// SPDX-License-Identifier: Apache-2.0
/// \file
/// Devices in a simulation: what is mounted (device_add.c), and how it is updated (device_run.c).
#ifndef RI_SIM_DEVICES_H
#define RI_SIM_DEVICES_H

#include "device/group.h"
#include "sim/internal.h"

typedef struct RiDeviceSlot {
    const char *name;
    const RiDeviceClass *device;
    RiSource source;
    const char *attach;
    int joint, frame, spanning; // what it is attached to, -1
    int period;                 // ticks between updates
    double rate;
    RiGroupMember *group; // joints of a device on several, in order along the robot
    int group_count;
    const double *table;
    int table_rows, table_columns;
    const RiDeviceMap *map;
    int port;    // first port in the state block's ports
    int counter; // number of its update count in the state block
    const char **inputs, **sources;
    int connection_count;
    bool *connected; // [ports] something is connected to the input
    uint64_t seed;
    size_t memory; // where its memory begins in that of all devices
    size_t memory_size, scratch_size;
    void *scratch, *memory_kept; // memory_kept: its memory before this tick
    bool is_kept;                // memory_kept holds it
} RiDeviceSlot;

/// An input and the value it is read from.
typedef struct RiWire {
    double *to;
    int value;
} RiWire;

/// What an update of a device needs, resolved at start and in one place: two lines of cache, since
/// all of it is read in every tick.
typedef struct RiDeviceRun {
    void (*update)(RiDeviceCall *call);
    double *x;    // its ports
    double *kept; // where those that updates change are kept
    const bool *connected;
    const double *active;
    long long *updates;
    const RiWire *wires;
    const RiDeviceSlot *slot;
    double dt;
    uint64_t seed;
    int first, count; // ports that updates change
    int wire_count;
    int period;
    int sq, s;            // of its joint: position and spanning coordinate, -1
    RiGroupJoint *joints; // [slot->group_count], NULL
    bool placed;          // it sees a frame or a wrench
    int together;         // this and those behind it that can be updated at once, at least 1
} RiDeviceRun;
_Static_assert(sizeof(RiDeviceRun) <= 128, "two lines of cache");

/// An output of a device that says that it refused a command.
typedef struct RiRefusal {
    const struct RiRefusal *next;
    int port; // among all ports
    int flag; // validity
} RiRefusal;

/// An output that acts on a joint.
typedef struct RiActionSlot {
    const double *from;
    double *to;
    bool adds;
} RiActionSlot;

struct RiDevices {
    RiDeviceSlot *slots;
    int count, room;
    RiDeviceRun *runs;   // [devices]
    RiDeviceSeat *seats; // [devices]
    double *kept_ports;  // those that updates change, as they were before this tick, device by device
    const RiRefusal *refusals;
    bool sees_frames, sees_wrenches;
    RiActionSlot *actions;
    int action_count;
    int port_total;
    size_t memory_total;
    uint64_t memory_hash; // of `memory`
    bool is_hashed;       // memory_hash is up to date
    RiSeeFn see;          // range sensors of the scene; NULL: none
    void *see_user;
    int kept; // how many have been updated in this tick: their ports are in kept_ports, if the snapshot has them not
    // in the state block
    double *active; // [devices] 0 or 1
    double *ports;
    long long *updates; // [devices]
    char *memory;       // [memory_total]
};

// device_add.c
RI_MUST_CHECK RiStatus ri_devices_create(RiSim *s);
/// Devices that can refuse a command have an output that says so: registers its flags.
RI_MUST_CHECK RiStatus ri_devices_watch(RiSim *s);
/// Initial values of all ports, once the state block is in place.
void ri_devices_build(RiSim *s);
RI_MUST_CHECK RiStatus ri_devices_name(RiSim *s);
uint64_t ri_devices_fingerprint(const RiSim *s, uint64_t h);
void ri_devices_check_validity(RiSim *s);

// device_run.c
RI_MUST_CHECK RiStatus ri_sim_start_devices(RiSim *s);
RI_MUST_CHECK RiStatus ri_sim_update_devices(RiSim *s);
/// Takes back what updates of a failed tick did to ports that the snapshot does not hold.
void ri_sim_restore_devices(RiSim *s);

#endif
