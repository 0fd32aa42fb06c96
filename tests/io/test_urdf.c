// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rille/robot.h>

/// A context, a report and the spec of the last load.
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

static RiStatus parse_as(Bench *b, const char *path, const char *text)
{
    RiLoadOptions options = ri_load_options_default();
    options.report = b->report;
    ri_spec_destroy(b->spec);
    return ri_urdf_parse(b->ctx, path, text, strlen(text), &options, &b->spec);
}

static RiStatus parse(Bench *b, const char *text)
{
    return parse_as(b, "r.urdf", text);
}

/// The finding of a kind on a line (0: any) that contains `part`, or NULL.
static const RiFinding *finding(const Bench *b, RiFindingKind kind, int line, const char *part)
{
    for (int i = 0; i < ri_report_count(b->report); i++) {
        const RiFinding *f = ri_report_get(b->report, i);
        if (f->kind == kind && (!line || f->line == line) && strstr(f->text, part))
            return f;
    }
    return NULL;
}

// Line 1 is <robot>, line 2 declares links a, b and c; what follows starts on line 3.
#define ROBOT(body) "<robot name='r'>\n<link name='a'/><link name='b'/><link name='c'/>\n" body "\n</robot>"
#define ENDS        "<parent link='a'/><child link='b'/>"
// Two hinges q1 (a-b) and q2 (b-c) on line 3; what follows starts on line 4.
#define HINGES(body)                                                                                                   \
    ROBOT("<joint name='q1' type='continuous'>" ENDS "</joint><joint name='q2' type='continuous'><parent link='b'/>"   \
          "<child link='c'/></joint>\n" body)

// --- what is read ---

TEST(joint_fields_arrive_in_the_spec)
{
    Bench b = open_bench();
    REQUIRE_OK(b.ctx,
               parse(&b, ROBOT("<joint name='q' type='revolute'><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"
                               "\n" ENDS "<axis xyz='0 3 4'/><limit lower='-1' upper='2.5e0' effort='10'"
                               " velocity='3'/><dynamics damping='.5' friction='0.25'/></joint>")));
    REQUIRE(b.spec->joint_count == 1);
    const RiJointSpec *q = &b.spec->joints[0];
    CHECK(strcmp(b.spec->name, "r") == 0);
    CHECK(strcmp(q->name, "q") == 0 && strcmp(q->parent, "a") == 0 && strcmp(q->child, "b") == 0);
    CHECK(strcmp(q->source.file, "r.urdf") == 0);
    CHECK_INT(q->source.line, 3);
    CHECK_INT(q->type, RI_JOINT_REVOLUTE);
    CHECK_CLOSE(q->origin.p.z, 3.0, 0.0);
    CHECK_CLOSE(q->origin.R.m[1][0], 1.0, 1e-15); // x turned to y
    CHECK_CLOSE(q->axis.y, 0.6, 1e-15);
    CHECK_CLOSE(q->axis.z, 0.8, 1e-15);
    CHECK(q->has_limits);
    CHECK_CLOSE(q->lower, -1.0, 0.0);
    CHECK_CLOSE(q->upper, 2.5, 0.0);
    CHECK_CLOSE(q->effort, 10.0, 0.0);
    CHECK_CLOSE(q->velocity, 3.0, 0.0);
    CHECK_CLOSE(q->damping, 0.5, 0.0);
    CHECK_CLOSE(q->friction, 0.25, 0.0);
    CHECK(finding(&b, RI_FINDING_WARNING, 4, "has length 5 and is made a unit vector"));
    close_bench(&b);
}

TEST(every_joint_type_is_read)
{
    static const struct {
        const char *name;
        RiJointType type;
    } types[] = {{"fixed", RI_JOINT_FIXED},           {"revolute", RI_JOINT_REVOLUTE},
                 {"continuous", RI_JOINT_CONTINUOUS}, {"prismatic", RI_JOINT_PRISMATIC},
                 {"planar", RI_JOINT_PLANAR},         {"floating", RI_JOINT_FREE}};
    Bench b = open_bench();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 ROBOT("<joint name='q' type='%s'>" ENDS "<limit effort='1' velocity='1' upper='1'/></joint>"),
                 types[i].name);
        REQUIRE_OK(b.ctx, parse(&b, text));
        const RiJointSpec *q = &b.spec->joints[0];
        CHECK_INT(q->type, types[i].type);
        CHECK_CLOSE(q->axis.x, 1.0, 0.0); // URDF's default, not the spec's
        CHECK_CLOSE(q->axis.z, 0.0, 0.0);
        CHECK(q->has_limits == (q->type == RI_JOINT_REVOLUTE || q->type == RI_JOINT_PRISMATIC));
    }
    close_bench(&b);
}

TEST(inertia_is_turned_to_link_axes)
{
    Bench b = open_bench();
    REQUIRE_OK(b.ctx,
               parse(&b, "<robot name='r'><link name='a'><inertial><origin xyz='1 0 -1' rpy='0 0 1.5707963267948966'/>"
                         "<mass value='2'/><inertia ixx='1' ixy='0.1' ixz='0.2' iyy='2' iyz='0.3' izz='2.5'/>"
                         "</inertial></link></robot>"));
    const RiLinkSpec *a = &b.spec->links[0];
    CHECK_CLOSE(a->mass, 2.0, 0.0);
    CHECK_CLOSE(a->com.x, 1.0, 0.0);
    CHECK_CLOSE(a->com.z, -1.0, 0.0);
    // x of the inertial frame is y of the link, y is -x.
    const double want[3][3] = {{2.0, -0.1, -0.3}, {-0.1, 1.0, 0.2}, {-0.3, 0.2, 2.5}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            CHECK_CLOSE(a->inertia.m[i][k], want[i][k], 1e-15);
            CHECK(a->inertia.m[i][k] == a->inertia.m[k][i]);
        }
    close_bench(&b);
}

TEST(a_link_without_inertial_is_massless)
{
    Bench b = open_bench();
    REQUIRE_OK(b.ctx, parse(&b, "<robot name='r'><link name='a'/></robot>"));
    CHECK_CLOSE(b.spec->links[0].mass, 0.0, 0.0);
    CHECK_INT(ri_report_count(b.report), 1);
    CHECK(finding(&b, RI_FINDING_UNDERSTOOD, 1, "robot 'r': 1 link, 0 joints"));
    close_bench(&b);
}

