// SPDX-License-Identifier: Apache-2.0
/// \file
/// Warm screws on ice against closed forms: the load of a film of melt water by the lubrication
/// equation, heating of a lump, sinking where the thread's blade decides, and the heat books of a
/// screw that turns. Bands: rounding for what is exact; 0.2 % for sinking, where the film takes its
/// part of the difference.
#include <math.h>

#include <rille/contact.h>
#include <rille/sim.h>

#include "soil/melt.h"
#include "validate/rig.h"

static const RiVec3 gravity = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0}, x_axis = {1.0, 0.0, 0.0},
                    z_axis = {0.0, 0.0, 1.0};
static const double R = 0.1, CORE = 0.08, MASS = 40.0, START = 303.15;

/// A screw that lies along x, free to sink and to turn.
static RiStatus build_screw(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "lift", 10.0, origin, ri_diagonal(0.1, 0.1, 0.1)));
    RI_TRY(ri_rig_link(rig, "screw", MASS - 10.0, origin, ri_diagonal(0.1, 0.3, 0.3)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_PRISMATIC, "world", "lift", origin, z_axis, 0.0));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "lift", "screw", origin, x_axis, 0.0));
    RiScrewSpec x = {.name = "thread", .link = "screw", .hand = 1, .starts = 2, .lead = 0.2, .length = 0.3};
    x.radius = R, x.core_radius = CORE;
    x.pose = ri_pose_identity();
    x.pose.R = ri_mat3_from_cols(ri_vec3(0, 0, -1), ri_vec3(0, 1, 0), ri_vec3(1, 0, 0)); // z along x
    return ri_spec_add_screw(rig->spec, &x);
}

typedef struct Bench {
    RiTerrain *terrain;
    RiContacts *contacts;
    RiSim *sim;
} Bench;

static RiStatus open_bench(RiRig *rig, const RiMeltDef *melt, Bench *b)
{
    RiPairDef pair = ri_pair_default();
    pair.law = RI_LAW_SCREW, pair.friction = 0.1, pair.e0 = 4.0;
    RiContactOptions contact = ri_contact_options_default();
    contact.pairs = &pair, contact.pair_count = 1;
    RiSimOptions options = ri_sim_options_default();
    options.gravity = gravity;
    RI_TRY(ri_terrain_create_plane(rig->ctx, &(RiPlaneDef){.material = "ice"}, &b->terrain));
    RI_TRY(ri_contacts_create(rig->ctx, rig->spec, rig->model, b->terrain, &contact, &b->contacts));
    RI_TRY(ri_sim_create(rig->ctx, rig->model, &options, &b->sim));
    RI_TRY(ri_sim_set_contacts(b->sim, b->contacts));
    RI_TRY(ri_sim_set_melt(b->sim, melt));
    RI_TRY(ri_sim_build(b->sim));
    ri_sim_q(b->sim)[0] = R - MASS * 9.81 / (3.0 * pair.stiffness); // three stations carry it
    return ri_sim_start(b->sim);
}

static void close_bench(Bench *b)
{
    ri_sim_destroy(b->sim);
    ri_contacts_destroy(b->contacts);
    ri_terrain_destroy(b->terrain);
}

static RiStatus advance(Bench *b, double time)
{
    while (ri_sim_time(b->sim) < time - 1e-9)
        RI_TRY(ri_sim_step(b->sim));
    return RI_OK;
}

static double value(const Bench *b, const char *name)
{
    RiValues *t = ri_sim_values(b->sim);
    const int i = ri_values_find(t, name);
    return i < 0 ? NAN : ri_values_read(t, i);
}

/// Heated by 5 W on ice that does not conduct: an exponential.
static RiStatus heat(RiRig *rig, Bench *b)
{
    RiMeltDef d = ri_melt_default();
    d.ice_conductivity = 0.0;
    d.heat_capacity = 100.0, d.start_temperature = 250.0, d.surroundings_temperature = 250.0;
    RI_TRY(open_bench(rig, &d, b));
    RI_TRY(ri_values_set(ri_sim_values(b->sim), "screw.heater", "5 W"));
    RI_TRY(advance(b, 100.0));
    ri_validate_near(rig->run, "temperature of a screw heated by 5 W for 100 s, above its surroundings", "K",
                     10.0 * -expm1(-100.0 * 0.5 / 100.0), 1e-4, value(b, "screw.temperature") - 250.0);
    return RI_OK;
}

