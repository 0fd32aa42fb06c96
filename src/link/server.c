// SPDX-License-Identifier: Apache-2.0
/// \file
/// The service thread: libwebsockets, its callbacks, and a timer that looks for news.
///
/// The timer polls at 120 Hz while a page is connected, so that the simulation's thread need not
/// wake anybody: publishing a frame is free of system calls. Address traps of the library:
/// "127.0.0.1" is heeded only with IPv6 switched off, and a taken port is a failure only on
/// request.
#ifndef RILLE_HAVE_WEBSOCKETS

#include "link/view_work.h"

RiStatus ri_server_start(RiView *v, const char *listen)
{
    (void)listen;
    return ri_error(v->ctx, RI_ERR_UNSUPPORTED,
                    "view: this program was built without libwebsockets; install libwebsockets-dev and build it again");
}

void ri_server_stop(RiView *v)
{
    (void)v;
}

#else

#include <signal.h>
#include <string.h>

#include "link/foxglove.h"
#include "link/server.h"

static ViewServer *server_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

void ri_server_begin(ViewServer *s)
{
    static const char room[LWS_PRE];
    s->out.size = 0;
    s->out.failed = false;
    ri_text_put(&s->out, room, sizeof room);
}

int ri_server_send(ViewServer *s, struct lws *wsi, bool text)
{
    if (s->out.failed)
        return -1;
    const size_t size = s->out.size - LWS_PRE;
    const int sent =
        lws_write(wsi, (unsigned char *)s->out.at + LWS_PRE, size, text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    return sent < (int)size ? -1 : 0;
}

// --- connections without a request ---------------------------------------------------------------

void ri_server_forget(ViewServer *s, const struct lws *wsi)
{
    int n = 0;
    for (int i = 0; i < s->waiting_count; i++)
        if (s->waiting[i] != wsi)
            s->waiting[n++] = s->waiting[i];
    s->waiting_count = n;
}

void ri_server_await(ViewServer *s, struct lws *wsi)
{
    ri_server_forget(s, wsi);
    if (s->waiting_count == VIEW_WAITING) {
        struct lws *oldest = s->waiting[0];
        ri_server_forget(s, oldest);
        lws_set_timeout(oldest, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC);
    }
    s->waiting[s->waiting_count++] = wsi;
}

// --- callbacks -----------------------------------------------------------------------------------

static int on_http(struct lws *wsi, enum lws_callback_reasons why, void *user, void *in, size_t size)
{
    ViewServer *s = server_of(wsi);
    switch ((int)why) {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        ri_server_await(s, wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        ri_server_forget(s, wsi);
        return 0;
    case LWS_CALLBACK_HTTP:
        ri_server_forget(s, wsi);
        return ri_http_request(s, wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return ri_http_continue(s, wsi, user);
    case LWS_CALLBACK_HTTP_BODY:
        return -1; // nothing is ever sent to us this way
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        ri_server_forget(s, wsi);
        return ri_http_check_upgrade(s, wsi);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return -1; // a WebSocket without one of our protocols
    default:
        return lws_callback_http_dummy(wsi, why, user, in, size);
    }
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons why, void *user, void *in, size_t size)
{
    ViewServer *s = server_of(wsi);
    Client *c = user;
    switch ((int)why) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        ri_server_forget(s, wsi);
        return ri_http_check_upgrade(s, wsi);
    case LWS_CALLBACK_ESTABLISHED:
        return ri_client_open(s, c, wsi, strcmp(lws_get_protocol(wsi)->name, RI_FOXGLOVE_PROTOCOL) == 0) ? 0 : -1;
    case LWS_CALLBACK_CLOSED:
        ri_client_close(s, c);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return ri_client_receive(s, c, in, size);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return ri_client_write(s, c);
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {"http", on_http, sizeof(HttpAnswer), 0, 0, NULL, 0},
    {"rille.view.1", on_socket, sizeof(Client), 4096, 0, NULL, 0},
    {RI_FOXGLOVE_PROTOCOL, on_socket, sizeof(Client), 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

// --- timer ---------------------------------------------------------------------------------------

static Client *find_client(ViewServer *s, uint32_t id)
{
    Client *c = s->clients;
    while (c && c->id != id)
        c = c->next;
    return c;
}

/// Tells pages that answers of theirs were lost. Pages for which memory is lacking are told with the next
/// round. Called under the lock.
static void tell_lost(ViewServer *s)
{
    RiView *v = s->view;
    int left = 0;
    for (int i = 0; i < v->lost_count; i++) {
        Client *c = find_client(s, v->lost[i].client);
        RiText t;
        if (!c || c->foxglove) // Foxglove's protocol has no word for it
            continue;
        ri_text_init(&t, &v->memory);
        ri_message_lost(&t, v->lost[i].answers);
        if (t.failed) {
            ri_text_free(&t);
            v->lost[left++] = v->lost[i];
        } else {
            ri_client_post(s, c, t.at);
        }
    }
    v->lost_count = left;
}

/// Hands out what the simulation has for single pages.
static void empty_outbox(ViewServer *s)
{
    RiView *v = s->view;
    pthread_mutex_lock(&v->lock);
    for (int i = 0; i < v->outbox_count; i++) {
        ViewLetter *letter = &v->outbox[i];
        Client *c = find_client(s, letter->client);
        if (c && letter->text)
            ri_client_post(s, c, letter->text);
        else if (c)
            ri_client_subscribe(s, c, letter);
        else
            ri_view_release(v, letter->text);
    }
    v->outbox_count = 0;
    tell_lost(s);
    pthread_mutex_unlock(&v->lock);
}

static void on_timer(lws_sorted_usec_list_t *timer)
{
    ViewServer *s = lws_container_of(timer, ViewServer, timer);
    const double now = ri_view_clock();
    empty_outbox(s);
    for (Client *c = s->clients; c; c = c->next)
        if (!c->closing && ri_client_has_news(s, c, now))
            lws_callback_on_writable(c->wsi);
    lws_sul_schedule(s->lws, 0, timer, on_timer, s->clients ? LWS_USEC_PER_SEC / 120 : LWS_USEC_PER_SEC / 10);
}

// --- life cycle ----------------------------------------------------------------------------------

static void *serve(void *user)
{
    ViewServer *s = user;
    while (!atomic_load(&s->stop) && lws_service(s->lws, 0) >= 0) {
    }
    return NULL;
}

static struct lws_context *create_lws(ViewServer *s, const char *listen)
{
    static const lws_retry_bo_t idle = {.secs_since_valid_ping = 10, .secs_since_valid_hangup = 20};
    struct lws_context_creation_info info = {0};
    info.port = s->view->port;
    info.iface = strcmp(listen, "0.0.0.0") == 0 ? NULL : listen;
    info.protocols = protocols;
    info.user = s;
    info.gid = -1;
    info.uid = -1;
    info.timeout_secs = 10;
    info.keepalive_timeout = 10;
    info.retry_and_idle_policy = &idle;
    info.max_http_header_data = 4096;
    info.max_http_header_pool = VIEW_CLIENTS;
    info.pt_serv_buf_size = HTTP_PIECE;
    info.server_string = "rille";
    info.options =
        LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    lws_set_log_level(0, NULL); // a library does not print
    s->lws = lws_create_context(&info);
    struct lws_vhost *host = s->lws ? lws_create_vhost(s->lws, &info) : NULL;
    if (host)
        s->view->port = lws_get_vhost_listen_port(host);
    return host ? s->lws : NULL;
}

/// Signals are for the program's own threads.
static bool start_thread(ViewServer *s)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool ok = pthread_create(&s->thread, NULL, serve, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

static void free_server(RiView *v)
{
    ViewServer *s = v->server;
    if (s->lws)
        lws_context_destroy(s->lws);
    ri_text_free(&s->out);
    ri_view_release(v, s);
    v->server = NULL;
}

RiStatus ri_server_start(RiView *v, const char *listen)
{
    ViewServer *s = ri_view_alloc(v, sizeof *s);
    if (!s)
        return ri_error(v->ctx, RI_ERR_MEMORY, "out of memory");
    memset(s, 0, sizeof *s);
    v->server = s;
    s->view = v;
    s->begun = ri_view_clock();
    ri_text_init(&s->out, &v->memory);
    if (!create_lws(s, listen)) {
        const int port = v->port;
        free_server(v);
        return ri_error(v->ctx, RI_ERR_IO, "view: cannot listen at %s, port %d; is it taken? (port 0 takes a free one)",
                        listen, port);
    }
    lws_sul_schedule(s->lws, 0, &s->timer, on_timer, 1);
    if (start_thread(s))
        return RI_OK;
    free_server(v);
    return ri_error(v->ctx, RI_ERR_IO, "view: no thread can be started");
}

void ri_server_stop(RiView *v)
{
    if (!v->server)
        return;
    atomic_store(&v->server->stop, 1);
    lws_cancel_service(v->server->lws);
    pthread_join(v->server->thread, NULL);
    lws_sul_cancel(&v->server->timer);
    free_server(v);
}

#endif
