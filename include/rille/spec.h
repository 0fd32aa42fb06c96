// SPDX-License-Identifier: Apache-2.0
/// \file
/// The spec: what a robot is, as files and users edit it.
///
///     URDF file, template, C program --> RiSpec --(ri_model_create)--> RiModel (immutable)
///
/// A spec is a set of flat lists. Items refer to each other by name, so they may be added in any
/// order; the names are resolved and everything is checked when a model is created from the spec.
/// Each item remembers the file and line it came from, and every message about it names them.
///
/// Threads and ownership: a spec belongs to one thread. Strings passed to ri_spec_add_* are copied
/// and live as long as the spec. The lists may be read and their numbers edited in place; strings
/// are replaced with ri_spec_string().
#ifndef RILLE_SPEC_H
#define RILLE_SPEC_H

#include <stdbool.h>

#include <rille/context.h>
#include <rille/math.h>
#include <rille/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Joint kinds. q and v of each, in the joint frame J (fixed in the parent link) and the child link
/// frame B:
///
/// | kind      | q (size)                          | v (size)                                              |
/// |-----------|-----------------------------------|-------------------------------------------------------|
/// | fixed     | - (0)                             | - (0)                                                 |
/// | revolute  | angle about axis [rad] (1)        | rate (1); has limits                                  |
/// | continuous| the same, without limits          |                                                       |
/// | prismatic | travel along axis [m] (1)         | rate (1)                                              |
/// | universal | angle about axis, then axis2 (2)  | rates (2)                                             |
/// | ball      | quaternion of R_JB (4)            | angular velocity of B relative to J, in B axes (3)    |
/// | planar    | x, y in the plane normal to axis, angle (3) | rates (3)                                   |
/// | free      | r_BJ_J, quaternion of R_JB (7)    | velocity of r_BJ_J in J axes, angular velocity in B axes (6) |
typedef enum RiJointType {
    RI_JOINT_FIXED,
    RI_JOINT_REVOLUTE,
    RI_JOINT_CONTINUOUS,
    RI_JOINT_PRISMATIC,
    RI_JOINT_UNIVERSAL,
    RI_JOINT_BALL,
    RI_JOINT_PLANAR,
    RI_JOINT_FREE,
    RI_JOINT_TYPE_COUNT
} RiJointType;

/// Lower-case name of a joint type ("revolute"); never NULL.
const char *ri_joint_type_name(RiJointType type);
/// Number of position and velocity coordinates of a joint type.
int ri_joint_type_nq(RiJointType type);
/// Number of velocities of a joint of this type.
int ri_joint_type_nv(RiJointType type);

/// A rigid link. Inertia is about the centre of mass, in link axes.
typedef struct RiLinkSpec {
    const char *name;
    double mass;      ///< [kg]
    RiVec3 com;       ///< centre of mass in the link frame [m]
    RiMat3 inertia;   ///< about com, link axes [kg m^2], symmetric
    bool estimated;   ///< the mass properties are a modelling guess, not a published value
    bool any_inertia; ///< it is taken although no body has such principal moments; the check warns
    RiSource source;
} RiLinkSpec;

/// A joint: parent link -> child link. The child link frame coincides with the joint frame at q =
/// 0.
typedef struct RiJointSpec {
    const char *name;
    RiJointType type;
    const char *parent; ///< link name
    const char *child;  ///< link name
    RiPose origin;      ///< joint frame in the parent link frame
    RiVec3 axis;        ///< unit vector in the joint frame (first axis; plane normal of planar)
    RiVec3 axis2;       ///< second axis of universal, in the joint frame at q = 0
    double position[7]; ///< initial position, or the position at which it is locked (see RiJointType for layout)
    bool locked;        ///< no motion: held at `position`
    bool independent;   ///< prefer this coordinate as an independent one where a loop leaves a choice
    bool has_limits;    ///< lower and upper are meant
    double lower;       ///< [rad] or [m]
    double upper;       ///< [rad] or [m]
    double effort;      ///< largest actuator effort [N m] or [N]; INFINITY if not given
    double velocity;    ///< largest rate [rad/s] or [m/s]; INFINITY if not given
    double damping;     ///< viscous [N m s/rad] or [N s/m], every coordinate of the joint
    double friction;    ///< Coulomb [N m] or [N]
    double stiffness;   ///< spring towards `rest` [N m/rad] or [N/m]
    double rest;        ///< [rad] or [m]
    double armature;    ///< rotor inertia seen at the joint [kg m^2] or [kg]
    /// Hunt-Crossley stop: k of f = k d^n (1 + c d'), d the penetration beyond a limit [N m/rad^n]
    double stop_stiffness;
    double stop_damping;  ///< Hunt-Crossley stop: c [s/rad]
    double stop_exponent; ///< Hunt-Crossley stop: n
    /// Of a hard stop (RI_METHOD_MOREAU): speed after over speed before, 0 to 1; others have c for
    /// it
    double stop_restitution;
    RiSource source;
} RiJointSpec;

/// One term of a coupling.
typedef struct RiCouplingTerm {
    const char *joint; ///< a joint with one coordinate
    double factor;
} RiCouplingTerm;

