// SPDX-License-Identifier: Apache-2.0
/// \file
/// Joints of URDF, with what <rille><joint> adds to them.
///
/// A <rille><joint> may make a joint a ball or universal joint, which URDF does not have. Then the
/// type is known before the rest of the URDF joint is read, so that its axis and limits are read
/// (or reported as ignored) for what it is.
#include "io/robot/urdf.h"

#include <stdio.h>
#include <string.h>

RiStatus ri_urdf_collect_refinements(RiUrdf *u, const RiXmlNode *rille)
{
    size_t count = 0;
    for (const RiXmlNode *child = rille->first_child; child; child = child->next)
        count++;
    u->refinements = ri_arena_alloc(&u->arena, count, sizeof *u->refinements);
    if (!u->refinements)
        return ri_error_memory(u->ctx);
    int index = 0;
    for (const RiXmlNode *child = rille->first_child; child; child = child->next) {
        const char *name;
        if (strcmp(child->name, "joint") != 0)
            continue;
        RI_TRY(ri_urdf_expect(u, child,
                              RI_LIST("name", "type", "axis2", "armature", "stiffness", "rest", "locked", "position",
                                      "independent", "stop_stiffness", "stop_damping", "stop_exponent",
                                      "stop_restitution"),
                              RI_NONE, RI_NONE));
        u->refinements[index] = child;
        RI_TRY(ri_urdf_name(u, child, RI_URDF_REFINEMENT, index++, &name));
    }
    return RI_OK;
}

// --- parts of a joint ---

/// The type in the file, replaced by the one in the refinement (which may be NULL).
static RiStatus read_type(const RiUrdf *u, const RiXmlNode *node, const RiXmlNode *refinement, RiJointType *out_type)
{
    static const RiJointType types[] = {RI_JOINT_FIXED,     RI_JOINT_REVOLUTE, RI_JOINT_CONTINUOUS,
                                        RI_JOINT_PRISMATIC, RI_JOINT_PLANAR,   RI_JOINT_FREE};
    int i;
    RI_TRY(ri_urdf_choice(u, node, "type",
                          RI_LIST("fixed", "revolute", "continuous", "prismatic", "planar", "floating"), &i));
    *out_type = types[i];
    if (!refinement || !ri_xml_attribute(refinement, "type"))
        return RI_OK;
    RI_TRY(ri_urdf_choice(u, refinement, "type", RI_LIST("ball", "universal"), &i));
    if (*out_type != RI_JOINT_FREE && *out_type != RI_JOINT_REVOLUTE && *out_type != RI_JOINT_CONTINUOUS)
        return ri_urdf_error(u, refinement, RI_ERR_MODEL,
                             "only a floating, revolute or continuous joint can become a %s joint; the URDF joint at "
                             "line %d is %s",
                             i == 0 ? "ball" : "universal", node->line, ri_joint_type_name(*out_type));
    *out_type = i == 0 ? RI_JOINT_BALL : RI_JOINT_UNIVERSAL;
    return RI_OK;
}

