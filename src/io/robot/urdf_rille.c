// SPDX-License-Identifier: Apache-2.0
/// \file
/// The <rille> element: couplings, loops, frames, sensors, screws, wheels and contact points, for
/// which URDF has no words. It is ours, so it is read strictly: what is unknown is an error.
#include "io/robot/urdf.h"

#include <string.h>

#include <rille/flex.h>

/// A required attribute naming a link.
static RiStatus read_link_name(const RiUrdf *u, const RiXmlNode *node, const char *attribute, const char **out_link)
{
    int index;
    return ri_urdf_refer(u, node, attribute, RI_URDF_LINK, out_link, &index);
}

static RiStatus read_link(RiUrdf *u, const RiXmlNode *node)
{
    const char *name;
    int index;
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name", "estimated", "any_inertia"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_refer(u, node, "name", RI_URDF_LINK, &name, &index));
    RI_TRY(ri_urdf_bool(u, node, "any_inertia", &u->spec->links[index].any_inertia));
    return ri_urdf_bool(u, node, "estimated", &u->spec->links[index].estimated);
}

/// The joint itself was refined while it was read; here only its name is checked.
static RiStatus read_joint(RiUrdf *u, const RiXmlNode *node)
{
    const char *name;
    int index;
    return ri_urdf_refer(u, node, "name", RI_URDF_JOINT, &name, &index);
}

// --- couplings ---

static RiStatus add_coupling(RiUrdf *u, const RiXmlNode *node, RiCouplingTerm *terms, int count, double offset)
{
    RiCouplingSpec coupling = ri_coupling_default();
    coupling.terms = terms;
    coupling.term_count = count;
    coupling.offset = offset;
    coupling.source = ri_urdf_source(u, node);
    RI_TRY(ri_urdf_name(u, node, RI_URDF_COUPLING, u->spec->coupling_count, &coupling.name));
    RiNames used;
    ri_names_init(&used, u->ctx);
    int existing = -1;
    RiStatus status = RI_OK;
    for (int i = 0; i < count && existing < 0 && status == RI_OK; i++) {
        status = ri_names_add(&used, terms[i].joint, i, &existing);
        if (existing >= 0)
            status = ri_urdf_error(u, node, RI_ERR_MODEL, "coupling '%s' names joint '%s' twice", coupling.name,
                                   terms[i].joint);
    }
    ri_names_free(&used);
    return status == RI_OK ? ri_spec_add_coupling(u->spec, &coupling) : status;
}

static RiStatus read_term(const RiUrdf *u, const RiXmlNode *node, RiCouplingTerm *out_term)
{
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("joint", "factor"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_refer_single(u, node, "joint", &out_term->joint));
    RI_TRY(ri_urdf_number(u, node, "factor", RI_REQUIRED, &out_term->factor));
    if (out_term->factor == 0.0)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "<term> attribute factor is zero; leave the term out");
    return RI_OK;
}

static RiStatus read_coupling(RiUrdf *u, const RiXmlNode *node)
{
    double offset = 0.0;
    int count = 0, i = 0;
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name", "offset"), RI_NONE, RI_LIST("term")));
    RI_TRY(ri_urdf_number(u, node, "offset", RI_ANY, &offset));
    for (const RiXmlNode *term = node->first_child; term; term = term->next)
        count++;
    if (!count)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "<coupling> has no <term>");
    RiCouplingTerm *terms = ri_arena_alloc(&u->arena, (size_t)count, sizeof *terms);
    if (!terms)
        return ri_error_memory(u->ctx);
    for (const RiXmlNode *term = node->first_child; term; term = term->next)
        RI_TRY(read_term(u, term, &terms[i++]));
    return add_coupling(u, node, terms, count, offset);
}

/// q_joint = ratio q_to.
static RiStatus read_gear(RiUrdf *u, const RiXmlNode *node)
{
    RiCouplingTerm terms[2] = {{.factor = 1.0}, {.factor = 0.0}};
    double ratio = 0.0;
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name", "joint", "to", "ratio"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_refer_single(u, node, "joint", &terms[0].joint));
    RI_TRY(ri_urdf_refer_single(u, node, "to", &terms[1].joint));
    RI_TRY(ri_urdf_number(u, node, "ratio", RI_REQUIRED, &ratio));
    if (ratio == 0.0)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "<gear> attribute ratio is zero; lock the joint instead");
    terms[1].factor = -ratio;
    return add_coupling(u, node, terms, 2, 0.0);
}

