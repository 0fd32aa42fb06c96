// SPDX-License-Identifier: Apache-2.0
/// \file
/// The robot commands on good robots: what they say, that their JSON is JSON, and that its numbers
/// are the library's.
#include <rille/rille.h>

#define SCRATCH RILLE_BINARY_DIR "/test_cli_robot"
#include "check.h"
#include "cli/run.h"

#define ROBOTS RILLE_SOURCE_DIR "/robots"

TEST(every_command_writes_valid_json)
{
    static const char *const commands[] = {"check", "show", "reduce", "dynamics"};
    static const char *const robots[] = {"arm", "snake_pair"};
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 2; k++) {
            Run r = RUN("robot", commands[i], robots[k], "--json");
            CHECK_INT(r.code, 0);
            CHECK(!*r.err);
            CHECK(json_is_valid(r.out));
            CHECK(json_is_text(r.out, "robot", robots[k]));
            run_free(&r);
        }
}

TEST(the_json_reader_of_these_tests_refuses_bad_json)
{
    static const char *const bad[] = {"",     "{",    "[1,]",    "{\"a\":}", "{\"a\":1,}", "nan",   "[01]",
                                      "[1.]", "[1e]", "\"\\x\"", "{} {}",    "{a:1}",      "[1 2]", "\"a\nb\""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (json_is_valid(bad[i]))
            CHECK_FAIL("'%s' passed", bad[i]);
    CHECK(json_is_valid(" {\"a\": [1, -2.5e-3, null, true], \"b\": {\"c\": \"\\u0041\"}}\n"));
    CHECK_CLOSE(json_get("{\"a\": [1, {\"b\": 7}], \"ab\": 3}", "a[1].b"), 7.0, 0.0);
    CHECK_CLOSE(json_get("{\"a\": [1, {\"b\": 7}], \"ab\": 3}", "ab"), 3.0, 0.0);
}

TEST(check_tells_what_is_understood_and_merged_and_ends_with_a_verdict)
{
    Run r = RUN("robot", "check", ROBOTS "/snake_pair.urdf");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "snake_pair.urdf:12: robot 'snake_pair': 9 links, 8 joints"));
    CHECK(strstr(r.out, "'head_hinge' is locked"));
    CHECK(strstr(r.out, "verdict: "));
    CHECK(strstr(r.out, "can be simulated: 10 degrees of freedom, floating base"));
    Run all = RUN("robot", "check", "snake_pair", "--all");
    CHECK(strstr(all.out, "joint 'twist': revolute, knuckle -> rear"));
    CHECK(strstr(all.out, "screw 'rear_b'"));
    run_free(&r);
    run_free(&all);
}

/// A robot of one link with extras in its body.
static void write_robot(const char *path, const char *body)
{
    char text[4096];
    const int n =
        snprintf(text, sizeof text,
                 "<robot name=\"dot\">\n<link name=\"dot\">\n<inertial><mass value=\"1\"/>"
                 "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n%s</robot>\n",
                 body);
    write_file(path, text, (size_t)n);
}

TEST(check_reports_ignored_elements_and_warnings_with_their_lines)
{
    write_robot(SCRATCH "/extra.urdf", "</link>\n<gazebo/>\n<link name=\"tip\"/>\n<joint name=\"j\" type=\"revolute\">"
                                       "<parent link=\"dot\"/><child link=\"tip\"/>"
                                       "<limit lower=\"1\" upper=\"2\" effort=\"1\" velocity=\"1\"/></joint>\n");
    Run r = RUN("robot", "check", SCRATCH "/extra.urdf");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "ignored\n"));
    CHECK(strstr(r.out, "extra.urdf:5: <gazebo> is ignored"));
    CHECK(strstr(r.out, "extra.urdf:7: joint 'j': initial position 0 is outside [1, 2]"));
    CHECK(strstr(r.out, "extra.urdf:7: joint 'j' moves no mass"));
    CHECK(strstr(r.out, "have no collision shape, wheel, screw or contact point and touch nothing: dot"));
    CHECK(strstr(r.out, "2 warnings"));
    run_free(&r);
}

