// SPDX-License-Identifier: Apache-2.0
/// The screw-soil law: limits with closed forms, steps against them, bounds, symmetry, dissipation,
/// bad input.
#include <rille/screw.h>

#include "check.h"

static RiContext *ctx;

enum { MEMORY = 5 + 6 * RI_SCREW_NODE_MAX };

static const double DEGREE = M_PI / 180.0;

static RiSoil dry_sand(void)
{
    return (RiSoil){.name = "sand",
                    .form = RI_SOIL_BEKKER,
                    .n = 1.1,
                    .n1 = NAN,
                    .kc = 990.0,
                    .kphi = 1528430.0,
                    .cohesion = 1040.0,
                    .friction = 28.0 * DEGREE,
                    .kx = 0.025,
                    .ky = NAN,
                    .density = 1600.0,
                    .a0 = NAN,
                    .a1 = NAN,
                    .gravity = NAN,
                    .mu = NAN,
                    .confidence = 'A'};
}

typedef struct Rig {
    RiSoilScrew w;
    RiScrewSoil soil;
    RiScrewGround g;
    double memory[MEMORY];
    RiScrewStep last;
} Rig;

/// A drum of radius 80 mm and length 300 mm with blades of 20 mm, two starts; height 0: bare.
static bool make_rig(Rig *rig, const RiSoil *soil, double height, int hand)
{
    memset(rig, 0, sizeof *rig);
    return ri_soil_screw_init(ctx, 0.08, 0.08 + height, 0.3, 0.2, hand, 2, &rig->w) == RI_OK &&
           ri_screw_soil_init(ctx, soil, &rig->w, 9.81, &rig->soil) == RI_OK && ri_screw_memory_size(&rig->w) <= MEMORY;
}

static void level(Rig *rig, double sinkage)
{
    for (int i = 0; i < rig->w.stations; i++) {
        rig->g.soil[i] = &rig->soil;
        rig->g.height[i] = sinkage - rig->w.core;
    }
}

static void go(Rig *rig, RiVec3 v, RiVec3 omega, double h, int steps)
{
    for (int i = 0; i < steps; i++) {
        ri_screw_step(&rig->w, &rig->g, rig->memory, v, omega, h, &rig->last);
        ri_screw_remember(&rig->w, &rig->last, rig->memory, v, omega, h);
    }
}

