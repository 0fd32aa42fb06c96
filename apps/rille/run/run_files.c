// SPDX-License-Identifier: Apache-2.0
/// \file
/// The folder of a run and the files in it: checkpoints, summary.json, report.html.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rille/cone_file.h>
#include <rille/file.h>
#include <rille/memory.h>
#include <rille/page.h>
#include <rille/terrain_io.h>
#include <rille/text.h>

#include "json.h"
#include "run/run.h"
#include "view/view.h"

/// All that a run writes by itself; a folder that holds something else is not ours to write to.
static const char *const own_files[] = {
    "summary.json",         "log.mcap",    "config.yaml", "report.html", "config.part", "latest.checkpoint",
    "last_good.checkpoint", "picture.png", "serve.sock",  "serve.token", "replay.csv"};
enum { OWN_FILES = sizeof own_files / sizeof *own_files };

void run_path(const Run *run, const char *name, char out_path[PATH_MAX])
{
    snprintf(out_path, PATH_MAX, "%.*s/%s", PATH_MAX - 64, run->folder, name);
}

/// Whether a run wrote the file, or a killed run left it beside one.
static bool is_own(const char *name)
{
    for (int i = 0; i < OWN_FILES; i++)
        if (strcmp(own_files[i], name) == 0 || ri_beside_is_part(name, own_files[i]))
            return true;
    return false;
}

/// Whether somebody asked for this file from a page (NAME-3.checkpoint) or over the variable server
/// (client-NAME.checkpoint), or a killed run left it beside one. It may be in the folder, and it
/// stays when another run takes the folder.
static bool is_asked_for(const char *name)
{
    const char *dot = strchr(name, '.');
    const char *digits = dot;
    while (digits && digits > name && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    const bool client = strncmp(name, "client-", 7) == 0;
    if (!dot || (!client && (digits == dot || digits <= name + 1 || digits[-1] != '-')))
        return false;
    return strcmp(dot, ".checkpoint") == 0 || ri_beside_is_part(dot, ".checkpoint");
}

/// Counts our files in the folder; *out_other is the name of one that is not, or "".
static int count_own(const char *folder, char out_other[256])
{
    int count = 0;
    *out_other = '\0';
    DIR *dir = opendir(folder);
    if (!dir)
        return 0;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (is_own(entry->d_name))
            count++;
        else if (!is_asked_for(entry->d_name))
            snprintf(out_other, 256, "%s", entry->d_name);
    }
    closedir(dir);
    return count;
}

/// Creates a folder and those above it; 0 or errno.
static int make_folders(const char *path)
{
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *s = part + 1; *s; s++) {
        if (*s != '/')
            continue;
        *s = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return errno;
        *s = '/';
    }
    struct stat info;
    if (mkdir(part, 0777) == 0)
        return 0;
    if (errno != EEXIST)
        return errno;
    return stat(part, &info) == 0 && S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
}

static void choose_folder(Run *run)
{
    if (run->args->out) {
        snprintf(run->folder, sizeof run->folder, "%s", run->args->out);
        return;
    }
    char name[100];
    ri_file_name(ri_scene_name(run->scene), name, sizeof name);
    snprintf(run->folder, sizeof run->folder, "out/%s%s", name, run->args->resume ? "-resumed" : "");
    for (int i = 2; run->args->resume && i < 1000 && access(run->folder, F_OK) == 0; i++)
        snprintf(run->folder, sizeof run->folder, "out/%s-resumed-%d", name, i);
}

/// Whether the checkpoint to resume from is in the folder of the run: its log would be lost.
static bool holds_checkpoint(const Run *run)
{
    char folder[PATH_MAX], file[PATH_MAX];
    if (!run->args->resume || !realpath(run->folder, folder) || !realpath(run->args->resume, file))
        return false;
    const size_t n = strlen(folder);
    return strncmp(folder, file, n) == 0 && file[n] == '/' && !strchr(file + n + 1, '/');
}

