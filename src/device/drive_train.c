// SPDX-License-Identifier: Apache-2.0
/// \file
/// A drive train in one device: profile generator -> controller -> DC motor -> gear -> joint, with
/// the encoder that closes the loop, the books of its energy, and its faults.
/// [jain2003 2.7, huntsberger2008 2.4]
///
///     reference:   p, v within max_velocity and max_acceleration; to a target, or at a rate
///     controller:  V = N Kt (v + B (p - q_enc) + I),  I' = K (p - q_enc)
///     motor:       R i = V - Kt w,  tau = Kt i - b w,  w = N q',  effort = N tau eta^s     (motor.c)
///
/// N Kt v is the voltage that turns an unloaded motor at v, so the bandwidth B of the loop is a
/// number of its own whatever the motor. A limit of the voltage stops the integral, and a reference
/// that runs at a rate waits there for the joint.
///
/// **Books.** Over a step of length h that ends at the rate v+, the integrator has used effort =
/// held - D v+ (implicit, one step per update), at the mean rate v_m of the step. The next update
/// sees v+ and books, with i+ the current at v+ and w_m = N v_m,
///
///     electrical (R i+ + Kt w_m) i+ h  =  heat R i+^2 h  +  friction b w+ w_m h  +  gear (N tau+ - e) v_m h  +  mechanical e v_m h
///
/// with the effort e = g tau+ - D_g (v+ - v): near rest the gear's loss changes sides within
/// `slip_speed`, and its slope D_g goes to the integrator, too. The last is what the simulation
/// books as work. Test: tests/device/test_drive_train.c.
///
/// **Power and warmth.** Without power, below `cold_limit` or above `hot_limit` no current flows and
/// the joint turns freely against the gear's and the shaft's friction. Copper resists more when it
/// is warm, grease when it is cold:
///
///     R = R0 (1 + a (T - T0)),  b = b0 exp((T0 - T) / T_g)
///
/// **Kinematic ticks.** While joints are moved without dynamics the motor is idle.
///
/// **Faults** may come and go at any time: see the port `fault`.
#include "base/functions.h"
#include "device/motor_ports.h"
#include "device/parts.h"

enum {
    MAX_VELOCITY = MOTOR_PORTS,
    MAX_ACCELERATION,
    BANDWIDTH,
    INTEGRAL_GAIN,
    RESOLUTION,
    LOCK_STIFFNESS,
    LOCK_DAMPING,
    WARM,
    COPPER,
    GREASE,
    COLD_LIMIT,
    HOT_LIMIT,
    MODE,
    TARGET,
    TARGET_RATE,
    MANUAL,
    MANUAL_TARGET,
    MANUAL_RATE,
    FAULT,
    FAULT_ANGLE,
    FAULT_VOLTAGE,
    POWERED,
    TEMPERATURE,
    STARTED,
    REFERENCE,
    REFERENCE_RATE,
    INTEGRAL,
    LOCKED,
    LAST_VELOCITY,
    LAST_CURRENT,
    CURRENT_SLOPE,
    GEAR,
    GEAR_DAMPING,
    USED_RESISTANCE,
    USED_FRICTION,
    POSITION,
    VELOCITY,
    COUNTS,
    VOLTAGE,
    CURRENT,
    SPEED,
    TORQUE,
    EFFORT,
    POWER,
    STALLED,
    LIMITED,
    HELD_OFF,
    DONE,
    ELECTRICAL_ENERGY,
    HEAT_ENERGY,
    FRICTION_ENERGY,
    GEAR_ENERGY,
    MECHANICAL_ENERGY,
    LOCK_ENERGY,
    HELD_EFFORT,
    SERVO_DAMPING,
    SERVO_GAIN,
    SERVO_POSITION,
    COUNT
};

typedef enum Fault { FAULT_NONE, FAULT_DEAD, FAULT_STALL, FAULT_STUCK, FAULT_RUNAWAY, FAULT_COUNT } Fault;

