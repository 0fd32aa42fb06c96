// SPDX-License-Identifier: Apache-2.0
/// \file
/// Logs shown.
#include "link/view_work.h"
