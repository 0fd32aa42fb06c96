// SPDX-License-Identifier: Apache-2.0
/// \file
/// The centre of mass among the named values, and what impacts do to it.
#include "sim/fixture.h"

static const char *const AXES[3] = {"x", "y", "z"};

static double com(Fixture *f, const char *what, int axis)
{
    char name[16];
    snprintf(name, sizeof name, "com.%s%s", what, AXES[axis]);
    return value(f, name);
}

/// Free fall: the mass of a snake follows the parabola while its joints move.
TEST(the_centre_of_mass_of_a_falling_robot_follows_the_parabola)
{
    Fixture f = parse("scene: fall\nrobot: {file: ../robots/snake.yaml, set: {modules: 4}, base: floating}\n"
                      "gravity: [0, 0, -2 m/s^2]\nintegrator: rk4\ntick: 1 ms\nduration: 10 s\n"
                      "initial: {base: {velocity: [1, 0.5, 0], rate: [0.3, 0.2, 0.1]}}\n");
    const double start[3] = {com(&f, "", 0), com(&f, "", 1), com(&f, "", 2)};
    const double speed[3] = {com(&f, "v", 0), com(&f, "v", 1), com(&f, "v", 2)}, g[3] = {0.0, 0.0, -2.0}, t = 0.2;
    run_to(&f, t);
    for (int k = 0; k < 3; k++) {
        CHECK_CLOSE(com(&f, "v", k), speed[k] + g[k] * t, 1e-9);
        CHECK_CLOSE(com(&f, "", k), start[k] + speed[k] * t + 0.5 * g[k] * t * t, 1e-9);
    }
    close_all(&f);
}

/// As in figure 2 of [acary2013]: abrupt changes of all three velocities.
TEST(impacts_at_the_step_change_all_velocities_of_exomars)
{
    Fixture f;
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        abort();
    REQUIRE_OK(f.ctx, ri_scene_load(f.ctx, SCENES "exomars_step.yaml", NULL, &f.scene));
    REQUIRE_OK(f.ctx, ri_scene_build(f.scene));
    f.sim = ri_scene_sim(f.scene);
    double jump[3] = {0.0, 0.0, 0.0};
    while (ri_sim_time(f.sim) < 3.0) {
        const double before[3] = {com(&f, "v", 0), com(&f, "v", 1), com(&f, "v", 2)};
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        for (int k = 0; k < 3 && ri_sim_time(f.sim) > 0.5; k++) // behind the drop at the start
            jump[k] = fmax(jump[k], fabs(com(&f, "v", k) - before[k]));
    }
    CHECK(jump[0] > 0.2); // of 0.74 m/s, in a tick of 2 ms in which gravity gives 0.007
    CHECK(jump[1] > 0.01);
    CHECK(jump[2] > 0.1);
    close_all(&f);
}

TEST_MAIN(CASE(the_centre_of_mass_of_a_falling_robot_follows_the_parabola),
          CASE(impacts_at_the_step_change_all_velocities_of_exomars))
