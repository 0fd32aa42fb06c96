// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille view`: scenes live, or logs, in the browser.
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "optics/optics.h"
#include "view/view.h"

enum {
    OPT_SET = 256,
    OPT_PORT,
    OPT_LISTEN,
    OPT_TOKEN,
    OPT_ORIGIN,
    OPT_SPEED,
    OPT_PAUSED,
    OPT_NO_OPEN,
    OPT_PNG,
    OPT_VIDEO,
    OPT_CAMERA,
    OPT_LAYERS,
    OPT_RENDERER,
    OPT_AT,
    OPT_FROM,
    OPT_TO,
    OPT_FPS,
    OPT_SIZE
};

// --- words ---------------------------------------------------------------------------------------

static double parse_number(const char *text, const char *option, double low, double high, struct argp_state *state)
{
    double x;
    if (!cli_parse_number(text, &x) || x < low || x > high)
        argp_error(state, "--%s expects a number from %g to %g, not '%s'", option, low, high, text);
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

/// "1280x720".
static void parse_size(ViewArgs *args, const char *text, struct argp_state *state)
{
    int used = 0;
    if (sscanf(text, "%5dx%5d%n", &args->width, &args->height, &used) != 2 || text[used] || args->width < 16 ||
        args->height < 16 || args->width > 8192 || args->height > 8192)
        argp_error(state, "--size expects WIDTHxHEIGHT, each from 16 to 8192, not '%s'", text);
}

static void check_pictures(const ViewArgs *args, struct argp_state *state)
{
    const char *dot = args->png ? strrchr(args->png, '.') : NULL;
    if (args->png && strncmp(args->png, "/dev/", 5) != 0 && (!dot || strcasecmp(dot, ".png") != 0))
        argp_error(state, "--png: '%s' does not end in .png", args->png);
    if (args->png && args->video)
        argp_error(state, "--png and --video do not go together");
    if (!view_draws(args) && (args->camera || args->layers || !isnan(args->at)))
        argp_error(state, "--camera, --layers and --at are for --png and --video");
    if (!args->video && (!isnan(args->from) || !isnan(args->to)))
        argp_error(state, "--from and --to are for --video");
    if (args->rays && !args->png && !args->video)
        argp_error(state, "--renderer rays draws with --png or --video");
    if (args->video && !isnan(args->at))
        argp_error(state, "--at is for --png; --video has --from and --to");
}

/// Options of pictures; false if it is another one.
static bool parse_picture(ViewArgs *args, int key, char *text, struct argp_state *state)
{
    const double longest = 1e9;
    switch (key) {
    case OPT_PNG:
        args->png = text;
        return true;
    case OPT_VIDEO:
        args->video = text;
        return true;
    case OPT_CAMERA:
        args->camera = text;
        return true;
    case OPT_LAYERS:
        args->layers = text;
        return true;
    case OPT_RENDERER:
        args->rays = strcmp(text, "rays") == 0;
        if (!args->rays && strcmp(text, "page") != 0)
            argp_error(state, "--renderer expects page or rays, not '%s'", text);
        return true;
    case OPT_AT:
        args->at = parse_number(text, "at", 0, longest, state);
        return true;
    case OPT_FROM:
        args->from = parse_number(text, "from", 0, longest, state);
        return true;
    case OPT_TO:
        args->to = parse_number(text, "to", 0, longest, state);
        return true;
    case OPT_FPS:
        args->fps = parse_number(text, "fps", 0.1, 240, state);
        return true;
    case OPT_SIZE:
        parse_size(args, text, state);
        return true;
    default:
        return false;
    }
}

static error_t parse_word(int key, char *text, struct argp_state *state)
{
    ViewArgs *args = state->input;
    if (parse_picture(args, key, text, state))
        return 0;
    switch (key) {
    case OPT_SET:
        return cli_add_setting(&args->settings, &args->setting_count, text, state);
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
        check_pictures(args, state);
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
     .doc = "Simulated seconds per second (1); 0: as fast as possible"},
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
    {.name = "png", .key = OPT_PNG, .arg = "FILE", .doc = "Draw one picture without a display, and end"},
    {.name = "video",
     .key = OPT_VIDEO,
     .arg = "FILE",
     .doc = "Draw a video without a display, and end; its ending sets the format (.mp4, .webm)"},
    {.name = "camera",
     .key = OPT_CAMERA,
     .arg = "NAME",
     .doc = "orbit, chase, plan, onboard, fixed, or one of the scene"},
    {.name = "layers",
     .key = OPT_LAYERS,
     .arg = "LIST",
     .doc = "Layers of the page: contacts,ruts,axes,slope,...; of --renderer rays: axes,frusta,clouds"},
    {.name = "renderer",
     .key = OPT_RENDERER,
     .arg = "NAME",
     .doc = "page: by a browser (default); rays: by ray tracing, without one (--png or --video of one scene)"},
    {.name = "at", .key = OPT_AT, .arg = "TIME", .doc = "Moment of the picture [s] (the start)"},
    {.name = "from", .key = OPT_FROM, .arg = "TIME", .doc = "First moment of the video [s] (the start)"},
    {.name = "to", .key = OPT_TO, .arg = "TIME", .doc = "Last moment of the video [s] (the end)"},
    {.name = "fps", .key = OPT_FPS, .arg = "N", .doc = "Pictures per second of the video (25)"},
    {.name = "size", .key = OPT_SIZE, .arg = "WxH", .doc = "Of pictures [pixels] (1280x720)"},
    {0}};

static const char doc[] =
    "Shows a scene that runs, or a log, in the browser. Two scenes or two logs are shown side by side (A/B).\v"
    "The server answers on this machine only, and only to clients that know the address it prints. Ctrl-C ends it.\n"
    "Pictures and videos are drawn by Chromium on the same page (environment variable RILLE_BROWSER names another "
    "one); videos are made by ffmpeg.\n"
    "Exit codes: 0 done, 1 the run failed, 2 bad input, 3 environment.";

// --- shared --------------------------------------------------------------------------------------

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

/// Writes a page that leads to the address, readable by this user alone; false if there is no place
/// for it.
static bool write_door(const char *url, char path[PATH_MAX])
{
    const char *runtime = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
    const char *folder = runtime && *runtime ? runtime : temporary && *temporary ? temporary : "/tmp";
    snprintf(path, PATH_MAX, "%.*s/rille-view-XXXXXX.html", PATH_MAX - 64, folder);
    const int file = mkostemps(path, 5, O_CLOEXEC); // mode 0600
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (!out) {
        if (file >= 0)
            close(file);
        return false;
    }
    fprintf(out, "<!doctype html><meta http-equiv=refresh content='0;url=%s'><title>rille</title>\n", url);
    if (fclose(out) == 0)
        return true;
    unlink(path);
    return false;
}

/// In a process of its own that nobody waits for: opens the page, and removes it when the browser
/// has had time to read it.
_Noreturn static void show_door(const char *path)
{
    enum { READING = 20 };  // [s]
    close_range(3, ~0U, 0); // the lock of a run's folder and the server's sockets stay with the program
    const int nothing = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++)
        dup2(nothing, i);
    setsid();
    const pid_t child = fork();
    if (child == 0) {
        execlp("xdg-open", "xdg-open", path, (char *)NULL);
        _exit(127);
    }
    int state = 0;
    waitpid(child, &state, 0);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
        nanosleep(&(struct timespec){READING, 0}, NULL);
    unlink(path);
    _exit(0);
}

