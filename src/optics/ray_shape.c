// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rays against spheres, cylinders, capsules, boxes and planes. Every shape is a short list of
/// pieces (a quadric cut by planes, a disc cut by a quadric); the nearest piece that the ray meets
/// in range is the answer. Test: tests/optics/test_ray_shape.c, `rille validate lidar`.
#include <math.h>

#include "optics/ray_shape.h"

typedef struct Best {
    double near, range;
    RiVec3 normal;
    bool found;
} Best;

static void take(Best *b, double s, RiVec3 normal)
{
    if (!(s > b->near && s < b->range))
        return;
    b->range = s;
    b->normal = normal;
    b->found = true;
}

/// Roots of a s^2 + 2 b s + c without cancellation; false: none.
static bool roots(double a, double b, double c, double out[2])
{
    const double q = b * b - a * c;
    if (!(q >= 0.0) || !(a > 0.0))
        return false;
    const double r = -(b + copysign(sqrt(q), b));
    out[0] = r / a;
    out[1] = r != 0.0 ? c / r : out[0];
    return true;
}

/// The part of a sphere about (0, 0, z) with low <= z of the hit <= high.
static void meet_sphere(Best *best, RiVec3 o, RiVec3 d, double radius, double z, double low, double high)
{
    double s[2];
    const RiVec3 p = ri_vec3(o.x, o.y, o.z - z);
    // |p|^2 - r^2 from the point nearest to the centre: a far origin costs no digits
    const double b = ri_dot(p, d), a = ri_dot(d, d);
    const RiVec3 nearest = ri_sub(p, ri_scale(b / a, d));
    const double q = radius * radius - ri_dot(nearest, nearest);
    if (!(q >= 0.0))
        return;
    const double half = sqrt(q / a);
    s[0] = -b / a - half;
    s[1] = -b / a + half;
    for (int i = 0; i < 2; i++) {
        const RiVec3 n = ri_scale(1.0 / radius, ri_add(p, ri_scale(s[i], d)));
        const double at = n.z * radius + z;
        if (at >= low && at <= high)
            take(best, s[i], n);
    }
}

/// The side of a cylinder about z, |z| <= half.
static void meet_side(Best *best, RiVec3 o, RiVec3 d, double radius, double half)
{
    double s[2];
    if (!roots(d.x * d.x + d.y * d.y, o.x * d.x + o.y * d.y, o.x * o.x + o.y * o.y - radius * radius, s))
        return;
    for (int i = 0; i < 2; i++)
        if (fabs(o.z + s[i] * d.z) <= half)
            take(best, s[i], ri_vec3((o.x + s[i] * d.x) / radius, (o.y + s[i] * d.y) / radius, 0.0));
}

/// A disc at height z with its normal up (1) or down (-1).
static void meet_disc(Best *best, RiVec3 o, RiVec3 d, double radius, double z, double up)
{
    const double s = (z - o.z) / d.z; // infinite or NaN beside the disc: not in range
    const double x = o.x + s * d.x, y = o.y + s * d.y;
    if (x * x + y * y <= radius * radius)
        take(best, s, ri_vec3(0.0, 0.0, up));
}

static void meet_box(Best *best, RiVec3 o, RiVec3 d, const double size[3])
{
    const double at[3] = {o.x, o.y, o.z}, to[3] = {d.x, d.y, d.z};
    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            const double s = (0.5 * side * size[k] - at[k]) / to[k];
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            double n[3] = {0.0, 0.0, 0.0};
            n[k] = side;
            if (fabs(at[i] + s * to[i]) <= 0.5 * size[i] && fabs(at[j] + s * to[j]) <= 0.5 * size[j])
                take(best, s, ri_vec3(n[0], n[1], n[2]));
        }
}

bool ri_ray_shape_hit(RiRayShapeType type, const double size[3], RiVec3 o, RiVec3 d, double near, double far,
                      double *out_range, RiVec3 *out_normal)
{
    Best best = {near, far, {0.0, 0.0, 1.0}, false};
    switch (type) {
    case RI_RAY_SPHERE:
        meet_sphere(&best, o, d, size[0], 0.0, -INFINITY, INFINITY);
        break;
    case RI_RAY_CYLINDER:
        meet_side(&best, o, d, size[0], 0.5 * size[1]);
        meet_disc(&best, o, d, size[0], 0.5 * size[1], 1.0);
        meet_disc(&best, o, d, size[0], -0.5 * size[1], -1.0);
        break;
    case RI_RAY_CAPSULE:
        meet_side(&best, o, d, size[0], 0.5 * size[1]);
        meet_sphere(&best, o, d, size[0], 0.5 * size[1], 0.5 * size[1], INFINITY);
        meet_sphere(&best, o, d, size[0], -0.5 * size[1], -INFINITY, -0.5 * size[1]);
        break;
    case RI_RAY_BOX:
        meet_box(&best, o, d, size);
        break;
    case RI_RAY_PLANE:
        take(&best, -o.z / d.z, ri_vec3(0.0, 0.0, 1.0));
        break;
    case RI_RAY_MESH:
        break;
    }
    *out_range = best.range;
    *out_normal = best.normal;
    return best.found;
}

RiVec3 ri_ray_shape_half(RiRayShapeType type, const double size[3])
{
    const double wide = 1e5; // [m] an endless plane ends there
    switch (type) {
    case RI_RAY_SPHERE:
        return ri_vec3(size[0], size[0], size[0]);
    case RI_RAY_CYLINDER:
        return ri_vec3(size[0], size[0], 0.5 * size[1]);
    case RI_RAY_CAPSULE:
        return ri_vec3(size[0], size[0], 0.5 * size[1] + size[0]);
    case RI_RAY_BOX:
        return ri_vec3(0.5 * size[0], 0.5 * size[1], 0.5 * size[2]);
    case RI_RAY_PLANE:
        return ri_vec3(wide, wide, 1e-3);
    case RI_RAY_MESH:
        break;
    }
    return ri_vec3(0.0, 0.0, 0.0);
}
