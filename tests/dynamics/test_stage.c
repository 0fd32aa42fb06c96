// SPDX-License-Identifier: Apache-2.0
/// \file
/// Preconditions of the dynamics are asserted: a call in the wrong order ends a program with
/// asserts, and says which stage it lacked. Without asserts there is nothing to test.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "dynamics/dyn.h"
#include "support/trees.h"

typedef void Misuse(Robot *r);

/// Runs a misuse in a child process. Whether it was stopped by an assert whose message has this
/// part.
static bool is_stopped(Robot *r, Misuse *misuse, const char *part)
{
    int ends[2], status = 0;
    char text[1000] = "";
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], 2);
        misuse(r);
        _exit(0);
    }
    close(ends[1]);
    const ssize_t size = read(ends[0], text, sizeof text - 1);
    text[size > 0 ? size : 0] = '\0';
    close(ends[0]);
    const bool ended = child > 0 && waitpid(child, &status, 0) == child;
    return ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(text, part);
}

static void move_before_placing(Robot *r)
{
    RiDyn *fresh;
    if (ri_dyn_create(r->ctx, r->m, &fresh) != RI_OK)
        _exit(1);
    ri_dyn_update_velocity(fresh, r->v);
}

static void place(Robot *r)
{
    if (ri_dyn_update_position(r->d, r->q) != RI_OK)
        _exit(1);
}

static void accelerate_before_moving(Robot *r)
{
    place(r);
    ri_dyn_inverse(r->d, r->a, r->tau);
}

static void read_acceleration_of_another_state(Robot *r)
{
    place(r);
    ri_dyn_update_velocity(r->d, r->v);
    ri_dyn_inverse(r->d, r->a, r->tau);
    ri_dyn_update_velocity(r->d, r->v);
    ri_dyn_frame_acceleration(r->d, 0);
}

static void read_share_without_mean_power(Robot *r)
{
    place(r);
    ri_dyn_update_velocity(r->d, r->v);
    ri_dyn_point_share(r->d, 0, ri_vec3(0.0, 0.0, 0.0));
}

static void solve_without_factor(Robot *r)
{
    place(r);
    ri_dyn_solve(r->d, r->tau);
}

static void apply_inverse_without_articulate(Robot *r)
{
    place(r);
    ri_dyn_apply_inverse(r->d, r->tau);
}

static void read_wrench_without_update(Robot *r)
{
    place(r);
    ri_dyn_update_velocity(r->d, r->v);
    ri_dyn_inverse(r->d, r->a, r->tau);
    ri_dyn_joint_wrench(r->d, 0);
}

static void ask_for_a_frame_that_is_not_there(Robot *r)
{
    place(r);
    ri_dyn_frame_pose(r->d, 1000000);
}

TEST(a_call_in_the_wrong_order_is_stopped)
{
    static const struct {
        Misuse *misuse;
        const char *part;
    } rows[] = {{move_before_placing, "RI_DYN_PLACED"},
                {accelerate_before_moving, "RI_DYN_MOVING"},
                {read_acceleration_of_another_state, "RI_DYN_ACCELERATED"},
                {read_share_without_mean_power, "d->shared"},
                {solve_without_factor, "d->factored"},
                {apply_inverse_without_articulate, "d->articulated"},
                {read_wrench_without_update, "RI_DYN_CARRIED"},
                {ask_for_a_frame_that_is_not_there, "d->m->nf"}};
    for (size_t i = 0; RILLE_ASSERTS && i < sizeof rows / sizeof *rows; i++) {
        Robot r = robot_make(3);
        if (!is_stopped(&r, rows[i].misuse, rows[i].part))
            CHECK_FAIL("misuse %zu is not stopped by an assert with '%s'", i, rows[i].part);
        robot_close(&r);
    }
}

TEST(energies_leave_the_share_of_accelerations_alone)
{
    Robot r = robot_make(3);
    const RiVec3 point = ri_vec3(0.3, -0.2, 0.1);
    RiDyn *d;
    REQUIRE_OK(r.ctx, ri_dyn_create_with(r.ctx, r.m, false, &d));
    REQUIRE_OK(r.ctx, ri_dyn_update_position(d, r.q));
    ri_dyn_update_velocity(d, r.v);
    ri_dyn_mean_power(d, r.a, 0.01);
    const int link = r.nl - 1;
    const RiVec3 before = ri_dyn_point_share(d, link, point);
    ri_dyn_kinetic_energy(d);
    ri_dyn_inverse(d, r.a, r.tau);
    REQUIRE_OK(r.ctx, ri_dyn_articulate(d));
    ri_dyn_apply_inverse(d, r.tau);
    const RiVec3 after = ri_dyn_point_share(d, link, point);
    CHECK(before.x == after.x && before.y == after.y && before.z == after.z);
    CHECK(ri_norm(before) > 0.0);
    ri_dyn_destroy(d);
    robot_close(&r);
}

TEST_MAIN(CASE(a_call_in_the_wrong_order_is_stopped), CASE(energies_leave_the_share_of_accelerations_alone))
