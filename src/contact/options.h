// SPDX-License-Identifier: Apache-2.0
/// \file
/// The option tables of this room (base/option.h).
#ifndef RI_CONTACT_OPTIONS_H
#define RI_CONTACT_OPTIONS_H

#include "base/option.h"

extern const RiOptionTable ri_contact_option_table; ///< RiContactOptions: the key `contact` of a scene
extern const RiOptionTable ri_stance_option_table;  ///< RiStanceDef: the key `stance` of a scene

#endif
