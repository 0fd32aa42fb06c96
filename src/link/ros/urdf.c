// SPDX-License-Identifier: Apache-2.0
/// \file
/// A robot as URDF text, for `robot_description`. What URDF has no word for is reported in comments:
/// loops, couplings of several joints, joints with two axes, capsules, the treads of wheels and the
/// threads of screws. Test: tests/link/test_ros.c (the text loads again and gives the same model).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "link/ros/work.h"

/// Text of an attribute.
static void put_word(RiText *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            ri_text_add(out, "&lt;");
            break;
        case '&':
            ri_text_add(out, "&amp;");
            break;
        case '"':
            ri_text_add(out, "&quot;");
            break;
        default:
            ri_text_put(out, text, 1);
        }
    }
}

static void put_name(RiText *out, const char *before, const char *name)
{
    ri_text_add(out, before);
    ri_text_add(out, "=\"");
    put_word(out, name);
    ri_text_add(out, "\"");
}

static void put_vector(RiText *out, const char *name, RiVec3 v)
{
    ri_text_format(out, " %s=\"%.17g %.17g %.17g\"", name, v.x, v.y, v.z);
}

static void put_origin(RiText *out, const RiPose *pose)
{
    ri_text_add(out, "<origin");
    put_vector(out, "xyz", pose->p);
    put_vector(out, "rpy", ri_mat3_to_rpy(&pose->R));
    ri_text_add(out, "/>");
}

/// Readers of URDF want an address that holds in whatever folder they run, not a path.
static void put_address(RiText *out, const RiShapeSpec *s)
{
    char *full = s->path ? realpath(s->path, NULL) : NULL;
    ri_text_add(out, full ? "<mesh filename=\"file://" : "<mesh filename=\"");
    put_word(out, full ? full : s->path ? s->path : s->uri ? s->uri : "");
    ri_text_add(out, "\"");
    free(full);
}

static void put_geometry(RiText *out, const RiShapeSpec *s)
{
    ri_text_add(out, "<geometry>");
    switch (s->type) {
    case RI_SHAPE_BOX:
        ri_text_format(out, "<box size=\"%.17g %.17g %.17g\"/>", s->size[0], s->size[1], s->size[2]);
        break;
    case RI_SHAPE_CYLINDER:
    case RI_SHAPE_CAPSULE:
        ri_text_format(out, "<cylinder radius=\"%.17g\" length=\"%.17g\"/>%s", s->size[0], s->size[1],
                       s->type == RI_SHAPE_CAPSULE ? "<!-- a capsule: with half spheres at both ends -->" : "");
        break;
    case RI_SHAPE_SPHERE:
        ri_text_format(out, "<sphere radius=\"%.17g\"/>", s->size[0]);
        break;
    case RI_SHAPE_MESH:
        put_address(out, s);
        ri_text_format(out, " scale=\"%.17g %.17g %.17g\"/>", s->size[0], s->size[1], s->size[2]);
        break;
    }
    ri_text_add(out, "</geometry>");
}

static void put_shapes(RiText *out, const RiSpec *spec, const char *link)
{
    static const char *const words[] = {"visual", "collision"};
    for (int i = 0; i < spec->shape_count; i++)
        for (int k = 0; k < 2; k++) {
            const RiShapeSpec *s = &spec->shapes[i];
            if (strcmp(s->link, link) != 0 || !(s->use & (k ? RI_SHAPE_COLLISION : RI_SHAPE_VISUAL)))
                continue;
            ri_text_format(out, "    <%s>", words[k]);
            put_origin(out, &s->pose);
            put_geometry(out, s);
            if (k == 0 && s->material) {
                put_name(out, "<material name", s->material);
                ri_text_add(out, "/>");
            }
            ri_text_format(out, "</%s>\n", words[k]);
        }
}