/// Presses the screw in without changing the ground under it.
static void press(Rig *rig)
{
    go(rig, ri_vec3(0.0, 0.0, -1.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 20);
}

/// Drives at a slip until nothing changes.
static RiScrewForce drive(Rig *rig, double sinkage, double slip)
{
    const double thread = 0.05, omega = rig->w.hand * thread * 2.0 * M_PI / rig->w.lead;
    const double v = slip >= 0.0 ? thread * (1.0 - slip) : thread / (1.0 + slip);
    level(rig, sinkage);
    memset(rig->memory, 0, sizeof rig->memory);
    press(rig);
    go(rig, ri_vec3(v, 0.0, 0.0), ri_vec3(omega, 0.0, 0.0), 1e-2, 900);
    return rig->last.f;
}

static double random_number(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

// --- limits --------------------------------------------------------------------------------------

TEST(a_bare_drum_floats_like_a_log_where_pressure_is_proportional_to_depth)
{
    Rig rig;
    RiSoil soil = dry_sand();
    soil.n = 1.0;
    REQUIRE(make_rig(&rig, &soil, 0.0, 1));
    rig.w.friction = 0.0;
    for (int i = 1; i <= 8; i++) {
        const double z = 0.008 * i, r = rig.w.core, f = acos(1.0 - z / r), k = rig.soil.law.k;
        const double segment = r * r * (f - sin(f) * cos(f)); // Archimedes
        level(&rig, z);
        memset(rig.memory, 0, sizeof rig.memory);
        press(&rig);
        go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 1);
        CHECK_CLOSE(rig.last.f.force.z / (k * segment * rig.w.length), 1.0, 0.01);
        CHECK_CLOSE(ri_screw_steady(&rig.w, &rig.soil, z, 0.0, 2000).force.z / (k * segment * rig.w.length), 1.0, 1e-4);
        CHECK(rig.last.f.thrust == 0.0);
    }
}

TEST(a_dragged_drum_presses_a_rut_with_bekkers_compaction_resistance)
{
    Rig rig;
    RiSoil soil = dry_sand();
    soil.n = 1.0;
    REQUIRE(make_rig(&rig, &soil, 0.0, 1));
    rig.w.friction = 0.0;
    const double z = 0.03, r = rig.w.core, f = acos(1.0 - z / r), k = rig.soil.law.k;
    // work to press one metre of rut: integral of k z(y)^2 / 2 over the width
    double work = 0.0;
    for (int i = 0; i < 20000; i++) {
        const double y = r * sin(f) * ((i + 0.5) / 10000.0 - 1.0), depth = sqrt(r * r - y * y) - (r - z);
        work += 0.5 * k * depth * depth * r * sin(f) / 10000.0;
    }
    level(&rig, z);
    press(&rig);
    go(&rig, ri_vec3(0.02, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 500);
    CHECK_CLOSE(rig.last.f.force.x / -work, 1.0, 0.01);
    rig.g.pressed[0] = z; // another went before it
    go(&rig, ri_vec3(0.02, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 5);
    CHECK_CLOSE(rig.last.f.force.x / work, 0.0, 0.05); // but for loading it again
}

TEST(steady_steps_end_within_a_percent_of_the_load_of_the_closed_forms)
{
    const double slips[] = {0.02, 0.1, 0.3, 0.6, 0.9, 1.0, -0.2, -0.6};
    Rig rig;
    const RiSoil soil = dry_sand();
    for (int hand = 1; hand >= -1; hand -= 2) {
        REQUIRE(make_rig(&rig, &soil, 0.02, hand));
        for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
            const RiScrewForce f = drive(&rig, 0.012, slips[i]),
                               c = ri_screw_steady(&rig.w, &rig.soil, 0.012, slips[i], 0);
            CHECK_CLOSE(f.slip, slips[i], 1e-9);
            CHECK_CLOSE(f.thrust / c.force.z, c.thrust / c.force.z, 0.01);
            CHECK_CLOSE(f.drag / c.force.z, c.drag / c.force.z, 0.01);
            CHECK_CLOSE(f.torque / (c.force.z * rig.w.core), c.torque / (c.force.z * rig.w.core), 0.01);
            CHECK_CLOSE(f.force.z / c.force.z, 1.0, 0.01);
            CHECK_CLOSE(f.force.y / c.force.z, c.force.y / c.force.z, 0.01);
        }
    }
}

TEST(thrust_over_slip_is_that_of_a_track_as_long_as_the_drum)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    const double most = drive(&rig, 0.012, 1.0).thrust, a = rig.w.length / 0.025 * cos(ri_soil_screw_angle(&rig.w));
    const double of_one = 1.0 - (1.0 - exp(-a)) / a;
    double before = 0.0;
    for (double slip = 0.05; slip < 1.0; slip += 0.1) {
        const double x = a * slip, track = 1.0 - (1.0 - exp(-x)) / x, thrust = drive(&rig, 0.012, slip).thrust;
        CHECK_CLOSE(thrust / most, track / of_one, 0.01);
        CHECK(thrust > before);
        before = thrust;
    }
}

TEST(in_strong_soil_a_screw_advances_by_its_lead)
{
    Rig rig;
    RiSoil soil = dry_sand();
    double last = 1.0;
    for (double c = 1e3; c < 2e6; c *= 10.0) {
        RiScrewForce f = {0};
        double low = 0.0, high = 1.0;
        soil.cohesion = c;
        soil.kx = 1e-3;
        REQUIRE(make_rig(&rig, &soil, 0.02, 1));
        rig.w.friction = 0.02; // a nut that is well oiled
        for (int i = 0; i < 40; i++) {
            const double slip = 0.5 * (low + high);
            f = ri_screw_steady(&rig.w, &rig.soil, 0.004, slip, 0);
            if (f.force.x < 0.0)
                low = slip;
            else
                high = slip;
        }
        CHECK_CLOSE(f.force.x, 0.0, 1e-3); // drives itself
        CHECK(high <= last);
        last = high;
    }
    CHECK(last < 2e-3);
}

TEST(without_friction_a_turn_of_work_is_a_lead_of_thrust)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.02, -1));
    rig.w.friction = 0.0;
    const RiScrewForce f = drive(&rig, 0.012, 0.4);
    CHECK_CLOSE(f.torque * 2.0 * M_PI * rig.w.hand / (f.thrust * rig.w.lead), 1.0, 1e-9);
}

TEST(in_sand_without_cohesion_forces_grow_with_the_cube_of_size)
{
    // Reece's pressure and Janosi's way in proportion to size: what [thoesen2020] found of screw
    // vehicles
    RiSoil soil = dry_sand();
    RiScrewForce f[2];
    for (int i = 0; i < 2; i++) {
        const double size = i ? 3.0 : 1.0;
        RiSoilScrew w;
        RiScrewSoil s;
        soil.form = RI_SOIL_REECE;
        soil.cohesion = 0.0;
        soil.kx = 0.01 * size;
        soil.kphi = 50.0;
        REQUIRE(ri_soil_screw_init(ctx, 0.05 * size, 0.06 * size, 0.2 * size, 0.15 * size, 1, 2, &w) == RI_OK);
        w.edge *= size;
        REQUIRE(ri_screw_soil_init(ctx, &soil, &w, 9.81, &s) == RI_OK);
        f[i] = ri_screw_steady(&w, &s, 0.01 * size, 0.3, 0);
    }
    CHECK_CLOSE(f[1].force.z / f[0].force.z, 27.0, 1e-9);
    CHECK_CLOSE(f[1].force.x / f[0].force.x, 27.0, 1e-9);
    CHECK_CLOSE(f[1].torque / f[0].torque, 81.0, 1e-9);
}

