// SPDX-License-Identifier: Apache-2.0
/// \file
/// Brushed DC motor with a gear, inductance neglected: the current follows the voltage at once
/// [huntsberger2008 2.4].
///
///     R i = V - Kt w,     tau = Kt i - b w,     w = N q',     effort = N tau eta^s
///
/// V supply voltage, i current, w speed and tau torque of the motor shaft, q' joint rate, N gear
/// ratio, b viscous friction. A current limit holds |i| by lowering the voltage to R i + Kt w.
///
/// Gear losses: eta is the efficiency from shaft to joint. When the load drives the motor, the loss
/// acts the other way and the joint feels tau / eta; s = w sign(tau) / (N v0), within +-1, blends
/// the two over the slip speed v0 and is 0 at rest. The gear never gives power: w tau (1 - eta^s)
/// >= 0.
///
/// The back-EMF is a damper of N^2 Kt^2 / R at the joint, often too stiff to be held over an
/// update. With `continuous` the part that falls with speed goes to the integrator as servo
/// damping; only the rest is held. Test: tests/device/test_motor.c (stall, no-load, power balance).
#include "base/functions.h"
#include "device/motor_ports.h"
#include "device/parts.h"

enum {
    CONTINUOUS = MOTOR_PORTS,
    VOLTAGE,
    CURRENT,
    APPLIED_VOLTAGE,
    BACK_EMF,
    SPEED,
    TORQUE,
    EFFORT,
    POWER,
    STALLED,
    LIMITED,
    HELD_EFFORT,
    SERVO_DAMPING,
    COUNT
};

static const RiPort ports[COUNT] = {
    MOTOR_PORT_ROWS("Largest voltage; 0 means none.", 0.0),
    [CONTINUOUS] = RI_PARAMETER("continuous", "", 1.0, 0.0, 1.0,
                                "1: the integrator evaluates the speed-dependent part; 0: all is held over an update."),
    [VOLTAGE] = RI_INPUT("voltage", "V", "Commanded voltage."),
    [CURRENT] = RI_OUTPUT("current", "A", "Armature current i."),
    [APPLIED_VOLTAGE] = RI_OUTPUT("applied_voltage", "V", "Voltage at the terminals, R i + Kt w."),
    [BACK_EMF] = RI_OUTPUT("back_emf", "V", "Kt w."),
    [SPEED] = RI_OUTPUT("speed", "rad/s", "Shaft speed w."),
    [TORQUE] = RI_OUTPUT("torque", "N*m", "Shaft torque tau, friction taken off."),
    [EFFORT] = RI_OUTPUT("effort", "N*m", "Effort at the joint at the time of the update."),
    [POWER] = RI_OUTPUT("power", "W", "Electrical power, applied voltage times current; negative while braking."),
    [STALLED] = RI_OUTPUT("stalled", "", "1 while current flows and the shaft does not turn."),
    [LIMITED] = RI_OUTPUT("limited", "", "1 while the voltage or current limit acts."),
    [HELD_EFFORT] = RI_ACTION("held_effort", "N*m", RI_PORT_EFFORT, "Part of the effort that is held."),
    [SERVO_DAMPING] =
        RI_ACTION("servo_damping", "N*m*s/rad", RI_PORT_SERVO_DAMPING, "Part that falls with the joint's rate."),
};

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    const char *wrong = motor_refuse(x);
    if (wrong)
        return wrong;
    if (!ri_is_flag(x[CONTINUOUS]))
        return "'continuous' must be 0 or 1";
    return NULL;
}

/// The gear's factor on the shaft torque, eta^s.
static double gear_factor(const RiMotor *m, double torque, double joint_velocity)
{
    const double along = torque * m->gear_ratio < 0.0 ? -joint_velocity : joint_velocity;
    return ri_pow(m->efficiency, ri_bound(along / m->slip_speed, 1.0));
}

RiMotorState ri_motor_compute(const RiMotor *m, double voltage, double joint_velocity)
{
    RiMotorState s = {.speed = m->gear_ratio * joint_velocity, .voltage = ri_bound(voltage, m->max_voltage)};
    const double Kt = m->torque_constant, R = m->resistance, wanted = (s.voltage - Kt * s.speed) / R;
    s.current = m->open ? 0.0 : ri_bound(wanted, m->current_limit);
    s.torque = Kt * s.current - m->friction * s.speed;
    s.gear = m->gear_ratio * gear_factor(m, s.torque, joint_velocity);
    s.limited = !m->open && (s.voltage != voltage || s.current != wanted);
    // at the current limit the current no longer falls with speed: only friction does
    s.current_slope = m->open || s.current != wanted ? 0.0 : m->gear_ratio * Kt / R;
    s.damping = s.gear * (m->gear_ratio * m->friction + Kt * s.current_slope);
    return s;
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    const RiMotor m = {x[RESISTANCE], x[TORQUE_CONSTANT], x[FRICTION],      x[GEAR_RATIO],   x[EFFICIENCY],
                       x[SLIP_SPEED], x[MAX_VOLTAGE],     x[CURRENT_LIMIT], call->prescribed};
    const RiMotorState s = ri_motor_compute(&m, x[VOLTAGE], call->joint_velocity);
    x[CURRENT] = s.current;
    x[SPEED] = s.speed;
    x[BACK_EMF] = m.torque_constant * s.speed;
    x[APPLIED_VOLTAGE] = m.resistance * s.current + x[BACK_EMF];
    x[TORQUE] = s.torque;
    x[EFFORT] = s.gear * s.torque;
    x[POWER] = x[APPLIED_VOLTAGE] * s.current;
    x[STALLED] = fabs(s.speed) < x[STALL_SPEED] && fabs(s.current) > x[STALL_CURRENT];
    x[LIMITED] = s.limited;
    x[SERVO_DAMPING] = x[CONTINUOUS] != 0.0 ? s.damping : 0.0;
    x[HELD_EFFORT] = x[EFFORT] + x[SERVO_DAMPING] * call->joint_velocity;
}

const RiDeviceClass ri_device_motor = {
    .abi = RI_DEVICE_ABI,
    .name = "motor",
    .doc = "DC motor with a gear, driven by a voltage.",
    .attach = RI_ATTACH_JOINT,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
