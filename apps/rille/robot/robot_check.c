// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille robot check`: everything that can be said about a robot file before it is simulated.
///
///     load -> check every item -> build the model -> load every mesh -> findings, verdict
///
/// Problems go to the standard error like a compiler's, the other findings and the verdict to the
/// standard output.
#include <stdlib.h>
#include <string.h>

#include <rille/text.h>

#include "robot/robot.h"

typedef struct Check {
    const RobotArgs *args;
    Robot robot;
    RiReport *problems; ///< what stops the robot, beyond the non-physical findings in robot.report
    bool *promoted;     ///< [report count] warnings that this command makes problems: meshes that are not there
    int promoted_count;
    int mesh_files;    ///< mesh files that were read
    int mesh_problems; ///< meshes that are missing or broken
    bool dissimilar;   ///< refused as a replacement
    RiStatus status;   ///< of loading and building
} Check;

/// Length of ":NUMBER:" at the start of a text, with the last colon not counted; 0 if it is not
/// there.
static size_t number_length(const char *text)
{
    const size_t digits = *text == ':' ? strspn(text + 1, "0123456789") : 0;
    return digits > 0 && digits < 9 && text[1 + digits] == ':' ? 1 + digits : 0;
}

/// Adds a message "file:line: text" or "file:line:column: text" as a problem, taken apart. A
/// message without a line is about the file as a whole.
static void add_problem(Check *c, const char *message)
{
    const char *path = c->robot.path;
    const size_t n = strlen(path);
    const bool names_file = strncmp(message, path, n) == 0 && message[n] == ':';
    const char *colon = names_file ? message + n : strchr(message, ':'); // another file: one that this one extends
    while (colon && !number_length(colon) && !names_file)
        colon = strchr(colon + 1, ':');
    const size_t line = colon ? number_length(colon) : 0, column = line ? number_length(colon + line) : 0;
    if (!line) {
        const char *text = names_file ? message + n + 1 + strspn(message + n + 1, " ") : message;
        ri_report_add(c->problems, RI_FINDING_NONPHYSICAL, path, 0, "%s", text);
        return;
    }
    char file[PATH_MAX], where[32] = "";
    snprintf(file, sizeof file, "%.*s", (int)(colon - message), message);
    if (column)
        snprintf(where, sizeof where, "column %d: ", atoi(colon + line + 1));
    const char *text = colon + line + column + 1;
    ri_report_add(c->problems, RI_FINDING_NONPHYSICAL, file, atoi(colon + 1), "%s%s", where, text + strspn(text, " "));
}

/// Whether the failure was already found by the check of single items.
static bool is_known(const Check *c, const char *message)
{
    const RiReport *report = c->robot.report;
    for (int i = 0; i < ri_report_count(report); i++) {
        const RiFinding *f = ri_report_get(report, i);
        const size_t n = strlen(message), m = strlen(f->text);
        if (f->kind == RI_FINDING_NONPHYSICAL && n >= m && strcmp(message + n - m, f->text) == 0)
            return true;
    }
    return false;
}

// --- meshes --------------------------------------------------------------------------------------

/// The loader's warning about a mesh that is not there becomes a problem. Warnings are in the
/// order of the shapes, so the search goes on where the last one ended.
static bool promote(Check *c, const RiShapeSpec *shape, int *cursor)
{
    const RiReport *report = c->robot.report;
    for (int i = *cursor; shape->uri && i < ri_report_count(report); i++) {
        const RiFinding *f = ri_report_get(report, i);
        if (f->kind != RI_FINDING_WARNING || c->promoted[i] || !strstr(f->text, shape->uri))
            continue;
        c->promoted[i] = true;
        c->promoted_count++;
        *cursor = i + 1;
        return true;
    }
    return false;
}

static void check_mesh_file(Check *c, const RiShapeSpec *shape)
{
    RiMesh *mesh = NULL;
    const RiStatus status = ri_mesh_load(c->robot.ctx, shape->path, &mesh);
    c->mesh_files++;
    if (status != RI_OK) {
        c->mesh_problems++;
        ri_report_add(c->problems, RI_FINDING_NONPHYSICAL, shape->source.file, shape->source.line,
                      "mesh of link '%s' cannot be used: %s", shape->link, ri_context_message(c->robot.ctx));
    }
    ri_mesh_destroy(mesh);
}

