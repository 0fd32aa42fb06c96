// SPDX-License-Identifier: Apache-2.0
/// \file
/// The prompt of `rille run -i`: steps through a run, looks at values, changes them.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/run.h"
#include "run/run_history.h"
#include "run/run_line.h"

enum { WATCHES = 16 };

typedef struct Prompt {
    Run *run;
    RunHistory history;
    char *watches[WATCHES];
    int watch_count;
    bool leave;
    RunStop failed; ///< RUN_DIVERGED after a failed tick, until a checkpoint is loaded
    char why[512];
} Prompt;

typedef struct Verb {
    const char *name;
    void (*act)(Prompt *p, char *rest);
    const char *usage, *about;
} Verb;

/// A wrong command: said at once, remembered for the exit code of a script.
#define COMPLAIN(p, ...)                                                                                               \
    do {                                                                                                               \
        cli_error(__VA_ARGS__);                                                                                        \
        (p)->run->bad_commands++;                                                                                      \
    } while (0)

static void complain_status(Prompt *p)
{
    COMPLAIN(p, "%s", ri_context_message(p->run->ctx));
}

/// Takes the next word off `*rest`; "" if there is none.
static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, " \t");
    char *end = word + strcspn(word, " \t");
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

/// The rest of a line without the blanks around it.
static char *trimmed(char *text)
{
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        text[--n] = '\0';
    return text;
}

// --- looking -------------------------------------------------------------------------------------

static int show_glob(const Prompt *p, const char *glob)
{
    const RiValues *t = ri_sim_values(p->run->sim);
    int found = 0;
    for (int i = ri_values_match(t, glob, 0); i >= 0; i = ri_values_match(t, glob, i + 1), found++) {
        const RiValue *v = ri_values_get(t, i);
        printf("%s = %.9g%s%s\n", v->name, ri_values_read(t, i), *v->unit ? " " : "", v->unit);
    }
    return found;
}

static void show(Prompt *p, char *rest)
{
    char *word = next_word(&rest);
    do {
        if (show_glob(p, *word ? word : "*") == 0)
            COMPLAIN(p, "no value matches '%s'", word);
    } while (*(word = next_word(&rest)));
}

/// After every motion: where we are.
static void show_watches(const Prompt *p)
{
    printf("t = %.9g s\n", ri_sim_time(p->run->sim));
    for (int i = 0; i < p->watch_count; i++)
        show_glob(p, p->watches[i]);
}

static void forget_watches(Prompt *p)
{
    for (int i = 0; i < p->watch_count; i++)
        free(p->watches[i]);
    p->watch_count = 0;
}

static void watch(Prompt *p, char *rest)
{
    char *word = next_word(&rest);
    if (!*word)
        forget_watches(p);
    for (; *word; word = next_word(&rest)) {
        if (ri_values_match(ri_sim_values(p->run->sim), word, 0) < 0) {
            COMPLAIN(p, "no value matches '%s'", word);
        } else if (p->watch_count == WATCHES) {
            COMPLAIN(p, "%d globs are watched already; 'watch' alone forgets them", WATCHES);
        } else if ((p->watches[p->watch_count] = strdup(word))) {
            p->watch_count++;
            show_glob(p, word);
        }
    }
}

static void plot(Prompt *p, char *rest)
{
    const RiValues *t = ri_sim_values(p->run->sim);
    int picked[RUN_CURVES], count = 0;
    for (char *word = next_word(&rest); *word; word = next_word(&rest)) {
        int i = ri_values_match(t, word, 0);
        if (i < 0)
            COMPLAIN(p, "no value matches '%s'", word);
        for (; i >= 0 && count < RUN_CURVES; i = ri_values_match(t, word, i + 1))
            picked[count++] = i;
    }
    if (count == 0)
        COMPLAIN(p, "plot expects the names of values");
    else if (!run_history_plot(&p->history, picked, count))
        COMPLAIN(p, "out of memory");
}

// --- moving --------------------------------------------------------------------------------------

