// SPDX-License-Identifier: Apache-2.0
// Xacro sources: expressions as Python gives them, scopes, macros, blocks, includes, and messages
// at the line of the source.
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

#include <rille/robot.h>

typedef struct Bench {
    RiContext *ctx;
    RiReport *report;
    RiSpec *spec;
} Bench;

static Bench open_bench(void)
{
    Bench b = {0};
    if (ri_context_create(NULL, &b.ctx) != RI_OK || ri_report_create(b.ctx, &b.report) != RI_OK)
        abort();
    return b;
}

static void close_bench(Bench *b)
{
    ri_spec_destroy(b->spec);
    ri_report_destroy(b->report);
    ri_context_destroy(b->ctx);
}

static RiStatus parse_with(Bench *b, const char *text, const RiSetting *settings, int count)
{
    RiLoadOptions options = ri_load_options_default();
    options.report = b->report;
    options.settings = settings;
    options.setting_count = count;
    ri_spec_destroy(b->spec);
    return ri_urdf_parse(b->ctx, "r.xacro", text, strlen(text), &options, &b->spec);
}

static RiStatus parse(Bench *b, const char *text)
{
    return parse_with(b, text, NULL, 0);
}

#define CHECK_TEXT(got, want)     CHECK(strcmp(got, want) == 0)
#define CHECK_CONTAINS(got, part) CHECK(strstr(got, part) != NULL)

#define HEAD        "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n"
#define XACRO(body) HEAD body "\n</robot>"
/// A robot whose one link has the value of an expression as its mass.
#define MASS(properties, expression)                                                                                   \
    XACRO(properties "<link name='a'><inertial><mass value='" expression                                               \
                     "'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "                                                    \
                     "iyz='0' izz='1'/></inertial></link>")
/// A robot whose one link has the value of an expression as its name.
#define NAME(properties, expression) XACRO(properties "<link name='" expression "'/>")

static void check_mass(const char *text, double mass)
{
    Bench b = open_bench();
    REQUIRE_OK(b.ctx, parse(&b, text));
    REQUIRE(b.spec->link_count == 1);
    CHECK_CLOSE(b.spec->links[0].mass, mass, 1e-15 * mass);
    close_bench(&b);
}

static void check_name(const char *text, const char *name)
{
    Bench b = open_bench();
    REQUIRE_OK(b.ctx, parse(&b, text));
    REQUIRE(b.spec->link_count == 1);
    CHECK_TEXT(b.spec->links[0].name, name);
    close_bench(&b);
}

/// Parsing fails and its message contains `part`.
static void check_fails(const char *text, const char *part)
{
    Bench b = open_bench();
    CHECK(parse(&b, text) != RI_OK);
    CHECK_CONTAINS(ri_context_message(b.ctx), part);
    close_bench(&b);
}

TEST(arithmetic_is_that_of_python)
{
    check_mass(MASS("", "${2 + 3*4}"), 14.0);
    check_mass(MASS("", "${7 // 2}"), 3.0);
    check_mass(MASS("", "${-7 // 2 + 10}"), 6.0);
    check_mass(MASS("", "${-7 % 3}"), 2.0);
    check_mass(MASS("", "${7 / 2}"), 3.5);
    check_mass(MASS("", "${2**3**2}"), 512.0);
    check_mass(MASS("", "${-2**2 + 5}"), 1.0);
    check_mass(MASS("", "${1.5e-1*10}"), 1.5);
    check_mass(MASS("", "${.5}"), 0.5);
    check_mass(MASS("", "${(1 + 2)*(3 - 1)}"), 6.0);
    check_mass(MASS("", "${1 if 2 > 1 else 1/0}"), 1.0);
    check_mass(MASS("", "${3 if False or not True else 4}"), 4.0);
    check_mass(MASS("", "${5 if 1 &lt; 2 &lt; 3 else 6}"), 5.0);
    check_mass(MASS("", "${radians(180)/pi}"), 1.0);
    check_mass(MASS("", "${math.sin(math.pi/2) + sqrt(16)}"), 5.0);
    check_mass(MASS("", "${max(1, 5, 3) + min([4, 2]) + abs(-1) + len([1,2,3])}"), 11.0);
    check_mass(MASS("", "${round(2.5) + round(3.5) + int(2.9) + float(\"0.5\")}"), 8.5);
    check_mass(MASS("", "${[1, 2, 3][-1] + sum(range(4))}"), 9.0);
    check_mass(MASS("", "${sum([1, 2, 4, 8][1:3]) + len([1, 2][5:]) + [7, 8, 9][-2:][0]}"), 14.0);
    check_mass(MASS("", "${sum([1, 2, 4][:-1]) + sum([1, 2][:]) + len([1, 2, 3][2:1])}"), 6.0);
    check_mass(MASS("", "${dict(a=3, b = [4, 5])[\"b\"][1]}"), 5.0);
}