TEST(check_reads_the_meshes)
{
    static const char triangle[] = "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                                   "endloop\nendfacet\nendsolid t\n";
    write_file(SCRATCH "/good.stl", triangle, sizeof triangle - 1);
    write_file(SCRATCH "/broken.stl", triangle, 60);
    write_robot(SCRATCH "/good.urdf", "<visual><geometry><mesh filename=\"good.stl\"/></geometry></visual></link>");
    write_robot(SCRATCH "/broken.urdf", "<visual><geometry><mesh filename=\"broken.stl\"/></geometry></visual></link>");
    write_robot(SCRATCH "/missing.urdf", "<visual><geometry><mesh filename=\"none.stl\"/></geometry></visual></link>");
    Run good = RUN("robot", "check", SCRATCH "/good.urdf"), broken = RUN("robot", "check", SCRATCH "/broken.urdf"),
        missing = RUN("robot", "check", SCRATCH "/missing.urdf", "--json");
    CHECK_INT(good.code, 0);
    CHECK(strstr(good.out, "1 mesh file read"));
    CHECK_INT(broken.code, 2);
    CHECK(strstr(broken.err, "broken.urdf:4: mesh of link 'dot' cannot be used: "));
    CHECK(strstr(broken.err, "broken.stl:"));
    CHECK(strstr(broken.out, "is incomplete"));
    CHECK_INT(missing.code, 2);
    CHECK(strstr(missing.err, "missing.urdf:4: "));
    CHECK(strstr(missing.err, "none.stl"));
    CHECK(json_is_valid(missing.out));
    CHECK(json_is_text(missing.out, "verdict", "incomplete"));
    CHECK_INT(json_get(missing.out, "problems"), 1);
    run_free(&good);
    run_free(&broken);
    run_free(&missing);
}

TEST(package_paths_lead_to_meshes)
{
    static const char triangle[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    mkdir(SCRATCH "/packages", 0755);
    mkdir(SCRATCH "/packages/parts", 0755);
    write_file(SCRATCH "/packages/parts/part.obj", triangle, sizeof triangle - 1);
    write_robot(SCRATCH "/packaged.urdf",
                "<visual><geometry><mesh filename=\"package://parts/part.obj\"/></geometry></visual></link>");
    Run without = RUN("robot", "check", SCRATCH "/packaged.urdf");
    Run with = RUN("robot", "check", SCRATCH "/packaged.urdf", "--package-path", SCRATCH "/packages");
    CHECK_INT(without.code, 2);
    CHECK_INT(with.code, 0);
    run_free(&without);
    run_free(&with);
}

TEST(show_draws_the_tree_and_counts)
{
    Run r = RUN("robot", "show", "snake_pair");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "9 -> 7 bodies"));
    CHECK(strstr(r.out, "11 positions, 10 velocities"));
    CHECK(strstr(r.out, "o base "));
    CHECK(strstr(r.out, "  +-o front_screw_a_spin "));
    CHECK(strstr(r.out, "  | o imu_mount "));
    CHECK(strstr(r.out, "  o twist "));
    CHECK(strstr(r.out, "front_screw_b_spin + front_screw_a_spin = 0"));
    CHECK(strstr(r.out, "1 of 2 coordinates free: rear_screw_a rear_screw_b"));
    CHECK(strstr(r.out, "left-handed, 2 starts, lead 0.1 m"));
    Run held = RUN("robot", "show", "snake_pair", "--base", "fixed", "--json");
    CHECK_INT(json_get(held.out, "nv"), 4);
    CHECK(json_is_text(held.out, "base", "fixed"));
    Run whole = RUN("robot", "show", "snake_pair", "--no-reduce", "--json");
    CHECK_INT(json_get(whole.out, "bodies"), 9);
    run_free(&r);
    run_free(&held);
    run_free(&whole);
}