TEST(shapes_of_every_kind_are_read)
{
    Bench b = open_bench();
    REQUIRE_OK(b.ctx,
               parse(&b, "<robot name='r'><material name='m'><color rgba='1 0 0.5 1'/></material><link name='a'>\n"
                         "<visual name='v'><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry>"
                         "<material name='m'/></visual>\n"
                         "<visual><geometry><cylinder radius='0.5' length='2'/></geometry>"
                         "<material name='n'><color rgba='0 1 0 1'/></material></visual>\n"
                         "<collision><geometry><sphere radius='4'/></geometry></collision>\n"
                         "<collision><geometry><capsule radius='1' length='5'/></geometry></collision>\n"
                         "<visual><geometry><box size='1 1 1'/></geometry>"
                         "<material name=''><color rgba='0 0 1 1'/></material></visual>\n"
                         "</link></robot>"));
    REQUIRE(b.spec->shape_count == 5 && b.spec->material_count == 3);
    const RiShapeSpec *s = b.spec->shapes;
    CHECK(strcmp(s[0].name, "v") == 0 && strcmp(s[0].link, "a") == 0 && strcmp(s[0].material, "m") == 0);
    CHECK_INT(s[0].type, RI_SHAPE_BOX);
    CHECK_INT(s[0].use, RI_SHAPE_VISUAL);
    CHECK_CLOSE(s[0].size[2], 3.0, 0.0);
    CHECK_CLOSE(s[0].pose.p.z, 1.0, 0.0);
    CHECK_INT(s[1].type, RI_SHAPE_CYLINDER);
    CHECK_CLOSE(s[1].size[0], 0.5, 0.0);
    CHECK_CLOSE(s[1].size[1], 2.0, 0.0);
    CHECK_INT(s[2].type, RI_SHAPE_SPHERE);
    CHECK_INT(s[2].use, RI_SHAPE_COLLISION);
    CHECK_CLOSE(s[2].size[0], 4.0, 0.0);
    CHECK_INT(s[3].type, RI_SHAPE_CAPSULE);
    CHECK_CLOSE(s[3].size[1], 5.0, 0.0);
    CHECK_INT(s[3].source.line, 5);
    CHECK(strcmp(s[4].material, "a/material1") == 0); // a name of our own
    CHECK_CLOSE(b.spec->materials[0].rgba[2], 0.5, 0.0);
    CHECK(strcmp(b.spec->materials[1].name, "n") == 0);
    CHECK_CLOSE(b.spec->materials[2].rgba[2], 1.0, 0.0);
    CHECK_INT(ri_report_count_kind(b.report, RI_FINDING_WARNING), 0);
    CHECK(finding(&b, RI_FINDING_UNDERSTOOD, 1, "3 visual shapes, 2 collision shapes, 3 materials"));
    close_bench(&b);
}

TEST(material_conflicts_and_gaps_are_told)
{
    Bench b = open_bench();
#define VISUAL(material) "<visual><geometry><sphere radius='1'/></geometry>" material "</visual>\n"
    REQUIRE_OK(b.ctx, parse(&b, "<robot name='r'><link name='a'>\n" VISUAL(
                                    "<material name='m'><color rgba='1 0 0 1'/></material>")
                                    VISUAL("<material name='m'><color rgba='1 0 0 1'/></material>")
                                        VISUAL("<material name='m'><color rgba='0 1 0 1'/></material>")
                                            VISUAL("<material name='nowhere'/>") "</link></robot>"));
    CHECK_INT(b.spec->material_count, 1);
    CHECK_CLOSE(b.spec->materials[0].rgba[0], 1.0, 0.0);
    CHECK_INT(ri_report_count_kind(b.report, RI_FINDING_WARNING), 2);
    CHECK(finding(&b, RI_FINDING_WARNING, 4, "material 'm' differs from its definition at line 2"));
    CHECK(finding(&b, RI_FINDING_WARNING, 5, "material 'nowhere'"));
    CHECK(b.spec->shapes[3].material == NULL);
    close_bench(&b);
}

TEST(mimic_becomes_a_coupling)
{
    Bench b = open_bench();
    REQUIRE_OK(b.ctx,
               parse(&b, ROBOT("<joint name='q1' type='continuous'>" ENDS
                               "<mimic joint='q2' multiplier='-2' offset='0.5'/></joint>\n"
                               "<joint name='q2' type='continuous'><parent link='b'/><child link='c'/></joint>")));
    REQUIRE(b.spec->coupling_count == 1);
    const RiCouplingSpec *c = &b.spec->couplings[0];
    // q1 = -2 q2 + 0.5, that is q1 + 2 q2 = 0.5
    REQUIRE(c->term_count == 2);
    CHECK(strcmp(c->terms[0].joint, "q1") == 0 && strcmp(c->terms[1].joint, "q2") == 0);
    CHECK_CLOSE(c->terms[0].factor, 1.0, 0.0);
    CHECK_CLOSE(c->terms[1].factor, 2.0, 0.0);
    CHECK_CLOSE(c->offset, 0.5, 0.0);
    CHECK_INT(c->source.line, 3);
    CHECK(strcmp(c->name, "mimic:q1") == 0);
    CHECK(finding(&b, RI_FINDING_UNDERSTOOD, 1, "1 mimic coupling"));
    close_bench(&b);
}

TEST(numbers_read_the_same_in_every_locale)
{
    const char *const locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C"};
    Bench b = open_bench();
    for (int i = 0; i < 4; i++)
        if (setlocale(LC_ALL, locales[i]))
            break;
    CHECK_OK(b.ctx, parse(&b, ROBOT("<joint name='q' type='fixed'>" ENDS "<origin xyz='0.5 1.25 -2e-3'/></joint>")));
    setlocale(LC_ALL, "C");
    if (b.spec)
        CHECK_CLOSE(b.spec->joints[0].origin.p.y, 1.25, 0.0);
    close_bench(&b);
}

// --- nothing is dropped silently ---

TEST(what_is_not_used_is_reported_with_its_line)
{
    Bench b = open_bench();
    REQUIRE_OK(
        b.ctx,
        parse(&b, "<robot name='r' colour='red'>\n"
                  "<link name='a' type='x'><visul/>\n"
                  "<visual><geometry><sphere radius='1' raduis='2'/>\n<box size='1 1 1'/></geometry></visual></link>\n"
                  "<link name='b'/>\n"
                  "<joint name='q' type='fixed'>" ENDS "<axis xyz='0 0 0'/>\n"
                  "<limit effort='1' velocity='2'/>\n<dynamics damping='1'/>\n"
                  "<safety_controller k_velocity='1'/>\n<calibration rising='0'/>\n"
                  "<origin xyz='1 0 0'/>\n<origin xyz='2 0 0'/></joint>\n"
                  "<transmission name='t'><type>x</type></transmission>\n"
                  "<gazebo reference='a'><mu1>1</mu1></gazebo>\n"
                  "stray text</robot>"));
    const RiFindingKind ignored = RI_FINDING_IGNORED;
    CHECK(finding(&b, ignored, 1, "in <robot>: attribute 'colour'"));
    CHECK(finding(&b, ignored, 2, "in <link>: attribute 'type'"));
    CHECK(finding(&b, ignored, 2, "element 'visul' is not known and is ignored; did you mean 'visual'?"));
    CHECK(finding(&b, ignored, 3, "attribute 'raduis' is not known and is ignored; did you mean 'radius'?"));
    CHECK(finding(&b, RI_FINDING_WARNING, 4, "second shape <box>"));
    CHECK(finding(&b, ignored, 6, "<axis> is ignored: a fixed joint"));
    CHECK(finding(&b, ignored, 7, "<limit> is ignored"));
    CHECK(finding(&b, ignored, 8, "<dynamics> is ignored"));
    CHECK(finding(&b, ignored, 9, "<safety_controller> is ignored"));
    CHECK(finding(&b, ignored, 10, "<calibration> is ignored"));
    CHECK(finding(&b, RI_FINDING_WARNING, 12, "a second <origin> is not used; the first, at line 11, counts"));
    CHECK(finding(&b, ignored, 13, "<transmission> is ignored"));
    CHECK(finding(&b, ignored, 14, "<gazebo> is ignored"));
    CHECK(finding(&b, ignored, 1, "text in <robot> is ignored: 'stray text'"));
    CHECK_INT(ri_report_count_kind(b.report, ignored), 12);
    CHECK_INT(ri_report_count_kind(b.report, RI_FINDING_WARNING), 2);
    CHECK_CLOSE(b.spec->joints[0].origin.p.x, 1.0, 0.0);
    close_bench(&b);
}

