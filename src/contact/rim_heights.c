// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where an upright wheel touches a height field.
///
/// A rim is a circle of radius R - tube, rounded by a ball of radius tube. The ground touches it at
/// the points whose distance to the circle is least among their neighbours: feet. Where the ground
/// bends less than the circle there is one, and Newton's method goes there from the last normal.
/// Elsewhere the values of the map under the rim are looked at, and feet are sought from those that
/// are nearest to it and from where the last touches were: a touch that goes on is never lost
/// between two looks. Of more feet than a circle has places, the deepest are touches.
///
/// Tests: tests/contact/test_rim.c.
#include <math.h>

#include "base/functions.h"
#include "contact/rim.h"
#include "terrain/heights.h"

/// Wheels whose axis leans more than this (sine) are not looked at from above.
static const double UPRIGHT = 0.8;

bool ri_rim_by_heights(const RiContacts *c, int feature, RiVec3 axis)
{
    return c->by_heights && c->features[feature].tube > 0.0 && fabs(axis.z) < UPRIGHT;
}

const RiVec3 *ri_rim_held(const RiContacts *c, int feature, RiVec3 axis, const RiVec3 *held)
{
    if (!ri_rim_by_heights(c, feature, axis))
        return NULL;
    for (int k = c->state_first[feature]; k < c->state_first[feature + 1]; k++)
        if (held[k].z != 0.0)
            return &held[k];
    return NULL;
}

// --- one touch -----------------------------------------------------------------------------------

/// Newton's method for the one place where a circle touches: turns of its arm above this [rad], and
/// steps on the ground above this part of the radius, are followed by another look.
static const double SMALL = 0.01;
enum { LOOKS = 5 };

/// A point of the circle and one of the ground that go towards each other.
typedef struct Meeting {
    RiVec3 arm, tangent; ///< of the circle, unit
    double x, y;         ///< on the ground
    RiHeight ground;     ///< there
} Meeting;

static void turn_to(const RiRim *r, RiVec3 towards, Meeting *m)
{
    const RiVec3 in = ri_sub(towards, ri_scale(ri_dot(towards, r->axis), r->axis));
    m->arm = ri_scale(1.0 / ri_norm(in), in);
    m->tangent = ri_cross(r->axis, m->arm);
}

/// A step of Newton's method. With N = (-grad z, 1), the circle's point p = c + R e and its tangent
/// t, the nearest points fulfil
///
///     t . N = 0,    (p - g)_xy + grad z (p - g)_z = 0
///
/// which stay regular where p and g meet. Eliminating the step on the ground (A its matrix) leaves
/// one equation for the turn. False: that is the way to a largest distance.
static bool step_together(const RiRim *r, const Meeting *m, double *turn, double *sx, double *sy)
{
    const RiHeight *g = &m->ground;
    const RiVec3 e = m->arm, t = m->tangent, p = ri_add(r->centre, ri_scale(r->radius, e));
    const double w = p.z - g->z, fx = p.x - m->x + g->zx * w, fy = p.y - m->y + g->zy * w;
    const double xx = 1.0 + g->zx * g->zx - g->zxx * w, xy = g->zx * g->zy - g->zxy * w,
                 yy = 1.0 + g->zy * g->zy - g->zyy * w, per = 1.0 / (xx * yy - xy * xy);
    const double cx = r->radius * (t.x + g->zx * t.z), cy = r->radius * (t.y + g->zy * t.z);
    const double bx = t.x * g->zxx + t.y * g->zxy, by = t.x * g->zxy + t.y * g->zyy;
    const double ax = per * (yy * fx - xy * fy), ay = per * (xx * fy - xy * fx); // A^-1 f
    const double dx = per * (yy * cx - xy * cy), dy = per * (xx * cy - xy * cx); // A^-1 c
    const double along = t.z - g->zx * t.x - g->zy * t.y, out = g->zx * e.x + g->zy * e.y - e.z;
    const double rise = out - bx * dx - by * dy;
    *turn = (bx * ax + by * ay - along) / rise;
    *sx = ax + dx * *turn;
    *sy = ay + dy * *turn;
    return xx > 0.0 && per > 0.0 && rise > 0.0;
}

