// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rotations: conversions between axis-angle, roll-pitch-yaw, quaternions and matrices, and the
/// eigenvectors of a symmetric 3x3 matrix.
#include <rille/math.h>

#include "base/functions.h"

RiMat3 ri_mat3_axis_angle(RiVec3 a, double angle)
{
    const double s = ri_sin(angle), c = ri_cos(angle), t = 1.0 - c;
    return (RiMat3){{{t * a.x * a.x + c, t * a.x * a.y - s * a.z, t * a.x * a.z + s * a.y},
                     {t * a.x * a.y + s * a.z, t * a.y * a.y + c, t * a.y * a.z - s * a.x},
                     {t * a.x * a.z - s * a.y, t * a.y * a.z + s * a.x, t * a.z * a.z + c}}};
}

RiMat3 ri_mat3_rpy(double roll, double pitch, double yaw)
{
    const double sr = ri_sin(roll), cr = ri_cos(roll), sp = ri_sin(pitch), cp = ri_cos(pitch), sy = ri_sin(yaw),
                 cy = ri_cos(yaw);
    return (RiMat3){{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                     {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                     {-sp, cp * sr, cp * cr}}};
}

RiVec3 ri_mat3_to_rpy(const RiMat3 *R)
{
    const double cp = ri_hypot(R->m[0][0], R->m[1][0]);
    const double pitch = ri_atan2(-R->m[2][0], cp);
    if (cp > 1e-12)
        return ri_vec3(ri_atan2(R->m[2][1], R->m[2][2]), pitch, ri_atan2(R->m[1][0], R->m[0][0]));
    return ri_vec3(0.0, pitch, ri_atan2(-R->m[0][1], R->m[1][1]));
}

RiMat3 ri_mat3_from_z(RiVec3 z)
{
    // Keep the axes where z is a coordinate axis: the common case reads as a permutation.
    if (z.x == 0.0 && z.y == 0.0 && z.z > 0.0)
        return ri_mat3_identity();
    const double ax = fabs(z.x), ay = fabs(z.y), az = fabs(z.z);
    const RiVec3 helper = ax >= ay && ax >= az   ? ri_vec3(0.0, 1.0, 0.0)
                          : ay >= ax && ay >= az ? ri_vec3(0.0, 0.0, 1.0)
                                                 : ri_vec3(1.0, 0.0, 0.0);
    RiVec3 x = ri_sub(helper, ri_scale(ri_dot(helper, z), z));
    x = ri_scale(1.0 / ri_norm(x), x);
    return ri_mat3_from_cols(x, ri_cross(z, x), z);
}

/// One Jacobi rotation that zeroes a[p][q] of the symmetric matrix and accumulates the axes.
static void jacobi_rotate(RiMat3 *a, RiMat3 *axes, int p, int q)
{
    if (a->m[p][q] == 0.0)
        return;
    const double theta = (a->m[q][q] - a->m[p][p]) / (2.0 * a->m[p][q]);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; k++) {
        const double kp = a->m[k][p], kq = a->m[k][q];
        a->m[k][p] = c * kp - s * kq;
        a->m[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        const double pk = a->m[p][k], qk = a->m[q][k];
        a->m[p][k] = c * pk - s * qk;
        a->m[q][k] = s * pk + c * qk;
        const double vp = axes->m[k][p], vq = axes->m[k][q];
        axes->m[k][p] = c * vp - s * vq;
        axes->m[k][q] = s * vp + c * vq;
    }
}

void ri_mat3_eigen(const RiMat3 *matrix, double out_values[3], RiMat3 *out_axes)
{
    RiMat3 a = *matrix, axes = ri_mat3_identity();
    for (int sweep = 0; sweep < 32; sweep++) {
        const double off = fabs(a.m[0][1]) + fabs(a.m[0][2]) + fabs(a.m[1][2]);
        const double on = fabs(a.m[0][0]) + fabs(a.m[1][1]) + fabs(a.m[2][2]);
        if (!(off > 1e-17 * on))
            break;
        jacobi_rotate(&a, &axes, 0, 1);
        jacobi_rotate(&a, &axes, 0, 2);
        jacobi_rotate(&a, &axes, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 - i; k++)
            if (a.m[order[k]][order[k]] > a.m[order[k + 1]][order[k + 1]]) {
                const int swap = order[k];
                order[k] = order[k + 1];
                order[k + 1] = swap;
            }
    for (int i = 0; i < 3; i++)
        out_values[i] = a.m[order[i]][order[i]];
    const RiVec3 x = ri_mat3_col(&axes, order[0]), y = ri_mat3_col(&axes, order[1]);
    *out_axes = ri_mat3_from_cols(x, y, ri_cross(x, y));
}

RiMat3 ri_quat_to_mat3(RiQuat q)
{
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (RiMat3){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                     {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                     {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

RiQuat ri_quat_from_mat3(const RiMat3 *R)
{
    // Shepperd's choice: divide by the largest of the four components, so that none is lost to
    // cancellation.
    const double(*m)[3] = R->m;
    const double trace = m[0][0] + m[1][1] + m[2][2];
    RiQuat q;
    if (trace >= m[0][0] && trace >= m[1][1] && trace >= m[2][2]) {
        q = (RiQuat){1.0 + trace, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
    } else if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2]) {
        q = (RiQuat){m[2][1] - m[1][2], 1.0 + 2.0 * m[0][0] - trace, m[0][1] + m[1][0], m[0][2] + m[2][0]};
    } else if (m[1][1] >= m[2][2]) {
        q = (RiQuat){m[0][2] - m[2][0], m[0][1] + m[1][0], 1.0 + 2.0 * m[1][1] - trace, m[1][2] + m[2][1]};
    } else {
        q = (RiQuat){m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], 1.0 + 2.0 * m[2][2] - trace};
    }
    if (q.w < 0.0)
        q = (RiQuat){-q.w, -q.x, -q.y, -q.z};
    return ri_quat_normalize(q);
}

RiQuat ri_quat_mul(RiQuat a, RiQuat b)
{
    return (RiQuat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

RiQuat ri_quat_normalize(RiQuat q)
{
    const double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(n > 0.0))
        return (RiQuat){1.0, 0.0, 0.0, 0.0};
    return (RiQuat){q.w / n, q.x / n, q.y / n, q.z / n};
}

RiQuat ri_quat_exp(RiVec3 r)
{
    const double angle = ri_norm(r);
    const double half = 0.5 * angle;
    const double k = angle > 1e-8 ? ri_sin(half) / angle : 0.5 - angle * angle / 48.0;
    return (RiQuat){ri_cos(half), k * r.x, k * r.y, k * r.z};
}

RiVec3 ri_quat_log(RiQuat q)
{
    const double sign = q.w < 0.0 ? -1.0 : 1.0;
    const double s = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    const double angle = 2.0 * ri_atan2(s, sign * q.w);
    const double k = s > 1e-12 ? sign * angle / s : sign * 2.0;
    return ri_vec3(k * q.x, k * q.y, k * q.z);
}