// --- what is refused ---

typedef struct Bad {
    const char *text, *message;
    RiStatus status;
} Bad;

static void check_all_bad(const Bad *bad, size_t count)
{
    Bench b = open_bench();
    for (size_t i = 0; i < count; i++) {
        CHECK_ERROR(b.ctx, parse(&b, bad[i].text), bad[i].status, bad[i].message);
        CHECK(b.spec == NULL);
    }
    close_bench(&b);
}

#define FIXED(body)    ROBOT("<joint name='q' type='fixed'>" ENDS "\n" body "</joint>")
#define REVOLUTE(body) ROBOT("<joint name='q' type='revolute'>" ENDS "\n" body "</joint>")
#define INERTIAL(body) "<robot name='r'>\n<link name='a'><inertial>\n" body "</inertial></link></robot>"
#define SHAPE(body)    "<robot name='r'>\n<link name='a'><visual><geometry>\n" body "</geometry></visual></link></robot>"

TEST(bad_numbers_are_refused_with_file_and_line)
{
    static const Bad bad[] = {
        {FIXED("<origin xyz='1.0abc 0 0'/>"),
         "r.urdf:4: <origin> attribute xyz=\"1.0abc 0 0\": expected 3 finite numbers", RI_ERR_FORMAT},
        {FIXED("<origin xyz='1 2'/>"), "r.urdf:4: <origin> attribute xyz=\"1 2\"", RI_ERR_FORMAT},
        {FIXED("<origin xyz='1 2 3 4'/>"), "r.urdf:4: ", RI_ERR_FORMAT},
        {FIXED("<origin xyz=''/>"), "r.urdf:4: ", RI_ERR_FORMAT},
        {FIXED("<origin rpy='nan 0 0'/>"), "r.urdf:4: <origin> attribute rpy=\"nan 0 0\"", RI_ERR_FORMAT},
        {FIXED("<origin rpy='0 inf 0'/>"), "r.urdf:4: ", RI_ERR_FORMAT},
        {FIXED("<origin rpy='0 1e999 0'/>"), "r.urdf:4: ", RI_ERR_FORMAT},
        {FIXED("<origin rpy='0 0x10 0'/>"), "r.urdf:4: ", RI_ERR_FORMAT},
        {FIXED("<origin rpy='0,0,0'/>"), "r.urdf:4: ", RI_ERR_FORMAT},
        {FIXED("<origin rpy='0 1e 0'/>"), "r.urdf:4: ", RI_ERR_FORMAT},
        {REVOLUTE("<limit lower='-1' upper='1' effort='-1' velocity='1'/>"),
         "r.urdf:4: <limit> attribute effort=\"-1\": expected a number >= 0", RI_ERR_FORMAT},
        {INERTIAL("<mass value='heavy'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"),
         "r.urdf:3: <mass> attribute value=\"heavy\": expected a finite number", RI_ERR_FORMAT},
        {INERTIAL("<mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0'/>"),
         "r.urdf:3: <inertia> has no attribute 'izz'", RI_ERR_FORMAT},
        {INERTIAL("<mass value='1'/>"), "r.urdf:2: <inertial> has no <inertia>", RI_ERR_FORMAT},
        {INERTIAL("<mass/><inertia/>"), "r.urdf:3: <mass> has no attribute 'value'", RI_ERR_FORMAT},
        {SHAPE("<box size='1 -1 1'/>"), "r.urdf:3: <box> attribute size=\"1 -1 1\": expected numbers >= 0",
         RI_ERR_FORMAT},
        {SHAPE("<sphere radius='-1'/>"), "r.urdf:3: <sphere> attribute radius=\"-1\"", RI_ERR_FORMAT},
        {SHAPE("<cylinder radius='1'/>"), "r.urdf:3: <cylinder> has no attribute 'length'", RI_ERR_FORMAT},
        {SHAPE(""), "r.urdf:2: <geometry> has no box, cylinder", RI_ERR_FORMAT},
        {SHAPE("<mesh/>"), "r.urdf:3: <mesh> has no attribute 'filename'", RI_ERR_FORMAT},
        {SHAPE("<mesh filename='m.stl' scale='1 1'/>"), "r.urdf:3: <mesh> attribute scale=\"1 1\"", RI_ERR_FORMAT},
        {"<robot name='r'><link name='a'/>\n<material name='m'>\n<color rgba='1 1 1'/></material></robot>",
         "r.urdf:3: <color> attribute rgba", RI_ERR_FORMAT},
        {"<robot name='r'><link name='a'/>\n<material name='m'>\n<color rgba='1 1 1 2'/></material></robot>",
         "r.urdf:3: <color> attribute rgba=\"1 1 1 2\": expected 4 numbers from 0 to 1", RI_ERR_FORMAT},
    };
    check_all_bad(bad, sizeof bad / sizeof *bad);
}

