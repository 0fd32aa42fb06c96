// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soft ground under a wheel: Bekker-Wong stresses, Janosi-Hanamoto shear, Terzaghi's bulldozing
/// and grousers.
///
///     soil (ground.h) --(gravity, width)--> RiSoilLaw
///     wheel, cut into slices -------------> RiSoilWheel
///     both --(slip, slip angle, sinkage or load)--> RiWheelForce: closed forms, on level ground
///     both, ground heights, velocities, memory ----> RiWheelForce and its slopes: a step
///
/// Wheel frame: origin at the hub, y along the axle, x forward and z up, both across the axle; z
/// lies in the plane of the axle and the ground's normal. Angles theta are measured at the hub from
/// -z, positive towards +x. All forces act on the wheel, at the hub, in this frame. Equations and
/// sources: docs/theory/wheel-soil.md.
///
/// Threads and ownership: plain values, no allocation, no hidden state; everything may be called
/// from any thread.
#ifndef RILLE_SOIL_H
#define RILLE_SOIL_H

#include <stdbool.h>

#include <rille/ground.h>
#include <rille/math.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- soils ---------------------------------------------------------------------------------------

/// Numbers that a soil's source does not give and for which the law uses a default.
typedef enum RiSoilAssumed {
    RI_ASSUMED_N1 = 1,      ///< 0: no slip-sinkage
    RI_ASSUMED_KX = 2,      ///< 0.02 m
    RI_ASSUMED_KY = 4,      ///< as kx
    RI_ASSUMED_DENSITY = 8, ///< 1500 kg/m^3
    RI_ASSUMED_A0 = 16,     ///< 0.4
    RI_ASSUMED_A1 = 32      ///< 0.15
} RiSoilAssumed;

/// A soil prepared for one wheel width and gravity. sigma = k (z / unit)^n.
typedef struct RiSoilLaw {
    double n0, n1, n1_skid;   ///< n = n0 + n1 |slip|; n1_skid where the wheel is braked,
    double n_beta;            ///< and what a slip angle adds [1/rad]; 0: ARTEMIS
    double k, unit;           ///< [Pa], [m]
    double cohesion, tan_phi; ///< [Pa], [-]
    double kx, ky;            ///< [m] at no slip angle,
    double kx_beta, ky_beta;  ///< and what a slip angle adds [m/rad]
    double a0, a1, a1_skid;   ///< theta_m = (a0 + a1 slip) theta_f at no slip angle, a1_skid where the wheel is braked,
    double a0_beta, a1_beta;  ///< and what a slip angle adds [1/rad]
    double rebound;           ///< share of the sinkage that springs back behind the wheel: lambda in [0, 1]
    double exit0, exit1;      ///< theta_r = (exit0 + exit1 slip) theta_f, added to the exit angle of the rebound
    /// Shear along and across share one strength, in the direction of the shear; else each has its
    /// own: ARTEMIS
    bool coupled;
    double bulldozing;     ///< share of Terzaghi's pressure that acts on a side wall [-]; 1: ARTEMIS
    double ploughing;      ///< and on the front of a wheel that moves aside [-]; 0: ARTEMIS
    double unit_weight;    ///< [N/m^3]
    double unload;         ///< slope of the pressure where the wheel is lifted or loaded again [Pa/m]
    double unload_time;    ///< damping there: pressure as if lifted for this long at the present speed [s]
    double damping;        ///< pressure per sinking speed [Pa s/m]
    double shear_lag;      ///< damping of shear that changes in place: lead time of the acting shear [s]
    double base_depth;     ///< of hard ground below the surface [m]; INFINITY: none
    double base_stiffness; ///< of that [Pa/m]
    double slip_most;      ///< largest |slip of travel| for which the law is valid (measured to 0.75): 0.76; 1: all
    double angle_most;     ///< largest slip angle for which it is valid [rad]: 61 degrees
    // layers and crusts (ri_soil_law_stack)
    const struct RiSoilLaw *below; ///< the soft layer under this one; NULL: none
    bool stacked;                  ///< of the uppermost: there are layers or crusts
    double top, thickness;         ///< depth of the layer's upper side [m], its thickness [m]
    double share;                  ///< share of this soil's own sinkage that occurs within the layer
    double crust_strength;         ///< pressure at which it breaks [Pa]; 0: no crust
    double crust, crust_bend;      ///< pressure it adds just before it breaks [Pa], and how far it bends till then [m]
    const struct RiSoilPlugin *plugin; ///< pressure and strength come from it; NULL: from the numbers above
    const double *plugin_numbers;
    double plugin_width, plugin_gravity; ///< [m], [m/s^2]
    RiBearingFactors bearing;
    double passive;
    unsigned assumed; ///< RiSoilAssumed
    unsigned given;   ///< bits of RiSoilKey: what the soil itself gives
} RiSoilLaw;

/// Prepares a soil: `width` of the wheel [m], gravity [m/s^2]. RI_ERR_ARGUMENT names the number that
/// the soil lacks or that is invalid for this width.
RI_MUST_CHECK RiStatus ri_soil_law_init(RiContext *ctx, const RiSoil *soil, double width, double gravity,
                                        RiSoilLaw *out_law);

