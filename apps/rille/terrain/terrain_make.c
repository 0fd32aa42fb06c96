// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille terrain make`: terrain from laws, written in the form that each file's ending asks for.
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <rille/file.h>
#include <rille/picture.h>
#include <rille/synthesis.h>
#include <rille/terrain_file.h>
#include <rille/terrain_io.h>
#include <rille/text.h>

#include "terrain/terrain.h"

enum { MOST_SETTINGS = 32, MOST_FILES = 16, MOST_KINDS = 32 };
enum { OPT_SEED = 0x100, OPT_PNG, OPT_LIST };

typedef struct MakeArgs {
    const char *kind;
    char *settings[MOST_SETTINGS]; ///< NAME=VALUE
    int setting_count;
    const char *files[MOST_FILES];
    int file_count;
    unsigned long long seed;
    bool list;
} MakeArgs;

// --- tables --------------------------------------------------------------------------------------

static void print_kinds(void)
{
    printf("Kinds:\n");
    for (int i = 0; i < ri_make_kind_count(); i++)
        printf("  %-9s %s\n", ri_make_kind(i)->name, ri_make_kind(i)->about);
    printf("\n'rille terrain make KIND --help' lists the parameters of a kind.\n");
}

static void print_param(const RiMakeParam *p)
{
    char value[48], low[48], high[48];
    if (p->choices) {
        const char *word = p->choices;
        for (int k = 0; k < (int)p->value; k++)
            word = strchr(word, '|') + 1;
        printf("  %-17s %-12.*s %s: %s\n", p->name, (int)strcspn(word, "|"), word, p->choices, p->about);
        return;
    }
    ri_make_value_text(p, p->value, value);
    ri_make_value_text(p, p->low, low);
    ri_make_value_text(p, p->high, high);
    printf("  %-17s %-12s %s (%s to %s)\n", p->name, value, p->about, low, high);
}

static const char *gives_text(int gives)
{
    return gives == RI_MAKE_MESH                       ? "a mesh"
           : gives == RI_MAKE_HEIGHTS                  ? "heights"
           : gives == (RI_MAKE_HEIGHTS | RI_MAKE_MESH) ? "heights and a mesh"
                                                       : "heights; with as=bodies also solid parts";
}

static int print_kind(const RiMakeKind *kind)
{
    printf("%s: %s\nGives %s. Sources: %s.\n\nParameters, defaults, meaning (range):\n", kind->name, kind->about,
           gives_text(kind->gives), kind->sources);
    for (int i = 0; i < kind->param_count; i++)
        print_param(&kind->params[i]);
    printf("\nrille terrain make %s --set %s=VALUE --seed 1 --out FILE\n", kind->name, kind->params[0].name);
    return CLI_DONE;
}

static const RiMakeKind *find_kind(const char *name)
{
    const RiMakeKind *kind = ri_make_kind_find(name);
    if (kind)
        return kind;
    const char *names[MOST_KINDS];
    const int count = ri_make_kind_count();
    for (int i = 0; i < count && i < MOST_KINDS; i++)
        names[i] = ri_make_kind(i)->name;
    const char *near = ri_nearest_name(name, names, count < MOST_KINDS ? count : MOST_KINDS);
    cli_error("'%s' is not a kind of terrain%s%s%s", name, near ? "; did you mean '" : "", near ? near : "",
              near ? "'?" : "");
    cli_error("'rille terrain make --list' lists them");
    return NULL;
}

// --- settings ------------------------------------------------------------------------------------

/// NAME=VALUE into a setting; unknown names go through as they are, for ri_make's suggestion.
static CliExit read_setting(RiContext *ctx, const RiMakeKind *kind, char *text, RiMakeSetting *out)
{
    char *equals = strchr(text, '=');
    *equals = '\0';
    *out = (RiMakeSetting){.name = text};
    const int index = ri_make_param_find(kind, text);
    if (index < 0)
        return CLI_DONE;
    const RiStatus status = ri_make_setting_parse(ctx, kind, &kind->params[index], equals + 1, &out->value);
    return status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
}

// --- files ---------------------------------------------------------------------------------------

static bool ends_with(const char *path, const char *list)
{
    const char *dot = strrchr(path, '.');
    for (const char *at = list; dot && *at; at += strcspn(at, " "), at += *at == ' ') {
        const size_t size = strcspn(at, " ");
        if (strlen(dot + 1) == size && strncasecmp(dot + 1, at, size) == 0)
            return true;
    }
    return false;
}

static const char raster_endings[] = "tif tiff asc dat img", mesh_endings[] = "ply obj stl";

