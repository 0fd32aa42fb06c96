// SPDX-License-Identifier: Apache-2.0
/// \file
/// Devices mounted on a robot: controllers, motors and sensors, as blocks with ports.
///
///     inputs, parameters --(update, at the device's own rate)--> outputs, states
///
/// A device class defines its ports and how it is updated. An instance is a class with a
/// name, a rate, parameters and connections: each input may be connected to any named value of the
/// simulation, and some outputs act on the robot (a joint's effort, a joint's servo). All port
/// values are doubles in one block per instance, ordered as the class lists its ports, so a
/// snapshot of a simulation contains every device.
///
/// User devices are shared objects that export
///
///     const RiDeviceClass *rille_device(int index);   // NULL after the last
///
/// and check RI_DEVICE_ABI; see examples/device. They may use this header alone.
///
/// Threads and ownership: classes are constant. update is called from the simulation's thread, may
/// not allocate, lock, print or read a clock, and must not keep the pointers it is given.
#ifndef RILLE_DEVICE_H
#define RILLE_DEVICE_H

#include <rille/dynamics.h>
#include <rille/values.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Classes of earlier versions are also accepted, except those before version 3 on groups of joints:
/// version 2 added RI_ATTACH_JOINTS and what a call of such a device sees, version 3 the ground and
/// the sun, each at the end of the call, and wheel_radius of RiGroupJoint; version 4 update_all,
/// version 5 check_state, version 6 user, each at the end of the class, and name, user and trouble
/// at the end of the call; version 7 memory and scratch of a class, and rays, heights, range
/// sensors and memory at the end of the call; version 8 takes_map of a class, and map at the end of
/// the call.
#define RI_DEVICE_ABI 9

/// Effect of an output besides being a named value.
typedef enum RiPortAction {
    RI_PORT_NONE,
    RI_PORT_EFFORT, ///< added to the joint's effort [N m or N], held until the next update; also a servo's feed-forward
    RI_PORT_SERVO_GAIN, ///< joint servo: k of tau = k (reference - q) + d (rate - q') + feed-forward, evaluated by the integrator
    RI_PORT_SERVO_DAMPING,  ///< joint servo: d
    RI_PORT_SERVO_POSITION, ///< joint servo: reference
    RI_PORT_SERVO_RATE,     ///< joint servo: rate
    RI_PORT_SERVO_LIMIT     ///< joint servo: largest effort; 0 means none
} RiPortAction;

typedef struct RiPort {
    const char *name;
    /// SI. On a joint that slides, "rad" and "N*m" of a device's ports become "m" and "N", so that
    /// values in cm can be given; a device with a port `gear_ratio` has a shaft of its own, and
    /// only its outputs that act on the joint change.
    const char *unit;
    const char *doc;
    RiValueKind kind;
    double initial; ///< default of a parameter or input, start of a state or output
    double low,
        high; ///< allowed for parameters and inputs when they are written, and for all but outputs in a checkpoint
    RiPortAction action;
} RiPort;

/// What a device must be attached to.
typedef enum RiAttach {
    RI_ATTACH_NONE,
    RI_ATTACH_JOINT,  ///< a joint with one coordinate; joint_position ... are given
    RI_ATTACH_FRAME,  ///< a link, named frame or sensor mount
    RI_ATTACH_WRENCH, ///< any joint, merged ones included: the wrench it carries is given
    RI_ATTACH_JOINTS ///< the joints that match one of several globs ("bend_*, twist_*"), each with one coordinate, in the order in
                     ///< which they follow each other from the root of the robot outwards
} RiAttach;

/// A joint of a device on a group of joints, as an update sees it.
typedef struct RiGroupJoint {
    const char *name;
    double position, velocity, effort;
    RiPose pose;         ///< of the joint's child link in the world; the joint's axis goes through its origin
    RiVec3 axis;         ///< of the joint, unit, in axes of the child link
    double lower, upper; ///< limits of the position, infinite without
    double max_rate;     ///< limit of the velocity, infinite without
    // a screw on the child link; zero without, and without contact in the simulation
    double thread_radius; ///< [m]
    double thread_lead;   ///< advance per turn about thread_axis [m], negative for a left-handed thread
    RiVec3 thread_axis;   ///< unit, in axes of the child link; parallel to `axis`
    double wheel_radius;  ///< of a wheel on the child link, grousers included [m]; zero without, and without contact
} RiGroupJoint;

