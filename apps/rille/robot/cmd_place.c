// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille place SCENE`: runs the placement of a scene and reports what came of it.
///
/// Exit status: 0 placed, 1 not placed, 2 bad input, 3 environment.
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "json.h"
#include "run/run.h"
#include "terrain/terrain.h"

enum { OPT_SET = 256, OPT_OUT, OPT_JSON };

typedef struct PlaceArgs {
    const char *scene, *out;
    RiSetting *settings;
    int setting_count;
    bool json;
} PlaceArgs;

static error_t parse_word(int key, char *text, struct argp_state *state)
{
    PlaceArgs *args = state->input;
    switch (key) {
    case OPT_SET:
        return cli_add_setting(&args->settings, &args->setting_count, text, state);
    case OPT_OUT:
        args->out = text;
        return 0;
    case OPT_JSON:
        args->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (args->scene)
            argp_error(state, "'%s' is one argument too many", text);
        args->scene = text;
        return 0;
    case ARGP_KEY_END:
        if (!args->scene)
            argp_error(state, "the scene is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {.name = "set", .key = OPT_SET, .arg = "NAME=VALUE", .doc = "As for 'rille run'"},
    {.name = "out", .key = OPT_OUT, .arg = "FILE", .doc = "Write a scene that starts where the robot was placed"},
    {.name = "json", .key = OPT_JSON, .doc = "Print the report as JSON"},
    {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse_word,
    .args_doc = "SCENE",
    .doc = "Finds where the robot of a scene with the key 'place' starts, and reports how well it touches and holds.\v"
           "Exit codes: 0 placed, 1 not placed, 2 bad input, 3 environment."};

// --- report --------------------------------------------------------------------------------------

static const char *link_name(const RiScene *scene, int link)
{
    return ri_model_link(ri_sim_model(ri_scene_sim(scene)), link).name;
}

static void print_tries(const RiPlaceReport *r)
{
    printf("\nattempt  ended in  time [s]   steps  touching  deepest [mm]  fastest [mm/s]  because\n");
    for (int i = 0; i < r->try_count; i++) {
        const RiPlaceTry *t = &r->tries[i];
        printf("%7d  %-8s  %8.3f  %6d  %4d/%-3d  %12.3f  %14.3g  %s\n", i + 1, ri_place_stage_name(t->stage), t->time,
               t->steps, t->touching, r->meant, 1e3 * t->penetration, 1e3 * t->speed, t->text);
    }
}

/// `scene` is NULL or not built where the placement failed: links have no names then.
static void print_report(const RiScene *scene, const RiPlaceReport *r)
{
    printf("%s\n", r->text);
    print_tries(r);
    if (!r->placed)
        return;
    printf("\nlink                      module  meant  touches    gap [mm]  pressing [N]  friction left\n");
    for (int i = 0; i < r->link_count; i++) {
        const RiPlaceLink *l = &r->links[i];
        printf("%-26s%6d  %-5s  %7d  %10.3f  %12.2f  ", link_name(scene, l->link), l->module, l->meant ? "yes" : "no",
               l->touches, 1e3 * l->gap, l->pressing);
        printf(l->touches ? "%13.2f\n" : "            -\n", l->reserve);
    }
    printf("\ndeepest penetration  %.3f mm\ncreep                %.3g mm in the second half of the hold\n",
           1e3 * r->penetration, 1e3 * r->creep);
    printf("friction left        %.2f at the worst touch, %.2f of all\npressing             %.3g N for each touch\n",
           r->margin, r->reserve, r->press);
    printf("most loaded joint    %s: %.2f of its effort\n", r->weakest[0] ? r->weakest : "-", r->effort);
}

static void json_tries(Json *j, const RiPlaceReport *r)
{
    json_open(j, "attempts", '[');
    for (int i = 0; i < r->try_count; i++) {
        const RiPlaceTry *t = &r->tries[i];
        json_open(j, NULL, '{');
        json_string(j, "stage", ri_place_stage_name(t->stage));
        json_number(j, "time", t->time);
        json_int(j, "steps", t->steps);
        json_int(j, "touching", t->touching);
        json_number(j, "penetration", t->penetration);
        json_number(j, "speed", t->speed);
        json_int(j, "joints_at_limit", t->at_limit);
        json_string(j, "text", t->text);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void json_links(Json *j, const RiScene *scene, const RiPlaceReport *r)
{
    json_open(j, "links", '[');
    for (int i = 0; i < r->link_count; i++) {
        const RiPlaceLink *l = &r->links[i];
        json_open(j, NULL, '{');
        json_string(j, "link", link_name(scene, l->link));
        json_int(j, "module", l->module);
        json_bool(j, "meant", l->meant);
        json_int(j, "touches", l->touches);
        json_number(j, "gap", l->gap);
        json_number(j, "pressing", l->pressing);
        json_number(j, "reserve", l->reserve);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void print_json(const RiScene *scene, const RiPlaceReport *r)
{
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_bool(&j, "placed", r->placed);
    json_string(&j, "text", r->text);
    json_int(&j, "meant", r->meant);
    json_int(&j, "touching", r->touching);
    json_number(&j, "gap", r->gap);
    json_number(&j, "penetration", r->penetration);
    json_number(&j, "margin", r->margin);
    json_number(&j, "reserve", r->reserve);
    json_number(&j, "creep", r->creep);
    json_number(&j, "speed", r->speed);
    json_number(&j, "press", r->press);
    json_number(&j, "effort", r->effort);
    json_string(&j, "weakest", r->weakest);
    json_tries(&j, r);
    if (r->placed)
        json_links(&j, scene, r);
    json_numbers(&j, "q", r->q, r->nq);
    json_close(&j, '}');
}

// --- command -------------------------------------------------------------------------------------

static CliExit place(RiContext *ctx, const PlaceArgs *args)
{
    char path[PATH_MAX];
    RiScene *scene = NULL;
    if (!cli_find_scene(args->scene, path))
        return CLI_BAD_INPUT;
    RiSceneOptions o = ri_scene_options_default();
    o.settings = args->settings;
    o.setting_count = args->setting_count;
    RiStatus status = cli_open_scene(ctx, path, o, &scene);
    const RiPlaceReport *r = scene ? ri_scene_placement(scene) : NULL;
    CliExit code = status == RI_OK ? CLI_DONE : cli_exit_code(status);
    if (status == RI_OK && !r) {
        cli_error("%s: the scene has no key 'place', which says what shape to look for (docs/placement.md)", path);
        code = CLI_BAD_INPUT;
    } else if (r && (status == RI_OK || !r->placed)) {
        (args->json ? print_json : print_report)(scene, r);
        if (status == RI_OK && args->out && (status = ri_scene_save(scene, args->out)) != RI_OK)
            code = cli_fail(ctx, status);
    } else {
        code = cli_fail(ctx, status);
    }
    ri_scene_destroy(scene);
    return code;
}

int cmd_place(int argc, char **argv)
{
    PlaceArgs args = {0};
    RiContext *ctx = NULL;
    CliExit code = CLI_BAD_INPUT;
    if (cli_parse(&argp, argc, argv, &args) == 0)
        code = ri_context_create(NULL, &ctx) == RI_OK ? place(ctx, &args) : cli_no_memory();
    ri_context_destroy(ctx);
    free(args.settings);
    return code;
}
