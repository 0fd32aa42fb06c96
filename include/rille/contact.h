// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact: where a robot can touch the ground, and the forces there.
///
///     spec (screws, wheels, contact points, shapes) --> features --(terrain)--> touches --(laws per material pair)--> forces
///                                                   --> hulls --(each other)--^
///
/// Two back-ends: **points**, where links touch the ground only, and **hulls**, where every link is
/// also one or more convex hulls and links touch each other (docs/theory/hulls.md).
///
/// A **feature** is a part of a link that may touch: a fixed point, a sphere, or a circle (the rim
/// of a wheel, a turn of a screw's thread). A circle touches with its point nearest to the ground.
/// Friction is a spring-damper between the touching point and the ground; its deflection is part of
/// the state, and it slides when its force reaches the limit of the law. At rest it holds without
/// creep; while sliding it equals the law. Equations: docs/theory/contact.md.
///
/// Threads and ownership: a contact set is immutable once created and may be shared; it keeps
/// pointers to the terrain, which must outlive it. States belong to the simulation.
#ifndef RILLE_CONTACT_H
#define RILLE_CONTACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rille/ground.h>
#include <rille/model.h>
#include <rille/spec.h>
#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RiLawKind {
    RI_LAW_COULOMB,  ///< isotropic
    RI_LAW_STRIBECK, ///< isotropic, friction falls from `friction_static` to `friction` with sliding speed
    RI_LAW_SCREW,    ///< anisotropic screw-ice: `friction` along the thread, `friction` times E across it
    RI_LAW_TERZAGHI, ///< wheels on soil: traction limited by soil mechanics, slip below the limit (docs/theory/roams.md)
    RI_LAW_PLUGIN,   ///< of a shared object (rille/plugin.h): RiContactOptions.uses
    RI_LAW_COUNT
} RiLawKind;
/// Name of a law as scene files give it ("coulomb"); never NULL.
const char *ri_law_name(RiLawKind kind);

/// The law between two materials.
typedef struct RiPairDef {
    const char *robot;  ///< glob over the feature's material, its own name and its link's name; NULL: "*"
    const char *ground; ///< glob over the terrain's material; NULL: "*"
    /// Glob over the material, name and link of the other hull: a law between two links, `ground`
    /// is ignored; NULL: with the ground
    const char *with;
    const char *name; ///< for named values (`contact.NAME.friction`); NULL: from `robot` and `ground`
    RiLawKind law;
    double stiffness; ///< normal [N/m]
    double damping;   ///< normal [N s/m]
    double soft;      ///< depth over which damping is phased in [m]; 0: at once
    /// [-]; NAN, the default: the smaller value of the two materials that meet
    double friction;
    double restitution; ///< RI_METHOD_MOREAU: of Newton's impact law, 0 to 1; others have stiffness and damping [-]
    /// RI_METHOD_MOREAU: pull that each touching point withstands before it separates [N]; default 0.
    /// Not available with events and RI_LAW_TERZAGHI.
    double adhesion;
    double friction_static; ///< RI_LAW_STRIBECK [-]; NAN: 0.6, or 1.2 times a friction from materials
    double stribeck_speed;  ///< RI_LAW_STRIBECK [m/s]
    double viscous;         ///< added to the friction coefficient per sliding speed [s/m]
    double stick_stiffness; ///< tangential [N/m]; NAN: half of the normal one; 0: no deflection, regularised by `creep`
    double stick_damping;   ///< tangential [N s/m]; NAN: as the normal one
    double creep;           ///< speed below which friction without deflection is viscous [m/s]
    double e0, e1;          ///< RI_LAW_SCREW: E = e0 + e1 F_n [-, 1/N]
    double e_min, e_max;    ///< bounds of E
    double backward;        ///< RI_LAW_SCREW: factor of E where the thread is dragged backwards [-]; 1: symmetric
    // RI_LAW_TERZAGHI; of the first three NAN means: as the soil that the terrain has there
    double density;            ///< [kg/m^3]
    double friction_angle;     ///< internal [rad]
    double cohesion;           ///< [Pa]
    double rolling_resistance; ///< force at the hub against rolling, per normal force [-]
    double slip_transition;    ///< slip at which 63 % of the traction is reached [-]
    double sigma_max;          ///< largest relative standard deviation of slip_transition from place to place [-]
    double sigma_slope;        ///< its growth with the squared tangent of the ground's inclination [-]
    double patch;              ///< size of places that differ [m]
    /// RI_LAW_SCREW: depth of the thread's edge, part of the thread's height, at which all of E
    /// acts; 0: any
    double engagement;
    /// RI_LAW_SCREW: of the thread's edge [m]; an edge less deep than wide is reported as blunt; 0:
    /// sharp
    double edge_width;
    RiSource source;
} RiPairDef;
/// The defaults that its fields name.
RiPairDef ri_pair_default(void);

