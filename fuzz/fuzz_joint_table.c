// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: recorded joint trajectories. A table that is accepted has finite numbers and rising
/// times; one that is refused has a message.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/robot/joint_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { JOINTS = 3 };

/// A chain of three hinges: bend_1, bend_2, bend_3.
static RiModel *make_model(RiContext *ctx)
{
    static const char *const links[JOINTS + 1] = {"a", "b", "c", "d"};
    static const char *const joints[JOINTS] = {"bend_1", "bend_2", "bend_3"};
    RiSpec *spec = NULL;
    RiModel *model = NULL;
    if (ri_spec_create(ctx, "chain", &spec) != RI_OK)
        abort();
    for (int i = 0; i <= JOINTS; i++) {
        RiLinkSpec link = ri_link_default();
        link.name = links[i];
        link.mass = 1.0;
        link.inertia = (RiMat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        if (ri_spec_add_link(spec, &link) != RI_OK)
            abort();
    }
    for (int i = 0; i < JOINTS; i++) {
        RiJointSpec joint = ri_joint_default();
        joint.name = joints[i];
        joint.type = RI_JOINT_REVOLUTE;
        joint.parent = links[i];
        joint.child = links[i + 1];
        if (ri_spec_add_joint(spec, &joint) != RI_OK)
            abort();
    }
    if (ri_model_create(ctx, spec, NULL, &model) != RI_OK)
        abort();
    ri_spec_destroy(spec);
    return model;
}

static void check(const double *table, int rows)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c <= JOINTS; c++)
            if (!isfinite(table[r * (JOINTS + 1) + c]) ||
                (c == 0 && r > 0 && !(table[r * (JOINTS + 1)] > table[(r - 1) * (JOINTS + 1)])))
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static RiContext *ctx;
    static RiModel *model;
    if (!ctx) {
        if (ri_context_create(NULL, &ctx) != RI_OK)
            abort();
        model = make_model(ctx);
    }
    char *text = malloc(size + 1);
    RiArena arena;
    double *table;
    int rows, columns;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    ri_arena_init(&arena, ctx);
    const RiStatus status =
        ri_joint_table_parse(ctx, &arena, "table.csv", text, model, "bend_*", &table, &rows, &columns);
    if (status == RI_OK)
        check(table, rows);
    else if (!ri_context_message(ctx)[0])
        abort();
    ri_arena_free(&arena);
    free(text);
    return 0;
}