static const RiPort ports[COUNT] = {
    MOTOR_PORT_ROWS("Voltage of the supply; 0 means no limit.", 0.1),
    [MAX_VELOCITY] = RI_PARAMETER("max_velocity", "rad/s", 1.0, 0.0, INFINITY, "Largest rate of the reference."),
    [MAX_ACCELERATION] =
        RI_PARAMETER("max_acceleration", "rad/s^2", 1.0, 0.0, INFINITY, "Largest acceleration of the reference."),
    [BANDWIDTH] = RI_PARAMETER("bandwidth", "Hz", 10.0, 0.0, INFINITY, "B of the controller, per second."),
    [INTEGRAL_GAIN] =
        RI_PARAMETER("integral_gain", "Hz^2", 20.0, 0.0, INFINITY, "K of the controller, per second squared."),
    [RESOLUTION] = RI_PARAMETER("resolution", "", 0.0, 0.0, INFINITY,
                                "Counts of the encoder per turn of the motor shaft; 0: it sees the joint exactly."),
    [LOCK_STIFFNESS] = RI_PARAMETER("lock_stiffness", "N*m/rad", 1e4, 0.0, INFINITY, "Of a joint that is stuck."),
    [LOCK_DAMPING] = RI_PARAMETER("lock_damping", "N*m*s/rad", 1e3, 0.0, INFINITY, "Of a joint that is stuck."),
    [WARM] = RI_PARAMETER("reference_temperature", "K", 293.15, 1.0, 1000.0,
                          "At which `resistance` and `friction` are given."),
    [COPPER] = RI_PARAMETER("resistance_slope", "1/K", 0.0, 0.0, 0.1,
                            "Growth of the resistance per kelvin, over its reference value; copper: 0.0039."),
    [GREASE] = RI_PARAMETER("grease", "K", 0.0, 0.0, INFINITY,
                            "The friction grows by e for every so many kelvins of cold; 0: it does not."),
    [COLD_LIMIT] = RI_PARAMETER("cold_limit", "K", 0.0, 0.0, 1000.0, "A colder motor gets no current."),
    [HOT_LIMIT] = RI_PARAMETER("hot_limit", "K", 0.0, 0.0, 10000.0, "A hotter motor gets no current; 0: no limit."),
    [MODE] = RI_PARAMETER("mode", "", 0.0, 0.0, 1.0, "0 goes to a target, 1 turns at a rate."),
    [TARGET] = RI_INPUT("target", "rad", "Where the joint shall go (mode 0)."),
    [TARGET_RATE] = RI_INPUT("target_rate", "rad/s", "How fast it shall turn (mode 1)."),
    [MANUAL] = RI_INPUT("manual", "", "Not 0: motor level, the manual inputs count instead of the targets."),
    [MANUAL_TARGET] = RI_INPUT("manual_target", "rad", "Where the joint shall go at motor level."),
    [MANUAL_RATE] = RI_INPUT("manual_rate", "rad/s", "How fast it shall turn at motor level."),
    [FAULT] =
        RI_INPUT("fault", "",
                 "0 none; 1 dead: no current; 2 stall: the gear jams where it is; 3 stuck: goes to fault_angle and "
                 "jams there; 4 runaway: fault_voltage whatever is commanded."),
    [FAULT_ANGLE] = RI_INPUT("fault_angle", "rad", "Where the joint gets stuck."),
    [FAULT_VOLTAGE] = RI_INPUT("fault_voltage", "V", "Of a runaway; 0: that of the supply."),
    [POWERED] = {"powered", "", "0: no current flows; connect to `supply` of the load that represents the motors.",
                 RI_VALUE_INPUT, 1.0, -INFINITY, INFINITY, RI_PORT_NONE},
    [TEMPERATURE] = {"temperature", "K", "Of the motor: connect to that of its thermal node.", RI_VALUE_INPUT, 293.15,
                     -INFINITY, INFINITY, RI_PORT_NONE},
    [STARTED] = RI_LIMITED_STATE("started", "", 0.0, 1.0, "1 after the first update."),
    [REFERENCE] = RI_STATE("reference", "rad", "Reference position; starts at the joint's."),
    [REFERENCE_RATE] = RI_STATE("reference_rate", "rad/s", "Reference rate; starts at 0."),
    [INTEGRAL] = RI_STATE("integral", "rad/s", "Integral part I of the controller."),
    [LOCKED] = RI_LIMITED_STATE("locked", "", 0.0, 1.0, "1 while the gear is jammed."),
    [LAST_VELOCITY] = RI_STATE("last_velocity", "rad/s", "Rate of the joint at the last update."),
    [LAST_CURRENT] = RI_STATE("last_current", "A", "Current that a joint at rest would have."),
    [CURRENT_SLOPE] = RI_STATE("current_slope", "A*s/rad", "How the current falls with the joint's rate."),
    [GEAR] = RI_STATE("gear", "", "Effort of the joint per torque of the shaft."),
    [GEAR_DAMPING] =
        RI_STATE("gear_damping", "N*m*s/rad", "How the gear's loss grows with the joint's rate near rest."),
    [USED_RESISTANCE] = RI_STATE("used_resistance", "V/A", "Resistance since the last update."),
    [USED_FRICTION] = RI_STATE("used_friction", "N*m*s/rad", "Friction since the last update."),
    [POSITION] = RI_OUTPUT("position", "rad", "Joint position from the encoder."),
    [VELOCITY] = RI_OUTPUT("velocity", "rad/s", "Difference of that over one update."),
    [COUNTS] = RI_OUTPUT("count", "", "Counts of the encoder; 0 without a resolution."),
    [VOLTAGE] = RI_OUTPUT("voltage", "V", "At the terminals."),
    [CURRENT] = RI_OUTPUT("current", "A", "Armature current."),
    [SPEED] = RI_OUTPUT("speed", "rad/s", "Of the shaft."),
    [TORQUE] = RI_OUTPUT("torque", "N*m", "Of the shaft, friction taken off."),
    [EFFORT] = RI_OUTPUT("effort", "N*m", "At the joint."),
    [POWER] = RI_OUTPUT("power", "W", "From the supply; negative while braking."),
    [STALLED] = RI_OUTPUT("stalled", "", "1 while current flows and the shaft does not turn."),
    [LIMITED] = RI_OUTPUT("limited", "", "1 while the voltage or current limit acts."),
    [HELD_OFF] = RI_OUTPUT("held_off", "", "Why no current is allowed: 1 no power, 2 too cold, 3 too hot; 0: it is."),
    [DONE] = RI_OUTPUT("done", "", "1 while the reference is at its target, or turns at its rate."),
    [ELECTRICAL_ENERGY] = RI_OUTPUT("electrical_energy", "J", "From the supply since start."),
    [HEAT_ENERGY] = RI_OUTPUT("heat_energy", "J", "Lost in the armature since start."),
    [FRICTION_ENERGY] = RI_OUTPUT("friction_energy", "J", "Lost in friction of the shaft since start."),
    [GEAR_ENERGY] = RI_OUTPUT("gear_energy", "J", "Lost in the gear since start."),
    [MECHANICAL_ENERGY] = RI_OUTPUT("mechanical_energy", "J", "Given to the joint by the motor since start."),
    [LOCK_ENERGY] = RI_OUTPUT("lock_energy", "J", "Given to the joint by a jammed gear since start."),
    [HELD_EFFORT] = RI_ACTION("held_effort", "N*m", RI_PORT_EFFORT, "Part of the effort that is held."),
    [SERVO_DAMPING] =
        RI_ACTION("servo_damping", "N*m*s/rad", RI_PORT_SERVO_DAMPING, "Part that falls with the joint's rate."),
    [SERVO_GAIN] = RI_ACTION("servo_gain", "N*m/rad", RI_PORT_SERVO_GAIN, "Of a jammed gear."),
    [SERVO_POSITION] = RI_ACTION("servo_position", "rad", RI_PORT_SERVO_POSITION, "Where it is jammed."),
};