/// A law of a plugin with its numbers, as a pair of RI_LAW_PLUGIN uses it. Both must outlive the
/// contacts.
typedef struct RiLawUse {
    const struct RiContactPlugin *plugin; ///< NULL: the pair has another law
    const double *numbers;                ///< one for each option
} RiLawUse;

/// Friction if neither material is known.
#define RI_FRICTION_UNKNOWN 0.5

/// What decides the friction of a pair (docs/contact.md).
typedef enum RiFrictionFrom {
    RI_FRICTION_FROM_PAIR,   ///< the pair gives it, or its law has its own
    RI_FRICTION_FROM_ROBOT,  ///< the robot's material; of two links the first one's
    RI_FRICTION_FROM_OTHER,  ///< the ground's material, or the other link's
    RI_FRICTION_FROM_NOTHING ///< neither is known: RI_FRICTION_UNKNOWN
} RiFrictionFrom;

typedef enum RiFeatureKind { RI_FEATURE_POINT, RI_FEATURE_SPHERE, RI_FEATURE_CIRCLE } RiFeatureKind;

/// A part of a link that may touch the ground.
typedef struct RiFeature {
    RiFeatureKind kind;
    int link;
    RiVec3 centre;    ///< in the link frame [m]
    RiVec3 hub;       ///< a point on the axis of the screw that a point belongs to, in the link frame [m]
    RiVec3 axis;      ///< of the circle, or of the screw that a point belongs to; in the link frame, unit
    double radius;    ///< of the sphere or circle; 0 for a point [m]
    double tube;      ///< of the circle's rounding across its plane, part of the radius [m]
    int touches;      ///< number of places in which it may touch at once
    double width;     ///< of the part of a wheel that this circle carries [m]; 0: not a wheel
    double lead_tan;  ///< tangent of the thread's lead angle with the sign of its hand; 0: no thread
    double height;    ///< of the thread, from shank to edge [m]; 0: no thread, or not known
    double edges;     ///< turns of the thread that this feature represents
    double span;      ///< length along the axis that it represents [m]
    const char *name; ///< of the screw, wheel, point or shape it comes from
    const char *material;
    bool shape;       ///< it comes from a collision shape
    double crown;     ///< of a wheel: radius of its tread across its width; 0: flat [m]
    double low, high; ///< of a crowned wheel: the part of its width that this circle represents, from `centre` [m]
} RiFeature;

typedef enum RiScrewPoints {
    RI_SCREW_ENVELOPE, ///< circles on the cylinder of the thread's edge: smooth, few
    RI_SCREW_THREAD    ///< points fixed on the edges of the thread
} RiScrewPoints;

typedef enum RiBackEnd {
    RI_BACK_END_POINTS, ///< features against the ground; links do not touch each other
    RI_BACK_END_HULLS   ///< and convex hulls against each other
} RiBackEnd;

typedef enum RiMeshPoints {
    RI_MESH_HULL,   ///< corners of the mesh's hull
    RI_MESH_SURFACE ///< corners and centres of its triangles: concave parts also touch
} RiMeshPoints;

/// Two links, by globs over their names.
typedef struct RiLinkPair {
    const char *a, *b;
} RiLinkPair;

/// A collision mesh that has been loaded, known by the path of its shapes.
typedef struct RiContactMesh {
    const char *path;
    const RiVec3 *points;
    const uint32_t (*triangles)[3];
    int point_count, triangle_count;
} RiContactMesh;

typedef struct RiContactOptions {
    RiScrewPoints screw_points;
    int screw_stations; ///< circles per screw; 0, the default: 2 and one more for each diameter of its length
    int thread_points;  ///< points per turn of each thread; default 24
    int wheel_stations; ///< circles per wheel; default 2
    int wheel_touches;  ///< places where a wheel's circle may touch at once, 1 to 4; default 3: ground and steps
    int screw_touches;  ///< the same for a screw's; default 1
    int shape_stations; ///< circles per collision cylinder, spheres per capsule, at least; default 3
    /// Largest distance between the points of a box, the circles of a cylinder and the spheres of a
    /// capsule on ground that is not flat [m]; 0, the default: a quarter of the shape's longest
    /// side, for cylinders and capsules at least their diameter. On a plane a box touches with its
    /// corners.
    double shape_spacing;
    bool shapes;     ///< collision shapes of links without screw, wheel or contact point also touch; default true
    int mesh_points; ///< points of a collision mesh that touch the ground, spread evenly; default 48
    RiMeshPoints mesh_placement;
    const RiContactMesh *meshes; ///< of all collision meshes that touch; see ri_contact_meshes_load (rille/mesh.h)
    int mesh_count;

    RiBackEnd back_end;
    bool self;             ///< RI_BACK_END_HULLS: links touch each other; default true
    int hulls;             ///< largest number of hulls of a mesh; default 32
    double hull_tolerance; ///< how far hulls may fill a mesh's hollows [m]; 0, the default: 3 % of its box's diagonal
    int hull_corners;      ///< of a mesh's hull, 4 to 64; default 48
    int hull_sides; ///< of the prism that represents a cylinder, wheel or short screw for other links, 8 to 32; default 32
    int pair_room;             ///< pairs of hulls that may touch at once; 0, the default: four per hull, at least 16
    const RiLinkPair *ignore;  ///< links that do not touch each other
    const RiLinkPair *collide; ///< links that do, though they are joined or touch in the initial configuration
    int ignore_count, collide_count;

    const RiPairDef *pairs; ///< the first match applies; ri_pair_default where none matches
    int pair_count;
    const RiLawUse *uses; ///< [pair_count] of pairs with RI_LAW_PLUGIN; NULL: there are none
    /// Library in which materials are looked up for their friction; NULL: that of the terrain's
    /// soil map, if it has one. Used by ri_contacts_create only.
    const RiSoils *materials;
    RiVec3 gravity;          ///< for the weight of soil and what is steep [m/s^2]; default 9.81 downwards
    unsigned long long seed; ///< of the soil's scatter; default 1
} RiContactOptions;
/// The defaults that its fields name.
RiContactOptions ri_contact_options_default(void);

