// SPDX-License-Identifier: Apache-2.0
/// \file
/// Recorded joint trajectories: CSV files with a head `time,JOINT,JOINT,...` and one row per time,
/// with or without columns `JOINT.velocity`.
#ifndef RI_IO_JOINT_TABLE_H
#define RI_IO_JOINT_TABLE_H

#include <rille/model.h>

#include "base/memory.h"

/// Reads the positions of the joints of a group. Columns may come in any order, but there must be
/// one for each joint of the group, and either a column `JOINT.velocity` for each of them or for none.
/// Times must rise. Lines that start with # and empty ones are passed over. *out_table has rows of
/// the time [s], the positions [rad or m] in the order of the group (device/group.h) and, if there
/// are any, the velocities [rad/s or m/s] in the same order. Messages start with path, line and
/// column.
RI_MUST_CHECK RiStatus ri_joint_table_load(RiContext *ctx, RiArena *arena, const char *path, const RiModel *m,
                                           const char *globs, double **out_table, int *out_rows, int *out_columns);
/// The same from a text, which is changed; `path` is for messages.
RI_MUST_CHECK RiStatus ri_joint_table_parse(RiContext *ctx, RiArena *arena, const char *path, char *text,
                                            const RiModel *m, const char *globs, double **out_table, int *out_rows,
                                            int *out_columns);

#endif
