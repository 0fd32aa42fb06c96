// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bad robots: each is refused with exit code 2 and a message that names the file and the line of
/// the fault.
#define SCRATCH RILLE_BINARY_DIR "/test_cli_bad_input"
#include "check.h"
#include "cli/run.h"

#define MASS                                                                                                           \
    "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>"
#define LINK(name) "<link name=\"" name "\">" MASS "</link>\n"
#define JOINT(name, parent, child, extra)                                                                              \
    "<joint name=\"" name "\" type=\"continuous\"><parent link=\"" parent "\"/><child link=\"" child "\"/>" extra      \
    "</joint>\n"
#define OPEN  "<robot name=\"r\">\n"
#define CLOSE "</robot>\n"

#define URDF     SCRATCH "/bad.urdf"
#define TEMPLATE SCRATCH "/bad.yaml"

typedef struct BadRobot {
    const char *claim;
    int line; ///< of the fault; 0: any line
    const char *part;
    const char *text;
} BadRobot;

static const BadRobot bad_robots[] = {
    {"truncated XML", 3, "", OPEN LINK("a") "<link name=\"b\""},
    {"DTD bomb", 2, "",
     "<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n" OPEN "&b;" CLOSE},
    {"wrong encoding", 3, "", OPEN LINK("a") "<link name=\"\xff\xfe\"/>\n" CLOSE},
    {"an encoding that nobody knows", 1, "", "<?xml version=\"1.0\" encoding=\"klingon\"?>\n" OPEN LINK("a") CLOSE},
    {"a cycle", 2, "cycle", OPEN LINK("a") LINK("b") JOINT("j", "a", "b", "") JOINT("k", "b", "a", "") CLOSE},
    {"a cycle beside a tree", 3, "cycle",
     OPEN LINK("root") LINK("a") LINK("b") JOINT("j", "a", "b", "") JOINT("k", "b", "a", "") CLOSE},
    {"two roots", 3, "two roots", OPEN LINK("a") LINK("b") CLOSE},
    {"two links of one name", 3, "a", OPEN LINK("a") LINK("a") CLOSE},
    {"two joints of one name", 6, "j",
     OPEN LINK("a") LINK("b") LINK("c") JOINT("j", "a", "b", "") JOINT("j", "a", "c", "") CLOSE},
    {"NaN", 2, "nan",
     OPEN "<link name=\"a\"><inertial><mass value=\"nan\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
          "izz=\"1\"/></inertial></link>\n" CLOSE},
    {"a negative mass", 2, "",
     OPEN "<link name=\"a\"><inertial><mass value=\"-1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
          "izz=\"1\"/></inertial></link>\n" CLOSE},
    {"an inertia that no body has", 2, "triangle",
     OPEN "<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
          "izz=\"9\"/></inertial></link>\n" CLOSE},
    {"a missing mesh", 3, "no.stl",
     OPEN "<link name=\"a\">" MASS
          "\n<visual><geometry><mesh filename=\"no.stl\"/></geometry></visual></link>\n" CLOSE},
    {"a mimic of itself", 4, "j",
     OPEN LINK("a") LINK("b") JOINT("j", "a", "b", "<mimic joint=\"j\" multiplier=\"2\"/>") CLOSE},
    {"contradictory couplings", 8, "contradicts",
     OPEN LINK("a") LINK("b") LINK("c") JOINT("j", "a", "b", "")
         JOINT("k", "a", "c", "<mimic joint=\"j\"/>") "<rille>\n<coupling name=\"x\" offset=\"1\"><term joint=\"k\" "
                                                      "factor=\"1\"/><term joint=\"j\" factor=\"-1\"/>"
                                                      "</coupling></rille>\n" CLOSE},
    {"a joint to a link that does not exist", 4, "did you mean 'body'",
     OPEN LINK("base") LINK("body") JOINT("j", "base", "bodi", "") CLOSE},
    {"no links", 0, "", OPEN CLOSE},
    {"an empty file", 1, "", ""},
    {"not a robot", 1, "", "<html/>\n"},
};