static void put_cylinder(RiText *out, const RiPose *pose, double radius, double length, const char *what)
{
    ri_text_add(out, "    <visual>");
    put_origin(out, pose);
    ri_text_format(out, "<geometry><cylinder radius=\"%.17g\" length=\"%.17g\"/></geometry>", radius, length);
    ri_text_format(out, "<material name=\"rille_gear\"/></visual><!-- %s -->\n", what);
}

/// Wheels and screws are drawn from the numbers of their laws, not from shapes. URDF has cylinders.
static void put_gear(RiText *out, const RiSpec *spec, const char *link)
{
    RiPose z_along_y = ri_pose_identity();
    z_along_y.R = ri_mat3_rpy(0.5 * M_PI, 0.0, 0.0);
    for (int i = 0; i < spec->wheel_count; i++) {
        const RiWheelSpec *w = &spec->wheels[i];
        const RiPose pose = ri_pose_mul(&w->pose, &z_along_y);
        if (strcmp(w->link, link) == 0)
            put_cylinder(out, &pose, w->radius, w->width, "a wheel, without crown and grousers");
    }
    for (int i = 0; i < spec->screw_count; i++)
        if (strcmp(spec->screws[i].link, link) == 0)
            put_cylinder(out, &spec->screws[i].pose, spec->screws[i].radius, spec->screws[i].length,
                         "a screw, to the edge of its thread");
}

static void put_link(RiText *out, const RiSpec *spec, const RiLinkSpec *l)
{
    put_name(out, "  <link name", l->name);
    ri_text_add(out, ">\n");
    if (l->mass > 0.0) {
        const RiMat3 *I = &l->inertia;
        ri_text_add(out, "    <inertial><origin");
        put_vector(out, "xyz", l->com);
        ri_text_format(out, "/><mass value=\"%.17g\"/>", l->mass);
        ri_text_format(out,
                       "<inertia ixx=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\" iyy=\"%.17g\" iyz=\"%.17g\" "
                       "izz=\"%.17g\"/></inertial>\n",
                       I->m[0][0], I->m[0][1], I->m[0][2], I->m[1][1], I->m[1][2], I->m[2][2]);
    }
    put_shapes(out, spec, l->name);
    put_gear(out, spec, l->name);
    ri_text_add(out, "  </link>\n");
}

/// URDF's word for a joint. Joints with several axes have none: RViz takes their poses from tf.
static const char *joint_word(const RiJointSpec *j)
{
    switch (j->locked ? RI_JOINT_FIXED : j->type) {
    case RI_JOINT_REVOLUTE:
        return j->has_limits ? "revolute" : "continuous";
    case RI_JOINT_CONTINUOUS:
        return "continuous";
    case RI_JOINT_PRISMATIC:
        return "prismatic";
    case RI_JOINT_PLANAR:
        return "planar";
    case RI_JOINT_UNIVERSAL:
    case RI_JOINT_BALL:
    case RI_JOINT_FREE:
        return "floating";
    case RI_JOINT_FIXED:
    case RI_JOINT_TYPE_COUNT:
        break;
    }
    return "fixed";
}

/// A coupling of two joints with the first one's factor 1 is URDF's mimic.
static void put_mimic(RiText *out, const RiSpec *spec, const char *joint)
{
    for (int i = 0; i < spec->coupling_count; i++) {
        const RiCouplingSpec *c = &spec->couplings[i];
        if (c->term_count != 2 || strcmp(c->terms[0].joint, joint) != 0)
            continue;
        put_name(out, "    <mimic joint", c->terms[1].joint);
        ri_text_format(out, " multiplier=\"%.17g\" offset=\"%.17g\"/>\n", -c->terms[1].factor / c->terms[0].factor,
                       c->offset / c->terms[0].factor);
    }
}

static void put_limits(RiText *out, const RiJointSpec *j)
{
    const double big = 1e9;
    ri_text_format(out, "    <limit lower=\"%.17g\" upper=\"%.17g\" effort=\"%.17g\" velocity=\"%.17g\"/>\n",
                   j->has_limits ? j->lower : -big, j->has_limits ? j->upper : big,
                   isfinite(j->effort) ? j->effort : big, isfinite(j->velocity) ? j->velocity : big);
}

