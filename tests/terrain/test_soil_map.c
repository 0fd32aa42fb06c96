// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soils and soil maps: what is refused, what lies where against brute force, layers from the top,
/// and a terrain that is the one below it but for its materials.
#include <rille/ground.h>

#include "check.h"
#include "io/faults.h"
#include "terrain/terrain.h"

static RiSoil plain_soil(const char *name)
{
    return (RiSoil){.name = name,
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
}

static RiStatus add_soil(RiSoils *s, const char *name)
{
    const RiSoil soil = plain_soil(name);
    return ri_soils_add(s, &soil, (RiSource){0});
}

static const RiSoilLayer half_space[] = {{0, INFINITY, 0.0}};
static const RiSoilLayer other[] = {{1, INFINITY, 0.0}};

typedef struct Fixture {
    RiContext *ctx;
    RiSoils *soils;
    RiSoilMap *map;
} Fixture;

static RiStatus open_map(Fixture *f, const RiAllocator *allocator)
{
    *f = (Fixture){0};
    RI_TRY(ri_context_create(allocator, &f->ctx));
    RI_TRY(ri_soils_create(f->ctx, &f->soils));
    RI_TRY(add_soil(f->soils, "sand"));
    RI_TRY(add_soil(f->soils, "clay"));
    return ri_soil_map_create(f->ctx, f->soils, &(RiSoilRegion){"plain", half_space, 1}, &f->map);
}

static void close_map(Fixture *f)
{
    ri_soil_map_destroy(f->map);
    ri_soils_destroy(f->soils);
    ri_context_destroy(f->ctx);
}

TEST(soils_whose_moduli_do_not_follow_the_gravity_are_named)
{
    Fixture f;
    RiSoil reece = plain_soil("reece");
    RiSoilMap *map;
    static const RiSoilLayer layers[] = {{2, 0.1, 0.0}, {0, INFINITY, 0.0}};
    CHECK_INT(open_map(&f, NULL), RI_OK);
    reece.form = RI_SOIL_REECE;
    reece.gravity = 1.62;
    CHECK_OK(f.ctx, ri_soils_add(f.soils, &reece, (RiSource){0}));
    CHECK_OK(f.ctx, ri_soil_map_create(f.ctx, f.soils, &(RiSoilRegion){"plain", layers, 2}, &map));
    CHECK_INT(ri_soil_map_next_unscaled(map, 3.71, -1), 0); // Bekker's moduli are the Earth's
    CHECK_INT(ri_soil_map_next_unscaled(map, 3.71, 0), 2);  // clay lies nowhere
    CHECK_INT(ri_soil_map_next_unscaled(map, 3.71, 2), -1);
    CHECK_INT(ri_soil_map_next_unscaled(map, 9.81, -1), 2);
    CHECK_INT(ri_soil_map_next_unscaled(map, 1.62, 0), -1);
    ri_soil_map_destroy(map);
    reece.name = "free";
    reece.gravity = NAN; // its moduli are those of the gravity at hand
    static const RiSoilLayer scaled[] = {{3, INFINITY, 0.0}};
    CHECK_OK(f.ctx, ri_soils_add(f.soils, &reece, (RiSource){0}));
    CHECK_OK(f.ctx, ri_soil_map_create(f.ctx, f.soils, &(RiSoilRegion){"plain", scaled, 1}, &map));
    CHECK_INT(ri_soil_map_next_unscaled(map, 3.71, -1), -1);
    ri_soil_map_destroy(map);
    close_map(&f);
}

TEST(soils_are_found_by_name_and_misspelt_ones_suggested)
{
    Fixture f;
    REQUIRE_OK(f.ctx, open_map(&f, NULL));
    CHECK_INT(ri_soils_count(f.soils), 2);
    CHECK_INT(ri_soils_find(f.soils, "clay"), 1);
    CHECK_INT(ri_soils_find(f.soils, "chalk"), -1);
    CHECK(strcmp(ri_soils_suggest(f.soils, "cley"), "clay") == 0);
    CHECK(ri_soils_suggest(f.soils, "basalt_of_the_sea") == NULL);
    CHECK(ri_soils_get(f.soils, 2) == NULL && ri_soils_get(f.soils, -1) == NULL);
    CHECK_CLOSE(ri_soils_get(f.soils, 0)->kphi, 820000.0, 0.0);
    CHECK(isnan(ri_soils_get(f.soils, 0)->ky));
    close_map(&f);
}

TEST(soils_out_of_range_are_refused_with_field_and_place)
{
    Fixture f;
    REQUIRE_OK(f.ctx, open_map(&f, NULL));
    const RiSource at = {"soils.csv", 12};
    RiSoil s = plain_soil("x");
    s.n = 0.0;
    CHECK_ERROR(f.ctx, ri_soils_add(f.soils, &s, at), RI_ERR_ARGUMENT, "soils.csv:12: soil 'x': n is 0, must be more");
    s = plain_soil("x");
    s.friction = 2.0;
    CHECK_ERROR(f.ctx, ri_soils_add(f.soils, &s, at), RI_ERR_ARGUMENT, "friction is 114.592 deg");
    s = plain_soil("x");
    s.density = INFINITY;
    CHECK_ERROR(f.ctx, ri_soils_add(f.soils, &s, at), RI_ERR_ARGUMENT, "density is inf");
    s = plain_soil("x");
    s.confidence = 'D';
    CHECK_ERROR(f.ctx, ri_soils_add(f.soils, &s, at), RI_ERR_ARGUMENT, "A, B, C, E");
    s = plain_soil("x");
    s.form = RI_SOIL_HARD;
    CHECK_ERROR(f.ctx, ri_soils_add(f.soils, &s, at), RI_ERR_ARGUMENT, "mu");
    s = plain_soil("two words");
    CHECK_ERROR(f.ctx, ri_soils_add(f.soils, &s, at), RI_ERR_ARGUMENT, "without spaces");
    CHECK_ERROR(f.ctx, add_soil(f.soils, "sand"), RI_ERR_ARGUMENT, "already");
    CHECK_INT(ri_soils_count(f.soils), 2);
    close_map(&f);
}

TEST(regions_with_impossible_layers_are_refused)
{
    Fixture f;
    int region;
    REQUIRE_OK(f.ctx, open_map(&f, NULL));
    const RiSoilLayer unknown[] = {{7, INFINITY, 0.0}}, finite[] = {{0, 1.0, 0.0}}, weak[] = {{0, INFINITY, -1.0}};
    const RiSoilLayer endless[] = {{0, INFINITY, 0.0}, {1, INFINITY, 0.0}};
    CHECK_ERROR(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"a", unknown, 1}, &region), RI_ERR_ARGUMENT, "number 7");
    CHECK_ERROR(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"a", finite, 1}, &region), RI_ERR_ARGUMENT, "for ever");
    CHECK_ERROR(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"a", endless, 2}, &region), RI_ERR_ARGUMENT, "layer 1");
    CHECK_ERROR(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"a", weak, 1}, &region), RI_ERR_ARGUMENT, "strength");
    CHECK_ERROR(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"a", weak, 0}, &region), RI_ERR_ARGUMENT, "0 layers");
    CHECK_ERROR(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"plain", half_space, 1}, &region), RI_ERR_ARGUMENT,
                "two soil regions");
    CHECK_ERROR(f.ctx, ri_soil_map_paint_polygon(f.map, 3, 3, (double[6]){0}), RI_ERR_ARGUMENT, "number 3");
    CHECK_ERROR(f.ctx, ri_soil_map_paint_polygon(f.map, 0, 2, (double[4]){0}), RI_ERR_ARGUMENT, "3 corners");
    CHECK_ERROR(f.ctx, ri_soil_map_paint_polygon(f.map, 0, 3, (double[6]){0, 0, NAN}), RI_ERR_ARGUMENT, "corner 2");
    CHECK_INT(ri_soil_map_region_count(f.map), 1);
    close_map(&f);
}

