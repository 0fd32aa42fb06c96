// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pulls of a placement: each feature of a link that is meant to touch is drawn to the ground
/// nearest to it.
///
/// With the gap g along the ground's normal n at the feature's nearest point the pull is -n (load +
/// min(k g, most)). It is put on the robot as a spring of stiffness k and damping c whose anchor
/// lies that force over k into the ground, moved again before each step, so that the implicit step
/// knows its slope and the damper brakes motion in every direction. Features in the ground are
/// pushed out in the same way where no contact does it.
///
/// Terrains with a narrow band know no direction far from their surface: rays look for the nearest
/// ground there, every few steps.
#include <math.h>
#include <stdio.h>

#include "sim/place/place.h"

/// Everything is near enough to be looked at [m].
static const double EVERYWHERE = 1e6;
/// Longest ray that looks for ground [m], and how many steps its answer is used.
static const double LOOK_FAR = 100.0;
enum { LOOK_AGAIN = 50, DIRECTIONS = 26 };

RiStatus ri_puller_create(RiArena *arena, const RiContacts *c, RiPuller *out)
{
    const size_t n = (size_t)c->feature_count + 1;
    *out = (RiPuller){.contacts = c, .banded = ri_terrain_info(c->terrain).cell > 0.0};
    out->far_hit = ri_arena_alloc(arena, n, sizeof *out->far_hit);
    out->far_age = ri_arena_alloc(arena, n, sizeof *out->far_age);
    out->pulls = ri_arena_alloc(arena, n, sizeof *out->pulls);
    out->normal = ri_arena_alloc(arena, n, sizeof *out->normal);
    out->gap = ri_arena_alloc(arena, n, sizeof *out->gap);
    out->last = ri_arena_alloc(arena, n, sizeof *out->last);
    out->load = ri_arena_alloc(arena, n, sizeof *out->load);
    out->no_normals = ri_arena_alloc(arena, (size_t)c->state_first[c->feature_count] + 1, sizeof *out->no_normals);
    if (!out->no_normals || !out->load || !out->normal || !out->far_hit || !out->far_age || !out->pulls || !out->gap ||
        !out->last)
        return ri_error_memory(c->ctx);
    return ri_touch_work_create(arena, c, &out->work);
}

RiStatus ri_puller_add_springs(const RiPuller *p, RiSim *scratch)
{
    for (int i = 0; i < p->contacts->feature_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "pull_%d", i);
        const RiSpringDef def = {.name = name, .link = scratch->m->links[p->contacts->features[i].link].name};
        RI_TRY(ri_sim_add_spring(scratch, &def));
    }
    return RI_OK;
}

void ri_puller_set_load(RiPuller *p, double load)
{
    for (int i = 0; i < p->contacts->feature_count; i++)
        p->load[i] = load;
}

/// The nearest ground in 26 directions.
static bool look_around(const RiTerrain *t, RiVec3 from, RiVec3 *out_hit)
{
    double best = LOOK_FAR;
    bool found = false;
    for (int i = 0; i < 27; i++) {
        const RiVec3 way = ri_vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        const double size = ri_norm(way);
        RiTerrainHit hit;
        if (size == 0.0 || !ri_terrain_ray(t, from, ri_scale(1.0 / size, way), best, &hit))
            continue;
        best = hit.range;
        *out_hit = hit.point;
        found = true;
    }
    return found;
}

/// Beyond the band: direction and distance of the ground that rays find.
static void correct_far(RiPuller *p, RiTouch *t)
{
    const int i = t->feature;
    RiSurface s;
    ri_terrain_query(p->contacts->terrain, t->point, &s);
    if (!(s.flags & RI_SURFACE_FAR) || s.distance <= 0.0) {
        p->far_age[i] = 0;
        return;
    }
    if (p->far_age[i] == 0 || p->far_age[i] > LOOK_AGAIN) {
        p->far_age[i] = 0;
        if (!look_around(p->contacts->terrain, t->point, &p->far_hit[i]))
            return;
    }
    p->far_age[i]++;
    const RiVec3 away = ri_sub(t->point, p->far_hit[i]);
    const double distance = ri_norm(away);
    if (distance <= 0.0)
        return;
    t->normal = ri_scale(1.0 / distance, away);
    t->depth = -distance;
}