/// Set-points of a device for a joint of its group. These are named values (`device.joint.position`
/// and so on), to which servos and controllers are connected; they are part of the state.
typedef struct RiGroupCommand {
    double position; ///< reference [rad or m]
    double rate;     ///< its rate
    double effort;   ///< feed-forward
    double memory;   ///< private memory of the device for this joint
} RiGroupCommand;

/// Cost of driving for each cell and heading: a mobility map for a device that plans.
typedef struct RiDeviceMap {
    int nx, ny, headings; ///< heading k is k 2 pi / headings from x towards y; 1 to 16 of them
    double x0, y0, cell;  ///< middle of the first cell, and side [m]
    /// [headings][ny][nx] cost of a metre, at least 1; INFINITY: must not be entered in this heading.
    const float *cost;
    double outside; ///< cost of a metre beyond the map; set to the mean of all finite ones when a device gets it
    /// For drawing, [ny][nx], the worst over all headings; NAN: none. NULL: not given.
    const float *slip, *energy, *risk; ///< [-], [J/m], 0 to 1
} RiDeviceMap;

/// Arguments of an update. Port values are addressed by the class's own enum: x[PORT_KP].
typedef struct RiDeviceCall {
    double time; ///< [s]
    double dt;   ///< since the last update [s]; the period, at the first
    double *x;   ///< all port values, in the order of RiDeviceClass.ports
    /// One per port: whether something is connected to this input, so that a device can fall back
    /// on what it is attached to. NULL: nothing is.
    const bool *connected;
    // attached joint
    double joint_position, joint_velocity, joint_acceleration, joint_effort;
    // attached frame; velocities and accelerations in world axes, gravity included as a field
    RiPose frame_pose;
    RiSpatial frame_velocity, frame_acceleration;
    RiVec3 gravity;
    // attached wrench, in the axes of the joint's child link, moment about its origin
    RiSpatial wrench;
    /// Standard normal number k of this update: a pure function of seed, device, update and k.
    double (*normal)(const struct RiDeviceCall *call, int k);
    unsigned long long seed, update; ///< for `normal`
    // attached group of joints; frame_pose and frame_velocity are those of the root link
    const RiGroupJoint *joints; ///< [joint_count]
    RiGroupCommand *commands;   ///< [joint_count], as the last update left them, zero at first
    int joint_count;
    /// Rows of numbers given to the device, time first and strictly rising, then one column for
    /// each joint; NULL without.
    const double *table;
    int table_rows;
    /// Distance of a point of the world to the ground with its ruts [m], negative inside it; NAN
    /// where there is none. NULL: no terrain.
    double (*above_ground)(const struct RiDeviceCall *call, RiVec3 point);
    const void *world; ///< for `above_ground`
    RiVec3 sun;        ///< unit vector towards the sun in world axes, for devices on a frame; zero: there is none
    const char *name;  ///< of the device in the simulation
    void *user;        ///< of its class; NULL for classes before RI_DEVICE_ABI 6
    /// Initially NULL. An update that fails sets it to a message, which must live until ri_sim_step
    /// returns. The step then fails with RI_ERR_DEVICE and this message, and the simulation is as it
    /// was before the tick.
    const char *trouble;
    /// Range of the first ground along a ray of unit direction [m]; INFINITY: none within `most`.
    /// NULL: no terrain.
    double (*ground_ray)(const struct RiDeviceCall *call, RiVec3 origin, RiVec3 direction, double most);
    /// Height of the ground with its ruts below a point [m]; NAN where there is none.
    /// `out_material` may be NULL: number of the terrain's material. NULL: no terrain.
    double (*ground_height)(const struct RiDeviceCall *call, RiVec3 point, int *out_material);
    /// Range points of a camera pair (kind RI_SEE_STEREO) or lidar (RI_SEE_LIDAR) of the scene by
    /// number, in world axes; at most `room`. Returns the number of points, or -1 if there is no
    /// such sensor or this build does not support it. With `room` 0 it only tells whether the sensor
    /// works. NULL: the simulation has no such sensors.
    int (*see)(const struct RiDeviceCall *call, int kind, int sensor, RiVec3 *out_points, int room);
    /// RiDeviceClass.memory bytes that are part of the state, and RiDeviceClass.scratch bytes that
    /// are not; zero at the start. Call `keep_memory` before an update changes the memory, so that a
    /// failed tick can be undone.
    void *memory, *scratch;
    void (*keep_memory)(const struct RiDeviceCall *call);
    const RiDeviceMap *map; ///< for a device whose class uses a map; NULL if none was given
    /// This tick is kinematic: joints are moved and efforts have no effect. Motors are idle: they
    /// carry no current and start from rest when dynamics resume.
    bool prescribed;
    /// Of `table`: joint_count + 1, or 2 joint_count + 1: a rate for each joint after the positions,
    /// where the class takes them (RiDeviceClass.table_rates). Since RI_DEVICE_ABI 9.
    int table_columns;
} RiDeviceCall;

