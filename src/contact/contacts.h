// SPDX-License-Identifier: Apache-2.0
/// \file
/// The contact set's inside, and one step's work on it: find touches, evaluate laws.
///
/// **What a stepper gets.** ri_contacts_find gives the touches with the ground,
/// ri_contacts_find_pairs appends those between two links. Either way a touch (RiTouch) is, for any
/// method of time stepping:
///
/// - gap: -depth; normal: into the first body (from the ground, or from the second body);
/// - bodies: links[slot] and, unless `other` is -1 (the ground), links[other];
/// - points: `arm` from the origin of the first body's region, `other_arm` from that of the second:
///   one point in space for both, half-way between their surfaces, so that a force and its reaction
///   have no moment. The surfaces' own points are point + 1/2 depth normal of the second body and
///   point - 1/2 depth normal of the first one;
/// - velocity: `v` of the first body's material at the point relative to the second's, and `rate`,
///   the part of its derivative without accelerations;
/// - identity: `place` is its place among all, the same from step to step as long as it lasts;
///   `feature` or `solid` and `other_solid` say what touches;
/// - law: `pair`.
#ifndef RI_CONTACT_CONTACTS_H
#define RI_CONTACT_CONTACTS_H

#include <rille/contact.h>
#include <rille/ground.h>
#include <rille/plugin.h>

#include "base/memory.h"
#include "contact/hull.h"
#include "contact/terzaghi.h"
#include "dynamics/dyn.h"

/// Features of one link are side by side.
typedef struct RiContactLink {
    int link, body, first, count;
    bool shaped;   ///< has nothing but collision shapes: it is usually far from the ground
    RiVec3 centre; ///< of a ball around its features, in the body's frame
    double radius; ///< of that ball [m]
} RiContactLink;

/// A feature's place in its body's frame.
typedef struct RiFeaturePlace {
    RiVec3 centre, axis, hub;
} RiFeaturePlace;

/// A hull of a link, in its body's frame.
typedef struct RiSolid {
    RiHull hull;
    int link, body, slot;
    int shape;       ///< of the spec; -1: a screw or wheel
    int first_point; ///< of its points among those of all solids
    const char *name, *material;
} RiSolid;

/// Touches of one pair of solids as they were in the last step; part of the state. a == b: unused.
typedef struct RiPairSlot {
    int a, b;
    int used;            ///< bits of the places that touched
    RiVec3 axis;         ///< normal, from b to a
    RiVec3 at[RI_MEETS]; ///< points that touched, in the frame of a's body
} RiPairSlot;

/// Where a pair's friction comes from. Variants of a pair differ in friction only.
typedef struct RiPairOrigin {
    int given;        ///< the pair that it is a variant of
    bool open;        ///< friction comes from the materials that meet,
    bool open_static; ///< and so does that at rest
    bool met;         ///< some materials have decided
} RiPairOrigin;

struct RiContacts {
    RiContext *ctx;
    RiArena arena;
    const RiTerrain *terrain;
    RiFeature *features;
    int feature_count, feature_room;
    RiFeaturePlace *places; ///< [feature]
    RiContactLink *links;
    int link_count;        ///< with features: those with shapes only come last,
    int shaped_first;      ///< from this one on
    int slot_count;        ///< and those that have hulls only, behind them
    RiPairDef *pairs;      ///< those given, the default one, then variants of both by friction
    RiPairOrigin *origins; ///< [pair]
    int pair_count, pair_space;
    int given;         ///< pairs of the options; the default one is behind them
    RiLawUse *uses;    ///< [given + 1] laws of plugins; NULL: there are none
    int *pair_of;      ///< [feature][ground material]
    uint8_t *from_of;  ///< [feature][ground material] RiFrictionFrom
    RiBearing *soils;  ///< [pair][ground material] of RI_LAW_TERZAGHI
    uint64_t slip_key; ///< of the scatter from place to place
    RiVec3 up;         ///< against gravity, unit; zero without
    int *state_first;  ///< [feature + 1] first place of a feature's touches among all
    int *feature_of;   ///< [place]
    int state_count;   ///< places of features, then RI_MEETS for each of pair_room
    int ground_count;
    bool flat;        ///< the ground is a half-space
    double lipschitz; ///< distances to the ground may be too large by this factor
    bool by_heights;  ///< the terrain is a height field without walls: where wheels may touch shows from heights
    double cell;      ///< finest resolution of the ground [m]; 0: it has none
    RiSolid *solids;
    int solid_count, solid_room;
    int point_total;    ///< of all solids
    int16_t *law_of;    ///< [solid][solid] pair; -1: they do not touch
    uint8_t *law_from;  ///< [solid][solid] RiFrictionFrom
    int pair_room;      ///< 0: links do not touch each other
    int pair_first;     ///< first place of pairs
    RiVec3 *mesh_nodes; ///< scratch of create
};

