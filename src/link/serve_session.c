// SPDX-License-Identifier: Apache-2.0
/// \file
/// What requests mean: a table of words, each with its function. Every request has one answer, in
/// order: a line that begins with `ok` or `error`, or a frame. Nothing here blocks or touches a
/// socket.
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rille/checkpoint.h>
#include <rille/version.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/number.h"
#include "link/serve_work.h"

/// A request as words; a word in backquotes may contain blanks.
typedef struct Words {
    char *at[SERVE_WORDS];
    int count;
    char *rest; ///< what follows the second word, as it was written
} Words;

// --- answers -------------------------------------------------------------------------------------

static void put_frame(ServeClient *c, int kind, int flags, int tag, size_t size)
{
    const unsigned char head[FRAME_HEAD] = {
        (unsigned char)size, (unsigned char)(size >> 8), (unsigned char)(size >> 16), (unsigned char)(size >> 24),
        (unsigned char)kind, (unsigned char)flags,       (unsigned char)tag,          (unsigned char)(tag >> 8)};
    ri_text_put(&c->out, head, sizeof head);
}

/// One answer: a line, or a frame of text.
static void say(ServeClient *c, int kind, int flags, const char *text)
{
    if (c->binary) {
        put_frame(c, kind, flags, c->tag, strlen(text));
        ri_text_put(&c->out, text, strlen(text));
    } else {
        ri_text_put(&c->out, text, strlen(text));
        ri_text_put(&c->out, "\n", 1);
    }
}

static void answer_text(ServeClient *c, bool ok, const char *text)
{
    char line[2048];
    const int n = snprintf(line, sizeof line, "%s%s%s", ok ? "ok" : "error", *text ? " " : "", text);
    for (int i = 0; i < n && i < (int)sizeof line; i++) // an answer is one line, whatever a name contains
        if (line[i] == '\n' || line[i] == '\r')
            line[i] = ' ';
    say(c, FRAME_TEXT | FRAME_REPLY, ok ? 0 : FLAG_ERROR, line);
}

static void ok(ServeClient *c, const char *format, ...) RI_PRINTF(2, 3);
static void ok(ServeClient *c, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    answer_text(c, true, text);
}

static void refuse(ServeClient *c, const char *format, ...) RI_PRINTF(2, 3);
static void refuse(ServeClient *c, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    answer_text(c, false, text);
}

/// Numbers behind a word: "ok 1 2.5", as one answer however many they are.
static void answer_numbers(RiServe *s, ServeClient *c, const char *word, const double *x, int count)
{
    char number[40];
    RiText t;
    ri_text_init(&t, &s->memory);
    ri_text_add(&t, word);
    for (int i = 0; i < count; i++) {
        ri_text_put(&t, " ", 1);
        ri_text_add(&t, isnan(x[i]) ? "nan" : isinf(x[i]) ? (x[i] > 0 ? "inf" : "-inf") : ri_number_text(x[i], number));
    }
    if (t.failed)
        refuse(c, "out of memory");
    else
        say(c, FRAME_TEXT | FRAME_REPLY, 0, t.at);
    ri_text_free(&t);
}

void ri_session_event(RiServe *s, ServeClient *c, const char *text)
{
    char line[512];
    (void)s;
    snprintf(line, sizeof line, "%s%s", c->binary ? "" : "event ", text);
    say(c, FRAME_EVENT, 0, line);
}

// --- values --------------------------------------------------------------------------------------

/// The index of a name; -1 after an answer that says what was meant, perhaps.
static int find_value(RiServe *s, ServeClient *c, const char *name)
{
    const RiValues *t = ri_sim_values(s->sim);
    const int index = ri_values_find(t, name);
    if (index >= 0)
        return index;
    RiNameSearch search = ri_name_search(name);
    for (int i = 0; i < ri_values_count(t); i++)
        ri_name_search_look(&search, ri_values_get(t, i)->name);
    if (search.found)
        refuse(c, "there is no value '%.200s'; did you mean '%.200s'?", name, search.found);
    else
        refuse(c, "there is no value '%.200s'; 'list' shows all", name);
    return -1;
}

/// Indices of names and globs; NULL after an answer that says what is wrong.
static int *pick_values(RiServe *s, ServeClient *c, char *const *names, int count, bool globs, int *out_count)
{
    const RiValues *t = ri_sim_values(s->sim);
    int *picked = ri_alloc(s->ctx, SERVE_PICKED, sizeof *picked), n = 0;
    if (!picked) {
        refuse(c, "out of memory");
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        const bool glob = globs && strpbrk(names[i], "*?") != NULL;
        int index = glob ? ri_values_match(t, names[i], 0) : find_value(s, c, names[i]);
        if (glob && index < 0)
            refuse(c, "no value matches '%.200s'", names[i]);
        if (index < 0)
            goto fail;
        for (; index >= 0; index = glob ? ri_values_match(t, names[i], index + 1) : -1) {
            if (n == SERVE_PICKED) {
                refuse(c, "more than %d values in one request", SERVE_PICKED);
                goto fail;
            }
            picked[n++] = index;
        }
    }
    *out_count = n;
    return picked;
fail:
    ri_release(s->ctx, picked);
    return NULL;
}

