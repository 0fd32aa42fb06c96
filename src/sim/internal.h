// SPDX-License-Identifier: Apache-2.0
/// \file
/// The simulation's inside: one state block, then what is derived from it, grouped by the stage that writes it.
#ifndef RI_SIM_INTERNAL_H
#define RI_SIM_INTERNAL_H

#include <limits.h>

#include <rille/sim.h>

#include "base/memory.h"
#include "contact/contacts.h"
#include "device/group.h"
#include "dynamics/dyn.h"
#include "sim/ode_cvode.h"
#include "soil/melt.h"
#include "terrain/ruts.h"

typedef struct RiDeviceSlot {
    const char *name;
    const RiDeviceClass *device;
    RiSource source;
    const char *attach;
    int joint, frame, spanning; // what it is attached to, -1
    int period;                 // ticks between updates
    double rate;
    RiGroupMember *group; // joints of a device on several, in order along the robot
    int group_count;
    const double *table;
    int table_rows;
    int port;    // first port in the state block's ports
    int counter; // number of its update count in the state block
    const char **inputs, **sources;
    int connection_count;
    bool *connected; // [ports] something is connected to the input
    uint64_t seed;
} RiDeviceSlot;

/// An input and the value it is read from.
typedef struct RiWire {
    double *to;
    int value;
} RiWire;

/// What an update of a device needs, resolved at start and in one place: two lines of cache, since all of them are read in every tick.
typedef struct RiDeviceRun {
    void (*update)(RiDeviceCall *call);
    double *x;    // its ports
    double *kept; // where those that updates change are kept
    const bool *connected;
    const double *active;
    long long *updates;
    const RiWire *wires;
    const RiDeviceSlot *slot;
    double dt;
    uint64_t seed;
    int first, count; // ports that updates change
    int wire_count;
    int period;
    int sq, s;            // of its joint: position and spanning coordinate, -1
    RiGroupJoint *joints; // [slot->group_count], NULL
    bool placed;          // it sees a frame or a wrench
    int together;         // this and those behind it that can be updated at once, at least 1
} RiDeviceRun;
_Static_assert(sizeof(RiDeviceRun) <= 128, "two lines of cache");

/// An output of a device that says that it refused a command.
typedef struct RiRefusal {
    const struct RiRefusal *next;
    int port; // among all ports
    int flag; // validity
} RiRefusal;

/// An output that acts on a joint.
typedef struct RiActionSlot {
    const double *from;
    double *to;
    bool adds;
} RiActionSlot;

typedef struct RiSpringSlot {
    const char *name;
    int link;
    RiVec3 point, anchor;
    double stiffness, damping, length;
    bool slack;
    double *out;   // in the state block: force, length, attached (0 or not), and whether the books know it as such
    int stretched; // validity flag
} RiSpringSlot;

typedef struct RiValiditySlot {
    const char *name, *text;
} RiValiditySlot;

/// A validity flag in the state block.
typedef struct RiValidityState {
    double first_time; // end of the first tick in which it was raised [s]
    int count;         // ticks in which it was raised
    int raised;        // in this tick
} RiValidityState;

/// What a joint may do by its description: infinite where there is no limit. Flags -1: none.
typedef struct RiJointWatch {
    double lower, upper, most_rate, most_effort;
    int s, sq;
    int position, rate, effort; // flags
} RiJointWatch;

/// Validity flags of a link's thread; -1: none.
typedef struct RiThreadWatch {
    int blunt, shank;
} RiThreadWatch;

/// A screw as a lump of heat, in the state block. Sums are since start.
typedef struct RiScrewHeat {
    double temperature;     // [K]
    double embedded;        // depth of its edge over the height of its thread [-]
    double melted_in;       // deepest melt under it [m]
    double breakout;        // torque that crushes the ice beside its flanks [N m]
    double ice_power;       // into the ice by conduction [W]
    double work, stored;    // of its contact forces in this tick; in their springs at its beginning [J]
    double friction;        // heat of friction, of which friction_share stays in the screw [J]
    double from_friction;   // that share [J]
    double from_heater;     // [J]
    double to_ice;          // conducted into the ice [J]
    double to_melt;         // of that, for melting and warming what melts [J]
    double to_surroundings; // [J]
} RiScrewHeat;

/// A link with a thread that may melt in.
typedef struct RiScrewSlot {
    int slot;      // in RiContacts.links
    int flag;      // validity
    double effort; // of its joint, at most [N m]
} RiScrewSlot;