TEST(texts_of_values_are_those_of_python)
{
    check_name(NAME("", "l_${4/2}"), "l_2.0");
    check_name(NAME("", "l_${4//2}"), "l_2");
    check_name(NAME("", "l_${0.1 + 0.2}"), "l_0.30000000000000004");
    check_name(NAME("", "l_${1 == 1.0}"), "l_True");
    check_name(NAME("", "l_${[1, \"a\", 2.0]}"), "l_[1, 'a', 2.0]");
    check_name(NAME("", "${\"Front\".lower() + \"_\" + \"x-y\".replace(\"-\", \"_\")}"), "front_x_y");
    check_name(NAME("", "${\"left right\".split()[1]}"), "right");
    check_name(NAME("", "${\"a\" in \"cat\" and \"yes\"}"), "yes");
    check_name(NAME("", "${\"front_left\"[6:] + \"abc\"[0] + \"abc\"[-1:]}"), "leftac");
    check_name(NAME("", "a$${b}"), "a${b}");
    check_name(NAME("", "cost_$5"), "cost_$5");
}

TEST(properties_are_evaluated_when_they_are_used)
{
    check_mass(MASS("<xacro:property name='a' value='${b*2}'/><xacro:property name='b' value='3'/>", "${a}"), 6.0);
    check_mass(MASS("<xacro:property name='w' value='0.5'/>", "${w*4}"), 2.0);
    check_mass(MASS("<xacro:property name='w' value='2'/><xacro:property name='w' default='9'/>", "${w}"), 2.0);
    check_name(NAME("<xacro:property name='s' value=\"'007'\"/>", "l${s}"), "l007");
    check_fails(MASS("<xacro:property name='a' value='${b}'/><xacro:property name='b' value='${a}'/>", "${a}"),
                "is defined in terms of itself");
}

TEST(a_macro_sees_its_caller_and_its_defaults)
{
    check_mass(MASS("<xacro:property name='k' value='2'/>"
                    "<xacro:macro name='m' params='a b:=${a*10} c:=^|7 d:=^'>"
                    "<xacro:property name='sum' value='${a + b + c + d + k}' scope='global'/></xacro:macro>"
                    "<xacro:property name='d' value='1000'/><xacro:m a='1'/>",
                    "${sum}"),
               1.0 + 10.0 + 7.0 + 1000.0 + 2.0);
}

TEST(blocks_are_inserted_whole_or_by_their_children)
{
    Bench b = open_bench();
    REQUIRE_OK(b.ctx,
               parse(&b, XACRO("<xacro:macro name='wheel' params='side *origin **extra'><link name='${side}_wheel'>"
                               "<xacro:insert_block name='extra'/></link>"
                               "<joint name='${side}' type='continuous'><parent link='base'/><child "
                               "link='${side}_wheel'/><xacro:insert_block name='origin'/></joint></xacro:macro>"
                               "<link name='base'/>"
                               "<xacro:wheel side='left'><origin xyz='1 ${0.5/2} 0'/><more><visual><geometry><sphere "
                               "radius='0.1'/></geometry></visual><visual><geometry><sphere radius='0.2'/></geometry>"
                               "</visual></more></xacro:wheel>")));
    REQUIRE(b.spec->link_count == 2 && b.spec->joint_count == 1);
    CHECK_TEXT(b.spec->joints[0].child, "left_wheel");
    CHECK_CLOSE(b.spec->joints[0].origin.p.y, 0.25, 0.0);
    CHECK_INT(b.spec->shape_count, 2);
    close_bench(&b);
}

TEST(conditions_take_one_side_only)
{
    check_name(XACRO("<xacro:arg name='arm' default='false'/><xacro:if value='$(arg arm)'><link name='arm'/></xacro:if>"
                     "<xacro:unless value='$(arg arm)'><link name='none'/></xacro:unless>"),
               "none");
    check_name(XACRO("<xacro:if value='${1 == 2}'><xacro:nothing/></xacro:if><link name='a'/>"), "a");
    check_fails(XACRO("<xacro:if value='maybe'><link name='a'/></xacro:if>"), "'maybe' is not true, false or a number");
}