typedef struct RiContacts RiContacts;
/// Features of a robot and the laws between them and a terrain; hulls of its links and the laws
/// between those. Without terrain (NULL) only hulls touch. RI_ERR_ARGUMENT names the pair, screw or
/// shape that is invalid, RI_ERR_LIMIT the mesh that needs too many hulls.
RI_MUST_CHECK RiStatus ri_contacts_create(RiContext *ctx, const RiSpec *spec, const RiModel *model,
                                          const RiTerrain *terrain, const RiContactOptions *options,
                                          RiContacts **out_contacts);
/// Destroys it; NULL does nothing.
void ri_contacts_destroy(RiContacts *c);
/// Number of features that may touch the ground.
int ri_contacts_feature_count(const RiContacts *c);
/// Feature by index; borrowed, valid with the contacts.
const RiFeature *ri_contacts_feature(const RiContacts *c, int feature);
/// The terrain that the features touch; NULL: there is none.
const RiTerrain *ri_contacts_terrain(const RiContacts *c);
/// The law between a feature and a material of the terrain.
const RiPairDef *ri_contacts_pair(const RiContacts *c, int feature, int ground);
/// The law of a plugin that a pair has; NULL: it has another law.
const struct RiContactPlugin *ri_contacts_pair_plugin(const RiContacts *c, const RiPairDef *pair);

/// Index of the options' pair that the law comes from; -1: the default pair.
int ri_contacts_pair_given(const RiContacts *c, int feature, int ground);
/// Where the friction of that pair comes from.
RiFrictionFrom ri_contacts_friction_from(const RiContacts *c, int feature, int ground);
/// The name of a law in named values: "screw_ice" of `contact.screw_ice.friction`.
void ri_contacts_pair_name(const RiContacts *c, const RiPairDef *pair, char *out, size_t size);

/// A convex hull that touches other hulls.
typedef struct RiHullInfo {
    int link;
    const char *name, *material; ///< of the screw, wheel or shape it comes from
    int corner_count, face_count;
    double radius; ///< of the ball that sweeps it: spheres and capsules [m]
    double volume; ///< without that [m^3]
} RiHullInfo;
/// Number of hulls; 0 with RI_BACK_END_POINTS.
int ri_contacts_hull_count(const RiContacts *c);
/// Facts about a hull; its strings are borrowed.
RiHullInfo ri_contacts_hull(const RiContacts *c, int hull);
/// The law between two hulls; NULL: they do not touch each other.
const RiPairDef *ri_contacts_hull_pair(const RiContacts *c, int a, int b);
/// Where the friction between two hulls comes from.
RiFrictionFrom ri_contacts_hull_friction_from(const RiContacts *c, int a, int b);

/// A feature that touches the ground, or a hull that touches another, as a simulation reports it.
typedef struct RiTouchInfo {
    int feature; ///< -1: a touch of two hulls
    int link;
    int other;            ///< the other link; -1: the ground
    int hull, other_hull; ///< -1: a touch with the ground
    RiVec3 point;         ///< of the feature; between two hulls half-way between their surfaces [m]
    RiVec3 normal;        ///< of the ground into free space; from the other link to this one
    double depth;         ///< [m]
    double pressing;      ///< normal force [N]
    RiVec3 force;         ///< on the link; the other one gets the opposite [N]
    RiVec3 slip;          ///< velocity of the touching point along the ground, or over the other link [m/s]
    bool sliding;
    int ground; ///< material of the terrain; -1: a touch of two hulls
    // of a wheel under RI_LAW_TERZAGHI, zero otherwise
    double sinkage;    ///< as estimated from the load [m]
    double traction;   ///< largest that the soil gives [N]
    double slip_ratio; ///< 1 - v / (r w) driving, r w / v - 1 braking [-]
    double slip_angle; ///< from where the wheel heads to where its hub goes [rad]
} RiTouchInfo;

#ifdef __cplusplus
}
#endif
#endif
