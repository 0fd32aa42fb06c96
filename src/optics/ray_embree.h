// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the files that call Embree share.
#ifndef RI_OPTICS_RAY_EMBREE_H
#define RI_OPTICS_RAY_EMBREE_H

#include <string.h>

#include <embree3/rtcore.h>

#include "optics/ray_scene_work.h"

/// Embree's context with the rays in double precision; a ray's id is its index.
typedef struct RiRayContext {
    struct RTCIntersectContext embree;
    const RiRayScene *scene;
    const RiRay *rays;
} RiRayContext;

enum { RI_RAY_PACKET = 8 };

/// Whether any of eight rays may meet something of the top scene, by the box around it.
static inline bool ri_ray_packet_near_things(const RiRayScene *s, const struct RTCRay8 *p)
{
    const float *origin[3] = {p->org_x, p->org_y, p->org_z}, *direction[3] = {p->dir_x, p->dir_y, p->dir_z};
    float first[RI_RAY_PACKET] = {0}, last[RI_RAY_PACKET];
    int near = 0;
    for (int i = 0; i < RI_RAY_PACKET; i++) { // the ball around the box needs no quotients
        const float x = s->middle[0] - p->org_x[i], y = s->middle[1] - p->org_y[i], z = s->middle[2] - p->org_z[i];
        const float along = x * p->dir_x[i] + y * p->dir_y[i] + z * p->dir_z[i], way = x * x + y * y + z * z;
        near += (way - along * along <= s->ball + 1e-5f * way) & ((along > 0.0f) | (way <= s->ball));
    }
    if (near == 0)
        return false;
    near = 0;
    memcpy(last, p->tfar, sizeof last);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < RI_RAY_PACKET; i++) {
            const float inverse = 1.0f / direction[k][i];
            const float a = (s->low[k] - origin[k][i]) * inverse, b = (s->high[k] - origin[k][i]) * inverse;
            const float in = a < b ? a : b, out = a < b ? b : a;
            first[i] = in > first[i] ? in : first[i];
            last[i] = out < last[i] ? out : last[i];
        }
    for (int i = 0; i < RI_RAY_PACKET; i++)
        near += !(first[i] > last[i] * 1.0001f + 1e-4f);
    return near > 0;
}

/// Callbacks of shapes and of ground that answers rays itself (ray_trace.c).
void ri_ray_part_bounds(const struct RTCBoundsFunctionArguments *args);
void ri_ray_part_intersect(const struct RTCIntersectFunctionNArguments *args);
void ri_ray_part_occluded(const struct RTCOccludedFunctionNArguments *args);
void ri_ray_piece_bounds(const struct RTCBoundsFunctionArguments *args);
void ri_ray_piece_intersect(const struct RTCIntersectFunctionNArguments *args);
void ri_ray_piece_occluded(const struct RTCOccludedFunctionNArguments *args);
/// Drops hits of ground where a tile with ruts is.
void ri_ray_cut_filter(const struct RTCFilterFunctionNArguments *args);

#endif