static void do_list(RiServe *s, ServeClient *c, Words *w)
{
    static const char *const types[] = {"real", "int", "bool"};
    const RiValues *t = ri_sim_values(s->sim);
    const char *glob = w->count > 1 ? w->at[1] : "*";
    char low[40], high[40];
    RiText all;
    int n = 0;
    ri_text_init(&all, &s->memory);
    for (int i = ri_values_match(t, glob, 0); i >= 0; i = ri_values_match(t, glob, i + 1), n++) {
        const RiValue *v = ri_values_get(t, i);
        ri_text_format(&all, "`%s` %s %s %s [%s] %s %s\n", v->name, types[v->type], ri_value_kind_name(v->kind),
                       v->writable ? "rw" : "r", v->unit, isinf(v->low) ? "-inf" : ri_number_text(v->low, low),
                       isinf(v->high) ? "inf" : ri_number_text(v->high, high));
    }
    ri_text_format(&all, "ok %d", n);
    if (all.failed)
        refuse(c, "out of memory");
    else
        say(c, FRAME_TEXT | FRAME_REPLY, 0, all.at);
    ri_text_free(&all);
}

static void do_describe(RiServe *s, ServeClient *c, Words *w)
{
    const int index = find_value(s, c, w->at[1]);
    if (index >= 0)
        ok(c, "%.900s", ri_values_get(ri_sim_values(s->sim), index)->doc);
}

static void do_get(RiServe *s, ServeClient *c, Words *w)
{
    int count;
    int *picked = pick_values(s, c, w->at + 1, w->count - 1, true, &count);
    if (!picked)
        return;
    double *x = ri_alloc(s->ctx, (size_t)count, sizeof *x);
    if (x) {
        ri_values_read_all(ri_sim_values(s->sim), picked, count, x);
        answer_numbers(s, c, "ok", x, count);
    } else {
        refuse(c, "out of memory");
    }
    ri_release(s->ctx, x);
    ri_release(s->ctx, picked);
}

/// Counts a set-point that was refused, and notes it unless the last note said the same.
static void note_refusal(RiServe *s, const ServeClient *c, int value)
{
    char text[512];
    s->counts.refused++;
    const RiValue *v = ri_values_get(ri_sim_values(s->sim), value);
    snprintf(text, sizeof text, "%d %s", c->number, v ? v->name : "");
    if (strcmp(text, s->noted) == 0)
        return;
    memcpy(s->noted, text, sizeof text);
    ri_serve_note(s, "client %d: set-point refused, the last good one is held: %s", c->number,
                  ri_context_message(s->ctx));
}

static void do_set(RiServe *s, ServeClient *c, Words *w)
{
    RiValues *t = ri_sim_values(s->sim);
    const int index = find_value(s, c, w->at[1]);
    double x;
    if (index < 0)
        return;
    const bool plain = ri_number_parse(w->rest, strlen(w->rest), &x);
    if ((plain ? ri_values_write(t, index, x) : ri_values_set(t, w->at[1], w->rest)) == RI_OK) {
        answer_numbers(s, c, "ok", &(double){ri_values_read(t, index)}, 1);
        return;
    }
    note_refusal(s, c, index);
    refuse(c, "%s", ri_context_message(s->ctx));
}

// --- ticks ---------------------------------------------------------------------------------------

/// Whether ticks may be asked for now; answers if not.
static bool may_step(RiServe *s, ServeClient *c)
{
    if (s->ended)
        refuse(c, "the run has ended: %s", s->why);
    else if (s->running)
        refuse(c, "the simulation is running; 'pause' first");
    else if (s->stepper)
        refuse(c, "client %d is stepping the simulation", s->stepper->number);
    return !s->ended && !s->running && !s->stepper;
}

static void want_ticks(RiServe *s, ServeClient *c, long long ticks, int binding)
{
    c->stepping = true;
    s->stepper = c;
    s->stepper_binding = binding;
    s->ticks_wanted = ticks;
    if (ticks == 0)
        ri_session_stepped(s, NULL);
}

static void do_step(RiServe *s, ServeClient *c, Words *w)
{
    double ticks = 1.0;
    if (w->count > 1 &&
        (!ri_number_parse(w->at[1], strlen(w->at[1]), &ticks) || ticks < 1.0 || ticks > 1e9 || ticks != floor(ticks)))
        refuse(c, "step: a number of ticks from 1 to 1e9, not '%.60s'", w->at[1]);
    else if (may_step(s, c)) {
        s->stepper_held = false;
        want_ticks(s, c, (long long)ticks, -1);
    }
}