// --- bounds and symmetry -------------------------------------------------------------------------

/// A random motion in which everything may happen: spin, sideways, tilt, lift.
static void random_motion(unsigned long long *seed, RiVec3 *v, RiVec3 *omega)
{
    const double speed = 0.1 * fabs(random_number(seed));
    *v = ri_vec3(speed * random_number(seed), speed * random_number(seed), 0.03 * random_number(seed));
    *omega = ri_vec3(2.0 * random_number(seed), 0.1 * random_number(seed), 0.3 * random_number(seed));
}

TEST(shear_stays_within_the_strength_of_the_soil)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    unsigned long long seed = 7;
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    level(&rig, 0.01);
    for (int i = 0; i < 4000; i++) {
        RiVec3 v, omega;
        if (i % 40 == 0)
            press(&rig);
        random_motion(&seed, &v, &omega);
        v.z = -fabs(v.z);
        rig.g.pressed[0] = rig.g.pressed[1] = 1.0; // without faces
        go(&rig, v, omega, 2e-3, 1);
        const RiScrewForce *f = &rig.last.f;
        CHECK(fabs(f->force.x) <= f->limit * (1.0 + 1e-12));
        CHECK(fabs(f->torque) <= f->limit * rig.w.radius * (1.0 + 1e-12));
        CHECK(isfinite(f->force.z) && rig.last.stored >= 0.0);
    }
    // and that is c A + N tan phi with the weight of the soil in between
    const RiScrewForce f = ri_screw_steady(&rig.w, &rig.soil, 0.01, 1.0, 0);
    CHECK(f.thrust > 0.4 * f.limit && f.thrust < f.limit);
    CHECK(f.limit > f.force.z * rig.soil.law.tan_phi);
}

TEST(work_less_stored_energy_never_falls)
{
    const double heights[] = {0.02, 0.0, 0.002};
    Rig rig;
    const RiSoil soil = dry_sand();
    unsigned long long seed = 3;
    for (int kind = 0; kind < 3; kind++) {
        double sinkage = 0.0, dissipated = 0.0, worst = 0.0, stored = 0.0;
        REQUIRE(make_rig(&rig, &soil, heights[kind], kind == 1 ? -1 : 1));
        RiVec3 v = {0}, omega = {0};
        for (int i = 0; i < 10000; i++) {
            const double h = 1e-3;
            if (i % 25 == 0)
                random_motion(&seed, &v, &omega);
            omega.y = 0.0; // stations move alike: the ground here is level
            v.z = sinkage > 0.015 ? fabs(v.z) : sinkage < 0.0 ? -fabs(v.z) : v.z;
            level(&rig, sinkage);
            go(&rig, v, omega, h, 1);
            const double work = -h * (ri_dot(rig.last.f.force, v) + ri_dot(rig.last.f.moment, omega));
            sinkage -= h * v.z;
            const double lost = work - (rig.last.stored - stored);
            stored = rig.last.stored;
            dissipated += lost;
            worst = fmin(worst, lost);
        }
        CHECK(dissipated > 1.0);
        if (!(worst >= -1e-6 * dissipated))
            CHECK_FAIL("height %g: %g J came back in a step, %g J were dissipated", heights[kind], worst, dissipated);
    }
}

TEST(left_and_right_hands_that_counter_rotate_have_no_net_side_force)
{
    Rig rig[2];
    const RiSoil soil = dry_sand();
    RiVec3 force = {0};
    double torque = 0.0;
    for (int i = 0; i < 2; i++) {
        REQUIRE(make_rig(&rig[i], &soil, 0.02, i ? -1 : 1));
        const RiScrewForce f = drive(&rig[i], 0.01, 0.3);
        CHECK(fabs(f.force.y) > 0.05 * f.force.z); // each alone rolls aside
        force = ri_add(force, f.force);
        torque += f.torque;
    }
    CHECK_CLOSE(force.y / force.z, 0.0, 1e-12);
    CHECK_CLOSE(torque / force.z, 0.0, 1e-12);
    CHECK(force.x > 0.0);
}