TEST(bad_structure_is_refused_with_file_and_line)
{
    static const Bad bad[] = {
        {"<sdf/>", "r.urdf:1: the outermost element is <sdf>, expected <robot>", RI_ERR_FORMAT},
        {"<robot><link name='a'/></robot>", "r.urdf:1: <robot> has no attribute 'name'", RI_ERR_FORMAT},
        {"<robot name='r'/>", "r.urdf:1: <robot> has no <link>", RI_ERR_FORMAT},
        {"<robot name='r' version='2.0'><link name='a'/></robot>", "r.urdf:1: <robot> attribute version=\"2.0\"",
         RI_ERR_FORMAT},
        {"<robot name='r'><link name='a'>\n", "r.urdf:2:1: ", RI_ERR_FORMAT},
        {"<!DOCTYPE robot><robot name='r'/>", "r.urdf:1:", RI_ERR_FORMAT},
        {ROBOT("<xacro:propertie name='x' value='1'/>"), "r.urdf:3: <xacro:propertie>: there is no macro of this name",
         RI_ERR_FORMAT},
        {ROBOT("<link/>"), "r.urdf:3: <link> has no attribute 'name'", RI_ERR_FORMAT},
        {ROBOT("<link name=''/>"), "r.urdf:3: <link> attribute 'name' is empty", RI_ERR_FORMAT},
        {ROBOT("<link name='a'/>"), "r.urdf:3: duplicate name: link 'a' is already defined at line 2", RI_ERR_MODEL},
        {HINGES("<joint name='q1' type='fixed'/>"), "r.urdf:4: duplicate name: joint 'q1' is already defined at line 3",
         RI_ERR_MODEL},
        {ROBOT("<joint type='fixed'>" ENDS "</joint>"), "r.urdf:3: <joint> has no attribute 'name'", RI_ERR_FORMAT},
        {ROBOT("<joint name='q'>" ENDS "</joint>"), "r.urdf:3: <joint> has no attribute 'type'", RI_ERR_FORMAT},
        {ROBOT("<joint name='q' type='revolut'>" ENDS "</joint>"), "did you mean 'revolute'?", RI_ERR_FORMAT},
        {ROBOT("<joint name='q' type='fixed'><parent link='a'/></joint>"), "r.urdf:3: <joint> has no <child>",
         RI_ERR_FORMAT},
        {ROBOT("<joint name='q' type='fixed'>\n<parent link='z'/><child link='b'/></joint>"),
         "r.urdf:4: <parent> attribute link: there is no link 'z'", RI_ERR_MODEL},
        {ROBOT("<joint name='q' type='fixed'><parent link='a'/>\n<child link='bb'/></joint>"),
         "r.urdf:4: <child> attribute link: there is no link 'bb'; did you mean 'b'?", RI_ERR_MODEL},
        {ROBOT("<joint name='q' type='fixed'><parent link='a'/><child link='a'/></joint>"),
         "r.urdf:3: joint 'q' joins link 'a' to itself", RI_ERR_MODEL},
        {HINGES("<joint name='q3' type='fixed'><parent link='a'/><child link='c'/></joint>"),
         "r.urdf:4: link 'c' is the child of joint 'q3' and of joint 'q2' (line 3)", RI_ERR_MODEL},
        {REVOLUTE(""), "r.urdf:3: joint 'q' is revolute and has no <limit>, which URDF demands", RI_ERR_FORMAT},
        {REVOLUTE("<limit lower='1' upper='-1' effort='1' velocity='1'/>"),
         "r.urdf:4: unreachable limits of joint 'q': lower 1 > upper -1", RI_ERR_MODEL},
        {REVOLUTE("<axis xyz='0 0 0'/>"), "r.urdf:4: <axis> attribute xyz=\"0 0 0\": expected a direction",
         RI_ERR_FORMAT},
        {REVOLUTE("<axis/>"), "r.urdf:4: <axis> has no attribute 'xyz'", RI_ERR_FORMAT},
        {HINGES("<link name='d'/><joint name='q3' type='continuous'><parent link='a'/><child link='d'/>\n<mimic "
                "joint='q9'/></joint>"),
         "r.urdf:5: <mimic> attribute joint: there is no joint 'q9'; did you mean 'q1'?", RI_ERR_MODEL},
        {HINGES("<link name='d'/><joint name='q3' type='continuous'><parent link='a'/><child link='d'/>\n<mimic "
                "joint='q3'/></joint>"),
         "r.urdf:5: joint 'q3' mimics itself", RI_ERR_MODEL},
        {HINGES("<link name='d'/><joint name='q3' type='floating'><parent link='a'/><child link='d'/><mimic "
                "joint='q1'/></joint>"),
         "r.urdf:4: <joint> attribute name: joint 'q3' is free, but a coupling needs", RI_ERR_MODEL},
        {ROBOT("<link name='d'>\n<visual/></link>"), "r.urdf:4: <visual> of link 'd' has no <geometry>", RI_ERR_FORMAT},
    };
    check_all_bad(bad, sizeof bad / sizeof *bad);
}

// --- files ---

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        abort();
    fputs(text, file);
    fclose(file);
}

// package/urdf/r.urdf, package/meshes/m.stl, elsewhere/other/n.stl below the build folder.
#define PLACE RILLE_BINARY_DIR "/test_urdf_files"
static const char *const folders[] = {
    PLACE, PLACE "/pack", PLACE "/pack/urdf", PLACE "/pack/meshes", PLACE "/elsewhere", PLACE "/elsewhere/other"};

static const char *load_mesh(Bench *b, const char *uri)
{
    const char *const paths[] = {PLACE "/elsewhere", PLACE "/elsewhere/other/"};
    char text[512];
    snprintf(text, sizeof text,
             "<robot name='r'>\n<link name='a'><collision><geometry>\n<mesh filename='%s' scale='1 2 -1'/>"
             "</geometry></collision></link></robot>",
             uri);
    write_file(PLACE "/pack/urdf/r.urdf", text);
    RiLoadOptions options = ri_load_options_default();
    options.report = b->report;
    options.package_paths = paths + (strchr(uri, '#') ? 1 : 0); // '#' marks a search in the second alone
    options.package_path_count = 1;
    ri_spec_destroy(b->spec);
    if (ri_urdf_load(b->ctx, PLACE "/pack/urdf/r.urdf", &options, &b->spec) != RI_OK) {
        CHECK_FAIL("%s", ri_context_message(b->ctx));
        return NULL;
    }
    return b->spec->shapes[0].path;
}

TEST(meshes_are_found_where_the_address_says)
{
    Bench b = open_bench();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        mkdir(folders[i], 0777);
    write_file(PLACE "/pack/meshes/m.stl", "solid");
    write_file(PLACE "/elsewhere/other/n.stl", "solid");
    write_file(PLACE "/elsewhere/other/o#.stl", "solid");

    const char *path = load_mesh(&b, "../meshes/m.stl");
    CHECK(path && access(path, R_OK) == 0);
    path = load_mesh(&b, "file://../meshes/m.stl");
    CHECK(path && access(path, R_OK) == 0);
    path = load_mesh(&b, "file://" PLACE "/pack/meshes/m.stl");
    CHECK(path && strcmp(path, PLACE "/pack/meshes/m.stl") == 0);
    path = load_mesh(&b, "package://pack/meshes/m.stl"); // a folder above the file is called pack
    CHECK(path && strstr(path, "/pack/meshes/m.stl") && access(path, R_OK) == 0);
    path = load_mesh(&b, "package://other/n.stl"); // the package path holds it
    CHECK(path && strcmp(path, PLACE "/elsewhere/other/n.stl") == 0);
    path = load_mesh(&b, "package://other/o#.stl"); // the package path is it
    CHECK(path && strcmp(path, PLACE "/elsewhere/other/o#.stl") == 0);
    CHECK_INT(ri_report_count_kind(b.report, RI_FINDING_WARNING), 0);
    CHECK(b.spec && strcmp(b.spec->shapes[0].uri, "package://other/o#.stl") == 0);
    CHECK(b.spec && b.spec->shapes[0].size[1] == 2.0 && b.spec->shapes[0].size[2] == -1.0);
    close_bench(&b);
}

