// SPDX-License-Identifier: Apache-2.0
/// \file
/// From items to the spec. Each kind of item has a table of its keys; most are read into the spec's
/// struct by the table alone (type, place, unit), the rest by the kind's function.
#include "io/robot/template.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "io/robot/package.h"

enum { TERM_LIMIT = 10000 };

typedef enum FieldType {
    OTHER,  ///< read by the kind's function, or for the reader of the file only
    TEXT,   ///< const char *
    NUMBER, ///< double
    WHOLE,  ///< int, not negative
    TRUTH,  ///< bool
    VECTOR, ///< RiVec3
    POSE    ///< RiPose from {xyz, rpy}
} FieldType;

typedef struct Field {
    const char *key;
    FieldType type;
    bool required;
    size_t offset;
    const char *unit;   ///< NULL: any
    const char *linear; ///< of joints: the unit for a prismatic one
} Field;

#define TEXT_OF(Type, field, needed)                                                                                   \
    {                                                                                                                  \
        .key = #field, .type = TEXT, .required = needed, .offset = offsetof(Type, field)                               \
    }
#define NUMBER_OF(Type, field, in)                                                                                     \
    {                                                                                                                  \
        .key = #field, .type = NUMBER, .offset = offsetof(Type, field), .unit = in                                     \
    }
#define NEEDED_OF(Type, field, in)                                                                                     \
    {                                                                                                                  \
        .key = #field, .type = NUMBER, .required = true, .offset = offsetof(Type, field), .unit = in                   \
    }
#define WHOLE_OF(Type, field)                                                                                          \
    {                                                                                                                  \
        .key = #field, .type = WHOLE, .offset = offsetof(Type, field)                                                  \
    }
#define TRUTH_OF(Type, field)                                                                                          \
    {                                                                                                                  \
        .key = #field, .type = TRUTH, .offset = offsetof(Type, field)                                                  \
    }
#define POSE_OF(Type, named, field)                                                                                    \
    {                                                                                                                  \
        .key = named, .type = POSE, .offset = offsetof(Type, field)                                                    \
    }
#define JOINT_OF(field, turning, moving)                                                                               \
    {                                                                                                                  \
        .key = #field, .type = NUMBER, .offset = offsetof(RiJointSpec, field), .unit = turning, .linear = moving       \
    }
#define EVERY_ITEM                                                                                                     \
    {.key = "name"}, {.key = "doc"},                                                                                   \
    {                                                                                                                  \
        .key = "source"                                                                                                \
    }

static const Field link_fields[] = {
    EVERY_ITEM,
    NUMBER_OF(RiLinkSpec, mass, "kg"),
    {.key = "com", .type = VECTOR, .offset = offsetof(RiLinkSpec, com), .unit = "m"},
    TRUTH_OF(RiLinkSpec, estimated),
    TRUTH_OF(RiLinkSpec, any_inertia),
    {.key = "inertia"},
    {.key = "solid"},
    {.key = "size"},
    {.key = "axis"},
    {.key = "visual"},
    {.key = "collision"},
    {.key = "flexible"},
};

static const Field joint_fields[] = {
    EVERY_ITEM,
    {.key = "type", .required = true},
    TEXT_OF(RiJointSpec, parent, true),
    TEXT_OF(RiJointSpec, child, true),
    POSE_OF(RiJointSpec, "origin", origin),
    {.key = "axis"},
    {.key = "axis2"},
    {.key = "position"},
    {.key = "limits"},
    TRUTH_OF(RiJointSpec, locked),
    TRUTH_OF(RiJointSpec, independent),
    JOINT_OF(effort, "N*m", "N"),
    JOINT_OF(velocity, "rad/s", "m/s"),
    JOINT_OF(damping, "N*m*s/rad", "N*s/m"),
    JOINT_OF(friction, "N*m", "N"),
    JOINT_OF(stiffness, "N*m/rad", "N/m"),
    JOINT_OF(rest, "rad", "m"),
    JOINT_OF(armature, "kg*m^2", "kg"),
    JOINT_OF(stop_stiffness, "N*m/rad", NULL),
    JOINT_OF(stop_damping, "s/rad", "s/m"),
    JOINT_OF(stop_exponent, "", ""),
    JOINT_OF(stop_restitution, "", ""),
};

static const Field coupling_fields[] = {
    EVERY_ITEM,
    {.key = "terms", .required = true},
    NUMBER_OF(RiCouplingSpec, offset, NULL),
};

/// A gear or a differential as it is written: both become a coupling of two joints.
typedef struct Pair {
    const char *driver, *driven, *left, *right;
    double ratio, offset;
} Pair;

