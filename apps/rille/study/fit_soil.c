// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille fit soil DATA.csv`: the numbers of the wheel-soil law from single-wheel tests.
///
/// Exit status: 0 done, 2 bad input, 3 memory or disk. Numbers that the tests do not tell apart are
/// held by a prior, and named.
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/memory.h>
#include <rille/study/fit_soil.h>
#include <rille/terrain_file.h>

#include "study/fit.h"
#include "terrain/terrain.h"

static const double DEGREE = M_PI / 180.0;
enum { SETS = 32, NAME = 32, ANGLES = 8 };

typedef struct SoilRequest {
    const char *file, *plots, *soil;
    bool json, coupled;
    double radius, width, crown, grousers, grouser_height, gravity, friction, hold; ///< SI; NAN: not given
    char names[RI_SOIL_FIT_MAX][NAME];
    int name_count;
    const RiSoilParameter *set[SETS];
    double set_value[SETS];
    int set_count;
} SoilRequest;

enum {
    OPTION_JSON = 256,
    OPTION_PLOTS,
    OPTION_RADIUS,
    OPTION_WIDTH,
    OPTION_CROWN,
    OPTION_GROUSERS,
    OPTION_GROUSER_HEIGHT,
    OPTION_SOIL,
    OPTION_GRAVITY,
    OPTION_FRICTION,
    OPTION_COUPLED,
    OPTION_FIT,
    OPTION_SET,
    OPTION_HOLD
};

static const struct argp_option options[] = {
    {"radius", OPTION_RADIUS, "M", 0, "Radius of the wheel without grousers [m]; must be given", 0},
    {"width", OPTION_WIDTH, "M", 0, "Width of the wheel [m]; must be given", 0},
    {"crown", OPTION_CROWN, "M", 0, "Radius of the circle across its width [m] (default 0: flat)", 0},
    {"grousers", OPTION_GROUSERS, "N", 0, "Number of grousers (default 0)", 0},
    {"grouser-height", OPTION_GROUSER_HEIGHT, "M", 0, "Their height [m]", 0},
    {"soil", OPTION_SOIL, "NAME", 0,
     "Soil of the library that gives what is not fitted and the first guess (default dry_sand_LLL)", 1},
    {"gravity", OPTION_GRAVITY, "G", 0, "At the test bed [m/s^2] (default 9.81)", 1},
    {"friction-angle", OPTION_FRICTION, "DEG", 0, "Internal friction angle, never fitted (default: the soil's)", 1},
    {"coupled", OPTION_COUPLED, NULL, 0, "Shear along and across share one strength", 1},
    {"fit", OPTION_FIT, "NAME,...", 0, "Numbers to fit (default k,n1,c,kx,ky,a0,a1)", 1},
    {"set", OPTION_SET, "NAME=VALUE", 0, "A number that is kept, or where the fit of it starts, SI", 1},
    {"hold-out", OPTION_HOLD, "N", 0, "Keep every N-th row for judging (default 3; 0: none)", 1},
    {"plots", OPTION_PLOTS, "PREFIX", 0, "Write PREFIX-fx, PREFIX-fy and PREFIX-sinkage as .svg and .png", 2},
    {"json", OPTION_JSON, NULL, 0, "One JSON object", 2},
    {NULL, 0, NULL, 0, NULL, 0},
};

// --- arguments -----------------------------------------------------------------------------------

static void parse_number(struct argp_state *state, const char *option, const char *text, double low, double high,
                         double *out)
{
    if (!cli_parse_number(text, out) || !(*out >= low && *out <= high))
        argp_error(state, "%s '%s' must be a number from %g to %g", option, text, low, high);
}

static const RiSoilParameter *parse_name(struct argp_state *state, const char *name)
{
    const RiSoilParameter *p = ri_soil_parameter(name);
    if (!p)
        argp_error(
            state,
            "the wheel-soil law has no number '%s'; known are n, n1, n1_skid, n_beta, k, c, kx, ky, kx_beta, ky_beta, "
            "a0, a1, a1_skid, a0_beta, a1_beta, exit0, exit1, bulldozing, ploughing",
            name);
    return p;
}