TEST(missing_meshes_keep_the_shape_and_warn)
{
    Bench b = open_bench();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        mkdir(folders[i], 0777);
    static const char *const missing[] = {
        "no.stl", "package://other/no.stl", "package://", "package://other", "http://example.org/m.stl", "../meshes",
        "/"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        CHECK(load_mesh(&b, missing[i]) == NULL);
        CHECK_INT(ri_report_count_kind(b.report, RI_FINDING_WARNING), i + 1);
        REQUIRE(b.spec);
        CHECK_INT(b.spec->shapes[0].type, RI_SHAPE_MESH);
        CHECK(strcmp(b.spec->shapes[0].uri, missing[i]) == 0);
    }
    CHECK(finding(&b, RI_FINDING_WARNING, 3, "file 'no.stl' not found; searched: " PLACE "/pack/urdf/no.stl"));
    CHECK(finding(&b, RI_FINDING_WARNING, 3, PLACE "/elsewhere/other/no.stl, "));
    close_bench(&b);
}

TEST(absent_files_are_named)
{
    Bench b = open_bench();
    CHECK_ERROR(b.ctx, ri_urdf_load(b.ctx, PLACE "/none.urdf", NULL, &b.spec), RI_ERR_NOT_FOUND, "none.urdf: ");
    close_bench(&b);
}

// --- <rille> ---

TEST(rille_refines_joints)
{
    Bench b = open_bench();
    REQUIRE_OK(
        b.ctx,
        parse(
            &b,
            ROBOT("<joint name='u' type='revolute'>" ENDS "<axis xyz='0 0 1'/>\n"
                  "<limit lower='-1' upper='1' effort='5' velocity='6'/></joint>\n"
                  "<joint name='s' type='floating'><parent link='b'/><child link='c'/></joint>\n"
                  "<rille base='floating'>"
                  "<joint name='u' type='universal' axis2='0 1 0' armature='1' stiffness='2' rest='3'"
                  " stop_stiffness='4' stop_damping='5' stop_exponent='1.5' stop_restitution='0.5' position='0.1 0.2'/>"
                  "<joint name='s' type='ball' locked='true' independent='1' position='0 0 0 -1'/>"
                  "<link name='b' estimated='true'/></rille>")));
    const RiJointSpec *u = &b.spec->joints[0], *s = &b.spec->joints[1];
    CHECK_INT(b.spec->base, RI_BASE_FLOATING);
    CHECK_INT(u->type, RI_JOINT_UNIVERSAL);
    CHECK_CLOSE(u->axis.z, 1.0, 0.0);
    CHECK_CLOSE(u->axis2.y, 1.0, 0.0);
    CHECK(!u->has_limits && !u->locked);
    CHECK(finding(&b, RI_FINDING_IGNORED, 4, "lower and upper are ignored: a universal joint"));
    CHECK_CLOSE(u->effort, 5.0, 0.0);
    CHECK_CLOSE(u->armature, 1.0, 0.0);
    CHECK_CLOSE(u->stiffness, 2.0, 0.0);
    CHECK_CLOSE(u->rest, 3.0, 0.0);
    CHECK_CLOSE(u->stop_stiffness, 4.0, 0.0);
    CHECK_CLOSE(u->stop_damping, 5.0, 0.0);
    CHECK_CLOSE(u->stop_exponent, 1.5, 0.0);
    CHECK_CLOSE(u->stop_restitution, 0.5, 0.0);
    CHECK_CLOSE(u->position[1], 0.2, 0.0);
    CHECK_INT(s->type, RI_JOINT_BALL);
    CHECK(s->locked && s->independent);
    CHECK_CLOSE(s->position[3], -1.0, 0.0);
    CHECK(b.spec->links[1].estimated && !b.spec->links[0].estimated);
    close_bench(&b);
}

TEST(rille_couples_joints)
{
    Bench b = open_bench();
    REQUIRE_OK(b.ctx, parse(&b, HINGES("<rille><coupling name='c' offset='0.5'><term joint='q1' factor='2'/>"
                                       "<term joint='q2' factor='-3'/></coupling>"
                                       "<gear name='g' joint='q1' to='q2' ratio='7'/>"
                                       "<differential name='d' left='q2' right='q1' sum='0.25'/></rille>")));
    REQUIRE(b.spec->coupling_count == 3);
    const RiCouplingSpec *c = b.spec->couplings;
    CHECK_CLOSE(c[0].terms[0].factor, 2.0, 0.0);
    CHECK_CLOSE(c[0].terms[1].factor, -3.0, 0.0);
    CHECK_CLOSE(c[0].offset, 0.5, 0.0);
    CHECK(strcmp(c[1].name, "g") == 0 && strcmp(c[1].terms[0].joint, "q1") == 0);
    CHECK_CLOSE(c[1].terms[0].factor, 1.0, 0.0);
    CHECK_CLOSE(c[1].terms[1].factor, -7.0, 0.0); // q1 = 7 q2
    CHECK(strcmp(c[2].terms[0].joint, "q2") == 0);
    CHECK_CLOSE(c[2].terms[1].factor, 1.0, 0.0);
    CHECK_CLOSE(c[2].offset, 0.25, 0.0);
    close_bench(&b);
}

TEST(rille_mounts_loops_frames_sensors_screws_wheels_and_points)
{
    Bench b = open_bench();
    REQUIRE_OK(b.ctx,
               parse(&b, HINGES("<rille>\n"
                                "<loop name='l' type='distance' link_a='a' link_b='c' distance='0.3'>"
                                "<origin_a xyz='1 0 0'/><origin_b xyz='0 2 0'/></loop>\n"
                                "<frame name='f' link='b'><origin xyz='0 0 3'/></frame>\n"
                                "<sensor name='i' kind='imu' link='b'><origin xyz='4 0 0'/></sensor>\n"
                                "<sensor name='t' kind='force_torque' joint='q1'/>\n"
                                "<screw name='s' link='b' hand='left' starts='2' lead='0.1' radius='0.09' "
                                "core_radius='0.07' length='0.2' estimated='true'><origin xyz='5 0 0'/></screw>\n"
                                "<wheel name='w' link='c' radius='0.1' width='0.05' crown='0.3' grouser_count='24' "
                                "grouser_height='0.01' grouser_thickness='0.002' grouser_angle='0.2'/>\n"
                                "<contact_point name='p' link='a' xyz='6 0 0' material='steel'/></rille>")));
    const RiSpec *s = b.spec;
    REQUIRE(s->loop_count == 1 && s->frame_count == 1 && s->sensor_count == 2 && s->screw_count == 1 &&
            s->wheel_count == 1 && s->contact_point_count == 1);
    CHECK_INT(s->loops[0].type, RI_LOOP_DISTANCE);
    CHECK_CLOSE(s->loops[0].distance, 0.3, 0.0);
    CHECK_CLOSE(s->loops[0].pose_a.p.x, 1.0, 0.0);
    CHECK_CLOSE(s->loops[0].pose_b.p.y, 2.0, 0.0);
    CHECK_CLOSE(s->frames[0].pose.p.z, 3.0, 0.0);
    CHECK(strcmp(s->sensors[0].link, "b") == 0 && s->sensors[0].joint == NULL);
    CHECK(strcmp(s->sensors[0].kind, "imu") == 0);
    CHECK(strcmp(s->sensors[1].joint, "q1") == 0 && s->sensors[1].link == NULL);
    CHECK_INT(s->sensors[1].source.line, 8);
    CHECK_INT(s->screws[0].hand, -1);
    CHECK_INT(s->screws[0].starts, 2);
    CHECK_CLOSE(s->screws[0].lead, 0.1, 0.0);
    CHECK_CLOSE(s->screws[0].radius, 0.09, 0.0);
    CHECK_CLOSE(s->screws[0].core_radius, 0.07, 0.0);
    CHECK_CLOSE(s->screws[0].length, 0.2, 0.0);
    CHECK(s->screws[0].estimated && !s->wheels[0].estimated);
    CHECK_INT(s->wheels[0].grouser_count, 24);
    CHECK_CLOSE(s->wheels[0].crown, 0.3, 0.0);
    CHECK_CLOSE(s->wheels[0].grouser_height, 0.01, 0.0);
    CHECK_CLOSE(s->wheels[0].grouser_thickness, 0.002, 0.0);
    CHECK_CLOSE(s->wheels[0].grouser_angle, 0.2, 0.0);
    CHECK_CLOSE(s->contact_points[0].point.x, 6.0, 0.0);
    CHECK(strcmp(s->contact_points[0].material, "steel") == 0);
    CHECK(finding(&b, RI_FINDING_UNDERSTOOD, 1, "1 loop, 1 frame, 2 sensors, 1 screw, 1 wheel, 1 contact point"));
    close_bench(&b);
}

