// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille keys`: the keys of scene files with defaults, ranges and meanings, from the tables that
/// read them.
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "commands.h"

typedef struct KeysArgs {
    const char *section; ///< NULL: all
    bool markdown;
} KeysArgs;

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    KeysArgs *args = state->input;
    if (key == 'm')
        args->markdown = true;
    else if (key == ARGP_KEY_ARG && state->arg_num == 0)
        args->section = arg;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static void print_text(const RiSceneKey *k)
{
    printf("  %s%s%-16s %s\n", k->section, *k->section ? "." : "", k->key, k->doc);
    printf("      %s%s%sallowed: %s\n", *k->initial ? "default: " : "", k->initial, *k->initial ? "; " : "",
           k->allowed);
}

static void print_markdown(const RiSceneKey *k, bool first)
{
    if (first)
        printf("| key | default | allowed | meaning |\n|---|---|---|---|\n");
    printf("| `%s` | %s | %s | %s |\n", k->key, k->initial, k->allowed, k->doc);
}

static bool is_wanted(const KeysArgs *args, const RiSceneKey *k)
{
    return !args->section || strcmp(args->section, *k->section ? k->section : "scene") == 0;
}

int cmd_keys(int argc, char **argv)
{
    static const struct argp_option options[] = {{"markdown", 'm', NULL, 0, "print the rows of a Markdown table", 0},
                                                 {0}};
    static const struct argp argp = {
        options,
        parse_option,
        "[SECTION]",
        "Lists the keys of scene files with defaults, allowed values and meanings.\v"
        "SECTION is scene (the top level) or a key that holds a mapping: log, checkpoint, sun, contact, soil, stance, "
        "place, place.attract, place.hold.",
        NULL,
        NULL,
        NULL};
    KeysArgs args = {.section = NULL};
    int shown = 0;
    if (cli_parse(&argp, argc, argv, &args) != 0)
        return CLI_BAD_INPUT;
    for (int i = 0; i < ri_scene_key_count(); i++) {
        const RiSceneKey k = ri_scene_key_get(i);
        if (!is_wanted(&args, &k))
            continue;
        if (args.markdown)
            print_markdown(&k, shown == 0);
        else
            print_text(&k);
        shown++;
    }
    if (shown > 0)
        return CLI_DONE;
    cli_error("there is no section '%s' with keys; 'rille keys --help' lists them", args.section);
    return CLI_BAD_INPUT;
}