static const char *start(RiDeviceCall *call)
{
    double *x = call->x;
    const char *wrong = motor_refuse(x);
    if (wrong)
        return wrong;
    if (!ri_is_positive(x[MAX_VELOCITY]) || !ri_is_positive(x[MAX_ACCELERATION]))
        return "'max_velocity' and 'max_acceleration' must be positive";
    if (!ri_is_positive(x[BANDWIDTH]) || !ri_is_size(x[INTEGRAL_GAIN]))
        return "'bandwidth' must be positive, 'integral_gain' zero or positive";
    if (x[BANDWIDTH] * call->dt > 1.0)
        return "'bandwidth' is faster than one per update of the device: lower it, or raise the rate";
    if (!(x[RESOLUTION] >= 0.0 && x[RESOLUTION] <= 1e12))
        return "'resolution' must be 0 (exact) to 1e12 counts per turn";
    if (!ri_is_positive(x[LOCK_STIFFNESS]) || !ri_is_size(x[LOCK_DAMPING]))
        return "'lock_stiffness' must be positive, 'lock_damping' zero or positive";
    if (x[HOT_LIMIT] > 0.0 && x[HOT_LIMIT] <= x[COLD_LIMIT])
        return "'hot_limit' must be above 'cold_limit', or 0 for none";
    if (!ri_is_flag(x[MODE]))
        return "'mode' must be 0 (to a target) or 1 (at a rate)";
    x[REFERENCE] = x[POSITION] = call->joint_position;
    x[REFERENCE_RATE] = x[INTEGRAL] = x[STARTED] = 0.0;
    return NULL;
}

