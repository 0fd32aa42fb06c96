// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of integration methods. One row per method, in the order of RiMethod; each row is
/// defined in the file of its method.
///
///     options.method --> ri_methods[] --> row: check, create, lay_out, name, step
///
/// Options of methods are rows of the tables in sim_options.c, which give defaults, ranges, the
/// scene's keys and the fingerprint.
///
/// A new method needs an enumerator in include/rille/sim.h, its name in RI_METHOD_LIST below, and a
/// file with its row. docs/internals.md has an example.
#ifndef RI_SIM_METHOD_H
#define RI_SIM_METHOD_H

#include <rille/sim.h>

/// What a method can do beyond joints and springs. A force that needs more than its method offers
/// is refused when it is added.
enum {
    RI_OFFERS_CONTACT = 1,      ///< unilateral contact with the ground
    RI_OFFERS_LINK_CONTACT = 2, ///< contact between two links
    RI_OFFERS_PASSIVE_SOIL = 4, ///< solves a step again until the soil gives back no more energy than it holds
    RI_OFFERS_CONTACT_WORK = 8  ///< books the work of every touch
};

/// The parts of the state block, in this order. The method's share of a part is between the
/// moving part and the memory.
typedef enum RiBlockPart {
    RI_BLOCK_MOVING, ///< what every step changes
    RI_BLOCK_MEMORY, ///< what forces remember of the ground, also changed by every step
    RI_BLOCK_KEPT    ///< what only devices, writes from outside or reports change
} RiBlockPart;

/// A method. Verbs may be NULL where a method has nothing to do.
typedef struct RiMethodKind {
    RiMethodInfo info;
    unsigned offers;      ///< RI_OFFERS_*
    bool first_order;     ///< ends each step with ri_sim_account, and outputs.c shows what the method itself takes out
    bool implicit;        ///< forces are taken at the end of the step, by their slopes
    bool solves_contact;  ///< has contact forces of its own: those of the contact laws are not applied
    bool integrates_loss; ///< `dissipated` comes out of the integration; contacts do not book it again
    bool prescribes;      ///< the motion is given: whatever moves the robot does the work
    /// What the options must be; all methods are asked, so that an option of another method is
    /// refused.
    RiStatus (*check)(RiContext *ctx, const RiSimOptions *o);
    /// Workspace and validity flags, before the state is laid out; destroy also follows a create
    /// that failed or never came.
    RiStatus (*create)(RiSim *s);
    void (*destroy)(RiSim *s);
    /// Its part of the state block, by ri_carve.
    void (*lay_out)(RiSim *s, RiBlockPart part, char *block, size_t *at);
    RiStatus (*name)(RiSim *s);
    /// At ri_sim_start, before the energy books begin: where the robot may not be, it is moved.
    RiStatus (*place)(RiSim *s);
    /// At ri_sim_start, once the devices are resolved.
    void (*start)(RiSim *s);
    /// Contact forces of its own of the last step, as wrenches on d: for sensors.
    void (*apply_reactions)(RiSim *s);
    /// One integration step of length h from q and v to new_q and new_v; sets `advanced` if it ends
    /// early.
    RiStatus (*step)(RiSim *s, double h);
} RiMethodKind;

#define RI_METHOD_LIST(X)       X(implicit) X(semi_implicit) X(rk4) X(cvode) X(moreau) X(kinematic)
#define RI_METHOD_DECLARE(name) extern const RiMethodKind ri_method_##name;
RI_METHOD_LIST(RI_METHOD_DECLARE)
#undef RI_METHOD_DECLARE

const RiMethodKind *ri_method_kind(RiMethod method);
/// Checks the options that belong to methods.
RI_MUST_CHECK RiStatus ri_method_check(RiContext *ctx, const RiSimOptions *o);
/// Refuses a force that the simulation's method has no means for. `needs` are RI_OFFERS_*, `who` is
/// the force in words, `or_else` what else to do.
RI_MUST_CHECK RiStatus ri_method_require(RiContext *ctx, RiMethod method, unsigned needs, const char *who,
                                         const char *or_else);

#endif
