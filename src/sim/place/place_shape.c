// SPDX-License-Identifier: Apache-2.0
/// \file
/// The first guess of a placement: a chain of bending and twisting joints laid along a curve.
///
/// The chain is the longest path of turning joints from the base outwards. A joint whose axis runs
/// along the straight chain twists, any other bends. Corners of the curve lie as far apart as the
/// axes of neighbouring bending joints. The chain is laid joint by joint: a twist brings the next
/// bending axis at right angles to the direction wanted next, a bend turns as far into that
/// direction as its axis and its limits let it, aiming from where the joint has come to lie, so
/// that what one joint cannot do the following ones make good. Tests: tests/sim/test_place.c.
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "sim/place/place.h"

/// Joint axes nearer to each other than this are one corner [m].
static const double CLOSE = 1e-6;
/// Cosine between axis and chain beyond which a joint twists.
static const double TWISTS = 0.7071;

const char *ri_place_shape_name(RiPlaceShape shape)
{
    static const char *const names[RI_PLACE_SHAPE_COUNT] = {"given", "straight", "crescent", "helix", "zigzag"};
    return (unsigned)shape < RI_PLACE_SHAPE_COUNT ? names[shape] : "unknown";
}

// --- chain ---------------------------------------------------------------------------------------

/// Whether a joint may be a part of the chain: it turns, and does not merely spin a screw or a
/// wheel.
static bool is_turning(const RiModel *m, const int *children, int joint)
{
    const RiJointInfo j = ri_model_joint(m, joint);
    if (j.parent_link < 0 || j.q_index < 0 || j.v_index < 0 || j.nq != 1)
        return false;
    return j.type == RI_JOINT_REVOLUTE || (j.type == RI_JOINT_CONTINUOUS && children[j.child_link] > 0);
}

/// Number of turning joints outwards of each link, and the joint that leads to the most. Links are
/// visited often enough for any order.
static void measure(const RiModel *m, const int *children, int *depth, int *next)
{
    const int joints = ri_model_joint_count(m);
    bool changed = true;
    for (int i = 0; i < ri_model_link_count(m); i++)
        next[i] = -1;
    while (changed) {
        changed = false;
        for (int i = 0; i < joints; i++) {
            const RiJointInfo j = ri_model_joint(m, i);
            if (j.parent_link < 0)
                continue;
            const int through = depth[j.child_link] + (is_turning(m, children, i) ? 1 : 0);
            if (through > depth[j.parent_link]) {
                depth[j.parent_link] = through;
                next[j.parent_link] = i;
                changed = true;
            }
        }
    }
}