/// The surface at the end of a small step, by the paraboloid that the ground is.
static void arrive(const RiRim *r, const Meeting *m, double sx, double sy, RiVec3 *p, RiSurface *s)
{
    const RiHeight *g = &m->ground;
    const double cx = g->zxx * sx + g->zxy * sy, cy = g->zxy * sx + g->zyy * sy;
    const double z = g->z + (g->zx + 0.5 * cx) * sx + (g->zy + 0.5 * cy) * sy, zx = g->zx + cx, zy = g->zy + cy;
    *p = ri_add(r->centre, ri_scale(r->radius, m->arm));
    *s = (RiSurface){.normal = ri_scale(1.0 / sqrt(1.0 + zx * zx + zy * zy), ri_vec3(-zx, -zy, 1.0)),
                     .material = g->material,
                     .flags = g->flags};
    s->distance = ri_dot(s->normal, ri_sub(*p, ri_vec3(m->x + sx, m->y + sy, z)));
}

/// From a point of the circle and one of the ground to where both are nearest to each other. False:
/// Newton's method does not get there.
static bool meet(const RiTerrain *t, const RiRim *r, Meeting *m, RiVec3 *p, RiSurface *s)
{
    for (int k = 0; k < LOOKS; k++) {
        double turn, sx, sy;
        (void)t->kind->height(t, m->x, m->y, INFINITY, &m->ground);
        if (!step_together(r, m, &turn, &sx, &sy) || !(fabs(turn) < 1.0))
            return false;
        turn_to(r, ri_add(m->arm, ri_scale(turn, m->tangent)), m);
        if (fabs(turn) < SMALL && sx * sx + sy * sy < SMALL * SMALL * r->radius * r->radius) {
            arrive(r, m, sx, sy, p, s);
            return ri_dot(s->normal, m->arm) < 0.0;
        }
        m->x += sx;
        m->y += sy;
    }
    return false;
}

/// Where the circle touches ground of a normal, more or less.
static Meeting meeting_of(const RiRim *r, double tube, RiVec3 normal)
{
    Meeting m;
    turn_to(r, ri_scale(-1.0, normal), &m);
    m.x = r->centre.x + r->radius * m.arm.x - tube * normal.x;
    m.y = r->centre.y + r->radius * m.arm.y - tube * normal.y;
    return m;
}

/// Whether the circle touches in one place at most, which is then found.
///
/// Along the circle the distance has its extremes where the normal has no part along it. There its
/// second derivative is c / R - k, with c the cosine between the normal and the circle's plane and
/// k the curvature of the surface at the distance d from the ground, no more than K / (1 - |d| K)
/// for ground of curvature up to K. Where K (R / c + |d|) < 1 all extremes are least distances, and
/// two of them would have a largest one between.
static bool touch_once(const RiTerrain *t, const RiRim *r, double tube, double margin, RiVec3 normal, RiVec3 *p,
                       RiSurface *s)
{
    const double most = ri_terrain_bend(t, r->centre.x, r->centre.y, r->radius + tube + margin);
    Meeting m = meeting_of(r, tube, normal);
    if (!(most * fmax(r->radius + tube, tube) < RI_RIM_ALONE) || !meet(t, r, &m, p, s))
        return false;
    const double lean = ri_dot(s->normal, r->axis), c2 = 1.0 - lean * lean;
    return most * (r->radius + fabs(s->distance) * sqrt(c2)) < RI_RIM_ALONE * sqrt(c2);
}

/// The same of a wheel's tread: one part of it, where the touch has that part's lean. The point and
/// distance are those of the tread.
static bool touch_tread(const RiTerrain *t, const RiRim *r, double margin, RiVec3 normal, RiVec3 *p, RiSurface *s)
{
    enum { PARTS = 3 };
    double lean = -ri_dot(normal, r->axis);
    for (int k = 0; k < PARTS; k++) {
        const RiTread tread = ri_wheel_tread(r->feature, lean);
        RiRim part = *r;
        part.centre = ri_add(r->centre, ri_scale(tread.along, r->axis));
        part.radius = tread.radius;
        if (!touch_once(t, &part, tread.ball, margin, normal, p, s))
            return false;
        lean = -ri_dot(s->normal, r->axis);
        const RiTread there = ri_wheel_tread(r->feature, lean);
        if (there.ball == tread.ball && there.along == tread.along) {
            *p = ri_sub(*p, ri_scale(tread.ball, s->normal));
            s->distance -= tread.ball;
            return true;
        }
    }
    return false;
}

