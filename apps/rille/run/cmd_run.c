// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille run`: simulates a scene.
///
///     scene -> simulation (-> checkpoint's state) -> folder, log -> ticks -> summary, report -> exit code
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "run/run.h"
#include "terrain/terrain.h"

enum {
    OPT_SET = 256,
    OPT_OUT,
    OPT_DURATION,
    OPT_REALTIME,
    OPT_SAVE_CONFIG,
    OPT_RESUME,
    OPT_LIST,
    OPT_PARAMETERS,
    OPT_RUTS,
    OPT_LIST_SCENES,
    OPT_JSON,
    OPT_ROBOT,
    OPT_VIEW,
    OPT_PICTURES,
    OPT_DUMP_CONTACT,
    OPT_SERVE,
    OPT_SERVE_WAIT,
    OPT_SERVE_LOST,
    OPT_SERVE_PATIENCE,
    OPT_SERVE_TOKEN,
    OPT_REPLAY,
    OPT_REPLAY_MAP,
    OPT_ROS2,
    OPT_ROS1
};

// --- words ---------------------------------------------------------------------------------------

static error_t add_package(RunArgs *args, const char *folder)
{
    const char **more = realloc(args->packages, (size_t)(args->package_count + 1) * sizeof *more);
    if (!more)
        return ENOMEM;
    args->packages = more;
    args->packages[args->package_count++] = folder;
    return 0;
}

/// The factor may follow as a word of its own if it is a number.
static void parse_factor(RunArgs *args, const char *text, struct argp_state *state)
{
    args->realtime = true;
    args->factor = 1.0;
    double unused;
    if (!text && state->next < state->argc && cli_parse_number(state->argv[state->next], &unused))
        text = state->argv[state->next++];
    if (text && (!cli_parse_number(text, &args->factor) || !(args->factor > 0.0)))
        argp_error(state, "--realtime expects a factor above 0, not '%s'", text);
}

static void parse_view(RunArgs *args, const char *text, struct argp_state *state)
{
    double port = 0.0;
    if (text && (!cli_parse_number(text, &port) || port < 0.0 || port > 65535.0 || port != floor(port)))
        argp_error(state, "--view expects a port from 0 to 65535, not '%s'", text);
    args->view = true;
    args->view_port = (int)port;
}

/// A path with a slash is a local socket; else [ADDRESS:]PORT.
static void parse_serve(RunArgs *args, char *text, struct argp_state *state)
{
    static char here[] = "127.0.0.1";
    double port;
    args->serve = true;
    if (!text)
        return;
    if (strchr(text, '/')) {
        args->serve_path = text;
        return;
    }
    char *colon = strrchr(text, ':');
    if (!cli_parse_number(colon ? colon + 1 : text, &port) || port < 0.0 || port > 65535.0 || port != floor(port))
        argp_error(state,
                   "--serve expects a path with a slash, or [ADDRESS:]PORT with a port from 0 to 65535, not '%s'",
                   text);
    args->serve_port = (int)port;
    args->serve_address = colon ? text : here;
    if (colon)
        *colon = '\0';
}

static void parse_lost(RunArgs *args, const char *text, struct argp_state *state)
{
    static const char *const words[] = {
        [RI_SERVE_LOST_PAUSE] = "pause", [RI_SERVE_LOST_RUN] = "run", [RI_SERVE_LOST_STOP] = "stop"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            args->serve_lost = (RiServeLost)i;
            return;
        }
    argp_error(state, "--serve-lost expects pause, run or stop, not '%s'", text);
}

static void parse_patience(RunArgs *args, const char *text, struct argp_state *state)
{
    if (!cli_parse_number(text, &args->serve_patience) || args->serve_patience <= 0.0)
        argp_error(state, "--serve-patience expects seconds above 0, not '%s'", text);
}

