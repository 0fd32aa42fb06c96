// SPDX-License-Identifier: Apache-2.0
/// \file
/// Springs and dampers of joints as named values: they act as written, the books close, a checkpoint
/// brings them, and nonsense ends the run with a message.
#include "fixture.h"

#include <rille/checkpoint.h>

static Fixture slide(const char *more)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "scene: slide\nrobot: {template: {robot: slide, base: fixed, links: [{name: rail}, {name: mass, mass: 2 kg, "
        "solid: box, size: [0.1, 0.1, 0.1]}], joints: [{name: slide, type: prismatic, axis: [1, 0, 0], parent: rail, "
        "child: mass, stiffness: 8 N/m, rest: 0.1}]}}\ngravity: none\ntick: 1 ms\nduration: 20 s\nintegrator: rk4\n%s",
        more);
    return parse(text);
}

/// x'' = -k (x - rest) / m: from rest at 0 the mass is at 2 rest after half a period.
TEST(a_spring_that_is_written_swings_with_its_new_period)
{
    Fixture f = slide("commands: [{at: 0 s, set: {slide.stiffness: 32, slide.rest: 0.2}}]\n");
    const double half = M_PI / sqrt(32.0 / 2.0);
    run_to(&f, floor(half / 1e-3) * 1e-3);
    CHECK_CLOSE(value(&f, "slide.position"), 0.4, 1e-5);
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(ri_energy_residual(&e) < 1e-9);
    close_all(&f);
}

/// A spring that is made stiffer while it is stretched brings in energy: it is booked as work.
TEST(the_energy_of_a_change_is_booked)
{
    Fixture f = slide("commands: [{at: 0.2 s, set: {slide.stiffness: 20}}, {at: 0.4 s, set: {slide.damping: 3}}]\n");
    run_to(&f, 12.0);
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK(ri_energy_residual(&e) < 1e-8);
    CHECK(fabs(e.work) > 1e-3 && e.dissipated > 1e-3);
    CHECK_CLOSE(value(&f, "slide.position"), 0.1, 1e-3);
    close_all(&f);
}

TEST(a_checkpoint_brings_the_springs)
{
    Fixture a = slide("commands: [{at: 0.1 s, set: {slide.stiffness: 40, slide.damping: 1, slide.rest: 0.3}}]\n");
    Fixture b = slide("commands: [{at: 0.1 s, set: {slide.stiffness: 40, slide.damping: 1, slide.rest: 0.3}}]\n");
    REQUIRE_OK(b.ctx, ri_sim_start(b.sim));
    run_to(&a, 0.5);
    const size_t size = ri_checkpoint_size(a.sim);
    unsigned char *data = malloc(size);
    REQUIRE(data != NULL);
    ri_checkpoint_compose(a.sim, data);
    CHECK_OK(b.ctx, ri_checkpoint_parse(b.sim, "a.state", data, size));
    CHECK_CLOSE(value(&b, "slide.stiffness"), 40.0, 0.0);
    run_to(&a, 1.0);
    run_to(&b, 1.0);
    CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
    free(data);
    close_all(&a);
    close_all(&b);
}

TEST(nonsense_ends_the_run_with_the_joints_name)
{
    Fixture f = slide("commands: [{at: 0.1 s, set: {slide.stiffness: -3}}]\n");
    RiStatus status = RI_OK;
    while (status == RI_OK && ri_sim_time(f.sim) < 0.2)
        status = ri_sim_step(f.sim);
    CHECK(status != RI_OK && strstr(ri_context_message(f.ctx), "joint 'slide': stiffness -3"));
    close_all(&f);
}

TEST_MAIN(CASE(a_spring_that_is_written_swings_with_its_new_period), CASE(the_energy_of_a_change_is_booked),
          CASE(a_checkpoint_brings_the_springs), CASE(nonsense_ends_the_run_with_the_joints_name))