typedef struct RiCommandSlot {
    double time;
    const char *name, *text;
    RiSource source;
    int value;
} RiCommandSlot;

typedef struct RiStopSlot {
    const char *text;
    const RiFormula *formula; // of the text, from the start on
    RiSource source;
} RiStopSlot;

/// The fixed head of the state block; q, v, efforts, ports and counters follow.
typedef struct RiSimHead {
    long long tick;
    double time;
    double work, dissipated, start_energy, energy_scale;
    double conservative;    // work of springs and gravity at mean velocities: first-order methods
    double inertial;        // work of inertia at mean velocities, configuration by configuration: first-order methods
    double start_potential; // potential at start, moved along with interventions
    double start_kinetic;   // kinetic energy, likewise
    double contact_work, contact_stored; // of this tick's contact forces; in their springs at its beginning
    long long next_command;
    long long stopped;    // 1 + the stop condition, 1 + stop_count: left the terrain, 0
    long long violations; // validity flags that have been raised so far
} RiSimHead;

enum { RI_SPRING_FORCE, RI_SPRING_LENGTH, RI_SPRING_ATTACHED, RI_SPRING_BOOKED, RI_SPRING_OUT };
enum {
    RI_CONTACT_NORMAL,
    RI_CONTACT_DEPTH,
    RI_CONTACT_SLIP,
    RI_CONTACT_TOUCHING,
    RI_CONTACT_SINKAGE,
    RI_CONTACT_TRACTION,
    RI_CONTACT_SLIP_RATIO,
    RI_CONTACT_SLIP_ANGLE,
    RI_CONTACT_COUNT
};
enum {
    RI_TERRAIN_HEIGHT,
    RI_TERRAIN_CLEARANCE,
    RI_TERRAIN_SLOPE,
    RI_TERRAIN_MATERIAL,
    RI_TERRAIN_RUT_BYTES,
    RI_TERRAIN_OUT_COUNT
};

/// The sun (sun.c).
typedef struct RiSunSlot {
    RiSunDef def;
    bool given;
    long long knot;  // whole minute that `from` belongs to
    RiVec3 from, to; // directions then and a minute later
    double out[2];   // azimuth, elevation
} RiSunSlot;

enum { RI_DRIVE_SPEED, RI_DRIVE_TURN, RI_DRIVE_DIRECTION, RI_DRIVE_COUNT };
/// A wheel as it is steered and rolls without dynamics.
typedef struct RiDriveWheel {
    RiVec3 hub;       // in the base frame, joints at zero [m]
    double radius;    // [m]
    int steer, spin;  // places in q, -1: none
    double turn_sign; // of the steering joint about z
    double roll_sign; // of the axle about y
} RiDriveWheel;

/// Joint efforts of one step, in spanning coordinates.
typedef struct RiLoads {
    double *tau;       // at the beginning of the step; in the state block
    double *extra;     // h C + h^2 K
    double *drift;     // h K s': taken off tau
    double *lost;      // the part of tau that dissipates (for the energy balance)
    double *K, *C;     // slopes of the passive part
    double *stiffness; // slope K of all together
    double *stored;    // the part that comes from springs
} RiLoads;

/// How a step takes slopes of forces: F - K (v q' + a q'') - C c q'', with K = -dF/dq, C = -dF/dq'.
typedef struct RiSlopes {
    double v, a, c; // [s], [s^2], [s]
} RiSlopes;
/// At the end of a step of length h.
static inline RiSlopes ri_slopes_at_end(double h)
{
    return (RiSlopes){h, h * h, h};
}

typedef struct RiNewton RiNewton;
typedef struct RiMoreau RiMoreau;
typedef struct RiEvents RiEvents;
typedef struct RiSoilRun RiSoilRun;
typedef struct RiScrewRun RiScrewRun;

/// Where CVODE was started, in the state block; the state there follows. Its history, which the block does not hold, is what comes of going the
/// same steps from there once more.
typedef struct RiOdeStart {
    long long steps; // since then, each of the length h; 0: nothing to go on from
    double h;
    uint64_t inputs; // hash of what acts on the robot from outside the state
    uint64_t left;   // hash of the state as the last step left it
} RiOdeStart;