/// What a file needs that this kind does not give; NULL if all is well.
static const char *missing_for(const char *path, const RiMakeKind *kind)
{
    if (ends_with(path, raster_endings))
        return kind->gives & RI_MAKE_HEIGHTS ? NULL : "gives no heights: write .ply, .obj or .stl";
    if (ends_with(path, mesh_endings))
        return kind->gives & RI_MAKE_MESH ? NULL : "gives no mesh: write .tif or .asc";
    if (ends_with(path, "yaml yml"))
        return kind->gives & RI_MAKE_PARTS ? NULL : "gives no parts: .yaml is for rocks and course";
    if (ends_with(path, "png csv"))
        return NULL;
    return "cannot be written so: .tif, .asc, .dat (heights), .ply, .obj, .stl (mesh), .yaml (parts), .csv (list), "
           ".png";
}

/// A terrain description.
static void write_parts(FILE *out, const MakeArgs *args, const RiMade *made)
{
    fprintf(out, "# rille terrain make %s --seed %llu", made->kind->name, args->seed);
    for (int i = 0; i < args->setting_count; i++) // the '=' has become the end of the name
        fprintf(out, " --set '%s=%s'", args->settings[i], args->settings[i] + strlen(args->settings[i]) + 1);
    fprintf(out, "\nkind: shapes\nparts:\n");
    for (int i = 0; i < made->part_count; i++) {
        fprintf(out, "  - ");
        ri_terrain_write_part(out, &made->parts[i]);
        fprintf(out, "\n");
    }
}

static void write_features(FILE *out, const RiMade *made)
{
    fprintf(out, "what,x_m,y_m,z_m,size_m,wear\n");
    for (int i = 0; i < made->feature_count; i++) {
        const RiMadeFeature *f = &made->features[i];
        const double values[] = {f->position.x, f->position.y, f->position.z, f->size, f->age};
        fprintf(out, "%s", f->what);
        for (int k = 0; k < 5; k++) {
            char text[40];
            fprintf(out, ",%s", ri_number_text(values[k], text));
        }
        fprintf(out, "\n");
    }
}

static CliExit write_text(const MakeArgs *args, const RiMade *made, const char *path)
{
    RiBeside beside;
    FILE *out = ri_beside_stream(&beside, path);
    if (!out) {
        cli_error("%s: cannot be written: %s", path, strerror(errno));
        return CLI_ENVIRONMENT;
    }
    if (ends_with(path, "csv"))
        write_features(out, made);
    else
        write_parts(out, args, made);
    const int code = ri_beside_close(&beside, true);
    if (code == 0)
        return CLI_DONE;
    cli_error("%s: cannot be written: %s", path, strerror(code));
    return CLI_ENVIRONMENT;
}

static CliExit write_file(RiContext *ctx, const MakeArgs *args, const RiMade *made, const char *path)
{
    const RiMesh mesh = {ctx, made->points, made->triangles, made->point_count, made->triangle_count};
    enum { PREVIEW = 800 };
    RiStatus status = RI_OK;
    if (ends_with(path, "yaml yml") && !made->part_count) {
        cli_error("%s: %s gives parts with --set as=bodies", path, made->kind->name);
        return CLI_BAD_INPUT;
    }
    if (ends_with(path, "yaml yml csv"))
        return write_text(args, made, path);
    if (ends_with(path, raster_endings))
        status = ri_raster_save(ctx, made->raster, path, false);
    else if (ends_with(path, mesh_endings))
        status = ri_mesh_save(&mesh, path);
    else
        status = made->raster ? ri_shade_heights(ctx, made->raster, PREVIEW, path)
                              : ri_shade_mesh(ctx, &mesh, PREVIEW, path);
    return status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
}

// --- the command ---------------------------------------------------------------------------------

static void print_made(const MakeArgs *args, const RiMade *made)
{
    printf("%s, seed %llu\n", made->kind->name, args->seed);
    if (made->raster) {
        const RiRaster *r = made->raster;
        double low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < (size_t)r->nx * (size_t)r->ny; k++) {
            low = fmin(low, (double)r->values[k]);
            high = fmax(high, (double)r->values[k]);
        }
        printf("  heights   %d x %d, %g m apart, %.4g m to %.4g m\n", r->nx, r->ny, r->dx, low, high);
    }
    if (made->point_count)
        printf("  mesh      %d points, %d triangles\n", made->point_count, made->triangle_count);
    if (made->part_count)
        printf("  parts     %d\n", made->part_count);
    if (made->feature_count)
        printf("  features  %d (.csv lists them)\n", made->feature_count);
    for (int i = 0; i < args->file_count; i++)
        printf("  written   %s\n", args->files[i]);
}