/// Resistance of the armature at the motor's temperature; at least a tenth of the reference value.
static double resistance_of(const double *x)
{
    return x[RESISTANCE] * fmax(1.0 + x[COPPER] * (x[TEMPERATURE] - x[WARM]), 0.1);
}

/// Viscous friction of the shaft at the motor's temperature.
static double friction_of(const double *x)
{
    return x[GREASE] > 0.0 ? x[FRICTION] * ri_exp((x[WARM] - x[TEMPERATURE]) / x[GREASE]) : x[FRICTION];
}

/// What the step since the last update took from the supply, and where it went.
static void book(const RiDeviceCall *call)
{
    double *x = call->x;
    const double h = call->dt, v = call->joint_velocity, mean = 0.5 * (x[LAST_VELOCITY] + v);
    const double N = x[GEAR_RATIO], Kt = x[TORQUE_CONSTANT], b = x[USED_FRICTION];
    const double R = x[USED_RESISTANCE];
    const double i = x[LAST_CURRENT] - x[CURRENT_SLOPE] * v, torque = Kt * i - b * N * v;
    x[ELECTRICAL_ENERGY] += h * i * (R * i + Kt * N * mean);
    x[HEAT_ENERGY] += h * R * i * i;
    x[FRICTION_ENERGY] += h * b * N * v * N * mean;
    const double effort = x[GEAR] * torque - x[GEAR_DAMPING] * (v - x[LAST_VELOCITY]);
    x[GEAR_ENERGY] += h * (N * torque - effort) * mean;
    x[MECHANICAL_ENERGY] += h * effort * mean;
    if (x[SERVO_GAIN] > 0.0)
        x[LOCK_ENERGY] += h * mean * (x[SERVO_GAIN] * (x[SERVO_POSITION] - call->joint_position) - x[LOCK_DAMPING] * v);
}

