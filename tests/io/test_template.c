// SPDX-License-Identifier: Apache-2.0
/// \file
/// Robot templates: repetition and dependent sizes, inheritance, what is refused and where, the
/// example robots, failing memory.
#include "check.h"

#include <unistd.h>

#include <rille/robot.h>

#include "base/memory.h"
#include "io/faults.h"
#include "io/file/file.h"

static const double pi = 3.14159265358979323846;

typedef struct Fixture {
    RiContext *ctx;
    RiSpec *spec;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {NULL, NULL};
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        exit(EXIT_FAILURE);
    return f;
}

static void end(Fixture *f)
{
    ri_spec_destroy(f->spec);
    ri_context_destroy(f->ctx);
    *f = (Fixture){NULL, NULL};
}

static RiStatus parse(Fixture *f, const char *text, const RiLoadOptions *options)
{
    ri_spec_destroy(f->spec);
    return ri_template_parse(f->ctx, "robot.yaml", text, strlen(text), options, &f->spec);
}

/// A text that must be refused with a message.
static void refused(const char *text, RiStatus status, const char *part)
{
    Fixture f = begin();
    CHECK_ERROR(f.ctx, parse(&f, text, NULL), status, part);
    CHECK(f.spec == NULL);
    end(&f);
}

/// One setting.
static RiLoadOptions with(const RiSetting *setting)
{
    return (RiLoadOptions){.settings = setting, .setting_count = 1};
}

static RiStatus load(Fixture *f, const char *name, const RiLoadOptions *options)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/robots/%s", RILLE_SOURCE_DIR, name);
    ri_spec_destroy(f->spec);
    return ri_template_load(f->ctx, path, options, &f->spec);
}

/// Writes a file into the build folder; *path is its name.
static void write_file(const char *name, const char *text, char path[1024])
{
    snprintf(path, 1024, "%s/test_template_%ld_%s", RILLE_BINARY_DIR, (long)getpid(), name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        CHECK_FAIL("cannot write %s", path);
}

// ------------------------------------------------------------------------------- repetition, sizes

static const char chain[] = "robot: chain\n"
                            "parameters:\n"
                            "  spacing: length/count\n"
                            "  length: 2 m\n"
                            "  count: {value: 4, min: 1, max: 100}\n"
                            "links:\n"
                            "  - {name: link_0, mass: 1}\n"
                            "parts:\n"
                            "  - repeat: ${count}\n"
                            "    as: k\n"
                            "    let: {before: k - 1, weight: 10 kg/count}\n"
                            "    links:\n"
                            "      - {name: 'link_${k}', mass: '${weight}', com: ['${spacing/2}', 0, 0]}\n"
                            "    joints:\n"
                            "      - name: joint_${k}\n"
                            "        type: revolute\n"
                            "        parent: link_${before}\n"
                            "        child: link_${k}\n"
                            "        limits: [-30 deg, 30 deg]\n"
                            "        origin: {xyz: ['${spacing}', 0, 0]}\n"
                            "    frames:\n"
                            "      - {name: end, link: 'link_${k}', if: '${k == count}'}\n";

TEST(a_block_is_repeated_and_dependent_sizes_follow)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, parse(&f, chain, NULL));
    CHECK_INT(f.spec->link_count, 5);
    CHECK_INT(f.spec->joint_count, 4);
    CHECK_INT(f.spec->frame_count, 1);
    CHECK(strcmp(f.spec->name, "chain") == 0);
    CHECK(strcmp(f.spec->frames[0].link, "link_4") == 0);
    CHECK(strcmp(f.spec->joints[2].parent, "link_2") == 0 && strcmp(f.spec->joints[2].child, "link_3") == 0);
    CHECK_CLOSE(f.spec->joints[0].origin.p.x, 0.5, 0);
    CHECK_CLOSE(f.spec->joints[0].upper, pi / 6, 1e-15);
    CHECK_CLOSE(f.spec->links[4].mass, 2.5, 0);
    CHECK_INT(f.spec->links[4].source.line, 13);
    CHECK(strcmp(f.spec->links[4].source.file, "robot.yaml") == 0);
    const RiSetting eight = {"count", "2*4"};
    const RiLoadOptions options = with(&eight);
    REQUIRE_OK(f.ctx, parse(&f, chain, &options));
    CHECK_INT(f.spec->link_count, 9);
    CHECK_CLOSE(f.spec->joints[0].origin.p.x, 0.25, 0);
    CHECK_CLOSE(f.spec->links[8].mass, 1.25, 0);
    end(&f);
}

TEST(settings_are_checked)
{
    Fixture f = begin();
    RiSetting setting = {"robot.count", "2"};
    const RiLoadOptions options = with(&setting);
    REQUIRE_OK(f.ctx, parse(&f, chain, &options));
    CHECK_INT(f.spec->link_count, 3);
    setting = (RiSetting){"cuont", "2"};
    CHECK_ERROR(f.ctx, parse(&f, chain, &options), RI_ERR_NOT_FOUND,
                "setting 'cuont': there is no such parameter; did "
                "you mean 'count'?");
    setting = (RiSetting){"entirely_different", "2"};
    CHECK_ERROR(f.ctx, parse(&f, chain, &options), RI_ERR_NOT_FOUND, "robot.yaml: setting 'entirely_different'");
    setting = (RiSetting){"count", "0"};
    CHECK_ERROR(f.ctx, parse(&f, chain, &options), RI_ERR_FORMAT,
                "parameter 'count' is 0 (set from outside), must be "
                "at least 1");
    setting = (RiSetting){"count", "101"};
    CHECK_ERROR(f.ctx, parse(&f, chain, &options), RI_ERR_FORMAT, "robot.yaml:5:");
    setting = (RiSetting){"count", "1/0"};
    CHECK_ERROR(f.ctx, parse(&f, chain, &options), RI_ERR_FORMAT, "setting 'count': in '1/0', column 2: division");
    setting = (RiSetting){"count", "2.5"};
    CHECK_ERROR(f.ctx, parse(&f, chain, &options), RI_ERR_FORMAT, "whole number");
    setting = (RiSetting){"length", "3 kg"};
    CHECK_ERROR(f.ctx, parse(&f, chain, &options), RI_ERR_FORMAT, "has unit kg, expected m");
    end(&f);
}

