// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille view`: scenes live, or logs, in the browser.
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "view.h"

enum { OPT_SET = 256, OPT_PORT, OPT_LISTEN, OPT_TOKEN, OPT_ORIGIN, OPT_SPEED, OPT_PAUSED, OPT_NO_OPEN };

extern char **environ;

// --- words ----------------------------------------------------------------------------------------------------------

static error_t add_setting(ViewArgs *args, char *text, struct argp_state *state)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text)
        argp_error(state, "--set wants NAME=VALUE, not '%s'", text);
    RiSetting *more = realloc(args->settings, (size_t)(args->setting_count + 1) * sizeof *more);
    if (!more)
        return ENOMEM;
    *equals = '\0';
    args->settings = more;
    args->settings[args->setting_count++] = (RiSetting){text, equals + 1};
    return 0;
}

static double parse_number(const char *text, const char *option, double low, double high, struct argp_state *state)
{
    double x;
    if (!cli_parse_number(text, &x) || x < low || x > high)
        argp_error(state, "--%s wants a number from %g to %g, not '%s'", option, low, high, text);
    return x;
}

static void add_input(ViewArgs *args, const char *text, struct argp_state *state)
{
    if (args->input_count == VIEW_INPUTS)
        argp_error(state, "'%s' is one argument too many: one or two scenes, or one or two logs", text);
    args->inputs[args->input_count++] = text;
}

static void add_origin(ViewArgs *args, const char *text, struct argp_state *state)
{
    if (args->origin_count == VIEW_ORIGINS)
        argp_error(state, "--allow-origin at most %d times", VIEW_ORIGINS);
    args->origins[args->origin_count++] = text;
}

static error_t parse_word(int key, char *text, struct argp_state *state)
{
    ViewArgs *args = state->input;
    switch (key) {
    case OPT_SET:
        return add_setting(args, text, state);
    case OPT_PORT:
        args->port = (int)parse_number(text, "port", 0, 65535, state);
        return 0;
    case OPT_LISTEN:
        args->listen = text;
        return 0;
    case OPT_TOKEN:
        args->token = text;
        return 0;
    case OPT_ORIGIN:
        add_origin(args, text, state);
        return 0;
    case OPT_SPEED:
        args->speed = parse_number(text, "speed", 0, 1e6, state);
        return 0;
    case OPT_PAUSED:
        args->paused = true;
        return 0;
    case OPT_NO_OPEN:
        args->no_open = true;
        return 0;
    case ARGP_KEY_ARG:
        add_input(args, text, state);
        return 0;
    case ARGP_KEY_END:
        if (args->input_count == 0)
            argp_error(state, "a scene or a log is missing; 'rille run --list-scenes' lists scenes");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {.name = "set",
     .key = OPT_SET,
     .arg = "NAME=VALUE",
     .doc = "As for 'rille run': a key, parameter or value of the scene"},
    {.name = "speed",
     .key = OPT_SPEED,
     .arg = "FACTOR",
     .doc = "Simulated seconds per second (1); 0: as fast as it goes"},
    {.name = "paused", .key = OPT_PAUSED, .doc = "Wait at the start"},
    {.name = "no-open", .key = OPT_NO_OPEN, .doc = "Print the address, do not open a browser"},
    {.name = "port", .key = OPT_PORT, .arg = "N", .doc = "Port of the server (a free one)"},
    {.name = "listen",
     .key = OPT_LISTEN,
     .arg = "ADDRESS",
     .doc = "IPv4 address to listen at (127.0.0.1: this machine only; 0.0.0.0: all)"},
    {.name = "token",
     .key = OPT_TOKEN,
     .arg = "TEXT",
     .doc = "The secret in the address, 16 to 64 letters and digits (random)"},
    {.name = "allow-origin",
     .key = OPT_ORIGIN,
     .arg = "URL",
     .doc = "Let pages of another server connect, such as https://app.foxglove.dev; may be repeated"},
    {0}};

static const char doc[] =
    "Shows a scene that runs, or a log, in the browser. Two of a kind are shown side by side (A/B).\v"
    "The server answers on this machine only, and only to who knows the address it prints. Ctrl-C ends it.\n"
    "Exit codes: 0 done, 1 the run failed, 2 bad input, 3 environment.";

// --- shared -----------------------------------------------------------------------------------------------------------

bool view_is_log(const char *word)
{
    const char *dot = strrchr(word, '.');
    return dot && strcmp(dot, ".mcap") == 0;
}

RiStatus view_start(RiContext *ctx, const ViewArgs *args, bool replay, double start, double end, RiView **out_view)
{
    RiViewOptions o = ri_view_options_default();
    o.listen = args->listen;
    o.port = args->port;
    o.token = args->token;
    o.origins = args->origins;
    o.origin_count = args->origin_count;
    o.replay = replay;
    o.start = start;
    o.end = end;
    RI_TRY(ri_view_create(ctx, &o, out_view));
    if (args->listen && strncmp(args->listen, "127.", 4) != 0)
        cli_error(
            "warning: the server listens at %s: whoever reaches it and knows the token can steer this run; nothing "
            "is encrypted",
            args->listen);
    return RI_OK;
}

static void open_browser(const char *url)
{
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return;
    char program[] = "xdg-open", *address = strdup(url);
    char *const argv[] = {program, address, NULL};
    posix_spawn_file_actions_t quiet;
    pid_t child;
    if (!address || posix_spawn_file_actions_init(&quiet) != 0) {
        free(address);
        return;
    }
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    (void)posix_spawnp(&child, program, &quiet, NULL, argv, environ); // the address is printed in any case
    posix_spawn_file_actions_destroy(&quiet);
    free(address);
}

void view_announce(const ViewArgs *args, const RiView *view)
{
    printf("%s\n", ri_view_url(view));
    fflush(stdout);
    if (!args->no_open)
        open_browser(ri_view_url(view));
}

void view_nap(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&t, NULL);
}

int cmd_view(int argc, char **argv)
{
    const struct argp argp = {
        .options = options, .parser = parse_word, .args_doc = "SCENE [SCENE]\nLOG.mcap [LOG.mcap]", .doc = doc};
    ViewArgs args = {.speed = 1.0, .at = NAN, .from = NAN, .to = NAN};
    CliExit code;
    if (argp_parse(&argp, argc, argv, 0, NULL, &args) != 0) {
        code = cli_no_memory();
    } else if (args.input_count == 2 && view_is_log(args.inputs[0]) != view_is_log(args.inputs[1])) {
        cli_error("two scenes or two logs can be shown side by side, not one of each");
        code = CLI_BAD_INPUT;
    } else {
        code = view_is_log(args.inputs[0]) ? view_replay(&args) : view_live(&args);
    }
    free(args.settings);
    return code;
}