TEST(long_robots_are_cut_unless_all_is_asked_for)
{
    FILE *file = fopen(SCRATCH "/long.urdf", "w");
    REQUIRE(file);
    fprintf(file, "<robot name=\"long\">\n");
    for (int i = 0; i < 200; i++)
        fprintf(file,
                "<link name=\"l%d\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" "
                "iyz=\"0\" izz=\"1\"/></inertial></link>\n",
                i);
    for (int i = 1; i < 200; i++)
        fprintf(file,
                "<joint name=\"j%d\" type=\"continuous\"><parent link=\"l%d\"/><child link=\"l%d\"/>"
                "<axis xyz=\"0 0 1\"/></joint>\n",
                i, i - 1, i);
    fprintf(file, "</robot>\n");
    fclose(file);
    Run cut = RUN("robot", "show", SCRATCH "/long.urdf"), all = RUN("robot", "show", SCRATCH "/long.urdf", "--all");
    CHECK(strstr(cut.out, "... 168 more (--all shows them) ..."));
    CHECK(strstr(cut.out, "o j199 "));
    CHECK(!strstr(cut.out, "o j100 "));
    CHECK(strstr(all.out, "o j100 "));
    run_free(&cut);
    run_free(&all);
}

TEST(reduce_says_what_was_merged_and_why)
{
    Run r = RUN("robot", "reduce", "snake_pair"), json = RUN("robot", "reduce", "snake_pair", "--json");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "joint 'imu_mount' is fixed: link 'imu_plate' is merged into 'head' as a frame"));
    CHECK_INT(json_get(json.out, "before.bodies"), 9);
    CHECK_INT(json_get(json.out, "after.bodies"), 7);
    CHECK_INT(json_get(json.out, "merged[1].line"), 96);
    run_free(&r);
    run_free(&json);
}

TEST(dynamics_satisfies_the_equations_of_motion)
{
    Run r =
        RUN("robot", "dynamics", "snake_pair", "--json", "--gravity", "0.1,-0.2,-1.62", "--q", "bend=0.3,twist=-0.7",
            "--v", "0.1,0.2,0.3,-0.4,0.5,0.6,1.5,-0.7,0.8,2", "--tau", "bend=5,front_screw_a_spin=-2");
    REQUIRE(r.code == 0 && json_is_valid(r.out));
    const int nv = (int)json_get(r.out, "nv");
    CHECK_INT(nv, 10);
    for (int i = 0; i < nv; i++) {
        double sum = json_get(r.out, "bias[%d]", i);
        for (int k = 0; k < nv; k++)
            sum += json_get(r.out, "M[%d][%d]", i, k) * json_get(r.out, "a[%d]", k);
        CHECK_CLOSE(sum, json_get(r.out, "tau[%d]", i), 1e-11);
    }
    double twice_energy = 0.0;
    for (int i = 0; i < nv; i++)
        for (int k = 0; k < nv; k++)
            twice_energy +=
                json_get(r.out, "v[%d]", i) * json_get(r.out, "M[%d][%d]", i, k) * json_get(r.out, "v[%d]", k);
    CHECK_CLOSE(json_get(r.out, "kinetic_energy"), 0.5 * twice_energy, 1e-12);
    run_free(&r);
}

