// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille contact pairs SCENE`: which law acts where what meets what, with its friction and what
/// decided it.
///
/// Exit status: 0 listed, 2 bad input, 3 environment.
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/paths.h>
#include <rille/plugin.h>
#include <rille/scene.h>

#include "cli.h"
#include "contact/contact.h"
#include "json.h"

enum { OPT_SET = 256, OPT_JSON };

typedef struct PairsArgs {
    const char *scene;
    RiSetting *settings;
    int setting_count;
    bool json;
} PairsArgs;

static error_t parse_word(int key, char *text, struct argp_state *state)
{
    PairsArgs *args = state->input;
    switch (key) {
    case OPT_SET:
        return cli_add_setting(&args->settings, &args->setting_count, text, state);
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
    {.name = "json", .key = OPT_JSON, .doc = "Print the list as JSON"},
    {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse_word,
    .args_doc = "SCENE",
    .doc = "Lists the contact laws of a scene: which one acts between which materials, its friction, and whether the "
           "pair or a material of the library gives that.\v"
           "Exit codes: 0 listed, 2 bad input, 3 environment."};

/// What meets what, by which law.
typedef struct Meeting {
    const char *robot, *material, *other;
    const RiPairDef *pair;
    RiFrictionFrom from;
    bool links;
    bool soil; ///< the law of soft soil acts in place of the pair
} Meeting;

typedef struct Listing {
    Json json;
    bool as_json;
    Meeting last; ///< features of a wheel and of a screw are many: equal ones are one row
    int rows;
} Listing;

/// Whether a pair's friction is one number.
static bool has_number(const RiContacts *c, const RiPairDef *pair)
{
    const RiContactPlugin *plugin = ri_contacts_pair_plugin(c, pair);
    return pair->law != RI_LAW_TERZAGHI && !(plugin && plugin->friction);
}

static const char *because(const RiContacts *c, const Meeting *x)
{
    if (x->soil)
        return "the law of soft soil acts, not the pair";
    if (x->pair->law == RI_LAW_TERZAGHI)
        return "the soil's friction angle";
    if (!has_number(c, x->pair))
        return "the plugin's function";
    switch (x->from) {
    case RI_FRICTION_FROM_PAIR:
        return "the pair";
    case RI_FRICTION_FROM_ROBOT:
        return "the robot's material";
    case RI_FRICTION_FROM_OTHER:
        return x->links ? "the other material" : "the ground's material";
    case RI_FRICTION_FROM_NOTHING:
        return "nothing: no material is known";
    }
    return "?";
}

static void print_json(Json *j, const RiContacts *c, const Meeting *x, const char *name)
{
    json_open(j, NULL, '{');
    json_string(j, "robot", x->robot);
    json_string(j, "material", x->material);
    json_string(j, x->links ? "with" : "ground", x->other);
    json_string(j, "pair", name);
    json_string(j, "law", x->soil ? "soil" : ri_law_name(x->pair->law));
    if (!x->soil)
        json_number(j, "friction", has_number(c, x->pair) || x->pair->law == RI_LAW_TERZAGHI ? x->pair->friction : NAN);
    json_string(j, "from", because(c, x));
    json_close(j, '}');
}

static void add(Listing *l, const RiContacts *c, Meeting x)
{
    char name[128];
    if (l->rows > 0 && strcmp(x.robot, l->last.robot) == 0 && strcmp(x.other, l->last.other) == 0 &&
        x.pair == l->last.pair)
        return;
    l->last = x;
    l->rows++;
    ri_contacts_pair_name(c, x.pair, name, sizeof name);
    if (l->as_json)
        print_json(&l->json, c, &x, name);
    else if (x.soil || !has_number(c, x.pair))
        printf("%-24s  %-12s  %-20s  %-20s  %-8s         -  %s\n", x.robot, x.material, x.other, name,
               x.soil ? "soil" : ri_law_name(x.pair->law), because(c, &x));
    else
        printf("%-24s  %-12s  %-20s  %-20s  %-8s  %8.4g  %s\n", x.robot, *x.material ? x.material : "-", x.other, name,
               ri_law_name(x.pair->law), x.pair->friction, because(c, &x));
}

static void list_ground(Listing *l, const RiSim *sim, const RiContacts *c)
{
    const RiTerrain *t = ri_contacts_terrain(c);
    for (int g = 0; t && g < ri_terrain_material_count(t); g++)
        for (int i = 0; i < ri_contacts_feature_count(c); i++) {
            const RiFeature *f = ri_contacts_feature(c, i);
            add(l, c,
                (Meeting){.robot = f->name,
                          .material = f->material,
                          .other = ri_terrain_material_name(t, g),
                          .pair = ri_contacts_pair(c, i, g),
                          .from = ri_contacts_friction_from(c, i, g),
                          .soil = ri_sim_soil_answers(sim, f->link, g)});
        }
}

static void list_links(Listing *l, const RiContacts *c)
{
    for (int a = 0; a < ri_contacts_hull_count(c); a++)
        for (int b = a + 1; b < ri_contacts_hull_count(c); b++) {
            const RiHullInfo x = ri_contacts_hull(c, a), y = ri_contacts_hull(c, b);
            const RiPairDef *p = ri_contacts_hull_pair(c, a, b);
            if (p)
                add(l, c,
                    (Meeting){.robot = x.name,
                              .material = x.material,
                              .other = y.name,
                              .pair = p,
                              .from = ri_contacts_hull_friction_from(c, a, b),
                              .links = true});
        }
}

static void list(const RiSim *sim, bool as_json)
{
    const RiContacts *c = ri_sim_contacts(sim);
    Listing l = {.json = {.out = stdout}, .as_json = as_json};
    if (as_json)
        json_open(&l.json, NULL, '[');
    else
        printf("%-24s  %-12s  %-20s  %-20s  %-8s  %8s  %s\n", "robot", "material", "ground or link", "pair", "law",
               "friction", "from");
    list_ground(&l, sim, c);
    list_links(&l, c);
    if (as_json)
        json_close(&l.json, ']');
}

static CliExit run(RiContext *ctx, const PairsArgs *args)
{
    char path[PATH_MAX];
    RiScene *scene = NULL;
    RiSceneOptions o = ri_scene_options_default();
    if (!cli_find_scene(args->scene, path))
        return CLI_BAD_INPUT;
    o.settings = args->settings;
    o.setting_count = args->setting_count;
    const RiStatus status = cli_open_scene(ctx, path, o, &scene);
    CliExit code = status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
    const RiContacts *c = status == RI_OK ? ri_sim_contacts(ri_scene_sim(scene)) : NULL;
    if (c) {
        list(ri_scene_sim(scene), args->json);
    } else if (status == RI_OK) {
        cli_error("%s: nothing of the scene can touch anything", path);
        code = CLI_BAD_INPUT;
    }
    ri_scene_destroy(scene);
    return code;
}

int contact_pairs(int argc, char **argv)
{
    PairsArgs args = {0};
    RiContext *ctx = NULL;
    CliExit code = CLI_BAD_INPUT;
    if (cli_parse(&argp, argc, argv, &args) == 0)
        code = ri_context_create(NULL, &ctx) == RI_OK ? run(ctx, &args) : cli_no_memory();
    ri_context_destroy(ctx);
    free(args.settings);
    return code;
}