static RiStatus read_axis(const RiUrdf *u, const RiXmlNode *node, RiJointSpec *joint)
{
    const RiXmlNode *axis = ri_xml_child(node, "axis");
    const char *text;
    joint->axis = ri_vec3(1.0, 0.0, 0.0); // URDF's default
    if (!axis)
        return RI_OK;
    if (joint->type == RI_JOINT_FIXED || joint->type == RI_JOINT_BALL || joint->type == RI_JOINT_FREE) {
        ri_urdf_report(u, RI_FINDING_IGNORED, axis, "<axis> is ignored: a %s joint has none",
                       ri_joint_type_name(joint->type));
        return RI_OK;
    }
    RI_TRY(ri_urdf_expect(u, axis, RI_LIST("xyz"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_text(u, axis, "xyz", &text));
    RI_TRY(ri_urdf_vec3(u, axis, "xyz", &joint->axis));
    return ri_urdf_unit(u, axis, "xyz", &joint->axis);
}

/// lower and upper of a revolute or prismatic joint; both are 0 unless given, as URDF says.
static RiStatus read_range(const RiUrdf *u, const RiXmlNode *limit, RiJointSpec *joint)
{
    joint->has_limits = true;
    joint->lower = joint->upper = 0.0;
    const RiUrdfField fields[] = {{"lower", RI_ANY, &joint->lower}, {"upper", RI_ANY, &joint->upper}};
    RI_TRY(ri_urdf_fields(u, limit, fields, 2));
    if (joint->lower > joint->upper)
        return ri_urdf_error(u, limit, RI_ERR_MODEL, "unreachable limits of joint '%s': lower %g > upper %g",
                             joint->name, joint->lower, joint->upper);
    if (joint->lower == joint->upper)
        ri_urdf_report(u, RI_FINDING_WARNING, limit, "joint '%s' cannot move: lower and upper are both %g", joint->name,
                       joint->lower);
    return RI_OK;
}

static RiStatus read_limit(const RiUrdf *u, const RiXmlNode *node, RiJointSpec *joint)
{
    const bool has_range = joint->type == RI_JOINT_REVOLUTE || joint->type == RI_JOINT_PRISMATIC;
    const RiXmlNode *limit = ri_xml_child(node, "limit");
    const char *type = ri_joint_type_name(joint->type);
    if (!limit && has_range)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "joint '%s' is %s and has no <limit>, which URDF demands%s",
                             joint->name, type,
                             joint->type == RI_JOINT_REVOLUTE ? "; without limits it is 'continuous'" : "");
    if (!limit)
        return RI_OK;
    if (joint->type == RI_JOINT_FIXED || joint->type == RI_JOINT_FREE) {
        ri_urdf_report(u, RI_FINDING_IGNORED, limit, "<limit> is ignored: a %s joint has none", type);
        return RI_OK;
    }
    RI_TRY(ri_urdf_expect(u, limit, RI_LIST("lower", "upper", "effort", "velocity"), RI_NONE, RI_NONE));
    if (has_range)
        RI_TRY(read_range(u, limit, joint));
    else if (ri_xml_attribute(limit, "lower") || ri_xml_attribute(limit, "upper"))
        ri_urdf_report(u, RI_FINDING_IGNORED, limit, "lower and upper are ignored: a %s joint has no end", type);
    if (!ri_xml_attribute(limit, "effort") || !ri_xml_attribute(limit, "velocity"))
        ri_urdf_report(u, RI_FINDING_WARNING, limit, "<limit> lacks effort or velocity, which then has no bound");
    const RiUrdfField fields[] = {{"effort", RI_NOT_NEGATIVE, &joint->effort},
                                  {"velocity", RI_NOT_NEGATIVE, &joint->velocity}};
    return ri_urdf_fields(u, limit, fields, 2);
}

static RiStatus read_dynamics(const RiUrdf *u, const RiXmlNode *node, RiJointSpec *joint)
{
    const RiXmlNode *dynamics = ri_xml_child(node, "dynamics");
    if (!dynamics)
        return RI_OK;
    if (joint->type == RI_JOINT_FIXED) {
        ri_urdf_ignore(u, dynamics, "a fixed joint does not move");
        return RI_OK;
    }
    RI_TRY(ri_urdf_expect(u, dynamics, RI_LIST("damping", "friction"), RI_NONE, RI_NONE));
    const RiUrdfField fields[] = {{"damping", RI_NOT_NEGATIVE, &joint->damping},
                                  {"friction", RI_NOT_NEGATIVE, &joint->friction}};
    return ri_urdf_fields(u, dynamics, fields, 2);
}

/// The link named by <parent> or <child>.
static RiStatus read_end(const RiUrdf *u, const RiXmlNode *node, const char *which, const char **out_link,
                         int *out_index)
{
    const RiXmlNode *end = ri_xml_child(node, which);
    if (!end)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "<joint> has no <%s>", which);
    RI_TRY(ri_urdf_expect(u, end, RI_LIST("link"), RI_NONE, RI_NONE));
    return ri_urdf_refer(u, end, "link", RI_URDF_LINK, out_link, out_index);
}

