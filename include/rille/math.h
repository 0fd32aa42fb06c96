// SPDX-License-Identifier: Apache-2.0
/// \file
/// Small vectors, rotations and poses, as values.
///
/// Everything is SI and double. `R_WB` maps B axes to W axes; `r_BW_W` is the position of B
/// relative to W in W axes. A pose X_WB is the pair (R_WB, r_BW_W): a point p given in B is at
/// R p + r in W. Quaternions are (w, x, y, z), unit, and mean the same rotation as R_WB.
#ifndef RILLE_MATH_H
#define RILLE_MATH_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiVec3 {
    double x, y, z;
} RiVec3;

/// Row-major 3x3 matrix.
typedef struct RiMat3 {
    double m[3][3];
} RiMat3;

typedef struct RiQuat {
    double w, x, y, z;
} RiQuat;

typedef struct RiPose {
    RiMat3 R; ///< axes of the inner frame in the outer one
    RiVec3 p; ///< origin of the inner frame in the outer one [m]
} RiPose;

/// Six-vector of motion (angular first) or of force (moment first), world axes unless said
/// otherwise.
typedef struct RiSpatial {
    RiVec3 ang; ///< angular velocity [rad/s], angular acceleration, or moment [N m]
    RiVec3 lin; ///< linear velocity [m/s], linear acceleration, or force [N]
} RiSpatial;

/// (x, y, z).
static inline RiVec3 ri_vec3(double x, double y, double z)
{
    RiVec3 v = {x, y, z};
    return v;
}

/// a + b
static inline RiVec3 ri_add(RiVec3 a, RiVec3 b)
{
    return ri_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

/// a - b
static inline RiVec3 ri_sub(RiVec3 a, RiVec3 b)
{
    return ri_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// s a
static inline RiVec3 ri_scale(double s, RiVec3 a)
{
    return ri_vec3(s * a.x, s * a.y, s * a.z);
}

/// a . b
static inline double ri_dot(RiVec3 a, RiVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// a x b
static inline RiVec3 ri_cross(RiVec3 a, RiVec3 b)
{
    return ri_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/// Length of a.
static inline double ri_norm(RiVec3 a)
{
    return sqrt(ri_dot(a, a));
}

/// The identity.
static inline RiMat3 ri_mat3_identity(void)
{
    RiMat3 r = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    return r;
}

/// Column k of a, 0 to 2.
static inline RiVec3 ri_mat3_col(const RiMat3 *a, int k)
{
    return ri_vec3(a->m[0][k], a->m[1][k], a->m[2][k]);
}

/// The matrix with columns x, y, z.
static inline RiMat3 ri_mat3_from_cols(RiVec3 x, RiVec3 y, RiVec3 z)
{
    RiMat3 r = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return r;
}

/// a v
static inline RiVec3 ri_rotate(const RiMat3 *a, RiVec3 v)
{
    return ri_vec3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                   a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                   a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

/// R^T v.
static inline RiVec3 ri_rotate_back(const RiMat3 *a, RiVec3 v)
{
    return ri_vec3(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                   a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                   a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}

/// a b
static inline RiMat3 ri_mat3_mul(const RiMat3 *a, const RiMat3 *b)
{
    RiMat3 r;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r.m[i][k] = a->m[i][0] * b->m[0][k] + a->m[i][1] * b->m[1][k] + a->m[i][2] * b->m[2][k];
    return r;
}

/// The transpose of a.
static inline RiMat3 ri_mat3_transpose(const RiMat3 *a)
{
    RiMat3 r;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r.m[i][k] = a->m[k][i];
    return r;
}

/// a + b
static inline RiMat3 ri_mat3_add(const RiMat3 *a, const RiMat3 *b)
{
    RiMat3 r;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r.m[i][k] = a->m[i][k] + b->m[i][k];
    return r;
}

/// Rotation by `angle` [rad] about the unit vector `axis` (Rodrigues).
RiMat3 ri_mat3_axis_angle(RiVec3 axis, double angle);

/// Fixed-axis roll, pitch, yaw [rad] as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll).
RiMat3 ri_mat3_rpy(double roll, double pitch, double yaw);

/// Inverse of ri_mat3_rpy with |pitch| <= pi/2; at the poles roll is 0.
RiVec3 ri_mat3_to_rpy(const RiMat3 *R);

/// A rotation whose z axis is the unit vector `z`; deterministic choice of x.
RiMat3 ri_mat3_from_z(RiVec3 z);

/// Eigenvalues (ascending) and axes (columns of out_axes, right-handed) of a symmetric matrix, by
/// Jacobi rotations.
void ri_mat3_eigen(const RiMat3 *a, double out_values[3], RiMat3 *out_axes);

/// Rotation matrix of a unit quaternion.
RiMat3 ri_quat_to_mat3(RiQuat q);
/// Unit quaternion of a rotation matrix, w >= 0.
RiQuat ri_quat_from_mat3(const RiMat3 *R);
/// The product a b: rotation by b, then by a.
RiQuat ri_quat_mul(RiQuat a, RiQuat b);
/// q / |q|; q is not zero.
RiQuat ri_quat_normalize(RiQuat q);

/// exp of a rotation vector [rad].
RiQuat ri_quat_exp(RiVec3 r);

/// Rotation vector [rad] of q, |r| <= pi.
RiVec3 ri_quat_log(RiQuat q);

/// No rotation, no translation.
static inline RiPose ri_pose_identity(void)
{
    RiPose x = {ri_mat3_identity(), {0.0, 0.0, 0.0}};
    return x;
}

/// X_AC = X_AB X_BC.
static inline RiPose ri_pose_mul(const RiPose *a, const RiPose *b)
{
    RiPose r;
    r.R = ri_mat3_mul(&a->R, &b->R);
    r.p = ri_add(ri_rotate(&a->R, b->p), a->p);
    return r;
}

/// The inverse of a.
static inline RiPose ri_pose_inverse(const RiPose *a)
{
    RiPose r;
    r.R = ri_mat3_transpose(&a->R);
    r.p = ri_scale(-1.0, ri_rotate_back(&a->R, a->p));
    return r;
}

/// A point given in the axes of a, in those that a is given in.
static inline RiVec3 ri_pose_point(const RiPose *a, RiVec3 p)
{
    return ri_add(ri_rotate(&a->R, p), a->p);
}

/// Standard slip with its sign, the one that named values report (docs/soil.md): `v` the way really
/// gone or its speed along the wheel's heading, `rim` what the wheel rolls.
///
///     1 - v / rim     the rim is faster (driving); above 1, up to 2: the wheel goes against its own turning
///     rim / v - 1     the ground passes faster (braking), down to -1: locked
///     1 + |rim / v|   it goes against its turning, faster than it turns
///
/// 0 where both are 0. Continuous, except where a wheel that goes against its turning stops
/// turning.
static inline double ri_slip(double v, double rim)
{
    const double size_v = fabs(v), size_rim = fabs(rim);
    if (size_v == 0.0 && size_rim == 0.0)
        return 0.0;
    if ((v < 0.0 && rim > 0.0) || (v > 0.0 && rim < 0.0))
        return 1.0 + (size_rim >= size_v ? size_v / size_rim : size_rim / size_v);
    return size_rim >= size_v ? 1.0 - size_v / size_rim : size_rim / size_v - 1.0;
}

#ifdef __cplusplus
}
#endif
#endif
