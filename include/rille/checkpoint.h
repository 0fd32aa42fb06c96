// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checkpoints: the state of a simulation in a file, to go on from later with equal bits.
///
///     RiSim --(ri_checkpoint_save)--> FILE --(ri_checkpoint_load, into the same simulation built anew)--> RiSim
///
/// A checkpoint holds the state block and the parameters outside it (gravity, springs),
/// not the robot: the simulation is built from the same scene first. A file of another simulation,
/// program or format version, a truncated one and one with a flipped bit are refused, and the
/// simulation stays as it was.
///
/// Threads and ownership: nothing is kept; a call belongs to the simulation's thread.
#ifndef RILLE_CHECKPOINT_H
#define RILLE_CHECKPOINT_H

#include <stddef.h>

#include <rille/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the state to `path`. The file appears complete or not at all: it is written beside its
/// place, brought to the disk and renamed. RI_ERR_IO if that fails; an older file of that name then
/// stays.
RI_MUST_CHECK RiStatus ri_checkpoint_save(const RiSim *s, const char *path);

/// A checkpoint of a started simulation in memory: its size now [bytes], and its bytes, written to
/// `out`, which is aligned as for a double.
size_t ri_checkpoint_size(const RiSim *s);
/// Writes the checkpoint; `out` has room for ri_checkpoint_size(s) bytes.
void ri_checkpoint_compose(const RiSim *s, unsigned char *out);

/// Brings a started simulation to the state in `path`. RI_ERR_FORMAT for a damaged file or one of
/// another version, RI_ERR_MODEL for one of another simulation; every message names the file.
RI_MUST_CHECK RiStatus ri_checkpoint_load(RiSim *s, const char *path);
/// The same from memory; `path` is used in messages.
RI_MUST_CHECK RiStatus ri_checkpoint_parse(RiSim *s, const char *path, const void *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif
