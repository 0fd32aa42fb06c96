// SPDX-License-Identifier: Apache-2.0
/// \file
/// Shared objects that must be refused, one per value of BAD.
#include <stddef.h>

#include <rille/device.h>

static const RiPort port = {"level",     BAD == 3 ? "furlong" : "m", "A port.", RI_VALUE_OUTPUT, 0.0, 0.0, 0.0,
                            RI_PORT_NONE};

static void update(RiDeviceCall *call)
{
    call->x[0] = 0.0;
}

static const RiDeviceClass class = {
    BAD == 2 ? RI_DEVICE_ABI + 1 : RI_DEVICE_ABI,
    BAD == 4 ? "pid" : "bad",
    "A class.",
    RI_ATTACH_NONE,
    &port,
    1,
    NULL,
    update,
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