// --- feet ----------------------------------------------------------------------------------------

enum { STEPS = 24 };
/// A foot is found when the next step to it would be shorter than this part of the rounding's
/// radius.
static const double NO_FURTHER = 1e-6;

/// Whether a point within the circle is in the wheel: then its distance to the circle is negative,
/// as if there were nothing across.
static bool is_inside(double beyond, double across, double tube)
{
    return beyond < 0.0 && fabs(across) < 0.5 * tube;
}

/// A point of the ground, the point of the circle nearest to it, and their distance, negative where
/// the ground is in the wheel.
typedef struct Foot {
    double x, y;
    RiHeight ground;
    RiVec3 core;     ///< on the circle
    RiVec3 arm;      ///< from its centre, unit
    RiVec3 up;       ///< unit, from the ground to the circle
    double distance; ///< of the ground from the tread, plus the rounding [m]
    double out;      ///< of the ground from the circle's axis [m]
    RiTread tread;   ///< that is nearest to it; `core` is on its circle
} Foot;

/// The part of the tread nearest to a point that is `out` from the axle and `across` along it.
static RiTread tread_to(const RiRim *r, double out, double across)
{
    const RiFeature *f = r->feature;
    if (!(f->crown > 0.0))
        return (RiTread){.radius = r->radius, .ball = f->tube};
    const double up = out - (f->radius - f->crown);
    return ri_wheel_tread(f, up > 0.0 || across != 0.0 ? across / sqrt(up * up + across * across) : 0.0);
}

static Foot foot_at(const RiTerrain *t, const RiRim *r, double tube, double x, double y)
{
    Foot f = {.x = x, .y = y};
    (void)t->kind->height(t, x, y, INFINITY, &f.ground);
    const RiVec3 g = ri_vec3(x, y, f.ground.z), from = ri_sub(g, r->centre);
    const double across = ri_dot(from, r->axis);
    const RiVec3 in = ri_sub(from, ri_scale(across, r->axis));
    f.out = ri_norm(in);
    f.arm = f.out > 0.0 ? ri_scale(1.0 / f.out, in) : r->u;
    f.tread = tread_to(r, f.out, across);
    f.core = ri_add(ri_add(r->centre, ri_scale(f.tread.along, r->axis)), ri_scale(f.tread.radius, f.arm));
    const RiVec3 d = ri_sub(f.core, g);
    const double size = ri_norm(d), beyond = f.out - f.tread.radius;
    const bool inside = is_inside(beyond, across - f.tread.along, tube) || size == 0.0;
    f.distance = (inside ? beyond : size) + (tube - f.tread.ball);
    f.up = inside ? ri_scale(-1.0, f.arm) : ri_scale(1.0 / size, d);
    return f;
}

/// Newton's step on the ground towards the least distance. With the unit vectors t along the circle
/// and b = up x t, and l the distance from the axis, the distance D of a point has the second
/// derivatives 1/D along b and (l - R)/(D l) along t; the ground adds -up_z times its own. Where
/// that is no way down: along the gradient.
static void step_down(const RiRim *r, const Foot *f, double *sx, double *sy)
{
    const RiHeight *g = &f->ground;
    const RiVec3 t = ri_cross(r->axis, f->arm), b = ri_cross(f->up, t);
    const double far = f->distance + (f->tread.ball - r->feature->tube), per = far != 0.0 ? 1.0 / far : 0.0,
                 turn = f->out > 0.0 ? per * (f->out - f->tread.radius) / f->out : 0.0;
    const double gx = -(f->up.x + f->up.z * g->zx), gy = -(f->up.y + f->up.z * g->zy);
    const double bx = b.x + b.z * g->zx, by = b.y + b.z * g->zy, tx = t.x + t.z * g->zx, ty = t.y + t.z * g->zy;
    const double xx = per * bx * bx + turn * tx * tx - f->up.z * g->zxx,
                 xy = per * bx * by + turn * tx * ty - f->up.z * g->zxy,
                 yy = per * by * by + turn * ty * ty - f->up.z * g->zyy, det = xx * yy - xy * xy;
    if (xx > 0.0 && det > 1e-6 * xx * yy) {
        *sx = (xy * gy - yy * gx) / det;
        *sy = (xy * gx - xx * gy) / det;
    } else {
        *sx = -fabs(f->distance) * gx;
        *sy = -fabs(f->distance) * gy;
    }
}

