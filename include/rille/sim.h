// SPDX-License-Identifier: Apache-2.0
/// \file
/// Simulation: a robot that moves in time.
///
///     model, options, devices, springs, commands --(build, start)--> RiSim --(step: one control tick)--> state, named values
///
/// A simulation advances in control ticks. At the start of a tick, scheduled commands are carried
/// out and the devices that are due are updated. Their outputs are held while the robot is
/// integrated to the end of the tick. Then outputs are computed and stop conditions are checked.
///
/// **State is one block.** Positions, velocities, every port of every device, counters and energies
/// form one contiguous block: a snapshot is a copy, the hash is one pass over it, and a restored
/// simulation continues with equal bits.
///
/// Order of calls: ri_sim_create, ri_sim_add_*, ri_sim_build (named values exist from here on),
/// settings through ri_sim_values, ri_sim_start, ri_sim_step ...
///
/// Threads and ownership: a simulation belongs to one thread; it keeps a pointer to the model,
/// which must outlive it and may be shared with other simulations.
#ifndef RILLE_SIM_H
#define RILLE_SIM_H

#include <stdint.h>

#include <rille/cone.h>
#include <rille/contact.h>
#include <rille/device.h>
#include <rille/dynamics.h>
#include <rille/ground.h>
#include <rille/melt.h>
#include <rille/screw.h>
#include <rille/soil.h>
#include <rille/stance.h>
#include <rille/sun.h>
#include <rille/values.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- integrating accelerations by hand -----------------------------------------------------------

/// Computes efforts (nv) for a time and state. It is called after update_position and
/// update_velocity, so it may read poses from `d` and add wrenches to it (they are cleared before
/// each call). `tau` is zero on entry.
typedef void (*RiEffortFn)(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau);

typedef struct RiIntegrator RiIntegrator;

/// An integrator for the equations of d, which must outlive it. RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_integrator_create(RiContext *ctx, RiDyn *d, RiIntegrator **out_integrator);
/// Destroys it; NULL does nothing.
void ri_integrator_destroy(RiIntegrator *it);

/// Efforts to apply; NULL for none. Passive joint forces are added to them unless `passive` is
/// false.
void ri_integrator_set_efforts(RiIntegrator *it, RiEffortFn fn, void *user, bool passive);

/// One step of the classical fourth-order Runge-Kutta method from `time` to `time + h`. On failure
/// q and v stay as they were.
RI_MUST_CHECK RiStatus ri_integrator_rk4(RiIntegrator *it, double time, double h, double *q, double *v);

// --- simulation ----------------------------------------------------------------------------------

typedef enum RiMethod {
    RI_METHOD_IMPLICIT,      ///< linearly implicit, first order: stiff servos, springs and contacts at long steps
    RI_METHOD_SEMI_IMPLICIT, ///< symplectic Euler, first order, for smooth problems
    RI_METHOD_RK4,           ///< fourth order, for smooth problems
    RI_METHOD_CVODE,     ///< SUNDIALS CVODE (BDF) to a tolerance: the reference; RI_ERR_UNSUPPORTED at build without it
    RI_METHOD_MOREAU,    ///< time stepping with exact Coulomb cones and impacts: docs/exact-contact.md
    RI_METHOD_KINEMATIC, ///< no dynamics: the base is driven over the ground, a stance does the rest (ri_sim_set_stance)
    RI_METHOD_COUNT
} RiMethod;

/// Facts about a method.
typedef struct RiMethodInfo {
    const char *name; ///< in scene files and reports
    const char *text; ///< one line for help and documentation
    bool dynamics;    ///< it integrates forces; false: the motion is prescribed
    bool available;   ///< this build has it; otherwise ri_sim_build returns RI_ERR_UNSUPPORTED
} RiMethodInfo;

/// NULL for a number that is not an RiMethod.
const RiMethodInfo *ri_method_info(RiMethod method);
/// "unknown" for a number that is not an RiMethod.
const char *ri_method_name(RiMethod method);
/// The methods that a scene's `integrator` may name, those with dynamics; returns how many.
int ri_method_integrators(const char *out_names[RI_METHOD_COUNT], RiMethod out_methods[RI_METHOD_COUNT]);