static void parse_names(struct argp_state *state, SoilRequest *r, const char *text)
{
    r->name_count = 0;
    for (const char *at = text;; at++) {
        const size_t n = strcspn(at, ",");
        char name[NAME];
        snprintf(name, sizeof name, "%.*s", (int)(n < NAME ? n : NAME), at);
        parse_name(state, name);
        for (int i = 0; i < r->name_count; i++)
            if (strcmp(r->names[i], name) == 0)
                argp_error(state, "--fit names '%s' twice", name);
        if (r->name_count == RI_SOIL_FIT_MAX)
            argp_error(state, "--fit names more than %d numbers", RI_SOIL_FIT_MAX);
        strcpy(r->names[r->name_count++], name);
        at += n;
        if (!*at)
            return;
    }
}

static void parse_set(struct argp_state *state, SoilRequest *r, const char *text)
{
    const size_t n = strcspn(text, "=");
    char name[NAME];
    snprintf(name, sizeof name, "%.*s", (int)(n < NAME ? n : NAME), text);
    if (!text[n] || r->set_count == SETS)
        argp_error(state, text[n] ? "more than 32 numbers are set" : "--set '%s' must be NAME=VALUE", text);
    const RiSoilParameter *p = parse_name(state, name);
    parse_number(state, name, text + n + 1, p->low, p->high, &r->set_value[r->set_count]);
    r->set[r->set_count++] = p;
}

