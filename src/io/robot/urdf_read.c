// SPDX-License-Identifier: Apache-2.0
/// \file
/// Attributes and elements of URDF: each reader checks one thing and names file, line, element,
/// attribute and value when it is not as it should be.
#include "io/robot/urdf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { SHOWN = 80 }; // characters of a value shown in a message

RiStatus ri_urdf_error(const RiUrdf *u, const RiXmlNode *node, RiStatus status, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ri_error(u->ctx, status, "%s:%d: %s", node->file ? node->file : u->file, node->line, text);
}

void ri_urdf_report(const RiUrdf *u, RiFindingKind kind, const RiXmlNode *node, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ri_report_add(u->report, kind, node->file ? node->file : u->file, node->line, "%s", text);
}

void ri_urdf_ignore(const RiUrdf *u, const RiXmlNode *node, const char *why)
{
    ri_urdf_report(u, RI_FINDING_IGNORED, node, "<%.*s> is ignored: %s", SHOWN, node->name, why);
}

RiSource ri_urdf_source(const RiUrdf *u, const RiXmlNode *node)
{
    return (RiSource){node->file ? node->file : u->file, node->line};
}

// --- what is known of an element ---

/// Why some well-known elements are not used.
static const char *reason_for(const char *name)
{
    static const char *const reasons[][2] = {
        {"gazebo", "settings of another simulator"},
        {"transmission", "actuators are devices of the scene; rotor inertia is 'armature' of a joint in <rille>"},
        {"safety_controller", "soft limits belong to the controller; <limit> is used"},
        {"calibration", "positions of reference switches do not change the motion"},
        {"ros2_control", "hardware interfaces of another program"},
        {"sensor", "sensors are mounted with <sensor> in <rille>"},
        {"verbose", "obsolete in URDF"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(reasons[i][0], name) == 0)
            return reasons[i][1];
    return NULL;
}

static int index_in(const char *const *list, const char *name)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], name) == 0)
            return i;
    return -1;
}

/// The entry of the lists that `name` may be a misspelling of, or NULL. The second list may be
/// NULL.
static const char *nearest_in(const char *const *list, const char *const *more, const char *name)
{
    const char *const *const lists[2] = {list, more};
    RiNameSearch search = ri_name_search(name);
    for (int k = 0; k < 2; k++)
        for (int i = 0; lists[k] && lists[k][i]; i++)
            ri_name_search_look(&search, lists[k][i]);
    return search.found;
}

/// An attribute or element that nobody knows: an error inside <rille>, a finding elsewhere.
static RiStatus unknown(const RiUrdf *u, const RiXmlNode *at, const char *what, const char *name, const char *nearest)
{
    char hint[128] = "";
    if (nearest)
        snprintf(hint, sizeof hint, "; did you mean '%s'?", nearest);
    if (u->strict)
        return ri_urdf_error(u, at, RI_ERR_FORMAT, "%s '%.*s' is not known here%s", what, SHOWN, name, hint);
    ri_urdf_report(u, RI_FINDING_IGNORED, at, "%s '%.*s' is not known and is ignored%s", what, SHOWN, name, hint);
    return RI_OK;
}

static RiStatus unknown_element(const RiUrdf *u, const RiXmlNode *node, const char *const *once,
                                const char *const *many)
{
    const char *reason = u->strict ? NULL : reason_for(node->name);
    if (reason) {
        ri_urdf_ignore(u, node, reason);
        return RI_OK;
    }
    char what[160];
    snprintf(what, sizeof what, "in <%.*s>: element", SHOWN, node->parent->name);
    return unknown(u, node, what, node->name, nearest_in(once, many, node->name));
}

/// The second of an element that may appear once; the first is at line `first`.
static RiStatus surplus_element(const RiUrdf *u, const RiXmlNode *node, int first)
{
    if (u->strict)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "a second <%s>; the first is at line %d", node->name, first);
    ri_urdf_report(u, RI_FINDING_WARNING, node, "a second <%s> is not used; the first, at line %d, counts", node->name,
                   first);
    return RI_OK;
}

static RiStatus expect_attributes(const RiUrdf *u, const RiXmlNode *node, const char *const *attributes)
{
    char what[160];
    for (int i = 0; i < node->attribute_count; i++) {
        const char *name = node->attributes[i].name;
        if (index_in(attributes, name) >= 0)
            continue;
        snprintf(what, sizeof what, "in <%.*s>: attribute", SHOWN, node->name);
        RI_TRY(unknown(u, node, what, name, nearest_in(attributes, NULL, name)));
    }
    return RI_OK;
}