TEST(words_repeat_as_text_and_as_number)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, parse(&f,
                            "robot: r\n"
                            "parts:\n"
                            "  - repeat: {left: 1, right: -1}\n"
                            "    as: side\n"
                            "    links: [{name: 'arm_${side}', com: [0, '${0.3*side}', 0]}]\n",
                            NULL));
    REQUIRE(f.spec->link_count == 2);
    CHECK(strcmp(f.spec->links[0].name, "arm_left") == 0 && strcmp(f.spec->links[1].name, "arm_right") == 0);
    CHECK_CLOSE(f.spec->links[1].com.y, -0.3, 0);
    end(&f);
}

TEST(nested_repeats_conditions_and_item_repeats_expand)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, parse(&f,
                            "robot: r\n"
                            "parts:\n"
                            "  - repeat: 3\n"
                            "    parts:\n"
                            "      - repeat: ${i}\n"
                            "        as: k\n"
                            "        links: [{name: 'a_${i}_${k}'}]\n"
                            "  - if: false\n"
                            "    links: [{name: never}]\n"
                            "frames:\n"
                            "  - {repeat: 2, name: 'f_${i}', link: a_1_1}\n",
                            NULL));
    CHECK_INT(f.spec->link_count, 6);
    CHECK_INT(f.spec->frame_count, 2);
    CHECK(ri_spec_find_link(f.spec, "a_3_2") != NULL);
    CHECK(ri_spec_find_link(f.spec, "never") == NULL);
    end(&f);
}

TEST(interpolated_numbers_keep_their_bits_in_text)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, parse(&f,
                            "robot: r\nparameters: {x: 0.1, n: 3}\n"
                            "links: [{name: 'a_${x}_${n}', mass: '-${x/3}', com: ['${x} cm', '1e-${n}', 0]}]\n",
                            NULL));
    CHECK(strcmp(f.spec->links[0].name, "a_0.1_3") == 0);
    CHECK(f.spec->links[0].mass == -(0.1 / 3.0));
    CHECK_CLOSE(f.spec->links[0].com.x, 0.001, 1e-18);
    CHECK_CLOSE(f.spec->links[0].com.y, 0.001, 0);
    end(&f);
}

// --------------------------------------------------------------------------------------- all kinds

TEST(every_kind_of_item_reaches_the_spec)
{
    Fixture f = begin();
    REQUIRE_OK(
        f.ctx,
        parse(&f,
              "robot: all\nbase: fixed\n"
              "materials: [{name: red, rgba: [1, 0, 0]}]\n"
              "links:\n"
              "  - {name: a, mass: 12, solid: cylinder, size: [10 cm, 2], axis: x}\n"
              "  - name: b\n"
              "    mass: 2\n"
              "    inertia: [1, 0.1, 0.2, 2, 0.3, 3]\n"
              "    visual: [{type: sphere, size: 5 cm, material: red}]\n"
              "    collision: [{type: box, size: [1, 2, 3]}, {type: mesh, uri: meshes/b.stl, size: 0.001}]\n"
              "joints:\n"
              "  - {name: slide, type: prismatic, parent: a, child: b, axis: [0, 0, -2], position: 5 cm,\n"
              "     limits: [0, 10 cm], effort: 3 N, velocity: 2 cm/s, damping: 4 N*s/m, friction: 1 N, rest: 1 mm,\n"
              "     stiffness: 7 N/m, armature: 2 kg, stop_stiffness: 1000, stop_damping: 0.5, stop_exponent: 1.5, "
              "stop_restitution: 0.5}\n"
              "  - {name: turn, type: universal, parent: a, child: c, axis: x, axis2: -y, position: [0.1, 0.2]}\n"
              "couplings: [{name: k, terms: [{joint: slide, factor: 2}, {joint: turn, factor: -1}], offset: 0.5}]\n"
              "gears: [{name: g, driver: slide, driven: turn, ratio: -3}]\n"
              "differentials: [{name: d, left: slide, right: turn}]\n"
              "loops: [{name: o, type: distance, link_a: a, link_b: b, distance: 30 cm,\n"
              "         origin_a: {xyz: [1, 2, 3], rpy: [0, 0, 90 deg]}}]\n"
              "frames: [{name: tool, link: b, origin: {xyz: [0, 0, 1]}}]\n"
              "sensors: [{name: ft, kind: force_torque, joint: slide}]\n"
              "screws: [{name: s, link: b, hand: left, starts: 2, lead: 3 cm, radius: 10 cm, length: 20 cm}]\n"
              "wheels: [{name: w, link: b, radius: 0.25, width: 0.4, grouser_count: 24, grouser_angle: 10 deg}]\n"
              "contact_points: [{name: p, link: b, point: [1, 2, 3], material: steel}]\n"
              "shapes: [{link: a, type: capsule, size: [0.1, 0.5], use: collision}]\n",
              NULL));
    const RiSpec *s = f.spec;
    CHECK_INT(s->base, RI_BASE_FIXED);
    CHECK_CLOSE(s->materials[0].rgba[3], 1.0, 0);
    CHECK_CLOSE(s->links[0].inertia.m[0][0], 0.06, 1e-15); // m r^2 / 2 about its axis
    CHECK_CLOSE(s->links[0].inertia.m[2][2], 12 * (3 * 0.01 + 4) / 12, 1e-14);
    CHECK_CLOSE(s->links[1].inertia.m[2][1], 0.3, 0);
    CHECK_CLOSE(s->links[1].inertia.m[0][2], 0.2, 0);
    CHECK_INT(s->shape_count, 4);
    CHECK_INT(s->shapes[0].use, RI_SHAPE_VISUAL);
    CHECK_INT(s->shapes[2].type, RI_SHAPE_MESH);
    CHECK(strcmp(s->shapes[2].path, "meshes/b.stl") == 0);
    CHECK_CLOSE(s->shapes[2].size[2], 0.001, 0);
    CHECK_INT(s->shapes[3].use, RI_SHAPE_COLLISION);
    const RiJointSpec *j = &s->joints[0];
    CHECK(j->axis.z == -1.0 && j->has_limits && j->upper == 0.1 && j->position[0] == 0.05);
    CHECK(j->effort == 3 && j->velocity == 0.02 && j->damping == 4 && j->stiffness == 7 && j->rest == 0.001);
    CHECK(j->armature == 2 && j->stop_stiffness == 1000 && j->stop_damping == 0.5 && j->stop_exponent == 1.5);
    CHECK(j->stop_restitution == 0.5);
    CHECK(s->joints[1].axis.x == 1.0 && s->joints[1].axis2.y == -1.0 && s->joints[1].position[1] == 0.2);
    CHECK(isinf(s->joints[1].effort));
    CHECK_INT(s->coupling_count, 3);
    CHECK(s->couplings[0].offset == 0.5 && s->couplings[0].terms[1].factor == -1.0);
    CHECK(strcmp(s->couplings[1].terms[0].joint, "turn") == 0 && s->couplings[1].terms[1].factor == 3.0);
    CHECK(s->couplings[2].terms[0].factor == 1.0 && s->couplings[2].terms[1].factor == 1.0);
    CHECK_CLOSE(s->loops[0].distance, 0.3, 0);
    CHECK_CLOSE(s->loops[0].pose_a.R.m[1][0], 1.0, 1e-15);
    CHECK(s->sensors[0].link == NULL && strcmp(s->sensors[0].joint, "slide") == 0);
    CHECK(s->screws[0].hand == -1 && s->screws[0].starts == 2 && s->screws[0].lead == 0.03);
    CHECK_CLOSE(s->wheels[0].grouser_angle, pi / 18, 1e-16);
    CHECK(s->contact_points[0].point.z == 3.0 && strcmp(s->contact_points[0].material, "steel") == 0);
    end(&f);
}