struct RiSim {
    RiContext *ctx;
    RiArena arena;
    const RiModel *m;
    RiSimOptions options;
    RiDyn *d;
    RiIntegrator *rk4;
    RiOde *ode;
    RiValues *values;
    bool built, started;
    bool fresh;    // d stands at some q and v, both positions and velocities
    bool standing; // d was found to stand at q and v in this tick, and nothing has moved since

    RiDeviceSlot *devices;
    RiDeviceRun *runs;   // [devices]
    RiDeviceSeat *seats; // [devices]
    double *kept_ports;  // those that updates change, as they were before this tick, device by device
    const RiRefusal *refusals;
    bool sees_frames, sees_wrenches;
    RiActionSlot *actions;
    int action_count;
    RiSpringSlot *springs;
    RiCommandSlot *commands;
    RiStopSlot *stops;
    int device_count, spring_count, command_count, stop_count;
    int device_room, spring_room, command_room, stop_room;
    RiValiditySlot *validity_slots;
    RiJointWatch *watches;
    double *most_rate, *most_effort; // [ns] of the watched joints, infinite for the others
    double *lower, *upper;           // [nsq] likewise
    int validity_count, validity_room, watch_count;

    // state: one block
    void *block;
    size_t block_size, rest_at; // what not every tick changes stands at the end, from rest_at on
    RiSimHead *head;
    double *q, *v;
    double *effort;                                            // [ns] commanded from outside
    double *held;                                              // [ns] from devices, held between their updates
    double *servo_k, *servo_d, *servo_q, *servo_v, *servo_max; // [ns]
    double *active;                                            // [devices] 0 or 1
    double *ports;
    long long *updates; // [devices]
    // outputs that come from forces (with load.tau): devices may see them at the next tick, so they are carried on
    double *accel_s;       // [ns] accelerations of the joints
    double *spring_out;    // [springs][RI_SPRING_OUT] force, length, attached, attached by the books
    RiVec3 *deflection;    // [places of touches] of stick springs
    RiVec3 *dragged;       // [places] change of the sliding velocity in the last step
    RiVec3 *held_normal;   // [places] normal of the last touch there
    RiPairSlot *pool;      // [pair_room] pairs of hulls that touched
    double *contact_out;   // [contact links + 1][RI_CONTACT_COUNT], all of them last
    RiOdeStart *ode_start; // with cvode
    double *ode_from;      // [ode_n] y there
    RiValidityState *validity;
    double *melt_depth,
        *melt_speed;         // [places] ice that is gone under a touch; speed at which it goes. NULL: nothing melts
    RiScrewHeat *screw_heat; // [screws]
    double *heater;          // [screws] power from motors and heaters [W]
    RiMeltDef *melt;         // without its text; NULL: nothing melts
    RiPairDef *pairs;        // [contact pairs] as the run has them: named values; texts are left to the contacts

    const RiContacts *contacts; // may be NULL
    RiTouchWork touch;
    int touch_count;           // at the current state
    int ground_count;          // of those, with the ground: they come first
    int pair_flag;             // validity: no room for all pairs
    RiVec3 *cg;                // [RI_CG_VECTORS][places of pairs] scratch of link_pairs.c
    double *pair_scratch;      // [nv]
    RiTouchForce *touch_force; // of this step
    RiVec3 *touch_applied;     // force put on the robot before the solve, then what it came to
    RiVec3 *touch_drag;        // rolling resistance at the hub
    RiVec3 *touch_after;       // velocities at the end of the step
    RiVec3 *touch_velocity;    // about which forces are linearised
    bool *pressed;             // [places] something presses there in this step
    RiTouchInfo *touch_info;   // as reported
    int *touch_of;             // [report] the touch it is of
    RiThreadWatch *threads;    // [contact links]
    bool melts;                // ri_sim_set_melt was called: melt_def
    RiMeltDef melt_def;
    RiScrewSlot *screws;
    int screw_count;
    int *screw_of;      // [contact links] -1
    bool *icy;          // [materials of the terrain] it melts
    RiMeltFlow *flow;   // [places] scratch
    bool watch_threads; // any of them has a flag
    int touch_info_count;