RiStatus ri_urdf_expect(const RiUrdf *u, const RiXmlNode *node, const char *const *attributes, const char *const *once,
                        const char *const *many)
{
    RI_TRY(expect_attributes(u, node, attributes));
    int first_line[RI_URDF_MAX_ONCE] = {0}; // of once[i]; 0 if not seen yet
    for (const RiXmlNode *child = node->first_child; child; child = child->next) {
        const int i = index_in(once, child->name);
        if (i >= 0 && first_line[i])
            RI_TRY(surplus_element(u, child, first_line[i]));
        else if (i >= 0)
            first_line[i] = child->line;
        else if (index_in(many, child->name) < 0)
            RI_TRY(unknown_element(u, child, once, many));
    }
    if (!node->text)
        return RI_OK;
    if (u->strict)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "text in <%s> has no meaning: '%.*s'", node->name, SHOWN,
                             node->text);
    ri_urdf_report(u, RI_FINDING_IGNORED, node, "text in <%s> is ignored: '%.*s'", node->name, SHOWN, node->text);
    return RI_OK;
}

// --- attributes ---

RiStatus ri_urdf_text(const RiUrdf *u, const RiXmlNode *node, const char *attribute, const char **out_text)
{
    *out_text = ri_xml_attribute(node, attribute);
    if (!*out_text)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "<%s> has no attribute '%s'", node->name, attribute);
    if (!**out_text)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "<%s> attribute '%s' is empty", node->name, attribute);
    return RI_OK;
}

static RiStatus bad_value(const RiUrdf *u, const RiXmlNode *node, const char *attribute, const char *value,
                          const char *allowed)
{
    return ri_urdf_error(u, node, RI_ERR_FORMAT, "<%s> attribute %s=\"%.*s\": expected %s", node->name, attribute,
                         SHOWN, value, allowed);
}

static const char blanks[] = " \t\r\n";

/// The finite decimal number that starts at *at and ends at white space or the end; moves *at
/// behind it.
static bool parse_number(const char **at, double *out_value)
{
    const char *start = *at + strspn(*at, blanks);
    const size_t length = strcspn(start, blanks);
    *at = start + length;
    return ri_number_parse(start, length, out_value);
}

RiStatus ri_urdf_numbers(const RiUrdf *u, const RiXmlNode *node, const char *attribute, int count, double *values)
{
    const char *text = ri_xml_attribute(node, attribute);
    if (!text)
        return RI_OK;
    const char *at = text;
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = parse_number(&at, &values[i]);
    if (good && !at[strspn(at, blanks)])
        return RI_OK;
    char allowed[64] = "a finite number";
    if (count != 1)
        snprintf(allowed, sizeof allowed, "%d finite numbers", count);
    return bad_value(u, node, attribute, text, allowed);
}

RiStatus ri_urdf_number(const RiUrdf *u, const RiXmlNode *node, const char *attribute, int demand, double *value)
{
    const char *text = ri_xml_attribute(node, attribute);
    if (!text && (demand & RI_REQUIRED))
        return ri_urdf_text(u, node, attribute, &text);
    if (!text)
        return RI_OK;
    RI_TRY(ri_urdf_numbers(u, node, attribute, 1, value));
    if ((demand & RI_NOT_NEGATIVE) && *value < 0.0)
        return bad_value(u, node, attribute, text, "a number >= 0");
    if ((demand & RI_POSITIVE) && *value <= 0.0)
        return bad_value(u, node, attribute, text, "a number > 0");
    return RI_OK;
}

RiStatus ri_urdf_fields(const RiUrdf *u, const RiXmlNode *node, const RiUrdfField *fields, int count)
{
    for (int i = 0; i < count; i++)
        RI_TRY(ri_urdf_number(u, node, fields[i].attribute, fields[i].demand, fields[i].value));
    return RI_OK;
}

RiStatus ri_urdf_integer(const RiUrdf *u, const RiXmlNode *node, const char *attribute, int least, int *value)
{
    double number = *value;
    RI_TRY(ri_urdf_number(u, node, attribute, RI_ANY, &number));
    if (number != floor(number) || fabs(number) > 1e6 || number < least) {
        char allowed[64];
        snprintf(allowed, sizeof allowed, "a whole number from %d to 1000000", least);
        return bad_value(u, node, attribute, ri_xml_attribute(node, attribute), allowed);
    }
    *value = (int)number;
    return RI_OK;
}

RiStatus ri_urdf_bool(const RiUrdf *u, const RiXmlNode *node, const char *attribute, bool *value)
{
    const char *text = ri_xml_attribute(node, attribute);
    if (!text)
        return RI_OK;
    const int i = index_in(RI_LIST("false", "true", "0", "1"), text);
    if (i < 0)
        return bad_value(u, node, attribute, text, "true or false");
    *value = i % 2 == 1;
    return RI_OK;
}

RiStatus ri_urdf_choice(const RiUrdf *u, const RiXmlNode *node, const char *attribute, const char *const *names,
                        int *out_index)
{
    const char *text;
    RI_TRY(ri_urdf_text(u, node, attribute, &text));
    *out_index = index_in(names, text);
    if (*out_index >= 0)
        return RI_OK;
    char allowed[256] = "one of";
    for (int i = 0; names[i]; i++) {
        const size_t n = strlen(allowed);
        snprintf(allowed + n, sizeof allowed - n, "%s %s", i ? "," : "", names[i]);
    }
    const char *nearest = nearest_in(names, NULL, text);
    const size_t n = strlen(allowed);
    if (nearest)
        snprintf(allowed + n, sizeof allowed - n, "; did you mean '%s'?", nearest);
    return bad_value(u, node, attribute, text, allowed);
}

