// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reading whole files: the public header, by the name that the rooms use.
#ifndef RI_IO_FILE_H
#define RI_IO_FILE_H

#include <rille/file.h>

#endif
