// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wheels on rough height fields: all places where a rim touches, against brute force.
#include "check.h"

#include <rille/ground.h>
#include <rille/sim.h>

#include "base/functions.h"
#include "base/rng.h"
#include "contact/contacts.h"
#include "contact/rim.h"

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiTerrain *t;
    RiContacts *c;
    RiDyn *d;
    RiArena arena;
    RiTouchWork work;
} Rig;

static const double RADIUS = 0.26, CELL = 0.1;
enum { SIZE = 128, ROCKS = 80, AROUND = 181, APART = 12 };

static void close_rig(Rig *r)
{
    ri_arena_free(&r->arena);
    ri_dyn_destroy(r->d);
    ri_contacts_destroy(r->c);
    ri_terrain_destroy(r->t);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

typedef enum Ground { GENTLE, RIPPLES, ROCKS_ON_IT } Ground;

/// Gentle ground, with ripples about as curved as the wheel, or with rocks of 20 to 80 cm,
/// flattened spheres.
static RiStatus make_ground(RiContext *ctx, Ground kind, RiTerrain **out)
{
    RiRaster *raster;
    RI_TRY(ri_raster_create(ctx, SIZE, SIZE, CELL, CELL, &raster));
    RiRng rng = ri_rng_stream(1, "rocks");
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++)
            raster->values[SIZE * j + i] = (float)(0.1 * sin(0.9 * CELL * i) * cos(0.7 * CELL * j) +
                                                   (kind == RIPPLES ? 0.028 * sin(7.0 * CELL * i + 0.1 * j) : 0.0));
    for (int k = 0; kind == ROCKS_ON_IT && k < ROCKS; k++) {
        const double x = ri_rng_between(&rng, 0.0, 12.7), y = ri_rng_between(&rng, 0.0, 12.7);
        const double size = ri_rng_between(&rng, 0.1, 0.4);
        for (int j = 0; j < SIZE; j++)
            for (int i = 0; i < SIZE; i++) {
                const double u = (CELL * i - x) / size, v = (CELL * j - y) / size, s = 1.0 - u * u - v * v;
                raster->values[SIZE * j + i] += s > 0.0 ? (float)(0.8 * size * sqrt(s)) : 0.0f;
            }
    }
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    const RiStatus status = ri_terrain_create_heights(ctx, &def, out);
    ri_raster_destroy(raster);
    return status;
}

static RiStatus open_rig(Rig *r, Ground ground)
{
    *r = (Rig){0};
    RI_TRY(ri_context_create(NULL, &r->ctx));
    ri_arena_init(&r->arena, r->ctx);
    RiLinkSpec link = ri_link_default();
    link.name = "body", link.mass = 1.0, link.inertia = ri_inertia_sphere(1.0, RADIUS);
    RI_TRY(ri_spec_create(r->ctx, "rig", &r->spec));
    RI_TRY(ri_spec_add_link(r->spec, &link));
    RiWheelSpec wheel = ri_wheel_default();
    wheel.name = "wheel", wheel.link = "body", wheel.radius = RADIUS, wheel.width = 0.3;
    RI_TRY(ri_spec_add_wheel(r->spec, &wheel));
    RI_TRY(ri_model_create(r->ctx, r->spec, NULL, &r->m));
    RI_TRY(make_ground(r->ctx, ground, &r->t));
    RI_TRY(ri_contacts_create(r->ctx, r->spec, r->m, r->t, NULL, &r->c));
    RI_TRY(ri_dyn_create(r->ctx, r->m, &r->d));
    return ri_touch_work_create(&r->arena, r->c, &r->work);
}

/// Axes in a circle's plane: down, and along.
static void axes_of(const Rig *r, int feature, RiVec3 *down, RiVec3 *along)
{
    const RiVec3 axis = r->work.axes[feature], side = ri_cross(axis, ri_vec3(0, 0, 1));
    *along = ri_scale(1.0 / ri_norm(side), side);
    *down = ri_cross(*along, axis);
    if (down->z > 0.0)
        *down = ri_scale(-1.0, *down);
}