/// The linkage moved to an angle and the one built at that angle are the same, also where one jump
/// from the start would end on the other branch, or nowhere.
TEST(dynamics_keeps_a_loop_on_its_branch)
{
    static const double angles[5] = {2.0, 3.0, 5.0, -2.0, 40.0};
    for (int i = 0; i < 5; i++) {
        char moved[64], built[64];
        snprintf(moved, sizeof moved, "crank_joint=%.17g", angles[i]);
        snprintf(built, sizeof built, "crank_angle=%.17grad", angles[i]);
        Run a = RUN("robot", "dynamics", "four_bar", "--json", "--q", moved);
        Run b = RUN("robot", "dynamics", "four_bar", "--json", "--set", built);
        REQUIRE(a.code == 0 && b.code == 0);
        CHECK_CLOSE(json_get(a.out, "M[0][0]"), json_get(b.out, "M[0][0]"), 1e-12);
        CHECK_CLOSE(cos(json_get(a.out, "q[2]")), cos(json_get(b.out, "q[2]")), 1e-9);
        CHECK_CLOSE(sin(json_get(a.out, "q[2]")), sin(json_get(b.out, "q[2]")), 1e-9);
        run_free(&a);
        run_free(&b);
    }
    Run r = RUN("robot", "dynamics", "four_bar", "--q", "crank_joint=3,coupler_joint=0");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.err, "'coupler_joint' follows from other joints"));
    run_free(&r);
}

TEST(dynamics_prints_the_same_bits_that_the_library_computes)
{
    Run r = RUN("robot", "dynamics", "arm", "--json", "--q", "0.1,-0.2,0.3,0.4,-0.5,0.6", "--v", "1,2,3,-1,-2,-3",
                "--tau", "elbow=4.5");
    REQUIRE(r.code == 0);
    const double q[] = {0.1, -0.2, 0.3, 0.4, -0.5, 0.6}, v[] = {1, 2, 3, -1, -2, -3}, tau[] = {0, 0, 4.5, 0, 0, 0};
    double a[6], tau_s[6] = {0, 0, 4.5, 0, 0, 0};
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiDyn *dyn;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_urdf_load(ctx, ROBOTS "/arm.urdf", NULL, &spec));
    REQUIRE_OK(ctx, ri_model_create(ctx, spec, NULL, &model));
    REQUIRE_OK(ctx, ri_dyn_create(ctx, model, &dyn));
    REQUIRE_OK(ctx, ri_forward_dynamics(dyn, q, v, tau, a));
    REQUIRE_OK(ctx, ri_dyn_update_wrenches(dyn, tau_s));
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(json_get(r.out, "a[%d]", i), a[i], 0.0);
    const int tool = ri_model_find_frame(model, "tool"), elbow = ri_model_find_joint(model, "elbow");
    CHECK_CLOSE(json_get(r.out, "frames.tool.position[0]"), ri_dyn_frame_pose(dyn, tool).p.x, 0.0);
    CHECK_CLOSE(json_get(r.out, "frames.tool.velocity.angular[1]"), ri_dyn_frame_velocity(dyn, tool).ang.y, 0.0);
    CHECK_CLOSE(json_get(r.out, "frames.tool.acceleration.linear[2]"), ri_dyn_frame_acceleration(dyn, tool).lin.z, 0.0);
    CHECK_CLOSE(json_get(r.out, "wrenches.elbow.moment[1]"), ri_dyn_joint_wrench(dyn, elbow).ang.y, 0.0);
    CHECK_CLOSE(json_get(r.out, "momentum.linear[0]"), ri_dyn_momentum(dyn).lin.x, 0.0);
    CHECK_CLOSE(json_get(r.out, "com[2]"), ri_dyn_com(dyn).z, 0.0);
    CHECK_CLOSE(json_get(r.out, "potential_energy"), ri_dyn_potential_energy(dyn), 0.0);
    ri_dyn_destroy(dyn);
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
    run_free(&r);
}

