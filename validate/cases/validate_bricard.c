// SPDX-License-Identifier: Apache-2.0
/// \file
/// IFToMM A04: Bricard's mechanism on the edges of a unit cube [gonzalez2006].
///
/// Five rods (1 kg, 1 m, 0.1 m square) and the ground form a hexagon of cube edges; the hinge at
/// each corner is normal to both edges that meet there. Five hinges are joints, the sixth closes
/// the loop. Gruebler counts 6 - 6 = 0 degrees of freedom, the mechanism has one: the five
/// equations of the closing hinge have rank four, everywhere on its path.
///
/// Closed form, with a the angle of the first, third and fifth hinge and b that of the second and
/// fourth, both from the cube:
///
///     sin a + sin b + sin a sin b = 0                                                              [chen2005]
///
/// From rest at a = 0 it falls to a = pi/2, where the hexagon is a flat triangle with sides of 2 m
/// and the far corner is sqrt(3) m below the ground's, and rises to rest at a = pi. Half a
/// period and the rate at the lowest point follow from the energy by quadrature over a, done
/// outside with 25 digits.
#include <math.h>
#include <stdio.h>

#include "validate/rig.h"

static const RiVec3 down = {0.0, -9.81, 0.0};

typedef struct Rod {
    const char *parent, *name;
    RiVec3 start, axis, along; // start in the parent's frame; all axes are the world's at the start
} Rod;

static RiStatus build_bricard(RiRig *rig)
{
    static const Rod rods[] = {
        {"world", "r1", {0, 0, 0}, {0, 1, 0}, {1, 0, 0}}, {"r1", "r2", {1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
        {"r2", "r3", {0, -1, 0}, {1, 0, 0}, {0, 0, 1}},   {"r3", "r4", {0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
        {"r4", "r5", {-1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
    };
    for (int i = 0; i < 5; i++) {
        const Rod *r = &rods[i];
        const RiVec3 size = {r->along.x != 0 ? 1.0 : 0.1, r->along.y != 0 ? 1.0 : 0.1, r->along.z != 0 ? 1.0 : 0.1};
        RI_TRY(ri_rig_link(rig, r->name, 1.0, ri_scale(0.5, r->along), ri_inertia_box(1.0, size)));
        RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, r->parent, r->name, r->start, r->axis, 0.0));
    }
    RiLoopSpec loop = ri_loop_default(); // hinge about x at (0, 0, 1)
    loop.name = "closing";
    loop.type = RI_LOOP_REVOLUTE;
    loop.link_a = "world";
    loop.link_b = "r5";
    loop.pose_a.R = loop.pose_b.R = ri_mat3_from_z(ri_vec3(1.0, 0.0, 0.0));
    loop.pose_a.p = ri_vec3(0.0, 0.0, 1.0);
    loop.pose_b.p = ri_vec3(0.0, 1.0, 0.0);
    return ri_spec_add_loop(rig->spec, &loop);
}

/// How far the closing hinge is from closed: distance of its points and tilt of its axes.
static double gap(const RiRig *rig)
{
    const RiPose end = ri_dyn_frame_pose(rig->dyn, ri_model_find_link(rig->model, "r5"));
    const RiVec3 p = ri_sub(ri_pose_point(&end, ri_vec3(0.0, 1.0, 0.0)), ri_vec3(0.0, 0.0, 1.0));
    const RiVec3 axis = ri_mat3_col(&end.R, 0);
    return fmax(ri_norm(p), hypot(axis.y, axis.z));
}

/// How badly the angles miss the closed form.
static double relation(RiRig *rig)
{
    double a, b;
    ri_dyn_joint_position(rig->dyn, ri_rig_joint_index(rig, "r1"), &a);
    ri_dyn_joint_position(rig->dyn, ri_rig_joint_index(rig, "r2"), &b);
    return fabs(sin(a) + sin(b) + sin(a) * sin(b));
}

static double past_lowest(RiRig *rig)
{
    return *ri_rig_q(rig, "r1") - 0.5 * M_PI;
}

static double first_rate(RiRig *rig)
{
    return *ri_rig_v(rig, "r1");
}

/// Falls through the lowest position and on to rest.
static RiStatus swing_once(RiRig *rig)
{
    const double h = 1e-3;
    double t, back;
    RI_TRY(ri_rig_cross(rig, h, 2.0, past_lowest, &t));
    const double start = rig->time;
    RI_TRY(ri_rig_step(rig, t - start)); // back to the very position
    RI_TRY(ri_rig_update(rig));
    const RiPose corner = ri_dyn_frame_pose(rig->dyn, ri_model_find_link(rig->model, "r4"));
    ri_validate_near(rig->run, "lowest height of the far corner", "m", -sqrt(3.0), 1e-10, corner.p.y);
    ri_validate_near(rig->run, "rate of the first hinge there", "rad/s", 2.22583585198739, 1e-10, first_rate(rig));
    RI_TRY(ri_rig_cross(rig, h, 4.0, first_rate, &back));
    ri_validate_near(rig->run, "time from rest to rest", "s", 2.49585575684411, 1e-10, back);
    return RI_OK;
}

/// Bands: the figures have fourteen digits, RK4 at h = 1e-3 s and rates of 2 rad/s is asked for
/// ten; what is closed by Newton's method (hinge, relation of the angles) must be closed to
/// rounding, 1e-12.
static RiStatus swing_bricard(RiRig *rig)
{
    double energy0, energy, drift = 0.0, open = 0.0, wrong = 0.0;
    ri_validate_near(rig->run, "degrees of freedom (Gruebler's count is 0)", "-", 1.0, 0.0, ri_model_nv(rig->model));
    RI_TRY(ri_rig_energy(rig, &energy0));
    RI_TRY(swing_once(rig));
    for (int i = (int)(rig->time / 0.01) + 1; i <= 1000; i++) {
        RI_TRY(ri_rig_run(rig, 0.01 * i, 1e-3));
        RI_TRY(ri_rig_energy(rig, &energy));
        drift = fmax(drift, fabs(energy - energy0));
        open = fmax(open, gap(rig));
        wrong = fmax(wrong, relation(rig));
    }
    ri_validate_most(rig->run, "largest change of energy to 10 s", "J", 1e-10, drift);
    ri_validate_most(rig->run, "largest opening of the closing hinge to 10 s", "m", 1e-12, open);
    ri_validate_most(rig->run, "largest |sin a + sin b + sin a sin b| to 10 s", "-", 1e-12, wrong);
    return RI_OK;
}

RiStatus ri_case_iftomm_a04(RiValidation *run)
{
    return ri_rig_use(run, "Bricard", down, build_bricard, swing_bricard, NULL);
}
