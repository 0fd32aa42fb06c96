// SPDX-License-Identifier: Apache-2.0
/// \file
/// Shared objects that must be refused, one per value of BAD.
#include <stddef.h>

#include <rille/device.h>

static const RiPort port = {"level",     BAD == 3 ? "furlong" : "m", "A port.", RI_VALUE_OUTPUT, 0.0, 0.0, 0.0,
                            RI_PORT_NONE};

double a_function_of_nobody(void);

static void update(RiDeviceCall *call)
{
#if BAD == 7 // cannot be resolved: must show when loading, not in the middle of a run
    call->x[0] = a_function_of_nobody();
#else
    call->x[0] = 0.0;
#endif
}

static const RiDeviceClass class = {
    .abi = BAD == 2 ? RI_DEVICE_ABI + 1 : RI_DEVICE_ABI,
    .name = BAD == 4 ? "pid" : "bad",
    .doc = "A class.",
    .attach = RI_ATTACH_NONE,
    .ports = &port,
    .port_count = 1,
    .update = update,
};

#if BAD == 1
const RiDeviceClass *other_name(int index);
const RiDeviceClass *other_name(int index)
#else
const RiDeviceClass *rille_device(int index);
const RiDeviceClass *rille_device(int index)
#endif
{
    if (BAD == 5)
        return NULL;
    return index == 0 || BAD == 6 ? &class : NULL; // 6: never ends
}