// ---------------------------------------------------------------------------------------- refusals

TEST(unknown_keys_are_refused_with_place_and_suggestion)
{
    refused("robot: r\nlinsk: []\n", RI_ERR_FORMAT, "robot.yaml:2:1: unknown key 'linsk'; did you mean 'links'?");
    refused("robot: r\nlinks:\n  - {name: a, masss: 1}\n", RI_ERR_FORMAT,
            "robot.yaml:3:15: unknown key 'masss'; did you mean 'mass'?");
    refused("robot: r\nparts:\n  - {repat: 2}\n", RI_ERR_FORMAT, "did you mean 'repeat'?");
    refused("robot: r\nparameters:\n  a: {valeu: 1}\n", RI_ERR_FORMAT, "robot.yaml:3:7: unknown key 'valeu'");
    refused("robot: r\njoints: [{name: j, type: revolut, parent: a, child: b}]\n", RI_ERR_FORMAT,
            "robot.yaml:2:26: key 'type': 'revolut' is not allowed; did you mean 'revolute'?");
    refused("robot: r\nframes: [{name: f, link: a, origin: {xyzz: [1, 2, 3]}}]\n", RI_ERR_FORMAT, "'xyzz'");
    refused("links: []\n", RI_ERR_FORMAT, "key 'robot' (its name) is missing");
    refused("", RI_ERR_FORMAT, "robot.yaml:1:1: expected a mapping");
    refused("robot: r\nbase: flying\n", RI_ERR_FORMAT, "one of: auto, fixed, floating");
}

TEST(bad_values_are_refused_with_place_and_reason)
{
    refused("robot: r\nlinks:\n  - {name: a, mass: 5 deg}\n", RI_ERR_FORMAT,
            "robot.yaml:3:21: key 'mass': '5 deg' has unit rad, expected kg");
    refused("robot: r\nlinks:\n  - name: a\n    mass: 2*3\n", RI_ERR_FORMAT, "robot.yaml:4:12: key 'mass': '2*3'");
    refused("robot: r\nlinks:\n  - name: a\n    mass: ${1 + 2/0}\n", RI_ERR_FORMAT,
            "robot.yaml:4:18: key 'mass': in '1 + 2/0': division by zero");
    refused("robot: r\nparameters: {size: 1}\nlinks:\n  - name: a\n    mass: ${2*sise}\n", RI_ERR_FORMAT,
            "robot.yaml:5:15: key 'mass': in '2*sise': unknown name 'sise'; did you mean 'size'?");
    refused("robot: r\nlinks:\n  - name: a\n    mass: '${1/0}'\n", RI_ERR_FORMAT, "robot.yaml:4:15: key 'mass'");
    refused("robot: r\nlinks:\n  - name: a\n    mass: ${1\n", RI_ERR_FORMAT, "'${' without '}'");
    refused("robot: r\nlinks: [{mass: 1}]\n", RI_ERR_FORMAT, "key 'name' is missing in an item of 'links'");
    refused("robot: r\nlinks: [{name: a, mass: 1, solid: sphere, size: 0}]\n", RI_ERR_FORMAT, "above zero");
    refused("robot: r\nlinks: [{name: a, solid: box, size: [1, 2, 3], inertia: [1, 1, 1]}]\n", RI_ERR_FORMAT,
            "not both");
    refused("robot: r\nlinks: [{name: a, inertia: [1, 2]}]\n", RI_ERR_FORMAT, "expected 3 to 6 numbers, found 2");
    refused("robot: r\njoints: [{name: j, type: revolute, parent: a}]\n", RI_ERR_FORMAT, "key 'child' is missing");
    refused("robot: r\njoints: [{name: j, type: revolute, parent: a, child: b, axis: [0, 0, 0]}]\n", RI_ERR_FORMAT,
            "an axis needs a length");
    refused("robot: r\njoints: [{name: j, type: revolute, parent: a, child: b, limits: [1, -1]}]\n", RI_ERR_FORMAT,
            "lower limit 1 is above");
    refused("robot: r\njoints: [{name: j, type: prismatic, parent: a, child: b, effort: 3 N*m}]\n", RI_ERR_FORMAT,
            "expected N");
    refused("robot: r\nlinks: [{name: a}, {name: a}]\n", RI_ERR_FORMAT,
            "'a' is given twice in 'links', first in line 2");
    refused("robot: r\nlinks: [{name: a, mass: }]\n", RI_ERR_FORMAT, "robot.yaml:2:25: key 'mass': '' is not a number");
    refused("robot: r\nsensors: [{name: s, kind: imu}]\n", RI_ERR_FORMAT, "exactly one");
    refused("robot: r\nloops: [{name: l, type: distance, link_a: a, link_b: b}]\n", RI_ERR_FORMAT, "distance");
    refused("robot: r\nmaterials: [{name: m, rgba: [1, 2, 0]}]\n", RI_ERR_FORMAT, "colours are from 0 to 1");
    refused("robot: r\nparameters: {x: 1 m}\nlinks: [{name: a, com: ['-${x}', 0, 0]}]\n", RI_ERR_FORMAT,
            "write the whole value inside ${...}");
}