TEST(layers_are_met_from_the_top)
{
    Fixture f;
    int region;
    REQUIRE_OK(f.ctx, open_map(&f, NULL));
    const RiSoilLayer crusted[] = {{1, 0.02, 2e4}, {0, 0.3, 0.0}, {1, INFINITY, 0.0}};
    REQUIRE_OK(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"crusted", crusted, 3}, &region));
    CHECK_INT(region, 1);
    const double square[] = {0, 0, 1, 0, 1, 1, 0, 1};
    REQUIRE_OK(f.ctx, ri_soil_map_paint_polygon(f.map, region, 4, square));
    const double depths[] = {-1.0, 0.0, 0.0199, 0.0201, 0.319, 0.321, 1e9};
    const int layers[] = {0, 0, 0, 1, 1, 2, 2};
    for (int k = 0; k < 7; k++) {
        const RiSoilLayer *layer = ri_soil_map_layer_at(f.map, 0.5, 0.5, depths[k]);
        CHECK_INT(layer - ri_soil_map_region(f.map, 1)->layers, layers[k]);
    }
    CHECK_CLOSE(ri_soil_map_layer_at(f.map, 0.5, 0.5, 0.0)->strength, 2e4, 0.0);
    CHECK_INT(ri_soil_map_layer_at(f.map, 2.0, 0.5, 0.0)->soil, 0);
    close_map(&f);
}

