// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files that are not what they seem: pipes without a writer, devices without an end, a byte order
/// mark, control characters.
#define SCRATCH RILLE_BINARY_DIR "/test-odd-files"

#include "run.h"

#include <signal.h>

#include "check.h"

static void expect(Run r, int code, const char *part)
{
    if (r.code != code || !strstr(r.err, part))
        CHECK_FAIL("code %d, expected %d; '%s' is not in: %s", r.code, code, part, r.err);
    run_free(&r);
}

TEST(a_pipe_without_a_writer_is_an_error)
{
    unlink(SCRATCH "/pipe.yaml");
    CHECK(mkfifo(SCRATCH "/pipe.yaml", 0600) == 0);
    expect(RUN("run", SCRATCH "/pipe.yaml"), 3, "nothing has been written to it");
    static const char scene[] = "scene: s\nrobot: {file: " RILLE_SOURCE_DIR
                                "/robots/arm.urdf}\ndevices: [{name: f, type: f, library: pipe.fmu}]\n";
    unlink(SCRATCH "/pipe.fmu");
    CHECK(mkfifo(SCRATCH "/pipe.fmu", 0600) == 0);
    write_file(SCRATCH "/unit.yaml", scene, sizeof scene - 1);
    expect(RUN("run", SCRATCH "/unit.yaml"), 3, "pipe.fmu: cannot be read: not a regular file");
}

TEST(a_pipe_with_a_writer_is_read)
{
    const int state =
        system("{ sleep 0.3; cat " RILLE_SOURCE_DIR "/scenes/pendulum.yaml | sed 's|../robots/|" RILLE_SOURCE_DIR
               "/robots/|'; } | " COMMAND " run /dev/stdin --duration 0.1 --quiet --out " SCRATCH "/piped");
    CHECK(WIFEXITED(state) && WEXITSTATUS(state) == 0);
}

TEST(devices_are_refused_at_once)
{
    expect(RUN("run", "/dev/zero"), 3, "neither a regular file nor a pipe");
    expect(RUN("run", "pendulum", "--resume", "/dev/zero", "--out", SCRATCH "/zero"), 3, "neither a regular file");
    expect(RUN("plot", "/dev/zero"), 3, "a log is a regular file");
}

TEST(a_byte_order_mark_does_no_harm)
{
    static const char scene[] =
        "\xef\xbb\xbfscene: s\nrobot: {file: " RILLE_SOURCE_DIR "/robots/arm.urdf}\nduration: 0.01 s\n";
    static const char table[] = "\xef\xbb\xbftime, bend_2, bend_1\n0, 0, 0.5\n1, 0.2, 0.5\n";
    static const char snake[] = "scene: s\nduration: 0.01 s\nrobot: {file: " RILLE_SOURCE_DIR
                                "/robots/mini_eels.yaml, set: {modules: 2}}\ndevices: [{name: path, type: trajectory, "
                                "group: \"bend_*\", file: mark.csv}]\n";
    write_file(SCRATCH "/mark.yaml", scene, sizeof scene - 1);
    write_file(SCRATCH "/mark.csv", table, sizeof table - 1);
    write_file(SCRATCH "/table.yaml", snake, sizeof snake - 1);
    expect(RUN("run", SCRATCH "/mark.yaml", "--quiet", "--out", SCRATCH "/mark"), 0, "");
    expect(RUN("run", SCRATCH "/table.yaml", "--quiet", "--out", SCRATCH "/table"), 0, "");
}

TEST(control_characters_do_not_reach_the_terminal)
{
    static const char scene[] = "scene: \"a\\e[2Jb\"\nrobot: arm.urdf\n";
    write_file(SCRATCH "/escape.yaml", scene, sizeof scene - 1);
    expect(RUN("run", SCRATCH "/escape.yaml"), 2, "escape.yaml:1:8: a control character");
    Run r = RUN("run", "no\x1b[2Jsuch\xc2\x9bx");
    CHECK_INT(r.code, 2);
    CHECK(!strchr(r.err, '\x1b') && strstr(r.err, "no\\x1b[2Jsuch\\x9bx"));
    run_free(&r);
    static const char *const words[][3] = {{"plot", "no\x1b[2J"}, {"run", "pendulum", "--no\x1b[2J"}, {"run", "-\x1b"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        r = RUN(words[i][0], words[i][1], words[i][2]);
        CHECK_INT(r.code, 2);
        CHECK(!strchr(r.err, '\x1b') && strstr(r.err, "\\x1b"));
        run_free(&r);
    }
}

TEST(a_value_beyond_the_bounds_of_a_base_is_told_where_it_is_given)
{
    static const char robot[] =
        "robot: derived\nextends: " RILLE_SOURCE_DIR "/robots/snake.yaml\nparameters: {modules: 0}\n";
    write_file(SCRATCH "/derived.yaml", robot, sizeof robot - 1);
    Run r = RUN("robot", "check", SCRATCH "/derived.yaml");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "derived.yaml:3") && strstr(r.err, "must be at least 1 (") && strstr(r.err, "snake.yaml:"));
    run_free(&r);
}

int main(int argc, char **argv)
{
    run_setup();
    const CheckCase cases[] = {CASE(a_pipe_without_a_writer_is_an_error),
                               CASE(a_pipe_with_a_writer_is_read),
                               CASE(devices_are_refused_at_once),
                               CASE(a_byte_order_mark_does_no_harm),
                               CASE(control_characters_do_not_reach_the_terminal),
                               CASE(a_value_beyond_the_bounds_of_a_base_is_told_where_it_is_given)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
