// SPDX-License-Identifier: Apache-2.0
/// \file
/// Surfaces and light against tables and closed forms: every row of the photometry tables (1e-6
/// relative, the digits printed), white furnaces (0.5 %), reciprocity, the sky of Mars against the
/// measured split of its light (15 %: bands against the whole spectrum).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "optics/filter_lens.h"
#include "optics/sky.h"
#include "optics/surface.h"
#include "study/fit/csv_rows.h"
#include "validate/validate.h"

#define PI  M_PI
#define DEG (PI / 180.0)

static const double LIMIT = 1e-6;

typedef struct Row {
    char name[32];
    double x[RI_CSV_COLUMNS];
} Row;

static RiStatus take_row(const RiCsvRows *rows, void *all, int *index)
{
    Row *row = (Row *)all + (*index)++;
    for (int k = 0; k < rows->column_count; k++) {
        char *end;
        row->x[k] = strtod(ri_csv_text(rows, k), &end);
        if (end == ri_csv_text(rows, k) && k > 0)
            return ri_csv_refuse(rows, k, "is not a number");
    }
    snprintf(row->name, sizeof row->name, "%s", ri_csv_text(rows, 0));
    return RI_OK;
}

/// The rows of a table; *out_rows NULL without a folder of data.
static RiStatus load(RiValidation *run, const char *file, const char *const *columns, int count, Row **out_rows,
                     int *out_count)
{
    *out_rows = NULL;
    if (!run->data)
        return RI_OK;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", run->data, file);
    RiCsvRows rows = {.ctx = run->ctx, .path = path, .columns = columns, .column_count = count};
    void *all = NULL;
    RI_TRY(ri_csv_load(&rows, sizeof(Row), take_row, &all, out_count));
    *out_rows = all;
    return RI_OK;
}

static double relative(double got, double want)
{
    return fabs(got - want) / fmax(fabs(want), 1e-12);
}

/// Azimuth 0: sun behind the viewer.
static RiVec3 direction(double zenith_deg, double azimuth_deg)
{
    const double s = sin(zenith_deg * DEG);
    return ri_vec3(s * cos(azimuth_deg * DEG), s * sin(azimuth_deg * DEG), cos(zenith_deg * DEG));
}

// --- Hapke ---------------------------------------------------------------------------------------

typedef struct Published {
    const char *name;
    double w, b, back, surge, width, theta_deg;
} Published;

static const Published published[] = {
    {"moon_a11_566", 0.1878666728735, 0.25449723005295, 0.57899808883667, 2.1340200901031, 0.06234934926033, 23.6566},
    {"moon_a11_689", 0.24498665332794, 0.25755101442337, 0.564691737294195, 1.9383826255798, 0.056928135454655,
     23.6566},
    {"moon_highlands_643", 0.42, 0.23, 0.685, 1.7, 0.08, 23.4},
    {"mars_gusev_crism", 0.68, 0.17, 0.62, 0.52, 0.52, 0.0},
    {"jsc_mars1_like", 0.526, 0.187, 0.6365, 1.0, 0.083, 13.3},
};

static RiStatus hapke_of(RiContext *ctx, const char *name, bool rough, RiHapkeH h, RiOpticSurface *out)
{
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const Published *p = &published[i];
        if (strcmp(p->name, name) != 0)
            continue;
        *out = (RiOpticSurface){
            .kind = RI_SURFACE_HAPKE,
            .albedo = {p->w, p->w, p->w},
            .hapke = {p->b, p->back, p->surge, p->width, rough ? p->theta_deg * DEG : 0.0, 1.0, h, 0.0, 0.0}};
        return RI_OK;
    }
    return ri_error(ctx, RI_ERR_FORMAT, "photometry: material '%s' has no parameters here", name);
}

static RiStatus hapke_rows(RiValidation *run)
{
    static const char *const columns[] = {"material",     "i_deg",        "e_deg",         "az_deg",
                                          "IF_rough_H02", "IF_rough_H93", "IF_smooth_H02", "IF_smooth_H93"};
    static const char *const labels[] = {"Hapke, rough, H of 2002: worst row", "Hapke, rough, H of 1993: worst row",
                                         "Hapke, smooth, H of 2002: worst row", "Hapke, smooth, H of 1993: worst row"};
    Row *rows;
    int count;
    RI_TRY(load(run, "photometry/hapke_table.csv", columns, 8, &rows, &count));
    for (int c = 0; c < 4; c++) {
        double worst = 0.0;
        for (int r = 0; rows && r < count; r++) {
            RiOpticSurface s;
            double got[RI_BANDS];
            const RiStatus status =
                hapke_of(run->ctx, rows[r].name, c < 2, c % 2 ? RI_HAPKE_H1993 : RI_HAPKE_H2002, &s);
            if (status != RI_OK) {
                ri_release(run->ctx, rows);
                return status;
            }
            ri_surface_radiance_factor(&s, direction(rows[r].x[1], 0.0), direction(rows[r].x[2], rows[r].x[3]), got);
            worst = fmax(worst, relative(got[1], rows[r].x[4 + c]));
        }
        if (rows)
            ri_validate_most(run, labels[c], "-", LIMIT, worst);
        else
            ri_validate_skip(run, labels[c]);
    }
    ri_release(run->ctx, rows);
    return RI_OK;
}

