// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille fmu`: a scene as an FMU for other tools.
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "commands.h"

enum { OPT_SET = 256, OPT_INPUTS, OPT_OUTPUTS, OPT_PARAMETERS, OPT_OUT, OPT_VERSION, OPT_LIBRARY };
enum { WORDS = 512 };

typedef struct Words {
    const char *at[WORDS];
    int count;
} Words;

typedef struct FmuArgs {
    const char *scene, *out, *library;
    RiSetting *settings;
    int setting_count, version;
    Words inputs, outputs, parameters;
} FmuArgs;

/// Names separated by commas, in place.
static void add_words(Words *w, char *text, struct argp_state *state)
{
    for (char *save = NULL, *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        if (w->count == WORDS)
            argp_error(state, "at most %d names", WORDS);
        w->at[w->count++] = word;
    }
}

static error_t parse_word(int key, char *text, struct argp_state *state)
{
    FmuArgs *a = state->input;
    switch (key) {
    case OPT_SET:
        return cli_add_setting(&a->settings, &a->setting_count, text, state);
    case OPT_INPUTS:
        add_words(&a->inputs, text, state);
        return 0;
    case OPT_OUTPUTS:
        add_words(&a->outputs, text, state);
        return 0;
    case OPT_PARAMETERS:
        add_words(&a->parameters, text, state);
        return 0;
    case OPT_OUT:
        a->out = text;
        return 0;
    case OPT_LIBRARY:
        a->library = text;
        return 0;
    case OPT_VERSION:
        if (strcmp(text, "2") != 0 && strcmp(text, "3") != 0)
            argp_error(state, "--fmi expects 2 or 3, not '%s'", text);
        a->version = *text - '0';
        return 0;
    case ARGP_KEY_ARG:
        if (a->scene)
            argp_error(state, "'%s' is one argument too many", text);
        a->scene = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->scene)
            argp_error(state, "the scene is missing");
        if (a->outputs.count == 0)
            argp_error(state, "--outputs is missing: names or globs of values, separated by commas");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {.name = "inputs",
     .key = OPT_INPUTS,
     .arg = "NAMES",
     .doc = "Values that the other tool sets: names or globs, separated by commas"},
    {.name = "outputs", .key = OPT_OUTPUTS, .arg = "NAMES", .doc = "Values that it reads"},
    {.name = "parameters", .key = OPT_PARAMETERS, .arg = "NAMES", .doc = "Values that its users can change"},
    {.name = "out", .key = OPT_OUT, .arg = "FILE.fmu", .doc = "File to write (SCENE.fmu by default)"},
    {.name = "fmi", .key = OPT_VERSION, .arg = "2|3", .doc = "Version of FMI: 2.0 (unless given) or 3.0"},
    {.name = "set", .key = OPT_SET, .arg = "NAME=VALUE", .doc = "As for 'rille run'"},
    {.name = "library",
     .key = OPT_LIBRARY,
     .arg = "FILE.so",
     .doc = "The FMU library (rille-fmu.so beside this program by default)"},
    {0}};

static const char doc[] =
    "Writes a scene as an FMU for co-simulation: one file that holds the program, its libraries and every file of the "
    "scene (docs/fmi.md).\v"
    "Example: rille fmu fido_tilt_table --inputs 'wheel_*.command' --outputs 'base.*' --out fido.fmu";

/// The FMU library: beside this program, or where it is installed.
static bool find_library(char out[PATH_MAX])
{
    char folder[PATH_MAX];
    static const char *const places[] = {"rille-fmu.so", "../libexec/rille/rille-fmu.so"};
    for (int i = 0; i < 2 && cli_program_folder(folder); i++)
        if (snprintf(out, PATH_MAX, "%.*s/%s", PATH_MAX - 64, folder, places[i]) < PATH_MAX && access(out, R_OK) == 0)
            return true;
    snprintf(out, PATH_MAX, "%s/rille-fmu.so", RILLE_TOOLS_INSTALL);
    return access(out, R_OK) == 0;
}

static CliExit write_fmu(RiContext *ctx, const FmuArgs *a, const char *scene, const char *library, const char *out)
{
    static RiPaths paths;
    struct stat info;
    RiSceneOptions o = ri_scene_options_default();
    RiFmuOptions f = ri_fmu_options_default();
    ri_paths_default(NULL, &paths);
    ri_paths_use(&paths, &o);
    o.cache = NULL; // a baked grid in the cache would hide the files it was baked from
    o.settings = a->settings;
    o.setting_count = a->setting_count;
    f.version = a->version;
    f.inputs = a->inputs.at;
    f.input_count = a->inputs.count;
    f.outputs = a->outputs.at;
    f.output_count = a->outputs.count;
    f.parameters = a->parameters.at;
    f.parameter_count = a->parameters.count;
    f.library = library;
    const RiStatus status = ri_fmu_export(ctx, scene, &o, &f, out);
    if (status != RI_OK)
        return cli_fail(ctx, status);
    printf("%s: FMI %d.0, %.1f MB\n", out, a->version, stat(out, &info) == 0 ? 1e-6 * (double)info.st_size : 0.0);
    return CLI_DONE;
}

int cmd_fmu(int argc, char **argv)
{
    const struct argp argp = {.options = options, .parser = parse_word, .args_doc = "SCENE", .doc = doc};
    FmuArgs *a = calloc(1, sizeof *a);
    char scene[PATH_MAX], library[PATH_MAX], out[PATH_MAX];
    RiContext *ctx = NULL;
    CliExit code = CLI_BAD_INPUT;
    if (!a)
        return cli_no_memory();
    a->version = 2;
    if (cli_parse(&argp, argc, argv, a) != 0)
        code = CLI_BAD_INPUT;
    else if (!a->library && !find_library(library)) {
        cli_error(
            "the FMU library rille-fmu.so is not beside this program; build the target rille_fmu, or give --library");
        code = CLI_ENVIRONMENT;
    } else if (cli_find_scene(a->scene, scene) && ri_context_create(NULL, &ctx) == RI_OK) {
        const char *slash = strrchr(a->scene, '/');
        snprintf(out, sizeof out, "%.*s.fmu", (int)strcspn(slash ? slash + 1 : a->scene, "."),
                 slash ? slash + 1 : a->scene);
        code = write_fmu(ctx, a, scene, a->library ? a->library : library, a->out ? a->out : out);
    }
    ri_context_destroy(ctx);
    free(a->settings);
    free(a);
    return code;
}