/// Stacks layers, the uppermost first; laws[0] is then the law of the profile. `thickness` of each
/// layer (above 0; that of the last is used only by a crust), `crust_strength` and `unload` must be
/// set before. The laws point to each other and must not be moved.
void ri_soil_law_stack(RiSoilLaw *laws, int count, double width);
/// How far a crust at the surface bends before it breaks [m]; 0: there is none. Ground that has
/// been pressed deeper has a broken crust.
double ri_soil_crust_bend(const RiSoilLaw *soil);

// --- wheels --------------------------------------------------------------------------------------

enum { RI_SLICE_MAX = 16, RI_STATION_MAX = 33, RI_SHEAR_MAX = 32 };

/// A rigid wheel as slices across its width.
typedef struct RiSoilWheel {
    double radius, width; ///< largest radius, without grousers [m]
    int slices;
    double slice_y[RI_SLICE_MAX];      ///< middle of each [m]
    double slice_radius[RI_SLICE_MAX]; ///< [m]
    double slice_width[RI_SLICE_MAX];  ///< [m]
    int grousers;                      ///< around the wheel
    double grouser_height;             ///< [m]
    double grouser_angle;              ///< alpha [rad]
    double locked; ///< share of the soil between grousers that turns with the wheel (ri_soil_wheel_lock_lugs); 0: none
    bool grousers_full; ///< they push with the full force of equation 15; else as far as the soil has been sheared
    int patches;        ///< shear memory along the contact of a slice, 4 to RI_SHEAR_MAX
    int panels;         ///< of 8 points on either side of theta_m
} RiSoilWheel;

/// A wheel in equal slices. `crown`: radius of the circle across its width [m]; 0: flat.
/// RI_ERR_ARGUMENT for sizes that are not positive, counts out of range, or a crown of less than
/// half the width.
RI_MUST_CHECK RiStatus ri_soil_wheel_init(RiContext *ctx, double radius, double width, double crown, int slices,
                                          RiSoilWheel *out_wheel);
/// A wheel in slices whose radii are given.
RI_MUST_CHECK RiStatus ri_soil_wheel_init_profile(RiContext *ctx, double width, int slices, const double *radii,
                                                  RiSoilWheel *out_wheel);

/// The soil between grousers turns with the wheel, as far as they are close together: a lug of
/// height h locks the soil behind it over a length of 1.73 h, the foot of Rankine's passive wedge
/// at 30 degrees, so the share is min(1, 1.73 h N / (2 pi r)). The radius grows by that share of h,
/// and the soil also shears at the two ends of the locked ring [bekker1956]: friction along the rim
/// times 1 + 0.64 (h/b) atan(b/h), cohesion times 1 + 2 h/b. Call it once, after grousers are set.
void ri_soil_wheel_lock_lugs(RiSoilWheel *w);

/// Slip by the four definitions of ARTEMIS (equation 21 and its counterpart): in [-1, 1], 0 if both
/// speeds are 0. `v` forward speed, `rim` = r omega [m/s]. Positive: the rim is faster than the
/// ground passes.
double ri_wheel_slip(double v, double rim);

// --- results -------------------------------------------------------------------------------------

typedef enum RiSoilDoubt {
    RI_DOUBT_SINKAGE = 1, ///< deeper than half the radius
    RI_DOUBT_SLIP = 2,    ///< beyond the range for which the soil's numbers were fitted
    RI_DOUBT_SLOPE = 4,   ///< the ground is steeper than the soil can hold: its friction angle
    RI_DOUBT_BURIED = 8,  ///< the hub is below the ground
    RI_DOUBT_ANGLE = 16   ///< the slip angle is beyond the range in which the law was validated
} RiSoilDoubt;

typedef struct RiWheelForce {
    RiVec3 force;               ///< on the wheel [N]: x drawbar pull, y side force, z normal force
    RiVec3 moment;              ///< about the hub [N m]: x overturning, y (-driving torque), z aligning
    double thrust;              ///< of shear along x [N]
    double resistance;          ///< compaction resistance [N]
    double torque;              ///< needed from a motor [N m]
    double shear_side;          ///< side force of shear [N]
    double bulldozing;          ///< side force on the side wall [N]
    double ploughing;           ///< force along x on the front of a wheel that moves aside [N]
    double grouser;             ///< pull of grousers [N]
    double sinkage;             ///< of the deepest slice [m]
    double slip;                ///< by the speed along the heading, v_x: ri_slip [-]
    double rolling;             ///< direction in which it rolls along the heading: -1 backwards to 1 ahead
    double travel_slip;         ///< of ARTEMIS, from the speed of travel in any direction: ri_wheel_slip [-]
    double entry, exit, middle; ///< theta_f, theta_r, theta_m of the deepest slice [rad]
    double n;                   ///< exponent used
    unsigned doubts;            ///< RiSoilDoubt
} RiWheelForce;