static error_t parse_end(struct argp_state *state, const SoilRequest *r)
{
    if (!r->file)
        argp_error(state,
                   "which file? A table with the columns slip or travel_slip, slip_angle, load, fx, fy, sinkage");
    if (isnan(r->radius) || isnan(r->width))
        argp_error(state, "which wheel? --radius and --width must be given [m]");
    if ((r->grousers > 0.0) != (r->grouser_height > 0.0))
        argp_error(state, "--grousers and --grouser-height belong together");
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    SoilRequest *r = state->input;
    switch (key) {
    case OPTION_JSON:
        r->json = true;
        return 0;
    case OPTION_PLOTS:
        r->plots = text;
        return 0;
    case OPTION_RADIUS:
        parse_number(state, "--radius", text, 1e-3, 10.0, &r->radius);
        return 0;
    case OPTION_WIDTH:
        parse_number(state, "--width", text, 1e-3, 10.0, &r->width);
        return 0;
    case OPTION_CROWN:
        parse_number(state, "--crown", text, 0.0, 1e3, &r->crown);
        return 0;
    case OPTION_GROUSERS:
        parse_number(state, "--grousers", text, 0.0, 1e3, &r->grousers);
        return 0;
    case OPTION_GROUSER_HEIGHT:
        parse_number(state, "--grouser-height", text, 0.0, 1.0, &r->grouser_height);
        return 0;
    case OPTION_SOIL:
        r->soil = text;
        return 0;
    case OPTION_GRAVITY:
        parse_number(state, "--gravity", text, 1e-3, 1e3, &r->gravity);
        return 0;
    case OPTION_FRICTION:
        parse_number(state, "--friction-angle", text, 1.0, 60.0, &r->friction);
        return 0;
    case OPTION_COUPLED:
        r->coupled = true;
        return 0;
    case OPTION_FIT:
        parse_names(state, r, text);
        return 0;
    case OPTION_SET:
        parse_set(state, r, text);
        return 0;
    case OPTION_HOLD:
        parse_number(state, "--hold-out", text, 0.0, 1e6, &r->hold);
        if (r->hold == 1.0 || r->hold != floor(r->hold))
            argp_error(state, "--hold-out %s must be 0, or a whole number from 2 on", text);
        return 0;
    case ARGP_KEY_ARG:
        if (r->file)
            argp_error(state, "one file is enough: '%s' follows '%s'", text, r->file);
        r->file = text;
        return 0;
    case ARGP_KEY_END:
        return parse_end(state, r);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// --- wheel and first guess -----------------------------------------------------------------------

static RiStatus find_soil(RiContext *ctx, const SoilRequest *r, RiSoils *soils, RiSoil *out)
{
    char folder[PATH_MAX], path[2 * PATH_MAX];
    cli_soils_folder(folder);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", *folder ? folder : "soils", i ? "fitted.csv" : "soils.csv");
        RI_TRY(ri_soils_load(ctx, soils, path));
    }
    const int index = ri_soils_find(soils, r->soil);
    const char *near = index < 0 ? ri_soils_suggest(soils, r->soil) : NULL;
    if (index < 0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "there is no soil '%s'%s%s%s", r->soil,
                        near ? "; did you mean '" : "; 'rille terrain soils' lists them", near ? near : "",
                        near ? "'?" : "");
    *out = *ri_soils_get(soils, index);
    return RI_OK;
}

static RiStatus set_up(RiContext *ctx, const SoilRequest *r, RiSoil soil, RiSoilWheel *w, RiSoilLaw *law)
{
    if (!isnan(r->friction))
        soil.friction = r->friction * DEGREE;
    RI_TRY(ri_soil_wheel_init(ctx, r->radius, r->width, r->crown, r->crown > 0.0 ? 5 : 1, w));
    w->grousers = (int)r->grousers;
    w->grouser_height = r->grouser_height;
    RI_TRY(ri_soil_law_init(ctx, &soil, w->width, r->gravity, law));
    law->coupled |= r->coupled;
    for (int i = 0; i < r->set_count; i++)
        *(double *)((char *)law + r->set[i]->at) = r->set_value[i];
    return RI_OK;
}

// --- output --------------------------------------------------------------------------------------

typedef struct SoilResult {
    RiSoilFit fit;
    RiSoilMisfit used, held;
    int count;
    bool travel; ///< slips are by the speed of travel
} SoilResult;

static void print_misfit(const char *what, const RiSoilMisfit *m)
{
    if (m->count)
        printf("%-18s %5d   %8.4f   %8.4f   %8.2f mm\n", what, m->count, m->pull, m->side, 1e3 * m->sinkage);
}

/// The fitted law as a soil of a terrain, with all keys that are not at their defaults.
static void print_soil(const RiSoilLaw *l, const SoilRequest *r)
{
    const struct {
        const char *key;
        double value, otherwise;
    } rows[] = {{"n1_skid", l->n1_skid, l->n1},     {"n_beta", l->n_beta, 0.0},      {"kx_beta", l->kx_beta, 0.0},
                {"ky_beta", l->ky_beta, 0.0},       {"a1_skid", l->a1_skid, l->a1},  {"a0_beta", l->a0_beta, 0.0},
                {"a1_beta", l->a1_beta, 0.0},       {"exit0", l->exit0, 0.0},        {"exit1", l->exit1, 0.0},
                {"bulldozing", l->bulldozing, 1.0}, {"ploughing", l->ploughing, 1.0}};
    printf("As a soil of a terrain (for wheels of %g m width%s):\n\n"
           "  soil:\n    base: fitted\n    library:\n"
           "      fitted: {form: bekker, n: %.6g, n1: %.6g, kc: 0, kphi: %.6g, cohesion: %.6g Pa, friction: %.6g deg, "
           "kx: %.6g m,\n               ky: %.6g m, density: %.6g kg/m^3, a0: %.6g, a1: %.6g",
           r->width, l->unit == 1.0 ? "" : "; a law of Reece's form is given as Bekker's", l->n0, l->n1,
           l->k / pow(l->unit, l->n0), l->cohesion, atan(l->tan_phi) / DEGREE, l->kx, l->ky,
           l->unit_weight / r->gravity, l->a0, l->a1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].value != rows[i].otherwise)
            printf(", %s: %.6g", rows[i].key, rows[i].value);
    printf("%s}\n", l->coupled ? ", coupled: true" : "");
}

static void print_table(const SoilRequest *r, const SoilResult *s)
{
    printf("slip %s; %d rows fitted, %d kept for judging; first guess and the rest: soil %s\n\n",
           s->travel ? "of travel" : "by the speed along the heading", s->used.count, s->held.count, r->soil);
    printf("%-10s %-6s %12s %12s   %s\n", "", "unit", "value", "std. error", "95 % interval");
    for (int k = 0; k < r->name_count; k++) {
        const RiEstimate *e = &s->fit.estimates[k];
        const RiSoilParameter *p = ri_soil_parameter(r->names[k]);
        const bool bound = e->value <= p->low || e->value >= p->high;
        printf("%-10s %-6s %12.6g %12.3g   %.6g to %.6g%s\n", p->name, p->unit, e->value, e->error, e->low, e->high,
               bound              ? "   (at its bound: not determined by the tests)"
               : s->fit.untold[k] ? "   (not determined by the tests: held near the first guess)"
                                  : "");
    }
    if (s->fit.held)
        printf("\nThe tests alone do not tell all of these apart. A prior about the first guess, as wide as the soils "
               "of the "
               "library\nspread, holds what they leave open.\n");
    printf("\n%-18s %5s   %8s   %8s   %s\n", "", "rows", "rms Fx/W", "rms Fy/W", "sinkage off by at most");
    print_misfit("fitted", &s->used);
    print_misfit("kept for judging", &s->held);
    printf("\nIntervals are to first order and take the scatter about the law as chance.\n\n");
    print_soil(&s->fit.law, r);
}