/// Whether the winding angle of a star around a point is odd, by counting crossings with a slanted
/// line: another way to the same answer.
static bool star_holds(const double *xy, int n, double x, double y)
{
    int crossings = 0;
    const double ex = 0.6, ey = 0.8; // a half-line in this direction
    for (int i = 0; i < n; i++) {
        const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % n);
        const double ua = ex * (a[1] - y) - ey * (a[0] - x), ub = ex * (b[1] - y) - ey * (b[0] - x);
        const double ta = ex * (a[0] - x) + ey * (a[1] - y), tb = ex * (b[0] - x) + ey * (b[1] - y);
        crossings += (ua > 0.0) != (ub > 0.0) && ta + (tb - ta) * ua / (ua - ub) > 0.0;
    }
    return crossings % 2;
}

TEST(polygons_follow_the_even_odd_rule_and_later_paint_lies_on_top)
{
    enum { N = 7 };
    Fixture f;
    int a, b;
    double star[2 * N];
    REQUIRE_OK(f.ctx, open_map(&f, NULL));
    REQUIRE_OK(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"star", half_space, 1}, &a));
    REQUIRE_OK(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"band", other, 1}, &b));
    for (int i = 0; i < N; i++) { // corners joined by threes: it crosses itself
        star[2 * i] = 3.0 + 2.0 * cos(6.283185307179586 * 3 * i / N);
        star[2 * i + 1] = -1.0 + 2.0 * sin(6.283185307179586 * 3 * i / N);
    }
    const double band[] = {0, -0.5, 6, -0.5, 6, 0.5, 0, 0.5};
    REQUIRE_OK(f.ctx, ri_soil_map_paint_polygon(f.map, a, N, star));
    REQUIRE_OK(f.ctx, ri_soil_map_paint_polygon(f.map, b, 4, band));
    int wrong = 0, inside = 0;
    for (int k = 0; k < 20000; k++) {
        const double x = 6.0 * fabs(sin(12.9898 * k)), y = -3.5 + 5.0 * fabs(sin(78.233 * k));
        const int want = y > -0.5 && y < 0.5 ? b : star_holds(star, N, x, y) ? a : 0;
        wrong += ri_soil_map_region_at(f.map, x, y) != want;
        inside += want == a;
    }
    CHECK_INT(wrong, 0);
    CHECK(inside > 1000);
    CHECK_INT(ri_soil_map_region_at(f.map, NAN, 0.0), 0);
    close_map(&f);
}

TEST(masks_are_looked_up_by_the_nearest_cell_and_values_paint_regions)
{
    enum { N = 40, M = 30 };
    Fixture f;
    RiRaster *mask;
    int a, b;
    REQUIRE_OK(f.ctx, open_map(&f, NULL));
    REQUIRE_OK(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"one", half_space, 1}, &a));
    REQUIRE_OK(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"two", other, 1}, &b));
    REQUIRE_OK(f.ctx, ri_raster_create(f.ctx, N, M, 0.5, 0.25, &mask));
    mask->x0 = -3.0;
    mask->y0 = 2.0;
    for (int i = 0; i < N * M; i++)
        mask->values[i] = i % 11 == 3 ? NAN : (float)(i * 7 % 4);
    REQUIRE_OK(f.ctx, ri_soil_map_paint_mask(f.map, a, mask, 1.0F));
    REQUIRE_OK(f.ctx, ri_soil_map_paint_mask(f.map, b, mask, 2.0F));
    const float copy = mask->values[5];
    int wrong = 0;
    for (int j = -2; j < M + 2; j++)
        for (int i = -2; i < N + 2; i++)
            for (int k = 0; k < 4; k++) {
                const double x = -3.0 + 0.5 * (i + 0.49 * (k % 2 ? 1 : -1)),
                             y = 2.0 + 0.25 * (j + 0.49 * (k / 2 ? 1 : -1));
                const bool in = i >= 0 && i < N && j >= 0 && j < M;
                const float v = in ? mask->values[j * N + i] : 0.0F;
                wrong += ri_soil_map_region_at(f.map, x, y) != (v == 1.0F ? a : v == 2.0F ? b : 0);
            }
    CHECK_INT(wrong, 0);
    ri_raster_destroy(mask); // copied
    CHECK_INT(ri_soil_map_region_at(f.map, -3.0 + 0.5 * 5, 2.0), copy == 1.0F ? a : copy == 2.0F ? b : 0);
    close_map(&f);
}

