// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stance: the pose of a wheeled robot on the ground, without dynamics (configuration kinematics,
/// ROAMS 2.2).
///
///     x, y, heading, angles of driven joints --(every wheel touches)--> height, roll, pitch, angles of passive joints
///
/// One equation per wheel: it touches the ground. One unknown each for height, roll and pitch, and
/// one for every passive joint between the base and a wheel; couplings (a rocker differential) are
/// already part of the coordinates. There must be as many equations as unknowns, which is what
/// rocker-bogie and triple-bogie suspensions are made for; other robots are refused with the count
/// of both. Newton's method uses the ground's analytic slope, and its curvature where the touching
/// point is looked for on the wheel. Equations: docs/theory/configuration.md.
///
/// A place without a valid pose is not an error: ri_stance_solve returns false, and the report names
/// the wheel that cannot touch and the reason.
///
/// Threads and ownership: a stance belongs to one thread; it copies what it needs of the spec and
/// keeps a pointer to the model, which must outlive it. Solving does not allocate.
#ifndef RILLE_STANCE_H
#define RILLE_STANCE_H

#include <stdbool.h>

#include <rille/dynamics.h>
#include <rille/model.h>
#include <rille/spec.h>
#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Condition for a wheel to touch the ground.
typedef enum RiStanceContact {
    RI_STANCE_BELOW_HUB, ///< the ground straight below the hub lies one radius lower: fast, good on gentle ground
    RI_STANCE_ON_SURFACE, ///< a point of the wheel's surface, rim edges included, lies on the ground and none lies below it
    RI_STANCE_CONTACT_COUNT
} RiStanceContact;
/// "hub" or "surface"; never NULL.
const char *ri_stance_contact_name(RiStanceContact contact);

typedef struct RiStanceDef {
    RiStanceContact contact; ///< default below the hub
    /// Globs over names of joints that give way. None: joints of one coordinate between the base
    /// and a wheel that have neither an actuator (`effort` not given) nor a spring, and are not the
    /// wheel's own axle.
    const char *const *passive;
    int passive_count;
    double sinkage;   ///< of every wheel in the ground, grousers included [m]; default 0: on their tips
    double tolerance; ///< largest gap or overlap that is treated as touching [m]; default 1e-8
    int iterations;   ///< of Newton's method, for each start; default 30
    bool limits;      ///< joint limits must hold; default true
} RiStanceDef;
/// The defaults that its fields name.
RiStanceDef ri_stance_def_default(void);

/// Contact of a wheel.
typedef struct RiStanceWheel {
    const char *name;
    int link;
    double radius; ///< grousers included, sinkage taken off [m]
    RiVec3 hub;    ///< [m]
    RiVec3 point;  ///< where it touches, or comes nearest to it [m]
    RiVec3 normal; ///< of the ground there, unit
    double gap;    ///< vertical distance there; negative: overlap [m]
} RiStanceWheel;

typedef struct RiStanceReport {
    bool solved;
    int iterations;        ///< of Newton's method, all starts together
    double residual;       ///< largest gap or overlap that is left [m]
    double z, roll, pitch; ///< of the base [m, rad]: R = Rz(heading) Ry(pitch) Rx(roll)
    int wheel;             ///< that cannot touch; -1
    char text[240];        ///< why not; "" if solved
} RiStanceReport;

typedef struct RiStance RiStance;

/// How deep the wheels of a robot at rest stand in the soil at (x, y), grousers included [m]:
/// Bekker's static sinkage of the mean wheel load, not deeper than the soft layer. 0 on hard ground
/// and where the terrain has no soil. `gravity` is a magnitude [m/s^2].
double ri_stance_sinkage(const RiSpec *spec, const RiModel *model, const RiTerrain *terrain, double x, double y,
                         double gravity);

/// `def` may be NULL. RI_ERR_UNSUPPORTED: no wheels, no floating base, closed loops on the way to a
/// wheel, or as many equations as unknowns cannot be had; the message gives both numbers and names
/// the joints.
RI_MUST_CHECK RiStatus ri_stance_create(RiContext *ctx, const RiSpec *spec, const RiModel *model,
                                        const RiStanceDef *def, RiStance **out_stance);
/// Destroys it; NULL does nothing.
void ri_stance_destroy(RiStance *s);

/// Another sinkage for all wheels. RI_ERR_ARGUMENT if it is more than a wheel's radius.
RI_MUST_CHECK RiStatus ri_stance_set_sinkage(RiStance *s, double sinkage);

/// Places the robot. `q` (nq) comes in with the angles of all driven joints and, as a start, with
/// the last stance; height, roll, pitch and passive angles are written if the answer is true, else
/// q stays as it is. `report` may be NULL.
bool ri_stance_solve(RiStance *s, const RiTerrain *terrain, double x, double y, double heading, double *q,
                     RiStanceReport *report);

/// Number of wheels.
int ri_stance_wheel_count(const RiStance *s);
/// As of the last ri_stance_solve.
RiStanceWheel ri_stance_wheel(const RiStance *s, int wheel);
/// Number of passive joints.
int ri_stance_passive_count(const RiStance *s);
/// Name of a passive joint; borrowed.
const char *ri_stance_passive(const RiStance *s, int index);

/// Static loads of the wheels [N] in the last stance that was solved: the pressing forces along the
/// ground's normals that hold the weight while x, y and heading are held by friction. On flat
/// ground these are what lever equations give. `d` is brought to q and rest. False where forces
/// cannot be told apart (two wheels bear the same lever).
bool ri_stance_loads(RiStance *s, RiDyn *d, const double *q, double *out_loads);

#ifdef __cplusplus
}
#endif
#endif
