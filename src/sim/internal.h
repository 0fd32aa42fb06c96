// SPDX-License-Identifier: Apache-2.0
/// \file
/// The simulation's inside: what all its parts share. A part of the simulation (a force, a method,
/// the devices) keeps its own data behind a pointer below; only files that include the part's
/// header see it.
#ifndef RI_SIM_INTERNAL_H
#define RI_SIM_INTERNAL_H

#include <rille/sim.h>

#include "base/assert.h"
#include "base/memory.h"
#include "contact/contacts.h"
#include "dynamics/dyn.h"
#include "sim/force/force.h"
#include "sim/method/method.h"
#include "terrain/ruts.h"

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

/// How far what is derived from q and v has come. Each stage includes those before it.
typedef enum RiSimStage {
    RI_STAGE_LOOSE, ///< d is somewhere else, or its velocities do not belong to its positions
    RI_STAGE_PLACED, ///< d has positions and velocities of one state; whether it is that of q and v, ri_sim_is_placed says
    RI_STAGE_FOUND ///< the touches, and the ground under wheels and screws, are those of d
} RiSimStage;

/// Outputs that are computed together.
enum {
    RI_OUTPUTS_BASE = 1,     ///< but for its attitude
    RI_OUTPUTS_ATTITUDE = 2, ///< of the base: arcs cost more than the rest of it
    RI_OUTPUTS_COM = 4,
    RI_OUTPUTS_ENERGY = 8,
    RI_OUTPUTS_REST = 16, ///< ground under the base, sun
    RI_OUTPUTS_ALL = 31
};

/// The state at the beginning of a tick, for a tick that fails. Copying is much of what a tick
/// costs beyond devices and integration, so the kept part of the block (from kept_at on) is left
/// out where it cannot have changed.
typedef struct RiSnapshot {
    void *block;
    bool whole; // it holds the kept part as well
    bool quiet; // places of links with shapes only were zero and are not in it
} RiSnapshot;

// parts, each known to its own files
typedef struct RiJoints RiJoints;           // force/joints.h
typedef struct RiSprings RiSprings;         // force/springs.h
typedef struct RiTouches RiTouches;         // force/touches.h
typedef struct RiLinkContact RiLinkContact; // force/link_contact.h
typedef struct RiMelting RiMelting;         // force/melt.h
typedef struct RiSoilForces RiSoilForces;   // force/soil.h
typedef struct RiOutside RiOutside;         // force/outside.h
typedef struct RiRk4 RiRk4;                 // method/step_rk4.c
typedef struct RiCvode RiCvode;             // method/cvode.h
typedef struct RiMoreau RiMoreau;           // method/moreau.h
typedef struct RiEvents RiEvents;           // method/moreau_events.h
typedef struct RiDrive RiDrive;             // method/kinematic.c
typedef struct RiDevices RiDevices;         // devices.h
typedef struct RiSchedule RiSchedule;       // schedule.h
typedef struct RiValiditySet RiValiditySet; // validity.c
typedef struct RiGround RiGround;           // force/ground.c
typedef struct RiSunSlot RiSunSlot;         // sun.h
typedef struct RiNetworkSlot RiNetworkSlot; // network.h

struct RiSim {
    // what it is made of
    RiContext *ctx;
    RiArena arena;
    const RiModel *m;
    RiSimOptions options;
    const RiMethodKind *method;  // of options.method
    RiForceRows present, acting; // forces that there are, and those of them that the method takes
    const RiContacts *contacts;  // NULL: nothing touches
    const RiTerrain *terrain;    // NULL: none
    RiRuts *ruts;                // NULL: none; behind the block in saved states
    RiStance *stance;            // NULL: none
    bool switchable;             // a run with dynamics that may go on without: `drive.dynamic`
    RiConeFn cone_fn;            // NULL: nobody looks at contact problems
    void *cone_user;
    RiDyn *d;
    RiValues *values;
    uint64_t fingerprint;
    bool built, started;

    // state: one block
    void *block;
    size_t block_size, kept_at; // from kept_at on: what only devices, writes from outside and reports change
    RiSimHead *head;
    double *q, *v;
    double *accel_s; // [ns] accelerations of the joints: devices may see them at the next tick

