// SPDX-License-Identifier: Apache-2.0
/// \file
/// One page: what it has been sent, what waits for it, what it asks.
///
/// Order of sending: hello; answers; kept texts up to the first kept ground; status; then frames in
/// turn with the rest of what is kept and with plots: the robot is there before the ground, and
/// neither waits for all of the other. One message per turn of the connection, so that a slow one
/// holds up nobody.
#include "link/view_work.h" // without the library this file still declares something

#ifdef RILLE_HAVE_WEBSOCKETS

#include <math.h>
#include <string.h>

#include "link/command.h"
#include "link/foxglove.h"

static const double status_period = 0.2, plot_period = 0.1; // [s]

// --- life cycle ----------------------------------------------------------------------------------

void ri_client_sum(ViewServer *s)
{
    double rate = 0.0;
    int layers = 0, count = 0;
    for (const Client *c = s->clients; c; c = c->next) {
        rate = fmax(rate, c->rate);
        layers |= c->layers;
        count++;
    }
    atomic_store(&s->view->rate, rate);
    atomic_store(&s->view->layers, layers);
    atomic_store(&s->view->clients, count);
}

bool ri_client_open(ViewServer *s, Client *c, struct lws *wsi, bool foxglove)
{
    *c = (Client){.wsi = wsi, .id = ++s->next_id, .rate = 60.0, .foxglove = foxglove};
    c->message = ri_view_alloc(s->view, VIEW_MESSAGE);
    c->fox = foxglove ? ri_view_alloc(s->view, sizeof *c->fox) : NULL;
    if (!c->message || (foxglove && !c->fox)) {
        ri_view_release(s->view, c->message);
        c->message = NULL;
        return false;
    }
    if (foxglove)
        memset(c->fox, 0, sizeof *c->fox);
    c->next = s->clients;
    s->clients = c;
    ri_client_sum(s);
    lws_callback_on_writable(wsi);
    lws_sul_schedule(s->lws, 0, &s->timer, s->timer.cb, 1); // it may be slow for lack of pages
    return true;
}

