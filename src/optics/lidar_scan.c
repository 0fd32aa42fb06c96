// SPDX-License-Identifier: Apache-2.0
/// \file
/// What comes back from lidar shots.
///
/// Every shot has its own time and starts where the lidar is then. A beam with divergence is seven
/// rays: its middle and six around it at the half angles. Rays whose hits lie closer together than
/// `merge` are one return; its range is their mean, weighted by what they bring back. The nearest
/// is the first return, the farthest the last one. Intensity of a ray is reflectance x
/// cos(incidence) / range^2, of a return the sum over its rays divided by their number.
///
/// Noise, resolution and drop-outs act on returns only: a shot without return stays without. Tests:
/// tests/optics/test_lidar.c.
#include "optics/lidar_scan.h"

#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "base/rng.h"
#include "math/sincos.h"

enum { BLOCK = 1024, RAYS = 7, COLUMNS = 8, DRAWS = 64 };

/// Room for the rays of a block of shots.
typedef struct Block {
    RiBeam beams[BLOCK];
    RiRay rays[BLOCK];
    RiRayHit hits[BLOCK];
    float normals[BLOCK][3];
    int place[BLOCK]; ///< of each shot's first ray
    double noise[BLOCK + 1];
} Block;

/// Rotation vector from the first pose to the second [rad].
static RiVec3 turn_of(const RiLidarMotion *m)
{
    const RiMat3 back = ri_mat3_transpose(&m->X0.R), between = ri_mat3_mul(&back, &m->X1.R);
    return ri_quat_log(ri_quat_from_mat3(&between));
}

static RiPose pose_at(const RiLidarMotion *m, RiVec3 turn, double time)
{
    const double part = m->t1 > m->t0 ? (time - m->t0) / (m->t1 - m->t0) : 0.0;
    RiPose x = {m->X0.R, ri_add(m->X0.p, ri_scale(part, ri_sub(m->X1.p, m->X0.p)))};
    if (ri_norm(turn) > 0.0) {
        const RiMat3 R = ri_quat_to_mat3(ri_quat_exp(ri_scale(part, turn)));
        x.R = ri_mat3_mul(&m->X0.R, &R);
    }
    return x;
}

RiPose ri_lidar_pose_at(const RiLidarMotion *m, double time)
{
    return pose_at(m, turn_of(m), time);
}

/// What does not change from shot to shot of a spinning lidar.
typedef struct Turning {
    double level[RI_LIDAR_CHANNELS], up[RI_LIDAR_CHANNELS];    ///< cosine and sine of elevations
    double along[RI_LIDAR_CHANNELS], aside[RI_LIDAR_CHANNELS]; ///< of azimuths
} Turning;

static void turn_prepare(const RiLidar *l, Turning *t)
{
    for (int c = 0; l->kind == RI_LIDAR_SPINNING && c < l->channels; c++) {
        t->up[c] = ri_sin(l->elevation[c]);
        t->level[c] = ri_cos(l->elevation[c]);
        t->aside[c] = ri_sin(l->azimuth[c]);
        t->along[c] = ri_cos(l->azimuth[c]);
    }
}

/// Shots in a row: the same as ri_lidar_beam of each to the last digit or two, but a column's
/// direction is computed once.
static void make_beams(const RiLidar *l, const Turning *t, long long first, int count, RiBeam *out)
{
    double last = NAN, s = 0.0, c = 1.0;
    if (l->kind != RI_LIDAR_SPINNING) {
        for (int i = 0; i < count; i++)
            out[i] = ri_lidar_beam(l, first + i);
        return;
    }
    long long column = first / l->channels;
    int k = (int)(first % l->channels);
    for (int i = 0; i < count; i++) {
        const double time = (double)column * l->column_time + k * l->channel_time;
        if (time != last) {
            const double angle = l->start + (l->clockwise ? -2.0 : 2.0) * M_PI * fmod(l->rate * time, 1.0);
            s = ri_sin(angle);
            c = ri_cos(angle);
        }
        last = time;
        out[i] = (RiBeam){.time = time,
                          .origin = {l->radius * c, l->radius * s, l->height[k]},
                          .direction = {t->level[k] * (c * t->along[k] - s * t->aside[k]),
                                        t->level[k] * (s * t->along[k] + c * t->aside[k]), t->up[k]},
                          .channel = k};
        if (++k == l->channels) {
            k = 0;
            column++;
        }
    }
}