#define RILLE(body) HINGES("<rille>\n" body "</rille>")

TEST(rille_is_strict)
{
    static const Bad bad[] = {
        {HINGES("<rille bass='fixed'/>"),
         "r.urdf:4: in <rille>: attribute 'bass' is not known here; did you mean 'base'?", RI_ERR_FORMAT},
        {HINGES("<rille base='floatin'/>"), "did you mean 'floating'?", RI_ERR_FORMAT},
        {HINGES("<rille/>\n<rille/>"), "r.urdf:5: a second <rille>; the first is at line 4", RI_ERR_FORMAT},
        {RILLE("<whel/>"), "r.urdf:5: in <rille>: element 'whel' is not known here; did you mean 'wheel'?",
         RI_ERR_FORMAT},
        {RILLE("<gazebo/>"), "r.urdf:5: in <rille>: element 'gazebo' is not known here", RI_ERR_FORMAT},
        {RILLE("text"), "r.urdf:4: text in <rille>", RI_ERR_FORMAT},
        {RILLE("<joint name='q1' armatur='1'/>"),
         "r.urdf:5: in <joint>: attribute 'armatur' is not known here; did you mean 'armature'?", RI_ERR_FORMAT},
        {RILLE("<joint name='q7'/>"), "r.urdf:5: <joint> attribute name: there is no joint 'q7'; did you mean 'q1'?",
         RI_ERR_MODEL},
        {RILLE("<joint name='q1'/>\n<joint name='q1'/>"),
         "r.urdf:6: duplicate name: <rille> joint 'q1' is already defined at line 5", RI_ERR_MODEL},
        {RILLE("<joint name='q1' type='prismatic'/>"),
         "r.urdf:5: <joint> attribute type=\"prismatic\": expected one of ball, universal", RI_ERR_FORMAT},
        {RILLE("<joint name='q1' axis2='0 1 0'/>"), "r.urdf:5: axis2 is for universal joints", RI_ERR_FORMAT},
        {RILLE("<joint name='q1' type='universal' axis2='2 0 0'/>"),
         "r.urdf:5: the two axes of universal joint 'q1' are parallel", RI_ERR_MODEL},
        {RILLE("<joint name='q1' locked='yes'/>"), "r.urdf:5: <joint> attribute locked=\"yes\": expected true or false",
         RI_ERR_FORMAT},
        {RILLE("<joint name='q1' position='1 2'/>"),
         "r.urdf:5: <joint> attribute position=\"1 2\": expected a finite number", RI_ERR_FORMAT},
        {RILLE("<joint name='q1' type='ball' position='0 0 0 0'/>"), "r.urdf:5: position of joint 'q1': the quaternion",
         RI_ERR_FORMAT},
        {RILLE("<joint name='q1' stop_exponent='0'/>"),
         "r.urdf:5: <joint> attribute stop_exponent=\"0\": expected a number > 0", RI_ERR_FORMAT},
        {ROBOT("<joint name='q' type='fixed'>" ENDS "</joint><rille>\n<joint name='q' type='ball'/></rille>"),
         "r.urdf:4: only a floating, revolute or continuous joint", RI_ERR_MODEL},
        {RILLE("<link name='z'/>"), "r.urdf:5: <link> attribute name: there is no link 'z'", RI_ERR_MODEL},
        {RILLE("<coupling name='c'/>"), "r.urdf:5: <coupling> has no <term>", RI_ERR_FORMAT},
        {RILLE("<coupling name='c'>\n<term joint='q1' factor='0'/></coupling>"),
         "r.urdf:6: <term> attribute factor is zero", RI_ERR_FORMAT},
        {RILLE("<coupling name='c'><term joint='q1' factor='1'/><term joint='q1' factor='1'/></coupling>"),
         "r.urdf:5: coupling 'c' names joint 'q1' twice", RI_ERR_MODEL},
        {RILLE("<gear name='g' joint='q1' to='q2'/>"), "r.urdf:5: <gear> has no attribute 'ratio'", RI_ERR_FORMAT},
        {RILLE("<gear name='g' joint='q1' to='q2' ratio='2'/>\n<differential name='g' left='q1' right='q2'/>"),
         "r.urdf:6: duplicate name: coupling 'g'", RI_ERR_MODEL},
        {RILLE("<loop name='l' type='reolute' link_a='a' link_b='c'/>"), "did you mean 'revolute'?", RI_ERR_FORMAT},
        {RILLE("<loop name='l' type='distance' link_a='a' link_b='c'/>"),
         "r.urdf:5: <loop> has no attribute 'distance'", RI_ERR_FORMAT},
        {RILLE("<loop name='l' type='ball' link_a='a' link_b='c' distance='1'/>"),
         "r.urdf:5: <loop> attribute distance is for", RI_ERR_FORMAT},
        {RILLE("<loop name='l' type='ball' link_a='a' link_b='a'/>"), "r.urdf:5: loop 'l' joins link 'a' to itself",
         RI_ERR_MODEL},
        {RILLE("<frame name='f' link='a'><origin/>\n<origin/></frame>"),
         "r.urdf:6: a second <origin>; the first is at line 5", RI_ERR_FORMAT},
        {RILLE("<sensor name='s' kind='imu'/>"), "r.urdf:5: sensor 's' needs either link or joint", RI_ERR_FORMAT},
        {RILLE("<sensor name='s' kind='imu' link='a' joint='q1'/>"), "r.urdf:5: sensor 's' needs either link or joint",
         RI_ERR_FORMAT},
        {RILLE("<sensor name='s' kind='force_torque' joint='q1'>\n<origin/></sensor>"),
         "r.urdf:6: <origin> is for a sensor on a link", RI_ERR_FORMAT},
        {RILLE("<screw name='s' link='a' hand='up' lead='1' radius='1' core_radius='1' length='1'/>"),
         "r.urdf:5: <screw> attribute hand=\"up\": expected one of right, left", RI_ERR_FORMAT},
        {RILLE("<screw name='s' link='a' hand='left' starts='1.5' lead='1' radius='1' core_radius='1' length='1'/>"),
         "r.urdf:5: <screw> attribute starts=\"1.5\": expected a whole number", RI_ERR_FORMAT},
        {RILLE("<screw name='s' link='a' hand='left' lead='1' radius='1' core_radius='2' length='1'/>"),
         "r.urdf:5: screw 's': core_radius 2 > radius 1", RI_ERR_MODEL},
        {RILLE("<wheel name='w' link='a' radius='0' width='1'/>"),
         "r.urdf:5: <wheel> attribute radius=\"0\": expected a number > 0", RI_ERR_FORMAT},
        {RILLE("<wheel name='w' link='a' radius='1'/>"), "r.urdf:5: <wheel> has no attribute 'width'", RI_ERR_FORMAT},
        {RILLE("<contact_point name='p' link='a'/>"), "r.urdf:5: <contact_point> has no attribute 'xyz'",
         RI_ERR_FORMAT},
    };
    check_all_bad(bad, sizeof bad / sizeof *bad);
}

