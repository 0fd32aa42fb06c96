// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact friction: the snake's nose meets a wall obliquely. Which impulse does Coulomb's law allow?
///
/// The discrete contact problem u = W p + q is solved for the impulse p: W is the Delassus matrix
/// of the nose in the axes of the contact (normal first), q its velocity before the impact less the
/// rebound that Newton's law asks for. p is in the cone |p_T| <= mu p_N, and the nose sticks, or
/// slides against p_T. One residual judges the answer; the problem goes into a file that `rille
/// contact solve` and Siconos read.
#include "example.h"

enum { MAX = 16 };

/// W and v from world axes to those of the contact: normal -x, tangents y and z.
static void turn(const double world[9], RiVec3 v, double W[9], double u[3])
{
    static const double sign[3] = {-1.0, 1.0, 1.0};
    const double velocity[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 9; i++)
        W[i] = sign[i / 3] * sign[i % 3] * world[i];
    for (int i = 0; i < 3; i++)
        u[i] = sign[i] * velocity[i];
}

/// Reads a bent snake that flies against the wall at 1 m/s and 0.4 m/s along it: W and velocity of
/// its nose.
static void nose_of_snake(RiContext *ctx, double W[9], double before[3])
{
    RiSpec *spec;
    RiModel *model;
    RiDyn *dyn;
    double q[MAX] = {0}, v[MAX] = {0}, world[9];
    MUST(ctx, ri_urdf_load(ctx, "robots/snake_pair.urdf", NULL, &spec));
    MUST(ctx, ri_model_create(ctx, spec, NULL, &model));
    MUST(ctx, ri_dyn_create(ctx, model, &dyn));
    if (ri_model_nq(model) > MAX)
        exit(EXIT_FAILURE);
    const int nose = ri_model_find_frame(model, "nose");
    ri_model_get_initial_q(model, q);
    q[ri_model_joint(model, ri_model_find_joint(model, "bend")).q_index] = 0.6;
    v[0] = 1.0, v[1] = 0.4;
    MUST(ctx, ri_dyn_update_position(dyn, q));
    ri_dyn_update_velocity(dyn, v);
    MUST(ctx, ri_dyn_articulate(dyn));
    const RiPoint point = {.link = ri_model_find_link(model, "head"), .point_W = ri_dyn_frame_pose(dyn, nose).p};
    ri_dyn_delassus(dyn, 1, &point, world);
    turn(world, ri_dyn_frame_velocity(dyn, nose).lin, W, before);
    ri_dyn_destroy(dyn);
    ri_model_destroy(model);
    ri_spec_destroy(spec);
}

int main(void)
{
    const double mu = 0.05, e = 0.5;
    double W[9], before[3], p[3] = {0}, u[3];
    RiContext *ctx;
    RiConeSolver *solver;
    RiConeResult result;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    nose_of_snake(ctx, W, before);

    // Newton's rebound shifts the normal velocity: what is solved for is u_N - e |u_N before| >= 0.
    const double rebound = e * -before[0], q[3] = {before[0] - rebound, before[1], before[2]};
    const RiConeProblem problem = {.n = 1, .W = W, .q = q, .mu = &mu};
    const RiConeOptions options = ri_cone_options_default();
    MUST(ctx, ri_cone_solver_create(ctx, 1, 0, &solver)); // all memory is taken here
    ri_cone_solve(solver, &problem, &options, p, u, &result);
    printf("%s, residual %.1e: impulse %.4f N s, friction %.4f N s\n", ri_cone_end_name(result.end), result.residual,
           p[0], hypot(p[1], p[2]));
    printf("nose: (%.3f, %.3f, %.3f) -> (%.3f, %.3f, %.3f) m/s, it %ss\n", before[0], before[1], before[2],
           u[0] + rebound, u[1], u[2], ri_cone_contact_name(ri_cone_contact(p, u, 1e-9)));

    EXPECT_CLOSE(result.residual, 0.0, options.tolerance);
    EXPECT_CLOSE(u[0] + rebound, e * 1.0, 1e-9);                    // Newton's law
    EXPECT_CLOSE(hypot(p[1], p[2]), mu * p[0], 1e-9);               // on the cone,
    EXPECT_CLOSE(p[1] * u[2] - p[2] * u[1], 0.0, 1e-9);             // against
    EXPECT_CLOSE(fmax(0.0, p[1] * u[1] + p[2] * u[2]), 0.0, 1e-12); // the slip
    MUST(ctx, ri_cone_file_save(ctx, "/dev/null", &problem));       // FILE.dat: for 'rille contact solve'
    ri_cone_solver_destroy(solver);
    ri_context_destroy(ctx);
    return EXIT_SUCCESS;
}