static void put_joint(RiText *out, const RiSpec *spec, const RiJointSpec *j)
{
    const char *word = joint_word(j);
    const bool one = ri_joint_type_nq(j->type) == 1 && !j->locked;
    put_name(out, "  <joint name", j->name);
    ri_text_format(out, " type=\"%s\">%s\n    ", word,
                   j->type == RI_JOINT_UNIVERSAL || j->type == RI_JOINT_BALL ? "<!-- several axes: see tf -->" : "");
    put_origin(out, &j->origin);
    put_name(out, "\n    <parent link", j->parent);
    put_name(out, "/><child link", j->child);
    ri_text_add(out, "/>\n");
    if (one || j->type == RI_JOINT_PLANAR) {
        ri_text_add(out, "    <axis");
        put_vector(out, "xyz", j->axis);
        ri_text_add(out, "/>\n");
    }
    if (one) {
        put_limits(out, j);
        ri_text_format(out, "    <dynamics damping=\"%.17g\" friction=\"%.17g\"/>\n", j->damping, j->friction);
        put_mimic(out, spec, j->name);
    }
    ri_text_add(out, "  </joint>\n");
}

/// The link that no joint carries.
static const char *root_name(const RiSpec *spec)
{
    for (int i = 0; i < spec->link_count; i++) {
        bool carried = false;
        for (int k = 0; k < spec->joint_count; k++)
            carried |= strcmp(spec->joints[k].child, spec->links[i].name) == 0;
        if (!carried)
            return spec->links[i].name;
    }
    return "";
}

/// A robot that stands fast hangs on a link called world.
static void put_world(RiText *out, const RiSpec *spec)
{
    const char *root = root_name(spec);
    if (strcmp(root, "world") == 0)
        return;
    ri_text_add(out, "  <link name=\"world\"/>\n  <joint name=\"world_joint\" type=\"fixed\"><parent link=\"world\"/>");
    put_name(out, "<child link", root);
    ri_text_add(out, "/></joint>\n");
}

void ri_ros_put_urdf(RiText *out, const RiSpec *spec, bool fixed)
{
    ri_text_add(out, "<?xml version=\"1.0\"?>\n<robot");
    put_name(out, " name", spec->name ? spec->name : "robot");
    ri_text_add(out, ">\n");
    for (int i = 0; i < spec->material_count; i++) {
        const RiMaterialSpec *m = &spec->materials[i];
        put_name(out, "  <material name", m->name);
        ri_text_format(out, "><color rgba=\"%.9g %.9g %.9g %.9g\"/></material>\n", m->rgba[0], m->rgba[1], m->rgba[2],
                       m->rgba[3]);
    }
    if (spec->wheel_count || spec->screw_count)
        ri_text_add(out, "  <material name=\"rille_gear\"><color rgba=\"0.35 0.35 0.37 1\"/></material>\n");
    if (fixed)
        put_world(out, spec);
    for (int i = 0; i < spec->link_count; i++)
        put_link(out, spec, &spec->links[i]);
    for (int i = 0; i < spec->joint_count; i++)
        put_joint(out, spec, &spec->joints[i]);
    if (spec->loop_count)
        ri_text_format(out, "  <!-- %d closed loops are not in URDF; tf has the poses -->\n", spec->loop_count);
    ri_text_add(out, "</robot>\n");
}

RiStatus ri_ros_urdf(RiContext *ctx, const RiSpec *spec, bool fixed, char **out_text)
{
    const RiAllocator memory = ri_plain_memory();
    RiText text;
    *out_text = NULL;
    ri_text_init(&text, &memory);
    ri_ros_put_urdf(&text, spec, fixed);
    if (text.failed || !(*out_text = strdup(text.at))) {
        ri_text_free(&text);
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    }
    ri_text_free(&text);
    return RI_OK;
}
