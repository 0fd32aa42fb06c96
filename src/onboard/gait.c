// SPDX-License-Identifier: Apache-2.0
/// \file
/// Gaits of snakes as travelling waves: undulation, sidewinding, rolling, helix.
///
/// With n = 0, 1, ... counting the joints from the tail and the phase P growing at 2 pi f, the
/// references are
///
///     lateral joints    b_l + A_l sin(P + k n)
///     vertical joints   b_v + A_v sin(P + k n + delta)           [hirose1993, tesch2009]
///
/// and every twist joint is held at 0. They are blended in from the joints' first positions over
/// the ramp time by s = u^2 (3 - 2 u), u = t / ramp, so that position and rate are continuous. The
/// four classes are the same formula with other constants:
///
///     class           A_v             k     delta   needs
///     gait_undulate   -               any   -       lateral joints; vertical ones and twists are held at 0
///     gait_sidewind   own             any   any     lateral and vertical joints; or bends and twists
///     gait_roll       as lateral      0     pi/2    lateral and vertical joints; or bends and twists
///     gait_helix      as lateral      any   pi/2    lateral and vertical joints; or bends and twists at rest
///
/// A snake with bends and twists instead of two kinds of bends turns its twists to +90 and -90 degrees
/// by turns for sidewinding and rolling: bends behind an odd number of twists are then vertical, with
/// the opposite sign. A helix at rest is a constant bend and a constant twist; it cannot travel along
/// the body without turning the modules about its axis. Test: tests/onboard/test_gait.c.
#include "base/functions.h"
#include "onboard/onboard.h"

enum { AMPLITUDE, VERTICAL, FREQUENCY, PHASE_STEP, SHIFT, OFFSET, VERTICAL_OFFSET, RAMP, PHASE, ELAPSED, BLEND, COUNT };

typedef enum Kind { UNDULATION, WAVE, ARC, HELIX } Kind;

#define AMPLITUDE_PORT(doc) RI_PARAMETER("amplitude", "rad", 0.5, 0.0, RI_PI, doc)
#define WAVE_PORTS                                                                                                     \
    [FREQUENCY] = RI_ANY_PARAMETER("frequency", "Hz", 0.25, "Waves per second f; negative runs backwards."),           \
    [RAMP] = RI_PARAMETER("ramp", "s", 1.0, 0.0, INFINITY, "Time over which the gait is blended in."),                 \
    [PHASE] = RI_STATE("phase", "rad", "Phase P of the wave, 0 to 2 pi."),                                             \
    [ELAPSED] = RI_STATE("elapsed", "s", "Time since the first update."),                                              \
    [BLEND] = RI_OUTPUT("blend", "", "Share of the gait in the references, 0 to 1.")
/// A port that a class has not: its value is the constant of the gait.
#define FIXED_PORT(at, name, unit, value, doc) [at] = RI_PARAMETER(name, unit, value, value, value, doc)
#define STEP_PORT(value)                                                                                               \
    [PHASE_STEP] = RI_ANY_PARAMETER("phase_step", "rad", value,                                                        \
                                    "Phase k from joint to joint; the wave runs to the tail if positive.")
#define OFFSET_PORTS [OFFSET] = RI_ANY_PARAMETER("offset", "rad", 0.0, "Mean b_l of the lateral joints: steers.")

static const RiPort undulate_ports[COUNT] = {
    [AMPLITUDE] = AMPLITUDE_PORT("Amplitude A_l of the lateral joints."),
    FIXED_PORT(VERTICAL, "vertical_amplitude", "rad", 0.0, "Amplitude A_v of the vertical joints: none."),
    STEP_PORT(0.7),
    FIXED_PORT(SHIFT, "shift", "rad", 0.0, "Phase delta of the vertical joints: none."),
    OFFSET_PORTS,
    FIXED_PORT(VERTICAL_OFFSET, "vertical_offset", "rad", 0.0, "Mean b_v of the vertical joints: none."),
    WAVE_PORTS,
};

