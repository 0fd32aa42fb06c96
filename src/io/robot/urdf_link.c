// SPDX-License-Identifier: Apache-2.0
/// \file
/// Links of URDF: mass properties, shapes and their materials.
#include "io/robot/urdf.h"

#include <stdio.h>
#include <string.h>

// --- materials ---

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/// Colour and texture of a <material>; false in *out_given if it has neither and so only names one.
static RiStatus read_look(RiUrdf *u, const RiXmlNode *node, RiMaterialSpec *out_material, bool *out_given)
{
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name"), RI_LIST("color", "texture"), RI_NONE));
    const RiXmlNode *color = ri_xml_child(node, "color"), *texture = ri_xml_child(node, "texture");
    *out_given = color || texture;
    if (color) {
        const char *text;
        RI_TRY(ri_urdf_expect(u, color, RI_LIST("rgba"), RI_NONE, RI_NONE));
        RI_TRY(ri_urdf_text(u, color, "rgba", &text));
        RI_TRY(ri_urdf_numbers(u, color, "rgba", 4, out_material->rgba));
        for (int i = 0; i < 4; i++)
            if (out_material->rgba[i] < 0.0 || out_material->rgba[i] > 1.0)
                return ri_urdf_error(u, color, RI_ERR_FORMAT,
                                     "<color> attribute rgba=\"%.80s\": expected 4 numbers from 0 to 1", text);
    }
    if (texture) {
        const char *uri;
        RI_TRY(ri_urdf_expect(u, texture, RI_LIST("filename"), RI_NONE, RI_NONE));
        RI_TRY(ri_urdf_text(u, texture, "filename", &uri));
        RI_TRY(ri_urdf_locate(u, texture, uri, &out_material->texture));
    }
    return RI_OK;
}

/// Adds a material that has a look. Defining one twice is common in exported files and harmless
/// while both agree.
static RiStatus add_material(RiUrdf *u, const RiXmlNode *node, const RiMaterialSpec *material)
{
    int existing;
    RI_TRY(ri_names_add(&u->names[RI_URDF_MATERIAL], material->name, u->spec->material_count, &existing));
    if (existing < 0)
        return ri_spec_add_material(u->spec, material);
    const RiMaterialSpec *first = &u->spec->materials[existing];
    if (memcmp(first->rgba, material->rgba, sizeof first->rgba) != 0 ||
        !is_same_text(first->texture, material->texture))
        ri_urdf_report(u, RI_FINDING_WARNING, node,
                       "material '%s' differs from its definition at line %d, which counts", material->name,
                       first->source.line);
    return RI_OK;
}

RiStatus ri_urdf_read_material(RiUrdf *u, const RiXmlNode *node)
{
    RiMaterialSpec material = ri_material_default();
    bool given;
    RI_TRY(ri_urdf_text(u, node, "name", &material.name));
    RI_TRY(read_look(u, node, &material, &given));
    material.source = ri_urdf_source(u, node);
    if (!given)
        ri_urdf_report(u, RI_FINDING_WARNING, node, "material '%s' has neither <color> nor <texture>: it is grey",
                       material.name);
    return add_material(u, node, &material);
}

/// A name for a material that has none: LINK/material1, ...
static RiStatus invent_name(RiUrdf *u, const char *link, const char **out_name)
{
    const size_t size = strlen(link) + 32;
    char *name = ri_arena_alloc(&u->arena, size, 1);
    if (!name)
        return ri_error_memory(u->ctx);
    do
        snprintf(name, size, "%s/material%d", link, ++u->invented_count);
    while (ri_names_find(&u->names[RI_URDF_MATERIAL], name) >= 0);
    *out_name = name;
    return RI_OK;
}

/// <material> of a <visual>: a definition, or the name of one that is elsewhere.
static RiStatus read_shape_material(RiUrdf *u, const RiXmlNode *node, RiShapeSpec *shape)
{
    RiMaterialSpec material = ri_material_default();
    bool given;
    RI_TRY(read_look(u, node, &material, &given));
    material.source = ri_urdf_source(u, node);
    material.name = ri_xml_attribute(node, "name");
    const bool is_named = material.name && *material.name;
    if (!given && !is_named) {
        ri_urdf_report(u, RI_FINDING_IGNORED, node, "<material> has no name, no <color> and no <texture>");
        return RI_OK;
    }
    if (!is_named)
        RI_TRY(invent_name(u, shape->link, &material.name));
    shape->material = material.name;
    return given ? add_material(u, node, &material) : RI_OK;
}