TEST(incomplete_and_contradictory_items_are_refused)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"shapes: [{link: a, type: mesh}]", "key 'uri' is missing for a mesh"},
        {"shapes: [{link: a, type: box, size: [1, 1, 1], uri: x}]", "only a shape of type mesh"},
        {"shapes: [{link: a, type: box}]", "key 'size' is missing"},
        {"shapes: [{type: box, size: [1, 1, 1]}]", "'(no name)' in 'shapes': key 'link' is missing"},
        {"links: [{name: a, solid: box}]", "key 'size' is missing for a solid"},
        {"links: [{name: a, solid: box, size: [1, 1, 1], axis: x}]", "only a cylinder has an axis"},
        {"links: [{name: a, solid: cylinder, size: [1, 1], axis: [1, 1, 0]}]", "expected a scalar, found a sequence"},
        {"links: [{name: a, inertia: [1, 1, 1, 1]}]", "expected 3 or 6 numbers, found 4"},
        {"links: [{name: a, size: [1, 1, 1]}]", "key 'solid' is missing"},
        {"links: [{name: a, com: [1, 1]}]", "expected 3 numbers, found 2"},
        {"links: [{name: ''}]", "a name has 1 to 255 bytes"},
        {"links: {name: a}", "expected a sequence, found a mapping"},
        {"joints: [{name: j, parent: a, child: b}]", "key 'type' is missing"},
        {"joints: [{name: j, type: ball, parent: a, child: b, position: [1, 0]}]", "a ball joint has 4 coordinates"},
        {"joints: [{name: j, type: ball, parent: a, child: b, limits: [1, 0]}]", "a ball joint has no limits"},
        {"joints: [{name: j, type: planar, parent: a, child: b, position: [1 m, 2 m, 3 m]}]", "expected rad"},
        {"joints: [{name: j, type: free, parent: a, child: b, position: [1, 2, 3, 1 m, 0, 0, 0]}]", "plain number"},
        {"couplings: [{name: c, terms: []}]", "1 to 10000 terms, found 0"},
        {"couplings: [{name: c, terms: [{joint: a}]}]", "a term has a 'joint' and a 'factor'"},
        {"parameters: {a: {value: 1, unit: furlong}}", "unknown unit 'furlong'"},
        {"parameters: {a: {value: 1 kg, min: 2 m}}", "the bound of parameter 'a' has another unit"},
        {"parameters: {a: [1]}", "expected a scalar, found a sequence"},
        {"parameters: {x: 1, a: c, b: 2, c: a}", "a -> c -> a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        snprintf(text, sizeof text, "robot: r\n%s\n", cases[i].text);
        refused(text, RI_ERR_FORMAT, cases[i].part);
    }
}

TEST(work_and_texts_are_limited)
{
    static char text[6000];
    size_t used = (size_t)snprintf(text, sizeof text, "robot: r\nparts:\n  - repeat: 100000\n    let: {x: '1");
    for (int i = 0; i < 1000; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " + 1");
    snprintf(text + used, sizeof text - used, "'}\n");
    refused(text, RI_ERR_LIMIT, "robot.yaml:4:14: key 'x': the template expands without end (too many values)");
    used = (size_t)snprintf(text, sizeof text, "robot: r\nlinks:\n  - name: ");
    memset(text + used, 'a', 5000);
    snprintf(text + used + 5000, 10, "${1}\n");
    refused(text, RI_ERR_LIMIT, "longer than 4096 bytes");
}

TEST(a_sphere_and_coordinates_of_all_joints_are_read)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx,
               parse(&f,
                     "robot: r\nparameters: {x: '${3 - 1}'}\n"
                     "links: [{name: a, mass: '${x}', solid: sphere, size: 50 cm}]\n"
                     "joints:\n"
                     "  - {name: p, type: planar, parent: a, child: b, position: [1 m, 2 m, 90 deg], damping: 1}\n"
                     "  - {name: q, type: ball, parent: a, child: c, position: [1, 0, 0, 0]}\n"
                     "  - {name: s, type: free, parent: a, child: d, position: [1 m, 2 m, 3 m, 1, 0, 0, 0]}\n",
                     NULL));
    CHECK_CLOSE(f.spec->links[0].inertia.m[1][1], 0.4 * 2 * 0.25, 1e-16);
    CHECK_CLOSE(f.spec->joints[0].position[2], pi / 2, 1e-15);
    CHECK(f.spec->joints[1].position[0] == 1.0 && f.spec->joints[2].position[2] == 3.0);
    end(&f);
}

