// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integrator moreau with ExoMars: the six phases of the traction test on a slope [acary2013],
/// against their closed form.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/contact.h>
#include <rille/scene.h>
#include <rille/sim.h>

#include "base/memory.h"
#include "validate/cases/validate_moreau.h"

// The least loaded wheels need more friction than the mean: with 0.08 some of them slide at the end
// of phase 3.
static const double SLOPE = 0.02, MARS = 3.71, MU = 0.12, T3 = 38.61;

typedef struct Rover {
    RiScene *scene;
    RiSim *sim;
    double *torque[6]; // commands of the drives
    int spins[6];      // their coordinates
    double m, R, eps, Iw;
} Rover;

static double torque_at(const Rover *x, double t)
{
    const double tau0 = x->m * MARS * sin(SLOPE) * x->R / 6.0, k = 100.0 / (T3 * T3) * tau0;
    return t < 50.0         ? 0.0
           : t < 100.0      ? tau0
           : t < 100.0 + T3 ? tau0 + k * (t - 100.0)
           : t < 180.0      ? tau0
           : t < 200.0      ? tau0 + k * (t - 180.0)
                            : 10.0 * tau0;
}

static double speed_at(const Rover *x, double t)
{
    const double a = MARS * sin(SLOPE) / (1.0 + x->eps), v2 = -50.0 * a;
    const double u = t < 180.0 ? (t - 100.0) / T3 : (t - 180.0) / T3;
    return t <= 50.0         ? -a * t
           : t <= 100.0      ? v2
           : t <= 100.0 + T3 ? v2 * (1.0 - u * u)
           : t <= 180.0      ? 0.0
           : t <= 200.0      ? -v2 * u * u
                             : -v2 * (20.0 / T3) * (20.0 / T3) + MARS * (MU * cos(SLOPE) - sin(SLOPE)) * (t - 200.0);
}

static const char *const WHEELS[6] = {"front_left",   "front_right", "middle_left",
                                      "middle_right", "rear_left",   "rear_right"};

static RiStatus load_rover(RiValidation *run, Rover *x)
{
    char text[4096];
    snprintf(text, sizeof text,
             "scene: traction\nrobot: %s/exomars.yaml\n"
             "terrain: {kind: plane, slope: %.17g rad, material: rock}\n"
             "tick: 5 ms\ngravity: [0, 0, %.17g m/s^2]\nintegrator: moreau\nduration: 1000 s\n"
             "initial: {base: {rpy: [0, %.17g rad, 0]}}\n"
             "contact: {wheel_stations: 1, wheel_touches: 1, pairs: [{robot: \"*\", friction: %.17g}]}\n"
             "devices: [{joints: \"steer_*\", name: \"hold_${joint}\", type: servo, set: {stiffness: 1000 N*m/rad, "
             "damping: 200 N*m*s/rad}}]\n",
             run->robots, SLOPE, -MARS, -SLOPE, MU);
    RI_TRY(ri_scene_parse(run->ctx, "traction.yaml", text, strlen(text), NULL, &x->scene));
    RI_TRY(ri_scene_build(x->scene));
    x->sim = ri_scene_sim(x->scene);
    return RI_OK;
}