static void release_binding(RiServe *s, ServeBinding *b)
{
    ri_release(s->ctx, b->in);
    ri_release(s->ctx, b->out);
    ri_release(s->ctx, b->x);
    *b = (ServeBinding){0};
}

static bool check_writable(RiServe *s, ServeClient *c, const ServeBinding *b)
{
    for (int i = 0; i < b->in_count; i++) {
        const RiValue *v = ri_values_get(ri_sim_values(s->sim), b->in[i]);
        if (!v->writable) {
            refuse(c, "'%.200s' is read-only (%s)", v->name, ri_value_kind_name(v->kind));
            return false;
        }
    }
    return true;
}

/// bind ID TICKS [IN ...] -> [OUT ...]
static void do_bind(RiServe *s, ServeClient *c, Words *w)
{
    double id, ticks;
    int arrow = 3;
    while (arrow < w->count && strcmp(w->at[arrow], "->") != 0)
        arrow++;
    if (!ri_number_parse(w->at[1], strlen(w->at[1]), &id) || id < 0 || id >= SERVE_BINDINGS || id != floor(id)) {
        refuse(c, "bind: ID is a whole number from 0 to %d, not '%.60s'", SERVE_BINDINGS - 1, w->at[1]);
        return;
    }
    if (!ri_number_parse(w->at[2], strlen(w->at[2]), &ticks) || ticks < 0 || ticks > 1e6 || ticks != floor(ticks)) {
        refuse(c, "bind: TICKS is a whole number from 0 to 1e6, not '%.60s'", w->at[2]);
        return;
    }
    ServeBinding b = {.used = true, .ticks = (int)ticks};
    b.in = pick_values(s, c, w->at + 3, arrow - 3, false, &b.in_count);
    if (!b.in)
        return;
    if (check_writable(s, c, &b))
        b.out = pick_values(s, c, w->at + arrow + 1, arrow < w->count ? w->count - arrow - 1 : 0, true, &b.out_count);
    else
        b.used = false;
    if (b.out)
        b.x = ri_alloc_zero(s->ctx, (size_t)b.out_count + 1, sizeof *b.x);
    if (!b.x) {
        if (b.out)
            refuse(c, "out of memory");
        release_binding(s, &b);
        return;
    }
    ServeBinding *place = &c->bindings[(int)id];
    release_binding(s, place);
    *place = b;
    ok(c, "%d in %d out", b.in_count, b.out_count);
}

/// The binding of a cycle; NULL after an answer.
static ServeBinding *find_binding(RiServe *s, ServeClient *c, int id, int numbers)
{
    ServeBinding *b = id >= 0 && id < SERVE_BINDINGS && c->bindings[id].used ? &c->bindings[id] : NULL;
    if (!b)
        refuse(c, "cycle: there is no binding %d; 'bind' makes one", id);
    else if (numbers != b->in_count) {
        refuse(c, "cycle: binding %d has %d inputs, not %d", id, b->in_count, numbers);
        b = NULL;
    } else if (b->ticks > 0 && !may_step(s, c)) {
        b = NULL;
    }
    return b;
}

/// Sets the inputs and asks for the ticks. A set-point that is refused leaves the last good one,
/// and the answer says so.
static void cycle(RiServe *s, ServeClient *c, int id, const ServeBinding *b, const double *x)
{
    bool held = false;
    for (int i = 0; i < b->in_count; i++)
        if (ri_values_write(ri_sim_values(s->sim), b->in[i], x[i]) != RI_OK) {
            note_refusal(s, c, b->in[i]);
            held = true;
        }
    ServeClient *other = s->stepper; // of a binding without ticks, while another client steps
    const int other_binding = s->stepper_binding;
    const long long other_ticks = s->ticks_wanted;
    const bool other_held = s->stepper_held;
    s->stepper_held = held;
    want_ticks(s, c, b->ticks, id);
    if (b->ticks == 0) {
        s->stepper = other;
        s->stepper_binding = other_binding;
        s->ticks_wanted = other_ticks;
        s->stepper_held = other_held;
    }
}

/// cycle ID X ...: a word that is no number is a set-point that is refused.
static void do_cycle(RiServe *s, ServeClient *c, Words *w)
{
    double id, *x;
    if (!ri_number_parse(w->at[1], strlen(w->at[1]), &id) || id < 0 || id > SERVE_BINDINGS || id != floor(id)) {
        refuse(c, "cycle: there is no binding '%.60s'; 'bind' makes one", w->at[1]);
        return;
    }
    const ServeBinding *b = find_binding(s, c, (int)id, w->count - 2);
    if (!b)
        return;
    x = ri_alloc(s->ctx, (size_t)b->in_count + 1, sizeof *x);
    if (!x) {
        refuse(c, "out of memory");
        return;
    }
    for (int i = 0; i < b->in_count; i++)
        if (!ri_number_parse(w->at[2 + i], strlen(w->at[2 + i]), &x[i]))
            x[i] = NAN;
    cycle(s, c, (int)id, b, x);
    ri_release(s->ctx, x);
}

