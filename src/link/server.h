// SPDX-License-Identifier: Apache-2.0
/// \file
/// The service thread's inside: connections. Everything here belongs to that thread.
#ifndef RI_LINK_SERVER_H
#define RI_LINK_SERVER_H

#include <libwebsockets.h>

#include "link/view_work.h"

enum { CLIENT_LETTERS = 512, HTTP_PIECE = 16 * 1024 };
enum { VIEW_WAITING = 64 }; ///< connections that may be without a complete request; less than the pool of headers

/// A plot of a page.
typedef struct ClientPlot {
    bool used, begun;
    double id, from, to;
    int series, generation;
    int sent; ///< samples
} ClientPlot;

/// A page, or a program that speaks the Foxglove protocol.
typedef struct Client {
    struct Client *next;
    struct lws *wsi;
    uint32_t id;
    bool foxglove, greeted, closing;
    bool framed;                                  ///< the last turn was that of frames
    uint64_t seen;                                ///< version of the last kept message sent
    double frame_due, status_due, plot_due, rate; ///< [s], [1/s]
    int next_run;                                 ///< whose frame goes next
    uint32_t frame_seq[RI_VIEW_RUNS];
    int status_run; ///< next run whose status goes, while one is due
    long long dropped;
    int layers;
    char *letters[CLIENT_LETTERS]; ///< answers waiting, a ring
    int letter_first, letter_count;
    size_t letter_bytes;
    char *message; ///< request coming in
    size_t message_size;
    ClientPlot plots[VIEW_PLOTS];
    int next_plot; ///< in a round
    struct FoxClient *fox;
} Client;

struct ViewServer {
    RiView *view;
    struct lws_context *lws;
    pthread_t thread;
    atomic_int stop;
    Client *clients;
    struct lws *waiting[VIEW_WAITING]; ///< connections without a complete request, the oldest first
    int waiting_count;
    uint32_t next_id;
    double begun; ///< clock at start [s]
    lws_sorted_usec_list_t timer;
    RiText out;  ///< LWS_PRE bytes, then the message going out
    RiJson json; ///< scratch
};

/// An answer that is being sent.
typedef struct HttpAnswer {
    const unsigned char *body;
    size_t size, sent;
} HttpAnswer;

// --- http.c ---
int ri_http_request(ViewServer *s, struct lws *wsi, HttpAnswer *a, const char *path);
int ri_http_continue(ViewServer *s, struct lws *wsi, HttpAnswer *a);
/// 0 if the upgrade may go on; else it has been answered.
int ri_http_check_upgrade(ViewServer *s, struct lws *wsi);

// --- client.c ---
bool ri_client_open(ViewServer *s, Client *c, struct lws *wsi, bool foxglove);
void ri_client_close(ViewServer *s, Client *c);
/// A piece of a request; nonzero closes the connection.
int ri_client_receive(ViewServer *s, Client *c, const char *data, size_t size);
/// Sends one message, if there is one; nonzero closes the connection.
int ri_client_write(ViewServer *s, Client *c);
bool ri_client_has_news(ViewServer *s, Client *c, double now);
/// Queues a text (taken over) for a page; a page that lets too many pile up is sent away.
void ri_client_post(ViewServer *s, Client *c, char *text);
void ri_client_subscribe(ViewServer *s, Client *c, const ViewLetter *letter);
/// Rate and layers that all pages together want.
void ri_client_sum(ViewServer *s);
/// A connection that owes a request: one too many sends the oldest away, so that half-open ones
/// keep nobody out.
void ri_server_await(ViewServer *s, struct lws *wsi);
/// Its request is complete, or it has gone.
void ri_server_forget(ViewServer *s, const struct lws *wsi);
/// Starts a message in s->out.
void ri_server_begin(ViewServer *s);
/// Sends s->out; nonzero closes the connection.
int ri_server_send(ViewServer *s, struct lws *wsi, bool text);

#endif