/// Whether a shape before the i-th has the same file.
static bool was_seen(const RiSpec *spec, int i)
{
    for (int k = 0; k < i; k++)
        if (spec->shapes[k].type == RI_SHAPE_MESH && spec->shapes[k].path &&
            strcmp(spec->shapes[k].path, spec->shapes[i].path) == 0)
            return true;
    return false;
}

/// Loads every mesh that the shapes refer to, each file once.
static void check_meshes(Check *c)
{
    const RiSpec *spec = c->robot.spec;
    int cursor = 0;
    for (int i = 0; i < spec->shape_count; i++) {
        const RiShapeSpec *shape = &spec->shapes[i];
        if (shape->type != RI_SHAPE_MESH)
            continue;
        if (!shape->path) {
            c->mesh_problems++;
            if (!promote(c, shape, &cursor))
                ri_report_add(c->problems, RI_FINDING_NONPHYSICAL, shape->source.file, shape->source.line,
                              "mesh '%s' of link '%s' is missing", shape->uri ? shape->uri : "", shape->link);
            continue;
        }
        if (!was_seen(spec, i))
            check_mesh_file(c, shape);
    }
}

// --- the checks, in order ------------------------------------------------------------------------

/// Runs the checks as far as they can go; what they find is in the reports. Fails only for lack of
/// memory.
static RiStatus run_checks(Check *c)
{
    Robot *r = &c->robot;
    c->status = robot_load(c->args, r);
    if (c->status != RI_OK) {
        // A refused replacement has its differences in the report, one by one; the message would
        // only repeat them.
        c->dissimilar = *r->stand_in_for && ri_report_count_kind(r->report, RI_FINDING_NONPHYSICAL) > 0;
        if (!c->dissimilar)
            add_problem(c, ri_context_message(r->ctx));
        return RI_OK;
    }
    RI_TRY(ri_spec_check(r->spec, r->report));
    c->status = robot_build(c->args, r);
    if (c->status != RI_OK && !is_known(c, ri_context_message(r->ctx)))
        add_problem(c, ri_context_message(r->ctx));
    c->promoted = calloc((size_t)ri_report_count(r->report) + 1, sizeof *c->promoted);
    if (!c->promoted)
        return ri_error(r->ctx, RI_ERR_MEMORY, "out of memory");
    check_meshes(c);
    return RI_OK;
}

static bool is_promoted(const Check *c, int finding)
{
    return c->promoted && c->promoted[finding];
}

static int problem_count(const Check *c)
{
    return ri_report_count(c->problems) + c->promoted_count +
           ri_report_count_kind(c->robot.report, RI_FINDING_NONPHYSICAL);
}

/// One of four sentences; "incomplete" means that it moves, but that meshes are missing or broken.
static const char *verdict(const Check *c)
{
    const int problems = problem_count(c);
    if (c->dissimilar)
        return "cannot replace the other robot";
    return problems == 0 ? "can be simulated" : problems == c->mesh_problems ? "incomplete" : "cannot be simulated";
}

// --- text ----------------------------------------------------------------------------------------

/// Whether an earlier finding says the same of another line. Findings of one text follow each other
/// closely.
static bool is_repeated(const RiReport *report, int index)
{
    enum { BACK = 200 };
    return cli_is_repeated(report, index > BACK ? index - BACK : 0, index);
}

static void print_group(const Check *c, RiFindingKind kind, const char *title)
{
    const RiReport *report = c->robot.report;
    int shown = 0, count = 0;
    for (int i = 0; i < ri_report_count(report); i++)
        count +=
            ri_report_get(report, i)->kind == kind && !is_promoted(c, i) && (c->args->all || !is_repeated(report, i));
    if (count)
        printf("%s\n", title);
    for (int i = 0; i < ri_report_count(report); i++) {
        const RiFinding *f = ri_report_get(report, i);
        if (f->kind != kind || is_promoted(c, i) || (!c->args->all && is_repeated(report, i)))
            continue;
        const int more = c->args->all ? 0 : cli_repeats(report, i);
        if (robot_shows(c->args, shown++, count) && more)
            printf("  %s%s (and %d more like it; --all shows them)\n", robot_place(f->file, f->line).text, f->text,
                   more);
        else if (robot_shows(c->args, shown - 1, count))
            printf("  %s%s\n", robot_place(f->file, f->line).text, f->text);
    }
}