/// Parent and child; a link hangs on one joint.
static RiStatus read_ends(RiUrdf *u, const RiXmlNode *node, RiJointSpec *joint)
{
    int parent, child;
    RI_TRY(read_end(u, node, "parent", &joint->parent, &parent));
    RI_TRY(read_end(u, node, "child", &joint->child, &child));
    if (parent == child)
        return ri_urdf_error(u, node, RI_ERR_MODEL, "joint '%s' joins link '%s' to itself", joint->name, joint->child);
    const int other = u->parent_joint[child];
    if (other >= 0)
        return ri_urdf_error(u, node, RI_ERR_MODEL,
                             "link '%s' is the child of joint '%s' and of joint '%s' (line %d); it can have one parent",
                             joint->child, joint->name, u->spec->joints[other].name,
                             u->spec->joints[other].source.line);
    u->parent_joint[child] = u->spec->joint_count;
    return RI_OK;
}

// --- refinements ---

static RiStatus refine_axis2(const RiUrdf *u, const RiXmlNode *refinement, RiJointSpec *joint)
{
    if (joint->type != RI_JOINT_UNIVERSAL) {
        if (!ri_xml_attribute(refinement, "axis2"))
            return RI_OK;
        return ri_urdf_error(u, refinement, RI_ERR_FORMAT, "axis2 is for universal joints; joint '%s' is %s",
                             joint->name, ri_joint_type_name(joint->type));
    }
    RI_TRY(ri_urdf_vec3(u, refinement, "axis2", &joint->axis2));
    RI_TRY(ri_urdf_unit(u, refinement, "axis2", &joint->axis2));
    if (ri_norm(ri_cross(joint->axis, joint->axis2)) < 1e-6)
        return ri_urdf_error(u, refinement, RI_ERR_MODEL,
                             "the two axes of universal joint '%s' are parallel; set axis2 (0 1 0 unless given)",
                             joint->name);
    return RI_OK;
}

/// Initial position, with its quaternion (if the joint has one) made unit.
static RiStatus refine_position(const RiUrdf *u, const RiXmlNode *refinement, RiJointSpec *joint)
{
    if (!ri_xml_attribute(refinement, "position"))
        return RI_OK;
    const int nq = ri_joint_type_nq(joint->type);
    if (nq == 0)
        return ri_urdf_error(u, refinement, RI_ERR_FORMAT, "joint '%s' is fixed and has no position", joint->name);
    RI_TRY(ri_urdf_numbers(u, refinement, "position", nq, joint->position));
    if (nq != 4 && nq != 7)
        return RI_OK;
    double *q = joint->position + nq - 4;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1.0) < 0.01))
        return ri_urdf_error(u, refinement, RI_ERR_FORMAT,
                             "position of joint '%s': the quaternion (w x y z) has length %g, expected 1", joint->name,
                             length);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
    return RI_OK;
}

static RiStatus refine(const RiUrdf *u, const RiXmlNode *refinement, RiJointSpec *joint)
{
    const RiUrdfField fields[] = {
        {"armature", RI_NOT_NEGATIVE, &joint->armature},
        {"stiffness", RI_NOT_NEGATIVE, &joint->stiffness},
        {"rest", RI_ANY, &joint->rest},
        {"stop_stiffness", RI_NOT_NEGATIVE, &joint->stop_stiffness},
        {"stop_damping", RI_NOT_NEGATIVE, &joint->stop_damping},
        {"stop_exponent", RI_POSITIVE, &joint->stop_exponent},
        {"stop_restitution", RI_NOT_NEGATIVE, &joint->stop_restitution},
    };
    RI_TRY(ri_urdf_fields(u, refinement, fields, (int)(sizeof fields / sizeof *fields)));
    RI_TRY(ri_urdf_bool(u, refinement, "locked", &joint->locked));
    RI_TRY(ri_urdf_bool(u, refinement, "independent", &joint->independent));
    RI_TRY(refine_axis2(u, refinement, joint));
    return refine_position(u, refinement, joint);
}

