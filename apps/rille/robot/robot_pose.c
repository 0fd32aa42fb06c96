// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille robot pose`: how a wheeled robot stands at a place of a terrain.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/stance.h>

#include "robot/robot.h"
#include "terrain/terrain.h"

enum { KEY_TERRAIN = 0x200, KEY_AT, KEY_CONTACT, KEY_SINKAGE, KEY_GRAVITY, KEY_JSON = 'j', KEY_SET = 's' };
static const double DEGREES = 57.29577951308232;

typedef struct Args {
    const char *robot;
    TerrainOpen ground;
    double at[3]; ///< x, y [m], heading [deg]
    RiStanceContact contact;
    double sinkage; ///< NAN: by the soil
    double gravity;
    bool json;
    RiSetting *settings;
    int setting_count;
} Args;

static const struct argp_option options[] = {
    {"terrain", KEY_TERRAIN, "TERRAIN", 0, "Name of a terrain, or a file (default: flat ground)", 0},
    {"at", KEY_AT, "X,Y[,HEADING]", 0, "Place of the base [m] and heading from x towards y [deg]", 0},
    {"contact", KEY_CONTACT, "hub|surface", 0, "Wheels touch straight below the hub (default), or with their surface",
     0},
    {"sinkage", KEY_SINKAGE, "DEPTH", 0, "Depth of the wheels in the ground [m] (default: what its soil says)", 0},
    {"gravity", KEY_GRAVITY, "G", 0, "For loads and sinkage [m/s^2] (default: 3.71, Mars)", 0},
    {"set", KEY_SET, "NAME=VALUE", 0, "Set a parameter of the robot (may be repeated)", 0},
    {"json", KEY_JSON, NULL, 0, "Write one JSON object", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static double number(const char *option, const char *text, double low, double high, const struct argp_state *state)
{
    double x;
    if (!cli_parse_number(text, &x) || !(x >= low && x <= high))
        argp_error(state, "--%s: '%s' is not a number from %g to %g", option, text, low, high);
    return x;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    Args *a = state->input;
    int count;
    switch (key) {
    case KEY_TERRAIN:
        a->ground.word = text;
        return 0;
    case KEY_AT:
        if (!cli_parse_numbers(text, 2, 3, a->at, &count))
            argp_error(state, "--at expects X,Y or X,Y,HEADING, not '%s'", text);
        return 0;
    case KEY_CONTACT:
        for (int i = 0; i < RI_STANCE_CONTACT_COUNT; i++)
            if (strcmp(text, ri_stance_contact_name((RiStanceContact)i)) == 0) {
                a->contact = (RiStanceContact)i;
                return 0;
            }
        argp_error(state, "--contact is hub or surface, not '%s'", text);
        return 0;
    case KEY_SINKAGE:
        a->sinkage = number("sinkage", text, 0.0, 10.0, state);
        return 0;
    case KEY_GRAVITY:
        a->gravity = number("gravity", text, 0.0, 1000.0, state);
        return 0;
    case KEY_SET:
        return cli_add_setting(&a->settings, &a->setting_count, text, state);
    case KEY_JSON:
        a->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->robot)
            argp_error(state, "one robot, not also '%s'", text);
        a->robot = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which robot?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/// Everything that is open while the answer is written.
typedef struct Work {
    Robot robot;
    RiTerrain *flat;
    const RiTerrain *terrain;
    RiStance *stance;
    RiStanceReport report;
    RiDyn *dyn;
    double *q;
    double *loads; ///< NULL: they cannot be told apart
    double sinkage;
} Work;

static CliExit open_ground(Args *a, Work *w)
{
    if (!a->ground.word) {
        const RiPlaneDef plane = {.slope = 0.0};
        if (ri_terrain_create_plane(w->robot.ctx, &plane, &w->flat) != RI_OK)
            return cli_no_memory();
        w->terrain = w->flat;
        return CLI_DONE;
    }
    const CliExit code = terrain_open(&a->ground);
    if (code == CLI_DONE)
        w->terrain = ri_terrain_file_terrain(a->ground.file);
    return code;
}

static RiStatus solve(const Args *a, Work *w)
{
    RiContext *ctx = w->robot.ctx;
    const RiModel *m = w->robot.model;
    RiStanceDef def = ri_stance_def_default();
    def.contact = a->contact;
    w->sinkage = isnan(a->sinkage) ? ri_stance_sinkage(w->robot.spec, m, w->terrain, a->at[0], a->at[1], a->gravity)
                                   : a->sinkage;
    def.sinkage = w->sinkage;
    RI_TRY(ri_stance_create(ctx, w->robot.spec, m, &def, &w->stance));
    RI_TRY(ri_dyn_create(ctx, m, &w->dyn));
    ri_dyn_set_gravity(w->dyn, ri_vec3(0.0, 0.0, -a->gravity));
    const size_t wheels = (size_t)ri_stance_wheel_count(w->stance);
    w->q = calloc((size_t)ri_model_nq(m) + wheels, sizeof *w->q);
    if (!w->q)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    ri_model_get_initial_q(m, w->q);
    (void)ri_stance_solve(w->stance, w->terrain, a->at[0], a->at[1], a->at[2] / DEGREES, w->q, &w->report);
    w->loads = w->q + ri_model_nq(m);
    if (!w->report.solved || !ri_stance_loads(w->stance, w->dyn, w->q, w->loads))
        w->loads = NULL;
    return RI_OK;
}

static double passive_angle(const Work *w, int index)
{
    const RiModel *m = w->robot.model;
    return w->q[ri_model_joint(m, ri_model_find_joint(m, ri_stance_passive(w->stance, index))).q_index];
}

static void print_text(const Args *a, const Work *w)
{
    const RiStanceReport *r = &w->report;
    if (!r->solved) {
        printf("%s cannot stand at (%g, %g) m, heading %g deg: %s\n", ri_model_name(w->robot.model), a->at[0], a->at[1],
               a->at[2], r->text);
        return;
    }
    printf("%s at (%g, %g) m, heading %g deg, %.4g mm in the ground, %d iterations\n", ri_model_name(w->robot.model),
           a->at[0], a->at[1], a->at[2], 1e3 * w->sinkage, r->iterations);
    printf("  height %.4f m   roll %.3f deg   pitch %.3f deg (nose %s)\n", r->z, DEGREES * r->roll, DEGREES * r->pitch,
           r->pitch > 0.0   ? "down"
           : r->pitch < 0.0 ? "up"
                            : "level");
    for (int i = 0; i < ri_stance_passive_count(w->stance); i++)
        printf("  %-28s %9.3f deg\n", ri_stance_passive(w->stance, i), DEGREES * passive_angle(w, i));
    printf("  %-28s %9s %9s %9s %9s\n", "wheel touches at", "x [m]", "y [m]", "z [m]", "load [N]");
    for (int i = 0; i < ri_stance_wheel_count(w->stance); i++) {
        const RiStanceWheel x = ri_stance_wheel(w->stance, i);
        printf("  %-28s %9.3f %9.3f %9.3f", x.name, x.point.x, x.point.y, x.point.z);
        w->loads ? printf(" %9.1f\n", w->loads[i]) : printf(" %9s\n", "-");
    }
}

static void print_json(const Args *a, const Work *w)
{
    const RiStanceReport *r = &w->report;
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_string(&j, "robot", ri_model_name(w->robot.model));
    json_bool(&j, "solved", r->solved);
    if (!r->solved)
        json_string(&j, "why", r->text);
    json_numbers(&j, "at", a->at, 2);
    json_number(&j, "heading_deg", a->at[2]);
    json_number(&j, "sinkage_m", w->sinkage);
    json_int(&j, "iterations", r->iterations);
    json_number(&j, "z_m", r->z);
    json_number(&j, "roll_deg", DEGREES * r->roll);
    json_number(&j, "pitch_deg", DEGREES * r->pitch);
    json_open(&j, "passive_rad", '{');
    for (int i = 0; r->solved && i < ri_stance_passive_count(w->stance); i++)
        json_number(&j, ri_stance_passive(w->stance, i), passive_angle(w, i));
    json_close(&j, '}');
    json_open(&j, "wheels", '[');
    for (int i = 0; i < ri_stance_wheel_count(w->stance); i++) {
        const RiStanceWheel x = ri_stance_wheel(w->stance, i);
        json_open(&j, NULL, '{');
        json_string(&j, "name", x.name);
        json_vec3(&j, "hub", x.hub);
        json_vec3(&j, "point", x.point);
        json_vec3(&j, "normal", x.normal);
        json_number(&j, "gap_m", x.gap);
        json_number(&j, "load_N", w->loads ? w->loads[i] : NAN);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    if (r->solved)
        json_numbers(&j, "q", w->q, ri_model_nq(w->robot.model));
    json_close(&j, '}');
}

static CliExit answer(Args *a, Work *w)
{
    const RobotArgs robot = {.words = {a->robot},
                             .word_count = 1,
                             .reduce = true,
                             .settings = a->settings,
                             .setting_count = a->setting_count};
    CliExit code = robot_open(&robot, &w->robot);
    if (code == CLI_DONE)
        code = open_ground(a, w);
    if (code != CLI_DONE)
        return code;
    if (solve(a, w) != RI_OK) {
        cli_error("%s", ri_context_message(w->robot.ctx));
        return CLI_BAD_INPUT;
    }
    a->json ? print_json(a, w) : print_text(a, w);
    return w->report.solved ? CLI_DONE : CLI_RUN_FAILED;
}

int robot_pose(int argc, char **argv)
{
    static const struct argp argp = {.options = options,
                                     .parser = parse,
                                     .args_doc = "ROBOT",
                                     .doc = "How a wheeled robot stands at a place: height, roll, pitch, angles of its "
                                            "passive joints, where its wheels touch and what "
                                            "they carry.\vJoints with an actuator stay at their initial positions. "
                                            "Exit codes: 0 it stands, 1 it cannot "
                                            "stand there (the answer names the wheel), 2 bad input."};
    Args a = {.sinkage = NAN, .gravity = 3.71};
    Work w = {.dyn = NULL};
    if (cli_parse(&argp, argc, argv, &a) != 0)
        return cli_no_memory();
    const CliExit code = answer(&a, &w);
    free(w.q);
    ri_dyn_destroy(w.dyn);
    ri_stance_destroy(w.stance);
    ri_terrain_destroy(w.flat);
    terrain_close(&a.ground);
    robot_close(&w.robot);
    free(a.settings);
    return code;
}
