// SPDX-License-Identifier: Apache-2.0
/// \file
/// Gravity, places: requests that every link carries out in the same way.
#include "link/steer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "link/text.h"

RiStatus ri_steer_gravity(RiContext *ctx, RiSim *sim, RiVec3 g)
{
    static const char *const names[3] = {"gravity.x", "gravity.y", "gravity.z"};
    const double parts[3] = {g.x, g.y, g.z};
    RiValues *values = ri_sim_values(sim);
    for (int i = 0; i < 3; i++) {
        const int at = ri_values_find(values, names[i]);
        if (at < 0)
            return ri_error(ctx, RI_ERR_NOT_FOUND, "this run has no value '%s'", names[i]);
        RI_TRY(ri_values_write(values, at, parts[i]));
    }
    return RI_OK;
}

RiStatus ri_steer_refresh(RiContext *ctx, RiSim *sim)
{
    const RiAllocator memory = ri_plain_memory();
    void *block = memory.resize(memory.user, NULL, ri_sim_state_size(sim));
    if (!block)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    ri_sim_save_state(sim, block);
    const RiStatus status = ri_sim_load_state(sim, block);
    memory.release(memory.user, block);
    return status;
}

/// A rover stands as its stance says, whatever height was given; others find a hold on the ground from
/// the place that was given. Says what came of it.
static RiStatus settle(RiContext *ctx, RiScene *scene, const RiSteerPlace *place, char *said, size_t size)
{
    RiSim *sim = ri_scene_sim(scene);
    if (ri_sim_can_stand(sim)) {
        const RiMat3 R = ri_quat_to_mat3(place->rotation);
        RI_TRY(ri_sim_stand(sim, place->position.x, place->position.y, ri_atan2(R.m[1][0], R.m[0][0])));
        snprintf(said, size, "it is at %.4g, %.4g", place->position.x, place->position.y);
        return RI_OK;
    }
    RiPlacement *placement;
    RI_TRY(ri_scene_settle(scene, place->watch, place->user, &placement));
    const RiPlaceReport *report = ri_placement_report(placement);
    snprintf(said, size, "%.200s", report->text);
    const bool placed = report->placed, hangs = placed && report->touching == 0;
    const double gap = report->gap;
    ri_placement_destroy(placement);
    if (hangs)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "nothing of the robot reaches the ground, %.3g m below it: place it nearer", gap);
    return placed ? RI_OK : ri_error(ctx, RI_ERR_NUMERIC, "%s", said);
}

RiStatus ri_steer_base(RiContext *ctx, RiScene *scene, const RiSteerPlace *place, char *said, size_t size)
{
    RiSim *sim = ri_scene_sim(scene);
    const RiModel *m = ri_sim_model(sim);
    if (!ri_model_is_floating(m))
        return ri_error(ctx, RI_ERR_ARGUMENT, "the robot's base is fixed");
    const RiAllocator memory = ri_plain_memory();
    void *before = memory.resize(memory.user, NULL, ri_sim_state_size(sim));
    if (!before)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    ri_sim_save_state(sim, before);
    const RiJointInfo base = ri_model_joint(m, ri_model_joint_count(m) - 1);
    const RiVec3 p = place->position;
    const RiQuat o = place->rotation;
    const double pose[7] = {p.x, p.y, p.z, o.w, o.x, o.y, o.z};
    memcpy(ri_sim_q(sim) + base.q_index, pose, sizeof pose);
    snprintf(said, size, "the base is at %.4g, %.4g, %.4g", pose[0], pose[1], pose[2]);
    RiStatus status = place->settle && ri_sim_contacts(sim) ? settle(ctx, scene, place, said, size) : RI_OK;
    char why[300];
    snprintf(why, sizeof why, "%.280s", status == RI_OK ? "" : ri_context_message(ctx));
    if (status == RI_OK)
        memset(ri_sim_v(sim), 0, (size_t)ri_model_nv(m) * sizeof(double));
    const RiStatus refreshed = status == RI_OK ? ri_steer_refresh(ctx, sim) : ri_sim_load_state(sim, before);
    memory.release(memory.user, before);
    RI_TRY(refreshed);
    return status == RI_OK ? RI_OK : ri_error(ctx, status, "%s", why);
}