/// "/cmd:*.velocity=motor_*.target_rate": splits in place.
static error_t add_map(RunArgs *args, char *text, struct argp_state *state)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !strchr(text, ':'))
        argp_error(state, "--replay-map expects TOPIC:FIELD=VALUE, not '%s'", text);
    RiSetting *more = realloc(args->replay_map, (size_t)(args->replay_map_count + 1) * sizeof *more);
    if (!more)
        return ENOMEM;
    *equals = '\0';
    args->replay_map = more;
    args->replay_map[args->replay_map_count++] = (RiSetting){text, equals + 1};
    return 0;
}

/// Words that are missing, or do not go together.
static void check_words(const RunArgs *args, struct argp_state *state)
{
    if (!args->scene && !args->list_scenes)
        argp_error(state, "the scene is missing; 'rille run --list-scenes' lists them");
    if (args->view && args->interactive)
        argp_error(state,
                   "--view and --interactive do not go together; 'rille view SCENE' can be steered from the page");
    if (args->replay_map_count && !args->replay)
        argp_error(state, "--replay-map needs --replay-commands");
    if (args->ros && (args->interactive || args->view || args->serve || args->realtime))
        argp_error(state,
                   "--ros2 and --ros1 keep the pace themselves (scene key ros.pace): they do not go together with "
                   "--interactive, --view, --serve and --realtime");
    if (args->serve && (args->view || args->interactive))
        argp_error(state, "--serve does not go together with --view or --interactive: one of them owns time");
}