/// A wheel on soil at the beginning of a step.
typedef struct RiRolling {
    const RiBearing *soil; ///< NULL: not under RI_LAW_TERZAGHI
    double radius, width;
    RiVec3 hub, arm;   ///< its hub in the world, and from the origin of the body's region [m]
    RiVec3 v, rate;    ///< of the hub, as those of a touch
    RiVec3 ahead;      ///< unit, where it rolls: in the ground's plane and the wheel's
    double speed;      ///< of its rim against the hub, along `ahead` [m/s]
    double renewed;    ///< how fast new soil comes under it: the larger one of hub's and rim's speed [m/s]
    double transition; ///< slip_transition as it is here
} RiRolling;

/// What the rest of the program asks about a contact law, besides its formulas. One row per
/// RiLawKind in law.c; nothing else compares law kinds, except the formulas there, by switch.
typedef struct RiLawRow {
    const char *name;
    bool threads; ///< friction may depend on the direction of a thread: ri_touch_anisotropy
    bool rolls;   ///< for wheels on soil only: traction by soil mechanics, and slip at any force (RiRolling)
} RiLawRow;
extern const RiLawRow ri_laws[]; ///< [RI_LAW_COUNT]
enum { RI_LAW_LIST_ROOM = 200 };
/// Writes the names of the laws of hard ground, those that do not roll: "coulomb, stribeck or
/// screw".
void ri_law_list_hard(char out[RI_LAW_LIST_ROOM]);

/// A number of a pair.
typedef struct RiPairField {
    const char *name;
    size_t at; ///< in RiPairDef
    const char *unit, *doc;
    double low, high; ///< allowed
    unsigned laws;    ///< bits of the laws that read it
} RiPairField;
/// Least value of what must be above zero.
#define RI_ABOVE_ZERO 1e-12
enum { RI_PAIR_NAME = 100 }; ///< longest name of a pair [bytes]
const RiPairField *ri_pair_fields(int *out_count);
static inline double *ri_pair_number(RiPairDef *p, const RiPairField *f)
{
    return (double *)(void *)((char *)p + f->at);
}
static inline double ri_pair_get(const RiPairDef *p, const RiPairField *f)
{
    return *(const double *)(const void *)((const char *)p + f->at);
}
/// RI_ERR_ARGUMENT names the field that is outside its limits or contradicts another one.
RI_MUST_CHECK RiStatus ri_pair_check(RiContext *ctx, const RiPairDef *p);
/// The name of a pair among named values: its own, or the words of its globs ("screw_ice"), or
/// "any"; a second pair of the same name is numbered.
void ri_pair_name(const RiPairDef *pairs, int index, char *out, size_t size);