/// q_left + q_right = sum, as between the two rockers of a rover.
static RiStatus read_differential(RiUrdf *u, const RiXmlNode *node)
{
    RiCouplingTerm terms[2] = {{.factor = 1.0}, {.factor = 1.0}};
    double sum = 0.0;
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name", "left", "right", "sum"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_refer_single(u, node, "left", &terms[0].joint));
    RI_TRY(ri_urdf_refer_single(u, node, "right", &terms[1].joint));
    RI_TRY(ri_urdf_number(u, node, "sum", RI_ANY, &sum));
    return add_coupling(u, node, terms, 2, sum);
}

static RiStatus read_loop_type(const RiUrdf *u, const RiXmlNode *node, RiLoopSpec *loop)
{
    const char *names[RI_LOOP_TYPE_COUNT + 1] = {NULL};
    for (int i = 0; i < RI_LOOP_TYPE_COUNT; i++)
        names[i] = ri_loop_type_name((RiLoopType)i);
    int type;
    RI_TRY(ri_urdf_choice(u, node, "type", names, &type));
    loop->type = (RiLoopType)type;
    if (loop->type == RI_LOOP_DISTANCE)
        return ri_urdf_number(u, node, "distance", RI_REQUIRED | RI_POSITIVE, &loop->distance);
    if (ri_xml_attribute(node, "distance"))
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "<loop> attribute distance is for type=\"distance\" only");
    return RI_OK;
}

static RiStatus read_loop(RiUrdf *u, const RiXmlNode *node)
{
    RiLoopSpec loop = ri_loop_default();
    loop.source = ri_urdf_source(u, node);
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name", "type", "link_a", "link_b", "distance"),
                          RI_LIST("origin_a", "origin_b"), RI_NONE));
    RI_TRY(ri_urdf_name(u, node, RI_URDF_LOOP, u->spec->loop_count, &loop.name));
    RI_TRY(read_loop_type(u, node, &loop));
    RI_TRY(read_link_name(u, node, "link_a", &loop.link_a));
    RI_TRY(read_link_name(u, node, "link_b", &loop.link_b));
    if (strcmp(loop.link_a, loop.link_b) == 0)
        return ri_urdf_error(u, node, RI_ERR_MODEL, "loop '%s' joins link '%s' to itself", loop.name, loop.link_a);
    RI_TRY(ri_urdf_origin(u, node, "origin_a", &loop.pose_a));
    RI_TRY(ri_urdf_origin(u, node, "origin_b", &loop.pose_b));
    return ri_spec_add_loop(u->spec, &loop);
}

// --- what is mounted on links ---

static RiStatus read_frame(RiUrdf *u, const RiXmlNode *node)
{
    RiFrameSpec frame = ri_frame_default();
    frame.source = ri_urdf_source(u, node);
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name", "link"), RI_LIST("origin"), RI_NONE));
    RI_TRY(ri_urdf_name(u, node, RI_URDF_FRAME, u->spec->frame_count, &frame.name));
    RI_TRY(read_link_name(u, node, "link", &frame.link));
    RI_TRY(ri_urdf_origin(u, node, "origin", &frame.pose));
    return ri_spec_add_frame(u->spec, &frame);
}

static RiStatus read_sensor(RiUrdf *u, const RiXmlNode *node)
{
    RiSensorSpec sensor = ri_sensor_default();
    int index;
    sensor.source = ri_urdf_source(u, node);
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name", "kind", "link", "joint"), RI_LIST("origin"), RI_NONE));
    RI_TRY(ri_urdf_name(u, node, RI_URDF_SENSOR, u->spec->sensor_count, &sensor.name));
    RI_TRY(ri_urdf_text(u, node, "kind", &sensor.kind));
    const bool on_link = ri_xml_attribute(node, "link"), on_joint = ri_xml_attribute(node, "joint");
    if (on_link == on_joint)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "sensor '%s' needs either link or joint", sensor.name);
    if (on_link)
        RI_TRY(read_link_name(u, node, "link", &sensor.link));
    else
        RI_TRY(ri_urdf_refer(u, node, "joint", RI_URDF_JOINT, &sensor.joint, &index));
    if (on_joint && ri_xml_child(node, "origin"))
        return ri_urdf_error(u, ri_xml_child(node, "origin"), RI_ERR_FORMAT,
                             "<origin> is for a sensor on a link; sensor '%s' measures a joint", sensor.name);
    RI_TRY(ri_urdf_origin(u, node, "origin", &sensor.pose));
    return ri_spec_add_sensor(u->spec, &sensor);
}