TEST(parameters_that_depend_on_each_other_are_refused_with_the_chain)
{
    refused("robot: r\nparameters:\n  a: b + 1\n  b: 2*c\n  c: a\n", RI_ERR_FORMAT, "a -> b -> c -> a");
    refused("robot: r\nparameters:\n  x: 1\n  a: a\n", RI_ERR_FORMAT,
            "robot.yaml:4:6: key 'a': parameters depend on "
            "each other: a -> a");
    refused("robot: r\nparameters: {m: 1}\n", RI_ERR_FORMAT, "the name 'm' is taken by a unit");
    refused("robot: r\nparameters: {9a: 1}\n", RI_ERR_FORMAT, "'9a' is not a name");
    refused("robot: r\nparameters: {a: {value: 5, unit: deg, max: 4}}\n", RI_ERR_FORMAT, "must be at most 0.0698131");
    refused("robot: r\nparameters: {a: {value: 5 kg, unit: deg}}\n", RI_ERR_FORMAT, "has unit kg, expected deg");
    refused("robot: r\nparameters: {a: {unit: deg}}\n", RI_ERR_FORMAT, "'value' is missing");
}

TEST(a_plain_value_of_a_parameter_is_meant_in_its_unit)
{
    Fixture f = begin();
    const char *text = "robot: r\nparameters: {angle: {value: 30, unit: deg}}\n"
                       "joints: [{name: j, type: revolute, parent: a, child: b, position: '${angle}'}]\n";
    REQUIRE_OK(f.ctx, parse(&f, text, NULL));
    CHECK_CLOSE(f.spec->joints[0].position[0], pi / 6, 1e-15);
    RiSetting setting = {"angle", "90"};
    const RiLoadOptions options = with(&setting);
    REQUIRE_OK(f.ctx, parse(&f, text, &options));
    CHECK_CLOSE(f.spec->joints[0].position[0], pi / 2, 1e-15);
    setting.value = "0.5 rad";
    REQUIRE_OK(f.ctx, parse(&f, text, &options));
    CHECK_CLOSE(f.spec->joints[0].position[0], 0.5, 0);
    end(&f);
}

TEST(a_plain_value_from_outside_is_meant_in_the_unit_of_the_files_value)
{
    static const struct {
        const char *written, *set;
        double expected;
    } cases[] = {{"30 deg", "90", pi / 2},
                 {"-3e1 deg", "90", pi / 2},
                 {"30 deg", "0.5 rad", 0.5},
                 {"30 deg", "0.5*30", pi / 12},
                 {"0.3 rad", "1", 1.0},
                 {"30", "1", 1.0},
                 {"2*15 deg", "0.5", 0.5 /* a formula: SI */}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f = begin();
        char text[200];
        snprintf(text, sizeof text,
                 "robot: r\nparameters: {angle: %s}\n"
                 "joints: [{name: j, type: revolute, parent: a, child: b, position: '${angle}'}]\n",
                 cases[i].written);
        const RiSetting setting = {"angle", cases[i].set};
        const RiLoadOptions options = with(&setting);
        REQUIRE_OK(f.ctx, parse(&f, text, &options));
        CHECK_CLOSE(f.spec->joints[0].position[0], cases[i].expected, 1e-15);
        end(&f);
    }
}

TEST(names_in_scope_are_not_hidden)
{
    refused("robot: r\nparts:\n  - repeat: 2\n    parts:\n      - repeat: 2\n        links: [{name: a}]\n",
            RI_ERR_FORMAT, "robot.yaml:5:17: key 'repeat': the name 'i' is bound already in line 3");
    refused("robot: r\nparameters: {n: 1}\nparts: [{let: {n: 2}}]\n", RI_ERR_FORMAT, "'n' is a parameter already");
    refused("robot: r\nparts: [{as: k}]\n", RI_ERR_FORMAT, "'as' names the count of a 'repeat'");
}

TEST(an_expansion_without_end_is_refused)
{
    refused("robot: r\nparts:\n  - repeat: 1000000\n    links: [{name: 'a_${i}'}]\n", RI_ERR_LIMIT,
            "robot.yaml:3:13: key 'repeat': the template expands without end");
    refused("robot: r\nparts:\n  - repeat: 1000\n    parts:\n    - repeat: 1000\n      as: k\n", RI_ERR_LIMIT,
            "robot.yaml:5:15: key 'repeat': the template expands without end");
}

TEST(long_chains_of_deep_parameters_end_in_an_error_and_not_in_the_stack)
{
    static char text[60000];
    size_t used = (size_t)snprintf(text, sizeof text, "robot: r\nparameters:\n  p0: 1\n");
    for (int i = 1; i < 60; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "  p%d: ", 60 - i);
        for (int k = 0; k < 30; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, "max(1,(");
        used += (size_t)snprintf(text + used, sizeof text - used, "p%d", 59 - i);
        for (int k = 0; k < 30; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, "))");
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    refused(text, RI_ERR_LIMIT, "more than 32 parameters depend on each other in a row");
}

// ------------------------------------------------------------------------------------- inheritance

TEST(a_derived_robot_overrides_field_by_field)
{
    char base[1024], derived[1024], text[2000];
    write_file("base.yaml",
               "robot: base\nbase: fixed\nparameters: {n: {value: 3, max: 5}, weight: 2 kg}\n"
               "links:\n  - {name: root, mass: 9, com: [1, 2, 3]}\n"
               "parts:\n  - repeat: ${n}\n    links: [{name: 'a_${i}', mass: '${weight*i}', com: ['${i}', 0, 0]}]\n"
               "frames: [{name: gone, link: root}, {name: kept, link: root}]\n",
               base);
    snprintf(text, sizeof text,
             "extends: %s\nparameters: {n: 4}\nremove: {frames: [gone]}\n"
             "links:\n  - {name: a_2, com: [0, 0, '${weight/1 kg}']}\n  - {name: extra, mass: 1}\n",
             strrchr(base, '/') + 1);
    write_file("derived.yaml", text, derived);
    Fixture f = begin();
    REQUIRE_OK(f.ctx, ri_template_load(f.ctx, derived, NULL, &f.spec));
    CHECK(strcmp(f.spec->name, "base") == 0);
    CHECK_INT(f.spec->base, RI_BASE_FIXED);
    REQUIRE(f.spec->link_count == 6);
    CHECK(strcmp(f.spec->links[2].name, "a_2") == 0);
    CHECK_CLOSE(f.spec->links[2].mass, 4, 0);
    CHECK(f.spec->links[2].com.x == 0.0 && f.spec->links[2].com.z == 2.0);
    CHECK(f.spec->links[3].com.x == 3.0);
    CHECK_INT(f.spec->frame_count, 1);
    CHECK(strcmp(f.spec->frames[0].name, "kept") == 0);
    CHECK(strcmp(f.spec->links[0].source.file, base) == 0);
    RiSetting setting = {"n", "6"};
    const RiLoadOptions options = with(&setting);
    ri_spec_destroy(f.spec);
    CHECK_ERROR(f.ctx, ri_template_load(f.ctx, derived, &options, &f.spec), RI_ERR_FORMAT, "base.yaml:3:");
    end(&f);
    remove(base);
    remove(derived);
}