/// From a point of the ground down to a foot; steps are no longer than `most` and never lead up.
static Foot go_to_foot(const RiTerrain *t, const RiRim *r, double tube, double most, Foot f)
{
    for (int k = 0; k < STEPS; k++) {
        double sx, sy;
        step_down(r, &f, &sx, &sy);
        const double size = sqrt(sx * sx + sy * sy), share = size > most ? most / size : 1.0;
        if (!(size > NO_FURTHER * tube))
            break;
        Foot next = foot_at(t, r, tube, f.x + share * sx, f.y + share * sy);
        for (double part = 0.5 * share; next.distance > f.distance && part > 1e-3; part *= 0.5, k++)
            next = foot_at(t, r, tube, f.x + part * sx, f.y + part * sy);
        if (!(next.distance < f.distance))
            break;
        f = next;
    }
    return f;
}

// --- looks ---------------------------------------------------------------------------------------

enum { SIDE = 64, TRIES = 16, FEET = TRIES + RI_RIM_TOUCHES };
/// Largest distance of two looks, in radii; the cell of the map where that is less.
static const double WIDEST = 0.2;
/// Part of the distance of two looks by which a foot may be nearer than the look from which it is
/// sought.
static const double CLOSER = 0.1;

/// Distances of the ground under a rim to it, at values of the map: a square of them of which a
/// strip along the wheel is filled.
typedef struct Looks {
    double x0, y0, dx, dy; ///< of the first value, and between values [m]
    int nx, ny;
    int first[SIDE], end[SIDE]; ///< of each row: what is filled
    double d[SIDE][SIDE];       ///< [m]
} Looks;

/// First value and number of values that cover [low, high] of one axis.
static int cover(double low, double high, double origin, double spacing, double *out_first)
{
    const double first = floor((low - origin) / spacing), count = floor((high - origin) / spacing) - first + 2.0;
    *out_first = origin + first * spacing;
    return count < SIDE ? (int)count : SIDE;
}

/// Distance of two looks: that of the map's values or a multiple of it. False: values would be too
/// far apart.
static bool choose_spacing(double R, double cell, double *out)
{
    const double finest = 2.0 * R / (SIDE - 3);
    *out = cell > finest ? cell : cell * ceil(finest / cell);
    return *out < WIDEST * R;
}

/// Where the looks are: at values of the map, or where it has fewer, at heights in between. Returns
/// whether they are at values.
static bool choose_looks(const RiRim *r, double tube, const RiHeights *map, Looks *l)
{
    const double R = r->radius + tube;
    const bool values = map && choose_spacing(R, map->dx, &l->dx) && choose_spacing(R, map->dy, &l->dy);
    if (!values)
        l->dx = l->dy = WIDEST * R;
    l->nx = cover(r->centre.x - R, r->centre.x + R, values ? map->x0 : r->centre.x, l->dx, &l->x0);
    l->ny = cover(r->centre.y - R, r->centre.y + R, values ? map->y0 : r->centre.y, l->dy, &l->y0);
    return values;
}

/// The strip |a x + b y| <= most around the middle of a circle.
typedef struct Strip {
    double a, b, most, per_a; ///< per_a: 0 where a row is all inside or all outside
} Strip;