/// The straight robot: chain joints at zero, a floating base at the origin.
static RiStatus straighten(const RiModel *m, const RiChain *chain, const double *q, double *straight, RiDyn *d)
{
    memcpy(straight, q, (size_t)ri_model_nq(m) * sizeof *q);
    for (int i = 0; i < chain->count; i++)
        straight[chain->joints[i].q] = 0.0;
    if (ri_model_is_floating(m)) {
        const RiJointInfo base = ri_model_joint(m, ri_model_joint_count(m) - 1);
        memcpy(straight + base.q_index, &(const double[7]){0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, 7 * sizeof *q);
    }
    return ri_dyn_update_position(d, straight);
}

/// How far the features that bear reach beyond the last bending joint: screws and wheels where
/// there are any, else shapes.
static double reach(const RiContacts *c, const RiDyn *d, RiVec3 from, RiVec3 along)
{
    double far = 0.0;
    const bool rolls = c->shaped_first > 0;
    for (int i = 0; i < c->feature_count; i++) {
        if (rolls && c->features[i].shape)
            continue;
        const RiPose pose = ri_dyn_frame_pose(d, c->features[i].link);
        far = fmax(far, ri_dot(along, ri_sub(ri_pose_point(&pose, c->features[i].centre), from)));
    }
    return far;
}

/// Places, axes and lengths of the straight chain.
static void locate(const RiModel *m, const RiContacts *c, const RiDyn *d, RiChain *chain)
{
    for (int i = 0; i < chain->count; i++) {
        RiChainJoint *x = &chain->joints[i];
        const RiJointInfo j = ri_model_joint(m, x->joint);
        const RiPose child = ri_dyn_frame_pose(d, j.child_link); // at zero its frame is the joint's
        x->origin = child.p;
        x->axis = ri_rotate(&child.R, j.spec->axis);
        x->lower = j.spec->has_limits ? j.spec->lower : -INFINITY;
        x->upper = j.spec->has_limits ? j.spec->upper : INFINITY;
    }
    const RiVec3 first = chain->joints[0].origin, last = chain->joints[chain->count - 1].origin;
    RiVec3 line = ri_sub(last, first);
    if (ri_norm(line) < CLOSE)
        line = ri_vec3(1.0, 0.0, 0.0);
    chain->along = ri_scale(1.0 / ri_norm(line), line);
    for (int i = 0; i < chain->count; i++) {
        chain->joints[i].bend = fabs(ri_dot(chain->joints[i].axis, chain->along)) < TWISTS;
        chain->bends += chain->joints[i].bend;
    }
    chain->start = ri_dyn_frame_pose(d, m->link_order[0]).p;
    RiVec3 end = first;
    for (int i = 0; i < chain->count; i++)
        if (chain->joints[i].bend)
            end = chain->joints[i].origin;
    const double length = ri_dot(chain->along, ri_sub(end, chain->start));
    chain->segment = chain->bends > 1 ? length / (chain->bends - 1) : fmax(length, reach(c, d, end, chain->along));
    chain->tip = fmax(reach(c, d, end, chain->along), 0.5 * chain->segment);
}

RiStatus ri_chain_find(RiArena *arena, RiContext *ctx, const RiModel *m, const RiContacts *c, const double *q,
                       RiChain *out)
{
    const size_t links = (size_t)ri_model_link_count(m), joints = (size_t)ri_model_joint_count(m);
    int *work = ri_arena_alloc(arena, 3 * links + 1, sizeof *work);
    double *straight = ri_arena_alloc(arena, (size_t)ri_model_nq(m) + 1, sizeof *straight);
    *out = (RiChain){.joints = ri_arena_alloc(arena, joints + 1, sizeof *out->joints), .along = {1.0, 0.0, 0.0}};
    if (!work || !out->joints || !straight)
        return ri_error_memory(ctx);
    int *children = work, *depth = work + links, *next = work + 2 * links;
    for (size_t i = 0; i < joints; i++)
        if (ri_model_joint(m, (int)i).parent_link >= 0)
            children[ri_model_joint(m, (int)i).parent_link]++;
    measure(m, children, depth, next);
    for (int link = m->link_order[0]; next[link] >= 0; link = ri_model_joint(m, next[link]).child_link) {
        const RiJointInfo j = ri_model_joint(m, next[link]);
        if (is_turning(m, children, next[link]))
            out->joints[out->count++] = (RiChainJoint){.joint = next[link], .q = j.q_index, .s = j.s_index};
    }
    if (!out->count)
        return RI_OK;
    RiDyn *d;
    RI_TRY(ri_dyn_create(ctx, m, &d));
    const RiStatus status = straighten(m, out, q, straight, d);
    if (status == RI_OK)
        locate(m, c, d, out);
    ri_dyn_destroy(d);
    return status;
}

// --- curves --------------------------------------------------------------------------------------

/// Angle by which a circular helix of this radius and pitch goes on over a chord: 4 R^2 sin^2(a/2)
/// + (P a / 2 pi)^2 = chord^2. Negative: it has none within half a turn.
static double helix_angle(double radius, double pitch, double chord)
{
    double low = 0.0, high = M_PI;
    const double rise = pitch / (2.0 * M_PI);
    if (ri_hypot(2.0 * radius, rise * M_PI) < chord)
        return -1.0;
    for (int i = 0; i < 60; i++) {
        const double a = 0.5 * (low + high);
        if (ri_hypot(2.0 * radius * ri_sin(0.5 * a), rise * a) < chord)
            low = a;
        else
            high = a;
    }
    return low;
}

static RiStatus wind(RiContext *ctx, const RiPlaceDef *def, RiCorners *c)
{
    const bool arc = def->shape == RI_PLACE_CRESCENT;
    const double side = def->left ? -1.0 : 1.0, R = def->radius, pitch = arc ? 0.0 : def->pitch;
    double a = 0.0;
    for (int i = 0; i < c->count; i++) {
        const RiVec3 round = ri_vec3(R * ri_cos(a), side * R * ri_sin(a), pitch * a / (2.0 * M_PI));
        c->at[i] = arc ? ri_vec3(R * ri_sin(a), side * R * (1.0 - ri_cos(a)), 0.0) : round;
        const double more = i + 1 < c->count ? helix_angle(R, pitch, c->length[i]) : 0.0;
        if (more < 0.0)
            return ri_error(
                ctx, RI_ERR_ARGUMENT,
                "a %s of radius %g m cannot be made of segments of %g m: they reach further than half a turn",
                ri_place_shape_name(def->shape), R, c->length[i]);
        a += more;
    }
    return RI_OK;
}

static RiStatus fold(RiContext *ctx, const RiPlaceDef *def, RiCorners *c)
{
    double side = -1.0, z = 0.0;
    c->at[0] = ri_vec3(-0.5 * def->width, 0.0, 0.0);
    for (int i = 0; i + 1 < c->count; side = -side) {
        double leg = 0.0, gone = 0.0;
        const int last = i + def->leg < c->count - 1 ? i + def->leg : c->count - 1;
        for (int k = i; k < last; k++)
            leg += c->length[k];
        const double full = leg * def->leg / (last - i); // a shorter last leg keeps the slope of the others
        if (!(full > def->width))
            return ri_error(
                ctx, RI_ERR_ARGUMENT,
                "a zig-zag %g m wide cannot be made of legs of %g m: width below that, or more segments to a leg",
                def->width, full);
        const double across = -side * def->width / full, up = sqrt(1.0 - across * across);
        for (; i < last; i++) {
            gone += c->length[i];
            c->at[i + 1] = ri_vec3(side * 0.5 * def->width + across * gone, 0.0, z + up * gone);
        }
        z += up * gone;
    }
    return RI_OK;
}

static RiStatus draw(RiContext *ctx, const RiPlaceDef *def, RiCorners *c)
{
    if (def->shape == RI_PLACE_ZIGZAG)
        return fold(ctx, def, c);
    if (def->shape != RI_PLACE_STRAIGHT)
        return wind(ctx, def, c);
    double x = 0.0;
    for (int i = 0; i < c->count; i++) {
        c->at[i] = ri_vec3(x, 0.0, 0.0);
        x += i + 1 < c->count ? c->length[i] : 0.0;
    }
    return RI_OK;
}

RiStatus ri_corners_create(RiArena *arena, const RiChain *chain, RiCorners *c)
{
    *c = (RiCorners){.at = ri_arena_alloc(arena, (size_t)chain->count + 2, sizeof *c->at),
                     .length = ri_arena_alloc(arena, (size_t)chain->count + 2, sizeof *c->length)};
    if (!c->at || !c->length)
        return ri_error_memory(arena->ctx);
    RiVec3 last = chain->start;
    for (int i = 0; i < chain->count; i++) {
        const double gone = ri_norm(ri_sub(chain->joints[i].origin, last));
        if (!chain->joints[i].bend || gone < CLOSE)
            continue;
        c->length[c->count++] = gone;
        last = chain->joints[i].origin;
    }
    c->length[c->count++] = chain->tip;
    c->count++;
    return RI_OK;
}

// --- laying --------------------------------------------------------------------------------------

static RiVec3 unit(RiVec3 x)
{
    const double size = ri_norm(x);
    return size > 0.0 ? ri_scale(1.0 / size, x) : ri_vec3(1.0, 0.0, 0.0);
}

static RiVec3 across(RiVec3 x, RiVec3 along)
{
    return ri_sub(x, ri_scale(ri_dot(x, along), along));
}

/// Angle about `axis` that brings a onto b.
static double angle_about(RiVec3 axis, RiVec3 a, RiVec3 b)
{
    const RiVec3 p = across(a, axis), r = across(b, axis);
    return ri_atan2(ri_dot(axis, ri_cross(p, r)), ri_dot(p, r));
}

static double bound(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/// Turns everything outward of a point.
static void turn(RiPose *T, RiVec3 point, RiVec3 axis, double angle)
{
    const RiMat3 R = ri_mat3_axis_angle(axis, angle);
    T->R = ri_mat3_mul(&R, &T->R);
    T->p = ri_add(point, ri_rotate(&R, ri_sub(T->p, point)));
}

typedef struct Layer {
    const RiChain *chain;
    const RiCorners *corners;
    RiPose T;     // from the straight chain to where its outward part lies
    double twist; // of the next twisting joint, where the curve leaves it free
    RiVec3 side;  // y of the shape
} Layer;

/// The corner that the segment after a bending joint leads to.
static int corner_after(const Layer *l, int joint)
{
    int corner = 0;
    RiVec3 last = l->chain->start;
    for (int i = 0; i <= joint; i++)
        if (l->chain->joints[i].bend && ri_norm(ri_sub(l->chain->joints[i].origin, last)) >= CLOSE) {
            corner++;
            last = l->chain->joints[i].origin;
        }
    return corner + 1 < l->corners->count ? corner + 1 : l->corners->count - 1;
}

static RiVec3 wanted(const Layer *l, int joint)
{
    const RiVec3 from = ri_pose_point(&l->T, l->chain->joints[joint].origin);
    return unit(ri_sub(l->corners->at[corner_after(l, joint)], from));
}

/// Angle about the chain that brings the axis of a bending joint at right angles to where its
/// segment shall go, by a quarter turn at most.
static double twist_for(const Layer *l, int joint)
{
    const RiVec3 t = ri_rotate(&l->T.R, l->chain->along), u = wanted(l, joint), normal = ri_cross(t, u);
    if (ri_norm(normal) < 1e-4)
        return 0.0;
    double a = angle_about(t, ri_rotate(&l->T.R, l->chain->joints[joint].axis), normal);
    if (a > 0.5 * M_PI + 1e-9)
        a -= M_PI;
    if (a < -0.5 * M_PI - 1e-9)
        a += M_PI;
    return a;
}

static int next_bend(const RiChain *chain, int from)
{
    for (int i = from; i < chain->count; i++)
        if (chain->joints[i].bend)
            return i;
    return -1;
}

/// The base: along the first segment, turned so that the first bending joint can do its part.
static void lay_base(Layer *l)
{
    const RiChain *chain = l->chain;
    const RiVec3 u = unit(ri_sub(l->corners->at[1], l->corners->at[0])), x = chain->along;
    const RiVec3 normal = ri_cross(x, u);
    const double size = ri_norm(normal);
    const RiVec3 side = fabs(x.z) < 0.9 ? ri_vec3(0.0, 0.0, 1.0) : ri_vec3(0.0, 1.0, 0.0);
    l->T = (RiPose){ri_mat3_identity(), ri_vec3(0.0, 0.0, 0.0)};
    if (size > 1e-12 || ri_dot(x, u) < 0.0)
        l->T.R = ri_mat3_axis_angle(size > 1e-12 ? ri_scale(1.0 / size, normal) : unit(across(side, x)),
                                    ri_atan2(size, ri_dot(x, u)));
    l->T.p = ri_sub(l->corners->at[0], ri_rotate(&l->T.R, chain->start));
    for (int i = next_bend(chain, 0); i >= 0; i = next_bend(chain, i + 1)) {
        const RiVec3 from = ri_pose_point(&l->T, chain->joints[i].origin);
        if (ri_norm(ri_cross(u, wanted(l, i))) < 1e-4)
            continue; // goes straight on
        turn(&l->T, from, u, twist_for(l, i));
        return;
    }
    const int bend =
        next_bend(chain, 0); // a straight one bends in the plane of x and z: its modules can follow the ground below
    turn(&l->T, l->corners->at[0], u, angle_about(u, ri_rotate(&l->T.R, chain->joints[bend].axis), l->side));
}

static void lay_joint(Layer *l, int i, double *q)
{
    const RiChainJoint *j = &l->chain->joints[i];
    const RiVec3 at = ri_pose_point(&l->T, j->origin), axis = ri_rotate(&l->T.R, j->axis);
    const RiVec3 t = ri_rotate(&l->T.R, l->chain->along);
    const int bend = j->bend ? i : next_bend(l->chain, i + 1);
    double angle = 0.0;
    if (j->bend)
        angle = angle_about(axis, t, wanted(l, i));
    else if (bend >= 0)
        angle = ri_dot(axis, t) > 0.0 ? twist_for(l, bend) : -twist_for(l, bend);
    if (!j->bend) {
        angle += l->twist;
        l->twist = -l->twist;
    }
    angle = bound(angle, j->lower, j->upper);
    q[j->q] = angle;
    turn(&l->T, at, axis, angle);
}

RiStatus ri_place_guess(RiContext *ctx, RiCorners *corners, const RiModel *m, const RiChain *chain,
                        const RiPlaceDef *def, double *q)
{
    if (def->shape == RI_PLACE_GIVEN)
        return RI_OK;
    if (!chain->bends || !ri_model_is_floating(m))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "shape '%s' needs a robot with a floating base and a chain of joints that bend",
                        ri_place_shape_name(def->shape));
    RI_TRY(draw(ctx, def, corners));
    for (int i = 0; i < corners->count; i++)
        corners->at[i] = ri_pose_point(&def->pose, corners->at[i]);
    Layer l = {.chain = chain,
               .corners = corners,
               .side = ri_rotate(&def->pose.R, ri_vec3(0.0, 1.0, 0.0)),
               .twist = def->shape == RI_PLACE_STRAIGHT ? def->twist : 0.0};
    lay_base(&l);
    const RiQuat e = ri_quat_from_mat3(&l.T.R);
    double *base = q + ri_model_joint(m, ri_model_joint_count(m) - 1).q_index;
    memcpy(base, &(const double[7]){l.T.p.x, l.T.p.y, l.T.p.z, e.w, e.x, e.y, e.z}, 7 * sizeof *q);
    for (int i = 0; i < chain->count; i++)
        lay_joint(&l, i, q);
    return RI_OK;
}