/// The same as a frame.
static void cycle_frame(RiServe *s, ServeClient *c, const char *payload, size_t size)
{
    if (size % sizeof(double)) {
        refuse(c, "cycle: %zu bytes are not a list of doubles", size);
        return;
    }
    const ServeBinding *b = find_binding(s, c, c->tag, (int)(size / sizeof(double)));
    if (!b)
        return;
    double few[64], *x = b->in_count <= 64 ? few : ri_alloc(s->ctx, (size_t)b->in_count, sizeof *x);
    if (!x) {
        refuse(c, "out of memory");
        return;
    }
    memcpy(x, payload, size);
    cycle(s, c, c->tag, b, x);
    if (x != few)
        ri_release(s->ctx, x);
}

static void answer_cycle(RiServe *s, ServeClient *c, int id, bool held)
{
    ServeBinding *b = &c->bindings[id];
    const double time = ri_sim_time(s->sim);
    ri_values_read_all(ri_sim_values(s->sim), b->out, b->out_count, b->x);
    if (c->binary) {
        const size_t size = ((size_t)b->out_count + 1) * sizeof(double);
        put_frame(c, FRAME_CYCLE | FRAME_REPLY, (held ? FLAG_HELD : 0) | (s->ended ? FLAG_ENDED : 0), id, size);
        ri_text_put(&c->out, &time, sizeof time);
        ri_text_put(&c->out, b->x, (size_t)b->out_count * sizeof(double));
        return;
    }
    char word[64], number[40];
    snprintf(word, sizeof word, "%s %s", held ? "held" : "ok", ri_number_text(time, number));
    answer_numbers(s, c, word, b->x, b->out_count);
}

void ri_session_stepped(RiServe *s, const char *error)
{
    ServeClient *c = s->stepper;
    const int binding = s->stepper_binding;
    const bool held = s->stepper_held;
    s->stepper = NULL;
    s->ticks_wanted = 0;
    s->stepper_held = false;
    if (!c)
        return;
    if (error)
        refuse(c, "%s", error);
    else if (binding >= 0)
        answer_cycle(s, c, binding, held);
    else
        answer_numbers(s, c, "ok", &(double){ri_sim_time(s->sim)}, 1);
}

static void do_run(RiServe *s, ServeClient *c, Words *w)
{
    double speed = 0.0;
    if (w->count > 1 && (!ri_number_parse(w->at[1], strlen(w->at[1]), &speed) || !(speed > 0.0) || !(speed < 1e6)))
        refuse(c, "run: a speed above 0 in simulated seconds per second, not '%.60s'", w->at[1]);
    else if (may_step(s, c)) {
        s->running = true;
        s->speed = speed;
        s->begun = ri_serve_clock();
        s->begun_time = ri_sim_time(s->sim);
        ok(c, "running");
    }
}

static void do_pause(RiServe *s, ServeClient *c, Words *w)
{
    char text[64];
    (void)w;
    s->running = false;
    snprintf(text, sizeof text, "client %d paused the simulation", c->number);
    if (s->stepper)
        ri_session_stepped(s, text);
    answer_numbers(s, c, "ok", &(double){ri_sim_time(s->sim)}, 1);
}

static void do_quit(RiServe *s, ServeClient *c, Words *w)
{
    (void)w;
    s->quit = true;
    snprintf(s->why, sizeof s->why, "client %d requested the end", c->number);
    ok(c, "%s", "");
}

// --- subscriptions -------------------------------------------------------------------------------

static void release_subscription(RiServe *s, ServeSubscription *u)
{
    ri_release(s->ctx, u->values);
    ri_release(s->ctx, u->x);
    *u = (ServeSubscription){0};
}