TEST(removing_what_is_not_there_is_refused_and_what_is_removed_may_come_back)
{
    char base[1024], derived[1024], text[2000];
    write_file("base2.yaml", "robot: base\nlinks: [{name: wheel, mass: 1, com: [1, 0, 0]}]\n", base);
    Fixture f = begin();
    snprintf(text, sizeof text, "extends: %s\nremove: {links: [whele]}\n", strrchr(base, '/') + 1);
    write_file("derived2.yaml", text, derived);
    CHECK_ERROR(f.ctx, ri_template_load(f.ctx, derived, NULL, &f.spec), RI_ERR_FORMAT,
                "derived2.yaml:2:18: the base has no 'whele' in 'links'; did you mean 'wheel'?");
    snprintf(text, sizeof text, "extends: %s\nremove: {links: [wheel]}\nlinks: [{name: wheel, mass: 2}]\n",
             strrchr(base, '/') + 1);
    write_file("derived2.yaml", text, derived);
    REQUIRE_OK(f.ctx, ri_template_load(f.ctx, derived, NULL, &f.spec));
    CHECK(f.spec->link_count == 1 && f.spec->links[0].mass == 2.0 && f.spec->links[0].com.x == 0.0);
    end(&f);
    remove(base);
    remove(derived);
    refused("robot: r\nremove: {links: [a]}\n", RI_ERR_FORMAT, "nothing to remove from without 'extends'");
}

TEST(files_that_extend_each_other_are_refused)
{
    char a[1024], b[1024], text[2000];
    write_file("a.yaml", "x", a);
    snprintf(text, sizeof text, "extends: ./%s\n", strrchr(a, '/') + 1);
    write_file("b.yaml", text, b);
    snprintf(text, sizeof text, "robot: r\nextends: %s\n", strrchr(b, '/') + 1);
    write_file("a.yaml", text, a);
    Fixture f = begin();
    CHECK_ERROR(f.ctx, ri_template_load(f.ctx, a, NULL, &f.spec), RI_ERR_FORMAT, "files extend each other: ");
    remove(b);
    CHECK_ERROR(f.ctx, ri_template_load(f.ctx, a, NULL, &f.spec), RI_ERR_NOT_FOUND, "a.yaml:2:10: key 'extends': ");
    remove(a);
    char paths[12][1024];
    for (int i = 0; i < 12; i++) {
        char name[32];
        snprintf(name, sizeof name, "c%d.yaml", i);
        snprintf(text, sizeof text, "robot: r\nextends: test_template_%ld_c%d.yaml\n", (long)getpid(), i + 1);
        write_file(name, text, paths[i]);
    }
    CHECK_ERROR(f.ctx, ri_template_load(f.ctx, paths[0], NULL, &f.spec), RI_ERR_LIMIT, "more than 8 files");
    for (int i = 0; i < 12; i++)
        remove(paths[i]);
    const char *alone = "robot: r\nextends: other.yaml\n";
    CHECK_ERROR(f.ctx, ri_template_parse(f.ctx, NULL, alone, strlen(alone), NULL, &f.spec), RI_ERR_FORMAT,
                "<text>:2:10: key 'extends': a text without a path cannot extend a file");
    end(&f);
}

// ---------------------------------------------------------------------------------- example robots

static double total_mass(const RiSpec *spec)
{
    double sum = 0.0;
    for (int i = 0; i < spec->link_count; i++)
        sum += spec->links[i].mass;
    return sum;
}

/// Degrees of freedom of a spec with floating base whose couplings each take one.
static int degrees_of_freedom(const RiSpec *spec)
{
    int n = 6 - spec->coupling_count;
    for (int i = 0; i < spec->joint_count; i++)
        n += ri_joint_type_nv(spec->joints[i].type);
    return n;
}

/// Pose of a link in the root, all joints at their first position, which is about their axis.
static RiPose link_pose(const RiSpec *spec, const char *link)
{
    for (int i = 0; i < spec->joint_count; i++) {
        const RiJointSpec *j = &spec->joints[i];
        if (strcmp(j->child, link) != 0)
            continue;
        const RiPose parent = link_pose(spec, j->parent), at = ri_pose_mul(&parent, &j->origin);
        const RiPose turned = {ri_mat3_axis_angle(j->axis, j->position[0]), {0.0, 0.0, 0.0}};
        return ri_pose_mul(&at, &turned);
    }
    return ri_pose_identity();
}

