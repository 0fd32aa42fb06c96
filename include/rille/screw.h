// SPDX-License-Identifier: Apache-2.0
/// \file
/// A screw drum on soft ground: a cylinder with helical blades that lies on soil, turns and drives
/// along its axis.
///
///     soil (ground.h) --(gravity, screw)--> RiScrewSoil
///     drum and thread ---------------------> RiSoilScrew
///     both --(slip, sinkage or load)-------> RiScrewForce: closed forms, on level ground
///     both, ground heights, velocities, memory --> RiScrewForce and its slopes: a step
///
/// Semi-empirical, in the setting of Nagaoka's terramechanics of Archimedean screws [nagaoka2010];
/// the equations are our own derivation (docs/theory/screw-soil.md): pressure-sinkage under the
/// drum and the blades' edges, Janosi's shear on the drum along the resultant slip, passive less
/// active pressure on the blades, both within the strength of the soil around them.
///
/// Screw frame: origin at the middle of the axis, x along the axis, z up, across it, in the plane
/// of the axis and the ground's normal. Angles are measured about the axis from -z, positive
/// towards +y. All forces act on the screw, at the origin, in this frame.
///
/// Threads and ownership: plain values, no allocation, no hidden state; everything may be called
/// from any thread.
#ifndef RILLE_SCREW_H
#define RILLE_SCREW_H

#include <rille/soil.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RI_SCREW_RUTS = 13,     ///< places across a screw at which its ground has ruts,
    RI_SCREW_RUT_ROOM = 16, ///< and with room for whole lanes
    RI_SCREW_STATION_MAX = 17,
    RI_SCREW_PATCH_MAX = 24,
    RI_SCREW_NODE_MAX = RI_SCREW_STATION_MAX * RI_SCREW_PATCH_MAX
};

/// A drum with helical blades.
typedef struct RiSoilScrew {
    double core, radius; ///< of the drum, and of the blades' edges [m]; equal: no blade
    double length, lead; ///< of the drum, and advance per turn [m]
    int hand, starts;    ///< +1 right, -1 left; parallel blades
    double edge;         ///< width of a blade's edge [m]
    /// Tangent of the friction angle of soil on the screw, as a share of that in the soil; adhesion
    /// likewise
    double friction;
    double dig;   ///< share of the soil between blades that they carry back with them where they slip: 0, none, to 1
    int stations; ///< along the axis: Chebyshev's points, both ends included
    int patches;  ///< across the contact, at equal angles
    double station_x[RI_SCREW_STATION_MAX];        ///< [m]
    double station_length[RI_SCREW_STATION_MAX];   ///< that each represents [m]
    double station_share[RI_SCREW_STATION_MAX][4]; ///< Lagrange's factors of the four stations from each on [1/m^3]
} RiSoilScrew;

/// With edges of 2 mm, a friction share of 2/3, blades that do not dig, 7 stations of 8 patches.
/// RI_ERR_ARGUMENT names the size that makes no sense.
RI_MUST_CHECK RiStatus ri_soil_screw_init(RiContext *ctx, double core, double radius, double length, double lead,
                                          int hand, int starts, RiSoilScrew *out_screw);
/// Other counts: stations odd, 5 to RI_SCREW_STATION_MAX; patches 4 to RI_SCREW_PATCH_MAX.
RI_MUST_CHECK RiStatus ri_soil_screw_cut(RiContext *ctx, int stations, int patches, RiSoilScrew *w);
/// Angle between the blade and the plane across the axis, at the middle of its height [rad]; 0
/// without blade.
double ri_soil_screw_angle(const RiSoilScrew *w);

/// A soil made ready for one screw. The drum presses like a plate as wide as its radius, an edge
/// like one of its own width.
typedef struct RiScrewSoil {
    RiSoilLaw law;  ///< of the drum; n1, a0, a1, ky, exit, bulldozing and coupled are not used
    RiSoilLaw edge; ///< of the edges' width: only its pressure is used; k = 0: no blade
} RiScrewSoil;
/// Prepares a soil for a screw under `gravity` [m/s^2]. RI_ERR_ARGUMENT names what is out of range.
RI_MUST_CHECK RiStatus ri_screw_soil_init(RiContext *ctx, const RiSoil *soil, const RiSoilScrew *w, double gravity,
                                          RiScrewSoil *out_soil);

/// A soft layer of the ground.
typedef struct RiScrewLayer {
    const RiSoil *soil;
    double thickness; ///< [m]; that of the last one is used by a crust only
    double strength;  ///< of a crust [Pa]; 0: none
} RiScrewLayer;
/// Layers on top of each other, the uppermost first: under the drum as ri_soil_law_stack has it, at
/// an edge the one it is in. `unload` as in RiSoilLaw. `room` takes 2 * count laws, which the soil
/// points to: they must not be moved and live as long.
RI_MUST_CHECK RiStatus ri_screw_soil_layers(RiContext *ctx, const RiScrewLayer *layers, int count, const RiSoilScrew *w,
                                            double gravity, double unload, RiSoilLaw *room, RiScrewSoil *out_soil);

// --- answers -------------------------------------------------------------------------------------

typedef enum RiScrewDoubt {
    RI_SCREW_DOUBT_SINKAGE = 1, ///< the drum's axis is below the ground
    RI_SCREW_DOUBT_SLIP = 2,    ///< beyond what the soil's numbers were fitted for
    RI_SCREW_DOUBT_ANGLE = 4,   ///< the blade is so steep that soil would rather turn with it than slide along it
    RI_SCREW_DOUBT_TILT = 8,    ///< the axis is inclined to the ground by more than 30 degrees
    RI_SCREW_DOUBT_BURIED = 16, ///< the ground closes over the drum
    RI_SCREW_DOUBT_SLOPE = 32   ///< the ground is steeper than the friction angle of the soil
} RiScrewDoubt;