    // scratch and outputs
    int port_total;
    double *new_q, *new_v, *a, *tau, *tau_s;
    RiLoads load;
    void *good;       // state at the beginning of the tick
    bool all_kept;    // `good` holds the whole block; else up to rest_at,
    int devices_kept; // and the ports of the first devices that were updated in this tick
    bool stale;       // the outputs below are older than d: they are computed when somebody looks
    bool touched;     // a named value, no input, was written since the last tick
    bool reported;    // a validity flag was raised in this tick
    bool counted;     // flags were counted since `good` has seen them
    double base_out[12];
    double com_out[6];
    double energy_out[6];
    double *y, *y_rate; // [nq + nv + 2] q, v, work, loss: what CVODE integrates
    RiNewton *newton;
    int ode_n;
    RiOdeStart ode_live;   // what the history of `ode` belongs to,
    double *ode_live_from; // and from where
    bool ode_again;        // steps are gone once more: nobody looks
    double ode_books[2];   // work and loss in y there
    RiSimHead ode_head;    // at the beginning of its step
    double arrived_after;  // from there to where it arrived [s]
    bool trial;            // forces are being evaluated at a state that may not be accepted: validity is not reported
    int rk4_stage;
    double rk4_work, rk4_lost;

    RiConeFn cone_fn; // NULL: nobody looks at contact problems
    void *cone_user;
    RiMoreau *moreau; // NULL: another method
    RiEvents *events; // NULL: impacts are not located
    bool found;       // the step that just ended has found the touches of its end

    // kinematic.c
    RiStance *stance;                     // NULL: none
    double *drive;                        // [RI_DRIVE_COUNT] in the state block, with RI_METHOD_KINEMATIC
    const double *driver[RI_DRIVE_COUNT]; // outputs of a device that count instead, NULL
    RiDriveWheel *drive_wheels;
    int drive_wheel_count;
    // soft soil (soil.c); NULL: none
    RiSoilRun *soil;
    double *soil_memory; // in the state block
    double *soil_out;    // in the state block: outputs per wheel
    // screws on soft soil (soil_screws.c); NULL: none
    RiScrewRun *soil_screws;
    double *screw_memory; // in the state block
    double *screw_out;    // in the state block: outputs per screw

    // ground (ground.c)
    const RiTerrain *terrain; // NULL: none
    RiRuts *ruts;             // NULL: none; behind the block in saved states
    double terrain_out[RI_TERRAIN_OUT_COUNT];
    bool outside;  // the base has left the terrain
    char left[96]; // that, in words

    RiSunSlot sun;
};

// sun.c
/// Unit vector towards the sun now; zero if none was given.
RiVec3 ri_sim_sun_direction(RiSim *s);
void ri_sim_update_sun(RiSim *s);
uint64_t ri_sim_sun_fingerprint(const RiSim *s, uint64_t h); // sensors see the sun: it belongs to what a state means
RI_MUST_CHECK RiStatus ri_sim_name_sun(RiSim *s);

// ground.c
RI_MUST_CHECK RiStatus ri_sim_name_ground(RiSim *s);
void ri_sim_update_ground(RiSim *s);
/// Whether the base has left the terrain.
/// Distance of a point to the ground with its ruts; NAN beyond the edge of the terrain.
double ri_sim_above_ground(const RiSim *s, RiVec3 p);
void ri_sim_check_edge(RiSim *s);
/// Hash of what the ground is: kind, extent, materials, and distances at a few points.
uint64_t ri_sim_ground_fingerprint(const RiSim *s, uint64_t h);
/// Brings back a state that has been saved as `size` bytes; everything is as before if it is refused.
RI_MUST_CHECK RiStatus ri_sim_load_block(RiSim *s, const void *block, size_t size);

// kinematic.c
RI_MUST_CHECK RiStatus ri_sim_build_drive(RiSim *s);
RI_MUST_CHECK RiStatus ri_sim_name_drive(RiSim *s);
/// A device with outputs base_speed, base_turn and base_direction drives the base.
void ri_sim_find_driver(RiSim *s);
/// To new_q and new_v: along the arc that the drive inputs say, wheels on the ground.
RI_MUST_CHECK RiStatus ri_sim_step_kinematic(RiSim *s, double h);

// step_cvode.c
RI_MUST_CHECK RiStatus ri_sim_create_ode(RiSim *s);
/// y' for CVODE; leaves d at y.
RI_MUST_CHECK RiStatus ri_sim_ode_rates(void *sim, double t, const double *y, double *out_rate);
/// Length of what it integrates.
int ri_sim_ode_size(const RiSim *s);
/// To new_q and new_v, at the step's end or where a stop condition became true: then head->stopped is set.
RI_MUST_CHECK RiStatus ri_sim_step_cvode(RiSim *s, double h);

