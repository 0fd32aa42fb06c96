// SPDX-License-Identifier: Apache-2.0
/// \file
/// Distances, spans and curvature of the analytic parts.
///
/// Every solid is A minus B with A and B convex (B empty for most): a line meets each of them in
/// one span, so the solid in at most two. Most distances are those of a rounded extrusion: with
/// d_1, d_2 the signed distances to the two sets whose intersection is the solid, measured in
/// orthogonal coordinates, the distance is hypot(d_1, d_2) where both are positive and max(d_1,
/// d_2) elsewhere, which is Euclidean.
///
/// Test: tests/terrain/test_shapes.c (against brute force).
#include "terrain/shape.h"

// --- distances -----------------------------------------------------------------------------------

/// A signed distance and its gradient.
typedef struct Field {
    double d;
    RiVec3 n;
} Field;

/// Intersection of two solids whose distances depend on orthogonal coordinates.
static Field both(Field f, Field g)
{
    if (f.d > 0.0 && g.d > 0.0) {
        const double d = sqrt(f.d * f.d + g.d * g.d);
        return (Field){d, ri_add(ri_scale(f.d / d, f.n), ri_scale(g.d / d, g.n))};
    }
    return f.d > g.d ? f : g;
}

/// |x| <= half.
static Field slab(double x, double half, RiVec3 axis)
{
    return (Field){fabs(x) - half, ri_scale(x < 0.0 ? -1.0 : 1.0, axis)};
}

static const RiVec3 axis_x = {1, 0, 0}, axis_y = {0, 1, 0}, axis_z = {0, 0, 1};

/// Distance from an axis and the direction away from it; on the axis any direction is as good.
static Field radial(double u, double v, RiVec3 along_u, RiVec3 along_v)
{
    const double r = sqrt(u * u + v * v);
    if (r == 0.0)
        return (Field){0.0, along_u};
    return (Field){r, ri_add(ri_scale(u / r, along_u), ri_scale(v / r, along_v))};
}

static Field less(Field f, double radius)
{
    f.d -= radius;
    return f;
}

static Field opposite(Field f)
{
    return (Field){-f.d, ri_scale(-1.0, f.n)};
}

static Field sphere(RiVec3 p, double radius)
{
    const double r = ri_norm(p);
    return (Field){r - radius, r > 0.0 ? ri_scale(1.0 / r, p) : axis_z};
}

/// The closest point x of the ellipsoid to y is x_i = e_i^2 y_i / (t + e_i^2), where t is the
/// largest root of [eberly2013]
///
///     |q(t)| = 1,     q_i = e_i y_i / (t + e_i^2).
///
/// Then y - x = t y_i / (t + e_i^2): distance and sign without cancellation. The unknown is s = t +
/// e_min^2 > 0, so that denominators near the pole keep their digits, and the equation is taken as
/// 1 / |q| = 1, which is concave and nearly straight: Newton's method from below comes up to the
/// root in a few steps and never passes it [conn2000]. Where y has no part along the shortest axis
/// and lies near the middle there is no such root: s = 0, and x leaves the plane of y.
static Field ellipsoid(RiVec3 p, double a, double b, double c)
{
    const double e[3] = {a, b, c}, y[3] = {p.x, p.y, p.z}, least = fmin(a, fmin(b, c));
    double more[3], s = 0.0; // e_i^2 - e_min^2
    for (int i = 0; i < 3; i++) {
        more[i] = (e[i] - least) * (e[i] + least);
        s = fmax(s, e[i] * fabs(y[i]) - more[i]); // q_i = 1 or more here
    }
    for (int k = 0; k < 60; k++) {
        double q2 = 0.0, slope = 0.0;
        for (int i = 0; i < 3; i++) {
            const double below = s + more[i], q = below > 0.0 ? e[i] * y[i] / below : 0.0;
            q2 += q * q;
            slope += below > 0.0 ? q * q / below : 0.0;
        }
        const double step = (sqrt(q2) - 1.0) * q2 / slope;
        if (!(step > 1e-16 * s) || slope == 0.0)
            break;
        s += step;
    }
    if (s > 0.0) {
        const RiVec3 v = ri_vec3(y[0] / (s + more[0]), y[1] / (s + more[1]), y[2] / (s + more[2]));
        const double norm = ri_norm(v);
        return (Field){(s - least * least) * norm, ri_scale(1.0 / norm, v)};
    }
    double x[3], rest = 1.0;
    int shortest = 0;
    for (int i = 0; i < 3; i++) {
        shortest = e[i] < e[shortest] ? i : shortest;
        x[i] = more[i] > 0.0 ? e[i] * e[i] * y[i] / more[i] : 0.0;
        rest -= x[i] / e[i] * (x[i] / e[i]);
    }
    x[shortest] = least * sqrt(fmax(rest, 0.0));
    const RiVec3 v = ri_vec3(x[0] / (a * a), x[1] / (b * b), x[2] / (c * c));
    return (Field){-ri_norm(ri_sub(p, ri_vec3(x[0], x[1], x[2]))), ri_scale(1.0 / ri_norm(v), v)};
}