static RiStatus read_screw(RiUrdf *u, const RiXmlNode *node)
{
    RiScrewSpec screw = ri_screw_default();
    int hand;
    screw.source = ri_urdf_source(u, node);
    RI_TRY(ri_urdf_expect(
        u, node, RI_LIST("name", "link", "hand", "starts", "lead", "radius", "core_radius", "length", "estimated"),
        RI_LIST("origin"), RI_NONE));
    RI_TRY(ri_urdf_name(u, node, RI_URDF_SCREW, u->spec->screw_count, &screw.name));
    RI_TRY(read_link_name(u, node, "link", &screw.link));
    RI_TRY(ri_urdf_choice(u, node, "hand", RI_LIST("right", "left"), &hand));
    screw.hand = hand == 0 ? 1 : -1;
    RI_TRY(ri_urdf_integer(u, node, "starts", 1, &screw.starts));
    const RiUrdfField fields[] = {{"lead", RI_REQUIRED | RI_POSITIVE, &screw.lead},
                                  {"radius", RI_REQUIRED | RI_POSITIVE, &screw.radius},
                                  {"core_radius", RI_REQUIRED | RI_NOT_NEGATIVE, &screw.core_radius},
                                  {"length", RI_REQUIRED | RI_POSITIVE, &screw.length}};
    RI_TRY(ri_urdf_fields(u, node, fields, 4));
    if (screw.core_radius > screw.radius)
        return ri_urdf_error(u, node, RI_ERR_MODEL, "screw '%s': core_radius %g > radius %g", screw.name,
                             screw.core_radius, screw.radius);
    RI_TRY(ri_urdf_bool(u, node, "estimated", &screw.estimated));
    RI_TRY(ri_urdf_origin(u, node, "origin", &screw.pose));
    return ri_spec_add_screw(u->spec, &screw);
}

static RiStatus read_wheel(RiUrdf *u, const RiXmlNode *node)
{
    RiWheelSpec wheel = ri_wheel_default();
    wheel.source = ri_urdf_source(u, node);
    RI_TRY(ri_urdf_expect(u, node,
                          RI_LIST("name", "link", "radius", "width", "crown", "grouser_count", "grouser_height",
                                  "grouser_thickness", "grouser_angle", "estimated"),
                          RI_LIST("origin"), RI_NONE));
    RI_TRY(ri_urdf_name(u, node, RI_URDF_WHEEL, u->spec->wheel_count, &wheel.name));
    RI_TRY(read_link_name(u, node, "link", &wheel.link));
    RI_TRY(ri_urdf_integer(u, node, "grouser_count", 0, &wheel.grouser_count));
    const RiUrdfField fields[] = {{"radius", RI_REQUIRED | RI_POSITIVE, &wheel.radius},
                                  {"width", RI_REQUIRED | RI_POSITIVE, &wheel.width},
                                  {"crown", RI_NOT_NEGATIVE, &wheel.crown},
                                  {"grouser_height", RI_NOT_NEGATIVE, &wheel.grouser_height},
                                  {"grouser_thickness", RI_NOT_NEGATIVE, &wheel.grouser_thickness},
                                  {"grouser_angle", RI_ANY, &wheel.grouser_angle}};
    RI_TRY(ri_urdf_fields(u, node, fields, 6));
    RI_TRY(ri_urdf_bool(u, node, "estimated", &wheel.estimated));
    RI_TRY(ri_urdf_origin(u, node, "origin", &wheel.pose));
    return ri_spec_add_wheel(u->spec, &wheel);
}