static Strip strip_of(double a, double b, double most)
{
    return (Strip){a, b, most, fabs(a) < 1e-9 ? 0.0 : 1.0 / fabs(a)};
}

/// Cuts a row at y to a strip.
static void cut(const Strip *s, double y, double *low, double *high)
{
    const double by = s->b * y, middle = (s->a > 0.0 ? -by : by) * s->per_a, half = s->most * s->per_a;
    if (s->per_a == 0.0) {
        *high = fabs(by) <= s->most ? *high : -INFINITY;
        return;
    }
    *low = *low > middle - half ? *low : middle - half;
    *high = *high < middle + half ? *high : middle + half;
}

/// The part of row j that is within both strips.
static void choose_part(const RiRim *r, const Strip strips[2], int j, Looks *l)
{
    const double y = l->y0 + j * l->dy - r->centre.y, from = l->x0 - r->centre.x, per = 1.0 / l->dx;
    double low = from, high = from + (l->nx - 1) * l->dx;
    cut(&strips[0], y, &low, &high);
    cut(&strips[1], y, &low, &high);
    l->first[j] = l->end[j] = 0;
    if (!(low <= high))
        return;
    l->first[j] = (int)((low - from) * per);
    l->end[j] = (int)((high - from) * per) + 1;
}

static long clamped(long at, int count)
{
    return at < 0 ? 0 : at >= count ? count - 1 : at;
}

/// Heights of the part of row j.
static void look_up(const RiTerrain *t, const RiHeights *map, const Looks *l, int j, double z[SIDE])
{
    const int first = l->first[j], count = l->end[j] - first;
    const double y = l->y0 + j * l->dy;
    if (map) {
        const long row = clamped(lrint((y - map->y0) * map->per_dy), map->ny), step = lrint(l->dx * map->per_dx);
        const long from = lrint((l->x0 - map->x0) * map->per_dx) + first * step;
        const float *v = map->v + row * map->row;
        for (int i = 0; i < count; i++)
            z[i] = (double)v[clamped(from + i * step, map->nx)];
        return;
    }
    double x[SIDE], ys[SIDE];
    RiHeight ground[SIDE];
    for (int i = 0; i < count; i++)
        x[i] = l->x0 + (first + i) * l->dx, ys[i] = y;
    ri_terrain_height_many(t, count, x, ys, ground, NULL);
    for (int i = 0; i < count; i++)
        z[i] = ground[i].z;
}

/// Distances of row j; what is farther than `most` is not measured.
static void look_at_row(const RiRim *r, double tube, double most, int j, const double z[SIDE], Looks *l)
{
    const double y = l->y0 + j * l->dy - r->centre.y, R = r->radius + tube + most, far = R > 0.0 ? R * R : 0.0;
    for (int i = l->first[j]; i < l->end[j]; i++) {
        const RiVec3 from = {l->x0 + i * l->dx - r->centre.x, y, z[i - l->first[j]] - r->centre.z};
        const double square = ri_dot(from, from);
        l->d[j][i] = INFINITY;
        if (!(square < far))
            continue;
        const double across = ri_dot(from, r->axis), square_out = square - across * across,
                     out = square_out > 0.0 ? sqrt(square_out) : 0.0;
        const RiTread tread = tread_to(r, out, across);
        const double beyond = out - tread.radius, side = across - tread.along;
        l->d[j][i] = (is_inside(beyond, side, tube) ? beyond : sqrt(beyond * beyond + side * side)) - tread.ball;
    }
}

/// Distance at a look; not looked at: far.
static double distance_at(const Looks *l, int i, int j)
{
    return j >= 0 && j < l->ny && i >= l->first[j] && i < l->end[j] ? l->d[j][i] : INFINITY;
}

/// Whether a foot may be sought from a look: it is as near as the four beside it, or the ground
/// between it and one of them may be as near as the nearest look of all. Along an axis a cubic
/// between looks goes below them by about an eighth of their second difference.
static bool is_promising(const Looks *l, int i, int j, double least)
{
    const double d = l->d[j][i], w = distance_at(l, i - 1, j), e = distance_at(l, i + 1, j),
                 s = distance_at(l, i, j - 1), n = distance_at(l, i, j + 1);
    if (d <= w && d <= e && d <= s && d <= n)
        return true;
    const double bend = fabs(w - 2.0 * d + e) + fabs(s - 2.0 * d + n);
    return bend < INFINITY && d - 0.125 * bend < least;
}

