// SPDX-License-Identifier: Apache-2.0
/// \file
/// The laws of contact by themselves: closed forms, and identities over random touches.
#include "check.h"

#include "base/rng.h"
#include "contact/contacts.h"

static RiVec3 vector(RiRng *r, double size)
{
    return ri_vec3(ri_rng_between(r, -size, size), ri_rng_between(r, -size, size), ri_rng_between(r, -size, size));
}

static RiVec3 unit(RiVec3 x)
{
    return ri_scale(1.0 / ri_norm(x), x);
}

static RiVec3 flat(RiVec3 n, RiVec3 x)
{
    return ri_sub(x, ri_scale(ri_dot(n, x), n));
}

/// A touch with random geometry under a law.
static RiTouch random_touch(RiRng *r, const RiPairDef *pair)
{
    RiTouch t = {.pair = pair, .normal = unit(vector(r, 1.0)), .depth = ri_rng_between(r, 1e-4, 5e-3)};
    t.thread = unit(flat(t.normal, vector(r, 1.0)));
    return t;
}

static RiPairDef random_pair(RiRng *r, RiLawKind law)
{
    RiPairDef p = ri_pair_default();
    p.law = law;
    p.stiffness = ri_rng_between(r, 1e4, 1e6);
    p.damping = ri_rng_between(r, 0.0, 5e3);
    p.friction = ri_rng_between(r, 0.05, 1.0);
    p.friction_static = p.friction + ri_rng_between(r, 0.0, 0.5);
    p.stick_stiffness = ri_rng_between(r, 1e4, 5e5);
    p.stick_damping = ri_rng_between(r, 10.0, 5e3);
    p.e0 = ri_rng_between(r, 1.0, 5.0);
    p.e1 = ri_rng_between(r, 0.0, 0.02);
    p.e_max = 10.0;
    return p;
}

static const RiLawKind laws[] = {RI_LAW_COULOMB, RI_LAW_STRIBECK, RI_LAW_SCREW};

TEST(slopes_are_symmetric_and_positive_semi_definite)
{
    RiRng r = ri_rng_stream(1, "slopes");
    for (int k = 0; k < 3000; k++) {
        const RiPairDef pair = random_pair(&r, laws[k % 3]);
        const RiTouch t = random_touch(&r, &pair);
        const RiVec3 xi = flat(t.normal, vector(&r, 2e-3));
        const RiTouchForce f = ri_touch_force(&t, vector(&r, 0.3), xi, k % 2 ? 1e-3 : 0.0);
        const RiVec3 x = vector(&r, 1.0), y = vector(&r, 1.0);
        const double xy = ri_dot(x, ri_touch_slope(&t, &f, y)), yx = ri_dot(y, ri_touch_slope(&t, &f, x));
        const double scale = fabs(f.along_n) + f.flat + f.along_e + 1.0;
        CHECK_CLOSE(xy, yx, 1e-12 * scale);
        CHECK(ri_dot(x, ri_touch_slope(&t, &f, x)) >= -1e-12 * scale);
    }
}

TEST(the_force_is_continuous_where_sticking_becomes_sliding)
{
    RiRng r = ri_rng_stream(2, "border");
    int met = 0;
    for (int k = 0; k < 1000; k++) {
        const RiPairDef pair = random_pair(&r, laws[k % 3]);
        const RiTouch t = random_touch(&r, &pair);
        const RiVec3 v = flat(t.normal, vector(&r, 1e-3)), along = unit(flat(t.normal, vector(&r, 1.0)));
        // deflections on both sides of the border, along one line: found by bisection on the gain
        double low = 0.0, high = 1.0;
        for (int i = 0; i < 60; i++) {
            const double mid = 0.5 * (low + high);
            *(ri_touch_force(&t, v, ri_scale(mid, along), 1e-3).gain < 1.0 ? &high : &low) = mid;
        }
        const RiTouchForce a = ri_touch_force(&t, v, ri_scale(low * (1.0 - 1e-9), along), 1e-3);
        const RiTouchForce b = ri_touch_force(&t, v, ri_scale(high * (1.0 + 1e-9), along), 1e-3);
        if (a.gain < 1.0 || b.gain >= 1.0)
            continue; // it slides without any deflection
        met++;
        CHECK_CLOSE(ri_norm(ri_sub(a.force, b.force)), 0.0, 1e-6 * a.limit * a.E);
    }
    CHECK(met > 500);
}