/// A feature near the ground at the current state.
typedef struct RiTouch {
    int feature; ///< -1: two solids
    int place;   ///< among all places of touches: its deflection is kept there
    int slot;    ///< of its link, in RiContacts.links
    int other;   ///< the same of the other link; -1: the ground
    int solid, other_solid;
    bool fresh;       ///< nothing touched in its place before: the stored value is not its deflection
    RiVec3 other_arm; ///< from the origin of the other body's region
    const RiPairDef *pair;
    const RiLawUse *use; ///< of RI_LAW_PLUGIN
    RiVec3 point;        ///< of the feature nearest to the ground [m]
    RiVec3 arm;          ///< the same from the origin of the body's region
    RiVec3 normal;       ///< of the ground there
    double depth;        ///< negative: a gap [m]
    RiVec3 v;            ///< velocity of the robot's material at the point [m/s]
    RiVec3 rate;         ///< the part of that velocity's rate that no joint acceleration gives [m/s^2]
    RiVec3 thread;       ///< unit, across the thread in the ground's plane; zero without a thread
    double edge;         ///< depth of the point below the ground as it was [m]: more than `depth` where ice has melted
    double height;       ///< of the thread [m]; 0: not known
    double recede;       ///< speed at which the ground goes away by melting [m/s]
    int ground;
    RiRolling roll;
} RiTouch;

/// How a link with features moves.
typedef struct RiBodyMotion {
    RiMat3 R;
    RiVec3 p;      ///< of the body's frame, from the region's origin
    RiVec3 origin; ///< of the region
    RiVec3 w, v;   ///< angular velocity, and velocity at the region's origin
} RiBodyMotion;

/// Two solids found to meet.
typedef struct RiFound {
    int a, b, slot, count;
    RiVec3 axis;
    RiMeet meets[RI_MEETS];
} RiFound;

/// Working memory for pairs.
typedef struct RiPairWork {
    RiVec3 *points;     ///< of all solids, in the world
    bool *placed;       ///< [solid]
    RiVec3 *low, *high; ///< boxes
    int *order;         ///< solids along the axis of the sweep
    RiFound *found;     ///< [pair_room]
    RiPairSlot *next;   ///< [pair_room] what becomes of the state's slots if the step is taken
    int *table;         ///< slots by pair, open addressing
    bool *taken;        ///< [pair_room]
    int table_size, found_count;
    bool full; ///< some pair was left out
} RiPairWork;

/// Where a link was when its distance to the ground was last measured. A link that has moved less
/// than that distance touches nothing: the answer is the same as that of a search, whatever was
/// remembered.
typedef struct RiReach {
    RiVec3 centre; ///< of the link's ball, in the world
    RiMat3 R;
    double window,
        above;    ///< it may go sideways by this, and down or turn by that, above all ground around [m]; 0: not known
    double clear; ///< a lower bound of the distance of its features to the ground [m]; negative: not known
    bool far;     ///< at the current state
} RiReach;

/// The circle of a wheel that its tread rolls on: with the rounding around it, it touches the tread
/// from inside where a plane of a certain lean would (wheel_round.c).
typedef struct RiRound {
    RiVec3 centre; ///< [m]
    double radius; ///< without the rounding [m]
} RiRound;

/// Working memory of one simulation: enough for every feature at once.
typedef struct RiTouchWork {
    RiTouch *touches, *all;
    RiVec3 *points;
    RiSurface *surfaces;
    RiVec3 *centres, *axes;
    RiRound *rounds;      ///< [feature] of circles near the ground
    RiBodyMotion *motion; ///< [slot]
    RiReach *reach;       ///< [slot]
    bool *skipped;        ///< [feature] that another law answers for wherever it touches the ground
    double same;          ///< cosine between the directions of two touches of a circle beyond which they are one
    RiPairWork pairs;
} RiTouchWork;

RI_MUST_CHECK RiStatus ri_touch_work_create(RiArena *arena, const RiContacts *c, RiTouchWork *out);
RI_MUST_CHECK RiStatus ri_pair_work_create(RiArena *arena, const RiContacts *c, RiPairWork *out);