/// subscribe RATE NAME ...
static void do_subscribe(RiServe *s, ServeClient *c, Words *w)
{
    const double tick = ri_sim_options(s->sim)->tick;
    double rate;
    int id = 0;
    while (id < SERVE_SUBSCRIPTIONS && c->subscriptions[id].used)
        id++;
    if (id == SERVE_SUBSCRIPTIONS) {
        refuse(c, "a client has at most %d subscriptions", SERVE_SUBSCRIPTIONS);
        return;
    }
    if (!ri_number_parse(w->at[1], strlen(w->at[1]), &rate) || !(rate > 0.0) || rate * tick > 1.0 + 1e-9) {
        refuse(c, "subscribe: a rate above 0 and at most that of the ticks, %.9g Hz, not '%.60s'", 1.0 / tick,
               w->at[1]);
        return;
    }
    ServeSubscription u = {.used = true, .period = (long long)fmax(1.0, fmin(1e15, round(1.0 / (rate * tick))))};
    u.values = pick_values(s, c, w->at + 2, w->count - 2, true, &u.count);
    if (!u.values)
        return;
    u.x = ri_alloc(s->ctx, (size_t)u.count, sizeof *u.x);
    if (!u.x) {
        refuse(c, "out of memory");
        ri_release(s->ctx, u.values);
        return;
    }
    c->subscriptions[id] = u;
    ok(c, "%d %d values every %lld ticks, %.9g Hz", id, u.count, u.period, 1.0 / ((double)u.period * tick));
}

static void do_unsubscribe(RiServe *s, ServeClient *c, Words *w)
{
    double id;
    if (!ri_number_parse(w->at[1], strlen(w->at[1]), &id) || id < 0 || id >= SERVE_SUBSCRIPTIONS || id != floor(id) ||
        !c->subscriptions[(int)id].used) {
        refuse(c, "there is no subscription '%.60s'", w->at[1]);
        return;
    }
    const long long dropped = c->subscriptions[(int)id].dropped;
    release_subscription(s, &c->subscriptions[(int)id]);
    ok(c, "%lld samples dropped", dropped);
}

static void put_sample(RiServe *s, ServeClient *c, int id, ServeSubscription *u)
{
    const double time = ri_sim_time(s->sim);
    char number[40];
    ri_values_read_all(ri_sim_values(s->sim), u->values, u->count, u->x);
    if (c->binary) {
        put_frame(c, FRAME_DATA, 0, id, ((size_t)u->count + 1) * sizeof(double));
        ri_text_put(&c->out, &time, sizeof time);
        ri_text_put(&c->out, u->x, (size_t)u->count * sizeof(double));
        return;
    }
    ri_text_format(&c->out, "data %d ", id);
    ri_text_add(&c->out, ri_number_text(time, number));
    for (int i = 0; i < u->count; i++) {
        ri_text_put(&c->out, " ", 1);
        ri_text_add(&c->out, isfinite(u->x[i]) ? ri_number_text(u->x[i], number) : "nan");
    }
    ri_text_put(&c->out, "\n", 1);
}

void ri_session_sample(RiServe *s)
{
    const long long tick = ri_sim_tick(s->sim);
    for (ServeClient *c = s->clients; c < s->clients + SERVE_CLIENTS; c++)
        for (int id = 0; c->fd >= 0 && !c->closing && id < SERVE_SUBSCRIPTIONS; id++) {
            ServeSubscription *u = &c->subscriptions[id];
            if (!u->used || tick % u->period)
                continue;
            if (c->out.size - c->out_sent > SERVE_OUTPUT / 2) {
                u->dropped++;
                s->counts.dropped++;
            } else {
                put_sample(s, c, id, u);
            }
        }
}

// --- outside contacts ----------------------------------------------------------------------------

/// poses [GLOB]: a line per link, then their number.
static void do_poses(RiServe *s, ServeClient *c, Words *w)
{
    const RiModel *m = ri_sim_model(s->sim);
    const RiDyn *d = ri_sim_dyn(s->sim);
    char number[40];
    RiText all;
    int n = 0;
    ri_text_init(&all, &s->memory);
    (void)ri_values_read(ri_sim_values(s->sim),
                         ri_values_find(ri_sim_values(s->sim), "base.x")); // poses are those of the state
    for (int i = 0; i < ri_model_link_count(m); i++) {
        const RiPose pose = ri_dyn_frame_pose(d, i);
        const RiSpatial v = ri_dyn_frame_velocity(d, i);
        const RiQuat q = ri_quat_from_mat3(&pose.R);
        const double x[] = {pose.p.x, pose.p.y, pose.p.z, q.w,     q.x,     q.y,    q.z,
                            v.lin.x,  v.lin.y,  v.lin.z,  v.ang.x, v.ang.y, v.ang.z};
        if (w->count > 1 && !ri_glob_match(w->at[1], ri_model_link(m, i).name))
            continue;
        ri_text_format(&all, "`%s`", ri_model_link(m, i).name);
        for (size_t k = 0; k < sizeof x / sizeof *x; k++)
            ri_text_format(&all, " %s", ri_number_text(x[k], number));
        ri_text_put(&all, "\n", 1);
        n++;
    }
    ri_text_format(&all, "ok %d", n);
    if (all.failed)
        refuse(c, "out of memory");
    else
        say(c, FRAME_TEXT | FRAME_REPLY, 0, all.at);
    ri_text_free(&all);
}

enum { CONTACT_WORDS = 11 };