/// A linear coupling of joint coordinates: sum_i factor_i q_i = offset. URDF's
/// `<mimic joint="a" multiplier="k" offset="c"/>` on joint b is { b: 1, a: -k }, offset c.
typedef struct RiCouplingSpec {
    const char *name;
    RiCouplingTerm *terms; ///< the first term's joint is the one made dependent where there is a choice
    int term_count;
    double offset;
    RiSource source;
} RiCouplingSpec;

/// What a loop closure constrains between frame A (on link_a) and frame B (on link_b); axis = z of
/// both frames.
typedef enum RiLoopType {
    RI_LOOP_FIXED,       ///< 6 equations
    RI_LOOP_REVOLUTE,    ///< 5: turns about z
    RI_LOOP_PRISMATIC,   ///< 5: slides along z
    RI_LOOP_CYLINDRICAL, ///< 4: turns about and slides along z
    RI_LOOP_UNIVERSAL,   ///< 4: turns about x of A and y of B
    RI_LOOP_BALL,        ///< 3: origins coincide
    RI_LOOP_PLANAR,      ///< 3: B stays in the xy plane of A
    RI_LOOP_DISTANCE,    ///< 1: origins keep a distance (massless rod)
    RI_LOOP_TYPE_COUNT
} RiLoopType;

/// Name of a loop type; never NULL.
const char *ri_loop_type_name(RiLoopType type);

/// A loop closure between two links.
typedef struct RiLoopSpec {
    const char *name;
    RiLoopType type;
    const char *link_a, *link_b;
    RiPose pose_a, pose_b; ///< frame A in link_a, frame B in link_b
    double distance;       ///< for RI_LOOP_DISTANCE [m]
    RiSource source;
} RiLoopSpec;

/// A named frame fixed to a link (camera mounts, tool points, control frames).
typedef struct RiFrameSpec {
    const char *name;
    const char *link;
    RiPose pose; ///< frame in the link frame
    RiSource source;
} RiFrameSpec;

typedef struct RiMaterialSpec {
    const char *name;
    double rgba[4];
    const char *texture; ///< path, or NULL
    RiSource source;
} RiMaterialSpec;

typedef enum RiShapeType {
    RI_SHAPE_BOX,      ///< size = full lengths
    RI_SHAPE_CYLINDER, ///< size = radius, length along z
    RI_SHAPE_SPHERE,   ///< size = radius
    RI_SHAPE_CAPSULE,  ///< size = radius, length of the cylindrical part along z
    RI_SHAPE_MESH      ///< path, size = scale per axis
} RiShapeType;

typedef enum RiShapeUse {
    RI_SHAPE_VISUAL = 1,
    RI_SHAPE_COLLISION = 2, ///< touches the ground and other links
    RI_SHAPE_GROUND = 4     ///< touches the ground only: cores inside of screws, which other links cannot reach
} RiShapeUse;

typedef struct RiShapeSpec {
    const char *name; ///< may be NULL
    const char *link;
    int use; ///< RiShapeUse bits
    RiShapeType type;
    RiPose pose;          ///< shape in the link frame
    double size[3];       ///< see RiShapeType [m]
    const char *path;     ///< mesh file after resolving package:// and relative paths; NULL unless RI_SHAPE_MESH
    const char *uri;      ///< mesh file as written
    const char *material; ///< material name or NULL
    RiSource source;
} RiShapeSpec;

/// A sensor mount; `kind` is open text ("imu", "camera", "lidar", "force_torque"), checked by the
/// device that reads it.
typedef struct RiSensorSpec {
    const char *name;
    const char *kind;
    const char *link;  ///< the link it is mounted on; NULL for a joint sensor
    const char *joint; ///< the joint it measures (force_torque); NULL for a link sensor
    RiPose pose;       ///< sensing frame in the link frame
    RiSource source;
} RiSensorSpec;

/// A screw thread around the z axis of `pose`.
typedef struct RiScrewSpec {
    const char *name;
    const char *link;
    RiPose pose;        ///< thread frame in the link frame: z is the screw axis, origin its middle
    int hand;           ///< +1 right-handed, -1 left-handed
    int starts;         ///< number of parallel threads
    double lead;        ///< advance per turn [m]
    double radius;      ///< outer (thread edge) radius [m]
    double core_radius; ///< [m]
    double length;      ///< threaded length [m]
    bool estimated;
    RiSource source;
} RiScrewSpec;

/// A wheel around the y axis of `pose` (rolls along x).
typedef struct RiWheelSpec {
    const char *name;
    const char *link;
    RiPose pose;   ///< wheel frame in the link frame: y is the spin axis
    double radius; ///< without grousers [m]
    double width;  ///< [m]
    double crown;  ///< radius of curvature across the width, 0 for a flat rim [m]
    int grouser_count;
    double grouser_height;    ///< [m]
    double grouser_thickness; ///< [m]
    double grouser_angle;     ///< from the spin axis (0: straight across) [rad]
    bool estimated;
    RiSource source;
} RiWheelSpec;