/// Direction of ray k of a wide beam: a ring around the middle.
static RiVec3 ring_direction(const RiLidar *l, RiVec3 middle, int k)
{
    const double a = 2.0 * M_PI * (k - 1) / (RAYS - 1);
    RiVec3 side = ri_cross(ri_vec3(0.0, 0.0, 1.0), middle);
    if (!(ri_norm(side) > 1e-9))
        side = ri_vec3(0.0, 1.0, 0.0);
    side = ri_scale(1.0 / ri_norm(side), side);
    const RiVec3 top = ri_cross(middle, side);
    const RiVec3 d = ri_add(middle, ri_add(ri_scale(ri_tan(l->divergence[0]) * ri_cos(a), side),
                                           ri_scale(ri_tan(l->divergence[1]) * ri_sin(a), top)));
    return ri_scale(1.0 / ri_norm(d), d);
}

/// Rays of a beam in the world: the middle, then a ring.
static void make_rays(const RiLidar *l, const RiBeam *b, const RiPose *pose, int count, RiRay *out)
{
    const RiVec3 origin = ri_pose_point(pose, b->origin);
    const double near = fmax(l->range_least - l->radius, 0.0), far = l->range_most - l->radius;
    for (int k = 0; k < count; k++) {
        const RiVec3 d = k > 0 ? ring_direction(l, b->direction, k) : b->direction;
        out[k] = (RiRay){origin, ri_rotate(&pose->R, d), near, far, RI_RAY_PHYSICAL};
    }
}

/// One ray's echo.
typedef struct Echo {
    double range, strength;
    RiRayPoint at;
    bool hit;
} Echo;

static void find_echo(const RiRayScene *s, const RiRay *ray, const RiRayHit *hit, const float *normal, bool exact,
                      Echo *e)
{
    e->hit = false;
    e->range = INFINITY;
    e->strength = 0.0;
    if (hit->body == RI_RAY_NOTHING)
        return;
    if (exact)
        ri_ray_scene_flat_point(s, ray, hit, &e->at);
    else
        ri_ray_scene_rough_point(s, ray, hit, normal, &e->at);
    e->hit = true;
    e->range = e->at.range;
    const double reflectance = (double)(e->at.albedo[0] + e->at.albedo[1] + e->at.albedo[2]) / 3.0;
    e->strength = reflectance * fabs(ri_dot(e->at.normal, ray->direction)) / (e->range * e->range);
}

/// Mean of the echoes around one that is nearest (sign 1) or farthest (-1).
static void gather(const Echo *e, int count, double merge, double sign, double *range, double *strength)
{
    double edge = sign * INFINITY, sum = 0.0, weight = 0.0;
    for (int k = 0; k < count; k++)
        if (e[k].hit && sign * e[k].range < sign * edge)
            edge = e[k].range;
    for (int k = 0; k < count; k++)
        if (e[k].hit && fabs(e[k].range - edge) <= merge) {
            weight += e[k].strength;
            sum += e[k].strength * e[k].range;
        }
    *strength = weight / count;
    *range = weight > 0.0 ? sum / weight : edge;
}

static double measured(const RiLidar *l, double noise, double range)
{
    const double r = range + l->radius + noise;
    return l->resolution > 0.0 ? l->resolution * rint(r / l->resolution) : r;
}

/// Range noise of a block's shots [m]. Two shots share a pair of numbers: cosine and sine of Box
/// and Muller's angle.
static void make_noise(const RiLidar *l, RiRng stream, long long first, int count, double *out)
{
    for (int i = -(int)(first % 2); i < count; i += 2) {
        RiRng rng = stream;
        rng.counter += (uint64_t)(first + i) * DRAWS;
        const double u = 1.0 - ri_rng_uniform(&rng), r = l->noise * sqrt(-2.0 * ri_log(u));
        double sine, cosine;
        ri_sincos(2.0 * M_PI * ri_rng_uniform(&rng), &sine, &cosine);
        if (i >= 0)
            out[i] = r * cosine;
        if (i + 1 < count)
            out[i + 1] = r * sine;
    }
}

/// The one return of a line.
static void finish_line(const RiLidar *l, const RiBeam *b, const Echo *e, double noise, RiRng *rng, RiReturn *out)
{
    out->time = b->time;
    out->channel = b->channel;
    out->range[0] = out->range[1] = INFINITY;
    out->intensity[0] = out->intensity[1] = 0.0f;
    out->point = out->world = (RiVec3){NAN, NAN, NAN};
    if (!e->hit) {
        out->truth = (RiVec3){NAN, NAN, NAN};
        out->link = RI_RAY_NOTHING;
        out->soil = -1;
        return;
    }
    out->truth = e->at.point;
    out->link = e->at.link;
    out->soil = e->at.soil;
    const bool lost = l->drop_out > 0.0 && ri_rng_uniform(rng) < l->drop_out;
    if (lost || !(e->strength >= l->threshold))
        return;
    out->range[0] = out->range[1] = measured(l, noise, e->range);
    out->intensity[0] = out->intensity[1] = (float)e->strength;
    out->point = ri_add(b->origin, ri_scale(out->range[0] - l->radius, b->direction));
}