/// The same for templates.
static const BadRobot bad_templates[] = {
    {"truncated YAML", 4, "", "robot: r\nlinks:\n  - {name: a\n"},
    {"an unknown key", 3, "did you mean 'mass'", "robot: r\nlinks:\n  - {name: a, mas: 1}\n"},
    {"a wrong unit", 3, "kg", "robot: r\nlinks:\n  - {name: a, mass: 1 m}\n"},
    {"two roots", 4, "two roots", "robot: r\nlinks:\n  - {name: a}\n  - {name: b}\n"},
    {"a file that extends itself", 1, "extend", "extends: bad.yaml\n"},
    {"a YAML bomb", 1, "aliases", "robot: &a [*a, *a]\n"},
};

static bool names_place(const char *text, const char *file, int line)
{
    char place[512];
    for (int n = line ? line : 1; n <= (line ? line : 20); n++) {
        snprintf(place, sizeof place, "rille: %s:%d:", file, n);
        if (strstr(text, place))
            return true;
    }
    return false;
}

static void expect_refused(const BadRobot *bad, const char *file, const char *command, bool json)
{
    write_file(file, bad->text, strlen(bad->text));
    Run r = json ? RUN("robot", command, file, "--json") : RUN("robot", command, file);
    if (r.code != 2)
        CHECK_FAIL("%s: robot %s ended with %d: %s", bad->claim, command, r.code, r.err);
    if (!names_place(r.err, file, bad->line) || !strstr(r.err, bad->part))
        CHECK_FAIL("%s: robot %s does not name line %d and '%s': %s", bad->claim, command, bad->line, bad->part, r.err);
    char line[32];
    snprintf(line, sizeof line, "\"line\": %d,", bad->line);
    if (json && (!json_is_valid(r.out) || (bad->line && !strstr(r.out, line))))
        CHECK_FAIL("%s: no valid JSON with the line: %s", bad->claim, r.out);
    run_free(&r);
}

TEST(check_refuses_every_bad_robot_with_file_and_line)
{
    for (size_t i = 0; i < sizeof bad_robots / sizeof *bad_robots; i++) {
        expect_refused(&bad_robots[i], URDF, "check", false);
        expect_refused(&bad_robots[i], URDF, "check", true);
    }
}

TEST(check_refuses_every_bad_template_with_file_and_line)
{
    for (size_t i = 0; i < sizeof bad_templates / sizeof *bad_templates; i++) {
        expect_refused(&bad_templates[i], TEMPLATE, "check", false);
        expect_refused(&bad_templates[i], TEMPLATE, "check", true);
        expect_refused(&bad_templates[i], TEMPLATE, "show", false);
    }
}

TEST(the_other_commands_refuse_them_too)
{
    for (size_t i = 0; i < sizeof bad_robots / sizeof *bad_robots; i++) {
        if (strcmp(bad_robots[i].claim, "a missing mesh") == 0)
            continue; // the motion does not need it
        expect_refused(&bad_robots[i], URDF, "show", false);
        expect_refused(&bad_robots[i], URDF, "dynamics", false);
        expect_refused(&bad_robots[i], URDF, "reduce", false);
    }
}

TEST(check_lists_every_fault_and_not_only_the_first)
{
    static const char text[] = OPEN
        "<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
        "izz=\"9\"/></inertial></link>\n"
        "<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"-1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
        "izz=\"1\"/></inertial></link>\n" JOINT("j", "a", "b", "") CLOSE;
    write_file(SCRATCH "/two.urdf", text, sizeof text - 1);
    Run r = RUN("robot", "check", SCRATCH "/two.urdf");
    CHECK_INT(r.code, 2);
    CHECK(names_place(r.err, SCRATCH "/two.urdf", 2));
    CHECK(names_place(r.err, SCRATCH "/two.urdf", 3));
    CHECK(strstr(r.out, "cannot be simulated: 2 problems"));
    run_free(&r);
}

int main(int argc, char **argv)
{
    static const CheckCase cases[] = {
        CASE(check_refuses_every_bad_robot_with_file_and_line),
        CASE(check_refuses_every_bad_template_with_file_and_line),
        CASE(the_other_commands_refuse_them_too),
        CASE(check_lists_every_fault_and_not_only_the_first),
    };
    run_setup();
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