/// A named point of a link that may touch the ground.
typedef struct RiContactPointSpec {
    const char *name;
    const char *link;
    RiVec3 point;         ///< in the link frame [m]
    const char *material; ///< contact material, or NULL
    RiSource source;
} RiContactPointSpec;

/// How the root link is held.
typedef enum RiBase {
    RI_BASE_AUTO, ///< fixed if the root link is called "world", else floating
    RI_BASE_FIXED,
    RI_BASE_FLOATING
} RiBase;

typedef struct RiSpec {
    RiContext *ctx;
    const char *name;
    RiBase base;

    RiLinkSpec *links;
    RiJointSpec *joints;
    RiCouplingSpec *couplings;
    RiLoopSpec *loops;
    RiFrameSpec *frames;
    RiMaterialSpec *materials;
    RiShapeSpec *shapes;
    RiSensorSpec *sensors;
    RiScrewSpec *screws;
    RiWheelSpec *wheels;
    RiContactPointSpec *contact_points;
    int link_count, joint_count, coupling_count, loop_count, frame_count, material_count, shape_count, sensor_count,
        screw_count, wheel_count, contact_point_count;

    struct RiSpecPrivate *priv;
} RiSpec;

/// Values with every optional field at its default (unit axis z, identity poses, no limits, no
/// friction ...).
RiLinkSpec ri_link_default(void);
/// The defaults that its fields name.
RiJointSpec ri_joint_default(void);
/// The defaults that its fields name.
RiCouplingSpec ri_coupling_default(void);
/// The defaults that its fields name.
RiLoopSpec ri_loop_default(void);
/// The defaults that its fields name.
RiFrameSpec ri_frame_default(void);
/// The defaults that its fields name.
RiMaterialSpec ri_material_default(void);
/// The defaults that its fields name.
RiShapeSpec ri_shape_default(void);
/// The defaults that its fields name.
RiSensorSpec ri_sensor_default(void);
/// The defaults that its fields name.
RiScrewSpec ri_screw_default(void);
/// The defaults that its fields name.
RiWheelSpec ri_wheel_default(void);
/// The defaults that its fields name.
RiContactPointSpec ri_contact_point_default(void);

/// An empty robot; the name is copied. RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_spec_create(RiContext *ctx, const char *name, RiSpec **out_spec);
/// Destroys it; NULL does nothing.
void ri_spec_destroy(RiSpec *spec);

/// Copies `text` into the spec; NULL stays NULL. The result lives as long as the spec.
RI_MUST_CHECK RiStatus ri_spec_string(RiSpec *spec, const char *text, const char **out_text);

/// Append a copy of an item (its strings are copied too).
RI_MUST_CHECK RiStatus ri_spec_add_link(RiSpec *spec, const RiLinkSpec *item);
/// Adds a copy of a joint; all strings are copied.
RI_MUST_CHECK RiStatus ri_spec_add_joint(RiSpec *spec, const RiJointSpec *item);
/// Adds a copy of a coupling.
RI_MUST_CHECK RiStatus ri_spec_add_coupling(RiSpec *spec, const RiCouplingSpec *item);
/// Adds a copy of a loop.
RI_MUST_CHECK RiStatus ri_spec_add_loop(RiSpec *spec, const RiLoopSpec *item);
/// Adds a copy of a frame.
RI_MUST_CHECK RiStatus ri_spec_add_frame(RiSpec *spec, const RiFrameSpec *item);
/// Adds a copy of a material.
RI_MUST_CHECK RiStatus ri_spec_add_material(RiSpec *spec, const RiMaterialSpec *item);
/// Adds a copy of a shape.
RI_MUST_CHECK RiStatus ri_spec_add_shape(RiSpec *spec, const RiShapeSpec *item);
/// Adds a copy of a sensor.
RI_MUST_CHECK RiStatus ri_spec_add_sensor(RiSpec *spec, const RiSensorSpec *item);
/// Adds a copy of a screw.
RI_MUST_CHECK RiStatus ri_spec_add_screw(RiSpec *spec, const RiScrewSpec *item);
/// Adds a copy of a wheel.
RI_MUST_CHECK RiStatus ri_spec_add_wheel(RiSpec *spec, const RiWheelSpec *item);
/// Adds a copy of a contact point.
RI_MUST_CHECK RiStatus ri_spec_add_contact_point(RiSpec *spec, const RiContactPointSpec *item);

/// Linear-time look-ups by name; NULL if there is none.
RiLinkSpec *ri_spec_find_link(const RiSpec *spec, const char *name);
/// Joint by name, to be read or changed; NULL if there is none.
RiJointSpec *ri_spec_find_joint(const RiSpec *spec, const char *name);

/// Inertia about the centre of mass of solid bodies of uniform density [kg m^2].
RiMat3 ri_inertia_box(double mass, RiVec3 size);
/// Inertia of a solid cylinder about its centre, axis z [kg m^2].
RiMat3 ri_inertia_cylinder(double mass, double radius, double length);
/// Inertia of a solid sphere about its centre [kg m^2].
RiMat3 ri_inertia_sphere(double mass, double radius);

#ifdef __cplusplus
}
#endif
#endif
