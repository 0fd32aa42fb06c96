// SPDX-License-Identifier: Apache-2.0
/// \file
/// IFToMM A03: Andrews' squeezing mechanism, seven planar bodies that meet in one point F
/// [mazzia2008].
///
///     crank    O --K1(beta)--> --K2(theta)--> F        three closures tie the other chains' ends to K2's end F:
///     spring   B --K3(gamma)--> F                      7 hinges, 6 independent equations, 1 degree of freedom
///     link     A --K5(delta)--> --K4(phi)--> F
///     link     A --K7(epsilon)--> --K6(omega)--> F
///
/// No gravity. A motor turns the crank with 0.033 N m; a spring pulls a point of K3 towards C. The
/// angles are the joint coordinates of the reference; the positions of the joints follow from its
/// six constraint equations, the centres of mass from its mass matrix.
#include <math.h>
#include <stdio.h>

#include "validate/rig.h"

static const RiVec3 z_axis = {0.0, 0.0, 1.0}, origin = {0.0, 0.0, 0.0};

#define AN_MOTOR 0.033 // [N m]

// Lengths of the reference [m].
#define AN_XA -0.06934
#define AN_YA -0.00227
#define AN_XB -0.03635
#define AN_YB 0.03273
#define AN_XC 0.014
#define AN_YC 0.072
#define AN_D  0.028
#define AN_DA 0.0115
#define AN_E  0.02
#define AN_EA 0.01421
#define AN_RR 0.007
#define AN_RA 0.00092
#define AN_SS 0.035
#define AN_SA 0.01874
#define AN_SB 0.01043
#define AN_SC 0.018
#define AN_SD 0.02
#define AN_TA 0.02308
#define AN_TB 0.00916
#define AN_U  0.04
#define AN_UA 0.01228
#define AN_UB 0.00449
#define AN_ZF 0.02
#define AN_ZT 0.04
#define AN_FA 0.01421

/// A planar body: inertia about z is what matters, the others make it physical.
static RiStatus add_body(RiRig *rig, const char *parent, const char *name, double x, double y, double mass,
                         double inertia, RiVec3 com, double angle)
{
    RI_TRY(ri_rig_link(rig, name, mass, com, ri_diagonal(inertia, inertia, inertia)));
    return ri_rig_joint(rig, RI_JOINT_CONTINUOUS, parent, name, ri_vec3(x, y, 0.0), z_axis, angle);
}

static RiStatus build_andrews(RiRig *rig)
{
    const double H = AN_ZF - AN_FA, E = AN_E - AN_EA;
    RI_TRY(add_body(rig, "world", "K1", 0.0, 0.0, 0.04325, 2.194e-6, ri_vec3(AN_RA, 0.0, 0.0), -0.0617138900142764));
    RI_TRY(add_body(rig, "K1", "K2", AN_RR, 0.0, 0.00365, 4.410e-7, ri_vec3(-AN_DA, 0.0, 0.0), 0.0));
    RI_TRY(
        add_body(rig, "world", "K3", AN_XB, AN_YB, 0.02373, 5.255e-6, ri_vec3(AN_SB, -AN_SA, 0.0), 0.4552798191630704));
    RI_TRY(
        add_body(rig, "world", "K5", AN_XA, AN_YA, 0.07050, 1.169e-5, ri_vec3(AN_TA, AN_TB, 0.0), 0.4873649795438426));
    RI_TRY(add_body(rig, "K5", "K4", AN_ZT, 0.0, 0.00706, 5.667e-7, ri_vec3(0.0, -E, 0.0), 0.2226683901658859));
    RI_TRY(
        add_body(rig, "world", "K7", AN_XA, AN_YA, 0.05498, 1.912e-5, ri_vec3(AN_UA, -AN_UB, 0.0), 1.230547444549821));
    RI_TRY(add_body(rig, "K7", "K6", 0.0, -AN_U, 0.00706, 5.667e-7, ri_vec3(H, 0.0, 0.0), -0.2226683901658859));
    const RiVec3 F = {-AN_D, 0.0, 0.0}; // on K2
    RI_TRY(ri_rig_close(rig, RI_LOOP_BALL, "K2", F, "K3", ri_vec3(0.0, -AN_SS, 0.0)));
    RI_TRY(ri_rig_close(rig, RI_LOOP_BALL, "K2", F, "K4", ri_vec3(0.0, -AN_E, 0.0)));
    RI_TRY(ri_rig_close(rig, RI_LOOP_BALL, "K2", F, "K6", ri_vec3(AN_ZF, 0.0, 0.0)));
    ri_spec_find_joint(rig->spec, "K1")->independent = true; // it turns round and round
    return RI_OK;
}