/// One contact: LINK X Y Z NX NY NZ DEPTH FRICTION RESTITUTION STIFFNESS. False after an answer.
static bool read_contact(RiServe *s, ServeClient *c, char *const *words, RiOutsideContact *out)
{
    double x[CONTACT_WORDS - 1];
    *out = (RiOutsideContact){.link = ri_model_find_link(ri_sim_model(s->sim), words[0])};
    if (out->link < 0) {
        refuse(c, "contacts: there is no link '%.200s'; 'poses' shows all", words[0]);
        return false;
    }
    for (int i = 0; i < CONTACT_WORDS - 1; i++)
        if (!ri_number_parse(words[i + 1], strlen(words[i + 1]), &x[i])) {
            refuse(c, "contacts: '%.60s' is not a number", words[i + 1]);
            return false;
        }
    out->point = ri_vec3(x[0], x[1], x[2]);
    out->normal = ri_vec3(x[3], x[4], x[5]);
    out->depth = x[6];
    out->friction = x[7];
    out->restitution = x[8];
    out->stiffness = x[9];
    return true;
}

/// contacts [CONTACT ...]: all that there are from now on. What is refused leaves those before.
static void do_contacts(RiServe *s, ServeClient *c, Words *w)
{
    const int n = (w->count - 1) / CONTACT_WORDS;
    if (s->stepper || (w->count - 1) % CONTACT_WORDS) {
        refuse(c, s->stepper ? "the simulation is being stepped"
                             : "contacts: 11 words for each: LINK X Y Z NX NY NZ DEPTH FRICTION RESTITUTION STIFFNESS");
        return;
    }
    RiOutsideContact *list = ri_alloc(s->ctx, (size_t)n + 1, sizeof *list);
    bool good = list != NULL;
    if (!list)
        refuse(c, "out of memory");
    for (int i = 0; i < n && good; i++)
        good = read_contact(s, c, w->at + 1 + CONTACT_WORDS * i, &list[i]);
    if (good && ri_sim_set_outside(s->sim, list, n) == RI_OK)
        ok(c, "%d", n);
    else if (good) {
        s->counts.refused++;
        refuse(c, "%s", ri_context_message(s->ctx));
    }
    ri_release(s->ctx, list);
}

// --- the rest ------------------------------------------------------------------------------------

/// DIR/client-NAME.checkpoint; a name leads to no other folder.
static bool checkpoint_path(RiServe *s, ServeClient *c, const char *name, char *out, size_t size)
{
    char plain[128];
    if (!s->folder) {
        refuse(c, "this server has no folder for checkpoints");
        return false;
    }
    ri_file_name(name, plain, sizeof plain);
    if (strcmp(plain, name) != 0) {
        refuse(c, "the name of a checkpoint has letters, digits, '_' and '-' only, at most 127: not '%.127s'", name);
        return false;
    }
    if (snprintf(out, size, "%s/client-%s.checkpoint", s->folder, plain) < (int)size)
        return true;
    refuse(c, "the path of the checkpoint is too long");
    return false;
}

static void do_checkpoint(RiServe *s, ServeClient *c, Words *w)
{
    char path[4096];
    if (!checkpoint_path(s, c, w->at[1], path, sizeof path))
        return;
    if (ri_checkpoint_save(s->sim, path) == RI_OK)
        ok(c, "%s", path);
    else
        refuse(c, "%s", ri_context_message(s->ctx));
}

static void do_restore(RiServe *s, ServeClient *c, Words *w)
{
    char path[4096];
    if (s->stepper || s->running) {
        refuse(c, "the simulation runs or is being stepped; 'pause' first");
        return;
    }
    if (!checkpoint_path(s, c, w->at[1], path, sizeof path))
        return;
    if (ri_checkpoint_load(s->sim, path) != RI_OK) {
        refuse(c, "%s", ri_context_message(s->ctx));
        return;
    }
    s->ended = ri_sim_stopped(s->sim) != NULL;
    ri_serve_note(s, "client %d: checkpoint loaded: %.100s", c->number, w->at[1]);
    answer_numbers(s, c, "ok", &(double){ri_sim_time(s->sim)}, 1);
}

static void do_status(RiServe *s, ServeClient *c, Words *w)
{
    char time[40];
    (void)w;
    ok(c, "%s time %s tick %lld step %.9g clients %d requests %lld refused %lld dropped %lld",
       s->ended     ? "ended"
       : s->running ? "running"
                    : "paused",
       ri_number_text(ri_sim_time(s->sim), time), ri_sim_tick(s->sim), ri_sim_options(s->sim)->tick, s->counts.clients,
       s->counts.requests, s->counts.refused, s->counts.dropped);
}

static void do_hash(RiServe *s, ServeClient *c, Words *w)
{
    (void)w;
    ok(c, "%016llx", (unsigned long long)ri_sim_hash(s->sim));
}