TEST(backwards_is_forwards_turned_round)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    const RiScrewForce f = drive(&rig, 0.01, 0.25);
    memset(rig.memory, 0, sizeof rig.memory);
    press(&rig);
    go(&rig, ri_vec3(-0.05 * 0.75, 0.0, 0.0), ri_vec3(-0.05 * 2.0 * M_PI / rig.w.lead, 0.0, 0.0), 1e-2, 900);
    CHECK_CLOSE(rig.last.f.force.x / f.force.x, -1.0, 1e-9);
    CHECK_CLOSE(rig.last.f.torque / f.torque, -1.0, 1e-9);
    CHECK_CLOSE(rig.last.f.force.z / f.force.z, 1.0, 1e-9);
}

// --- steps ---------------------------------------------------------------------------------------

TEST(at_rest_a_screw_keeps_what_it_carries)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    drive(&rig, 0.01, 0.2);
    go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 1);
    const RiScrewForce f = rig.last.f;
    go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 10000);
    CHECK_CLOSE(rig.last.f.force.x, f.force.x, 0.0);
    CHECK_CLOSE(rig.last.f.force.z, f.force.z, 0.0);
    CHECK_CLOSE(rig.last.f.torque, f.torque, 0.0);
}

TEST(slopes_are_those_of_the_force_about_rest_and_never_negative)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    unsigned long long seed = 11;
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    level(&rig, 0.01);
    rig.g.pressed[0] = rig.g.pressed[1] = 0.01; // fresh soil would begin to be pressed: a kink
    go(&rig, ri_vec3(0.0, 0.0, -1.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 1);
    go(&rig, ri_vec3(0.0, 0.0, 1e-2), ri_vec3(0.0, 0.0, 0.0), 1e-3, 1); // on the elastic branch
    RiScrewStep at;
    const RiVec3 still = {0};
    ri_screw_step(&rig.w, &rig.g, rig.memory, still, still, 1e-3, &at);
    for (int axis = 0; axis < 6; axis++) {
        const double d = 1e-9;
        RiVec3 v = {0}, omega = {0};
        RiScrewStep near;
        double *to[] = {&omega.x, &omega.y, &omega.z, &v.x, &v.y, &v.z};
        *to[axis] = d;
        ri_screw_step(&rig.w, &rig.g, rig.memory, v, omega, 1e-3, &near);
        const double change[6] = {near.f.moment.x - at.f.moment.x, near.f.moment.y - at.f.moment.y,
                                  near.f.moment.z - at.f.moment.z, near.f.force.x - at.f.force.x,
                                  near.f.force.y - at.f.force.y,   near.f.force.z - at.f.force.z};
        if (axis == 0 || axis == 3) // along and around; pressing changes strengths as well, which secants leave out
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(-change[i] / d, at.slope[i][axis], 0.08 * sqrt(at.slope[i][i] * at.slope[axis][axis]));
        CHECK(at.slope[axis][axis] > 0.0);
    }
    for (int i = 0; i < 500; i++) {
        RiVec3 v, omega;
        random_motion(&seed, &v, &omega);
        ri_screw_step(&rig.w, &rig.g, rig.memory, v, omega, 1e-3, &at);
        double x[6], sum = 0.0;
        for (int k = 0; k < 6; k++)
            x[k] = random_number(&seed);
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++) {
                sum += x[a] * at.slope[a][b] * x[b];
                CHECK(at.slope[a][b] == at.slope[b][a]);
            }
        CHECK(sum >= 0.0);
    }
}

TEST(half_the_step_and_twice_the_nodes_change_little)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    const struct {
        int stations, patches;
        double h;
    } kinds[] = {{7, 8, 1e-2}, {13, 8, 1e-2}, {7, 16, 1e-2}, {7, 8, 5e-3}};
    for (double slip = 0.1; slip < 0.9; slip += 0.35) {
        double thrust[4], load[4], torque[4];
        for (int i = 0; i < 4; i++) {
            REQUIRE(make_rig(&rig, &soil, 0.02, 1));
            REQUIRE(ri_soil_screw_cut(ctx, kinds[i].stations, kinds[i].patches, &rig.w) == RI_OK);
            level(&rig, 0.008);
            press(&rig);
            go(&rig, ri_vec3(0.05 * (1.0 - slip), 0.0, 0.0), ri_vec3(0.05 * 2.0 * M_PI / 0.2, 0.0, 0.0), kinds[i].h,
               (int)(8.0 / kinds[i].h));
            thrust[i] = rig.last.f.thrust, load[i] = rig.last.f.force.z, torque[i] = rig.last.f.torque;
            CHECK_CLOSE(thrust[i] / thrust[0], 1.0, 0.02);
            CHECK_CLOSE(load[i] / load[0], 1.0, 0.02);
            CHECK_CLOSE(torque[i] / torque[0], 1.0, 0.02);
        }
    }
}

