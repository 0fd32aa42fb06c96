// SPDX-License-Identifier: Apache-2.0
/// \file
/// The spec: growing lists of items whose strings live in the spec's arena.
#include <rille/spec.h>

#include <string.h>

#include "base/memory.h"

/// The lists of a spec, in the order of RiSpecPrivate.capacity.
enum {
    LIST_LINKS,
    LIST_JOINTS,
    LIST_COUPLINGS,
    LIST_LOOPS,
    LIST_FRAMES,
    LIST_MATERIALS,
    LIST_SHAPES,
    LIST_SENSORS,
    LIST_SCREWS,
    LIST_WHEELS,
    LIST_CONTACT_POINTS,
    LIST_COUNT
};

typedef struct RiSpecPrivate {
    RiArena arena;
    int capacity[LIST_COUNT];
} RiSpecPrivate;

static const struct {
    const char *name;
    int nq, nv;
} joint_types[RI_JOINT_TYPE_COUNT] = {
    [RI_JOINT_FIXED] = {"fixed", 0, 0},           [RI_JOINT_REVOLUTE] = {"revolute", 1, 1},
    [RI_JOINT_CONTINUOUS] = {"continuous", 1, 1}, [RI_JOINT_PRISMATIC] = {"prismatic", 1, 1},
    [RI_JOINT_UNIVERSAL] = {"universal", 2, 2},   [RI_JOINT_BALL] = {"ball", 4, 3},
    [RI_JOINT_PLANAR] = {"planar", 3, 3},         [RI_JOINT_FREE] = {"free", 7, 6},
};

const char *ri_joint_type_name(RiJointType type)
{
    return (unsigned)type < RI_JOINT_TYPE_COUNT ? joint_types[type].name : "unknown";
}

int ri_joint_type_nq(RiJointType type)
{
    return joint_types[type].nq;
}

int ri_joint_type_nv(RiJointType type)
{
    return joint_types[type].nv;
}

const char *ri_loop_type_name(RiLoopType type)
{
    static const char *const names[RI_LOOP_TYPE_COUNT] = {"fixed",     "revolute", "prismatic", "cylindrical",
                                                          "universal", "ball",     "planar",    "distance"};
    return (unsigned)type < RI_LOOP_TYPE_COUNT ? names[type] : "unknown";
}

RiLinkSpec ri_link_default(void)
{
    return (RiLinkSpec){0};
}

RiJointSpec ri_joint_default(void)
{
    return (RiJointSpec){
        .origin = ri_pose_identity(),
        .axis = {0.0, 0.0, 1.0},
        .axis2 = {0.0, 1.0, 0.0},
        .lower = -INFINITY,
        .upper = INFINITY,
        .effort = INFINITY,
        .velocity = INFINITY,
        .stop_exponent = 1.0,
    };
}

RiCouplingSpec ri_coupling_default(void)
{
    return (RiCouplingSpec){0};
}

RiLoopSpec ri_loop_default(void)
{
    return (RiLoopSpec){.type = RI_LOOP_REVOLUTE, .pose_a = ri_pose_identity(), .pose_b = ri_pose_identity()};
}

RiFrameSpec ri_frame_default(void)
{
    return (RiFrameSpec){.pose = ri_pose_identity()};
}

RiMaterialSpec ri_material_default(void)
{
    return (RiMaterialSpec){.rgba = {0.7, 0.7, 0.7, 1.0}};
}

RiShapeSpec ri_shape_default(void)
{
    return (RiShapeSpec){
        .use = RI_SHAPE_VISUAL | RI_SHAPE_COLLISION, .pose = ri_pose_identity(), .size = {1.0, 1.0, 1.0}};
}

RiSensorSpec ri_sensor_default(void)
{
    return (RiSensorSpec){.pose = ri_pose_identity()};
}

RiScrewSpec ri_screw_default(void)
{
    return (RiScrewSpec){.pose = ri_pose_identity(), .hand = 1, .starts = 1};
}

RiWheelSpec ri_wheel_default(void)
{
    return (RiWheelSpec){.pose = ri_pose_identity()};
}

RiContactPointSpec ri_contact_point_default(void)
{
    return (RiContactPointSpec){0};
}

RiStatus ri_spec_create(RiContext *ctx, const char *name, RiSpec **out_spec)
{
    *out_spec = NULL;
    RiSpec *spec = ri_alloc_zero(ctx, 1, sizeof *spec);
    RiSpecPrivate *priv = ri_alloc_zero(ctx, 1, sizeof *priv);
    if (!spec || !priv) {
        ri_release(ctx, spec);
        ri_release(ctx, priv);
        return ri_error_memory(ctx);
    }
    ri_arena_init(&priv->arena, ctx);
    spec->ctx = ctx;
    spec->priv = priv;
    const RiStatus status = ri_spec_string(spec, name ? name : "robot", &spec->name);
    if (status != RI_OK) {
        ri_spec_destroy(spec);
        return status;
    }
    *out_spec = spec;
    return RI_OK;
}

void ri_spec_destroy(RiSpec *spec)
{
    if (!spec)
        return;
    RiContext *ctx = spec->ctx;
    void *lists[] = {spec->links,  spec->joints,  spec->couplings, spec->loops,  spec->frames,        spec->materials,
                     spec->shapes, spec->sensors, spec->screws,    spec->wheels, spec->contact_points};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        ri_release(ctx, lists[i]);
    ri_arena_free(&spec->priv->arena);
    ri_release(ctx, spec->priv);
    ri_release(ctx, spec);
}

