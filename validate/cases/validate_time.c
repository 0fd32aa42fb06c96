// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clocks: the worked examples of Mars24 to the digits given, and sols of Opportunity by the dates
/// of its status reports.
///
/// Bands: half a unit of the last digit given, doubled for the rounding of the example's own input.
/// A report names the day, not the hour: at 12 UTC it is within a sol. Five of the 216 reports name
/// a date 1.4 to 6.4 sols from their own sol (sol 2110: 2009-12-24); the share of such is limited
/// to 3 %.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/clock.h>

#include "base/memory.h"
#include "io/file/yaml.h"
#include "study/fit/csv_rows.h"
#include "validate/validate.h"

static const double degree = M_PI / 180.0;

static RiStatus look(RiValidation *run, const char *date, double latitude, double longitude_w, RiClock *out)
{
    RiSunDef def = {
        .world = RI_WORLD_MARS, .moves = true, .latitude = degree * latitude, .longitude = -degree * longitude_w};
    RI_TRY(ri_sun_date(run->ctx, date, def.utc));
    *out = ri_clock_read(&def, 0.0);
    return RI_OK;
}

static RiStatus worked_examples(RiValidation *run)
{
    RiClock c;
    RI_TRY(look(run, "2000-01-06T00:00:00", 0.0, 0.0, &c));
    ri_validate_near(run, "2000-01-06: TT - UTC", "s", 64.184, 1e-6, c.tt_minus_utc);
    ri_validate_near(run, "2000-01-06: mean anomaly", "deg", 21.745583, 1e-6, c.mars.mean_anomaly);
    ri_validate_near(run, "2000-01-06: fictitious mean sun", "deg", 272.745663, 1e-6, c.mars.fictitious_mean_sun);
    ri_validate_near(run, "2000-01-06: equation of centre", "deg", 4.441927, 1e-6, c.mars.equation_of_centre);
    ri_validate_near(run, "2000-01-06: Ls", "deg", 277.187589, 1e-6, c.season);
    ri_validate_near(run, "2000-01-06: equation of time", "deg", -5.187746, 1e-6, c.mars.equation_of_time);
    ri_validate_near(run, "2000-01-06: MSD", "sol", 44795.99976, 1e-5, c.mars.sol_date);
    ri_validate_near(run, "2000-01-06: MTC", "h", 23.994249, 1e-6, c.mars.coordinated);
    ri_validate_near(run, "2000-01-06: LTST", "h", 23.648400, 1e-6, c.true_hour);
    ri_validate_near(run, "2000-01-06: declination", "deg", -25.228244, 1e-6, c.mars.declination);
    ri_validate_near(run, "2000-01-06: distance", "AU", 1.393584, 1e-6, c.mars.distance);
    ri_validate_near(run, "2000-01-06: zenith angle", "deg", 154.261757, 2e-6, 90.0 - c.sun.elevation / degree);
    RI_TRY(look(run, "2004-01-03T13:46:31", -14.640, 184.702, &c));
    ri_validate_near(run, "Spirit: Ls", "deg", 327.324162, 1e-6, c.season);
    ri_validate_near(run, "Spirit: MTC", "h", 13.165369, 1e-6, c.mars.coordinated);
    ri_validate_near(run, "Spirit: LMST", "h", 0.851902, 1e-6, c.mean_hour);
    ri_validate_near(run, "Spirit: LTST", "h", 0.000200, 1e-6, c.true_hour);
    ri_validate_near(run, "Spirit: zenith angle", "deg", 151.939600, 2e-6, 90.0 - c.sun.elevation / degree);
    RI_TRY(look(run, "2012-08-06T05:17:57", -4.5895, 222.5583, &c));
    ri_validate_near(run, "Curiosity: Ls", "deg", 150.702910, 1e-6, c.season);
    ri_validate_near(run, "Curiosity: LMST", "h", 15.054060, 1e-6, c.mean_hour);
    ri_validate_near(run, "Curiosity: LTST", "h", 15.604764, 1e-6, c.true_hour);
    ri_validate_near(run, "Curiosity: zenith angle", "deg", 56.291248, 2e-6, 90.0 - c.sun.elevation / degree);
    ri_validate_near(run, "Curiosity: azimuth", "deg", 287.894237, 2e-6, c.sun.azimuth / degree);
    return RI_OK;
}

// --- the examples of environment.yaml -------------------------------------------------------------

/// What a clock shows under the name that the file uses; NaN for another name.
static double shown(const RiClock *c, const char *key)
{
    const struct {
        const char *key;
        double value;
    } all[] = {
        {"tt_utc", c->tt_minus_utc},
        {"M", c->mars.mean_anomaly},
        {"alpha_FMS", c->mars.fictitious_mean_sun},
        {"nu_minus_M", c->mars.equation_of_centre},
        {"Ls", c->season},
        {"EOT", c->mars.equation_of_time},
        {"MSD", c->mars.sol_date},
        {"MTC_h", c->mars.coordinated},
        {"LMST_h", c->mean_hour},
        {"LTST_h", c->true_hour},
        {"dec", c->mars.declination},
        {"R_AU", c->mars.distance},
        {"Z", 90.0 - c->sun.elevation / degree},
        {"az", c->sun.azimuth / degree},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].key, key) == 0)
            return all[i].value;
    return NAN;
}