/// Distances of the lower half of a rim to the ground.
static void go_round(const Rig *r, int feature, int n, double *out, RiVec3 *out_arm)
{
    const RiFeature *f = &r->c->features[feature];
    RiVec3 down, along;
    axes_of(r, feature, &down, &along);
    for (int k = 0; k < n; k++) {
        const double a = M_PI * (k / (n - 1.0) - 0.5);
        const RiVec3 arm = ri_add(ri_scale(cos(a), down), ri_scale(sin(a), along));
        const RiRound *round = &r->work.rounds[feature];
        RiSurface s;
        ri_terrain_query(r->t, ri_add(round->centre, ri_scale(round->radius, arm)), &s);
        out[k] = s.distance - f->tube;
        out_arm[k] = arm;
    }
}

/// Lowers a wheel of random heading and lean until it is `deep` in the ground; its touches into
/// r->work. Returns how many.
static int put_down(Rig *r, RiRng *rng, double deep)
{
    const double x = ri_rng_between(rng, 1.5, 11.0), y = ri_rng_between(rng, 1.5, 11.0), still[6] = {0.0};
    const RiQuat q = ri_quat_mul(ri_quat_exp(ri_vec3(0, 0, ri_rng_between(rng, -3.0, 3.0))),
                                 ri_quat_exp(ri_vec3(ri_rng_between(rng, -0.2, 0.2), 0, 0)));
    RiVec3 held[16] = {{0.0, 0.0, 0.0}}, arms[40];
    RiHeight ground;
    double z, distance[40];
    int count = 0;
    if (!ri_terrain_height(r->t, x, y, &ground))
        abort();
    z = ground.z + RADIUS + 0.02;
    for (int k = 0; k < 8; k++) {
        const double to[7] = {x, y, z, q.w, q.x, q.y, q.z};
        double least = INFINITY;
        if (ri_dyn_update_position(r->d, to) != RI_OK)
            abort();
        ri_dyn_update_velocity(r->d, still);
        count = ri_contacts_find(r->c, r->d, 1e-2, held, &r->work);
        for (int i = 0; i < r->c->feature_count; i++) {
            go_round(r, i, 40, distance, arms);
            for (int n = 0; n < 40; n++)
                least = fmin(least, distance[n]);
        }
        if (fabs(least + deep) < 1e-3)
            break;
        z -= least + deep;
    }
    return count;
}

/// How many places of a circle are in the ground by more than a millimetre, found by going round
/// it, and how many of them a touch stands at.
static void count_places(const Rig *r, int feature, int count, int *places, int *found)
{
    const RiFeature *f = &r->c->features[feature];
    const RiVec3 centre = r->work.rounds[feature].centre;
    double distance[AROUND];
    RiVec3 at[AROUND];
    go_round(r, feature, AROUND, distance, at);
    for (int k = APART; k < AROUND - APART; k++) {
        bool least = distance[k] < -1e-3;
        for (int i = -APART; i <= APART && least; i++)
            least = i == 0 || distance[k] < distance[k + i];
        if (!least)
            continue;
        (*places)++;
        bool met = false;
        for (int i = 0; i < count; i++) {
            const RiTouch *t = &r->work.touches[i];
            const RiVec3 arm = ri_sub(ri_add(t->point, ri_scale(f->tube, t->normal)), centre);
            met |= t->feature == feature && ri_dot(arm, at[k]) > cos(0.1) * ri_norm(arm) &&
                   fabs(t->depth + distance[k]) < 1e-3;
        }
        *found += met;
    }
}

static void search(Ground ground, int *places, int *found, int *touches)
{
    Rig r;
    *places = *found = *touches = 0;
    REQUIRE_OK(r.ctx, open_rig(&r, ground));
    CHECK(r.c->by_heights);
    RiRng rng = ri_rng_stream(2, "poses");
    for (int k = 0; k < 150; k++) {
        const int count = put_down(&r, &rng, 5e-3);
        *touches += count;
        for (int i = 0; i < r.c->feature_count; i++)
            count_places(&r, i, count, places, found);
    }
    printf("     %d of %d places found\n", *found, *places);
    close_rig(&r);
}

TEST(a_wheel_touches_rocks_where_brute_force_says)
{
    int places, found, touches;
    search(ROCKS_ON_IT, &places, &found, &touches);
    CHECK(places > 150);
    CHECK_INT(found, places);
}

TEST(a_wheel_touches_gentle_ground_once_a_circle)
{
    int places, found, touches;
    search(GENTLE, &places, &found, &touches);
    CHECK(places > 150);
    CHECK_INT(found, places);
}

TEST(a_wheel_touches_ripples_where_brute_force_says)
{
    int places, found, touches;
    search(RIPPLES, &places, &found, &touches);
    CHECK(places > 150);
    CHECK_INT(found, places);
}

