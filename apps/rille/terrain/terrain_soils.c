// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille terrain soils`: the library of soils and hard materials, with where its numbers come
/// from.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "terrain/terrain.h"

typedef struct SoilsArgs {
    const char *name;
    bool json;
} SoilsArgs;

static const char *form_name(RiSoilForm form)
{
    static const char *const names[] = {"hard", "bekker", "reece"};
    return names[form];
}

static double degrees(double angle)
{
    return angle * 180.0 / M_PI;
}

/// A number, or a dash where the source gives none.
static const char *cell(double x, char out[24])
{
    if (isnan(x))
        strcpy(out, "-");
    else
        snprintf(out, 24, "%.4g", x);
    return out;
}

static void print_table(const RiSoils *soils)
{
    char c[8][24];
    printf("%-38s %-6s %6s %9s %9s %7s %6s %8s %7s %5s  %s\n", "soil", "form", "n", "kc", "kphi", "c [Pa]", "phi",
           "K [m]", "density", "mu", "confidence");
    for (int i = 0; i < ri_soils_count(soils); i++) {
        const RiSoil *s = ri_soils_get(soils, i);
        printf("%-38s %-6s %6s %9s %9s %7s %6s %8s %7s %5s  %c\n", s->name, form_name(s->form), cell(s->n, c[0]),
               cell(s->kc, c[1]), cell(s->kphi, c[2]), cell(s->cohesion, c[3]), cell(degrees(s->friction), c[4]),
               cell(s->kx, c[5]), cell(s->density, c[6]), cell(s->mu, c[7]), s->confidence);
    }
    printf("\n%d soils and materials. A dash: not given by the source. Confidence: A found in two places or more, B "
           "once, C from "
           "memory and\nto be checked, E estimate. 'rille terrain soils NAME' shows the sources of the numbers.\n",
           ri_soils_count(soils));
}

/// Numbers of a soil with names and units.
static int list_fields(const RiSoil *s, const char *const **out_names, double out[13])
{
    static const char *const names[] = {
        "n [-]",  "n1 [-]",           "kc",     "kphi",   "cohesion [Pa]",   "friction [deg]", "kx [m]",
        "ky [m]", "density [kg/m^3]", "a0 [-]", "a1 [-]", "gravity [m/s^2]", "mu [-]"};
    const double values[13] = {s->n,       s->n1, s->kc, s->kphi,    s->cohesion, degrees(s->friction), s->kx, s->ky,
                               s->density, s->a0, s->a1, s->gravity, s->mu};
    memcpy(out, values, sizeof values);
    *out_names = names;
    return 13;
}

static const char *law(RiSoilForm form)
{
    static const char *const laws[] = {"hard: friction only", "bekker: sigma = (kc / b + kphi) z^n",
                                       "reece: sigma = (c kc + gamma b kphi) (z / b)^n, gamma = density * gravity"};
    return laws[form];
}

static void print_soil(const RiSoil *s)
{
    const char *const *names;
    double values[13];
    char text[24];
    printf("%s\n  %-18s %s\n", s->name, "form", law(s->form));
    const int count = list_fields(s, &names, values);
    for (int i = 0; i < count; i++)
        if (!isnan(values[i]))
            printf("  %-18s %s\n", names[i], cell(values[i], text));
    for (int i = 0; i < RI_SOIL_KEY_COUNT; i++)
        if (s->more.given & 1u << i)
            printf("  %-18s %s\n", ri_soil_key((RiSoilKey)i)->name, cell(s->more.at[i], text));
    printf("  %-18s ", "not given");
    bool any = false;
    for (int i = 0; i < count; i++)
        if (isnan(values[i])) {
            printf("%s%.*s", any ? ", " : "", (int)strcspn(names[i], " "), names[i]);
            any = true;
        }
    printf("%s\n  %-18s %c\n  %-18s %s\n", any ? "" : "nothing is missing", "confidence", s->confidence, "provenance",
           s->provenance);
}