static const Field gear_fields[] = {
    EVERY_ITEM,
    TEXT_OF(Pair, driver, true),
    TEXT_OF(Pair, driven, true),
    NEEDED_OF(Pair, ratio, NULL),
    NUMBER_OF(Pair, offset, NULL),
};

static const Field differential_fields[] = {
    EVERY_ITEM,
    TEXT_OF(Pair, left, true),
    TEXT_OF(Pair, right, true),
    NUMBER_OF(Pair, offset, "rad"),
};

static const Field loop_fields[] = {
    EVERY_ITEM,
    {.key = "type", .required = true},
    TEXT_OF(RiLoopSpec, link_a, true),
    TEXT_OF(RiLoopSpec, link_b, true),
    POSE_OF(RiLoopSpec, "origin_a", pose_a),
    POSE_OF(RiLoopSpec, "origin_b", pose_b),
    NUMBER_OF(RiLoopSpec, distance, "m"),
};

static const Field frame_fields[] = {
    EVERY_ITEM,
    TEXT_OF(RiFrameSpec, link, true),
    POSE_OF(RiFrameSpec, "origin", pose),
};

static const Field sensor_fields[] = {
    EVERY_ITEM,
    TEXT_OF(RiSensorSpec, kind, true),
    TEXT_OF(RiSensorSpec, link, false),
    TEXT_OF(RiSensorSpec, joint, false),
    POSE_OF(RiSensorSpec, "origin", pose),
};

static const Field screw_fields[] = {
    EVERY_ITEM,
    TEXT_OF(RiScrewSpec, link, true),
    POSE_OF(RiScrewSpec, "origin", pose),
    {.key = "hand"},
    WHOLE_OF(RiScrewSpec, starts),
    NEEDED_OF(RiScrewSpec, lead, "m"),
    NEEDED_OF(RiScrewSpec, radius, "m"),
    NUMBER_OF(RiScrewSpec, core_radius, "m"),
    NEEDED_OF(RiScrewSpec, length, "m"),
    TRUTH_OF(RiScrewSpec, estimated),
};

static const Field wheel_fields[] = {
    EVERY_ITEM,
    TEXT_OF(RiWheelSpec, link, true),
    POSE_OF(RiWheelSpec, "origin", pose),
    NEEDED_OF(RiWheelSpec, radius, "m"),
    NEEDED_OF(RiWheelSpec, width, "m"),
    NUMBER_OF(RiWheelSpec, crown, "m"),
    WHOLE_OF(RiWheelSpec, grouser_count),
    NUMBER_OF(RiWheelSpec, grouser_height, "m"),
    NUMBER_OF(RiWheelSpec, grouser_thickness, "m"),
    NUMBER_OF(RiWheelSpec, grouser_angle, "rad"),
    TRUTH_OF(RiWheelSpec, estimated),
};

static const Field contact_point_fields[] = {
    EVERY_ITEM,
    TEXT_OF(RiContactPointSpec, link, true),
    {.key = "point", .type = VECTOR, .required = true, .offset = offsetof(RiContactPointSpec, point), .unit = "m"},
    TEXT_OF(RiContactPointSpec, material, false),
};

#define SHAPE_FIELDS                                                                                                   \
    EVERY_ITEM, {.key = "type", .required = true}, {.key = "size"}, {.key = "uri"},                                    \
        POSE_OF(RiShapeSpec, "origin", pose), TEXT_OF(RiShapeSpec, material, false)

static const Field shape_fields[] = {SHAPE_FIELDS, TEXT_OF(RiShapeSpec, link, true), {.key = "use"}};
static const Field inline_shape_fields[] = {SHAPE_FIELDS};

static const Field material_fields[] = {
    EVERY_ITEM,
    {.key = "rgba"},
    TEXT_OF(RiMaterialSpec, texture, false),
};

#define TABLE(fields) (fields), (int)(sizeof(fields) / sizeof *(fields))

static const struct {
    const char *list;
    const Field *fields;
    int count;
} kinds[RI_ITEM_TABLE_COUNT] = {
    [RI_ITEM_LINK] = {"links", TABLE(link_fields)},
    [RI_ITEM_JOINT] = {"joints", TABLE(joint_fields)},
    [RI_ITEM_COUPLING] = {"couplings", TABLE(coupling_fields)},
    [RI_ITEM_GEAR] = {"gears", TABLE(gear_fields)},
    [RI_ITEM_DIFFERENTIAL] = {"differentials", TABLE(differential_fields)},
    [RI_ITEM_LOOP] = {"loops", TABLE(loop_fields)},
    [RI_ITEM_FRAME] = {"frames", TABLE(frame_fields)},
    [RI_ITEM_SENSOR] = {"sensors", TABLE(sensor_fields)},
    [RI_ITEM_SCREW] = {"screws", TABLE(screw_fields)},
    [RI_ITEM_WHEEL] = {"wheels", TABLE(wheel_fields)},
    [RI_ITEM_CONTACT_POINT] = {"contact_points", TABLE(contact_point_fields)},
    [RI_ITEM_SHAPE] = {"shapes", TABLE(shape_fields)},
    [RI_ITEM_MATERIAL] = {"materials", TABLE(material_fields)},
    [RI_ITEM_INLINE_SHAPE] = {"visual or collision", TABLE(inline_shape_fields)},
};

