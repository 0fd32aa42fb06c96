// SPDX-License-Identifier: Apache-2.0
/// \file
/// Touches of the robot with the ground and between its links, as all who work on them see them
/// (touches.c).
#ifndef RI_SIM_TOUCHES_H
#define RI_SIM_TOUCHES_H

#include "contact/contacts.h"
#include "sim/internal.h"

/// Outputs per link: `contact.LINK.normal` and so on.
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

/// Validity flags of a link's thread; -1: none.
typedef struct RiThreadWatch {
    int blunt, shank;
} RiThreadWatch;

/// Validity flags of wheels under RI_LAW_TERZAGHI.
typedef struct RiRollingWatch {
    int slope, slip, sinkage;
} RiRollingWatch;

struct RiTouches {
    // in the state block
    RiVec3 *deflection;  // [places] of stick springs
    RiVec3 *dragged;     // [places] change of the sliding velocity in the last step
    RiVec3 *held_normal; // [places] normal of the last touch there
    RiPairSlot *pool;    // [pair_room] pairs of hulls that touched
    double *out;         // [contact links + 1][RI_CONTACT_COUNT]; the last row sums over all links
    RiPairDef *laws;     // [contact pairs] numbers of the laws, as named values may have changed them
    double *numbers;     // [pairs given + 1][RI_PLUGIN_OPTIONS] those of laws of plugins, if there are any

    RiLawUse *uses; // [pairs given + 1] laws of plugins with these numbers; NULL: there are none

    // at the current d
    RiTouchWork work;
    RiTouch *list; // of `work`: touches with the ground, then those between links
    int count;
    int ground_count; // of those, with the ground

    // of this step, [touches]
    RiTouchForce *force;
    RiVec3 *applied;   // force put on the robot before the solve, then what it came to
    RiVec3 *drag;      // rolling resistance at the hub
    RiVec3 *velocity;  // about which forces are linearised
    RiVec3 *after;     // velocities at the end of the step
    double *work_done; // on the robot [J]
    bool *pressed;     // [places] something presses there in this step

    // reports
    RiTouchInfo *info;
    int *info_of; // [info] the touch that it is of
    int info_count;
    RiThreadWatch *threads; // [contact links]
    bool watch_threads;     // any of them has a flag
    bool watch_rolling;     // some wheel is under RI_LAW_TERZAGHI:
    RiRollingWatch rolling;
};

/// Touches at the current d.
void ri_touches_find(RiSim *s);
/// The state that a touch leaves at the end of an accepted step: normal, sliding, deflection.
void ri_touches_remember(RiSim *s, int touch, double h);

/// Deflection of a touch; zero where it is new.
static inline RiVec3 ri_sim_deflection(const RiSim *s, const RiTouch *t)
{
    return t->fresh ? ri_vec3(0.0, 0.0, 0.0) : s->touches->deflection[t->place];
}
/// Sums of the reported touches per link, and over all.
void ri_sim_sum_touches(RiSim *s);
/// What is reported of a wheel on soil (RI_LAW_TERZAGHI) that presses with a force; does nothing
/// for others.
void ri_sim_report_soil(const RiTouch *t, double pressing, RiTouchInfo *out);
/// A place without touch has no deflection and no normal.
void ri_sim_forget_place(RiSim *s, int place);
/// Velocity of a touching point at the end of the step just solved.
RiVec3 ri_sim_velocity_after(const RiSim *s, const RiTouch *t, double h);
/// The same of the hub of a wheel on soil.
RiVec3 ri_sim_hub_after(const RiSim *s, const RiTouch *t, double h);
/// Adds a force at a touch to a wrench about the origin of the body's region.
void ri_sim_add_force(double *f, RiVec3 arm, RiVec3 force);

// link_contact.c
/// The pairs of hulls that the touches at hand were found with become those of the state.
void ri_sim_keep_pool(RiSim *s);

// laws.c
/// The numbers of the contacts' laws, into the state block.
RI_MUST_CHECK RiStatus ri_laws_take(RiSim *s);
/// RI_ERR_ARGUMENT names a law whose numbers, as they have been set, contradict each other.
RI_MUST_CHECK RiStatus ri_laws_check(RiSim *s);
RI_MUST_CHECK RiStatus ri_laws_name(RiSim *s);
uint64_t ri_laws_fingerprint(const RiContacts *c, uint64_t h);
/// Registers the flags of threads, and looks at the threads that touch at the end of a tick.
RI_MUST_CHECK RiStatus ri_laws_watch(RiSim *s);
void ri_laws_check_validity(RiSim *s);
/// The law between a feature and a material of the terrain, as it is in this run.
static inline const RiPairDef *ri_sim_pair(const RiSim *s, int feature, int ground)
{
    return &s->touches->laws[s->contacts->pair_of[feature * s->contacts->ground_count + ground]];
}

enum { RI_QUIET_ARRAYS = 3 };
/// Whether links with shapes only touch nothing: what is remembered of their touches is zero then.
/// False for methods that use these numbers otherwise.
bool ri_touches_are_quiet(const RiSim *s);
/// Those numbers, of array 0 to RI_QUIET_ARRAYS - 1 in the order of the state block.
char *ri_touches_quiet_part(const RiSim *s, int array, size_t *out_size);

#endif