TEST(the_snake_has_thirty_six_degrees_of_freedom_and_modules_can_be_set)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, load(&f, "snake.yaml", NULL));
    CHECK_INT(f.spec->link_count, 1 + 4 * 10 + 1);
    CHECK_INT(f.spec->joint_count, 4 * 10 + 1);
    CHECK_INT(f.spec->screw_count, 20);
    CHECK_INT(degrees_of_freedom(f.spec), 36);
    CHECK_INT(f.spec->base, RI_BASE_FLOATING);
    CHECK_CLOSE(total_mass(f.spec), 105.0, 1e-12);
    const RiSetting four = {"robot.modules", "4"};
    const RiLoadOptions options = with(&four);
    REQUIRE_OK(f.ctx, load(&f, "snake.yaml", &options));
    CHECK_INT(f.spec->link_count, 1 + 4 * 4 + 1);
    CHECK_INT(f.spec->coupling_count, 4);
    CHECK_INT(degrees_of_freedom(f.spec), 18);
    CHECK_CLOSE(link_pose(f.spec, "head").p.x, 1.6, 1e-12);
    const RiScrewSpec *front = &f.spec->screws[0], *rear = &f.spec->screws[1];
    CHECK(strcmp(front->link, "screw_front_1") == 0 && front->hand == 1);
    CHECK(strcmp(rear->link, "screw_rear_1") == 0 && rear->hand == -1);
    CHECK_CLOSE(front->lead, 2 * pi * 0.1 * tan(pi / 6), 1e-15);
    CHECK_CLOSE(f.spec->couplings[0].terms[0].factor, f.spec->couplings[0].terms[1].factor, 0); // q_r + q_f = 0
    end(&f);
}

TEST(the_short_snake_extends_the_snake)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, load(&f, "snake_short.yaml", NULL));
    CHECK(strcmp(f.spec->name, "snake_short") == 0);
    CHECK_INT(f.spec->link_count, 18);
    CHECK_CLOSE(total_mass(f.spec), 45.0, 1e-12);
    const RiSetting bare = {"head", "false"};
    const RiLoadOptions options = with(&bare);
    REQUIRE_OK(f.ctx, load(&f, "snake_short.yaml", &options));
    CHECK_INT(f.spec->link_count, 17);
    CHECK_INT(f.spec->sensor_count, 0);
    end(&f);
}

TEST(the_rover_stands_on_six_wheels_for_every_wheel_radius)
{
    static const char *const radii[] = {"0.25", "30 cm"};
    for (int k = 0; k < 2; k++) {
        Fixture f = begin();
        const RiSetting radius = {"wheel_radius", radii[k]};
        const RiLoadOptions options = with(&radius);
        REQUIRE_OK(f.ctx, load(&f, "rocker_bogie.yaml", &options));
        CHECK_INT(f.spec->wheel_count, 6);
        CHECK_INT(f.spec->link_count, 1 + 2 * (2 + 2 + 3));
        CHECK_INT(degrees_of_freedom(f.spec), 6 + 1 + 2 + 4 + 6);
        CHECK_CLOSE(total_mass(f.spec), 899.02, 1e-9);
        for (int i = 0; i < 6; i++) {
            const RiVec3 centre = link_pose(f.spec, f.spec->wheels[i].link).p;
            CHECK_CLOSE(centre.z - f.spec->wheels[i].radius, 0.0, 1e-12);
        }
        const RiLinkSpec *wheel = ri_spec_find_link(f.spec, "wheel_rear_left");
        REQUIRE(wheel);
        CHECK_CLOSE(wheel->inertia.m[1][1], 0.5 * 2.07 * pow(f.spec->wheels[0].radius, 2), 1e-12); // spins about y
        CHECK(wheel->inertia.m[0][0] == wheel->inertia.m[2][2] && wheel->inertia.m[0][0] < wheel->inertia.m[1][1]);
        CHECK_CLOSE(link_pose(f.spec, "wheel_middle_left").p.x, 0.0, 1e-12);
        CHECK_CLOSE(link_pose(f.spec, "wheel_front_right").p.x - link_pose(f.spec, "wheel_rear_right").p.x, 2.26, 1e-9);
        CHECK_CLOSE(link_pose(f.spec, "wheel_front_left").p.y, 1.0625, 1e-9);
        end(&f);
    }
}

TEST(the_four_bar_linkage_starts_closed_for_every_crank_angle)
{
    static const char *const angles[] = {"0", "60", "143", "-100 deg"};
    for (int k = 0; k < 4; k++) {
        Fixture f = begin();
        const RiSetting angle = {"crank_angle", angles[k]};
        const RiLoadOptions options = with(&angle);
        REQUIRE_OK(f.ctx, load(&f, "four_bar.yaml", &options));
        REQUIRE(f.spec->loop_count == 1);
        const RiLoopSpec *loop = &f.spec->loops[0];
        const RiPose a = link_pose(f.spec, loop->link_a), b = link_pose(f.spec, loop->link_b);
        const RiVec3 gap = ri_sub(ri_pose_point(&a, loop->pose_a.p), ri_pose_point(&b, loop->pose_b.p));
        CHECK_CLOSE(ri_norm(gap), 0.0, 1e-14);
        CHECK_CLOSE(ri_dot(ri_mat3_col(&a.R, 2), ri_mat3_col(&b.R, 2)), 1.0, 1e-14);
        end(&f);
    }
    Fixture f = begin();
    const RiSetting far = {"ground", "2"};
    const RiLoadOptions options = with(&far);
    CHECK_ERROR(f.ctx, load(&f, "four_bar.yaml", &options), RI_ERR_FORMAT, "parameter 'diagonal'");
    end(&f);
}

TEST(the_first_example_of_the_manual_loads)
{
    Fixture f = begin();
    char *text;
    size_t size;
    REQUIRE_OK(f.ctx, ri_file_read(f.ctx, RILLE_SOURCE_DIR "/docs/templates.md", 1 << 20, &text, &size));
    char *start = strstr(text, "```yaml\n"), *stop = start ? strstr(start + 8, "```") : NULL;
    if (stop) {
        *stop = '\0';
        CHECK_OK(f.ctx, parse(&f, start + 8, NULL));
    }
    ri_release(f.ctx, text);
    REQUIRE(f.spec);
    CHECK_INT(f.spec->joint_count, 4);
    CHECK_CLOSE(f.spec->joints[3].origin.p.x, 0.5, 0);
    end(&f);
}