const char *ri_template_list_name(RiItemKind kind)
{
    return kinds[kind].list;
}

int ri_template_item_keys(RiItemKind kind, const char **out_keys, int most)
{
    int count = 0;
    for (; count < kinds[kind].count && count < most; count++)
        out_keys[count] = kinds[kind].fields[count].key;
    return count;
}

// ---------------------------------------------------------------------------------- reading fields

/// The value of a key; its node is NULL if the item has none.
static RiTemplateValue field(const RiItem *item, const char *key)
{
    for (int i = 0; i < item->field_count; i++)
        if (strcmp(item->fields[i].node->key, key) == 0)
            return item->fields[i];
    return (RiTemplateValue){NULL, NULL};
}

static RiTemplateValue inside(RiTemplateValue map, const char *key)
{
    return (RiTemplateValue){ri_yaml_get(map.node, key), map.scope};
}

/// An error about the item as a whole.
static RiStatus item_error(const RiItem *item, const char *text, const char *key)
{
    return ri_yaml_error(item->node, RI_ERR_FORMAT, "'%s' in '%s': key '%s' %s", item->name ? item->name : "(no name)",
                         kinds[item->kind].list, key, text);
}

static RiStatus read_vector(RiTemplate *t, RiTemplateValue v, const char *unit, RiVec3 *out)
{
    double x[3];
    int count;
    RI_TRY(ri_template_numbers(t, v, unit, 3, 3, x, &count));
    *out = ri_vec3(x[0], x[1], x[2]);
    return RI_OK;
}

/// {xyz: [x, y, z], rpy: [roll, pitch, yaw]}, both optional.
static RiStatus read_pose(RiTemplate *t, RiTemplateValue v, RiPose *out)
{
    static const char *const keys[] = {"xyz", "rpy"};
    RI_TRY(ri_yaml_check_keys(v.node, keys, 2));
    *out = ri_pose_identity();
    const RiTemplateValue xyz = inside(v, "xyz"), rpy = inside(v, "rpy");
    RiVec3 angles = {0.0, 0.0, 0.0};
    if (xyz.node)
        RI_TRY(read_vector(t, xyz, "m", &out->p));
    if (rpy.node)
        RI_TRY(read_vector(t, rpy, "rad", &angles));
    out->R = ri_mat3_rpy(angles.x, angles.y, angles.z);
    return RI_OK;
}

static RiStatus read_field(RiTemplate *t, RiTemplateValue v, const Field *f, const char *unit, void *place)
{
    switch (f->type) {
    case TEXT:
        return ri_template_text(t, v, (const char **)place);
    case NUMBER:
        return ri_template_number(t, v, unit, place);
    case WHOLE:
        return ri_template_whole(t, v, 0, 1000000, place);
    case TRUTH:
        return ri_template_truth(t, v, place);
    case VECTOR:
        return read_vector(t, v, unit, place);
    case POSE:
        return read_pose(t, v, place);
    default:
        return RI_OK;
    }
}

/// Which of a field's units holds.
typedef enum Motion { TURNING, MOVING, MIXED } Motion;

/// Reads the fields that the table of the item's kind describes into `record`.
static RiStatus read_fields(RiTemplate *t, const RiItem *item, Motion motion, void *record)
{
    for (int i = 0; i < kinds[item->kind].count; i++) {
        const Field *f = &kinds[item->kind].fields[i];
        const RiTemplateValue v = field(item, f->key);
        if (!v.node && f->required)
            return item_error(item, "is missing", f->key);
        if (!v.node)
            continue;
        const char *unit = motion == TURNING ? f->unit : motion == MOVING ? f->linear : NULL;
        RI_TRY(read_field(t, v, f, unit, (char *)record + f->offset));
    }
    return RI_OK;
}

static RiSource item_source(const RiItem *item)
{
    return (RiSource){ri_yaml_file(item->node->document), item->node->line};
}