/// How a wheel moves steadily. Only ratios matter to the closed forms.
typedef struct RiWheelMotion {
    double vx, vy; ///< of the hub along the heading and to the left [m/s]; vx >= 0
    double rim;    ///< r omega [m/s], >= 0; 0: locked
} RiWheelMotion;
/// From a slip along the heading (1 - v_x / rim, rim / v_x - 1) and a slip angle [rad], tan(beta) =
/// v_y / v_x.
RiWheelMotion ri_wheel_motion(double slip, double beta);
/// From a slip by the speed of travel (1 - |v| / rim, rim / |v| - 1), as test beds with a carriage
/// give it. Up to 90 degrees.
RiWheelMotion ri_wheel_motion_travel(double slip, double beta);

/// The closed forms on level ground for a motion. `fine`: panels of quadrature, 0: the wheel's own.
RiWheelForce ri_wheel_moving(const RiSoilWheel *w, const RiSoilLaw *soil, double sinkage, RiWheelMotion motion,
                             int fine);
/// The same with the sinkage at which the normal force is `load` [N]. RI_ERR_NUMERIC if no sinkage
/// up to the radius carries it.
RI_MUST_CHECK RiStatus ri_wheel_moving_load(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *soil, double load,
                                            RiWheelMotion motion, int fine, RiWheelForce *out);
/// The closed forms on level ground at a slip along the heading. `beta` is the slip angle [rad],
/// v_y = v_x tan(beta): to the left positive. `fine`: panels of quadrature, 0: the wheel's own.
RiWheelForce ri_wheel_steady(const RiSoilWheel *w, const RiSoilLaw *soil, double sinkage, double slip, double beta,
                             int fine);
/// The same with the sinkage at which the normal force is `load` [N]. RI_ERR_NUMERIC if no sinkage
/// up to the radius carries it.
RI_MUST_CHECK RiStatus ri_wheel_steady_load(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *soil, double load,
                                            double slip, double beta, int fine, RiWheelForce *out);

// --- a step --------------------------------------------------------------------------------------

/// The ground under a wheel, in the wheel frame.
typedef struct RiSoilGround {
    int stations;                           ///< at least 2
    double x[RI_STATION_MAX];               ///< of the stations, ascending [m]
    double z[RI_SLICE_MAX][RI_STATION_MAX]; ///< height of the ground there, from the hub [m]
    const RiSoilLaw *soil[RI_SLICE_MAX];    ///< under each slice; NULL: no soft soil
    double packed[RI_SLICE_MAX][2];         ///< previous sinkage of the soil ahead (0) and behind (1) [m]
} RiSoilGround;

/// Number of doubles in a wheel's memory: direction of rolling, slip, side wall, and per slice the
/// contact, how far it was lifted, and the mobilised shear of each patch. All zero initially.
int ri_wheel_memory_size(const RiSoilWheel *w);

/// Where a slice meets the ground during a step, whatever its velocity. ri_wheel_step finds it, and
/// ri_wheel_remember continues from it.
typedef struct RiSlicePlace {
    const RiSoilLaw *soil; ///< NULL: no contact, and nothing else is set
    double low, high;      ///< contact by the ground [rad]
    double bottom, top;    ///< contact that carries stress, and shear [rad]
    double sinkage;        ///< weighted mean of both directions of rolling [m]
    double over;           ///< ground above the hub [m]; 0: none
    double length;         ///< of the contact [m]
    double elastic;        ///< lift at which the slice comes free [m]
    double theta[RI_SHEAR_MAX], sine[RI_SHEAR_MAX], cosine[RI_SHEAR_MAX]; ///< of the patches, from the top on
} RiSlicePlace;

/// What the soil does during a step of length h that ends with the velocity v of the hub and the
/// angular velocity omega.
typedef struct RiWheelStep {
    RiWheelForce f;
    double slope[6][6];           ///< -d(moment, force) / d(omega, v): symmetric, positive semi-definite [SI]
    double stored;                ///< recoverable energy [J]
    double incline[RI_SLICE_MAX]; ///< resistance over load of each slice
    bool touching;
    RiSlicePlace place[RI_SLICE_MAX];
} RiWheelStep;
/// Computes a step; the memory is not changed. h = 0: the force now, without slopes.
void ri_wheel_step(const RiSoilWheel *w, const RiSoilGround *ground, const double *memory, RiVec3 v, RiVec3 omega,
                   double h, RiWheelStep *out);
/// Updates the memory to the end of that step, given its final motion v and omega.
void ri_wheel_remember(const RiSoilWheel *w, const RiWheelStep *step, double *memory, RiVec3 v, RiVec3 omega, double h);
/// Relaxes the soil without motion until only the share `left` (0 to 1) of its force remains, as if
/// the wheel had been lifted. Call it after ri_wheel_remember to keep the soil from doing more work
/// than its stored energy.
void ri_wheel_relax(const RiSoilWheel *w, const RiWheelStep *step, double left, double *memory);

#ifdef __cplusplus
}
#endif
#endif
