// SPDX-License-Identifier: Apache-2.0
/// \file
/// The front of the command: help, version, misspelt words, exit codes, robots by name.
#define SCRATCH RILLE_BINARY_DIR "/test_cli_command"
#include "check.h"
#include "cli/run.h"

TEST(without_arguments_it_prints_one_screen_of_commands_and_scenes)
{
    Run r = run_words((const char *const[]){NULL});
    int lines = 0, scenes = 0;
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "  robot "));
    CHECK(strstr(r.out, "  mer_sand "));
    CHECK(strstr(r.out, "rille list scenes"));
    for (const char *c = r.out; *c; c++)
        lines += *c == '\n';
    CHECK(lines <= 40);
    const char *line = strstr(r.out, "Scenes to start with");
    CHECK(line);
    for (; line && (line = strchr(line, '\n')) && line[1] == ' ';)
        line++, scenes++;
    CHECK_INT(scenes, 6);
    CHECK(!*r.err);
    run_free(&r);
}

TEST(list_shows_what_comes_with_the_program)
{
    static const char *const expected[][2] = {{"scenes", "Rovers on soil"},  {"scenes", "Snakes on ice"},
                                              {"scenes", "Needs GDAL."},     {"scenes", "  pendulum "},
                                              {"robots", "A six-joint arm"}, // what the file says of itself
                                              {"robots", "snake_pair"},      {"terrains", "ripple"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        Run r = RUN("list", expected[i][0]);
        CHECK_INT(r.code, 0);
        if (!strstr(r.out, expected[i][1]))
            CHECK_FAIL("list %s lacks '%s'", expected[i][0], expected[i][1]);
        run_free(&r);
    }
    Run r = RUN("list", "sceens");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "did you mean 'scenes'"));
    run_free(&r);
}

TEST(help_of_every_command_ends_well)
{
    static const char *const commands[] = {"check", "show", "reduce", "dynamics", "replace"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        Run r = RUN("robot", commands[i], "--help");
        CHECK_INT(r.code, 0);
        CHECK(strstr(r.out, "Usage: rille robot"));
        run_free(&r);
    }
    Run r = RUN("help", "robot");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "dynamics"));
    run_free(&r);
}

TEST(version_names_features_and_kernels)
{
    Run r = RUN("--version");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "rille 0."));
    CHECK(strstr(r.out, "assimp"));
    CHECK(strstr(r.out, "generic") || strstr(r.out, "avx"));
    run_free(&r);
}

/// Runs, expects exit code 2 and a message with both parts.
static void expect_refusal(const char *const *words, const char *part, const char *other)
{
    Run r = run_words(words);
    CHECK_INT(r.code, 2);
    if (!strstr(r.err, part) || !strstr(r.err, other))
        CHECK_FAIL("message '%s' lacks '%s' or '%s'", r.err, part, other);
    CHECK(!*r.out);
    run_free(&r);
}

#define REFUSED(part, other, ...) expect_refusal((const char *const[]){__VA_ARGS__, NULL}, part, other)

TEST(misspelt_words_get_a_suggestion)
{
    REFUSED("'robto' is not a command", "did you mean 'robot'", "robto");
    REFUSED("'chekc' is not a command", "did you mean 'check'", "robot", "chekc", "arm");
    REFUSED("there is no robot 'snakepair'", "did you mean 'snake_pair'", "robot", "show", "snakepair");
    REFUSED("there is no robot 'zzzzzz'", "no file of that name", "robot", "show", "zzzzzz");
}

TEST(wrong_use_is_bad_input)
{
    REFUSED("unrecognized option", "--frobnicate", "robot", "show", "arm", "--frobnicate");
    REFUSED("the robot is missing", "--help", "robot", "show");
    REFUSED("one argument too many", "snake_pair", "robot", "show", "arm", "snake_pair");
    REFUSED("--base is fixed or floating", "sideways", "robot", "show", "arm", "--base", "sideways");
    REFUSED("--set expects NAME=VALUE", "modules", "robot", "show", "arm", "--set", "modules");
    REFUSED("has no parameters", "modules", "robot", "show", "arm", "--set", "modules=3");
    REFUSED("two robots are wanted", "replace", "robot", "replace", "arm");
}

TEST(a_file_that_is_not_there_is_bad_input)
{
    REFUSED("nowhere.urdf", "No such file", "robot", "show", "nowhere.urdf");
    REFUSED("a robot file ends in .urdf", "notes.txt", "robot", "show", "notes.txt");
}

TEST(a_full_disk_is_not_success)
{
    if (access("/dev/full", W_OK) != 0)
        return;
    Run r = run_to("/dev/full", (const char *const[]){"robot", "show", "arm", NULL});
    CHECK_INT(r.code, 3);
    CHECK(strstr(r.err, "cannot write the output"));
    run_free(&r);
}

TEST(robots_come_from_the_folder_that_the_environment_names)
{
    static const char text[] =
        "<robot name=\"dot\"><link name=\"dot\"><inertial><mass value=\"1\"/>"
        "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link></robot>";
    mkdir(SCRATCH "/robots", 0755);
    write_file(SCRATCH "/robots/dot.urdf", text, sizeof text - 1);
    setenv("RILLE_ROBOTS", SCRATCH "/robots", 1);
    Run list = RUN("list", "robots"), show = RUN("robot", "show", "dot");
    CHECK(strstr(list.out, "  dot"));
    CHECK(!strstr(list.out, "\n  snake_pair "));
    CHECK_INT(show.code, 0);
    CHECK(strstr(show.out, "floating"));
    setenv("RILLE_ROBOTS", SCRATCH "/no_such_folder", 1);
    Run none = RUN("list", "robots");
    CHECK_INT(none.code, 0);
    CHECK(strstr(none.out, "No robots were found"));
    unsetenv("RILLE_ROBOTS");
    run_free(&list);
    run_free(&show);
    run_free(&none);
}

int main(int argc, char **argv)
{
    static const CheckCase cases[] = {
        CASE(without_arguments_it_prints_one_screen_of_commands_and_scenes),
        CASE(list_shows_what_comes_with_the_program),
        CASE(help_of_every_command_ends_well),
        CASE(version_names_features_and_kernels),
        CASE(misspelt_words_get_a_suggestion),
        CASE(wrong_use_is_bad_input),
        CASE(a_file_that_is_not_there_is_bad_input),
        CASE(a_full_disk_is_not_success),
        CASE(robots_come_from_the_folder_that_the_environment_names),
    };
    run_setup();
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
