// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille robot dynamics`: the whole dynamics of one state, as numbers that others can check.
///
///     M(q) a + bias(q, v) = tau        passive joint forces (dampers, friction, springs, stops) are not included
#include <stdlib.h>
#include <string.h>

#include "robot/robot.h"

/// One state and everything computed from it. Vectors and matrices are parts of one block.
typedef struct State {
    const Robot *robot;
    RiDyn *dyn;
    int nq, nv, ns;
    double *block;
    double *q, *v, *tau; ///< nq, nv, nv
    double *a, *bias;    ///< nv each
    double *M;           ///< nv x nv; NULL if nobody will see it
    double *tau_s;       ///< efforts at all joints, dependent ones zero
} State;

/// Degrees of freedom up to which the mass matrix is written: a table on a screen, 128 MiB in JSON.
enum { WIDEST_TABLE = 12, WIDEST_JSON = 4096 };

static bool state_alloc(State *s, bool with_matrix)
{
    const size_t nq = (size_t)s->nq, nv = (size_t)s->nv, ns = (size_t)s->ns;
    s->block = calloc(nq + 4 * nv + ns + (with_matrix ? nv * nv : 0) + 1, sizeof *s->block);
    if (!s->block)
        return false;
    s->q = s->block;
    s->v = s->q + nq;
    s->tau = s->v + nv;
    s->a = s->tau + nv;
    s->bias = s->a + nv;
    s->tau_s = s->bias + nv;
    s->M = with_matrix ? s->tau_s + ns : NULL;
    return true;
}

// --- lists on the command line -------------------------------------------------------------------

/// A list that is being read: numbers in order, or NAME=NUMBER pairs.
typedef struct List {
    const char *option; ///< "--q"
    const RiModel *m;
    const char *(*name)(const RiModel *, int);
    int count; ///< entries expected
    double *values;
} List;