/// Features that touch or come nearer than `margin`, in order of features. Needs update_velocity.
/// The link poses come from d. `held` are the normals of the last touches in all places, zero where
/// there was none.
int ri_contacts_find(const RiContacts *c, const RiDyn *d, double margin, const RiVec3 *held, RiTouchWork *work);

/// Appends to `count` touches of ri_contacts_find those between links that are nearer than
/// `margin`. `pool` is as the last step left it ([pair_room]); its next content is in
/// work->pairs.next. A pure function of pool and configuration. Returns how many touches there are
/// in all.
int ri_contacts_find_pairs(const RiContacts *c, double margin, const RiPairSlot *pool, RiTouchWork *work, int count);

// materials.c: friction of materials

/// Friction that a material of the library limits a contact to: mu, or of a soil the tangent of its
/// friction angle. NAN: not known.
double ri_soil_contact_friction(const RiSoil *soil);
/// The soil that the terrain's map has on top in a material; NULL: none is known.
const RiSoil *ri_contacts_ground_soil(const RiTerrain *terrain, int ground);
/// The same of a robot's material by name, and of the ground's.
double ri_contacts_robot_friction(const RiContacts *c, const RiContactOptions *o, const char *material);
double ri_contacts_ground_friction(const RiContacts *c, const RiContactOptions *o, int ground);
RiFrictionFrom ri_friction_from(double robot, double other);
/// Copies the pairs and puts the default one behind them.
RI_MUST_CHECK RiStatus ri_contacts_keep_pairs(RiContacts *c, const RiPairDef *pairs, const RiLawUse *uses, int count);
/// The pair, or its variant, for two materials of such frictions (NAN: not known).
RI_MUST_CHECK RiStatus ri_contacts_vary(RiContacts *c, int given, double robot, double other, int *out_pair);

// features.c, solids.c: parts of ri_contacts_create
RI_MUST_CHECK RiStatus ri_contacts_add_solids(RiContacts *c, const RiSpec *spec, const RiModel *m,
                                              const RiContactOptions *o);
/// Points of a mesh shape's solids that are not within another one of them, or spread over the
/// mesh: [out_count], in the link frame, valid until the next call.
RI_MUST_CHECK RiStatus ri_contacts_mesh_nodes(RiContacts *c, const RiContactOptions *o, const RiSpec *spec, int shape,
                                              int *out_count);
/// Slots of solids, which of them touch each other, and by which law.
RI_MUST_CHECK RiStatus ri_contacts_join_solids(RiContacts *c, const RiModel *m, const RiContactOptions *o);

// wheel_round.c: the tread of a wheel

/// The rounded circle of feature i, its station on the axle at `centre`. `normal`: of the ground
/// nearest to that, where it is known.
void ri_wheel_round(const RiContacts *c, int i, RiVec3 centre, RiVec3 axis, const RiVec3 *normal, RiRound *out);

enum { RI_RIM_TOUCHES = 4 }; ///< of one circle, at most
/// The point of a circle nearest to ground of normal n.
RiVec3 ri_circle_lowest(RiVec3 centre, RiVec3 axis, double radius, RiVec3 n);
/// From the circle of radius - tube, with the distance there, to where the feature touches.
void ri_touch_tube(const RiFeature *f, RiVec3 *point, RiSurface *s);
/// Fills in a touch of feature i at a point whose surface is known.
void ri_touch_fill(const RiContacts *c, int i, int slot, const RiTouchWork *w, RiVec3 point, const RiSurface *s,
                   RiTouch *t);
/// Whether a circle's touches are found from the heights under it, all at once by ri_rim_touches.
bool ri_rim_by_heights(const RiContacts *c, int feature, RiVec3 axis);
/// The last normal of such a circle; NULL: it did not touch, or it is no such circle.
const RiVec3 *ri_rim_held(const RiContacts *c, int feature, RiVec3 axis, const RiVec3 *held);
/// Adds the further touches of circles to the first ones, which are in work->touches (of circles
/// over heights: a normal to start from), and gives all their places. Returns how many there are.
int ri_rim_touches(const RiContacts *c, double margin, const RiVec3 *held, RiTouchWork *work, int count);