static void json_misfit(Json *j, const char *key, const RiSoilMisfit *m)
{
    json_open(j, key, '{');
    json_int(j, "rows", m->count);
    json_number(j, "pull", m->pull);
    json_number(j, "side", m->side);
    json_number(j, "sinkage", m->sinkage);
    json_close(j, '}');
}

static void print_json(const SoilRequest *r, const SoilResult *s)
{
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_open(&j, "numbers", '{');
    for (int k = 0; k < r->name_count; k++)
        fit_json_estimate(&j, r->names[k], &s->fit.estimates[k]);
    json_close(&j, '}');
    json_misfit(&j, "fitted", &s->used);
    json_misfit(&j, "held_out", &s->held);
    json_open(&j, "not_told", '[');
    for (int k = 0; k < r->name_count; k++)
        if (s->fit.untold[k])
            json_string(&j, NULL, r->names[k]);
    json_close(&j, ']');
    json_number(&j, "scatter", s->fit.scatter);
    json_int(&j, "iterations", s->fit.iterations);
    json_close(&j, '}');
}

// --- plots ---------------------------------------------------------------------------------------

static int by_angle_and_slip(const void *a, const void *b)
{
    const RiWheelTest *x = a, *y = b;
    if (x->beta != y->beta)
        return x->beta < y->beta ? -1 : 1;
    return (x->slip > y->slip) - (x->slip < y->slip);
}

static double measured(const RiWheelTest *t, int kind)
{
    return kind == 0 ? t->pull : kind == 1 ? t->side : 1e3 * t->sinkage;
}

/// Measured values as short upright strokes and the law's at the same rows as a line, for each slip
/// angle.
typedef struct SoilPlot {
    RiCurve curves[2 * ANGLES];
    char names[2 * ANGLES][40];
    int count;
} SoilPlot;

static void add_angle(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *law, const RiWheelTest *tests, int count,
                      int kind, double stroke, double *room, SoilPlot *plot)
{
    double *x = room, *y = x + 3 * count, *mx = y + 3 * count, *my = mx + count;
    for (int i = 0; i < count; i++) {
        double model[3];
        const double m = measured(&tests[i], kind);
        ri_wheel_test_predict(ctx, w, law, &tests[i], model);
        x[3 * i] = x[3 * i + 1] = x[3 * i + 2] = mx[i] = tests[i].slip;
        y[3 * i] = m - stroke, y[3 * i + 1] = m + stroke, y[3 * i + 2] = NAN;
        my[i] = kind == 2 ? 1e3 * model[2] : model[kind];
    }
    const char *unit = kind == 2 ? "mm" : "N";
    const double angle = tests[0].beta / DEGREE;
    for (int i = 0; i < 2; i++) {
        snprintf(plot->names[plot->count], sizeof *plot->names, "%s, %.4g deg", i ? "law" : "measured", angle);
        plot->curves[plot->count] =
            (RiCurve){plot->names[plot->count], unit, i ? mx : x, i ? my : y, i ? count : 3 * count};
        plot->count++;
    }
}