static void finish(const RiLidar *l, const RiBeam *b, const Echo *e, int count, RiRng *rng, RiReturn *out)
{
    *out = (RiReturn){.time = b->time,
                      .range = {INFINITY, INFINITY},
                      .point = {NAN, NAN, NAN},
                      .world = {NAN, NAN, NAN},
                      .truth = {NAN, NAN, NAN},
                      .channel = b->channel,
                      .link = RI_RAY_NOTHING,
                      .soil = -1};
    if (e[0].hit) {
        out->truth = e[0].at.point;
        out->link = e[0].at.link;
        out->soil = e[0].at.soil;
    }
    for (int k = 0; k < RI_RETURN_COUNT; k++) {
        double range, strength;
        gather(e, count, l->merge, k == RI_RETURN_FIRST ? 1.0 : -1.0, &range, &strength);
        const bool lost = l->drop_out > 0.0 && ri_rng_uniform(rng) < l->drop_out;
        if (!isfinite(range) || !(strength >= l->threshold) || lost)
            continue;
        out->range[k] = measured(l, l->noise > 0.0 ? l->noise * ri_rng_normal(rng) : 0.0, range);
        out->intensity[k] = (float)strength;
    }
    if (isfinite(out->range[0]))
        out->point = ri_add(b->origin, ri_scale(out->range[0] - l->radius, b->direction));
}

/// Where the shots of a block stand among the rays that are traced: of a spinning lidar eight columns
/// of a channel side by side, which look in nearly the same direction and are traced as a packet;
/// else as they come.
static void find_places(const RiLidar *l, int count, int per_beam, bool columns, int *place)
{
    const int group = COLUMNS * l->channels;
    int i = 0;
    for (int first = 0; columns && first + group <= count; first += group)
        for (int column = 0; column < COLUMNS; column++)
            for (int c = 0; c < l->channels; c++)
                place[i++] = first + COLUMNS * c + column;
    for (; i < count; i++)
        place[i] = per_beam * i;
}

/// A block of shots: their rays are traced together.
static void shoot_block(const RiRayScene *s, const RiLidar *l, const Turning *t, const RiLidarMotion *m, RiRng stream,
                        bool exact, long long first, int count, Block *b, RiReturn *out)
{
    const RiVec3 turn = turn_of(m);
    const bool still = memcmp(&m->X0, &m->X1, sizeof m->X0) == 0;
    const int per_beam = l->divergence[0] > 0.0 || l->divergence[1] > 0.0 ? RAYS : 1;
    const bool columns = l->kind == RI_LIDAR_SPINNING && per_beam == 1 && count >= COLUMNS * l->channels;
    RiPose pose = m->X0;
    make_beams(l, t, first, count, b->beams);
    find_places(l, count, per_beam, columns, b->place);
    for (int i = 0; i < count; i++) {
        if (!still && (i == 0 || b->beams[i].time != b->beams[i - 1].time))
            pose = pose_at(m, turn, b->beams[i].time);
        make_rays(l, &b->beams[i], &pose, per_beam, b->rays + b->place[i]);
    }
    ri_ray_scene_trace_normals(s, count * per_beam, b->rays, columns, b->hits, exact ? NULL : b->normals);
    memset(b->noise, 0, (size_t)count * sizeof *b->noise);
    if (l->noise > 0.0 && per_beam == 1)
        make_noise(l, stream, first, count, b->noise);
    for (int i = 0; i < count; i++) {
        Echo e[RAYS];
        RiRng rng = stream;
        rng.counter += (uint64_t)(first + i) * DRAWS + DRAWS / 2;
        for (int k = 0; k < per_beam; k++) {
            const int at = b->place[i] + k;
            find_echo(s, &b->rays[at], &b->hits[at], b->normals[at], exact, &e[k]);
        }
        if (per_beam == 1)
            finish_line(l, &b->beams[i], &e[0], b->noise[i], &rng, &out[i]);
        else
            finish(l, &b->beams[i], e, per_beam, &rng, &out[i]);
        const RiRay *ray = &b->rays[b->place[i]];
        if (isfinite(out[i].range[0]))
            out[i].world = ri_add(ray->origin, ri_scale(out[i].range[0] - l->radius, ray->direction));
    }
}

void ri_lidar_shoot(const RiRayScene *scene, const RiLidar *lidar, const RiLidarMotion *motion, uint64_t seed,
                    bool exact, long long first, int count, RiReturn *out)
{
    const RiRng stream = ri_rng_stream(seed, "lidar");
    const int wide = lidar->divergence[0] > 0.0 || lidar->divergence[1] > 0.0;
    const int room = wide ? BLOCK / RAYS : BLOCK;
    Turning turning;
    Block block;
    turn_prepare(lidar, &turning);
    for (int i = 0; i < count; i += room)
        shoot_block(scene, lidar, &turning, motion, stream, exact, first + i, count - i < room ? count - i : room,
                    &block, out + i);
}
