// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a joint carries, also one that cannot move: the force-torque sensor at the snake's locked
/// head hinge.
///
/// The head is merged with the front body before anything is computed, so it costs nothing; the
/// load across the hinge is still answered. Held still on Mars, it is the head's weight.
#include "example.h"

enum { MAX = 16 };

int main(void)
{
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiDyn *dyn;
    double q[MAX] = {0}, v[MAX] = {0}, tau[MAX];
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    MUST(ctx, ri_urdf_load(ctx, "robots/snake_pair.urdf", NULL, &spec));
    RiModelOptions options = ri_model_options_default();
    options.base = RI_BASE_FIXED; // held by the front module
    MUST(ctx, ri_model_create(ctx, spec, &options, &model));
    MUST(ctx, ri_dyn_create(ctx, model, &dyn));
    const int hinge = ri_model_find_joint(model, "head_hinge"), head = ri_model_find_link(model, "head");
    if (ri_model_nq(model) > MAX)
        return EXIT_FAILURE;
    printf("head hinge: %s; %d links are %d bodies\n", ri_model_joint(model, hinge).merged ? "merged" : "moves",
           ri_model_link_count(model), ri_model_body_count(model));

    const double g = 3.71; // Mars [m/s^2]
    ri_dyn_set_gravity(dyn, ri_vec3(0.0, 0.0, -g));
    ri_model_get_initial_q(model, q);
    MUST(ctx, ri_inverse_dynamics(dyn, q, v, NULL, tau));
    MUST(ctx, ri_dyn_update_wrenches(dyn, NULL));
    const RiSpatial load = ri_dyn_joint_wrench(dyn, hinge);
    printf("it carries (%.4f, %.4f, %.4f) N and (%.4f, %.4f, %.4f) N m\n", load.lin.x, load.lin.y, load.lin.z,
           load.ang.x, load.ang.y, load.ang.z);

    // Weight of the head, about the hinge; the plate of the IMU on it is massless.
    const RiLinkSpec *link = ri_spec_find_link(spec, "head");
    const RiPose pose = ri_dyn_frame_pose(dyn, head);
    const RiVec3 arm = ri_rotate(&pose.R, link->com), lift = ri_vec3(0.0, 0.0, link->mass * g);
    EXPECT_CLOSE(ri_norm(ri_sub(load.lin, lift)), 0.0, 1e-12);
    EXPECT_CLOSE(ri_norm(ri_sub(load.ang, ri_cross(arm, lift))), 0.0, 1e-12);

    ri_dyn_destroy(dyn);
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
    return EXIT_SUCCESS;
}