/// A direction: x, y, z, -x, -y, -z or [x, y, z] of any length but zero.
static RiStatus read_axis(RiTemplate *t, RiTemplateValue v, RiVec3 *out)
{
    static const char *const words[] = {"x", "y", "z", "-x", "-y", "-z"};
    if (!v.node)
        return RI_OK;
    if (v.node->kind == RI_YAML_SCALAR) {
        int index;
        RI_TRY(ri_template_choice(t, v, words, 6, &index));
        const double s = index < 3 ? 1.0 : -1.0;
        *out = ri_vec3(index % 3 == 0 ? s : 0.0, index % 3 == 1 ? s : 0.0, index % 3 == 2 ? s : 0.0);
        return RI_OK;
    }
    RiVec3 axis;
    RI_TRY(read_vector(t, v, "", &axis));
    const double length = ri_norm(axis);
    if (!(length > 1e-9) || !(length < 1e9))
        return ri_yaml_error(v.node, RI_ERR_FORMAT, "an axis needs a length, got [%g, %g, %g]", axis.x, axis.y, axis.z);
    *out = ri_scale(1.0 / length, axis);
    return RI_OK;
}

/// One number, or a sequence of `least` to `most`.
static RiStatus read_list(RiTemplate *t, RiTemplateValue v, const char *unit, int least, int most, double *out,
                          int *out_count)
{
    if (v.node->kind == RI_YAML_SCALAR && least == 1) {
        *out_count = 1;
        return ri_template_number(t, v, unit, &out[0]);
    }
    return ri_template_numbers(t, v, unit, least, most, out, out_count);
}

// ------------------------------------------------------------------------------------------ shapes

/// Finds the file of a mesh; package:// is searched as for URDF.
static RiStatus locate_mesh(RiTemplate *t, const RiYamlNode *node, const char *uri, const char **out_path)
{
    *out_path = NULL;
    const char *file = ri_yaml_file(node->document);
    if (strncmp(uri, "package://", 10) != 0)
        return ri_template_join(t, file, uri, out_path);
    RiFileSearch s;
    if (ri_file_search(&s, file ? file : "", uri, t->options.package_paths, t->options.package_path_count)) {
        *out_path = ri_arena_string(&t->arena, s.found);
        return *out_path ? RI_OK : ri_error_memory(t->ctx);
    }
    ri_report_add(t->options.report, RI_FINDING_WARNING, file, node->line, "mesh '%.200s' not found; searched: %s", uri,
                  s.tried[0] ? s.tried : "nowhere, for the address is not package://NAME/FILE");
    return RI_OK;
}

static RiStatus read_mesh(RiTemplate *t, const RiItem *item, RiShapeSpec *shape)
{
    const RiTemplateValue uri = field(item, "uri");
    if (!uri.node)
        return item_error(item, "is missing for a mesh", "uri");
    RI_TRY(ri_template_text(t, uri, &shape->uri));
    return locate_mesh(t, uri.node, shape->uri, &shape->path);
}

static RiStatus read_size(RiTemplate *t, const RiItem *item, RiShapeSpec *shape)
{
    static const int numbers[] = {
        [RI_SHAPE_BOX] = 3, [RI_SHAPE_CYLINDER] = 2, [RI_SHAPE_SPHERE] = 1, [RI_SHAPE_CAPSULE] = 2};
    const RiTemplateValue size = field(item, "size");
    const bool mesh = shape->type == RI_SHAPE_MESH;
    if (!size.node)
        return mesh ? RI_OK : item_error(item, "is missing", "size");
    double x[3] = {0.0};
    int count;
    const int most = mesh ? 3 : numbers[shape->type];
    RI_TRY(read_list(t, size, mesh ? "" : "m", mesh ? 1 : most, most, x, &count));
    if (mesh && count == 1)
        x[1] = x[2] = x[0];
    memcpy(shape->size, x, sizeof x);
    return RI_OK;
}

/// Reads a shape but for its link and use.
static RiStatus read_shape(RiTemplate *t, const RiItem *item, RiShapeSpec *shape)
{
    static const char *const types[] = {"box", "cylinder", "sphere", "capsule", "mesh"};
    RI_TRY(read_fields(t, item, TURNING, shape));
    int type;
    RI_TRY(ri_template_choice(t, field(item, "type"), types, 5, &type));
    shape->type = (RiShapeType)type;
    shape->name = item->name;
    shape->source = item_source(item);
    RI_TRY(read_size(t, item, shape));
    const RiTemplateValue uri = field(item, "uri");
    if (shape->type == RI_SHAPE_MESH)
        return read_mesh(t, item, shape);
    return uri.node ? ri_yaml_error(uri.node, RI_ERR_FORMAT, "only a shape of type mesh has one") : RI_OK;
}