/// Force towards the ground at a gap [N]; negative: out of it.
static double pull_at(const RiPuller *p, int feature, double gap)
{
    if (gap < 0.0 && p->push)
        return fmax(p->k * gap, -p->most);
    if (!p->meant[feature])
        return 0.0;
    return p->load[feature] + fmin(p->k * fmax(gap, 0.0), p->most);
}

void ri_puller_look(RiPuller *p, const RiSim *scratch)
{
    const RiVec3 *held = scratch->touches->held_normal ? scratch->touches->held_normal : p->no_normals;
    const int n = ri_contacts_find(p->contacts, scratch->d, EVERYWHERE, held, &p->work);
    p->pull_count = 0;
    for (int i = 0; i < p->contacts->feature_count; i++)
        p->gap[i] = EVERYWHERE;
    for (int k = 0; k < n; k++) {
        RiTouch *t = &p->work.touches[k];
        if (k > 0 && t->feature == t[-1].feature)
            continue; // the first touch of a feature is where it is pulled
        if (p->banded)
            correct_far(p, t);
        p->gap[t->feature] = -t->depth;
        p->normal[p->pull_count] = t->normal;
        p->pulls[p->pull_count++] = (RiPlacePull){.feature = t->feature, .point = t->point};
    }
    ri_puller_aim(p);
}

void ri_puller_aim(RiPuller *p)
{
    for (int k = 0; k < p->pull_count; k++) {
        RiPlacePull *x = &p->pulls[k];
        x->force = ri_scale(-pull_at(p, x->feature, p->gap[x->feature]), p->normal[k]);
    }
}

void ri_puller_release(RiSim *scratch)
{
    for (int i = 0; i < scratch->springs->count; i++)
        scratch->springs->items[i].stiffness = scratch->springs->items[i].damping = 0.0;
}

void ri_puller_pull(RiPuller *p, RiSim *scratch)
{
    ri_puller_release(scratch);
    for (int k = 0; k < p->pull_count; k++) {
        const RiPlacePull *x = &p->pulls[k];
        RiSpringSlot *s = &scratch->springs->items[x->feature];
        const RiPose link = ri_dyn_frame_pose(scratch->d, s->link);
        s->point = ri_rotate_back(&link.R, ri_sub(x->point, link.p));
        s->anchor = ri_add(x->point, ri_scale(1.0 / p->k, x->force));
        s->stiffness = ri_dot(x->force, x->force) > 0.0 ? p->k : 0.0;
        s->damping = p->c;
    }
}

void ri_puller_brake(const RiPuller *p, RiSim *scratch)
{
    ri_puller_release(scratch);
    for (int k = 0; k < p->pull_count; k++) {
        RiSpringSlot *s = &scratch->springs->items[p->pulls[k].feature];
        const RiPose link = ri_dyn_frame_pose(scratch->d, s->link);
        s->point = ri_rotate_back(&link.R, ri_sub(p->pulls[k].point, link.p));
        s->anchor = p->pulls[k].point;
        s->damping = p->c;
    }
}

double ri_puller_speed(const RiPuller *p, const RiSim *scratch)
{
    double fastest = 0.0;
    for (int l = 0; l < p->contacts->link_count; l++) {
        const RiContactLink *x = &p->contacts->links[l];
        const RiSpatial twist = ri_dyn_frame_velocity(scratch->d, x->link);
        const RiPose pose = ri_dyn_frame_pose(scratch->d, x->link);
        for (int i = x->first; i < x->first + x->count; i++) {
            const RiVec3 arm = ri_sub(p->work.centres[i], pose.p);
            fastest = fmax(fastest, ri_norm(ri_add(twist.lin, ri_cross(twist.ang, arm))));
        }
    }
    return fastest;
}

void ri_puller_mark(RiPuller *p)
{
    for (int i = 0; i < p->contacts->feature_count; i++)
        p->last[i] = p->work.centres[i];
}

double ri_puller_moved(const RiPuller *p)
{
    double farthest = 0.0;
    for (int i = 0; i < p->contacts->feature_count; i++)
        farthest = fmax(farthest, ri_norm(ri_sub(p->work.centres[i], p->last[i])));
    return farthest;
}
