// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille time`: what clocks show on a body, at a place, in a mission.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "commands.h"

static const double degree = M_PI / 180.0;

typedef struct TimeArgs {
    const char *date, *body, *place, *mission;
    const char *sol, *hour; ///< with a mission: instead of a date
} TimeArgs;

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    TimeArgs *args = state->input;
    if (key == 'b')
        args->body = arg;
    else if (key == 'p')
        args->place = arg;
    else if (key == 'm')
        args->mission = arg;
    else if (key == 's')
        args->sol = arg;
    else if (key == 'l')
        args->hour = arg;
    else if (key == ARGP_KEY_ARG && state->arg_num == 0)
        args->date = arg;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

/// Reads a number that is the whole text and lies in a range.
static bool read_number(const char *what, const char *text, double low, double high, double *out)
{
    if (cli_parse_number(text, out) && *out >= low && *out <= high)
        return true;
    cli_error("%s '%s': allowed is a number from %g to %g", what, text, low, high);
    return false;
}

static bool read_body(const TimeArgs *args, RiSunDef *def)
{
    def->world = RI_WORLD_MARS;
    if (!args->body)
        return true;
    for (int i = 1; i < RI_WORLD_COUNT; i++)
        if (strcmp(args->body, ri_world_name((RiWorld)i)) == 0) {
            def->world = (RiWorld)i;
            return true;
        }
    cli_error("there is no body '%s'; allowed are earth, moon, mars, europa, enceladus", args->body);
    return false;
}

/// "LATITUDE,LONGITUDE" in degrees, to the north and east.
static bool read_place(const TimeArgs *args, RiSunDef *def)
{
    char text[64];
    double latitude, longitude;
    if (!args->place)
        return true;
    snprintf(text, sizeof text, "%s", args->place);
    char *comma = strchr(text, ',');
    if (!comma) {
        cli_error("--place '%s': allowed is LATITUDE,LONGITUDE in degrees, such as -4.59,137.44", args->place);
        return false;
    }
    *comma = '\0';
    if (!read_number("latitude", text, -90.0, 90.0, &latitude) ||
        !read_number("longitude", comma + 1, -360.0, 360.0, &longitude))
        return false;
    def->latitude = degree * latitude;
    def->longitude = degree * longitude;
    return true;
}

static bool read_mission(const TimeArgs *args, RiSunDef *def, const RiMission **out)
{
    *out = NULL;
    if (!args->mission) {
        if (args->sol || args->hour)
            cli_error("--sol and --hour need a --mission");
        return !args->sol && !args->hour;
    }
    *out = ri_mission_find(args->mission);
    if (!*out) {
        const char *names[32];
        const int count = ri_mission_count() < 32 ? ri_mission_count() : 32;
        for (int i = 0; i < count; i++)
            names[i] = ri_mission_get(i)->name;
        const char *nearest = ri_nearest_name(args->mission, names, count);
        cli_error("there is no mission '%s'%s%s%s; 'rille time --help' lists them", args->mission,
                  nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
        return false;
    }
    if (def->world != RI_WORLD_MARS) {
        cli_error("--mission %s is on mars, --body says %s", args->mission, ri_world_name(def->world));
        return false;
    }
    if (!args->place) {
        def->latitude = degree * (*out)->latitude;
        def->longitude = degree * (*out)->longitude;
    }
    return true;
}

/// The date: given, by sol and hour of a mission, or now.
static RiStatus read_date(RiContext *ctx, const TimeArgs *args, const RiMission *mission, RiSunDef *def)
{
    double sol, hour = 12.0;
    if (args->sol) {
        if (args->date)
            return ri_error(ctx, RI_ERR_ARGUMENT, "a DATE and --sol: give one of them");
        if (!read_number("--sol", args->sol, -1e5, 1e5, &sol) || sol != floor(sol))
            return ri_error(ctx, RI_ERR_ARGUMENT, "--sol '%s' is not a whole number", args->sol);
        if (args->hour && !read_number("--hour", args->hour, 0.0, 24.0, &hour))
            return ri_error(ctx, RI_ERR_ARGUMENT, "--hour '%s' is not a local mean hour", args->hour);
        ri_mission_time(mission, (int)sol, hour, def->utc);
        return RI_OK;
    }
    if (args->hour)
        return ri_error(ctx, RI_ERR_ARGUMENT, "--hour needs a --sol");
    if (args->date)
        return ri_sun_date(ctx, args->date, def->utc);
    char text[40];
    const time_t now = time(NULL);
    struct tm parts;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&now, &parts));
    return ri_sun_date(ctx, text, def->utc);
}

