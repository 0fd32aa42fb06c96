// SPDX-License-Identifier: Apache-2.0
/// \file
/// The mission of a climber: make contact, hold the own weight for a time, climb.
/// [EELS-DARTS 2024, section 4.3.1]
///
///     0 contact --(touching for settle_time)--> 1 hold --(hold_time)--> 2 climb --(climb_goal)--> 3 done
///
/// The height is that of the mean of the group's joints, the body's axis the line from the first
/// joint to the last. The angle between that axis and the line of gravity is the pitch; beyond the
/// limit (60 degrees) mobility is lost and stays lost. A robot that sinks more than hold_tolerance
/// while it holds has failed to hold. Contact lost while holding starts the hold again. Failures are
/// outputs: a scene ends its run by `stop: mission.mobility_failure`. Test:
/// tests/onboard/test_mission.c.
#include "base/functions.h"
#include "onboard/onboard.h"

enum {
    CONTACTS,
    SETTLE_TIME,
    HOLD_TIME,
    HOLD_TOLERANCE,
    PITCH_LIMIT,
    CLIMB_SPEED,
    CLIMB_GOAL,
    TOUCHING,
    PHASE,
    SETTLED,
    HELD,
    START_HEIGHT,
    CLIMBED,
    FARTHEST,
    MOBILITY_FAILURE,
    HOLD_FAILURE,
    HEIGHT,
    PITCH,
    SPEED,
    COUNT
};

enum { MAKE_CONTACT, HOLD, CLIMB, DONE };

static const RiPort ports[COUNT] = {
    [CONTACTS] = RI_PARAMETER("contacts", "", 2.0, 1.0, INFINITY, "Contacts that are enough to hold."),
    [SETTLE_TIME] =
        RI_PARAMETER("settle_time", "s", 0.5, 0.0, INFINITY, "Time for which there must be contact before the hold."),
    [HOLD_TIME] = RI_PARAMETER("hold_time", "s", 5.0, 0.0, INFINITY, "Time for which the robot holds its own weight."),
    [HOLD_TOLERANCE] =
        RI_PARAMETER("hold_tolerance", "m", 0.02, 0.0, INFINITY, "Largest drop while holding; 0 means none."),
    [PITCH_LIMIT] =
        RI_PARAMETER("pitch_limit", "rad", RI_PI / 3.0, 0.0, RI_PI / 2.0, "Pitch at which mobility is lost."),
    [CLIMB_SPEED] = RI_ANY_PARAMETER("climb_speed", "m/s", 0.05, "Commanded speed upwards; negative goes down."),
    [CLIMB_GOAL] = RI_PARAMETER("climb_goal", "m", 0.0, 0.0, INFINITY,
                                "Vertical distance at which the climb is done; 0 means none."),
    [TOUCHING] = RI_INPUT("touching", "", "Number of contacts, such as contact.touching."),
    [PHASE] = RI_LIMITED_STATE("phase", "", 0.0, 3.0, "0 making contact, 1 holding, 2 climbing, 3 done."),
    [SETTLED] = RI_STATE("settled", "s", "Time for which there has been contact."),
    [HELD] = RI_STATE("held", "s", "Time for which the weight has been held."),
    [START_HEIGHT] = RI_STATE("start_height", "m", "Height at the beginning of the phase."),
    [CLIMBED] = RI_STATE("climbed", "m", "Vertical distance since the climb began, in the commanded direction."),
    [FARTHEST] = RI_STATE("farthest", "m", "Largest vertical distance before a failure."),
    [MOBILITY_FAILURE] =
        RI_LIMITED_STATE("mobility_failure", "", 0.0, 1.0, "1 once the pitch has gone beyond its limit."),
    [HOLD_FAILURE] = RI_LIMITED_STATE("hold_failure", "", 0.0, 1.0, "1 once the robot has sunk too far while holding."),
    [HEIGHT] = RI_OUTPUT("height", "m", "Mean height of the joints, against gravity."),
    [PITCH] = RI_OUTPUT("pitch", "rad", "Angle between the body's axis and the line of gravity, 0 to 90 degrees."),
    [SPEED] = RI_OUTPUT("speed", "m/s", "Speed upwards that is commanded now."),
};

