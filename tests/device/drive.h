// SPDX-License-Identifier: Apache-2.0
/// \file
/// Drives one device by hand: a call with the class's initial values, ports by name, counter-based
/// normal numbers.
#ifndef RI_TESTS_DEVICE_DRIVE_H
#define RI_TESTS_DEVICE_DRIVE_H

#include "check.h"

#include <rille/device.h>

#include "base/rng.h"

enum { DRIVE_PORTS = 256, DRIVE_JOINTS = 16 };

typedef struct Drive {
    const RiDeviceClass *device;
    RiDeviceCall call;
    double x[DRIVE_PORTS];
    bool connected[DRIVE_PORTS];
    RiGroupJoint joints[DRIVE_JOINTS]; // of a device on a group
    RiGroupCommand commands[DRIVE_JOINTS];
    double table[2 * (DRIVE_JOINTS + 1)];
} Drive;

/// Number k of update u: the stream jumps far enough for the polar method.
static inline double drive_normal(const RiDeviceCall *call, int k)
{
    RiRng rng = ri_rng_stream(call->seed, "device");
    rng.counter = (call->update * 64 + (unsigned long long)k) << 8;
    return ri_rng_normal(&rng);
}

static inline int drive_port(const Drive *d, const char *name)
{
    for (int i = 0; i < d->device->port_count; i++)
        if (strcmp(d->device->ports[i].name, name) == 0)
            return i;
    CHECK_FAIL("device '%s' has no port '%s'", d->device->name, name);
    return 0;
}

static inline void drive_set(Drive *d, const char *port, double value)
{
    d->x[drive_port(d, port)] = value;
}

static inline void drive_connect(Drive *d, const char *port)
{
    d->connected[drive_port(d, port)] = true;
}

static inline double drive_get(const Drive *d, const char *port)
{
    return d->x[drive_port(d, port)];
}

/// A straight snake of n modules along x, 0.1 m each: the axis of joint i is axes[i % length], one
/// of x, y, z. Screws of 0.1 m radius turn with every joint, alternately right- and left-handed.
static inline void drive_group(Drive *d, int n, const char *axes)
{
    for (int i = 0; i < n; i++) {
        const char axis = axes[(size_t)i % strlen(axes)];
        d->joints[i] = (RiGroupJoint){.name = "joint",
                                      .pose = {ri_mat3_identity(), ri_vec3(0.1 * i, 0.0, 0.0)},
                                      .axis = ri_vec3(axis == 'x', axis == 'y', axis == 'z'),
                                      .lower = -2.0,
                                      .upper = 2.0,
                                      .max_rate = 100.0,
                                      .thread_radius = 0.1,
                                      .thread_lead = i % 2 ? -0.3 : 0.3,
                                      .thread_axis = ri_vec3(1.0, 0.0, 0.0),
                                      .wheel_radius = 0.15};
    }
    d->call.joints = d->joints;
    d->call.commands = d->commands;
    d->call.joint_count = n;
    d->table[n + 1] = 1.0; // two rows of zeros, a second apart
    d->call.table = d->table;
    d->call.table_rows = 2;
}

/// Memory of the device under test, one at a time.
static _Alignas(64) char drive_memory[1 << 20], drive_scratch[1 << 21];

static inline void drive_keep_memory(const RiDeviceCall *call)
{
    (void)call;
}

/// Level ground at z = -0.15, where wheels of drive_group stand.
static inline double drive_ray(const RiDeviceCall *call, RiVec3 origin, RiVec3 direction, double most)
{
    (void)call;
    const double r = direction.z < 0.0 ? (-0.15 - origin.z) / direction.z : INFINITY;
    return r >= 0.0 && r <= most ? r : INFINITY;
}

/// Sets up `d` in place, because the call points into it.
static inline void drive_init(Drive *d, const char *name, double dt)
{
    memset(d, 0, sizeof *d);
    d->device = ri_device_find(name);
    if (!d->device || d->device->port_count > DRIVE_PORTS) {
        fprintf(stderr, "no device '%s' for the test\n", name);
        exit(1);
    }
    for (int i = 0; i < d->device->port_count; i++)
        d->x[i] = d->device->ports[i].initial;
    d->call.dt = dt;
    d->call.x = d->x;
    d->call.connected = d->connected;
    d->call.frame_pose = ri_pose_identity();
    d->call.gravity = ri_vec3(0.0, 0.0, -9.81);
    d->call.normal = drive_normal;
    d->call.seed = 1;
    d->call.keep_memory = drive_keep_memory;
    memset(drive_memory, 0, sizeof drive_memory);
    memset(drive_scratch, 0, sizeof drive_scratch);
    REQUIRE(d->device->memory <= sizeof drive_memory && d->device->scratch <= sizeof drive_scratch);
    d->call.memory = drive_memory;
    d->call.scratch = drive_scratch;
    if (d->device->attach == RI_ATTACH_JOINTS) {
        drive_group(d, 6, "zy");
        for (int i = 0; i < 6; i++)
            d->joints[i].position = i % 2 ? -0.3 : 0.3;
    }
}

static inline const char *drive_start(Drive *d)
{
    return d->device->start ? d->device->start(&d->call) : NULL;
}

static inline void drive_update(Drive *d)
{
    d->device->update(&d->call);
    d->call.update++;
    d->call.time += d->call.dt;
}

/// Sets a parameter to a bad value: start must name it.
static inline void drive_refuses(const char *device, const char *port, double value)
{
    Drive d;
    drive_init(&d, device, 0.01);
    drive_set(&d, port, value);
    const char *why = drive_start(&d);
    if (!why || !strstr(why, port))
        CHECK_FAIL("%s.%s = %g gives '%s'", device, port, value, why ? why : "no complaint");
}

#endif
