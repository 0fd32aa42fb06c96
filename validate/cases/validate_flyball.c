// SPDX-License-Identifier: Apache-2.0
/// \file
/// IFToMM A05: the stiff flyball governor [gonzalez2006].
///
/// A shaft spins freely about z with 2 pi rad/s. Two rods of 1 m are hinged to it at (+-0.05, 0, 1)
/// m and carry 5 kg at their ends; a slider moves along the shaft. Each rod's middle is tied to the
/// slider by a spring-damper so stiff (8e5 N/m, 4e4 N s/m) that its fastest rate is near 1e5 1/s,
/// while the swing takes a second.
#include <math.h>
#include <stdio.h>

#include "validate/rig.h"

static const RiVec3 y_axis = {0.0, 1.0, 0.0}, z_axis = {0.0, 0.0, 1.0}, origin = {0.0, 0.0, 0.0};

/// A rod hangs along -z at angle 0 and swings outward about y. The ball is a point mass at its end,
/// so their joint inertia about the common centre follows from the parallel-axis rule.
static RiStatus add_rod(RiRig *rig, const char *name, double side)
{
    const double rod = 0.3, ball = 5.0, mass = rod + ball, c = (0.5 * rod + 1.0 * ball) / mass;
    RiMat3 J = ri_inertia_box(rod, ri_vec3(0.01, 0.01, 1.0));
    const double steiner = rod * (c - 0.5) * (c - 0.5) + ball * (1.0 - c) * (1.0 - c);
    J.m[0][0] += steiner;
    J.m[1][1] += steiner;
    RI_TRY(ri_rig_link(rig, name, mass, ri_vec3(0.0, 0.0, -c), J));
    return ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "shaft", name, ri_vec3(0.05 * side, 0.0, 1.0),
                        ri_scale(-side, y_axis), M_PI / 3.0);
}

static RiStatus build_governor(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "shaft", 0.3, ri_vec3(0.0, 0.0, 0.5), ri_inertia_box(0.3, ri_vec3(0.01, 0.01, 1.0))));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "world", "shaft", origin, z_axis, 0.0));
    RI_TRY(ri_rig_link(rig, "slider", 3.0, origin, ri_inertia_box(3.0, ri_vec3(0.1, 0.1, 0.1))));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_PRISMATIC, "shaft", "slider", origin, z_axis, 0.5));
    RI_TRY(add_rod(rig, "right", 1.0));
    return add_rod(rig, "left", -1.0);
}

/// One spring-damper between a point of the slider and the middle of a rod.
static void tie(RiDyn *d, int slider, int rod, double side)
{
    const RiPose a = ri_dyn_frame_pose(d, slider), b = ri_dyn_frame_pose(d, rod);
    const RiSpatial va = ri_dyn_frame_velocity(d, slider), vb = ri_dyn_frame_velocity(d, rod);
    const RiVec3 pa = ri_pose_point(&a, ri_vec3(0.05 * side, 0.0, 0.0)), pb = ri_pose_point(&b, ri_vec3(0, 0, -0.5));
    const RiVec3 ua = ri_add(va.lin, ri_cross(va.ang, ri_sub(pa, a.p)));
    const RiVec3 ub = ri_add(vb.lin, ri_cross(vb.ang, ri_sub(pb, b.p)));
    const RiVec3 span = ri_sub(pb, pa);
    const double length = ri_norm(span), rate = ri_dot(span, ri_sub(ub, ua)) / length;
    const RiVec3 pull = ri_scale((8e5 * (length - 0.5) + 4e4 * rate) / length, span);
    ri_dyn_add_wrench(d, slider, pull, origin, pa);
    ri_dyn_add_wrench(d, rod, ri_scale(-1.0, pull), origin, pb);
}

static void tie_both(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    const int *link = user;
    (void)time, (void)q, (void)v, (void)tau;
    tie(d, link[0], link[1], 1.0);
    tie(d, link[0], link[2], -1.0);
}

/// Bands: eight decimals come from a reduced model solved to 1e-10 relative; one unit in
/// the last is asked, 1e-8. RK4 needs h below 2.78 / (fastest rate) to be stable, and is then more
/// accurate than that: the swing itself is slow.
static RiStatus spin_governor(RiRig *rig)
{
    static const double at[][4] = {
        {0.1, 0.52383648, 1.07462246, 6.10371781}, {0.5, 0.74324942, 1.31130495, 5.10341542},
        {1.0, 0.50142092, 1.04896303, 6.27112574}, {2.0, 0.50590929, 1.05413253, 6.23622361},
        {5.0, 0.53556310, 1.08792175, 6.02249650}, {10.0, 0.61962292, 1.18072262, 5.54820362},
    };
    int link[3] = {ri_model_find_link(rig->model, "slider"), ri_model_find_link(rig->model, "right"),
                   ri_model_find_link(rig->model, "left")};
    ri_integrator_set_efforts(rig->it, tie_both, link, true);
    *ri_rig_v(rig, "shaft") = 2.0 * M_PI;
    for (int i = 0; i < 6; i++) {
        char text[64];
        RI_TRY(ri_rig_run(rig, at[i][0], 2e-5));
        snprintf(text, sizeof text, "slider height at %g s", at[i][0]);
        ri_validate_near(rig->run, text, "m", at[i][1], 1e-8, *ri_rig_q(rig, "slider"));
        snprintf(text, sizeof text, "rod angle at %g s", at[i][0]);
        ri_validate_near(rig->run, text, "rad", at[i][2], 1e-8, *ri_rig_q(rig, "right"));
        snprintf(text, sizeof text, "shaft rate at %g s", at[i][0]);
        ri_validate_near(rig->run, text, "rad/s", at[i][3], 1e-8, *ri_rig_v(rig, "shaft"));
    }
    return RI_OK;
}

RiStatus ri_case_iftomm_a05(RiValidation *run)
{
    return ri_rig_use(run, "governor", ri_vec3(0.0, 0.0, -9.81), build_governor, spin_governor, NULL);
}
