// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writing beside the place: the public header, by the name that the rooms use.
#ifndef RI_IO_BESIDE_H
#define RI_IO_BESIDE_H

#include <rille/file.h>

#endif