static RiStatus build_shape(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    static const char *const uses[] = {"visual", "collision", "both", "ground"};
    static const int bits[] = {RI_SHAPE_VISUAL, RI_SHAPE_COLLISION, RI_SHAPE_VISUAL | RI_SHAPE_COLLISION,
                               RI_SHAPE_GROUND};
    RiShapeSpec shape = ri_shape_default();
    RI_TRY(read_shape(t, item, &shape));
    const RiTemplateValue use = field(item, "use");
    int index = 2;
    if (use.node)
        RI_TRY(ri_template_choice(t, use, uses, 4, &index));
    shape.use = bits[index];
    return ri_spec_add_shape(spec, &shape);
}

/// A shape inside a link.
static RiStatus build_inline_shape(RiTemplate *t, RiSpec *spec, const char *link, RiTemplateValue v, RiShapeUse use)
{
    const char *keys[16];
    RI_TRY(ri_yaml_check_keys(v.node, keys, ri_template_item_keys(RI_ITEM_INLINE_SHAPE, keys, 16)));
    RI_TRY(ri_template_count(t, v.node));
    RiTemplateValue fields[16];
    RiItem item = {.kind = RI_ITEM_INLINE_SHAPE, .node = v.node, .fields = fields};
    for (const RiYamlNode *c = v.node->first; c; c = c->next)
        fields[item.field_count++] = (RiTemplateValue){c, v.scope};
    const RiTemplateValue name = field(&item, "name");
    if (name.node)
        RI_TRY(ri_template_text(t, name, &item.name));
    RiShapeSpec shape = ri_shape_default();
    RI_TRY(read_shape(t, &item, &shape));
    shape.link = link;
    shape.use = (int)use;
    return ri_spec_add_shape(spec, &shape);
}

static RiStatus build_inline_shapes(RiTemplate *t, RiSpec *spec, const RiItem *link, const char *key, RiShapeUse use)
{
    const RiTemplateValue list = field(link, key);
    if (!list.node)
        return RI_OK;
    RI_TRY(ri_yaml_expect(list.node, RI_YAML_SEQUENCE));
    for (const RiYamlNode *c = list.node->first; c; c = c->next)
        RI_TRY(build_inline_shape(t, spec, link->name, (RiTemplateValue){c, list.scope}, use));
    return RI_OK;
}

// ------------------------------------------------------------------------------------------- links

/// Moments about the axes of a solid whose own axis is z, turned so that it is `axis`. The solids
/// are symmetric about their axis, so exchanging diagonal entries is the rotation.
static RiMat3 turn_inertia(RiMat3 i, RiVec3 axis)
{
    const double along = i.m[2][2], across = i.m[0][0];
    if (axis.x != 0.0) {
        i.m[0][0] = along;
        i.m[2][2] = across;
    } else if (axis.y != 0.0) {
        i.m[1][1] = along;
        i.m[2][2] = across;
    }
    return i;
}

/// Inertia of `solid: box|cylinder|sphere` with `size` (and `axis` of a cylinder).
static RiStatus read_solid(RiTemplate *t, const RiItem *item, RiLinkSpec *link)
{
    static const char *const words[] = {"box", "cylinder", "sphere"};
    static const int numbers[] = {3, 2, 1};
    const RiTemplateValue size = field(item, "size"), axis = field(item, "axis");
    double x[3] = {0.0};
    int solid, count;
    RI_TRY(ri_template_choice(t, field(item, "solid"), words, 3, &solid));
    if (!size.node)
        return item_error(item, "is missing for a solid", "size");
    RI_TRY(read_list(t, size, "m", numbers[solid], numbers[solid], x, &count));
    for (int i = 0; i < count; i++)
        if (!(x[i] > 0.0))
            return ri_yaml_error(size.node, RI_ERR_FORMAT, "the size of a solid must be above zero, got %g", x[i]);
    RiVec3 along = {0.0, 0.0, 1.0};
    if (axis.node && solid != 1)
        return ri_yaml_error(axis.node, RI_ERR_FORMAT, "only a cylinder has an axis");
    if (axis.node)
        RI_TRY(ri_yaml_expect(axis.node, RI_YAML_SCALAR)); // x, y or z: no slanted solids
    RI_TRY(read_axis(t, axis, &along));
    if (solid == 0)
        link->inertia = ri_inertia_box(link->mass, ri_vec3(x[0], x[1], x[2]));
    else if (solid == 1)
        link->inertia = turn_inertia(ri_inertia_cylinder(link->mass, x[0], x[1]), along);
    else
        link->inertia = ri_inertia_sphere(link->mass, x[0]);
    return RI_OK;
}