/// All names, for messages; cut where they would fill the screen.
static void format_names(const List *list, char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (int i = 0; i < list->count; i++) {
        const char *name = list->name(list->m, i);
        if (used + strlen(name) + 8 > size) {
            snprintf(out + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", name);
    }
}

static CliExit wrong_count(const List *list, int got)
{
    char names[400];
    format_names(list, names, sizeof names);
    cli_error("%s has %d number%s, but this robot needs %d: %s", list->option, got, plural(got), list->count, names);
    return CLI_BAD_INPUT;
}

static CliExit wrong_number(const List *list, const char *text)
{
    cli_error("%s: '%s' is not a finite number", list->option, text);
    return CLI_BAD_INPUT;
}

/// Entry of a coordinate, -1 after a message.
static int find_coordinate(const List *list, const char *word)
{
    const char **names = malloc(((size_t)list->count + 1) * sizeof *names);
    if (!names) {
        cli_no_memory();
        return -1;
    }
    int found = -1;
    for (int i = 0; i < list->count; i++) {
        names[i] = list->name(list->m, i);
        if (strcmp(names[i], word) == 0)
            found = i;
    }
    const char *near = found < 0 ? ri_nearest_name(word, names, list->count) : NULL;
    free(names);
    char all[400];
    format_names(list, all, sizeof all);
    if (near)
        cli_error("%s: there is no coordinate '%s'; did you mean '%s'?", list->option, word, near);
    else if (found < 0)
        cli_error("%s: there is no coordinate '%s'; this robot has: %s", list->option, word, all);
    return found;
}

static CliExit read_named(const List *list, char *text)
{
    for (char *rest = text, *word; (word = strsep(&rest, ","));) {
        char *equals = strchr(word, '=');
        if (!equals) {
            cli_error("%s: '%s' has no name; write all numbers or all as NAME=NUMBER", list->option, word);
            return CLI_BAD_INPUT;
        }
        *equals = '\0';
        const int at = find_coordinate(list, word);
        if (at < 0)
            return CLI_BAD_INPUT;
        if (!cli_parse_number(equals + 1, &list->values[at]))
            return wrong_number(list, equals + 1);
    }
    return CLI_DONE;
}

static CliExit read_numbers(const List *list, char *text)
{
    int n = 0;
    for (const char *s = text; *s; s++)
        n += *s == ',';
    n += *text != '\0';
    if (n != list->count)
        return wrong_count(list, n);
    n = 0;
    for (char *rest = text, *word; n < list->count && (word = strsep(&rest, ","));)
        if (!cli_parse_number(word, &list->values[n++]))
            return wrong_number(list, word);
    return CLI_DONE;
}

static CliExit read_list(const List *list, const char *text)
{
    if (!text)
        return CLI_DONE;
    char *copy = strdup(text);
    if (!copy)
        return cli_no_memory();
    const CliExit code = strchr(copy, '=') ? read_named(list, copy) : read_numbers(list, copy);
    free(copy);
    return code;
}

/// Quaternions must be given as unit ones: what is off by more than rounding is a mistake, not to
/// be mended silently.
static CliExit check_quaternions(const State *s)
{
    const RiModel *m = s->robot->model;
    for (int i = 0; i < ri_model_joint_count(m); i++) {
        const RiJointInfo joint = ri_model_joint(m, i);
        if (joint.merged || joint.q_index < 0 || (joint.type != RI_JOINT_BALL && joint.type != RI_JOINT_FREE))
            continue;
        const double *q = s->q + joint.q_index + joint.nq - 4;
        const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (fabs(n - 1.0) < 1e-3)
            continue;
        cli_error("--q: the quaternion of joint '%s' has length %g; it must be 1", joint.name, n);
        return CLI_BAD_INPUT;
    }
    ri_model_normalize(m, s->q);
    return CLI_DONE;
}

static CliExit read_state(const RobotArgs *args, State *s)
{
    const RiModel *m = s->robot->model;
    const struct {
        List list;
        const char *text;
    } lists[] = {{{"--q", m, ri_model_q_name, s->nq, s->q}, args->q},
                 {{"--v", m, ri_model_v_name, s->nv, s->v}, args->v},
                 {{"--tau", m, ri_model_v_name, s->nv, s->tau}, args->tau}};
    ri_model_get_initial_q(m, s->q);
    for (int i = 0; i < 3; i++) {
        const CliExit code = read_list(&lists[i].list, lists[i].text);
        if (code != CLI_DONE)
            return code;
    }
    return check_quaternions(s);
}

// --- computing -----------------------------------------------------------------------------------

/// Efforts act on the independent joint coordinates; the dependent ones have no motor.
static void place_efforts(State *s)
{
    const RiModel *m = s->robot->model;
    for (int i = 0; i < s->nv; i++)
        s->tau_s[ri_model_spanning_index(m, i)] = s->tau[i];
}

/// Puts the start of joints with quaternions, of which there is nothing between, where they end.
static void leave_quaternions(const State *s, double *from)
{
    const RiModel *m = s->robot->model;
    for (int i = 0; i < ri_model_joint_count(m); i++) {
        const RiJointInfo joint = ri_model_joint(m, i);
        if (!joint.merged && joint.q_index >= 0 && (joint.type == RI_JOINT_BALL || joint.type == RI_JOINT_FREE))
            memcpy(from + joint.q_index, s->q + joint.q_index, (size_t)joint.nq * sizeof *from);
    }
}

/// Whether q closes all loops as it is: whoever gives all coordinates chooses the branch.
static bool is_closed(State *s)
{
    static const double CLOSED = 1e-5;
    double *q = calloc((size_t)s->nq + 1, sizeof *q), worst = q ? 0.0 : INFINITY;
    if (q && ri_dyn_update_position(s->dyn, s->q) == RI_OK)
        ri_dyn_get_q(s->dyn, q);
    for (int i = 0; q && i < s->nq; i++)
        worst = fmax(worst, fabs(q[i] - s->q[i]));
    free(q);
    return worst < CLOSED;
}

/// Moves from the initial configuration to q in small steps and closes loops at each of them: they
/// stay on the branch on which the robot is assembled. One jump could end on the other one.
static RiStatus go_to(State *s)
{
    static const double STEP = 0.02; // rad or m
    const size_t n = (size_t)s->nq;
    if (s->robot->spec->loop_count == 0 || is_closed(s)) {
        RI_TRY(ri_dyn_update_position(s->dyn, s->q));
        ri_dyn_get_q(s->dyn, s->q);
        return RI_OK;
    }
    double *from = calloc(3 * n + 1, sizeof *from), *off = from + n, *q = off + n, far = 0.0;
    if (!from)
        return ri_error(s->robot->ctx, RI_ERR_MEMORY, "out of memory");
    ri_model_get_initial_q(s->robot->model, from);
    leave_quaternions(s, from);
    for (size_t i = 0; i < n; i++)
        far = fmax(far, fabs(s->q[i] - from[i]));
    const int steps = (int)fmax(1.0, fmin(1e5, ceil(far / STEP)));
    RiStatus status = RI_OK;
    for (int k = 1; k <= steps && status == RI_OK; k++) {
        const double part = (double)k / steps;
        for (size_t i = 0; i < n; i++) {
            q[i] = (k == steps ? s->q[i] : from[i] + part * (s->q[i] - from[i])) + off[i];
            off[i] -= q[i];
        }
        status = ri_dyn_update_position(s->dyn, q);
        if (status == RI_OK)
            ri_dyn_get_q(s->dyn, q);
        for (size_t i = 0; i < n; i++)
            off[i] += q[i];
    }
    for (size_t i = 0; i < n && status == RI_OK; i++) {
        if (s->q[i] != from[i] && fabs(s->q[i] - q[i]) > 1e-3)
            cli_error("--q: '%s' follows from other joints: it is at %g, not at %g",
                      ri_model_q_name(s->robot->model, (int)i), q[i], s->q[i]);
        s->q[i] = q[i];
    }
    free(from);
    return status;
}

/// The accelerations come last, so that frames and joint loads are those of the motion and not of
/// the bias.
static RiStatus compute(State *s, RiVec3 gravity)
{
    RI_TRY(ri_dyn_create(s->robot->ctx, s->robot->model, &s->dyn));
    ri_dyn_set_gravity(s->dyn, gravity);
    RI_TRY(go_to(s));
    ri_dyn_update_velocity(s->dyn, s->v);
    ri_dyn_inverse(s->dyn, NULL, s->bias);
    if (s->M)
        ri_dyn_mass_matrix(s->dyn, s->M);
    RI_TRY(ri_dyn_forward(s->dyn, s->tau, s->a));
    place_efforts(s);
    return ri_dyn_update_wrenches(s->dyn, s->tau_s);
}

/// Whether a coupling or loop acts on a joint.
static bool is_tied(const RiModel *m, const RiJointInfo *joint)
{
    return joint->cluster >= 0 && ri_model_cluster(m, joint->cluster).body_count > 1 && joint->nv == 1;
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_names(Json *j, const char *key, const RiModel *m, int count,
                        const char *(*name)(const RiModel *, int))
{
    json_open(j, key, '[');
    for (int i = 0; i < count; i++)
        json_string(j, NULL, name(m, i));
    json_close(j, ']');
}

static void write_spatial(Json *j, const char *key, const char *ang, const char *lin, RiSpatial value)
{
    json_open(j, key, '{');
    json_vec3(j, ang, value.ang);
    json_vec3(j, lin, value.lin);
    json_close(j, '}');
}

static void write_frames(Json *j, const State *s)
{
    const RiModel *m = s->robot->model;
    json_open(j, "frames", '{');
    for (int i = 0; i < ri_model_frame_count(m); i++) {
        const RiPose pose = ri_dyn_frame_pose(s->dyn, i);
        const RiQuat q = ri_quat_from_mat3(&pose.R);
        json_open(j, ri_model_frame_name(m, i), '{');
        json_vec3(j, "position", pose.p);
        json_numbers(j, "quaternion", (const double[]){q.w, q.x, q.y, q.z}, 4);
        write_spatial(j, "velocity", "angular", "linear", ri_dyn_frame_velocity(s->dyn, i));
        write_spatial(j, "acceleration", "angular", "linear", ri_dyn_frame_acceleration(s->dyn, i));
        json_close(j, '}');
    }
    json_close(j, '}');
}

static void write_loads(Json *j, const State *s)
{
    const RiModel *m = s->robot->model;
    json_open(j, "wrenches", '{');
    for (int i = 0; i < ri_model_joint_count(m); i++)
        write_spatial(j, ri_model_joint(m, i).name, "moment", "force", ri_dyn_joint_wrench(s->dyn, i));
    json_close(j, '}');
    json_open(j, "coupling_efforts", '{');
    for (int i = 0; i < ri_model_joint_count(m); i++) {
        const RiJointInfo joint = ri_model_joint(m, i);
        if (is_tied(m, &joint))
            json_number(j, joint.name, ri_dyn_coupling_effort(s->dyn, i));
    }
    json_close(j, '}');
}

static void write_json(const State *s)
{
    const RiModel *m = s->robot->model;
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_string(&j, "robot", ri_model_name(m));
    json_string(&j, "file", s->robot->path);
    json_int(&j, "nq", s->nq);
    json_int(&j, "nv", s->nv);
    write_names(&j, "q_names", m, s->nq, ri_model_q_name);
    write_names(&j, "v_names", m, s->nv, ri_model_v_name);
    json_vec3(&j, "gravity", ri_dyn_gravity(s->dyn));
    json_numbers(&j, "q", s->q, s->nq);
    json_numbers(&j, "v", s->v, s->nv);
    json_numbers(&j, "tau", s->tau, s->nv);
    json_numbers(&j, "a", s->a, s->nv);
    if (s->M) {
        json_open(&j, "M", '[');
        for (int i = 0; i < s->nv; i++)
            json_numbers(&j, NULL, s->M + (size_t)i * (size_t)s->nv, s->nv);
        json_close(&j, ']');
    } else {
        json_string(&j, "M", NULL);
    }
    json_numbers(&j, "bias", s->bias, s->nv);
    json_number(&j, "kinetic_energy", ri_dyn_kinetic_energy(s->dyn));
    json_number(&j, "potential_energy", ri_dyn_potential_energy(s->dyn));
    write_spatial(&j, "momentum", "angular", "linear", ri_dyn_momentum(s->dyn));
    json_vec3(&j, "com", ri_dyn_com(s->dyn));
    json_number(&j, "mass", ri_model_mass(m));
    write_frames(&j, s);
    write_loads(&j, s);
    json_close(&j, '}');
}

// --- text ----------------------------------------------------------------------------------------

static int name_width(const RiModel *m, int count, const char *(*name)(const RiModel *, int))
{
    int width = 10;
    for (int i = 0; i < count; i++)
        width = (int)strlen(name(m, i)) > width ? (int)strlen(name(m, i)) : width;
    return width > 32 ? 32 : width;
}

static void print_coordinates(const RobotArgs *args, const State *s)
{
    const RiModel *m = s->robot->model;
    const int wq = name_width(m, s->nq, ri_model_q_name), wv = name_width(m, s->nv, ri_model_v_name);
    printf("\n  %-*s %14s\n", wq, "position", "q");
    for (int i = 0; i < s->nq; i++)
        if (robot_shows(args, i, s->nq))
            printf("  %-*s %14.7g\n", wq, ri_model_q_name(m, i), s->q[i]);
    printf("\n  %-*s %14s %14s %14s %14s\n", wv, "velocity", "v", "tau", "bias", "a");
    for (int i = 0; i < s->nv; i++)
        if (robot_shows(args, i, s->nv))
            printf("  %-*s %14.7g %14.7g %14.7g %14.7g\n", wv, ri_model_v_name(m, i), s->v[i], s->tau[i], s->bias[i],
                   s->a[i]);
}

/// Rounding errors in a table only draw the eye; --json has them.
static double tidy(double x, double scale)
{
    return fabs(x) < 1e-13 * scale ? 0.0 : x;
}

static void print_mass_matrix(const State *s)
{
    if (!s->M) {
        printf("\nmass matrix: %d x %d (--json writes it)\n", s->nv, s->nv);
        return;
    }
    double largest = 0.0;
    for (int i = 0; i < s->nv * s->nv; i++)
        largest = fmax(largest, fabs(s->M[i]));
    printf("\nmass matrix\n");
    for (int i = 0; i < s->nv; i++) {
        printf(" ");
        for (int k = 0; k < s->nv; k++)
            printf(" %10.4g", tidy(s->M[i * s->nv + k], largest));
        printf("\n");
    }
}

static void print_vec3(const char *what, RiVec3 v, const char *unit)
{
    const double scale = ri_norm(v);
    printf("  %-18s %12.6g %12.6g %12.6g  %s\n", what, tidy(v.x, scale), tidy(v.y, scale), tidy(v.z, scale), unit);
}

static void print_sums(const State *s)
{
    const RiSpatial momentum = ri_dyn_momentum(s->dyn);
    printf("\n  %-18s %12.6g  kg\n", "mass", ri_model_mass(s->robot->model));
    printf("  %-18s %12.6g  J\n", "kinetic energy", ri_dyn_kinetic_energy(s->dyn));
    printf("  %-18s %12.6g  J\n", "potential energy", ri_dyn_potential_energy(s->dyn));
    print_vec3("centre of mass", ri_dyn_com(s->dyn), "m");
    print_vec3("linear momentum", momentum.lin, "kg m/s");
    print_vec3("angular momentum", momentum.ang, "kg m^2/s, about the centre of mass");
}

static void print_loads(const RobotArgs *args, const State *s)
{
    const RiModel *m = s->robot->model;
    const int n = ri_model_joint_count(m);
    double moment = 0.0, force = 0.0;
    for (int i = 0; i < n; i++) {
        const RiSpatial w = ri_dyn_joint_wrench(s->dyn, i);
        moment = fmax(moment, ri_norm(w.ang));
        force = fmax(force, ri_norm(w.lin));
    }
    printf("\n  %-24s %36s   %36s\n", "load on joint", "moment [N m]", "force [N]");
    for (int i = 0; i < n; i++) {
        if (!robot_shows(args, i, n))
            continue;
        const RiSpatial w = ri_dyn_joint_wrench(s->dyn, i);
        printf("  %-24s %12.5g%12.5g%12.5g   %12.5g%12.5g%12.5g\n", ri_model_joint(m, i).name, tidy(w.ang.x, moment),
               tidy(w.ang.y, moment), tidy(w.ang.z, moment), tidy(w.lin.x, force), tidy(w.lin.y, force),
               tidy(w.lin.z, force));
    }
}

static void print_ties(const RobotArgs *args, const State *s)
{
    const RiModel *m = s->robot->model;
    const int n = ri_model_joint_count(m);
    int tied = 0, shown = 0;
    for (int i = 0; i < n; i++) {
        const RiJointInfo joint = ri_model_joint(m, i);
        tied += is_tied(m, &joint);
    }
    if (tied)
        printf("\n  %-24s %12s\n", "tied joint", "effort of the coupling or loop [N m or N]");
    for (int i = 0; i < n; i++) {
        const RiJointInfo joint = ri_model_joint(m, i);
        if (is_tied(m, &joint) && robot_shows(args, shown++, tied))
            printf("  %-24s %12.5g\n", joint.name, ri_dyn_coupling_effort(s->dyn, i));
    }
}

static void print_text(const RobotArgs *args, const State *s)
{
    const RiVec3 g = ri_dyn_gravity(s->dyn);
    printf("%s (%s), gravity (%g, %g, %g) m/s^2; M a + bias = tau\n", ri_model_name(s->robot->model), s->robot->path,
           g.x, g.y, g.z);
    print_coordinates(args, s);
    print_mass_matrix(s);
    print_sums(s);
    print_loads(args, s);
    print_ties(args, s);
}

static CliExit dynamics(const RobotArgs *args, State *s)
{
    const RiModel *m = s->robot->model;
    s->nq = ri_model_nq(m);
    s->nv = ri_model_nv(m);
    s->ns = ri_model_spanning_nv(m);
    if (!state_alloc(s, s->nv <= (args->json ? WIDEST_JSON : WIDEST_TABLE)))
        return cli_no_memory();
    if (args->json && !s->M)
        cli_error("%s: the mass matrix is left out: more than %d degrees of freedom", s->robot->path, WIDEST_JSON);
    const CliExit code = read_state(args, s);
    if (code != CLI_DONE)
        return code;
    const RiStatus status = compute(s, args->gravity);
    if (status != RI_OK)
        return cli_fail(s->robot->ctx, status);
    if (args->json)
        write_json(s);
    else
        print_text(args, s);
    return CLI_DONE;
}

int robot_dynamics(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {.name = "q",
         .key = OPT_Q,
         .arg = "LIST",
         .doc = "Positions; what is not named stays at the robot's initial ones"},
        {.name = "v", .key = OPT_V, .arg = "LIST", .doc = "Velocities (default 0)"},
        {.name = "tau", .key = OPT_TAU, .arg = "LIST", .doc = "Efforts (default 0)"},
        {.name = "gravity", .key = OPT_GRAVITY, .arg = "X,Y,Z", .doc = "In world axes [m/s^2] (default 0,0,-9.81)"},
        ROBOT_OPTION_BASE,
        ROBOT_OPTION_NO_REDUCE,
        ROBOT_OPTIONS_LOAD,
        ROBOT_OPTION_JSON,
        ROBOT_OPTION_ALL,
        {0}};
    static const char doc[] =
        "Computes accelerations, mass matrix, bias, energies, momentum, frames and joint loads of one state: "
        "M a + bias = tau. Passive joint forces are not included.\vLIST is all numbers in order, as 0.1,0,-2, or some "
        "by "
        "name, as elbow=0.5,wrist_roll=1. 'rille robot show --json' names the coordinates. --json prints every number "
        "so "
        "that reading it gives the same bits.";
    RobotArgs args;
    if (!robot_parse(options, "ROBOT", doc, 1, argc, argv, &args))
        return cli_no_memory();
    Robot r;
    CliExit code = robot_open(&args, &r);
    State s = {.robot = &r};
    if (code == CLI_DONE)
        code = dynamics(&args, &s);
    free(s.block);
    ri_dyn_destroy(s.dyn);
    robot_close(&r);
    robot_args_free(&args);
    return code;
}
