// SPDX-License-Identifier: Apache-2.0
/// \file
/// A four-bar linkage: three moving bars whose end is pinned to the ground, so that one coordinate
/// is left.
///
///          C
///     B .-' \         crank AB, coupler BC, rocker CD; A and D on the ground
///      /     \        the tree is A - B - C; the pin at D closes the loop
///     A       D
///
/// The crank is shortest and turns fully (Grashof). It starts at 3 rad/s and runs free in a plane
/// without gravity; the energy must stay, the loop must stay closed, and the rocker must obey the
/// vector loop.
#include "example.h"

static const double a = 0.10, b = 0.35, c = 0.30, ground = 0.40; // AB, BC, CD, AD [m]

/// A slender bar along x of its link frame, hinged about z at its origin to the end of the bar
/// before it.
static void add_bar(RiContext *ctx, RiSpec *spec, const char *name, double length, const char *parent, double at,
                    double angle)
{
    char hinge[32];
    snprintf(hinge, sizeof hinge, "%s_hinge", name);
    RiLinkSpec bar = ri_link_default();
    bar.name = name;
    bar.mass = length; // 1 kg/m
    bar.com = ri_vec3(0.5 * length, 0.0, 0.0);
    bar.inertia = ri_inertia_box(bar.mass, ri_vec3(length, 0.0, 0.0));
    MUST(ctx, ri_spec_add_link(spec, &bar));
    RiJointSpec joint = ri_joint_default();
    joint.name = hinge;
    joint.type = RI_JOINT_CONTINUOUS;
    joint.parent = parent;
    joint.child = name;
    joint.origin.p = ri_vec3(at, 0.0, 0.0);
    joint.position[0] = angle; // near enough for the loop to close on the branch that is meant
    MUST(ctx, ri_spec_add_joint(spec, &joint));
}

static RiModel *make_linkage(RiContext *ctx)
{
    RiSpec *spec;
    RiModel *model;
    MUST(ctx, ri_spec_create(ctx, "four_bar", &spec));
    RiLinkSpec world = ri_link_default();
    world.name = "world";
    MUST(ctx, ri_spec_add_link(spec, &world));
    add_bar(ctx, spec, "crank", a, "world", 0.0, 1.0);
    add_bar(ctx, spec, "coupler", b, "crank", a, -0.4);
    add_bar(ctx, spec, "rocker", c, "coupler", b, -1.7); // from C to D
    RiLoopSpec pin = ri_loop_default();
    pin.name = "pin";
    pin.type = RI_LOOP_REVOLUTE;
    pin.link_a = "world";
    pin.link_b = "rocker";
    pin.pose_a.p = ri_vec3(ground, 0.0, 0.0);
    pin.pose_b.p = ri_vec3(c, 0.0, 0.0);
    MUST(ctx, ri_spec_add_loop(spec, &pin));
    ri_spec_find_joint(spec, "crank_hinge")->independent = true; // the coordinate that we want to count with
    MUST(ctx, ri_model_create(ctx, spec, NULL, &model));
    ri_spec_destroy(spec);
    return model;
}

/// Distance of B and D from the crank angle; the cosine theorem then gives the angle between
/// coupler and rocker.
static double exact_rocker_angle(double crank)
{
    const double d2 = a * a + ground * ground - 2.0 * a * ground * cos(crank);
    return acos((b * b + c * c - d2) / (2.0 * b * c)) - acos(-1.0);
}

int main(void)
{
    RiContext *ctx;
    RiDyn *dyn;
    RiIntegrator *it;
    double q[3], v = 3.0, rocker;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    RiModel *model = make_linkage(ctx);
    MUST(ctx, ri_dyn_create(ctx, model, &dyn));
    MUST(ctx, ri_integrator_create(ctx, dyn, &it));
    ri_dyn_set_gravity(dyn, ri_vec3(0.0, 0.0, 0.0));
    ri_model_get_initial_q(model, q);
    printf("%d joint coordinates, %d degree of freedom: '%s'\n", ri_model_spanning_nv(model), ri_model_nv(model),
           ri_model_v_name(model, 0));

    double energy = 0.0;
    const int rocker_hinge = ri_model_find_joint(model, "rocker_hinge"),
              rocker_link = ri_model_find_link(model, "rocker");
    for (int i = 0; i <= 5000; i++) {
        MUST(ctx, ri_dyn_update_position(dyn, q));
        ri_dyn_update_velocity(dyn, &v);
        ri_dyn_joint_position(dyn, rocker_hinge, &rocker);
        EXPECT_CLOSE(rocker, exact_rocker_angle(q[0]), 1e-9);
        if (i == 0)
            energy = ri_dyn_kinetic_energy(dyn);
        EXPECT_CLOSE(ri_dyn_kinetic_energy(dyn) / energy, 1.0, 1e-8);
        const RiPose end = ri_dyn_frame_pose(dyn, rocker_link);
        const RiVec3 pin = ri_add(end.p, ri_rotate(&end.R, ri_vec3(c, 0.0, 0.0)));
        EXPECT_CLOSE(ri_norm(ri_sub(pin, ri_vec3(ground, 0.0, 0.0))), 0.0, 1e-9);
        if (i % 1000 == 0)
            printf("t = %.0f s: crank %8.4f rad at %6.4f rad/s, coupler to rocker %8.4f rad, energy %.9f J\n", i * 1e-3,
                   q[0], v, rocker, ri_dyn_kinetic_energy(dyn));
        MUST(ctx, ri_integrator_rk4(it, i * 1e-3, 1e-3, q, &v));
    }

    ri_integrator_destroy(it);
    ri_dyn_destroy(dyn);
    ri_model_destroy(model);
    ri_context_destroy(ctx);
    return EXIT_SUCCESS;
}
