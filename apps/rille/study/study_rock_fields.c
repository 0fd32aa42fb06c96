// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille study rock-fields`: a rover navigates through many random rock fields; collisions, and
/// how often it arrives.
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <rille/file.h>
#include <rille/plot.h>
#include <rille/study/rock_fields.h>

#include "cli.h"
#include "study/study.h"

enum { OPT_FIELDS = 256, OPT_FIRST, OPT_OUT, OPT_THREADS, COVERS = 5 };

static const double covers[COVERS] = {0.02, 0.05, 0.08, 0.12, 0.16};

typedef struct Request {
    int fields, first, threads;
    const char *out;
} Request;

static error_t parse(int key, char *text, struct argp_state *state)
{
    Request *r = state->input;
    double x;
    switch (key) {
    case OPT_FIELDS:
    case OPT_FIRST:
    case OPT_THREADS:
        if (!cli_parse_number(text, &x) || !(x >= 1.0 && x <= 10000.0) || x != floor(x))
            argp_error(state, "a whole number from 1 to 10000 is needed, not '%s'", text);
        *(key == OPT_FIELDS ? &r->fields : key == OPT_FIRST ? &r->first : &r->threads) = (int)x;
        return 0;
    case OPT_OUT:
        r->out = text;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is one argument too many", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static RiStatus write_table(RiContext *ctx, const char *folder, const RiRockDrive *d, int count)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/rock_fields.csv", folder);
    RiBeside beside;
    FILE *f = ri_beside_stream(&beside, path);
    if (!f)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    fprintf(f, "cover,field,reason,way_m,time_s,clearance_m,step_m,tilt_deg,collided,hash\n");
    for (int i = 0; i < count; i++)
        fprintf(f, "%g,%d,%d,%.3f,%.1f,%.4f,%.4f,%.2f,%d,%016llx\n", d[i].cover, d[i].field, d[i].reason, d[i].way,
                d[i].time, d[i].clearance, d[i].step, 57.29577951308232 * d[i].tilt, d[i].collided, d[i].hash);
    const int code = ri_beside_close(&beside, true);
    return code == 0 ? RI_OK : ri_error(ctx, RI_ERR_IO, "%s: cannot be written: %s", path, strerror(code));
}

typedef struct Sum {
    int count, arrived, gave_up, other, collided, occupied;
    double clearance, step, longer;
} Sum;

/// Blocked, no progress, way limit, goal occupied.
static bool gave_up(int reason)
{
    return reason == 3 || reason == 4 || reason == 11 || reason == 13;
}

static Sum add_up(const RiRockDrive *d, int count, double cover)
{
    Sum s = {.clearance = INFINITY};
    for (int i = 0; i < count; i++) {
        if (d[i].cover != cover)
            continue;
        s.occupied += d[i].skipped;
        if (d[i].reason < 0)
            continue;
        s.count++;
        s.arrived += d[i].reason == 1;
        s.gave_up += gave_up(d[i].reason);
        s.other += d[i].reason != 1 && !gave_up(d[i].reason);
        s.collided += d[i].collided;
        s.clearance = fmin(s.clearance, d[i].clearance);
        s.step = fmax(s.step, d[i].step);
        s.longer += d[i].reason == 1 ? d[i].way / 18.5 : 0.0;
    }
    return s;
}

/// The share that arrives over the abundance of rocks.
static RiStatus draw(RiContext *ctx, const char *folder, const double *share)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/rock_fields.png", folder);
    const RiCurve curve = {"share of drives that arrive", "", covers, share, COVERS};
    RiPlot plot = ri_plot_default();
    plot.title = "20 m through rock fields";
    plot.x_label = "share of the ground under rocks";
    plot.curves = &curve;
    plot.curve_count = 1;
    return ri_plot_png(ctx, &plot, path);
}

static RiStatus report(RiContext *ctx, const Request *r, const RiRockDrive *d, int count, bool *out_bad)
{
    double share[COVERS];
    printf(
        "cover k  on rocks  fields  arrived  gave up  other  collided  belly at least  step at most  way / 18.5 m\n");
    for (int i = 0; i < COVERS; i++) {
        const Sum s = add_up(d, count, covers[i]);
        share[i] = s.count ? (double)s.arrived / s.count : 0.0;
        printf("%7.2f  %8d  %6d  %5.0f %%  %7d  %5d  %8d  %12.3f m  %10.3f m  %12.2f\n", covers[i], s.occupied, s.count,
               100.0 * share[i], s.gave_up, s.other, s.collided, s.clearance, s.step,
               s.arrived ? s.longer / s.arrived : NAN);
        *out_bad = *out_bad || s.collided > 0 || s.other > 0;
    }
    if (!r->out)
        return RI_OK;
    RI_TRY(write_table(ctx, r->out, d, count));
    RI_TRY(draw(ctx, r->out, share));
    printf("files    %s/rock_fields.csv, rock_fields.png\n", r->out);
    return RI_OK;
}

int cmd_study_rock_fields(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"fields", OPT_FIELDS, "N", 0, "Rock fields (default 200), in five abundances", 0},
        {"first", OPT_FIRST, "N", 0, "Seed of the first one (default 1); the others follow it", 0},
        {"out", OPT_OUT, "FOLDER", 0, "Write a table of all drives", 0},
        {"threads", OPT_THREADS, "N", 0, "Default: all processors; results do not depend on it", 0},
        {NULL, 0, NULL, 0, NULL, 0}};
    static const struct argp parser = {.options = options,
                                       .parser = parse,
                                       .doc =
                                           "A MER with GESTALT and the global planner drives 20 m through random rock "
                                           "fields by Golombek and Rapp's law. A judge looks at the true ground under "
                                           "belly and wheels at every tick. Exit code 1: it hit something, or a drive "
                                           "ended for another reason than arriving or giving up."};
    Request r = {.fields = 200, .first = 1};
    RiContext *ctx;
    char scene[PATH_MAX];
    argp_err_exit_status = CLI_BAD_INPUT;
    if (cli_parse(&parser, argc, argv, &r) != 0 || !cli_find_scene("mer_gestalt", scene))
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    RiRockDrive *drives = calloc((size_t)r.fields, sizeof *drives);
    bool bad = false;
    for (int i = 0; drives && i < r.fields; i++)
        drives[i] = (RiRockDrive){.cover = covers[i % COVERS], .field = r.first + i};
    RiStatus status = drives ? RI_OK : ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    if (status == RI_OK && r.out && mkdir(r.out, 0777) != 0 && errno != EEXIST)
        status = ri_error(ctx, RI_ERR_IO, "%s: the folder cannot be made", r.out);
    if (status == RI_OK)
        status = ri_rock_field_drives(ctx, scene, r.threads, drives, r.fields);
    if (status == RI_OK)
        status = report(ctx, &r, drives, r.fields, &bad);
    const int code = status != RI_OK ? cli_fail(ctx, status) : bad ? CLI_RUN_FAILED : CLI_DONE;
    free(drives);
    ri_context_destroy(ctx);
    return code;
}