/// Mass, radius and spin inertia as the model has them.
static RiStatus measure_rover(RiValidation *run, Rover *x)
{
    RiValues *values = ri_sim_values(x->sim);
    const RiModel *model = ri_sim_model(x->sim);
    const size_t nv = (size_t)ri_model_nv(model);
    double *M = ri_alloc(run->ctx, nv * nv, sizeof *M);
    RiStatus status = M ? ri_dyn_mass_matrix(ri_sim_dyn(x->sim), M) : ri_error_memory(run->ctx);
    for (int i = 0; i < 6 && status == RI_OK; i++) {
        char name[64];
        snprintf(name, sizeof name, "drive_%s_joint.command", WHEELS[i]);
        const int at = ri_values_find(values, name);
        name[strlen(name) - strlen(".command")] = '\0';
        const int joint = ri_model_find_joint(model, name);
        if (at < 0 || joint < 0)
            status = ri_error(run->ctx, RI_ERR_NOT_FOUND, "robot exomars has no joint '%s'", name);
        else {
            x->torque[i] = (double *)ri_values_get(values, at)->at;
            x->spins[i] = ri_model_joint(model, joint).v_index;
            x->Iw = M[(size_t)x->spins[i] * nv + (size_t)x->spins[i]];
        }
    }
    x->m = status == RI_OK ? M[0] : NAN;
    ri_release(run->ctx, M);
    x->R = ri_contacts_feature(ri_sim_contacts(x->sim), 0)->radius;
    x->eps = 6.0 * x->Iw / (x->m * x->R * x->R);
    return status;
}

static double uphill(const Rover *x)
{
    const double *v = ri_sim_v(x->sim);
    return v[0] * cos(SLOPE) + v[2] * sin(SLOPE);
}

typedef struct Phase {
    const char *name;
    double from, to;
    double error, fastest; // largest distance from the closed form, largest speed
} Phase;

/// Runs one phase with torques at the middle of each step.
static RiStatus run_phase(Rover *x, Phase *p)
{
    const double h = ri_sim_options(x->sim)->tick;
    while (ri_sim_time(x->sim) < p->to - 0.5 * h) {
        for (int i = 0; i < 6; i++)
            *x->torque[i] = torque_at(x, ri_sim_time(x->sim) + 0.5 * h);
        RI_TRY(ri_sim_step(x->sim));
        const double v = uphill(x), t = ri_sim_time(x->sim);
        p->error = fmax(p->error, fabs(v - speed_at(x, t)));
        if (t > p->from + 1.0)
            p->fastest = fmax(p->fastest, fabs(v));
    }
    return RI_OK;
}

static RiStatus traction_rows(RiValidation *run, Rover *x)
{
    Phase phases[] = {{"1 rolls down", 0.0, 50.0, 0, 0},         {"2 constant", 50.0, 100.0, 0, 0},
                      {"3 slows down", 100.0, 100.0 + T3, 0, 0}, {"4 sticks", 100.0 + T3, 180.0, 0, 0},
                      {"5 goes uphill", 180.0, 200.0, 0, 0},     {"6 spins", 200.0, 210.0, 0, 0}};
    RI_TRY(load_rover(run, x));
    RI_TRY(ri_sim_start(x->sim));
    RI_TRY(measure_rover(run, x));
    char text[96];
    for (int i = 0; i < 6; i++) {
        const double before = uphill(x);
        RI_TRY(run_phase(x, &phases[i]));
        snprintf(text, sizeof text, "traction, phase %s: speed at %g s", phases[i].name, phases[i].to);
        ri_validate_near(run, text, "m/s", speed_at(x, phases[i].to), 1e-3, uphill(x));
        snprintf(text, sizeof text, "traction, phase %s: largest error of speed", phases[i].name);
        ri_validate_most(run, text, "m/s", 1e-3, phases[i].error);
        if (i == 3)
            ri_validate_most(run, "traction, phase 4: speed while it sticks", "m/s", 1e-10, phases[i].fastest);
        if (i == 5)
            ri_validate_near(run, "traction, phase 6: acceleration, by friction alone", "m/s^2",
                             MARS * (MU * cos(SLOPE) - sin(SLOPE)), 1e-4, (uphill(x) - before) / 10.0);
    }
    return RI_OK;
}

RiStatus ri_case_moreau_traction(RiValidation *run)
{
    if (!run->robots || run->quick) {
        ri_validate_skip(run, run->quick ? "traction test: --quick" : "traction test: no folder of robots");
        return RI_OK;
    }
    Rover x = {0};
    const RiStatus status = traction_rows(run, &x);
    ri_scene_destroy(x.scene);
    return status;
}