static void read_encoder(const RiDeviceCall *call)
{
    double *x = call->x;
    const double before = x[POSITION];
    x[POSITION] = call->joint_position;
    if (x[RESOLUTION] > 0.0) {
        const double step = 2.0 * RI_PI / (x[RESOLUTION] * x[GEAR_RATIO]); // [rad] of the joint
        x[COUNTS] = floor(call->joint_position / step + 0.5);
        x[POSITION] = x[COUNTS] * step;
    }
    x[VELOCITY] = x[STARTED] != 0.0 ? (x[POSITION] - before) / call->dt : 0.0;
}

/// Moves the reference. `held`: the voltage is at its limit, a reference at a rate waits.
static void move_reference(const RiDeviceCall *call, Fault fault, bool held)
{
    double *x = call->x;
    const bool manual = x[MANUAL] != 0.0;
    if (fault == FAULT_STUCK || x[MODE] == 0.0) {
        const double to = fault == FAULT_STUCK ? x[FAULT_ANGLE] : manual ? x[MANUAL_TARGET] : x[TARGET];
        x[DONE] =
            ri_profile_advance(to, x[MAX_VELOCITY], x[MAX_ACCELERATION], call->dt, &x[REFERENCE], &x[REFERENCE_RATE])
                .done;
        return;
    }
    const double rate = ri_bound(manual ? x[MANUAL_RATE] : x[TARGET_RATE], x[MAX_VELOCITY]);
    const double before = x[REFERENCE_RATE], most = x[MAX_ACCELERATION] * call->dt;
    x[REFERENCE_RATE] = before + ri_bound(rate - before, most);
    if (!held)
        x[REFERENCE] += 0.5 * (before + x[REFERENCE_RATE]) * call->dt;
    x[DONE] = x[REFERENCE_RATE] == rate;
}

/// Voltage of the controller. At the limit the integral only comes back.
static double control(const RiDeviceCall *call)
{
    double *x = call->x;
    const double unit = x[GEAR_RATIO] * x[TORQUE_CONSTANT], error = x[REFERENCE] - x[POSITION];
    const double grown = x[INTEGRAL] + x[INTEGRAL_GAIN] * error * call->dt;
    const double voltage = unit * (x[REFERENCE_RATE] + x[BANDWIDTH] * error + grown);
    const bool beyond = ri_bound(voltage, x[MAX_VOLTAGE]) != voltage;
    if (!beyond || error * x[INTEGRAL] < 0.0)
        x[INTEGRAL] = grown;
    return voltage;
}

/// A jammed gear: holds the joint where it was when it jammed.
static void lock(const RiDeviceCall *call, Fault fault)
{
    double *x = call->x;
    const bool there = fault == FAULT_STALL || (fault == FAULT_STUCK && x[DONE] != 0.0);
    if (there && x[LOCKED] == 0.0)
        x[SERVO_POSITION] = fault == FAULT_STUCK ? x[FAULT_ANGLE] : call->joint_position;
    x[LOCKED] = there;
    x[SERVO_GAIN] = there ? x[LOCK_STIFFNESS] : 0.0;
}

static Fault fault_of(const double *x)
{
    return x[FAULT] >= 1.0 && x[FAULT] < FAULT_COUNT ? (Fault)x[FAULT] : FAULT_NONE;
}

/// Why the motor may not get current.
static double held_off(const double *x)
{
    if (x[POWERED] == 0.0)
        return 1.0;
    if (x[TEMPERATURE] < x[COLD_LIMIT])
        return 2.0;
    return x[HOT_LIMIT] > 0.0 && x[TEMPERATURE] > x[HOT_LIMIT] ? 3.0 : 0.0;
}

/// What a motor without current does: it is dead, unless its gear is jammed.
static Fault without_current(const double *x, Fault fault)
{
    return fault == FAULT_STALL || x[LOCKED] != 0.0 ? fault : FAULT_DEAD;
}