/// Spring from D on K3 to the fixed point C:  f = -c0 (l - l0) along C -> D.
static void spring_force(const RiDyn *d, int k3, RiVec3 *out_D, RiVec3 *out_force)
{
    const RiPose pose = ri_dyn_frame_pose(d, k3);
    *out_D = ri_pose_point(&pose, ri_vec3(AN_SD, -AN_SC, 0.0));
    const RiVec3 span = ri_sub(*out_D, ri_vec3(AN_XC, AN_YC, 0.0));
    const double length = ri_norm(span);
    *out_force = ri_scale(-4530.0 * (length - 0.07785) / length, span);
}

/// Motor on the crank and spring on K3.
static void drive(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    const RiRig *rig = user;
    const int k3 = ri_model_find_link(rig->model, "K3");
    RiVec3 D, force;
    (void)time, (void)q, (void)v;
    spring_force(d, k3, &D, &force);
    ri_dyn_add_wrench(d, k3, force, origin, D);
    tau[ri_model_joint(rig->model, ri_rig_joint_index(rig, "K1")).v_index] = AN_MOTOR;
}

typedef struct Angle {
    const char *name, *joint;
    double position, velocity, acceleration; // at 0.03 s
} Angle;

static const Angle angles[] = {
    {"beta", "K1", 15.81077119629904, 1139.920302151208, -24631.76316945196},
    {"theta", "K2", -15.75637105984298, -1424.379294994111, 51850.37701610329},
    {"gamma", "K3", 0.04082224013073101, 11.03291221937134, 324102.5686413781},
    {"phi", "K4", -0.5347301163226948, 19.29337464421385, 566749.3645176213},
    {"delta", "K5", 0.5244099658805304, 0.5735699284790808, 16743.62929479361},
    {"omega", "K6", 0.5347301163226948, -19.29337464421385, -566749.3645176222},
    {"epsilon", "K7", 1.048080741042263, 0.3231791658026955, 9826.520791458422},
};

/// Accelerations and joint forces at the present state, with motor and spring.
static RiStatus accelerate(RiRig *rig)
{
    double tau[8] = {0.0}, a[8], spanning[8] = {0.0};
    ri_dyn_clear_wrenches(rig->dyn);
    drive(rig, rig->dyn, rig->time, rig->q, rig->v, tau);
    RI_TRY(ri_dyn_forward(rig->dyn, tau, a));
    spanning[ri_model_joint(rig->model, ri_rig_joint_index(rig, "K1")).s_index] = AN_MOTOR;
    return ri_dyn_update_wrenches(rig->dyn, spanning);
}

/// The angles, their rates and accelerations. Bands: see squeeze().
static void compare_angles(RiRig *rig)
{
    for (int i = 0; i < 7; i++) {
        const int joint = ri_rig_joint_index(rig, angles[i].joint);
        double x;
        char text[64];
        ri_dyn_joint_position(rig->dyn, joint, &x);
        snprintf(text, sizeof text, "%s at 0.03 s", angles[i].name);
        ri_validate_near(rig->run, text, "rad", angles[i].position, 1e-8, x);
        ri_dyn_joint_velocity(rig->dyn, joint, &x);
        snprintf(text, sizeof text, "%s' at 0.03 s", angles[i].name);
        ri_validate_near(rig->run, text, "rad/s", angles[i].velocity, 2e-6, x);
        ri_dyn_joint_acceleration(rig->dyn, joint, &x);
        snprintf(text, sizeof text, "%s'' at 0.03 s", angles[i].name);
        ri_validate_near(rig->run, text, "rad/s^2", angles[i].acceleration, 0.5, x);
    }
}