TEST(arguments_are_settings)
{
    Bench b = open_bench();
    const RiSetting settings[] = {{"side", "starboard"}};
    const char *text = XACRO("<xacro:arg name='side' default='port'/><link name='$(arg side)_${2*3}'/>");
    REQUIRE_OK(b.ctx, parse_with(&b, text, settings, 1));
    CHECK_TEXT(b.spec->links[0].name, "starboard_6");
    REQUIRE_OK(b.ctx, parse(&b, text));
    CHECK_TEXT(b.spec->links[0].name, "port_6");
    const RiSetting wrong[] = {{"sied", "x"}};
    CHECK(parse_with(&b, text, wrong, 1) != RI_OK);
    CHECK_CONTAINS(ri_context_message(b.ctx), "there is no <xacro:arg name=\"sied\">; arguments: side");
    close_bench(&b);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

TEST(includes_packages_and_yaml_files_are_found)
{
    char folder[] = "/tmp/rille-xacro-XXXXXX", path[512];
    REQUIRE(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/urdf", folder);
    mkdir(path, 0700);
    write_file(folder, "package.xml", "<package><name>my_rover</name></package>");
    write_file(folder, "sizes.yaml", "wheel: {radius: 0.15, names: [front, rear]}\n");
    write_file(path, "macros.xacro",
               HEAD "<xacro:macro name='part' params='name'>\n<link name='${name}'/>\n</xacro:macro></robot>");
    write_file(path, "rover.urdf.xacro",
               XACRO("<xacro:include filename='macros.xacro'/>\n"
                     "<xacro:property name='sizes' value=\"${xacro.load_yaml('$(find my_rover)/sizes.yaml')}\"/>\n"
                     "<xacro:part name=\"${sizes['wheel']['names'][1]}_${sizes.wheel.radius}\"/>"));
    snprintf(path, sizeof path, "%s/urdf/rover.urdf.xacro", folder);
    Bench b = open_bench();
    REQUIRE_OK(b.ctx, ri_robot_load(b.ctx, path, NULL, &b.spec));
    CHECK_TEXT(b.spec->links[0].name, "rear_0.15");
    CHECK_CONTAINS(b.spec->links[0].source.file, "macros.xacro"); // messages name the file the element comes from
    CHECK_INT(b.spec->links[0].source.line, 3);
    close_bench(&b);
    char command[600];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    CHECK_INT(system(command), 0);
}

TEST(all_messages_are_told_at_once_with_their_lines)
{
    Bench b = open_bench();
    CHECK(parse(&b, XACRO("<link name='${wheel_radus}'/>\n<xacro:property name='wheel_radius' value='1'/>\n"
                          "<xacro:whel/>\n<link name='${wheel_radus}'/>\n<xacro:macro name='wheel' params=''/>")) !=
          RI_OK);
    CHECK_CONTAINS(ri_context_message(b.ctx), "r.xacro:2: there is no property or parameter 'wheel_radus'");
    CHECK_CONTAINS(ri_context_message(b.ctx), "r.xacro:4: <xacro:whel>: there is no macro of this name");
    CHECK_CONTAINS(ri_context_message(b.ctx),
                   "r.xacro:5: there is no property or parameter 'wheel_radus'; did you mean 'wheel_radius'?");
    close_bench(&b);
}

TEST(what_is_not_understood_is_named)
{
    check_fails(MASS("", "${[x for x in range(3)]}"), "comprehensions are not understood");
    check_fails(MASS("", "${[1, 2, 3][::2]}"), "expected a value at ':2]'");
    check_fails(MASS("", "${[1, 2, 3][0:2:1]}"), "slices with a step are not understood");
    check_fails(MASS("", "${[1, 2][\"a\":]}"), "an end of a slice is a text, not an int");
    check_fails(MASS("", "${5[1:]}"), "an int has no slices");
    check_fails(MASS("", "${\"abc\"[3]}"), "item 3 of a text of 3");
    check_fails(MASS("", "${dict(a=1, 2)}"), "expected NAME=VALUE");
    check_fails(MASS("", "${1 +}"), "expected a value at 'its end'");
    check_fails(MASS("", "${1/0}"), "division by zero");
    check_fails(MASS("", "${foo(1)}"), "function 'foo' is not understood");
    check_fails(MASS("", "${1 + \"a\"}"), "an int + a text is not understood");
    check_fails(MASS("", "$(find no_such_package_here)"), "name the folder that holds it with -p FOLDER");
    check_fails(MASS("", "$(launch x)"), "'launch' is not understood; there are arg, find");
    check_fails(MASS("<xacro:macro name='m' params='a'/><xacro:m/>", "1"), "macro 'm' needs its parameter 'a'");
    check_fails(MASS("<xacro:macro name='m' params='a'/><xacro:m a='1' b='2'/>", "1"),
                "macro 'm' has no parameter 'b'");
    check_fails(MASS("<xacro:macro name='m' params='*a'/><xacro:m/>", "1"), "needs a block for its parameter '*a'");
    check_fails(MASS("<xacro:include filename='none.xacro'/>", "1"), "there is no file 'none.xacro'");
}

TEST(expansion_ends)
{
    check_fails(MASS("<xacro:macro name='m' params=''><xacro:m/></xacro:macro><xacro:m/>", "1"), "nested more than");
    check_fails(
        MASS("<xacro:macro name='m' params='n'><xacro:m n='${n}'/><xacro:m n='${n}'/></xacro:macro><xacro:m n='1'/>",
             "1"),
        "nested more than");
    check_fails(
        MASS("<xacro:property name='a'><xacro:insert_block name='a'/></xacro:property><xacro:insert_block name='a'/>",
             "1"),
        "nested more than");
}

TEST_MAIN(CASE(arithmetic_is_that_of_python), CASE(texts_of_values_are_those_of_python),
          CASE(properties_are_evaluated_when_they_are_used), CASE(a_macro_sees_its_caller_and_its_defaults),
          CASE(blocks_are_inserted_whole_or_by_their_children), CASE(conditions_take_one_side_only),
          CASE(arguments_are_settings), CASE(includes_packages_and_yaml_files_are_found),
          CASE(all_messages_are_told_at_once_with_their_lines), CASE(what_is_not_understood_is_named),
          CASE(expansion_ends))