/// Moves a bare drum sideways while it turns.
static RiScrewForce roll(Rig *rig, double spin)
{
    memset(rig->memory, 0, sizeof rig->memory);
    press(rig);
    go(rig, ri_vec3(0.0, 0.05, 0.0), ri_vec3(spin, 0.0, 0.0), 4e-3, 150);
    return rig->last.f;
}

TEST(sideways_a_drum_slides_hard_and_rolls_easily)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.0, 1));
    level(&rig, 0.01);
    const RiScrewForce slid = roll(&rig, 0.0);
    double low = -0.05 / rig.w.core, high = 0.0;
    RiScrewForce free = slid;
    for (int i = 0; i < 20; i++) { // turns freely: no torque
        const double spin = 0.5 * (low + high);
        free = roll(&rig, spin);
        if (free.torque < 0.0)
            low = spin;
        else
            high = spin;
    }
    CHECK(high < -0.5 * 0.05 / rig.w.core);
    CHECK(slid.force.y < 0.0 && free.force.y < 0.0);
    CHECK(fabs(free.force.y / free.force.z) < 0.7 * fabs(slid.force.y / slid.force.z));
    memset(rig.memory, 0, sizeof rig.memory);
    press(&rig);
    go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 1);
    CHECK(free.force.z < 0.75 * rig.last.f.force.z); // the rear half carries nothing
}

TEST(touching_barely_lifting_and_burial_are_told)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    level(&rig, -0.0201);
    go(&rig, ri_vec3(0.0, 0.0, -0.01), ri_vec3(1.0, 0.0, 0.0), 1e-3, 5);
    CHECK(!rig.last.touching);
    level(&rig, -0.01999);
    go(&rig, ri_vec3(0.01, 0.0, -0.01), ri_vec3(1.0, 0.0, 0.0), 1e-3, 50);
    CHECK(rig.last.touching && rig.last.f.force.z >= 0.0 && rig.last.f.force.z < 10.0);
    level(&rig, 0.01);
    press(&rig);
    CHECK(rig.last.f.force.z > 100.0);
    go(&rig, ri_vec3(0.0, 0.0, 0.1), ri_vec3(0.0, 0.0, 0.0), 1e-3, 100);
    CHECK_CLOSE(rig.last.f.force.z, 0.0, 1e-9); // soil does not pull
    level(&rig, 0.09);
    press(&rig);
    CHECK(rig.last.f.doubts & RI_SCREW_DOUBT_SINKAGE);
    CHECK(rig.last.f.doubts & RI_SCREW_DOUBT_BURIED);
    level(&rig, 0.5);
    press(&rig);
    CHECK(rig.last.f.doubts & RI_SCREW_DOUBT_BURIED);
    CHECK(isfinite(rig.last.f.force.z));
    level(&rig, 0.01);
    for (int i = 0; i < rig.w.stations; i++)
        rig.g.along[i] = 0.7;
    press(&rig);
    CHECK(rig.last.f.doubts & RI_SCREW_DOUBT_TILT);
    rig.w.lead = 0.8;
    CHECK(ri_screw_steady(&rig.w, &rig.soil, 0.01, 0.1, 0).doubts & RI_SCREW_DOUBT_ANGLE);
    rig.soil.law.slip_most = 0.5;
    CHECK(ri_screw_steady(&rig.w, &rig.soil, 0.01, 0.6, 0).doubts & RI_SCREW_DOUBT_SLIP);
}

// --- layers, crusts, grooves ---------------------------------------------------------------------

/// A screw on two layers, or on one with a crust.
static bool make_layers(Rig *rig, const RiScrewLayer *layers, int count, RiSoilLaw *room)
{
    return make_rig(rig, layers[0].soil, 0.02, 1) &&
           ri_screw_soil_layers(ctx, layers, count, &rig->w, 9.81, 2e7, room, &rig->soil) == RI_OK;
}

TEST(a_thick_first_layer_is_all_that_counts_and_a_thin_one_does_not)
{
    Rig rig;
    RiSoilLaw room[4];
    RiSoil soft = dry_sand(), firm = dry_sand();
    soft.kphi = 2e5, soft.cohesion = 300.0, soft.friction = 20.0 * DEGREE;
    REQUIRE(make_rig(&rig, &soft, 0.02, 1));
    const RiScrewForce alone = ri_screw_steady(&rig.w, &rig.soil, 0.01, 0.3, 0);
    REQUIRE(make_rig(&rig, &firm, 0.02, 1));
    const RiScrewForce below = ri_screw_steady(&rig.w, &rig.soil, 0.01, 0.3, 0);
    double before = INFINITY;
    for (double thick = 1e-7; thick < 1e6; thick *= 10.0) {
        const RiScrewLayer layers[] = {{&soft, thick, 0.0}, {&firm, 1.0, 0.0}};
        REQUIRE(make_layers(&rig, layers, 2, room));
        const RiScrewForce f = ri_screw_steady(&rig.w, &rig.soil, 0.01, 0.3, 0);
        CHECK(f.force.z <= before * (1.0 + 1e-9) && f.force.z < below.force.z * 1.001);
        before = f.force.z;
        if (thick < 2e-7 || thick > 1e4) {
            const RiScrewForce *want = thick > 1.0 ? &alone : &below;
            CHECK_CLOSE(f.force.z / want->force.z, 1.0, 2e-3);
            CHECK_CLOSE(f.thrust / want->thrust, 1.0, 2e-3);
            CHECK_CLOSE(f.torque / want->torque, 1.0, 2e-3);
        }
    }
}