static const RiPort sidewind_ports[COUNT] = {
    [AMPLITUDE] = AMPLITUDE_PORT("Amplitude A_l of the lateral joints."),
    [VERTICAL] = RI_PARAMETER("vertical_amplitude", "rad", 0.2, 0.0, RI_PI, "Amplitude A_v of the vertical joints."),
    STEP_PORT(0.7),
    [SHIFT] = RI_ANY_PARAMETER("shift", "rad", RI_PI / 2.0,
                               "Phase delta of the vertical joints; its sign is the side to which it goes."),
    OFFSET_PORTS,
    [VERTICAL_OFFSET] = RI_ANY_PARAMETER("vertical_offset", "rad", 0.0, "Mean b_v of the vertical joints."),
    WAVE_PORTS,
};

static const RiPort roll_ports[COUNT] = {
    [AMPLITUDE] = AMPLITUDE_PORT("Bend of every joint: the body is an arc that rolls."),
    [VERTICAL] = RI_PARAMETER("vertical_amplitude", "rad", 0.0, 0.0, RI_PI,
                              "Amplitude A_v of the vertical joints; 0: that of the lateral ones."),
    FIXED_PORT(PHASE_STEP, "phase_step", "rad", 0.0, "Phase k from joint to joint: none."),
    FIXED_PORT(SHIFT, "shift", "rad", RI_PI / 2.0, "Phase delta of the vertical joints: a quarter."),
    OFFSET_PORTS,
    [VERTICAL_OFFSET] = RI_ANY_PARAMETER("vertical_offset", "rad", 0.0, "Mean b_v of the vertical joints."),
    WAVE_PORTS,
};

static const RiPort helix_ports[COUNT] = {
    [AMPLITUDE] = AMPLITUDE_PORT("Bend of every joint."),
    [VERTICAL] = RI_PARAMETER("vertical_amplitude", "rad", 0.0, 0.0, RI_PI,
                              "Amplitude A_v of the vertical joints; 0: that of the lateral ones."),
    [PHASE_STEP] = RI_ANY_PARAMETER(
        "phase_step", "rad", 0.5,
        "Turn k of the bending plane from joint to joint; its sign is the hand. On bends and twists: the twist."),
    FIXED_PORT(SHIFT, "shift", "rad", RI_PI / 2.0, "Phase delta of the vertical joints: a quarter."),
    OFFSET_PORTS,
    [VERTICAL_OFFSET] = RI_ANY_PARAMETER("vertical_offset", "rad", 0.0, "Mean b_v of the vertical joints."),
    WAVE_PORTS,
};

/// Bends and twists: a helix is a constant bend and a constant twist, no wave.
static bool is_bend_twist(const RiDeviceCall *call)
{
    return ri_count_use(call, RI_USE_TWIST) > 0 && ri_count_use(call, RI_USE_VERTICAL) == 0;
}

/// How many twists of the group are behind joint n, towards the tail.
static int twists_before(const RiDeviceCall *call, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += ri_joint_use(&call->joints[i]) == RI_USE_TWIST;
    return count;
}

/// Whether a gait in space is done by bends and turned twists.
static bool is_turned(const RiDeviceCall *call, Kind kind)
{
    return (kind == WAVE || kind == ARC) && is_bend_twist(call) && ri_count_use(call, RI_USE_LATERAL) > 1;
}

/// What joint n bends where the twists of a snake of bends and twists are at 90 degrees by turns.
static RiJointUse turned_use(const RiDeviceCall *call, int n)
{
    const RiJointUse use = ri_joint_use(&call->joints[n]);
    return use == RI_USE_LATERAL && twists_before(call, n) % 2 ? RI_USE_VERTICAL : use;
}