typedef struct RiSimOptions {
    RiMethod method;
    double tick;             ///< control tick [s]; default 1 ms
    int substeps;            ///< integration steps per tick; default 1
    RiVec3 gravity;          ///< [m/s^2]
    unsigned long long seed; ///< of all random streams
    int outside;             ///< room for contacts that another program supplies (ri_sim_set_outside); default 0: none
    int passes;              ///< RI_METHOD_IMPLICIT: most solutions of the contacts of a step; default 3
    double rtol, atol;       ///< tolerances of RI_METHOD_CVODE; defaults 1e-8, 1e-10
    double
        theta; ///< RI_METHOD_MOREAU: point of a step at which springs and velocities are taken, 0.5 to 1; default 0.5
    double cone_tolerance; ///< RI_METHOD_MOREAU: natural-map residual of the contact problem; default 1e-10
    double events;         ///< RI_METHOD_MOREAU: impacts are located to within this time [s]; 0: off; default 0
    int most_contacts;     ///< RI_METHOD_MOREAU: most contacts closed at once, 1 to 4096; default 512
} RiSimOptions;

/// The defaults that its fields name.
RiSimOptions ri_sim_options_default(void);

/// Definition of a device to mount.
typedef struct RiDeviceDef {
    const char *name;
    const RiDeviceClass *device;
    /// Joint, link, frame or globs of joints ("bend_*, twist_*"), as the class wants; NULL for none
    const char *attach;
    double rate;                ///< updates per second [Hz]; must divide the tick rate; 0: every tick
    const char *const *inputs;  ///< connected inputs ...
    const char *const *sources; ///< ... and the named values they are read from before each update
    int connection_count;
    RiSource source;
    /// Table of a device on a group of joints (see RiDeviceCall) or of a subsystem that reads one,
    /// in SI; copied; NULL for none.
    const double *table;
    int table_rows;
    const RiDeviceMap *map; ///< for a device whose class uses a map; copied; NULL for none
    /// Columns of the table: of a subsystem as the class says; with rates 2 per joint plus 1; 0: 1
    /// per joint plus 1.
    int table_columns;
} RiDeviceDef;

/// A spring-damper between a point of a link and a fixed point of the world: tethers, test springs.
/// Force on the link: -(k (l - length) + c l') along the line, l the distance; with length 0 a
/// three-dimensional spring.
typedef struct RiSpringDef {
    const char *name;
    const char *link;
    RiVec3 point;     ///< in the link frame [m]
    RiVec3 anchor;    ///< in the world [m]
    double stiffness; ///< [N/m]
    double damping;   ///< [N s/m]
    double length;    ///< unstretched [m]
    bool slack;       ///< a rope: pulls only
    RiSource source;
} RiSpringDef;

typedef struct RiSim RiSim;

/// `options` may be NULL.
RI_MUST_CHECK RiStatus ri_sim_create(RiContext *ctx, const RiModel *model, const RiSimOptions *options,
                                     RiSim **out_sim);
/// Destroys it; NULL does nothing.
void ri_sim_destroy(RiSim *s);

/// Mounts a device; before ri_sim_start. Strings are copied. RI_ERR_ARGUMENT names device, port or
/// option.
RI_MUST_CHECK RiStatus ri_sim_add_device(RiSim *s, const RiDeviceDef *def);
/// Adds a spring or tether; before ri_sim_start. Strings are copied.
RI_MUST_CHECK RiStatus ri_sim_add_spring(RiSim *s, const RiSpringDef *def);
/// Sets which parts of the robot touch which ground, and how; borrowed. NULL: no contact.
RI_MUST_CHECK RiStatus ri_sim_set_contacts(RiSim *s, const RiContacts *contacts);
/// Callback that receives the contact problem of every step of RI_METHOD_MOREAU before it is
/// solved. Reactions of the problem are velocities: impulses times the mean of the diagonal of
/// J M^-1 J^T. A status other than RI_OK ends the step.
typedef RiStatus (*RiConeFn)(void *user, double time, const RiConeProblem *problem);
/// Sets that callback; NULL: none.
void ri_sim_watch_cones(RiSim *s, RiConeFn fn, void *user);
/// Gives screws temperatures and lets them melt into ice. After ri_sim_set_contacts and before
/// ri_sim_build, with a first-order method; `def` may be NULL.
RI_MUST_CHECK RiStatus ri_sim_set_melt(RiSim *s, const RiMeltDef *def);
/// Sets a named value to an expression's value at a time (before the devices of that tick).
RI_MUST_CHECK RiStatus ri_sim_add_command(RiSim *s, double time, const char *name, const char *text, RiSource source);
/// Ends the run when an expression becomes true ("time > 10", "abs(base.pitch) > 60 deg").
RI_MUST_CHECK RiStatus ri_sim_add_stop(RiSim *s, const char *text, RiSource source);

