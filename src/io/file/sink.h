// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writing from front to back: the public header, by the name that the rooms use.
#ifndef RI_IO_SINK_H
#define RI_IO_SINK_H

#include <rille/file.h>

#endif