/// Height and pitch of the body now.
static void measure(RiDeviceCall *call)
{
    double *x = call->x;
    const int n = call->joint_count;
    const double g = ri_norm(call->gravity);
    x[PITCH] = x[HEIGHT] = 0.0;
    if (n == 0)
        return;
    const RiVec3 up = g > 0.0 ? ri_scale(-1.0 / g, call->gravity) : ri_vec3(0.0, 0.0, 1.0);
    for (int i = 0; i < n; i++)
        x[HEIGHT] += ri_dot(up, call->joints[i].pose.p) / n;
    const RiVec3 chord = ri_sub(call->joints[n - 1].pose.p, call->joints[0].pose.p);
    const double length = ri_norm(chord), along = fabs(ri_dot(chord, up));
    if (g > 0.0 && length > 0.0)
        x[PITCH] = ri_atan2(ri_norm(ri_cross(chord, up)), along);
}

static void enter(double *x, double phase)
{
    x[PHASE] = phase;
    x[START_HEIGHT] = x[HEIGHT];
}

static void make_contact(double *x, double dt)
{
    x[SETTLED] = x[TOUCHING] >= x[CONTACTS] ? x[SETTLED] + dt : 0.0;
    if (x[SETTLED] >= x[SETTLE_TIME] && x[SETTLED] > 0.0)
        enter(x, HOLD);
}

static void hold(double *x, double dt)
{
    if (x[TOUCHING] < x[CONTACTS]) {
        x[HELD] = x[SETTLED] = 0.0;
        enter(x, MAKE_CONTACT);
        return;
    }
    x[HELD] += dt;
    if (x[HOLD_TOLERANCE] > 0.0 && x[START_HEIGHT] - x[HEIGHT] > x[HOLD_TOLERANCE])
        x[HOLD_FAILURE] = 1.0;
    if (x[HELD] >= x[HOLD_TIME] && x[HOLD_FAILURE] == 0.0)
        enter(x, CLIMB);
}

static void climb(double *x)
{
    x[CLIMBED] = (x[HEIGHT] - x[START_HEIGHT]) * (x[CLIMB_SPEED] < 0.0 ? -1.0 : 1.0);
    if (x[MOBILITY_FAILURE] == 0.0)
        x[FARTHEST] = fmax(x[FARTHEST], x[CLIMBED]);
    if (x[CLIMB_GOAL] > 0.0 && x[CLIMBED] >= x[CLIMB_GOAL])
        x[PHASE] = DONE;
}

static const char *start(RiDeviceCall *call)
{
    if (call->joint_count == 1)
        return "needs at least two joints in its group: its axis is the line from the first to the last";
    measure(call);
    call->x[START_HEIGHT] = call->x[HEIGHT];
    return NULL;
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    measure(call);
    if (x[PITCH] > x[PITCH_LIMIT])
        x[MOBILITY_FAILURE] = 1.0;
    switch ((int)x[PHASE]) {
    case MAKE_CONTACT:
        make_contact(x, call->dt);
        break;
    case HOLD:
        hold(x, call->dt);
        break;
    case CLIMB:
        climb(x);
        break;
    default:
        break;
    }
    const bool moving = x[PHASE] == CLIMB && x[MOBILITY_FAILURE] == 0.0;
    x[SPEED] = moving ? x[CLIMB_SPEED] : 0.0;
}

const RiDeviceClass ri_mission = {
    .abi = RI_DEVICE_ABI,
    .name = "mission",
    .doc = "Contact, hold, climb: phases and failures of a climber.",
    .attach = RI_ATTACH_JOINTS,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