/// Prints a problem unless there were too many before it.
static void print_problem(const Check *c, const RiFinding *f, int more, int *shown)
{
    enum { LIMIT = 50 };
    char rest[64] = "";
    if (more)
        snprintf(rest, sizeof rest, " (and %d more like it; --all shows them)", more);
    if (c->args->all || *shown < LIMIT)
        cli_error("%s%s%s", robot_place(f->file ? f->file : c->robot.path, f->line).text, f->text, rest);
    else if (*shown == LIMIT)
        cli_error("... %d more problems (--all or --json shows them) ...", problem_count(c) - LIMIT);
    (*shown)++;
}

static void print_problems(const Check *c)
{
    const RiReport *report = c->robot.report;
    int shown = 0;
    for (int i = 0; i < ri_report_count(c->problems); i++)
        print_problem(c, ri_report_get(c->problems, i), 0, &shown);
    for (int i = 0; i < ri_report_count(report); i++) {
        const RiFinding *f = ri_report_get(report, i);
        if ((f->kind == RI_FINDING_NONPHYSICAL || is_promoted(c, i)) && (c->args->all || !is_repeated(report, i)))
            print_problem(c, f, c->args->all ? 0 : cli_repeats(report, i), &shown);
    }
}

static void print_item(RiSource source, const char *what, const char *name, const char *detail)
{
    printf("  %s%s '%s'%s%s\n", robot_place(source.file, source.line).text, what, name ? name : "", *detail ? ": " : "",
           detail);
}

/// With --all: every link and joint as it was read.
static void print_items(const RiSpec *spec)
{
    char detail[160];
    for (int i = 0; i < spec->link_count; i++) {
        const RiLinkSpec *x = &spec->links[i];
        snprintf(detail, sizeof detail, "%g kg%s", x->mass, x->estimated ? ", estimated" : "");
        print_item(x->source, "link", x->name, detail);
    }
    for (int i = 0; i < spec->joint_count; i++) {
        const RiJointSpec *x = &spec->joints[i];
        snprintf(detail, sizeof detail, "%s%s, %.60s -> %.60s", x->locked ? "locked " : "", ri_joint_type_name(x->type),
                 x->parent, x->child);
        print_item(x->source, "joint", x->name, detail);
    }
    for (int i = 0; i < spec->coupling_count; i++)
        print_item(spec->couplings[i].source, "coupling", spec->couplings[i].name, "");
    for (int i = 0; i < spec->loop_count; i++)
        print_item(spec->loops[i].source, "loop", spec->loops[i].name, ri_loop_type_name(spec->loops[i].type));
    for (int i = 0; i < spec->frame_count; i++)
        print_item(spec->frames[i].source, "frame", spec->frames[i].name, "");
    for (int i = 0; i < spec->sensor_count; i++)
        print_item(spec->sensors[i].source, "sensor", spec->sensors[i].name, spec->sensors[i].kind);
    for (int i = 0; i < spec->screw_count; i++)
        print_item(spec->screws[i].source, "screw", spec->screws[i].name, "");
    for (int i = 0; i < spec->wheel_count; i++)
        print_item(spec->wheels[i].source, "wheel", spec->wheels[i].name, "");
}

static void print_verdict(const Check *c)
{
    const int problems = problem_count(c);
    const int warnings = ri_report_count_kind(c->robot.report, RI_FINDING_WARNING) - c->promoted_count;
    const RiModel *m = c->robot.model;
    printf("verdict: %s %s%s", c->robot.path, problems == c->mesh_problems && problems ? "is " : "", verdict(c));
    if (problems)
        printf(": %d problem%s", problems, plural(problems));
    else
        printf(": %d degree%s of freedom, %s base, %.6g kg that move", ri_model_nv(m), plural(ri_model_nv(m)),
               ri_model_is_floating(m) ? "floating" : "fixed", ri_model_mass(m));
    if (warnings)
        printf(", %d warning%s", warnings, plural(warnings));
    printf("\n");
}