/// Keeps a second run out of the folder. The lock is the system's: it ends with this process,
/// however that ends.
static bool lock_folder(Run *run, CliExit *out_code)
{
    run->lock = open(run->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (run->lock >= 0 && flock(run->lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    const int code = errno;
    if (run->lock >= 0 && code != EWOULDBLOCK) {
        cli_error("note: %s: this file system cannot lock a folder (%s): a second run into it would not be noticed",
                  run->folder, strerror(code));
        return true;
    }
    if (run->lock < 0)
        cli_error("%s: cannot open the folder of the run: %s", run->folder, strerror(code));
    else
        cli_error("%s: another run is writing to this folder; choose another with --out", run->folder);
    *out_code = run->lock < 0 ? CLI_ENVIRONMENT : CLI_BAD_INPUT;
    return false;
}

bool run_make_folder(Run *run, CliExit *out_code)
{
    char other[256];
    choose_folder(run);
    const int code = make_folders(run->folder);
    if (code != 0) {
        cli_error("%s: cannot create the folder of the run: %s", run->folder, strerror(code));
        *out_code = code == ENOTDIR ? CLI_BAD_INPUT : CLI_ENVIRONMENT;
        return false;
    }
    if (!lock_folder(run, out_code))
        return false;
    *out_code = CLI_BAD_INPUT;
    const int own = count_own(run->folder, other);
    if (*other) {
        cli_error("%s: the folder holds other files ('%s'); choose another with --out", run->folder, other);
        return false;
    }
    if (own && holds_checkpoint(run)) {
        cli_error("%s: the folder holds the run that is resumed; choose another with --out", run->folder);
        return false;
    }
    if (own && !run->args->quiet)
        fprintf(stderr, "replacing the run in %s\n", run->folder);
    return true;
}

void run_clear_folder(const Run *run, bool failed)
{
    char path[PATH_MAX];
    if (failed) { // leave nothing behind
        run_path(run, "config.part", path);
        unlink(path);
        rmdir(run->folder); // fails if there is something in it, as it should
        return;
    }
    DIR *dir = opendir(run->folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (is_own(entry->d_name) && strcmp(entry->d_name, "config.part") != 0)
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
}

RiStatus run_checkpoint(Run *run, const char *name)
{
    char path[PATH_MAX];
    run_path(run, name, path);
    return ri_checkpoint_save(run->sim, path);
}

// --- contact problems ----------------------------------------------------------------------------

static RiStatus write_problem(void *user, double time, const RiConeProblem *problem)
{
    const Run *run = user;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/contact_%012.6f.dat", run->args->dump_contact, time);
    return ri_cone_file_save(run->ctx, path, problem);
}

bool run_watch_contact(Run *run)
{
    const char *folder = run->args->dump_contact;
    if (!folder)
        return true;
    if (ri_sim_options(run->sim)->method != RI_METHOD_MOREAU) {
        cli_error("--dump-contact: integrator %s has no contact problems; integrator moreau has",
                  ri_method_name(ri_sim_options(run->sim)->method));
        return false;
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        cli_error("--dump-contact %s: %s", folder, strerror(errno));
        return false;
    }
    ri_sim_watch_cones(run->sim, write_problem, run);
    return true;
}

// --- ruts ----------------------------------------------------------------------------------------

bool run_check_ruts(const Run *run)
{
    const char *path = run->args->ruts;
    const char *dot = path ? strrchr(path, '.') : NULL;
    static const char *const endings[] = {".tif", ".tiff", ".asc", ".dat", ".img"};
    bool known = !path;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        known |= strcmp(dot, endings[i]) == 0;
    if (!known)
        cli_error("--ruts %s: heights are written as .tif, .asc or .dat", path);
    else if (path && !ri_sim_ruts(run->sim))
        cli_error("--ruts: the ground of '%s' keeps no ruts; its terrain needs the key 'ruts'", run->args->scene);
    return known && (!path || ri_sim_ruts(run->sim));
}

RiStatus run_write_ruts(Run *run)
{
    const char *path = run->args->ruts;
    if (!path)
        return RI_OK;
    if (ri_ruts_tile_count(ri_sim_ruts(run->sim)) == 0) {
        cli_error("note: nothing has left a rut; %s is not written", path);
        return RI_OK;
    }
    RiRaster *raster;
    RI_TRY(ri_ruts_raster(run->ctx, ri_sim_terrain(run->sim), ri_sim_ruts(run->sim), true, &raster));
    const RiStatus status = ri_raster_save(run->ctx, raster, path, false);
    ri_raster_destroy(raster);
    return status;
}

// --- summary -------------------------------------------------------------------------------------

static double value_of(const Run *run, const char *name)
{
    const RiValues *values = ri_sim_values(run->sim);
    return ri_values_read(values, ri_values_find(values, name));
}

static double degrees(const Run *run, const char *name)
{
    return value_of(run, name) * 180.0 / M_PI;
}

double run_span(const Run *run)
{
    return ri_sim_time(run->sim) - run->start_time;
}

double run_rtf(const Run *run)
{
    return run->wall > 0.0 ? run_span(run) / run->wall : 0.0;
}

double run_method_share(const Run *run)
{
    const RiEnergy e = ri_sim_energy(run->sim);
    return ri_energy_method_share(&e);
}

const char *run_validity(const Run *run, char *out, size_t size)
{
    const int raised = ri_sim_violations(run->sim);
    snprintf(out, size, "no validity warnings");
    for (int i = 0; i < ri_sim_validity_count(run->sim) && raised; i++) {
        const RiValidity x = ri_sim_validity(run->sim, i);
        if (x.count)
            snprintf(out, size, "%d validity warning%s; first: %.60s at t = %.6g s", raised, raised == 1 ? "" : "s",
                     x.name, x.first_time);
        if (x.count)
            break;
    }
    return out;
}

double run_balance(const Run *run)
{
    const RiEnergy e = ri_sim_energy(run->sim);
    return ri_energy_residual(&e);
}

static void print_pose(const Run *run, Json *j)
{
    json_open(j, "final_pose", '{');
    json_numbers(j, "position",
                 (const double[]){value_of(run, "base.x"), value_of(run, "base.y"), value_of(run, "base.z")}, 3);
    json_numbers(j, "rpy",
                 (const double[]){value_of(run, "base.roll"), value_of(run, "base.pitch"), value_of(run, "base.yaw")},
                 3);
    json_close(j, '}');
}

RunMission run_mission(const Run *run, int *from)
{
    static const char *const phases[] = {"making contact", "holding", "climbing", "done"};
    const RiValues *values = ri_sim_values(run->sim);
    RunMission m = {.name = ""};
    const int at = ri_values_match(values, "*.mobility_failure", *from);
    *from = at + 1;
    if (at < 0)
        return m;
    const char *name = ri_values_get(values, at)->name;
    snprintf(m.name, sizeof m.name, "%.*s", (int)strcspn(name, "."), name);
    double *const to[] = {&m.held, &m.distance, &m.phase_number, &m.mobility, &m.hold};
    static const char *const ports[] = {"held", "farthest", "phase", "mobility_failure", "hold_failure"};
    for (int i = 0; i < 5; i++) {
        char port[160];
        snprintf(port, sizeof port, "%s.%s", m.name, ports[i]);
        *to[i] = value_of(run, port);
    }
    m.phase = m.phase_number >= 0.0 && m.phase_number <= 3.0 ? phases[(int)m.phase_number] : "unknown";
    m.failure = m.mobility > 0.0 ? "mobility lost: pitch beyond its limit"
                : m.hold > 0.0   ? "did not hold its weight"
                                 : "";
    return m;
}

/// Missions of climbers: vertical distance before a failure.
static void print_missions(const Run *run, Json *j)
{
    int from = 0;
    RunMission m = run_mission(run, &from);
    if (!m.name[0])
        return;
    json_open(j, "missions", '[');
    for (; m.name[0]; m = run_mission(run, &from)) {
        json_open(j, NULL, '{');
        json_string(j, "name", m.name);
        json_string(j, "phase", m.phase);
        json_number(j, "held_s", m.held);
        json_number(j, "vertical_distance_m", m.distance);
        json_string(j, "failure", m.failure);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/// What left its model's assumptions.
static void print_validity(const Run *run, Json *j)
{
    json_open(j, "validity", '[');
    for (int i = 0; i < ri_sim_validity_count(run->sim); i++) {
        const RiValidity x = ri_sim_validity(run->sim, i);
        if (x.count == 0)
            continue;
        json_open(j, NULL, '{');
        json_string(j, "name", x.name);
        json_number(j, "first_time", x.first_time);
        json_int(j, "count", x.count);
        json_string(j, "text", x.text);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/// Angles in degrees, everything else as it is.
static double shown(const RiSceneCheck *c, double x)
{
    return strcmp(c->unit, "rad") == 0 ? x * 180.0 / M_PI : x;
}

const char *run_check(const Run *run, int check, char text[RUN_CHECK_TEXT])
{
    const RiSceneCheck c = ri_scene_check(run->scene, check);
    const char *unit = strcmp(c.unit, "rad") == 0 ? "deg" : c.unit, *space = *unit ? " " : "";
    char band[96];
    if (isfinite(c.least) && isfinite(c.most))
        snprintf(band, sizeof band, "%.4g to %.4g", shown(&c, c.least), shown(&c, c.most));
    else
        snprintf(band, sizeof band, isfinite(c.least) ? "at least %.4g" : "at most %.4g",
                 shown(&c, isfinite(c.least) ? c.least : c.most));
    if (c.seen)
        snprintf(text, RUN_CHECK_TEXT, "%s  %.180s: %.4g%s%s, expected %s", c.passed ? "pass  " : "FAILED", c.name,
                 shown(&c, c.value), space, unit, band);
    else
        snprintf(text, RUN_CHECK_TEXT, "open    %.180s: the run does not cover its time", c.name);
    return text;
}

/// What the scene expected.
static void json_checks(const Run *run, Json *j)
{
    json_open(j, "checks", '[');
    for (int i = 0; i < ri_scene_check_count(run->scene); i++) {
        const RiSceneCheck c = ri_scene_check(run->scene, i);
        json_open(j, NULL, '{');
        json_string(j, "name", c.name);
        json_string(j, "result", !c.seen ? "open" : c.passed ? "pass" : "failed");
        json_number(j, "value", c.value);
        json_number(j, "least", c.least);
        json_number(j, "most", c.most);
        json_string(j, "unit", c.unit);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/// Links that go through the ground, where there is one.
static void json_untouched(const Run *run, Json *j)
{
    const RiSpec *spec = ri_scene_spec(run->scene);
    if (!ri_sim_contacts(run->sim))
        return;
    json_open(j, "links_without_contact", '[');
    for (int i = ri_spec_next_bare_link(spec, -1); i >= 0; i = ri_spec_next_bare_link(spec, i))
        json_string(j, NULL, spec->links[i].name);
    json_close(j, ']');
}

const RiSoilMap *run_soft_ground(const Run *run)
{
    const bool acts = ri_sim_soil_wheel_count(run->sim) + ri_sim_soil_screw_count(run->sim) > 0;
    const RiTerrain *terrain = ri_sim_terrain(run->sim);
    return acts && terrain ? ri_terrain_soil_map(terrain) : NULL;
}

/// Soft soils whose moduli are those of another gravity.
static void json_unscaled(const Run *run, Json *j)
{
    const double gravity = ri_norm(ri_sim_options(run->sim)->gravity);
    const RiSoilMap *map = run_soft_ground(run);
    json_open(j, "soils_not_scaled_with_gravity", '[');
    for (int i = map ? ri_soil_map_next_unscaled(map, gravity, -1) : -1; i >= 0;
         i = ri_soil_map_next_unscaled(map, gravity, i))
        json_string(j, NULL, ri_soils_get(ri_soil_map_soils(map), i)->name);
    json_close(j, ']');
}

void run_print_summary(const Run *run, FILE *out)
{
    const RiSimOptions *options = ri_sim_options(run->sim);
    char hash[32], seed[32];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)ri_sim_hash(run->sim));
    snprintf(seed, sizeof seed, "%llu", options->seed);
    Json j = {.out = out};
    json_open(&j, NULL, '{');
    json_string(&j, "scene", ri_scene_name(run->scene));
    json_string(&j, "robot", ri_scene_spec(run->scene)->name);
    json_string(&j, "version", ri_version());
    json_string(&j, "integrator", ri_method_name(options->method));
    json_number(&j, "tick_s", options->tick);
    json_int(&j, "seed", (long long)options->seed);
    json_string(&j, "stop_reason", run_stop_name(run->stop));
    json_string(&j, "stop_detail", *run->detail ? run->detail : NULL);
    json_number(&j, "start_s", run->start_time);
    json_number(&j, "end_s", ri_sim_time(run->sim));
    json_number(&j, "sim_s", run_span(run));
    json_int(&j, "steps", ri_sim_tick(run->sim) - run->start_tick);
    json_number(&j, "wall_s", run->wall);
    json_number(&j, "rtf", run_rtf(run));
    if (run->args->realtime)
        json_number(&j, "largest_lag_s", run->lag);
    json_number(&j, "energy_balance", run_balance(run));
    json_number(&j, "energy_method", run_method_share(run));
    json_string(&j, "state_hash", hash);
    print_pose(run, &j);
    print_missions(run, &j);
    print_validity(run, &j);
    json_untouched(run, &j);
    json_unscaled(run, &j);
    json_checks(run, &j);
    json_string(&j, "resumed_from", run->args->resume);
    json_string(&j, "folder", run->folder);
    json_close(&j, '}');
}

static RiStatus write_summary(Run *run)
{
    char path[PATH_MAX];
    run_path(run, "summary.json", path);
    RiBeside beside;
    FILE *file = ri_beside_stream(&beside, path);
    if (!file)
        return ri_error(run->ctx, RI_ERR_IO, "%s: cannot write the file: %s", path, strerror(errno));
    run_print_summary(run, file);
    const int code = ri_beside_close(&beside, true);
    if (code != 0)
        return ri_error(run->ctx, RI_ERR_IO, "%s: cannot write the file: %s", path, strerror(code));
    return RI_OK;
}

// --- report --------------------------------------------------------------------------------------

enum { CHECKS = 32, ROWS = 16 + CHECKS, ROW_TEXT = 640 };

static int fill_rows(const Run *run, RiPageRow rows[ROWS], char texts[ROWS][ROW_TEXT])
{
    char text[160];
    const RiSimOptions *o = ri_sim_options(run->sim);
    int n = 0;
#define ROW(title, ...)                                                                                                \
    do {                                                                                                               \
        snprintf(texts[n], ROW_TEXT, __VA_ARGS__);                                                                     \
        rows[n] = (RiPageRow){title, texts[n]};                                                                        \
        n++;                                                                                                           \
    } while (0)
    ROW("Robot", "%s", ri_scene_spec(run->scene)->name);
    ROW("Ended by", "%s%s%s", run_stop_name(run->stop), *run->detail ? ": " : "", run->detail);
    ROW("Simulated time", "%.9g s to %.9g s", run->start_time, ri_sim_time(run->sim));
    if (run->args->resume)
        ROW("Resumed from", "%.600s", run->args->resume);
    ROW("Wall clock", "%.3g s (%.3g times real time)", run->wall, run_rtf(run));
    ROW("Ticks", "%lld of %g s, %d integration step%s each", ri_sim_tick(run->sim) - run->start_tick, o->tick,
        o->substeps, o->substeps == 1 ? "" : "s");
    ROW("Integrator", "%s", ri_method_name(o->method));
    ROW("Energy balance", "%.3g (share of the energy turned over that the books do not explain)", run_balance(run));
    ROW("Taken by the method", "%.3g (share of the energy turned over; falls with the step)", run_method_share(run));
    ROW("Validity", "%s", run_validity(run, text, sizeof text));
    ROW("Seed", "%llu", o->seed);
    ROW("State hash", "%016llx", (unsigned long long)ri_sim_hash(run->sim));
    ROW("Base", "x %.6g m, y %.6g m, z %.6g m, roll %.4g deg, pitch %.4g deg, yaw %.4g deg", value_of(run, "base.x"),
        value_of(run, "base.y"), value_of(run, "base.z"), degrees(run, "base.roll"), degrees(run, "base.pitch"),
        degrees(run, "base.yaw"));
    ROW("Version", "rille %s", ri_version());
#undef ROW
    return n;
}

/// The plots that the scene asks for, as the page wants them.
static RiPagePlot *list_plots(const Run *run, RiArena *arena)
{
    const int count = ri_scene_plot_count(run->scene);
    RiPagePlot *plots = ri_arena_alloc(arena, (size_t)count + 1, sizeof *plots);
    for (int i = 0; plots && i < count; i++) {
        const int globs = ri_scene_plot_glob_count(run->scene, i);
        const char **list = ri_arena_alloc(arena, (size_t)globs + 1, sizeof *list);
        if (!list)
            return NULL;
        for (int k = 0; k < globs; k++)
            list[k] = ri_scene_plot_glob(run->scene, i, k);
        plots[i] = (RiPagePlot){.title = ri_scene_plot_title(run->scene, i), .globs = list, .glob_count = globs};
    }
    return plots;
}

enum { PICTURES = RUN_PICTURES, PICTURE_WIDTH = 960, PICTURE_HEIGHT = 540 };

/// Start, the scene's moments that lie within the run, end.
static int list_moments(const Run *run, ViewPicture pictures[PICTURES])
{
    const double end = ri_sim_time(run->sim);
    int count = 0;
    pictures[count++].time = run->start_time;
    for (int i = 0; i < ri_scene_picture_count(run->scene) && count < PICTURES - 1; i++) {
        const double time = ri_scene_picture(run->scene, i);
        if (time > run->start_time && time < end)
            pictures[count++].time = time;
    }
    pictures[count++].time = end;
    return count;
}

/// Draws the pictures of the report from the closed log; how many there are. A failure is reported and
/// leaves the report without.
static int draw_pictures(Run *run, ViewPicture pictures[PICTURES])
{
    char path[PATH_MAX];
    if (!run->args->pictures || run->picture_count)
        return 0;
    if (run->log.frames < 0) {
        cli_error("--pictures: the scene logs no poses (log.frames, log.rate), so the report has no pictures");
        return 0;
    }
    run_path(run, "log.mcap", path);
    const int count = list_moments(run, pictures);
    if (view_draw_log(run->ctx, path, pictures, count, PICTURE_WIDTH, PICTURE_HEIGHT))
        return count;
    cli_error("--pictures: the report has no pictures");
    return 0;
}

/// A check as a row whose class says how it ended.
static int fill_checks(const Run *run, RiPageRow rows[CHECKS], char texts[CHECKS][RUN_CHECK_TEXT])
{
    int n = 0;
    for (; n < ri_scene_check_count(run->scene) && n < CHECKS; n++) {
        const RiSceneCheck c = ri_scene_check(run->scene, n);
        const char *text = run_check(run, n, texts[n]);
        rows[n] = (RiPageRow){!c.seen ? "open" : c.passed ? "pass" : "failed", text + 8};
    }
    return n;
}

static RiStatus write_page(Run *run, RiArena *arena, const ViewPicture *drawn, int drawn_count)
{
    char story[1200], checks[CHECKS][RUN_CHECK_TEXT];
    RiPageRow check_rows[CHECKS];
    RiPagePicture pictures[PICTURES];
    for (int i = 0; i < drawn_count; i++)
        pictures[i] = (RiPagePicture){drawn[i].time, drawn[i].png, drawn[i].size};
    char path[PATH_MAX], log_path[PATH_MAX], texts[ROWS][ROW_TEXT];
    RiPageRow rows[ROWS];
    RiPagePlot *plots = list_plots(run, arena);
    RiPageEvent *events = ri_arena_alloc(arena, (size_t)run->event_count + 1, sizeof *events);
    if (!plots || !events)
        return ri_error_memory(run->ctx);
    for (int i = 0; i < run->event_count; i++)
        events[i] = (RiPageEvent){run->events[i].time, run->events[i].text};
    run_path(run, "report.html", path);
    run_path(run, "log.mcap", log_path);
    const RiPage page = {.title = ri_scene_name(run->scene),
                         .doc = ri_scene_doc(run->scene),
                         .story = run_story(run, story, sizeof story),
                         .checks = check_rows,
                         .check_count = fill_checks(run, check_rows, checks),
                         .scene = run->args->scene,
                         .rows = rows,
                         .row_count = fill_rows(run, rows, texts),
                         .plots = plots,
                         .plot_count = ri_scene_plot_count(run->scene),
                         .pictures = pictures,
                         .picture_count = drawn_count,
                         .events = events,
                         .event_count = run->event_count,
                         .log = run->log.record ? log_path : NULL};
    return ri_page_save(run->ctx, &page, path);
}

RiStatus run_write_results(Run *run)
{
    RiStatus status = write_summary(run);
    RiArena arena;
    ri_arena_init(&arena, run->ctx);
    ViewPicture pictures[PICTURES] = {0};
    const int count = draw_pictures(run, pictures);
    if (status == RI_OK)
        status = run->picture_count ? write_page(run, &arena, run->pictures, run->picture_count)
                                    : write_page(run, &arena, pictures, count);
    for (int i = 0; i < PICTURES; i++)
        free(pictures[i].png);
    ri_arena_free(&arena);
    return status;
}