/// [ixx, iyy, izz] or [ixx, ixy, ixz, iyy, iyz, izz].
static RiStatus read_inertia(RiTemplate *t, RiTemplateValue v, RiMat3 *out)
{
    double i[6];
    int count;
    RI_TRY(ri_template_numbers(t, v, "kg*m^2", 3, 6, i, &count));
    if (count != 3 && count != 6)
        return ri_yaml_error(v.node, RI_ERR_FORMAT, "expected 3 or 6 numbers, found %d", count);
    if (count == 3)
        *out = (RiMat3){{{i[0], 0.0, 0.0}, {0.0, i[1], 0.0}, {0.0, 0.0, i[2]}}};
    else
        *out = (RiMat3){{{i[0], i[1], i[2]}, {i[1], i[3], i[4]}, {i[2], i[4], i[5]}}};
    return RI_OK;
}

static RiStatus build_link(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    RiLinkSpec link = ri_link_default();
    RI_TRY(read_fields(t, item, TURNING, &link));
    link.name = item->name;
    link.source = item_source(item);
    const RiTemplateValue inertia = field(item, "inertia"), solid = field(item, "solid");
    if (inertia.node && solid.node)
        return ri_yaml_error(inertia.node, RI_ERR_FORMAT, "give either 'inertia' or 'solid', not both");
    if (inertia.node)
        RI_TRY(read_inertia(t, inertia, &link.inertia));
    if (solid.node)
        RI_TRY(read_solid(t, item, &link));
    else if (field(item, "size").node || field(item, "axis").node)
        return item_error(item, "is missing for 'size' and 'axis'", "solid");
    RI_TRY(ri_spec_add_link(spec, &link));
    RI_TRY(build_inline_shapes(t, spec, item, "visual", RI_SHAPE_VISUAL));
    return build_inline_shapes(t, spec, item, "collision", RI_SHAPE_COLLISION);
}

// ------------------------------------------------------------------------------------------ joints

static RiStatus read_joint_type(RiTemplate *t, const RiItem *item, RiJointType *out_type)
{
    const char *names[RI_JOINT_TYPE_COUNT];
    int index;
    const RiTemplateValue type = field(item, "type");
    *out_type = RI_JOINT_FIXED;
    if (!type.node)
        return item_error(item, "is missing", "type");
    for (int i = 0; i < RI_JOINT_TYPE_COUNT; i++)
        names[i] = ri_joint_type_name((RiJointType)i);
    RI_TRY(ri_template_choice(t, type, names, RI_JOINT_TYPE_COUNT, &index));
    *out_type = (RiJointType)index;
    return RI_OK;
}

/// Unit of coordinate k of a joint; see the table at RiJointType.
static const char *coordinate_unit(RiJointType type, int k)
{
    switch (type) {
    case RI_JOINT_PRISMATIC:
        return "m";
    case RI_JOINT_PLANAR:
        return k < 2 ? "m" : "rad";
    case RI_JOINT_BALL:
        return "";
    case RI_JOINT_FREE:
        return k < 3 ? "m" : "";
    case RI_JOINT_FIXED:
    case RI_JOINT_REVOLUTE:
    case RI_JOINT_CONTINUOUS:
    case RI_JOINT_UNIVERSAL:
    case RI_JOINT_TYPE_COUNT:
        break;
    }
    return "rad";
}

/// One number, or as many as the joint has coordinates.
static RiStatus read_position(RiTemplate *t, RiTemplateValue v, RiJointSpec *joint)
{
    const int nq = ri_joint_type_nq(joint->type);
    if (!v.node)
        return RI_OK;
    if (v.node->kind == RI_YAML_SCALAR && nq == 1)
        return ri_template_number(t, v, coordinate_unit(joint->type, 0), &joint->position[0]);
    RI_TRY(ri_yaml_expect(v.node, RI_YAML_SEQUENCE));
    if (v.node->count != nq)
        return ri_yaml_error(v.node, RI_ERR_FORMAT, "a %s joint has %d coordinates, found %d",
                             ri_joint_type_name(joint->type), nq, v.node->count);
    int k = 0;
    for (const RiYamlNode *c = v.node->first; c; c = c->next, k++)
        RI_TRY(
            ri_template_number(t, (RiTemplateValue){c, v.scope}, coordinate_unit(joint->type, k), &joint->position[k]));
    return RI_OK;
}