// --- size ---

/// A chain of n links l0 - l1 - ... joined by j1, j2, ...
static char *make_chain(int n)
{
    const size_t room = 420 * (size_t)n + 100;
    char *text = malloc(room);
    size_t used = (size_t)snprintf(text, room, "<robot name='chain'>\n");
    for (int i = 0; i < n; i++) {
        used += (size_t)snprintf(text + used, room - used,
                                 "<link name='l%d'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
                                 "iyz='0' izz='1'/></inertial></link>\n",
                                 i);
        if (i > 0)
            used += (size_t)snprintf(text + used, room - used,
                                     "<joint name='j%d' type='continuous'><origin xyz='0 0 0.1'/><parent link='l%d'/>"
                                     "<child link='l%d'/><axis xyz='0 1 0'/></joint>\n",
                                     i, i - 1, i);
    }
    snprintf(text + used, room - used, "</robot>\n");
    return text;
}

static void check_chain(int n)
{
    Bench b = open_bench();
    char *text = make_chain(n), name[32];
    CHECK_OK(b.ctx, parse(&b, text));
    free(text);
    REQUIRE(b.spec && b.spec->link_count == n && b.spec->joint_count == n - 1);
    for (int i = 1; i < n; i++) {
        const RiJointSpec *j = &b.spec->joints[i - 1];
        snprintf(name, sizeof name, "l%d", i - 1);
        if (strcmp(j->parent, name) != 0 || strcmp(j->child, b.spec->links[i].name) != 0 || j->source.line != 2 * i + 2)
            CHECK_FAIL("joint %d: %s -> %s, line %d", i, j->parent, j->child, j->source.line);
    }
    CHECK_INT(ri_report_count(b.report), 1);
    close_bench(&b);
}

TEST(a_chain_of_1000_links_loads)
{
    check_chain(1000);
}

TEST(a_chain_of_100000_links_loads)
{
    check_chain(100000);
}

TEST(a_robot_nested_100000_deep_is_refused)
{
    Bench b = open_bench();
    const size_t n = 100000;
    char *text = malloc(3 * n + 100);
    size_t used = (size_t)sprintf(text, "<robot name='r'>\n<link name='a'/>\n");
    for (size_t i = 0; i < n; i++, used += 3)
        memcpy(text + used, "<x>", 4);
    CHECK_ERROR(b.ctx, parse(&b, text), RI_ERR_LIMIT, "r.urdf:3:766: elements are nested more than 256 deep");
    free(text);
    close_bench(&b);
}

// --- wheels that nobody declared ---

#define ROUND(side, y, shape)                                                                                          \
    "<link name='" side "'><collision><origin rpy='1.5707963267948966 0 0'/><geometry>" shape                          \
    "</geometry></collision></link><joint name='q" side "' type='continuous'><origin xyz='0 " y                        \
    " 0'/><parent link='base'/><child link='" side "'/><axis xyz='0 1 0'/></joint>"
#define DISC "<cylinder radius='0.1' length='0.05'/>"

TEST(round_shapes_on_continuous_joints_are_wheels)
{
    Bench b = open_bench();
    REQUIRE_OK(
        b.ctx,
        parse(&b, "<robot name='r'><link name='base'/>" ROUND("l", "0.3", DISC) ROUND("r", "-0.3", DISC)
              // a mast's head turns above the wheels, a lidar about the vertical, a roller is too
              // long
              ROUND("long", "0",
                    "<cylinder radius='0.02' length='0.5'/>") "<link name='lidar'><collision><geometry><cylinder "
                                                              "radius='0.1' length='0.05'/></geometry>"
                                                              "</collision></link><joint name='spin' "
                                                              "type='continuous'><parent link='base'/><child "
                                                              "link='lidar'/><axis xyz='0 0 1'/></joint>"
                                                              "<link name='head'><collision><origin "
                                                              "rpy='1.5707963267948966 0 0'/><geometry>" DISC
                                                              "</geometry></collision></link><joint name='nod' "
                                                              "type='continuous'><origin xyz='0 0 1'/>"
                                                              "<parent link='base'/><child link='head'/><axis xyz='0 1 "
                                                              "0'/></joint></robot>"));
    REQUIRE(b.spec->wheel_count == 2);
    CHECK(strcmp(b.spec->wheels[0].link, "l") == 0 && b.spec->wheels[0].estimated);
    CHECK_CLOSE(b.spec->wheels[0].radius, 0.1, 0.0);
    CHECK_CLOSE(b.spec->wheels[1].width, 0.05, 0.0);
    CHECK_CLOSE(ri_mat3_col(&b.spec->wheels[1].pose.R, 1).y, 1.0, 1e-15);
    CHECK(finding(&b, RI_FINDING_WARNING, 1,
                  "derived from round shapes on continuous joints: l (cylinder, radius 0.1 m"));
    close_bench(&b);
}