static void print_text(const Check *c)
{
    const RiSpec *spec = c->robot.spec;
    print_group(c, RI_FINDING_UNDERSTOOD, "understood");
    if (spec && c->args->all)
        print_items(spec);
    if (c->mesh_files)
        printf("  %d mesh file%s read\n", c->mesh_files, plural(c->mesh_files));
    print_group(c, RI_FINDING_MERGED, "merged (the motion stays the same)");
    print_group(c, RI_FINDING_IGNORED, "ignored");
    print_group(c, RI_FINDING_WARNING, "warnings");
    print_problems(c);
    print_verdict(c);
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_finding(Json *j, const char *kind, const RiFinding *f)
{
    json_open(j, NULL, '{');
    json_string(j, "kind", kind);
    json_string(j, "file", f->file);
    if (f->line > 0)
        json_int(j, "line", f->line);
    else
        json_string(j, "line", NULL);
    json_string(j, "text", f->text);
    json_close(j, '}');
}

static void write_json(const Check *c)
{
    const Robot *r = &c->robot;
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_string(&j, "file", r->path);
    json_string(&j, "robot", r->spec ? r->spec->name : NULL);
    json_string(&j, "verdict", verdict(c));
    json_bool(&j, "ok", problem_count(c) == 0);
    json_int(&j, "problems", problem_count(c));
    if (r->model) {
        json_int(&j, "links", ri_model_link_count(r->model));
        json_int(&j, "bodies", ri_model_body_count(r->model));
        json_int(&j, "nq", ri_model_nq(r->model));
        json_int(&j, "nv", ri_model_nv(r->model));
        json_number(&j, "mass", ri_model_mass(r->model));
    }
    json_open(&j, "findings", '[');
    for (int i = 0; i < ri_report_count(r->report); i++) {
        const RiFinding *f = ri_report_get(r->report, i);
        write_finding(&j, is_promoted(c, i) ? "problem" : ri_finding_kind_name(f->kind), f);
    }
    for (int i = 0; i < ri_report_count(c->problems); i++)
        write_finding(&j, "problem", ri_report_get(c->problems, i));
    json_close(&j, ']');
    json_close(&j, '}');
}

static CliExit check(Check *c)
{
    CliExit code = robot_begin(c->args, &c->robot);
    if (code != CLI_DONE)
        return code;
    RiStatus status = ri_report_create(c->robot.ctx, &c->problems);
    if (status == RI_OK)
        status = run_checks(c);
    if (status != RI_OK)
        return cli_fail(c->robot.ctx, status);
    if (c->args->json) {
        print_problems(c);
        write_json(c);
    } else {
        print_text(c);
    }
    if (problem_count(c) == 0)
        return CLI_DONE;
    code = cli_exit_code(c->status); // a disk error is not the file's fault
    return code == CLI_ENVIRONMENT ? code : CLI_BAD_INPUT;
}

int robot_check(int argc, char **argv)
{
    static const struct argp_option options[] = {
        ROBOT_OPTIONS_LOAD,
        {.name = "in-place-of",
         .key = OPT_IN_PLACE_OF,
         .arg = "ROBOT",
         .doc = "Check it as a replacement: it must have the same moving structure"},
        ROBOT_OPTION_JSON,
        ROBOT_OPTION_ALL,
        {0}};
    static const char doc[] =
        "Says what of a robot file is understood, ignored, merged or wrong, each with file and line, and whether it "
        "can be "
        "simulated. Meshes are read, too.\vExit code: 0 if it can be simulated, 2 if not (or if a mesh is missing or "
        "broken).";
    RobotArgs args;
    if (!robot_parse(options, "ROBOT", doc, 1, argc, argv, &args))
        return cli_no_memory();
    Check c = {.args = &args};
    const CliExit code = check(&c);
    free(c.promoted);
    ri_report_destroy(c.problems);
    robot_close(&c.robot);
    robot_args_free(&args);
    return code;
}