static void print_hour(const char *name, double hour, const char *about)
{
    if (isnan(hour))
        return;
    const long seconds = lround(hour * 3600.0) % 86400;
    printf("  %-22s %02ld:%02ld:%02ld   %s\n", name, seconds / 3600, seconds / 60 % 60, seconds % 60, about);
}

static void print_clock(const RiSunDef *def, const RiMission *mission)
{
    const RiClock c = ri_clock_read(def, 0.0);
    printf("%s, latitude %.4f, longitude %.4f east\n", ri_world_name(def->world), def->latitude / degree,
           def->longitude / degree);
    printf("  %-22s %s\n", "UTC", c.utc);
    printf("  %-22s %.6f   TT - UTC %.3f s\n", "JD (TT)", c.jd_tt, c.tt_minus_utc);
    if (def->world == RI_WORLD_MARS) {
        printf("  %-22s %.5f\n", "Mars sol date (MSD)", c.mars.sol_date);
        print_hour("MTC", c.mars.coordinated, "coordinated Mars time");
        print_hour("LMST", c.mean_hour, "local mean solar time");
        print_hour("LTST", c.true_hour, "local true solar time");
        printf("  %-22s %.6f deg\n", "Ls", c.season);
        if (mission)
            printf("  %-22s %d\n", "sol of the mission", ri_mission_sol(mission, def->utc, NULL));
    } else {
        print_hour("local mean time", c.mean_hour, "24 h a local day");
        print_hour("local true time", c.true_hour, "24 h a local day");
        printf("  %-22s %.5f   %s\n", "days", c.day,
               def->world == RI_WORLD_MOON ? "lunations since 2000-01-06" : "mean solar days since J2000");
    }
    printf("  %-22s %.3f s\n", "mean solar day", c.day_length);
    printf("  %-22s azimuth %.4f deg, elevation %.4f deg, distance %.6f AU\n", "sun", c.sun.azimuth / degree,
           c.sun.elevation / degree, c.sun.distance);
    if (def->world != RI_WORLD_EARTH) {
        const RiLook earth = ri_earth_look(def, 0.0);
        printf("  %-22s azimuth %.2f deg, elevation %.2f deg, light time %.1f s\n", "Earth", earth.azimuth / degree,
               earth.elevation / degree, earth.light_time);
    }
}

static void print_missions(void)
{
    printf("Missions:\n");
    for (int i = 0; i < ri_mission_count(); i++) {
        const RiMission *m = ri_mission_get(i);
        printf("  %-14s landed %s, sol %d\n", m->name, m->landing, m->first_sol);
    }
}

int cmd_time(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"body", 'b', "NAME", 0, "earth, moon, mars (default), europa or enceladus", 0},
        {"place", 'p', "LAT,LON", 0, "latitude and longitude in degrees, to the north and east", 0},
        {"mission", 'm', "NAME", 0, "a landing on Mars: its place and its sols; 'list' shows them", 0},
        {"sol", 's', "N", 0, "with --mission: this sol instead of a date", 0},
        {"hour", 'l', "H", 0, "with --sol: local mean hour, default 12", 0},
        {0}};
    static const struct argp argp = {
        options,
        parse_option,
        "[DATE]",
        "Shows clocks on a body: UTC, TT, local mean and true solar time, sols, season, and where "
        "sun and Earth are.\vDATE is UTC such as 2012-08-06T05:17:57; without one it is now.",
        NULL,
        NULL,
        NULL};
    TimeArgs args = {.date = NULL};
    RiContext *ctx = NULL;
    RiSunDef def = {.moves = true};
    const RiMission *mission;
    if (cli_parse(&argp, argc, argv, &args) != 0)
        return CLI_BAD_INPUT;
    if (args.mission && strcmp(args.mission, "list") == 0) {
        print_missions();
        return CLI_DONE;
    }
    if (!read_body(&args, &def) || !read_place(&args, &def) || !read_mission(&args, &def, &mission))
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    const RiStatus status = read_date(ctx, &args, mission, &def);
    int code = CLI_DONE;
    if (status == RI_OK)
        print_clock(&def, mission);
    else
        code = cli_fail(ctx, status);
    ri_context_destroy(ctx);
    return code;
}
