// SPDX-License-Identifier: Apache-2.0
/// \file
/// Two user devices in one shared object:
///
///     spring_brake   holds a joint unless it is powered; opens and closes with a delay
///     bang_bang      full effort towards a reference, nothing inside a dead band
///
/// Compile:  cc -std=c17 -O2 -fPIC -shared -o brake.so brake.c -I <folder of rille/>
#include <rille/device.h>

// ------------------------------------------------------------------------------------ spring brake

// One name per port; the table below uses the same names, so that its order cannot go wrong.
enum { TORQUE, SLIP, DELAY, POWER, OPEN, DAMPING, LIMIT, BRAKE_PORTS };

static const RiPort brake_ports[BRAKE_PORTS] = {
    [TORQUE] = {"torque", "N*m", "Largest torque of the closed brake.", RI_VALUE_PARAMETER, 1.0, 0.0, INFINITY,
                RI_PORT_NONE},
    [SLIP] = {"slip_speed", "rad/s", "Speed at which the torque is reached.", RI_VALUE_PARAMETER, 1e-3, 0.0, INFINITY,
              RI_PORT_NONE},
    [DELAY] = {"delay", "s", "Time to open or close.", RI_VALUE_PARAMETER, 0.05, 0.0, INFINITY, RI_PORT_NONE},
    [POWER] = {"power", "", "1 opens the brake, 0 lets the spring close it.", RI_VALUE_INPUT, 0.0, 0.0, 1.0,
               RI_PORT_NONE},
    [OPEN] = {"open", "", "0 closed, 1 open.", RI_VALUE_STATE, 0.0, 0.0, 1.0, RI_PORT_NONE},
    [DAMPING] = {"damping", "N*m*s/rad", "Slope of the braking torque.", RI_VALUE_OUTPUT, 0.0, -INFINITY, INFINITY,
                 RI_PORT_SERVO_DAMPING},
    [LIMIT] = {"limit", "N*m", "Braking torque in force.", RI_VALUE_OUTPUT, 0.0, -INFINITY, INFINITY,
               RI_PORT_SERVO_LIMIT},
};

static const char *brake_start(RiDeviceCall *call)
{
    if (!(call->x[TORQUE] > 0.0))
        return "'torque' must be positive";
    if (!(call->x[SLIP] > 0.0))
        return "'slip_speed' must be positive";
    if (!(call->x[DELAY] >= 0.0))
        return "'delay' must be zero or positive";
    return NULL;
}

/// Dry friction as a stiff damper with a limit. The integrator evaluates both, so the brake holds
/// without chatter.
static void brake_update(RiDeviceCall *call)
{
    double *x = call->x;
    const double step = x[DELAY] > 0.0 ? call->dt / x[DELAY] : 1.0;
    x[OPEN] += x[POWER] > 0.5 ? step : -step;
    x[OPEN] = fmax(0.0, fmin(1.0, x[OPEN]));
    const double torque = (1.0 - x[OPEN]) * x[TORQUE];
    x[DAMPING] = torque / x[SLIP];
    x[LIMIT] = torque; // a limit of 0 means none, but then the damping is 0 as well
}

static const RiDeviceClass spring_brake = {
    .abi = RI_DEVICE_ABI,
    .name = "spring_brake",
    .doc = "Brake that a spring closes and power opens.",
    .attach = RI_ATTACH_JOINT,
    .ports = brake_ports,
    .port_count = BRAKE_PORTS,
    .start = brake_start,
    .update = brake_update,
};

// --------------------------------------------------------------------------------------- bang-bang

enum { EFFORT, BAND, REFERENCE, OUT, BANG_PORTS };

static const RiPort bang_ports[BANG_PORTS] = {
    [EFFORT] = {"effort", "N*m", "Effort outside the dead band.", RI_VALUE_PARAMETER, 1.0, 0.0, INFINITY, RI_PORT_NONE},
    [BAND] = {"band", "rad", "Half width of the dead band.", RI_VALUE_PARAMETER, 0.01, 0.0, INFINITY, RI_PORT_NONE},
    [REFERENCE] = {"reference", "rad", "Where the joint shall be.", RI_VALUE_INPUT, 0.0, -INFINITY, INFINITY,
                   RI_PORT_NONE},
    [OUT] = {"out", "N*m", "Effort on the joint.", RI_VALUE_OUTPUT, 0.0, -INFINITY, INFINITY, RI_PORT_EFFORT},
};

static void bang_update(RiDeviceCall *call)
{
    const double error = call->x[REFERENCE] - call->joint_position;
    call->x[OUT] = fabs(error) <= call->x[BAND] ? 0.0 : copysign(call->x[EFFORT], error);
}

static const RiDeviceClass bang_bang = {
    .abi = RI_DEVICE_ABI,
    .name = "bang_bang",
    .doc = "Full effort towards a reference.",
    .attach = RI_ATTACH_JOINT,
    .ports = bang_ports,
    .port_count = BANG_PORTS,
    .update = bang_update,
};

// ------------------------------------------------------------------------------------------ export

const RiDeviceClass *rille_device(int index);
const RiDeviceClass *rille_device(int index)
{
    static const RiDeviceClass *const classes[] = {&spring_brake, &bang_bang};
    return index >= 0 && index < 2 ? classes[index] : NULL;
}