static RiStatus read_limits(RiTemplate *t, RiTemplateValue v, RiJointSpec *joint)
{
    double x[2];
    int count;
    if (!v.node)
        return RI_OK;
    if (ri_joint_type_nq(joint->type) != 1)
        return ri_yaml_error(v.node, RI_ERR_FORMAT, "a %s joint has no limits", ri_joint_type_name(joint->type));
    RI_TRY(ri_template_numbers(t, v, coordinate_unit(joint->type, 0), 2, 2, x, &count));
    if (x[0] > x[1])
        return ri_yaml_error(v.node, RI_ERR_FORMAT, "the lower limit %g is above the upper one %g", x[0], x[1]);
    joint->has_limits = true;
    joint->lower = x[0];
    joint->upper = x[1];
    return RI_OK;
}

static RiStatus build_joint(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    RiJointSpec joint = ri_joint_default();
    RI_TRY(read_joint_type(t, item, &joint.type));
    const bool mixed = joint.type == RI_JOINT_PLANAR || joint.type == RI_JOINT_FREE;
    const Motion motion = mixed ? MIXED : joint.type == RI_JOINT_PRISMATIC ? MOVING : TURNING;
    RI_TRY(read_fields(t, item, motion, &joint));
    joint.name = item->name;
    joint.source = item_source(item);
    RI_TRY(read_axis(t, field(item, "axis"), &joint.axis));
    RI_TRY(read_axis(t, field(item, "axis2"), &joint.axis2));
    RI_TRY(read_position(t, field(item, "position"), &joint));
    RI_TRY(read_limits(t, field(item, "limits"), &joint));
    return ri_spec_add_joint(spec, &joint);
}

// ---------------------------------------------------------------------- couplings, gears and loops

static RiStatus read_term(RiTemplate *t, RiTemplateValue v, RiCouplingTerm *term)
{
    static const char *const keys[] = {"joint", "factor"};
    RI_TRY(ri_yaml_check_keys(v.node, keys, 2));
    const RiTemplateValue joint = inside(v, "joint"), factor = inside(v, "factor");
    if (!joint.node || !factor.node)
        return ri_yaml_error(v.node, RI_ERR_FORMAT, "a term has a 'joint' and a 'factor'");
    RI_TRY(ri_template_text(t, joint, &term->joint));
    return ri_template_number(t, factor, NULL, &term->factor);
}

static RiStatus build_coupling(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    RiCouplingSpec coupling = ri_coupling_default();
    RI_TRY(read_fields(t, item, TURNING, &coupling));
    const RiTemplateValue terms = field(item, "terms");
    RI_TRY(ri_yaml_expect(terms.node, RI_YAML_SEQUENCE));
    if (terms.node->count < 1 || terms.node->count > TERM_LIMIT)
        return ri_yaml_error(terms.node, RI_ERR_FORMAT, "a coupling has 1 to %d terms, found %d", TERM_LIMIT,
                             terms.node->count);
    coupling.terms = ri_arena_alloc(&t->arena, (size_t)terms.node->count, sizeof *coupling.terms);
    if (!coupling.terms)
        return ri_error_memory(t->ctx);
    for (const RiYamlNode *c = terms.node->first; c; c = c->next)
        RI_TRY(read_term(t, (RiTemplateValue){c, terms.scope}, &coupling.terms[coupling.term_count++]));
    coupling.name = item->name;
    coupling.source = item_source(item);
    return ri_spec_add_coupling(spec, &coupling);
}

/// q_driven = ratio q_driver + offset.
static RiStatus build_gear(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    Pair p = {0};
    RI_TRY(read_fields(t, item, TURNING, &p));
    RiCouplingTerm terms[] = {{p.driven, 1.0}, {p.driver, -p.ratio}};
    const RiCouplingSpec coupling = {item->name, terms, 2, p.offset, item_source(item)};
    return ri_spec_add_coupling(spec, &coupling);
}

/// q_left + q_right = offset: what one side of the suspension gives, the other takes.
static RiStatus build_differential(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    Pair p = {0};
    RI_TRY(read_fields(t, item, TURNING, &p));
    RiCouplingTerm terms[] = {{p.right, 1.0}, {p.left, 1.0}};
    const RiCouplingSpec coupling = {item->name, terms, 2, p.offset, item_source(item)};
    return ri_spec_add_coupling(spec, &coupling);
}

static RiStatus build_loop(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    const char *names[RI_LOOP_TYPE_COUNT];
    RiLoopSpec loop = ri_loop_default();
    int type;
    for (int i = 0; i < RI_LOOP_TYPE_COUNT; i++)
        names[i] = ri_loop_type_name((RiLoopType)i);
    RI_TRY(read_fields(t, item, TURNING, &loop));
    RI_TRY(ri_template_choice(t, field(item, "type"), names, RI_LOOP_TYPE_COUNT, &type));
    loop.type = (RiLoopType)type;
    if ((loop.type == RI_LOOP_DISTANCE) != (field(item, "distance").node != NULL))
        return item_error(item, "belongs to loops of type 'distance', which need it", "distance");
    loop.name = item->name;
    loop.source = item_source(item);
    return ri_spec_add_loop(spec, &loop);
}