/// The triangle (0, 0), (a, 0), (a, b) in the plane of x and z.
static Field triangle(double x, double z, double a, double b)
{
    const double corner[3][2] = {{0.0, 0.0}, {a, 0.0}, {a, b}};
    Field inside = {-INFINITY, axis_z}, outside = {INFINITY, axis_z};
    for (int k = 0; k < 3; k++) {
        const double *p = corner[k], *q = corner[(k + 1) % 3];
        const double ex = q[0] - p[0], ez = q[1] - p[1], length = sqrt(ex * ex + ez * ez);
        const double rx = x - p[0], rz = z - p[1];
        const double along = (rx * ex + rz * ez) / (length * length);
        const double out = (rx * ez - rz * ex) / length; // counter-clockwise: outside is on the right
        const Field edge = {out, ri_vec3(ez / length, 0.0, -ex / length)};
        if (out > inside.d)
            inside = edge;
        // Beside the edge it answers by itself; the direction to a foot drowns in rounding near the
        // surface.
        const double d = sqrt(rx * rx + rz * rz);
        if (along > 0.0 && along < 1.0 && out >= 0.0 && out < outside.d)
            outside = edge;
        else if (along <= 0.0 && d < outside.d)
            outside = (Field){d, d > 0.0 ? ri_vec3(rx / d, 0.0, rz / d) : edge.n};
    }
    return inside.d <= 0.0 ? inside : outside;
}

/// Nearest of the floor |x| <= a/2, z = 0, the walls above its borders and the top z = b beyond
/// them.
static Field channel(RiVec3 p, double half, double top)
{
    const double x = fabs(p.x), side = p.x < 0.0 ? -1.0 : 1.0;
    const double over = x - half; // beyond the wall
    const bool solid = p.z < 0.0 || (over > 0.0 && p.z < top);
    const RiVec3 to[3] = {
        ri_vec3(side * fmax(over, 0.0), 0.0, p.z),
        ri_vec3(side * over, 0.0, p.z - fmin(fmax(p.z, 0.0), top)),
        ri_vec3(side * fmin(over, 0.0), 0.0, p.z - top),
    };
    static const RiVec3 facing[3] = {{0, 0, 1}, {-1, 0, 0}, {0, 0, 1}};
    Field best = {INFINITY, axis_z};
    for (int k = 0; k < 3; k++) {
        const double d = ri_norm(to[k]);
        if (d < best.d)
            best = (Field){d, d > 0.0 ? ri_scale((solid ? -1.0 : 1.0) / d, to[k])
                                      : ri_vec3(side * facing[k].x, 0.0, facing[k].z)};
    }
    best.d = solid ? -best.d : best.d;
    return best;
}

static Field pipe_trough(RiVec3 p, double radius)
{
    const double x = fabs(p.x), side = p.x < 0.0 ? -1.0 : 1.0, above = p.z - radius;
    if (above >= 0.0) {
        if (x >= radius)
            return (Field){above, axis_z};
        const RiVec3 rim = ri_vec3(side * (x - radius), 0.0, above);
        const double d = ri_norm(rim);
        return (Field){d, ri_scale(1.0 / d, rim)};
    }
    const Field arc = opposite(less(radial(p.x, above, axis_x, axis_z), radius));
    return x >= radius && above > arc.d ? (Field){above, axis_z} : arc;
}