RiStatus ri_urdf_vec3(const RiUrdf *u, const RiXmlNode *node, const char *attribute, RiVec3 *value)
{
    double v[3] = {value->x, value->y, value->z};
    RI_TRY(ri_urdf_numbers(u, node, attribute, 3, v));
    *value = ri_vec3(v[0], v[1], v[2]);
    return RI_OK;
}

RiStatus ri_urdf_unit(const RiUrdf *u, const RiXmlNode *node, const char *attribute, RiVec3 *v)
{
    // Divide by the largest component first: the squares of what is left neither overflow nor
    // vanish.
    const double largest = fmax(fabs(v->x), fmax(fabs(v->y), fabs(v->z)));
    if (!(largest >= 1e-9))
        return bad_value(u, node, attribute, ri_xml_attribute(node, attribute), "a direction, not a zero vector");
    const RiVec3 scaled = ri_vec3(v->x / largest, v->y / largest, v->z / largest);
    const double length = ri_norm(scaled);
    if (fabs(length * largest - 1.0) > 0.01)
        ri_urdf_report(u, RI_FINDING_WARNING, node, "<%s> %s has length %.4g and is made a unit vector", node->name,
                       attribute, length * largest);
    *v = ri_scale(1.0 / length, scaled);
    return RI_OK;
}

RiStatus ri_urdf_origin(const RiUrdf *u, const RiXmlNode *node, const char *name, RiPose *out_pose)
{
    *out_pose = ri_pose_identity();
    const RiXmlNode *origin = ri_xml_child(node, name);
    if (!origin)
        return RI_OK;
    RI_TRY(ri_urdf_expect(u, origin, RI_LIST("xyz", "rpy"), RI_NONE, RI_NONE));
    RiVec3 rpy = {0};
    RI_TRY(ri_urdf_vec3(u, origin, "xyz", &out_pose->p));
    RI_TRY(ri_urdf_vec3(u, origin, "rpy", &rpy));
    out_pose->R = ri_mat3_rpy(rpy.x, rpy.y, rpy.z);
    return RI_OK;
}

// --- names ---

static const char *const kind_names[RI_URDF_KIND_COUNT] = {
    "link",   "joint", "material", "coupling",      "loop",          "frame",
    "sensor", "screw", "wheel",    "contact_point", "<rille> joint",
};

/// The line of an item that has been entered.
static int line_of(const RiUrdf *u, RiUrdfKind kind, int index)
{
    const RiSpec *s = u->spec;
    switch (kind) {
    case RI_URDF_LINK:
        return s->links[index].source.line;
    case RI_URDF_JOINT:
        return s->joints[index].source.line;
    case RI_URDF_MATERIAL:
        return s->materials[index].source.line;
    case RI_URDF_COUPLING:
        return s->couplings[index].source.line;
    case RI_URDF_LOOP:
        return s->loops[index].source.line;
    case RI_URDF_FRAME:
        return s->frames[index].source.line;
    case RI_URDF_SENSOR:
        return s->sensors[index].source.line;
    case RI_URDF_SCREW:
        return s->screws[index].source.line;
    case RI_URDF_WHEEL:
        return s->wheels[index].source.line;
    case RI_URDF_CONTACT_POINT:
        return s->contact_points[index].source.line;
    default:
        return u->refinements[index]->line;
    }
}

RiStatus ri_urdf_enter(RiUrdf *u, const RiXmlNode *node, RiUrdfKind kind, const char *name, int index)
{
    int existing;
    RI_TRY(ri_names_add(&u->names[kind], name, index, &existing));
    if (existing >= 0)
        return ri_urdf_error(u, node, RI_ERR_MODEL, "duplicate name: %s '%s' is already defined at line %d",
                             kind_names[kind], name, line_of(u, kind, existing));
    return RI_OK;
}

RiStatus ri_urdf_name(RiUrdf *u, const RiXmlNode *node, RiUrdfKind kind, int index, const char **out_name)
{
    RI_TRY(ri_urdf_text(u, node, "name", out_name));
    return ri_urdf_enter(u, node, kind, *out_name, index);
}

RiStatus ri_urdf_refer(const RiUrdf *u, const RiXmlNode *node, const char *attribute, RiUrdfKind kind,
                       const char **out_name, int *out_index)
{
    RI_TRY(ri_urdf_text(u, node, attribute, out_name));
    *out_index = ri_names_find(&u->names[kind], *out_name);
    if (*out_index >= 0)
        return RI_OK;
    const char *nearest = ri_names_nearest(&u->names[kind], *out_name);
    return ri_urdf_error(u, node, RI_ERR_MODEL, "<%s> attribute %s: there is no %s '%s'%s%s%s", node->name, attribute,
                         kind_names[kind], *out_name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'?" : "");
}