static void do_version(RiServe *s, ServeClient *c, Words *w)
{
    (void)s;
    (void)w;
    ok(c, "rille %s protocol 1", ri_version());
}

static void do_binary(RiServe *s, ServeClient *c, Words *w)
{
    (void)s;
    (void)w;
    if (!c->binary)
        answer_text(c, true, "binary");
    else
        refuse(c, "this connection speaks in frames already");
    c->binary = true;
}

static void do_help(RiServe *s, ServeClient *c, Words *w);

typedef struct Command {
    const char *word;
    void (*run)(RiServe *s, ServeClient *c, Words *w);
    int least, most; ///< words, its own included
    const char *usage;
} Command;

static const Command commands[] = {
    {"list", do_list, 1, 2, "list [GLOB]"},
    {"describe", do_describe, 2, 2, "describe NAME"},
    {"get", do_get, 2, SERVE_WORDS, "get NAME|GLOB ..."},
    {"set", do_set, 3, SERVE_WORDS, "set NAME VALUE"},
    {"subscribe", do_subscribe, 3, SERVE_WORDS, "subscribe RATE NAME|GLOB ..."},
    {"unsubscribe", do_unsubscribe, 2, 2, "unsubscribe ID"},
    {"step", do_step, 1, 2, "step [TICKS]"},
    {"bind", do_bind, 3, SERVE_WORDS, "bind ID TICKS [INPUT ...] -> [OUTPUT ...]"},
    {"cycle", do_cycle, 2, SERVE_WORDS, "cycle ID [NUMBER ...]"},
    {"poses", do_poses, 1, 2, "poses [LINKS]"},
    {"contacts", do_contacts, 1, SERVE_WORDS,
     "contacts [LINK X Y Z NX NY NZ DEPTH FRICTION RESTITUTION STIFFNESS ...]"},
    {"run", do_run, 1, 2, "run [SPEED]"},
    {"pause", do_pause, 1, 1, "pause"},
    {"status", do_status, 1, 1, "status"},
    {"hash", do_hash, 1, 1, "hash"},
    {"checkpoint", do_checkpoint, 2, 2, "checkpoint NAME"},
    {"restore", do_restore, 2, 2, "restore NAME"},
    {"binary", do_binary, 1, 1, "binary"},
    {"version", do_version, 1, 1, "version"},
    {"help", do_help, 1, 1, "help"},
    {"quit", do_quit, 1, 1, "quit"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void do_help(RiServe *s, ServeClient *c, Words *w)
{
    RiText t;
    (void)w;
    ri_text_init(&t, &s->memory);
    for (int i = 0; i < COMMANDS; i++)
        ri_text_format(&t, "%s\n", commands[i].usage);
    ri_text_format(&t, "ok %d", COMMANDS);
    if (t.failed)
        refuse(c, "out of memory");
    else
        say(c, FRAME_TEXT | FRAME_REPLY, 0, t.at);
    ri_text_free(&t);
}

// --- from bytes to requests ----------------------------------------------------------------------

/// Splits a line in place. False: too many words, or a backquote without its partner.
static bool split(char *line, Words *w)
{
    char *p = line;
    w->count = 0;
    w->rest = line + strlen(line);
    for (;;) {
        p += strspn(p, " \t");
        if (!*p)
            return true;
        if (w->count == SERVE_WORDS)
            return false;
        if (w->count == 2)
            w->rest = p;
        const bool quoted = *p == '`';
        char *end = quoted ? strchr(p + 1, '`') : p + strcspn(p, " \t");
        if (!end || (w->count == 2 && strcmp(w->at[0], "set") == 0)) { // the value of `set` is one text
            if (w->count != 2)
                return false;
            w->at[w->count++] = p;
            return true;
        }
        w->at[w->count++] = p + quoted;
        if (!*end)
            return true;
        *end = '\0';
        p = end + 1;
    }
}

/// Compares in a time that does not depend on where the texts differ.
static bool same_token(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    unsigned char differ = (unsigned char)(n != m);
    for (size_t i = 0; i < m; i++)
        differ |= (unsigned char)((i < n ? a[i] : 0) ^ b[i]);
    return differ == 0;
}

static void turn_away(RiServe *s, ServeClient *c, const char *why)
{
    s->counts.turned_away++;
    refuse(c, "%s", why);
    c->closing = true;
}

static void run_line(RiServe *s, ServeClient *c, char *line)
{
    static const Command none = {0};
    const Command *command = &none;
    Words w;
    s->counts.requests++;
    if (!split(line, &w)) {
        refuse(c, "a line has at most %d words, and backquotes in pairs", SERVE_WORDS);
        return;
    }
    if (w.count == 0) {
        refuse(c, "an empty line; 'help' lists requests");
        return;
    }
    if (strcmp(w.at[0], "token") == 0) {
        c->trusted = c->trusted || (w.count == 2 && same_token(w.at[1], s->token));
        if (c->trusted)
            ok(c, "rille %s", ri_version());
        else
            turn_away(s, c, "wrong token");
        return;
    }
    if (!c->trusted) {
        turn_away(s, c, "the first line is 'token TOKEN'");
        return;
    }
    RiNameSearch search = ri_name_search(w.at[0]);
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(w.at[0], commands[i].word) == 0)
            command = &commands[i];
        ri_name_search_look(&search, commands[i].word);
    }
    if (!command->run)
        refuse(c, "unknown request '%.60s'%s%s%s; 'help' lists requests", w.at[0],
               search.found ? "; did you mean '" : "", search.found ? search.found : "", search.found ? "'?" : "");
    else if (w.count < command->least || w.count > command->most)
        refuse(c, "usage: %s", command->usage);
    else
        command->run(s, c, &w);
}

