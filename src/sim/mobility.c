// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a rover still is one: it lies on its side or roof, or moves without its wheels. Asked of
/// the state as it is; nothing of it is kept. Tests: tests/sim/test_mobility.c.
#include <math.h>

#include "contact/contacts.h"
#include "sim/internal.h"

static const double LEAST_UP = 0.5;    ///< cosine of 60 degrees, beyond which no rover stands by itself
static const double LEAST_SPEED = 0.3; ///< of hubs that slide; rovers drive slower [m/s]
enum { LEAST_WHEELS = 3 };             ///< of a rover
static const double DRAGGED = 3.0;     ///< speed of a hub over that of its rim

/// Across gravity: what falls does not slide.
static double level_speed(const RiSim *s, RiVec3 v)
{
    const RiVec3 g = ri_dyn_gravity(s->d);
    const double size = ri_norm(g), down = size > 0.0 ? ri_dot(v, g) / size : 0.0;
    return sqrt(fmax(0.0, ri_dot(v, v) - down * down));
}

/// A wheel's circle whose hub moves much faster than its rim turns.
static bool is_dragged(const RiSim *s, const RiFeature *f)
{
    const RiPose pose = ri_dyn_frame_pose(s->d, f->link);
    const RiSpatial v = ri_dyn_frame_velocity(s->d, f->link);
    const RiVec3 arm = ri_rotate(&pose.R, f->centre), axis = ri_rotate(&pose.R, f->axis);
    const double hub = level_speed(s, ri_add(v.lin, ri_cross(v.ang, arm))), rim = fabs(ri_dot(v.ang, axis)) * f->radius;
    return hub > LEAST_SPEED && hub > DRAGGED * rim;
}

static bool has_tipped(const RiSim *s)
{
    const RiVec3 g = ri_dyn_gravity(s->d);
    const RiPose pose = ri_dyn_frame_pose(s->d, s->m->link_order[0]);
    const double size = ri_norm(g);
    return size > 0.0 && -ri_dot(g, ri_rotate(&pose.R, ri_vec3(0.0, 0.0, 1.0))) < LEAST_UP * size;
}

RiMobility ri_sim_mobility(const RiSim *s)
{
    int circles = 0, dragged = 0, wheels = 0, last = -1;
    if (!s->contacts || !ri_model_is_floating(s->m))
        return RI_MOBILITY_KEPT;
    for (int i = 0; i < ri_contacts_feature_count(s->contacts); i++) {
        const RiFeature *f = ri_contacts_feature(s->contacts, i);
        if (!(f->width > 0.0))
            continue;
        circles++;
        wheels += f->link != last; // those of a link are side by side
        last = f->link;
        dragged += is_dragged(s, f);
    }
    if (wheels < LEAST_WHEELS)
        return RI_MOBILITY_KEPT;
    return has_tipped(s) ? RI_MOBILITY_TIPPED : dragged == circles ? RI_MOBILITY_SLID : RI_MOBILITY_KEPT;
}

const char *ri_mobility_text(RiMobility m)
{
    switch (m) {
    case RI_MOBILITY_KEPT:
        return "";
    case RI_MOBILITY_TIPPED:
        return "it tipped over: the body leans by more than 60 degrees";
    case RI_MOBILITY_SLID:
        return "it slides away: all hubs move faster than 0.3 m/s and than three times their rims";
    }
    return "?";
}