TEST(wheels_that_turn_against_the_others_are_told)
{
    static const char *const axes[] = {"0 1 0", "0 -1 0"};
    for (int left = 0; left < 2; left++)
        for (int right = 0; right < 2; right++) {
            Bench b = open_bench();
            char text[2000];
            snprintf(text, sizeof text,
                     "<robot name='r'><link name='base'/>"
                     "<link name='l'><collision><origin rpy='1.5707963267948966 0 0'/><geometry>" DISC
                     "</geometry></collision></link><joint name='jl' type='continuous'><origin xyz='0 0.3 0'/>"
                     "<parent link='base'/><child link='l'/><axis xyz='%s'/></joint>"
                     "<link name='r'><collision><origin rpy='1.5707963267948966 0 0'/><geometry>" DISC
                     "</geometry></collision></link><joint name='jr' type='continuous'><origin xyz='0 -0.3 0'/>"
                     "<parent link='base'/><child link='r'/><axis xyz='%s'/></joint></robot>",
                     axes[left], axes[right]);
            REQUIRE_OK(b.ctx, parse(&b, text));
            REQUIRE(b.spec->wheel_count == 2);
            CHECK((finding(&b, RI_FINDING_WARNING, 1, "the axes of jl point to the right") != NULL) ==
                  (left && !right));
            CHECK((finding(&b, RI_FINDING_WARNING, 1, "the axes of jr point to the right") != NULL) ==
                  (right && !left));
            CHECK((finding(&b, RI_FINDING_WARNING, 1, "the axes of all wheels point to the right") != NULL) ==
                  (right && left));
            close_bench(&b);
        }
}

TEST(no_wheels_are_derived_where_some_are_declared_or_none_are_wanted)
{
    Bench b = open_bench();
    const char *text = "<robot name='r'><link name='base'/>" ROUND("l", "0.3", DISC)
        ROUND("r", "-0.3", DISC) "<rille><wheel name='w' link='l' radius='0.2' width='0.1'/></rille></robot>";
    REQUIRE_OK(b.ctx, parse(&b, text));
    CHECK_INT(b.spec->wheel_count, 1);
    ri_spec_destroy(b.spec);
    b.spec = NULL;
    RiLoadOptions options = ri_load_options_default();
    options.no_derive = true;
    text = "<robot name='r'><link name='base'/>" ROUND("l", "0.3", DISC) "</robot>";
    REQUIRE_OK(b.ctx, ri_urdf_parse(b.ctx, "r.urdf", text, strlen(text), &options, &b.spec));
    CHECK_INT(b.spec->wheel_count, 0);
    close_bench(&b);
}

// --- the robots that come with Rille ---

TEST(example_robots_load_without_warnings)
{
    Bench b = open_bench();
    RiLoadOptions options = ri_load_options_default();
    options.report = b.report;
    REQUIRE_OK(b.ctx, ri_urdf_load(b.ctx, RILLE_SOURCE_DIR "/robots/arm.urdf", &options, &b.spec));
    CHECK_INT(b.spec->joint_count, 6);
    CHECK_INT(b.spec->base, RI_BASE_FIXED);
    ri_spec_destroy(b.spec);
    REQUIRE_OK(b.ctx, ri_urdf_load(b.ctx, RILLE_SOURCE_DIR "/robots/snake_pair.urdf", &options, &b.spec));
    CHECK_INT(b.spec->coupling_count, 2);
    CHECK_CLOSE(b.spec->couplings[0].terms[1].factor, 1.0, 0.0); // the screws of a pair turn against each other
    CHECK_INT(b.spec->screws[0].hand * b.spec->screws[1].hand, -1);
    CHECK(ri_spec_find_joint(b.spec, "head_hinge")->locked);
    CHECK_CLOSE(ri_spec_find_link(b.spec, "imu_plate")->mass, 0.0, 0.0);
    CHECK(finding(&b, RI_FINDING_UNDERSTOOD, 0,
                  "9 links, 8 joints (1 fixed, 3 revolute, 4 continuous, of these 1 locked)"));
    CHECK_INT(ri_report_count_kind(b.report, RI_FINDING_UNDERSTOOD), ri_report_count(b.report));
    close_bench(&b);
}

// --- memory ---

typedef struct Failing {
    long calls_left; ///< calls until the failure
    long blocks;     ///< not yet released
} Failing;

static void *failing_resize(void *user, void *block, size_t size)
{
    Failing *f = user;
    if (f->calls_left-- <= 0)
        return NULL;
    void *result = realloc(block, size);
    f->blocks += !block && result;
    return result;
}

static void failing_release(void *user, void *block)
{
    ((Failing *)user)->blocks -= block != NULL;
    free(block);
}

TEST(every_failed_allocation_is_reported_and_nothing_leaks)
{
    RiStatus status = RI_ERR_MEMORY;
    long k = 0;
    for (; status == RI_ERR_MEMORY && k < 100000; k++) {
        Failing f = {.calls_left = k};
        const RiAllocator allocator = {failing_resize, failing_release, &f};
        RiContext *ctx;
        RiReport *report = NULL;
        RiSpec *spec = NULL;
        status = ri_context_create(&allocator, &ctx);
        if (status == RI_OK)
            status = ri_report_create(ctx, &report);
        RiLoadOptions options = ri_load_options_default();
        options.report = report;
        if (status == RI_OK)
            status = ri_urdf_load(ctx, RILLE_SOURCE_DIR "/robots/snake_pair.urdf", &options, &spec);
        CHECK(status == RI_OK || (status == RI_ERR_MEMORY && !spec));
        // A finding may be lost for lack of memory; it is counted, and the load itself goes on.
        if (status == RI_OK && ri_report_lost(report))
            status = RI_ERR_MEMORY;
        ri_spec_destroy(spec);
        ri_report_destroy(report);
        ri_context_destroy(ctx);
        CHECK_INT(f.blocks, 0);
    }
    CHECK_INT(status, RI_OK);
    CHECK(k > 20);
}

TEST_MAIN(CASE(joint_fields_arrive_in_the_spec), CASE(every_joint_type_is_read), CASE(inertia_is_turned_to_link_axes),
          CASE(a_link_without_inertial_is_massless), CASE(shapes_of_every_kind_are_read),
          CASE(material_conflicts_and_gaps_are_told), CASE(mimic_becomes_a_coupling),
          CASE(numbers_read_the_same_in_every_locale), CASE(what_is_not_used_is_reported_with_its_line),
          CASE(bad_numbers_are_refused_with_file_and_line), CASE(bad_structure_is_refused_with_file_and_line),
          CASE(meshes_are_found_where_the_address_says), CASE(missing_meshes_keep_the_shape_and_warn),
          CASE(absent_files_are_named), CASE(rille_refines_joints), CASE(rille_couples_joints),
          CASE(rille_mounts_loops_frames_sensors_screws_wheels_and_points), CASE(rille_is_strict),
          CASE(a_chain_of_1000_links_loads), CASE(a_chain_of_100000_links_loads),
          CASE(a_robot_nested_100000_deep_is_refused), CASE(round_shapes_on_continuous_joints_are_wheels),
          CASE(wheels_that_turn_against_the_others_are_told),
          CASE(no_wheels_are_derived_where_some_are_declared_or_none_are_wanted),
          CASE(example_robots_load_without_warnings), CASE(every_failed_allocation_is_reported_and_nothing_leaks))