static RiStatus hapke_parts(RiValidation *run)
{
    static const char *const columns[] = {"material", "i_deg",   "e_deg",  "az_deg",
                                          "S_rough",  "mu0_eff", "mu_eff", "p_g"};
    Row *rows;
    int count;
    RI_TRY(load(run, "photometry/hapke_table.csv", columns, 8, &rows, &count));
    double worst = 0.0;
    for (int r = 0; rows && r < count; r++) {
        RiOpticSurface s;
        if (hapke_of(run->ctx, rows[r].name, true, RI_HAPKE_H2002, &s) != RI_OK)
            continue; // told by hapke_rows
        const RiHapkeParts p =
            ri_hapke_parts(&s.hapke, direction(rows[r].x[1], 0.0), direction(rows[r].x[2], rows[r].x[3]));
        const double got[4] = {p.shadow, p.mu0, p.mu, p.phase};
        for (int k = 0; k < 4; k++)
            worst = fmax(worst, relative(got[k], rows[r].x[4 + k]));
    }
    if (rows)
        ri_validate_most(run, "Hapke's shadowing, effective cosines and phase function: worst row", "-", LIMIT, worst);
    else
        ri_validate_skip(run, "Hapke's shadowing, effective cosines and phase function");
    ri_release(run->ctx, rows);
    return RI_OK;
}

// --- simple laws ---------------------------------------------------------------------------------

static RiStatus simple_rows(RiValidation *run)
{
    static const char *const columns[] = {
        "i_deg", "e_deg", "az_deg", "lambert_IF", "minnaert_IF", "lommel_seeliger_IF", "lunar_lambert_IF"};
    static const char *const labels[] = {"Lambert: worst row", "Minnaert: worst row", "Lommel-Seeliger: worst row",
                                         "lunar-Lambert: worst row"};
    const RiOpticSurface laws[] = {
        ri_surface_lambert(0.25),
        {.kind = RI_SURFACE_MINNAERT, .albedo = {0.2, 0.2, 0.2}, .minnaert = 0.7},
        {.kind = RI_SURFACE_LOMMEL_SEELIGER, .albedo = {0.33, 0.33, 0.33}},
    };
    Row *rows;
    int count;
    RI_TRY(load(run, "photometry/simple_models.csv", columns, 7, &rows, &count));
    double worst[4] = {0};
    for (int r = 0; rows && r < count; r++) {
        const RiVec3 wi = direction(rows[r].x[0], 0.0), wo = direction(rows[r].x[1], rows[r].x[2]);
        double got[RI_BANDS];
        for (int k = 0; k < 3; k++) {
            ri_surface_radiance_factor(&laws[k], wi, wo, got);
            worst[k] = fmax(worst[k], relative(got[0], rows[r].x[3 + k]));
        }
        const double phase = acos(fmin(1.0, fmax(-1.0, ri_dot(wi, wo))));
        worst[3] = fmax(worst[3], relative(0.12 * wi.z * ri_lunar_lambert(wi.z, wo.z, phase), rows[r].x[6]));
    }
    for (int k = 0; k < 4; k++) {
        if (rows)
            ri_validate_most(run, labels[k], "-", LIMIT, worst[k]);
        else
            ri_validate_skip(run, labels[k]);
    }
    ri_release(run->ctx, rows);
    return RI_OK;
}

static RiStatus disc_rows(RiValidation *run)
{
    static const char *const columns[] = {"case",     "distance_AU",      "radius_deg",
                                          "elev_deg", "fraction_uniform", "fraction_limb_u0.6"};
    Row *rows;
    int count;
    RI_TRY(load(run, "photometry/sun_disc.csv", columns, 6, &rows, &count));
    double radius = 0.0, part = 0.0;
    for (int r = 0; rows && r < count; r++) {
        const RiDisc sun = ri_disc_sun(ri_vec3(0.0, 0.0, 1.0), rows[r].x[1]);
        const double x = rows[r].x[3] / rows[r].x[2];
        radius = fmax(radius, relative(sun.outer / DEG, rows[r].x[2]));
        part = fmax(part, fabs(ri_disc_above(x, 0.0) - rows[r].x[4]));
        part = fmax(part, fabs(ri_disc_above(x, 0.6) - rows[r].x[5]));
    }
    if (rows) {
        ri_validate_most(run, "radius of the sun by distance: worst row", "-", LIMIT, radius);
        ri_validate_most(run, "part of the sun above the horizon: worst row", "-", LIMIT, part);
    } else {
        ri_validate_skip(run, "sun's disc");
    }
    ri_release(run->ctx, rows);
    return RI_OK;
}