/// Parked: the blade of the thread conducts far worse than the film, so that it decides.
static RiStatus sink(RiRig *rig, Bench *b)
{
    RiMeltDef d = ri_melt_default();
    d.thread_conductivity = 40.0, d.heat_capacity = 1e6, d.start_temperature = START;
    RI_TRY(open_bench(rig, &d, b));
    RI_TRY(advance(b, 5.0));
    const double z = value(b, "lift.position");
    RI_TRY(advance(b, 15.0));
    const double want = 40.0 * 30.0 / (d.ice_density * (d.latent_heat + d.ice_specific_heat * 10.0) * (R - CORE));
    ri_validate_near(rig->run, "sinking speed of a parked screw, 30 K above melting, blade of 40 W/(m K)", "mm/s",
                     1e3 * want, 0.002 * 1e3 * want, 1e3 * (z - value(b, "lift.position")) / 10.0);
    return RI_OK;
}

static RiStatus turn(RiRig *rig, Bench *b)
{
    RiMeltDef d = ri_melt_default();
    d.start_temperature = START;
    RI_TRY(open_bench(rig, &d, b));
    RI_TRY(ri_values_set(ri_sim_values(b->sim), "screw.heater", "30 W"));
    RI_TRY(ri_values_set(ri_sim_values(b->sim), "screw.command", "12 N*m"));
    RI_TRY(advance(b, 3.0));
    const double friction = value(b, "screw.friction_heat"), lost = ri_sim_energy(b->sim).dissipated;
    const double in = value(b, "screw.heat_from_friction") + value(b, "screw.heat_from_heater");
    const double out = value(b, "screw.heat_to_ice") + value(b, "screw.heat_to_surroundings");
    const double kept = d.heat_capacity * (value(b, "screw.temperature") - START);
    ri_validate_most(rig->run, "friction heat of a turning screw against dissipated energy, relative", "-", 1e-9,
                     fabs(friction - lost) / lost);
    ri_validate_most(rig->run, "heat kept against heat in less heat out, relative", "-", 1e-9,
                     fabs(kept - (in - out)) / (in + out));
    return RI_OK;
}

static RiStatus measure(RiRig *rig)
{
    RiStatus (*const parts[])(RiRig *, Bench *) = {heat, sink, turn};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        Bench b = {0};
        const RiStatus status = parts[i](rig, &b);
        close_bench(&b);
        RI_TRY(status);
    }
    return RI_OK;
}

/// Load of a film by the lubrication equation p' = -12 eta q / s^3, from the edge to the middle by
/// the midpoint rule.
static double load_by_lubrication(const RiMeltDef *d, double width, double length, double warm, double w)
{
    enum { N = 2000 };
    const double film = d->water_conductivity * warm / (d->ice_density * ri_melt_heat(d) * w);
    const double dx = 0.5 * width / N, flow = w * d->ice_density / d->water_density;
    double p = 0.0, sum = 0.0;
    for (int i = N; i > 0; i--) {
        const double slope = 12.0 * d->water_viscosity * flow * (i - 0.5) * dx / (film * film * film);
        sum += (p + 0.5 * slope * dx) * dx;
        p += slope * dx;
    }
    return 2.0 * sum * length;
}

RiStatus ri_case_melt(RiValidation *run)
{
    const RiMeltDef d = ri_melt_default();
    const double width = 0.02, length = 0.1, warm = 20.0, force = 100.0;
    const double w = pow(force * warm * warm * warm / ri_film_load(&d, width, length), 0.25);
    ri_validate_near(run, "load of a hot plate (2 x 10 cm, 20 K, 100 N) at its closed-form speed, by lubrication", "N",
                     force, 1e-4 * force, load_by_lubrication(&d, width, length, warm, w));
    return ri_rig_use(run, "melt", gravity, build_screw, measure, NULL);
}
