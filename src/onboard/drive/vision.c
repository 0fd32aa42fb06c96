// SPDX-License-Identifier: Apache-2.0
/// \file
/// Range points of the ground by rays. See vision.h.
///
///     r measured = r + sigma r^2 n,  sigma the deviation at 1 m                          [stereo: docs/theory/stereo.md]
#include "onboard/drive/vision.h"

#include "base/functions.h"
#include "base/rng.h"

/// The random numbers of a wedge in this update: a stream of their own, since there are more than a
/// call has.
static RiRng stream(const RiDeviceCall *call, int wedge)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    return (RiRng){.key = call->seed ^ (odd * ((uint64_t)wedge + 1)), .counter = (uint64_t)call->update << 24};
}

/// Direction of a ray in axes of the root link: column and row from -1 to 1.
static RiVec3 direction(const RiWedge *w, double column, double row)
{
    const double down = w->pitch + 0.5 * w->upright * row, aside = -ri_tan(0.5 * w->across) * column;
    const double sign = w->back ? -1.0 : 1.0;
    const RiVec3 d = ri_vec3(sign * ri_cos(down), sign * aside, -ri_sin(down));
    return ri_scale(1.0 / ri_norm(d), d);
}

int ri_vision_wedge(const RiDeviceCall *call, const RiWedge *w, int number, RiVec3 *out, int room)
{
    const RiVec3 origin = ri_pose_point(&call->frame_pose, w->at);
    RiRng rng = stream(call, number);
    int count = 0;
    for (int j = 0; call->ground_ray && j < w->rows; j++)
        for (int i = 0; i < w->columns && count < room; i++) {
            const RiVec3 d = direction(w, (2.0 * i + 1.0) / w->columns - 1.0, (2.0 * j + 1.0) / w->rows - 1.0);
            const double r = call->ground_ray(call, origin, ri_rotate(&call->frame_pose.R, d), w->most);
            if (!(r >= w->least && r <= w->most) || (w->missing > 0.0 && ri_rng_uniform(&rng) < w->missing))
                continue;
            const double off = w->error > 0.0 ? w->error * r * r * ri_rng_normal(&rng) : 0.0;
            out[count++] = ri_add(w->at, ri_scale(r + off, d));
        }
    return count;
}

double ri_vision_stripe(const RiDeviceCall *call, RiVec3 at, RiVec3 aim, double level, double error, int k)
{
    const RiVec3 way = ri_sub(aim, at);
    const double far = ri_norm(way), most = 3.0 * far; // what lies deeper than that is lost in the picture
    const RiVec3 d = ri_scale(1.0 / far, way);
    if (!call->ground_ray)
        return NAN;
    const double r =
        call->ground_ray(call, ri_pose_point(&call->frame_pose, at), ri_rotate(&call->frame_pose.R, d), most);
    return r <= most ? at.z + (r + ri_noise(call, error, k) * r * r) * d.z - level : NAN;
}