/// Largest difference of depth and of direction between the touches that are found from nothing and
/// from the normals of touches a little before.
static void compare_starts(Ground ground, double *depth, double *direction)
{
    Rig r;
    *depth = *direction = 0.0;
    REQUIRE_OK(r.ctx, open_rig(&r, ground));
    RiRng rng = ri_rng_stream(3, "starts");
    for (int k = 0; k < 100; k++) {
        RiVec3 held[16] = {{0.0, 0.0, 0.0}}, normals[16];
        double depths[16];
        const int count = put_down(&r, &rng, 5e-3);
        for (int i = 0; i < count; i++) {
            const RiTouch *t = &r.work.touches[i];
            const RiVec3 off = {ri_rng_between(&rng, -0.1, 0.1), ri_rng_between(&rng, -0.1, 0.1), 0.0};
            const RiVec3 other = ri_add(t->normal, off);
            held[t->place] = ri_scale(1.0 / ri_norm(other), other);
            normals[i] = t->normal, depths[i] = t->depth;
        }
        REQUIRE(ri_contacts_find(r.c, r.d, 1e-2, held, &r.work) == count);
        for (int i = 0; i < count; i++) {
            *depth = fmax(*depth, fabs(r.work.touches[i].depth - depths[i]));
            *direction = fmax(*direction, ri_norm(ri_sub(r.work.touches[i].normal, normals[i])));
        }
    }
    close_rig(&r);
}

TEST(where_the_search_starts_shows_neither_in_depth_nor_in_direction)
{
    for (int ground = GENTLE; ground <= ROCKS_ON_IT; ground++) {
        double depth, direction;
        compare_starts((Ground)ground, &depth, &direction);
        printf("     ground %d: depths differ by %.1e m, normals by %.1e\n", ground, depth, direction);
        CHECK(depth < 1e-6);
        CHECK(direction < 1e-3);
    }
}

/// Two soils, the second one beyond x = 6 m.
static RiStatus make_map(RiContext *ctx, RiSoils **soils, RiSoilMap **map)
{
    static const RiSoilLayer first[] = {{0, INFINITY, 0.0}}, second[] = {{1, INFINITY, 0.0}};
    static const double right[] = {6, -100, 100, -100, 100, 100, 6, 100};
    int region;
    RI_TRY(ri_soils_create(ctx, soils));
    for (int k = 0; k < 2; k++) {
        const RiSoil soil = {.name = k ? "clay" : "sand",
                             .form = RI_SOIL_BEKKER,
                             .n = 1.0,
                             .n1 = NAN,
                             .kc = 1400.0,
                             .kphi = 820000.0,
                             .cohesion = 170.0,
                             .friction = 0.61,
                             .kx = 0.018,
                             .ky = NAN,
                             .density = 1524.0,
                             .a0 = NAN,
                             .a1 = NAN,
                             .gravity = NAN,
                             .mu = NAN,
                             .confidence = 'A',
                             .provenance = "a test"};
        RI_TRY(ri_soils_add(*soils, &soil, (RiSource){0}));
    }
    RI_TRY(ri_soil_map_create(ctx, *soils, &(RiSoilRegion){"left", first, 1}, map));
    RI_TRY(ri_soil_map_add(*map, &(RiSoilRegion){"right", second, 1}, &region));
    return ri_soil_map_paint_polygon(*map, region, 4, right);
}

/// Puts the rig's wheel on its ground covered with a map, and wheels down at random: all touches
/// are on the soil that is there.
static void check_soils(Rig *r, const RiSoilMap *map)
{
    RiTerrain *covered;
    RiRng rng = ri_rng_stream(4, "soils");
    int on[2] = {0, 0};
    REQUIRE_OK(r->ctx, ri_terrain_create_covered(r->ctx, r->t, map, &covered));
    ri_contacts_destroy(r->c);
    REQUIRE_OK(r->ctx, ri_contacts_create(r->ctx, r->spec, r->m, covered, NULL, &r->c));
    CHECK(r->c->by_heights);
    for (int k = 0; k < 60; k++)
        for (int i = put_down(r, &rng, 5e-3) - 1; i >= 0; i--) {
            const RiTouch *t = &r->work.touches[i];
            const double x = t->point.x + t->depth * t->normal.x;
            CHECK(t->ground == (x > 6.0) || fabs(x - 6.0) < 1e-6);
            on[t->ground != 0]++;
        }
    CHECK(on[0] > 20 && on[1] > 20);
    ri_contacts_destroy(r->c);
    r->c = NULL;
    ri_terrain_destroy(covered);
}