/// How far a clock is from the numbers of an example, in units of the last digit that is given.
static RiStatus off_example(RiValidation *run, const RiYamlNode *example, double *out_worst, int *out_count)
{
    const char *date;
    double west, latitude;
    RiClock c;
    RI_TRY(ri_yaml_string(ri_yaml_get(example, "utc"), &date));
    RI_TRY(ri_yaml_number(ri_yaml_get(example, "lonW"), "", &west));
    RI_TRY(ri_yaml_number(ri_yaml_get(example, "lat"), "", &latitude));
    RI_TRY(look(run, date, latitude, west, &c));
    for (const RiYamlNode *n = example->first; n; n = n->next) {
        const char *text;
        double want;
        if (isnan(shown(&c, n->key)))
            continue;
        RI_TRY(ri_yaml_string(n, &text));
        RI_TRY(ri_yaml_number(n, "", &want));
        const char *point = strchr(text, '.');
        const double digit = pow(10.0, point ? -(double)strlen(point + 1) : 0.0);
        *out_worst = fmax(*out_worst, fabs(shown(&c, n->key) - want) / digit);
        ++*out_count;
    }
    return RI_OK;
}

static RiStatus examples(RiValidation *run)
{
    static const char *const label = "examples of environment.yaml: worst number, in units of its last digit";
    RiYaml *document = NULL;
    char path[1024];
    double worst = 0.0;
    int count = 0;
    if (!run->data) {
        ri_validate_skip(run, label);
        return RI_OK;
    }
    snprintf(path, sizeof path, "%s/environment.yaml", run->data);
    RI_TRY(ri_yaml_load(run->ctx, path, NULL, &document));
    const RiYamlNode *mars = ri_yaml_get(ri_yaml_root(document), "mars24");
    const RiYamlNode *list = mars ? ri_yaml_get(mars, "worked_examples") : NULL;
    RiStatus status = RI_OK;
    for (const RiYamlNode *c = list ? list->first : NULL; c && status == RI_OK; c = c->next)
        status = off_example(run, c, &worst, &count);
    ri_yaml_destroy(document);
    RI_TRY(status);
    if (count > 0)
        ri_validate_most(run, label, "-", 1.0, worst); // half a digit, and the same of the example's own rounding
    else
        ri_validate_skip(run, label);
    return RI_OK;
}

typedef struct Report {
    double sol, Ls;
    char date[32];
} Report;

static RiStatus take_report(const RiCsvRows *rows, void *all, int *index)
{
    Report *r = (Report *)all + (*index)++;
    r->sol = strtod(ri_csv_text(rows, 0), NULL);
    snprintf(r->date, sizeof r->date, "%.10sT12:00:00", ri_csv_text(rows, 1));
    r->Ls = strtod(ri_csv_text(rows, 2), NULL);
    return RI_OK;
}

/// Sols and seasons of all reports of Opportunity.
static RiStatus reports(RiValidation *run)
{
    static const char *const columns[] = {"sol", "date", "Ls_deg"};
    static const char *const labels[] = {"Opportunity's reports: share more than a sol from their date",
                                         "Opportunity's reports: Ls at 12 UTC, worst row"};
    if (!run->data) {
        ri_validate_skip(run, labels[0]);
        ri_validate_skip(run, labels[1]);
        return RI_OK;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/operations/opportunity_energy.csv", run->data);
    RiCsvRows rows = {.ctx = run->ctx, .path = path, .columns = columns, .column_count = 3};
    void *all = NULL;
    int count;
    RI_TRY(ri_csv_load(&rows, sizeof(Report), take_report, &all, &count));
    double far = 0.0, season = 0.0;
    RiStatus status = RI_OK;
    for (int i = 0; i < count && status == RI_OK; i++) {
        const Report *r = (const Report *)all + i;
        double utc[2], hour;
        status = ri_sun_date(run->ctx, r->date, utc);
        const int sol = ri_mission_sol(ri_mission_find("opportunity"), utc, &hour);
        far += fabs(sol + hour / 24.0 - (r->sol + 0.5)) > 1.0;
        season = fmax(season, fabs(remainder(ri_mars_time(utc, 0.0).solar_longitude - r->Ls, 360.0)));
    }
    ri_release(run->ctx, all);
    ri_validate_most(run, labels[0], "-", 0.03, far / fmax(count, 1.0));
    ri_validate_most(run, labels[1], "deg", 1e-3, season);
    return status;
}

RiStatus ri_case_time(RiValidation *run)
{
    RI_TRY(worked_examples(run));
    RI_TRY(examples(run));
    return reports(run);
}