/// Sets how the robot is posed on its terrain, borrowed; before ri_sim_build. RI_METHOD_KINEMATIC
/// needs it: the base then moves over the ground by the named values `drive.speed`, `drive.turn` and
/// `drive.direction` (docs/rovers.md), steered wheels align with their paths and roll without slip.
RI_MUST_CHECK RiStatus ri_sim_set_stance(RiSim *s, RiStance *stance);
/// Lets a run switch its dynamics off and on: while the named value `drive.dynamic` is 0 (it starts
/// at 1), the robot is driven as by RI_METHOD_KINEMATIC. After ri_sim_set_stance, before
/// ri_sim_build. The pose continues from where it is; contact and shear of wheels start from zero.
RI_MUST_CHECK RiStatus ri_sim_set_switchable(RiSim *s);

/// Range points of a sensor outside the simulation, such as a camera pair or a lidar of a scene:
/// see RiDeviceCall.see.
typedef int (*RiSeeFn)(void *user, int kind, int sensor, RiVec3 *out_points, int room);
/// Sets the sensors that devices can read. Before ri_sim_start. Results must depend on the state
/// alone.
RI_MUST_CHECK RiStatus ri_sim_set_see(RiSim *s, RiSeeFn see, void *user);
/// The memory of device `index`, with its name and class, for drawing; NULL after the last device.
const void *ri_sim_device_memory(const RiSim *s, int index, const char **out_name, const char **out_class,
                                 size_t *out_size);
/// The map of device `index`, for drawing; NULL if it has none.
const RiDeviceMap *ri_sim_device_map(const RiSim *s, int index);
/// Places the robot at (x, y, heading) on the ground by its stance, at rest. Needs ri_sim_build, a
/// terrain and a stance. RI_ERR_NUMERIC names the wheel that cannot touch; then nothing is changed.
RI_MUST_CHECK RiStatus ri_sim_stand(RiSim *s, double x, double y, double heading);
/// Whether ri_sim_stand is possible: there are a stance and a terrain.
bool ri_sim_can_stand(const RiSim *s);

/// The ground under the robot, borrowed; NULL for none. Before ri_sim_build. A run ends when the
/// base leaves a terrain whose edge policy is stop.
RI_MUST_CHECK RiStatus ri_sim_set_terrain(RiSim *s, const RiTerrain *terrain);
/// The ground; NULL if there is none. Borrowed.
const RiTerrain *ri_sim_terrain(const RiSim *s);
/// Lets the ground keep ruts. Before ri_sim_build; `def` may be NULL. Ruts are part of the state:
/// they are saved, hashed, and restored after a failed tick.
RI_MUST_CHECK RiStatus ri_sim_enable_ruts(RiSim *s, const RiRutsDef *def);
/// The ruts; NULL if they are not enabled. Changes from outside between ticks take effect in the
/// next tick.
RiRuts *ri_sim_ruts(RiSim *s);

/// The sun, for sensors, the values `sun.azimuth` and `sun.elevation`, and pictures. Before
/// ri_sim_build. The sun of a known body moves with simulated time.
RI_MUST_CHECK RiStatus ri_sim_set_sun(RiSim *s, const RiSunDef *def);
/// Definition of the sun; NULL if none was set.
const RiSunDef *ri_sim_sun_def(const RiSim *s);
/// Lets a robot's visual shapes cast shadows on its own arrays and be seen by its thermal nodes:
/// boxes, cylinders, spheres, capsules, and those of its meshes whose path is in `meshes`
/// (ri_shade_meshes_load in mesh.h). Before ri_sim_build; all is read now.
RI_MUST_CHECK RiStatus ri_sim_set_shades(RiSim *s, const RiSpec *spec, const RiContactMesh *meshes, int mesh_count);