void ri_urdf_check_materials(RiUrdf *u)
{
    for (int i = 0; i < u->spec->shape_count; i++) {
        RiShapeSpec *shape = &u->spec->shapes[i];
        if (!shape->material || ri_names_find(&u->names[RI_URDF_MATERIAL], shape->material) >= 0)
            continue;
        ri_report_add(u->report, RI_FINDING_WARNING, u->file, shape->source.line,
                      "material '%s' of a shape of link '%s' is defined nowhere: the shape has none", shape->material,
                      shape->link);
        shape->material = NULL;
    }
}

// --- shapes ---

/// One length of a shape: required, not negative; a warning if zero.
static RiStatus read_length(const RiUrdf *u, const RiXmlNode *node, const char *attribute, double *out_value)
{
    RI_TRY(ri_urdf_number(u, node, attribute, RI_REQUIRED | RI_NOT_NEGATIVE, out_value));
    if (*out_value == 0.0)
        ri_urdf_report(u, RI_FINDING_WARNING, node, "<%s> attribute %s is zero", node->name, attribute);
    return RI_OK;
}

static RiStatus read_box(const RiUrdf *u, const RiXmlNode *node, double size[3])
{
    const char *text;
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("size"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_text(u, node, "size", &text));
    RI_TRY(ri_urdf_numbers(u, node, "size", 3, size));
    const double least = fmin(size[0], fmin(size[1], size[2]));
    if (least < 0.0)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "<box> attribute size=\"%.80s\": expected numbers >= 0", text);
    if (least == 0.0)
        ri_urdf_report(u, RI_FINDING_WARNING, node, "<box> attribute size has a zero");
    return RI_OK;
}

static RiStatus read_mesh(RiUrdf *u, const RiXmlNode *node, RiShapeSpec *shape)
{
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("filename", "scale"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_text(u, node, "filename", &shape->uri));
    RI_TRY(ri_urdf_numbers(u, node, "scale", 3, shape->size)); // negative mirrors
    if (shape->size[0] == 0.0 || shape->size[1] == 0.0 || shape->size[2] == 0.0)
        ri_urdf_report(u, RI_FINDING_WARNING, node, "<mesh> attribute scale has a zero");
    return ri_urdf_locate(u, node, shape->uri, &shape->path);
}

static RiStatus read_geometry(RiUrdf *u, const RiXmlNode *geometry, RiShapeSpec *shape)
{
    static const char *const kinds[] = {"box", "cylinder", "sphere", "capsule", "mesh", NULL};
    RI_TRY(ri_urdf_expect(u, geometry, RI_NONE, kinds, RI_NONE));
    const RiXmlNode *node = NULL;
    for (const RiXmlNode *child = geometry->first_child; child; child = child->next)
        for (int i = 0; kinds[i]; i++) {
            if (strcmp(child->name, kinds[i]) != 0)
                continue;
            if (node && strcmp(node->name, child->name) != 0) // one of the same name is reported by ri_urdf_expect
                ri_urdf_report(u, RI_FINDING_WARNING, child, "<geometry> has a second shape <%s>, which is not used",
                               child->name);
            else if (!node) {
                node = child;
                shape->type = (RiShapeType)i;
            }
        }
    if (!node)
        return ri_urdf_error(u, geometry, RI_ERR_FORMAT, "<geometry> has no box, cylinder, sphere, capsule or mesh");
    if (shape->type != RI_SHAPE_MESH)
        memset(shape->size, 0, sizeof shape->size);
    bool is_long = false;
    switch (shape->type) {
    case RI_SHAPE_MESH:
        return read_mesh(u, node, shape);
    case RI_SHAPE_BOX:
        return read_box(u, node, shape->size);
    case RI_SHAPE_CYLINDER:
    case RI_SHAPE_CAPSULE:
        is_long = true;
        break;
    case RI_SHAPE_SPHERE:
        break;
    }
    RI_TRY(ri_urdf_expect(u, node, is_long ? RI_LIST("radius", "length") : RI_LIST("radius"), RI_NONE, RI_NONE));
    RI_TRY(read_length(u, node, "radius", &shape->size[0]));
    return is_long ? read_length(u, node, "length", &shape->size[1]) : RI_OK;
}