/// A reference that was left behind by a fault starts again from where the joint is.
static void take_up(const RiDeviceCall *call)
{
    double *x = call->x;
    x[REFERENCE] = x[POSITION];
    x[REFERENCE_RATE] = call->joint_velocity;
    x[INTEGRAL] = 0.0;
}

/// Current and effort of a voltage. A dead motor carries none.
static void drive(const RiDeviceCall *call, Fault fault, double voltage)
{
    double *x = call->x;
    const double v = call->joint_velocity;
    x[USED_RESISTANCE] = resistance_of(x);
    x[USED_FRICTION] = friction_of(x);
    RiMotor m = {x[USED_RESISTANCE], x[TORQUE_CONSTANT], x[USED_FRICTION],
                 x[GEAR_RATIO],      x[EFFICIENCY],      x[SLIP_SPEED],
                 x[MAX_VOLTAGE],     x[CURRENT_LIMIT],   fault == FAULT_DEAD || x[HELD_OFF] != 0.0};
    if (x[LOCKED] != 0.0)
        m.efficiency = 1.0; // nothing moves in a jammed gear
    const RiMotorState s = ri_motor_compute(&m, voltage, v);
    x[CURRENT] = s.current;
    x[SPEED] = s.speed;
    x[TORQUE] = s.torque;
    x[EFFORT] = s.gear * s.torque;
    x[VOLTAGE] = m.resistance * s.current + m.torque_constant * s.speed;
    x[POWER] = x[VOLTAGE] * s.current;
    x[STALLED] = fabs(s.speed) < x[STALL_SPEED] && fabs(s.current) > x[STALL_CURRENT];
    x[LIMITED] = s.limited;
    x[GEAR] = s.gear;
    x[GEAR_DAMPING] = fabs(v) < m.slip_speed ? fabs(s.gear * s.torque * ri_log(m.efficiency)) / m.slip_speed : 0.0;
    x[CURRENT_SLOPE] = s.current_slope;
    x[LAST_CURRENT] = s.current + s.current_slope * v;
    x[LAST_VELOCITY] = v;
    x[HELD_EFFORT] = x[EFFORT] + (s.damping + x[GEAR_DAMPING]) * v;
    x[SERVO_DAMPING] = s.damping + x[GEAR_DAMPING] + (x[SERVO_GAIN] > 0.0 ? x[LOCK_DAMPING] : 0.0);
}

/// A tick in which the joint is moved without dynamics: no current, nothing is booked, and the
/// reference goes with the joint.
static void idle(const RiDeviceCall *call)
{
    double *x = call->x;
    read_encoder(call);
    x[STARTED] = 0.0; // the next update has no step to book
    take_up(call);
    x[DONE] = 1.0;
    x[SERVO_GAIN] = x[LOCKED] = 0.0;
    drive(call, FAULT_DEAD, 0.0);
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    if (call->prescribed) {
        idle(call);
        return;
    }
    x[HELD_OFF] = held_off(x);
    const Fault fault = x[HELD_OFF] != 0.0 ? without_current(x, fault_of(x)) : fault_of(x);
    if (x[STARTED] != 0.0)
        book(call);
    read_encoder(call);
    x[STARTED] = 1.0;
    if (fault == FAULT_DEAD || fault == FAULT_RUNAWAY)
        take_up(call);
    else
        move_reference(call, fault, x[LIMITED] != 0.0);
    lock(call, fault);
    double voltage = control(call);
    if (fault == FAULT_RUNAWAY)
        voltage = x[FAULT_VOLTAGE] != 0.0 ? x[FAULT_VOLTAGE] : x[MAX_VOLTAGE];
    drive(call, fault, voltage);
}

const RiDeviceClass ri_device_drive_train = {
    .abi = RI_DEVICE_ABI,
    .name = "drive_train",
    .doc = "Profile generator, controller, DC motor, gear and encoder of a joint, with faults and energy books.",
    .attach = RI_ATTACH_JOINT,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
