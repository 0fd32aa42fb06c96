// SPDX-License-Identifier: Apache-2.0
/// \file
/// Numbers as text: the public header, by the name that the rooms use.
#ifndef RI_BASE_NUMBER_H
#define RI_BASE_NUMBER_H

#include <rille/text.h>

#endif