/// A look from which a foot is sought.
typedef struct Try {
    double x, y, d;
} Try;

static double least_of(const Looks *l)
{
    double least = INFINITY;
    for (int j = 0; j < l->ny; j++)
        for (int i = l->first[j]; i < l->end[j]; i++)
            least = l->d[j][i] < least ? l->d[j][i] : least;
    return least;
}

/// The nearest of the promising looks that are nearer than `most`, in order. Returns how many.
static int choose_tries(const Looks *l, double most, Try tries[TRIES])
{
    const double least = least_of(l);
    int count = 0;
    for (int j = 0; j < l->ny; j++)
        for (int i = l->first[j]; i < l->end[j]; i++) {
            const double d = l->d[j][i];
            if (!(d < most) || (count == TRIES && !(d < tries[count - 1].d)) || !is_promising(l, i, j, least))
                continue;
            int at = count < TRIES ? count++ : count - 1;
            for (; at > 0 && tries[at - 1].d > d; at--)
                tries[at] = tries[at - 1];
            tries[at] = (Try){l->x0 + i * l->dx, l->y0 + j * l->dy, d};
        }
    return count;
}

/// Looks at the ground under a rim; the places from which feet nearer than `margin` may be found.
static int look_down(const RiContacts *c, const RiRim *r, double tube, double margin, double *out_spacing,
                     Try tries[TRIES])
{
    const RiTerrain *t = c->terrain;
    const RiHeights *map = t->kind->map ? t->kind->map(t) : NULL;
    Looks l;
    if (!choose_looks(r, tube, map, &l))
        map = NULL;
    *out_spacing = fmax(l.dx, l.dy);
    const double most = margin + 0.5 * *out_spacing; // the ground between two looks may be nearer
    const double R = r->radius + tube, flat = 1.0 / sqrt(r->v.x * r->v.x + r->v.y * r->v.y);
    const double wide = fmax(tube, fmax(fabs(r->feature->low), fabs(r->feature->high)));
    const Strip strips[2] = {strip_of(r->axis.x, r->axis.y, wide + fabs(r->axis.z) * R + *out_spacing),
                             strip_of(r->v.x * flat, r->v.y * flat, R + *out_spacing)};
    for (int j = 0; j < l.ny; j++) {
        double z[SIDE];
        choose_part(r, strips, j, &l);
        if (l.first[j] == l.end[j])
            continue;
        look_up(t, map, &l, j, z);
        look_at_row(r, tube, most, j, z, &l);
    }
    return choose_tries(&l, most, tries);
}

// --- all touches ---------------------------------------------------------------------------------

/// Adds a foot to a list in order of distances, unless a nearer one is in the same direction; those
/// in its direction that are farther leave.
static int add_foot(const RiRim *r, double same, int count, Foot *list, const Foot *f)
{
    for (int i = 0; i < count && list[i].distance <= f->distance; i++)
        if (ri_rim_is_same(r, ri_vec3(list[i].x, list[i].y, list[i].ground.z), ri_vec3(f->x, f->y, f->ground.z), same))
            return count;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (list[i].distance <= f->distance ||
            !ri_rim_is_same(r, ri_vec3(list[i].x, list[i].y, list[i].ground.z), ri_vec3(f->x, f->y, f->ground.z), same))
            list[kept++] = list[i];
    int at = kept++;
    for (; at > 0 && list[at - 1].distance > f->distance; at--)
        list[at] = list[at - 1];
    list[at] = *f;
    return kept;
}

/// Whether the way down from a point leads to a foot that is known: one beside it, nearer, and in
/// its direction.
static bool leads_to_known(const RiRim *r, const Foot *from, double near, int count, const Foot *list)
{
    double sx, sy;
    step_down(r, from, &sx, &sy);
    for (int i = 0; i < count; i++) {
        const double x = list[i].x - from->x, y = list[i].y - from->y;
        if (x * x + y * y < near * near && list[i].distance <= from->distance && x * sx + y * sy > 0.0)
            return true;
    }
    return false;
}