/// The load that a joint carries along its axis is what its motor gives, less what accelerates the
/// rotor.
TEST(dynamics_reports_loads_that_match_the_motors)
{
    Run r = RUN("robot", "dynamics", "arm", "--json", "--q", "0,0,0,0,0,0", "--tau", "shoulder_yaw=7");
    REQUIRE(r.code == 0);
    CHECK_CLOSE(json_get(r.out, "wrenches.shoulder_yaw.moment[2]"), 7.0 - 0.5 * json_get(r.out, "a[0]"), 1e-12);
    CHECK_CLOSE(json_get(r.out, "gravity[2]"), -9.81, 0.0);
    run_free(&r);
    Run geared = RUN("robot", "dynamics", "snake_pair", "--json", "--tau", "front_screw_a_spin=1");
    REQUIRE(geared.code == 0);
    // Both screws have the same inertia, so the gear passes on half the effort that is left after
    // the first rotor.
    const double a = json_get(geared.out, "a[6]"), effort = json_get(geared.out, "coupling_efforts.front_screw_b_spin");
    CHECK_CLOSE(effort, -0.00512 * a, 1e-12);
    CHECK_CLOSE(json_get(geared.out, "coupling_efforts.front_screw_a_spin"), effort, 1e-12);
    run_free(&geared);
}

TEST(dynamics_as_text_has_a_table)
{
    Run r = RUN("robot", "dynamics", "arm");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "mass matrix"));
    CHECK(strstr(r.out, "shoulder_pitch"));
    CHECK(strstr(r.out, "potential energy"));
    run_free(&r);
}

TEST(dynamics_refuses_wrong_lists)
{
    static const struct {
        const char *option, *list, *part;
    } bad[] = {
        {"--q", "1,2,3", "--q has 3 numbers, but this robot needs 6: shoulder_yaw, shoulder_pitch, elbow"},
        {"--q", "1,2,3,4,5,6,7", "--q has 7 numbers"},
        {"--q", "", "--q has 0 numbers"},
        {"--q", "1,2,x,4,5,6", "'x' is not a finite number"},
        {"--v", "1,2,nan,4,5,6", "'nan' is not a finite number"},
        {"--v", "1,2,,4,5,6", "'' is not a finite number"},
        {"--v", "elbow=inf", "'inf' is not a finite number"},
        {"--tau", "elbov=1", "did you mean 'elbow'"},
        {"--tau", "zzzz=1", "this robot has: shoulder_yaw"},
        {"--tau", "elbow=1,2", "'2' has no name"},
        {"--gravity", "0,0", "--gravity expects three numbers"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Run r = RUN("robot", "dynamics", "arm", bad[i].option, bad[i].list);
        CHECK_INT(r.code, 2);
        if (!strstr(r.err, bad[i].part))
            CHECK_FAIL("message '%s' lacks '%s'", r.err, bad[i].part);
        run_free(&r);
    }
    Run r = RUN("robot", "dynamics", "snake_pair", "--q", "base.qw=0.5");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "quaternion of joint 'base' has length 0.5"));
    run_free(&r);
}

TEST(templates_take_parameters)
{
    Run three = RUN("robot", "show", "snake", "--set", "modules=3", "--json");
    Run bad = RUN("robot", "show", "snake", "--set", "modles=3"), loop = RUN("robot", "dynamics", "four_bar", "--json");
    CHECK_INT(three.code, 0);
    CHECK_INT(json_get(three.out, "nv"), 6 + 3 * 3);
    CHECK_INT(bad.code, 2);
    CHECK(strstr(bad.err, "did you mean 'modules'"));
    CHECK_INT(loop.code, 0);
    CHECK_INT(json_get(loop.out, "nq"), 3);
    CHECK_INT(json_get(loop.out, "nv"), 1);
    run_free(&three);
    run_free(&bad);
    run_free(&loop);
}

TEST(every_robot_that_comes_with_rille_passes_the_check)
{
    static const char *const robots[] = {"arm",     "curiosity",  "exomars",     "fido",      "four_bar",
                                         "jpl_osr", "mars2020",   "mer",         "rocky8",    "rocker_bogie",
                                         "snake",   "snake_pair", "snake_short", "sojourner", "triple_bogie"};
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        Run r = RUN("robot", "check", robots[i]);
        if (r.code != 0 || !strstr(r.out, "can be simulated"))
            CHECK_FAIL("%s: %d, %s%s", robots[i], r.code, r.out, r.err);
        run_free(&r);
    }
}