TEST(isotropic_friction_never_creates_energy)
{
    RiRng r = ri_rng_stream(3, "cycle");
    const double h = 1e-4;
    for (int k = 0; k < 40; k++) {
        const RiPairDef pair = random_pair(&r, RI_LAW_COULOMB);
        const RiTouch t = random_touch(&r, &pair);
        const RiVec3 a = flat(t.normal, vector(&r, 1.0)), b = flat(t.normal, vector(&r, 1.0));
        RiVec3 xi = {0.0, 0.0, 0.0};
        const double size = ri_rng_between(&r, 1e-5, 1e-2), start = ri_touch_energy(&t, xi);
        double taken = 0.0;
        for (int i = 0; i < 20000; i++) { // a closed path: two turns of an ellipse, one of twice the frequency
            const double s = 6.283185307179586 * i / 10000.0;
            const RiVec3 v = ri_scale(6.283185307179586 * size, ri_add(ri_scale(cos(s), a), ri_scale(cos(2.0 * s), b)));
            const RiTouchForce f = ri_touch_force(&t, v, xi, h);
            taken -= h * ri_dot(f.force, v);
            xi = ri_touch_deflect(&t, &f, v, xi, h);
            CHECK(taken >= ri_touch_energy(&t, xi) - start - 1e-9 * (1.0 + taken)); // at every moment
        }
    }
}

TEST(steady_sliding_is_equation_six)
{
    RiRng r = ri_rng_stream(4, "sliding");
    for (int k = 0; k < 500; k++) {
        RiPairDef pair = random_pair(&r, RI_LAW_SCREW);
        const RiTouch t = random_touch(&r, &pair);
        const RiVec3 v = flat(t.normal, vector(&r, 0.5)), dir = unit(v);
        const double pressing = pair.stiffness * t.depth;
        const RiVec3 xi = ri_scale(pair.friction * pressing / pair.stick_stiffness, dir); // where it settles
        const RiTouchForce f = ri_touch_force(&t, v, xi, 0.0);
        const double E = fmin(pair.e_max, fmax(pair.e_min, pair.e0 + pair.e1 * pressing));
        const RiVec3 want =
            ri_scale(-pair.friction * pressing, ri_add(dir, ri_scale((E - 1.0) * ri_dot(dir, t.thread), t.thread)));
        CHECK_CLOSE(ri_norm(ri_sub(flat(t.normal, f.force), want)), 0.0, 1e-9 * pressing);
        CHECK_CLOSE(ri_norm(ri_touch_deflection_rate(&t, &f, v, xi)), 0.0, 1e-9);
    }
}

TEST(stribeck_friction_falls_from_its_static_to_its_kinetic_value)
{
    RiPairDef pair = ri_pair_default();
    pair.law = RI_LAW_STRIBECK;
    pair.friction = 0.3, pair.friction_static = 0.5, pair.stribeck_speed = 0.02, pair.viscous = 0.1;
    pair.stick_stiffness = 0.0, pair.stick_damping = 0.0, pair.creep = 1e-5;
    const RiTouch t = {.pair = &pair, .normal = {0, 0, 1}, .depth = 1e-3, .thread = {1, 0, 0}};
    for (int k = 0; k <= 40; k++) {
        const double v = 1e-4 * pow(10.0, 0.1 * k), x = v / 0.02;
        const RiTouchForce f = ri_touch_force(&t, ri_vec3(0.0, v, 0.0), ri_vec3(0, 0, 0), 0.0);
        CHECK_CLOSE(-f.force.y / f.force.z, 0.3 + 0.2 * exp(-x * x) + 0.1 * v, 1e-12);
    }
}