static RiStatus read_shape(RiUrdf *u, const RiXmlNode *node, const char *link, RiShapeUse use)
{
    RiShapeSpec shape = ri_shape_default();
    shape.link = link;
    shape.use = (int)use;
    shape.source = ri_urdf_source(u, node);
    shape.name = ri_xml_attribute(node, "name");
    const bool is_visual = use == RI_SHAPE_VISUAL;
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name"),
                          is_visual ? RI_LIST("origin", "geometry", "material") : RI_LIST("origin", "geometry"),
                          RI_NONE));
    RI_TRY(ri_urdf_origin(u, node, "origin", &shape.pose));
    const RiXmlNode *geometry = ri_xml_child(node, "geometry"), *material = ri_xml_child(node, "material");
    if (!geometry)
        return ri_urdf_error(u, node, RI_ERR_FORMAT, "<%s> of link '%s' has no <geometry>", node->name, link);
    RI_TRY(read_geometry(u, geometry, &shape));
    if (material && is_visual)
        RI_TRY(read_shape_material(u, material, &shape));
    return ri_spec_add_shape(u->spec, &shape);
}

// --- mass properties ---

/// A child of <inertial> that must be there.
static RiStatus required_child(const RiUrdf *u, const RiXmlNode *node, const char *name, const RiXmlNode **out_child)
{
    *out_child = ri_xml_child(node, name);
    return *out_child ? RI_OK : ri_urdf_error(u, node, RI_ERR_FORMAT, "<%s> has no <%s>", node->name, name);
}

/// Mass, centre of mass and inertia. The file gives the inertia C about the centre of mass in the
/// axes of the inertial origin, whose orientation in the link is R; the spec holds it in link axes:
/// R C R^T.
static RiStatus read_inertial(const RiUrdf *u, const RiXmlNode *node, RiLinkSpec *link)
{
    const RiXmlNode *mass, *inertia;
    RiPose origin;
    double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;
    const RiUrdfField fields[] = {{"ixx", RI_REQUIRED, &xx}, {"ixy", RI_REQUIRED, &xy}, {"ixz", RI_REQUIRED, &xz},
                                  {"iyy", RI_REQUIRED, &yy}, {"iyz", RI_REQUIRED, &yz}, {"izz", RI_REQUIRED, &zz}};
    RI_TRY(ri_urdf_expect(u, node, RI_NONE, RI_LIST("origin", "mass", "inertia"), RI_NONE));
    RI_TRY(ri_urdf_origin(u, node, "origin", &origin));
    RI_TRY(required_child(u, node, "mass", &mass));
    RI_TRY(required_child(u, node, "inertia", &inertia));
    RI_TRY(ri_urdf_expect(u, mass, RI_LIST("value"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_number(u, mass, "value", RI_REQUIRED, &link->mass));
    RI_TRY(ri_urdf_expect(u, inertia, RI_LIST("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), RI_NONE, RI_NONE));
    RI_TRY(ri_urdf_fields(u, inertia, fields, 6));

    const RiMat3 c = {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
    const RiMat3 rc = ri_mat3_mul(&origin.R, &c), transposed = ri_mat3_transpose(&origin.R);
    const RiMat3 turned = ri_mat3_mul(&rc, &transposed), mirrored = ri_mat3_transpose(&turned);
    link->com = origin.p;
    for (int i = 0; i < 3; i++) // symmetric to the last bit
        for (int k = 0; k < 3; k++)
            link->inertia.m[i][k] = 0.5 * turned.m[i][k] + 0.5 * mirrored.m[i][k];
    return RI_OK;
}

RiStatus ri_urdf_read_link(RiUrdf *u, const RiXmlNode *node)
{
    RiLinkSpec link = ri_link_default();
    link.source = ri_urdf_source(u, node);
    RI_TRY(ri_urdf_name(u, node, RI_URDF_LINK, u->spec->link_count, &link.name));
    RI_TRY(ri_urdf_expect(u, node, RI_LIST("name"), RI_LIST("inertial"), RI_LIST("visual", "collision")));
    const RiXmlNode *inertial = ri_xml_child(node, "inertial");
    if (inertial)
        RI_TRY(read_inertial(u, inertial, &link));
    RI_TRY(ri_spec_add_link(u->spec, &link));
    for (const RiXmlNode *child = node->first_child; child; child = child->next) {
        if (strcmp(child->name, "visual") == 0)
            RI_TRY(read_shape(u, child, link.name, RI_SHAPE_VISUAL));
        else if (strcmp(child->name, "collision") == 0)
            RI_TRY(read_shape(u, child, link.name, RI_SHAPE_COLLISION));
    }
    return RI_OK;
}