// step_moreau.c, moreau_create.c, moreau_report.c
/// Workspace of the exact contact of RI_METHOD_MOREAU; does nothing for others.
RI_MUST_CHECK RiStatus ri_sim_create_moreau(RiSim *s);
void ri_sim_destroy_moreau(RiSim *s);
/// Its part of the state block: reactions of the last step.
void ri_sim_lay_out_moreau(RiSim *s, char *block, size_t *at);
RI_MUST_CHECK RiStatus ri_sim_name_moreau(RiSim *s);
/// The reactions of the last step as wrenches on d, for sensors; does nothing with other methods.
void ri_sim_apply_reactions(RiSim *s);
/// To new_q and new_v.
RI_MUST_CHECK RiStatus ri_sim_step_moreau(RiSim *s, double h);

// moreau_events.c
/// Located impacts, where options.events asks for them: workspace, part of the state block, named values.
RI_MUST_CHECK RiStatus ri_sim_create_events(RiSim *s);
void ri_sim_lay_out_events(RiSim *s, char *block, size_t *at);
RI_MUST_CHECK RiStatus ri_sim_name_events(RiSim *s);
/// To new_q and new_v.
RI_MUST_CHECK RiStatus ri_sim_step_events(RiSim *s, double h);

// newton_cvode.c
RI_MUST_CHECK RiStatus ri_sim_create_newton(RiSim *s);
/// The matrix I - gamma J of CVODE's Newton iteration at y, and the solution of a system with it (docs/theory/cvode.md). For RiOdeProblem.
RI_MUST_CHECK RiStatus ri_sim_prepare_newton(void *sim, double t, const double *y, const double *ydot, double gamma);
RI_MUST_CHECK RiStatus ri_sim_solve_newton(void *sim, const double *r, double *out_z);

// step.c
RI_MUST_CHECK RiStatus ri_sim_advance(RiSim *s, double h);
/// Forces at the current state of d, for methods without slopes: efforts into tau, and the powers of work and loss [W].
void ri_sim_evaluate_forces(RiSim *s, double *tau, double *out_work, double *out_lost);
/// Spanning accelerations of the last forward dynamics, into accel_s.
void ri_sim_span_acceleration(RiSim *s);
/// Whether d stands at the current q and v.
bool ri_sim_is_fresh(const RiSim *s);
/// Brings d to the current q and v, if it is not there already.
RI_MUST_CHECK RiStatus ri_sim_refresh(RiSim *s);
/// The same without looking whether it stands there already.
RI_MUST_CHECK RiStatus ri_sim_bring(RiSim *s);
/// Joint efforts (spanning) at the current d: held, servo, passive; with their implicit terms.
void ri_sim_joint_load(RiSim *s, RiSlopes by);
/// Spring forces as wrenches on d, with their implicit terms.
void ri_sim_apply_springs(RiSim *s, RiSlopes by);
/// Energy books of a first-order step that has been solved (its accelerations in a and accel_s).
void ri_sim_account(RiSim *s, double h, RiSlopes by);
/// Work of a force at the mean velocity of a step, on a point that began it with velocity v; after ri_dyn_mean_power [J].
static inline double ri_sim_mean_work(const RiSim *s, int link, RiVec3 point, RiVec3 v, RiVec3 force, double h)
{
    return h * ri_dot(force, ri_add(v, ri_scale(0.5 * h, ri_dyn_point_share(s->d, link, point))));
}
/// Slopes K = -dF/dp, C = -dF/dv of a spring's force at its point. False: it is slack.
bool ri_sim_spring_slopes(const RiSim *s, int spring, RiVec3 *out_point, RiMat3 *out_K, RiMat3 *out_C);
double ri_sim_spring_energy(const RiSim *s);
/// What was stored in springs that have been released since it was last asked for [J].
double ri_sim_released_energy(RiSim *s);