static RiStatus read_contact_point(RiUrdf *u, const RiXmlNode *node)
{
    RiContactPointSpec point = ri_contact_point_default();
    const char *text;
    point.source = ri_urdf_source(u, node);
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name", "link", "xyz", "material"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_name(u, node, RI_URDF_CONTACT_POINT, u->spec->contact_point_count, &point.name));
    RI_TRY(read_link_name(u, node, "link", &point.link));
    RI_TRY(ri_urdf_text(u, node, "xyz", &text));
    RI_TRY(ri_urdf_vec3(u, node, "xyz", &point.point));
    if (ri_xml_attribute(node, "material"))
        RI_TRY(ri_urdf_text(u, node, "material", &point.material));
    return ri_spec_add_contact_point(u->spec, &point);
}

static RiStatus read_flexible(RiUrdf *u, const RiXmlNode *node)
{
    RiFlexDef def = ri_flex_default();
    double bending[2] = {0.0, -1.0};
    def.source = ri_urdf_source(u, node);
    RI_TRY(ri_urdf_expect(
        u, node, RI_LIST("link", "axis", "length", "bending", "bending2", "torsion", "damping", "segments", "modes"),
        RI_NONE, RI_NONE));
    RI_TRY(read_link_name(u, node, "link", &def.link));
    if (ri_xml_attribute(node, "axis"))
        RI_TRY(ri_urdf_choice(u, node, "axis", RI_LIST("x", "y", "z"), &def.axis));
    RI_TRY(ri_urdf_integer(u, node, "segments", 1, &def.segments));
    RI_TRY(ri_urdf_integer(u, node, "modes", 0, &def.modes));
    const RiUrdfField fields[] = {{"length", RI_REQUIRED, &def.length},
                                  {"bending", RI_NOT_NEGATIVE, &bending[0]},
                                  {"bending2", RI_NOT_NEGATIVE, &bending[1]},
                                  {"torsion", RI_NOT_NEGATIVE, &def.torsion},
                                  {"damping", RI_NOT_NEGATIVE, &def.damping}};
    RI_TRY(ri_urdf_fields(u, node, fields, 5));
    def.bending[0] = bending[0];
    def.bending[1] = bending[1] < 0.0 ? bending[0] : bending[1];
    const RiStatus status = ri_spec_flex(u->spec, &def);
    return status == RI_OK || status == RI_ERR_MEMORY
               ? status
               : ri_urdf_error(u, node, RI_ERR_MODEL, "%s", ri_context_message(u->ctx));
}

// --- the element itself ---

static const struct {
    const char *name;
    RiStatus (*read)(RiUrdf *, const RiXmlNode *);
} readers[] = {
    {"link", read_link},
    {"joint", read_joint},
    {"coupling", read_coupling},
    {"gear", read_gear},
    {"differential", read_differential},
    {"loop", read_loop},
    {"frame", read_frame},
    {"sensor", read_sensor},
    {"screw", read_screw},
    {"wheel", read_wheel},
    {"contact_point", read_contact_point},
    {"flexible", NULL}, // after all others: ri_urdf_read_flexible
};
enum { READER_COUNT = sizeof readers / sizeof *readers };

static RiStatus read_base(RiUrdf *u, const RiXmlNode *rille)
{
    int base;
    if (!ri_xml_attribute(rille, "base"))
        return RI_OK;
    RI_TRY(ri_urdf_choice(u, rille, "base", RI_LIST("fixed", "floating"), &base));
    u->spec->base = base == 0 ? RI_BASE_FIXED : RI_BASE_FLOATING;
    return RI_OK;
}

RiStatus ri_urdf_read_rille(RiUrdf *u, const RiXmlNode *rille)
{
    const char *elements[READER_COUNT + 1] = {NULL};
    for (int i = 0; i < READER_COUNT; i++)
        elements[i] = readers[i].name;
    RI_TRY(ri_urdf_expect(u, rille, RI_LIST("base"), RI_NONE, elements));
    RI_TRY(read_base(u, rille));
    for (const RiXmlNode *child = rille->first_child; child; child = child->next)
        for (int i = 0; i < READER_COUNT; i++)
            if (readers[i].read && strcmp(readers[i].name, child->name) == 0)
                RI_TRY(readers[i].read(u, child));
    return RI_OK;
}

RiStatus ri_urdf_read_flexible(RiUrdf *u, const RiXmlNode *rille)
{
    for (const RiXmlNode *child = rille->first_child; child; child = child->next)
        if (strcmp("flexible", child->name) == 0)
            RI_TRY(read_flexible(u, child));
    return RI_OK;
}