TEST(one_layer_is_the_soil_itself)
{
    Rig rig;
    RiSoilLaw room[2];
    const RiSoil soil = dry_sand();
    const RiScrewLayer layer = {&soil, 1.0, 0.0};
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    const RiScrewForce alone = ri_screw_steady(&rig.w, &rig.soil, 0.01, 0.3, 0);
    REQUIRE(make_layers(&rig, &layer, 1, room));
    const RiScrewForce f = ri_screw_steady(&rig.w, &rig.soil, 0.01, 0.3, 0);
    CHECK(f.force.x == alone.force.x && f.force.y == alone.force.y && f.force.z == alone.force.z);
    CHECK(f.torque == alone.torque && f.thrust == alone.thrust && f.limit == alone.limit);
}

TEST(a_crust_carries_a_drum_until_it_breaks_and_then_no_more)
{
    Rig rig;
    RiSoilLaw room[2];
    const RiSoil soil = dry_sand();
    const RiScrewLayer crusted = {&soil, 1.0, 60e3};
    Rig plain;
    REQUIRE(make_rig(&plain, &soil, 0.0, 1));
    REQUIRE(make_rig(&rig, &soil, 0.0, 1));
    REQUIRE(ri_screw_soil_layers(ctx, &crusted, 1, &rig.w, 9.81, 2e7, room, &rig.soil) == RI_OK);
    const double bend = ri_soil_crust_bend(&rig.soil.law);
    CHECK_CLOSE(bend, 3e-3, 1e-12);
    // at the bend the lowest line bears the crust's strength; and the load falls on the way through
    // it
    const double at_bend = ri_screw_steady(&rig.w, &rig.soil, bend, 0.2, 2000).force.z,
                 without = ri_screw_steady(&plain.w, &plain.soil, bend, 0.2, 2000).force.z;
    CHECK(at_bend > 5.0 * without);
    double deepest = 0.0, most = 0.0, least = INFINITY;
    for (double z = 1e-4; z < 0.03; z += 1e-4) {
        const double load = ri_screw_steady(&rig.w, &rig.soil, z, 0.2, 0).force.z;
        if (load > most && z < 3.0 * bend)
            most = load, deepest = z;
        if (z > deepest && z < 5.0 * bend)
            least = fmin(least, load);
    }
    printf("     carries %.0f N at %.1f mm, without crust %.0f N; then %.0f N\n", most, 1e3 * deepest, without, least);
    CHECK(least < most);
}

/// The groove of a drum that was sunk to z, under all stations.
static void put_groove(Rig *rig, double z)
{
    const double r = rig->w.core;
    rig->g.ruts = true;
    for (int i = 0; i < rig->w.stations; i++) {
        rig->g.reach[i] = 1.05 * sqrt(2.0 * r * z);
        for (int k = 0; k < RI_SCREW_RUTS; k++) {
            const double y = rig->g.reach[i] * (2.0 * k / (RI_SCREW_RUTS - 1) - 1.0);
            const double depth = fabs(y) < r ? fmax(0.0, sqrt(r * r - y * y) - (r - z)) : 0.0;
            rig->g.rut[i][k] = rig->g.packed[i][k] = depth;
        }
    }
}

TEST(a_drum_does_not_feel_a_groove_less_deep_than_itself)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    const RiScrewForce fresh = drive(&rig, 0.012, 0.3);
    put_groove(&rig, 0.0115);
    const RiScrewForce f = drive(&rig, 0.012, 0.3);
    CHECK_CLOSE(f.force.z / fresh.force.z, 1.0, 1e-9);
    CHECK_CLOSE(f.thrust / fresh.thrust, 1.0, 1e-9);
    CHECK_CLOSE(f.torque / fresh.torque, 1.0, 1e-9);
    CHECK(f.drag > fresh.drag + 0.005 * fresh.force.z); // but its face has little to press
}