/// How hard grousers push.
typedef enum RiGrouserPush {
    RI_GROUSERS_MOBILISED, ///< as far as the soil under them has been sheared
    RI_GROUSERS_FULL       ///< with their full passive pressure as soon as the rim slips (RiSoilWheel.grousers_full)
} RiGrouserPush;

/// How wheels and screws are discretised and soils completed for their laws (soil.h, screw.h).
typedef struct RiSoilOptions {
    int slices;             ///< across a wheel, 1 to RI_SLICE_MAX; default 3
    int patches;            ///< of shear memory along a contact, 4 to RI_SHEAR_MAX; default 16
    int stations;           ///< heights of the ground along a slice, 5 to RI_STATION_MAX; default 13
    bool coupled;           ///< as in RiSoilLaw; default false
    double bulldozing;      ///< as in RiSoilLaw; default 1
    double ploughing;       ///< as in RiSoilLaw; default 1
    bool lugs;              ///< soil between grousers turns with the wheel (ri_soil_wheel_lock_lugs)
    RiGrouserPush grousers; ///< default RI_GROUSERS_MOBILISED
    double rebound;         ///< as in RiSoilLaw; default 0
    double unload;          ///< as in RiSoilLaw [Pa/m]; default 2e7
    double unload_time;     ///< as in RiSoilLaw [s]; default 4 ms
    double damping;         ///< as in RiSoilLaw [Pa s/m]; default 0
    double shear_lag;       ///< as in RiSoilLaw [s]; default 0.05
    double slip_most;       ///< as in RiSoilLaw; default 0.76: beyond it wheels are flagged
    double angle_most;      ///< as in RiSoilLaw; default 61 degrees: beyond it wheels are flagged [rad]
    bool berms;             ///< displaced soil is kept: berms and heaps beside the ruts, excavation; default false
    double compaction;      ///< share of a rut's volume that is compacted, the rest is displaced; default 0.5
    double layer; ///< thickness of the soil that a slipping rim carries with it, besides grousers [m]; default 2 mm
    int screw_stations;    ///< along a screw, odd, 5 to RI_SCREW_STATION_MAX; default 7
    int screw_patches;     ///< across its contact, 4 to RI_SCREW_PATCH_MAX; default 8
    double screw_edge;     ///< width of its blades' edges [m]; default 2 mm
    double screw_friction; ///< as `friction` in RiSoilScrew; default 2/3
    /// Distance beyond the end of a screw within which soil is treated as compacted by it [m];
    /// default 0.5; not used with ruts
    double wake;
    double screw_dig; ///< share of the soil between blades that slipping ones carry back, 0 to 1; default 0
} RiSoilOptions;
/// The defaults that its fields name.
RiSoilOptions ri_soil_options_default(void);
/// Lets the wheels and screws of a robot sink into the soils of a covered terrain. Contacts act on
/// hard regions, the laws of soil.h and screw.h on soft ones. After ri_sim_set_terrain and
/// ri_sim_set_contacts, before ri_sim_build; `spec` is read now. Does nothing without soft soil, or
/// without wheels and screws. RI_ERR_ARGUMENT for soils that lack a number of the law, options out
/// of range, or an integrator other than implicit and moreau.
RI_MUST_CHECK RiStatus ri_sim_set_soil(RiSim *s, const RiSpec *spec, const RiSoilOptions *options);
/// Whether the law of a soft soil acts between a link and a material of the terrain, instead of the
/// contact pair (unless a wheel lies on its side).
bool ri_sim_soil_answers(const RiSim *s, int link, int ground);
/// Number of wheels on which soil can act.
int ri_sim_soil_wheel_count(const RiSim *s);
/// Forces on a wheel in the last step, in the wheel frame; `wheel` from 0. `out_name` and `out_link`
/// may be NULL. Borrowed.
const RiWheelForce *ri_sim_soil_wheel(const RiSim *s, int wheel, const char **out_name, int *out_link);
/// Number of screws on which soil can act.
int ri_sim_soil_screw_count(const RiSim *s);
/// Forces on a screw in the last step, in the screw frame; `screw` from 0. `out_name` and `out_link`
/// may be NULL. Borrowed.
const RiScrewForce *ri_sim_soil_screw(const RiSim *s, int screw, const char **out_name, int *out_link);
/// Volumes of soil that a wheel has moved so far [m^3]; all 0 without berms. The sum of all rut
/// depths times the area of a cell equals `compacted` of all wheels plus the grooves of all screws.
typedef struct RiSoilMoved {
    double compacted;
    double displaced; ///< pushed aside, forward or back
    double dug;       ///< thrown back by a slipping rim
} RiSoilMoved;
/// Soil that a wheel has moved since the start; zeros without berms.
RiSoilMoved ri_sim_soil_moved(const RiSim *s, int wheel);
/// Volume of the groove that a screw has pressed and cut so far [m^3]; 0 without ruts.
double ri_sim_soil_screw_groove(const RiSim *s, int screw);

