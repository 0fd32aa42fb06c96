// SPDX-License-Identifier: Apache-2.0
/// \file
/// The options shared by the loaders.
#include <rille/robot.h>

RiLoadOptions ri_load_options_default(void)
{
    return (RiLoadOptions){0};
}