/// Waves, and the same with another soil beyond x = 1.
static void open_covered_waves(Fixture *f, RiTerrain **base, RiTerrain **covered)
{
    enum { N = 80 };
    RiRaster *raster;
    int region;
    REQUIRE_OK(f->ctx, open_map(f, NULL));
    REQUIRE_OK(f->ctx, ri_soil_map_add(f->map, &(RiSoilRegion){"right", other, 1}, &region));
    const double right[] = {1, -100, 100, -100, 100, 100, 1, 100};
    REQUIRE_OK(f->ctx, ri_soil_map_paint_polygon(f->map, region, 4, right));
    REQUIRE_OK(f->ctx, ri_raster_create(f->ctx, N, N, 0.05, 0.05, &raster));
    for (int k = 0; k < N * N; k++)
        raster->values[k] = (float)(0.1 * sin(0.2 * (k % N)) * cos(0.15 * (k / N)));
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    REQUIRE_OK(f->ctx, ri_terrain_create_heights(f->ctx, &def, base));
    REQUIRE_OK(f->ctx, ri_terrain_create_covered(f->ctx, *base, f->map, covered));
    ri_raster_destroy(raster);
}

TEST(a_covered_height_field_answers_close_by_as_the_field_does)
{
    Fixture f;
    RiTerrain *base, *covered;
    open_covered_waves(&f, &base, &covered);
    CHECK(ri_terrain_soil_map(covered) == f.map);
    CHECK(covered->kind->near_many && covered->kind->downhill_many);
    for (int k = 0; k < 300; k++) {
        const RiVec3 p = {2.0 + 1.9 * sin(12.9 * k), 2.0 + 1.9 * sin(78.2 * k), 0.1 * sin(39.4 * k)};
        RiSurface a, b;
        ri_terrain_query_near_many(base, 1, &p, &a);
        ri_terrain_query_near_many(covered, 1, &p, &b);
        CHECK(a.distance == b.distance && a.normal.x == b.normal.x && a.flags == b.flags);
        CHECK_INT(b.material, p.x - a.distance * a.normal.x > 1.0);
        base->kind->downhill_many(base, 1, &p, &a);
        covered->kind->downhill_many(covered, 1, &p, &b);
        CHECK(a.distance == b.distance && a.normal.x == b.normal.x && a.flags == b.flags);
        CHECK_INT(b.material, p.x - a.distance * a.normal.x > 1.0);
        CHECK(ri_terrain_bend(base, p.x, p.y, 0.05) == ri_terrain_bend(covered, p.x, p.y, 0.05));
    }
    ri_terrain_destroy(covered);
    ri_terrain_destroy(base);
    close_map(&f);
}