TEST(a_mesh_is_found_beside_the_file_and_in_packages)
{
    Fixture f = begin();
    const char *const packages[] = {"/nowhere", RILLE_SOURCE_DIR "/robots/", RILLE_SOURCE_DIR};
    RiReport *report;
    REQUIRE_OK(f.ctx, ri_report_create(f.ctx, &report));
    const RiLoadOptions options = {.package_paths = packages, .package_path_count = 3, .report = report};
    const char *text = "robot: r\nlinks: [{name: a}]\nshapes:\n"
                       "  - {link: a, type: mesh, uri: ../meshes/./x.stl}\n"
                       "  - {link: a, type: mesh, uri: 'package://robots/snake.yaml', size: [1, 2, 3]}\n"
                       "  - {link: a, type: mesh, uri: 'package://scenes/crescent.yaml'}\n"
                       "  - {link: a, type: mesh, uri: 'package://rille/no.stl'}\n"
                       "  - {link: a, type: mesh, uri: /abs/x.stl}\n"
                       "  - {link: a, type: mesh, uri: ../../y/../../x.stl}\n"
                       "  - {link: a, type: mesh, uri: /../x.stl}\n";
    REQUIRE_OK(f.ctx, ri_template_parse(f.ctx, "here/robots/r.yaml", text, strlen(text), &options, &f.spec));
    CHECK(strcmp(f.spec->shapes[0].path, "here/meshes/x.stl") == 0);
    CHECK(strcmp(f.spec->shapes[0].uri, "../meshes/./x.stl") == 0);
    CHECK(strcmp(f.spec->shapes[1].path, RILLE_SOURCE_DIR "/robots/snake.yaml") == 0);
    CHECK(f.spec->shapes[1].size[1] == 2.0);
    CHECK(strcmp(f.spec->shapes[2].path, RILLE_SOURCE_DIR "/scenes/crescent.yaml") == 0);
    CHECK(f.spec->shapes[3].path == NULL);
    CHECK_INT(ri_report_count_kind(report, RI_FINDING_WARNING), 1);
    CHECK(strcmp(f.spec->shapes[4].path, "/abs/x.stl") == 0);
    CHECK(strcmp(f.spec->shapes[5].path, "../x.stl") == 0);
    CHECK(strcmp(f.spec->shapes[6].path, "/../x.stl") == 0);
    ri_report_destroy(report);
    end(&f);
}

TEST(the_report_names_what_was_set_and_what_is_not_used)
{
    Fixture f = begin();
    RiReport *report;
    REQUIRE_OK(f.ctx, ri_report_create(f.ctx, &report));
    const RiSetting setting = {"a", "2"};
    const RiLoadOptions options = {.settings = &setting, .setting_count = 1, .report = report};
    CHECK_OK(f.ctx, parse(&f, "robot: r\nparameters: {a: 1, b: 2}\nlinks: [{name: l, mass: '${a}'}]\n", &options));
    CHECK_INT(ri_report_count_kind(report, RI_FINDING_WARNING), 1);
    REQUIRE(ri_report_count(report) == 3);
    CHECK(strstr(ri_report_get(report, 0)->text, "'a' is set to 2"));
    CHECK(strstr(ri_report_get(report, 1)->text, "'b' is not used"));
    CHECK_INT(ri_report_get(report, 1)->line, 2);
    ri_report_destroy(report);
    end(&f);
}

// --------------------------------------------------------------------------------- fault injection

TEST(every_failed_allocation_is_an_error_without_a_leak)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/robots/snake_short.yaml", RILLE_SOURCE_DIR);
    RiStatus status = RI_ERR_MEMORY;
    long k = 0;
    for (; k < 5000 && status != RI_OK; k++) {
        Faults faults = {.fail_at = k + 1}; // call 0 makes the context
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        RiSpec *spec;
        status = ri_template_load(ctx, path, NULL, &spec);
        if (status != RI_OK && status != RI_ERR_MEMORY)
            CHECK_FAIL("call %ld: %s", k, ri_context_message(ctx));
        CHECK((status == RI_OK) == (spec != NULL));
        ri_spec_destroy(spec);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(k > 20 && status == RI_OK);
}

TEST_MAIN(CASE(a_block_is_repeated_and_dependent_sizes_follow), CASE(settings_are_checked),
          CASE(words_repeat_as_text_and_as_number), CASE(nested_repeats_conditions_and_item_repeats_expand),
          CASE(interpolated_numbers_keep_their_bits_in_text), CASE(every_kind_of_item_reaches_the_spec),
          CASE(unknown_keys_are_refused_with_place_and_suggestion), CASE(bad_values_are_refused_with_place_and_reason),
          CASE(incomplete_and_contradictory_items_are_refused), CASE(work_and_texts_are_limited),
          CASE(a_sphere_and_coordinates_of_all_joints_are_read),
          CASE(parameters_that_depend_on_each_other_are_refused_with_the_chain),
          CASE(a_plain_value_of_a_parameter_is_meant_in_its_unit),
          CASE(a_plain_value_from_outside_is_meant_in_the_unit_of_the_files_value), CASE(names_in_scope_are_not_hidden),
          CASE(an_expansion_without_end_is_refused),
          CASE(long_chains_of_deep_parameters_end_in_an_error_and_not_in_the_stack),
          CASE(a_derived_robot_overrides_field_by_field),
          CASE(removing_what_is_not_there_is_refused_and_what_is_removed_may_come_back),
          CASE(files_that_extend_each_other_are_refused),
          CASE(the_snake_has_thirty_six_degrees_of_freedom_and_modules_can_be_set),
          CASE(the_short_snake_extends_the_snake), CASE(the_rover_stands_on_six_wheels_for_every_wheel_radius),
          CASE(the_four_bar_linkage_starts_closed_for_every_crank_angle), CASE(the_first_example_of_the_manual_loads),
          CASE(a_mesh_is_found_beside_the_file_and_in_packages),
          CASE(the_report_names_what_was_set_and_what_is_not_used),
          CASE(every_failed_allocation_is_an_error_without_a_leak))