RiStatus ri_spec_string(RiSpec *spec, const char *text, const char **out_text)
{
    *out_text = ri_arena_string(&spec->priv->arena, text);
    return text && !*out_text ? ri_error_memory(spec->ctx) : RI_OK;
}

/// Replaces each of `count` borrowed strings by a copy of the spec's own.
static RiStatus own_strings(RiSpec *spec, const char ***strings, int count)
{
    for (int i = 0; i < count; i++)
        RI_TRY(ri_spec_string(spec, *strings[i], strings[i]));
    return RI_OK;
}

/// Appends the item `item` (of `size` bytes) to a list, growing it by doubling. `strings` point
/// into *item.
static RiStatus append(RiSpec *spec, int list, void **items, int *count, void *item, size_t size, const char ***strings,
                       int string_count)
{
    RI_TRY(own_strings(spec, strings, string_count));
    RI_TRY(ri_grow(spec->ctx, items, *count, &spec->priv->capacity[list], 16, size));
    memcpy((char *)*items + (size_t)*count * size, item, size);
    (*count)++;
    return RI_OK;
}

// One adder per list: copies the item, names its strings, appends it.
#define ADDER(function, Type, LIST, field, counter, ...)                                                               \
    RiStatus function(RiSpec *spec, const Type *item)                                                                  \
    {                                                                                                                  \
        Type copy = *item;                                                                                             \
        const char **strings[] = {__VA_ARGS__};                                                                        \
        void *items = spec->field;                                                                                     \
        RI_TRY(append(spec, LIST, &items, &spec->counter, &copy, sizeof copy, strings,                                 \
                      (int)(sizeof strings / sizeof *strings)));                                                       \
        spec->field = items;                                                                                           \
        return RI_OK;                                                                                                  \
    }

ADDER(ri_spec_add_link, RiLinkSpec, LIST_LINKS, links, link_count, &copy.name, &copy.source.file)
ADDER(ri_spec_add_joint, RiJointSpec, LIST_JOINTS, joints, joint_count, &copy.name, &copy.parent, &copy.child,
      &copy.source.file)
ADDER(ri_spec_add_loop, RiLoopSpec, LIST_LOOPS, loops, loop_count, &copy.name, &copy.link_a, &copy.link_b,
      &copy.source.file)
ADDER(ri_spec_add_frame, RiFrameSpec, LIST_FRAMES, frames, frame_count, &copy.name, &copy.link, &copy.source.file)
ADDER(ri_spec_add_material, RiMaterialSpec, LIST_MATERIALS, materials, material_count, &copy.name, &copy.texture,
      &copy.source.file)
ADDER(ri_spec_add_shape, RiShapeSpec, LIST_SHAPES, shapes, shape_count, &copy.name, &copy.link, &copy.path, &copy.uri,
      &copy.material, &copy.source.file)
ADDER(ri_spec_add_sensor, RiSensorSpec, LIST_SENSORS, sensors, sensor_count, &copy.name, &copy.kind, &copy.link,
      &copy.joint, &copy.source.file)
ADDER(ri_spec_add_screw, RiScrewSpec, LIST_SCREWS, screws, screw_count, &copy.name, &copy.link, &copy.source.file)
ADDER(ri_spec_add_wheel, RiWheelSpec, LIST_WHEELS, wheels, wheel_count, &copy.name, &copy.link, &copy.source.file)
ADDER(ri_spec_add_contact_point, RiContactPointSpec, LIST_CONTACT_POINTS, contact_points, contact_point_count,
      &copy.name, &copy.link, &copy.material, &copy.source.file)

RiStatus ri_spec_add_coupling(RiSpec *spec, const RiCouplingSpec *item)
{
    RiCouplingSpec copy = *item;
    copy.terms = ri_arena_alloc(&spec->priv->arena, (size_t)item->term_count, sizeof *copy.terms);
    if (!copy.terms)
        return ri_error_memory(spec->ctx);
    for (int i = 0; i < item->term_count; i++) {
        copy.terms[i].factor = item->terms[i].factor;
        RI_TRY(ri_spec_string(spec, item->terms[i].joint, &copy.terms[i].joint));
    }
    const char **strings[] = {&copy.name, &copy.source.file};
    void *items = spec->couplings;
    RI_TRY(append(spec, LIST_COUPLINGS, &items, &spec->coupling_count, &copy, sizeof copy, strings, 2));
    spec->couplings = items;
    return RI_OK;
}

RiLinkSpec *ri_spec_find_link(const RiSpec *spec, const char *name)
{
    for (int i = 0; i < spec->link_count; i++)
        if (strcmp(spec->links[i].name, name) == 0)
            return &spec->links[i];
    return NULL;
}

RiJointSpec *ri_spec_find_joint(const RiSpec *spec, const char *name)
{
    for (int i = 0; i < spec->joint_count; i++)
        if (strcmp(spec->joints[i].name, name) == 0)
            return &spec->joints[i];
    return NULL;
}

static RiMat3 diagonal(double x, double y, double z)
{
    return (RiMat3){{{x, 0.0, 0.0}, {0.0, y, 0.0}, {0.0, 0.0, z}}};
}

RiMat3 ri_inertia_box(double mass, RiVec3 s)
{
    const double k = mass / 12.0;
    return diagonal(k * (s.y * s.y + s.z * s.z), k * (s.x * s.x + s.z * s.z), k * (s.x * s.x + s.y * s.y));
}

RiMat3 ri_inertia_cylinder(double mass, double radius, double length)
{
    const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
    return diagonal(across, across, 0.5 * mass * radius * radius);
}

RiMat3 ri_inertia_sphere(double mass, double radius)
{
    const double i = 0.4 * mass * radius * radius;
    return diagonal(i, i, i);
}
