// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wheels of a URDF that declares none: round shapes on continuous joints.
///
/// A link is a wheel if its joint is continuous, the joint's axis is within 30 degrees of
/// horizontal at zero, and one of its shapes is round about that axis: a cylinder, sphere or
/// capsule with its centre on it, or a mesh that reaches about as far in every direction; its
/// bottom is within a diameter of the lowest such shape. Collision shapes come first, visual ones
/// are the second choice. A robot with any wheel or screw in <rille> is taken as it is, and so is
/// one with a fixed base.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/mesh.h>

#include "base/functions.h"
#include "io/robot/urdf.h"

enum { MOST_JOINTS = 256, SECTORS = 16 };

static const double level = 0.5;      // vertical part of a wheel's axis, at most
static const double parallel = 0.996; // cosine of 5 degrees
static const double off_axis = 0.1;   // distance of a centre from the axis, in radii
static const double roundness = 0.85; // least reach of a mesh in any sector, in radii

/// A round body: centre and half width along the axis, in the link frame.
typedef struct Round {
    double radius, width, crown, centre; ///< [m]; centre along the axis from the link's origin
    const char *what;
} Round;

static RiVec3 unit(RiVec3 v)
{
    return ri_scale(1.0 / ri_norm(v), v);
}

static double along(RiVec3 axis, RiVec3 p)
{
    return ri_dot(axis, p);
}

static double beside(RiVec3 axis, RiVec3 p)
{
    return ri_norm(ri_sub(p, ri_scale(along(axis, p), axis)));
}

static RiVec3 shape_axis(const RiShapeSpec *shape)
{
    return ri_rotate(&shape->pose.R, ri_vec3(0.0, 0.0, 1.0));
}

static bool is_round(const RiShapeSpec *x, RiVec3 axis, Round *out)
{
    const double radius = x->size[0];
    *out = (Round){.radius = radius, .centre = along(axis, x->pose.p)};
    if (beside(axis, x->pose.p) > off_axis * radius)
        return false;
    switch (x->type) {
    case RI_SHAPE_BOX:
    case RI_SHAPE_MESH:
        return false;
    case RI_SHAPE_SPHERE:
        out->width = out->crown = radius;
        out->what = "sphere";
        return true;
    case RI_SHAPE_CYLINDER:
        out->what = "cylinder";
        break;
    case RI_SHAPE_CAPSULE:
        out->what = "capsule";
        break;
    }
    if (fabs(along(axis, shape_axis(x))) < parallel)
        return false;
    out->width = x->size[1];
    return out->width > 0.0;
}

/// Reach of a mesh from the axis in sectors around it, and its extent along the axis.
static bool is_round_mesh(const RiMesh *mesh, const RiShapeSpec *x, RiVec3 axis, Round *out)
{
    const RiVec3 any = fabs(axis.z) < 0.9 ? ri_vec3(0.0, 0.0, 1.0) : ri_vec3(1.0, 0.0, 0.0);
    const RiVec3 u = unit(ri_cross(axis, any)), v = ri_cross(axis, u);
    double reach[SECTORS] = {0}, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < mesh->point_count; i++) {
        const RiVec3 p = mesh->points[i], scaled = ri_vec3(p.x * x->size[0], p.y * x->size[1], p.z * x->size[2]);
        const RiVec3 q = ri_pose_point(&x->pose, scaled);
        const double a = ri_dot(q, u), b = ri_dot(q, v), turn = (ri_atan2(b, a) + M_PI) / (2.0 * M_PI);
        const int sector = (int)(turn * SECTORS) % SECTORS;
        reach[sector] = fmax(reach[sector], ri_hypot(a, b));
        low = fmin(low, along(axis, q));
        high = fmax(high, along(axis, q));
    }
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < SECTORS; i++) {
        least = fmin(least, reach[i]);
        most = fmax(most, reach[i]);
    }
    *out = (Round){.radius = most, .width = high - low, .centre = 0.5 * (low + high), .what = "mesh"};
    return most > 0.0 && out->width > 0.0 && least > roundness * most;
}

/// A mesh that cannot be read is reported where it is drawn or touched; here it is no wheel.
static bool load_round_mesh(RiUrdf *u, const RiShapeSpec *x, RiVec3 axis, Round *out)
{
    RiMesh *mesh;
    if (x->type != RI_SHAPE_MESH || !x->path || ri_mesh_load(u->ctx, x->path, &mesh) != RI_OK)
        return false;
    const bool found = is_round_mesh(mesh, x, axis, out);
    ri_mesh_destroy(mesh);
    return found;
}

/// The largest round shape of a use on a link.
static bool find_round(RiUrdf *u, const char *link, RiShapeUse use, RiVec3 axis, Round *out)
{
    bool found = false;
    for (int i = 0; i < u->spec->shape_count; i++) {
        const RiShapeSpec *x = &u->spec->shapes[i];
        Round one;
        if (!(x->use & (int)use) || strcmp(x->link, link) != 0)
            continue;
        if ((is_round(x, axis, &one) || load_round_mesh(u, x, axis, &one)) && (!found || one.radius > out->radius)) {
            *out = one;
            found = true;
        }
    }
    return found;
}

/// Pose of a link in the root's frame with all joints at zero.
static RiPose pose_at_zero(const RiUrdf *u, int link)
{
    RiPose pose = ri_pose_identity();
    for (int depth = 0; u->parent_joint[link] >= 0 && depth < u->spec->link_count; depth++) {
        const RiJointSpec *joint = &u->spec->joints[u->parent_joint[link]];
        pose = ri_pose_mul(&joint->origin, &pose);
        link = ri_names_find(&u->names[RI_URDF_LINK], joint->parent);
    }
    return pose;
}