enum { RI_SEE_STEREO = 1, RI_SEE_LIDAR = 2 };

/// One device of several that are updated at once: its ports, and the joint that it is attached to.
typedef struct RiDeviceSeat {
    double *x;                         ///< as RiDeviceCall.x
    const bool *connected;             ///< as RiDeviceCall.connected
    const double *position, *velocity; ///< of the joint
} RiDeviceSeat;

typedef struct RiDeviceClass {
    int abi;          ///< RI_DEVICE_ABI
    const char *name; ///< "pid"
    const char *doc;
    RiAttach attach;
    const RiPort *ports;
    int port_count;
    /// Called once, after parameters are set and before the first update: checks them, sets initial
    /// states. It sees what the device is attached to at the initial state of the robot. Returns
    /// NULL, or what is wrong. May be NULL itself.
    const char *(*start)(RiDeviceCall *call);
    /// Reads parameters and inputs, writes states and outputs.
    void (*update)(RiDeviceCall *call);
    /// Does what `update` does for several devices on adjacent joints that have
    /// one rate; NULL: they are updated one by one. Of `call` only time, dt, gravity and user are
    /// set. Since RI_DEVICE_ABI 4.
    void (*update_all)(const RiDeviceCall *call, const RiDeviceSeat *seats, int count);
    /// Checks a state read from a file: indices within their tables, counts that are whole. Ports
    /// are already known to be finite and within their limits. Of `call` only x, commands,
    /// joint_count, table, table_rows, name, user and memory are set. Returns NULL, or what is
    /// wrong. May be NULL itself. Since RI_DEVICE_ABI 5.
    const char *(*check_state)(const RiDeviceCall *call);
    /// For the class itself; passed in every call. For devices made by a running program (a script,
    /// another program's model). Since RI_DEVICE_ABI 6.
    void *user;
    /// Bytes of memory for data that does not fit into ports, such as maps (part of the state), and
    /// of working space (not part of it). Since RI_DEVICE_ABI 7.
    size_t memory, scratch;
    bool takes_map;   ///< it uses the key `map`: RiDeviceCall.map. Since RI_DEVICE_ABI 8.
    bool table_rates; ///< its table may have rates of the joints as well. Since RI_DEVICE_ABI 9.
} RiDeviceClass;

/// Built-in classes: index from 0, NULL after the last; or by name.
const RiDeviceClass *ri_device_class(int index);
/// Class of a built-in device by name; NULL if there is none.
const RiDeviceClass *ri_device_find(const char *name);

/// Checks a class (abi, port names and units, defaults within limits). Used on user devices before
/// anything else is read.
RI_MUST_CHECK RiStatus ri_device_check(RiContext *ctx, const RiDeviceClass *device);

#ifdef __cplusplus
}
#endif
#endif