RiStatus ri_urdf_read_joint(RiUrdf *u, const RiXmlNode *node)
{
    RiJointSpec joint = ri_joint_default();
    joint.source = ri_urdf_source(u, node);
    RI_TRY(ri_urdf_name(u, node, RI_URDF_JOINT, u->spec->joint_count, &joint.name));
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name", "type"),
                          RI_LIST("origin", "parent", "child", "axis", "limit", "dynamics", "mimic"), RI_NONE));
    const int i = ri_names_find(&u->names[RI_URDF_REFINEMENT], joint.name);
    const RiXmlNode *refinement = i >= 0 ? u->refinements[i] : NULL;
    RI_TRY(read_type(u, node, refinement, &joint.type));
    RI_TRY(read_ends(u, node, &joint));
    RI_TRY(ri_urdf_origin(u, node, "origin", &joint.origin));
    RI_TRY(read_axis(u, node, &joint));
    RI_TRY(read_limit(u, node, &joint));
    RI_TRY(read_dynamics(u, node, &joint));
    if (refinement)
        RI_TRY(refine(u, refinement, &joint));
    return ri_spec_add_joint(u->spec, &joint);
}

// --- couplings of joints ---

RiStatus ri_urdf_refer_single(const RiUrdf *u, const RiXmlNode *node, const char *attribute, const char **out_name)
{
    int index;
    RI_TRY(ri_urdf_refer(u, node, attribute, RI_URDF_JOINT, out_name, &index));
    const RiJointType type = u->spec->joints[index].type;
    if (ri_joint_type_nq(type) != 1)
        return ri_urdf_error(u, node, RI_ERR_MODEL,
                             "<%s> attribute %s: joint '%s' is %s, but a coupling needs a joint with one coordinate",
                             node->name, attribute, *out_name, ri_joint_type_name(type));
    return RI_OK;
}

RiStatus ri_urdf_read_mimic(RiUrdf *u, const RiXmlNode *joint)
{
    const RiXmlNode *mimic = ri_xml_child(joint, "mimic");
    if (!mimic)
        return RI_OK;
    if (strcmp(ri_xml_attribute(joint, "type"), "fixed") == 0) {
        ri_urdf_report(u, RI_FINDING_IGNORED, mimic, "<mimic> is ignored: joint '%s' is fixed",
                       ri_xml_attribute(joint, "name"));
        return RI_OK;
    }
    RiCouplingTerm terms[2] = {{.factor = 1.0}, {.factor = 0.0}};
    RiCouplingSpec coupling = ri_coupling_default();
    double multiplier = 1.0;
    RI_TRY(ri_urdf_expect(u, mimic, RI_LIST("joint", "multiplier", "offset"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_refer_single(u, joint, "name", &terms[0].joint));
    RI_TRY(ri_urdf_refer_single(u, mimic, "joint", &terms[1].joint));
    RI_TRY(ri_urdf_number(u, mimic, "multiplier", RI_ANY, &multiplier));
    RI_TRY(ri_urdf_number(u, mimic, "offset", RI_ANY, &coupling.offset));
    if (strcmp(terms[0].joint, terms[1].joint) == 0)
        return ri_urdf_error(u, mimic, RI_ERR_MODEL, "joint '%s' mimics itself", terms[0].joint);
    const size_t size = strlen(terms[0].joint) + sizeof "mimic:";
    char *name = ri_arena_alloc(&u->arena, size, 1);
    if (!name)
        return ri_error_memory(u->ctx);
    snprintf(name, size, "mimic:%s", terms[0].joint);
    terms[1].factor = -multiplier;
    coupling.name = name;
    coupling.terms = terms;
    coupling.term_count = 2;
    coupling.source = ri_urdf_source(u, mimic);
    RI_TRY(ri_urdf_enter(u, mimic, RI_URDF_COUPLING, name, u->spec->coupling_count));
    u->mimic_count++;
    return ri_spec_add_coupling(u->spec, &coupling);
}