TEST(a_second_drum_in_a_groove_presses_nothing_and_is_carried_all_the_same)
{
    Rig rig;
    RiSoil soil = dry_sand();
    soil.n = 1.0;
    REQUIRE(make_rig(&rig, &soil, 0.0, 1));
    rig.w.friction = 0.0;
    level(&rig, 0.02);
    press(&rig);
    go(&rig, ri_vec3(0.02, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 500);
    const RiScrewForce first = rig.last.f;
    put_groove(&rig, 0.02);
    go(&rig, ri_vec3(0.02, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 500);
    const RiScrewForce second = rig.last.f;
    printf("     drag %.2f N, then %.2f N; load %.1f and %.1f N\n", first.force.x, second.force.x, first.force.z,
           second.force.z);
    CHECK(first.force.x < 0.0 && fabs(second.force.x) < 0.12 * fabs(first.force.x));
    CHECK_CLOSE(second.force.z / first.force.z, 1.0, 0.05);
}

TEST(above_the_floor_of_a_groove_a_drum_loses_what_is_elastic)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.0, 1));
    level(&rig, 0.01);
    press(&rig);
    const double full = rig.last.f.force.z, stretch = rig.last.place.elastic[3 * 8 + 4];
    double before = full;
    for (int i = 1; i <= 6; i++) {
        put_groove(&rig, 0.01 + 0.25 * i * stretch);
        memset(rig.memory, 0, sizeof rig.memory);
        press(&rig);
        go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 1);
        CHECK(rig.last.f.force.z < before && rig.last.f.force.z >= 0.0);
        before = rig.last.f.force.z;
    }
    CHECK(before < 0.05 * full);
}

// --- digging -------------------------------------------------------------------------------------

TEST(blades_dig_as_tracks_do_with_their_grousers)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    for (double slip = 0.1; slip < 0.9; slip += 0.2) {
        REQUIRE(make_rig(&rig, &soil, 0.02, 1));
        rig.w.dig = 1.0;
        const double thread = 0.05, omega = thread * 2.0 * M_PI / rig.w.lead, z = 0.006;
        level(&rig, z);
        press(&rig);
        const int steps = (int)(6000.0 / (1.0 - slip));
        for (int i = 0; i < steps; i++) { // sinks as it digs: the soil it presses stays as deep
            level(&rig, z + rig.last.f.dug);
            go(&rig, ri_vec3(thread * (1.0 - slip), 0.0, 0.0), ri_vec3(omega, 0.0, 0.0), 1e-2, 1);
        }
        const RiScrewForce c = ri_screw_steady(&rig.w, &rig.soil, z, slip, 0);
        printf("     slip %.1f: %.2f mm, height of the soil that goes with the blades %.2f mm\n", slip,
               1e3 * rig.last.f.dug, 1e3 * rig.last.place.carried);
        CHECK_CLOSE(rig.last.f.dug / (rig.last.place.carried * slip / (1.0 - slip)), 1.0, 1e-3);
        CHECK_CLOSE(rig.last.f.dug / c.dug, 1.0, 0.01);
        CHECK_CLOSE(rig.last.f.sinkage, c.sinkage, 0.01 * c.sinkage);
        CHECK(rig.last.place.carried > 0.0 && rig.last.place.carried <= 0.02);
        CHECK_CLOSE(rig.last.f.thrust / c.force.z, c.thrust / c.force.z, 0.01);
    }
    CHECK(isinf(ri_screw_steady(&rig.w, &rig.soil, 0.006, 1.0, 0).dug));
    CHECK(ri_screw_steady(&rig.w, &rig.soil, 0.006, 1.0, 0).doubts & RI_SCREW_DOUBT_SINKAGE);
    CHECK(ri_screw_steady(&rig.w, &rig.soil, 0.006, -0.3, 0).dug == 0.0);
}

TEST(what_a_screw_digs_in_place_is_what_its_thread_carries_away)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    rig.w.dig = 1.0;
    level(&rig, 0.006);
    press(&rig);
    const double omega = 0.05 * 2.0 * M_PI / rig.w.lead;
    double volume = 0.0; // per width of the contact
    for (int i = 0; i < 100; i++) {
        level(&rig, 0.006 + rig.last.f.dug);
        go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(omega, 0.0, 0.0), 1e-3, 1);
        volume += 1e-3 * 0.05 * rig.last.place.carried;
    }
    level(&rig, 0.006 + rig.last.f.dug);
    go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 1);
    CHECK_CLOSE(rig.last.f.dug * rig.w.length / volume, 1.0, 1e-9);
    const double dug = rig.last.f.dug;
    go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-3, 1000);
    CHECK(rig.last.f.dug == dug); // at rest it stays
}

TEST(rings_hold_along_the_axis_and_turn_without_pushing)
{
    Rig rig;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    REQUIRE(ri_soil_screw_init(ctx, 0.08, 0.1, 0.3, 1e-5, 1, 1, &rig.w) == RI_OK); // no lead
    level(&rig, 0.005);
    press(&rig);
    go(&rig, ri_vec3(0.0, 0.0, 0.0), ri_vec3(2.0, 0.0, 0.0), 1e-2, 500);
    CHECK(fabs(rig.last.f.thrust) < 1e-2 * rig.last.f.force.z);
    go(&rig, ri_vec3(0.02, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), 1e-2, 500);
    CHECK(-rig.last.f.thrust > 0.3 * rig.last.f.limit);
}

