// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille study contact-models`: the same rover with compliant and exact contact, and with that of
/// other engines where their programs are built.
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "json.h"
#include "run/run.h"
#include "study/study_contact.h"

static const double DEG = M_PI / 180.0;

typedef struct Request {
    const char *out, *peers, *only;
    bool json, quick, alone;
} Request;

enum { OPTION_JSON = 256, OPTION_OUT, OPTION_QUICK, OPTION_PEERS, OPTION_ALONE, OPTION_ONLY };

static const struct argp_option options[] = {
    {"json", OPTION_JSON, NULL, 0, "One JSON object", 0},
    {"out", OPTION_OUT, "FOLDER", 0, "Write results.csv, figures, report.md and report.html", 0},
    {"quick", OPTION_QUICK, NULL, 0, "Four cases only", 0},
    {"only", OPTION_ONLY, "TEXT", 0, "Only cases whose name contains this", 0},
    {"alone", OPTION_ALONE, NULL, 0, "Our models only", 0},
    {"peers", OPTION_PEERS, "FOLDER", 0,
     "Where contact_mujoco, contact_bullet and contact_ode are (bench/peers beside the program)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    Request *r = state->input;
    switch (key) {
    case OPTION_JSON:
        r->json = true;
        return 0;
    case OPTION_OUT:
        r->out = text;
        return 0;
    case OPTION_QUICK:
        r->quick = true;
        return 0;
    case OPTION_ONLY:
        r->only = text;
        return 0;
    case OPTION_ALONE:
        r->alone = true;
        return 0;
    case OPTION_PEERS:
        r->peers = text;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "one study at a time: '%s' follows 'contact-models'", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// --- models --------------------------------------------------------------------------------------

static const ContactModel known[CONTACT_MODELS] = {
    {.label = "compliant",
     .integrator = "implicit",
     .what = "Rille, springs and dampers at the contacts and a bristle for friction (integrator implicit)"},
    {.label = "exact",
     .integrator = "moreau",
     .what = "Rille, unilateral contact and Coulomb's cone without softness (integrator moreau)"},
    {.label = "mujoco",
     .program = "contact_mujoco",
     .what = "MuJoCo, convex soft constraints with its default softness, elliptic cones, impratio 1"},
    {.label = "mujoco/100",
     .program = "contact_mujoco",
     .argument = "100",
     .what = "the same with impratio 100: friction a hundred times harder than the normal direction"},
    {.label = "bullet",
     .program = "contact_bullet",
     .what = "Bullet, sequential impulses, 50 iterations, joint motors as constraints"},
    {.label = "ode",
     .program = "contact_ode",
     .what = "ODE, pivoting (dWorldStep), pyramid of friction, joint motors as constraints"},
    {.label = "ode/quick",
     .program = "contact_ode",
     .argument = "50",
     .what = "the same with projected sweeps (dWorldQuickStep), 50 iterations"},
};

/// One case by one model. What another engine cannot do is said and left out.
static RiStatus run_case(RiContext *ctx, const char *scene, const RiSpec *spec, const Request *r, ContactStudy *s,
                         ContactModel *m, int i)
{
    const RiContactCase *c = &s->cases[i];
    char path[PATH_MAX];
    RiStatus status = RI_OK;
    if (m->integrator) {
        status = ri_contact_run(ctx, scene, m->integrator, c, &m->traces[i]);
    } else if (contact_peer_find(m, r->peers, path, sizeof path)) {
        status = contact_peer_run(ctx, spec, m, path, c, &m->traces[i]);
        if (status == RI_ERR_IO) {
            fprintf(stderr, "rille study: %s, %s: %s\n", m->label, c->name, ri_context_message(ctx));
            m->traces[i].count = 0;
            status = RI_OK;
        }
    }
    m->results[i] = ri_contact_judge(c, &s->rover, &m->traces[i]);
    return status;
}

static RiStatus run_all(RiContext *ctx, const char *scene, const RiSpec *spec, const Request *r, ContactStudy *s)
{
    for (int k = 0; k < CONTACT_MODELS; k++) {
        ContactModel *m = &s->models[k];
        char path[PATH_MAX];
        m->there = m->integrator || (!r->alone && contact_peer_find(m, r->peers, path, sizeof path));
        if (!m->there && !r->alone)
            fprintf(stderr, "rille study: %s is not built: '%s' is left out\n", m->program, m->label);
        for (int i = 0; m->there && i < s->case_count; i++)
            RI_TRY(run_case(ctx, scene, spec, r, s, m, i));
        if (m->there)
            fprintf(stderr, "%-10s %d cases\n", m->label, s->case_count);
    }
    return RI_OK;
}

/// Plans the cases, without those that are not asked for.
static RiStatus plan(RiContext *ctx, const Request *r, ContactStudy *s)
{
    RiContactCase all[RI_CONTACT_CASES];
    const int n = ri_contact_plan(r->quick, &s->rover, all);
    for (int i = 0; i < n; i++)
        if (!r->only || strstr(all[i].name, r->only))
            s->cases[s->case_count++] = all[i];
    return s->case_count ? RI_OK : ri_error(ctx, RI_ERR_ARGUMENT, "--only: no case contains '%s'", r->only);
}

// --- output --------------------------------------------------------------------------------------

void contact_word(const RiContactCase *c, const RiContactResult *r, char out[32])
{
    if (isnan(r->value))
        snprintf(out, 32, "%s", c->task == RI_CONTACT_STEP ? "not up" : c->task == RI_CONTACT_SLOPE ? "-" : "does not");
    else if (c->task == RI_CONTACT_SLOPE)
        snprintf(out, 32, fabs(r->value) < 1e-3 ? "%.1e" : "%.4f", r->value);
    else if (c->task == RI_CONTACT_STEP)
        snprintf(out, 32, "%.1f s", r->value);
    else
        snprintf(out, 32, "%.2f deg", r->value / DEG);
}

static void closed_word(const RiContactCase *c, char out[32])
{
    if (c->task == RI_CONTACT_SLOPE)
        snprintf(out, 32, "%s", tan(c->level) < c->friction ? "0" : ">= 1");
    else if (isnan(c->closed))
        snprintf(out, 32, "-");
    else
        snprintf(out, 32, "%.2f deg", c->closed / DEG);
}

static void print_row(FILE *out, const ContactStudy *s, int i, bool markdown)
{
    char word[32];
    closed_word(&s->cases[i], word);
    fprintf(out, markdown ? "| %s | %s |" : "%-18s %12s", s->cases[i].name, word);
    for (int k = 0; k < CONTACT_MODELS; k++) {
        if (!s->models[k].there)
            continue;
        contact_word(&s->cases[i], &s->models[k].results[i], word);
        fprintf(out, markdown ? " %s |" : " %12s", word);
    }
    fprintf(out, "\n");
}

/// Creep of a case with brakes on, as a row of its own.
static void print_creep(FILE *out, const ContactStudy *s, int i, bool markdown)
{
    if (markdown)
        fprintf(out, "| creep 3 deg before, %s | 0 |", s->cases[i].name);
    else
        fprintf(out, "%-18s %12s", "  creep [mm/s]", "0");
    for (int k = 0; k < CONTACT_MODELS; k++)
        if (s->models[k].there)
            fprintf(out, markdown ? " %.2g mm/s |" : " %12.2g", 1e3 * s->models[k].results[i].beside);
    fprintf(out, "\n");
}

void contact_print_table(FILE *out, const ContactStudy *s, bool markdown)
{
    fprintf(out, markdown ? "| %s | %s |" : "%-18s %12s", "case", "closed form");
    for (int k = 0; k < CONTACT_MODELS; k++)
        if (s->models[k].there)
            fprintf(out, markdown ? " %s |" : " %12s", s->models[k].label);
    fprintf(out, "\n");
    for (int k = -2; markdown && k < CONTACT_MODELS; k++)
        if (k < 0 || s->models[k].there)
            fprintf(out, k == -2 ? "|---|" : "---|");
    if (markdown)
        fprintf(out, "\n");
    for (int i = 0; i < s->case_count; i++) {
        print_row(out, s, i, markdown);
        if (s->cases[i].task == RI_CONTACT_SLIDE)
            print_creep(out, s, i, markdown);
    }
}

static void print_json(const ContactStudy *s)
{
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_number(&j, "mass", s->rover.mass);
    json_number(&j, "com_height", s->rover.com.z);
    json_number(&j, "half_track", s->rover.half_track);
    json_open(&j, "cases", '[');
    for (int i = 0; i < s->case_count; i++) {
        json_open(&j, NULL, '{');
        json_string(&j, "name", s->cases[i].name);
        json_number(&j, "closed", s->cases[i].closed);
        for (int k = 0; k < CONTACT_MODELS; k++)
            if (s->models[k].there)
                json_number(&j, s->models[k].label, s->models[k].results[i].value);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_close(&j, '}');
}

static void print_text(const ContactStudy *s)
{
    printf("ExoMars, %.0f kg, mass %.3f m above the ground, %.2f m to the outer edges of its wheels; steering locked, "
           "tick "
           "2 ms, Mars\n\n",
           s->rover.mass, s->rover.com.z, s->rover.half_track);
    contact_print_table(stdout, s, false);
    printf("\nslide_*: tilt at which it slides with brakes on (friction in the name), and how it creeps 3 deg before; "
           "tip_aside: at which it falls over; "
           "slope_*: slip\nwhile it drives up with friction 0.5, 0 as long as all wheels hold: from 12 deg on the "
           "front wheels, "
           "which carry least, do not; step_*: time until\nthe rear wheels are up, friction 0.7. What differs and why: "
           "docs/contact-models.md.\n\n");
    for (int k = 0; k < CONTACT_MODELS; k++)
        if (s->models[k].there)
            printf("%-10s %s%s%s%s\n", s->models[k].label, s->models[k].what, s->models[k].version[0] ? " (" : "",
                   s->models[k].version, s->models[k].version[0] ? ")" : "");
}

// --- the command ---------------------------------------------------------------------------------

static RiStatus compare(RiContext *ctx, const Request *r, ContactStudy *s)
{
    char path[PATH_MAX];
    RiScene *scene = NULL;
    if (!cli_find_scene("contact_models", path))
        return ri_error(ctx, RI_ERR_NOT_FOUND, "the study needs the scene contact_models");
    RI_TRY(ri_contact_measure(ctx, path, &s->rover));
    RI_TRY(plan(ctx, r, s));
    RiStatus status = ri_scene_load(ctx, path, NULL, &scene); // for the robot's description
    if (status == RI_OK)
        status = ri_scene_build(scene);
    if (status == RI_OK)
        status = run_all(ctx, path, ri_scene_spec(scene), r, s);
    ri_scene_destroy(scene);
    RI_TRY(status);
    if (r->json)
        print_json(s);
    else
        print_text(s);
    if (!r->out)
        return RI_OK;
    if (mkdir(r->out, 0777) != 0 && errno != EEXIST)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot be made: %s", r->out, strerror(errno));
    return contact_write_report(ctx, r->out, s);
}

int cmd_study_contact(int argc, char **argv)
{
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .doc =
            "One rover (ExoMars) with several contact models: the tilt at which it slides and falls over, its slip on "
            "slopes, the steps it climbs; with closed forms beside where there are any.",
    };
    Request request = {0};
    RiContext *ctx;
    argp_err_exit_status = CLI_BAD_INPUT;
    if (cli_parse(&parser, argc, argv, &request) != 0)
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    ContactStudy *s = calloc(1, sizeof *s);
    if (s)
        memcpy(s->models, known, sizeof known);
    const RiStatus status = s ? compare(ctx, &request, s) : RI_ERR_MEMORY;
    const int code = !s ? cli_no_memory() : status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
    for (int k = 0; s && k < CONTACT_MODELS; k++)
        for (int i = 0; i < RI_CONTACT_CASES; i++)
            ri_contact_trace_free(ctx, &s->models[k].traces[i]);
    free(s);
    ri_context_destroy(ctx);
    return code;
}