/// Force of a law, linearised: at a velocity v + dv of the point (after a step of length h,
/// deflection and depth moved along) it is force - slope dv.
typedef struct RiTouchForce {
    RiVec3 force;
    double along_n, flat, along_e; ///< slope = flat 1 + along_n n n^T + along_e e e^T, positive semi-definite [N s/m]
    double pressing;               ///< normal part at v [N]
    double limit;                  ///< of friction or traction [N]
    double sinkage;                ///< RI_LAW_TERZAGHI [m]
    double drag;                   ///< RI_LAW_TERZAGHI: rolling resistance per speed of the hub ahead [N s/m]
    double E;                      ///< anisotropy used
    double gain;                   ///< part of the stick force that the limit allows, 1: sticking
} RiTouchForce;

/// slope x
static inline RiVec3 ri_touch_slope(const RiTouch *t, const RiTouchForce *f, RiVec3 x)
{
    const double n = f->along_n * ri_dot(t->normal, x), e = f->along_e * ri_dot(t->thread, x);
    return ri_add(ri_scale(f->flat, x), ri_add(ri_scale(n, t->normal), ri_scale(e, t->thread)));
}

/// Coefficient of friction of a touch that presses with a force and slides at a speed. `use` is
/// looked at for RI_LAW_PLUGIN only.
double ri_pair_friction(const RiPairDef *p, const RiLawUse *use, double pressing, double speed);
/// The coefficient that a touch at rest may use up.
double ri_pair_friction_at_rest(const RiPairDef *p, const RiLawUse *use, double pressing);
/// The use of a pair by its number; NULL: it has no law of a plugin.
static inline const RiLawUse *ri_contacts_use(const RiContacts *c, const RiLawUse *uses, int pair)
{
    return uses ? &uses[c->origins[pair].given] : NULL;
}
/// E of a thread that presses with a force, slides nowhere and is engaged to its full height.
double ri_pair_anisotropy(const RiPairDef *p, const RiLawUse *use, double pressing);
/// Normal force of a touch that does not move [N].
double ri_touch_pressed(const RiTouch *t);
/// E of a thread that presses with a force and slides with v; 1 without a thread.
double ri_touch_anisotropy(const RiTouch *t, double pressing, RiVec3 v);
/// The law of a touch at the end of a step of length h (0: now), linearised about the velocity v:
/// friction by its secant. `xi` is the stick deflection.
RiTouchForce ri_touch_force(const RiTouch *t, RiVec3 v, RiVec3 xi, double h);
/// How far the share of the stick force that `f` allowed is from the one that the velocity v at the
/// end of the step calls for, relative; 1 for a touch that would pull or was left out and presses.
double ri_touch_mismatch(const RiTouch *t, const RiTouchForce *f, RiVec3 v, RiVec3 xi, double h);
/// Deflection at the end of a step of length h that ended with the point's velocity v, for the
/// limit of `f`.
RiVec3 ri_touch_deflect(const RiTouch *t, const RiTouchForce *f, RiVec3 v, RiVec3 xi, double h);
/// Rate of the deflection, for methods that integrate it.
RiVec3 ri_touch_deflection_rate(const RiTouch *t, const RiTouchForce *f, RiVec3 v, RiVec3 xi);
/// Energy stored in the normal spring and in the deflection [J]; what anisotropy adds counts as
/// loss.
double ri_touch_energy(const RiTouch *t, RiVec3 xi);
/// Part of E - 1 that a thread whose edge is so deep in the ground has (docs/theory/engagement.md).
double ri_thread_engagement(double engagement, double edge, double height);
/// Power lost: what the force takes from the robot and the springs do not store [W].
double ri_touch_loss(const RiTouch *t, const RiTouchForce *f, RiVec3 v, RiVec3 xi, RiVec3 rate);

#endif