/// Adds the foot below a point to those known.
static int seek(const RiContacts *c, const RiRim *r, double tube, double spacing, double same, double x, double y,
                int count, Foot feet[FEET])
{
    const Foot from = foot_at(c->terrain, r, tube, x, y);
    if (leads_to_known(r, &from, spacing, count, feet))
        return count;
    const Foot f = go_to_foot(c->terrain, r, tube, spacing, from);
    return add_foot(r, same, count, feet, &f);
}

/// Feet from where the last touches were, and from looks.
static int find_feet(const RiContacts *c, int feature, const RiRim *r, double margin, const RiVec3 *held, double same,
                     Foot feet[FEET])
{
    const double tube = c->features[feature].tube;
    double spacing;
    Try tries[TRIES];
    int count = 0;
    const int n = look_down(c, r, tube, margin, &spacing, tries);
    for (int k = c->state_first[feature]; k < c->state_first[feature + 1]; k++)
        if (held[k].z != 0.0) {
            const RiVec3 p = ri_sub(ri_circle_lowest(r->centre, r->axis, r->radius, held[k]), ri_scale(tube, held[k]));
            count = seek(c, r, tube, spacing, same, p.x, p.y, count, feet);
        }
    const int places = c->state_first[feature + 1] - c->state_first[feature];
    for (int i = 0; i < n; i++) {
        if (count >= places && tries[i].d + tube > feet[places - 1].distance + CLOSER * spacing)
            break;
        count = seek(c, r, tube, spacing, same, tries[i].x, tries[i].y, count, feet);
    }
    return count;
}

/// Touches of the nearest feet, in order along the circle.
static int touch_feet(const RiContacts *c, int feature, int slot, const RiRim *r, double margin, const RiTouchWork *w,
                      int count, const Foot *feet, RiTouch *touches)
{
    const RiFeature *f = &c->features[feature];
    const int most = c->state_first[feature + 1] - c->state_first[feature];
    int order[RI_RIM_TOUCHES], n = 0;
    for (int i = 0; i < count && n < most && feet[i].distance - f->tube < margin; i++) {
        int at = n++;
        for (; at > 0 && ri_dot(feet[order[at - 1]].arm, r->v) > ri_dot(feet[i].arm, r->v); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < n; i++) {
        const Foot *foot = &feet[order[i]];
        const RiVec3 p = ri_sub(foot->core, ri_scale(foot->tread.ball, foot->up));
        const RiSurface s = {.distance = foot->distance - f->tube,
                             .normal = foot->up,
                             .material = foot->ground.material,
                             .flags = foot->ground.flags};
        ri_touch_fill(c, feature, slot, w, p, &s, &touches[i]);
    }
    return n;
}

int ri_rim_touch_heights(const RiContacts *c, int feature, int slot, RiVec3 normal, double margin, const RiVec3 *held,
                         const RiTouchWork *w, RiTouch *touches)
{
    const RiFeature *f = &c->features[feature];
    RiRim r = {.centre = w->centres[feature], .axis = w->axes[feature], .radius = f->radius - f->tube, .feature = f};
    const RiVec3 down = ri_vec3(r.axis.z * r.axis.x, r.axis.z * r.axis.y, r.axis.z * r.axis.z - 1.0);
    r.u = ri_scale(1.0 / ri_norm(down), down);
    r.v = ri_cross(r.axis, r.u);
    RiVec3 p;
    RiSurface s;
    Foot feet[FEET];
    if (touch_tread(c->terrain, &r, margin, normal, &p, &s)) {
        if (!(s.distance < margin))
            return 0;
        ri_touch_fill(c, feature, slot, w, p, &s, &touches[0]);
        return 1;
    }
    const int count = find_feet(c, feature, &r, margin, held, w->same, feet);
    return touch_feet(c, feature, slot, &r, margin, w, count, feet, touches);
}