    // parts
    RiJoints *joints;
    RiSprings *springs;
    RiTouches *touches;
    RiLinkContact *links;
    RiMelting *melting; // NULL: nothing melts
    RiSoilForces *soil; // NULL: no wheel or screw on soft soil
    RiOutside *outside; // contacts from another program
    RiDevices *devices;
    RiSchedule *schedule;
    RiValiditySet *validity;
    RiGround *ground;
    RiSunSlot *sun;
    RiNetworkSlot *network;
    RiRk4 *rk4; // the part of the method in use; the others are NULL
    RiCvode *cvode;
    RiMoreau *moreau;
    RiEvents *events; // with moreau, where impacts are located
    RiDrive *drive;

    // a step
    RiSimStage stage;
    double *new_q, *new_v, *a, *tau, *tau_s;
    double advanced;   // length of the step that was just made: less than asked for where it met a stop condition [s]
    RiMeanPower power; // of the step that is being accounted
    bool trial;        // forces are evaluated at a state that may not be accepted: validity is not reported

    // a tick
    RiSnapshot snapshot;
    bool kept_changed; // the kept part of the block has changed since the snapshot saw it
    bool written;      // a named value other than an input was written since the last tick
    unsigned stale;    // RI_OUTPUTS_*: the outputs that are older than d; they are computed when somebody looks
    double base_out[12];
    double com_out[6];
    double energy_out[6];
};

// sim.c: for parts, until ri_sim_build
/// Room for one more item of `size` bytes in a growing list.
RI_MUST_CHECK RiStatus ri_sim_grow(RiSim *s, void **items, int count, int *room, size_t size);
#define RI_SIM_GROW(s, items, count, room)                                                                             \
    do {                                                                                                               \
        void *grown_ = (items);                                                                                        \
        RI_TRY(ri_sim_grow(s, &grown_, count, &(room), sizeof *(items)));                                              \
        (items) = grown_;                                                                                              \
    } while (0)
/// A copy of a text that lives as long as the simulation; NULL gives NULL.
RI_MUST_CHECK RiStatus ri_sim_copy_text(RiSim *s, const char *text, const char **out);
/// Whether a block that comes from a file can be gone on from: head, coordinates, every named
/// value, every device. The message does not name the file. Nothing is changed.
RI_MUST_CHECK RiStatus ri_sim_check_block(const RiSim *s, const void *block);
RI_MUST_CHECK RiStatus ri_sim_load_block(RiSim *s, const void *block, size_t size);
/// ri_sim_step in parts (lockstep.c): until the method's steps, of which there are `out_steps` of
/// length `out_h`; after them; and the end, which keeps the tick or takes the state back.
RI_MUST_CHECK RiStatus ri_sim_begin_tick(RiSim *s, int *out_steps, double *out_h);
RI_MUST_CHECK RiStatus ri_sim_end_tick(RiSim *s, bool counts);
RI_MUST_CHECK RiStatus ri_sim_close_tick(RiSim *s, RiStatus status);

// step.c
/// Whether d is at the current q and v.
bool ri_sim_is_placed(const RiSim *s);
/// Brings d to the current q and v, if it is not there already.
RI_MUST_CHECK RiStatus ri_sim_place(RiSim *s);
/// What acts where, at the current d: touches, ground under wheels and screws.
void ri_sim_find(RiSim *s);
/// ri_sim_place and ri_sim_find, as far as they are needed.
RI_MUST_CHECK RiStatus ri_sim_arrive(RiSim *s);
/// Puts all forces that have been evaluated on d, in place of what was there: wrenches, extra
/// inertia, and efforts in tau.
void ri_sim_apply(RiSim *s, RiSlopes by);
/// Forces and accelerations at the current d, without slopes. After ri_sim_find.
RI_MUST_CHECK RiStatus ri_sim_accelerate(RiSim *s);
/// Books what was set from outside since the last tick, and finds what touches there (sim.c).
RI_MUST_CHECK RiStatus ri_sim_book_interventions(RiSim *s);
/// Forces now for a continuous method: efforts into flow.tau, wrenches on d, powers. Sets all of
/// flow but xi and tau.
void ri_sim_flow(RiSim *s, RiFlow *flow);
/// Spanning accelerations of the last forward dynamics, into accel_s.
void ri_sim_span_acceleration(RiSim *s);
/// Accepts new_q and new_v of a step; RI_ERR_NUMERIC if they diverged. What decays ends at zero,
/// not in subnormal numbers.
RI_MUST_CHECK RiStatus ri_sim_accept(RiSim *s, double h);
/// Energy books of a first-order step that has been solved (its accelerations in a and accel_s).
void ri_sim_account(RiSim *s, double h, RiSlopes by);
/// The same with the mean powers in `power`.
void ri_sim_account_forces(RiSim *s, double h, RiSlopes by);
/// Work of a force at the mean velocity of a step, on a point that began it with velocity v [J].
/// After ri_dyn_mean_power.
static inline double ri_sim_mean_work(const RiSim *s, int link, RiVec3 point, RiVec3 v, RiVec3 force, double h)
{
    return h * ri_dot(force, ri_add(v, ri_scale(0.5 * h, ri_dyn_point_share(s->d, link, point))));
}