TEST(touches_on_a_covered_field_are_on_the_soil_that_is_there)
{
    for (int ground = GENTLE; ground <= ROCKS_ON_IT; ground++) {
        Rig r;
        RiSoils *soils = NULL;
        RiSoilMap *map = NULL;
        REQUIRE_OK(r.ctx, open_rig(&r, (Ground)ground));
        REQUIRE_OK(r.ctx, make_map(r.ctx, &soils, &map));
        check_soils(&r, map);
        ri_soil_map_destroy(map);
        ri_soils_destroy(soils);
        close_rig(&r);
    }
}

// --- ground finer than the wheel -----------------------------------------------------------------

enum { FINE_SIZE = 160 };
static const double FINE_CELL = 0.01, FINE_RADIUS = 0.14;

/// Rough ground of 1 cm cells: noise from value to value on top of gentle waves.
static RiStatus make_fine(RiContext *ctx, double noise, RiTerrain **out)
{
    RiRaster *raster;
    RI_TRY(ri_raster_create(ctx, FINE_SIZE, FINE_SIZE, FINE_CELL, FINE_CELL, &raster));
    RiRng rng = ri_rng_stream(5, "fine");
    for (int k = 0; k < FINE_SIZE * FINE_SIZE; k++)
        raster->values[k] = (float)(0.01 * sin(0.08 * (k % FINE_SIZE)) * cos(0.06 * (double)(k / FINE_SIZE)) +
                                    ri_rng_between(&rng, -noise, noise));
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    const RiStatus status = ri_terrain_create_heights(ctx, &def, out);
    ri_raster_destroy(raster);
    return status;
}

static void open_fine(Rig *r, double noise)
{
    REQUIRE_OK(r->ctx, open_rig(r, GENTLE));
    ri_contacts_destroy(r->c);
    ri_terrain_destroy(r->t);
    ri_dyn_destroy(r->d);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    RiLinkSpec link = ri_link_default();
    link.name = "body", link.mass = 1.0, link.inertia = ri_inertia_sphere(1.0, FINE_RADIUS);
    REQUIRE_OK(r->ctx, ri_spec_create(r->ctx, "rig", &r->spec));
    REQUIRE_OK(r->ctx, ri_spec_add_link(r->spec, &link));
    RiWheelSpec wheel = ri_wheel_default();
    wheel.name = "wheel", wheel.link = "body", wheel.radius = FINE_RADIUS, wheel.width = 0.1;
    REQUIRE_OK(r->ctx, ri_spec_add_wheel(r->spec, &wheel));
    REQUIRE_OK(r->ctx, ri_model_create(r->ctx, r->spec, NULL, &r->m));
    REQUIRE_OK(r->ctx, make_fine(r->ctx, noise, &r->t));
    RiContactOptions o = ri_contact_options_default();
    o.wheel_stations = 1;
    REQUIRE_OK(r->ctx, ri_contacts_create(r->ctx, r->spec, r->m, r->t, &o, &r->c));
    REQUIRE_OK(r->ctx, ri_dyn_create(r->ctx, r->m, &r->d));
    REQUIRE_OK(r->ctx, ri_touch_work_create(&r->arena, r->c, &r->work));
}

/// Distance of the rounded rim to the ground under it, by asking everywhere.
static double distance_by_force(const Rig *r)
{
    const RiFeature *f = &r->c->features[0];
    const RiVec3 c = r->work.rounds[0].centre, a = r->work.axes[0];
    const double radius = r->work.rounds[0].radius;
    const double step = 5e-4, reach = f->radius;
    double least = INFINITY;
    for (double x = c.x - reach; x < c.x + reach; x += step)
        for (double y = c.y - reach; y < c.y + reach; y += step) {
            RiHeight g;
            const double dx = x - c.x, dy = y - c.y, across = a.x * dx + a.y * dy;
            if (fabs(across) > f->tube || !ri_terrain_height(r->t, x, y, &g))
                continue;
            const RiVec3 from = ri_vec3(dx, dy, g.z - c.z);
            const double h = ri_dot(from, a), out = ri_norm(ri_sub(from, ri_scale(h, a)));
            least = fmin(least, hypot(out - radius, h) - f->tube);
        }
    return least;
}