TEST(sinkage_follows_from_load)
{
    Rig rig;
    RiScrewForce f;
    const RiSoil soil = dry_sand();
    REQUIRE(make_rig(&rig, &soil, 0.02, 1));
    double before = -1.0;
    for (double load = 1.0; load < 1000.0; load *= 3.0) {
        REQUIRE(ri_screw_steady_load(ctx, &rig.w, &rig.soil, load, 0.2, 0, &f) == RI_OK);
        CHECK_CLOSE(f.force.z / load, 1.0, 1e-6);
        CHECK(f.sinkage > before);
        before = f.sinkage;
    }
    CHECK(ri_screw_steady_load(ctx, &rig.w, &rig.soil, 1e9, 0.2, 0, &f) == RI_ERR_NUMERIC);
    CHECK(strstr(ri_context_message(ctx), "sunk to its axis"));
}

TEST(sizes_that_make_no_sense_are_refused)
{
    RiSoilScrew w;
    CHECK(ri_soil_screw_init(ctx, 0.0, 0.1, 0.3, 0.2, 1, 1, &w) == RI_ERR_ARGUMENT);
    CHECK(ri_soil_screw_init(ctx, 0.1, 0.08, 0.3, 0.2, 1, 1, &w) == RI_ERR_ARGUMENT);
    CHECK(ri_soil_screw_init(ctx, 0.1, 0.12, NAN, 0.2, 1, 1, &w) == RI_ERR_ARGUMENT);
    CHECK(ri_soil_screw_init(ctx, 0.1, 0.12, 0.3, 0.0, 1, 1, &w) == RI_ERR_ARGUMENT);
    CHECK(ri_soil_screw_init(ctx, 0.1, 0.12, 0.3, 0.2, 0, 1, &w) == RI_ERR_ARGUMENT);
    CHECK(ri_soil_screw_init(ctx, 0.1, 0.12, 0.3, 0.2, 1, 0, &w) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(ctx), "starts"));
    RiScrewSoil s;
    RiSoil soil = dry_sand();
    soil.cohesion = NAN;
    REQUIRE(ri_soil_screw_init(ctx, 0.1, 0.12, 0.3, 0.2, 1, 1, &w) == RI_OK);
    CHECK(ri_screw_soil_init(ctx, &soil, &w, 9.81, &s) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(ctx), "cohesion"));
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(a_bare_drum_floats_like_a_log_where_pressure_is_proportional_to_depth),
                               CASE(a_dragged_drum_presses_a_rut_with_bekkers_compaction_resistance),
                               CASE(steady_steps_end_within_a_percent_of_the_load_of_the_closed_forms),
                               CASE(thrust_over_slip_is_that_of_a_track_as_long_as_the_drum),
                               CASE(in_strong_soil_a_screw_advances_by_its_lead),
                               CASE(without_friction_a_turn_of_work_is_a_lead_of_thrust),
                               CASE(in_sand_without_cohesion_forces_grow_with_the_cube_of_size),
                               CASE(shear_stays_within_the_strength_of_the_soil),
                               CASE(work_less_stored_energy_never_falls),
                               CASE(left_and_right_hands_that_counter_rotate_have_no_net_side_force),
                               CASE(backwards_is_forwards_turned_round),
                               CASE(at_rest_a_screw_keeps_what_it_carries),
                               CASE(slopes_are_those_of_the_force_about_rest_and_never_negative),
                               CASE(half_the_step_and_twice_the_nodes_change_little),
                               CASE(sideways_a_drum_slides_hard_and_rolls_easily),
                               CASE(touching_barely_lifting_and_burial_are_told),
                               CASE(a_thick_first_layer_is_all_that_counts_and_a_thin_one_does_not),
                               CASE(one_layer_is_the_soil_itself),
                               CASE(a_crust_carries_a_drum_until_it_breaks_and_then_no_more),
                               CASE(a_drum_does_not_feel_a_groove_less_deep_than_itself),
                               CASE(a_second_drum_in_a_groove_presses_nothing_and_is_carried_all_the_same),
                               CASE(above_the_floor_of_a_groove_a_drum_loses_what_is_elastic),
                               CASE(blades_dig_as_tracks_do_with_their_grousers),
                               CASE(what_a_screw_digs_in_place_is_what_its_thread_carries_away),
                               CASE(rings_hold_along_the_axis_and_turn_without_pushing),
                               CASE(sinkage_follows_from_load),
                               CASE(sizes_that_make_no_sense_are_refused)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