/// Wheel frame: y along the axis, z as far upwards as can be.
static RiMat3 wheel_axes(const RiPose *link, RiVec3 axis)
{
    const RiPose inverse = ri_pose_inverse(link);
    const RiVec3 up = ri_rotate(&inverse.R, ri_vec3(0.0, 0.0, 1.0));
    const RiVec3 x = unit(ri_cross(axis, up)), z = ri_cross(x, axis);
    return ri_mat3_from_cols(x, axis, z);
}

/// A wheel that was found, and how far down it reaches at zero in the root's frame.
typedef struct Candidate {
    RiWheelSpec wheel;
    double bottom; ///< [m]
    const char *what;
    bool touches; ///< from a collision shape
    const char *joint;
    bool reversed; ///< a positive turn drives backwards
} Candidate;

static bool find_wheel(RiUrdf *u, const RiJointSpec *joint, Candidate *out)
{
    const double widest = 2.5; // radii; what is longer is a roller or an arm
    const RiPose pose = pose_at_zero(u, ri_names_find(&u->names[RI_URDF_LINK], joint->child));
    const RiVec3 axis_W = ri_rotate(&pose.R, joint->axis);
    out->reversed = axis_W.y < 0.0;
    out->joint = joint->name;
    const RiVec3 axis = axis_W.y < 0.0 ? ri_scale(-1.0, joint->axis) : joint->axis;
    Round round;
    if (fabs(axis_W.z) > level)
        return false;
    out->touches = find_round(u, joint->child, RI_SHAPE_COLLISION, axis, &round);
    if ((!out->touches && !find_round(u, joint->child, RI_SHAPE_VISUAL, axis, &round)) ||
        round.width > widest * round.radius)
        return false;
    out->wheel = ri_wheel_default();
    out->wheel.name = out->wheel.link = joint->child;
    out->wheel.radius = round.radius;
    out->wheel.width = round.width;
    out->wheel.crown = round.crown;
    out->wheel.estimated = true;
    out->wheel.pose = (RiPose){wheel_axes(&pose, axis), ri_scale(round.centre, axis)};
    out->wheel.source = joint->source;
    out->bottom = ri_pose_point(&pose, out->wheel.pose.p).z - round.radius;
    out->what = round.what;
    return true;
}

/// Left and right wheels are often mirrored, axes and all: one rate for all of them then turns the
/// robot in place.
static void tell_reversed(RiUrdf *u, const Candidate *found, int count)
{
    char list[400] = "";
    int reversed = 0;
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(list);
        if (found[i].reversed)
            snprintf(list + used, sizeof list - used, "%s%s", reversed++ ? ", " : "", found[i].joint);
    }
    if (reversed && reversed == count)
        ri_urdf_report(u, RI_FINDING_WARNING, u->xml.root,
                       "the axes of all wheels point to the right: a positive rate drives the robot backwards. Turn "
                       "the axes around, ask for negative speeds, or let device 'locomotion' drive: it knows the sign");
    if (reversed && reversed < count)
        ri_urdf_report(u, RI_FINDING_WARNING, u->xml.root,
                       "the axes of %s point to the right, the others to the left: a positive rate drives those wheels "
                       "backwards, and one rate for all turns the robot in place. Turn the axes around, give those "
                       "joints the opposite sign, or let device 'locomotion' drive: it knows the signs",
                       list);
}

/// Adds the candidates that reach the ground together: others turn above it, as parts of an arm or
/// a mast do.
static RiStatus add_wheels(RiUrdf *u, const Candidate *found, int count)
{
    char list[900] = "";
    double lowest = INFINITY;
    for (int i = 0; i < count; i++)
        lowest = fmin(lowest, found[i].bottom);
    for (int i = 0; i < count; i++) {
        const RiWheelSpec *w = &found[i].wheel;
        if (found[i].bottom > lowest + 2.0 * w->radius)
            continue;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s (%s%s, radius %.3g m, width %.3g m)", used ? ", " : "", w->name,
                 found[i].touches ? "" : "visual ", found[i].what, w->radius, w->width);
        RI_TRY(ri_spec_add_wheel(u->spec, w));
    }
    if (count)
        ri_urdf_report(
            u, RI_FINDING_WARNING, u->xml.root,
            "the robot declares no wheels; derived from round shapes on continuous joints: %s. State them with "
            "<wheel> in <rille>, or load with --no-derive",
            list);
    tell_reversed(u, found, count);
    return RI_OK;
}

RiStatus ri_urdf_derive_wheels(RiUrdf *u)
{
    int continuous = 0, count = 0;
    for (int i = 0; i < u->spec->joint_count; i++)
        continuous += u->spec->joints[i].type == RI_JOINT_CONTINUOUS;
    if (u->options->no_derive || u->spec->base == RI_BASE_FIXED || u->spec->wheel_count || u->spec->screw_count ||
        !continuous || continuous > MOST_JOINTS)
        return RI_OK;
    Candidate *found = ri_arena_alloc(&u->arena, (size_t)continuous, sizeof *found);
    if (!found)
        return ri_error_memory(u->ctx);
    for (int i = 0; i < u->spec->joint_count; i++)
        if (u->spec->joints[i].type == RI_JOINT_CONTINUOUS && !u->spec->joints[i].locked)
            count += find_wheel(u, &u->spec->joints[i], &found[count]);
    return add_wheels(u, found, count);
}