/// A contact found by another program: a plane that touches a point of a link.
typedef struct RiOutsideContact {
    int link;
    RiVec3 point;       ///< of the link, in the world [m]
    RiVec3 normal;      ///< unit, towards the link, in the world
    double depth;       ///< of the point below the plane [m]; negative: a gap
    double friction;    ///< Coulomb [-]
    double restitution; ///< 0 to 1 [-]
    double stiffness;   ///< of the plane [N/m]
} RiOutsideContact;
/// Replaces all contacts from outside. Call it between ticks of a started simulation, for instance
/// before every tick; the robot's poses are ri_dyn_frame_pose(ri_sim_dyn(s), link). These contacts
/// are part of the state, and compliant with every method: docs/variable-server.md. RI_ERR_LIMIT for
/// more than RiSimOptions.outside; RI_ERR_ARGUMENT names the contact and what is wrong. On failure
/// nothing changes.
RI_MUST_CHECK RiStatus ri_sim_set_outside(RiSim *s, const RiOutsideContact *list, int count);

/// Facts about a mounted device; devices are in the order in which they were added.
typedef struct RiDeviceInfo {
    const char *name;
    const RiDeviceClass *device;
    const char *attach; ///< as given; may be NULL
    int joint, frame;   ///< of the model, -1
    double rate;        ///< [Hz]; 0: every tick
} RiDeviceInfo;
/// Number of devices.
int ri_sim_device_count(const RiSim *s);
/// Facts about a device; its strings are borrowed.
RiDeviceInfo ri_sim_device(const RiSim *s, int device);
/// What an input is read from: a named value, or NULL if nothing is connected to it.
const char *ri_sim_device_source(const RiSim *s, int device, const char *input);

/// Lays out the state and names all values. Nothing may be added afterwards.
RI_MUST_CHECK RiStatus ri_sim_build(RiSim *s);
/// Resolves connections and commands, starts the devices, computes the first outputs.
RI_MUST_CHECK RiStatus ri_sim_start(RiSim *s);
/// One control tick. RI_ERR_NUMERIC if the motion diverges: the state is that of the last good
/// tick.
RI_MUST_CHECK RiStatus ri_sim_step(RiSim *s);
/// Lets the robot rest for some time. The clock and the subsystems (site, power, temperatures,
/// radio: docs/operations.md) advance by steps of at most `step` seconds (10 s with thermostats);
/// the robot's coordinates and its other devices do not change. The time is rounded up to whole
/// periods of the subsystems. The rest ends early at the time of a scheduled command, which the next
/// ri_sim_step carries out. RI_ERR_ARGUMENT without subsystems, or if the robot moves faster than
/// 0.01 m/s or rad/s.
RI_MUST_CHECK RiStatus ri_sim_rest(RiSim *s, double seconds, double step);

/// Simulated time [s].
double ri_sim_time(const RiSim *s);
/// Ticks since the start.
long long ri_sim_tick(const RiSim *s);
/// The stop condition that ended the run, or "left the terrain at (x, y)"; NULL if it has not ended.
const char *ri_sim_stopped(const RiSim *s);
/// The table of named values; borrowed.
RiValues *ri_sim_values(RiSim *s);
/// The dynamics' workspace; borrowed. Changing it changes the simulation.
RiDyn *ri_sim_dyn(RiSim *s);
/// The robot's model; borrowed.
const RiModel *ri_sim_model(const RiSim *s);
/// The options that it was created with.
const RiSimOptions *ri_sim_options(const RiSim *s);