static Field distance_of(const RiShape *s, RiVec3 p)
{
    switch (s->kind) {
    case RI_GROUND_BOX:
        return both(both(slab(p.x, s->a, axis_x), slab(p.y, s->b, axis_y)), slab(p.z, s->c, axis_z));
    case RI_GROUND_SPHERE:
        return sphere(p, s->a);
    case RI_GROUND_STONE:
        return ellipsoid(p, s->a, s->b, s->c);
    case RI_GROUND_RAMP:
        return both(triangle(p.x, p.z, s->a, s->b), slab(p.y, 0.5 * s->c, axis_y));
    case RI_GROUND_TUBE: {
        const Field bore = opposite(less(radial(p.x, p.y, axis_x, axis_y), s->a));
        return s->b > 0.0 ? both(bore, slab(p.z, 0.5 * s->b, axis_z)) : bore;
    }
    case RI_GROUND_WALLS:
        return opposite(slab(p.x, 0.5 * s->a, axis_x));
    case RI_GROUND_CHANNEL:
        return channel(p, 0.5 * s->a, s->b > 0.0 ? s->b : INFINITY);
    case RI_GROUND_PIPE:
        return pipe_trough(p, s->a);
    case RI_GROUND_PILLAR:
        return both(less(radial(p.x, p.y, axis_x, axis_y), s->a), slab(p.z, s->b, axis_z));
    case RI_GROUND_PLANE:
    case RI_GROUND_SHAPE_COUNT:
        break;
    }
    return (Field){p.z, axis_z};
}

double ri_shape_distance(const RiShape *s, RiVec3 p, RiVec3 *out_normal)
{
    const Field f = distance_of(s, p);
    *out_normal = f.n;
    if (s->roughness == 0.0)
        return f.d;
    RiVec3 slope;
    const double lift = s->roughness * ri_noise_value(s->noise, p, &slope);
    const RiVec3 g = ri_sub(f.n, ri_scale(s->roughness, slope));
    const double norm = fmax(ri_norm(g), 1e-3);
    *out_normal = ri_scale(1.0 / norm, g);
    return (f.d - lift) / norm;
}

// --- curvature -----------------------------------------------------------------------------------

/// k (1 - n n^T - e e^T): a sphere's (e = 0) or a cylinder's about e.
static RiMat3 round_bend(double k, RiVec3 n, RiVec3 e)
{
    const double v[3] = {n.x, n.y, n.z}, w[3] = {e.x, e.y, e.z};
    RiMat3 h;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            h.m[r][c] = k * ((r == c) - v[r] * v[c] - w[r] * w[c]);
    return h;
}

/// P Q P / |grad| with Q the second derivatives of sum (x_i / e_i)^2 and P = 1 - n n^T.
static RiMat3 ellipsoid_bend(const RiShape *s, RiVec3 p, RiVec3 n)
{
    const double q[3] = {1.0 / (s->a * s->a), 1.0 / (s->b * s->b), 1.0 / (s->c * s->c)};
    const RiMat3 P = round_bend(1.0, n, ri_vec3(0.0, 0.0, 0.0));
    const double grad = ri_norm(ri_vec3(q[0] * p.x, q[1] * p.y, q[2] * p.z));
    RiMat3 h;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            h.m[r][c] =
                (P.m[r][0] * q[0] * P.m[0][c] + P.m[r][1] * q[1] * P.m[1][c] + P.m[r][2] * q[2] * P.m[2][c]) / grad;
    return h;
}

