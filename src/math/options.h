// SPDX-License-Identifier: Apache-2.0
/// \file
/// The option tables of this room (base/option.h).
#ifndef RI_MATH_OPTIONS_H
#define RI_MATH_OPTIONS_H

#include "base/option.h"

extern const RiOptionTable ri_sun_option_table; ///< RiSunDef: the key `sun` of a scene

#endif