/// The same as `wave` for such a snake.
static double turned_wave(const RiDeviceCall *call, int n, double vertical, double *out_slope)
{
    const double *x = call->x;
    const RiJointUse use = turned_use(call, n);
    const int twists = twists_before(call, n);
    const double sign = ri_axis_sign(&call->joints[n]);
    *out_slope = 0.0;
    if (use == RI_USE_TWIST)
        return sign * (twists % 2 ? -0.5 : 0.5) * RI_PI;
    if (use != RI_USE_LATERAL && use != RI_USE_VERTICAL)
        return 0.0;
    const bool up = use == RI_USE_VERTICAL;
    const double amplitude = (up ? -1.0 : 1.0) * sign * (up ? vertical : x[AMPLITUDE]);
    const double angle = x[PHASE] + x[PHASE_STEP] * (n - twists) + (up ? x[SHIFT] : 0.0);
    *out_slope = amplitude * ri_cos(angle);
    return (up ? -sign * x[VERTICAL_OFFSET] : sign * x[OFFSET]) + amplitude * ri_sin(angle);
}

/// Amplitude of a bend. Arcs (roll and helix) have the lateral one throughout unless a vertical one
/// is given.
static double amplitude_of(const double *x, RiJointUse use, Kind kind)
{
    return use == RI_USE_VERTICAL && (kind < ARC || x[VERTICAL] > 0.0) ? x[VERTICAL] : x[AMPLITUDE];
}

/// Where the gait wants joint n, and how that changes with the phase.
static double wave(const RiDeviceCall *call, int n, Kind kind, double *out_slope)
{
    const double *x = call->x;
    const RiJointUse use = ri_joint_use(&call->joints[n]);
    const double sign = ri_axis_sign(&call->joints[n]);
    *out_slope = 0.0;
    if (kind == HELIX && is_bend_twist(call))
        return sign * (use == RI_USE_TWIST ? x[PHASE_STEP] : x[AMPLITUDE] + x[OFFSET]);
    if (is_turned(call, kind))
        return turned_wave(call, n, amplitude_of(x, RI_USE_VERTICAL, kind), out_slope);
    if (use != RI_USE_LATERAL && use != RI_USE_VERTICAL)
        return 0.0;
    const bool up = use == RI_USE_VERTICAL;
    const double amplitude = amplitude_of(x, use, kind);
    const double angle = x[PHASE] + x[PHASE_STEP] * n + (up ? x[SHIFT] : 0.0);
    *out_slope = sign * amplitude * ri_cos(angle);
    return sign * ((up ? x[VERTICAL_OFFSET] : x[OFFSET]) + amplitude * ri_sin(angle));
}

/// Whether each joint can go as far and as fast as the gait asks.
static const char *check_limits(const RiDeviceCall *call, Kind kind)
{
    const double *x = call->x, turn = 2.0 * RI_PI * fabs(x[FREQUENCY]);
    for (int n = 0; n < call->joint_count; n++) {
        const RiGroupJoint *joint = &call->joints[n];
        const bool turned = is_turned(call, kind);
        const RiJointUse use = turned ? turned_use(call, n) : ri_joint_use(joint);
        if (turned && use == RI_USE_TWIST && (joint->upper < 0.5 * RI_PI || joint->lower > -0.5 * RI_PI))
            return "needs twists that reach 90 degrees to both sides";
        if (use != RI_USE_LATERAL && use != RI_USE_VERTICAL)
            continue;
        const double mean = ri_axis_sign(joint) * (use == RI_USE_VERTICAL ? x[VERTICAL_OFFSET] : x[OFFSET]);
        const double most = amplitude_of(x, use, kind);
        if (mean + most > joint->upper || mean - most < joint->lower)
            return "'amplitude' and 'offset' go beyond the limits of a joint of the group";
        if (most * turn > joint->max_rate)
            return "'amplitude' times 2 pi 'frequency' is faster than a joint of the group can move";
    }
    return NULL;
}

/// Starts the blend where the joints stand.
static const char *begin(RiDeviceCall *call, Kind kind)
{
    for (int n = 0; n < call->joint_count; n++) {
        call->commands[n].memory = call->joints[n].position;
        call->commands[n].position = call->joints[n].position;
    }
    return ri_is_size(call->x[RAMP]) ? check_limits(call, kind) : "'ramp' must be finite";
}

