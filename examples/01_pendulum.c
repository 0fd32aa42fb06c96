// SPDX-License-Identifier: Apache-2.0
/// \file
/// A pendulum, from nothing to its period: spec -> model -> dynamics -> integrator.
///
/// A rod of length L swings about one end. From rest at the angle A its period is exactly
///
///     T = 2 pi sqrt(I / (m g c)) / agm(1, cos(A / 2)),      I about the pivot, c = L / 2
///
/// where agm is the arithmetic-geometric mean (Gauss).
#include "example.h"

enum { STEPS_PER_SECOND = 1000 };

static RiModel *make_pendulum(RiContext *ctx, double mass, double length)
{
    RiSpec *spec;
    RiModel *model;
    MUST(ctx, ri_spec_create(ctx, "pendulum", &spec));

    RiLinkSpec stand = ri_link_default();
    stand.name = "world"; // a root link of this name is fixed
    MUST(ctx, ri_spec_add_link(spec, &stand));

    RiLinkSpec rod = ri_link_default();
    rod.name = "rod";
    rod.mass = mass;
    rod.com = ri_vec3(0.0, 0.0, -0.5 * length);
    rod.inertia = ri_inertia_box(mass, ri_vec3(0.0, 0.0, length));
    MUST(ctx, ri_spec_add_link(spec, &rod));

    RiJointSpec pivot = ri_joint_default();
    pivot.name = "pivot";
    pivot.type = RI_JOINT_CONTINUOUS;
    pivot.parent = "world";
    pivot.child = "rod";
    pivot.axis = ri_vec3(0.0, 1.0, 0.0);
    MUST(ctx, ri_spec_add_joint(spec, &pivot));

    MUST(ctx, ri_model_create(ctx, spec, NULL, &model));
    ri_spec_destroy(spec); // the model keeps what it needs
    return model;
}

static double agm(double a, double b)
{
    while (fabs(a - b) > 1e-15 * a) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

/// Time from rest until the angle falls through zero, a quarter of the period.
static double quarter_period(RiContext *ctx, RiIntegrator *it, double angle)
{
    const double h = 1.0 / STEPS_PER_SECOND;
    double q = angle, v = 0.0, time = 0.0, before = q;
    while (q > 0.0) {
        before = q;
        MUST(ctx, ri_integrator_rk4(it, time, h, &q, &v));
        time += h;
    }
    // The rate is at its largest and changes little within the last step.
    return time - h + h * before / (before - q);
}

int main(void)
{
    const double mass = 2.0, length = 1.0, angle = 1.0;
    RiContext *ctx;
    RiDyn *dyn;
    RiIntegrator *it;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    RiModel *model = make_pendulum(ctx, mass, length);
    MUST(ctx, ri_dyn_create(ctx, model, &dyn));
    MUST(ctx, ri_integrator_create(ctx, dyn, &it));

    const double inertia = mass * length * length / 3.0;
    const double small = 2.0 * acos(-1.0) * sqrt(inertia / (mass * 9.81 * 0.5 * length));
    const double exact = small / agm(1.0, cos(0.5 * angle));
    const double period = 4.0 * quarter_period(ctx, it, angle);
    printf("period of a swing of %g rad: %.9f s, exactly %.9f s (%.9f s for small swings)\n", angle, period, exact,
           small);
    EXPECT_CLOSE(period, exact, 1e-7);

    ri_integrator_destroy(it);
    ri_dyn_destroy(dyn);
    ri_model_destroy(model);
    ri_context_destroy(ctx);
    return EXIT_SUCCESS;
}
