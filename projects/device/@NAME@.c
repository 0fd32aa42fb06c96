/* A device of your own: a shared object that a scene loads. Here, a controller that turns a joint towards a reference.
 *
 *     make
 *     rille run scene.yaml
 */
#include <math.h>
#include <stddef.h>

#include <rille/device.h>

/* Ports: what the device is given, remembers and gives. Every one becomes a named value ("@NAME@.gain"). */
enum { GAIN, DAMPING, REFERENCE, EFFORT, PORTS };

static const RiPort ports[PORTS] = {
    [GAIN] = {"gain", "N*m/rad", "Effort per angle.", RI_VALUE_PARAMETER, 20.0, 0.0, INFINITY, RI_PORT_NONE},
    [DAMPING] = {"damping", "N*m*s/rad", "Effort per speed.", RI_VALUE_PARAMETER, 4.0, 0.0, INFINITY, RI_PORT_NONE},
    [REFERENCE] = {"reference", "rad", "Where the joint shall go.", RI_VALUE_INPUT, 0.0, -INFINITY, INFINITY,
                   RI_PORT_NONE},
    [EFFORT] = {"effort", "N*m", "What the device applies.", RI_VALUE_OUTPUT, 0.0, -INFINITY, INFINITY, RI_PORT_EFFORT},
};

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    x[EFFORT] = x[GAIN] * (x[REFERENCE] - call->joint_position) - x[DAMPING] * call->joint_velocity;
}

static const RiDeviceClass device = {
    .abi = RI_DEVICE_ABI,
    .name = "@NAME@",
    .doc = "Turns a joint towards a reference.",
    .attach = RI_ATTACH_JOINT,
    .ports = ports,
    .port_count = PORTS,
    .update = update,
};

/* What the scene's loader asks for: the classes by index, NULL after the last. */
const RiDeviceClass *rille_device(int index);
const RiDeviceClass *rille_device(int index)
{
    return index == 0 ? &device : NULL;
}