/// A line that is complete; returns its length with its end, 0 if there is none.
static size_t take_line(RiServe *s, ServeClient *c, char *at, size_t size)
{
    char *end = memchr(at, '\n', size);
    if (!end)
        return 0;
    size_t length = (size_t)(end - at);
    if (memchr(at, '\0', length)) {
        s->counts.requests++;
        turn_away(s, c, "a line of text has no zero bytes");
        return length + 1;
    }
    *end = '\0';
    if (length > 0 && at[length - 1] == '\r')
        at[length - 1] = '\0';
    run_line(s, c, at);
    return length + 1;
}

/// The same of a frame.
static size_t take_frame(RiServe *s, ServeClient *c, char *at, size_t size)
{
    const unsigned char *head = (const unsigned char *)at;
    if (size < FRAME_HEAD)
        return 0;
    const size_t length = (size_t)head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
    const int kind = head[4];
    c->tag = (uint16_t)(head[6] | head[7] << 8);
    if (length > SERVE_INPUT - FRAME_HEAD - 1) {
        turn_away(s, c, "a frame is too long");
        return size;
    }
    if (size < FRAME_HEAD + length)
        return 0;
    if (kind == FRAME_CYCLE) {
        s->counts.requests++;
        cycle_frame(s, c, at + FRAME_HEAD, length);
    } else if (kind == FRAME_TEXT && !memchr(at + FRAME_HEAD, '\0', length) && !memchr(at + FRAME_HEAD, '\n', length)) {
        const char next = at[FRAME_HEAD + length]; // the buffer has a byte more than it takes in
        at[FRAME_HEAD + length] = '\0';
        run_line(s, c, at + FRAME_HEAD);
        at[FRAME_HEAD + length] = next;
    } else {
        turn_away(s, c, "a frame is a line of text (1) or a cycle (2)");
    }
    return FRAME_HEAD + length;
}

bool ri_session_feed(RiServe *s, ServeClient *c, const void *data, size_t size)
{
    size_t done = 0;
    bool more = true;
    if (size > SERVE_INPUT - c->in_size)
        size = SERVE_INPUT - c->in_size; // the caller reads no more than there is room for
    if (size)
        memcpy(c->in + c->in_size, data, size);
    c->in_size += size;
    // A client that waits for ticks is served after them: answers come in the order of requests.
    for (int n = 0; n < SERVE_BATCH && more && !c->closing && s->stepper != c; n++) {
        const size_t used = c->binary ? take_frame(s, c, c->in + done, c->in_size - done)
                                      : take_line(s, c, c->in + done, c->in_size - done);
        done += used;
        more = used > 0;
    }
    if (!c->closing && done == 0 && c->in_size == SERVE_INPUT && s->stepper != c)
        turn_away(s, c, "a request is too long");
    memmove(c->in, c->in + done, c->in_size - done);
    c->in_size -= done;
    return more && !c->closing;
}

bool ri_session_open(RiServe *s, ServeClient *c, bool trusted)
{
    const int fd = c->fd;
    *c = (ServeClient){.fd = fd, .number = ++s->next_number, .trusted = trusted};
    c->since = c->heard = ri_serve_clock();
    ri_text_init(&c->out, &s->memory);
    c->in = ri_alloc(s->ctx, SERVE_INPUT + 1, 1);
    return c->in != NULL;
}

void ri_session_close(RiServe *s, ServeClient *c)
{
    for (int i = 0; i < SERVE_BINDINGS; i++)
        release_binding(s, &c->bindings[i]);
    for (int i = 0; i < SERVE_SUBSCRIPTIONS; i++)
        release_subscription(s, &c->subscriptions[i]);
    ri_text_free(&c->out);
    ri_release(s->ctx, c->in);
    c->in = NULL;
    if (s->stepper == c) {
        s->stepper = NULL;
        s->ticks_wanted = 0;
    }
    if (s->spin == c)
        s->spin = NULL;
}