/// Ends what made run_tick say no; the prompt goes on unless files cannot be written.
static void settle(Prompt *p)
{
    Run *run = p->run;
    switch (run->stop) {
    case RUN_CONDITION:
        printf("stop condition: %s\n", run->detail);
        break;
    case RUN_INTERRUPTED:
        printf("interrupted\n");
        break;
    case RUN_DIVERGED:
        p->failed = RUN_DIVERGED;
        snprintf(p->why, sizeof p->why, "%s", run->detail);
        break;
    case RUN_ERROR:
        p->leave = run->status == RI_ERR_IO;
        run->bad_commands++;
        if (p->leave)
            return;
        break;
    default:
        return;
    }
    run->stop = RUN_GOING;
    run->status = RI_OK;
    *run->detail = '\0';
}

/// Ticks until `end`, or until `expression` (if there is one) is true. False if it did not come
/// that far.
static bool advance(Prompt *p, double end, const char *expression)
{
    Run *run = p->run;
    const double half = 0.5 * ri_sim_options(run->sim)->tick;
    struct timespec a, b;
    double x = 0.0;
    bool reached = false;
    if (ri_sim_stopped(run->sim)) {
        COMPLAIN(p, "the run has finished (%s); load a checkpoint or quit", ri_sim_stopped(run->sim));
        return false;
    }
    run_take_interrupt();
    clock_gettime(CLOCK_MONOTONIC, &a);
    while (!reached && ri_sim_time(run->sim) < end - half && run_tick(run)) {
        run_history_add(&p->history, ri_sim_time(run->sim));
        reached = expression && ri_values_eval(ri_sim_values(run->sim), expression, &x) == RI_OK && x != 0.0;
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    run->wall += (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    settle(p);
    show_watches(p);
    return expression ? reached : ri_sim_time(run->sim) >= end - half;
}

static void step(Prompt *p, char *rest)
{
    char *word = next_word(&rest);
    double n = 1.0;
    if (*word && (!cli_parse_number(word, &n) || n < 1.0 || n != floor(n) || n > 1e9)) {
        COMPLAIN(p, "step expects a whole number of ticks from 1 on, not '%s'", word);
        return;
    }
    const RiSim *sim = p->run->sim;
    advance(p, ((double)ri_sim_tick(sim) + n) * ri_sim_options(sim)->tick, NULL);
}

/// Where a motion without an end of its own stops: the scene's duration, or as long again.
static double natural_end(const Prompt *p)
{
    const double now = ri_sim_time(p->run->sim), duration = ri_scene_duration(p->run->scene);
    return now < duration - 0.5 * ri_sim_options(p->run->sim)->tick ? duration : now + duration;
}

static void go(Prompt *p, char *rest)
{
    const char *text = trimmed(rest);
    double span;
    if (!*text) {
        advance(p, natural_end(p), NULL);
        return;
    }
    if (ri_values_eval(ri_sim_values(p->run->sim), text, &span) != RI_OK)
        complain_status(p);
    else if (!(span > 0.0) || !(span < 1e12))
        COMPLAIN(p, "run expects a time above 0, not '%s'", text);
    else
        advance(p, ri_sim_time(p->run->sim) + span, NULL);
}

static void until(Prompt *p, char *rest)
{
    const char *text = trimmed(rest);
    double x;
    if (!*text)
        COMPLAIN(p, "until expects a condition, such as 'until time > 2'");
    else if (ri_values_eval(ri_sim_values(p->run->sim), text, &x) != RI_OK)
        complain_status(p);
    else if (x != 0.0)
        printf("'%s' is true already\n", text);
    else if (!advance(p, natural_end(p), text))
        printf("'%s' did not become true\n", text);
}

// --- changing ------------------------------------------------------------------------------------

static void set(Prompt *p, char *rest)
{
    const char *name = next_word(&rest), *text = trimmed(rest);
    if (!*name || !*text) {
        COMPLAIN(p, "set expects the name of a value and a number or expression");
        return;
    }
    if (*text == '=')
        text += 1 + strspn(text + 1, " ");
    if (ri_values_set(ri_sim_values(p->run->sim), name, text) != RI_OK) {
        complain_status(p);
        return;
    }
    show_glob(p, name);
    run_note(p->run, "set %.100s = %.100s at the prompt", name, text);
}

static void save(Prompt *p, char *rest)
{
    const char *path = trimmed(rest);
    if (!*path)
        COMPLAIN(p, "save expects a file");
    else if (ri_checkpoint_save(p->run->sim, path) != RI_OK)
        complain_status(p);
    else
        printf("checkpoint at %.9g s written to %s\n", ri_sim_time(p->run->sim), path);
}

static void load(Prompt *p, char *rest)
{
    Run *run = p->run;
    const char *path = trimmed(rest);
    const double time = ri_sim_time(run->sim);
    const long long tick = ri_sim_tick(run->sim);
    if (!*path) {
        COMPLAIN(p, "load expects a file");
        return;
    }
    if (ri_checkpoint_load(run->sim, path) != RI_OK) {
        complain_status(p);
        return;
    }
    run->start_time += ri_sim_time(run->sim) - time; // what was simulated stays counted
    run->start_tick += ri_sim_tick(run->sim) - tick;
    p->failed = RUN_GOING;
    run_history_clear(&p->history);
    run_history_add(&p->history, ri_sim_time(run->sim));
    run_note(run, "checkpoint loaded at the prompt: %.160s", path);
    show_watches(p);
}

static void quit(Prompt *p, char *rest)
{
    (void)rest;
    p->leave = true;
}

// --- the prompt ----------------------------------------------------------------------------------

static void help(Prompt *p, char *rest);

static const Verb verbs[] = {
    {"help", help, "help", "this list"},
    {"step", step, "step [N]", "N control ticks, or one"},
    {"run", go, "run [T]", "on for a time (\"2\", \"500 ms\"), or to the end of the scene"},
    {"until", until, "until EXPR", "on until a condition holds (\"until time > 2 && elbow.position < 20 deg\")"},
    {"show", show, "show GLOB", "named values and what they are"},
    {"set", set, "set NAME VALUE", "change a value (\"set elbow.command 2 N*m\")"},
    {"watch", watch, "watch [GLOB]", "show these after every motion; alone: no more"},
    {"plot", plot, "plot NAME...", "the past of up to six values"},
    {"save", save, "save FILE", "write a checkpoint"},
    {"load", load, "load FILE", "go on from a checkpoint"},
    {"quit", quit, "quit", "end the run and write its files"},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static void help(Prompt *p, char *rest)
{
    (void)p, (void)rest;
    for (int i = 0; i < VERBS; i++)
        printf("  %-16s %s\n", verbs[i].usage, verbs[i].about);
}

/// Words for completion: commands first, then names of values.
static const char *word_at(void *user, bool first, int index)
{
    const Prompt *p = user;
    if (first)
        return index < VERBS ? verbs[index].name : NULL;
    const RiValue *v = ri_values_get(ri_sim_values(p->run->sim), index);
    return v ? v->name : NULL;
}

static void carry_out(Prompt *p, char *text)
{
    const char *word = next_word(&text), *names[VERBS];
    if (!*word || *word == '#')
        return;
    for (int i = 0; i < VERBS; i++) {
        names[i] = verbs[i].name;
        if (strcmp(verbs[i].name, word) == 0) {
            verbs[i].act(p, text);
            fflush(stdout);
            return;
        }
    }
    const char *near = ri_nearest_name(word, names, VERBS);
    if (near)
        COMPLAIN(p, "'%s' is not a command; did you mean '%s'?", word, near);
    else
        COMPLAIN(p, "'%s' is not a command; 'help' lists them", word);
}

static void read_commands(Prompt *p, RunLine *line)
{
    for (const char *text; !p->leave && (text = run_line_read(line));) {
        char *copy = strdup(text);
        if (!copy) {
            p->leave = true;
            break;
        }
        carry_out(p, copy);
        free(copy);
    }
}

/// Why the run ended, for the summary.
static void conclude(Prompt *p)
{
    Run *run = p->run;
    const char *condition = ri_sim_stopped(run->sim);
    if (run->stop != RUN_GOING)
        return;
    run->stop = p->failed == RUN_DIVERGED ? RUN_DIVERGED : condition ? RUN_CONDITION : RUN_QUIT;
    snprintf(run->detail, sizeof run->detail, "%s", p->failed == RUN_DIVERGED ? p->why : condition ? condition : "");
}

void run_prompt(Run *run)
{
    Prompt p = {.run = run};
    RunLine *line = run_line_open("rille> ", word_at, &p);
    if (line && run_history_open(&p.history, ri_sim_values(run->sim))) {
        run_history_add(&p.history, ri_sim_time(run->sim));
        read_commands(&p, line);
        conclude(&p);
    } else {
        run_fail(run, ri_error(run->ctx, RI_ERR_MEMORY, "out of memory"));
    }
    forget_watches(&p);
    run_history_close(&p.history);
    run_line_close(line);
}