/// Force of the closure at F on a body, from Newton's law:  f_F = m a_com - f_joint - f_other.
static RiVec3 closure_force(const RiRig *rig, const char *body, RiVec3 com, double mass, RiVec3 other)
{
    const int link = ri_model_find_link(rig->model, body);
    const RiPose pose = ri_dyn_frame_pose(rig->dyn, link);
    const RiSpatial v = ri_dyn_frame_velocity(rig->dyn, link), a = ri_dyn_frame_acceleration(rig->dyn, link);
    const RiVec3 r = ri_rotate(&pose.R, com), swirl = ri_cross(v.ang, ri_cross(v.ang, r));
    const RiVec3 a_com = ri_add(ri_add(a.lin, ri_cross(a.ang, r)), swirl);
    const RiVec3 joint = ri_dyn_joint_wrench(rig->dyn, ri_rig_joint_index(rig, body)).lin;
    return ri_sub(ri_sub(ri_scale(mass, a_com), joint), other);
}

/// The six multipliers of the reference are the closures' forces on K3, K4 and K6, in world axes.
static void compare_forces(RiRig *rig)
{
    RiVec3 D, spring;
    spring_force(rig->dyn, ri_model_find_link(rig->model, "K3"), &D, &spring);
    const struct {
        const char *name;
        double published[2];
        RiVec3 ours;
    } forces[] = {
        {"K3",
         {199.1753333731910, -29.75531228015052},
         closure_force(rig, "K3", ri_vec3(AN_SB, -AN_SA, 0.0), 0.02373, spring)},
        {"K4",
         {23.06654119098399, 31.45271365475927},
         closure_force(rig, "K4", ri_vec3(0.0, AN_EA - AN_E, 0.0), 0.00706, origin)},
        {"K6",
         {22.64249232082739, 11.61740700019673},
         closure_force(rig, "K6", ri_vec3(AN_ZF - AN_FA, 0.0, 0.0), 0.00706, origin)},
    };
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "force on %s at F, x", forces[i].name);
        ri_validate_near(rig->run, text, "N", forces[i].published[0], 2e-4, forces[i].ours.x);
        snprintf(text, sizeof text, "force on %s at F, y", forces[i].name);
        ri_validate_near(rig->run, text, "N", forces[i].published[1], 2e-4, forces[i].ours.y);
    }
}

/// Bands. The reference solves the constraints on the positions only: put into them with 30 digits,
/// its velocities miss the differentiated constraints by 1e-9 m/s (3e-8 rad/s in the angles) and
/// its accelerations by 2e-3 m/s^2 (6e-2 rad/s^2). Its beta is known to 1e-9 rad, a time of 1e-12
/// s, in which the rates change by 6e-7 rad/s. Hence 1e-8 rad, 2e-6 rad/s, 0.5 rad/s^2 (a millionth
/// of the largest) and a millionth of the largest force. RK4 at h = 2e-6 s has converged far below.
static RiStatus squeeze(RiRig *rig)
{
    ri_integrator_set_efforts(rig->it, drive, rig, true);
    ri_validate_near(rig->run, "degrees of freedom", "-", 1.0, 0.0, ri_model_nv(rig->model));
    RI_TRY(ri_rig_run(rig, 0.03, 2e-6));
    RI_TRY(accelerate(rig));
    compare_angles(rig);
    compare_forces(rig);
    return RI_OK;
}

RiStatus ri_case_iftomm_a03(RiValidation *run)
{
    return ri_rig_use(run, "Andrews", origin, build_andrews, squeeze, NULL);
}