// contacts.c
RI_MUST_CHECK RiStatus ri_sim_allocate_contacts(RiSim *s);
/// Sums of the reported touches per link, and over all.
void ri_sim_sum_touches(RiSim *s);
/// The pairs of hulls that the touches at hand were found with become those of the state.
void ri_sim_keep_pool(RiSim *s);
/// What is reported of a wheel on soil (RI_LAW_TERZAGHI) that presses with a force; does nothing for others.
void ri_sim_report_soil(const RiTouch *t, double pressing, RiTouchInfo *out);
/// A place without touch has no deflection and no normal.
void ri_sim_forget_place(RiSim *s, int state);
/// Touches at the current d. Does nothing without contacts.
void ri_sim_find_contacts(RiSim *s);
/// Forces of the touches as wrenches on d, with their implicit terms for step h (0: none).
void ri_sim_apply_contacts(RiSim *s, double h);
/// Velocities of the touching points at the end of the step just solved; true if the forces used belong to them.
bool ri_sim_predict_contacts(RiSim *s, double h);
/// Takes them as those to linearise about.
void ri_sim_relinearize_contacts(RiSim *s);
/// After the solve: deflections and reports.
void ri_sim_finish_contacts(RiSim *s, double h);
/// Work of the touches at the mean velocity of the step, after ri_dyn_mean_power.
void ri_sim_account_contacts(RiSim *s, double h);
/// Contact forces now, on d, with deflections xi (3 per feature): their rates, and the power lost is added.
void ri_sim_contact_rates(RiSim *s, const double *xi, double *out_rate, double *lost);
double ri_sim_contact_energy(const RiSim *s);
/// At the end of a tick, with touches of the new state: what the contacts took and do not store is lost.
void ri_sim_book_contacts(RiSim *s);
RI_MUST_CHECK RiStatus ri_sim_name_contacts(RiSim *s);

/// Deflection of a touch; none where it is new.
static inline RiVec3 ri_sim_deflection(const RiSim *s, const RiTouch *t)
{
    return t->fresh ? ri_vec3(0.0, 0.0, 0.0) : s->deflection[t->state];
}
/// Velocity of a touching point at the end of the step just solved.
RiVec3 ri_sim_velocity_after(const RiSim *s, const RiTouch *t, double h);
/// The same of the hub of a wheel on soil.
RiVec3 ri_sim_hub_after(const RiSim *s, const RiTouch *t, double h);
/// Adds a force at a touch to a wrench about the origin of the body's region.
void ri_sim_add_force(double *f, RiVec3 arm, RiVec3 force);

// link_pairs.c
enum { RI_CG_VECTORS = 6 };
/// Between ri_dyn_forward without the touches of two links and the end of a pass: their forces at the end of the step of length h, and the accelerations
/// with them. The first pass of a step starts from nothing, the others from the one before.
RI_MUST_CHECK RiStatus ri_sim_solve_pairs(RiSim *s, double h, bool first);
// pairs.c
/// The law between a feature and a material of the terrain, as it stands in this run.
static inline const RiPairDef *ri_sim_pair(const RiSim *s, int feature, int ground)
{
    return &s->pairs[s->contacts->pair_of[feature * s->contacts->ground_count + ground]];
}
/// RI_ERR_ARGUMENT names a pair whose numbers, as they have been set, contradict each other.
RI_MUST_CHECK RiStatus ri_sim_check_pairs(RiSim *s);
/// The numbers of the contacts' pairs, into the state block.
void ri_sim_take_pairs(RiSim *s);
RI_MUST_CHECK RiStatus ri_sim_name_pairs(RiSim *s);
/// Registers the flags of threads.
RI_MUST_CHECK RiStatus ri_sim_watch_threads(RiSim *s);
/// At the end of a tick: looks at the threads that touch.
void ri_sim_check_threads(RiSim *s);

// melt.c
/// Finds the screws that may melt in; before the state is laid out.
RI_MUST_CHECK RiStatus ri_sim_prepare_melt(RiSim *s);
/// Temperatures and numbers at the start.
void ri_sim_start_melt(RiSim *s);
RI_MUST_CHECK RiStatus ri_sim_name_melt(RiSim *s);
/// Takes what has melted off a touch's depth.
static inline void ri_sim_melt_touch(const RiSim *s, RiTouch *t)
{
    if (!s->melt_depth)
        return;
    t->depth -= s->melt_depth[t->state];
    t->recede = s->melt_speed[t->state];
}
/// Work of a touch's force on the robot.
static inline void ri_sim_melt_work(RiSim *s, int slot, double work)
{
    if (s->melt_depth && s->screw_of[slot] >= 0)
        s->screw_heat[s->screw_of[slot]].work += work;
}
/// Melting, heat and temperatures over the tick that just ended, with touches of the new state: before contacts are booked.
void ri_sim_melt(RiSim *s);
/// Takes what the springs of the touches store now as their beginning.
void ri_sim_rest_melt(RiSim *s);
/// At the end of a tick: screws that are stuck.
void ri_sim_check_melt(RiSim *s);