/// The contacts; NULL if there are none. Borrowed.
const RiContacts *ri_sim_contacts(const RiSim *s);
/// Touches of the last step.
int ri_sim_touch_count(const RiSim *s);
/// A touch of the last step, by index; borrowed until the next step.
const RiTouchInfo *ri_sim_touch(const RiSim *s, int touch);

/// Positions and velocities (nq, nv); writing them takes effect at the next tick.
double *ri_sim_q(RiSim *s);
/// Independent velocities, ri_model_nv() numbers.
double *ri_sim_v(RiSim *s);

/// Energy bookkeeping since start [J]: kinetic and potential energy, work done by efforts and
/// interventions, energy lost in dampers, friction and stops, and energy that a first-order method
/// itself takes out of springs and inertia (docs/theory/time.md).
typedef struct RiEnergy {
    double kinetic, potential, start, work, dissipated, method;
    double scale; ///< largest energy turned over so far, to judge the residual by
} RiEnergy;
/// The energy books since the start.
RiEnergy ri_sim_energy(const RiSim *s);
/// |kinetic + potential - start - work + dissipated + method| / scale.
double ri_energy_residual(const RiEnergy *e);
/// method / scale: the share of the energy turned over that the method itself took out (negative:
/// put in). Falls with the step.
double ri_energy_method_share(const RiEnergy *e);

/// A check of a model's assumptions: joints beyond limits, overstretched springs, laws of contact
/// and soil outside their range. The count is also the named value `validity.NAME`.
typedef struct RiValidity {
    const char *name;  ///< "elbow.position_limit"
    const char *text;  ///< the assumption that is violated
    double first_time; ///< end of the first tick with a violation [s]
    int count;         ///< number of ticks with a violation
} RiValidity;
/// Number of such checks.
int ri_sim_validity_count(const RiSim *s);
/// Check by index; its strings are borrowed.
RiValidity ri_sim_validity(const RiSim *s, int index);
/// Number of checks that were violated since the start; 0: all laws stayed within their assumptions.
int ri_sim_violations(const RiSim *s);

/// Whether a robot with three or more wheels and a floating base can still drive, in its current
/// state.
typedef enum RiMobility {
    RI_MOBILITY_KEPT,   ///< it can, or it is not such a robot
    RI_MOBILITY_TIPPED, ///< its body leans by more than 60 degrees
    RI_MOBILITY_SLID    ///< every hub moves faster than 0.3 m/s across gravity, and than three times its rim
} RiMobility;
/// The state of its footing.
RiMobility ri_sim_mobility(const RiSim *s);
/// A sentence; "" while it keeps its footing.
const char *ri_mobility_text(RiMobility m);

/// The current state of a spring, for pictures.
typedef struct RiSpringInfo {
    const char *name;
    RiVec3 point, anchor; ///< its ends, in the world [m]
    double force;         ///< pull on the link [N]
    double length;        ///< distance of the ends [m]
} RiSpringInfo;
/// Number of springs.
int ri_sim_spring_count(const RiSim *s);
/// Facts about a spring as it is now; its strings are borrowed.
RiSpringInfo ri_sim_spring(const RiSim *s, int spring);

// --- state as a block ----------------------------------------------------------------------------

/// Size of the state [bytes]. With ruts it grows during a run: call this before each save.
size_t ri_sim_state_size(const RiSim *s);
/// Writes the state; `out_block` has room for ri_sim_state_size(s) bytes.
void ri_sim_save_state(const RiSim *s, void *out_block);
/// Brings back a state of this simulation (same model, options and devices). Outputs are
/// recomputed.
RI_MUST_CHECK RiStatus ri_sim_load_state(RiSim *s, const void *block);
/// Hash of the state, equal for equal bits.
uint64_t ri_sim_hash(const RiSim *s);
/// Hash of everything that gives the state its meaning: model, devices, options, layout. A
/// checkpoint with another fingerprint is refused.
uint64_t ri_sim_fingerprint(const RiSim *s);

#ifdef __cplusplus
}
#endif
#endif
