// SPDX-License-Identifier: Apache-2.0
/// \file
/// Random numbers: the public header, by the name that the rooms use.
#ifndef RI_BASE_RNG_H
#define RI_BASE_RNG_H

#include <rille/rng.h>

#endif