// forces.c
/// Potential energy of all forces besides gravity and joint springs, and what they store in books
/// of their own [J].
double ri_sim_potential(const RiSim *s);
double ri_sim_stored(const RiSim *s);
/// Stored energy of what has been released from outside since it was last asked for [J].
double ri_sim_released(RiSim *s);

// outputs.c
RI_MUST_CHECK RiStatus ri_sim_name_values(RiSim *s);
/// Adds one value under a dotted name; `owner` may be NULL.
RI_MUST_CHECK RiStatus ri_sim_name_value(RiSim *s, const char *owner, const char *what, const char *unit,
                                         const char *doc, RiValueKind kind, void *at, RiValueType type, bool writable);
/// Computes the outputs from d, if they are older than it.
void ri_sim_update_outputs(RiSim *s);
/// Puts what was written into the values of the base into the state. d is where the base was before.
void ri_sim_take_base(RiSim *s);

// validity.c
/// Registers a flag (before ri_sim_build's end): `validity.NAME` counts the ticks in which a law
/// left its assumptions, `text` says which.
RI_MUST_CHECK RiStatus ri_sim_check_plausible(RiSim *s); ///< at the end of a tick: plausible.c
RI_MUST_CHECK RiStatus ri_sim_check_start(RiSim *s);     ///< after ri_sim_find
RI_MUST_CHECK RiStatus ri_sim_add_validity(RiSim *s, const char *name, const char *text, int *out_flag);
/// The same under the name `owner.what`.
RI_MUST_CHECK RiStatus ri_sim_add_flag(RiSim *s, const char *owner, const char *what, const char *text, int *out_flag);
/// Raises a flag for this tick; -1 is no flag. Free to be called from force laws at every
/// evaluation.
void ri_sim_report_validity(RiSim *s, int flag);
/// At the end of a tick: asks all forces and devices, counts and lowers what was raised.
void ri_sim_check_validity(RiSim *s);
RI_MUST_CHECK RiStatus ri_validity_create(RiSim *s);
void ri_validity_destroy(RiSim *s);
void ri_validity_lay_out(RiSim *s, char *block, size_t *at);
RI_MUST_CHECK RiStatus ri_validity_name(RiSim *s);
uint64_t ri_validity_fingerprint(const RiSim *s, uint64_t h);
/// Whether the counters in a copy of the state block can be those of a run.
bool ri_validity_is_sound(const RiSim *s, const RiSimHead *head, const char *block);

// force/ground.c
RI_MUST_CHECK RiStatus ri_ground_create(RiSim *s);
RI_MUST_CHECK RiStatus ri_sim_name_ground(RiSim *s);
void ri_sim_update_ground(RiSim *s);
/// Driving without dynamics (method/kinematic.c): the verbs of that method, which a switchable run
/// of another method has besides its own. is_on: the next tick is without dynamics; rest: this one
/// is with them.
RI_MUST_CHECK RiStatus ri_drive_create(RiSim *s);
void ri_drive_lay_out(RiSim *s, RiBlockPart part, char *block, size_t *at);
RI_MUST_CHECK RiStatus ri_drive_name(RiSim *s);
void ri_drive_begin(RiSim *s);
void ri_drive_start(RiSim *s);
RI_MUST_CHECK RiStatus ri_drive_step(RiSim *s, double h);
bool ri_drive_is_on(const RiSim *s);
void ri_drive_rest(RiSim *s);

/// Distance of a point to the ground with its ruts; NAN beyond the edge of the terrain.
double ri_sim_above_ground(const RiSim *s, RiVec3 p);
/// The floor under a point, with its ruts: in a tube that is not the highest ground. For a point
/// inside the ground, the surface above it. False: there is none.
bool ri_sim_ground_below(const RiSim *s, RiVec3 p, RiHeight *out);
/// At the end of a tick: whether the base has left the terrain.
void ri_sim_check_edge(RiSim *s);
/// Where the base left the terrain, in words; NULL: it is on it.
const char *ri_sim_left_terrain(const RiSim *s);
/// Hash of what the ground is: kind, extent, materials, and distances at a few points.
uint64_t ri_sim_ground_fingerprint(const RiSim *s, uint64_t h);

#endif