TEST(a_covered_terrain_is_the_one_below_but_for_its_materials)
{
    Fixture f;
    RiTerrain *base, *covered;
    int region;
    REQUIRE_OK(f.ctx, open_map(&f, NULL));
    REQUIRE_OK(f.ctx, ri_soil_map_add(f.map, &(RiSoilRegion){"right", other, 1}, &region));
    const double right[] = {1, -100, 100, -100, 100, 100, 1, 100};
    REQUIRE_OK(f.ctx, ri_soil_map_paint_polygon(f.map, region, 4, right));
    REQUIRE_OK(f.ctx, ri_terrain_create_plane(f.ctx, &(RiPlaneDef){.slope = 0.5}, &base));
    REQUIRE_OK(f.ctx, ri_terrain_create_covered(f.ctx, base, f.map, &covered));
    CHECK_INT(ri_terrain_material_count(covered), 2);
    CHECK(strcmp(ri_terrain_material_name(covered, 1), "right") == 0);
    CHECK(ri_terrain_soil_map(covered) == f.map && ri_terrain_soil_map(base) == NULL);
    CHECK(strcmp(ri_terrain_info(covered).kind, "plane") == 0);
    enum { N = 500 };
    RiVec3 p[N];
    RiSurface a[N], b[N];
    double x[N], y[N];
    RiHeight h[N], g;
    bool found[N];
    for (int k = 0; k < N; k++) {
        p[k] = ri_vec3(4.0 * sin(12.9 * k), 4.0 * sin(78.2 * k), 4.0 * sin(39.4 * k));
        x[k] = p[k].x;
        y[k] = p[k].y;
    }
    ri_terrain_query_many(base, N, p, a);
    ri_terrain_query_many(covered, N, p, b);
    ri_terrain_height_many(covered, N, x, y, h, found);
    for (int k = 0; k < N; k++) {
        CHECK(a[k].distance == b[k].distance && a[k].normal.z == b[k].normal.z && a[k].flags == b[k].flags);
        CHECK_INT(b[k].material, p[k].x - a[k].distance * a[k].normal.x > 1.0); // of the nearest point of the ground
        CHECK(found[k] && ri_terrain_height(base, x[k], y[k], &g) && g.z == h[k].z && g.zx == h[k].zx);
        CHECK_INT(h[k].material, x[k] > 1.0);
        RiTerrainHit hit;
        const RiVec3 above = ri_vec3(x[k], y[k], 50.0);
        CHECK(ri_terrain_ray(covered, above, ri_vec3(0.3, 0.0, -1.0), 1e3, &hit));
        CHECK_INT(hit.material, hit.point.x > 1.0);
    }
    ri_terrain_destroy(covered);
    ri_terrain_destroy(base);
    close_map(&f);
}

/// Everything that allocates, in one go.
static RiStatus make_all(Fixture *f, const RiAllocator *allocator)
{
    RiTerrain *base = NULL, *covered = NULL;
    RiRaster *mask = NULL;
    int region;
    RI_TRY(open_map(f, allocator));
    RiStatus status = ri_soil_map_add(f->map, &(RiSoilRegion){"two", other, 1}, &region);
    if (status == RI_OK)
        status = ri_soil_map_paint_polygon(f->map, 1, 3, (const double[]){0, 0, 1, 0, 0, 1});
    if (status == RI_OK)
        status = ri_raster_create(f->ctx, 8, 8, 1.0, 1.0, &mask);
    if (status == RI_OK)
        status = ri_soil_map_paint_mask(f->map, 1, mask, 0.0F);
    if (status == RI_OK)
        status = ri_terrain_create_plane(f->ctx, &(RiPlaneDef){.slope = 0.0}, &base);
    if (status == RI_OK)
        status = ri_terrain_create_covered(f->ctx, base, f->map, &covered);
    ri_terrain_destroy(covered);
    ri_terrain_destroy(base);
    ri_raster_destroy(mask);
    return status;
}

TEST(failing_memory_is_told_and_nothing_leaks)
{
    bool done = false;
    long at = 0;
    for (; !done && at < 1000; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        Fixture f;
        const RiStatus status = make_all(&f, &allocator);
        done = status == RI_OK;
        if (!done)
            CHECK_INT(status, RI_ERR_MEMORY);
        close_map(&f);
        CHECK_INT(faults.live, 0);
    }
    CHECK(done && at > 10);
}

TEST_MAIN(CASE(soils_whose_moduli_do_not_follow_the_gravity_are_named),
          CASE(soils_are_found_by_name_and_misspelt_ones_suggested),
          CASE(soils_out_of_range_are_refused_with_field_and_place), CASE(regions_with_impossible_layers_are_refused),
          CASE(layers_are_met_from_the_top), CASE(polygons_follow_the_even_odd_rule_and_later_paint_lies_on_top),
          CASE(masks_are_looked_up_by_the_nearest_cell_and_values_paint_regions),
          CASE(a_covered_terrain_is_the_one_below_but_for_its_materials),
          CASE(a_covered_height_field_answers_close_by_as_the_field_does),
          CASE(failing_memory_is_told_and_nothing_leaks))
