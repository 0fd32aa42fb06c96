// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille terrain draw`: a terrain as a picture.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/terrain_draw.h>

#include "terrain/terrain.h"

enum { OPT_SET = 0x100, OPT_REGION, OPT_SIZE, OPT_SECTION, OPT_SLOPE, OPT_SOIL, OPT_CONTOURS };

typedef struct DrawArgs {
    TerrainOpen open;
    const char *out;
    RiTerrainDrawing drawing;
    bool has_region, contours;
} DrawArgs;

static void read_region(DrawArgs *args, const char *text, struct argp_state *state)
{
    double x[4];
    int count;
    if (!cli_parse_numbers(text, 4, 4, x, &count) || !(x[2] > x[0]) || !(x[3] > x[1]))
        argp_error(state, "--region expects two corners X0,Y0,X1,Y1 [m], the lower one first, not '%s'", text);
    args->has_region = true;
    memcpy(args->drawing.low, x, 2 * sizeof *x);
    memcpy(args->drawing.high, x + 2, 2 * sizeof *x);
}

static void read_section(DrawArgs *args, const char *text, struct argp_state *state)
{
    const bool good = text[0] >= 'x' && text[0] <= 'z' && text[1] == '=';
    if (!good || !cli_parse_number(text + 2, &args->drawing.at))
        argp_error(state, "--section expects x=VALUE, y=VALUE or z=VALUE [m], not '%s'", text);
    args->drawing.section = text[0] - 'x';
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    DrawArgs *args = state->input;
    double number;
    switch (key) {
    case OPT_SET:
        return terrain_add_setting(&args->open, text, state);
    case 'o':
        args->out = text;
        return 0;
    case OPT_REGION:
        read_region(args, text, state);
        return 0;
    case OPT_SECTION:
        read_section(args, text, state);
        return 0;
    case OPT_SIZE:
        if (!cli_parse_number(text, &number) || !(number >= 32.0) || !(number <= 8192.0))
            argp_error(state, "--size expects a number of pixels from 32 to 8192, not '%s'", text);
        args->drawing.size = (int)number;
        return 0;
    case OPT_SLOPE:
        args->drawing.slope = true;
        return 0;
    case OPT_SOIL:
        args->drawing.soil = true;
        return 0;
    case OPT_CONTOURS:
        args->contours = true;
        if (text && (!cli_parse_number(text, &args->drawing.contours) || !(args->drawing.contours > 0.0)))
            argp_error(state, "--contours expects a step [m] above 0, not '%s'", text);
        return 0;
    case ARGP_KEY_ARG:
        if (args->open.word)
            argp_error(state, "'%s' is one argument too many", text);
        args->open.word = text;
        return 0;
    case ARGP_KEY_END:
        if (!args->open.word)
            argp_error(state, "the terrain is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/// Whether there is ground to be seen from above, and the range of its heights.
static bool look_from_above(const RiTerrain *t, const RiTerrainDrawing *d, double *out_range)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 1024; k++) {
        RiHeight h;
        const double u = (k % 32 + 0.5) / 32.0, v = (k / 32 + 0.5) / 32.0;
        if (!ri_terrain_height(t, d->low[0] + u * (d->high[0] - d->low[0]), d->low[1] + v * (d->high[1] - d->low[1]),
                               &h))
            continue;
        low = fmin(low, h.z);
        high = fmax(high, h.z);
    }
    *out_range = high - low;
    return high >= low;
}

static CliExit draw(DrawArgs *args)
{
    const RiTerrain *t = ri_terrain_file_terrain(args->open.file);
    RiTerrainDrawing *d = &args->drawing;
    double low[2], high[2], range = 0.0;
    ri_terrain_draw_region(t, d->section, low, high);
    if (!args->has_region) {
        memcpy(d->low, low, sizeof low);
        memcpy(d->high, high, sizeof high);
    }
    if (d->section < 0 && !look_from_above(t, d, &range)) {
        cli_error("no ground is visible from above; try --section z=0 or --section y=0");
        return CLI_BAD_INPUT;
    }
    if (args->contours && d->contours == 0.0)
        d->contours = ri_terrain_draw_step(range);
    char path[PATH_MAX], title[160];
    const char *name = ri_terrain_file_name(args->open.file), *slash = strrchr(args->open.path, '/');
    name = *name ? name : slash ? slash + 1 : args->open.path;
    snprintf(title, sizeof title, "%.150s", name);
    d->title = title;
    snprintf(path, sizeof path, "%s.png", title);
    const char *out = args->out ? args->out : path;
    const RiStatus status = ri_terrain_draw(args->open.ctx, t, NULL, d, out);
    if (status != RI_OK)
        return cli_fail(args->open.ctx, status);
    printf("%s\n", out);
    return CLI_DONE;
}

int terrain_draw(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"out", 'o', "FILE", 0, "the PNG file; default NAME.png", 0},
        {"set", OPT_SET, "NAME=VALUE", 0, "a parameter of the terrain", 0},
        {"region", OPT_REGION, "X0,Y0,X1,Y1", 0, "what is drawn [m]; default all, 20 m where there is no end", 0},
        {"size", OPT_SIZE, "PIXELS", 0, "longer side of the map; default 800", 0},
        {"slope", OPT_SLOPE, NULL, 0, "colour by slope", 0},
        {"soil", OPT_SOIL, NULL, 0, "colour by soil region or material", 0},
        {"contours", OPT_CONTOURS, "STEP", OPTION_ARG_OPTIONAL, "lines of equal height [m]", 0},
        {"section", OPT_SECTION, "AXIS=VALUE", 0,
         "a cut at x, y or z [m]: ground, free space, lines of equal distance; for tubes and overhangs", 0},
        {0}};
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "TERRAIN",
        .doc = "Draws a terrain as a PNG picture: hill shade from above, with overlays of slope or soil, or a section."
               "\vTERRAIN is a name, a description (.yaml), a raster or a mesh."};
    DrawArgs args = {.drawing = {.section = -1, .size = 800}};
    if (cli_parse(&argp, argc, argv, &args))
        return CLI_ENVIRONMENT;
    CliExit code = terrain_open(&args.open);
    if (code == CLI_DONE)
        code = draw(&args);
    terrain_close(&args.open);
    return code;
}
