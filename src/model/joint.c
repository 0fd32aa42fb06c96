// SPDX-License-Identifier: Apache-2.0
/// \file
/// One joint: pose, motion columns, integration. The layouts of q and v are those of RiJointType in
/// spec.h.
///
/// A column is the spatial velocity (angular; linear of the material point at the reference origin)
/// of the body per unit joint rate. Columns fixed in the parent change with the parent's velocity,
/// columns fixed in the body with the body's: that is all the velocity-product terms need to know.
#include "model/tree.h"

#include "math/sincos.h"

static RiQuat quat_at(const double *q)
{
    return (RiQuat){q[0], q[1], q[2], q[3]};
}

static void put_quat(RiQuat x, double *q)
{
    q[0] = x.w;
    q[1] = x.x;
    q[2] = x.y;
    q[3] = x.z;
}

static RiMat3 turn_z(double angle)
{
    double s, c;
    ri_sincos(angle, &s, &c);
    return (RiMat3){{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
}

/// Rodrigues' rotation with the library's own sine and cosine (equal bits everywhere).
static RiMat3 turn(RiVec3 a, double angle)
{
    double s, c;
    ri_sincos(angle, &s, &c);
    const double t = 1.0 - c;
    return (RiMat3){{{t * a.x * a.x + c, t * a.x * a.y - s * a.z, t * a.x * a.z + s * a.y},
                     {t * a.x * a.y + s * a.z, t * a.y * a.y + c, t * a.y * a.z - s * a.x},
                     {t * a.x * a.z - s * a.y, t * a.y * a.z + s * a.x, t * a.z * a.z + c}}};
}

RiPose ri_joint_pose(const RiBodyData *b, const double *q)
{
    RiPose x = ri_pose_identity();
    switch (b->type) {
    case RI_JOINT_REVOLUTE:
    case RI_JOINT_CONTINUOUS:
        x.R = turn_z(q[0]);
        break;
    case RI_JOINT_PRISMATIC:
        x.p.z = q[0];
        break;
    case RI_JOINT_UNIVERSAL: {
        const RiMat3 first = turn(b->axis[0], q[0]), second = turn(b->axis[1], q[1]);
        x.R = ri_mat3_mul(&first, &second);
        break;
    }
    case RI_JOINT_BALL:
        x.R = ri_quat_to_mat3(quat_at(q));
        break;
    case RI_JOINT_PLANAR:
        x.R = turn_z(q[2]);
        x.p = ri_vec3(q[0], q[1], 0.0);
        break;
    case RI_JOINT_FREE:
        x.R = ri_quat_to_mat3(quat_at(q + 3));
        x.p = ri_vec3(q[0], q[1], q[2]);
        break;
    case RI_JOINT_FIXED:
    case RI_JOINT_TYPE_COUNT:
        break;
    }
    return ri_pose_mul(&b->tree, &x);
}

static RiSpatial turning(RiVec3 axis, RiVec3 point)
{
    return (RiSpatial){axis, ri_cross(point, axis)};
}

static RiSpatial sliding(RiVec3 axis)
{
    return (RiSpatial){{0.0, 0.0, 0.0}, axis};
}

int ri_joint_columns(const RiBodyData *b, const RiPose *base, const RiPose *pose, const double *q, RiSpatial *out_cols)
{
    const RiMat3 J = ri_mat3_mul(&base->R, &b->tree.R); // axes of the joint frame
    switch (b->type) {
    case RI_JOINT_REVOLUTE:
    case RI_JOINT_CONTINUOUS:
        out_cols[0] = turning(ri_mat3_col(&pose->R, 2), pose->p);
        return 0;
    case RI_JOINT_PRISMATIC:
        out_cols[0] = sliding(ri_mat3_col(&pose->R, 2));
        return 0;
    case RI_JOINT_UNIVERSAL:
        (void)q;
        out_cols[0] = turning(ri_rotate(&J, b->axis[0]), pose->p);
        out_cols[1] = turning(ri_rotate(&pose->R, b->axis[1]), pose->p);
        return 1;
    case RI_JOINT_BALL:
        for (int k = 0; k < 3; k++)
            out_cols[k] = turning(ri_mat3_col(&pose->R, k), pose->p);
        return 0;
    case RI_JOINT_PLANAR:
        out_cols[0] = sliding(ri_mat3_col(&J, 0));
        out_cols[1] = sliding(ri_mat3_col(&J, 1));
        out_cols[2] = turning(ri_mat3_col(&pose->R, 2), pose->p);
        return 2;
    case RI_JOINT_FREE:
        for (int k = 0; k < 3; k++) {
            out_cols[k] = sliding(ri_mat3_col(&J, k));
            out_cols[3 + k] = turning(ri_mat3_col(&pose->R, k), pose->p);
        }
        return 3;
    case RI_JOINT_FIXED:
    case RI_JOINT_TYPE_COUNT:
        break;
    }
    return 0;
}

static void integrate_quat(const double *q, const double *w, double h, double *out_q)
{
    const RiQuat step = ri_quat_exp(ri_vec3(h * w[0], h * w[1], h * w[2]));
    put_quat(ri_quat_normalize(ri_quat_mul(quat_at(q), step)), out_q);
}

void ri_joint_integrate(RiJointType type, const double *q, const double *v, double h, double *out_q)
{
    int k = 0;
    const int plain = ri_joint_plain_nq(type);
    for (; k < plain; k++)
        out_q[k] = q[k] + h * v[k];
    if (ri_joint_has_quat(type))
        integrate_quat(q + k, v + k, h, out_q + k);
}

void ri_joint_qdot(RiJointType type, const double *q, const double *v, double *out_qdot)
{
    int k = 0;
    const int plain = ri_joint_plain_nq(type);
    for (; k < plain; k++)
        out_qdot[k] = v[k];
    if (ri_joint_has_quat(type)) {
        const RiQuat w = {0.0, 0.5 * v[k], 0.5 * v[k + 1], 0.5 * v[k + 2]}; // q' = q (0, w/2), w in body axes
        put_quat(ri_quat_mul(quat_at(q + k), w), out_qdot + k);
    }
}

void ri_joint_difference(RiJointType type, const double *q0, const double *q1, double *out_v)
{
    int k = 0;
    const int plain = ri_joint_plain_nq(type);
    for (; k < plain; k++)
        out_v[k] = q1[k] - q0[k];
    if (ri_joint_has_quat(type)) {
        const RiQuat a = quat_at(q0 + k), back = {a.w, -a.x, -a.y, -a.z};
        const RiVec3 r = ri_quat_log(ri_quat_mul(back, quat_at(q1 + k)));
        out_v[k] = r.x;
        out_v[k + 1] = r.y;
        out_v[k + 2] = r.z;
    }
}

void ri_joint_zero(RiJointType type, double *out_q)
{
    const int nq = ri_joint_type_nq(type);
    for (int k = 0; k < nq; k++)
        out_q[k] = 0.0;
    if (ri_joint_has_quat(type))
        out_q[nq - 4] = 1.0;
}