static RiMat3 smooth_bend(const RiShape *s, RiVec3 p, RiVec3 n)
{
    const RiVec3 none = {0.0, 0.0, 0.0};
    switch (s->kind) {
    case RI_GROUND_SPHERE:
        return round_bend(1.0 / s->a, n, none);
    case RI_GROUND_STONE:
        return ellipsoid_bend(s, p, n);
    case RI_GROUND_TUBE:
    case RI_GROUND_PILLAR:
        if (fabs(n.z) < 0.5) // the side, not an end
            return round_bend(s->kind == RI_GROUND_TUBE ? -1.0 / s->a : 1.0 / s->a, n, axis_z);
        break;
    case RI_GROUND_PIPE:
        if (fabs(p.x) < s->a)
            return round_bend(-1.0 / s->a, n, axis_y);
        break;
    case RI_GROUND_PLANE:
    case RI_GROUND_BOX:
    case RI_GROUND_RAMP:
    case RI_GROUND_WALLS:
    case RI_GROUND_CHANNEL:
    case RI_GROUND_SHAPE_COUNT:
        break;
    }
    return (RiMat3){{{0.0}}};
}

RiMat3 ri_shape_bend(const RiShape *s, RiVec3 p, RiVec3 n)
{
    if (s->roughness == 0.0)
        return smooth_bend(s, p, n);
    // Second derivatives of distance - roughness * noise, over its gradient's length. Off the
    // smooth surface by d they are B (1 + d B)^-1.
    const Field f = distance_of(s, p);
    const RiMat3 B = smooth_bend(s, ri_sub(p, ri_scale(f.d, f.n)), f.n);
    RiMat3 h = B;
    for (int k = 0; k < 8; k++) {
        const RiMat3 more = ri_mat3_mul(&B, &h);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                h.m[r][c] = B.m[r][c] - f.d * more.m[r][c];
    }
    const RiMat3 bend = ri_noise_bend(s->noise, p);
    RiVec3 slope;
    (void)ri_noise_value(s->noise, p, &slope);
    const double norm = ri_norm(ri_sub(f.n, ri_scale(s->roughness, slope)));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            h.m[r][c] = (h.m[r][c] - s->roughness * bend.m[r][c]) / norm;
    return h;
}

// --- spans ---------------------------------------------------------------------------------------

/// Cuts a span to where o + t d <= limit.
static RiSpan cut(RiSpan s, double o, double d, double limit)
{
    if (d == 0.0)
        return o <= limit ? s : (RiSpan){INFINITY, -INFINITY};
    const double t = (limit - o) / d;
    return d > 0.0 ? (RiSpan){s.lo, fmin(s.hi, t)} : (RiSpan){fmax(s.lo, t), s.hi};
}

static RiSpan cut_slab(RiSpan s, double o, double d, double half)
{
    return cut(cut(s, o, d, half), -o, -d, half);
}

/// Cuts a span to where |o + t d| <= 1 in as many coordinates as matter.
static RiSpan cut_round(RiSpan s, RiVec3 o, RiVec3 d)
{
    const double a = ri_dot(d, d), b = ri_dot(o, d);
    if (a == 0.0)
        return ri_dot(o, o) <= 1.0 ? s : (RiSpan){INFINITY, -INFINITY};
    // Height of the line over the unit ball's centre, without the cancellation of b^2 - a c.
    const RiVec3 off = ri_sub(o, ri_scale(b / a, d));
    const double rest = 1.0 - ri_dot(off, off);
    if (!(rest > 0.0))
        return (RiSpan){INFINITY, -INFINITY};
    const double half = sqrt(rest / a);
    return (RiSpan){fmax(s.lo, -b / a - half), fmin(s.hi, -b / a + half)};
}

static RiVec3 over(RiVec3 v, double a, double b, double c)
{
    return ri_vec3(v.x / a, v.y / b, v.z / c);
}

