// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: any bytes as a checkpoint. It must be refused with a message that names the file
/// and leave the simulation as it was, or give one that can go on. The bytes are also laid over a
/// true checkpoint whose checksum is then put right, else nothing behind the checksum would ever be
/// reached.
#include <rille/spec.h>

#include <stdlib.h>
#include <string.h>

#include "io/record/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Two links and a spring.
static void build(RiContext *ctx, RiSpec **spec, RiModel **model, RiSim **sim)
{
    RiLinkSpec link = ri_link_default();
    link.mass = 1.0;
    link.inertia = ri_inertia_sphere(1.0, 0.1);
    RiJointSpec joint = ri_joint_default();
    joint.name = "hinge";
    joint.type = RI_JOINT_REVOLUTE;
    joint.parent = "a";
    joint.child = "b";
    const RiSpringDef spring = {.name = "s", .link = "b", .stiffness = 10.0, .damping = 0.1};
    link.name = "a";
    if (ri_spec_create(ctx, "two", spec) != RI_OK || ri_spec_add_link(*spec, &link) != RI_OK)
        abort();
    link.name = "b";
    if (ri_spec_add_link(*spec, &link) != RI_OK || ri_spec_add_joint(*spec, &joint) != RI_OK ||
        ri_model_create(ctx, *spec, NULL, model) != RI_OK || ri_sim_create(ctx, *model, NULL, sim) != RI_OK ||
        ri_sim_add_spring(*sim, &spring) != RI_OK || ri_sim_add_stop(*sim, "time > 5", (RiSource){0}) != RI_OK ||
        ri_sim_add_command(*sim, 1.0, "gravity.z", "-1", (RiSource){0}) != RI_OK || ri_sim_build(*sim) != RI_OK ||
        ri_sim_start(*sim) != RI_OK)
        abort();
}

static void try_bytes(RiContext *ctx, RiSim *sim, const uint8_t *data, size_t size)
{
    const uint64_t before = ri_sim_hash(sim);
    const RiStatus status = ri_checkpoint_parse(sim, "fuzz", data, size);
    if (status != RI_OK && (strncmp(ri_context_message(ctx), "fuzz:", 5) != 0 || ri_sim_hash(sim) != before))
        abort();
    if (status != RI_OK)
        return;
    (void)ri_sim_stopped(sim);
    for (int i = 0; i < 3; i++)
        if (ri_sim_step(sim) != RI_OK)
            return;
}

/// Lays pairs of place (two bytes) and byte over a true checkpoint.
static void patch(RiContext *ctx, RiSim *sim, const uint8_t *data, size_t size)
{
    const size_t n = ri_checkpoint_size(sim);
    uint8_t *file = malloc(n);
    if (!file)
        abort();
    ri_checkpoint_compose(sim, file);
    for (size_t i = 0; i + 3 <= size; i += 3)
        file[RI_CHECKPOINT_HEAD + (data[i] + 256U * data[i + 1]) % (n - RI_CHECKPOINT_HEAD)] = data[i + 2];
    ri_checkpoint_seal(file, n);
    try_bytes(ctx, sim, file, n);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiSim *sim;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    build(ctx, &spec, &model, &sim);
    try_bytes(ctx, sim, data, size);
    patch(ctx, sim, data, size);
    ri_sim_destroy(sim);
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
    return 0;
}