TEST(a_rover_stands_on_flat_ground_with_its_weight_on_six_wheels)
{
    Run text = RUN("robot", "pose", "mer"), json = RUN("robot", "pose", "mer", "--json", "--gravity", "3.71"),
        snake = RUN("robot", "pose", "snake"),
        off = RUN("robot", "pose", "mer", "--terrain", "rock_field", "--at", "50,0"),
        bad = RUN("robot", "pose", "mer", "--contact", "rim");
    CHECK_INT(text.code, 0);
    CHECK(strstr(text.out, "tyre_rear_right") && strstr(text.out, "bogie_left_joint"));
    CHECK_INT(json.code, 0);
    CHECK(json_is_valid(json.out));
    CHECK_CLOSE(json_get(json.out, "pitch_deg"), 0.0, 1e-9);
    CHECK_INT(snake.code, 2);
    CHECK(strstr(snake.err, "no wheels"));
    CHECK_INT(off.code, 1);
    CHECK(strstr(off.out, "beyond the edge of the terrain"));
    CHECK_INT(bad.code, 2);
    CHECK(strstr(bad.err, "hub or surface"));
    run_free(&text);
    run_free(&json);
    run_free(&snake);
    run_free(&off);
    run_free(&bad);
}

TEST(a_robot_can_replace_its_like_only)
{
    char *text = slurp(ROBOTS "/arm.urdf"), *mass = strstr(text, "\"2.5\"");
    REQUIRE(mass);
    memcpy(mass, "\"3.5\"", 5);
    write_file(SCRATCH "/heavy_arm.urdf", text, strlen(text));
    free(text);
    Run like = RUN("robot", "replace", "arm", SCRATCH "/heavy_arm.urdf"),
        other = RUN("robot", "replace", "arm", "snake_pair"),
        json = RUN("robot", "replace", "arm", "snake_pair", "--json"),
        check = RUN("robot", "check", "snake_pair", "--in-place-of", "arm");
    CHECK_INT(like.code, 0);
    CHECK(strstr(like.out, "can replace arm"));
    CHECK_INT(other.code, 2);
    CHECK(strstr(other.err, "snake_pair.urdf:113: joint 'bend' moves here, but not in the built-in robot"));
    CHECK(strstr(other.err, "13 structural differences"));
    CHECK_INT(json.code, 2);
    CHECK(json_is_valid(json.out));
    CHECK_INT(json_get(json.out, "differences[2].line"), 113);
    CHECK_INT(check.code, 2);
    CHECK(strstr(check.out, "cannot replace"));
    run_free(&like);
    run_free(&other);
    run_free(&json);
    run_free(&check);
}

int main(int argc, char **argv)
{
    static const CheckCase cases[] = {
        CASE(every_command_writes_valid_json),
        CASE(the_json_reader_of_these_tests_refuses_bad_json),
        CASE(check_tells_what_is_understood_and_merged_and_ends_with_a_verdict),
        CASE(check_reports_ignored_elements_and_warnings_with_their_lines),
        CASE(check_reads_the_meshes),
        CASE(package_paths_lead_to_meshes),
        CASE(show_draws_the_tree_and_counts),
        CASE(long_robots_are_cut_unless_all_is_asked_for),
        CASE(reduce_says_what_was_merged_and_why),
        CASE(dynamics_satisfies_the_equations_of_motion),
        CASE(dynamics_keeps_a_loop_on_its_branch),
        CASE(dynamics_prints_the_same_bits_that_the_library_computes),
        CASE(dynamics_reports_loads_that_match_the_motors),
        CASE(dynamics_as_text_has_a_table),
        CASE(dynamics_refuses_wrong_lists),
        CASE(templates_take_parameters),
        CASE(every_robot_that_comes_with_rille_passes_the_check),
        CASE(a_rover_stands_on_flat_ground_with_its_weight_on_six_wheels),
        CASE(a_robot_can_replace_its_like_only),
    };
    run_setup();
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