static CliExit make_and_write(RiContext *ctx, const MakeArgs *args, const RiMakeKind *kind,
                              const RiMakeSetting *settings)
{
    RiMade *made = NULL;
    const RiStatus status = ri_make(ctx, kind, args->setting_count, settings, args->seed, &made);
    if (status != RI_OK)
        return cli_fail(ctx, status);
    CliExit code = CLI_DONE;
    for (int i = 0; code == CLI_DONE && i < args->file_count; i++)
        code = write_file(ctx, args, made, args->files[i]);
    if (code == CLI_DONE)
        print_made(args, made);
    ri_made_destroy(made);
    return code;
}

static CliExit run(const MakeArgs *args, const RiMakeKind *kind)
{
    RiMakeSetting settings[MOST_SETTINGS];
    for (int i = 0; i < args->file_count; i++) {
        const char *missing = missing_for(args->files[i], kind);
        if (missing) {
            cli_error("%s: %s %s", args->files[i], kind->name, missing);
            return CLI_BAD_INPUT;
        }
    }
    RiContext *ctx = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    CliExit code = CLI_DONE;
    for (int i = 0; code == CLI_DONE && i < args->setting_count; i++)
        code = read_setting(ctx, kind, args->settings[i], &settings[i]);
    if (code == CLI_DONE)
        code = make_and_write(ctx, args, kind, settings);
    ri_context_destroy(ctx);
    return code;
}

static void read_seed(MakeArgs *args, const char *text, struct argp_state *state)
{
    char *end;
    errno = 0;
    args->seed = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno)
        argp_error(state, "--seed is a whole number from 0 to 18446744073709551615, not '%s'", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    MakeArgs *args = state->input;
    switch (key) {
    case 's':
        if (!strchr(text, '=') || *text == '=')
            argp_error(state, "--set expects NAME=VALUE, not '%s'", text);
        if (args->setting_count == MOST_SETTINGS)
            argp_error(state, "more than %d settings", MOST_SETTINGS);
        args->settings[args->setting_count++] = text;
        return 0;
    case 'o':
    case OPT_PNG:
        if (args->file_count == MOST_FILES)
            argp_error(state, "more than %d files", MOST_FILES);
        if (key == OPT_PNG && !ends_with(text, "png"))
            argp_error(state, "--png expects a name that ends in .png, not '%s'", text);
        args->files[args->file_count++] = text;
        return 0;
    case OPT_SEED:
        read_seed(args, text, state);
        return 0;
    case OPT_LIST:
        args->list = true;
        return 0;
    case ARGP_KEY_ARG:
        if (args->kind)
            argp_error(state, "'%s' is one argument too many", text);
        args->kind = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/// "make KIND --help" in any order: then the kind explains itself.
static const RiMakeKind *asked_about(int argc, char **argv)
{
    const RiMakeKind *kind = NULL;
    bool help = false;
    for (int i = 1; i < argc; i++) {
        help |= strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-?") == 0;
        kind = kind ? kind : ri_make_kind_find(argv[i]);
    }
    return help ? kind : NULL;
}

int terrain_make(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {.name = "set", .key = 's', .arg = "NAME=VALUE", .doc = "Set a parameter: wavelength='3 m' (may be repeated)"},
        {.name = "seed",
         .key = OPT_SEED,
         .arg = "N",
         .doc = "Of the random numbers; equal seeds give equal bits. Default 1"},
        {.name = "out",
         .key = 'o',
         .arg = "FILE",
         .doc = "Write .tif .asc .dat (heights), .ply .obj .stl (mesh), .yaml (parts), .csv (what is where), .png "
                "(picture); may be repeated"},
        {.name = "png", .key = OPT_PNG, .arg = "FILE", .doc = "Write a picture: hill shade, or the mesh from the side"},
        {.name = "list", .key = OPT_LIST, .doc = "List the kinds"},
        {0}};
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "KIND",
        .doc = "Makes terrain from laws of nature, reproducible to the bit.\v'KIND --help' lists the "
               "parameters of a kind, --list lists the kinds."};
    MakeArgs args = {.seed = 1};
    const RiMakeKind *kind = asked_about(argc, argv);
    if (kind)
        return print_kind(kind);
    if (cli_parse(&argp, argc, argv, &args) != 0)
        return cli_no_memory();
    if (!args.kind) {
        print_kinds();
        return args.list ? CLI_DONE : CLI_BAD_INPUT;
    }
    kind = find_kind(args.kind);
    return !kind ? CLI_BAD_INPUT : args.list ? print_kind(kind) : run(&args, kind);
}