static double deepest_touch(const Rig *r, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        least = fmin(least, -r->work.touches[i].depth);
    return least;
}

TEST(on_ground_finer_than_the_wheel_the_deepest_touch_is_found)
{
    static const double noises[3] = {5e-4, 2e-3, 5e-3};
    for (int n = 0; n < 3; n++) {
        Rig r;
        double worst = 0.0;
        open_fine(&r, noises[n]);
        CHECK(r.c->by_heights);
        RiRng rng = ri_rng_stream(6, "places");
        for (int k = 0; k < 60; k++) {
            const double x = ri_rng_between(&rng, 0.3, 1.2), y = ri_rng_between(&rng, 0.3, 1.2), still[6] = {0.0};
            const RiQuat q = ri_quat_mul(ri_quat_exp(ri_vec3(0, 0, ri_rng_between(&rng, -3.0, 3.0))),
                                         ri_quat_exp(ri_vec3(ri_rng_between(&rng, -0.2, 0.2), 0, 0)));
            const double to[7] = {x, y, FINE_RADIUS + ri_rng_between(&rng, -5e-3, 5e-3), q.w, q.x, q.y, q.z};
            const RiVec3 held[8] = {{0.0, 0.0, 0.0}};
            REQUIRE_OK(r.ctx, ri_dyn_update_position(r.d, to));
            ri_dyn_update_velocity(r.d, still);
            const int count = ri_contacts_find(r.c, r.d, 0.03, held, &r.work);
            worst = fmax(worst, deepest_touch(&r, count) - distance_by_force(&r));
        }
        printf("     noise %g m: the deepest touch is missed by at most %.2e m\n", noises[n], worst);
        CHECK(worst < 1e-4); // the last ground is as steep as 60 degrees
        close_rig(&r);
    }
}

/// A wheel that is moved on in small steps: how far the touches found along the way are from those
/// found anew, at most.
TEST(a_touch_that_goes_on_is_not_lost)
{
    Rig r;
    RiVec3 held[8] = {{0.0, 0.0, 0.0}};
    double worst = 0.0, before = 0.0;
    open_fine(&r, 2e-3);
    for (int k = 0; k < 2000; k++) {
        const double to[7] = {0.3 + 3e-4 * k, 0.7, FINE_RADIUS - 2e-3, 1.0, 0.0, 0.0, 0.0}, still[6] = {0.0};
        REQUIRE_OK(r.ctx, ri_dyn_update_position(r.d, to));
        ri_dyn_update_velocity(r.d, still);
        const int count = ri_contacts_find(r.c, r.d, 0.03, held, &r.work);
        for (int i = 0; i < 8; i++)
            held[i] = ri_vec3(0.0, 0.0, 0.0);
        for (int i = 0; i < count; i++)
            held[r.work.touches[i].place] = r.work.touches[i].normal;
        const double deepest = deepest_touch(&r, count);
        if (k > 0)
            worst = fmax(worst, fabs(deepest - before));
        before = deepest;
    }
    printf("     depth changes by at most %.2e m in a step of 3e-4 m\n", worst);
    CHECK(worst < 2.5e-4); // the ground is no steeper than 40 degrees
    close_rig(&r);
}

/// Distance of the tread's lowest point from a plane through the origin with normal n, by going over
/// all of the tread.
static double tread_over_plane(const RiWheelSpec *x, RiVec3 hub, RiVec3 a, RiVec3 n)
{
    const RiVec3 in = ri_sub(n, ri_scale(ri_dot(n, a), a)), down = ri_scale(-1.0 / ri_norm(in), in);
    double least = INFINITY;
    for (int k = 0; k <= 20000; k++) {
        const double v = x->width * (k / 20000.0 - 0.5);
        const double rho = x->radius - (x->crown - sqrt(x->crown * x->crown - v * v));
        least = fmin(least, ri_dot(n, ri_add(ri_add(hub, ri_scale(rho, down)), ri_scale(v, a))));
    }
    return least;
}