/// The convex sets A and B of the solid A minus B.
static void convex_spans(const RiShape *s, RiVec3 o, RiVec3 d, RiSpan *A, RiSpan *B)
{
    const RiSpan all = {-INFINITY, INFINITY};
    *A = all;
    *B = (RiSpan){INFINITY, -INFINITY};
    switch (s->kind) {
    case RI_GROUND_BOX:
        *A = cut_slab(cut_slab(cut_slab(all, o.x, d.x, s->a), o.y, d.y, s->b), o.z, d.z, s->c);
        break;
    case RI_GROUND_SPHERE:
        *A = cut_round(all, over(o, s->a, s->a, s->a), over(d, s->a, s->a, s->a));
        break;
    case RI_GROUND_STONE:
        *A = cut_round(all, over(o, s->a, s->b, s->c), over(d, s->a, s->b, s->c));
        break;
    case RI_GROUND_RAMP:
        *A = cut_slab(all, o.y, d.y, 0.5 * s->c);
        *A = cut(cut(*A, o.x, d.x, s->a), -o.z, -d.z, 0.0);
        *A = cut(*A, s->a * o.z - s->b * o.x, s->a * d.z - s->b * d.x, 0.0);
        break;
    case RI_GROUND_TUBE:
        *A = s->b > 0.0 ? cut_slab(all, o.z, d.z, 0.5 * s->b) : all;
        *B = cut_round(all, ri_vec3(o.x / s->a, o.y / s->a, 0.0), ri_vec3(d.x / s->a, d.y / s->a, 0.0));
        break;
    case RI_GROUND_WALLS:
        *B = cut_slab(all, o.x, d.x, 0.5 * s->a);
        break;
    case RI_GROUND_CHANNEL:
        *A = s->b > 0.0 ? cut(all, o.z, d.z, s->b) : all;
        *B = cut(cut_slab(all, o.x, d.x, 0.5 * s->a), -o.z, -d.z, 0.0);
        break;
    case RI_GROUND_PIPE:
        *A = cut(all, o.z, d.z, s->a);
        *B = cut_round(all, ri_vec3(o.x / s->a, 0.0, (o.z - s->a) / s->a), ri_vec3(d.x / s->a, 0.0, d.z / s->a));
        break;
    case RI_GROUND_PILLAR:
        *A = cut_slab(all, o.z, d.z, s->b);
        *A = cut_round(*A, ri_vec3(o.x / s->a, o.y / s->a, 0.0), ri_vec3(d.x / s->a, d.y / s->a, 0.0));
        break;
    case RI_GROUND_PLANE:
    case RI_GROUND_SHAPE_COUNT:
        *A = cut(all, o.z, d.z, 0.0);
        break;
    }
}

int ri_shape_spans(const RiShape *s, RiVec3 o, RiVec3 d, RiSpan out[2])
{
    RiSpan A, B;
    convex_spans(s, o, d, &A, &B);
    if (!(A.lo < A.hi))
        return 0;
    if (!(B.lo < B.hi) || B.hi <= A.lo || B.lo >= A.hi) {
        out[0] = A;
        return 1;
    }
    int n = 0;
    if (A.lo < B.lo)
        out[n++] = (RiSpan){A.lo, B.lo};
    if (B.hi < A.hi)
        out[n++] = (RiSpan){B.hi, A.hi};
    return n;
}

// --- bounds --------------------------------------------------------------------------------------

bool ri_shape_bounds(const RiShape *s, RiVec3 *out_low, RiVec3 *out_high)
{
    const double more = RI_NOISE_BOUND * s->roughness;
    RiVec3 low, high;
    switch (s->kind) {
    case RI_GROUND_BOX:
    case RI_GROUND_STONE:
        high = ri_vec3(s->a, s->b, s->c);
        low = ri_scale(-1.0, high);
        break;
    case RI_GROUND_SPHERE:
        high = ri_vec3(s->a, s->a, s->a);
        low = ri_scale(-1.0, high);
        break;
    case RI_GROUND_RAMP:
        low = ri_vec3(0.0, -0.5 * s->c, 0.0);
        high = ri_vec3(s->a, 0.5 * s->c, s->b);
        break;
    case RI_GROUND_PILLAR:
        high = ri_vec3(s->a, s->a, s->b);
        low = ri_scale(-1.0, high);
        break;
    case RI_GROUND_PLANE:
    case RI_GROUND_TUBE:
    case RI_GROUND_WALLS:
    case RI_GROUND_CHANNEL:
    case RI_GROUND_PIPE:
    case RI_GROUND_SHAPE_COUNT:
        return false;
    }
    *out_low = ri_sub(low, ri_vec3(more, more, more));
    *out_high = ri_add(high, ri_vec3(more, more, more));
    return true;
}