typedef struct RiScrewForce {
    RiVec3 force, moment; ///< on the screw, at its origin [N], [N m]
    double thrust;        ///< of the blades along x [N]
    /// Of friction and of the pressed faces along x [N]: thrust + drag = force.x, up to the
    /// inclination of the soil
    double drag;
    double torque;  ///< that a motor must give [N m]
    double sinkage; ///< of the drum's lowest line, dug soil included; negative: only blades are in the soil [m]
    double dug;   ///< depth of soil that the blades have carried away from under the screw [m]; INFINITY: more and more
    double slip;  ///< ri_slip, -1 to 2: 1 - v / (omega lead / 2 pi) where the thread is faster
    double limit; ///< c A + N tan(phi): what the soil around the contact can bear along it [N]
    unsigned doubts; ///< RiScrewDoubt
} RiScrewForce;

/// The closed forms on level ground, moving along the axis. `slip` in [-1, 1]; the thread drives
/// towards +x. `fine`: patches, 0: the screw's own.
RiScrewForce ri_screw_steady(const RiSoilScrew *w, const RiScrewSoil *soil, double sinkage, double slip, int fine);
/// The same with the sinkage at which the normal force is `load` [N]. RI_ERR_NUMERIC if no sinkage
/// up to the axis carries it.
RI_MUST_CHECK RiStatus ri_screw_steady_load(RiContext *ctx, const RiSoilScrew *w, const RiScrewSoil *soil, double load,
                                            double slip, int fine, RiScrewForce *out);

// --- a step --------------------------------------------------------------------------------------

/// The ground under a screw, in the screw frame: a plane at each station.
typedef struct RiScrewGround {
    const RiScrewSoil *soil[RI_SCREW_STATION_MAX]; ///< NULL: none that this law is for
    double height[RI_SCREW_STATION_MAX];           ///< of the ground over the axis [m]
    double side[RI_SCREW_STATION_MAX];             ///< dz/dy
    double along[RI_SCREW_STATION_MAX];            ///< dz/dx
    double pressed[2]; ///< depth to which the soil before either end (x > 0, x < 0) has been pressed already [m]
    bool ruts; ///< there are some: depth of the surface below the plane, how deep the soil there has been pressed, both
    double rut[RI_SCREW_STATION_MAX][RI_SCREW_RUT_ROOM], ///< along z and not negative [m],
        packed[RI_SCREW_STATION_MAX][RI_SCREW_RUT_ROOM];
    double reach[RI_SCREW_STATION_MAX]; ///< at y = reach (2 k / (RI_SCREW_RUTS - 1) - 1) [m]
} RiScrewGround;

/// Doubles that a screw remembers. All zero: nothing has happened yet.
int ri_screw_memory_size(const RiSoilScrew *w);

/// Nodes of the contact during a step, station by station in rows of whole lanes (patches filled up
/// to a multiple of 8), whatever the velocity: what ri_screw_step finds and ri_screw_remember goes
/// on from.
typedef struct RiScrewPlace {
    const RiScrewSoil *soil[RI_SCREW_STATION_MAX]; ///< NULL: no contact
    double sine[RI_SCREW_NODE_MAX], cosine[RI_SCREW_NODE_MAX];
    double step[RI_SCREW_STATION_MAX];     ///< angle between nodes [rad]
    double pressure[RI_SCREW_NODE_MAX];    ///< radial, fully pressed [Pa]
    double elastic[RI_SCREW_NODE_MAX];     ///< displacement that unloads a node [m]
    double friction[2][RI_SCREW_NODE_MAX]; ///< strength on the drum and the edges, without and with that pressure [Pa]
    double blade[2][RI_SCREW_NODE_MAX];    ///< strength across the blades, likewise [Pa]
    double plug[RI_SCREW_NODE_MAX];        ///< how far the soil between blades goes with them, 0 to 1
    double arm[RI_SCREW_NODE_MAX];         ///< radius at which friction acts [m]
    double most[RI_SCREW_NODE_MAX];        ///< how far a node can be pressed: less than 1 above the floor of a rut
    double carried; ///< height of the soil that goes with the blades, spread over the contact's width [m]
    double face[2], face_elastic[2]; ///< force on the faces at x > 0 and x < 0 [N], displacement that unloads it [m]
    double incoming[2];              ///< how far soil that comes in at either end is pressed already
    double face_z;                   ///< where that acts, from the axis [m]
} RiScrewPlace;

/// What the soil does during a step of length h that ends with the velocity v of the origin and the
/// angular velocity omega.
typedef struct RiScrewStep {
    RiScrewForce f;
    double slope[6][6]; ///< -d(moment, force) / d(omega, v): symmetric, positive semi-definite [SI]
    double stored;      ///< energy that can come back [J]
    bool touching;
    RiScrewPlace place;
} RiScrewStep;
/// Pure: the memory is not changed. h = 0: the force now, without slopes.
void ri_screw_step(const RiSoilScrew *w, const RiScrewGround *ground, const double *memory, RiVec3 v, RiVec3 omega,
                   double h, RiScrewStep *out);
/// The memory at the end of that step, which came to the motion v and omega; slip, thrust, drag and
/// stored energy of the step become those of the end.
void ri_screw_remember(const RiSoilScrew *w, RiScrewStep *step, double *memory, RiVec3 v, RiVec3 omega, double h);
/// The soil lets go without motion until the share `left` (0 to 1) of its force is left, as
/// ri_wheel_relax. After ri_screw_remember.
void ri_screw_relax(const RiSoilScrew *w, double left, double *memory);

#ifdef __cplusplus
}
#endif
#endif