/// A crowned wheel over a plane, as a half-space and as a map of heights.
TEST(a_crowned_wheel_touches_a_slope_with_its_tread)
{
    const RiVec3 n = ri_scale(1.0 / sqrt(1.0 + 0.15 * 0.15 + 0.2 * 0.2), ri_vec3(-0.15, 0.2, 1.0));
    for (int map = 0; map < 2; map++) {
        Rig r;
        double worst = 0.0, worst_edge = 0.0;
        open_fine(&r, 0.0);
        ri_arena_free(&r.arena);
        ri_contacts_destroy(r.c);
        ri_terrain_destroy(r.t);
        RiRaster *raster;
        REQUIRE_OK(r.ctx, ri_raster_create(r.ctx, 64, 64, 0.05, 0.05, &raster));
        for (int k = 0; k < 64 * 64; k++)
            raster->values[k] = (float)(0.15 * 0.05 * (k % 64) - 0.2 * 0.05 * (double)(k / 64));
        RiHeightsDef heights = ri_heights_def_default();
        heights.raster = raster;
        const RiPlaneDef plane = {.slope = atan(hypot(0.15, 0.2)), .azimuth = atan2(-0.2, 0.15)};
        REQUIRE_OK(r.ctx, map ? ri_terrain_create_heights(r.ctx, &heights, &r.t)
                              : ri_terrain_create_plane(r.ctx, &plane, &r.t));
        ri_raster_destroy(raster);
        RiWheelSpec *x = &r.spec->wheels[0];
        x->crown = 0.35, x->width = 0.16;
        REQUIRE_OK(r.ctx, ri_contacts_create(r.ctx, r.spec, r.m, r.t, NULL, &r.c));
        ri_arena_init(&r.arena, r.ctx);
        REQUIRE_OK(r.ctx, ri_touch_work_create(&r.arena, r.c, &r.work));
        RiRng rng = ri_rng_stream(7, "leans");
        for (int k = 0; k < 40; k++) {
            const RiQuat q = ri_quat_mul(ri_quat_exp(ri_vec3(0, 0, ri_rng_between(&rng, -3.0, 3.0))),
                                         ri_quat_exp(ri_vec3(ri_rng_between(&rng, -0.2, 0.2), 0, 0)));
            const RiMat3 R = ri_quat_to_mat3(q);
            const RiVec3 hub = {1.5, 1.5, 1.5 * (0.15 - 0.2) + 1.03 * FINE_RADIUS}, a = ri_rotate(&R, ri_vec3(0, 1, 0));
            const double to[7] = {hub.x, hub.y, hub.z, q.w, q.x, q.y, q.z}, still[6] = {0.0};
            const RiVec3 held[8] = {{0.0, 0.0, 0.0}};
            REQUIRE_OK(r.ctx, ri_dyn_update_position(r.d, to));
            ri_dyn_update_velocity(r.d, still);
            const int count = ri_contacts_find(r.c, r.d, 0.1, held, &r.work);
            const double off = fabs(deepest_touch(&r, count) - tread_over_plane(x, hub, a, n));
            const bool on_arc = fabs(ri_dot(n, a)) < 0.5 * x->width / x->crown;
            worst = on_arc ? fmax(worst, off) : worst;
            worst_edge = on_arc ? worst_edge : fmax(worst_edge, off);
        }
        printf("     %s: a crowned tread is off by %.2e m, beyond its end by %.2e m\n", map ? "map" : "plane", worst,
               worst_edge);
        CHECK(worst < 2e-7);      // heights of the map are floats
        CHECK(worst_edge < 1e-3); // on a map the end is rounded
        close_rig(&r);
    }
}

TEST(probes_have_the_bits_of_sine_and_cosine)
{
    for (int k = 0; k < RI_RIM_PROBES; k++) {
        CHECK(ri_rim_probes[k].cosine == ri_cos(ri_rim_probes[k].angle));
        CHECK(ri_rim_probes[k].sine == ri_sin(ri_rim_probes[k].angle));
    }
}

TEST_MAIN(CASE(a_crowned_wheel_touches_a_slope_with_its_tread),
          CASE(on_ground_finer_than_the_wheel_the_deepest_touch_is_found), CASE(a_touch_that_goes_on_is_not_lost),
          CASE(a_wheel_touches_rocks_where_brute_force_says), CASE(a_wheel_touches_gentle_ground_once_a_circle),
          CASE(a_wheel_touches_ripples_where_brute_force_says),
          CASE(touches_on_a_covered_field_are_on_the_soil_that_is_there),
          CASE(where_the_search_starts_shows_neither_in_depth_nor_in_direction),
          CASE(probes_have_the_bits_of_sine_and_cosine))
