// SPDX-License-Identifier: Apache-2.0
/// \file
/// A scene of the library, driven step by step and looked at by the names of its values. For
/// validation cases.
///
///     scene --(settings)--> drive --(until a time, watched)--> values
///
/// Threads and ownership: a drive belongs to the thread of its context; close it, also after an
/// error.
#ifndef RI_STUDY_DRIVE_H
#define RI_STUDY_DRIVE_H

#include <rille/scene.h>

#include "validate/validate.h"

typedef struct RiDrive {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
} RiDrive;

/// Called after each step.
typedef void (*RiDriveWatch)(const RiDrive *d, void *user);

/// Opens scenes/NAME.yaml beside the folder of robots.
RI_MUST_CHECK RiStatus ri_drive_open(RiDrive *d, const RiValidation *run, const char *name, const RiSetting *settings,
                                     int count);
void ri_drive_close(RiDrive *d);
/// A named value, or an expression of named values; NaN if there is none.
double ri_drive_value(const RiDrive *d, const char *name);
/// Steps until a time, or until the scene stops. `watch` may be NULL.
RI_MUST_CHECK RiStatus ri_drive_until(RiDrive *d, double time, RiDriveWatch watch, void *user);

#endif
