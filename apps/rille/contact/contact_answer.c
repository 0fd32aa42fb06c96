// SPDX-License-Identifier: Apache-2.0
/// \file
/// Answers to contact problems as text, JSON and CSV.
#include "contact/contact_answer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include <rille/file.h>

static const char *state_name(const RiConeProblem *p, const Answer *a, int i)
{
    double scale = 0.0;
    for (int k = 0; k < 3 * p->n; k++)
        scale += p->q[k] * p->q[k];
    return ri_cone_contact_name(ri_cone_contact(a->r + 3 * i, a->u + 3 * i, 1e-9 * sqrt(scale)));
}

// --- text ----------------------------------------------------------------------------------------

void answer_print_line(const Answers *all, const Answer *a)
{
    const RiConeResult *x = &a->result;
    printf("%s: %d contact%s, %s by %s: residual %.3g (wanted %.3g), %d iteration%s, %.3g us\n", all->file,
           all->problem->n, all->problem->n == 1 ? "" : "s", ri_cone_end_name(x->end), a->solver, x->residual,
           all->tolerance, x->iterations, x->iterations == 1 ? "" : "s", 1e6 * a->seconds);
}

void answer_print_table(const Answers *all, const Answer *a)
{
    const RiConeResult *x = &a->result;
    const RiConeProblem *p = all->problem;
    answer_print_line(all, a);
    if (a->ours)
        printf(
            "%d sweeps, %d Newton steps, %d matrices factored, %d interior steps, %d passes of splitting, %d proximal "
            "points\n",
            x->sweeps, x->newton, x->factors, x->interior, x->splitting, x->proximal);
    printf("\n%4s %-6s %8s %14s %14s %14s %14s %14s %14s\n", "", "", "mu", "r_N", "r_T1", "r_T2", "u_N", "u_T1",
           "u_T2");
    for (int i = 0; i < p->n; i++) {
        const double *r = a->r + 3 * i, *u = a->u + 3 * i;
        printf("%4d %-6s %8.4g %14.7g %14.7g %14.7g %14.7g %14.7g %14.7g\n", i, state_name(p, a, i), p->mu[i], r[0],
               r[1], r[2], u[0], u[1], u[2]);
    }
}

static double difference(const Answers *all, const Answer *a)
{
    double most = 0.0;
    for (int k = 0; k < 3 * all->problem->n; k++)
        most = fmax(most, fabs(a->u[k] - all->answer[0].u[k]));
    return most;
}

void answers_print_comparison(const Answers *all)
{
    printf("%s: %d contact%s, tolerance %.3g\n\n", all->file, all->problem->n, all->problem->n == 1 ? "" : "s",
           all->tolerance);
    printf("%-16s %-12s %10s %10s %12s %18s\n", "solver", "status", "residual", "iterations", "time [us]",
           "velocities differ");
    for (int k = 0; k < all->count; k++) {
        const Answer *a = &all->answer[k];
        if (a->missing)
            printf("%-16s %s\n", a->solver, a->result.reason);
        else
            printf("%-16s %-12s %10.3g %10d %12.4g %18.3g\n", a->solver, ri_cone_end_name(a->result.end),
                   a->result.residual, a->result.iterations, 1e6 * a->seconds, difference(all, a));
    }
}

// --- JSON ----------------------------------------------------------------------------------------

static void print_counts(Json *j, const RiConeResult *x)
{
    json_int(j, "sweeps", x->sweeps);
    json_int(j, "newton", x->newton);
    json_int(j, "factors", x->factors);
    json_int(j, "interior", x->interior);
    json_int(j, "splitting", x->splitting);
    json_int(j, "proximal", x->proximal);
}

static void print_answer(const Answers *all, const Answer *a, Json *j)
{
    const RiConeProblem *p = all->problem;
    json_string(j, "solver", a->solver);
    json_string(j, "status", a->missing ? "missing" : ri_cone_end_name(a->result.end));
    json_string(j, "reason", a->result.reason);
    if (a->missing)
        return;
    json_number(j, "residual", a->result.residual);
    json_int(j, "iterations", a->result.iterations);
    if (a->ours)
        print_counts(j, &a->result);
    json_number(j, "microseconds", 1e6 * a->seconds);
    if (a != all->answer)
        json_number(j, "difference", difference(all, a));
    json_open(j, "contact", '[');
    for (int i = 0; i < p->n; i++)
        json_string(j, NULL, state_name(p, a, i));
    json_close(j, ']');
    json_numbers(j, "reaction", a->r, 3 * p->n);
    json_numbers(j, "velocity", a->u, 3 * p->n);
}

void answers_print_json(const Answers *all, Json *j)
{
    json_open(j, NULL, '{');
    json_string(j, "file", all->file);
    json_int(j, "contacts", all->problem->n);
    json_number(j, "tolerance", all->tolerance);
    json_numbers(j, "mu", all->problem->mu, all->problem->n);
    if (all->count == 1)
        print_answer(all, all->answer, j);
    else {
        json_open(j, "answers", '[');
        for (int k = 0; k < all->count; k++) {
            json_open(j, NULL, '{');
            print_answer(all, &all->answer[k], j);
            json_close(j, '}');
        }
        json_close(j, ']');
    }
    json_close(j, '}');
}

// --- CSV -----------------------------------------------------------------------------------------

bool answer_write_csv(const Answers *all, const Answer *a, const char *path)
{
    const RiConeProblem *p = all->problem;
    RiBeside beside;
    FILE *out = ri_beside_stream(&beside, path);
    if (!out)
        return false;
    fputs("contact,state,mu,r_N,r_T1,r_T2,u_N,u_T1,u_T2\n", out);
    for (int i = 0; i < p->n; i++) {
        const double *r = a->r + 3 * i, *u = a->u + 3 * i;
        fprintf(out, "%d,%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", i, state_name(p, a, i), p->mu[i], r[0], r[1],
                r[2], u[0], u[1], u[2]);
    }
    return ri_beside_close(&beside, true) == 0;
}