// soil.c
/// Numbers that all wheels remember, and that they put out.
size_t ri_sim_soil_memory_size(const RiSim *s);
size_t ri_sim_soil_out_size(const RiSim *s);
/// The ground under the wheels at the current d.
void ri_sim_find_soil(RiSim *s);
/// Whether a touch of a feature with a material of the ground is the business of a law of soft soil.
bool ri_sim_is_soft(const RiSim *s, int link, int ground);
bool ri_sim_is_always_soft(const RiSim *s, int link); ///< the same on every ground that there is
/// A touch of a wheel with soft ground becomes one with the edge of hard ground beside it, where that is within the margin. False: there is none.
bool ri_sim_border_touch(RiSim *s, double margin, RiTouch *t);
/// Forces of the soil at the current state, with slopes for a step h (0: none).
void ri_sim_find_soil_forces(RiSim *s, double h);
/// Puts them as wrenches on d, with their implicit terms for step h (0: none).
void ri_sim_apply_soil(RiSim *s, double h);
/// Solves of a step in which soil would give more than it holds, at most.
enum { RI_HOLDS = 40 };
/// Whether soil does no more work in the step just solved than it holds; else the step is to be solved again, with more damping (soil_part.h).
bool ri_sim_hold_soil(RiSim *s, double h);
/// After the solve: memories, ruts, outputs. RI_ERR_MEMORY if ruts have no room.
RI_MUST_CHECK RiStatus ri_sim_finish_soil(RiSim *s, double h);
/// Work of the soil at the mean velocity of the step, after ri_dyn_mean_power.
void ri_sim_account_soil(RiSim *s, double h);
/// What the soil could give back [J].
double ri_sim_soil_energy(const RiSim *s);
RI_MUST_CHECK RiStatus ri_sim_name_soil(RiSim *s);

// soil_screws.c: the same for screws, called by the above where there are any
RI_MUST_CHECK RiStatus ri_sim_set_screws(RiSim *s, const RiSpec *spec, const RiSoilMap *map, const RiSoilOptions *o);
size_t ri_sim_screw_memory_size(const RiSim *s);
size_t ri_sim_screw_out_size(const RiSim *s);
bool ri_sim_screw_is_soft(const RiSim *s, int link, int ground);
void ri_sim_find_screws(RiSim *s);
void ri_sim_find_screw_forces(RiSim *s, double h);
void ri_sim_apply_screws(RiSim *s, double h);
bool ri_sim_hold_screws(RiSim *s, double h);
RI_MUST_CHECK RiStatus ri_sim_finish_screws(RiSim *s, double h);
void ri_sim_account_screws(RiSim *s, double h);
double ri_sim_screw_energy(const RiSim *s);
RI_MUST_CHECK RiStatus ri_sim_name_screws(RiSim *s);

// outputs.c
RI_MUST_CHECK RiStatus ri_sim_name_values(RiSim *s);
/// Whether the method books what it takes out itself.
bool ri_sim_is_first_order(const RiSim *s);
/// Computes the outputs from d, if they are older than it.
void ri_sim_update_outputs(RiSim *s);

// validity.c
/// Registers a flag (before ri_sim_build's end): `validity.NAME` counts the ticks in which a law left its assumptions, `text` says which.
RI_MUST_CHECK RiStatus ri_sim_add_validity(RiSim *s, const char *name, const char *text, int *out_flag); // in sim.c
/// Raises a flag for this tick; -1 is no flag. Free to be called from force laws at every evaluation.
void ri_sim_report_validity(RiSim *s, int flag);
/// Registers the flags of joints and springs.
RI_MUST_CHECK RiStatus ri_sim_watch(RiSim *s);
/// At the end of a tick: looks at joints and springs, counts and lowers what was raised.
void ri_sim_check_validity(RiSim *s);

// device_run.c
RI_MUST_CHECK RiStatus ri_sim_start_devices(RiSim *s);
RI_MUST_CHECK RiStatus ri_sim_update_devices(RiSim *s);
/// Takes back what updates of a failed tick did to ports that `good` does not hold.
void ri_sim_restore_devices(RiSim *s);

#endif