static error_t parse_word(int key, char *text, struct argp_state *state)
{
    RunArgs *args = state->input;
    switch (key) {
    case OPT_SET:
        return cli_add_setting(&args->settings, &args->setting_count, text, state);
    case 'p':
        return add_package(args, text);
    case OPT_OUT:
        args->out = text;
        return 0;
    case OPT_DURATION:
        return cli_push_setting(&args->settings, &args->setting_count, "duration", text);
    case OPT_REALTIME:
        parse_factor(args, text, state);
        return 0;
    case OPT_SAVE_CONFIG:
        args->save_config = text;
        return 0;
    case OPT_RESUME:
        args->resume = text;
        return 0;
    case OPT_DUMP_CONTACT:
        args->dump_contact = text;
        return 0;
    case OPT_RUTS:
        args->ruts = text;
        return 0;
    case OPT_LIST:
        args->list = text;
        return 0;
    case OPT_PARAMETERS:
        args->parameters = true;
        return 0;
    case OPT_VIEW:
        parse_view(args, text, state);
        return 0;
    case OPT_ROS2:
    case OPT_ROS1:
        args->ros = true;
        args->ros1 = key == OPT_ROS1;
        return 0;
    case OPT_SERVE:
        parse_serve(args, text, state);
        return 0;
    case OPT_SERVE_WAIT:
        args->serve = args->serve_wait = true;
        return 0;
    case OPT_SERVE_LOST:
        parse_lost(args, text, state);
        return 0;
    case OPT_SERVE_PATIENCE:
        parse_patience(args, text, state);
        return 0;
    case OPT_SERVE_TOKEN:
        args->serve_token = text;
        return 0;
    case OPT_REPLAY:
        args->replay = text;
        return 0;
    case OPT_REPLAY_MAP:
        return add_map(args, text, state);
    case OPT_PICTURES:
        args->pictures = true;
        return 0;
    case OPT_ROBOT:
        args->robot = text;
        return 0;
    case OPT_LIST_SCENES:
        args->list_scenes = true;
        return 0;
    case OPT_JSON:
        args->json = true;
        return 0;
    case 'i':
        args->interactive = true;
        return 0;
    case 'q':
        args->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (args->scene)
            argp_error(state, "'%s' is one argument too many", text);
        args->scene = text;
        return 0;
    case ARGP_KEY_END:
        check_words(args, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {.name = "set",
     .key = OPT_SET,
     .arg = "NAME=VALUE",
     .doc = "Set a key or parameter of the scene, a parameter of its robot (robot.NAME), or any named value (\"--set "
            "'elbow.position=20 deg'\")"},
    {.name = "package-path",
     .key = 'p',
     .arg = "DIR",
     .doc = "Folder searched for package://NAME and $(find NAME) of the robot, besides the scene's 'packages', "
            "ROS_PACKAGE_PATH and AMENT_PREFIX_PATH; may be repeated"},
    {.name = "out", .key = OPT_OUT, .arg = "DIR", .doc = "Folder for the files of the run (out/SCENE by default)"},
    {.name = "duration",
     .key = OPT_DURATION,
     .arg = "T",
     .doc = "Simulated time at which the run ends (\"10\", \"2 min\")"},
    {.name = "realtime",
     .key = OPT_REALTIME,
     .arg = "FACTOR",
     .flags = OPTION_ARG_OPTIONAL,
     .doc = "Run at most FACTOR times real time (1 by default)"},
    {.name = "view",
     .key = OPT_VIEW,
     .arg = "PORT",
     .flags = OPTION_ARG_OPTIONAL,
     .doc = "Let a browser watch and steer the run; prints the address (see 'rille view')"},
    {.name = "serve",
     .key = OPT_SERVE,
     .arg = "PATH|[ADDRESS:]PORT",
     .flags = OPTION_ARG_OPTIONAL,
     .doc = "Let other programs read, set and step (docs/variable-server.md): at a local socket (DIR/serve.sock unless "
            "given), or by TCP on this machine unless another address is given; may be given twice"},
    {.name = "serve-wait", .key = OPT_SERVE_WAIT, .doc = "With a server: no tick before a client asks for it"},
    {.name = "serve-lost",
     .key = OPT_SERVE_LOST,
     .arg = "pause|run|stop",
     .doc = "What happens when a client that steps the simulation is gone (pause by default)"},
    {.name = "serve-patience",
     .key = OPT_SERVE_PATIENCE,
     .arg = "SECONDS",
     .doc = "A client that steps and is silent for this long is treated as gone"},
    {.name = "serve-token",
     .key = OPT_SERVE_TOKEN,
     .arg = "FILE",
     .doc = "File, mode 0600, with the token that TCP clients show (a random one in DIR/serve.token by default)"},
    {.name = "replay-commands",
     .key = OPT_REPLAY,
     .arg = "BAG.mcap",
     .doc = "Commands of a log or ROS 2 bag drive the scene; what the bag measured is compared (docs/replay.md)"},
    {.name = "replay-map",
     .key = OPT_REPLAY_MAP,
     .arg = "TOPIC:FIELD=VALUE",
     .doc =
         "A number of the bag drives this value; one * on both sides ('/cmd:*.velocity=motor_*.target_rate'); may be "
         "repeated"},
    {.name = "pictures",
     .key = OPT_PICTURES,
     .doc = "Put pictures of start, end and the scene's moments into report.html (drawn on the processor; no browser "
            "and no display needed)"},
    {.name = "ros2",
     .key = OPT_ROS2,
     .doc = "Run as a node of ROS 2: topics from the scene's key ros, in real time unless it says otherwise "
            "(docs/ros.md)"},
    {.name = "ros1", .key = OPT_ROS1, .doc = "The same for ROS 1; starts a master if none runs"},
    {.name = "save-config", .key = OPT_SAVE_CONFIG, .arg = "FILE", .doc = "Also write the complete configuration here"},
    {.name = "resume",
     .key = OPT_RESUME,
     .arg = "CHECKPOINT",
     .doc = "Continue from a checkpoint of the same scene and settings"},
    {.name = "robot",
     .key = OPT_ROBOT,
     .arg = "FILE",
     .doc = "A robot to use instead of the scene's, if structurally similar"},
    {.name = "dump-contact",
     .key = OPT_DUMP_CONTACT,
     .arg = "DIR",
     .doc = "Write the contact problem of every step of integrator moreau into a folder (.dat, for 'rille contact "
            "solve')"},
    {.name = "ruts",
     .key = OPT_RUTS,
     .arg = "FILE.tif",
     .doc = "Write the ground with its ruts, where there are any, as a map of heights at the end (.tif, .asc, .dat)"},
    {.name = "list", .key = OPT_LIST, .arg = "GLOB", .doc = "List the named values that match, and do not run"},
    {.name = "parameters",
     .key = OPT_PARAMETERS,
     .doc = "List the parameters that --set changes, of the scene and its ground, and do not run"},
    {.name = "list-scenes", .key = OPT_LIST_SCENES, .doc = "List the scenes that are known by name"},
    {.key = 'i', .name = "interactive", .doc = "Start a prompt: step, show values, set them, plot"},
    {.key = 'q', .name = "quiet", .doc = "Print errors only"},
    {.name = "json", .key = OPT_JSON, .doc = "Print the summary as JSON"},
    {0}};

static const char doc[] =
    "Simulates a scene: a file, or one of 'rille run --list-scenes'. Writes summary.json, log.mcap, config.yaml and "
    "report.html into a folder.\vSignals: SIGINT and SIGTERM end the run with all files written; SIGUSR1 writes "
    "DIR/latest.checkpoint.\nExit codes: 0 done, 1 the run failed or was interrupted, or a check of the scene failed, "
    "2 bad "
    "input, 3 environment.";

static const char serve_doc[] =
    "Waits for programs that read, set and step a scene: 'rille run --serve' that starts paused and keeps answering "
    "after the end of the scene until a client says 'quit'. Text and frames: docs/variable-server.md.\v"
    "Try: rille serve pendulum --serve=/tmp/rille.sock &\n"
    "     printf 'get hinge_1.position\\nstep 100\\nget hinge_1.position\\nquit\\n' | nc -U /tmp/rille.sock";

// --- from a scene to a simulation ----------------------------------------------------------------

/// A warning that comes once for each wheel or mesh is one line.
static void print_warnings(const Run *run)
{
    for (int i = 0; !run->args->quiet && i < ri_report_count(run->report); i++) {
        const RiFinding *f = ri_report_get(run->report, i);
        if (f->kind != RI_FINDING_WARNING || cli_is_repeated(run->report, 0, i))
            continue;
        char more[48] = "";
        const int again = cli_repeats(run->report, i);
        if (again)
            snprintf(more, sizeof more, " (and %d more like it)", again);
        cli_error("%s:%d: warning: %s%s", f->file ? f->file : run->scene_path, f->line, f->text, more);
    }
}

/// Loads and builds the scene; messages are printed.
static CliExit open_scene(Run *run)
{
    const RunArgs *args = run->args;
    char robot[PATH_MAX];
    if (!cli_find_scene(args->scene, run->scene_path) || (args->robot && !cli_find_robot(args->robot, robot)))
        return CLI_BAD_INPUT;
    RiSceneOptions o = ri_scene_options_default();
    o.settings = args->settings;
    o.setting_count = args->setting_count;
    o.robot = args->robot ? robot : NULL;
    o.package_paths = args->packages;
    o.package_path_count = args->package_count;
    o.report = run->report;
    const RiStatus status = cli_open_scene(run->ctx, run->scene_path, o, &run->scene);
    print_warnings(run);
    if (status != RI_OK)
        return cli_fail(run->ctx, status);
    run->sim = ri_scene_sim(run->scene);
    return CLI_DONE;
}

/// --list: name, value, unit, kind, sentence.
static CliExit list_values(const Run *run)
{
    const RiValues *t = ri_sim_values(run->sim);
    int found = 0;
    for (int i = ri_values_match(t, run->args->list, 0); i >= 0; i = ri_values_match(t, run->args->list, i + 1)) {
        const RiValue *v = ri_values_get(t, i);
        printf("%-36s %14.9g %-8s %-9s %s\n", v->name, ri_values_read(t, i), v->unit, ri_value_kind_name(v->kind),
               v->doc);
        found++;
    }
    if (found)
        return CLI_DONE;
    cli_error("no value of '%s' matches '%s'; --list '*' shows all", ri_scene_name(run->scene), run->args->list);
    return CLI_BAD_INPUT;
}

typedef struct Parameter {
    const char *prefix, *name, *unit, *doc;
    double value, least, most;
} Parameter;

static void print_parameter(Parameter p)
{
    char name[96], range[96] = "";
    snprintf(name, sizeof name, "%s%s", p.prefix, p.name);
    if (isfinite(p.least) && isfinite(p.most))
        snprintf(range, sizeof range, " (%.6g to %.6g)", p.least, p.most);
    else if (isfinite(p.least))
        snprintf(range, sizeof range, " (from %.6g)", p.least);
    else if (isfinite(p.most))
        snprintf(range, sizeof range, " (up to %.6g)", p.most);
    printf("  %-20s %12.6g %-9s %s%s\n", name, p.value, p.unit, p.doc, range);
}

/// --parameters: those of the scene, then those of its ground.
static CliExit list_parameters(const Run *run)
{
    const RiTerrainFile *ground = ri_scene_terrain(run->scene);
    const int own = ri_scene_parameter_count(run->scene), more = ground ? ri_terrain_file_parameter_count(ground) : 0;
    if (own + more == 0) {
        printf("'%s' has no parameters. Its keys and named values may be set all the same: 'rille keys', "
               "'rille run %s --list \"*\"'.\n",
               ri_scene_name(run->scene), run->args->scene);
        return CLI_DONE;
    }
    printf(
        "Parameters of '%s'. '--set NAME=VALUE' changes one; a number without a unit is meant in the unit shown.\n\n",
        ri_scene_name(run->scene));
    for (int i = 0; i < own; i++) {
        const RiSceneParameter p = ri_scene_parameter(run->scene, i);
        print_parameter((Parameter){"", p.name, p.unit, p.doc, p.value, p.least, p.most});
    }
    for (int i = 0; i < more; i++) {
        const RiTerrainParameter p = ri_terrain_file_parameter(ground, i);
        print_parameter((Parameter){"terrain.", p.name, p.unit, p.doc, p.value, -INFINITY, INFINITY});
    }
    printf("\nKeys of the scene ('rille keys') and named values (--list '*') may be set, too.\n");
    return CLI_DONE;
}

// --- resuming ------------------------------------------------------------------------------------

/// A setting of a value that the checkpoint holds, too, has no effect: that must not happen
/// silently.
static void tell_overruled(const Run *run, const double *before)
{
    const RiValues *t = ri_sim_values(run->sim);
    for (int i = 0; i < run->args->setting_count; i++) {
        const int value = ri_values_find(t, run->args->settings[i].name);
        if (value >= 0 && ri_values_read(t, value) != before[i])
            cli_error("note: %s = %.9g comes from the checkpoint, not from --set (%.9g)", run->args->settings[i].name,
                      ri_values_read(t, value), before[i]);
    }
}

static RiStatus resume(Run *run)
{
    const RunArgs *args = run->args;
    if (!args->resume)
        return RI_OK;
    double *before = calloc((size_t)args->setting_count + 1, sizeof *before);
    if (!before)
        return ri_error(run->ctx, RI_ERR_MEMORY, "out of memory");
    const RiValues *t = ri_sim_values(run->sim);
    for (int i = 0; i < args->setting_count; i++)
        before[i] = ri_values_read(t, ri_values_find(t, args->settings[i].name));
    const RiStatus status = ri_checkpoint_load(run->sim, args->resume);
    if (status == RI_OK) {
        if (!args->quiet)
            tell_overruled(run, before);
        run->start_time = ri_sim_time(run->sim);
        run->start_tick = ri_sim_tick(run->sim);
    }
    free(before);
    return status;
}

// --- the run -------------------------------------------------------------------------------------

/// The configuration is that of the start, so it is written before a checkpoint changes values.
static RiStatus write_config(Run *run)
{
    char part[PATH_MAX], path[PATH_MAX];
    run_path(run, "config.part", part);
    run_path(run, "config.yaml", path);
    RiStatus status = ri_scene_save(run->scene, part);
    if (status == RI_OK && run->args->save_config)
        status = ri_scene_save(run->scene, run->args->save_config);
    if (status == RI_OK)
        status = resume(run);
    run_clear_folder(run, status != RI_OK);
    if (status == RI_OK && rename(part, path) != 0)
        status = ri_error(run->ctx, RI_ERR_IO, "%s: cannot be put in place", path);
    return status;
}

/// Whether the state is worth keeping for a look at what went wrong.
static bool keeps_last_good(const Run *run)
{
    return run->stop == RUN_DIVERGED || (run->stop == RUN_ERROR && run->status != RI_ERR_IO);
}

/// Everything that is written at the end; what can be written is, whatever fails before it.
static RiStatus finish(Run *run)
{
    RiStatus first = RI_OK;
    const char *checkpoint = run->stop == RUN_INTERRUPTED ? "latest.checkpoint" : "last_good.checkpoint";
    run_note(run, "end of the run: %s%s%s", run_stop_name(run->stop), *run->detail ? ": " : "", run->detail);
    if (run->event_count > 0)
        first = run_log_event(run, ri_sim_time(run->sim), run->events[run->event_count - 1].text);
    RiStatus status = run_log_close(run);
    first = first == RI_OK ? status : first;
    if (keeps_last_good(run) || run->stop == RUN_INTERRUPTED) {
        status = run_checkpoint(run, checkpoint);
        first = first == RI_OK ? status : first;
    }
    status = run_replay_write(run);
    first = first == RI_OK ? status : first;
    status = run_write_ruts(run);
    first = first == RI_OK ? status : first;
    status = run_write_results(run);
    return first == RI_OK ? status : first;
}

static void print_missions(const Run *run)
{
    int from = 0;
    for (RunMission m = run_mission(run, &from); m.name[0]; m = run_mission(run, &from))
        printf("  %-10s  held its weight for %.3g s, vertical distance %.3g m, %s\n", m.name, m.held, m.distance,
               *m.failure ? m.failure : m.phase);
}

static void print_checks(const Run *run)
{
    char text[RUN_CHECK_TEXT];
    for (int i = 0; i < ri_scene_check_count(run->scene); i++)
        printf("  %-10s  %s\n", i ? "" : "checks", run_check(run, i, text));
}

/// Links of which nothing touches the ground.
static void print_untouched(const Run *run)
{
    char names[160];
    const RiSpec *spec = ri_scene_spec(run->scene);
    const int count = ri_sim_contacts(run->sim) ? ri_spec_list_bare_links(spec, names, sizeof names) : 0;
    if (count)
        printf("  no contact  %d of %d links have no collision shape and go through the ground: %s\n", count,
               spec->link_count, names);
}

/// Soft soils whose moduli are those of another gravity.
static void print_unscaled(const Run *run)
{
    const double gravity = ri_norm(ri_sim_options(run->sim)->gravity);
    const RiSoilMap *map = run_soft_ground(run);
    int soil = map ? ri_soil_map_next_unscaled(map, gravity, -1) : -1;
    if (soil < 0)
        return;
    printf("  gravity     moduli stay those of their measurement, whatever the %.4g m/s^2 here, of soil", gravity);
    for (const char *before = " "; soil >= 0; soil = ri_soil_map_next_unscaled(map, gravity, soil), before = ", ")
        printf("%s%s", before, ri_soils_get(ri_soil_map_soils(map), soil)->name);
    printf("\n");
}

static void print_outcome(const Run *run)
{
    char text[160];
    const char *const why[] = {[RUN_GOING] = "",
                               [RUN_DURATION] = "duration reached",
                               [RUN_CONDITION] = "stop condition",
                               [RUN_QUIT] = run->args->interactive ? "prompt closed" : "closed",
                               [RUN_INTERRUPTED] = "interrupted",
                               [RUN_DIVERGED] = "diverged",
                               [RUN_ERROR] = "failed"};
    const bool well = run->stop == RUN_DURATION || run->stop == RUN_CONDITION || run->stop == RUN_QUIT;
    printf("%s: %s at t = %.9g s (%s%s%s)\n", ri_scene_name(run->scene), well ? "finished" : "stopped",
           ri_sim_time(run->sim), why[run->stop], *run->detail ? ": " : "", run->detail);
    run_print_story(run);
    printf("  simulated   %.6g s in %.3g s, %.3g times real time, %lld ticks\n", run_span(run), run->wall, run_rtf(run),
           ri_sim_tick(run->sim) - run->start_tick);
    if (run->args->realtime)
        printf("  real time   at most %.3g s late\n", run->lag);
    printf("  energy      relative error %.3g, dissipated by the integrator %.3g\n", run_balance(run),
           run_method_share(run));
    if (run_method_share(run) < -0.01)
        printf("  WARNING     the integrator put in %.3g %% of the energy turned over: do not trust this run. A "
               "smaller tick "
               "helps; with\n              exact contact also 'contact: {wheel_touches: 3}', and compliant contact "
               "(integrator implicit)\n",
               -100.0 * run_method_share(run));
    print_missions(run);
    if (ri_sim_violations(run->sim) > 0)
        printf("  validity    %s\n", run_validity(run, text, sizeof text));
    print_untouched(run);
    print_unscaled(run);
    run_replay_print(run, stdout);
    print_checks(run);
    printf("  state hash  %016llx\n", (unsigned long long)ri_sim_hash(run->sim));
    printf("  files       %s/: summary.json, %sconfig.yaml, report.html\n", run->folder,
           run->log.record ? "log.mcap, " : "");
    if (run->args->resume)
        printf("              the log starts at the checkpoint, %.9g s\n", run->start_time);
    if (keeps_last_good(run))
        printf("              last_good.checkpoint holds the last valid state\n");
    if (run->stop == RUN_INTERRUPTED)
        printf("              to continue: --resume %s/latest.checkpoint\n", run->folder);
}

/// What went wrong although the numbers are sound: "" if nothing did.
static void find_failure(const Run *run, char *out, size_t size)
{
    int from = 0;
    out[0] = '\0';
    for (RunMission m = run_mission(run, &from); m.name[0]; m = run_mission(run, &from))
        if (*m.failure) {
            snprintf(out, size, "mission '%s': %s", m.name, m.failure);
            return;
        }
    const RiEnergy e = ri_sim_energy(run->sim);
    const bool made = ri_energy_method_share(&e) < -0.01;
    for (int i = 0; made && i < ri_sim_validity_count(run->sim); i++) {
        const RiValidity v = ri_sim_validity(run->sim, i);
        if (v.count > 0 && strcmp(v.name, "contact.energy_gain") == 0) {
            snprintf(out, size, "%s: %s", v.name, v.text);
            return;
        }
    }
    bool judged = false; // a scene with checks says itself what is to become of the robot
    for (int i = 0; i < ri_scene_check_count(run->scene); i++)
        judged = judged || ri_scene_check(run->scene, i).seen;
    if (!judged)
        snprintf(out, size, "%s", ri_mobility_text(ri_sim_mobility(run->sim)));
}

static CliExit exit_code(const Run *run)
{
    char failure[512];
    if (run->stop == RUN_ERROR)
        return cli_exit_code(run->status);
    if (run->stop == RUN_DIVERGED || run->stop == RUN_INTERRUPTED)
        return CLI_RUN_FAILED;
    for (int i = 0; i < ri_scene_check_count(run->scene); i++) {
        const RiSceneCheck c = ri_scene_check(run->scene, i);
        if (c.seen && !c.passed)
            return CLI_RUN_FAILED;
    }
    find_failure(run, failure, sizeof failure);
    if (*failure) {
        cli_error("%s: the run failed: %s", ri_scene_name(run->scene), failure);
        return CLI_RUN_FAILED;
    }
    // A script at the prompt must not fail silently; a person has seen the message.
    return run->bad_commands && !isatty(STDIN_FILENO) ? CLI_BAD_INPUT : CLI_DONE;
}

/// Log, ticks, results.
static CliExit simulate(Run *run)
{
    RiStatus status = run_log_open(run);
    if (status == RI_OK)
        status = run_log_tick(run);
    if (status == RI_OK)
        status = run_view_open(run);
    if (status == RI_OK)
        status = run_serve_open(run);
    if (status == RI_OK)
        status = run_ros_open(run);
    if (status != RI_OK)
        return cli_fail(run->ctx, status);
    ri_scene_look(run->scene);
    run_story_begin(run);
    run_pictures_begin(run);
    if (run->args->resume)
        run_note(run, "resumed from %.180s", run->args->resume);
    if (run->args->interactive)
        run_prompt(run);
    else
        run_loop(run);
    run_view_close(run);
    run_ros_close(run);
    run_serve_close(run);
    run_pictures_end(run);
    status = finish(run);
    CliExit code = exit_code(run);
    if (status != RI_OK && status != run->status) {
        const CliExit failed = cli_fail(run->ctx, status);
        code = code == CLI_DONE ? failed : code;
    }
    if (run->args->json)
        run_print_summary(run, stdout);
    else if (!run->args->quiet)
        print_outcome(run);
    return code;
}

static CliExit run_scene(Run *run)
{
    RiStatus status = ri_report_create(run->ctx, &run->report);
    if (status != RI_OK)
        return cli_fail(run->ctx, status);
    CliExit code = open_scene(run);
    if (code != CLI_DONE)
        return code;
    if (run->args->parameters)
        return list_parameters(run);
    if (run->args->list)
        return list_values(run);
    if (!run_check_ruts(run) || !run_watch_contact(run))
        return CLI_BAD_INPUT;
    if (!run_replay_open(run, &code))
        return code;
    run_catch_signals(run->args->interactive);
    if (!run_make_folder(run, &code))
        return code;
    status = write_config(run);
    return status == RI_OK ? simulate(run) : cli_fail(run->ctx, status);
}

static CliExit run_words(int argc, char **argv, RunArgs args, const char *text)
{
    const struct argp argp = {.options = options, .parser = parse_word, .args_doc = "SCENE", .doc = text};
    Run run = {.args = &args, .lock = -1};
    CliExit code;
    if (cli_parse(&argp, argc, argv, &args) != 0 || (!args.list_scenes && ri_context_create(NULL, &run.ctx) != RI_OK))
        code = cli_no_memory();
    else
        code = args.list_scenes ? cli_list_scenes() : run_scene(&run);
    ri_serve_destroy(run.serve);
    ri_view_destroy(run.view);
    ri_live_destroy(run.live);
    if (run.ctx)
        run_log_free(&run);
    run_story_free(&run);
    run_pictures_free(&run);
    run_replay_free(&run);
    ri_scene_destroy(run.scene);
    ri_report_destroy(run.report);
    ri_context_destroy(run.ctx);
    if (run.lock >= 0)
        close(run.lock);
    free(args.replay_map);
    free(run.events);
    free(args.settings);
    free(args.packages);
    return code;
}

int cmd_run(int argc, char **argv)
{
    return run_words(argc, argv, (RunArgs){0}, doc);
}

int cmd_serve(int argc, char **argv)
{
    return run_words(argc, argv, (RunArgs){.serve = true, .serve_wait = true, .serve_stay = true}, serve_doc);
}