static const char *start_undulate(RiDeviceCall *call)
{
    return ri_count_use(call, RI_USE_LATERAL) > 0
               ? begin(call, UNDULATION)
               : "needs joints that bend sideways (axis z of their links) in its group";
}

static const char *start_spatial(RiDeviceCall *call, Kind kind)
{
    if (is_turned(call, kind))
        return begin(call, kind);
    if (ri_count_use(call, RI_USE_LATERAL) == 0 || ri_count_use(call, RI_USE_VERTICAL) == 0)
        return "needs joints that bend sideways (axis z) and joints that bend up and down (axis y) in its group, or "
               "bends and twists (axis x) by turns";
    return begin(call, kind);
}

static const char *start_sidewind(RiDeviceCall *call)
{
    return start_spatial(call, WAVE);
}

static const char *start_roll(RiDeviceCall *call)
{
    return start_spatial(call, ARC);
}

static const char *start_helix(RiDeviceCall *call)
{
    if (!is_bend_twist(call))
        return start_spatial(call, HELIX);
    return call->x[FREQUENCY] == 0.0
               ? begin(call, HELIX)
               : "'frequency' must be 0: a helix of bends and twists cannot travel along the body";
}

static void update(RiDeviceCall *call, Kind kind)
{
    double *x = call->x;
    const double u = x[RAMP] > 0.0 ? fmin(1.0, x[ELAPSED] / x[RAMP]) : 1.0;
    const double blend = u * u * (3.0 - 2.0 * u);
    const double blend_rate = u < 1.0 ? 6.0 * u * (1.0 - u) / x[RAMP] : 0.0;
    const double turn = 2.0 * RI_PI * x[FREQUENCY];
    for (int n = 0; n < call->joint_count; n++) {
        double slope;
        const double want = wave(call, n, kind, &slope), first = call->commands[n].memory;
        call->commands[n].position = first + blend * (want - first);
        call->commands[n].rate = blend_rate * (want - first) + blend * slope * turn;
    }
    x[BLEND] = blend;
    x[ELAPSED] += call->dt;
    x[PHASE] = fmod(x[PHASE] + turn * call->dt, 2.0 * RI_PI);
    x[PHASE] += x[PHASE] < 0.0 ? 2.0 * RI_PI : 0.0;
}

static void update_undulation(RiDeviceCall *call)
{
    update(call, UNDULATION);
}

static void update_wave(RiDeviceCall *call)
{
    update(call, WAVE);
}

static void update_arc(RiDeviceCall *call)
{
    update(call, ARC);
}

static void update_helix(RiDeviceCall *call)
{
    update(call, HELIX);
}

#define GAIT(variable, word, text, table, starts, updates)                                                             \
    const RiDeviceClass variable = {.abi = RI_DEVICE_ABI,                                                              \
                                    .name = word,                                                                      \
                                    .doc = text,                                                                       \
                                    .attach = RI_ATTACH_JOINTS,                                                        \
                                    .ports = table,                                                                    \
                                    .port_count = COUNT,                                                               \
                                    .start = starts,                                                                   \
                                    .update = updates}

GAIT(ri_gait_undulate, "gait_undulate", "Lateral undulation: a wave of bends from head to tail.", undulate_ports,
     start_undulate, update_undulation);
GAIT(ri_gait_sidewind, "gait_sidewind", "Sidewinding: a lateral and a vertical wave.", sidewind_ports, start_sidewind,
     update_wave);
GAIT(ri_gait_roll, "gait_roll", "Rolling: the body as an arc turns about its own axis.", roll_ports, start_roll,
     update_arc);
GAIT(ri_gait_helix, "gait_helix", "Helix: winds around or inside a pipe and rolls along it.", helix_ports, start_helix,
     update_helix);