void ri_client_close(ViewServer *s, Client *c)
{
    for (Client **at = &s->clients; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    for (int i = 0; i < c->letter_count; i++)
        ri_view_release(s->view, c->letters[(c->letter_first + i) % CLIENT_LETTERS]);
    ri_view_release(s->view, c->message);
    ri_view_release(s->view, c->fox);
    c->fox = NULL;
    c->letter_count = 0;
    c->message = NULL;
    ri_client_sum(s);
}

void ri_client_post(ViewServer *s, Client *c, char *text)
{
    const size_t size = strlen(text);
    if (c->closing || c->letter_count == CLIENT_LETTERS || c->letter_bytes + size > VIEW_QUEUE) {
        ri_view_release(s->view, text);
        if (!c->closing)
            lws_set_timeout(c->wsi, NO_PENDING_TIMEOUT, LWS_TO_KILL_ASYNC); // it does not read
        c->closing = true;
        return;
    }
    c->letters[(c->letter_first + c->letter_count++) % CLIENT_LETTERS] = text;
    c->letter_bytes += size;
}

// --- requests ------------------------------------------------------------------------------------

static void answer(ViewServer *s, Client *c, const RiViewCommand *command, bool ok, const char *text)
{
    RiText t;
    if (!command->has_id && ok)
        return;
    ri_text_init(&t, &s->view->memory);
    ri_message_answer(&t, command->has_id ? command->id : NAN, ok, NAN, text);
    if (t.failed)
        ri_text_free(&t);
    else
        ri_client_post(s, c, t.at);
    lws_callback_on_writable(c->wsi);
}

static void set_layer(ViewServer *s, Client *c, const RiViewCommand *command)
{
    static const struct {
        const char *name;
        int layer;
    } layers[] = {{"contacts", RI_VIEW_CONTACTS}, {"ruts", RI_VIEW_RUTS},     {"path", RI_VIEW_PATH},
                  {"pictures", RI_VIEW_PICTURES}, {"clouds", RI_VIEW_CLOUDS}, {"sights", RI_VIEW_SIGHTS}};
    int layer = 0;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (strcmp(command->name, layers[i].name) == 0)
            layer = layers[i].layer;
    c->layers = command->on ? c->layers | layer : c->layers & ~layer;
    ri_client_sum(s);
    answer(s, c, command, layer != 0,
           layer ? "" : "the layers of the server are 'contacts', 'ruts', 'path', 'pictures', 'clouds' and 'sights'");
}

static void end_plot(ViewServer *s, Client *c, const RiViewCommand *command)
{
    bool found = false;
    for (int i = 0; i < VIEW_PLOTS; i++)
        if (c->plots[i].used && c->plots[i].id == command->id) {
            c->plots[i].used = false;
            found = true;
        }
    answer(s, c, command, found, found ? "" : "there is no plot with this id");
}

/// What the service thread can do itself it does; the rest is the simulation's.
static void carry_out(ViewServer *s, Client *c, RiViewCommand *command)
{
    command->client = c->id;
    if (command->op == RI_VIEW_RATE) {
        c->rate = command->number;
        ri_client_sum(s);
        answer(s, c, command, true, "");
    } else if (command->op == RI_VIEW_LAYER) {
        set_layer(s, c, command);
    } else if (command->op == RI_VIEW_UNPLOT) {
        end_plot(s, c, command);
    } else if (command->run >= atomic_load(&s->view->slot_count)) {
        answer(s, c, command, false, "there is no such run");
    } else if (!ri_view_push(s->view, command)) {
        answer(s, c, command, false, "too many requests are waiting; try again");
    }
}

int ri_client_receive(ViewServer *s, Client *c, const char *data, size_t size)
{
    static const char too_long[] = "a request has at most 16384 bytes", no_binary[] = "requests are text";
    if (lws_frame_is_binary(c->wsi)) {
        lws_close_reason(c->wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, (unsigned char *)no_binary,
                         sizeof no_binary - 1);
        return -1;
    }
    if (size > VIEW_MESSAGE - c->message_size) {
        lws_close_reason(c->wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, (unsigned char *)too_long, sizeof too_long - 1);
        return -1;
    }
    memcpy(c->message + c->message_size, data, size);
    c->message_size += size;
    if (!lws_is_final_fragment(c->wsi) || lws_remaining_packet_payload(c->wsi))
        return 0;
    if (c->foxglove) {
        ri_fox_receive(s, c, c->message, c->message_size);
        c->message_size = 0;
        return 0;
    }
    RiViewCommand command;
    char why[RI_WHY];
    const bool ok = ri_command_parse(&s->json, c->message, c->message_size, &command, why);
    c->message_size = 0;
    if (ok)
        carry_out(s, c, &command);
    else
        answer(s, c, &command, false, why);
    return 0;
}

// --- plots ---------------------------------------------------------------------------------------

void ri_client_subscribe(ViewServer *s, Client *c, const ViewLetter *letter)
{
    ClientPlot *free = NULL;
    for (int i = VIEW_PLOTS - 1; i >= 0; i--)
        if (!c->plots[i].used || c->plots[i].id == letter->id)
            free = &c->plots[i];
    if (free) {
        *free = (ClientPlot){.used = true,
                             .id = letter->id,
                             .from = letter->from,
                             .to = letter->to,
                             .series = letter->series,
                             .generation = s->view->series[letter->series]->generation};
        c->plot_due = 0.0;
        return;
    }
    const RiViewCommand command = {.has_id = true, .id = letter->id};
    answer(s, c, &command, false, "a page has at most 32 plots");
}

static bool plot_has_news(const RiView *v, const ClientPlot *p)
{
    if (!p->used)
        return false;
    const RiViewSeries *series = v->series[p->series];
    return !p->begun || series->generation != p->generation ||
           atomic_load_explicit(&series->count, memory_order_acquire) > p->sent;
}

/// The part of a plot's samples not sent yet, within its times. Called under the view's lock.
static void write_plot(ViewServer *s, ClientPlot *p)
{
    const RiViewSeries *series = s->view->series[p->series];
    if (series->generation != p->generation) {
        p->generation = series->generation;
        p->begun = false;
        p->sent = 0;
    }
    const int count = atomic_load_explicit(&series->count, memory_order_acquire);
    int first = p->sent, last = count;
    while (first < last && series->samples[2 * first] < p->from)
        first++;
    while (last > first && series->samples[2 * (last - 1)] > p->to)
        last--;
    ri_message_series(&s->out, p->id, series, first, last, p->begun);
    p->begun = true;
    p->sent = count;
}

/// Writes the next plot's news into s->out; false if there are none. A round goes over all plots.
static bool next_plot(ViewServer *s, Client *c, double now)
{
    bool found = false;
    if (c->next_plot == 0 && now < c->plot_due)
        return false;
    pthread_mutex_lock(&s->view->lock);
    while (c->next_plot < VIEW_PLOTS && !found) {
        ClientPlot *p = &c->plots[c->next_plot++];
        found = plot_has_news(s->view, p);
        if (found)
            write_plot(s, p);
    }
    pthread_mutex_unlock(&s->view->lock);
    if (found && now >= c->plot_due)
        c->plot_due = now + plot_period;
    if (!found)
        c->next_plot = 0;
    return found;
}

// --- sending -------------------------------------------------------------------------------------

/// The oldest kept message that the page has not seen, into s->out; false if there is none, or if
/// it is no text and only that is wanted.
static bool next_kept(ViewServer *s, Client *c, bool text_only, bool *out_text)
{
    RiView *v = s->view;
    pthread_mutex_lock(&v->lock);
    int low = 0, high = v->item_count; // versions ascend
    while (low < high) {
        const int middle = (low + high) / 2;
        if (v->items[middle].version > c->seen)
            high = middle;
        else
            low = middle + 1;
    }
    const bool found = low < v->item_count && (v->items[low].text || !text_only);
    if (found) {
        ri_text_put(&s->out, v->items[low].data, v->items[low].size);
        c->seen = v->items[low].version;
        *out_text = v->items[low].text;
    }
    pthread_mutex_unlock(&v->lock);
    return found;
}

static bool kept_has_news(RiView *v, const Client *c)
{
    pthread_mutex_lock(&v->lock);
    const bool any = v->version > c->seen;
    pthread_mutex_unlock(&v->lock);
    return any;
}

static bool next_letter(ViewServer *s, Client *c)
{
    if (c->letter_count == 0)
        return false;
    char *text = c->letters[c->letter_first];
    c->letter_first = (c->letter_first + 1) % CLIENT_LETTERS;
    c->letter_count--;
    c->letter_bytes -= strlen(text);
    ri_text_add(&s->out, text);
    ri_view_release(s->view, text);
    return true;
}

static bool next_status(ViewServer *s, Client *c, double now)
{
    if (now < c->status_due)
        return false;
    while (c->status_run < atomic_load(&s->view->slot_count)) {
        const int run = c->status_run++;
        const ViewPicture *p = ri_view_newest(s->view, run);
        if (!p)
            continue;
        ri_message_status(&s->out, run, &p->status, now - s->begun, atomic_load(&s->view->clients), c->dropped);
        return true;
    }
    c->status_run = 0;
    c->status_due = now + status_period;
    return false;
}

/// A frame that the page has not got, into s->out. A round goes over all runs; the page's rate is
/// that of rounds.
static bool next_frame(ViewServer *s, Client *c, double now)
{
    const int runs = atomic_load(&s->view->slot_count);
    if (c->next_run == 0 && now < c->frame_due)
        return false;
    while (c->next_run < runs) {
        const int run = c->next_run++;
        const ViewPicture *p = ri_view_newest(s->view, run);
        if (!p || p->seq == c->frame_seq[run])
            continue;
        if (now >= c->frame_due)
            c->frame_due = fmax(c->frame_due + 1.0 / c->rate, now);
        c->dropped += c->frame_seq[run] ? (long long)(p->seq - c->frame_seq[run]) - 1 : 0;
        c->frame_seq[run] = p->seq;
        c->next_run %= runs;
        ri_text_put(&s->out, p->data, p->size);
        return true;
    }
    c->next_run = 0;
    return false;
}

static bool frame_has_news(RiView *v, const Client *c)
{
    for (int run = 0; run < atomic_load(&v->slot_count); run++) {
        const ViewPicture *p = ri_view_newest(v, run);
        if (p && p->seq != c->frame_seq[run])
            return true;
    }
    return false;
}

bool ri_client_has_news(ViewServer *s, Client *c, double now)
{
    if (!atomic_load(&s->view->ready))
        return false;
    if (c->foxglove)
        return c->letter_count > 0 || ri_fox_has_news(s, c, now);
    if (!c->greeted || c->letter_count > 0 || now >= c->status_due || kept_has_news(s->view, c))
        return true;
    if ((c->next_run > 0 || now >= c->frame_due) && frame_has_news(s->view, c))
        return true;
    for (int i = now >= c->plot_due ? 0 : c->next_plot; (i > 0 || now >= c->plot_due) && i < VIEW_PLOTS; i++)
        if (plot_has_news(s->view, &c->plots[i]))
            return true;
    return false;
}

/// The next message for the page, into s->out.
static bool next_message(ViewServer *s, Client *c, double now, bool *out_text)
{
    *out_text = true;
    if (!atomic_load(&s->view->ready))
        return false;
    if (c->foxglove)
        return next_letter(s, c) || ri_fox_next(s, c, now, out_text);
    if (!c->greeted) {
        c->greeted = true;
        ri_message_hello(s->view, &s->out);
        return true;
    }
    if (next_letter(s, c) || next_kept(s, c, true, out_text) || next_status(s, c, now))
        return true;
    for (int turn = 0; turn < 2; turn++) {
        c->framed = !c->framed;
        *out_text = !c->framed;
        if (c->framed ? next_frame(s, c, now) : next_kept(s, c, false, out_text) || next_plot(s, c, now))
            return true;
    }
    return false;
}

int ri_client_write(ViewServer *s, Client *c)
{
    const double now = ri_view_clock();
    bool text;
    if (c->closing)
        return -1;
    ri_server_begin(s);
    if (!next_message(s, c, now, &text))
        return 0;
    if (ri_server_send(s, c->wsi, text) != 0)
        return -1;
    if (ri_client_has_news(s, c, now))
        lws_callback_on_writable(c->wsi);
    return 0;
}

#endif