// ---------------------------------------------------------------------------- what is on the links

static RiStatus build_frame(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    RiFrameSpec frame = ri_frame_default();
    RI_TRY(read_fields(t, item, TURNING, &frame));
    frame.name = item->name;
    frame.source = item_source(item);
    return ri_spec_add_frame(spec, &frame);
}

static RiStatus build_sensor(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    RiSensorSpec sensor = ri_sensor_default();
    RI_TRY(read_fields(t, item, TURNING, &sensor));
    if (!sensor.link == !sensor.joint)
        return item_error(item, "or 'joint': a sensor has exactly one of them", "link");
    sensor.name = item->name;
    sensor.source = item_source(item);
    return ri_spec_add_sensor(spec, &sensor);
}

static RiStatus build_screw(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    static const char *const hands[] = {"left", "right", "-1", "1", "+1"};
    RiScrewSpec screw = ri_screw_default();
    RI_TRY(read_fields(t, item, TURNING, &screw));
    const RiTemplateValue hand = field(item, "hand");
    int index = 1;
    if (hand.node)
        RI_TRY(ri_template_choice(t, hand, hands, 5, &index));
    screw.hand = index == 0 || index == 2 ? -1 : 1;
    screw.name = item->name;
    screw.source = item_source(item);
    return ri_spec_add_screw(spec, &screw);
}

static RiStatus build_wheel(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    RiWheelSpec wheel = ri_wheel_default();
    RI_TRY(read_fields(t, item, TURNING, &wheel));
    wheel.name = item->name;
    wheel.source = item_source(item);
    return ri_spec_add_wheel(spec, &wheel);
}

static RiStatus build_contact_point(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    RiContactPointSpec point = ri_contact_point_default();
    RI_TRY(read_fields(t, item, TURNING, &point));
    point.name = item->name;
    point.source = item_source(item);
    return ri_spec_add_contact_point(spec, &point);
}

static RiStatus build_material(RiTemplate *t, RiSpec *spec, const RiItem *item)
{
    RiMaterialSpec material = ri_material_default();
    RI_TRY(read_fields(t, item, TURNING, &material));
    const RiTemplateValue rgba = field(item, "rgba");
    int count;
    if (rgba.node)
        RI_TRY(ri_template_numbers(t, rgba, "", 3, 4, material.rgba, &count));
    for (int i = 0; i < 4; i++)
        if (!(material.rgba[i] >= 0.0 && material.rgba[i] <= 1.0))
            return ri_yaml_error(rgba.node, RI_ERR_FORMAT, "colours are from 0 to 1, got %g", material.rgba[i]);
    material.name = item->name;
    material.source = item_source(item);
    return ri_spec_add_material(spec, &material);
}

RiStatus ri_template_build(RiTemplate *t, RiSpec *spec)
{
    static RiStatus (*const builders[RI_ITEM_KIND_COUNT])(RiTemplate *, RiSpec *, const RiItem *) = {
        [RI_ITEM_LINK] = build_link,
        [RI_ITEM_JOINT] = build_joint,
        [RI_ITEM_COUPLING] = build_coupling,
        [RI_ITEM_GEAR] = build_gear,
        [RI_ITEM_DIFFERENTIAL] = build_differential,
        [RI_ITEM_LOOP] = build_loop,
        [RI_ITEM_FRAME] = build_frame,
        [RI_ITEM_SENSOR] = build_sensor,
        [RI_ITEM_SCREW] = build_screw,
        [RI_ITEM_WHEEL] = build_wheel,
        [RI_ITEM_CONTACT_POINT] = build_contact_point,
        [RI_ITEM_SHAPE] = build_shape,
        [RI_ITEM_MATERIAL] = build_material,
    };
    for (int i = 0; i < t->item_count; i++)
        if (!t->items[i].removed)
            RI_TRY(builders[t->items[i].kind](t, spec, &t->items[i]));
    for (int i = 0; i < t->item_count; i++) { // when all that is on the links is known
        const RiItem *item = &t->items[i];
        if (!item->removed && item->kind == RI_ITEM_LINK && field(item, "flexible").node)
            RI_TRY(ri_template_flex(t, field(item, "flexible"), item->name, item_source(item), spec));
    }
    return RI_OK;
}
