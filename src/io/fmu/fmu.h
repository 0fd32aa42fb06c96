// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMUs of other makers as devices of a scene.
///
///     controller.fmu --(unpack, read, check, dlopen)--> a device class of one device: inputs, parameters --(doStep)--> outputs
///
/// The state of an FMU that can be serialised is a part of the device's ports (six bytes in each),
/// so it is in snapshots, hashes and checkpoints, and a device whose ports are brought back to
/// another moment takes the FMU with it. One that cannot runs, but every attempt to bring it to
/// another moment fails with a sentence.
///
/// Threads and ownership: an FMU belongs to the thread of its context. Its code runs with all
/// rights of the program.
#ifndef RI_IO_FMU_H
#define RI_IO_FMU_H

#include <rille/device.h>

typedef struct RiFmu RiFmu;

/// Loads an FMU for one device. RI_ERR_FORMAT, RI_ERR_IO, RI_ERR_UNSUPPORTED name the file and what
/// is wrong with it.
RI_MUST_CHECK RiStatus ri_fmu_load(RiContext *ctx, const char *path, RiFmu **out_fmu);
void ri_fmu_destroy(RiFmu *f);
/// Inputs and outputs that have no ports because they are not numbers: how many, and the name of
/// the first one.
const char *ri_fmu_left_out(const RiFmu *f, int *out_count);
/// Named after the FMU's modelIdentifier.
const RiDeviceClass *ri_fmu_class(const RiFmu *f);

#endif
