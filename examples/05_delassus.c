// SPDX-License-Identifier: Apache-2.0
/// \file
/// An impact: the snake's nose meets a wall at 1 m/s, without friction and without rebound.
///
/// The Delassus matrix W = J M^-1 J^T says how the velocity of a point answers to an impulse there:
/// dv = W p. In the normal direction n the impulse that stops the point is p = -(n . v) / (n . W
/// n), and the robot's velocities change by M^-1 J^T n p. Both come from the articulated inertias
/// in O(N), without a mass matrix.
#include "example.h"

enum { MAX = 16 };

int main(void)
{
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiDyn *dyn;
    double q[MAX] = {0}, v[MAX] = {0}, dv[MAX] = {0}, J[6 * MAX], W[9];
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    MUST(ctx, ri_urdf_load(ctx, "robots/snake_pair.urdf", NULL, &spec));
    MUST(ctx, ri_model_create(ctx, spec, NULL, &model));
    MUST(ctx, ri_dyn_create(ctx, model, &dyn));
    const int nv = ri_model_nv(model), nose = ri_model_find_frame(model, "nose");
    if (ri_model_nq(model) > MAX)
        return EXIT_FAILURE;

    // A bent snake flies forwards at 1 m/s.
    ri_model_get_initial_q(model, q);
    q[ri_model_joint(model, ri_model_find_joint(model, "bend")).q_index] = 0.6;
    v[0] = 1.0;
    MUST(ctx, ri_dyn_update_position(dyn, q));
    ri_dyn_update_velocity(dyn, v);
    const double energy = ri_dyn_kinetic_energy(dyn);

    // Impulse of the wall, normal -x.
    const RiPoint point = {.link = ri_model_find_link(model, "head"), .point_W = ri_dyn_frame_pose(dyn, nose).p};
    MUST(ctx, ri_dyn_articulate(dyn));
    ri_dyn_delassus(dyn, 1, &point, W);
    const double approach = ri_dyn_frame_velocity(dyn, nose).lin.x, impulse = approach / W[0];
    printf("the wall sees %.3f kg of the snake's %.3f kg: impulse %.4f N s\n", 1.0 / W[0], ri_model_mass(model),
           impulse);

    // Velocities after the impact: dv = M^-1 J^T n p, row 3 of J is the x velocity of the nose.
    ri_dyn_frame_jacobian(dyn, nose, J);
    for (int k = 0; k < nv; k++)
        dv[k] = -impulse * J[3 * nv + k];
    ri_dyn_apply_inverse(dyn, dv);
    for (int k = 0; k < nv; k++)
        v[k] += dv[k];
    ri_dyn_update_velocity(dyn, v);
    const double after = ri_dyn_frame_velocity(dyn, nose).lin.x, lost = energy - ri_dyn_kinetic_energy(dyn);
    printf("nose %.3f -> %.1e m/s; the bend now turns at %.3f rad/s; %.3f of %.3f J are lost\n", approach, after,
           v[ri_model_joint(model, ri_model_find_joint(model, "bend")).v_index], lost, energy);

    EXPECT_CLOSE(after, 0.0, 1e-12);
    EXPECT_CLOSE(lost, 0.5 * impulse * approach, 1e-12); // an impact without rebound loses half of p v
    ri_dyn_destroy(dyn);
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
    return EXIT_SUCCESS;
}