static RiStatus draw(RiContext *ctx, const SoilRequest *r, const RiSoilWheel *w, const RiSoilLaw *law,
                     const RiWheelTest *tests, int count, int kind)
{
    static const char *const titles[] = {"Pull", "Side force", "Sinkage"}, *const names[] = {"fx", "fy", "sinkage"};
    SoilPlot set = {.count = 0};
    double low = INFINITY, high = -INFINITY;
    double *room = ri_alloc_zero(ctx, 8 * (size_t)count, sizeof *room);
    if (!room)
        return ri_error_memory(ctx);
    for (int i = 0; i < count; i++) {
        low = fmin(low, measured(&tests[i], kind));
        high = fmax(high, measured(&tests[i], kind));
    }
    for (int first = 0, end; first < count && set.count < 2 * ANGLES; first = end) {
        for (end = first; end < count && tests[end].beta == tests[first].beta;)
            end++;
        add_angle(ctx, w, law, tests + first, end - first, kind, fmax(0.012 * (high - low), 1e-9), room + 8 * first,
                  &set);
    }
    RiPlot plot = ri_plot_default();
    plot.title = titles[kind];
    plot.x_label = tests[0].travel ? "slip of travel [-]" : "slip by the speed along the heading [-]";
    plot.curves = set.curves;
    plot.curve_count = set.count;
    const RiStatus status = fit_write_plot(ctx, r->plots, &plot, names[kind]);
    ri_release(ctx, room);
    return status;
}

// --- the command ---------------------------------------------------------------------------------

static RiStatus fit_tests(RiContext *ctx, const SoilRequest *r, const RiSoilWheel *w, const RiSoilLaw *start,
                          RiWheelTest *tests, int count)
{
    const char *names[RI_SOIL_FIT_MAX];
    SoilResult s = {.count = count};
    for (int k = 0; k < r->name_count; k++)
        names[k] = r->names[k];
    for (int i = 0; i < count && r->hold > 0.0; i++)
        tests[i].used = (i + 1) % (int)r->hold != 0;
    const RiStatus status = ri_soil_fit(ctx, w, start, tests, count, names, r->name_count, &s.fit);
    if (status != RI_OK) {
        char why[512];
        snprintf(why, sizeof why, "%s", ri_context_message(ctx));
        return ri_error(ctx, status, "%s: %s", r->file, why);
    }
    s.travel = tests[0].travel;
    s.used = ri_soil_misfit(ctx, w, &s.fit.law, tests, count, true);
    s.held = ri_soil_misfit(ctx, w, &s.fit.law, tests, count, false);
    (r->json ? print_json : print_table)(r, &s);
    qsort(tests, (size_t)count, sizeof *tests, by_angle_and_slip);
    for (int kind = 0; kind < 3 && r->plots; kind++)
        RI_TRY(draw(ctx, r, w, &s.fit.law, tests, count, kind));
    return RI_OK;
}

static RiStatus fit(RiContext *ctx, const SoilRequest *r, RiSoils *soils)
{
    RiSoil soil;
    RiSoilWheel w;
    RiSoilLaw law;
    RiWheelTest *tests;
    int count;
    RI_TRY(find_soil(ctx, r, soils, &soil));
    RI_TRY(set_up(ctx, r, soil, &w, &law));
    RI_TRY(ri_wheel_tests_load(ctx, r->file, &tests, &count));
    const RiStatus status = fit_tests(ctx, r, &w, &law, tests, count);
    ri_release(ctx, tests);
    return status;
}

int fit_soil(int argc, char **argv)
{
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "DATA.csv --radius M --width M",
        .doc =
            "Fits the wheel-soil law to single-wheel tests, with 95 % intervals, and judges it on rows that were not "
            "fitted. DATA.csv has the columns slip (by the speed along the heading) or travel_slip (by the speed of "
            "the "
            "carriage), slip_angle [deg], load [N], fx (pull) [N], fy (against the "
            "sliding) [N] and sinkage [mm].",
    };
    SoilRequest r = {.soil = "dry_sand_LLL",
                     .radius = NAN,
                     .width = NAN,
                     .gravity = 9.81,
                     .friction = NAN,
                     .hold = 3.0,
                     .names = {"k", "n1", "c", "kx", "ky", "a0", "a1"},
                     .name_count = 7};
    RiContext *ctx;
    RiSoils *soils = NULL;
    argp_err_exit_status = CLI_BAD_INPUT;
    if (cli_parse(&parser, argc, argv, &r) != 0)
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    RiStatus status = ri_soils_create(ctx, &soils);
    if (status == RI_OK)
        status = fit(ctx, &r, soils);
    const int code = status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
    ri_soils_destroy(soils);
    ri_context_destroy(ctx);
    return code;
}