static void write_soil(Json *j, const RiSoil *s)
{
    static const char *const keys[] = {"n",  "n1",      "kc", "kphi", "cohesion", "friction", "kx",
                                       "ky", "density", "a0", "a1",   "gravity",  "mu"};
    const double values[] = {s->n,  s->n1,      s->kc, s->kphi, s->cohesion, s->friction, s->kx,
                             s->ky, s->density, s->a0, s->a1,   s->gravity,  s->mu};
    const char confidence[2] = {s->confidence, '\0'};
    json_open(j, NULL, '{');
    json_string(j, "name", s->name);
    json_string(j, "form", form_name(s->form));
    for (int i = 0; i < 13; i++)
        json_number(j, keys[i], values[i]); // not given: null
    for (int i = 0; i < RI_SOIL_KEY_COUNT; i++)
        if (s->more.given & 1u << i)
            json_number(j, ri_soil_key((RiSoilKey)i)->name, s->more.at[i]);
    json_string(j, "confidence", confidence);
    json_string(j, "provenance", s->provenance);
    json_close(j, '}');
}

static CliExit show(const SoilsArgs *args, const RiSoils *soils)
{
    const int index = args->name ? ri_soils_find(soils, args->name) : -1;
    if (args->name && index < 0) {
        const char *near = ri_soils_suggest(soils, args->name);
        for (int i = 0; !near && i < ri_soils_count(soils); i++) // a part of a name
            near = strcasestr(ri_soils_get(soils, i)->name, args->name) ? ri_soils_get(soils, i)->name : NULL;
        cli_error("there is no soil '%s'%s%s%s", args->name,
                  near ? "; did you mean '" : "; 'rille terrain soils' lists them", near ? near : "", near ? "'?" : "");
        return CLI_BAD_INPUT;
    }
    if (args->json) {
        Json j = {.out = stdout};
        json_open(&j, NULL, '{');
        json_open(&j, "soils", '[');
        for (int i = 0; i < ri_soils_count(soils); i++)
            if (index < 0 || i == index)
                write_soil(&j, ri_soils_get(soils, i));
        json_close(&j, ']');
        json_close(&j, '}');
    } else if (index >= 0) {
        print_soil(ri_soils_get(soils, index));
    } else {
        print_table(soils);
    }
    return CLI_DONE;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    SoilsArgs *args = state->input;
    if (key == 'j') {
        args->json = true;
        return 0;
    }
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (args->name)
        argp_error(state, "'%s' is one argument too many", text);
    args->name = text;
    return 0;
}

int terrain_soils(int argc, char **argv)
{
    static const struct argp_option options[] = {{"json", 'j', NULL, 0, "as JSON; what is not given is null", 0}, {0}};
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[NAME]",
        .doc = "Lists the soils and hard materials that a terrain can be made of, or tells all about one.\v"
               "The tables are soils.csv, fitted.csv and materials.csv of the soils folder (RILLE_SOILS)."};
    static const char *const tables[] = {"soils.csv", "fitted.csv", "materials.csv"};
    SoilsArgs args = {0};
    char folder[PATH_MAX], path[2 * PATH_MAX];
    if (cli_parse(&argp, argc, argv, &args))
        return CLI_ENVIRONMENT;
    cli_soils_folder(folder);
    RiContext *ctx = NULL;
    RiSoils *soils = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    RiStatus status = ri_soils_create(ctx, &soils);
    for (int i = 0; i < 3 && status == RI_OK; i++) {
        snprintf(path, sizeof path, "%s/%s", *folder ? folder : "soils", tables[i]);
        status = ri_soils_load(ctx, soils, path);
    }
    const CliExit code = status == RI_OK ? show(&args, soils) : cli_fail(ctx, status);
    ri_soils_destroy(soils);
    ri_context_destroy(ctx);
    return code;
}