static RiStatus lens_rows(RiValidation *run)
{
    static const char *const columns[] = {"theta_deg", "perspective_cos4", "equidistant",
                                          "equisolid", "orthographic",     "stereographic"};
    Row *rows;
    int count;
    RI_TRY(load(run, "photometry/vignetting.csv", columns, 6, &rows, &count));
    double worst = 0.0;
    for (int r = 0; rows && r < count; r++)
        for (int k = 0; k < 5; k++)
            worst = fmax(worst, relative(ri_lens_falloff((RiLensMapping)k, rows[r].x[0] * DEG), rows[r].x[1 + k]));
    if (rows)
        ri_validate_most(run, "fall of light of five lens mappings: worst row", "-", LIMIT, worst);
    else
        ri_validate_skip(run, "fall of light of lenses");
    ri_release(run->ctx, rows);
    return RI_OK;
}

// --- sky -----------------------------------------------------------------------------------------

static RiStatus sky_rows(RiValidation *run)
{
    static const char *const columns[] = {"z_deg", "tau", "diffuse"};
    Row *rows;
    int count;
    RI_TRY(load(run, "operations/sky_split.csv", columns, 3, &rows, &count));
    double worst = 0.0;
    for (int r = 0; rows && r < count; r++) {
        if (rows[r].x[0] > 60.0 || rows[r].x[1] > 4.0)
            continue;
        RiLightDef def = {.sky = RI_SKY_MARS, .tau = rows[r].x[1], .ground_albedo = 0.1, .disc_count = 1};
        def.discs[0] = ri_disc_sun(direction(rows[r].x[0], 0.0), 1.0);
        RiLight *light;
        const RiStatus status = ri_light_create(run->ctx, &def, &light);
        if (status != RI_OK) {
            ri_release(run->ctx, rows);
            return status;
        }
        worst = fmax(worst, relative(ri_sky_irradiance(light)[0] / RI_SOLAR_CONSTANT, rows[r].x[2]));
        ri_light_destroy(light);
    }
    if (rows)
        ri_validate_most(run, "diffuse light of Mars, red band, sun above 30 deg, tau to 4: worst row", "-", 0.15,
                         worst);
    else
        ri_validate_skip(run, "diffuse light of Mars");
    ri_release(run->ctx, rows);
    return RI_OK;
}

// --- energy --------------------------------------------------------------------------------------

static RiStatus energy_rows(RiValidation *run)
{
    RiRng rng = ri_rng_stream(5, "photometry");
    double most = 0.0, swap = 0.0, white = 0.0;
    for (int i = 0; ri_surface_row(i); i++) {
        RiOpticSurface s = ri_surface_row(i)->surface;
        RI_TRY(ri_surface_prepare(run->ctx, ri_surface_row(i)->name, &s));
        for (int n = 0; n < 40; n++) {
            const RiVec3 a = direction(ri_rng_between(&rng, 0.0, 88.0), 0.0);
            const RiVec3 b = direction(ri_rng_between(&rng, 0.0, 88.0), ri_rng_between(&rng, 0.0, 360.0));
            double f[RI_BANDS], g[RI_BANDS];
            ri_surface_brdf(&s, NULL, a, b, f);
            ri_surface_brdf(&s, NULL, b, a, g);
            swap = fmax(swap, fabs(f[1] - g[1]) / fmax(1e-12, f[1] + g[1]));
        }
        for (int deg = 0; deg <= 80; deg += 20) {
            double albedo[RI_BANDS];
            ri_surface_albedo(&s, direction(deg, 0.0), 150, albedo);
            most = fmax(most, fmax(albedo[0], fmax(albedo[1], albedo[2])));
        }
    }
    for (int i = 1; i <= 5; i++) {
        RiOpticSurface s = {.kind = RI_SURFACE_METAL, .albedo = {1.0, 1.0, 1.0}, .roughness = 0.2 * i};
        RI_TRY(ri_surface_prepare(run->ctx, "white", &s));
        for (int deg = 0; deg <= 80; deg += 20) {
            double albedo[RI_BANDS];
            ri_surface_albedo(&s, direction(deg, 0.0), 400, albedo);
            white = fmax(white, fabs(albedo[0] - 1.0));
            most = fmax(most, albedo[0]);
        }
    }
    ri_validate_most(run, "white metal in a white furnace, off by at most", "-", 0.005, white);
    ri_validate_between(run, "largest albedo of all surfaces, bands and directions", "-", 1.0, 0.0, 1.0, most);
    ri_validate_most(run, "light and viewer exchanged, all surfaces", "-", 1e-10, swap);
    return RI_OK;
}

RiStatus ri_case_photometry(RiValidation *run)
{
    RI_TRY(hapke_rows(run));
    RI_TRY(hapke_parts(run));
    RI_TRY(simple_rows(run));
    RI_TRY(disc_rows(run));
    RI_TRY(lens_rows(run));
    RI_TRY(sky_rows(run));
    return energy_rows(run);
}