TEST(without_deflection_friction_is_viscous_below_the_creep_speed)
{
    RiPairDef pair = ri_pair_default();
    pair.stick_stiffness = 0.0, pair.stick_damping = 0.0, pair.friction = 0.4, pair.creep = 1e-3;
    const RiTouch t = {.pair = &pair, .normal = {0, 0, 1}, .depth = 1e-3};
    const RiVec3 none = {0, 0, 0};
    for (int k = 1; k <= 40; k++) {
        const double v = 1e-4 * k;
        const RiTouchForce f = ri_touch_force(&t, ri_vec3(0.6 * v, -0.8 * v, 0.0), none, 0.0);
        const double want = 0.4 * f.pressing * fmin(1.0, v / 1e-3);
        CHECK_CLOSE(f.force.x, -0.6 * want, 1e-9);
        CHECK_CLOSE(f.force.y, 0.8 * want, 1e-9);
    }
    CHECK_CLOSE(ri_norm(ri_touch_deflect(&t, &(RiTouchForce){.pressing = 1.0}, ri_vec3(1, 0, 0), none, 1e-3)), 0.0,
                0.0);
}

TEST(no_law_pulls)
{
    RiRng r = ri_rng_stream(5, "pull");
    for (int k = 0; k < 2000; k++) {
        const RiPairDef pair = random_pair(&r, laws[k % 3]);
        RiTouch t = random_touch(&r, &pair);
        t.depth = ri_rng_between(&r, -1e-3, 1e-3);
        const RiTouchForce f =
            ri_touch_force(&t, vector(&r, 3.0), flat(t.normal, vector(&r, 1e-3)), k % 2 ? 1e-3 : 0.0);
        CHECK(ri_dot(f.force, t.normal) >= 0.0);
    }
}

/// With friction 0 the share of the stick force that ground carries is 0 of anything: never 0/0.
TEST(a_touch_without_friction_is_settled_at_once)
{
    RiRng r = ri_rng_stream(6, "frictionless");
    for (int k = 0; k < 1000; k++) {
        RiPairDef pair = random_pair(&r, RI_LAW_COULOMB);
        pair.friction = 0.0;
        RiTouch t = random_touch(&r, &pair);
        t.depth = 5e-3;
        const RiVec3 none = ri_vec3(0.0, 0.0, 0.0), before = k % 2 ? vector(&r, 1e-2) : none, after = vector(&r, 1e-2);
        const RiTouchForce f = ri_touch_force(&t, before, none, 1e-3);
        if (f.pressing == 0.0)
            continue;
        CHECK(f.flat == 0.0 && ri_norm(flat(t.normal, f.force)) <= 1e-12 * f.pressing);
        CHECK(ri_touch_mismatch(&t, &f, after, none, 1e-3) == 0.0);
        CHECK(ri_norm(ri_touch_deflect(&t, &f, after, none, 1e-3)) == 0.0);
    }
}

TEST(every_law_has_a_row_and_a_law_that_is_not_there_is_refused)
{
    char hard[RI_LAW_LIST_ROOM];
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPairDef p = ri_pair_default();
    p.friction = p.friction_static = 0.5;
    p.stick_stiffness = 1e4, p.stick_damping = 10.0;
    for (int i = 0; i < RI_LAW_COUNT; i++) {
        p.law = (RiLawKind)i;
        CHECK(ri_laws[i].name && ri_laws[i].name[0]);
        CHECK(strcmp(ri_law_name(p.law), ri_laws[i].name) == 0);
        REQUIRE_OK(ctx, ri_pair_check(ctx, &p));
        if (p.law != RI_LAW_PLUGIN) // tests/io/test_plugin_laws.c
            CHECK(ri_pair_friction_at_rest(&p, NULL, 1.0) >= ri_pair_friction(&p, NULL, 1.0, 1e3));
    }
    ri_law_list_hard(hard);
    CHECK(strcmp(hard, "coulomb, stribeck, screw or plugin") == 0);
    p.law = RI_LAW_COUNT;
    CHECK_ERROR(ctx, ri_pair_check(ctx, &p), RI_ERR_ARGUMENT, "no law number 5");
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(every_law_has_a_row_and_a_law_that_is_not_there_is_refused),
          CASE(a_touch_without_friction_is_settled_at_once), CASE(slopes_are_symmetric_and_positive_semi_definite),
          CASE(the_force_is_continuous_where_sticking_becomes_sliding), CASE(isotropic_friction_never_creates_energy),
          CASE(steady_sliding_is_equation_six), CASE(stribeck_friction_falls_from_its_static_to_its_kinetic_value),
          CASE(without_deflection_friction_is_viscous_below_the_creep_speed), CASE(no_law_pulls))