/// Every user of the machine can read command lines, so the address with its token is handed over
/// in a file of mode 0600.
static void open_browser(const char *url)
{
    char path[PATH_MAX];
    if ((!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) || !write_door(url, path))
        return; // the address is printed in any case
    const pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) // a grandchild: the system reaps it, whatever this program does
            show_door(path);
        _exit(0);
    }
    if (child < 0)
        unlink(path);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
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
    ViewArgs args = {.speed = 1.0, .at = NAN, .from = NAN, .to = NAN, .fps = 25.0, .width = 1280, .height = 720};
    CliExit code;
    if (cli_parse(&argp, argc, argv, &args) != 0) {
        code = cli_no_memory();
    } else if (args.input_count == 2 && view_is_log(args.inputs[0]) != view_is_log(args.inputs[1])) {
        cli_error("two scenes or two logs can be shown side by side, not one of each");
        code = CLI_BAD_INPUT;
    } else if (args.rays && (view_is_log(args.inputs[0]) || args.input_count != 1)) {
        cli_error("--renderer rays draws one scene");
        code = CLI_BAD_INPUT;
    } else if (args.rays && args.video) {
        code = optics_video(&args);
    } else if (args.rays) {
        code = optics_view(&args);
    } else {
        code = view_is_log(args.inputs[0]) ? view_replay(&args) : view_live(&args);
    }
    free(args.settings);
    return code;
}
