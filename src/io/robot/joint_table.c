// SPDX-License-Identifier: Apache-2.0
/// \file
/// Recorded joint trajectories from CSV.
#include "io/robot/joint_table.h"

#include <string.h>

#include "device/group.h"
#include "io/file/number_table.h"

/// The columns of a group: the time, then the joints, then their velocities, which may be missing.
static RiStatus columns_of(RiContext *ctx, RiArena *arena, const RiModel *m, const char *globs,
                           RiNumberTableDef *out_def)
{
    const int count = ri_joint_group(m, globs, NULL, 0);
    RiGroupMember *group = ri_arena_alloc(arena, (size_t)count + 1, sizeof *group);
    const char **names = ri_arena_alloc(arena, 2 * (size_t)count + 1, sizeof *names);
    if (!group || !names)
        return ri_error_memory(ctx);
    ri_joint_group(m, globs, group, count);
    names[0] = "time";
    for (int i = 0; i < count; i++) {
        static const char ending[] = ".velocity";
        const char *joint = ri_model_joint(m, group[i].joint).name;
        const size_t length = strlen(joint);
        char *rate = ri_arena_alloc(arena, length + sizeof ending, 1);
        if (!rate)
            return ri_error_memory(ctx);
        memcpy(rate, joint, length);
        memcpy(rate + length, ending, sizeof ending);
        names[i + 1] = joint;
        names[count + i + 1] = rate;
    }
    *out_def = (RiNumberTableDef){.names = names,
                                  .count = 2 * count + 1,
                                  .optional = count,
                                  .head = "time,JOINT,JOINT,...",
                                  .unknown = "is neither time nor a joint of the group nor JOINT.velocity of one",
                                  .late = "is not later than the time of the row before"};
    return RI_OK;
}

RiStatus ri_joint_table_parse(RiContext *ctx, RiArena *arena, const char *path, char *text, const RiModel *m,
                              const char *globs, double **out_table, int *out_rows, int *out_columns)
{
    RiNumberTableDef def;
    *out_table = NULL;
    *out_rows = *out_columns = 0;
    RI_TRY(columns_of(ctx, arena, m, globs, &def));
    return ri_number_table_parse(ctx, arena, path, text, &def, out_table, out_rows, out_columns);
}

RiStatus ri_joint_table_load(RiContext *ctx, RiArena *arena, const char *path, const RiModel *m, const char *globs,
                             double **out_table, int *out_rows, int *out_columns)
{
    RiNumberTableDef def;
    *out_table = NULL;
    *out_rows = *out_columns = 0;
    RI_TRY(columns_of(ctx, arena, m, globs, &def));
    return ri_number_table_load(ctx, arena, path, &def, out_table, out_rows, out_columns);
}
